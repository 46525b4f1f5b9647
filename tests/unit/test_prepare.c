/* SPDX-License-Identifier: MIT */
/* Other vocabulary files, and counting with threads. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "token/count.h"
#include "token/onig.h"
#include "token/prepare.h"
#include "token/crew.h"
#include "token/tok_priv.h"
#include "token/vocab.h"

static char dir[] = "/tmp/test_prepare.XXXXXX";

static char *
in_dir(const char *name)
{
	static char path[2][256];
	static int turn;

	turn ^= 1;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static void
put(const char *name, const char *text)
{
	FILE *f = fopen(in_dir(name), "w");

	if (CHECK(f != NULL)) {
		fputs(text, f);
		fclose(f);
	}
}

/* Check the ids of text, as "1 2 3"; special tokens are optional. */
static void
check_ids(const char *file, const char *text, int special, const char *want)
{
	struct ctx_err err = { 0 };
	struct ctx_tok *tok = ctx_tok_open(file, &err);
	struct ctx_counter c;
	struct ctx_ids ids = { 0 };
	struct ctx_buf got = { 0 };
	uint64_t n = 0;
	size_t i;

	if (!CHECK(tok != NULL)) {
		fprintf(stderr, "%s\n", err.text);
		return;
	}
	CHECK_INT(ctx_counter_init(&c, tok, &err), 0);
	c.special = special;
	CHECK_INT(ctx_counter_encode(&c, text, strlen(text), &ids, &err), 0);
	for (i = 0; i < ids.n; i++)
		ctx_buf_addf(&got, "%s%u", i > 0 ? " " : "", ids.id[i]);
	CHECK_STR(ctx_buf_str(&got), want);
	CHECK_INT(ctx_counter_text(&c, text, strlen(text), &n, &err), 0);
	CHECK_INT(n, ids.n);
	/* The same when it is fed in parts. */
	for (i = 0; text[i] != '\0'; i++)
		ctx_counter_feed(&c, text + i, 1, &err);
	CHECK_INT(ctx_counter_end(&c, &n, &err), 0);
	CHECK_INT(n, ids.n);
	ctx_buf_done(&got);
	ctx_ids_done(&ids);
	ctx_counter_done(&c);
	ctx_tok_free(tok);
}

#define VOCAB	"\"a\":0,\"b\":1,\"c\":2,\"\xc4\xa0\":3,\"\xc4\x8a\":4,\"1\":5," \
	"\"ab\":6,\"\xc4\xa0" "a\":7,\"bc\":8,\"abc\":9,\"\xc3\x83\":10"

/* Merges have an order: bc before ab, so "abc" is a token; ab before " a". */
static void
test_hf(void)
{
	put("tokenizer.json", "{\"added_tokens\":["
	    "{\"id\":11,\"content\":\"<s>\",\"special\":true},"
	    "{\"id\":12,\"content\":\"<t>\",\"special\":false}],"
	    "\"normalizer\":null,\"pre_tokenizer\":{\"type\":\"ByteLevel\","
	    "\"add_prefix_space\":false,\"use_regex\":true},"
	    "\"model\":{\"type\":\"BPE\",\"vocab\":{" VOCAB "},"
	    "\"merges\":[\"b c\",\"a b\",\"\xc4\xa0 a\",[\"a\",\"bc\"]]}}");
	CHECK(!ctx_prepare_is_done(in_dir("tokenizer.json")));
	check_ids(in_dir("tokenizer.json"), "abc ab a1\n", 0,
	    "9 3 6 7 5 4");
	check_ids(in_dir("tokenizer.json"), "ab<t>c<s>", 0,
	    "6 12 2 2097151 2097151 2097151");
	check_ids(in_dir("tokenizer.json"), "ab<t>c<s>", 1, "6 12 2 11");
	CHECK_INT(ctx_prepare(in_dir("tokenizer.json"), in_dir("x.ctxv"),
	    NULL, NULL), 0);
	CHECK(ctx_prepare_is_done(in_dir("x.ctxv")));
	check_ids(in_dir("x.ctxv"), "abc ab a1\n", 0, "9 3 6 7 5 4");

	/* With ignore_merges, a piece that equals a token is that token. */
	put("tokenizer.json", "{\"pre_tokenizer\":{\"type\":\"Sequence\","
	    "\"pretokenizers\":[{\"type\":\"Split\",\"pattern\":{\"Regex\":"
	    "\"\\\\p{L}+|x\"},\"behavior\":\"Isolated\",\"invert\":false},"
	    "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,"
	    "\"use_regex\":false}]},\"model\":{\"type\":\"BPE\","
	    "\"ignore_merges\":true,\"vocab\":{" VOCAB "},"
	    "\"merges\":[\"a b\"]}}");
	check_ids(in_dir("tokenizer.json"), "abc abcb 1", 0,
	    "9 3 6 2 1 3 5");
}

#define BYTES	"\"decoder\":{\"type\":\"ByteLevel\"}"

#define SPLIT(pattern)	"{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":" \
	"{\"Regex\":\"" pattern "\"},\"behavior\":\"Isolated\"}}"

static void
test_pattern(void)
{
	struct ctx_buf out = { 0 };

	/* A space, U+180E (not a space) and a newline: $ matches before it. */
	put("tokenizer.json", "{\"pre_tokenizer\":{\"type\":\"Sequence\","
	    "\"pretokenizers\":[{\"type\":\"Split\",\"pattern\":{\"Regex\":"
	    "\"[\\\\s]+|b$|a(?=\\\\S)\"},\"behavior\":\"Isolated\"},"
	    "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,"
	    "\"use_regex\":false}]},\"model\":{\"type\":\"BPE\","
	    "\"vocab\":{" VOCAB "},\"merges\":[\"a b\",\"b c\"]}}");
	check_ids(in_dir("tokenizer.json"), "ab\nbc a b", 0, "0 1 4 8 3 0 3 1");
	CHECK_INT(ctx_onig_to_pcre("[^\\s]\\p{Lt}?[]a]", &out, NULL), 0);
	CHECK_STR(ctx_buf_str(&out), "[^\\x09-\\x0d\\x20\\x85\\xa0\\x{1680}"
	    "\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
	    "\\x{3000}]\\p{Lt}?[]a]");
	ctx_buf_reset(&out);
	CHECK_INT(ctx_onig_add_late("[^\\p{Lt}]\\P{Sk}\\]", &out, NULL), 0);
	CHECK_STR(ctx_buf_str(&out), "[^\\p{Lt}][^\\p{Sk}\\x{888}-\\x{888}"
	    "\\x{fbc2}-\\x{fbc2}]\\]");
	CHECK_INT(ctx_onig_late((const uint8_t *)"a\xe4\xb8\xad", 4), 0);
	CHECK_INT(ctx_onig_late((const uint8_t *)"a\xe1\xb2\x89", 4), 1);
	ctx_buf_done(&out);
}

static void
test_hf_errors(void)
{
	static const char *const bad[][2] = {
		{ "{", "tokenizer.json: " },
		{ "{\"model\":{\"type\":\"Odd\"}}", "'Odd', but only BPE, Unigram" },
		{ "{\"model\":{\"type\":\"Unigram\"}}", "has no tokens" },
		{ "{\"normalizer\":{\"type\":\"Odd\"}}",
		    "normalizer 'Odd'" },
		{ "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":["
		    "{\"type\":\"Odd\"}]}}", "'Odd'" },
		{ "{\"normalizer\":{\"type\":\"Replace\",\"pattern\":"
		    "{\"Regex\":\" +\"},\"content\":\" \"}}", "'Replace'" },
		{ "{\"normalizer\":{\"type\":\"Prepend\",\"prepend\":\"x\"}}",
		    "'Prepend' of 'x'" },
		{ "{\"pre_tokenizer\":{\"type\":\"Punctuation\"}}",
		    "pre-tokenizer 'Punctuation'" },
		{ "{\"pre_tokenizer\":{\"type\":\"Metaspace\","
		    "\"replacement\":\"_\"}}", "U+2581" },
		{ "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":"
		    "{\"String\":\",\"},\"behavior\":\"Isolated\"}}",
		    "a Split that" },
		{ SPLIT(" ?[^(\\\\s|[.,!?])]+"), "split pattern has '[.'" },
		{ SPLIT("[a-z&&[^b]]"), "has '&&'" },
		{ SPLIT("\\\\h+"), "has '\\h'" }, { SPLIT("[\\\\S]"), "has '\\S'" },
		{ SPLIT("a{1,3}+"), "has '}+'" }, { SPLIT("(?m:a.)"), "has '(?'" },
		{ "{" BYTES ",\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},"
		    "\"merges\":[\"a b\"]}}", "a part of a merge" },
		{ "{" BYTES ",\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":-1},"
		    "\"merges\":[]}}", "no id" },
		{ "{" BYTES ",\"model\":{\"type\":\"BPE\",\"dropout\":0.1,"
		    "\"vocab\":{},\"merges\":[]}}", "a dropout" },
		{ "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},"
		    "\"merges\":[]}}", "nor 'byte_fallback'" },
		{ "{\"model\":{\"type\":\"BPE\",\"byte_fallback\":true,"
		    "\"vocab\":{\"\\u4e2d\":0,\"<0x00>\":1},\"merges\":[]}}",
		    "no token for byte 0x01" },
		{ "YQ== x\n", "tokenizer.json:1: " },
		{ "YQ== 0\nYg== 0\n", ":2: token 0 occurs twice" },
		{ "", "contains no tokens" },
		{ "YQ== 0\nYg== 1\n", "how it splits text is not known" },
	};
	struct ctx_err err;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		put("tokenizer.json", bad[i][0]);
		memset(&err, 0, sizeof(err));
		CHECK(ctx_tok_open(in_dir("tokenizer.json"), &err) == NULL);
		CHECK_INT(err.code, CTX_ESYSTEM);
		if (!CHECK(strstr(err.text, bad[i][1]) != NULL))
			fprintf(stderr, "%s\n", err.text);
	}
}

static void
test_ranks(void)
{
	check_ids("lib/token/data/r50k_base.tiktoken", "hello world", 0,
	    "31373 995");
	check_ids("lib/token/data/cl100k_base.tiktoken", "hello 12345", 0,
	    "15339 220 4513 1774");
}

/* "中" followed by "a": one piece for o200k, two for Kimi. */
#define HAN_RANKS "YQ== 0\nYg== 1\nMQ== 2\nIA== 3\n4Lit 4\n5Lit 5\n" \
	"5LitYQ== 6\nYTE= 7\nMTE= 8\nMTEx 9\nMTExMQ== 10\nIGE= 11\n" \
	"YWI= 12\n"

/* A rank file whose split is given by a name or as a pattern. */
static void
test_split(void)
{
	static const struct {
		const char *split, *text, *ids;
	} t[] = {
		{ "o200k", "\xe4\xb8\xad" "a", "6" },
		{ "kimi", "\xe4\xb8\xad" "a", "5 0" },
		{ "kimi", " a ab1111", "11 11 1 9 2" },
		{ "qwen", "1111", "2 2 2 2" },
		{ "cl100k", "1111", "9 2" },
		{ "r50k", "1111", "10" },
		{ "[ab]|1+", "ab1111", "0 1 10" },
	};
	struct ctx_prepare_how how = { "named", NULL };
	struct ctx_err err = { 0 };
	struct ctx_tok *tok;
	size_t i;

	put("tokenizer.json", HAN_RANKS);
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		how.split = t[i].split;
		CHECK_INT(ctx_prepare(in_dir("tokenizer.json"),
		    in_dir("x.ctxv"), &how, &err), 0);
		check_ids(in_dir("x.ctxv"), t[i].text, 0, t[i].ids);
	}
	tok = ctx_tok_open(in_dir("x.ctxv"), &err);
	CHECK_STR(ctx_tok_name(tok), "named");
	ctx_tok_free(tok);
	how.split = "[a";
	CHECK_INT(ctx_prepare(in_dir("tokenizer.json"), in_dir("x.ctxv"), &how,
	    &err), -1);
	CHECK(strstr(err.text, "split pattern is") != NULL);
	put("tokenizer.json", "{}");
	ctx_err_clear(&err);
	how.split = "qwen";
	CHECK_INT(ctx_prepare(in_dir("tokenizer.json"), in_dir("x.ctxv"), &how,
	    &err), -1);
	CHECK_INT(err.code, CTX_EUSAGE);
}

/*
 * Tokens longer than any window.  The tokens of a piece of 5000 bytes are then
 * found for the complete piece.  5000 = 2 * 2048 + 512 + 256 + 128 + 8.
 */
static void
test_huge_tokens(void)
{
	static char text[5001];
	struct ctx_vocab v;
	struct ctx_err err = { 0 };
	uint32_t k;

	memset(text, 'a', 5000);
	ctx_vocab_init(&v, "huge");
	v.split = CTX_SPLIT_CL100K;
	for (k = 0; k < 12; k++)
		CHECK_INT(ctx_vocab_add(&v, k, text, (size_t)1 << k, 0, &err),
		    0);
	CHECK_INT(ctx_vocab_write(&v, in_dir("x.ctxv"), &err), 0);
	check_ids(in_dir("x.ctxv"), text, 0, "11 11 9 8 7 3");
	ctx_vocab_done(&v);
}

/* A text that is read in parts, some of which cannot be divided. */
struct parts {
	const char *text;
	size_t len, at;
	size_t seen;		/* bytes, in any order */
	size_t fail_at;		/* the read that comes so far fails */
	pthread_mutex_t lock;
};

static ssize_t
part(void *arg, char *to, size_t size, struct ctx_err *err)
{
	struct parts *p = arg;
	size_t n = p->len - p->at < 77777 ? p->len - p->at : 77777;

	if (p->fail_at > 0 && p->at >= p->fail_at)
		return ctx_fail(err, CTX_ESYSTEM, "as planned");
	n = n < size ? n : size;
	memcpy(to, p->text + p->at, n);
	p->at += n;
	return (ssize_t)n;
}

static void
seen(void *arg, const char *text, size_t len)
{
	struct parts *p = arg;

	(void)text;
	pthread_mutex_lock(&p->lock);
	p->seen += len;
	pthread_mutex_unlock(&p->lock);
}

/* The count, or -1 if it fails, as it must after fail_at bytes. */
static long long
crew_count(struct ctx_crew *crew, const char *text, size_t len, size_t fail_at)
{
	struct parts p = { text, len, 0, 0, fail_at,
	    PTHREAD_MUTEX_INITIALIZER };
	struct ctx_crew_text t = { part, seen, &p };
	struct ctx_err err = { 0 };
	uint64_t n = 0;

	if (ctx_crew_count(crew, &t, &n, &err) == -1) {
		CHECK_STR(err.text, "as planned");
		return -1;
	}
	CHECK_INT((long long)p.seen, (long long)len);
	return (long long)n;
}

/* Between divisible parts, a part that exceeds all limits and is not. */
static void
test_threads_no_divide(void)
{
	static const char line[] = "words and words\n";
	size_t len = 20u << 20, i;
	char *text = malloc(len);
	struct ctx_tok *tok;
	struct ctx_counter c;
	struct ctx_crew *crew;
	struct ctx_err err = { 0 };
	uint64_t want;

	if (!CHECK(text != NULL))
		return;
	for (i = 0; i < len; i++)
		text[i] = i > (len / 4) && i < len / 4 * 3 ? "ab 1"[i % 4] :
		    line[i % (sizeof(line) - 1)];
	tok = ctx_tok_open("o200k_base", &err);
	CHECK_INT(ctx_counter_init(&c, tok, &err), 0);
	CHECK_INT(ctx_counter_text(&c, text, len, &want, &err), 0);
	crew = ctx_crew_new(&c, 3, &err);
	if (CHECK(crew != NULL)) {
		for (i = 0; i < 2; i++)
			CHECK_INT(crew_count(crew, text, len, 0),
			    (long long)want);
		CHECK_INT(crew_count(crew, text, 0, 0), 0);
		/* what has failed does not count for the next text */
		for (i = 1; i < 8; i++) {
			CHECK_INT(crew_count(crew, text, len, len / 8 * i),
			    -1);
			CHECK_INT(crew_count(crew, text, 5, 0), 1);
		}
	}
	ctx_crew_free(crew);
	ctx_counter_done(&c);
	ctx_tok_free(tok);
	free(text);
}

/* Where texts may be divided, as other patterns and as GPT-4's. */
static void
test_divide(void)
{
	static const struct {
		const char *text;
		size_t at, lines;
	} row[] = {
		{ "abc\n", 4, 4 }, { "\nb", 2, 2 }, { "a\nb", 2, 2 },
		{ "a\r\nb", 3, 3 }, { "a \nb", 4, 4 }, { "a\n\nb", 4, 4 },
		{ "\r\nb", 3, 3 }, { " \r\nb", 4, 4 },
		/* after a Chinese full stop, not after an ideographic space */
		{ "\xe3\x80\x82\n\xe4\xb8\xad", 4, 4 },
		{ "\xe3\x80\x80\n\xe4\xb8\xad", 7, 7 },
		{ "a\n  b", 5, 2 }, { "a\n\t-", 4, 2 }, { "a\n  ", 4, 4 },
		{ "a\n \nb", 5, 5 }, { "a\n1", 3, 2 }, { ")\n/", 3, 3 },
		{ ")\n /", 4, 2 }, { "a\n\xc3\xa9", 4, 4 }
	};
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		CHECK_INT(ctx_crew_divide(CTX_SPLIT_R50K, row[i].text,
		    strlen(row[i].text), 0), row[i].at);
		CHECK_INT(ctx_crew_divide(CTX_SPLIT_O200K, row[i].text,
		    strlen(row[i].text), 0), row[i].lines);
	}
}

/* What is divided counts as much as the whole, in random texts. */
static void
test_divided(void)
{
	static const char *const bit[] = {
		"\n", "\n", "\r\n", " ", " ", "\t", "a", "B", "1", "23", "/",
		"//", ")", "'s", "'", "\xe4\xb8\xad", "\xe3\x80\x82",
		"\xc3\xa9", "\xe3\x80\x80", "\"", "<|", "don't", "."
	};
	static const char *const name[] = {
		"cl100k_base", "o200k_base", "r50k_base",
		"tests/data/token/words.json"
	};
	struct ctx_err err = { 0 };
	uint64_t all, one, two;
	struct ctx_counter c;
	struct ctx_tok *tok;
	uint32_t seed = 3;
	char text[200];
	size_t k, n, at;
	unsigned round, found = 0;

	for (k = 0; k < sizeof(name) / sizeof(*name); k++) {
		tok = ctx_tok_open(name[k], &err);
		CHECK_INT(ctx_counter_init(&c, tok, &err), 0);
		for (round = 0; round < 40000; round++) {
			text[0] = '\0';
			for (n = round % 24; n > 0; n--) {
				seed = seed * 1664525 + 1013904223;
				strcat(text, bit[(seed >> 16) % (sizeof(bit) /
				    sizeof(*bit))]);
			}
			n = strlen(text);
			at = ctx_crew_divide((enum ctx_split_kind)
			    tok->table.head->split, text, n, 0);
			CHECK_INT(ctx_counter_text(&c, text, n, &all, &err), 0);
			CHECK_INT(ctx_counter_text(&c, text, at, &one, &err),
			    0);
			CHECK_INT(ctx_counter_text(&c, text + at, n - at, &two,
			    &err), 0);
			if (!CHECK(all == one + two)) {
				printf("%s: \"%s\" at %zu\n", name[k], text,
				    at);
				return;
			}
			found += at < n;
		}
		ctx_counter_done(&c);
		ctx_tok_free(tok);
	}
	CHECK(found > 20000);
}

static void
test_threads(void)
{
	static const char line[] = "Some text, 123456 of it; don't divide\n\n"
	    "  it at will.\n\tNor here\n \n x\n)\n/y\nBut here\n"
	    "\xe4\xb8\xad\xe6\x96\x87\nAnd here.\n";
	static const char *const name[] = {
		"cl100k_base", "o200k_base", "r50k_base", "chars",
		"tests/data/token/tiny-llama.json",
		"tests/data/token/tiny-gemma.json",
		"tests/data/token/pieces-merges.model",
		"tests/data/token/words.json"
	};
	size_t len = sizeof(line) - 1, total = len * 12000, i, at;
	char *text = malloc(total);
	struct ctx_tok *tok;
	struct ctx_counter c;
	struct ctx_crew *crew;
	struct ctx_err err = { 0 };
	uint64_t want;
	unsigned k;

	if (!CHECK(text != NULL))
		return;
	for (i = 0; i < total; i++)
		text[i] = line[i % len];
	at = ctx_crew_divide(CTX_SPLIT_R50K, text, total, 0);
	CHECK_MEM(text + at, 8, "But here");
	CHECK_MEM(text + ctx_crew_divide(CTX_SPLIT_R50K, text, total, at + 1),
	    3, "\xe4\xb8\xad");
	for (k = 0; k < sizeof(name) / sizeof(*name); k++) {
		tok = ctx_tok_open(name[k], &err);
		CHECK_INT(ctx_counter_init(&c, tok, &err), 0);
		c.factor = (struct ctx_ratio){ 125, 100 };
		CHECK_INT(ctx_counter_text(&c, text, total, &want, &err), 0);
		for (i = 1; i < 9; i++) {
			crew = ctx_crew_new(&c, (unsigned)i, &err);
			if (!CHECK(crew != NULL))
				return;
			CHECK_INT(crew_count(crew, text, total, 0),
			    (long long)want);
			ctx_crew_free(crew);
		}
		ctx_counter_done(&c);
		ctx_tok_free(tok);
	}
	free(text);
}

int
main(void)
{
	TEST("a folder for the files");
	if (!CHECK(mkdtemp(dir) != NULL))
		return CHECK_DONE("prepare");
	RUN(test_hf());
	RUN(test_pattern());
	RUN(test_hf_errors());
	RUN(test_ranks());
	RUN(test_split());
	RUN(test_huge_tokens());
	RUN(test_divide());
	RUN(test_divided());
	RUN(test_threads());
	RUN(test_threads_no_divide());
	unlink(in_dir("tokenizer.json"));
	unlink(in_dir("x.ctxv"));
	rmdir(dir);
	return CHECK_DONE("prepare");
}
