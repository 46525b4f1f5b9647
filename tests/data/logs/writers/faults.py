# SPDX-License-Identifier: MIT
"""Logs that an API refuses; each has one fault that real clients produce.

Each is one of our logs with one change.  tests/logs.bats states the resulting
findings and their lines, written by hand."""
import json
import os

from common import Trace


def orphan(out):
    """The message with the calls was removed, but their results were not."""
    del out[2]


def late(out):
    """A user message that came while the calls ran is before their results."""
    out.insert(3, out.pop(6))


def reused(out):
    """The server's ids start again in each turn; a request needs unique ones."""
    turn = {}
    for m in out:
        if m["role"] == "assistant":
            turn = {}
        for b in m["content"] if isinstance(m["content"], list) else ():
            if b["type"] == "tool_use":
                turn[b["id"]] = f"call_{len(turn)}"
                b["id"] = turn[b["id"]]
            elif b["type"] == "tool_result":
                b["tool_use_id"] = turn[b["tool_use_id"]]


def unanswered(out):
    """One of two results never came."""
    del out[2]["parts"][1]


def headless(out):
    """The oldest message was removed, as by a window that counts messages."""
    del out[0]


def thought(out):
    """What followed the reasoning is missing."""
    last = max(i for i, m in enumerate(out) if m["type"] == "reasoning")
    del out[last + 1:]


FAULTS = [("zh", "openai", orphan), ("zh", "openai", late),
          ("parallel", "anthropic", reused), ("zh", "gemini", unanswered),
          ("parallel", "anthropic", headless),
          ("research", "openai-responses", thought)]


def write(records, writer, here, folder):
    for name, dialect, change in FAULTS:
        w = writer(dialect)
        trace = Trace(os.path.join(here, "traces", name + ".jsonl"))
        out = [json.loads(line) for line in records(w, trace)[""]]
        change(out)
        path = os.path.join(folder, f"{name}-{change.__name__}.{dialect}.jsonl")
        with open(path, "w", encoding="utf-8", newline="\n") as f:
            for m in out:
                f.write(w.dump(m) + "\n")
