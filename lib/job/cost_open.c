/* SPDX-License-Identifier: MIT */
/* What counts for a model, and how well it does; see cost.h. */
#include "job/cost.h"

#include <limits.h>
#include <string.h>

#include "job/charge.h"

int
ctx_cost_model(struct ctx_cost *k, struct ctx_err *err)
{
	k->choice.factor = (struct ctx_ratio){ 1, 1 };
	k->choice.level = CTX_EXACT;
	if (k->model_name == NULL)
		return 0;
	return (k->models = ctx_models_new(err)) == NULL ? -1 :
	    ctx_model_open(k->models, k->model_name, &k->choice, err);
}

/*
 * Does k->encoding count as the model does?  A file may be that of the model,
 * and without a model there is nothing to compare with.
 */
static int
is_own(const struct ctx_cost *k)
{
	const struct ctx_model *m = k->choice.model;

	return k->model_name == NULL || strpbrk(k->encoding, "/.") != NULL ||
	    (m != NULL && m->level == CTX_EXACT &&
	    strcmp(m->encoding, k->encoding) == 0);
}

int
ctx_cost_open(struct ctx_cost *k, struct ctx_err *err)
{
	if (k->encoding != NULL) {
		ctx_tok_free(k->choice.tok);
		k->choice.tok = ctx_tok_open(k->encoding, err);
		k->choice.factor = (struct ctx_ratio){ 1, 1 };
		k->choice.by_script = 0;
		k->choice.level = is_own(k) ? CTX_EXACT : CTX_APPROX;
	} else if (k->choice.tok == NULL)
		k->choice.tok = ctx_tok_open("o200k_base", err);
	if (k->choice.tok == NULL || ctx_cost_begin(k, err) == -1)
		return -1;
	k->ready = 1;
	if (ctx_tok_is_estimate(k->choice.tok) || k->scale.num != k->scale.den)
		k->choice.level = CTX_ESTIMATE;
	return 0;
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

/*
 * Is the tokenizer another one than that of which the margins are, or does
 * nobody know that it is the same?
 */
static int
is_foreign(const struct ctx_cost *k)
{
	return k->choice.level == CTX_APPROX ||
	    k->choice.model->level == CTX_APPROX;
}

/* How wide a margin is: nothing if counts are exact, most if nobody knows. */
static int
width(const struct ctx_margin *m)
{
	return m->exact ? -1 : m->low < m->high ? m->high - m->low : INT_MAX;
}

/* The worst margin of the rules that were used; NULL if none was. */
static const struct ctx_margin *
used_margin(const struct ctx_cost *k, int tools)
{
	const struct ctx_margin *m, *worst = NULL;
	size_t i;

	for (i = 0; i < sizeof(k->used) / sizeof(k->used[0]); i++) {
		if (k->used[i] == NULL)
			continue;
		m = tools ? &k->used[i]->tooled : &k->used[i]->plain;
		if (worst == NULL || width(m) > width(worst))
			worst = m;
	}
	return worst;
}

const struct ctx_margin *
ctx_cost_margin(const struct ctx_cost *k)
{
	/* o200k_base in place of Gemma's, on the same requests */
	static const struct ctx_margin by_script = { 0, -14, 14 };
	/* 29 requests with reasoning or tools that are known by their length */
	static const struct ctx_margin guessed = { 0, -14, 6 };
	const struct ctx_margin *m;

	if (is_fitted(k))
		return own_margin(k);
	m = used_margin(k, k->of[CTX_OF_TOOLS] + k->of[CTX_OF_FORMAT] > 0);
	if (m == NULL || width(m) == INT_MAX || is_foreign(k))
		return NULL;
	return k->choice.by_script ? &by_script : k->guessed ? &guessed : m;
}

enum ctx_level
ctx_cost_level(const struct ctx_cost *k, enum ctx_of of)
{
	int tools = of == CTX_OF_TOOLS || of == CTX_OF_FORMAT;
	const struct ctx_margin *m = used_margin(k, tools);

	if (of == CTX_OF_RESERVE)
		return CTX_EXACT;
	if (of == CTX_OF_N && k->guessed && k->choice.level < CTX_ESTIMATE)
		return CTX_ESTIMATE;
	if (of == CTX_OF_N || of == CTX_OF_SYSTEM)
		return k->choice.level;
	if (of == CTX_OF_FILES)
		return k->media;
	if (of == CTX_OF_IMAGES || m == NULL || (tools && k->unknown))
		return CTX_ESTIMATE;
	if (is_fitted(k))
		return CTX_ESTIMATE;
	return m->exact && k->choice.level == CTX_EXACT ? CTX_EXACT :
	    CTX_ESTIMATE;
}

/* Was something counted for a model besides texts? */
static int
is_framed(const struct ctx_cost *k)
{
	return k->model_name != NULL && (used_margin(k, 0) != NULL ||
	    k->of[CTX_OF_FRAMING] + k->of[CTX_OF_TOOLS] +
	    k->of[CTX_OF_FORMAT] > 0);
}

enum ctx_level
ctx_cost_worst(const struct ctx_cost *k)
{
	const struct ctx_margin *m = ctx_cost_margin(k);
	enum ctx_level level = k->choice.level;

	if (level < CTX_ESTIMATE && (is_fitted(k) || k->unknown ||
	    k->of[CTX_OF_IMAGES] > 0 ||
	    (m != NULL ? !m->exact : is_framed(k))))
		level = CTX_ESTIMATE;
	return k->media > level ? k->media : level;
}
