/* SPDX-License-Identifier: MIT */
/* Lines are appended to the log; see log.h. */
#include "store/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "store/body.h"
#include "store/change.h"
#include "store/log_batch.h"
#include "store/pack.h"
#include "store/search/index.h"
#include "store/view.h"

/* A thread that is appended to. */
struct append {
	const struct ctx_append *how;
	struct ctx_where where;
	struct ctx_ref ref;
	int64_t now, first_seq;
	int begun;
	size_t n;			/* its lines */
	struct ctx_entry *head, **tail;	/* those that were stored, */
	int64_t base;			/* from this message on */
	int pack;			/* they go to a bundle */
};

/* Get the stored line of that message, which may be waiting to be packed. */
static int
old_line(struct ctx_store *st, const struct append *a, int64_t seq,
    sqlite3_stmt *q, struct ctx_buf *out, struct ctx_err *err)
{
	const struct ctx_entry *e = a->pack && seq >= a->base ? a->head : NULL;

	while (e != NULL && e->seq != seq)
		e = e->next;
	if (e == NULL)
		return ctx_body_line(st, q, 2, out, err);
	ctx_buf_add(out, e->raw, e->len);
	return ctx_buf_fail(out, err);
}

/*
 * Returns 1 if the message with that id has these bytes, ignoring the line
 * end.
 */
static int
same_bytes(struct ctx_store *st, const struct append *a,
    struct ctx_entry *line, sqlite3_stmt *q, struct ctx_err *err)
{
	struct ctx_buf old = { 0 };
	size_t n = ctx_entry_bare(line->raw, line->len);
	int rc = old_line(st, a, line->seq, q, &old, err);

	if (rc == 0)
		rc = ctx_entry_bare(old.data, old.len) == n &&
		    memcmp(old.data, line->raw, n) == 0;
	ctx_buf_done(&old);
	return rc;
}

/*
 * Compare a line whose id is in use.  Returns 1 if it is the same message, 0
 * if not, or -1.
 */
static int
compare(struct ctx_store *st, const struct append *a, struct ctx_entry *line,
    const char *mid, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT seq, turn, " CTX_BODY_LINE " FROM"
	    " message WHERE thread = ?1 AND context = ?2 AND mid = ?3", "iis",
	    a->ref.thread, a->ref.context, mid);
	if ((rc = ctx_db_row(st, q, err)) == -1)
		return -1;
	if (rc == 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: damaged: an index and its table differ", st->path);
	line->seq = sqlite3_column_int64(q, 0);
	line->turn = sqlite3_column_int64(q, 1);
	rc = same_bytes(st, a, line, q, err);
	sqlite3_reset(q);
	return rc;
}

/* Is there a message with that id?  Returns 1, 0, or -1. */
static int
taken(struct ctx_store *st, const struct append *a, const char *mid,
    struct ctx_err *err)
{
	int64_t seq;

	return ctx_db_int(st, &seq, err, "SELECT seq FROM message WHERE"
	    " thread = ?1 AND context = ?2 AND mid = ?3", "iis",
	    a->ref.thread, a->ref.context, mid);
}

static int64_t
time_of(const struct append *a, const struct ctx_entry *line)
{
	return line->ts != 0 ? line->ts : a->now;
}

/* Index the line inserted last. */
static int
index_line(struct ctx_store *st, const struct append *a,
    const struct ctx_entry *line, struct ctx_err *err)
{
	struct ctx_index_line m = { .thread = a->ref.thread,
	    .ts = time_of(a, line), .role = line->role, .raw = line->raw,
	    .len = line->len, .cut = CTX_INDEX_CUT };

	m.id = sqlite3_last_insert_rowid(st->db);
	return ctx_index_add(st, &m, err);
}

/* Returns 1 if it was stored, 0 if the id is in use, or -1. */
static int
insert(struct ctx_store *st, struct append *a, struct ctx_entry *line,
    const char *mid, struct ctx_err *err)
{
	int64_t body, *pbody = NULL, ts;
	const char *json = a->pack ? NULL : line->raw;
	int rc;

	if (line->len >= CTX_PACK_LINE) {
		/* Do not store the contents of a line that may be refused. */
		if (mid != NULL && (rc = taken(st, a, mid, err)) != 0)
			return rc == 1 ? 0 : -1;
		if (ctx_body_put(st, line->raw, line->len, &body, err) == -1)
			return -1;
		pbody = &body;
		json = NULL;
	}
	ts = time_of(a, line);
	if (ctx_db_run(st, err, "INSERT INTO message(thread, context, seq, mid,"
	    " role, turn, ts, json, body, crc, words, tokens) VALUES(?1, ?2,"
	    " ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
	    " ON CONFLICT(thread, context, mid) WHERE mid IS NOT NULL"
	    " DO NOTHING", "iiissiitoiio", a->ref.thread,
	    a->ref.context, a->ref.next_seq, mid,
	    *line->role != '\0' ? line->role : NULL, line->turn, ts, json,
	    line->len, pbody,
	    (int64_t)ctx_log_line_sum(line->raw, line->len, a->ref.next_seq),
	    (int64_t)(a->how->no_index ? 0 : CTX_INDEX_CUT),
	    line->tokens >= 0 ? &line->tokens : NULL) == -1)
		return -1;
	return sqlite3_changes(st->db) > 0;
}

static void
number(struct append *a, struct ctx_entry *line)
{
	line->turn = a->ref.turn;
	if (a->how->turn > 0)
		line->turn = a->how->turn;
	else if (line->opens_turn)
		line->turn++;
}

/*
 * Insert a line under that id.  Returns 1 if it was stored, 0 if it was there
 * already, 2 if the id has other bytes, or -1.
 */
static int
insert_once(struct ctx_store *st, struct append *a, struct ctx_entry *line,
    const char *mid, struct ctx_err *err)
{
	int rc;

	number(a, line);
	if ((rc = insert(st, a, line, mid, err)) != 0)
		return rc;
	rc = compare(st, a, line, mid, err);
	return rc == -1 ? -1 : rc == 1 ? 0 : 2;
}

/* The line's id is stored with other bytes.  Returns as insert_once does. */
static int
insert_other(struct ctx_store *st, struct append *a, struct ctx_entry *line,
    struct ctx_err *err)
{
	char mid[CTX_ENTRY_ID], quoted[80];

	if (line->rewritten) {
		ctx_entry_again(line, mid);
		return insert_once(st, a, line, mid, err);
	}
	if (!a->how->conflict_new)
		return ctx_fail(err, CTX_EINPUT,
		    "message '%s' is already stored with other bytes",
		    ctx_err_quote(quoted, sizeof(quoted), line->mid,
		    strlen(line->mid)));
	number(a, line);
	return insert(st, a, line, NULL, err);
}

static int
append_line(struct ctx_store *st, struct append *a, struct ctx_entry *line,
    struct ctx_err *err)
{
	const char *mid = *line->mid != '\0' ? line->mid : NULL;
	int rc = insert_once(st, a, line, mid, err);

	if (rc == 2)
		rc = insert_other(st, a, line, err);
	if (rc == 0)
		return 0;
	if (rc != 1)
		return rc == -1 ? -1 : ctx_fail(err, CTX_EINPUT,
		    "two versions of message '%s' have the same checksum",
		    line->mid);
	line->stored = 1;
	line->seq = a->ref.next_seq++;
	a->ref.turn = line->turn;
	line->next = NULL;
	*a->tail = line;
	a->tail = &line->next;
	return a->how->no_index ? 0 : index_line(st, a, line, err);
}

static int
begin(struct ctx_store *st, struct append *a, struct ctx_err *err)
{
	if (ctx_context_make(st, &a->where, &a->how->make, &a->ref,
	    err) == -1)
		return -1;
	if (a->how->expect_seq > 0 && a->how->expect_seq != a->ref.next_seq)
		return ctx_fail(err, CTX_ENO, "the next message would be %lld,"
		    " not %lld", (long long)a->ref.next_seq,
		    (long long)a->how->expect_seq);
	if (a->how->turn > 0 && a->how->turn < a->ref.turn)
		return ctx_fail(err, CTX_ENO,
		    "turn %lld is past; the newest turn is %lld",
		    (long long)a->how->turn,
		    (long long)a->ref.turn);
	a->first_seq = a->ref.next_seq;
	a->begun = 1;
	a->base = a->ref.next_seq;
	a->tail = &a->head;
	a->pack = ctx_pack_packs() && ctx_pack_is_worth(a->base, (int64_t)a->n);
	return 0;
}

/* Pack the lines that were stored. */
static int
pack(struct ctx_store *st, const struct append *a, struct ctx_err *err)
{
	const struct ctx_entry *e;

	if (!a->pack || a->head == NULL)
		return 0;
	if (ctx_pack_begin(st, a->ref.thread, a->ref.context, a->base,
	    err) == -1)
		return -1;
	for (e = a->head; e != NULL; e = e->next)
		if (ctx_pack_add(st, e->raw, e->len < CTX_PACK_LINE ? e->len :
		    0, err) == -1)
			return -1;
	return ctx_pack_end(st, a->ref.next_seq - a->base < CTX_PACK_EVERY,
	    err);
}

static int
finish(struct ctx_store *st, struct append *a, struct ctx_err *err)
{
	if (pack(st, a, err) == -1)
		return -1;
	if (a->how->view != NULL && ctx_view_extend(st, &a->ref,
	    a->how->view, a->first_seq, a->ref.next_seq - 1, err) == -1)
		return -1;
	if (ctx_db_run(st, err, "UPDATE context SET next_seq = ?3, turn = ?4"
	    " WHERE thread = ?1 AND id = ?2", "iiii", a->ref.thread,
	    a->ref.context, a->ref.next_seq, a->ref.turn) == -1)
		return -1;
	return ctx_change_touch(st, a->ref.thread, a->now, err);
}

/* One for each thread; NULL if out of memory. */
static struct append *
threads_of(const struct ctx_append *how, size_t *n)
{
	const struct append one = { .how = how, .where = how->where,
	    .now = ctx_when_now() };
	struct append *a;
	size_t i, len;

	*n = how->threads != NULL ? how->threads->n : 1;
	if ((a = calloc(*n + 1, sizeof(*a))) == NULL)
		return NULL;
	for (i = 0; i < *n; i++) {
		a[i] = one;
		if (how->threads != NULL)
			a[i].where.thread = ctx_strmap_at(how->threads, i,
			    &len);
	}
	return a;
}

/*
 * Is an error the fault of a line?  Of one thread that is refused, every line
 * is.
 */
static int
is_of_line(const struct ctx_append *how, const struct ctx_err *err)
{
	if (how->threads != NULL)
		return err->code == CTX_EINPUT || err->code == CTX_ENO;
	return err->code == CTX_EINPUT;
}

/* Append the lines up to the first that is bad, *done of them. */
static int
append_lines(struct ctx_store *st, struct append *all, struct ctx_entry *lines,
    size_t n, size_t *done, struct ctx_err *err)
{
	struct append *a;
	size_t i;

	for (i = 0; i < n; i++) {
		*done = i;
		a = &all[lines[i].log];
		if ((!a->begun && begin(st, a, err) == -1) ||
		    append_line(st, a, &lines[i], err) == -1) {
			if (a->begun || a->how->threads != NULL)
				err->line = is_of_line(a->how, err) ? i + 1 :
				    0;
			return -1;
		}
		if (i < a->how->seen)
			a->first_seq = a->ref.next_seq;
	}
	*done = n;
	return 0;
}

/*
 * In a transaction: append lines to all threads.  Returns 0 with the number of
 * lines to be committed in *done; err is set if that is because one is bad.
 */
static int
append_all(struct ctx_store *st, const struct ctx_append *how,
    struct ctx_entry *lines, size_t n, size_t *done, struct ctx_err *err)
{
	struct append *all;
	size_t i, nall;
	int rc, bad;

	if ((all = threads_of(how, &nall)) == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < n; i++)
		all[lines[i].log].n++;
	/* a thread without lines is made, too */
	rc = how->threads == NULL && n == 0 ? begin(st, all, err) :
	    append_lines(st, all, lines, n, done, err);
	bad = rc == -1;
	/* Keep the lines before a bad one, but none if the disk fails. */
	if (bad && err->code == CTX_EINPUT && err->line > 0 && !how->atomic)
		rc = 0;
	for (i = 0; i < nall && rc == 0; i++)
		if (all[i].begun)
			rc = finish(st, &all[i], err);
	free(all);
	return rc;
}

static int
append_once(struct ctx_store *st, const struct ctx_append *how,
    struct ctx_entry *lines, size_t n, size_t *done, struct ctx_err *err)
{
	size_t some = 0;
	int rc = 0;

	*done = 0;
	if (how->check == NULL && (rc = ctx_log_batch(st, how, lines, n,
	    err)) == 1)
		*done = n;
	if (rc != 0)
		return rc == 1 ? 0 : -1;
	if (ctx_db_begin(st, err) == -1)
		return -1;
	if (ctx_log_batch_hold(st, how, err) == -1 || (how->check != NULL &&
	    how->check(st, lines, n, how->arg, err) == -1) ||
	    append_all(st, how, lines, n, &some, err) == -1)
		return ctx_db_end(st, 0, err);
	if (ctx_db_end(st, 1, err) == -1)
		return -1;
	*done = some;
	return some < n ? -1 : 0;
}

int
ctx_log_append(struct ctx_store *st, const struct ctx_append *how,
    struct ctx_entry *lines, size_t n, size_t *done, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	size_t i;

	while (append_once(st, how, lines, n, done, &why) == -1) {
		if (!ctx_log_batch_again(st)) {
			if (err != NULL)
				*err = why;
			return -1;
		}
		ctx_err_clear(&why);
		for (i = 0; i < n; i++)
			lines[i].stored = 0;
	}
	return 0;
}
