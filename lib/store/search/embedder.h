/* SPDX-License-Identifier: MIT */
/*
 * Run ctx-embed, which turns texts into vectors, as a separate process, so
 * that programs that use the store are not linked with any network code.
 */
#ifndef CTX_STORE_SEARCH_EMBEDDER_H
#define CTX_STORE_SEARCH_EMBEDDER_H

#include <sys/types.h>

#include "read/line.h"
#include "read/span.h"
#include "store/search/vector.h"

/* Ready when all zero except the first two members. */
struct ctx_embedder {
	/*
	 * set by the caller; argv[0] is the program's name, NULL ends the list
	 */
	char *const *argv;
	const char *model;		/* that vectors are stored under */
	/* unless NULL, called now and then while an answer is awaited */
	void (*waiting)(void *arg);
	void *arg;

	/* why there was no answer: its exit code, or -1 if it was killed */
	int exit;
	/* private */
	pid_t pid;			/* 0 if it is not running */
	int to;
	struct ctx_reader from;
	struct ctx_buf bytes;
};

/*
 * Get the vectors of n texts, *dim numbers each, in *v, which the caller frees;
 * empty texts are left out.  The first call starts the program.  Returns -1
 * with *err set, or with *err clear if the program failed: it has printed the
 * reason itself, and e->exit is its code, or -1 if it was killed.
 */
int	ctx_embedder_ask(struct ctx_embedder *e, const struct ctx_str *text,
	    size_t n, float **v, size_t *dim, struct ctx_err *err);

/*
 * Get vectors, in batches, for all wanted messages that have none.  *done
 * counts them, also on failure.  want->model must be e's.  Returns -1 as above.
 */
int	ctx_embedder_all(struct ctx_embedder *e, struct ctx_store *st,
	    const struct ctx_vector_want *want, int64_t *done,
	    struct ctx_err *err);

/*
 * Run ctx_vector_rank for a question, whose vector is requested first: the
 * vector, its length and how's model are set from e.  Returns -1 as above, or
 * with CTX_ENO, before any request is made, if the store has no vectors of the
 * model.
 */
int	ctx_embedder_rank(struct ctx_embedder *e, struct ctx_store *st,
	    const char *question, struct ctx_vector_like *how,
	    struct ctx_rank *r, struct ctx_err *err);

/* End the process if it is running. */
void	ctx_embedder_done(struct ctx_embedder *e);

#endif
