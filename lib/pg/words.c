/* SPDX-License-Identifier: MIT */
/* SQLite's tokenizers; see words.h. */
#include "pg/words.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct ctx_word_cutter {
	sqlite3 *db;		/* in memory, without tables */
	fts5_tokenizer how;
	Fts5Tokenizer *cutter;
};

static int
open_words(struct ctx_word_cutter *w, const char *name)
{
	static const char *args[] = { "remove_diacritics", "2" };
	int nargs = strcmp(name, "unicode61") == 0 ? 2 : 0;
	sqlite3_stmt *stmt = NULL;
	fts5_api *api = NULL;
	void *user;
	int rc;

	if (sqlite3_open(":memory:", &w->db) != SQLITE_OK ||
	    sqlite3_prepare_v2(w->db, "SELECT fts5(?1)", -1, &stmt, NULL) !=
	    SQLITE_OK)
		return -1;
	rc = sqlite3_bind_pointer(stmt, 1, &api, "fts5_api_ptr", NULL);
	if (rc == SQLITE_OK)
		sqlite3_step(stmt);
	sqlite3_finalize(stmt);
	if (api == NULL ||
	    api->xFindTokenizer(api, name, &user, &w->how) != SQLITE_OK)
		return -1;
	return w->how.xCreate(user, args, nargs, &w->cutter) == SQLITE_OK ?
	    0 : -1;
}

struct ctx_word_cutter *
ctx_words_open(const char *name)
{
	struct ctx_word_cutter *w = calloc(1, sizeof(*w));

	if (w != NULL && open_words(w, name) == -1) {
		ctx_words_close(w);
		return NULL;
	}
	return w;
}

void
ctx_words_close(struct ctx_word_cutter *w)
{
	if (w == NULL)
		return;
	if (w->cutter != NULL)
		w->how.xDelete(w->cutter);
	sqlite3_close(w->db);
	free(w);
}

int
ctx_words_cut(struct ctx_word_cutter *w, void *arg, int flags, const char *text,
    int len, ctx_words_fn *fn)
{
	(void)flags;
	return w->how.xTokenize(w->cutter, arg, FTS5_TOKENIZE_DOCUMENT, text,
	    len, fn);
}
