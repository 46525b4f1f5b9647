"""Statistics of one column of a CSV file.

    stats.py COLUMN FILE...

Columns are counted from 0.  Values that are not numbers are left out, and the
first line of each file is its heading.
"""
import csv
import sys


def numbers(rows, column):
    for row in rows:
        try:
            yield float(row[column])
        except (ValueError, IndexError):
            continue


def mean(values):
    return sum(values) / len(values)


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def spread(values):
    return max(values) - min(values)


def describe(values):
    if not values:
        return "no numbers"
    return (f"n {len(values)}, mean {mean(values):.2f}, "
            f"median {median(values):.2f}, spread {spread(values):.2f}")


def main(argv):
    if len(argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    column = int(argv[1])
    for name in argv[2:]:
        with open(name, encoding="utf-8", newline="") as f:
            rows = list(csv.reader(f))
        print(f"{name}: {describe(list(numbers(rows[1:], column)))}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
