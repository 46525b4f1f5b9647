# SPDX-License-Identifier: MIT
"""Reads a trace as conversations; functions shared by all writers."""
import datetime
import hashlib
import json
import string

LETTERS = string.digits + string.ascii_letters


def digest(*words):
    return hashlib.sha256("/".join(map(str, words)).encode()).digest()


def ident(prefix, length, *words, letters=LETTERS):
    """An id like those of providers, but the same in each run."""
    n = int.from_bytes(digest(prefix, *words), "big")
    out = ""
    for _ in range(length):
        n, k = divmod(n, len(letters))
        out += letters[k]
    return prefix + out


def uuid(*words):
    h = digest("uuid", *words).hex()
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:32]}"


def signature(*words, size=240):
    """A signature as long as a real one, but invalid."""
    import base64
    data = b"".join(digest("sign", *words, i) for i in range(size // 32 + 1))
    return base64.b64encode(data[:size]).decode()


def compact(obj):
    """JSON as JavaScript's JSON.stringify writes it."""
    return json.dumps(obj, ensure_ascii=False, separators=(",", ":"))


def spaced(obj):
    """JSON as Python's json.dumps writes it."""
    return json.dumps(obj)


class Convo:
    """A conversation: its lines, and its calls and results by number."""

    def __init__(self, trace, thread, agent):
        self.trace, self.thread, self.agent = trace, thread, agent
        self.lines, self.calls, self.results = [], {}, {}
        # the first message of a subagent contains all of its instructions
        self.system = trace.head.get("system") if agent is None else None

    @property
    def name(self):
        return self.thread or self.agent or "main"

    def take(self, line):
        self.lines.append(line)
        for call in line.get("calls", ()):
            self.calls[call["n"]] = call
        if line["kind"] == "result":
            self.results[line["call"]] = line

    def said(self):
        """(kind, line) without events; the results of a turn are one list."""
        results = []
        for line in self.lines:
            if line["kind"] == "result":
                results.append(line)
                continue
            if line["kind"] not in ("user", "assistant", "system"):
                continue
            if results:
                yield "results", results
                results = []
            yield line["kind"], line
        if results:
            yield "results", results

    def id(self, n, prefix, length, own=False):
        """The id of call n; with own, the server's if the trace has it."""
        if own and "id" in self.calls[n]:
            return self.calls[n]["id"]
        return ident(prefix, length, self.trace.name, n)


class Trace:
    def __init__(self, path, until=None):
        """Read the trace up to the first event of the kind `until`."""
        with open(path, encoding="utf-8") as f:
            lines = [json.loads(line) for line in f]
        for i, line in enumerate(lines):
            if until is not None and line.get("kind") == until:
                del lines[i:]
                break
        self.head, self.lines = lines[0], lines[1:]
        self.name = self.head["name"]
        self.start = datetime.datetime.fromisoformat(
            self.head["start"].replace("Z", "+00:00"))
        self.convos = {}
        for line in self.lines:
            key = (line.get("thread"), line.get("agent"))
            if key not in self.convos:
                self.convos[key] = Convo(self, *key)
            self.convos[key].take(line)

    def time(self, at):
        t = self.start + datetime.timedelta(seconds=at)
        return t.strftime("%Y-%m-%dT%H:%M:%S.") + f"{t.microsecond // 1000:03d}Z"


def prompt(writer, text):
    """The system prompt as the writer's member beside the messages."""
    return writer.prompt(text) if hasattr(writer, "prompt") else text


def pictures(line):
    return line.get("images") or []
