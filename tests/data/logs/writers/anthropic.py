# SPDX-License-Identifier: MIT
"""Messages of Anthropic's API; the system prompt is a member of the request."""
from common import compact, pictures, signature

LIST = "messages"
SYSTEM = "system"
dump = compact


def image(p):
    return {"type": "image", "source": {
        "type": "base64", "media_type": p["type"], "data": p["data"]}}


def result(convo, r):
    content = r["text"]
    if pictures(r):
        content = [{"type": "text", "text": content}]
        content += [image(p) for p in pictures(r)]
    block = {"type": "tool_result", "tool_use_id": convo.id(r["call"], "toolu_01", 22),
             "content": content}
    if r.get("failed"):
        block["is_error"] = True
    return block


def messages(convo):
    held = []           # results precede the text of the next user message
    for kind, line in convo.said():
        if kind == "results":
            held = [result(convo, r) for r in line]
            continue
        if kind == "user":
            content = line["text"]
            if held or pictures(line):
                content = held + [image(p) for p in pictures(line)]
                content.append({"type": "text", "text": line["text"]})
            yield {"role": "user", "content": content}
            held = []
            continue
        if held:
            yield {"role": "user", "content": held}
            held = []
        blocks = []
        if line.get("think"):
            blocks.append({"type": "thinking", "thinking": line["think"],
                           "signature": signature(convo.trace.name, line["at"])})
        if line.get("text"):
            blocks.append({"type": "text", "text": line["text"]})
        for c in line.get("calls", ()):
            blocks.append({"type": "tool_use", "id": convo.id(c["n"], "toolu_01", 22),
                           "name": c["tool"], "input": c["args"]})
        yield {"role": "assistant", "content": blocks}
    if held:
        yield {"role": "user", "content": held}
