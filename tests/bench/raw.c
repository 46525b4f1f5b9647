/* SPDX-License-Identifier: MIT */
/*
 * raw - the speed of SQLite itself with the same journal and syncing
 *
 *	raw DB N	insert each line of standard input as a row into a plain
 *			table, with N rows in a transaction; if N is 1, each
 *			commit is answered with a line
 *	raw DB N words	the same with a column of sessions, an index of it, and an
 *			index of words
 *	raw DB SQL	print the first column of each row
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plain[] =
    "CREATE TABLE IF NOT EXISTS message(id INTEGER PRIMARY KEY, json TEXT)";
static const char words[] =
    "CREATE TABLE IF NOT EXISTS message(id INTEGER PRIMARY KEY, json TEXT,"
    " session TEXT);"
    "CREATE INDEX IF NOT EXISTS message_session ON message(session);"
    "CREATE VIRTUAL TABLE IF NOT EXISTS word USING fts5(json,"
    " content='message', content_rowid='id');"
    "CREATE TRIGGER IF NOT EXISTS added AFTER INSERT ON message BEGIN"
    " INSERT INTO word(rowid, json) VALUES(new.id, new.json); END";

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

static sqlite3_stmt *
prepare(const char *text)
{
	sqlite3_stmt *q;

	check(sqlite3_prepare_v2(db, text, -1, &q, NULL), SQLITE_OK);
	return q;
}

static void
print_rows(const char *text)
{
	sqlite3_stmt *q = prepare(text);
	int rc;

	while ((rc = sqlite3_step(q)) == SQLITE_ROW)
		printf("%s\n", (const char *)sqlite3_column_text(q, 0));
	check(rc, SQLITE_DONE);
	sqlite3_finalize(q);
}

static void
insert_lines(sqlite3_stmt *insert, unsigned long batch)
{
	unsigned long n = 0;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

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
}

int
main(int argc, char *argv[])
{
	unsigned long batch;

	if (argc != 3 && argc != 4)
		return 2;
	check(sqlite3_open(argv[1], &db), SQLITE_OK);
	if ((batch = strtoul(argv[2], NULL, 10)) == 0) {
		print_rows(argv[2]);
	} else {
		sql("PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL");
		sql(argc == 4 ? words : plain);
		insert_lines(prepare(argc == 4 ? "INSERT INTO message(json, "
		    "session) VALUES(?1, json_extract(?1, '$.session'))" :
		    "INSERT INTO message(json) VALUES(?1)"), batch);
	}
	return sqlite3_close(db) == SQLITE_OK ? 0 : 4;
}
