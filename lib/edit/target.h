/* SPDX-License-Identifier: MIT */
/*
 * Dialects as targets of a conversion: one file to_NAME.c and one row in the
 * table of target.c each.  A target writes a script step by step; who calls it
 * puts lines, lists and requests around.
 *
 * Names: ctx_put_, ctx_to_.
 */
#ifndef CTX_EDIT_TARGET_H
#define CTX_EDIT_TARGET_H

#include "edit/attachment.h"
#include "edit/script.h"

struct ctx_writer {
	struct ctx_script *s;
	struct ctx_buf *out;
	const struct ctx_target *t;
	int request;		/* for the API: nothing that it refuses */
	int inside;		/* the conversation has a place for what is
				   beside the messages */
	/* one message a line, each with a member in front; else a list */
	int lines;
	const char *by, *by_value;
	size_t by_len;
	uint32_t nmsg;		/* written so far */
	uint32_t kept;		/* of the step, told so far */
	uint32_t at;		/* parts of the step written so far */
	int open;		/* a message that goes on over steps */
	const struct ctx_step *last_user;	/* NULL: there is none */
	struct ctx_buf left;	/* entries for the extension member */
	struct ctx_buf text;	/* for decoding */
	struct ctx_doc doc;
};

struct ctx_tool {
	struct ctx_str name, about;	/* escaped; about.p may be NULL */
	struct ctx_str schema;		/* JSON; .p NULL: any object */
};

/* How an API's request says what stands behind its list of messages. */
struct ctx_request_words {
	const char *first;	/* before the first tool's members */
	const char *next;	/* between two tools */
	const char *schema;	/* before a tool's schema */
	const char *last;	/* behind the last tool */
	const char *max_output;	/* before and behind the number of tokens */
	const char *max_end;
	uint64_t usual;		/* the number, if none is given; 0: not said */
};

struct ctx_target {
	const char *name;
	const char *role[3];	/* its words for system, user, assistant */
	unsigned needs;		/* enum ctx_need */
	const char *list;	/* member that holds a conversation's messages */
	int only_text;		/* not JSON at all */
	int signs;		/* calls may carry Google's signatures */
	/* Write step i as messages. */
	void (*step)(struct ctx_writer *w, uint32_t i);
	/* Members before the list: a system prompt.  NULL: in the list. */
	void (*head)(struct ctx_writer *w);
	/* Close what the last step left open; NULL: nothing. */
	void (*end)(struct ctx_writer *w);
	/* NULL: no requests. */
	const struct ctx_request_words *request;
};

extern const struct ctx_target ctx_to_openai, ctx_to_responses,
    ctx_to_anthropic, ctx_to_gemini, ctx_to_langchain, ctx_to_pydantic,
    ctx_to_sharegpt, ctx_to_ai_sdk, ctx_to_text, ctx_to_markdown;

/* NULL if there is none of that name. */
const struct ctx_target *ctx_target_find(const char *name);
/* One after the other; NULL behind the last. */
const struct ctx_target *ctx_target_at(size_t i);

/* --- what targets write with; failures are sticky in w->out ---------- */

/* A message begins: '{' and what stands in front, before its first member. */
void	ctx_put_begin(struct ctx_writer *w);
/* The extension member, if there is something for it. */
void	ctx_put_kept(struct ctx_writer *w);
/* The message ends: that member, and '}'. */
void	ctx_put_end(struct ctx_writer *w);

/* Out of memory elsewhere: what is written fails too. */
void	ctx_put_failed(struct ctx_writer *w, int failed);

void	ctx_put(struct ctx_writer *w, const char *text);
void	ctx_put_str(struct ctx_writer *w, struct ctx_str s);
/* text, s as it stands, text: "\"id\":\"", id, "\"" */
void	ctx_put_3(struct ctx_writer *w, const char *before, struct ctx_str s,
	    const char *behind);
/* JSON on one line. */
void	ctx_put_json(struct ctx_writer *w, struct ctx_str json);
/* An item's text as the inside of a JSON string, and as one. */
void	ctx_put_text(struct ctx_writer *w, const struct ctx_said *it);
void	ctx_put_quoted(struct ctx_writer *w, const struct ctx_said *it);
/* A call's arguments as an object; what is none is wrapped in one. */
void	ctx_put_object(struct ctx_writer *w, const struct ctx_said *it);
/* All texts inside a result, as the inside of one JSON string. */
void	ctx_put_result(struct ctx_writer *w, const struct ctx_said *it);

/* Does an item stand just as it is to be written? */
int	ctx_target_is_ours(const struct ctx_writer *w,
	    const struct ctx_said *it);

/* How many items of step i there are of a kind; among results: of parts. */
uint32_t ctx_target_count(const struct ctx_writer *w, const struct ctx_step *st,
	    enum ctx_kind kind);
/* The first of them, NULL if there is none. */
const struct ctx_said *ctx_target_first(const struct ctx_writer *w,
	    const struct ctx_step *st, enum ctx_kind kind);

/* What an image or file is; 0 if that is not known, or w->out has failed. */
int	ctx_target_attachment(struct ctx_writer *w, const struct ctx_said *it,
	    struct ctx_attachment *m);

/* Its data: URL, or its own one, as the inside of a JSON string. */
void	ctx_put_address(struct ctx_writer *w, const struct ctx_attachment *m);

/* The item cannot be said: kept for another day, or lost. */
void	ctx_target_lose(struct ctx_writer *w, const struct ctx_said *it,
	    enum ctx_loss why);

/* Parts of a list: before each, with the number written so far. */
void	ctx_put_comma(struct ctx_writer *w, int *n);
/* A part that was kept for this family and stood here; 0: no more.  Those of
   other families are kept on. */
int	ctx_target_take_kept(struct ctx_writer *w, const struct ctx_step *st,
	    int last, struct ctx_str *json);
/* The item as it stands, as one more of a list. */
void	ctx_put_raw(struct ctx_writer *w, const struct ctx_said *it, int *n);
/* One more of a list: an object, before and an item's text as its last value. */
void	ctx_put_text_part(struct ctx_writer *w, const char *before,
	    const struct ctx_said *it, int *n);
/*
 * Thinking as one more of a list, before and a text, and its signature, if it
 * has one, between sign and sign_end.  It is lost if it has no text.
 */
void	ctx_put_thinking(struct ctx_writer *w, const char *before,
	    const char *sign, const char *sign_end, const struct ctx_said *it,
	    int *n);
/* All of those, up to the place of the next item; last: to the step's end. */
void	ctx_put_kept_parts(struct ctx_writer *w, const struct ctx_step *st,
	    int *n, int last);

/* How a target writes an item as one of a list, or does not. */
typedef void ctx_part_fn(struct ctx_writer *w, const struct ctx_step *st,
	    const struct ctx_said *it, int *n);
/* The step's items by put, and what was kept where it stood. */
void	ctx_put_parts(struct ctx_writer *w, const struct ctx_step *st, int *n,
	    ctx_part_fn *put);
/*
 * Of a family where a user's message carries the results: the message behind
 * step i, with its results, and the user's next words.  list is what stands
 * before its parts.
 */
void	ctx_put_answer(struct ctx_writer *w, uint32_t i, const char *list,
	    ctx_part_fn *result, ctx_part_fn *put);
/* Begin with step i's parts. */
const struct ctx_step *ctx_target_begin_step(struct ctx_writer *w, uint32_t i);
/*
 * Of such a family: begin step i's message, up to the word for its role, the
 * quote behind it not yet written.  NULL: it has none of its own, since it was
 * put behind the results of the step before, or stands beside the messages.
 */
const struct ctx_step *ctx_target_begin_turn(struct ctx_writer *w, uint32_t i);

#endif
