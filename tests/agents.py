#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an agent sent and what ctx reads from its session file, by a reader of
requests that shares no code with ctx.

    agents.py AGENT RUN REQUESTS CONVERTED      (RUN: 1, 2, 3 or 4)

REQUESTS has the bodies of requests, of which the last counts, and CONVERTED is the
session file as messages of OpenAI chat, one a line, whose open calls have been given
a result by ctx-clean.  Both become lists of events:
a text of a role, a call with its arguments, a result.  The session may have one
answer more.  Prints the numbers of texts, calls and results that are the same, and
each difference; one that is known, because the agent makes it between its file and
its request, is printed with its reason.  Exits with 1 if there is any other.
"""
import json
import re
import sys


def compact(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def parts(content):
    """The texts of content that is a string or a list of parts."""
    if isinstance(content, str):
        return [content]
    return [p if isinstance(p, str) else p["text"] for p in content or []
            if isinstance(p, str) or "text" in p]


def plain(text):
    """JSON without its white space: a program may write it again."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return compact(value) if isinstance(value, (dict, list)) else text


def said(role, texts):
    for text in texts:
        if text.strip():
            # the dates in the requests are masked
            yield role, re.sub(r"<current_date>[^<]*|Today's date is [^(]*", "",
                               text)


def chat(body):
    for m in body["messages"]:
        role = m["role"]
        if role == "tool":
            yield "result", plain("".join(parts(m.get("content"))))
        elif role in ("user", "assistant"):
            yield from said(role, parts(m.get("content")))
        for c in m.get("tool_calls") or ():
            f = c.get("function") or c["custom"]
            yield "call", f["name"], \
                compact(given(f["arguments"] if "arguments" in f else f["input"]))


def given(args):
    """Arguments as an object; those of custom tools are a text."""
    if not isinstance(args, str):
        return args
    try:
        return json.loads(args)
    except ValueError:
        return {"input": args}


def messages(body):
    for m in body["messages"]:
        content = m["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for b in content:
            if b["type"] == "text":
                yield from said(m["role"], [b["text"]])
            elif b["type"] == "tool_use":
                yield "call", b["name"], compact(b["input"])
            elif b["type"] == "tool_result":
                yield "result", plain("".join(parts(b.get("content"))))


def responses(body):
    for i in body["input"]:
        kind = i.get("type", "message")
        if kind == "message" and i["role"] in ("user", "assistant"):
            yield from said(i["role"], parts(i["content"]))
        elif kind == "function_call":
            yield "call", i["name"], compact(json.loads(i["arguments"]))
        elif kind == "custom_tool_call":
            yield "call", i["name"], compact({"input": i["input"]})
        elif kind in ("function_call_output", "custom_tool_call_output"):
            yield "result", plain("".join(parts(i["output"])))


def gemini(body):
    for m in body["contents"]:
        role = {"user": "user", "model": "assistant"}[m["role"]]
        for p in m["parts"]:
            if "functionCall" in p:
                c = p["functionCall"]
                yield "call", c["name"], compact(c.get("args", {}))
            elif "functionResponse" in p:
                said_back = p["functionResponse"]["response"]
                texts = list(said_back.values())
                yield "result", plain(texts[0]) if len(texts) == 1 and \
                    isinstance(texts[0], str) else compact(said_back)
            elif not p.get("thought"):
                yield from said(role, [p["text"]])


def request(path):
    with open(path, encoding="utf-8") as f:
        body = json.loads(f.read().splitlines()[-1])
    return events(body.get("body", body))


def events(body):
    if "contents" in body:
        return list(gemini(body))
    if "input" in body:
        return list(responses(body))
    if isinstance(body.get("system"), (str, list)) or any(
            b.get("type") in ("tool_use", "tool_result")
            for m in body["messages"] if isinstance(m["content"], list)
            for b in m["content"]):
        return list(messages(body))
    return list(chat(body))


def session(path):
    with open(path, encoding="utf-8") as f:
        return list(chat({"messages": [json.loads(s) for s in f]}))


def starts(*words):
    return lambda event: event[1].startswith(words)


def is_result(event):
    return event[0] == "result"


OPEN = "the agent makes up a result for a call that a crash left open"
TAGS = "the agent takes its own tags off the user's words"
LONG = "the agent sends less of a long result"
BEHIND = "the agent has not written its file again"
SETUP = "sent at each start, and not kept"
TOLD = "the agent says what a summary is"
AGAIN = "the agent says again where it is, if the file has lost it"
NONE = starts("[no result: ")           # what ctx-clean --unanswered repair writes

# By agent: in which runs ("": all), on which side (again: sent twice; end: sent after
# all that the file has), which events, and why.
KNOWN = {
    "codex": [("4", "sent", starts("aborted"), OPEN),
              ("4", "read", NONE, OPEN),
              ("", "sent", starts("<environment_context>"), AGAIN)],
    "gemini-cli": [
        ("", "sent", starts("<session_context>"), AGAIN),
        ("24", "again", is_result, "the agent doubles results when it resumes"),
        ("4", "sent", starts("[The previous response was interrupted"),
         "the agent makes up an answer after a crash, which its file lacks")],
    "qwen-code": [
        ("", "sent", starts("This is the Qwen Code.", "Got it. Thanks for the "),
         SETUP),
        ("4", "read", lambda e: NONE(e) or "sleep 45" in e[-1],
         "the agent leaves out a call that a crash left open")],
    "pi": [("4", "sent", starts("No result provided"), OPEN),
           ("4", "read", NONE, OPEN),
           ("", "sent", starts("The conversation history before this point"), TOLD),
           ("", "read", starts("[Context: Summary of earlier conversation"), TOLD)],
    "cline": [("", "sent", starts("tally drops", "Run the slow"), TAGS),
              ("", "read", starts('<user_input mode="act">'), TAGS),
              ("1", "sent", lambda e: is_result(e) and "...[truncated " in e[1],
               LONG),
              ("1", "read", lambda e: is_result(e) and len(e[1]) > 8000, LONG)],
    "nanocoder": [("12", "end", lambda e: True, BEHIND),
                  ("12", "read", NONE, BEHIND)],
}


def reason(agent, run, side, event):
    """Why this agent adds, leaves out or changes the event; None: unknown."""
    for runs, where, test, why in KNOWN.get(agent.split("-chat")[0].split(
            "-messages")[0] if not agent.startswith("pi-") else "pi", ()):
        if (not runs or run in runs) and where == side and test(event):
            return why
    return None


def show(event):
    text = " ".join(" ".join(event).split())
    return text if len(text) < 60 else text[:57] + "..."


def differ(agent, run, same, sent, read):
    """The next difference: what it is, how many events of both, and why."""
    for side, there in (("end", sent and not read),
                        ("again", sent and sent[0] in same)):
        why = reason(agent, run, side, sent[0]) if there else None
        if why:
            return "only sent", 1, 0, why
    for_sent = reason(agent, run, "sent", sent[0]) if sent else None
    for_read = reason(agent, run, "read", read[0]) if read else None
    if for_sent and for_sent == for_read:
        return "changed", 1, 1, for_sent
    if for_sent:
        return "only sent", 1, 0, for_sent
    if for_read:
        return "only in the file", 0, 1, for_read
    if sent and sent[0] not in read or not read:
        return "only sent", 1, 0, None
    return "only in the file", 0, 1, None


def compare(agent, run, sent, read):
    """Print the differences; return the events that are the same, and how many
    differences are not known."""
    same, unknown = [], 0
    while sent or read:
        if sent and read and sent[0] == read[0]:
            same.append(sent[0])
            sent, read = sent[1:], read[1:]
            continue
        if not sent and all(e[0] != "user" for e in read):
            break                       # the last answer
        what, n, k, why = differ(agent, run, same, sent, read)
        print(f"  {what}: {show((sent[:n] + read[:k])[0])} ({why or '?'})")
        unknown += why is None
        sent, read = sent[n:], read[k:]
    return same, unknown


def main():
    agent, run, sent, read = sys.argv[1:]
    same, unknown = compare(agent, run, request(sent), session(read))
    count = [sum(e[0] in kinds for e in same)
             for kinds in (("user", "assistant"), ("call",), ("result",))]
    print("{} {}: {} texts, {} calls, {} results are the same".format(
        agent, run, *count))
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
