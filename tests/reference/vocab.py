#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the maker's library makes of strings with a SentencePiece model.

	/usr/bin/python3 vocab.py MODEL <strings

Debian's python3-sentencepiece has the library.  Strings are UTF-8, each behind
its length (4 bytes, the lowest first), as test_token_ref --strings writes them.
Writes a line for each: the hash (FNV-1a) of what its ids decode to, and the ids,
as test_token_hf FILE plain does.
"""
import struct
import sys

import sentencepiece

model = sentencepiece.SentencePieceProcessor(model_file=sys.argv[1])
data = sys.stdin.buffer.read()
at = 0
while at < len(data):
    size, = struct.unpack_from("<I", data, at)
    ids = model.encode(data[at + 4:at + 4 + size].decode())
    at += 4 + size
    value = 2166136261
    for byte in model.decode(ids).encode():
        value = (value ^ byte) * 16777619 & 0xffffffff
    print("%x" % value, *ids)
