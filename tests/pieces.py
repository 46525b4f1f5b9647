#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a SentencePiece model, for tests.

	pieces.py [NAME=VALUE ...] PIECE ...

A piece is TEXT, TEXT:SCORE or TEXT:SCORE:TYPE (1 normal, 2 unknown, 3 control, 4
user-defined, 5 unused, 6 byte); ▁ is a space.  Names: model (1 Unigram, 2 BPE),
bytes, suffix, prefix, trim, escape, and map, a charsmap in hexadecimal.
"""
import struct
import sys


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytearray([n]))


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3) + varint(value)


TRAINER = {"model": 3, "bytes": 35, "suffix": 24}
NORMALIZER = {"prefix": 3, "trim": 4, "escape": 5}
trainer = normalizer = pieces = b""
for arg in sys.argv[1:]:
    name, eq, value = arg.partition("=")
    if eq and name in TRAINER:
        trainer += field(TRAINER[name], int(value))
    elif eq and name in NORMALIZER:
        normalizer += field(NORMALIZER[name], int(value))
    elif eq and name == "map":
        normalizer += field(2, bytes.fromhex(value))
    else:
        text, score, kind = (arg.split(":") + ["0", "1"][arg.count(":"):])[:3]
        pieces += field(1, field(1, text.encode()) + field(2, float(score)) +
                        field(3, int(kind)))
sys.stdout.buffer.write(pieces + field(2, trainer) + field(3, normalizer))
