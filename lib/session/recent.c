/* SPDX-License-Identifier: MIT */
/* The part of a thread that a cut can keep; see recent.h. */
#include "session/recent.h"

#include <stdlib.h>
#include <string.h>

#include "decide/group.h"
#include "decide/refs.h"
#include "view/dialect.h"

#define FIRST	64	/* messages that are read at once, doubled each time */
#define MOST	512	/* up to these */
#define HEAD	256	/* the beginning has at most so many */

/* Added to the limits, with a quarter of them, for what filters take out. */
#define MORE_TOKENS	200
#define MORE_MESSAGES	16

/* A message as far as it matters here. */
struct row {
	int64_t seq, turn;
	enum ctx_role role;
	uint64_t cost;
	int odd;		/* a record that is not a message */
};

/* Messages that are read at once, and what was found on the way back. */
struct walk {
	struct ctx_recent *r;
	struct ctx_convo c;
	const struct ctx_dialect *dialect;
	int unfit;		/* there is one that no part will do for */
	struct row *row;
	size_t n, cap;

	uint64_t cost, messages;	/* of what comes after the next row */
	int speaks;		/* it begins with an assistant's, */
	int64_t seq, turn;	/* which is this message */
};

/*
 * Is the record a single message, on which nothing else depends than its turn?
 * Results that may come anywhere, records that form a tree and side
 * conversations need the whole log.
 */
static int
is_fit(const struct ctx_rec *rec, const struct ctx_dialect *d)
{
	if (rec->shape != CTX_REC_MESSAGE || rec->nmsg != 1 ||
	    rec->thread.p != NULL || rec->elsewhere)
		return 0;
	return d == NULL || (!(d->rules & (CTX_RULE_ANYWHERE | CTX_RULE_LOG |
	    CTX_RULE_SESSION)) && d->branches == NULL && d->chain == NULL &&
	    d->settle == NULL && d->wraps == NULL && !d->is_export);
}

/*
 * Count what no filter makes shorter unless it is asked to, or take the number
 * in the message.
 */
static int
weigh(struct walk *w, struct row *row, struct ctx_err *err)
{
	const struct ctx_convo *c = &w->c;
	struct ctx_cost *k = w->r->cost;
	struct ctx_refs_key ref;
	uint64_t n;
	uint32_t i;

	CTX_FOR_PARTS(c, 0, i) {
		w->unfit |= ctx_refs_parse(ctx_part_text(c, i), &ref);
		if (w->r->tokens == 0 || k->key != NULL ||
		    (c->part[i].kind != CTX_TEXT &&
		    c->part[i].kind != CTX_CALL))
			continue;
		if (ctx_cost_part(k, c, i, &n, err) == -1)
			return -1;
		row->cost += n;
	}
	return w->r->tokens > 0 && k->key != NULL ?
	    ctx_cost_msg(k, c, 0, &row->cost, err) : 0;
}

/* Note a message.  A ctx_message_fn. */
static int
take(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct walk *w = arg;
	struct row row = { .seq = m->seq, .turn = m->turn };
	const struct ctx_rec *rec;

	if (CTX_ROOM(w->row, w->n, &w->cap) == -1)
		return ctx_fail_nomem(err);
	if (ctx_dialect_line(&w->c, w->dialect, m->raw, m->len, err) == -1)
		return -1;
	rec = &w->c.rec[0];
	row.odd = rec->shape == CTX_REC_OTHER && rec->nmsg == 0;
	if (!row.odd && !is_fit(rec, w->c.dialect))
		w->unfit = 1;
	if (!row.odd && !w->unfit) {
		row.role = w->c.msg[0].role;
		w->unfit |= (w->c.msg[0].flags & (CTX_SUMMARY | CTX_JOINED |
		    CTX_BOUNDARY)) != 0;
		if (row.role != CTX_SYSTEM && weigh(w, &row, err) == -1)
			return -1;
	}
	if (w->c.dialect != NULL)
		w->dialect = w->c.dialect;
	w->row[w->n++] = row;
	return 0;
}

/* Are the messages so far more than the cut can keep? */
static int
is_enough(const struct walk *w)
{
	const struct ctx_recent *r = w->r;

	return (r->tokens == 0 || w->cost > r->tokens + r->tokens / 4 +
	    MORE_TOKENS) && (r->messages == 0 || w->messages > r->messages +
	    r->messages / 4 + MORE_MESSAGES);
}

/*
 * Is there a turn's beginning after this row, which is the one before: an
 * assistant's message after one of another role?
 */
static int
begins_after(const struct row *row, int speaks)
{
	return speaks && !row->odd && row->role != CTX_ASSISTANT &&
	    row->role != CTX_SYSTEM;
}

/* Walk back over the rows; sets r->from where the part can begin. */
static void
walk_back(struct walk *w)
{
	const struct row *row;
	size_t i;

	for (i = w->n; i-- > 0;) {
		row = &w->row[i];
		if (begins_after(row, w->speaks) && is_enough(w)) {
			w->r->from = w->seq;
			break;
		}
		w->speaks = !row->odd && row->role == CTX_ASSISTANT;
		w->seq = row->seq;
		w->turn = row->turn;
		if (row->odd || row->role == CTX_SYSTEM)
			continue;
		w->cost += row->cost;
		w->messages++;
	}
	w->n = 0;
}

/* All of the log, which is the same one each time it is read. */
static struct ctx_range
all_of(struct ctx_recent *r)
{
	struct ctx_range range = CTX_RANGE_ALL;

	range.same = &r->same;
	return range;
}

/* Find where the newest messages begin. */
static int
find_from(struct walk *w, struct ctx_err *err)
{
	struct ctx_range range = all_of(w->r);
	int64_t least;

	for (range.last = FIRST;; range.last *= range.last < MOST ? 2 : 1) {
		if (ctx_log_read(w->r->st, &w->r->where, &range, take, w,
		    err) == -1)
			return -1;
		if (w->n == 0 || w->unfit)
			return 0;
		least = w->row[0].seq;
		walk_back(w);
		if (w->r->from != 0 || least == 1)
			return 0;
		range.to_seq = least - 1;
	}
}

/* Note the first message, if it is a user's own words, and read no more. */
static int
take_asked(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct walk *w = arg;

	if (take(m, w, err) == 0 && !w->unfit && !w->row[0].odd &&
	    ctx_group_begins(&w->c, 0))
		w->r->asked = m->seq;
	return -1;
}

/*
 * Find what the newest messages answer: a history that must begin with a user
 * keeps it.  It is where the store says that the turn began.
 */
static int
find_asked(struct walk *w, struct ctx_err *err)
{
	struct ctx_range range = all_of(w->r);

	range.from_turn = range.to_turn = w->turn;
	range.to_seq = w->r->from - 1;
	w->n = 0;
	if (ctx_log_read(w->r->st, &w->r->where, &range, take_asked, w,
	    err) == -1 && err->code != CTX_OK)
		return -1;
	w->unfit |= w->r->asked == 0;
	return 0;
}

/* Find where the beginning ends: before its second turn of the assistant. */
static int
find_head(struct walk *w, struct ctx_err *err)
{
	struct ctx_range range = all_of(w->r);
	const struct row *row;
	int turns = 0;
	size_t i;

	w->dialect = NULL;
	w->n = 0;
	range.to_seq = HEAD;
	if (ctx_log_read(w->r->st, &w->r->where, &range, take, w, err) == -1)
		return -1;
	for (i = 1; i < w->n && !w->unfit; i++) {
		row = &w->row[i];
		if (!begins_after(row - 1, !row->odd &&
		    row->role == CTX_ASSISTANT) || ++turns < 2)
			continue;
		w->r->head = row->seq - 1;
		break;
	}
	return 0;
}

/* What is beside the messages in between: is it for a cut to drop? */
static int
look_beside(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct walk *w = arg;

	if (m->seq <= w->r->head)
		return 0;
	w->n = 0;
	return take(m, w, err);
}

int
ctx_recent_find(struct ctx_recent *r, struct ctx_err *err)
{
	struct ctx_range range = all_of(r);
	struct walk w = { .r = r };
	int rc;

	r->from = r->head = r->asked = 0;
	rc = find_from(&w, err);
	if (rc == 0 && r->from != 0 && !w.unfit)
		rc = find_asked(&w, err);
	if (rc == 0 && r->asked != 0 && !w.unfit)
		rc = find_head(&w, err);
	range.to_seq = r->from - 1;
	if (rc == 0 && r->head != 0 && r->head < r->from && !w.unfit)
		rc = ctx_log_beside(r->st, &r->where, &range, look_beside, &w,
		    err);
	if (r->head == 0 || r->head >= r->from || w.unfit)
		r->from = 0;
	r->dialect = w.dialect;
	ctx_convo_done(&w.c);
	free(w.row);
	return rc;
}

/* Between the beginning and the newest messages. */
struct between {
	struct ctx_recent *r;
	struct ctx_convo c;
	int64_t next;		/* after the last that was passed on */
	ctx_message_fn *fn;
	void *arg;
};

/* Is it no message, whatever the store took its role from?  1, 0 or -1. */
static int
is_odd(struct between *b, const struct ctx_message *m, struct ctx_err *err)
{
	if (ctx_dialect_line(&b->c, b->r->dialect, m->raw, m->len, err) == -1)
		return -1;
	return b->c.rec[0].shape == CTX_REC_OTHER && b->c.rec[0].nmsg == 0;
}

static int
pass_on(struct between *b, const struct ctx_message *m, struct ctx_err *err)
{
	b->next = m->seq + 1;
	return b->fn(m, b->arg, err);
}

/* Pass it on if it is no message, or else read no more.  A ctx_message_fn. */
static int
take_odd(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct between *b = arg;
	int odd = is_odd(b, m, err);

	return odd == 1 ? pass_on(b, m, err) : -1;
}

/* A record that is not a message goes with what is before it. */
static int
put_odd(struct between *b, struct ctx_err *err)
{
	struct ctx_range range = all_of(b->r);

	range.from_seq = b->next;
	range.to_seq = b->r->from - 1;
	if (range.from_seq > range.to_seq)
		return 0;
	return ctx_log_read(b->r->st, &b->r->where, &range, take_odd, b,
	    err) == -1 && err->code != CTX_OK ? -1 : 0;
}

/* Pass on what the newest messages answer, if it is from one of these on. */
static int
put_asked(struct between *b, int64_t to, struct ctx_err *err)
{
	struct ctx_range range = all_of(b->r);
	struct ctx_recent *r = b->r;

	range.from_seq = range.to_seq = r->asked;
	if (r->asked <= r->head || r->asked < b->next || r->asked >= to)
		return 0;
	b->next = r->asked + 1;
	return ctx_log_read(r->st, &r->where, &range, b->fn, b->arg,
	    err) == -1 ? -1 : put_odd(b, err);
}

static int
put_beside(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct between *b = arg;
	int odd;

	if (m->seq <= b->r->head)
		return 0;
	if (put_asked(b, m->seq, err) == -1)
		return -1;
	/* what is no message was passed on with what is before it, or not */
	if (m->seq < b->next || strcmp(m->role, "system") != 0 ||
	    (odd = is_odd(b, m, err)) == 1)
		return 0;
	return odd == -1 || pass_on(b, m, err) == -1 ? -1 : put_odd(b, err);
}

int
ctx_recent_read(struct ctx_recent *r, ctx_message_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct between b = { .r = r, .fn = fn, .arg = arg };
	struct ctx_range range = all_of(r);
	int rc = 0;

	if (r->from != 0) {
		range.to_seq = r->head;
		rc = ctx_log_read(r->st, &r->where, &range, fn, arg, err);
		range.to_seq = r->from - 1;
		if (rc == 0)
			rc = ctx_log_beside(r->st, &r->where, &range,
			    put_beside, &b, err);
		if (rc == 0)
			rc = put_asked(&b, r->from, err);
		range.to_seq = 0;
		range.from_seq = r->from;
	}
	ctx_convo_done(&b.c);
	return rc == -1 ? -1 : ctx_log_read(r->st, &r->where, &range, fn, arg,
	    err);
}
