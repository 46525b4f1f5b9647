/* SPDX-License-Identifier: MIT */
/* Internals that lean.c, lean_old.c and lean_secrets.c share. */
#ifndef CTX_DECIDE_LEAN_IMPL_H
#define CTX_DECIDE_LEAN_IMPL_H

#include "decide/lean.h"

/* The arguments of all steps on one conversation. */
struct ctx_lean_step {
	struct ctx_lean *l;
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	struct ctx_lean_seen *seen;
	const struct ctx_lean_opts *o;
};

/*
 * Is part p not written?  of is the result that it is in, or p itself; a result
 * that moves is written, with what is in it.
 */
static inline int
ctx_lean_is_gone(const struct ctx_lean_step *s, uint32_t p, uint32_t of)
{
	const unsigned char *drop = s->plan->drop_part;

	if (drop[of] == CTX_PART_MOVES)
		return p != of && drop[p];
	return drop[of] || drop[p] || s->plan->drop_msg[s->c->part[p].msg];
}

/* Record a part's change in the plan, if asked to.  0, or -1 with *err. */
int	ctx_lean_tell(const struct ctx_lean_step *s, const char *rule,
	    uint32_t part, struct ctx_str before, struct ctx_str after,
	    struct ctx_err *err) CTX_CHECKED;

/* Find the secrets of record r; the redacted strings go to l->redacted. */
int	ctx_lean_secrets(const struct ctx_lean_step *s, uint32_t r,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * The text that node was redacted to, for the policies that follow.  Returns 1
 * if it was redacted, else 0.
 */
int	ctx_lean_redacted(const struct ctx_lean_step *s, uint32_t node,
	    struct ctx_str *text);
/* Plan the rewriting of redacted strings that are not the text of a part. */
int	ctx_lean_write_redacted(const struct ctx_lean_step *s, uint32_t r,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Set l->cleared: the results to clear are all except the newest.  With
 * watermarks, clear only if the conversation is above the upper one, and then
 * only until it is at the lower one, so that the beginning is seldom rewritten.
 */
int	ctx_lean_choose_cleared(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* Replace the arguments of cleared results' calls with an empty object. */
int	ctx_lean_clear_inputs(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;

#endif
