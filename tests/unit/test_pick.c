/* SPDX-License-Identifier: MIT */
/* The lines of a text that matter: tables, laws, and hostile texts. */
#include "text/pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"

/* Lines are known by their words. */
#define WORDS	.thin = 1, .kind = CTX_COMMAND_FILE

/* A text, what was said before it, and what stays; want NULL: all of it. */
static const struct {
	struct ctx_pick_opts opts;
	const char *said, *asked, *text, *want;
} cases[] = {
	/* too short to be looked at, and of too few lines */
	{ { .thin = 100 }, "alpha", "", "alpha\nalpha\nalpha\n", NULL },
	{ { WORDS }, "", "", "one\n", NULL },
	/* a line is known as a whole, unless it is known by its words */
	{ { .thin = 1 }, "alpha beta gamma", "",
	    "alpha\nbeta gamma alpha beta\nalpha beta\nbeta gamma alpha beta\n"
	    "beta gamma alpha beta\n\nalpha\n",
	    "alpha\nbeta gamma alpha beta\nalpha beta\n[... 3 lines]\nalpha\n" },
	{ { .thin = 1 }, "", "",
	    "1. a task that is done\n2. a task that is not\n3. done is not that\n"
	    "4. is that a task not done\nend\n", NULL },
	/* what was said goes; the first line and the last one stay */
	{ { WORDS }, "alpha beta gamma", "",
	    "alpha\nbeta gamma, alpha\nalpha alpha beta gamma\nnew\nbeta\n"
	    "alpha\n",
	    "alpha\n[... 2 lines]\nnew\nbeta\nalpha\n" },
	/* what stands above in the text was said, in any case of letters */
	{ { WORDS }, "", "",
	    "first\nsome words here\nHERE, some: words!\nhere some words here\n"
	    "last",
	    "first\nsome words here\n[... 2 lines]\nlast" },
	/* a note is not longer than what it replaces */
	{ { WORDS }, "", "", "first\nwords\nwords\nwords\nlast\n", NULL },
	/* numbers of lines say nothing; other numbers do */
	{ { WORDS }, "end while", "",
	    "     1\tstart\n     2\tend while\n     3\tend while\n     4\tend 10\n",
	    "     1\tstart\n[... 2 lines]\n     4\tend 10\n" },
	{ { WORDS }, "end while", "",
	    "  1\xe2\x86\x92start\n  2\xe2\x86\x92" "end while\n"
	    "  3\xe2\x86\x92" "end while\n  4\xe2\x86\x92" "end\n",
	    "  1\xe2\x86\x92start\n[... 2 lines]\n  4\xe2\x86\x92" "end\n" },
	/* signs and blank lines say nothing */
	{ { WORDS }, "", "", "a1 {\n      }\n\n    }\n\n\n  }\n\n}\nb1\n",
	    "a1 {\n[... 8 lines]\nb1\n" },
	/* rows stay, and what is above them: their words are known, but not
	   together */
	{ { WORDS }, "open closed apple banana rows state,fruit state fruit", "",
	    "x1\n[2 rows: state,fruit]\nopen,banana\nclosed,apple\n"
	    "open apple, closed banana\ny1\n",
	    "x1\n[2 rows: state,fruit]\nopen,banana\nclosed,apple\n"
	    "[... 1 line]\ny1\n" },
	/* by worth: names before words, new ones before others */
	{ { .max = 60 }, "", "",
	    "first\nplain words and others\nid_12 in src/a.c:7\n"
	    "words and others again\nmore of plain words\nlast\n",
	    "first\n[... 1 line]\nid_12 in src/a.c:7\n[... 2 lines]\nlast\n" },
	{ { .max = 60 }, "id_12 src/a.c:7", "",
	    "first\nplain words and others\nid_12 in src/a.c:7\n"
	    "words and others again\nmore of plain words\nlast\n",
	    "first\n[... 3 lines]\nmore of plain words\nlast\n" },
	/* what was asked for */
	{ { .max = 60 }, "one1 two2", "two2",
	    "first\nthe one1 is in it\nthe two2 is in it\nthe one1 is in it\n"
	    "last\n",
	    "first\n[... 1 line]\nthe two2 is in it\n[... 1 line]\nlast\n" },
	/* lines that are too long themselves are cut, but not of a file */
	{ { .max = 190 }, "", "",
	    "first\n"
	    "x1 x2 x3 x4 x5 x6 x7 x8 x9 y1 y2 y3 y4 y5 y6 y7 y8 y9 z1 z2 z3 "
	    "z4 z5 z6 z7 z8 z9 v1 v2 v3 v4 v5 v6 v7 v8 v9 w1 w2 w3 w4 w5 w6 "
	    "t1 t2 t3 t4 t5 t6 t7 t8 t9 u1 u2 u3 u4 u5 u6 u7 u8 u9 s1 s2 s3\n"
	    "last\n",
	    "first\nx1 x2 x3 x4 x5 x6 x7 x8 x9 y1 y2 [... 155 characters "
	    "left out]\nlast\n" },
	{ { .max = 120 }, "", "",
	    "first\n"
	    "x1 x2 x3 x4 x5 x6 x7 x8 x9 y1 y2 y3 y4 y5 y6 y7 y8 y9 z1 z2 z3 "
	    "z4 z5 z6 z7 z8 z9 v1 v2 v3 v4 v5 v6 v7 v8 v9 w1 w2 w3 w4 w5 w6\n"
	    "last\n",
	    "first\n[... 1 line]\nlast\n" },
	{ { .max = 100, .whole = 1 }, "", "",
	    "first\n"
	    "x1 x2 x3 x4 x5 x6 x7 x8 x9 y1 y2 y3 y4 y5 y6 y7 y8 y9 z1 z2 z3 "
	    "z4 z5 z6 z7 z8 z9 v1 v2 v3 v4 v5 v6 v7 v8 v9 w1 w2 w3 w4 w5 w6\n"
	    "last\n",
	    "first\n[... 1 line]\nlast\n" },
	/* notes of an earlier run stay, and are counted when more goes */
	{ { WORDS }, "alpha", "", "a1\nalpha alpha alpha alpha\n"
	    "[... 3 lines]\nalpha alpha alpha alpha\nb1\n", NULL },
	{ { .max = 40 }, "alpha", "", "a1\nalpha alpha alpha alpha\n"
	    "[... 3 lines]\nalpha alpha alpha alpha\nb1\n",
	    "a1\n[... 5 lines]\nb1\n" },
	/* nothing fits: not by leaving lines out */
	{ { .max = 10 }, "", "", "a long first line\nand another one\nlast\n",
	    NULL },
};

static void
run(size_t i)
{
	struct ctx_pick_opts o = cases[i].opts;
	struct ctx_heard said = { 0 }, asked = { 0 };
	struct ctx_buf out = { 0 }, again = { 0 };
	struct ctx_pick w = { 0 };
	int rc;

	CHECK_INT(ctx_heard_add_text(&said, cases[i].said,
	    strlen(cases[i].said)), 0);
	CHECK_INT(ctx_heard_add_text(&asked, cases[i].asked,
	    strlen(cases[i].asked)), 0);
	o.said = &said;
	o.asked = &asked;
	rc = ctx_pick(&w, &o, cases[i].text, strlen(cases[i].text), &out);
	CHECK_INT(rc, cases[i].want != NULL);
	if (rc == 1 && cases[i].want != NULL) {
		CHECK_MEM(out.data, out.len, cases[i].want);
		CHECK_INT(ctx_pick(&w, &o, out.data, out.len, &again), 0);
	}
	ctx_pick_done(&w);
	ctx_buf_done(&out);
	ctx_buf_done(&again);
	ctx_heard_done(&said);
	ctx_heard_done(&asked);
}

/* Runs of six lines that were sent before go, whatever they say. */
static void
sent(void)
{
	static const char trace[] = "Error: one failed\n  at a.c:1\n"
	    "  at b.c:2\n  at c.c:3\n  at d.c:4\n  at e.c:5\n";
	static const struct { const char *text, *want; } rows[] = {
		{ "first\nError: one failed\n  at a.c:1\n  at b.c:2\n"
		    "  at c.c:3\n  at d.c:4\n  at e.c:5\nlast\n",
		    "first\n[... 6 lines sent before]\nlast\n" },
		/* five lines, of which one is a signal */
		{ "first\nError: one failed\n  at a.c:1\n  at b.c:2\n"
		    "  at c.c:3\n  at d.c:4\nlast\n",
		    "first\nError: one failed\n[... 4 lines]\nlast\n" },
		/* in another order */
		{ "first\n  at a.c:1\nError: one failed\n  at c.c:3\n"
		    "  at b.c:2\n  at e.c:5\n  at d.c:4\nlast\n",
		    "first\n  at a.c:1\nError: one failed\n[... 4 lines]\n"
		    "last\n" }
	};
	struct ctx_heard said = { 0 }, lines = { 0 };
	struct ctx_pick_opts o = { .thin = 1, .said = &said, .sent = &lines };
	struct ctx_buf out = { 0 };
	struct ctx_pick w = { 0 };
	size_t i;

	CHECK_INT(ctx_heard_add_text(&said, trace, strlen(trace)), 0);
	CHECK_INT(ctx_heard_add_lines(&lines, trace, strlen(trace)), 0);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ctx_buf_reset(&out);
		CHECK_INT(ctx_pick(&w, &o, rows[i].text, strlen(rows[i].text),
		    &out), 1);
		CHECK_MEM(out.data, out.len, rows[i].want);
	}
	ctx_pick_done(&w);
	ctx_buf_done(&out);
	ctx_heard_done(&said);
	ctx_heard_done(&lines);
}

static unsigned
next(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16 & 0x7fff;
}

/* Lines of few words, so that many say nothing new. */
static void
make(struct ctx_buf *text, unsigned *seed)
{
	static const char *const words[] = { "alpha", "beta", "x1", "src/a.c",
	    "\xe4\xbd\xa0\xe5\xa5\xbd", "[... 4 lines]", "error:", "}", "" };
	unsigned lines = next(seed) % 60, n, k;

	ctx_buf_reset(text);
	while (lines-- > 0) {
		n = next(seed) % 6;
		for (k = 0; k < n; k++)
			ctx_buf_addf(text, "%s%s", k > 0 ? " " : "",
			    words[next(seed) % 9]);
		if (next(seed) % 9 == 0)
			ctx_buf_addf(text, " n%u", next(seed) % 50);
		if (lines > 0 || next(seed) % 2 == 0)
			ctx_buf_addc(text, '\n');
	}
}

/* Is every line of out a line of text, in its order, or a note? */
static int
is_picked(const struct ctx_buf *text, const struct ctx_buf *out)
{
	size_t at = 0, i, n, m;

	for (i = 0; i < out->len; i += n) {
		n = ctx_scan_newline(out->data + i, out->len - i) + 1;
		n = i + n > out->len ? out->len - i : n;
		if (n > 5 && memcmp(out->data + i, "[... ", 5) == 0)
			continue;
		for (;; at += m) {
			if (at >= text->len)
				return 0;
			m = ctx_scan_newline(text->data + at, text->len - at) +
			    1;
			m = at + m > text->len ? text->len - at : m;
			if (m == n && memcmp(text->data + at, out->data + i,
			    n) == 0)
				break;
		}
		at += m;
	}
	return 1;
}

/* Shorter, of lines of the text, within the limit, and the same when repeated. */
static void
laws(void)
{
	struct ctx_buf text = { 0 }, out = { 0 }, again = { 0 };
	struct ctx_pick w = { 0 };
	struct ctx_pick_opts o;
	unsigned seed = 20261125, i;
	uint64_t chars;

	for (i = 0; i < 4000; i++) {
		make(&text, &seed);
		o = (struct ctx_pick_opts){ .whole = 1, .dense = i & 1,
		    .thin = i & 2 ? 1 + next(&seed) % 100 : 0,
		    .max = i & 4 || !(i & 2) ? 1 + next(&seed) % 400 : 0 };
		ctx_buf_reset(&out);
		if (ctx_pick(&w, &o, text.data, text.len, &out) != 1)
			continue;
		chars = ctx_utf8_count(out.data, out.len);
		CHECK(out.len < text.len || (o.max == 0 && out.len <=
		    text.len));
		CHECK(o.max == 0 || chars <= o.max);
		CHECK(is_picked(&text, &out));
		ctx_buf_reset(&again);
		CHECK_INT(ctx_pick(&w, &o, out.data, out.len, &again), 0);
	}
	ctx_pick_done(&w);
	ctx_buf_done(&text);
	ctx_buf_done(&out);
	ctx_buf_done(&again);
}

/* A megabyte of lines that all share their words, or of one line. */
static void
large(void)
{
	struct ctx_pick_opts o = { .thin = 1, .dense = 1, .max = 5000 };
	struct ctx_buf text = { 0 }, out = { 0 };
	struct ctx_pick w = { 0 };
	unsigned i, k;

	for (i = 0; text.len < 1000000; i++) {
		for (k = 0; k < 40; k++)
			ctx_buf_addf(&text, "w%u ", (i * 7 + k * k) % 997);
		ctx_buf_addc(&text, '\n');
	}
	CHECK_INT(ctx_pick(&w, &o, text.data, text.len, &out), 1);
	CHECK(out.len <= 5000);
	for (i = 0; i < text.len; i++)
		if (text.data[i] == '\n')
			text.data[i] = ' ';
	ctx_buf_reset(&out);
	CHECK_INT(ctx_pick(&w, &o, text.data, text.len, &out), 0);
	ctx_pick_done(&w);
	ctx_buf_done(&text);
	ctx_buf_done(&out);
}

int
main(void)
{
	size_t i;

	TEST("cases");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run(i);
	RUN(sent());
	RUN(laws());
	RUN(large());
	return CHECK_DONE("pick");
}
