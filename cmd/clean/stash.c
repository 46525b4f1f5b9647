/* SPDX-License-Identifier: MIT */
/* The index of kept texts; see stash.h. */
#include "clean/stash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

#define KEY	64		/* digits of a hash */
#define CHUNK	(1u << 20)	/* bytes that are read at once */

static int
fail(const struct clean_stash *s, struct ctx_err *err)
{
	return ctx_fail_errno(err, errno, "%.200s", s->path.data);
}

/* Two texts have one key, so that nobody could tell which one was there. */
static int
mixed(const struct clean_stash *s, struct ctx_str id, struct ctx_err *err)
{
	char text[64];

	ctx_err_quote(text, sizeof(text), id.p != NULL ? id.p : "", id.len);
	return ctx_fail(err, CTX_ESYSTEM, "%.120s has another text for the "
	    "same place%s%.40s; keep the texts of each log in a folder of its "
	    "own", s->path.data, id.len > 0 ? ", call " : "", text);
}

/* --- reading ------------------------------------------------------------- */

/* The length of the name that a line has after its key; 0 if it is damaged. */
static size_t
name_len(const char *line, size_t len)
{
	const char *end;
	size_t n;

	if (len < KEY + 1 + KEY + 1 || line[KEY] != ' ')
		return 0;
	/* the write of a line may have been cut short in the name */
	if ((end = memchr(line + KEY + 1, ' ', len - KEY - 1)) == NULL)
		return 0;
	n = (size_t)(end - line) - KEY - 1;
	return n == KEY || (n == KEY + 5 && memcmp(end - 5, ".json", 5) == 0) ?
	    n : 0;
}

static int
take_line(struct clean_stash *s, const char *line, size_t len,
    struct ctx_err *err)
{
	size_t n = name_len(line, len), had = s->keys.n, i;
	char *name;

	if (n == 0)
		return 0;
	i = ctx_strmap_add(&s->keys, line, KEY);
	if (i == CTX_STRMAP_FULL || CTX_ROOM(s->name, i, &s->capname) == -1)
		return ctx_fail_nomem(err);
	name = s->name[i];
	if (i == had) {
		memcpy(name, line + KEY + 1, n);
		name[n] = '\0';
	} else if (strlen(name) != n || memcmp(name, line + KEY + 1, n) != 0)
		name[0] = '\0';
	return 0;
}

static int
take_lines(struct clean_stash *s, struct ctx_err *err)
{
	struct ctx_buf *b = &s->rest;
	size_t at = 0, n;
	const char *nl;

	while (at < b->len && (nl = memchr(b->data + at, '\n', b->len -
	    at)) != NULL) {
		n = (size_t)(nl - b->data) - at;
		if (take_line(s, b->data + at, n, err) == -1)
			return -1;
		at += n + 1;
	}
	if (at > 0) {
		memmove(b->data, b->data + at, b->len - at);
		b->len -= at;
	}
	return 0;
}

/* Read what was added since, by this process or another. */
static int
read_on(struct clean_stash *s, struct ctx_err *err)
{
	ssize_t n;

	do {
		if (ctx_buf_reserve(&s->rest, CHUNK) == -1)
			return ctx_fail_nomem(err);
		do
			n = pread(s->fd, s->rest.data + s->rest.len, CHUNK,
			    (off_t)s->taken);
		while (n == -1 && errno == EINTR);
		if (n == -1)
			return fail(s, err);
		s->taken += (uint64_t)n;
		s->rest.len += (size_t)n;
		if (take_lines(s, err) == -1)
			return -1;
	} while (n > 0);
	return 0;
}

int
clean_stash_find(struct clean_stash *s, const char *key,
    char name[CTX_ORIGIN_NAME], struct ctx_err *err)
{
	size_t i = ctx_strmap_find(&s->keys, key, KEY);

	if (i == CTX_STRMAP_FULL)
		return 0;
	if (s->name[i][0] == '\0')
		return mixed(s, (struct ctx_str){ NULL, 0 }, err);
	memcpy(name, s->name[i], CTX_ORIGIN_NAME);
	return 1;
}

/* --- adding -------------------------------------------------------------- */

int
clean_stash_add(struct clean_stash *s, struct ctx_str key, struct ctx_str rest,
    struct ctx_err *err)
{
	const char *end = memchr(rest.p, ' ', rest.len);
	size_t n = (size_t)(end - rest.p);
	char name[CTX_ORIGIN_NAME];
	struct ctx_buf line = { 0 };
	int rc;

	if (read_on(s, err) == -1 ||
	    (rc = clean_stash_find(s, key.p, name, err)) == -1)
		return -1;
	if (rc == 1)
		return strlen(name) == n && memcmp(name, rest.p, n) == 0 ? 0 :
		    mixed(s, (struct ctx_str){ end + 1,
		    rest.len - (uint32_t)n - 1 }, err);
	/* after a line that was cut short */
	ctx_buf_adds(&line, s->rest.len > 0 ? "\n" : "");
	ctx_buf_add(&line, key.p, key.len);
	ctx_buf_addc(&line, ' ');
	ctx_buf_add(&line, rest.p, rest.len);
	if (ctx_buf_addc(&line, '\n') == -1)
		rc = ctx_fail_nomem(err);
	else if (ctx_fd_write(s->fd, line.data, line.len) == -1 ||
	    (s->sync && fsync(s->fd) == -1))
		rc = fail(s, err);
	ctx_buf_done(&line);
	return rc;
}

/* --- opening ------------------------------------------------------------- */

void
clean_stash_open(struct clean_stash *s, const char *dir, int write,
    struct cli *c)
{
	struct ctx_err err = { 0 };

	s->dir = dir;
	ctx_buf_addf(&s->path, "%s/index", dir);
	if (ctx_buf_str(&s->path) == NULL)
		cli_nomem(c);
	s->fd = write ? open(s->path.data, O_RDWR | O_CREAT | O_APPEND, 0600) :
	    open(s->path.data, O_RDONLY);
	if (s->fd == -1 && !write && errno == ENOENT)
		return;
	cli_must(c, s->fd == -1 ? fail(s, &err) : read_on(s, &err), &err);
}

void
clean_stash_done(struct clean_stash *s)
{
	if (s->path.len > 0 && s->fd != -1)
		close(s->fd);
	ctx_buf_done(&s->path);
	ctx_buf_done(&s->rest);
	ctx_strmap_done(&s->keys);
	free(s->name);
}
