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
#include "extract/extract.h"
#include "extract/fact.h"

struct ctx_passage {
	const char *text;	/* in said[] or in made */
	uint32_t len;		/* 0: it only carries facts and is never
				   printed */
	uint32_t size;		/* ctx_glyph_size */
	enum ctx_talk_kind kind;
};

struct ctx_passages {
	struct ctx_passage *v;
	size_t n;
	size_t cap;
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

#endif
