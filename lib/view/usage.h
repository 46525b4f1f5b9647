/* SPDX-License-Identifier: MIT */
/*
 * What a request cost, by the answer's own words, as responses and the logs of
 * programs keep it:
 *
 *	usage		input_tokens, with cache_read_input_tokens and
 *			cache_creation_input_tokens beside it (Anthropic,
 *			Claude Code), or with those in it (OpenAI's Responses,
 *			Pydantic AI); inputTokens (Bedrock); prompt_tokens
 *			(OpenAI, xAI, OpenRouter, Continue); input, with
 *			cacheRead and cacheWrite (pi); an object tokens with
 *			input_tokens (Cohere)
 *	usageMetadata	promptTokenCount (Gemini, Qwen Code)
 *	usage_metadata	input_tokens (LangChain)
 *	tokens		input (Gemini CLI), with cache.read and cache.write
 *			(opencode)
 *	metrics		inputTokens (Cline)
 *	last_token_usage  of an event of Codex: input_tokens
 *
 * Ollama has prompt_eval_count in the answer itself.
 *
 * Format: derived from files and answers of all of these.
 */
#ifndef CTX_VIEW_USAGE_H
#define CTX_VIEW_USAGE_H

#include "view/convo.h"

/*
 * The object in which object node says what its request cost: a member of it,
 * or the node itself.  CTX_NONE if there is none.  node may be anything.
 */
uint32_t ctx_usage_in(const struct ctx_doc *doc, uint32_t node);

/*
 * The tokens of the request by that object, from a cache or not, and without
 * what tools of the server put into the prompt; 0: none.
 */
uint64_t ctx_usage_input(const struct ctx_doc *doc, uint32_t usage);

/* All that such an object says, in tokens. */
struct ctx_usage {
	uint64_t input;		/* of the request: also the next two, and what
				   tools of the server put into the prompt */
	uint64_t cached;	/* read from a cache */
	uint64_t written;	/* to a cache: also the next */
	uint64_t hour;		/* to be kept there for an hour */
	uint64_t output;	/* of the answer, with its reasoning */
};

struct ctx_usage ctx_usage_read(const struct ctx_doc *doc, uint32_t usage);

/*
 * When object node was made, in microseconds since 1970 UTC.  Returns 0, or -1
 * if it does not say.
 */
int	ctx_usage_when(const struct ctx_doc *doc, uint32_t node, int64_t *when);

/* The name of the model in object node; .p is NULL if it has none. */
struct ctx_str	ctx_usage_model(const struct ctx_doc *doc, uint32_t node);

/* The objects that may say something of message m: it, and what it is in. */
#define CTX_USAGE_AT 4
void	ctx_usage_at(const struct ctx_convo *c, uint32_t m,
	    uint32_t at[CTX_USAGE_AT]);

/* The usage that message m was answered with, in one of these. */
uint32_t ctx_usage_of_msg(const struct ctx_convo *c, uint32_t m,
	    struct ctx_str *model);

/*
 * The usage that record r, which has no message, says of the answer before it.
 * *model is set if it names the model of what follows.
 */
uint32_t ctx_usage_of_rec(const struct ctx_convo *c, uint32_t r,
	    struct ctx_str *model);

#endif
