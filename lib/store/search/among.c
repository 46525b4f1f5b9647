/* SPDX-License-Identifier: MIT */
/* The threads that a search is limited to; see among.h. */
#include "store/search/among.h"

#include <stdlib.h>

#include "store/search/index.h"
#include "store/thread.h"

static int
add(struct ctx_among *s, int64_t id, struct ctx_err *err)
{
	if (CTX_ROOM(s->id, s->n, &s->cap) == -1)
		return ctx_fail_nomem(err);
	s->id[s->n++] = id;
	return 0;
}

static int
add_names(struct ctx_among *s, struct ctx_store *st, const char *const *names,
    size_t n, struct ctx_err *err)
{
	struct ctx_where w = { NULL, NULL };
	struct ctx_ref ref;
	size_t i;

	for (i = 0; i < n; i++) {
		w.thread = names[i];
		if (ctx_thread_find(st, &w, &ref, err) == -1 ||
		    add(s, ref.thread, err) == -1)
			return -1;
	}
	return 0;
}

static int
add_user(struct ctx_among *s, struct ctx_store *st, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT id FROM thread WHERE user = ?1", "s",
	    st->user);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = add(s, sqlite3_column_int64(q, 0), err);
	return rc;
}

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
sort(struct ctx_among *s)
{
	size_t i, n = 0;

	if (s->n > 0)
		qsort(s->id, s->n, sizeof(*s->id), compare);
	for (i = 0; i < s->n; i++)
		if (n == 0 || s->id[i] != s->id[n - 1])
			s->id[n++] = s->id[i];
	s->n = n;
}

int
ctx_among_make(struct ctx_among *s, struct ctx_store *st,
    const char *const *names, size_t n, struct ctx_err *err)
{
	int rc = 0;

	if (n > 0)
		rc = add_names(s, st, names, n, err);
	else if (st->user != NULL)
		rc = add_user(s, st, err);
	else
		s->all = 1;
	sort(s);
	return rc;
}

void
ctx_among_done(struct ctx_among *s)
{
	free(s->id);
	s->id = NULL;
	s->n = s->cap = 0;
}

int
ctx_among_has(const struct ctx_among *s, int64_t thread)
{
	return s->all || (s->n > 0 && bsearch(&thread, s->id, s->n,
	    sizeof(*s->id), compare) != NULL);
}

void
ctx_among_filter(const struct ctx_among *s, struct ctx_buf *expr)
{
	if (!s->all && s->n > 0 && s->n <= CTX_AMONG_FILTER)
		ctx_index_of_threads(expr, s->id, s->n);
}

int
ctx_among_rows(const struct ctx_among *s, struct ctx_store *st, int indexed,
    struct ctx_rank *r, struct ctx_err *err)
{
	struct ctx_rank_hit h = { 0 };
	sqlite3_stmt *q;
	size_t i;
	int rc = 0;

	for (i = 0; i < s->n && rc == 0; i++) {
		q = ctx_db_query(st, err, "SELECT id FROM message WHERE"
		    " thread = ?1 AND words >= ?2", "ii", s->id[i],
		    (int64_t)indexed);
		while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
			h.id = sqlite3_column_int64(q, 0);
			rc = ctx_rank_add(r, &h, err);
		}
	}
	return rc;
}
