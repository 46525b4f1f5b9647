/* SPDX-License-Identifier: MIT */
/* Internals that the sources of pick share: pick_best.c chooses by worth. */
#ifndef CTX_TEXT_PICK_IMPL_H
#define CTX_TEXT_PICK_IMPL_H

#include "text/pick.h"

#define CTX_PICK_HEAD		2	/* what is above rows */

struct ctx_pick_line {
	size_t off;
	size_t len;		/* with its line end */
	uint64_t chars;
	uint64_t lines;		/* that it stands for: it is a note, or one */
	size_t clip;		/* the bytes to write; 0: all */
	uint64_t hash;		/* as that of a word */
	unsigned char rank, note, row, stays, known, sent, tries;
};

/* The arguments of all steps on one text. */
struct ctx_pick_step {
	struct ctx_pick *w;
	const struct ctx_pick_opts *o;
	const char *text;
	uint64_t note;		/* characters of the longest note */
	uint64_t path;		/* of the one that names a file, if it does */
	uint64_t part;		/* of the one at the end of a line that is
				   cut */
	uint64_t again;		/* of the one for lines that were sent before */
	uint64_t rows;		/* to come, of a table */
	int by_words;		/* lines are known by their words */
	int marked;		/* the text has such notes */
	uint64_t max;		/* the most that is written */
	uint64_t least;		/* worth that a line must have */
};

/* The next word of what is written of line l; *at is 0 at first.  1, or 0. */
int	ctx_pick_word(const struct ctx_pick_step *s,
	    const struct ctx_pick_line *l, size_t *at,
	    struct ctx_heard_word *word);
/* Has the word been said neither before the text nor by a line that stays? */
int	ctx_pick_is_new(const struct ctx_pick_step *s,
	    const struct ctx_heard_word *word);
/* Line l stays.  Returns 0, or -1 if out of memory. */
int	ctx_pick_take(struct ctx_pick_step *s, struct ctx_pick_line *l)
	    CTX_CHECKED;

/*
 * Let the lines stay that are worth at least so much for their length, up to max
 * characters of all that is written.  Returns 0, or -1 if out of memory.
 */
int	ctx_pick_best(struct ctx_pick_step *s, uint64_t max, uint64_t least)
	    CTX_CHECKED;

#endif
