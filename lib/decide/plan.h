/* SPDX-License-Identifier: MIT */
/*
 * A plan says what is to become of each message and part of a conversation.
 * Policies add to it, and edit/ turns it into bytes.  An empty plan changes
 * nothing.  Policies never undo each other: what was dropped remains dropped.
 *
 * All zero is valid; ctx_plan_reset prepares it for a conversation and keeps
 * its memory.
 *
 * Names: ctx_fault_.
 */
#ifndef CTX_DECIDE_PLAN_H
#define CTX_DECIDE_PLAN_H

#include "base/buf.h"
#include "view/dialect.h"

/* The faults that a history can have.  --check and reports use their names. */
enum ctx_fault {
	CTX_F_UNANSWERED, CTX_F_ORPHAN, CTX_F_MISPLACED, CTX_F_NOT_FIRST,
	CTX_F_REUSED_ID, CTX_F_EMPTY_CALLS, CTX_F_EMPTY_TEXT,
	CTX_F_EMPTY_MESSAGE, CTX_F_FIRST_ROLE, CTX_F_LONG_ID,
	CTX_F_LONE_REASONING, CTX_F_NOT_JSON, CTX_F_SECRET, CTX_F_UNKNOWN,
	CTX_F_NO_MESSAGE, CTX_F_SURROGATE,
	CTX_F_LOST_PARENT, CTX_F_CHAIN_LOOP,
	/* only found, by session.c */
	CTX_F_TWICE_ID, CTX_F_SECOND_ROOT, CTX_F_DEAD_BRANCH,
	CTX_F_OTHER_SESSION,
	/* only found, by check/ */
	CTX_F_NO_CONTENT, CTX_F_UNTYPED, CTX_F_WRONG_ROLE, CTX_F_NO_ID,
	CTX_F_BAD_ID, CTX_F_AFTER_RESULT,
	CTX_F_ROLE, CTX_F_INSIDE, CTX_F_PREFILL, CTX_F_MEDIA,
	CTX_F_MEDIA_TYPE, CTX_F_FILE_NAME, CTX_F_BASE64, CTX_F_CACHE_MARKS, CTX_F_TOOL_NAME,
	CTX_F_TOOL_TWICE, CTX_F_TOOL_SCHEMA, CTX_F_TOOL_CHOICE,
	CTX_F_N
};

struct ctx_fault_text {
	const char *id;		/* stable: "unanswered-call" */
	const char *text;	/* what it is, and what ctx-clean does about it */
	const char *about;	/* what a finding says */
	const char *apis;	/* to which it applies */
	const char *why;	/* the API's words or page, or who recorded what */
};
extern const struct ctx_fault_text ctx_fault_texts[CTX_F_N];

struct ctx_finding {
	enum ctx_fault fault;
	uint32_t msg;		/* CTX_NONE: in a record without messages */
	uint32_t part;		/* CTX_NONE: the message itself */
	int fixed;		/* the plan fixes it */
	uint32_t rec;		/* CTX_NONE: the message's record */
	uint32_t node;		/* where it is; CTX_NONE: given by the part */
	const char *detail;	/* what exactly, a constant, or NULL */
	int warning;		/* not all models refuse it */
};

/* New contents for a string of the conversation. */
struct ctx_swap {
	uint32_t part;
	int of_id;		/* replaces its id, not its text */
	size_t off, len;	/* in plan->bytes, escaped for JSON */
};

/* New bytes for a node of a record. */
struct ctx_rewrite {
	uint32_t rec, node;
	int whole;		/* replaces the whole node and every edit inside
				   it, else only what is between its quotes */
	size_t off, len;	/* in plan->bytes, as JSON */
	uint32_t object;	/* whose member the node is that goes; CTX_NONE:
				   none goes */
};

/* A new message. */
struct ctx_insert {
	enum ctx_new_kind kind;
	enum ctx_role role;
	uint32_t part;		/* CTX_NEW_RESULT: the call that it answers */
	uint32_t first, n;	/* CTX_NEW_MOVED: range in plan->moved */
	size_t off, len;	/* its text in plan->bytes, decoded */
};

/* One change, for reports.  Texts are escaped. */
struct ctx_change {
	const char *rule;	/* "max-result", "redact" ... */
	uint32_t rec, msg;	/* msg is CTX_NONE if not in a message */
	struct ctx_str id;	/* of the call or result, if it has one */
	struct ctx_str before;
	uint32_t node;		/* what goes with the text; 0: nothing else */
	uint32_t part;		/* 1 + the part that goes; 0: not all of one */
	int gone;		/* removed, with nothing in its place */
	int moved;		/* into the message before; see merge.h */
	int linked;		/* to the record that id names, if it does */
	size_t off, len;	/* the new text, in plan->bytes */
};

/* A file to keep before the changes are written, because they refer to it. */
struct ctx_keep {
	enum ctx_keep_kind {
		CTX_KEEP_TEXT,
		CTX_KEEP_IMAGE,
		CTX_KEEP_SECRET,	/* not a file: name is a placeholder,
					   with the quotes that it has got, and
					   the bytes the contents of the JSON
					   string in whose place it is */
		CTX_KEEP_ORIGIN		/* not a file: name is a key, the bytes
					   are the name of the text's file and,
					   after a space, the id of its call */
	} kind;
	char name[112];		/* begins with the hash of its contents */
	size_t off, len;	/* its bytes, in plan->bytes */
};

/* An entry of plan->order is a message, or an insert with this bit. */
#define CTX_INSERTED	0x80000000u

/* What becomes of elements of a conversation's list that are not messages. */
enum ctx_riders {
	CTX_RIDERS_STAY,
	CTX_RIDERS_FOLLOW,	/* they go with the message before them */
	CTX_RIDERS_ASIDE	/* they also go if they are before all messages */
};

/* A part that is taken out because it is carried elsewhere. */
#define CTX_PART_MOVES	2

struct ctx_plan {
	unsigned char *drop_msg;
	unsigned char *drop_part;	/* 1, or CTX_PART_MOVES */
	unsigned char *drop_rec;	/* of message lines; their messages are
					   dropped, too */
	unsigned char *front_part;	/* move to the front of its list */
	uint32_t *order;	/* all messages and inserts, dropped or not */
	uint32_t *moved;	/* results that CTX_NEW_MOVED carries */
	struct ctx_swap *swap;
	struct ctx_rewrite *rewrite;	/* after settling: by rec, then node */
	struct ctx_insert *insert;
	struct ctx_finding *finding;
	struct ctx_change *change;
	struct ctx_keep *keep;
	uint32_t norder, nmoved, nswap, nrewrite, ninsert, nfinding, nchange,
	    nkeep;
	uint32_t ncut;		/* of the rewrites, members that go */
	size_t capmsg, cappart, caprec, capfront, caporder, capmoved, capswap,
	    caprewrite, capinsert, capfinding, capchange, capkeep;
	struct ctx_buf bytes;
	enum ctx_riders riders;
	int changed;		/* there is any change */
	int parts;		/* one of drop_part or front_part may be set */
	int reordered;		/* order is not 0, 1, 2 ... */
};

/* Prepare for c: keep everything.  Returns 0, or -1 if out of memory. */
int	ctx_plan_reset(struct ctx_plan *p, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_plan_done(struct ctx_plan *p);

void	ctx_plan_drop_msg(struct ctx_plan *p, uint32_t msg);
void	ctx_plan_drop_part(struct ctx_plan *p, uint32_t part);
/* The caller drops its messages. */
void	ctx_plan_drop_rec(struct ctx_plan *p, uint32_t rec);
/* Are all messages [m .. end) dropped? */
int	ctx_plan_drops(const struct ctx_plan *p, uint32_t m, uint32_t end);

/* The rest return 0, or -1 with CTX_ENOMEM. */
int	ctx_plan_find(struct ctx_plan *p, enum ctx_fault fault, uint32_t msg,
	    uint32_t part, int fixed, struct ctx_err *err) CTX_CHECKED;
/* Give a part's text or id new contents, already escaped for JSON. */
int	ctx_plan_swap(struct ctx_plan *p, uint32_t part, int of_id,
	    const char *text, size_t len, struct ctx_err *err) CTX_CHECKED;
/* Give a node of record rec new bytes, each node at most once. */
int	ctx_plan_rewrite(struct ctx_plan *p, uint32_t rec, uint32_t node,
	    int whole, struct ctx_str json, struct ctx_err *err) CTX_CHECKED;
/* Take the member whose value is node out of an object of record rec. */
int	ctx_plan_cut(struct ctx_plan *p, uint32_t rec, uint32_t object,
	    uint32_t node, struct ctx_err *err) CTX_CHECKED;
/* Add a message.  Sets *n to its index; the caller puts it into order. */
int	ctx_plan_insert(struct ctx_plan *p, const struct ctx_insert *what,
	    const char *text, size_t len, uint32_t *n, struct ctx_err *err)
	    CTX_CHECKED;
/* Record a change for reports; after.p is NULL if the text was removed. */
int	ctx_plan_tell(struct ctx_plan *p, const struct ctx_change *change,
	    struct ctx_str after, struct ctx_err *err) CTX_CHECKED;
/* Record that part i of c goes, wherever it is written. */
int	ctx_plan_tell_part(struct ctx_plan *p, const struct ctx_convo *c,
	    uint32_t i, const char *rule, struct ctx_err *err) CTX_CHECKED;
/* Add a file to keep: what->kind, what->name and its bytes. */
int	ctx_plan_keep(struct ctx_plan *p, const struct ctx_keep *what,
	    const char *bytes, size_t len, struct ctx_err *err) CTX_CHECKED;
/*
 * After all policies: sort the findings by message, those of none last and in
 * the order of their records, and index swaps.
 */
void	ctx_plan_settle(struct ctx_plan *p);
/* Index the swaps before that; there must be no others then. */
void	ctx_plan_index(struct ctx_plan *p);
/* The swap of a part's id or text, or NULL.  Only after one of these. */
const struct ctx_swap *ctx_plan_swapped(const struct ctx_plan *p,
	    uint32_t part, int of_id);
int	ctx_plan_order(struct ctx_plan *p, uint32_t entry, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_plan_move(struct ctx_plan *p, uint32_t part, struct ctx_err *err)
	    CTX_CHECKED;

#endif
