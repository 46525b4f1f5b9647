/* SPDX-License-Identifier: MIT */
/* Which facts of a conversation a summary keeps. */
#include "job/lasting.h"

#include "check.h"

#define SAID(kind, text) \
	{ CTX_TALK_##kind, text, sizeof(text) - 1, NULL, 0, 0 }

static const struct ctx_talk said[] = {
	SAID(SUMMARY, "Asked for class 7B.\nRefs: u_204"),
	SAID(USER, "Book flight HAT140 for 812 dollars, in 2 days, said Ada "
	    "Lovelace, \" : \" on line 7."),
	SAID(CALL, "{\"user_id\":\"u_204\",\"flight_no\": \"HAT140\",\"price\":"
	    "812,\"n\":1,\"note\":\"caf\\u00e9 \\u21165\"}"),
	SAID(RESULT, "{\"seat\":\"31A\",\"code\":\"XQ-9931\"}"),
	SAID(ASSISTANT, "Done: see /tmp/ticket.pdf.\nWe agreed to wait, since "
	    "the price will fall. Undecided is the hotel. \345\206\263\345\256\232"
	    "\347\255\211\345\276\205\346\234\272\347\245\250\351\231\215"
	    "\344\273\267\343\200\202")
};
#define NSAID (sizeof(said) / sizeof(said[0]))

/* A token for each byte. */
static int
cost(void *arg, const char *text, size_t len, uint64_t *n, struct ctx_err *err)
{
	(void)arg;
	(void)text;
	(void)err;
	*n = len;
	return 0;
}

static void
put(struct ctx_buf *b, const char *text)
{
	ctx_buf_reset(b);
	ctx_buf_adds(b, text);
}

/* The facts, with a + for those that were found. */
static const char *
facts(const struct ctx_lasting *k)
{
	static struct ctx_buf b;
	size_t i;

	ctx_buf_reset(&b);
	for (i = 0; i < k->n; i++) {
		ctx_buf_adds(&b, k->v[i].found ? "+" : "-");
		ctx_buf_add(&b, k->v[i].key.p, k->v[i].key.len);
		ctx_buf_addc(&b, ' ');
	}
	return ctx_buf_str(&b);
}

static void
test_look(struct ctx_lasting *k)
{
	struct ctx_buf s = { 0 };

	CHECK_STR(facts(k), "-u_204 -HAT140 -812 -7B -/tmp/ticket.pdf -Ada "
	    "Lovelace ");
	put(&s, "u_2045, xHAT140, 8812, 812.5, 3.812, 7Bc");
	CHECK_INT(ctx_lasting_look(k, &s), 0);
	put(&s, "u_204,HAT140.(812) 7B: 812.");
	CHECK_INT(ctx_lasting_look(k, &s), 4);
	CHECK_STR(facts(k), "+u_204 +HAT140 +812 +7B -/tmp/ticket.pdf -Ada "
	    "Lovelace ");
	ctx_buf_done(&s);
}

static void
test_refs(struct ctx_lasting *k)
{
	struct ctx_extract x = { 100, 0, cost, NULL };
	struct ctx_buf s = { 0 };
	struct ctx_err err = { 0 };

	put(&s, "Booked.");
	ctx_lasting_look(k, &s);
	CHECK_INT(ctx_lasting_refs(k, &x, &s, &err), 0);
	CHECK_STR(ctx_buf_str(&s), "Booked.\nRefs: u_204, HAT140, for 812, 7B, "
	    "/tmp/ticket.pdf, Ada Lovelace");
	CHECK_INT(k->found, 6);
	/* a line that is there goes on; what does not fit is left out */
	put(&s, "Booked.\nRefs: 7B");
	ctx_lasting_look(k, &s);
	x.budget = 40;
	CHECK_INT(ctx_lasting_refs(k, &x, &s, &err), 0);
	CHECK_STR(ctx_buf_str(&s), "Booked.\nRefs: 7B, u_204, HAT140, for 812");
	CHECK_INT(k->found, 4);
	put(&s, "");
	ctx_lasting_look(k, &s);
	x.budget = 12;
	CHECK_INT(ctx_lasting_refs(k, &x, &s, &err), 0);
	CHECK_STR(ctx_buf_str(&s), "Refs: u_204");
	put(&s, "Booked it.");
	ctx_lasting_look(k, &s);
	CHECK_INT(ctx_lasting_refs(k, &x, &s, &err), 0);
	CHECK_STR(ctx_buf_str(&s), "Booked it.");
	ctx_buf_done(&s);
}

static void
test_decided(struct ctx_lasting *k)
{
	struct ctx_extract x = { 200, 0, cost, NULL };
	struct ctx_buf s = { 0 }, out = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(k->ndecided, 2);
	CHECK(k->decided[0].text.len == 45 && memcmp(k->decided[0].text.p,
	    "We agreed to wait, since the price will fall.", 45) == 0);
	put(&s, "Booked.");
	CHECK_INT(ctx_lasting_look_decided(k, &s, &err), 0);
	CHECK_INT(k->decided_found, 0);
	put(&s, "They wait: the price may fall, they agreed.");
	CHECK_INT(ctx_lasting_look_decided(k, &s, &err), 0);
	CHECK_INT(k->decided_found, 1);
	put(&s, "For 812, u_204, HAT140, 7B, Ada Lovelace, /tmp/ticket.pdf; "
	    "\347\255\211\345\276\205\346\234\272\347\245\250\351\231\215"
	    "\344\273\267");
	ctx_lasting_look(k, &s);
	CHECK_INT(ctx_lasting_look_decided(k, &s, &err), 0);
	CHECK_INT(ctx_lasting_list(k, &x, &out, &err), 0);
	CHECK_STR(ctx_buf_str(&out), "Decision: We agreed to wait, since the "
	    "price will fall.\n");
	ctx_buf_done(&s);
	ctx_buf_done(&out);
}

static void
test_list(struct ctx_lasting *k)
{
	struct ctx_extract x = { 90, 0, cost, NULL };
	struct ctx_buf s = { 0 }, out = { 0 };
	struct ctx_err err = { 0 };

	put(&s, "For 812, u_204 got HAT140.");
	ctx_lasting_look(k, &s);
	CHECK_INT(ctx_lasting_list(k, &x, &out, &err), 0);
	CHECK_STR(ctx_buf_str(&out), "7B: Asked for class 7B.\n"
	    "/tmp/ticket.pdf: Done: see /tmp/ticket.pdf.\n");
	ctx_buf_done(&s);
	ctx_buf_done(&out);
}

int
main(void)
{
	struct ctx_lasting k = { 0 }, none = { 0 };
	struct ctx_err err = { 0 };

	TEST("facts of what was said");
	CHECK_INT(ctx_lasting_gather(&k, said, NSAID, NULL, &err), 0);
	RUN(test_look(&k));
	RUN(test_refs(&k));
	RUN(test_list(&k));
	RUN(test_decided(&k));
	CHECK_INT(ctx_lasting_gather(&none, NULL, 0, NULL, &err), 0);
	CHECK_INT(none.n, 0);
	ctx_lasting_done(&k);
	ctx_lasting_done(&none);
	return CHECK_DONE("lasting");
}
