#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a rank file as a tekken.json, with the split pattern that Mistral's have.

	tekken.py RANKS
"""
import json
import sys

PATTERN = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*"
           r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?"
           r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|"
           r"\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")

vocab = []
with open(sys.argv[1], encoding="ascii") as f:
    for line in f:
        token, rank = line.split()
        if int(rank) != len(vocab):
            break
        vocab.append({"rank": int(rank), "token_bytes": token, "token_str": None})
json.dump({"config": {"pattern": PATTERN, "num_vocab_tokens": len(vocab),
                      "default_vocab_size": len(vocab) + 1000,
                      "default_num_special_tokens": 1000, "version": "v3"},
           "vocab": vocab}, sys.stdout)
