/* SPDX-License-Identifier: MIT */
/*
 * The decoded texts of a turn, and patches of them that are applied to the
 * record's bytes, so that whatever is not patched keeps its spelling.  All zero
 * is ready for use.  plan is for the current turn (ctx_plan_reset).
 */
#ifndef CTX_EDIT_RETEXT_H
#define CTX_EDIT_RETEXT_H

#include "edit/edit.h"

struct ctx_retext {
	struct ctx_plan plan;
	struct ctx_edit edit;
	int only_read;			/* set by the caller: texts are only
					   read, so patches do not go into the
					   plan */
	/* internal */
	struct ctx_patch patch;
	struct ctx_buf text, raw;
};

/* Patch a text, p[0 .. len), as wanted. */
typedef int ctx_retext_fn(const char *p, size_t len, struct ctx_patch *patch,
	    void *arg, struct ctx_err *err);

/*
 * Pass the decoded text of part i to fn and put its patches into the plan,
 * unless only_read is set.  Returns 0, or -1 with *err.
 */
int	ctx_retext_part(struct ctx_retext *t, const struct ctx_convo *c,
	    uint32_t i, ctx_retext_fn *fn, void *arg, struct ctx_err *err);

/*
 * Append the escaped contents of a string, raw[0 .. len), to out, with patches
 * of the decoded text whose own texts are not escaped.  Returns 0, or -1 with
 * *err.
 */
int	ctx_retext_apply(const struct ctx_patch *patch, const char *raw,
	    size_t len, struct ctx_buf *out, struct ctx_err *err);

/* Set t->edit to what to write for c after the plan.  0, or -1 with *err. */
int	ctx_retext_turn(struct ctx_retext *t, const struct ctx_convo *c,
	    struct ctx_err *err);

void	ctx_retext_done(struct ctx_retext *t);

#endif
