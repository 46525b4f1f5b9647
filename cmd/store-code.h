/* SPDX-License-Identifier: MIT */
/* What code put and code extract have in common. */
#ifndef CTX_CMD_STORE_CODE_H
#define CTX_CMD_STORE_CODE_H

#include "store-files.h"

#define STORE_DESCR_MAX	200	/* bytes of a description that we make */

/* lang, or "python" with a warning if it is not one of the known. */
const char *store_code_lang(struct store *s, const char *lang);

/*
 * A description for code of a known language that came without one: its first
 * comment, in out, or NULL.
 */
const char *store_code_title(const struct ctx_file *f, struct ctx_buf *out);

/* The line that says what was saved. */
void	store_code_saved(struct ctx_buf *b, const struct ctx_file *f,
	    int64_t version);

#endif
