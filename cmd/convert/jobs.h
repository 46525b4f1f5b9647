/* SPDX-License-Identifier: MIT */
/* ctx-convert -j: conversation lines in several threads. */
#ifndef CTX_CMD_CONVERT_JOBS_H
#define CTX_CMD_CONVERT_JOBS_H

#include "cli_stream.h"
#include "edit/convert.h"

#define CONVERT_JOBS_MAX	64

/*
 * All of the input, from its first line: conversation lines by n threads, in
 * input order; from the first line that is none, all in s->turns.  How they
 * are converted is in settings, whose script's losses grow.
 * Returns 1, or -1 with *err.
 */
int	convert_jobs(struct cli_stream *s, struct ctx_convert *settings,
	    unsigned n, struct ctx_reader *r, const struct ctx_line *first,
	    struct ctx_err *err);

#endif
