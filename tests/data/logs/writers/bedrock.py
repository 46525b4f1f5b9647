# SPDX-License-Identifier: MIT
"""Messages of Bedrock's Converse API; the system prompt is a member of the request."""
from common import compact, pictures, signature

LIST = "messages"
SYSTEM = "system"
dump = compact


def prompt(text):
    return [{"text": text}]


def image(p):
    return {"image": {"format": p["type"].partition("/")[2],
                      "source": {"bytes": p["data"]}}}


def result(convo, r):
    return {"toolResult": {
        "toolUseId": convo.id(r["call"], "tooluse_", 22),
        "content": [{"text": r["text"]}] + [image(p) for p in pictures(r)],
        "status": "error" if r.get("failed") else "success"}}


def blocks(convo, line):
    if line.get("think"):
        yield {"reasoningContent": {"reasoningText": {
            "text": line["think"],
            "signature": signature(convo.trace.name, line["at"])}}}
    if line.get("text"):
        yield {"text": line["text"]}
    for c in line.get("calls", ()):
        yield {"toolUse": {"toolUseId": convo.id(c["n"], "tooluse_", 22),
                           "name": c["tool"], "input": c["args"]}}


def messages(convo):
    held = []           # results precede the text of the next user message
    for kind, line in convo.said():
        if kind == "results":
            held = [result(convo, r) for r in line]
        elif kind == "user":
            yield {"role": "user", "content": held + [
                image(p) for p in pictures(line)] + [{"text": line["text"]}]}
            held = []
        else:
            if held:
                yield {"role": "user", "content": held}
                held = []
            yield {"role": "assistant", "content": list(blocks(convo, line))}
    if held:
        yield {"role": "user", "content": held}
