/* SPDX-License-Identifier: MIT */
/*
 * Finds secrets in a text and names what stands in for them:
 *
 *	[REDACTED:github-token:1a2b3c4d]
 *
 * The eight digits are a keyed hash of the secret: the same for the same
 * secret as long as the key is the same, of no use to guess it without.  A
 * placeholder is never found again, so redacting twice is redacting once.
 *
 * Clean text costs one pass for the rules' literals (anchor.h); a rule's
 * pattern is compiled when one of its literals is first seen, and run only
 * near it.  Time is linear in the text, whatever the text.
 *
 * A struct ctx_redact is for one thread at a time.
 */
#ifndef CTX_REDACT_REDACT_H
#define CTX_REDACT_REDACT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define CTX_REDACT_ID_MAX	40
/* "[REDACTED:" id ":" 8 digits "]" and the NUL */
#define CTX_REDACT_PLACEHOLDER	(10 + CTX_REDACT_ID_MAX + 1 + 8 + 1 + 1)

struct ctx_redact_opts {	/* all zero: all rules, a random key */
	/*
	 * NULL or "all": every built-in rule.  "a,b": these; "-a,-b": all but
	 * these; "none": no built-in one.
	 */
	const char *rules;
	/*
	 * More rules, each NAME=PCRE2: NAME of letters, digits, "_", "." and
	 * "-", at most CTX_REDACT_ID_MAX; the pattern in UTF mode, looked for
	 * in the whole text.  The secret is the match, or its group named
	 * "secret" if the pattern has one.
	 */
	const char *const *patterns;
	size_t npatterns;
	/* What placeholders are hashed with; keylen 0: a random key */
	const void *key;
	size_t keylen;
};

struct ctx_redact;

struct ctx_redact_hit {
	size_t off, len;	/* bytes of the text */
	unsigned rule;		/* for ctx_redact_id */
};

/* NULL with *err: CTX_EUSAGE (rule unknown, pattern wrong) or CTX_ENOMEM. */
struct ctx_redact *ctx_redact_new(const struct ctx_redact_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * One more that finds and names the same, for another thread.  What the options
 * of r point to is still there.
 */
struct ctx_redact *ctx_redact_like(const struct ctx_redact *r,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_redact_free(struct ctx_redact *r);

/*
 * Can there be a secret in p[0 .. len)?  0 is certain.  p may also be the
 * content of a JSON string as it stands, with its escapes: only where the
 * answer is 1 does it have to be decoded.  (With patterns the answer is 1.)
 */
int	ctx_redact_suspect(const struct ctx_redact *r, const char *p,
	    size_t len);

/*
 * The secrets in text[0 .. len), in order, none overlapping: *hit and *n, lent
 * until the next call.  Where several rules match, the ranges are joined under
 * the rule of the longest; of equal ones the first in the table wins.  An
 * empty finding is 0 with *n 0.
 *
 * Returns: 0, or -1 with CTX_EINPUT (not UTF-8 where there are patterns, a
 *          pattern that takes too long: the text names it) or CTX_ENOMEM.
 */
int	ctx_redact_find(struct ctx_redact *r, const char *text, size_t len,
	    const struct ctx_redact_hit **hit, size_t *n, struct ctx_err *err)
	    CTX_CHECKED;

/* What stands in for a hit of the text it was found in.  Returns out. */
char	*ctx_redact_placeholder(const struct ctx_redact *r, const char *text,
	    const struct ctx_redact_hit *hit,
	    char out[CTX_REDACT_PLACEHOLDER]);

/*
 * Append the text to out with placeholders for its secrets; *n (may be NULL)
 * is how many.  0 or -1 as ctx_redact_find.
 */
int	ctx_redact_text(struct ctx_redact *r, const char *text, size_t len,
	    struct ctx_buf *out, size_t *n, struct ctx_err *err) CTX_CHECKED;

/* The id of a rule in a hit; what it is, and where that is stated. */
const char *ctx_redact_id(const struct ctx_redact *r, unsigned rule);

#endif
