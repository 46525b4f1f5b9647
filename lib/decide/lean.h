/* SPDX-License-Identifier: MIT */
/*
 * Lean histories: what a model does not need to read again.  Each policy is
 * off unless asked for.  They apply in this order, whatever the order of the
 * options, so that a text goes through all of them in one pass:
 *
 *	secrets, escapes, repetition, blobs, cleared results, copies, length
 *
 * A text that a policy wrote is one that it leaves: applying all twice is
 * applying them once.
 */
#ifndef CTX_DECIDE_LEAN_H
#define CTX_DECIDE_LEAN_H

#include "base/strmap.h"
#include "decide/plan.h"
#include "redact/redact.h"
#include "decide/shorten.h"

#define CTX_DEDUPE_MIN	1000	/* characters of a body worth a reference */
#define CTX_DEDUPE_LEAST	200	/* a shorter body is never referred to */
#define CTX_CLEAR_KEEP	3	/* results that --clear-results leaves */

enum ctx_thinking { CTX_THINKING_KEEP, CTX_THINKING_DROP, CTX_THINKING_LAST };

/*
 * Reads what was kept: the file of that name, appended to out.  1; 0: there is
 * none; -1 with *err.
 */
typedef int ctx_kept_fn(void *arg, const char *name, struct ctx_buf *out,
	    struct ctx_err *err);

struct ctx_lean_opts {
	struct ctx_shorten result, message;
	int ansi, squeeze, blobs;
	struct ctx_redact *redact;	/* NULL: off; borrowed */
	uint64_t dedupe;		/* least characters; 0: off */
	enum ctx_thinking thinking;
	int clear;			/* old results become notes */
	uint64_t clear_keep;		/* but the newest so many */
	int clear_inputs;		/* their calls' arguments too */
	uint64_t when_tokens, down_to;	/* watermarks; 0: none */
	const char *const *exclude;	/* tools that keep their results */
	size_t nexclude;
	ctx_count_fn *count;		/* with when_tokens, down_to */
	void *arg;			/* of count */
	int keep;			/* what is cut is kept: the plan
					   says what */
	int tell;			/* the plan says what is changed */
	int only_find;			/* secrets are found, and nothing is
					   changed */
	ctx_kept_fn *kept;		/* what was cut is put back; NULL: no */
	void *kept_arg;
	const char *kept_in;		/* the folder's name, for messages */
};

/* What is remembered of a conversation: bodies that were sent before. */
struct ctx_lean_seen {
	struct ctx_strmap hash;		/* of the body as it came */
	char (*sent)[17];		/* of the body as it went, 16 digits;
					   "": too short to be referred to */
	size_t capsent;
};

/* Working storage; all zero is valid. */
struct ctx_lean {
	struct ctx_buf plain, scrub, text, spare, secrets;
	struct ctx_rewrite *redacted;	/* of the record in hand, by node */
	size_t nredacted, capredacted;
	unsigned char *is_key;
	size_t capkey;
	unsigned char *cleared;		/* parts whose text becomes a note */
	size_t capcleared;
	uint32_t *owner;		/* of the record's nodes: their part */
	size_t capowner;
};

void	ctx_lean_seen_done(struct ctx_lean_seen *s);
void	ctx_lean_done(struct ctx_lean *l);

/* Do these options need the whole conversation before the first answer? */
int	ctx_lean_needs_all(const struct ctx_lean_opts *opts);

/*
 * Parts that go altogether: thinking.  Before ctx_links_plan, which drops the
 * messages that are left empty.  0, or -1 with *err.
 */
int	ctx_lean_drop(struct ctx_plan *plan, const struct ctx_convo *c,
	    const struct ctx_lean_opts *opts, struct ctx_err *err) CTX_CHECKED;

/*
 * Add to plan what makes c lean; findings of secrets too, which are all that
 * is added with opts->only_find.  Parts and messages that the plan drops are
 * left alone.  0, or -1 with *err.
 */
int	ctx_lean_plan(struct ctx_lean *l, struct ctx_plan *plan,
	    const struct ctx_convo *c, struct ctx_lean_seen *seen,
	    const struct ctx_lean_opts *opts, struct ctx_err *err) CTX_CHECKED;

#endif
