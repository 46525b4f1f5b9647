/* SPDX-License-Identifier: MIT */
/*
 * Move a stream's lines into a log: in batches, each of them one transaction,
 * and, as the options of append ask, split into messages, shortened or
 * counted.
 */
#ifndef CTX_SESSION_INTAKE_H
#define CTX_SESSION_INTAKE_H

#include "edit/patch.h"
#include "read/line.h"
#include "store/log.h"
#include "view/apart.h"
#include "view/dialect.h"

/* Ready when all zero except what the caller sets. */
struct ctx_intake {
	/* set by the caller */
	struct ctx_store *st;
	struct ctx_append how;
	const char *id_key;	/* see ctx_entry_scan */
	const char *by;		/* member with the name of a line's thread, or
				   NULL: how.where has it */
	const char *rest;	/* thread of lines without that member, or
				   NULL: they are refused */
	int split;		/* split a conversation line into messages */
	int checked;		/* refuse results that answer no call */
	uint64_t max_chars;	/* of each text; 0 for no limit */
	const char *cost;	/* member with a token count, or NULL */

	/* results: totals of what was stored */
	uint64_t stored, tokens;

	/* the current batch */
	struct ctx_entry *line;
	size_t n, cap;
	struct ctx_buf text;	/* its lines, concatenated */
	struct ctx_strmap threads;	/* see struct ctx_append */

	struct ctx_apart apart;	/* what it saw, without by */

	/* private */
	struct ctx_intake_at {
		size_t off;	/* of a line in text */
		uint64_t no;	/* of its line of the input */
	} *at;
	size_t capat;
	uint64_t no;		/* of the current line */
	size_t log;		/* its thread, in threads */
	struct ctx_doc doc;
	const struct ctx_dialect *dialect;
	struct ctx_convo one, whole;
	struct ctx_patch patch;
	struct ctx_buf word, out, message;
};

/*
 * Add a line to the batch; a blank line is ignored.  Returns 0, or -1 with
 * CTX_EINPUT and err->line, or CTX_ENOMEM; then the line, or the rest of it if
 * it is split, is not in the batch.
 */
int	ctx_intake_line(struct ctx_intake *in, const struct ctx_line *line,
	    struct ctx_err *err);

/* Is it time to store the batch?  Never if the whole input is one batch. */
int	ctx_intake_full(const struct ctx_intake *in);

/*
 * Store the batch and empty it.  in->line[0 .. *done) are on disk, also on
 * failure.  Returns 0, or -1 as ctx_log_append and ctx_orphans, but err->line
 * is a line of the input.
 */
int	ctx_intake_commit(struct ctx_intake *in, size_t *done,
	    struct ctx_err *err);

/* Empty the batch without storing it. */
void	ctx_intake_forget(struct ctx_intake *in);

void	ctx_intake_done(struct ctx_intake *in);

#endif
