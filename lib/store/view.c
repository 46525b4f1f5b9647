/* SPDX-License-Identifier: MIT */
/* Store what the model saw; see view.h. */
#include "store/log.h"
#include "store/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/when.h"
#include "read/line.h"
#include "store/body.h"

/*
 * The logged messages in which a view's lines are searched for by their sum: a
 * table with open addressing, at most half full.  Later messages replace
 * earlier ones with the same sum.
 */
struct index {
	struct ctx_ref ref;	/* whose log it is */
	struct entry {
		uint32_t crc;
		int64_t seq;	/* 0 if free */
	} *entry;
	size_t mask;
};

static struct entry *
index_at(const struct index *x, uint32_t crc)
{
	size_t i = crc & x->mask;

	while (x->entry[i].seq != 0 && x->entry[i].crc != crc)
		i = (i + 1) & x->mask;
	return &x->entry[i];
}

static int
index_seg(struct ctx_store *st, struct index *x, int64_t thread,
    const struct ctx_seg *seg, struct ctx_err *err)
{
	struct entry *e;
	sqlite3_stmt *q;
	uint32_t crc;
	int rc;

	q = ctx_db_query(st, err, "SELECT seq, crc FROM message WHERE"
	    " thread = ?1 AND context = ?2 AND seq BETWEEN ?3 AND ?4"
	    " ORDER BY seq", "iiii", thread, seg->context, seg->from, seg->to);
	while ((rc = ctx_db_row(st, q, err)) == 1) {
		crc = ctx_log_sum_mix((uint32_t)sqlite3_column_int64(q, 1),
		    sqlite3_column_int64(q, 0));
		e = index_at(x, crc);
		e->crc = crc;
		e->seq = sqlite3_column_int64(q, 0);
	}
	return rc;
}

/* Index the first and the last messages of the log, rows of each. */
static int
index_build(struct ctx_store *st, struct index *x, int64_t rows,
    struct ctx_err *err)
{
	const struct ctx_ref *ref = &x->ref;
	struct ctx_segs segs = { 0 };
	int64_t end = ref->next_seq - 1, all = end < 2 * rows ? end : 2 * rows;
	size_t i, size = 16;
	int rc = -1;

	while (size < (size_t)all * 2)
		size *= 2;
	x->mask = size - 1;
	if ((x->entry = calloc(size, sizeof(*x->entry))) == NULL)
		return ctx_fail_nomem(err);
	if (end <= 2 * rows) {
		if (ctx_segs_range(st, &segs, ref, 1, end, err) == -1)
			goto out;
	} else if (ctx_segs_range(st, &segs, ref, 1, rows, err) == -1 ||
	    ctx_segs_range(st, &segs, ref, end - rows + 1, end, err) == -1)
		goto out;
	for (i = 0; i < segs.n; i++)
		if (index_seg(st, x, ref->thread, &segs.seg[i], err) == -1)
			goto out;
	rc = 0;
out:
	ctx_segs_done(&segs);
	return rc;
}

struct compare {
	const struct ctx_entry *line;
	int same;
};

static int
compare(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct compare *c = arg;

	(void)err;
	c->same = m->len == c->line->len &&
	    memcmp(m->raw, c->line->raw, m->len) == 0;
	return 0;
}

/* Is message seq equal to that line, byte for byte?  Returns 1, 0, or -1. */
static int
is_line(struct ctx_store *st, const struct ctx_ref *ref, int64_t seq,
    const struct ctx_entry *line, struct ctx_err *err)
{
	struct compare c = { line, 0 };
	struct ctx_segs segs = { 0 };
	int rc;

	rc = ctx_segs_range(st, &segs, ref, seq, seq, err);
	if (rc == 0)
		rc = ctx_segs_read(st, &segs, ref->thread, compare, &c, err);
	ctx_segs_done(&segs);
	return rc == -1 ? -1 : c.same;
}

/*
 * The logged message that equals line, 0 if none does.  The one after the last
 * match is tried first, so that runs stay runs where messages repeat.
 */
static int
find_line(struct ctx_store *st, const struct index *x,
    const struct ctx_entry *line, int64_t last, int64_t *seq,
    struct ctx_err *err)
{
	struct entry *e;
	int rc = 0;

	*seq = last + 1;
	if (last > 0 && last + 1 < x->ref.next_seq)
		rc = is_line(st, &x->ref, last + 1, line, err);
	if (rc == 0) {
		e = index_at(x, ctx_crc32c(0, line->raw, line->len));
		if ((*seq = e->seq) != 0)
			rc = is_line(st, &x->ref, *seq, line, err);
	}
	if (rc == 0)
		*seq = 0;
	return rc == -1 ? -1 : 0;
}

/* A version being built. */
struct grow {
	struct ctx_ref ref;
	const char *name;
	int64_t n, pos;
	int64_t from, to;	/* of the growing run; from 0 if there is
				 * none */
};

static int
add_part(struct ctx_store *st, struct grow *p, const int64_t *from,
    const int64_t *to, const int64_t *body, struct ctx_err *err)
{
	return ctx_db_run(st, err, "INSERT INTO view_part VALUES(?1, ?2, ?3,"
	    " ?4, ?5, ?6, ?7, ?8)", "iisiiooo", p->ref.thread, p->ref.context,
	    p->name, p->n, p->pos++, from, to, body);
}

static int
end_run(struct ctx_store *st, struct grow *p, struct ctx_err *err)
{
	int rc = 0;

	if (p->from != 0)
		rc = add_part(st, p, &p->from, &p->to, NULL, err);
	p->from = 0;
	return rc;
}

static int
put_line(struct ctx_store *st, struct grow *p, const struct index *x,
    const struct ctx_entry *line, int64_t *nref, struct ctx_err *err)
{
	int64_t seq, body, last = p->from != 0 ? p->to : 0;

	if (find_line(st, x, line, last, &seq, err) == -1)
		return -1;
	if (seq == 0)
		return end_run(st, p, err) == -1 || ctx_body_put(st, line->raw,
		    line->len, &body, err) == -1 ? -1 :
		    add_part(st, p, NULL, NULL, &body, err);
	++*nref;
	if (p->from != 0 && seq == p->to + 1) {
		p->to = seq;
		return 0;
	}
	if (end_run(st, p, err) == -1)
		return -1;
	p->from = p->to = seq;
	return 0;
}

static int
new_version(struct ctx_store *st, struct grow *p, int64_t upto,
    struct ctx_err *err)
{
	if (ctx_db_int(st, &p->n, err, "SELECT coalesce(max(n), 0) + 1 FROM"
	    " view WHERE thread = ?1 AND context = ?2 AND name = ?3", "iis",
	    p->ref.thread, p->ref.context, p->name) == -1)
		return -1;
	return ctx_db_run(st, err, "INSERT INTO view VALUES(?1, ?2, ?3, ?4,"
	    " ?5, ?6)", "iisiii", p->ref.thread, p->ref.context, p->name, p->n,
	    upto, ctx_when_now());
}

/* A place in the text of a version; all zero is its beginning. */
struct place {
	size_t at;
	uint64_t line;		/* how many begin before it */
};

/*
 * The next line that is not blank; *from is moved to its end.  Returns 0 if
 * there is none.
 */
static int
next_line(const struct ctx_view_version *v, struct place *from,
    struct ctx_entry *line)
{
	const char *end;

	if (from->at == 0 && v->len >= 3 &&
	    memcmp(v->text, "\xef\xbb\xbf", 3) == 0)
		from->at = 3;	/* a byte order mark */
	while (from->at < v->len) {
		line->raw = v->text + from->at;
		end = memchr(line->raw, '\n', v->len - from->at);
		line->len = end != NULL ? (size_t)(end + 1 - line->raw) :
		    v->len - from->at;
		from->at += line->len;
		from->line++;
		if (!ctx_line_blank(line->raw, line->len))
			return 1;
	}
	return 0;
}

static int
check_lines(struct ctx_view_version *v, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct ctx_entry line;
	struct place from = { 0 };
	int rc = 0;

	for (v->n = 0; rc == 0 && next_line(v, &from, &line); v->n++)
		if ((rc = ctx_doc_scan(&doc, line.raw, line.len, err)) == -1)
			err->line = from.line;
	ctx_doc_done(&doc);
	return rc;
}

static int
put(struct ctx_store *st, const struct ctx_where *w, struct ctx_view_version *v,
    struct ctx_err *err)
{
	struct grow p = { .name = v->name };
	struct index x = { 0 };
	struct ctx_entry line;
	struct place from = { 0 };
	int rc;

	if (ctx_thread_find(st, w, &p.ref, err) == -1 ||
	    new_version(st, &p, p.ref.next_seq - 1, err) == -1)
		return -1;
	x.ref = p.ref;
	rc = index_build(st, &x, v->n * 4 + 1000, err);
	while (rc == 0 && next_line(v, &from, &line))
		rc = put_line(st, &p, &x, &line, &v->nref, err);
	if (rc == 0 && (rc = end_run(st, &p, err)) == 0)
		rc = ctx_thread_used(st, p.ref.thread, err);
	v->version = p.n;
	free(x.entry);
	return rc;
}

int
ctx_view_put(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_view_version *v, struct ctx_err *err)
{
	v->nref = 0;
	if (ctx_store_name_check("view", v->name, strlen(v->name),
	    err) == -1 || check_lines(v, err) == -1 ||
	    ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, put(st, w, v, err) == 0, err);
}

int
ctx_view_list(struct ctx_store *st, const struct ctx_where *w,
    const char *name, ctx_view_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_view v;
	struct ctx_ref ref;
	sqlite3_stmt *q = NULL;
	int rc = 0;

	if (ctx_db_read(st, err) == -1)
		return -1;
	if (ctx_thread_find(st, w, &ref, err) == 0)
		q = ctx_db_query(st, err, "SELECT v.name, v.n, v.upto_seq,"
		    " v.ts, (SELECT sum(CASE WHEN body IS NULL THEN"
		    " to_seq - from_seq + 1 ELSE 1 END) FROM view_part p"
		    " WHERE p.thread = ?1 AND p.context = ?2 AND p.name ="
		    " v.name AND p.n = v.n), (SELECT count(body) FROM"
		    " view_part p WHERE p.thread = ?1 AND p.context = ?2 AND"
		    " p.name = v.name AND p.n = v.n), c.name FROM view v"
		    " JOIN context c ON c.thread = ?1 AND c.id = ?2"
		    " WHERE v.thread = ?1 AND v.context = ?2"
		    " AND (?3 IS NULL OR v.name = ?3) ORDER BY v.name, v.n",
		    "iis", ref.thread, ref.context, name);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		v.name = (const char *)sqlite3_column_text(q, 0);
		v.n = sqlite3_column_int64(q, 1);
		v.upto_seq = sqlite3_column_int64(q, 2);
		v.ts = sqlite3_column_int64(q, 3);
		v.messages = sqlite3_column_int64(q, 4);
		v.texts = sqlite3_column_int64(q, 5);
		v.context = (const char *)sqlite3_column_text(q, 6);
		rc = fn(&v, arg, err);
	}
	ctx_db_read_end(st);
	return rc;
}

#define THESE " WHERE thread = ?1 AND context = ?2 AND name = ?3 AND" \
	" (?4 = 0 OR n = ?4)"

static int
remove_view(struct ctx_store *st, const struct ctx_where *w,
    const char *name, int64_t n, int64_t *removed, struct ctx_err *err)
{
	static const char *const run[] = {
		"INSERT OR IGNORE INTO temp.loose SELECT body FROM view_part"
		    THESE " AND body IS NOT NULL",
		"DELETE FROM view_part" THESE, "DELETE FROM view" THESE, NULL
	};
	struct ctx_ref ref;

	if (ctx_thread_find(st, w, &ref, err) == -1 ||
	    ctx_body_free_begin(st, err) == -1 ||
	    ctx_db_run_all(st, err, run, "iisi", ref.thread, ref.context,
	    name, n) == -1)
		return -1;
	*removed = sqlite3_changes(st->db);
	if (*removed == 0)
		return ctx_db_none("view", name, err);
	return ctx_thread_used(st, ref.thread, err) == -1 ? -1 :
	    ctx_body_free_end(st, NULL, err);
}

int
ctx_view_remove(struct ctx_store *st, const struct ctx_where *w,
    const char *name, int64_t n, int64_t *removed, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, remove_view(st, w, name, n, removed, err) == 0,
	    err);
}

/*
 * Find the version that ref's context has.  Returns 1, 0 if there is none, or
 * -1.
 */
static int
find_version(struct ctx_store *st, const struct ctx_ref *ref,
    const struct ctx_view_at *v, int64_t *n, struct ctx_err *err)
{
	return ctx_db_int(st, n, err, "SELECT max(n) FROM view WHERE"
	    " thread = ?1 AND context = ?2 AND name = ?3"
	    " AND CASE WHEN ?4 > 0 THEN n = ?4 ELSE upto_seq <= ?5 END",
	    "iisii", ref->thread, ref->context, v->name, v->n, v->end);
}

/*
 * The same in ref's context and in its ancestors, as far as their versions
 * were put before the fork.  *ref becomes the context that has it, and v->end
 * the end of that context's log as ref sees it.
 */
static int
find_seen(struct ctx_store *st, struct ctx_ref *ref, struct ctx_view_at *v,
    struct ctx_err *err)
{
	int rc;

	while ((rc = find_version(st, ref, v, &v->n, err)) == 0 &&
	    ref->kind == CTX_CONTEXT_FORK) {
		if (v->end > ref->parent_seq)
			v->end = ref->parent_seq;
		if (ctx_context_by_id(st, ref->thread, ref->parent, ref,
		    err) == -1)
			return -1;
	}
	return rc;
}

/*
 * Begin a view of p's context that did not have one: in a fork, with what is
 * seen of its ancestors' newest.  Returns 1, 0 if there is none, or -1.
 */
static int
begin_seen(struct ctx_store *st, struct grow *p, int64_t end,
    struct ctx_err *err)
{
	struct ctx_view_at seen = { .name = p->name, .end = end };
	struct ctx_ref at = p->ref;
	int rc = find_seen(st, &at, &seen, err);

	if (rc == -1 || new_version(st, p, end, err) == -1)
		return -1;
	if (rc == 1 && ctx_db_run(st, err, "INSERT INTO view_part SELECT"
	    " thread, ?2, name, ?3, pos, from_seq, CASE WHEN to_seq > ?6 THEN"
	    " ?6 ELSE to_seq END, body FROM view_part WHERE thread = ?1 AND"
	    " context = ?4 AND name = ?5 AND n = ?7 AND (body IS NOT NULL OR"
	    " from_seq <= ?6)", "iiiisii", p->ref.thread, p->ref.context, p->n,
	    at.context, p->name, seen.end, seen.n) == -1)
		return -1;
	return rc;
}

int
ctx_view_extend(struct ctx_store *st, const struct ctx_ref *ref,
    const char *name, int64_t from, int64_t to, struct ctx_err *err)
{
	struct grow p = { .ref = *ref, .name = name };
	int rc;

	if (ctx_store_name_check("view", name, strlen(name), err) == -1)
		return -1;
	if (ctx_db_int(st, &p.n, err, "SELECT max(n) FROM view WHERE"
	    " thread = ?1 AND context = ?2 AND name = ?3", "iis", ref->thread,
	    ref->context, name) == -1)
		return -1;
	if (p.n == 0) {
		if ((rc = begin_seen(st, &p, from - 1, err)) == -1)
			return -1;
		if (rc == 0)
			from = 1;
	}
	if (from > to)
		return 0;
	if (ctx_db_run(st, err, "UPDATE view_part SET to_seq = ?6 WHERE"
	    " thread = ?1 AND context = ?2 AND name = ?3 AND n = ?4 AND"
	    " to_seq = ?5 - 1 AND pos = (SELECT max(pos) FROM view_part WHERE"
	    " thread = ?1 AND context = ?2 AND name = ?3 AND n = ?4)",
	    "iisiii", ref->thread, ref->context, name, p.n, from, to) == -1)
		return -1;
	if (sqlite3_changes(st->db) > 0)
		return 0;
	if (ctx_db_int(st, &p.pos, err, "SELECT max(pos) + 1 FROM view_part"
	    " WHERE thread = ?1 AND context = ?2 AND name = ?3 AND n = ?4",
	    "iisi", ref->thread, ref->context, name, p.n) == -1)
		return -1;
	return add_part(st, &p, &from, &to, NULL, err);
}

int
ctx_view_segs(struct ctx_store *st, struct ctx_segs *s,
    const struct ctx_ref *ref, const struct ctx_view_at *view,
    struct ctx_err *err)
{
	struct ctx_view_at v = *view;
	struct ctx_seg text = { 0 };
	struct ctx_ref at = *ref;
	sqlite3_stmt *q;
	int64_t to;
	int rc = 0;

	if ((rc = find_seen(st, &at, &v, err)) != 1)
		return rc == -1 ? -1 : ctx_db_none("view", v.name, err);
	q = ctx_db_query(st, err, "SELECT from_seq, to_seq, body, (SELECT hash"
	    " FROM body b WHERE b.id = view_part.body) FROM view_part WHERE"
	    " thread = ?1 AND context = ?2 AND name = ?3 AND n = ?4"
	    " ORDER BY pos", "iisi", at.thread, at.context, v.name, v.n);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		to = sqlite3_column_int64(q, 1);
		text.body = sqlite3_column_int64(q, 2);
		if (sqlite3_column_bytes(q, 3) >= (int)sizeof(text.mark))
			memcpy(&text.mark, sqlite3_column_blob(q, 3),
			    sizeof(text.mark));
		if (text.body != 0)
			rc = ctx_segs_add(s, &text, err);
		else
			rc = ctx_segs_range(st, s, &at,
			    sqlite3_column_int64(q, 0),
			    to < v.end ? to : v.end, err);
	}
	return rc;
}
