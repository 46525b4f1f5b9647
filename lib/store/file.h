/* SPDX-License-Identifier: MIT */
/*
 * Files of a thread: code that a model wrote, and uploads.  Every version is
 * kept; the newest one is current.
 */
#ifndef CTX_STORE_FILE_H
#define CTX_STORE_FILE_H

#include "base/buf.h"
#include "store/thread.h"

struct ctx_file {
	const char *kind;		/* "code" or "upload" */
	const char *name;		/* the code's id */
	int64_t version;		/* 0 for the newest or the next */
	/*
	 * Each may be NULL.  For an upload, lang is its type, "CSV", and descr
	 * its digest, one line for each language (enum ctx_wording).
	 */
	const char *lang, *descr, *mime;
	int64_t lines, chars, ts;	/* lines -1: not a text */
	const char *data;		/* NULL in lists, or if removed */
	size_t len;
};

/*
 * What is stored between the two calls is one transaction: all of it is on
 * disk when ctx_file_end returns 0, and nothing of it is stored unless ok is
 * set.  Other writers must wait until then, so do not wait for anything in
 * between.
 */
int	ctx_file_begin(struct ctx_store *st, struct ctx_err *err);
int	ctx_file_end(struct ctx_store *st, int ok, struct ctx_err *err);

/*
 * Store the next version, unless it equals the newest one.  chars are counted
 * here, as are lines unless they are -1. *version gets its number.
 */
int	ctx_file_put(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file *f, int64_t *version, struct ctx_err *err);

/*
 * Find the oldest version, from version from on, that equals f.  Returns 1
 * with *version set, 0 if there is none, or -1 (CTX_ENO: no such thread).
 */
int	ctx_file_same(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file *f, int64_t from, int64_t *version,
	    struct ctx_err *err);

/*
 * Make that version the newest: if the newest version differs, it is stored
 * again.  *version gets the number of the newest one.
 */
int	ctx_file_again(struct ctx_store *st, const struct ctx_where *w,
	    const char *kind, const char *name, int64_t *version,
	    struct ctx_err *err);

typedef int ctx_file_fn(const struct ctx_file *f, void *arg,
	    struct ctx_err *err);

/* The key to find a file by. */
struct ctx_file_key {
	const char *kind, *name;
	int64_t version;		/* 0 for the newest */
};

/*
 * Get one version with its contents; CTX_ENO if it does not exist or was
 * removed.
 */
int	ctx_file_get(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
	    struct ctx_err *err);

/*
 * Like ctx_file_get for the newest version, but while nobody can store another
 * one: of several processes that write it somewhere, the last to write then
 * writes the newest.  A version that was removed meanwhile is not returned.
 */
int	ctx_file_newest(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
	    struct ctx_err *err);

/*
 * For a key without a name, list the newest version of each file, in the order
 * in which the files were added; with a name, list all versions of that file
 * and ignore the key's version.
 */
int	ctx_file_list(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
	    struct ctx_err *err);

/* Remove a file with all its versions. */
int	ctx_file_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *kind, const char *name, struct ctx_err *err);

/*
 * Is name valid for a file?  It may have letters and digits and, after the
 * first character, . _ and -, at most 128 characters in all, so that it cannot
 * leave its folder.
 */
int	ctx_file_name_ok(const char *name);

#endif
