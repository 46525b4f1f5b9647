/* SPDX-License-Identifier: MIT */
/*
 * Files of a thread: code that a model made, and uploads.  Every version is
 * kept; the newest one counts.
 */
#ifndef CTX_STORE_FILE_H
#define CTX_STORE_FILE_H

#include "base/buf.h"
#include "store/thread.h"

struct ctx_file {
	const char *kind;		/* "code" or "upload" */
	const char *name;		/* the code's id */
	int64_t version;		/* 0: the newest, or the next */
	/*
	 * NULL: none.  Of an upload, lang is what it is, "CSV", and descr its
	 * digest, a line a language (enum ctx_digest_lang).
	 */
	const char *lang, *descr, *mime;
	int64_t lines, chars, ts;	/* lines -1: it is no text */
	const char *data;		/* NULL when listed, or removed */
	size_t len;
};

/*
 * What is stored between the two is one transaction: all on the disk when
 * ctx_file_end returned 0, nothing without ok.  Nobody else can write until
 * then, so wait for nobody in between.
 */
int	ctx_file_begin(struct ctx_store *st, struct ctx_err *err);
int	ctx_file_end(struct ctx_store *st, int ok, struct ctx_err *err);

/*
 * Store the next version; equal to the newest one, it is not stored again.
 * chars are counted here, and lines unless they are -1.  *version gets its
 * number.
 */
int	ctx_file_put(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file *f, int64_t *version, struct ctx_err *err);

/*
 * The oldest version that equals f, not before version from.  1 and *version,
 * 0 if there is none, -1 (CTX_ENO: no such thread).
 */
int	ctx_file_same(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file *f, int64_t from, int64_t *version,
	    struct ctx_err *err);

/*
 * Make that version the newest: if one that differs is, it is stored again.
 * *version gets the number of the newest one.
 */
int	ctx_file_again(struct ctx_store *st, const struct ctx_where *w,
	    const char *kind, const char *name, int64_t *version,
	    struct ctx_err *err);

typedef int ctx_file_fn(const struct ctx_file *f, void *arg,
	    struct ctx_err *err);

/* What a file is found by. */
struct ctx_file_key {
	const char *kind, *name;
	int64_t version;		/* 0: the newest */
};

/* One version with its contents; CTX_ENO if there is none, or removed. */
int	ctx_file_get(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
	    struct ctx_err *err);

/*
 * The same while nobody can store another version, so that of several processes
 * the last to write the newest one somewhere has it, too.  One that was removed
 * meanwhile is not handed over.
 */
int	ctx_file_newest(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
	    struct ctx_err *err);

/*
 * Of a key without a name the newest version of each file, in the order in
 * which they came; with one all versions of that file, whatever its version.
 */
int	ctx_file_list(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_file_key *key, ctx_file_fn *fn, void *arg,
	    struct ctx_err *err);

/* Remove a file with all of its versions. */
int	ctx_file_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *kind, const char *name, struct ctx_err *err);

/* The ending of a language's files, "py"; NULL if it is unknown. */
const char *ctx_file_ending(const char *lang);

/*
 * May name be a file's name?  Letters, digits, and . _ - after the first
 * character, at most 128: it cannot leave its folder.
 */
int	ctx_file_name_ok(const char *name);

#endif
