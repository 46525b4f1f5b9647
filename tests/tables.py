#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of ctx-clean --tables hold all that the JSON had.

    tables.py SEED COUNT

COUNT random values are results of tools.  A reader that knows only the manual page
makes JSON of what ctx-clean writes; it must be that of the same values without white
space, byte for byte.  Prints how many tables there were.
"""
import json
import random
import re
import subprocess
import sys

SCALARS = [0, -1.5, 10**30, True, None, "", "a, b", "]\n", '"\\', "é", "\ud800",
           "[3 rows: a]", "word", "two words", " x", "x ", "/a/b-c.d:12", "a/b@c+d",
           "-1.5", "1e5", "2.", "007", "-", "2024-05-01", "10:30", "null", "true",
           "nulls", "x\u2028y", "x\u00a0", "名", "a\tb", ".", "#1"]
NAMES = ["id", "a-b.c_1", "a b", "", "é", ",", "]", '"', "\n"]
HEAD = re.compile(r"\[(\d+) rows: ")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
NAME = re.compile(STRING.pattern + r"|[A-Za-z0-9_.-]+")
VALUE = re.compile(STRING.pattern + r"|[^,\n]+")
# what a string without quotes is not
PLAIN = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]*)?|true|false|null")


def value(r, depth):
    kind = r.randrange(6) if depth < 4 else 0
    if kind < 2:
        return r.choice(SCALARS)
    if kind == 2:
        return [value(r, depth + 1) for _ in range(r.randrange(4))]
    if kind == 3:
        return {r.choice(NAMES): value(r, depth + 1)
                for _ in range(r.randrange(4))}
    names = r.sample(NAMES, r.randrange(1, 4))
    rows = [{n: r.choice(SCALARS) for n in names}
            for _ in range(r.randrange(2, 6))]
    if r.random() < 0.3:            # one that is not like the others
        row = r.choice(rows)
        row[r.choice(NAMES)] = value(r, depth + 1)
    if r.random() < 0.1:
        rows.insert(r.randrange(len(rows) + 1), r.choice(SCALARS))
    return rows


def row(text, at, pattern):
    """What is at a place, with commas between, and the place after it."""
    out = []
    while True:
        m = pattern.match(text, at)
        out.append(m.group())
        at = m.end()
        if text[at:at + 1] != ",":
            return out, at
        at += 1


def tables_in(v):
    """How many tables there should be."""
    if isinstance(v, dict):
        return sum(map(tables_in, v.values()))
    if not isinstance(v, list):
        return 0
    if len(v) >= 3 and all(
            isinstance(e, dict) and e and list(e) == list(v[0]) and
            not any(isinstance(x, (dict, list)) for x in e.values())
            for e in v):
        return 1
    return sum(map(tables_in, v))


def rebuilt(text):
    out, at, tables = [], 0, 0
    while at < len(text):
        m = STRING.match(text, at) or HEAD.match(text, at)
        if m is None or m.group()[0] == '"':
            end = m.end() if m else at + 1
            out.append(text[at:end])
            at = end
            continue
        tables += 1
        whole = at == 0
        names, at = row(text, m.end(), NAME)
        names = [n if n[0] == '"' else f'"{n}"' for n in names]
        assert text[at] == "]"
        at += 1
        rows = []
        for _ in range(int(m.group(1))):
            assert text[at] == "\n"
            values, at = row(text, at + 1, VALUE)
            assert len(values) == len(names)
            values = [v if v[0] == '"' or PLAIN.fullmatch(v) else f'"{v}"'
                      for v in values]
            rows.append("{" + ",".join(map(":".join, zip(names, values))) + "}")
        out.append("[" + ",".join(rows) + "]")
        if not whole:
            assert text[at] == "\n"
            at += 1
    return "".join(out), tables


def main():
    r = random.Random(int(sys.argv[1]))
    count, lines, want = int(sys.argv[2]), [], []
    for i in range(count):
        v = value(r, 0)
        while not isinstance(v, (dict, list)):
            v = value(r, 0)
        style = {"ensure_ascii": r.random() < 0.5}
        indent = r.choice([None, 0, 2])
        text = json.dumps(v, indent=indent, **style)
        want.append((text, json.dumps(v, separators=(",", ":"), **style)))
        lines.append(json.dumps({"role": "assistant", "tool_calls": [
            {"id": str(i), "type": "function", "function": {
                "name": "f", "arguments": "{}"}}]}))
        lines.append(json.dumps({"role": "tool", "tool_call_id": str(i),
                                 "content": text}))
    data = "\n".join(lines).encode() + b"\n"
    out = subprocess.run(["ctx-clean", "--tables"], input=data, check=True,
                         stdout=subprocess.PIPE).stdout
    all_tables = 0
    for (text, minimal), line in zip(want, out.splitlines()[1::2]):
        got = json.loads(line)["content"]
        again, tables = rebuilt(got)
        all_tables += tables
        assert tables == tables_in(json.loads(text)), text
        assert again == (minimal if tables else text), (text, got)
        assert tables == 0 or len(got) < len(minimal), got
    again = subprocess.run(["ctx-clean", "--tables", "--minify"], input=out,
                           check=True, stdout=subprocess.PIPE).stdout
    for a, b in zip(out.splitlines(), again.splitlines()):
        assert a == b or "rows: " not in json.loads(a)["content"] or \
            rebuilt(json.loads(a)["content"])[1] == 0, a
    print(all_tables)


main()
