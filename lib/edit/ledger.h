/* SPDX-License-Identifier: MIT */
/*
 * What a conversion made of every value of its source.
 */
#ifndef CTX_EDIT_LEDGER_H
#define CTX_EDIT_LEDGER_H

#include "edit/edit.h"
#include "edit/target.h"

/* One value, an object or list with all that is in it, or a whole message. */
struct ctx_ledger_entry {
	enum ctx_fare fare;
	uint64_t line;		/* of its record */
	const char *why;	/* a constant; NULL if carried */
	size_t path, npath;	/* in text: a JSON Pointer into the record
				   (RFC 6901) */
	size_t to, nto;		/* in text, escaped: what is written instead or
				   was made; if left out, its type */
	size_t nfrom;		/* in text, before that: what it stands for */
	struct ctx_str from;	/* that, of what was made; .p may be NULL */
	uint64_t bytes;		/* of its JSON in the source */
	uint64_t values;	/* strings, numbers and literals in it */
};

struct ctx_ledger {		/* all zero is valid */
	int rows;		/* set by the caller: fill entry */
	struct ctx_ledger_entry *entry;	/* of one conversation */
	size_t n, cap;
	struct ctx_buf text;

	/* working storage */
	uint32_t *owner;	/* by node: what begins there */
	size_t capowner;
	/*
	 * For a conversation that was repaired first: the lines of its source
	 * and how many values of each are not accounted for, and what became
	 * of its lists: by index in the repaired list, the index in the source
	 * (CTX_NONE: it is new).  Those of the conversation's list are the
	 * first nwas places; the other lists are in the order of their lines
	 * and elements, outer ones before those in them.
	 */
	int repaired;
	struct ctx_ledger_rec {
		uint64_t line, values, bytes;
	} *rec;
	struct ctx_ledger_list {
		uint64_t line;
		uint64_t unit;		/* index in the conversation's list */
		size_t path, npath;	/* in text, of the source */
		size_t at, n;		/* its places */
	} *list;
	uint32_t *place;
	size_t nrec, nlist, nplace, nwas, caprec, caplist, capplace;
	struct ctx_buf rest;
	/* the last place in a conversation's list */
	struct {
		const char *raw;
		uint32_t e;
		uint64_t index;
	} last;
};

/* Begin a conversation: no entries. */
void	ctx_ledger_reset(struct ctx_ledger *l);
void	ctx_ledger_done(struct ctx_ledger *l);

/*
 * The JSON Pointer of node in record rec of c, as the contents of a JSON string,
 * valid until the next call; .p is NULL if out of memory.  Paths in order are
 * found fast.
 */
struct ctx_str ctx_ledger_path(struct ctx_ledger *l, const struct ctx_convo *c,
	    uint32_t rec, uint32_t node);

/*
 * Must what is written of c be traced?  It must for entries, and where something
 * could be left out that is not counted otherwise.  w is set up for its target.
 */
int	ctx_ledger_needed(const struct ctx_ledger *l,
	    const struct ctx_writer *w, const struct ctx_plan *plan,
	    const struct ctx_convo *c);

/*
 * Go through the source of w's script, which is written: count the members
 * that were left out in the script's losses, and add to the entries what became
 * of everything.  plan is what the script was read with.  Returns 0, or -1 with
 * CTX_ENOMEM.
 */
int	ctx_ledger_close(struct ctx_ledger *l, const struct ctx_writer *w,
	    const struct ctx_plan *plan, struct ctx_err *err) CTX_CHECKED;

/*
 * Make entries of records of which nothing is written; why may be NULL.
 * Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_ledger_none(struct ctx_ledger *l, const struct ctx_convo *c,
	    const char *why, struct ctx_err *err) CTX_CHECKED;

/*
 * c is repaired as planned, and what comes of it is written: add what plan
 * takes out, renames and inserts.  edit is overwritten.  Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_ledger_plan(struct ctx_ledger *l, const struct ctx_convo *c,
	    const struct ctx_plan *plan, struct ctx_edit *edit,
	    struct ctx_err *err) CTX_CHECKED;

#endif
