/* SPDX-License-Identifier: MIT */
/* What cannot be done with PostgreSQL yet. */
#include <stdlib.h>
#include <string.h>

#include "store/body.h"
#include "store/keep.h"
#include "store/port/foreign.h"
#include "store/port/port.h"
#include "store/port/recover.h"
#include "store/port/rescue.h"
#include "store/search/index.h"
#include "store/search/note.h"
#include "store/search/search.h"
#include "store/search/text.h"

static int
not_yet(struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "not with PostgreSQL yet");
}

int
ctx_foreign_import(struct ctx_store *st, enum ctx_foreign kind, const char
    *path, struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	(void)st;
	(void)kind;
	(void)path;
	(void)sum;
	return not_yet(err);
}

int
ctx_index_add(struct ctx_store *st, const struct ctx_index_line *m, struct
    ctx_err *err)
{
	(void)st;
	(void)m;
	(void)err;
	return 0;
}

int
ctx_index_change(struct ctx_store *st, int64_t row, const char *text,
    size_t len, int delete, struct ctx_err *err)
{
	(void)st;
	(void)row;
	(void)text;
	(void)len;
	(void)delete;
	(void)err;
	return 0;
}

int
ctx_index_forget(struct ctx_store *st, int64_t thread, struct ctx_err
    *err)
{
	(void)st;
	(void)thread;
	(void)err;
	return 0;
}

int
ctx_index_line_of(struct ctx_store *st, sqlite3_stmt *q, int col, struct
    ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_reset(out);
	return ctx_body_line(st, q, col, out, err);
}

int
ctx_index_merge(struct ctx_store *st, struct ctx_err *err)
{
	(void)st;
	(void)err;
	return 0;
}

void
ctx_index_of_threads(struct ctx_buf *out, const int64_t *thread, size_t n)
{
	(void)out;
	(void)thread;
	(void)n;
}

int
ctx_index_text(struct ctx_buf *out, const char *text, size_t len)
{
	(void)out;
	(void)text;
	(void)len;
	return 0;
}

int
ctx_index_words(const char *raw, size_t len, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	int rc = ctx_doc_scan(&doc, raw, len, err);

	if (rc == 0) {
		ctx_text_words(&doc, out);
		rc = ctx_buf_fail(out, err);
	}
	ctx_doc_done(&doc);
	return rc;
}

int
ctx_keep_backup(struct ctx_store *st, const char *path, struct ctx_err
    *err)
{
	(void)st;
	(void)path;
	return not_yet(err);
}

int
ctx_keep_check(struct ctx_store *st, int full, ctx_check_fn *fn, void
    *arg, struct ctx_checked *sum, struct ctx_err *err)
{
	(void)st;
	(void)full;
	(void)fn;
	(void)arg;
	(void)sum;
	return not_yet(err);
}

const char *
ctx_keep_library(void)
{
	return NULL;
}

int
ctx_keep_wal_defect(void)
{

	return 0;
}

int
ctx_langgraph_export(struct ctx_store *st, const char *path, const char
    *const *names, size_t n, struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	(void)st;
	(void)path;
	(void)names;
	(void)n;
	(void)sum;
	return not_yet(err);
}

int
ctx_note_ids_add(struct ctx_note_ids *ids, int64_t id, struct ctx_err *err)
{
	if (CTX_ROOM(ids->id, ids->n, &ids->cap) == -1)
		return ctx_fail_nomem(err);
	ids->id[ids->n++] = id;
	return 0;
}

void
ctx_note_ids_done(struct ctx_note_ids *ids)
{
	free(ids->id);
	memset(ids, 0, sizeof(*ids));
}

int
ctx_note_ids_has(const struct ctx_note_ids *ids, int64_t id)
{
	(void)ids;
	(void)id;
	return 0;
}

int
ctx_note_match(struct ctx_store *st, const struct ctx_query *q, struct
    ctx_note_ids *out, struct ctx_err *err)
{
	(void)st;
	(void)q;
	(void)out;
	return not_yet(err);
}

int
ctx_query_begin(struct ctx_query *q, struct ctx_store *st, struct ctx_err
    *err)
{
	(void)q;
	(void)st;
	return not_yet(err);
}

int
ctx_query_cut(struct ctx_query *q, const char *cut, size_t len, struct
    ctx_err *err)
{
	(void)q;
	(void)cut;
	(void)len;
	return not_yet(err);
}

void
ctx_query_done(struct ctx_query *q)
{
	(void)q;
}

int
ctx_query_make(struct ctx_query *q, struct ctx_store *st, const char
    *words, struct ctx_err *err)
{
	(void)q;
	(void)st;
	(void)words;
	return not_yet(err);
}

size_t
ctx_query_tally(struct ctx_query *q, uint32_t *count)
{
	(void)q;
	(void)count;
	return 0;
}

int
ctx_query_term(struct ctx_query *q, const char *word, size_t len, int
    prefix, struct ctx_err *err)
{
	(void)q;
	(void)word;
	(void)len;
	(void)prefix;
	return not_yet(err);
}

int
ctx_recover(struct ctx_store *from, struct ctx_store *to, ctx_lost_fn *fn,
    void *arg, struct ctx_recovered *sum, struct ctx_err *err)
{
	(void)from;
	(void)to;
	(void)fn;
	(void)arg;
	(void)sum;
	return not_yet(err);
}

int
ctx_rescue_is_cut(const char *path)
{
	(void)path;
	return 0;
}

int
ctx_rescue_open(struct ctx_store **out, const char *path, const char
    *near, struct ctx_err *err)
{
	(void)out;
	(void)path;
	(void)near;
	return not_yet(err);
}

int
ctx_search_find(struct ctx_store *st, const struct ctx_search *how,
    ctx_hit_fn *fn, void *arg, int64_t *missing, struct ctx_err *err)
{
	(void)st;
	(void)how;
	(void)fn;
	(void)arg;
	(void)missing;
	return not_yet(err);
}

int
ctx_search_reindex(struct ctx_store *st, int all, int64_t *messages,
    int64_t *notes, struct ctx_err *err)
{
	(void)st;
	(void)all;
	(void)messages;
	(void)notes;
	return not_yet(err);
}

int
ctx_search_trigrams(struct ctx_store *st, int on, int64_t *n, struct
    ctx_err *err)
{
	(void)st;
	(void)on;
	(void)n;
	return not_yet(err);
}

int
ctx_store_open_temp(struct ctx_store **out, const char *near, struct
    ctx_err *err)
{
	(void)out;
	(void)near;
	return not_yet(err);
}
