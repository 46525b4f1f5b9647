/* SPDX-License-Identifier: MIT */
/*
 * Results of calls, as the programs that ran them give them, turned into messages:
 * a text, or lines {"id":...,"output":...}, which may also have name and error.
 *
 * Names: ctx_answer_.
 */
#ifndef CTX_JOB_ANSWERS_H
#define CTX_JOB_ANSWERS_H

#include "edit/results.h"
#include "job/job.h"

/*
 * Take all of the input, from its first line on, as lines that are results, and
 * write them for the target, or nothing if one is not right.
 * Returns: 1, or -1 with *err (CTX_EINPUT with err->line).
 */
int	ctx_answers(struct ctx_job *j, const struct ctx_target *to,
	    struct ctx_reader *r, const struct ctx_line *first,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * The same with a text: result has the id and name of its call, and flags.  The
 * input has no line if first is NULL.
 */
int	ctx_answer_text(struct ctx_job *j, const struct ctx_target *to,
	    const struct ctx_said *result, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

#endif
