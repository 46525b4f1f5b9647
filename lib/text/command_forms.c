/* SPDX-License-Identifier: MIT */
/* Forms of lines, and the rules for them; see command_forms.h. */
#include "text/command_forms.h"

/* How a rule's text is looked for. */
enum how {
	NONE,		/* the end of a list */
	AT,		/* after the indentation */
	BOL,		/* at the beginning of the line */
	EOL,		/* at its end */
	LINE,		/* it is the line */
	WITHIN,		/* anywhere */
	COLON,		/* from the first ": " on */
	HEAD,		/* with more of its first character before it */
	SHELL,		/* its words may be the first, which a folder may
			   precede */
	TAP,		/* and a number after it */
	TOTAL,		/* a number before it */
	PLACE,		/* in the name of a file, with a line's number */
	/* forms of their own */
	COUNTER,	/* [3/20] or [ 15%] */
	DOTS,		/* a letter for each test, after a file's name */
	FOUND,		/* 12:5 and what is there */
	ITEM,		/* 1) */
	SHORT,		/* git's letters for a file */
	STEP		/* CC name.o */
};

#define ROUTINE	CTX_LINE_ROUTINE
#define PLAIN	CTX_LINE_PLAIN
#define CONTEXT	CTX_LINE_CONTEXT
#define SIGNAL	CTX_LINE_SIGNAL

/* The names that the rules have for what follows. */
#define STOP	CTX_THEN_STOP
#define KEEP	CTX_THEN_KEEP
#define DEEPER	CTX_THEN_DEEPER
#define INSIDE	CTX_THEN_INSIDE
#define BLANK	CTX_THEN_BLANK
#define SECTION	CTX_THEN_SECTION
#define NEXT	CTX_THEN_NEXT
#define LATER	CTX_THEN_LATER
#define TRACE	CTX_THEN_TRACE

#include "text/command_rules.inc"

/* What is known of each kind. */
static const struct kind {
	const struct ctx_command_rule *rules, *more;
	int words;		/* do words tell signals? */
} kinds[] = {
	[CTX_COMMAND_UNKNOWN] = { any, NULL, 1 },
	[CTX_COMMAND_PYTEST] = { pytest, any, 1 },
	[CTX_COMMAND_JEST] = { jest, any, 1 },
	[CTX_COMMAND_GO] = { go, any, 1 },
	[CTX_COMMAND_CARGO] = { cargo, any, 1 },
	[CTX_COMMAND_BUILD] = { build, any, 1 },
	[CTX_COMMAND_MIX] = { mix, any, 1 },
	[CTX_COMMAND_PACKAGE] = { package, any, 1 },
	[CTX_COMMAND_STATUS] = { status, NULL, 0 },
	[CTX_COMMAND_DIFF] = { NULL, NULL, 0 },
	[CTX_COMMAND_LOG] = { history, NULL, 0 },
	[CTX_COMMAND_LIST] = { list, NULL, 0 },
	[CTX_COMMAND_GREP] = { grep, NULL, 0 },
	[CTX_COMMAND_FILE] = { NULL, NULL, 0 },
	[CTX_COMMAND_DOCKER] = { docker, package, 1 },
	[CTX_COMMAND_CHECK] = { check, any, 1 },
};

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int
ctx_command_ends(const struct ctx_command_line *l, const char *s)
{
	size_t n = strlen(s);

	return l->len >= n && memcmp(l->p + l->len - n, s, n) == 0;
}

int
ctx_command_within(const struct ctx_command_line *l, const char *s)
{
	const char *p = l->p, *end = l->p + l->len;

	while (p < end && (p = memchr(p, s[0], (size_t)(end - p))) != NULL) {
		if (ctx_command_at(l, (size_t)(p - l->p), s))
			return 1;
		p++;
	}
	return 0;
}

size_t
ctx_command_colon(const struct ctx_command_line *l)
{
	const char *p = l->p, *end = l->p + l->len;

	while ((p = memchr(p, ':', (size_t)(end - p))) != NULL)
		if (++p < end && *p == ' ')
			return (size_t)(p - 1 - l->p);
	return l->len;
}

int
ctx_command_is_head(const struct ctx_command_line *l, const char *s)
{
	size_t i;

	for (i = 0; i < l->len && l->p[i] == s[0]; i++)
		;
	return i >= 3 && ctx_command_at(l, i, s + 1) && i < l->len;
}

/* Is the first word, without its folder, one of those in a list? */
static int
is_shell(const struct ctx_command_line *l, const char *names)
{
	const char *space = memchr(l->p, ' ', l->len), *p, *at;
	size_t n;

	if (space == NULL || l->indent > 0)
		return 0;
	for (p = space; p > l->p && p[-1] != '/'; p--)
		;
	n = (size_t)(space - p);
	for (at = names; at != NULL; at = (at = strchr(at, ' ')) != NULL ?
	    at + 1 : NULL)
		if (strncmp(at, p, n) == 0 && (at[n] == ' ' || at[n] == '\0'))
			return n > 0;
	return 0;
}

/* A file's name with s in it, a colon (its last, if s has one) and digits. */
static int
is_place(const struct ctx_command_line *l, const char *s)
{
	size_t i, n = strlen(s);

	if (l->indent > 0)
		return 0;
	for (i = 0; i < l->len && l->p[i] != ' ' && l->p[i] != '\t'; i++)
		if (l->p[i] == ':' && i > 0 && i + 1 < l->len &&
		    is_digit(l->p[i + 1]) && (n == 0 || (i + 1 >= n &&
		    memcmp(l->p + i + 1 - n, s, n) == 0))) {
			i = ctx_command_digits(l, i + 1);
			return i >= l->len || l->p[i] == ':';
		}
	return 0;
}

static int
is_counter(const struct ctx_command_line *l)
{
	size_t i = l->indent + 1, k;

	while (i < l->len && l->p[i] == ' ')
		i++;
	k = ctx_command_digits(l, i);
	if (k == i || !ctx_command_at(l, l->indent, "["))
		return 0;
	if (ctx_command_at(l, k, "%]"))
		return 1;
	i = ctx_command_digits(l, k + 1);
	return ctx_command_at(l, k, "/") && i > k + 1 &&
	    ctx_command_at(l, i, "]");
}

/* A letter for each test: 1 if all have passed, -1 if not; 0: something else. */
static int
is_dots(const struct ctx_command_line *l)
{
	size_t i = l->len, dots = 0;
	int bad = 0;

	for (; i > 0 && strchr(".FEsxX", l->p[i - 1]) != NULL &&
	    l->p[i - 1] != '\0'; i--) {
		dots += l->p[i - 1] == '.';
		bad |= l->p[i - 1] == 'F' || l->p[i - 1] == 'E';
	}
	if (i == l->len || (i > 0 && (i < 4 ||
	    memcmp(l->p + i - 4, ".py ", 4) != 0)) || (i == 0 && dots == 0))
		return 0;
	return bad ? -1 : 1;
}

static int
is_found(const struct ctx_command_line *l)
{
	size_t i = ctx_command_digits(l, l->indent), k;

	if (i == l->indent || l->indent == 0 || !ctx_command_at(l, i, ":"))
		return 0;
	k = ctx_command_digits(l, i + 1);
	return k > i + 1 && ctx_command_at(l, k, " ");
}

static int
is_short(const struct ctx_command_line *l)
{
	return l->len > 3 && l->p[2] == ' ' && l->p[3] != ' ' &&
	    strchr(" MADRCUT?!", l->p[0]) != NULL && l->p[0] != '\0' &&
	    strchr(" MADRCUT?!", l->p[1]) != NULL && l->p[1] != '\0' &&
	    (l->p[0] != ' ' || l->p[1] != ' ');
}

static int
is_step(const struct ctx_command_line *l)
{
	size_t i = 2;

	if (l->indent != 2)
		return 0;
	while (i < l->len && l->p[i] >= 'A' && l->p[i] <= 'Z')
		i++;
	return i >= 4 && ctx_command_at(l, i, " ");
}

/* The forms that have no text of their own. */
static int
is_form(enum how how, const struct ctx_command_line *l)
{
	size_t i;

	switch (how) {
	case COUNTER:
		return is_counter(l);
	case DOTS:
		return is_dots(l);
	case FOUND:
		return is_found(l);
	case ITEM:
		i = ctx_command_digits(l, l->indent);
		return i > l->indent && ctx_command_at(l, i, ") ");
	case SHORT:
		return is_short(l);
	default:
		return how == STEP && is_step(l);
	}
}

static int
fits(const struct ctx_command_rule *r, const struct ctx_command_line *l)
{
	size_t i = l->indent, n = strlen(r->text);

	switch (r->how) {
	case AT:
		return ctx_command_at(l, i, r->text);
	case BOL:
		return ctx_command_at(l, 0, r->text);
	case EOL:
		return ctx_command_ends(l, r->text);
	case LINE:
		return l->len == n && ctx_command_ends(l, r->text);
	case WITHIN:
		return ctx_command_within(l, r->text);
	case COLON:
		return ctx_command_at(l, l->colon, r->text);
	case HEAD:
		return ctx_command_is_head(l, r->text);
	case SHELL:
		return is_shell(l, r->text);
	case TAP:
		return ctx_command_at(l, i, r->text) &&
		    ctx_command_digits(l, i + n) > i + n;
	case TOTAL:
		n = ctx_command_digits(l, i);
		return n > i && ctx_command_at(l, n, r->text);
	case PLACE:
		return is_place(l, r->text);
	default:
		return is_form(r->how, l);
	}
}

/* --- rules --------------------------------------------------------------- */

/* A byte in a table; all that are not ASCII are one. */
static size_t
place(char c)
{
	return (unsigned char)c < 0x80 ? (unsigned char)c : 0;
}

/* Index a list of rules. */
static void
index_rules(struct ctx_command_may *may, const struct ctx_command_rule *r)
{
	uint64_t bit = 1;
	size_t i;

	memset(may, 0, sizeof(*may));
	for (; r != NULL && r->how != NONE; r++, bit <<= 1) {
		if (r->how == BOL || r->how == HEAD || r->how == LINE) {
			may->bol[place(r->text[0])] |= bit;
		} else if (r->how == AT || r->how == TAP) {
			may->at[place(r->text[0])] |= bit;
		} else if (r->how == ITEM || r->how == TOTAL ||
		    r->how == FOUND) {
			for (i = '0'; i <= '9'; i++)
				may->at[i] |= bit;
		} else if (r->how == COUNTER) {
			may->at['['] |= bit;
		} else {
			may->any |= bit;
		}
	}
}

/* l is not empty. */
static const struct ctx_command_rule *
find(const struct ctx_command_rule *r, const struct ctx_command_may *may,
    const struct ctx_command_line *l)
{
	uint64_t left = may->any | may->bol[place(l->p[0])] |
	    may->at[place(l->p[l->indent])];

	for (; left != 0; left >>= 1, r++) {
		r += __builtin_ctzll(left);
		left >>= __builtin_ctzll(left);
		if (fits(r, l))
			return r;
	}
	return NULL;
}

void
ctx_command_rules_init(struct ctx_command_rules *r, enum ctx_command kind)
{
	const struct kind *k = &kinds[kind];

	r->list[0] = k->rules;
	r->list[1] = k->more;
	r->words = k->words;
	index_rules(&r->may[0], k->rules);
	index_rules(&r->may[1], k->more);
}

const struct ctx_command_rule *
ctx_command_rule_of(const struct ctx_command_rules *r,
    const struct ctx_command_line *l)
{
	const struct ctx_command_rule *found = find(r->list[0], &r->may[0], l);

	return found != NULL ? found : find(r->list[1], &r->may[1], l);
}

int
ctx_command_rule_failed(const struct ctx_command_rule *r,
    const struct ctx_command_line *l)
{
	return r->how == DOTS && is_dots(l) == -1;
}

int
ctx_command_rule_found(const struct ctx_command_rule *r)
{
	return r->how == FOUND;
}

char
ctx_command_rule_conflict(const struct ctx_command_rule *r)
{
	return r->how == BOL && (r->text[0] == '<' || r->text[0] == '>') ?
	    r->text[0] : '\0';
}
