/* SPDX-License-Identifier: MIT */
/* Matches, paths and directories; see listing.h. */
#include "text/listing_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* --- lines --------------------------------------------------------------- */

int
ctx_listing_line(struct ctx_str *text, struct ctx_str *line)
{
	const char *nl;

	if (text->len == 0)
		return 0;
	nl = memchr(text->p, '\n', text->len);
	line->p = text->p;
	line->len = nl != NULL ? (uint32_t)(nl - text->p) : text->len;
	text->p += line->len + (nl != NULL);
	text->len -= line->len + (nl != NULL);
	return 1;
}

size_t
ctx_listing_number(struct ctx_str *s, uint64_t *n)
{
	size_t i = 0;

	*n = 0;
	for (; s->len > 0 && *s->p >= '0' && *s->p <= '9' && i < 15; i++) {
		*n = *n * 10 + (uint64_t)(*s->p - '0');
		s->p++;
		s->len--;
	}
	return i;
}

int
ctx_listing_skip(struct ctx_str *s, const char *text)
{
	size_t n = strlen(text);

	if (s->len < n || memcmp(s->p, text, n) != 0)
		return 0;
	s->p += n;
	s->len -= (uint32_t)n;
	return 1;
}

/* --- what is counted ----------------------------------------------------- */

void
ctx_listing_count(struct ctx_listing *l, enum ctx_listed what, uint64_t n)
{
	l->count[what] += n;
	l->has[what] = 1;
}

struct ctx_listing_name *
ctx_listing_add(struct ctx_listing *l, struct ctx_str dir, struct ctx_str name)
{
	struct ctx_listing_name *v;

	if (CTX_ROOM(l->name, l->n, &l->cap) == -1)
		return NULL;
	v = &l->name[l->n];
	memset(v, 0, sizeof(*v));
	v->off = l->bytes.len;
	if (dir.len > 0) {
		ctx_buf_add(&l->bytes, dir.p, dir.len);
		ctx_buf_addc(&l->bytes, '/');
	}
	ctx_buf_add(&l->bytes, name.p, name.len);
	if (l->bytes.failed)
		return NULL;
	v->len = l->bytes.len - v->off;
	l->n++;
	return v;
}

int
ctx_listing_match(struct ctx_listing *l, struct ctx_str path, uint64_t n)
{
	static const struct ctx_str none;
	size_t i = ctx_strmap_add(&l->map, path.p, path.len);

	if (i == CTX_STRMAP_FULL ||
	    (i == l->n && ctx_listing_add(l, none, path) == NULL))
		return -1;
	l->name[i].n += n;
	ctx_listing_count(l, CTX_LISTED_LINES, n);
	return 0;
}

/* --- matches and paths --------------------------------------------------- */

/* Is it what a program says on standard error? */
static int
is_complaint(struct ctx_str s)
{
	static const char *const names[] = {
		"grep: ", "rg: ", "find: ", "ls: ", "fatal: ", "error: ",
		"bash: ", "sh: ", "warning: ", "Binary file ", "/bin/sh: ",
		"tree: ", "zsh: ", "Error: "
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (ctx_str_starts(s, names[i]))
			return 1;
	return 0;
}

static int
is_in_root(const struct ctx_listing_how *how, struct ctx_str path)
{
	const struct ctx_shell_word *r = how->root;
	size_t i;

	if (path.len == 0 || is_complaint(path))
		return 0;
	for (i = 0; i < how->nroot; i++, r++)
		if (path.len >= r->len && memcmp(path.p, r->p, r->len) == 0 &&
		    (path.len == r->len || path.p[r->len] == '/' ||
		    r->p[r->len - 1] == '/'))
			return 1;
	return how->nroot == 0;
}

/* The path before ":TEXT" or ":NUMBER:TEXT"; of no length if there is none. */
static struct ctx_str
path_of(struct ctx_str s, int numbered)
{
	struct ctx_str path = { s.p, 0 }, rest;
	const char *at = s.p, *end = s.p + s.len;
	uint64_t n;

	for (; (at = memchr(at, ':', (size_t)(end - at))) != NULL; at++) {
		rest.p = at + 1;
		rest.len = (uint32_t)(end - rest.p);
		if (numbered && (ctx_listing_number(&rest, &n) == 0 ||
		    rest.len == 0 || *rest.p != ':'))
			continue;
		if (!numbered && ctx_str_starts(rest, " binary file matches"))
			break;
		path.len = (uint32_t)(at - s.p);
		break;
	}
	return path;
}

/* Lines that all begin with a path. */
static int
named_matches(struct ctx_listing *l, const struct ctx_listing_how *how,
    struct ctx_str text)
{
	struct ctx_str line, path;

	while (ctx_listing_line(&text, &line)) {
		path = path_of(line, how->numbered);
		if (!is_in_root(how, path))
			return 0;
		if (ctx_listing_match(l, path, 1) == -1)
			return -1;
	}
	ctx_listing_count(l, CTX_LISTED_FILES, l->n);
	return l->n > 0;
}

/* Lines that all begin with a number, or without them all lines. */
static int
unnamed_matches(struct ctx_listing *l, const struct ctx_listing_how *how,
    struct ctx_str text)
{
	uint64_t n, last = 0, lines = 0;
	struct ctx_str line;

	/* a tool may have taken blank lines at the end away */
	if (!how->numbered && (text.len == 0 || text.p[text.len - 1] != '\n'))
		return 0;
	for (; ctx_listing_line(&text, &line); lines++) {
		if (is_complaint(line))
			return 0;
		if (!how->numbered)
			continue;
		if (ctx_listing_number(&line, &n) == 0 || n <= last ||
		    line.len == 0 || *line.p != ':')
			return 0;
		last = n;
	}
	ctx_listing_count(l, CTX_LISTED_LINES, lines);
	return lines > 0;
}

static void
reset(struct ctx_listing *l)
{
	memset(l->count, 0, sizeof(l->count));
	memset(l->has, 0, sizeof(l->has));
	l->n = 0;
	ctx_buf_reset(&l->bytes);
	ctx_strmap_done(&l->map);
	l->first[0] = l->last[0] = l->since[0] = l->until[0] = '\0';
}

static int
read_matches(struct ctx_listing *l, const struct ctx_listing_how *how,
    struct ctx_str text)
{
	int rc = 0;

	if (how->named)
		rc = named_matches(l, how, text);
	if (rc == 0 && how->unnamed) {
		reset(l);
		rc = unnamed_matches(l, how, text);
	}
	return rc;
}

static int
read_paths(struct ctx_listing *l, const struct ctx_listing_how *how,
    struct ctx_str text)
{
	static const struct ctx_str none;
	struct ctx_str line;

	while (ctx_listing_line(&text, &line)) {
		if (!is_in_root(how, line))
			return 0;
		if (ctx_listing_add(l, none, line) == NULL)
			return -1;
	}
	ctx_listing_count(l, how->what, l->n);
	return l->n > 0;
}

/* --- directories --------------------------------------------------------- */

/* Leave a field and the spaces after it.  Returns 0 if nothing follows. */
static int
skip_field(struct ctx_str *s, struct ctx_str *field)
{
	*field = *s;
	for (; s->len > 0 && *s->p != ' '; s->len--)
		s->p++;
	field->len = (uint32_t)(s->p - field->p);
	while (s->len > 0 && *s->p == ' ') {
		s->p++;
		s->len--;
	}
	return field->len > 0 && s->len > 0;
}

/*
 * Reduce a line of ls -l to the name in it.  Returns 0 if it is no such line:
 * mode, links, owner, group, size, month, day, time, name, or in place of the
 * three a day and a time.
 */
static int
long_name(struct ctx_str *s, char *type)
{
	struct ctx_str f, old = *s;
	int i, n = 8;
	const char *arrow;

	if (s->len < 11 || strchr("-dlps", *type = *s->p) == NULL)
		return 0;
	for (i = 1; i < 10; i++)
		if (strchr("rwxsStT-", s->p[i]) == NULL || s->p[i] == '\0')
			return 0;
	for (i = 0; i < n; i++) {
		if (!skip_field(s, &f))
			return 0;
		if (i == 5 && f.len == 10 && f.p[4] == '-' && f.p[7] == '-')
			n = 7;
	}
	arrow = *type == 'l' ? memmem(s->p, s->len, " -> ", 4) : NULL;
	if (arrow != NULL)
		s->len = (uint32_t)(arrow - s->p);
	return s->p > old.p && s->len > 0;
}

/* Add an entry of the directory dir.  Returns 1, 0 or -1. */
static int
add_entry(struct ctx_listing *l, const struct ctx_listing_how *how,
    struct ctx_str dir, struct ctx_str s)
{
	char type = 0;

	/* without -l, a terminal gets several names a line */
	if (how->wide ? !long_name(&s, &type) :
	    memmem(s.p, s.len, "  ", 2) != NULL ||
	    memchr(s.p, '\t', s.len) != NULL)
		return 0;
	if (how->all && (ctx_str_is(s, ".") || ctx_str_is(s, "..") ||
	    ctx_str_is(s, "./") || ctx_str_is(s, "../")))
		return 1;
	if (how->wide || how->dirs)
		ctx_listing_count(l, CTX_LISTED_DIRS, how->wide ? type == 'd' :
		    s.p[s.len - 1] == '/');
	ctx_listing_count(l, CTX_LISTED_ENTRIES, 1);
	return ctx_listing_add(l, dir, s) == NULL ? -1 : 1;
}

/* Is it the line before the entries of a directory, "src:"?  Sets *dir. */
static int
is_heading(const struct ctx_listing_how *how, struct ctx_str s,
    struct ctx_str *dir)
{
	*dir = s;
	if (s.len < 2 || s.p[--dir->len] != ':' || !is_in_root(how, *dir))
		return 0;
	if (ctx_str_is(*dir, "."))
		dir->len = 0;
	else if (ctx_str_starts(*dir, "./")) {
		dir->p += 2;
		dir->len -= 2;
	}
	return 1;
}

static int
read_ls(struct ctx_listing *l, const struct ctx_listing_how *how,
    struct ctx_str text)
{
	struct ctx_str line, dir = { 0 };
	int heading = how->deep, total = how->wide, rc;

	while (ctx_listing_line(&text, &line)) {
		if (heading) {
			if (!is_heading(how, line, &dir))
				return 0;
			ctx_listing_count(l, CTX_LISTED_SECTIONS, 1);
			heading = 0;
			total = how->wide;
		} else if (how->deep && line.len == 0)
			heading = 1;
		else if (total && ctx_str_starts(line, "total "))
			total = 0;
		else {
			if (line.len == 0 || is_complaint(line))
				return 0;
			rc = add_entry(l, how, dir, line);
			if (rc != 1)
				return rc;
		}
	}
	return l->n > 0;
}

/* "3 directories, 12 files", at the end of what tree prints. */
static int
tree_sums(struct ctx_listing *l, struct ctx_str s)
{
	uint64_t n;

	if (ctx_listing_number(&s, &n) == 0 || (!ctx_listing_skip(&s,
	    " directories") && !ctx_listing_skip(&s, " directory")))
		return 0;
	ctx_listing_count(l, CTX_LISTED_DIRS, n);
	if (s.len == 0)
		return 1;
	if (!ctx_listing_skip(&s, ", ") || ctx_listing_number(&s, &n) == 0)
		return 0;
	ctx_listing_count(l, CTX_LISTED_FILES, n);
	return ctx_str_is(s, " files") || ctx_str_is(s, " file");
}

static int
read_tree(struct ctx_listing *l, struct ctx_str text)
{
	static const struct ctx_str none;
	struct ctx_str line;
	const char *mark;
	int sums = 0;

	while (ctx_listing_line(&text, &line)) {
		if (sums && line.len > 0)
			return 0;
		mark = memmem(line.p, line.len, "\xe2\x94\x80\xe2\x94\x80 ", 7);
		if (mark == NULL) {
			if (l->n > 0 && line.len > 0 &&
			    !(sums = tree_sums(l, line)))
				return 0;
			continue;
		}
		line.len -= (uint32_t)(mark + 7 - line.p);
		line.p = mark + 7;
		if (ctx_listing_add(l, none, line) == NULL)
			return -1;
	}
	return sums;
}

/* --- the whole ----------------------------------------------------------- */

int
ctx_listing_read(struct ctx_listing *l, const struct ctx_listing_how *how,
    struct ctx_str text)
{
	reset(l);
	switch (how->form) {
	case CTX_LISTING_NONE:
		return 0;
	case CTX_LISTING_MATCHES:
		return read_matches(l, how, text);
	case CTX_LISTING_PATHS:
		return read_paths(l, how, text);
	case CTX_LISTING_LS:
		return read_ls(l, how, text);
	case CTX_LISTING_TREE:
		return read_tree(l, text);
	case CTX_LISTING_TOOL:
		return ctx_listing_tool(l, text);
	default:
		return ctx_listing_git(l, how->form, text);
	}
}

void
ctx_listing_done(struct ctx_listing *l)
{
	free(l->name);
	ctx_buf_done(&l->bytes);
	ctx_strmap_done(&l->map);
	memset(l, 0, sizeof(*l));
}
