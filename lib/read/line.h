/* SPDX-License-Identifier: MIT */
/*
 * Lines read from a descriptor, borrowed from blocks that live as long as
 * somebody holds them.  A line includes its newline; concatenating the lines
 * gives the input back.  A byte order mark at the start is a line of its own.
 *
 * Memory: one block (256 KiB, or twice the longest line) and those that are
 * held.  A line over CTX_LINE_MAX bytes is an error.
 *
 * Names: ctx_block_, ctx_reader_.
 */
#ifndef CTX_READ_LINE_H
#define CTX_READ_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx_block {
	size_t refs;
	size_t cap;
	char data[];
};

/* A new block of cap bytes, held once; NULL if out of memory. */
struct ctx_block *ctx_block_new(size_t cap) CTX_CHECKED;
/* The same, but it begins with a copy of p[0 .. len). */
struct ctx_block *ctx_block_dup(const char *p, size_t len) CTX_CHECKED;
void	ctx_block_hold(struct ctx_block *b);	/* b may be NULL */
void	ctx_block_drop(struct ctx_block *b);

struct ctx_line {
	const char *raw;
	size_t len;
	uint64_t no;			/* from 1 */
	struct ctx_block *block;	/* hold it to keep raw */
};

/* Is the line only white space, or a byte order mark? */
int	ctx_line_blank(const char *raw, size_t len);

struct ctx_reader {
	int fd;				/* not owned */
	struct ctx_block *cur;
	size_t pos, scanned, end;	/* offsets in cur->data */
	uint64_t no;
	int eof;
	/* called before a read that may block: the place to flush output */
	int (*before_read)(void *arg, struct ctx_err *err);
	void *arg;
};

void	ctx_reader_init(struct ctx_reader *r, int fd);
void	ctx_reader_done(struct ctx_reader *r);

/*
 * The next line, borrowed until the next call unless its block is held.
 * Returns: 1; 0 at the end; -1 with CTX_ESYSTEM (errno's text), CTX_ENOMEM, or
 *          CTX_EINPUT with err->line set for a line that is too long.
 */
int	ctx_reader_next(struct ctx_reader *r, struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

#endif
