#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does each map account for all of a tree?

	map.py DIGESTS MAP...

DIGESTS is the output of ctx-digest-files -r --json for the same operands.  In each
map, the files that are listed and those that are said to be left out are all files,
and for each listed file with definitions, so are its signatures, names and the number
of those left out; no file is listed twice, and the order is that of paths.  Prints the
number of maps, and exits with 1 if one is wrong.
"""
import collections
import json
import re
import sys

LISTED = ("function", "class", "type")


def definitions(d):
    """The number of definitions; one in the same line counts once."""
    if d["kind"] != "code":
        return 0
    return len({(s["name"], s["line"]) for s in d.get("symbols", [])
                if s["kind"] in LISTED})


def read(text):
    """({path: definitions accounted for}, files left out)"""
    files, more, folder, path = collections.OrderedDict(), 0, "", None
    for line in text.splitlines():
        left = re.search(r"(?:^|[ /])… \+(\d+) files?$", line)
        margin = len(line) - len(line.lstrip(" "))
        if margin == 0 and left:
            more += int(left.group(1))
            folder = line[:left.start()]
            folder += "/" if folder and not folder.endswith("/") else ""
        elif margin == 0 and line.endswith("/"):
            folder = line
        elif margin == (1 if folder else 0):
            path = folder + re.split(r" \(", line.strip())[0]
            assert path not in files, f"{path} is listed twice"
            files[path] = 0
        elif rest := re.match(r" *(?:(.*), )?… \+(\d+)$", line):
            names = rest.group(1)
            files[path] += int(rest.group(2))
            files[path] += len(names.split(", ")) if names else 0
        else:
            files[path] += 1
            LAST[path] = line
    return files, more


LAST = {}


def key(path):
    folder, _, name = path.rpartition("/")
    return folder.split("/"), name


def check(text, want):
    files, more = read(text)
    assert len(files) + more == len(want), \
        f"{len(files)} + {more} files of {len(want)}"
    assert list(files) == sorted(files, key=key), "not in the order of paths"
    for path, n in files.items():
        assert path in want, f"{path} is no file"
        # the last line may be all names
        assert n == want[path] or n + LAST.get(path, "").count(", ") >= \
            want[path], f"{path}: {n} definitions of {want[path]}"


def main():
    want = {}
    with open(sys.argv[1], encoding="utf-8") as f:
        for line in f:
            d = json.loads(line)
            want[re.sub(r"^(\./)+", "", d["path"])] = definitions(d)
    wrong = 0
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as f:
            text = f.read()
        try:
            if text:
                check(text, want)
        except AssertionError as e:
            print(f"{name}: {e}")
            wrong = 1
    print(f"{len(sys.argv) - 2} maps")
    sys.exit(wrong)


main()
