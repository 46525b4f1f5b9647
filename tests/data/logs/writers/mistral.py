# SPDX-License-Identifier: MIT
"""Mistral's chat completions: ids of nine characters, and thinking in the content."""
import openai
from common import compact

LIST = "messages"
dump = compact


# what clients say between results and the user, because the API requires it
OK = {"role": "assistant", "content": "OK"}


def ident(convo, n):
    return convo.id(n, "", 9)


def messages(convo):
    last = None
    for m, line in openai.both(convo):
        if isinstance(line, list):
            continue
        if (last, m["role"]) == ("tool", "user"):
            yield dict(OK)
        last = m["role"]
        for c, given in zip(m.get("tool_calls", ()), line.get("calls", ())):
            c["id"] = ident(convo, given["n"])
        if m["role"] == "tool":
            m["tool_call_id"] = ident(convo, line["call"])
        if m["role"] == "assistant":
            m["content"] = m["content"] or ""
            if line.get("think"):
                m["content"] = [{"type": "thinking", "thinking": [
                    {"type": "text", "text": line["think"]}]}] + (
                    [{"type": "text", "text": m["content"]}]
                    if m["content"] else [])
        yield m
