/* SPDX-License-Identifier: MIT */
/* Internals that calibrate.c and calibrate_fit.c share. */
#ifndef CTX_JOB_CALIBRATE_IMPL_H
#define CTX_JOB_CALIBRATE_IMPL_H

#include "job/calibrate.h"

/* A request, counted without what is fitted. */
struct ctx_calibrate_point {
	double texts, others, messages;
	double cost;		/* by the answer's words */
	uint32_t session;
	int goes_on;		/* from the point before it */
};

/*
 * Fit n points.  with_factor: the factor of texts is not known; now: what
 * counts without the fit.  Fills in all of *out but the model.  Returns 0, or
 * -1 with *err.
 */
int	ctx_calibrate_points(const struct ctx_calibrate_point *p, size_t n,
	    int with_factor, const struct ctx_fitted *now,
	    struct ctx_calibrated *out, struct ctx_err *err) CTX_CHECKED;

#endif
