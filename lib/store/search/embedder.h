/* SPDX-License-Identifier: MIT */
/*
 * ctx-embed as a process, which makes vectors of texts: what uses the store is
 * not linked with anything that knows a network.
 */
#ifndef CTX_STORE_SEARCH_EMBEDDER_H
#define CTX_STORE_SEARCH_EMBEDDER_H

#include <sys/types.h>

#include "read/line.h"
#include "read/span.h"
#include "store/search/vector.h"

/* All zero but the first two is ready. */
struct ctx_embedder {
	/* set by the caller; argv[0] is the program's name, NULL ends it */
	char *const *argv;
	const char *model;		/* that vectors are kept under */

	/* why it gave no answer: its exit code, -1: it was killed */
	int exit;
	/* its own */
	pid_t pid;			/* 0: it does not run */
	int to;
	struct ctx_reader from;
	struct ctx_buf bytes;
};

/*
 * The vectors of n texts, *dim numbers each, in *v, yours to free; those of no
 * bytes are left out.  The first call starts the program.  -1 with *err, or
 * with *err clear if the program ended without an answer: it has said why
 * itself, and e->exit is its code.
 */
int	ctx_embedder_ask(struct ctx_embedder *e, const struct ctx_str *text,
	    size_t n, float **v, size_t *dim, struct ctx_err *err);

/*
 * Vectors for all messages that are wanted and have none, batch by batch; *done
 * counts them, also when that fails.  want->model is e's.  -1 as above.
 */
int	ctx_embedder_all(struct ctx_embedder *e, struct ctx_store *st,
	    const struct ctx_vector_want *want, uint64_t *done,
	    struct ctx_err *err);

/*
 * ctx_vector_rank for a question, which is asked for: the vector, its length
 * and the model of how are e's.  -1 as above, and with CTX_ENO before anybody
 * is asked if the store has no vectors of the model.
 */
int	ctx_embedder_rank(struct ctx_embedder *e, struct ctx_store *st,
	    const char *question, struct ctx_vector_like *how,
	    struct ctx_rank *r, struct ctx_err *err);

/* End it, if it runs. */
void	ctx_embedder_done(struct ctx_embedder *e);

#endif
