#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shards by their definition in ctx-stream(5), and random histories for them.

    shards.py make DIALECT SEED N   message lines of N conversations, interleaved, told
                                    apart by the member "t", which some lack; with blank
                                    lines
    shards.py split N [KEY] <IN     write the lines of each shard to part.1 to part.N
    shards.py name N NAME...        print the shard of each of the files
"""
import hashlib
import json
import random
import re
import sys

import histories


def shard(data, n):
    return int(hashlib.sha256(data).hexdigest()[:8], 16) % n + 1


# values of "t", as they are written in lines
KEYS = ['"s%d"' % i for i in range(40)] + [
    '1', '1.0', '"1"', 'null', 'true', '""', '"a b"', '"\\u0061"', '"a"',
    '"\u00e9"', '{"x": 1}', '[1,2]', None]


def make(dialect, seed, n):
    r = random.Random(int(seed))
    keys = r.sample(KEYS, min(int(n), len(KEYS)))
    open_ = []
    for key, talk in zip(keys, histories.histories(dialect, int(seed),
                                                   len(keys), "sound")):
        head = "{" if key is None else '{"t":%s%s,' % (
            r.choice(["", " "]), key)
        open_.append([head + json.dumps(m, ensure_ascii=False)[1:]
                      for m in talk])
    while open_:
        talk = r.choice(open_)
        if talk:
            print(talk.pop(0))
        else:
            open_.remove(talk)
        if r.random() < 0.02:
            print(r.choice(["", " ", "\t"]))


def value(line, key):
    """The member of an object, as it is written; b"" if it is missing."""
    text = line.decode()
    try:
        if not isinstance(json.loads(text), dict):
            return b""
    except ValueError:
        return b""
    found = re.match(r'\{\s*"%s"\s*:\s*' % re.escape(key), text)
    if not found:
        return b""
    end = json.JSONDecoder().raw_decode(text, found.end())[1]
    return text[found.end():end].encode()


def split(n, key=None):
    n = int(n)
    parts = [open("part.%d" % i, "wb") for i in range(1, n + 1)]
    for line in sys.stdin.buffer:
        if not line.strip():
            i = shard(b"", n)
        elif key is not None:
            i = shard(value(line, key), n)
        else:
            i = shard(line.rstrip(b"\n").rstrip(b"\r"), n)
        parts[i - 1].write(line)
    for p in parts:
        p.close()


def name(n, *names):
    for f in names:
        print(shard(f.split("/")[-1].encode(), int(n)))


if __name__ == "__main__":
    {"make": make, "split": split, "name": name}[sys.argv[1]](*sys.argv[2:])
