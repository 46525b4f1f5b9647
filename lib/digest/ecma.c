/* SPDX-License-Identifier: MIT */
/* Statements, expressions and members of a script; see ecma.h. */
#include <stdlib.h>
#include <string.h>

#include "digest/ecma_read.h"

/* Where a list of expressions ends, besides at the end of its brackets. */
enum stop { TO_END, TO_COMMA, TO_MEMBER };

struct place {
	int ternary;		/* ? without : so far */
	int label;		/* case or default without : so far */
	int labelled;		/* the last token was that :, or a label's */
	int constant;		/* the last declaration was of constants */
};

static size_t scan(struct ecma *e, size_t i, size_t end, enum stop stop);
static size_t literal(struct ecma *e, size_t open, size_t end);

/* Scan what is in the bracket at open; returns the place after it. */
static size_t
inside(struct ecma *e, size_t open, size_t end)
{
	size_t close = ecma_close(e, open, end);

	scan(e, open + 1, close, TO_END);
	return ecma_min(close + 1, end);
}

/* @name.name(arguments); i is at the sign. */
static size_t
decorator(struct ecma *e, size_t i, size_t end)
{
	for (i++; i < end && (ecma_kind(e, i) == ECMA_WORD ||
	    ecma_kind(e, i) == ECMA_DOT); i++)
		if (ecma_kind(e, i) == ECMA_WORD &&
		    ecma_kind(e, i + 1) != ECMA_DOT) {
			i++;
			break;
		}
	if (i < end && ecma_kind(e, i) == '(')
		i = inside(e, i, end);
	return i;
}

/*
 * A value after = or : of the name; it names a function or a class.  A class
 * that is only assigned, as to module.exports, is not called so.
 */
static void
named_value(struct ecma *e, size_t name, size_t i, size_t end)
{
	int value = ctx_ecma_value(e, i, end);

	if (value == 2 && ecma_kind(e, name + 1) == '=' && name > 0 &&
	    ecma_kind(e, name - 1) != ',' &&
	    !ecma_word(e, name - 1, " const let var static readonly "))
		return;
	if (value != 0)
		ctx_ecma_add(e, value == 1 ? CTX_FUNCTIONS : CTX_CLASSES, name);
}

/* One parameter, up to its comma. */
static size_t
parameter(struct ecma *e, size_t i, size_t close)
{
	size_t name = i;

	if (ecma_kind(e, i) == '{' || ecma_kind(e, i) == '[')
		i = literal(e, i, close);
	else
		i++;
	if (i < close && ecma_kind(e, i) == '?')
		i++;
	if (i < close && ecma_kind(e, i) == ':')
		i = ctx_ecma_type(e, i + 1, close);
	if (i < close && ecma_kind(e, i) == '=') {
		named_value(e, name, i + 1, close);
		i++;
	}
	return scan(e, i, close, TO_COMMA);
}

size_t
ctx_ecma_parameters(struct ecma *e, size_t open, size_t end)
{
	size_t close = ecma_close(e, open, end), i = open + 1;

	if (!ecma_enter(e))
		return ecma_min(close + 1, end);
	while (i < close) {
		if (ecma_kind(e, i) == '@')
			i = decorator(e, i, close);
		else if (strchr(",oy", ecma_kind(e, i)) != NULL ||
		    (ecma_word(e, i, " public private protected readonly "
		    "override ") && i + 1 < close &&
		    strchr("w{[", ecma_kind(e, i + 1)) != NULL))
			i++;
		else
			i = parameter(e, i, close);
	}
	ecma_leave(e);
	return ecma_min(close + 1, end);
}

/* <...>(...): type { ... }, of which anything may be missing. */
static size_t
signature(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	if (i < end && ecma_kind(e, i) == '<' &&
	    (to = ctx_ecma_angle(e, i, end)) > 0)
		i = to;
	if (i < end && ecma_kind(e, i) == '(')
		i = ctx_ecma_parameters(e, i, end);
	if (i < end && ecma_kind(e, i) == ':')
		i = ctx_ecma_type(e, i + 1, end);
	return i;
}

/* The rest of a function, after its keyword or its name. */
static size_t
function(struct ecma *e, size_t i, size_t end)
{
	i = signature(e, i, end);
	return i < end && ecma_kind(e, i) == '{' ? inside(e, i, end) : i;
}

static int
is_name(const struct ecma *e, size_t i)
{
	return strchr("w#s", ecma_kind(e, i)) != NULL;
}

/*
 * Skip what precedes the name of a member: async, static, get, *.  A word
 * that nothing like a name follows is the name itself.
 */
static size_t
modifiers(const struct ecma *e, size_t i, size_t end)
{
	while (i + 1 < end && (ecma_kind(e, i) == '*' ||
	    ecma_kind(e, i) == '+' || ecma_kind(e, i) == '-' ||
	    (ecma_word(e, i, " static async get set public private protected "
	    "readonly abstract override declare accessor ") &&
	    strchr("w#s0[*", ecma_kind(e, i + 1)) != NULL)))
		i++;
	return i;
}

/* What follows the name of a member of a class, an interface or a type. */
static size_t
member(struct ecma *e, size_t name, size_t i, size_t close)
{
	while (i < close && (ecma_kind(e, i) == '?' || ecma_kind(e, i) == '!'))
		i++;
	if (i < close && (ecma_kind(e, i) == '(' || ecma_kind(e, i) == '<')) {
		if (name != SIZE_MAX)
			ctx_ecma_add(e, CTX_FUNCTIONS, name);
		return function(e, i, close);
	}
	if (i < close && ecma_kind(e, i) == ':')
		i = ctx_ecma_type(e, i + 1, close);
	if (i < close && ecma_kind(e, i) == '=') {
		if (name != SIZE_MAX)
			named_value(e, name, i + 1, close);
		i = scan(e, i + 1, close, TO_MEMBER);
	}
	return i;
}

/* Is it "new (...)" or "new <...>", which makes something of the type? */
static int
is_new(const struct ecma *e, size_t i, size_t close)
{
	return i + 1 < close && ecma_word(e, i, " new ") &&
	    (ecma_kind(e, i + 1) == '(' || ecma_kind(e, i + 1) == '<');
}

size_t
ctx_ecma_members(struct ecma *e, size_t open, size_t end, int is_type)
{
	size_t close = ecma_close(e, open, end), i = open + 1, from, name;

	if (!ecma_enter(e))
		return ecma_min(close + 1, end);
	while (i < close) {
		from = i = modifiers(e, i, close);
		name = SIZE_MAX;
		if (ecma_kind(e, i) == '@') {
			i = decorator(e, i, close);
			continue;
		}
		if (!is_type && ecma_word(e, i, " static ") &&
		    ecma_kind(e, i + 1) == '{') {
			i = inside(e, i + 1, close);
			continue;
		}
		if (is_type && is_new(e, i, close))
			i++;
		else if (ecma_kind(e, i) == '[')
			i = inside(e, i, close);
		else if (is_name(e, i))
			name = i++;
		else if (ecma_kind(e, i) == ECMA_NUMBER)
			i++;
		i = member(e, name, i, close);
		i += i == from;
	}
	ecma_leave(e);
	return ecma_min(close + 1, end);
}

/* A method in an object, after its name; 0 if it is none. */
static size_t
method(struct ecma *e, size_t name, size_t i, size_t close)
{
	size_t body;

	e->quiet++;
	body = signature(e, i, close);
	e->quiet--;
	if (body >= close || ecma_kind(e, body) != '{')
		return 0;
	if (name != SIZE_MAX)
		ctx_ecma_add(e, CTX_FUNCTIONS, name);
	return function(e, i, close);
}

/* An object, or the pattern of names in place of one. */
static size_t
literal(struct ecma *e, size_t open, size_t end)
{
	size_t close = ecma_close(e, open, end), i = open + 1, name, to;

	if (!ecma_enter(e))
		return ecma_min(close + 1, end);
	while (i < close) {
		if (ecma_kind(e, i) == ',') {
			i++;
			continue;
		}
		i = modifiers(e, i, close);
		name = is_name(e, i) ? i : SIZE_MAX;
		to = i;
		if (ecma_kind(e, open) == '{' && name != SIZE_MAX)
			to++;
		else if (ecma_kind(e, open) == '{' && ecma_kind(e, i) == '[')
			to = inside(e, i, close);
		if (to > i && to < close && strchr("(<", ecma_kind(e, to)) !=
		    NULL && (to = method(e, name, to, close)) > 0) {
			i = to;
			continue;
		}
		if (to > i && to < close && ecma_kind(e, to) == ':') {
			if (name != SIZE_MAX)
				named_value(e, name, to + 1, close);
			i = to + 1;
		}
		i = scan(e, i, close, TO_COMMA);
	}
	ecma_leave(e);
	return ecma_min(close + 1, end);
}

/* A class, after its keyword. */
static size_t
class(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	if (i < end && ecma_kind(e, i) == ECMA_WORD &&
	    !ecma_word(e, i, " extends implements "))
		ctx_ecma_add(e, CTX_CLASSES, i++);
	while (i < end && ecma_kind(e, i) != '{' && ecma_kind(e, i) != ';') {
		if (ecma_kind(e, i) == '<' &&
		    (to = ctx_ecma_angle(e, i, end)) > 0)
			i = to;
		else if (ecma_kind(e, i) == '(')
			i = inside(e, i, end);
		else if (ecma_word(e, i, " implements "))
			i = ctx_ecma_type(e, i + 1, end);
		else
			i++;
	}
	return i < end && ecma_kind(e, i) == '{' ?
	    ctx_ecma_members(e, i, end, 0) : i;
}

/* An interface, after its keyword; its name is at i. */
static size_t
interface(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	ctx_ecma_add(e, CTX_CLASSES, i);
	for (i++; i < end && ecma_kind(e, i) != '{'; )
		if (ecma_kind(e, i) == '<' &&
		    (to = ctx_ecma_angle(e, i, end)) > 0)
			i = to;
		else
			i++;
	return i < end ? ctx_ecma_members(e, i, end, 1) : i;
}

/*
 * A name with a type after const, let, var or a comma.  Without a type, = is
 * left to the expression.
 */
static size_t
declared(struct ecma *e, size_t i, size_t end, int is_const)
{
	size_t name = i, to;
	int function;

	if (i < end && (ecma_kind(e, i) == '{' || ecma_kind(e, i) == '['))
		i = literal(e, i, end);
	else
		i++;
	if (i < end && ecma_kind(e, i) == '!')
		i++;
	if (i >= end || ecma_kind(e, i) != ':')
		return ecma_min(i, end);
	function = ctx_ecma_is_function_type(e, i + 1, end);
	to = ctx_ecma_type(e, i + 1, end);
	if (to < end && ecma_kind(e, to) == '=') {
		named_value(e, name, to + 1, end);
		to++;
	} else if (is_const && function)
		ctx_ecma_add(e, CTX_FUNCTIONS, name);
	return to;
}

/* A declaration that begins with the word at i; 0 if none does. */
static size_t
declaration(struct ecma *e, size_t i, size_t end)
{
	size_t next = i + 1;
	int kind = next < end ? ecma_kind(e, next) : ' ';
	int after = next + 1 < end ? ecma_kind(e, next + 1) : ' ';

	if (ecma_word(e, i, " function ")) {
		next += kind == '*';
		if (next < end && ecma_kind(e, next) == ECMA_WORD)
			ctx_ecma_add(e, CTX_FUNCTIONS, next++);
		return function(e, next, end);
	}
	if (ecma_word(e, i, " class ") && strchr("w{<", kind) != NULL)
		return class(e, next, end);
	if (ecma_word(e, i, " const let var ") && kind != ' ' &&
	    !ecma_word(e, next, " enum "))
		return declared(e, next, end, ecma_word(e, i, " const "));
	if (kind != ECMA_WORD)
		return 0;
	if (ecma_word(e, i, " interface ") && (after == '{' || after == '<' ||
	    ecma_word(e, next + 1, " extends ")))
		return interface(e, next, end);
	if (ecma_word(e, i, " enum ") && after == '{') {
		ctx_ecma_add(e, CTX_CLASSES, next);
		return ecma_min(ecma_close(e, next + 1, end) + 1, end);
	}
	if (ecma_word(e, i, " type ") && (after == '=' || after == '<')) {
		ctx_ecma_add(e, CTX_TYPES, next++);
		if (after == '<' && (next = ctx_ecma_angle(e, next, end)) == 0)
			return i + 3;
		return next < end && ecma_kind(e, next) == '=' ?
		    ctx_ecma_type(e, next + 1, end) : next;
	}
	return 0;
}

static size_t
word(struct ecma *e, size_t i, size_t end, struct place *at)
{
	size_t to;

	if (i > 0 && ecma_kind(e, i - 1) == ECMA_DOT)
		return i + 1;
	if ((to = declaration(e, i, end)) > 0) {
		at->ternary = 0;
		at->constant = ecma_word(e, i, " const ");
		return to;
	}
	if (ecma_word(e, i, " import export ") && i + 1 < end &&
	    (ecma_kind(e, i + 1) == '{' || (ecma_word(e, i + 1, " type ") &&
	    ecma_kind(e, i + 2) == '{'))) {
		i += ecma_kind(e, i + 1) == '{' ? 1 : 2;
		return ecma_min(ecma_close(e, i, end) + 1, end);
	}
	if (ecma_word(e, i, " as satisfies ") && i > 0 && i + 1 < end &&
	    !ecma_value_stands(e, i) && strchr("*,{;", ecma_kind(e, i - 1)) ==
	    NULL)
		return ctx_ecma_type(e, i + 1, end);
	if (ecma_word(e, i, " case ") || (ecma_word(e, i, " default ") &&
	    i + 1 < end && ecma_kind(e, i + 1) == ':'))
		at->label = 1;
	return i + 1;
}

/* Is the brace at i that of an object, not of a block? */
static int
is_object(const struct ecma *e, size_t i, const struct place *at)
{
	if (i == 0 || at->labelled)
		return 0;
	if (ecma_kind(e, i - 1) == ECMA_WORD)
		return ecma_word(e, i - 1, " return typeof in of new yield "
		    "await case default delete void throw instanceof ");
	return strchr(";{})y]s0arjt", ecma_kind(e, i - 1)) == NULL;
}

/*
 * Is the parenthesis at i that of an arrow function?  After a question mark,
 * ": x =>" belongs to what the mark began.
 */
static int
is_arrow(struct ecma *e, size_t i, size_t end, int ternary)
{
	size_t to = ecma_close(e, i, end) + 1;

	if (to >= end)
		return 0;
	if (ecma_kind(e, to) == ':' && !ternary) {
		e->quiet++;
		to = ctx_ecma_type(e, to + 1, end);
		e->quiet--;
	}
	return to < end && ecma_kind(e, to) == ECMA_ARROW;
}

/* < where a value may be: parameters of a function, or a type before one. */
static size_t
angle(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	e->quiet++;
	to = ctx_ecma_angle(e, i, end);
	e->quiet--;
	if (to == 0 || (!ecma_value_stands(e, i) && to < end &&
	    strchr("(t),;.]}:?o=", ecma_kind(e, to)) == NULL))
		return i + 1;
	return ctx_ecma_angle(e, i, end);
}

/* A sign, or a bracket, in an expression or among statements. */
static size_t
sign(struct ecma *e, size_t i, size_t end, struct place *at)
{
	switch (ecma_kind(e, i)) {
	case '(':
		return is_arrow(e, i, end, at->ternary > 0) ?
		    signature(e, i, end) : inside(e, i, end);
	case '[':
	case ECMA_CODE:
		return inside(e, i, end);
	case '{':
		return is_object(e, i, at) ? literal(e, i, end) :
		    inside(e, i, end);
	case '<':
		return angle(e, i, end);
	case '=':
		if (i > 0 && strchr("w#", ecma_kind(e, i - 1)) != NULL)
			named_value(e, i - 1, i + 1, end);
		break;
	case ECMA_ARROW:
		if (i + 1 < end && ecma_kind(e, i + 1) == '{')
			return inside(e, i + 1, end);
		break;
	case '?':
		at->ternary++;
		break;
	case ':':
		at->labelled = at->label || at->ternary == 0;
		at->ternary -= !at->labelled;
		at->label = 0;
		break;
	case ';':
		at->ternary = 0;
		break;
	case ',':
		if (at->ternary == 0 && i + 2 < end &&
		    ecma_kind(e, i + 1) == ECMA_WORD &&
		    ecma_kind(e, i + 2) == ':')
			return declared(e, i + 1, end, at->constant);
		break;
	}
	return i + 1;
}

/* Does a member of a class begin at i, after a value without semicolon? */
static int
member_begins(const struct ecma *e, size_t i)
{
	return ecma_line(e, i) > ecma_line(e, i - 1) &&
	    strchr("w#s@", ecma_kind(e, i)) != NULL &&
	    !ecma_value_stands(e, i) &&
	    !ecma_word(e, i, " as satisfies in instanceof ");
}

/*
 * Read expressions, or statements, from i to the end, or to where stop says.
 * Returns the place of what ended it.
 */
static size_t
scan(struct ecma *e, size_t i, size_t end, enum stop stop)
{
	struct place at = { 0 };
	size_t from = i;
	int labelled;

	if (!ecma_enter(e))
		return end;
	while (i < end) {
		if (stop == TO_COMMA && ecma_kind(e, i) == ',')
			break;
		if (stop == TO_MEMBER && (ecma_kind(e, i) == ';' ||
		    (i > from && member_begins(e, i))))
			break;
		labelled = at.labelled;
		i = ecma_kind(e, i) == ECMA_WORD ? word(e, i, end, &at) :
		    sign(e, i, end, &at);
		if (labelled)
			at.labelled = 0;
	}
	ecma_leave(e);
	return ecma_min(i, end);
}

int
ctx_ecma_find(struct ctx_ecma *e, struct ctx_names *names, const char *src,
    size_t len, int jsx)
{
	struct ecma r = { .src = src, .names = names };

	if (ctx_ecma_split(e, src, len, jsx) == -1)
		return -1;
	r.tokens = e;
	r.budget = 16 * e->n;
	scan(&r, 0, e->n, TO_END);
	return r.failed ? -1 : 0;
}

void
ctx_ecma_done(struct ctx_ecma *e)
{
	free(e->token);
	e->token = NULL;
	e->n = e->cap = 0;
}
