/* SPDX-License-Identifier: MIT */
/*
 * Cut a clean history, as message lines and as a conversation line.  Whatever
 * the limits are, what is left is valid and clean, fits into its budget, and
 * is, with what was put aside, the input; both forms become the same messages.
 */
#include "history.h"

#include "job/cut.h"
#include "job/tally.h"

static struct ctx_cut_opts opts;
static int left_out;		/* conversations that could not fit */

static void
set_all(const struct history *h)
{
	static const struct ctx_markers notes = { 0 };
	static const unsigned budgets[] = { 0, 0, 5, 20, 41, 82, 160, 323, 641,
	    1282, 5003, 20000 };
	struct ctx_win_opts *win = &opts.win;
	unsigned how = h->option[2];

	memset(&opts, 0, sizeof(opts));
	win->last = h->option[0] % 16;
	win->tokens = budgets[h->option[1] % 12];
	win->has_tokens = win->tokens > 0;
	if (!win->has_tokens && win->last == 0)
		win->last = 1;
	win->edge_drop = how & 1;
	win->first = how >> 1 & 1;
	opts.counting = win->has_tokens;
	opts.cost = history_cost();
	opts.notes = &notes;
	opts.put_aside = 1;
	win->end_on = (enum ctx_win_end)(h->option[3] % 3);
	if (win->first)
		return;
	win->results_first = win->has_tokens && how & 4;
	opts.note = how >> 3 & 1;
	opts.partial = win->has_tokens && h->option[4] & 1;
	win->keep_first = h->option[4] >> 1 & 3;
	win->exclude_last = h->option[4] >> 3 & 1;
	opts.start = (enum ctx_cut_start)(h->option[5] % 3);
	/* a step is less than the limit */
	if (!opts.partial && (win->last == 0 || h->option[6] % 4 < win->last))
		win->step = h->option[6] % 4;
}

/* --- runs -------------------------------------------------------------- */

static void
tell_left(struct gave *g, const struct ctx_row *row)
{
	(void)g;
	left_out += row->what == CTX_CUT_LEFT_OUT;
}

static void
cut(const struct history *h, const struct ctx_buf *text, struct gave *g)
{
	struct ctx_err err = { 0 };

	left_out = 0;
	g->tell = tell_left;
	history_run(ctx_cut_new(&opts, &err), h->dialect, text, g);
}

static uint64_t
tokens(const struct history *h, const struct ctx_buf *text)
{
	struct ctx_tally_opts o = { .by = CTX_TALLY_FILE,
	    .cost = history_cost() };
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_tally_new(&o, &err);
	struct gave g = { 0 };
	uint64_t n;

	history_feed(j, h->dialect, text, &g);
	n = ctx_tally_take(j).tokens;
	ctx_job_free(j);
	gave_done(&g);
	return n;
}

/* --- laws -------------------------------------------------------------- */

/* Does each line of some text occur in a or b? */
static void
accounted(const struct ctx_buf *text, const struct ctx_buf *a,
    const struct ctx_buf *b)
{
	size_t at, n;

	for (at = 0; at < text->len; at += n) {
		n = ctx_scan_newline(text->data + at, text->len - at) + 1;
		MUST(history_has(a, text->data + at, n) ||
		    (b != NULL && history_has(b, text->data + at, n)));
	}
}

/* Does a record of a session name another that it follows? */
static int
has_links(const struct ctx_buf *text)
{
	struct ctx_doc doc = { 0 };
	size_t at, n;
	uint32_t k;
	int found = 0;

	for (at = 0; at < text->len && !found; at += n) {
		n = ctx_scan_newline(text->data + at, text->len - at) + 1;
		if (ctx_doc_try(&doc, text->data + at, n) != 1)
			continue;
		CTX_FOR_KEYS(&doc, k, 0)
			found |= ctx_str_starts(ctx_node_str(&doc, k),
			    "parent") && ctx_node_str(&doc, k + 1).len > 0;
	}
	ctx_doc_done(&doc);
	return found;
}

static void
check(const struct history *h, const struct ctx_buf *before,
    const struct gave *g)
{
	const struct ctx_clean_opts clean = { 0 };
	struct gave again = { 0 };

	history_valid(h, &g->out, NULL);
	history_clean(h, &g->out, &clean, &again);
	must_be(&again.out, &g->out);
	/* without a link all messages of a log are one branch */
	if (opts.win.has_tokens && has_links(&g->out) == has_links(before))
		MUST(tokens(h, &g->out) <= opts.win.tokens);
	/*
	 * What a session links follows what is kept; see relink.h.  A record of
	 * several messages, as Pydantic AI has, may be divided.
	 */
	if (h->whole.len > 0 && !left_out &&
	    h->dialect != &ctx_dialect_pydantic) {
		accounted(before, &g->out, &g->side);
		if (!opts.note && !opts.partial && !opts.win.results_first) {
			accounted(&g->out, before, NULL);
			MUST(g->out.len + g->side.len == before->len);
		}
	}
	gave_done(&again);
}

/* The conversation line is cut like the lines that are its messages. */
static void
same_shape(const struct history *h, const struct ctx_buf *lines,
    const struct gave *want)
{
	struct ctx_buf whole = { 0 }, all = { 0 };
	int was = left_out;
	struct gave g = { 0 };

	history_wrap(h, lines, &h->whole, &whole);
	cut(h, &whole, &g);
	MUST(!g.failed && left_out == was);
	if (!was) {
		history_wrap(h, &want->out, &h->whole, &all);
		must_be(&g.out, &all);
		history_valid(h, &g.out, NULL);
	}
	ctx_buf_done(&whole);
	ctx_buf_done(&all);
	gave_done(&g);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct ctx_clean_opts plain = { 0 };
	struct gave clean = { 0 }, g = { 0 };
	static struct history h;

	/* to clean what follows one of two records may leave that without either */
	if (history_read(&h, data, len) && !history_has_twice(&h, &h.lines)) {
		set_all(&h);
		history_clean(&h, &h.lines, &plain, &clean);
	}
	if (clean.out.len > 0 && !clean.failed && clean.bad == 0) {
		cut(&h, &clean.out, &g);
		MUST(!g.failed && g.bad == 0);
		check(&h, &clean.out, &g);
		if (h.whole.len > 0)
			same_shape(&h, &clean.out, &g);
	}
	gave_done(&clean);
	gave_done(&g);
	history_done(&h);
	return 0;
}
