/* SPDX-License-Identifier: MIT */
/* The notes that a search finds; for search.c. */
#ifndef CTX_STORE_SEARCH_NOTE_FIND_H
#define CTX_STORE_SEARCH_NOTE_FIND_H

#include "store/search/note.h"
#include "store/search/search.h"

struct ctx_found_note {
	int64_t id, ts;
};

/* What was found, the newest first. */
struct ctx_found {
	struct ctx_found_note *note;
	size_t n, cap;
};

/*
 * In a read transaction: all notes that how asks for; thread is its row, NULL
 * for any.  q is not looked at with how->substring.
 */
int	ctx_note_find(struct ctx_store *st, const struct ctx_search *how,
	    const struct ctx_query *q, const int64_t *thread,
	    struct ctx_found *out, struct ctx_err *err);

/* One of them with its snippet, handed to fn. */
int	ctx_note_give(struct ctx_store *st, const struct ctx_search *how,
	    int64_t id, ctx_hit_fn *fn, void *arg, struct ctx_err *err);

#endif
