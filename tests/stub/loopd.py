#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model that works with tools, behind each of four APIs, as streams.

    loopd.py LOG

Listens on 127.0.0.1 at a free port, prints it, and answers each POST to /API/...
(openai, openai-responses, anthropic, gemini): a request without results with a text
and two calls, one with results with a text that has them.  A request that the API
would refuse gets its error.  Of a path with "busy", the first request gets an error
that passes; with "cut", the first stream ends in the middle.  Appends each request to
LOG as a JSON line.  Exits when its standard input ends, or after two minutes.  It
needs only the standard library.
"""
import http.server
import itertools
import json
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import validate  # noqa: E402

LIFE = int(os.environ.get("STUB_LIFE", "120"))  # seconds
CALLS = [("call_1", "ls", {"path": "."}), ("call_2", "cat", {"path": "a b"})]


def results(api, request):
    """The texts of the results in a request, in order."""
    key = validate.RULES[api][0]
    for m in request[key]:
        if m.get("role") == "tool":
            yield m["content"]
        elif m.get("type") == "function_call_output":
            yield m["output"]
        elif api == "gemini":
            for p in m["parts"]:
                if "functionResponse" in p:
                    yield "".join(p["functionResponse"]["response"].values())
        elif isinstance(m.get("content"), list):
            for b in m["content"]:
                if b["type"] == "tool_result":
                    yield b["content"]


def halves(text):
    n = len(text) // 2
    return [text[:n], text[n:]]


def openai(text, calls):
    deltas = [{"role": "assistant", "content": ""}]
    deltas += [{"content": t} for t in halves(text)]
    for i, (ident, name, args) in enumerate(calls):
        deltas.append({"tool_calls": [{
            "index": i, "id": ident, "type": "function",
            "function": {"name": name, "arguments": ""}}]})
        deltas += [{"tool_calls": [{"index": i, "function": {
            "arguments": t}}]} for t in halves(json.dumps(args))]
    for d in deltas:
        yield {"choices": [{"index": 0, "delta": d, "finish_reason": None}]}
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason":
                        "tool_calls" if calls else "stop"}]}
    yield {"choices": [], "usage": {"prompt_tokens": 9,
                                    "completion_tokens": 5}}


def anthropic(text, calls):
    yield {"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
        "content": [], "stop_reason": None, "usage": {
            "input_tokens": 9, "output_tokens": 1}}}
    blocks = [({"type": "text", "text": ""}, "text_delta", "text", text)]
    blocks += [({"type": "tool_use", "id": ident, "name": name, "input": {}},
                "input_json_delta", "partial_json", json.dumps(args))
               for ident, name, args in calls]
    for i, (block, kind, key, value) in enumerate(blocks):
        yield {"type": "content_block_start", "index": i,
               "content_block": block}
        for t in halves(value):
            yield {"type": "content_block_delta", "index": i,
                   "delta": {"type": kind, key: t}}
        yield {"type": "content_block_stop", "index": i}
    yield {"type": "message_delta", "delta": {
        "stop_reason": "tool_use" if calls else "end_turn"},
        "usage": {"output_tokens": 5}}
    yield {"type": "message_stop"}


def responses(text, calls):
    n = next(number)
    items = [{"id": "msg_%d" % n, "type": "message", "status": "completed",
              "role": "assistant", "content": [
                  {"type": "output_text", "text": text, "annotations": []}]}]
    items += [{"id": "fc_%d_%s" % (n, ident), "type": "function_call", "status":
               "completed", "call_id": ident, "name": name, "arguments":
               json.dumps(args)} for ident, name, args in calls]
    yield {"type": "response.created", "response": {
        "id": "resp_1", "status": "in_progress", "output": []}}
    for i, item in enumerate(items):
        yield {"type": "response.output_item.added", "output_index": i,
               "item": dict(item, status="in_progress", **(
                   {"content": []} if i == 0 else {"arguments": ""}))}
        for t in halves(text if i == 0 else item["arguments"]):
            yield {"type": "response.output_text.delta" if i == 0 else
                   "response.function_call_arguments.delta",
                   "output_index": i, "content_index": 0, "delta": t}
        yield {"type": "response.output_item.done", "output_index": i,
               "item": item}
    yield {"type": "response.completed", "response": {
        "id": "resp_1", "status": "completed", "error": None, "output": items,
        "usage": {"input_tokens": 9, "output_tokens": 5}}}


def gemini(text, calls):
    parts = [[{"text": t}] for t in halves(text)]
    parts.append([{"functionCall": {"name": name, "args": args},
                   "thoughtSignature": "c2ln"} for _, name, args in calls])
    for p in parts:
        yield {"candidates": [{"content": {"role": "model", "parts": p}}]}
    yield {"candidates": [{"content": {"role": "model", "parts": [
        {"text": ""}]}, "finishReason": "STOP"}], "usageMetadata": {
            "promptTokenCount": 9, "candidatesTokenCount": 5}}


APIS = {"openai": openai, "anthropic": anthropic, "gemini": gemini,
        "openai-responses": responses}
ENDS = {"openai": b"data: [DONE]\n\n"}
lock = threading.Lock()
number = itertools.count(1)
seen = {}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def refuse(self, status, message, kind, state):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps({"error": {
            "type": kind, "code": status, "message": message,
            "status": state}}).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = json.loads(body)
        with lock:
            seen[self.path] = count = seen.get(self.path, 0) + 1
            with open(sys.argv[1], "a") as log:
                log.write(body.decode().rstrip("\n") + "\n")
        api = self.path.split("/")[1]
        key, rule = validate.RULES[api]
        faults = list(rule(request[key], True))
        if faults or (api != "gemini" and request.get("stream") is not True):
            self.refuse(400, "; ".join(faults) or "no stream",
                        "invalid_request_error", "INVALID_ARGUMENT")
            return
        if "busy" in self.path and count == 1:
            self.refuse(503, "Overloaded", "overloaded_error", "UNAVAILABLE")
            return
        got = list(results(api, request))
        events = APIS[api]("Got %s." % " and ".join(got) if got else
                           "Let me look.", [] if got else CALLS)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for i, e in enumerate(events):
            if "cut" in self.path and count == 1 and i == 3:
                return
            self.wfile.write(b"data: %s\n\n" % json.dumps(e).encode())
        self.wfile.write(ENDS.get(api, b""))


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    threading.Timer(LIFE, lambda: os._exit(0)).start()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


main()
