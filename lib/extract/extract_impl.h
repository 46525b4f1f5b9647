/* SPDX-License-Identifier: MIT */
/*
 * What the parts of extract.c share: extract_weigh.c weighs terms and facts,
 * extract_list.c writes the last lines, extract.c chooses and prints.
 *
 * Names: ctx_extract_.
 */
#ifndef CTX_EXTRACT_EXTRACT_IMPL_H
#define CTX_EXTRACT_EXTRACT_IMPL_H

#include "extract/cover.h"
#include "extract/extract.h"
#include "extract/fact.h"
#include "extract/passage.h"
#include "extract/term.h"

/* What is known of one fact in the whole conversation. */
struct ctx_extract_fact {
	const struct ctx_fact *first;
	uint32_t count;		/* sum of the weights of its speakers, in
				   1/UNIT */
	uint32_t weight;	/* in a passage, in 1/1024 */
	uint32_t alone;		/* as a reference, without what is around it */
	uint32_t last;		/* 1 + the passage that last counted it */
	uint32_t beside;	/* number of values with the same label that
				   only results have, it among them; or 0 */
	uint8_t name;		/* is always just a name */
	uint8_t asked;		/* was not first said by an assistant */
	uint8_t looked;		/* only results have it */
	uint8_t listed;		/* listed as a reference, in the form: */
	uint8_t shown;		/* already printed, beside another */
	uint8_t labelled;	/* label=text, or just text */
	const char *text;
	uint32_t len, labellen;
	const char *label;	/* of what it is the value, or NULL */
};

struct ctx_extract_work {
	const struct ctx_extract *opt;
	struct ctx_passages pass;
	struct ctx_terms terms;		/* of all passages, in order */
	struct ctx_facts facts;
	size_t *term_at;		/* by passage: its first term; n + 1 of
					   them */
	size_t *fact_at;
	uint32_t *factor;		/* by passage, in 1/256 */
	uint32_t *term_id;		/* by term */
	uint32_t *fact_id;
	size_t nterm;			/* number of different terms */
	size_t nfact;
	struct ctx_extract_fact *known;		/* by fact id */
	uint32_t *weight;		/* by id; facts follow terms */
	uint8_t *covered;
	uint32_t *feature;
	struct ctx_cover cover;
	uint64_t *cost;			/* by passage; 0: not yet counted */
	uint64_t facts_size;		/* of all hard facts, each once */
	uint64_t text_size;
	uint64_t left;			/* rest of the budget in this run */
	uint64_t left_size;		/* rest of opt->size */
	uint32_t *missing;		/* fact ids, sorted */
	size_t nmissing;
	struct ctx_buf line;		/* scratch: a piece with its newline */
	uint8_t *told;			/* by passage: enum ctx_extract_told */
};

/* How much of a deed is told. */
enum ctx_extract_told {
	CTX_EXTRACT_NOTHING,
	CTX_EXTRACT_ALIKE,	/* an equal brief one is told */
	CTX_EXTRACT_BRIEF,
	CTX_EXTRACT_WHOLE,
	CTX_EXTRACT_SAME	/* an equal whole one is */
};

/* Split what was said, and weigh it.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_extract_weigh(struct ctx_extract_work *w,
	    const struct ctx_talk *said, size_t n, struct ctx_err *err)
	    CTX_CHECKED;

/* n elements of size, zeroed; free with free.  NULL with CTX_ENOMEM. */
void	*ctx_extract_new(size_t n, size_t size, struct ctx_err *err);

/* The cost of text followed by end.  All that take err return -1 with *err. */
int	ctx_extract_cost(struct ctx_extract_work *w, const char *text,
	    size_t len, const char *end, uint64_t *n, struct ctx_err *err)
	    CTX_CHECKED;

/* Charge for something, if both limits allow it. */
int	ctx_extract_charge(struct ctx_extract_work *w, uint64_t cost,
	    uint64_t size);

/* Choose deeds of a kind, in what is left. */
int	ctx_extract_choose_deeds(struct ctx_extract_work *w,
	    enum ctx_deed deed, struct ctx_err *err) CTX_CHECKED;

/* Tell those that were chosen whole, and others, in what is left. */
int	ctx_extract_more_deeds(struct ctx_extract_work *w,
	    enum ctx_deed deed, struct ctx_err *err) CTX_CHECKED;

/* Choose references that text does not contain, in what is left. */
int	ctx_extract_choose_refs(struct ctx_extract_work *w,
	    const struct ctx_buf *text, struct ctx_err *err) CTX_CHECKED;

/* Append the lines of what was chosen; no reference that out has. */
void	ctx_extract_put_deeds(const struct ctx_extract_work *w,
	    enum ctx_deed deed, struct ctx_buf *out);
void	ctx_extract_put_refs(const struct ctx_extract_work *w,
	    struct ctx_buf *out);

#endif
