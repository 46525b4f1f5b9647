#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the functions in FOLDER ... with the limits in CONTRIBUTING.md.

	functions.py FOLDER ...

Prints a line for each function that has seven or more parameters, or more than
40 lines between its braces, unless the comment above it says "state machine".
The last line has the number of functions.
"""
import glob
import re
import sys

PARAMS = 6
LINES = 40

# The comment above, the line of the type, the name and the rest.
DEF = re.compile(r"(/\*(?:(?!\*/).)*\*/\n)?[^\n{};#]*\n"
                 r"([a-z_]\w*)\(([^{};]*)\)\n\{\n(.*?)^\}", re.M | re.S)


def parameters(text):
    """Their number: commas outside of parentheses, plus one."""
    while "(" in text:
        text, n = re.subn(r"\([^()]*\)", "", text)
        if n == 0:
            break
    return 0 if text.strip() in ("", "void") else text.count(",") + 1


def functions(path):
    """Name, parameters, lines, and whether it is a state machine."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for note, name, params, body in DEF.findall(text):
        yield (name, parameters(params), body.count("\n"),
               "state machine" in " ".join(note.replace("*", " ").split()))


def main():
    n = 0
    for folder in sys.argv[1:]:
        for path in sorted(glob.glob(f"{folder}/**/*", recursive=True)):
            if not path.endswith((".c", ".h", ".inc")):
                continue
            for name, params, lines, machine in functions(path):
                n += 1
                bad = [f"{params} parameters"] * (params > PARAMS) + \
                    [f"{lines} lines"] * (lines > LINES and not machine)
                if bad:
                    print(f"{path}: {name}: {', '.join(bad)}")
    print(f"{n} functions")


if __name__ == "__main__":
    main()
