# SPDX-License-Identifier: MIT
"""Logs that an API refuses: one fault each, of those that clients make.

Each is a log of ours with one change, and tests/logs.bats says by hand what is
then wrong, and in which line."""
import json
import os

from common import Trace


def orphan(out):
    """The message with the calls was cut away, their results were not."""
    del out[2]


def late(out):
    """The user spoke while the calls were running, and was written in between."""
    out.insert(3, out.pop(6))


def reused(out):
    """The server's ids, where every id of a request must be another."""
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
    """The oldest message was cut away, as by a window that counts messages."""
    del out[0]


def thought(out):
    """The reasoning is there, and what it led to is not."""
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
