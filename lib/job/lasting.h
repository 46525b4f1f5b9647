/* SPDX-License-Identifier: MIT */
/*
 * Which facts of a conversation its summary keeps: identifiers, numbers of
 * three digits or more or with a unit, paths, quoted words, and names in Latin
 * script, as extract/fact.h finds them, that a user or an assistant said, that
 * a call was given, or that an earlier summary had.  What only a tool's result
 * has is no fact: nobody took it up.  Long values of calls, which are texts,
 * have none either.
 *
 * Decisions are sentences of a user, an assistant or an earlier summary with a
 * phrase such as "we decided" or 我们决定, and sentences in which a user
 * chooses, such as "I'll go with" or 就去.  Questions, and what is denied, are
 * none.  A summary may say them in other words, so they do not count as facts.
 */
#ifndef CTX_JOB_LASTING_H
#define CTX_JOB_LASTING_H

#include "extract/extract.h"
#include "read/span.h"

struct ctx_redact;

struct ctx_lasting_fact {
	struct ctx_str key;
	struct ctx_str show;	/* with a word or so before a bare number */
	uint32_t weight;	/* of those who said it */
	uint8_t name;		/* only looks like a name */
	uint8_t found;		/* a summary has it */
};

/* A sentence that says that something was decided. */
struct ctx_lasting_decision {
	struct ctx_str text;
	uint8_t found;		/* a summary has half of its terms */
};

struct ctx_lasting {
	struct ctx_lasting_fact *v;	/* those that matter most come first */
	size_t n, cap;
	size_t found;
	struct ctx_lasting_decision *decided;	/* in their order */
	size_t ndecided, capdecided, decided_found;
	struct ctx_buf text;		/* what both point into */
};

/*
 * Find the facts of said[0 .. n).  Secrets, which redact finds, are none;
 * redact may be NULL.  *k must be all zero, and is passed to _done in any case.
 * Returns 0, or -1 with *err.
 */
int	ctx_lasting_gather(struct ctx_lasting *k, const struct ctx_talk *said,
	    size_t n, struct ctx_redact *redact, struct ctx_err *err)
	    CTX_CHECKED;
void	ctx_lasting_done(struct ctx_lasting *k);

/* Look for all facts in a summary; sets found.  Returns their number. */
size_t	ctx_lasting_look(struct ctx_lasting *k, const struct ctx_buf *summary);

/* The same for the decisions.  Returns 0, or -1 with *err. */
int	ctx_lasting_look_decided(struct ctx_lasting *k,
	    const struct ctx_buf *summary, struct ctx_err *err) CTX_CHECKED;
/*
 * Find those of a text in k->text, which must not move any more; of_user: a
 * user said it.
 */
int	ctx_lasting_add_decided(struct ctx_lasting *k, const char *text,
	    size_t len, int of_user, struct ctx_err *err) CTX_CHECKED;

/*
 * Append the facts that were not found to the summary, as a line "Refs: ..." or
 * to the one at its end, while it costs at most room->budget.  Sets found.
 * Returns 0, or -1 with *err.
 */
int	ctx_lasting_refs(struct ctx_lasting *k, const struct ctx_extract *room,
	    struct ctx_buf *summary, struct ctx_err *err) CTX_CHECKED;

/*
 * List the decisions that were not found in lines, while they cost at most half
 * of room->budget, and then the facts, each with the text around it, in the
 * rest: they can be listed in a summary, decisions cannot.  Returns 0, or -1
 * with *err.
 */
int	ctx_lasting_list(const struct ctx_lasting *k,
	    const struct ctx_extract *room, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
