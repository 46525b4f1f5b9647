/* SPDX-License-Identifier: MIT */
/* Bytes to a descriptor in large writes; see out.h. */
#include "write/out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PENDING_MAX	(256u * 1024)
#define COPY_SIZE	(64u * 1024)
#define PIPE_SIZE	(1024 * 1024)	/* what Linux allows any user */

void
ctx_out_init(struct ctx_out *o, int fd, const char *name)
{
	memset(o, 0, sizeof(*o));
	o->fd = fd;
	o->name = name;
}

static void
forget(struct ctx_out *o)
{
	int i;

	for (i = 0; i < o->n; i++)
		ctx_block_drop(o->block[i]);
	o->n = 0;
	o->pending = 0;
	o->ncopy = 0;
}

void
ctx_out_done(struct ctx_out *o)
{
	forget(o);
	ctx_block_drop(o->copy);
	o->copy = NULL;
}

/*
 * Enlarge the pipe, so that its reader can work in parallel with us; a small
 * pipe makes both wait in turn.  This is done only when there is much to write,
 * so that a short run does not pay for it.  If it fails, nothing is lost.
 */
static void
widen_pipe(struct ctx_out *o)
{
#ifdef F_SETPIPE_SZ
	if (o->widened || o->bytes < PENDING_MAX)
		return;
	o->widened = 1;
	(void)fcntl(o->fd, F_SETPIPE_SZ, PIPE_SIZE);
#else
	(void)o;
#endif
}

int
ctx_out_flush(struct ctx_out *o, struct ctx_err *err)
{
	struct iovec *v = o->iov;
	int n = o->n;
	ssize_t w;

	/* it is unknown how much of it arrived */
	if (o->failed != 0)
		return ctx_fail_errno(err, o->failed, "%s", o->name);
	widen_pipe(o);
	while (n > 0) {
		if ((w = writev(o->fd, v, n)) == -1) {
			if (errno == EINTR)
				continue;
			o->failed = errno;
			o->gone = errno == EPIPE;
			return ctx_fail_errno(err, errno, "%s", o->name);
		}
		o->bytes += (uint64_t)w;
		while (n > 0 && (size_t)w >= v->iov_len) {
			w -= (ssize_t)v->iov_len;
			v++;
			n--;
		}
		if (n > 0) {
			v->iov_base = (char *)v->iov_base + w;
			v->iov_len -= (size_t)w;
		}
	}
	forget(o);
	return 0;
}

/* Queue bytes that stay in place until the flush. */
static int
queue(struct ctx_out *o, const char *p, size_t len, struct ctx_block *block,
    struct ctx_err *err)
{
	struct iovec *last = o->n > 0 ? &o->iov[o->n - 1] : NULL;

	o->pending += len;
	if (last != NULL && o->block[o->n - 1] == block &&
	    (const char *)last->iov_base + last->iov_len == p) {
		last->iov_len += len;
	} else {
		if (o->n == CTX_OUT_IOV && ctx_out_flush(o, err) == -1)
			return -1;
		o->iov[o->n].iov_base = (void *)(uintptr_t)p;
		o->iov[o->n].iov_len = len;
		o->block[o->n++] = block;
		ctx_block_hold(block);
	}
	return o->pending >= PENDING_MAX ? ctx_out_flush(o, err) : 0;
}

/* Queue a copy.  The block of copies is refilled after each flush. */
static int
queue_copy(struct ctx_out *o, const char *p, size_t len, struct ctx_err *err)
{
	size_t n;

	if (o->copy == NULL && (o->copy = ctx_block_new(COPY_SIZE)) == NULL)
		return ctx_fail_nomem(err);
	while (len > 0) {
		/*
		 * flush before queueing the copy, since a flush discards the
		 * copies
		 */
		if ((o->ncopy == COPY_SIZE || o->n == CTX_OUT_IOV) &&
		    ctx_out_flush(o, err) == -1)
			return -1;
		n = COPY_SIZE - o->ncopy < len ? COPY_SIZE - o->ncopy : len;
		memcpy(o->copy->data + o->ncopy, p, n);
		o->ncopy += n;
		p += n;
		len -= n;
		if (queue(o, o->copy->data + o->ncopy - n, n, o->copy,
		    err) == -1)
			return -1;
	}
	return 0;
}

static int
is_mark(const char *raw, size_t len)
{
	return len == 3 && memcmp(raw, "\xef\xbb\xbf", 3) == 0;
}

int
ctx_out_line(struct ctx_out *o, const char *raw, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	/* between lines, a mark would make the next one no JSON */
	if (len == 0 || (is_mark(raw, len) && (o->bytes > 0 || o->pending > 0)))
		return 0;
	if (o->open_line && queue_copy(o, "\n", 1, err) == -1)
		return -1;
	/* a byte order mark is a line of its own without a newline */
	o->open_line = raw[len - 1] != '\n' && !is_mark(raw, len);
	if (block == NULL)
		return queue_copy(o, raw, len, err);
	return queue(o, raw, len, block, err);
}
