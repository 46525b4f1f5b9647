/* SPDX-License-Identifier: MIT */
/*
 * The members that an API takes in a message and in the objects in it.  One that it
 * does not know is an error to most APIs, so what we or other APIs write beside them
 * stays out of requests.
 */
#ifndef CTX_EDIT_TAKES_H
#define CTX_EDIT_TAKES_H

#include "read/node.h"

/* A member; a table of them ends with one without a name. */
struct ctx_takes {
	const char *name;
	const struct ctx_takes *in;	/* the members in its value, if that is
					   an object or objects in a list; NULL:
					   any */
	const char *only;	/* the only servers that take it, each between
				   spaces; NULL: all */
	int given;		/* it is not null */
	const char *of;		/* the only types of objects that have it, each
				   between spaces; NULL: all */
	/*
	 * It is the type of an object.  With .of, these are the types that the
	 * table knows: of others all is taken.  Without, it is the name of
	 * another member, or the object is not taken at all.
	 */
	int tag;
};

/*
 * A table, or NULL: everything is taken; and the server in question, or NULL: any
 * of them.
 */
struct ctx_taker {
	const struct ctx_takes *takes;
	const char *api;
};

/* Is the object's member key taken?  *in is what is taken in its value. */
int	ctx_takes_key(const struct ctx_taker *t, const struct ctx_doc *doc,
	    uint32_t object, uint32_t key, struct ctx_taker *in);
/* What is taken in the value of the member of that name. */
struct ctx_taker ctx_takes_in(const struct ctx_taker *t, const char *name);
/* Is the member of that name taken? */
int	ctx_takes_name(const struct ctx_taker *t, const char *name);

/* Is an element of a list taken, by its tag? */
int	ctx_takes_object(const struct ctx_taker *t, const struct ctx_doc *doc,
	    uint32_t node);

/* Is everything in a value taken? */
int	ctx_takes_all(const struct ctx_taker *t, const struct ctx_doc *doc,
	    uint32_t node);

#endif
