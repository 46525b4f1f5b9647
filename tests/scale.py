#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drive a filter as engines do: partitions of lines to its standard input.

    scale.py lines SEED FILE COMMAND...     conversation lines, in any order
    scale.py keys SEED FILE COMMAND...      message lines, told apart by "t"; the
                                            command is given --by

Some attempts are killed, before, in the middle and at the end of their input; some
partitions are processed twice, as by speculation.  Only the output of an attempt that
ended with 0 counts.  Together it must have what one process makes of each
conversation, once.  This prints how many attempts there were.
"""
import random
import re
import subprocess
import sys
import tempfile

import shards

# "n" is what ctx-count --annotate adds
KEY = re.compile(rb'\{(?:"n":\d+,)?\s*"t"\s*:\s*("(?:[^"\\]|\\.)*"|[^,{}\[\]]*)')


def key(line):
    found = KEY.match(line)
    return shards.respelled(found.group(1).strip().decode()) if found else b""


def attempt(r, command, lines, kill):
    """Returns the output, or None if the attempt failed."""
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out,
                             stderr=subprocess.DEVNULL)
        if kill:
            p.stdin.write(b"".join(lines[:r.randrange(len(lines) + 1)]))
            p.stdin.flush()
            if r.random() < 0.3:
                p.stdin.close()
            p.kill()
            p.wait()
            return None
        p.communicate(b"".join(lines))
        out.seek(0)
        return out.read() if p.returncode == 0 else None


def partitions(r, how, lines):
    n = r.randrange(2, 9)
    parts = [[] for _ in range(n)]
    if how == "lines":
        for line in lines:
            r.choice(parts).append(line)
        for p in parts:
            r.shuffle(p)
        return parts
    # the shuffle of an engine: by a hash of its own, then sorted by key and place
    order = {}
    for i, line in enumerate(lines):
        order.setdefault(key(line), []).append((i, line))
    for k in order:
        parts[sum(k) % n] += [(k, i, line) for i, line in order[k]]
    return [[line for _, _, line in sorted(p)] for p in parts]


def by_key(out):
    """The lines of each conversation, in order."""
    found = {}
    for line in out.splitlines(True):
        found.setdefault(key(line), []).append(line)
    return found


def main(how, seed, name, *command):
    r = random.Random(int(seed))
    command = list(command)
    if how == "keys":
        command += ["--by", "t"]
    with open(name, "rb") as f:
        lines = f.readlines()
    whole = attempt(r, command, lines, False)
    attempts, outs = 0, []
    parts = [p for p in partitions(r, how, lines) if p]
    for lines in parts:
        done = []
        while len(done) < (2 if r.random() < 0.3 else 1):
            attempts += 1
            out = attempt(r, command, lines, r.random() < 0.4)
            if out is not None:
                done.append(out)
        if len(set(done)) != 1:
            sys.exit("two attempts at one partition differ")
        outs.append(done[0])
    got = b"".join(outs)
    if how == "keys":
        same = by_key(got) == by_key(whole)
    else:
        same = sorted(got.splitlines(True)) == sorted(whole.splitlines(True))
    if not same or not whole:
        sys.exit("not what one process writes")
    print("%d partitions, %d attempts" % (len(parts), attempts))


if __name__ == "__main__":
    main(*sys.argv[1:])
