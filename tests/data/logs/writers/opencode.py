# SPDX-License-Identifier: MIT
"""Sessions that OpenCode exports: a call and its result are one part."""
from common import compact, pictures

LIST = "messages"
FORM = "conversations"
dump = compact


def file(p):
    return {"type": "file", "mime": p["type"],
            "url": f"data:{p['type']};base64,{p['data']}"}


def tool(convo, c):
    r = convo.results.get(c["n"])
    state = {"status": "running", "input": c["args"]}
    if r is not None:
        failed = bool(r.get("failed"))
        state = {"status": "error" if failed else "completed", "input": c["args"],
                 "error" if failed else "output": r["text"], "metadata": {}}
    return {"type": "tool", "tool": c["tool"],
            "callID": convo.id(c["n"], "call_", 24), "state": state}


def message(convo, count, role, parts):
    return {"info": {"role": role, "id": f"msg_{convo.name}_{count}"},
            "parts": parts}


def messages(convo):
    count = 0
    for kind, line in convo.said():
        count += 1
        if kind == "user":
            yield message(convo, count, "user", [{"type": "text", "text":
                          line["text"]}] + [file(p) for p in pictures(line)])
        elif kind == "assistant":
            parts = [{"type": "step-start"}]
            if line.get("think"):
                parts.append({"type": "reasoning", "text": line["think"]})
            if line.get("text"):
                parts.append({"type": "text", "text": line["text"]})
            parts += [tool(convo, c) for c in line.get("calls", ())]
            yield message(convo, count, "assistant", parts +
                          [{"type": "step-finish"}])
        else:
            shown = [file(p) for r in line for p in pictures(r)]
            if shown:
                yield message(convo, count, "user", shown)
