/* SPDX-License-Identifier: MIT */
/*
 * What search finds beside messages: a note is a summary, what was remembered
 * at a turn, or a version of a file.  It has a text of its own (a summary's
 * words; names, summary and insights; name, language, description or digest),
 * and what was remembered and code have contents too.  Contents are indexed
 * piece by piece as body.h keeps them, so what notes share is indexed once.
 * For this folder only.
 */
#ifndef CTX_STORE_SEARCH_NOTE_H
#define CTX_STORE_SEARCH_NOTE_H

#include "base/buf.h"
#include "store/db.h"
#include "store/search/query.h"

/*
 * Numbers in the index: those of messages lie below CTX_NOTE_TEXT, a note's own
 * text has that plus its row, contents have CTX_NOTE_BODY plus theirs.  FTS5
 * wants them to grow, and to be small: these take 5 bytes.
 */
#define CTX_NOTE_TEXT	(INT64_C(1) << 34)
#define CTX_NOTE_BODY	(INT64_C(3) << 33)

struct ctx_note {
	int64_t id;
	const char *kind;		/* "summary", "memory", "code", "upload" */
	int64_t thread, context;	/* context 0 for files */
	int64_t n;			/* its number, turn or version */
	const char *name;		/* "" for summaries */
};

/*
 * The note in a row whose first columns are id, kind, thread, context, n and
 * name.  Texts are the statement's.
 */
void	ctx_note_fill(struct ctx_note *note, sqlite3_stmt *q);

/* In a write transaction: note what was just stored (id aside), index it. */
int	ctx_note_add(struct ctx_store *st, const struct ctx_note *note,
	    struct ctx_err *err);

/*
 * In a write transaction: note whatever a thread has that was not, for a
 * thread's rows that came by import; and index it.
 */
int	ctx_note_add_thread(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/* Index what is not, in transactions.  *n counts. */
int	ctx_note_add_all(struct ctx_store *st, int64_t *n,
	    struct ctx_err *err);

/*
 * In a write transaction, what is about to be deleted: the notes of the
 * contexts of a thread that temp.gone lists, -1 standing for its files; those
 * that are as what says, n 0 standing for any; the contents in temp.loose.
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

/* Rows, in ascending order, each once. */
struct ctx_note_ids {
	int64_t *id;
	size_t n, cap;
};

/* The notes that have all parts of a query, in whatever they have. */
int	ctx_note_match(struct ctx_store *st, const struct ctx_query *q,
	    struct ctx_note_ids *out, struct ctx_err *err);
int	ctx_note_ids_add(struct ctx_note_ids *ids, int64_t id,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_note_ids_has(const struct ctx_note_ids *ids, int64_t id);
void	ctx_note_ids_done(struct ctx_note_ids *ids);

#endif
