# SPDX-License-Identifier: MIT
"""A session file of pi: records with an id and the one that they follow."""
from common import compact, digest, pictures, signature

LIST = "messages"
dump = compact


def image(p):
    return {"type": "image", "data": p["data"], "mimeType": p["type"]}


class Log:
    def __init__(self, convo):
        self.convo, self.last, self.count = convo, None, 0

    def record(self, kind, at, **members):
        self.count += 1
        r = {"type": kind, "id": digest(self.convo.trace.name, self.convo.name,
                                        "pi", self.count).hex()[:8],
             "parentId": self.last, "timestamp": self.convo.trace.time(at)}
        self.last = r["id"]
        return dict(r, **members)

    def message(self, line, role, content, **members):
        return self.record("message", line["at"], message=dict(
            {"role": role}, **members, content=content))


def said(convo, line):
    if line.get("think"):
        yield {"type": "thinking", "thinking": line["think"],
               "thinkingSignature": signature(convo.trace.name, line["at"])}
    if line.get("text"):
        yield {"type": "text", "text": line["text"]}
    for c in line.get("calls", ()):
        yield {"type": "toolCall", "id": convo.id(c["n"], "call_", 24),
               "name": c["tool"], "arguments": c["args"]}


def messages(convo):
    log = Log(convo)
    yield {"type": "session", "version": 3, "id": "s", "cwd":
           convo.trace.head["folder"], "timestamp": convo.trace.time(0)}
    yield log.record("model_change", 0, provider="local", modelId="m-1")
    for kind, line in convo.said():
        if kind == "user":
            yield log.message(line, "user", [{"type": "text", "text": line["text"]}]
                              + [image(p) for p in pictures(line)])
        elif kind == "assistant":
            yield log.message(line, "assistant", list(said(convo, line)))
        else:
            for r in line:
                yield log.message(
                    r, "toolResult", [{"type": "text", "text": r["text"]}] +
                    [image(p) for p in pictures(r)],
                    toolCallId=convo.id(r["call"], "call_", 24),
                    toolName=convo.calls[r["call"]]["tool"],
                    isError=bool(r.get("failed")))
