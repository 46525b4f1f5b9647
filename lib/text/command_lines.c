/* SPDX-License-Identifier: MIT */
/* The ranks of the lines that a command prints; see command.h. */
#include <string.h>

#include "text/command_impl.h"

#define ESC	0x1b
#define SEEN	1024	/* bytes of a line with escapes that are looked at */
#define FIRST	40	/* lines of a text that tell its kind */

/* How long the lines that explain a signal may go on. */
#define FEW	12		/* after a signal that only a word tells */
#define MANY	200

#define LOOKED	300		/* bytes of a line in which words are looked
				   for: a longer one is prose or data */

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
	SHELL,		/* its words may be the first, which a folder may precede */
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

/* Which lines explain the one before them. */
enum then {
	STOP,		/* none */
	KEEP,		/* as before */
	DEEPER,		/* with a deeper indentation */
	INSIDE,		/* the same, and blank ones among them */
	BLANK,		/* up to a blank one */
	SECTION,	/* up to one that a rule ends it with */
	NEXT,		/* the next, whatever it is */
	LATER,		/* the next without a rule */
	TRACE		/* with an indentation; the one after them is the
			   signal */
};

struct rule {
	enum how how;
	const char *text;
	enum ctx_line_rank rank;
	enum then then;
};

#include "text/command_rules.inc"

/* What is known of each kind. */
static const struct kind {
	const struct rule *rules, *more;
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

struct line {
	const char *p;		/* without its end */
	size_t len;
	size_t indent;
	size_t colon;		/* where the first ": " is, or len */
};

/* Which rules of a list may fit a line, a bit each. */
struct may {
	uint64_t bol[128];	/* by its first byte */
	uint64_t at[128];	/* by the first after its indentation */
	uint64_t any;
};

struct state {
	enum ctx_command kind;
	struct may rules, more;
	struct ctx_command_words words;
	struct ctx_buf *ranks;
	size_t from;		/* of this text, in ranks */
	int escapes, redrawn;	/* may there be any? */
	enum then then;
	size_t indent;		/* of the line that began it */
	size_t left;		/* lines that it may go on */
	int hunk;		/* in one of a diff */
	int conflict;		/* after <<<<<<< */
	char seen[SEEN];
};

/* --- forms of lines ------------------------------------------------------ */

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The end of the digits at i. */
static size_t
digits(const struct line *l, size_t i)
{
	while (i < l->len && is_digit(l->p[i]))
		i++;
	return i;
}

static int
has_at(const struct line *l, size_t i, const char *s)
{
	size_t n = strlen(s);

	return i <= l->len && l->len - i >= n && memcmp(l->p + i, s, n) == 0;
}

static int
ends(const struct line *l, const char *s)
{
	size_t n = strlen(s);

	return l->len >= n && memcmp(l->p + l->len - n, s, n) == 0;
}

/* Rules look for texts that begin with a character that is rare. */
static int
within(const struct line *l, const char *s)
{
	const char *p = l->p, *end = l->p + l->len;

	while (p < end && (p = memchr(p, s[0], (size_t)(end - p))) != NULL) {
		if (has_at(l, (size_t)(p - l->p), s))
			return 1;
		p++;
	}
	return 0;
}

static size_t
colon(const struct line *l)
{
	const char *p = l->p, *end = l->p + l->len;

	while ((p = memchr(p, ':', (size_t)(end - p))) != NULL)
		if (++p < end && *p == ' ')
			return (size_t)(p - 1 - l->p);
	return l->len;
}

/* "= NAME" after at least two more of its first character. */
static int
is_head(const struct line *l, const char *s)
{
	size_t i;

	for (i = 0; i < l->len && l->p[i] == s[0]; i++)
		;
	return i >= 3 && has_at(l, i, s + 1) && i < l->len;
}

/* Is the first word, without its folder, one of those in a list? */
static int
is_shell(const struct line *l, const char *names)
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
is_place(const struct line *l, const char *s)
{
	size_t i, n = strlen(s);

	if (l->indent > 0)
		return 0;
	for (i = 0; i < l->len && l->p[i] != ' ' && l->p[i] != '\t'; i++)
		if (l->p[i] == ':' && i > 0 && i + 1 < l->len &&
		    is_digit(l->p[i + 1]) && (n == 0 || (i + 1 >= n &&
		    memcmp(l->p + i + 1 - n, s, n) == 0))) {
			i = digits(l, i + 1);
			return i >= l->len || l->p[i] == ':';
		}
	return 0;
}

static int
is_counter(const struct line *l)
{
	size_t i = l->indent + 1, k;

	while (i < l->len && l->p[i] == ' ')
		i++;
	k = digits(l, i);
	if (k == i || !has_at(l, l->indent, "["))
		return 0;
	if (has_at(l, k, "%]"))
		return 1;
	return has_at(l, k, "/") && (i = digits(l, k + 1)) > k + 1 &&
	    has_at(l, i, "]");
}

/* A letter for each test: 1 if all have passed, -1 if not; 0: something else. */
static int
is_dots(const struct line *l)
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
is_found(const struct line *l)
{
	size_t i = digits(l, l->indent), k;

	if (i == l->indent || l->indent == 0 || !has_at(l, i, ":"))
		return 0;
	k = digits(l, i + 1);
	return k > i + 1 && has_at(l, k, " ");
}

static int
is_short(const struct line *l)
{
	return l->len > 3 && l->p[2] == ' ' && l->p[3] != ' ' &&
	    strchr(" MADRCUT?!", l->p[0]) != NULL && l->p[0] != '\0' &&
	    strchr(" MADRCUT?!", l->p[1]) != NULL && l->p[1] != '\0' &&
	    (l->p[0] != ' ' || l->p[1] != ' ');
}

static int
is_step(const struct line *l)
{
	size_t i = 2;

	if (l->indent != 2)
		return 0;
	while (i < l->len && l->p[i] >= 'A' && l->p[i] <= 'Z')
		i++;
	return i >= 4 && has_at(l, i, " ");
}

/* The forms that have no text of their own. */
static int
is_form(enum how how, const struct line *l)
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
		i = digits(l, l->indent);
		return i > l->indent && has_at(l, i, ") ");
	case SHORT:
		return is_short(l);
	default:
		return how == STEP && is_step(l);
	}
}

static int
fits(const struct rule *r, const struct line *l)
{
	size_t i = l->indent, n = strlen(r->text);

	switch (r->how) {
	case AT:
		return has_at(l, i, r->text);
	case BOL:
		return has_at(l, 0, r->text);
	case EOL:
		return ends(l, r->text);
	case LINE:
		return l->len == n && ends(l, r->text);
	case WITHIN:
		return within(l, r->text);
	case COLON:
		return has_at(l, l->colon, r->text);
	case HEAD:
		return is_head(l, r->text);
	case SHELL:
		return is_shell(l, r->text);
	case TAP:
		return has_at(l, i, r->text) && digits(l, i + n) > i + n;
	case TOTAL:
		return digits(l, i) > i && has_at(l, digits(l, i), r->text);
	case PLACE:
		return is_place(l, r->text);
	default:
		return is_form(r->how, l);
	}
}

/* --- lines that explain -------------------------------------------------- */

static void
begin(struct state *s, enum then then, const struct line *l)
{
	if (then == KEEP)
		return;
	s->then = then;
	s->indent = l->indent;
	s->left = MANY;
}

/* Is it one of the lines that explain what is above it? */
static int
explains(struct state *s, const struct line *l)
{
	if (s->then == STOP)
		return 0;
	if (s->left-- == 0 || ((s->then == DEEPER ||
	    s->then == INSIDE) && l->indent <= s->indent)) {
		s->then = STOP;
		return 0;
	}
	if (s->then == NEXT || s->then == LATER)
		s->then = STOP;
	return 1;
}

/* A part of a source that a compiler shows, a caret, a frame of a stack? */
static int
is_frame(const struct line *l)
{
	size_t i = l->indent, k;

	if (l->indent > 0 && has_at(l, i, "at "))
		return within(l, ":") || within(l, "(");
	if (l->indent > 0 && has_at(l, i, "File \""))
		return 1;
	if (l->indent > 0 && has_at(l, i, "--> "))
		return 1;
	if (has_at(l, i, "> "))
		for (i += 2; i < l->len && l->p[i] == ' '; i++)
			;
	k = digits(l, i);
	if (k > i || l->indent > 0) {
		for (i = k; i < l->len && l->p[i] == ' '; i++)
			;
		if (i < l->len && l->p[i] == '|' && (k > l->indent ||
		    i + 1 == l->len || l->p[i + 1] == ' '))
			return 1;
	}
	for (i = l->indent; i < l->len && strchr("^~- ", l->p[i]) != NULL &&
	    l->p[i] != '\0'; i++)
		;
	return l->indent > 0 && i == l->len &&
	    (has_at(l, l->indent, "^") || has_at(l, l->indent, "~"));
}

/* --- kinds --------------------------------------------------------------- */

static unsigned char *
rank_before(struct state *s)
{
	return s->ranks->len > s->from ?
	    (unsigned char *)s->ranks->data + s->ranks->len - 1 : NULL;
}

static enum ctx_line_rank
by_rule(struct state *s, const struct rule *r, const struct line *l)
{
	unsigned char *before = rank_before(s);

	if (r->how == DOTS && is_dots(l) == -1)
		return SIGNAL;
	/* the file's name is on the line above its first finding */
	if (r->how == FOUND && before != NULL && *before == PLAIN)
		*before = SIGNAL;
	begin(s, r->then, l);
	if (r->how == BOL && (r->text[0] == '<' || r->text[0] == '>'))
		s->conflict = r->text[0] == '<';
	return r->rank;
}

/* A byte in a table; all that are not ASCII are one. */
static size_t
place(char c)
{
	return (unsigned char)c < 0x80 ? (unsigned char)c : 0;
}

static void
index_rules(struct may *may, const struct rule *r)
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
static const struct rule *
find(const struct rule *r, const struct may *may, const struct line *l)
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

/* The message of a tool itself, in what only shows something. */
static int
is_complaint(const struct line *l)
{
	static const char *const begin[] = {
		"fatal: ", "error: ", "warning: ", "ls: ", "find: ", "grep: ",
		"rg: ", "cat: ", "head: ", "tail: ", "sed: "
	};
	static const char *const end[] = {
		": No such file or directory", ": No such file",
		": Permission denied", ": Is a directory", "command not found"
	};
	size_t i;

	for (i = 0; i < sizeof(begin) / sizeof(begin[0]); i++)
		if (has_at(l, 0, begin[i]))
			return 1;
	for (i = 0; i < sizeof(end) / sizeof(end[0]); i++)
		if (ends(l, end[i]))
			return 1;
	return 0;
}

/* Lines that only show something, and are no signals by their words. */
static enum ctx_line_rank
shown(struct state *s, const struct line *l)
{
	const struct rule *r = find(kinds[s->kind].rules, &s->rules, l);

	if (r != NULL)
		return by_rule(s, r, l);
	if (has_at(l, 0, "<<<<<<< ") || has_at(l, 0, ">>>>>>> ")) {
		s->conflict = l->p[0] == '<';
		return SIGNAL;
	}
	if (is_complaint(l))
		return SIGNAL;
	return explains(s, l) ? CONTEXT : PLAIN;
}

static enum ctx_line_rank
printed(struct state *s, const struct line *l)
{
	const struct kind *k = &kinds[s->kind];
	const struct rule *r;
	int explained;

	if (s->then == NEXT && explains(s, l))
		return CONTEXT;
	if (s->then == TRACE && l->indent == 0) {
		s->then = STOP;
		return SIGNAL;
	}
	if ((r = find(k->rules, &s->rules, l)) != NULL ||
	    (r = find(k->more, &s->more, l)) != NULL)
		return by_rule(s, r, l);
	if ((explained = explains(s, l)) && s->then == TRACE)
		return CONTEXT;
	if (is_frame(l))
		return CONTEXT;
	if (ctx_command_words_in(&s->words, l->p, l->len < LOOKED ? l->len :
	    LOOKED)) {
		if (s->then == STOP || (s->then == DEEPER &&
		    l->indent <= s->indent)) {
			begin(s, DEEPER, l);
			s->left = FEW;
		}
		return SIGNAL;
	}
	return explained ? CONTEXT : PLAIN;
}

/* --- diffs --------------------------------------------------------------- */

static enum ctx_line_rank
diff_head(struct state *s, const struct line *l)
{
	static const char *const heads[] = {
		"diff ", "--- ", "+++ ", "commit ", "new file ",
		"deleted file ", "rename ", "copy ", "old mode ", "new mode ",
		"Binary files ", "GIT binary patch", "Only in ", "< ", "> "
	};
	size_t i;

	s->hunk = 0;
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (has_at(l, 0, heads[i]))
			return SIGNAL;
	if (has_at(l, 0, "index ") || has_at(l, 0, "similarity index "))
		return ROUTINE;
	i = digits(l, 0);
	if (i > 0 && i < l->len && strchr(",acd", l->p[i]) != NULL &&
	    digits(l, i + 1) > i + 1)
		return SIGNAL;		/* 3,5c3 */
	if (l->indent == 1 && (within(l, " | ") || within(l, " changed, ")))
		return SIGNAL;		/* --stat */
	return is_complaint(l) ? SIGNAL : PLAIN;
}

static enum ctx_line_rank
diff_line(struct state *s, const struct line *l)
{
	unsigned char *before = rank_before(s);
	char c = l->len > 0 ? l->p[0] : ' ';

	if (has_at(l, 0, "@@")) {
		s->hunk = 1;
		return SIGNAL;
	}
	if (!s->hunk || strchr(" +-\\", c) == NULL)
		return diff_head(s, l);
	if (c == '\\')
		return ROUTINE;
	if (c == ' ') {
		s->hunk = 1 + (s->hunk == 3);
		return s->hunk == 2 ? CONTEXT : PLAIN;
	}
	if (s->hunk == 1 && before != NULL && *before == PLAIN)
		*before = CONTEXT;
	s->hunk = 3;
	return SIGNAL;
}

/* --- a text -------------------------------------------------------------- */

/* Without terminal escapes; of a line that was redrawn what is seen. */
static void
clear(struct state *s, struct line *l)
{
	size_t i, n = 0;

	for (i = l->len; s->redrawn && i > 0; i--)
		if (l->p[i - 1] == '\r') {
			l->p += i;
			l->len -= i;
			break;
		}
	if (!s->escapes || memchr(l->p, ESC, l->len) == NULL)
		return;
	for (i = 0; i < l->len && n < SEEN; i++) {
		if (l->p[i] == ESC && i + 1 < l->len && l->p[i + 1] == '[')
			for (i += 2; i < l->len && (l->p[i] < 0x40 ||
			    l->p[i] > 0x7e); i++)
				;
		else if (l->p[i] != ESC)
			s->seen[n++] = l->p[i];
	}
	l->p = s->seen;
	l->len = n;
}

/* What docker and pytest write before or after each line. */
static void
strip(enum ctx_command kind, struct line *l)
{
	size_t i, k;

	if (kind == CTX_COMMAND_DOCKER && has_at(l, 0, "#") &&
	    (i = digits(l, 1)) > 1 && has_at(l, i, " ")) {
		k = digits(l, i + 1);
		if (k > i + 1 && has_at(l, k, "."))
			i = digits(l, k + 1);
		if (has_at(l, i, " ")) {
			l->p += i + 1;
			l->len -= i + 1;
		}
	}
	if (kind == CTX_COMMAND_PYTEST && ends(l, "%]")) {
		for (i = l->len - 2; i > 0 && (is_digit(l->p[i - 1]) ||
		    l->p[i - 1] == ' '); i--)
			;
		if (i > 1 && l->p[i - 1] == '[')
			for (l->len = i - 1; l->len > 0 &&
			    l->p[l->len - 1] == ' '; l->len--)
				;
	}
}

static enum ctx_line_rank
rank(struct state *s, struct line l)
{
	while (l.len > 0 && l.p[l.len - 1] == '\r')
		l.len--;
	if (s->escapes || s->redrawn)
		clear(s, &l);
	strip(s->kind, &l);
	for (l.indent = 0; l.indent < l.len && (l.p[l.indent] == ' ' ||
	    l.p[l.indent] == '\t'); l.indent++)
		;
	if (s->kind == CTX_COMMAND_DIFF && s->hunk && l.len > 0)
		return diff_line(s, &l);
	if (l.indent == l.len) {
		if (s->then == BLANK || s->then == DEEPER || s->then == TRACE)
			s->then = STOP;
		return ROUTINE;
	}
	if (s->conflict && l.len == 7 && memcmp(l.p, "=======", 7) == 0)
		return SIGNAL;
	if (s->kind == CTX_COMMAND_DIFF)
		return diff_line(s, &l);
	if (s->kind == CTX_COMMAND_BUILD || s->kind == CTX_COMMAND_CHECK)
		l.colon = colon(&l);
	return kinds[s->kind].words ? printed(s, &l) : shown(s, &l);
}

/* The next line of a text at *p. */
static struct line
next_line(const char **p, const char *end)
{
	const char *nl = memchr(*p, '\n', (size_t)(end - *p));
	struct line l = { *p, (size_t)((nl != NULL ? nl : end) - *p),
	    0, 0 };

	*p = nl != NULL ? nl + 1 : end;
	return l;
}

/* The kind of a text that begins with a line which only one has. */
static enum ctx_command
kind_of_text(const char *p, const char *end)
{
	static const struct { const char *text; enum ctx_command kind; } is[] =
	{
		{ "diff --git ", CTX_COMMAND_DIFF },
		{ "@@ -", CTX_COMMAND_DIFF },
		{ "On branch ", CTX_COMMAND_STATUS },
		{ "=== RUN  ", CTX_COMMAND_GO },
		{ "--- PASS: ", CTX_COMMAND_GO },
		{ "--- FAIL: ", CTX_COMMAND_GO },
		{ "ok  \t", CTX_COMMAND_GO },
		{ "test result: ", CTX_COMMAND_CARGO },
		{ "   Compiling ", CTX_COMMAND_CARGO },
		{ "#1 [internal] load ", CTX_COMMAND_DOCKER },
		{ "Collecting ", CTX_COMMAND_PACKAGE },
		{ "npm warn ", CTX_COMMAND_PACKAGE },
		{ "npm WARN ", CTX_COMMAND_PACKAGE },
		{ "Reading package lists", CTX_COMMAND_PACKAGE },
	};
	struct line l;
	size_t i, n;
	int commit = 0;

	for (n = 0; n < FIRST && p < end; n++) {
		l = next_line(&p, end);
		if (is_head(&l, "= test session starts "))
			return CTX_COMMAND_PYTEST;
		if (has_at(&l, 0, "Compiling ") && ends(&l, "(.ex)"))
			return CTX_COMMAND_MIX;
		commit |= n == 0 && l.len >= 47 && has_at(&l, 0, "commit ");
		for (i = 0; i < sizeof(is) / sizeof(is[0]); i++)
			if (has_at(&l, 0, is[i].text))
				return is[i].kind;
	}
	return commit ? CTX_COMMAND_LOG : CTX_COMMAND_UNKNOWN;
}

int
ctx_command_ranks(enum ctx_command kind, const char *text, size_t len,
    struct ctx_buf *ranks)
{
	struct state s = { .kind = kind, .ranks = ranks, .from = ranks->len };
	const char *p = text, *end = len > 0 ? text + len : text;

	if (len == 0)
		return 0;
	if (kind == CTX_COMMAND_UNKNOWN)
		s.kind = kind_of_text(text, end);
	s.escapes = memchr(text, ESC, len) != NULL;
	s.redrawn = memchr(text, '\r', len) != NULL;
	/* some tools show what changed without a header */
	s.hunk = kind == CTX_COMMAND_DIFF && strchr(" +-", *p) != NULL &&
	    *p != '\0' && !(len > 3 && memcmp(p, "--- ", 4) == 0);
	ctx_command_words_init(&s.words);
	index_rules(&s.rules, kinds[s.kind].rules);
	index_rules(&s.more, kinds[s.kind].more);
	while (p < end)
		if (ctx_buf_addc(ranks, (char)rank(&s,
		    next_line(&p, end))) == -1)
			return -1;
	return 0;
}
