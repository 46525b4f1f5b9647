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

/* Add the file in "+++ b/dir/file<tab>date", unless it is /dev/null. */
static int
add_file(struct ctx_digest *d, const char *p, size_t len, struct ctx_err *err)
{
	const char *tab = memchr(p, '\t', len);

	if (tab != NULL)
		len = (size_t)(tab - p);
	if (len >= 9 && memcmp(p, "/dev/null", 9) == 0)
		return 0;
	if (len > 2 && (p[0] == 'a' || p[0] == 'b') && p[1] == '/') {
		p += 2;
		len -= 2;
	}
	return ctx_digest_name(d, CTX_FILES, p, len, err);
}

int
ctx_format_diff(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	const char *p, *end = data + len;
	uint64_t added = 0, removed = 0;
	int hunk = 0;		/* after an @@ line */
	size_t n;

	for (p = data; p < end; p += n + 1) {
		n = line_len(p, end);
		if (n == 0)
			continue;
		if (n > 4 && (memcmp(p, "+++ ", 4) == 0 ||
		    (memcmp(p, "--- ", 4) == 0 && p + n < end &&
		    end - p - n > 5 && memcmp(p + n + 1, "+++ ", 4) == 0))) {
			hunk = 0;
			if (add_file(d, p + 4, n - 4, err) == -1)
				return -1;
		} else if (n > 1 && p[0] == '@' && p[1] == '@')
			hunk = 1;
		else if (*p == 'd' && n > 5 && memcmp(p, "diff ", 5) == 0)
			hunk = 0;
		else if (hunk && *p == '+')
			added++;
		else if (hunk && *p == '-')
			removed++;
	}
	ctx_digest_figure(d, CTX_FIG_FILES, d->names.distinct[CTX_FILES]);
	ctx_digest_figure(d, CTX_FIG_ADDED, added);
	ctx_digest_figure(d, CTX_FIG_REMOVED, removed);
	return 0;
}
