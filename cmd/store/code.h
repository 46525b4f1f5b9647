/* SPDX-License-Identifier: MIT */
/* What code put and code extract have in common. */
#ifndef CTX_CMD_STORE_CODE_H
#define CTX_CMD_STORE_CODE_H

#include "cmd/store/files.h"

#define STORE_DESCR_MAX	200	/* bytes of a description that we make */

/* lang, or "python" with a warning if it is not one of the known. */
const char *store_code_lang(struct store *s, const char *lang);

/*
 * A description for code of a known language that came without one: its first
 * comment, in out, or NULL.
 */
const char *store_code_title(const struct ctx_file *f, struct ctx_buf *out);

/* Where a file of it is written, too; neither: nowhere. */
struct store_code_place {
	const char *out;		/* in this folder */
	int workspace;			/* in the thread's workspace */
};
extern const struct cli_opt store_code_place_opts[];

/*
 * Write f, of a known language, as data/ID.ENDING: whole, or not at all.
 * *path, unless NULL, gets the path, which the caller frees.
 */
int	store_code_write(struct store *s, const struct store_code_place *place,
	    const struct ctx_file *f, char **path, struct ctx_err *err);

/* The line that says what was saved. */
void	store_code_saved(struct ctx_buf *b, const struct ctx_file *f,
	    int64_t version);

#endif
