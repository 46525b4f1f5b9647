/* SPDX-License-Identifier: MIT */
/*
 * SQLite's tokenizers, so that texts have the same words in both databases.
 * This knows nothing of the store, whose sources use SQLite's names for
 * PostgreSQL's here (store/db_pg.h).
 */
#ifndef CTX_PG_WORDS_H
#define CTX_PG_WORDS_H

struct ctx_word_cutter;

/* Called for each word; what is not 0 ends the cutting. */
typedef int ctx_words_fn(void *arg, int flags, const char *word, int len,
	    int from, int to);

/* "unicode61" or "trigram".  NULL if SQLite does not have it, or no memory. */
struct ctx_word_cutter *ctx_words_open(const char *name);
void	ctx_words_close(struct ctx_word_cutter *w);

/* Returns 0 or what fn returned; flags means nothing. */
int	ctx_words_cut(struct ctx_word_cutter *w, void *arg, int flags,
	    const char *text, int len, ctx_words_fn *fn);

#endif
