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

#include "base/err.h"
#include "token/count.h"

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

/*
 * Count one text, given in parts of any size, with the whole crew: feed the
 * parts, then take the count, which equals that of the caller's counter
 * alone.  The text is divided after newlines where a piece ends whatever
 * surrounds it.  The caller alone counts short texts and those with a foreign
 * split pattern.  Parts are collected until they are worth dividing; memory
 * stays within a few MB a thread.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_crew_feed(struct ctx_crew *w, const char *part, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_crew_end(struct ctx_crew *w, uint64_t *n, struct ctx_err *err);

/*
 * Offset of the first place at or after byte from where text may be divided;
 * len if there is no such place.
 */
size_t	ctx_crew_divide(const char *text, size_t len, size_t from);

#endif
