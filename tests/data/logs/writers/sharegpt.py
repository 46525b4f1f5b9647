# SPDX-License-Identifier: MIT
"""Training data in ShareGPT's format: texts only, with one message for each call."""
from common import compact

LIST = "conversations"
dump = compact


def messages(convo):
    """The calls of a turn follow one another, each with its result."""
    if convo.system:
        yield {"from": "system", "value": convo.system}
    for kind, line in convo.said():
        if kind == "user":
            yield {"from": "human", "value": line["text"]}
        elif kind == "assistant":
            if line.get("text"):
                yield {"from": "gpt", "value": line["text"]}
            for c in line.get("calls", ()):
                yield {"from": "function_call",
                       "value": compact({"name": c["tool"], "arguments": c["args"]})}
                if c["n"] in convo.results:
                    yield {"from": "observation",
                           "value": convo.results[c["n"]]["text"]}
