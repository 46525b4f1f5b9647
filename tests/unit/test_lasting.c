/* SPDX-License-Identifier: MIT */
/* Which facts of a conversation a summary keeps. */
#include "job/lasting.h"

#include "check.h"

#define SAID(kind, text) \
	{ CTX_TALK_##kind, text, sizeof(text) - 1, NULL, 0, .failed = 0 }

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

/* Who said what, and whether that decides something. */
static const struct {
	enum ctx_talk_kind kind;
	const char *text;
	int decides;
} sentences[] = {
	{ CTX_TALK_ASSISTANT, "We decided to wait for the prices to fall.", 1 },
	{ CTX_TALK_ASSISTANT, "Decision: the parser stays in C.", 1 },
	{ CTX_TALK_ASSISTANT, "They agreed on blue for all of the pages.", 1 },
	{ CTX_TALK_SUMMARY, "In the end the team settled on SQLite.", 1 },
	{ CTX_TALK_ASSISTANT, "So we are going with the second plan.", 1 },
	{ CTX_TALK_ASSISTANT, "The port was chosen by hand: 8080.", 1 },
	/* what is not decided, or not by them */
	{ CTX_TALK_ASSISTANT, "Have we decided on the colour of the door?", 0 },
	{ CTX_TALK_ASSISTANT, "They have not decided on the colour.", 0 },
	{ CTX_TALK_ASSISTANT, "If we just go with one, we lose it.", 0 },
	{ CTX_TALK_ASSISTANT, "Each case will be decided by its merits.", 0 },
	{ CTX_TALK_ASSISTANT, "I don't want to go with the slow one.", 0 },
	{ CTX_TALK_ASSISTANT, "It is up to them whether they opt for it.", 0 },
	{ CTX_TALK_ASSISTANT, "She attained her chosen profession.", 0 },
	{ CTX_TALK_ASSISTANT, "I totally agree, that looks good.", 0 },
	{ CTX_TALK_ASSISTANT, "The undecided voters go withdrawn home.", 0 },
	/* a user's choices; of an assistant they are steps or offers */
	{ CTX_TALK_USER, "I'll go with the flight at noon, please.", 1 },
	{ CTX_TALK_USER, "Let\342\200\231s use tabs for this.", 1 },
	{ CTX_TALK_USER, "LET'S USE TABS FOR THIS.", 1 },
	{ CTX_TALK_ASSISTANT, "Let's use find to look for it.", 0 },
	{ CTX_TALK_USER, "I'd prefer something that starts after 8.", 1 },
	{ CTX_TALK_ASSISTANT, "I'd prefer something that starts after 8.", 0 },
	{ CTX_TALK_USER, "Please use the card that ends in 7334.", 1 },
	{ CTX_TALK_USER, "I don't need insurance for the trip.", 1 },
	{ CTX_TALK_USER, "Don't use pip, use the mirror instead.", 1 },
	{ CTX_TALK_USER, "He said what the others said instead.", 0 },
	{ CTX_TALK_USER, "Could you please use the other one?", 0 },
	{ CTX_TALK_USER, "Yes, please proceed with the refund.", 1 },
	{ CTX_TALK_USER, "Where would you like to go with it?", 0 },
	/* Chinese */
	{ CTX_TALK_ASSISTANT, "决定等待机票降价。", 1 },
	{ CTX_TALK_ASSISTANT, "我们决定先修复登录的问题。", 1 },
	{ CTX_TALK_ASSISTANT, "大家一致同意下周再开会。", 1 },
	{ CTX_TALK_ASSISTANT, "这也决定了我们的宽度。", 0 },
	{ CTX_TALK_ASSISTANT, "决定了国家软件的高度。", 0 },
	{ CTX_TALK_ASSISTANT, "我非常同意这个判断，说得好。", 0 },
	{ CTX_TALK_ASSISTANT, "咨询之前需要知情同意书。", 0 },
	{ CTX_TALK_ASSISTANT, "你们同意这个方案吗？", 0 },
	{ CTX_TALK_USER, "那就去动物园吧，谢谢你。", 1 },
	{ CTX_TALK_USER, "好的，就去这里，它在哪条路？", 1 },
	{ CTX_TALK_USER, "我选第二家酒店吧。", 1 },
	{ CTX_TALK_USER, "主任马上就去应变。", 0 },
	{ CTX_TALK_USER, "就去哪里吃饭比较好？", 0 },
	{ CTX_TALK_ASSISTANT, "那就去动物园吧，谢谢你。", 0 },
	{ CTX_TALK_USER, "就这个角度来看，这是对的。", 0 }
};

static void
test_sentence(size_t i)
{
	const struct ctx_talk one = { sentences[i].kind, sentences[i].text,
	    strlen(sentences[i].text), NULL, 0,
	    .failed = 0 };
	struct ctx_lasting k = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_lasting_gather(&k, &one, 1, NULL, &err), 0);
	CHECK_INT(k.ndecided, sentences[i].decides);
	ctx_lasting_done(&k);
}

static void
test_list(struct ctx_lasting *k)
{
	struct ctx_extract x = { 74, 0, cost, NULL };
	struct ctx_buf s = { 0 }, out = { 0 };
	struct ctx_err err = { 0 };

	put(&s, "For 812, u_204 got HAT140.");
	ctx_lasting_look(k, &s);
	CHECK_INT(ctx_lasting_list(k, &x, &out, &err), 0);
	CHECK_STR(ctx_buf_str(&out), "7B: Asked for class 7B.\n"
	    "/tmp/ticket.pdf: Done: see /tmp/ticket.pdf.\n");
	/* a decision, of 38 bytes with its name, may take half */
	x.budget = 76;
	ctx_buf_reset(&out);
	CHECK_INT(ctx_lasting_list(k, &x, &out, &err), 0);
	CHECK_STR(ctx_buf_str(&out), "Decision: \345\206\263\345\256\232"
	    "\347\255\211\345\276\205\346\234\272\347\245\250\351\231\215"
	    "\344\273\267\343\200\202\n7B: Asked for class 7B.\n");
	ctx_buf_done(&s);
	ctx_buf_done(&out);
}

int
main(void)
{
	struct ctx_lasting k = { 0 }, none = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	TEST("facts of what was said");
	CHECK_INT(ctx_lasting_gather(&k, said, NSAID, NULL, &err), 0);
	RUN(test_look(&k));
	RUN(test_refs(&k));
	RUN(test_list(&k));
	RUN(test_decided(&k));
	for (i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		TEST("decided: %s", sentences[i].text);
		test_sentence(i);
	}
	CHECK_INT(ctx_lasting_gather(&none, NULL, 0, NULL, &err), 0);
	CHECK_INT(none.n, 0);
	ctx_lasting_done(&k);
	ctx_lasting_done(&none);
	return CHECK_DONE("lasting");
}
