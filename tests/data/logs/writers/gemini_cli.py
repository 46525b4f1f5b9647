# SPDX-License-Identifier: MIT
"""A session file of Gemini CLI: a log of changes, in which an answer with calls is
written again when they are done."""
import gemini
import qwen_code
from common import compact, pictures, uuid

LIST = "messages"
dump = compact


def call(convo, c):
    out = {"id": convo.id(c["n"], "call_", 24), "name": c["tool"], "args": c["args"]}
    r = convo.results.get(c["n"])
    if r is not None:
        out["result"] = qwen_code.response(convo, r)[:1]
    out["status"] = "executing" if r is None else "success"
    if r is not None:
        out["resultDisplay"] = r["text"]
    return out


def answer(convo, record, line):
    record["content"] = line.get("text") or ""
    if line.get("think"):
        record["thoughts"] = [{"subject": "", "description": line["think"]}]
    yield record
    if line.get("calls"):
        yield {"$set": {"lastUpdated": record["timestamp"]}}
        yield dict(record, toolCalls=[call(convo, c) for c in line["calls"]])


def messages(convo):
    trace, count = convo.trace, 0
    yield {"sessionId": "s", "projectHash": "00ff", "startTime": trace.time(0),
           "lastUpdated": trace.time(0), "kind": "main"}
    for kind, line in convo.said():
        count += 1
        at = line[0]["at"] if kind == "results" else line["at"]
        r = {"id": uuid(trace.name, convo.name, "gemini-cli", count),
             "timestamp": trace.time(at),
             "type": "gemini" if kind == "assistant" else "user"}
        if kind == "assistant":
            yield from answer(convo, r, line)
            continue
        if kind == "user":
            r["content"] = [{"text": line["text"]}] + [gemini.image(p)
                                                       for p in pictures(line)]
        else:
            r["content"] = [p for one in line
                            for p in qwen_code.response(convo, one)]
        yield r
