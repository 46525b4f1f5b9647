/* SPDX-License-Identifier: MIT */
/* How much is folded; see fold.h. */
#include "decide/fold.h"

#define NO_LIMIT	UINT64_MAX

struct sums {
	uint64_t cost;
	uint64_t messages;
};

static struct sums
sum(const struct ctx_fold_turn *turn, size_t n)
{
	struct sums s = { 0, 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		s.cost += turn[i].cost;
		s.messages += turn[i].messages;
	}
	return s;
}

/* Is a number of messages that stay given? */
static int
by_count(const struct ctx_fold *f)
{
	return f->last != 0 || f->half;
}

static int
is_due(const struct ctx_fold *f, const struct sums *s)
{
	if (f->when_messages != 0 || f->when_tokens != 0)
		return (f->when_messages != 0 &&
		    s->messages > f->when_messages) ||
		    (f->when_tokens != 0 &&
		    s->cost + f->besides > f->when_tokens);
	if (f->half || (f->last != 0 && s->messages > f->last))
		return 1;
	return (!by_count(f) || f->both) && s->cost + f->taken >=
	    ctx_ratio_up(f->trigger, f->budget);
}

uint64_t
ctx_fold_room(const struct ctx_fold *f)
{
	uint64_t left = f->budget > f->taken ? f->budget - f->taken : 0;

	return left - left / 4;
}

/* The tokens that stay at most. */
static uint64_t
tokens_kept(const struct ctx_fold *f)
{
	uint64_t most = ctx_ratio_of(f->target, f->budget);

	return most < ctx_fold_room(f) ? most : ctx_fold_room(f);
}

/* What may stay at most; all is what there is. */
static struct sums
room_for(const struct ctx_fold *f, const struct sums *all)
{
	struct sums room = { NO_LIMIT, NO_LIMIT };

	if (by_count(f))
		room.messages = f->last != 0 ? f->last :
		    all->messages - all->messages / 2;
	if (!by_count(f) || f->both)
		room.cost = tokens_kept(f);
	return room;
}

/*
 * The first turn that stays: go back from the newest while they fit.  If all of
 * them fit (an earlier summary alone exceeds the trigger), all are folded.
 */
static size_t
split(const struct ctx_fold *f, const struct ctx_fold_turn *turn, size_t n,
    const struct sums *room)
{
	struct sums kept = { 0, 0 };
	size_t i;

	for (i = n; i-- > 0;) {
		if (turn[i].messages > room->messages - kept.messages ||
		    turn[i].cost > room->cost - kept.cost)
			return i + 1;
		kept.messages += turn[i].messages;
		kept.cost += turn[i].cost;
	}
	return by_count(f) ? 0 : n;
}

/* Is what stays from turn i on less than half of what may stay? */
static int
is_little(const struct ctx_fold_turn *turn, size_t i, size_t n,
    const struct sums *room)
{
	struct sums kept = sum(turn + i, n - i);

	return (room->messages == NO_LIMIT ||
	    kept.messages < room->messages - room->messages / 2) &&
	    (room->cost == NO_LIMIT ||
	    kept.cost < room->cost - room->cost / 2);
}

/*
 * Move the split to the next place where a user speaks, or leave it if there is
 * none or too little would stay.  Unfinished turns stay.
 */
static size_t
at_user(const struct ctx_fold_turn *turn, size_t n, size_t split,
    const struct sums *room)
{
	size_t end = n, i;

	while (end > 0 && turn[end - 1].flags & CTX_FOLD_OPEN)
		end--;
	for (i = split; i < n; i++)
		if (turn[i].flags & CTX_FOLD_USER)
			break;
	if (i == n || is_little(turn, i, n, room))
		i = split;
	return i < end ? i : end;
}

enum ctx_fold_why
ctx_fold_cut(const struct ctx_fold *f, const struct ctx_fold_turn *turn,
    size_t n, uint64_t summary, size_t *cut)
{
	struct sums s = sum(turn, n), room;
	size_t i;

	*cut = 0;
	if (f->all) {
		*cut = n;
		return n > 0 ? CTX_FOLD_YES : CTX_FOLD_LITTLE;
	}
	if (f->trigger.num >= f->trigger.den)
		return CTX_FOLD_OFF;
	if (n < f->min_turns)
		return CTX_FOLD_SHORT;
	s.cost += summary;
	if (!is_due(f, &s))
		return CTX_FOLD_UNDER;
	room = room_for(f, &s);
	i = split(f, turn, n, &room);
	if (i < f->min_fold)
		return CTX_FOLD_LITTLE;
	i = at_user(turn, n, i, &room);
	if (i < f->min_fold)
		return CTX_FOLD_LITTLE;
	*cut = i;
	return CTX_FOLD_YES;
}

const char *
ctx_fold_text(enum ctx_fold_why why)
{
	static const char *const text[] = {
		[CTX_FOLD_YES] = "folded",
		[CTX_FOLD_OFF] = "turned off",
		[CTX_FOLD_SHORT] = "too few turns",
		[CTX_FOLD_UNDER] = "under the trigger",
		[CTX_FOLD_LITTLE] = "too little to fold"
	};

	return text[why];
}
