#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are two files of conversations the same JSON, line by line?

    same.py < pairs

Each line of the input is a pair of files: A B [ids] [serial] [unsigned].
With "unsigned", signatures of calls are ignored.  With "ids", call ids are
compared by their order, as is necessary if a dialect in between had none.  With
"serial", conversations with parallel calls in A are not compared.  Prints the
first lines of each pair that differ and exits with 1.
"""
import json
import sys


def normal(v, seen, how):
    if isinstance(v, list):
        return [normal(x, seen, how) for x in v]
    if not isinstance(v, dict):
        return v
    out = {}
    for k, x in v.items():
        if k == "thoughtSignature" and "unsigned" in how:
            continue
        if k in ("id", "tool_call_id", "tool_use_id", "call_id",
                 "toolUseId") and \
                isinstance(x, str):
            x = seen.setdefault(x, "id%d" % len(seen)) \
                if "ids" in how else x
        out[k] = normal(x, seen, how)
    return out


def lines(name):
    with open(name, encoding="utf-8") as f:
        return f.read().splitlines()


def differ(name, other, how):
    a, b = lines(name), lines(other)
    wrong = len(a) != len(b)
    if wrong:
        print(f"{name}: {len(a)} lines, {other}: {len(b)}")
    for n, (x, y) in enumerate(zip(a, b), 1):
        if x == y:
            continue
        x, y = json.loads(x), json.loads(y)
        if "serial" in how:
            if any(len(m.get("tool_calls", [])) > 1 for m in x["messages"]):
                continue
        if "ids" in how or "unsigned" in how:
            x, y = (normal(v, {}, how) for v in (x, y))
        if x != y:
            print(f"{name}:{n}: {json.dumps(x)[:900]}\n"
                  f"{other}:{n}: {json.dumps(y)[:900]}")
            return True
    return wrong


def main():
    pairs = [line.split() for line in sys.stdin]
    if not pairs:
        print("nothing to compare")
    return not pairs or any([differ(a, b, how) for a, b, *how in pairs])


sys.exit(main())
