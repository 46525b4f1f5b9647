/* SPDX-License-Identifier: MIT */
/* Unigram in tokenizer.json, of T5, XLM-RoBERTa, ALBERT, mBART and others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "token/hf.h"
#include "token/norm.h"

/* How much worse than the worst token a character is that is none. */
#define PENALTY	10.0

/*
 * The number that serde_json reads where x was written with as few digits as
 * tell it apart: it converts these to double and divides by a power of ten,
 * and so may miss x by the last bit.  Sums of two rows that differ in nothing
 * else depend on it.
 */
static double
as_read(double x)
{
	char text[40], one[12];
	uint64_t digits = 0;
	int precision = 14, point = 0;
	const char *p;
	double n;

	do
		snprintf(text, sizeof(text), "%.*e", precision, fabs(x));
	while (strtod(text, NULL) != fabs(x) && ++precision < 17);
	for (p = text; *p != 'e' && *p != '\0'; p++)
		if (*p >= '0' && *p <= '9')
			digits = 10 * digits + (uint64_t)(*p - '0');
	for (; digits > 0 && digits % 10 == 0; digits /= 10)
		point++;
	/* The exponent of the last digit. */
	point += *p == 'e' ? atoi(p + 1) - precision : 0;
	if (point >= 0 || point < -300)
		return x;
	snprintf(one, sizeof(one), "1e%d", -point);
	n = (double)digits / strtod(one, NULL);
	return x < 0 ? -n : n;
}

/* Add item of the vocabulary, [TEXT, SCORE], as token id. */
static int
add_token(struct ctx_vocab *v, uint32_t id, const json_t *item, json_t *index,
    struct ctx_err *err)
{
	const json_t *score = json_array_get(item, 1);
	const char *text = json_string_value(json_array_get(item, 0));
	struct ctx_buf bytes = { 0 };
	unsigned flags;
	int rc;

	if (text == NULL || *text == '\0' || !json_is_number(score))
		return ctx_fail(err, CTX_ESYSTEM, "token %u is not valid", id);
	if (json_object_get(index, text) != NULL)
		return ctx_fail(err, CTX_ESYSTEM, "token %u, '%s', is also "
		    "another one, which is not supported", id, text);
	if (json_object_set_new(index, text, json_integer(id)) == -1)
		return ctx_fail_nomem(err);
	v->score[id] = json_is_integer(score) ? json_number_value(score) :
	    as_read(json_number_value(score));
	flags = ctx_hf_chars(v, text, strlen(text),
	    (v->flags & CTX_TABLE_BYTES) != 0, &bytes);
	rc = ctx_buf_fail(&bytes, err);
	if (rc == 0)
		rc = ctx_vocab_add(v, id, bytes.data, bytes.len, flags, err);
	ctx_buf_done(&bytes);
	return rc;
}

/* What we cannot reproduce. */
static int
check_model(const struct ctx_vocab *v, const json_t *model,
    struct ctx_err *err)
{
	const json_t *unknown = json_object_get(model, "unk_id");
	size_t n = json_array_size(json_object_get(model, "vocab"));

	if (v->split != CTX_SPLIT_NONE && v->split != CTX_SPLIT_SPACES)
		return ctx_fail(err, CTX_ESYSTEM, "its pre-tokenizer is not "
		    "supported with the model 'Unigram'");
	if (n == 0 || n >= CTX_ID_MAX)
		return ctx_fail(err, CTX_ESYSTEM,
		    "its model has no tokens, or too many");
	if (!json_is_integer(unknown) || json_integer_value(unknown) < 0 ||
	    (size_t)json_integer_value(unknown) >= n)
		return ctx_fail(err, CTX_ESYSTEM,
		    "its model has no token for what is unknown ('unk_id')");
	return 0;
}

int
ctx_hf_unigram_end(struct ctx_vocab *v, const json_t *model,
    struct ctx_err *err)
{
	size_t i, n = json_array_size(json_object_get(model, "vocab"));
	double *score = realloc(v->score, ((size_t)v->size + 1) *
	    sizeof(*score)), least;

	if (score == NULL)
		return ctx_fail_nomem(err);
	v->score = score;
	for (least = score[0], i = 1; i < n; i++)
		if (score[i] < least)
			least = score[i];
	/* Several of them could be better than a token of all of them. */
	if (least > PENALTY)
		return ctx_fail(err, CTX_ESYSTEM, "its scores are all above "
		    "%g, which is not supported", PENALTY);
	for (i = n; i < v->size; i++)
		score[i] = 0;
	score[v->size] = least - PENALTY;
	return 0;
}

int
ctx_hf_unigram(struct ctx_vocab *v, const json_t *model, json_t **index,
    struct ctx_err *err)
{
	const json_t *vocab = json_object_get(model, "vocab"), *item;
	size_t i, n = json_array_size(vocab);

	if (check_model(v, model, err) == -1)
		return -1;
	v->flags = CTX_TABLE_UNIGRAM | CTX_TABLE_EXACT;
	if (json_is_true(json_object_get(model, "byte_fallback")))
		v->flags |= CTX_TABLE_BYTES;
	v->score = calloc(n, sizeof(*v->score));
	*index = json_object();
	if (v->score == NULL || *index == NULL)
		return ctx_fail_nomem(err);
	json_array_foreach(vocab, i, item)
		if (add_token(v, (uint32_t)i, item, *index, err) == -1)
			return -1;
	v->unknown = (uint32_t)json_integer_value(json_object_get(model,
	    "unk_id"));
	return v->flags & CTX_TABLE_BYTES ? ctx_hf_all_bytes(v, err) : 0;
}
