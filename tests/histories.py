#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random histories of every dialect; the same seed gives the same ones.

    histories.py DIALECT SEED N [sound | links | any]

writes N conversations, one on each line; of dialects that are session logs, the
lines of one after the other.  They are random traces, in the words of the
writers of tests/data/logs.

    sound   valid for the API (the default)
    links   with messages dropped, repeated and reordered, and ids swapped and
            reused
    any     also with members that are null, empty, missing, of another type or
            unknown, and with unknown parts

As a module: histories(dialect, seed, n, how) yields them as lists of messages,
or of records.
"""
import datetime
import importlib
import json
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "data", "logs", "writers"))
import common                                                   # noqa: E402

# the member that a conversation's messages are in; the other dialects are logs
LISTS = {"openai": "messages", "openai-responses": "input",
         "anthropic": "messages", "gemini": "contents",
         "langchain": "messages", "pydantic-ai": "messages",
         "ai-sdk": "messages", "sharegpt": "conversations",
         "bedrock": "messages", "cohere": "messages", "ollama": "messages",
         "mistral": "messages"}
TEXTS = ["ok", "an é and 😀", "line\nline", " x ", "1.10", "日本語", "a\tb",
         "\"quoted\" \\ and /", "{\"a\":1}", "[1,2]", "null",
         "a longer text that no other message has: %d"]
TOOLS = [("shell", lambda r: {"command": words(r), "why": "to see"}),
         ("read_file", lambda r: {"path": "a/" + words(r)}),
         ("grep", lambda r: {"pattern": words(r), "path": "."}),
         ("fetch", lambda r: {"url": "https://a.example/", "n": 1.50,
                              "deep": {"l": [1, "x", None, {"y": True}]}})]
PICTURE = {"type": "image/png", "data":
           "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgAB"
           "SK+kcQAAAABJRU5ErkJggg=="}


def words(r):
    t = r.choice(TEXTS)
    return t % r.randrange(10 ** 6) if "%d" in t else t


class Trace(common.Trace):
    """A random trace, as the players' are."""

    def __init__(self, r, name):
        self.head = {"name": name, "folder": "/home/dev/x",
                     "start": "2026-03-01T10:00:00Z"}
        if r.random() < 0.5:
            self.head["system"] = "Be brief. " + words(r)
        self.name = name
        self.start = datetime.datetime.fromisoformat("2026-03-01T10:00:00+00:00")
        self.lines, self.calls = [], 0
        convo = common.Convo(self, None, None)
        for line in self.play(r):
            line["at"] = len(self.lines) * 1.25
            self.lines.append(line)
            convo.take(line)
        self.convos = {(None, None): convo}

    def play(self, r):
        for _ in range(r.choice([1, 1, 2, 3, 5])):
            line = {"kind": "user", "text": words(r)}
            if r.random() < 0.15:
                line["images"] = [PICTURE]
            yield line
            for _ in range(r.choice([0, 1, 1, 2, 4])):
                calls = self.some_calls(r)
                line = {"kind": "assistant", "calls": calls}
                if r.random() < 0.6:
                    line["text"] = words(r)
                if r.random() < 0.3:
                    line["think"] = "I think: " + words(r)
                yield line
                for c in r.sample(calls, len(calls)):
                    yield self.result(r, c)
            yield {"kind": "assistant", "text": words(r)}

    def some_calls(self, r):
        calls = []
        for _ in range(r.choice([1, 1, 1, 2, 3])):
            tool, args = r.choice(TOOLS)
            self.calls += 1
            calls.append({"n": self.calls, "tool": tool, "args": args(r)})
        return calls

    @staticmethod
    def result(r, call):
        text = words(r)
        if len(text) % 4 == 0:
            text = json.dumps([{"text": text, "n": i} for i in range(4)],
                              indent=len(text) % 8)
        line = {"kind": "result", "call": call["n"], "text": text}
        if r.random() < 0.1:
            line["failed"] = True
        if r.random() < 0.1:
            line["images"] = [PICTURE]
        return line


# --- faults ------------------------------------------------------------------

def nodes(v, kind):
    """All objects or lists in v, with v itself."""
    if isinstance(v, kind):
        yield v
    inner = v.values() if isinstance(v, dict) else \
        v if isinstance(v, list) else ()
    for e in inner:
        yield from nodes(e, kind)


def drop(r, msgs):
    del msgs[r.randrange(len(msgs))]


def repeat(r, msgs):
    msgs.insert(r.randrange(len(msgs)),
                json.loads(json.dumps(r.choice(msgs))))


def reorder(r, msgs):
    i, k = r.randrange(len(msgs)), r.randrange(len(msgs))
    msgs[i], msgs[k] = msgs[k], msgs[i]


def swap_ids(r, msgs):
    ids = [(d, k) for d in nodes(msgs, dict) for k, v in d.items()
           if isinstance(v, str) and k.lower().endswith("id")]
    if len(ids) > 1:
        (a, i), (b, k) = r.sample(ids, 2)
        a[i], b[k] = b[k], a[i]


def reuse_id(r, msgs):
    ids = [(d, k) for d in nodes(msgs, dict) for k, v in d.items()
           if isinstance(v, str) and k.lower().endswith("id")]
    if len(ids) > 1:
        (a, i), (b, k) = r.sample(ids, 2)
        a[i] = b[k]


def some_member(r, msgs):
    d = r.choice([d for d in nodes(msgs, dict) if d] or [{"": 0}])
    return d, r.choice(list(d))


def null(r, msgs):
    d, k = some_member(r, msgs)
    d[k] = None


def empty(r, msgs):
    d, k = some_member(r, msgs)
    d[k] = {str: "", list: [], dict: {}}.get(type(d[k]), "")


def missing(r, msgs):
    d, k = some_member(r, msgs)
    del d[k]


def other_type(r, msgs):
    d, k = some_member(r, msgs)
    d[k] = r.choice([7, 1.50, True, "text", ["text"], [{"a": 1}], {"a": [1]}])


def unknown_member(r, msgs):
    d, _ = some_member(r, msgs)
    d[r.choice(["novel", "x-y", "~/"])] = r.choice(
        [1, "said %d" % r.randrange(10 ** 9), {"a": [1, 2]}, None])


def unknown_part(r, msgs):
    lists = [v for v in nodes(msgs, list) if v and isinstance(v[0], dict)]
    if lists:
        v = r.choice(lists)
        v.insert(r.randrange(len(v) + 1),
                 {"type": "novel", "what": "part %d" % r.randrange(10 ** 9)})


def instruct(r, msgs):
    msgs.insert(r.randrange(len(msgs) + 1), {
        "role": "system", "content": "Mind " + words(r)})


LINKS = [drop, repeat, reorder, swap_ids, reuse_id]
ANY = LINKS + [null, null, empty, empty, missing, other_type, unknown_member,
               unknown_part, instruct]


def harm(r, msgs, how):
    for _ in range(r.choice([0, 1, 1, 2, 4])):
        if msgs:
            r.choice(LINKS if how == "links" else ANY)(r, msgs)


# --- histories ---------------------------------------------------------------

def histories(dialect, seed, n, how="sound"):
    w = importlib.import_module(dialect.replace("-", "_"))
    for i in range(n):
        name = f"{seed}.{i}"
        r = random.Random(name + dialect)
        trace = Trace(r, name)
        if w.LIST is None:
            msgs = list(w.log(trace, None) if dialect == "codex"
                        else w.log(trace))
        else:
            msgs = list(w.messages(trace.convos[None, None]))
        msgs = json.loads(json.dumps(msgs))
        if how != "sound":
            harm(r, msgs, how)
        yield msgs


def wrap(dialect, seed, i, msgs):
    """A conversation line; some with the system prompt and other members."""
    w = importlib.import_module(dialect.replace("-", "_"))
    r = random.Random(f"{seed}.{i}")
    line = {"n": 1.0} if r.random() < 0.5 else {}
    if r.random() < 0.5 and hasattr(w, "SYSTEM"):
        line[w.SYSTEM] = common.prompt(w, "Be brief.")
    line[w.LIST] = msgs
    return line


def main():
    dialect, seed, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    how = sys.argv[4] if len(sys.argv) > 4 else "sound"
    w = importlib.import_module(dialect.replace("-", "_"))
    for i, msgs in enumerate(histories(dialect, seed, n, how)):
        for line in msgs if w.LIST is None else [wrap(dialect, seed, i, msgs)]:
            print(json.dumps(line, ensure_ascii=i % 2 == 0))


if __name__ == "__main__":
    main()
