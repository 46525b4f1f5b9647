/* SPDX-License-Identifier: MIT */
/*
 * What is done with files of SQLite, which ctx-store reads and writes itself:
 * this program names the way there.
 */
#include "store/keep.h"
#include "store/port/foreign.h"
#include "store/port/port.h"
#include "store/port/recover.h"
#include "store/port/rescue.h"

int
ctx_foreign_database(struct ctx_store *st, enum ctx_foreign kind,
    const char *path, struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	(void)st;
	(void)kind;
	(void)path;
	(void)sum;
	return ctx_fail(err, CTX_EUSAGE, "databases of other programs are "
	    "imported into a file; run 'ctx-store --db FILE import --from "
	    "...', then 'ctx-store --db FILE export | ctx-store import'");
}

int
ctx_langgraph_export(struct ctx_store *st, const char *path,
    const char *const *names, size_t n, struct ctx_foreign_sum *sum,
    struct ctx_err *err)
{
	(void)st;
	(void)path;
	(void)names;
	(void)n;
	(void)sum;
	return ctx_fail(err, CTX_EUSAGE, "databases of LangGraph are exported "
	    "from a file; run 'ctx-store export | ctx-store --db FILE "
	    "import', then 'ctx-store --db FILE export --to langgraph'");
}

int
ctx_keep_backup(struct ctx_store *st, const char *path, struct ctx_err *err)
{
	(void)st;
	(void)path;
	return ctx_fail(err, CTX_EUSAGE, "a store on PostgreSQL is backed up "
	    "by pg_dump, or copied to a file by 'ctx-store export | "
	    "ctx-store --db FILE import'");
}

int
ctx_keep_wal_defect(void)
{
	return 0;
}

const char *
ctx_keep_library(void)
{
	return NULL;
}

static int
no_recovery(struct ctx_err *err)
{
	return ctx_fail(err, CTX_EUSAGE, "recover reads files of SQLite; a "
	    "store on PostgreSQL is restored from what pg_dump wrote, or from "
	    "a standby");
}

int
ctx_recover(struct ctx_store *from, struct ctx_store *to, ctx_lost_fn *fn,
    void *arg, struct ctx_recovered *sum, struct ctx_err *err)
{
	(void)from;
	(void)to;
	(void)fn;
	(void)arg;
	(void)sum;
	return no_recovery(err);
}

int
ctx_rescue_is_cut(const char *path)
{
	(void)path;
	return 0;
}

int
ctx_rescue_open(struct ctx_store **out, const char *path, const char *near,
    struct ctx_err *err)
{
	(void)out;
	(void)path;
	(void)near;
	return no_recovery(err);
}

int
ctx_store_open_temp(struct ctx_store **out, const char *near,
    struct ctx_err *err)
{
	(void)out;
	(void)near;
	return ctx_fail(err, CTX_EUSAGE, "--dry-run reads into a file of "
	    "SQLite; ctx-store runs it without this program");
}
