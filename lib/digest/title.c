/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "digest/title.h"

#define LINES_MAX	40	/* that a title is looked for in */

/* Text that stands in comments at the top and says nothing of the file. */
static int
is_boilerplate(const char *p, size_t len)
{
	static const char *const words[] = { "SPDX-", "opyright", "icense",
	    "-*-", "vim:", "coding:", "coding=", "usr/bin/env", "eslint",
	    "All rights reserved", "use strict", "DOCTYPE" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(p, len, words[i], strlen(words[i])) != NULL)
			return 1;
	return 0;
}

size_t
ctx_title(const char *data, size_t len, const char **start)
{
	static const char marks[] = "#/*\"'-;%!<{=( \t\r";
	const char *p = data, *end = data + len, *nl, *to;
	int lines, comment = 0;

	for (lines = 0; p < end && lines < LINES_MAX; p = nl + 1, lines++) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl == NULL ? end : nl;
		to = nl;
		if (nl - p >= 2 && p[0] == '#' && p[1] == '!')
			continue;
		while (p < to && (*p == ' ' || *p == '\t'))
			p++;
		if (p == to)
			continue;
		/* Inside of a comment a line may begin with a word. */
		if (strchr(marks, *p) != NULL) {
			comment |= to - p >= 3 &&
			    (memcmp(p, "\"\"\"", 3) == 0 ||
			    memcmp(p, "'''", 3) == 0);
			comment |= to - p >= 2 && (memcmp(p, "/*", 2) == 0 ||
			    memcmp(p, "<!", 2) == 0 || memcmp(p, "{-", 2) == 0);
		} else if (!comment)
			return 0;
		while (p < to && *p != '\0' && strchr(marks, *p) != NULL)
			p++;
		while (to > p && strchr(marks, to[-1]) != NULL &&
		    to[-1] != '\0' && to[-1] != '!' && to[-1] != '(')
			to--;
		while (to > p && (to[-1] == '>' || to[-1] == '}'))
			to--;
		if (to - p < 2 || is_boilerplate(p, (size_t)(to - p)))
			continue;
		*start = p;
		return (size_t)(to - p);
	}
	return 0;
}
