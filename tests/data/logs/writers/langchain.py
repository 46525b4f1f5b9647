# SPDX-License-Identifier: MIT
"""The output of LangChain's messages_to_dict, written by Python's json.dumps."""
from common import pictures, spaced, uuid

LIST = "messages"
dump = spaced


def message(kind, key, content, **more):
    return {"type": kind, "data": dict({
        "content": content, "additional_kwargs": {}, "response_metadata": {},
        "type": kind, "name": None, "id": uuid("langchain", *key)}, **more)}


def content(line):
    if not pictures(line):
        return line["text"]
    return [{"type": "text", "text": line["text"]}] + [
        {"type": "image_url",
         "image_url": {"url": f"data:{p['type']};base64,{p['data']}"}}
        for p in pictures(line)]


def messages(convo):
    t = convo.trace.name, convo.name
    if convo.system:
        yield message("system", t, convo.system)
    for kind, line in convo.said():
        if kind == "user":
            yield message("human", t + (line["at"],), content(line), example=False)
        elif kind == "assistant":
            calls = [{"name": c["tool"], "args": c["args"],
                      "id": convo.id(c["n"], "call_", 24, own=True),
                      "type": "tool_call"} for c in line.get("calls", ())]
            yield message("ai", t + (line["at"],), line.get("text") or "",
                          example=False, tool_calls=calls, invalid_tool_calls=[],
                          usage_metadata=None)
        else:
            for r in line:
                yield message(
                    "tool", t + (line[0]["at"], r["call"]), content(r),
                    tool_call_id=convo.id(r["call"], "call_", 24, own=True),
                    artifact=None, status="error" if r.get("failed") else "success")
