/* SPDX-License-Identifier: MIT */
/*
 * Lines read from a descriptor, borrowed from blocks that live as long as
 * somebody holds them.  A line includes its newline; concatenating the lines
 * gives the input back.  A byte order mark at the start is a line of its own.
 *
 * A reader of documents gives a JSON object or list that goes over several
 * lines, as pretty-printers write it, as one line, if the file begins with such
 * a one.
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

#include "base/buf.h"
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
	uint64_t more;			/* of a document: the lines after its
					   first */
	uint64_t item;			/* it is an element of a list in that
					   line: from 1, or 0 */
};

/* Is the line only white space, or a byte order mark? */
int	ctx_line_blank(const char *raw, size_t len);

struct ctx_reader {
	int fd;				/* not owned */
	struct ctx_block *cur;
	size_t pos, scanned, end;	/* offsets in cur->data */
	size_t size;			/* bytes of it that are used */
	uint64_t no;
	int eof;
	/* set by the caller: values may go over several lines */
	int documents;			/* 2: the file has begun with one */
	int extending;			/* it reads on in such a value */
	/* set by the caller, instead: what a read brings is a line */
	int pieces;
	/*
	 * Called before a read that may block: the place to flush output.
	 * After an error of it, the next call goes on with the same line.
	 */
	int (*before_read)(void *arg, struct ctx_err *err);
	void *arg;
};

void	ctx_reader_init(struct ctx_reader *r, int fd);
/*
 * Read text[0 .. len), which is copied, instead of a descriptor.  Returns 0, or
 * -1 with CTX_EINPUT for more than CTX_LINE_MAX bytes, or CTX_ENOMEM.
 */
int	ctx_reader_text(struct ctx_reader *r, const char *text, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_reader_done(struct ctx_reader *r);

/* Would a read need another block? */
int	ctx_reader_is_full(const struct ctx_reader *r);
/*
 * Let the reader go on in *block, or in a new one if that is NULL or of the
 * wrong size; nobody else may hold it.  *block is then the one in which the
 * lines so far are, with the reader's hold, or NULL.  Returns 0, or -1 if out
 * of memory.
 */
int	ctx_reader_swap(struct ctx_reader *r, struct ctx_block **block)
	    CTX_CHECKED;

/*
 * Where in the file byte off of a line is: *line, the number of its first line,
 * is increased, and *col is set, from 1.
 */
void	ctx_line_place(const char *raw, size_t off, uint64_t *line,
	    uint64_t *col);

/*
 * Append JSON that may be a document on one line: without its line ends and the
 * space that follows them.
 */
int	ctx_line_flat(struct ctx_buf *out, const char *json, size_t len);

/*
 * The next line, borrowed until the next call unless its block is held.
 * Returns: 1; 0 at the end; -1 with CTX_ESYSTEM (errno's text), CTX_ENOMEM, or
 *          CTX_EINPUT with err->line set for a line that is too long.
 */
int	ctx_reader_next(struct ctx_reader *r, struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

#endif
