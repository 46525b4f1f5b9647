// SPDX-License-Identifier: MIT
// What npm tiktoken says of the strings on stdin (each behind its length, 4
// bytes): a line for 25 strings, COUNT:HASH for cl100k_base and for o200k_base.
//
//	build/unit/test_token_ref --strings | node ref.mjs NODE_MODULES
//
// NODE_MODULES has tiktoken.  HASH is FNV-1a of all ids, an id at a time.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const modules = resolve(process.argv[2] ?? 'node_modules');
const require = createRequire(`${modules}/x`);
const { get_encoding: getEncoding } = require('tiktoken');
const encodings = ['cl100k_base', 'o200k_base'].map((n) => getEncoding(n));
const { version } = JSON.parse(
    readFileSync(`${modules}/tiktoken/package.json`));

const group = 25;
const input = readFileSync(0);
const out = [`# npm tiktoken ${version}, cl100k_base and o200k_base`];
let row = [];
let strings = 0;
for (let at = 0; at < input.length;) {
	const end = at + 4 + input.readUInt32LE(at);
	const text = input.toString('utf8', at + 4, end);
	if (strings % group === 0)
		row = encodings.map(() => ({ n: 0, hash: 2166136261 }));
	encodings.forEach((encoding, k) => {
		const ids = encoding.encode_ordinary(text);
		row[k].n += ids.length;
		for (const id of ids)
			row[k].hash =
			    Math.imul(row[k].hash ^ id, 16777619) >>> 0;
	});
	strings++;
	if (strings % group === 0)
		out.push(row.map((r) => `${r.n}:${r.hash.toString(16)}`)
		    .join(' '));
	at = end;
}
process.stdout.write(`${out.join('\n')}\n`);
