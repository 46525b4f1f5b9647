/* SPDX-License-Identifier: MIT */
/*
 * Internals shared by redact.c (creation, replacing) and redact_find.c
 * (finding).
 */
#ifndef CTX_REDACT_REDACT_IMPL_H
#define CTX_REDACT_REDACT_IMPL_H

#include <limits.h>
#include <stdint.h>

#include "base/regex.h"
#include "base/sha256.h"
#include "redact/anchor.h"
#include "redact/encoded.h"
#include "redact/people.h"
#include "redact/personal.h"
#include "redact/redact.h"
#include "redact/redact_rules.h"

#define CTX_REDACT_HEAD_LEN	(sizeof(CTX_REDACT_HEAD) - 1)
#define CTX_REDACT_ESCAPE	UINT_MAX	/* tag of the literals that are
						   escapes */
#define CTX_REDACT_NAME		0x40000000u	/* tag of name 0; the next
						   follow */

/* A rule in use, from the table or from a user. */
struct rule {
	const struct ctx_redact_rule *def;	/* NULL: a user's pattern */
	char name[CTX_REDACT_ID_MAX + 1];	/* name of a user's rule */
	pcre2_code *code;	/* NULL until it is needed */
	unsigned group;		/* of a user's rule: the group of the secret */
	size_t done;		/* end of the last match in this text */
	int off;		/* disabled */
};

struct ctx_redact {
	struct ctx_anchors *anchors;
	struct rule *rule;	/* those of the table, then the users' */
	size_t nrules;
	pcre2_compile_context *compile;
	pcre2_match_context *context;
	pcre2_match_data *match;
	pcre2_jit_stack *stack;	/* for users' patterns; NULL: use the small
				   default */
	struct ctx_redact_opts opts;	/* the options it was made with */
	unsigned kinds;		/* of personal data: bits 1 << enum
				   ctx_personal */
	size_t personal;	/* the first rule for them; the others follow */
	struct ctx_people_spellings *spelling;	/* of the names */
	int escapes;		/* a name may be spelled in escapes */
	unsigned char key[CTX_SHA256_LEN];
	struct ctx_redact_hit *hit;
	size_t nhits, cap;
	size_t *place;		/* offsets of what is suspect, in order */
	size_t nplaces, capplace;
	size_t last_end;	/* end of the last hit, which is a border for
				   the next */
	struct ctx_buf pair;	/* a value with its name */
	struct ctx_buf again;	/* the text with placeholders */
	struct ctx_buf decoded;	/* a run of base64 */
	struct ctx_encoded_plain plain;	/* the text without escapes */
};

/*
 * Compile to machine code where possible; otherwise the interpreter does the
 * same, only slower.  Returns 0, or -1 with CTX_EUSAGE and a text that names
 * the rule and the offset.
 */
int	ctx_redact_compile(struct ctx_redact *r, struct rule *rule,
	    const char *pattern, uint32_t options, struct ctx_err *err)
	    CTX_CHECKED;

/* May a rule's id contain c? */
int	ctx_redact_is_id_char(char c);

/*
 * Append text to out with a placeholder for each of r's hits.  Returns 0, or -1
 * with *err.
 */
int	ctx_redact_replace(const struct ctx_redact *r, const char *text,
	    size_t len, struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

#endif
