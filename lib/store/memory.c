/* SPDX-License-Identifier: MIT */
/* Store what an agent knew; see memory.h. */
#include "store/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/when.h"
#include "store/body.h"
#include "store/search/note.h"

#define CTX_MEMORY_NAME	40	/* of "ctx_" and a turn */

static int
is_text(const char *what, const char *s, struct ctx_err *err)
{
	if (s == NULL || ctx_utf8_check(s, strlen(s)) == strlen(s))
		return 0;
	return ctx_fail(err, CTX_EINPUT, "%s is not UTF-8", what);
}

static int
put_parts(struct ctx_store *st, const struct ctx_ref *ref, int64_t turn,
    const char *name, const struct ctx_memory *m, struct ctx_err *err)
{
	int64_t body;
	size_t i;

	for (i = 0; i < m->npart; i++)
		if (ctx_body_put(st, m->part[i].data, m->part[i].len, &body,
		    err) == -1 || ctx_db_run(st, err, "INSERT INTO"
		    " snapshot_part VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
		    "iiisisi", ref->thread, ref->context, turn, name,
		    (int64_t)i, m->part[i].name, body) == -1)
			return -1;
	for (i = 0; i < m->nlink; i++)
		if (ctx_db_run(st, err, "INSERT INTO snapshot_link VALUES(?1,"
		    " ?2, ?3, ?4, ?5, ?6)", "iiisis", ref->thread,
		    ref->context, turn, name, (int64_t)i, m->link[i]) == -1)
			return -1;
	return 0;
}

/* Is the existing one the same?  Returns 1, 0, or -1. */
static int
same(struct ctx_store *st, const struct ctx_ref *ref, int64_t turn,
    const char *name, const struct ctx_memory *m, struct ctx_err *err)
{
	int64_t n = 0, body;
	size_t i;
	int rc;

	rc = ctx_db_int(st, &n, err, "SELECT count(*) FROM snapshot s WHERE"
	    " thread = ?1 AND context = ?2 AND turn = ?3 AND name = ?4 AND"
	    " summary IS ?5 AND insights IS ?6 AND ?7 = (SELECT count(*) FROM"
	    " snapshot_part p WHERE p.thread = ?1 AND p.context = ?2 AND"
	    " p.turn = ?3 AND p.snapshot = ?4) AND ?8 = (SELECT count(*) FROM"
	    " snapshot_link p WHERE p.thread = ?1 AND p.context = ?2 AND"
	    " p.turn = ?3 AND p.snapshot = ?4)", "iiisssii", ref->thread,
	    ref->context, turn, name, m->summary, m->insights,
	    (int64_t)m->npart, (int64_t)m->nlink);
	for (i = 0; i < m->nlink && rc == 1 && n == 1; i++)
		rc = ctx_db_int(st, &n, err, "SELECT count(*) FROM"
		    " snapshot_link WHERE thread = ?1 AND context = ?2 AND"
		    " turn = ?3 AND snapshot = ?4 AND pos = ?5 AND target ="
		    " ?6", "iiisis", ref->thread, ref->context, turn, name,
		    (int64_t)i, m->link[i]);
	for (i = 0; i < m->npart && rc == 1 && n == 1; i++) {
		if (ctx_body_put(st, m->part[i].data, m->part[i].len, &body,
		    err) == -1)
			return -1;
		rc = ctx_db_int(st, &n, err, "SELECT count(*) FROM"
		    " snapshot_part WHERE thread = ?1 AND context = ?2 AND"
		    " turn = ?3 AND snapshot = ?4 AND pos = ?5 AND body = ?6"
		    " AND name IS ?7", "iiisiis", ref->thread, ref->context,
		    turn, name, (int64_t)i, body, m->part[i].name);
	}
	return rc == -1 ? -1 : n == 1;
}

static void
own_name(char name[CTX_MEMORY_NAME], int64_t turn)
{
	snprintf(name, CTX_MEMORY_NAME, "ctx_%lld", (long long)turn);
}

/*
 * The turn to use if none was given: the log's newest.  But an agent may work
 * for many rounds on one message, or log nothing, and store a memory after
 * each; then it is the one after the last stored turn, unless this repeats the
 * last memory.
 */
static int
next_turn(struct ctx_store *st, const struct ctx_ref *ref,
    const struct ctx_memory *m, int64_t *turn, struct ctx_err *err)
{
	char name[CTX_MEMORY_NAME];
	int64_t last = 0;
	int rc;

	*turn = ref->turn > 0 ? ref->turn : 1;
	if (m->name != NULL)
		return 0;
	if (ctx_db_int(st, &last, err, "SELECT max(turn) FROM snapshot WHERE"
	    " thread = ?1 AND context = ?2 AND name = 'ctx_' || turn", "ii",
	    ref->thread, ref->context) == -1)
		return -1;
	if (last < *turn)
		return 0;
	own_name(name, last);
	if ((rc = same(st, ref, last, name, m, err)) != -1)
		*turn = last + !rc;
	return rc == -1 ? -1 : 0;
}

/* The turn of a memory that is to be stored. */
static int
choose_turn(struct ctx_store *st, const struct ctx_ref *ref,
    const struct ctx_memory *m, int64_t *turn, struct ctx_err *err)
{
	int rc = 0;

	*turn = m->turn;
	if (m->turn < 0 && m->replace && m->name != NULL)
		rc = ctx_db_int(st, turn, err, "SELECT max(turn) FROM snapshot"
		    " WHERE thread = ?1 AND context = ?2 AND name = ?3", "iis",
		    ref->thread, ref->context, m->name);
	if (rc != 0)
		return rc == 1 ? 0 : -1;
	return *turn < 0 ? next_turn(st, ref, m, turn, err) : 0;
}

/* Insert its rows.  Returns 1, 0 if there is one already, or -1. */
static int
insert(struct ctx_store *st, const struct ctx_ref *ref, int64_t turn,
    const char *name, const struct ctx_memory *m, struct ctx_err *err)
{
	struct ctx_note note = { .kind = "memory", .thread = ref->thread,
	    .context = ref->context, .n = turn, .name = name };

	if (ctx_db_run(st, err, "INSERT INTO snapshot(thread, context, turn,"
	    " name, ts, summary, insights) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"
	    " ON CONFLICT DO NOTHING", "iiisiss", ref->thread, ref->context,
	    turn, name, ctx_when_now(), m->summary, m->insights) == -1)
		return -1;
	if (sqlite3_changes(st->db) == 0)
		return 0;
	if (put_parts(st, ref, turn, name, m, err) == -1)
		return -1;
	return ctx_note_add(st, &note, err) == -1 ? -1 : 1;
}

#define OF_CONTEXT " WHERE thread = ?1 AND context = ?2 AND" \
	" (?4 IS NULL OR turn = ?4) AND "

/* Remove those of that name, of one turn or, if that is NULL, of any. */
static int
drop(struct ctx_store *st, const struct ctx_ref *ref, const char *name,
    const int64_t *turn, struct ctx_err *err)
{
	static const char *const run[] = {
		"INSERT OR IGNORE INTO temp.loose SELECT body FROM"
		    " snapshot_part" OF_CONTEXT "snapshot = ?3",
		"DELETE FROM snapshot_part" OF_CONTEXT "snapshot = ?3",
		"DELETE FROM snapshot_link" OF_CONTEXT "snapshot = ?3",
		"DELETE FROM snapshot" OF_CONTEXT "name = ?3", NULL
	};
	struct ctx_note note = { .kind = "memory", .thread = ref->thread,
	    .context = ref->context, .n = turn != NULL ? *turn : -1,
	    .name = name };

	if (ctx_note_forget_these(st, &note, err) == -1 ||
	    ctx_body_free_begin(st, err) == -1 ||
	    ctx_db_run_all(st, err, run, "iiso", ref->thread, ref->context,
	    name, turn) == -1)
		return -1;
	return sqlite3_changes(st->db) > 0 ? 0 :
	    ctx_db_none("memory", name, err);
}

/* Put it in the place of the one that exists. */
static int
replace(struct ctx_store *st, const struct ctx_ref *ref, int64_t turn,
    const char *name, const struct ctx_memory *m, struct ctx_err *err)
{
	if (drop(st, ref, name, &turn, err) == -1 ||
	    insert(st, ref, turn, name, m, err) == -1)
		return -1;
	return ctx_body_free_end(st, NULL, err);
}

static int
put(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_memory *m, struct ctx_err *err)
{
	static const struct ctx_make make = { .parent_seq = -1 };
	char own[CTX_MEMORY_NAME], quoted[160];
	const char *name = m->name;
	struct ctx_ref ref;
	int64_t turn;
	int rc;

	if (ctx_context_make(st, w, &make, &ref, err) == -1 ||
	    ctx_thread_used(st, ref.thread, err) == -1 ||
	    choose_turn(st, &ref, m, &turn, err) == -1)
		return -1;
	if (name == NULL) {
		own_name(own, turn);
		name = own;
	}
	if (ctx_store_name_check("memory", name, strlen(name), err) == -1 ||
	    (rc = insert(st, &ref, turn, name, m, err)) == -1)
		return -1;
	if (rc == 0 && m->replace)
		return replace(st, &ref, turn, name, m, err);
	if (rc == 1 || (rc = same(st, &ref, turn, name, m, err)) != 0)
		return rc == 1 ? 0 : -1;
	return ctx_fail(err, CTX_EINPUT,
	    "memory '%s' of turn %lld already exists with other contents; "
	    "--replace replaces it", ctx_err_quote(quoted, sizeof(quoted),
	    name, strlen(name)), (long long)turn);
}

int
ctx_memory_put(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_memory *m, struct ctx_err *err)
{
	size_t i;

	if (is_text("the summary", m->summary, err) == -1 ||
	    is_text("an insight", m->insights, err) == -1)
		return -1;
	for (i = 0; i < m->nlink; i++)
		if (is_text("a link", m->link[i], err) == -1)
			return -1;
	for (i = 0; i < m->npart; i++)
		if (is_text("a file's name", m->part[i].name, err) == -1)
			return -1;
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, put(st, w, m, err) == 0, err);
}

/* A memory being read, and the buffers for its texts. */
struct taken {
	struct ctx_memory m;
	struct ctx_memory_part *part;
	size_t npart, partcap;
	char **link;
	size_t nlink, linkcap;
};

static void
taken_done(struct taken *t)
{
	size_t i;

	for (i = 0; i < t->npart; i++) {
		free((char *)(uintptr_t)t->part[i].name);
		free((char *)(uintptr_t)t->part[i].data);
	}
	for (i = 0; i < t->nlink; i++)
		free(t->link[i]);
	free(t->part);
	free(t->link);
}

/*
 * Check that the row in q is the n-th of its list.  A gap means that a row was
 * lost.
 */
static int
in_place(struct ctx_store *st, sqlite3_stmt *q, int col, size_t n,
    struct ctx_err *err)
{
	if (sqlite3_column_int64(q, col) == (int64_t)n)
		return 0;
	return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: a part of a memory is "
	    "missing", st->path);
}

static int
take_parts(struct ctx_store *st, const struct ctx_ref *ref, struct taken *t,
    struct ctx_err *err)
{
	struct ctx_buf data;
	sqlite3_stmt *q;
	char *name;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT name, body, pos FROM snapshot_part"
	    " WHERE thread = ?1 AND context = ?2 AND turn = ?3"
	    " AND snapshot = ?4 ORDER BY pos", "iiis", ref->thread,
	    ref->context, t->m.turn, t->m.name);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		if (in_place(st, q, 2, t->npart, err) == -1) {
			rc = -1;
			continue;
		}
		if (CTX_ROOM(t->part, t->npart, &t->partcap) == -1) {
			rc = ctx_fail_nomem(err);
			continue;
		}
		memset(&data, 0, sizeof(data));
		rc = ctx_body_get(st, sqlite3_column_int64(q, 1), &data, err);
		if (ctx_db_dup_null(q, 0, &name, err) == -1)
			rc = -1;
		t->part[t->npart].name = name;
		t->part[t->npart].data = data.data;
		t->part[t->npart++].len = data.len;
	}
	t->m.part = t->part;
	t->m.npart = t->npart;
	return rc;
}

static int
take_links(struct ctx_store *st, const struct ctx_ref *ref, struct taken *t,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT target, pos FROM snapshot_link"
	    " WHERE thread = ?1 AND context = ?2 AND turn = ?3"
	    " AND snapshot = ?4 ORDER BY pos", "iiis", ref->thread,
	    ref->context, t->m.turn, t->m.name);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		if (in_place(st, q, 1, t->nlink, err) == -1)
			rc = -1;
		else if (CTX_ROOM(t->link, t->nlink, &t->linkcap) == -1 ||
		    (t->link[t->nlink] = ctx_db_dup(q, 0)) == NULL)
			rc = ctx_fail_nomem(err);
		else
			t->nlink++;
	}
	t->m.link = (const char *const *)t->link;
	t->m.nlink = t->nlink;
	return rc;
}

struct list {
	struct ctx_ref ref;
	const struct ctx_memory_want *want;
	struct ctx_note_ids ids;	/* of the matching notes */
	ctx_memory_fn *fn;
	void *arg;
};

/* Pass the memory in q to the caller, with its contents if requested. */
static int
give(struct ctx_store *st, const struct list *l, sqlite3_stmt *q,
    struct ctx_err *err)
{
	struct taken t = { 0 };
	int rc = 0;

	t.m.turn = sqlite3_column_int64(q, 0);
	t.m.name = (const char *)sqlite3_column_text(q, 1);
	t.m.ts = sqlite3_column_int64(q, 2);
	t.m.summary = (const char *)sqlite3_column_text(q, 3);
	t.m.insights = (const char *)sqlite3_column_text(q, 4);
	if (l->want->parts)
		rc = take_parts(st, &l->ref, &t, err);
	if (rc == 0)
		rc = take_links(st, &l->ref, &t, err);
	if (rc == 0)
		rc = l->fn(&t.m, l->arg, err);
	taken_done(&t);
	return rc;
}

/* Find the notes that contain the words. */
static int
match_words(struct ctx_store *st, const char *words, struct ctx_note_ids *ids,
    struct ctx_err *err)
{
	struct ctx_query q;
	int rc = ctx_query_make(&q, st, words, err);

	if (rc == 0)
		rc = ctx_fail(err, CTX_EUSAGE, "no words to search for");
	else if (rc == 1)
		rc = ctx_note_match(&q, ids, err);
	ctx_query_done(&q);
	return rc;
}

#define LIST	"SELECT s.turn, s.name, s.ts, s.summary, s.insights"
#define LISTED	" WHERE s.thread = ?1 AND s.context = ?2 AND s.turn BETWEEN" \
	" ?3 AND ?4 ORDER BY s.turn, s.id"

static int
list_all(struct ctx_store *st, const struct list *l, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	/* a store of version 1 that is only read has no notes */
	q = ctx_db_query(st, err, LIST " FROM snapshot s" LISTED, "iiii",
	    l->ref.thread, l->ref.context, l->want->from, l->want->to);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = give(st, l, q, err);
	return rc;
}

static int
list_matches(struct ctx_store *st, const struct list *l, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, LIST ", n.id FROM snapshot s JOIN note n ON"
	    " n.thread = s.thread AND n.kind = 'memory' AND n.context ="
	    " s.context AND n.n = s.turn AND n.name = s.name" LISTED, "iiii",
	    l->ref.thread, l->ref.context, l->want->from, l->want->to);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		if (ctx_note_ids_has(&l->ids, sqlite3_column_int64(q, 5)))
			rc = give(st, l, q, err);
	return rc;
}

int
ctx_memory_list(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_memory_want *want, ctx_memory_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct list l = { .want = want, .fn = fn, .arg = arg };
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = ctx_thread_find(st, w, &l.ref, err);
	if (rc == 0 && want->match == NULL)
		rc = list_all(st, &l, err);
	else if (rc == 0 &&
	    (rc = match_words(st, want->match, &l.ids, err)) == 0)
		rc = list_matches(st, &l, err);
	ctx_note_ids_done(&l.ids);
	ctx_db_read_end(st);
	return rc;
}

static int
remove_named(struct ctx_store *st, const struct ctx_where *w,
    const char *name, struct ctx_err *err)
{
	struct ctx_ref ref;

	if (ctx_thread_find(st, w, &ref, err) == -1 ||
	    drop(st, &ref, name, NULL, err) == -1)
		return -1;
	return ctx_thread_used(st, ref.thread, err) == -1 ? -1 :
	    ctx_body_free_end(st, NULL, err);
}

int
ctx_memory_remove(struct ctx_store *st, const struct ctx_where *w,
    const char *name, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, remove_named(st, w, name, err) == 0, err);
}
