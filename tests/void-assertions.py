#!/usr/bin/env python3
"""Find assertions that cannot fail in the given bats files.

In a shell that runs with set -e, as bats runs a test, a command that is
followed by && or that begins with ! never ends the shell.  In the middle of a
test, `A && B` therefore passes if A fails, and `! cmd` passes if cmd succeeds.
This program lists every statement of either form, except the conditions of if
and of loops, the last statement of a function, which is its result, and lists
that end in break, continue, return or exit, which are not assertions.  It exits
with 1 if it finds any.

    void-assertions.py tests/*.bats
"""
import re
import sys

CONDITION = {"if", "elif", "while", "until"}
OPENING = {"then", "do", "else", "{", "time"} | CONDITION
CLOSING = {"fi", "done", "esac", "}"}
FLOW = {"break", "continue", "return", "exit"}
HEREDOC = re.compile(r"<<(-?)\s*(['\"]?)([A-Za-z_]\w*)\2")


class Reader:
    """The commands of a shell script, with the operators between them."""

    def __init__(self, text):
        self.text = text
        self.pos = 0
        self.line = 1
        self.heredocs = []

    def skip(self, n):
        self.line += self.text.count("\n", self.pos, self.pos + n)
        self.pos += n

    def quoted(self, end):
        """Skip to the end of a quotation that ends with `end`."""
        while self.pos < len(self.text):
            c = self.text[self.pos]
            if c == end:
                self.skip(1)
                return
            if c == "\\" and end != "'":
                self.skip(2)
            elif end != "'" and self.text.startswith("$(", self.pos):
                self.substitution()
            else:
                self.skip(1)

    def substitution(self):
        """Skip $( … ), <( … ) or ( … ) from its opening on."""
        self.skip(self.text.index("(", self.pos) + 1 - self.pos)
        depth = 1
        while depth and self.pos < len(self.text):
            depth += self.step({"(": 1, ")": -1})

    def step(self, weights):
        """Skip one character or one quotation; return the weight of a character."""
        c = self.text[self.pos]
        if c == "\\":
            self.skip(2)
        elif c in "'\"`":
            ansi = c == "'" and self.text[self.pos - 1] == "$"
            self.skip(1)
            if ansi:
                while self.text[self.pos] != "'":
                    self.skip(2 if self.text[self.pos] == "\\" else 1)
                self.skip(1)
            else:
                self.quoted(c)
        elif c == "#" and self.text[self.pos - 1].isspace():
            self.skip(self.text.index("\n", self.pos) - self.pos)
        elif self.text.startswith("${", self.pos):
            self.skip(2)
            self.quoted("}")
        elif self.text.startswith("<<<", self.pos):
            self.skip(3)
        elif HEREDOC.match(self.text, self.pos):
            m = HEREDOC.match(self.text, self.pos)
            self.heredocs.append((m.group(3), bool(m.group(1))))
            self.skip(m.end() - m.start())
        elif c == "\n":
            self.skip(1)
            self.bodies()
        else:
            self.skip(1)
        return weights.get(c, 0)

    def bodies(self):
        """Skip the here-documents that begin at this line."""
        for word, tabs in self.heredocs:
            while self.pos < len(self.text):
                end = self.text.find("\n", self.pos)
                end = len(self.text) if end == -1 else end
                body = self.text[self.pos:end]
                self.skip(end + 1 - self.pos)
                if (body.lstrip("\t") if tabs else body) == word:
                    break
        self.heredocs = []

    def commands(self):
        """(line, start, end, text, next operator) for each command."""
        start, line = self.pos, self.line
        while self.pos < len(self.text):
            rest = self.text[self.pos:self.pos + 2]
            text = self.text[start:self.pos].strip()
            if rest == "[[" and not text.strip("! "):
                self.skip(self.text.index("]]", self.pos) + 2 - self.pos)
                continue
            if rest in ("$(", "<(", ">(") or rest[0] == "(" and \
                    (not text or text in OPENING):
                self.substitution()
                continue
            op = next((o for o in ("&&", "||", ";;", "\n", ";", "|")
                       if rest.startswith(o)), None)
            if op == "\n" and not text:
                self.step({})
                start, line = self.pos, self.line
                continue
            if op is None and rest[0] == "&" and \
                    self.text[self.pos - 1] not in "<>" and rest != "&>":
                op = "&"
            if op is None:
                if rest == "\\\n" and not text:
                    self.skip(2)
                    start, line = self.pos, self.line
                    continue
                at = self.pos
                self.step({})
                if not text and not self.text[at:self.pos].strip():
                    start, line = self.pos, self.line
                elif not text and self.text[at] == "#":
                    start, line = self.pos, self.line
                continue
            yield line, start, self.pos, text, op
            if op == "\n":
                self.step({})
            else:
                self.skip(len(op))
                if op in ("&&", "||", "|"):
                    while self.text[self.pos:self.pos + 1] in " \t\n":
                        self.step({})
            start, line = self.pos, self.line


def statements(text):
    """Lists of commands joined by && || |: (commands, kind), where kind is
    "condition", "returned" (the last of a function) or "plain"."""
    found, parts, blocks, kind = [], [], [], "plain"
    for line, start, end, body, op in Reader(text).commands():
        words = body.split()
        while words:
            if words[0] in CONDITION:
                kind = "condition"
            elif words[0] in ("then", "do"):
                kind = "plain"
            elif words[0] == "@test":
                words = words[words.index("{"):]
                blocks.append("test")
            elif words[1:2] == ["{"] and words[0].endswith("()"):
                words = words[1:]
                blocks.append("function")
            elif words[0] == "case" and "in" in words:
                words = words[words.index("in"):]
            elif words[0] == "{":
                blocks.append("group")
            elif not (words[0] in OPENING or
                      re.match(r"[^($]+\)$", words[0]) and not parts):
                break
            words = words[1:]
        if words and words[0] == "}":
            if blocks and blocks.pop() == "function" and found:
                found[-1][1] = "returned"
        if words and words[0] in CLOSING:
            kind = "plain"
        if words:
            parts.append((line, start, end, words, op))
        if op not in ("&&", "||", "|"):
            if parts and parts[0][3][0] not in CLOSING:
                found.append([parts, kind])
            parts = []
    return found


def void(text):
    """The statements that cannot fail: (line, form, commands)."""
    for parts, kind in statements(text):
        ops = [p[4] for p in parts]
        if kind != "plain" or parts[-1][3][0] in FLOW:
            continue
        if parts[0][3][0] == "!" and "||" not in ops:
            yield parts[0][0], "! cmd", parts
        elif "&&" in ops and "||" not in ops[ops.index("&&"):]:
            yield parts[0][0], "A && B", parts


def main():
    n = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as f:
            text = f.read()
        for line, form, parts in void(text):
            shown = " ".join(text[parts[0][1]:parts[-1][2]].split())
            print("%s:%d: %s: %.100s" % (name, line, form, shown))
            n += 1
    return n > 0


if __name__ == "__main__":
    sys.exit(main())
