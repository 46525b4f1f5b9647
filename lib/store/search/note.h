/* SPDX-License-Identifier: MIT */
/*
 * What search finds besides messages: a note is a summary, a memory, or a
 * version of a file.  It has a text of its own (a summary's words; names,
 * summary and insights; name, language, description or digest); memories and
 * code have contents as well.  Contents are indexed by piece, as body.h stores
 * them, so what notes share is indexed once.  For this folder only.
 */
#ifndef CTX_STORE_SEARCH_NOTE_H
#define CTX_STORE_SEARCH_NOTE_H

#include "base/buf.h"
#include "store/db.h"
#include "store/search/query.h"

/*
 * Numbers in the index: those of messages are below CTX_NOTE_TEXT; a note's
 * own text has that plus its row, and contents have CTX_NOTE_BODY plus their
 * row.  FTS5 needs increasing numbers and works best with small ones: these
 * take 5 bytes.
 */
#define CTX_NOTE_TEXT	(INT64_C(1) << 34)
#define CTX_NOTE_BODY	(INT64_C(3) << 33)

struct ctx_note {
	int64_t id;
	const char *kind;		/* "summary", "memory", "code" or
					   "upload" */
	int64_t thread, context;	/* context 0 for files */
	int64_t n;			/* its number, turn or version */
	const char *name;		/* "" for summaries */
};

/*
 * Fill in the note from a row whose first columns are id, kind, thread,
 * context, n and name.  The texts belong to the statement.
 */
void	ctx_note_fill(struct ctx_note *note, sqlite3_stmt *q);

/*
 * In a write transaction: add a note for what was just stored (its id is
 * ignored) and index it.
 */
int	ctx_note_add(struct ctx_store *st, const struct ctx_note *note,
	    struct ctx_err *err);

/*
 * In a write transaction: add and index notes for everything of a thread that
 * has none; for rows that were imported.
 */
int	ctx_note_add_thread(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/* Index what is not indexed, in several transactions.  *n counts. */
int	ctx_note_add_all(struct ctx_store *st, int64_t *n,
	    struct ctx_err *err);

/*
 * In a write transaction, remove what is about to be deleted: the notes of the
 * contexts of a thread listed in temp.gone, where -1 means its files; the
 * notes that match what, where n -1 means any; or the contents in temp.loose.
 */
int	ctx_note_forget(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);
int	ctx_note_forget_these(struct ctx_store *st, const struct ctx_note *what,
	    struct ctx_err *err);
int	ctx_note_forget_bodies(struct ctx_store *st, struct ctx_err *err);

/* Append a note's own text, or its contents. */
int	ctx_note_text(struct ctx_store *st, const struct ctx_note *note,
	    struct ctx_buf *out, struct ctx_err *err);
int	ctx_note_contents(struct ctx_store *st, const struct ctx_note *note,
	    struct ctx_buf *out, struct ctx_err *err);

/* Row numbers, in ascending order without duplicates. */
struct ctx_note_ids {
	int64_t *id;
	size_t n, cap;
};

/*
 * Find the notes that contain all parts of a query, in their text or their
 * contents.
 */
int	ctx_note_match(struct ctx_query *q, struct ctx_note_ids *out,
	    struct ctx_err *err);
int	ctx_note_ids_add(struct ctx_note_ids *ids, int64_t id,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_note_ids_has(const struct ctx_note_ids *ids, int64_t id);
void	ctx_note_ids_done(struct ctx_note_ids *ids);

#endif
