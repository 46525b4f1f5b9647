#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are two files of conversations the same JSON, line by line?

    same.py A B [ids] [serial] [unsigned]

With "unsigned", signatures of calls are ignored.  With "ids", call ids are
compared by their order, as is necessary if a dialect in between had none.  With
"serial", conversations with parallel calls in A are not compared.  Prints the
first lines that differ and exits with 1.
"""
import json
import sys


def normal(v, seen):
    if isinstance(v, list):
        return [normal(x, seen) for x in v]
    if not isinstance(v, dict):
        return v
    out = {}
    for k, x in v.items():
        if k == "thoughtSignature" and "unsigned" in sys.argv:
            continue
        if k in ("id", "tool_call_id", "tool_use_id", "call_id",
                 "toolUseId") and \
                isinstance(x, str):
            x = seen.setdefault(x, "id%d" % len(seen)) \
                if "ids" in sys.argv else x
        out[k] = normal(x, seen)
    return out



def main():
    a, b = (open(f).read().splitlines() for f in sys.argv[1:3])
    wrong = len(a) != len(b)
    if wrong:
        print(len(a), "lines and", len(b))
    for n, (x, y) in enumerate(zip(a, b), 1):
        x, y = json.loads(x), json.loads(y)
        if "serial" in sys.argv:
            if any(len(m.get("tool_calls", [])) > 1 for m in x["messages"]):
                continue
        if "ids" in sys.argv or "unsigned" in sys.argv:
            x, y = (normal(v, {}) for v in (x, y))
        if x != y:
            print(f"{n}: {json.dumps(x)[:900]}\n{n}: {json.dumps(y)[:900]}")
            wrong = True
            break
    return wrong


sys.exit(main())
