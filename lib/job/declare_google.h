/* SPDX-License-Identifier: MIT */
/*
 * Functions, arguments and results as Google's models read them, of which there
 * is no description: the forms are those whose counts are what the API charged
 * for 287 recorded requests (2026-11).
 *
 * What is written is UTF-8 with two bytes that no UTF-8 has, between which each
 * text is counted alone.
 */
#ifndef CTX_JOB_DECLARE_GOOGLE_H
#define CTX_JOB_DECLARE_GOOGLE_H

#include "edit/tools.h"
#include "job/charge.h"

#define CTX_GOOGLE_TOKEN	'\xff'	/* a token that is no text */
#define CTX_GOOGLE_BORDER	'\xfe'	/* costs nothing */

/* Append a JSON value in that form; arguments: it is those of a call. */
void	ctx_declare_google_value(struct ctx_buf *out, enum ctx_charge_form form,
	    struct ctx_str json, int arguments);

/*
 * Append the declaration of a tool, or what of it fits into CTX_DECLARE_MAX.
 * Returns 0, or -1 with CTX_EINPUT (its schema is not JSON) or CTX_ENOMEM.
 */
int	ctx_declare_google(struct ctx_buf *out, enum ctx_charge_form form,
	    const struct ctx_tool *tool, struct ctx_err *err) CTX_CHECKED;

#endif
