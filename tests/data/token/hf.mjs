// SPDX-License-Identifier: MIT
// What Hugging Face's library makes of strings.
//
//	node hf.mjs NODE_MODULES TOKENIZER_JSON OUT [plain] <strings
//
// Strings are UTF-8, each behind its length (4 bytes, the lowest first).  Into
// every fourth of them, unless "plain" is said, some of the tokenizer's added
// tokens are put.  Writes OUT.strings, and OUT.ref: for each string a line of the hash (FNV-1a) of what
// its ids decode to, and the ids.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [modules, file, out, plain] = process.argv.slice(2);
const require = createRequire(`${resolve(modules)}/x.js`);
const { Tokenizer } = require('tokenizers');

const json = readFileSync(file, 'utf8');
const tokenizer = Tokenizer.fromString(json);
const added = JSON.parse(json).added_tokens.map((t) => t.content);

let state = 1;
const below = (n) => {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor(state / 4294967296 * n);
};

function mix(text) {
	const chars = [...text];
	for (let k = 1 + below(4); k > 0; k--) {
		const token = added[below(Math.min(added.length,
		    below(2) ? 40 : added.length))];
		chars.splice(below(chars.length + 1), 0,
		    [' ', '', '', '\n '][below(4)] + token.repeat(1 + below(2)) +
		    [' ', '', '', '  '][below(4)]);
	}
	return chars.join('');
}

function hash(bytes) {
	let h = 2166136261;
	for (const b of bytes)
		h = Math.imul(h ^ b, 16777619) >>> 0;
	return h.toString(16);
}

const input = readFileSync(0), strings = [], rows = [];
for (let at = 0, i = 0; at < input.length; i++) {
	const n = input.readUInt32LE(at), head = Buffer.alloc(4);
	let text = input.toString('utf8', at + 4, at + 4 + n);
	at += 4 + n;
	if (added.length > 0 && i % 4 === 3 && plain === undefined)
		text = mix(text);
	const bytes = Buffer.from(text);
	head.writeUInt32LE(bytes.length);
	strings.push(head, bytes);
	const encoding = await tokenizer.encode(text, null,
	    { addSpecialTokens: false });
	const ids = [...encoding.getIds()];
	const back = await tokenizer.decode(ids, false);
	rows.push(`${[hash(Buffer.from(back)), ...ids].join(' ')}\n`);
}
writeFileSync(`${out}.strings`, Buffer.concat(strings));
writeFileSync(`${out}.ref`, rows.join(''));
