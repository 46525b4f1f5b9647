// SPDX-License-Identifier: MIT
// Strict ProtoJSON (protobuf.dev/programming-guides/json): what is wrong with a
// JSON value of a message type, with the descriptors of protobufjs.  Unknown
// fields, two fields of a oneof, both spellings of a field, names that an enum
// does not have, bytes that are not base64 and fields that the proto calls
// REQUIRED and that are missing are refused.
import protobuf from 'protobufjs';

const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/;
const BITS = { int32: [31, 31], sint32: [31, 31], sfixed32: [31, 31],
	uint32: [0, 32], fixed32: [0, 32], int64: [63, 63], sint64: [63, 63],
	sfixed64: [63, 63], uint64: [0, 64], fixed64: [0, 64] };
const BEHAVIOR = '(google.api.field_behavior)';
const snake = (name) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
const isObject = (v) =>
    v !== null && typeof v === 'object' && !Array.isArray(v);
const FLOAT = /^(?:NaN|-?Infinity|-?\d+(?:\.\d*)?(?:e[+-]?\d+)?)$/i;
const isText = (v) => typeof v === 'string';

// the types of google.protobuf that have a JSON form of their own
const WELL_KNOWN = {
	Struct: isObject,
	Value: () => true,
	ListValue: Array.isArray,
	Timestamp: (v) => isText(v) && !Number.isNaN(Date.parse(v)),
	Duration: (v) => isText(v) && /^-?\d+(?:\.\d{1,9})?s$/.test(v),
	FieldMask: isText,
	Any: (v) => isObject(v) && isText(v['@type']),
};

function isInteger(value, [below, above]) {
	if (isText(value) ? !/^-?\d+$/.test(value) : !Number.isInteger(value))
		return false;
	const n = BigInt(value);
	const least = below ? -(2n ** BigInt(below)) : 0n;

	return n >= least && n < 2n ** BigInt(above);
}

function isScalar(type, value) {
	if (type in BITS)
		return isInteger(value, BITS[type]);
	switch (type) {
	case 'string':
		return isText(value);
	case 'bool':
		return typeof value === 'boolean';
	case 'bytes':
		return isText(value) && BASE64.test(value);
	default:	/* float, double */
		return typeof value === 'number' ||
		    isText(value) && FLOAT.test(value);
	}
}

class Checker {
	constructor({ any, optional, single }) {
		const set = (pairs) => new Set(pairs?.map((p) => p.join('.')));

		this.any = set(any);
		this.optional = set(optional);
		this.single = set(single);
	}

	one(field, value, path) {
		const type = field.resolvedType;
		const said = JSON.stringify(value)?.slice(0, 40);
		const known = type?.fullName.startsWith('.google.protobuf.') &&
		    WELL_KNOWN[type.name];

		if (known)
			return known(value) ? null : `${path}: no ${type.name}`;
		if (type instanceof protobuf.Enum)
			return Object.hasOwn(isText(value) ? type.values :
			    type.valuesById, value) ? null :
			    `${path}: ${said} is no ${type.name}`;
		if (type)
			return this.message(type, value, path);
		return isScalar(field.type, value) ? null :
		    `${path}: ${said} is no ${field.type}`;
	}

	field(field, value, path) {
		if (isObject(value) && this.single.has(
		    `${field.parent.name}.${field.name}`))
			value = [value];
		if (field.map ? !isObject(value) :
		    field.repeated && !Array.isArray(value))
			return `${path}: no ${field.map ? 'map' : 'list'}`;
		const each = field.map || field.repeated ?
		    Object.entries(value) : [['', value]];

		for (const [key, item] of each) {
			const at = key === '' ? path : `${path}/${key}`;
			const why = this.one(field, item, at);

			if (why)
				return why;
		}
		return null;
	}

	message(type, value, path) {
		const given = new Map();
		const names = new Map(type.fieldsArray.flatMap((f) =>
		    [[f.name, f], [snake(f.name), f]]));

		if (!isObject(value))
			return `${path}: no object (${type.name})`;
		for (const [name, member] of Object.entries(value)) {
			const field = names.get(name);
			const group = field?.partOf ?? field;

			if (this.any.has(`${type.name}.${name}`))
				continue;
			if (!field)
				return `${path}: unknown member ${name} ` +
				    `(${type.name})`;
			/* null is the default value */
			if (member === null &&
			    field.resolvedType?.name !== 'Value')
				continue;
			if (given.has(group))
				return `${path}: ${given.get(group)} and ${name}`;
			given.set(group, name);
			const why = this.field(field, member,
			    `${path}/${name}`);

			if (why)
				return why;
		}
		const missing = type.fieldsArray.find((f) =>
		    !given.has(f.partOf ?? f) && f.options?.[BEHAVIOR] ===
		    'REQUIRED' && !this.optional.has(`${type.name}.${f.name}`));
		return missing ? `${path}: no ${missing.name} (${type.name})` :
		    null;
	}
}

// A function that returns what is wrong with a value of the message `type`, or
// null.  What the API took although the proto does not, as [message, field]:
// `any` may be there with any value, `optional` may be missing although they
// are REQUIRED, and of the lists `single` one item may be given without the
// list.
export function fromProto(json, type, took) {
	const root = protobuf.Root.fromJSON(json);
	const message = root.lookupType(type);

	root.resolveAll();
	const checker = new Checker(took);
	return (value) => checker.message(message, value, '');
}
