#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is what `ctx-store load -t N` leaves out of a log of no use to a cut?

    recent.py BUILD SEED N HOW [DIALECT...]

makes N logs of each dialect, each of many random histories one after the other
(tests/histories.py; HOW as there), and cuts each of them to several limits, as it
is and after other filters: from the whole log, and from what load writes for that
limit.  The bytes must be the same.  Prints how many cuts were compared, and of how
many of them the log was read in part.  SHARE=N in the environment makes every Nth
of the cuts, of each log others.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import json                                                     # noqa: E402
from histories import LISTS, histories                          # noqa: E402

SHARE = int(os.environ.get("SHARE", "1"))
FILTERS = [[], [["ctx-clean"]], [["ctx-digest-files"], ["ctx-clean"]]]
CUTS = [(["-t", "60"],) * 2, (["-t", "400"],) * 2,
        (["-t", "400"], ["-t", "400", "--partial"]),
        (["-t", "800"], ["-t", "800", "--priority", "results"]),
        (["-t", "500"], ["-t", "500", "--start-on", "user"]),
        (["-t", "2000", "-m", "gpt-4o"],) * 2,
        (["-t", "1500", "-m", "claude-sonnet-4-5"],) * 2,
        (["--messages", "1"], ["-n", "1"]),
        (["--messages", "9"], ["-n", "9"]),
        (["--messages", "9"], ["-n", "9", "--edge", "drop"]),
        (["--messages", "40"], ["-n", "40", "--start-on", "user"])]


def run(data, command):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def cut(data, filters, how):
    for f in filters:
        data = run(data, f)
    return run(data, ["ctx-truncate", *how])


def log_of(dialect, seed, how):
    records = [m for h in histories(dialect, seed, 60, how) for m in h]
    return "".join(json.dumps(m, ensure_ascii=False) + "\n"
                   for m in records).encode()


def check(dialect, seed, how, sums):
    """Compare the cuts of a log; returns the first that differs, or None."""
    log = log_of(dialect, seed, how)
    run(log, ["ctx-store", "append", "--on-conflict", "new", dialect])
    whole = run(b"", ["ctx-store", "load", dialect])
    for load, truncate in CUTS[sums[2] % SHARE::SHARE]:
        part = run(b"", ["ctx-store", "load", dialect, *load])
        sums[1] += len(part) < len(whole)
        # with any damage, a filter takes out what other records stayed with
        for filters in FILTERS[:1 if how == "any" else None]:
            sums[0] += 1
            if cut(part, filters, truncate) != cut(whole, filters, truncate):
                return f"{dialect}, seed {seed}, {how}: load " \
                    f"{' '.join(load)}, {filters}, {' '.join(truncate)}"
    return None


def main():
    build, seed, n, how, *dialects = sys.argv[1:]
    os.environ["PATH"] = build + ":" + os.environ["PATH"]
    sums, wrong = [0, 0, 0], 0
    for dialect in dialects or LISTS:
        for i in range(int(n)):
            with tempfile.TemporaryDirectory() as t:
                os.environ["CTX_DB"] = t + "/db"
                what = check(dialect, f"{seed}-{i}", how, sums)
            sums[2] += 1
            if what:
                print(what)
                wrong = 1
    print(f"{sums[0]} cuts, {sums[1]} logs in part")
    sys.exit(wrong)


main()
