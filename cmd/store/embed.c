/* SPDX-License-Identifier: MIT */
/* ctx-store embed: vectors for messages, by which they are found by meaning. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/store/helper.h"
#include "store/search/vector.h"

/* Bytes of text in a request; a batch ends behind the text that passes it. */
#define BATCH_BYTES	(256u << 10)

struct embed {
	struct store *s;
	struct helper helper;
	struct ctx_vector_want want;
	struct ctx_vector_batch batch;
	struct helper_text *text;
	size_t captext;
	uint64_t done;
};

#define OPT_OF struct embed
static const struct cli_opt embed_opts[] = {
	OPT_FLAG(0, "all", want.anew, "everything anew"),
	OPT_NUM(0, "batch", "N", want.texts, 1, 10000,
	    "texts in a request at most (64)"),
	OPT_NUM(0, "chars", "N", want.chars, 1, 1000000,
	    "characters of a text at most (2000)"),
	OPT_SUB(helper, helper_opts),
	STORE_COMMON
};

static void
options(struct embed *e)
{
	store_options(e->s, e);
	if (!helper_wanted(&e->helper))
		cli_usage(&e->s->cli, "needs an endpoint: --url or "
		    "--ask-model, CTX_EMBED_URL or CTX_EMBED_MODEL");
	e->want.model = helper_model(&e->helper);
	e->want.thread = e->s->where.thread;
}

/* A batch asked for and kept.  -1 has been reported, or *err says why. */
static int
embed_batch(struct embed *e, struct ctx_err *err)
{
	struct ctx_vector_batch *b = &e->batch;
	struct helper_text *text;
	float *v = NULL;
	size_t dim = 0, i;
	int rc = 0;

	text = ctx_grow(e->text, b->n, &e->captext, sizeof(*text));
	if (text == NULL)
		return ctx_fail_nomem(err);
	e->text = text;
	for (i = 0; i < b->n; i++) {
		text[i].p = b->text.data + b->item[i].off;
		text[i].len = b->item[i].len;
	}
	if (b->ntext > 0)
		rc = helper_ask(&e->helper, text, b->n, &v, &dim);
	if (rc == 0)
		rc = ctx_vector_put(e->s->st, &e->want, b, v, dim, err);
	if (rc == 0)
		e->done += b->ntext;
	free(v);
	return rc;
}

static int
embed_all(struct embed *e, struct ctx_err *err)
{
	int rc;

	while ((rc = ctx_vector_next(e->s->st, &e->want, &e->batch,
	    err)) == 1)
		if (embed_batch(e, err) == -1)
			return -1;
	return rc;
}

static int
embed_run(struct store *s, struct ctx_err *err)
{
	struct embed e = { .s = s, .helper.s = s, .want = {
	    .texts = 64, .bytes = BATCH_BYTES, .chars = 2000 } };
	int rc;

	options(&e);
	rc = store_open(s, err);
	if (rc == 0)
		rc = embed_all(&e, err);
	helper_done(&e.helper);
	if (s->cli.verbose)
		cli_warn(&s->cli, "%" PRIu64 " vectors of %s", e.done,
		    e.want.model);
	cli_figure(&s->cli, "vectors", e.done);
	ctx_vector_batch_done(&e.batch);
	free(e.text);
	return rc;
}

const struct store_cmd store_embed_cmds[] = {
	STORE_CMD("embed", WRITE, embed_run, "[THREAD]",
	    "Ask an endpoint for vectors of messages that have none yet.",
	    embed_opts),
	STORE_END
};
