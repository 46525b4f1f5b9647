/* SPDX-License-Identifier: MIT */
/* Borders of grapheme clusters, by the rules of UAX #29. */
#include "token/cluster.h"

#include "check.h"

#define MAX	8

/* Characters, and for each whether a cluster begins there. */
static const struct {
	uint32_t cp[MAX];
	const char *begins;
} row[] = {
	{ { 'a', 'b' }, "11" },
	{ { '\r', '\n', 'a' }, "101" },				/* GB3 */
	{ { '\n', '\r' }, "11" },
	{ { '\n', 0x301, 0x301 }, "110" },			/* GB4 */
	{ { 'a', 0x200b, 'b' }, "111" },			/* GB5 */
	{ { 0x1100, 0x1100, 0x1161, 0x11a8 }, "1000" },		/* GB6 to 8 */
	{ { 0xac00, 0x11a8, 0x11a8 }, "100" },
	{ { 0xac01, 0x1161 }, "11" },
	{ { 0x1161, 0xac00 }, "11" },
	{ { 'a', 0x301, 0x200d, 'b' }, "1001" },		/* GB9 */
	{ { 0x915, 0x903, 0x915 }, "101" },			/* GB9a */
	{ { 0x600, 'a', 0x600, '\n' }, "1011" },		/* GB9b */
	{ { 0x915, 0x94d, 0x915 }, "100" },			/* GB9c */
	{ { 0x915, 0x93c, 0x200d, 0x94d, 0x924 }, "10000" },
	{ { 0x915, 0x94d, 'a' }, "101" },
	{ { 0x94d, 0x915 }, "11" },
	{ { 'a', 0x94d, 0x915 }, "101" },
	{ { 0x1f468, 0x200d, 0x1f469 }, "100" },		/* GB11 */
	{ { 0x1f468, 0x1f3fb, 0x200d, 0xa9 }, "1000" },
	{ { 'a', 0x200d, 0x1f469 }, "101" },
	{ { 0x1f468, 0x200d, 0x200d, 0x1f469 }, "1001" },
	{ { 0x1f1e6, 0x1f1e6, 0x1f1e6, 0x1f1e6 }, "1010" },	/* GB12, 13 */
	{ { 'a', 0x1f1e6, 0x1f1e6, 0x301, 0x1f1e6 }, "11001" },
};

int
main(void)
{
	size_t i, k;

	TEST("clusters begin where UAX #29 says");
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct ctx_cluster c = { 0 };

		for (k = 0; row[i].begins[k] != '\0'; k++)
			if (!CHECK_INT(ctx_cluster_begins(&c, row[i].cp[k]),
			    row[i].begins[k] == '1'))
				fprintf(stderr, "row %zu, character %zu\n", i,
				    k);
	}
	TEST("marks are those of Unicode 9.0");
	CHECK_INT(ctx_cluster_mark(0x301), 1);
	CHECK_INT(ctx_cluster_mark(0x903), 1);
	CHECK_INT(ctx_cluster_mark(0x20dd), 1);
	CHECK_INT(ctx_cluster_mark('a'), 0);
	CHECK_INT(ctx_cluster_mark(0x1dfa), 0);	/* of 14.0 */
	CHECK_INT(ctx_cluster_mark(0x10ffff), 0);
	return CHECK_DONE("cluster");
}
