/* SPDX-License-Identifier: MIT */
/* Internals that the sources of lean share. */
#ifndef CTX_DECIDE_LEAN_IMPL_H
#define CTX_DECIDE_LEAN_IMPL_H

#include "base/sha256.h"
#include "decide/lean.h"

/*
 * Where a text is in a conversation, as it is written: it is the nth of this
 * kind that has this id.  Options do not change that, nor do the texts around.
 */
struct ctx_lean_place {
	enum { CTX_PLACE_NONE, CTX_PLACE_TEXT = 't', CTX_PLACE_RESULT = 'r',
	    CTX_PLACE_COPY = 'c', CTX_PLACE_INPUT = 'i',
	    CTX_PLACE_RECORD = 'e' } kind;
	uint32_t nth;
	uint32_t of;		/* the part that has the id, or CTX_NONE */
	struct ctx_str id;	/* if of is CTX_NONE */
};

/* The arguments of all steps on one conversation. */
struct ctx_lean_step {
	struct ctx_lean *l;
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	struct ctx_lean_seen *seen;
	const struct ctx_lean_opts *o;
	struct ctx_str origin;	/* the text that is being altered, as read */
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

/*
 * Find the secrets of all records; the redacted strings go to l->redacted.
 * Returns 0, or -1 with *err.
 */
int	ctx_lean_secrets(const struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * The text that node was redacted to, for the policies that follow.  Returns 1
 * if it was redacted, else 0.
 */
int	ctx_lean_redacted(const struct ctx_lean_step *s, uint32_t node,
	    struct ctx_str *text);
/* The redacted string node is written by the caller. */
void	ctx_lean_redacted_done(const struct ctx_lean_step *s, uint32_t node);
/* chars, the length of the JSON at node, after redacting what is in it. */
uint64_t ctx_lean_redacted_chars(const struct ctx_lean_step *s, uint32_t r,
	    uint32_t node, uint64_t chars);
/*
 * Plan the rewriting of redacted strings of record r that are not the text of a
 * part.  Call this for all records in order.
 */
int	ctx_lean_write_redacted(struct ctx_lean_step *s, uint32_t r,
	    struct ctx_err *err) CTX_CHECKED;

/* Make the contents of b the current text, which is valid until the next call. */
struct ctx_str ctx_lean_take(struct ctx_lean_step *s, struct ctx_buf *b);
/*
 * Redact a text that has changed: a name may have come near to its value.
 * Returns 1 if that changes it, 0, or -1 with *err.
 */
int	ctx_lean_redact(struct ctx_lean_step *s, struct ctx_str *text,
	    struct ctx_err *err) CTX_CHECKED;
/* The SHA-256 of what text spells.  Returns 0, or -1 if out of memory. */
int	ctx_lean_hash(struct ctx_lean *l, struct ctx_str text,
	    char hex[CTX_SHA256_HEX]) CTX_CHECKED;

/* Find the places of all parts.  Returns 0, or -1 with *err. */
int	ctx_lean_number(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* The place of a copy in the next record that is no message; likewise. */
int	ctx_lean_number_copy(struct ctx_lean_step *s, struct ctx_str id,
	    struct ctx_lean_place *at, struct ctx_err *err) CTX_CHECKED;
/*
 * Plan to keep the text was, in whose place another is written; with raw they are
 * JSON values.  Returns 0, or -1 with *err.
 */
int	ctx_lean_keep(struct ctx_lean_step *s, const struct ctx_lean_place *at,
	    struct ctx_str was, struct ctx_str written, int raw,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * Restore a text that was kept; without at, only if it names the hash.  Returns 1,
 * 0 if none was kept, or -1 with *err.
 */
int	ctx_lean_restore(struct ctx_lean_step *s,
	    const struct ctx_lean_place *at, struct ctx_str *text, int raw,
	    struct ctx_err *err) CTX_CHECKED;
/* Restore the arguments of calls.  Returns 0, or -1 with *err. */
int	ctx_lean_restore_inputs(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * Append the JSON value of the arguments of call p, redacted, to out.  Returns 0,
 * or -1 if out of memory.
 */
int	ctx_lean_redacted_value(const struct ctx_lean_step *s, uint32_t p,
	    struct ctx_buf *out) CTX_CHECKED;

/* May the text of part p be altered? */
int	ctx_lean_alterable(const struct ctx_lean_step *s, uint32_t p);
/*
 * Apply to a text the policies that come before clearing.  at is its place, for
 * ctx_lean_restore.  *rule becomes the last one that changed it.  The new text is
 * valid until the next call.
 */
int	ctx_lean_tidy(struct ctx_lean_step *s, const struct ctx_lean_place *at,
	    int is_result, struct ctx_str *text, const char **rule,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * Set pace->chars to the lengths of all messages as they will be written, were
 * nothing cleared.
 */
int	ctx_lean_measure(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* The length of the text of part p in this sense. */
int	ctx_lean_chars(struct ctx_lean_step *s, uint32_t p, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Set l->cleared: the results to clear, which are all except the newest, as far
 * as opts->pace lets them go.
 */
int	ctx_lean_choose_cleared(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* Replace the arguments of cleared results' calls with an empty object. */
int	ctx_lean_clear_inputs(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;

#endif
