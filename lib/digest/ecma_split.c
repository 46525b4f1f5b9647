/* SPDX-License-Identifier: MIT */
/* A script as tokens; see ecma_impl.h. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "digest/ecma_impl.h"

#define WORD_MAX	12	/* bytes of the words that matter */
#define CLOSE_MAX	8	/* open brackets that a wrong one may close */
#define REGEX_MAX	1000	/* bytes of a regular expression */

/* All words that are asked for; no others need to be compared. */
static const char known[] = " abstract accessor as asserts async await case "
    "class const declare default delete do else enum export extends for "
    "function get if implements import in infer instanceof interface is keyof "
    "let new of out override private protected public readonly return "
    "satisfies set static throw type typeof unique var void while with yield ";

struct split {
	struct ctx_ecma *e;
	const char *src, *p, *end;
	const char *counted;		/* line is that of this place */
	uint32_t line;
	int jsx, depth, failed;
	uint32_t open[ECMA_DEPTH];	/* brackets that are open */
	size_t nopen;
	uint32_t lengths[128];	/* of the words, by their first letter */
};

static void code(struct split *s, int embedded);

static int
is_word(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '_' || c == '$' || c >= 0x80;
}

int
ctx_ecma_among(const char *src, const struct ctx_ecma_token *t,
    const char *words)
{
	char key[WORD_MAX + 3] = " ";

	if (t->kind != ECMA_WORD || t->match == 0)
		return 0;
	memcpy(key + 1, src + t->off, t->len);
	key[t->len + 1] = ' ';
	key[t->len + 2] = '\0';
	return strstr(words, key) != NULL;
}

int
ctx_ecma_value_may_stand(const struct ctx_ecma *e, const char *src, size_t i,
    int in_block)
{
	const struct ctx_ecma_token *t;

	if (i == 0)
		return 1;
	t = &e->token[i - 1];
	switch (t->kind) {
	case ECMA_WORD:
		return (i < 2 || t[-1].kind != ECMA_DOT) && ctx_ecma_among(src,
		    t, " return typeof case in of delete void do else "
		    "instanceof new yield await throw default extends ");
	case ')':
		return t->match > 0 && t->match < i && ctx_ecma_among(src,
		    &e->token[t->match - 1], " if while for with ");
	case '}':
		return in_block;
	case '!':		/* of no null, or of no truth */
		return i < 2 || strchr(")]}ws", t[-1].kind) == NULL ||
		    ctx_ecma_value_may_stand(e, src, i - 1, 0);
	case ECMA_OPERATOR:
		return t->len != 2 || (memcmp(src + t->off, "++", 2) != 0 &&
		    memcmp(src + t->off, "--", 2) != 0);
	default:
		return strchr("]#s0tjry", t->kind) == NULL;
	}
}

/* Add the token [from, to). */
static struct ctx_ecma_token *
add(struct split *s, int kind, const char *from, const char *to)
{
	struct ctx_ecma *e = s->e;
	struct ctx_ecma_token *t;

	if (s->failed || CTX_ROOM(e->token, e->n, &e->cap) == -1) {
		s->failed = 1;
		return NULL;
	}
	for (; s->counted < from; s->counted++)
		s->line += *s->counted == '\n';
	t = &e->token[e->n++];
	t->off = (uint32_t)(from - s->src);
	t->len = (uint32_t)(to - from) & 0xffffff;
	t->kind = (unsigned char)kind;
	t->line = s->line;
	t->match = UINT32_MAX;
	return t;
}

static char
opener(int kind)
{
	return kind == ')' ? '(' : kind == ']' ? '[' :
	    kind == ECMA_CODE_END ? ECMA_CODE : '{';
}

/* Add a bracket and find its counterpart. */
static void
bracket(struct split *s, int kind, size_t len)
{
	struct ctx_ecma_token *t = s->e->token;
	size_t k;

	if (add(s, kind, s->p, s->p + len) == NULL)
		return;
	s->p += len;
	t = s->e->token;
	if (strchr("([{x", kind) != NULL) {
		if (s->nopen < ECMA_DEPTH)
			s->open[s->nopen] = (uint32_t)s->e->n - 1;
		s->nopen++;
		return;
	}
	if (s->nopen > ECMA_DEPTH) {
		s->nopen--;
		return;
	}
	for (k = s->nopen; k > 0 && s->nopen - k < CLOSE_MAX; k--)
		if (t[s->open[k - 1]].kind == opener(kind)) {
			t[s->open[k - 1]].match = (uint32_t)s->e->n - 1;
			t[s->e->n - 1].match = s->open[k - 1];
			s->nopen = k - 1;
			return;
		}
}

/* The rest of a line, or a block, of a comment at s->p.  Returns 0 if none. */
static int
comment(struct split *s)
{
	const char *to;

	if (s->end - s->p < 2 || (s->p[1] != '/' && s->p[1] != '*'))
		return 0;
	if (s->p[1] == '/')
		to = memchr(s->p, '\n', (size_t)(s->end - s->p));
	else {
		to = memmem(s->p + 2, (size_t)(s->end - s->p) - 2, "*/", 2);
		to = to == NULL ? NULL : to + 2;
	}
	s->p = to == NULL ? s->end : to;
	return 1;
}

/* A string; in an element it has no escapes and may have several lines. */
static void
string(struct split *s, int element)
{
	const char *p = s->p + 1;

	while (p < s->end && *p != *s->p && (element || *p != '\n'))
		p += !element && *p == '\\' && p + 1 < s->end ? 2 : 1;
	p = p > s->end ? s->end : p;
	if (!element)
		add(s, ECMA_STRING, s->p + 1, p);
	s->p = p < s->end && *p == *s->p ? p + 1 : p;
}

/* Code in braces, after len bytes that open them. */
static void
embedded(struct split *s, size_t len)
{
	bracket(s, ECMA_CODE, len);
	code(s, 1);
}

static void
template(struct split *s)
{
	const char *from = s->p++;

	add(s, ECMA_TEMPLATE, from, s->p);
	while (s->p < s->end && *s->p != '`') {
		if (*s->p == '\\')
			s->p++;
		else if (*s->p == '$' && s->p + 1 < s->end &&
		    s->p[1] == '{') {
			embedded(s, 2);
			continue;
		}
		s->p++;
	}
	s->p = s->p < s->end ? s->p + 1 : s->end;
}

/* A regular expression at s->p; 0 if there is none in this line. */
static int
regex(struct split *s)
{
	const char *p, *max;
	int set = 0;

	max = s->end - s->p > REGEX_MAX ? s->p + REGEX_MAX : s->end;
	for (p = s->p + 1; p < max && *p != '\n'; p++) {
		if (*p == '\\')
			p++;
		else if (*p == '[')
			set = 1;
		else if (*p == ']')
			set = 0;
		else if (*p == '/' && !set) {
			while (++p < s->end && is_word((unsigned char)*p))
				continue;
			add(s, ECMA_REGEX, s->p, p);
			s->p = p;
			return 1;
		}
	}
	return 0;
}

static const char *
skip_word(const struct split *s, const char *p)
{
	while (p < s->end && is_word((unsigned char)*p))
		p++;
	return p;
}

static const char *
skip_space(const struct split *s, const char *p)
{
	while (p < s->end && strchr(" \t\r\n", *p) != NULL && *p != '\0')
		p++;
	return p;
}

/*
 * Does an element begin at <?  <T,> and <T extends are parameters of a generic
 * function, and <T>( with a capital letter is most likely one in a type.
 */
static int
element_begins(const struct split *s)
{
	const char *p = s->p + 1, *to = skip_word(s, p), *q;

	if (p < s->end && *p == '>')
		return 1;
	if (to == p || (*p >= '0' && *p <= '9'))
		return 0;
	q = skip_space(s, to);
	if (q == s->end || strchr(",=([&|", *q) != NULL ||
	    (s->end - q > 8 && memcmp(q, "extends ", 8) == 0))
		return 0;
	return *q != '>' || q + 1 == s->end || q[1] != '(' ||
	    *p < 'A' || *p > 'Z';
}

/* Skip the attributes of the tag at s->p.  Returns 1 if it closes itself. */
static int
tag(struct split *s)
{
	int angle = 0;

	while (s->p < s->end) {
		switch (*s->p) {
		case '"': case '\'':
			string(s, 1);
			continue;
		case '{':
			embedded(s, 1);
			continue;
		case '/':
			if (comment(s))
				continue;
			break;
		case '<':
			angle++;
			break;
		case '>':
			if (s->p[-1] != '=' && angle-- == 0) {
				s->p++;
				return s->p[-2] == '/';
			}
			break;
		}
		s->p++;
	}
	return 1;
}

/* An element with what is in it. */
static void
element(struct split *s)
{
	const char *q;
	size_t open = 0;

	add(s, ECMA_ELEMENT, s->p, s->p + 1);
	do {
		if (*s->p == '{') {
			embedded(s, 1);
			continue;
		}
		if (*s->p++ != '<')
			continue;
		q = skip_space(s, s->p);
		if (q < s->end && *q == '/') {
			open -= open > 0;
			s->p = memchr(q, '>', (size_t)(s->end - q));
			s->p = s->p == NULL ? s->end : s->p + 1;
		} else
			open += !tag(s);
	} while (open > 0 && s->p < s->end);
}

static void
sign(struct split *s)
{
	static const char *const several[] = { "===", "!==", "...", "**=",
	    "||=", "&&=", "?\?=", "==", "!=", "<=", "||", "&&", "?\?", "++",
	    "--", "+=", "-=", "*=", "/=", "%=", "**", NULL };
	size_t i, n, rest = (size_t)(s->end - s->p);
	int kind = (unsigned char)*s->p;

	for (i = 0; rest > 1 && strchr("=|&?+-*.", s->p[1]) != NULL &&
	    several[i] != NULL; i++) {
		n = strlen(several[i]);
		if (rest < n || memcmp(s->p, several[i], n) != 0)
			continue;
		/* a logical assignment gives a name as others do */
		add(s, i > 3 && i < 7 ? '=' : ECMA_OPERATOR, s->p, s->p + n);
		s->p += n;
		return;
	}
	n = 1;
	if (rest > 1 && *s->p == '=' && s->p[1] == '>') {
		kind = ECMA_ARROW;
		n = 2;
	} else if (rest > 2 && *s->p == '?' && s->p[1] == '.' &&
	    (s->p[2] < '0' || s->p[2] > '9')) {
		kind = ECMA_DOT;
		n = 2;
	} else if (strchr("<>=;,:?!.@*|&+-%^~/", kind) == NULL)
		kind = ECMA_OPERATOR;
	add(s, kind, s->p, s->p + n);
	s->p += n;
}

/* A word, a private name or a number; 0 if there is none. */
static int
word(struct split *s)
{
	struct ctx_ecma_token *t;
	const char *to;
	int digit = s->p < s->end && *s->p >= '0' && *s->p <= '9';

	to = skip_word(s, *s->p == '#' ? s->p + 1 : s->p);
	if (to == s->p)
		return 0;
	while (digit && to + 1 < s->end && *to == '.' && to[1] != '.')
		to = skip_word(s, to + 1);
	t = add(s, digit ? ECMA_NUMBER : *s->p == '#' ? ECMA_PRIVATE :
	    ECMA_WORD, s->p, to);
	if (t != NULL)
		t->match = to - s->p <= WORD_MAX && (*s->p & 0x80) == 0 &&
		    s->lengths[(unsigned char)*s->p] >> (to - s->p) & 1;
	s->p = to;
	return 1;
}

static int
value_may_stand(const struct split *s, int in_block)
{
	return ctx_ecma_value_may_stand(s->e, s->src, s->e->n, in_block);
}

static void
one(struct split *s)
{
	switch (*s->p) {
	case '"': case '\'':
		string(s, 0);
		return;
	case '`':
		if (s->depth < ECMA_DEPTH)
			template(s);
		else
			s->p++;
		return;
	case '/':
		if (!comment(s) && !(value_may_stand(s, 1) && regex(s)))
			sign(s);
		return;
	case '<':
		if (s->jsx && s->depth < ECMA_DEPTH && value_may_stand(s, 0) &&
		    element_begins(s))
			element(s);
		else
			sign(s);
		return;
	case '(': case '[': case '{': case ')': case ']': case '}':
		bracket(s, *s->p, 1);
		return;
	default:
		if (!word(s))
			sign(s);
	}
}

/*
 * Code up to the end, or, if it is embedded in braces, up to the one that
 * closes them.
 */
static void
code(struct split *s, int embedded_code)
{
	size_t braces = 0;

	s->depth++;
	while (s->p < s->end && !s->failed) {
		if (strchr(" \t\r\n\f\v", *s->p) != NULL) {
			s->p++;
			continue;
		}
		if (*s->p == '{')
			braces++;
		else if (*s->p == '}' && embedded_code && braces-- == 0) {
			bracket(s, ECMA_CODE_END, 1);
			break;
		} else if (*s->p == '}' && !embedded_code && braces > 0)
			braces--;
		one(s);
	}
	s->depth--;
}

int
ctx_ecma_split(struct ctx_ecma *e, const char *src, size_t len, int jsx)
{
	struct split s = { .e = e, .src = src, .p = src, .end = src + len,
	    .counted = src, .line = 1, .jsx = jsx };
	const char *nl, *p;
	size_t i;

	e->n = 0;
	for (p = known + 1; *p != '\0'; p += i + 1) {
		i = strcspn(p, " ");
		s.lengths[(unsigned char)*p] |= 1u << i;
	}
	if (len > 2 && src[0] == '#' && src[1] == '!') {
		nl = memchr(src, '\n', len);
		s.p = nl == NULL ? s.end : nl;
	}
	code(&s, 0);
	for (i = 0; i < e->n; i++)
		if (strchr("([{x", e->token[i].kind) != NULL &&
		    e->token[i].match == UINT32_MAX)
			e->token[i].match = (uint32_t)e->n;
	return s.failed ? -1 : 0;
}
