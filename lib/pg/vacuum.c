/* SPDX-License-Identifier: MIT */
/* The space that removed rows took; see store/keep.h. */
#include "store/keep.h"

#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "pg/conn.h"

#define TABLES	" meta, thread, event, done, context, message, bundle, body," \
	" body_part, ckpt, ckpt_write, view, view_part, summary, state," \
	" user_state, snapshot, snapshot_part, snapshot_link, file, note," \
	" vector_model, message_vector, search, typed_tool"
#define WANTED	"trigram, vector_near"

#define READER_MS	5000	/* what a reader is waited for */
#define PAUSE_MS	50

/*
 * Does a transaction run that began before the one that wrote the row "traces",
 * so that the server keeps for it what was removed?  Returns 1, 0 or -1.
 */
static int
is_read(struct ctx_store *st, struct ctx_err *err)
{
	int64_t n;

	return ctx_db_int(st, &n, err, "SELECT 1 FROM pg_stat_activity a JOIN"
	    " meta m ON m.key = 'traces' WHERE a.pid <> pg_backend_pid() AND"
	    " coalesce(a.datname, current_database()) = current_database() AND"
	    " (age(a.backend_xmin) >= age(m.xmin) OR age(a.backend_xid) >="
	    " age(m.xmin)) LIMIT 1", "");
}

static int
await_readers(struct ctx_store *st, struct ctx_err *err)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	int i, rc;

	for (i = 0; (rc = is_read(st, err)) == 1 &&
	    i < READER_MS / PAUSE_MS; i++)
		nanosleep(&pause, NULL);
	return rc;
}

/* Run how on all tables, and on those that are there only if wanted. */
static int
vacuum(struct ctx_store *st, const char *how, struct ctx_err *err)
{
	struct ctx_buf sql = { 0 };
	char *more;
	int rc = ctx_db_text(st, &more, err, "SELECT ', ' || string_agg(name,"
	    " ', ') FROM unnest(string_to_array('" WANTED "', ', ')) t(name)"
	    " WHERE to_regclass(name) IS NOT NULL", "");

	if (rc == -1)
		return -1;
	ctx_buf_addf(&sql, "%s" TABLES "%s", how, rc == 1 ? more : "");
	rc = ctx_buf_str(&sql) == NULL ? ctx_fail_nomem(err) :
	    ctx_conn_exec(st, sql.data, err);
	ctx_buf_done(&sql);
	free(more);
	return rc;
}

/* Not in a transaction.  Returns 1, 0 if removed rows are still read, or -1. */
static int
compact(struct ctx_store *st, const char *how, struct ctx_err *err)
{
	int read;

	if (ctx_db_run(st, err, "UPDATE meta SET value = value WHERE key ="
	    " 'traces'", "") == -1 || (read = await_readers(st, err)) == -1 ||
	    vacuum(st, how, err) == -1)
		return -1;
	if (read)
		return 0;
	return ctx_db_run(st, err, "DELETE FROM meta WHERE key = 'traces'",
	    "") == -1 ? -1 : 1;
}

/* Others go on with their work. */
int
ctx_keep_compact(struct ctx_store *st, struct ctx_err *err)
{
	return compact(st, "VACUUM", err);
}

static int
tables_size(struct ctx_store *st, int64_t *size, struct ctx_err *err)
{
	return ctx_db_int(st, size, err, "SELECT sum(pg_total_relation_size("
	    "to_regclass(trim(name)))) FROM unnest(string_to_array('" TABLES
	    ", " WANTED "', ',')) t(name)", "") == 1 ? 0 : -1;
}

/* Each table is written anew, and who uses it waits. */
int
ctx_keep_vacuum(struct ctx_store *st, int64_t *before, int64_t *after,
    struct ctx_err *err)
{
	return tables_size(st, before, err) == -1 ||
	    compact(st, "VACUUM FULL", err) == -1 ||
	    tables_size(st, after, err) == -1 ? -1 : 0;
}
