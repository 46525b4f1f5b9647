# SPDX-License-Identifier: MIT
"""A session file of Qwen Code: Gemini contents in records that follow each other."""
import gemini
from common import compact, pictures, uuid

LIST = "messages"
dump = compact


class Log:
    def __init__(self, convo):
        self.convo, self.last, self.count = convo, None, 0

    def record(self, line, kind, **members):
        self.count += 1
        trace = self.convo.trace
        r = {"uuid": uuid(trace.name, self.convo.name, "qwen", self.count),
             "parentUuid": self.last, "sessionId": uuid(trace.name, "session"),
             "timestamp": trace.time(line["at"]), "type": kind,
             "cwd": trace.head["folder"], "version": "0.15.10"}
        self.last = r["uuid"]
        return dict(r, **members)


def call(convo, part, c):
    return {"functionCall": dict(id=convo.id(c["n"], "call_", 24),
                                 **part["functionCall"])}


def model(convo, line):
    parts = gemini.model(convo, line)["parts"]
    n = len(parts) - len(line.get("calls", ()))
    return parts[:n] + [call(convo, p, c)
                        for p, c in zip(parts[n:], line.get("calls", ()))]


def response(convo, r):
    parts = gemini.response(convo, r)
    parts[0]["functionResponse"] = dict(id=convo.id(r["call"], "call_", 24),
                                        **parts[0]["functionResponse"])
    return parts


def messages(convo):
    log = Log(convo)
    for kind, line in convo.said():
        if kind == "user":
            yield log.record(line, "user", message={"role": "user", "parts": [
                {"text": line["text"]}] + [gemini.image(p) for p in pictures(line)]})
        elif kind == "assistant":
            yield log.record(line, "system", subtype="ui_telemetry", systemPayload={
                "uiEvent": {"response_text": line.get("text") or ""}})
            yield log.record(line, "assistant", model="m-1", message={
                "role": "model", "parts": model(convo, line)})
        else:
            for r in line:
                yield log.record(
                    r, "tool_result",
                    message={"role": "user", "parts": response(convo, r)},
                    toolCallResult={"callId": convo.id(r["call"], "call_", 24),
                                    "status": "error" if r.get("failed") else
                                    "success", "resultDisplay": r["text"]})
