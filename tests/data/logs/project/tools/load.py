"""Loads order files into one list and shows how far it is.

    load.py FOLDER
"""
import csv
import os
import sys


def bar(done, total, width=30):
    full = done * width // total
    return (f"\r\x1b[2K\x1b[36m{'#' * full}{'.' * (width - full)}\x1b[0m "
            f"{done * 100 // total:3d} % ({done}/{total})")


def main(argv):
    names = sorted(n for n in os.listdir(argv[1]) if n.endswith(".csv"))
    total = 0
    for i, name in enumerate(names, 1):
        with open(os.path.join(argv[1], name), encoding="utf-8", newline="") as f:
            rows = len(list(csv.reader(f))) - 1
        total += rows
        for step in range(3):
            sys.stdout.write(bar(i * 3 - 2 + step, len(names) * 3))
        sys.stdout.flush()
    sys.stdout.write(f"\r\x1b[2K\x1b[32mloaded\x1b[0m {len(names)} files, {total} orders\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
