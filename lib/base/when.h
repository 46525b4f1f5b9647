/* SPDX-License-Identifier: MIT */
/*
 * Points in time, in microseconds since 1970 UTC, printed and read as RFC 3339
 * ("2026-03-01T12:00:00.000000Z").  Years are 0000 to 9999, and there are no
 * leap seconds.
 */
#ifndef CTX_BASE_WHEN_H
#define CTX_BASE_WHEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CTX_WHEN_SIZE	28	/* of the printed form, with the NUL */
#define CTX_SECOND	1000000	/* microseconds */

/* The current time.  The clock may go backwards. */
int64_t	ctx_when_now(void);

/* Print t, always as 27 characters.  Returns out. */
char	*ctx_when_text(int64_t t, char out[CTX_WHEN_SIZE]);

/*
 * Parse text[0 .. len) into *out: "2026-03-01", or RFC 3339 with a zone (Z or
 * +hh:mm) and at most nine digits after the second.  Returns 0, or -1 with *out
 * unchanged.
 */
int	ctx_when_scan(const char *text, size_t len, int64_t *out);

/*
 * Parse the value of --since or --older-than: one of the forms above, or an age
 * ("7d") before now.  Returns 0, or -1 with CTX_EUSAGE.
 */
int	ctx_when_parse(const char *text, int64_t now, int64_t *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
