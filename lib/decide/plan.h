/* SPDX-License-Identifier: MIT */
/*
 * A plan: what is to become of each message and part of a conversation.
 * Policies add to it; edit/ turns it into bytes.  An empty plan changes
 * nothing.  Policies never undo each other: a drop stays a drop.
 *
 * All zero is valid; ctx_plan_reset makes it ready for a conversation and
 * keeps its memory.
 *
 * Names: ctx_fault_.
 */
#ifndef CTX_DECIDE_PLAN_H
#define CTX_DECIDE_PLAN_H

#include "base/buf.h"
#include "view/dialect.h"

/* Faults that a history can have; the names are for --check and reports. */
enum ctx_fault {
	CTX_F_UNANSWERED, CTX_F_ORPHAN, CTX_F_MISPLACED, CTX_F_NOT_FIRST,
	CTX_F_REUSED_ID, CTX_F_EMPTY_CALLS, CTX_F_EMPTY_TEXT,
	CTX_F_EMPTY_MESSAGE, CTX_F_FIRST_ROLE, CTX_F_LONG_ID,
	CTX_F_LONE_REASONING, CTX_F_SAME_ROLE, CTX_F_NOT_JSON, CTX_F_SECRET,
	CTX_F_N
};

struct ctx_fault_text {
	const char *id;		/* stable: "unanswered-call" */
	const char *about;	/* for the manual page */
};
extern const struct ctx_fault_text ctx_fault_texts[CTX_F_N];

struct ctx_finding {
	enum ctx_fault fault;
	uint32_t msg;		/* CTX_NONE: in a record that is none */
	uint32_t part;		/* CTX_NONE: the message */
	int fixed;		/* the plan mends it */
	uint32_t rec;		/* CTX_NONE: the message's */
	uint32_t node;		/* where, CTX_NONE: follows from the part */
	const char *detail;	/* what exactly, a constant; NULL: nothing */
};

/* A string of the conversation gets other contents. */
struct ctx_swap {
	uint32_t part;
	int of_id;		/* its id; else its text */
	size_t off, len;	/* in plan->bytes, escaped for JSON */
};

/* A node of a record is written otherwise. */
struct ctx_rewrite {
	uint32_t rec, node;
	int whole;		/* all of it; else what is between its quotes */
	size_t off, len;	/* in plan->bytes, as JSON */
};

/* A message that was not there. */
struct ctx_insert {
	enum ctx_new_kind kind;
	enum ctx_role role;
	uint32_t part;		/* CTX_NEW_RESULT: the call that it answers */
	uint32_t first, n;	/* CTX_NEW_MOVED: of plan->moved */
	size_t off, len;	/* its text in plan->bytes, decoded */
};

/* One change, for reports.  Texts are escaped. */
struct ctx_change {
	const char *rule;	/* "max-result", "redact" ... */
	uint32_t rec, msg;	/* msg CTX_NONE: not in a message */
	struct ctx_str id;	/* of the call or result, if it has one */
	struct ctx_str before;
	int gone;		/* nothing is in its place */
	size_t off, len;	/* what is, in plan->bytes */
};

/* A file to be kept before the changes are made: what they refer to. */
struct ctx_keep {
	enum ctx_keep_kind { CTX_KEEP_TEXT, CTX_KEEP_IMAGE } kind;
	char name[112];		/* begins with the hash of its contents */
	size_t off, len;	/* its bytes, in plan->bytes */
};

/*
 * Entries of plan->order: a message, or this bit and an insert.  Entries of
 * plan->moved: a result, or this bit and a call that gets a made one.
 */
#define CTX_INSERTED	0x80000000u

struct ctx_plan {
	unsigned char *drop_msg, *drop_part;
	unsigned char *front_part;	/* to the front of its list */
	uint32_t *order;	/* all messages and inserts, dropped or not */
	uint32_t *moved;	/* parts that CTX_NEW_MOVED messages carry */
	struct ctx_swap *swap;
	struct ctx_rewrite *rewrite;	/* settled: by rec, then node */
	struct ctx_insert *insert;
	struct ctx_finding *finding;
	struct ctx_change *change;
	struct ctx_keep *keep;
	uint32_t norder, nmoved, nswap, nrewrite, ninsert, nfinding, nchange,
	    nkeep;
	size_t capmsg, cappart, capfront, caporder, capmoved, capswap,
	    caprewrite, capinsert, capfinding, capchange, capkeep;
	struct ctx_buf bytes;
	int changed;		/* anything at all */
	int reordered;		/* order is not 0, 1, 2 ... */
};

/* Ready for c: everything is kept, nothing is found.  -1 out of memory. */
int	ctx_plan_reset(struct ctx_plan *p, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_plan_done(struct ctx_plan *p);

void	ctx_plan_drop_msg(struct ctx_plan *p, uint32_t msg);
void	ctx_plan_drop_part(struct ctx_plan *p, uint32_t part);

/* The rest returns 0, or -1 with CTX_ENOMEM. */
int	ctx_plan_find(struct ctx_plan *p, enum ctx_fault fault, uint32_t msg,
	    uint32_t part, int fixed, struct ctx_err *err) CTX_CHECKED;
/* New contents, spelled for JSON already, for a part's text or id. */
int	ctx_plan_swap(struct ctx_plan *p, uint32_t part, int of_id,
	    const char *text, size_t len, struct ctx_err *err) CTX_CHECKED;
/* New bytes for a node of record rec: each node at most once. */
int	ctx_plan_rewrite(struct ctx_plan *p, uint32_t rec, uint32_t node,
	    int whole, struct ctx_str json, struct ctx_err *err) CTX_CHECKED;
/* A new message; its index goes into *n, its place into order by the caller. */
int	ctx_plan_insert(struct ctx_plan *p, const struct ctx_insert *what,
	    const char *text, size_t len, uint32_t *n, struct ctx_err *err)
	    CTX_CHECKED;
/* A change is to be told: after, whose .p is NULL if what was there is gone. */
int	ctx_plan_tell(struct ctx_plan *p, const struct ctx_change *change,
	    struct ctx_str after, struct ctx_err *err) CTX_CHECKED;
/* A file is to be kept: what->kind and name, and its bytes. */
int	ctx_plan_keep(struct ctx_plan *p, const struct ctx_keep *what,
	    const char *bytes, size_t len, struct ctx_err *err) CTX_CHECKED;
/* All policies are done: findings into file order, swaps ready to be found. */
void	ctx_plan_settle(struct ctx_plan *p);
/* The swap of a part's id or text, NULL if there is none.  Settled only. */
const struct ctx_swap *ctx_plan_swapped(const struct ctx_plan *p,
	    uint32_t part, int of_id);
int	ctx_plan_order(struct ctx_plan *p, uint32_t entry, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_plan_move(struct ctx_plan *p, uint32_t part, struct ctx_err *err)
	    CTX_CHECKED;

#endif
