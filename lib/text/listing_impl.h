/* SPDX-License-Identifier: MIT */
/* What the sources of listing share. */
#ifndef CTX_TEXT_LISTING_IMPL_H
#define CTX_TEXT_LISTING_IMPL_H

#include "text/listing.h"

/* Set *line to the next line of *text, which it leaves.  0: there is none. */
int	ctx_listing_line(struct ctx_str *text, struct ctx_str *line);

/* The digits at the start of *s, which they leave; returns how many. */
size_t	ctx_listing_number(struct ctx_str *s, uint64_t *n);

/* Does *s begin with the text?  It is then left. */
int	ctx_listing_skip(struct ctx_str *s, const char *text);

void	ctx_listing_count(struct ctx_listing *l, enum ctx_listed what,
	    uint64_t n);

/* Add a name after dir, or NULL if memory runs out.  Valid until the next. */
struct ctx_listing_name *ctx_listing_add(struct ctx_listing *l,
	    struct ctx_str dir, struct ctx_str name);

/* Count n lines in the file at path.  Returns 0, or -1 if out of memory. */
int	ctx_listing_match(struct ctx_listing *l, struct ctx_str path,
	    uint64_t n) CTX_CHECKED;

/* The same as ctx_listing_read, for the forms of one file each. */
int	ctx_listing_git(struct ctx_listing *l, enum ctx_listing_form form,
	    struct ctx_str text) CTX_CHECKED;
int	ctx_listing_tool(struct ctx_listing *l, struct ctx_str text)
	    CTX_CHECKED;

#endif
