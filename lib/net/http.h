/* SPDX-License-Identifier: MIT */
/*
 * Send one HTTP POST that either succeeds or says why not, in bounded time and
 * memory: all attempts share one deadline, the size of the response is capped,
 * and only failures that may be temporary are retried.  Redirects are not
 * followed: they would carry the body, somebody's conversation, to another
 * host.
 */
#ifndef CTX_NET_HTTP_H
#define CTX_NET_HTTP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Limits on time and size; ctx_http_limits_init sets the usual ones. */
struct ctx_http_limits {
	uint64_t total_ms;	/* all attempts and the waits between: 120 s */
	uint64_t connect_ms;	/* 10 s */
	uint64_t idle_s;	/* without receiving data: 60 s */
	unsigned tries;		/* 3 */
	size_t body_max;	/* bytes, decoded: 8 MiB */
	size_t header_max;	/* 64 KiB */
};

struct ctx_http_answer {
	long status;		/* 0 if none was received */
	struct ctx_buf body;	/* empty if a sink took it */
	unsigned try;		/* from 1 for the first */
};

/* The outcome of an attempt. */
enum ctx_http_verdict {
	CTX_HTTP_DONE,		/* success */
	CTX_HTTP_AGAIN,		/* failed; another attempt may succeed */
	CTX_HTTP_STOP		/* failed; another attempt would fail too */
};

struct ctx_http_post {
	const char *url;		/* http or https */
	const char *const *header;	/* ends with NULL; never printed */
	const char *key;		/* or NULL; never printed */
	const char *key_header;		/* the header for the key, with %s */
	const char *body;
	size_t bodylen;
	const char *cacert;		/* PEM file, or NULL for the system's */
	const struct ctx_http_limits *limits;

	/*
	 * Returns the verdict on an answer with status 200; *err gets the
	 * reason unless it is _DONE.  Not called for other statuses.
	 */
	enum ctx_http_verdict (*judge)(void *arg,
	    const struct ctx_http_answer *answer, struct ctx_err *err);
	/*
	 * If not NULL, receives the body of a 200 as it arrives.  It returns 1
	 * when it has seen the end, so that the rest need not be awaited, or
	 * -1 to stop (judge then says why).  It is called with NULL at the
	 * start of each attempt.
	 */
	int (*sink)(void *arg, const char *p, size_t len);
	void *arg;
	/*
	 * Describes the body of an answer with another status, as text for the
	 * error, without the key; or sets "".
	 */
	void (*explain)(const struct ctx_http_answer *answer, const char *key,
	    char *out, size_t size);
	/* If not NULL, called before each wait. */
	void (*waiting)(void *arg, unsigned try, uint64_t ms, const char *why);
	/* If not NULL, called now and then while an answer is awaited. */
	void (*working)(void *arg);
	void *waiting_arg;		/* of both */
};

void	ctx_http_limits_init(struct ctx_http_limits *limits);

/*
 * Send the request.  *answer must be all zero before the call; pass it to _done
 * afterwards.
 *
 * Returns: 0, or -1 with CTX_EREMOTE (refused, failed, timed out), CTX_EUSAGE
 *          (invalid URL or no such certificate file) or CTX_ENOMEM.
 */
int	ctx_http_send(const struct ctx_http_post *post,
	    struct ctx_http_answer *answer, struct ctx_err *err) CTX_CHECKED;

void	ctx_http_answer_done(struct ctx_http_answer *answer);

/* Milliseconds of a monotonic clock. */
uint64_t ctx_http_clock(void);

#endif
