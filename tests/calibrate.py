#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a log of a model whose true constants are known.

usage: calibrate.py BUILD FORM MODEL FACTOR MESSAGE REQUEST STEPS

FORM is claude-code, codex or pairs.  What a request of n messages cost is REQUEST +
FACTOR * the tokens of the texts + MESSAGE * n + what ctx-count adds for framing.
The texts are of many lengths; ctx-count's own counts of them stand for the truth.
"""
import json
import os
import subprocess
import sys

WORDS = ("the river runs past old stones and under quiet trees while people on "
         "the bridge look for boats that never come before evening").split()


class Log:
    def __init__(self, build, model):
        self.build, self.model = build, model
        self.texts = []

    def count(self, text, *options):
        out = subprocess.run(
            [os.path.join(self.build, "ctx-count"), "-q", "-m", self.model,
             *options], input=text.encode(), stdout=subprocess.PIPE, check=True,
            env={k: v for k, v in os.environ.items() if k != "CTX_MODELS"})
        return out.stdout.decode()

    def text(self, step, side):
        """A text whose length depends on the step, but not evenly."""
        n = 20 + (step * 37 + side * 91) % 160
        return " ".join(WORDS[(i * (step + 3) + side) % len(WORDS)]
                        for i in range(n))


def main():
    build, form, model = sys.argv[1:4]
    factor, message, request = map(float, sys.argv[4:7])
    log = Log(build, model)
    steps = int(sys.argv[7])
    said = [("user" if i % 2 == 0 else "assistant", log.text(i // 2, i % 2))
            for i in range(2 * steps)]
    plain = [{"role": r, "content": t} for r, t in said]
    if form == "codex":
        plain = [item(r, t) for r, t in said]
    lines = "".join(json.dumps(m) + "\n" for m in plain)
    rows = log.count(lines, "--per-message", "--json").splitlines()
    each = [json.loads(row)["tokens"] for row in rows if "role" in row]
    texts = [int(log.count(t, "--text").split()[0]) for _, t in said]
    whole = int(log.count(lines).split()[0]) - sum(each)
    costs = []
    for i in range(1, 2 * steps, 2):
        costs.append(round(request + whole + factor * sum(texts[:i]) +
                           message * i + sum(each[:i]) - sum(texts[:i])))
    {"claude-code": claude_code, "codex": codex, "pairs": pairs}[form](
        model, said, costs)


def item(role, text):
    return {"type": "message", "role": role, "content": [
        {"type": ("output" if role == "assistant" else "input") + "_text",
         "text": text}]}


def put(record):
    print(json.dumps(record))


def claude_code(model, said, costs):
    parent = None
    for i, (role, text) in enumerate(said):
        message = {"role": role, "content": text}
        if role == "assistant":
            message = {"id": f"msg_{i}", "type": "message", "role": role,
                       "model": model, "content": [], "usage": {
                           "input_tokens": 3, "cache_read_input_tokens":
                           costs[i // 2] - 103, "cache_creation_input_tokens":
                           100, "output_tokens": 5}}
        # an answer is in two records, each with the same usage
        for k in range(2 if role == "assistant" else 1):
            if role == "assistant":
                message = dict(message, content=[
                    {"type": "text", "text": text} if k == 1 else
                    {"type": "thinking", "thinking": "Hm.", "signature": "x"}])
            put({"parentUuid": parent, "isSidechain": False, "sessionId": "s",
                 "type": role, "message": message, "uuid": f"u{i}-{k}"})
            parent = f"u{i}-{k}"


def codex(model, said, costs):
    at = "2026-01-01T00:00:00Z"
    put({"timestamp": at, "type": "session_meta", "payload": {"id": "s"}})
    put({"timestamp": at, "type": "turn_context", "payload": {"model": model}})
    for i, (role, text) in enumerate(said):
        put({"timestamp": at, "type": "response_item",
             "payload": item(role, text)})
        if role == "assistant":
            for _ in range(2):		# the same event comes again
                put({"timestamp": at, "type": "event_msg", "payload": {
                    "type": "token_count", "info": {"last_token_usage": {
                        "input_tokens": costs[i // 2],
                        "cached_input_tokens": 10, "output_tokens": 5}}}})


def pairs(model, said, costs):
    for i in range(1, len(said), 2):
        put({"request": {"model": model, "max_tokens": 99, "messages": [
            {"role": r, "content": t} for r, t in said[:i]]},
             "response": {"model": model, "role": "assistant", "content": [],
                          "usage": {"input_tokens": costs[i // 2]}}})


main()
