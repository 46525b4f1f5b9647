/* SPDX-License-Identifier: MIT */
/*
 * Clean a history, as message lines, a conversation line and a request.  What
 * comes out has no fault that can be mended, and stays as it is the second
 * time; a line of which no change is reported is the same bytes; and all three
 * forms have the same faults and become the same messages, unless the last one is
 * empty: lines may go on, and a conversation may end so.
 */
#include "history.h"

#include <stdio.h>

#define FAULTS	1024	/* the others of a history are not compared */

static struct ctx_clean_opts opts;

/* --- options ----------------------------------------------------------- */

static void
set_links(const struct history *h, struct ctx_links_opts *o)
{
	static const enum ctx_unanswered how[] = { CTX_TRIM, CTX_DROP,
	    CTX_REPAIR };

	o->unanswered = how[h->option[0] % 3];
	o->keep_pending = h->option[1] & 1;
	o->drop_empty = h->option[1] >> 1 & 1;
}

/* The rules for secrets, with a key that stays. */
static struct ctx_redact *
redaction(void)
{
	static const struct ctx_redact_opts all = { .rules = "all",
	    .key = "k", .keylen = 1 };
	static struct ctx_redact *r;
	struct ctx_err err = { 0 };

	if (r == NULL)
		MUST((r = ctx_redact_new(&all, &err)) != NULL);
	return r;
}

static void
set_all(const struct history *h, struct ctx_clean_opts *o)
{
	static const struct ctx_markers notes = { 0 };
	unsigned lean = h->option[2] % 8, old = h->option[3] % 8;

	memset(o, 0, sizeof(*o));
	set_links(h, &o->links);
	o->cost = history_cost();
	o->notes = &notes;
	o->merge = h->option[1] >> 2 & 1;
	o->drop_branches = h->option[1] >> 3 & 1;
	if (lean > 0 && lean < 3)
		ctx_lean_recommend(&o->lean, lean == 2);
	if (lean > 2)
		o->lean.result.max = 4u << lean;
	if (lean > 4)
		o->lean.minify = o->lean.squeeze = o->lean.ansi = 1;
	/* what is merged is shortened the next time */
	if (lean > 5 && !o->merge)
		o->lean.message.max = 60;
	o->lean.clear = old > 0 && old < 4;
	o->lean.prune = old >= 4;
	o->lean.clear_keep = old % 4;
	/*
	 * What pays depends on lengths, which other options change for the
	 * second run.
	 */
	o->lean.pace.step = old % 2 || lean > 0 || o->merge ? 0 : CTX_PACE_PAYS;
	o->lean.thinking = (enum ctx_thinking)(h->option[4] % 3);
	o->images.how = (enum ctx_images)(h->option[5] % 3);
	o->images.all = h->option[5] % 2;
	o->report = h->option[6] & 1;
	if (h->option[6] & 2)
		o->lean.redact = redaction();
}

/* --- laws -------------------------------------------------------------- */

/* Message lines of which no change is told come out as they are. */
static void
untouched(const struct history *h, const struct gave *g)
{
	const char *p = h->lines.data, *end = p + h->lines.len;
	char word[24];
	size_t n;
	int line;

	for (line = 1; p < end; p += n, line++) {
		n = ctx_scan_newline(p, (size_t)(end - p)) + 1;
		snprintf(word, sizeof(word), " %d\n", line);
		if (g->told.len == 0 || memmem(g->told.data, g->told.len, word,
		    strlen(word)) == NULL)
			MUST(history_has(&g->out, p, n));
	}
}

/*
 * Is anything of the text repaired?  What goes by its age is then chosen in
 * another history than the next time.
 */
static int
mends(const struct history *h, const struct ctx_buf *text)
{
	struct gave g = { 0 };
	int line, col, warning, fixed = 0, at = 0;
	const char *p, *end;

	history_find(h, text, &opts.links, &g);
	ctx_buf_addc(&g.told, '\0');
	for (p = g.told.data, end = p + g.told.len - 1; p < end && !fixed;
	    p += at)
		MUST(sscanf(p, "%d %d %d %d %*s\n%n", &line, &col, &warning,
		    &fixed, &at) == 4);
	gave_done(&g);
	return fixed;
}

/* Clean the text twice; g gets the first result. */
static void
twice(const struct history *h, const struct ctx_buf *text, struct gave *g)
{
	struct gave again = { 0 };

	history_clean(h, text, &opts, g);
	if (g->failed || g->bad > 0 || history_has_twice(h, text))
		return;
	history_clean(h, &g->out, &opts, &again);
	MUST(!again.failed && again.bad == 0);
	if (!(opts.lean.clear || opts.lean.prune || opts.lean.thinking ==
	    CTX_THINKING_LAST) || !mends(h, text))
		must_be(&again.out, &g->out);
	history_valid(h, &g->out, &opts.links);
	gave_done(&again);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/*
 * The faults of g in order, without those of what is no message, which depend
 * on the form.  Those of a conversation line become those of lines; more is
 * what its form has before the list, or -1 for lines.
 */
static void
in_order(const struct history *h, struct gave *g, int more)
{
	static char row[FAULTS][80];
	int line, col, warning, fixed, at = 0;
	size_t n = 0, i, off, m;
	const char *p, *end;
	char rule[40];

	ctx_buf_addc(&g->told, '\0');
	for (p = g->told.data, end = p + g->told.len - 1; p < end && n < FAULTS;
	    p += at) {
		MUST(sscanf(p, "%d %d %d %d %39s\n%n", &line, &col, &warning,
		    &fixed, rule, &at) == 5);
		if (strcmp(rule, "no-message") == 0 ||
		    strcmp(rule, "unknown-record") == 0)
			continue;
		off = (size_t)(col - 1 - more);
		m = more == -1 ? (size_t)line - 1 : history_message(h, off);
		snprintf(row[n++], sizeof(row[0]), "%zu %zu %d %d %s\n", m,
		    more == -1 ? (size_t)col - 1 : off - h->at[m], warning,
		    fixed, rule);
	}
	qsort(row, n, sizeof(row[0]), compare);
	ctx_buf_reset(&g->told);
	for (i = 0; i < n; i++)
		ctx_buf_adds(&g->told, row[i]);
}

/* Is the rule told of that line? */
static int
is_told(const struct gave *found, size_t line, const char *rule)
{
	const char *p = found->told.data, *end, *eol;
	const size_t len = strlen(rule);

	if (found->told.len == 0)
		return 0;
	for (end = p + found->told.len; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (strtoul(p, NULL, 10) == line &&
		    strncmp(eol - len, rule, len) == 0)
			return 1;
	}
	return 0;
}

/* Are there lines whose place in the result is not determined? */
static int
ambiguous(const struct gave *found)
{
	const char *p = found->told.len > 0 ? found->told.data : "";
	size_t n = found->told.len;

	return memmem(p, n, "not-json", 8) != NULL ||
	    (memmem(p, n, "unknown-record", 14) != NULL &&
	    memmem(p, n, "misplaced-result", 16) != NULL);
}

/* A conversation or request has the verdict and the result of the lines. */
static void
same_shape(const struct history *h, const struct gave *lines,
    const struct gave *found, const struct ctx_buf *form)
{
	struct gave g = { 0 }, f = { 0 };
	struct ctx_buf want = { 0 };

	if (form->len == 0)
		return;
	twice(h, form, &g);
	history_find(h, form, &opts.links, &f);
	if (g.failed == 0 && g.bad == 0 && !ambiguous(&f)) {
		in_order(h, &f, form == &h->request ? (int)h->head : 0);
		must_be(&f.told, &found->told);
		history_wrap(h, &lines->out, form, &want);
		must_be(&g.out, &want);
	}
	ctx_buf_done(&want);
	gave_done(&g);
	gave_done(&f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct gave lines = { 0 }, found = { 0 };
	static struct history h;

	if (!history_read(&h, data, len))
		goto out;
	set_all(&h, &opts);
	twice(&h, &h.lines, &lines);
	history_find(&h, &h.lines, &opts.links, &found);
	if (lines.failed || lines.bad > 0)
		goto out;
	if (opts.report)
		untouched(&h, &lines);
	/* a conversation may end with an empty answer */
	if (!ambiguous(&found) && !is_told(&found, h.last, " empty-message")) {
		in_order(&h, &found, -1);
		same_shape(&h, &lines, &found, &h.whole);
		same_shape(&h, &lines, &found, &h.request);
	}
out:
	gave_done(&lines);
	gave_done(&found);
	history_done(&h);
	return 0;
}
