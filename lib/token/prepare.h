/* SPDX-License-Identifier: MIT */
/* Turn foreign vocabulary files into tables (ctx-count --prepare). */
#ifndef CTX_TOKEN_PREPARE_H
#define CTX_TOKEN_PREPARE_H

#include "base/err.h"

/* What the file does not say; all zero: nothing is known. */
struct ctx_prepare_how {
	const char *name;	/* of the table; NULL: its file's or folder's */
	/*
	 * How the text of a rank file is split: r50k, cl100k, o200k, qwen,
	 * deepseek, kimi or a pattern in Oniguruma's language.
	 */
	const char *split;
};

/* Is the file at path already a table, or does it not exist? */
int	ctx_prepare_is_done(const char *path);

/*
 * Make the table file out from the file in, one of those in token/tok.h.  A
 * rank file does not say how text is split: it must be one of those that are
 * known by their hash, or the files beside it, or how, must say it.  how may be
 * NULL.
 *
 * Returns: 0, or -1 with CTX_EUSAGE (a split is given for another file),
 *          CTX_ESYSTEM (how a rank file is split is not known, or something in
 *          the file is unknown or wrong) or CTX_ENOMEM.
 */
int	ctx_prepare(const char *in, const char *out,
	    const struct ctx_prepare_how *how, struct ctx_err *err)
	    CTX_CHECKED;

#endif
