/* SPDX-License-Identifier: MIT */
/* ctx-store embed: vectors for messages, by which they are found by meaning. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/store/helper.h"
#include "store/search/vector.h"

enum { OPT_ALL = CLI_LONG, OPT_BATCH, OPT_CHARS };

/* Bytes of text in a request; a batch ends behind the text that passes it. */
#define BATCH_BYTES	(256u << 10)

static const struct cli_opt embed_opts[] = {
	{ OPT_ALL, "all", NULL, "everything anew" },
	{ OPT_BATCH, "batch", "N", "texts in a request at most (64)" },
	{ OPT_CHARS, "chars", "N", "characters of a text at most (2000)" },
	HELPER_OPTS,
	STORE_COMMON
};

struct embed {
	struct store *s;
	struct helper helper;
	struct ctx_vector_want want;
	struct ctx_vector_batch batch;
	struct helper_text *text;
	size_t captext;
	uint64_t done;
};

static void
options(struct embed *e)
{
	struct cli *c = &e->s->cli;
	int ch;

	while ((ch = store_getopt(e->s)) != -1)
		switch (ch) {
		case OPT_ALL:
			e->want.anew = 1;
			break;
		case OPT_BATCH:
			e->want.texts = (size_t)cli_num(c, 1, 10000);
			break;
		case OPT_CHARS:
			e->want.chars = (size_t)cli_num(c, 1, 1000000);
			break;
		default:
			helper_opt(&e->helper, ch);
		}
	store_operands(e->s, 0, 1, "");
	if (!helper_wanted(&e->helper))
		cli_usage(c, "needs an endpoint: --url or --ask-model, "
		    "CTX_EMBED_URL or CTX_EMBED_MODEL");
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

static void
embed_run(struct store *s)
{
	struct embed e = { .s = s, .helper.s = s, .want = {
	    .texts = 64, .bytes = BATCH_BYTES, .chars = 2000 } };
	struct ctx_err err = { 0 };

	options(&e);
	if (store_open(s) == 0 && embed_all(&e, &err) == -1 &&
	    err.code != CTX_OK)
		store_report(s, NULL, &err);
	helper_done(&e.helper);
	if (s->cli.verbose)
		cli_warn(&s->cli, "%" PRIu64 " vectors of %s", e.done,
		    e.want.model);
	cli_figure(&s->cli, "vectors", e.done);
	ctx_vector_batch_done(&e.batch);
	free(e.text);
}

const struct store_cmd store_embed_cmds[] = {
	{ "embed", CTX_STORE_WRITE, embed_run, { "ctx-store embed",
	    "[OPTION ...] [THREAD]",
	    "Ask an endpoint for vectors of messages that have none yet.",
	    embed_opts, NULL } },
	{ 0 }
};
