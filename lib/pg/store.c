/* SPDX-License-Identifier: MIT */
/* Open and close a store on PostgreSQL; see store/store.h. */
#include "store/store.h"

#include <libpq-fe.h>
#include <stdlib.h>

#include "pg/conn.h"
#include "pg/outcome.h"
#include "pg/schema.h"
#include "pg/words.h"

void
ctx_store_alone(void)
{
}

static int
check_version(struct ctx_store *st, int create, struct ctx_err *err)
{
	int64_t v;

	if ((st->writer ? ctx_tables_write(st, &v, err) :
	    ctx_tables_version(st, &v, err)) == -1)
		return -1;
	if (v == CTX_TABLES_VERSION)
		return 0;
	if (v > CTX_TABLES_VERSION)
		return ctx_fail(err, CTX_ESYSTEM, "%s: version %lld is newer "
		    "than this program's version %d", st->path, (long long)v,
		    CTX_TABLES_VERSION);
	if (create)
		return ctx_tables_make(st, err);
	return ctx_fail(err, CTX_ENO, "%s: no such store", st->path);
}

int
ctx_store_open(struct ctx_store **out, const char *path, unsigned mode,
    struct ctx_err *err)
{
	struct ctx_store *st = calloc(1, sizeof(*st));

	if (st == NULL || (st->db = calloc(1, sizeof(*st->db))) == NULL) {
		free(st);
		return ctx_fail_nomem(err);
	}
	mode &= ~(unsigned)CTX_STORE_SINGLE_HOST;
	st->writer = mode != CTX_STORE_READ;
	st->lockfd = -1;
	if (path == NULL)
		path = getenv("CTX_DB");
	if (path == NULL || !ctx_store_is_url(path))
		ctx_fail(err, CTX_EUSAGE,
		    "no database; give --db postgresql://HOST/DATABASE");
	else if (ctx_conn_open(st, path, err) == 0 && check_version(st,
	    mode == CTX_STORE_CREATE, err) == 0) {
		*out = st;
		return 0;
	}
	ctx_store_close(st, NULL);
	return -1;
}

int
ctx_store_close(struct ctx_store *st, struct ctx_err *err)
{
	(void)err;
	if (st == NULL)
		return 0;
	ctx_db_forget(st);
	ctx_outcome_sweep(st);
	ctx_words_close(st->db->words[0]);
	ctx_words_close(st->db->words[1]);
	PQfinish(st->db->conn);
	free(st->db);
	free(st->path);
	free(st);
	return 0;
}

void
ctx_store_watch(struct ctx_store *st, void (*fn)(void *arg), void *arg)
{
	st->watch = fn;
	st->watch_arg = arg;
}
