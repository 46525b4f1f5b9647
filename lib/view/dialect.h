/* SPDX-License-Identifier: MIT */
/*
 * Dialects: one file and one row in the table of dialect.c each.
 *
 * A dialect says whether an object is one of its messages, adds the message
 * and its parts to a conversation, writes new messages in its own form, and
 * names the rules that its API holds a history to.  Nothing to the right of
 * view/ knows a dialect by name.
 *
 * Names: ctx_shape_.
 */
#ifndef CTX_VIEW_DIALECT_H
#define CTX_VIEW_DIALECT_H

#include "view/convo.h"

/* Members that tell dialects apart: an object's shape is where they are. */
enum ctx_key {
	CTX_K_ROLE, CTX_K_CONTENT, CTX_K_TYPE, CTX_K_NAME, CTX_K_ID,
	CTX_K_TOOL_CALLS, CTX_K_TOOL_CALL_ID, CTX_K_FUNCTION_CALL,
	CTX_K_REFUSAL, CTX_K_REASONING_CONTENT, CTX_K_PARTS, CTX_K_KIND,
	CTX_K_MESSAGE, CTX_K_MESSAGES, CTX_K_CONVERSATIONS, CTX_K_CONTENTS,
	CTX_K_INPUT, CTX_K_SYSTEM, CTX_K_SYSTEM_INSTRUCTION,
	CTX_K_SYSTEM_INSTRUCTION_SNAKE, CTX_K_UUID,
	CTX_K_PAYLOAD, CTX_K_DATA, CTX_K_LC, CTX_K_KWARGS, CTX_K_FROM,
	CTX_K_VALUE, CTX_K_CALL_ID, CTX_K_OUTPUT, CTX_K_TIMESTAMP,
	CTX_K_ARGUMENTS, CTX_K_SUMMARY, CTX_K_INSTRUCTIONS,
	CTX_K_N
};

struct ctx_shape {
	uint32_t node;			/* the object */
	uint32_t key[CTX_K_N];		/* node of the value, CTX_NONE */
};

/* Where the known members of object node are; the last of equal keys. */
void	ctx_shape_of(struct ctx_shape *s, const struct ctx_doc *doc,
	    uint32_t node);

enum ctx_rule {
	CTX_RULE_PAIRS = 1,		/* calls and results belong together */
	CTX_RULE_ADJACENT = 2,		/* results directly behind the call's
					   message */
	CTX_RULE_IN_USER = 4,		/* results are parts of the next user
					   turn, before all else in it */
	CTX_RULE_UNIQUE_IDS = 8,	/* call ids unique in a request */
	CTX_RULE_NO_EMPTY = 16,		/* no empty text, no empty message */
	CTX_RULE_FIRST_USER = 32,	/* starts with a user message */
	CTX_RULE_ALTERNATE = 64,	/* no two turns of one role in a row */
	CTX_RULE_NEEDS_CONTENT = 128,	/* an assistant message has content or
					   a call */
	CTX_RULE_ID_40 = 256,		/* call ids of at most 40 bytes */
	CTX_RULE_LEADS = 512,		/* reasoning that is a message of its
					   own goes with what it led to */
	CTX_RULE_LOG = 1024,		/* a log: order is not the turn order,
					   nothing is moved */
	CTX_RULE_ANYWHERE = 2048,	/* results anywhere behind their call,
					   be it behind other turns */
	CTX_RULE_RUNS = 4096,		/* assistant messages in a row are one
					   to the API */
	CTX_RULE_ONE_REPLY = 8192	/* all results of a turn in one
					   message */
};

/* A message, or part of one, to be written by a dialect. */
enum ctx_new_kind {
	CTX_NEW_TEXT,		/* a message: role and text */
	CTX_NEW_RESULT,		/* a message with one result */
	CTX_NEW_ELEMENT,	/* that result alone, for CTX_NEW_MOVED */
	CTX_NEW_MOVED		/* a message around result parts given raw */
};

struct ctx_new {
	enum ctx_new_kind kind;
	enum ctx_role role;
	const char *text;	/* decoded */
	size_t textlen;
	struct ctx_str id, name;	/* escaped, as in the call */
	const char *raw;	/* CTX_NEW_MOVED: elements with commas */
	size_t rawlen;
	/* a neighbour whose form it takes; doc NULL: there is none */
	const struct ctx_doc *doc;
	uint32_t like;		/* its record, or its element of the list */
};

/* What an object is to a dialect. */
enum ctx_match {
	CTX_MATCH_NOT,
	CTX_MATCH_WEAK,		/* could be, but has parts we do not know */
	CTX_MATCH_MAYBE,		/* could be one of its messages */
	CTX_MATCH_SURE,		/* can be nobody else's */
	CTX_MATCH_ASIDE		/* nobody else's, and not a message */
};

struct ctx_dialect {
	const char *name;
	const char *title;
	unsigned rules;
	/* of an object around a conversation: its messages, system prompt */
	enum ctx_key list, system[2];
	/* a text element of a content list, up to its text; NULL: none */
	const char *text_element;
	enum ctx_match (*match)(const struct ctx_shape *s,
	    const struct ctx_doc *doc);
	/*
	 * Add the message at s->node, or the messages; those set list, and
	 * elem inside it.  -1 with *err only out of memory.
	 */
	int (*view)(struct ctx_convo *c, const struct ctx_doc *doc,
	    const struct ctx_shape *s, struct ctx_err *err);
	/* The dialect whose parts its own look like; NULL: itself. */
	const char *family;
	/*
	 * Of a tree of messages: gone[m] = 1 for those of this dialect in c
	 * that the last of them, message tip, does not follow.  NULL: it is
	 * none.  -1 out of memory.
	 */
	int (*branches)(const struct ctx_convo *c, uint32_t tip,
	    unsigned char *gone);
	/* The new message as one JSON object without a newline, into out. */
	int (*emit)(struct ctx_buf *out, const struct ctx_new *what);
};

extern const struct ctx_dialect *const ctx_dialects[];	/* ends with NULL */
extern const struct ctx_dialect ctx_dialect_openai, ctx_dialect_anthropic,
    ctx_dialect_responses, ctx_dialect_gemini, ctx_dialect_langchain,
    ctx_dialect_pydantic, ctx_dialect_claude_code, ctx_dialect_codex,
    ctx_dialect_sharegpt, ctx_dialect_ai_sdk;

/* Append the escaped text as an element of a list, if d has text_element. */
void	ctx_dialect_put_text(struct ctx_buf *b, const struct ctx_dialect *d,
	    struct ctx_str text);

/* NULL if there is none of that name. */
const struct ctx_dialect *ctx_dialect_find(const char *name);

/*
 * View record r of c, whose nodes have been scanned: decides its shape, adds
 * its messages.  state is the dialect so far, NULL while undecided, forced if
 * force is set; c->dialect is what the record was viewed as.
 *
 * Returns: 0, or -1 out of memory or, forced, with CTX_EINPUT where the line
 *          is a message but not of that dialect.
 */
int	ctx_dialect_view(struct ctx_convo *c, uint32_t r,
	    const struct ctx_dialect *state, int force, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * View a line, which stays the caller's, as the one record of c.  0, or -1 with
 * CTX_EINPUT (err->col set) if it is not JSON, or CTX_ENOMEM.
 */
int	ctx_dialect_line(struct ctx_convo *c, const struct ctx_dialect *state,
	    const char *raw, size_t len, struct ctx_err *err) CTX_CHECKED;

#endif
