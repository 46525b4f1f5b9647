/* SPDX-License-Identifier: MIT */
/* Internals that the sources of lean share. */
#ifndef CTX_DECIDE_LEAN_IMPL_H
#define CTX_DECIDE_LEAN_IMPL_H

#include "base/sha256.h"
#include "decide/lean.h"

/* What becomes of a result. */
#define LEAN_OLD	1	/* it is old: cleared, or shortened */
#define LEAN_SPARED	2	/* it is another tool's: not shortened */

/* As long as any hash. */
#define LEAN_NO_HASH	"00000000000000000000000000000000" \
			"00000000000000000000000000000000"

/*
 * Where a text is in a conversation, as it is written: it is the nth of this
 * kind that has this id.  Options do not change that, nor do the texts around.
 */
struct ctx_lean_place {
	enum { CTX_PLACE_NONE, CTX_PLACE_TEXT = 't', CTX_PLACE_RESULT = 'r',
	    CTX_PLACE_COPY = 'c', CTX_PLACE_INPUT = 'i',
	    CTX_PLACE_RECORD = 'e' } kind;
	uint32_t nth;
	uint32_t of;		/* the part that has the id, or CTX_NONE */
	struct ctx_str id;	/* if of is CTX_NONE */
};

/* The arguments of all steps on one conversation. */
struct ctx_lean_step {
	struct ctx_lean *l;
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	struct ctx_lean_seen *seen;
	const struct ctx_lean_opts *o;
	int spared;		/* in ctx_lean_measure: its result is */
	int notes_apart;	/* notes (ctx_lean_is_note) have no length */
	int has_fates;		/* l->fate is set */
	struct ctx_str origin;	/* the text that is being altered, as read */
};

/* Are only old results shortened? */
static inline int
ctx_lean_shortens_old(const struct ctx_lean_opts *o)
{
	return o->result.max > 0 && !o->clear && !o->prune &&
	    (o->keep_turns > 0 || o->keep_tokens > 0 || o->pace.least > 0);
}

/*
 * Is part p not written?  of is the result that it is in, or p itself; a result
 * that moves is written, with what is in it.
 */
static inline int
ctx_lean_is_gone(const struct ctx_lean_step *s, uint32_t p, uint32_t of)
{
	const unsigned char *drop = s->plan->drop_part;

	if (drop[of] == CTX_PART_MOVES)
		return p != of && drop[p];
	return drop[of] || drop[p] || s->plan->drop_msg[s->c->part[p].msg];
}

/* The option by which secrets are hidden or put back. */
static inline const char *
ctx_lean_secret_rule(const struct ctx_lean_opts *o)
{
	return o->secret != NULL ? "restore" : "redact";
}

/* Record a part's change in the plan, if asked to.  0, or -1 with *err. */
int	ctx_lean_tell(const struct ctx_lean_step *s, const char *rule,
	    uint32_t part, struct ctx_str before, struct ctx_str after,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Find the secrets of all records, or what is to be put back in the place of
 * placeholders; the new strings go to l->redacted.  Returns 0, or -1 with *err.
 */
int	ctx_lean_secrets(const struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * Append v to out with placeholders for the n hits in plain, which it spells.
 * What is no secret keeps its spelling.  Keeps the secrets, if they are to be
 * kept.  Returns 0, or -1 with *err.
 */
/*
 * A number that is replaced in a text that is JSON gets quotes, as they are spelled
 * in the string with that text.
 */
#define CTX_LEAN_QUOTE	"\\\""
struct ctx_lean_hits {
	struct ctx_str v;
	const struct ctx_buf *plain;
	const struct ctx_redact_hit *hit;
	size_t n;
	struct ctx_str data;	/* v has the data of an image or a file: its
				   placeholder is in base64, too */
	/* private: the part of the text that was scanned last, the end of its
	   line, whether it is JSON, and whether only lines may be */
	size_t from, end, stop;
	int json, lines;
};
int	ctx_lean_put_hits(const struct ctx_lean_step *s,
	    struct ctx_lean_hits *h, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * The text that node was redacted to, for the policies that follow.  Returns 1
 * if it was redacted, else 0.
 */
int	ctx_lean_redacted(const struct ctx_lean_step *s, uint32_t node,
	    struct ctx_str *text);
/* The redacted string node is written by the caller. */
void	ctx_lean_redacted_done(const struct ctx_lean_step *s, uint32_t node);
/* chars, the length of the JSON at node, after redacting what is in it. */
uint64_t ctx_lean_redacted_chars(const struct ctx_lean_step *s, uint32_t r,
	    uint32_t node, uint64_t chars);
/*
 * Plan the rewriting of redacted strings of record r that are not the text of a
 * part.  Call this for all records in order.
 */
int	ctx_lean_write_redacted(struct ctx_lean_step *s, uint32_t r,
	    struct ctx_err *err) CTX_CHECKED;

/* Make the contents of b the current text, which is valid until the next call. */
struct ctx_str ctx_lean_take(struct ctx_lean_step *s, struct ctx_buf *b);
/*
 * Redact a text that has changed: a name may have come near to its value.
 * Returns 1 if that changes it, 0, or -1 with *err.
 */
int	ctx_lean_redact(struct ctx_lean_step *s, struct ctx_str *text,
	    struct ctx_err *err) CTX_CHECKED;
/* The SHA-256 of what text spells.  Returns 0, or -1 if out of memory. */
int	ctx_lean_hash(struct ctx_lean *l, struct ctx_str text,
	    char hex[CTX_SHA256_HEX]) CTX_CHECKED;

/* Find the places of all parts.  Returns 0, or -1 with *err. */
int	ctx_lean_number(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* The place of a copy in the next record that is no message; likewise. */
int	ctx_lean_number_copy(struct ctx_lean_step *s, struct ctx_str id,
	    struct ctx_lean_place *at, struct ctx_err *err) CTX_CHECKED;
/*
 * Plan to keep the text was, in whose place another is written; with raw they are
 * JSON values.  Returns 0, or -1 with *err.
 */
int	ctx_lean_keep(struct ctx_lean_step *s, const struct ctx_lean_place *at,
	    struct ctx_str was, struct ctx_str written, int raw,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * Restore a text that was kept; without at, only if it names the hash.  Returns 1,
 * 0 if none was kept, or -1 with *err.
 */
int	ctx_lean_restore(struct ctx_lean_step *s,
	    const struct ctx_lean_place *at, struct ctx_str *text, int raw,
	    struct ctx_err *err) CTX_CHECKED;
/* Restore the arguments of calls.  Returns 0, or -1 with *err. */
int	ctx_lean_restore_inputs(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * Append the JSON value of the arguments of call p, redacted, to out.  Returns 0,
 * or -1 if out of memory.
 */
int	ctx_lean_redacted_value(const struct ctx_lean_step *s, uint32_t p,
	    struct ctx_buf *out) CTX_CHECKED;

/* May the text of part p be altered? */
int	ctx_lean_alterable(const struct ctx_lean_step *s, uint32_t p);
/* Whose text it is. */
enum ctx_lean_kind {
	CTX_LEAN_SAID,		/* a user's or an assistant's */
	CTX_LEAN_RESULT,	/* a tool's */
	CTX_LEAN_FILE		/* the contents of a file */
};

/*
 * Find out what printed the results, if an option spares files or chooses lines.
 * What tools return that read or write files, and what cat and the like print,
 * are contents of files.  Call this before what follows.
 */
int	ctx_lean_find_files(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* What the call of result p prints.  Returns 0, or -1 with *err. */
int	ctx_lean_command(const struct ctx_lean_step *s, uint32_t p,
	    enum ctx_command *kind, struct ctx_err *err) CTX_CHECKED;
/*
 * Set *kind to that of part p, or of a copy of the result with that id, if p is
 * CTX_NONE.
 */
int	ctx_lean_kind(struct ctx_lean_step *s, uint32_t p, struct ctx_str id,
	    enum ctx_lean_kind *kind, struct ctx_err *err) CTX_CHECKED;

/* Which policies apply to a text. */
struct ctx_lean_sort {
	uint32_t part;		/* CTX_NONE if it is in none */
	enum ctx_lean_kind kind;
	int copy;		/* not sent: neither a reference nor referred to */
	int fate;		/* LEAN_* */
	const struct ctx_lean_place *at;	/* if it is kept or restored */
};

/*
 * Apply all policies to one text.  *rule becomes the last one that changed it.
 * The new text is valid until the next call.  Returns 0, or -1 with *err.
 */
int	ctx_lean_text(struct ctx_lean_step *s, struct ctx_lean_sort is,
	    struct ctx_str *text, const char **rule, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * Apply to a text the policies that come before clearing.  at is its place, for
 * ctx_lean_restore.  *rule becomes the last one that changed it.  The new text is
 * valid until the next call.
 */
int	ctx_lean_tidy(struct ctx_lean_step *s, const struct ctx_lean_place *at,
	    enum ctx_lean_kind kind, struct ctx_str *text, const char **rule,
	    struct ctx_err *err) CTX_CHECKED;
/* Does an option choose lines? */
static inline int
ctx_lean_picks(const struct ctx_lean_opts *o)
{
	return o->thin != CTX_THIN_OFF ||
	    (o->choose && o->result.max > 0 && !ctx_lean_shortens_old(o));
}

/*
 * Leave lines of the text of result p out, into l->spare; with choose, all but
 * the best ones.  Returns 1, 0 if the text stays, or -1 with *err.
 */
int	ctx_lean_pick(struct ctx_lean_step *s, uint32_t p, int choose,
	    struct ctx_str text, struct ctx_err *err);
/*
 * Has the file that result p has the contents of been read before?  Call this for
 * all such results.  Returns 0, or -1 with *err.
 */
int	ctx_lean_reads_again(struct ctx_lean_step *s, uint32_t p, int *again,
	    struct ctx_err *err) CTX_CHECKED;
/* The text of part p has been written; what it says is not new afterwards. */
int	ctx_lean_say(struct ctx_lean_step *s, uint32_t p, struct ctx_str text,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * Set pace->chars to the lengths of all messages as they will be written, were
 * nothing cleared.
 */
int	ctx_lean_measure(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* The length of the text of part p in this sense. */
int	ctx_lean_chars(struct ctx_lean_step *s, uint32_t p, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;
/* How many characters a result's text in part p loses when it is old. */
int	ctx_lean_gain(struct ctx_lean_step *s, uint32_t p, uint64_t *gain,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * Would a result with that text be shorter if it were shortened?  Then its new
 * text is in l->spare.  Returns 1 or 0, or -1 with *err.
 */
int	ctx_lean_shortens(struct ctx_lean_step *s, struct ctx_str text,
	    struct ctx_err *err) CTX_CHECKED;

/* Do the options for results apply to those of this tool? */
int	ctx_lean_is_chosen(const struct ctx_lean_step *s, struct ctx_str tool);
/* Prepare l->pace, with no items: the lengths of all messages. */
int	ctx_lean_begin_old(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* Does a turn begin at message m?  Not after the last one. */
int	ctx_lean_begins(const struct ctx_lean_step *s, uint32_t m);
/* Of the items, whose `of` is a result and whose size its tokens, set from. */
void	ctx_lean_set_from(const struct ctx_lean_step *s);
/* Count the tokens of part p; 0 for copies. */
int	ctx_lean_tokens(const struct ctx_lean_step *s, uint32_t p, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;
/* Is result p the note of a call without one? */
int	ctx_lean_says_none(const struct ctx_lean_step *s, uint32_t p);
/* The part after result p and what belongs to it. */
uint32_t ctx_lean_result_end(const struct ctx_convo *c, uint32_t p);

/*
 * Set l->fate: the results to clear or shorten, which are all except the
 * newest, as far as opts->pace lets them go, and those that are not shortened.
 */
int	ctx_lean_choose_old(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * While calls are chosen: is part p, which is in no other, a result that says
 * that there is none?  A call that will get one in this run has none yet, so what
 * goes must not depend on them.
 */
int	ctx_lean_is_note(const struct ctx_lean_step *s, uint32_t p);
/* Does part p keep no message whose calls go? */
int	ctx_lean_is_blank(const struct ctx_lean_step *s, uint32_t p);
/* Drop what ctx_lean_prune chose. */
int	ctx_lean_drop_pruned(const struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/*
 * Take the ids out of what dropped thinking led to, up to what was said next: the API
 * refuses an id without it.
 */
int	ctx_lean_free_led(const struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;
/* Replace the arguments of cleared results' calls with an empty object. */
int	ctx_lean_clear_inputs(struct ctx_lean_step *s, struct ctx_err *err)
	    CTX_CHECKED;

#endif
