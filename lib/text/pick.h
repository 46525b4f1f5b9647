/* SPDX-License-Identifier: MIT */
/*
 * The lines of a long text that matter.  The others are left out, and where
 * they stood a note says how many they were:
 *
 *	[... 41 lines]
 *
 * or, if all of them were sent before in a row,
 *
 *	[... 41 lines sent before]
 *
 * The first note can name a file that has the whole text.
 *
 * Lines that stay are not altered, and stay in their order.  Lines that are not
 * much longer than their note stay.  The text is decoded; lengths are in
 * characters.
 *
 * Thinning leaves out what says nothing new: lines that were said before, in the
 * conversation or above in the text, and whatever is in a run of six lines or more
 * that were sent before.  Lines of programs, of diffs, and of what builds and tests
 * print are known by their words; elsewhere, as in lists and prose, known words may
 * say something new together.  Other signals (see command.h) say something new in
 * each text, and what explains them is known only as a whole line.  Rows of tables
 * stay, and so do the first line and the last one.
 *
 * If the text must be shorter, the lines are taken by what they say for their
 * length: new words, of which names and numbers count more, words that were asked
 * for, and signals.  A line
 * that is itself too long is cut, unless that is not allowed.
 */
#ifndef CTX_TEXT_PICK_H
#define CTX_TEXT_PICK_H

#include "base/heap.h"
#include "text/command.h"
#include "text/marker.h"
#include "text/heard.h"

#define CTX_PICK_LINES	1000000	/* a text of more lines stays as it is */

struct ctx_pick_opts {
	uint64_t thin;			/* thin texts that are longer; 0: none */
	int dense;			/* leave out what says little for its
					   length, too */
	uint64_t max;			/* the most that is written; 0: any */
	int whole;			/* do not cut lines */
	enum ctx_command kind;		/* what printed the text */
	const struct ctx_heard *said;	/* before the text */
	const struct ctx_heard *sent;	/* pairs of lines before the text, or
					   NULL */
	const struct ctx_heard *asked;	/* words by which the text was asked
					   for, and */
	const struct ctx_heard *named;	/* names that users have said: lines
					   with these are worth more; or
					   NULL */
	const struct ctx_markers *notes;
	const char *hash;		/* of the text, for the first note to
					   name the file where it is kept, or
					   NULL */
};

/* Working storage; all zero is valid. */
struct ctx_pick {
	struct ctx_pick_line *line;
	size_t n, cap;
	struct ctx_buf ranks;
	struct ctx_heard here;		/* the words of the lines that stay */
	struct ctx_heap *heap;		/* lines that may be taken next */
	size_t capheap;
};

void	ctx_pick_done(struct ctx_pick *w);

/*
 * Append to out what stays of the text.  A text that has such notes in it, and
 * is no longer than max, stays as it is, so that a second time changes nothing.
 * Returns: 1; 0 if all of it stays, or if max cannot be reached by leaving lines
 *          out (out is then not to be used); -1 if out of memory.
 */
int	ctx_pick(struct ctx_pick *w, const struct ctx_pick_opts *o,
	    const char *text, size_t len, struct ctx_buf *out) CTX_CHECKED;

/* Has a text, spelled as in JSON or decoded, notes of this module? */
int	ctx_pick_marked(struct ctx_str text);

#endif
