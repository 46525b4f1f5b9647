/* SPDX-License-Identifier: MIT */
/*
 * Finds secrets in a text and makes the placeholders that replace them:
 *
 *	[REDACTED:github-token:1a2b3c4d]
 *
 * The eight digits are a keyed hash of the secret.  With the same key the same
 * secret gets the same digits; without the key they do not help to guess it.  A
 * placeholder is never taken for a secret, so redacting twice gives the same
 * result as once.
 *
 * Placeholders of values that are to be put back have twelve digits, so that no
 * two values share one, and those of an unusual spelling "-" and four more.
 *
 * Clean text costs one pass for the rules' literals (anchor.h).  A rule's
 * pattern is compiled when one of its literals is first seen, and is run only
 * near it.  Time is linear in the text, whatever it contains.
 *
 * A struct ctx_redact may be used by one thread at a time.
 */
#ifndef CTX_REDACT_REDACT_H
#define CTX_REDACT_REDACT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "redact/pem.h"

#define CTX_REDACT_ID_MAX	40
#define CTX_REDACT_HEAD		"[REDACTED:"
#define CTX_REDACT_DIGITS	8
#define CTX_REDACT_UNIQUE	12	/* digits of those that are put back */
#define CTX_REDACT_SPELLING	4
/* CTX_REDACT_HEAD id ":" digits "-" digits "]" and the NUL */
#define CTX_REDACT_PLACEHOLDER	(10 + CTX_REDACT_ID_MAX + 1 + \
	CTX_REDACT_UNIQUE + 1 + CTX_REDACT_SPELLING + 1 + 1)

/* Bytes of a key; fewer can be guessed. */
#define CTX_REDACT_KEY_LEAST	16

#define CTX_REDACT_PII	"pii"	/* stands for all rules for personal data */

struct ctx_redact_opts {	/* all zero: all rules, a random key */
	/*
	 * Rules, separated by commas.  NULL or "all": those for secrets.
	 * "a,b": only these.  "-a,+b": those for secrets without a and with b.
	 * "pii": those for personal data.  "none": no built-in rule.
	 */
	const char *rules;
	/* names for the rule of this name, all of them usable (people.h) */
	const char *const *names;
	size_t nnames;
	/*
	 * More rules, each as NAME=PCRE2.  NAME has letters, digits, "_", "."
	 * and "-", at most CTX_REDACT_ID_MAX.  The pattern is in UTF mode and
	 * is searched for in the whole text.  The secret is the match, or its
	 * group named "secret" if the pattern has one.
	 */
	const char *const *patterns;
	size_t npatterns;
	/* key for the hash in placeholders; keylen 0: a random key */
	const void *key;
	size_t keylen;
	int unique;		/* twelve digits instead of eight */
};

struct ctx_redact;

struct ctx_redact_hit {
	size_t off, len;	/* bytes in the text */
	unsigned rule;		/* for ctx_redact_id */
};

/*
 * Take the key in the variable CTX_REDACT_KEY, if it has one.  -1 with
 * CTX_EUSAGE if it could be guessed.
 */
int	ctx_redact_env(struct ctx_redact_opts *opts, struct ctx_err *err)
	    CTX_CHECKED;

/* NULL with *err: CTX_EUSAGE (unknown rule, bad pattern) or CTX_ENOMEM. */
struct ctx_redact *ctx_redact_new(const struct ctx_redact_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * A copy for another thread, which finds the same and makes the same
 * placeholders.  What the options of r point to must still exist.
 */
struct ctx_redact *ctx_redact_like(const struct ctx_redact *r,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_redact_free(struct ctx_redact *r);

/*
 * Can p[0 .. len) contain a secret?  0 means certainly not.  p may also be the
 * contents of a JSON string with its escapes, so a string need only be decoded
 * if the answer is 1.  (With users' patterns the answer is always 1.)
 */
int	ctx_redact_suspect(const struct ctx_redact *r, const char *p,
	    size_t len);
/*
 * The same for many parts of p[0 .. len), which is searched only once: first
 * ctx_redact_scan, which returns 1, 0 if no part can contain a secret, or -1 if
 * out of memory; then ctx_redact_suspect_in for each part p[from .. end).
 */
int	ctx_redact_scan(struct ctx_redact *r, const char *p, size_t len)
	    CTX_CHECKED;
int	ctx_redact_suspect_in(const struct ctx_redact *r, const char *p,
	    size_t from, size_t end);

/*
 * Find the secrets in text[0 .. len).  Sets *hit and *n to a list in order,
 * without overlaps, which is valid until the next call.  Where several rules
 * match, the ranges are joined under the rule with the longest match; of equal
 * ones the first in the table wins.  Returns 0 with *n 0 if there are none.
 *
 * Returns: 0, or -1 with CTX_EINPUT (not UTF-8 although there are users'
 *          patterns, or a pattern takes too long: the text names it) or
 *          CTX_ENOMEM.
 */
int	ctx_redact_find(struct ctx_redact *r, const char *text, size_t len,
	    const struct ctx_redact_hit **hit, size_t *n, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * The same for the value of a member of JSON, which its name may make a secret;
 * name NULL: it has none.  Both are without escapes.  Offsets are in the value.
 */
struct ctx_redact_value {
	const char *name, *text;
	size_t namelen, len;
};
int	ctx_redact_find_value(struct ctx_redact *r,
	    const struct ctx_redact_value *v, const struct ctx_redact_hit **hit,
	    size_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * Add a place, as a hit of the rule id, to what ctx_redact_find has found in the
 * same text, unless that rule is not used.  Sets *hit and *n likewise.  Returns
 * 0, or -1 if out of memory.
 */
int	ctx_redact_add(struct ctx_redact *r, const char *id,
	    const struct ctx_redact_hit *place,
	    const struct ctx_redact_hit **hit, size_t *n) CTX_CHECKED;

/*
 * Add likewise the rest of a private key's block that an earlier message began,
 * and note in *b what the value does to the block: it opens one, or ends it.
 */
int	ctx_redact_follow(struct ctx_redact *r,
	    const struct ctx_redact_value *v, struct ctx_pem_block *b,
	    const struct ctx_redact_hit **hit, size_t *n) CTX_CHECKED;

/* Write the placeholder for a hit in text to out.  Returns out. */
char	*ctx_redact_placeholder(const struct ctx_redact *r, const char *text,
	    const struct ctx_redact_hit *hit,
	    char out[CTX_REDACT_PLACEHOLDER]);

/* Mark the placeholder as that of a value with this spelling.  Returns out. */
char	*ctx_redact_spelled(const struct ctx_redact *r, const char *spelling,
	    size_t len, char out[CTX_REDACT_PLACEHOLDER]);

/* The length of the placeholder at p[0 .. len), or 0 if there is none. */
size_t	ctx_redact_at(const char *p, size_t len);

/*
 * Append the text, or the value, to out with its secrets replaced by
 * placeholders; those of the block b too, unless that is NULL.  Sets *n,
 * unless n is NULL, to their number.  Returns 0 or -1 as ctx_redact_find does.
 */
int	ctx_redact_text(struct ctx_redact *r, const char *text, size_t len,
	    struct ctx_buf *out, size_t *n, struct ctx_err *err) CTX_CHECKED;
int	ctx_redact_value(struct ctx_redact *r,
	    const struct ctx_redact_value *v, struct ctx_pem_block *b,
	    struct ctx_buf *out, size_t *n, struct ctx_err *err) CTX_CHECKED;

/* The id of the rule of a hit. */
const char *ctx_redact_id(const struct ctx_redact *r, unsigned rule);

#endif
