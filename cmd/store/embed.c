/* SPDX-License-Identifier: MIT */
/* ctx-store embed: get vectors for messages, to find them by meaning. */

#include "cmd/store/meaning.h"

/* Bytes of text in a request; a batch ends with the text that exceeds this. */
#define BATCH_BYTES	(256u << 10)

struct embed {
	struct meaning meaning;
	struct ctx_vector_want want;
};

#define OPT_OF struct embed
static const struct cli_opt embed_opts[] = {
	OPT_FLAG(0, "all", want.anew, "replace all vectors"),
	OPT_NUM(0, "batch", "N", want.texts, 1, 10000,
	    "maximum number of texts in a request (default 64)"),
	OPT_NUM(0, "chars", "N", want.chars, 1, 1000000,
	    "maximum length of a text, in characters (default 2000)"),
	OPT_SUB(meaning, meaning_opts),
	STORE_COMMON
};

static int
embed_run(struct store *s, struct ctx_err *err)
{
	struct embed e = { .meaning.s = s, .want = { .texts = 64,
	    .bytes = BATCH_BYTES, .chars = 2000 } };
	int rc;

	store_options(s, &e);
	if (!meaning_ready(&e.meaning))
		cli_usage(&s->cli, "no endpoint to ask; give " MEANING_HOW);
	e.want.model = e.meaning.embedder.model;
	e.want.thread = s->where.thread;
	s->unit = "vector";
	rc = store_open(s, err);
	if (rc == 0) {
		rc = ctx_embedder_all(&e.meaning.embedder, s->st, &e.want,
		    &s->done, err);
		if (rc == -1 && err->code == CTX_OK)
			meaning_ended(&e.meaning, 0);
	}
	ctx_embedder_done(&e.meaning.embedder);
	if (s->cli.verbose)
		cli_warn(&s->cli, "stored %lld vector%s of %s",
		    (long long)s->done, CLI_S(s->done), e.want.model);
	cli_figure(&s->cli, "vectors", (uint64_t)s->done);
	return rc;
}

const struct store_cmd store_embed_cmds[] = {
	STORE_CMD("embed", WRITE, embed_run, "[THREAD]",
	    "Ask an endpoint for the vectors of messages that have none yet.",
	    embed_opts),
	STORE_END
};
