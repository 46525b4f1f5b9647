/* SPDX-License-Identifier: MIT */
/*
 * A history as people read it: the job of the commands that show one.  Its
 * messages come in order, each with the turn that it is in, what it costs and
 * what it says, part by part and decoded.
 *
 * Names: ctx_scene_, struct ctx_shown.
 */
#ifndef CTX_SHOW_SCENE_H
#define CTX_SHOW_SCENE_H

#include "job/cost.h"
#include "job/job.h"
#include "show/became.h"
#include "view/usage.h"

/*
 * A part of a message.  Texts are UTF-8 without escapes; what the record spells
 * as half of a surrogate pair is U+FFFD.
 */
struct ctx_shown_part {
	enum ctx_kind kind;	/* not CTX_HOLLOW or CTX_COPY */
	unsigned flags;		/* enum ctx_part_flag; CTX_INNER: an image or
				   file of the result before it */
	struct ctx_str id;	/* of a call or result; .p NULL: none */
	struct ctx_str name;	/* of the tool, also of a result whose call
				   names it; of a file its name; .p NULL:
				   unknown */
	struct ctx_str text;	/* of a call its arguments, as JSON; of a
				   result all texts in it; of CTX_OTHER the
				   JSON; of an image or file without data and
				   URL what it says, or its JSON */
	struct ctx_str type;	/* of an image or file, "image/png"; .p NULL:
				   unknown */
	struct ctx_str data;	/* its base64, or .p NULL */
	struct ctx_str url;	/* where it is instead, or its id, or .p NULL */
	uint64_t tokens;	/* with those of what is in a result */
};

struct ctx_shown {
	uint64_t no;		/* number among all messages, from 1 */
	uint64_t turn;		/* number in its conversation, from 1; a turn
				   begins with what a person typed; 0: before
				   the first of them */
	int begins;		/* that turn */
	int own;		/* a program says it in the user's name */
	const char *nothing;	/* what to say if it says nothing: "(blank)";
				   else NULL */
	uint64_t line;		/* of the input */
	uint64_t conversation;	/* number, from 1 */
	struct ctx_str key;	/* what tells it apart; .p NULL: nothing does */
	struct ctx_str side;	/* name of a side conversation, or .p NULL */
	enum ctx_role role;
	unsigned flags;		/* enum ctx_msg_flag */
	struct ctx_str speaker;	/* .p NULL: no name */
	uint64_t tokens;
	struct ctx_str json;	/* the message's own bytes */
	const struct ctx_shown_part *part;
	size_t npart;
	enum ctx_became became;	/* by a comparison; of a scene, the same */
	int cached;		/* likewise: a prompt cache may still hold it */
};

/* Takes a message, which is valid during the call.  0, or -1 with *err. */
typedef int ctx_shown_fn(void *arg, const struct ctx_shown *m,
	    struct ctx_err *err);

/* Takes what the request cost that the latest answer was made for. */
typedef void ctx_shown_usage_fn(void *arg, const struct ctx_usage *usage);

/* Has the message only results?  Then it is the tool that speaks. */
int	ctx_scene_is_results(const struct ctx_shown *m);

/* What is said after the role: " (summary)", or "". */
const char *ctx_scene_note(const struct ctx_shown *m);

/* The name of a call's or result's tool, or "(unknown tool)". */
struct ctx_str	ctx_scene_tool(const struct ctx_shown_part *p);

/* Has result p of the message neither a text nor images or files? */
int	ctx_scene_is_empty(const struct ctx_shown *m,
	    const struct ctx_shown_part *p);

struct ctx_scene_opts {
	struct ctx_cost *cost;	/* must be ready; NULL: tokens are 0 */
	ctx_shown_fn *message;
	ctx_shown_usage_fn *usage;	/* or NULL */
	void *arg;
	int follow;		/* a log that grows: messages come at once, those
				   of other branches too */
};

/*
 * A new job for one thread, which calls message; what opts points to must outlive
 * it.  NULL with *err.
 */
struct ctx_job *ctx_scene_new(const struct ctx_scene_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

#endif
