/* SPDX-License-Identifier: MIT */
/*
 * From lines to turns.  A turn is an assistant's message (or run of messages)
 * with calls, and everything up to the next assistant message: the stretch in
 * which its results must be found.  Messages outside of such a stretch, and
 * records that are not messages, come as turns of their own, at once, so that
 * a stream flows.  A conversation line comes as one turn that is the whole
 * conversation.
 *
 * Names: ctx_flow_.
 */
#ifndef CTX_VIEW_TURN_H
#define CTX_VIEW_TURN_H

#include "view/dialect.h"

enum ctx_flow_state {
	CTX_FLOW_BEFORE,	/* no message of an assistant yet */
	CTX_FLOW_SAID,		/* nothing follows the assistant's messages */
	CTX_FLOW_FOLLOWED,	/* something does */
	CTX_FLOW_SPOKEN		/* in that, a user's own words */
};

/* Why the messages of a turn wait for what follows. */
enum ctx_flow_hold {
	CTX_HOLD_NOT,
	CTX_HOLD_LEADS,		/* it ends in reasoning that leads on */
	CTX_HOLD_CALLS		/* it has calls */
};

/* What a turn has come to so far.  All zero is its start. */
struct ctx_flow {
	enum ctx_flow_state state;
	enum ctx_flow_hold hold;
	uint32_t open;		/* calls less results */
};

/* Does message m begin another turn?  Rules are the dialect's. */
int	ctx_flow_ends(const struct ctx_flow *f, unsigned rules,
	    const struct ctx_msg *m);
/* Message m of c belongs to the turn.  Of hold only calls are seen here. */
void	ctx_flow_add(struct ctx_flow *f, const struct ctx_convo *c, uint32_t m);

/*
 * One conversation of message lines.  Those that --by tells apart run side by
 * side in a stream, as strands do.
 */
struct ctx_strand {
	char *key;		/* value of the --by member, or "" */
	size_t keylen;
	size_t sublen;		/* behind key: name of a side conversation */
	uint64_t begun;		/* turns.seq when it was begun */
	const struct ctx_dialect *dialect;
	struct ctx_convo open;	/* the turn that is not finished */
	struct ctx_flow flow;	/* of that turn */
	uint32_t check;		/* records in it at which to ask complete() */
	int speaking;		/* the last message was the assistant's */
	char *join;		/* join id of its last assistant message */
	size_t joinlen, joincap;
	void *state;		/* of the policy; freed by free_state */
	struct ctx_strand *next;	/* in its bucket */
	struct ctx_strand *newer;	/* the next that was begun */
};

struct ctx_turn {
	struct ctx_convo *convo;
	struct ctx_strand *strand;	/* NULL: a conversation line */
	int last;			/* the conversation ends here */
};

struct ctx_turns {
	/* set by the caller, before the first line */
	const char *by;			/* NULL: one conversation */
	const struct ctx_dialect *dialect;	/* NULL: detect */
	int whole;			/* give conversations whole, not by turns */
	int (*turn)(const struct ctx_turn *turn, void *arg,
	    struct ctx_err *err);
	/* May the open turn be given before its end?  NULL: no. */
	int (*complete)(struct ctx_convo *open, void *arg);
	/*
	 * The conversation is over; last chance to use strand->state.  They
	 * end in the order in which they began.
	 */
	int (*end)(struct ctx_strand *strand, void *arg, struct ctx_err *err);
	void (*free_state)(void *state);
	void *arg;

	/*
	 * NULL, or what a scan of the next line found, which need not be made
	 * again.  ctx_turns_line sets it back.
	 */
	const struct ctx_node *known;
	uint32_t nknown;

	/* its own */
	struct ctx_convo one;		/* the record in hand */
	struct ctx_convo spare;		/* memory for an open turn */
	struct ctx_strand **bucket;
	size_t nbucket, nstrand;
	struct ctx_strand *oldest, *newest;
	struct ctx_strand *last;	/* the one used last: mostly the next */
	struct ctx_buf key;
	uint64_t seq;
};

void	ctx_turns_done(struct ctx_turns *t);

/*
 * Take one line.  Returns 0, or -1 with CTX_EINPUT and err->line, err->col for
 * a line that is not JSON (what was held stays held), or what a callback said.
 */
int	ctx_turns_line(struct ctx_turns *t, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/* Let a line through that is not JSON, as a record that is not a message. */
int	ctx_turns_foreign(struct ctx_turns *t, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * For several of them that share a stream's lines out.
 *
 * A line that is a whole conversation, which no other line has to do with, is
 * given, and CTX_ALONE_GIVEN returned.  Any other is not taken: of
 * CTX_ALONE_NONE it is known that it changes nothing in how conversation lines
 * are seen; after CTX_ALONE_MIXED all lines from this one on belong to one
 * struct ctx_turns.  So does what is not JSON (CTX_ALONE_BAD), or blank
 * (CTX_ALONE_NONE).  -1: what a callback said, or CTX_ENOMEM.
 */
enum ctx_alone { CTX_ALONE_GIVEN, CTX_ALONE_NONE, CTX_ALONE_BAD,
	CTX_ALONE_MIXED };
int	ctx_turns_alone(struct ctx_turns *t, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * A hash of the conversation that the line belongs to, which is not taken:
 * lines of one conversation have the same.  As ctx_turns_line does, -1 with
 * CTX_EINPUT for a line that is not JSON; *hash is then that of lines without
 * a conversation.  Unless NULL, *nodes has the line's, good until t is given
 * another; of a line that has none n is 0.
 */
int	ctx_turns_hash(struct ctx_turns *t, const struct ctx_line *line,
	    uint64_t *hash, struct ctx_doc *nodes, struct ctx_err *err)
	    CTX_CHECKED;

/* Forget all conversations and what is held of them. */
void	ctx_turns_forget(struct ctx_turns *t);

/* The end of a file: every open turn is the last of its conversation. */
int	ctx_turns_end(struct ctx_turns *t, struct ctx_err *err) CTX_CHECKED;

/*
 * The same by and by: the conversation that was begun first is ended, and gone.
 * t->oldest is the next one, NULL after the last, which ctx_turns_forget has to
 * follow before another line is taken.
 */
int	ctx_turns_end_one(struct ctx_turns *t, struct ctx_err *err)
	    CTX_CHECKED;

#endif
