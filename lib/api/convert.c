/* SPDX-License-Identifier: MIT */
/* ctx_lib_convert; see ctx.h. */
#include "api/ctx_impl.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "job/convert_job.h"

#define PROMPT_MAX	(1u << 20)

_Static_assert((int)CTX_LIB_CONVERSATION == (int)CTX_CONVERSATION,
    "shapes are the same");

/* What a call works with. */
struct convert {
	const struct ctx_lib_convert_opts *o;
	struct ctx_convert_job_opts k;
	struct ctx_markers notes;
	struct ctx_buf system;		/* escaped */
	struct ctx_doc doc;		/* the definitions of tools */
	struct ctx_tools tools;
};

static int
take_system(struct convert *c, struct ctx_err *err)
{
	const char *text = c->o->system;
	size_t len = text != NULL ? strlen(text) : 0;

	if (text == NULL)
		return 0;
	if (len == 0 || len > PROMPT_MAX || ctx_scan_utf8(text, len) < len)
		return ctx_fail(err, CTX_EUSAGE, "system is not a text in "
		    "UTF-8 of 1 to %u bytes", PROMPT_MAX);
	ctx_str_encode(&c->system, text, len);
	if (ctx_buf_fail(&c->system, err) == -1)
		return -1;
	c->k.want.system = ctx_str_of(&c->system);
	return 0;
}

static int
take_tools(struct convert *c, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	const char *text = c->o->tools;

	if (text == NULL)
		return 0;
	if (ctx_doc_scan(&c->doc, text, strlen(text), &why) == -1 ||
	    ctx_tools_read(&c->tools, &c->doc, 0, &why) == -1) {
		if (why.code == CTX_ENOMEM)
			return ctx_fail_nomem(err);
		return ctx_fail(err, CTX_EUSAGE, "tools: %s", why.text);
	}
	if (c->tools.n == 0)
		return ctx_fail(err, CTX_EUSAGE, "tools: expected a JSON list "
		    "of objects with a name");
	c->k.want.tools = &c->tools;
	return 0;
}

/* Settle what a request has.  Returns 0, or -1 with *err. */
static int
take_request(struct convert *c, struct ctx_err *err)
{
	const struct ctx_lib_convert_opts *o = c->o;
	struct ctx_request *want = &c->k.want;

	if (!o->request)
		return o->system == NULL && o->tools == NULL &&
		    o->tool_choice == NULL && o->max_output == 0 &&
		    !o->stream && !o->cache ? 0 : ctx_fail(err, CTX_EUSAGE,
		    "system, tools, tool_choice, max_output, stream and cache "
		    "need request");
	if (o->model == NULL || c->k.to->request == NULL)
		return ctx_fail(err, CTX_EUSAGE, o->model == NULL ?
		    "a request needs a model" :
		    "there is no request of that dialect");
	if (ctx_utf8_check(o->model, strlen(o->model)) < strlen(o->model))
		return ctx_fail(err, CTX_EUSAGE, "model is not UTF-8");
	c->k.request = 1;
	want->model = o->model;
	want->choice = o->tool_choice;
	want->max_output = o->max_output;
	want->stream = o->stream;
	want->cache = o->cache;
	if (want->choice != NULL && !ctx_request_can_choose(c->k.to,
	    want->choice))
		return ctx_fail(err, CTX_EUSAGE, "the API of %s has no such "
		    "tool choice", c->k.to->name);
	return take_system(c, err) == -1 || take_tools(c, err) == -1 ? -1 : 0;
}

/* Settle what the options mean.  Returns 0, or -1 with *err. */
static int
settle(struct convert *c, struct ctx_err *err)
{
	const struct ctx_lib_convert_opts *o = c->o;
	struct ctx_convert_job_opts *k = &c->k;

	c->notes.lang = (enum ctx_wording)o->lang;
	k->notes = &c->notes;
	k->to = o->to != NULL ? ctx_target_find(o->to) : NULL;
	if (k->to == NULL || k->to->step == NULL)
		return ctx_fail(err, CTX_EUSAGE, "to: not a target for "
		    "histories");
	if (o->from != NULL && ctx_dialect_find(o->from) == NULL)
		return ctx_fail(err, CTX_EUSAGE, "from: not a dialect");
	k->shape = (enum ctx_convert_shape)o->shape;
	k->strict = o->strict;
	k->api = ctx_api_find(o->api != NULL ? o->api : k->to->name);
	if (o->api != NULL && (k->api == NULL ||
	    strcmp(k->api->dialect, k->to->name) != 0))
		return ctx_fail(err, CTX_EUSAGE, "api: not a server for that "
		    "target");
	return take_request(c, err);
}

/* A conversation that was left out. */
static void
row(const struct ctx_row *row, struct ctx_err *err)
{
	uint64_t n = 0;
	int i;

	if (err->code != CTX_OK)
		return;
	err->line = row->line;
	if (row->what == CTX_CONVERT_ROW_NOTHING)
		ctx_fail(err, CTX_EINPUT, "nothing of the conversation is "
		    "left to convert");
	else if (row->what == CTX_CONVERT_ROW_SEALED)
		ctx_fail(err, CTX_EINPUT, "its beginning is a compaction that "
		    "only its own API can read");
	if (row->what != CTX_CONVERT_ROW_LOSES)
		return;
	for (i = 0; i < CTX_L_N; i++)
		n += row->n[i];
	ctx_fail(err, CTX_ENO, "it would lose or change %" PRIu64 " value%s",
	    n, n == 1 ? "" : "s");
}

/* Is there a message?  Sum what was lost. */
static void
look(struct ctx_lib_run *r, uint64_t *lost)
{
	const struct ctx_held *held = &r->job->turns.held;
	const struct ctx_convert_job_sums *did;
	int i;

	if (held->records > 0 && held->messages == 0)
		ctx_fail(&r->err, CTX_EINPUT, "no message, so there is "
		    "nothing to convert");
	if (lost == NULL)
		return;
	did = ctx_convert_job_figures(r->job);
	for (*lost = 0, i = 0; i < CTX_L_N; i++)
		*lost += did->loss[i];
}

int
ctx_lib_convert(const struct ctx_lib_convert_opts *opts, const char *history,
    size_t len, struct ctx_lib_text *out, uint64_t *lost,
    struct ctx_lib_err *err)
{
	static const struct ctx_lib_convert_opts none;
	struct convert c = { .o = opts != NULL ? opts : &none };
	struct ctx_lib_run r = { .row = row, .lists = 1 };
	int rc;

	if (settle(&c, &r.err) == 0)
		r.job = ctx_convert_job_new(&c.k, &r.err);
	if (r.job != NULL && c.o->from != NULL)
		r.job->turns.dialect = ctx_dialect_find(c.o->from);
	if (ctx_lib_run(&r, history, len) == 0)
		look(&r, lost);
	rc = ctx_lib_run_end(&r, out, err);
	ctx_tools_done(&c.tools);
	ctx_doc_done(&c.doc);
	ctx_buf_done(&c.system);
	return rc;
}
