/* SPDX-License-Identifier: MIT */
/*
 * Which texts of a conversation are the contents of files, and which of these
 * a model need not read again: results of tools that read, and arguments of
 * tools that write.
 */
#ifndef CTX_DECIDE_READS_H
#define CTX_DECIDE_READS_H

#include "base/strmap.h"
#include "view/convo.h"

struct ctx_reads_opts {
	const char *const *tool;	/* more names of tools that read */
	size_t ntool;
	const char *id_prefix;		/* of calls that read; NULL: none */
	int writes;			/* contents that were written too */
	uint64_t keep_recent;		/* the newest files stay whole */
	int keep_latest;		/* the latest read of each file too */
	int superseded;			/* only what was read or written again */
};

/* Contents of one file, or of several in one text. */
struct ctx_read {
	uint32_t part;		/* whose text it is */
	uint32_t node;		/* a write: the string in the arguments,
				   CTX_NONE if these are a string themselves */
	size_t first;		/* its paths: reads->path[first ...] */
	size_t npath;
	uint64_t from, to;	/* lines of the file; 0: from its start, end */
	int wrote;
	int goes;		/* the answer: a digest takes its place */
};

/* All zero is ready; memory is reused. */
struct ctx_reads {
	struct ctx_read *read;
	size_t n, cap;
	size_t *path;		/* numbers of paths; ctx_strmap_at */
	size_t npath, cappath;
	struct ctx_strmap paths;
	struct ctx_buf args;	/* working storage */
	struct ctx_doc doc;
	size_t *last;
	size_t caplast;
};

void	ctx_reads_done(struct ctx_reads *r);

/*
 * Find the reads of c, which has been paired, and say which go: those that an
 * assistant's message follows (the model has seen them), less what the options
 * keep.  Results that say that the tool failed are none.
 * Returns 0, or -1 out of memory.
 */
int	ctx_reads_find(struct ctx_reads *r, const struct ctx_convo *c,
	    const struct ctx_reads_opts *opts, struct ctx_err *err) CTX_CHECKED;

/*
 * Take line numbers as cat -n and its kind write them off text[0 .. len):
 * append the contents to out, *from and *to are the first and last number.
 * 1; 0 if the text has none; -1 out of memory.
 */
int	ctx_reads_unnumber(const char *text, size_t len, struct ctx_buf *out,
	    uint64_t *from, uint64_t *to);

#endif
