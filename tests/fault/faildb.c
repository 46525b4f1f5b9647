/* SPDX-License-Identifier: MIT */
/*
 * Makes a database fail; a library to preload, see fails.h.  It counts the
 * calls of SQLite with which the program requests something that can fail, but
 * not SQLite's calls of its own functions.  The failure is an I/O error.
 */
#include "fails.h"

#include <link.h>
#include <sqlite3.h>

static uintptr_t low, high;	/* the addresses of the program */

/* The first object is the program. */
static int
program(struct dl_phdr_info *info, size_t size, void *arg)
{
	const ElfW(Phdr) *p;
	int i;

	(void)size;
	(void)arg;
	low = UINTPTR_MAX;
	for (i = 0; i < info->dlpi_phnum; i++) {
		p = &info->dlpi_phdr[i];
		if (p->p_type != PT_LOAD)
			continue;
		if (info->dlpi_addr + p->p_vaddr < low)
			low = info->dlpi_addr + p->p_vaddr;
		if (info->dlpi_addr + p->p_vaddr + p->p_memsz > high)
			high = info->dlpi_addr + p->p_vaddr + p->p_memsz;
	}
	return 1;
}

static void
find(void)
{
	dl_iterate_phdr(program, NULL);
}

/* name(args), with its types, is counted; after `undo`, it fails. */
#define CALL(name, types, args, undo)					\
int									\
name types								\
{									\
	static int (*real) types;					\
	uintptr_t from = (uintptr_t)__builtin_return_address(0);	\
									\
	if (real == NULL)						\
		FIND(real, #name);					\
	if (from < low || from >= high || !fails())			\
		return real args;					\
	undo;								\
	return SQLITE_IOERR;						\
}

CALL(sqlite3_open_v2, (const char *path, sqlite3 **db, int flags,
    const char *vfs), (path, db, flags, vfs), *db = NULL)
CALL(sqlite3_exec, (sqlite3 *db, const char *sql,
    int (*fn)(void *, int, char **, char **), void *arg, char **why),
    (db, sql, fn, arg, why), if (why != NULL) *why = NULL)
CALL(sqlite3_prepare_v2, (sqlite3 *db, const char *sql, int n,
    sqlite3_stmt **q, const char **tail), (db, sql, n, q, tail), *q = NULL)
CALL(sqlite3_prepare_v3, (sqlite3 *db, const char *sql, int n,
    unsigned int flags, sqlite3_stmt **q, const char **tail),
    (db, sql, n, flags, q, tail), *q = NULL)
CALL(sqlite3_step, (sqlite3_stmt *q), (q), )
CALL(sqlite3_wal_checkpoint_v2, (sqlite3 *db, const char *name, int mode,
    int *log, int *done), (db, name, mode, log, done), )
CALL(sqlite3_bind_int64, (sqlite3_stmt *q, int i, sqlite3_int64 v),
    (q, i, v), )
CALL(sqlite3_bind_null, (sqlite3_stmt *q, int i), (q, i), )
CALL(sqlite3_bind_text, (sqlite3_stmt *q, int i, const char *p, int n,
    void (*done)(void *)), (q, i, p, n, done), )
CALL(sqlite3_bind_text64, (sqlite3_stmt *q, int i, const char *p,
    sqlite3_uint64 n, void (*done)(void *), unsigned char how),
    (q, i, p, n, done, how), )
CALL(sqlite3_bind_blob64, (sqlite3_stmt *q, int i, const void *p,
    sqlite3_uint64 n, void (*done)(void *)), (q, i, p, n, done), )
CALL(sqlite3_bind_value, (sqlite3_stmt *q, int i, const sqlite3_value *v),
    (q, i, v), )
CALL(sqlite3_bind_pointer, (sqlite3_stmt *q, int i, void *p,
    const char *type, void (*done)(void *)), (q, i, p, type, done), )
