/* SPDX-License-Identifier: MIT */
/*
 * How the lines of an export become rows; for this folder only.  port.h
 * describes the format.
 */
#ifndef CTX_STORE_PORT_PORT_IMPORT_H
#define CTX_STORE_PORT_PORT_IMPORT_H

#include "base/sha256.h"
#include "read/span.h"
#include "store/db.h"
#include "store/port/port.h"
#include "store/port/rowkind.h"

#define CTX_IMPORT_KINDS	16

/* A member's decoded value. */
struct ctx_import_value {
	int is_null;
	int64_t number;
	struct ctx_buf text;
};

enum ctx_import_sum { CTX_IMPORT_NO_SUM, CTX_IMPORT_SUM, CTX_IMPORT_BAD_SUM };

struct ctx_import {
	struct ctx_store *st;
	struct ctx_doc doc;	/* the line */
	struct ctx_import_value value[CTX_ROWKIND_COLS];
	struct ctx_buf piece;
	sqlite3_stmt *stmt[CTX_IMPORT_KINDS][CTX_ROWKIND_SQL];
	int64_t lines, threads, messages;
	int open;		/* in a transaction for a thread or user */
	int64_t thread;		/* its row; 0 for a user without a thread */
	char *user;
	int newer;		/* than the existing thread */
	int loose;		/* contents were replaced in the transaction */
	int memory;		/* only memories are imported */
	int begun, ended;
	struct ctx_sha256 sum;	/* of the lines before this one */
	enum ctx_import_sum sum_is;	/* what the last line has */
};

/* Set CTX_EINPUT, "not a line of an export: WHAT".  Returns -1. */
int	ctx_import_bad(struct ctx_err *err, const char *what);

/* Scan the line into im->doc and copy its member "row". */
int	ctx_import_scan(struct ctx_import *im, const char *line, size_t len,
	    struct ctx_buf *row, struct ctx_err *err);

/* Get a member of the line: an integer, or a string, "" if it is missing. */
int	ctx_import_number(const struct ctx_import *im, const char *name,
	    int64_t *out);
int	ctx_import_text(const struct ctx_import *im, const char *name,
	    struct ctx_buf *out, struct ctx_err *err);

/* Read members of the line into im->value. */
int	ctx_import_values(struct ctx_import *im, const struct ctx_col *col,
	    struct ctx_err *err);

/*
 * The same for a thread's own row: its name, user, head, created, updated,
 * pinned and attrs.
 */
int	ctx_import_thread(struct ctx_import *im, struct ctx_err *err);

/* Finish the open thread or user, if there is one. */
int	ctx_import_close(struct ctx_import *im, struct ctx_err *err);

/* In a transaction: store the contents in the line, unless they are there. */
int	ctx_import_body(struct ctx_import *im, struct ctx_err *err);

/*
 * In a transaction: run the kind's statement with im->value.  Returns 1 with
 * *q at a row, 0 if there is none, or -1.
 */
int	ctx_import_run(struct ctx_import *im, const struct ctx_rowkind *k,
	    enum ctx_rowkind_sql which, sqlite3_stmt **q, struct ctx_err *err);

/*
 * In a transaction, between ctx_body_free_begin and ctx_body_free_end: note the
 * contents of the row with the key in im->value, which is about to be replaced.
 * Returns 1 if it has some, 0 if not, or -1.
 */
int	ctx_import_loosen(struct ctx_import *im, const struct ctx_rowkind *k,
	    struct ctx_err *err);

/* The same with the contents in im->value: one of the two rows is not kept. */
int	ctx_import_loosen_both(struct ctx_import *im,
	    const struct ctx_rowkind *k, struct ctx_err *err);

/*
 * After it has failed: if the table refused the row, rather than the disk, the
 * input is bad.  Returns -1.
 */
int	ctx_import_refused(const struct ctx_import *im,
	    const struct ctx_rowkind *k, struct ctx_err *err);

/*
 * In a transaction: store the row in im->value, or compare it with the one
 * that has its key.  The line of a message must match its sum.
 */
int	ctx_import_row(struct ctx_import *im, const struct ctx_rowkind *k,
	    struct ctx_err *err);

/* The kind of this name, or NULL. */
const struct ctx_rowkind *ctx_import_kind(const char *name);

#endif
