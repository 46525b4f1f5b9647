# SPDX-License-Identifier: MIT
"""A model server that plays a script, for agents that are tested offline.

It answers the APIs that agents speak (apis.py), plain and as events, with the
tool calls and texts of scenario.json, and keeps the body of each request.  It has no
state: which step is next follows from the history in the request, so that retries,
resumed sessions and side requests do no harm.  It listens on 127.0.0.1 only.

A scenario is {"aside": TEXT, "prompts": [{"when": WORDS, "steps": [STEP, ...]}, ...],
"tools": {NAME: [FORM, ...]}}, a step {"think": TEXT, "text": TEXT, "calls": [{"do":
NAME, ...}, ...]}.  A request is answered with the prompt whose words are in its last
user message that has any, and the step after the calls that the history has of it.  A
request without tools, or without such words, is an aside, as for a title.  An action
is done by the first form whose tool is offered and whose arguments the tool has:

    {"name": TOOL, "args": {...}}   {word} in its strings is a word of the action, or
                                    abs, the path in the project's folder; a string
                                    that is only {word} keeps a number a number
    {"name": TOOL, "input": TEXT}   a tool that takes free text
    {"as": NAME, "set": {...}}      by another action, such as cat in a shell
"""
import gzip
import json
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import apis


def fill(template, words):
    """The template with each {word} replaced."""
    if isinstance(template, str):
        alone = re.fullmatch(r"\{(\w+)\}", template)
        if alone and alone[1] in words:
            return words[alone[1]]
        return re.sub(r"\{(\w+)\}", lambda m: str(words.get(m[1], m[0])), template)
    if isinstance(template, list):
        return [fill(x, words) for x in template]
    if isinstance(template, dict):
        return {k: fill(v, words) for k, v in template.items()}
    return template


class Scenario:
    def __init__(self, path, root):
        with open(path, encoding="utf-8") as f:
            data = json.load(f)
        self.prompts, self.tools = data["prompts"], data["tools"]
        self.aside, self.root = data["aside"], root
        # the ids of calls look like real ones, but each tells its step
        self.steps = {apis.token("call", p, s, k): (p, s)
                      for p, prompt in enumerate(self.prompts)
                      for s, step in enumerate(prompt["steps"])
                      for k in range(len(step.get("calls", [])))}

    def find(self, events):
        """The prompt that is worked on, and the number of its next step."""
        prompt, at = None, 0
        for i, (role, what) in enumerate(events):
            for p, candidate in enumerate(self.prompts):
                if role == "user" and candidate["when"] in what:
                    prompt, at = p, i
        known, runs, before = -1, 0, ""
        for role, what in events[at + 1:]:
            if role == "assistant":
                runs += before != "assistant"
                done = [self.steps.get(apis.bare_id(i), (-1, -1)) for i in what]
                known = max([known] + [s for p, s in done if p == prompt])
            before = role
        # an agent that has ids of its own is known by its answers
        return prompt, known + 1 if known >= 0 else runs

    def call(self, action, offered):
        """The first form of an action that the offered tools have."""
        words = {"why": "a step of the task", **action}
        if "path" in words:
            words["abs"] = os.path.normpath(os.path.join(self.root, words["path"]))
        for form in self.tools[action["do"]]:
            if "as" in form:
                other = {**words, **fill(form["set"], words), "do": form["as"]}
                done = self.call(other, offered)
                if done:
                    return done
                continue
            tool = offered.get(form["name"])
            if tool is None or tool["custom"] != ("input" in form):
                continue
            if tool["custom"]:
                return {"name": form["name"], "input": fill(form["input"], words)}
            args = fill(form["args"], words)
            if set(args) <= set(tool["properties"]):
                return {"name": form["name"], "args": args}
        return None

    def answer(self, reader, body):
        """What is said to this request, and the step, or None."""
        offered = reader.offered(body)
        prompt, step = self.find(list(reader.events(body)))
        if prompt is None or not offered:
            wanted = reader.wanted(body)
            text = json.dumps(apis.example(wanted)) if wanted else self.aside
            return {"text": text, "think": "", "calls": [],
                    "id": apis.token("aside", len(json.dumps(body)))}, None
        steps = self.prompts[prompt]["steps"]
        step = min(step, len(steps) - 1)
        script, calls = steps[step], []
        for k, action in enumerate(script.get("calls", [])):
            call = self.call(action, offered)
            if call is None:
                raise ValueError("no tool for %s" % action["do"])
            calls.append({**call, "id": apis.token("call", prompt, step, k)})
        return {"text": script.get("text", ""), "think": script.get("think", ""),
                "calls": calls, "id": apis.token("answer", prompt, step)}, \
            (prompt, step)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):       # pylint: disable=arguments-differ
        pass

    def send(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        if self.path.split("?")[0].endswith("/models"):
            self.send(200, {"object": "list", "models": [], "data": [
                {"id": "stub-model", "object": "model", "created": apis.CREATED,
                 "owned_by": "stub"}]})
        else:
            self.send(404, {"error": {"message": "no such page"}})

    def body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            raw = b"".join(iter(self.chunk, b""))
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        return raw

    def chunk(self):
        size = int(self.rfile.readline().split(b";")[0], 16)
        data = self.rfile.read(size)
        self.rfile.readline()
        return data

    def do_POST(self):
        path, raw = self.path.split("?")[0], self.body()
        api = apis.of_path(path)
        if api is None:
            self.send(404, {"error": {"message": "no such page"}})
            return
        reader, say = api
        body = json.loads(raw)
        try:
            answer, step = self.server.scenario.answer(reader, body)
        except ValueError as e:
            self.server.missing.append(str(e))
            self.send(500, {"error": {"message": str(e)}})
            return
        if step is not None:
            self.server.requests.append(body)
        stream = body.get("stream") or ":stream" in path
        said = say(body, answer, len(raw), stream)
        if stream:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for event in said:
                self.wfile.write(event.encode())
        else:
            self.send(200, next(said))
        self.close_connection = True


class Stub:
    """A server in a thread, which ends with the program."""

    def __init__(self, scenario, root):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.scenario = Scenario(scenario, root)
        self.server.requests, self.server.missing = [], []
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def taken(self):
        """The bodies of the requests since the last call that were no asides."""
        if self.server.missing:
            raise RuntimeError(self.server.missing[0])
        found = self.server.requests[:]
        del self.server.requests[:]
        return found
