#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An endpoint for vectors that can also fail in many ways.

    embedd.py LOG

Listens on 127.0.0.1 at a free port, prints it, and answers each POST as the
first segment of its path says; the second one identifies the test.  Appends each
request to LOG as a JSON line.  Exits when its standard input ends, or after two
minutes.  It needs only the standard library.

A vector has four numbers: how many words of the text are about vehicles, animals
and the weather, and a small number for its length.  The words of a question
therefore show which texts are most similar to it.
"""
import base64
import http.server
import json
import os
import struct
import sys
import threading
import time

LIFE = int(os.environ.get("STUB_LIFE", "120"))  # seconds
TOPICS = [
    ["car", "automobile", "truck", "汽车", "卡车", "engine"],
    ["cat", "kitten", "feline", "dog", "猫", "owl"],
    ["rain", "drizzle", "storm", "umbrella", "下雨"],
]


def vector(text):
    text = text.lower()
    return [float(sum(text.count(w) for w in topic)) for topic in TOPICS] + [
        0.1 + len(text) / 10000]


def packed(v):
    return base64.b64encode(struct.pack("<%df" % len(v), *v)).decode()


def whole(vectors):
    return {"object": "list", "model": "m", "data": [
        {"object": "embedding", "index": i, "embedding": v}
        for i, v in enumerate(vectors)]}


def error(message):
    return {"error": {"message": message, "type": "server_error"}}


def backwards(vs):
    answer = whole(vs)
    answer["data"].reverse()
    return answer


# Name: status, and the body made from the vectors; bytes are sent unchanged.
ANSWERS = {
    "ok": (200, whole),
    "base64": (200, lambda vs: whole([packed(v) for v in vs])),
    "backwards": (200, backwards),
    "wide": (200, lambda vs: whole([v + [1.0, 1.0] for v in vs])),
    "short": (200, lambda vs: whole(vs[:-1])),
    "twice": (200, lambda vs: {"data": [
        {"index": 0, "embedding": v} for v in vs]}),
    "uneven": (200, lambda vs: whole([v + [1.0] * i
                                      for i, v in enumerate(vs)])),
    "zero": (200, lambda vs: whole([[0.0] * 4 for v in vs])),
    "words": (200, lambda vs: whole([["a", "b"] for v in vs])),
    "none": (200, lambda vs: whole([[] for v in vs])),
    "huge": (200, lambda vs: whole([[1e300, 1e300] for v in vs])),
    "badbase64": (200, lambda vs: whole(["A*==" for v in vs])),
    "nodata": (200, lambda vs: {"object": "list"}),
    "garbage": (200, lambda vs: b"<html>it works</html>"),
    "cut": (200, lambda vs: json.dumps(whole(vs)).encode()[:-9]),
    "empty": (200, lambda vs: b""),
    "error200": (200, lambda vs: error("model is not loaded")),
    "400": (400, lambda vs: error("input is too long")),
    "401": (401, lambda vs: error("wrong key sk-test-0123456789")),
    "500": (500, lambda vs: error("boom")),
    "429": (429, lambda vs: error("slow down")),
}

lock = threading.Lock()
seen = {}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        request = json.loads(body)
        with lock:
            seen[self.path] = count = seen.get(self.path, 0) + 1
            with open(sys.argv[1], "a") as log:
                log.write(json.dumps({
                    "path": self.path, "model": request.get("model"),
                    "n": len(request["input"]), "input": request["input"],
                    "format": request.get("encoding_format"),
                    "key": self.headers.get("Authorization")},
                    ensure_ascii=False) + "\n")
        name = self.path.split("/")[1]
        vectors = [vector(t) for t in request["input"]]
        # NAME-then-OTHER: the first request gets the answer NAME, later ones
        # OTHER; die-N: the connection is closed at the N-th request; wait: the
        # answer comes when there is a file LOG.go
        if "-then-" in name:
            name = name.split("-then-")[0 if count == 1 else 1]
        if name.startswith("die-"):
            if count >= int(name[4:]):
                self.connection.close()
                os._exit(0)
            name = "ok"
        while name == "wait" and not os.path.exists(sys.argv[1] + ".go"):
            time.sleep(0.01)
        status, make = ANSWERS["ok" if name == "wait" else name]
        answer = make(vectors)
        if not isinstance(answer, bytes):
            answer = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    threading.Timer(LIFE, lambda: os._exit(0)).start()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


main()
