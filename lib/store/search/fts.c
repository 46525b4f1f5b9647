/* SPDX-License-Identifier: MIT */
/* The tables of FTS5; see fts.h. */
#include "store/search/fts.h"

#include <stdio.h>
#include <string.h>

#include "store/search/query.h"

int
ctx_fts_exact(void)
{
	return 1;
}

/* Without a command the row is added. */
static int
write_row(struct ctx_store *st, enum ctx_fts fts, const char *command,
    int64_t row, const struct ctx_buf *text, struct ctx_err *err)
{
	const char *p = text->data != NULL ? text->data : "";

	if (fts == CTX_FTS_TRIGRAMS)
		return ctx_db_run(st, err, "INSERT INTO trigram(trigram,"
		    " rowid, text) VALUES(?1, ?2, ?3)", "sit", command, row,
		    p, text->len);
	return ctx_db_run(st, err, "INSERT INTO search(search, rowid, text)"
	    " VALUES(?1, ?2, ?3)", "sit", command, row, p, text->len);
}

int
ctx_fts_add(struct ctx_store *st, enum ctx_fts fts, int64_t row,
    const struct ctx_buf *text, struct ctx_err *err)
{
	return write_row(st, fts, NULL, row, text, err);
}

int
ctx_fts_remove(struct ctx_store *st, enum ctx_fts fts, int64_t row,
    const struct ctx_buf *text, struct ctx_err *err)
{
	return write_row(st, fts, "delete", row, text, err);
}

int
ctx_fts_forget(struct ctx_store *st, enum ctx_fts_gone what, int64_t thread,
    struct ctx_err *err)
{
	(void)st;
	(void)what;
	(void)thread;
	(void)err;
	return 0;
}

/* A command for the whole index. */
static int
command(struct ctx_store *st, enum ctx_fts fts, const char *name,
    struct ctx_err *err)
{
	return fts == CTX_FTS_TRIGRAMS ? ctx_db_run(st, err, "INSERT INTO"
	    " trigram(trigram) VALUES(?1)", "s", name) : ctx_db_run(st, err,
	    "INSERT INTO search(search) VALUES(?1)", "s", name);
}

int
ctx_fts_empty(struct ctx_store *st, enum ctx_fts fts, struct ctx_err *err)
{
	return command(st, fts, "delete-all", err);
}

int
ctx_fts_merge(struct ctx_store *st, enum ctx_fts fts, struct ctx_err *err)
{
	return command(st, fts, "optimize", err);
}

int
ctx_fts_make_trigrams(struct ctx_store *st, struct ctx_err *err)
{
	if (sqlite3_libversion_number() < 3034000)
		return ctx_fail(err, CTX_ESYSTEM, "an index of trigrams needs "
		    "SQLite 3.34 or later; this is %s", sqlite3_libversion());
	return ctx_db_exec(st, "CREATE VIRTUAL TABLE trigram USING fts5(text,"
	    " content='', columnsize=0, detail=none, tokenize='trigram')",
	    err);
}
