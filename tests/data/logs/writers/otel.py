# SPDX-License-Identifier: MIT
"""OpenTelemetry's gen_ai messages."""
from common import compact, pictures

LIST = "messages"
dump = compact


def blob(p):
    return {"type": "blob", "mime_type": p["type"], "modality": "image",
            "content": p["data"]}


def message(role, parts, **members):
    return dict({"role": role, "parts": parts}, **members)


def said(convo, line):
    parts = []
    if line.get("think"):
        parts.append({"type": "reasoning", "content": line["think"]})
    if line.get("text"):
        parts.append({"type": "text", "content": line["text"]})
    return parts + [{"type": "tool_call", "id": convo.id(c["n"], "call_", 24),
                     "name": c["tool"], "arguments": c["args"]}
                    for c in line.get("calls", ())]


def messages(convo):
    if convo.system:
        yield message("system", [{"type": "text", "content": convo.system}])
    for kind, line in convo.said():
        if kind == "user":
            yield message("user", [{"type": "text", "content": line["text"]}] +
                          [blob(p) for p in pictures(line)])
        elif kind == "assistant":
            yield message("assistant", said(convo, line), finish_reason="tool_call"
                          if line.get("calls") else "stop")
        else:
            yield message("tool", [
                {"type": "tool_call_response", "id": convo.id(r["call"], "call_", 24),
                 "response": r["text"]} for r in line])
            shown = [blob(p) for r in line for p in pictures(r)]
            if shown:       # a response has only JSON
                yield message("user", shown)
