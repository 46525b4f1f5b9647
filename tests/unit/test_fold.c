/* SPDX-License-Identifier: MIT */
#include "decide/fold.h"

#include "check.h"

/* One letter for each turn: u user, a assistant, t call with its result. */
struct row {
	const char *turns;
	uint64_t cost;		/* of each message */
	uint64_t summary;
	struct ctx_fold f;
	enum ctx_fold_why why;
	size_t cut;
};

#define B7(budget) (budget), { 80, 100 }, { 40, 100 }, 6, 2
#define B4 73142
#define NOTHING 0, 0, 0, 0, 0, 0
#define NONE 0, 0	/* goes out besides the turns */
#define PLAIN NOTHING, NONE

static const struct row table[] = {
	/* never with fewer than 6 turns, however large */
	{ "uauau", 20000, 0, { B7(B4), PLAIN }, CTX_FOLD_SHORT, 0 },
	/* 73142 * 0.8 = 58513.6: 10 * 5851 is below, 10 * 5852 is above */
	{ "uauauauaua", 5851, 0, { B7(B4), PLAIN }, CTX_FOLD_UNDER, 0 },
	{ "uauauauaua", 5851, 3, { B7(B4), PLAIN }, CTX_FOLD_UNDER, 0 },
	{ "uauauauaua", 5851, 4, { B7(B4), PLAIN }, CTX_FOLD_YES, 6 },
	/*
	 * 29256 may stay: 4 * 5852 = 23408 fit, a fifth does not; 6 is a user's
	 */
	{ "uauauauaua", 5852, 0, { B7(B4), PLAIN }, CTX_FOLD_YES, 6 },
	/* exactly 0.8 is 80 of 100; exactly 0.4 may stay */
	{ "uauauaua", 10, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 4 },
	{ "uauauaua", 9, 0, { B7(100), PLAIN }, CTX_FOLD_UNDER, 0 },
	{ "uauauaua", 9, 8, { B7(100), PLAIN }, CTX_FOLD_YES, 4 },
	/* the cut moves forward to a user's turn */
	{ "uauauuauaaa", 10, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 7 },
	{ "uauauatuta", 10, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 7 },
	/* no user's turn follows, so the cut stays at the split */
	{ "uatatatatt", 10, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 6 },
	/* an open question and a pending call stay */
	{ "uauauauaU", 60, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 8 },
	{ "uauauauaua", 60, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 10 },
	{ "uauauauauT", 60, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 9 },
	/* fewer than 2 would be folded */
	{ "uaaaaaaa", 10, 0, { 200, { 40, 100 }, { 40, 100 }, 6, 2, PLAIN }, CTX_FOLD_YES, 8 },
	{ "uuaaaaaaa", 10, 0, { 200, { 45, 100 }, { 40, 100 }, 6, 2, PLAIN }, CTX_FOLD_LITTLE, 0 },
	/* a ratio of 1.0 turns it off */
	{ "uauauaua", 1000, 0, { 100, { 1, 1 }, { 40, 100 }, 6, 2, PLAIN }, CTX_FOLD_OFF, 0 },
	/* the next user's turn would leave less than half of the 40 */
	{ "uatatatataaau", 10, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 9 },
	{ "uatatatataaua", 10, 0, { B7(100), PLAIN }, CTX_FOLD_YES, 11 },
	{ "uauauauaaaaau", 1, 0, { B7(B4), 9, 0, 5, 0, 0, 0, NONE }, CTX_FOLD_YES, 8 },
	{ "uauauauaaauaa", 1, 0, { B7(B4), 9, 0, 5, 0, 0, 0, NONE }, CTX_FOLD_YES, 10 },
	/* a number of messages together with a budget: both are limits */
	{ "uauauauaua", 10, 0, { B7(100), 0, 0, 20, 0, 0, 1, NONE }, CTX_FOLD_YES, 6 },
	{ "uauauauaua", 10, 0, { B7(100), 0, 0, 20, 0, 0, 0, NONE },
	    CTX_FOLD_UNDER, 0 },
	{ "uauauauaua", 7, 0, { B7(100), 0, 0, 20, 0, 0, 1, NONE },
	    CTX_FOLD_UNDER, 0 },
	{ "uauauauaua", 1, 0, { B7(100), 0, 0, 2, 0, 0, 1, NONE }, CTX_FOLD_YES, 8 },
	/* above 20 messages, the last 5 */
	{ "uauauauauauauauauaua", 1, 0, { B7(B4), 20, 0, 5, 0, 0, 0, NONE },
	    CTX_FOLD_UNDER, 0 },
	{ "uauauauauauauauauauau", 1, 0, { B7(B4), 20, 0, 5, 0, 0, 0, NONE },
	    CTX_FOLD_YES, 16 },
	/* above 30 messages or 3000 tokens, a window of 20 */
	{ "uauauauauauauauauauauauaua", 200, 0, { B7(B4), 30, 3000, 20, 0, 0, 0, NONE },
	    CTX_FOLD_YES, 6 },
	/* the older half */
	{ "uauauauaua", 1, 0, { B7(B4), 9, 0, 0, 1, 0, 0, NONE }, CTX_FOLD_YES, 6 },
	{ "uauauaua", 1, 0, { B7(B4), 7, 0, 0, 1, 0, 0, NONE }, CTX_FOLD_YES, 4 },
	/* a call and its result are two messages and one turn */
	{ "utauta", 1, 0, { B7(B4), 0, 0, 4, 0, 0, 0, NONE }, CTX_FOLD_YES, 3 },
	/* what goes out besides the turns counts: 8 * 9 + 8 */
	{ "uauauaua", 9, 0, { B7(100), NOTHING, 0, 7 }, CTX_FOLD_UNDER, 0 },
	{ "uauauaua", 9, 0, { B7(100), NOTHING, 0, 8 }, CTX_FOLD_YES, 4 },
	/* of the 40 that are left, a quarter is the summary's */
	{ "uauauaua", 10, 0, { B7(100), NOTHING, 0, 60 }, CTX_FOLD_YES, 6 },
	{ "uauauaua", 10, 0, { B7(100), NOTHING, 0, 99 }, CTX_FOLD_YES, 8 },
	{ "uauauaua", 10, 3, { B7(B4), 0, 84, 0, 0, 0, 0, 1, 0 },
	    CTX_FOLD_UNDER, 0 },
	{ "uauauaua", 10, 3, { B7(B4), 0, 84, 4, 0, 0, 0, 2, 0 },
	    CTX_FOLD_YES, 4 },
	/* everything, whatever the other limits are */
	{ "u", 1, 0, { B7(B4), 0, 0, 0, 0, 1, 0, NONE }, CTX_FOLD_YES, 1 },
	{ "", 1, 0, { B7(B4), 0, 0, 0, 0, 1, 0, NONE }, CTX_FOLD_LITTLE, 0 }
};

int
main(void)
{
	struct ctx_fold_turn turn[32];
	size_t i, n, cut;

	TEST("the table of cuts");
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct row *r = &table[i];
		int ok;

		for (n = 0; r->turns[n] != '\0'; n++) {
			char c = r->turns[n];

			turn[n].cost = r->cost;
			turn[n].messages = c == 't' || c == 'T' ? 2 : 1;
			turn[n].flags = (c == 'u' || c == 'U' ?
			    CTX_FOLD_USER : 0u) | (c < 'a' ?
			    CTX_FOLD_OPEN : 0u);
		}
		ok = CHECK_STR(ctx_fold_text(ctx_fold_cut(&r->f, turn, n,
		    r->summary, &cut)), ctx_fold_text(r->why));
		if (!CHECK_INT(cut, r->cut) || !ok)
			fprintf(stderr, "\trow %zu: %s\n", i, r->turns);
	}
	return CHECK_DONE("fold");
}
