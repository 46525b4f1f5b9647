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
	exit(cli_end(c));
}

/* Report an unknown name and list the known ones. */
static _Noreturn void
no_encoding(const struct cli *c, const char *given, const struct ctx_err *err)
{
	struct cli_like best = { 0 };
	char list[400], near[64];
	const char *name;
	size_t i, n = 0;

	for (i = 0; (name = ctx_tok_known(i, NULL)) != NULL; i++) {
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s, ",
		    name);
		cli_like(&best, given, strlen(given), name);
	}
	cli_usage(c, "--encoding: %s; use %sor a file%s", err->text, list,
	    cli_like_ask(&best, near, sizeof(near)));
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

/* "; did you mean gpt-4o?", or "" if no model that is known has a similar name. */
static const char *
similar(const char *name, char *out, size_t size)
{
	struct ctx_err err = { 0 };
	struct ctx_models *models = ctx_models_new(&err);
	struct cli_like best = { 0 };
	const struct ctx_model *m;
	size_t i;

	*out = '\0';
	if (models == NULL)
		return out;
	for (i = 0; (m = ctx_models_at(models, i)) != NULL; i++)
		cli_like(&best, name, strlen(name), m->prefix);
	cli_like_ask(&best, out, size);
	ctx_models_free(models);
	return out;
}

/* Warn if the model is not known, or its own table is missing. */
static void
warn_of_model(const struct ctx_cost *k, struct cli *c)
{
	char quoted[64], ask[80];

	if (k->model_name == NULL || k->encoding != NULL)
		return;
	if (k->choice.model == NULL)
		cli_warn(c, "model '%s' is not known; counting with %s "
		    "(choose another tokenizer with -e)%s",
		    ctx_err_quote(quoted, sizeof(quoted), k->model_name,
		    strlen(k->model_name)), ctx_tok_name(k->choice.tok),
		    similar(k->model_name, ask, sizeof(ask)));
	if (k->choice.missing != NULL)
		name_missing(k, c);
}

void
cli_cost_open(struct ctx_cost *k, struct cli *c)
{
	struct ctx_err err = { 0 };

	if (k->ready)
		return;
	k->flat = cli_given(c, "overhead");
	if (ctx_cost_model(k, &err) == -1)
		die(c, &err);
	warn_of_model(k, c);
	if (ctx_cost_open(k, &err) == 0)
		return;
	if (k->encoding != NULL && err.code == CTX_EUSAGE)
		no_encoding(c, k->encoding, &err);
	die(c, &err);
}

/* Is there a range that counts are in, which is not nothing? */
static const struct ctx_margin *
range_of(const struct ctx_cost *k)
{
	const struct ctx_margin *m = ctx_cost_margin(k);

	return m != NULL && !m->exact && !k->unknown && k->media == 0 &&
	    k->encoding == NULL ? m : NULL;
}

/* Append "-1 to +6 %" to out, of which n bytes are used. */
static size_t
add_range(const struct ctx_margin *m, char *out, size_t size, size_t n)
{
	if (n >= size)
		return n;
	return n + (size_t)(-m->low == m->high ?
	    snprintf(out + n, size - n, "\302\261%d %%", m->high) :
	    snprintf(out + n, size - n, "%+d to %+d %%", m->low, m->high));
}

/* Append by what the tokens of texts are multiplied. */
static void
add_factors(const struct ctx_cost *k, const char *before, char *out,
    size_t size, size_t n)
{
	const struct ctx_ratio f[] = { k->choice.factor, k->scale };
	size_t i;

	for (i = 0; i < 2; i++)
		if (f[i].num != f[i].den && n < size)
			n += (size_t)snprintf(out + n, size - n, "%s%g",
			    before, (double)f[i].num / (double)f[i].den);
}

const char *
cli_cost_level(const struct ctx_cost *k, char *out, size_t size)
{
	const struct ctx_margin *m = range_of(k);
	size_t n;

	n = (size_t)snprintf(out, size, "%s: %s%s",
	    ctx_level_name(ctx_cost_worst(k)), ctx_tok_name(k->choice.tok),
	    m != NULL ? " " : k->unknown ?
	    ", at least: what the server adds is not known" : "");
	if (m != NULL)
		n = add_range(m, out, size, n);
	add_factors(k, " * ", out, size, n);
	return out;
}

const char *
cli_cost_words(const struct ctx_cost *k, char *out, size_t size)
{
	static const char *const how[] = {
		[CTX_EXACT] = "counted exactly, with %s",
		[CTX_APPROX] = "counted approximately, with %s",
		[CTX_ESTIMATE] = "estimated with %s",
		[CTX_NOT_COUNTED] = "a part is not counted, the rest with %s"
	};
	const struct ctx_margin *m = range_of(k);
	enum ctx_level worst = ctx_cost_worst(k);
	size_t n;

	if (worst == CTX_ESTIMATE && ctx_tok_is_estimate(k->choice.tok))
		n = (size_t)snprintf(out, size, "estimated from the number of "
		    "characters");
	else if (worst == CTX_ESTIMATE &&
	    ctx_cost_level(k, CTX_OF_N) < CTX_ESTIMATE)
		n = (size_t)snprintf(out, size, "counted%s with %s, a part is "
		    "estimated", k->choice.level == CTX_APPROX ?
		    " approximately" : "", ctx_tok_name(k->choice.tok));
	else if (worst == CTX_EXACT && k->model_name == NULL)
		n = (size_t)snprintf(out, size, "counted with %s, not for a "
		    "model", ctx_tok_name(k->choice.tok));
	else
		n = (size_t)snprintf(out, size, how[worst],
		    ctx_tok_name(k->choice.tok));
	if (n < size)
		n += (size_t)snprintf(out + n, size - n, "%s", m != NULL ?
		    "; 90 % of the recorded requests were within " :
		    k->unknown ? "; it is at least that: what the server adds "
		    "is not known" : "");
	if (m != NULL)
		n = add_range(m, out, size, n);
	add_factors(k, "; texts times ", out, size, n);
	return out;
}
