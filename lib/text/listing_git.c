/* SPDX-License-Identifier: MIT */
/* What git prints of changes, commits and the state of a tree. */
#include "text/listing_impl.h"

#include <stdio.h>
#include <string.h>

static const struct ctx_str none;

static int
is_hex(struct ctx_str s, size_t min)
{
	size_t i;

	for (i = 0; i < s.len && s.p[i] != ' '; i++)
		if ((s.p[i] < '0' || s.p[i] > '9') &&
		    (s.p[i] < 'a' || s.p[i] > 'f'))
			return 0;
	return i >= min && i <= 64;
}

/* --- diffs --------------------------------------------------------------- */

/* What is left of a hunk. */
struct hunk {
	uint64_t old, new;
};

/* "@@ -12,3 +12,4 @@" */
static int
hunk_of(struct ctx_str s, struct hunk *h)
{
	uint64_t n;

	h->old = h->new = 1;
	if (!ctx_listing_skip(&s, "@@ -") || ctx_listing_number(&s, &n) == 0)
		return 0;
	if (ctx_listing_skip(&s, ",") && ctx_listing_number(&s, &h->old) == 0)
		return 0;
	if (!ctx_listing_skip(&s, " +") || ctx_listing_number(&s, &n) == 0)
		return 0;
	if (ctx_listing_skip(&s, ",") && ctx_listing_number(&s, &h->new) == 0)
		return 0;
	return ctx_listing_skip(&s, " @@");
}

/* A line in a hunk.  Returns 0 if it is none. */
static int
hunk_line(struct ctx_listing *l, struct hunk *h, struct ctx_str s)
{
	struct ctx_listing_name *file = &l->name[l->n - 1];
	char c = s.len > 0 ? *s.p : ' ';

	if (c == '\\')
		return 1;
	if ((c != '+' && h->old-- == 0) || (c != '-' && h->new-- == 0))
		return 0;
	file->n += c == '+';
	file->minus += c == '-';
	l->count[CTX_LISTED_ADDED] += c == '+';
	l->count[CTX_LISTED_REMOVED] += c == '-';
	return c == '+' || c == '-' || c == ' ';
}

/* The file of "diff --git a/FILE b/FILE". */
static struct ctx_str
diff_file(struct ctx_str s)
{
	uint32_t half = (s.len - 1) / 2;

	/* both are the same but for a rename, which is shown as it is */
	if (s.len > 6 && s.p[half] == ' ' && memcmp(s.p, "a/", 2) == 0 &&
	    memcmp(s.p + half + 1, "b/", 2) == 0 &&
	    memcmp(s.p + 2, s.p + half + 3, half - 2) == 0) {
		s.p += half + 3;
		s.len -= half + 3;
	}
	return s;
}

/* May a line be between "diff --git" and a hunk? */
static int
is_extended(struct ctx_str s)
{
	static const char *const begins[] = {
		"index ", "old mode ", "new mode ", "new file mode ",
		"deleted file mode ", "similarity index ", "rename ", "copy ",
		"dissimilarity index ", "Binary files ", "--- ", "+++ "
	};
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (ctx_str_starts(s, begins[i]))
			return 1;
	return 0;
}

static int
read_diff(struct ctx_listing *l, struct ctx_str text)
{
	struct hunk h = { 0, 0 };
	struct ctx_str s;

	while (ctx_listing_line(&text, &s)) {
		if (h.old > 0 || h.new > 0) {
			if (!hunk_line(l, &h, s))
				return 0;
		} else if (ctx_listing_skip(&s, "diff --git ")) {
			if (ctx_listing_add(l, none, diff_file(s)) == NULL)
				return -1;
		} else if (l->n == 0 || (!ctx_str_starts(s, "\\") &&
		    !is_extended(s) && !hunk_of(s, &h)))
			return 0;
	}
	ctx_listing_count(l, CTX_LISTED_FILES, l->n);
	ctx_listing_count(l, CTX_LISTED_ADDED, 0);
	ctx_listing_count(l, CTX_LISTED_REMOVED, 0);
	/* a tool may have taken blank lines at the end away */
	return l->n > 0 && h.old == h.new && h.old <= 3;
}

/* " 3 files changed, 40 insertions(+), 12 deletions(-)" */
static int
stat_sums(struct ctx_listing *l, struct ctx_str s)
{
	uint64_t n, files;

	while (ctx_listing_skip(&s, " "))
		;
	if (ctx_listing_number(&s, &files) == 0 ||
	    (!ctx_listing_skip(&s, " files changed") &&
	    !ctx_listing_skip(&s, " file changed")) || files != l->n)
		return 0;
	ctx_listing_count(l, CTX_LISTED_FILES, files);
	ctx_listing_count(l, CTX_LISTED_ADDED, 0);
	ctx_listing_count(l, CTX_LISTED_REMOVED, 0);
	while (ctx_listing_skip(&s, ", ")) {
		if (ctx_listing_number(&s, &n) == 0)
			return 0;
		if (ctx_listing_skip(&s, " insertions(+)") ||
		    ctx_listing_skip(&s, " insertion(+)"))
			l->count[CTX_LISTED_ADDED] += n;
		else if (ctx_listing_skip(&s, " deletions(-)") ||
		    ctx_listing_skip(&s, " deletion(-)"))
			l->count[CTX_LISTED_REMOVED] += n;
		else
			return 0;
	}
	return s.len == 0;
}

static int
read_stat(struct ctx_listing *l, struct ctx_str text)
{
	const char *bar;
	struct ctx_str s;
	int sums = 0;

	while (!sums && ctx_listing_line(&text, &s)) {
		if ((bar = memmem(s.p, s.len, " | ", 3)) == NULL) {
			if (!stat_sums(l, s))
				return 0;
			sums = 1;
			continue;
		}
		while (s.p < bar && *s.p == ' ')
			s.p++;
		for (s.len = (uint32_t)(bar - s.p); s.len > 0 &&
		    s.p[s.len - 1] == ' '; s.len--)
			;
		if (ctx_listing_add(l, none, s) == NULL)
			return -1;
	}
	return sums && text.len == 0;
}

/* --- logs ---------------------------------------------------------------- */

static void
note_commit(struct ctx_listing *l, struct ctx_str hash)
{
	char *out = l->has[CTX_LISTED_COMMITS] ? l->last : l->first;
	size_t n;

	for (n = 0; n < hash.len && hash.p[n] != ' '; n++)
		if (n + 1 < sizeof(l->first))
			out[n] = hash.p[n];
	out[n + 1 < sizeof(l->first) ? n : sizeof(l->first) - 1] = '\0';
	ctx_listing_count(l, CTX_LISTED_COMMITS, 1);
}

/* "Date:   Fri Jan 2 10:00:00 2026 +0000"; a commit is newer than the next. */
static void
note_day(struct ctx_listing *l, struct ctx_str s)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char text[48], month[4], day[24];
	const char *at;
	unsigned d, year;

	if (s.len >= sizeof(text))
		return;
	memcpy(text, s.p, s.len);
	text[s.len] = '\0';
	if (sscanf(text, "%*3s %3s %2u %*8s %4u", month, &d, &year) != 3 ||
	    (at = strstr(months, month)) == NULL || (at - months) % 3 != 0 ||
	    d == 0 || d > 31)
		return;
	snprintf(day, sizeof(day), "%04u-%02u-%02u", year % 10000,
	    (unsigned)(at - months) / 3 + 1, d);
	if (l->since[0] == '\0' || strcmp(day, l->since) < 0)
		memcpy(l->since, day, sizeof(l->since));
	if (strcmp(day, l->until) > 0)
		memcpy(l->until, day, sizeof(l->until));
}

static int
read_log(struct ctx_listing *l, struct ctx_str text)
{
	struct ctx_str s;
	uint64_t days = 0;

	while (ctx_listing_line(&text, &s)) {
		if (ctx_listing_skip(&s, "commit ")) {
			if (!is_hex(s, 7))
				return 0;
			note_commit(l, s);
		} else if (!l->has[CTX_LISTED_COMMITS])
			return 0;
		else if (ctx_listing_skip(&s, "Date:   ")) {
			note_day(l, s);
			days++;
		} else if (s.len > 0 && !ctx_str_starts(s, "    ") &&
		    !ctx_str_starts(s, "Author: ") &&
		    !ctx_str_starts(s, "Merge: "))
			return 0;
	}
	return l->has[CTX_LISTED_COMMITS] &&
	    days == l->count[CTX_LISTED_COMMITS];
}

static int
read_oneline(struct ctx_listing *l, struct ctx_str text)
{
	struct ctx_str s;

	while (ctx_listing_line(&text, &s)) {
		if (!is_hex(s, 4) || memchr(s.p, ' ', s.len) == NULL)
			return 0;
		note_commit(l, s);
	}
	return l->has[CTX_LISTED_COMMITS];
}

/* --- the state of a tree ------------------------------------------------- */

/* The entries that follow a line of git status; CTX_LISTED if none do. */
static enum ctx_listed
section_of(struct ctx_str s)
{
	return ctx_str_is(s, "Changes to be committed:") ? CTX_LISTED_STAGED :
	    ctx_str_is(s, "Changes not staged for commit:") ?
	    CTX_LISTED_CHANGED :
	    ctx_str_is(s, "Untracked files:") ? CTX_LISTED_UNTRACKED :
	    ctx_str_is(s, "Unmerged paths:") ? CTX_LISTED_UNMERGED :
	    CTX_LISTED;
}

static int
read_status(struct ctx_listing *l, struct ctx_str text)
{
	enum ctx_listed section = CTX_LISTED;
	struct ctx_str s;
	const char *at;

	if (!ctx_str_starts(text, "On branch ") &&
	    !ctx_str_starts(text, "HEAD detached "))
		return 0;
	while (ctx_listing_line(&text, &s)) {
		if (!ctx_listing_skip(&s, "\t")) {
			if (section_of(s) != CTX_LISTED)
				section = section_of(s);
			continue;
		}
		if (section == CTX_LISTED)
			return 0;
		at = section == CTX_LISTED_UNTRACKED ? NULL :
		    memmem(s.p, s.len, ":  ", 3);
		if (at != NULL) {
			s.len -= (uint32_t)(at + 1 - s.p);
			s.p = at + 1;
			while (ctx_listing_skip(&s, " "))
				;
		}
		ctx_listing_count(l, section, 1);
		if (ctx_listing_add(l, none, s) == NULL)
			return -1;
	}
	return l->n > 0;
}

/* Lines "XY PATH", perhaps after one that names the branch. */
static int
read_short(struct ctx_listing *l, struct ctx_str text)
{
	static const char marks[] = " MADRCTU?!";
	struct ctx_str s;
	uint32_t n;

	while (ctx_listing_line(&text, &s)) {
		if (l->n == 0 && ctx_str_starts(s, "## "))
			continue;
		/* a tool may have taken the blank at the start away */
		n = l->n == 0 && s.len > 2 && s.p[1] == ' ' && s.p[2] != ' ' ?
		    1 : 2;
		if (s.len < n + 2 || s.p[n] != ' ' ||
		    memchr(marks, s.p[0], sizeof(marks) - 1) == NULL ||
		    memchr(marks, s.p[n - 1], sizeof(marks) - 1) == NULL)
			return 0;
		s.p += n + 1;
		s.len -= n + 1;
		ctx_listing_count(l, CTX_LISTED_ENTRIES, 1);
		if (ctx_listing_add(l, none, s) == NULL)
			return -1;
	}
	return l->n > 0;
}

int
ctx_listing_git(struct ctx_listing *l, enum ctx_listing_form form,
    struct ctx_str text)
{
	switch (form) {
	case CTX_LISTING_DIFF:
		return read_diff(l, text);
	case CTX_LISTING_STAT:
		return read_stat(l, text);
	case CTX_LISTING_LOG:
		return read_log(l, text);
	case CTX_LISTING_ONELINE:
		return read_oneline(l, text);
	case CTX_LISTING_STATUS:
		return read_status(l, text);
	case CTX_LISTING_SHORT:
		return read_short(l, text);
	default:
		return 0;
	}
}
