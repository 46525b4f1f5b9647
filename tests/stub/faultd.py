#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An endpoint that fails in every way that a test can name.

    faultd.py LOG [CERT KEY]        (CERT and KEY, PEM files: speak TLS)

Listens on 127.0.0.1 at a free port, prints it, and answers each POST with the
fault that the first segment of its path names; the second segment identifies the
test.  Appends each request to LOG as a JSON line.  Exits when its standard input
ends, or after two minutes.  It needs only the standard library.
"""
import gzip
import json
import os
import re
import select
import socket
import ssl
import struct
import sys
import threading
import time

TEXT = "Summary: class 7B, report due on 2026-03-01."
USAGE = {"prompt_tokens": 3000, "completion_tokens": 12, "total_tokens": 3012}
LIFE = int(os.environ.get("STUB_LIFE", "120"))  # seconds


def packed(value):
    return json.dumps(value).encode()


def chat(text=TEXT, finish="stop", **more):
    """A complete answer in OpenAI's format."""
    message = {"role": "assistant", "content": text}
    answer = {"id": "c1", "object": "chat.completion", "model": "m",
              "choices": [{"index": 0, "message": message,
                           "finish_reason": finish}], "usage": USAGE}
    answer.update(more)
    return packed(answer)


def error(message, kind="server_error"):
    return packed({"error": {"message": message, "type": kind,
                             "param": None, "code": None}})


def head(status=200, kind="application/json", length=None, extra=()):
    lines = ["HTTP/1.1 %d Status" % status, "Content-Type: " + kind,
             "Connection: close"]
    if length is not None:
        lines.append("Content-Length: %d" % length)
    lines.extend(extra)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def reply(body, status=200, kind="application/json", extra=()):
    return head(status, kind, len(body), extra) + body


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


CHUNKED = ("Transfer-Encoding: chunked",)


def event(value, end="\n"):
    data = value if isinstance(value, str) else json.dumps(value)
    return ("data: " + data + end + end).encode()


def delta(text=None, finish=None):
    return {"id": "c1", "choices": [
        {"index": 0, "delta": {"content": text} if text else {},
         "finish_reason": finish}]}


def words():
    """TEXT as the events of a stream, without the final event."""
    return [event(delta(w + " ")) for w in TEXT.split(" ")[:-1]] + [
        event(delta(TEXT.split(" ")[-1]))]


def ending():
    return [event(delta(None, "stop")),
            event({"id": "c1", "choices": [], "usage": USAGE}),
            event("[DONE]")]


def stream(conn, events, end=True):
    conn.send(head(kind="text/event-stream", extra=CHUNKED))
    conn.send(b"".join(chunk(e) for e in events))
    if end:
        conn.send(b"0\r\n\r\n")


def anthropic(text=TEXT, stop="end_turn"):
    return packed({"type": "message", "role": "assistant", "model": "m",
                   "content": [{"type": "text", "text": text}],
                   "stop_reason": stop,
                   "usage": {"input_tokens": 3000, "output_tokens": 12}})


def anthropic_events():
    def one(kind, **more):
        return ("event: %s\n" % kind).encode() + event(dict(more, type=kind))
    return [one("message_start", message={"usage": {"input_tokens": 3000}}),
            one("ping"),
            one("content_block_start", index=0,
                content_block={"type": "text", "text": ""}),
            one("content_block_delta", index=0,
                delta={"type": "text_delta", "text": TEXT[:9]}),
            one("content_block_delta", index=0,
                delta={"type": "text_delta", "text": TEXT[9:]}),
            one("content_block_stop", index=0),
            one("message_delta", delta={"stop_reason": "end_turn"},
                usage={"output_tokens": 12}),
            one("message_stop")]


def ollama(text, done, **more):
    return packed(dict(more, model="m", done=done,
                       message={"role": "assistant", "content": text}))


def ollama_lines():
    return (ollama(TEXT[:5], False) + b"\n" + ollama(TEXT[5:], False) + b"\n" +
            ollama("", True, done_reason="stop", prompt_eval_count=3000,
                   eval_count=12) + b"\n")


class Conn:
    """A connection with functions to send, hang and break it."""

    def __init__(self, sock):
        self.sock = sock

    def send(self, data):
        self.sock.sendall(data)

    def hang(self):
        """Send nothing until the client disconnects, or for half a minute."""
        self.sock.settimeout(30)
        try:
            while self.sock.recv(4096):
                pass
        except OSError:
            pass

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                             struct.pack("ii", 1, 0))
        self.sock.close()

    def endless(self, first, more):
        self.send(first)
        for _ in range(4096):
            self.send(more)


# Faults that consist of bytes only. In a list, the n-th request gets the n-th
# entry, and later ones the last.
date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 4))
BYTES = {
    "ok": reply(chat()),
    "ok-parts": reply(chat([{"type": "text", "text": TEXT}])),
    "ok-gzip": reply(gzip.compress(chat()), extra=("Content-Encoding: gzip",)),
    "ok-unsized": head() + chat(),
    "ok-chunked": head(extra=CHUNKED) + b"".join(
        chunk(chat()[i:i + 7]) for i in range(0, len(chat()), 7)) +
    b"0\r\n\r\n",
    "ok-uncounted": reply(chat(usage=None)),
    "ok-spaced": reply(chat("\n  " + TEXT + "\n\n")),
    "429-once": [reply(error("slow down", "rate_limit_error"), 429,
                       extra=("Retry-After: 1",)), reply(chat())],
    "429-twice": [reply(error("slow down", "rate_limit_error"), 429)] * 2 +
    [reply(chat())],
    "429-date": [reply(error("slow down"), 429,
                       extra=("Retry-After: " + date,)), reply(chat())],
    "429-day": reply(error("slow down"), 429, extra=("Retry-After: 86400",)),
    "408-once": [reply(b"", 408), reply(chat())],
    "409-once": [reply(b"", 409), reply(chat())],
    "500": reply(error("boom"), 500),
    "502-html": reply(b"<html>Bad gateway</html>", 502, "text/html"),
    "503-once": [reply(b"", 503), reply(chat())],
    "529-once": [reply(packed({"type": "error", "error": {
        "type": "overloaded_error", "message": "Overloaded"}}), 529),
        reply(chat())],
    "400-context": reply(error("maximum context length is 8192 tokens",
                               "invalid_request_error"), 400),
    "400-once": [reply(error("no", "invalid_request_error"), 400),
                 reply(chat())],
    "400-control": reply(error("bad \x1b[31mred\x07"), 400),
    "401": reply(error("Incorrect API key provided: sk-test-0123456789",
                       "authentication_error"), 401),
    "403": reply(error("no"), 403),
    "404": reply(error("model not found"), 404),
    "422": reply(error("no"), 422),
    "204": head(204),
    "redirect-301": reply(b"", 301, extra=("Location: /ok/steal",)),
    "redirect-307": reply(b"", 307, extra=("Location: /ok/steal",)),
    "close-before": b"",
    "close-once": [b"", reply(chat())],
    "cut-length": reply(chat())[:-60],
    "cut-chunked": head(extra=CHUNKED) + chunk(chat()[:-60]),
    "cut-unsized": head() + chat()[:-60],
    "not-http": b"SSH-2.0-OpenSSH_9.2\r\n",
    "bad-utf8": reply(chat().replace(b"class 7B", b"cl\xff\xfe\xc3")),
    "lone-surrogate": reply(chat().replace(b"class 7B", b"\\ud800 x")),
    "nul": reply(chat().replace(b"class 7B", b"\\u0000")),
    "html": reply(b"<html>Log in</html>", 200, "text/html"),
    "two-values": reply(chat() + chat()),
    "error-string": reply(packed({"error": "Unexpected endpoint or method."})),
    "error-object": reply(error("no such model", "invalid_request_error")),
    "error-busy-once": [reply(error("overloaded")), reply(chat())],
    "empty": reply(b""),
    "empty-once": [reply(b""), reply(chat())],
    "empty-object": reply(b"{}"),
    "array": reply(b"[]"),
    "empty-text": reply(chat("")),
    "blank-text": reply(chat(" \n\t ")),
    "null-text": reply(chat(None)),
    "number-text": reply(chat(7)),
    "no-choices": reply(packed({"choices": []})),
    "no-finish": reply(chat(finish=None)),
    "filtered": reply(chat(finish="content_filter")),
    "tool-calls": reply(chat("I look for class 7B first.", "tool_calls")),
    "failed-once": [reply(chat("Summary: cl", "error")), reply(chat())],
    "length": reply(chat(finish="length")),
    "length-once": [reply(chat("Summary: cl", "length")), reply(chat())],
    "larger": reply(chat("and on it goes " * 4000)),
    "deep": reply(b"[" * 200000),
    "gzip-bomb": reply(gzip.compress(b" " * (64 << 20), 1),
                       extra=("Content-Encoding: gzip",)),
    "gzip-broken": reply(b"\x1f\x8bnonsense",
                         extra=("Content-Encoding: gzip",)),
    "big-header": head(extra=("X-Fill: " + "a" * 400000,)) + chat(),
    "many-headers": head(extra=("X-Fill: aaaaaaaaaaaaaaaa",) * 9000) + chat(),
    "anthropic": reply(anthropic()),
    "anthropic-length": reply(anthropic("Summ", "max_tokens")),
    "anthropic-refusal": reply(anthropic("", "refusal")),
    "anthropic-call": reply(anthropic("I look for class 7B first.",
                                      "tool_use")),
    "anthropic-error": reply(packed({"type": "error", "error": {
        "type": "invalid_request_error", "message": "no"}}), 400),
    "ollama": reply(ollama(TEXT, True, done_reason="stop",
                           prompt_eval_count=3000, eval_count=12)),
    "ollama-length": reply(ollama("Summary: cl", True, done_reason="length")),
    "ollama-error": reply(packed({"error": "model 'm' not found"}), 404),
    "ollama-lines": reply(ollama_lines(), kind="application/x-ndjson"),
    "ollama-cut": reply(ollama(TEXT, False) + b"\n"),
    "sse-crlf": head(kind="text/event-stream") + b"".join(
        words() + ending()).replace(b"\n", b"\r\n"),
    "sse-ignored": reply(chat()),
    "insights": reply(chat("```json\n" + json.dumps(
        {"summary": TEXT, "insights": ["Works with class 7B."]}) + "\n```")),
}


def sse(conn, _):
    stream(conn, words() + ending())


def sse_bytes(conn, _):
    """Single bytes, with comments, other fields and a split character."""
    data = b": ping\n\nevent: x\nid: 1\n" + b"".join(
        words() + [event(delta(" 学生"))] + ending())
    conn.send(head(kind="text/event-stream", extra=CHUNKED))
    for i in range(len(data)):
        conn.send(chunk(data[i:i + 1]))
    conn.send(b"0\r\n\r\n")


def sse_anthropic(conn, _):
    stream(conn, anthropic_events())


def sse_open(conn, _):
    """Send the final event and keep the connection open."""
    stream(conn, words() + ending(), end=False)
    conn.hang()


def sse_cut(conn, _):
    stream(conn, words()[:2], end=False)


def sse_no_end(conn, _):
    stream(conn, words())


def sse_error(conn, _):
    stream(conn, words()[:2] + [event({"error": {
        "message": "no", "type": "invalid_request_error"}})])


def sse_busy_once(conn, n):
    if n > 1:
        return sse(conn, n)
    return stream(conn, [event({"error": {"message": "overloaded",
                                          "type": "overloaded_error"}})])


def sse_stall(conn, _):
    stream(conn, words()[:2], end=False)
    conn.hang()


def sse_not_json(conn, _):
    stream(conn, words()[:2] + [event("{oops")])


def sse_endless(conn, _):
    conn.endless(head(kind="text/event-stream"), event(delta("x" * 65000)))


def reset_before(conn, _):
    conn.reset()


def reset_body(conn, _):
    conn.send(reply(chat())[:-60])
    time.sleep(0.05)
    conn.reset()


def hang(conn, _):
    conn.hang()


def hang_body(conn, _):
    conn.send(reply(chat())[:-60])
    conn.hang()


def trickle(conn, _):
    for byte in reply(chat()):
        conn.send(bytes([byte]))
        time.sleep(0.2)


def endless(conn, _):
    conn.endless(head(extra=CHUNKED), chunk(b"x" * 65536))


def prompt_cut(conn, _, body):
    """Read 600 tokens of any prompt, which only the usage reveals."""
    size = min(600, len(body) // 5)
    conn.send(reply(chat(usage={"prompt_tokens": size,
                                "completion_tokens": 12})))


# Answers to a first request, and to the one in which a summary is sent back.
PLAIN = reply(chat("A flight was booked for the user."))
BYTES.update({
    "plain": PLAIN,
    "blue": reply(chat("They take the blue house for its larger garden.")),
    "flight-blue": [reply(chat("Flight HAT140 was booked.")), reply(chat(
        "They take the blue house for its larger garden."))],
    "plain-dies": [PLAIN, b""],
    "plain-html": [PLAIN, BYTES["html"]],
    "plain-empty": [PLAIN, BYTES["empty-text"]],
    "plain-filtered": [PLAIN, BYTES["filtered"]],
    "plain-400": [PLAIN, BYTES["400-control"]],
    "wordy": reply(chat(" ".join(
        "The user was told that this is the reason for number %s." %
        chr(97 + i % 26) for i in range(40)))),
    "wordy-zh": reply(chat("".join(
        "用户已经知道这是原因%s。" % "甲乙丙丁"[i % 4] for i in range(60)))),
    "wordy-list": reply(chat("\n".join(
        "%d. It went on, and so did this" % i for i in range(1, 90)))),
    "wordy-items": reply(chat("\n".join(
        "%d. It went on; see e.g.this one." % i for i in range(1, 90)))),
    "runs-on": reply(chat("and on it goes " * 200)),
    "wordy-once": [reply(chat("and on it goes " * 200)), reply(chat())],
    "wordy-dies": [reply(chat("It is so. " * 200)), b""],
})


BYTES["cached"] = reply(chat(usage={
    "prompt_tokens": 3000, "completion_tokens": 12,
    "prompt_tokens_details": {"cached_tokens": 2000}}))
BYTES["length-cached"] = [reply(chat("Summary: cl", "length", usage={
    "prompt_tokens": 3000, "completion_tokens": 100})), BYTES["cached"]]
BYTES["length-400"] = [BYTES["length-cached"][0], BYTES["400-control"]]


def taught(conn, n, body):
    """Take what is named as missing into the second answer."""
    prompt = json.loads(body)["messages"][-1]["content"]
    named = re.search(r"<facts>\n(.*)</facts>", prompt, re.S)
    text = "A flight was booked for the user"
    for line in named.group(1).splitlines() if named else []:
        text += ", " + line.split(": ")[0]
    conn.send(reply(chat(text + ".")))


# What APIs say of a request of more tokens than fit, of which the server's own
# count is a fourth of the bytes.
TOO_LONG = {
    "long-openai": (400, "This model's maximum context length is {fits} "
                    "tokens. However, your messages resulted in {asked} "
                    "tokens."),
    "long-vllm": (400, "You passed {asked} input tokens and requested 100 "
                  "output tokens. However, the model's context length is "
                  "only {fits} tokens."),
    "long-anthropic": (400, "prompt is too long: {asked} tokens > {fits} "
                       "maximum"),
    "long-gemini": (400, "The input token count ({asked}) exceeds the maximum "
                    "number of tokens allowed ({fits})."),
    "long-llama": (400, "request ({asked} tokens) exceeds the available "
                   "context size ({fits} tokens), try increasing it"),
    "long-ollama": (400, "the input length exceeds the context length"),
    "long-large": (413, "prompt is too long"),
}
TOO_LONG["long-results"] = TOO_LONG["long-anthropic"]


def too_long(conn, fault, body):
    asked = len(body) // 4
    fits = 2600 if fault == "long-results" else 900
    status, text = TOO_LONG[fault]
    if asked > fits:
        text = text.format(asked=asked, fits=fits)
        conn.send(reply(error(text, "invalid_request_error"), status))
    elif fault == "long-anthropic":
        conn.send(reply(anthropic()))
    else:
        conn.send(reply(chat()))


# A block of data in a prompt ends at what looks like the end of its marker, even
# to somebody who reads carelessly.
BLOCK = re.compile(r"<([a-z-]+[0-9a-f-]*)>\n.*?<\s*/\s*\1\b\s*-?\s*>",
                   re.I | re.S)


def obey(conn, fault, body):
    """Follow an instruction outside of the blocks of data, or anywhere."""
    prompt = json.loads(body)["messages"][-1]["content"]
    if fault == "obey":
        prompt = BLOCK.sub("", prompt)
    conn.send(reply(chat("HIJACKED." if "HIJACKED" in prompt else TEXT)))


ACTIONS = {f.__name__.replace("_", "-"): f for f in (
    sse, sse_bytes, sse_anthropic, sse_open, sse_cut, sse_no_end, sse_error,
    sse_busy_once, sse_stall, sse_not_json, sse_endless, reset_before,
    reset_body, hang, hang_body, trickle, endless)}


class Server:
    def __init__(self, log, context):
        self.log = log
        self.context = context
        self.lock = threading.Lock()
        self.seen = {}

    def count(self, key):
        with self.lock:
            self.seen[key] = self.seen.get(key, 0) + 1
            return self.seen[key]

    def record(self, path, headers, body):
        line = json.dumps({"time": time.time(), "path": path,
                           "headers": headers,
                           "body": body.decode("utf-8", "replace")})
        with self.lock, open(self.log, "a", encoding="utf-8") as out:
            out.write(line + "\n")

    def answer(self, sock, path, body):
        fault, tag = (path.split("/") + ["", ""])[1:3]
        n = self.count((fault, tag))
        conn = Conn(sock)
        if fault in ACTIONS:
            ACTIONS[fault](conn, n)
        elif fault == "prompt-cut":
            prompt_cut(conn, n, body)
        elif fault in ("obey", "obey-all"):
            obey(conn, fault, body)
        elif fault == "taught":
            taught(conn, n, body)
        elif fault in TOO_LONG:
            too_long(conn, fault, body)
        else:
            data = BYTES.get(fault, reply(error("no such fault"), 404))
            conn.send(data if isinstance(data, bytes)
                      else data[min(n, len(data)) - 1])

    def serve(self, sock):
        try:
            sock.settimeout(30)
            if self.context:
                sock = self.context.wrap_socket(sock, server_side=True)
            path, headers, body = read_request(sock)
            self.record(path, headers, body)
            self.answer(sock, path, body)
        except (OSError, ValueError):
            pass
        finally:
            sock.close()


def read_request(sock):
    data = b""
    while b"\r\n\r\n" not in data:
        more = sock.recv(65536)
        if not more:
            raise ValueError("no request")
        data += more
    top, _, body = data.partition(b"\r\n\r\n")
    lines = top.decode("latin-1").split("\r\n")
    headers = {k.lower(): v.strip() for k, v in
               (line.split(":", 1) for line in lines[1:])}
    while len(body) < int(headers.get("content-length", 0)):
        more = sock.recv(65536)
        if not more:
            break
        body += more
    return lines[0].split(" ")[1], headers, body


def main():
    context = None
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
    server = Server(sys.argv[1], context)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    end = time.time() + LIFE
    while time.time() < end:
        ready = select.select([listener, sys.stdin], [], [], 1)[0]
        if sys.stdin in ready and not os.read(0, 1):
            return
        if listener in ready:
            sock, _ = listener.accept()
            threading.Thread(target=server.serve, args=(sock,),
                             daemon=True).start()


if __name__ == "__main__":
    main()
