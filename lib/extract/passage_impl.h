/* SPDX-License-Identifier: MIT */
/*
 * What the parts of passage.c share: passage.c cuts texts, passage_tool.c makes
 * passages of calls and results.
 *
 * Names: ctx_passage_.
 */
#ifndef CTX_EXTRACT_PASSAGE_IMPL_H
#define CTX_EXTRACT_PASSAGE_IMPL_H

#include "extract/passage.h"

/* All return 0, or -1 with CTX_ENOMEM. */
int	ctx_passage_add(struct ctx_passages *l, const char *text, size_t len,
	    enum ctx_talk_kind kind, struct ctx_err *err) CTX_CHECKED;
int	ctx_passage_deed(struct ctx_passages *l, const char *text, size_t len,
	    enum ctx_talk_kind kind, enum ctx_deed deed, struct ctx_err *err)
	    CTX_CHECKED;
/* s is the first of n; the result of the call is looked for in the rest. */
int	ctx_passage_call(struct ctx_passages *l, const struct ctx_talk *s,
	    size_t n, struct ctx_err *err) CTX_CHECKED;
int	ctx_passage_result(struct ctx_passages *l, const struct ctx_talk *s,
	    struct ctx_err *err) CTX_CHECKED;

/* The size of all text that will be made; it is reserved and never moves. */
size_t	ctx_passage_made(const struct ctx_talk *said, size_t n);

#endif
