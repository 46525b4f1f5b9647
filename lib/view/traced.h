/* SPDX-License-Identifier: MIT */
/*
 * Records of traces: what a model was asked and what it answered, in two
 * members of an object, in the words of any dialect:
 *
 *	gen_ai.input.messages, gen_ai.output.messages	OpenTelemetry's attributes
 *	input, output		observations of Langfuse
 *	inputs, outputs		runs of LangSmith, and examples of its data sets
 *
 * Format: for OpenTelemetry see otel.c; langfuse/langfuse 627514467 (traces in
 * worker/src/__tests__/chatml/framework-traces and packages/shared/scripts/
 * seeder/utils/framework-traces); langchain-ai/langsmith-sdk bc8dd672a
 * (js/src/tests/test_data and python/tests/integration_tests/test_data,
 * langsmith_*_wrap_openai*.json); langchain-ai/langchain 02a6d0282
 * (libs/core/langchain_core/tracers/core.py: what its runs have as inputs and
 * generations).
 */
#ifndef CTX_VIEW_TRACED_H
#define CTX_VIEW_TRACED_H

#include "view/dialect.h"

/* The request that s has as its input; CTX_NONE if it has none. */
uint32_t ctx_traced_request(const struct ctx_shape *s,
	    const struct ctx_doc *doc);

/* A list of messages, which may be the only element of a list of lists. */
uint32_t ctx_traced_list(const struct ctx_doc *doc, uint32_t list);

/*
 * The answer to the messages in list, which is in the input of s: a message, a
 * list of them, or a text.  Of several choices it is the first.  CTX_NONE if
 * there is none.
 */
uint32_t ctx_traced_answer(const struct ctx_shape *s,
	    const struct ctx_doc *doc, uint32_t list);

/*
 * Is what c's messages say a whole conversation?  An answer has no message of
 * the system, and of the user none but results.
 */
int	ctx_traced_is_whole(const struct ctx_convo *c);

#endif
