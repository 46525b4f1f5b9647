/* SPDX-License-Identifier: MIT */
/* What was sent to a store that follows; see follow_impl.h. */
#include "store/port/follow_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

int
ctx_follow_rows_add(struct ctx_follow_rows *rows,
    const struct ctx_follow_row *row, struct ctx_err *err)
{
	if (CTX_ROOM(rows->row, rows->n, &rows->cap) == -1)
		return ctx_fail_nomem(err);
	rows->row[rows->n++] = *row;
	return 0;
}

static int
compare(const void *a, const void *b)
{
	return memcmp(a, b, CTX_FOLLOW_SUM);
}

void
ctx_follow_rows_sort(struct ctx_follow_rows *rows)
{
	if (rows->n > 1)
		qsort(rows->row, rows->n, sizeof(*rows->row), compare);
}

const struct ctx_follow_row *
ctx_follow_rows_find(const struct ctx_follow_rows *rows,
    const struct ctx_follow_row *key)
{
	return rows->n == 0 ? NULL : bsearch(key, rows->row, rows->n,
	    sizeof(*rows->row), compare);
}

static size_t
count_rows(const struct ctx_follow_known *known)
{
	size_t i, n = known->nlog;

	for (i = 0; i < CTX_IMPORT_KINDS; i++)
		n += known->kind[i].n;
	return n;
}

void
ctx_follow_known_done(struct ctx_follow_known *known)
{
	size_t i;

	for (i = 0; i < CTX_IMPORT_KINDS; i++)
		free(known->kind[i].row);
	free(known->log);
	memset(known, 0, sizeof(*known));
}

const struct ctx_follow_known *
ctx_follow_memory_find(const struct ctx_follow_memory *m, int64_t id)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (m->known[i]->id == id)
			return m->known[i];
	return NULL;
}

static void
drop(struct ctx_follow_memory *m, size_t i)
{
	m->rows -= count_rows(m->known[i]);
	ctx_follow_known_done(m->known[i]);
	free(m->known[i]);
	memmove(m->known + i, m->known + i + 1, (m->n - i - 1) *
	    sizeof(*m->known));
	m->n--;
}

void
ctx_follow_memory_forget(struct ctx_follow_memory *m, int64_t id)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (m->known[i]->id == id) {
			drop(m, i);
			return;
		}
}

int
ctx_follow_memory_keep(struct ctx_follow_memory *m,
    struct ctx_follow_known *known, struct ctx_err *err)
{
	struct ctx_follow_known *own = malloc(sizeof(*own));

	if (own == NULL)
		return ctx_fail_nomem(err);
	ctx_follow_memory_forget(m, known->id);
	if (m->n == CTX_FOLLOW_THREADS)
		drop(m, m->n - 1);
	memmove(m->known + 1, m->known, m->n * sizeof(*m->known));
	*own = *known;
	memset(known, 0, sizeof(*known));
	m->known[0] = own;
	m->n++;
	m->rows += count_rows(own);
	while (m->n > 1 && m->rows > CTX_FOLLOW_ROWS)
		drop(m, m->n - 1);
	return 0;
}

void
ctx_follow_memory_done(struct ctx_follow_memory *m)
{
	while (m->n > 0)
		drop(m, m->n - 1);
}
