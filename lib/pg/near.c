/* SPDX-License-Identifier: MIT */
/*
 * Vectors that pgvector compares; see store/search/near.h.
 *
 * The table vector_near has those of message_vector once more, as half-precision
 * numbers, which hold ours exactly.  What it lacks is passed on as it is, so
 * whoever writes vectors need not know of it, and it goes when the extension
 * does.  The server's sums are single-precision: MARGIN more than the last
 * distance that counts is passed on, too, so that the caller's sums decide.
 */
#include "store/search/near.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "pg/conn.h"
#include "pg/schema.h"

#define MARGIN		(1.0 / (1 << 22))	/* for each number of a vector */
#define DIM_MAX		16000			/* of halfvec */
#define INDEX_MAX	4000			/* of hnsw for halfvec */
#define FILL		2000			/* vectors in a transaction */
#define EF_SEARCH	4			/* candidates for one wanted; */
#define EF_MAX		1000			/* at most */

/* What there is of pgvector. */
struct state {
	char *schema;		/* of the extension, quoted; or NULL */
	int table;		/* there is vector_near, with its column */
	int index;		/* there is an index of the model, to be used */
	int may;		/* this role may make the table */
};

static int
look(struct ctx_store *st, int64_t model, struct state *s, struct ctx_err *err)
{
	/* compiling the statement takes longer than running it */
	sqlite3_stmt *q = ctx_db_query(st, err, "SELECT quote_ident(n.nspname),"
	    " EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid ="
	    " to_regclass('vector_near') AND a.attname = 'v' AND a.atttypid ="
	    " t.oid AND NOT a.attisdropped), to_regclass('vector_near_' || ?1)"
	    " IS NOT NULL, EXISTS (SELECT 1 FROM pg_class c WHERE c.oid ="
	    " to_regclass('message_vector') AND pg_has_role(c.relowner,"
	    " 'USAGE')) AND has_schema_privilege(current_schema(), 'CREATE'),"
	    " set_config('jit', 'off', true) FROM pg_extension e"
	    " JOIN pg_namespace n ON n.oid = e.extnamespace JOIN pg_type t ON t.typnamespace = n.oid AND"
	    " t.typname = 'halfvec' WHERE e.extname = 'vector'", "i", model);
	int rc = ctx_db_row(st, q, err);

	s->schema = NULL;
	if (rc != 1)
		return rc;
	s->table = sqlite3_column_int(q, 1);
	s->index = sqlite3_column_int(q, 2);
	s->may = sqlite3_column_int(q, 3);
	rc = (s->schema = ctx_db_dup(q, 0)) == NULL ? ctx_fail_nomem(err) : 0;
	sqlite3_reset(q);
	return rc;
}

/* --- search -------------------------------------------------------- */

/* Only messages m of the wanted threads and pieces. */
static void
add_where(struct ctx_buf *b, const struct ctx_near *near)
{
	const struct ctx_seg *seg;
	size_t i;

	if (near->all)
		return;
	for (i = 0; i < near->nthread; i++)
		ctx_buf_addf(b, "%s%lld", i == 0 ? " AND m.thread IN (" : ",",
		    (long long)near->thread[i]);
	ctx_buf_adds(b, i == 0 ? " AND false" : ")");
	if (near->segs == NULL)
		return;
	for (i = 0; i < near->segs->n; i++) {
		seg = &near->segs->seg[i];
		ctx_buf_addf(b, "%s(m.context = %lld AND m.seq BETWEEN %lld AND"
		    " %lld)", i == 0 ? " AND (" : " OR ",
		    (long long)seg->context, (long long)seg->from,
		    (long long)seg->to);
	}
	ctx_buf_adds(b, i == 0 ? " AND false" : ")");
}

/* The distance of y.v from the question, "(DIM)" for the index's form. */
static void
add_distance(struct ctx_buf *b, const struct ctx_near *near, const char *schema,
    const char *dim)
{
	size_t i;

	ctx_buf_addf(b, "y.v::%s.halfvec%s OPERATOR(%s.<=>) '[", schema, dim,
	    schema);
	for (i = 0; i < near->dim; i++)
		ctx_buf_addf(b, "%s%d", i == 0 ? "" : ",", near->v[i]);
	ctx_buf_addf(b, "]'::%s.halfvec%s", schema, dim);
}

/* The bytes of the vector of a message, which are looked up when it counts. */
static void
add_data(struct ctx_buf *b, const char *of, int64_t model)
{
	ctx_buf_addf(b, "(SELECT x.data FROM message_vector x WHERE x.message ="
	    " %s.message AND x.model = %lld)", of, (long long)model);
}

/* Those that the server compared: by the index, or all of them. */
static void
add_compared(struct ctx_buf *b, const struct ctx_near *near,
    const struct state *s)
{
	char dim[32];

	snprintf(dim, sizeof(dim), "(%zu)", near->dim);
	ctx_buf_addf(b, "WITH c AS MATERIALIZED (SELECT y.message, %s, ",
	    near->all ? "0 AS context, 0 AS seq" : "m.context, m.seq");
	add_distance(b, near, s->schema, s->index ? dim : "");
	ctx_buf_addf(b, " AS d FROM vector_near y%s WHERE y.model = %lld AND"
	    " y.v IS NOT NULL", near->all ? "" :
	    " JOIN message m ON m.id = y.message", (long long)near->model);
	add_where(b, near);
	if (s->index)
		ctx_buf_addf(b, " ORDER BY d LIMIT %zu", near->max);
	ctx_buf_adds(b, ") SELECT c.message, ");
	add_data(b, "c", near->model);
	ctx_buf_addf(b, ", c.context, c.seq FROM c WHERE c.d <= least(1,"
	    " coalesce((SELECT d FROM c ORDER BY d OFFSET %zu LIMIT 1), 1)) +"
	    " %.9f UNION ALL ", near->max - 1, (double)near->dim * MARGIN);
}

/* Those that it did not get yet. */
static void
add_others(struct ctx_buf *b, const struct ctx_near *near)
{
	ctx_buf_adds(b, "SELECT k.message, ");
	add_data(b, "k", near->model);
	ctx_buf_addf(b, ", %s FROM message_vector k%s WHERE k.model = ?1",
	    near->all ? "0, 0" : "m.context, m.seq", near->all ? "" :
	    " JOIN message m ON m.id = k.message");
	ctx_buf_adds(b, " AND NOT EXISTS (SELECT 1 FROM vector_near y WHERE"
	    " y.message = k.message AND y.model = k.model)");
	add_where(b, near);
}

/* All of them. */
static void
add_plain(struct ctx_buf *b, const struct ctx_near *near)
{
	ctx_buf_addf(b, "SELECT x.message, x.data, %s FROM message_vector x%s"
	    " WHERE x.model = ?1", near->all ? "0, 0" : "m.context, m.seq",
	    near->all ? "" : " JOIN message m ON m.id = x.message");
	add_where(b, near);
}

/* The server looks at more than are wanted, in this transaction. */
static int
set_effort(struct ctx_store *st, const struct ctx_near *near,
    struct ctx_err *err)
{
	size_t n = near->max * EF_SEARCH;
	sqlite3_stmt *q = ctx_db_query(st, err, "SELECT set_config("
	    "'hnsw.ef_search', ?1::text, true)", "i",
	    (int64_t)(n < EF_MAX ? n : EF_MAX));
	int rc = ctx_db_need(st, q, err);

	sqlite3_reset(q);
	return rc;
}

static int
pass_on(struct ctx_store *st, const struct ctx_buf *sql, int64_t model,
    ctx_near_fn *fn, void *arg, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	if (sqlite3_prepare_v2(st->db, sql->data, -1, &q, NULL) != SQLITE_OK)
		return ctx_fail_nomem(err);
	sqlite3_bind_int64(q, 1, model);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = fn(q, arg, err);
	sqlite3_finalize(q);
	return rc;
}

int
ctx_near_each(struct ctx_store *st, const struct ctx_near *near,
    ctx_near_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_buf sql = { 0 };
	struct state s = { 0 };
	int rc = look(st, near->model, &s, err);

	/* the index does not find more */
	s.index = s.index && near->all && near->max <= EF_MAX;
	if (rc == 0 && s.schema != NULL && s.table && near->max > 0) {
		add_compared(&sql, near, &s);
		add_others(&sql, near);
		if (s.index)
			rc = set_effort(st, near, err);
	} else
		add_plain(&sql, near);
	if (rc == 0 && ctx_buf_str(&sql) == NULL)
		rc = ctx_fail_nomem(err);
	if (rc == 0)
		rc = pass_on(st, &sql, near->model, fn, arg, err);
	ctx_buf_done(&sql);
	free(s.schema);
	return rc;
}

/* --- the table ----------------------------------------------------- */

/* In a transaction: make it, unless another does it at the same time. */
static int
make(struct ctx_store *st, struct state *s, struct ctx_err *err)
{
	struct ctx_buf sql = { 0 };
	int rc = 0;

	free(s->schema);
	s->schema = NULL;
	if (ctx_tables_lock(st, err) == -1 || look(st, 0, s, err) == -1)
		return -1;
	if (s->schema == NULL || s->table)
		return 0;
	/*
	 * Without the extension, what is left has no column.  A vector that is
	 * moved out of its row takes twice the time.
	 */
	ctx_buf_addf(&sql, "DROP TABLE IF EXISTS vector_near;"
	    "CREATE TABLE vector_near (message BIGINT NOT NULL, model BIGINT"
	    " NOT NULL, v %s.halfvec, PRIMARY KEY(message, model), FOREIGN"
	    " KEY(message, model) REFERENCES message_vector(message, model) ON"
	    " DELETE CASCADE) WITH (toast_tuple_target = 8160)", s->schema);
	rc = ctx_buf_str(&sql) == NULL ? ctx_fail_nomem(err) :
	    ctx_conn_exec(st, sql.data, err);
	s->table = rc == 0;
	ctx_buf_done(&sql);
	return rc;
}

/* In a transaction: copy some.  An empty one, of no text, stays without. */
static int
copy(struct ctx_store *st, const char *schema, struct ctx_err *err)
{
	struct ctx_conn_args none = { 0 };
	struct pg_result *res = NULL;
	struct ctx_buf sql = { 0 };
	int rc;

	ctx_buf_addf(&sql, "INSERT INTO vector_near SELECT x.message, x.model,"
	    " CASE WHEN length(x.data) > 0 THEN ARRAY(SELECT (get_byte(x.data,"
	    " i) + 128) %% 256 - 128 FROM generate_series(0, length(x.data) -"
	    " 1) i)::%s.halfvec END FROM message_vector x WHERE length(x.data)"
	    " <= %d AND NOT EXISTS (SELECT 1 FROM vector_near y WHERE y.message"
	    " = x.message AND y.model = x.model) LIMIT %d FOR KEY SHARE OF x"
	    " ON CONFLICT DO NOTHING", schema, DIM_MAX, FILL);
	rc = ctx_buf_str(&sql) == NULL ? ctx_fail_nomem(err) :
	    ctx_conn_run(st, sql.data, &none, &res, err);
	PQclear(res);
	ctx_buf_done(&sql);
	return rc == 0 ? st->db->changes : -1;
}

int
ctx_near_fill(struct ctx_store *st, struct ctx_err *err)
{
	struct state s = { 0 };
	int n = 1, rc = look(st, 0, &s, err);

	if (rc == 0 && s.schema != NULL && !s.table && s.may &&
	    (rc = ctx_db_begin(st, err)) == 0)
		rc = ctx_db_end(st, make(st, &s, err) == 0, err);
	while (rc == 0 && s.schema != NULL && s.table && n > 0 &&
	    (rc = ctx_db_begin(st, err)) == 0) {
		n = copy(st, s.schema, err);
		rc = ctx_db_end(st, n != -1, err);
	}
	free(s.schema);
	return rc;
}

/* --- the index ----------------------------------------------------- */

/* Run the statements that a query makes. */
static int
run_made(struct ctx_store *st, char *sql, int rc, struct ctx_err *err)
{
	if (rc == 1)
		rc = ctx_conn_exec(st, sql, err);
	free(sql);
	return rc;
}

static int
make_index(struct ctx_store *st, const char *schema, struct ctx_err *err)
{
	char *sql = NULL;
	int rc = ctx_db_text(st, &sql, err, "SELECT string_agg(format('CREATE"
	    " INDEX IF NOT EXISTS vector_near_%s ON vector_near USING hnsw"
	    " ((v::%s.halfvec(%s)) %s.halfvec_cosine_ops) WHERE model = %s',"
	    " id, ?1::text, dim, ?1::text, id), '; ') FROM vector_model WHERE"
	    " dim <= ?2", "si", schema, (int64_t)INDEX_MAX);

	return run_made(st, sql, rc, err);
}

static int
drop_index(struct ctx_store *st, struct ctx_err *err)
{
	char *sql = NULL;
	int rc = ctx_db_text(st, &sql, err, "SELECT 'DROP INDEX ' ||"
	    " string_agg(i.indexrelid::regclass::text, ', ') FROM pg_index i"
	    " JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid ="
	    " to_regclass('vector_near') AND c.relname ~"
	    " '^vector_near_[0-9]+$'", "");

	return run_made(st, sql, rc, err);
}

int
ctx_near_index(struct ctx_store *st, int on, struct ctx_err *err)
{
	struct state s = { 0 };
	int rc = on ? ctx_near_fill(st, err) : 0;

	if (rc == 0)
		rc = look(st, 0, &s, err);
	if (rc == 0 && on && (s.schema == NULL || !s.table))
		rc = ctx_fail(err, CTX_EUSAGE, "an index of vectors needs the"
		    " extension pgvector, of version 0.7 or later, in the"
		    " database");
	if (rc == 0 && (rc = ctx_db_begin(st, err)) == 0)
		rc = ctx_db_end(st, (on ? make_index(st, s.schema, err) :
		    drop_index(st, err)) == 0, err);
	free(s.schema);
	return rc;
}
