/* SPDX-License-Identifier: MIT */
/*
 * Counting with several threads.  A crew is a thread's own counter and others
 * like it, which live as long as the crew, so that each keeps the words that
 * it has cached.
 */
#ifndef CTX_TOKEN_CREW_H
#define CTX_TOKEN_CREW_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "token/count.h"
#include "token/split.h"

#define CTX_THREADS_MAX	64

struct ctx_crew;

/*
 * Create a crew of threads threads, including the caller's.  The caller's
 * counter c is borrowed, and the other counters count as it does.
 *
 * Returns: the crew, or NULL with CTX_ENOMEM.
 */
struct ctx_crew *ctx_crew_new(struct ctx_counter *c, unsigned threads,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_crew_free(struct ctx_crew *w);

/* A text to count, which the threads read by turns. */
struct ctx_crew_text {
	/*
	 * Copy at most size bytes, the next ones, to to.  Only one thread calls
	 * it at a time.  Returns their number, 0 at the end, or -1 with *err.
	 */
	ssize_t (*read)(void *arg, char *to, size_t size, struct ctx_err *err);
	/* If set, called for all of it, in any order, by any thread. */
	void (*seen)(void *arg, const char *p, size_t len);
	void *arg;
};

/*
 * Count one text with the whole crew; the count equals that of the caller's
 * counter alone.  The text is divided after newlines where a piece ends
 * whatever surrounds it.  The caller alone counts short texts and those with a
 * foreign split pattern.  Memory: two blocks of 128 KiB a thread.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or what read has failed with.
 */
int	ctx_crew_count(struct ctx_crew *w, const struct ctx_crew_text *text,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * Offset of the first place at or after byte from where text may be divided if
 * it is cut as kind; len if there is no such place.
 */
size_t	ctx_crew_divide(enum ctx_split_kind kind, const char *text, size_t len,
	    size_t from);

#endif
