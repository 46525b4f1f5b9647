/* SPDX-License-Identifier: MIT */
/*
 * Numbers with units, as options and environment variables give them.  Strict:
 * the whole text must be the number; nothing is clamped.
 *
 * Names: ctx_age_, ctx_decimal_, ctx_env_, ctx_ratio_, ctx_root.
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

/*
 * A decimal fraction, exactly, so that what is decided by it is the same on
 * every machine: num / den, and den is a power of ten.
 */
struct ctx_ratio {
	uint64_t num, den;
};

/* "1.62", ".6", "60%".  0, or -1 with CTX_EUSAGE. */
int	ctx_decimal_parse(const char *text, struct ctx_ratio *out,
	    struct ctx_err *err) CTX_CHECKED;
/* The same, from 0 to 1. */
int	ctx_ratio_parse(const char *text, struct ctx_ratio *out,
	    struct ctx_err *err) CTX_CHECKED;

/* n times the ratio, rounded down or up, for products below 2^60. */
uint64_t ctx_ratio_of(struct ctx_ratio r, uint64_t n);
uint64_t ctx_ratio_up(struct ctx_ratio r, uint64_t n);

/* The square root, rounded down. */
uint64_t ctx_root(uint64_t n);

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
int	ctx_env_ratio(const char *name, struct ctx_ratio *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
