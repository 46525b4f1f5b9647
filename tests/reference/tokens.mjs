// SPDX-License-Identifier: MIT
// Count the tokens of texts and messages with npm tiktoken and npm
// gpt-tokenizer, which must agree, and without any code of ctx.  The counts
// that tests expect come from here.  The rows have the format of ctx-count, so
// that they can be compared:
//
//	npm install --prefix DIR tiktoken gpt-tokenizer
//	node tests/reference/tokens.mjs DIR/node_modules [OPTION ...] FILE ...
//
//	-e NAME		o200k_base (the default) or cl100k_base
//	--overhead N	tokens added for each message (default 4); with 0, a name
//			adds none
//	--per-message	a row for each message, with its line and role; the bytes
//			are those of the line
//	--text		the files are plain text; the second column is lines
//
// A message costs the overhead and the tokens of each of its texts: content,
// reasoning, names and arguments of calls, results, and the speaker's name,
// which costs 1 more.  An object of arguments is counted as JSON.stringify
// writes it.  Supported are lines of OpenAI chat and Anthropic messages,
// conversations of these ("messages"), and sessions of Claude Code, in which
// lines with the same message.id are one message even if results are between
// them.  Anything else in a message, such as an image, ends the run, because it
// must not be counted as nothing.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

function fail(...words) {
	console.error('tokens.mjs:', ...words);
	process.exit(1);
}

const [folder, ...args] = process.argv.slice(2);
const option = { e: 'o200k_base', overhead: 4 };
const files = [];
while (args.length > 0) {
	const arg = args.shift();
	if (arg === '-e')
		option.e = args.shift();
	else if (arg === '--overhead')
		option.overhead = Number(args.shift());
	else if (arg === '--per-message' || arg === '--text')
		option[arg.slice(2)] = true;
	else
		files.push(arg);
}
if (files.length === 0)
	fail('usage: tokens.mjs NODE_MODULES [OPTION ...] FILE ...');

const require = createRequire(`${resolve(folder)}/x`);
const first = require('tiktoken').get_encoding(option.e);
const second = require(`gpt-tokenizer/encoding/${option.e}`);
const plain = { disallowedSpecial: new Set() };

function tokens(text) {
	const a = first.encode_ordinary(text);
	const b = second.encode(text, plain);
	if (a.length !== b.length || a.some((id, i) => id !== b[i]))
		fail('the libraries do not agree on', JSON.stringify(text));
	return a.length;
}

// The texts in a content: a string, or a list of strings and blocks.
function* texts(content) {
	if (typeof content === 'string')
		yield content;
	else if (Array.isArray(content))
		for (const block of content)
			yield* typeof block === 'string' ? [block] :
			    textsOfBlock(block);
	else if (content !== null && content !== undefined)
		fail('unknown content', JSON.stringify(content));
}

function* textsOfBlock(block) {
	switch (block.type) {
	case 'text':
		yield block.text;
		break;
	case 'thinking':
		yield block.thinking;
		break;
	case 'tool_use':
		yield block.name;
		yield JSON.stringify(block.input);
		break;
	case 'tool_result':
		yield* texts(block.content);
		break;
	default:
		fail('unknown block', block.type);
	}
}

function* textsOfMessage(message) {
	yield* texts(message.content);
	yield* texts(message.reasoning_content);
	for (const call of message.tool_calls ?? []) {
		yield call.function.name;
		yield call.function.arguments;
	}
}

function count(message, joined) {
	let n = joined ? 0 : option.overhead;

	if (message.name !== undefined)
		n += tokens(message.name) + (n > 0 ? 1 : 0);
	for (const text of textsOfMessage(message))
		n += tokens(text);
	return n;
}

// The messages in a record; there are none in other records.
function messagesOf(record) {
	const inner = record.message;

	if (Array.isArray(record.messages)) {
		const system = record.system === undefined ? [] :
		    [{ role: 'system', content: record.system }];
		return [...system, ...record.messages];
	}
	if (typeof inner === 'object' && inner?.role !== undefined)
		return [inner];
	return typeof record.role === 'string' ? [record] : [];
}

function print(n, messages, bytes, name) {
	console.log(`${String(n).padStart(8)} ${String(messages).padStart(8)} ` +
	    `${String(bytes).padStart(10)} ${name}`);
}

function countText(raw) {
	return [tokens(raw.toString()),
	    raw.reduce((n, byte) => n + (byte === 10), 0)];
}

function countMessages(raw, name) {
	const lines = raw.toString().split('\n');
	const seen = new Set();
	let sum = 0, number = 0;

	lines.forEach((line, i) => {
		if (line.trim() === '')
			return;
		const record = JSON.parse(line);
		for (const message of messagesOf(record)) {
			const id = record.message?.id;
			const joined = seen.has(id);
			const n = count(message, joined);
			const end = i + 1 < lines.length ? 1 : 0;

			if (id !== undefined)
				seen.add(id);
			sum += n;
			number += joined ? 0 : 1;
			if (option['per-message'])
				print(n, joined ? 0 : 1,
				    Buffer.byteLength(line) + end,
				    `${name}:${i + 1} ${message.role}`);
		}
	});
	return [sum, number];
}

const total = [0, 0, 0];
for (const name of files) {
	const raw = readFileSync(name);
	const [n, units] = option.text ? countText(raw) :
	    countMessages(raw, name);
	if (!option['per-message'])
		print(n, units, raw.length, name);
	[n, units, raw.length].forEach((x, i) => { total[i] += x; });
}
if (files.length > 1 && !option['per-message'])
	print(...total, 'total');
