/* SPDX-License-Identifier: MIT */
#include "extract/transcript.h"

#include <stdlib.h>

#include "check.h"

/* A byte is a token. */
static int
cost(void *arg, const char *text, size_t len, uint64_t *n, struct ctx_err *err)
{
	(void)arg;
	(void)text;
	(void)err;
	*n = len;
	return 0;
}

#define SAY(k, s) { CTX_TALK_##k, (s), sizeof(s) - 1, "ls", 2 }

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

int
main(void)
{
	RUN(test_whole());
	RUN(test_results());
	RUN(test_pieces());
	return CHECK_DONE("transcript");
}
