#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does ctx-convert carry everything within one dialect?

    carried.py [-v] [--every N] FILE...

Each line of a FILE is the body of a request, or an object whose member "request"
is one.  The name of the file says the dialect: anthropic, gemini, responses,
bedrock, cohere, ollama or openai*.  Each request is converted to its own dialect in
three ways: as it is ("whole"), its messages as lines ("lines"), and the request
written as message lines ("split").  The result should be the same JSON.  A table
counts, for each file and way:

    same      the same JSON
    reshaped  the same values (leaves, as a multiset; numbers by spelling), but
              in another shape
    said      values are missing, and standard error says that something is
    lost      values are missing without a word

-v names each that is not the same.  --every 5 takes a fifth of the requests as
lines and split, and all of them whole, which is one run for each file.
Exits with 1 if anything is reshaped or lost without a word.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

DIALECTS = (("anthropic", "anthropic", "messages"),
            ("gemini", "gemini", "contents"),
            ("responses", "openai-responses", "input"),
            ("openai", "openai", "messages"),
            ("bedrock", "bedrock", "messages"),
            ("cohere", "cohere", "messages"), ("ollama", "ollama", "messages"))
SYSTEM = ("system", "systemInstruction", "system_instruction", "instructions")


def parse(text):
    return json.loads(text, parse_int=lambda n: "#" + n,
                      parse_float=lambda n: "#" + n)


def leaves(v, into):
    if isinstance(v, dict):
        for x in v.values():
            leaves(x, into)
    elif isinstance(v, list):
        for x in v:
            leaves(x, into)
    elif v is not None:
        into[v if isinstance(v, str) else repr(v)] += 1
    return into


def convert(dialect, text, *options):
    run = subprocess.run(["ctx-convert", "--from", dialect, "--to", dialect,
                          *options], input=text.encode(), capture_output=True)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def lines(text):
    return [parse(x) for x in text.splitlines()]


def all_whole(dialect, requests):
    """What each of these becomes, or None where that has to be asked for alone."""
    code, out, _ = convert(dialect, "".join(
        json.dumps(r, ensure_ascii=False) + "\n" for r in requests))
    out = lines(out) if code == 0 else []
    return out if len(out) == len(requests) else [None] * len(requests)


def whole(dialect, request, got):
    body = parse(json.dumps(request))
    if got == body:
        return "whole", 0, "", body, got
    code, out, err = convert(dialect, json.dumps(request, ensure_ascii=False))
    return "whole", code, err, body, lines(out)[0] if out else None


def apart(dialect, key, request):
    """(way, exit code, stderr, what was given, what came back)"""
    body = parse(json.dumps(request))
    raw = json.dumps(request, ensure_ascii=False)
    given = "".join(json.dumps(m) + "\n" for m in request[key])
    code, out, err = convert(dialect, given)
    yield "lines", code, err, body[key], lines(out)
    system = [body[k] for k in SYSTEM if k in body]
    for v in system:    # the message says who speaks
        if isinstance(v, dict):
            v.pop("role", None)
    # an empty one says nothing
    system = [v for v in system if any(leaves(v, collections.Counter()))]
    code, out, err = convert(dialect, raw, "--shape", "messages")
    got = lines(out)
    if not system:
        yield "split", code, err, body[key], got
        return
    # what is before the messages says the system prompt
    n = max(len(got) - len(body[key]), 0)
    same = got[n:] == body[key] and not leaves(system, collections.Counter()) \
        - leaves(got[:n], collections.Counter())
    yield "split", code, err, [system, body[key]], \
        [system, body[key]] if same else got


def judge(given, got, err):
    if got == given:
        return "same"
    missing = leaves(given, collections.Counter())
    missing -= leaves(got, collections.Counter())
    if not missing:
        return "reshaped" if "lost or changed" not in err else "said"
    return "said" if "lost or changed" in err else "lost"


def main():
    args = argparse.ArgumentParser()
    args.add_argument("-v", action="store_true", dest="loud")
    args.add_argument("--every", type=int, default=1)
    args.add_argument("files", nargs="+")
    args = args.parse_args()
    wrong = n = 0
    for f in args.files:
        name = os.path.basename(f)
        for begin, dialect, key in DIALECTS:
            if name.startswith(begin):
                break
        else:
            continue
        table = collections.defaultdict(collections.Counter)
        with open(f, encoding="utf-8") as lines_of:
            records = [json.loads(line) for line in lines_of]
        requests = [(i, r.get("request", r)) for i, r in enumerate(records, 1)
                    if not r.get("error")]
        requests = [(i, r) for i, r in requests if isinstance(r.get(key), list)]
        became = all_whole(dialect, [r for _, r in requests])
        for (i, request), got in zip(requests, became):
            ways = [whole(dialect, request, got)]
            if i % args.every == 0:
                ways += apart(dialect, key, request)
            for way, code, err, given, got in ways:
                n += 1
                what = judge(given, got, err) if code == 0 else "exit %d" % code
                table[way][what] += 1
                bad = what not in ("same", "said")
                wrong |= bad
                if bad or (args.loud and what != "same"):
                    print(f"{name}:{i}: {way}: {what} {err.strip()}")
        for way in ("whole", "lines", "split"):
            print("%-28s %-6s" % (name, way), *("%s %d" % x for x in
                                                sorted(table[way].items())))
    if n == 0:
        sys.exit("no requests")
    sys.exit(wrong)


main()
