# SPDX-License-Identifier: MIT
"""Items of OpenAI's Responses API, as a client with "store": false keeps them."""
from common import compact, ident, pictures, signature

LIST = "input"
dump = compact


def image(p):
    return {"type": "input_image",
            "image_url": f"data:{p['type']};base64,{p['data']}"}


def item(convo, line, c):
    """The item of a call."""
    t = convo.trace.name
    return {"type": "function_call", "id": ident("fc_", 48, t, c["n"], letters=
                                                 "0123456789abcdef"),
            "call_id": convo.id(c["n"], "call_", 24), "name": c["tool"],
            "arguments": compact(c["args"]), "status": "completed"}


def reasoning(convo, line):
    key = (convo.trace.name, convo.name, line["at"])
    return {"type": "reasoning",
            "id": ident("rs_", 48, *key, letters="0123456789abcdef"),
            "summary": [{"type": "summary_text", "text": line["think"]}],
            "encrypted_content": "gAAAAA" + signature(*key, size=480)}


def said(convo, line):
    return {"type": "message",
            "id": ident("msg_", 48, convo.trace.name, convo.name, line["at"],
                        letters="0123456789abcdef"),
            "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": line["text"],
                         "annotations": []}]}


def asked(line):
    content = [{"type": "input_text", "text": line["text"]}]
    content += [image(p) for p in pictures(line)]
    return {"type": "message", "role": "user", "content": content}


def output(convo, r):
    out = r["text"]
    if pictures(r):
        out = [{"type": "input_text", "text": out}]
        out += [image(p) for p in pictures(r)]
    return {"type": "function_call_output",
            "call_id": convo.id(r["call"], "call_", 24), "output": out}


def messages(convo):
    if convo.system:
        yield {"type": "message", "role": "developer",
               "content": [{"type": "input_text", "text": convo.system}]}
    for kind, line in convo.said():
        if kind == "user":
            yield asked(line)
        elif kind == "assistant":
            if line.get("think"):
                yield reasoning(convo, line)
            if line.get("text"):
                yield said(convo, line)
            for c in line.get("calls", ()):
                yield item(convo, line, c)
        else:
            for r in line:
                yield output(convo, r)
