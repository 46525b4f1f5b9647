/* SPDX-License-Identifier: MIT */
/*
 * What the steps of a script say, part by part: for script.c alone, which
 * decides what belongs to which step.
 */
#ifndef CTX_EDIT_SAID_H
#define CTX_EDIT_SAID_H

#include "edit/script.h"

/* Is p half of a call and its result that are one part of a message? */
int	ctx_said_inline(const struct ctx_convo *c, const struct ctx_part *p);

/* The kind that part i is told as; CTX_HOLLOW: it is not told. */
enum ctx_kind ctx_said_kind(const struct ctx_convo *c, uint32_t i);

/* A new item; NULL out of memory.  Good until the next. */
struct ctx_said *ctx_said_add(struct ctx_script *s, enum ctx_kind kind);

/* Part i as an item, what is in a result as items behind it.  0 or -1. */
int	ctx_said_part(struct ctx_script *s, const struct ctx_plan *plan,
	    unsigned needs, uint32_t i);

/* The parts that message m carries for other dialects.  0 or -1. */
int	ctx_said_kept(struct ctx_script *s, uint32_t m);

/* Frees the strings that items were given. */
void	ctx_said_forget(struct ctx_script *s);

#endif
