/* SPDX-License-Identifier: MIT */
/*
 * A conversation of message lines in a cut: cut_lines.c holds it, and cut_settle.c
 * sends it where it belongs at its end.
 *
 * Names: struct ctx_cut_thread.
 */
#ifndef CTX_JOB_CUT_THREAD_H
#define CTX_JOB_CUT_THREAD_H

#include "job/cut_held.h"

/* A conversation.  The handles in its window are held records. */
struct ctx_cut_thread {
	struct ctx_cut *cut;
	const struct ctx_strand *strand;
	struct ctx_chain *chain;	/* the strand's */
	struct ctx_cut_history h;
	unsigned last_flags;	/* flags of the last message, inherited by
				   riders */
	struct ctx_cut_held *run;	/* the last item, if riders can be added
					   to it */
	uint64_t run_seq;	/* number of the last record in it */
	struct ctx_cut_held *part;	/* at the end: for the item kept in
					   part */
	/* of a session: calls and results in other branches; seq of records */
	struct ctx_cut_tie {
		uint64_t seq[2];
	} *tie;
	size_t ntie, captie;
};

#endif
