/* SPDX-License-Identifier: MIT */
/* ctx-store embed: get vectors for messages, to find them by meaning. */

#include "cmd/store/meaning.h"

#include "read/node.h"
#include "redact/redact.h"

/* Bytes of text in a request; a batch ends with the text that exceeds this. */
#define BATCH_BYTES	(256u << 10)

struct embed {
	struct meaning meaning;
	struct ctx_vector_want want;
	struct ctx_redact *redact;	/* NULL with --no-redact */
	struct ctx_pem_block block;	/* of a private key */
	struct ctx_doc doc;		/* a line */
	struct ctx_buf name, text, safe, out;
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

/*
 * Append what precedes string i to e->out, from *from on, and the string without
 * its secrets, if it has any.
 */
static int
clean_string(struct embed *e, uint32_t i, size_t *from, struct ctx_err *err)
{
	const struct ctx_doc *doc = &e->doc;
	uint32_t key = i > 0 && ctx_node_is_key(doc, i - 1) ? i - 1 : i;
	struct ctx_str s = ctx_node_str(doc, i), k = ctx_node_str(doc, key);
	size_t off = (size_t)(s.p - doc->raw), n;
	struct ctx_redact_value v;

	if (e->block.left == 0 && !ctx_redact_suspect_in(e->redact, doc->raw,
	    doc->node[key].off, off + s.len + 1))
		return 0;
	ctx_buf_reset(&e->name);
	ctx_buf_reset(&e->text);
	ctx_buf_reset(&e->safe);
	ctx_str_decode(&e->name, k.p, k.len);
	ctx_str_decode(&e->text, s.p, s.len);
	if (ctx_buf_str(&e->name) == NULL || ctx_buf_str(&e->text) == NULL)
		return ctx_fail_nomem(err);
	v = (struct ctx_redact_value){ key != i ? e->name.data : NULL,
	    e->text.data, e->name.len, e->text.len };
	if (ctx_redact_value(e->redact, &v, &e->block, &e->safe, &n,
	    err) == -1)
		return -1;
	if (n == 0)
		return 0;
	ctx_buf_add(&e->out, doc->raw + *from, off - *from);
	ctx_str_encode(&e->out, e->safe.data, e->safe.len);
	*from = off + s.len;
	return ctx_buf_fail(&e->out, err);
}

/*
 * Take the secrets out of a line while they have their names, which make them
 * known, and are whole.
 */
static int
clean_line(void *arg, struct ctx_buf *line, struct ctx_err *err)
{
	struct embed *e = arg;
	size_t from = 0;
	uint32_t i;
	int rc = ctx_redact_scan(e->redact, line->data, line->len);

	ctx_pem_message(&e->block);
	if (rc == -1)
		return ctx_fail_nomem(err);
	if (rc == 0 && e->block.left == 0)
		return 0;
	if (ctx_doc_scan(&e->doc, line->data, line->len, err) == -1)
		return -1;
	ctx_buf_reset(&e->out);
	for (i = 0; i < e->doc.n; i++)
		if (ctx_node_type(&e->doc, i) == '"' &&
		    !ctx_node_is_key(&e->doc, i) &&
		    clean_string(e, i, &from, err) == -1)
			return -1;
	if (from == 0)
		return 0;
	ctx_buf_add(&e->out, line->data + from, line->len - from);
	ctx_buf_reset(line);
	ctx_buf_add(line, e->out.data, e->out.len);
	return ctx_buf_fail(line, err);
}

/* Redact what is sent, unless that is not wanted. */
static int
open_redact(struct embed *e, struct ctx_err *err)
{
	struct ctx_redact_opts all = { 0 };

	if (e->meaning.no_redact)
		return 0;
	if (ctx_redact_env(&all, err) == -1 ||
	    (e->redact = ctx_redact_new(&all, err)) == NULL)
		return -1;
	e->want.clean = clean_line;
	e->want.arg = e;
	return 0;
}

static void
embed_done(struct embed *e)
{
	ctx_embedder_done(&e->meaning.embedder);
	ctx_redact_free(e->redact);
	ctx_doc_done(&e->doc);
	ctx_buf_done(&e->name);
	ctx_buf_done(&e->text);
	ctx_buf_done(&e->safe);
	ctx_buf_done(&e->out);
}

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
	if ((rc = open_redact(&e, err)) == 0 && (rc = store_open(s,
	    err)) == 0) {
		rc = ctx_embedder_all(&e.meaning.embedder, s->st, &e.want,
		    &s->done, err);
		if (rc == -1 && err->code == CTX_OK)
			meaning_ended(&e.meaning, 0);
	}
	embed_done(&e);
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
