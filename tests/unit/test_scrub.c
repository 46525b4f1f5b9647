/* SPDX-License-Identifier: MIT */
/* Terminal escapes, repetition, blobs: tables of texts and results. */
#include "text/scrub.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef int scrub_fn(const char *, size_t, const struct ctx_markers *,
    struct ctx_buf *);

#define A10	"aaaaaaaaaa\n"

static const struct {
	scrub_fn *fn;
	const char *in, *out;	/* out NULL: unchanged */
} cases[] = {
	/* ECMA-48: CSI, OSC ended by BEL and by ST, charset, two-byte, C1 */
	{ ctx_scrub_ansi, "plain \xe4\xbd\xa0\n", NULL },
	{ ctx_scrub_ansi, "\x1b[1;31mred\x1b[0m.", "red." },
	{ ctx_scrub_ansi, "a\x1b]0;title\x07" "b", "ab" },
	{ ctx_scrub_ansi, "a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "alink" },
	{ ctx_scrub_ansi, "\x1b(Bx\x1b=y", "xy" },
	{ ctx_scrub_ansi, "\x1bP1$r\x1b\\z", "z" },
	{ ctx_scrub_ansi, "\xc2\x9b" "2Kx", "x" },
	{ ctx_scrub_ansi, "N\bNA\bAM\bME\bE", "NAME" },
	{ ctx_scrub_ansi, "\xe4\xbd\xa0\bx", "x" },
	{ ctx_scrub_ansi, "ding\x07\n\ttab\r\n", "ding\n\ttab\r\n" },
	{ ctx_scrub_ansi, "\x1b\x1b[0m[31mx", "[31mx" },
	{ ctx_scrub_ansi, "end\x1b", "end" },
	{ ctx_scrub_ansi, "\x1b[", "" },
	{ ctx_scrub_ansi, "a\x1b]never ended\nb", "anever ended\nb" },

	{ ctx_scrub_squeeze, "one\ntwo\n", NULL },
	{ ctx_scrub_squeeze, "a\na\na\nb\n", NULL },
	{ ctx_scrub_squeeze, "a\na\na\na\nb\n", NULL },
	/* the note has 33 characters, and so have three such lines */
	{ ctx_scrub_squeeze, A10 A10 A10 A10 "b\n", NULL },
	{ ctx_scrub_squeeze, "é" A10 "é" A10 "é" A10 "é" A10 "b\n",
	    "é" A10 "... (previous line 3 more times)\nb\n" },
	{ ctx_scrub_squeeze, "x\n\n\n\ny\n", "x\n\ny\n" },
	{ ctx_scrub_squeeze, "x\n\ny\n", NULL },
	{ ctx_scrub_squeeze, "x\n  \n\t\n\ny\n", "x\n  \ny\n" },
	{ ctx_scrub_squeeze, "10%\r50%\r100%\ndone", "100%\ndone" },
	{ ctx_scrub_squeeze, "a\r\nb\r\n", NULL },
	{ ctx_scrub_squeeze, "1\r2\r\n", "2\r\n" },
	{ ctx_scrub_squeeze, "x\r\n\r\n\r\n\r\ny\r\n", "x\r\n\r\ny\r\n" },
	{ ctx_scrub_squeeze, "a\r\r\n", "a\r\n" },
	{ ctx_scrub_squeeze, "", NULL },
	{ ctx_scrub_squeeze, "last\rline", "line" },

	{ ctx_scrub_blobs, "short QUJD123 blob", NULL },
	{ ctx_scrub_blobs, "/usr/lib/some/path/that/is/long", NULL }
};

static void
run(size_t i, const char *in, size_t len, const char *want, size_t wantlen)
{
	struct ctx_buf out = { 0 }, again = { 0 };
	int changed = wantlen != len || memcmp(in, want, len) != 0;
	int rc = cases[i].fn(in, len, NULL, &out);

	CHECK_INT(rc, changed);
	if (rc == 1) {
		if (!CHECK(out.len == wantlen && (wantlen == 0 ||
		    memcmp(out.data, want, wantlen) == 0)))
			fprintf(stderr, "\tcase %zu: \"%.*s\"\n", i,
			    (int)out.len, out.data);
		/* a second run changes nothing */
		CHECK_INT(cases[i].fn(out.data, out.len, NULL, &again), 0);
	}
	ctx_buf_done(&out);
	ctx_buf_done(&again);
}

/* 300 characters of base64 in lines of 76, between two words. */
static void
blob(void)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
	    "klmnopqrstuvwxyz0123456789+/";
	struct ctx_buf in = { 0 }, out = { 0 };
	unsigned seed = 1, i;

	ctx_buf_adds(&in, "data: ");
	for (i = 0; i < 300; i++) {
		seed = seed * 1103515245 + 12345;
		if (i > 0 && i % 76 == 0)
			ctx_buf_addc(&in, '\n');
		ctx_buf_addc(&in, alphabet[seed >> 16 & 63]);
	}
	ctx_buf_adds(&in, "== end");
	CHECK_INT(ctx_scrub_blobs(in.data, in.len, NULL, &out), 1);
	CHECK_MEM(out.data, out.len,
	    "data: [base64: 302 characters left out] end");
	ctx_buf_done(&in);
	ctx_buf_done(&out);
}

/* For any bytes, time is bounded and a second run changes nothing. */
static void
noise(void)
{
	static const char alphabet[] = "ab\n\r\b\x1b[]m;\\ 0\x07(";
	struct ctx_buf once = { 0 }, twice = { 0 };
	scrub_fn *const fns[] = { ctx_scrub_ansi, ctx_scrub_squeeze,
	    ctx_scrub_blobs };
	unsigned seed = 7, i, k, len;
	char text[64];

	for (i = 0; i < 30000; i++) {
		len = i % 60;
		for (k = 0; k < len; k++) {
			seed = seed * 1103515245 + 12345;
			text[k] = alphabet[(seed >> 16) %
			    (sizeof(alphabet) - 1)];
		}
		ctx_buf_reset(&once);
		ctx_buf_reset(&twice);
		if (fns[i % 3](text, len, NULL, &once) == 1 &&
		    fns[i % 3](once.data != NULL ? once.data : "", once.len,
		    NULL, &twice) != 0) {
			fprintf(stderr, "\t%.*s\n", (int)len, text);
			break;
		}
	}
	CHECK_INT(i, 30000);	/* a second run never changed anything */
	ctx_buf_done(&once);
	ctx_buf_done(&twice);
}

/* Is a text with so many letters, digits and signs a blob? */
static const struct {
	unsigned upper, lower, digit, sign;
	int blob;
} mixes[] = {
	{ 60, 60, 60, 20, 1 },		/* 200 is the minimum */
	{ 59, 60, 60, 20, 0 },
	{ 25, 95, 60, 20, 1 },		/* an eighth is capitals */
	{ 24, 96, 60, 20, 0 },
	{ 95, 25, 60, 20, 1 },
	{ 96, 24, 60, 20, 0 },
	{ 93, 80, 7, 20, 1 },		/* a thirty-second is digits */
	{ 94, 80, 6, 20, 0 },
	{ 55, 60, 60, 25, 1 },		/* at most an eighth is signs */
	{ 54, 60, 60, 26, 0 },
};

static void
mix(size_t n)
{
	struct ctx_buf in = { 0 }, out = { 0 };
	unsigned i;

	ctx_buf_adds(&in, "a: ");
	for (i = 0; i < mixes[n].upper; i++)
		ctx_buf_addc(&in, 'Q');
	for (i = 0; i < mixes[n].lower; i++)
		ctx_buf_addc(&in, 'q');
	for (i = 0; i < mixes[n].digit; i++)
		ctx_buf_addc(&in, '7');
	for (i = 0; i < mixes[n].sign; i++)
		ctx_buf_addc(&in, '+');
	ctx_buf_adds(&in, " b");
	CHECK_INT(ctx_scrub_blobs(in.data, in.len, NULL, &out), mixes[n].blob);
	if (mixes[n].blob)
		CHECK_MEM(out.data, out.len,
		    "a: [base64: 200 characters left out] b");
	ctx_buf_done(&in);
	ctx_buf_done(&out);
}

int
main(void)
{
	size_t i;

	TEST("the table of noise");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *want = cases[i].out != NULL ? cases[i].out :
		    cases[i].in;

		run(i, cases[i].in, strlen(cases[i].in), want, strlen(want));
	}
	RUN(blob());
	TEST("mixes");
	for (i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++)
		mix(i);
	RUN(noise());
	return CHECK_DONE("scrub");
}
