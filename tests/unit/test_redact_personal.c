/* SPDX-License-Identifier: MIT */
/*
 * Redaction of personal data, which is used only if it is chosen: the vectors
 * in tests/data/redact/personal.txt, the choice of rules, hostile texts.
 */
#include "redact_vectors.h"

#include "base/cpu.h"

static void
test_vectors(struct ctx_redact *r)
{
	unsigned count[RULES_MAX][2] = { { 0 } };

	test_file(r, "tests/data/redact/personal.txt", count);
	check_counts(count, CTX_REDACT_PERSONAL);
}

static void
test_choice(void)
{
	static const struct {
		const char *rules;
		size_t want;	/* hits; 99: refused */
	} c[] = {
		{ NULL, 2 }, { "all", 2 }, { "none", 0 }, { "npm-token", 1 },
		{ "npm-token,github-token", 2 }, { "-npm-token", 1 },
		{ "-npm-token,-github-token", 0 }, { "npm", 99 }, { "", 99 },
		{ "npm-token,", 99 }, { "none,npm-token", 99 },
		{ "+pii", 3 }, { "pii", 1 }, { "email", 1 }, { "+phone", 2 },
		{ "+pii,-email", 2 }, { "all,+pii", 3 }, { "+", 99 },
		{ "email,-email", 0 }, { "-npm-token,+email", 2 }
	};
	struct ctx_buf text = { 0 };
	const struct ctx_redact_hit *hit;
	struct ctx_redact *r;
	size_t i, n, from, to;

	expand(&text, "npm_{c30} ghp_{c30} ann@corp.io", &from, &to);
	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct ctx_redact_opts opts = { .rules = c[i].rules };
		struct ctx_err err = { 0 };

		r = ctx_redact_new(&opts, &err);
		if (!CHECK((r == NULL) == (c[i].want == 99)))
			fprintf(stderr, "\t%s: %s\n", c[i].rules, err.text);
		if (r == NULL) {
			CHECK(err.code == CTX_EUSAGE);
			continue;
		}
		CHECK(ctx_redact_find(r, text.data, text.len, &hit, &n,
		    &err) == 0);
		CHECK_INT(n, c[i].want);
		ctx_redact_free(r);
	}
	ctx_buf_done(&text);
}

static void
test_hostile(struct ctx_redact *r)
{
	static const char *const piece[] = {
		"a", "password=", "\xe5\xaf\x86", "\033[", "[REDACTED:",
		"@", "a@", "a@b.", "1", "1 ", "1-", "(1", "+1", "12.", "1:",
		"a:", "2a00:", "4012888888881881", "Ann ", "Tel 1", "%40",
		"tel tel tel tel tel tel tel tel 1", "cGFzc3dvcmQ9",
		"\\u0061", "\\/", "ghp_", "4012 8888 8888 1881 ", "Tel ",
		"Ann Lee"
	};

	check_hostile(r, piece, sizeof(piece) / sizeof(piece[0]));
}

static void
test_scraps(struct ctx_redact *r)
{
	static const char *const scrap[] = {
		SECRET_SCRAPS, "+1 415 555 2671", "4012888888881881",
		"51.15.20.37", "ann@corp.io", "138", "Ann Lee",
		"GB29NWBK60161331926819", "2a00:1450::", "Tel"
	};

	check_scraps(r, scrap, sizeof(scrap) / sizeof(scrap[0]));
}

int
main(void)
{
	static const char *const path[] = { "portable", "avx2", "neon", NULL };
	struct ctx_redact *r = new_redact("+pii");
	size_t i;

	for (i = 0; i < 4; i++) {
		const char *name = path[i] != NULL ? path[i] : "best";

		if (ctx_cpu_force(path[i]) == -1)
			continue;
		TEST("vectors, %s", name);
		test_vectors(r);
	}
	RUN(test_choice());
	RUN(test_scraps(r));
	RUN(test_hostile(r));
	ctx_redact_free(r);
	return CHECK_DONE("redact personal");
}
