/* SPDX-License-Identifier: MIT */
/* Words of texts, and sets of them. */
#include "text/heard.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

/* Texts, and their words with a space after each; a name has a * before it. */
static const struct {
	const char *text, *words;
} cases[] = {
	{ "", "" },
	{ "a b", "" },
	{ "the cat", "the cat " },
	{ "foo_bar(src/a.c:12)", "*foo_bar *src/a.c:12 " },
	{ "at 10:04, 5 of 12/80.", "at *10:04 of *12/80 " },
	{ "--flag -- ./x end.", "flag end " },
	{ "say \"hello there\" `now`", "say *hello there *now " },
	{ "x1\ny2\tz", "*x1 *y2 " },
	{ "a@b.c, #12", "*a@b.c *12 " },
	{ "\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82", "\xe4\xbd\xa0\xe5\xa5\xbd"
	    "\xe3\x80\x82 " },
	{ "1-", "" },
	{ "No.1", "*No.1 " },
};

static void
test_next(void)
{
	struct ctx_heard_word word, same;
	const char *w, *end;
	size_t i, at, one;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		w = cases[i].words;
		at = 0;
		while (ctx_heard_next(cases[i].text, strlen(cases[i].text),
		    &at, &word)) {
			end = strchr(w, ' ');
			CHECK(end != NULL);
			if (end == NULL)
				break;
			CHECK_INT(word.is_name, *w == '*');
			w += *w == '*';
			one = 0;
			CHECK_INT(ctx_heard_next(w, (size_t)(end - w), &one,
			    &same), 1);
			CHECK(word.hash == same.hash);
			w = end + 1;
		}
		CHECK_STR(w, "");
		CHECK_INT(at, strlen(cases[i].text));
	}
}

static uint64_t
hash_of(const char *text)
{
	struct ctx_heard_word word = { 0 };
	size_t at = 0;

	CHECK_INT(ctx_heard_next(text, strlen(text), &at, &word), 1);
	return word.hash;
}

static void
test_same(void)
{
	char a[201], b[201];

	memset(a, 'a', 200);
	memset(b, 'a', 200);
	a[200] = b[199] = b[200] = '\0';
	CHECK(hash_of("Error") == hash_of("eRROR"));
	CHECK(hash_of("Error") != hash_of("errors"));
	CHECK(hash_of("a.b") != hash_of("a/b"));
	/* of different lengths beyond what is compared */
	CHECK(hash_of(a) != hash_of(b));
}

static void
test_set(void)
{
	struct ctx_heard set = { 0 };
	char word[16];
	int i;

	CHECK_INT(ctx_heard_has(&set, hash_of("one")), 0);
	for (i = 0; i < 1000; i += 2) {
		snprintf(word, sizeof(word), "w%d x%d", i, i);
		CHECK_INT(ctx_heard_add_text(&set, word, strlen(word)), 0);
	}
	CHECK_INT(ctx_heard_add(&set, hash_of("w0")), 0);
	CHECK_INT(set.n, 1000);
	for (i = 0; i < 1000; i++) {
		snprintf(word, sizeof(word), "W%d", i);
		CHECK_INT(ctx_heard_has(&set, hash_of(word)), i % 2 == 0);
	}
	ctx_heard_reset(&set);
	CHECK_INT(ctx_heard_has(&set, hash_of("w0")), 0);
	CHECK_INT(set.n, 0);
	ctx_heard_done(&set);
}

int
main(void)
{
	RUN(test_next());
	RUN(test_same());
	RUN(test_set());
	return CHECK_DONE("heard");
}
