/* SPDX-License-Identifier: MIT */
/*
 * Code of a thread and references to it, <code_ref>ID</code_ref>: one job keeps
 * the blocks of code in a stream's answers, another puts the code where
 * references are.  Both are for one thread of the machine.
 */
#ifndef CTX_SESSION_CODEREF_H
#define CTX_SESSION_CODEREF_H

#include "job/job.h"
#include "store/file.h"

/* Where a file of what is kept is written, too; neither: nowhere. */
struct ctx_coderef_place {
	const char *out;		/* in this folder */
	int workspace;			/* in the thread's workspace */
};

/* What the jobs tell; name is an id or a language as the stream has it. */
enum ctx_coderef_row {
	CTX_CODEREF_SAVED,	/* is on the disk: text has a line for each */
	CTX_CODEREF_LANGUAGE,	/* name is unknown: kept as python */
	CTX_CODEREF_NO_ID,	/* name is no id: the block is left */
	CTX_CODEREF_OPEN,	/* a fence without its end: left */
	CTX_CODEREF_MISSING	/* name is kept nowhere: left */
};

struct ctx_coderef_opts {
	struct ctx_store *st;
	struct ctx_where where;
	/* of ctx_coderef_keep_new alone: */
	int any;			/* fences of no known language too */
	int replace;			/* the stream leaves, with references */
	struct ctx_coderef_place place;
};

/*
 * Keeps the code of an assistant's messages: fenced blocks, and what stands in
 * members "code_blocks".  A stream may come again, with more at its end: blocks
 * that are kept already are those versions.  NULL with *err.
 */
struct ctx_job *ctx_coderef_keep_new(const struct ctx_coderef_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * What was taken so far goes to the disk, and is told.  To be called before
 * anybody is waited for: until then nobody else can write.  0, or -1 with *err.
 */
int	ctx_coderef_commit(struct ctx_job *j, struct ctx_err *err);

/* After the last file, instead: what came last is the newest version. */
int	ctx_coderef_end(struct ctx_job *j, struct ctx_err *err);

/* Puts code where references are.  NULL with *err. */
struct ctx_job *ctx_coderef_expand_new(const struct ctx_coderef_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

/* Blocks that were kept, or references that were expanded. */
uint64_t ctx_coderef_count(const struct ctx_job *j);

/*
 * Of code without a description its first comment, put into out: f->descr.
 * out has failed if there is no memory.
 */
void	ctx_coderef_describe(struct ctx_file *f, struct ctx_buf *out);

/*
 * Write the newest version of code as data/ID.ENDING into place, whole or not
 * at all.  *path, unless NULL, gets the path, which the caller frees; it stays
 * as it is if nothing is written.  0, or -1 with *err.
 */
int	ctx_coderef_write(const struct ctx_coderef_opts *o, const char *id,
	    char **path, struct ctx_err *err);

/* The line that says what was saved, and in which file unless path is NULL. */
void	ctx_coderef_saved(struct ctx_buf *row, const struct ctx_file *f,
	    int64_t version, const char *path);

#endif
