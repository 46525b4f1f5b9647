/* SPDX-License-Identifier: MIT */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "token/pattern.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#define PATTERNS_MAX	8

struct ctx_pattern {
	pcre2_code *code[PATTERNS_MAX];
	unsigned n;
};

static int
compile(struct ctx_pattern *pat, const char *text, struct ctx_err *err)
{
	pcre2_code *code;
	PCRE2_SIZE at;
	int why;

	if (pat->n == PATTERNS_MAX)
		return ctx_fail(err, CTX_ESYSTEM, "more than %d patterns",
		    PATTERNS_MAX);
	code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
	    PCRE2_UTF | PCRE2_UCP, &why, &at, NULL);
	if (code == NULL)
		return ctx_fail(err, CTX_ESYSTEM, "split pattern is not one "
		    "(error %d at byte %zu)", why, (size_t)at);
	/* Without the compiler it only takes longer. */
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	pat->code[pat->n++] = code;
	return 0;
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
	while (pat->n > 0)
		pcre2_code_free(pat->code[--pat->n]);
	free(pat);
}

struct cutting {
	const struct ctx_pattern *pat;
	pcre2_match_data *match;
	ctx_piece_fn *piece;
	void *arg;
	struct ctx_err *err;
};

/* Cut by the patterns from level on. */
static int
cut_from(const struct cutting *c, unsigned level, const uint8_t *p,
    const uint8_t *end)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(c->match);
	const uint8_t *from, *to;
	int rc;

	if (p == end)
		return 0;
	if (level == c->pat->n)
		return c->piece(c->arg, p, end, c->err);
	while (p < end) {
		rc = pcre2_match(c->pat->code[level], p, (size_t)(end - p),
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

int
ctx_pattern_cut(const struct ctx_pattern *pat, const uint8_t *p,
    const uint8_t *end, ctx_piece_fn *piece, void *arg, struct ctx_err *err)
{
	struct cutting c = {
		pat, pcre2_match_data_create(1, NULL), piece, arg, err
	};
	int rc;

	if (c.match == NULL)
		return ctx_fail_nomem(err);
	rc = cut_from(&c, 0, p, end);
	pcre2_match_data_free(c.match);
	return rc;
}
