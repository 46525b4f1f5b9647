/* SPDX-License-Identifier: MIT */
/*
 * A stream's lines on their way into a log: in batches, each one transaction,
 * and as the options of append want them, which may be split into messages,
 * shortened, or counted.
 */
#ifndef CTX_SESSION_INTAKE_H
#define CTX_SESSION_INTAKE_H

#include "edit/patch.h"
#include "read/line.h"
#include "store/log.h"
#include "view/dialect.h"

/* All zero but what the caller sets is ready. */
struct ctx_intake {
	/* set by the caller */
	struct ctx_store *st;
	struct ctx_append how;
	const char *id_key;	/* see ctx_entry_scan */
	int split;		/* a conversation line as its messages */
	uint64_t max_chars;	/* of each text; 0: any number */
	const char *cost;	/* member with a count of tokens; NULL: none */

	/* the answer: of all that was stored */
	uint64_t stored, tokens;

	/* the batch */
	struct ctx_entry *line;
	size_t n, cap;
	struct ctx_buf text;	/* its lines, one after the other */

	/* its own */
	struct ctx_intake_at {
		size_t off;	/* of a line in text */
		uint64_t no;	/* of its line in the input */
	} *at;
	size_t capat;
	uint64_t no;		/* of the line in hand */
	struct ctx_doc doc;
	const struct ctx_dialect *dialect;
	struct ctx_convo one, whole;
	struct ctx_patch patch;
	struct ctx_buf word, out, message;
};

/*
 * Put a line into the batch; a blank one is none.  0, or -1 with CTX_EINPUT and
 * err->line, or CTX_ENOMEM: the line, or the rest of it when it is split, is
 * not in the batch.
 */
int	ctx_intake_line(struct ctx_intake *in, const struct ctx_line *line,
	    struct ctx_err *err);

/* Is it time to store the batch?  Never of one that is for all of the input. */
int	ctx_intake_full(const struct ctx_intake *in);

/*
 * Store the batch, which is empty then; of its lines, in->line[0 .. *done) are
 * on the disk, also when that failed.  0, or -1 as ctx_log_append, but err->line
 * is of the input.
 */
int	ctx_intake_commit(struct ctx_intake *in, size_t *done,
	    struct ctx_err *err);

/* Empty the batch unstored. */
void	ctx_intake_forget(struct ctx_intake *in);

void	ctx_intake_done(struct ctx_intake *in);

#endif
