# SPDX-License-Identifier: MIT
"""OpenAI chat completions: the messages of requests and answers that a client keeps."""
from common import compact, pictures

LIST = "messages"
dump = compact


def arguments(args):
    return compact(args)


def image(p):
    return {"type": "image_url",
            "image_url": {"url": f"data:{p['type']};base64,{p['data']}"}}


def call(convo, c):
    return {"id": convo.id(c["n"], "call_", 24, own=True), "type": "function",
            "function": {"name": c["tool"], "arguments": arguments(c["args"])}}


def messages(convo):
    if convo.system:
        yield {"role": "system", "content": convo.system}
    for kind, line in convo.said():
        if kind == "user":
            content = line["text"]
            if pictures(line):
                content = [{"type": "text", "text": content}]
                content += [image(p) for p in pictures(line)]
            yield {"role": "user", "content": content}
        elif kind == "assistant":
            m = {"role": "assistant", "content": line.get("text")}
            if line.get("calls"):
                m["tool_calls"] = [call(convo, c) for c in line["calls"]]
            yield m
        else:
            shown = []
            for r in line:
                shown += pictures(r)
                yield {"role": "tool",
                       "tool_call_id": convo.id(r["call"], "call_", 24, own=True),
                       "content": r["text"]}
            if shown:       # a tool message can only have text
                yield {"role": "user", "content": [image(p) for p in shown]}
