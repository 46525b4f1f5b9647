/* SPDX-License-Identifier: MIT */
/* What the two jobs of coderef.h have in common: for its sources alone. */
#ifndef CTX_SESSION_CODEREF_WALK_H
#define CTX_SESSION_CODEREF_WALK_H

#include "edit/retext.h"
#include "session/coderef.h"

/*
 * An element of a "code_blocks" that is an object with a text "code", and that
 * node.
 */
typedef int ctx_coderef_block_fn(const struct ctx_doc *doc, uint32_t block,
	    uint32_t code, void *arg, struct ctx_err *err);

/* The first member of both jobs' structs; arg is the job. */
struct ctx_coderef_walk {
	struct ctx_job job;
	struct ctx_coderef_opts opts;
	uint64_t count;
	int answers;			/* texts of the assistant alone */
	ctx_retext_fn *text, *arguments;
	ctx_coderef_block_fn *block;	/* also of the message itself */
	/* for these three */
	struct ctx_retext texts;
	struct ctx_doc doc, inner;
	struct ctx_patch *patch;	/* of the text in hand, NULL: a line */
	uint32_t rec;			/* of the line in hand */
	size_t size;			/* bytes of code in it, the job's */
};

/* Every text and block of a turn. */
int	ctx_coderef_walk(struct ctx_coderef_walk *w,
	    const struct ctx_convo *c, struct ctx_err *err);

/* The plan of the texts is made: give the turn. */
int	ctx_coderef_walk_give(struct ctx_coderef_walk *w,
	    const struct ctx_convo *c, struct ctx_err *err);

/*
 * Is p[0 .. len) a JSON object?  1 with w->inner scanned and patch set, 0, -1
 * out of memory.
 */
int	ctx_coderef_walk_object(struct ctx_coderef_walk *w, const char *p,
	    size_t len, struct ctx_patch *patch, struct ctx_err *err);

/* Every block of nodes [from .. to) of doc to w->block. */
int	ctx_coderef_walk_blocks(struct ctx_coderef_walk *w,
	    const struct ctx_doc *doc, uint32_t from, uint32_t to,
	    struct ctx_err *err);

/* Contents raw[0 .. len) for the string node, wherever it stands. */
int	ctx_coderef_walk_put(struct ctx_coderef_walk *w,
	    const struct ctx_doc *doc, uint32_t node, struct ctx_str raw,
	    struct ctx_err *err);

/* A row without more than a name. */
int	ctx_coderef_walk_tell(struct ctx_coderef_walk *w,
	    enum ctx_coderef_row what, struct ctx_str name,
	    struct ctx_err *err);

void	ctx_coderef_walk_done(struct ctx_coderef_walk *w);

#endif
