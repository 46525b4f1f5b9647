# SPDX-License-Identifier: MIT
"""What happens to a session, and what ctx does about it; for run and resume.bats.

A damage has a name, whether it needs a file of lines, a function that writes the
damaged file, and one that returns the command of ctx, which edits the file in place.
"""
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import agents                                                   # noqa: E402


def keep(_dialect, path, to):
    shutil.copyfile(path, to)


def cut(_dialect, path, to):
    """Half of the last line is missing, as after a crash."""
    with open(path, "rb") as f:
        lines = f.read().splitlines(keepends=True)
    with open(to, "wb") as f:
        f.write(b"".join(lines[:-1]) + lines[-1][:len(lines[-1]) // 2])


# a record that has a result, in which each agent keeps what a tool said
RESULT = {"claude-code": '"type":"tool_result"',
          "codex": '"type":"function_call_output"', "gemini-cli": '"toolCalls":[',
          "qwen-code": '"functionResponse"', "pi": '"role":"toolResult"'}


def rob(dialect, path, to):
    """The record of a result in the middle is missing."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines(keepends=True)
    # a resumed session of Gemini CLI begins with all of its history in one line
    first = max([n for n, line in enumerate(lines) if '{"$set":{"messages"' in line],
                default=-1)
    has = [n for n, line in enumerate(lines) if n > first and
           RESULT[dialect] in line and '"isSidechain":true' not in line]
    del lines[has[len(has) // 2]]
    with open(to, "w", encoding="utf-8") as f:
        f.write("".join(lines))


def half(build, path):
    """Half of the tokens that are sent."""
    p = subprocess.run([f"{build}/ctx-count", "-q", "--json"], text=True, check=True,
                       input=as_chat(build, path), capture_output=True)
    return str(json.loads(p.stdout)["tokens"] // 2)


MEND = ["ctx-clean", "--on-error", "skip"]
DAMAGES = [
    ("as it is", False, keep, lambda build, path: ["ctx-clean"]),
    ("cut in its last line", True, cut, lambda build, path: MEND),
    ("robbed of a record", True, rob, lambda build, path: MEND),
    ("cleaned", False, keep, lambda build, path: [
        "ctx-clean", "--thinking", "drop", "--max-result", "500",
        "--clear-results", "--step", "0"]),
    ("truncated", False, keep, lambda build, path: [
        "ctx-truncate", "-t", half(build, path)]),
    ("summarized", False, keep, lambda build, path: [
        "ctx-summarize", "--engine", "offline", "-t", half(build, path)]),
]


def run_ctx(build, command, path):
    p = subprocess.run([f"{build}/{command[0]}", "-i", "-q", *command[1:], path],
                       capture_output=True, text=True, check=False)
    # 3: a line was skipped
    if p.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(command)}: exit {p.returncode}: {p.stderr}")


def as_chat(build, path):
    """A session as ctx-convert reads it, in lines of OpenAI chat."""
    p = subprocess.run([f"{build}/ctx-convert", "-q", "--to", "openai", "--shape",
                        "messages", path], capture_output=True, text=True, check=True)
    return p.stdout


def as_ctx_reads(build, path):
    return list(agents.chat({"messages": [json.loads(s) for s in
                                          as_chat(build, path).splitlines()]}))


def refused(build, path, dialect, *options):
    """The errors in a request that are not known."""
    p = subprocess.run([f"{build}/ctx-clean", "--check", "-q", *options, path],
                       capture_output=True, text=True, check=False)
    found = [re.sub(r"^.*?: ", "", x) for x in p.stdout.splitlines() if "error[" in x]
    if dialect == "gemini-cli":     # it doubles results when it resumes
        found = [x for x in found if "orphan-result" not in x]
    return found
