/* SPDX-License-Identifier: MIT */
/*
 * Vocabularies, counting, merging.  The numbers are tiktoken's (see
 * test_token_ref) or follow from its rules.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/uclass.h"
#include "check.h"
#include "token/count.h"
#include "token/bpe.h"
#include "token/tok_priv.h"
#include "vocab.h"

static uint64_t
count_json(struct ctx_counter *c, const char *s, size_t len)
{
	struct ctx_err err = { 0 };
	uint64_t n = 0;

	CHECK_INT(ctx_counter_json(c, s, len, &n, &err), 0);
	return n;
}

/* ids as "1,2,3" */
static void
check_ids(struct ctx_counter *c, const char *text, const char *want)
{
	struct ctx_ids ids = { 0 };
	struct ctx_buf got = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	CHECK_INT(ctx_counter_encode(c, text, strlen(text), &ids, &err), 0);
	for (i = 0; i < ids.n; i++)
		ctx_buf_addf(&got, "%s%u", i > 0 ? "," : "", ids.id[i]);
	CHECK_STR(ctx_buf_str(&got), want);
	CHECK_INT(count(c, text, strlen(text)), ids.n);
	ctx_buf_done(&got);
	ctx_ids_done(&ids);
}

static void
test_uclass(void)
{
	CHECK_INT(ctx_uclass('a'), CTX_UC_LETTER | CTX_UC_LOWER | CTX_UC_WORD);
	CHECK_INT(ctx_uclass('A'), CTX_UC_LETTER | CTX_UC_UPPER | CTX_UC_WORD);
	CHECK_INT(ctx_uclass('7'), CTX_UC_NUMBER | CTX_UC_WORD);
	CHECK_INT(ctx_uclass('_'), CTX_UC_PUNCT | CTX_UC_WORD);
	CHECK_INT(ctx_uclass(0x85), CTX_UC_SPACE);
	CHECK_INT(ctx_uclass(0xfeff), 0);
	CHECK_INT(ctx_uclass(0x200b), 0);
	CHECK_INT(ctx_uclass(0x301),
	    CTX_UC_MARK | CTX_UC_UPPER | CTX_UC_LOWER | CTX_UC_WORD);
	CHECK_INT(ctx_uclass(0x4e2d),
	    CTX_UC_LETTER | CTX_UC_UPPER | CTX_UC_LOWER | CTX_UC_WORD);
	CHECK_INT(ctx_uclass(0x1c89),
	    CTX_UC_LETTER | CTX_UC_UPPER | CTX_UC_WORD);
	CHECK_INT(ctx_uclass(0x187fb), 0);
	CHECK_INT(ctx_uclass(CTX_UC_MAX), 0);
}

static void
test_ids(void)
{
	static const char *const name[] = {
		"cl100k_base", "o200k_base", "p50k_base", "r50k_base"
	};
	/* "hello world", as in OpenAI's cookbook and test suite. */
	static const char *const want[] = {
		"15339,1917", "24912,2375", "31373,995", "31373,995"
	};
	struct ctx_counter c;
	struct ctx_tok *tok;
	unsigned i;

	for (i = 0; i < 4; i++) {
		tok = open_tok(name[i]);
		CHECK_STR(ctx_tok_name(tok), name[i]);
		CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
		check_ids(&c, "hello world", want[i]);
		check_ids(&c, "", "");
		ctx_counter_done(&c);
		ctx_tok_free(tok);
	}
}

static void
test_special(void)
{
	struct ctx_tok *tok = open_tok("cl100k_base");
	struct ctx_counter c;
	struct ctx_err err = { 0 };
	uint64_t n;
	const char *s = "hello <|endoftext|>hello world<|fim_prefix|>";
	size_t i, len = strlen(s);

	CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
	check_ids(&c, "hello <|endoftext|>",
	    "15339,83739,8862,728,428,91,29");
	c.special = 1;
	check_ids(&c, "hello <|endoftext|>", "15339,220,100257");
	check_ids(&c, s, "15339,220,100257,15339,1917,100258");
	for (i = 0; i <= len; i++) {
		CHECK_INT(ctx_counter_feed(&c, s, i, &err), 0);
		CHECK_INT(ctx_counter_feed(&c, s + i, len - i, &err), 0);
		CHECK_INT(ctx_counter_end(&c, &n, &err), 0);
		CHECK_INT(n, 6);
	}
	ctx_counter_done(&c);
	ctx_tok_free(tok);

	tok = open_tok("o200k_harmony");
	CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
	c.special = 1;
	check_ids(&c, "<|start|>user<|message|><|reserved_200500|>",
	    "200006,1428,200008,200500");
	ctx_counter_done(&c);
	ctx_tok_free(tok);
}

static void
test_chars(void)
{
	static const struct {
		const char *text;
		unsigned n;
	} t[] = {
		{ "", 0 }, { "a", 1 }, { "ab", 1 }, { "abc", 1 },
		{ "abcd", 1 }, { "abcde", 2 }, { "abcdefg", 2 },
		{ "abcdefgh", 3 },
		{ "\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87!", 2 },
	};
	struct ctx_tok *tok = open_tok("chars");
	struct ctx_counter c;
	struct ctx_err err = { 0 };
	struct ctx_ids ids = { 0 };
	unsigned i;

	CHECK(ctx_tok_is_estimate(tok));
	CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
	for (i = 0; i < sizeof(t) / sizeof(*t); i++)
		CHECK_INT(count(&c, t[i].text, strlen(t[i].text)), t[i].n);
	CHECK_INT(count_json(&c, "\\n\\n\\u4e2d\\ud83d\\ude00a", 23), 2);
	CHECK_INT(ctx_counter_encode(&c, "a", 1, &ids, &err), -1);
	CHECK_INT(err.code, CTX_EUSAGE);
	c.factor = (struct ctx_ratio){ 15, 10 };
	CHECK_INT(count(&c, "abcde", 5), 3);
	CHECK_INT(count(&c, "abcdefgh", 8), 5);
	ctx_counter_done(&c);
	ctx_tok_free(tok);
}

/* Invalid UTF-8 counts as U+FFFD, one for each maximal part. */
static void
test_bad_utf8(void)
{
#define R "\xef\xbf\xbd"
	static const char *const t[][2] = {
		{ "a\xff" "b", "a" R "b" },
		{ "\x80\x80", R R },
		{ "ab \xe4\xb8", "ab " R },
		{ "\xe4\xb8 x", R " x" },
		{ "\xf0\x9f\x98", R },
		{ "\xf0\x9f\x98" "A", R "A" },
		{ "\xed\xa0\x80", R R R },
		{ "\xc0\xaf", R R },
		{ "\xe0\x80\x80", R R R },
		{ "\xf4\x90\x80\x80", R R R R },
		{ "\xf5\x80", R R },
		{ "\xe4\xb8\xad\xe4\xb8\xe4", "\xe4\xb8\xad" R R },
	};
	struct ctx_tok *tok = open_tok("o200k_base");
	struct ctx_counter c;
	struct ctx_err err = { 0 };
	struct ctx_ids a = { 0 }, b = { 0 };
	uint64_t n;
	size_t i, k;

	CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		a.n = b.n = 0;
		ctx_counter_encode(&c, t[i][0], strlen(t[i][0]), &a, &err);
		ctx_counter_encode(&c, t[i][1], strlen(t[i][1]), &b, &err);
		CHECK(a.n == b.n && memcmp(a.id, b.id, 4 * a.n) == 0);
		CHECK_INT(count(&c, t[i][0], strlen(t[i][0])), b.n);
		for (k = 0; k < strlen(t[i][0]); k++)
			ctx_counter_feed(&c, t[i][0] + k, 1, &err);
		CHECK_INT(ctx_counter_end(&c, &n, &err), 0);
		CHECK_INT(n, b.n);
	}
	ctx_ids_done(&a);
	ctx_ids_done(&b);
	ctx_counter_done(&c);
	ctx_tok_free(tok);
}

/* A JSON spelling, or the text in parts, has the same count as the text. */
static void
test_parts(void)
{
	static const char json[] = "don\\u0027t \\\"quote\\\" \\/ \\\\ \\t\\n"
	    "\\u4e2d\\u6587 \\ud83d\\ude00 \\ud83d x \\ude00 \xe4\xb8\xad "
	    "HTMLParser \\r\\n\\r\\n   if (x)  { \\n  \\n}12345 \\u00e9t\\u0301";
	static const char text[] = "don't \"quote\" / \\ \t\n"
	    "\xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x98\x80 " R " x " R
	    " \xe4\xb8\xad HTMLParser \r\n\r\n   if (x)  { \n  \n}12345 "
	    "\xc3\xa9t\xcc\x81";
	static const char *const name[] = {
		"cl100k_base", "o200k_base", "r50k_base", "chars"
	};
	struct ctx_tok *tok;
	struct ctx_counter c;
	struct ctx_err err = { 0 };
	uint64_t want, n;
	size_t i, k, step;

	for (i = 0; i < sizeof(name) / sizeof(*name); i++) {
		tok = open_tok(name[i]);
		CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
		want = count(&c, text, sizeof(text) - 1);
		CHECK_INT(count_json(&c, json, sizeof(json) - 1), want);
		for (step = 1; step < sizeof(text); step++) {
			for (k = 0; k < sizeof(text) - 1; k += step)
				ctx_counter_feed(&c, text + k,
				    sizeof(text) - 1 - k < step ?
				    sizeof(text) - 1 - k : step, &err);
			CHECK_INT(ctx_counter_end(&c, &n, &err), 0);
			CHECK_INT(n, want);
		}
		ctx_counter_done(&c);
		ctx_tok_free(tok);
	}
}

/* The definition, which is slow. */
static size_t
merge_plainly(const struct ctx_table *t, const uint8_t *p, size_t len,
    uint32_t *id)
{
	uint32_t rank, best;
	size_t n = len, i, at;

	for (i = 0; i < len; i++)
		id[i] = t->first[p[i]];
	for (;;) {
		best = CTX_RANK_MAX;
		for (i = at = 0; i + 1 < n; i++) {
			rank = ctx_pair_rank(t, id[i], id[i + 1]);
			if (rank < best) {
				best = rank;
				at = i;
			}
		}
		if (best == CTX_RANK_MAX)
			return n;
		id[at] = ctx_rank_id(t, best);
		memmove(id + at + 1, id + at + 2, (n - at - 2) * sizeof(*id));
		n--;
	}
}

static void
test_merge(void)
{
	static const char *const alphabet[] = {
		"a", "ab", " ", "=", "-_", "abcdefghijklmnopqrstuvwxyz",
		"etaoin", "0123456789abcdef", "\xe4\xb8\xad", "\n", "!?.",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "\xe0\xb8\x81\xe0\xb8\x81",
	};
	static const size_t length[] = {
		1, 2, 15, 63, 64, 65, 130, 500, 1023, 1024, 1025, 2500
	};
	static uint8_t text[4096];
	static uint32_t id[4096];
	struct ctx_tok *tok = open_tok("o200k_base");
	struct ctx_ids ids = { 0 };
	struct ctx_err err = { 0 };
	size_t i, k, j, n, want, len, m;
	uint32_t rnd = 1;

	for (i = 0; i < sizeof(alphabet) / sizeof(*alphabet); i++) {
		m = strlen(alphabet[i]);
		for (k = 0; k < sizeof(length) / sizeof(*length); k++) {
			len = length[k];
			for (j = 0; j < len; j++) {
				rnd = rnd * 1664525 + 1013904223;
				text[j] = (uint8_t)alphabet[i][m > 3 || m == 2 ?
				    (rnd >> 16) % m : j % m];
			}
			want = merge_plainly(&tok->table, text, len, id);
			ids.n = 0;
			CHECK_INT(ctx_bpe_piece(&tok->table, text, len, &ids,
			    &n, &err), 0);
			CHECK_INT(n, want);
			CHECK(ids.n == want &&
			    memcmp(ids.id, id, want * sizeof(*id)) == 0);
			CHECK_INT(ctx_bpe_piece(&tok->table, text, len, NULL,
			    &n, &err), 0);
			CHECK_INT(n, want);
		}
	}
	ctx_ids_done(&ids);
	ctx_tok_free(tok);
}

static void
test_errors(void)
{
	struct ctx_tok *tok = open_tok("r50k_base");
	struct ctx_err err = { 0 };
	struct ctx_buf out = { 0 };
	uint32_t bad[2] = { 31373, 60000 };

	CHECK_INT(ctx_tok_decode(tok, bad, 2, &out, &err), -1);
	CHECK_INT(err.code, CTX_EINPUT);
	CHECK_MEM(out.data, out.len, "hello");
	ctx_tok_free(tok);
	ctx_buf_done(&out);

	ctx_err_clear(&err);
	CHECK(ctx_tok_open("nonesuch", &err) == NULL);
	CHECK_INT(err.code, CTX_EUSAGE);
	CHECK_STR(err.text, "unknown encoding 'nonesuch'");
	ctx_err_clear(&err);
	CHECK(ctx_tok_open("/nonexistent/x.ctxv", &err) == NULL);
	CHECK_INT(err.code, CTX_ESYSTEM);
}

/* Nothing is read after the end of a text: the next page cannot be. */
static void
test_edge(void)
{
	static const char *const paths[] = { "portable", "avx2", "avx512" };
	static const char text[] = "xqzjvk xqzjvk It is at a, or in b: "
	    "unlikelihoods of counterrevolutionaries, (x) 12 6789 are.\n\no";
	size_t page = (size_t)sysconf(_SC_PAGESIZE), len, i;
	struct ctx_tok *tok = open_tok("o200k_base");
	char *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ctx_ids ids = { 0 };
	struct ctx_counter c;

	if (!CHECK(map != MAP_FAILED && mprotect(map + page, page, PROT_NONE)
	    == 0))
		return;
	for (i = 0; i < 3; i++) {
		if (ctx_cpu_force(paths[i]) == -1)
			continue;
		CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
		for (len = sizeof(text) - 1; len > 0; len--, ids.n = 0) {
			memcpy(map + page - len, text, len);
			CHECK_INT(ctx_counter_encode(&c, map + page - len, len,
			    &ids, NULL), 0);
			CHECK_INT(count(&c, map + page - len, len), ids.n);
		}
		ctx_counter_done(&c);
	}
	ctx_cpu_force(NULL);
	munmap(map, 2 * page);
	ctx_ids_done(&ids);
	ctx_tok_free(tok);
}

/* A piece is not taken for a word counted before that is 256 bytes shorter. */
static void
test_longer(void)
{
	static const char *const paths[] = { "portable", "avx2", "avx512" };
	const char word[] = " qzx qzx qzx qzx qzx qzx.";
	struct ctx_tok *tok = open_tok("o200k_base");
	struct ctx_ids ids = { 0 };
	char text[4 + 256 + 9];
	struct ctx_counter c;
	unsigned i, k;

	memset(text, 'a', sizeof(text));
	memcpy(text, word, 4);
	memcpy(text + 4 + 256, " qzx qzx.", 9);
	for (i = 0; i < 3; i++) {
		if (ctx_cpu_force(paths[i]) == -1)
			continue;
		CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
		ids.n = 0;
		CHECK_INT(ctx_counter_encode(&c, text, sizeof(text), &ids,
		    NULL), 0);
		for (k = 0; k < 3; k++)
			CHECK(count(&c, word, sizeof(word) - 1) > 6);
		CHECK_INT(count(&c, text, sizeof(text)), ids.n);
		ctx_counter_done(&c);
	}
	ctx_cpu_force(NULL);
	ctx_ids_done(&ids);
	ctx_tok_free(tok);
}

/* Append a random string's contents, sometimes long and, if bad, not UTF-8. */
static void
add_random(struct ctx_buf *b, uint32_t *seed, int bad)
{
	static const char *const bit[] = {
		"a", "word", " the", " The", "\\n", "\\n    ", "\\\"", "\\\\",
		"12", "\xe4\xb8\xad\xe6\x96\x87", "\xe3\x80\x82", "\xc3\xa9",
		"\\u00e9", " unlikelihoods", "xqzjv", ". ", "'s", "()", "  ",
		"\xf0\x9f\x98\x80", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"<|endoftext|>", "\xff"
	};
	unsigned n = sizeof(bit) / sizeof(*bit), k;

	*seed = *seed * 1664525 + 1013904223;
	k = (*seed >> 8) % 1000;
	k = k == 0 ? 20000 : k < 50 ? 700 : k % 40;
	for (; k > 0; k--) {
		*seed = *seed * 1664525 + 1013904223;
		ctx_buf_adds(b, bit[(*seed >> 8) % (bad ? n : n - 1)]);
	}
}

/* Strings that are counted together have the counts that each has alone. */
static void
check_all(struct ctx_counter *c, uint32_t seed, size_t n, int bad)
{
	struct ctx_counted of[300];
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	size_t i, at[301] = { 0 };
	uint64_t alone;

	for (i = 0; i < n; i++) {
		add_random(&b, &seed, bad && i == 200);
		at[i + 1] = b.len;
	}
	for (i = 0; i < n; i++)
		of[i] = (struct ctx_counted){ b.data + at[i],
		    at[i + 1] - at[i], 7 };
	CHECK_INT(ctx_counter_json_all(c, of, n, &err), 0);
	for (i = 0; i < n; i++) {
		CHECK_INT(ctx_counter_json(c, of[i].s, of[i].len, &alone,
		    &err), 0);
		if (!CHECK(of[i].n == alone))
			break;
	}
	ctx_buf_done(&b);
}

static void
test_all(void)
{
	static const char *const path[] = { "portable", "avx2", "avx512" };
	static const char *const name[] = {
		"o200k_base", "cl100k_base", "r50k_base", "chars",
		"tests/data/token/tiny-llama.json"
	};
	struct ctx_counter c;
	struct ctx_tok *tok;
	size_t i, k;
	uint32_t round;

	for (i = 0; i < sizeof(name) / sizeof(*name); i++) {
		tok = open_tok(name[i]);
		for (k = 0; k < sizeof(path) / sizeof(*path); k++) {
			if (ctx_cpu_force(path[k]) == -1)
				continue;
			CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
			for (round = 0; round < 30; round++) {
				c.special = round == 7;
				c.factor.num = 1 + round % 3;
				check_all(&c, round + 100 * (uint32_t)k,
				    round == 1 ? 0 : round % 4 == 2 ? round :
				    300, round % 5 == 4);
			}
			ctx_counter_done(&c);
		}
		ctx_cpu_force(NULL);
		ctx_tok_free(tok);
	}
}

int
main(void)
{
	RUN(test_uclass());
	RUN(test_ids());
	RUN(test_special());
	RUN(test_chars());
	RUN(test_bad_utf8());
	RUN(test_parts());
	RUN(test_all());
	RUN(test_edge());
	RUN(test_longer());
	RUN(test_merge());
	RUN(test_errors());
	return CHECK_DONE("token");
}
