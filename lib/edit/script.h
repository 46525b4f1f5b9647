/* SPDX-License-Identifier: MIT */
/*
 * A conversation as a converter tells it: steps, each what one side says at a
 * time, an assistant's step with the results of its calls.  What does not
 * count is left out: unanswered calls and orphaned results as the plan has it,
 * what stands before a boundary, branches that were given up.
 *
 * Strings are borrowed from the records (escaped, as they stand there) or from
 * the script's own memory, good until the next script.
 *
 * Names: ctx_loss_.
 */
#ifndef CTX_EDIT_SCRIPT_H
#define CTX_EDIT_SCRIPT_H

#include "decide/links.h"
#include "decide/plan.h"

/* What cannot be said in the target, or was wrong in the source. */
enum ctx_loss {
	CTX_L_CALL,		/* unanswered calls */
	CTX_L_RESULT,		/* results without a call */
	CTX_L_THINKING,
	CTX_L_MEDIA,		/* images, files that the target cannot take */
	CTX_L_PART,		/* parts of a kind that only the source has */
	CTX_L_EMPTY,		/* empty texts and messages */
	CTX_L_ERROR,		/* the mark that a tool failed */
	CTX_L_ARGUMENTS,	/* of calls, that are no JSON object */
	CTX_L_ID,		/* ids that had to change */
	CTX_L_SYSTEM,		/* system messages that had to move */
	CTX_L_FIRST,		/* a user's message had to be made */
	CTX_L_PARALLEL,		/* calls made at once, told one by one */
	CTX_L_BRANCH,		/* messages of branches not taken, of others */
	CTX_L_NAME,		/* names of speakers */
	CTX_L_TOOLS,		/* tools without a definition */
	CTX_L_SIGN,		/* signatures of calls */
	CTX_L_N
};
extern const char *const ctx_loss_texts[CTX_L_N];

/* What a target asks of its conversations. */
enum ctx_need {
	CTX_NEED_MERGED = 1,	/* roles alternate */
	CTX_NEED_FIRST_USER = 2,
	CTX_NEED_TEXT = 4,	/* no empty texts */
	CTX_NEED_UNIQUE = 8,	/* ids used once */
	CTX_NEED_PLAIN = 16,	/* ids of letters, digits, _ and - */
	CTX_NEED_SHORT = 32,	/* ids of at most 40 bytes */
	CTX_NEED_NO_ID = 64	/* calls may be without an id */
};

struct ctx_said {
	enum ctx_kind kind;	/* TEXT THINKING CALL RESULT IMAGE FILE OTHER */
	unsigned flags;		/* of the part */
	struct ctx_str text;	/* escaped; with CTX_RAW a JSON value */
	struct ctx_str id, name;	/* escaped, fit for the target */
	struct ctx_str sign;	/* a signature, escaped */
	struct ctx_str raw;	/* the part as it stands: JSON */
	int same_id;		/* id is the one in raw */
	const char *family;	/* of its message's dialect: whose raw it is */
	uint32_t first, n;	/* CTX_RESULT: what is in it is
				   item[first .. first+n); CTX_CALL: n is 1 if
				   item[first] is its result */
};

struct ctx_step {
	enum ctx_role role;	/* never CTX_TOOL */
	int developer;
	struct ctx_str name;	/* of the speaker */
	uint32_t item, nitem;
	uint32_t result, nresult;	/* items too */
	uint32_t kept, nkept;
	/* while it is read: its messages, its results, or of one message the
	   parts from .. to; 0: all */
	uint32_t msg, last_msg, res, last_res, from, to;
};

/* A part that another dialect had and this one could not say. */
struct ctx_kept {
	struct ctx_str from;	/* family of dialects */
	uint32_t at;		/* its index in the step */
	struct ctx_str part;	/* JSON */
	struct ctx_str all;	/* the entry itself: JSON */
};

struct ctx_script {
	const struct ctx_convo *c;
	struct ctx_step *step;
	struct ctx_said *item;
	struct ctx_kept *kept;
	uint32_t nstep, nitem, nkept;
	uint64_t loss[CTX_L_N];	/* grows from script to script */

	/* working storage */
	size_t capstep, capitem, capkept, capown, capnext, capof, capres,
	    capgone;
	uint32_t *next_msg, *step_of;	/* by message */
	uint32_t *next_res;		/* by part; of a call its item */
	unsigned char *gone;		/* by message */
	char **own;		/* strings that are the script's */
	size_t nown;
	struct ctx_idset ids;
	unsigned invented;
	struct ctx_buf buf;
	struct ctx_doc doc;
};

/* Name of the extension member that carries a step's kept parts. */
#define CTX_KEPT	"ctx_kept"

/* The family of a dialect: the one whose parts its own look like. */
const char *ctx_script_family(const struct ctx_dialect *d);

/*
 * Read c, whose links have been planned, for a target with these needs.
 * Returns 0, or -1 out of memory.
 */
int	ctx_script_read(struct ctx_script *s, const struct ctx_convo *c,
	    const struct ctx_plan *plan, unsigned needs, struct ctx_err *err)
	    CTX_CHECKED;
void	ctx_script_done(struct ctx_script *s);

#endif
