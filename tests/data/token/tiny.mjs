// SPDX-License-Identifier: MIT
// Writes tiny tokenizers of the kinds that hf.c reads: tiny-NAME.json.
//
//	node tiny.mjs FOLDER
//
// Their merges come from counting pairs in languages.txt, beside this script.
import { readFileSync, writeFileSync } from 'node:fs';

const MERGES = 260;
const here = new URL('.', import.meta.url);
const lines = readFileSync(new URL('languages.txt', here), 'utf8')
    .trim().split('\n').map((line) => line.slice(line.indexOf('\t') + 1));

// The characters that bytes are spelled with.
const byteChars = [];
for (let c = 0, next = 0x100; c < 256; c++)
	byteChars.push(String.fromCodePoint((c >= 0x21 && c <= 0x7e) ||
	    (c >= 0xa1 && c <= 0xac) || c >= 0xae ? c : next++));

const spellBytes = (text) => [...Buffer.from(text)].map((b) => byteChars[b]);
const spellChars = (text) => [...text.replaceAll(' ', '▁')];

// The most frequent pair again and again, in words and the space before them.
function train(spell, vocab) {
	const words = new Map(), merges = [];
	for (const line of lines)
		for (const word of line.match(/ ?[^ ]+|  +/g) ?? [])
			words.set(word, (words.get(word) ?? 0) + 1);
	const rows = [...words].map(([word, n]) => ({ n, t: spell(word) }));
	while (merges.length < MERGES) {
		const pairs = new Map();
		for (const { n, t } of rows)
			for (let i = 1; i < t.length; i++) {
				const key = `${t[i - 1]} ${t[i]}`;
				pairs.set(key, (pairs.get(key) ?? 0) + n);
			}
		const [best] = [...pairs].sort((a, b) => b[1] - a[1] ||
		    (a[0] < b[0] ? -1 : 1))[0];
		const [left, right] = best.split(' ');
		merges.push([left, right]);
		vocab.set(left + right, vocab.size);
		for (const { t } of rows)
			for (let i = 1; i < t.length; i++)
				if (t[i - 1] === left && t[i] === right)
					t.splice(i - 1, 2, left + right);
	}
	// Runs of spaces and of what text is often ruled with.
	for (const c of spell(' -').slice(0, 2))
		for (let n = 1; n < 8; n *= 2) {
			merges.push([c.repeat(n), c.repeat(n)]);
			if (!vocab.has(c.repeat(2 * n)))
				vocab.set(c.repeat(2 * n), vocab.size);
		}
	return merges;
}

const token = (id, content, more) => ({ id, content, single_word: false,
	lstrip: false, rstrip: false, normalized: false, special: true, ...more });

function added(vocab) {
	const list = ['<unk>', '<s>', '</s>'].map((text, id) =>
	    token(id, text));
	const more = [['\n\n', { special: false }],
	    ['\n\n\n', { special: false }],
	    ['▁▁▁', { special: false }],
	    ['<normal>', { normalized: true, special: false }],
	    ['<left>', { lstrip: true }], ['<right>', { rstrip: true }],
	    ['<both>', { lstrip: true, rstrip: true, special: false }],
	    ['word', { single_word: true, special: false }]];
	let id = vocab.size;
	for (const [text, flags] of more)
		list.push(token(vocab.get(text) ?? id++, text, flags));
	return list;
}

function write(name, vocab, merges, steps, model = {}) {
	writeFileSync(`${process.argv[2]}/tiny-${name}.json`,
	    `${JSON.stringify({ version: '1.0', truncation: null,
		padding: null, added_tokens: added(vocab), normalizer: null,
		pre_tokenizer: null, post_processor: null, decoder: null,
		...steps, model: { type: 'BPE', dropout: null,
		    unk_token: null, continuing_subword_prefix: null,
		    end_of_word_suffix: null, fuse_unk: false,
		    byte_fallback: false, ...model,
		    vocab: Object.fromEntries(vocab), merges } })}\n`);
}

const special = new Map([['<unk>', 0], ['<s>', 1], ['</s>', 2]]);
const chars = new Map(special);
for (let b = 0; b < 256; b++)
	chars.set(`<0x${b.toString(16).toUpperCase().padStart(2, '0')}>`,
	    chars.size);
const common = new Map();
for (const c of spellChars(lines.join('')))
	common.set(c, (common.get(c) ?? 0) + 1);
for (const [c, n] of common)
	if (n > 12)
		chars.set(c, chars.size);
// The characters of all merges are there, as they are frequent.
const charMerges = train(spellChars, chars)
    .filter(([a, b]) => chars.has(a) && chars.has(b));
const piece = { unk_token: '<unk>', fuse_unk: true, byte_fallback: true };
const marks = { type: 'Replace', pattern: { String: ' ' }, content: '▁' };
const spaces = [{ type: 'Replace', pattern: { String: '▁' }, content: ' ' },
    { type: 'ByteFallback' }, { type: 'Fuse' }];
write('llama', chars, charMerges, {
	normalizer: { type: 'Sequence',
	    normalizers: [{ type: 'Prepend', prepend: '▁' }, marks] },
	decoder: { type: 'Sequence', decoders: [...spaces,
	    { type: 'Strip', content: ' ', start: 1, stop: 0 }] },
}, piece);
write('gemma', chars, charMerges, {
	normalizer: marks,
	pre_tokenizer: { type: 'Split', pattern: { String: ' ' },
	    behavior: 'MergedWithPrevious', invert: false },
	decoder: { type: 'Sequence', decoders: spaces },
}, piece);
for (const [name, scheme, split] of [['first', 'first', false],
    ['words', 'always', true]]) {
	const meta = { type: 'Metaspace', replacement: '▁',
	    prepend_scheme: scheme, split };
	write(name, chars, charMerges, {
		normalizer: { type: 'NFKC' },
		pre_tokenizer: meta,
		decoder: { type: 'Sequence', decoders: [{ type: 'ByteFallback' },
		    meta] },
	}, piece);
}

const bytes = new Map(special);
for (const c of byteChars)
	bytes.set(c, bytes.size);
const byteMerges = train(spellBytes, bytes);
const level = { type: 'ByteLevel', add_prefix_space: false,
	trim_offsets: true, use_regex: true };
write('digits', bytes, byteMerges, {
	normalizer: { type: 'NFC' },
	pre_tokenizer: { type: 'Sequence', pretokenizers: [
	    { type: 'Digits', individual_digits: true }, level] },
	decoder: level,
}, { ignore_merges: true });
write('prefix', bytes, byteMerges, {
	normalizer: { type: 'NFD' },
	pre_tokenizer: { ...level, add_prefix_space: true },
	decoder: level,
});
write('whole', bytes, byteMerges, {
	pre_tokenizer: { ...level, use_regex: false },
	decoder: level,
});
