/* SPDX-License-Identifier: MIT */
/* Plans; see plan.h. */
#include "decide/plan.h"

#include <stdlib.h>
#include <string.h>

void
ctx_plan_done(struct ctx_plan *p)
{
	free(p->drop_msg);
	free(p->drop_part);
	free(p->drop_rec);
	free(p->front_part);
	free(p->order);
	free(p->moved);
	free(p->swap);
	free(p->rewrite);
	free(p->insert);
	free(p->finding);
	free(p->change);
	free(p->keep);
	ctx_buf_done(&p->bytes);
	memset(p, 0, sizeof(*p));
}

static int
zeroed(unsigned char **a, size_t n, size_t *cap)
{
	if (CTX_ROOM(*a, n, cap) == -1)
		return -1;
	memset(*a, 0, n);
	return 0;
}

int
ctx_plan_reset(struct ctx_plan *p, const struct ctx_convo *c,
    struct ctx_err *err)
{
	if (zeroed(&p->drop_msg, c->nmsg, &p->capmsg) == -1 ||
	    zeroed(&p->drop_rec, c->nrec, &p->caprec) == -1 ||
	    zeroed(&p->drop_part, c->npart, &p->cappart) == -1 ||
	    zeroed(&p->front_part, c->npart, &p->capfront) == -1)
		return ctx_fail_nomem(err);
	p->norder = p->nmoved = p->nswap = p->nrewrite = p->ninsert = 0;
	p->ncut = 0;
	p->nfinding = p->nchange = p->nkeep = 0;
	p->changed = p->reordered = p->parts = 0;
	p->riders = CTX_RIDERS_STAY;
	ctx_buf_reset(&p->bytes);
	return 0;
}

void
ctx_plan_drop_msg(struct ctx_plan *p, uint32_t msg)
{
	p->drop_msg[msg] = 1;
	p->changed = 1;
}

void
ctx_plan_drop_rec(struct ctx_plan *p, uint32_t rec)
{
	p->drop_rec[rec] = 1;
	p->changed = 1;
}

void
ctx_plan_drop_part(struct ctx_plan *p, uint32_t part)
{
	p->drop_part[part] = 1;
	p->changed = p->parts = 1;
}

int
ctx_plan_drops(const struct ctx_plan *p, uint32_t m, uint32_t end)
{
	while (m < end && p->drop_msg[m])
		m++;
	return m == end;
}

int
ctx_plan_find(struct ctx_plan *p, enum ctx_fault fault, uint32_t msg,
    uint32_t part, int fixed, struct ctx_err *err)
{
	if (CTX_ROOM(p->finding, p->nfinding, &p->capfinding) == -1)
		return ctx_fail_nomem(err);
	p->finding[p->nfinding++] = (struct ctx_finding){ fault, msg, part,
	    fixed, CTX_NONE, CTX_NONE, NULL, 0 };
	return 0;
}

/* Keep a text.  An empty one points to a byte, too, rather than to none. */
static int
keep(struct ctx_plan *p, const char *text, size_t len, size_t *off,
    struct ctx_err *err)
{
	*off = p->bytes.len;
	return ctx_buf_reserve(&p->bytes, len + 1) == -1 ||
	    ctx_buf_add(&p->bytes, text, len) == -1 ? ctx_fail_nomem(err) : 0;
}

int
ctx_plan_swap(struct ctx_plan *p, uint32_t part, int of_id, const char *text,
    size_t len, struct ctx_err *err)
{
	size_t off;

	if (CTX_ROOM(p->swap, p->nswap, &p->capswap) == -1)
		return ctx_fail_nomem(err);
	if (keep(p, text, len, &off, err) == -1)
		return -1;
	p->swap[p->nswap++] = (struct ctx_swap){ part, of_id, off, len };
	p->changed = 1;
	return 0;
}

int
ctx_plan_rewrite(struct ctx_plan *p, uint32_t rec, uint32_t node, int whole,
    struct ctx_str json, struct ctx_err *err)
{
	size_t off;

	if (CTX_ROOM(p->rewrite, p->nrewrite, &p->caprewrite) == -1)
		return ctx_fail_nomem(err);
	if (keep(p, json.p, json.len, &off, err) == -1)
		return -1;
	p->rewrite[p->nrewrite++] = (struct ctx_rewrite){ rec, node, whole,
	    off, json.len, CTX_NONE };
	p->changed = 1;
	return 0;
}

int
ctx_plan_cut(struct ctx_plan *p, uint32_t rec, uint32_t object, uint32_t node,
    struct ctx_err *err)
{
	if (ctx_plan_rewrite(p, rec, node, 1, (struct ctx_str){ "", 0 },
	    err) == -1)
		return -1;
	p->rewrite[p->nrewrite - 1].object = object;
	p->ncut++;
	return 0;
}

int
ctx_plan_tell(struct ctx_plan *p, const struct ctx_change *change,
    struct ctx_str after, struct ctx_err *err)
{
	struct ctx_change *c;

	if (CTX_ROOM(p->change, p->nchange, &p->capchange) == -1)
		return ctx_fail_nomem(err);
	c = &p->change[p->nchange];
	*c = *change;
	c->gone = after.p == NULL;
	c->len = after.len;
	if (keep(p, after.p, after.len, &c->off, err) == -1)
		return -1;
	p->nchange++;
	return 0;
}

int
ctx_plan_tell_part(struct ctx_plan *p, const struct ctx_convo *c, uint32_t i,
    const char *rule, struct ctx_err *err)
{
	const struct ctx_part *part = &c->part[i];
	struct ctx_change gone = { .rule = rule, .msg = part->msg,
	    .rec = c->msg[part->msg].rec, .id = part->id,
	    .before = ctx_part_text(c, i), .part = i + 1 };
	const struct ctx_str nothing = { NULL, 0 };
	int k;

	for (k = 0; k < 2; k++) {
		gone.node = part->place[k].node;
		if (gone.node == CTX_NONE && k > 0)
			break;
		if (gone.node == CTX_NONE)
			gone.node = c->msg[part->msg].node;
		if (ctx_plan_tell(p, &gone, nothing, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_plan_keep(struct ctx_plan *p, const struct ctx_keep *what,
    const char *bytes, size_t len, struct ctx_err *err)
{
	struct ctx_keep *k;

	if (CTX_ROOM(p->keep, p->nkeep, &p->capkeep) == -1)
		return ctx_fail_nomem(err);
	k = &p->keep[p->nkeep];
	*k = *what;
	k->off = p->bytes.len;
	k->len = len;
	if (ctx_buf_add(&p->bytes, bytes, len) == -1)
		return ctx_fail_nomem(err);
	p->nkeep++;
	return 0;
}

static int
compare_rewrites(const void *a, const void *b)
{
	const struct ctx_rewrite *x = a, *y = b;

	if (x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return y->whole - x->whole;
}

static int
compare_swaps(const void *a, const void *b)
{
	const struct ctx_swap *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->of_id - y->of_id;
}

/*
 * File order; a message comes before its parts, and what is not of a message
 * after all of them.
 */
static int
compare_findings(const void *a, const void *b)
{
	const struct ctx_finding *x = a, *y = b;

	if (x->msg != y->msg)
		return x->msg < y->msg ? -1 : 1;
	if (x->msg == CTX_NONE && x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	if (x->part + 1 != y->part + 1)		/* CTX_NONE comes first */
		return x->part + 1 < y->part + 1 ? -1 : 1;
	return (int)x->fault - (int)y->fault;
}

void
ctx_plan_index(struct ctx_plan *p)
{
	if (p->nswap > 1)
		qsort(p->swap, p->nswap, sizeof(*p->swap), compare_swaps);
}

void
ctx_plan_settle(struct ctx_plan *p)
{
	ctx_plan_index(p);
	if (p->nrewrite > 1)
		qsort(p->rewrite, p->nrewrite, sizeof(*p->rewrite),
		    compare_rewrites);
	if (p->nfinding > 1)
		qsort(p->finding, p->nfinding, sizeof(*p->finding),
		    compare_findings);
}

const struct ctx_swap *
ctx_plan_swapped(const struct ctx_plan *p, uint32_t part, int of_id)
{
	struct ctx_swap key = { .part = part, .of_id = of_id };

	if (p->nswap == 0)
		return NULL;
	return bsearch(&key, p->swap, p->nswap, sizeof(key), compare_swaps);
}

int
ctx_plan_insert(struct ctx_plan *p, const struct ctx_insert *what,
    const char *text, size_t len, uint32_t *n, struct ctx_err *err)
{
	if (CTX_ROOM(p->insert, p->ninsert, &p->capinsert) == -1)
		return ctx_fail_nomem(err);
	p->insert[p->ninsert] = *what;
	p->insert[p->ninsert].off = p->bytes.len;
	p->insert[p->ninsert].len = len;
	if (ctx_buf_add(&p->bytes, text, len) == -1)
		return ctx_fail_nomem(err);
	*n = p->ninsert++;
	p->changed = p->reordered = 1;
	return 0;
}

int
ctx_plan_order(struct ctx_plan *p, uint32_t entry, struct ctx_err *err)
{
	if (CTX_ROOM(p->order, p->norder, &p->caporder) == -1)
		return ctx_fail_nomem(err);
	p->order[p->norder++] = entry;
	return 0;
}

int
ctx_plan_move(struct ctx_plan *p, uint32_t part, struct ctx_err *err)
{
	if (CTX_ROOM(p->moved, p->nmoved, &p->capmoved) == -1)
		return ctx_fail_nomem(err);
	p->moved[p->nmoved++] = part;
	p->drop_part[part] = CTX_PART_MOVES;
	p->changed = p->parts = 1;
	return 0;
}
