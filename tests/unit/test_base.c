/* SPDX-License-Identifier: MIT */
/* Numbers, UTF-8, buffers, errors. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/fd.h"
#include "base/num.h"
#include "base/utf8.h"
#include "check.h"

#define BAD UINT64_MAX

static const struct {
	const char *text;
	uint64_t n;		/* BAD: refused */
} numbers[] = {
	{ "0", 0 }, { "40", 40 }, { "007", 7 },
	{ "8k", 8000 }, { "8K", 8000 }, { "8Ki", 8192 }, { "1.5k", 1500 },
	{ "0.5Ki", 512 }, { "2m", 2000000 }, { "1Mi", 1048576 },
	{ "1g", 1000000000 }, { "1Gi", 1073741824 },
	{ "1.048576m", 1048576 },
	{ "4294967296", 4294967296u },
	{ "", BAD }, { " 1", BAD }, { "1 ", BAD }, { "-1", BAD },
	{ "+1", BAD }, { "1.5", BAD }, { ".5k", BAD }, { "1.k", BAD },
	{ "k", BAD }, { "1kk", BAD }, { "1ki1", BAD }, { "1i", BAD },
	{ "1t", BAD }, { "0x10", BAD }, { "1e3", BAD }, { "ten", BAD },
	{ "18446744073709551616", BAD }, { "99999999999g", BAD },
	{ "999999999999999999999999", BAD },
};

static const struct {
	const char *text;
	uint64_t num, den;	/* den 0: refused */
} ratios[] = {
	{ "0", 0, 1 }, { "1", 1, 1 }, { "0.6", 6, 10 }, { "0.60", 60, 100 },
	{ "1.0", 10, 10 }, { ".6", 6, 10 }, { ".600", 600, 1000 },
	{ "60%", 60, 100 }, { "100%", 100, 100 }, { "0%", 0, 100 },
	{ "33.3%", 333, 1000 }, { ".5%", 5, 1000 }, { "00.5", 5, 10 },
	{ "0.123456789012345", 123456789012345, 1000000000000000 },
	{ "99.999999999999999%", 99999999999999999, 100000000000000000 },
	{ "1.1", 0, 0 }, { "2", 0, 0 }, { "101%", 0, 0 }, { "", 0, 0 },
	{ "-0.1", 0, 0 }, { "0.6 ", 0, 0 }, { ".", 0, 0 }, { "%", 0, 0 },
	{ "1.", 0, 0 }, { ".%", 0, 0 }, { "50%%", 0, 0 }, { "5e-1", 0, 0 },
	{ "0,5", 0, 0 }, { "nan", 0, 0 }, { "0x1p-1", 0, 0 },
	{ "0.1234567890123456", 0, 0 }, { "100.00000000000001%", 0, 0 },
};

/* n times the ratio, rounded down and up; computed by hand. */
static const struct {
	struct ctx_ratio r;
	uint64_t n, down, up;
} products[] = {
	{ { 60, 100 }, 0, 0, 0 }, { { 60, 100 }, 1, 0, 1 },
	{ { 60, 100 }, 5, 3, 3 }, { { 60, 100 }, 121904, 73142, 73143 },
	{ { 80, 100 }, 73142, 58513, 58514 }, { { 8, 10 }, 100, 80, 80 },
	/* in binary floating point 10 * 1.1 is more than 11 */
	{ { 11, 10 }, 10, 11, 11 }, { { 162, 100 }, 50, 81, 81 },
	{ { 162, 100 }, 51, 82, 83 }, { { 1, 1 }, 12345, 12345, 12345 },
	{ { 0, 10 }, 12345, 0, 0 }, { { 1, 1000 }, 1, 0, 1 },
	{ { 999999999999999, 1000000000000000 }, 1000000000000000000,
	    999999999999999000, 999999999999999000 },
	{ { 333333333333333, 1000000000000000 }, 3, 0, 1 },
	{ { 29, 100 }, 100, 29, 29 }, { { 57, 100 }, 100, 57, 57 },
};

static const struct {
	const char *text;
	uint64_t seconds;
} ages[] = {
	{ "90", BAD }, { "90s", 90 }, { "30m", 1800 }, { "2h", 7200 },
	{ "7d", 604800 }, { "1w", 604800 }, { "0", BAD }, { "0d", BAD },
	{ "1.5h", BAD }, { "7D", BAD }, { "7days", BAD }, { "", BAD },
};

static void
test_numbers(void)
{
	struct ctx_err err;
	uint64_t n;
	struct ctx_ratio v;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		ctx_err_clear(&err);
		n = 77;
		if (numbers[i].n == BAD) {
			CHECK_INT(ctx_num_parse(numbers[i].text, &n, &err), -1);
			CHECK_INT(err.code, CTX_EUSAGE);
			CHECK_INT(n, 77);
		} else {
			CHECK_INT(ctx_num_parse(numbers[i].text, &n, &err), 0);
			CHECK_INT(n, numbers[i].n);
		}
	}
	for (i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
		if (ratios[i].den == 0) {
			CHECK_INT(ctx_ratio_parse(ratios[i].text, &v, NULL), -1);
			continue;
		}
		CHECK_INT(ctx_ratio_parse(ratios[i].text, &v, NULL), 0);
		CHECK_INT(v.num, ratios[i].num);
		CHECK_INT(v.den, ratios[i].den);
	}
	for (i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
		CHECK_INT(ctx_ratio_of(products[i].r, products[i].n),
		    products[i].down);
		CHECK_INT(ctx_ratio_up(products[i].r, products[i].n),
		    products[i].up);
	}
	for (i = 0; i < sizeof(ages) / sizeof(ages[0]); i++) {
		if (ages[i].seconds == BAD) {
			CHECK_INT(ctx_age_parse(ages[i].text, &n, NULL), -1);
			continue;
		}
		CHECK_INT(ctx_age_parse(ages[i].text, &n, NULL), 0);
		CHECK_INT(n, ages[i].seconds);
	}
}

static void
test_environment(void)
{
	struct ctx_err err = { 0 };
	uint64_t n = 40;
	struct ctx_ratio v = { 5, 10 };

	unsetenv("CTX_TEST_N");
	CHECK_INT(ctx_env_num("CTX_TEST_N", 10, 100, &n, &err), 0);
	CHECK_INT(n, 40);
	setenv("CTX_TEST_N", "", 1);
	CHECK_INT(ctx_env_num("CTX_TEST_N", 10, 100, &n, &err), 0);
	CHECK_INT(n, 40);
	setenv("CTX_TEST_N", "50", 1);
	CHECK_INT(ctx_env_num("CTX_TEST_N", 10, 100, &n, &err), 0);
	CHECK_INT(n, 50);
	setenv("CTX_TEST_N", "9", 1);
	CHECK_INT(ctx_env_num("CTX_TEST_N", 10, 100, &n, &err), -1);
	CHECK_STR(err.text, "CTX_TEST_N: 9 is out of range (10 to 100)");
	CHECK_INT(n, 50);
	ctx_err_clear(&err);
	setenv("CTX_TEST_N", "ten", 1);
	CHECK_INT(ctx_env_num("CTX_TEST_N", 10, 100, &n, &err), -1);
	CHECK(strncmp(err.text, "CTX_TEST_N: 'ten'", 17) == 0);
	ctx_err_clear(&err);
	CHECK_INT(ctx_env_ratio("CTX_TEST_N", &v, &err), -1);
	setenv("CTX_TEST_N", "0.25", 1);
	ctx_err_clear(&err);
	CHECK_INT(ctx_env_ratio("CTX_TEST_N", &v, &err), 0);
	CHECK_INT(v.num, 25);
	CHECK_INT(v.den, 100);
}

/* RFC 3629, section 4: both sides of each border. */
static const struct {
	const char *bytes;
	size_t len, step;	/* step 0: not valid */
	uint32_t cp;
} chars[] = {
	{ "\x00", 1, 1, 0 }, { "\x7f", 1, 1, 0x7f },
	{ "\x80", 1, 0, 0 }, { "\xbf", 1, 0, 0 }, { "\xc1\xbf", 2, 0, 0 },
	{ "\xc2\x80", 2, 2, 0x80 }, { "\xdf\xbf", 2, 2, 0x7ff },
	{ "\xc2", 1, 0, 0 }, { "\xc2\x41", 2, 0, 0 }, { "\xc2\xc0", 2, 0, 0 },
	{ "\xe0\x9f\xbf", 3, 0, 0 }, { "\xe0\xa0\x80", 3, 3, 0x800 },
	{ "\xed\x9f\xbf", 3, 3, 0xd7ff }, { "\xed\xa0\x80", 3, 0, 0 },
	{ "\xed\xbf\xbf", 3, 0, 0 }, { "\xee\x80\x80", 3, 3, 0xe000 },
	{ "\xef\xbf\xbf", 3, 3, 0xffff }, { "\xef\xbf", 2, 0, 0 },
	{ "\xf0\x8f\xbf\xbf", 4, 0, 0 }, { "\xf0\x90\x80\x80", 4, 4, 0x10000 },
	{ "\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff }, { "\xf4\x90\x80\x80", 4, 0, 0 },
	{ "\xf5\x80\x80\x80", 4, 0, 0 }, { "\xff", 1, 0, 0 },
	{ "\xf0\x90\x80", 3, 0, 0 },
};

static void
test_utf8(void)
{
	static const char mixed[] = "a\xc3\xa9\xe4\xbd\xa0\xf0\x9f\x98\x80z";
	char out[4], pad[32];
	uint32_t cp;
	size_t i, at;

	for (i = 0; i < sizeof(chars) / sizeof(chars[0]); i++) {
		cp = 1;
		CHECK_INT(ctx_utf8_step(chars[i].bytes, chars[i].len, &cp),
		    chars[i].step);
		CHECK_INT(ctx_utf8_check(chars[i].bytes, chars[i].len),
		    chars[i].step == 0 ? 0 : chars[i].len);
		/* the same after any number of ASCII bytes */
		for (at = 0; at < 20; at++) {
			memset(pad, 'x', sizeof(pad));
			memcpy(pad + at, chars[i].bytes, chars[i].len);
			CHECK_INT(ctx_utf8_check(pad, at + chars[i].len),
			    chars[i].step == 0 ? at : at + chars[i].len);
		}
		if (chars[i].step == 0)
			continue;
		CHECK_INT(cp, chars[i].cp);
		CHECK_INT(ctx_utf8_put(out, cp), chars[i].step);
		CHECK(memcmp(out, chars[i].bytes, chars[i].step) == 0);
	}
	CHECK_INT(ctx_utf8_step("", 0, NULL), 0);
	CHECK_INT(ctx_utf8_count(mixed, sizeof(mixed) - 1), 5);
}

static void
test_buf(void)
{
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	int *a = NULL, *p;
	size_t cap = 0, i;

	CHECK_STR(ctx_buf_str(&b), "");
	CHECK_INT(b.len, 0);
	ctx_buf_adds(&b, "ab");
	ctx_buf_addc(&b, '\0');
	ctx_buf_add(&b, "cd", 2);
	ctx_buf_addf(&b, "%d%%", 42);
	CHECK_INT(b.len, 8);
	CHECK(memcmp(b.data, "ab\0cd42%", 8) == 0);
	ctx_buf_reset(&b);
	for (i = 0; i < 10000; i++)
		ctx_buf_addf(&b, "%zu,", i);
	CHECK_INT(b.len, 10 * 2 + 90 * 3 + 900 * 4 + 9000 * 5);
	CHECK_INT(ctx_buf_fail(&b, &err), 0);
	CHECK_INT(ctx_buf_add(&b, NULL, 0), 0);

	/* a failure persists until the reset, and keeps the contents */
	CHECK_INT(ctx_buf_reserve(&b, SIZE_MAX / 2), -1);
	CHECK_INT(ctx_buf_adds(&b, "x"), -1);
	CHECK_INT(ctx_buf_fail(&b, &err), -1);
	CHECK_INT(err.code, CTX_ENOMEM);
	CHECK(memcmp(b.data, "0,1,2,", 6) == 0);
	ctx_buf_reset(&b);
	CHECK_INT(ctx_buf_adds(&b, "x"), 0);
	ctx_buf_done(&b);

	for (i = 0; i < 1000; i++) {
		if (!CHECK(CTX_ROOM(a, i, &cap) == 0 && cap > i))
			break;
		a[i] = (int)i;
	}
	CHECK_INT(a[999], 999);
	p = a;
	CHECK_INT(CTX_ROOM(a, SIZE_MAX / 4, &cap), -1);
	CHECK(a == p);
	CHECK_INT(a[999], 999);
	free(a);
}

static const struct {
	const char *text;
	size_t len;
	const char *quoted;
} quotes[] = {
	{ "plain", 5, "plain" },
	{ "caf\xc3\xa9 \xe4\xbd\xa0", 9, "caf\xc3\xa9 \xe4\xbd\xa0" },
	{ "a\x1b[31mb", 7, "a\\x1b[31mb" },
	{ "a\nb\tc\rd\x7f", 8, "a\\x0ab\\x09c\\x0dd\\x7f" },
	{ "a\0b", 3, "a\\x00b" },
	{ "\xff\xfe", 2, "\\xff\\xfe" },
	{ "\xc2\x9b" "31m", 5, "\\xc2\\x9b31m" },	/* C1: CSI */
	{ "\xc2\xa0", 2, "\xc2\xa0" },
	{ "\xe4\xbd", 2, "\\xe4\\xbd" },
	/* U+061C, U+200B, U+200D to U+200F; U+2010 is a hyphen */
	{ "\xd8\x9c\xe2\x80\x8b\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f"
	    "\xe2\x80\x90", 17,
	    "\\u061c\\u200b\\u200d\\u200e\\u200f\xe2\x80\x90" },
	/* U+2027 is a point; U+202A, U+202E, U+202F is a space */
	{ "\xe2\x80\xa7\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf", 12,
	    "\xe2\x80\xa7\\u202a\\u202e\xe2\x80\xaf" },
	/* U+2066, U+2069, U+FEFF, U+E0041 (a tag); U+2070 is a digit */
	{ "\xe2\x81\xa6\xe2\x81\xa9\xef\xbb\xbf\xf3\xa0\x81\x81"
	    "\xe2\x81\xb0", 16,
	    "\\u2066\\u2069\\ufeff\\U000e0041\xe2\x81\xb0" },
	/* U+2028, U+2029, U+00AD, U+0085 */
	{ "\xe2\x80\xa8\xe2\x80\xa9\xc2\xad\xc2\x85", 10,
	    "\\u2028\\u2029\\u00ad\\xc2\\x85" },
};

static void
test_err(void)
{
	struct ctx_err err = { 0 };
	char out[64], longer[600];
	size_t i;

	for (i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++)
		CHECK_STR(ctx_err_quote(out, sizeof(out), quotes[i].text,
		    quotes[i].len), quotes[i].quoted);
	/* a truncated copy is reported and terminated, at every size */
	memset(longer, 'x', sizeof(longer));
	for (i = 1; i < 20; i++) {
		memset(out, '#', sizeof(out));
		ctx_err_quote(out, i, longer, sizeof(longer));
		CHECK(strlen(out) < i);
		CHECK(i < 5 || strcmp(out + strlen(out) - 3, "...") == 0);
		CHECK_INT(out[i], '#');
		ctx_err_quote(out, i, "\x1b\x1b\x1b\x1b\x1b\x1b", 6);
		CHECK(strlen(out) < i);
	}

	/* the first error is kept; the pointer may be NULL */
	CHECK_INT(ctx_fail(&err, CTX_EINPUT, "first %d", 1), -1);
	CHECK_INT(ctx_fail(&err, CTX_ENOMEM, "second"), -1);
	CHECK_INT(ctx_fail_errno(&err, ENOENT, "third"), -1);
	CHECK_INT(ctx_fail_nomem(NULL), -1);
	CHECK_INT(err.code, CTX_EINPUT);
	CHECK_STR(err.text, "first 1");
	ctx_err_clear(&err);
	CHECK_INT(ctx_fail_errno(&err, ENOENT, "cannot open"), -1);
	CHECK_INT(err.code, CTX_ESYSTEM);
	CHECK_STR(err.text, "cannot open: No such file or directory");
	/* a text that is too long is truncated, not written past the end */
	ctx_err_clear(&err);
	longer[sizeof(longer) - 1] = '\0';
	CHECK_INT(ctx_fail_errno(&err, ENOENT, "%s", longer), -1);
	CHECK_INT(strlen(err.text), sizeof(err.text) - 1);
}

/* RFC 4648, section 10, and invalid texts. */
static void
test_base64(void)
{
	static const struct {
		const char *plain, *text;	/* plain NULL: refused */
	} rows[] = {
		{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" },
		{ "foo", "Zm9v" }, { "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" },
		{ "\xfb\xff", "+/8=" }, { NULL, "-_8=" }, { NULL, "Zg" },
		{ NULL, "Zg=" }, { NULL, "Z===" }, { NULL, "====" },
		{ NULL, "Zh==" }, { NULL, "Zm9=" }, { NULL, "Zm9v Zg==" },
		{ NULL, "Zg==Zm9v" }, { NULL, "Zm9\n" },
	};
	struct ctx_buf b = { 0 };
	char some[4];
	size_t i, n, used;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ctx_buf_reset(&b);
		CHECK_INT(ctx_base64_decode(&b, rows[i].text,
		    strlen(rows[i].text)), rows[i].plain == NULL ? -1 : 0);
		if (rows[i].plain == NULL)
			continue;
		if (*rows[i].plain == '\0') {
			CHECK_INT(b.len, 0);
			continue;
		}
		CHECK_MEM(b.data, b.len, rows[i].plain);
		ctx_buf_reset(&b);
		CHECK(ctx_base64_encode(&b, rows[i].plain,
		    strlen(rows[i].plain)) == 0);
		CHECK_MEM(b.data, b.len, rows[i].text);
	}
	/* the alphabet for URLs, until another byte or the end of the space */
	n = ctx_base64_begin(some, sizeof(some), "-_8.Zm9v", 8, &used);
	CHECK_MEM(some, n, "\xfb\xff");
	CHECK_INT(used, 3);
	n = ctx_base64_begin(some, sizeof(some), "Zm9vYmFy", 8, &used);
	CHECK_MEM(some, n, "foob");
	CHECK(used < 8);
	ctx_buf_done(&b);
}

/* A pipe would block when it is full, so files are used instead. */
static void
test_fd(void)
{
	struct ctx_buf in = { 0 }, out = { 0 };
	FILE *a = tmpfile(), *b = tmpfile();
	int i;

	if (!CHECK(a != NULL && b != NULL))
		return;
	for (i = 0; i < 50000; i++)
		ctx_buf_addf(&in, "%d,", i);
	CHECK_INT(ctx_fd_write(fileno(a), in.data, in.len), 0);
	CHECK_INT(lseek(fileno(a), 0, SEEK_SET), 0);
	CHECK_INT(ctx_fd_copy(fileno(a), fileno(b)), 0);
	CHECK_INT(lseek(fileno(b), 0, SEEK_SET), 0);
	ctx_buf_adds(&out, "x");
	CHECK_INT(ctx_fd_read(fileno(b), in.len, &out), 1);
	CHECK_INT(out.len, in.len + 1);
	CHECK(out.data[0] == 'x' && memcmp(out.data + 1, in.data, in.len) == 0);
	CHECK_INT(ctx_fd_read(fileno(b), 0, &out), 1);
	CHECK_INT(lseek(fileno(b), 0, SEEK_SET), 0);
	ctx_buf_reset(&out);
	CHECK_INT(ctx_fd_read(fileno(b), in.len - 1, &out), 0);
	CHECK_INT(out.len, in.len - 1);
	CHECK_INT(ctx_fd_read(-1, 10, &out), -1);
	CHECK_INT(errno, EBADF);
	CHECK_INT(ctx_fd_write(-1, "x", 1), -1);
	CHECK_INT(ctx_fd_copy(-1, fileno(b)), -1);
	fclose(a);
	fclose(b);
	ctx_buf_done(&in);
	ctx_buf_done(&out);
}

int
main(void)
{
	RUN(test_numbers());
	RUN(test_environment());
	RUN(test_utf8());
	RUN(test_buf());
	RUN(test_err());
	RUN(test_base64());
	RUN(test_fd());
	return CHECK_DONE("base");
}
