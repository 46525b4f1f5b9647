/* SPDX-License-Identifier: MIT */
/* The end of a text that fits; here each character is a token. */
#include "decide/tail.h"

#include <stdlib.h>

#include "check.h"

static unsigned long counted;

static int
chars(void *arg, struct ctx_str s, uint64_t *n, struct ctx_err *err)
{
	(void)arg;
	(void)err;
	counted += s.len;
	*n = ctx_str_chars(s.p, s.len);
	return 0;
}

/* Four characters are a token, and so is an incomplete rest. */
static int
tokens(void *arg, struct ctx_str s, uint64_t *n, struct ctx_err *err)
{
	if (chars(arg, s, n, err) == -1)
		return -1;
	*n = (*n + 3) / 4;
	return 0;
}

static int
fails(void *arg, struct ctx_str s, uint64_t *n, struct ctx_err *err)
{
	(void)arg;
	(void)s;
	(void)n;
	return ctx_fail(err, CTX_ENOMEM, "no");
}

static const struct {
	const char *text;
	uint64_t max;
	const char *want;	/* NULL: nothing fits */
} rows[] = {
	/* for a number below 10, the marker has 28 characters with newline */
	{ "0123456789", 32, "[... 6 characters left out]\\n6789" },
	{ "0123456789", 29, "[... 9 characters left out]\\n9" },
	{ "0123456789", 28, NULL },
	{ "0123456789", 0, NULL },
	{ "0123456789", 36, "[... 1 character left out]\\n123456789" },
	{ "01234\\n6789", 33, "[... 5 characters left out]\\n\\n6789" },
	{ "01234\\u00e96789", 33,
	    "[... 5 characters left out]\\n\\u00e96789" },
	{ "01234\\ud83d\\ude00678", 31,
	    "[... 6 characters left out]\\n678" },
	{ "01234\\ud83d\\ude00678", 32,
	    "[... 5 characters left out]\\n\\ud83d\\ude00678" },
	{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 30,
	    "[... 1 character left out]\\n\xc3\xa9\xc3\xa9\xc3\xa9" },
	{ "x", 99, NULL },
	{ "", 99, NULL },
};

int
main(void)
{
	struct ctx_tail how = { .count = chars };
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_str s;
	size_t i, len = 10000000;
	char *large;
	int rc;

	TEST("the table of tails");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s = (struct ctx_str){ rows[i].text,
		    (uint32_t)strlen(rows[i].text) };
		how.max = rows[i].max;
		rc = ctx_tail(&how, s, &out, &err);
		CHECK_INT(rc, rows[i].want != NULL);
		if (rc == 1)
			CHECK_MEM(out.data, out.len, rows[i].want);
	}
	TEST("a meter that fails");
	s = (struct ctx_str){ "0123456789", 10 };
	CHECK_INT(ctx_tail(&(struct ctx_tail){ .max = 30,
	    .count = fails }, s, &out, &err), -1);
	CHECK_INT(err.code, CTX_ENOMEM);

	TEST("ten million characters");
	/* counting must be proportional to what is kept */
	if ((large = malloc(len)) == NULL)
		abort();
	memset(large, 'a', len);
	counted = 0;
	how.max = 1000;
	s = (struct ctx_str){ large, (uint32_t)len };
	CHECK_INT(ctx_tail(&how, s, &out, &err), 1);
	CHECK_INT(out.len, 1001);	/* \n is two bytes, but one character */
	CHECK(counted < 20000);

	/* also if a token has several characters */
	counted = 0;
	how.count = tokens;
	CHECK_INT(ctx_tail(&how, s, &out, &err), 1);
	CHECK_INT(out.len, 4001);
	CHECK(counted < 100000);
	free(large);
	ctx_buf_done(&out);
	return CHECK_DONE("tail");
}
