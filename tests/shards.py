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


# values of "t", in the spellings that lines have; None is to have no such member
KEYS = [['"s%d"' % i] for i in range(40)] + [
    ['1'], ['1.0'], ['"1"'], [None, 'null'], ['true'], ['""'], ['"a b"'],
    ['"\\u0061"', '"a"'], ['"\u00e9"', '"\\u00e9"', '"\\u00E9"'],
    ['"a/b"', '"a\\/b"', '"a\\u002fb"'], ['"\\n\\u0001\\""', '"\\u000a\\u0001\\u0022"'],
    ['{"x": 1}'], ['["/",2]', '["\\/",2]']]


def head(key, gap):
    return "{" if key is None else '{"t":%s%s,' % (gap, key)


def make(dialect, seed, n):
    r = random.Random(int(seed))
    keys = r.sample(KEYS, min(int(n), len(KEYS)))
    open_ = []
    for key, talk in zip(keys, histories.histories(dialect, int(seed),
                                                   len(keys), "sound")):
        gap = r.choice(["", " "])
        open_.append([head(r.choice(key), gap) +
                      json.dumps(m, ensure_ascii=False)[1:] for m in talk])
    while open_:
        talk = r.choice(open_)
        if talk:
            print(talk.pop(0))
        else:
            open_.remove(talk)
        if r.random() < 0.02:
            print(r.choice(["", " ", "\t"]))


def respelled(written):
    """A value, its strings in their shortest spelling; b"" for null."""
    def plain(found):
        return json.dumps(json.loads(found.group()), ensure_ascii=False)

    return b"" if written == "null" else re.sub(
        r'"(?:[^"\\]|\\.)*"', plain, written).encode()


def value(line, key):
    """The member of an object, respelled; b"" if it is missing."""
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
    return respelled(text[found.end():end])


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
