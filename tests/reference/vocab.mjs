// SPDX-License-Identifier: MIT
// What npm tiktoken, the maker's own code, makes of strings with the vocabulary
// in a tekken.json, or in a rank file with a split pattern.
//
//	node vocab.mjs NODE_MODULES FILE [PATTERN] <strings
//
// Strings are UTF-8, each behind its length (4 bytes, the lowest first), as
// test_token_ref --strings writes them.  Writes a line for each: the hash
// (FNV-1a) of what its ids decode to, and the ids, as test_token_hf does.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [modules, file, pattern] = process.argv.slice(2);
const { Tiktoken } = createRequire(`${resolve(modules)}/x.js`)('tiktoken');

let text = readFileSync(file, 'utf8'), first = 0, split = pattern;
if (text.startsWith('{')) {
	const { vocab, config } = JSON.parse(text);
	first = config.default_num_special_tokens;
	split = config.pattern;
	text = vocab.slice(0, config.default_vocab_size - first)
	    .map((t) => `${t.token_bytes} ${t.rank}`).join('\n');
}
// The library has a format of its own: an offset, and the tokens from it on.
const ranks = text.trim().split('\n').map((line) => {
	const [bytes, rank] = line.split(' ');
	return `! ${rank} ${bytes}`;
}).join('\n');
const encoding = new Tiktoken(ranks, {}, split);

function hash(bytes) {
	let h = 2166136261;
	for (const b of bytes)
		h = Math.imul(h ^ b, 16777619) >>> 0;
	return h.toString(16);
}

const input = readFileSync(0), rows = [];
for (let at = 0; at < input.length;) {
	const n = input.readUInt32LE(at);
	const ids = encoding.encode(input.toString('utf8', at + 4, at + 4 + n),
	    [], []);
	at += 4 + n;
	rows.push(`${[hash(encoding.decode(ids)),
	    ...[...ids].map((id) => id + first)].join(' ')}\n`);
}
process.stdout.write(rows.join(''));
