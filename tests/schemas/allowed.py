# SPDX-License-Identifier: MIT
"""Refusals by a validator that are no faults of ctx-convert, with the reasons.

A row names the validators, the source and the words of the refusal by regular
expressions; TARGET in one is the dialect that the validator judges.  What a
source already has in the dialect of the target, ctx-convert writes as it came.
"""
import re

ALLOWED = [
    (".*", "random any TARGET", "",
     "the source is damaged like this, and a message that is already in the "
     "target's dialect is written as it came"),
    ("anthropic|gemini|openai-responses", "(TARGET|codex).awkward.jsonl",
     "unknown member n\\b|source: no data",
     "a fixture with members that nobody knows, in the target's dialect"),
    ("ai.|langchain", "TARGET.awkward.jsonl", "unknown member n\\b",
     "a fixture with members that nobody knows, in the target's dialect"),
    (".*", "(TARGET|codex)\\.messages", "",
     "a fixture with parts of which only the members that matter are there, in "
     "the target's dialect"),
    (".*", "cases of TARGET", "",
     "a case of the rules that its API refuses, in the target's dialect"),
    ("anthropic", "cases of (openai|bedrock)", "input_schema/type",
     "a tool whose arguments are no object, which its API refuses too"),
    ("gemini", "cases of (anthropic|bedrock)", "is no bytes",
     "an image that is not base64, which its API refuses too"),
    ("ai.|langchain", ".*", "unknown member ctx_kept",
     "a part that the target lacks is kept there, see LOSSES in ctx-convert(1)"),
    ("ai.|langchain", ".*awkward.*|cases of .*", "half of a pair",
     "JSON can have it, and messages that are no request keep their bytes"),
    ("ai.|langchain", ".*awkward.*", "Invalid input|comes back as null",
     "1e400 is JSON, but no number in JavaScript"),
    ("langchain", ".*", "unknown member example",
     "a member of LangChain for Python, in the target's dialect"),
    ("langchain", "langsmith\\..*", "unexpected type: constructor",
     "another form of LangChain's messages is written as it came"),
    ("langchain", "langchain-(flat|lc)\\..*", "",
     "another form of LangChain's messages is written as it came"),
    ("ai.", "ai-sdk-(ui|v4)\\..*", "",
     "another form of the AI SDK's messages is written as it came"),
    ("openai", "openai.jsonl 0de09cb72e", "",
     "a recorded request that its API refused"),
    ("openai-responses", "codex request|.*rollout-.*", "unknown member id",
     "Codex sends the ids of messages"),
    ("openai-responses", ".*codex.*", "unknown member status",
     "Codex sends the status of a custom_tool_call, as the API gave it"),
]


def reason(row, why, source):
    """Why this refusal is right, or None."""
    for name, of, says, because in ALLOWED:
        if re.fullmatch(name, row.name) and \
                re.fullmatch(of.replace("TARGET", row.dialect), source) and \
                re.search(says, why):
            return because
    return None
