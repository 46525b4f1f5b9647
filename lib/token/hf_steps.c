/* SPDX-License-Identifier: MIT */
/* Normalizers, pre-tokenizers and decoders of tokenizer.json. */
#include <string.h>

#include "base/unorm.h"
#include "token/hf.h"
#include "token/norm.h"
#include "token/onig.h"
#include "token/pattern.h"
#include "token/steps.h"

/* The character that SentencePiece writes for a space. */
#define MARK	"\xe2\x96\x81"

/* What BertNormalizer sets. */
#define BERT_NORM	(CTX_NORM_BERT | CTX_NORM_CLEAN | CTX_NORM_CHINESE | \
	CTX_NORM_ACCENTS | CTX_NORM_LOWER)

struct steps {
	struct ctx_vocab *v;
	int bytes;		/* ByteLevel occurred */
	int prepended;		/* prepended: ' ' or 'M' for the mark */
	int words;		/* white space was removed between words */
};

static int
unknown(const char *what, const char *type, struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "its %s '%s' is not supported", what,
	    type);
}

/* Call step for each element of the list that is object's member key. */
static int
each(struct steps *s, const json_t *object, const char *key,
    int (*step)(struct steps *, const json_t *, struct ctx_err *),
    struct ctx_err *err)
{
	json_t *item;
	size_t i;

	json_array_foreach(json_object_get(object, key), i, item)
		if (step(s, item, err) == -1)
			return -1;
	return 0;
}

static int
read_form(struct steps *s, unsigned form, const char *type,
    struct ctx_err *err)
{
	if (s->v->norm & (CTX_NORM_FORM | CTX_NORM_BERT) ||
	    (s->v->norm & CTX_NORM_SPACE &&
	    (form == CTX_UNORM_NFKC || form == CTX_UNORM_NFKD)))
		return ctx_fail(err, CTX_ESYSTEM,
		    "its normalizer '%s' after another one is not supported",
		    type);
	s->v->norm |= form;
	return 0;
}

static int
read_bert(struct steps *s, const json_t *n, struct ctx_err *err)
{
	const json_t *accents = json_object_get(n, "strip_accents");
	int low = json_is_true(json_object_get(n, "lowercase"));

	if (s->v->norm != 0)
		return unknown("normalizer", "BertNormalizer", err);
	s->v->norm = CTX_NORM_BERT | (low ? CTX_NORM_LOWER : 0);
	if (json_is_boolean(accents) ? json_is_true(accents) : low)
		s->v->norm |= CTX_NORM_ACCENTS;
	if (json_is_true(json_object_get(n, "clean_text")))
		s->v->norm |= CTX_NORM_CLEAN;
	if (json_is_true(json_object_get(n, "handle_chinese_chars")))
		s->v->norm |= CTX_NORM_CHINESE;
	return 0;
}

static int
read_replace(struct steps *s, const json_t *n, struct ctx_err *err)
{
	const char *from = ctx_hf_string(json_object_get(n, "pattern"),
	    "String");

	if (strcmp(from, " ") != 0 ||
	    strcmp(ctx_hf_string(n, "content"), MARK) != 0)
		return ctx_fail(err, CTX_ESYSTEM, "its normalizer 'Replace' is "
		    "supported only for a space by U+2581");
	s->v->norm |= CTX_NORM_SPACE;
	return 0;
}

static int
read_normalizer(struct steps *s, const json_t *n, struct ctx_err *err)
{
	static const struct {
		const char *type;
		unsigned form;
	} forms[] = {
		{ "NFC", CTX_UNORM_NFC }, { "NFD", CTX_UNORM_NFD },
		{ "NFKC", CTX_UNORM_NFKC }, { "NFKD", CTX_UNORM_NFKD },
	};
	const char *type = ctx_hf_string(n, "type"), *to;
	size_t i;

	if (!json_is_object(n))
		return 0;
	if (strcmp(type, "BertNormalizer") == 0)
		return read_bert(s, n, err);
	if (strcmp(type, "Sequence") == 0)
		return each(s, n, "normalizers", read_normalizer, err);
	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (strcmp(type, forms[i].type) == 0)
			return read_form(s, forms[i].form, type, err);
	if (strcmp(type, "Prepend") == 0) {
		to = ctx_hf_string(n, "prepend");
		if (s->prepended || (strcmp(to, " ") != 0 &&
		    strcmp(to, MARK) != 0))
			return ctx_fail(err, CTX_ESYSTEM,
			    "its normalizer 'Prepend' of '%s' is not supported",
			    to);
		s->prepended = *to == ' ' ? ' ' : 'M';
		s->v->norm |= CTX_NORM_PREPEND;
		return 0;
	}
	if (strcmp(type, "Replace") == 0)
		return read_replace(s, n, err);
	return unknown("normalizer", type, err);
}

/* Add a pattern; each divides further what the earlier ones left. */
static int
add_pattern(struct steps *s, const char *pattern, struct ctx_err *err)
{
	if (s->bytes || s->v->norm & (CTX_NORM_SPACE | CTX_NORM_PREFIX))
		return ctx_fail(err, CTX_ESYSTEM, "its pre-tokenizer has a "
		    "Split after another step, which is not supported");
	return ctx_buf_add(&s->v->pattern, pattern, strlen(pattern) + 1) == -1
	    ? ctx_fail_nomem(err) : 0;
}

static int
read_split(struct steps *s, const json_t *p, struct ctx_err *err)
{
	const json_t *by = json_object_get(p, "pattern");
	const char *pattern = ctx_hf_string(by, "Regex");
	const char *behavior = ctx_hf_string(p, "behavior");

	/* Nothing to do: there are no spaces left. */
	if (strcmp(ctx_hf_string(by, "String"), " ") == 0 &&
	    s->v->norm & CTX_NORM_SPACE)
		return 0;
	/*
	 * "Isolated" has the same result either way.  "Removed" with invert
	 * drops what does not match; our own patterns match everything.
	 */
	if (*pattern == '\0' || !(strcmp(behavior, "Isolated") == 0 ||
	    (strcmp(behavior, "Removed") == 0 &&
	    json_is_true(json_object_get(p, "invert")) &&
	    ctx_pattern_split(pattern) != CTX_SPLIT_PATTERN)))
		return ctx_fail(err, CTX_ESYSTEM,
		    "its pre-tokenizer has a Split that is not supported");
	return add_pattern(s, pattern, err);
}

/* SentencePiece's spaces; pieces begin at them unless it is told otherwise. */
static int
read_metaspace(struct steps *s, const json_t *p, struct ctx_err *err)
{
	const char *scheme = ctx_hf_string(p, "prepend_scheme");
	unsigned prefix = CTX_NORM_PREFIX;

	if (strcmp(ctx_hf_string(p, "replacement"), MARK) != 0 ||
	    s->v->pattern.len > 0 || s->bytes)
		return ctx_fail(err, CTX_ESYSTEM, "its pre-tokenizer "
		    "'Metaspace' is supported only alone and with U+2581");
	if (json_is_false(json_object_get(p, "add_prefix_space")) ||
	    strcmp(scheme, "never") == 0)
		prefix = 0;
	else if (strcmp(scheme, "first") == 0)
		prefix = CTX_NORM_FIRST;
	if (s->words && (prefix != CTX_NORM_PREFIX ||
	    json_is_false(json_object_get(p, "split"))))
		return ctx_fail(err, CTX_ESYSTEM, "its pre-tokenizer "
		    "'WhitespaceSplit' is supported only before 'Metaspace' "
		    "that puts a space before each word");
	s->v->norm |= CTX_NORM_SPACE | prefix;
	if (!json_is_false(json_object_get(p, "split")))
		s->v->split = CTX_SPLIT_SPACES;
	return 0;
}

static int
read_bytes(struct steps *s, const json_t *p, struct ctx_err *err)
{
	if (s->bytes || s->v->norm & CTX_NORM_SPACE)
		return unknown("pre-tokenizer", "ByteLevel", err);
	if (json_is_true(json_object_get(p, "add_prefix_space"))) {
		if (s->v->pattern.len > 0)
			return ctx_fail(err, CTX_ESYSTEM,
			    "its pre-tokenizer adds a space after a Split, "
			    "which is not supported");
		s->v->norm |= CTX_NORM_PREFIX;
	}
	if (!json_is_false(json_object_get(p, "use_regex")) &&
	    ctx_buf_add(&s->v->pattern, CTX_PATTERN_GPT2,
	    sizeof(CTX_PATTERN_GPT2)) == -1)
		return ctx_fail_nomem(err);
	s->bytes = 1;
	return 0;
}

static int
read_pre(struct steps *s, const json_t *p, struct ctx_err *err)
{
	const char *type = ctx_hf_string(p, "type");

	if (!json_is_object(p))
		return 0;
	if (strcmp(type, "Sequence") == 0)
		return each(s, p, "pretokenizers", read_pre, err);
	if (strcmp(type, "Split") == 0)
		return read_split(s, p, err);
	if (strcmp(type, "Digits") == 0)
		return add_pattern(s, json_is_true(json_object_get(p,
		    "individual_digits")) ? CTX_PATTERN_DIGIT :
		    CTX_PATTERN_DIGITS, err);
	if (strcmp(type, "Metaspace") == 0)
		return read_metaspace(s, p, err);
	if (strcmp(type, "ByteLevel") == 0)
		return read_bytes(s, p, err);
	if (strcmp(type, "WhitespaceSplit") == 0 && s->v->norm ==
	    CTX_NORM_STEPS && s->v->pattern.len == 0 && !s->bytes) {
		s->words = 1;
		return 0;
	}
	if (strcmp(type, "BertPreTokenizer") == 0 && s->v->pattern.len == 0 &&
	    !s->bytes && !(s->v->norm & ~(CTX_NORM_FORM | BERT_NORM))) {
		s->v->split = CTX_SPLIT_BERT;
		return 0;
	}
	return unknown("pre-tokenizer", type, err);
}

/* Spaces that decoding removes; its other steps are implied. */
static int
read_decoder(struct steps *s, const json_t *d, struct ctx_err *err)
{
	const char *type = ctx_hf_string(d, "type");

	if (strcmp(type, "Sequence") == 0)
		return each(s, d, "decoders", read_decoder, err);
	if (strcmp(type, "ByteLevel") == 0)
		s->bytes = 1;
	if (strcmp(type, "Strip") == 0 &&
	    strcmp(ctx_hf_string(d, "content"), " ") == 0 &&
	    json_integer_value(json_object_get(d, "start")) == 1)
		s->v->norm |= CTX_NORM_STRIP;
	if (strcmp(type, "Metaspace") == 0 &&
	    strcmp(ctx_hf_string(d, "prepend_scheme"), "never") != 0 &&
	    !json_is_false(json_object_get(d, "add_prefix_space")))
		s->v->norm |= CTX_NORM_STRIP_FIRST;
	return 0;
}

/* Translate the patterns that are not ours to PCRE2. */
static int
translate_patterns(struct ctx_buf *patterns, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };
	const char *p = patterns->data;
	int rc = 0;

	for (; rc == 0 && p < patterns->data + patterns->len;
	    p += strlen(p) + 1) {
		if (ctx_pattern_split(p) != CTX_SPLIT_PATTERN)
			ctx_buf_adds(&out, p);
		else
			rc = ctx_onig_to_pcre(p, &out, err);
		ctx_buf_addc(&out, '\0');
	}
	if (rc == 0)
		rc = ctx_buf_fail(&out, err);
	ctx_buf_done(patterns);
	*patterns = out;
	return rc;
}

/* Does the pre-tokenizer divide a text at white space? */
static int
has_words(const json_t *p)
{
	const json_t *item;
	size_t i;

	json_array_foreach(json_object_get(p, "pretokenizers"), i, item)
		if (has_words(item))
			return 1;
	return strcmp(ctx_hf_string(p, "type"), "WhitespaceSplit") == 0;
}

/*
 * The first space is put only before what is the first in the text as it was;
 * we do not know where that is if a step may remove it.
 */
static int
check_steps(const struct ctx_vocab *v, struct ctx_err *err)
{
	struct ctx_steps steps;
	const struct ctx_steps_one *x;

	if (!ctx_steps_open(&steps, v->steps.data, v->steps.len,
	    v->charsmap.data, v->charsmap.len))
		return ctx_fail(err, CTX_ESYSTEM,
		    "its normalizer has more than %d steps", CTX_STEPS_MAX);
	for (x = steps.step; x < steps.step + steps.n; x++)
		if (v->norm & CTX_NORM_FIRST && (x->kind == CTX_STEPS_MARKS ||
		    x->kind == CTX_STEPS_NMT || (x->kind == CTX_STEPS_STRIP &&
		    x->by & CTX_STRIP_LEFT) || ((x->kind == CTX_STEPS_REPLACE ||
		    x->kind == CTX_STEPS_RUNS) && x->nto == 0)))
			return ctx_fail(err, CTX_ESYSTEM, "its pre-tokenizer "
			    "'Metaspace' with 'first' is not supported after a "
			    "normalizer that removes characters");
	return 0;
}

/* Add the steps for words, and for the spaces of Metaspace. */
static int
end_steps(struct steps *s, struct ctx_err *err)
{
	if (s->words && !(s->v->norm & CTX_NORM_PREFIX))
		return unknown("pre-tokenizer", "WhitespaceSplit", err);
	if (s->words) {
		s->v->norm |= CTX_NORM_WORDS;
		ctx_steps_add(&s->v->steps, CTX_STEPS_WORDS, 0, "", "");
	}
	if (s->v->norm & CTX_NORM_SPACE)
		ctx_steps_add(&s->v->steps, CTX_STEPS_REPLACE, 0, MARK, " ");
	if (ctx_buf_fail(&s->v->steps, err) == -1)
		return -1;
	return check_steps(s->v, err);
}

/* Read the normalizer and the pre-tokenizer. */
static int
read_steps(struct steps *s, const json_t *root, unsigned *norm,
    struct ctx_err *err)
{
	const json_t *n = json_object_get(root, "normalizer");
	const json_t *p = json_object_get(root, "pre_tokenizer");
	int listed = ctx_hf_is_steps(n) || has_words(p);

	if ((listed ? ctx_hf_norm(s->v, n, err) :
	    read_normalizer(s, n, err)) == -1)
		return -1;
	if (listed)
		s->v->norm |= CTX_NORM_STEPS;
	*norm = s->v->norm;
	if (read_pre(s, p, err) == -1)
		return -1;
	return listed ? end_steps(s, err) : 0;
}

int
ctx_hf_steps(struct ctx_vocab *v, const json_t *root, unsigned *norm,
    int *bytes, struct ctx_err *err)
{
	struct steps s = { .v = v };

	if (read_steps(&s, root, norm, err) == -1)
		return -1;
	if (s.prepended == 'M' && !(v->norm & CTX_NORM_SPACE))
		return ctx_fail(err, CTX_ESYSTEM, "its normalizer 'Prepend' is "
		    "not supported without one for spaces");
	if (v->pattern.len > 0)
		v->split = ctx_pattern_splits(v->pattern.data,
		    v->pattern.len);
	/* The text is needed only if a pattern is not ours. */
	if (v->split != CTX_SPLIT_PATTERN)
		ctx_buf_done(&v->pattern);
	else if (translate_patterns(&v->pattern, err) == -1)
		return -1;
	if (read_decoder(&s, json_object_get(root, "decoder"), err) == -1)
		return -1;
	*bytes = s.bytes;
	return 0;
}
