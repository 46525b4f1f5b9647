/* SPDX-License-Identifier: MIT */
/* What a message costs; see cli_cost.h. */
#include "cli_cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_carried.h"
#include "token/image.h"
#include "view/media.h"
#include "view/dialect.h"

#define OPT_OF struct cli_cost
const struct cli_opt cli_model_opts[] = {
	OPT_TEXT('m', "model", "NAME", model_name,
	    "the model that reads the result",
	    .live = "ctx-count --list-models"),
	OPT_TEXT('e', "encoding", "NAME", encoding,
	    "tokenizer by name or file",
	    .live = "ctx-count --list-encodings"),
	OPT_END
};

const struct cli_opt cli_cost_opts[] = {
	OPT_GROUP("Tokens"),
	OPT_ROWS(cli_model_opts),
	OPT_NUM(0, "overhead", "N", overhead, 0, 1000000,
	    "tokens added for each message (4)"),
	OPT_TEXT(0, "cost", "KEY", key,
	    "a message costs what this member of it says"),
	OPT_END
};
#undef OPT_OF

void
cli_cost_init(struct cli_cost *k)
{
	memset(k, 0, sizeof(*k));
	k->overhead = CLI_OVERHEAD;
}

static void
die(struct cli *c, const struct ctx_err *err)
{
	if (err->code == CTX_EUSAGE)
		cli_usage(c, "%s", err->text);
	cli_report(c, NULL, err);
	exit(c->worst);
}

/* A name that is none, and those that there are. */
static _Noreturn void
no_encoding(const struct cli *c, const struct ctx_err *err)
{
	char list[400];
	const char *name;
	size_t i, n = 0;

	for (i = 0; (name = ctx_tok_known(i, NULL)) != NULL; i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s, ",
		    name);
	cli_usage(c, "--encoding: %s; there are %sor a file's", err->text,
	    list);
}

void
cli_cost_open(struct cli_cost *k, struct cli *c)
{
	struct ctx_err err = { 0 };
	char quoted[64];

	if (k->ready)
		return;
	k->ready = 1;
	k->choice.factor = (struct ctx_ratio){ 1, 1 };
	k->choice.level = CTX_EXACT;
	if (k->model_name != NULL) {
		if ((k->models = ctx_models_new(&err)) == NULL ||
		    ctx_model_open(k->models, k->model_name, &k->choice,
		    &err) == -1)
			die(c, &err);
		if (k->choice.model == NULL && k->encoding == NULL)
			cli_warn(c, "model '%s' is not known: counting with "
			    "%s; -e names another tokenizer",
			    ctx_err_quote(quoted, sizeof(quoted),
			    k->model_name, strlen(k->model_name)),
			    ctx_tok_name(k->choice.tok));
	}
	if (k->encoding != NULL) {
		ctx_tok_free(k->choice.tok);
		k->choice.tok = ctx_tok_open(k->encoding, &err);
		if (err.code == CTX_EUSAGE)
			no_encoding(c, &err);
		k->choice.factor = (struct ctx_ratio){ 1, 1 };
		k->choice.level = CTX_EXACT;
	} else if (k->choice.tok == NULL)
		k->choice.tok = ctx_tok_open("o200k_base", &err);
	if (k->choice.tok == NULL ||
	    ctx_counter_init(&k->counter, k->choice.tok, &err) == -1)
		die(c, &err);
	if (ctx_tok_is_estimate(k->choice.tok))
		k->choice.level = CTX_ESTIMATE;
	k->counter.factor = k->choice.factor;
}

void
cli_cost_done(struct cli_cost *k)
{
	if (!k->ready)
		return;
	ctx_counter_done(&k->counter);
	ctx_tok_free(k->choice.tok);
	ctx_models_free(k->models);
}

const char *
cli_cost_level(const struct cli_cost *k, char *out, size_t size)
{
	struct ctx_ratio f = k->choice.factor;
	size_t n;

	n = (size_t)snprintf(out, size, "%s: %s",
	    ctx_level_name(k->choice.level), ctx_tok_name(k->choice.tok));
	if (f.num != f.den && n < size)
		snprintf(out + n, size - n, " * %g",
		    (double)f.num / (double)f.den);
	return out;
}

int
cli_cost_add(struct cli_cost *k, struct ctx_str s, uint64_t *n,
    struct ctx_err *err)
{
	uint64_t more = 0;

	/* the estimate needs the characters only, not the text */
	if (s.len > 0 && ctx_tok_is_estimate(k->choice.tok)) {
		more = ctx_str_chars(s.p, s.len) * 2 / 5;
		*n += more > 0 ? more : 1;
		return 0;
	}
	if (s.len > 0 && (k->known == NULL ||
	    !k->known(k->known_arg, s, &more)) &&
	    ctx_counter_json(&k->counter, s.p, s.len, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

/* Is an OpenAI image asked for in low detail? */
static int
low_detail(const struct ctx_convo *c, const struct ctx_part *p)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t i = p->place[0].node, url;

	if (i == CTX_NONE)
		return 0;
	url = ctx_doc_get(&doc, i, "image_url", 9);
	if (url == CTX_NONE || ctx_node_type(&doc, url) != '{')
		url = i;
	return ctx_node_is(&doc, ctx_doc_get(&doc, url, "detail", 6), "low");
}

/* An image by its provider's formula; its size is in its header, if here. */
static uint64_t
image_cost(const struct cli_cost *k, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_model *m = k->choice.model;
	struct ctx_pixels size = { 0, 0 };
	struct ctx_media media;

	ctx_media_find(c, i, &media);
	if (media.data.p != NULL && media.form != CTX_MEDIA_LINK)
		ctx_pixels_base64(media.data.p, media.data.len, &size);
	return ctx_image_tokens(m != NULL ? m->provider : "openai",
	    k->model_name != NULL ? k->model_name : "gpt-4o", size,
	    low_detail(c, &c->part[i]));
}

int
cli_cost_part(struct cli_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_str s = ctx_part_text(c, i);
	uint64_t more = 0;

	*n = p->kind == CTX_IMAGE ? image_cost(k, c, i) : 0;
	if (p->kind == CTX_COPY)
		return 0;	/* nobody sends it */
	if (p->kind == CTX_CALL && cli_cost_add(k, p->name, n, err) == -1)
		return -1;
	if (!(p->flags & CTX_RAW))
		return cli_cost_add(k, s, n, err);
	if (s.len > 0 &&
	    ctx_counter_text(&k->counter, s.p, s.len, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

int
cli_cost_msg(struct cli_cost *k, const struct ctx_convo *c, uint32_t m,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint64_t more;
	uint32_t i;

	if (k->key != NULL && cli_carried(c, m, k->key, n))
		return 0;
	*n = msg->flags & CTX_JOINED ? 0 : k->overhead;
	if (*n > 0 && msg->name.p != NULL)
		*n += CLI_NAME_OVERHEAD;
	if (cli_cost_add(k, msg->name, n, err) == -1)
		return -1;
	for (i = msg->part; i < msg->part + msg->npart; i++) {
		if (cli_cost_part(k, c, i, &more, err) == -1)
			return -1;
		*n += more;
	}
	return 0;
}
