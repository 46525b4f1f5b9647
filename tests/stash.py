# SPDX-License-Identifier: MIT
"""What --stash keeps comes back, and no note is longer than what it replaces.

    stash.py CTX-CLEAN whole STEP FILE ...
        for each STEPth of the lean options alone and all together: what ctx-clean writes with
        it and --stash is, after --restore, what it writes without it
    stash.py CTX-CLEAN random SEED N
        the same for random conversations, whose texts are as long as a note or
        a little longer; and no text is longer than it was
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

OPTIONS = ["--ansi", "--minify", "--tables", "--squeeze", "--base64",
           "--dedupe=200", "--clear-results=1 --step 0",
           "--clear-results=0 --step 0 --clear-inputs", "--max-result 100",
           "--max-result 300 --tail 100", "--max-message 120",
           "--max-result 40t", "--fold", "--thin", "--thin=dense --thin-files",
           "--max-result 150 --choose", "--lean", "--lean=strong"]
ALL = ("--ansi --minify --tables --squeeze --fold --base64 --dedupe=200 "
       "--clear-results=2 --step 0 --clear-inputs --max-result 150 "
       "--max-message 200")


def run(*argv):
    r = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if r.returncode != 0:
        sys.exit("%s: exit %d: %s" % (" ".join(argv), r.returncode,
                                      r.stderr.decode()))
    return r.stdout


class Trial:
    """One log, in a folder of its own."""

    def __init__(self, clean, name):
        self.clean, self.name = clean, name
        self.dir = tempfile.mkdtemp()
        self.kept = os.path.join(self.dir, "kept")

    def put(self, data):
        path = os.path.join(self.dir, "log")
        with open(path, "wb") as f:
            f.write(data)
        return path

    def lean(self, options, path):
        return run(self.clean, *options.split(), "--stash", self.kept, path)

    def restored(self, path):
        return run(self.clean, "--restore", self.kept, path)

    def fail(self, options, what, want, got):
        pairs = zip(want.splitlines(), got.splitlines())
        line = next((i for i, (a, b) in enumerate(pairs, 1) if a != b), 0)
        sys.exit("%s %s: %s, line %d; see %s" % (self.name, options, what,
                                                 line, self.dir))

    def done(self):
        shutil.rmtree(self.dir)


def comes_back(clean, name, path, options):
    """Lean, leaner and whole again.  Returns the lean log."""
    t = Trial(clean, name)
    whole = run(clean, path)
    lean = t.lean(options, path)
    log = t.put(lean)
    again = t.lean(options, log)
    if again != lean:
        t.fail(options, "a second run changes it", lean, again)
    got = t.restored(log)
    if got != whole:
        t.fail(options, "it does not come back", whole, got)
    # the longer log, and a text that is altered twice
    if t.lean(options, path) != lean:
        t.fail(options, "the same run gives another log", lean, lean)
    log = t.put(t.lean("--max-result 60 --max-message 60 --squeeze "
                       "--clear-results=0 --step 0", t.put(lean)))
    got = t.restored(log)
    if got != whole:
        t.fail(options, "altered twice, it does not come back", whole, got)
    t.done()
    return lean


# --- random conversations --------------------------------------------------

def words(r, n):
    text = ""
    while len(text) < n:
        text += r.choice(["word ", "\n", "caf\u00e9 ", "\u6587\u5b57", "x",
                          "line\n", "\x1b[1m", "0.5 ", "\u2028"])
    return text[:n]


def result(r):
    n = r.randint(1, 400)
    how = r.randrange(7)
    if how == 0:
        return words(r, n)
    if how == 1:
        line = words(r, r.randint(1, 24)).replace("\n", " ")
        return (line + "\n") * r.randint(1, 9) + words(r, r.randint(0, 30))
    if how == 2:
        rows = [{"id": i, "n": words(r, 3)} for i in range(r.randint(1, 9))]
        return json.dumps(rows, indent=r.choice([None, 1, 4]),
                          separators=r.choice([None, (",", ":")]))
    if how == 3:
        return "".join(r.choice("aB3xQ9z") for _ in range(n))
    if how == 4:
        return "\x1b[0m" * r.randint(1, 3)
    if how == 5:
        return r.choice(['{"ok": true}', '{"ok":true}', "{ }", "[1, 2]"])
    return r.choice(["[tool result cleared: 36 chars]", "same\n" * 50,
                     "x\n... (truncated, 99 chars total)", "b" * 230])


def openai(r):
    """Message lines; some ids come again."""
    out = [{"role": "user", "content": words(r, r.randint(1, 400))}]
    for i in range(r.randint(1, 12)):
        call = "c%d" % (r.randint(0, 3) if r.random() < .3 else i)
        out.append({"role": "assistant", "content": None, "tool_calls": [{
            "id": call, "type": "function", "function": {
                "name": "f", "arguments": json.dumps({"p": i})}}]})
        out.append({"role": "tool", "tool_call_id": call,
                    "content": result(r)})
        if r.random() < .3:
            out.append({"role": "assistant", "content": words(r, 200)})
            out.append({"role": "user", "content": words(r, 90)})
    return out


def anthropic(r):
    out = [{"role": "user", "content": words(r, r.randint(1, 400))}]
    for i in range(r.randint(1, 8)):
        n = r.randint(1, 3)
        out.append({"role": "assistant", "content": [
            {"type": "tool_use", "id": "t%d_%d" % (i, k), "name": "f",
             "input": {"a": [1, " "], "p": k}} for k in range(n)]})
        out.append({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t%d_%d" % (i, k),
             "content": result(r) if r.random() < .5 else [
                 {"type": "text", "text": result(r)}
                 for _ in range(r.randint(1, 3))]} for k in range(n)]})
    return out


def gemini(r):
    """Calls without ids."""
    out = [{"role": "user", "parts": [{"text": words(r, 300)}]}]
    for i in range(r.randint(1, 10)):
        out.append({"role": "model", "parts": [{"functionCall": {
            "name": "f", "args": {"p": i}}}]})
        out.append({"role": "user", "parts": [{"functionResponse": {
            "name": "f", "response": {"output": result(r)}}}]})
    return out


def spelled(r, value):
    """The same JSON, spelled otherwise."""
    line = json.dumps(value, ensure_ascii=r.random() < .5)
    return line.replace("/", "\\/") if r.random() < .2 else line


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for v in value:
            yield from texts(v)
    elif isinstance(value, dict):
        for name, v in value.items():
            if name not in ("input", "args", "arguments"):
                yield from texts(v)


def no_longer(options, before, after):
    for a, b in zip(before.splitlines(), after.splitlines()):
        was, now = texts(json.loads(a)), texts(json.loads(b))
        for x, y in zip(was, now):
            if len(y) > len(x):
                sys.exit("%s: %r became %r" % (options, x, y))


def random_trials(clean, seed, n):
    for i in range(n):
        r = random.Random(seed * 100003 + i)
        log = r.choice([openai, anthropic, gemini])(r)
        if r.random() < .3:
            key = "contents" if "parts" in log[0] else "messages"
            logs = [{key: log}] + [{key: r.choice([openai, anthropic])(r)
                    if key == "messages" else gemini(r)} for _ in range(3)]
        else:
            logs = log
        data = "".join(spelled(r, m) + "\n" for m in logs).encode()
        options = ALL if r.random() < .3 else r.choice(OPTIONS)
        options += r.choice(["", " --lang zh", " --note-text cleared=" +
                             "the_result_was_cleared_{chars}_chars" * 3 +
                             " --note-text repeated=" + "again" * 20])
        t = Trial(clean, "seed %d, %d" % (seed, i))
        path = t.put(data)
        for how in "", " --as path":
            lean = comes_back(clean, "seed %d, %d, %s" % (seed, i, path), path,
                              options + how)
            no_longer(options + how, run(clean, path), lean)
        t.done()


def main():
    clean, what = sys.argv[1:3]
    if what == "random":
        random_trials(clean, int(sys.argv[3]), int(sys.argv[4]))
        return
    step, at = int(sys.argv[3]), 0
    for path in sys.argv[4:]:
        for options in OPTIONS + [ALL, ALL + " --as path"]:
            if at % step == 0:
                comes_back(clean, path, path, options)
            at += 1


main()
