// SPDX-License-Identifier: MIT
// A validator made from a schema of zod, which refuses members that are
// unknown.

// Where `back` lacks or changes something that `value` has, as words, or null.
export function unlike(value, back, path) {
	if (value === null || typeof value !== 'object')
		return value === back ? null : `${path}: comes back as ${
		    JSON.stringify(back)?.slice(0, 40)}`;
	if (back === null || typeof back !== 'object')
		return `${path}: does not come back`;
	for (const [key, member] of Object.entries(value)) {
		const why = Object.hasOwn(back, key) ?
		    unlike(member, back[key], `${path}/${key}`) :
		    `${path}: unknown member ${key}`;

		if (why)
			return why;
	}
	return null;
}

// The issue that is about what was meant: of a union, the deepest one of a type
// whose role and type are right.
function meant(issue, path) {
	const at = [...path, ...issue.path];
	const tagged = (list) => list.every((i) => i.code !== 'invalid_value' ||
	    !['role', 'type'].includes(i.path.at(-1)));
	const found = (issue.errors ?? []).filter(tagged)
	    .map((list) => meant(list[0], at));

	return found.reduce((a, b) => b.depth > a.depth ? b : a,
	    { depth: at.length, words: `/${at.join('/')}: ${issue.message}` });
}

// A function that returns what is wrong with a value, or null.  What zod does
// not know it leaves out of its result.
export function fromZod(schema) {
	return (value) => {
		const done = schema.safeParse(value);

		if (done.success)
			return unlike(value, done.data, '');
		return meant(done.error.issues[0], []).words;
	};
}
