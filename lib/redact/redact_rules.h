/* SPDX-License-Identifier: MIT */
/*
 * The definition of a redaction rule and the table of built-in ones, for
 * redact.c and its tests.  Each row in rules_data.inc and rules_prefix.inc is
 * one rule.
 */
#ifndef CTX_REDACT_REDACT_RULES_H
#define CTX_REDACT_REDACT_RULES_H

#include <stddef.h>

/* Is the secret s[0 .. n) of a match really what the rule looks for? */
typedef int ctx_redact_check_fn(const char *s, size_t n);

enum {
	/* the match begins at a word border: see ctx_redact_at_border */
	CTX_REDACT_BORDER = 1,
	/* the anchor is a key to which a value is assigned */
	CTX_REDACT_ASSIGN = 2,
	/* the match begins exactly back bytes before the anchor */
	CTX_REDACT_FIXED = 4,
	/* personal data, off unless chosen; back is an enum ctx_personal, and
	   there are no anchors */
	CTX_REDACT_PERSONAL = 8
};

struct ctx_redact_rule {
	const char *id;		/* stable, in placeholders and options */
	const char *what;	/* for people */
	/* where the format is documented, or the secret; the vectors in
	   tests/data/redact say which formats are not */
	const char *source;
	/*
	 * Literals separated by spaces, or by commas if there are any; each
	 * match contains one of them.  See anchor.h for upper and lower case.
	 * They have no characters that JSON escapes.
	 */
	const char *anchors;
	/*
	 * PCRE2, matching bytes.  The secret is the last group that took part,
	 * or the whole match if there is none.  Matches begin at the anchor, or
	 * up to back bytes before it.
	 */
	const char *pattern;
	unsigned char back;
	unsigned char flags;
	float entropy;		/* minimum entropy of the secret, in bits per
				   byte */
	ctx_redact_check_fn *check;	/* NULL: ctx_redact_check_any */
};

extern const struct ctx_redact_rule ctx_redact_rules[];
extern const size_t ctx_redact_nrules;

/*
 * Checks.  Each rejects obvious stand-ins (xxxx, <your-key>, EXAMPLE,
 * 12345678), except the one for private keys.
 */
ctx_redact_check_fn ctx_redact_check_any;
ctx_redact_check_fn ctx_redact_check_crc;	/* GitHub and npm */
ctx_redact_check_fn ctx_redact_check_jwt;	/* a header with "alg" */
ctx_redact_check_fn ctx_redact_check_basic;	/* base64 of user:password */
ctx_redact_check_fn ctx_redact_check_pem;	/* contains a key */
ctx_redact_check_fn ctx_redact_check_random;	/* no name of words */
ctx_redact_check_fn ctx_redact_check_token;	/* random, or has digits */
ctx_redact_check_fn ctx_redact_check_secret;	/* the same, but stricter */
ctx_redact_check_fn ctx_redact_check_letters;	/* a password of letters */
ctx_redact_check_fn ctx_redact_check_password;	/* not a variable or a word */
ctx_redact_check_fn ctx_redact_check_userinfo;	/* user information in a URL */

/* Shannon entropy of the bytes, in bits per byte. */
double	ctx_redact_entropy(const char *s, size_t n);

/*
 * May a word begin at text[off]?  It may at the start, after a character that
 * is not a letter, digit, _ or -, and after something that only ends in one: an
 * escape (\n, \u003d, %3D) or a terminal's colour sequence.
 */
int	ctx_redact_at_border(const char *text, size_t off);

/*
 * Does the text after the key that ends before text[off] look like an assigned
 * value?  This is a cheap test before the pattern is run.
 */
int	ctx_redact_is_assigned(const char *text, size_t len, size_t off);

#endif
