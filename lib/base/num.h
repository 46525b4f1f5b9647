/* SPDX-License-Identifier: MIT */
/*
 * Numbers with units, as options and environment variables give them.  Strict:
 * the whole text must be the number; nothing is clamped.
 */
#ifndef CTX_BASE_NUM_H
#define CTX_BASE_NUM_H

#include <stdint.h>

#include "base/err.h"

/*
 * "40", "8k" (8000), "8Ki" (8192), k m g and Ki Mi Gi in either case, a
 * fraction before a unit ("1.5k").  0, or -1 with CTX_EUSAGE.
 */
int	ctx_num_parse(const char *text, uint64_t *out, struct ctx_err *err)
	    CTX_CHECKED;

/* "0.6": from 0 to 1.  0, or -1 with CTX_EUSAGE. */
int	ctx_ratio_parse(const char *text, double *out, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * "90s", "30m", "7d", units s m h d w; a number without one is refused.  Seconds
 * in *out.  0, or -1 with CTX_EUSAGE.
 */
int	ctx_age_parse(const char *text, uint64_t *out, struct ctx_err *err)
	    CTX_CHECKED;

/* The same of the variable NAME, as by ctx_env_num. */
int	ctx_env_age(const char *name, uint64_t *out, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * The variable NAME as a number from min to max into *out, untouched when it
 * is unset or empty.  0, or -1 with CTX_EUSAGE and text that names it.
 */
int	ctx_env_num(const char *name, uint64_t min, uint64_t max,
	    uint64_t *out, struct ctx_err *err) CTX_CHECKED;
int	ctx_env_ratio(const char *name, double *out, struct ctx_err *err)
	    CTX_CHECKED;

#endif
