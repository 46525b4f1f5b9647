#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is FILE an SPDX document by what version 2.3 requires of one in JSON?

usage: spdx.py FILE

Prints a line for each fault and exits with 1 if there is one.  The clauses are those
of the specification: 6 (document), 7 (packages), 11 (relationships).  If
CTX_SPDX_SCHEMA names its JSON schema, the document is also checked against that.
"""
import json
import os
import re
import sys

IDENT = re.compile(r"SPDXRef-[A-Za-z0-9.-]+")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
CREATOR = re.compile(r"(Person|Organization|Tool): \S.*")
URI = re.compile(r"[a-z][a-z0-9+.-]*://[^\s#]+")
LICENSE = re.compile(r"NOASSERTION|NONE|"
                     r"[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*")
HEX = {"SHA1": 40, "SHA256": 64, "SHA512": 128}
RELATIONS = {"DESCRIBES", "CONTAINS", "GENERATED_FROM", "STATIC_LINK",
             "DYNAMIC_LINK", "DATA_FILE_OF"}
PURPOSES = {"APPLICATION", "FRAMEWORK", "LIBRARY", "CONTAINER", "ARCHIVE",
            "OPERATING_SYSTEM", "DEVICE", "FIRMWARE", "SOURCE", "FILE", "INSTALL",
            "OTHER"}


def like(pattern, value):
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def document(d):
    made = d.get("creationInfo", {})
    if d.get("spdxVersion") != "SPDX-2.3":
        yield "6.1: spdxVersion is not SPDX-2.3"
    if d.get("dataLicense") != "CC0-1.0":
        yield "6.2: dataLicense is not CC0-1.0"
    if d.get("SPDXID") != "SPDXRef-DOCUMENT":
        yield "6.3: SPDXID is not SPDXRef-DOCUMENT"
    if not d.get("name"):
        yield "6.4: no name"
    if not like(URI, d.get("documentNamespace")):
        yield "6.5: documentNamespace is not a URI without a fragment"
    if not made.get("creators") or \
            not all(like(CREATOR, c) for c in made["creators"]):
        yield "6.8: no creators, or one that is not Person, Organization or Tool"
    if not like(TIME, made.get("created")):
        yield "6.9: created is not a time in UTC"


def package(p):
    if not p.get("name"):
        yield "7.1: no name"
    if not like(IDENT, p.get("SPDXID")):
        yield "7.2: bad SPDXID"
    if not p.get("downloadLocation"):
        yield "7.7: no downloadLocation"
    if p.get("filesAnalyzed") is not False:
        yield "7.8, 7.9: files are analyzed, but there is no verification code"
    for c in p.get("checksums", []):
        if not re.fullmatch("[0-9a-f]{%d}" % HEX.get(c.get("algorithm"), 0),
                            c.get("checksumValue", "")):
            yield "7.10: bad checksum"
    for clause, member in (("13", "licenseConcluded"), ("15", "licenseDeclared")):
        if member in p and not like(LICENSE, p[member]):
            yield "7.%s: %s is no license expression" % (clause, member)
    if p.get("primaryPackagePurpose", "OTHER") not in PURPOSES:
        yield "7.24: unknown primaryPackagePurpose"


def relationships(d, known):
    described = 0
    for r in d.get("relationships", []):
        for end in ("spdxElementId", "relatedSpdxElement"):
            if r.get(end) not in known:
                yield "11.1: %s is not in the document" % r.get(end)
        if r.get("relationshipType") not in RELATIONS:
            yield "11.1: unknown relationshipType"
        described += r.get("relationshipType") == "DESCRIBES"
    if not described:
        yield "11.1: the document describes nothing"


def faults(d):
    yield from document(d)
    known = ["SPDXRef-DOCUMENT"]
    for p in d.get("packages", []):
        for fault in package(p):
            yield "%s: %s" % (p.get("SPDXID"), fault)
        if p.get("SPDXID") in known:
            yield "7.2: %s is there twice" % p["SPDXID"]
        known.append(p.get("SPDXID"))
    yield from relationships(d, known)
    if os.environ.get("CTX_SPDX_SCHEMA"):
        import jsonschema
        with open(os.environ["CTX_SPDX_SCHEMA"], encoding="utf-8") as f:
            schema = jsonschema.Draft7Validator(json.load(f))
        for e in schema.iter_errors(d):
            yield "schema: %s: %s" % ("/".join(map(str, e.path)), e.message)


if len(sys.argv) != 2:
    sys.exit(__doc__)
with open(sys.argv[1], encoding="utf-8") as f:
    found = list(faults(json.load(f)))
print("\n".join(found) or "valid")
sys.exit(bool(found))
