#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what ctx-digest-files --listings says with counts made here.

	listings.py BUILD FILE ...

The results of searches, lists, comparisons and logs in each history are counted
by regular expressions, which share nothing with the programs.  Prints a row for
each kind: how many lines are right, wrong, and how many results stayed whole;
then the wrong ones.  The exit status is 1 if there is one.
"""
import collections
import json
import re
import subprocess
import sys

KIND = re.compile(r"^(?:cd \S+ && )?(git (?:diff|log|status|grep|ls-files)|grep|egrep|rg|find|ls|tree)\b")
TOOLS = re.compile(r"(grep|glob|ls|list|search)(_?(search|dir(ectory)?|files?|codebase|"
                   r"content|contents))*$", re.I)
LINE = re.compile(r"^\[(command|tool) run\] (.*) \(((?:\+?−?\d+ ?[^():]*?|[0-9a-f]{4,7}.*?)"
                  r"(?:: .*)?)\)$", re.S)


def plain(text):
    """The text without what a tool puts around it."""
    try:
        value = json.loads(text)
        while isinstance(value, (list, dict)):
            if isinstance(value, list):
                value = value[0]
            else:
                value = value.get("result", value.get("text", value.get("content")))
        if isinstance(value, str):
            text = value
    except ValueError:
        pass
    text = re.sub(r"\AChunk ID: .*?\nOutput:\n", "", text, flags=re.S)
    text = re.sub(r"\A<untrusted_context>\nOutput: ", "", text)
    text = re.sub(r"\ACommand: .*?\nOutput: ", "", text, flags=re.S)
    text = re.sub(r"\nProcess Group PGID: \d+\n</untrusted_context>\Z", "", text)
    text = re.sub(r"\nError: \(none\)\nExit Code: 0\n.*\Z", "", text, flags=re.S)
    return re.sub(r"\A(EXIT_CODE: 0\n)", "", text)


def grep(text):
    rows = [r for r in text.split("\n") if r]
    paths = [re.match(r"(.*?):\d+:", r) or re.match(r"(.*?):", r) for r in rows]
    if all(re.match(r"\d+:", r) for r in rows):
        return {"matching line": len(rows)}
    return {"matching line": len(rows), "file": len({p.group(1) for p in paths})}


def numbered(text):
    """What says its own number."""
    first, _, rest = text.partition("\n")
    n = int(re.search(r"\d+", first).group()) if re.match(r"Found|Listed", first) else 0
    if "match" in first or "result" in first:
        files = set(re.findall(r"^File: (.*)$", rest, re.M)) or \
            set(re.findall(r"^(\S+?):\d+(?::.*)?$", rest, re.M)) or \
            set(re.findall(r"^(/.*):$", rest, re.M))
        return {"matching line": n, "file": len(files)}
    if "item(s)" in first:
        return {"entry": n, "of them": rest.count("[DIR] ")}
    if "file" in first and n:
        return {"file": n}
    rows = re.split(r"\n\n\(", rest)[0].split("\n")
    return {"entry": len(rows), "of them": len(re.findall(r"^\[DIR\]|\(directory\)$",
                                                          rest, re.M))}


def ls(text, command):
    rows = [r for r in text.split("\n") if r]
    got = {}
    if re.search(r" -\w*R", command):
        got["directory listed"] = len(re.findall(r"(?:\A|\n\n).*:(?=\n|\Z)", text))
        rows = [r for r in rows if not r.endswith(":")]
    if re.search(r" -\w*l", command):
        rows = [r for r in rows if not r.startswith("total ")]
        got["of them"] = len([r for r in rows if r[0] == "d"])
    if re.search(r" -\w*a", command):
        back = [r for r in rows if re.search(r"(^| )\.\.?$", r)]
        rows = [r for r in rows if r not in back]
        if "of them" in got:
            got["of them"] -= len(back)
    got["entry"] = len(rows)
    return got


def git(text, command):
    rows = [r for r in text.split("\n") if r.strip()]
    if "status" in command and re.search(r" -s| --short| --porcelain", command):
        return {"entry": len([r for r in rows if not r.startswith("##")])}
    if "status" in command:
        got, at = {}, None
        for row in text.split("\n"):
            at = {"Changes to be committed:": "staged", "Untracked files:": "untracked",
                  "Changes not staged for commit:": "not staged"}.get(row, at)
            if row.startswith("\t"):
                got[at] = got.get(at, 0) + 1
        return got
    if "log" in command:
        return {"commit": len(rows) if "--oneline" in command else
                len(re.findall(r"^commit [0-9a-f]{40}", text, re.M))}
    if "--stat" in command:
        one = re.search(r"(\d+) files? changed(?:, (\d+) insertions?\(\+\))?"
                        r"(?:, (\d+) deletions?)?", rows[-1])
        return {"file": int(one.group(1)), "+": int(one.group(2) or 0),
                "−": int(one.group(3) or 0)}
    if "--name-only" in command or "ls-files" in command:
        return {"file": len(rows)}
    if "grep" in command:
        return grep(text)
    # what is changed begins a line after the first @@ of each file
    body = re.sub(r"^diff --git .*?(?=^@@|^diff --git|\Z)", "", text, flags=re.M | re.S)
    return {"file": len(re.findall(r"^diff --git ", text, re.M)),
            "+": len(re.findall(r"^\+", body, re.M)),
            "−": len(re.findall(r"^-", body, re.M))}


def expected(name, command, text):
    text = plain(text)
    if command is None and name.lower() == "grep" and not text.startswith("Found"):
        return grep(text)
    if command is None and name.lower() == "glob" and not text.startswith("Found"):
        return {"file": len([r for r in text.split("\n") if r])}
    if command is None:
        return numbered(text)
    command = re.sub(r"^cd \S+ && ", "", command)
    if command.startswith("git"):
        return git(text, command)
    if re.match(r"(e?grep|rg)\b", command):
        if re.search(r" -\w*l", command):
            return {"file": len([r for r in text.split("\n") if r])}
        return grep(text)
    if command.startswith("ls"):
        return ls(text, command)
    if command.startswith("find"):
        what = re.search(r"-type ([fd])", command)
        what = "path" if what is None else {"f": "file", "d": "directory"}[what.group(1)]
        return {what: len([r for r in text.split("\n") if r])}
    return {"directory": int(re.search(r"(\d+) directori?e?s?y?", text).group(1)),
            "file": int(re.search(r"(\d+) files?", text).group(1))}


def said(line):
    """The counts in a line, by the singular of their words."""
    got = {}
    counts = LINE.match(line).group(3).split(": ")[0]
    for part in counts.split(", "):
        one = re.match(r"(\+|−)?(\d+) ?(.*)$", part)
        if one is None or re.match(r"\d{4}-\d\d|[0-9a-f]{7}\b", part):
            continue
        word = one.group(1) or one.group(3)
        for many, single in (("lines", "line"), ("files", "file"), ("paths", "path"),
                             ("directories", "directory"), ("entries", "entry"),
                             ("commits", "commit")):
            word = re.sub(rf"\b{many}\b", single, word)
        got["of them" if word.startswith("of them") else word] = int(one.group(2))
    return got


def messages(path, build):
    text = subprocess.run([f"{build}/ctx-convert", "--to", "openai", path],
                          capture_output=True, text=True, check=False).stdout
    for line in text.splitlines():
        one = json.loads(line)
        yield from one.get("messages", [one])


def commands(args):
    """The only command of a call, or None."""
    for key in ("command", "cmd", "commands"):
        value = args.get(key)
        if isinstance(value, list) and value:
            value = value[-1] if key == "command" or len(value) == 1 else None
        if isinstance(value, str):
            return value
    return None


def main():
    build, rows, wrong = sys.argv[1], collections.defaultdict(collections.Counter), []
    for path in sys.argv[2:]:
        with open(path, "rb") as f:
            new = subprocess.run([f"{build}/ctx-digest-files", "--listings"], stdin=f,
                                 capture_output=True, check=True).stdout
        with open("digested", "wb") as f:
            f.write(new)
        calls = {}
        for old, now in zip(messages(path, build), messages("digested", build)):
            for call in old.get("tool_calls") or []:
                args = call.get("function", {}).get("arguments")
                try:
                    args = json.loads(args) if isinstance(args, str) else args
                except ValueError:
                    args = None
                calls[call["id"]] = (call.get("function", {}).get("name", ""), args)
            if old.get("role") != "tool":
                continue
            name, args = calls.get(old.get("tool_call_id"), ("", None))
            command = commands(args) if isinstance(args, dict) else None
            kind = KIND.match(command) if command else TOOLS.match(name)
            line = now["content"]
            if isinstance(line, list):
                line = "".join(p.get("text", "") for p in line)
            text = old["content"]
            if isinstance(text, list):
                text = "".join(p.get("text", "") for p in text)
            digested = line.startswith(("[command run] ", "[tool run] "))
            if kind is None and not digested:
                continue
            kind = kind.group(1) if command and kind else name
            if not digested:
                rows[kind]["whole"] += 1
                continue
            want, got = expected(name, command, text), said(line)
            want = {k: v for k, v in want.items() if v or k in "+−"}
            rows[kind]["right" if want == got else "wrong"] += 1
            if want != got:
                wrong.append((path, command or name, want, got, line, text[:300]))
    for kind in sorted(rows):
        print(f"{kind:24}", *(f"{k} {rows[kind][k]:4}" for k in ("right", "wrong", "whole")))
    print(f"{'all':24}", *(f"{k} {sum(r[k] for r in rows.values()):4}"
                           for k in ("right", "wrong", "whole")))
    for one in wrong:
        print(*one, sep="\n\t")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
