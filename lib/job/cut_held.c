/* SPDX-License-Identifier: MIT */
/* Records that wait in a cut; see cut_held.h. */
#include "job/cut_held.h"

#include <stdlib.h>

void
ctx_cut_release(struct ctx_cut *k, struct ctx_cut_held *h)
{
	if (h == NULL)
		return;
	if (h->block != NULL)
		ctx_block_drop(h->block);
	else
		ctx_spill_drop(&k->spill, &h->own);
	free(h);
}

const char *
ctx_cut_bytes(struct ctx_cut *k, const struct ctx_cut_held *h,
    struct ctx_err *err)
{
	if (h->block != NULL)
		return h->block->data + h->own.off;
	return ctx_spill_get(&k->spill, &h->own, err);
}

static int
put_held(struct ctx_cut *k, enum ctx_to to, const struct ctx_cut_held *h,
    struct ctx_err *err)
{
	const char *p = ctx_cut_bytes(k, h, err);

	return p == NULL ? -1 :
	    ctx_job_put(&k->job, to, p, h->own.len, h->block, err);
}

struct ctx_cut_held *
ctx_cut_hold_bytes(struct ctx_cut *k, const char *raw, size_t len,
    struct ctx_cut_place place, struct ctx_err *err)
{
	struct ctx_cut_held *h = calloc(1, sizeof(*h));

	if (h == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	h->place = place;
	if (ctx_spill_add(&k->spill, &h->own, raw, len, err) == -1) {
		free(h);
		return NULL;
	}
	return h;
}

struct ctx_cut_held *
ctx_cut_hold(struct ctx_cut *k, const struct ctx_rec *r, unsigned flags,
    struct ctx_err *err)
{
	const struct ctx_cut_place place = { r->seq * 4 + 2, 0 };
	struct ctx_cut_held *h;

	if (k->job.turns.by != NULL ||
	    flags & (CTX_WIN_SYSTEM | CTX_WIN_MUST | CTX_WIN_FREE))
		return ctx_cut_hold_bytes(k, r->raw, r->len, place, err);
	if ((h = calloc(1, sizeof(*h))) == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	h->block = r->block;
	h->own.off = (uint64_t)(r->raw - r->block->data);
	h->own.len = r->len;
	h->place = place;
	ctx_block_hold(h->block);
	return h;
}

int
ctx_cut_view_again(struct ctx_cut *k, const struct ctx_cut_held *h,
    const struct ctx_dialect *d, struct ctx_err *err)
{
	struct ctx_convo *c = &k->again;
	const char *raw = ctx_cut_bytes(k, h, err);
	uint32_t m;

	if (raw == NULL ||
	    ctx_dialect_line(c, d, raw, h->own.len, err) == -1 ||
	    ctx_pair(&k->groups.pairer, c, err) == -1 ||
	    ctx_plan_reset(&k->plan, c, err) == -1)
		return -1;
	for (m = 0; h->to > 0 && m < c->nmsg; m++)
		if (m < h->from || m >= h->to)
			ctx_plan_drop_msg(&k->plan, m);
	return 0;
}

int
ctx_cut_edit_again(struct ctx_cut *k, struct ctx_str *bytes,
    struct ctx_err *err)
{
	const struct ctx_rec *rec = &k->again.rec[0];
	const struct ctx_piece *p;

	if (ctx_plan_order(&k->plan, 0, err) == -1)
		return -1;
	ctx_plan_settle(&k->plan);
	if (ctx_edit_turn(&k->edit, &k->plan, &k->again, err) == -1)
		return -1;
	p = &k->edit.piece[0];
	*bytes = (struct ctx_str){ rec->raw, (uint32_t)rec->len };
	if (p->is_text)
		*bytes = (struct ctx_str){ k->edit.text.data + p->off,
		    (uint32_t)p->len };
	return 0;
}

static int
put_aside(const struct ctx_cut_leaving *l, const struct ctx_cut_held *h)
{
	struct ctx_str bytes;

	if (h->to == 0)
		return put_held(l->k, CTX_TO_SIDE, h, l->err);
	if (ctx_cut_view_again(l->k, h, l->dialect, l->err) == -1 ||
	    ctx_cut_edit_again(l->k, &bytes, l->err) == -1)
		return -1;
	return ctx_job_put(&l->k->job, CTX_TO_SIDE, bytes.p, bytes.len, NULL,
	    l->err);
}

int
ctx_cut_gone(void *held, void *leaving)
{
	const struct ctx_cut_leaving *l = leaving;
	int rc = 0;

	if (l->k->opts.put_aside)
		rc = put_aside(l, held);
	ctx_cut_release(l->k, held);
	return rc;
}

static int
compare_held(const void *a, const void *b)
{
	const struct ctx_cut_held *const *x = a, *const *y = b;
	const struct ctx_cut_place p = (*x)->place, q = (*y)->place;

	return p.rec < q.rec || (p.rec == q.rec && p.nth < q.nth) ? -1 : 1;
}

int
ctx_cut_lines_write(struct ctx_cut *k, struct ctx_err *err)
{
	size_t i;
	int rc = 0;

	/* interleaved conversations end one by one: restore input order */
	for (i = 1; i < k->nkept; i++)
		if (compare_held(&k->kept[i - 1], &k->kept[i]) > 0) {
			qsort(k->kept, k->nkept, sizeof(*k->kept),
			    compare_held);
			break;
		}
	for (i = 0; i < k->nkept && rc == 0; i++)
		rc = put_held(k, CTX_TO_OUT, k->kept[i], err);
	ctx_cut_lines_forget(k);
	return rc;
}

void
ctx_cut_lines_forget(struct ctx_cut *k)
{
	while (k->nkept > 0)
		ctx_cut_release(k, k->kept[--k->nkept]);
	ctx_spill_done(&k->spill);
}
