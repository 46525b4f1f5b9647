/* SPDX-License-Identifier: MIT */
/* Waiting bytes; see spill.h. */
#include "write/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_AHEAD	(256u * 1024)
#define MORE_MAX	(64u * 1024)	/* an item is read in one piece */

static size_t
limit(const struct ctx_spill *s)
{
	return s->max != 0 ? s->max : CTX_SPILL_MAX;
}

static const char *
folder(void)
{
	const char *dir = getenv("TMPDIR");

	return dir != NULL && *dir != '\0' ? dir : "/tmp";
}

static int
fail(struct ctx_err *err)
{
	return ctx_fail_errno(err, errno,
	    "cannot create a temporary file in %.150s",
	    folder());
}

/*
 * A file that never has a name; -1 if there is none.  The sandbox lets it pass.
 */
static int
open_unnamed(void)
{
#ifdef O_TMPFILE
	return open(folder(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#else
	return -1;
#endif
}

const char *
ctx_spill_unnamed(void)
{
	int fd = open_unnamed();

	if (fd == -1)
		return NULL;
	close(fd);
	return folder();
}

/* Open an unlinked file, which nobody else sees and which vanishes with us. */
static int
open_file(struct ctx_err *err)
{
	struct ctx_buf name = { 0 };
	sigset_t all, was;
	int fd = open_unnamed(), saved;

	if (fd != -1)
		return fd;
	ctx_buf_addf(&name, "%s/ctx.XXXXXX", folder());
	if (ctx_buf_str(&name) == NULL)
		return ctx_fail_nomem(err);
	/* a signal between the two calls would leave the file in place */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &was);
	if ((fd = mkstemp(name.data)) != -1)
		unlink(name.data);
	saved = errno;
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	errno = saved;
	ctx_buf_done(&name);
	if (fd == -1)
		return fail(err);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static int
write_at(int fd, const char *p, size_t len, uint64_t off, struct ctx_err *err)
{
	ssize_t n;

	for (; len > 0; p += n, len -= (size_t)n, off += (uint64_t)n)
		if ((n = pwrite(fd, p, len, (off_t)off)) == -1) {
			if (errno != EINTR)
				return fail(err);
			n = 0;
		}
	return 0;
}

static int
read_at(int fd, char *p, size_t len, uint64_t off, struct ctx_err *err)
{
	ssize_t n;

	for (; len > 0; p += n, len -= (size_t)n, off += (uint64_t)n) {
		n = pread(fd, p, len, (off_t)off);
		if (n == 0)
			return ctx_fail(err, CTX_ESYSTEM,
			    "the temporary file in %.150s is cut off",
			    folder());
		if (n == -1) {
			if (errno != EINTR)
				return fail(err);
			n = 0;
		}
	}
	return 0;
}

static void
close_file(struct ctx_spill *s)
{
	if (s->fd != 0)
		close(s->fd - 1);
	s->fd = 0;
	s->base = 0;
	s->seen.len = 0;
}

void
ctx_spill_done(struct ctx_spill *s)
{
	size_t max = s->max;

	close_file(s);
	ctx_buf_done(&s->tail);
	ctx_buf_done(&s->seen);
	memset(s, 0, sizeof(*s));
	s->max = max;
}

/* Append bytes to the file. */
static int
put_in_file(struct ctx_spill *s, const char *p, size_t len,
    struct ctx_err *err)
{
	int fd;

	if (s->fd == 0) {
		if ((fd = open_file(err)) == -1)
			return -1;
		s->fd = fd + 1;
	}
	if (write_at(s->fd - 1, p, len, s->base, err) == -1)
		return -1;
	s->base += len;
	return 0;
}

/* Move the tail into the file. */
static int
flush(struct ctx_spill *s, struct ctx_err *err)
{
	if (s->tail.len == 0)
		return 0;
	if (put_in_file(s, s->tail.data, s->tail.len, err) == -1)
		return -1;
	ctx_buf_reset(&s->tail);
	return 0;
}

/* Nothing is in the file: compact the waiting bytes in memory. */
static void
pack_tail(struct ctx_spill *s)
{
	struct ctx_spilled *item;
	size_t n = 0;

	for (item = s->first; item != NULL; item = item->next) {
		memmove(s->tail.data + n, s->tail.data + item->off, item->len);
		item->off = n;
		n += item->len;
	}
	s->tail.len = n;
}

/* Compact the waiting bytes into another file, or into memory if few. */
static int
pack_file(struct ctx_spill *s, struct ctx_err *err)
{
	struct ctx_spill new = { .max = s->max };
	struct ctx_spilled *item, *last = s->last;
	const char *p;

	/* change offsets only after everything is copied, in case that fails */
	for (item = s->first; item != NULL; item = item->next)
		if ((p = ctx_spill_get(s, item, err)) == NULL ||
		    (new.tail.len + item->len > limit(s) &&
		    flush(&new, err) == -1))
			goto fail;
		else if (ctx_buf_add(&new.tail, p, item->len) == -1) {
			ctx_fail_nomem(err);
			goto fail;
		}
	new.first = s->first;
	new.last = last;
	new.live = s->live;
	s->first = s->last = NULL;
	ctx_spill_done(s);
	*s = new;
	for (item = s->first, new.base = 0; item != NULL; item = item->next) {
		item->off = new.base;
		new.base += item->len;
	}
	return 0;
fail:
	ctx_spill_done(&new);
	return -1;
}

/* Make room for len bytes after the tail, or leave the tail empty. */
static int
make_room(struct ctx_spill *s, size_t len, struct ctx_err *err)
{
	uint64_t all = s->base + s->tail.len;

	if (s->tail.len + len <= limit(s))
		return 0;
	if (s->fd == 0 && s->live <= s->tail.len / 2)
		pack_tail(s);
	else if (s->fd != 0 && all > 2 * s->live + 2 * limit(s))
		return pack_file(s, err);
	return s->tail.len + len <= limit(s) ? 0 : flush(s, err);
}

/* Append bytes after all others. */
static int
append(struct ctx_spill *s, const char *p, size_t len, struct ctx_err *err)
{
	if (make_room(s, len, err) == -1)
		return -1;
	if (len <= limit(s)) {
		if (ctx_buf_add(&s->tail, p, len) == -1)
			return ctx_fail_nomem(err);
		return 0;
	}
	/* too many for memory: write them directly to the file */
	return flush(s, err) == -1 ? -1 : put_in_file(s, p, len, err);
}

int
ctx_spill_add(struct ctx_spill *s, struct ctx_spilled *item, const char *p,
    size_t len, struct ctx_err *err)
{
	if (append(s, p, len, err) == -1)
		return -1;
	item->off = s->base + s->tail.len - len;
	item->len = len;
	item->prev = s->last;
	item->next = NULL;
	if (s->last != NULL)
		s->last->next = item;
	else
		s->first = item;
	s->last = item;
	s->live += len;
	return 0;
}

int
ctx_spill_more(struct ctx_spill *s, struct ctx_spilled *item, const char *p,
    size_t len, struct ctx_err *err)
{
	if (item != s->last || item->len + len > MORE_MAX ||
	    item->off + item->len != s->base + s->tail.len)
		return 0;
	if (append(s, p, len, err) == -1)
		return -1;
	item->len += len;
	s->live += len;
	return 1;
}

const char *
ctx_spill_get(struct ctx_spill *s, const struct ctx_spilled *item,
    struct ctx_err *err)
{
	uint64_t seen_end = s->seen_off + s->seen.len;
	size_t in_file, ahead;

	if (item->off >= s->base)
		return s->tail.data + (item->off - s->base);
	if (item->off >= s->seen_off &&
	    item->off + item->len <= seen_end)
		return s->seen.data + (item->off - s->seen_off);
	/* the end of an item that grew may still be in memory */
	in_file = item->off + item->len <= s->base ? item->len :
	    (size_t)(s->base - item->off);
	/* when items are read in sequence, read further ahead each time */
	s->ahead = item->off >= s->seen_off &&
	    item->off < seen_end + READ_AHEAD ? 2 * s->ahead + 4096 : 0;
	if (s->ahead > READ_AHEAD)
		s->ahead = READ_AHEAD;
	ahead = in_file < s->ahead ? s->ahead : in_file;
	if (ahead > s->base - item->off)
		ahead = (size_t)(s->base - item->off);
	ctx_buf_reset(&s->seen);
	if (ctx_buf_reserve(&s->seen, ahead + item->len - in_file) == -1) {
		ctx_fail_nomem(err);
		return NULL;
	}
	if (read_at(s->fd - 1, s->seen.data, ahead, item->off, err) == -1)
		return NULL;
	s->seen_off = item->off;
	s->seen.len = ahead;
	if (in_file < item->len)
		ctx_buf_add(&s->seen, s->tail.data, item->len - in_file);
	return s->seen.data;
}

void
ctx_spill_drop(struct ctx_spill *s, struct ctx_spilled *item)
{
	if (item->prev != NULL)
		item->prev->next = item->next;
	else
		s->first = item->next;
	if (item->next != NULL)
		item->next->prev = item->prev;
	else
		s->last = item->prev;
	s->live -= item->len;
}
