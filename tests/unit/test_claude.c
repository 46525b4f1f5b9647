/* SPDX-License-Identifier: MIT */
/*
 * The estimate for Claude's models.  Expected values are those of the fitted
 * model, computed by an independent implementation of it (in Python, with
 * Python's own tables of Unicode), not counts by Anthropic.
 */
#include "job/cost.h"
#include "token/claude.h"

#include "check.h"
#include "nomem.h"
#include "vocab.h"

#define TEXT(text, early, late) { text, sizeof(text) - 1, { early, late } }

static const struct {
	const char *text;
	size_t len;
	uint64_t n[2];		/* for 3 to 4.6, and for 4.7 and later */
} texts[] = {
	TEXT("", 0, 0),
	TEXT("Hello, world!", 4, 6),
	/* white space at the ends */
	TEXT(" a b", 2, 2),
	TEXT("  two spaces and the end \n\n", 8, 7),
	/* letters, contractions, capitals, long words */
	TEXT("A", 1, 1),
	TEXT("it's Don't we'll x' s", 9, 10),
	TEXT("HTTP NASA abc ABC JSONParser getHTTPResponse iOS McDonald", 20,
	    32),
	TEXT("internationalization antidisestablishmentarianism "
	    "Straßenbahnhaltestelle", 18, 29),
	TEXT("École İstanbul ƐWE Ÿes ŁÓDŹ nº", 19, 28),
	/* digits and marks */
	TEXT("1 22 333 4444 1234567890 x1y 3.14 ٣٤", 22, 23),
	TEXT("a == b && c != d; // ----------", 10, 12),
	TEXT("{\"key\": [1, 2], \"s\": \"\\n\"}\n\t\tx   y", 21, 23),
	/* scripts */
	TEXT("你好,世界。 中 文 x 日本語のテキスト カー", 20, 20),
	TEXT("안녕하세요 세계", 6, 6),
	TEXT("Привет, мир! Ελληνικά γλώσσα مرحبا بالعالم שלום", 27, 27),
	TEXT("हिन्दी में ไทยภาษา ქართული", 13, 14),
	/* symbols; quotes that are as ASCII's for the early models */
	TEXT("😀👍🏽 🇩🇪 ½ Ⅷ ₂ ∑ ☃ ▓", 31, 28),
	TEXT("“quoted” ‘single’ — … • € № → │", 14, 17),
	/* characters that are composed, are spaces, or are left out */
	TEXT("e\314\201te\314\201 \341\204\222\341\205\241\341\206\253", 3, 4),
	TEXT("a\302\240b\342\200\211c\343\200\200d\342\200\213e", 9, 8),
	TEXT("a\015b\007c\177d\000e\356\200\200f", 3, 5),
	/* not UTF-8: as U+FFFD, one for each maximal part */
	TEXT("x\357\277\275y \357\277\275\357\277\275 z", 9, 7),
	TEXT("x\377y \360\237\360 z", 9, 7),
};

#define NTEXT	(sizeof(texts) / sizeof(*texts))

static void
test_texts(const struct ctx_tok *tok, int late)
{
	struct ctx_claude c;
	struct ctx_err err = { 0 };
	uint64_t n;
	size_t i;

	CHECK_INT(ctx_claude_init(&c, tok, late, &err), 0);
	for (i = 0; i < NTEXT; i++) {
		CHECK_INT(ctx_claude_text(&c, texts[i].text, texts[i].len, &n,
		    &err), 0);
		if (!CHECK_INT(n, texts[i].n[late]))
			fprintf(stderr, "%s\n", texts[i].text);
	}
	ctx_claude_done(&c);
}

/* Whatever its parts are, a text has the same number. */
static void
test_parts(const struct ctx_tok *tok)
{
	struct ctx_claude c;
	struct ctx_err err = { 0 };
	uint64_t n;
	size_t i, at, cut;

	CHECK_INT(ctx_claude_init(&c, tok, 1, &err), 0);
	for (i = 0; i < NTEXT; i++)
		for (cut = 0; cut <= texts[i].len; cut++) {
			CHECK_INT(ctx_claude_feed(&c, texts[i].text, cut,
			    &err), 0);
			for (at = cut; at < texts[i].len; at++)
				CHECK_INT(ctx_claude_feed(&c, texts[i].text +
				    at, 1, &err), 0);
			CHECK_INT(ctx_claude_end(&c, &n, &err), 0);
			CHECK_INT(n, texts[i].n[1]);
		}
	ctx_claude_done(&c);
}

static void
test_json(const struct ctx_tok *tok)
{
	static const char json[] = "{\\\"key\\\": [1, 2], \\u0022s\\\": "
	    "\\\"\\\\n\\\"}\\n\\t\\tx   y";
	struct ctx_claude c;
	struct ctx_err err = { 0 };
	uint64_t n;

	CHECK_INT(ctx_claude_init(&c, tok, 0, &err), 0);
	CHECK_INT(ctx_claude_json(&c, json, sizeof(json) - 1, &n, &err), 0);
	CHECK_INT(n, 21);
	CHECK_INT(ctx_claude_json(&c, "Hello, world!", 13, &n, &err), 0);
	CHECK_INT(n, 4);
	CHECK_INT(ctx_claude_json(&c, "", 0, &n, &err), 0);
	CHECK_INT(n, 0);
	ctx_claude_done(&c);
}

/*
 * A megabyte of one letter is counted as 256 words of 4096 letters.  With a
 * space before it, such a word has 514 tokens of o200k_base:
 * 256 * (2391 + 512 * 1181 + 4090 * 6) and 256 * (2935 + 512 * 1163 +
 * 4090 * 168) thousandths.
 */
static void
test_long(const struct ctx_tok *tok)
{
	static const uint64_t want[] = { 161690, 329091 };
	size_t len = 1 << 20;
	char *text = malloc(len);
	struct ctx_claude c;
	struct ctx_err err = { 0 };
	uint64_t n;
	int late;

	memset(text, 'a', len);
	for (late = 0; late < 2; late++) {
		CHECK_INT(ctx_claude_init(&c, tok, late, &err), 0);
		CHECK_INT(ctx_claude_text(&c, text, len, &n, &err), 0);
		CHECK_INT(n, want[late]);
		ctx_claude_done(&c);
	}
	free(text);
}

static void
test_names(void)
{
	static const char *const early[] = { "claude-2", "claude-3-haiku",
	    "claude-3-5-sonnet-20241022", "claude-opus-4-20250514",
	    "claude-opus-4.6", "us.anthropic.claude-haiku-4-5-20251001-v1:0",
	    "anthropic/Claude-Sonnet-4_5" };
	static const char *const late[] = { "claude-opus-4-7",
	    "claude-opus-4.8-20260801", "claude-opus-5", "claude-fable-5-5",
	    "claude", "claude-next", "another" };
	size_t i;

	for (i = 0; i < sizeof(early) / sizeof(*early); i++)
		if (!CHECK(!ctx_claude_is_late(early[i])))
			fprintf(stderr, "%s\n", early[i]);
	for (i = 0; i < sizeof(late) / sizeof(*late); i++)
		if (!CHECK(ctx_claude_is_late(late[i])))
			fprintf(stderr, "%s\n", late[i]);
}

#define WORDS	"HTTP NASA abc ABC JSONParser getHTTPResponse iOS McDonald"

/* The count of k, and that of another thread's copy of it. */
static void
check_cost(struct ctx_cost *k, uint64_t want)
{
	const struct ctx_cost was = *k;
	struct ctx_cost like;
	struct ctx_err err = { 0 };
	uint64_t n;

	k->ready = 1;
	CHECK_INT(ctx_cost_begin(k, &err), 0);
	CHECK_INT(ctx_cost_text(k, WORDS, sizeof(WORDS) - 1, &n, &err), 0);
	CHECK_INT(n, want);
	CHECK_INT(ctx_cost_like(&like, k, &err), 0);
	CHECK_INT(ctx_cost_json(&like, WORDS, sizeof(WORDS) - 1, &n, &err),
	    0);
	CHECK_INT(n, want);
	ctx_cost_done(&like);
	k->borrowed = 1;
	ctx_cost_done(k);
	*k = was;
}

/* o200k_base makes 13 tokens of the text, chars 22. */
static void
test_cost(struct ctx_tok *tok)
{
	static const struct ctx_model claude = { .provider = "anthropic" },
	    user = { .provider = "user" };
	struct ctx_cost k = { .model_name = "claude-opus-5", .choice = {
	    .tok = tok, .factor = { 1, 1 }, .model = &claude } };
	struct ctx_tok *chars = open_tok("chars");

	check_cost(&k, 32);
	k.model_name = "claude-opus-4-6";
	check_cost(&k, 20);
	k.model_name = "claude-opus-5";
	k.encoding = "o200k_base";
	check_cost(&k, 13);
	k.encoding = NULL;
	k.choice.model = &user;
	check_cost(&k, 13);
	k.choice.model = &claude;
	k.choice.tok = chars;
	check_cost(&k, 22);
	ctx_tok_free(chars);
}

static void
test_nomem(const struct ctx_tok *tok)
{
	struct ctx_claude c;
	struct ctx_err err = { 0 };
	uint64_t n = 0;
	long at = 0;
	int failed, rc;

	do {
		ctx_err_clear(&err);
		nomem(at++);
		rc = ctx_claude_init(&c, tok, 0, &err);
		if (rc == 0 && (rc = ctx_claude_text(&c, texts[8].text,
		    texts[8].len, &n, &err)) == -1) {
			nomem_failed();
			failed = 1;
			/* the next text is counted from its beginning */
			CHECK_INT(ctx_claude_text(&c, texts[1].text,
			    texts[1].len, &n, NULL), 0);
			CHECK_INT(n, texts[1].n[0]);
		} else
			failed = nomem_failed();
		ctx_claude_done(&c);
		CHECK(rc == -1 ? err.code == CTX_ENOMEM : n == texts[8].n[0]);
	} while (failed);
}

int
main(void)
{
	struct ctx_tok *tok = open_tok("o200k_base");

	RUN(test_texts(tok, 0));
	RUN(test_texts(tok, 1));
	RUN(test_parts(tok));
	RUN(test_json(tok));
	RUN(test_long(tok));
	RUN(test_names());
	RUN(test_cost(tok));
	RUN(test_nomem(tok));
	ctx_tok_free(tok);
	return CHECK_DONE("claude");
}
