# SPDX-License-Identifier: MIT
"""The invocations for which allocs.py makes memory run out.

A case has a name, "COMMAND: what", with "argv" ("@f" is replaced by the contents
of file f) and a shell script "setup" that writes the file stdin and everything
else that must exist before, and may have

  server      a program in tests/stub that listens at "$PORT" (in setup, too)
  exit        the exit code without a fault, if it is not 0
  env         variables
  then        a script whose output shows what is stored after exit 0
  whole       a script that must succeed even after exit 4
  varies      patterns of what differs from run to run
  apart       files that are not compared: failing to write a log is not fatal
  tells       files that record the outcome: compared only for the same code
  counts      the output before exit 4 counts what was read until then
  loses       what cannot be read from a database is reported, one loss on each
              line, with exit 1
  rows        it continues with the next file: each line that it writes before
              exit 4 is right, but some may be missing
  closes      with rows: patterns of lines that close the output, which may say
              that it is not complete, or how much there is
  database    it is on a PostgreSQL server, whose tables are restored before each
              run
  opens       a helper opens archives; lines may say that it could not, or that
              there is more
"""
import json

# Times and durations, and random ids.
TIMES = [r'"ms":[0-9]+', r"[0-9]{4}-[0-9-]{5}T[0-9:.]+Z", r"[0-9]{16}"]
# The sum of an export is one of times, too.
SUM = [r'"sha256":"[0-9a-f]{64}"']
DRAWN = [r"[0-9a-f]{8}-[0-9a-f-]{27}", r"\b[0-9a-f]{16}\b",
         r"subagent-[0-9a-zA-Z]+", r"sub_[0-9a-z]+"]

# Reports of findings in files that were not all read.
CLOSES = ["executionSuccessful", "not-read", "^<testsuite ", "not be read",
          "all files are read", "^[][]$"]

DIALECTS = ("openai anthropic gemini openai-responses langchain-flat "
            "langchain pydantic-ai ai-sdk sharegpt claude-code codex bedrock "
            "cohere ollama mistral gemini-cli qwen-code pi opencode "
            "continue goose otel otel-span langfuse langsmith").split()

# Short streams of each API.
STREAMS = {
    "openai": [
        {"id": "x", "choices": [{"index": 0, "delta": {
            "role": "assistant", "content": "a"}}]},
        {"id": "x", "choices": [{"index": 0, "delta": {"content": "b",
            "tool_calls": [{"index": 0, "id": "c", "type": "function",
                "function": {"name": "ls", "arguments": "{"}}]}}]},
        {"id": "x", "choices": [{"index": 0, "delta": {"tool_calls": [{
            "index": 0, "function": {"arguments": "}"}}]},
            "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 1}}],
    "anthropic": [
        {"type": "message_start", "message": {"role": "assistant",
            "content": [], "usage": {"input_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {
            "type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {
            "type": "text_delta", "text": "a"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {
            "type": "tool_use", "id": "c", "name": "ls", "input": {}}},
        {"type": "content_block_delta", "index": 1, "delta": {
            "type": "input_json_delta", "partial_json": "{\"a\":1}"}},
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": 1}},
        {"type": "message_stop"}],
    "openai-responses": [
        {"type": "response.output_item.added", "output_index": 0, "item": {
            "type": "message", "id": "m", "role": "assistant",
            "status": "in_progress", "content": []}},
        {"type": "response.output_text.delta", "output_index": 0,
            "content_index": 0, "delta": "a"},
        {"type": "response.output_item.added", "output_index": 1, "item": {
            "type": "function_call", "call_id": "c", "name": "ls",
            "arguments": ""}},
        {"type": "response.function_call_arguments.delta",
            "output_index": 1, "delta": "{}"},
        {"type": "response.completed", "response": {"id": "r",
            "status": "completed", "output": []}}],
    "gemini": [
        {"candidates": [{"content": {"role": "model", "parts": [
            {"text": "a"}]}}]},
        {"candidates": [{"content": {"role": "model", "parts": [
            {"text": "b"}, {"functionCall": {"name": "ls", "args": {}}}]},
            "finishReason": "STOP"}], "usageMetadata": {
                "promptTokenCount": 1}}],
}

# so that each run has the same placeholders
REDACT_KEY = {"CTX_REDACT_KEY": "0123456789abcdef"}

# The words that --to accepts.
TARGETS = ("openai anthropic gemini openai-responses langchain pydantic-ai "
           "ai-sdk ai-sdk@5 sharegpt bedrock cohere ollama mistral text markdown").split()

PICTURE = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhf"
           "DwAChwGA60e6kgAAAABJRU5ErkJggg==")


def lines(*values):
    return "".join(json.dumps(v, ensure_ascii=False) + "\n" for v in values)


def call(name, ident, **arguments):
    return {"id": ident, "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)}}


def result(ident, text):
    return {"role": "tool", "tool_call_id": ident, "content": text}


# An agent's work with everything that the filters look for: reads, a long
# result, a text sent twice, escapes, a secret, a picture, an unanswered call.
SECRET = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"
WORK = lines(
    {"role": "system", "content": "Be terse."},
    {"role": "user", "content": "Please fix the report of class 7B by "
     "2026-03-01; token=%s" % SECRET},
    {"role": "assistant", "content": "Looking.", "tool_calls": [
        call("read_file", "c1", path="src/report.py"),
        call("shell", "c2", command="ls -l")]},
    result("c1", "def report(x):\n    return x + 1\n\n" * 20),
    result("c2", "\x1b[32mok\x1b[0m\n" + "same line\n" * 30 +
           "10%\r50%\r100%\n"),
    {"role": "assistant", "content": "", "tool_calls": [
        call("read_file", "c3", path="src/report.py")]},
    result("c3", "def report(x):\n    return x + 1\n\n" * 20),
    {"role": "assistant", "content": "It adds one. In class 7B 24 pupils."},
    {"role": "user", "content": [
        {"type": "text", "text": "and this picture? 请看一下这个"},
        {"type": "image_url", "image_url": {
            "url": "data:image/png;base64," + PICTURE}}]},
    {"role": "assistant", "content": "", "tool_calls": [
        call("write_file", "c4", path="a.txt", content="x" * 300)]},
    {"role": "user", "content": "go on"},
    {"role": "user", "content": "now"},
    {"role": "assistant", "content": "Done: see a.txt."})

# Many short turns of two interleaved conversations.
TURNS = lines(*[m for i in range(12) for m in (
    {"conv": i % 2, "role": "user",
     "content": "Request %d for class C-10%d, due 2026-03-%02d: %s" % (
         i, i, i + 1, "please look at it " * 12)},
    {"conv": i % 2, "role": "assistant",
     "content": "Result %d is s20%d: %s" % (i, i, "here it comes " * 12)})])

CONVERSATIONS = lines(*[
    {"id": i, "messages": [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "question %d" % i},
        {"role": "assistant", "content": None, "tool_calls": [
            call("look", "a", n=i)]},
        result("a", "seen"),
        {"role": "assistant", "content": "answer %d" % i}]}
    for i in range(3)])

# A result with the contents of two files.
FILES = lines(
    {"role": "assistant", "content": None, "tool_calls": [
        call("read_multiple_files", "a", paths=["a.py", "b.json"])]},
    result("a", "a.py:\ndef alpha_function(first, second):\n    return first "
           "+ second\n\n---\nb.json:\n%s\n" % json.dumps(
               {"one": 1, "two": list(range(30))})),
    {"role": "assistant", "content": "ok"})

WRAPPED = lines(
    {"role": "assistant", "content": None, "tool_calls": [
        call("read_file", "a", path="a.py")]},
    result("a", json.dumps({"ok": True, "content":
                            "1: def alpha(one):\n2:     return one\n"
                            "... +46 lines"})),
    {"role": "assistant", "content": "ok"})

LISTED = lines(
    {"role": "assistant", "content": None, "tool_calls": [
        call("bash", "a", command="cd /x && grep -rn alpha src"),
        call("bash", "b", command="ls -R ."),
        call("Grep", "c", pattern="a\n", path="src", head=[1]),
        call("bash", "d", command="git diff")]},
    result("a", json.dumps({"ok": True, "content": "".join(
        "src/%d.py:3:def alpha\n" % (i % 9) for i in range(40))})),
    result("b", ".:\n" + "\n".join("file%d.c" % i for i in range(80))),
    result("c", "Found 40 matches\n/s/a.c:\n" + "\n".join(
        "  Line %d: what was found" % (i + 1) for i in range(40))),
    result("d", "diff --git a/b.c b/b.c\n--- a/b.c\n+++ b/b.c\n"
           "@@ -1,0 +1,40 @@\n" + "+what is new\n" * 40),
    {"role": "assistant", "content": "ok"})

CODE = lines(
    {"role": "user", "content": "write it"},
    {"role": "assistant", "content": json.dumps({
        "final_report": "see first", "code_blocks": [
            {"code_id": "first", "language": "python", "description": "d",
             "code": "import csv\nprint(1)\n"},
            {"code_id": "second", "language": "html", "code": "<p>\n"}]})},
    {"role": "assistant", "content": "Here:\n```python\nprint(2)\n```\n"})


def write(name, text):
    assert "\nEND_OF_IT" not in text
    return "cat >%s <<'END_OF_IT'\n%sEND_OF_IT\n" % (name, text)


def tied():
    """A session with a call beside its branch, whose result is after others."""
    use = [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]
    answer = [{"type": "tool_result", "tool_use_id": "c", "content": "r"}]
    return "".join(json.dumps({
        "type": role, "uuid": i, "parentUuid": up, "sessionId": "s",
        "message": {"role": role, "content": text}}) + "\n"
        for role, i, up, text in (
            ("user", "1", None, "Move the build to meson, and keep the rest."),
            ("assistant", "2", "1", "It is moved."), ("user", "3", "2", "Go on."),
            ("assistant", "4", "3", "I did."), ("assistant", "5", "1", use),
            ("user", "6", "4", "And the tests?"), ("user", "7", "5", answer),
            ("assistant", "8", "6", "They pass.")))


def listed():
    """A session whose list takes the place of what was before it."""
    said = [{"id": i, "timestamp": "t", "type": kind, "content": "word " * 9}
            for i, kind in (("1", "user"), ("2", "gemini"), ("3", "user"),
                            ("4", "gemini"))]
    return "".join(json.dumps(r) + "\n" for r in (
        *said[:2], {"$set": {"messages": said}}, *said[2:]))


def file_of(data):
    return lines({"role": "user", "parts": [{"inlineData": {
        "mimeType": "text/plain", "data": data}}]})


def filters():
    work = write("stdin", WORK)
    turns = write("stdin", TURNS)
    conv = write("stdin", CONVERSATIONS)
    # enough to be worth a thread
    more = ("while [ \"$(wc -c <stdin)\" -lt 70000 ]; do\n"
            "cat stdin stdin >x && mv x stdin; done\n")

    def case(command, what, setup, *options, **more):
        return dict(more, name="%s: %s" % (command, what), setup=setup,
                    argv=[command, *options])

    for d in "chatgpt", "claude-ai":
        yield case("ctx-convert", "export " + d, "python3 \"$DATA\"/../exports.py "
                   "%s 1 \"$DATA\"/logs/parallel.openai.jsonl >stdin" % d,
                   "--to", "openai", "--all-branches")
    for d in "continue.json", "goose.json", "opencode.json":
        yield case("ctx-clean", "document " + d,
                   "cat \"$DATA\"/agents/%s >stdin" % d, "--max-result", "3")

    # every dialect, valid and with every fault
    for d in DIALECTS:
        data = ("for f in \"$DATA\"/dialects/%s.*.jsonl; do "
                "cat \"$f\"; echo; done "
                ">stdin" % d)
        yield case("ctx-clean", d, data)
        yield case("ctx-clean", d + " repaired", data, "--unanswered",
                   "repair", "--max-result", "20", "--empty")
        yield case("ctx-truncate", d, data, "-n", "2")
        for t in "openai", "anthropic":
            yield case("ctx-convert", "%s to %s" % (d, t), data, "--to", t)
    for t in TARGETS:
        yield case("ctx-convert", "work to " + t, work, "--to", t)

    c = "ctx-clean"
    yield case(c, "help", "", "--help")
    yield case(c, "lean", work, "--ansi", "--squeeze", "--base64",
               "--dedupe=200", "--max-result", "200", "--max-message", "100",
               "--tail", "20")
    yield case(c, "shard by key", write("stdin", lines(
        *({"role": "user", "content": "x" * i, "t": "k\u00e9%d" % i}
          for i in range(9))).replace("\u00e9", "\\u00e9")), "--by", "t",
               "--shard", "2/3")
    yield case(c, "shard by line", write("stdin", lines(
        *({"messages": [{"role": "user", "content": "x" * i}]}
          for i in range(9)))), "--shard", "2/3")
    # no text before it makes room for what it needs
    text = write("stdin", lines(
        {"role": "user", "content": "\x1b[32m%s\x1b[0m" % ("long " * 99)}))
    yield case(c, "one text", text, "--ansi")
    yield case(c, "one text cut", text, "--max-message", "300", "--tail", "9")
    yield case(c, "one text twice", text + "cat stdin stdin >x; mv x stdin\n",
               "--dedupe=200")
    yield case(c, "one result", write("stdin", lines(
        {"role": "assistant", "content": None, "tool_calls": [
            call("ls", "a", path="x" * 300)]}, result("a", "y" * 300))),
        "--clear-results=0", "--step", "0", "--clear-inputs")
    yield case(c, "minify", write("stdin", lines(
        {"role": "assistant", "content": None, "tool_calls": [
            call("ls", "a"), call("ls", "b"), call("ls", "c")]},
        result("a", json.dumps([{"n": i} for i in range(50)], indent=1)),
        result("b", '{ "password":\n\n "Tr0ub4dor-3x"}'),
        result("c", '{ "a": 1}\n{"a": [ ]}\n'))), "--minify",
        "--tables", "--squeeze", "--base64", "--redact",
        env=REDACT_KEY)
    yield case(c, "fold", write("stdin", lines(
        {"role": "assistant", "content": None, "tool_calls": [
            call("ls", "a"), call("read_file", "b")]},
        *(result(i, "".join(f"[{n:2}/40] cc -O2 -c {n}.c\n"
                            for n in range(1, 41))) for i in "ab"))),
        "--fold", "--squeeze")
    yield case(c, "tokens", work, "--max-result", "20t", "-e", "o200k_base")
    yield case(c, "notes", work, "--squeeze", "--max-result", "100", "--lang",
               "zh", "--clear-results=1", "--step", "0", "--unanswered",
               "repair", "--note-text", "cleared=gone: {chars}", "--note-text",
               "no-result=none", "--images", "note", "--images-all")
    yield case(c, "redact", work, "--redact", "--report", "report",
               "--pattern", "mine=class [0-9]B",
               env=REDACT_KEY)
    yield case(c, "redact names", work + "printf 'class 1B\\nM\u00fcller\\n' "
               ">names; printf 0123456789abcdef >key", "--redact=+pii",
               "--redact-names", "names", "--redact-key", "key")
    yield case(c, "redact what is encoded", write("stdin", lines(
        {"role": "user", "content": "a cGFzc3dvcmQ9VHIwdWI0ZG9yLTN4LTEyMzQ1Ng== "
         "and \\u0070assword\\u003dTr0ub4dor-3x"})), "--redact",
        env=REDACT_KEY)
    yield case(c, "redact a key in pieces", write("stdin", lines(
        {"role": "user", "content": "-----BEGIN PRIVATE KEY-----"},
        {"role": "user", "content": "Ab1/" * 16 + "\n" + "cD2+" * 16})),
        "--redact", env=REDACT_KEY)
    yield case(c, "redact map", work, "--redact", "--redact-map", "map",
               "--pattern", "mine=class [0-9]B", env=REDACT_KEY)
    yield case(c, "restore map", work +
               'echo \'{"placeholder":"[REDACTED:mine:0123456789ab]",'
               '"value":"x"}\' >map; '
               "sed 's/class/[REDACTED:mine:0123456789ab]/g' stdin >s2; "
               "mv s2 stdin", "--restore", "map")
    # password=Tr0ub4dor-3x-123456
    yield case(c, "redact the data of a file", write("stdin", file_of(
        "cGFzc3dvcmQ9VHIwdWI0ZG9yLTN4LTEyMzQ1Ng==")), "--redact",
        "--redact-map", "map", env={"CTX_REDACT_KEY": "0123456789abcdef"})
    # [REDACTED:mine:0123456789ab]
    yield case(c, "restore the data of a file", write("stdin", file_of(
        "W1JFREFDVEVEOm1pbmU6MDEyMzQ1Njc4OWFiXQ==")) +
        'echo \'{"placeholder":"[REDACTED:mine:0123456789ab]",'
        '"value":"eA=="}\' >map\n', "--restore", "map")
    yield case(c, "redact --check", work, "--redact", "--check", "--json",
               exit=1, rows=True, env=REDACT_KEY)
    yield case(c, "check", "cat \"$DATA\"/dialects/openai.faulty.jsonl >stdin",
               "--check", exit=1)
    faulty = "cat \"$DATA\"/dialects/openai.faulty.jsonl >stdin; "
    for form in ("github", "gitlab", "junit", "sarif"):
        yield case(c, "check as " + form, faulty, "--check", "--format", form,
                   exit=1, rows=True, closes=CLOSES)
    known = faulty + "ctx-clean --check --baseline b --baseline-write stdin"
    yield case(c, "check baseline", known + "; echo x >>stdin", "--check",
               "--baseline", "b", "stdin", exit=3, rows=True)
    yield case(c, "check baseline-write", known + "; sed 1d b >b2; mv b2 b",
               "--check", "--baseline", "b", "--baseline-write", "stdin",
               then="cat b")
    yield case(c, "clear", work, "--clear-results=1", "--step", "0",
               "--clear-inputs", "--exclude", "shell", "--when-tokens", "10",
               "--down-to", "5")
    yield case(c, "shorten old results", work, "--max-result", "50",
               "--keep-turns", "1", "--keep-tokens", "20", "--min-gain", "1",
               "--tool", "shell", "--exclude", "x", "--step", "0", "-e", "chars")
    yield case(c, "prune calls", work, "--prune-calls=0", "--min-gain", "1",
               "--unanswered", "repair", "--report", "report", "-e", "chars",
               "--empty", "--thinking", "last", "--step", "0")
    yield case(c, "clear when it pays", work, "--clear-results=0", "--squeeze",
               "--thinking", "last", "--when-tokens", "10", "--down-to", "5")
    yield case(c, "clear copies", "head -n 40 \"$DATA\"/logs/team.codex.jsonl "
               ">stdin", "--clear-results=1", "--step", "0", "--report",
               "report")
    yield case(c, "merge", work, "--merge-runs", "--report", "report")
    yield case(c, "pictures", work, "--images", "out=.", "--images-all")
    yield case(c, "picture notes", work, "--images", "note", "--images-all",
               "--thinking", "drop", "--merge-runs")
    yield case(c, "stash", work + "mkdir s", "--stash", "s", "--max-result",
               "50")
    yield case(c, "lean", work + "mkdir s", "--lean=strong", "--max-result",
               "60", "--stash", "s", "--as", "path")
    yield case(c, "choose", work, "--max-result", "20t", "--choose", "--thin",
               "-m", "gpt-4o")
    yield case(c, "restore", "mkdir s\n" + work +
               "ctx-clean --stash s --max-result 50 <stdin >x\nmv x stdin",
               "--restore", "s")
    yield case(c, "text", "printf '{ \"a\": \\377 }\\n\\n\\n%0300d\\n' 7 "
               ">stdin\nmkdir s", "--text", "--command", "make \"x\"",
               "--squeeze", "--max-result", "50", "--stash", "s")
    lean = ("--minify --ansi --clear-results=1 --step 0 --clear-inputs "
            "--max-message 150 --as path --stash s")
    yield case(c, "stash all", work + "mkdir s", *lean.split())
    yield case(c, "restore all", "mkdir s\n" + work +
               "ctx-clean " + lean + " <stdin >x\nmv x stdin",
               "--restore", "s")
    yield case(c, "in place", write("f", WORK), "-i.old", "--max-result",
               "50", "f")
    yield case(c, "a backup again", write("f", WORK) + "echo >f.old\n",
               "-i.old", "--max-result", "50", "f")
    yield case(c, "by", turns, "--by", "conv", "--max-message", "50")
    yield case(c, "conversations", conv, "--unanswered", "drop")
    yield case(c, "threads", turns + more, "--by", "conv", "-j", "2",
               "--max-message", "50")
    yield case(c, "strange records", "printf '%s\\n' '{\"role\":\"x\"}' '\"a\"' "
               "'{\"messages\":[{\"role\":\"x\"},\"a\"]}' >stdin", "--check",
               exit=1)
    yield case(c, "bad lines", "printf '%s\\n' '{\"role\":\"user\"' x >stdin",
               "--on-error", "keep", exit=3)
    yield case(c, "log", work, env={"CTX_LOG": "log"}, apart=["log"],
               varies=TIMES)

    c = "ctx-truncate"
    for part in ("head", "tail", "ends"):
        yield case(c, f"text-{part}", "seq 1 900 >stdin", f"--text={part}",
                   "-t", "90")
    yield case(c, "tokens", work, "-t", "100", "-e", "o200k_base", "--note",
               "--dropped", "gone", "--partial")
    yield case(c, "notes", work, "-t", "100", "-e", "o200k_base", "--note",
               "--partial", "--lang", "zh", "--note-text",
               "missing=%s {messages}, {tokens}" % ("long " * 20))
    for c2, how in (c, []), ("ctx-summarize", ["--engine", "offline"]):
        yield case(c2, "branches", write("stdin", tied()), "-n", "2", *how)
    yield case(c, "list", write("stdin", listed()), "-n", "3", "--note",
               "--dropped", "gone")
    yield case("ctx-clean", "branches", write("stdin", tied()), "--report", "rep",
               apart=["rep"])
    yield case(c, "note of messages", work, "-n", "2", "--note", "--lang", "zh")
    yield case(c, "priority", work, "-t", "150", "--priority", "results",
               "--pin", "pinned", "--keep-first", "1")
    yield case(c, "results first", work, "-t", "600", "-e", "chars",
               "--priority", "results")
    annotated = work + "ctx-count --annotate n <stdin >x\nmv x stdin\n"
    yield case(c, "cost", annotated, "-t", "100", "--cost", "n", "--partial")
    yield case(c, "cost of results", annotated, "-t", "150", "--cost", "n",
               "--priority", "results")
    yield case(c, "first", work, "--first", "-n", "3", "--end-on", "user")
    yield case(c, "model", work, "-m", "gpt-4o", "--step", "2")
    yield case(c, "by", turns, "--by", "conv", "-n", "4", "--start-on", "any")
    yield case(c, "conversations", conv, "-n", "2", "--edge", "drop")
    yield case(c, "threads", conv, "-n", "2", "-j", "3", "--dropped", "gone")
    yield case(c, "in place", write("f", WORK), "-i", "-n", "3", "f")

    c = "ctx-count"
    yield case(c, "history", work)
    yield case(c, "rows", work, "--by-role", "--json", counts=True)
    yield case(c, "tools", work, "--by-tool", "-m", "claude-sonnet-4-5",
               counts=True)
    yield case(c, "messages", work, "--per-message", "-e", "cl100k_base")
    yield case(c, "conversations", conv, "--per-conversation")
    yield case(c, "histogram", turns, "--histogram", "--by", "conv",
               counts=True)
    yield case(c, "annotate", work, "--annotate", "n")
    yield case(c, "prefix", write("a", WORK) + write("b", TURNS),
               "--common-prefix", "a", "b")
    yield case(c, "limits", write("a", WORK) + write("b", TURNS), "--max", "9",
               "--format", "sarif", "a", "b", exit=1, rows=True,
               closes=CLOSES)
    yield case(c, "prefix limit", write("a", WORK) + write("b", TURNS),
               "--common-prefix", "--min", "1", "--format", "gitlab", "a", "b",
               exit=1, rows=True, closes=CLOSES)
    yield case(c, "status", work, "--status", "-m", "gpt-4o")
    yield case(c, "definitions", work + write("tools", json.dumps([
        {"type": "function", "function": {
            "name": "ls", "description": "list", "parameters": {
                "type": "object"}}}]) + "\n"), "--tools", "tools")
    tool = {"name": "ls", "description": "list\nall", "defer_loading": False}
    schema = {"type": "object", "properties": {
        "p": {"type": ["string", "null"], "description": "a", "default": "x"},
        "q": {"$ref": "#/$defs/Q"}}, "$defs": {"Q": {"enum": ["a", 1]}}}
    calls = [{"id": i, "type": "function", "function": {
        "name": "ls", "arguments": "{\"p\": 1}"}} for i in ("a", "b")]
    asked = [{"role": "user", "content": [{"type": "text", "text": "q"},
                                          {"type": "text", "text": "r"}]},
             {"role": "assistant", "content": "c", "tool_calls": calls},
             {"role": "tool", "tool_call_id": "a", "content": "x"},
             {"role": "tool", "tool_call_id": "b", "content": "y\n"}]
    form = {"type": "json_schema", "json_schema": {
        "name": "n", "description": "d", "schema": schema}}
    openai = write("stdin", json.dumps({"messages": asked, "tools": [
        {"type": "function", "function": dict(tool, parameters=schema)}],
        "response_format": form, "tool_choice": {
            "type": "function", "function": {"name": "ls"}}}) + "\n")
    for m in "gpt-4o", "gpt-5.4":
        yield case(c, "request to " + m, openai, "-m", m)
    yield case(c, "request by tools", openai + write("tools", json.dumps([
        dict(tool, parameters=schema)]) + "\n"), "-m", "gpt-4o", "--by-tool",
        "--tools", "tools", counts=True)
    yield case(c, "request to claude", write("stdin", json.dumps({
        "messages": [{"role": "user", "content": "q"},
                     {"role": "assistant", "content": [
                         {"type": "tool_use", "id": i, "name": "ls",
                          "input": {"p": 1, "q": "x"}} for i in ("a", "b")]},
                     {"role": "user", "content": [
                         {"type": "tool_result", "tool_use_id": "a",
                          "content": [{"type": "tool_reference",
                                       "tool_name": "ls"}]},
                         {"type": "tool_result", "tool_use_id": "b",
                          "content": "x"}]}],
        "tools": [dict(tool, input_schema=schema, defer_loading=True),
                  {"type": "bash_20250124", "name": "bash"}],
        "tool_choice": {"type": "tool", "name": "ls"},
        "output_format": {"type": "json_schema", "schema": schema}}) + "\n"),
        "-m", "claude-sonnet-4-5", "--json", counts=True)
    yield case(c, "items", write("stdin", json.dumps({"input": [
        {"role": "user", "content": "q"},
        {"type": "additional_tools", "role": "developer", "tools": [
            dict(tool, type="function", parameters=schema)]},
        {"type": "function_call", "call_id": "a", "name": "ls",
         "namespace": "ls", "arguments": "{\"p\": 1}"},
        {"type": "function_call_output", "call_id": "a", "output": "x"}],
        "tools": [{"type": "custom", "name": "apply", "format": {
            "type": "grammar", "definition": "start: x"}}]}) + "\n"),
        "-m", "gpt-5.4")
    yield case("ctx-truncate", "request", openai, "-m", "gpt-4o", "-t", "300")
    along = openai + "echo Be brief. >prompt\n" + write("tools", json.dumps([
        dict(tool, parameters=schema)]) + "\n")
    for m in "gpt-4o", "claude-sonnet-4-5":
        yield case(c, "prompt to " + m, along, "-m", m, "--json", "--system",
                   "prompt", "--tools", "tools", "--reserve", "9", counts=True)
    yield case(c, "tools as a string", write("stdin", json.dumps({
        "messages": asked, "tools": json.dumps([tool]),
        "response_format": form}) + "\n"))
    yield case("ctx-truncate", "prompt", along, "-m", "gpt-4o", "--system",
               "prompt")
    yield case("ctx-summarize", "prompt", along, "-m", "gpt-4o", "-t", "500",
               "--min-turns", "1", "--min-fold", "1", "--trigger", "0.1",
               "--engine", "offline", "--system", "prompt", "--tools",
               "tools")
    text = "printf 'Hello wörld, 你好 <|endoftext|> don'\\''t\\n' >stdin"
    yield case(c, "text", text, "--text")
    yield case(c, "text with special", text, "--text", "--special")
    yield case(c, "threads", conv, "-j", "3")
    yield case(c, "text by threads", text + "\n"
               "for i in {1..3000}; do cat stdin; done >t", "--text", "-j",
               "2", "t")
    yield case(c, "messages by threads", "seq -f '"
               '{"role":"user","content":"%0.f words that are counted ahead '
               'of the thread that sums them"}' "' 2500 >m", "-j", "2", "m")
    yield case(c, "encode", text, "--encode")
    yield case(c, "decode", "echo '[15339, 995]' >stdin", "--decode", "-e",
               "cl100k_base")
    yield case(c, "show", text, "--show")
    yield case(c, "models", "", "--list-models")
    yield case(c, "encodings", "", "--list-encodings")
    for f in "tiny-llama", "tiny-gemma", "tiny-digits":
        yield case(c, f, text, "--text", "-e",
                   "$DATA/token/%s.json" % f)
    yield case(c, "files", write("stdin", json.dumps({"role": "user", "content": [
        {"type": "file", "file": {"file_data": "data:text/plain;base64,aGVsbG8="}},
        {"type": "file", "file": {"file_data": "data:application/pdf;base64,"
                                  "JVBERi0xLjQgPDwvVHlwZSAvUGFnZT4+"}}]}) + "\n"),
        "-m", "gpt-4o")
    pairs = "".join(json.dumps({
        "request": {"model": "gpt-4o", "messages": [
            {"role": "user", "content": "word " * (7 * i % 11 + 1)}]},
        "response": {"usage": {"prompt_tokens": 500 + 7 * i % 11}}}) + "\n"
        for i in range(9))
    yield case(c, "chunk", "cp \"$DATA\"/../../README.md stdin", "--chunk",
               "200", "--overlap", "20")
    yield case(c, "offsets", write("stdin", "one two three"), "--encode",
               "--offsets")
    answer = '{"role":"assistant","id":"answer%04d","content":"Done.",' \
        '"model":"%s","usage":{"prompt_tokens":10,"completion_tokens":2}}\n'
    answers = "".join(answer % (i, f"model-{i}") for i in range(9))
    for how in ("session", "day", "model", "tool"):
        yield case(c, f"usage-{how}", write("stdin", answers) +
                   "echo 'model-1 - 0 1 1 1 1 1' >prices\n",
                   f"--usage={how}", "--price=prices")
    yield case(c, "calibrate-pairs", write("stdin", pairs), "--calibrate")
    session = "".join(json.dumps({
        "type": role, "uuid": "%s%d" % (role, i), "sessionId": "s",
        "message": {"role": role, "id": "m%d" % i, "model": "claude-opus-5",
                    "content": [{"type": "text", "text": "some words"}],
                    "usage": {"input_tokens": 900 + 20 * i}}}) + "\n"
        for i in range(9) for role in ("user", "assistant"))
    yield case(c, "calibrate-session", write("stdin", session) +
               "echo 'claude-opus-5 - factor=1.1' >rules\n", "--calibrate",
               "-m", "claude-opus-5", env={"CTX_MODELS": "rules"})
    yield case(c, "rules", "echo 'm o200k_base image=fixed:7 page=9' >rules",
               "--list-models", env={"CTX_MODELS": "rules"})
    yield case(c, "prepare", "cp \"$DATA\"/token/tiny-words.json v.json",
               "--prepare", "v.json", "v.ctxv")
    yield case(c, "split", "echo 'YQ== 0' >v.ranks", "--prepare", "v.ranks",
               "--split", "[a]|kimi", "v.ctxv")
    yield case(c, "words", "cp \"$DATA\"/token/words.json v.json; "
               "printf 'The  first \\303\\251' >text",
               "--encode", "-e", "./v.json", "text")
    yield case(c, "unigram", "cp \"$DATA\"/token/uni-words.json v.json; "
               "printf 'The  first \\303\\251' >text",
               "--encode", "-e", "./v.json", "text")
    yield case(c, "unigram-steps", "cp \"$DATA\"/token/uni-lower.json v.json; "
               "printf 'The <normal>  A\\314\\201' >text",
               "--encode", "--special", "-e", "./v.json", "text")
    yield case(c, "vocab-txt", "mkdir m; printf '[UNK]\\na\\n##b\\n' >m/vocab.txt; "
               "echo '{\"do_lower_case\": true}' >m/tokenizer_config.json",
               "--prepare", "m/vocab.txt", "v.ctxv")
    for model in "scores", "merges":
        yield case(c, "prepare-" + model,
                   "cp \"$DATA\"/token/pieces-%s.model v.model" % model,
                   "--prepare", "v.model", "v.ctxv")
    yield case(c, "count-scores", "cp \"$DATA\"/token/pieces-scores.model v.model; "
               "printf 'The  first \\303\\251' >text",
               "--encode", "-e", "./v.model", "text")
    yield case(c, "ranks-beside", "echo 'YQ== 0' >v.ranks; echo \"PAT_STR = r'a'\" >t.py; "
               "echo '{\"added_tokens_decoder\": {\"1\": {\"content\": \"x\"}}, "
               "\"auto_map\": {\"AutoTokenizer\": [\"t.T\"]}}' >tokenizer_config.json",
               "--prepare", "v.ranks", "v.ctxv")
    yield case(c, "tekken", write("v.json", json.dumps({
        "config": {"pattern": "a", "default_vocab_size": 2,
                   "default_num_special_tokens": 1},
        "vocab": [{"rank": 0, "token_bytes": "YQ==", "token_str": "\0"}]}) + "\n"),
        "--prepare", "v.json", "v.ctxv")
    yield case(c, "install", "cp \"$DATA\"/token/tiny-words.json v.json",
               "--prepare", "v.json", "-m", "kimi-k2")

    c = "ctx-convert"
    yield case(c, "document", write("stdin", json.dumps(
        [json.loads(m) for m in WORK.splitlines()], indent=1) + "\n"),
        "--to", "anthropic")
    for t in "openai", "anthropic", "gemini", "bedrock", "mistral", "ollama":
        yield case(c, "requests of " + t, work + write("tools", json.dumps([
            {"type": "function", "function": {
                "name": "read_file", "description": "d", "parameters": {
                    "type": "object"}}}]) + "\n") + write("sys", "Be brief."),
            "--to", t, "--request", "-m", "m" if t != "bedrock" else "nova-x",
            "--tools", "tools", "--max-output", "9", "--system", "sys",
            "--stream", "--cache", "--tool-choice", "auto", "--set", "a.b=c")
    yield case(c, "request from a request", write("stdin", json.dumps({
        "model": "m", "max_tokens": 9, "temperature": 1, "top_p": 1,
        "system": "s", "messages": [{"role": "user", "content": "q"}],
        "tools": [{"type": "web_search_20250305", "name": "web_search"}]}) +
        "\n"), "--from", "anthropic", "--to", "anthropic", "--request", "-m",
        "claude-opus-4-8", "--cache", "--tool-choice", "web_search")
    for t in "openai", "anthropic", "sharegpt":
        yield case(c, "report to " + t, work, "--to", t, "--report", "report")
    yield case(c, "report of a repair", "cat \"$DATA\"/dialects/"
               "openai.faulty.jsonl >stdin", "--to", "openai", "--report",
               "report", tells=["report"])
    yield case(c, "report of numbers", write("stdin", json.dumps({"messages": [
        *range(20), {"role": "user", "content": "q"}]}) + "\n"), "--from",
               "openai", "--to", "anthropic", "--report", "report",
               tells=["report"])
    # enough to make lists grow while results within a message are reported
    many = write("stdin", lines({"id": "m1", "role": "assistant", "parts": [
        {"type": "tool-ls", "toolCallId": "c%d" % i, "state":
         "output-available", "input": {}, "output": "a"} for i in range(20)]}))
    for t in "openai", "anthropic", "ai-sdk":
        yield case(c, "inline results to " + t, many, "--to", t)
    yield case(c, "conversations", conv, "--to", "sharegpt", "--shape",
               "conversation")
    yield case(c, "messages", conv, "--to", "anthropic", "--shape",
               "messages")
    yield case(c, "threads", conv, "--to", "gemini", "-j", "2")
    yield case(c, "text", "printf 'USER: a\\nASSISTANT: b\\n' >stdin",
               "--from", "text", "--to", "openai")
    yield case(c, "one text", "printf 'a\\nb\\n' >stdin", "--from", "text",
               "--role", "user")
    yield case(c, "router", turns, "--to", "text", "--router",
               env={"ROUTER_HISTORY_TOKEN_BUDGET": "100"})
    yield case(c, "result", "printf 'a\\n' >stdin", "--from", "text", "--role",
               "tool", "--call", "c1", "--to", "anthropic")
    for t in "openai", "anthropic", "gemini":
        yield case(c, "results to " + t, write("stdin", lines(
            {"id": "c1", "name": "ls", "output": "a"},
            {"id": "c2", "name": "ls", "output": {"n": 1}, "error": True})),
            "--from", "results", "--to", t)
    for api, events in STREAMS.items():
        data = "".join("data: %s\n\n" % json.dumps(e) for e in events)
        yield case(c, "stream of " + api, write("stdin", data), "--from",
                   "response", "--to", api, "--report", "report",
                   "--follow-text", tells=["report"])
        yield case(c, "cut stream of " + api, write("stdin",
                   data[:len(data) * 2 // 3]), "--from", "response", "--to",
                   api, exit=5)
    yield case(c, "calls", write("stdin", "".join(
        WORK.splitlines(True)[:4])), "--to", "calls", "--only", "shell",
               "--only", "b")
    yield case(c, "strict", work, "--to", "sharegpt", "--strict", exit=1)
    yield case(c, "by", turns, "--to", "anthropic", "--by", "conv",
               "--shape", "conversation")
    yield case(c, "response", write("stdin", lines({
        "id": "x", "object": "chat.completion", "choices": [{
            "index": 0, "finish_reason": "stop", "message": {
                "role": "assistant", "content": "hi"}}]})),
        "--from", "response", "--to", "anthropic")

    c = "ctx-summarize"
    yield case(c, "offline", turns, "-t", "500", "--engine", "offline")
    yield case(c, "state", turns, "-t", "500", "--engine", "offline",
               "--state", "state", "--report", "report", "--dropped", "gone",
               tells=["report"],
               varies=TIMES)
    yield case(c, "keep user", turns, "-t", "300", "--engine", "offline",
               "--keep", "user", "--by", "conv", "--min-turns", "2")
    yield case(c, "state again", turns + "ctx-summarize -t 700 --engine "
               "offline --state state <stdin >x", "-t", "400", "--engine",
               "offline", "--state", "state", "--as", "user")
    yield case(c, "work", work, "--all", "--engine", "offline", "--to",
               "text", "--min-turns", "1")
    yield case(c, "by", turns, "-n", "4", "--by", "conv", "--engine",
               "offline")
    yield case(c, "conversations", turns + "ctx-convert -q --to openai --shape "
               "conversation --by conv <stdin >x\nmv x stdin\n", "-t", "500",
               "--engine", "offline", "--dropped", "gone")
    yield case(c, "threads", turns + more, "-n", "4", "--by", "conv", "-j",
               "2", "--engine", "offline", "--dropped", "gone")
    yield case(c, "in place", write("f", TURNS), "-i", "-t", "500",
               "--engine", "offline", "f")
    yield case(c, "a shell's command", write("stdin", lines(
        {"role": "user", "content": "Please repair the parser."},
        {"role": "assistant", "content": None, "tool_calls": [{
            "id": "c1", "type": "function", "function": {
                "name": "bash", "arguments": json.dumps({
                    "command": "cd a && git commit -m \"Repair it\""})}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "[main 1a2b3c4]"},
        {"role": "assistant", "content": "The parser works now."})),
        "--all", "--engine", "offline", "--min-turns", "1")
    yield case(c, "too few facts", write("stdin", lines({
        "role": "user", "content": " ".join(
            "item_%d" % i for i in range(1000, 1040))})), "--all",
        "--max-tokens", "24", "--min-facts", "1", "--report", "report",
        tells=["report"], varies=TIMES, exit=1)
    for api in "openai", "anthropic":
        yield case(c, "asks in place " + api, turns, "--all", "--no-redact",
                   "--max-tokens", "100", "--in-place-prompt", "--api", api,
                   "--ask-model", "m", "--url", "http://127.0.0.1:$PORT/" +
                   ("ok" if api == "openai" else api) + "/1", "--tries", "1",
                   server="faultd.py")
    yield case(c, "asks about speakers", write("stdin", TURNS.replace(
        "Request", "See:\\nUSER: request")), "--all", "--dry-run",
        "--ask-model", "m", "--url", "http://127.0.0.1:1/")
    for path in "plain", "wordy", "long-openai":
        yield case(c, "asks " + path, turns, "--all", "--max-tokens", "100",
                   "--ask-model", "m", "--url", "http://127.0.0.1:$PORT/" +
                   path + "/1", "--tries", "1", "--report", "report",
                   *(["--ask-again", "missing"] if path == "plain" else []),
                   tells=["report"], varies=TIMES, server="faultd.py")
    for api, path in (("openai", "ok"), ("openai", "sse-crlf"),
                      ("anthropic", "anthropic"), ("ollama", "ollama")):
        yield case(c, "asks " + path, turns, "-t", "500", "--api", api,
                   "--ask-model", "m", "--url", "http://127.0.0.1:$PORT/" +
                   path + "/1", "--tries", "1",
                   *(["--stream"] if path.startswith("sse") else []),
                   server="faultd.py")
    for api in "openai", "anthropic", "ollama":
        yield case(c, "request of " + api, turns, "-t", "500", "--dry-run",
                   "--api", api, "--ask-model", "m", "--url",
                   "http://127.0.0.1:9", "--set", "top_p=0.5", "--set", "a.b=c")

    # without memory there is no locale either, and its signs are of ASCII
    c, signs = "ctx-show", ["(\u2500|-)+", "(\u25b8|>) ", "(\u25c2|=) ",
                            "\u2026|[.]{3}"]
    yield case(c, "transcript", work, rows=True, varies=signs)
    yield case(c, "selection", work, "--grep", "e", "--tool", "*",
               "--color", "always", "-e", "chars", rows=True, varies=signs)
    for what, how in ("tools", ["--tool", "raed"]), ("words", ["--grep", "Q~"]):
        yield case(c, "nothing by " + what, work, *how, "-e", "chars", exit=1)
    yield case(c, "session", "cp \"$DATA\"/logs/audit.claude-code.jsonl stdin",
               "--full", "-e", "chars", rows=True, varies=signs)
    others = ("printf '%s\\n' '{\"role\":\"user\",\"content\":["
              "{\"type\":\"document\",\"title\":\"t\",\"source\":"
              "{\"type\":\"text\",\"data\":\"a text of a document\"}},"
              "{\"type\":\"search_result\",\"source\":\"s\"},"
              "{\"type\":\"container_upload\",\"file_id\":\"f\"}]}' >stdin\n")
    for what, how in (("text", []), ("page", ["--no-redact", "--html", "-"])):
        yield case(c, "parts of one API in a " + what, others, "-e", "chars",
                   *how, rows=not how, varies=signs)
    # placeholders are of a key that is drawn
    yield case(c, "page", "cp \"$DATA\"/logs/mend.anthropic.jsonl stdin",
               "-e", "chars", "--html", "-", varies=["[0-9a-f]{8}\\]"])
    for picture in "bar", "treemap", "plot":
        yield case(c, "picture " + picture, work, "-e", "chars", "--no-redact",
                   "--svg", picture)
    yield case(c, "page in a file", work, "-e", "chars", "--no-redact",
               "--html", "page.html")

    for what, how in (("text", []), ("page", ["--no-redact", "--html", "-"])):
        yield case(c, "kept in a " + what, work + "ctx-clean --max-result 20 "
                   "stdin | sed 2d >new\n", "-e", "chars", "--kept", "new",
                   *how, "-", rows=not how, varies=["(\u2192|->)"] + signs)

    c, signs = "ctx-diff", ["[0-9] ?(\u2192|->) ?[0-9]", "(\u25b8|>) ",
                            "(\u25c2|=) ", "\u2026|[.]{3}", " +"]
    two = work + ("ctx-clean --max-result 20 stdin | "
                  "sed -e 2d -e '$p' >new\n")
    for what, how in (("lines", []), ("texts", ["--full", "--color", "always"]),
                      ("objects", ["--json"]), ("totals", ["--stat"]),
                      ("conversations", ["--by", "conv"]),
                      ("page", ["--no-redact", "--html", "-"])):
        yield case(c, what, two, *how, "-", "new", exit=1, varies=signs)
    yield case(c, "parts of one API", others + "sed 's/a text/words/' stdin >new\n",
               "--full", "-", "new", exit=1, varies=signs)

    c = "ctx-digest-files"
    digest = "cp -r \"$DATA\"/digest d"
    yield case(c, "lines", digest, "-r", "d", rows=True, opens=True)
    yield case(c, "encodings", "printf 'x\\n\\303\\337 \\251\\n' >latin1.txt; "
               "printf '\\261\\276\\324\\302\\265\\304\\n' >gbk.txt; "
               "printf 'a\\0,\\0b\\0\\n\\0' >utf16.csv",
               "latin1.txt", "gbk.txt", "utf16.csv", rows=True)
    yield case(c, "objects", digest, "-r", "--json", "-e", "o200k_base", "d",
               rows=True, opens=True)
    yield case(c, "kinds", "cp -r \"$DATA\"/kinds d", "-r", "--all", "d",
               rows=True)
    yield case(c, "documents", "mkdir d\ncd d\npython3 \"$DATA\"/../office.py\n"
               "rm big.docx deep.odt", "-r", "d", rows=True)
    yield case(c, "list", digest, "--as", "list", "--lang", "zh", "d/list.c",
               "d/sales.xlsx", rows=True)
    yield case(c, "message", digest, "--as", "message", "d/doc.pdf",
               "d/two.xlsx", "d/analysis.ipynb", counts=True)
    yield case(c, "folders", "mkdir -p d/e\nprintf '*.o\\n' >d/.gitignore\n"
               "echo a >d/a.c\necho b >d/b.o\necho c >d/e/c.py", "-r", "d",
               rows=True)
    yield case(c, "folders by threads", "mkdir -p d/e\necho a >d/a.c\n"
               "echo b >d/b.o\necho c >d/e/c.py", "-r", "-j", "2", "d",
               rows=True)
    yield case(c, "map", digest, "-r", "--map", "-t", "300", "-e",
               "o200k_base", "--focus", "list.c", "d")
    yield case(c, "stream", work, "--min", "10")
    yield case(c, "stream with stash", work + "mkdir s", "--min", "10",
               "--stash", "s", "--writes", "--keep-latest")
    yield case(c, "stream by threads", work + more + "mkdir s", "--min",
               "10", "--stash", "s", "--by", "conv", "-j", "2")
    yield case(c, "bytes", write("stdin", "".join(json.dumps(m) + "\n" for m in (
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": i, "name": "Read",
             "input": {"file_path": "a.csv"}} for i in ("a", "b")]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": [
                {"type": "document", "source": {
                    "type": "base64", "media_type": "text/csv",
                    "data": "YSxiCjEsMgox" + 40 * "LDIKMSwy" + "LDIK"}}]},
            {"type": "tool_result", "tool_use_id": "b", "content": json.dumps({
                "encoding": "base64",
                "content": "YSxiCjEsMgox" + 40 * "LDIKMSwy"})}]},
        {"role": "assistant", "content": "seen"}))), "--min", "10")
    yield case(c, "superseded", work, "--superseded", "--min", "10")
    yield case(c, "several files in a result", write("stdin", FILES), "--min",
               "10")
    yield case(c, "contents in JSON", write("stdin", WRAPPED), "--min", "10")
    yield case(c, "references", write("stdin", WRAPPED.replace(
        '\\"path\\"', '\\"file_id\\"')) + "for i in 1 2 3; do\n"
        "echo '{\"file_id\":\"a.py\",\"line_count\":null,\"size\":9,"
        "\"digest\":\"a.py (python)\",\"path\":\"/x/a.py\"}'\n"
        "echo '{\"code_id\":\"b\",\"language\":\"c\"}'\ndone >refs\n",
        "--min", "10", "--refs", "refs")
    yield case(c, "listings", write("stdin", LISTED), "--listings")
    for what, text in (("several files", FILES), ("JSON", WRAPPED),
                       ("listings", LISTED)):
        yield case(c, what + " that may be kept", write("stdin", text),
                   "--min", "10", "--keep-recent", "1", "--step", "0",
                   "--listings")


def store():
    whole = "ctx-store check --full"
    log = write("stdin", WORK)
    made = write("work", WORK) + "ctx-store append S work\n"

    def case(command, what, setup, *options, **more):
        more.setdefault("varies", SUM + TIMES + DRAWN)
        name = "ctx-store " + command
        return dict(more, name=name + (": " + what if what else ""),
                    setup=setup, argv=["ctx-store", *command.split(),
                                       *options])

    def writes(command, what, setup, *options, **more):
        more.setdefault("then", "ctx-store export")
        more.setdefault("whole", whole)
        return case(command, what, setup, *options, **more)

    load = "ctx-store load S; ctx-store check --full"
    yield writes("append", "new", log, "--ack", "S")
    yield writes("append", "more", log + write("few", lines(
        {"role": "user", "content": "first"})) + "ctx-store append S few",
        "--no-index", "--user", "ann", "S", then=load)
    yield writes("append", "all or nothing", log, "--atomic", "--turn", "3",
                 "--max-chars", "50", "S", then=load)
    yield writes("append", "checked", log + "ctx-store append S stdin\n" +
                 write("stdin", lines(
                     {"role": "assistant", "tool_calls": [call("ls", "c90")]},
                     result("c90", "a"))),
                 "--checked", "S")
    yield writes("append", "split", write("stdin", CONVERSATIONS), "--split",
                 "S", then=load)
    # an id spelled with an escape is recognized, or memory runs out
    again = ("printf '%s\\n' "
             "'{\"role\":\"user\",\"id\":\"a\\u0062\",\"content\":\"x\"}'"
             " >stdin\n")
    yield writes("append", "a retry", again + "ctx-store append S stdin\n",
                 "S", then=load)
    yield writes("append", "many threads", "ctx-store append --user ann b "
                 "</dev/null\n" + write("stdin", lines(
                     {"t": "a", "role": "user", "content": "one"},
                     {"t": 7, "role": "user", "content": "two"},
                     {"role": "assistant", "content": "three"},
                     {"t": "a", "role": "assistant", "content": "four"})),
                 "--by", "t", "--thread", "rest", "--ack")
    yield writes("append", "many threads, one refused",
                 "echo '{\"t\":\"b\"}' | ctx-store append --user ann b\n" +
                 write("stdin", lines({"t": "a", "role": "user"},
                                      {"t": "b", "role": "user"},
                                      {"t": "c", "role": "user"})),
                 "--by", "t", "--user", "bob", exit=1)
    yield writes("append", "fork", made + log, "--parent", "main@3", "-c",
                 "other", "--view", "v", "S", then="ctx-store load -c other S")
    yield case("load", "", made, "S")
    asked = ("echo a >sys\necho q >ask\necho 1 | ctx-store code put S k\n"
             "ctx-store upload put --store-only S work\n")
    yield case("load", "a request", made + asked, "--system", "sys", "--lists",
               "--ask", "ask", "S")
    yield writes("append", "a question", made + "head -n 2 work | ctx-store "
                 "view put S v\necho q >ask\ntail -n 1 work >stdin\n",
                 "--ask", "ask", "--view", "v", "S",
                 then="ctx-store load S; ctx-store load S --view v")
    long = ("i=0; while [ $i -lt 90 ]; do i=$((i + 1))\n"
            "printf '{\"role\":\"user\",\"content\":\"q %d\"}\\n"
            "{\"role\":\"assistant\",\"content\":\"a %d\"}\\n' $i $i\n"
            "done >long\nctx-store append L long\n")
    yield case("load", "what fits", long, "-t", "50", "L")
    yield case("load", "what fits, of messages", long, "--messages", "5", "L")
    yield case("load", "last", made, "-n", "3", "--turns", "1-2", "S")
    yield writes("new", "", made, "--user", "u", "T",
                 then="ctx-store threads --as names")
    yield case("threads", "", made)
    yield case("contexts", "", made, "--tree", "S")
    yield case("status", "", made, "--json", "--tokens", "--price", "gpt-5",
               "S")
    yield writes("keep", "", made, "S")
    yield writes("rm", "", made, "S")
    ckpt = made + ("echo '{\"a\":1,\"b\":[1]}' | "
                   "ctx-store checkpoint put --id one S\n"
                   "echo '{\"a\":2}' | ctx-store checkpoint put --id two S\n")
    yield writes("checkpoint put", "", made + "echo '{\"a\":1}' >stdin", "--id",
                 "x", "--meta", "{\"k\":1}", "S")
    yield writes("checkpoint put", "state", made + "echo '{\"a\":1}' | "
                 "ctx-store state put S\n", "--state", "--id", "x", "S")
    yield case("checkpoint get", "", ckpt, "S", "one")
    yield case("checkpoint get", "object", ckpt, "--json", "S")
    yield case("checkpoint list", "", ckpt, "S")
    yield case("checkpoint diff", "", ckpt, "S", "one", "two")
    yield writes("checkpoint rm", "", ckpt, "S", "one")
    yield writes("fork", "", ckpt, "--at", "one", "S")
    yield writes("fork", "state", ckpt, "--head", "--state", "--at", "one",
                 "S")
    yield writes("fork", "head", ckpt, "--head", "--name", "f", "--at", "one",
                 "S")
    view = made + "head -n 3 work | ctx-store view put S v\n"
    yield writes("view put", "", made + "head -n 4 work >stdin", "S", "v")
    yield case("view get", "", view, "S", "v")
    yield case("view list", "", view, "S")
    yield writes("view rm", "", view, "S", "v@1")
    state = made + ("echo '{\"a\":1,\"b\":{\"c\":[1,2]}}' | "
                    "ctx-store state put S\n"
                    "echo '{\"u\":1}' | ctx-store state put --level user "
                    "--user ann\n")
    yield case("state get", "", state, "S")
    yield case("state get", "member", state, "S", "b")
    yield writes("state put", "", state + "echo '{\"n\":1}' >stdin", "S")
    yield writes("state put", "member", state + "echo 7 >stdin", "S", "a")
    yield writes("state merge", "", state + "echo '{\"a\":2,\"b\":null}' "
                 ">stdin", "--add", "--limit", "a=9", "S")
    yield writes("state rm", "", state, "S", "b")
    line = ("ctx-summarize -t 200 --engine offline --state st <work >x\n"
            "head -n 1 st >line\n")
    summary = made + line
    yield writes("summary put", "", summary + "cp line stdin", "S")
    summary += "ctx-store summary put S <line\n"
    yield case("summary get", "", summary, "S")
    yield case("summary list", "", summary, "S")
    yield writes("summary rm", "", summary, "S")
    yield writes("summary put", "in place", summary + "cp line stdin\n"
                 "echo @1 >which", "S", "@which")
    # the random id is in a body, whose hash determines its place in the export
    yield writes("spawn", "", made, "--task", "look at it", "--max-loops",
                 "3", "S", then="ctx-store contexts S; ctx-store load S\n"
                 "ctx-store export | grep -c row; ctx-store check --full")
    sub = made + ("ctx-store spawn --as name --task look S >name\n"
                  "echo '{\"role\":\"assistant\",\"content\":\"done\"}' | "
                  "ctx-store append $(cat name)\n")
    yield case("finish", "", sub, "@name")
    yield case("workspace", "", made, "S")
    yield writes("prune", "", made, "--older-than", "10000d")
    yield writes("prune", "by size", made + "ctx-store append T work\n",
                 "--max-size", "1", "--keep-last", "1")
    yield case("prune", "of each user", made + "ctx-store append --user ann T "
               "work\n", "--keep-last", "0", "--each-user", "--dry-run",
               then="ctx-store export")
    yield case("check", "", made, "--full", counts=True)
    yield case("check", "trigrams", made + "ctx-store reindex --trigrams on\n",
               "--full", counts=True)
    yield case("backup", "", made, "copy.db",
               then="ctx-store --db copy.db load S")
    yield writes("recover", "", made, "ctx.db", "new.db",
                 loses=True, then="ctx-store --db new.db load S")
    yield writes("vacuum", "", made + "ctx-store append T work\n"
                 "ctx-store rm T\nhead -n 2 work | ctx-store append U\n")
    yield writes("migrate", "", made, "-v")
    old = "gunzip -c \"$DATA\"/store/v1.db.gz >ctx.db\n"
    yield writes("migrate", "old", old,
                 then="sqlite3 ctx.db 'PRAGMA user_version'; ctx-store export")
    yield writes("reindex", "old", old, then="ctx-store search sessions")
    all_kinds = (state + line + "ctx-store summary put S <line\n"
                 "echo 1 | ctx-store checkpoint put S\n"
                 "head -n 2 work | ctx-store view put S v\n"
                 "echo know | ctx-store memory put --turn 1 --summary s S\n"
                 "echo 'x = 1' | ctx-store code put S k\n"
                 "ctx-store upload put --store-only S work\n")
    yield case("export", "", all_kinds)
    owned = (all_kinds + "echo '\"ann\"' | ctx-store state put S user_id\n"
             "echo '{\"a\":1}' | ctx-store state put --user ann\n")
    yield case("export", "of a user", owned, "--user", "ann")
    yield writes("import", "for a user", made + "ctx-store export >stdin\n"
                 "rm -f ctx.db*\n", "--user", "ann")
    yield case("users", "", owned)
    yield writes("append", "of a user", owned + log, "--user", "ann", "S",
                 then=load)
    yield case("load", "the last of a user", owned + "echo @last >which\n",
               "--user", "ann", "@which")
    yield case("search", "of a user", owned, "--user", "ann", "--in", "all",
               "report")
    yield writes("rm", "a user", owned + "ctx-store workspace S >/dev/null\n"
                 "ctx-store append --user bob B work\n", "--user", "ann")
    yield case("rm", "a user, dry run", owned, "--user", "ann", "--dry-run",
               then="ctx-store export")
    yield writes("import", "", all_kinds + "ctx-store export >stdin\n"
                 "rm -f ctx.db*\n")
    few = (write("few", lines({"role": "user", "content": "first"})) +
           "ctx-store append S few\necho 1 | ctx-store checkpoint put S\n"
           "echo know | ctx-store memory put --turn 1 --summary s S\n"
           "echo '{\"a\":1}' | ctx-store state put --user ann\n")
    yield writes("import", "verify", few + "ctx-store export >stdin\n"
                 "rm -f ctx.db*\n", "--verify")
    steps = ("echo '{\"store\":null}' | ctx-store export --position - >one\n"
             "ctx-store append S few\necho '[]' | ctx-store state put S k\n"
             "ctx-store memory rm S ctx_1\n")
    yield case("export", "steps", few + steps, "--position", "one")
    steps = (few + steps + "ctx-store export --position one >two\n"
             "ctx-store rm S\nctx-store export --position two >three\n"
             "rm -f ctx.db*\n")
    yield writes("import", "steps", steps, "--follow", "one")
    steps += "ctx-store import -q --follow one\n"
    yield case("import", "position", steps, "--position")
    yield writes("import", "second step", steps, "--follow", "two")
    yield writes("import", "step that removes", steps + "ctx-store import -q "
                 "--follow two\n", "--follow", "three")
    yield case("export", "to langgraph", ckpt, "--to", "langgraph", "out.db")
    yield writes("import", "from langgraph", ckpt + "ctx-store export --to "
                 "langgraph lg.db\nrm -f ctx.db*\n", "--from", "langgraph",
                 "lg.db")
    yield writes("import", "from langgraph again", ckpt + "ctx-store export "
                 "--to langgraph lg.db\nrm -f ctx.db*\nadd() { sqlite3 lg.db \"DELETE FROM "
                 "writes; INSERT INTO writes VALUES('S','','one','task',-3,"
                 "'__interrupt__','json','$1')\"; }\nadd 1\nctx-store import "
                 "-q --from langgraph lg.db\nadd 2\n", "--from", "langgraph",
                 "lg.db", then="ctx-store export --to langgraph out.db && "
                 "sqlite3 out.db 'SELECT * FROM writes'; rm -f out.db")
    yield writes("import", "from llm", "sqlite3 llm.db <\"$DATA\"/llm/0.31.sql",
                 "--from", "llm", "llm.db")
    yield writes("import", "from codex", "cp \"$DATA\"/dialects/"
                 "codex.awkward.jsonl in\n", "--from", "codex", "in")
    yield case("export", "memory", all_kinds, "--only", "memory")
    yield case("search", "", made, "report")
    yield case("search", "ranked", made, "--rank", "--around", "1", "class")
    yield case("search", "ranked in a thread", made, "--rank", "--thread",
               "S", "report", "class")
    yield case("search", "by trigrams", made +
               "ctx-store reindex --trigrams on\n", "--substring", "eport")
    yield writes("reindex", "trigrams", made, "--trigrams", "on",
                 then="ctx-store search --substring eport")
    yield case("search", "everything", all_kinds, "--in", "all",
               "--substring", "a")
    yield case("search", "chinese", made, "--tool", "read_file", "report")
    yield case("search", "of a tool, among many", made + "seq 101 |"
               " sed 's/.*/{\"role\":\"user\",\"content\":\"report\"}/' |"
               " ctx-store append M\n", "--tool", "read_file", "report")
    yield writes("reindex", "", all_kinds, "--all",
                 then="ctx-store search report; "
                 "ctx-store search --in all know")
    yield writes("memory put", "", made + "echo text >f", "--turn", "1",
                 "--summary", "s", "--insight", "i", "--link", "l", "S", "f")
    yield writes("memory put", "in place", made + "echo text >f\n"
                 "echo old | ctx-store memory put --turn 1 S\n", "--turn", "1",
                 "--replace", "--link", "l", "S", "f")
    memory = made + ("for i in 1 2 3; do echo know $i | ctx-store memory put "
                     "--turn $i --summary s$i --insight i S; done\n")
    yield case("memory get", "", memory, "--turns", "1-2", "S")
    yield case("memory list", "matched", memory, "--match", "know", "S")
    yield case("memory list", "", memory, "S")
    yield writes("memory rm", "", memory, "S", "ctx_2")
    yield case("memory get", "summaries", memory, "--summaries", "--as",
               "message", "S")
    yield writes("code put", "", made + "echo 'x = 1' >stdin", "--syntax",
                 "python", "--desc", "d", "--out", ".", "S", "k")
    code = write("stdin", CODE) + ("ctx-store code extract --replace S stdin "
                                   ">refs\n")
    yield writes("code extract", "", write("stdin", CODE), "--replace", "S")
    yield writes("code extract", "files", write("stdin", CODE), "--any",
                 "--out", ".", "S")
    yield case("code expand", "", code + "mv refs stdin", "S")
    yield case("code get", "", code, "S", "first")
    yield case("code list", "", code, "--as", "message", "--lang", "zh", "S")
    yield writes("code rm", "", code, "S", "first")
    upload = made + ("cp \"$DATA\"/digest/sales.xlsx "
                     "\"$DATA\"/digest/list.c .\n")
    yield writes("upload put", "", upload, "--store-only", "S", "sales.xlsx",
                 "list.c", rows=True)
    upload += "ctx-store upload put --store-only S sales.xlsx list.c\n"
    yield case("upload get", "", upload, "S", "list.c")
    yield case("upload list", "", upload, "--as", "list", "S")
    yield writes("upload rm", "", upload, "S", "list.c")
    yield case("relevant", "", made, "--question", "the report of class 7B",
               "-t", "120", "--around", "1", "S")
    yield case("relevant", "of two threads",
               made + "ctx-store append T work\n",
               "--question", "the report of class 7B", "-t", "120",
               "--thread", "T", "S")
    yield case("embed", "without an endpoint", made, "--url",
               "http://127.0.0.1:9", "--ask-model", "m", "--tries", "1",
               exit=5)
    yield writes("embed", "", made, "--url", "http://127.0.0.1:$PORT/ok/1",
                 "--ask-model", "m", "--tries", "1", server="embedd.py",
                 then="ctx-store check --full")


    yield case("search", "by meaning", made + "ctx-store embed --url "
               "\"http://127.0.0.1:$PORT/ok/1\" --ask-model m\n", "--url",
               "http://127.0.0.1:$PORT/ok/q", "--ask-model", "m", "--method",
               "meaning", "report", server="embedd.py")


def helpers():
    yield {"name": "ctx-embed", "setup": "echo '[\"my car\",\"\"]' >stdin",
           "argv": ["libexec/ctx-embed", "--url",
                    "http://127.0.0.1:$PORT/ok/1", "--ask-model", "m",
                    "--tries", "1"], "server": "embedd.py"}


def on_postgresql():
    """The helper of ctx-store for a server, which is not started without need."""
    made = write("work", WORK) + "ctx-store append S work\n"

    def case(what, setup, *argv, **more):
        return dict(more, name="ctx-store-pg: " + what, setup=setup, database=1,
                    argv=["libexec/ctx-store-pg", *argv],
                    varies=SUM + TIMES + DRAWN)

    def writes(what, setup, *argv, **more):
        return case(what, setup, *argv, **dict(
            {"then": "ctx-store export", "whole": "ctx-store check --full"},
            **more))

    yield writes("tables", write("stdin", WORK), "append", "--ack", "S",
                 whole="ctx-store check --full || [ $? = 1 ]")
    yield writes("append", made + write("stdin", lines(
        {"role": "user", "id": "7", "content": "new"})), "append", "S")
    yield writes("a new thread", made + write("stdin", WORK), "append",
                 "--user", "ann", "T")
    yield writes("many threads", made + write("stdin", lines(
        {"t": "a", "role": "user", "content": "one"},
        {"t": "S", "role": "user", "content": "two"})), "append", "--by", "t")
    yield writes("state", made + write("stdin", '{"a":{"b":1}}\n'), "state",
                 "merge", "--user", "ann")
    yield writes("checkpoint", made + write("stdin", '{"a":1}\n'),
                 "checkpoint", "put", "S")
    yield writes("view", made + write("stdin", WORK), "view", "put", "S", "v")
    yield writes("rm", made, "rm", "S")
    yield writes("import", made + "ctx-store export >all\nctx-store rm S\n",
                 "import", "all")
    yield case("load", made, "load", "S")
    yield case("export", made, "export")
    yield case("follow", made + "echo '{\"store\":null}' >at\n", "export",
               "--position", "at")
    yield case("search", made, "search", "a")
    yield case("check", made, "check", "--full", counts=1)


def cases():
    return [*filters(), *store(), *helpers(), *on_postgresql()]
