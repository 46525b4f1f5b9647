/* SPDX-License-Identifier: MIT */
/* The log is read; see log.h. */
#include "store/log.h"

#include <string.h>

#include "base/crc32c.h"
#include "store/schema.h"
#include "store/segs.h"

uint32_t
ctx_log_sum_mix(uint32_t crc, int64_t seq)
{
	/* the factor is odd, so no two 32-bit positions mix alike */
	return crc ^ (uint32_t)seq * 2654435761u;
}

uint32_t
ctx_log_line_sum(const char *line, size_t len, int64_t seq)
{
	return ctx_log_sum_mix(ctx_crc32c(0, line, len), seq);
}

/* Is the log the one that was read before?  Returns 0, or -1 with CTX_ENO. */
static int
check_same(const struct ctx_where *w, struct ctx_log_same *was,
    const struct ctx_ref *ref, struct ctx_err *err)
{
	const struct ctx_log_same now = { ref->thread, ref->context,
	    ref->created, ref->next_seq - 1 };
	char name[80];

	if (was->created == 0)
		*was = now;
	was->end = now.end;
	if (was->thread != now.thread)
		return ctx_fail(err, CTX_ENO, "'%s' is another thread now",
		    ctx_err_quote(name, sizeof(name), w->thread,
		    strlen(w->thread)));
	if (was->context != now.context && w->context == NULL)
		return ctx_fail(err, CTX_ENO, "the head of thread '%s' is "
		    "another context now", ctx_err_quote(name, sizeof(name),
		    w->thread, strlen(w->thread)));
	return was->context == now.context && was->created == now.created ? 0 :
	    ctx_fail(err, CTX_ENO, "the context was removed, and made again");
}

int
ctx_log_read(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_range *r, ctx_message_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_segs segs = { 0 };
	struct ctx_ref ref;
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = ctx_segs_of(st, &segs, w, r, &ref, err);
	if (rc == 0 && r->same != NULL)
		rc = check_same(w, r->same, &ref, err);
	ctx_db_read_end(st);
	if (rc == 0)
		rc = ctx_segs_read(st, &segs, ref.thread, fn, arg, err);
	ctx_segs_done(&segs);
	return rc;
}

/* Add the runs of those messages of seg that are beside the others. */
static int
add_beside(struct ctx_store *st, struct ctx_segs *to, int64_t thread,
    const struct ctx_seg *seg, struct ctx_err *err)
{
	struct ctx_seg one = { .context = seg->context, .mark = seg->mark };
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT seq FROM message WHERE thread = ?1"
	    " AND context = ?2 AND seq BETWEEN ?3 AND ?4"
	    " AND " CTX_SCHEMA_BESIDE " ORDER BY seq", "iiii", thread,
	    seg->context, seg->from, seg->to);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		one.from = one.to = sqlite3_column_int64(q, 0);
		rc = ctx_segs_add(to, &one, err);
	}
	return rc;
}

int
ctx_log_beside(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_range *r, ctx_message_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_segs all = { 0 }, some = { 0 };
	struct ctx_ref ref;
	size_t i;
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = ctx_segs_of(st, &all, w, r, &ref, err);
	if (rc == 0 && r->same != NULL)
		rc = check_same(w, r->same, &ref, err);
	for (i = 0; i < all.n && rc == 0; i++)
		rc = add_beside(st, &some, ref.thread, &all.seg[i], err);
	ctx_db_read_end(st);
	if (rc == 0)
		rc = ctx_segs_read(st, &some, ref.thread, fn, arg, err);
	ctx_segs_done(&all);
	ctx_segs_done(&some);
	return rc;
}

int
ctx_log_tokens(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_tokens *sum, struct ctx_err *err)
{
	struct ctx_range all = CTX_RANGE_ALL;
	struct ctx_segs segs = { 0 };
	struct ctx_ref ref;
	sqlite3_stmt *q;
	size_t i;
	int rc;

	memset(sum, 0, sizeof(*sum));
	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = ctx_segs_of(st, &segs, w, &all, &ref, err);
	for (i = 0; i < segs.n && rc != -1; i++) {
		q = ctx_db_query(st, err, "SELECT count(*), count(tokens),"
		    " coalesce(sum(tokens), 0) FROM message WHERE thread = ?1"
		    " AND context = ?2 AND seq BETWEEN ?3 AND ?4", "iiii",
		    ref.thread, segs.seg[i].context, segs.seg[i].from,
		    segs.seg[i].to);
		if ((rc = ctx_db_row(st, q, err)) != 1) {
			rc = -1;
			break;
		}
		sum->messages += sqlite3_column_int64(q, 0);
		sum->counted += sqlite3_column_int64(q, 1);
		sum->tokens += sqlite3_column_int64(q, 2);
		sqlite3_reset(q);
	}
	ctx_db_read_end(st);
	ctx_segs_done(&segs);
	return rc == -1 ? -1 : 0;
}
