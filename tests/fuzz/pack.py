#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One file for many inputs of a fuzz target.

    pack.py choose PROGRAM BYTES FOLDER ... >PACKED
            of the inputs in folders those that reach the most code for their
            length, up to so many bytes; PROGRAM is the target with libFuzzer
    pack.py unpack PACKED FOLDER
            write the inputs into a folder

In the file each input is its length in decimal, a newline, its bytes and a
newline.
"""
import os
import re
import subprocess
import sys
import tempfile


def features_of(program, folders):
    """{input: set of the features that it has}, as libFuzzer finds them."""
    reached = {}
    with tempfile.TemporaryDirectory() as tmp:
        control = os.path.join(tmp, "control")
        os.mkdir(os.path.join(tmp, "out"))
        subprocess.run([program, "-set_cover_merge=1", "-timeout=20",
                        f"-merge_control_file={control}",
                        os.path.join(tmp, "out")] + folders,
                       stderr=subprocess.DEVNULL, check=True)
        with open(control, encoding="utf-8") as f:
            lines = f.read().splitlines()
        names = lines[2:2 + int(lines[0])]
        for line in lines[2 + len(names):]:
            found = re.match(r"FT (\d+)(.*)", line)
            if found:
                with open(names[int(found[1])], "rb") as f:
                    reached.setdefault(f.read(), set()).update(
                        map(int, found[2].split()))
    return reached


def choose(program, most, folders):
    reached, left = features_of(program, folders), most
    while reached:
        best = max(sorted(reached), key=lambda d: len(reached[d]) / (
            len(d) + 16))
        new = reached.pop(best)
        if not new:
            break
        if len(best) > left:
            continue
        left -= len(best)
        sys.stdout.buffer.write(b"%d\n%s\n" % (len(best), best))
        for d in reached:
            reached[d] -= new


def unpack(packed, folder):
    with open(packed, "rb") as f:
        n = 0
        while line := f.readline():
            data = f.read(int(line))
            if f.read(1) != b"\n":
                sys.exit(f"{packed}: not a packed file")
            with open(os.path.join(folder, f"packed-{n}"), "wb") as out:
                out.write(data)
            n += 1


if __name__ == "__main__":
    if sys.argv[1] == "choose":
        choose(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    else:
        unpack(sys.argv[2], sys.argv[3])
