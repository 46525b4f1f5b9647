/* SPDX-License-Identifier: MIT */
/* The order of the files of a map, and their directories. */
#include <stdlib.h>
#include <string.h>

#include "job/map_impl.h"

struct key {
	const char *p;
	uint32_t len, dirlen;
	uint32_t file;
};

/* A slash comes before all else, so that a directory is one range. */
static int
order_path(const char *a, size_t alen, const char *b, size_t blen)
{
	size_t i;
	unsigned char x, y;

	for (i = 0; i < alen && i < blen; i++) {
		if (a[i] == b[i])
			continue;
		x = a[i] == '/' ? '\0' : (unsigned char)a[i];
		y = b[i] == '/' ? '\0' : (unsigned char)b[i];
		return x < y ? -1 : 1;
	}
	return alen == blen ? 0 : alen < blen ? -1 : 1;
}

/* By directory, then by name. */
static int
by_path(const void *va, const void *vb)
{
	const struct key *a = va, *b = vb;
	int rc = order_path(a->p, a->dirlen, b->p, b->dirlen);

	if (rc == 0)
		rc = order_path(a->p, a->len, b->p, b->len);
	return rc != 0 ? rc : a->file < b->file ? -1 : 1;
}

static int
sort_files(struct ctx_map *m)
{
	struct key *key = calloc(m->nfile + 1, sizeof(*key));
	size_t i;

	m->order = calloc(m->nfile + 1, sizeof(*m->order));
	if (key == NULL || m->order == NULL) {
		free(key);
		return -1;
	}
	for (i = 0; i < m->nfile; i++)
		key[i] = (struct key){ ctx_map_path(m, &m->file[i]),
		    m->file[i].pathlen, m->file[i].dirlen, (uint32_t)i };
	if (m->nfile > 0)
		qsort(key, m->nfile, sizeof(*key), by_path);
	for (i = 0; i < m->nfile; i++)
		m->order[i] = key[i].file;
	free(key);
	return 0;
}

static int
add_dir(struct ctx_map *m, uint32_t file, size_t len, uint32_t up)
{
	if (CTX_ROOM(m->dir, m->ndir, &m->capdir) == -1)
		return -1;
	m->dir[m->ndir++] = (struct ctx_map_dir){ .file = file,
	    .len = (uint32_t)len, .up = up };
	return 0;
}

static int
is_in(const struct ctx_map *m, const struct ctx_map_dir *d, const char *p,
    size_t len)
{
	return d->len == 0 || (len >= d->len && memcmp(ctx_map_path(m,
	    &m->file[d->file]), p, d->len) == 0 && (len == d->len ||
	    p[d->len] == '/' || p[d->len - 1] == '/'));
}

/*
 * Find the directory of a file, which is last or above it, or add it and those
 * above it.  Returns -1 if out of memory.
 */
static int
place(struct ctx_map *m, uint32_t i, uint32_t last)
{
	struct ctx_map_file *f = &m->file[i];
	const char *p = ctx_map_path(m, f);
	uint32_t at = last;
	size_t n;

	while (!is_in(m, &m->dir[at], p, f->dirlen))
		at = m->dir[at].up;
	while (m->dir[at].len < f->dirlen) {
		n = m->dir[at].len;
		n += n > 0;
		while (n < f->dirlen && p[n] != '/')
			n++;
		if (n == 0)
			n = 1;		/* the root of the file system */
		if (add_dir(m, i, n, at) == -1)
			return -1;
		at = (uint32_t)m->ndir - 1;
	}
	f->dir = at;
	for (;; at = m->dir[at].up) {
		m->dir[at].all++;
		if (at == 0)
			return 0;
	}
}

struct size {
	uint32_t all, dir;
};

static int
by_size(const void *va, const void *vb)
{
	const struct size *a = va, *b = vb;

	if (a->all != b->all)
		return a->all > b->all ? -1 : 1;
	return a->dir < b->dir ? -1 : 1;
}

static int
sort_dirs(struct ctx_map *m)
{
	struct size *s = calloc(m->ndir, sizeof(*s));
	size_t i;

	m->bysize = calloc(m->ndir, sizeof(*m->bysize));
	if (s == NULL || m->bysize == NULL) {
		free(s);
		return -1;
	}
	for (i = 0; i < m->ndir; i++)
		s[i] = (struct size){ m->dir[i].all, (uint32_t)i };
	qsort(s, m->ndir, sizeof(*s), by_size);
	for (i = 0; i < m->ndir; i++)
		m->bysize[i] = s[i].dir;
	free(s);
	return 0;
}

int
ctx_map_tree(struct ctx_map *m, struct ctx_err *err)
{
	size_t i;

	if (sort_files(m) == -1 || add_dir(m, 0, 0, 0) == -1)
		return ctx_fail_nomem(err);
	for (i = 0; i < m->nfile; i++)
		if (place(m, m->order[i], i == 0 ? 0 :
		    m->file[m->order[i - 1]].dir) == -1)
			return ctx_fail_nomem(err);
	return sort_dirs(m) == -1 ? ctx_fail_nomem(err) : 0;
}
