/* SPDX-License-Identifier: MIT */
/* What the parts of decide/lean share; for lean.c and lean_secrets.c only. */
#ifndef CTX_DECIDE_LEAN_IMPL_H
#define CTX_DECIDE_LEAN_IMPL_H

#include "decide/lean.h"

/* What all steps on one conversation look at. */
struct ctx_lean_step {
	struct ctx_lean *l;
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	struct ctx_lean_seen *seen;
	const struct ctx_lean_opts *o;
};

/* Tell whoever asks of a part's change.  0, or -1 with *err. */
int	ctx_lean_tell(const struct ctx_lean_step *s, const char *rule,
	    uint32_t part, struct ctx_str before, struct ctx_str after,
	    struct ctx_err *err) CTX_CHECKED;

/* Find the secrets of record r; what they become waits in l->redacted. */
int	ctx_lean_secrets(const struct ctx_lean_step *s, uint32_t r,
	    struct ctx_err *err) CTX_CHECKED;
/* What node was redacted to, for the policies behind, if it was: 1. */
int	ctx_lean_redacted(const struct ctx_lean_step *s, uint32_t node,
	    struct ctx_str *text);
/* Redacted strings that are no part's text are written as they are. */
int	ctx_lean_write_redacted(const struct ctx_lean_step *s, uint32_t r,
	    struct ctx_err *err) CTX_CHECKED;

#endif
