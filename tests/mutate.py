#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Histories with faults; the same seed gives the same histories.

    mutate.py DIALECT SEED N [sound]

writes N conversations, one on each line.  They are random, with parallel calls
and reused ids; then some of their messages are deleted, duplicated or swapped.
With "sound", no faults are added, roles alternate, and ids are used once.
"""
import json
import random
import sys

SOUND = sys.argv[4:] == ["sound"]

def text(r):
    return r.choice(["ok", "a \u00e9 \U0001f600", "line\nline", " x", "1.10"])


def sound_history(r):
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


def history(r):
    """[(kind, ...)]: user text, assistant text+thinking+calls, results."""
    out, n, names = [], 0, ["ls", "cat", "rm"]
    for _ in range(r.randint(1, 6)):
        out.append(("user", text(r)))
        for _ in range(r.randint(0, 3)):
            calls = []
            for _ in range(r.choice([0, 1, 1, 2, 3])):
                n += 1
                cid = "c%d" % (n if r.random() < 0.8 else r.randint(1, n))
                if cid in [c[0] for c in calls] and r.random() < 0.9:
                    cid = "d%d" % n
                calls.append((cid, r.choice(names)))
            out.append(("assistant", text(r) if r.random() < 0.7 or
                        not calls else "", r.random() < 0.3, calls))
            results = list(calls)
            if r.random() < 0.3:
                r.shuffle(results)
            if results:
                out.append(("results", results))
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
            if SOUND and [x["type"] for x in b] == ["text"]:
                b = m[1]
            if m[3] or m[1]:
                yield {"role": "assistant", "content": b}
        else:
            b = [{"type": "tool_result", "tool_use_id": c,
                  "content": text(r)} for c, _ in m[1]]
            k = r.randint(1, len(b)) if r.random() < 0.3 else len(b)
            if SOUND:
                k = len(b)
            elif r.random() < 0.2:
                b.insert(r.randint(0, k), {"type": "text", "text": "and"})
            yield {"role": "user", "content": b[:k]}
            if b[k:]:
                yield {"role": "user", "content": b[k:]}


def responses(r, h):
    for m in h:
        if m[0] == "user":
            yield {"role": "user", "content": m[1]} if r.random() < 0.5 and \
                not SOUND else \
                {"type": "message", "role": "user", "content":
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
                if ids and (SOUND or r.random() < 0.9):
                    f["id"] = c
                p.append({"functionResponse": f})
            k = r.randint(1, len(p)) if r.random() < 0.3 and not SOUND \
                else len(p)
            yield {"role": "user", "parts": p[:k]}
            if p[k:]:
                yield {"role": "user", "parts": p[k:]}


def damage(r, msgs):
    for _ in range(r.choice([0, 1, 1, 2, 4])):
        if not msgs:
            return
        i, k = r.randrange(len(msgs)), r.randrange(len(msgs))
        what = r.randrange(3)
        if what == 0:
            del msgs[i]
        elif what == 1:
            msgs.insert(k, msgs[i])
        else:
            msgs[i], msgs[k] = msgs[k], msgs[i]


FORMS = {"openai": ("messages", openai), "anthropic": ("messages", anthropic),
         "openai-responses": ("input", responses),
         "gemini": ("contents", gemini)}


def main():
    key, form = FORMS[sys.argv[1]]
    r = random.Random(int(sys.argv[2]))
    for _ in range(int(sys.argv[3])):
        msgs = list(form(r, sound_history(r) if SOUND else history(r)))
        if not SOUND:
            damage(r, msgs)
        print(json.dumps({"n": 1.0, key: msgs}))


main()
