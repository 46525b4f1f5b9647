/* SPDX-License-Identifier: MIT */
/*
 * The cut of ctx-truncate: conversations come as turns, what is kept leaves at
 * the end of a file.  The policy is decide/window; this keeps the records that
 * it decides on.
 */
#ifndef CTX_CMD_TRUNCATE_CUT_H
#define CTX_CMD_TRUNCATE_CUT_H

#include "cli_cost.h"
#include "cli_stream.h"
#include "decide/links.h"
#include "decide/refs.h"
#include "decide/stays.h"
#include "decide/window.h"
#include "write/spill.h"

enum cut_start { CUT_AUTO, CUT_USER, CUT_ANY };

struct cut {
	struct cli_stream stream;
	struct ctx_cost cost;
	struct ctx_win_opts win;
	int counting;			/* costs are wanted */
	enum cut_start start;
	int note;
	const char *pin;		/* member that keeps a message */
	struct ctx_out *dropped;	/* NULL: nowhere */

	/* working storage */
	struct ctx_pairer pairer;
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_window whole;	/* of a conversation line */
	struct ctx_refs refs;		/* the same */
	struct ctx_convo again;		/* a message to be written otherwise */
	size_t held;			/* bytes held back, see window.h */
	struct ctx_spill spill;		/* records of their own memory */
	unsigned char *more;
	size_t capmore;
	struct cut_held **kept;		/* of this file, to be written */
	size_t nkept, capkept;
	uint64_t nconvo, ncut, messages, dropped_messages, dropped_tokens;
	uint64_t lean;			/* messages without results' bodies */
};

/* Callbacks for stream.turns and stream. */
int	cut_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err);
int	cut_end(struct ctx_strand *thread, void *arg, struct ctx_err *err);
int	cut_file_end(struct cli_stream *s, struct ctx_err *err);
void	cut_give_up(struct cli_stream *s);
void	cut_free(void *state);
void	cut_done(struct cut *k);

#endif
