/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-count --calibrate: finds in logs what requests cost by the
 * answers' own words (view/usage.h), counts the same requests, and fits what a
 * line of CTX_MODELS can say (token/model.h) for each model.
 *
 * A request is the part of a session before its answer.  With T tokens of
 * texts, F of anything else and M messages, by the rules that are known, it
 * cost
 *
 *	request + factor * T + F + message * M
 *
 * The first two thirds of a model's requests, in the order of the logs, are
 * fitted: factor and message with the least absolute deviation of what each
 * request cost more than the one before it, so that what a log does not show
 * disturbs only the step in which it came; request is the median of what is
 * left, by stretches of sessions.  Of vocabularies that are exact the factor is
 * 1, and an unknown is only taken if it is worth it.  The rest of the requests
 * tell how far off counts are.
 *
 * After a compaction, what was before it does not count.  After a request that
 * cost less than the one before it without one, the rest of that session is
 * left out, as are side conversations, whose requests have other prompts.
 */
#ifndef CTX_JOB_CALIBRATE_H
#define CTX_JOB_CALIBRATE_H

#include "job/job.h"
#include "token/model.h"

#define CTX_CALIBRATE_LEAST	8	/* requests */

enum ctx_calibrate_end {
	CTX_CALIBRATE_BETTER,	/* fitted is better than what counts now */
	CTX_CALIBRATE_FEW,	/* too few requests */
	CTX_CALIBRATE_SAME	/* it is not */
};

/* Percent by which 5, 50 and 95 % of counts are at most too high. */
struct ctx_calibrate_off {
	double low, median, high;
};

struct ctx_calibrated {
	enum ctx_calibrate_end end;
	char model[CTX_MODEL_NAME_MAX];	/* for a prefix */
	const char *encoding;	/* "-", or what counts for an unknown model */
	size_t nfit, ncheck;	/* requests */
	struct ctx_fitted fitted;
	struct ctx_calibrate_off before, after;	/* of those that check */
};

/*
 * A new job.  model: take all requests to it, or whose model is not named, as
 * those of this one; NULL: fit each that the log names.  NULL with *err.
 */
struct ctx_job *ctx_calibrate_new(const char *model, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * If the first line has a "request" and a "response", or what that cost, take
 * all of the input as such lines.  Returns 1 if taken, 0 if not, -1 with *err.
 */
int	ctx_calibrate_pairs(struct ctx_job *j, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

/*
 * Fit model i of those that were found.  Returns 1; 0 past the last; or -1 with
 * *err.
 */
int	ctx_calibrate_fit(struct ctx_job *j, size_t i,
	    struct ctx_calibrated *out, struct ctx_err *err) CTX_CHECKED;

#endif
