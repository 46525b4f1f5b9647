/* SPDX-License-Identifier: MIT */
/*
 * A conversation in another dialect: its messages as lines, as one
 * conversation line, as an API's request, or as text.
 */
#ifndef CTX_EDIT_CONVERT_H
#define CTX_EDIT_CONVERT_H

#include "edit/target.h"
#include "edit/tools.h"
#include "view/turn.h"

enum ctx_convert_shape { CTX_AS_CAME, CTX_MESSAGES, CTX_CONVERSATION };

struct ctx_convert {
	/* set by the caller */
	const struct ctx_target *to;
	enum ctx_convert_shape shape;
	int request;			/* whole, for the API */
	const char *by;			/* the member that tells conversations
					   apart, or NULL */
	int goes_on;			/* follows what is elsewhere: nobody
					   has to speak first */
	const char *model;		/* with request */
	uint64_t max_output;		/* with request; 0: none */
	const struct ctx_tools *tools;	/* with request; may be NULL */
	/*
	 * Text only: the newest steps that cost no more than budget; cost is
	 * that of text[0 .. len).  NULL: all.
	 */
	uint64_t budget;
	int (*cost)(void *arg, const char *text, size_t len, uint64_t *n,
	    struct ctx_err *err);
	void *arg;

	/* the answer, good until the next call */
	struct ctx_buf out;
	struct ctx_script script;	/* .loss: sums of all so far */

	/* working storage */
	struct ctx_linker linker;
	struct ctx_plan plan;
	struct ctx_writer writer;
	struct ctx_tools used;
	size_t *ends, capends;
};

void	ctx_convert_done(struct ctx_convert *cv);

/*
 * Convert c, which is of that conversation of message lines; NULL: it came as
 * one conversation line.  Returns 0, or -1 with *err.
 */
int	ctx_convert(struct ctx_convert *cv, struct ctx_convo *c,
	    const struct ctx_strand *strand, struct ctx_err *err) CTX_CHECKED;

#endif
