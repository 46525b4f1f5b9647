#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are these histories valid for their API's tool links?  For tests.

    valid.py openai|anthropic [FILE]        conversation lines

Written from the APIs' documented rules and error messages; it shares no code with
ctx.  Prints every fault as LINE: text; exits with 1 if there is one.
"""
import json
import re
import sys


def openai(messages, start=True):
    """start is for Anthropic only: this API does not care who comes first."""
    del start
    i = 0
    while i < len(messages):
        m = messages[i]
        role = m.get("role")
        if role == "tool":
            yield i, "a tool message that does not follow its calls"
        if role != "assistant":
            i += 1
            continue
        calls = m.get("tool_calls")
        if calls is None:
            if m.get("content") is None and not m.get("function_call") and \
                    not m.get("refusal"):
                yield i, "an empty assistant message"
            i += 1
            continue
        if not calls:
            yield i, "an empty list of tool calls"
        want = sorted(c["id"] for c in calls)
        got, k = [], i + 1
        while k < len(messages) and messages[k].get("role") == "tool":
            got.append(messages[k].get("tool_call_id"))
            k += 1
        if sorted(map(str, got)) != want:
            yield i, f"calls {want} are followed by results {got}"
        i = k


def blocks(message):
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content or []


def anthropic_turns(messages):
    """The API sees adjacent messages of one role as one turn: (role, blocks, at)."""
    turns = []
    for i, m in enumerate(messages):
        if turns and turns[-1][0] == m["role"]:
            turns[-1][1].extend(blocks(m))
        else:
            turns.append((m["role"], list(blocks(m)), i))
    return turns


def anthropic_message(i, m, last):
    b = blocks(m)
    if not b and not (last and m["role"] == "assistant"):
        yield i, "an empty message"
    for x in b:
        if x["type"] == "text" and not x["text"].strip() and not (
                last and m["role"] == "assistant" and
                isinstance(m["content"], str)):
            yield i, "an empty text"
    if m["role"] == "assistant" and b and not last and \
            all(x["type"] in ("thinking", "redacted_thinking") for x in b):
        yield i, "a message with only thinking"


def anthropic(messages, start=True):
    messages = [m for m in messages if m.get("role") != "system"]
    for i, m in enumerate(messages):
        yield from anthropic_message(i, m, i == len(messages) - 1)
    turns = anthropic_turns(messages)
    if start and turns and turns[0][0] != "user":
        yield 0, "the first message is not from the user"
    seen = set()
    for t, (role, content, at) in enumerate(turns):
        if role == "user":
            yield from anthropic_results(turns, t)
            continue
        uses = [b["id"] for b in content if b["type"] == "tool_use"]
        for u in uses:
            if u in seen:
                yield at, f"tool_use id {u!r} is not unique"
            if not re.fullmatch("[a-zA-Z0-9_-]*", u):
                yield at, f"tool_use id {u!r} has invalid characters"
            seen.add(u)
        if uses and t + 1 == len(turns):
            yield at, f"calls {uses} have no results"


def anthropic_results(turns, t):
    _, content, at = turns[t]
    results = [b["tool_use_id"] for b in content if b["type"] == "tool_result"]
    before = turns[t - 1][1] if t > 0 else []
    uses = [b["id"] for b in before if b["type"] == "tool_use"]
    if sorted(results) != sorted(uses):
        yield at, f"calls {uses} are followed by results {results}"
    first = [b["type"] == "tool_result" for b in content[:len(results)]]
    if not all(first):
        yield at, "results are not the first blocks of their turn"


RULES = {"openai": openai, "anthropic": anthropic}


def faults(dialect, messages, start=True):
    """Faults as (message index, text); start: also check the first role."""
    return list(RULES[dialect](messages, start))


def main():
    dialect = sys.argv[1]
    bad = 0
    with open(sys.argv[2] if len(sys.argv) > 2 else 0, encoding="utf-8") as f:
        for no, line in enumerate(f, 1):
            for at, text in faults(dialect, json.loads(line)["messages"]):
                print(f"{no}: message {at + 1}: {text}")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
