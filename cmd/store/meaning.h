/* SPDX-License-Identifier: MIT */
/*
 * Which endpoint makes vectors, by options and variables, and --method:
 * whether messages are found by words, by meaning, or by both.
 */
#ifndef CTX_CMD_STORE_MEANING_H
#define CTX_CMD_STORE_MEANING_H

#include "cmd/store/cmd.h"
#include "store/search/embedder.h"
#include "store/search/search.h"

#define MEANING_ARGS 24

enum meaning_method { METHOD_UNSET, METHOD_KEYWORD, METHOD_MEANING,
	METHOD_BOTH };

/* All zero except s. */
struct meaning {
	struct store *s;
	enum meaning_method method;
	const char *url, *model;	/* from options, or NULL */
	const char *argv[MEANING_ARGS];	/* the options, from argv[1] on */
	int argc;
	int no_redact;
	struct ctx_embedder embedder;
};

/*
 * The options for the endpoint, and the same preceded by --method, for a
 * struct meaning.
 */
extern const struct cli_opt meaning_opts[], meaning_method_opts[];

/*
 * Has an option or a variable named an endpoint?  If so, set up the embedder
 * and return 1; otherwise return 0.
 */
int	meaning_ready(struct meaning *m);

/* How to name an endpoint, for messages. */
#define MEANING_HOW "--url or --ask-model, or set CTX_EMBED_URL " \
	"or CTX_EMBED_MODEL"

/*
 * The embedder ended without an answer and has reported why: its exit code
 * becomes the command's unless soft is set.
 */
void	meaning_ended(struct meaning *m, int soft);

/*
 * If meaning is used, find what is most similar to the question, the best
 * first, in what like says (its other
 * members are set here; if max is 0, too).  Unless --method
 * asks for it, meaning is used only if it is possible: an endpoint is named, it
 * answers, and the store has vectors of its model.
 *
 * Returns: 1 with r filled in, 0 if only words are to be used, or -1 after
 *          reporting an error.
 */
int	meaning_rank(struct meaning *m, const char *question,
	    struct ctx_vector_like *like, struct ctx_rank *r);

#endif
