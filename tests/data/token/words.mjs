// SPDX-License-Identifier: MIT
// Writes words.json, a tiny tokenizer of BERT's kind: the characters of
// languages.txt, and its most frequent words and ends of words.
//
//	node words.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);
const text = readFileSync(new URL('languages.txt', here), 'utf8')
    .replace(/^.*?\t/gm, '').normalize('NFD').replace(/\p{Mn}/gu, '')
    .toLowerCase();
const count = new Map();
const see = (token) => count.set(token, (count.get(token) ?? 0) + 1);
for (const word of text.match(/[^\s\p{P}]+/gu)) {
	const chars = [...word];
	see(word);
	for (let i = 1; i < chars.length && i < 7; i++)
		see(`##${chars.slice(i).join('')}`);
}
const often = [...count].filter(([token, n]) => n > 3 && token.length < 30)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 500)
    .map(([token]) => token);
const chars = [...new Set(text.replace(/\s/g, ''))].sort().slice(0, 300);
const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const vocab = {};
for (const token of [...special, ...chars, ...chars.map((c) => `##${c}`),
    ...often])
	vocab[token] ??= Object.keys(vocab).length;
writeFileSync(`${process.argv[2]}/words.json`, `${JSON.stringify({
	version: '1.0', truncation: null, padding: null,
	added_tokens: special.map((content, id) => ({ id, special: true, content,
	    single_word: false, lstrip: false, rstrip: false,
	    normalized: false })),
	normalizer: { type: 'BertNormalizer', clean_text: true,
	    handle_chinese_chars: true, strip_accents: null, lowercase: true },
	pre_tokenizer: { type: 'BertPreTokenizer' }, post_processor: null,
	decoder: { type: 'WordPiece', prefix: '##', cleanup: false },
	model: { type: 'WordPiece', unk_token: '[UNK]',
	    continuing_subword_prefix: '##', max_input_chars_per_word: 20,
	    vocab },
})}\n`);
