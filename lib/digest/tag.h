/* SPDX-License-Identifier: MIT */
/*
 * Tags in XML, as far as documents need them: one pass through the text, no tree
 * and no entities but the predefined ones, so that no file costs more than its
 * length.  Text that is not XML has fewer tags, which is no error.
 */
#ifndef CTX_DIGEST_TAG_H
#define CTX_DIGEST_TAG_H

#include <stddef.h>

#include "base/buf.h"

struct ctx_tag {
	const char *p;		/* its name, without a prefix */
	const char *end;	/* its '>' */
	size_t len;		/* of the name; only ctx_tag_step sets this */
	int closes;		/* </name>, and this */
};

/*
 * Find the next <name ...> or <x:name ...> in [p, end); returns 0 if there is
 * none.
 */
int	ctx_tag_next(const char *p, const char *end, const char *name,
	    struct ctx_tag *t);

/*
 * The next tag of any name in [*p, end), and *p after it.  Comments, CDATA
 * sections, declarations and instructions are passed over.  Returns 0 at the
 * end.
 */
int	ctx_tag_step(const char **p, const char *end, struct ctx_tag *t);

/* Is it called name, whatever its prefix? */
int	ctx_tag_is(const struct ctx_tag *t, const char *name);

/* Has it no contents, as <name/>? */
static inline int
ctx_tag_void(const struct ctx_tag *t)
{
	return t->end[-1] == '/';
}

/*
 * Get the value of an attribute; returns 0 if the tag has none of that name.
 * A name that begins with a colon matches with any namespace prefix, but not
 * without one.
 */
int	ctx_tag_attr(const struct ctx_tag *t, const char *name,
	    const char **value, size_t *len);

/* Append text with its entities decoded. */
void	ctx_tag_text(struct ctx_buf *out, const char *p, size_t len);

/* Append the text after a tag, up to the next one. */
void	ctx_tag_text_after(struct ctx_buf *out, const struct ctx_tag *t,
	    const char *end);

#endif
