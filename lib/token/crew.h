/* SPDX-License-Identifier: MIT */
/*
 * Counting by several threads.  A crew is a thread's own counter and others
 * like it, which live as long as the crew: what one has learned of a text's
 * words stays with it.
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
 * A crew of threads threads, one of which is the caller's: its counter c is
 * borrowed, and the others count as it does.
 *
 * Returns: the crew, or NULL with CTX_ENOMEM.
 */
struct ctx_crew *ctx_crew_new(struct ctx_counter *c, unsigned threads,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_crew_free(struct ctx_crew *w);

/*
 * Count one text in parts of any size by all of the crew: feed them, then take
 * the count, which is the caller's counter's own.  The text is divided behind
 * newlines where a piece ends whatever stands around it; short texts, and
 * those by a pattern that is not one of ours, are counted by the caller alone.
 * Parts are taken together until they are worth dividing; memory stays within
 * a few MB a thread.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_crew_feed(struct ctx_crew *w, const char *part, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_crew_end(struct ctx_crew *w, uint64_t *n, struct ctx_err *err);

/*
 * Offset of the first place from byte from on where text may be divided; len if
 * there is none.
 */
size_t	ctx_crew_divide(const char *text, size_t len, size_t from);

#endif
