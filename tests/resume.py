#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an agent sends when it resumes a session, by a reader for each agent that
shares no code with ctx.

    resume.py sent AGENT FILE           the messages that AGENT would send
    resume.py damages BUILD AGENT FILE  a row for each damage of agents/spoil.py
    resume.py law BUILD SEED N          random rollouts of Codex with turns taken back

The readers follow the programs' sources; tests/agents/run compares what they say
with the requests that the agents send.  The program of Claude Code is not free, so
its reader follows what is known of it: from the last message by the parents.
The messages are printed in the form of OpenAI chat, one a line.

A row has the agent, the damage, and how many messages are sent before and after ctx.
Exits with 1 if they are not those that ctx left, or not valid, or others than the
damage explains.  The law: of a rollout that any of the commands below has written,
Codex sends what ctx reads of it, in the order of what it sent before, with the same
end; only a summary is new.
"""
import contextlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "agents")]
import agents                                                   # noqa: E402
import spoil                                                    # noqa: E402


def lines(text):
    """The records of a file of lines; all agents pass over lines that are no JSON."""
    out = []
    for line in text.splitlines():
        try:
            v = json.loads(line)
        except ValueError:
            continue
        if isinstance(v, dict):
            out.append(v)
    return out


def texts(content):
    if isinstance(content, str):
        return content
    return "".join(p if isinstance(p, str) else p.get("text") or ""
                   for p in content or [])


def call(i, name, args):
    return {"id": i, "type": "function", "function": {
        "name": name, "arguments": args if isinstance(args, str) else
        json.dumps(args, ensure_ascii=False)}}


def result(i, content):
    return {"role": "tool", "tool_call_id": i, "content": content}


def says(role, content, calls=()):
    m = {"role": role, "content": content or None}
    if calls:
        m["tool_calls"] = list(calls)
    return [m] if content or calls else []


# --- Codex: core/src/session/rollout_reconstruction.rs, context_manager ----------

CONTEXT = ("# AGENTS.md instructions", "<environment_context>", "<skill>",
           "<user_shell_command>", "<turn_aborted>", "<subagent_notification>")


def turn_begins(item):
    return item.get("type") == "message" and item.get("role") == "user" and \
        not any(p.get("text", "").lstrip().startswith(CONTEXT)
                for p in item["content"])


def taken_back(items, n):
    """The items without the last n turns of the user."""
    starts = [i for i, item in enumerate(items) if turn_begins(item)]
    return items[:starts[-n] if n <= len(starts) else starts[0]] if starts and n \
        else items


def answered(items):
    """Open calls get a result, and results without a call go."""
    calls = {i["call_id"] for i in items if i["type"].endswith("_call")}
    done = {i["call_id"] for i in items if i["type"].endswith("_output")}
    for i in items:
        if not i["type"].endswith("_output") or i["call_id"] in calls:
            yield i
        if i["type"].endswith("_call") and i["call_id"] not in done:
            yield {"type": i["type"] + "_output", "call_id": i["call_id"],
                   "output": "aborted"}


def codex(text):
    items = []
    for r in lines(text):
        p = r.get("payload") or {}
        if r.get("type") == "response_item":
            items.append(p)
        elif r.get("type") == "compacted":
            items = list(p["replacement_history"])
        elif p.get("type") == "thread_rolled_back":
            items = taken_back(items, p["num_turns"])
    for i in answered(items):
        kind = i["type"]
        if kind == "message" and i["role"] in ("user", "assistant"):
            yield from says(i["role"], texts(i["content"]))
        elif kind.endswith("_call"):
            yield from says("assistant", None, [
                call(i["call_id"], i["name"], i.get("arguments", i.get("input")))])
        elif kind.endswith("_output"):
            yield result(i["call_id"], texts(i["output"]))


# --- Gemini CLI: core/src/services/chatRecordingService.ts, utils/sessionUtils.ts ---

def logged(text):
    """The messages of a log of changes, each by its id."""
    found = {}
    for r in lines(text):
        if isinstance(r.get("$rewindTo"), str):
            ids = list(found)
            at = ids.index(r["$rewindTo"]) if r["$rewindTo"] in found else 0
            for i in ids[at:]:
                del found[i]
        elif isinstance(r.get("id"), str):
            found[r["id"]] = r
        elif isinstance(r.get("$set", r).get("messages"), list):
            if "$set" in r:
                found.clear()
            for m in r.get("$set", r)["messages"]:
                found[m["id"]] = m
    return found.values()


def contents(role, parts):
    """A content of Gemini's API as messages."""
    said = [p["text"] for p in parts if "text" in p and not p.get("thought")]
    calls = [call(c.get("id"), c["name"], c.get("args", {}))
             for c in (p["functionCall"] for p in parts if "functionCall" in p)]
    for p in parts:
        if "functionResponse" in p:
            back = p["functionResponse"]
            values = list(back["response"].values())
            yield result(back.get("id"), values[0] if len(values) == 1 and
                         isinstance(values[0], str) else
                         json.dumps(back["response"], ensure_ascii=False))
    yield from says({"model": "assistant"}.get(role, role), "".join(said), calls)


def parts_of(content):
    if isinstance(content, str):
        return [{"text": content}] if content else []
    return [{"text": p} if isinstance(p, str) else p for p in content or []]


def gemini_cli(text):
    for m in logged(text):
        parts = parts_of(m.get("content"))
        calls = m.get("toolCalls") or []
        if m.get("type") == "user":
            said = "".join(p.get("text", "") for p in parts).strip()
            if any("functionResponse" in p for p in parts) or said and \
                    not said.startswith(("/", "?", "<hook_context>")):
                yield from contents("user", parts)
        elif m.get("type") == "gemini":
            if not any("functionCall" in p or p.get("thought") for p in parts):
                parts = parts + [{"functionCall": c} for c in calls]
            yield from contents("model", parts)
            yield from contents("user", [p for c in calls
                                         for p in parts_of(c.get("result"))])


# --- Qwen Code: core/src/services/sessionService.ts ------------------------------

def chain(records, key, parent):
    """From the last record by the parents, the other way round."""
    ids = {}
    for r in records:
        ids.setdefault(r.get(key), r)
    at, found, seen = records[-1] if records else None, [], set()
    while at is not None and at[key] not in seen:
        seen.add(at[key])
        found.append(at)
        at = ids.get(at.get(parent) or 0)
    return found[::-1]


def qwen_code(text):
    history = []
    for r in chain(lines(text), "uuid", "parentUuid"):
        packed = (r.get("systemPayload") or {}).get("compressedHistory")
        if r.get("subtype") == "chat_compression" and packed:
            history = list(packed)
        elif r.get("type") != "system" and r.get("message"):
            history.append(r["message"])
    for m in history:
        yield from contents(m["role"], m["parts"])


# --- pi: coding-agent/src/core/session-manager.ts --------------------------------

def pi_entries(text):
    path = chain([r for r in lines(text) if r.get("type") != "session"],
                 "id", "parentId")
    last = max((n for n, r in enumerate(path) if r["type"] == "compaction"),
               default=None)
    if last is None:
        return path
    kept = path[:last]
    first = next((n for n, r in enumerate(kept)
                  if r["id"] == path[last]["firstKeptEntryId"]), last)
    return [path[last]] + kept[first:] + path[last + 1:]


SUMMARY = "The conversation history before this point was compacted into the " \
    "following summary:\n\n<summary>\n%s\n</summary>"


def pi(text):
    for r in pi_entries(text):
        if r["type"] == "compaction":
            yield from says("user", SUMMARY % r["summary"])
        elif r["type"] == "message":
            m = r["message"]
            if m["role"] == "toolResult":
                yield result(m["toolCallId"], texts(m["content"]))
            elif m["role"] in ("user", "assistant"):
                parts = m["content"] if isinstance(m["content"], list) else []
                yield from says(m["role"], texts(m["content"]), [
                    call(p["id"], p["name"], p["arguments"])
                    for p in parts if p.get("type") == "toolCall"])


# --- OpenCode: cli/cmd/import.ts, session/message-v2.ts --------------------------

NEEDS = {"user": ("id", "sessionID", "time", "agent", "model"),
         "assistant": ("id", "sessionID", "time", "agent", "parentID", "mode", "path",
                       "cost", "tokens", "modelID", "providerID")}


def imported(messages):
    """Those before the first that lacks a member, sorted as they are sent."""
    out = []
    for m in messages:
        if any(k not in m["info"] for k in NEEDS[m["info"]["role"]]) or \
                any(k not in p for p in m["parts"]
                    for k in ("id", "sessionID", "messageID")):
            break
        out.append(m)
    return sorted(out, key=lambda m: (m["info"]["time"]["created"], m["info"]["id"]))


def opencode(text):
    for m in imported(json.loads(text)["messages"]):
        said, calls, results = "", [], []
        for p in m["parts"]:
            if p["type"] == "text":
                said += p["text"]
            elif p["type"] == "tool":
                state = p["state"]
                calls.append(call(p["callID"], p["tool"], state["input"]))
                results.append(result(p["callID"], {
                    "completed": state.get("output"), "error": state.get("error"),
                }.get(state["status"], "[Tool execution was interrupted]")))
        yield from says(m["info"]["role"], said, calls)
        yield from results


# --- Continue: extensions/cli/src/session.ts -------------------------------------

def cn(text):
    for item in json.loads(text)["history"]:
        m = item["message"]
        if m["role"] == "tool":
            yield result(m["toolCallId"], texts(m["content"]))
            continue
        yield from says(m["role"], texts(m["content"]), [
            call(c["id"], c["function"]["name"], c["function"]["arguments"])
            for c in m.get("toolCalls") or []])
        for s in item.get("toolCallStates") or []:
            if s.get("output"):
                yield result(s["toolCallId"],
                             "\n".join(o["content"] for o in s["output"]))


# --- Claude Code -----------------------------------------------------------------

def calls_of(r):
    content = (r.get("message") or {}).get("content")
    return {b.get("id") or b.get("tool_use_id") for b in content
            if b["type"] in ("tool_use", "tool_result")} \
        if isinstance(content, list) else set()


def reached(records):
    """The records of the chain, and the results of their calls beside it."""
    tip = max((n for n, r in enumerate(records) if r["type"] in ("user", "assistant")),
              default=-1)
    found = {r["uuid"] for r in chain(records[:tip + 1], "uuid", "parentUuid")}
    calls = set().union(*(calls_of(r) for r in records if r["uuid"] in found and
                          r["type"] == "assistant"))
    return [r for r in records if r["uuid"] in found or
            r["type"] == "user" and calls_of(r) & calls]


def claude_code(text):
    for r in reached([r for r in lines(text)
                      if r.get("uuid") and not r.get("isSidechain")]):
        if r["type"] not in ("user", "assistant"):
            continue
        content = r["message"]["content"]
        blocks = content if isinstance(content, list) else []
        for b in blocks:
            if b["type"] == "tool_result":
                yield result(b["tool_use_id"], texts(b.get("content")))
        yield from says(r["message"]["role"], content if isinstance(content, str) else
                        texts([b for b in blocks if b["type"] == "text"]),
                        [call(b["id"], b["name"], b["input"]) for b in blocks
                         if b["type"] == "tool_use"])


READERS = {"claude-code": claude_code, "codex": codex, "gemini-cli": gemini_cli,
           "qwen-code": qwen_code, "pi": pi, "opencode": opencode, "continue": cn}


def joined(messages):
    """What the assistant says in several records is one message."""
    out = []
    for m in messages:
        if out and m["role"] == out[-1]["role"] == "assistant":
            last = out[-1] = dict(out[-1])
            last["content"] = (last["content"] or "") + (m["content"] or "") or None
            last["tool_calls"] = last.get("tool_calls", []) + m.get("tool_calls", [])
            if not last["tool_calls"]:
                del last["tool_calls"]
        else:
            out.append(m)
    return out


def sent(agent, path):
    with open(path, encoding="utf-8") as f:
        return joined(READERS[agent](f.read()))


# --- damages ---------------------------------------------------------------------

def events(messages):
    return list(agents.chat({"messages": messages}))


def undoubled(messages):
    """Without results of calls that have one: Gemini CLI doubles them."""
    done = set()
    for m in messages:
        if m["role"] != "tool" or m["tool_call_id"] not in done:
            yield m
        if m["role"] == "tool":
            done.add(m["tool_call_id"])


def part_of(some, whole):
    """The events of the whole that some lacks, in order; None: others are there."""
    lacks, at = [], 0
    for event in some:
        if event not in whole[at:]:
            return None
        n = whole.index(event, at)
        lacks += whole[at:n]
        at = n + 1
    return lacks + whole[at:]


def cleaned(now):
    """Is all but the newest three results cleared, and are those short?"""
    results = [e[1] for e in now if e[0] == "result"]
    # a note of a short text would be longer than it is
    return all(re.fullmatch(r"\[tool result cleared: \d+ chars\]", r) or len(r) < 40
               for r in results[:-3]) and all(len(r) <= 540 for r in results[-3:]) and \
        any("result cleared" in r for r in results)


def explained(what, was, now):
    """Is what is sent after ctx what the damage leaves?"""
    kinds = [[e[0] for e in events] for events in (was, now)]
    lacks = part_of(now, was)
    if what.startswith("as"):
        return lacks == []
    if what.startswith("cut"):
        return lacks in ([], was[-1:])
    if what.startswith("robbed"):           # the call goes with the result
        return lacks is not None and sorted(e[0] for e in lacks) == ["call", "result"]
    if what.startswith("cleaned"):
        return kinds[0] == kinds[1] and cleaned(now)
    if what.startswith("truncated"):
        return lacks and now and now[-1] == was[-1]
    # the newest messages stay, and a summary is before them
    return "Summary of earlier conversation" in json.dumps(now[0]) and \
        part_of([e for e in now[1:] if e in was], was) is not None and \
        now[-1] == was[-1] and len(now) < len(was)


def faults(build, agent, what, path, was):
    """What is wrong with what is sent of the session."""
    now, told = sent(agent, path), io.StringIO()
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as f:
        f.write("".join(json.dumps(m) + "\n" for m in now))
        f.flush()
        yield from spoil.refused(build, f.name, agent, "--ignore", "long-id")
    with contextlib.redirect_stdout(told):
        _, unknown = agents.compare(agent, "2", events(now),
                                    spoil.as_ctx_reads(build, path) + [("user", "x")])
    if unknown != 1:                        # only the prompt, which is not there
        yield "not what ctx reads:\n" + told.getvalue()
    if not explained(what, was, events(undoubled(now))):
        yield "not what the damage leaves"


def damages(build, agent, path):
    was, bad = events(undoubled(sent(agent, path))), 0
    for what, needs_lines, harm, command in spoil.DAMAGES:
        if needs_lines and agent not in spoil.RESULT:
            continue
        with tempfile.TemporaryDirectory() as folder:
            to = os.path.join(folder, "session")
            harm(agent, path, to)
            before = len(sent(agent, to))
            spoil.run_ctx(build, command(build, to), to)
            print("%s %s: %d, %d" % (agent, what, before, len(sent(agent, to))))
            for fault in faults(build, agent, what, to, was):
                bad += 1
                print(fault)
    return bad > 0


# --- random rollouts of Codex ----------------------------------------------------

COMMANDS = [["ctx-clean"], ["ctx-clean", "--branches", "drop"],
            ["ctx-clean", "--thinking", "drop", "--unanswered", "repair"],
            ["ctx-truncate", "-n", "3"], ["ctx-truncate", "-t", "400"],
            ["ctx-summarize", "--engine", "offline", "-n", "2"],
            ["ctx-summarize", "--engine", "offline", "-t", "900"]]


def item(role, text):
    kind = "output_text" if role == "assistant" else "input_text"
    return "response_item", {"type": "message", "role": role,
                             "content": [{"type": kind, "text": text}]}


def a_turn(rng, n):
    if rng.random() < .2:
        yield item("developer", "<permissions instructions>\n%d" % n)
    yield item("user", "question %d " % n * rng.randint(1, 30))
    for k in range(rng.choice([0, 0, 1, 2])):
        i = "c%d_%d" % (n, k)
        yield "response_item", {"type": "function_call", "name": "f",
                                "arguments": "{}", "call_id": i}
        yield "response_item", {"type": "function_call_output", "call_id": i,
                                "output": "result %d " % n * rng.randint(1, 40)}
    yield item("assistant", "answer %d " % n * rng.randint(1, 30))
    if rng.random() < .08:
        yield "compacted", {"message": "", "replacement_history": [
            item("user", "So far, %d" % n)[1]]}
    if rng.random() < .25:
        yield "event_msg", {"type": "thread_rolled_back",
                            "num_turns": rng.randint(1, 3)}


def rollout(seed):
    rng = random.Random(seed)
    records = [("session_meta", {"id": "s", "timestamp": "t", "cwd": "/src"}),
               item("user", "<environment_context>\n</environment_context>")]
    for n in range(rng.randint(1, 12)):
        records += a_turn(rng, n)
    return "".join(json.dumps({"timestamp": "2026-01-01T00:00:00.000Z", "type": t,
                               "payload": p}, separators=(",", ":")) + "\n"
                   for t, p in records)


def broken(build, was, path):
    """What breaks the law in a rollout; what was sent before it was written."""
    now = events(sent("codex", path))
    if now != spoil.as_ctx_reads(build, path):
        return "not what ctx reads"
    old = [e for e in now if "Summary of earlier" not in e[-1]]
    if part_of(old, was) is None:
        return "others, or another order"
    if old[-1:] != was[-1:]:
        return "another end"
    return None


def law(build, seed, n):
    runs = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        before, after = os.path.join(folder, "before"), os.path.join(folder, "after")
        for i in range(int(seed), int(seed) + int(n)):
            with open(before, "w", encoding="utf-8") as f:
                f.write(rollout(i))
            was = events(sent("codex", before))
            for argv in COMMANDS:
                with open(after, "wb") as f:
                    subprocess.run([os.path.join(build, argv[0]), "-q", *argv[1:],
                                    before], stdout=f, check=True)
                why = broken(build, was, after)
                runs += 1
                wrong += why is not None
                if why:
                    print("%d, %s: %s" % (i, " ".join(argv), why))
    print("%d runs, %d break the law" % (runs, wrong))
    return wrong > 0


def main():
    if sys.argv[1] == "law":
        return law(*sys.argv[2:])
    if sys.argv[1] == "damages":
        return damages(*sys.argv[2:])
    for m in sent(*sys.argv[2:]):
        print(json.dumps(m, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
