/* SPDX-License-Identifier: MIT */
/*
 * Conversations of which one record has all messages, each with the id of the
 * message before it, so that they form a tree: the exports of chat programs.
 *
 * Names: ctx_tree_.
 */
#ifndef CTX_VIEW_TREE_H
#define CTX_VIEW_TREE_H

#include "view/dialect.h"

/* What the members of an element are called. */
struct ctx_tree_form {
	const char *id;		/* NULL: the list is an object, and its keys
				   are the ids */
	const char *parent;
};

struct ctx_tree {		/* all zero is valid and empty */
	struct ctx_tree_node {
		uint32_t node;		/* of the element's value */
		struct ctx_str id;
		uint32_t parent;	/* numbers of nodes, or CTX_NONE */
		uint32_t child, last;	/* its first and last child */
		uint32_t next;		/* child of the same parent */
		int seen;
	} *e;
	uint32_t *order;		/* all of them; see ctx_tree_order */
	uint32_t n;
};

void	ctx_tree_done(struct ctx_tree *t);

/*
 * Read the elements of list, in which nothing has to be right: a parent that is
 * not there is none.  Returns 0, or -1 if out of memory.
 */
int	ctx_tree_read(struct ctx_tree *t, const struct ctx_doc *doc,
	    uint32_t list, const struct ctx_tree_form *form) CTX_CHECKED;

/* The number of the element with that id; CTX_NONE if there is none. */
uint32_t ctx_tree_find(const struct ctx_tree *t, struct ctx_str id);

/*
 * Set the order of the elements: parents before their children, and the branch
 * that ends with tip after its siblings, so that it is the last one.  tip is a
 * number, or CTX_NONE for the last element.
 */
void	ctx_tree_order(struct ctx_tree *t, uint32_t tip);

/* For struct ctx_dialect's branches, where views set elem. */
int	ctx_tree_branches(const struct ctx_convo *c, uint32_t tip,
	    const struct ctx_tree_form *form, unsigned char *gone) CTX_CHECKED;

#endif
