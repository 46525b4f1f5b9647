// SPDX-License-Identifier: MIT
// validate.mjs < VALUES	check each line, TARGET <tab> ID <tab> JSON, with all
//			validators of the target; print a line for each check:
//			VALIDATOR <tab> ID <tab> what is wrong
// validate.mjs list	print the validators: NAME <tab> TARGET <tab> FROM
// validate.mjs control	print values that the SDKs themselves make
// validate.mjs faults	check the faults planted in a valid value: print
//			VALIDATOR <tab> FAULT <tab> what is wrong
import { controls } from './controls.mjs';
import { faults } from './faults.mjs';
import { validators } from './validators.mjs';

const say = (...words) => process.stdout.write(`${words.join('\t')}\n`);

// the lines of standard input; node:readline would also end them at U+2028
async function* lines() {
	let rest = '';

	process.stdin.setEncoding('utf8');
	for await (const chunk of process.stdin) {
		const found = (rest + chunk).split('\n');

		rest = found.pop();
		yield* found;
	}
}

async function values() {
	for await (const line of lines()) {
		const [target, id] = line.split('\t', 2);
		const value = JSON.parse(line.slice(target.length +
		    id.length + 2));

		for (const v of validators)
			if (v.target === target || v.name === target)
				say(v.name, id, v.check(value) ?? '');
	}
}

switch (process.argv[2]) {
case 'list':
	for (const { name, target, from } of validators)
		say(name, target, from);
	break;
case 'control':
	for await (const [name, id, value] of controls())
		say(name, id, JSON.stringify(value));
	break;
case 'faults':
	for (const v of validators)
		for (const [fault, value] of faults(v.target))
			say(v.name, fault, v.check(value) ?? '');
	break;
default:
	await values();
}
