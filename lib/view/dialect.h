/* SPDX-License-Identifier: MIT */
/*
 * Dialects.  Each is one file and one row in the table in dialect.c.
 *
 * A dialect tells whether an object is one of its messages, adds the message
 * and its parts to a conversation, writes new messages in its own form, and
 * names the rules that its API applies to a history.  Nothing to the right of
 * view/ knows a dialect by name.
 *
 * Names: ctx_shape_.
 */
#ifndef CTX_VIEW_DIALECT_H
#define CTX_VIEW_DIALECT_H

#include "view/chain.h"
#include "view/convo.h"

/* Members that tell dialects apart; where an object has them is its shape. */
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
	CTX_K_PREVIOUS_RESPONSE_ID, CTX_K_CONVERSATION, CTX_K_SYSTEM_PROMPT,
	CTX_K_HISTORY, CTX_K_TOOL_PLAN,
	CTX_K_IMAGES, CTX_K_THINKING, CTX_K_TOOL_NAME, CTX_K_MAPPING,
	CTX_K_CHAT_MESSAGES,
	CTX_K_INPUTS, CTX_K_OUTPUTS, CTX_K_GEN_AI_SYSTEM,
	CTX_K_GEN_AI_INPUT, CTX_K_GEN_AI_OUTPUT, CTX_K_AUDIO,
	CTX_K_N
};

struct ctx_shape {
	uint32_t node;			/* the object */
	uint32_t key[CTX_K_N];		/* node of the value, or CTX_NONE */
};

/*
 * Find the known members of object node; of equal keys the last one counts.  A
 * member that is null or empty counts as absent unless its empty value says
 * something (a text "", a list of messages []), since libraries write all
 * members that a class has.
 */
void	ctx_shape_of(struct ctx_shape *s, const struct ctx_doc *doc,
	    uint32_t node);
/* Is node neither CTX_NONE nor null nor an empty string, list or object? */
static inline int
ctx_shape_filled(const struct ctx_doc *doc, uint32_t node)
{
	char type;

	if (node == CTX_NONE)
		return 0;
	if (doc->node[node].next > node + 1)
		return 1;
	type = ctx_node_type(doc, node);
	if (type == '"')
		return doc->node[node].len > 2;
	/* a number, true or false */
	return type <= '9' || type == 't' || type == 'f';
}

/* Has the object a role and a text, which is not empty, and nothing else? */
static inline int
ctx_shape_plain(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t role = s->key[CTX_K_ROLE], text = s->key[CTX_K_CONTENT];

	return doc->node[s->node].next == s->node + 5 && role != CTX_NONE &&
	    text != CTX_NONE && ctx_node_type(doc, role) == '"' &&
	    ctx_node_type(doc, text) == '"' && doc->node[text].len > 2;
}

/*
 * Has part e, a text, sources?  Only Anthropic's have
 * (platform.claude.com/docs/en/build-with-claude/citations).
 */
static inline int
ctx_shape_cited(const struct ctx_doc *doc, uint32_t e)
{
	return ctx_shape_filled(doc, CTX_GET(doc, e, "citations"));
}

/*
 * What object e is, by the member of it that is one of the words, none of which
 * means 0; *value is that member's node.  Of several, the first that is not
 * empty counts.  Returns 0, with CTX_NONE, if there is none.
 */
int	ctx_shape_union(const struct ctx_doc *doc, uint32_t e,
	    const struct ctx_word *words, uint32_t *value);

/*
 * Could s be a message without content?  It holds nothing that a message could
 * hold, no list of messages, and is of no other type.
 */
int	ctx_shape_bare(const struct ctx_shape *s, const struct ctx_doc *doc);

enum ctx_rule {
	CTX_RULE_PAIRS = 1,		/* calls and results must be paired */
	CTX_RULE_ADJACENT = 2,		/* results come directly after the
					   call's message */
	CTX_RULE_IN_USER = 4,		/* results are parts of the messages
					   that open the next user turn */
	CTX_RULE_UNIQUE_IDS = 8,	/* call ids are unique in a turn */
	CTX_RULE_NO_EMPTY = 16,		/* no empty text and no empty message */
	CTX_RULE_FIRST_USER = 32,	/* starts with a user message */
	CTX_RULE_NEEDS_PARTS = 64,	/* a message has at least one part */
	CTX_RULE_NEEDS_CONTENT = 128,	/* an assistant message has content or a
					   call */
	CTX_RULE_NO_EMPTY_CALLS = 256,	/* a list of calls is not empty */
	CTX_RULE_LEADS = 512,		/* reasoning that is a message of its
					   own goes with what follows from it */
	CTX_RULE_LOG = 1024,		/* a log: lines are not in turn order,
					   and nothing is moved */
	CTX_RULE_ANYWHERE = 2048,	/* results anywhere after their call,
					   even after other turns */
	CTX_RULE_RUNS = 4096,		/* consecutive assistant messages are
					   one message to the API */
	CTX_RULE_LEAD_PARTS = 8192,	/* results come before the other parts
					   of their message */
	CTX_RULE_TYPED = 16384,		/* each part has a type */
	CTX_RULE_WHOLE_PAIRS = 32768,	/* half a surrogate pair is no JSON */
	CTX_RULE_SESSION = 131072,	/* a program's session, though no log */
	CTX_RULE_REWRITES = 262144,	/* a log that writes a record again under
					   its id when it changes */
	CTX_RULE_NO_BLANK = 65536	/* with NO_EMPTY: white space is empty,
					   but not in a result */
};

/* A message, or a part of one, that a dialect is to write. */
enum ctx_new_kind {
	CTX_NEW_TEXT,		/* a message: role and text */
	CTX_NEW_RESULT,		/* a message with one result */
	CTX_NEW_MOVED,		/* a message around existing result parts */
	CTX_NEW_BOUNDARY,	/* the record before a summary in a session */
	CTX_NEW_SUMMARY		/* a summary as the session's program has it */
};

/* How a program writes a summary of what is no longer sent into its session. */
enum ctx_summary_form {
	CTX_SUMMARY_MESSAGE,	/* it does not: it is a message like others */
	CTX_SUMMARY_BOUNDED,	/* two records, of which the first begins a
				   new chain */
	CTX_SUMMARY_RECORD,	/* one record */
	CTX_SUMMARY_LIST	/* one record, which has all that is still sent
				   of what is before it */
};

struct ctx_new {
	enum ctx_new_kind kind;
	enum ctx_role role;
	const char *text;	/* decoded */
	size_t textlen;
	struct ctx_str id, name;	/* escaped, as in the call */
	/* for CTX_NEW_MOVED, and a summary that has a list: elements with
	   commas */
	const char *raw;
	size_t rawlen;
	uint64_t tokens;	/* of what a summary replaces */
	/* a neighbour whose form it copies; doc is NULL if there is none */
	const struct ctx_doc *doc;
	uint32_t like;		/* the neighbour's record, or its element of the
				   list */
};

/* How an object matches a dialect. */
enum ctx_match {
	CTX_MATCH_NOT,
	CTX_MATCH_WEAK,		/* could be, but has unknown parts */
	CTX_MATCH_MAYBE,		/* could be one of its messages */
	CTX_MATCH_SURE,		/* can only be one of its messages */
	CTX_MATCH_ASIDE		/* belongs to it alone, but is not a message */
};

/*
 * How a program marks what it says in the user's name, which nobody typed: by
 * how such texts begin (a list that ends with NULL), or by a member of the
 * record, or of a part of the message, that is true.  Each may be NULL.
 */
struct ctx_dialect_own {
	const char *const *texts;
	const char *record, *part;
};

#define CTX_BESIDE_RESULT	2	/* see branches */
#define CTX_BESIDE_REPLACED	3	/* see ctx_branch_replaced */

/* Takes a string node that repeats the result of the call with that id. */
typedef int ctx_copy_fn(void *arg, struct ctx_str id, uint32_t node);

struct ctx_dialect {
	const char *name;
	const char *title;
	unsigned rules;
	int is_export;		/* an archive that nothing reads back: it is
				   only converted, and emit may be NULL */
	unsigned lenient;	/* those of the rules that not all models apply */
	/* members around a conversation: messages, system prompt */
	enum ctx_key list, system[2];
	/* members that name messages before the list, which the API keeps;
	   CTX_K_ROLE: none */
	enum ctx_key elsewhere[2];
	/* a text element of a content list, up to its text; or NULL */
	const char *text_element;
	enum ctx_match (*match)(const struct ctx_shape *s,
	    const struct ctx_doc *doc);
	/*
	 * Add the message or messages at s->node.  If there are several, set
	 * list in each, and elem to its element there.  Returns 0, or -1 with
	 * *err, only when out of memory.
	 */
	int (*view)(struct ctx_convo *c, const struct ctx_doc *doc,
	    const struct ctx_shape *s, struct ctx_err *err);
	/* name of the dialect whose parts are used; NULL: its own */
	const char *family;
	/*
	 * The dialect that it adds to, or NULL: messages of that one may come
	 * before the first that only it has.
	 */
	const struct ctx_dialect *base;
	/* its records are envelopes around this dialect's messages; or NULL */
	const struct ctx_dialect *wraps;
	/*
	 * For dialects whose messages form a tree: set gone[m] = 1 for each of
	 * this dialect's messages in c that is not on the branch of message
	 * tip; CTX_BESIDE_RESULT for one of results, if it stays with a call on
	 * the branch.  NULL if there are no branches.  Returns 0, or -1 if out
	 * of memory.
	 */
	int (*branches)(const struct ctx_convo *c, uint32_t tip,
	    unsigned char *gone);
	/* what links the records of a session, in lines; or NULL */
	const struct ctx_chain_form *chain;
	/*
	 * For logs that write something twice: amend the messages of c, a turn
	 * or a whole conversation, before it is delivered.  NULL if they do
	 * not.  Returns 0, or -1 if out of memory.
	 */
	int (*settle)(struct ctx_convo *c);
	/*
	 * For logs that repeat results for people to read, in records that are
	 * not messages: pass each such string of the record at root to put.
	 * NULL if there are none.  Returns 0, or -1 as soon as put does.
	 */
	int (*copies)(const struct ctx_doc *doc, uint32_t root,
	    ctx_copy_fn *put, void *arg);
	const struct ctx_dialect_own *own;	/* or NULL */
	/* what else emit writes */
	enum ctx_summary_form summary;
	/* Write the new message to out as one JSON object without a newline. */
	int (*emit)(struct ctx_buf *out, const struct ctx_new *what);
};

extern const struct ctx_dialect *const ctx_dialects[];	/* ends with NULL */
extern const struct ctx_dialect ctx_dialect_openai, ctx_dialect_anthropic,
    ctx_dialect_responses, ctx_dialect_gemini, ctx_dialect_langchain,
    ctx_dialect_pydantic, ctx_dialect_claude_code, ctx_dialect_codex,
    ctx_dialect_sharegpt, ctx_dialect_ai_sdk, ctx_dialect_qwen_code,
    ctx_dialect_pi, ctx_dialect_opencode, ctx_dialect_continue,
    ctx_dialect_gemini_cli, ctx_dialect_bedrock, ctx_dialect_cohere,
    ctx_dialect_ollama, ctx_dialect_mistral, ctx_dialect_goose,
    ctx_dialect_chatgpt, ctx_dialect_claude_ai, ctx_dialect_otel;

/* d, or OpenAI's where nothing decides. */
static inline const struct ctx_dialect *
ctx_dialect_of(const struct ctx_dialect *d)
{
	return d != NULL ? d : &ctx_dialect_openai;
}

/*
 * The dialect of message m.  A conversation may be assembled from several
 * dialects; what adds to one is that of its messages, too.  NULL if nothing in it
 * decides.
 */
static inline const struct ctx_dialect *
ctx_msg_dialect(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_dialect *d = c->rec[c->msg[m].rec].dialect;

	return d == NULL || (c->dialect != NULL && c->dialect->base == d) ?
	    c->dialect : d;
}

/* Whose the words of a user's message are. */
enum ctx_whose {
	CTX_WHOSE_NONE,		/* it has none, only results; or is no user's */
	CTX_WHOSE_TYPED,	/* a person's, as far as anybody can tell */
	CTX_WHOSE_OWN		/* a program's: see own, or a summary */
};
enum ctx_whose ctx_dialect_whose(const struct ctx_convo *c, uint32_t m);

/* Append the escaped text as an element of a list, if d has text_element. */
void	ctx_dialect_put_text(struct ctx_buf *b, const struct ctx_dialect *d,
	    struct ctx_str text);

/* The dialect called name; NULL if there is none. */
const struct ctx_dialect *ctx_dialect_find(const char *name);

/*
 * For views: add the messages of dialect d in a list that is not the record's
 * own.  Returns 0, or -1 with *err.
 */
int	ctx_dialect_nested(struct ctx_convo *c, const struct ctx_dialect *d,
	    const struct ctx_doc *doc, uint32_t list, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * For logs of Gemini's contents: add the part that is element e of list, and
 * write the list of parts of a new message.  They return 0, or -1 if out of
 * memory.
 */
int	ctx_dialect_gemini_part(struct ctx_convo *c, const struct ctx_doc *doc,
	    uint32_t list, uint32_t e) CTX_CHECKED;
int	ctx_dialect_gemini_emit(struct ctx_buf *out,
	    const struct ctx_new *what);

/*
 * View c's only record, whose nodes have been scanned: decide its shape and add
 * its messages.  state is the dialect so far, or NULL while undecided; force
 * means that no other may be detected.  Sets c->dialect to the dialect that the
 * record was viewed as.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or, with force, CTX_EINPUT for a line that
 *          is a message, or has one in its list, but not of that dialect.
 */
int	ctx_dialect_view(struct ctx_convo *c, const struct ctx_dialect *state,
	    int force, struct ctx_err *err) CTX_CHECKED;

/*
 * View a line, which remains the caller's, as the only record of c.  Returns 0,
 * or -1 with CTX_EINPUT (err->col set) if it is not JSON, or CTX_ENOMEM.
 */
int	ctx_dialect_line(struct ctx_convo *c, const struct ctx_dialect *state,
	    const char *raw, size_t len, struct ctx_err *err) CTX_CHECKED;

/* The same for a line that is known to be dialect d's. */
int	ctx_dialect_line_of(struct ctx_convo *c, const struct ctx_dialect *d,
	    const char *raw, size_t len, struct ctx_err *err) CTX_CHECKED;

#endif
