#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What comes back of a history that ctx-convert writes in another dialect?

    roundtrip.py CTX-CONVERT N [-t]

converts N sound random histories of each dialect to each other one and back, with
--report both times.  What does not come back must be named in one of the two
reports.  Prints each value of which that is not so, and with -t the share of the
values that come back as a table, in percent and rounded down: a row for each
dialect of the source, a column for the one between.  Metadata, what is empty and
copies, which no other dialect has, do not count there.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import histories                                                # noqa: E402
import ledger                                                   # noqa: E402


def convert(program, source, to, name):
    """Convert a file; the new one, and the values that are named or aside."""
    out = os.path.join(os.path.dirname(source), "%s.%s" % (to, name))
    with open(out, "wb") as f:
        subprocess.run([program, "-q", "--from",
                        os.path.basename(source).partition(".")[0], "--to", to,
                        "--report", out + ".report", source], stdout=f,
                       check=True)
    before = ledger.Source(source)
    named, aside = collections.Counter(), collections.Counter()
    with open(out + ".report", encoding="utf-8") as f:
        for row in map(json.loads, f):
            if row["what"] not in ("carried", "made"):
                v = ledger.at(before.records[row["line"]], row["path"])
                named.update(ledger.leaves(v))
                if row.get("reason") in ("metadata", "empty", "copy"):
                    aside.update(ledger.leaves(v))
    return out, before, named, aside


def main():
    program, n = sys.argv[1], int(sys.argv[2])
    table, bad = {}, 0
    with tempfile.TemporaryDirectory() as tmp:
        for a in histories.LISTS:
            source = os.path.join(tmp, a + ".source")
            with open(source, "w", encoding="utf-8") as f:
                for i, h in enumerate(histories.histories(a, "trip", n)):
                    f.write(json.dumps(histories.wrap(a, "trip", i, h)) + "\n")
            for b in histories.LISTS:
                there, first, lost, aside = convert(program, source, b, "there")
                back, _, more, _ = convert(program, there, a, "back")
                gone = first.whole - ledger.Source(back).whole
                said = first.whole - aside
                came = said - (gone - aside)
                table[a, b] = 100 * sum(came.values()) // sum(said.values())
                for v, k in (gone - lost - more).items():
                    bad += 1
                    if bad <= 20:
                        print("%s by %s: %d of %.60r" % (a, b, k, v))
    if sys.argv[3:] == ["-t"]:
        print("| | " + " | ".join(histories.LISTS) + " |")
        print("|---|" + "---:|" * len(histories.LISTS))
        for a in histories.LISTS:
            print("| %s | " % a + " | ".join(
                "%d %%" % table[a, b] for b in histories.LISTS) + " |")
    else:
        print("%d pairs, %d values are not named" % (len(table), bad))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
