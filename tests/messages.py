#!/usr/bin/env python3
"""List what the programs say: every text of two words or more in the C sources.

Usage: messages.py [FOLDER ...]   (default: cmd lib)

A line is FILE:LINE, a tab, and the text; adjacent string literals are joined.
Read the other messages here before changing one, so that all have the same style.
"""
import pathlib
import re
import sys

TOKEN = re.compile(
    r'/\*.*?\*/|//[^\n]*|\'(?:\\.|[^\'\\])+\'|"(?:\\.|[^"\\\n])*"|\n|\\\n'
    r'|[ \t]+|PRI\w+|[^\s"\'/]+|/', re.S)
WORDS = re.compile(r"[A-Za-z']{2,}[,;:.]? +(%\S+ +)*[A-Za-z(]|%\S+ [a-z]{2}")


def texts(path):
    """Yield (line, text) for each run of adjacent string literals."""
    line, start, text = 1, 0, None
    for match in TOKEN.finditer(path.read_text()):
        token = match.group()
        if token.startswith('"'):
            if text is None:
                start, text = line, ""
            text += token[1:-1]
        elif token.startswith("PRI") and text is not None:
            text += "N"
        elif not (token.isspace() or token == "\\\n" or token[:2] in
                  ("/*", "//")) and text is not None:
            yield start, text
            text = None
        line += token.count("\n")
    if text is not None:
        yield start, text


def main():
    """Print the texts of all folders."""
    for folder in sys.argv[1:] or ["cmd", "lib"]:
        root = pathlib.Path(folder)
        files = sorted(p for p in root.rglob("*") if p.suffix in (".c", ".h"))
        for path in [root] if root.is_file() else files:
            for line, text in texts(path):
                if WORDS.search(text):
                    print(f"{path}:{line}\t{text}")


main()
