/* SPDX-License-Identifier: MIT */
/*
 * What a redaction rule is, and the table of the built-in ones: for redact.c
 * and its tests.  One row of redact_rules.c is one rule.
 */
#ifndef CTX_REDACT_REDACT_RULES_H
#define CTX_REDACT_REDACT_RULES_H

#include <stddef.h>

/* Is the secret s[0 .. n) of a match what the rule means? */
typedef int ctx_redact_check_fn(const char *s, size_t n);

enum {
	/* the match begins where a word may: see ctx_redact_at_border */
	CTX_REDACT_BORDER = 1,
	/* the anchor is a key that a value is assigned to */
	CTX_REDACT_ASSIGN = 2,
	/* the match begins exactly back bytes before the anchor */
	CTX_REDACT_FIXED = 4
};

struct ctx_redact_rule {
	const char *id;		/* stable, in placeholders and options */
	const char *what;	/* for people */
	const char *source;	/* where the format is stated */
	/*
	 * Literals, separated by spaces, one of which is in each match; see
	 * anchor.h for upper and lower case.  No character that JSON escapes.
	 */
	const char *anchors;
	/*
	 * PCRE2, in bytes.  The secret is the last group that took part, or
	 * the whole match if there is none.  Matches begin at the anchor, or
	 * up to back bytes before it.
	 */
	const char *pattern;
	unsigned char back;
	unsigned char flags;
	float entropy;		/* bits a byte that the secret has at least */
	ctx_redact_check_fn *check;	/* NULL: ctx_redact_check_any */
};

extern const struct ctx_redact_rule ctx_redact_rules[];
extern const size_t ctx_redact_nrules;

/*
 * Checks.  Each refuses what is plainly a stand-in (xxxx, <your-key>,
 * EXAMPLE, 12345678), except that of private keys.
 */
ctx_redact_check_fn ctx_redact_check_any;
ctx_redact_check_fn ctx_redact_check_crc;	/* GitHub's and npm's */
ctx_redact_check_fn ctx_redact_check_jwt;	/* a header with "alg" */
ctx_redact_check_fn ctx_redact_check_basic;	/* base64 of user:password */
ctx_redact_check_fn ctx_redact_check_pem;	/* has a key in it */
ctx_redact_check_fn ctx_redact_check_token;	/* random, not an identifier */
ctx_redact_check_fn ctx_redact_check_password;	/* no variable, no word */
ctx_redact_check_fn ctx_redact_check_userinfo;	/* of a URL */

/* Shannon's entropy of the bytes, in bits a byte. */
double	ctx_redact_entropy(const char *s, size_t n);

/*
 * May a word begin at text[off]?  At the start, behind a character that is no
 * letter, digit, _ or -, and behind what only ends in one: an escape spelled
 * out (\n, \u003d, %3D) or a terminal's colour sequence.
 */
int	ctx_redact_at_border(const char *text, size_t off);

/*
 * Does something follow the key that ends before text[off] as an assigned
 * value would?  A cheap question asked before the pattern is.
 */
int	ctx_redact_is_assigned(const char *text, size_t len, size_t off);

#endif
