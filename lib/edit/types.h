/* SPDX-License-Identifier: MIT */
/*
 * How many parts of which type were left out, for a message.  All zero is
 * empty.  Types are named as in the input, with only the characters that such
 * names have.
 */
#ifndef CTX_EDIT_TYPES_H
#define CTX_EDIT_TYPES_H

#include "view/dialect.h"

#define CTX_TYPES_MAX	12

struct ctx_types {
	struct {
		char name[40];
		uint64_t n;
	} type[CTX_TYPES_MAX];	/* the last one is for all that have no room */
	size_t n;
};

/* What is left out by its name. */
struct ctx_types_lost {
	struct ctx_types parts;		/* by type */
	struct ctx_types members;
};

/* Add the counts of more to t. */
void	ctx_types_add(struct ctx_types_lost *t,
	    const struct ctx_types_lost *more);

/* A part's type: its own word, or its first key, as in Gemini's. */
struct ctx_str ctx_types_name(const struct ctx_doc *doc, uint32_t node);

/* Count one of this name. */
void	ctx_types_add_name(struct ctx_types *t, struct ctx_str name);

/* Count a part by the type in its JSON; doc is scratch memory. */
void	ctx_types_count(struct ctx_types *t, struct ctx_doc *doc,
	    struct ctx_str json);

#endif
