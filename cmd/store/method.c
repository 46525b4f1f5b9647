/* SPDX-License-Identifier: MIT */
/* --method of ctx-store search and relevant; see method.h. */
#include "cmd/store/method.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "store/search/vector.h"

#define LIKE_MAX	200	/* messages; those behind mean nothing */

static const char *const hows[] = { "keyword", "meaning", "both", NULL };

#define OPT_OF struct method
const struct cli_opt method_opts[] = {
	OPT_WORD(0, "method", "HOW", how, hows, "how to find",
	    .min = METHOD_KEYWORD),
	OPT_SUB(helper, helper_opts),
	OPT_END
};

/* Meaning does not count, and why; -1 if it was asked for. */
static int
not_so(struct method *b, struct ctx_err *why)
{
	struct cli *c = &b->helper.s->cli;

	if (b->how != METHOD_UNSET)
		return store_report(b->helper.s, NULL, why);
	if (c->verbose)
		cli_warn(c, "by keyword alone: %s", why->text);
	return 0;
}

/* Is there somebody to ask, and something to compare the answer with? */
static int
possible(struct method *b, struct ctx_err *err)
{
	const char *model = helper_model(&b->helper);
	size_t dim;
	int rc;

	if (!helper_wanted(&b->helper))
		return ctx_fail(err, CTX_EUSAGE, "no endpoint: --url or "
		    "--ask-model, CTX_EMBED_URL or CTX_EMBED_MODEL");
	rc = ctx_vector_of(b->helper.s->st, model, &dim, err);
	if (rc == 0)
		return ctx_fail(err, CTX_ENO, "no vectors of '%.100s' are "
		    "kept: run ctx-store embed", model);
	return rc;
}

int
method_meaning(struct method *b, const char *question,
    const struct ctx_where *where, int context, struct ctx_rank *r)
{
	struct ctx_vector_like like = { .model = helper_model(&b->helper),
	    .max = LIKE_MAX, .where = where, .context = context };
	struct helper_text text = { question, strlen(question) };
	struct ctx_err err = { 0 };
	float *v;
	int rc;

	/* what is not UTF-8 is refused with the words */
	if (b->how == METHOD_KEYWORD || text.len == 0 ||
	    ctx_utf8_check(text.p, text.len) != text.len)
		return 0;
	if (possible(b, &err) == -1)
		return not_so(b, &err);
	b->helper.soft = b->how == METHOD_UNSET;
	if (helper_ask(&b->helper, &text, 1, &v, &like.dim) == -1)
		return b->how == METHOD_UNSET ? 0 : -1;
	like.v = v;
	rc = ctx_vector_rank(b->helper.s->st, &like, r, &err);
	free(v);
	return rc == -1 ? not_so(b, &err) : 1;
}
