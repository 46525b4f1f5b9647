/* SPDX-License-Identifier: MIT */
/* The map of a redaction; see map.h. */
#include "clean/map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "read/node.h"
#include "redact/redact.h"

/* --- lookup -------------------------------------------------------------- */

int
clean_map_find(void *map, struct ctx_str placeholder, struct ctx_str *value)
{
	const struct clean_map *m = map;
	size_t i = ctx_strmap_find(&m->placeholders, placeholder.p,
	    placeholder.len);

	if (i == CTX_STRMAP_FULL)
		return 0;
	value->p = m->bytes.data + m->value[i].off;
	value->len = (uint32_t)m->value[i].len;
	return 1;
}

static int
fail(const struct clean_map *m, struct ctx_err *err)
{
	return ctx_fail_errno(err, errno, "%.200s", m->path);
}

/*
 * Remember a value.  Returns 1 if it is new, 0 if not, or -1 with *err, also if
 * the placeholder is that of another value.
 */
static int
remember(struct clean_map *m, struct ctx_str placeholder, struct ctx_str value,
    struct ctx_err *err)
{
	struct ctx_str had;
	size_t i;

	if (clean_map_find(m, placeholder, &had))
		return ctx_str_same(had, value) ? 0 : ctx_fail(err,
		    CTX_ESYSTEM, "%.120s has another value for %.*s; use "
		    "another key, or another map", m->path,
		    CTX_STR_ARGS(placeholder));
	i = ctx_strmap_add(&m->placeholders, placeholder.p, placeholder.len);
	if (i == CTX_STRMAP_FULL || CTX_ROOM(m->value, i, &m->capvalue) == -1)
		return ctx_fail_nomem(err);
	m->value[i].off = m->bytes.len;
	m->value[i].len = value.len;
	return ctx_buf_add(&m->bytes, value.p, value.len) == -1 ?
	    ctx_fail_nomem(err) : 1;
}

/* --- adding -------------------------------------------------------------- */

int
clean_map_add(struct clean_map *m, struct ctx_str placeholder,
    struct ctx_str value, struct ctx_err *err)
{
	int rc = remember(m, placeholder, value, err);

	if (rc != 1)
		return rc;
	ctx_buf_reset(&m->line);
	ctx_buf_adds(&m->line, "{\"placeholder\":\"");
	ctx_buf_add(&m->line, placeholder.p, placeholder.len);
	ctx_buf_adds(&m->line, "\",\"value\":\"");
	ctx_buf_add(&m->line, value.p, value.len);
	if (ctx_buf_adds(&m->line, "\"}\n") == -1)
		return ctx_fail_nomem(err);
	if (ctx_fd_write(m->fd, m->line.data, m->line.len) == -1 ||
	    (m->sync && fsync(m->fd) == -1))
		return fail(m, err);
	return 0;
}

/* --- reading ------------------------------------------------------------- */

static struct ctx_str
member(const struct ctx_doc *doc, const char *key)
{
	uint32_t i = ctx_node_type(doc, 0) == '{' ? ctx_doc_get(doc, 0, key,
	    strlen(key)) : CTX_NONE;

	return i != CTX_NONE && ctx_node_type(doc, i) == '"' ?
	    ctx_node_str(doc, i) : (struct ctx_str){ NULL, 0 };
}

/* Is it a placeholder, with quotes if it is for a number? */
static int
is_placeholder(struct ctx_str s)
{
	if (ctx_str_starts(s, "\\\"") && s.len > 4 &&
	    memcmp(s.p + s.len - 2, "\\\"", 2) == 0) {
		s.p += 2;
		s.len -= 4;
	}
	return s.len > 0 && ctx_redact_at(s.p, s.len) == s.len;
}

/* Take a line.  Returns 1, 0 if it is none of a map, or -1 with *err. */
static int
take_line(struct clean_map *m, struct ctx_doc *doc, const char *line,
    size_t len, struct ctx_err *err)
{
	struct ctx_str placeholder, value;
	int rc = ctx_doc_try(doc, line, len);

	if (rc == -1)
		return ctx_fail_nomem(err);
	if (rc == 0)
		return 0;
	placeholder = member(doc, "placeholder");
	value = member(doc, "value");
	if (placeholder.p == NULL || value.p == NULL ||
	    !is_placeholder(placeholder))
		return 0;
	return remember(m, placeholder, value, err) == -1 ? -1 : 1;
}

/*
 * Take the lines of b.  *whole becomes the length of those that end; what is
 * after them is the start of a line whose writing was interrupted.
 */
static int
take_lines(struct clean_map *m, const struct ctx_buf *b, size_t *whole,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	uint64_t line = 1;
	const char *nl;
	size_t n;
	int rc = 1;

	for (*whole = 0; rc == 1 && *whole < b->len && (nl = memchr(b->data +
	    *whole, '\n', b->len - *whole)) != NULL; line++) {
		n = (size_t)(nl - b->data) - *whole;
		rc = n == 0 ? 1 : take_line(m, &doc, b->data + *whole, n, err);
		*whole += n + 1;
	}
	ctx_doc_done(&doc);
	if (rc == 0)
		return ctx_fail(err, CTX_EUSAGE, "%.200s:%" PRIu64 ": is no "
		    "line of a map: {\"placeholder\":...,\"value\":...}",
		    m->path, line - 1);
	return rc == -1 ? -1 : 0;
}

static int
read_map(struct clean_map *m, int write, struct ctx_err *err)
{
	struct ctx_buf all = { 0 };
	size_t whole = 0;
	int rc = ctx_fd_read(m->fd, CLEAN_MAP_MAX, &all);

	if (rc == -1)
		rc = fail(m, err);
	else if (rc == 0)
		rc = ctx_fail(err, CTX_EUSAGE, "%.200s: has more than %u MiB",
		    m->path, CLEAN_MAP_MAX >> 20);
	else
		rc = take_lines(m, &all, &whole, err);
	if (rc == 0 && write && whole < all.len &&
	    ftruncate(m->fd, (off_t)whole) == -1)
		rc = fail(m, err);
	ctx_buf_done(&all);
	return rc;
}

/* --- opening and closing -------------------------------------------------- */

static int
open_map(struct clean_map *m, int write, struct ctx_err *err)
{
	struct stat st;

	m->fd = open(m->path, (write ? O_RDWR | O_CREAT | O_APPEND :
	    O_RDONLY) | O_CLOEXEC, 0600);
	if (m->fd == -1 || fstat(m->fd, &st) == -1)
		return fail(m, err);
	if (!S_ISREG(st.st_mode))
		return ctx_fail(err, CTX_EUSAGE, "%.200s: is not a file",
		    m->path);
	if (write && (st.st_mode & 077) != 0)
		return ctx_fail(err, CTX_EUSAGE, "%.200s: others can read it; "
		    "'chmod 600' first", m->path);
	if (write && flock(m->fd, LOCK_EX | LOCK_NB) == -1)
		return errno == EWOULDBLOCK ? ctx_fail(err, CTX_ESYSTEM,
		    "%.200s: another process adds to it", m->path) :
		    fail(m, err);
	return read_map(m, write, err);
}

void
clean_map_open(struct clean_map *m, const char *path, int write, struct cli *c)
{
	struct ctx_err err = { 0 };

	m->path = path;
	cli_must(c, open_map(m, write, &err), &err);
}

void
clean_map_done(struct clean_map *m, struct cli *c)
{
	if (m->path == NULL)
		return;
	if (m->line.len > 0 && (fsync(m->fd) == -1 ||
	    ctx_fd_sync_folder(m->path) == -1))
		cli_error(c, CLI_SYSTEM, "%s: %s", m->path, strerror(errno));
	close(m->fd);
	ctx_strmap_done(&m->placeholders);
	ctx_buf_done(&m->bytes);
	ctx_buf_done(&m->line);
	free(m->value);
}
