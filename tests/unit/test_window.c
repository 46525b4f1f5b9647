/* SPDX-License-Identifier: MIT */
/*
 * The cut.  Tables are written by hand; then random sequences are compared with
 * a naive implementation of the same policy, with and without slides.  Giving
 * up items early must never change the result.
 */
#include "decide/window.h"

#include <stdint.h>
#include <stdlib.h>

#include "check.h"

/*
 * Each word is an item: s system, u user, a the assistant's, w the same with a
 * call that waits, t another message, r a record that is not a message; + if it belongs to the previous group, ! if it is pinned, then
 * the cost (default 10).  The expected result has 1 for each item that is kept
 * and 0 for others, or "no" and the tokens needed.
 */
static const struct row {
	const char *what, *items, *want;
	struct ctx_win_opts o;
	uint64_t need;
	size_t gap;
} rows[] = {
	{ "nothing", "", "", { .last = 1 }, 0, 0 },
	{ "the last three", "u a u a u", "00111", { .last = 3 }, 0, 2 },
	{ "a limit above their number", "u a u", "111", { .last = 9 }, 0, 0 },
	{ "system messages stay wherever they are", "s u s a s u", "101011",
	    { .last = 1 }, 0, 4 },
	{ "only system messages", "s s", "11", { .last = 1 }, 0, 0 },
	{ "a group across the limit is kept", "u a a+ a+ a", "01111",
	    { .last = 2 }, 0, 1 },
	{ "or dropped", "u a a+ a+ a", "00001",
	    { .last = 2, .edge_drop = 1 }, 0, 4 },
	{ "a group at the limit fits", "u a a+ a+ a", "01111",
	    { .last = 4, .edge_drop = 1 }, 0, 1 },
	{ "the newest group stays whatever N is", "u a a+ a+", "0111",
	    { .last = 1, .edge_drop = 1 }, 0, 1 },
	{ "a system message is not part of the group around it",
	    "u a s a+ u", "01111",
	    { .last = 2 }, 0, 1 },
	{ "other records go with their message", "u r+ a r+ u r+", "000011",
	    { .last = 1 }, 0, 4 },
	{ "other records do not count", "u r+ a r+ u r+", "001111",
	    { .last = 2 }, 0, 2 },

	{ "what fits a budget", "u a u a", "0011",
	    { .tokens = 20, .has_tokens = 1 }, 0, 2 },
	{ "one token less", "u a u a", "0001",
	    { .tokens = 19, .has_tokens = 1 }, 0, 3 },
	{ "with a plain budget, everything counts", "s u a", "101",
	    { .tokens = 20, .has_tokens = 1 }, 0, 2 },
	{ "an allowance for system messages", "s u a", "111",
	    { .tokens = 20, .has_tokens = 1, .system_free = 10 }, 0, 0 },
	{ "what exceeds the allowance is charged", "s12 u a", "101",
	    { .tokens = 20, .has_tokens = 1, .system_free = 11 }, 0, 2 },
	{ "the newest message does not fit", "u a30", "no",
	    { .tokens = 29, .has_tokens = 1 }, 30, 0 },
	{ "the newest group does not fit", "u a a+ a+", "no",
	    { .tokens = 29, .has_tokens = 1 }, 30, 0 },
	{ "a small one before a large one is not kept", "a u99 a a", "0011",
	    { .tokens = 99, .has_tokens = 1 }, 0, 2 },
	{ "the newest before a system message does not fit", "u a s", "no",
	    { .tokens = 19, .has_tokens = 1 }, 20, 0 },
	{ "system messages alone do not fit", "s30 u", "no",
	    { .tokens = 29, .has_tokens = 1 }, 40, 0 },
	{ "a budget of 0", "u0 a0", "11", { .has_tokens = 1 }, 0, 0 },
	{ "both limits, the one of messages is stricter", "u a u a", "0011",
	    { .tokens = 30, .has_tokens = 1, .last = 2, .edge_drop = 1 }, 0,
	    2 },
	{ "both limits, the one of tokens is stricter", "u a u a", "0011",
	    { .tokens = 20, .has_tokens = 1, .last = 3, .edge_drop = 1 }, 0,
	    2 },
	{ "a group larger than N within the budget", "u a a+ a+", "0111",
	    { .tokens = 30, .has_tokens = 1, .last = 1, .edge_drop = 1 }, 0,
	    1 },

	{ "no cut below the trigger", "u a u a", "1111",
	    { .last = 1, .when_messages = 4 }, 0, 0 },
	{ "triggered by messages", "u a u a", "0001",
	    { .last = 1, .when_messages = 3 }, 0, 3 },
	{ "system messages do not trigger", "s s u a", "1111",
	    { .last = 1, .when_messages = 2 }, 0, 0 },
	{ "triggered by tokens", "u a", "01",
	    { .last = 1, .when_messages = 9, .when_tokens = 19 }, 0, 1 },
	{ "not triggered by tokens", "u a", "11",
	    { .last = 1, .when_messages = 9, .when_tokens = 20 }, 0, 0 },
	{ "above the budget, but below the trigger", "u90 a90", "11",
	    { .tokens = 5, .has_tokens = 1, .when_messages = 2 }, 0, 0 },

	{ "the first two stay, and count", "u a u a u a", "110001",
	    { .last = 3, .keep_first = 2 }, 0, 5 },
	{ "the first ones use up N", "u a u a", "1101",
	    { .last = 2, .keep_first = 2 }, 0, 3 },
	{ "the first ones are kept in whole groups", "u a a+ u a", "11101",
	    { .last = 1, .keep_first = 2 }, 0, 4 },
	{ "pinned", "u a! u a", "0101", { .last = 2 }, 0, 3 },
	{ "a pinned message and its group", "u a a+! a+ u a", "011101",
	    { .last = 1 }, 0, 5 },
	{ "a pinned message counts", "a!15 u a", "101",
	    { .tokens = 34, .has_tokens = 1 }, 0, 2 },
	{ "a pinned message does not fit", "a!25 u a", "no",
	    { .tokens = 34, .has_tokens = 1 }, 35, 0 },
	{ "all are pinned", "u! a!", "11", { .last = 1 }, 0, 0 },

	{ "without the last", "u a u a", "0110",
	    { .last = 2, .exclude_last = 1 }, 0, 1 },
	{ "without the last group", "u a u a a+", "01100",
	    { .last = 2, .exclude_last = 1 }, 0, 1 },
	{ "without any message", "s u a", "100",
	    { .last = 2, .exclude_last = 9 }, 0, 0 },
	{ "without the last, below the trigger", "u a u a", "1110",
	    { .last = 1, .exclude_last = 1, .when_messages = 9 }, 0, 0 },
	{ "a pinned last message is not omitted", "u a u a!", "0011",
	    { .last = 2, .exclude_last = 1 }, 0, 2 },
	{ "the newest that is not excluded does not fit", "u a30 a", "no",
	    { .tokens = 29, .has_tokens = 1, .exclude_last = 1 }, 30, 0 },

	{ "the request that the last messages work on", "u a u a a a", "001011",
	    { .last = 3, .start_user = 1 }, 0, 2 },
	{ "no request is needed", "u a u a", "0011",
	    { .last = 2, .start_user = 1 }, 0, 2 },
	{ "the request and the newest message", "u a u a a", "00101",
	    { .last = 1, .start_user = 1 }, 0, 2 },
	{ "groups are dropped for the request", "u a a+ a a+ a", "100001",
	    { .last = 3, .start_user = 1 }, 0, 0 },
	{ "until a message has a request of its own", "u50 a u a a", "00111",
	    { .tokens = 40, .has_tokens = 1, .start_user = 1 }, 0, 2 },
	{ "groups are dropped for a large request", "u50 a a a", "1001",
	    { .tokens = 60, .has_tokens = 1, .start_user = 1 }, 0, 0 },
	{ "a request that does not fit", "u50 a a", "no",
	    { .tokens = 59, .has_tokens = 1, .start_user = 1 }, 60, 0 },
	{ "a request may exceed N if no tokens are limited", "u a a+", "111",
	    { .tokens = 60, .has_tokens = 1, .last = 1, .edge_drop = 1,
	    .start_user = 1 }, 0, 0 },
	{ "there is no request", "a a a", "001",
	    { .last = 1, .start_user = 1 }, 0, 2 },
	{ "a user message inside a group is not a request",
	    "u a u+ a+ a", "10001",
	    { .last = 2, .start_user = 1, .edge_drop = 1 }, 0, 0 },
	{ "a trailing system message", "u a a s", "1011",
	    { .last = 2, .start_user = 1 }, 0, 0 },
	{ "a pinned request is there already", "u! a u a a", "10001",
	    { .last = 2, .start_user = 1 }, 0, 4 },
	{ "a pinned message needs its request", "u a! u a a", "11001",
	    { .last = 3, .start_user = 1 }, 0, 0 },
	{ "the whole group of the request", "u r+ a a", "1101",
	    { .last = 2, .start_user = 1 }, 0, 0 },

	{ "space for a note if something is cut", "u a a", "001",
	    { .tokens = 25, .has_tokens = 1, .reserve = 10 }, 0, 2 },
	{ "no space for a note if nothing is cut", "u a", "11",
	    { .tokens = 20, .has_tokens = 1, .reserve = 10 }, 0, 0 },
	{ "the newest fits, its note does not", "u a", "no",
	    { .tokens = 15, .has_tokens = 1, .reserve = 10 }, 20, 0 },

	{ "a call that waits stays", "u a u w u u", "000101",
	    { .last = 1 }, 0, 5 },
	{ "with the results of others at the same time", "u w t+ u u", "01101",
	    { .last = 1 }, 0, 4 },
	{ "it waits no more once the assistant speaks", "u w u a u", "00001",
	    { .last = 1 }, 0, 4 },
	{ "it counts", "u w u u", "0101",
	    { .tokens = 29, .has_tokens = 1 }, 0, 3 },
	{ "it does not fit", "u w30 u u", "no",
	    { .tokens = 39, .has_tokens = 1 }, 40, 0 },
	{ "it is among the last that are left out", "u a u w u", "00100",
	    { .last = 1, .exclude_last = 2 }, 0, 2 },

	{ "end on what the assistant answers", "u a u a", "0110",
	    { .last = 2, .end_on = CTX_WIN_END_USER }, 0, 1 },
	{ "a result is that", "u a u a t+ a a", "0011100",
	    { .last = 3, .end_on = CTX_WIN_END_USER }, 0, 2 },
	{ "but not of a call of several", "u w t+", "100",
	    { .last = 3, .end_on = CTX_WIN_END_USER }, 0, 0 },
	{ "end on an answer", "u a u u", "1100",
	    { .last = 2, .end_on = CTX_WIN_END_ASSISTANT }, 0, 0 },
	{ "a call that waits is none", "u a u w", "1100",
	    { .last = 2, .end_on = CTX_WIN_END_ASSISTANT }, 0, 0 },
	{ "end on an answer, below the trigger", "u a u", "110",
	    { .last = 1, .when_messages = 5,
	    .end_on = CTX_WIN_END_ASSISTANT }, 0, 0 },
	{ "there is no answer", "u s u", "no",
	    { .last = 2, .end_on = CTX_WIN_END_ASSISTANT }, 0, 0 },

	{ "the first two", "u a u a", "1100", { .last = 2, .first = 1 }, 0, 0 },
	{ "the first that fit, and the system", "s u a u s", "11001",
	    { .tokens = 35, .has_tokens = 1, .first = 1 }, 0, 0 },
	{ "a small one after a large one is not kept", "u a50 u", "100",
	    { .tokens = 40, .has_tokens = 1, .first = 1 }, 0, 0 },
	{ "the first, in whole groups", "u a t+ u", "1110",
	    { .last = 2, .first = 1 }, 0, 0 },
	{ "or without the last of them", "u a t+ u", "1000",
	    { .last = 2, .first = 1, .edge_drop = 1 }, 0, 0 },
	{ "the first does not fit", "u50 a", "no",
	    { .tokens = 40, .has_tokens = 1, .first = 1 }, 50, 0 },
	{ "the first, ending on a user's", "u a u a u", "11100",
	    { .last = 4, .first = 1, .end_on = CTX_WIN_END_USER }, 0, 0 },
	{ "the first, and what waits", "u a u w u", "11010",
	    { .last = 3, .first = 1 }, 0, 0 },
};

static size_t
parse(const char *s, struct ctx_win_item *item)
{
	struct ctx_win_item *it;
	size_t n = 0;

	while (*s != '\0') {
		it = &item[n++];
		memset(it, 0, sizeof(*it));
		it->cost = 10;
		switch (*s++) {
		case 's': it->flags = CTX_WIN_SYSTEM; break;
		case 'u': it->flags = CTX_WIN_USER; break;
		case 'r': it->flags = CTX_WIN_FREE; it->cost = 0; break;
		case 'a': it->flags = CTX_WIN_SPEAKS; break;
		case 'w':
			it->flags = CTX_WIN_SPEAKS | CTX_WIN_WAITS;
			break;
		}
		if (*s == '+')
			it->flags |= CTX_WIN_MORE, s++;
		if (*s == '!')
			it->flags |= CTX_WIN_MUST, s++;
		if (*s >= '0' && *s <= '9')
			it->cost = strtoul(s, (char **)&s, 10);
		if (*s == ' ')
			s++;
	}
	return n;
}

static void
table(void)
{
	const struct row *r;
	struct ctx_win_item item[64];
	struct ctx_win_cut cut;
	struct ctx_window w;
	struct ctx_err err;
	char got[65];
	size_t i, n;

	for (r = rows; r < rows + sizeof(rows) / sizeof(rows[0]); r++) {
		n = parse(r->items, item);
		memset(&err, 0, sizeof(err));
		ctx_window_init(&w, &r->o);
		for (i = 0; i < n; i++)
			if (ctx_window_add(&w, &item[i], &err) == -1)
				abort();
		if (ctx_window_end(&w, &cut, &err) == -1) {
			CHECK_INT(err.code, CTX_ENO);
			CHECK_INT(cut.need, r->need);
			strcpy(got, "no");
		} else {
			for (i = 0; i < n; i++)
				got[i] = w.item[i].flags & CTX_WIN_KEPT ? '1' :
				    '0';
			got[n] = '\0';
			CHECK_INT(cut.gap, r->gap);
		}
		if (!CHECK_STR(got, r->want))
			fprintf(stderr, "\t%s: %s\n", r->what, r->items);
		ctx_window_done(&w);
	}
}

/* --- the naive implementation -------------------------------------------- */

#define MAX 400

struct naive {
	const struct ctx_win_opts *o;
	struct ctx_win_item item[MAX];
	int group[MAX];			/* -1: system */
	size_t n;
	unsigned char in[MAX];
	uint64_t need;
};

static int
message(const struct ctx_win_item *it)
{
	return !(it->flags & (CTX_WIN_SYSTEM | CTX_WIN_FREE));
}

static int
stays(const struct ctx_win_item *it)
{
	return (it->flags & (CTX_WIN_SYSTEM | CTX_WIN_MUST)) != 0;
}

/* Number the groups; what must stay makes its whole group stay. */
static void
naive_groups(struct naive *v)
{
	uint64_t seen = 0;
	size_t i, k;
	int g = -1;

	for (i = 0; i < v->n; i++) {
		v->group[i] = -1;
		if (v->item[i].flags & CTX_WIN_SYSTEM)
			continue;
		if (!(v->item[i].flags & CTX_WIN_MORE))
			g = (int)i;
		v->group[i] = g;
		if (message(&v->item[i]) && ++seen <= v->o->keep_first)
			v->item[i].flags |= CTX_WIN_MUST;
	}
	for (i = 0; i < v->n; i++)
		for (k = 0; k < v->n; k++)
			if (v->item[i].flags & CTX_WIN_MUST &&
			    v->group[k] == v->group[i])
				v->item[k].flags |= CTX_WIN_MUST;
}

/* Keep the groups with first <= number < end, and the group extra. */
static void
naive_in(struct naive *v, int first, int end, int extra)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		v->in[i] = stays(&v->item[i]) || (v->group[i] >= first &&
		    v->group[i] < end) || v->group[i] == extra;
}

static uint64_t
naive_messages(const struct naive *v)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < v->n; i++)
		n += v->in[i] && message(&v->item[i]);
	return n;
}

static uint64_t
naive_cost(const struct naive *v, uint64_t reserve)
{
	uint64_t n = reserve, sys = 0;
	size_t i;

	for (i = 0; i < v->n; i++)
		if (v->item[i].flags & CTX_WIN_SYSTEM)
			sys += v->item[i].cost;
		else if (v->in[i])
			n += v->item[i].cost;
	return n + (sys > v->o->system_free ? sys - v->o->system_free : 0);
}

static int
naive_holds(const struct naive *v, int edge_drop, uint64_t reserve)
{
	if (v->o->has_tokens && naive_cost(v, reserve) > v->o->tokens)
		return 0;
	return v->o->last == 0 || !edge_drop || naive_messages(v) <= v->o->last;
}

/* The newest group before end that has a message, or -1. */
static int
naive_newest(const struct naive *v, int end)
{
	int g = -1;
	size_t i;

	for (i = 0; i < v->n; i++)
		if (v->group[i] >= 0 && v->group[i] < end &&
		    message(&v->item[i]))
			g = v->group[i];
	return g;
}

/* The earliest group such that it and all later ones fit. */
static int
naive_first(struct naive *v, int end, uint64_t reserve)
{
	int newest = naive_newest(v, end), first = end, g;
	uint64_t before, after;
	size_t i;

	for (i = v->n; i-- > 0;) {
		g = v->group[i];
		if (g != (int)i || g >= end)
			continue;
		naive_in(v, first, end, -2);
		before = naive_messages(v);
		naive_in(v, g, end, -2);
		after = naive_messages(v);
		if (!naive_holds(v, 0, reserve) && !(v->item[i].flags &
		    CTX_WIN_MUST))
			break;
		if (v->o->last != 0 && g < newest && after > v->o->last &&
		    after > before && (v->o->edge_drop ||
		    before >= v->o->last))
			break;
		first = g;
	}
	return first;
}

static int
naive_begins(const struct naive *v, size_t i)
{
	return v->item[i].flags & CTX_WIN_USER && v->group[i] == (int)i;
}

/* The group that must be kept before the others, or -2. */
static int
naive_request(const struct naive *v, int end)
{
	size_t i = 0;

	while (i < v->n && !(v->in[i] && message(&v->item[i]) &&
	    v->group[i] < end))
		i++;
	if (i == v->n || naive_begins(v, i))
		return -2;
	while (i-- > 0)
		if (naive_begins(v, i))
			return (int)i;
	return -2;
}

/* Does the group g end as o says? */
static int
naive_ends(const struct naive *v, int g)
{
	int speaks = 0, waits = 0;
	size_t i;

	for (i = 0; i < v->n; i++)
		if (v->group[i] == g) {
			waits |= (v->item[i].flags & CTX_WIN_WAITS) != 0;
			if (message(&v->item[i]))
				speaks = (v->item[i].flags &
				    CTX_WIN_SPEAKS) != 0;
		}
	return !waits && speaks == (v->o->end_on == CTX_WIN_END_ASSISTANT);
}

/* Leave out the groups after the last one that ends as o says. */
static int
naive_end(const struct naive *v, int end)
{
	int g;

	while (v->o->end_on != CTX_WIN_END_ANY && end > 0) {
		g = naive_newest(v, end);
		if (g == -1)
			return 0;
		if (naive_ends(v, g))
			break;
		end = g;
	}
	return end;
}

/* What waits must stay. */
static void
naive_wait(struct naive *v, int end)
{
	int waits = -1;
	size_t i;

	for (i = 0; i < v->n; i++)
		if (v->item[i].flags & CTX_WIN_WAITS)
			waits = v->group[i];
		else if (v->item[i].flags & CTX_WIN_SPEAKS &&
		    !(v->item[i].flags & CTX_WIN_MORE))
			waits = -1;
	for (i = 0; i < v->n && waits >= 0 && waits < end; i++)
		if (v->group[i] == waits)
			v->item[i].flags |= CTX_WIN_MUST;
}

/* The first groups that fit; the first with a message does in any case. */
static void
naive_oldest(struct naive *v, int *end)
{
	int stop = *end, had = 0;
	uint64_t before, after;
	size_t i;

	for (i = 0, *end = 0; i < v->n && (int)i < stop; i++) {
		if (v->group[i] != (int)i)
			continue;
		naive_in(v, 0, (int)i, -2);
		before = naive_messages(v);
		naive_in(v, 0, (int)i + 1, -2);
		after = naive_messages(v);
		if (had && (!naive_holds(v, 0, 0) || (v->o->last != 0 &&
		    after > v->o->last && (v->o->edge_drop ||
		    before >= v->o->last))))
			break;
		had |= naive_newest(v, (int)i + 1) >= 0;
		*end = (int)i + 1;
	}
	*end = naive_end(v, *end);
}

/* Sets v->in; returns 0 if it does not fit, with the tokens in v->need. */
static int
naive(struct naive *v)
{
	uint64_t left = v->o->exclude_last, total = 0, messages = 0;
	uint64_t reserve = 0;
	int end = (int)v->n, first, newest, extra, g;
	size_t i;

	naive_groups(v);
	for (i = 0; i < v->n; i++) {
		total += v->item[i].cost;
		messages += (uint64_t)message(&v->item[i]);
	}
	for (i = v->n; i-- > 0 && left > 0;)
		if (message(&v->item[i])) {
			left--;
			end = v->group[i];
		}
	if (left > 0)
		end = 0;
	end = naive_end(v, end);
	naive_wait(v, v->o->first ? (int)v->n : end);
	if ((v->o->when_messages != 0 || v->o->when_tokens != 0) &&
	    !(v->o->when_messages != 0 && messages > v->o->when_messages) &&
	    !(v->o->when_tokens != 0 && total > v->o->when_tokens)) {
		naive_in(v, -1, end, -2);
		return v->o->end_on == CTX_WIN_END_ANY || end > 0 ||
		    messages == 0;
	}
	if (v->o->first)
		naive_oldest(v, &end);
	newest = naive_newest(v, end);
	first = naive_first(v, end, 0);
	if (newest >= 0 && first > newest)
		first = newest;		/* it will not fit */
	naive_in(v, first, end, -2);
	for (i = 0; i < v->n; i++)
		if (!v->in[i] && v->group[i] < end)
			reserve = v->o->reserve;
	if (reserve != 0)
		first = naive_first(v, end, reserve);
	if (newest >= 0 && first > newest)
		first = newest;
	naive_in(v, first, end, -2);
	extra = v->o->start_user ? naive_request(v, end) : -2;
	if (extra != -2) {
		/* the latest start with which everything fits, or the newest */
		for (g = first; g < (int)v->n; g++) {
			if (g < (int)v->n && v->group[g] != g)
				continue;
			naive_in(v, g, end, -2);
			extra = naive_request(v, end);
			naive_in(v, g, end, extra);
			if ((extra == -2 || naive_holds(v, 1, reserve)) ||
			    g >= newest)
				break;
		}
	}
	if (v->o->first)
		naive_in(v, 0, end, -2);
	v->need = naive_cost(v, reserve);
	if (v->o->has_tokens && v->need > v->o->tokens)
		return 0;
	v->need = 0;
	return v->o->end_on == CTX_WIN_END_ANY || end > 0 || messages == 0;
}

/* --- random sequences ---------------------------------------------------- */

static uint64_t seed = 1;

static unsigned
pick(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static void
random_items(struct naive *v)
{
	static const unsigned long_or_short[] = { 8, 30, MAX };
	unsigned users = 1 + pick(9), groups = 1 + pick(6), pins = pick(40);
	struct ctx_win_item *it;
	int begun = 0;

	v->n = 1 + pick(long_or_short[pick(3)]);
	for (it = v->item; it < v->item + v->n; it++) {
		memset(it, 0, sizeof(*it));
		it->cost = pick(4) == 0 ? pick(40) : 10;
		if (pick(12) == 0) {
			it->flags = CTX_WIN_SYSTEM;
			continue;
		}
		if (pick(10) < users)
			it->flags |= CTX_WIN_USER;
		if (pins > 0 && pick(40) < pins && pick(50) == 0)
			it->flags |= CTX_WIN_MUST;
		if (begun && pick(7) < groups)
			it->flags |= CTX_WIN_MORE;
		if (!(it->flags & CTX_WIN_USER) && pick(3) != 0)
			it->flags |= CTX_WIN_SPEAKS | (pick(9) == 0 ?
			    CTX_WIN_WAITS : 0u);
		if (pick(9) == 0 && it->flags & CTX_WIN_MORE) {
			it->flags &= ~(unsigned)(CTX_WIN_USER |
			    CTX_WIN_SPEAKS | CTX_WIN_WAITS);
			it->flags |= CTX_WIN_FREE;
		}
		begun = 1;
	}
}

static void
random_opts(struct ctx_win_opts *o)
{
	memset(o, 0, sizeof(*o));
	if (pick(2))
		o->last = 1 + pick(pick(2) ? 5 : 60);
	if (pick(2) || o->last == 0) {
		o->has_tokens = 1;
		o->tokens = pick(pick(2) ? 100 : 900);
		o->reserve = pick(4) == 0 ? 12 : 0;
		o->system_free = pick(4) == 0 ? pick(50) : 0;
	}
	o->edge_drop = o->has_tokens || pick(2);
	o->start_user = pick(2) != 0;
	if (pick(5) == 0)
		o->when_messages = 1 + pick(200);
	if (pick(8) == 0)
		o->when_tokens = 1 + pick(2000);
	if (pick(5) == 0)
		o->keep_first = 1 + pick(4);
	if (pick(5) == 0)
		o->exclude_last = 1 + pick(4);
	if (pick(4) == 0)
		o->end_on = pick(2) ? CTX_WIN_END_USER : CTX_WIN_END_ASSISTANT;
	if (pick(5) == 0) {
		o->first = 1;
		o->start_user = 0;
		o->reserve = o->exclude_last = o->keep_first = 0;
	}
}

static int
give_up(void *handle, void *arg)
{
	unsigned char *kept = arg;

	kept[(uintptr_t)handle] = 0;
	return 0;
}

/* As in a stream: slides are between groups, never inside one. */
static int
window(const struct naive *v, int slides, unsigned char *kept, uint64_t *need,
    uint64_t *missing)
{
	struct ctx_win_cut cut;
	struct ctx_window w;
	struct ctx_err err = { 0 };
	struct ctx_win_item it;
	size_t i, next;
	int rc;

	ctx_window_init(&w, v->o);
	memset(kept, 0, MAX);
	for (i = 0; i < v->n; i++) {
		it = v->item[i];
		it.handle = (void *)(uintptr_t)i;
		if (ctx_window_add(&w, &it, &err) == -1)
			abort();
		for (next = i + 1; next < v->n &&
		    v->item[next].flags & CTX_WIN_SYSTEM; next++)
			;
		if (!slides || (next < v->n &&
		    v->item[next].flags & CTX_WIN_MORE))
			continue;
		if (slides == 2)
			w.next_slide = 0;	/* whenever it is possible */
		ctx_window_slide(&w, give_up, kept);
	}
	rc = ctx_window_end(&w, &cut, &err);
	for (i = 0; rc == 0 && i < w.n; i++)
		kept[(uintptr_t)w.item[i].handle] =
		    (w.item[i].flags & CTX_WIN_KEPT) != 0;
	*need = rc == 0 ? 0 : cut.need;
	*missing = cut.dropped;
	ctx_window_done(&w);
	return rc == 0;
}

static void
show(const struct naive *v, const unsigned char *kept, int slides, uint64_t at)
{
	const struct ctx_win_opts *o = v->o;
	unsigned f;
	size_t i;

	fprintf(stderr, "seed %llu slides %d: -n %llu -t %d:%llu free %llu "
	    "note %llu when %llu,%llu first %llu without %llu drop %d user "
	    "%d end %d oldest %d\n", (unsigned long long)at, slides,
	    (unsigned long long)o->last, o->has_tokens,
	    (unsigned long long)o->tokens, (unsigned long long)o->system_free,
	    (unsigned long long)o->reserve,
	    (unsigned long long)o->when_messages,
	    (unsigned long long)o->when_tokens,
	    (unsigned long long)o->keep_first,
	    (unsigned long long)o->exclude_last, o->edge_drop, o->start_user,
	    (int)o->end_on, o->first);
	for (i = 0; i < v->n; i++) {
		f = v->item[i].flags;
		fprintf(stderr, "%s%s%s%d:%c%c ", f & CTX_WIN_SYSTEM ? "s" :
		    f & CTX_WIN_FREE ? "r" : f & CTX_WIN_USER ? "u" :
		    f & CTX_WIN_WAITS ? "w" : f & CTX_WIN_SPEAKS ? "a" : "t",
		    f & CTX_WIN_MORE ? "+" : "", f & CTX_WIN_MUST ? "!" : "",
		    (int)v->item[i].cost, v->in[i] ? '1' : '0',
		    kept[i] ? '1' : '0');
	}
	fprintf(stderr, "(wanted:got)\n");
}

static void
compare(unsigned rounds)
{
	static struct naive v, given;
	unsigned char kept[MAX];
	struct ctx_win_opts o;
	uint64_t need, missing, want, at;
	size_t i;
	int fits, got, slides, bad;

	while (rounds-- > 0) {
		at = seed;
		random_items(&given);
		random_opts(&o);
		given.o = &o;
		v = given;
		fits = naive(&v);
		for (want = 0, i = 0; i < v.n; i++)
			want += !v.in[i] && message(&v.item[i]);
		for (slides = 0; slides < 3; slides++) {
			got = window(&given, slides, kept, &need, &missing);
			bad = got != fits || (fits &&
			    (memcmp(kept, v.in, v.n) != 0 || missing != want));
			bad |= !fits && !slides && need != v.need;
			if (!CHECK(!bad)) {
				show(&v, kept, slides, at);
				fprintf(stderr, "fits %d:%d need %d:%d missing %d:%d\n",
				    fits, got, (int)v.need, (int)need,
				    (int)want, (int)missing);
				return;
			}
		}
	}
}

/* With one large group, no item may cause a pass over all the others. */
static void
large(void)
{
	struct ctx_win_opts o = { .last = 1, .start_user = 1 };
	struct ctx_win_item it = { .cost = 1, .flags = CTX_WIN_USER };
	struct ctx_win_cut cut;
	struct ctx_window w;
	struct ctx_err err = { 0 };
	unsigned i;

	ctx_window_init(&w, &o);
	for (i = 0; i < 400000; i++) {
		ctx_window_add(&w, &it, &err);
		it.flags = i % 3 == 0 ? CTX_WIN_SYSTEM : CTX_WIN_MORE;
	}
	CHECK(ctx_window_end(&w, &cut, &err) == 0);
	CHECK_INT(cut.dropped, 0);
	ctx_window_done(&w);
}

int
main(int argc, char *argv[])
{
	if (argc > 1)
		seed = strtoull(argv[1], NULL, 10);
	RUN(table());
	RUN(large());
	TEST("random conversations, seed %llu", (unsigned long long)seed);
	compare(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 5000);
	return CHECK_DONE("window");
}
