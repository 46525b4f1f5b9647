#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the names in lib and cmd with CONTRIBUTING.md, "Names".

	names.py headers	names that two headers of lib define
	names.py globals BUILD	globals of the objects there that are in no header
				of their module, lack its prefix, or are used by no
				other object (those of lib/api/ctx.h are for other
				programs)

Prints a line for each name found, and a last line with the number examined.
"""
import collections
import glob
import os
import re
import subprocess
import sys

# Globals that no other object uses, and why they exist.
FORCE = "tests take each path of the machine in turn"
ALONE = "a part of what the module does that tests ask by itself"
ANSWER = "what is made of an answer, for tests and fuzzing without a network"
KEPT = {
    "ctx_ask_read": ANSWER,
    "ctx_ask_read_stream": ANSWER,
    "ctx_cpu_force": FORCE,
    "ctx_cpu_name": FORCE,
    "ctx_crc32c_portable": FORCE,
    "ctx_crew_divide": ALONE,
    "ctx_digest_size": ALONE,
    "ctx_embed_read": ANSWER,
    "ctx_embedder_ask": ALONE,
    "ctx_refs_add": ALONE,
    "ctx_refs_find": ALONE,
    "ctx_sha256_force": FORCE,
    "ctx_sha256_path": FORCE,
    "ctx_vector_dot": ALONE,
}

DEF = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*\{")


def read(path):
    """The text without comments, strings and C++, lines joined at a backslash."""
    with open(path, encoding="utf-8") as f:
        text = f.read().replace("\\\n", " ")
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif", "", text, flags=re.S)
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)


def matching(text, i):
    """The position where the brace at i is closed."""
    depth = 0
    for i in range(i, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text)


def enumerators(text):
    for m in re.finditer(r"\benum\s*\w*\s*\{(.*?)\}", text, re.S):
        for word in m.group(1).split(","):
            if word.strip():
                yield word.split("=")[0].strip()


def declared(text):
    """Functions, variables and types in the ordinary name space."""
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    while "{" in text:
        i = text.index("{")
        body = re.match(r"[^;]*\)\s*$", text[:i][text[:i].rfind(";") + 1:])
        text = text[:i] + (";" if body else " ") + text[matching(text, i) + 1:]
    for s in re.sub(r"\b(?:CTX_CHECKED|__attribute__\s*\(\(.*?\)\))", "",
                    text, flags=re.S).split(";"):
        s = re.sub(r"=.*", "", s, flags=re.S)
        m = re.search(r"(\w+)\s*\(", s)
        if m:
            yield m.group(1)
        elif not re.fullmatch(r"\s*(?:struct|union|enum)\s+\w+\s*", s):
            yield from re.findall(r"(\w+)\s*(?:\[[^]]*\]\s*)*(?=,|$)",
                                  s.strip())


class Header:
    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as f:
            head = f.read().split("*/\n#", 1)[0]
        text = read(path)
        self.tags = set(DEF.findall(text))
        self.macros = set(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M))
        self.names = set(declared(text))
        self.others = set(enumerators(text))
        m = re.search(r"^ \* Names: (.*?)\.$", head, re.M | re.S)
        self.prefixes = re.findall(r"ctx_\w+", m.group(1)) if m else []

    def all(self):
        return self.tags | self.macros | self.names | self.others


def headers():
    return {h: Header(h) for h in glob.glob("lib/**/*.h", recursive=True)}


def is_struct_and_getter(name, where, known):
    """Are both in one module?  C distinguishes them, and so does a reader."""
    return len({module(h, known) for h in where}) == 1 and \
        sum(name in known[h].tags for h in where) == 1 and \
        sum(name in known[h].names for h in where) == 1


def check_headers():
    known = headers()
    at = collections.defaultdict(set)
    for h in known.values():
        for name in h.all():
            at[name].add(h.path)
    for name, where in sorted(at.items()):
        if len(where) > 1 and not is_struct_and_getter(name, where, known):
            print(f"{name}: {', '.join(sorted(where))}")
    return f"{len(at)} names in headers"


def module(source, known):
    """
    The header of a source in the same folder: NAME.h for NAME.c or NAME_PART.c
    or, if there is none, the first one that it includes.
    """
    folder, stem = os.path.split(os.path.splitext(source)[0])
    while stem:
        if f"{folder}/{stem}.h" in known:
            break
        stem = stem.rpartition("_")[0]
    if not stem:
        with open(source, encoding="utf-8") as f:
            m = re.search(r'^#include "(.*?)\.h"', f.read(), re.M)
        if m and os.path.dirname("lib/" + m.group(1)) == folder:
            return module("lib/" + m.group(1), known)
        return source
    # NAME_PART.h is a part of NAME.h
    while (up := stem.rpartition("_")[0]) and f"{folder}/{up}.h" in known:
        stem = up
    return f"{folder}/{stem}"


def forms(name):
    """The word in the plural and in the singular."""
    return {f"ctx_{name}s", f"ctx_{name.removesuffix('s')}"}


def has(name, prefix):
    return name == prefix or name.startswith(prefix.rstrip("_") + "_")


def listed(objects):
    """For each global symbol in the objects: the object, its name and kind."""
    if not objects:
        return
    out = subprocess.run(["nm", "-A", "-g", "-P"] + objects, check=True,
                         capture_output=True, text=True).stdout
    for line in out.splitlines():
        o, _, symbol = line.rpartition(": ")
        name, kind = symbol.split()[:2]
        yield o, name.removeprefix("_") if sys.platform == "darwin" else \
            name, kind


def symbols(build):
    """For each object, what it defines for others and what it uses of them."""
    source = {}
    for o in glob.glob(f"{build}/lib/**/*.o", recursive=True) + \
            glob.glob(f"{build}/cmd/**/*.o", recursive=True):
        c = os.path.relpath(o, build)[:-2] + ".c"
        if os.path.exists(c):
            source[o] = c
    defines = {c: set() for c in source.values()}
    uses = collections.defaultdict(set)
    for o, name, kind in listed(list(source)):
        if kind == "U":
            uses[name].add(source[o])
        elif kind in "TDRBC" and not name.startswith("_"):
            defines[source[o]].add(name)
    # lib/store is compiled again for ctx-store-pg, with lib/pg
    for o, name, kind in listed(glob.glob(f"{build}/pg/lib/pg/*.o")):
        if kind == "U":
            uses[name].add(o)
    return defines, uses


def check_globals(build):
    known = headers()
    public = set()
    if "lib/api/ctx.h" in known:
        public = known["lib/api/ctx.h"].names
    defines, uses = symbols(build)
    parts = collections.defaultdict(list)
    for h in known.values():
        parts[module(h.path, known)].append(h)
    with_globals = {module(s, known) for s in defines if defines[s]}
    parts = {m: parts[m] for m in parts if m in with_globals}
    owner = {}

    def claim(m, prefix):
        if owner.setdefault(prefix, m) != m:
            print(f"{prefix}_: belongs to {owner[prefix]} and to {m}")

    for m in sorted(parts):
        claim(m, "ctx_" + os.path.basename(m))
        for h in parts[m]:
            for p in h.prefixes:
                claim(m, p.rstrip("_"))
    for m in sorted(parts):
        for p in forms(os.path.basename(m)):
            owner.setdefault(p, m)
    n = 0
    for source, names in sorted(defines.items()):
        for name in sorted(names - {"main"}):
            n += 1
            if not uses[name] - {source} and name not in KEPT and \
                    name not in public:
                print(f"{source}: {name}: no other object uses it")
            if not source.startswith("lib/"):
                continue
            m = module(source, known)
            where = [h.path for h in known.values() if name in h.names]
            if len(where) != 1 or module(where[0], known) != m:
                print(f"{source}: {name}: is in {where}, not in {m}.h")
            mine = [p for p in owner if has(name, p)]
            if not mine or owner[max(mine, key=len)] != m:
                print(f"{source}: {name}: {m}.h has no such prefix")
    for name in KEPT:
        if uses[name] or not any(name in d for d in defines.values()):
            print(f"{name}: is no longer an exception")
    return f"{n} globals in {len(defines)} objects"


def main():
    if sys.argv[1:2] == ["headers"]:
        print(check_headers())
    else:
        print(check_globals(sys.argv[2]))


main()
