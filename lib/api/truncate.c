/* SPDX-License-Identifier: MIT */
/* ctx_lib_truncate; see ctx.h. */
#include "api/ctx_impl.h"

#include "job/budget.h"
#include "job/cut.h"

_Static_assert((int)CTX_LIB_START_ANY == (int)CTX_CUT_ANY &&
    (int)CTX_LIB_END_ASSISTANT == (int)CTX_WIN_END_ASSISTANT,
    "enums are the same");

/* Set the limits.  Returns 0, or -1 with *err. */
static int
limit(struct ctx_win_opts *win, const struct ctx_lib_truncate_opts *o,
    struct ctx_err *err)
{
	const struct ctx_cost *k = o->counter != NULL ? &o->counter->cost :
	    NULL;
	struct ctx_budget b = CTX_BUDGET_DEFAULT;

	win->last = o->last;
	win->tokens = o->tokens;
	win->has_tokens = o->tokens > 0;
	if (win->has_tokens && k == NULL)
		return ctx_fail(err, CTX_EUSAGE, "tokens needs a counter");
	if (win->last == 0 && !win->has_tokens && k != NULL &&
	    k->model_name != NULL) {
		b.window = k->choice.model != NULL ? k->choice.model->window :
		    0;
		if (b.window == 0)
			b.window = CTX_BUDGET_WINDOW;
		if (ctx_budget_tokens(&b, &win->tokens, err) == -1)
			return -1;
		win->has_tokens = 1;
		win->system_free = b.system;
	}
	if (win->last == 0 && !win->has_tokens)
		win->last = CTX_CUT_LAST;
	if (o->step > 0 && o->step >= (win->has_tokens ? win->tokens :
	    win->last))
		return ctx_fail(err, CTX_EUSAGE, "step must be less than the "
		    "limit");
	if (!win->has_tokens && (o->partial || o->results_first))
		return ctx_fail(err, CTX_EUSAGE, "%s needs a token budget",
		    o->partial ? "partial" : "results_first");
	if (o->partial && o->step > 0)
		return ctx_fail(err, CTX_EUSAGE, "partial and step cannot be "
		    "used together");
	return 0;
}

/* A conversation that cannot be made to fit. */
static void
row(const struct ctx_row *row, struct ctx_err *err)
{
	if (row->what != CTX_CUT_LEFT_OUT || err->code != CTX_OK)
		return;
	err->line = row->line;
	ctx_fail(err, CTX_ENO, "%.*s", (int)row->textlen, row->text);
}

int
ctx_lib_truncate(const struct ctx_lib_truncate_opts *opts,
    const char *history, size_t len, struct ctx_lib_text *out,
    struct ctx_lib_err *err)
{
	static const struct ctx_lib_truncate_opts none;
	const struct ctx_lib_truncate_opts *o = opts != NULL ? opts : &none;
	struct ctx_markers notes = { .lang = (enum ctx_wording)o->lang };
	struct ctx_cut_opts k = { .notes = &notes };
	struct ctx_lib_run r = { .row = row };

	k.win.step = o->step;
	k.win.keep_first = o->keep_first;
	k.win.exclude_last = o->exclude_last;
	k.win.end_on = (enum ctx_win_end)o->end_on;
	k.win.results_first = o->results_first;
	k.win.edge_drop = o->edge_drop;
	k.start = (enum ctx_cut_start)o->start_on;
	k.partial = o->partial;
	k.pin = o->pin;
	k.note = o->note;
	if (limit(&k.win, o, &r.err) == 0) {
		k.counting = k.win.has_tokens;
		if (o->counter != NULL) {
			k.cost = &o->counter->cost;
			ctx_lib_counter_begin(o->counter);
		}
		r.job = ctx_cut_new(&k, &r.err);
	}
	ctx_lib_run(&r, history, len);
	return ctx_lib_run_end(&r, out, err);
}
