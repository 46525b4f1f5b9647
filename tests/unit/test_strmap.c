/* SPDX-License-Identifier: MIT */
/* Strings are mapped to numbers in the order of their first occurrence. */
#include "base/strmap.h"

#include <stdlib.h>

#include "check.h"

static void
table(void)
{
	static const struct {
		const char *s;
		size_t len, want;
	} rows[] = {
		{ "user", 4, 0 }, { "assistant", 9, 1 }, { "user", 4, 0 },
		{ "use", 3, 2 }, { "", 0, 3 }, { "user\0", 5, 4 },
		{ "\0", 1, 5 }, { "\0\0", 2, 6 }, { "", 0, 3 },
		{ "12345678", 8, 7 }, { "123456789", 9, 8 },
		{ "1234567", 7, 9 }, { "12345678", 8, 7 }, { "user", 4, 0 },
		{ "\xff\xfe", 2, 10 }, { "assistant", 9, 1 }
	};
	struct ctx_strmap m = { 0 };
	const char *s;
	size_t i, len;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CHECK_INT(ctx_strmap_add(&m, rows[i].s, rows[i].len),
		    rows[i].want);
	CHECK_INT(m.n, 11);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s = ctx_strmap_at(&m, rows[i].want, &len);
		CHECK(len == rows[i].len && memcmp(s, rows[i].s, len) == 0);
	}
	ctx_strmap_done(&m);
	CHECK_INT(m.n, 0);
	CHECK_INT(ctx_strmap_add(&m, "again", 5), 0);
	ctx_strmap_done(&m);
}

/* Keys that differ at one position only, of every length. */
static void
alike(void)
{
	struct ctx_strmap m = { 0 };
	char s[40];
	size_t len, at, n = 0;

	for (len = 1; len < sizeof(s); len++) {
		memset(s, 'a', len);
		CHECK_INT(ctx_strmap_add(&m, s, len), n);
		n++;
		for (at = 0; at < len; at++) {
			s[at] = 'b';
			CHECK_INT(ctx_strmap_add(&m, s, len), n);
			CHECK_INT(ctx_strmap_add(&m, s, len), n);
			n++;
			s[at] = 'a';
		}
	}
	ctx_strmap_done(&m);
}

/* Many keys, so that the table grows several times. */
static void
many(void)
{
	struct ctx_strmap m = { 0 };
	const char *p;
	char s[32];
	size_t i, len, round, wrong = 0;

	for (round = 0; round < 2; round++)
		for (i = 0; i < 100000; i++) {
			len = (size_t)snprintf(s, sizeof(s), "call_%zu", i);
			wrong += ctx_strmap_add(&m, s, len) != i;
		}
	for (i = 0; i < 100000; i++) {
		p = ctx_strmap_at(&m, i, &len);
		wrong += len < 6 || strtoul(p + 5, NULL, 10) != i;
	}
	CHECK_INT(wrong, 0);
	CHECK_INT(m.n, 100000);
	ctx_strmap_done(&m);
}

/* Consecutive numbers get different places, without long chains. */
static void
spread(void)
{
	static unsigned char used[1u << 14];
	unsigned filled = 0;
	char s[32];
	size_t i, len, h;

	for (i = 0; i < sizeof(used) / 2; i++) {
		len = (size_t)snprintf(s, sizeof(s), "%08zu", i);
		h = ctx_strmap_hash(s, len) & (sizeof(used) - 1);
		filled += !used[h];
		used[h] = 1;
	}
	/* randomly, 39.3 % of the places would be taken */
	CHECK(filled > sizeof(used) * 37 / 100);
}

int
main(void)
{
	RUN(table());
	RUN(alike());
	RUN(many());
	RUN(spread());
	return CHECK_DONE("strmap");
}
