#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A member that is null or empty never changes what a message is.

    nulls.py [-v] [STEP]

Takes a minimal history of each dialect and sets each member that any dialect
knows to null, "", [] and {}, wherever a message does not have it, as libraries do
that write all members of a class.  Every command must see the same messages as
before, in message lines, conversation lines and requests.  Prints how many forms
lost or gained something, and exits with 1 if any did; with -v it names them.  With
STEP, only every STEPth form is tried.

The commands are found by PATH.  Each run handles all forms of a history at once.
"""
import copy
import json
import re
import subprocess
import sys

MEMBERS = """role content type name id tool_calls tool_call_id function_call refusal
    reasoning_content parts kind message messages conversations contents input system
    systemInstruction system_instruction uuid payload data lc kwargs from value call_id
    output timestamp arguments summary instructions system_prompt history $set
    $rewindTo projectHash parentId parentUuid cwd toolCalls thoughts toolCallStates
    contextItems info tool_plan images thinking tool_name mapping
    chat_messages current_node sender conversation
    working_dir message_count metadata created inputs outputs
    gen_ai.system_instructions gen_ai.input.messages
    gen_ai.output.messages""".split()
EMPTY = [None, "", [], {}]
# Members of the elements of a message's content.
WITHIN = """type text functionCall function_call functionResponse function_response
    inlineData inline_data fileData file_data executableCode executable_code
    codeExecutionResult code_execution_result thought thoughtSignature
    thought_signature signature part_kind tool_call_id tool_name refusal input output
    args result is_error isError errorText toolCallId toolName providerOptions
    providerExecuted source image mediaType image_url content id name thinking
    arguments thinkingSignature callID tool state metadata ignored mime
    toolUse toolResult reasoningContent document document_url toolCall
    annotations response file_id modality mime_type""".split()
AROUND = ["messages", "contents", "input", "conversations", "conversation", "history",
          "info", "output", "inputs", "outputs", "gen_ai.system_instructions",
          "gen_ai.input.messages", "gen_ai.output.messages", "working_dir",
          "message_count", "projectHash", "system", "system_prompt",
          "systemInstruction", "system_instruction", "instructions", "role", "content",
          "type", "parts", "tool_calls", "tool_call_id", "function_call", "payload",
          "data", "lc", "kind", "message", "from", "value"]


def call(name, args):
    return {"id": name, "type": "function",
            "function": {"name": "look", "arguments": json.dumps({"q": args})}}


def lc(cls, **members):
    return {"lc": 1, "type": "constructor",
            "id": ["langchain_core", "messages", cls], "kwargs": members}


def record(kind, n, message):
    return {"type": kind, "uuid": f"u{n}", "sessionId": "s1", "message": message}


def change(kind, n, **members):
    return dict({"id": f"i{n}", "timestamp": "2026-01-01T00:00:00Z", "type": kind},
                **members)


def entry(message):
    return {"type": "message", "timestamp": "2026-01-01T00:00:00Z",
            "message": message}


def visible(message):
    return dict(message, created=1, metadata={"userVisible": True,
                                              "agentVisible": True})


def item(payload):
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item",
            "payload": payload}


LC_CALLS = [{"name": "look", "args": {"q": "MC1"}, "id": "c1", "type": "tool_call"}]
ITEMS = [
    {"type": "message", "role": "user",
     "content": [{"type": "input_text", "text": "MU1"}]},
    {"type": "function_call", "call_id": "c1", "name": "look",
     "arguments": '{"q":"MC1"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "MR1"},
    {"type": "message", "role": "assistant",
     "content": [{"type": "output_text", "text": "MA1"}]}]

# Of each history: the list's member in a conversation (None: no conversations), the
# members inside which members are set too, and the messages.
HISTORIES = {
    "openai": ("messages", [], [
        {"role": "system", "content": "MS0"}, {"role": "user", "content": "MU1"},
        {"role": "assistant", "content": "MA1", "tool_calls": [call("c1", "MC1")]},
        {"role": "tool", "tool_call_id": "c1", "content": "MR1"},
        {"role": "assistant", "content": "MA2"}]),
    "openai words": ("messages", [], [
        {"role": "user", "content": "MU1"}, {"role": "assistant", "content": "MA1"}]),
    "openai parts": ("messages", [], [
        {"role": "user", "content": [{"type": "text", "text": "MU1"}]},
        {"role": "assistant", "tool_calls": [call("c1", "MC1")]},
        {"role": "tool", "tool_call_id": "c1",
         "content": [{"type": "text", "text": "MR1"}]}]),
    "openai function": ("messages", [], [
        {"role": "user", "content": "MU1"},
        {"role": "assistant", "content": None,
         "function_call": {"name": "look", "arguments": '{"q":"MC1"}'}},
        {"role": "function", "name": "look", "content": "MR1"}]),
    "openai one": ("messages", [], [{"role": "user", "content": "MU1"}]),
    "anthropic": ("messages", [], [
        {"role": "user", "content": "MU1"},
        {"role": "assistant", "content": [
            {"type": "text", "text": "MA1"},
            {"type": "tool_use", "id": "c1", "name": "look", "input": {"q": "MC1"}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": "MR1"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "MA2"}]}]),
    "responses": ("input", [], ITEMS),
    "responses words": ("input", [], [
        {"role": "user", "content": "MU1"}, ITEMS[1], ITEMS[2]]),
    "gemini": ("contents", [], [
        {"role": "user", "parts": [{"text": "MU1"}]},
        {"role": "model", "parts": [
            {"functionCall": {"name": "look", "args": {"q": "MC1"}}}]},
        {"role": "user", "parts": [
            {"functionResponse": {"name": "look", "response": {"result": "MR1"}}}]},
        {"role": "model", "parts": [{"text": "MA1"}]}]),
    "gemini one": ("contents", [], [{"parts": [{"text": "MU1"}]}]),
    "langchain": ("messages", ["data"], [
        {"type": "human", "data": {"content": "MU1"}},
        {"type": "ai", "data": {"content": "MA1", "tool_calls": LC_CALLS}},
        {"type": "tool", "data": {"content": "MR1", "tool_call_id": "c1"}}]),
    "langchain lc": ("messages", ["kwargs"], [
        lc("HumanMessage", content="MU1"),
        lc("AIMessage", content="MA1", tool_calls=LC_CALLS),
        lc("ToolMessage", content="MR1", tool_call_id="c1")]),
    "langchain flat": ("messages", [], [
        {"type": "human", "content": "MU1"},
        {"type": "ai", "content": "MA1", "tool_calls": LC_CALLS},
        {"type": "tool", "content": "MR1", "tool_call_id": "c1"}]),
    "pydantic-ai": ("messages", [], [
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "MU1"}]},
        {"kind": "response", "parts": [
            {"part_kind": "text", "content": "MA1"},
            {"part_kind": "tool-call", "tool_name": "look", "args": {"q": "MC1"},
             "tool_call_id": "c1"}]},
        {"kind": "request", "parts": [
            {"part_kind": "tool-return", "tool_name": "look", "content": "MR1",
             "tool_call_id": "c1"}]}]),
    "claude-code": (None, ["message"], [
        record("user", 1, {"role": "user", "content": "MU1"}),
        record("assistant", 2, {"role": "assistant", "content": [
            {"type": "tool_use", "id": "c1", "name": "look", "input": {"q": "MC1"}}]}),
        record("user", 3, {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": "MR1"}]}),
        record("assistant", 4, {"role": "assistant", "content": [
            {"type": "text", "text": "MA1"}]})]),
    "codex": (None, ["payload"], [item(i) for i in ITEMS]),
    "sharegpt": ("conversations", [], [
        {"from": "human", "value": "MU1"}, {"from": "gpt", "value": "MA1"},
        {"from": "human", "value": "MU2"}]),
    "ai-sdk": ("messages", [], [
        {"role": "user", "content": "MU1"},
        {"role": "assistant", "content": [
            {"type": "text", "text": "MA1"},
            {"type": "tool-call", "toolCallId": "c1", "toolName": "look",
             "input": {"q": "MC1"}}]},
        {"role": "tool", "content": [
            {"type": "tool-result", "toolCallId": "c1", "toolName": "look",
             "output": {"type": "text", "value": "MR1"}}]}]),
    "bedrock": ("messages", [], [
        {"role": "user", "content": [{"text": "MU1"}]},
        {"role": "assistant", "content": [
            {"text": "MA1"},
            {"toolUse": {"toolUseId": "c1", "name": "look", "input": {"q": "MC1"}}}]},
        {"role": "user", "content": [
            {"toolResult": {"toolUseId": "c1", "content": [{"text": "MR1"}]}}]},
        {"role": "assistant", "content": [{"text": "MA2"}]}]),
    "bedrock words": ("messages", [], [
        {"role": "user", "content": [{"text": "MU1"}]},
        {"role": "assistant", "content": [{"text": "MA1"}]}]),
    "cohere": ("messages", [], [
        {"role": "user", "content": "MU1"},
        {"role": "assistant", "tool_plan": "MA1", "tool_calls": [call("c1", "MC1")]},
        {"role": "tool", "tool_call_id": "c1", "content": [
            {"type": "document", "document": {"data": "MR1"}}]},
        {"role": "assistant", "content": "MA2"}]),
    "ollama": ("messages", [], [
        {"role": "user", "content": "MU1", "images": ["iVBORw0KGgo="]},
        {"role": "assistant", "content": "MA1", "thinking": "MT1", "tool_calls": [
            {"function": {"name": "look", "arguments": {"q": "MC1"}}}]},
        {"role": "tool", "tool_name": "look", "content": "MR1"},
        {"role": "assistant", "content": "MA2"}]),
    "mistral": ("messages", [], [
        {"role": "user", "content": "MU1"},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": [{"type": "text", "text": "MT1"}]},
            {"type": "text", "text": "MA1"}],
         "tool_calls": [call("abcdefgh1", "MC1")]},
        {"role": "tool", "tool_call_id": "abcdefgh1", "content": "MR1"},
        {"role": "assistant", "content": "MA2"}]),
    "ai-sdk ui": ("messages", [], [
        {"role": "user", "parts": [{"type": "text", "text": "MU1"}]},
        {"role": "assistant", "parts": [
            {"type": "text", "text": "MA1"},
            {"type": "tool-look", "toolCallId": "c1", "state": "output-available",
             "input": {"q": "MC1"}, "output": "MR1"}]}]),
    "otel": ("messages", [], [
        {"role": "user", "parts": [{"type": "text", "content": "MU1"}]},
        {"role": "assistant", "parts": [
            {"type": "reasoning", "content": "MT1"},
            {"type": "text", "content": "MA1"},
            {"type": "tool_call", "id": "c1", "name": "look",
             "arguments": {"q": "MC1"}}]},
        {"role": "tool", "parts": [
            {"type": "tool_call_response", "id": "c1", "response": "MR1"}]},
        {"role": "assistant", "parts": [{"type": "text", "content": "MA2"}]}]),
    "qwen-code": (None, ["message"], [
        record("user", 1, {"role": "user", "parts": [{"text": "MU1"}]}),
        record("assistant", 2, {"role": "model", "parts": [{"functionCall": {
            "id": "c1", "name": "look", "args": {"q": "MC1"}}}]}),
        record("tool_result", 3, {"role": "user", "parts": [{"functionResponse": {
            "id": "c1", "name": "look", "response": {"output": "MR1"}}}]}),
        record("assistant", 4, {"role": "model", "parts": [{"text": "MA1"}]})]),
    "gemini-cli": ("messages", [], [
        change("user", 1, content=[{"text": "MU1"}]),
        change("gemini", 2, content="MA1"),
        change("gemini", 2, content="MA1", toolCalls=[{
            "id": "c1", "name": "look", "args": {"q": "MC1"}}]),
        change("user", 3, content=[{"functionResponse": {
            "id": "c1", "name": "look", "response": {"output": "MR1"}}}]),
        change("gemini", 4, content="MA2")]),
    "pi": (None, ["message"], [entry(m) for m in (
        {"role": "user", "content": "MU1"},
        {"role": "assistant", "content": [
            {"type": "text", "text": "MA1"},
            {"type": "toolCall", "id": "c1", "name": "look",
             "arguments": {"q": "MC1"}}]},
        {"role": "toolResult", "toolCallId": "c1", "toolName": "look",
         "content": [{"type": "text", "text": "MR1"}]})]),
    "opencode": ("messages", [], [
        {"info": {"role": "user"}, "parts": [{"type": "text", "text": "MU1"}]},
        {"info": {"role": "assistant"}, "parts": [
            {"type": "text", "text": "MA1"},
            {"type": "tool", "callID": "c1", "tool": "look", "state": {
                "status": "completed", "input": {"q": "MC1"}, "output": "MR1"}}]}]),
    "continue": ("history", ["message"], [
        {"message": {"role": "user", "content": "MU1"}, "contextItems": []},
        {"message": {"role": "assistant", "content": "MA1", "toolCalls": [{
            "id": "c1", "type": "function",
            "function": {"name": "look", "arguments": '{"q":"MC1"}'}}]},
         "contextItems": [], "toolCallStates": [{
             "toolCallId": "c1", "status": "done",
             "output": [{"content": "MR1"}]}]}]),
    "goose": ("conversation", ["metadata"], [visible(m) for m in (
        {"role": "user", "content": [{"type": "text", "text": "MU1"}]},
        {"role": "assistant", "content": [
            {"type": "text", "text": "MA1"},
            {"type": "toolRequest", "id": "c1", "toolCall": {
                "status": "success",
                "value": {"name": "look", "arguments": {"q": "MC1"}}}}]},
        {"role": "user", "content": [
            {"type": "toolResponse", "id": "c1", "toolResult": {
                "status": "success",
                "value": {"content": [{"type": "text", "text": "MR1"}]}}}]},
        {"role": "assistant", "content": [{"type": "text", "text": "MA2"}]})]),
    "goose unmarked": ("conversation", [], [
        {"role": "user", "content": [{"type": "text", "text": "MU1"}]},
        {"role": "assistant", "content": [
            {"type": "toolRequest", "id": "c1", "toolCall": {
                "value": {"name": "look", "arguments": {"q": "MC1"}}}}]},
        {"role": "user", "content": [
            {"type": "toolResponse", "id": "c1", "toolResult": {
                "value": [{"type": "text", "text": "MR1"}]}}]}]),
}

COMMANDS = [["ctx-truncate", "-n", "1"], ["ctx-truncate", "-t", "40"], ["ctx-clean"],
            ["ctx-convert", "--to", "openai"], ["ctx-convert", "--to", "anthropic"],
           ["ctx-convert", "--to", "bedrock"]]


def put(o, member, value, first):
    """Set the member where o lacks it, before or after the others."""
    if member not in o:
        items = list(o.items())
        o.clear()
        o.update([(member, value)] + items if first else items + [(member, value)])


def forms(messages, inside):
    """(name, messages) with each member null or empty; the first is the original."""
    yield "itself", messages
    for member in MEMBERS:
        for value in EMPTY:
            for first in (False, True):
                changed = copy.deepcopy(messages)
                for m in changed:
                    put(m, member, value, first)
                    for i in inside:
                        put(m[i], member, value, first)
                if changed != messages:
                    yield f"{member}: {json.dumps(value)}", changed
    for member in WITHIN:
        for first in (False, True):
            changed = copy.deepcopy(messages)
            for m in changed + [m[i] for m in changed for i in inside]:
                for e in [e for k in ("content", "parts") for e in m.get(k) or []]:
                    if isinstance(e, dict):
                        put(e, member, None, first)
            if changed != messages:
                yield f"a part's {member}: null", changed


def shapes(what, history):
    """(shape, name of the form, its lines) for all forms of a history."""
    container, inside, messages = history
    for name, changed in forms(messages, inside):
        yield "lines", name, changed
        if container is not None:
            yield "conversation", name, [{container: changed}]
    if container is None:
        return
    request = {"model": "m", container: messages}
    yield "request", "itself", [request]
    for member in AROUND:
        for value in EMPTY:
            for first in (False, True):
                changed = copy.deepcopy(request)
                put(changed, member, value, first)
                if changed != request:
                    yield "request", f"{member}: {json.dumps(value)}", [changed]


def run(argv, lines):
    p = subprocess.run(argv, input="\n".join(lines).encode() + b"\n",
                       capture_output=True, check=False)
    if p.returncode not in (0, 1, 3):
        sys.exit(f"{argv}: exit {p.returncode}: {p.stderr.decode()}")
    return p.stdout.decode().splitlines()


def counts(by, lines, n):
    """The tokens and messages of each form."""
    got = [None] * n
    for row in run(["ctx-count", "--json", "--per-conversation", "-e", "chars", *by],
                   lines):
        row = json.loads(row)
        key = row["conversation"]
        if isinstance(key, str):  # FILE:LINE, or FILE for what is no conversation
            key = key.rpartition(":")[2]
        if str(key).isdigit():
            got[int(key) - (not by)] = row["tokens"], row["messages"]
    return got


def filled(o):
    """The value without its members that are null or empty."""
    if isinstance(o, list):
        return [filled(v) for v in o]
    if not isinstance(o, dict):
        return o
    return {k: filled(v) for k, v in o.items() if v not in EMPTY}


def results(argv, by, lines, n):
    """What a command makes of each form: its marks, or all of a conversion."""
    got = [[] for _ in range(n)]
    convert = argv[0] == "ctx-convert"
    shape = ["--shape", "conversation"] if convert else []
    for line in run([*argv, *shape, *by], lines):
        o = json.loads(line)
        i = o.pop("form", None)
        if i is None:  # nothing is left that tells which it was
            continue
        got[i].append(json.dumps(filled(o)) if convert else
                      " ".join(re.findall("M[A-Z][0-9]", line)))
    return got


def check(shape, cases):
    """The names of the cases in which a command sees other messages."""
    n = len(cases)
    if shape == "lines":
        by = ["--by", "form"]
        lines = [json.dumps({**m, "form": i}) for i, (_, ms) in enumerate(cases)
                 for m in ms]
    else:
        by = []
        lines = [json.dumps({**ms[0], "form": i}) for i, (_, ms) in enumerate(cases)]
    bad = {}
    for what, got in [("ctx-count", counts(by, lines, n))] + [
            (" ".join(argv), results(argv, by, lines, n)) for argv in COMMANDS]:
        for i in range(1, n):
            if not got[0]:
                sys.exit(f"{what} does not know this {shape}: {lines[0]}")
            if got[i] != got[0]:
                bad.setdefault(cases[i][0], []).append(
                    f"{what}: {got[i]} instead of {got[0]}")
    return bad


def main():
    total = lost = 0
    step = int(sys.argv[-1]) if sys.argv[-1].isdigit() else 1
    for what, history in HISTORIES.items():
        cases = {}
        for shape, name, lines in shapes(what, history):
            cases.setdefault(shape, []).append((name, lines))
        for shape, some in cases.items():
            some = some[:1] + some[1::step]
            bad = check(shape, some)
            total += len(some) - 1
            lost += sum(name in bad for name, _ in some[1:])
            if "-v" in sys.argv:
                for name, why in bad.items():
                    print(f"{what}, {shape}, {name}")
                    for w in why:
                        print("   ", w[:300])
    print(f"{lost} of {total} forms are not seen as the message without them")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
