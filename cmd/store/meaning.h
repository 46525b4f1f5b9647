/* SPDX-License-Identifier: MIT */
/*
 * Who makes vectors, by options and variables, and --method: whether messages
 * are found by words, by meaning, or by both.
 */
#ifndef CTX_CMD_STORE_MEANING_H
#define CTX_CMD_STORE_MEANING_H

#include "cmd/store/cmd.h"
#include "store/search/embedder.h"

#define MEANING_ARGS 24

enum meaning_method { METHOD_UNSET, METHOD_KEYWORD, METHOD_MEANING,
	METHOD_BOTH };

/* All zero but s. */
struct meaning {
	struct store *s;
	enum meaning_method method;
	const char *url, *model;	/* as options said; NULL */
	const char *argv[MEANING_ARGS];	/* of the options, from argv[1] on */
	int argc;
	struct ctx_embedder embedder;
};

/* Whom to ask, and with --method before it, of a struct meaning. */
extern const struct cli_opt meaning_opts[], meaning_method_opts[];

/*
 * Is there somebody to ask, by an option or a variable?  Then the embedder is
 * ready: 1; 0.
 */
int	meaning_ready(struct meaning *m);

/* What names somebody to ask. */
#define MEANING_HOW "--url or --ask-model, or set CTX_EMBED_URL " \
	"or CTX_EMBED_MODEL"

/*
 * The embedder ended without an answer and has said why: unless soft its exit
 * code is the command's.
 */
void	meaning_ended(struct meaning *m, int soft);

/*
 * What is most like the question, the best first, if meaning counts: in the
 * context of where, in all of its thread if context is 0, or with NULL in the
 * whole store.  Unless --method asks for it, meaning counts where it can: there
 * is an endpoint, it answers, and the store has vectors of its model.
 *
 * Returns: 1 and r; 0: words alone; -1: reported.
 */
int	meaning_rank(struct meaning *m, const char *question,
	    const struct ctx_where *where, int context, struct ctx_rank *r);

#endif
