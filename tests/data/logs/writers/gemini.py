# SPDX-License-Identifier: MIT
"""Contents of the Gemini API: roles alternate, and parts have signatures."""
from common import compact, pictures, signature

LIST = "contents"
SYSTEM = "systemInstruction"
dump = compact


def prompt(text):
    return {"parts": [{"text": text}]}


def image(p):
    return {"inlineData": {"mimeType": p["type"], "data": p["data"]}}


def response(convo, r):
    name = convo.calls[r["call"]]["tool"]
    key = "error" if r.get("failed") else "output"
    return [{"functionResponse": {"name": name, "response": {key: r["text"]}}}] + \
        [image(p) for p in pictures(r)]


def model(convo, line):
    parts = []
    if line.get("think"):
        parts.append({"text": line["think"], "thought": True})
    if line.get("text"):
        parts.append({"text": line["text"]})
    for i, c in enumerate(line.get("calls", ())):
        part = {"functionCall": {"name": c["tool"], "args": c["args"]}}
        if i == 0:
            part["thoughtSignature"] = signature(convo.trace.name, line["at"], size=96)
        parts.append(part)
    return {"role": "model", "parts": parts}


def messages(convo):
    held = None
    for kind, line in convo.said():
        if kind == "results":
            parts = [p for r in line for p in response(convo, r)]
            role = "user"
        elif kind == "user":
            parts = [{"text": line["text"]}] + [image(p) for p in pictures(line)]
            role = "user"
        else:
            m = model(convo, line)
            role, parts = m["role"], m["parts"]
        if held and held["role"] == role:
            held["parts"] += parts
            continue
        if held:
            yield held
        held = {"role": role, "parts": parts}
    if held:
        yield held
