#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check JSON lines against a schema in tests/data/schemas.

	schema.py SCHEMA [FILE]

SCHEMA is the schema's name without ".json".  Without FILE, standard input is
read.  Prints every error.  Exits with 0 if there is at least one line and all
lines are valid, otherwise with 1.
"""
import json
import os
import sys

import jsonschema


def main():
	here = os.path.dirname(os.path.abspath(__file__))
	path = os.path.join(here, "data", "schemas", sys.argv[1] + ".json")
	with open(path, encoding="utf-8") as f:
		schema = json.load(f)
	jsonschema.Draft202012Validator.check_schema(schema)
	valid = jsonschema.Draft202012Validator(schema)
	lines = faults = 0
	with open(sys.argv[2] if len(sys.argv) > 2 else 0,
	    encoding="utf-8") as f:
		for text in f:
			lines += 1
			for e in valid.iter_errors(json.loads(text)):
				print(f"{sys.argv[1]}: line {lines}: {e.message}")
				faults += 1
	if lines == 0:
		print(f"{sys.argv[1]}: there are no lines")
	return 1 if faults > 0 or lines == 0 else 0


sys.exit(main())
