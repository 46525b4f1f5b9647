# SPDX-License-Identifier: MIT
"""Play a scripted agent: its words are given, the output of its tools is not.

A player (mend.py and the others) is a function that gets a Session.  It defines
what the user and the agent say and which tools are called; the tools run on a copy
of ../project, and their results are added to the trace unchanged.  `see` is a text
that a result must contain: if the story no longer fits the results, this is an
error.

A trace consists of JSON objects, one on each line, the first of which describes the
trace (README.md lists the members).  It is the same on every machine: times are
counted from a fixed start, the copy is always called /home/dev/tally, and make's
error messages have no line numbers, which depend on its version.
"""
import base64
import os
import re
import shutil
import signal
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(HERE, "..", "project")
FOLDER = "/home/dev/tally"


class Seed:
    """Random numbers that are the same with every version of Python."""

    def __init__(self, text):
        self.x = 1
        for byte in text.encode():
            self.x = (self.x * 1099511628211 ^ byte) % 2**64
        for _ in range(4):
            self.below(2)

    def below(self, n):
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.x >> 33) % n

    def one(self, items):
        return items[self.below(len(items))]


class Missing(Exception):
    """A program that a call needs is not on this machine."""


class Call:
    def __init__(self, tool, args, see=None, id=None, until=None, needs=(),
                 run=None):
        """run: the function for the call, if it is not a method of Tools."""
        self.tool, self.args, self.see, self.id = tool, args, see, id
        self.until, self.needs, self.run = until, needs, run


def lost(call):
    """A call during which the agent itself is killed; it is restarted."""
    call.run = lambda c: {"text": "The agent was stopped before this call had "
                                  "ended; what it did is not known.",
                          "failed": True, "made": True}
    return call


def there(what):
    """Is a program, or the compiler's sanitizers, on this machine?"""
    if what != "sanitizers":
        return shutil.which(what) is not None
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            ["sh", "-c", "echo 'int main(void) { return 0; }' >t.c && cc "
             "-fsanitize=address,undefined -o t t.c && ./t"], cwd=folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            check=False).returncode == 0


def shell(command, why, see=None, until=None, id=None, needs=None):
    """until: when the command has printed this, the user stops it."""
    needs = [needs] if needs else []
    if re.search(r"\bgit\b", command):
        needs.append("git")
    return Call("shell", {"command": command, "why": why}, see, id, until, needs)


def read(path, start=None, lines=None, see=None, id=None):
    args = {"path": path}
    if start is not None:
        args.update(start=start, lines=lines)
    return Call("read_file", args, see, id)


def edit(path, old, new, id=None):
    return Call("edit_file", {"path": path, "old": old, "new": new}, id=id)


def write(path, text, id=None):
    return Call("write_file", {"path": path, "text": text}, id=id)


def grep(pattern, path=".", see=None, id=None):
    return Call("grep", {"pattern": pattern, "path": path}, see, id)


def listing(path=".", see=None, id=None):
    return Call("list_dir", {"path": path}, see, id)


class Tools:
    """The tools of an agent, in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {
            "PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8",
            "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1", "TERM": "dumb",
            "PYTHONIOENCODING": "utf-8", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_PAGER": "cat",
            "GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@example.com",
            "GIT_COMMITTER_NAME": "dev",
            "GIT_COMMITTER_EMAIL": "dev@example.com",
            "GIT_AUTHOR_DATE": "2026-03-02T08:00:00Z",
            "GIT_COMMITTER_DATE": "2026-03-02T08:00:00Z",
        }

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as f:
            return f.read()

    def normal(self, text):
        text = text.replace(os.path.realpath(self.folder), FOLDER)
        text = text.replace(self.folder, FOLDER)
        # make: *** [Makefile:25: test] Error 1, and older: [test] Error 1
        return re.sub(r"make: \*\*\* \[(?:Makefile:\d+: )?(\S+)\]",
                      r"make: *** [\1]", text)

    def shell(self, call):
        for name in call.needs:
            if not there(name):
                raise Missing(name)
        p = subprocess.Popen(
            ["sh", "-c", call.args["command"]], cwd=self.folder, env=self.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)
        got = b""
        if call.until is not None:
            for line in p.stdout:
                got += line
                if call.until.encode() in line:
                    break
            else:
                raise SystemExit(f"{call.args['command']}: ended by itself")
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
            p.stdout.close()
            text = self.normal(got.decode()) + "(interrupted by the user)"
            return {"text": text, "failed": True, "interrupted": True}
        got = p.communicate(timeout=300)[0]
        text = self.normal(got.decode("utf-8", "replace"))
        if p.returncode == 0:
            return {"text": text or "(no output)"}
        if text and not text.endswith("\n"):
            text += "\n"
        return {"text": text + f"(exit {p.returncode})", "failed": True,
                "exit": p.returncode}

    def read_file(self, call):
        name = call.args["path"]
        if not os.path.isfile(self.path(name)):
            return {"text": f"{name}: no such file", "failed": True}
        if name.endswith(".png"):
            with open(self.path(name), "rb") as f:
                data = f.read()
            return {"text": f"{name}: a picture, {len(data)} bytes",
                    "images": [{"type": "image/png",
                                "data": base64.b64encode(data).decode()}]}
        text = self.text(name)
        if "start" in call.args:
            lines = text.splitlines(keepends=True)
            at = call.args["start"] - 1
            text = "".join(lines[at:at + call.args["lines"]])
        return {"text": text}

    def edit_file(self, call):
        name, old = call.args["path"], call.args["old"]
        text = self.text(name)
        if text.count(old) != 1:
            return {"text": f"{name}: the old text is there {text.count(old)} "
                            "times, and must be there once", "failed": True}
        at = text[:text.index(old)].count("\n")
        text = text.replace(old, call.args["new"])
        with open(self.path(name), "w", encoding="utf-8", newline="") as f:
            f.write(text)
        lines = text.split("\n")
        end = at + call.args["new"].count("\n") + 3
        seen = "\n".join(f"{i + 1:5d}  {lines[i]}"
                         for i in range(max(0, at - 2), min(len(lines), end)))
        return {"text": f"{name}: changed in line {at + 1}\n{seen}"}

    def write_file(self, call):
        name, text = call.args["path"], call.args["text"]
        os.makedirs(os.path.dirname(self.path(name)) or ".", exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8", newline="") as f:
            f.write(text)
        return {"text": f"{name}: {len(text.encode())} bytes written"}

    def files(self, path):
        if os.path.isfile(self.path(path)):
            return [path]
        found = []
        for folder, inner, names in os.walk(self.path(path)):
            inner[:] = sorted(n for n in inner if n not in (".git", "build"))
            for name in names:
                found.append(os.path.relpath(os.path.join(folder, name),
                                             self.folder))
        return sorted(found)

    def grep(self, call):
        pattern = re.compile(call.args["pattern"])
        found = []
        for name in self.files(call.args["path"]):
            if name.endswith(".png"):
                continue
            for at, line in enumerate(self.text(name).splitlines(), 1):
                if pattern.search(line):
                    found.append(f"{name}:{at}: {line}")
        return {"text": "\n".join(found) or "nothing found"}

    def list_dir(self, call):
        names = self.files(call.args["path"])
        return {"text": "\n".join(
            f"{os.path.getsize(self.path(n)):7d}  {n}" for n in names)}


class Session:
    def __init__(self, name, head, folder=None, earlier=None):
        """folder: where the project has been copied to; earlier: the results
        of the trace that is there, for calls that this machine cannot run."""
        self.name, self.seed = name, Seed(name)
        self.tools = Tools(folder) if folder else None
        self.head = dict({"trace": 1, "name": name}, **head)
        self.lines, self.clock, self.calls = [], 0.0, 0
        self.earlier, self.missing = earlier or {}, set()
        self.where = {}

    def add(self, kind, **members):
        line = {"kind": kind, "at": round(self.clock, 3)}
        line.update(self.where)
        line.update((k, v) for k, v in members.items() if v is not None)
        self.lines.append(line)

    def wait(self, low, high):
        self.clock += (low * 1000 + self.seed.below((high - low) * 1000)) / 1000

    def thread(self, name):
        """Continue with this conversation."""
        self.where = {"thread": name}

    def user(self, text, images=None):
        self.wait(8, 90)
        self.add("user", text=text, images=images)

    def event(self, kind, **members):
        self.wait(1, 4)
        self.add(kind, **members)

    def says(self, text=None, *calls, think=None):
        """The agent's turn: a text, calls, or both; the texts of the results."""
        self.wait(2, 14)
        first = self.calls + 1
        self.calls += len(calls)
        listed = []
        for n, c in enumerate(calls, first):
            one = {"n": n, "tool": c.tool, "args": c.args}
            if c.id is not None:
                one["id"] = c.id
            listed.append(one)
        self.add("assistant", think=think, text=text, calls=listed or None)
        return [self.result(n, c) for n, c in enumerate(calls, first)]

    def result(self, n, call):
        try:
            run = call.run or getattr(self.tools, call.tool)
            got = run(call)
        except Missing as e:
            self.missing.add(str(e))
            if n not in self.earlier:
                raise SystemExit(f"{self.name}: call {n} needs {e}")
            got = self.earlier[n]
        if call.see is not None and call.see not in got["text"]:
            raise SystemExit(f"{self.name}: call {n}, {call.tool} {call.args}: "
                             f"no {call.see!r} in:\n{got['text']}")
        if got.get("made"):
            self.event("crash", call=n)
            self.clock += 540
        self.wait(0, 3)
        self.add("result", call=n, **got)
        return got["text"]


def fresh(folder):
    """A copy of the project in a folder, as the first commit if git is there."""
    for where, _, names in os.walk(PROJECT):
        to = os.path.join(folder, os.path.relpath(where, PROJECT))
        os.makedirs(to, exist_ok=True)
        for name in names:          # without its mode: a checkout may be read-only
            shutil.copyfile(os.path.join(where, name), os.path.join(to, name))
    with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as f:
        f.write("build/\ndata/orders/\n")
    if shutil.which("git") is None:
        return
    tools = Tools(folder)
    for command in ("init -q -b main", "config core.abbrev 7", "add -A",
                    "commit -q -m 'tally as it is'"):
        subprocess.run("git " + command, shell=True, check=True, cwd=folder,
                       env=tools.env)
