/* SPDX-License-Identifier: MIT */
/*
 * Passages: the units that the offline summarizer takes or leaves.  They are
 * sentences, clauses of Chinese sentences, a line for each call, and the
 * beginning of each tool result.
 */
#ifndef CTX_EXTRACT_PASSAGE_H
#define CTX_EXTRACT_PASSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "extract/deed.h"
#include "extract/extract.h"
#include "extract/fact.h"
#include "extract/datum.h"

/* What the last lines of a summary begin with, and what is between deeds. */
#define CTX_PASSAGE_DONE "Done: "
#define CTX_PASSAGE_FAILED "Failed: "
#define CTX_PASSAGE_REFS "Refs: "
#define CTX_PASSAGE_QUOTE "> "	/* before a passage that looks like one */
#define CTX_PASSAGE_NEXT "; "
#define CTX_PASSAGE_LOST "…; "	/* other deeds were left out */
#define CTX_PASSAGE_CUT "…"	/* ends a value or a result that goes on */
#define CTX_PASSAGE_MORE ", …)"	/* ends a call with more values */

struct ctx_passage {
	const char *text;	/* in said[] or in made */
	uint32_t len;		/* 0: it only carries facts and is never
				   printed */
	uint32_t size;		/* ctx_glyph_size */
	enum ctx_talk_kind kind;
	enum ctx_deed deed;	/* of a call, or one that an old summary
				   lists */
	uint32_t object, objectlen;	/* of a deed: see ctx_deed_object */
	uint8_t agreed;		/* an assistant said it, and a user agreed or
				   said nothing since, and nothing was done */
};

struct ctx_passages {
	struct ctx_passage *v;
	size_t n;
	size_t cap;
	unsigned lost;		/* bit 1 << deed: an old summary left out
				   deeds of this kind */
	struct ctx_datum_names *names;	/* of members, which are no facts */
	/*
	 * facts of passages that are not from splitting a text: calls' values
	 * and an old summary's references; at is the number of the passage
	 */
	struct ctx_facts given;
	/* text made for calls and results; reserved first, so it never moves */
	struct ctx_buf made;
};

/* Split all of said.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_passages_split(struct ctx_passages *list,
	    const struct ctx_talk *said, size_t n, struct ctx_err *err)
	    CTX_CHECKED;
void	ctx_passages_done(struct ctx_passages *list);

/* Does a passage begin as the last lines of a summary do? */
int	ctx_passage_poses(const char *text, size_t len);

#endif
