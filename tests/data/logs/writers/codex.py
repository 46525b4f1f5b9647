# SPDX-License-Identifier: MIT
"""A rollout of Codex: items of the Responses API in an envelope, and events that
repeat them for the interface."""
import openai_responses as responses
from common import compact, uuid

LIST = None
dump = compact


def patch(args):
    """An edit in the language of Codex's patch tool."""
    out = ["*** Begin Patch", f"*** Update File: {args['path']}", "@@"]
    out += ["-" + t for t in args["old"].rstrip("\n").split("\n")]
    out += ["+" + t for t in args["new"].rstrip("\n").split("\n")]
    return "\n".join(out + ["*** End Patch"])


def call(convo, line, c):
    item = responses.item(convo, line, c)
    if c["tool"] == "edit_file":
        return {"type": "custom_tool_call", "id": item["id"].replace("fc_", "ctc_"),
                "status": "completed", "call_id": item["call_id"],
                "name": "apply_patch", "input": patch(c["args"])}
    if c["tool"] == "shell":
        item["name"] = "exec_command"
        item["arguments"] = compact({"cmd": c["args"]["command"]})
    del item["status"]
    return item


def output(convo, r):
    item = responses.output(convo, r)
    if convo.calls[r["call"]]["tool"] == "edit_file":
        item["type"] = "custom_tool_call_output"
    return item


class Log:
    def __init__(self, trace, agent):
        self.trace, self.records, self.tokens = trace, [], 0
        self.add(0, "session_meta", {
            "id": uuid(trace.name, agent, "codex"), "timestamp": trace.time(0),
            "cwd": trace.head["folder"], "originator": "codex_exec",
            "cli_version": "0.169.0", "source": "exec",
            "model_provider": "openai",
            "base_instructions": {"text": trace.head.get("system", "")}})

    def add(self, at, kind, payload):
        self.records.append({"timestamp": self.trace.time(at), "type": kind,
                             "payload": payload})

    def item(self, at, payload):
        self.add(at, "response_item", payload)

    def event(self, at, kind, **payload):
        self.add(at, "event_msg", dict({"type": kind}, **payload))

    def user(self, line):
        at = line["at"]
        self.event(at, "task_started", model_context_window=258400)
        self.add(at, "turn_context", {
            "cwd": self.trace.head["folder"], "approval_policy": "never",
            "sandbox_policy": {"type": "danger-full-access"},
            "model": "gpt-5.5", "summary": "auto"})
        self.item(at, responses.asked(line))
        self.event(at, "user_message", message=line["text"], images=[])

    def assistant(self, convo, line):
        at = line["at"]
        if line.get("think"):
            self.event(at, "agent_reasoning", text=line["think"])
            self.item(at, responses.reasoning(convo, line))
        if line.get("text"):
            self.event(at, "agent_message", message=line["text"])
            self.item(at, responses.said(convo, line))
        for c in line.get("calls", ()):
            self.item(at, call(convo, line, c))
        self.tokens += len(compact(line)) // 4
        self.event(at, "token_count", info={"total_token_usage": {
            "total_tokens": self.tokens}}, rate_limits=None)
        if not line.get("calls"):
            self.event(at, "task_complete", last_agent_message=line.get("text"))


def log(trace, agent=None):
    """The records of a session or of a subagent, which has its own rollout."""
    out = Log(trace, agent)
    for line in trace.lines:
        if line.get("agent") != agent:
            continue
        convo = trace.convos[line.get("thread"), line.get("agent")]
        if line["kind"] == "user":
            out.user(line)
        elif line["kind"] == "assistant":
            out.assistant(convo, line)
        elif line["kind"] == "result":
            out.item(line["at"], output(convo, line))
            out.tokens += len(line["text"]) // 4
        elif line["kind"] == "compact":
            out.add(line["at"], "compacted", {"message": line["text"]})
    return out.records
