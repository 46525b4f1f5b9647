/* SPDX-License-Identifier: MIT */
/*
 * ctx-embed as a process: texts go in, vectors come out.  ctx-store itself is
 * not linked with anything that knows a network.
 */
#ifndef CTX_CMD_STORE_HELPER_H
#define CTX_CMD_STORE_HELPER_H

#include <stdio.h>
#include <sys/types.h>

#include "cmd/store/cmd.h"

#define HELPER_ARGS 24

/* All zero but s. */
struct helper {
	struct store *s;
	const char *url, *model;	/* as options said; NULL */
	const char *argv[HELPER_ARGS];	/* of the options, from argv[1] on */
	int argc;
	pid_t pid;			/* 0: it does not run */
	FILE *to, *from;
	int soft;			/* its failure is not the command's */
	char *line;			/* of an answer */
	size_t linecap;
	struct ctx_buf bytes;
};

/* Texts one after the other; those of length 0 are left out. */
struct helper_text {
	const char *p;
	size_t len;
};

/* Whom to ask, of a struct helper; the helper's own options, passed on. */
extern const struct cli_opt helper_opts[];

/* Has an option or a variable named an endpoint or a model? */
int	helper_wanted(const struct helper *h);

/* The model that vectors are kept under. */
const char *helper_model(const struct helper *h);

/*
 * The vectors of n texts, *dim numbers each, in *v, yours to free.  The first
 * call starts the helper.  -1: that has been said, and unless h->soft the exit
 * code of the command is set.
 */
int	helper_ask(struct helper *h, const struct helper_text *text, size_t n,
	    float **v, size_t *dim);

/* End it, if it runs. */
void	helper_done(struct helper *h);

#endif
