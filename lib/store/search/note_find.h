/* SPDX-License-Identifier: MIT */
/* Find the notes for a search; for search.c. */
#ifndef CTX_STORE_SEARCH_NOTE_FIND_H
#define CTX_STORE_SEARCH_NOTE_FIND_H

#include "store/search/note.h"
#include "store/search/among.h"
#include "store/search/search.h"

struct ctx_found_note {
	int64_t id, ts;
};

/* The results, the newest first. */
struct ctx_found {
	struct ctx_found_note *note;
	size_t n, cap;
};

/*
 * In a read transaction: find all notes that how asks for in those threads.  q
 * is not used if how->substring is set.
 */
int	ctx_note_find(struct ctx_store *st, const struct ctx_search *how,
	    struct ctx_query *q, const struct ctx_among *among,
	    struct ctx_found *out, struct ctx_err *err);

/* Pass one of them with its snippet to fn. */
int	ctx_note_give(struct ctx_store *st, const struct ctx_search *how,
	    int64_t id, ctx_hit_fn *fn, void *arg, struct ctx_err *err);

#endif
