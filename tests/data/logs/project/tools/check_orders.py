"""Looks for mistakes in order files.

    check_orders.py FILE...

Prints FILE:LINE: what is wrong; the exit code is 1 if something is.
"""
import csv
import sys


def faults(rows):
    seen = {}
    for at, row in enumerate(rows[1:], 2):
        order, _, item, quantity, price, total = row[:6]
        if order in seen:
            yield at, f"{order} stands in line {seen[order]} already"
        seen.setdefault(order, at)
        if int(quantity) < 1:
            yield at, f"{order}: {quantity} of {item}"
        elif int(quantity) * int(price) != int(total):
            yield at, (f"{order}: {quantity} times {price} is "
                       f"{int(quantity) * int(price)}, not {total}")


def main(argv):
    found = 0
    for name in argv[1:]:
        with open(name, encoding="utf-8", newline="") as f:
            rows = list(csv.reader(f))
        for at, text in faults(rows):
            print(f"{name}:{at}: {text}")
            found += 1
    print(f"{len(argv) - 1} files, {found} mistakes")
    return found != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
