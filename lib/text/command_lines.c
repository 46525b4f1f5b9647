/* SPDX-License-Identifier: MIT */
/* The ranks of the lines that a command prints; see command.h. */
#include <string.h>

#include "text/command_forms.h"

#define ROUTINE	CTX_LINE_ROUTINE
#define PLAIN	CTX_LINE_PLAIN
#define CONTEXT	CTX_LINE_CONTEXT
#define SIGNAL	CTX_LINE_SIGNAL

#define ESC	0x1b
#define SEEN	1024	/* bytes of a line with escapes that are looked at */
#define FIRST	40	/* lines of a text that tell its kind */

/* How long the lines that explain a signal may go on. */
#define FEW	12		/* after a signal that only a word tells */
#define MANY	200

#define LOOKED	300		/* bytes of a line in which words are looked
				   for: a longer one is prose or data */

struct state {
	enum ctx_command kind;
	struct ctx_command_rules rules;
	struct ctx_command_words words;
	struct ctx_buf *ranks;
	size_t from;		/* of this text, in ranks */
	int escapes, redrawn;	/* may there be any? */
	enum ctx_command_then then;
	size_t indent;		/* of the line that began it */
	size_t left;		/* lines that it may go on */
	int hunk;		/* in one of a diff */
	int conflict;		/* after <<<<<<< */
	char seen[SEEN];
};

/* --- lines that explain -------------------------------------------------- */

static void
begin(struct state *s, enum ctx_command_then then,
    const struct ctx_command_line *l)
{
	if (then == CTX_THEN_KEEP)
		return;
	s->then = then;
	s->indent = l->indent;
	s->left = MANY;
}

/* Is it one of the lines that explain what is above it? */
static int
explains(struct state *s, const struct ctx_command_line *l)
{
	if (s->then == CTX_THEN_STOP)
		return 0;
	if (s->left-- == 0 || ((s->then == CTX_THEN_DEEPER ||
	    s->then == CTX_THEN_INSIDE) && l->indent <= s->indent)) {
		s->then = CTX_THEN_STOP;
		return 0;
	}
	if (s->then == CTX_THEN_NEXT || s->then == CTX_THEN_LATER)
		s->then = CTX_THEN_STOP;
	return 1;
}

/* A part of a source that a compiler shows, a caret, a frame of a stack? */
static int
is_frame(const struct ctx_command_line *l)
{
	size_t i = l->indent, k;

	if (l->indent > 0 && ctx_command_at(l, i, "at "))
		return ctx_command_within(l, ":") || ctx_command_within(l, "(");
	if (l->indent > 0 && ctx_command_at(l, i, "File \""))
		return 1;
	if (l->indent > 0 && ctx_command_at(l, i, "--> "))
		return 1;
	if (ctx_command_at(l, i, "> "))
		for (i += 2; i < l->len && l->p[i] == ' '; i++)
			;
	k = ctx_command_digits(l, i);
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
	    (ctx_command_at(l, l->indent, "^") ||
	    ctx_command_at(l, l->indent, "~"));
}

/* --- kinds --------------------------------------------------------------- */

static unsigned char *
rank_before(struct state *s)
{
	return s->ranks->len > s->from ?
	    (unsigned char *)s->ranks->data + s->ranks->len - 1 : NULL;
}

static enum ctx_line_rank
by_rule(struct state *s, const struct ctx_command_rule *r,
    const struct ctx_command_line *l)
{
	unsigned char *before = rank_before(s);

	if (ctx_command_rule_failed(r, l))
		return SIGNAL;
	/* the file's name is on the line above its first finding */
	if (ctx_command_rule_found(r) && before != NULL && *before == PLAIN)
		*before = SIGNAL;
	begin(s, r->then, l);
	if (ctx_command_rule_conflict(r) != '\0')
		s->conflict = ctx_command_rule_conflict(r) == '<';
	return r->rank;
}

/* The message of a tool itself, in what only shows something. */
static int
is_complaint(const struct ctx_command_line *l)
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
		if (ctx_command_at(l, 0, begin[i]))
			return 1;
	for (i = 0; i < sizeof(end) / sizeof(end[0]); i++)
		if (ctx_command_ends(l, end[i]))
			return 1;
	return 0;
}

/* Lines that only show something, and are no signals by their words. */
static enum ctx_line_rank
shown(struct state *s, const struct ctx_command_line *l)
{
	const struct ctx_command_rule *r = ctx_command_rule_of(&s->rules, l);

	if (r != NULL)
		return by_rule(s, r, l);
	if (ctx_command_at(l, 0, "<<<<<<< ") ||
	    ctx_command_at(l, 0, ">>>>>>> ")) {
		s->conflict = l->p[0] == '<';
		return SIGNAL;
	}
	if (is_complaint(l))
		return SIGNAL;
	return explains(s, l) ? CONTEXT : PLAIN;
}

static enum ctx_line_rank
printed(struct state *s, const struct ctx_command_line *l)
{
	const struct ctx_command_rule *r;
	int explained;

	if (s->then == CTX_THEN_NEXT && explains(s, l))
		return CONTEXT;
	if (s->then == CTX_THEN_TRACE && l->indent == 0) {
		s->then = CTX_THEN_STOP;
		return SIGNAL;
	}
	if ((r = ctx_command_rule_of(&s->rules, l)) != NULL)
		return by_rule(s, r, l);
	if ((explained = explains(s, l)) && s->then == CTX_THEN_TRACE)
		return CONTEXT;
	if (is_frame(l))
		return CONTEXT;
	if (ctx_command_words_in(&s->words, l->p, l->len < LOOKED ? l->len :
	    LOOKED)) {
		if (s->then == CTX_THEN_STOP || (s->then == CTX_THEN_DEEPER &&
		    l->indent <= s->indent)) {
			begin(s, CTX_THEN_DEEPER, l);
			s->left = FEW;
		}
		return SIGNAL;
	}
	return explained ? CONTEXT : PLAIN;
}

/* --- diffs --------------------------------------------------------------- */

static enum ctx_line_rank
diff_head(struct state *s, const struct ctx_command_line *l)
{
	static const char *const heads[] = {
		"diff ", "--- ", "+++ ", "commit ", "new file ",
		"deleted file ", "rename ", "copy ", "old mode ", "new mode ",
		"Binary files ", "GIT binary patch", "Only in ", "< ", "> "
	};
	size_t i;

	s->hunk = 0;
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (ctx_command_at(l, 0, heads[i]))
			return SIGNAL;
	if (ctx_command_at(l, 0, "index ") ||
	    ctx_command_at(l, 0, "similarity index "))
		return ROUTINE;
	i = ctx_command_digits(l, 0);
	if (i > 0 && i < l->len && strchr(",acd", l->p[i]) != NULL &&
	    ctx_command_digits(l, i + 1) > i + 1)
		return SIGNAL;		/* 3,5c3 */
	if (l->indent == 1 && (ctx_command_within(l, " | ") ||
	    ctx_command_within(l, " changed, ")))
		return SIGNAL;		/* --stat */
	return is_complaint(l) ? SIGNAL : PLAIN;
}

static enum ctx_line_rank
diff_line(struct state *s, const struct ctx_command_line *l)
{
	unsigned char *before = rank_before(s);
	char c = l->len > 0 ? l->p[0] : ' ';

	if (ctx_command_at(l, 0, "@@")) {
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
clear(struct state *s, struct ctx_command_line *l)
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
strip(enum ctx_command kind, struct ctx_command_line *l)
{
	size_t i, k;

	if (kind == CTX_COMMAND_DOCKER && ctx_command_at(l, 0, "#") &&
	    (i = ctx_command_digits(l, 1)) > 1 && ctx_command_at(l, i, " ")) {
		k = ctx_command_digits(l, i + 1);
		if (k > i + 1 && ctx_command_at(l, k, "."))
			i = ctx_command_digits(l, k + 1);
		if (ctx_command_at(l, i, " ")) {
			l->p += i + 1;
			l->len -= i + 1;
		}
	}
	if (kind == CTX_COMMAND_PYTEST && ctx_command_ends(l, "%]")) {
		for (i = l->len - 2; i > 0 && ((l->p[i - 1] >= '0' &&
		    l->p[i - 1] <= '9') || l->p[i - 1] == ' '); i--)
			;
		if (i > 1 && l->p[i - 1] == '[')
			for (l->len = i - 1; l->len > 0 &&
			    l->p[l->len - 1] == ' '; l->len--)
				;
	}
}

static enum ctx_line_rank
rank(struct state *s, struct ctx_command_line l)
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
		if (s->then == CTX_THEN_BLANK || s->then == CTX_THEN_DEEPER ||
		    s->then == CTX_THEN_TRACE)
			s->then = CTX_THEN_STOP;
		return ROUTINE;
	}
	if (s->conflict && l.len == 7 && memcmp(l.p, "=======", 7) == 0)
		return SIGNAL;
	if (s->kind == CTX_COMMAND_DIFF)
		return diff_line(s, &l);
	if (s->kind == CTX_COMMAND_BUILD || s->kind == CTX_COMMAND_CHECK)
		l.colon = ctx_command_colon(&l);
	return s->rules.words ? printed(s, &l) : shown(s, &l);
}

/* The next line of a text at *p. */
static struct ctx_command_line
next_line(const char **p, const char *end)
{
	const char *nl = memchr(*p, '\n', (size_t)(end - *p));
	struct ctx_command_line l = {
		*p, (size_t)((nl != NULL ? nl : end) - *p), 0, 0
	};

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
	struct ctx_command_line l;
	size_t i, n;
	int commit = 0;

	for (n = 0; n < FIRST && p < end; n++) {
		l = next_line(&p, end);
		if (ctx_command_is_head(&l, "= test session starts "))
			return CTX_COMMAND_PYTEST;
		if (ctx_command_at(&l, 0, "Compiling ") &&
		    ctx_command_ends(&l, "(.ex)"))
			return CTX_COMMAND_MIX;
		commit |= n == 0 && l.len >= 47 &&
		    ctx_command_at(&l, 0, "commit ");
		for (i = 0; i < sizeof(is) / sizeof(is[0]); i++)
			if (ctx_command_at(&l, 0, is[i].text))
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
	ctx_command_rules_init(&s.rules, s.kind);
	while (p < end)
		if (ctx_buf_addc(ranks, (char)rank(&s,
		    next_line(&p, end))) == -1)
			return -1;
	return 0;
}
