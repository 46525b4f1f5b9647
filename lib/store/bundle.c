/* SPDX-License-Identifier: MIT */
/* Bundles of lines, read; see bundle.h. */
#include "store/bundle.h"

#include <stdlib.h>

#include "store/squeeze.h"

/*
 * A search looks at the messages of many threads by turns; with this many
 * bundles, each is decompressed only once, and they take a few megabytes.
 */
#define CACHE	64

/* Those of a connection: the ones read last, and the one being filled. */
struct ctx_bundles {
	struct ctx_bundle read[CACHE], open;
	size_t last;			/* of read, used last */
	size_t oldest;			/* of read */
	unsigned version;		/* of the file when it was read */
	int checked;			/* in this transaction */
};

void
ctx_bundle_begin(struct ctx_bundle *b, int64_t thread, int64_t context,
    int64_t first)
{
	b->id = 0;
	b->thread = thread;
	b->context = context;
	b->first = first;
	b->last = first - 1;
	b->n = 0;
	ctx_buf_reset(&b->text);
}

static void
empty_read(struct ctx_bundles *all)
{
	size_t i;

	for (i = 0; i < CACHE; i++)
		ctx_bundle_begin(&all->read[i], 0, 0, 1);
}

void
ctx_bundle_forget(struct ctx_store *st)
{
	if (st->bundles == NULL)
		return;
	empty_read(st->bundles);
	ctx_bundle_begin(&st->bundles->open, 0, 0, 1);
}

static struct ctx_bundles *
bundles_of(struct ctx_store *st, struct ctx_err *err)
{
	if (st->bundles != NULL)
		return st->bundles;
	if ((st->bundles = calloc(1, sizeof(*st->bundles))) == NULL)
		ctx_fail_nomem(err);
	ctx_bundle_forget(st);
	return st->bundles;
}

void
ctx_bundle_recheck(struct ctx_store *st)
{
	if (st->bundles != NULL)
		st->bundles->checked = 0;
}

struct ctx_bundle *
ctx_bundle_open(struct ctx_store *st, struct ctx_err *err)
{
	struct ctx_bundles *b = bundles_of(st, err);

	return b != NULL ? &b->open : NULL;
}

void
ctx_bundle_free(struct ctx_bundles *b)
{
	size_t i;

	if (b == NULL)
		return;
	for (i = 0; i < CACHE; i++) {
		ctx_buf_done(&b->read[i].text);
		free(b->read[i].end);
	}
	ctx_buf_done(&b->open.text);
	free(b->open.end);
	free(b);
}

int
ctx_bundle_add(struct ctx_bundle *b, const char *line, size_t len,
    struct ctx_err *err)
{
	if (CTX_ROOM(b->end, b->n, &b->cap) == -1)
		return ctx_fail_nomem(err);
	if (len > 0 && ctx_buf_add(&b->text, line, len) == -1)
		return ctx_fail_nomem(err);
	b->end[b->n++] = b->text.len;
	b->last++;
	return 0;
}

/* A length in groups of seven bits, the lowest first.  Returns 0 or -1. */
static int
next_len(const unsigned char **p, const unsigned char *end, size_t *len)
{
	int shift;

	*len = 0;
	for (shift = 0; *p < end && shift < 28; shift += 7) {
		*len |= (size_t)(**p & 0x7f) << shift;
		if ((*(*p)++ & 0x80) == 0)
			return 0;
	}
	return -1;
}

/* Set the ends of the lines.  Returns 1, 0 if they do not fit, or -1. */
static int
take_lens(struct ctx_bundle *b, const unsigned char *p, size_t size,
    struct ctx_err *err)
{
	const unsigned char *end = p + size;
	size_t len, at = 0;

	for (b->n = 0; p < end; b->n++) {
		if (next_len(&p, end, &len) == -1 || len > b->text.len - at)
			return 0;
		if (CTX_ROOM(b->end, b->n, &b->cap) == -1)
			return ctx_fail_nomem(err);
		b->end[b->n] = at += len;
	}
	return at == b->text.len && b->n > 0 &&
	    b->last - b->first == (int64_t)b->n - 1;
}

/*
 * Fill b from q, whose columns are those of COLUMNS.  Returns 1, 0 if it is
 * damaged (then b is empty), or -1.
 */
#define COLUMNS	"SELECT id, first, last, size, lens, data, thread," \
	" context FROM bundle"
static int
take(struct ctx_store *st, struct ctx_bundle *b, sqlite3_stmt *q,
    struct ctx_err *err)
{
	int64_t size = sqlite3_column_int64(q, 3);
	int rc = 0;

	ctx_bundle_begin(b, sqlite3_column_int64(q, 6),
	    sqlite3_column_int64(q, 7), sqlite3_column_int64(q, 1));
	if (size > 0 && size <= CTX_SQUEEZE_LIMIT)
		rc = ctx_squeeze_undo(st, sqlite3_column_blob(q, 5),
		    (size_t)sqlite3_column_bytes(q, 5), (size_t)size,
		    &b->text, err);
	b->id = sqlite3_column_int64(q, 0);
	b->last = sqlite3_column_int64(q, 2);
	if (rc == 1)
		rc = take_lens(b, sqlite3_column_blob(q, 4),
		    (size_t)sqlite3_column_bytes(q, 4), err);
	if (rc != 1)
		ctx_bundle_begin(b, 0, 0, 1);
	return rc;
}

static int
damaged(struct ctx_store *st, int64_t seq, const char *what,
    struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: the line of message "
	    "%lld %s", st->path, (long long)seq, what);
}

int
ctx_bundle_read(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t seq, struct ctx_bundle *b, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, COLUMNS " WHERE thread = ?1 AND context = ?2"
	    " AND first <= ?3 ORDER BY first DESC LIMIT 1", "iii", thread,
	    context, seq);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	rc = take(st, b, q, err);
	sqlite3_reset(q);
	return rc != 0 ? rc : damaged(st, seq, "cannot be decompressed", err);
}

static int
covers(const struct ctx_bundle *b, int64_t thread, int64_t context, int64_t seq)
{
	return b->thread == thread && b->context == context &&
	    seq >= b->first && seq <= b->last;
}

/* Has the file changed since the bundle was read? */
static int
changed(struct ctx_store *st)
{
	unsigned now = 0, before = st->bundles->version;

	if (st->depth > 0 && st->bundles->checked)
		return 0;
	st->bundles->checked = 1;
	if (sqlite3_file_control(st->db, "main", SQLITE_FCNTL_DATA_VERSION,
	    &now) != SQLITE_OK)
		return 1;
	st->bundles->version = now;
	return now != before;
}

/* The bundle that was read with that line, or else the one to read it into. */
static struct ctx_bundle *
find_read(struct ctx_bundles *all, int64_t thread, int64_t context, int64_t seq)
{
	size_t i = all->last;

	if (covers(&all->read[i], thread, context, seq))
		return &all->read[i];
	for (i = 0; i < CACHE; i++)
		if (covers(&all->read[i], thread, context, seq))
			break;
	if (i == CACHE) {
		i = all->oldest;
		all->oldest = (i + 1) % CACHE;
	}
	all->last = i;
	return &all->read[i];
}

int
ctx_bundle_line(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t seq, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_bundles *all = bundles_of(st, err);
	struct ctx_bundle *b;
	size_t i, at;
	int rc = 1;

	if (all == NULL)
		return -1;
	b = &all->open;
	if (!covers(b, thread, context, seq)) {
		if (changed(st))
			empty_read(all);
		b = find_read(all, thread, context, seq);
		if (!covers(b, thread, context, seq))
			rc = ctx_bundle_read(st, thread, context, seq, b, err);
	}
	if (rc == -1)
		return -1;
	if (rc == 0 || !covers(b, thread, context, seq))
		return damaged(st, seq, "is missing", err);
	i = (size_t)(seq - b->first);
	at = i > 0 ? b->end[i - 1] : 0;
	if (b->end[i] == at)
		return damaged(st, seq, "is missing", err);
	ctx_buf_add(out, b->text.data + at, b->end[i] - at);
	return ctx_buf_fail(out, err);
}
