/* SPDX-License-Identifier: MIT */
/* Normalizers of tokenizer.json that are read as steps (token/steps.h). */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/unorm.h"
#include "base/utf8.h"
#include "token/hf.h"
#include "token/steps.h"

/* The character that SentencePiece writes for a space. */
#define MARK	"\xe2\x96\x81"

/* Types that have no more members, and their steps. */
static const struct {
	const char *type;
	enum ctx_steps_kind kind;
	unsigned by;
	int bits;		/* token/norm.h has it, too */
} plain[] = {
	{ "NFC", CTX_STEPS_FORM, CTX_UNORM_NFC, 1 },
	{ "NFD", CTX_STEPS_FORM, CTX_UNORM_NFD, 1 },
	{ "NFKC", CTX_STEPS_FORM, CTX_UNORM_NFKC, 1 },
	{ "NFKD", CTX_STEPS_FORM, CTX_UNORM_NFKD, 1 },
	{ "Lowercase", CTX_STEPS_LOWER, 0, 0 },
	{ "StripAccents", CTX_STEPS_MARKS, 0, 0 },
	{ "Nmt", CTX_STEPS_NMT, 0, 0 },
};

static int
fail(const char *type, struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "its normalizer '%s' is not supported",
	    type);
}

/* Is it the replacement of spaces by the mark? */
static int
is_mark(const json_t *n)
{
	return strcmp(ctx_hf_string(json_object_get(n, "pattern"), "String"),
	    " ") == 0 && strcmp(ctx_hf_string(n, "content"), MARK) == 0;
}

int
ctx_hf_is_steps(const json_t *n)
{
	const char *type = ctx_hf_string(n, "type");
	const json_t *item;
	size_t i;

	json_array_foreach(json_object_get(n, "normalizers"), i, item)
		if (ctx_hf_is_steps(item))
			return 1;
	for (i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (strcmp(type, plain[i].type) == 0)
			return !plain[i].bits;
	return strcmp(type, "Precompiled") == 0 || strcmp(type, "Strip") == 0 ||
	    (strcmp(type, "Replace") == 0 && !is_mark(n));
}

/* The charsmap; its texts must be UTF-8. */
static int
read_map(struct ctx_vocab *v, const json_t *n, struct ctx_err *err)
{
	const char *text = ctx_hf_string(n, "precompiled_charsmap");
	struct ctx_charsmap map;

	if (v->charsmap.len > 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "it has two normalizers 'Precompiled'");
	if (ctx_base64_decode(&v->charsmap, text, strlen(text)) == -1 ||
	    !ctx_charsmap_open(&map, v->charsmap.data, v->charsmap.len) ||
	    map.unit == NULL || ctx_utf8_check(map.text, map.len) < map.len)
		return ctx_buf_fail(&v->charsmap, err) == -1 ? -1 :
		    ctx_fail(err, CTX_ESYSTEM,
		    "the map of its normalizer 'Precompiled' is damaged");
	return ctx_steps_add(&v->steps, CTX_STEPS_MAP, 0, "", "");
}

static int
read_replace(struct ctx_vocab *v, const json_t *n, struct ctx_err *err)
{
	const json_t *by = json_object_get(n, "pattern");
	const char *text = ctx_hf_string(by, "String");
	const char *regex = ctx_hf_string(by, "Regex");
	const char *to = ctx_hf_string(n, "content");

	if (is_mark(n))
		v->norm |= CTX_NORM_SPACE;
	if (*text != '\0')
		return ctx_steps_add(&v->steps, CTX_STEPS_REPLACE, 0, text, to);
	if (strcmp(regex, " {2,}") == 0)
		return ctx_steps_add(&v->steps, CTX_STEPS_RUNS, 0, "", to);
	return ctx_fail(err, CTX_ESYSTEM, "its normalizer 'Replace' of '%s' is "
	    "not supported", regex);
}

static int
read_strip(struct ctx_vocab *v, const json_t *n)
{
	unsigned by = (json_is_true(json_object_get(n, "strip_left")) ?
	    CTX_STRIP_LEFT : 0) | (json_is_true(json_object_get(n,
	    "strip_right")) ? CTX_STRIP_RIGHT : 0);

	return ctx_steps_add(&v->steps, CTX_STEPS_STRIP, by, "", "");
}

/* Add the step of one normalizer. */
static int
read_one(struct ctx_vocab *v, const json_t *n, struct ctx_err *err)
{
	const char *type = ctx_hf_string(n, "type");
	size_t i;

	/* Spaces and marks are the same from here on. */
	if (v->norm & CTX_NORM_SPACE && strcmp(type, "Prepend") != 0)
		return ctx_fail(err, CTX_ESYSTEM, "its normalizer '%s' after "
		    "'Replace' of spaces is not supported", type);
	for (i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (strcmp(type, plain[i].type) == 0)
			return ctx_steps_add(&v->steps, plain[i].kind,
			    plain[i].by, "", "");
	if (strcmp(type, "Precompiled") == 0)
		return read_map(v, n, err);
	if (strcmp(type, "Strip") == 0)
		return read_strip(v, n);
	if (strcmp(type, "Replace") == 0)
		return read_replace(v, n, err);
	if (strcmp(type, "Prepend") == 0)
		return ctx_steps_add(&v->steps, CTX_STEPS_PREPEND, 0, "",
		    ctx_hf_string(n, "prepend"));
	return fail(type, err);
}

int
ctx_hf_norm(struct ctx_vocab *v, const json_t *n, struct ctx_err *err)
{
	const json_t *item;
	size_t i;
	int rc;

	if (!json_is_object(n))
		return 0;
	if (strcmp(ctx_hf_string(n, "type"), "Sequence") != 0) {
		rc = read_one(v, n, err);
		return ctx_buf_fail(&v->steps, err) == -1 ? -1 : rc;
	}
	json_array_foreach(json_object_get(n, "normalizers"), i, item)
		if (ctx_hf_norm(v, item, err) == -1)
			return -1;
	return 0;
}
