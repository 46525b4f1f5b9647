/* SPDX-License-Identifier: MIT */
/*
 * Asking a model one question over HTTP: a system text and a user text out, an
 * answer in, or a reason why there is none.  An answer is taken only if it is
 * whole: everything else, an error with status 200 too, is a failed try.
 *
 * Three wire formats: OpenAI's chat completions (and what imitates them),
 * Anthropic's messages, Ollama's chat.
 */
#ifndef CTX_NET_ASK_H
#define CTX_NET_ASK_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "net/http.h"

struct ctx_ask_format;

/* One member that is added to a request, or taken out of it. */
struct ctx_ask_set {
	const char *name;
	const char *value;	/* JSON, else taken as a string; "null": out */
};

struct ctx_ask {
	const struct ctx_ask_format *format;
	const char *url;		/* whole: see net/endpoint.h */
	const char *model;
	const char *key;		/* or NULL; never printed */
	int bearer;			/* Anthropic: the key is a token */
	const char *const *header;	/* more of them, NULL-ended, or NULL */
	const struct ctx_ask_set *set;
	size_t nset;
	unsigned max_tokens;		/* of the answer */
	double temperature;
	uint64_t prompt_tokens;		/* our own count; 0: not known */
	int stream;
	const char *cacert;
	struct ctx_http_limits limits;
	void (*waiting)(void *arg, unsigned try, uint64_t ms, const char *why);
	void *arg;
};

enum ctx_ask_finish {
	CTX_ASK_UNFINISHED,	/* no reason came: not a whole answer */
	CTX_ASK_STOP,
	CTX_ASK_LENGTH,		/* cut at max_tokens */
	CTX_ASK_REFUSED		/* by the model or a filter */
};

struct ctx_ask_answer {
	struct ctx_buf text;
	enum ctx_ask_finish finish;
	int64_t prompt_tokens;	/* as the server counts; -1: not said */
	int64_t output_tokens;
	unsigned tries;		/* requests sent, over all rooms */
};

/* "openai", "anthropic", "ollama"; NULL if there is no such name. */
const struct ctx_ask_format *ctx_ask_format(const char *name);

/*
 * Send it.  An answer that was cut for length is asked for once more with
 * twice the room.
 *
 * Returns: 0 and *answer (all zero before; _done it in any case), or -1 with
 *          CTX_EREMOTE, CTX_EUSAGE (URL or certificate file), CTX_ENOMEM.
 */
int	ctx_ask(const struct ctx_ask *ask, const char *system,
	    const char *user, struct ctx_ask_answer *answer,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_ask_answer_done(struct ctx_ask_answer *answer);

/* Append the request's body, indented, for looking at. */
int	ctx_ask_request(const struct ctx_ask *ask, const char *system,
	    const char *user, struct ctx_buf *out, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * The answer in a whole body, or in the events of a stream: what the network
 * part calls, open to tests and the fuzzer.  *answer as above.
 */
enum ctx_http_verdict ctx_ask_read(const struct ctx_ask_format *format,
	    const char *body, size_t len, struct ctx_ask_answer *answer,
	    struct ctx_err *err) CTX_CHECKED;
/* The same for the bytes of a stream, given at once. */
enum ctx_http_verdict ctx_ask_read_stream(const struct ctx_ask_format *format,
	    const char *body, size_t len, struct ctx_ask_answer *answer,
	    struct ctx_err *err) CTX_CHECKED;

#endif
