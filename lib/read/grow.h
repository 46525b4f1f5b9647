/* SPDX-License-Identifier: MIT */
/*
 * A JSON value that grows: texts get longer, objects and lists get members and
 * elements.  Strings stay spelled as they came, and so does what never grows.
 * All zero is null.
 */
#ifndef CTX_READ_GROW_H
#define CTX_READ_GROW_H

#include <stdint.h>

#include "read/span.h"

/* The most members or elements that one value may have. */
#define CTX_GROW_MAX	8192u

struct ctx_grow {
	enum ctx_grow_kind { CTX_GROW_NULL, CTX_GROW_STRING, CTX_GROW_OBJECT,
	    CTX_GROW_LIST, CTX_GROW_JSON } kind;
	struct ctx_buf text;	/* of a string, escaped; or JSON */
	char *key;		/* of a member */
	uint64_t index;		/* of an element: what its source calls it */
	struct ctx_grow *first, *last, *next;
	uint32_t n;
	int full;		/* it should have had more */
	int whole;		/* for the caller: it has ended */
};

/* Free what it holds; it is null then. */
void	ctx_grow_done(struct ctx_grow *g);

/* The member of that key; NULL if there is none, or g is. */
struct ctx_grow *ctx_grow_find(struct ctx_grow *g, const char *key);

/*
 * The member of that key, or the element of that index; a new one is null.  What is
 * no object, or no list, becomes one.  NULL if out of memory, or if there are too
 * many.
 */
struct ctx_grow *ctx_grow_member(struct ctx_grow *g, const char *key)
	    CTX_CHECKED;
struct ctx_grow *ctx_grow_element(struct ctx_grow *g, uint64_t index)
	    CTX_CHECKED;
/* A new element at the end. */
struct ctx_grow *ctx_grow_more(struct ctx_grow *g) CTX_CHECKED;

/*
 * Make it the value of a node; CTX_NONE: null.  The same with JSON.  An object stays
 * as it came until something is added to it, and so do the objects in it.  0, or -1.
 */
int	ctx_grow_set(struct ctx_grow *g, const struct ctx_doc *doc,
	    uint32_t node) CTX_CHECKED;
int	ctx_grow_set_json(struct ctx_grow *g, const char *json, size_t len)
	    CTX_CHECKED;
/* Make it a string, unless it is one, and append to it.  0, or -1. */
int	ctx_grow_add(struct ctx_grow *g, struct ctx_str text) CTX_CHECKED;

/* The member of key node k, as ctx_grow_member. */
struct ctx_grow *ctx_grow_member_of(struct ctx_grow *g,
	    const struct ctx_doc *doc, uint32_t k) CTX_CHECKED;
/* Set the members that an object has, unless they are null or but. 0, or -1. */
int	ctx_grow_update(struct ctx_grow *g, const struct ctx_doc *doc,
	    uint32_t obj, const char *but) CTX_CHECKED;

/*
 * Add to it what a node has: strings are appended, except of members that name
 * something (id, type, name, role); elements are merged with those of their index,
 * unless these have another id, type or function's name.  Where parts have no index, texts and
 * thinking go on with the last, and a string is a text.  null and an empty list
 * add nothing.  Returns 0 or -1.
 */
int	ctx_grow_merge(struct ctx_grow *g, const struct ctx_doc *doc,
	    uint32_t node) CTX_CHECKED;

/* Did it fail because of CTX_GROW_MAX? */
int	ctx_grow_full(const struct ctx_grow *g);
/* Take away a member, if there is one; or move it to the end of list to. */
void	ctx_grow_drop(struct ctx_grow *g, const char *key);
void	ctx_grow_take(struct ctx_grow *g, const char *key,
	    struct ctx_grow *to);
/* Move element e, which follows before (NULL: it is the first), to the end of to. */
void	ctx_grow_move(struct ctx_grow *list, struct ctx_grow *before,
	    struct ctx_grow *e, struct ctx_grow *to);

/* Append it as JSON. */
void	ctx_grow_put(struct ctx_buf *out, const struct ctx_grow *g);

#endif
