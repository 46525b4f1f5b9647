#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far is ctx-count from what APIs charge?

usage: usage.py BUILD DIR

DIR has *.jsonl with recorded requests and the input tokens that the API's own
answer named: {"api", "model", "input_tokens", "request"}.  Prints a row for each
API, without and with tools (of OpenAI also: a schema of the answer): the name, how
many requests there are, and how many percent are counted exactly, within 2 % and
within 5 %.  A request that is not counted is a line on standard error and exit 1.
"""
import collections
import json
import os
import subprocess
import sys

NAMES = {"openai": "OpenAI chat", "responses": "Responses",
         "anthropic": "Anthropic", "gemini": "Gemini"}


def with_tools(api, request):
    form = request.get("response_format") or \
        (request.get("text") or {}).get("format") or {}
    return bool(request.get("tools") or request.get("functions") or
                (api in ("openai", "responses") and
                 form.get("type") == "json_schema"))


def counts(build, model, requests):
    """The tokens of each request, by one process."""
    p = subprocess.run(
        [os.path.join(build, "ctx-count"), "-q", "--per-conversation", "--json",
         "-m", model], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        check=False,
        input="".join(json.dumps(r) + "\n" for r in requests).encode())
    rows = {}
    for line in p.stdout.decode().splitlines():
        row = json.loads(line)
        rows[int(row["conversation"].rsplit(":", 1)[1])] = row["tokens"]
    return [rows.get(i + 1) for i in range(len(requests))]


def main():
    build, folder = sys.argv[1:]
    models = collections.defaultdict(list)
    for api in NAMES:
        with open(os.path.join(folder, api + ".jsonl"), encoding="utf-8") as f:
            for line in f:
                r = json.loads(line)
                models[api, r["model"].split("/")[-1]].append(r)
    found = collections.defaultdict(list)
    missing = 0
    for (api, model), rows in models.items():
        for r, n in zip(rows, counts(build, model,
                                     [r["request"] for r in rows])):
            if n is None:
                print(f"{api} {r['id']} is not counted", file=sys.stderr)
                missing += 1
                continue
            found[api, with_tools(api, r["request"])].append(
                abs(n - r["input_tokens"]) / r["input_tokens"])
    for (api, tools), off in sorted(found.items(), key=lambda x: (
            list(NAMES).index(x[0][0]), x[0][1])):
        share = [100 * sum(x <= most for x in off) / len(off)
                 for most in (0, .02, .05)]
        print("%s%s %d %.1f %.1f %.1f" % (NAMES[api], ", tools" if tools else
                                          "", len(off), *share))
    return missing > 0


sys.exit(main())
