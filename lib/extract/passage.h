/* SPDX-License-Identifier: MIT */
/*
 * Passages: what the offline summarizer takes or leaves as a whole.  Sentences,
 * clauses of Chinese sentences, one line for a call, the head of a tool result.
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
	const char *text;	/* in said[] or in the list's own text */
	uint32_t len;		/* 0: it only carries facts, never printed */
	uint32_t size;		/* ctx_glyph_size */
	enum ctx_talk_kind kind;
};

struct ctx_passages {
	struct ctx_passage *v;
	size_t n;
	size_t cap;
	/* of passages that did not come from the splitting of a text: calls'
	   values, an old summary's references; at is the passage's number */
	struct ctx_facts given;
	/* text made for calls and results; reserved whole, never moved */
	struct ctx_buf made;
};

/* Split all of said.  0, or -1 with CTX_ENOMEM. */
int	ctx_passages_split(struct ctx_passages *list,
	    const struct ctx_talk *said, size_t n, struct ctx_err *err)
	    CTX_CHECKED;
void	ctx_passages_done(struct ctx_passages *list);

#endif
