// SPDX-License-Identifier: MIT
// Writes tokenizers of type Unigram, uni-NAME.json, with the pieces, the scores
// and the charsmap of the tiny SentencePiece models.
//
//	node unigram.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs';

// The fields of a message in protobuf: [number, value].
function* fields(bytes) {
	let at = 0;
	const varint = () => {
		let n = 0n, shift = 0n, c;
		do {
			c = bytes[at++];
			n |= BigInt(c & 127) << shift;
			shift += 7n;
		} while (c > 127);
		return Number(n);
	};
	while (at < bytes.length) {
		const key = varint();
		let value;
		if ((key & 7) === 0)
			value = varint();
		else {
			const len = (key & 7) === 2 ? varint() : 4;
			value = bytes.subarray(at, at + len);
			at += len;
		}
		yield [key >> 3, value];
	}
}

function read(name) {
	const file = readFileSync(new URL(`pieces-${name}.model`,
	    import.meta.url));
	const pieces = [];
	let map = '';
	for (const [number, value] of fields(file)) {
		if (number === 1) {
			const piece = { score: 0, type: 1 };
			for (const [n, v] of fields(value))
				if (n === 1)
					piece.text = v.toString();
				else if (n === 2)
					piece.score = v.readFloatLE();
				else if (n === 3)
					piece.type = v;
			pieces.push(piece);
		} else if (number === 3)
			for (const [n, v] of fields(value))
				if (n === 2)
					map = v.toString('base64');
	}
	return { pieces, map };
}

function added(pieces) {
	const token = (id, content, more) => ({ id, content,
		single_word: false, lstrip: false, rstrip: false,
		normalized: false, special: true, ...more });
	const list = pieces.flatMap(({ text, type }, id) => type === 2 ||
	    type === 3 ? [token(id, text)] : []);
	let id = pieces.length;
	for (const [text, flags] of [['\n\n', { special: false }],
	    ['<normal>', { normalized: true, special: false }],
	    ['<left>', { lstrip: true }], ['<right>', { rstrip: true }],
	    ['<both>', { lstrip: true, rstrip: true, special: false }],
	    ['word', { single_word: true, special: false }]])
		list.push(token(id++, text, flags));
	return list;
}

function write(name, { pieces }, bytes, normalizers, words) {
	const meta = { type: 'Metaspace', replacement: '▁',
		prepend_scheme: 'always', split: true };
	writeFileSync(`${process.argv[2]}/uni-${name}.json`, `${JSON.stringify({
		version: '1.0', truncation: null, padding: null,
		added_tokens: added(pieces),
		normalizer: { type: 'Sequence', normalizers },
		pre_tokenizer: words ? { type: 'Sequence', pretokenizers:
		    [{ type: 'WhitespaceSplit' }, meta] } : meta,
		post_processor: null,
		decoder: bytes ? { type: 'Sequence', decoders:
		    [{ type: 'ByteFallback' }, meta] } : meta,
		model: { type: 'Unigram',
		    unk_id: pieces.findIndex(({ type }) => type === 2),
		    vocab: pieces.map(({ text, score }) => [text, score]),
		    byte_fallback: bytes } })}\n`);
}

const scores = read('scores'), bytes = read('bytes');
const mapped = { type: 'Precompiled', precompiled_charsmap: scores.map };
const runs = (content) => ({ type: 'Replace', pattern: { Regex: ' {2,}' },
	content });
const strip = (left, right) => ({ type: 'Strip', strip_left: left,
	strip_right: right });
// T5, XLM-RoBERTa, ALBERT, and what none of them has.
write('runs', scores, false, [mapped, strip(false, true), runs('▁')], false);
write('words', scores, false, [mapped], true);
write('lower', scores, false, [
	{ type: 'Replace', pattern: { String: '``' }, content: '"' },
	{ type: 'NFKD' }, { type: 'StripAccents' }, { type: 'Lowercase' },
	mapped, runs(' ')], false);
write('bytes', bytes, true, [{ type: 'Nmt' }, { type: 'NFKC' },
	strip(true, false)], true);
