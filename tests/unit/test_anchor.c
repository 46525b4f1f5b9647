/* SPDX-License-Identifier: MIT */
/*
 * Compare the literal finder with a plain search, on texts in which literals
 * and parts of them are everywhere, at every length and position, with each
 * code path.
 */
#include "redact/anchor.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/cpu.h"
#include "check.h"

static const char *const literal[] = {
	"abc", "bca", "abcab", "xyz_", "Abc", "ABC-", "://", "a-b", "c_cb",
	"bbbbbbbb", "\xe5\xaf\x86", "ab", "secret_abc"
};

#define NLITERALS	(sizeof(literal) / sizeof(literal[0]))

static uint32_t seed;

static unsigned
random_below(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static int
is_exact(const char *s)
{
	return strpbrk(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

static int
is_at(const char *s, const char *p, size_t len)
{
	for (; *s != '\0'; s++, p++, len--)
		if (len == 0 || (*p != *s && (*p < 'A' || *p > 'Z' ||
		    (*p | 0x20) != *s)))
			return 0;
	return 1;
}

struct seen {
	const char *p;
	size_t len, count, wrong;
};

static int
on_hit(void *arg, size_t off, size_t n, unsigned tag)
{
	struct seen *s = arg;

	s->count++;
	if (n != strlen(literal[tag]) || off + n > s->len ||
	    (is_exact(literal[tag]) ? memcmp(s->p + off, literal[tag], n) != 0
	    : !is_at(literal[tag], s->p + off, s->len - off)))
		s->wrong++;
	return 0;
}

static size_t
count_plainly(const char *p, size_t len)
{
	size_t n = 0, i, k, l;

	for (k = 0; k < NLITERALS; k++) {
		l = strlen(literal[k]);
		if (l < CTX_ANCHOR_MIN)
			continue;
		for (i = 0; i + l <= len; i++)
			n += is_exact(literal[k]) ?
			    memcmp(p + i, literal[k], l) == 0 :
			    is_at(literal[k], p + i, len - i);
	}
	return n;
}

static void
test_texts(const struct ctx_anchors *a)
{
	static const char letters[] = "abcABC-_:/xyz\xe5\xaf\x86";
	size_t len, i;
	unsigned round;
	char *p;

	for (round = 0; round < 4000; round++) {
		struct seen s = { 0 };

		/* some are longer than any path reads at once */
		len = round % 100 == 99 ? 2000 + random_below(3000) :
		    round % 200;
		/* exactly this size, so that the sanitizer finds an overrun */
		if (!CHECK((p = malloc(len + (len == 0))) != NULL))
			return;
		for (i = 0; i < len; i++)
			p[i] = letters[random_below(round % 3 == 0 ? 3 :
			    sizeof(letters) - 1)];
		s.p = p;
		s.len = len;
		CHECK(ctx_anchors_walk(a, p, len, on_hit, &s) == 0);
		CHECK_INT(s.wrong, 0);
		CHECK_INT(s.count, count_plainly(p, len));
		free(p);
	}
}

static int
stop_at_second(void *arg, size_t off, size_t n, unsigned tag)
{
	(void)off;
	(void)n;
	(void)tag;
	return ++*(int *)arg == 2 ? 7 : 0;
}

int
main(void)
{
	static const char *const path[] = { "portable", "avx2", "neon",
	    "avx512", NULL };
	char many[3000];
	struct ctx_err err = { 0 };
	struct ctx_anchors *a = ctx_anchors_new(&err), *none;
	int calls = 0;
	size_t i;

	TEST("literals are added");
	for (i = 0; i < NLITERALS; i++)
		if (strlen(literal[i]) >= CTX_ANCHOR_MIN)
			CHECK(ctx_anchors_add(a, literal[i],
			    strlen(literal[i]), (unsigned)i, &err) == 0);
	CHECK(ctx_anchors_add(a, "ab", 2, 0, &err) == -1);
	CHECK(err.code == CTX_ERANGE);
	ctx_anchors_ready(a);
	for (i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		if (ctx_cpu_force(path[i]) == -1)
			continue;
		TEST("random texts, %s", path[i] != NULL ? path[i] : "best");
		CHECK(path[i] == NULL ||
		    strcmp(ctx_cpu_name(), path[i]) == 0);
		seed = 7;
		test_texts(a);
	}
	TEST("an unknown path");
	CHECK(ctx_cpu_force("abacus") == -1);
	TEST("a search that is stopped");
	CHECK_INT(ctx_anchors_walk(a, "abc abc abc", 11, stop_at_second,
	    &calls), 7);
	CHECK_INT(calls, 2);
	memset(many, 'x', sizeof(many));
	memcpy(many, "abc", 3);
	memcpy(many + 2500, "abc abc", 7);
	calls = 0;
	CHECK_INT(ctx_anchors_walk(a, many, sizeof(many), stop_at_second,
	    &calls), 7);
	CHECK_INT(calls, 2);
	ctx_anchors_free(a);
	TEST("no literals");
	CHECK((none = ctx_anchors_new(&err)) != NULL);
	ctx_anchors_ready(none);
	CHECK_INT(ctx_anchors_walk(none, "abc abc", 7, stop_at_second,
	    &calls), 0);
	ctx_anchors_free(none);
	return CHECK_DONE("anchor");
}
