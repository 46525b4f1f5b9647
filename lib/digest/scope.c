/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "digest/scope.h"

#define COND_MAX	64	/* nested #if; deeper ones are not tracked */
#define HEAD_MAX	4000	/* bytes of a head that are examined */
#define GIVE_UP		8	/* futile searches for a closing parenthesis */
#define NEST_MAX	64	/* scopes in bodies */

struct scope {
	const char *p, *end;
	char *o, *head;		/* head: where the current statement begins */
	size_t depth;		/* braces open */
	size_t body;		/* skip until depth is below this; 0: do not */
	size_t cond[COND_MAX];	/* depth at each #if */
	size_t ncond;
	unsigned lost;
	uint64_t flags;
	/* with CTX_L_NESTED: bodies that have scopes, and where these began */
	struct { size_t body, depth; } outer[NEST_MAX];
	size_t nouter;
	size_t enums[NEST_MAX];	/* depths of the enumerations that are open */
	size_t nenum;
};

static void
put(struct scope *s, char c)
{
	*s->o++ = c;
}

/*
 * Skip from a marker at s->p to the #e or #x that belongs to it; newlines
 * stay.
 */
static void
skip_branch(struct scope *s)
{
	size_t nested = 0;
	char kind;

	while (s->p < s->end) {
		if (*s->p == '\n')
			put(s, '\n');
		if (*s->p++ != '#' || s->p == s->end)
			continue;
		kind = *s->p;
		if (kind == 'i')
			nested++;
		else if (kind == 'x' && nested-- == 0) {
			s->p--;
			return;
		} else if (kind == 'e' && nested == 0) {
			s->p--;
			return;
		}
	}
}

/*
 * Handle a marker that ctx_reduce left for #if (i), #else and #elif (e) or
 * #endif (x).
 */
static void
condition(struct scope *s)
{
	char kind = s->p + 1 < s->end ? s->p[1] : 'x';
	size_t open;

	s->p += s->p + 1 < s->end ? 2 : 1;
	if (kind == 'i') {
		if (s->ncond < COND_MAX)
			s->cond[s->ncond] = s->depth;
		s->ncond++;
		if (s->p < s->end && *s->p == '0') {
			s->p++;
			skip_branch(s);
			if (s->p + 1 < s->end && s->p[1] == 'e')
				s->p += 2;
		}
	} else if (kind == 'e' && s->ncond > 0) {
		open = s->ncond <= COND_MAX ?
		    s->cond[s->ncond - 1] : s->depth;
		while (open != s->depth && s->p + 1 < s->end) {
			skip_branch(s);
			if (s->p + 1 >= s->end || s->p[1] != 'e')
				break;
			s->p += 2;
		}
	} else if (kind == 'x' && s->ncond > 0)
		s->ncond--;
}

/*
 * (*name), which names a pointer to a function, stays.  Returns the position
 * after it, or NULL.
 */
static const char *
pointer(const struct scope *s)
{
	const char *q = s->p + 1;

	while (q < s->end && (*q == ' ' || *q == '*' || *q == '^'))
		q++;
	if (q == s->p + 1)
		return NULL;
	while (q < s->end && (*q == '_' || (*q >= '0' && *q <= '9') ||
	    ((*q | 32) >= 'a' && (*q | 32) <= 'z')))
		q++;
	return q < s->end && *q == ')' ? q + 1 : NULL;
}

/* Is [p, end), in parentheses, code that makes an anonymous class? */
static int
has_class(const struct scope *s, const char *p, const char *end)
{
	return s->flags & CTX_L_NESTED &&
	    memchr(p, '{', (size_t)(end - p)) != NULL &&
	    memmem(p, (size_t)(end - p), "new ", 4) != NULL;
}

/* For ( at s->p, write () and skip to its ), if there is one. */
static int
parentheses(struct scope *s)
{
	const char *q;
	size_t depth = 0, n;

	if ((q = pointer(s)) != NULL) {
		while (s->p < q)
			put(s, *s->p++);
		return 1;
	}
	if (s->lost >= GIVE_UP)
		return 0;
	for (q = s->p; q < s->end; q++)
		if (*q == '(')
			depth++;
		else if (*q == ')' && --depth == 0)
			break;
	if (q == s->end) {
		s->lost++;
		return 0;
	}
	if (has_class(s, s->p, q))
		return 0;
	/* Newlines come after it, so that patterns find "()". */
	for (n = 0; s->p < q; s->p++)
		if (*s->p == '\n')
			n++;
	s->p++;
	put(s, '(');
	put(s, ')');
	for (; n > 0; n--)
		put(s, '\n');
	return 1;
}

/* Of what was written since the last statement, keep only the newlines. */
static void
forget(struct scope *s)
{
	char *from, *to = s->head;

	for (from = s->head; from < s->o; from++)
		if (*from == '\n')
			*to++ = '\n';
	s->o = s->head = to;
}

/* Is the head, in an enumeration, that of a constant with a body? */
static int
is_constant(const char *head, size_t len)
{
	const char *p, *end = head + len;

	for (p = end; p > head && p[-1] != ','; p--)
		;
	head = p;
	while (head < end && strchr(" \t\r\n", *head) != NULL)
		head++;
	for (p = head; p < end && (*p == '_' || *p == '$' ||
	    (*p >= '0' && *p <= '9') || ((*p | 32) >= 'a' &&
	    (*p | 32) <= 'z') || (unsigned char)*p >= 0x80); )
		p++;
	if (p == head || (p - head == 6 && memcmp(head, "static", 6) == 0))
		return 0;
	while (p < end && strchr("() \t\r\n", *p) != NULL)
		p++;
	return p == end;
}

/* A { was read in a body: is there a scope in it after all? */
static void
open_nested(struct scope *s, ctx_scope_fn *is_scope, void *arg)
{
	size_t len = (size_t)(s->o - s->head);
	enum ctx_scope_kind kind = CTX_SCOPE_NONE;

	if (len <= HEAD_MAX && s->nouter < NEST_MAX)
		kind = is_scope(arg, s->head, len);
	if (kind == CTX_SCOPE_NONE || kind == CTX_SCOPE_UNNAMED)
		forget(s);
	if (kind == CTX_SCOPE_NONE)
		return;
	s->outer[s->nouter].body = s->body;
	s->outer[s->nouter++].depth = s->depth;
	s->body = 0;
	if (kind == CTX_SCOPE_ENUM && s->nenum < NEST_MAX)
		s->enums[s->nenum++] = s->depth;
	put(s, '{');
	s->head = s->o;
}

/* A { was read, which begins a body; skip it unless it is a scope. */
static void
open_brace(struct scope *s, ctx_scope_fn *is_scope, void *arg)
{
	size_t len = (size_t)(s->o - s->head);
	enum ctx_scope_kind kind = CTX_SCOPE_NONE;

	s->depth++;
	if (s->body != 0) {
		if (s->flags & CTX_L_NESTED)
			open_nested(s, is_scope, arg);
		return;
	}
	if (len <= HEAD_MAX)
		kind = is_scope(arg, s->head, len);
	if (kind == CTX_SCOPE_ENUM && s->nenum < NEST_MAX)
		s->enums[s->nenum++] = s->depth;
	else if (kind == CTX_SCOPE_NONE && s->nenum > 0 &&
	    s->enums[s->nenum - 1] + 1 == s->depth &&
	    is_constant(s->head, len))
		forget(s);
	else if (kind == CTX_SCOPE_NONE)
		s->body = s->depth;
	put(s, '{');
	s->head = s->o;
}

static void
close_brace(struct scope *s)
{
	if (s->depth > 0)
		s->depth--;
	while (s->nenum > 0 && s->enums[s->nenum - 1] > s->depth)
		s->nenum--;
	if (s->body != 0 && s->flags & CTX_L_NESTED)
		forget(s);
	if (s->body != 0 && s->depth >= s->body)
		return;
	s->body = 0;
	put(s, '}');
	s->head = s->o;
	if (s->nouter > 0 && s->depth < s->outer[s->nouter - 1].depth)
		s->body = s->outer[--s->nouter].body;
}

/* A statement has ended; after the first one, an enum has no constants. */
static void
semicolon(struct scope *s)
{
	if (s->body != 0)
		forget(s);
	else if (s->nenum > 0 && s->enums[s->nenum - 1] == s->depth)
		s->nenum--;
	s->head = s->o;
}

size_t
ctx_scope(char *text, size_t len, const struct ctx_lang *lang,
    ctx_scope_fn *is_scope, void *arg)
{
	struct scope s = { .p = text, .end = text + len,
	    .o = text, .head = text, .flags = lang->flags };
	char c;

	while (s.p < s.end) {
		c = *s.p;
		if (c == '#' && lang->flags & CTX_L_CPP) {
			condition(&s);
			continue;
		}
		if (c == '(' && s.body == 0 && parentheses(&s))
			continue;
		if (c == '}' && lang->flags & CTX_L_MARGIN &&
		    (s.p == text || s.p[-1] == '\n') && s.ncond == 0)
			s.depth = 1;
		s.p++;
		if (c == '{')
			open_brace(&s, is_scope, arg);
		else if (c == '}')
			close_brace(&s);
		else if (c == '\n')
			put(&s, c);
		else if (s.body == 0 || s.flags & CTX_L_NESTED) {
			put(&s, c);
			if (c == ';')
				semicolon(&s);
		}
	}
	return (size_t)(s.o - text);
}
