/* SPDX-License-Identifier: MIT */
/*
 * Lines of a descriptor.  All zero is standard input.
 */
#ifndef CTX_CMD_STORE_LINES_H
#define CTX_CMD_STORE_LINES_H

#include "base/buf.h"

/* SQLite takes values up to 10^9 bytes. */
#define STORE_LINE_MAX	999000000u

struct store_lines {
	const char *name;	/* for messages */
	int fd;
	uint64_t lineno;	/* of the line that came last */
	struct ctx_buf in;	/* read; from pos on not yet handed out */
	size_t pos;
	/* Called before a read that would wait, unless NULL; -1 ends it. */
	int (*wait)(void *arg, struct ctx_err *err);
	void *arg;
};

/* Begin with a file, "-" for standard input.  Keeps the memory. */
int	store_lines_open(struct store_lines *l, const char *file,
	    struct ctx_err *err);

/*
 * The next line with its line end, borrowed until the next call; the last one
 * may have none.  1, 0 at the end, -1: CTX_EINPUT if it is too long.
 */
int	store_lines_next(struct store_lines *l, const char **line,
	    size_t *len, struct ctx_err *err);

/* Close the file, keep the memory. */
void	store_lines_close(struct store_lines *l);
void	store_lines_done(struct store_lines *l);

#endif
