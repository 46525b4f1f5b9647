/* SPDX-License-Identifier: MIT */
/*
 * A conversation as converters see it: a list of steps.  A step is what one
 * side says at a time; an assistant's step includes the results of its calls.
 * Left out are unanswered calls and orphaned results (as planned), and messages
 * before a boundary.
 *
 * Strings are borrowed from the records, escaped as they are there, or belong
 * to the script; they are valid until the next script.
 *
 * Names: ctx_loss_.
 */
#ifndef CTX_EDIT_SCRIPT_H
#define CTX_EDIT_SCRIPT_H

#include "decide/api.h"
#include "decide/links.h"
#include "text/marker.h"
#include "decide/plan.h"
#include "edit/takes.h"
#include "edit/trace.h"
#include "edit/types.h"

/* What the target cannot express, or what was wrong in the source. */
enum ctx_loss {
	CTX_L_CALL,		/* calls without a result */
	CTX_L_RESULT,		/* results without a call */
	CTX_L_THINKING,
	CTX_L_MEDIA,		/* images and files that the target cannot
				   hold */
	CTX_L_PART,		/* parts of a kind that only the source has */
	CTX_L_EMPTY,		/* empty texts and messages */
	CTX_L_ERROR,		/* results marked as errors */
	CTX_L_ARGUMENTS,	/* arguments of calls that are not a JSON
				   object */
	CTX_L_ID,		/* ids that had to change */
	CTX_L_SYSTEM,		/* system messages that had to move */
	CTX_L_FIRST,		/* a user message had to be added */
	CTX_L_PARALLEL,		/* parallel calls that were written one by
				   one */
	CTX_L_BRANCH,		/* messages of abandoned branches */
	CTX_L_NAME,		/* names of speakers */
	CTX_L_TOOLS,		/* tools without a definition */
	CTX_L_SIGN,		/* signatures of calls */
	CTX_L_MOVED,		/* results that stood in the wrong place of a
				   history in the target's own dialect */
	CTX_L_MEMBER,		/* members that have no place in the target */
	CTX_L_UNKNOWN,		/* what is no message of any dialect */
	CTX_L_SURROGATE,	/* halves of surrogate pairs */
	CTX_L_TURNS,		/* turns that follow others of the same side */
	CTX_L_TOOL_NAME,	/* names of tools, in calls, results and
				   definitions */
	CTX_L_N
};
extern const char *const ctx_loss_texts[CTX_L_N];

/* What a target requires of its conversations. */
enum ctx_need {
	CTX_NEED_MERGED = 1,	/* roles alternate */
	CTX_NEED_FIRST_USER = 2,
	CTX_NEED_TEXT = 4,	/* no empty texts */
	CTX_NEED_UNIQUE = 8,	/* each id is used only once */
	CTX_NEED_PLAIN = 16,	/* ids of letters, digits, _ and - */
	CTX_NEED_SHORT = 32,	/* ids of at most 40 bytes */
	CTX_NEED_NO_ID = 64,	/* calls need not have an id */
	CTX_NEED_HEAD = 128,	/* no system message among the others */
	CTX_NEED_STRINGS = 256,	/* arguments of calls are strings of JSON */
	CTX_NEED_SHORT_64 = 512,	/* ids of at most 64 bytes */
	CTX_NEED_FILLED = 1024,	/* no empty list of contents */
	CTX_NEED_SIGNED = 2048,	/* no thinking without a signature */
	CTX_NEED_TEXT_RESULTS = 4096,	/* no images and files in results */
	CTX_NEED_NINE = 8192	/* ids of nine letters and digits */
};

/* What becomes of a message. */
enum ctx_fate {
	CTX_TOLD,		/* its parts are written in the target's form */
	CTX_GONE,		/* it is no longer sent, so it is left out */
	CTX_AS_IS		/* its JSON is written as it came */
};

struct ctx_said {
	enum ctx_kind kind;	/* TEXT THINKING CALL RESULT IMAGE FILE OTHER */
	unsigned flags;		/* of the part */
	struct ctx_str text;	/* escaped; with CTX_RAW a JSON value */
	struct ctx_str id, name;	/* escaped, suitable for the target */
	struct ctx_str sign;	/* a signature, escaped */
	struct ctx_str raw;	/* the part's JSON, unchanged */
	int same_id;		/* id is also the id in raw */
	int refused;		/* a part of its family that the target's API
				   does not take */
	const char *family;	/* family of its message's dialect, which raw is
				   in */
	uint32_t first, n;	/* CTX_RESULT: item[first .. first+n) is what it
				   contains; CTX_CALL: n is 1 if item[first] is
				   its result */
};

struct ctx_step {
	enum ctx_role role;	/* never CTX_TOOL */
	int as_is;		/* message msg is written as it came; the step
				   has no items */
	int developer;
	struct ctx_str word;	/* for its role, in the source */
	uint32_t summary;	/* while reading: the part that becomes a
				   summary and, alone, the step; or CTX_NONE */
	struct ctx_str name;	/* of the speaker */
	uint32_t item, nitem;
	uint32_t result, nresult;	/* also items */
	uint32_t kept, nkept;
	/*
	 * while reading: its messages, its results, and the range of parts from
	 * .. to if it is a part of one message; 0: all
	 */
	uint32_t msg, last_msg, res, last_res, from, to;
};

/*
 * A part of another dialect that this one could not express, or a number or literal
 * among a message's parts, which is none.
 */
struct ctx_kept {
	struct ctx_str from;	/* family of the dialect */
	uint32_t at;		/* its index in the step */
	int merged;		/* it is not the index in its message */
	struct ctx_str part;	/* JSON */
	struct ctx_str all;	/* the entry itself: JSON; .p is NULL if there
				   is none yet */
};

struct ctx_script {
	/* set by the caller */
	const struct ctx_dialect *home;	/* the target's, or NULL: its messages
					   are written as they are */
	struct ctx_taker taker;	/* what is written of them, and of their
				   parts */
	/* are they in the form that the target writes?  NULL: always */
	int (*is_current)(const struct ctx_doc *doc, uint32_t node);
	const struct ctx_api *api;	/* whose rules for names of tools and
					   images apply; NULL: none do */
	int names;		/* the first message of a step names the
				   speaker */
	int plain;		/* an API's answer: a message of no certain
				   dialect with members that are not taken is
				   not the target's */
	unsigned needs;		/* as when it is read */
	int needs_id;		/* a call has an id in messages that are written
				   as they are */
	struct ctx_str system;	/* stands for the system prompt, escaped; .p may
				   be NULL */
	const struct ctx_markers *notes;	/* NULL: in English */
	int inside;		/* a conversation is written, which has room for
				   a system prompt beside its messages */

	int all_own;		/* all messages are the target's own: set by
				   ctx_own_all() */

	const struct ctx_convo *c;
	const struct ctx_dialect *first;	/* the first that is decided */
	struct ctx_step *step;
	struct ctx_said *item;
	struct ctx_kept *kept;
	uint32_t nstep, nitem, nkept;
	uint64_t loss[CTX_L_N];	/* accumulates over scripts */
	struct ctx_types_lost left;	/* the same by name */
	struct ctx_trace trace;	/* what was written of c */
	int sealed;		/* the conversation so far is in a form that
				   only another API can read: there is nothing
				   to write */
	uint64_t replaced;	/* turns that a summary stands for */
	uint32_t odd_kept;	/* values of c->odd that were written */

	/* working storage */
	size_t capstep, capitem, capkept, capown, capnext, capof, capres,
	    capfate;
	uint32_t *next_msg, *step_of;	/* indexed by message */
	uint32_t *next_res;		/* indexed by part; for a call, its
					   item */
	unsigned char *fate;		/* enum ctx_fate, indexed by message */
	char **own;		/* strings owned by the script */
	size_t nown;
	struct ctx_idset ids;
	unsigned invented;
	struct ctx_buf buf;
	struct ctx_doc doc;
};

/* The extension member that carries a step's kept parts. */
#define CTX_KEPT	"ctx_kept"

/* A dialect's family is the dialect whose parts it uses. */
const char *ctx_script_family(const struct ctx_dialect *d);

/*
 * Read c, whose links have been planned, for a target with these needs.  What
 * plan moves, it keeps from now on: a script puts it with its call.  Returns 0,
 * or -1 if out of memory.
 */
int	ctx_script_read(struct ctx_script *s, const struct ctx_convo *c,
	    struct ctx_plan *plan, unsigned needs, struct ctx_err *err)
	    CTX_CHECKED;
/* Count a part that is left out, by its JSON. */
void	ctx_script_lose(struct ctx_script *s, struct ctx_str json);
/* Do all messages stay as they are, with none added? */
int	ctx_script_is_own(const struct ctx_script *s);
/* Count what plan found, and left out, in c, which is carried as it is. */
void	ctx_script_count(struct ctx_script *s, const struct ctx_convo *c,
	    const struct ctx_plan *plan);
void	ctx_script_done(struct ctx_script *s);

#endif
