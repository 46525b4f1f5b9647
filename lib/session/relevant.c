/* SPDX-License-Identifier: MIT */
/* Find what a question needs of a thread; see relevant.h. */
#include "session/relevant.h"

#include <stdlib.h>
#include <string.h>

#include "decide/group.h"
#include "decide/refs.h"
#include "decide/stays.h"
#include "edit/relink.h"
#include "view/turn.h"

#define NO_UNIT	SIZE_MAX

/* A message of the log. */
struct ctx_relevant_row {
	size_t of;		/* its thread */
	int64_t seq;
	size_t unit;		/* NO_UNIT if it is in none */
	uint32_t number;	/* in the chain, or CTX_NONE */
};

/* A conversation in the log: the thread's own, or a side conversation. */
struct talk {
	struct ctx_stays stays;
	struct ctx_refs refs;
	size_t unit;		/* of the last record, or NO_UNIT */
	size_t group;		/* of the last non-system message */
};

struct link {
	size_t from, to;
};

/* Used while messages arrive. */
struct ctx_relevant_walk {
	struct ctx_relevant *u;
	struct ctx_turns turns;
	struct ctx_groups groups;
	struct ctx_choose_unit *unit;	/* in the order of arrival */
	size_t nunit, capunit;
	struct link *link;		/* between units */
	size_t nlink, caplink;
	size_t from;			/* the referring unit */
	size_t of;			/* the thread that is read */
	size_t row;			/* its first row */
};

static struct talk *
talk_of(struct ctx_relevant_walk *k, struct ctx_strand *thread)
{
	struct talk *t = thread->state;

	if (t == NULL && (t = calloc(1, sizeof(*t))) != NULL) {
		t->stays.pin = k->u->pin;
		t->unit = t->group = NO_UNIT;
		thread->state = t;
	}
	return t;
}

static void
free_talk(void *state)
{
	struct talk *t = state;

	ctx_refs_done(&t->refs);
	free(t);
}

static int
add_unit(struct ctx_relevant_walk *k, const struct ctx_choose_unit *u,
    struct ctx_err *err)
{
	if (CTX_ROOM(k->unit, k->nunit, &k->capunit) == -1)
		return ctx_fail_nomem(err);
	k->unit[k->nunit] = *u;
	k->unit[k->nunit++].of = (unsigned)k->of;
	return 0;
}

/*
 * Set t->unit to the unit of a record with those flags.  The rules and the
 * summary of another thread are not those of the one that goes on.
 */
static int
place(struct ctx_relevant_walk *k, struct talk *t, struct ctx_choose_unit *u,
    struct ctx_err *err)
{
	struct ctx_choose_unit *group;

	if (k->of > 0 && u->flags & CTX_WIN_SYSTEM) {
		t->unit = NO_UNIT;
		return 0;
	}
	if (k->of > 0)
		u->flags &= ~(unsigned)CTX_WIN_MUST;
	if (!(u->flags & CTX_WIN_SYSTEM) && u->flags & CTX_WIN_MORE &&
	    t->group != NO_UNIT) {
		group = &k->unit[t->unit = t->group];
		group->cost += u->cost;
		group->flags |= u->flags & CTX_WIN_MUST;
		return 0;
	}
	t->unit = k->nunit;
	if (!(u->flags & CTX_WIN_SYSTEM))
		t->group = t->unit;
	return add_unit(k, u, err);
}

/* Add a record that is not a message to the unit of the one before it. */
static int
add_rider(struct ctx_relevant_walk *k, struct talk *t, struct ctx_err *err)
{
	struct ctx_choose_unit u = { .flags = CTX_WIN_MUST };

	if (t->unit != NO_UNIT || k->of > 0)
		return 0;
	t->unit = k->nunit;
	return add_unit(k, &u, err);
}

static int
refer(void *arg, uint64_t to, struct ctx_err *err)
{
	struct ctx_relevant_walk *k = arg;

	if (to == CTX_REFS_GONE || to == k->from)
		return 0;
	if (CTX_ROOM(k->link, k->nlink, &k->caplink) == -1)
		return ctx_fail_nomem(err);
	k->link[k->nlink++] = (struct link){ k->from, (size_t)to };
	return 0;
}

static int
add_messages(struct ctx_relevant_walk *k, struct talk *t,
    const struct ctx_convo *c, const struct ctx_rec *rec, struct ctx_err *err)
{
	unsigned rules = c->dialect != NULL ? c->dialect->rules : 0, flags;
	struct ctx_choose_unit u = { 0 };
	struct ctx_refs_sent sent = { .c = c, .m = rec->msg,
	    .end = rec->msg + rec->nmsg, .raw = rec->raw };
	uint64_t cost;
	uint32_t m;

	for (m = sent.m; m < sent.end; m++) {
		flags = ctx_stays_flags(&t->stays, c, m, k->groups.more[m]);
		u.flags = m == rec->msg ? flags :
		    ctx_stays_join(u.flags, flags);
		if (ctx_cost_msg(k->u->cost, c, m, &cost, err) == -1)
			return -1;
		u.cost += cost;
	}
	k->u->choose.opts.start_user |= (rules & CTX_RULE_FIRST_USER) != 0;
	if (place(k, t, &u, err) == -1)
		return -1;
	if (t->unit == NO_UNIT)
		return 0;
	k->from = sent.no = t->unit;
	if (ctx_refs_scan(&t->refs, &sent, refer, k, err) == -1)
		return -1;
	return ctx_refs_settle(&t->refs, err);
}

/* A line that is a conversation by itself is kept or dropped as a whole. */
static int
add_conversation(struct ctx_relevant_walk *k, const struct ctx_convo *c,
    struct ctx_err *err)
{
	struct ctx_choose_unit u = { .flags = CTX_WIN_USER };
	uint64_t cost;
	uint32_t m;

	for (m = 0; m < c->nmsg; m++) {
		if (ctx_cost_msg(k->u->cost, c, m, &cost, err) == -1)
			return -1;
		u.cost += cost;
	}
	k->u->row[k->row + c->rec[0].seq].unit = k->nunit;
	return add_unit(k, &u, err);
}

/* Note what links record r of a session. */
static int
read_links(struct ctx_relevant_walk *k, const struct ctx_convo *c, uint32_t r,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, r);
	struct ctx_relevant *u = k->u;
	uint32_t *number = &u->row[k->row + c->rec[r].seq].number, parent;

	if (c->dialect == NULL || c->dialect->chain == NULL ||
	    c->rec[r].root == CTX_NONE)
		return 0;
	u->chain.form = c->dialect->chain;
	if (ctx_chain_read(&u->chain, &doc, c->rec[r].root, number,
	    &parent) == -1)
		return ctx_fail_nomem(err);
	ctx_chain_see(&u->chain, *number, parent, c->rec[r].nmsg > 0);
	return 0;
}

static int
take_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct ctx_convo *c = turn->convo;
	struct ctx_relevant_walk *k = arg;
	struct talk *t;
	uint32_t r;

	if (turn->strand == NULL)
		return add_conversation(k, c, err);
	if ((t = talk_of(k, turn->strand)) == NULL)
		return ctx_fail_nomem(err);
	if (ctx_groups_find(&k->groups, c, err) == -1)
		return -1;
	for (r = 0; r < c->nrec; r++) {
		if (read_links(k, c, r, err) == -1)
			return -1;
		if (k->u->chain.form != NULL &&
		    ctx_branch_is_beside(c, r, c->rec[r].root))
			continue;
		if ((c->rec[r].nmsg == 0 ? add_rider(k, t, err) :
		    add_messages(k, t, c, &c->rec[r], err)) == -1)
			return -1;
		k->u->row[k->row + c->rec[r].seq].unit = t->unit;
	}
	return 0;
}

static int
begin(struct ctx_relevant *u, struct ctx_err *err)
{
	struct ctx_relevant_walk *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return ctx_fail_nomem(err);
	k->u = u;
	u->walk = k;
	return 0;
}

static int
take_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct ctx_relevant *u = arg;
	struct ctx_block *block;
	struct ctx_line line;
	int rc;

	if (CTX_ROOM(u->row, u->nrow, &u->caprow) == -1)
		return ctx_fail_nomem(err);
	u->row[u->nrow++] = (struct ctx_relevant_row){ u->walk->of, m->seq,
	    NO_UNIT, CTX_NONE };
	if ((block = ctx_block_dup(m->raw, m->len)) == NULL)
		return ctx_fail_nomem(err);
	line = (struct ctx_line){ .raw = block->data,
	    .len = m->len, .no = u->nrow - u->walk->row, .block = block };
	rc = ctx_turns_line(&u->walk->turns, &line, err);
	ctx_block_drop(block);
	return rc;
}

/* Row i in the order in which they are written. */
static struct ctx_relevant_row *
row_at(const struct ctx_relevant *r, size_t i)
{
	size_t others = r->nrow - r->own;

	if (i < r->lead)
		return &r->row[i];
	return &r->row[i < r->lead + others ? r->own + i - r->lead :
	    i - others];
}

/* How many rows begin the first thread that others must not come before? */
static void
find_lead(struct ctx_relevant *r)
{
	const struct ctx_relevant_row *row = r->row;

	/* records that follow each other stay together */
	while (r->chain.form == NULL && r->lead < r->own &&
	    row[r->lead].unit != NO_UNIT &&
	    r->walk->unit[row[r->lead].unit].flags &
	    (CTX_WIN_SYSTEM | CTX_WIN_MUST))
		r->lead++;
}

/*
 * Sort the units by their first messages, which side conversations may have
 * mixed; rows and links are adjusted.
 */
static int
order(struct ctx_relevant_walk *k, struct ctx_err *err)
{
	struct ctx_choose *c = &k->u->choose;
	size_t *place_of = malloc((k->nunit + 1) * sizeof(*place_of)), i, u;
	int rc = place_of == NULL ? ctx_fail_nomem(err) : 0;

	for (i = 0; i < k->nunit && rc == 0; i++)
		place_of[i] = NO_UNIT;
	for (i = 0; i < k->u->nrow && rc == 0; i++) {
		u = row_at(k->u, i)->unit;
		if (u == NO_UNIT)
			continue;
		if (place_of[u] == NO_UNIT) {
			place_of[u] = c->n;
			rc = ctx_choose_add(c, &k->unit[u], err);
		}
		row_at(k->u, i)->unit = place_of[u];
	}
	for (i = 0; i < k->nlink && rc == 0; i++)
		rc = ctx_choose_link(c, place_of[k->link[i].from],
		    place_of[k->link[i].to], err);
	free(place_of);
	return rc;
}

/* The context in whose log the messages are that come first. */
static int
root_of(struct ctx_store *st, struct ctx_ref *ref, struct ctx_err *err)
{
	while (ref->kind == CTX_CONTEXT_FORK)
		if (ctx_context_by_id(st, ref->thread, ref->parent, ref,
		    err) == -1)
			return -1;
	return 0;
}

/* Drop the contexts that share a log with one before them. */
static int
drop_same(struct ctx_relevant *r, struct ctx_err *err)
{
	struct ctx_ref *ref = calloc(r->nwhere + 1, sizeof(*ref));
	size_t i, k, n = 0;
	int rc = ref == NULL ? ctx_fail_nomem(err) : 0;

	for (i = 0; i < r->nwhere && rc == 0; i++) {
		if ((rc = ctx_thread_find(r->st, &r->where[i], &ref[n],
		    err)) == 0)
			rc = root_of(r->st, &ref[n], err);
		for (k = 0; k < n && (ref[k].thread != ref[n].thread ||
		    ref[k].context != ref[n].context); k++)
			continue;
		if (k == n)
			r->where[n++] = r->where[i];
	}
	if (rc == 0)
		r->nwhere = n;
	free(ref);
	return rc;
}

/* Read a thread. */
static int
read_one(struct ctx_relevant *r, size_t of, struct ctx_err *err)
{
	struct ctx_range all = CTX_RANGE_ALL;
	struct ctx_relevant_walk *k = r->walk;

	ctx_turns_done(&k->turns);
	k->turns = (struct ctx_turns){ .turn = take_turn, .arg = k,
	    .free_state = free_talk };
	if (!r->all_branches)
		k->turns.branch = CTX_BRANCH_LAST;
	all.same = &r->same[of];
	k->of = of;
	k->row = r->nrow;
	if (ctx_log_read(r->st, &r->where[of], &all, take_message, r,
	    err) == -1 || ctx_turns_end(&k->turns, err) == -1)
		return -1;
	r->beside += k->turns.held.beside;
	return 0;
}

int
ctx_relevant_read(struct ctx_relevant *r, struct ctx_err *err)
{
	size_t i;

	if (begin(r, err) == -1 || (r->nwhere > 1 && drop_same(r, err) == -1))
		return -1;
	if ((r->same = calloc(r->nwhere + 1, sizeof(*r->same))) == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < r->nwhere; i++) {
		if (read_one(r, i, err) == -1)
			return -1;
		if (i == 0)
			r->own = r->nrow;
	}
	find_lead(r);
	return order(r->walk, err);
}

void
ctx_relevant_done(struct ctx_relevant *r)
{
	struct ctx_relevant_walk *k = r->walk;

	if (k != NULL) {
		ctx_turns_done(&k->turns);
		ctx_groups_done(&k->groups);
		free(k->unit);
		free(k->link);
		free(k);
	}
	ctx_choose_done(&r->choose);
	ctx_chain_done(&r->chain);
	free(r->same);
	free(r->row);
}

static int
compare_row(const void *a, const void *b)
{
	const struct ctx_rank_hit *hit = a;
	const struct ctx_relevant_row *row = b;

	if (hit->of != row->of)
		return hit->of < row->of ? -1 : 1;
	return hit->seq < row->seq ? -1 : hit->seq > row->seq;
}

/* Give each unit the best score of its messages. */
static void
score(struct ctx_relevant *r, const struct ctx_rank *hits)
{
	struct ctx_choose_unit *unit;
	const struct ctx_relevant_row *row;
	size_t i;

	for (i = 0; i < hits->n && r->nrow > 0; i++) {
		row = bsearch(&hits->hit[i], r->row, r->nrow, sizeof(*row),
		    compare_row);
		if (row == NULL || row->unit == NO_UNIT)
			continue;
		unit = &r->choose.unit[row->unit];
		if (hits->hit[i].score > unit->score)
			unit->score = hits->hit[i].score;
	}
}

static int
is_kept(const struct ctx_relevant *r, const struct ctx_relevant_row *row)
{
	return row->unit != NO_UNIT &&
	    r->choose.unit[row->unit].flags & CTX_WIN_KEPT;
}

/* Where the messages go. */
struct sink {
	struct ctx_relevant *r;
	struct ctx_buf linked;
	ctx_message_fn *fn;
	void *arg;
};

/* Pass a message on; of a session, with what it follows now. */
static int
put(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct sink *s = arg;
	struct ctx_message changed = *m;
	int rc = 0;

	ctx_buf_reset(&s->linked);
	if (s->r->chain.form != NULL)
		rc = ctx_relink_lines(&s->r->chain, m->raw, m->len,
		    CTX_RELINK_OLD, &s->linked, err);
	if (rc != 1)
		return rc == -1 ? -1 : s->fn(m, s->arg, err);
	changed.raw = s->linked.data;
	changed.len = s->linked.len;
	return s->fn(&changed, s->arg, err);
}

/* Where the run of chosen messages ends that begins at i, in one thread. */
static size_t
run_end(const struct ctx_relevant *r, size_t i)
{
	const struct ctx_relevant_row *row = row_at(r, i);

	for (; i < r->nrow && is_kept(r, row_at(r, i)); i++)
		if (row_at(r, i)->of != row->of)
			break;
	return i;
}

/* Pass on the chosen messages, run by run. */
static int
put_all(struct sink *s, struct ctx_err *err)
{
	struct ctx_range range = CTX_RANGE_ALL;
	struct ctx_relevant *r = s->r;
	size_t i, end, of = 0;

	for (i = 0; i < r->nrow; i = end) {
		if ((end = run_end(r, i)) == i) {
			end++;
			continue;
		}
		/* another session's records go on from what was written */
		if (row_at(r, i)->of != of)
			r->chain.fresh = r->chain.nlast > 0;
		of = row_at(r, i)->of;
		r->kept += end - i;
		range.same = &r->same[of];
		range.from_seq = row_at(r, i)->seq;
		range.to_seq = row_at(r, end - 1)->seq;
		if (ctx_log_read(r->st, &r->where[of], &range, put, s,
		    err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_relevant_write(struct ctx_relevant *r, const struct ctx_rank *hits,
    ctx_message_fn *fn, void *arg, struct ctx_err *err)
{
	struct sink sink = { .r = r, .fn = fn, .arg = arg };
	size_t i;
	int rc;

	score(r, hits);
	if (ctx_choose_end(&r->choose, err) == -1)
		return -1;
	for (i = 0; i < r->nrow; i++)
		if (is_kept(r, &r->row[i]) && r->row[i].number != CTX_NONE)
			r->chain.rec[r->row[i].number].kept = 1;
	rc = put_all(&sink, err);
	ctx_buf_done(&sink.linked);
	return rc;
}
