/* SPDX-License-Identifier: MIT */
/* Internals that charge.c and charge_request.c share. */
#ifndef CTX_JOB_CHARGE_IMPL_H
#define CTX_JOB_CHARGE_IMPL_H

#include "job/charge.h"

/* Count a text, and release it.  Returns 0, or -1 with *err. */
int	ctx_charge_text(struct ctx_cost *k, struct ctx_buf *text, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;

/* Append a JSON text without the white space between its tokens. */
void	ctx_charge_compact(struct ctx_buf *out, const char *p, size_t len);

/* Append an escaped string with its quotes, in its shortest spelling. */
void	ctx_charge_string(struct ctx_buf *out, struct ctx_str s);

#endif
