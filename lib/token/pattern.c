/* SPDX-License-Identifier: MIT */
#include "token/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/regex.h"
#include "token/onig.h"

#define PATTERNS_MAX	8

struct level {
	ctx_split_fn *split;	/* or NULL, and then code */
	pcre2_code *code;
	pcre2_code *late;	/* for texts with the latest characters */
};

struct ctx_pattern {
	struct level level[PATTERNS_MAX];
	unsigned n;
};

enum ctx_split_kind
ctx_pattern_split(const char *pattern)
{
#define TAIL	"| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define HEAD	"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define UPPER	"[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER	"[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define LEAD	"[^\\r\\n\\p{L}\\p{N}]?"
	static const struct {
		const char *text;
		enum ctx_split_kind kind;
	} known[] = {
		{ HEAD "|" LEAD "\\p{L}+|\\p{N}{1,3}" TAIL, CTX_SPLIT_CL100K },
		{ HEAD "|" LEAD "\\p{L}+|\\p{N}" TAIL, CTX_SPLIT_QWEN },
		{ LEAD UPPER "*" LOWER "+" HEAD "?|" LEAD UPPER "+" LOWER "*"
		    HEAD "?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|"
		    "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+", CTX_SPLIT_O200K },
		{ CTX_PATTERN_GPT2, CTX_SPLIT_R50K },
		{ CTX_PATTERN_DIGIT, CTX_SPLIT_DIGIT },
		{ CTX_PATTERN_DIGITS, CTX_SPLIT_DIGITS },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(pattern, known[i].text) == 0)
			return known[i].kind;
	return CTX_SPLIT_PATTERN;
}

enum ctx_split_kind
ctx_pattern_splits(const char *text, size_t len)
{
	static const char deepseek[] = "\\p{N}{1,3}\0"
	    "[\xe4\xb8\x80-\xe9\xbe\xa5\xe3\x81\x80-\xe3\x82\x9f"
	    "\xe3\x82\xa0-\xe3\x83\xbf]+\0"
	    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|"
	    "[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+|"
	    " ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+";

	if (len == sizeof(deepseek) && memcmp(text, deepseek, len) == 0)
		return CTX_SPLIT_DEEPSEEK;
	return len == strnlen(text, len) + 1 ? ctx_pattern_split(text) :
	    CTX_SPLIT_PATTERN;
}

/* Returns NULL if text is not a pattern, or if out of memory. */
static pcre2_code *
compile_text(const char *text, struct ctx_err *err)
{
	pcre2_compile_context *context = ctx_regex_context();
	pcre2_code *code;
	PCRE2_SIZE at;
	int why;

	if (context == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	/* ^ and $ match at the ends of lines, and only LF ends a line. */
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
	    PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE, &why, &at, context);
	pcre2_compile_context_free(context);
	if (code == NULL && why == PCRE2_ERROR_HEAP_FAILED)
		ctx_fail_nomem(err);
	else if (code == NULL)
		ctx_fail(err, CTX_ESYSTEM,
		    "split pattern is not valid (error %d at byte %zu)", why,
		    (size_t)at);
	else if (ctx_regex_jit(code, PCRE2_JIT_COMPLETE) == -1) {
		ctx_fail_nomem(err);
		pcre2_code_free(code);
		code = NULL;
	}
	return code;
}

static int
compile(struct ctx_pattern *pat, const char *text, struct ctx_err *err)
{
	enum ctx_split_kind kind = ctx_pattern_split(text);
	struct ctx_buf late = { 0 };
	struct level *level;

	if (pat->n == PATTERNS_MAX)
		return ctx_fail(err, CTX_ESYSTEM, "more than %d patterns",
		    PATTERNS_MAX);
	level = &pat->level[pat->n++];
	if (kind != CTX_SPLIT_PATTERN) {
		level->split = ctx_split_get(kind);
		return 0;
	}
	level->code = compile_text(text, err);
	if (level->code != NULL && ctx_onig_add_late(text, &late, err) == 0 &&
	    ctx_buf_str(&late) != NULL)
		level->late = compile_text(late.data, err);
	ctx_buf_done(&late);
	return level->code == NULL || level->late == NULL ? -1 : 0;
}

struct ctx_pattern *
ctx_pattern_new(const char *text, size_t len, struct ctx_err *err)
{
	struct ctx_pattern *pat = calloc(1, sizeof(*pat));
	size_t n;

	if (pat == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	for (; len > 0; text += n, len -= n) {
		n = strnlen(text, len) + 1;
		if (n > len || compile(pat, text, err) == -1) {
			ctx_fail(err, CTX_ESYSTEM, "split pattern is damaged");
			ctx_pattern_free(pat);
			return NULL;
		}
	}
	return pat;
}

void
ctx_pattern_free(struct ctx_pattern *pat)
{
	if (pat == NULL)
		return;
	while (pat->n > 0) {
		pat->n--;
		pcre2_code_free(pat->level[pat->n].code);
		pcre2_code_free(pat->level[pat->n].late);
	}
	free(pat);
}

struct cutting {
	const struct ctx_pattern *pat;
	int late;
	pcre2_match_data *match;
	ctx_piece_fn *piece;
	void *arg;
	struct ctx_err *err;
};

static int	cut_from(const struct cutting *c, unsigned level,
		    const uint8_t *p, const uint8_t *end);

/* Cut with one of our splitters and the patterns after it. */
static int
cut_by(const struct cutting *c, unsigned level, const uint8_t *p,
    const uint8_t *end)
{
	const uint8_t *q;
	unsigned met = 0;

	for (; p < end; p = q) {
		q = c->pat->level[level].split(p, end, &met);
		if (cut_from(c, level + 1, p, q) == -1)
			return -1;
	}
	return 0;
}

/* Cut with the patterns from level on. */
static int
cut_from(const struct cutting *c, unsigned level, const uint8_t *p,
    const uint8_t *end)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(c->match);
	const uint8_t *from, *to;
	const pcre2_code *code;
	int rc;

	if (p == end)
		return 0;
	if (level == c->pat->n)
		return c->piece(c->arg, p, end, c->err);
	if (c->pat->level[level].split != NULL)
		return cut_by(c, level, p, end);
	code = c->late ? c->pat->level[level].late : c->pat->level[level].code;
	while (p < end) {
		rc = pcre2_match(code, p, (size_t)(end - p),
		    0, PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY, c->match,
		    NULL);
		if (rc == PCRE2_ERROR_NOMATCH)
			return cut_from(c, level + 1, p, end);
		if (rc < 0)
			return ctx_fail(c->err, CTX_ESYSTEM,
			    "split pattern gave up (PCRE2 error %d)", rc);
		/* The deeper levels use the same match data. */
		from = p + at[0];
		to = p + at[1];
		if (cut_from(c, level + 1, p, from) == -1 ||
		    cut_from(c, level + 1, from, to) == -1)
			return -1;
		p = to;
	}
	return 0;
}

ctx_split_fn *
ctx_pattern_first(const struct ctx_pattern *pat)
{
	return pat->n > 0 ? pat->level[0].split : NULL;
}

int
ctx_pattern_cut(const struct ctx_pattern *pat, const uint8_t *p,
    const uint8_t *end, ctx_piece_fn *piece, void *arg, struct ctx_err *err)
{
	struct cutting c = {
		pat, ctx_onig_late(p, (size_t)(end - p)),
		pcre2_match_data_create(1, NULL), piece, arg, err
	};
	int rc;

	if (c.match == NULL)
		return ctx_fail_nomem(err);
	rc = cut_from(&c, ctx_pattern_first(pat) != NULL, p, end);
	pcre2_match_data_free(c.match);
	return rc;
}
