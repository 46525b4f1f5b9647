/* SPDX-License-Identifier: MIT */
/* Entropy, compared with what is known of it and with libm's log2. */
#include "redact/redact_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void
test_known(void)
{
	TEST("entropy: none, and powers of two");
	CHECK(ctx_redact_entropy("", 0) == 0);
	CHECK(fabs(ctx_redact_entropy("aaaaaaa", 7)) < 1e-15);
	CHECK(ctx_redact_entropy("abab", 4) == 1);
	CHECK(ctx_redact_entropy("abcdefgh", 8) == 3);
}

/* Texts of k bytes a and n - k bytes b. */
static void
test_libm(void)
{
	static const size_t sizes[] = { 3, 5, 10, 63, 100, 1000, 65537 };
	size_t i, k, step;
	double n, p, q, want;
	char *s;

	TEST("entropy: as by libm");
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		n = (double)sizes[i];
		s = malloc(sizes[i]);
		step = 1 + sizes[i] / 97;
		for (k = 1; s != NULL && k < sizes[i]; k += step) {
			memset(s, 'a', k);
			memset(s + k, 'b', sizes[i] - k);
			p = (double)k / n;
			q = 1 - p;
			want = -p * log2(p) - q * log2(q);
			CHECK(fabs(ctx_redact_entropy(s, sizes[i]) - want) <
			    1e-13);
		}
		free(s);
	}
}

int
main(void)
{
	test_known();
	test_libm();
	return CHECK_DONE("redact_entropy");
}
