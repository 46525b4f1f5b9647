/* SPDX-License-Identifier: MIT */
/*
 * Ask a model one question over HTTP: send a system text and a user text, and
 * get an answer or the reason why there is none.  An answer is accepted only
 * if it is complete; everything else, including an error with status 200, is a
 * failed attempt.
 *
 * There are three wire formats: OpenAI's chat completions (also used by
 * servers that imitate them), Anthropic's messages and Ollama's chat.
 */
#ifndef CTX_NET_ASK_H
#define CTX_NET_ASK_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/set.h"
#include "net/http.h"

struct ctx_ask_format;

struct ctx_ask {
	const struct ctx_ask_format *format;
	const char *url;		/* complete: see net/endpoint.h */
	const char *model;
	const char *key;		/* or NULL; never printed */
	int bearer;			/* Anthropic: the key is a token */
	const char *const *header;	/* more headers and a NULL, or NULL */
	const struct ctx_set *set;
	size_t nset;
	unsigned max_tokens;		/* of the answer */
	const char *limit;		/* OpenAI's member for them; NULL:
					   "max_tokens" */
	double temperature;		/* negative: the model's own */
	uint64_t prompt_tokens;		/* our own count; 0 if unknown */
	int stream;
	/*
	 * If set, appends the request's body, whose answer may have so many
	 * max_tokens, in place of one of system and user.  Returns -1 with *err
	 * if it fails.
	 */
	int (*body)(void *arg, unsigned max_tokens, struct ctx_buf *out,
	    struct ctx_err *err);
	void *body_arg;
	const char *cacert;
	struct ctx_http_limits limits;
	void (*waiting)(void *arg, unsigned try, uint64_t ms, const char *why);
	void (*working)(void *arg);	/* see net/http.h */
	void *arg;
};

enum ctx_ask_finish {
	CTX_ASK_UNFINISHED,	/* without a reason: not a complete answer */
	CTX_ASK_STOP,
	CTX_ASK_LENGTH,		/* cut at max_tokens */
	CTX_ASK_REFUSED,	/* by the model or a filter */
	CTX_ASK_FAILED,		/* the server failed, and may not do so again */
	CTX_ASK_OTHER		/* for a call of a tool, say */
};

#define CTX_ASK_REASON 40	/* bytes of a finish reason that are shown */

struct ctx_ask_answer {
	struct ctx_buf text;
	enum ctx_ask_finish finish;
	char reason[CTX_ASK_REASON];	/* in the server's word */
	int64_t prompt_tokens;	/* as counted by the server; -1 if unknown */
	int64_t cached_tokens;	/* those of them that were in its cache */
	int64_t output_tokens;
	/* the same of an answer before this one that was cut for length */
	int64_t cut_prompt, cut_cached, cut_output;
	unsigned tries;		/* requests sent, with any max_tokens */
	/*
	 * After a failure: the request is longer than what the model reads.
	 * The server may name the tokens that it reads and those of the
	 * request, by its own count; -1 if it does not.
	 */
	int too_long;
	int64_t fits, asked;
};

/* The format called "openai", "anthropic" or "ollama"; NULL for other names. */
const struct ctx_ask_format *ctx_ask_format(const char *name);
const char *ctx_ask_format_name(const struct ctx_ask_format *format);

/*
 * Send the question.  If the answer was cut for length, ask once more with
 * twice the max_tokens, unless set has a limit.
 *
 * Returns: 0 with *answer filled in, or -1 with CTX_EREMOTE, CTX_EUSAGE (URL
 *          or certificate file) or CTX_ENOMEM. *answer must be all zero before
 *          the call; pass it to _done in any case.
 */
int	ctx_ask(const struct ctx_ask *ask, const char *system,
	    const char *user, struct ctx_ask_answer *answer,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_ask_answer_done(struct ctx_ask_answer *answer);

/* Append the body of the request, indented, for people to read. */
int	ctx_ask_request(const struct ctx_ask *ask, const char *system,
	    const char *user, struct ctx_buf *out, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * Read the answer from a complete body, or from the events of a stream.  The
 * network code calls these; they are public for tests and the fuzzer.  *answer
 * as above.
 */
enum ctx_http_verdict ctx_ask_read(const struct ctx_ask_format *format,
	    const char *body, size_t len, struct ctx_ask_answer *answer,
	    struct ctx_err *err) CTX_CHECKED;
/* Like ctx_ask_read, for the bytes of a stream, given all at once. */
enum ctx_http_verdict ctx_ask_read_stream(const struct ctx_ask_format *format,
	    const char *body, size_t len, struct ctx_ask_answer *answer,
	    struct ctx_err *err) CTX_CHECKED;

#endif
