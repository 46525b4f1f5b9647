/* SPDX-License-Identifier: MIT */
/*
 * A conversation, or a section of one, as plain structs: records (input lines),
 * the messages in them, and the parts of the messages.  The views fill it, the
 * policies in decide/ read it, and edit/ turns their verdicts into bytes.
 *
 * Messages and parts are in file order, and indexes are stable.  Strings are
 * borrowed from the records and still spelled as in JSON (ctx_str_* in
 * read/span.h).  The ids of parts are in the shortest spelling, so that the same
 * have the same bytes; one that a record spells otherwise is the conversation's own.
 * Policies look only at kinds, flags, strings and links; node numbers are for
 * view/ and edit/ alone.  A unit test can fill a conversation
 * by hand, with CTX_NONE for the node numbers.
 *
 * Names: ctx_msg_, ctx_part_.
 */
#ifndef CTX_VIEW_CONVO_H
#define CTX_VIEW_CONVO_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "read/line.h"
#include "read/span.h"
#include "read/node.h"

enum ctx_role {
	CTX_SYSTEM,	/* or developer */
	CTX_USER,
	CTX_ASSISTANT,
	CTX_TOOL	/* a message that has only results */
};

enum ctx_kind {
	CTX_TEXT,	/* or a refusal */
	CTX_THINKING,	/* reasoning, signed or not */
	CTX_CALL,
	CTX_RESULT,	/* its texts and images follow as inner parts */
	CTX_IMAGE,
	CTX_FILE,	/* documents, audio */
	CTX_OTHER,
	CTX_HOLLOW,	/* an empty member that the API refuses, such as an
			   empty list of tool calls */
	CTX_COPY	/* a result's text again, for people to read: never
			   sent, so not counted, but cut like the text; or a
			   string inside a text that is JSON */
};

enum ctx_part_flag {
	CTX_INNER = 1,		/* belongs to the result before it */
	CTX_SERVER = 2,		/* answered in the same message: run by the
				   provider, or one part with its result */
	CTX_SIGNED = 4,		/* thinking that must not be altered */
	CTX_ERROR = 8,		/* the result reports that the tool failed */
	CTX_LIST_GOES = 16,	/* when the last element goes, the list goes
				   too */
	CTX_BY_NAME = 32,	/* a call or result without an id is paired by
				   tool name, in order */
	CTX_RAW = 64,		/* the text is a JSON value, not a string */
	CTX_BY_ORDER = 128,	/* neither id nor name: paired in order */
	CTX_NO_TOOL = 512,	/* a call that names no tool because it is of
				   another type: one that is not known, or that
				   asks whether another call may be made */
	CTX_COMPACTED = 256,	/* the conversation so far, in its text; with
				   CTX_SIGNED that is sealed: only its own API
				   can read it */
	CTX_CONTINUES = 1024,	/* one text with the thinking that is the part
				   before it: pieces of a stream */
	CTX_TOOL_NAME = 2048,	/* a result without an id that names its tool
				   as Ollama does: it may answer a call that
				   has an id */
	CTX_CUSTOM = 4096,	/* a call of OpenAI's for a tool that takes free
				   text: its text is no JSON */
	CTX_REFUSAL = 8192	/* a text that OpenAI's APIs tell from what the
				   model says */
};

/* One place where a part is: remove node from list, an array or object. */
struct ctx_place {
	uint32_t node;
	uint32_t list;
};

struct ctx_part {
	enum ctx_kind kind;
	unsigned flags;
	uint32_t msg;		/* index of its message */
	uint32_t mate;		/* set by decide/pair: a call's result or a
				   result's call; CTX_NONE if it has none */
	struct ctx_str id;	/* links a call and its result */
	struct ctx_str name;	/* of the tool */
	uint32_t idnode;	/* the string node of the id, or CTX_NONE */
	uint32_t text;		/* node of the text, or CTX_NONE */
	uint32_t asks;		/* string node of the id of the call that this
				   one, of CTX_NO_TOOL, asks about, or CTX_NONE */
	struct ctx_place place[2];	/* node CTX_NONE: goes with the
					   message */
};

enum ctx_msg_flag {
	CTX_FIXED = 1,		/* not an element of its own, so never dropped
				   or moved (a request's system prompt) */
	CTX_JOINED = 2,		/* continues the assistant message before it */
	CTX_SUMMARY = 4,	/* a running summary, or the reply to it */
	CTX_BOUNDARY = 8,	/* messages before this one are no longer
				   sent */
	CTX_REFERS = 16,	/* stands for a message that the API keeps */
	CTX_ONCE = 32,		/* only the first one of a conversation is a
				   message */
	CTX_ANSWER = 64,	/* with CTX_FIXED: what came of the messages, in
				   a member beside them */
	CTX_AS_LINE = 128	/* its element says the same as a line of its
				   own */
};

struct ctx_msg {
	enum ctx_role role;
	unsigned flags;
	uint32_t rec;
	uint32_t node;		/* the message object */
	uint32_t elem, list;	/* what to remove when it is dropped: element
				   elem of list; CTX_NONE: the record */
	uint32_t host;		/* if list is nested, the element of the
				   conversation's list that contains it; removed
				   with the last message in it */
	uint32_t content;	/* node of the content, or CTX_NONE */
	uint32_t part, npart;	/* part[part .. part+npart) */
	struct ctx_str name;	/* of the speaker */
	struct ctx_str join;	/* the messages of a turn with the same join are
				   one message to the API; .p is NULL if it has
				   none */
};

enum ctx_rec_kind {
	CTX_REC_OTHER,		/* not a message: passed through unchanged */
	CTX_REC_MESSAGE,
	CTX_REC_CONVERSATION	/* holds a whole conversation */
};

/* "system", "user", "assistant" or "tool". */
const char *ctx_msg_role_name(enum ctx_role role);

struct ctx_dialect;

struct ctx_rec {
	const char *raw;
	size_t len;		/* includes the newline */
	uint64_t line;
	int tall;		/* a document: more lines than one */
	uint64_t item;		/* element of a list in the line, from 1; 0:
				   the line */
	uint64_t seq;		/* number among all records of a run, from 0 */
	struct ctx_block *block;
	enum ctx_rec_kind shape;
	const struct ctx_dialect *dialect;	/* NULL: still undecided when it
						   arrived */
	uint32_t root;		/* its first node */
	uint32_t list;		/* node of a conversation's message list */
	uint32_t request;	/* the object in the root that has that list,
				   or the list; CTX_NONE: the root has it */
	uint32_t msg, nmsg;	/* if several, each is an element of a list */
	uint32_t link;		/* 1 + its number in the chain of its strand
				   (turn.h), and that of the record that it */
	uint32_t follows;	/* follows; 0: none */
	int elsewhere;		/* the API keeps the messages before it */
	struct ctx_str thread;	/* name of a side conversation (a subagent's in
				   a session log); .p is NULL in the main one */
};

/*
 * A record, or an element of a conversation's list, that is not a message of
 * any known dialect.  What a known session format writes besides messages is
 * not odd.
 */
struct ctx_odd {
	uint32_t rec;
	uint32_t node;		/* the value */
};

/* An id whose shortest spelling is not the one in its record. */
struct ctx_spelled {
	struct ctx_str own;	/* the conversation's */
	struct ctx_str source;
};

/* The records of a call and its result, of which one is beside the branch. */
struct ctx_tie {
	uint32_t rec[2];
};

struct ctx_convo {
	struct ctx_rec *rec;
	struct ctx_msg *msg;
	struct ctx_part *part;
	struct ctx_odd *odd;
	struct ctx_odd *beside;	/* elements of other branches, in order; see
				   branch.h */
	struct ctx_tie *tie;	/* the same */
	struct ctx_spelled *spelled;	/* what it owns */
	uint32_t *until;	/* by message, or empty: the one up to which a
				   turn with its calls goes on; 0: any; see
				   branch.h */
	uint32_t nrec, nmsg, npart, nodd, nbeside, ntie, nspelled, nuntil;
	size_t caprec, capmsg, cappart, capodd, capbeside, captie, capspelled,
	    capuntil;
	struct ctx_doc doc;	/* nodes of all records; raw is not used */
	const struct ctx_dialect *dialect;	/* set by the last record that
						   decides it */
};

/* Empty it but keep the memory.  Releases the records' blocks. */
void	ctx_convo_reset(struct ctx_convo *c);
void	ctx_convo_done(struct ctx_convo *c);

/* Free the memory that its arrays do not need. */
void	ctx_convo_fit(struct ctx_convo *c);

/* Give the ids of its parts their shortest spelling.  Returns -1 if out of memory. */
int	ctx_convo_spell(struct ctx_convo *c) CTX_CHECKED;

/* The bytes of c's only record have moved to raw; update the strings. */
void	ctx_convo_rebase(struct ctx_convo *c, const char *raw);

/* Move all of src to the end of dst.  Returns 0, or -1 if out of memory. */
int	ctx_convo_take(struct ctx_convo *dst, struct ctx_convo *src)
	    CTX_CHECKED;

/* A doc for record r: c's nodes with r's bytes. */
static inline struct ctx_doc
ctx_convo_doc(const struct ctx_convo *c, uint32_t r)
{
	struct ctx_doc d = c->doc;

	d.raw = c->rec[r].raw;
	d.len = c->rec[r].len;
	return d;
}

/* Set the part's id to node; the part has no id if that is not a string. */
void	ctx_part_set_id(struct ctx_part *p, const struct ctx_doc *doc,
	    uint32_t node);
/* Set the text to a string or other JSON, unless node is CTX_NONE or null. */
void	ctx_part_set_value(struct ctx_part *p, const struct ctx_doc *doc,
	    uint32_t node);

/*
 * Views add with these functions, which return NULL if out of memory.  A new
 * part has no place, text, id or mate.  Pointers are valid until the next
 * addition.
 */
struct ctx_rec	*ctx_convo_add_rec(struct ctx_convo *c) CTX_CHECKED;
struct ctx_msg	*ctx_convo_add_msg(struct ctx_convo *c, enum ctx_role role,
		    uint32_t node, uint32_t content) CTX_CHECKED;
struct ctx_part	*ctx_convo_add_part(struct ctx_convo *c, enum ctx_kind kind)
	    CTX_CHECKED;
/* A part, and set its place: element e of list. */
struct ctx_part	*ctx_convo_put_part(struct ctx_convo *c, enum ctx_kind kind,
		    uint32_t list, uint32_t e) CTX_CHECKED;
/*
 * Note that the value at node of the only record is not understood.  Returns 0,
 * or -1 if out of memory.
 */
int	ctx_convo_add_odd(struct ctx_convo *c, uint32_t node) CTX_CHECKED;
/*
 * Add element e of a tool result's list, whose text is the JSON of the value in
 * it; the strings in that are copies, so that they are shortened.  Returns 0, or
 * -1 if out of memory.
 */
int	ctx_convo_put_json(struct ctx_convo *c, const struct ctx_doc *doc,
	    uint32_t list, uint32_t e, uint32_t value) CTX_CHECKED;
/*
 * Add element e of a tool result's list, of a shape that the dialect does not
 * have: its JSON is the text, and the strings in it are copies of that, so that
 * they are shortened.  Returns 0, or -1 if out of memory.
 */
static inline CTX_CHECKED int
ctx_convo_put_odd(struct ctx_convo *c, const struct ctx_doc *doc,
    uint32_t list, uint32_t e)
{
	return ctx_convo_put_json(c, doc, list, e, e);
}
/* Add a text outside of a list.  Returns 0, or -1 if out of memory. */
int	ctx_convo_put_text(struct ctx_convo *c, uint32_t node) CTX_CHECKED;
/* Add a copy of a text in the result before it.  Returns 0 or -1. */
int	ctx_convo_put_copy(struct ctx_convo *c, uint32_t node) CTX_CHECKED;
/* The same for each string in the value at node, which may be CTX_NONE. */
int	ctx_convo_put_copies(struct ctx_convo *c, const struct ctx_doc *doc,
	    uint32_t node) CTX_CHECKED;

/*
 * The element of its conversation's list that message m is, or is in; of message
 * lines, the record's root.  CTX_NONE for what is not in the list: a prompt in a
 * member of its own.
 */
static inline uint32_t
ctx_convo_unit(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];

	if (c->rec[msg->rec].shape != CTX_REC_CONVERSATION)
		return c->rec[msg->rec].root;
	return msg->host != CTX_NONE ? msg->host : msg->elem;
}

/*
 * Is c a conversation whose list is not a member of its record, but of one of the
 * record's members, or one with an answer beside it, as traces have them?
 */
int	ctx_convo_traced(const struct ctx_convo *c);

/*
 * Does the list whose first message is m, or may be, take the place of others?
 * Without it, they would be sent again.
 */
int	ctx_convo_replaces(const struct ctx_convo *c, uint32_t m);

/*
 * The first message that the API of c reads, besides system messages: the last
 * CTX_BOUNDARY, or 0.
 */
uint32_t ctx_convo_sent(const struct ctx_convo *c);

/* The first message after m that is in another element or record. */
static inline uint32_t
ctx_convo_unit_end(const struct ctx_convo *c, uint32_t m)
{
	const uint32_t unit = ctx_convo_unit(c, m), rec = c->msg[m].rec;

	while (++m < c->nmsg && unit != CTX_NONE && c->msg[m].rec == rec &&
	    ctx_convo_unit(c, m) == unit)
		;
	return m;
}

/* for (each part i of message m of c) */
#define CTX_FOR_PARTS(c, m, i) \
	for ((i) = (c)->msg[m].part; \
	    (i) < (c)->msg[m].part + (c)->msg[m].npart; (i)++)

/*
 * The text of part p as it is in the record: the contents of a string without
 * the quotes, or with CTX_RAW a JSON value.  .p is NULL if it has none.
 */
static inline struct ctx_str
ctx_part_text(const struct ctx_convo *c, uint32_t p)
{
	const struct ctx_part *part = &c->part[p];
	const char *raw = c->rec[c->msg[part->msg].rec].raw;
	const struct ctx_node *node;

	if (part->text == CTX_NONE)
		return (struct ctx_str){ NULL, 0 };
	node = &c->doc.node[part->text];
	if (part->flags & CTX_RAW)
		return (struct ctx_str){ raw + node->off, node->len };
	if (raw[node->off] != '"')
		return (struct ctx_str){ NULL, 0 };
	return (struct ctx_str){ raw + node->off + 1, node->len - 2 };
}

/*
 * Is p a call, or its result, that are one part in the dialect?  To an API they
 * are an ordinary pair.
 */
int	ctx_part_inline(const struct ctx_convo *c, const struct ctx_part *p);

/*
 * The last part of message m that is the conversation so far; CTX_NONE if it
 * has none.
 */
uint32_t ctx_msg_compacted(const struct ctx_convo *c, uint32_t m);

/*
 * Does message m hold the conversation so far in a form that only its own API
 * can read?  Without it, what follows has no beginning.
 */
int	ctx_msg_sealed(const struct ctx_convo *c, uint32_t m);

/* Does message m of c have only reasoning? */
int	ctx_msg_thinks(const struct ctx_convo *c, uint32_t m);

#endif
