/* SPDX-License-Identifier: MIT */
/*
 * Files that a thread was given: every version in the store, with what it is,
 * and a copy of the newest one in the folder "uploads" of the workspace.
 */
#ifndef CTX_SESSION_UPLOAD_H
#define CTX_SESSION_UPLOAD_H

#include "digest/digest_line.h"
#include "store/file.h"

#define CTX_UPLOAD_NAME_MAX	255	/* bytes: what file systems take */

/* Can it be the name of a file in a folder, and a text? */
int	ctx_upload_name_ok(const char *name);

/* All zero but the first three is ready. */
struct ctx_upload {
	struct ctx_store *st;
	struct ctx_where where;
	int store_only;			/* no copy in the workspace */

	/* the answer, good until the next call */
	struct ctx_file file;		/* what was kept */
	char *path;			/* of its copy, NULL: none */
	/* its own */
	struct ctx_digest digest;
	struct ctx_buf descr;
};

/* Keep data[0 .. len) as the next version of name.  0, or -1 with *err. */
int	ctx_upload_put(struct ctx_upload *u, const char *name,
	    const char *data, size_t len, struct ctx_err *err);

void	ctx_upload_done(struct ctx_upload *u);

/* The digest in a language, *len bytes inside f->descr; NULL: it has none. */
const char *ctx_upload_digest(const struct ctx_file *f,
	    enum ctx_digest_lang lang, size_t *len);

/* The path of its copy in a workspace; the caller frees.  NULL: no copy. */
char	*ctx_upload_path(const char *workspace, const char *name);

/* Remove an upload with all of its versions, and its copy. */
int	ctx_upload_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_err *err);

#endif
