#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lines of Unicode's NormalizationTest.txt to stdout.

	pick.py FOLDER [STEP]

FOLDER has NormalizationTest.txt.bz2 and DerivedAge.txt (Debian's package
unicode-data).  Lines with characters newer than Unicode 9.0 are left out, and
of parts 1 and later all but each STEP-th.
"""
import bz2
import sys

folder, step = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
known = set()
with open(f"{folder}/DerivedAge.txt", encoding="utf-8") as f:
    for line in f:
        where, _, age = line.split("#")[0].partition(";")
        if age and tuple(int(x) for x in age.split(".")) <= (9, 0):
            ends = [int(x, 16) for x in where.split("..")]
            known.update(range(ends[0], ends[-1] + 1))
part = n = 0
with bz2.open(f"{folder}/NormalizationTest.txt.bz2", "rt",
              encoding="utf-8") as f:
    for line in f:
        if line[0] == "@":
            part = int(line[5])
        if line[0] in "#@\n":
            continue
        row = line.split("#")[0].rstrip().rstrip(";")
        if not all(int(x, 16) in known for x in row.replace(";", " ").split()):
            continue
        n += 1
        if part == 0 or n % step == 0:
            print(row)
