#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: order.py LITTLE BIG

Do the two vocabulary tables, one in each byte order, have the same numbers?  The
layout is that of lib/token/table.h, read here without regard to the code that
writes it.  Prints each difference; exit 1 if there is one.
"""

import struct
import sys

HEAD = "8s2IQ2I32s12I34Q1Q"
MASK = (1 << 64) - 1
# of the sections, in their order; CROSS is two kinds of numbers
FORM = "IsIIIQIQ?IssQdsQs"
CROSS = [("I", (1 << 18) // 32 + 0x10000 // 8), ("Q", 0x10000 // 64)]


def checksum(data):
    """ctx_table_sum: words are little-endian in every table."""
    h = 0x243F6A8885A308D3 ^ len(data)
    whole = len(data) // 8 * 8
    for word in [*struct.unpack_from(f"<{whole // 8}Q", data), *data[whole:]]:
        h = (h ^ word) * 0x9FB21C651E98DF25 & MASK
        h ^= h >> 29
    return h


def numbers(data, order, form):
    """The numbers of a section; texts are themselves."""
    if form == "s":
        return data
    if form != "?":
        n = len(data) // struct.calcsize("=" + form)
        return struct.unpack(f"{order}{n}{form}", data)
    return struct.unpack(order + "".join(f"{n}{f}" for f, n in CROSS), data)


def read(path, order):
    """The header's members and the sections' numbers."""
    with open(path, "rb") as f:
        data = f.read()
    head = struct.unpack_from(order + HEAD, data)
    size = struct.calcsize(order + HEAD)
    if head[-1] != checksum(data[: size - 8]):
        sys.exit(f"{path}: the sum is not that of its header")
    if head[2] != 0x01020304 or head[3] != len(data):
        sys.exit(f"{path}: not in this byte order, or not of this length")
    at = head[-35:-1]
    return head[:-1], [
        numbers(data[at[2 * i] : at[2 * i] + at[2 * i + 1]], order, form)
        for i, form in enumerate(FORM)
    ]


def main():
    little, big = read(sys.argv[1], "<"), read(sys.argv[2], ">")
    wrong = [] if little[0] == big[0] else ["header"]
    wrong += [f"section {i}" for i, (a, b) in
              enumerate(zip(little[1], big[1])) if a != b]
    print("\n".join(f"{w} differs" for w in wrong) or
          f"{sum(map(len, little[1]))} numbers and bytes are the same")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
