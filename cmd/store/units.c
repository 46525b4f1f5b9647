/* SPDX-License-Identifier: MIT */
/* A thread's messages as units; see units.h. */
#include "cmd/store/units.h"

#include <stdlib.h>
#include <string.h>

#include "decide/group.h"
#include "decide/refs.h"
#include "decide/stays.h"
#include "view/turn.h"

/* One conversation of the log: the thread's own, or one on the side. */
struct talk {
	struct ctx_stays stays;
	struct ctx_refs refs;
	size_t unit;		/* of the last record, NO_UNIT: none yet */
	size_t group;		/* of the last that is no system message */
};

struct link {
	size_t from, to;
};

/* What is needed while messages come. */
struct units_walk {
	struct units *u;
	struct ctx_turns turns;
	struct ctx_pairer pairer;
	unsigned char *more;
	size_t capmore;
	struct ctx_choose_unit *unit;	/* as they were met */
	size_t nunit, capunit;
	struct link *link;		/* between those */
	size_t nlink, caplink;
	size_t from;			/* the unit that refers */
};

static struct talk *
talk_of(struct units_walk *k, struct ctx_strand *thread)
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
add_unit(struct units_walk *k, const struct ctx_choose_unit *u,
    struct ctx_err *err)
{
	struct ctx_choose_unit *p;

	p = ctx_grow(k->unit, k->nunit, &k->capunit, sizeof(*p));
	if (p == NULL)
		return ctx_fail_nomem(err);
	k->unit = p;
	p[k->nunit++] = *u;
	return 0;
}

/* The unit of a record with those flags into t->unit. */
static int
place(struct units_walk *k, struct talk *t, const struct ctx_choose_unit *u,
    struct ctx_err *err)
{
	struct ctx_choose_unit *group;

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

/* A record that is no message shares the fate of the one before it. */
static int
add_rider(struct units_walk *k, struct talk *t, struct ctx_err *err)
{
	struct ctx_choose_unit u = { .flags = CTX_WIN_MUST };

	if (t->unit != NO_UNIT)
		return 0;
	t->unit = k->nunit;
	return add_unit(k, &u, err);
}

static int
refer(void *arg, uint64_t to, struct ctx_err *err)
{
	struct units_walk *k = arg;
	struct link *p;

	if (to == CTX_REFS_GONE || to == k->from)
		return 0;
	p = ctx_grow(k->link, k->nlink, &k->caplink, sizeof(*p));
	if (p == NULL)
		return ctx_fail_nomem(err);
	k->link = p;
	p[k->nlink++] = (struct link){ k->from, (size_t)to };
	return 0;
}

static int
add_messages(struct units_walk *k, struct talk *t, const struct ctx_convo *c,
    const struct ctx_rec *rec, struct ctx_err *err)
{
	unsigned rules = c->dialect != NULL ? c->dialect->rules : 0, flags;
	struct ctx_choose_unit u = { 0 };
	struct ctx_refs_sent sent = { .c = c, .m = rec->msg,
	    .end = rec->msg + rec->nmsg, .raw = rec->raw };
	uint64_t cost;
	uint32_t m;

	for (m = sent.m; m < sent.end; m++) {
		flags = ctx_stays_flags(&t->stays, c, m, k->more[m]);
		u.flags = m == rec->msg ? flags :
		    ctx_stays_join(u.flags, flags);
		if (ctx_cost_msg(k->u->cost, c, m, &cost, err) == -1)
			return -1;
		u.cost += cost;
	}
	/* where roles must alternate, a gap may be between requests only */
	if (rules & CTX_RULE_ALTERNATE && !(u.flags & CTX_WIN_USER))
		u.flags |= CTX_WIN_MORE;
	k->u->choose.opts.start_user |= (rules & CTX_RULE_FIRST_USER) != 0;
	if (place(k, t, &u, err) == -1)
		return -1;
	k->from = sent.no = t->unit;
	if (ctx_refs_scan(&t->refs, &sent, refer, k, err) == -1)
		return -1;
	return ctx_refs_settle(&t->refs, err);
}

/* A line that is a conversation of its own goes in whole or not at all. */
static int
add_conversation(struct units_walk *k, const struct ctx_convo *c,
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
	k->u->row[c->rec[0].seq].unit = k->nunit;
	return add_unit(k, &u, err);
}

static int
take_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct ctx_convo *c = turn->convo;
	struct units_walk *k = arg;
	unsigned char *more;
	struct talk *t;
	uint32_t r;

	if (turn->strand == NULL)
		return add_conversation(k, c, err);
	more = ctx_grow(k->more, c->nmsg, &k->capmore, 1);
	if (more == NULL || (t = talk_of(k, turn->strand)) == NULL)
		return ctx_fail_nomem(err);
	k->more = more;
	if (ctx_pair(&k->pairer, c, err) == -1)
		return -1;
	ctx_group_marks(c, more);
	for (r = 0; r < c->nrec; r++) {
		if ((c->rec[r].nmsg == 0 ? add_rider(k, t, err) :
		    add_messages(k, t, c, &c->rec[r], err)) == -1)
			return -1;
		k->u->row[c->rec[r].seq].unit = t->unit;
	}
	return 0;
}

static int
begin(struct units *u, struct ctx_err *err)
{
	struct units_walk *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return ctx_fail_nomem(err);
	k->u = u;
	k->turns.turn = take_turn;
	k->turns.free_state = free_talk;
	k->turns.arg = k;
	u->walk = k;
	return 0;
}

int
units_take(struct units *u, int64_t seq, const char *raw, size_t len,
    struct ctx_err *err)
{
	struct ctx_block *block;
	struct ctx_line line;
	struct units_row *p;
	int rc;

	if (u->walk == NULL && begin(u, err) == -1)
		return -1;
	p = ctx_grow(u->row, u->nrow, &u->caprow, sizeof(*p));
	if (p == NULL)
		return ctx_fail_nomem(err);
	u->row = p;
	p[u->nrow++] = (struct units_row){ seq, NO_UNIT };
	if ((block = ctx_block_new(len)) == NULL)
		return ctx_fail_nomem(err);
	memcpy(block->data, raw, len);
	line = (struct ctx_line){ block->data, len, u->nrow, block };
	rc = ctx_turns_line(&u->walk->turns, &line, err);
	ctx_block_drop(block);
	return rc;
}

/*
 * The units in the order of their first messages, which a conversation on the
 * side may have mixed; rows and links follow.
 */
static int
order(struct units_walk *k, struct ctx_err *err)
{
	struct ctx_choose *c = &k->u->choose;
	size_t *place_of = malloc((k->nunit + 1) * sizeof(*place_of)), i, u;
	int rc = place_of == NULL ? ctx_fail_nomem(err) : 0;

	for (i = 0; i < k->nunit && rc == 0; i++)
		place_of[i] = NO_UNIT;
	for (i = 0; i < k->u->nrow && rc == 0; i++) {
		u = k->u->row[i].unit;
		if (u == NO_UNIT)
			continue;
		if (place_of[u] == NO_UNIT) {
			place_of[u] = c->n;
			rc = ctx_choose_add(c, &k->unit[u], err);
		}
		k->u->row[i].unit = place_of[u];
	}
	for (i = 0; i < k->nlink && rc == 0; i++)
		rc = ctx_choose_link(c, place_of[k->link[i].from],
		    place_of[k->link[i].to], err);
	free(place_of);
	return rc;
}

int
units_end(struct units *u, struct ctx_err *err)
{
	if (u->walk == NULL)
		return 0;
	if (ctx_turns_end(&u->walk->turns, err) == -1)
		return -1;
	return order(u->walk, err);
}

void
units_done(struct units *u)
{
	struct units_walk *k = u->walk;

	if (k != NULL) {
		ctx_turns_done(&k->turns);
		ctx_pairer_done(&k->pairer);
		free(k->more);
		free(k->unit);
		free(k->link);
		free(k);
	}
	ctx_choose_done(&u->choose);
	free(u->row);
}

static int
compare_row(const void *a, const void *b)
{
	int64_t seq = *(const int64_t *)a;
	const struct units_row *row = b;

	return seq < row->seq ? -1 : seq > row->seq;
}

const struct units_row *
units_find(const struct units *u, int64_t seq)
{
	const struct units_row *row = u->nrow == 0 ? NULL : bsearch(&seq,
	    u->row, u->nrow, sizeof(*row), compare_row);

	return row != NULL && row->unit != NO_UNIT ? row : NULL;
}
