#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Play rounds of an agent with the pipelines of ctx-cookbook(7).

    rounds.py BUILD ROUNDS [AGENT ...]

In each round a user asks, the model calls a tool and gets its result, and answers.
Before each of the two requests the agent's pipeline runs; its messages, with the
round's own, become a request for one of four APIs, which validate.py judges.
Prints for each agent the requests, the faulty ones, and what a request takes: starts
of ctx commands, and their CPU time in milliseconds; the last line has the sums.
Exits with 1 if any request is faulty.  The seed is fixed: the same words every time.
"""
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

import validate

HERE = os.path.dirname(os.path.abspath(__file__))
AGENTS = ["The whole build", "AgentGraph", "Window and progressive summary",
          "BeamAI", "BA-Agent", "Two-layer memory"]
APIS = ["openai", "openai-responses", "anthropic", "gemini"]
# Where a pipeline leaves its messages, if not on standard output; and a section
# whose name is not its agent's.
LEAVES = {"Window and progressive summary": "history.jsonl",
          "BeamAI": "ctx-store load S --view messages |",
          "The whole build": "ctx-store load S --view request |"}
SECTION = {"The whole build": "Build"}


def recipe(section, n=1):
    """The nth literal block in a section of the page."""
    with open(os.path.join(HERE, "..", "man", "ctx-cookbook.7")) as f:
        page = f.read()
    at = page.index("\n.Ss %s\n" % section) + 1
    blocks = re.findall(r"(?ms)^\.Bd.*?\n(.*?)^\.Ed", page[at:])
    return blocks[n - 1].replace("\\e", "\\").replace("\\&", "")


class Agent:
    """A session in a folder of its own, and what it costs."""

    def __init__(self, name, build, folder):
        self.name, self.folder = name, folder
        self.env = dict(os.environ, CTX_DB=os.path.join(folder, "db"),
                        PATH=build + os.pathsep + os.environ["PATH"],
                        CTX_LOG=os.path.join(folder, "log"))
        self.random = random.Random(7)
        self.requests = self.faulty = 0
        self.cpu = 0.0
        for name in "prompt", "workspace":
            self.write(name + ".txt", "This is the %s.\n" % name)
        self.write("prompt.jsonl", {"role": "system", "content": "Be brief."})
        self.run("ctx-store new S")

    def write(self, name, what):
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(what if isinstance(what, str) else json.dumps(what) + "\n")

    def run(self, script, given=""):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-ec", script], cwd=self.folder,
            env=self.env, input=given, text=True, stdout=subprocess.PIPE)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu += (after.ru_utime - before.ru_utime +
                     after.ru_stime - before.ru_stime)
        if done.returncode != 0:
            raise SystemExit("%s: exit %d: %s" % (self.name, done.returncode,
                                                  script))
        return done.stdout

    def words(self, n):
        return " ".join("w%d" % self.random.randrange(900) for _ in range(n))

    def append(self, message, view=""):
        self.run("ctx-store append S " + view, json.dumps(message) + "\n")

    def request(self, api, now):
        """Build a request that ends with the messages now, and judge it."""
        out = self.run(recipe(SECTION.get(self.name, self.name)))
        leaves = LEAVES.get(self.name)
        if leaves == "history.jsonl":
            with open(os.path.join(self.folder, leaves)) as f:
                out = f.read()
        elif leaves is not None:
            out = self.run(leaves.rstrip("| "))
        if self.name not in ("The whole build", "BA-Agent"):
            out += "".join(json.dumps(m) + "\n" for m in now)
        made = self.run("ctx-convert -q --to %s --request -m gpt-4o" % api, out)
        key, rules = validate.RULES[api]
        faults = list(rules(json.loads(made)[key], True))
        self.requests += 1
        self.faulty += bool(faults)
        for fault in faults:
            print("%s, request %d: %s" % (self.name, self.requests, fault))

    def round(self, n, api):
        ask = {"role": "user", "content": "Round %d: %s" % (n, self.words(20))}
        call = {"role": "assistant", "content": None, "tool_calls": [{
            "id": "call_%d" % n, "type": "function", "function": {
                "name": "read_file",
                "arguments": json.dumps({"path": "f%d.txt" % n})}}]}
        result = {"role": "tool", "tool_call_id": "call_%d" % n,
                  "content": self.words(self.random.randrange(20, 900))}
        self.write("question.txt", ask["content"])
        self.write("question.jsonl", ask)
        self.request(api, [ask])
        for m in ask, call, result:
            self.append(m)
        self.write("question.txt", "Go on.")
        self.write("question.jsonl", {"role": "user", "content": "Go on."})
        self.request(api, [{"role": "user", "content": "Go on."}])
        self.append({"role": "assistant", "content": self.words(60)})

    def starts(self):
        with open(self.env["CTX_LOG"]) as f:
            return sum(1 for _ in f)


def main():
    build, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    requests = bad = 0
    print("%-31s %8s %6s %7s %7s" % ("agent", "requests", "faulty", "starts",
                                     "ms"))
    for name in sys.argv[3:] or AGENTS:
        with tempfile.TemporaryDirectory() as folder:
            a = Agent(name, build, folder)
            for n in range(rounds):
                a.round(n, APIS[n % 4])
            print("%-31s %8d %6d %7.1f %7.1f" % (
                name, a.requests, a.faulty, a.starts() / a.requests,
                1000 * a.cpu / a.requests), flush=True)
            requests += a.requests
            bad += a.faulty
    print("rounds: %d requests, %d faulty" % (requests, bad))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
