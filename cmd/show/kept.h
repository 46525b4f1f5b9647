/* SPDX-License-Identifier: MIT */
/*
 * ctx-show --kept: the history is held until the other one, which a filter made
 * of it, has been read, so that each message is shown with what became of it.
 *
 * Names: show_kept_, struct show_kept.
 */
#ifndef CTX_CMD_SHOW_KEPT_H
#define CTX_CMD_SHOW_KEPT_H

#include "cli.h"
#include "compare/match.h"
#include "show/reel.h"

struct show_kept {
	const char *file;	/* --kept, or NULL */
	char **files;		/* the history's, and that */
	int left;		/* of the history's, to be read */
	struct ctx_matching match;
	struct ctx_reel reel;
};

/* Make the file the last operand. */
void	show_kept_open(struct show_kept *k, struct cli *c);

/* Take the next message of all, or the end of a file.  0, or -1 with *err. */
int	show_kept_take(struct show_kept *k, const struct ctx_shown *m,
	    struct ctx_err *err) CTX_CHECKED;
void	show_kept_file_end(struct show_kept *k);

/* Pass on the messages of the history.  Returns 0, or -1 with *err. */
int	show_kept_play(struct show_kept *k, ctx_shown_fn *fn, void *arg,
	    struct ctx_err *err) CTX_CHECKED;

void	show_kept_done(struct show_kept *k);

#endif
