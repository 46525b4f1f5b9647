/* SPDX-License-Identifier: MIT */
/*
 * What the search and list tools of agents return.  Most say at the start how
 * much follows; if there is another number of it, nothing is said.
 */
#include "text/listing_impl.h"

#include <string.h>

static const struct ctx_str none;

/* How a tool's first line begins, and what follows. */
enum body {
	BLOCKS,		/* "File: PATH" and "L12: ...", or PATH:12:... */
	GROUPS,		/* "PATH:" and "  Line 12: ..." */
	PLACES,		/* "PATH:12" and a line, after a blank one */
	PATHS,
	ENTRIES,
	MARKED,		/* the same, but all have a mark */
	COUNTS		/* "  PATH (3 matches)" */
};
static const struct tool {
	const char *begin, *then;	/* around a number if then is given */
	enum body body;
} tools[] = {
	{ "Found ", " matches for pattern ", BLOCKS },	/* Gemini, Qwen */
	{ "Found ", " match for pattern ", BLOCKS },
	{ "Found ", " results for pattern", PLACES },	/* Cline */
	{ "Found ", " result for pattern", PLACES },
	{ "Found ", " matches:", PLACES },		/* Nanocoder */
	{ "Found ", " match:", PLACES },
	{ "Found ", " matches", GROUPS },		/* OpenCode */
	{ "Found ", " match", GROUPS },
	{ "Found ", " file(s) matching ", PATHS },	/* Gemini, Qwen */
	{ "Found ", " files", PATHS },			/* Claude Code */
	{ "Found ", " file", PATHS },
	{ "Listed ", " item(s) in ", ENTRIES },		/* Qwen */
	{ "Directory listing for ", NULL, ENTRIES },	/* Gemini */
	{ "Files in ", NULL, ENTRIES },			/* Continue */
	{ "Search results for ", NULL, COUNTS },	/* Grok */
};

/* These return 1, 0 if the line is none of that, or -1 if out of memory. */

static int
match(struct ctx_listing *l, struct ctx_str path, uint64_t n)
{
	return path.len == 0 || n == 0 ? 0 :
	    ctx_listing_match(l, path, n) == -1 ? -1 : 1;
}

static int
add(struct ctx_listing *l, struct ctx_str name)
{
	return name.len == 0 ? 0 : ctx_listing_add(l, none, name) == NULL ?
	    -1 : 1;
}

/* "L12: text" or "L12- text" in a block, or "PATH:12:text". */
static int
block_line(struct ctx_listing *l, struct ctx_str s, struct ctx_str *file)
{
	struct ctx_str at = s;
	uint64_t n;

	if (ctx_listing_skip(&at, "File: ")) {
		*file = at;
		return at.len > 0;
	}
	if (ctx_str_is(s, "---"))
		return 1;
	if (file->len > 0) {
		if (!ctx_listing_skip(&at, "L") ||
		    ctx_listing_number(&at, &n) == 0 || at.len == 0)
			return 0;
		return *at.p == ':' ? match(l, *file, 1) : *at.p == '-';
	}
	while ((at.p = memchr(at.p, ':', (size_t)(s.p + s.len - at.p))) !=
	    NULL) {
		struct ctx_str rest = { at.p + 1,
		    (uint32_t)(s.p + s.len - at.p - 1) };

		if (ctx_listing_number(&rest, &n) > 0 && rest.len > 0 &&
		    *rest.p == ':') {
			s.len = (uint32_t)(at.p - s.p);
			return match(l, s, 1);
		}
		at.p++;
	}
	return 0;
}

/* "PATH:" and, indented, "Line 12: text". */
static int
group_line(struct ctx_listing *l, struct ctx_str s, struct ctx_str *file)
{
	uint64_t n;

	if (ctx_listing_skip(&s, "  Line "))
		return ctx_listing_number(&s, &n) > 0 &&
		    ctx_str_starts(s, ":") ? match(l, *file, 1) : 0;
	if (s.len == 0) {
		file->len = 0;
		return 1;
	}
	if (file->len > 0 || s.p[s.len - 1] != ':' || *s.p == ' ' ||
	    *s.p == '(')
		return 0;
	*file = s;
	file->len--;
	return file->len > 0;
}

/* "PATH:12" or "PATH:12:13" at the margin; others are indented or blank. */
static int
place_line(struct ctx_listing *l, struct ctx_str s)
{
	uint32_t len = s.len, digits;

	if (len == 0 || *s.p == ' ' || *s.p == '\t')
		return 1;
	do {
		for (digits = 0; len > 0 && s.p[len - 1] >= '0' &&
		    s.p[len - 1] <= '9'; len--)
			digits++;
		if (digits == 0 || len < 2 || s.p[len - 1] != ':')
			return 0;
		len--;
	} while (s.p[len - 1] >= '0' && s.p[len - 1] <= '9' &&
	    memchr(s.p, ':', len) != NULL);
	s.len = len;
	return match(l, s, 1);
}

static int
ends(struct ctx_str s, const char *text)
{
	size_t n = strlen(text);

	return s.len > n && memcmp(s.p + s.len - n, text, n) == 0;
}

/* "[DIR] src", "a.c", "a.c (12 bytes)", "src (directory)". */
static int
entry_line(struct ctx_listing *l, struct ctx_str s, int marked)
{
	int dir = ctx_listing_skip(&s, "[DIR] ");
	int mark = dir || ctx_listing_skip(&s, "[FILE] ");
	uint32_t at = s.len - 1;

	if (marked && !mark)
		return 0;
	if (!mark && ends(s, " (directory)")) {
		s.len -= (uint32_t)strlen(" (directory)");
		dir = 1;
	} else if (!mark && ends(s, " bytes)")) {
		while (at > 1 && s.p[at] != '(')
			at--;
		s.len = at - 1;
	}
	ctx_listing_count(l, CTX_LISTED_ENTRIES, 1);
	ctx_listing_count(l, CTX_LISTED_DIRS, (uint64_t)dir);
	return add(l, s);
}

/* "  PATH (3 matches)" */
static int
count_line(struct ctx_listing *l, struct ctx_str s)
{
	struct ctx_str path, rest;
	uint64_t n;

	if (!ctx_listing_skip(&s, "  ") || s.len == 0)
		return 0;
	for (path = s; path.len > 0 && path.p[path.len - 1] != '('; path.len--)
		;
	rest.p = path.p + path.len;
	rest.len = s.len - path.len;
	if (path.len < 3 || ctx_listing_number(&rest, &n) == 0 ||
	    (!ctx_str_is(rest, " matches)") && !ctx_str_is(rest, " match)")))
		return 0;
	path.len -= 2;
	return match(l, path, n);
}

static int
path_line(struct ctx_listing *l, struct ctx_str s)
{
	ctx_listing_count(l, CTX_LISTED_FILES, 1);
	return s.len > 0 && *s.p != '(' && *s.p != '[' ? add(l, s) : 0;
}

/* Read what follows the first line. */
static int
read_body(struct ctx_listing *l, enum body body, struct ctx_str text)
{
	struct ctx_str s, file = { NULL, 0 };
	int rc = 1;

	while (rc == 1 && ctx_listing_line(&text, &s)) {
		if (l->n == 0 && (s.len == 0 || ctx_str_is(s, "---")))
			continue;
		/* "(2 ignored)", at the end */
		if (body == ENTRIES && s.len == 0)
			return ctx_str_starts(text, "(") &&
			    ctx_listing_line(&text, &s) && text.len == 0 &&
			    (ends(s, " ignored)") || ends(s, "-ignored)"));
		rc = body == BLOCKS ? block_line(l, s, &file) :
		    body == GROUPS ? group_line(l, s, &file) :
		    body == PLACES ? place_line(l, s) :
		    body == ENTRIES || body == MARKED ?
		    entry_line(l, s, body == MARKED) : body == COUNTS ? count_line(l, s) : path_line(l, s);
	}
	return rc == 1 ? l->n > 0 : rc;
}

int
ctx_listing_tool(struct ctx_listing *l, struct ctx_str text)
{
	const struct tool *t = tools;
	struct ctx_str first, s;
	uint64_t n = 0;
	int said = 0, rc;

	/* MCP's file server */
	if (ctx_str_starts(text, "[FILE] ") || ctx_str_starts(text, "[DIR] "))
		return read_body(l, MARKED, text);
	if (!ctx_listing_line(&text, &first))
		return 0;
	for (; t < tools + sizeof(tools) / sizeof(tools[0]); t++) {
		s = first;
		said = t->then != NULL;
		if (ctx_listing_skip(&s, t->begin) && (!said ||
		    (ctx_listing_number(&s, &n) > 0 &&
		    ctx_listing_skip(&s, t->then))))
			break;
	}
	if (t == tools + sizeof(tools) / sizeof(tools[0]) ||
	    memmem(first.p, first.len, "limit", 5) != NULL ||
	    memmem(first.p, first.len, "howing", 6) != NULL)
		return 0;
	if ((rc = read_body(l, t->body, text)) != 1)
		return rc;
	if (l->has[CTX_LISTED_LINES])
		ctx_listing_count(l, CTX_LISTED_FILES, l->n);
	return !said || n == (l->has[CTX_LISTED_LINES] ?
	    l->count[CTX_LISTED_LINES] : l->n);
}
