/* SPDX-License-Identifier: MIT */
/* A history without its secrets, for what is handed on. */
#ifndef CTX_SHOW_SAFE_H
#define CTX_SHOW_SAFE_H

#include "job/job.h"
#include "redact/redact.h"

/*
 * A new job that replaces secrets with placeholders, as ctx-clean --redact
 * does, changes nothing else, and passes its lines to the job next, which it
 * owns from now on, even if this fails.  redact must outlive it.  NULL with
 * *err.
 */
struct ctx_job *ctx_safe_new(struct ctx_redact *redact, struct ctx_job *next,
	    struct ctx_err *err) CTX_CHECKED;

#endif
