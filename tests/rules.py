#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does ctx-clean --check judge each case of tests/data/rules as the API does?

The messages of a case are given as lines, as a conversation line and as a list;
what the API refuses must be found by the case's rule, with its level, and what it
takes must not be found at all.  Prints what differs; exits with 1 if something
does.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLEAN = os.path.join(os.environ["BUILD"], "ctx-clean")
LISTS = {"openai": "messages", "anthropic": "messages",
         "openai-responses": "input", "gemini": "contents",
         "bedrock": "messages", "cohere": "messages", "ollama": "messages",
         "mistral": "messages"}


def findings(case, text):
    """(rule, level) of each finding."""
    argv = [CLEAN, "--check", "--json", "-q", "-d", case["dialect"]]
    done = subprocess.run(argv + case.get("args", []), input=text.encode(),
                          capture_output=True)
    if done.returncode not in (0, 1):
        return [(f"exit {done.returncode}: {done.stderr.decode()}", "")]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    errors = [f for f in found if f["level"] == "error"]
    if done.returncode != (1 if errors else 0):
        found.append({"rule": f"exit {done.returncode}", "level": ""})
    return [(f["rule"], f["level"]) for f in found]


def forms(case, history):
    if case["request"]:
        yield "request", json.dumps(history) + "\n"
        return
    yield "lines", "".join(json.dumps(m) + "\n" for m in history)
    yield "conversation", json.dumps({LISTS[case["dialect"]]: history}) + "\n"
    yield "list", json.dumps(history) + "\n"


def main():
    wrong, seen = 0, set()
    with open(os.path.join(HERE, "data", "rules", "cases.jsonl")) as f:
        cases = [json.loads(line) for line in f]
    for n, case in enumerate(cases, 1):
        want = (case["rule"], case["level"])
        seen.add(case["rule"])
        for kind in "refused", "taken":
            if kind not in case:
                continue
            for form, text in forms(case, case[kind]):
                got = findings(case, text)
                good = want in got if kind == "refused" else got == []
                if not good:
                    wrong += 1
                    print(f"case {n}, {kind}, {form}: {want}: {got}")
    print(f"{len(cases)} cases of {len(seen)} rules, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
