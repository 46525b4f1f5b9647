// SPDX-License-Identifier: MIT
// A validator made from a type of an SDK: the type becomes a JSON Schema, in
// which an object may have only the members of the type, and ajv says whether a
// value is valid.
import { createGenerator } from 'ts-json-schema-generator';
import Ajv from 'ajv';

const NAME = { '[object Null]': 'null', '[object Array]': 'array',
	'[object String]': 'string', '[object Boolean]': 'boolean',
	'[object Number]': 'number', '[object Object]': 'object' };
const typeOf = (value) => NAME[Object.prototype.toString.call(value)];

// What is wrong with value, as [depth, words], or null.  Of a union, only the
// types that the value's own `type` or `role` names are tried, so that the
// words are about the type that was meant; ajv would report them all.
class Explainer {
	constructor(definitions) {
		this.definitions = definitions;
	}

	resolve(schema) {
		while (schema.$ref)
			schema = this.definitions[
			    schema.$ref.replace('#/definitions/', '')];
		return schema;
	}

	meant(schema, value) {
		schema = this.resolve(schema);
		if (schema.anyOf)
			return schema.anyOf.some((s) => this.meant(s, value));
		if (typeOf(value) !== 'object')
			return true;
		return ['type', 'role'].every((tag) => {
			const own = schema.properties?.[tag];

			return !own || !(tag in value) ||
			    !this.why(own, value[tag], '', 0);
		});
	}

	union(schemas, value, path, depth) {
		const meant = schemas.filter((s) => this.meant(s, value));
		let worst = [depth, `${path}: ${JSON.stringify(value)
		    ?.slice(0, 70)} is none of the types`];

		for (const schema of meant) {
			const why = this.why(schema, value, path, depth);

			if (!why)
				return null;
			if (why[0] > worst[0] || meant.length === 1)
				worst = why;
		}
		return worst;
	}

	object(schema, value, path, depth) {
		const known = schema.properties ?? {};

		for (const name of schema.required ?? [])
			if (!(name in value))
				return [depth + 1, `${path}: no ${name}`];
		for (const [name, member] of Object.entries(value)) {
			const own = Object.hasOwn(known, name) ? known[name] :
			    schema.additionalProperties ?? true;
			const why = own === false ?
			    [depth + 1, `${path}: unknown member ${name}`] :
			    this.why(own, member, `${path}/${name}`, depth + 1);

			if (why)
				return why;
		}
		return null;
	}

	why(schema, value, path, depth) {
		if (schema === true)
			return null;
		schema = this.resolve(schema);
		const types = [schema.type ?? []].flat();
		const type = typeOf(value);
		const allowed = 'const' in schema ? [schema.const] :
		    schema.enum;

		if (schema.anyOf)
			return this.union(schema.anyOf, value, path, depth);
		if (types.length > 0 && !types.includes(type) &&
		    !(Number.isInteger(value) && types.includes('integer')))
			return [depth,
			    `${path}: ${type}, not ${types.join(' or ')}`];
		if (allowed && !allowed.includes(value))
			return [depth, `${path}: ${JSON.stringify(value)} is ` +
			    `not ${allowed.slice(0, 8).join(' or ')}`];
		if (type === 'object')
			return this.object(schema, value, path, depth);
		for (const [i, item] of type === 'array' && schema.items ?
		    value.entries() : []) {
			const why = this.why(schema.items, item, `${path}/${i}`,
			    depth + 1);

			if (why)
				return why;
		}
		return null;
	}
}

// A function that returns what is wrong with a value of `type` of the
// declarations in `file`, or null.  What the API took although the type does
// not: `any` names members that may be there with any value, `optional` those
// that may be missing and `nullable` those that may be null, as [definition,
// member].
export function fromType(file, type, { any, optional, nullable }) {
	const schema = createGenerator({ path: file, type, topRef: true,
		skipTypeCheck: true, expose: 'all', encodeRefs: false,
		functions: 'hide' }).createSchema(type);

	for (const [definition, member] of any ?? [])
		schema.definitions[definition].properties[member] = {};
	for (const [definition, member] of nullable ?? []) {
		const { properties } = schema.definitions[definition];

		properties[member] = { anyOf: [{ type: 'null' },
		    properties[member]] };
	}
	for (const [definition, member] of optional ?? []) {
		const { required } = schema.definitions[definition];

		required.splice(required.indexOf(member), 1);
	}
	const valid = new Ajv({ strict: false, validateFormats: false })
	    .compile(schema);
	const explainer = new Explainer(schema.definitions);

	return (value) => {
		if (valid(value))
			return null;
		return explainer.why(schema, value, '', 0)?.[1] ??
		    JSON.stringify(valid.errors[0]);
	};
}
