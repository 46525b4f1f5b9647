# SPDX-License-Identifier: MIT
"""Ollama's own chat API: arguments are objects, and results name their tool."""
import openai
from common import compact, pictures

LIST = "messages"
dump = compact


def messages(convo):
    for m, line in openai.both(convo):
        if isinstance(m["content"], list):
            m["content"] = "".join(p["text"] for p in m["content"]
                                   if p["type"] == "text")
            m["images"] = [p["data"] for r in (
                line if isinstance(line, list) else [line])
                for p in pictures(r)]
        for c, given in zip(m.get("tool_calls", ()), line.get("calls", ())) \
                if m["role"] == "assistant" else ():
            c["function"]["arguments"] = given["args"]
            del c["type"]
        if m["role"] == "tool":
            m["tool_name"] = convo.calls[line["call"]]["tool"]
        if m["role"] == "assistant":
            m["content"] = m["content"] or ""
            if line.get("think"):
                m["thinking"] = line["think"]
        yield m
