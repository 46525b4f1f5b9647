/* SPDX-License-Identifier: MIT */
/*
 * The tables.  thread comes first in every key, so that a server could
 * partition them by thread.  Contents over a size limit (log.c), and
 * everything that repeats, are stored once in body, under their SHA-256.
 */
#include "store/schema.h"

static const char version_1[] =
/*
 * Facts about the store itself: 'place' (random), 'cut' (of search) and so on.
 */
"CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value ANY)"
" STRICT, WITHOUT ROWID;"

"CREATE TABLE thread ("
" id INTEGER PRIMARY KEY,"
" name TEXT NOT NULL UNIQUE,"
" user TEXT,"
" head INTEGER NOT NULL DEFAULT 0,"	/* the current context */
" created INTEGER NOT NULL,"
" updated INTEGER NOT NULL,"
" pinned INTEGER NOT NULL DEFAULT 0,"
" place TEXT,"				/* name of its workspace */
" attrs TEXT) STRICT;"
"CREATE INDEX thread_updated ON thread(updated);"

"CREATE TABLE context ("
" thread INTEGER NOT NULL REFERENCES thread(id),"
" id INTEGER NOT NULL,"			/* 0 is main */
" name TEXT NOT NULL,"
" kind INTEGER NOT NULL,"		/* enum ctx_context_kind */
" parent INTEGER,"
" parent_seq INTEGER,"			/* of the parent's log, inherited */
" next_seq INTEGER NOT NULL,"
" turn INTEGER NOT NULL,"		/* of the newest message */
" created INTEGER NOT NULL,"
" attrs TEXT,"
" PRIMARY KEY(thread, id), UNIQUE(thread, name)) STRICT, WITHOUT ROWID;"

/* The line of a message is in json, or in body if it is long. */
"CREATE TABLE message ("
" id INTEGER PRIMARY KEY,"
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" seq INTEGER NOT NULL,"
" mid TEXT,"
" role TEXT,"
" turn INTEGER NOT NULL,"
" ts INTEGER NOT NULL,"
" tokens INTEGER,"
" json TEXT,"
" body INTEGER REFERENCES body(id),"
" crc INTEGER NOT NULL,"		/* ctx_log_line_sum */
" words INTEGER NOT NULL DEFAULT 0,"	/* cut (index.c) used; 0: not indexed */
" UNIQUE(thread, context, seq)) STRICT;"
"CREATE UNIQUE INDEX message_mid ON message(thread, context, mid)"
" WHERE mid IS NOT NULL;"
"CREATE INDEX message_words ON message(words) WHERE words = 0;"
"CREATE INDEX message_body ON message(body) WHERE body IS NOT NULL;"

/*
 * The contents are data or, if kind is 1, the bodies in body_part,
 * concatenated.
 */
"CREATE TABLE body ("
" id INTEGER PRIMARY KEY,"
" hash BLOB NOT NULL UNIQUE,"
" size INTEGER NOT NULL,"
" kind INTEGER NOT NULL,"
" data BLOB) STRICT;"
"CREATE TABLE body_part ("
" body INTEGER NOT NULL REFERENCES body(id),"
" pos INTEGER NOT NULL,"
" part INTEGER NOT NULL REFERENCES body(id),"
" PRIMARY KEY(body, pos)) STRICT, WITHOUT ROWID;"
"CREATE INDEX body_part_part ON body_part(part);"

"CREATE TABLE ckpt ("
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" ns TEXT NOT NULL,"
" name TEXT NOT NULL,"
" n INTEGER NOT NULL,"			/* its number in the context */
" parent TEXT,"
" upto_seq INTEGER NOT NULL,"
" state INTEGER REFERENCES body(id),"
" meta INTEGER REFERENCES body(id),"
" ts INTEGER NOT NULL,"
" PRIMARY KEY(thread, context, ns, name),"
" UNIQUE(thread, context, n)) STRICT, WITHOUT ROWID;"
"CREATE INDEX ckpt_state ON ckpt(state) WHERE state IS NOT NULL;"
"CREATE INDEX ckpt_meta ON ckpt(meta) WHERE meta IS NOT NULL;"
/* Writes of an unfinished step, as LangGraph stores them. */
"CREATE TABLE ckpt_write ("
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" ns TEXT NOT NULL,"
" name TEXT NOT NULL,"
" task TEXT NOT NULL,"
" idx INTEGER NOT NULL,"
" channel TEXT NOT NULL,"
" type TEXT,"
" body INTEGER REFERENCES body(id),"
" PRIMARY KEY(thread, context, ns, name, task, idx)) STRICT, WITHOUT ROWID;"
"CREATE INDEX ckpt_write_body ON ckpt_write(body) WHERE body IS NOT NULL;"

/* What the model saw: each put is a version n, a list of ranges and texts. */
"CREATE TABLE view ("
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" name TEXT NOT NULL,"
" n INTEGER NOT NULL,"
" upto_seq INTEGER NOT NULL,"		/* the log's end at the put */
" ts INTEGER NOT NULL,"
" PRIMARY KEY(thread, context, name, n)) STRICT, WITHOUT ROWID;"
"CREATE TABLE view_part ("
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" name TEXT NOT NULL,"
" n INTEGER NOT NULL,"
" pos INTEGER NOT NULL,"
" from_seq INTEGER,"
" to_seq INTEGER,"
" body INTEGER REFERENCES body(id),"
" PRIMARY KEY(thread, context, name, n, pos)) STRICT, WITHOUT ROWID;"
"CREATE INDEX view_part_body ON view_part(body) WHERE body IS NOT NULL;"

"CREATE TABLE summary ("
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" n INTEGER NOT NULL,"
" upto_seq INTEGER NOT NULL,"
" body INTEGER NOT NULL REFERENCES body(id),"
" ts INTEGER NOT NULL,"
" PRIMARY KEY(thread, context, n)) STRICT, WITHOUT ROWID;"
"CREATE INDEX summary_body ON summary(body);"

/* A member's value, unchanged; context -1 is the thread's own level. */
"CREATE TABLE state ("
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" key TEXT NOT NULL,"
" pos INTEGER NOT NULL,"
" body INTEGER NOT NULL REFERENCES body(id),"
" PRIMARY KEY(thread, context, key)) STRICT, WITHOUT ROWID;"
"CREATE INDEX state_pos ON state(thread, context, pos);"
"CREATE INDEX state_body ON state(body);"
"CREATE TABLE user_state ("
" user TEXT NOT NULL,"
" key TEXT NOT NULL,"
" pos INTEGER NOT NULL,"
" body INTEGER NOT NULL REFERENCES body(id),"
" PRIMARY KEY(user, key)) STRICT, WITHOUT ROWID;"
"CREATE INDEX user_state_pos ON user_state(user, pos);"
"CREATE INDEX user_state_body ON user_state(body);"

/* Memory: what an agent knew at a turn. */
"CREATE TABLE snapshot ("
" id INTEGER PRIMARY KEY,"
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" turn INTEGER NOT NULL,"
" name TEXT NOT NULL,"
" ts INTEGER NOT NULL,"
" summary TEXT,"
" insights TEXT,"			/* a JSON array */
" UNIQUE(thread, context, turn, name)) STRICT;"
"CREATE TABLE snapshot_part ("
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" turn INTEGER NOT NULL,"
" snapshot TEXT NOT NULL,"
" pos INTEGER NOT NULL,"
" name TEXT,"				/* of the file; NULL: standard input */
" body INTEGER NOT NULL REFERENCES body(id),"
" PRIMARY KEY(thread, context, turn, snapshot, pos))"
" STRICT, WITHOUT ROWID;"
"CREATE INDEX snapshot_part_body ON snapshot_part(body);"
"CREATE TABLE snapshot_link ("
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" turn INTEGER NOT NULL,"
" snapshot TEXT NOT NULL,"
" pos INTEGER NOT NULL,"
" target TEXT NOT NULL,"
" PRIMARY KEY(thread, context, turn, snapshot, pos))"
" STRICT, WITHOUT ROWID;"

/* Code and uploads, all versions. */
"CREATE TABLE file ("
" thread INTEGER NOT NULL,"
" kind TEXT NOT NULL,"			/* 'code' or 'upload' */
" name TEXT NOT NULL,"
" version INTEGER NOT NULL,"
" lang TEXT,"
" descr TEXT,"
" lines INTEGER NOT NULL,"
" chars INTEGER NOT NULL,"
" mime TEXT,"
" body INTEGER REFERENCES body(id),"	/* NULL: removed */
" ts INTEGER NOT NULL,"
" PRIMARY KEY(thread, kind, name, version)) STRICT, WITHOUT ROWID;"
"CREATE INDEX file_body ON file(body) WHERE body IS NOT NULL;"

/* One vector for each message and model, as little-endian 32-bit floats. */
"CREATE TABLE vector ("
" message INTEGER NOT NULL REFERENCES message(id),"
" model TEXT NOT NULL,"
" dim INTEGER NOT NULL,"
" data BLOB NOT NULL,"
" PRIMARY KEY(message, model)) STRICT, WITHOUT ROWID;"

/*
 * The words, cut by index.c; rowid is a message's id.  The index holds no
 * text: to remove an entry, FTS5 must be given what was put in.
 */
"CREATE VIRTUAL TABLE search USING fts5(text, content='', tokenize="
"\"unicode61 remove_diacritics 2\");";

/*
 * Search over more than messages: a note is a summary, a memory, or a version
 * of a file; n is its number, turn or version (note.h).
 */
static const char version_2[] =
"CREATE TABLE note ("
" id INTEGER PRIMARY KEY,"
" kind TEXT NOT NULL,"			/* summary, memory, code, upload */
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"		/* 0 for files */
" n INTEGER NOT NULL,"
" name TEXT NOT NULL,"			/* '' for summaries */
" words INTEGER NOT NULL DEFAULT 0,"	/* as in message */
" UNIQUE(thread, kind, context, n, name)) STRICT;"
"CREATE INDEX note_words ON note(words) WHERE words = 0;"
"INSERT INTO note(kind, thread, context, n, name)"
" SELECT 'summary', thread, context, n, '' FROM summary;"
"INSERT INTO note(kind, thread, context, n, name)"
" SELECT 'memory', thread, context, turn, name FROM snapshot ORDER BY id;"
"INSERT INTO note(kind, thread, context, n, name)"
" SELECT kind, thread, 0, version, name FROM file WHERE body IS NOT NULL;"
"ALTER TABLE body ADD COLUMN words INTEGER NOT NULL DEFAULT 0;"
/* What an older cut indexed is still found, but not by all of its words. */
"DROP INDEX message_words;"
"CREATE INDEX message_words ON message(words) WHERE words < 2;";

/*
 * Vectors as vector.c stores them, one byte for each number; empty for a
 * message without text.  No program ever filled the previous table.
 */
static const char version_3[] =
"DROP TABLE vector;"
"CREATE TABLE vector_model ("
" id INTEGER PRIMARY KEY,"
" name TEXT NOT NULL UNIQUE,"
" dim INTEGER NOT NULL) STRICT;"
"CREATE TABLE vector ("
" message INTEGER NOT NULL REFERENCES message(id),"
" model INTEGER NOT NULL REFERENCES vector_model(id),"
" data BLOB NOT NULL,"
" UNIQUE(message, model)) STRICT;";

/*
 * The threads of a user, and those that changed since a store that follows
 * this one asked, are found without a look at all threads.
 *
 * A message with neither json nor body has its line in a bundle: lines of the
 * messages first to last, one after the other, as a frame of Zstandard.  lens
 * are their lengths, seven bits a byte, lowest first, all but the last byte of
 * a length with 128 added; 0 for a line that is in body.  size is that of all
 * lines.  Data of body with kind 2 is such a frame, too.
 */
static const char version_4[] =
"CREATE INDEX thread_user ON thread(user) WHERE user IS NOT NULL;"
/* See change.h. */
"ALTER TABLE thread ADD COLUMN change INTEGER NOT NULL DEFAULT 0;"
"CREATE INDEX thread_change ON thread(change);"
"CREATE TABLE event (n INTEGER PRIMARY KEY, thread INTEGER NOT NULL) STRICT;"
/* Messages that a cut may not drop, and what is not a message. */
"CREATE INDEX message_beside ON message(thread, context, seq) WHERE "
CTX_SCHEMA_BESIDE ";"
"CREATE TABLE bundle ("
" id INTEGER PRIMARY KEY,"
" thread INTEGER NOT NULL,"
" context INTEGER NOT NULL,"
" first INTEGER NOT NULL,"
" last INTEGER NOT NULL,"
" size INTEGER NOT NULL,"
" lens BLOB NOT NULL,"
" data BLOB NOT NULL,"
" UNIQUE(thread, context, first)) STRICT;"
/*
 * Indexed messages with tools that are named by a type, which the index does
 * not have (called.h), among those after the message that meta names.
 */
"CREATE TABLE typed_tool (message INTEGER PRIMARY KEY) STRICT;"
"INSERT INTO meta SELECT 'typed_tool', ifnull(max(id), 0) FROM message;";

static const char *const steps[CTX_SCHEMA_VERSION] = {
	version_1, version_2, version_3, version_4
};

static int
step(struct ctx_store *st, int64_t to, struct ctx_err *err)
{
	char *pragma = sqlite3_mprintf("PRAGMA application_id=%d;"
	    "PRAGMA user_version=%d;", CTX_SCHEMA_ID, (int)to);
	int rc;

	if (pragma == NULL)
		return ctx_fail_nomem(err);
	rc = ctx_db_exec(st, steps[to - 1], err);
	if (rc == 0 && to == 1)
		rc = ctx_db_exec(st, "INSERT INTO meta VALUES('place',"
		    "lower(hex(randomblob(8))))", err);
	if (rc == 0)
		rc = ctx_db_exec(st, pragma, err);
	sqlite3_free(pragma);
	return rc;
}

/* In a transaction: run the steps from version v to version to. */
static int
steps_to(struct ctx_store *st, int64_t v, int64_t to, struct ctx_err *err)
{
	while (v < to)
		if (step(st, ++v, err) == -1)
			return -1;
	return 0;
}

int
ctx_schema_upgrade(struct ctx_store *st, int64_t *from, struct ctx_err *err)
{
	int64_t v, to;

	*from = CTX_SCHEMA_VERSION;
	do {
		if (ctx_db_begin(st, err) == -1)
			return -1;
		if (ctx_db_int(st, &v, err, "PRAGMA user_version", "") == -1)
			return ctx_db_end(st, 0, err);
		if (v < *from)
			*from = v;
		/* A new file is made in one step: it has no older readers. */
		to = v == 0 || v >= CTX_SCHEMA_VERSION ? CTX_SCHEMA_VERSION :
		    v + 1;
		if (ctx_db_end(st, steps_to(st, v, to, err) == 0, err) == -1)
			return -1;
	} while (to < CTX_SCHEMA_VERSION);
	return 0;
}

int
ctx_schema_older(const struct ctx_store *st, struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "%s: version %lld is older than this "
	    "program's version %d; run 'ctx-store migrate'", st->path,
	    (long long)st->older, CTX_SCHEMA_VERSION);
}
