/* SPDX-License-Identifier: MIT */
/*
 * The JSON grammar, compiled into each path.  The file that includes this has
 * defined:
 *
 *	SCAN_TARGET	the attribute of functions that use its instructions
 *	struct high	gathers bytes, to know at the end if one was over 0x7f
 *	high_none, high_any
 *	string_end(p, limit, &high)
 *			the closing quote of the string whose first byte after
 *			the quote is p; NULL if the string is bad in any way
 */
#include "read/scan.h"

static inline const char *
skip_space(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p <= ' ' &&
	    (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
		p++;
	return p;
}

static inline const char *
skip_digits(const char *p, const char *end)
{
	while (p < end && (unsigned char)(*p - '0') < 10)
		p++;
	return p;
}

/* Behind the number at p; where a digit should be and is not, *bad is set. */
static inline const char *
skip_number(const char *p, const char *end, int *bad)
{
	const char *q;

	*bad = 0;
	if (*p == '-')
		p++;
	q = skip_digits(p, end);
	if (q == p)
		goto bad;
	p = *p == '0' ? p + 1 : q;
	if (p < end && *p == '.') {
		q = skip_digits(p + 1, end);
		if (q == ++p)
			goto bad;
		p = q;
	}
	if (p < end && (*p | 32) == 'e') {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		q = skip_digits(p, end);
		if (q == p)
			goto bad;
		p = q;
	}
	return p;
bad:
	*bad = 1;
	return p;
}

/* The same for true, false and null. */
static inline const char *
skip_literal(const char *p, const char *end, int *bad)
{
	const char *word = *p == 't' ? "true" : *p == 'f' ? "false" : "null";

	while (*word != '\0' && p < end && *p == *word) {
		p++;
		word++;
	}
	*bad = *word != '\0';
	return p;
}

/*
 * A state machine instead of recursion: hostile nesting must not eat the
 * stack.  The labels are the states; after each, p is at the next byte that is
 * not looked at yet.  A node is pushed by PUSH only, which leaves its index in
 * n - 1.
 */
#define PUSH(from, to) do {						\
	if (n >= cap) {							\
		if (ctx_scan_grow(doc, n) == -1)			\
			return CTX_SCAN_NOMEM;				\
		node = doc->node;					\
		cap = doc->cap;						\
	}								\
	node[n].off = (uint32_t)((from) - raw);				\
	node[n].len = (uint32_t)((to) - (from));			\
	n++;								\
	node[n - 1].next = n;						\
} while (0)

SCAN_TARGET static enum ctx_scan_rc
scan_doc(struct ctx_scan *s)
{
	const char *const raw = s->raw;
	const char *const end = raw + s->len, *const limit = raw + s->room;
	const char *p = raw, *q;
	struct ctx_doc *doc = s->doc;
	struct ctx_node *node = doc->node;
	size_t cap = doc->cap;
	uint32_t n = doc->n, me;
	uint32_t open[CTX_DEPTH_MAX];		/* nodes of open containers */
	char kind[CTX_DEPTH_MAX + 1];		/* their closing bytes */
	unsigned depth = 0;
	struct high high = high_none();
	int bad;

	kind[0] = '\0';
value:
	p = skip_space(p, end);
	if (p == end)
		goto unexpected;
	switch (*p) {
	case '"':
		if ((q = string_end(p + 1, limit, &high)) == NULL)
			return ctx_scan_bad_string(s, p + 1);
		PUSH(p, q + 1);
		p = q + 1;
		break;
	case '{':
	case '[':
		if (depth == CTX_DEPTH_MAX) {
			s->bad = (size_t)(p - raw);
			return CTX_SCAN_DEPTH;
		}
		open[depth++] = n;
		kind[depth] = (char)(*p + 2);	/* in ASCII, } and ] */
		PUSH(p, p);
		p = skip_space(p + 1, end);
		if (p < end && *p == kind[depth])
			goto close;
		if (kind[depth] == ']')
			goto value;
		goto key;
	case 't':
	case 'f':
	case 'n':
		q = skip_literal(p, end, &bad);
		goto scalar;
	case '-':
	case '0': case '1': case '2': case '3': case '4':
	case '5': case '6': case '7': case '8': case '9':
		q = skip_number(p, end, &bad);
	scalar:
		if (bad) {
			p = q;
			goto unexpected;
		}
		if (kind[depth] != ']')
			PUSH(p, q);
		p = q;
		break;
	default:
		goto unexpected;
	}
after:
	p = skip_space(p, end);
	if (depth == 0)
		goto done;
	if (p == end)
		goto unexpected;
	if (*p == ',') {
		p++;
		if (kind[depth] == ']')
			goto value;
		p = skip_space(p, end);
		goto key;
	}
	if (*p != kind[depth])
		goto unexpected;
close:
	me = open[--depth];
	p++;
	node[me].len = (uint32_t)(p - raw) - node[me].off;
	node[me].next = n;
	goto after;
key:
	if (p == end || *p != '"')
		goto unexpected;
	if ((q = string_end(p + 1, limit, &high)) == NULL)
		return ctx_scan_bad_string(s, p + 1);
	PUSH(p, q + 1);
	p = skip_space(q + 1, end);
	if (p == end || *p != ':')
		goto unexpected;
	p++;
	goto value;
done:
	s->high = high_any(high);
	s->bad = (size_t)(p - raw);
	if (p < end)
		return CTX_SCAN_AFTER;
	doc->n = n;
	return CTX_SCAN_OK;
unexpected:
	s->bad = (size_t)(p - raw);
	return p == end ? CTX_SCAN_END : CTX_SCAN_UNEXPECTED;
}

#undef PUSH
