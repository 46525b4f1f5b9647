/* SPDX-License-Identifier: MIT */
/* What the files of the ledger share; see ledger.h. */
#ifndef CTX_EDIT_LEDGER_IMPL_H
#define CTX_EDIT_LEDGER_IMPL_H

#include <string.h>

#include "edit/ledger.h"

/* Reasons that several files give. */
#define CTX_WHY_EMPTY		"empty"
#define CTX_WHY_METADATA	"metadata"
#define CTX_WHY_UNKNOWN		"unknown"

/* Words by their length: those of one length are written one after another. */
struct ctx_ledger_words {
	const char *of[24];
};

/* Members that name or date a message, or say what it cost. */
extern const struct ctx_ledger_words ctx_ledger_metadata;

/* Does key, which has no escapes, spell one of the words? */
static inline int
ctx_ledger_is_word(const struct ctx_doc *doc, uint32_t key, const struct ctx_ledger_words *words)
{
	const struct ctx_node *n = &doc->node[key];
	size_t len = n->len - (size_t)2;
	const char *p = len < sizeof(words->of) / sizeof(words->of[0]) ?
	    words->of[len] : NULL;

	const char *word = doc->raw + n->off + 1;

	for (; p != NULL && *p != '\0'; p += len)
		if (*p == *word && memcmp(p, word, len) == 0)
			return 1;
	return 0;
}

/*
 * Add an entry about node of record rec of c; CTX_NONE: it is in no record.  to
 * may be empty.  Returns 0, or -1 if out of memory.
 */
int	ctx_ledger_add(struct ctx_ledger *l, const struct ctx_convo *c,
	    uint32_t rec, uint32_t node, const struct ctx_ledger_entry *what,
	    struct ctx_str to) CTX_CHECKED;
/* The same about an element of a list that has no node; what has its bytes. */
int	ctx_ledger_add_bare(struct ctx_ledger *l, const struct ctx_convo *c,
	    uint32_t rec, uint32_t list, uint64_t index,
	    const struct ctx_ledger_entry *what) CTX_CHECKED;
/*
 * The index of the element of a conversation's list that node is in; *e is the
 * element.  Fast if it is asked in order.
 */
uint64_t ctx_ledger_element(struct ctx_ledger *l, const struct ctx_convo *c,
	    uint32_t rec, uint32_t node, uint32_t *e);
/*
 * Append to l->text the path of node in record rec, in the source if c was
 * repaired.  Returns 0 if the source has no such value, because the repair made
 * it.
 */
int	ctx_ledger_add_path(struct ctx_ledger *l, const struct ctx_convo *c,
	    uint32_t rec, uint32_t node);
/*
 * Note where the elements of the lists that plan repairs come from, by means of
 * edit.  Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_ledger_places(struct ctx_ledger *l, const struct ctx_convo *c,
	    const struct ctx_plan *plan, struct ctx_edit *edit,
	    struct ctx_err *err) CTX_CHECKED;
/*
 * The path at the end of l->text, from there on, is into element unit of a
 * repaired list: make the indices in it those of the source.
 */
void	ctx_ledger_replace(struct ctx_ledger *l, uint64_t line, uint64_t unit,
	    size_t path);
/*
 * Add what is not accounted for in a conversation that was repaired: it was
 * carried.  Returns 0, or -1 if out of memory.
 */
int	ctx_ledger_rest(struct ctx_ledger *l) CTX_CHECKED;

/* The rule by which the plan dropped message m, or part of it if not NONE. */
const char *ctx_ledger_rule(const struct ctx_plan *plan, uint32_t m,
	    uint32_t part);
/* Is the record one of a program's log, whose envelope only it reads? */
int	ctx_ledger_is_log(const struct ctx_rec *r);
/* Why is nothing of a record without messages written? */
const char *ctx_ledger_rec_why(const struct ctx_rec *r);

/*
 * Can members of message m be left out of what w writes?  If all messages are
 * the target's own, they are written as they are, unless something must change.
 */
int	ctx_ledger_open(const struct ctx_writer *w, const struct ctx_plan *plan,
	    const struct ctx_convo *c, uint32_t m);
/* Can members of a whole conversation be left out? */
int	ctx_ledger_open_around(const struct ctx_writer *w,
	    const struct ctx_convo *c);

#endif
