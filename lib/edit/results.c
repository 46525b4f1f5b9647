/* SPDX-License-Identifier: MIT */
/* Results as messages; see results.h. */
#include "edit/results.h"

#include "edit/said.h"

void
ctx_results_done(struct ctx_results *r)
{
	ctx_script_done(&r->script);
}

/* Has the result what the target needs, and is it its call's first? */
static int
check(struct ctx_results *r, const struct ctx_said *it, struct ctx_err *err)
{
	struct ctx_seen_id *seen;
	char quoted[128];

	if (it->name.len == 0 && r->to->named)
		return ctx_fail(err, CTX_EINPUT, "a result for %s needs the "
		    "name of its tool", r->to->name);
	if (it->id.len == 0 && !(r->to->needs & CTX_NEED_NO_ID))
		return ctx_fail(err, CTX_EINPUT, "a result for %s needs the "
		    "id of its call", r->to->name);
	if (it->id.len == 0)
		return 0;
	seen = ctx_idset_see(&r->script.ids, it->id.p, it->id.len);
	if (seen == NULL)
		return ctx_fail_nomem(err);
	return seen->uses++ == 0 ? 0 : ctx_fail(err, CTX_EINPUT,
	    "the call '%s' has more than one result",
	    ctx_err_quote(quoted, sizeof(quoted), it->id.p, it->id.len));
}

/* Copy a string that the result has.  Returns 0, or -1 if out of memory. */
static int
keep(struct ctx_script *s, struct ctx_str *str)
{
	if (str->p == NULL)
		return 0;
	*str = ctx_said_own(s, str->p, str->len);
	return str->p == NULL ? -1 : 0;
}

int
ctx_results_add(struct ctx_results *r, const struct ctx_said *result,
    struct ctx_err *err)
{
	struct ctx_script *s = &r->script;
	struct ctx_said *it;

	if (check(r, result, err) == -1)
		return -1;
	if ((it = ctx_said_add(s, CTX_RESULT)) == NULL)
		return ctx_fail_nomem(err);
	it->flags = result->flags;
	it->id = result->id;
	it->name = result->name;
	it->text = result->text;
	/* an id that was made for a call without one */
	if (it->id.len == 0 || (r->to->needs & CTX_NEED_NO_ID &&
	    ctx_said_made_id(it->id)))
		it->id = (struct ctx_str){ NULL, 0 };
	if (keep(s, &it->id) == -1 || keep(s, &it->name) == -1 ||
	    keep(s, &it->text) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

int
ctx_results_put(struct ctx_results *r, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_convo none = { 0 };
	struct ctx_step st = { .role = CTX_ASSISTANT,
	    .nresult = r->script.nitem };
	struct ctx_writer w = { .s = &r->script, .out = out, .t = r->to,
	    .lines = 1 };

	if (r->script.nitem == 0)
		return 0;
	r->script.c = &none;
	r->script.step = &st;
	r->script.nstep = 1;
	r->to->results(&w, &st);
	if (r->to->end != NULL)
		r->to->end(&w);
	r->script.c = NULL;
	r->script.step = NULL;
	r->script.nstep = 0;
	ctx_buf_done(&w.left);
	ctx_buf_done(&w.text);
	ctx_doc_done(&w.doc);
	ctx_respelled_done(&w.plain);
	return ctx_buf_fail(out, err);
}
