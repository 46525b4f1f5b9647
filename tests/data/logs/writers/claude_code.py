# SPDX-License-Identifier: MIT
"""A session file of Claude Code: each block is a record, among many other records."""
from common import compact, ident, pictures, signature, uuid

LIST = None                             # a log, not a list of messages
dump = compact
VERSION = "2.1.39"
MODEL = "claude-sonnet-4-5"

TOOLS = {
    "shell": ("Bash", lambda a, f: {"command": a["command"],
                                    "description": a["why"]}),
    "read_file": ("Read", lambda a, f: dict(
        {"file_path": f"{f}/{a['path']}"},
        **({"offset": a["start"], "limit": a["lines"]} if "start" in a else {}))),
    "edit_file": ("Edit", lambda a, f: {
        "file_path": f"{f}/{a['path']}", "old_string": a["old"],
        "new_string": a["new"], "replace_all": False}),
    "write_file": ("Write", lambda a, f: {"file_path": f"{f}/{a['path']}",
                                          "content": a["text"]}),
    "grep": ("Grep", lambda a, f: {"pattern": a["pattern"], "path": a["path"],
                                   "output_mode": "content", "-n": True}),
    "list_dir": ("Glob", lambda a, f: {"pattern": f"{a['path']}/**"}),
    "subagent": ("Task", lambda a, f: {
        "description": a["title"], "prompt": a["prompt"],
        "subagent_type": "general-purpose"}),
    "fetch": ("WebFetch", lambda a, f: dict(a)),
}


def source(p):
    return {"type": "image", "source": {
        "type": "base64", "media_type": p["type"], "data": p["data"]}}


class Log:
    def __init__(self, trace):
        self.trace = trace
        self.folder = trace.head["folder"]
        self.records, self.parent, self.count = [], {}, 0
        self.written = set()
        self.called = {}                # call number: the record that has it
        self.input = 3200

    def uuid(self):
        self.count += 1
        return uuid(self.trace.name, "record", self.count)

    def record(self, line, kind, at=None, **members):
        """A record of the tree; its parent is the previous one in its thread."""
        agent, thread = line.get("agent"), line.get("thread", "session")
        r = {"parentUuid": self.parent.get((thread, agent)),
             "isSidechain": agent is not None}
        if agent is not None:
            r["agentId"] = agent
        r.update({"userType": "external", "cwd": self.folder,
                  "sessionId": uuid(self.trace.name, thread), "version": VERSION,
                  "gitBranch": "main", "type": kind})
        r.update(members)
        r["uuid"] = self.uuid()
        r["timestamp"] = self.trace.time(line["at"] if at is None else at)
        self.parent[thread, agent] = r["uuid"]
        self.records.append(r)
        return r

    def user(self, line):
        content = line["text"]
        if pictures(line):
            content = [{"type": "text", "text": content}]
            content += [source(p) for p in pictures(line)]
        r = self.record(line, "user", message={"role": "user", "content": content})
        if line.get("agent") is None:
            r["todos"] = []
            r["permissionMode"] = "default"
            self.records.append({
                "type": "file-history-snapshot", "messageId": r["uuid"],
                "snapshot": {"messageId": r["uuid"], "trackedFileBackups": {},
                             "timestamp": r["timestamp"]},
                "isSnapshotUpdate": False})

    def blocks(self, convo, line):
        if line.get("think"):
            yield {"type": "thinking", "thinking": line["think"],
                   "signature": signature(self.trace.name, line["at"])}, None
        if line.get("text"):
            yield {"type": "text", "text": line["text"]}, None
        for c in line.get("calls", ()):
            name, args = TOOLS.get(c["tool"], (c["tool"], lambda a, f: dict(a)))
            yield {"type": "tool_use", "id": convo.id(c["n"], "toolu_01", 22),
                   "name": name, "input": args(c["args"], self.folder)}, c["n"]

    def assistant(self, convo, line):
        key = (self.trace.name, line.get("agent"), line["at"])
        shared = {"model": MODEL, "id": ident("msg_01", 22, *key),
                  "type": "message", "role": "assistant"}
        size = sum(len(compact(b)) for b, _ in self.blocks(convo, line)) // 4
        usage = {"input_tokens": 4, "cache_creation_input_tokens": size + 180,
                 "cache_read_input_tokens": self.input, "output_tokens": size,
                 "service_tier": "standard"}
        self.input += size + 180
        at, made = line["at"], []
        for block, n in self.blocks(convo, line):
            r = self.record(line, "assistant", at=at, message=dict(
                shared, content=[block], stop_reason=None, stop_sequence=None,
                usage=usage), requestId=ident("req_01", 22, *key))
            at += 0.4
            if n is not None:
                self.called[n] = r["uuid"]
                made.append((n, r))
        # immediate results are written before the next call of the message
        for n, r in made[:-1]:
            result = convo.results.get(n)
            if result is not None and n % 3 == 0 and \
                    convo.calls[n]["tool"] != "subagent" and self.records[-1] is not r:
                self.early(convo, n, r)

    def early(self, convo, n, r):
        """Move a result to its call, before the other blocks of the message."""
        keep = self.records[self.records.index(r) + 1:]
        del self.records[-len(keep):]
        self.result(convo, convo.results[n], done=True)
        self.records += keep

    def ui(self, convo, line):
        c = convo.calls[line["call"]]
        path = f"{self.folder}/{c['args'].get('path', '')}"
        if c["tool"] == "shell":
            return {"stdout": line["text"], "stderr": "",
                    "interrupted": bool(line.get("interrupted")),
                    "isImage": False}
        if c["tool"] == "read_file" and not line.get("failed"):
            if pictures(line):
                return {"type": "image", "file": {
                    "base64": pictures(line)[0]["data"],
                    "type": pictures(line)[0]["type"]}}
            lines = line["text"].count("\n")
            start = c["args"].get("start", 1)
            return {"type": "text", "file": {
                "filePath": path, "content": line["text"], "numLines": lines,
                "startLine": start, "totalLines": start - 1 + lines}}
        if c["tool"] == "edit_file" and not line.get("failed"):
            return {"filePath": path, "oldString": c["args"]["old"],
                    "newString": c["args"]["new"], "userModified": False,
                    "replaceAll": False}
        if line.get("failed"):
            return "Error: " + line["text"]
        return {"mode": "content", "content": line["text"]} \
            if c["tool"] == "grep" else {"content": line["text"]}

    def text(self, c, line):
        """The text of a result; Read adds line numbers, other tools do not."""
        if c["tool"] != "read_file" or line.get("failed") or pictures(line):
            return line["text"]
        start = c["args"].get("start", 1)
        return "\n".join(f"{i:6d}→{t}" for i, t in
                         enumerate(line["text"].split("\n"), start))

    def result(self, convo, line, done=False):
        n = line["call"]
        if n in self.written:           # it was moved to its call
            return
        self.written.add(n)
        c = convo.calls[n]
        text = self.text(c, line)
        content = text if not pictures(line) else \
            [{"type": "text", "text": text}] + [source(p) for p in pictures(line)]
        id = convo.id(n, "toolu_01", 22)
        if c["tool"] == "shell" and not done:
            self.progress(line, id)
        block = {"tool_use_id": id, "type": "tool_result", "content": content}
        if line.get("failed"):
            block["is_error"] = True
        r = self.record(line, "user",
                        message={"role": "user", "content": [block]})
        r["toolUseResult"] = self.ui(convo, line)
        r["sourceToolAssistantUUID"] = self.called[n]
        r["parentUuid"] = self.called[n]
        self.input += len(text) // 4

    def progress(self, line, id):
        """What the interface showed while a command ran."""
        lines = line["text"].split("\n")
        if len(lines) < 12:
            return
        for i, part in enumerate((3, 2, 1)):
            seen = lines[:len(lines) // part]
            r = self.record(line, "progress", at=line["at"] - part * 0.2)
            r["data"] = {"type": "bash_progress", "output": "\n".join(seen[-5:]),
                         "fullOutput": "\n".join(seen[-12:]),
                         "elapsedTimeSeconds": 2 + i, "totalLines": len(seen)}
            r["toolUseID"] = f"bash-progress-{i}"
            r["parentToolUseID"] = id

    def compact(self, line):
        key = line.get("thread", "session"), line.get("agent")
        last = self.parent.pop(key, None)
        r = self.record(line, "system", subtype="compact_boundary",
                        content="Conversation compacted", isMeta=False,
                        level="info")
        r["logicalParentUuid"] = last
        r["compactMetadata"] = {"trigger": "auto", "preTokens": self.input}
        self.input = 3200 + len(line["text"]) // 4
        self.record(line, "user", isVisibleInTranscriptOnly=True,
                    isCompactSummary=True,
                    message={"role": "user", "content": line["text"]})

    def duration(self, line):
        self.record(line, "system", subtype="turn_duration",
                    durationMs=int(line["at"] * 7) % 90000 + 1200, isMeta=False)


def log(trace):
    out = Log(trace)
    for line in trace.lines:
        convo = trace.convos[line.get("thread"), line.get("agent")]
        if line["kind"] == "user":
            out.user(line)
        elif line["kind"] == "assistant":
            out.assistant(convo, line)
            if not line.get("calls") and line.get("agent") is None:
                out.duration(line)
        elif line["kind"] == "result":
            out.result(convo, line)
        elif line["kind"] == "compact":
            out.compact(line)
    return out.records
