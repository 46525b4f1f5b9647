/* SPDX-License-Identifier: MIT */
/*
 * Files that were given to a thread: every version is stored, with a
 * description, and the newest one is copied to the folder "uploads" of the
 * workspace.
 */
#ifndef CTX_SESSION_UPLOAD_H
#define CTX_SESSION_UPLOAD_H

#include "digest/digest_line.h"
#include "store/file.h"

#define CTX_UPLOAD_NAME_MAX	255	/* bytes; file systems' limit */

/* Is name valid as a file name, and is it text? */
int	ctx_upload_name_ok(const char *name);

/* Ready when all zero except the first three members. */
struct ctx_upload {
	struct ctx_store *st;
	struct ctx_where where;
	int store_only;			/* no copy in the workspace */

	/* results, valid until the next call */
	struct ctx_file file;		/* what was stored */
	char *path;			/* of its copy, or NULL */
	/* private */
	struct ctx_digest digest;
	struct ctx_buf descr;
};

/*
 * Store data[0 .. len) as the next version of name.  Returns 0, or -1 with
 * *err set.
 */
int	ctx_upload_put(struct ctx_upload *u, const char *name,
	    const char *data, size_t len, struct ctx_err *err);

void	ctx_upload_done(struct ctx_upload *u);

/* The digest in a language, *len bytes inside f->descr; NULL if it has none. */
const char *ctx_upload_digest(const struct ctx_file *f,
	    enum ctx_wording lang, size_t *len);

/*
 * The path of its copy in a workspace, which the caller frees; NULL if there
 * is no copy.
 */
char	*ctx_upload_path(const char *workspace, const char *name);

/* Remove an upload with all its versions, and its copy. */
int	ctx_upload_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_err *err);

#endif
