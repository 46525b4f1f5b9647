/* SPDX-License-Identifier: MIT */
/*
 * Dialects as targets of a conversion.  Each is one file to_NAME.c and one row
 * in the table in target.c.  A target writes a script step by step; its caller
 * adds lines, lists and requests around that.
 *
 * Names: ctx_put_, ctx_to_.
 */
#ifndef CTX_EDIT_TARGET_H
#define CTX_EDIT_TARGET_H

#include "edit/attachment.h"
#include "edit/script.h"
#include "edit/takes.h"

struct ctx_writer {
	struct ctx_script *s;
	struct ctx_buf *out;
	const struct ctx_target *t;
	int request;		/* for the API: leave out what it refuses */
	int inside;		/* the conversation is written as an object,
				   which has room for members next to the
				   messages */
	/* write a message per line, with this member first; else a list */
	int lines;
	const char *by, *by_value;
	size_t by_len;
	uint32_t nmsg;		/* messages written so far */
	size_t opening;		/* bytes up to the end of the first message that
				   is not the system's */
	uint32_t kept;		/* kept parts of the step written so far */
	uint32_t at;		/* parts of the step written so far */
	uint32_t back;		/* those of them that had been kept */
	const struct ctx_said *first;	/* of the step */
	int open;		/* a message is open and may continue in the
				   next step */
	const struct ctx_step *last_user;	/* NULL if there is none */
	const char *const *only;	/* write calls of these tools alone; */
	size_t nonly;			/* 0: of all */
	int bare;		/* what is being written has no room for that
				   member */
	size_t mended;		/* halves of surrogate pairs that were replaced */
	struct ctx_buf left;	/* entries for the extension member */
	struct ctx_buf text;	/* scratch memory for decoding */
	struct ctx_doc doc;
	struct ctx_respelled plain;	/* an attachment */
};

struct ctx_tool {
	struct ctx_str name, about;	/* escaped; about.p may be NULL */
	struct ctx_str schema;		/* JSON; .p is NULL for any object */
	int custom;			/* it takes free text, no object */
	struct ctx_str format;		/* of that: JSON, or .p is NULL */
	int deferred;			/* the model is not shown it until it
					   looks for it */
	int google;			/* it is a Schema of Google's, not JSON
					   Schema */
	int declared;			/* in a list of Google's */
};

/* How an API is told which tools the model may call. */
struct ctx_choice_words {
	const char *name;	/* of the member; NULL: there is none */
	const char *automatic, *none, *required;	/* JSON; NULL: cannot be
							   told */
	/* one of them: before and after its name; NULL: cannot be told */
	const char *one, *one_end;
	const char *one_custom;	/* before that of one that takes free text */
};

/* In requests of OpenAI's chat and of APIs like it. */
#define CTX_CHAT_CHOICE { \
	.name = "tool_choice", \
	.automatic = "\"auto\"", .none = "\"none\"", \
	.required = "\"required\"", \
	.one = "{\"type\":\"function\",\"function\":{\"name\":\"", \
	.one_end = "\"}}", \
	.one_custom = "{\"type\":\"custom\",\"custom\":{\"name\":\"" \
}

/* The text of an API's request after its list of messages. */
struct ctx_request_words {
	const char *model;	/* member with its name; NULL: it is in the
				   URL */
	const char *tools;	/* the list of tools; NULL: "tools" */
	/* the members of which a tool has one, each between spaces, and those
	   that only other APIs' have */
	const char *tool_has, *tool_lacks;
	const char *group, *group_end;	/* around all of ours in it, or NULL */
	const char *tool, *tool_end;	/* around a tool's members */
	/* before the members of a tool that takes free text, and before those
	   of its grammar, up to tool_end; NULL: it becomes a function */
	const char *custom, *grammar;
	const char *schema;	/* before a tool's schema */
	const char *google;	/* before one that is Google's; NULL: it becomes
				   JSON Schema */
	const char *no_about;	/* in place of a description; NULL: nothing */
	struct ctx_choice_words choice;
	const char *max_output;	/* member with the most tokens of an answer */
	const char *limits;	/* all names of it, each between spaces */
	uint64_t usual;		/* the default number; 0: leave it out */
	int stream;		/* "stream" asks for a streamed answer, rather
				   than the URL */
	const char *stream_options;	/* what is asked of servers that take
					   the member of that name, or NULL */
	const struct ctx_takes *members;	/* the others that it takes */
	unsigned needs;		/* what else it requires: enum ctx_need */
};

/* How a dialect that is OpenAI's but for a few things differs from it. */
struct ctx_chat {
	const char *thought;	/* member of a message for reasoning, up to its
				   text; NULL: none */
	/* reasoning as a part of the content, before and after its text; NULL:
	   none.  A message with calls has the member if there is one. */
	const char *part, *part_end;
	const char *nothing;	/* the content that says nothing; NULL: no
				   member */
	enum ctx_chat_files { CTX_CHAT_NO_FILES, CTX_CHAT_FILES,
	    CTX_CHAT_LINKS } files;	/* none; data in "file" and
				   "input_audio"; URLs in "document_url" */
	/* whose reasoning its API takes in requests */
	enum { CTX_CHAT_NO_ONES, CTX_CHAT_ITS_OWN, CTX_CHAT_ANY } keeps;
	int developer;		/* there is a role of that name */
};

struct ctx_target {
	const char *name;
	const char *dialect;	/* what it is to the dialects; NULL: its name */
	const char *role[3];	/* its names for system, user, assistant */
	unsigned needs;		/* enum ctx_need */
	const char *list;	/* member that holds the messages of a
				   conversation */
	int only_text;		/* the output is no messages */
	int only_waiting;	/* but lines, for calls that wait; there may be
				   none */
	int signs;		/* calls may carry Google's signatures */
	int names;		/* messages have the names of speakers */
	/*
	 * Is the message at node, which is in the target's dialect, in a form of
	 * this version?  NULL: there is only one.
	 */
	int (*is_current)(const struct ctx_doc *doc, uint32_t node);
	/* what its API takes in a message; NULL: everything */
	const struct ctx_takes *takes;
	/*
	 * A system prompt as a message, up to its content, if the prompt may
	 * stand beside the messages; and what makes a list of a string, up to
	 * the string.  NULL: the content may be a string.
	 */
	const char *system, *system_parts;
	/* Write step i as messages; NULL: there are results only. */
	void (*step)(struct ctx_writer *w, uint32_t i);
	/*
	 * Write the results of a step; NULL: they have no message of their own.
	 * named: each has the name of its tool.
	 */
	void (*results)(struct ctx_writer *w, const struct ctx_step *st);
	int named;
	/* Write what must come between step i - 1 and i; NULL: nothing */
	void (*between)(struct ctx_writer *w, uint32_t i);
	/* Write members before the list, or NULL: a system prompt. */
	void (*head)(struct ctx_writer *w);
	/*
	 * For those who train on it and want turns to alternate: what it needs
	 * then, and the number of turns that do not.  NULL if any order will do.
	 */
	unsigned strict_needs;
	uint64_t (*broken)(const struct ctx_script *s);
	/* Close what the last step left open.  NULL if there is nothing. */
	void (*end)(struct ctx_writer *w);
	/* NULL if the target has no requests */
	const struct ctx_request_words *request;
	const struct ctx_chat *chat;	/* for ctx_put_chat() */
};

extern const struct ctx_target ctx_to_openai, ctx_to_responses,
    ctx_to_anthropic, ctx_to_gemini, ctx_to_langchain, ctx_to_pydantic,
    ctx_to_sharegpt, ctx_to_ai_sdk, ctx_to_ai_sdk_5, ctx_to_bedrock,
    ctx_to_cohere, ctx_to_ollama, ctx_to_mistral, ctx_to_text,
    ctx_to_markdown, ctx_to_calls, ctx_to_results;

/* The name of the dialect that t writes. */
static inline const char *
ctx_target_dialect(const struct ctx_target *t)
{
	return t->dialect != NULL ? t->dialect : t->name;
}

/* The target called name; NULL if there is none. */
const struct ctx_target *ctx_target_find(const char *name);
/* Target i; NULL after the last. */
const struct ctx_target *ctx_target_at(size_t i);

/* --- what targets write with; errors are sticky in w->out ----------- */

/* Begin a message: '{' and the members that come first in each line. */
void	ctx_put_begin(struct ctx_writer *w);
/* Write the extension member if there is anything for it. */
void	ctx_put_kept(struct ctx_writer *w);
/* End the message: write that member and '}'. */
void	ctx_put_end(struct ctx_writer *w);

/* Make the output fail too if memory ran out elsewhere. */
void	ctx_put_failed(struct ctx_writer *w, int failed);

void	ctx_put(struct ctx_writer *w, const char *text);
void	ctx_put_str(struct ctx_writer *w, struct ctx_str s);
/* Write text, s unchanged, and text, as in "\"id\":\"", id, "\"". */
void	ctx_put_3(struct ctx_writer *w, const char *before, struct ctx_str s,
	    const char *after);
/* Write JSON on one line. */
void	ctx_put_json(struct ctx_writer *w, struct ctx_str json);
/*
 * Write a Schema of Google's APIs (ai.google.dev/api/caching#Schema) as JSON Schema:
 * types in lower case, "nullable" as the type "null", and limits that are strings as
 * numbers.
 */
void	ctx_put_schema(struct ctx_writer *w, struct ctx_str schema);
/* Write the member of that key as it is. */
void	ctx_put_member(struct ctx_writer *w, const struct ctx_doc *doc,
	    uint32_t key);
/* Write what is taken of a value. */
void	ctx_put_taken(struct ctx_writer *w, const struct ctx_taker *t,
	    const struct ctx_doc *doc, uint32_t node);
/* Write this name of a step's role. */
void	ctx_put_role(struct ctx_writer *w, const struct ctx_step *st,
	    const char *role);
/* Write an item's text as the contents of a JSON string, or as a string. */
void	ctx_put_text(struct ctx_writer *w, const struct ctx_said *it);
void	ctx_put_quoted(struct ctx_writer *w, const struct ctx_said *it);
/* Write an item's text as one of several in a string. */
void	ctx_put_joined(struct ctx_writer *w, const struct ctx_said *it);
/* Write a call's arguments as an object; anything else is wrapped in one. */
void	ctx_put_object(struct ctx_writer *w, const struct ctx_said *it);
/* Write all texts in a result as the contents of one JSON string. */
void	ctx_put_result(struct ctx_writer *w, const struct ctx_said *it);
/* Write the JSON that a result is; what is beside it is left out and counted. */
void	ctx_put_result_json(struct ctx_writer *w, const struct ctx_said *it);

/* Can an item be written unchanged? */
int	ctx_target_is_ours(const struct ctx_writer *w,
	    const struct ctx_said *it);

/*
 * Is it thinking with Anthropic's signature, or one of a dialect that has no
 * provider of its own?  Signatures are the same at Anthropic and at Bedrock
 * (platform.claude.com/docs/en/build-with-claude/extended-thinking).
 */
int	ctx_target_is_signed(const struct ctx_said *it);

/* The number of items of a kind in step i, not counting its results. */
uint32_t ctx_target_count(const struct ctx_writer *w, const struct ctx_step *st,
	    enum ctx_kind kind);
/* The first of them; NULL if there is none. */
const struct ctx_said *ctx_target_first(const struct ctx_writer *w,
	    const struct ctx_step *st, enum ctx_kind kind);

/* Read an image or file; 0 if it is not understood or memory ran out. */
int	ctx_target_attachment(struct ctx_writer *w, const struct ctx_said *it,
	    struct ctx_attachment *m);

/*
 * Write the member "filename", without which OpenAI's APIs refuse data with 400
 * (openai/openai-agents-python#1513).
 */
void	ctx_put_filename(struct ctx_writer *w, const struct ctx_attachment *m);

/* Write its data: URL, or its own URL, as the contents of a JSON string. */
void	ctx_put_address(struct ctx_writer *w, const struct ctx_attachment *m);

/*
 * An item cannot be expressed: keep it for other dialects, or count the loss.
 */
void	ctx_target_lose(struct ctx_writer *w, const struct ctx_said *it,
	    enum ctx_loss why);

/*
 * The texts of a step are all that it has room for: keep its other parts, and what
 * was kept, for other dialects.
 */
void	ctx_target_lose_others(struct ctx_writer *w, const struct ctx_step *st);

/* Write a comma between parts of a list; *n is the number written so far. */
void	ctx_put_comma(struct ctx_writer *w, int *n);
/*
 * Take the next part that was kept for this family and belongs here; 0 if there
 * is none.  Parts of other families are kept again.
 */
int	ctx_target_take_kept(struct ctx_writer *w, const struct ctx_step *st,
	    int last, struct ctx_str *json);
/* Write what is taken of the item as the next part of a list. */
void	ctx_put_raw(struct ctx_writer *w, const struct ctx_said *it, int *n);
/*
 * Write an object as the next part of a list: before, and the item's text as
 * its last value.
 */
void	ctx_put_text_part(struct ctx_writer *w, const char *before,
	    const struct ctx_said *it, int *n);
/*
 * In a request, whose API refuses an empty list: write a note as its only part if
 * nothing of a message could be written.  before is the text before the note.
 */
void	ctx_put_note(struct ctx_writer *w, const char *before, int *n);
/*
 * Write thinking as the next part of a list: before and the text, then the
 * signature, if there is one, between sign and sign_end.  Without a text, or signed by
 * Google, it is lost.
 */
void	ctx_put_thinking(struct ctx_writer *w, const char *before,
	    const char *sign, const char *sign_end, const struct ctx_said *it,
	    int *n);
/*
 * Write all kept parts up to the place of the next item; if last is set, up to
 * the end of the step.
 */
void	ctx_put_kept_parts(struct ctx_writer *w, const struct ctx_step *st,
	    int *n, int last);

/* Writes an item as a part of a list, or leaves it out. */
typedef void ctx_part_fn(struct ctx_writer *w, const struct ctx_step *st,
	    const struct ctx_said *it, int *n);
/* Write the step's items by means of put, and kept parts in their places. */
void	ctx_put_parts(struct ctx_writer *w, const struct ctx_step *st, int *n,
	    ctx_part_fn *put);
/*
 * For families where a user's message carries the results: write the message
 * after step i, with its results and the user's next words.  list is the member
 * with its parts, up to the first.
 */
void	ctx_put_answer(struct ctx_writer *w, uint32_t i, const char *list,
	    ctx_part_fn *result, ctx_part_fn *put);
/* Write step i's message and the one after it, if all messages have lists. */
void	ctx_put_turn(struct ctx_writer *w, uint32_t i, const char *list,
	    ctx_part_fn *result, ctx_part_fn *put);
/* Write the system prompt, if any, as a list between before and after. */
void	ctx_put_head(struct ctx_writer *w, const char *before,
	    const char *after, ctx_part_fn *put);
/* Write step i as OpenAI's messages, or as those of a dialect with a chat. */
void	ctx_put_chat(struct ctx_writer *w, uint32_t i);
void	ctx_put_chat_results(struct ctx_writer *w, const struct ctx_step *st);
/* Write the reasoning of a step that is a member of its message, or lose it. */
void	ctx_put_chat_thought(struct ctx_writer *w, const struct ctx_step *st);
/* Is a kept part such a member rather than a part of the content? */
int	ctx_target_is_thought(struct ctx_str json);
/* Begin with the parts of step i. */
const struct ctx_step *ctx_target_begin_step(struct ctx_writer *w, uint32_t i);
/*
 * For such a family: begin step i's message, up to the name of its role and
 * without the quote after it.  Returns NULL if the step has no message of its
 * own, because it was written after the results of the step before or is not in
 * the list of messages.
 */
const struct ctx_step *ctx_target_begin_turn(struct ctx_writer *w, uint32_t i);

#endif
