/* SPDX-License-Identifier: MIT */
/* JSON strings are decoded in parts of any size, on every path. */
#include "token/unescape.h"

#include "base/cpu.h"
#include "check.h"

#define R	"\xef\xbf\xbd"	/* U+FFFD */

/* A broken escape must not be read past its end, with any output size. */
static void
test_unescape(void)
{
	static const char s[] = "ab\\u00e9\\ud83d\\ude00\\n\\\\\\\"xyz\\ud83d"
	    "0123456789abcdef\\";
	static const char want[] = "ab\xc3\xa9\xf0\x9f\x98\x80\n\\\"xyz" R
	    "0123456789abcdef" R;
	char out[256];
	size_t size, used, at, got, len = sizeof(s) - 1;

	for (size = 12; size < 100; size++) {
		got = 0;
		for (at = 0; at < len; at += used) {
			got += ctx_unescape(out + got, size, s + at, len - at,
			    &used);
			if (!CHECK(used > 0))
				return;
		}
		CHECK_MEM(out, got, want);
	}
}

/* Decode s[0 .. n) to out in parts of up to size bytes; returns the length. */
static size_t
unescape_all(char *out, size_t size, const char *s, size_t n)
{
	size_t at, used, got = 0;

	for (at = 0; at < n; at += used)
		got += ctx_unescape(out + got, size, s + at, n - at, &used);
	return got;
}

/* Escapes at every position of a block, with every code path. */
static void
test_unescape_paths(void)
{
	static const char *const bit[] = {
		"\\\\", "\\\"", "\\n", "\\t", "\\/", "\\u00e9", "\\b\\f\\r",
		"\\ud83d\\ude00", "n", "\"", "plain text without any", "x",
		"\xe4\xb8\xad", "\\q", "\\u12"
	};
	char s[400], want[400], out[600];
	uint32_t seed = 7;
	size_t n, k, size, got;
	unsigned round;

	for (round = 0; round < 20000; round++) {
		for (n = 0; n < 300; n += k) {
			seed = seed * 1664525 + 1013904223;
			k = seed >> 20;
			/* Runs of backslashes, mostly. */
			k = round % 3 == 0 ? k % 2 : k % (sizeof(bit) /
			    sizeof(*bit));
			memcpy(s + n, bit[k], strlen(bit[k]));
			k = strlen(bit[k]);
		}
		seed = seed * 1664525 + 1013904223;
		n -= (seed >> 20) % 80;
		ctx_cpu_force("portable");
		got = unescape_all(want, sizeof(want), s, n);
		ctx_cpu_force(NULL);
		for (size = 64; size < 400; size += 101) {
			if (!CHECK(unescape_all(out, size, s, n) == got) ||
			    !CHECK(memcmp(out, want, got) == 0))
				return;
		}
	}
}

int
main(void)
{
	RUN(test_unescape());
	RUN(test_unescape_paths());
	return CHECK_DONE("unescape");
}
