# SPDX-License-Identifier: MIT
"""What the four APIs ask and how they answer, for stub.py.

A class for each API reads a request: its events (a role and the text or the ids of
calls), the tools that it offers, and the schema that the answer must have.  A say_*
function yields the answer: one value, or the events of a stream.
"""
import base64
import hashlib
import json
import re

CREATED = 1767225600            # the time that answers claim: 2026-01-01


def token(*parts, n=24):
    """Letters and digits that follow from the parts alone."""
    h = hashlib.sha512("/".join(map(str, parts)).encode()).digest()
    return re.sub(r"[^A-Za-z0-9]", "x", base64.b64encode(h).decode())[:n]


def bare_id(i):
    """An id as token made it, without prefix and what the agent added."""
    m = re.search(r"(?:call_|toolu_01)([A-Za-z0-9]{24})", i or "")
    return m[1] if m else i


def example(schema):
    """A value that fits a JSON schema."""
    if not isinstance(schema, dict):
        return "ok"
    if schema.get("enum"):
        return schema["enum"][0]
    kind = str(schema.get("type", "string")).lower()
    if kind == "object":
        props = schema.get("properties", {})
        return {k: example(props.get(k)) for k in schema.get("required", list(props))}
    return {"array": [], "boolean": False, "integer": 1, "number": 1}.get(kind, "ok")


def texts(content):
    if isinstance(content, str):
        return content
    return "\n".join(p.get("text") or "" for p in content or [])


def tool(schema, custom=False):
    return {"properties": (schema or {}).get("properties") or {}, "custom": custom}


class Chat:
    @staticmethod
    def events(body):
        for m in body.get("messages", []):
            if m["role"] == "user":
                yield "user", texts(m.get("content"))
            elif m["role"] == "assistant":
                yield "assistant", [c.get("id") for c in m.get("tool_calls") or []]
            else:
                yield m["role"], None

    @staticmethod
    def offered(body):
        return {t["function"]["name"]: tool(t["function"].get("parameters"))
                for t in body.get("tools") or []}

    @staticmethod
    def wanted(body):
        f = body.get("response_format") or {}
        return (f.get("json_schema") or {}).get("schema")


class Responses:
    @staticmethod
    def events(body):
        for m in body["input"]:
            kind = m.get("type", "message")
            if kind == "message" and m.get("role") == "user":
                yield "user", texts(m.get("content"))
            elif kind == "message" and m.get("role") == "assistant" or \
                    kind == "reasoning":
                yield "assistant", []
            elif kind.endswith("_call"):
                yield "assistant", [m.get("call_id")]
            else:
                yield "other", None

    @staticmethod
    def offered(body):
        return {t["name"]: tool(t.get("parameters"), t["type"] == "custom")
                for t in body.get("tools") or []
                if t.get("type") in ("function", "custom")}

    @staticmethod
    def wanted(body):
        return ((body.get("text") or {}).get("format") or {}).get("schema")


class Messages:
    @staticmethod
    def events(body):
        for m in body.get("messages", []):
            blocks = m.get("content")
            if isinstance(blocks, str):
                blocks = [{"type": "text", "text": blocks}]
            if m["role"] == "assistant":
                yield "assistant", [b.get("id") for b in blocks
                                    if b["type"] == "tool_use"]
            else:
                yield "user", texts([b for b in blocks if b["type"] == "text"])

    @staticmethod
    def offered(body):
        return {t["name"]: tool(t.get("input_schema")) for t in body.get("tools") or []}

    @staticmethod
    def wanted(body):
        return (body.get("output_format") or {}).get("schema")


class Gemini:
    @staticmethod
    def events(body):
        for c in body.get("contents", []):
            parts = c.get("parts", [])
            if c.get("role") == "model":
                yield "assistant", [p["functionCall"].get("id") for p in parts
                                    if "functionCall" in p]
            else:
                text = texts([p for p in parts if "text" in p])
                yield ("user", text) if text else ("result", None)

    @staticmethod
    def offered(body):
        return {f["name"]: tool(f.get("parametersJsonSchema") or f.get("parameters"))
                for t in body.get("tools") or []
                for f in t.get("functionDeclarations") or []}

    @staticmethod
    def wanted(body):
        g = body.get("generationConfig") or {}
        if g.get("responseMimeType") != "application/json":
            return None
        return g.get("responseJsonSchema") or g.get("responseSchema") or \
            {"type": "object"}


# --- answers ---------------------------------------------------------------------

def pieces(text, n=40):
    return [text[i:i + n] for i in range(0, len(text), n)] or [""]


def spent(size, answer):
    made = 20 + len(json.dumps(answer, ensure_ascii=False)) // 4
    return max(1, size // 4), made


def event(data, name=None):
    line = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return ("event: %s\n" % name if name else "") + "data: %s\n\n" % line


def args_text(call):
    return json.dumps(call["args"], ensure_ascii=False, separators=(",", ":"))


def say_chat(body, answer, size, stream):
    used, made = spent(size, answer)
    use = {"prompt_tokens": used, "completion_tokens": made,
           "total_tokens": used + made}
    calls = [{"id": "call_" + c["id"], "type": "function", "function": {
        "name": c["name"], "arguments": args_text(c)}} for c in answer["calls"]]
    finish = "tool_calls" if calls else "stop"
    head = {"id": "chatcmpl-" + answer["id"], "created": CREATED,
            "model": body.get("model", "stub")}
    if not stream:
        message = {"role": "assistant", "content": answer["text"] or None}
        if calls:
            message["tool_calls"] = calls
        yield {**head, "object": "chat.completion", "usage": use, "choices": [
            {"index": 0, "message": message, "finish_reason": finish}]}
        return

    def chunk(delta, finish=None):
        return event({**head, "object": "chat.completion.chunk", "choices": [
            {"index": 0, "delta": delta, "finish_reason": finish}]})
    yield chunk({"role": "assistant", "content": ""})
    for name, text in (("reasoning_content", answer["think"]),
                       ("content", answer["text"])):
        for p in pieces(text) if text else []:
            yield chunk({name: p})
    for i, c in enumerate(calls):
        yield chunk({"tool_calls": [{**c, "index": i, "function": {
            "name": c["function"]["name"], "arguments": ""}}]})
        for p in pieces(c["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": i, "function": {"arguments": p}}]})
    yield chunk({}, finish)
    if (body.get("stream_options") or {}).get("include_usage"):
        yield event({**head, "object": "chat.completion.chunk", "choices": [],
                     "usage": use})
    yield event("[DONE]")


def items_of(answer):
    """The output items of the Responses API."""
    if answer["think"]:
        yield {"id": "rs_" + answer["id"], "type": "reasoning",
               "summary": [{"type": "summary_text", "text": answer["think"]}],
               "encrypted_content": "gAAAAA" + token("sealed", answer["id"], n=80)}
    if answer["text"]:
        yield {"id": "msg_" + answer["id"], "type": "message", "status": "completed",
               "role": "assistant", "content": [
                   {"type": "output_text", "annotations": [], "text": answer["text"]}]}
    for c in answer["calls"]:
        said = {"type": "custom_tool_call", "input": c["input"]} if "input" in c else \
            {"type": "function_call", "arguments": args_text(c)}
        yield {"id": ("ctc_" if "input" in c else "fc_") + c["id"], **said,
               "status": "completed", "call_id": "call_" + c["id"], "name": c["name"]}


def say_responses(body, answer, size, stream):
    used, made = spent(size, answer)
    items = list(items_of(answer))
    response = {"id": "resp_" + answer["id"], "object": "response",
                "created_at": CREATED, "status": "completed", "error": None,
                "model": body.get("model", "stub"), "output": items,
                "usage": {"input_tokens": used, "output_tokens": made,
                          "input_tokens_details": {"cached_tokens": 0},
                          "output_tokens_details": {"reasoning_tokens": 0},
                          "total_tokens": used + made}}
    if not stream:
        yield response
        return

    def say(kind, **data):
        return event({"type": kind, **data}, kind)
    yield say("response.created", response={**response, "status": "in_progress",
                                            "output": [], "usage": None})
    for i, item in enumerate(items):
        at = {"item_id": item["id"], "output_index": i}
        begun = {k: v for k, v in item.items() if k not in ("input", "arguments")}
        if item["type"] == "message":
            begun["content"] = []
        yield say("response.output_item.added", output_index=i, item=begun)
        if item["type"] == "message":
            for p in pieces(answer["text"]):
                yield say("response.output_text.delta", **at, content_index=0, delta=p)
        yield say("response.output_item.done", output_index=i, item=item)
    yield say("response.completed", response=response)


def blocks_of(body, answer):
    """The content of an answer of the Messages API."""
    if answer["think"] and \
            (body.get("thinking") or {}).get("type") in ("enabled", "adaptive"):
        yield {"type": "thinking", "thinking": answer["think"],
               "signature": "EqQB" + token("signature", answer["id"], n=80)}
    if answer["text"]:
        yield {"type": "text", "text": answer["text"]}
    for c in answer["calls"]:
        yield {"type": "tool_use", "id": "toolu_01" + c["id"], "name": c["name"],
               "input": c["args"]}


def say_messages(body, answer, size, stream):
    used, made = spent(size, answer)
    blocks = list(blocks_of(body, answer))
    use = {"input_tokens": used, "cache_creation_input_tokens": 0,
           "cache_read_input_tokens": 0, "output_tokens": made}
    message = {"id": "msg_01" + answer["id"], "type": "message", "role": "assistant",
               "model": body.get("model", "stub"), "content": blocks, "usage": use,
               "stop_reason": "tool_use" if answer["calls"] else "end_turn"}
    if not stream:
        yield message
        return

    def say(kind, **data):
        return event({"type": kind, **data}, kind)
    yield say("message_start", message={**message, "content": [], "stop_reason": None})
    for i, b in enumerate(blocks):
        if b["type"] == "text":
            empty = {"text": ""}
            deltas = [{"type": "text_delta", "text": p} for p in pieces(b["text"])]
        elif b["type"] == "thinking":
            empty = {"thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": b["thinking"]},
                      {"type": "signature_delta", "signature": b["signature"]}]
        else:
            empty = {"input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": p}
                      for p in pieces(json.dumps(b["input"], ensure_ascii=False))]
        yield say("content_block_start", index=i, content_block={**b, **empty})
        for d in deltas:
            yield say("content_block_delta", index=i, delta=d)
        yield say("content_block_stop", index=i)
    yield say("message_delta", delta={"stop_reason": message["stop_reason"]}, usage=use)
    yield say("message_stop")


def say_gemini(body, answer, size, stream):
    used, made = spent(size, answer)
    parts = []
    if answer["think"]:
        parts.append({"text": answer["think"], "thought": True})
    if answer["text"]:
        parts += [{"text": p} for p in pieces(answer["text"])]
    for k, c in enumerate(answer["calls"]):
        part = {"functionCall": {"name": c["name"], "args": c["args"]}}
        if k == 0:                  # of parallel calls only the first is signed
            part["thoughtSignature"] = "CpQB" + token("sign", answer["id"], n=80)
        parts.append(part)

    def chunk(parts):
        return {"candidates": [{"index": 0, "finishReason": "STOP", "content": {
            "role": "model", "parts": parts}}], "modelVersion": body.get("model", "stub"),
            "responseId": answer["id"], "usageMetadata": {
                "promptTokenCount": used, "candidatesTokenCount": made,
                "totalTokenCount": used + made}}
    yield event(chunk(parts)) if stream else chunk(parts)


def of_path(path):
    """The reader and the writer of the API at this path."""
    for end, api in (("/chat/completions", (Chat, say_chat)),
                     ("/responses", (Responses, say_responses)),
                     ("/messages", (Messages, say_messages)),
                     (":generateContent", (Gemini, say_gemini)),
                     (":streamGenerateContent", (Gemini, say_gemini))):
        if path.endswith(end):
            return api
    return None
