/* SPDX-License-Identifier: MIT */
/*
 * Texts of a turn, decoded, and patches of them that are put back into the
 * record's bytes: what no patch touches stays as it was spelled.  All zero is
 * ready; plan is for the turn in hand (ctx_plan_reset).
 */
#ifndef CTX_EDIT_RETEXT_H
#define CTX_EDIT_RETEXT_H

#include "edit/edit.h"

struct ctx_retext {
	struct ctx_plan plan;
	struct ctx_edit edit;
	int only_read;			/* set by the caller: patches of texts
					   are not for the plan */
	/* its own */
	struct ctx_patch patch;
	struct ctx_buf text, raw;
};

/* What a text, p[0 .. len), is to become: patches of it. */
typedef int ctx_retext_fn(const char *p, size_t len, struct ctx_patch *patch,
	    void *arg, struct ctx_err *err);

/*
 * Hand the text of part i, decoded, to fn; what fn asks for goes into the plan,
 * unless texts are only read.  0, or -1 with *err.
 */
int	ctx_retext_part(struct ctx_retext *t, const struct ctx_convo *c,
	    uint32_t i, ctx_retext_fn *fn, void *arg, struct ctx_err *err);

/*
 * Append string contents raw[0 .. len), escaped, to out with patches of the
 * decoded text, whose own texts are not escaped.  0, or -1 with *err.
 */
int	ctx_retext_apply(const struct ctx_patch *patch, const char *raw,
	    size_t len, struct ctx_buf *out, struct ctx_err *err);

/* The plan is made: t->edit is what to write for c.  0, or -1 with *err. */
int	ctx_retext_turn(struct ctx_retext *t, const struct ctx_convo *c,
	    struct ctx_err *err);

void	ctx_retext_done(struct ctx_retext *t);

#endif
