/* SPDX-License-Identifier: MIT */
#include "extract/transcript.h"

#include <stdlib.h>

#include "check.h"

/* A byte is a token, or arg says how many tokens and for how many bytes. */
struct rate {
	uint64_t tokens, bytes;
	unsigned asked, fail;	/* the call that fails, from 1 on; 0: none */
};

static int
cost(void *arg, const char *text, size_t len, uint64_t *n, struct ctx_err *err)
{
	struct rate *r = arg;

	(void)text;
	*n = r != NULL ? len * r->tokens / r->bytes : len;
	return r != NULL && ++r->asked == r->fail ? ctx_fail_nomem(err) : 0;
}

#define SAY(k, s) { CTX_TALK_##k, (s), sizeof(s) - 1, "ls", 2, .failed = 0 }

static void
test_whole(void)
{
	static const struct ctx_talk said[] = {
		SAY(SUMMARY, "old"), SAY(USER, "list it"),
		SAY(CALL, "{\"p\":1}"), SAY(RESULT, "a b"),
		SAY(ASSISTANT, "done")
	};
	struct ctx_extract room = { 1000, 0, cost, NULL };
	struct ctx_transcript t = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_transcript_plan(&t, said, 5, &room, &err), 0);
	CHECK_INT(t.npiece, 1);
	CHECK_INT(ctx_transcript_text(&t, 0, &b, &err), 0);
	CHECK_STR(ctx_buf_str(&b), "USER: list it\nASSISTANT [ls]: {\"p\":1}\n"
	    "TOOL ls: a b\nASSISTANT: done\n");
	ctx_buf_done(&b);
	ctx_transcript_done(&t);
}

/* Results lose their ends, the oldest first, but never the newest. */
static void
test_results(void)
{
	static char big[3001];
	struct ctx_talk said[4] = {
		SAY(RESULT, ""), SAY(RESULT, ""), SAY(USER, "x"),
		SAY(RESULT, "")
	};
	struct ctx_extract room = { 6500, 0, cost, NULL };
	struct ctx_transcript t = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	int i;

	memset(big, 'y', 3000);
	for (i = 0; i < 4; i++)
		if (said[i].kind == CTX_TALK_RESULT) {
			said[i].text = big;
			said[i].len = 3000;
		}
	CHECK_INT(ctx_transcript_plan(&t, said, 4, &room, &err), 0);
	CHECK_INT(t.npiece, 1);
	CHECK_INT(t.nseg, 4);
	CHECK(t.seg[0].cut && t.seg[0].len <= 200 && t.seg[0].len > 150);
	CHECK(!t.seg[1].cut && !t.seg[3].cut);
	CHECK_INT(ctx_transcript_text(&t, 0, &b, &err), 0);
	CHECK(strstr(ctx_buf_str(&b), "\n... (truncated, 3000 chars total)\n")
	    != NULL);
	ctx_buf_done(&b);
	ctx_transcript_done(&t);
}

/* What is still too long is divided into parts, and nothing is lost. */
static void
test_pieces(void)
{
	char text[1501], *p;
	struct ctx_talk said[2] = { SAY(USER, ""), SAY(USER, "end") };
	struct ctx_extract room = { 200, 0, cost, NULL };
	struct ctx_transcript t = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	size_t k, i, n = 0;

	for (i = 0; i < 1500; i += 3)
		memcpy(text + i, "\xe5\xad\xa6", 3);
	said[0].text = text;
	said[0].len = 1500;
	CHECK_INT(ctx_transcript_plan(&t, said, 2, &room, &err), 0);
	CHECK(t.npiece > 7 && t.npiece < 12);
	for (k = 0; k < t.npiece; k++) {
		ctx_buf_reset(&b);
		CHECK_INT(ctx_transcript_text(&t, k, &b, &err), 0);
		CHECK(b.len > 0 && b.len <= 200 + 2);
		for (p = ctx_buf_str(&b); (p = strstr(p, "\xe5\xad\xa6"))
		    != NULL; p += 3)
			n += 3;
	}
	CHECK_INT(n, 1500);
	ctx_buf_done(&b);
	ctx_transcript_done(&t);
}

/*
 * Texts by their kind (u, r: result, s: summary) and length; what they cost;
 * and the segments, text:offset+length, "!" if the rest is left out, with "|"
 * between pieces.  Each line costs 8 more.
 */
static const struct {
	const char *said;
	uint64_t budget, tokens, bytes, cost;
	const char *want;
} plans[] = {
	{ "", 100, 1, 1, 0, "" },
	{ "u5 s9 u6", 100, 1, 1, 27, "0:0+5 2:0+6" },
	/* exactly the budget, and one more; a piece has at least 64 tokens */
	{ "u42 u42", 100, 1, 1, 100, "0:0+42 1:0+42" },
	{ "u42 u43", 100, 1, 1, 101, "0:0+42 | 1:0+43" },
	{ "u56 u1", 10, 1, 1, 73, "0:0+56 | 1:0+1" },
	/* 300 * 100 / 308 * 0.95 is 92; the rest costs 308 - 100 + 8 */
	{ "u300 u3", 100, 1, 1, 319,
	    "0:0+92 | 0:92+91 | 0:183+88 | 0:271+29 1:0+3" },
	{ "u3 u100", 100, 1, 1, 119, "0:0+3 | 1:0+87 | 1:87+13" },
	/* 4000 / 1008 is 3, and 976 remain: 3 * 600 + 580, less 5 % */
	{ "u4000", 600, 1, 4, 1008, "0:0+2261 | 0:2261+1739" },
	/* a byte that costs more than a piece is a piece */
	{ "u3", 100, 1000, 1, 3008, "0:0+1 | 0:1+1 | 0:2+1" },
	/* results: the oldest first, until all fits, and never the newest */
	{ "r3000 r3000 u1 r3000", 6500, 1, 1, 6222,
	    "0:0+189! 1:0+3000 2:0+1 3:0+3000" },
	{ "r3000 r3000 u1 r3000", 6221, 1, 1, 3411,
	    "0:0+189! 1:0+189! 2:0+1 3:0+3000" },
	{ "r3000 r3000 u1 r3000", 6222, 1, 1, 6222,
	    "0:0+189! 1:0+3000 2:0+1 3:0+3000" },
	{ "r3000 u1", 2000, 1, 1, 3017, "0:0+1894 | 0:1894+1106 1:0+1" },
	{ "u3000 r500 r1", 3300, 1, 1, 3211, "0:0+3000 1:0+186! 2:0+1" },
	/* one of up to 400 tokens stays */
	{ "r392 r1", 405, 1, 1, 409, "0:0+392 | 1:0+1" },
	{ "r393 r1", 405, 1, 1, 203, "0:0+186! 1:0+1" }
};

static size_t
talk_of(const char *words, char *text, struct ctx_talk *said)
{
	size_t n = 0;
	char *end;

	for (; *words != '\0'; words = end + (*end == ' ')) {
		said[n] = (struct ctx_talk){ *words == 'r' ? CTX_TALK_RESULT :
		    *words == 's' ? CTX_TALK_SUMMARY : CTX_TALK_USER, text,
		    strtoul(words + 1, &end, 10), "ls", 2,
		    .failed = 0 };
		n++;
	}
	return n;
}

static void
test_plan(size_t row)
{
	static char text[4000];
	struct rate rate = { plans[row].tokens, plans[row].bytes, 0, 0 };
	struct ctx_extract room = { plans[row].budget, 0, cost, &rate };
	struct ctx_transcript t = { 0 };
	struct ctx_talk said[8];
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	size_t n = talk_of(plans[row].said, text, said), k, i;
	unsigned all;

	CHECK_INT(ctx_transcript_plan(&t, said, n, &room, &err), 0);
	CHECK_INT(t.cost, plans[row].cost);
	for (k = 0; k < t.npiece; k++) {
		ctx_buf_adds(&b, k > 0 ? " |" : "");
		for (i = t.piece[k]; i < t.piece[k + 1]; i++)
			ctx_buf_addf(&b, "%s%zu:%zu+%zu%s", b.len > 0 ? " " :
			    "", t.seg[i].said, t.seg[i].off, t.seg[i].len,
			    t.seg[i].cut ? "!" : "");
	}
	CHECK_STR(ctx_buf_str(&b), plans[row].want);
	/* if the tokens of anything cannot be counted, there is no plan */
	for (all = rate.asked; all > 0; all--) {
		rate.asked = 0;
		rate.fail = all;
		CHECK_INT(ctx_transcript_plan(&t, said, n, &room, &err), -1);
	}
	ctx_buf_done(&b);
	ctx_transcript_done(&t);
}

/* What is left out is said in characters, and none is cut in two. */
static void
test_characters(void)
{
	static char text[3001];
	struct ctx_talk said[2] = { SAY(RESULT, ""), SAY(RESULT, "x") };
	struct ctx_extract room = { 500, 0, cost, NULL };
	struct ctx_transcript t = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	text[0] = 'a';
	for (i = 1; i < 3000; i += 2)
		memcpy(text + i, "\xc3\xa9", 2);
	said[0].text = text;
	said[0].len = 2999;
	CHECK_INT(ctx_transcript_plan(&t, said, 2, &room, &err), 0);
	/* 2999 * 200 / 3007 * 0.95 is 189, which ends with a character */
	CHECK_INT(t.seg[0].len, 189);
	said[0].text = text + 1;
	said[0].len = 2998;
	CHECK_INT(ctx_transcript_plan(&t, said, 2, &room, &err), 0);
	CHECK_INT(t.seg[0].len, 188);
	CHECK_INT(ctx_transcript_text(&t, 0, &b, &err), 0);
	CHECK(strstr(ctx_buf_str(&b), "\n... (truncated, 1499 chars total)\n"
	    "TOOL ls: x\n") != NULL);
	ctx_buf_done(&b);
	ctx_transcript_done(&t);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		TEST("%s with %d tokens", plans[i].said, (int)plans[i].budget);
		test_plan(i);
	}
	RUN(test_characters());
	RUN(test_whole());
	RUN(test_results());
	RUN(test_pieces());
	return CHECK_DONE("transcript");
}
