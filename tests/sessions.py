#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sessions whose records follow each other, and what is reached in them.

    sessions.py make claude-code|qwen-code|pi SEED N   random sessions, into files
    sessions.py reach FILE                 messages reached from the last, of all
    sessions.py kept BEFORE AFTER          is the law kept?
    sessions.py law BIN SEED N             the law, for all commands below

The law: ctx-clean finds nothing to do in what it wrote, and no record to join in what
a command wrote of that.  What was reached from the last message of a session and is still in the
file is reached from its last message, in the same order; and so is every record that
is new, unless it is in a side conversation, answers a call that is not reached, or
is before a record that is not.
A record that is not new and has none of its contents changed is the source's, byte for
byte, but for the members that link records; those change only if what they named went,
or something new comes between.

What is clean has no result that is reached without its call.
What cuts a session leaves no call without the result that it had, and outside of what
is reached no result without its call.

A session is read as the agents read it: from the last message by each record's
parent, and before a boundary by its logical parent.  Side conversations and records
of other types are passed over.  Of several messages none of which follows another,
nothing is resumed, and there is no law.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

COMMANDS = [["ctx-clean"], ["ctx-clean", "--branches", "drop"],
            ["ctx-clean", "--thinking", "drop"],
            ["ctx-clean", "--unanswered", "repair"],
            ["ctx-clean", "--max-result", "10", "--clear-results=1",
             "--step", "0", "--empty"],
            ["ctx-truncate", "-n", "3"], ["ctx-truncate", "-n", "8", "--note"],
            ["ctx-truncate", "-t", "120"], ["ctx-truncate", "-t", "400", "--pin", "1"],
            ["ctx-summarize", "--engine", "offline", "-t", "150"],
            ["ctx-summarize", "--engine", "offline", "--all", "--as", "user"]]
LINKS = ["parentUuid", "parentId", "logicalParentUuid", "leafUuid", "targetId",
         "firstKeptEntryId"]
MESSAGES = "user", "assistant", "message", "tool_result", "custom_message"


def keys(records):
    return ("uuid", "parentUuid") if any("uuid" in r for r in records) else \
        ("id", "parentId")


def read(data):
    out = []
    for line in data.splitlines():
        try:
            v = json.loads(line)
        except ValueError:
            continue
        if isinstance(v, dict):
            out.append((v, line))
    return out


def branch(records):
    """The ids from the first record that is reached to the last message's."""
    key, parent = keys(records)
    ids = {}
    for r in records:
        if r.get(key):
            ids.setdefault(r[key], r)
    last = [r for r in records if r.get("type") in MESSAGES and r.get(key) and
            not r.get("isSidechain")]
    at, found, seen = last[-1] if last else None, [], set()
    while at is not None and at[key] not in seen:
        seen.add(at[key])
        found.append(at[key])
        at = ids.get(at.get(parent) or at.get("logicalParentUuid"))
    return found[::-1]


def is_flat(records):
    key, parent = keys(records)
    return sum(r.get("type") in MESSAGES and bool(r.get(key)) for r in records) > 1 and \
        not any(r.get(parent) or r.get("logicalParentUuid") for r in records)


def has_loop(records):
    key, parent = keys(records)
    up = {r[key]: r.get(parent) or r.get("logicalParentUuid")
          for r in records if r.get(key)}
    for i in up:
        seen = set()
        while i in up and i not in seen:
            seen.add(i)
            i = up[i]
        if i in seen:
            return True
    return False


def kept(before, after):
    """What breaks the law, as a list of sentences."""
    a, b = read(before), read(after)
    was, now = [r for r, _ in a], [r for r, _ in b]
    key, _ = keys(was)
    old, new = branch(was), branch(now)
    there = {r.get(key) for r in now}
    known = {r.get(key): line for r, line in a}
    bad = []
    want = [i for i in old if i in there]
    # what followed messages that are gone leads to the end no more
    kind = {r.get(key): r.get("type") for r in was}
    while want and kind.get(want[-1]) not in MESSAGES:
        want.pop()
    got = [i for i in new if i in known]
    # a branch may have been joined to another one where its own records went
    if has_loop(was):
        return bad          # in a loop there is no order
    if [i for i in got if i in set(want)] != want:
        bad.append("reached: %s instead of %s" % (got, want))
    fresh = {r.get(key) for r in now} - set(known)
    for n, (r, line) in enumerate(b):
        i = r.get(key)
        if i in known:
            bad += changed(json.loads(known[i]), r, there, fresh)
        elif i and not r.get("isSidechain") and i not in new and \
                answers(r, now, set(new)) and follows(now[n + 1:], key, fresh) in new:
            bad.append("new, but not reached: %s" % i)
    return bad


def dropped(bindir, before, after):
    """What ctx-clean --branches drop left that is not reached, or took that is."""
    mended, _ = run([os.path.join(bindir, "ctx-clean")], before)
    # what a thought led to may have been in another branch
    thoughts = re.compile('"content":\\[{"type":"thinking"')
    mended = [r for r, _ in read(mended)]
    left = [r for r, _ in read(after)]
    key, _ = keys(mended)
    led = {r.get(key) for r, line in read(before) if thoughts.search(line)}
    new, reached = set(branch(left)), branch(mended)
    ids = {r.get(key) for r in left}
    parts = {message_of(r) for r in left if r.get(key) in new} - {None}
    # a result goes with a call in a branch that goes
    loose = {r.get(key) for r in mended if not answers(r, left, new)}
    return ["reached, but dropped: %s" % i for i in reached
            if i not in ids and i not in led and i not in loose] + \
        ["not reached, but left: %s" % r[key] for r in left
         if r.get("type") in MESSAGES and r.get(key) and not r.get("isSidechain") and
         r[key] not in new and not is_result(r) and message_of(r) not in parts]


def message_of(r):
    """The id of the message that the record is a part of, or None."""
    return (r.get("message") or {}).get("id")


def is_result(r):
    """Its call may be in the branch, though it is not."""
    return bool(re.search(r'"(tool_use_id|toolCallId|functionResponse)"', json.dumps(r)))


def follows(records, key, fresh):
    """The id of the first that is not new."""
    return next((r[key] for r in records if r.get(key) not in fresh and r.get(key)
                 and not r.get("isSidechain")), None)


def ids_of(pattern, records):
    return {i for r in records for i in re.findall(pattern, json.dumps(r))}


CALLS = '(?:"tool_use", "id"|"toolCall", "id"|"functionCall": {"id"): "(\\w+)"'
RESULTS = '(?:"tool_use_id"|"toolCallId"|"functionResponse": {"id"): "(\\w+)"'


def torn(before, after):
    """Calls that lost their results, and results beside the branch their calls."""
    was, now = [r for r, _ in read(before)], [r for r, _ in read(after)]
    if has_loop(was):
        return []           # a result may come after what follows it
    key, _ = keys(now)
    new = set(branch(now))
    beside = [r for r in now if r.get(key) not in new]
    gone = ids_of(RESULTS, was) - ids_of(RESULTS, now)
    lone = ids_of(CALLS, was) - ids_of(CALLS, now)
    return ["call without its result: %s" % i for i in ids_of(CALLS, now) & gone] + \
        ["result without its call: %s" % i for i in ids_of(RESULTS, beside) & lone]


def orphans(data):
    """Results that are reached, while their calls are not."""
    records = [r for r, _ in read(data)]
    key, _ = keys(records)
    reached = set(branch(records))
    # the parts of a message are sent together
    parts = {message_of(r) for r in records if r.get(key) in reached} - {None}
    sent = [r for r in records if r.get(key) in reached or message_of(r) in parts]
    return ["result without its call: %s" % i
            for i in ids_of(RESULTS, sent) - ids_of(CALLS, sent)]


def changed(was, r, there, fresh):
    """Links that changed without a reason."""
    return ["%s was %s and is %s" % (k, was[k], r[k]) for k in LINKS
            if k in was and was[k] != r.get(k) and was[k] in there and
            r.get(k) not in fresh]


def answers(r, records, reached):
    """Is it no result, or that of a call that is reached?"""
    text = json.dumps(r)
    found = re.search(r'"(?:tool_use_id|toolCallId)": "(\w+)"', text) or \
        re.search(r'"functionResponse": {"id": "(\w+)"', text)
    if not found:
        return True
    key, _ = keys(records)
    return any('"%s"' % found[1] in json.dumps(q) for q in records if q is not r and
               q.get(key) in reached)


class Maker:
    """One random session."""

    def __init__(self, rng, form):
        self.rng, self.form = rng, form
        self.lines, self.ids, self.n = [], [], 0

    def record(self, kind, parent, body, **more):
        self.n += 1
        i = "%08d-0000-4000-8000-000000000000" % self.n
        if self.form == "pi":
            i = "%08x" % self.n
            v = {"type": kind, "id": i, "parentId": parent,
                 "timestamp": "2026-01-01T00:00:00.000Z", **body, **more}
        else:
            v = {"type": kind, "uuid": i, "parentUuid": parent, "sessionId": "s",
                 "timestamp": "2026-01-01T00:00:00.000Z", **body, **more}
        self.lines.append(v)
        return i

    def says(self, role, parent, text, **more):
        if self.form == "pi":
            return self.record("message", parent, {"message": {
                "role": role, "content": [{"type": "text", "text": text}]}}, **more)
        if self.form == "qwen-code":
            return self.record(role, parent, {"message": {
                "role": "user" if role == "user" else "model",
                "parts": [{"text": text}]}}, **more)
        return self.record(role, parent, {"message": {
            "role": role, "content": [{"type": "text", "text": text}]}}, **more)

    def thinks(self, parent):
        if self.form == "claude-code":
            return self.record("assistant", parent, {"message": {
                "role": "assistant", "id": "m%d" % self.n, "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "s"}]}})
        if self.form == "pi":
            return self.record("message", parent, {"message": {
                "role": "assistant", "content": [
                    {"type": "thinking", "thinking": "hm"}]}})
        return parent

    def calls(self, parent, answered):
        c = "call_%d" % self.n
        text = "result " * self.rng.randint(1, 30)
        if self.form == "pi":
            at = self.record("message", parent, {"message": {
                "role": "assistant", "content": [{"type": "toolCall", "id": c,
                                                  "name": "f", "arguments": {}}]}})
            if answered:
                at = self.record("message", at, {"message": {
                    "role": "toolResult", "toolCallId": c, "toolName": "f",
                    "isError": False, "content": [{"type": "text", "text": text}]}})
        elif self.form == "qwen-code":
            at = self.record("assistant", parent, {"message": {
                "role": "model", "parts": [{"functionCall": {
                    "id": c, "name": "f", "args": {}}}]}})
            if answered:
                at = self.record("tool_result", at, {"message": {
                    "role": "user", "parts": [{"functionResponse": {
                        "id": c, "name": "f", "response": {"output": text}}}]}})
        else:
            at = self.record("assistant", parent, {"message": {
                "role": "assistant", "content": [{"type": "tool_use", "id": c,
                                                  "name": "f", "input": {}}]}})
            if self.rng.random() < .3:
                at = self.record("progress", at, {"data": {"type": "hook"}})
            if answered:
                at = self.record("user", at, {"message": {
                    "role": "user", "content": [{"type": "tool_result",
                                                 "tool_use_id": c,
                                                 "content": text}]}})
        return at

    def parallel(self, at):
        """Calls of one message: the results follow them in any order, and what comes
        next the last of those."""
        rng, calls, message = self.rng, [], "m%d" % self.n
        for _ in range(rng.randint(2, 3)):
            at = self.record("assistant", at, {"message": {
                "role": "assistant", "id": message, "content": [
                    {"type": "tool_use", "id": "call_%d" % self.n, "name": "f",
                     "input": {}}]}})
            calls.append((at, "call_%d" % (self.n - 1)))
            if rng.random() < .5:
                self.record("progress", at, {"data": {"type": "hook"}})
        rng.shuffle(calls)
        for of, c in calls:
            at = self.record("user", of, {"message": {
                "role": "user", "content": [{"type": "tool_result", "tool_use_id": c,
                                             "content": "result " * rng.randint(1, 30)}]}})
            if rng.random() < .3:
                self.record("progress", at, {"data": {"type": "hook"}})
        return at

    def aside(self, parent):
        if self.form == "claude-code":
            side = None
            for role in "user", "assistant":
                side = self.says(role, side, "aside", isSidechain=True, agentId="x")
        return parent

    def weave(self, at):
        """Two windows go on at once: records after a fork come among those before."""
        key, parent = keys(self.lines)
        low = self.rng.randint(0, at)
        high = self.rng.randint(at, len(self.lines))
        a, b = self.lines[low:at], self.lines[at:high]
        out, there = self.lines[:low], {r.get(key) for r in self.lines[:low]}
        while a or b:
            waits = b and b[0].get(parent) and b[0][parent] not in there
            take = a if a and (waits or not b or self.rng.random() < .5) else b
            out.append(take.pop(0))
            there.add(out[-1].get(key))
        self.lines[:high] = out

    def write(self, rounds):
        rng, at, dead, forks = self.rng, None, [], []
        for n in range(rounds):
            if dead and rng.random() < .15:
                at = rng.choice(dead)       # go back, and leave a branch
                forks.append(len(self.lines))
            at = self.says("user", at, "question %d " % n * rng.randint(1, 12))
            dead.append(at)
            if rng.random() < .4:
                at = self.thinks(at)
            for _ in range(rng.choice([0, 0, 1, 2, 3])):
                at = self.calls(at, rng.random() < .9)
            if self.form == "claude-code" and rng.random() < .2:
                at = self.parallel(at)
            if rng.random() < .1:
                self.aside(at)
            if rng.random() < .85:
                at = self.says("assistant", at, "answer %d " % n * rng.randint(1, 12))
            if self.form == "claude-code" and rng.random() < .06:
                top = self.record("system", None, {"subtype": "compact_boundary",
                                  "content": "Conversation compacted"},
                                  logicalParentUuid=at)
                at = self.says("user", top, "summary", isCompactSummary=True)
        if forks and rng.random() < .3:
            self.weave(rng.choice(forks))
        key, parent = keys(self.lines)
        main = [r for r in self.lines if not r.get("isSidechain")]
        if rng.random() < .2:               # it goes on from another file
            main[0][parent] = "ffffffff"
        for r in main:                      # gaps and loops
            if rng.random() < .01:
                r[parent] = rng.choice(["ffffffff", rng.choice(main)[key], None])
        return "".join(json.dumps(r, separators=(",", ":")) + "\n"
                       for r in self.lines)


def make(form, seed):
    rng = random.Random("%s %s" % (form, seed))
    return Maker(rng, form).write(rng.randint(1, 25))


def run(argv, *data):
    """The output for some files, and what went wrong or None."""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, "%d.jsonl" % n) for n in range(len(data))]
        for name, text in zip(names, data):
            with open(name, "w", encoding="utf-8") as f:
                f.write(text)
        p = subprocess.run(argv + ["-q"] + names, capture_output=True, check=False)
    if p.returncode not in (0, 3):
        return None, "exit %d: %s" % (p.returncode, p.stderr.decode()[:300])
    return p.stdout.decode(), None


def unclean(bindir, texts):
    """What ctx-clean changes in {command: what it wrote}, as a list of sentences."""
    argv = [os.path.join(bindir, "ctx-clean")]
    if run(argv, *texts.values())[0] == "".join(texts.values()):
        return []
    bad = []
    for how, text in texts.items():
        again = run(argv, text)[0]
        if "ctx-clean" in how and again != text:
            bad.append(how + ": a second run changes it")
        elif adrift(read(text), read(again)):
            bad.append(how + ": ctx-clean joins a record")
    return bad


def adrift(a, b):
    """Does a record follow another, where what it followed was not there?  A call
    beside the branch may have lost its result, and goes."""
    key, _ = keys([r for r, _ in a])
    was = {r[key]: r for r, _ in a if r.get(key)}
    return any(r.get(k) != was[r[key]].get(k) and was[r[key]][k] not in was
               for r, _ in b if r.get(key) in was for k in LINKS if was[r[key]].get(k))


def law(bindir, seed, n):
    runs, wrong = 0, []
    for form in "claude-code", "qwen-code", "pi":
        for i in range(seed, seed + n):
            before, clean = make(form, i), {}
            if i % 2:       # others need what is clean already
                before = run([os.path.join(bindir, "ctx-clean")], before)[0]
            if is_flat([r for r, _ in read(before)]):
                continue
            for argv in COMMANDS:
                how = "%s %d, %s" % (form, i, " ".join(argv))
                after, bad = run([os.path.join(bindir, argv[0])] + argv[1:], before)
                runs += 1
                bad = [bad] if bad else kept(before, after)
                if after is not None and argv[0] != "ctx-clean":
                    bad += torn(before, after)
                if after is not None and argv[0] == "ctx-clean" and \
                        has_loop([r for r, _ in read(after)]):
                    bad.append("a loop is left")
                if after is not None and "--branches" in argv:
                    bad += dropped(bindir, before, after)
                if after is not None and (i % 2 or argv[0] == "ctx-clean"):
                    bad += orphans(after)
                    clean[how] = after
                wrong += ["%s: %s" % (how, b[:400]) for b in bad[:1]]
            wrong += unclean(bindir, clean)
    print("\n".join(wrong + ["%d runs, %d break the law" % (runs, len(wrong))]))
    return len(wrong) > 0


def main():
    what = sys.argv[1]
    if what == "make":
        print(make(sys.argv[2], int(sys.argv[3])), end="")
        return 0
    if what == "law":
        return law(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    data = []
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as f:
            data.append(f.read())
    if what == "reach":
        records = [r for r, _ in read(data[0])]
        key, parent = keys(records)
        ids = {r.get(key) for r in records}
        found = set(branch(records))
        all_ = [r for r in records if r.get("type") in MESSAGES and r.get(key) and
                not r.get("isSidechain")]
        print("%d of %d, %d dangle" % (
            sum(r[key] in found for r in all_), len(all_),
            sum(bool(r.get(parent)) and r[parent] not in ids for r in records)))
        return 0
    bad = kept(*data)
    print("\n".join(bad) or "kept")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
