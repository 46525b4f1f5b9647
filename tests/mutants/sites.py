# SPDX-License-Identifier: MIT
"""The places in a C file where small faults can be planted, and the faults.

The operators, which all apply within function bodies:

    compare     == and != exchanged, < > <= >= moved by one
    logic       && and || exchanged
    constant    a decimal number increased by one
    branch      the condition of an if replaced by 0 or negated
    return      0 becomes -1, which is both failure and true; anything else 0
    statement   a call or an assignment is left out
"""
import re
from collections import namedtuple

# A fault: text[begin:end] becomes `new`; `old` and `made` are the first line
# that changes, before and after, which names the fault when lines move.
Fault = namedtuple("Fault", "path function line op begin end new old made nth")

TOKEN = re.compile(
    r"""(?P<skip>\s+|/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.)*)
      | (?P<str>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<num>\.?\d(?:[eEpP][+-]|[\w.])*)
      | (?P<id>[A-Za-z_]\w*)
      | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|<<|>>|.)
    """, re.X | re.S | re.M)

TURNED = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
LOGIC = {"&&": "||", "||": "&&"}
KEYWORDS = set("if else for while do switch case default return break continue"
               " goto sizeof struct union enum const static char short int long"
               " unsigned signed float double void extern volatile register"
               " _Bool bool inline _Static_assert typedef".split())
TYPES = KEYWORDS - set("if else for while do switch case default return break"
                       " continue goto sizeof".split())
OPEN, CLOSE = "([{", ")]}"


def tokens(text):
    for m in TOKEN.finditer(text):
        if m.lastgroup != "skip":
            yield m.lastgroup, m.group(), m.start(), m.end()


def functions(text):
    """(name, begin, end) of each body; its { and } are alone in column 1."""
    for m in re.finditer(r"^\{$(.*?)^\}", text, re.M | re.S):
        head = text[:m.start()]
        name = re.findall(r"^(\w+)\(", head[-600:], re.M)
        if name:
            yield name[-1], m.start(), m.end()


def closing(toks, i):
    """The index of the bracket that closes toks[i]."""
    depth = 0
    for j in range(i, len(toks)):
        t = toks[j]
        if t[0] == "op" and t[1] in OPEN:
            depth += 1
        elif t[0] == "op" and t[1] in CLOSE:
            depth -= 1
            if depth == 0:
                return j
    return len(toks) - 1


def until(toks, i):
    """The index of the ; that ends the statement at toks[i]."""
    while i < len(toks) and toks[i][1] != ";":
        i = closing(toks, i) + 1 if toks[i][1] in ("(", "[", "{") else i + 1
    return i


def loops(toks, i):
    """Is toks[i] a macro with a statement after it, as CTX_FOR_LIST is?"""
    if toks[i][0] != "id" or i + 1 >= len(toks) or toks[i + 1][1] != "(":
        return False
    j = closing(toks, i + 1) + 1
    return j < len(toks) and (toks[j][0] == "id" or toks[j][1] == "{")


def statements(toks):
    """The indexes at which statements begin."""
    i, n = 0, len(toks)
    while i < n:
        word = toks[i][1]
        if word in ("{", "}", ";", "else", "do"):
            i += 1
        elif word in ("if", "while", "for", "switch") or loops(toks, i):
            i = closing(toks, i + 1) + 1
        elif word == "case":
            while toks[i][1] != ":":
                i += 1
            i += 1
        elif i + 1 < n and toks[i + 1][1] == ":" and toks[i][0] == "id":
            i += 2
        else:
            yield i
            i = until(toks, i) + 1


def declares(toks, i):
    """Is the statement at toks[i] a declaration?"""
    if toks[i][0] != "id" or toks[i][1] in ("return", "break", "continue", "goto"):
        return False
    return toks[i][1] in TYPES or toks[i + 1][0] == "id" or \
        (toks[i][1].endswith("_t") and toks[i + 1][1] == "*")


def changes(text, toks):
    """(op, begin, end, new) for one function's tokens."""
    quiet = set()           # numbers that are a return's or an array's size
    for i in statements(toks):
        j = until(toks, i)
        begin, end = toks[i][2], toks[min(j, len(toks) - 1)][2]
        if toks[i][1] == "return":
            what = text[toks[i][3]:end].strip()
            quiet.update(range(i, i + 3) if j - i <= 3 else ())
            if what in ("", "NULL"):
                continue
            new = "-1" if what == "0" else "0"
            yield "return", begin, end, "return " + new
        elif declares(toks, i):
            k = i
            while k < j:
                if toks[k][1] == "[":
                    quiet.update(range(k, closing(toks, k)))
                    k = closing(toks, k)
                k += 1
        elif toks[i][1] in ("break", "continue", "goto"):
            pass
        elif not (toks[i][1] == "(" and toks[i + 1][1] == "void"
                  and j - i == 4):
            yield "statement", begin, end, ""
    for i, (kind, word, begin, end) in enumerate(toks):
        if word in TURNED and kind == "op":
            yield "compare", begin, end, TURNED[word]
        elif word in LOGIC:
            yield "logic", begin, end, LOGIC[word]
        elif kind == "num" and i not in quiet:
            m = re.fullmatch(r"(\d+)([uUlL]*)", word)
            if m and (word[0] != "0" or m[1] == "0"):
                yield "constant", begin, end, str(int(m[1]) + 1) + m[2]
        elif word == "if":
            j = closing(toks, i + 1)
            cond = text[toks[i + 1][2]:toks[j][3]]
            yield "branch", toks[i + 1][2], toks[j][3], "(0)"
            yield "branch", toks[i + 1][2], toks[j][3], "(!" + cond + ")"


def line_at(text, at):
    return text[text.rfind("\n", 0, at) + 1:text.find("\n", at)].strip()


def faults(path, text):
    """Every fault of one file."""
    seen = {}
    for name, begin, end in functions(text):
        toks = [t[:2] + (t[2] + begin, t[3] + begin)
                for t in tokens(text[begin:end])]
        for op, b, e, new in changes(text, toks):
            old = line_at(text, b)
            made = line_at(text[:b] + new + text[e:], b)
            key = (name, op, old, made)
            nth = seen[key] = seen.get(key, 0) + 1
            yield Fault(path, name, text.count("\n", 0, b) + 1, op, b, e, new,
                        old, made, nth)
