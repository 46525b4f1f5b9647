#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far is ctx-count from what APIs charge?

usage: usage.py [--cut] BUILD DIR [STEP]

DIR has *.jsonl with recorded requests and the input tokens that the API's own
answer named: {"api", "model", "input_tokens", "request"}.  Prints a row for each
API, without and with tools (of OpenAI also: a schema of the answer): the name, how
many requests there are, and how many percent are counted exactly, within 2 % and
within 5 %.  If ctx-count says of some that the server adds to them, a row
"..., known" has the others.  A request that is not counted is a line on standard
error and exit 1.

With STEP, only every STEPth request is counted.  With --cut, each conversation is cut by ctx-truncate and folded by ctx-summarize to
six tenths of its own count, as a request and as its messages with the tools and the
system prompt in files.  Prints how many were cut and folded; what does not fit by
ctx-count's number is a line on standard error and exit 1.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

NAMES = {"openai": "OpenAI chat", "responses": "Responses",
         "anthropic": "Anthropic", "gemini": "Gemini"}


def with_tools(api, request):
    form = request.get("response_format") or \
        (request.get("text") or {}).get("format") or {}
    return bool(request.get("tools") or request.get("functions") or
                (api in ("openai", "responses") and
                 form.get("type") == "json_schema"))


def show(name, off):
    share = [100 * sum(x <= most for x in off) / len(off)
             for most in (0, .02, .05)]
    print("%s %d %.1f %.1f %.1f" % (name, len(off), *share))


def count(build, asked):
    """What ctx-count says of each request: its row, or None.  All those for one
    model are read at one start."""
    models = collections.defaultdict(list)
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for i, r in enumerate(asked):
            name = os.path.join(folder, str(i))
            with open(name, "w", encoding="ascii") as f:
                f.write(json.dumps(r["request"]) + "\n")
            models[r["model"].split("/")[-1]].append(name)
        for model, names in models.items():
            p = subprocess.run([os.path.join(build, "ctx-count"), "--json", "-m",
                                model, *names], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, check=False)
            for row in map(json.loads, p.stdout.splitlines()):
                rows[int(os.path.basename(row["file"]))] = row
    return [rows.get(i) for i in range(len(asked))]


def order(name):
    first, *more = name.split(", ")
    return list(NAMES.values()).index(first), more


LISTS = {"openai": "messages", "responses": "input", "anthropic": "messages",
         "gemini": "contents"}


def run(build, name, model, text, *options):
    return subprocess.run([os.path.join(build, name), "-q", "-m", model,
                           *options], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False).stdout


def tokens(build, model, text, along):
    return int(run(build, "ctx-count", model, text, *along).split()[0])


def forms(request, messages, folder):
    """A request as one line, and as lines with what goes out along in files."""
    yield json.dumps(request).encode() + b"\n", []
    along = ["--system", os.path.join(folder, "prompt")]
    with open(along[1], "w", encoding="utf-8") as f:
        print("You are an agent that looks after files.", file=f)
    tools = [t for t in request.get("tools") or [] if "name" in json.dumps(t)]
    if tools:
        along += ["--tools", os.path.join(folder, "tools")]
        with open(along[3], "w", encoding="utf-8") as f:
            json.dump(tools, f)
    yield "".join(json.dumps(m) + "\n" for m in messages).encode(), along


def check_cut(build, r, folder, did):
    """Cut and fold a conversation; returns the number of results that are too long."""
    model = r["model"].split("/")[-1]
    messages = r["request"].get(LISTS[r["api"]])
    report = os.path.join(folder, "report")
    bad = 0
    if not isinstance(messages, list) or len(messages) < 5:
        return 0
    for text, along in forms(r["request"], messages, folder):
        most = tokens(build, model, text, along) * 6 // 10
        budget = ["-t", str(most)] + along
        cut = run(build, "ctx-truncate", model, text, *budget)
        folded = run(build, "ctx-summarize", model, text, "--min-turns", "2",
                     "--min-fold", "1", "--report", report, *budget)
        with open(report, encoding="utf-8") as f:
            if json.loads(f.readline())["result"] != "folded":
                folded = b""
        # what has to stay may leave no room for a summary
        least = tokens(build, model, run(build, "ctx-truncate", model, text,
                                         "-n", "1"), along)
        for name, out in ("truncate", cut), ("summarize", folded):
            if out == b"" or (name == "summarize" and least >= most):
                continue
            n = tokens(build, model, out, along)
            did[name] += 1
            if n > most:
                print(f"{name}: {r['api']} {r['id']}: {n} tokens exceed "
                      f"{most}", file=sys.stderr)
                bad += 1
    return bad


def requests(folder, api, step):
    with open(os.path.join(folder, api + ".jsonl"), encoding="utf-8") as f:
        return [json.loads(line) for line in f][::int(step)]


def cut_all(build, folder, step=1):
    did = collections.Counter()
    bad = 0
    with tempfile.TemporaryDirectory() as t:
        for api in NAMES:
            bad += sum(check_cut(build, r, t, did)
                       for r in requests(folder, api, step))
    print(did["truncate"], "cut,", did["summarize"], "folded")
    return bad > 0


def main():
    if sys.argv[1] == "--cut":
        return cut_all(*sys.argv[2:])
    build, folder, step = (sys.argv[1:] + [1])[:3]
    found = collections.defaultdict(list)
    missing = 0
    for api in NAMES:
        asked = requests(folder, api, step)
        for r, row in zip(asked, count(build, asked)):
            if row is None:
                print(f"{api} {r['id']} is not counted", file=sys.stderr)
                missing += 1
                continue
            off = abs(row["tokens"] - r["input_tokens"]) / r["input_tokens"]
            name = NAMES[api] + (", tools" if with_tools(api, r["request"])
                                 else "")
            found[name].append((off, "at least" in row["count"]))
    for name, rows in sorted(found.items(), key=lambda x: order(x[0])):
        show(name, [off for off, _ in rows])
        known = [off for off, partial in rows if not partial]
        if len(known) < len(rows):
            show(name + ", known", known)
    return missing > 0


sys.exit(main())
