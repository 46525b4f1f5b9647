#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The contents of a log, by a reader that shares no code with ctx or the writers.

    logs.py FILE...

Prints a line for each file: the numbers of user texts, agent texts, calls and
results, a digest of the texts of users and agents in order, and one of the
results.  The dialect is the part of the file's name before .jsonl.  Texts are
counted rather than messages, because one message can be two in another dialect.
"""
import hashlib
import json
import sys


def text_of(content):
    """The texts of content that is a string or a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(p if isinstance(p, str) else p["document"]["data"]
                   if p.get("type") == "document" else p.get("text", "")
                   for p in content or [])


def openai(m):
    kind = {"user": "user", "assistant": "said", "tool": "result"}.get(m["role"])
    yield kind, text_of(m.get("content"))
    for c in m.get("tool_calls", ()):
        yield "call", c[c.get("type", "function")]["name"]


def responses(m):
    t = m["type"]
    if t == "message":
        yield {"user": "user", "assistant": "said"}.get(m["role"]), \
            text_of(m["content"])
    elif t.endswith("_call"):
        yield "call", m["name"]
    elif t.endswith("_output"):
        yield "result", text_of(m["output"])


def anthropic(m):
    content = m["content"]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for b in content:
        if b["type"] == "text":
            yield {"user": "user", "assistant": "said"}.get(m["role"]), b["text"]
        elif b["type"] == "tool_use":
            yield "call", b["name"]
        elif b["type"] == "tool_result":
            yield "result", text_of(b["content"])


def gemini(m):
    for p in m["parts"]:
        if "functionCall" in p:
            yield "call", p["functionCall"]["name"]
        elif "functionResponse" in p:
            yield "result", "".join(p["functionResponse"]["response"].values())
        elif "text" in p and not p.get("thought"):
            yield {"user": "user", "model": "said"}.get(m["role"]), p["text"]


def bedrock(m):
    for b in m["content"]:
        if "text" in b:
            yield {"user": "user", "assistant": "said"}.get(m["role"]), b["text"]
        elif "toolUse" in b:
            yield "call", b["toolUse"]["name"]
        elif "toolResult" in b:
            yield "result", text_of(b["toolResult"]["content"])


def mistral(m):
    if m != {"role": "assistant", "content": "OK"}:
        yield from openai(m)


def claude_code(m):
    if m.get("type") in ("user", "assistant") and not m.get("isCompactSummary"):
        yield from anthropic(m["message"])


def codex(m):
    if m["type"] == "response_item":
        yield from responses(m["payload"])


def langchain(m):
    kind = {"human": "user", "ai": "said", "tool": "result"}.get(m["type"])
    yield kind, text_of(m["data"]["content"])
    for c in m["data"].get("tool_calls", ()):
        yield "call", c["name"]


def pydantic_ai(m):
    kinds = {"user-prompt": "user", "text": "said", "tool-return": "result"}
    for p in m["parts"]:
        if p["part_kind"] == "tool-call":
            yield "call", p["tool_name"]
        elif p["part_kind"] == "retry-prompt" and p.get("tool_call_id"):
            yield "result", text_of(p["content"])
        else:
            yield kinds.get(p["part_kind"]), text_of(p["content"])


def ai_sdk(m):
    content = m["content"]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for p in content:
        if p["type"] == "text":
            yield {"user": "user", "assistant": "said"}.get(m["role"]), p["text"]
        elif p["type"] == "tool-call":
            yield "call", p["toolName"]
        elif p["type"] == "tool-result":
            yield "result", text_of(p["output"]["value"])


def otel(m):
    for p in m["parts"]:
        if p["type"] == "text":
            yield {"user": "user", "assistant": "said"}.get(m["role"]), p["content"]
        elif p["type"] == "tool_call":
            yield "call", p["name"]
        elif p["type"] == "tool_call_response":
            yield "result", text_of(p["response"])


def sharegpt(m):
    yield {"human": "user", "gpt": "said", "function_call": "call",
           "observation": "result"}.get(m["from"]), m["value"]


def gemini_cli(m):
    if m.get("type") not in ("user", "gemini"):
        return
    content = m["content"]
    if isinstance(content, str):
        content = [{"text": content}]
    yield from gemini({"role": "model" if m["type"] == "gemini" else "user",
                       "parts": content})
    for c in m.get("toolCalls", ()):
        yield "call", c["name"]


def qwen_code(m):
    if "message" in m:
        yield from gemini(m["message"])


def pi(m):
    m = m.get("message", {"role": None, "content": []})
    if m["role"] == "toolResult":
        yield "result", text_of(m["content"])
        return
    for p in m["content"]:
        if p["type"] == "text":
            yield {"user": "user", "assistant": "said"}.get(m["role"]), p["text"]
        elif p["type"] == "toolCall":
            yield "call", p["name"]


def opencode(m):
    for p in m["parts"]:
        if p["type"] == "text":
            yield {"user": "user", "assistant": "said"}[m["info"]["role"]], p["text"]
        elif p["type"] == "tool":
            yield "call", p["tool"]
    for p in m["parts"]:
        if p["type"] == "tool" and p["state"]["status"] != "running":
            yield "result", p["state"].get("output", p["state"].get("error"))


def continues(m):
    kind = {"user": "user", "assistant": "said"}.get(m["message"]["role"])
    yield kind, text_of(m["message"]["content"])
    for c in m["message"].get("toolCalls", ()):
        yield "call", c["function"]["name"]
    for c in m.get("toolCallStates", ()):
        for r in c.get("output", ()):
            yield "result", r["content"]


def goose(m):
    for p in m.get("content", ()):
        if p["type"] == "text":
            yield {"user": "user", "assistant": "said"}[m["role"]], p["text"]
        elif p["type"] == "toolRequest":
            yield "call", p["toolCall"]["value"]["name"]
        elif p["type"] == "toolResponse":
            r = p["toolResult"]
            yield "result", r["error"] if r["status"] == "error" else \
                text_of(r["value"]["content"])


def newest(records):
    """Of records with one id, only the last."""
    last = {r.get("id"): r for r in records}
    return [r for r in records if r.get("id") is None or last[r["id"]] is r]


READERS = {"gemini-cli": gemini_cli, "qwen-code": qwen_code, "pi": pi,
           "opencode": opencode, "continue": continues, "goose": goose,
           "openai": openai, "openai-responses": responses, "anthropic": anthropic,
           "gemini": gemini, "claude-code": claude_code, "codex": codex,
           "langchain": langchain, "pydantic-ai": pydantic_ai, "ai-sdk": ai_sdk,
           "sharegpt": sharegpt, "bedrock": bedrock,
           "cohere": openai, "ollama": openai, "mistral": mistral, "otel": otel}
LISTS = ("messages", "contents", "conversations", "input", "history",
         "conversation")


def joint(digests):
    return hashlib.sha256("".join(sorted(digests)).encode()).hexdigest()[:12]


def tell(path):
    read = READERS[path.split(".")[-2]]
    counts = {"user": 0, "said": 0, "call": 0, "result": 0}
    # a subagent's texts are among those of its caller, or in a separate file
    words, results = {}, []
    with open(path, encoding="utf-8") as f:
        records = [json.loads(line) for line in f]
        if read is gemini_cli:
            records = newest(records)
        for record in records:
            messages = [record]
            for key in LISTS:
                if isinstance(record.get(key), list):
                    messages = newest(record[key])
            thread = (record.get("thread_id") or record.get("sessionId"),
                      record.get("agentId"))
            for m in messages:
                for kind, text in read(m):
                    if kind is None or (kind in ("user", "said") and not text):
                        continue
                    counts[kind] += 1
                    if kind == "result":
                        results.append(hashlib.sha256(text.encode()).hexdigest())
                    if kind in ("user", "said"):
                        words.setdefault(thread, hashlib.sha256()).update(
                            text.encode() + b"\0")
    return ("{user} {said} {call} {result}".format(**counts),
            joint([h.hexdigest() for h in words.values()]), joint(results))


for name in sys.argv[1:]:
    print(*tell(name), name.split("/")[-1])
