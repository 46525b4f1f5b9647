/* SPDX-License-Identifier: MIT */
/*
 * A conversation, or a stretch of one, as plain structs: records (input
 * lines), the messages in them, the parts of the messages.  The views fill it,
 * the policies in decide/ read it, edit/ turns verdicts on it into bytes.
 *
 * Messages and parts are in file order, and indexes are stable.  Strings are
 * borrowed from the records and still spelled as in JSON (ctx_str_* in
 * read/span.h).  Policies look at kinds, flags, strings and links only; node
 * numbers mean something to view/ and edit/ alone.  A unit test may fill one
 * by hand with node numbers of CTX_NONE.
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
#include "view/node.h"

enum ctx_role {
	CTX_SYSTEM,	/* developer too */
	CTX_USER,
	CTX_ASSISTANT,
	CTX_TOOL	/* a message that is nothing but results */
};

enum ctx_kind {
	CTX_TEXT,	/* refusals too */
	CTX_THINKING,	/* reasoning, signed or not */
	CTX_CALL,
	CTX_RESULT,	/* its texts and images follow as inner parts */
	CTX_IMAGE,
	CTX_FILE,	/* documents, audio */
	CTX_OTHER,
	CTX_HOLLOW,	/* a member that says nothing and that the API
			   refuses: an empty list of tool calls */
	CTX_COPY	/* a result's text once more, for people's eyes: never
			   sent, so counted nowhere, but cut like the text */
};

enum ctx_part_flag {
	CTX_INNER = 1,		/* belongs to the result before it */
	CTX_SERVER = 2,		/* run by the provider, answered in the same
				   assistant turn */
	CTX_SIGNED = 4,		/* thinking that may not be altered */
	CTX_ERROR = 8,		/* the result says that the tool failed */
	CTX_LIST_GOES = 16,	/* the list goes with its last element */
	CTX_BY_NAME = 32,	/* where call or result has no id, they are
				   paired by tool name, in order */
	CTX_RAW = 64,		/* text is a JSON value, not a string */
	CTX_BY_ORDER = 128	/* neither id nor name: paired in order */
};

/* One spot where a part stands: remove node from list (array or object). */
struct ctx_place {
	uint32_t node;
	uint32_t list;
};

struct ctx_part {
	enum ctx_kind kind;
	unsigned flags;
	uint32_t msg;		/* index of its message */
	uint32_t mate;		/* decide/pair: the call's result, the
				   result's call; CTX_NONE */
	struct ctx_str id;	/* links a call and its result */
	struct ctx_str name;	/* of the tool */
	uint32_t idnode;	/* the string node of id, or CTX_NONE */
	uint32_t text;		/* node of the text, or CTX_NONE */
	struct ctx_place place[2];	/* node CTX_NONE: goes with message */
};

enum ctx_msg_flag {
	CTX_FIXED = 1,		/* no element of its own: never dropped or
				   moved (a request's system prompt) */
	CTX_JOINED = 2,		/* continues the assistant message before it */
	CTX_SUMMARY = 4,	/* a running summary, or its reply */
	CTX_BOUNDARY = 8	/* what stands before is not sent any more */
};

struct ctx_msg {
	enum ctx_role role;
	unsigned flags;
	uint32_t rec;
	uint32_t node;		/* the message object */
	uint32_t elem, list;	/* what goes when it is dropped: this element
				   of this list; CTX_NONE: the record */
	uint32_t host;		/* the element of the conversation's list that
				   list is inside of, if it is not that list;
				   it goes with the last message in it */
	uint32_t content;	/* node of the content, CTX_NONE */
	uint32_t part, npart;	/* part[part .. part+npart) */
	struct ctx_str name;	/* of the speaker */
	struct ctx_str join;	/* messages of one turn that share it are one
				   message to the API; .p NULL: none */
};

enum ctx_rec_kind {
	CTX_REC_OTHER,		/* not a message: passes untouched */
	CTX_REC_MESSAGE,
	CTX_REC_CONVERSATION	/* holds a whole conversation */
};

struct ctx_dialect;

struct ctx_rec {
	const char *raw;
	size_t len;		/* the newline included */
	uint64_t line;
	uint64_t seq;		/* of all records of a run, from 0 */
	struct ctx_block *block;
	enum ctx_rec_kind shape;
	const struct ctx_dialect *dialect;	/* NULL: undecided when it came */
	uint32_t root;		/* its first node */
	uint32_t list;		/* node of a conversation's message list */
	uint32_t msg, nmsg;	/* several: each an element of some list */
	struct ctx_str thread;	/* a side conversation of its own (a subagent's
				   in a session log); .p NULL: the main one */
};

struct ctx_convo {
	struct ctx_rec *rec;
	struct ctx_msg *msg;
	struct ctx_part *part;
	uint32_t nrec, nmsg, npart;
	size_t caprec, capmsg, cappart;
	struct ctx_doc doc;	/* nodes of all records; raw is not used */
	const struct ctx_dialect *dialect;	/* as the last one decided */
};

/* Forget the contents, keep the memory; drops the records' blocks. */
void	ctx_convo_reset(struct ctx_convo *c);
void	ctx_convo_done(struct ctx_convo *c);

/* Give back the memory that its arrays have beyond what is in them. */
void	ctx_convo_fit(struct ctx_convo *c);

/* The bytes of c's only record have moved to raw: strings follow. */
void	ctx_convo_rebase(struct ctx_convo *c, const char *raw);

/* Move all of src behind what dst holds; src is empty after.  -1: no memory. */
int	ctx_convo_take(struct ctx_convo *dst, struct ctx_convo *src)
	    CTX_CHECKED;

/* A doc for record r: c's nodes over r's bytes. */
static inline struct ctx_doc
ctx_convo_doc(const struct ctx_convo *c, uint32_t r)
{
	struct ctx_doc d = c->doc;

	d.raw = c->rec[r].raw;
	d.len = c->rec[r].len;
	return d;
}

/* The id of a part is that string, unless it is none. */
void	ctx_part_set_id(struct ctx_part *p, const struct ctx_doc *doc,
	    uint32_t node);
/* Its text is a string, any other JSON, or CTX_NONE. */
void	ctx_part_set_value(struct ctx_part *p, const struct ctx_doc *doc,
	    uint32_t node);

/*
 * Views add with these; NULL out of memory.  A new part has no place, text,
 * id or mate.  Pointers are good until the next addition.
 */
struct ctx_rec	*ctx_convo_add_rec(struct ctx_convo *c) CTX_CHECKED;
struct ctx_msg	*ctx_convo_add_msg(struct ctx_convo *c, enum ctx_role role)
	    CTX_CHECKED;
struct ctx_part	*ctx_convo_add_part(struct ctx_convo *c, enum ctx_kind kind)
	    CTX_CHECKED;
/* The same with its place: element e of list. */
struct ctx_part	*ctx_convo_put_part(struct ctx_convo *c, enum ctx_kind kind,
		    uint32_t list, uint32_t e) CTX_CHECKED;
/* A text that is no element of a list: 0, or -1 out of memory. */
int	ctx_convo_put_text(struct ctx_convo *c, uint32_t node) CTX_CHECKED;

/*
 * What message m was written in: a conversation may be put together from
 * several dialects.  NULL: nothing in it decides.
 */
static inline const struct ctx_dialect *
ctx_msg_dialect(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_dialect *d = c->rec[c->msg[m].rec].dialect;

	return d != NULL ? d : c->dialect;
}

/*
 * The text of part p as it stands in the record: string contents without
 * their quotes, or with CTX_RAW a JSON value.  .p is NULL if it has none.
 */
struct ctx_str	ctx_part_text(const struct ctx_convo *c, uint32_t p);

/* Is message m of c reasoning, and nothing else? */
int	ctx_msg_thinks(const struct ctx_convo *c, uint32_t m);

#endif
