/* SPDX-License-Identifier: MIT */
/*
 * A batch of lines in one statement and one round trip; see store/log_batch.h.
 * The rows of the thread and of the context are locked in this order, as
 * everywhere, so that the numbers of messages have no gaps.  Nothing is stored
 * if an id is in use; a second statement then tells which lines are there
 * already, and the others are stored.  A context that is missing is made.
 * Whatever this does not decide, one id with two contents, is left to the
 * caller, who looks at each line.
 */
#include "store/log_batch.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/utf8.h"
#include "base/when.h"
#include "pg/conn.h"
#include "pg/fts.h"
#include "pg/outcome.h"
#include "store/change.h"
#include "store/pack.h"
#include "store/search/index.h"

#define INT8	20
#define BYTEA	17
#define STRING	25

/* Each line's columns, as arrays; WORDS and TYPED are for the index. */
enum column { MID, ROLE, TURN, TS, TOKENS, JSON, CRC, WORDS, TYPED, COLUMNS };

static const struct {
	unsigned element, array;	/* types */
} type[COLUMNS] = {
	[MID] = { BYTEA, 1001 }, [ROLE] = { BYTEA, 1001 },
	[TURN] = { INT8, 1016 }, [TS] = { INT8, 1016 },
	[TOKENS] = { INT8, 1016 }, [JSON] = { BYTEA, 1001 },
	[CRC] = { INT8, 1016 }, [WORDS] = { STRING, 1009 },
	[TYPED] = { INT8, 1016 },
};

struct batch {
	const struct ctx_append *how;
	struct ctx_entry **line;
	size_t n;
	int64_t now, opened;		/* turns that the lines open */
	struct ctx_buf col[COLUMNS];
	struct ctx_buf words, text, lexemes;
};

static const char append_sql[] =
"WITH t AS (SELECT id, head, updated FROM thread WHERE id = $1 AND"
" name = $2 AND ($3::text IS NULL OR \"user\" = $3) FOR UPDATE),"
" c AS (UPDATE context c SET next_seq = c.next_seq + $5, turn = CASE WHEN"
" $6 > 0 THEN $6 ELSE c.turn + $7 END FROM t WHERE c.thread = t.id AND"
" CASE WHEN $4::text IS NULL THEN c.id = t.head ELSE c.name = $4 END AND"
" ($8 = 0 OR c.next_seq = $8) AND ($6 = 0 OR c.turn <= $6) AND NOT EXISTS"
" (SELECT 1 FROM message o WHERE o.thread = $1 AND o.context = c.id AND o.mid"
" = ANY($10)) AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'trigram')"
" RETURNING c.id,"
" c.next_seq - $5 AS base, CASE WHEN $6 > 0 THEN 0 ELSE c.turn - $7 END AS"
" turn),"
" m AS (INSERT INTO message(thread, context, seq, mid, role, turn, ts, tokens,"
" json, crc, words) SELECT $1, c.id, c.base + a.n - 1, a.mid, a.role, c.turn +"
" a.turn, a.ts, a.tokens, a.json, a.crc # ((c.base + a.n - 1) * 2654435761 &"
" 4294967295), CASE WHEN a.words IS NULL THEN 0 ELSE 3 END"
" FROM c, unnest($10::bytea[], $11::bytea[], $12::bigint[],"
" $13::bigint[], $14::bigint[], $15::bytea[], $16::bigint[], $17::text[])"
" WITH ORDINALITY AS a(mid, role, turn, ts, tokens, json, crc, words, n)"
" ORDER BY a.n RETURNING id, seq),"
" w AS (SELECT m.id, a.words, a.typed FROM m, c, unnest($17::text[],"
" $18::bigint[]) WITH ORDINALITY AS a(words, typed, n) WHERE m.seq = c.base"
" + a.n - 1 AND a.words IS NOT NULL),"
" s AS (INSERT INTO search(thread, rowid, words) SELECT $1, id,"
" words::tsvector FROM w),"
" y AS (INSERT INTO typed_tool SELECT id FROM w WHERE typed = 1),"
" d AS (INSERT INTO done SELECT $1, $19, base, turn FROM c"
" WHERE $19 IS NOT NULL),"
" u AS (UPDATE thread SET updated = greatest(t.updated, $9), change = "
CTX_CHANGE_NEXT " FROM t WHERE thread.id = t.id AND EXISTS (SELECT 1 FROM c))"
" SELECT base, turn FROM c";

/* Those that are stored, and whether with the same bytes. */
static const char known_sql[] =
"SELECT a.n, m.seq, m.turn, m.json IS NOT DISTINCT FROM a.json FROM thread t"
" JOIN context c ON c.thread = $1 AND CASE WHEN $4::text IS NULL THEN c.id ="
" t.head ELSE c.name = $4 END JOIN unnest($5::bytea[], $6::bytea[]) WITH"
" ORDINALITY AS a(mid, json, n) ON true JOIN message m ON m.thread = $1 AND"
" m.context = c.id AND m.mid = a.mid WHERE t.id = $1 AND t.name = $2 AND"
" ($3::text IS NULL OR t.\"user\" = $3)";

static void
big32(struct ctx_buf *b, uint32_t v)
{
	int i;

	for (i = 24; i >= 0; i -= 8)
		ctx_buf_addc(b, (char)(v >> i & 0xff));
}

/* The head of an array of one dimension in PostgreSQL's binary form. */
static void
begin_array(struct ctx_buf *b, unsigned element, size_t n)
{
	big32(b, 1);
	big32(b, 1);		/* it may have NULLs */
	big32(b, element);
	big32(b, (uint32_t)n);
	big32(b, 1);
}

static void
add_int(struct ctx_buf *b, int64_t v)
{
	big32(b, 8);
	big32(b, (uint32_t)((uint64_t)v >> 32));
	big32(b, (uint32_t)v);
}

static void
add_bytes(struct ctx_buf *b, const char *p, size_t n)
{
	big32(b, (uint32_t)n);
	ctx_buf_add(b, p, n);
}

/* A text that may be missing. */
static void
add_text(struct ctx_buf *b, const char *p)
{
	if (*p == '\0')
		big32(b, (uint32_t)-1);
	else
		add_bytes(b, p, strlen(p));
}

/* What the index gets for it. */
static int
add_words(struct ctx_store *st, struct batch *b, const struct ctx_entry *e,
    struct ctx_err *err)
{
	const struct ctx_where *w = &b->how->where;
	struct ctx_index_line m = { .ts = e->ts != 0 ? e->ts : b->now,
	    .role = e->role, .raw = e->raw, .len = e->len,
	    .cut = CTX_INDEX_CUT };
	int typed;

	if (b->how->no_index) {
		big32(&b->col[WORDS], (uint32_t)-1);
		add_int(&b->col[TYPED], 0);
		return 0;
	}
	ctx_db_new_thread(w->thread, strlen(w->thread), &m.thread);
	ctx_buf_reset(&b->words);
	ctx_buf_reset(&b->text);
	ctx_buf_reset(&b->lexemes);
	if ((typed = ctx_index_made(&m, &b->words, &b->text, err)) == -1 ||
	    ctx_fts_lexemes(st, CTX_FTS_WORDS, &b->text, &b->lexemes, err) ==
	    -1)
		return -1;
	add_bytes(&b->col[WORDS], b->lexemes.data, b->lexemes.len);
	add_int(&b->col[TYPED], typed);
	return 0;
}

static void
add_line(struct batch *b, const struct ctx_entry *e)
{
	struct ctx_buf *col = b->col;

	if (b->how->turn == 0 && e->opens_turn)
		b->opened++;
	add_text(&col[MID], e->mid);
	add_text(&col[ROLE], e->role);
	add_int(&col[TURN], b->how->turn > 0 ? b->how->turn : b->opened);
	add_int(&col[TS], e->ts != 0 ? e->ts : b->now);
	if (e->tokens >= 0)
		add_int(&col[TOKENS], e->tokens);
	else
		big32(&col[TOKENS], (uint32_t)-1);
	add_bytes(&col[JSON], e->raw, e->len);
	add_int(&col[CRC], (int64_t)ctx_crc32c(0, e->raw, e->len));
}

static int
is_utf8(const char *name)
{
	return ctx_utf8_check(name, strlen(name)) == strlen(name);
}

/* Do its lines go into rows of a context that is known by its name? */
static int
is_simple(const struct ctx_append *how, const struct ctx_entry *line, size_t n)
{
	size_t i, len, sum = 0;

	if (n == 0 || how->threads != NULL || how->view != NULL ||
	    !is_utf8(how->where.thread) || (how->where.context != NULL &&
	    !is_utf8(how->where.context)) ||
	    strcmp(how->where.thread, "@last") == 0 ||
	    ctx_thread_is_agent(how->where.thread, &len))
		return 0;
	for (i = 0; i < n; i++) {
		if (line[i].len >= CTX_PACK_LINE)
			return 0;
		sum += line[i].len;
	}
	return sum < (size_t)1 << 28;
}

/* The context: the first four arguments of both statements. */
static void
bind_where(struct ctx_store *st, const struct batch *b,
    struct ctx_conn_args *a)
{
	const struct ctx_where *w = &b->how->where;
	int64_t id;

	st->db->thread = *ctx_db_new_thread(w->thread, strlen(w->thread), &id);
	ctx_conn_int(a, st->db->thread);
	ctx_conn_bytes(a, w->thread, strlen(w->thread), 0);
	ctx_conn_bytes(a, st->user, st->user ? strlen(st->user) : 0, 0);
	ctx_conn_bytes(a, w->context, w->context ? strlen(w->context) : 0, 0);
}

static void
bind_column(const struct batch *b, enum column c, struct ctx_conn_args *a)
{
	ctx_conn_bytes(a, b->col[c].data, b->col[c].len, type[c].array);
}

/* The numbers that the lines got. */
static void
number(struct batch *b, int64_t seq, int64_t turn)
{
	struct ctx_entry *e;
	size_t i;

	for (i = 0; i < b->n; i++) {
		e = b->line[i];
		if (b->how->turn == 0 && e->opens_turn)
			turn++;
		e->seq = seq++;
		e->turn = b->how->turn > 0 ? b->how->turn : turn;
		e->stored = 1;
	}
}

static int
fill(struct ctx_store *st, struct batch *b, struct ctx_err *err)
{
	size_t i;
	int c;

	b->opened = 0;
	for (c = 0; c < COLUMNS; c++) {
		ctx_buf_reset(&b->col[c]);
		begin_array(&b->col[c], type[c].element, b->n);
	}
	for (i = 0; i < b->n; i++) {
		add_line(b, b->line[i]);
		if (add_words(st, b, b->line[i], err) == -1)
			return -1;
	}
	for (c = 0; c < COLUMNS; c++)
		if (ctx_buf_fail(&b->col[c], err) == -1)
			return -1;
	return 0;
}

/* The statement failed.  Returns 1 if it had been committed, or -1. */
static int
lost(struct ctx_store *st, struct batch *b, const struct ctx_err *why,
    struct ctx_err *err)
{
	int64_t seq, turn;

	if (st->depth > 0 || st->db->loss != CTX_PG_LOST)
		return ctx_fail(err, why->code, "%s", why->text);
	if (ctx_outcome_ask(st, &seq, &turn, err) == -1)
		return -1;
	number(b, seq, turn);
	return 1;
}

/* Returns 1 if all are stored, 0 if none is, or -1. */
static int
send(struct ctx_store *st, struct batch *b, struct ctx_err *err)
{
	struct ctx_conn_args a = { 0 };
	struct ctx_err why = { 0 };
	PGresult *res;
	int c, rc = 0;

	if (fill(st, b, err) == -1 || (st->depth == 0 &&
	    ctx_outcome_token(st, err) == -1))
		return -1;
	bind_where(st, b, &a);
	ctx_conn_int(&a, (int64_t)b->n);
	ctx_conn_int(&a, b->how->turn);
	ctx_conn_int(&a, b->opened);
	ctx_conn_int(&a, b->how->expect_seq);
	ctx_conn_int(&a, b->now);
	for (c = 0; c < COLUMNS; c++)
		bind_column(b, (enum column)c, &a);
	/* in a transaction, its end leaves the token */
	ctx_conn_bytes(&a, st->depth > 0 ? NULL : st->db->token, CTX_PG_TOKEN,
	    BYTEA);
	if (ctx_conn_run(st, append_sql, &a, &res, &why) == -1)
		return st->db->constraint ? 0 : lost(st, b, &why, err);
	if (PQntuples(res) == 1) {
		number(b, ctx_conn_number(res, 0, 0),
		    ctx_conn_number(res, 0, 1));
		st->db->losses = 0;
		rc = 1;
	}
	PQclear(res);
	return ctx_conn_confirmed(st, err) == -1 ? -1 : rc;
}

/* Store the lines in a transaction; make the context first, if it is missing. */
static int
store_within(struct ctx_store *st, struct batch *b, int make,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	struct ctx_ref ref;
	int rc = 0;

	if (ctx_db_begin(st, err) == -1)
		return -1;
	if (!make || ctx_context_make(st, &b->how->where, &b->how->make, &ref,
	    &why) == 0)
		rc = send(st, b, err);
	if (ctx_db_end(st, rc == 1, rc == 1 ? err : NULL) == -1 && rc == 1)
		rc = -1;
	return rc;
}

/* A statement alone has the isolation that the server has by default. */
static int
store(struct ctx_store *st, struct batch *b, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int rc = send(st, b, &why);

	if (rc == -1 && st->db->clash)
		return store_within(st, b, 0, err);
	return rc != -1 ? rc : ctx_fail(err, why.code, "%s", why.text);
}

/* Take out the lines that are stored.  Returns their number, or -1. */
static int
take_known(struct batch *b, const PGresult *res)
{
	struct ctx_entry *e;
	size_t i, n = 0;
	int row;

	for (row = 0; row < PQntuples(res); row++) {
		e = b->line[ctx_conn_number(res, row, 0) - 1];
		if (ctx_conn_number(res, row, 3) == 0)
			return -1;
		e->seq = ctx_conn_number(res, row, 1);
		e->turn = ctx_conn_number(res, row, 2);
		b->line[ctx_conn_number(res, row, 0) - 1] = NULL;
	}
	for (i = 0; i < b->n; i++)
		if (b->line[i] != NULL)
			b->line[n++] = b->line[i];
	b->n = n;
	return PQntuples(res);
}

/* Some may be stored already.  Returns as store does. */
static int
store_rest(struct ctx_store *st, struct batch *b, struct ctx_err *err)
{
	struct ctx_conn_args a = { 0 };
	PGresult *res;
	int known;

	bind_where(st, b, &a);
	bind_column(b, MID, &a);
	bind_column(b, JSON, &a);
	if (ctx_conn_run(st, known_sql, &a, &res, err) == -1)
		return -1;
	known = take_known(b, res);
	PQclear(res);
	if (known == 0)
		return store_within(st, b, 1, err);
	if (known == -1 || b->how->expect_seq != 0 || b->how->turn != 0)
		return 0;
	if (b->n > 0)
		return store(st, b, err);
	return ctx_outcome_settle(st, err) == -1 ? -1 : 1;
}

int
ctx_log_batch(struct ctx_store *st, const struct ctx_append *how,
    struct ctx_entry *lines, size_t n, struct ctx_err *err)
{
	struct batch b = { .how = how, .n = n, .now = ctx_when_now() };
	size_t i;
	int rc, c;

	if (st->depth > 0 || !is_simple(how, lines, n))
		return 0;
	if ((b.line = calloc(n, sizeof(*b.line))) == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < n; i++)
		b.line[i] = &lines[i];
	if ((rc = store(st, &b, err)) == 0)
		rc = store_rest(st, &b, err);
	for (c = 0; c < COLUMNS; c++)
		ctx_buf_done(&b.col[c]);
	ctx_buf_done(&b.words);
	ctx_buf_done(&b.text);
	ctx_buf_done(&b.lexemes);
	free(b.line);
	return rc;
}

int
ctx_log_batch_hold(struct ctx_store *st, const struct ctx_append *how,
    struct ctx_err *err)
{
	struct ctx_conn_args a = { 0 };
	struct ctx_buf ids = { 0 };
	PGresult *res = NULL;
	const char *name;
	size_t i, len;
	int64_t id;
	int rc;

	if (how->threads == NULL)
		return 0;
	begin_array(&ids, INT8, how->threads->n);
	for (i = 0; i < how->threads->n; i++) {
		/* the last byte is the NUL */
		name = ctx_strmap_at(how->threads, i, &len);
		add_int(&ids, *ctx_db_new_thread(name, len - 1, &id));
	}
	ctx_conn_bytes(&a, ids.data, ids.len, 1016);
	rc = ctx_buf_fail(&ids, err) == -1 ? -1 : ctx_conn_run(st, "SELECT id"
	    " FROM thread WHERE id = ANY($1) ORDER BY id FOR UPDATE", &a,
	    &res, err);
	PQclear(res);
	ctx_buf_done(&ids);
	return rc;
}

int
ctx_log_batch_again(struct ctx_store *st)
{
	return ctx_outcome_again(st);
}
