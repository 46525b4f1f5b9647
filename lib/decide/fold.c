/* SPDX-License-Identifier: MIT */
/* How much is folded; see fold.h. */
#include "decide/fold.h"

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

static int
is_due(const struct ctx_fold *f, const struct sums *s)
{
	if (f->when_messages != 0 || f->when_tokens != 0)
		return (f->when_messages != 0 &&
		    s->messages > f->when_messages) ||
		    (f->when_tokens != 0 && s->cost > f->when_tokens);
	if (f->last != 0)
		return s->messages > f->last;
	return f->half || s->cost >= ctx_ratio_up(f->trigger, f->budget);
}

/* The number of messages that stay at most. */
static uint64_t
messages_kept(const struct ctx_fold *f, const struct sums *s)
{
	return f->last != 0 ? f->last : s->messages - s->messages / 2;
}

/*
 * The first turn that stays: go back from the newest while they fit.  If all of
 * them fit (an earlier summary alone exceeds the trigger), all are folded.
 */
static size_t
split(const struct ctx_fold *f, const struct ctx_fold_turn *turn, size_t n,
    const struct sums *s)
{
	int by_count = f->last != 0 || f->half;
	uint64_t room = by_count ? messages_kept(f, s) :
	    ctx_ratio_of(f->target, f->budget);
	uint64_t kept = 0, next;
	size_t i;

	for (i = n; i-- > 0; kept += next) {
		next = by_count ? turn[i].messages : turn[i].cost;
		if (next > room - kept)
			return i + 1;
	}
	return by_count ? 0 : n;
}

/*
 * Move the split to the next place where a user speaks, or leave it if there is
 * none.  Unfinished turns stay.
 */
static size_t
at_user(const struct ctx_fold_turn *turn, size_t n, size_t split)
{
	size_t end = n, i;

	while (end > 0 && turn[end - 1].flags & CTX_FOLD_OPEN)
		end--;
	for (i = split; i < n; i++)
		if (turn[i].flags & CTX_FOLD_USER)
			break;
	if (i == n)
		i = split;
	return i < end ? i : end;
}

enum ctx_fold_why
ctx_fold_cut(const struct ctx_fold *f, const struct ctx_fold_turn *turn,
    size_t n, uint64_t summary, size_t *cut)
{
	struct sums s = sum(turn, n);
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
	i = split(f, turn, n, &s);
	if (i < f->min_fold)
		return CTX_FOLD_LITTLE;
	i = at_user(turn, n, i);
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
