# SPDX-License-Identifier: MIT
"""Sessions of Continue: OpenAI's messages, with the results beside their calls."""
from common import compact, pictures

LIST = "history"
FORM = "conversations"
dump = compact


def image(p):
    return {"type": "imageUrl",
            "imageUrl": {"url": f"data:{p['type']};base64,{p['data']}"}}


def item(role, content, **members):
    return dict({"message": {"role": role, "content": content},
                 "contextItems": []}, **members)


def call(convo, c):
    return {"id": convo.id(c["n"], "call_", 24), "type": "function", "function": {
        "name": c["tool"], "arguments": compact(c["args"])}}


def state(convo, c):
    r = convo.results.get(c["n"])
    out = {"toolCallId": convo.id(c["n"], "call_", 24), "toolCall": call(convo, c),
           "status": "calling"}
    if r is not None:
        out["status"] = "errored" if r.get("failed") else "done"
        out["output"] = [{"content": r["text"], "name": "Tool Result"}]
    return out


def messages(convo):
    if convo.system:
        yield item("system", convo.system)
    for kind, line in convo.said():
        if kind == "user":
            content = line["text"]
            if pictures(line):
                content = [{"type": "text", "text": content}]
                content += [image(p) for p in pictures(line)]
            yield item("user", content)
        elif kind == "assistant":
            if line.get("think"):
                yield item("thinking", line["think"])
            m = item("assistant", line.get("text") or "")
            if line.get("calls"):
                m["message"]["toolCalls"] = [call(convo, c) for c in line["calls"]]
                m["toolCallStates"] = [state(convo, c) for c in line["calls"]]
            yield m
        else:
            shown = [image(p) for r in line for p in pictures(r)]
            if shown:
                yield item("user", shown)
