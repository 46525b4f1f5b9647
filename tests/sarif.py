#!/usr/bin/env python3
"""Check a SARIF file by the facts of its specification, and print its results.

Usage: sarif.py FILE [SCHEMA]

Prints the name of the tool, a line "RULE LEVEL URI LINE:COLUMN" for each result,
and "successful" if its run was.  The numbers are those of sections of SARIF 2.1.0
(OASIS).  With the JSON schema of SARIF, the file must be valid by it, too.
"""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    log = json.load(file)

assert log["version"] == "2.1.0"                                   # 3.13.2
for run in log["runs"]:
    driver = run["tool"]["driver"]
    print(driver["name"])                                          # 3.19.8
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))                               # 3.49.3
    for rule in driver["rules"]:
        for name in ("shortDescription", "fullDescription", "help"):
            assert rule[name]["text"]                              # 3.12.3
    assert run["columnKind"] == "unicodeCodePoints"                # 3.14.17
    prints = set()
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]        # 3.27.6
        assert result["level"] in ("error", "warning", "note", "none")
        assert result["message"]["text"]                           # 3.11.8
        for key, value in result["partialFingerprints"].items():   # 3.27.17
            assert re.fullmatch(r"\w+/v\d+", key)
            assert value not in prints
            prints.add(value)
        uri, place = "-", "-"
        for location in result.get("locations", []):
            where = location["physicalLocation"]
            uri = where["artifactLocation"]["uri"]
            # a URI reference (3.4.3): no character that must be escaped
            assert re.fullmatch(r"(file://)?([\w.~/-]|%[0-9A-F]{2})+", uri,
                                re.ASCII)
            # relative to the root of the sources, or absolute (3.4.4)
            assert uri.startswith("file:///") != (
                where["artifactLocation"].get("uriBaseId") == "%SRCROOT%")
            region = where["region"]
            assert region["startLine"] >= 1                        # 3.30.5
            place = str(region["startLine"])
            if "startColumn" in region:
                assert region["startColumn"] >= 1                  # 3.30.6
                place += ":%d" % region["startColumn"]
        print(result["ruleId"], result["level"], uri, place)
    if all(i["executionSuccessful"] for i in run["invocations"]):  # 3.20.14
        print("successful")
if len(sys.argv) > 2:
    import jsonschema
    with open(sys.argv[2], encoding="utf-8") as file:
        jsonschema.validate(log, json.load(file))
