#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rows of ctx-clean --fold hold all that the lines had.

    alike.py random SEED COUNT
    alike.py FILE ...

COUNT random texts, or the results in histories, are folded.  A reader that knows
only the manual page makes lines of what ctx-clean writes; they must be the lines
of the text, except that white space may differ where there is some, or after a
bracket.  Folding them again changes nothing.  Prints how many runs were folded.
"""
import json
import random
import re
import subprocess
import sys

HEAD = re.compile(r"\[(\d+) (?:lines: |行：)(.*)\]$")
RUN = re.compile(r"(?<=[\[(])[ \t]+|[ \t]+$")


def unfold(text):
    """The lines of a text, and how many runs there were."""
    out, runs, rows = [], 0, 0
    for line in text.split("\n"):
        cr = "\r" if line.endswith("\r") else ""
        head = HEAD.match(line.removesuffix("\r"))
        if rows:
            values = line.removesuffix("\r").split(" ", len(places) - 2)
            assert len(values) == len(places) - 1, line
            out.append("".join(p + v for p, v in zip(places, values + [""]))
                       + cr)
            rows -= 1
        elif head:
            runs += 1
            rows = int(head[1])
            places = head[2].split("{}")
            assert rows >= 4 and len(places) >= 2, line
        else:
            out.append(line)
    assert rows == 0
    return out, runs


def plain(line):
    """A line without white space that only aligns."""
    cr = "\r" if line.endswith("\r") else ""
    line = RUN.sub("", line.removesuffix("\r"))
    line = re.sub(r"^[ \t]+(?=\d)", "", line)
    return re.sub(r"[ \t]+", " ", line) + cr


def compare(name, before, after):
    lines, runs = unfold(after)
    if after == before:
        return 0
    assert len(after) < len(before), name
    assert runs > 0, name
    was = before.split("\n")
    assert len(was) == len(lines), (name, len(was), len(lines))
    for a, b in zip(was, lines):
        assert plain(a) == plain(b), (name, a, b)
    return runs


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for v in value.values() if isinstance(value, dict) else value:
            yield from texts(v)


def clean(data, *options):
    return subprocess.run(["ctx-clean", *options], input=data, check=True,
                          stdout=subprocess.PIPE).stdout


def records(data):
    return [json.loads(line) for line in data.splitlines() if line.strip()]


# --- random texts --------------------------------------------------------------

WORDS = ["a", "app", "src/a.c", "lib/x/y.h", "10:04", "12/80", "1,234", "é",
         "http://h/a?b=c", "http://h/", "02:42:ac:11:00:02", "::", "x=1", "x=",
         "(3)", "(", "[", "]", "()", "[x]", "\"q\"", "\"\"", "{", "}", "{x}",
         "12%", "100", "7", "-1.5", "-rw-r--r--", "+", "a:b", "a::c", "...",
         "src/[id]/p", "src/[n]/p", "你好", "|", "||", "=", "k=v;", "[3", "2]"]
GAPS = [" ", " ", " ", "  ", "   ", "\t"]


def listing(r):
    """Lines that have some columns in common, some of them aligned."""
    n = r.randrange(1, 8)
    common = [r.random() < 0.7 for _ in range(n)]
    kind = [r.choices(WORDS, k=r.randrange(1, 3)) for _ in range(n)]
    same = [r.choice(WORDS) for _ in range(n)]
    odd = r.choice([0, 0, 0, 0.1, 0.3])
    indent, width = r.choice(["", "", "  ", "\t"]), r.choice([0, 0, 6])
    side = r.choice([str.ljust, str.rjust])
    gaps = [r.choice(GAPS) for _ in range(n)]
    lines = []
    for _ in range(r.randrange(1, 20)):
        words = [same[i] if common[i] and r.random() > odd / 3 else
                 r.choice(kind[i]) + r.choice(["", str(r.randrange(999))])
                 for i in range(n)]
        if r.random() < odd:
            words += r.choices(WORDS, k=r.randrange(1, 3))
        line = "".join((gaps[i % n] if i else "") + side(w, width)
                       for i, w in enumerate(words))
        lines.append(indent + (line if r.random() < 0.5 else line.rstrip()))
    return lines


def random_text(r):
    lines = []
    for _ in range(r.randrange(1, 5)):
        lines += listing(r)
        lines += r.choices(["", "done", "{}", "@@", "a {} b", "[", "x" * 1200],
                           k=r.randrange(3))
    end = r.choice(["\n", "\n", "\r\n"])
    return end.join(lines) + r.choice(["", end])


def result(text):
    call = {"id": "a", "type": "function",
            "function": {"name": "sh", "arguments": "{}"}}
    return "".join(json.dumps(m) + "\n" for m in (
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": text})).encode()


TOGETHER = [
    ["--fold", "--squeeze", "--minify", "--tables", "--ansi", "--base64"],
    ["--fold", "--squeeze", "--max-result", "200", "--tail", "60"]]


def main(argv):
    runs = 0
    if argv[:1] == ["random"]:
        r = random.Random(int(argv[1]))
        given = [random_text(r) for _ in range(int(argv[2]))]
        data = b"".join(map(result, given))
        for options in (["--fold"], ["--fold", "--lang", "zh"]):
            after = records(clean(data, *options))[1::2]
            runs += sum(compare("random", a, b["content"])
                        for a, b in zip(given, after, strict=True))
        for options in TOGETHER:
            once = clean(data, *options)
            for a, b in zip(records(once), records(clean(once, *options)),
                            strict=True):
                assert a == b, (options, a)
    for name in argv if argv[:1] != ["random"] else []:
        with open(name, "rb") as f:
            data = clean(f.read())
        for a, b in zip(records(data), records(clean(data, "--fold")),
                        strict=True):
            runs += sum(compare(name, x, y) for x, y in zip(
                texts(a), texts(b), strict=True) if x != y)
    print(runs)


main(sys.argv[1:])
