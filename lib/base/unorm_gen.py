#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes unorm.c's tables (unorm_data.inc) to stdout.

	unorm_gen.py FOLDER >unorm_data.inc

FOLDER has the Unicode Character Database: UnicodeData.txt, DerivedAge.txt and
CompositionExclusions.txt (Debian's package unicode-data, any version from 9.0
on: what came after 9.0 is left out, and what was there never changes).
"""
import sys

AGE = (9, 0)
BLOCK = 128
# As in unorm.h, a bit each: NFC NFD NFKC NFKD.
NFC, NFD, NFKC, NFKD = 1, 2, 4, 8


def fields(name):
    with open(f"{sys.argv[1]}/{name}", encoding="utf-8") as f:
        for line in f:
            line = line.split("#")[0].strip()
            if line:
                yield [x.strip() for x in line.split(";")]


def span(text):
    ends = [int(x, 16) for x in text.split("..")]
    return range(ends[0], ends[-1] + 1)


known = set()
for where, age in fields("DerivedAge.txt"):
    if tuple(int(x) for x in age.split(".")) <= AGE:
        known.update(span(where))

ccc, canon, compat = {}, {}, {}
for row in fields("UnicodeData.txt"):
    cp = int(row[0], 16)
    if cp not in known:
        continue
    if row[3] != "0":
        ccc[cp] = int(row[3])
    if row[5]:
        parts = [int(x, 16) for x in row[5].split() if x[0] != "<"]
        (compat if row[5][0] == "<" else canon)[cp] = parts
excluded = {cp for row in fields("CompositionExclusions.txt")
            for cp in span(row[0])}


def full(cp, tables):
    for table in tables:
        if cp in table:
            return [y for x in table[cp] for y in full(x, tables)]
    return [cp]


pairs = sorted((parts[0], parts[1], cp) for cp, parts in canon.items()
               if len(parts) == 2 and cp not in excluded
               and cp not in ccc and parts[0] not in ccc)
second = {b for _, b, _ in pairs} | set(range(0x1161, 0x1176)) | \
    set(range(0x11A8, 0x11C3))
composed = {c for _, _, c in pairs}
HANGUL = range(0xAC00, 0xD7A4)


def properties(cp):
    """ccc, forms it is safe in, forms it may begin a text of."""
    d, k = full(cp, [canon]), full(cp, [canon, compat])
    if cp in HANGUL:
        d = k = [0x1100, 0x1161]
    # Nothing combines with what stands before it.
    before = 0 if d[0] in ccc else NFD | (d[0] not in second) * NFC
    before |= 0 if k[0] in ccc else NFKD | (k[0] not in second) * NFKC
    safe = 0
    if cp not in ccc:
        same = cp in composed or cp in HANGUL
        safe |= (d == [cp]) * NFD | (k == [cp]) * NFKD
        safe |= (d == [cp] or same) * NFC
        safe |= (k == [cp] or (same and k == d)) * NFKC
    return ccc.get(cp, 0), safe & before, before


records = [properties(0)]
kinds = bytearray(0x110000)
for cp in sorted(known):
    p = properties(cp)
    if p not in records:
        records.append(p)
    kinds[cp] = records.index(p)
assert len(records) < 256
blocks, index = [], []
for cp in range(0, 0x110000, BLOCK):
    block = bytes(kinds[cp:cp + BLOCK])
    if block not in blocks:
        blocks.append(block)
    index.append(blocks.index(block))
assert len(blocks) < 256

points, offset = [], {}


def put(parts):
    key = tuple(parts)
    if key not in offset:
        offset[key] = len(points)
        points.extend(parts)
    return f"{offset[key]},{len(parts)}"


rows = []
for cp in sorted(set(canon) | set(compat)):
    d, k = full(cp, [canon]), full(cp, [canon, compat])
    rows.append(f"{{{cp},{put(d) if d != [cp] else '0,0'},{put(k)}}}")


def lines(items):
    text = line = ""
    for item in items:
        if len(line) + len(str(item)) + 9 > 80:
            text += f"\t{line}\n"
            line = ""
        line += f"{item},"
    return f"{text}\t{line}\n"


print(f"""/* SPDX-License-Identifier: MIT */
/*
 * Made by unorm_gen.py from the Unicode Character Database, characters of
 * Unicode 9.0.  Do not edit.
 */
static const uint8_t unorm_block[] = {{
{lines(index)}}};

static const uint8_t unorm_kind[][{BLOCK}] = {{""")
for block in blocks:
    print(f"\t{{\n{lines(block)}\t}},")
print(f"""}};

static const struct unorm_record unorm_record[] = {{
{lines("{%d,%d,%d}" % r for r in records)}}};

static const uint32_t unorm_points[] = {{
{lines(points)}}};

static const struct unorm_parts unorm_parts[] = {{
{lines(rows)}}};

static const struct unorm_pair unorm_pair[] = {{
{lines("{%d,%d,%d}" % p for p in pairs)}}};""")
