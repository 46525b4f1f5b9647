#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Histories of OpenAI chat as the exports of chat programs have them.

    exports.py chatgpt|claude-ai SEED OPENAI-LINES...

Reads one conversation of message lines from each file and writes a list of
conversations in the form of the export: with branches that lead nowhere, some of
them in the middle of a turn, and for ChatGPT with the elements in no order.

    exports.py said OPENAI-LINES-OR-CONVERSATIONS...

prints what is said in each conversation without its system prompt, one thing a
line, each call with its result: as JSON.  Texts of one side that follow each other
are joined.
"""
import json
import random
import sys


def texts(content):
    if isinstance(content, list):
        return "\n".join(p.get("text", "") for p in content)
    return content or ""


class Chatgpt:
    def __init__(self, rng):
        self.rng, self.nodes = rng, []

    def add(self, parent, role, content, name=None, to="all"):
        node = {"id": "n%d" % len(self.nodes), "parent": parent, "children": [],
                "message": {"id": "m", "author": {"role": role, "name": name,
                            "metadata": {}}, "content": content, "weight": 1,
                            "recipient": to, "metadata": {}, "end_turn": None}}
        self.nodes.append(node)
        return node["id"]

    def text(self, parent, role, text):
        return self.add(parent, role, {"content_type": "text", "parts": [text]})

    def message(self, parent, m, results):
        """The element that ends what m says; each call has its result."""
        text = texts(m.get("content"))
        if text:
            parent = self.text(parent, m["role"], text)
        for c in m.get("tool_calls") or []:
            name = c["function"]["name"]
            parent = self.add(parent, "assistant", {
                "content_type": "code", "language": "json",
                "text": c["function"]["arguments"]}, to=name)
            head, _, rest = results[c["id"]].partition("\n")
            # the tool may say several things
            for text in [head, rest] if head and rest else [results[c["id"]]]:
                if self.rng.random() < 0.3:
                    self.add(parent, "tool", {"content_type": "text",
                                              "parts": ["another try"]}, name)
                parent = self.add(parent, "tool", {
                    "content_type": "execution_output", "text": text}, name)
        return parent

    def write(self, messages):
        at = root = "root"
        results = {m["tool_call_id"]: texts(m["content"]) for m in messages
                   if m["role"] == "tool"}
        for m in messages:
            if m["role"] == "tool":
                continue
            for _ in range(self.rng.choice([0, 0, 1, 3])):
                beside = self.text(at, "user", "beside the branch")
                self.text(beside, "assistant", "nobody reads this")
            at = self.message(at, m, results)
        self.nodes.append({"id": root, "parent": None, "message": None,
                           "children": []})
        by_id = {n["id"]: n for n in self.nodes}
        for n in self.nodes:
            if n["parent"] in by_id:
                by_id[n["parent"]]["children"].append(n["id"])
        self.rng.shuffle(self.nodes)
        return {"title": "t", "mapping": {n["id"]: n for n in self.nodes},
                "current_node": at}


class ClaudeAi:
    def __init__(self, rng):
        self.rng, self.out = rng, []

    def add(self, parent, sender, blocks):
        uuid = "u%d" % len(self.out)
        self.out.append({"uuid": uuid, "parent_message_uuid": parent, "text": "",
                         "sender": sender, "content": blocks, "attachments": [],
                         "files": []})
        return uuid

    def write(self, messages):
        at, blocks = "00000000-0000-4000-8000-000000000000", []

        def flush(at):
            if blocks:
                at = self.add(at, "assistant", list(blocks))
                blocks.clear()
            return at
        for m in messages:
            text = texts(m.get("content"))
            if m["role"] == "user":
                at = flush(at)
                for _ in range(self.rng.choice([0, 0, 1, 2])):
                    self.add(self.add(at, "human", [
                        {"type": "text", "text": "beside the branch"}]),
                        "assistant", [])
                at = self.add(at, "human", [{"type": "text", "text": text}])
                continue
            if m["role"] == "tool":
                blocks.append({"type": "tool_result", "name": "x",
                               "tool_use_id": m["tool_call_id"],
                               "content": [{"type": "text", "text": text}]})
                continue
            if text:
                blocks.append({"type": "text", "text": text, "citations": []})
            for c in m.get("tool_calls") or []:
                blocks.append({"type": "tool_use", "id": c["id"],
                               "name": c["function"]["name"],
                               "input": json.loads(c["function"]["arguments"])})
        at = flush(at)
        return {"uuid": "c", "name": "n", "chat_messages": self.out,
                "current_leaf_message_uuid": at}


def said(messages):
    results = {m["tool_call_id"]: texts(m["content"]) for m in messages
               if m["role"] == "tool"}
    rows = []
    for m in messages:
        if m["role"] in ("user", "assistant") and texts(m.get("content")):
            row = [m["role"], texts(m["content"])]
            if rows and rows[-1][0] == row[0]:
                row[1] = rows.pop()[1] + "\n" + row[1]
            rows.append(row)
        for c in m.get("tool_calls") or []:
            rows.append([c["function"]["name"],
                         json.loads(c["function"]["arguments"]), results[c["id"]]])
    for row in rows:
        print(json.dumps(row))


def main():
    if sys.argv[1] == "said":
        for name in sys.argv[2:]:
            with open(name, encoding="utf-8") as f:
                lines = [json.loads(line) for line in f]
            for c in [v for v in lines if "messages" in v] or [{"messages": lines}]:
                said(c["messages"])
        return
    form = {"chatgpt": Chatgpt, "claude-ai": ClaudeAi}[sys.argv[1]]
    rng = random.Random(int(sys.argv[2]))
    out = []
    for name in sys.argv[3:]:
        with open(name, encoding="utf-8") as f:
            messages = [json.loads(line) for line in f]
        out.append(form(rng).write([m for m in messages if m["role"] != "system"]))
    json.dump(out, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main()
