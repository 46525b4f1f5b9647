/* SPDX-License-Identifier: MIT */
/* Logs (times, errors and warnings) and diffs (files and changed lines). */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "digest/format.h"

#define LOOK_LINES	20	/* lines examined to recognize a log */
#define STAMP_MAX	48	/* where in a line a time may begin */
#define LEVEL_MAX	160	/* and a level */

static size_t
line_len(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return nl == NULL ? (size_t)(end - p) : (size_t)(nl - p);
}

/*
 * Does p begin like the picture?  0 is a digit, A a letter, - is - or /, a
 * question mark a digit or a space; other characters match themselves.
 */
static int
looks(const char *p, size_t len, const char *picture)
{
	size_t i;
	int digit, ok;

	for (i = 0; picture[i] != '\0'; i++) {
		if (i == len)
			return 0;
		digit = p[i] >= '0' && p[i] <= '9';
		switch (picture[i]) {
		case '0':
			ok = digit;
			break;
		case '?':
			ok = digit || p[i] == ' ';
			break;
		case 'A':
			ok = (p[i] | 32) >= 'a' && (p[i] | 32) <= 'z';
			break;
		case '-':
			ok = p[i] == '-' || p[i] == '/';
			break;
		default:
			ok = p[i] == picture[i];
		}
		if (!ok)
			return 0;
	}
	return 1;
}

/*
 * Find the time near the start of a line: 2026-11-21 08:00:05, an access log's
 * 21/Nov/2026:08:00:05, syslog's "Nov 21 08:00:05", or only 08:00:05.  Returns
 * its length, 0 if there is none.
 */
static size_t
stamp(const char *p, size_t len, const char **start)
{
	size_t i, max = len < STAMP_MAX ? len : STAMP_MAX;

	for (i = 0; i < max; i++) {
		if (p[i] < '0' || p[i] > '9' ||
		    (i > 0 && p[i - 1] >= '0' && p[i - 1] <= '9'))
			continue;
		*start = p + i;
		if (looks(p + i, len - i, "0000-00-00"))
			return i + 11 < len && (p[i + 10] == ' ' ||
			    p[i + 10] == 'T') && looks(p + i + 11,
			    len - i - 11, "00:00:00") ? 19 : 10;
		if (!looks(p + i, len - i, "00:00:00"))
			continue;
		if (i >= 12 && looks(p + i - 12, 12, "00-AAA-0000:")) {
			*start = p + i - 12;
			return 20;
		}
		if (i >= 7 && looks(p + i - 7, 7, "AAA ?0 ")) {
			*start = p + i - 7;
			return 15;
		}
		return 8;
	}
	return 0;
}

int
ctx_format_looks_log(const char *data, size_t len)
{
	const char *p = data, *end = data + len, *start;
	size_t n, lines = 0, stamped = 0;

	for (; p < end && lines < LOOK_LINES; p += n + 1) {
		n = line_len(p, end);
		if (n == 0)
			continue;
		if (stamp(p, n, &start) > 10 || (stamp(p, n, &start) > 0 &&
		    start - p < 2))
			stamped++;
		else if (lines == 0)
			return 0;
		lines++;
	}
	return lines >= 3 && stamped * 10 >= lines * 6;
}

static int
is_word(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	    c == '_';
}

/* Is what follows p[0 .. n) in the line a level, though in lower case? */
static int
introduces(const char *p, size_t n)
{
	static const char *const ends[] = { "[", "level=", "level\":\"",
	    "level\": \"", NULL };
	const char *const *s;
	size_t len;

	for (s = ends; *s != NULL; s++) {
		len = strlen(*s);
		if (n >= len && memcmp(p + n - len, *s, len) == 0)
			return 1;
	}
	return 0;
}

/*
 * Returns 2 if the line reports an error, 1 for a warning, otherwise 0.  The
 * first level is that of the line; the rest is what it says.  pino has numbers.
 */
static int
level(const char *p, size_t len)
{
	static const struct { const char *word; int level; } words[] = {
	    { "ERROR", 2 }, { "FATAL", 2 }, { "CRITICAL", 2 }, { "SEVERE", 2 },
	    { "PANIC", 2 }, { "WARN", 1 }, { "WARNING", 1 }, { "INFO", 0 },
	    { "NOTICE", 0 }, { "DEBUG", 0 }, { "TRACE", 0 },
	    { "level\":60", 2 }, { "level\":50", 2 }, { "level\":40", 1 } };
	size_t i, k, n, max = len < LEVEL_MAX ? len : LEVEL_MAX;

	for (i = 0; i < max; i++) {
		if ((i > 0 && is_word(p[i - 1])) ||
		    strchr("efcspwindtl", p[i] | 32) == NULL)
			continue;
		for (k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
			n = strlen(words[k].word);
			if (len - i < n || strncasecmp(p + i, words[k].word,
			    n) != 0 || (len - i > n && (is_word(p[i + n]) ||
			    p[i + n] == '-' || p[i + n] == '=')))
				continue;
			if (memcmp(p + i, words[k].word, n) == 0 ||
			    introduces(p, i))
				return words[k].level;
		}
	}
	return 0;
}

int
ctx_format_log(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	const char *p, *end = data + len, *start;
	uint64_t count[3] = { 0 };
	size_t n, t;

	(void)err;
	for (p = data; p < end; p += n + 1) {
		n = line_len(p, end);
		if ((t = stamp(p, n, &start)) > 0) {
			if (d->since[0] == '\0')
				snprintf(d->since, sizeof(d->since), "%.*s",
				    (int)t, start);
			snprintf(d->until, sizeof(d->until), "%.*s", (int)t,
			    start);
		}
		count[level(p, n)]++;
	}
	ctx_digest_figure(d, CTX_FIG_LINES, d->lines);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	if (count[2] > 0)
		ctx_digest_figure(d, CTX_FIG_ERRORS, count[2]);
	if (count[1] > 0)
		ctx_digest_figure(d, CTX_FIG_WARNINGS, count[1]);
	return 0;
}

/* Add the file in "b/dir/file<tab>date". */
static int
add_file(struct ctx_digest *d, const char *p, size_t len, struct ctx_err *err)
{
	const char *tab = memchr(p, '\t', len);

	if (tab != NULL)
		len = (size_t)(tab - p);
	if (len > 2 && (p[0] == 'a' || p[0] == 'b') && p[1] == '/') {
		p += 2;
		len -= 2;
	}
	return ctx_digest_name(d, CTX_FILES, p, len, err);
}

/* Where the lines of a diff are: in a file, and in a hunk. */
struct diff {
	struct ctx_digest *d;
	const char *file;	/* its best name so far, not added; or NULL */
	size_t file_len;
	const char *before;	/* after "--- " */
	size_t before_len;
	uint64_t old, new;	/* lines that are left of the hunk */
	uint64_t added, removed;
};

static int
starts(const char *p, size_t len, const char *s)
{
	size_t n = strlen(s);

	return len >= n && memcmp(p, s, n) == 0;
}

static int
end_file(struct diff *f, struct ctx_err *err)
{
	const char *p = f->file;

	f->file = NULL;
	return p == NULL ? 0 : add_file(f->d, p, f->file_len, err);
}

static void
name_file(struct diff *f, const char *p, size_t len)
{
	if (p != NULL && !starts(p, len, "/dev/null")) {
		f->file = p;
		f->file_len = len;
	}
}

/*
 * "diff --git a/FILE b/FILE".  No more may follow of a file if only its mode
 * changed or it has no lines; of a renamed one, the new name follows.
 */
static void
begin_file(struct diff *f, const char *p, size_t len)
{
	size_t half = (len - 1) / 2;

	name_file(f, p, len > 2 && p[half] == ' ' && memcmp(p + 1,
	    p + half + 2, half - 1) == 0 ? half : len);
}

/* The number of lines after sign in "@@ -1,2 +3,4 @@". */
static uint64_t
hunk_lines(const char *p, size_t len, char sign)
{
	const char *end = p + len, *q = memchr(p, sign, len);
	uint64_t n = 0;

	while (q != NULL && ++q < end && *q >= '0' && *q <= '9')
		continue;
	if (q == NULL || q == end || *q != ',')
		return 1;
	while (++q < end && *q >= '0' && *q <= '9' && n < UINT32_MAX)
		n = n * 10 + (uint64_t)(*q - '0');
	return n;
}

/* Lines that begin with -- or ++ are lines of a hunk, too.  0 if it is none. */
static int
hunk_line(struct diff *f, char c)
{
	if ((f->old == 0 && f->new == 0) || strchr("+- \\\n\r", c) == NULL) {
		f->old = f->new = 0;
		return 0;
	}
	if (c == '\\')
		return 1;
	f->added += c == '+';
	f->removed += c == '-';
	f->new -= c != '-' && f->new > 0;
	f->old -= c != '+' && f->old > 0;
	return 1;
}

/* A line between hunks. */
static int
head_line(struct diff *f, const char *p, size_t len, struct ctx_err *err)
{
	if (starts(p, len, "--- ")) {
		f->before = p + 4;
		f->before_len = len - 4;
	} else if (starts(p, len, "+++ ")) {
		name_file(f, f->before, f->before_len);
		name_file(f, p + 4, len - 4);
		return end_file(f, err);
	} else if (starts(p, len, "diff ")) {
		if (end_file(f, err) == -1)
			return -1;
		if (starts(p, len, "diff --git "))
			begin_file(f, p + 11, len - 11);
	} else if (f->file != NULL && starts(p, len, "rename to ")) {
		f->file = NULL;
		return ctx_digest_name(f->d, CTX_FILES, p + 10, len - 10, err);
	} else if (starts(p, len, "@@@"))	/* of a merge */
		f->old = f->new = UINT64_MAX;
	else if (starts(p, len, "@@ ")) {
		f->old = hunk_lines(p, len, '-');
		f->new = hunk_lines(p, len, '+');
	}
	return 0;
}

int
ctx_format_diff(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	const char *p, *end = data + len;
	struct diff f = { .d = d };
	size_t n;

	for (p = data; p < end; p += n + 1) {
		n = line_len(p, end);
		if (!hunk_line(&f, *p) && head_line(&f, p, n, err) == -1)
			return -1;
	}
	if (end_file(&f, err) == -1)
		return -1;
	ctx_digest_figure(d, CTX_FIG_FILES, d->names.distinct[CTX_FILES]);
	ctx_digest_figure(d, CTX_FIG_ADDED, f.added);
	ctx_digest_figure(d, CTX_FIG_REMOVED, f.removed);
	return 0;
}
