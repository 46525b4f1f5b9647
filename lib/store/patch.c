/* SPDX-License-Identifier: MIT */
/*
 * JSON merge patches (RFC 7396) on bytes: what a patch does not touch is
 * unchanged.  The scanner's limit bounds the depth.
 */
#include "store/state.h"

#include <stdlib.h>
#include <string.h>

#include "read/node.h"

/*
 * The members of an object sorted by name, with only the last of equal names,
 * so that two large objects are compared in n log n steps.
 */
struct members {
	struct member {
		const char *name;	/* decoded */
		size_t len;
		uint32_t key;		/* its node */
	} *member;
	size_t n;
	struct ctx_buf names;
};

static int
by_name(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	size_t n = x->len < y->len ? x->len : y->len;
	int c = n > 0 ? memcmp(x->name, y->name, n) : 0;

	return c != 0 ? c : (x->len > y->len) - (x->len < y->len);
}

static int
by_name_and_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int c = by_name(a, b);

	return c != 0 ? c : (x->key > y->key) - (x->key < y->key);
}

static void
members_done(struct members *m)
{
	free(m->member);
	ctx_buf_done(&m->names);
}

/* m may be incomplete on failure; call members_done in any case. */
static int
members_of(struct members *m, const struct ctx_doc *doc, uint32_t obj)
{
	const struct ctx_node *node = doc->node;
	size_t i, n = 0, *off;
	uint32_t k;

	memset(m, 0, sizeof(*m));
	if (ctx_node_if(doc, obj, '{') == CTX_NONE)
		return 0;
	for (k = obj + 1; k < node[obj].next; k = node[k + 1].next)
		n++;
	m->member = calloc(n + 1, sizeof(*m->member));
	off = calloc(n + 1, sizeof(*off));
	for (i = 0, k = obj + 1; m->member != NULL && off != NULL &&
	    i < n; k = node[k + 1].next, i++) {
		off[i] = m->names.len;
		ctx_node_decode(&m->names, doc, k);
		m->member[i].key = k;
		m->member[i].len = m->names.len - off[i];
	}
	if (m->member == NULL || off == NULL || m->names.failed) {
		free(off);
		return -1;
	}
	for (i = 0; i < n; i++)
		m->member[i].name = m->names.data + off[i];
	free(off);
	qsort(m->member, n, sizeof(*m->member), by_name_and_key);
	for (i = 0; i < n; i++) {
		if (m->n > 0 && by_name(&m->member[m->n - 1],
		    &m->member[i]) == 0)
			m->n--;
		m->member[m->n++] = m->member[i];
	}
	return 0;
}

/* Restore the document's order. */
static int
by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* The node of the value of the member with that name, or CTX_NONE. */
static uint32_t
find(const struct members *m, const struct member *like)
{
	const struct member *found = m->n == 0 ? NULL :
	    bsearch(like, m->member, m->n, sizeof(*like), by_name);

	return found == NULL ? CTX_NONE : found->key + 1;
}

/* For each member, in the document's order, the value of its counterpart. */
struct pair {
	uint32_t key, other;
};

static struct pair *
pairs_of(struct members *m, const struct members *other)
{
	struct pair *pair = calloc(m->n + 1, sizeof(*pair));
	struct member *copy = calloc(m->n + 1, sizeof(*copy));
	size_t i;

	if (pair != NULL && copy != NULL) {
		if (m->n > 0)
			memcpy(copy, m->member, m->n * sizeof(*copy));
		qsort(copy, m->n, sizeof(*copy), by_key);
		for (i = 0; i < m->n; i++) {
			pair[i].key = copy[i].key;
			pair[i].other = find(other, &copy[i]);
		}
	} else {
		free(pair);
		pair = NULL;
	}
	free(copy);
	return pair;
}

/* Two objects side by side. */
struct both {
	struct members am, bm;
	struct pair *a, *b;
};

static int
both_of(struct both *x, const struct ctx_doc *a, uint32_t ai,
    const struct ctx_doc *b, uint32_t bi)
{
	memset(x, 0, sizeof(*x));
	if (members_of(&x->am, a, ai) == -1 ||
	    members_of(&x->bm, b, bi) == -1 ||
	    (x->a = pairs_of(&x->am, &x->bm)) == NULL ||
	    (x->b = pairs_of(&x->bm, &x->am)) == NULL)
		return -1;
	return 0;
}

static void
both_done(struct both *x)
{
	members_done(&x->am);
	members_done(&x->bm);
	free(x->a);
	free(x->b);
}

static void
begin_member(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t key,
    size_t start)
{
	if (out->len > start)
		ctx_buf_addc(out, ',');
	ctx_node_put(out, doc, key);
	ctx_buf_addc(out, ':');
}

static void
patch_value(struct ctx_buf *out, const struct ctx_doc *t, uint32_t ti,
    const struct ctx_doc *p, uint32_t pi)
{
	struct both x;
	uint32_t other;
	size_t i, start;

	if (ctx_node_type(p, pi) != '{') {
		ctx_node_put(out, p, pi);
		return;
	}
	if (both_of(&x, t, ti, p, pi) == -1)
		out->failed = 1;
	ctx_buf_addc(out, '{');
	start = out->len;
	for (i = 0; !out->failed && i < x.am.n; i++) {
		other = x.a[i].other;
		if (other != CTX_NONE && ctx_node_type(p, other) == 'n')
			continue;
		begin_member(out, t, x.a[i].key, start);
		if (other == CTX_NONE)
			ctx_node_put(out, t, x.a[i].key + 1);
		else
			patch_value(out, t, x.a[i].key + 1, p, other);
	}
	for (i = 0; !out->failed && i < x.bm.n; i++) {
		other = x.b[i].key + 1;
		if (x.b[i].other != CTX_NONE || ctx_node_type(p, other) == 'n')
			continue;
		begin_member(out, p, x.b[i].key, start);
		patch_value(out, t, CTX_NONE, p, other);
	}
	ctx_buf_addc(out, '}');
	both_done(&x);
}

static int
same_node(const struct ctx_doc *a, uint32_t i, const struct ctx_doc *b,
    uint32_t j)
{
	return a->node[i].len == b->node[j].len &&
	    memcmp(a->raw + a->node[i].off, b->raw + b->node[j].off,
	    a->node[i].len) == 0;
}

static void
diff_value(struct ctx_buf *out, const struct ctx_doc *a, uint32_t ai,
    const struct ctx_doc *b, uint32_t bi)
{
	struct both x;
	uint32_t value;
	size_t i, start;

	if (ctx_node_type(a, ai) != '{' || ctx_node_type(b, bi) != '{') {
		ctx_node_put(out, b, bi);
		return;
	}
	if (both_of(&x, a, ai, b, bi) == -1)
		out->failed = 1;
	ctx_buf_addc(out, '{');
	start = out->len;
	for (i = 0; !out->failed && i < x.am.n; i++)
		if (x.a[i].other == CTX_NONE) {
			begin_member(out, a, x.a[i].key, start);
			ctx_buf_adds(out, "null");
		}
	for (i = 0; !out->failed && i < x.bm.n; i++) {
		value = x.b[i].key + 1;
		if (x.b[i].other != CTX_NONE &&
		    same_node(a, x.b[i].other, b, value))
			continue;
		begin_member(out, b, x.b[i].key, start);
		if (x.b[i].other == CTX_NONE)
			ctx_node_put(out, b, value);
		else
			diff_value(out, a, x.b[i].other, b, value);
	}
	ctx_buf_addc(out, '}');
	both_done(&x);
}

int
ctx_state_patch(struct ctx_buf *out, const char *target, size_t targetlen,
    const char *patch, size_t patchlen, struct ctx_err *err)
{
	struct ctx_doc t = { 0 }, p = { 0 };
	int rc = 0;

	if (target != NULL)
		rc = ctx_doc_scan(&t, target, targetlen, err);
	if (rc == 0 &&
	    (rc = ctx_doc_scan(&p, patch, patchlen, err)) == 0) {
		patch_value(out, &t, target != NULL ? 0 : CTX_NONE, &p, 0);
		rc = ctx_buf_fail(out, err);
	}
	ctx_doc_done(&t);
	ctx_doc_done(&p);
	return rc;
}

int
ctx_state_diff(struct ctx_buf *out, const char *atext, size_t alen,
    const char *btext, size_t blen, struct ctx_err *err)
{
	struct ctx_doc a = { 0 }, b = { 0 };
	int rc;

	if ((rc = ctx_doc_scan(&a, atext, alen, err)) == 0 &&
	    (rc = ctx_doc_scan(&b, btext, blen, err)) == 0) {
		if (same_node(&a, 0, &b, 0))
			ctx_buf_adds(out, "{}");
		else
			diff_value(out, &a, 0, &b, 0);
		rc = ctx_buf_fail(out, err);
	}
	ctx_doc_done(&a);
	ctx_doc_done(&b);
	return rc;
}
