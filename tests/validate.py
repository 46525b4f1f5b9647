#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the API accept a history?  Written from the APIs' documents and error
messages; it shares no code with ctx.

    validate.py DIALECT [--request] < conversations.jsonl

Each line is a conversation: {"messages"|"input"|"contents": [...]}.  Prints
"LINE: what is wrong" and exits with 1 if anything is.  With --request, also checks
the rules on the order of roles, which filters do not enforce.  As a module:
RULES[dialect] is the list's key and a function (messages, request) that yields
faults.
"""
import json
import re
import sys


def openai(msgs, request):
    waiting = []
    for i, m in enumerate(msgs):
        role = m["role"]
        if role == "tool":
            if m["tool_call_id"] not in waiting:
                yield f"message {i}: tool result without its call"
            else:
                waiting.remove(m["tool_call_id"])
            continue
        if waiting:
            yield f"message {i}: calls {waiting} without results"
        waiting = []
        if role not in ("system", "developer", "user", "assistant"):
            yield f"message {i}: role {role}"
        if role == "assistant":
            calls = m.get("tool_calls")
            if calls is not None and not calls:
                yield f"message {i}: empty tool_calls"
            if not calls and not m.get("content") and not m.get("refusal") \
                    and m.get("content") != "":
                yield f"message {i}: neither content nor calls"
            for c in calls or []:
                waiting.append(c["id"])
                if c["type"] == "function" and not isinstance(
                        c["function"]["arguments"], str):
                    yield f"message {i}: arguments are not a string"
        elif m.get("content") is None:
            yield f"message {i}: no content"
    if waiting:
        yield f"end: calls {waiting} without results"


def mistral(msgs, request):
    yield from openai(msgs, request)
    for i, m in enumerate(msgs):
        for c in m.get("tool_calls") or []:
            if not re.fullmatch(r"[a-zA-Z0-9]{9}", c["id"]):
                yield f"message {i}: id {c['id']!r}"
        if request and i > 0 and (msgs[i - 1]["role"], m["role"]) == \
                ("tool", "user"):
            yield f"message {i}: user after tool"
        if m["role"] == "developer":
            yield f"message {i}: role developer"


def ollama(msgs, request):
    calls = []
    for i, m in enumerate(msgs):
        if not isinstance(m.get("content"), str):
            yield f"message {i}: content is not a string"
        if m["role"] == "tool":
            key = m.get("tool_call_id") or m.get("tool_name")
            if key not in calls:
                yield f"message {i}: result without its call"
            else:
                calls.remove(key)
            if not m.get("tool_name"):
                yield f"message {i}: no tool_name"
            continue
        if calls:
            yield f"message {i}: calls {calls} without results"
        calls = []
        for c in m.get("tool_calls") or []:
            calls.append(c.get("id") or c["function"]["name"])
            if not isinstance(c["function"]["arguments"], dict):
                yield f"message {i}: arguments are not an object"
        if not all(isinstance(p, str) for p in m.get("images") or []):
            yield f"message {i}: images"
    if calls:
        yield f"end: calls {calls} without results"


def blocks_of(m):
    c = m["content"]
    return [{"type": "text", "text": c}] if isinstance(c, str) else c


def anthropic(msgs, request):
    turns, seen = [], set()
    for i, m in enumerate(msgs):
        if m["role"] not in ("user", "assistant"):
            yield f"message {i}: role {m['role']}"
        b = blocks_of(m)
        if not b and i + 1 < len(msgs):
            yield f"message {i}: empty"
        for x in b:
            if x["type"] == "text" and not x["text"]:
                yield f"message {i}: empty text"
        if b and i + 1 < len(msgs) and all(
                x["type"] == "text" and not x["text"].strip() for x in b):
            yield f"message {i}: only white space"
        if turns and turns[-1][0] == m["role"]:
            turns[-1][1].extend(b)
        else:
            turns.append((m["role"], list(b)))
    if request and turns and turns[0][0] != "user":
        yield "the first message is not from the user"
    open_ids = []
    for n, (role, b) in enumerate(turns):
        if role == "user":
            ids, other = [], False
            for x in b:
                if x["type"] == "tool_result":
                    ids.append(x["tool_use_id"])
                    if other:
                        yield f"turn {n}: tool_result after other content"
                else:
                    other = True
            if sorted(ids) != sorted(open_ids):
                yield f"turn {n}: results {ids} for calls {open_ids}"
            open_ids = []
        else:
            if open_ids:
                yield f"turn {n}: calls {open_ids} without results"
            open_ids = [x["id"] for x in b if x["type"] == "tool_use"]
            seen = set()
            for x in b:
                if x["type"] != "tool_use":
                    continue
                if x["id"] in seen:
                    yield f"turn {n}: id {x['id']} used twice"
                seen.add(x["id"])
                if not re.fullmatch(r"[a-zA-Z0-9_-]+", x["id"]):
                    yield f"turn {n}: id {x['id']!r}"
                if not isinstance(x["input"], dict):
                    yield f"turn {n}: input is not an object"
            if b and b[-1]["type"] in ("thinking", "redacted_thinking"):
                yield f"turn {n}: ends in thinking"
    if open_ids:
        yield f"end: calls {open_ids} without results"


def bedrock(msgs, request):
    # roles need not alternate: adjacent messages of one role are one
    turns, open_ids = [], []
    for i, m in enumerate(msgs):
        if m["role"] not in ("user", "assistant"):
            yield f"message {i}: role {m['role']}"
        if not m["content"]:
            yield f"message {i}: empty"
        for b in m["content"]:
            if len(b) != 1 or "type" in b:
                yield f"message {i}: not a union: {list(b)}"
            if "text" in b and not b["text"].strip():
                yield f"message {i}: blank text"
        if turns and turns[-1][0] == m["role"]:
            turns[-1][1].extend(m["content"])
        else:
            turns.append((m["role"], list(m["content"])))
    if request and turns and turns[0][0] != "user":
        yield "the first message is not from the user"
    for n, (role, content) in enumerate(turns):
        first = [k for b in content for k in b]
        ids = [b["toolResult"]["toolUseId"] for b in content
               if "toolResult" in b]
        if sorted(ids) != sorted(open_ids):
            yield f"turn {n}: results {ids} for calls {open_ids}"
        if first[:len(ids)] != ["toolResult"] * len(ids):
            yield f"turn {n}: toolResult after other content"
        uses = [b["toolUse"] for b in content if "toolUse" in b]
        open_ids = [u["toolUseId"] for u in uses]
        if len(set(open_ids)) < len(open_ids) or (open_ids and role == "user"):
            yield f"turn {n}: calls {open_ids} of {role}"
        for u in uses:
            if not re.fullmatch(r"[a-zA-Z0-9_.:-]{1,64}", u["toolUseId"]):
                yield f"turn {n}: id {u['toolUseId']!r}"
            if not isinstance(u["input"], dict):
                yield f"turn {n}: input is not an object"
        for b in content:
            r = b.get("toolResult")
            if r and r.get("status") == "error" and not r["content"]:
                yield f"turn {n}: an error without content"
    if open_ids:
        yield f"end: calls {open_ids} without results"


def responses(items, request):
    waiting, reasoning = [], False
    for i, m in enumerate(items):
        kind = m.get("type", "message")
        mine = kind in ("reasoning", "function_call", "custom_tool_call") or \
            (kind == "message" and m["role"] == "assistant")
        if reasoning and not mine:
            yield f"item {i}: follows reasoning without a result"
        reasoning = kind == "reasoning"
        if kind in ("function_call", "custom_tool_call"):
            waiting.append(m["call_id"])
        elif kind in ("function_call_output", "custom_tool_call_output"):
            if m["call_id"] not in waiting:
                yield f"item {i}: output without its call"
            else:
                waiting.remove(m["call_id"])
        elif kind == "message":
            if m["role"] not in ("system", "developer", "user", "assistant"):
                yield f"item {i}: role {m['role']}"
            parts = m["content"] if isinstance(m["content"], list) else []
            for p in parts:
                want = ("output_text", "refusal") if m["role"] == \
                    "assistant" else ("input_text", "input_image",
                                      "input_file")
                if p["type"] not in want:
                    yield f"item {i}: {p['type']} of {m['role']}"
    if reasoning:
        yield "end: reasoning without a result"
    if waiting:
        yield f"end: calls {waiting} without outputs"


def gemini(contents, request):
    calls = None
    for i, m in enumerate(contents):
        if not m["parts"]:
            yield f"content {i}: no parts"
    # roles need not alternate: adjacent contents of one role are one
    joined = []
    for m in contents:
        if joined and m["role"] == joined[-1]["role"]:
            m = dict(m, parts=joined.pop()["parts"] + m["parts"])
        joined.append(m)
    contents = joined
    for i, m in enumerate(contents):
        if m.get("role") not in ("user", "model"):
            yield f"content {i}: role {m.get('role')}"
        if request and i == 0 and m["role"] != "user":
            yield "the first content is not from the user"
        answers = [p["functionResponse"] for p in m["parts"]
                   if "functionResponse" in p]
        for a in answers:
            if not isinstance(a["response"], dict):
                yield f"content {i}: response is not an object"
        if calls is not None or answers:
            want = sorted(c["name"] for c in calls or [])
            if sorted(a["name"] for a in answers) != want or \
                    m["role"] != "user":
                yield f"content {i}: {len(answers)} responses for {want}"
            ids = sorted(c["id"] for c in calls or [] if "id" in c)
            if all("id" in a for a in answers) and \
                    len(ids) == len(calls or []) and \
                    sorted(a["id"] for a in answers) != ids:
                yield f"content {i}: ids of responses are not {ids}"
        found = [p["functionCall"] for p in m["parts"] if "functionCall" in p]
        if found and m["role"] != "model":
            yield f"content {i}: a call by the user"
        calls = found or None
    if calls:
        yield "end: calls without responses"


RULES = {
    "openai": ("messages", openai),
    "anthropic": ("messages", anthropic),
    "openai-responses": ("input", responses),
    "gemini": ("contents", gemini),
    "bedrock": ("messages", bedrock),
    "cohere": ("messages", openai),
    "mistral": ("messages", mistral),
    "ollama": ("messages", ollama),
}


def main():
    key, rule = RULES[sys.argv[1]]
    request = "--request" in sys.argv[2:]
    wrong = 0
    n = 0
    for n, line in enumerate(sys.stdin, 1):
        for what in rule(json.loads(line)[key], request):
            print(f"{n}: {what}")
            wrong = 1
    if n == 0:
        print("nothing to check")
        wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
