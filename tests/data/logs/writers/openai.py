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


def both(convo):
    """Each message with the trace's line that it is; a list for several."""
    if convo.system:
        yield {"role": "system", "content": convo.system}, {}
    for kind, line in convo.said():
        if kind == "user":
            content = line["text"]
            if pictures(line):
                content = [{"type": "text", "text": content}]
                content += [image(p) for p in pictures(line)]
            yield {"role": "user", "content": content}, line
        elif kind == "assistant":
            m = {"role": "assistant", "content": line.get("text")}
            if line.get("calls"):
                m["tool_calls"] = [call(convo, c) for c in line["calls"]]
            yield m, line
        else:
            shown = []
            for r in line:
                shown += pictures(r)
                yield {"role": "tool",
                       "tool_call_id": convo.id(r["call"], "call_", 24, own=True),
                       "content": r["text"]}, r
            if shown:       # a tool message can only have text
                yield {"role": "user", "content": [image(p) for p in shown]}, line


def messages(convo):
    for m, _ in both(convo):
        yield m
