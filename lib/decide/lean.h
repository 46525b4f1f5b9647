/* SPDX-License-Identifier: MIT */
/*
 * Lean histories: remove what a model does not need to read again.  Each policy
 * is off unless asked for.  They apply in this order, whatever the order of the
 * options, so that a text goes through all of them in one pass:
 *
 *	secrets, escapes, JSON, repetition, patterns, blobs, cleared results,
 *	copies, length
 *
 * A text that the first ones change is searched for secrets again.  A policy
 * leaves alone a text that it wrote itself, so applying all of them twice gives
 * the same result as once.  None makes a text longer, or blank.
 *
 * What is kept of a text that changes is what was read, but for secrets.  It is
 * found by a key that can be made from what was written: see lean_keep.c.
 */
#ifndef CTX_DECIDE_LEAN_H
#define CTX_DECIDE_LEAN_H

#include "base/strmap.h"
#include "decide/idset.h"
#include "decide/pace.h"
#include "decide/plan.h"
#include "redact/redact.h"
#include "text/pick.h"
#include "text/shorten.h"

#define CTX_DEDUPE_MIN	1000	/* length of a body, in characters, from which
				   it is replaced by a reference */
#define CTX_DEDUPE_LEAST	200	/* no reference is made to a shorter
					   body */
#define CTX_CLEAR_KEEP	3	/* results that --clear-results keeps */

#define CTX_THIN_MIN	400	/* characters of a result whose lines are
				   worth a look */

/* Which lines of results to leave out; see text/pick.h. */
enum ctx_thin { CTX_THIN_OFF, CTX_THIN_NEW, CTX_THIN_DENSE };
enum ctx_thinking { CTX_THINKING_KEEP, CTX_THINKING_DROP, CTX_THINKING_LAST };

/*
 * Read a kept file: append the contents of the file called name to out.
 * Returns 1, 0 if there is none, -1 with *err.
 */
typedef int ctx_kept_fn(void *arg, const char *name, struct ctx_buf *out,
	    struct ctx_err *err);

/*
 * Set *value to what a placeholder of a secret replaced, the contents of a JSON
 * string.  Returns 1, or 0 if it is not known.
 */
typedef int ctx_secret_fn(void *arg, struct ctx_str placeholder,
	    struct ctx_str *value);

/*
 * What is known of a text that was written under this key, 64 digits: set name
 * to the name of the kept file that has the text as it was read.  Returns like
 * ctx_kept_fn.
 */
#define CTX_ORIGIN_NAME	72
typedef int ctx_origin_fn(void *arg, const char *key,
	    char name[CTX_ORIGIN_NAME], struct ctx_err *err);

struct ctx_lean_opts {
	struct ctx_shorten result, message;
	int ansi, minify, tables, squeeze, fold, blobs;
	struct ctx_redact *redact;	/* NULL: off; borrowed */
	int keep_secrets;		/* keep them: the plan says what */
	ctx_secret_fn *secret;		/* puts secrets back; NULL: do not; not
					   with redact */
	void *secret_arg;
	enum ctx_thin thin;
	int choose;			/* shorten results by choosing lines */
	int thin_files;			/* do both with files that are read for
					   the first time */
	uint64_t dedupe;		/* least number of characters; 0: off */
	enum ctx_thinking thinking;
	/*
	 * What becomes of old results: at most one of clear and prune.  Without
	 * them, result shortens only old ones if keep_turns, keep_tokens or
	 * pace.least is given.
	 */
	int clear;			/* replace them with notes */
	int prune;			/* remove them and their calls */
	uint64_t clear_keep;		/* by clear or prune: not this many of
					   the newest */
	uint64_t keep_turns;		/* nor those of so many turns */
	uint64_t keep_tokens;		/* nor, of the others, so many tokens */
	int clear_inputs;		/* the arguments of their calls too */
	struct ctx_pace_opts pace;	/* of old results and CTX_THINKING_LAST;
					   the limits are not for the latter */
	const char *const *tool;	/* tools whose results are shortened,
					   cleared or removed; none: all */
	size_t ntool;
	const char *const *exclude;	/* but not those of these */
	size_t nexclude;
	int drop_empty;			/* drop thinking without a text */
	const struct ctx_markers *notes;	/* the same as in result and
						   message */
	ctx_count_fn *count;		/* needed for the limits of pace */
	void *arg;			/* of count */
	int keep;			/* keep what is altered: the plan says
					   what to keep */
	int tell;			/* record changes in the plan */
	int only_find;			/* only find secrets; change nothing */
	ctx_kept_fn *kept;		/* restores what was kept; NULL: do
					   not */
	ctx_origin_fn *origin;		/* needed for kept */
	void *kept_arg;			/* of both */
	const char *kept_in;		/* the folder's name, for messages */
};

/*
 * What is remembered of a conversation: the bodies that were already sent, and
 * how many texts there were for each place (see lean_impl.h).
 */
struct ctx_lean_seen {
	struct ctx_str name;		/* of the conversation, set by the
					   caller; borrowed */
	struct ctx_strmap place;
	uint32_t *nplace;
	size_t capplace;
	struct ctx_strmap hash;		/* of the body as it was read */
	char (*sent)[17];		/* hash of the body as it was written,
					   16 digits; "" if too short for a
					   reference */
	size_t capsent;
	struct ctx_heard said, lines;	/* the words and the lines of all that
					   was written */
	struct ctx_heard files;		/* that were read */
	struct ctx_heard named;		/* the words of users */
	int freed;			/* the thinking that led to what comes
					   now was dropped */
	unsigned block;			/* messages that may have the rest of a
					   private key; 0: none is open */
};

/* Working storage; all zero is valid. */
struct ctx_lean {
	struct ctx_buf plain, scrub, text, spare, secrets, spelled;
	struct ctx_doc doc;		/* of a text that is JSON */
	struct ctx_rewrite *redacted;	/* ordered by node */
	size_t nredacted, capredacted;
	size_t nwritten;		/* of these, planned or not needed */
	struct ctx_pem_block block;
	unsigned char *is_key;
	size_t capkey;
	unsigned char *fate;		/* of parts: LEAN_* in lean_impl.h */
	size_t capfate;
	struct ctx_pick pick;
	struct ctx_heard asked;		/* by the call of a result */
	struct ctx_lean_place *place;	/* of the parts, if texts are kept or
					   restored */
	size_t capplace;
	struct ctx_pace pace;
	struct ctx_idset fates;		/* of results by id, as uses */
	unsigned char *pruned;		/* parts that go with calls */
	size_t cappruned;
	uint32_t *all_go;		/* by message: since when all but its
					   thinking may go */
	size_t capall_go;
	int prunes;			/* are there any?  0 before the choice */
	uint64_t npruned;		/* calls among them */
	unsigned char *printed;		/* what printed a part: an enum
					   ctx_command */
	size_t capprinted;
	struct ctx_idset file_ids;	/* of such results; their uses are 1 */
	uint32_t *owner;		/* for each node of the record, its
					   part */
	size_t capowner;
};

void	ctx_lean_seen_done(struct ctx_lean_seen *s);
void	ctx_lean_done(struct ctx_lean *l);

/*
 * Set the policies for results that are recommended for agents at work, or with
 * strong for histories that are only read.  Numbers that are set stay.
 */
void	ctx_lean_recommend(struct ctx_lean_opts *opts, int strong);

/* Do these options need the whole conversation before the first output? */
int	ctx_lean_needs_all(const struct ctx_lean_opts *opts);

/* Are tokens counted to choose among old results? */
int	ctx_lean_counts(const struct ctx_lean_opts *o);

/*
 * Find the secrets, and drop whole parts: thinking, and the calls that
 * ctx_lean_prune chose.  Call this before ctx_links_plan, which drops messages
 * that become empty, unless opts->only_find is set.  Returns 0, or -1 with
 * *err.
 */
int	ctx_lean_drop(struct ctx_lean *l, struct ctx_plan *plan,
	    const struct ctx_convo *c, struct ctx_lean_seen *seen,
	    const struct ctx_lean_opts *opts, struct ctx_err *err) CTX_CHECKED;

/*
 * Choose the calls that opts->prune removes, in a conversation whose plan has
 * the repairs of its links.  With l->prunes the plan must then be made anew,
 * with these calls dropped.  Returns 0, or -1 with *err.
 */
int	ctx_lean_prune(struct ctx_lean *l, struct ctx_plan *plan,
	    const struct ctx_convo *c, const struct ctx_lean_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Add to plan what makes c lean, and findings of secrets; with opts->only_find
 * only the findings.  Parts and messages that the plan drops are left alone.
 * Returns 0, or -1 with *err.
 */
int	ctx_lean_plan(struct ctx_lean *l, struct ctx_plan *plan,
	    const struct ctx_convo *c, struct ctx_lean_seen *seen,
	    const struct ctx_lean_opts *opts, struct ctx_err *err) CTX_CHECKED;

#endif
