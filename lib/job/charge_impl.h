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

/* What charge.h says of ctx_charge_msg, for a row of Google's. */
int	ctx_charge_google_msg(struct ctx_cost *k, const struct ctx_charge *r,
	    const struct ctx_convo *c, uint32_t m, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;

/* The same of ctx_charge_request; tools are those that count. */
int	ctx_charge_google_request(struct ctx_cost *k,
	    const struct ctx_convo *c, const struct ctx_tools *tools,
	    struct ctx_charges *out, uint64_t *each, struct ctx_err *err)
	    CTX_CHECKED;

#endif
