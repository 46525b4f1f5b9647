/* SPDX-License-Identifier: MIT */
/* Lines of a descriptor; see store-lines.h. */
#include "store-lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE	(256u << 10)

int
store_lines_open(struct store_lines *l, const char *file, struct ctx_err *err)
{
	l->lineno = 0;
	l->in.len = l->pos = 0;
	l->name = strcmp(file, "-") == 0 ? "standard input" : file;
	l->fd = STDIN_FILENO;
	if (l->name == file &&
	    (l->fd = open(file, O_RDONLY | O_CLOEXEC)) == -1)
		return ctx_fail_errno(err, errno, "%s", file);
	return 0;
}

void
store_lines_close(struct store_lines *l)
{
	if (l->fd > STDIN_FILENO)
		close(l->fd);
	l->fd = -1;
}

void
store_lines_done(struct store_lines *l)
{
	store_lines_close(l);
	ctx_buf_done(&l->in);
}

/* More input behind what is there.  1, 0 at its end, -1. */
static int
fill(struct store_lines *l, struct ctx_err *err)
{
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	ssize_t n;

	if (l->wait != NULL && poll(&p, 1, 0) == 0 &&
	    l->wait(l->arg, err) == -1)
		return -1;
	if (l->pos > 0) {
		memmove(l->in.data, l->in.data + l->pos, l->in.len - l->pos);
		l->in.len -= l->pos;
		l->pos = 0;
	}
	if (ctx_buf_reserve(&l->in, READ_SIZE) == -1)
		return ctx_fail_nomem(err);
	do
		n = read(l->fd, l->in.data + l->in.len,
		    l->in.cap - l->in.len);
	while (n == -1 && errno == EINTR);
	if (n == -1)
		return ctx_fail_errno(err, errno, "%s", l->name);
	l->in.len += (size_t)n;
	return n > 0;
}

int
store_lines_next(struct store_lines *l, const char **line, size_t *len,
    struct ctx_err *err)
{
	size_t seen = 0;	/* bytes without a line end */
	char *end = NULL;
	int rc = 1;

	for (;;) {
		if (l->in.len - l->pos > seen)
			end = memchr(l->in.data + l->pos + seen, '\n',
			    l->in.len - l->pos - seen);
		if (end != NULL || rc == 0)
			break;
		seen = l->in.len - l->pos;
		if (seen > STORE_LINE_MAX) {
			if (err != NULL)
				err->line = l->lineno + 1;
			return ctx_fail(err, CTX_EINPUT,
			    "a line is over %u bytes", STORE_LINE_MAX);
		}
		if ((rc = fill(l, err)) == -1)
			return -1;
	}
	*line = l->in.data + l->pos;
	*len = end != NULL ? (size_t)(end + 1 - *line) : l->in.len - l->pos;
	l->pos += *len;
	l->lineno++;
	return *len > 0;
}
