#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Laws that hold for every history, checked on random ones and on logs.

    laws.py LAW random SEED COUNT       COUNT histories of each dialect
    laws.py LAW logs FOLDER [STEP]      with every STEPth length of a window

The random ones are those of histories.py with damaged links and, for some laws,
with any other damage.  The commands are found by PATH.  Each run handles many
histories at once, so that hundreds of them take little time.  If a law is broken,
prints how, with the seed to reproduce it, and exits with 1.  SHARE=N in the
environment: of the options that a law is tried with, each batch of histories gets
an Nth.
"""
import collections
import json
import os
import random
import re
import string
import subprocess
import sys
import tempfile

import histories
import validate

CHARS = ["-e", "chars"]
STEP = int(sys.argv[4]) if sys.argv[2] == "logs" and len(sys.argv) > 4 else 1
SHARE = int(os.environ.get("SHARE", "1"))
PICK = random.Random(1)
BROKEN = []


def broken(name, text):
    BROKEN.append(name)
    if len(BROKEN) <= 10:
        print(f"{name}: {text}")


def some(settings):
    return [s for s in settings if SHARE == 1 or PICK.random() * SHARE < 1]


def run(argv, data=b"", codes=(0,)):
    p = subprocess.run(argv, input=data, capture_output=True, check=False)
    if p.returncode not in codes:
        broken(" ".join(argv)[:200], f"exit {p.returncode}: "
               f"{p.stderr.decode(errors='replace')[:300]}")
    return p.stdout


# --- histories -------------------------------------------------------------

class Batch:
    """Histories of one dialect, as messages spelled in JSON.

    how is the damage that histories.py did to them, or "log".
    """

    def __init__(self, name, dialect, spelled, how="log"):
        self.name, self.dialect, self.how = name, dialect, how
        self.histories = [h for h in spelled if h]
        self.force = ["-d", dialect]
        self.key = histories.LISTS[dialect]

    def conversations(self, spelled=None, request=False):
        """One conversation on each line; id is the number of the history."""
        spelled = dict(enumerate(self.histories)) if spelled is None \
            else spelled
        more = REQUESTS.get(self.dialect, "") if request else ""
        return "".join('{"id":%d,%s"%s":[%s]}\n' % (
            i, more, self.key, ",".join(h))
                       for i, h in spelled.items()).encode()

    def elements(self, line):
        """The messages of a conversation line, as they are written there."""
        return [text for _, text in places(line.decode(), self.key)]

    def by_id(self, data):
        """Conversation lines as {id: [message, ...]}."""
        return {json.loads(line)["id"]: self.elements(line)
                for line in data.splitlines()}

    def lists(self, data):
        """The lists of conversation lines, as they are spelled, without []."""
        head = b'"%s":[' % self.key.encode()
        return [line[line.index(head) + len(head):-len("]}")]
                for line in data.splitlines()]

    def parsed(self, data):
        """Conversation lines as {id: [message, ...]}, the messages as dicts."""
        return {c["id"]: c[self.key]
                for c in map(json.loads, data.splitlines())}


REQUESTS = {"openai": '"model":"m",', "openai-responses": '"model":"m",',
            "anthropic": '"model":"m","max_tokens":9,',
            "gemini": '"generationConfig":{},',
            "cohere": '"model":"m",', "ollama": '"model":"m",',
            "mistral": '"model":"m",', "bedrock": '"modelId":"m","inferenceConfig":{},'}
DECODER = json.JSONDecoder()


def places(text, key):
    """The messages of a conversation line: (the byte where it begins, text)."""
    at = text.index('"%s":[' % key) + len('"%s":[' % key)
    byte = len(text[:at].encode())
    out = []
    while text[at] != "]":
        _, end = DECODER.raw_decode(text, at)
        out.append((byte, text[at:end]))
        byte += len(text[at:end].encode()) + (text[end] == ",")
        at = end + (text[end] == ",")
    return out


def random_batches(seed, count, hows):
    for dialect in histories.LISTS:
        for how in hows:
            spelled = []
            for i, h in enumerate(histories.histories(dialect, seed, count,
                                                      how)):
                spelled.append([json.dumps(m, ensure_ascii=i % 2 == 0)
                                for m in h])
            yield Batch(f"{dialect}, {how}, seed {seed}", dialect, spelled,
                        how)


# A file is NAME.DIALECT.jsonl; "text" also has OpenAI's shape.
BATCHES = {"openai": "openai", "text": "openai", "anthropic": "anthropic"}
SESSIONS = ("claude-code", "native")


def logs(folder):
    """(name without .jsonl, dialect, path) of each log, in order."""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl"):
            yield (name[:-len(".jsonl")], name.split(".")[1],
                   os.path.join(folder, name))


def log_batches(folder):
    """One conversation on each line, or messages, possibly of several threads."""
    for name, dialect, path in logs(folder):
        if dialect not in BATCHES:
            continue
        spelled = collections.defaultdict(list)
        with open(path, encoding="utf-8", newline="\n") as f:
            for number, line in enumerate(f):
                record = json.loads(line)
                if "messages" in record:
                    spelled[number] = [t for _, t in
                                       places(line, "messages")]
                else:
                    spelled[record.get("thread_id")].append(
                        line.rstrip("\n"))
        yield Batch(name, BATCHES[dialect], spelled.values())


def log_sessions(folder):
    """Claude Code's files: lines, not all of them messages."""
    for name, dialect, path in logs(folder):
        if dialect in SESSIONS:
            with open(path, "rb") as f:
                yield name, f.read()


# --- checks ------------------------------------------------------------------

# Faults that ctx-clean leaves: what is for ctx-convert, and a history of which
# nothing is left; if the damage is of any kind, what it does not understand, too.
LEFT = {"first-not-user", "no-message", "user-after-result"}
LEFT_ANY = LEFT | {"unknown-record", "untyped-part", "no-content", "media-type",
                   "wrong-role", "no-id", "bad-id", "tool-name"}


def check_valid(batch, what, data, start=()):
    """start: ids of histories that must begin with a user message."""
    left = LEFT_ANY if batch.how == "any" else LEFT
    found = run(["ctx-clean", "--check", "--json"] + batch.force, data, (0, 1))
    for row in map(json.loads, found.splitlines()):
        if row["level"] == "error" and row["rule"] not in left:
            broken(batch.name, f"line {row['line']}, {what}: {row['rule']}")
    if batch.how == "any" or batch.dialect not in validate.RULES:
        return
    _, rule = validate.RULES[batch.dialect]
    for i, messages in batch.parsed(data).items():
        for text in rule(messages, i in start):
            broken(batch.name, f"history {i}, {what}: {text}")


def first_is_user(messages):
    for m in messages:
        if m["role"] not in ("system", "developer"):
            return m["role"] == "user"
    return False


def cleaned(batch):
    return run(["ctx-clean"] + batch.force, batch.conversations())


def law_clean(batch):
    """What ctx-clean writes is valid, and a second run does not change it."""
    for more in some([[], ["--unanswered", "drop"], ["--unanswered", "repair"],
                      ["--merge-runs"],
                      ["--merge-runs", "--unanswered", "repair"],
                      ["--prune-calls=1", "--step", "0", "--unanswered", "repair"],
                      ["--prune-calls=0", "--tool", "shell", "--step", "0"],
                      ["--lean"], ["--lean=strong", "--max-result", "60"]]):
        argv = ["ctx-clean"] + batch.force + more
        once = run(argv, batch.conversations())
        check_valid(batch, " ".join(argv), once)
        if run(argv, once) != once:
            broken(batch.name, f"{argv}: not idempotent")
    if batch.how != "any":
        check_valid(batch, "without -d", run(["ctx-clean"], cleaned(batch)))


def law_found(batch):
    """Without -d, a sound history is recognized and passes through unchanged."""
    whole = batch.conversations()
    if run(["ctx-clean"], whole) != whole:
        broken(batch.name, "changed as conversations")
    run(["ctx-clean", "--check"], whole)
    with tempfile.TemporaryDirectory() as tmp:
        names = write_files(tmp, dict(enumerate(batch.histories)))
        want = "".join(m + "\n" for h in batch.histories for m in h)
        if run(["ctx-clean"] + names).decode() != want:
            broken(batch.name, "changed as message lines")
        run(["ctx-clean", "--check"] + names)


def write_files(tmp, spelled):
    """Message lines in one file for each conversation, named by its id."""
    names = []
    for i, h in spelled.items():
        names.append(f"{tmp}/{i}")
        with open(names[-1], "w", encoding="utf-8") as f:
            f.writelines(m + "\n" for m in h)
    return names


def without_empty_end(batch, h):
    """A stream cannot tell that an empty message is the last, and so allowed."""
    h = list(h)
    while batch.dialect == "anthropic" and h:
        content = json.loads(h[-1]).get("content")
        if content and (isinstance(content, list) or isinstance(content, str)
                        and content.strip()):
            break
        h.pop()
    return h


def verdicts(batch, data, names=(), whole=None):
    """{history: [(message, column in it, level, rule, text)]} of --check."""
    out = collections.defaultdict(list)
    found = run(["ctx-clean", "--check", "--json"] + batch.force + list(names),
                data, (0, 1, 3))
    starts = [places(line, batch.key) for line in (whole or "").splitlines()]
    ids = [json.loads(line)["id"] for line in (whole or "").splitlines()]
    for row in map(json.loads, found.splitlines()):
        line, col = row["line"] - 1, row.get("col", 1) - 1
        # a file that has no message at all is a finding about the file
        if row["rule"] == "no-message":
            continue
        if whole is None:
            history, message = int(os.path.basename(row["file"])), line
        else:
            history = ids[line]
            message = sum(at <= col for at, _ in starts[line]) - 1
            col -= starts[line][message][0]
        out[history].append((message, col, row["level"], row["rule"],
                             row["text"]))
    return {i: sorted(rows) for i, rows in out.items()}


# what no model is known to refuse is no fault if one is named, else a warning
BY_MODEL = {"system-inside", "role-refused", "prefill", "media-refused"}


def without_model(rows):
    return {i: [r for r in found if r[2] == "error" or r[3] not in BY_MODEL]
            for i, found in rows.items()}


def law_shape(batch):
    """Message lines, a conversation and a request: one verdict, one result."""
    raw = {i: without_empty_end(batch, h)
           for i, h in enumerate(batch.histories)}
    with tempfile.TemporaryDirectory() as tmp:
        names = write_files(tmp, raw)
        want = verdicts(batch, b"", names)
    # With -d, a line of another dialect is a mistake of the user's; and where
    # results move, what is not a message may come before or after them.
    for i, rows in list(want.items()):
        rules = {r[3] for r in rows}
        if "not-json" in rules or {"unknown-record",
                                   "misplaced-result"} <= rules:
            del raw[i], want[i]
    for request in (False, True):
        whole = batch.conversations(raw, request)
        got = verdicts(batch, whole, whole=whole.decode())
        if request:     # it names a model, and the others do not
            want = without_model(want)
            got = without_model(got)
        for i in raw:
            if got.get(i, []) != want.get(i, []):
                broken(batch.name, f"history {i}: as lines {want.get(i)}, "
                       f"request {request}: {got.get(i)}")
    clean = batch.by_id(run(["ctx-clean"] + batch.force,
                            batch.conversations(raw)))
    same_result(batch, ["ctx-clean"], raw)
    same_result(batch, ["ctx-clean", "--unanswered", "repair"], raw)
    for argv in some([["ctx-truncate", "-n", "3"],
                      ["ctx-truncate", "-n", "5", "--edge", "drop", "--note"],
                      ["ctx-truncate", "-t", "300"] + CHARS,
                      ["ctx-summarize", "-t", "200"] + CHARS]):
        same_result(batch, argv, clean)
    for argv in some([["ctx-truncate", "-n", "3"],
                      ["ctx-summarize", "-t", "200"] + CHARS]):
        same_result(batch, argv, raw)


def same_result(batch, argv, spelled):
    """Do the three forms become the same messages?"""
    argv = argv + ["-q"] + batch.force
    want = batch.by_id(run(argv, batch.conversations(spelled), (0, 1)))
    if want != batch.by_id(run(argv, batch.conversations(spelled, True),
                               (0, 1))):
        broken(batch.name, f"{argv}: requests differ")
    want = "".join(m + "\n" for h in want.values() for m in h)
    with tempfile.TemporaryDirectory() as tmp:
        got = run(argv + write_files(tmp, spelled), b"", (0, 1)).decode()
    if got != want:
        broken(batch.name, f"{argv}: message lines differ")


def law_window(batch):
    """A clean history stays valid when cut at every N and at many budgets."""
    clean = cleaned(batch)
    before = batch.parsed(clean)
    start = {i for i, h in before.items()
             if batch.dialect == "anthropic" and first_is_user(h)}
    longest = max(map(len, before.values())) + 1
    few = (1, 2, 3, 4, 6, 9, 15, 30)
    each = range(1, min(longest, 60) + 1, STEP)
    for n in some(each if batch.how == "log" else few):
        for edge in ("keep", "drop")[:1 + (n % 3 == 0)]:
            argv = ["ctx-truncate", "-n", str(n), "--edge", edge]
            out = run(argv + batch.force, clean)
            check_valid(batch, " ".join(argv), out, start)
            if batch.dialect in ("openai", "anthropic"):
                check_size(batch, argv, before, batch.parsed(out), n)
    for t in some((5, 10, 20, 41, 82, 160, 323, 641, 1282, 5003, 20000)):
        for more in [[], ["--note"], ["-n", "4"], ["--start-on", "user"]][
                t % 4 // 2::2]:
            argv = ["ctx-truncate", "-t", str(t)] + CHARS + more
            out = run(argv + batch.force, clean, (0, 1))
            check_valid(batch, " ".join(argv), out, start)
            if any(batch.parsed(out).values()):     # else it compares nothing
                run(["ctx-count", "-q", "--max", str(t)] + CHARS + batch.force,
                    out)


def check_size(batch, argv, before, after, n):
    """Never nothing, and everything if there is no more than n."""
    for i, h in before.items():
        if not any(speaks(m) for m in h):
            continue
        if not any(speaks(m) for m in after[i]):
            broken(batch.name, f"history {i}, {argv}: nothing is left")
        if sum(map(speaks, h)) <= n and h != after[i]:
            broken(batch.name, f"history {i}, {argv}: cut for no reason")
        if h[-1] != after[i][-1]:
            broken(batch.name, f"history {i}, {argv}: the newest is gone")


def speaks(message):
    return message["role"] not in ("system", "developer")


FOLDS = [["-t", "60", "--max-tokens", "50"], ["-t", "400"],
         ["-t", "2000", "--as", "user"], ["-n", "5", "--min-turns", "2"],
         ["--half", "--min-turns", "0", "--max-tokens", "60"],
         ["--half", "--as", "system", "--max-tokens", "60"]]


def law_fold(batch):
    """A clean history stays valid when folded, and when folded again."""
    clean = cleaned(batch)
    before = tokens(batch, clean)
    for more in some(FOLDS):
        argv = ["ctx-summarize"] + CHARS + more + batch.force
        once = run(argv, clean)
        check_valid(batch, " ".join(argv), once)
        twice = run(argv, once)
        check_valid(batch, " ".join(argv) + ", twice", twice)
        for i, n in tokens(batch, once).items():
            if n > before[i]:
                broken(batch.name, f"history {i}, {argv}: it grew")


def tokens(batch, data):
    """Tokens of each conversation."""
    counted = run(["ctx-count", "--annotate", "n"] + CHARS + batch.force, data)

    def count(m):   # a part of Pydantic AI's requests is a message
        return m.get("n", 0) + sum(p.get("n", 0) for p in m.get("parts", [])
                                   if isinstance(p, dict))
    return {i: sum(map(count, h)) for i, h in batch.parsed(counted).items()}


def law_dropped(batch):
    """What is kept and what is dropped together are the input, in order."""
    data = batch.conversations()
    before = batch.by_id(data)
    for more in (["-n", "1"], ["-n", "7", "--edge", "drop"],
                 ["-n", "4", "--exclude-last", "2"], ["-t", "200"] + CHARS):
        with tempfile.NamedTemporaryFile() as dropped:
            argv = ["ctx-truncate", "--dropped", dropped.name] + more
            kept = batch.by_id(run(argv + batch.force, data, (0, 1)))
            gone = batch.by_id(dropped.read())
        for i in kept:
            check_merge(batch, more, i, *(
                halves(h) if batch.dialect == "pydantic-ai" else h
                for h in (before[i], kept[i], gone.get(i, []))))


def halves(history):
    """Messages of Pydantic AI with a system prompt and more, split in two."""
    out = []
    for m in map(json.loads, history):
        parts = m.get("parts")
        if not isinstance(parts, list):
            parts = []
        system = [p for p in parts if isinstance(p, dict) and
                  p.get("part_kind") == "system-prompt"]
        rest = [p for p in parts if p not in system]
        out += [json.dumps({**m, "parts": p}) for p in (system, rest)
                if p or not parts]
    return out


def check_merge(batch, more, i, before, kept, gone):
    if sorted(kept + gone) != sorted(before) or \
            not is_subsequence(kept, before) or \
            not is_subsequence(gone, before):
        broken(batch.name, f"history {i}, {more}: {len(kept)} kept and "
               f"{len(gone)} dropped of {len(before)}")


def is_subsequence(part, whole):
    it = iter(whole)
    return all(m in it for m in part)


def law_apart(batch):
    """Interleaved conversations have the same output as each of them alone."""
    rnd = random.Random(batch.name)
    named = [['{"cid":"c%d",%s' % (i, m.lstrip()[1:]) for m in h]
             for i, h in enumerate(batch.histories[:40])]
    left = [list(h) for h in named]
    mixed = []
    while any(left):
        h = rnd.choice([h for h in left if h])
        mixed.append(h.pop(0))
    mixed = "".join(m + "\n" for m in mixed).encode()
    for argv in some([["ctx-clean"], ["ctx-clean", "--unanswered", "repair"],
                      ["ctx-truncate", "-n", "3"],
                      ["ctx-truncate", "-n", "6", "--note"],
                      ["ctx-summarize", "-t", "100", "--max-tokens", "50"] + CHARS,
                      ["ctx-count", "--annotate", "tokens"] + CHARS]):
        argv = argv + ["--by", "cid"] + batch.force
        together = collections.defaultdict(bytes)
        for line in run(argv, mixed).splitlines(keepends=True):
            together[json.loads(line)["cid"]] += line
        with tempfile.TemporaryDirectory() as tmp:
            alone = run(argv + write_files(tmp, dict(enumerate(named))))
        if b"".join(together[f"c{i}"] for i in range(len(named))) != alone:
            broken(batch.name, f"{argv}: together is not as alone")


ASIDE = '{"event":"note"}\n'
BESIDE = [["ctx-truncate", "-n", "5", "--step", "2"],
          ["ctx-truncate", "-n", "4", "--start-on", "user"],
          ["ctx-truncate", "-n", "4", "--end-on", "assistant"],
          ["ctx-truncate", "-n", "3", "--exclude-last", "1"],
          ["ctx-truncate", "-n", "4", "--keep-first", "2"],
          ["ctx-truncate", "-n", "4", "--first"],
          ["ctx-truncate", "-t", "60", "--partial"] + CHARS,
          ["ctx-truncate", "-t", "150", "--partial"] + CHARS,
          ["ctx-truncate", "-t", "800", "--partial"] + CHARS,
          ["ctx-truncate", "-t", "150", "--priority", "results"] + CHARS,
          ["ctx-truncate", "-t", "100", "--note"] + CHARS,
          ["ctx-clean"],
          ["ctx-clean", "--unanswered", "repair", "--merge-runs"],
          ["ctx-clean", "--thinking", "drop", "--max-result", "20",
           "--clear-results=2", "--step", "0"],
          ["ctx-summarize", "--engine", "offline", "-t", "150"] + CHARS]


def law_beside(batch):
    """Records that are no messages change nothing of what is written of others."""
    rnd = random.Random(batch.name)
    plain = dict(enumerate(batch.histories))
    mixed = {i: [m + "\n" + ASIDE * rnd.choice((0, 0, 1, 2)) for m in h]
             for i, h in plain.items()}
    mixed = {i: "".join(h).splitlines() for i, h in mixed.items()}
    for argv in some(BESIDE):
        argv = argv + ["-q"] + batch.force
        with tempfile.TemporaryDirectory() as tmp:
            want = run(argv + write_files(tmp, plain), b"", (0, 1)).decode()
        with tempfile.TemporaryDirectory() as tmp:
            got = run(argv + write_files(tmp, mixed), b"", (0, 1)).decode()
        if got.replace(ASIDE, "") != want:
            broken(batch.name, f"{argv}: what is beside messages changes them")


# --- Claude Code's files -------------------------------------------------------

# Commands, and how many results must come for each break; 0: there is none.
PENDING = ["ctx-clean", "--keep-pending"]
STEADY = [(PENDING + ["--dedupe=200", "--squeeze", "--ansi", "--base64",
                      "--minify", "--max-result", "100",
                      "--max-message", "90"], 0),
          (PENDING + ["--minify"], 0),
          (PENDING + ["--tables", "--squeeze", "--fold"], 0),
          (PENDING + ["--clear-results=1"], 1),
          (PENDING + ["--clear-results=2", "--step", "3"], 4),
          (PENDING + ["--clear-results=0", "--clear-inputs", "--squeeze",
                      "--max-result", "150", "--dedupe=200"], 1),
          (PENDING + ["--clear-results=1", "--when-tokens", "600",
                      "--down-to", "300"] + CHARS, 1),
          (PENDING + ["--thinking", "last"], 1),
          (PENDING + ["--max-result", "60", "--keep-turns", "1"], 1),
          (PENDING + ["--max-result", "9t", "--keep-tokens", "40", "--dedupe=200",
                      "--step", "2", "--stash", "."] + CHARS, 3),
          (PENDING + ["--clear-results", "--keep-turns", "1", "--keep-tokens",
                      "30", "--min-gain", "20", "--step", "1"] + CHARS, 2),
          (PENDING + ["--clear-results=1", "--keep-turns", "2"], 1),
          (PENDING + ["--prune-calls=1"], 1),
          (PENDING + ["--prune-calls=0", "--keep-turns", "1", "--step", "1"], 2),
          (PENDING + ["--prune-calls", "--keep-tokens", "60", "--min-gain",
                      "30", "--max-result", "200"] + CHARS, 1),
          (PENDING + ["--prune-calls=0", "--thinking", "last"], 1),
          (PENDING + ["--prune-calls=0", "--tool", "shell", "--tool",
                      "grep"], 1),
          (["ctx-digest-files", "--keep-latest"], 1),
          (["ctx-digest-files", "--keep-recent", "1", "--writes"], 1),
          (["ctx-digest-files", "--superseded", "--step", "1"], 2),
          (["ctx-digest-files"], 1)]


RESULT = re.compile(r'"(tool_call_id|tool_use_id|toolUseId|functionResponse|tool'
                    r'|[a-z_]*_output|observation|tool_response|tool-result'
                    r'|tool-return|output-available)"|"state": ?"result"')


# The characters that a writer spells as escapes although it need not; .NET's also
# all but ASCII.  No such writer exists for the last, which spells those of ids, and
# only in every second message; names of tools, which have none of them here, are
# compared as they are spelled.
STYLES = {"php": "/", "dotnet": "+'\"<>&`", "gson": "=&<>'",
          "every second": string.digits + string.ascii_uppercase}
SPELLED = [
    ["ctx-clean", "--check"], ["ctx-clean", "--images", "drop"],
    ["ctx-clean", "--images", "note"], ["ctx-digest-files"],
    ["ctx-convert", "--to", "anthropic"], ["ctx-convert", "--to", "gemini"],
    ["ctx-count", "--per-message", "-e", "o200k_base"],
    ["ctx-count", "--per-message", "-m", "gpt-4o"],
    ["ctx-count", "--per-message", "-m", "claude-sonnet-4-5"],
    ["ctx-count", "--per-message", "-m", "gemini-2.5-flash"],
    ["ctx-truncate", "-t", "150", "-e", "o200k_base"],
    ["ctx-truncate", "-t", "150", "-e", "o200k_base", "--partial"],
    ["ctx-summarize", "-t", "150", "-e", "o200k_base"],
    ["ctx-clean", "--max-result", "20", "--minify"], ["ctx-show"]]


COLUMN = re.compile(rb":\d+: ")
BYTES = re.compile(rb"^( *\d+ +\d+) +\d+")      # the third number of ctx-count


def escaped(char):
    utf16 = char.encode("utf-16-be").hex().upper()
    return "".join("\\u" + utf16[i:i + 4] for i in range(0, len(utf16), 4))


def spell_string(text, style):
    out = ""
    for char in text:
        if char in '"\\' or char < " ":
            out += escaped(char) if char in STYLES[style] else \
                json.dumps(char)[1:-1]
        elif char == "/" and style == "php":
            out += "\\/"
        elif char in STYLES[style] or (style == "dotnet" and char > "~"):
            out += escaped(char)
        else:
            out += char
    return f'"{out}"'


def spell(value, style):
    """Compact JSON as such a writer spells it."""
    if isinstance(value, dict):
        return "{" + ",".join(spell_string(k, style) + ":" + spell(v, style)
                              for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(spell(v, style) for v in value) + "]"
    if isinstance(value, str):
        return spell_string(value, style)
    return json.dumps(value)


def meaning(data):
    """What was written, without what tells its spelling."""
    out = []
    for line in data.splitlines():
        try:
            out.append(json.loads(line))
        except ValueError:
            out.append(COLUMN.sub(b": ", BYTES.sub(b"\\1", line)))
    return out


def law_spelled(batch):
    """What is done with a history does not depend on how JSON spells it."""
    plain = [[json.dumps(json.loads(m), ensure_ascii=False,
                         separators=(",", ":")) for m in h]
             for h in batch.histories]
    usual = batch.conversations(dict(enumerate(plain)))
    others = {style: batch.conversations({
        i: [m if n % 2 == 0 and style == "every second" else
            spell(json.loads(m), style) for n, m in enumerate(h)]
        for i, h in enumerate(plain)}) for style in STYLES}
    for argv in some(SPELLED):
        argv = argv + ["-q"] + (
            [] if argv[0] == "ctx-show" else
            ["--from", batch.dialect] if argv[0] == "ctx-convert" else
            batch.force)
        want = meaning(run(argv, usual, (0, 1)))
        for style, other in others.items():
            got = meaning(run(argv, other, (0, 1)))
            if want != got:
                broken(f"{batch.name}, {style}", f"{argv}: " + "\n  ".join(
                    str(x)[:300] for a, b in zip(want, got) if a != b
                    for x in (a, b))[:700])


def continues(a, b):
    """Does list b, as it is spelled, begin with all of list a?"""
    return b.startswith(a) and (not a or b[len(a):len(a) + 1] in (b"", b","))


def law_steady(batch):
    """The result for a history begins with the result for each of its prefixes,
    but for breaks, which are no more than the results, or those that a step
    needs.  A second run changes nothing."""
    spelled, of = {}, []    # the beginnings, and which history each is of
    for i, h in enumerate(batch.histories):
        for k in [*range(1, len(h), -(-len(h) // 40)), len(h)]:
            spelled[len(of)] = h[:k]
            of.append(i)
    whole = batch.conversations(spelled)
    most = [sum(len(RESULT.findall(t)) for t in h) for h in batch.histories]
    for argv, results in some(STEADY):
        argv = argv + batch.force
        once = run(argv, whole)
        twice = run(argv, once)
        if twice != once:
            changed = {json.loads(a)["id"] for a, b in
                       zip(once.splitlines(), twice.splitlines()) if a != b}
            broken(batch.name, f"{argv}: not idempotent, histories "
                   f"{sorted({of[k] for k in changed})}")
        outs = batch.lists(once)
        if len(outs) != len(of):
            broken(batch.name, f"{argv}: {len(outs)} of {len(of)} lines")
        breaks = collections.Counter(
            i for i, last, a, b in zip(of[1:], of, outs, outs[1:])
            if i == last and not continues(a, b))
        for i, n in breaks.items():
            if n > (most[i] // results if results else 0):
                broken(batch.name, f"history {i}, {argv}: {n} breaks")


def law_clean_session(name, data):
    once = run(["ctx-clean"], data)
    if run(["ctx-clean"], once) != once:
        broken(name, "clean is not idempotent")
    run(["ctx-clean", "--check"], once, (0, 1))


def unlinked(data):
    """Without what links records, which follows what is kept; see sessions.py."""
    return re.sub(rb'"((?:logicalP|p)arentUuid|leafUuid)": ?("[^"]*"|null)', rb'"\1":',
                  data)


def law_dropped_session(name, data):
    for more in (["-n", "1"], ["-n", "40"], ["-t", "20k"] + CHARS):
        with tempfile.NamedTemporaryFile() as dropped:
            argv = ["ctx-truncate", "--dropped", dropped.name] + more
            kept = unlinked(run(argv, data)).splitlines(keepends=True)
            gone = unlinked(dropped.read()).splitlines(keepends=True)
        lines = unlinked(data).splitlines(keepends=True)
        if sorted(kept + gone) != sorted(lines) or \
                not is_subsequence(kept, lines):
            broken(name, f"{more}: kept and dropped are not what came")


def law_window_session(name, data):
    clean = run(["ctx-clean"], data)
    for t in ("500", "2k", "20k"):
        out = run(["ctx-truncate", "-t", t] + CHARS, clean, (0, 1))
        run(["ctx-count", "-q", "--max", t] + CHARS, out)
        if run(["ctx-clean"], out) != out:
            broken(name, f"-t {t}: ctx-clean finds something to do")
    for n in range(1, 60, STEP):
        out = run(["ctx-truncate", "-n", str(n)], clean)
        if run(["ctx-clean"], out) != out:
            broken(name, f"-n {n}: ctx-clean finds something to do")


def law_fold_session(name, data):
    clean = run(["ctx-clean"], data)
    for more in FOLDS:
        out = run(["ctx-summarize"] + CHARS + more, clean)
        if run(["ctx-clean"], out) != out:
            broken(name, f"{more}: ctx-clean finds something to do")


LAWS = {"found": (law_found, None),
        "clean": (law_clean, law_clean_session),
        "shape": (law_shape, None),
        "window": (law_window, law_window_session),
        "fold": (law_fold, law_fold_session),
        "dropped": (law_dropped, law_dropped_session),
        "apart": (law_apart, None),
        "beside": (law_beside, None),
        "spelled": (law_spelled, None),
        "steady": (law_steady, None)}
HOWS = {"found": ["sound"], "steady": ["sound"], "spelled": ["sound", "links"],
        "clean": ["links", "any"],
        "shape": ["links", "any"], "dropped": ["links", "any"]}


def main():
    law, session_law = LAWS[sys.argv[1]]
    if sys.argv[2] == "random":
        hows = HOWS.get(sys.argv[1], ["links"])
        for batch in random_batches(sys.argv[3], int(sys.argv[4]), hows):
            law(batch)
    else:
        batches = list(log_batches(sys.argv[3]))
        sessions = list(log_sessions(sys.argv[3]))
        if not batches or not sessions:
            broken(sys.argv[3], "no logs")
        for batch in batches:
            law(batch)
        if session_law is not None:
            for name, data in sessions:
                session_law(name, data)
    if len(BROKEN) > 10:
        print(f"... {len(BROKEN)} in all")
    return 1 if BROKEN else 0


if __name__ == "__main__":
    if sys.argv[2] != "random":
        sys.argv[3] = os.path.abspath(sys.argv[3])
    # some laws keep texts beside them
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        result = main()
        os.chdir(os.sep)
    sys.exit(result)
