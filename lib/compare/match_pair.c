/* SPDX-License-Identifier: MIT */
/* Which parts of two histories are paired; see match.h. */
#include "compare/match_impl.h"

#include <stdlib.h>
#include <string.h>

#include "compare/align.h"
#include "text/marker.h"

#define ALIKE	24	/* bytes by which two texts begin or end alike */
#define PIECES	64	/* of a text that was divided, */
#define TRIES	4	/* and where it may begin */
#define NEAR	32	/* parts that are looked at for a short text */
#define LONG	16	/* bytes of a text that is looked for elsewhere */

struct pairing {
	struct ctx_matching *m;
	struct ctx_match_part *a, *b;	/* of the old and the new history */
	uint32_t na, nb;
	uint32_t *mate;			/* na: pairs that are in order */
	uint32_t *like;			/* na: pairs that may be made */
	uint32_t *va, *vb;		/* what is aligned */
	struct ctx_strmap keys;
};

/* Parts between two pairs. */
struct gap {
	uint32_t a, aend, b, bend;
};

static int
is_free(const struct ctx_match_part *p)
{
	return p->mate == CTX_NONE;
}

static int
is_text(const struct ctx_match_part *p)
{
	return p->kind == CTX_TEXT || p->kind == CTX_THINKING;
}

/* Are they parts of one kind, and texts of one role? */
static int
is_kin(const struct ctx_match_part *a, const struct ctx_match_part *b)
{
	return a->kind == b->kind && a->key == b->key &&
	    (a->kind != CTX_TEXT || a->role == b->role);
}

/* Do two calls or results not belong to different tools or calls? */
static int
may_be(const struct ctx_match_part *a, const struct ctx_match_part *b)
{
	return is_kin(a, b) &&
	    (a->id == b->id || a->id == CTX_NONE || b->id == CTX_NONE) &&
	    (a->name == b->name || a->name == CTX_NONE || b->name == CTX_NONE);
}

static enum ctx_match_how
how_alike(const struct ctx_match_part *a, const struct ctx_match_part *b)
{
	if (a->what == b->what)
		return CTX_MATCH_SAME;
	return b->len > a->len || a->failed != b->failed ? CTX_MATCH_INSTEAD :
	    CTX_MATCH_LIKE;
}

/* --- the same, in order ------------------------------------------------ */

/*
 * The number of what a call or result is, with its id; if add is not set,
 * CTX_STRMAP_FULL for one that the map does not have.
 */
static size_t
number_with_id(struct pairing *x, const struct ctx_match_part *p, int add)
{
	const uint32_t key[2] = { p->what, p->id };

	return add ? ctx_strmap_add(&x->keys, (const char *)key, sizeof(key)) :
	    ctx_strmap_find(&x->keys, (const char *)key, sizeof(key));
}

static int
as_often(const uint32_t uses[2])
{
	return uses[0] == uses[1];
}

/*
 * Number what the parts are.  A call or result that both histories have with its
 * id equally often is like no other that is the same.  If they do not, an id that
 * was used again has been made anew, or some uses are missing.
 */
static int
number_parts(struct pairing *x, struct ctx_err *err)
{
	const uint32_t from = (uint32_t)x->m->whats.n;
	uint32_t (*uses)[2] = calloc((size_t)x->na + 1, sizeof(*uses));
	size_t k;
	uint32_t i;

	if (uses == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < x->na; i++) {
		x->va[i] = x->a[i].what;
		if (x->a[i].id == CTX_NONE)
			continue;
		if ((k = number_with_id(x, &x->a[i], 1)) == CTX_STRMAP_FULL) {
			free(uses);
			return ctx_fail_nomem(err);
		}
		uses[k][0]++;
		x->va[i] = from + (uint32_t)k;
	}
	for (i = 0; i < x->nb; i++) {
		x->vb[i] = x->b[i].what;
		if (x->b[i].id == CTX_NONE || (k = number_with_id(x, &x->b[i],
		    0)) == CTX_STRMAP_FULL)
			continue;
		uses[k][1]++;
		x->vb[i] = from + (uint32_t)k;
	}
	for (i = 0; i < x->na; i++)
		if (x->va[i] >= from && !as_often(uses[x->va[i] - from]))
			x->va[i] = x->a[i].what;
	for (i = 0; i < x->nb; i++)
		if (x->vb[i] >= from && !as_often(uses[x->vb[i] - from]))
			x->vb[i] = x->b[i].what;
	free(uses);
	return 0;
}

static int
pair_same(struct pairing *x, struct ctx_err *err)
{
	uint32_t kinds, i;
	int rc = number_parts(x, err);

	kinds = (uint32_t)(x->m->whats.n + x->keys.n);
	ctx_strmap_done(&x->keys);
	if (rc == -1 || ctx_align((struct ctx_align_seq){ x->va, x->na },
	    (struct ctx_align_seq){ x->vb, x->nb }, kinds, x->mate,
	    err) == -1)
		return -1;
	for (i = 0; i < x->na; i++)
		if (x->mate[i] != CTX_NONE)
			ctx_match_pair(x->m, i, x->mate[i], CTX_MATCH_SAME);
	return 0;
}

/* --- between them ------------------------------------------------------ */

/* Call fn for each gap between pairs that are in order. */
static void
each_gap(struct pairing *x, void (*fn)(struct pairing *x, struct gap *g))
{
	struct gap g = { 0, 0, 0, 0 };
	uint32_t i;

	for (i = 0; i <= x->na; i++) {
		if (i < x->na && x->mate[i] == CTX_NONE)
			continue;
		g.aend = i;
		g.bend = i < x->na ? x->mate[i] : x->nb;
		if (g.a < g.aend && g.b < g.bend)
			fn(x, &g);
		g.a = i + 1;
		g.b = g.bend + 1;
	}
}

static int
goes_on(const struct ctx_match_part *p, const struct ctx_match_part *first)
{
	return is_free(p) && is_text(p) && is_kin(p, first);
}

/*
 * Are the texts from i and from j on the same, divided differently?  Pairs them
 * and sets *i and *j to what follows.
 */
static int
regroup(struct pairing *x, const struct gap *g, uint32_t *i, uint32_t *j)
{
	struct ctx_match_sum old = { 0 }, new = { 0 };
	uint32_t a = *i, b = *j, n, k;

	for (n = 0; n < PIECES; n++) {
		if (old.marks <= new.marks) {
			if (a == g->aend || !goes_on(&x->a[a], &x->a[*i]))
				return 0;
			ctx_match_sum_part(&old, &x->a[a++]);
		} else {
			if (b == g->bend || !goes_on(&x->b[b], &x->a[*i]))
				return 0;
			ctx_match_sum_part(&new, &x->b[b++]);
		}
		if (a > *i && b > *j && ctx_match_sum_same(&old, &new))
			break;
	}
	if (n == PIECES || (a == *i + 1 && b == *j + 1))
		return 0;
	for (k = *i; k < a; k++)
		ctx_match_pair(x->m, k, *j, CTX_MATCH_SAME);
	for (k = *j; k < b; k++)
		ctx_match_pair(x->m, *i, k, CTX_MATCH_SAME);
	*i = a;
	*j = b;
	return 1;
}

static void
pair_divided(struct pairing *x, struct gap *g)
{
	uint32_t i = g->a, j, from = g->b, n;
	int done;

	while (i < g->aend) {
		done = 0;
		if (is_free(&x->a[i]) && is_text(&x->a[i]))
			for (n = 0; n < TRIES && from + n < g->bend && !done;
			    n++) {
				j = from + n;
				done = goes_on(&x->b[j], &x->a[i]) &&
				    regroup(x, g, &i, &j);
			}
		if (done)
			from = j;
		else
			i++;
	}
}

/* --- by ids ------------------------------------------------------------ */

/* Link results with their calls: by ids, or without them in order. */
static int
link_results(struct pairing *x, struct ctx_match_side *s, struct ctx_err *err)
{
	uint32_t *last = malloc((x->m->ids.n + 1) * sizeof(*last));
	uint32_t i, call, open = 0;

	if (last == NULL)
		return ctx_fail_nomem(err);
	memset(last, 0xff, (x->m->ids.n + 1) * sizeof(*last));
	for (i = 0; i < s->npart; i++) {
		struct ctx_match_part *p = &s->part[i];

		if (p->kind == CTX_CALL && p->id != CTX_NONE)
			last[p->id] = i;
		if (p->kind != CTX_RESULT)
			continue;
		call = CTX_NONE;
		if (p->id != CTX_NONE)
			call = last[p->id];
		else {
			while (open < i && (s->part[open].kind != CTX_CALL ||
			    s->part[open].id != CTX_NONE))
				open++;
			if (open < i)
				call = open++;
		}
		if (call != CTX_NONE && s->part[call].link == CTX_NONE) {
			s->part[call].link = i;
			p->link = call;
		}
	}
	free(last);
	return 0;
}

/* Is a the call or result b, by its id? */
static int
is_by_id(const struct ctx_match_part *a, const struct ctx_match_part *b,
    int same)
{
	return is_kin(a, b) && (same ? a->what == b->what :
	    a->kind == CTX_RESULT || a->name == b->name);
}

/* Pair part j with one of the chain of those that have its id. */
static void
by_id(struct pairing *x, uint32_t j, uint32_t *first, int same)
{
	const uint32_t *next = x->va;
	uint32_t i, n;

	while ((i = *first) != CTX_NONE && !is_free(&x->a[i]))
		*first = next[i];
	for (n = 0; i != CTX_NONE && n < NEAR; i = next[i], n++)
		if (is_free(&x->a[i]) && is_by_id(&x->a[i], &x->b[j], same)) {
			ctx_match_pair(x->m, i, j,
			    how_alike(&x->a[i], &x->b[j]));
			break;
		}
}

/*
 * Pair calls and results that have one id, the same ones first.  Of an id that
 * is used again, only the first NEAR uses are looked at.
 */
static int
pair_ids(struct pairing *x, struct ctx_err *err)
{
	uint32_t *first = malloc((x->m->ids.n + 1) * sizeof(*first));
	uint32_t *next = x->va, i, j;
	int same;

	if (first == NULL)
		return ctx_fail_nomem(err);
	memset(first, 0xff, (x->m->ids.n + 1) * sizeof(*first));
	for (i = x->na; i-- > 0;)
		if (is_free(&x->a[i]) && x->a[i].id != CTX_NONE) {
			next[i] = first[x->a[i].id];
			first[x->a[i].id] = i;
		}
	for (same = 1; same >= 0; same--)
		for (j = 0; j < x->nb; j++)
			if (is_free(&x->b[j]) && x->b[j].id != CTX_NONE)
				by_id(x, j, &first[x->b[j].id], same);
	free(first);
	return 0;
}

/* Pair the results of calls that are paired. */
static void
pair_results(struct pairing *x)
{
	uint32_t i, k, l;

	for (i = 0; i < x->na; i++) {
		if (x->a[i].kind != CTX_CALL || is_free(&x->a[i]))
			continue;
		k = x->a[i].link;
		l = x->b[x->a[i].mate].link;
		if (k != CTX_NONE && l != CTX_NONE && is_free(&x->a[k]) &&
		    is_free(&x->b[l]))
			ctx_match_pair(x->m, k, l,
			    how_alike(&x->a[k], &x->b[l]));
	}
}

/* --- elsewhere --------------------------------------------------------- */

/* Is the part long enough to be known again? */
static int
is_telling(const struct ctx_match_part *p)
{
	return is_text(p) ? p->marks >= LONG : p->len > 0 ||
	    p->kind == CTX_IMAGE || p->kind == CTX_FILE;
}

static int
pair_moved(struct pairing *x, struct ctx_err *err)
{
	uint32_t *first = malloc((x->m->whats.n + 1) * sizeof(*first));
	uint32_t *next = x->va, i, j, n;

	if (first == NULL)
		return ctx_fail_nomem(err);
	memset(first, 0xff, (x->m->whats.n + 1) * sizeof(*first));
	for (i = x->na; i-- > 0;)
		if (is_free(&x->a[i]) && is_telling(&x->a[i])) {
			next[i] = first[x->a[i].what];
			first[x->a[i].what] = i;
		}
	for (j = 0; j < x->nb; j++) {
		if (!is_free(&x->b[j]))
			continue;
		while ((i = first[x->b[j].what]) != CTX_NONE &&
		    !is_free(&x->a[i]))
			first[x->b[j].what] = next[i];
		for (n = 0; i != CTX_NONE && n < NEAR; i = next[i], n++)
			if (is_free(&x->a[i]) && may_be(&x->a[i], &x->b[j])) {
				ctx_match_pair(x->m, i, j, CTX_MATCH_SAME);
				break;
			}
	}
	free(first);
	return 0;
}

/* The message that one of the first parts of an old message is in now. */
static const struct ctx_match_msg *
message_now(const struct pairing *x, const struct ctx_match_msg *m)
{
	uint32_t i, n = m->npart < NEAR ? m->npart : NEAR;

	for (i = m->part; i < m->part + n; i++)
		if (!is_free(&x->a[i]))
			return &x->m->side[1].msg[x->b[x->a[i].mate].msg];
	return NULL;
}

/* Pair what is too short to be known again, where its message was. */
static void
pair_beside(struct pairing *x)
{
	const struct ctx_match_msg *now;
	uint32_t i, j, n;

	for (i = 0; i < x->na; i++) {
		if (!is_free(&x->a[i]) || (now = message_now(x,
		    &x->m->side[0].msg[x->a[i].msg])) == NULL)
			continue;
		for (j = now->part, n = 0; n < now->npart && n < NEAR; j++, n++)
			if (is_free(&x->b[j]) &&
			    x->a[i].what == x->b[j].what &&
			    may_be(&x->a[i], &x->b[j])) {
				ctx_match_pair(x->m, i, j, CTX_MATCH_SAME);
				break;
			}
	}
}

/* --- alike ------------------------------------------------------------- */

/*
 * Set the number of how the part begins or ends.  Returns 1, 0 for one that is
 * paired or too short, or -1 if out of memory.
 */
static int
key_of(struct pairing *x, int new, uint32_t i, int end, uint32_t *key)
{
	const struct ctx_match_side *s = &x->m->side[new];
	const struct ctx_match_part *p = &s->part[i];
	char word[ALIKE + 8];
	struct ctx_str text;
	size_t n;

	if (!is_free(p) || p->len < ALIKE || !is_telling(p) ||
	    p->kind == CTX_CALL)
		return 0;
	text = end ? ctx_match_tail(s, p) : ctx_match_head(s, p);
	if (text.len < ALIKE)
		return 0;
	word[0] = (char)('a' + p->kind);
	word[1] = (char)('a' + (p->kind == CTX_TEXT ? p->role : 0));
	memcpy(word + 2, end ? text.p + text.len - ALIKE : text.p, ALIKE);
	n = ctx_strmap_add(&x->keys, word, ALIKE + 2);
	if (n == CTX_STRMAP_FULL)
		return -1;
	*key = (uint32_t)n;
	return 1;
}

/*
 * Number the parts of a side for an alignment: what is alike has one number,
 * and so has a pair that is in order; nothing else.
 */
static int
number_side(struct pairing *x, int new, int end, uint32_t from)
{
	uint32_t n = new ? x->nb : x->na, i, *v = new ? x->vb : x->va;
	int rc;

	for (i = 0; i < n; i++) {
		const struct ctx_match_part *p = &x->m->side[new].part[i];

		if ((rc = key_of(x, new, i, end, &v[i])) == -1)
			return -1;
		if (rc == 1)
			continue;
		v[i] = from + i + (new ? x->na : 0);
		if (new && !is_free(p) && x->a[p->mate].mate == i)
			v[i] = from + p->mate;
	}
	return 0;
}

/* Pair what was aligned, if it crosses nothing that was paired before. */
static void
take_alike(struct pairing *x)
{
	uint32_t i, j, low = 0, high = x->nb, *end = x->va;

	for (i = x->na; i-- > 0;) {
		end[i] = high;
		if (x->mate[i] != CTX_NONE)
			high = x->mate[i];
	}
	for (i = 0; i < x->na; i++) {
		j = x->like[i];
		if (x->mate[i] != CTX_NONE)
			low = x->mate[i] + 1;
		else if (j != CTX_NONE && j >= low && j < end[i] &&
		    is_free(&x->a[i]) && is_free(&x->b[j]) &&
		    may_be(&x->a[i], &x->b[j])) {
			ctx_match_pair(x->m, i, j,
			    how_alike(&x->a[i], &x->b[j]));
			x->mate[i] = j;
			low = j + 1;
		}
	}
}

static int
pair_alike(struct pairing *x, int end, struct ctx_err *err)
{
	uint32_t from = x->na + x->nb;
	int rc = 0;

	/* numbers of keys are below from: there are not more than parts */
	if (number_side(x, 0, end, from) == -1 ||
	    number_side(x, 1, end, from) == -1)
		rc = ctx_fail_nomem(err);
	ctx_strmap_done(&x->keys);
	if (rc == 0)
		rc = ctx_align((struct ctx_align_seq){ x->va, x->na },
		    (struct ctx_align_seq){ x->vb, x->nb }, 2 * from,
		    x->like, err);
	if (rc == 0)
		take_alike(x);
	return rc;
}

/* Is there a note at byte at of the text, maybe after a line end? */
static int
has_note(struct ctx_str s, size_t at)
{
	struct ctx_marker_said said;
	int id;

	if (at < s.len && s.p[at] == '\n')
		at++;
	for (id = 0; id < CTX_MARKER_N; id++)
		if (id != CTX_MARKER_FILE && id != CTX_MARKER_PICTURE &&
		    ctx_marker_at((enum ctx_marker)id, s, at, &said) != 0)
			return 1;
	return 0;
}

/*
 * Is one the beginning or end of the other, or its beginning up to a note?
 */
static int
is_piece(const struct pairing *x, uint32_t i, uint32_t j)
{
	const struct ctx_match_part *a = &x->a[i], *b = &x->b[j];
	struct ctx_str s = ctx_match_head(&x->m->side[0], a);
	struct ctx_str t = ctx_match_head(&x->m->side[1], b);
	uint32_t n = 0, most = s.len < t.len ? s.len : t.len;

	if (a->len == 0 || b->len == 0)
		return 0;
	while (n < most && s.p[n] == t.p[n])
		n++;
	if (n == a->len || n == b->len || n >= ALIKE ||
	    (n > 0 && has_note(t, n)))
		return 1;
	s = ctx_match_tail(&x->m->side[0], a);
	t = ctx_match_tail(&x->m->side[1], b);
	most = s.len < t.len ? s.len : t.len;
	for (n = 0; n < most && s.p[s.len - 1 - n] == t.p[t.len - 1 - n];)
		n++;
	return n == a->len || n == b->len || n >= ALIKE;
}

/* Pair the short texts of a gap, from its end. */
static void
pair_near(struct pairing *x, struct gap *g)
{
	uint32_t i, j, n, aend = g->aend;

	for (j = g->bend; j-- > g->b;) {
		if (!is_free(&x->b[j]))
			continue;
		for (i = aend, n = 0; i-- > g->a && n < NEAR; n++)
			if (is_free(&x->a[i]) && may_be(&x->a[i], &x->b[j]) &&
			    is_piece(x, i, j)) {
				ctx_match_pair(x->m, i, j,
				    how_alike(&x->a[i], &x->b[j]));
				x->mate[i] = j;
				aend = i;
				break;
			}
	}
}

/* Pair what stands alone, unless it is a note or a summary. */
static void
pair_alone(struct pairing *x, struct gap *g)
{
	const struct ctx_match_part *a = &x->a[g->a], *b = &x->b[g->b];

	if (g->aend == g->a + 1 && g->bend == g->b + 1 && is_free(a) &&
	    is_free(b) && may_be(a, b) &&
	    !(x->m->side[1].msg[b->msg].flags & CTX_SUMMARY) &&
	    !has_note(ctx_match_head(&x->m->side[1], b), 0)) {
		ctx_match_pair(x->m, g->a, g->b, CTX_MATCH_INSTEAD);
		x->mate[g->a] = g->b;
	}
}

/*
 * Pair what stands alone in a message with the part after the gap, or with the
 * one before it.
 */
static void
pair_within(struct pairing *x, struct gap *g)
{
	struct gap in = *g;

	if (g->aend < x->na && g->bend < x->nb) {
		while (in.a < g->aend && x->a[in.a].msg != x->a[g->aend].msg)
			in.a++;
		while (in.b < g->bend && x->b[in.b].msg != x->b[g->bend].msg)
			in.b++;
		if (in.a < in.aend && in.b < in.bend)
			pair_alone(x, &in);
	}
	in = *g;
	if (g->a > 0 && g->b > 0) {
		while (in.aend > g->a &&
		    x->a[in.aend - 1].msg != x->a[g->a - 1].msg)
			in.aend--;
		while (in.bend > g->b &&
		    x->b[in.bend - 1].msg != x->b[g->b - 1].msg)
			in.bend--;
		if (in.a < in.aend && in.b < in.bend)
			pair_alone(x, &in);
	}
}

static int
pair_all(struct pairing *x, struct ctx_err *err)
{
	if (pair_same(x, err) == -1)
		return -1;
	each_gap(x, pair_divided);
	if (link_results(x, &x->m->side[0], err) == -1 ||
	    link_results(x, &x->m->side[1], err) == -1)
		return -1;
	pair_results(x);
	if (pair_ids(x, err) == -1)
		return -1;
	pair_results(x);
	if (pair_moved(x, err) == -1)
		return -1;
	pair_beside(x);
	if (pair_alike(x, 0, err) == -1 || pair_alike(x, 1, err) == -1)
		return -1;
	each_gap(x, pair_near);
	each_gap(x, pair_within);
	each_gap(x, pair_alone);
	return 0;
}

int
ctx_match_parts(struct ctx_matching *m, struct ctx_err *err)
{
	struct pairing x = { .m = m, .a = m->side[0].part,
	    .b = m->side[1].part, .na = m->side[0].npart,
	    .nb = m->side[1].npart };
	int rc = -1;

	x.mate = malloc(((size_t)x.na + 1) * sizeof(*x.mate));
	x.like = malloc(((size_t)x.na + 1) * sizeof(*x.like));
	x.va = malloc(((size_t)x.na + 1) * sizeof(*x.va));
	x.vb = malloc(((size_t)x.nb + 1) * sizeof(*x.vb));
	if (x.mate == NULL || x.like == NULL || x.va == NULL || x.vb == NULL)
		ctx_fail_nomem(err);
	else
		rc = pair_all(&x, err);
	free(x.mate);
	free(x.like);
	free(x.va);
	free(x.vb);
	return rc;
}
