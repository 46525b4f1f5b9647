# SPDX-License-Identifier: MIT
"""Cohere's chat API, version 2: OpenAI's messages with a plan beside the calls."""
import openai
from common import compact

LIST = "messages"
dump = compact


def said(convo, line):
    m = {"role": "assistant"}
    think, text = line.get("think"), line.get("text")
    if line.get("calls"):
        m["tool_calls"] = [openai.call(convo, c) for c in line["calls"]]
        if think:
            m["tool_plan"] = think
        if text is not None:
            m["content"] = text
    elif think:
        m["content"] = [{"type": "thinking", "thinking": think},
                        {"type": "text", "text": text}]
    else:
        m["content"] = text
    return m


def messages(convo):
    for m, line in openai.both(convo):
        if m["role"] == "assistant":
            m = said(convo, line)
        elif m["role"] == "tool" and len(m["content"]) % 3 == 0:
            m["content"] = [{"type": "document",
                             "document": {"data": m["content"]}}]
        yield m
