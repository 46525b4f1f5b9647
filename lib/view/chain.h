/* SPDX-License-Identifier: MIT */
/*
 * What links the records of a session: each names the one that it follows.  Of
 * each conversation it is known which records there were and which are written,
 * so that a record whose parent is not written can follow another one.
 *
 * Memory: some 60 bytes and the id for each record.
 *
 * Names: ctx_chain_.
 */
#ifndef CTX_VIEW_CHAIN_H
#define CTX_VIEW_CHAIN_H

#include "base/strmap.h"
#include "read/node.h"

/* The members of a record that name records; those that it lacks are NULL. */
struct ctx_chain_form {
	const char *id, *parent;
	/* before a parent of null: what the program shows, but does not send */
	const char *logical;
	const char *leaf;	/* the record that something was said about */
	const char *first;	/* the first one that a summary does not
				   replace */
};

struct ctx_chain_rec {
	uint32_t parent;	/* its number, or that of the logical one;
				   CTX_NONE: none */
	uint32_t then;		/* a new record that follows it, or CTX_NONE */
	uint32_t up;		/* written: one that it follows, or CTX_NONE */
	uint32_t part;		/* one that follows it and is a part of the same
				   message, or CTX_NONE */
	unsigned char seen;	/* it was in the source */
	unsigned char kept;	/* it is written */
	unsigned char off;	/* its links are not those of the branch that is
				   resumed */
	unsigned char beside;	/* off, and no result of a call that is on it */
};

struct ctx_chain {		/* all zero is valid and empty */
	const struct ctx_chain_form *form;	/* NULL: nothing is linked */
	struct ctx_strmap ids;	/* a record's number is its id's */
	struct ctx_chain_rec *rec;
	size_t nrec, caprec;
	int linked;		/* a record of the source follows another */
	uint32_t tip;		/* 1 + the record whose branch is resumed; 0: the
				   last one with a message */
	uint32_t nsaid;		/* those of the source that are messages */
	uint32_t nlast;		/* 1 + the number of the last one written */
	int any;		/* one is written, which may be beside the branch */
	uint32_t nhead;		/* 1 + that of a new one before all others */
	int fresh;		/* the last one written is new */
	/* what the last record that was linked names now */
	struct ctx_chain_link {
		const char *member;
		uint32_t to;	/* CTX_NONE: nothing */
	} changed[3];
	int nchanged;
};

void	ctx_chain_done(struct ctx_chain *ch);

/* The number of the id in string node; CTX_NONE if it is none or empty. */
int	ctx_chain_number(struct ctx_chain *ch, const struct ctx_doc *doc,
	    uint32_t node, uint32_t *number) CTX_CHECKED;

/*
 * The numbers of the record at root and of its parent, logical or not; CTX_NONE
 * where there is none.  Returns 0, or -1 if out of memory.
 */
int	ctx_chain_read(struct ctx_chain *ch, const struct ctx_doc *doc,
	    uint32_t root, uint32_t *number, uint32_t *parent) CTX_CHECKED;

/*
 * Note that the source has record number, a message or not, unless that is
 * CTX_NONE.
 */
void	ctx_chain_see(struct ctx_chain *ch, uint32_t number, uint32_t parent,
	    int says);

/* Is the source a log of several messages, of which none follows another? */
static inline int
ctx_chain_flat(const struct ctx_chain *ch)
{
	return !ch->linked && ch->nsaid > 1;
}

/*
 * The record will be written: what follows it may come before it.  Returns 0, or
 * -1 if out of memory.
 */
int	ctx_chain_keep(struct ctx_chain *ch, const struct ctx_doc *doc,
	    uint32_t root) CTX_CHECKED;

/* The member key of a record, or CTX_NONE; key may be NULL. */
uint32_t ctx_chain_member(const struct ctx_doc *doc, uint32_t root,
	    const char *key);

/*
 * The record that is written in place of number n: itself, or the next part of its
 * message, or what it followed; not by, a record that follows n or CTX_NONE.
 * CTX_NONE: there is none.  What the source did not have stands for itself.
 */
uint32_t ctx_chain_written(const struct ctx_chain *ch, uint32_t n, uint32_t by);

#endif
