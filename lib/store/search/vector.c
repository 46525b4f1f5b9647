/* SPDX-License-Identifier: MIT */
/* Vectors of messages; see vector.h. */
#include "store/search/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "store/body.h"
#include "store/search/index.h"
#include "store/search/among.h"
#include "store/search/near.h"

#define SCALE	127	/* for the largest number of a vector */

void
ctx_vector_batch_done(struct ctx_vector_batch *b)
{
	free(b->item);
	ctx_buf_done(&b->text);
	memset(b, 0, sizeof(*b));
}

/*
 * Find the number of a model, -1 if there are no vectors of it.  Returns 0 or
 * -1.
 */
static int
find_model(struct ctx_store *st, const char *name, int64_t *model,
    int64_t *dim, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	*model = -1;
	q = ctx_db_query(st, err, "SELECT id, dim FROM vector_model WHERE"
	    " name = ?1", "s", name);
	if ((rc = ctx_db_row(st, q, err)) == -1)
		return -1;
	if (rc == 1) {
		*model = sqlite3_column_int64(q, 0);
		*dim = sqlite3_column_int64(q, 1);
		sqlite3_reset(q);
	}
	return 0;
}

static int
find_thread(struct ctx_store *st, const char *name, int64_t *id,
    const int64_t **thread, struct ctx_err *err)
{
	struct ctx_where w = { name, NULL };
	struct ctx_ref ref;

	*thread = NULL;
	if (name == NULL)
		return 0;
	if (ctx_thread_find(st, &w, &ref, err) == -1)
		return -1;
	*id = ref.thread;
	*thread = id;
	return 0;
}

/* --- out: texts ------------------------------------------------- */

/* Length in bytes of the first max characters. */
static size_t
head(const char *text, size_t len, size_t max)
{
	size_t i = 0, n;

	for (; i < len && max > 0; max--) {
		n = ctx_utf8_step(text + i, len - i, NULL);
		i += n > 0 ? n : 1;
	}
	return i;
}

/* Drop trailing white space, which means nothing. */
static size_t
trim(const char *text, size_t len)
{
	while (len > 0 && strchr(" \t\r\n", text[len - 1]) != NULL &&
	    text[len - 1] != '\0')
		len--;
	return len;
}

static int
add_item(struct ctx_store *st, struct ctx_vector_batch *b, sqlite3_stmt *q,
    const struct ctx_vector_want *want, struct ctx_buf *line,
    struct ctx_err *err)
{
	struct ctx_vector_item *it;
	size_t off = b->text.len;

	if (CTX_ROOM(b->item, b->n, &b->cap) == -1)
		return ctx_fail_nomem(err);
	it = b->item;
	if (ctx_index_line_of(st, q, 1, line, err) == -1 ||
	    (want->clean != NULL && want->clean(want->arg, line, err) == -1) ||
	    ctx_index_words(line->data, line->len, CTX_INDEX_CUT,
	    &b->text, err) == -1)
		return -1;
	it += b->n++;
	it->id = b->after = sqlite3_column_int64(q, 0);
	it->thread = sqlite3_column_int64(q, 3);
	it->crc = sqlite3_column_int64(q, 6);
	it->off = off;
	it->len = b->text.len == off ? 0 : trim(b->text.data + off,
	    head(b->text.data + off, b->text.len - off, want->chars));
	b->text.len = off + it->len;
	b->ntext += it->len > 0;
	return 0;
}

static int
fill(struct ctx_store *st, const struct ctx_vector_want *want,
    struct ctx_vector_batch *b, struct ctx_err *err)
{
	int64_t model, dim, id;
	const int64_t *thread;
	struct ctx_buf line = { 0 };
	sqlite3_stmt *q;
	int rc = 0;

	if (find_thread(st, want->thread, &id, &thread, err) == -1 ||
	    find_model(st, want->model, &model, &dim, err) == -1)
		return -1;
	if (want->anew && !b->dropped)
		model = -1;
	q = ctx_db_query(st, err, "SELECT id, " CTX_BODY_LINE ", crc FROM"
	    " message m WHERE id > ?1 AND (?2 IS NULL OR thread = ?2) AND"
	    " (?4 IS NULL OR thread IN (SELECT id FROM thread WHERE user = ?4))"
	    " AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.message = m.id AND"
	    " v.model = ?3) ORDER BY id", "iois", b->after, thread, model,
	    st->user);
	if (q == NULL)
		return -1;
	while (b->ntext < want->texts && b->n < 16 * want->texts &&
	    b->text.len < want->bytes && (rc = ctx_db_row(st, q, err)) == 1)
		if (add_item(st, b, q, want, &line, err) == -1) {
			rc = -1;
			break;
		}
	sqlite3_reset(q);
	ctx_buf_done(&line);
	return rc == -1 ? -1 : 0;
}

int
ctx_vector_next(struct ctx_store *st, const struct ctx_vector_want *want,
    struct ctx_vector_batch *b, struct ctx_err *err)
{
	int rc;

	b->n = b->ntext = 0;
	ctx_buf_reset(&b->text);
	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = fill(st, want, b, err);
	ctx_db_read_end(st);
	return rc == -1 ? -1 : b->n > 0;
}

/* --- in: numbers ------------------------------------------------ */

/* Convert v to its stored form: scaled so that its largest number is SCALE. */
static void
quantize(const float *v, size_t dim, int8_t *out)
{
	float most = 0;
	size_t i;

	for (i = 0; i < dim; i++)
		if (fabsf(v[i]) > most)
			most = fabsf(v[i]);
	for (i = 0; i < dim; i++)
		out[i] = most > 0 ?
		    (int8_t)lrintf(v[i] / most * SCALE) : 0;
}

int64_t
ctx_vector_dot(const int8_t *a, const int8_t *b, size_t n)
{
	int32_t part[16];
	int64_t sum = 0;
	size_t i = 0, k, end;

	/* sums of a block fit 32 bits; 16 are computed side by side */
	while (n - i >= 16) {
		memset(part, 0, sizeof(part));
		end = n - i > 65536 ? i + 65536 : i + (n - i) / 16 * 16;
		for (; i < end; i += 16)
			for (k = 0; k < 16; k++)
				part[k] += (int32_t)a[i + k] * b[i + k];
		for (k = 0; k < 16; k++)
			sum += part[k];
	}
	for (; i < n; i++)
		sum += (int32_t)a[i] * b[i];
	return sum;
}

/* Find it, as find_model does; nobody else removes it or stores some of it now. */
static int
hold_model(struct ctx_store *st, const char *name, int64_t *model,
    int64_t *dim, struct ctx_err *err)
{
	return ctx_db_run(st, err, "UPDATE vector_model SET dim = dim WHERE"
	    " name = ?1", "s", name) == -1 ? -1 :
	    find_model(st, name, model, dim, err);
}

/* The same, and make it if there is none. */
static int
make_model(struct ctx_store *st, const char *name, size_t dim,
    int64_t *model, struct ctx_err *err)
{
	int64_t had = 0;

	if (ctx_db_run(st, err, "INSERT INTO vector_model(name, dim)"
	    " VALUES(?1, ?2) ON CONFLICT(name) DO UPDATE SET dim ="
	    " vector_model.dim", "si", name, (int64_t)dim) == -1 ||
	    find_model(st, name, model, &had, err) == -1)
		return -1;
	if ((size_t)had != dim)
		return ctx_fail(err, CTX_ENO, "the vectors of '%s' have %zu "
		    "numbers, but the stored ones have %lld; if this is "
		    "another model, run 'ctx-store embed --all'", name, dim,
		    (long long)had);
	return 0;
}

/* Remove the old vectors; with a thread or a user, only theirs. */
static int
drop_old(struct ctx_store *st, const struct ctx_vector_want *want,
    struct ctx_err *err)
{
	int64_t model, dim, id;
	const int64_t *thread;

	if (find_thread(st, want->thread, &id, &thread, err) == -1 ||
	    hold_model(st, want->model, &model, &dim, err) == -1)
		return -1;
	if (thread != NULL)
		return ctx_db_run(st, err, "DELETE FROM vector WHERE model ="
		    " ?1 AND message IN (SELECT id FROM message WHERE"
		    " thread = ?2)", "ii", model, *thread);
	if (st->user != NULL)
		return ctx_db_run(st, err, "DELETE FROM vector WHERE model ="
		    " ?1 AND message IN (SELECT id FROM message WHERE thread"
		    " IN (SELECT id FROM thread WHERE user = ?2))", "is",
		    model, st->user);
	if (ctx_db_run(st, err, "DELETE FROM vector WHERE model = ?1", "i",
	    model) == -1)
		return -1;
	return ctx_db_run(st, err, "DELETE FROM vector_model WHERE id = ?1",
	    "i", model);
}

/*
 * Store a vector for each item that has a text, and an empty one for the
 * others.
 */
static int
put_items(struct ctx_store *st, const struct ctx_vector_batch *b,
    int64_t model, const float *v, size_t dim, struct ctx_err *err)
{
	const struct ctx_vector_item *it;
	int8_t *bytes = malloc(dim > 0 ? dim : 1);
	int rc = 0;

	if (bytes == NULL)
		return ctx_fail_nomem(err);
	for (it = b->item; it < b->item + b->n && rc == 0; it++) {
		if (it->len > 0) {
			quantize(v, dim, bytes);
			v += dim;
		}
		/*
		 * it may have been removed meanwhile, or have got a vector
		 * from another process
		 */
		rc = ctx_db_run(st, err, "INSERT INTO vector(message, model,"
		    " data) SELECT id, ?2, ?3 FROM message WHERE id = ?1"
		    " AND crc = ?4 ON CONFLICT DO NOTHING", "iibi", it->id,
		    model, bytes, it->len > 0 ? dim : 0, it->crc);
	}
	free(bytes);
	return rc;
}

/* Let no message of the batch be removed now. */
static int
hold_threads(struct ctx_store *st, const struct ctx_vector_batch *b,
    struct ctx_err *err)
{
	int64_t *thread = malloc((b->n + 1) * sizeof(*thread));
	size_t i;
	int rc;

	if (thread == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < b->n; i++)
		thread[i] = b->item[i].thread;
	rc = ctx_db_hold_each(st, thread, b->n, err);
	free(thread);
	return rc;
}

static int
put_all(struct ctx_store *st, const struct ctx_vector_want *want,
    const struct ctx_vector_batch *b, const float *v, size_t dim,
    struct ctx_err *err)
{
	int64_t model, had;

	if (hold_threads(st, b, err) == -1)
		return -1;
	if (want->anew && !b->dropped && b->ntext > 0 &&
	    drop_old(st, want, err) == -1)
		return -1;
	/* if nothing was requested, there is no length for a model */
	if ((b->ntext == 0 ? hold_model(st, want->model, &model, &had, err) :
	    make_model(st, want->model, dim, &model, err)) == -1)
		return -1;
	return model == -1 ? 0 : put_items(st, b, model, v, dim, err);
}

int
ctx_vector_put(struct ctx_store *st, const struct ctx_vector_want *want,
    struct ctx_vector_batch *b, const float *v, size_t dim,
    struct ctx_err *err)
{
	int rc;

	if ((rc = ctx_db_begin(st, err)) == 0)
		rc = ctx_db_end(st, put_all(st, want, b, v, dim, err) == 0,
		    err);
	if (rc == 0 && b->ntext > 0)
		b->dropped = 1;
	return rc;
}

/*
 * --- search
 * ------------------------------------------------------------------------
 */

int
ctx_vector_of(struct ctx_store *st, const char *model, size_t *dim,
    struct ctx_err *err)
{
	int64_t id, n;

	if (find_model(st, model, &id, &n, err) == -1)
		return -1;
	*dim = id != -1 ? (size_t)n : 0;
	return id != -1;
}

/* The query, and the best so far: a heap with the worst on top. */
struct look {
	const struct ctx_vector_like *how;
	const int8_t *v;
	double length;
	size_t of;			/* number of the context */
	struct ctx_rank *r;
};

static int
worse(const struct ctx_rank_hit *a, const struct ctx_rank_hit *b)
{
	return a->score != b->score ? a->score < b->score : a->id < b->id;
}

static void
sift_down(struct ctx_rank_hit *h, size_t n)
{
	struct ctx_rank_hit t;
	size_t i = 0, child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && worse(&h[child + 1], &h[child]))
			child++;
		if (!worse(&h[child], &h[i]))
			return;
		t = h[i];
		h[i] = h[child];
		h[child] = t;
		i = child;
	}
}

static void
sift_up(struct ctx_rank_hit *h, size_t i)
{
	struct ctx_rank_hit t;
	size_t up;

	for (; i > 0 && worse(&h[i], &h[up = (i - 1) / 2]); i = up) {
		t = h[i];
		h[i] = h[up];
		h[up] = t;
	}
}

/* Is the row in q (message, data, context, seq) among the best? */
static int
look_at(sqlite3_stmt *q, void *arg, struct ctx_err *err)
{
	struct look *l = arg;
	struct ctx_rank_hit h = {
		.id = sqlite3_column_int64(q, 0),
		.seq = sqlite3_column_int64(q, 3),
		.of = l->of
	};
	size_t dim = l->how->dim;
	const int8_t *v;
	int64_t dot;

	if ((size_t)sqlite3_column_bytes(q, 1) != dim)
		return 0;
	v = sqlite3_column_blob(q, 1);
	if ((dot = ctx_vector_dot(l->v, v, dim)) <= 0)
		return 0;
	h.score = (double)dot / (l->length *
	    sqrt((double)ctx_vector_dot(v, v, dim)));
	if (l->r->n < l->how->max) {
		if (ctx_rank_add(l->r, &h, err) == -1)
			return -1;
		sift_up(l->r->hit, l->r->n - 1);
	} else if (worse(&l->r->hit[0], &h)) {
		l->r->hit[0] = h;
		sift_down(l->r->hit, l->r->n);
	}
	return 0;
}

static int
look_in_contexts(struct ctx_store *st, struct look *l,
    const struct ctx_near *how, struct ctx_err *err)
{
	struct ctx_near near = *how;
	struct ctx_range all = CTX_RANGE_ALL;
	struct ctx_segs segs = { 0 };
	struct ctx_ref ref;
	int rc = 0;

	near.segs = &segs;
	near.thread = &ref.thread;
	near.nthread = 1;
	for (l->of = 0; l->of < l->how->nwhere && rc == 0; l->of++) {
		ctx_segs_done(&segs);
		if ((rc = ctx_segs_of(st, &segs, &l->how->where[l->of],
		    &all, &ref, err)) == 0)
			rc = ctx_near_each(st, &near, look_at, l, err);
	}
	ctx_segs_done(&segs);
	return rc;
}

static int
look_in_threads(struct ctx_store *st, struct look *l,
    const struct ctx_near *how, struct ctx_err *err)
{
	struct ctx_near near = *how;
	struct ctx_among among = { 0 };
	int rc = ctx_among_make(&among, st, l->how->thread, l->how->nthread,
	    err);

	near.all = among.all;
	near.thread = among.id;
	near.nthread = among.n;
	if (rc == 0)
		rc = ctx_near_each(st, &near, look_at, l, err);
	ctx_among_done(&among);
	return rc;
}

static int
rank(struct ctx_store *st, struct look *l, struct ctx_err *err)
{
	const struct ctx_vector_like *how = l->how;
	struct ctx_near near = { .v = l->v, .dim = how->dim,
	    .max = how->max };
	int64_t dim;

	if (find_model(st, how->model, &near.model, &dim, err) == -1)
		return -1;
	if (near.model == -1)
		return 0;
	if ((size_t)dim != how->dim)
		return ctx_fail(err, CTX_ENO, "the vector of the question has "
		    "%zu numbers, but those of '%s' have %lld", how->dim,
		    how->model, (long long)dim);
	return how->nwhere > 0 ? look_in_contexts(st, l, &near, err) :
	    look_in_threads(st, l, &near, err);
}

int
ctx_vector_rank(struct ctx_store *st, const struct ctx_vector_like *how,
    struct ctx_rank *r, struct ctx_err *err)
{
	int8_t *v = malloc(how->dim > 0 ? how->dim : 1);
	struct look l = { .how = how, .v = v, .r = r };
	int rc;

	if (v == NULL)
		return ctx_fail_nomem(err);
	quantize(how->v, how->dim, v);
	l.length = sqrt((double)ctx_vector_dot(v, v, how->dim));
	if ((rc = ctx_db_read(st, err)) == 0) {
		rc = rank(st, &l, err);
		ctx_db_read_end(st);
	}
	ctx_rank_sort(r);
	free(v);
	return rc;
}
