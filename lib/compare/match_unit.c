/* SPDX-License-Identifier: MIT */
/* What became of which messages, from the pairs of their parts; see match.h. */
#include "compare/match_impl.h"

#include <stdlib.h>
#include <string.h>

#include "compare/align.h"

struct units {
	struct ctx_matching *m;
	uint32_t n[2];		/* messages of each side */
	uint32_t *up;		/* of all messages, the old ones first: one of
				   the same unit, or itself */
	uint32_t *of;		/* likewise: the number of its unit */
	unsigned char *ordered;	/* of each unit: has it pairs that are in
				   order, */
	unsigned char *crossed;	/* or that are not? */
	uint32_t *place;	/* of each unit: where it is shown */
};

static uint32_t
root(const struct units *u, uint32_t i)
{
	while (u->up[i] != i) {
		u->up[i] = u->up[u->up[i]];
		i = u->up[i];
	}
	return i;
}

static void
join_two(struct units *u, uint32_t a, uint32_t b)
{
	a = root(u, a);
	b = root(u, b);
	/* the first of the old messages is the root */
	if (a < b)
		u->up[b] = a;
	else
		u->up[a] = b;
}

/* Join what continues an assistant's message with that. */
static void
join_continued(struct units *u, int new)
{
	const struct ctx_match_side *s = &u->m->side[new];
	uint32_t from = new ? u->n[0] : 0, i, last = CTX_NONE;

	for (i = 0; i < s->nmsg; i++) {
		if (i > 0 && s->msg[i].conversation !=
		    s->msg[i - 1].conversation)
			last = CTX_NONE;
		if (s->msg[i].flags & CTX_JOINED && last != CTX_NONE)
			join_two(u, from + last, from + i);
		if (s->msg[i].role == CTX_ASSISTANT)
			last = i;
	}
}

/* Join the messages of the parts of a side with those of their mates. */
static void
join(struct units *u, int new)
{
	const struct ctx_match_side *s = &u->m->side[new];
	const struct ctx_match_side *other = &u->m->side[!new];
	uint32_t from = new ? u->n[0] : 0, to = new ? 0 : u->n[0], i;

	for (i = 0; i < s->npart; i++)
		if (s->part[i].mate != CTX_NONE)
			join_two(u, from + s->part[i].msg,
			    to + other->part[s->part[i].mate].msg);
}

/* List the messages of a side by units, whose n has the number of each. */
static void
list_side(struct units *u, int side)
{
	struct ctx_match_side *s = &u->m->side[side];
	uint32_t i, k, at = 0;

	for (k = 0; k < u->m->nunit; k++) {
		u->m->unit[k].first[side] = at;
		at += u->m->unit[k].n[side];
		u->m->unit[k].n[side] = 0;
	}
	for (i = 0; i < u->n[side]; i++) {
		struct ctx_match_msg *msg = &s->msg[i];
		struct ctx_unit *unit;

		msg->unit = u->of[i + (side ? u->n[0] : 0)];
		unit = &u->m->unit[msg->unit];
		s->list[unit->first[side] + unit->n[side]++] = i;
		unit->tokens[side] += msg->tokens;
		unit->messages[side] += !(msg->flags & CTX_JOINED);
	}
}

/* Number the units, and list the messages of each. */
static int
list_units(struct units *u, struct ctx_err *err)
{
	struct ctx_matching *m = u->m;
	uint32_t all = u->n[0] + u->n[1], i;

	for (i = 0; i < all; i++)
		u->of[i] = root(u, i) == i ? m->nunit++ : u->of[root(u, i)];
	m->unit = calloc((size_t)m->nunit + 1, sizeof(*m->unit));
	m->side[0].list = calloc((size_t)u->n[0] + 1, sizeof(uint32_t));
	m->side[1].list = calloc((size_t)u->n[1] + 1, sizeof(uint32_t));
	if (m->unit == NULL || m->side[0].list == NULL ||
	    m->side[1].list == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < all; i++)
		m->unit[u->of[i]].n[i >= u->n[0]]++;
	list_side(u, 0);
	list_side(u, 1);
	return 0;
}

/* Find which pairs are in order: the longest row of them. */
static int
find_order(struct units *u, struct ctx_err *err)
{
	const struct ctx_match_side *a = &u->m->side[0], *b = &u->m->side[1];
	uint32_t *v = malloc(((size_t)a->npart * 2 + b->npart + 1) *
	    sizeof(*v));
	uint32_t *w, *mate, i, j, unit;
	int rc;

	if (v == NULL)
		return ctx_fail_nomem(err);
	w = v + a->npart;
	mate = w + b->npart;
	for (i = 0; i < a->npart; i++)
		v[i] = i;
	for (j = 0; j < b->npart; j++) {
		i = b->part[j].mate;
		w[j] = i != CTX_NONE && a->part[i].mate == j ? i : a->npart;
	}
	rc = ctx_align((struct ctx_align_seq){ v, a->npart },
	    (struct ctx_align_seq){ w, b->npart }, a->npart + 1, mate, err);
	for (i = 0; rc == 0 && i < a->npart; i++) {
		j = a->part[i].mate;
		unit = a->msg[a->part[i].msg].unit;
		if (mate[i] != CTX_NONE)
			u->ordered[unit] = 1;
		else if (j != CTX_NONE && b->part[j].mate == i)
			u->crossed[unit] = 1;
	}
	free(v);
	return rc;
}

/* --- what changed ------------------------------------------------------ */

/* The parts of a unit, on one side, that are not the same on the other. */
struct rest {
	struct ctx_match_sum sum[2];	/* of texts, and of reasoning */
	uint32_t n[2];
	uint32_t free, like, instead;	/* of all that do not count there */
	uint32_t free_text[2], like_text[2], instead_text[2];
};

static void
add_rest(struct rest *r, const struct ctx_match_part *p)
{
	int k = p->kind == CTX_THINKING;
	int text = k || p->kind == CTX_TEXT;

	if (p->mate == CTX_NONE) {
		if (text)
			r->free_text[k]++;
		else
			r->free++;
	} else if (p->how == CTX_MATCH_SAME)
		return;
	else if (p->how == CTX_MATCH_LIKE) {
		if (text)
			r->like_text[k]++;
		else
			r->like++;
	} else if (text)
		r->instead_text[k]++;
	else
		r->instead++;
	if (text) {
		r->n[k]++;
		ctx_match_sum_part(&r->sum[k], p);
	}
}

static struct rest
rest_of(const struct ctx_matching *m, const struct ctx_unit *unit, int side)
{
	const struct ctx_match_side *s = &m->side[side];
	struct rest r = { 0 };
	uint32_t i, k;

	for (i = 0; i < unit->n[side]; i++) {
		const struct ctx_match_msg *msg =
		    &s->msg[s->list[unit->first[side] + i]];

		for (k = 0; k < msg->npart; k++)
			add_rest(&r, &s->part[msg->part + k]);
	}
	return r;
}

/* What became of the unit: it has messages on both sides. */
static enum ctx_became
change_of(const struct ctx_matching *m, const struct ctx_unit *unit, int moved)
{
	struct rest old = rest_of(m, unit, 0), new = rest_of(m, unit, 1);
	int k;

	for (k = 0; k < 2; k++) {
		/* the same words, in more or fewer parts */
		if (old.n[k] != new.n[k] && old.n[k] > 0 && new.n[k] > 0 &&
		    ctx_match_sum_same(&old.sum[k], &new.sum[k]))
			continue;
		old.free += old.free_text[k];
		new.free += new.free_text[k];
		new.like += new.like_text[k];
		new.instead += new.instead_text[k];
	}
	if (old.free + new.free + new.like + new.instead == 0)
		return moved ? CTX_BECAME_MOVED : CTX_BECAME_SAME;
	return new.free + new.instead == 0 && unit->tokens[1] <
	    unit->tokens[0] ? CTX_BECAME_SHORTENED : CTX_BECAME_CHANGED;
}

static void
judge(struct units *u)
{
	struct ctx_matching *m = u->m;
	uint32_t i, side;

	for (i = 0; i < m->nunit; i++) {
		struct ctx_unit *unit = &m->unit[i];

		if (unit->n[1] == 0)
			unit->change = CTX_BECAME_DROPPED;
		else if (unit->n[0] == 0)
			unit->change = CTX_BECAME_ADDED;
		else
			unit->change = change_of(m, unit, u->crossed[i] &&
			    !u->ordered[i]);
		for (side = 0; side < 2; side++) {
			m->sum[unit->change].messages[side] +=
			    unit->messages[side];
			m->sum[unit->change].tokens[side] +=
			    unit->tokens[side];
		}
	}
}

/* --- order ------------------------------------------------------------- */

/* Place the units that begin before message end of the new history. */
static void
place_new(struct units *u, uint32_t *next, uint32_t end, uint32_t *n)
{
	const struct ctx_match_side *new = &u->m->side[1];
	uint32_t unit;

	for (; *next < end; ++*next) {
		unit = new->msg[*next].unit;
		if (u->place[unit] == CTX_NONE && !u->ordered[unit])
			u->place[unit] = (*n)++;
	}
}

/*
 * Put the units in order: that of the old history, with what is new or moved
 * where it is in the new one.  Messages are by keys already, on both sides.
 */
static int
sort_units(struct units *u, struct ctx_err *err)
{
	struct ctx_matching *m = u->m;
	struct ctx_unit *sorted = calloc((size_t)m->nunit + 1,
	    sizeof(*sorted));
	uint32_t i, side, next = 0, n = 0;

	if (sorted == NULL)
		return ctx_fail_nomem(err);
	memset(u->place, 0xff, (size_t)m->nunit * sizeof(*u->place));
	for (i = 0; i < u->n[0]; i++) {
		uint32_t k = m->side[0].msg[i].unit, end = next;
		const struct ctx_unit *unit = &m->unit[k];

		/* what is new in the conversations before this one */
		while (end < u->n[1] && m->side[1].msg[end].key <
		    m->side[0].msg[i].key)
			end++;
		place_new(u, &next, end, &n);
		if (u->place[k] != CTX_NONE ||
		    (unit->n[1] > 0 && !u->ordered[k]))
			continue;
		if (unit->n[1] > 0)
			place_new(u, &next, m->side[1].list[unit->first[1]],
			    &n);
		u->place[k] = n++;
	}
	place_new(u, &next, u->n[1], &n);
	for (i = 0; i < m->nunit; i++)
		sorted[u->place[i]] = m->unit[i];
	for (side = 0; side < 2; side++)
		for (i = 0; i < u->n[side]; i++)
			m->side[side].msg[i].unit =
			    u->place[m->side[side].msg[i].unit];
	free(m->unit);
	m->unit = sorted;
	return 0;
}

/* --- the prompt cache -------------------------------------------------- */

/*
 * The first message of the old conversation that message j of the new history,
 * the first of its own, begins again; CTX_NONE if there is none.
 */
static uint32_t
begins_again(const struct ctx_matching *m, const uint32_t *start,
    const uint32_t *keyed, uint32_t j)
{
	const struct ctx_match_msg *msg = &m->side[1].msg[j];
	uint32_t i;

	if (msg->key != CTX_NONE)
		return keyed[msg->key];
	i = m->side[1].part[msg->part].mate;
	return i == CTX_NONE ? CTX_NONE : start[m->side[0].part[i].msg];
}

static int
starts(const struct ctx_match_side *s, uint32_t i)
{
	return i == 0 || s->msg[i].conversation != s->msg[i - 1].conversation;
}

/* The last message of what message j of the new history belongs to. */
static uint32_t
last_of(const struct ctx_matching *m, uint32_t j)
{
	const struct ctx_unit *unit = &m->unit[m->side[1].msg[j].unit];

	return m->side[1].list[unit->first[1] + unit->n[1] - 1];
}

/*
 * The messages from..end) of the new history are sent as they were.  Mark them,
 * but not a part of a unit, since all else is counted by units.
 */
static void
mark_cached(struct ctx_matching *m, uint32_t from, uint32_t end)
{
	struct ctx_match_msg *msg = m->side[1].msg;
	uint32_t j, last = 0, whole = from;

	for (j = from; j < end; j++) {
		last = last_of(m, j) > last ? last_of(m, j) : last;
		whole = last == j ? j + 1 : whole;
	}
	for (j = from; j < whole; j++) {
		msg[j].cached = 1;
		m->cached += msg[j].tokens;
	}
}

static int
count_cached(struct ctx_matching *m, struct ctx_err *err)
{
	const struct ctx_match_side *a = &m->side[0], *b = &m->side[1];
	uint32_t *keyed = malloc((m->keys.n + 1 + a->nmsg) * sizeof(*keyed));
	uint32_t *start, i, j, from = 0, at = CTX_NONE;

	if (keyed == NULL)
		return ctx_fail_nomem(err);
	start = keyed + m->keys.n + 1;
	memset(keyed, 0xff, (m->keys.n + 1) * sizeof(*keyed));
	for (i = 0; i < a->nmsg; i++) {
		start[i] = starts(a, i) ? i : start[i - 1];
		if (start[i] == i && a->msg[i].key != CTX_NONE)
			keyed[a->msg[i].key] = i;
	}
	for (j = 0; j < b->nmsg; j++) {
		uint32_t was = at;

		if (starts(b, j)) {
			if (was != CTX_NONE)
				mark_cached(m, from, j);
			at = begins_again(m, start, keyed, j);
			from = j;
		} else if (at != CTX_NONE)
			at = ++at == a->nmsg || starts(a, at) ? CTX_NONE : at;
		if (at != CTX_NONE && (memcmp(a->msg[at].digest,
		    b->msg[j].digest, CTX_MATCH_DIGEST) != 0 ||
		    m->unit[b->msg[j].unit].change != CTX_BECAME_SAME))
			at = CTX_NONE;
		if (at == CTX_NONE && was != CTX_NONE && from < j)
			mark_cached(m, from, j);
	}
	if (at != CTX_NONE)
		mark_cached(m, from, b->nmsg);
	free(keyed);
	return 0;
}

static int
make_units(struct units *u, struct ctx_err *err)
{
	uint32_t i;

	for (i = 0; i < u->n[0] + u->n[1]; i++)
		u->up[i] = i;
	join_continued(u, 0);
	join_continued(u, 1);
	join(u, 0);
	join(u, 1);
	if (list_units(u, err) == -1 || find_order(u, err) == -1)
		return -1;
	judge(u);
	return sort_units(u, err) == -1 ? -1 : count_cached(u->m, err);
}

int
ctx_match_units(struct ctx_matching *m, struct ctx_err *err)
{
	struct units u = { .m = m, .n = { m->side[0].nmsg,
	    m->side[1].nmsg } };
	size_t all = (size_t)u.n[0] + u.n[1] + 1;
	int rc = -1;

	u.up = calloc(all, sizeof(*u.up));
	u.of = calloc(all, sizeof(*u.of));
	u.ordered = calloc(all, 1);
	u.crossed = calloc(all, 1);
	u.place = calloc(all, sizeof(*u.place));
	if (u.up == NULL || u.of == NULL || u.ordered == NULL ||
	    u.crossed == NULL || u.place == NULL)
		ctx_fail_nomem(err);
	else
		rc = make_units(&u, err);
	free(u.up);
	free(u.of);
	free(u.ordered);
	free(u.crossed);
	free(u.place);
	return rc;
}
