/* SPDX-License-Identifier: MIT */
/*
 * Rows of PostgreSQL under the names that lib/store knows.  Its sources are
 * compiled a second time, with CTX_PG, for the helper ctx-store-pg, where
 * lib/pg takes the place of what is about files.  They reach the database only
 * by store/db.h and by the few calls of SQLite below, so one logic serves
 * both; sql.h says what becomes of their SQL.
 *
 * Without CTX_PG there is nothing here: these names are then SQLite's.
 */
#ifndef CTX_STORE_DB_PG_H
#define CTX_STORE_DB_PG_H

#ifdef CTX_PG

#include <stddef.h>
#include <stdint.h>

typedef struct ctx_pg sqlite3;
typedef struct ctx_pg_stmt sqlite3_stmt;
typedef int64_t sqlite3_int64;

/* Cutters of words; see pg/words.h. */
typedef struct ctx_word_cutter Fts5Tokenizer;
typedef struct {
	int (*xTokenize)(Fts5Tokenizer *, void *, int, const char *, int,
	    int (*)(void *, int, const char *, int, int, int));
	void (*xDelete)(Fts5Tokenizer *);
} fts5_tokenizer;
#define FTS5_TOKENIZE_DOCUMENT	0

#define SQLITE_OK		0
#define SQLITE_ERROR		1
#define SQLITE_NOMEM		7
#define SQLITE_CONSTRAINT	19
#define SQLITE_INTEGER		1
#define SQLITE_TEXT		3
#define SQLITE_BLOB		4
#define SQLITE_NULL		5
#define SQLITE_UTF8		1
#define SQLITE_STATIC		NULL

#define sqlite3_bind_int64		ctx_pg_bind_int
#define sqlite3_bind_null(q, i)		ctx_pg_bind_text(q, i, NULL, 0, NULL, 0)
#define sqlite3_bind_text(q, i, p, n, x) \
	ctx_pg_bind_text(q, i, p, strlen(p), NULL, 0)
#define sqlite3_bind_text64		ctx_pg_bind_text
#define sqlite3_changes			ctx_pg_changes
#define sqlite3_column_blob		ctx_pg_blob
#define sqlite3_column_bytes		ctx_pg_bytes
#define sqlite3_column_count		ctx_pg_columns
#define sqlite3_column_int(q, col)	((int)ctx_pg_int(q, col))
#define sqlite3_column_int64		ctx_pg_int
#define sqlite3_column_text(q, col) \
	((const unsigned char *)ctx_pg_blob(q, col))
#define sqlite3_column_type		ctx_pg_type
#define sqlite3_errcode			ctx_pg_errcode
#define sqlite3_finalize		ctx_pg_finalize
#define sqlite3_last_insert_rowid	ctx_pg_inserted
#define sqlite3_prepare_v2		ctx_pg_prepare
#define sqlite3_reset			ctx_pg_reset

/* A column of the row that ctx_db_row got; texts end in a NUL. */
int64_t	ctx_pg_int(const struct ctx_pg_stmt *q, int col);
const void *ctx_pg_blob(const struct ctx_pg_stmt *q, int col);
int	ctx_pg_bytes(const struct ctx_pg_stmt *q, int col);
int	ctx_pg_type(const struct ctx_pg_stmt *q, int col);
int	ctx_pg_columns(const struct ctx_pg_stmt *q);

/* End a statement; always returns 0.  NULL is ignored. */
int	ctx_pg_reset(struct ctx_pg_stmt *q);

/*
 * A statement that is made of parts: it runs with what was bound when its first
 * row is asked for.  len, tail, destroy and encoding mean nothing here.
 */
int	ctx_pg_prepare(struct ctx_pg *pg, const char *sql, int len,
	    struct ctx_pg_stmt **out, const char **tail);
int	ctx_pg_bind_int(struct ctx_pg_stmt *q, int i, int64_t v);
int	ctx_pg_bind_text(struct ctx_pg_stmt *q, int i, const char *p, size_t n,
	    void (*destroy)(void *), int encoding);
int	ctx_pg_finalize(struct ctx_pg_stmt *q);

/* Was the last failure that of a constraint? */
int	ctx_pg_errcode(const struct ctx_pg *pg);

/* How many rows the last statement changed, and the number it gave to one. */
int	ctx_pg_changes(const struct ctx_pg *pg);
int64_t	ctx_pg_inserted(struct ctx_pg *pg);

#endif
#endif
