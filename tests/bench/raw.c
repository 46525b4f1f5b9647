/* SPDX-License-Identifier: MIT */
/*
 * raw DB N: insert each line of standard input as a row into a plain table,
 * with N rows in a transaction.  This shows the speed of SQLite itself with the
 * same journal and syncing.  If N is 1, each commit is answered with a line.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *db;

static void
check(int rc, int want)
{
	if (rc == want)
		return;
	fprintf(stderr, "raw: %s\n", sqlite3_errmsg(db));
	exit(4);
}

static void
sql(const char *text)
{
	check(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
}

int
main(int argc, char *argv[])
{
	sqlite3_stmt *insert;
	unsigned long n = 0, batch;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (argc != 3 || (batch = strtoul(argv[2], NULL, 10)) == 0)
		return 2;
	check(sqlite3_open(argv[1], &db), SQLITE_OK);
	sql("PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;"
	    "CREATE TABLE IF NOT EXISTS message(id INTEGER PRIMARY KEY, json TEXT)");
	check(sqlite3_prepare_v2(db, "INSERT INTO message(json) VALUES(?1)",
	    -1, &insert, NULL), SQLITE_OK);
	while ((len = getline(&line, &cap, stdin)) > 0) {
		if (n++ % batch == 0)
			sql("BEGIN");
		sqlite3_bind_text(insert, 1, line, (int)len, SQLITE_STATIC);
		check(sqlite3_step(insert), SQLITE_DONE);
		sqlite3_reset(insert);
		if (n % batch == 0)
			sql("COMMIT");
		if (batch == 1) {
			puts("{}");
			fflush(stdout);
		}
	}
	if (n % batch != 0)
		sql("COMMIT");
	free(line);
	sqlite3_finalize(insert);
	return sqlite3_close(db) == SQLITE_OK ? 0 : 4;
}
