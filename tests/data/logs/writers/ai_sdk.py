# SPDX-License-Identifier: MIT
"""ModelMessage of the AI SDK from version 5 on."""
from common import compact, pictures, signature

LIST = "messages"
dump = compact


def output(r):
    if pictures(r):
        return {"type": "content", "value": [{"type": "text", "text": r["text"]}] + [
            {"type": "media", "data": p["data"], "mediaType": p["type"]}
            for p in pictures(r)]}
    return {"type": "error-text" if r.get("failed") else "text", "value": r["text"]}


def messages(convo):
    if convo.system:
        yield {"role": "system", "content": convo.system}
    for kind, line in convo.said():
        if kind == "user":
            yield {"role": "user", "content": [{"type": "text", "text": line["text"]}] +
                   [{"type": "file", "data": p["data"], "mediaType": p["type"]}
                    for p in pictures(line)]}
        elif kind == "assistant":
            parts = []
            if line.get("think"):
                parts.append({"type": "reasoning", "text": line["think"],
                              "providerOptions": {"anthropic": {
                                  "signature": signature(convo.trace.name,
                                                         line["at"])}}})
            if line.get("text"):
                parts.append({"type": "text", "text": line["text"]})
            parts += [{"type": "tool-call",
                       "toolCallId": convo.id(c["n"], "call_", 24, own=True),
                       "toolName": c["tool"], "input": c["args"]}
                      for c in line.get("calls", ())]
            yield {"role": "assistant", "content": parts}
        else:
            yield {"role": "tool", "content": [
                {"type": "tool-result",
                 "toolCallId": convo.id(r["call"], "call_", 24, own=True),
                 "toolName": convo.calls[r["call"]]["tool"], "output": output(r)}
                for r in line]}
