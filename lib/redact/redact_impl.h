/* SPDX-License-Identifier: MIT */
/* What redact.c (making one, replacing) and redact_find.c (finding) share. */
#ifndef CTX_REDACT_REDACT_IMPL_H
#define CTX_REDACT_REDACT_IMPL_H

#include <limits.h>
#include <stdint.h>

#include "base/regex.h"
#include "base/sha256.h"
#include "redact/anchor.h"
#include "redact/redact.h"
#include "redact/redact_rules.h"

#define CTX_REDACT_HEAD		"[REDACTED:"
#define CTX_REDACT_HEAD_LEN	(sizeof(CTX_REDACT_HEAD) - 1)
#define CTX_REDACT_ESCAPE	UINT_MAX	/* tag of escapes' literals */

/* A rule as it is used: of the table, or a user's. */
struct rule {
	const struct ctx_redact_rule *def;	/* NULL: a user's pattern */
	char name[CTX_REDACT_ID_MAX + 1];	/* of a user's */
	pcre2_code *code;	/* NULL until it is needed */
	unsigned group;		/* of a user's: the secret's */
	size_t done;		/* end of the last match in this text */
	int off;		/* not asked for */
};

struct ctx_redact {
	struct ctx_anchors *anchors;
	struct rule *rule;	/* the table's, then the user's */
	size_t nrules;
	pcre2_compile_context *compile;
	pcre2_match_context *context;
	pcre2_match_data *match;
	pcre2_jit_stack *stack;	/* for users' patterns; NULL: a small one */
	struct ctx_redact_opts opts;	/* what it was made with */
	unsigned char key[CTX_SHA256_LEN];
	struct ctx_redact_hit *hit;
	size_t nhits, cap;
	size_t last_end;	/* of the last hit: a border for the next */
	struct ctx_buf again;	/* the text with its placeholders */
};

/*
 * Compile for the machine if it can be; the interpreter does the same, only
 * slower.  0, or -1 with CTX_EUSAGE and a text that names rule and offset.
 */
int	ctx_redact_compile(struct ctx_redact *r, struct rule *rule,
	    const char *pattern, uint32_t options, struct ctx_err *err)
	    CTX_CHECKED;

/* May c be in a rule's id? */
int	ctx_redact_is_id_char(char c);

/* Append text to out with a placeholder for each of r's hits.  0 or -1. */
int	ctx_redact_replace(const struct ctx_redact *r, const char *text,
	    size_t len, struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

#endif
