/* SPDX-License-Identifier: MIT */
/*
 * Code of a thread and references to it, <code_ref>ID</code_ref>. One job
 * stores the blocks of code in a stream's answers, another replaces references
 * with the code.  Both belong to one thread of execution.
 */
#ifndef CTX_SESSION_CODEREF_H
#define CTX_SESSION_CODEREF_H

#include "job/job.h"
#include "store/file.h"

/* Where to write stored code to a file as well; if neither is set, nowhere. */
struct ctx_coderef_place {
	const char *out;		/* in this folder */
	int workspace;			/* in the workspace of the ctx thread */
};

/* What the jobs report; name is an id or a language as the stream has it. */
enum ctx_coderef_row {
	CTX_CODEREF_SAVED,	/* on disk; text has a line for each */
	CTX_CODEREF_LANGUAGE,	/* name is unknown: stored as python */
	CTX_CODEREF_NO_ID,	/* name is not an id: block unchanged */
	CTX_CODEREF_OPEN,	/* a fence without an end: unchanged */
	CTX_CODEREF_MISSING	/* no code called name: unchanged */
};

struct ctx_coderef_opts {
	struct ctx_store *st;
	struct ctx_where where;
	/* For ctx_coderef_keep_new only: */
	int any;			/* fences of unknown languages too */
	int replace;			/* output the stream, with references */
	struct ctx_coderef_place place;
};

/*
 * Create a job that stores the code in an assistant's messages: fenced blocks,
 * and the contents of members "code_blocks".  The same stream may be read
 * again, with more at its end: blocks that are already stored keep their
 * versions.  NULL with *err set on failure.
 */
struct ctx_job *ctx_coderef_keep_new(const struct ctx_coderef_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * For a job that stores code: write what was read so far to disk and report
 * it.  Call this before waiting for anything: until then other writers must
 * wait.  Returns 0, or -1 with *err set.
 */
int	ctx_coderef_commit(struct ctx_job *j, struct ctx_err *err);

/*
 * Like ctx_coderef_commit, after the last file: what came last becomes the
 * newest version.
 */
int	ctx_coderef_end(struct ctx_job *j, struct ctx_err *err);

/*
 * Create a job that replaces references with code.  NULL with *err set on
 * failure.
 */
struct ctx_job *ctx_coderef_expand_new(const struct ctx_coderef_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

/* Number of blocks stored, or of references replaced. */
uint64_t ctx_coderef_count(const struct ctx_job *j);

/*
 * If the code has no description, use its first comment, which is copied to
 * out: f->descr.  If memory is short, out has failed.
 */
void	ctx_coderef_describe(struct ctx_file *f, struct ctx_buf *out);

/*
 * Write the newest version of code to the place as data/ID.EXTENSION; it is
 * written completely or not at all.  If path is not NULL, *path gets the path,
 * which the caller frees; it is unchanged if nothing is written.  Returns 0,
 * or -1 with *err set.
 */
int	ctx_coderef_write(const struct ctx_coderef_opts *o, const char *id,
	    char **path, struct ctx_err *err);

/*
 * Append the line that says what was saved, and in which file unless path is
 * NULL.
 */
void	ctx_coderef_saved(struct ctx_buf *row, const struct ctx_file *f,
	    int64_t version, const char *path);

#endif
