/* SPDX-License-Identifier: MIT */
/*
 * Laws of the cut with a step, with links, with results that are cleared first,
 * and with a partial message, on random conversations that grow.
 */
#include "decide/window.h"

#include <stdint.h>
#include <stdlib.h>

#include "check.h"

#define MAX 300

struct story {
	struct ctx_win_opts o;
	struct ctx_win_item item[MAX];
	int link[MAX];		/* the item referred to; -1: none */
	size_t n;
};

/* What is kept of each item: 0 nothing, 1 all, 2 without body, 3 part. */
struct answer {
	unsigned char how[MAX];
	int fits;
	struct ctx_win_cut cut;
};

static uint64_t seed = 1;

static unsigned
pick(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* User messages, answers, what is joined to one, and calls with their results. */
static void
random_story(struct story *s)
{
	unsigned results = 0, links = pick(3) == 0 ? 6 : 0;
	unsigned thinks = links == 0 && pick(2) ? 40 : 0;
	struct ctx_win_item *it;

	s->n = 20 + pick(MAX - 20);
	for (it = s->item; it < s->item + s->n; it++) {
		memset(it, 0, sizeof(*it));
		it->cost = it->lean = 1 + pick(20);
		it->handle = (void *)(uintptr_t)(it - s->item);
		s->link[it - s->item] = -1;
		if (results > 0) {
			results--;
			it->flags = CTX_WIN_MORE;
			it->cost += pick(60);
		} else if (pick(3) == 0)
			results = 1 + pick(3);
		else
			it->flags = it > s->item && it[-1].flags &
			    (CTX_WIN_TEXT | CTX_WIN_FREE) && pick(6) == 0 ?
			    CTX_WIN_FREE | CTX_WIN_MORE :
			    CTX_WIN_TEXT | (pick(3) == 0 ? CTX_WIN_USER : 0);
		if (pick(30) == 0 && results == 0)
			it->flags = CTX_WIN_SYSTEM;
		else if (thinks > 0 && it->flags == CTX_WIN_TEXT)
			it->thoughts = pick(thinks);
		else if (links > 0 && pick(links) == 0 && it > s->item)
			s->link[it - s->item] = (int)pick((unsigned)(it -
			    s->item));
	}
	s->item[s->n - 1].flags &= ~(unsigned)CTX_WIN_SYSTEM;
}

static void
random_opts(struct story *s)
{
	struct ctx_win_opts *o = &s->o;
	size_t i;

	memset(o, 0, sizeof(*o));
	if (pick(3) > 0) {
		o->has_tokens = o->edge_drop = 1;
		o->tokens = 100 + pick(900);
		o->step = pick(2) ? o->tokens / (2 + pick(4)) : 0;
		o->results_first = pick(3) == 0;
		o->reserve = pick(4) == 0 ? 12 : 0;
		o->partial = o->step == 0 && pick(2) ? 10 : 0;
	} else {
		o->last = 5 + pick(40);
		o->step = pick(2) ? o->last / (2 + pick(3)) : 0;
		o->edge_drop = (int)pick(2);
	}
	o->start_user = (int)pick(2);
	for (i = 0; o->step > 0 && o->results_first && i < s->n; i++)
		s->item[i].thoughts = 0;
}

static int
give_up(void *handle, void *arg)
{
	struct answer *a = arg;

	a->how[(uintptr_t)handle] = 0;
	return 0;
}

/* The thoughts of the items that a user's words do not follow. */
static uint64_t
thoughts(const struct story *s, size_t n, const unsigned char *how)
{
	uint64_t sum = 0;

	while (n-- > 0 && !(s->item[n].flags & CTX_WIN_USER &&
	    (how == NULL || how[n])))
		sum += how == NULL || how[n] ? s->item[n].thoughts : 0;
	return sum;
}

/* Cut the first n items, with or without a slide after each group. */
static void
cut(const struct story *s, size_t n, int slides, struct answer *a)
{
	struct ctx_window w;
	struct ctx_err err = { 0 };
	size_t i, no, held = 0;
	uint64_t turn;

	memset(a, 0, sizeof(*a));
	ctx_window_init(&w, &s->o);
	w.opts.held = &held;
	/* links need the items that they refer to, so all are held back */
	w.opts.held_max = slides == 2 ? SIZE_MAX : 0;
	for (i = 0; i < n; i++) {
		if (ctx_window_add(&w, &s->item[i], &err) == -1 ||
		    (s->link[i] >= 0 && ctx_window_link(&w,
		    (uint64_t)s->link[i], &err) == -1))
			abort();
		turn = thoughts(s, i + 1, NULL);
		if (turn > w.thoughts)
			w.thoughts = turn;
		if (slides == 0 || (i + 1 < s->n &&
		    s->item[i + 1].flags & CTX_WIN_MORE))
			continue;
		w.next_slide = 0;
		ctx_window_slide(&w, give_up, a);
	}
	a->fits = ctx_window_end(&w, &a->cut, &err) == 0;
	for (i = 0; a->fits && i < w.n; i++) {
		no = (uintptr_t)w.item[i].handle;
		if (w.item[i].flags & CTX_WIN_KEPT)
			a->how[no] = i == a->cut.part ? 3 :
			    w.item[i].flags & CTX_WIN_LEAN ? 2 : 1;
	}
	ctx_window_done(&w);
	CHECK_INT(held, 0);
}

static int
counts(const struct ctx_win_item *it)
{
	return !(it->flags & (CTX_WIN_SYSTEM | CTX_WIN_FREE));
}

static int
has_links(const struct story *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->link[i] >= 0)
			return 1;
	return 0;
}

/* Groups are whole, limits are met, and references are not dangling. */
static void
valid(const struct story *s, size_t n, const struct answer *a)
{
	uint64_t cost = thoughts(s, n, a->how), messages = 0;
	size_t i, k, missing = 0;
	int broken = 0, dangling = 0;

	for (i = 0; i < n; i++) {
		for (k = i; s->item[k].flags & CTX_WIN_MORE; )
			do
				k--;
			while (s->item[k].flags & CTX_WIN_SYSTEM);
		broken |= (a->how[i] != 0) != (a->how[k] != 0);
		dangling |= s->link[i] >= 0 && a->how[i] && a->how[i] != 3 &&
		    !a->how[s->link[i]];
		if (a->how[i] == 0)
			missing++;
		else
			messages += (uint64_t)counts(&s->item[i]);
		cost += a->how[i] == 1 ? s->item[i].cost :
		    a->how[i] == 2 ? s->item[i].lean :
		    a->how[i] == 3 ? a->cut.room : 0;
	}
	CHECK(!broken);
	CHECK(!dangling);
	if (s->o.has_tokens)
		CHECK(cost + (missing > 0 ? s->o.reserve : 0) <= s->o.tokens);
	else if (s->o.edge_drop && !s->o.start_user && !has_links(s))
		CHECK(messages <= s->o.last || messages <= 4);
}

/* Where the window seems to begin: at the end of the last gap. */
static size_t
beginning(const struct story *s, size_t n, const struct answer *a)
{
	size_t i = n;

	while (i > 0 && (a->how[i - 1] ||
	    s->item[i - 1].flags & CTX_WIN_SYSTEM))
		i--;
	return i;
}

/* Let the conversation grow group by group. */
static void
grow(const struct story *s)
{
	struct answer now, slid, before = { .fits = 0 };
	uint64_t total = 0, cuts = 0, biggest = 0, group = 0, system = 0;
	uint64_t most = 0, turn;
	int links = has_links(s), slides, results_too_large;
	size_t n, was = 0, is;

	for (n = 1; n <= s->n; n++) {
		total += s->o.has_tokens ? s->item[n - 1].cost : 1;
		if (s->o.has_tokens && !counts(&s->item[n - 1]))
			system += s->item[n - 1].cost;
		group = (s->item[n - 1].flags & CTX_WIN_MORE ? group : 0) +
		    (s->o.has_tokens ? s->item[n - 1].cost : 1);
		biggest = group > biggest ? group : biggest;
		turn = thoughts(s, n, NULL);
		most = turn > most ? turn : most;
		if (n < s->n && s->item[n].flags & CTX_WIN_MORE)
			continue;
		cut(s, n, 0, &now);
		for (slides = links ? 2 : 1; slides <= 2; slides++) {
			cut(s, n, slides, &slid);
			CHECK_INT(slid.fits, now.fits);
			CHECK(!now.fits || memcmp(slid.how, now.how,
			    n) == 0);
			CHECK_INT(slid.cut.room, now.cut.room);
			CHECK_INT(slid.cut.dropped, now.cut.dropped);
		}
		if (!now.fits)
			continue;
		/* groups this large can exceed the half that results have */
		results_too_large = s->o.results_first &&
		    biggest > s->o.tokens / 4;
		valid(s, n, &now);
		is = beginning(s, n, &now);
		if (before.fits && !links && s->o.partial == 0 &&
		    (s->o.step > 1 || !s->o.results_first)) {
			/* it never moves back; if it stays, so does the rest */
			CHECK(is >= was || results_too_large);
			cuts += is != was;
			if (is == was && s->o.step > 1)
				CHECK(s->o.results_first || memcmp(now.how,
				    before.how, was) == 0);
		}
		was = is;
		before = now;
	}
	/* if every window has a position for the cut */
	if (s->o.step > 1 && !links && !s->o.start_user &&
	    !s->o.results_first && system + 2 * biggest + s->o.step + most +
	    s->o.reserve <= (s->o.has_tokens ? s->o.tokens : s->o.last))
		CHECK(cuts <= total / s->o.step + 1);
}

/* The oldest results are cleared first, as few as necessary. */
static void
results_first(void)
{
	struct ctx_win_opts o = { .tokens = 100, .has_tokens = 1,
	    .edge_drop = 1, .results_first = 1 };
	static const struct {
		uint64_t tokens;
		const char *want;	/* for each item, as in struct answer */
	} rows[] = {
		{ 160, "111111" },	/* all */
		{ 159, "121111" },
		{ 120, "121111" },
		{ 119, "121211" },	/* half is 59: the newest, 50 + 5 */
		{ 80, "121211" },
		{ 79, "001211" },	/* then messages are dropped */
		{ 75, "001211" },
		{ 65, "001211" },
		{ 64, "000011" },
		{ 50, "000011" },
		{ 49, "000001" },
	};
	/* calls of 5 with results of 50, or 10 without their bodies; then 5 */
	static const uint64_t cost[] = { 5, 50, 5, 50, 45, 5 };
	struct story s = { .n = 6 };
	struct answer a;
	size_t i, k;

	for (i = 0; i < 6; i++) {
		s.link[i] = -1;
		s.item[i].cost = s.item[i].lean = cost[i];
		s.item[i].handle = (void *)(uintptr_t)i;
		if (i == 1 || i == 3) {
			s.item[i].lean = 10;
			s.item[i].flags = CTX_WIN_MORE;
		}
	}
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s.o = o;
		s.o.tokens = rows[i].tokens;
		cut(&s, 6, 0, &a);
		CHECK(a.fits);
		for (k = 0; k < 6; k++)
			a.how[k] += '0';
		CHECK_MEM((char *)a.how, 6, rows[i].want);
	}
}

/* Many references to one message, or a chain of them, take linear time. */
static void
large(void)
{
	struct ctx_win_opts o = { .last = 100000, .start_user = 1 };
	struct ctx_win_item it = { .cost = 1, .flags = CTX_WIN_TEXT };
	struct ctx_win_cut c;
	struct ctx_window w;
	struct ctx_err err = { 0 };
	uint64_t i;

	ctx_window_init(&w, &o);
	for (i = 0; i < 200000; i++) {
		ctx_window_add(&w, &it, &err);
		if (i > 0)
			ctx_window_link(&w, i % 2 ? i - 1 : i / 2, &err);
	}
	CHECK(ctx_window_end(&w, &c, &err) == 0);
	CHECK(c.kept > 0 && c.kept <= 100001);
	ctx_window_done(&w);
}

int
main(int argc, char *argv[])
{
	static struct story s;
	unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 60;

	if (argc > 1)
		seed = strtoull(argv[1], NULL, 10);
	RUN(results_first());
	RUN(large());
	TEST("random stories, seed %llu", (unsigned long long)seed);
	while (rounds-- > 0) {
		random_story(&s);
		random_opts(&s);
		grow(&s);
	}
	return CHECK_DONE("fit");
}
