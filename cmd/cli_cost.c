/* SPDX-License-Identifier: MIT */
/* The options of the commands that count; see cli_cost.h. */
#include "cli_cost.h"

#include "job/charge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPT_OF struct ctx_cost
const struct cli_opt cli_model_opts[] = {
	OPT_TEXT('m', "model", "NAME", model_name,
	    "model that will read the messages",
	    .live = "ctx-count --list-models"),
	OPT_TEXT('e', "encoding", "NAME", encoding,
	    "tokenizer to count with, a name or a file",
	    .live = "ctx-count --list-encodings"),
	OPT_END
};

const struct cli_opt cli_cost_opts[] = {
	OPT_GROUP("Tokens"),
	OPT_ROWS(cli_model_opts),
	OPT_NUM(0, "overhead", "N", overhead, 0, 1000000,
	    "tokens to add for each message (default 4)"),
	OPT_TEXT(0, "cost", "KEY", key,
	    "take the tokens of each message from member KEY"),
	OPT_END
};
#undef OPT_OF

void
cli_cost_init(struct ctx_cost *k)
{
	memset(k, 0, sizeof(*k));
	k->overhead = CTX_OVERHEAD;
}

static void
die(struct cli *c, const struct ctx_err *err)
{
	if (err->code == CTX_EUSAGE)
		cli_usage(c, "%s", err->text);
	cli_report(c, NULL, err);
	exit(c->worst);
}

/* Report an unknown name and list the known ones. */
static _Noreturn void
no_encoding(const struct cli *c, const struct ctx_err *err)
{
	char list[400];
	const char *name;
	size_t i, n = 0;

	for (i = 0; (name = ctx_tok_known(i, NULL)) != NULL; i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s, ",
		    name);
	cli_usage(c, "--encoding: %s; use %sor a file", err->text,
	    list);
}

/* Say how to count better than by what stands in for a missing table. */
static void
name_missing(const struct ctx_cost *k, struct cli *c)
{
	char quoted[64];

	ctx_err_quote(quoted, sizeof(quoted), k->model_name,
	    strlen(k->model_name));
	cli_warn(c, "no table %s.ctxv is installed, so %s counts instead; to "
	    "make one of the model's tokenizer: ctx-count -m %s --prepare "
	    "tokenizer.json", k->choice.missing, ctx_tok_name(k->choice.tok),
	    quoted);
}

void
cli_cost_open(struct ctx_cost *k, struct cli *c)
{
	struct ctx_err err = { 0 };
	char quoted[64];

	if (k->ready)
		return;
	k->ready = 1;
	k->flat = cli_given(c, "overhead");
	k->choice.factor = (struct ctx_ratio){ 1, 1 };
	k->choice.level = CTX_EXACT;
	if (k->model_name != NULL) {
		if ((k->models = ctx_models_new(&err)) == NULL ||
		    ctx_model_open(k->models, k->model_name, &k->choice,
		    &err) == -1)
			die(c, &err);
		if (k->choice.model == NULL && k->encoding == NULL)
			cli_warn(c, "model '%s' is not known; counting with %s "
			    "(choose another tokenizer with -e)",
			    ctx_err_quote(quoted, sizeof(quoted),
			    k->model_name, strlen(k->model_name)),
			    ctx_tok_name(k->choice.tok));
		if (k->choice.missing != NULL && k->encoding == NULL)
			name_missing(k, c);
	}
	if (k->encoding != NULL) {
		ctx_tok_free(k->choice.tok);
		k->choice.tok = ctx_tok_open(k->encoding, &err);
		if (err.code == CTX_EUSAGE)
			no_encoding(c, &err);
		k->choice.factor = (struct ctx_ratio){ 1, 1 };
		k->choice.by_script = 0;
		k->choice.level = CTX_EXACT;
	} else if (k->choice.tok == NULL)
		k->choice.tok = ctx_tok_open("o200k_base", &err);
	if (k->choice.tok == NULL ||
	    ctx_cost_begin(k, &err) == -1)
		die(c, &err);
	if (ctx_tok_is_estimate(k->choice.tok) || k->scale.num != k->scale.den)
		k->choice.level = CTX_ESTIMATE;
}

/* How far off counts are by a user's own rule; NULL if it does not say. */
static const struct ctx_margin *
own_margin(const struct ctx_cost *k)
{
	const struct ctx_model *m = k->choice.model;

	return m != NULL && m->fitted.has_margin && k->encoding == NULL &&
	    !k->flat ? &m->fitted.margin : NULL;
}

/* Does a user's own rule change what framing costs? */
static int
is_fitted(const struct ctx_cost *k)
{
	const struct ctx_model *m = k->choice.model;

	return m != NULL && !k->flat && (m->fitted.message != 0 ||
	    m->fitted.request > 0 || own_margin(k) != NULL);
}

/* How far off a count is; NULL if nobody knows. */
static const struct ctx_margin *
margin_of(const struct ctx_cost *k)
{
	/* o200k_base in place of Gemma's, on the same requests */
	static const struct ctx_margin by_script = { 0, -14, 14 };
	/* 29 requests with reasoning or tools that are known by their length */
	static const struct ctx_margin guessed = { 0, -14, 6 };

	if (is_fitted(k))
		return own_margin(k);
	if (k->charge == NULL || k->choice.by_script)
		return k->charge == NULL ? NULL : &by_script;
	if (k->guessed)
		return &guessed;
	return k->of[CTX_OF_TOOLS] + k->of[CTX_OF_FORMAT] > 0 ?
	    &k->charge->tooled : &k->charge->plain;
}

enum ctx_level
cli_cost_level_of(const struct ctx_cost *k, enum ctx_of of)
{
	const struct ctx_charge *r = k->charge;
	int tools = of == CTX_OF_TOOLS || of == CTX_OF_FORMAT;

	if (of == CTX_OF_RESERVE)
		return CTX_EXACT;
	if (of == CTX_OF_N && k->guessed && k->choice.level < CTX_ESTIMATE)
		return CTX_ESTIMATE;
	if (of == CTX_OF_N || of == CTX_OF_SYSTEM)
		return k->choice.level;
	if (of == CTX_OF_FILES)
		return k->media;
	if (of == CTX_OF_IMAGES || r == NULL || (tools && k->unknown))
		return CTX_ESTIMATE;
	if (is_fitted(k))
		return CTX_ESTIMATE;
	return (tools ? r->tooled : r->plain).exact &&
	    k->choice.level == CTX_EXACT ? CTX_EXACT : CTX_ESTIMATE;
}

enum ctx_level
cli_cost_worst(const struct ctx_cost *k)
{
	const struct ctx_margin *m = margin_of(k);
	enum ctx_level level = k->choice.level;

	if (level < CTX_ESTIMATE && ((m != NULL && !m->exact) ||
	    is_fitted(k) || k->unknown || k->of[CTX_OF_IMAGES] > 0))
		level = CTX_ESTIMATE;
	return k->media > level ? k->media : level;
}

const char *
cli_cost_level(const struct ctx_cost *k, char *out, size_t size)
{
	const struct ctx_margin *m = margin_of(k);
	struct ctx_ratio f = k->choice.factor;
	size_t n;

	n = (size_t)snprintf(out, size, "%s: %s",
	    ctx_level_name(cli_cost_worst(k)), ctx_tok_name(k->choice.tok));
	if (m != NULL && !m->exact && !k->unknown && k->media == 0 &&
	    k->encoding == NULL && n < size) {
		if (-m->low == m->high)
			n += (size_t)snprintf(out + n, size - n,
			    " \302\261%d %%", m->high);
		else
			n += (size_t)snprintf(out + n, size - n,
			    " %+d to %+d %%", m->low, m->high);
	} else if (k->unknown && n < size)
		n += (size_t)snprintf(out + n, size - n,
		    ", at least: what the server adds is not known");
	if (f.num != f.den && n < size)
		n += (size_t)snprintf(out + n, size - n, " * %g",
		    (double)f.num / (double)f.den);
	if (k->scale.num != k->scale.den && n < size)
		snprintf(out + n, size - n, " * %g",
		    (double)k->scale.num / (double)k->scale.den);
	return out;
}
