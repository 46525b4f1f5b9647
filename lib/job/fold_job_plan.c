/* SPDX-License-Identifier: MIT */
/* What goes of a conversation, and what stays; see fold_job_impl.h. */
#include "job/fold_job_impl.h"

#include "decide/summary.h"

/*
 * Count what goes out besides the turns: the system messages that are sent, and
 * what a request costs besides its messages.
 */
static int
count_besides(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_charges more;
	uint64_t all, n;
	uint32_t m;

	if (ctx_charge_request(k->opts.cost, f->c, k->opts.along, &more, NULL,
	    err) == -1)
		return -1;
	all = ctx_charges_sum(&more);
	for (m = f->begin; m < f->c->nmsg; m++) {
		if (!ctx_fold_job_fixed(f->c, m) || ctx_fold_job_is_old(f, m))
			continue;
		if (ctx_cost_msg(k->opts.cost, f->c, m, &n, err) == -1)
			return -1;
		all += n;
	}
	f->fold = k->opts.fold;
	f->fold.besides = all;
	f->fold.taken = ctx_fold_job_less(all, k->opts.system_free);
	f->users_room = ctx_ratio_of(f->fold.target, f->fold.budget) / 2;
	f->cut_cost = more.cut;
	return 0;
}

/* Add a turn that begins with message m. */
static int
add_turn(struct ctx_fold_job *k, uint32_t m, struct ctx_err *err)
{
	if (CTX_ROOM(k->turn, k->nturn, &k->capturn) == -1 ||
	    CTX_ROOM(k->turn_msg, k->nturn, &k->capturn_msg) == -1)
		return ctx_fail_nomem(err);
	k->turn[k->nturn] = (struct ctx_fold_turn){ 0 };
	k->turn_msg[k->nturn++] = m;
	return 0;
}

/* List the turns after the earlier summary. */
static int
list_turns(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	struct ctx_fold_turn *t;
	uint64_t n;
	uint32_t m;

	k->nturn = 0;
	for (m = f->first; m < c->nmsg; m++) {
		if (ctx_fold_job_fixed(c, m) || ctx_fold_job_is_old(f, m))
			continue;
		if ((k->nturn == 0 || !k->groups.more[m]) &&
		    add_turn(k, m, err) == -1)
			return -1;
		t = &k->turn[k->nturn - 1];
		if (ctx_cost_msg(k->opts.cost, c, m, &n, err) == -1)
			return -1;
		t->cost += n;
		t->messages += !(c->msg[m].flags & CTX_JOINED);
		if (k->turn_msg[k->nturn - 1] == m && ctx_group_begins(c, m))
			t->flags |= CTX_FOLD_USER;
		if (ctx_group_waits(c, m))
			t->flags |= CTX_FOLD_OPEN;
	}
	if (k->nturn > 0 && k->turn[k->nturn - 1].flags & CTX_FOLD_USER)
		k->turn[k->nturn - 1].flags |= CTX_FOLD_OPEN;
	return 0;
}

/*
 * A record that replaces what is before it goes as a whole, or what replaces it
 * in turn would not be sent.  Returns the number of turns that go then.
 */
static size_t
whole_boundary(const struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    size_t cut)
{
	const struct ctx_convo *c = f->c;

	if (f->strand != NULL && f->begin < c->nmsg &&
	    c->msg[f->begin].flags & CTX_BOUNDARY)
		while (cut < k->nturn && c->msg[k->turn_msg[cut]].rec ==
		    c->msg[f->begin].rec)
			cut++;
	return cut;
}

/*
 * The form of a new summary: that of the session's program, if nothing stays
 * before it that is then no longer sent.
 */
static enum ctx_summary_form
form_of(const struct ctx_fold_job *k, const struct ctx_fold_convo *f)
{
	const struct ctx_dialect *d = f->strand == NULL ? NULL :
	    f->strand->dialect;
	uint32_t m;

	if (k->opts.as != CTX_FOLD_AS_OWN || d == NULL || f->strand->sublen > 0)
		return CTX_SUMMARY_MESSAGE;
	for (m = f->begin; m < f->cut; m++)
		if (d->summary != CTX_SUMMARY_LIST &&
		    ctx_fold_job_stays(f, m))
			return CTX_SUMMARY_MESSAGE;
	return d->summary;
}

/* Is message m one of the user's that may stay? */
static int
is_users(const struct ctx_fold_convo *f, uint32_t m)
{
	return ctx_group_begins(f->c, m) && !ctx_fold_job_fixed(f->c, m) &&
	    !ctx_fold_job_is_old(f, m);
}

/*
 * Find the user's words that stay of messages [begin .. end): the newest that
 * fit in f->users_room.  Sets *from to the first of them, CTX_NONE if there is
 * none, and *sum to their tokens.
 */
static int
find_users(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const uint32_t range[2], uint32_t *from, uint64_t *sum,
    struct ctx_err *err)
{
	uint64_t n;
	uint32_t m;

	*from = CTX_NONE;
	*sum = 0;
	for (m = range[1]; k->opts.keep_user && m-- > range[0];) {
		if (!is_users(f, m))
			continue;
		if (ctx_cost_msg(k->opts.cost, f->c, m, &n, err) == -1)
			return -1;
		if (n > f->users_room - *sum)
			break;
		*sum += n;
		*from = m;
	}
	return 0;
}

/*
 * The tokens of the user's words that stayed until now.  A state of an earlier
 * version does not say which did: by the present limits, then.
 */
static int
count_users(struct ctx_fold_job *k, struct ctx_fold_convo *f, uint64_t *sum,
    struct ctx_err *err)
{
	const uint32_t range[] = { f->begin, f->first };
	uint64_t n;
	uint32_t m;

	*sum = 0;
	if (f->guess)
		return find_users(k, f, range, &f->users_before, sum, err);
	for (m = f->users_before; m < f->first; m++) {
		if (!is_users(f, m))
			continue;
		if (ctx_cost_msg(k->opts.cost, f->c, m, &n, err) == -1)
			return -1;
		*sum += n;
	}
	return 0;
}

/* Choose how many turns go.  0, or -1 with *err. */
static int
choose(struct ctx_fold_job *k, struct ctx_fold_convo *f, size_t *cut,
    struct ctx_err *err)
{
	uint64_t before;

	if (list_turns(k, f, err) == -1 || count_besides(k, f, err) == -1 ||
	    count_users(k, f, &before, err) == -1)
		return -1;
	f->why = ctx_fold_cut(&f->fold, k->turn, k->nturn,
	    f->old_tokens + before, cut);
	if (f->why == CTX_FOLD_YES && *cut == 0)
		f->why = CTX_FOLD_LITTLE;
	if (f->why == CTX_FOLD_YES)
		*cut = whole_boundary(k, f, *cut);
	return 0;
}

/* Add message m to what goes. */
static int
add_gone(struct ctx_fold_job *k, struct ctx_fold_convo *f, uint32_t m,
    struct ctx_err *err)
{
	uint64_t n;

	if (ctx_cost_msg(k->opts.cost, f->c, m, &n, err) == -1)
		return -1;
	f->folded_tokens += n;
	return 0;
}

/*
 * Add up the turns before cut that go, and the user's words that stayed until
 * now.
 */
static int
add_turns(struct ctx_fold_job *k, struct ctx_fold_convo *f, size_t cut,
    struct ctx_err *err)
{
	uint32_t m;
	size_t i;

	f->kept = k->nturn - cut;
	for (i = 0; i < cut; i++)
		if (ctx_fold_job_stays(f, k->turn_msg[i]))
			f->kept++;
		else {
			f->turns++;
			f->folded_tokens += k->turn[i].cost;
		}
	for (m = f->users_before; m < f->first && m < f->users; m++)
		if (is_users(f, m)) {
			f->turns++;
			if (add_gone(k, f, m, err) == -1)
				return -1;
		}
	return 0;
}

/* Leave all that is not folded yet. */
void
ctx_fold_job_leave(const struct ctx_fold_job *k, struct ctx_fold_convo *f)
{
	f->turns = 0;
	f->kept = k->nturn;
	f->cut = f->first;
	f->users = f->users_before;
}

/* The tokens of the turns that stay. */
static uint64_t
cost_kept(const struct ctx_fold_job *k, size_t cut)
{
	uint64_t n = 0;

	for (; cut < k->nturn; cut++)
		n += k->turn[cut].cost;
	return n;
}

/* Are the tokens that stay limited? */
static int
is_limited(const struct ctx_fold *fold)
{
	return !fold->all && (fold->both || (fold->last == 0 && !fold->half));
}

/* Find the user's words that stay besides the turns that do, kept tokens. */
static int
choose_users(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    uint64_t *kept, struct ctx_err *err)
{
	uint64_t room = ctx_fold_job_less(ctx_fold_room(&f->fold), *kept), n;
	/* what is remembered as folded is in the summary */
	const uint32_t range[] = { !f->recalled ? f->begin :
	    f->users_before < f->first ? f->users_before : f->first, f->cut };

	if (is_limited(&f->fold) && f->users_room > room)
		f->users_room = room;
	if (find_users(k, f, range, &f->users, &n, err) == -1)
		return -1;
	*kept += n;
	return 0;
}

/*
 * What the budget leaves for the summary, if tokens are limited.  If what has to
 * stay is too long by itself, there is no limit: less is better.
 */
static uint64_t
room_of(const struct ctx_fold_convo *f, uint64_t kept)
{
	kept += f->fold.taken + f->cut_cost;
	return !is_limited(&f->fold) || kept > f->fold.budget ? UINT64_MAX :
	    f->fold.budget - kept;
}

/* Plan where to cut, in turns and messages, and add up what goes. */
int
ctx_fold_job_plan(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	uint64_t n;
	size_t cut;
	uint32_t m;

	if (choose(k, f, &cut, err) == -1)
		return -1;
	f->cut = cut < k->nturn ? k->turn_msg[cut] : c->nmsg;
	n = cost_kept(k, cut);
	if (f->why == CTX_FOLD_YES &&
	    (choose_users(k, f, &n, err) == -1 ||
	    add_turns(k, f, cut, err) == -1))
		return -1;
	f->room = room_of(f, n);
	if (f->why == CTX_FOLD_YES && f->turns == 0)
		f->why = CTX_FOLD_LITTLE;
	if (f->why != CTX_FOLD_YES)
		ctx_fold_job_leave(k, f);
	f->form = form_of(k, f);
	for (m = f->old; f->old != CTX_NONE && m < f->old + f->nold; m++)
		if (add_gone(k, f, m, err) == -1)
			return -1;
	return 0;
}
