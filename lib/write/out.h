/* SPDX-License-Identifier: MIT */
/*
 * Writes bytes to a descriptor in large writes.  Bytes in a reader's block are
 * written from there without copying.  A line without a newline gets one as
 * soon as another line follows.  A byte order mark is only written first.
 */
#ifndef CTX_WRITE_OUT_H
#define CTX_WRITE_OUT_H

#include <sys/uio.h>

#include "base/buf.h"
#include "read/line.h"

#define CTX_OUT_IOV	256

struct ctx_out {
	int fd;			/* not owned */
	const char *name;	/* for messages: "standard output" */
	struct iovec iov[CTX_OUT_IOV];
	struct ctx_block *block[CTX_OUT_IOV];
	int n;
	size_t pending;
	struct ctx_block *copy;	/* holds copied bytes until they are written */
	size_t ncopy;
	int widened;		/* the pipe was enlarged */
	int open_line;		/* the last line had no newline */
	int failed;		/* errno of a failed write: nothing more is
				   written */
	int gone;		/* the reader has gone (EPIPE) */
	uint64_t bytes;		/* written so far */
};

void	ctx_out_init(struct ctx_out *o, int fd, const char *name);
/* Discards what was not flushed. */
void	ctx_out_done(struct ctx_out *o);

/*
 * Write a whole line.  If block is given, raw is in it and it is held until
 * written; otherwise the bytes are copied.  Returns 0, or -1 with CTX_ESYSTEM
 * or CTX_ENOMEM.
 */
int	ctx_out_line(struct ctx_out *o, const char *raw, size_t len,
	    struct ctx_block *block, struct ctx_err *err) CTX_CHECKED;

int	ctx_out_flush(struct ctx_out *o, struct ctx_err *err) CTX_CHECKED;

#endif
