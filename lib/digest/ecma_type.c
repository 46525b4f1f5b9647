/* SPDX-License-Identifier: MIT */
/* Types in a script, and values that are functions; see ecma_read.h. */
#include <string.h>

#include "digest/ecma_read.h"

void
ctx_ecma_add(struct ecma *e, enum ctx_list list, size_t i)
{
	const struct ctx_ecma_token *t = &e->tokens->token[i];

	if (e->quiet > 0 || e->failed || i >= e->tokens->n ||
	    strchr("w#s", t->kind) == NULL)
		return;
	if (ctx_names_add(e->names, list, e->src + t->off, t->len, t->line,
	    ctx_name_indented(e->src, e->src + t->off)) == -1)
		e->failed = 1;
}

/*
 * May a token be read?  What is read ahead, or as a list of types that is none,
 * is read again: there is a budget, so that the time stays linear.
 */
static int
spend(struct ecma *e)
{
	if (e->budget == 0)
		return 0;
	e->budget--;
	return 1;
}

/* All types in the bracket at open, and what is between them. */
static size_t
types_inside(struct ecma *e, size_t open, size_t end)
{
	size_t close = ecma_close(e, open, end), i = open + 1, to;

	while (i < close) {
		to = ctx_ecma_type(e, i, close);
		i = to > i ? to : i + 1;
		if (!spend(e))
			break;
	}
	return ecma_min(close + 1, end);
}

/* A template with its types. */
static size_t
template(struct ecma *e, size_t i, size_t end)
{
	for (i++; i < end && ecma_kind(e, i) == ECMA_CODE; )
		i = types_inside(e, i, end);
	return i;
}

/* The rest of a name: .b.c<...> */
static size_t
name(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	if (ecma_word(e, i, " import ") && ecma_kind(e, i + 1) == '(')
		i = ecma_close(e, i + 1, end);
	i++;
	while (i + 1 < end && ecma_kind(e, i) == ECMA_DOT)
		i += 2;
	if (i < end && ecma_kind(e, i) == '<' &&
	    (to = ctx_ecma_angle(e, i, end)) > 0)
		i = to;
	return i;
}

/*
 * An operand of a type, or what may stand before one: then *want stays 1.
 * Returns i if there is none.
 */
static size_t
operand(struct ecma *e, size_t i, size_t end, int *want)
{
	size_t to;

	*want = 0;
	switch (ecma_kind(e, i)) {
	case ECMA_WORD:
		if (!ecma_word(e, i, " new abstract keyof typeof unique "
		    "readonly infer asserts ") || i + 1 >= end ||
		    strchr("w([{<st", ecma_kind(e, i + 1)) == NULL ||
		    ecma_word(e, i + 1, " is extends "))
			return name(e, i, end);
		break;
	case ECMA_STRING:
	case ECMA_NUMBER:
		return i + 1;
	case ECMA_TEMPLATE:
		return template(e, i, end);
	case '(':
		to = ecma_close(e, i, end) + 1;
		if (to >= end || ecma_kind(e, to) != ECMA_ARROW)
			return types_inside(e, i, end);
		ctx_ecma_parameters(e, i, end);
		*want = 1;
		return to + 1;
	case '{':
		return ctx_ecma_members(e, i, end, 1);
	case '[':
		return types_inside(e, i, end);
	case '<':
		to = ctx_ecma_angle(e, i, end);
		*want = 1;
		return to > 0 ? to : i;
	case '|': case '&': case '-': case ECMA_OPERATOR:
		break;
	default:
		return i;
	}
	*want = 1;
	return i + 1;
}

/*
 * What joins the type before i with one after it; cond[0] is set after
 * "extends", cond[1] counts ? without : in conditional types.  Returns i if
 * the type ends there.
 */
static size_t
joint(struct ecma *e, size_t i, int *want, int cond[2])
{
	int kind = ecma_kind(e, i);

	*want = 1;
	if (kind == '|' || kind == '&')
		return i + 1;
	if (ecma_word(e, i, " is ") && ecma_line(e, i) == ecma_line(e, i - 1))
		return i + 1;
	if (ecma_word(e, i, " extends ")) {
		cond[0] = 1;
		return i + 1;
	}
	if (kind == '?' && cond[0]) {
		cond[0] = 0;
		cond[1]++;
		return i + 1;
	}
	if (kind == ':' && cond[1] > 0) {
		cond[1]--;
		return i + 1;
	}
	return i;
}

size_t
ctx_ecma_type(struct ecma *e, size_t i, size_t end)
{
	int want = 1, cond[2] = { 0, 0 };
	size_t from;

	if (!ecma_enter(e))
		return i;
	while (i < end && spend(e)) {
		from = i;
		if (want)
			i = operand(e, i, end, &want);
		else if (ecma_kind(e, i) == '[' &&
		    ecma_line(e, i) == ecma_line(e, i - 1))
			i = types_inside(e, i, end);
		else
			i = joint(e, i, &want, cond);
		if (i == from)
			break;
	}
	ecma_leave(e);
	return ecma_min(i, end);
}

size_t
ctx_ecma_angle(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	for (i++; i < end && ecma_kind(e, i) != '>'; i = to) {
		to = i + 1;
		if (!spend(e))
			return 0;
		if (strchr(",=", ecma_kind(e, i)) == NULL &&
		    !(ecma_word(e, i, " const in out ") && i + 1 < end &&
		    ecma_kind(e, i + 1) == ECMA_WORD) &&
		    (to = ctx_ecma_type(e, i, end)) == i)
			return 0;
	}
	return i < end ? i + 1 : 0;
}

int
ctx_ecma_is_function_type(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	if (i < end && ecma_kind(e, i) == '<') {
		e->quiet++;
		to = ctx_ecma_angle(e, i, end);
		e->quiet--;
		if (to == 0)
			return 0;
		i = to;
	}
	return i < end && ecma_kind(e, i) == '(' &&
	    ecma_kind(e, ecma_close(e, i, end) + 1) == ECMA_ARROW;
}

/* After the function or parenthesis that ends before i: is it all? */
static int
is_all(const struct ecma *e, size_t i, size_t end)
{
	return i >= end || strchr(".([o?t|&*", ecma_kind(e, i)) == NULL;
}

/* function name<...>(...): type {...}, after its keyword. */
static int
expression(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	if (i < end && ecma_kind(e, i) == '*')
		i++;
	if (i < end && ecma_kind(e, i) == ECMA_WORD)
		i++;
	if (i < end && ecma_kind(e, i) == '<' &&
	    (to = ctx_ecma_angle(e, i, end)) > 0)
		i = to;
	if (i >= end || ecma_kind(e, i) != '(')
		return 0;
	i = ecma_close(e, i, end) + 1;
	if (i < end && ecma_kind(e, i) == ':')
		i = ctx_ecma_type(e, i + 1, end);
	return i < end && ecma_kind(e, i) == '{' &&
	    is_all(e, ecma_close(e, i, end) + 1, end);
}

static int
value(struct ecma *e, size_t i, size_t end)
{
	size_t to;

	if (ecma_word(e, i, " async "))
		i++;
	if (i < end && ecma_word(e, i, " function "))
		return expression(e, i + 1, end);
	if (ecma_word(e, i, " class "))
		return i + 1 < end && strchr("w{<", ecma_kind(e, i + 1)) !=
		    NULL ? 2 : 0;
	if (i + 1 < end && ecma_kind(e, i) == ECMA_WORD)
		return ecma_kind(e, i + 1) == ECMA_ARROW;
	if (i < end && ecma_kind(e, i) == '<') {
		if ((to = ctx_ecma_angle(e, i, end)) == 0)
			return 0;
		i = to;
	}
	if (i >= end || ecma_kind(e, i) != '(')
		return 0;
	to = ecma_close(e, i, end) + 1;
	if (to < end && ecma_kind(e, to) == ':') {
		to = ctx_ecma_type(e, to + 1, end);
		return to < end && ecma_kind(e, to) == ECMA_ARROW;
	}
	if (to < end && ecma_kind(e, to) == ECMA_ARROW)
		return 1;
	/* (function () {}), and nothing done with it */
	return is_all(e, to, end) && e->quiet < ECMA_DEPTH &&
	    ctx_ecma_value(e, i + 1, to - 1);
}

int
ctx_ecma_value(struct ecma *e, size_t i, size_t end)
{
	int kind;

	e->quiet++;
	kind = value(e, i, end);
	e->quiet--;
	return kind;
}
