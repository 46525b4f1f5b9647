/* SPDX-License-Identifier: MIT */
/* Words for what went wrong; see command_impl.h. */
#include "text/command_impl.h"

#include <string.h>

/* What a word says.  From NOT on it says something to the word after it. */
enum says {
	NOTHING,
	WRONG,		/* by itself */
	CODE,		/* after "exit": code */
	COUNTED,	/* after a number: passed */
	DUMPED,		/* after "core" and the like */
	FOUND,		/* after "not" */
	MEMORY,		/* after "out of" */
	SUCH,		/* after "no" */
	WITH,		/* it changes nothing: exited with code */
	NOT, NO, NONE, EXIT, COULD, TIMED, OUT, CORE, NUMBER, ZERO
};

#define WORD(s, says)	{ s, sizeof(s) - 1, says }

/* Ordered by their first letters. */
static const struct word {
	const char *text;
	size_t len;
	enum says says;
} words[] = {
	WORD("aborted", WRONG), WORD("aborting", WRONG), WORD("any", NONE),
	WORD("allowed", FOUND), WORD("assertion", WRONG),
	WORD("broken", WRONG), WORD("bus", CORE),
	WORD("can't", WRONG), WORD("cannot", WRONG), WORD("code", CODE),
	WORD("conflict", WRONG), WORD("conflicting", WRONG),
	WORD("conflicts", WRONG), WORD("core", CORE), WORD("corrupt", WRONG),
	WORD("corrupted", WRONG), WORD("could", COULD),
	WORD("couldn't", WRONG), WORD("crashed", WRONG),
	WORD("critical", WRONG),
	WORD("deadlock", WRONG), WORD("defined", FOUND),
	WORD("denied", WRONG), WORD("dumped", DUMPED),
	WORD("error", WRONG), WORD("errors", WRONG), WORD("exceeded", WRONG),
	WORD("exception", WRONG), WORD("exceptions", WRONG),
	WORD("exist", FOUND), WORD("exit", EXIT), WORD("exited", EXIT),
	WORD("expired", WRONG),
	WORD("fail", WRONG), WORD("failed", WRONG), WORD("failing", WRONG),
	WORD("fails", WRONG), WORD("failure", WRONG), WORD("failures", WRONG),
	WORD("fatal", WRONG), WORD("fault", DUMPED), WORD("forbidden", WRONG),
	WORD("found", FOUND),
	WORD("illegal", WRONG), WORD("implemented", FOUND),
	WORD("incompatible", WRONG), WORD("installed", FOUND),
	WORD("invalid", WRONG),
	WORD("killed", WRONG),
	WORD("leaked", WRONG), WORD("leaks", WRONG),
	WORD("malformed", WRONG), WORD("matching", SUCH),
	WORD("memory", MEMORY), WORD("mismatch", WRONG),
	WORD("missing", WRONG), WORD("module", SUCH),
	WORD("no", NO), WORD("not", NOT),
	WORD("of", WITH), WORD("oom", WRONG), WORD("out", OUT),
	WORD("panic", WRONG), WORD("panicked", WRONG),
	WORD("passed", COUNTED), WORD("passing", COUNTED),
	WORD("permitted", FOUND), WORD("problems", COUNTED),
	WORD("recognized", FOUND), WORD("refused", WRONG),
	WORD("rejected", WRONG), WORD("rule", SUCH),
	WORD("segfault", WRONG), WORD("segmentation", CORE),
	WORD("status", CODE), WORD("such", SUCH), WORD("supported", FOUND),
	WORD("timed", TIMED), WORD("timeout", WRONG), WORD("traceback", WRONG),
	WORD("unable", WRONG), WORD("unauthorized", WRONG),
	WORD("uncaught", WRONG), WORD("undefined", WRONG),
	WORD("unexpected", WRONG), WORD("unhandled", WRONG),
	WORD("unrecognized", WRONG), WORD("unresolved", WRONG),
	WORD("unsupported", WRONG),
	WORD("violation", WRONG), WORD("violations", WRONG),
	WORD("vulnerabilities", WRONG), WORD("vulnerability", WRONG),
	WORD("warn", WRONG), WORD("warning", WRONG), WORD("warnings", WRONG),
	WORD("with", WITH), WORD("without", NONE),
	WORD("zero", ZERO),
};
#define NWORDS	(sizeof(words) / sizeof(words[0]))
#define LONGEST	16

static const char *const codes[] = {
	"EACCES", "EADDRINUSE", "ECONNREFUSED", "ECONNRESET", "EEXIST",
	"ENOENT", "ENOSPC", "ENOTFOUND", "EPERM", "ERESOLVE", "ETIMEDOUT"
};

static const char *const kinds[] = {
	"Error", "Exception", "Failure", "Panic", "Warning"
};

/* Classes of bytes. */
#define LETTER	1
#define UPPER	2
#define DIGIT	4
#define PART	8	/* of words, but neither of these */
#define HIGH	16
#define IN_WORD	(LETTER | DIGIT | PART)

void
ctx_command_words_init(struct ctx_command_words *index)
{
	size_t i = 0;
	int c;

	memset(index, 0, sizeof(*index));
	for (c = 'a'; c <= 'z'; c++) {
		index->class[c] = LETTER;
		index->class[c - 32] = LETTER | UPPER;
	}
	for (c = '0'; c <= '9'; c++)
		index->class[c] = DIGIT;
	index->class['_'] = PART;
	for (c = 0xe5; c <= 0xe9; c++)
		index->class[c] = HIGH;
	for (c = 0; c < 26; c++) {
		index->first[c] = (unsigned char)i;
		for (; i < NWORDS && words[i].text[0] == 'a' + c; i++)
			index->second[c] |= 1u << (words[i].text[1] - 'a');
	}
	index->first[26] = (unsigned char)i;
}

static int
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
is_alnum(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* A word in its line, and what the one before it says to it. */
struct at {
	const char *p;		/* the line */
	size_t len;
	size_t from, to;	/* the word */
	size_t upper;		/* capitals in it */
	enum says before;
};

/* Is it spelled like a word: small, Capitalized or in CAPITALS? */
static enum says
look_up(const struct ctx_command_words *index, const struct at *a)
{
	const char *s = a->p + a->from;
	size_t i, k, n = a->to - a->from;
	unsigned c = (unsigned)((s[0] | 32) - 'a'), d;
	char low[LONGEST];

	if (n < 2 || n >= LONGEST || c >= 26 ||
	    (d = (unsigned)((s[1] | 32) - 'a')) >= 26 ||
	    !(index->second[c] >> d & 1))
		return NOTHING;
	if (a->upper > 0 && !is_upper(s[0]))
		return NOTHING;
	if (a->upper > 1 && a->upper + 1 < n)
		return NOTHING;
	for (i = 0; i < n; i++)
		low[i] = is_upper(s[i]) ? (char)(s[i] + 32) : s[i];
	for (k = index->first[c]; k < index->first[c + 1]; k++)
		if (words[k].len == n && memcmp(words[k].text, low, n) == 0)
			return words[k].says;
	return NOTHING;
}

/* ValueError, NullPointerException; ENOENT. */
static int
is_named(const struct at *a)
{
	const char *s = a->p + a->from;
	size_t i, len, n = a->to - a->from;

	if (a->upper < 2 || !is_upper(s[0]))
		return 0;
	if (a->upper == n) {
		for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
			if (strlen(codes[i]) == n &&
			    memcmp(codes[i], s, n) == 0)
				return 1;
		return 0;
	}
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		len = strlen(kinds[i]);
		if (n > len && memcmp(s + n - len, kinds[i], len) == 0)
			return 1;
	}
	return 0;
}

/* Is the word the name of a value that says none: errors=0, "error": null? */
static int
is_none(const struct at *a)
{
	static const char *const none[] = {
		"null", "None", "none", "false", "nil", "\"\"", "[]", "{}"
	};
	const char *p = a->p + a->to, *end = a->p + a->len;
	size_t i, n;

	if (p < end && (*p == '"' || *p == '\''))
		p++;
	if (p >= end || (*p != ':' && *p != '='))
		return 0;
	for (p++; p < end && *p == ' '; p++)
		;
	if (p < end && is_digit(*p) && a->p[a->from] == 't')
		return 1;	/* timeout: 30 */
	if (p < end && *p == '0')
		return p + 1 >= end || !is_alnum(p[1]);
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		n = strlen(none[i]);
		if ((size_t)(end - p) >= n && memcmp(p, none[i], n) == 0)
			return 1;
	}
	return 0;
}

/* Is it a part of a name: error.c, --fail-fast, /errors/, error(? */
static int
is_part(const struct at *a, int named)
{
	size_t to = a->to;
	char b = a->from > 0 ? a->p[a->from - 1] : ' ';
	char c = to < a->len ? a->p[to] : ' ';
	char d = to + 1 < a->len ? a->p[to + 1] : ' ';

	if (strchr("-/\\#$@", b) != NULL && b != '\0')
		return 1;
	if (b == '.' && !named && a->from > 1 && a->p[a->from - 2] != '.')
		return 1;
	if (c == '/' || c == '\\')
		return 1;
	if (c == '(')
		return d != 's';
	return (c == '.' || c == '-') && is_alnum(d);
}

/* Does the word, after the one before it, say that something went wrong? */
static int
is_wrong(const struct at *a, enum says says)
{
	enum says b = a->before;

	switch (says) {
	case WRONG:
		return b != NO && b != NONE && b != ZERO && !is_part(a, 0) &&
		    !is_none(a);
	case CODE:
		return b == EXIT;
	case COUNTED:
		return b == NUMBER;
	case DUMPED:
		return b == CORE;
	case FOUND:
		return b == NOT;
	case MEMORY:
		return b == OUT;
	case SUCH:
		return b == NO;
	case NOT:
		return b == COULD;
	case OUT:
		return b == TIMED;
	default:
		return is_named(a) && !is_part(a, 1) && b != NO;
	}
}

/* Set the end of the word at a->from, and count its capitals. */
static void
word_end(const unsigned char *class, struct at *a)
{
	const unsigned char *p = (const unsigned char *)a->p;
	size_t i = a->from, upper = 0;

	do {
		for (; i < a->len && class[p[i]] & IN_WORD; i++)
			upper += class[p[i]] >> 1 & 1;
	} while (i + 1 < a->len && p[i] == '\'' && p[i + 1] == 't' && i++);
	a->upper = upper;
	a->to = i;
}

static enum says
number(const struct at *a)
{
	size_t i;

	for (i = a->from; i < a->to; i++)
		if (a->p[i] < '0' || a->p[i] > '9')
			return NOTHING;
	return a->to - a->from == 1 && a->p[a->from] == '0' ? ZERO : NUMBER;
}

static int
ends_with(const char *p, size_t n, const char *s)
{
	size_t len = strlen(s);

	return n >= len && memcmp(p + n - len, s, len) == 0;
}

/* The same in Chinese, for the character at i. */
static int
is_wrong_chinese(const char *p, size_t i, size_t len)
{
	static const char *const wrong[] = { "错误", "警告", "失败", "异常" };
	static const char *const none[] = {
		"无", "没有", "未发现", " 0 ", " 0 个"
	};
	size_t k, n;

	for (k = 0; k < 4 && (len - i < 6 ||
	    memcmp(p + i, wrong[k], 6) != 0); k++)
		;
	if (k == 4)
		return 0;
	for (n = 0; n < sizeof(none) / sizeof(none[0]); n++)
		if (ends_with(p, i, none[n]))
			return 0;
	return 1;
}

int
ctx_command_words_in(const struct ctx_command_words *index, const char *p,
    size_t len)
{
	struct at a = { .p = p, .len = len };
	enum says says;
	unsigned char class;

	for (a.from = 0; a.from < len; ) {
		class = index->class[(unsigned char)p[a.from]];
		if (!(class & IN_WORD)) {
			if (class & HIGH && is_wrong_chinese(p, a.from, len))
				return 1;
			if (p[a.from] != ' ' && p[a.from] != '\t')
				a.before = NOTHING;
			a.from++;
			continue;
		}
		word_end(index->class, &a);
		says = class & DIGIT ? number(&a) : look_up(index, &a);
		if ((says != NOTHING || a.upper > 1) && is_wrong(&a, says))
			return 1;
		if (says != WITH)
			a.before = says;
		a.from = a.to;
	}
	return 0;
}
