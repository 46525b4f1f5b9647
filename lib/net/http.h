/* SPDX-License-Identifier: MIT */
/*
 * One HTTP POST that either ends well or says why not, in bounded time and
 * memory: one deadline over all tries, a cap on what may come back, tries
 * again only where that can help.  Nothing is followed: a redirect would carry
 * the body, somebody's conversation, to another host.
 */
#ifndef CTX_NET_HTTP_H
#define CTX_NET_HTTP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* How patient, how much; ctx_http_limits_init sets what most want. */
struct ctx_http_limits {
	uint64_t total_ms;	/* all tries and the waits between: 120 s */
	uint64_t connect_ms;	/* 10 s */
	uint64_t idle_s;	/* without a byte, before the first too: 60 s */
	unsigned tries;		/* 3 */
	size_t body_max;	/* bytes, decoded: 8 MiB */
	size_t header_max;	/* 64 KiB */
};

struct ctx_http_answer {
	long status;		/* 0: none came */
	struct ctx_buf body;	/* empty if a sink took it */
	unsigned try;		/* from 1 */
};

/* What becomes of a try. */
enum ctx_http_verdict {
	CTX_HTTP_DONE,		/* good */
	CTX_HTTP_AGAIN,		/* not good, another try may be */
	CTX_HTTP_STOP		/* not good, and no other try would be */
};

struct ctx_http_post {
	const char *url;		/* http or https */
	const char *const *header;	/* "Name: value", NULL behind the last;
					   never printed */
	const char *key;		/* or NULL; never printed */
	const char *key_header;		/* the header that bears it, with %s */
	const char *body;
	size_t bodylen;
	const char *cacert;		/* PEM file, or NULL: the system's */
	const struct ctx_http_limits *limits;

	/*
	 * The verdict on an answer with status 200; *err gets the reason if it
	 * is not _DONE.  Other statuses never get here.
	 */
	enum ctx_http_verdict (*judge)(void *arg,
	    const struct ctx_http_answer *answer, struct ctx_err *err);
	/*
	 * Or NULL: takes the body of a 200 as it comes; 1 says that it has
	 * seen the end, so that the rest need not be waited for, -1 that it
	 * wants no more (judge then says why).  Called with NULL at the start
	 * of each try.
	 */
	int (*sink)(void *arg, const char *p, size_t len);
	void *arg;
	/*
	 * What a body of another status says, as text for the error, without
	 * the key; or "".
	 */
	void (*explain)(const struct ctx_http_answer *answer, const char *key,
	    char *out, size_t size);
	/* Told before a wait, or NULL. */
	void (*waiting)(void *arg, unsigned try, uint64_t ms, const char *why);
	void *waiting_arg;
};

void	ctx_http_limits_init(struct ctx_http_limits *limits);

/*
 * Send it.  *answer, all zero before, is yours to _done.
 *
 * Returns: 0, or -1 with CTX_EREMOTE (refused, failed, took too long),
 *          CTX_EUSAGE (no such URL or certificate file), CTX_ENOMEM.
 */
int	ctx_http_send(const struct ctx_http_post *post,
	    struct ctx_http_answer *answer, struct ctx_err *err) CTX_CHECKED;

void	ctx_http_answer_done(struct ctx_http_answer *answer);

/* Milliseconds of a clock that never goes back. */
uint64_t ctx_http_clock(void);

#endif
