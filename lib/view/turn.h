/* SPDX-License-Identifier: MIT */
/*
 * From lines to turns.  A turn is an assistant message (or a run of them) with
 * calls, and everything up to the next assistant message: the section in which
 * its results must be found.  Messages outside of such a section, and records
 * that are not messages, are delivered at once as turns of their own, so that a
 * stream keeps flowing.  A conversation line is delivered as one turn with the
 * whole conversation.
 *
 * Names: ctx_flow_, ctx_held_.
 */
#ifndef CTX_VIEW_TURN_H
#define CTX_VIEW_TURN_H

#include "view/apart.h"
#include "view/branch.h"
#include "view/dialect.h"

enum ctx_flow_state {
	CTX_FLOW_BEFORE,	/* no assistant message yet */
	CTX_FLOW_SAID,		/* nothing has followed the assistant's messages
				   yet */
	CTX_FLOW_FOLLOWED,	/* something has followed */
	CTX_FLOW_SPOKEN		/* the user's own words have followed */
};

/* Why a turn waits for later messages. */
enum ctx_flow_hold {
	CTX_HOLD_NOT,
	CTX_HOLD_LEADS,		/* it ends in reasoning that leads to the next
				   message, or in what the next may replace */
	CTX_HOLD_CALLS		/* it has calls */
};

/* The state of a turn so far.  All zero is its start. */
struct ctx_flow {
	enum ctx_flow_state state;
	enum ctx_flow_hold hold;
	uint32_t open;		/* calls less results */
	uint32_t hanging;	/* the provider's own calls less its results */
};

/* Does message m begin another turn?  rules are the dialect's. */
int	ctx_flow_ends(const struct ctx_flow *f, unsigned rules,
	    const struct ctx_msg *m);
/*
 * Does message m of c begin with the result of a call of the provider's, which
 * hung in the turn beside calls that were answered first?
 */
int	ctx_flow_resumes(const struct ctx_flow *f, const struct ctx_convo *c,
	    uint32_t m);
/* Add message m of c to the turn.  Of hold, this sets only CTX_HOLD_CALLS. */
void	ctx_flow_add(struct ctx_flow *f, const struct ctx_convo *c, uint32_t m);

/*
 * One conversation of message lines.  The conversations that --by tells apart
 * run side by side in a stream, like strands.
 */
struct ctx_strand {
	char *key;		/* see ctx_turns_key */
	size_t keylen;
	size_t sublen;		/* the name of a side conversation follows
				   key */
	uint64_t begun;		/* turns.seq when it began */
	const struct ctx_dialect *dialect;
	struct ctx_convo open;	/* the unfinished turn */
	struct ctx_flow flow;	/* state of that turn */
	uint32_t check;		/* number of records at which to call complete()
				   next */
	int speaking;		/* the last message was the assistant's */
	int once;		/* it had a message that only comes once */
	char *join;		/* join id of its last assistant message */
	size_t joinlen, joincap;
	struct ctx_chain chain;	/* see chained */
	void *state;		/* of the policy; freed by free_state */
	struct ctx_strand *next;	/* in the same bucket */
	struct ctx_strand *newer;	/* the strand that began next */
};

struct ctx_turn {
	struct ctx_convo *convo;
	struct ctx_strand *strand;	/* NULL for a conversation line */
	int last;			/* the conversation ends with this
					   turn */
};

/* What is delivered of a conversation whose messages form a tree. */
enum ctx_turns_branch {
	CTX_BRANCH_ANY,		/* all messages, by turns */
	CTX_BRANCH_ALL,		/* all messages at once */
	CTX_BRANCH_LAST		/* only the branch that would be resumed, at
				   once; of the others, the records */
};

/* What a file holds: its lines of JSON are records. */
struct ctx_held {
	uint64_t records, messages;
	uint64_t lines, keyed;	/* message lines that are grouped by a member,
				   and those of them that have it */
	uint64_t beside;	/* messages of other branches */
	uint64_t replaced;	/* messages that a summary replaced */
	uint64_t sessions;	/* records of programs' sessions */
	uint64_t odd;		/* records, or elements of a conversation's
				   list, that are not understood */
	uint64_t odd_line;	/* line of the first of them */
};

/* Add more to to. */
void	ctx_held_add(struct ctx_held *to, const struct ctx_held *more);

struct ctx_turns {
	/* set by the caller before the first line */
	const char *by;			/* NULL: one conversation */
	const struct ctx_dialect *dialect;	/* NULL: detect */
	const struct ctx_dialect *first;	/* what conversations that begin are
					   taken for until a line decides; NULL:
					   nothing */
	int whole;			/* deliver conversations whole, not by
					   turns */
	const int *by_line;		/* NULL, or if it is set: a message is an
					   error, since not all lines are here */
	int exports;			/* take what is only to be converted */
	int chained;			/* note what links the records of a session, in
					   strand->chain; with a branch */
	enum ctx_turns_branch branch;
	int sent;			/* with CTX_BRANCH_LAST: without what a
					   summary in it replaced */
	int (*turn)(const struct ctx_turn *turn, void *arg,
	    struct ctx_err *err);
	/* May the open turn be delivered before its end?  NULL means no. */
	int (*complete)(struct ctx_convo *open, void *arg);
	/*
	 * The conversation is over; this is the last chance to use
	 * strand->state.  Conversations end in the order in which they began.
	 */
	int (*end)(struct ctx_strand *strand, void *arg, struct ctx_err *err);
	void (*free_state)(void *state);
	void *arg;

	/*
	 * The result of an earlier scan of the next line, which is then not
	 * scanned again, unless node is NULL.  ctx_turns_line resets that.
	 */
	struct ctx_doc known;

	/* Counts what was delivered; reset by whoever begins a file. */
	struct ctx_held held;
	struct ctx_apart apart;		/* likewise, without by */

	/* internal */
	struct ctx_convo one;		/* the current record */
	struct ctx_branches branches;
	struct ctx_convo spare;		/* spare memory for an open turn */
	struct ctx_strand **bucket;
	size_t nbucket, nstrand;
	struct ctx_strand *oldest, *newest;
	struct ctx_strand *last;	/* the strand used last, most often the
					   next one too */
	struct ctx_buf key;
	uint64_t seq;
};

void	ctx_turns_done(struct ctx_turns *t);

/*
 * The value of a line's member by, in which each character of a string has its
 * shortest spelling; no bytes if there is none, or null.  What is spelled
 * otherwise is put into room, which then is failed if memory ran out.
 */
struct ctx_str	ctx_turns_key(const struct ctx_doc *doc, const char *by,
	    struct ctx_buf *room);

/*
 * Process one line.  Returns 0; -1 with CTX_EINPUT, err->line and err->col for
 * a line that is not JSON (open turns stay open); or -1 with the error of a
 * callback.
 */
int	ctx_turns_line(struct ctx_turns *t, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/* Pass on a line that is not JSON, as a record that is not a message. */
int	ctx_turns_foreign(struct ctx_turns *t, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * For several struct ctx_turns that share the lines of a stream.
 *
 * A line that is a whole conversation is independent of all other lines; it is
 * delivered, and the result is CTX_ALONE_GIVEN.  Any other line is not
 * processed; the caller must pass it to the one struct ctx_turns that handles
 * such lines.  CTX_ALONE_NONE, also returned for a blank line, means that the
 * line does not affect how later conversation lines are viewed.  CTX_ALONE_BAD
 * means that it is not JSON.  After CTX_ALONE_MIXED, all lines from this one on
 * must be passed on like that.  Returns -1 with the error of a callback, or
 * with CTX_ENOMEM.
 */
enum ctx_alone { CTX_ALONE_GIVEN, CTX_ALONE_NONE, CTX_ALONE_BAD,
	CTX_ALONE_MIXED };
int	ctx_turns_alone(struct ctx_turns *t, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Set *hash to a hash of the conversation that the line belongs to, without
 * processing the line; lines of one conversation have the same hash.  Returns
 * -1 with CTX_EINPUT, as ctx_turns_line does, for a line that is not JSON;
 * *hash is then that of lines without a conversation.  Unless NULL, *nodes is
 * set to the line's nodes, valid until t gets another line; for a line without
 * nodes, n is 0.
 */
int	ctx_turns_hash(struct ctx_turns *t, const struct ctx_line *line,
	    uint64_t *hash, struct ctx_doc *nodes, struct ctx_err *err)
	    CTX_CHECKED;

/* Forget all conversations and their open turns. */
void	ctx_turns_forget(struct ctx_turns *t);

/* End of a file: deliver every open turn as the last of its conversation. */
int	ctx_turns_end(struct ctx_turns *t, struct ctx_err *err) CTX_CHECKED;

/*
 * The same step by step: end and free the conversation that began first.
 * t->oldest is then the next one, or NULL after the last.  Call
 * ctx_turns_forget before processing another line.
 */
int	ctx_turns_end_one(struct ctx_turns *t, struct ctx_err *err)
	    CTX_CHECKED;

#endif
