# SPDX-License-Identifier: MIT
"""ModelMessage of pydantic-ai: requests and responses, which consist of parts."""
from common import compact, pictures, signature

LIST = "messages"
dump = compact
MODEL = "example-model-1"


def prompt(convo, line):
    content = line["text"]
    if pictures(line):
        content = [content] + [{"data": p["data"], "media_type": p["type"],
                                "kind": "binary"} for p in pictures(line)]
    return {"content": content, "timestamp": convo.trace.time(line["at"]),
            "part_kind": "user-prompt"}


def returned(convo, r):
    c = convo.calls[r["call"]]
    return {"tool_name": c["tool"], "content": r["text"],
            "tool_call_id": convo.id(r["call"], "call_", 24, own=True),
            "metadata": None, "timestamp": convo.trace.time(r["at"]),
            "part_kind": "tool-return"}


def response(convo, line):
    parts = []
    if line.get("think"):
        parts.append({"content": line["think"], "id": None,
                      "signature": signature(convo.trace.name, line["at"]),
                      "provider_name": "example", "part_kind": "thinking"})
    if line.get("text"):
        parts.append({"content": line["text"], "part_kind": "text"})
    for c in line.get("calls", ()):
        parts.append({"tool_name": c["tool"], "args": compact(c["args"]),
                      "tool_call_id": convo.id(c["n"], "call_", 24, own=True),
                      "part_kind": "tool-call"})
    return {"parts": parts, "usage": {"input_tokens": int(line["at"] * 5),
                                      "output_tokens": len(parts) * 40},
            "model_name": MODEL, "timestamp": convo.trace.time(line["at"]),
            "kind": "response"}


def messages(convo):
    parts = []
    if convo.system:
        parts.append({"content": convo.system, "timestamp": convo.trace.time(0),
                      "dynamic_ref": None, "part_kind": "system-prompt"})
    for kind, line in convo.said():
        if kind == "user":
            parts.append(prompt(convo, line))
        elif kind == "results":
            shown = []
            for r in line:
                parts.append(returned(convo, r))
                shown += pictures(r)
            if shown:   # a result has only text; images are in a part after it
                parts.append({"content": [
                    {"data": p["data"], "media_type": p["type"], "kind": "binary"}
                    for p in shown], "timestamp": convo.trace.time(line[-1]["at"]),
                    "part_kind": "user-prompt"})
        else:
            if parts:
                yield {"parts": parts, "instructions": None, "kind": "request"}
                parts = []
            yield response(convo, line)
    if parts:
        yield {"parts": parts, "instructions": None, "kind": "request"}
