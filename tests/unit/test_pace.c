/* SPDX-License-Identifier: MIT */
/* When to change what was already sent. */
#include "decide/pace.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

#define PAYS	.step = CTX_PACE_PAYS
#define MAX	60

/*
 * Messages are u (of the user), a (of the assistant) or x (dropped), with the
 * characters of each; those that have none given have 10.  goes has 1 for each
 * item that goes, in order.
 */
static const struct {
	const char *messages;
	uint64_t chars[MAX];
	struct { uint32_t msg, from; uint64_t gain, tokens; } item[4];
	struct ctx_pace_opts opts;
	const char *goes;
} cases[] = {
	/* It goes when a request begins: 100 are sent again, 900 were sent. */
	{ "uau", { 10, 10, 1000 }, { { 2, 3, 900, 0 } }, { PAYS }, "" },
	{ "uaua", { 10, 10, 990 }, { { 2, 3, 900, 0 } }, { PAYS }, "0" },
	{ "uauau", { 10, 10, 990 }, { { 2, 3, 900, 0 } }, { PAYS }, "1" },
	/* what comes now is not sent again */
	{ "uauau", { 10, 10, 990, 10, 9999 }, { { 2, 3, 900, 0 } }, { PAYS },
	    "1" },
	/* as many as are sent again, or one less */
	{ "uauau", { 10, 10, 1000, 800 }, { { 2, 3, 900, 0 } }, { PAYS }, "1" },
	{ "uauau", { 10, 10, 1000, 801 }, { { 2, 3, 900, 0 } }, { PAYS }, "0" },
	/* twice 900 in two requests, and 1,800 again; or 1,801 */
	{ "uauauau", { 10, 10, 1000, 801, 10, 889 }, { { 2, 3, 900, 0 } },
	    { PAYS }, "1" },
	{ "uauauau", { 10, 10, 1000, 801, 10, 890 }, { { 2, 3, 900, 0 } },
	    { PAYS }, "0" },
	/* it went before that, and stays gone */
	{ "uauauauaua", { 10, 10, 1000, 800, 10, 9999, 10, 9999, 10, 10 },
	    { { 2, 3, 900, 0 } }, { PAYS }, "1" },
	/* not the dropped message, which begins no request */
	{ "uauaxau", { 10, 10, 1000, 801, 0, 10, 10 }, { { 2, 3, 900, 0 } },
	    { PAYS }, "0" },
	/* the second has to pay for itself alone */
	{ "uauauau", { 10, 10, 990, 10, 990, 10, 10 }, { { 2, 3, 900, 0 },
	    { 4, 5, 80, 0 } }, { PAYS }, "10" },
	{ "uauauau", { 10, 10, 990, 10, 990, 10, 10 }, { { 2, 3, 900, 0 },
	    { 4, 5, 500, 0 } }, { PAYS }, "11" },
	/* without a gain only behind one that gains */
	{ "uauau", { 10, 990, 990 }, { { 1, 3, 0, 0 }, { 2, 3, 900, 0 },
	    { 2, 3, 0, 0 } }, { PAYS }, "011" },
	{ "uauau", { 10, 990, 990 }, { { 1, 3, 0, 0 } }, { PAYS }, "0" },

	/* 4,000 may always be sent again; 4,001 only if it is little */
	{ "uauau", { 10, 10, 5000, 4000 }, { { 2, 3, 5000, 0 } }, { PAYS },
	    "1" },
	{ "uauau", { 10, 10, 5000, 4001 }, { { 2, 3, 5000, 0 } }, { PAYS },
	    "0" },
	/* 12.5 x 25748 + 25748 + 12.5 x 9001 = 460110; 115 x 4001 = 460115 */
	{ "uauau", { 25728, 20, 5000, 4001 }, { { 2, 3, 5000, 0 } }, { PAYS },
	    "0" },
	/* 12.5 x 25749 + 25749 + 12.5 x 9001 = 460123 */
	{ "uauau", { 25729, 20, 5000, 4001 }, { { 2, 3, 5000, 0 } }, { PAYS },
	    "1" },

	/* alone: of the second 900, and 20 again; the first does not pay */
	{ "uauauau", { 10, 10, 100, 9990, 10, 10, 10 }, { { 2, 3, 900, 0 },
	    { 4, 5, 900, 0 } }, { PAYS, .partly = 1 }, "10" },
	{ "uauauau", { 10, 10, 100, 9990, 10, 10, 10 }, { { 2, 3, 900, 0 },
	    { 4, 5, 900, 0 } }, { PAYS }, "00" },
	/* together: 900 and 90 are more than 930 */
	{ "uauauau", { 10, 10, 900, 10, 10, 10, 10 }, { { 2, 5, 900, 0 },
	    { 4, 5, 90, 0 } }, { PAYS, .partly = 1 }, "11" },
	{ "uauauau", { 10, 10, 971, 10, 10, 10, 10 }, { { 2, 5, 900, 0 },
	    { 4, 5, 90, 0 } }, { PAYS, .partly = 1 }, "10" },

	/* more than the step, whenever that is */
	{ "uuu", { 0 }, { { 0, 0, 1, 0 }, { 1, 1, 0, 0 }, { 2, 2, 1, 0 } },
	    { .step = 2 }, "111" },
	{ "uuu", { 0 }, { { 0, 0, 1, 0 }, { 1, 1, 0, 0 }, { 2, 2, 1, 0 } },
	    { .step = 3 }, "000" },
	{ "uuu", { 0 }, { { 0, 0, 1, 0 }, { 1, 1, 0, 0 }, { 2, 2, 1, 0 } },
	    { .step = 1 }, "110" },
	{ "uuu", { 0 }, { { 0, 0, 1, 0 }, { 1, 1, 0, 0 }, { 2, 2, 1, 0 } },
	    { .step = 0 }, "111" },

	/* 4 tokens a message; above 11 they go until 7 are left */
	{ "uuuu", { 0 }, { { 0, 0, 1, 3 }, { 1, 1, 1, 3 }, { 2, 2, 1, 3 } },
	    { .step = 1, .when = 11, .down_to = 7 }, "110" },
	{ "uuuu", { 0 }, { { 0, 0, 1, 3 }, { 1, 1, 1, 3 }, { 2, 2, 1, 3 } },
	    { .step = 1, .when = 16, .down_to = 7 }, "000" },
	/* all at the end: 16 - 3 x 3 */
	{ "uuuu", { 0 }, { { 0, 0, 1, 3 }, { 1, 1, 1, 3 }, { 2, 2, 1, 3 } },
	    { .step = 0, .when = 11, .down_to = 7 }, "111" },
	{ "uuuu", { 0 }, { { 0, 0, 1, 3 }, { 1, 1, 1, 3 }, { 2, 2, 1, 3 } },
	    { .step = 0, .when = 11, .down_to = 10 }, "110" },

	/* nothing before both together save 7; what went does not count again */
	{ "uuu", { 0 }, { { 0, 0, 1, 3 }, { 1, 1, 1, 4 } },
	    { .step = 0, .least = 7 }, "11" },
	{ "uuu", { 0 }, { { 0, 0, 1, 3 }, { 1, 1, 1, 4 } },
	    { .step = 0, .least = 8 }, "00" },
	{ "uuuu", { 0 }, { { 0, 0, 1, 9 }, { 1, 1, 1, 1 }, { 2, 2, 1,
	    4 }, { 2, 3, 1, 5 } }, { .step = 1, .least = 10 }, "1100" },
	{ "uauau", { 10, 10, 990, 10 }, { { 2, 3, 900, 5 } }, { PAYS,
	    .least = 5 }, "1" },
	{ "uauau", { 10, 10, 990, 10 }, { { 2, 3, 900, 5 } }, { PAYS,
	    .least = 6 }, "0" },

	/* where messages go, a is 5: 900 in 2 requests are 5 x 360 */
	{ "uauauau", { 10, 10, 1000, 200, 10, 50 }, { { 2, 3, 900, 0 } },
	    { PAYS, .messages = 1 }, "1" },
	{ "uauauau", { 10, 10, 1000, 200, 10, 51 }, { { 2, 3, 900, 0 } },
	    { PAYS, .messages = 1 }, "0" }
};

static void
test_case(size_t i)
{
	const char *s = cases[i].messages;
	struct ctx_msg msg[MAX] = { { 0 } };
	unsigned char drop[MAX] = { 0 };
	struct ctx_convo c = { .msg = msg, .nmsg = (uint32_t)strlen(s) };
	struct ctx_plan plan = { .drop_msg = drop };
	struct ctx_pace w = { 0 };
	struct ctx_pace_item *it;
	char goes[8] = "";
	uint32_t k;

	CHECK_INT(ctx_pace_reset(&w, &c, NULL), 0);
	for (k = 0; k < c.nmsg; k++) {
		msg[k].role = s[k] == 'a' ? CTX_ASSISTANT : CTX_USER;
		drop[k] = s[k] == 'x';
		w.chars[k] = drop[k] ? 0 : cases[i].chars[k] > 0 ?
		    cases[i].chars[k] : 10;
		w.tokens[k] = 4;
	}
	for (k = 0; k < 4 && cases[i].item[k].from < c.nmsg &&
	    (k == 0 || cases[i].item[k].from > 0); k++) {
		it = ctx_pace_add(&w);
		CHECK(it != NULL);
		it->msg = cases[i].item[k].msg;
		it->from = cases[i].item[k].from;
		it->gain = cases[i].item[k].gain;
		it->tokens = cases[i].item[k].tokens;
		it->saves = it->tokens;
	}
	ctx_pace_run(&w, &c, &plan, &cases[i].opts);
	for (k = 0; k < w.n; k++)
		goes[k] = w.item[k].goes ? '1' : '0';
	CHECK_STR(goes, cases[i].goes);
	ctx_pace_done(&w);
}

/*
 * What is cached costs so little that 4,500 are sent again only when they are
 * paid for: 5,000 in 11 requests are more than 51,750.
 */
static void
test_paid(uint32_t requests, int goes)
{
	struct ctx_msg msg[MAX] = { { 0 } };
	unsigned char drop[MAX] = { 0 };
	struct ctx_convo c = { .msg = msg, .nmsg = 3 + 2 * requests };
	struct ctx_plan plan = { .drop_msg = drop };
	struct ctx_pace w = { 0 };
	struct ctx_pace_opts opts = { PAYS };
	struct ctx_pace_item *it;
	uint32_t k;

	CHECK_INT(ctx_pace_reset(&w, &c, NULL), 0);
	for (k = 0; k < c.nmsg; k++)
		msg[k].role = k % 2 ? CTX_ASSISTANT : CTX_USER;
	w.chars[2] = 5000;
	w.chars[3] = 4500;
	it = ctx_pace_add(&w);
	CHECK(it != NULL);
	it->msg = 2;
	it->from = 3;
	it->gain = 5000;
	ctx_pace_run(&w, &c, &plan, &opts);
	CHECK_INT(w.item[0].goes, goes);
	ctx_pace_done(&w);
}

/*
 * What an item takes from a second message is not sent again with the next item,
 * which is before it: 800 in one request, for what is sent again, without 500.
 */
static void
test_also(uint64_t also, int goes)
{
	struct ctx_msg msg[9] = { { 0 } };
	unsigned char drop[9] = { 0 };
	struct ctx_convo c = { .msg = msg, .nmsg = 9 };
	struct ctx_plan plan = { .drop_msg = drop };
	struct ctx_pace w = { 0 };
	struct ctx_pace_opts opts = { PAYS };
	struct ctx_pace_item *it;
	uint32_t k;

	CHECK_INT(ctx_pace_reset(&w, &c, NULL), 0);
	for (k = 0; k < c.nmsg; k++)
		msg[k].role = k % 2 ? CTX_ASSISTANT : CTX_USER;
	w.chars[1] = 1000;
	w.chars[3] = 800;
	w.chars[5] = 500;
	w.chars[6] = 800;
	it = ctx_pace_add(&w);
	CHECK(it != NULL);
	it->msg = 1;
	it->from = 6;
	it->gain = 1500;
	it->also = 5;
	it->also_gain = also;
	it = ctx_pace_add(&w);
	CHECK(it != NULL);
	it->msg = 3;
	it->from = 7;
	it->gain = 800;
	ctx_pace_run(&w, &c, &plan, &opts);
	CHECK_INT(w.item[0].goes, 1);
	CHECK_INT(w.item[1].goes, goes);
	ctx_pace_done(&w);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		RUN(test_case(i));
	RUN(test_paid(10, 0));
	RUN(test_paid(11, 1));
	RUN(test_also(500, 1));
	RUN(test_also(499, 0));
	return CHECK_DONE("pace");
}
