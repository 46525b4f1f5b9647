#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make every allocation of every command, or every call of SQLite, fail in turn.

    allocs.py -l LIBRARY [-b BUILD] [-c N] [-j N] [-s N] [-v] [NAME ...]

Runs the cases of alloc_cases.py (those whose names begin with a NAME; NAME$
selects one case) under failalloc.so.  Each request for memory is made to fail,
once alone and once with all later ones.  With faildb.so, calls of SQLite fail
instead; the cases of ctx-store are used for both.  Those of ctx-store-pg are left
out if there is no PostgreSQL.  The allowed outcomes are:

  - exit 4 with a message that gives a reason, and the beginning of the normal
    output; files are as before or as they would have been, and no other files are
    left;
  - the exit code and the bytes of a run without a fault.

Anything else is printed with the stack of the request that failed (-v prints all
of these).  -c N runs every N-th case, -s N every N-th request of each.  Each case
and each command gets a line; the last line has the number of failures injected
and how many ended wrongly.  Exits with 1 if any did, or if a command has no case.
"""
import argparse
import atexit
import concurrent.futures
import os
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

JOB = struct.Struct("=qq")
ANSWER = struct.Struct("=qqq")
# a database is judged by its contents, not by its bytes
DATABASE = re.compile(r"(^|/)[^/]*\.db(-wal|-shm|-lock|-journal)?$")


class Server:
    """A PostgreSQL server for the cases that need one; each has a schema."""

    SCRIPT = os.path.join(ROOT, "tests/pg/server")
    # keep what the tables have in a second schema, and put it back
    KEEP = """SET client_min_messages = error; DROP SCHEMA IF EXISTS model CASCADE; CREATE SCHEMA model;
        DO $$ DECLARE t text; BEGIN
        FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'work' LOOP
        EXECUTE format('CREATE TABLE model.%I AS TABLE work.%I', t, t);
        END LOOP; END $$"""
    BACK = """SET client_min_messages = error; DO $$ DECLARE t text; BEGIN
        IF NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'model') THEN
        DROP SCHEMA work CASCADE; CREATE SCHEMA work; END IF;
        FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'model' LOOP
        EXECUTE format('DELETE FROM work.%I', t);
        EXECUTE format('INSERT INTO work.%I TABLE model.%I', t, t);
        END LOOP; END $$"""

    def __init__(self):
        self.lock = threading.Lock()
        self.folder = None
        self.made = 0

    def exists(self):
        return subprocess.run([self.SCRIPT, "programs"], check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def database(self):
        """Make a database with the schema "work"; return its name."""
        with self.lock:
            if self.folder is None:
                self.folder = tempfile.mktemp(prefix="ctx-pg-", dir="/tmp")
                subprocess.run([self.SCRIPT, "start", self.folder,
                                str(os.getpid())], check=True)
                atexit.register(subprocess.run,
                                [self.SCRIPT, "stop", self.folder], check=True)
            self.made += 1
            name = "case%d" % self.made
        self.sql("postgres", "CREATE DATABASE " + name)
        self.sql(name, "CREATE SCHEMA work")
        return name

    def url(self, name):
        return ("postgresql://ctx@/%s?host=%s&options=-csearch_path%%3Dwork" %
                (name, self.folder))

    def sql(self, name, text):
        subprocess.run(["psql", "-h", self.folder, "-U", "ctx", "-d", name,
                        "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", text],
                       check=True)


POSTGRESQL = Server()


def read(path):
    with open(path, "rb") as f:
        return f.read()


def tree(top):
    """Each file below top: its name and its bytes."""
    found = {}
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, top)] = read(path)
    return found


class Case:
    """One invocation, in its own folder, which is restored before each run."""

    def __init__(self, spec, args, lib, top):
        self.name = spec["name"]
        self.spec = spec
        self.top = top
        self.model = os.path.join(top, "model")
        self.dir = os.path.join(top, "work")
        self.wrong = []
        self.runs = 0
        os.makedirs(self.model)
        self.env = {"PATH": "%s:%s" % (args.build, os.environ["PATH"]),
                    "HOME": top, "TZ": "UTC", "LC_ALL": "C.UTF-8",
                    "LANG": "C.UTF-8", "DATA": os.path.join(ROOT, "tests/data"),
                    "MALLOC_PERTURB_": "165", "CTX_DB": "ctx.db",
                    "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"
                    ":allocator_may_return_null=1:abort_on_error=1"}
        for name, value in os.environ.items():
            if name.endswith("_SCAN"):
                self.env[name] = value
        open(os.path.join(self.model, "stdin"), "w").close()
        self.port = self.listen() if spec.get("server") else ""
        self.env["PORT"] = self.port
        self.database = None
        if "database" in spec:
            self.database = POSTGRESQL.database()
            self.env["CTX_DB"] = POSTGRESQL.url(self.database)
        self.sh(spec.get("setup", ":"), self.model)
        if self.database is not None:
            POSTGRESQL.sql(self.database, POSTGRESQL.KEEP)
        self.env.update(spec.get("env", {}))
        self.bytes = tree(self.model)
        self.dir = self.model
        self.before = self.files()
        self.dir = os.path.join(top, "work")
        self.argv = [os.path.join(args.build, spec["argv"][0])]
        self.argv += [self.word(w) for w in spec["argv"][1:]]
        self.fault = dict(self.env, LD_PRELOAD=lib)
        for name in ("stdin", "stdout", "stderr"):
            self.fault["FAILALLOC_" + name.upper()] = (
                os.path.join(self.dir, "stdin") if name == "stdin" else
                os.path.join(top, name))
        self.fresh()
        self.serve()

    def word(self, w):
        if w.startswith("@"):
            return read(os.path.join(self.model, w[1:])).decode().strip()
        return w.replace("$DATA", self.env["DATA"]).replace(
            "$PORT", self.port)

    def listen(self):
        """Start the endpoint, which ends at the end of its standard input."""
        self.endpoint = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, "tests/stub",
                                          self.spec["server"]),
             os.path.join(self.top, "log")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env=dict(self.env, STUB_LIFE="3600"))
        return self.endpoint.stdout.readline().decode().strip()

    def sh(self, script, cwd):
        run = subprocess.run(["bash", "-euc", script], cwd=cwd, env=self.env,
                             stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             check=False)
        if run.returncode != 0:
            raise RuntimeError("%s: setup: %s" % (
                self.name, run.stdout.decode(errors="replace")))
        return run.stdout

    def fresh(self):
        """Restore the work folder from the model; the folder itself stays."""
        os.makedirs(self.dir, exist_ok=True)
        if self.database is not None and "then" in self.spec:
            POSTGRESQL.sql(self.database, POSTGRESQL.BACK)
        if tree(self.dir) == self.bytes:
            return
        for name in os.listdir(self.dir):
            path = os.path.join(self.dir, name)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
        shutil.copytree(self.model, self.dir, dirs_exist_ok=True)

    def serve(self):
        back, to = os.pipe()
        self.answers, answer = os.pipe()
        self.jobs = to
        env = dict(self.fault, FAILALLOC_SERVE="%d,%d" % (back, answer))
        self.server = subprocess.Popen(
            self.argv, cwd=self.dir, env=env, pass_fds=(back, answer),
            stdin=subprocess.DEVNULL)
        os.close(back)
        os.close(answer)

    def end(self):
        if self.port:
            self.endpoint.stdin.close()
            self.endpoint.wait()
        os.close(self.jobs)
        self.server.wait()
        os.close(self.answers)

    def run(self, at, all_after):
        """(exit code or -signal, requests, failures)"""
        os.write(self.jobs, JOB.pack(at, all_after))
        got = os.read(self.answers, ANSWER.size)
        if len(got) != ANSWER.size:
            raise RuntimeError("%s: the server ended" % self.name)
        status, count, failed = ANSWER.unpack(got)
        return os.waitstatus_to_exitcode(status), count, failed

    def files(self):
        """What the run left, except databases."""
        return {k: self.plain(v) for k, v in tree(self.dir).items()
                if not DATABASE.search(k) and
                k not in self.spec.get("apart", ())}

    def stored(self):
        if "then" not in self.spec:
            return b""
        out = self.sh(self.spec["then"], self.dir)
        return self.plain(out)

    def plain(self, out):
        """Remove what differs from run to run: times, ids, folders."""
        for pattern in self.spec.get("varies", ()):
            out = re.sub(pattern.encode(), b"*", out)
        return out

    def first(self):
        """Run without a fault; return the number of requests."""
        self.code, count, _ = self.run(0, 0)
        if self.code != self.spec.get("exit", 0):
            raise RuntimeError("%s: exit %d: %s" % (
                self.name, self.code, read(self.top + "/stderr").decode()))
        self.out = self.plain(read(self.top + "/stdout"))
        self.after = self.files()
        self.held = self.stored()
        self.changes = self.database is not None or tree(
            self.dir) != self.bytes
        return count

    def same_files(self):
        """Old files are as before or after; new ones may be only their beginning."""
        now = self.files()
        for name, data in now.items():
            if name in self.spec.get("tells", ()):
                continue
            if data in (self.before.get(name), self.after.get(name)):
                continue
            if name in self.before or not self.after.get(
                    name, b"").startswith(data):
                return False
            if name not in self.after:
                return False
        return all(k in now for k in self.before if k in self.after)

    def verdict(self, code):
        """What is wrong, or None."""
        if code == -signal.SIGALRM:
            return "hangs"
        if code < 0:
            return signal.Signals(-code).name
        out = self.plain(read(self.top + "/stdout"))
        changes = self.changes or tree(self.dir) != self.bytes
        if code == self.code and code != 4:
            if out != self.out and not self.is_less(out):
                return "exit %d, other output" % code
            if changes and self.files() != self.after:
                return "exit %d, other files" % code
            if changes and self.stored() != self.held:
                return "exit %d, other things stored" % code
            return None
        if self.spec.get("loses"):
            said = [x for x in out.splitlines() if b'"lost":' in x]
            if code == 1 and said:
                return None
            out = b"".join(x for x in out.splitlines(True)
                           if x.strip() not in said)
        if code != 4:
            return "exit %d" % code
        said = read(self.top + "/stderr")
        if not said:
            return "exit 4, no message"
        if b": failed\n" in said:      # what is printed for an error without text
            return "exit 4, no reason"
        if not self.out.startswith(out) and not self.spec.get(
                "counts") and not (self.spec.get("rows") and
                self.rows(out) <= self.rows(self.out)):
            return "exit 4, wrong output"
        if changes and not self.same_files():
            return "exit 4, files left or changed"
        if "whole" in self.spec and changes:
            return self.damage()
        return None

    def rows(self, out):
        """The lines but those that close the output, without commas after them."""
        closes = self.spec.get("closes")
        if closes is None:
            return set(out.splitlines())
        return {x.rstrip(b",") for x in out.splitlines() if not
                any(re.search(p, x.decode()) for p in closes)}

    def is_less(self, out):
        """Do all lines that differ say that less of an archive was read?"""
        mine, other = self.out.splitlines(), out.splitlines()
        words = (b"cannot be opened", b"at least", b'"unopened"', b'"partial"')
        return ("opens" in self.spec and len(mine) == len(other) and
                all(a == b or any(w in b for w in words)
                    for a, b in zip(mine, other)))

    def damage(self):
        """What is wrong with the store after exit 4 and after a retry."""
        try:
            # it takes ten times what a run takes; there may be no store yet
            if self.runs % 16 == 0 and (self.database is not None or
                                        "ctx.db" in os.listdir(self.dir)):
                self.sh(self.spec["whole"], self.dir)
            for name in os.listdir(self.dir):
                if name.endswith(".db"):
                    db = sqlite3.connect(os.path.join(self.dir, name))
                    said = db.execute("PRAGMA integrity_check").fetchone()
                    db.close()
                    if said != ("ok",):
                        return "exit 4, damaged: %s" % said
        except (RuntimeError, sqlite3.Error) as e:
            return "exit 4, damaged: %s" % str(e).splitlines()[0]
        code, _, _ = self.run(0, 0)
        return "exit 4, and again" if code == 4 or code < 0 else None

    def one(self, at, all_after):
        self.fresh()
        code, _, failed = self.run(at, all_after)
        if failed == 0:
            return
        self.runs += 1
        wrong = self.verdict(code)
        if wrong is not None:
            self.wrong.append((at, all_after, wrong))

    def all(self, step, salt):
        count = self.first()
        if count == 0:
            raise RuntimeError("%s: nothing seen that can fail" % self.name)
        for at in range(1 + salt % step, count + 1, step):
            self.one(at, 0)
        # after the first hundred, failures of all later requests are alike
        last = count if step == 1 else min(count, 100)
        for at in range(1 + salt % step, last + 1, step):
            self.one(at, 1)

    def stack(self, at, all_after):
        """Our functions above the request that failed, innermost first."""
        self.fresh()
        trace = os.path.join(self.top, "trace")
        # in the sandbox, the trace could not be written
        env = dict(self.fault, FAILALLOC_TRACE=trace, CTX_SANDBOX="off",
                   FAILALLOC="%d%s" % (at, "+" if all_after else ""))
        with open(os.path.join(self.dir, "stdin"), "rb") as f:
            subprocess.run(self.argv, cwd=self.dir, env=env, stdin=f,
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False, timeout=120)
        if not os.path.exists(trace):
            return "not seen again"
        text = read(trace).decode()
        ours = re.findall(re.escape(self.argv[0]) + r"\(\+(0x[0-9a-f]+)\)",
                          text)
        if not ours:
            ours = re.findall(r"\(\+(0x[0-9a-f]+)\)", text)
        lines = subprocess.run(
            ["addr2line", "-fs", "-e", self.argv[0]] +
            [hex(int(a, 16) - 1) for a in ours],
            stdout=subprocess.PIPE, check=False).stdout.decode().split()
        return " < ".join("%s %s" % (lines[i], lines[i + 1])
                          for i in range(0, min(len(lines), 16), 2))


def commands(build):
    """All commands, with each command of ctx-store separately."""
    names = [n for n in os.listdir(build) if n.startswith("ctx-") and
             os.access(os.path.join(build, n), os.X_OK)]
    for name in sorted(names):
        if name != "ctx-store":
            yield name
    lines = subprocess.run([os.path.join(build, "ctx-store"), "--help=options"],
                           stdout=subprocess.PIPE, check=True)
    for line in lines.stdout.decode().splitlines():
        field = line.split("\t")
        if field[0] == "command":
            yield "ctx-store " + field[1]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-b", dest="build", default=os.path.join(ROOT, "build"))
    p.add_argument("-j", dest="jobs", type=int, default=2)
    p.add_argument("-c", dest="cases", type=int, default=1)
    p.add_argument("-s", dest="step", type=int, default=1)
    p.add_argument("-l", dest="lib", required=True, help="failalloc.so, or faildb.so")
    p.add_argument("-v", dest="verbose", action="store_true")
    p.add_argument("-x", dest="without", default="", metavar="WORD",
                   help="leave out the cases with WORD in their names")
    p.add_argument("name", nargs="*")
    args = p.parse_args()
    args.build = os.path.abspath(args.build)
    from alloc_cases import cases
    todo = [c for c in cases() if not args.name or
            any((c["name"] + "$").startswith(n) for n in args.name)][::args.cases]
    todo = [c for c in todo if not args.without or
            args.without not in c["name"]]
    wrong = total = 0
    # a sample does without a server, unless it is asked for
    if args.step > 1 and not args.name or not POSTGRESQL.exists() or not (
            os.path.exists(os.path.join(args.build, "libexec/ctx-store-pg"))):
        todo = [c for c in todo if "database" not in c]
    lock = threading.Lock()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    sums = {}

    def work(i, spec):
        nonlocal wrong, total
        lines = []
        with tempfile.TemporaryDirectory(dir=memory) as top:
            case = Case(spec, args, os.path.abspath(args.lib), top)
            try:
                case.all(args.step, i)
            finally:
                case.end()
            seen = {}
            for at, all_after, what in case.wrong:
                seen.setdefault(what, []).append((at, all_after))
            for what, where in seen.items():
                lines.append("%s: %s, %d times" % (case.name, what,
                                                   len(where)))
                stacks = {}
                for at, all_after in where[:None if args.verbose else 5]:
                    stacks.setdefault(case.stack(at, all_after), []).append(
                        "%d%s" % (at, "+" if all_after else ""))
                for s, n in stacks.items():
                    lines.append("    %s: %s" % (" ".join(n[:6]), s))
        with lock:
            print("%-40s %6d failures, %d wrong" % (
                case.name, case.runs, len(case.wrong)), flush=True)
            for line in lines:
                print(line, flush=True)
            total += case.runs
            wrong += len(case.wrong)
            s = sums.setdefault(case.name.split(":")[0], [0, {}])
            s[0] += case.runs
            for what, where in seen.items():
                s[1][what] = s[1].get(what, 0) + len(where)

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(work, i, c) for i, c in enumerate(todo)]
        broken = [j.exception() for j in jobs if j.exception() is not None]
    for e in broken:
        print("broken: %r" % e)
    if not args.name:
        known = {c["name"].split(":")[0] for c in cases()}
        for c in commands(args.build):
            if c not in known:
                print("no case for: %s" % c)
                broken.append(c)
    print()
    for name, (runs, whats) in sorted(sums.items()):
        print("%-28s %6d failures: %s" % (name, runs, "; ".join(
            "%s %d" % x for x in sorted(whats.items())) or "all well"))
    print("%d failures, %d ended wrongly" % (total, wrong))
    sys.exit(1 if wrong or broken else 0)


if __name__ == "__main__":
    main()
