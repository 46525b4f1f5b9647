#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random histories like those that agents, crashes and careless programs leave.

    gen.py SEED openai|anthropic COUNT      one conversation on each line

Ids are reused (within a turn or a conversation) or empty.  Calls are parallel,
partly answered, or answered twice, before or long after they are made, with
messages in between.  Results are split over messages and mixed with text.
Blocks and messages are empty.  A quarter of the histories is valid except for
ids.  The same seed gives the same bytes with every version of Python 3.
"""
import json
import random
import sys

WORDS = ["alpha", "beta", "日本語", "naïve", "x" * 40, "line\nline", "\t",
         "\"quoted\"", "a\\b", "🙂", "", " ", "0"]


class Gen:
    def __init__(self, seed, dialect):
        self.rnd = random.Random(seed)
        self.openai = dialect == "openai"
        self.damage = self.rnd.choice([0, 0.05, 0.3, 0.8])
        self.pool = [f"call_{i}" for i in range(self.rnd.choice([1, 3, 99]))]
        self.out = []

    def chance(self, p):
        return self.rnd.random() < p

    def bad(self, p=1.0):
        return self.chance(self.damage * p)

    def text(self, may_be_empty=True):
        n = self.rnd.randrange(0 if may_be_empty and self.bad() else 1, 4)
        s = " ".join(self.rnd.choice(WORDS) for _ in range(n))
        return s if s.strip() or may_be_empty and self.bad() else s + "t"

    def some_id(self):
        if self.bad(0.05):
            return ""
        return self.rnd.choice(self.pool)

    def add(self, message):
        if self.chance(0.1):
            message = dict(reversed(list(message.items())))
        if self.chance(0.1):
            message["n"] = self.rnd.choice([1.5, None, [], {"a": 1}])
        self.out.append(message)

    # --- messages ------------------------------------------------------

    def system(self):
        if self.openai:
            self.add({"role": self.rnd.choice(["system", "developer"]),
                      "content": self.text()})

    def user(self):
        text = self.text()
        if self.chance(0.5):
            self.add({"role": "user", "content": text})
        else:
            blocks = [{"type": "text", "text": self.text()}
                      for _ in range(self.rnd.randrange(1, 3))]
            if self.bad(0.2):
                blocks = []
            self.add({"role": "user", "content": blocks})

    def say(self):
        content = self.text()
        if not self.openai and self.chance(0.5):
            content = [{"type": "text", "text": content}]
            if self.chance(0.3):
                content.insert(0, self.thinking())
        elif self.bad(0.2):
            content = None if self.openai else []
        m = {"role": "assistant", "content": content}
        if self.openai and self.bad(0.2):
            m["tool_calls"] = []
        self.add(m)

    def thinking(self):
        if self.chance(0.2):
            return {"type": "redacted_thinking", "data": "AAAA"}
        return {"type": "thinking", "thinking": self.text(False),
                "signature": "c2ln"}

    def calls(self):
        """Add an assistant message with calls; return their ids."""
        n = self.rnd.choice([1, 1, 1, 2, 3, 5])
        ids = [self.some_id() for _ in range(n)]
        if not self.bad(0.5):
            ids = list(dict.fromkeys(ids))
        if self.openai:
            self.add({"role": "assistant",
                      "content": self.rnd.choice([None, "", self.text()]),
                      "tool_calls": [
                          {"id": i, "type": "function", "function": {
                              "name": self.rnd.choice(["ls", "cat"]),
                              "arguments": self.rnd.choice(
                                  ["{}", "{\"a\":1}", "{broken"])}}
                          for i in ids]})
            return ids
        content = [{"type": "tool_use", "id": i, "name": "ls", "input": {}}
                   for i in ids]
        if self.chance(0.5):
            content.insert(0, {"type": "text", "text": self.text()})
        if self.chance(0.3):
            content.insert(0, self.thinking())
        self.add({"role": "assistant", "content": content})
        return ids

    def answer(self, ids):
        """Add results for ids, in one or several messages."""
        ids = list(ids)
        if self.chance(0.3):
            self.rnd.shuffle(ids)
        if self.openai:
            for i in ids:
                content = self.text()
                if self.chance(0.2):
                    content = [{"type": "text", "text": content}]
                self.add({"role": "tool", "tool_call_id": i,
                          "content": content})
                if self.bad(0.2):
                    self.rnd.choice([self.user, self.system])()
            return
        while ids:
            n = len(ids)
            if self.bad():
                n = self.rnd.randrange(1, n + 1)
            blocks = [self.result(i) for i in ids[:n]]
            del ids[:n]
            if self.chance(0.2):
                blocks.append({"type": "text", "text": self.text(False)})
            if self.bad(0.5):
                self.rnd.shuffle(blocks)
            self.add({"role": "user", "content": blocks})
            if self.bad(0.2):
                self.user()

    def result(self, i):
        content = self.rnd.choice([
            self.text(), [{"type": "text", "text": self.text(False)}], None])
        block = {"type": "tool_result", "tool_use_id": i}
        if content is not None:
            block["content"] = content
        return block

    # --- turns ---------------------------------------------------------

    def tool_turn(self):
        if self.bad(0.1):
            self.answer([self.some_id()])       # before its call
        ids = self.calls()
        if self.bad(0.3):
            self.rnd.choice([self.user, self.calls, self.system])()
        if self.bad(0.3):
            ids = [i for i in ids if self.chance(0.5)]
        if self.bad(0.2) and ids:
            ids.append(self.rnd.choice(ids))    # answered twice
        if self.bad(0.1):
            ids.append(self.some_id())          # never asked for
        late = []
        if self.bad(0.2):
            late, ids = ids[:1], ids[1:]
        self.answer(ids)
        if late:
            self.rnd.choice([self.user, self.say])()
            self.answer(late)

    def history(self):
        if self.chance(0.5):
            self.system()
        if not self.bad(0.2):
            self.user()
        # a long one sometimes, because windows move only in those
        for _ in range(self.rnd.randrange(1, 14) +
                       self.rnd.choice([0] * 19 + [150])):
            what = self.rnd.random()
            if what < 0.55:
                self.tool_turn()
            elif what < 0.8:
                self.say()
            elif what < 0.95:
                self.user()
            else:
                self.system()
        if not self.openai and self.out and not self.decided():
            self.tool_turn()
        return self.out

    def decided(self):
        """Is this clearly not OpenAI's format?"""
        return any(b["type"] != "text" for m in self.out
                   if isinstance(m["content"], list) for b in m["content"])


def histories(seed, dialect, count):
    for i in range(count):
        yield Gen(f"{seed}.{dialect}.{i}", dialect).history()


def main():
    seed, dialect, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    for i, messages in enumerate(histories(seed, dialect, count)):
        print(json.dumps({"id": f"{dialect}-{i}", "messages": messages},
                         ensure_ascii=i % 2 == 0))


if __name__ == "__main__":
    main()
