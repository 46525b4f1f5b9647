/* SPDX-License-Identifier: MIT */
/*
 * Points in time: microseconds since 1970 in UTC, printed and read as RFC 3339
 * ("2026-03-01T12:00:00.000000Z").  Years 0000 to 9999; no leap seconds.
 */
#ifndef CTX_BASE_WHEN_H
#define CTX_BASE_WHEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CTX_WHEN_SIZE	28	/* of the printed form, with the NUL */
#define CTX_SECOND	1000000	/* microseconds */

/* The clock; it may go backwards. */
int64_t	ctx_when_now(void);

/* t as text, always 27 characters.  Returns out. */
char	*ctx_when_text(int64_t t, char out[CTX_WHEN_SIZE]);

/*
 * text[0 .. len) into *out: "2026-03-01", or RFC 3339 with a zone (Z or +hh:mm)
 * and at most nine digits behind the second.  0, or -1 and *out as it was.
 */
int	ctx_when_scan(const char *text, size_t len, int64_t *out);

/*
 * What --since and --older-than take: one of the above, or an age ("7d") before
 * now.  0, or -1 with CTX_EUSAGE.
 */
int	ctx_when_parse(const char *text, int64_t now, int64_t *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
