// SPDX-License-Identifier: MIT
// What npm tiktoken says of the strings on stdin (each behind its length, 4
// bytes): a line a string, COUNT:HASH for cl100k_base and for o200k_base.
//
//	build/unit/test_token_ref --strings | node ref.mjs NODE_MODULES
//
// NODE_MODULES has tiktoken.  HASH is FNV-1a, an id at a time.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const modules = resolve(process.argv[2] ?? 'node_modules');
const require = createRequire(`${modules}/x`);
const { get_encoding: getEncoding } = require('tiktoken');
const encodings = ['cl100k_base', 'o200k_base'].map((n) => getEncoding(n));
const { version } = JSON.parse(
    readFileSync(`${modules}/tiktoken/package.json`));

const input = readFileSync(0);
const out = [`# npm tiktoken ${version}, cl100k_base and o200k_base`];
for (let at = 0; at < input.length;) {
	const end = at + 4 + input.readUInt32LE(at);
	const text = input.toString('utf8', at + 4, end);
	out.push(encodings.map((encoding) => {
		const ids = encoding.encode_ordinary(text);
		let hash = 2166136261;
		for (const id of ids)
			hash = Math.imul(hash ^ id, 16777619) >>> 0;
		return `${ids.length}:${hash.toString(16)}`;
	}).join(' '));
	at = end;
}
process.stdout.write(`${out.join('\n')}\n`);
