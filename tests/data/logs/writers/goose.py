# SPDX-License-Identifier: MIT
"""A session file of goose, as its versions before 1.10 kept it: the session in the
first line, then a message a line; results in messages of the user's."""
from common import compact, pictures, signature

LIST = "conversation"
dump = compact


def text(words):
    return {"type": "text", "text": words}


def image(p):
    return {"type": "image", "data": p["data"], "mimeType": p["type"]}


def message(convo, line, role, content):
    start = int(convo.trace.start.timestamp())
    return {"role": role, "created": start + int(line["at"]), "content": content,
            "metadata": {"userVisible": True, "agentVisible": True}}


def said(convo, line):
    if line.get("think"):
        yield {"type": "thinking", "thinking": line["think"],
               "signature": signature(convo.trace.name, line["at"])}
    if line.get("text"):
        yield text(line["text"])
    for c in line.get("calls", ()):
        yield {"type": "toolRequest", "id": convo.id(c["n"], "toolu_01", 22),
               "toolCall": {"status": "success", "value": {
                   "name": c["tool"], "arguments": c["args"]}}}


def result(convo, r):
    outcome = {"status": "error", "error": r["text"]}
    if not r.get("failed") or pictures(r):
        outcome = {"status": "success", "value": {
            "content": [text(r["text"])] + [image(p) for p in pictures(r)],
            "isError": bool(r.get("failed"))}}
    return {"type": "toolResponse", "id": convo.id(r["call"], "toolu_01", 22),
            "toolResult": outcome}


def messages(convo):
    yield {"working_dir": convo.trace.head["folder"], "description": "",
           "message_count": len(convo.lines), "total_tokens": None}
    for kind, line in convo.said():
        if kind == "user":
            yield message(convo, line, "user", [text(line["text"])] +
                          [image(p) for p in pictures(line)])
        elif kind == "assistant":
            yield message(convo, line, "assistant", list(said(convo, line)))
        else:
            for r in line:
                yield message(convo, r, "user", [result(convo, r)])
