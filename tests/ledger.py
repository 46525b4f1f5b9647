#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every value of a history in the result or in the report?

    ledger.py [-v] CTX-CONVERT TARGETS FILE...

converts each file to each target (names with commas; "anthropic:request" as a
request) with --report and checks, for every file of JSON lines or documents:

  * the report accounts for every value once: the numbers of values in its lines
    add up to that of the source;
  * the values that it does not name are in the result (as a multiset, texts
    decoded, numbers by spelling; a string that is a JSON object or list counts
    as its values);
  * a long text that was left out is not in the result, and a value that was
    reformed is part of one there;
  * what stands in the report's paths is there in the source;
  * the warning on standard error has as many members of each name as the report,
    and it and the output are the same without --report.

    ledger.py [-v] CTX-CLEAN OPTIONS FILE...

cleans each file with each set of options (separated by commas) and checks that

  * a value that no line of the report names is in the result, as a multiset;
  * the result has no more other values than the report's lines can explain;
  * a line that says "left out" counts the values of its path without those that
    lines about places in it count; others count all of them;
  * the output is the same without --report.

Prints each disagreement, and ends with "N runs, N disagree".
"""
import collections
import functools
import json
import os
import re
import subprocess
import sys
import tempfile

SURROGATE = re.compile("[\ud800-\udfff]")


class Number(str):
    """A number, by its spelling."""


def read(text):
    return json.loads(text, parse_float=Number, parse_int=Number,
                      parse_constant=Number, strict=False)


def values(v):
    """All strings, numbers and literals in v, in no order."""
    found, rest = [], [v]
    while rest:
        v = rest.pop()
        if type(v) is dict:
            rest.extend(v.values())
        elif type(v) is list:
            rest.extend(v)
        else:
            found.append(v)
    return found


def leaves(v):
    """The same as keys of a Counter, with strings of JSON and data: URLs opened."""
    found = []
    for e in values(v):
        if type(e) is str:
            if e[:1] in "{[d \t\n\r":
                found.extend(opened(e))
            else:
                found.append(e)
        else:
            found.append("#" + (e if type(e) is Number else json.dumps(e)))
    return found


@functools.lru_cache(100000)
def opened(text):
    """The leaves of a string that may be JSON or a data: URL."""
    url = re.match(r"data:([^;,]*);base64,([^,]*)\Z", text)
    if url:
        return url.groups()
    if text.strip()[:1] in ("{", "["):
        try:
            return leaves(read(text))
        except (ValueError, RecursionError):
            pass
    return (text,)


@functools.lru_cache(100000)
def steps(path):
    return [s.replace("~1", "/").replace("~0", "~")
            for s in path.split("/")[1:]]


def at(v, path):
    """What the JSON Pointer path points to."""
    for step in steps(path):
        v = v[int(step)] if type(v) is list else v[step]
    return v


def last_key(path):
    """The last step of a JSON Pointer that is no index."""
    names = [s for s in steps(path) if s and not s.isdigit()]
    return names[-1] if names else ""


class Twice(ValueError):
    """An object has a key twice: a path does not say which is meant."""


def once(pairs):
    keys = [k for k, _ in pairs]
    if len(set(keys)) < len(keys):
        raise Twice()
    return dict(pairs)


def records(data):
    """Line number -> value; a document that is no JSON lines is line 1."""
    out = {}
    try:
        for n, line in enumerate(data.split("\n"), 1):
            if line.strip():
                json.loads(line, object_pairs_hook=once)
                out[n] = read(line)
        return out
    except Twice:
        return None
    except ValueError:
        pass
    try:
        json.loads(data, object_pairs_hook=once)
    except ValueError:
        return None
    return None


def numbers(line, what):
    """name -> n of "parts of type NAME (N)" in a warning."""
    return {m[1]: int(m[2]) for m in
            re.finditer(r"%s (\S+) \((\d+)\)" % what, line)}


class Source:
    """A file: its records by line, and all values in them."""

    def __init__(self, name):
        self.name = name
        with open(name, encoding="utf-8", errors="surrogateescape",
                  newline="\n") as f:
            self.records = records(f.read())
        self.whole = collections.Counter()
        self.total = 0
        for v in (self.records or {}).values():
            self.whole.update(leaves(v))
            self.total += len(values(v))


def judge(convert, target, source):
    name = source.name
    to, _, how = target.partition(":")
    with tempfile.NamedTemporaryFile() as report:
        args = [convert, "--to", to, "--report", report.name]
        if how == "request":
            args += ["--request", "-m", "m"]
        p = subprocess.run(args + [name], capture_output=True, check=False)
        plain = subprocess.run(args[:3] + args[5:] + [name],
                               capture_output=True, check=False)
        with open(report.name, encoding="utf-8", errors="replace") as f:
            rows = json.loads("[" + ",".join(f) + "]")
    if (plain.returncode, plain.stdout, plain.stderr) != \
            (p.returncode, p.stdout, p.stderr):
        return ["not the same without --report: %s" % plain.stderr.decode()]
    if p.returncode not in (0, 3):
        return ["exit %d: %s" % (p.returncode, p.stderr.decode()[:200])]
    if p.returncode == 3 and b"nothing of" not in p.stderr:
        return None
    result = collections.Counter()
    texts = []
    for line in p.stdout.decode(errors="surrogateescape").splitlines():
        v = read(line)
        result.update(leaves(v))
        texts += [t for t in values(v) if type(t) is str]
    return check(source, rows, result, texts, p.stderr.decode())


def check(source, rows, result, texts, warning):
    bad = []
    whole, total = source.whole, source.total
    told = sum(r["values"] for r in rows if r["what"] != "made")
    if told != total:
        bad.append("values: %d in the source, %d in the report" %
                   (total, told))
    left = whole.copy()
    kinds = collections.Counter()
    joined = None
    for r in rows:
        if r["what"] in ("carried", "made"):
            continue
        try:
            v = at(source.records[r["line"]], r["path"])
        except (KeyError, IndexError, ValueError, TypeError):
            bad.append("no such path: %s" % r)
            continue
        gone = leaves(v)
        for text in gone:
            left[text] -= 1
        if r["what"] == "left_out":
            if r["reason"] == "member":
                kinds[last_key(r["path"])] += 1
            for text in gone:
                if len(text) > 24 and result[text] > 0 and \
                        whole[text] == gone.count(text) and \
                        r["reason"] != "copy":
                    bad.append("not left out: %.60s %s" % (text, r))
        elif r["what"] == "reformed" and r["reason"] == "joined":
            if joined is None:
                joined = "\0".join(texts)
            if not all(t.startswith("#") or t in joined or
                       json.dumps(t)[1:-1] in joined or
                       json.dumps(t, ensure_ascii=False)[1:-1] in joined
                       for t in gone):
                bad.append("not in the result: %s" % r)
    lost = {k: n for k, n in left.items()
            if n > 0 and n > result[k]}
    for k, n in lost.items():
        bad.append("neither carried nor named: %.60r (%d of %d)" %
                   (k, n - result[k], n))
    line = warning.splitlines()[-1] if warning else ""
    said = numbers(line, "members")
    want = {re.sub(r"[^\w.-]", "?", k, flags=re.A)[:39]: n
            for k, n in kinds.items()}
    if len(want) < 11 and said != want:
        bad.append("warned of members %s, reported %s" % (said, want))
    return bad


# --- ctx-clean ---------------------------------------------------------------

def judge_clean(clean, options, source):
    """What the report of ctx-clean does not name is in the result."""
    with tempfile.NamedTemporaryFile() as report:
        args = [clean, "-q"] + options.split()
        p = subprocess.run(args + ["--report", report.name, source.name],
                           capture_output=True, check=False)
        plain = subprocess.run(args + [source.name], capture_output=True,
                               check=False)
        with open(report.name, encoding="utf-8", errors="replace") as f:
            rows = [json.loads(line) for line in f]
    if (plain.returncode, plain.stdout) != (p.returncode, p.stdout):
        return ["not the same without --report: %s" % plain.stderr.decode()]
    if p.returncode != 0:
        return ["exit %d: %s" % (p.returncode, p.stderr.decode()[:200])]
    result = [leaf for line in p.stdout.decode(errors="surrogateescape")
              .splitlines() for leaf in leaves(read(line))]
    return check_clean(source, rows, collections.Counter(result))


def without(v, paths):
    """A copy of v in which what the paths (lists of steps) point to is []."""
    if not paths:
        return v
    if [] in paths:
        return []
    out = list(v) if type(v) is list else dict(v)
    for step in {p[0] for p in paths}:
        k = int(step) if type(v) is list else step
        out[k] = without(v[k], [p[1:] for p in paths if p[0] == step])
    return out


def check_clean(source, rows, result):
    bad, left = [], source.whole.copy()
    news = 0            # values that may be in the result only
    named = collections.defaultdict(list)
    for r in sorted(rows, key=lambda r: -len(r["path"])):
        if r["what"] == "made":
            news += 30
            continue
        path, line = steps(r["path"]), r["line"]
        try:
            v = at(source.records[line], r["path"])
        except (KeyError, IndexError, ValueError, TypeError):
            bad.append("no such path: %s" % r)
            continue
        if path in named[line]:
            continue    # changed twice: a text that was moved
        v = without(v, [p[len(path):] for p in named[line]
                        if p[:len(path)] == path])
        if r["values"] != len(values(v if r["what"] == "left_out" else at(
                source.records[line], r["path"]))):
            bad.append("%d values: %s" % (len(values(v)), r))
        if r["what"] == "moved":
            news += 9   # of the message around it
            if r["reason"] != "merge-runs":
                continue
        named[line].append(path)
        left.subtract(leaves(v))
        if r["what"] == "renamed":
            news += 1
        elif r["what"] == "reformed":
            news += max(1, len(leaves(v)))
    for k, n in left.items():
        if n > max(0, result[k]):
            bad.append("neither kept nor named: %.60r (%d of %d)" %
                       (k, n - result[k], n))
    made = sum((result - left).values())
    if made > news:
        bad.append("%d values are new, %d can be" % (made, news))
    return bad


def main():
    verbose = "-v" in sys.argv[1:]
    args = [a for a in sys.argv[1:] if a != "-v"]
    program, targets, files = args[0], args[1].split(","), args[2:]
    law = judge_clean if os.path.basename(program) == "ctx-clean" else judge
    n = wrong = 0
    for source in map(Source, files):
        if source.records is None:
            continue
        for target in targets:
            bad = law(program, target, source)
            if bad is None:
                continue
            n += 1
            if bad:
                wrong += 1
                for b in bad[:None if verbose else 3]:
                    print("%s to %s: %s" %
                          (os.path.basename(source.name), target, b))
    print("%d runs, %d disagree" % (n, wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
