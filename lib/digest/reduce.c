/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "digest/literal.h"
#include "digest/reduce.h"

#define DEPTH_MAX	32	/* strings inside code inside strings */
#define HERE_MAX	4	/* here-documents that one line may open */
#define WORD_MAX	48	/* longest string contents that are kept */
#define REGEX_MAX	500	/* bytes of a regular expression */
#define GIVE_UP		4	/* futile searches for a missing end */

#define INTERPOLATES	(CTX_L_IN_DOLLAR | CTX_L_IN_HASH | CTX_L_IN_PAREN)

struct string {
	char quote;
	unsigned triple:1, escapes:1, lines:1, interp:1;
};

struct nested {			/* code within a string */
	struct string s;
	char open, close;
	unsigned depth;
};

struct here {
	const char *word;
	size_t len;
	int indent;
};

struct reduce {
	const struct ctx_lang *lang;
	uint64_t flags;
	const char *src, *p, *end;
	char *base, *o;			/* output, never longer than the
					 * input so far */
	struct nested stack[DEPTH_MAX];
	size_t nstack;
	struct here here[HERE_MAX];
	size_t nhere;
	/*
	 * Where the outermost open string began.  If its end never comes, its
	 * quote is treated as an ordinary character, and reading resumes after
	 * it.
	 */
	const char *mark;
	char *omark;
	unsigned lost;
	unsigned char special[256];
};

static int
is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	    c == '_' || c >= 0x80;
}

static int
is_in(const char *set, char c)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static int
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Does the text at p begin with s? */
static int
at(const struct reduce *r, const char *p, const char *s)
{
	size_t n;

	n = strlen(s);
	return (size_t)(r->end - p) >= n && memcmp(p, s, n) == 0;
}

/* The byte n before p in the source; '\n' before the start of the source. */
static char
before(const struct reduce *r, const char *p, ptrdiff_t n)
{
	return p - r->src >= n ? p[-n] : '\n';
}

static const char *
line_end(const struct reduce *r, const char *p)
{
	const char *nl;

	nl = memchr(p, '\n', (size_t)(r->end - p));
	return nl == NULL ? r->end : nl;
}

/* Skip [p, to), keeping only its newlines. */
static void
drop(struct reduce *r, const char *to)
{
	const char *nl;

	while (r->p < to &&
	    (nl = memchr(r->p, '\n', (size_t)(to - r->p))) != NULL) {
		*r->o++ = '\n';
		r->p = nl + 1;
	}
	r->p = to;
}

static void
keep(struct reduce *r, size_t n)
{
	if (n > (size_t)(r->end - r->p))
		n = (size_t)(r->end - r->p);
	memmove(r->o, r->p, n);
	r->o += n;
	r->p += n;
}

static int
try_comment(struct reduce *r)
{
	const struct ctx_lang *l = r->lang;
	const char *to;
	char last;
	int i;

	if (l->open != NULL && at(r, r->p, l->open)) {
		drop(r, ctx_literal_comment(r->p, r->end, l->open,
		    l->close, (r->flags & CTX_L_NEST) != 0));
		*r->o++ = ' ';
		return 1;
	}
	for (i = 0; i < 2 && l->line[i] != NULL; i++) {
		if (!at(r, r->p, l->line[i]))
			continue;
		last = before(r, r->p, 1);
		if (*r->p == '#' && r->flags & CTX_L_HASH_WORD &&
		    !is_blank(last) && !is_in("\n;(&|)", last))
			continue;
		to = line_end(r, r->p);
		if (r->flags & CTX_L_LONG && r->p + 2 < r->end &&
		    r->p[2] == '[') {
			to = ctx_literal_long(r->p + 2, r->end);
			if (to == NULL)
				to = line_end(r, r->p);
		} else if (r->flags & CTX_L_TAGS) {
			const char *tag = r->p;

			while ((tag = memchr(tag, '?',
			    (size_t)(to - tag))) != NULL && !at(r, tag, "?>"))
				tag++;
			if (tag != NULL)
				to = tag;
		}
		drop(r, to);
		return 1;
	}
	return 0;
}

/* Are the string's contents [p, to) a single word, which patterns may need? */
static int
is_name(const char *p, const char *to)
{
	if (to == p || to - p > WORD_MAX)
		return 0;
	for (; p < to; p++)
		if (!is_word((unsigned char)*p) &&
		    !is_in(".-$%|+<>=&*^!~@:/?", *p))
			return 0;
	return 1;
}

/* Does code begin at p, in a string that may contain code? */
static int
code_begins(const struct reduce *r, const char *p)
{
	if (p + 1 >= r->end || r->nstack == DEPTH_MAX)
		return 0;
	return (*p == '$' && p[1] == '{' && r->flags & CTX_L_IN_DOLLAR) ||
	    (*p == '#' && p[1] == '{' && r->flags & CTX_L_IN_HASH) ||
	    (*p == '$' && p[1] == '(' && r->flags & CTX_L_IN_PAREN);
}

/* Continue with the code at p in string s. */
static void
push_code(struct reduce *r, const struct string *s, const char *p)
{
	struct nested *n = &r->stack[r->nstack++];

	n->s = *s;
	n->open = p[1];
	n->close = p[1] == '{' ? '}' : ')';
	n->depth = 0;
	drop(r, p);
	keep(r, 2);
}

static void
close_string(struct reduce *r, const struct string *s, const char *p)
{
	if (is_name(r->p, p))
		keep(r, (size_t)(p - r->p));
	drop(r, p);
	*r->o++ = s->quote;
	r->p = p + (s->triple ? 3 : 1);
}

/*
 * String s never ends: treat its quote as an ordinary character, unless that
 * has happened too often.
 */
static void
no_end(struct reduce *r, const struct string *s)
{
	if (r->lost >= GIVE_UP || !s->lines) {
		drop(r, r->end);
		return;
	}
	r->lost++;
	r->p = r->mark;
	r->o = r->omark;
	r->nstack = 0;
	r->nhere = 0;
	keep(r, 1);
}

/*
 * Read the string s from r->p, after its opening quote or after code in it, up
 * to its end or to code that it contains, which is pushed.
 */
static void
read_string(struct reduce *r, const struct string *s)
{
	const char *p;

	for (p = r->p; p < r->end; p++) {
		if (*p == s->quote && (!s->triple || (r->end - p >= 3 &&
		    p[1] == s->quote && p[2] == s->quote))) {
			close_string(r, s, p);
			return;
		}
		if (*p == '\\' && s->escapes && p + 1 < r->end)
			p++;
		else if (*p == '\n' && !s->lines) {
			drop(r, p);
			return;
		} else if (s->interp && code_begins(r, p)) {
			push_code(r, s, p);
			return;
		}
	}
	no_end(r, s);
}

/*
 * Write two quotes for the literal [r->p, to), unless they are longer than it.
 */
static void
quoted(struct reduce *r, const char *to)
{
	char quote = *r->p;
	int i;

	drop(r, to);
	for (i = 0; i < 2 && r->o - r->base < r->p - r->src; i++)
		*r->o++ = quote;
}

/* The end of the literal at r->p, if it is one other than a string; or NULL. */
static const char *
literal_end(const struct reduce *r)
{
	if (*r->p == '"' && r->flags & CTX_L_RAW_PAREN &&
	    (before(r, r->p, 1) | 32) == 'r')
		return ctx_literal_raw_paren(r->p, r->end);
	if (*r->p == '"' && r->flags & CTX_L_RAW_HASH)
		return ctx_literal_raw_hash(r->p, r->src, r->end);
	if (*r->p == '\'' && r->flags & CTX_L_CHAR)
		return ctx_literal_char(r->p, r->end);
	return NULL;
}

/* The kind of string whose quote is at r->p. */
static struct string
string_at(const struct reduce *r)
{
	struct string s = { .quote = *r->p };
	char last = before(r, r->p, 1);
	uint64_t f = r->flags;

	s.escapes = !(f & CTX_L_PLAIN) &&
	    !(s.quote == '\'' && f & CTX_L_PLAIN_SQ && last != '$');
	s.lines = s.quote == '`' || (s.quote == '"' && f & CTX_L_DQ_LINES) ||
	    (s.quote == '\'' && f & CTX_L_SQ_LINES);
	s.interp = s.quote != '\'' && (f & INTERPOLATES) != 0;
	if (s.quote == '`' && f & CTX_L_PLAIN_SQ)
		s.escapes = 0;
	if (f & CTX_L_VERBATIM && s.quote == '"' && (last == '@' ||
	    (last == '$' && before(r, r->p, 2) == '@'))) {
		s.escapes = 0;
		s.lines = 1;
	}
	if (f & CTX_L_TRIPLE && r->end - r->p >= 3 &&
	    r->p[1] == s.quote && r->p[2] == s.quote)
		s.triple = s.lines = 1;
	return s;
}

static int
try_string(struct reduce *r)
{
	const char *to = literal_end(r);
	struct string s;

	if (to != NULL) {
		quoted(r, to);
		return 1;
	}
	if (*r->p == '\'' && r->flags & CTX_L_CHAR)
		return 0;		/* part of a name */
	s = string_at(r);
	if (r->nstack == 0) {
		r->mark = r->p;
		r->omark = r->o;
	}
	*r->o++ = s.quote;
	r->p += s.triple ? 3 : 1;
	read_string(r, &s);
	return 1;
}

/*
 * May a value begin here, so that / or % opens a literal?  This is judged by
 * what was written last; word says whether a space before the sign and none
 * after it also means yes (Ruby's puts /x/).
 */
static int
value_may_stand(const struct reduce *r, int word)
{
	static const char *const words[] = { "return", "typeof", "case", "in",
	    "of", "do", "else", "void", "delete", "if", "unless", "when",
	    "and", "or", "not", "while", "until", "elsif", "puts", "split" };
	const char *o = r->o, *b;
	size_t i, n;

	while (o > r->base && (is_blank(o[-1]) || o[-1] == '\n'))
		o--;
	if (o == r->base || is_in("(,=:[!&|?{};+-*%~^<>", o[-1]))
		return 1;
	if (!is_word((unsigned char)o[-1]))
		return 0;
	for (b = o; b > r->base && o - b < 8 && is_word((unsigned char)b[-1]); )
		b--;
	n = (size_t)(o - b);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == n && memcmp(words[i], b, n) == 0)
			return 1;
	return word && o != r->o && r->p + 1 < r->end && r->p[1] != ' ' &&
	    r->p[1] != '=';
}

static int
try_regex(struct reduce *r)
{
	const char *p, *max;
	int set = 0;

	if (!value_may_stand(r, (r->flags & CTX_L_PERCENT) != 0))
		return 0;
	max = r->end - r->p > REGEX_MAX ? r->p + REGEX_MAX : r->end;
	for (p = r->p + 1; p < max && *p != '\n'; p++) {
		if (*p == '\\' && p + 1 < max)
			p++;
		else if (*p == '[')
			set = 1;
		else if (*p == ']')
			set = 0;
		else if (*p == '/' && !set) {
			quoted(r, p + 1);
			return 1;
		}
	}
	return 0;
}

/* Ruby's %w[a b], %q(x), %(x). */
static int
try_percent(struct reduce *r)
{
	const char *p = r->p + 1, *to;

	if (r->lost >= GIVE_UP || !value_may_stand(r, 1))
		return 0;
	if (p < r->end && is_in("wWiIqQrxs", *p))
		p++;
	if (p >= r->end || !is_in("([{<|!/", *p))
		return 0;
	if ((to = ctx_literal_delimited(p, r->end)) == NULL) {
		r->lost++;
		return 0;
	}
	quoted(r, to);
	return 1;
}

/*
 * The number of parts of the Perl operator called p[0 .. n), as in s{1}{2}; 0
 * if it is not one.
 */
static int
qlike_parts(const char *p, size_t n)
{
	static const struct {
		const char *word;
		int parts;
	} ops[] = {
		{ "q", 1 }, { "qq", 1 }, { "qw", 1 }, { "qr", 1 },
		{ "qx", 1 }, { "m", 1 }, { "s", 2 }, { "tr", 2 }, { "y", 2 },
	};
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (strlen(ops[i].word) == n && memcmp(ops[i].word, p, n) == 0)
			return ops[i].parts;
	return 0;
}

/*
 * The end of the parts that begin with a delimiter at p; NULL if they never
 * end.
 */
static const char *
qlike_end(const struct reduce *r, const char *p, int parts)
{
	const char *to = ctx_literal_delimited(p, r->end);

	if (to == NULL || parts == 1)
		return to;
	/* each part has its own brackets; other delimiters are shared */
	if (!is_in("([{<", *p))
		to--;
	else
		while (to < r->end && (is_blank(*to) || *to == '\n'))
			to++;
	return to < r->end ? ctx_literal_delimited(to, r->end) : NULL;
}

/* Perl's q qq qw qr qx m s tr y with any delimiter. */
static int
try_qlike(struct reduce *r)
{
	const char *p = r->p, *to;
	size_t n;
	char last = before(r, p, 1);
	int parts;

	if (is_word((unsigned char)last) || is_in("$@%&>-", last))
		return 0;
	for (n = 0; n < 3 && p + n < r->end && is_word((unsigned char)p[n]); )
		n++;
	if ((parts = qlike_parts(p, n)) == 0 || r->lost >= GIVE_UP)
		return 0;
	p += n;
	while (p < r->end && *p == ' ')
		p++;
	if (p == r->end || !is_in("([{</|!#^~\"'@", *p) ||
	    (*p == '#' && p[-1] == ' '))
		return 0;
	if ((to = qlike_end(r, p, parts)) == NULL) {
		r->lost++;
		return 0;
	}
	drop(r, to);
	*r->o++ = '"';
	*r->o++ = '"';
	return 1;
}

/* The end of the word of h at p, quoted or not; NULL if there is none. */
static const char *
here_word(const struct reduce *r, const char *p, struct here *h)
{
	char quote = p < r->end && is_in("'\"\\`", *p) ? *p++ : '\0';
	int spaced = quote == '"' || quote == '\'';

	h->word = p;
	while (p < r->end && (is_word((unsigned char)*p) ||
	    (spaced && *p != quote && *p != '\n')))
		p++;
	h->len = (size_t)(p - h->word);
	if (h->len == 0 || (*h->word >= '0' && *h->word <= '9'))
		return NULL;
	if (!h->indent && quote == '\0' && *h->word >= 'a' &&
	    r->flags & CTX_L_HERE_SHIFT)
		return NULL;
	if (spaced || quote == '`')
		p += p < r->end && *p == quote;
	return p;
}

/* Record the here-document that << at r->p announces; 0 if there is none. */
static int
try_here(struct reduce *r)
{
	int php = (r->flags & CTX_L_HERE_PHP) != 0;
	struct here h = { .indent = php };
	const char *p = r->p + (php ? 3 : 2);

	if (r->nhere == HERE_MAX || r->lost >= GIVE_UP ||
	    !at(r, r->p, php ? "<<<" : "<<"))
		return 0;
	if (!php && at(r, r->p, "<<<")) {
		keep(r, 3);			/* a here-string */
		return 1;
	}
	if (p < r->end && (*p == '-' || *p == '~')) {
		h.indent = 1;
		p++;
	}
	while (r->flags & CTX_L_HERE_SPACE && p < r->end && *p == ' ')
		p++;
	if ((p = here_word(r, p, &h)) == NULL)
		return 0;
	r->here[r->nhere++] = h;
	r->p = p;
	*r->o++ = '"';
	*r->o++ = '"';
	return 1;
}

/* r->p is at the first line of a here-document; skip all of it. */
static void
skip_here(struct reduce *r, const struct here *h)
{
	const char *p = r->p, *q;

	while (p < r->end) {
		q = p;
		while (h->indent && q < r->end && is_blank(*q))
			q++;
		if ((size_t)(r->end - q) >= h->len &&
		    memcmp(q, h->word, h->len) == 0 && (q + h->len == r->end ||
		    !is_word((unsigned char)q[h->len]))) {
			drop(r, q + h->len);
			return;
		}
		p = line_end(r, p);
		if (p < r->end)
			p++;
	}
	r->lost++;
}

/*
 * #if and related directives keep their word for ctx_scope; others are
 * removed.
 */
static void
directive(struct reduce *r)
{
	const char *p = r->p + 1, *to = r->p;

	while (p < r->end && is_blank(*p))
		p++;
	while (to < r->end) {			/* lines that are continued */
		to = line_end(r, to);
		if (to == r->end || to[-1] != '\\')
			break;
		to++;
	}
	if (at(r, p, "if")) {
		while (p < to && *p != ' ' && *p != '\t' && *p != '(')
			p++;
		while (p < to && is_blank(*p))
			p++;
		memcpy(r->o, "#i", 2);
		r->o += 2;
		if (p < to && *p == '0' &&
		    (p + 1 == to || !is_word((unsigned char)p[1])))
			*r->o++ = '0';
	} else if (at(r, p, "el") || at(r, p, "endif")) {
		*r->o++ = '#';
		*r->o++ = *p == 'e' && p[1] == 'n' ? 'x' : 'e';
	}
	drop(r, to);
}

/*
 * Handle what depends on the start of a line.  Returns 1 if the line was
 * consumed.
 */
static int
line_start(struct reduce *r)
{
	const char *p;
	size_t i;

	for (i = 0; i < r->nhere; i++)
		skip_here(r, &r->here[i]);
	r->nhere = 0;
	if (r->p == r->end)
		return 1;
	if (r->flags & CTX_L_POD && *r->p == '=' && r->p + 1 < r->end &&
	    is_word((unsigned char)r->p[1])) {
		for (p = line_end(r, r->p); p < r->end; p = line_end(r, p + 1))
			if (at(r, p, "\n=end") || at(r, p, "\n=cut"))
				break;
		drop(r, p < r->end ? line_end(r, p + 1) : p);
		return 1;
	}
	if (r->flags & (CTX_L_POD) && at(r, r->p, "__END__")) {
		drop(r, r->end);
		return 1;
	}
	if (r->flags & CTX_L_COPY)
		drop(r, ctx_literal_copy(r->p, r->end));
	for (p = r->p; p < r->end && is_blank(*p); p++)
		continue;
	if (p == r->end)
		return 0;
	if (r->flags & CTX_L_CPP && *p == '#') {
		r->p = p;
		directive(r);
		return 1;
	}
	if (r->flags & CTX_L_FENCE && (at(r, p, "```") || at(r, p, "~~~"))) {
		drop(r, ctx_literal_fence(p, r->end));
		return 1;
	}
	return 0;
}

/* PHP: text outside of <?php ... ?> is not code. */
static void
skip_outside(struct reduce *r)
{
	const char *p;

	for (p = r->p; (p = memchr(p, '<', (size_t)(r->end - p))) != NULL; p++)
		if (at(r, p, "<?php") || at(r, p, "<?=") || at(r, p, "<? "))
			break;
	drop(r, p == NULL ? r->end : p + 2);
	if (at(r, r->p, "php"))
		r->p += 3;
}

static void
set_special(struct reduce *r)
{
	const struct ctx_lang *l = r->lang;
	uint64_t f = r->flags;
	unsigned char *t = r->special;
	const char *p;
	int i;

	for (i = 0; i < 2 && l->line[i] != NULL; i++)
		t[(unsigned char)*l->line[i]] = 1;
	if (l->open != NULL)
		t[(unsigned char)*l->open] = 1;
	t['"'] = (f & (CTX_L_DQ | CTX_L_DQ_LINES)) != 0;
	t['\''] = (f & (CTX_L_SQ | CTX_L_SQ_LINES | CTX_L_CHAR)) != 0;
	t['`'] = (f & CTX_L_BQ) != 0;
	t['\\'] = 1;
	t['\n'] = (f & (CTX_L_HERE | CTX_L_HERE_PHP | CTX_L_CPP | CTX_L_POD |
	    CTX_L_FENCE | CTX_L_COPY)) != 0;
	t['/'] |= (f & CTX_L_REGEX) != 0;
	t['%'] |= (f & CTX_L_PERCENT) != 0;
	t['<'] |= (f & (CTX_L_HERE | CTX_L_HERE_PHP)) != 0;
	t['['] |= (f & CTX_L_LONG) != 0;
	t['?'] |= (f & CTX_L_TAGS) != 0;
	if (f & INTERPOLATES)
		t['{'] = t['}'] = t['('] = t[')'] = 1;
	if (f & CTX_L_QLIKE)
		for (p = "qmsty"; *p != '\0'; p++)
			t[(unsigned char)*p] = 1;
}

/* Count braces of code within a string; the last one returns to the string. */
static int
nested(struct reduce *r)
{
	struct nested *n;
	struct string s;

	if (r->nstack == 0)
		return 0;
	n = &r->stack[r->nstack - 1];
	if (*r->p == n->open)
		n->depth++;
	else if (*r->p == n->close && n->depth-- == 0) {
		s = n->s;
		r->nstack--;
		keep(r, 1);
		read_string(r, &s);
		return 1;
	}
	return 0;
}

/* Lua's [==[ ... ]==]. */
static int
try_long(struct reduce *r)
{
	const char *to = ctx_literal_long(r->p, r->end);

	if (to == NULL)
		return 0;
	drop(r, to);
	*r->o++ = '"';
	return 1;
}

/* Handle a special character; returns 1 if it was one. */
static int
special(struct reduce *r)
{
	uint64_t f = r->flags;

	switch (*r->p) {
	case '\n':
		keep(r, 1);
		line_start(r);
		return 1;
	case '\\':
		keep(r, r->p + 1 < r->end && r->p[1] == '\n' ? 1 : 2);
		return 1;
	case '{': case '}': case '(': case ')':
		if (nested(r))
			return 1;
		break;
	case '?':
		if (f & CTX_L_TAGS && at(r, r->p, "?>")) {
			keep(r, 2);
			skip_outside(r);
			return 1;
		}
		break;
	case '<':
		if (f & (CTX_L_HERE | CTX_L_HERE_PHP) && try_here(r))
			return 1;
		break;
	case '[':
		if (f & CTX_L_LONG && try_long(r))
			return 1;
		break;
	}
	if (try_comment(r))
		return 1;
	if ((*r->p == '"' || *r->p == '\'' || *r->p == '`') && try_string(r))
		return 1;
	if (*r->p == '/' && f & CTX_L_REGEX && try_regex(r))
		return 1;
	if (*r->p == '%' && f & CTX_L_PERCENT && try_percent(r))
		return 1;
	return f & CTX_L_QLIKE && try_qlike(r);
}

int
ctx_reduce(struct ctx_buf *out, const struct ctx_lang *lang, const char *src,
    size_t len)
{
	struct reduce r = { .lang = lang, .flags = lang->flags, .src = src,
	    .p = src, .end = src + len };
	const char *q;

	if (ctx_buf_reserve(out, len + 1) == -1)
		return -1;
	r.base = r.o = out->data + out->len;
	set_special(&r);
	if (r.flags & CTX_L_TAGS)
		skip_outside(&r);
	else
		line_start(&r);
	while (r.p < r.end) {
		for (q = r.p; q < r.end && !r.special[(unsigned char)*q]; q++)
			continue;
		keep(&r, (size_t)(q - r.p));
		if (r.p < r.end && !special(&r))
			keep(&r, 1);
	}
	out->len += (size_t)(r.o - r.base);
	return 0;
}
