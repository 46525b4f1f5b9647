/* SPDX-License-Identifier: MIT */
/* ctx_lib_clean; see ctx.h. */
#include "api/ctx_impl.h"

#include <string.h>

#include "job/clean.h"

_Static_assert((int)CTX_LIB_REPAIR == (int)CTX_REPAIR &&
    (int)CTX_LIB_THINKING_LAST == (int)CTX_THINKING_LAST &&
    (int)CTX_LIB_ZH == (int)CTX_ZH, "enums are the same");

static void
take_lean(struct ctx_lean_opts *l, const struct ctx_lib_clean_opts *o)
{
	l->result.max = o->max_result;
	l->message.max = o->max_message;
	l->result.tail = l->message.tail = o->tail;
	l->choose = o->choose;
	l->ansi = o->ansi;
	l->minify = o->minify;
	l->tables = o->tables;
	l->squeeze = o->squeeze;
	l->fold = o->fold;
	l->blobs = o->base64;
	l->dedupe = o->dedupe;
	l->thinking = (enum ctx_thinking)o->thinking;
	l->clear = o->clear_results;
	l->prune = o->prune_calls;
	l->clear_keep = o->keep_results > 0 ? o->keep_results : CTX_CLEAR_KEEP;
	l->pace.step = CTX_PACE_PAYS;
	if (o->lean != CTX_LIB_LEAN_OFF)
		ctx_lean_recommend(l, o->lean == CTX_LIB_LEAN_STRONG);
}

/* Do the options go together?  Returns 0, or -1 with *err. */
static int
check(const struct ctx_clean_opts *k, const struct ctx_lib_clean_opts *o,
    struct ctx_err *err)
{
	const struct ctx_lean_opts *l = &k->lean;

	if (o->api != NULL && k->api == NULL)
		return ctx_fail(err, CTX_EUSAGE, "api: not known");
	if ((l->result.max > 0 && l->result.tail >= l->result.max) ||
	    (l->message.max > 0 && l->message.tail >= l->message.max))
		return ctx_fail(err, CTX_EUSAGE, "tail must be less than "
		    "max_result and max_message");
	if (o->dedupe > 0 && o->dedupe < CTX_DEDUPE_LEAST)
		return ctx_fail(err, CTX_EUSAGE, "dedupe must be at least %d",
		    CTX_DEDUPE_LEAST);
	if (l->clear && l->prune)
		return ctx_fail(err, CTX_EUSAGE, "clear_results and "
		    "prune_calls cannot be used together");
	if (!o->redact && (o->redact_rules != NULL || o->redact_key != NULL))
		return ctx_fail(err, CTX_EUSAGE, "redact_rules and redact_key "
		    "need redact");
	if (o->redact_key != NULL &&
	    strlen(o->redact_key) < CTX_REDACT_KEY_LEAST)
		return ctx_fail(err, CTX_EUSAGE, "redact_key must have at "
		    "least %d bytes", CTX_REDACT_KEY_LEAST);
	return 0;
}

/* The rules for secrets; NULL with *err. */
static struct ctx_redact *
open_redact(const struct ctx_lib_clean_opts *o, struct ctx_err *err)
{
	struct ctx_redact_opts r = { .rules = o->redact_rules,
	    .key = o->redact_key };

	if (o->redact_key != NULL)
		r.keylen = strlen(o->redact_key);
	return ctx_redact_new(&r, err);
}

int
ctx_lib_clean(const struct ctx_lib_clean_opts *opts, const char *history,
    size_t len, struct ctx_lib_text *out, struct ctx_lib_err *err)
{
	static const struct ctx_lib_clean_opts none;
	const struct ctx_lib_clean_opts *o = opts != NULL ? opts : &none;
	struct ctx_markers notes = { .lang = (enum ctx_wording)o->lang };
	struct ctx_clean_opts k = { .notes = &notes };
	struct ctx_lib_run r = { 0 };
	int rc;

	k.links.unanswered = (enum ctx_unanswered)o->unanswered;
	k.links.keep_pending = o->keep_pending;
	k.links.drop_empty = o->empty;
	k.drop_branches = o->drop_branches;
	k.merge = o->merge_runs;
	k.api = o->api != NULL ? ctx_api_find(o->api) : NULL;
	take_lean(&k.lean, o);
	if (check(&k, o, &r.err) == 0 && (!o->redact ||
	    (k.lean.redact = open_redact(o, &r.err)) != NULL))
		r.job = ctx_clean_new(&k, &r.err);
	ctx_lib_run(&r, history, len);
	rc = ctx_lib_run_end(&r, out, err);
	ctx_redact_free(k.lean.redact);
	return rc;
}
