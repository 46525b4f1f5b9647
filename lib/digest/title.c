/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "digest/title.h"

#define LINES_MAX	60	/* in which a title is searched for */

/*
 * Is it one of the phrases that begin many files and say nothing about this
 * one?
 */
static int
is_boilerplate(const char *p, size_t len)
{
	static const char *const words[] = { "SPDX-", "opyright", "icense",
	    "-*-", "vim:", "coding:", "coding=", "eslint", "ll rights reserved",
	    "use strict", "@file", "@ts-", "WARRANT" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(p, len, words[i], strlen(words[i])) != NULL)
			return 1;
	return 0;
}

static int
begins(const char *p, const char *end, const char *s)
{
	return s != NULL && (size_t)(end - p) >= strlen(s) &&
	    memcmp(p, s, strlen(s)) == 0;
}

static int
is_rule(char c)
{
	return c != '\0' && strchr(" \t\r*/#-=_!;%<>\"'+~", c) != NULL;
}

/*
 * The comment that opens at p: the position after its mark, and its end; NULL
 * if there is none.
 */
static const char *
opens(const struct ctx_lang *lang, const char *p, const char *end,
    const char **close)
{
	int i;

	if (begins(p, end, lang->open)) {
		*close = lang->close;
		return p + strlen(lang->open);
	}
	if (lang->flags & CTX_L_TRIPLE &&
	    (begins(p, end, "\"\"\"") || begins(p, end, "'''"))) {
		*close = *p == '"' ? "\"\"\"" : "'''";
		return p + 3;
	}
	for (i = 0; i < 2; i++)
		if (begins(p, end, lang->line[i])) {
			*close = NULL;
			return p + strlen(lang->line[i]);
		}
	return NULL;
}

size_t
ctx_title(const struct ctx_lang *lang, const char *data, size_t len,
    const char **start)
{
	const char *p = data, *end = data + len, *nl, *to, *q;
	const char *close = NULL;	/* of the comment that p is in */
	int lines;

	for (lines = 0; p < end && lines < LINES_MAX; p = nl + 1, lines++) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl == NULL ? end : nl;
		to = nl;
		while (p < to && (*p == ' ' || *p == '\t'))
			p++;
		if (p == to || *p == '\r' || begins(p, to, "#!") ||
		    begins(p, to, "<?php"))
			continue;
		if (close == NULL &&
		    (p = opens(lang, p, to, &close)) == NULL)
			return 0;
		if (close != NULL && (q = memmem(p, (size_t)(to - p), close,
		    strlen(close))) != NULL) {
			to = q;
			close = NULL;
		}
		while (p < to && is_rule(*p))
			p++;
		while (to > p && is_rule(to[-1]))
			to--;
		if (to - p > 1 && !is_boilerplate(p, (size_t)(to - p))) {
			*start = p;
			return (size_t)(to - p);
		}
	}
	return 0;
}
