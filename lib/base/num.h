/* SPDX-License-Identifier: MIT */
/*
 * Numbers with units, as options and environment variables give them.
 * Parsing is strict: the whole text must be a number, and nothing is clamped.
 *
 * Names: ctx_age_, ctx_decimal_, ctx_env_, ctx_ratio_, ctx_root.
 */
#ifndef CTX_BASE_NUM_H
#define CTX_BASE_NUM_H

#include <stdint.h>

#include "base/err.h"

/*
 * Parse "40", "8k" (8000) or "8Ki" (8192).  The units are k m g and Ki Mi Gi,
 * in either case; a number with a unit may have a fraction ("1.5k").  Returns
 * 0, or -1 with CTX_EUSAGE.
 */
int	ctx_num_parse(const char *text, uint64_t *out, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * An exact decimal fraction, num / den, where den is a power of ten.  It is
 * exact so that decisions based on it are the same on every machine.
 */
struct ctx_ratio {
	uint64_t num, den;
};

/* Parse "1.62", ".6" or "60%".  Returns 0, or -1 with CTX_EUSAGE. */
int	ctx_decimal_parse(const char *text, struct ctx_ratio *out,
	    struct ctx_err *err) CTX_CHECKED;
/* The same, but the value must be from 0 to 1. */
int	ctx_ratio_parse(const char *text, struct ctx_ratio *out,
	    struct ctx_err *err) CTX_CHECKED;

/* n times the ratio, rounded down or up.  The product must be below 2^60. */
uint64_t ctx_ratio_of(struct ctx_ratio r, uint64_t n);
uint64_t ctx_ratio_up(struct ctx_ratio r, uint64_t n);

/* The square root, rounded down. */
uint64_t ctx_root(uint64_t n);

/*
 * Parse "90s", "30m" or "7d" into seconds.  The units are s m h d w; a number
 * without a unit is refused.  Returns 0, or -1 with CTX_EUSAGE.
 */
int	ctx_age_parse(const char *text, uint64_t *out, struct ctx_err *err)
	    CTX_CHECKED;

/* The same for the environment variable NAME, as with ctx_env_num. */
int	ctx_env_age(const char *name, uint64_t *out, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * Read the environment variable NAME as a number from min to max into *out,
 * which is left alone if the variable is unset or empty.  Returns 0, or -1 with
 * CTX_EUSAGE and a text that names the variable.
 */
int	ctx_env_num(const char *name, uint64_t min, uint64_t max,
	    uint64_t *out, struct ctx_err *err) CTX_CHECKED;
int	ctx_env_ratio(const char *name, struct ctx_ratio *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
