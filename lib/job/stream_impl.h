/* SPDX-License-Identifier: MIT */
/*
 * What the events of each API do to the document; for stream.c.  They return 0, or
 * -1 if it cannot grow.
 */
#ifndef CTX_JOB_STREAM_IMPL_H
#define CTX_JOB_STREAM_IMPL_H

#include "job/stream.h"
#include "read/node.h"

int	ctx_stream_openai(struct ctx_stream *s, const struct ctx_doc *doc);
int	ctx_stream_anthropic(struct ctx_stream *s, const struct ctx_doc *doc);
int	ctx_stream_responses(struct ctx_stream *s, const struct ctx_doc *doc);
int	ctx_stream_gemini(struct ctx_stream *s, const struct ctx_doc *doc);
int	ctx_stream_ollama(struct ctx_stream *s, const struct ctx_doc *doc);

/* Append to a string member and, if it is told, pass the text on. */
int	ctx_stream_grow(struct ctx_stream *s, struct ctx_grow *g,
	    const char *key, struct ctx_str text, int told) CTX_CHECKED;
/* Set a member of g to the value of a node, unless that is null. */
int	ctx_stream_set(struct ctx_grow *g, const char *key,
	    const struct ctx_doc *doc, uint32_t node) CTX_CHECKED;
/* The number at node; 0 if it is none. */
uint64_t ctx_stream_index(const struct ctx_doc *doc, uint32_t node);
/* Move the elements of list that are not whole, if of a type that ends so, away. */
void	ctx_stream_leave(struct ctx_stream *s, struct ctx_grow *list,
	    const char *end);

#endif
