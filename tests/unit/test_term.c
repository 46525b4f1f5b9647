/* SPDX-License-Identifier: MIT */
#include "extract/term.h"

#include <stdlib.h>

#include "check.h"
#include "extract/words.h"
#include "seeded.h"

/* 64 bytes, of which no more are used. */
#define A16 "aaaaaaaaaaaaaaaa"
#define A64 A16 A16 A16 A16

/* A text; its terms, with a "-" if they are stop words; does it have a cue? */
static const struct {
	const char *text, *terms;
	int cue;
} table[] = {
	{ "", "", 0 },
	{ "Red  BLUE,green ZOO", "red blue green zoo", 0 },
	{ "a b cd", "cd", 0 },
	{ "the red About", "-the red -about", 0 },
	{ "Maria's don't x'", "maria -don", 0 },
	{ "tom'", "tom", 0 },
	{ "tom'sawyer finn", "tom finn", 0 },
	{ "tom's北京", "tom 北京", 0 },
	{ "tom'é", "tom", 0 },
	{ "12 ab3cd 4", "ab cd", 0 },
	{ "Ünder über", "Ünder über", 0 },
	{ "we must go", "-we must -go", 1 },
	{ "proposals", "proposals", 1 },
	{ "propo", "propo", 0 },
	{ "musty", "musty", 0 },
	{ A64 "b " A64, A64 " " A64, 0 },
	{ A64 "bcd", A64, 0 },
	/* pairs of Han characters, unless both are grammar */
	{ "北京", "北京", 0 },
	{ "北京市", "北京 京市", 0 },
	{ "北 京", "", 0 },
	{ "北a京", "", 0 },
	{ "北", "", 0 },
	{ "的了", "", 0 },
	{ "的北", "的北", 0 },
	{ "北的", "北的", 0 },
	{ "北的了京", "北的 了京", 0 },
	{ "北京tour ok", "北京 tour -ok", 0 },
	{ "必须", "必须", 1 },
	{ "不必须去", "不必 必须 须去", 1 },
	{ "\xff" "red\xff" "blue", "red blue", 0 }
};

static uint64_t
hash_of(const char *p, size_t len)
{
	int stop = len > 0 && *p == '-';

	return (ctx_term_hash(p + stop, len - (size_t)stop) & ~(uint64_t)1) |
	    (unsigned)stop;
}

/* What follows the text does not matter. */
static void
test_scan(size_t row, const char *after)
{
	const char *p = table[row].terms;
	char text[200];
	struct ctx_han_set grammar;
	struct ctx_terms t = { 0 };
	struct ctx_err err = { 0 };
	size_t i, len;
	int cue = -1;

	ctx_han_set_init(&grammar, ctx_word_han_grammar);
	snprintf(text, sizeof(text), "%s%s", table[row].text, after);
	CHECK_INT(ctx_terms_scan(&t, &grammar, text,
	    strlen(table[row].text), &cue, &err), 0);
	CHECK_INT(cue, table[row].cue);
	for (i = 0; i < t.n && *p != '\0'; i++) {
		len = strcspn(p, " ");
		CHECK(t.hash[i] == hash_of(p, len));
		CHECK_INT(ctx_term_is_stop(t.hash[i]), *p == '-');
		p += len + (p[len] == ' ');
	}
	CHECK_INT(t.n, i);
	CHECK_STR(p, "");
	free(t.hash);
}

/* Equal hashes, and only those, get equal numbers, without gaps. */
static void
test_number(size_t n, uint32_t different)
{
	uint64_t hash[300], v;
	uint32_t id[300];
	uint8_t used[300] = { 0 };
	struct ctx_err err = { 0 };
	size_t i, k, nid, wrong = 0;

	for (i = 0; i < n; i++) {
		v = seeded(different);
		hash[i] = v % 3 == 0 ? v : (uint64_t)1 << v % 64;
	}
	CHECK_INT(ctx_terms_number(hash, n, id, &nid, &err), 0);
	CHECK(nid <= n);
	for (i = 0; i < n; i++) {
		if (!CHECK(id[i] < nid))
			return;
		used[id[i]] = 1;
		for (k = 0; k < i; k++)
			wrong += (id[i] == id[k]) != (hash[i] == hash[k]);
	}
	CHECK_INT(wrong, 0);
	for (i = 0; i < nid; i++)
		CHECK(used[i]);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		TEST("terms of \"%s\"", table[i].text);
		test_scan(i, "");
		test_scan(i, "red");
		test_scan(i, "'s");
		test_scan(i, "京");
	}
	TEST("the hash of a term, by another implementation");
	CHECK(ctx_term_hash("", 0) == 0xfdbdf6ac4fc52e7fu);
	CHECK(ctx_term_hash("a", 1) == 0x2ef7d1316eb86f71u);
	CHECK(ctx_term_hash("maria", 5) == 0xda149850280739c3u);
	for (i = 0; i < 300; i = i * 3 / 2 + 1) {
		TEST("%zu hashes", i);
		CHECK(i < 300);
		test_number(i, 200);
		test_number(i, 20);
		test_number(i, 1);
	}
	return CHECK_DONE("term");
}
