/* SPDX-License-Identifier: MIT */
/* What the two jobs of coderef.h have in common; only for their sources. */
#ifndef CTX_SESSION_CODEREF_WALK_H
#define CTX_SESSION_CODEREF_WALK_H

#include "edit/retext.h"
#include "session/coderef.h"

/*
 * Called with an element of "code_blocks" that is an object with a string
 * "code", and that string's node.
 */
typedef int ctx_coderef_block_fn(const struct ctx_doc *doc, uint32_t block,
	    uint32_t code, void *arg, struct ctx_err *err);

/* The first member of both jobs' structs; arg is the job. */
struct ctx_coderef_walk {
	struct ctx_job job;
	struct ctx_coderef_opts opts;
	uint64_t count;
	int answers;			/* only texts of the assistant */
	ctx_retext_fn *text, *arguments;
	ctx_coderef_block_fn *block;	/* also for the message itself */
	/* private to the walk: */
	struct ctx_retext texts;
	struct ctx_doc doc, inner;
	struct ctx_patch *patch;	/* of the text; NULL: of the line */
	uint32_t rec;			/* the number of the current line */
	size_t size;			/* bytes of code in it, by the job */
};

/* Visit every text and block of a turn. */
int	ctx_coderef_walk(struct ctx_coderef_walk *w,
	    const struct ctx_convo *c, struct ctx_err *err);

/* After the plan of the texts is complete: output the turn. */
int	ctx_coderef_walk_give(struct ctx_coderef_walk *w,
	    const struct ctx_convo *c, struct ctx_err *err);

/*
 * Is p[0 .. len) a JSON object?  Returns 1 with w->inner scanned and patch
 * set, 0, or -1 if out of memory.
 */
int	ctx_coderef_walk_object(struct ctx_coderef_walk *w, const char *p,
	    size_t len, struct ctx_patch *patch, struct ctx_err *err);

/* Pass every block among nodes [from .. to) of doc to w->block. */
int	ctx_coderef_walk_blocks(struct ctx_coderef_walk *w,
	    const struct ctx_doc *doc, uint32_t from, uint32_t to,
	    struct ctx_err *err);

/* Replace the contents of the string node with raw[0 .. len), at any depth. */
int	ctx_coderef_walk_put(struct ctx_coderef_walk *w,
	    const struct ctx_doc *doc, uint32_t node, struct ctx_str raw,
	    struct ctx_err *err);

/* Report a row that has only a name. */
int	ctx_coderef_walk_tell(struct ctx_coderef_walk *w,
	    enum ctx_coderef_row what, struct ctx_str name,
	    struct ctx_err *err);

void	ctx_coderef_walk_done(struct ctx_coderef_walk *w);

#endif
