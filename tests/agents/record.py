# SPDX-License-Identifier: MIT
"""Sessions for tests/resume.bats, without what is the agents' own: their prompts
and descriptions of tools, and figures of use that take much room.

What stays is what scenario.json says, what the tools said, and the members that the
agents put around it.  The folders of this machine and its user are masked.
"""
import json
import os
import re

def masked(play, text):
    for path, name in ((os.path.realpath(play.agent.root), "/src/tally"),
                       (play.agent.root, "/src/tally"),
                       (play.agent.home, "/home/user"), (play.work, "/work")):
        text = text.replace(path, name)
        # as a part of the name of a folder
        text = text.replace(path.replace("/", "-"), name.replace("/", "-"))
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:1", text)


def codex(r):
    payload = r["payload"]
    if r["type"] in ("world_state", "token_usage_record", "turn_context") or \
            payload.get("type") in ("token_count", "thread_settings_applied"):
        return None
    if r["type"] == "session_meta":
        r["payload"] = {k: payload[k] for k in ("session_id", "id", "timestamp", "cwd",
                                                "cli_version", "model_provider")
                        if k in payload}
    if payload.get("role") == "developer":
        for p in payload["content"]:
            p["text"] = "(instructions)"
    return r


def gemini_cli(r):
    for m in r.get("$set", {}).get("messages", []):
        for p in m["content"] if isinstance(m["content"], list) else []:
            if p.get("text", "").startswith("<session_context>"):
                p["text"] = "<session_context>\n</session_context>"
    return r


STRIP = {"codex": codex, "gemini-cli": gemini_cli}


def stripped(dialect, text):
    """The session; lines of which nothing was taken stay byte for byte."""
    if dialect not in STRIP:
        return text
    out = []
    for line in text.splitlines():
        before = json.loads(line)
        after = STRIP[dialect](json.loads(line))
        if after is not None:
            out.append(line if after == before else json.dumps(
                after, ensure_ascii=False, separators=(",", ":")))
    return "".join(line + "\n" for line in out)


def write(play, to):
    name = play.agent.dialect + (".jsonl" if play.agent.lines else ".json")
    with open(play.file, encoding="utf-8") as f:
        text = stripped(play.agent.dialect, masked(play, f.read()))
    with open(os.path.join(to, name), "w", encoding="utf-8") as f:
        f.write(text)
