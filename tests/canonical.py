#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random histories in the one form in which ctx-convert writes them.

    canonical.py DIALECT SEED N

writes N conversations, one on each line.  They have texts, thinking, parallel calls
and results, roles alternate, and ids are used once, so that another dialect can
hold everything and the way back gives the same JSON.  The same seed gives the same
histories.
"""
import json
import random
import sys


def text(r):
    return r.choice(["ok", "a \u00e9 \U0001f600", "line\nline", " x", "1.10"])


def history(r):
    """[(kind, ...)]: user text, assistant text+thinking+calls, results."""
    out, n = [], 0
    for _ in range(r.randint(1, 4)):
        out.append(("user", text(r)))
        while True:
            calls = ["c%d" % (n + k) for k in range(r.choice([0, 1, 1, 3]))]
            n += len(calls)
            calls = [(c, r.choice(["ls", "cat"])) for c in calls]
            said = text(r) if not calls or r.random() < 0.7 else ""
            out.append(("assistant", said, r.random() < 0.3, calls))
            if not calls:
                break
            out.append(("results", calls))
    return out


def args(r, spell):
    v = {"p": text(r), "n": 1.5}
    return json.dumps(v) if spell else v


def openai(r, h):
    for m in h:
        if m[0] == "user":
            yield {"role": "user", "content": m[1]}
        elif m[0] == "assistant":
            d = {"role": "assistant", "content": m[1] or None}
            if m[2]:
                d["reasoning_content"] = "hm"
            if m[3]:
                d["tool_calls"] = [
                    {"id": c, "type": "function", "function":
                     {"name": n, "arguments": args(r, 1)}} for c, n in m[3]]
            if m[3] or d["content"]:
                yield d
        else:
            for c, _ in m[1]:
                yield {"role": "tool", "tool_call_id": c, "content": text(r)}


def cohere(r, h):
    for m in openai(r, h):
        thought = m.pop("reasoning_content", None)
        if m.get("content", "") is None:
            del m["content"]
        if thought and "tool_calls" in m:
            m["tool_plan"] = thought
        elif thought:
            m["content"] = [{"type": "thinking", "thinking": thought},
                            {"type": "text", "text": m["content"]}]
        yield m


def ollama(r, h):
    names = {}
    for m in openai(r, h):
        if "reasoning_content" in m:
            m["thinking"] = m.pop("reasoning_content")
        m["content"] = m["content"] or ""
        for c in m.get("tool_calls", ()):
            del c["type"]
            c["function"]["arguments"] = json.loads(c["function"]["arguments"])
            names[c["id"]] = c["function"]["name"]
        if m["role"] == "tool":
            m["tool_name"] = names[m["tool_call_id"]]
        yield m


def mistral(r, h):
    for m in openai(r, h):
        thought = m.pop("reasoning_content", None)
        m["content"] = m["content"] or ""
        if thought:
            m["content"] = [{"type": "thinking", "thinking": [
                {"type": "text", "text": thought}]}] + (
                [{"type": "text", "text": m["content"]}]
                if m["content"] else [])
        for c in m.get("tool_calls", ()):
            c["id"] = c["id"].rjust(9, "0")
        if m["role"] == "tool":
            m["tool_call_id"] = m["tool_call_id"].rjust(9, "0")
        yield m


def anthropic(r, h):
    for m in h:
        if m[0] == "user":
            yield {"role": "user", "content": m[1]}
        elif m[0] == "assistant":
            b = [{"type": "thinking", "thinking": "hm", "signature": "E="}] \
                if m[2] else []
            b += [{"type": "text", "text": m[1]}] if m[1] else []
            b += [{"type": "tool_use", "id": c, "name": n,
                   "input": args(r, 0)} for c, n in m[3]]
            if [x["type"] for x in b] == ["text"]:
                b = m[1]
            if m[3] or m[1]:
                yield {"role": "assistant", "content": b}
        else:
            yield {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": c, "content": text(r)}
                for c, _ in m[1]]}


def responses(r, h):
    for m in h:
        if m[0] == "user":
            yield {"type": "message", "role": "user", "content":
                   [{"type": "input_text", "text": m[1]}]}
        elif m[0] == "assistant":
            if m[2] and (m[1] or m[3]):
                d = {"type": "reasoning", "id": "rs_%d" % r.randint(1, 99),
                     "summary": [], "encrypted_content": "gA"}
                if m[1]:    # an id would need the message's
                    del d["id"]
                yield d
            if m[1]:
                yield {"type": "message", "role": "assistant", "content":
                       [{"type": "output_text", "text": m[1],
                         "annotations": []}]}
            for c, n in m[3]:
                yield {"type": "function_call", "call_id": c, "name": n,
                       "arguments": args(r, 1)}
        else:
            for c, _ in m[1]:
                yield {"type": "function_call_output", "call_id": c,
                       "output": text(r)}


def gemini(r, h):
    ids = r.random() < 0.5
    for m in h:
        if m[0] == "user":
            yield {"role": "user", "parts": [{"text": m[1]}]}
        elif m[0] == "assistant":
            p = [{"text": "hm", "thought": True}] if m[2] else []
            p += [{"text": m[1]}] if m[1] else []
            for k, (c, n) in enumerate(m[3]):
                f = {"name": n, "args": args(r, 0)}
                if ids:
                    f["id"] = c
                x = {"functionCall": f}
                if k == 0:
                    x["thoughtSignature"] = "CpQB"
                p.append(x)
            if m[3] or m[1]:
                yield {"role": "model", "parts": p}
        else:
            p = []
            for c, n in m[1]:
                f = {"name": n, "response": {"output": text(r)}}
                if ids:
                    f["id"] = c
                p.append({"functionResponse": f})
            yield {"role": "user", "parts": p}


def bedrock(r, h):
    for m in h:
        if m[0] == "user":
            yield {"role": "user", "content": [{"text": m[1]}]}
        elif m[0] == "assistant":
            b = [{"reasoningContent": {"reasoningText": {
                "text": "hm", "signature": "E="}}}] if m[2] else []
            b += [{"text": m[1]}] if m[1] else []
            b += [{"toolUse": {"toolUseId": c, "name": n,
                               "input": args(r, 0)}} for c, n in m[3]]
            if m[3] or m[1]:
                yield {"role": "assistant", "content": b}
        else:
            yield {"role": "user", "content": [
                {"toolResult": {"toolUseId": c, "content": [
                    {"text": text(r)}]}} for c, _ in m[1]]}


FORMS = {"openai": ("messages", openai), "anthropic": ("messages", anthropic),
         "openai-responses": ("input", responses),
         "gemini": ("contents", gemini), "bedrock": ("messages", bedrock),
         "cohere": ("messages", cohere), "ollama": ("messages", ollama),
         "mistral": ("messages", mistral)}


def main():
    key, form = FORMS[sys.argv[1]]
    r = random.Random(int(sys.argv[2]))
    for _ in range(int(sys.argv[3])):
        print(json.dumps({"n": 1.0, key: list(form(r, history(r)))}))


main()
