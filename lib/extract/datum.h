/* SPDX-License-Identifier: MIT */
/*
 * The values in a text of JSON, with the names of the members that they are in,
 * and a set of such names.  It also works on text that is cut or not JSON.
 */
#ifndef CTX_EXTRACT_DATUM_H
#define CTX_EXTRACT_DATUM_H

#include <stddef.h>
#include <stdint.h>

#define CTX_DATUM_SLOTS 4096	/* a power of two */

/* Strings are still escaped if they were in quotes. */
struct ctx_datum {
	const char *text;
	size_t len;
	const char *name;	/* of the last member before it, or NULL */
	size_t namelen;
	int quoted;
	int is_name;		/* the text is the name of a member */
};

/*
 * Find the next value or name in p[0 .. len), from *i on.  v is the one before,
 * zeroed at first.  Returns 0 at the end.
 */
int	ctx_datum_next(struct ctx_datum *v, const char *p, size_t len,
	    size_t *i);

/* A set of names in which capitals are the same as small letters. */
struct ctx_datum_names {
	uint64_t slot[CTX_DATUM_SLOTS];
	size_t n;
};

/* Does nothing when three quarters of the set are full. */
void	ctx_datum_name_add(struct ctx_datum_names *set, const char *p,
	    size_t len);
int	ctx_datum_name_has(const struct ctx_datum_names *set, const char *p,
	    size_t len);

#endif
