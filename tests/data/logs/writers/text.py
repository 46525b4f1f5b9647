# SPDX-License-Identifier: MIT
"""Agents that do not use the API's tool calls: a command is in the text, and its
output is the next user message.  The format is OpenAI chat."""
from common import compact

LIST = "messages"
FORM = "conversations"
dump = compact


def command(c):
    a = c["args"]
    if c["tool"] == "shell":
        return a["command"]
    return c["tool"] + " " + compact(a)


def messages(convo):
    if convo.system:
        yield {"role": "system", "content": convo.system +
               " Put one command between <execute> and </execute>."}
    for kind, line in convo.said():
        if kind == "user":
            yield {"role": "user", "content": line["text"]}
        elif kind == "assistant":
            said = [line["text"]] if line.get("text") else []
            if line.get("think"):
                said.insert(0, "Thought: " + line["think"])
            said += [f"<execute>\n{command(c)}\n</execute>"
                     for c in line.get("calls", ())]
            yield {"role": "assistant", "content": "\n".join(said)}
        else:
            yield {"role": "user", "content": "\n".join(
                "Observation:\n" + r["text"] for r in line)}
