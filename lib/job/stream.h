/* SPDX-License-Identifier: MIT */
/*
 * A response as it comes: the events of an API's stream become the document that
 * the API gives without one.  Read are server-sent events of OpenAI, of its
 * Responses, of Anthropic and of Gemini, Gemini's list, Ollama's lines, and a
 * document, which stays as it is.
 */
#ifndef CTX_JOB_STREAM_H
#define CTX_JOB_STREAM_H

#include "base/sse.h"
#include "read/grow.h"
#include "read/values.h"

/* All zero but for what the caller sets is the start. */
struct ctx_stream {
	/* set by the caller: given text as it comes, escaped; or NULL */
	void (*text)(void *arg, struct ctx_str text);
	void *arg;

	/* the result, after ctx_stream_end */
	enum ctx_stream_fate {
		CTX_STREAM_STRANGE,	/* no response of a known API */
		CTX_STREAM_CUT,		/* it ended before the API's own end */
		CTX_STREAM_BROKEN,	/* an event was not JSON; the rest was
					   skipped */
		CTX_STREAM_WHOLE
	} fate;
	int streamed;			/* text was told */
	struct ctx_grow left;		/* a list of calls that had only begun,
					   which are not in the document */

	/* private */
	enum { CTX_STREAM_BEGIN, CTX_STREAM_EVENTS, CTX_STREAM_VALUES } form;
	struct ctx_grow root, items;
	struct ctx_buf whole;
	struct ctx_sse sse;
	struct ctx_values values;
	struct ctx_doc doc;
	struct ctx_buf word;
	uint64_t bytes;
	char head[8];		/* its first bytes */
	size_t nhead;
	int known, strange, ended, broken;
	int (*finish)(struct ctx_stream *s);
};

/* Take bytes of the response.  Returns 0, or -1 with *err. */
int	ctx_stream_feed(struct ctx_stream *s, const char *p, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * The response has ended: append the document, or what there is of it, to out.
 * Returns 0, or -1 with *err (CTX_EINPUT for a document that is not JSON).
 */
int	ctx_stream_end(struct ctx_stream *s, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_stream_done(struct ctx_stream *s);

/* The error that a document or an event is, or has; CTX_NONE if there is none. */
uint32_t ctx_stream_error(const struct ctx_doc *doc);

#endif
