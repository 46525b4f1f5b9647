/* SPDX-License-Identifier: MIT */
/*
 * Compare counts and ids with the reference implementation.  The strings are
 * made here from a seed, in many scripts, each beginning at another position of
 * a block of 64 bytes. npm tiktoken's results for them were recorded in
 * tests/data/token/ref.txt by ref.mjs, with GROUP strings in each row.
 *
 *	test_token_ref				compare with the record
 *	test_token_ref --strings [SEED N]	print the strings, for ref.mjs
 *	test_token_ref --check FILE SEED N	compare with another record
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cpu.h"
#include "base/utf8.h"
#include "check.h"
#include "token/count.h"
#include "utf8_cut.h"

#define SEED	20160
#define STRINGS	102400
#define GROUP	25
#define DATA	"tests/data/token/"

static uint64_t state;
static char *line[128];		/* languages.txt without the codes */
static size_t lines;

static uint32_t
below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 33) % n);
}

struct range {
	uint32_t from;
	uint32_t to;
};

/* Scripts and difficult texts, about equally likely. */
static const struct range range[] = {
	{ 'a', 'z' }, { 'a', 'z' }, { 'A', 'Z' }, { '0', '9' }, { ' ', ' ' },
	{ '\n', '\n' }, { '\t', '\r' }, { '!', '/' }, { ':', '@' },
	{ '[', '`' }, { '{', '~' }, { '/', '/' }, { '\'', '\'' },
	{ 0, 0x1f }, { 0x80, 0xbf }, { 0xc0, 0x24f }, { 0x250, 0x2ff },
	{ 0x300, 0x36f }, { 0x370, 0x3ff }, { 0x400, 0x52f },
	{ 0x530, 0x5ff }, { 0x600, 0x6ff }, { 0x900, 0xdff },
	{ 0xe00, 0xfff }, { 0x1000, 0x10ff }, { 0x1200, 0x139f },
	{ 0x1780, 0x18af }, { 0x1c80, 0x1c8f }, { 0x2000, 0x206f },
	{ 0x2070, 0x218f }, { 0x2190, 0x27ff }, { 0x3000, 0x303f },
	{ 0x3040, 0x30ff }, { 0x3400, 0x4dff }, { 0x4e00, 0x9fff },
	{ 0x4e00, 0x5200 }, { 0xa000, 0xabff }, { 0xac00, 0xd7a3 },
	{ 0xe000, 0xe0ff }, { 0xf900, 0xfeff }, { 0xff00, 0xffef },
	{ 0x10000, 0x10fff }, { 0x16d40, 0x16d79 }, { 0x1c000, 0x1dfff },
	{ 0x1f300, 0x1faff }, { 0x20000, 0x2a6df }, { 0, 0x10ffff },
};

static const char *const word[] = {
	"the", " and", " of", "Hello", " world", "'s", "'S", "'ll", "'LL",
	"'re", "'Ve", "'\xc5\xbf", "n't", "'x", "HTML", "Parser", "camelCase",
	"snake_case", "return ", "\n\t", "\n    ", "  \n", "\r\n", " \n ",
	"*/\n\n/**", "//", ")\n/", "/*", "};\n", "\\n", "\xc2\xa0", "\xc2\x85",
	"\xe3\x80\x80", "\xef\xbb\xbf", "\xe2\x80\x8d", "\xef\xb8\x8f",
	"\xe4\xb8\xad\xe6\x96\x87", "\xef\xbc\x8c", "\xe3\x80\x82",
	"\xc7\x85", "\xc2\xaa", "\xca\xb0", "1234", "3.14", "0x1f", "http://",
	"<|endoftext|>", "     ", "aaaa", "====", "----", "____",
};

static void
add_char(struct ctx_buf *b, struct range r)
{
	uint32_t cp = r.from + below(r.to - r.from + 1);
	char text[4];

	if (cp >= 0xd800 && cp < 0xe000)
		cp = 0xfffd;
	ctx_buf_add(b, text, ctx_utf8_put(text, cp));
}

/* A part of a line of real text. */
static void
add_text(struct ctx_buf *b)
{
	const char *s = line[below((uint32_t)lines)];
	size_t len = strlen(s), chars = ctx_utf8_count(s, len);
	size_t from = utf8_cut(s, len, below((uint32_t)chars));

	ctx_buf_add(b, s + from, utf8_cut(s + from, len - from,
	    1 + below(60)));
}

/* Text before a string, so that it begins at any position of a block. */
static const char front[] = "The quick brown fox jumps over the lazy dog, "
    "12345 times a day.\n\t";

/*
 * Make string number k: a mixture of a few sources, with runs, after k % 64
 * bytes of the front.
 */
static void
make(struct ctx_buf *b, unsigned k)
{
	struct range src[4];
	unsigned n = 1 + below(4), i, times;
	size_t want = 1 + below(below(12) == 0 ? 600 : 60), from;

	ctx_buf_reset(b);
	ctx_buf_add(b, front, k % 64);
	want += b->len;
	for (i = 0; i < n; i++)
		src[i] = range[below(sizeof(range) / sizeof(*range))];
	while (b->len < want) {
		from = b->len;
		times = below(4) == 0 ? 1 + below(20) : 1;
		switch (below(4)) {
		case 0:
			ctx_buf_adds(b, word[below(sizeof(word) /
			    sizeof(*word))]);
			break;
		case 1:
			if (below(3) == 0)
				add_text(b);
			break;
		default:
			add_char(b, src[below(n)]);
		}
		for (i = b->len - from; i > 0 && times > 1; times--) {
			ctx_buf_reserve(b, i);
			ctx_buf_add(b, b->data + from, i);
		}
	}
}

static int
read_lines(void)
{
	static char text[1 << 16];
	FILE *f = fopen(DATA "languages.txt", "r");
	size_t n;
	char *p;

	if (f == NULL)
		return -1;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	for (p = strtok(text, "\n"); p != NULL; p = strtok(NULL, "\n"))
		line[lines++] = strchr(p, '\t') + 1;
	return 0;
}

static void
write_strings(unsigned n)
{
	struct ctx_buf b = { 0 };
	unsigned char len[4];
	unsigned i;

	for (i = 0; i < n; i++) {
		make(&b, i);
		len[0] = (unsigned char)b.len;
		len[1] = (unsigned char)(b.len >> 8);
		len[2] = len[3] = 0;
		fwrite(len, 1, 4, stdout);
		fwrite(b.data, 1, b.len, stdout);
	}
	ctx_buf_done(&b);
}

/* The contents of a row: the number of ids, and FNV-1a over the ids. */
struct row {
	uint64_t n;
	uint32_t hash;
};

/* Add a string; returns 0 if its ids contradict its count or its text. */
static int
add_string(struct ctx_counter *c, const struct ctx_buf *text, struct row *row)
{
	struct ctx_ids ids = { 0 };
	struct ctx_buf back = { 0 };
	struct ctx_err err = { 0 };
	uint64_t n = 0;
	size_t i;
	int ok;

	ok = ctx_counter_text(c, text->data, text->len, &n, &err) == 0 &&
	    ctx_counter_encode(c, text->data, text->len, &ids, &err) == 0 &&
	    ctx_tok_decode(c->tok, ids.id, ids.n, &back, &err) == 0 &&
	    n == ids.n && back.len == text->len &&
	    memcmp(back.data, text->data, back.len) == 0;
	for (i = 0; i < ids.n; i++)
		row->hash = (row->hash ^ ids.id[i]) * 16777619u;
	row->n += ids.n;
	ctx_ids_done(&ids);
	ctx_buf_done(&back);
	return ok;
}

/* Compare the strings of a row with "COUNT:HASH" for each c. */
static unsigned
compare_row(struct ctx_counter c[2], unsigned from, char want[2][64])
{
	struct row row[2] = { { 0, 2166136261u }, { 0, 2166136261u } };
	struct ctx_buf b = { 0 };
	unsigned i, k, bad = 0;
	char got[32];

	for (i = from; i < from + GROUP; i++) {
		make(&b, i);
		for (k = 0; k < 2; k++)
			bad += !add_string(&c[k], &b, &row[k]);
	}
	ctx_buf_done(&b);
	for (k = 0; k < 2; k++) {
		snprintf(got, sizeof(got), "%llu:%x",
		    (unsigned long long)row[k].n, row[k].hash);
		if (strcmp(got, want[k]) == 0)
			continue;
		fprintf(stderr, "%s: strings %u to %u: got %s, wanted %s\n",
		    ctx_tok_name(c[k].tok), from, from + GROUP - 1, got,
		    want[k]);
		bad++;
	}
	return bad;
}

static void
compare(const char *path, const char *splitter, uint64_t seed, unsigned n)
{
	static const char *const name[2] = { "cl100k_base", "o200k_base" };
	struct ctx_tok *tok[2];
	struct ctx_counter c[2];
	struct ctx_err err = { 0 };
	char want[2][64], row[256];
	unsigned i = 0, k, bad = 0;
	FILE *f = fopen(path, "r");

	if (!CHECK(f != NULL) || !CHECK(ctx_cpu_force(splitter) == 0))
		return;
	for (k = 0; k < 2; k++) {
		tok[k] = ctx_tok_open(name[k], &err);
		if (!CHECK(tok[k] != NULL) ||
		    !CHECK(ctx_counter_init(&c[k], tok[k], &err) == 0)) {
			fprintf(stderr, "%s\n", err.text);
			exit(1);
		}
	}
	state = seed;
	while (i < n && fgets(row, sizeof(row), f) != NULL) {
		if (row[0] == '#')
			continue;
		if (sscanf(row, "%63s %63s", want[0], want[1]) != 2)
			break;
		bad += compare_row(c, i, want);
		i += GROUP;
	}
	CHECK_INT(i, n);
	CHECK_INT(bad, 0);
	for (k = 0; k < 2; k++) {
		ctx_counter_done(&c[k]);
		ctx_tok_free(tok[k]);
	}
	fclose(f);
}

/*
 * All strings in one text, beginning at each position of a block: with masks,
 * and one byte at a time, which leaves no room for masks.
 */
static void
compare_joined(const char *splitter)
{
	static const char *const name[2] = { "cl100k_base", "o200k_base" };
	struct ctx_buf b = { 0 }, text = { 0 };
	struct ctx_counter c;
	struct ctx_tok *tok;
	struct ctx_err err = { 0 };
	uint64_t n, want;
	size_t i, k, from, bad = 0;

	if (!CHECK(ctx_cpu_force(splitter) == 0))
		return;
	state = SEED;
	for (i = 0; i < 600; i++) {
		make(&b, 0);
		ctx_buf_add(&text, b.data, b.len);
	}
	for (k = 0; k < 2; k++) {
		tok = ctx_tok_open(name[k], &err);
		CHECK_INT(ctx_counter_init(&c, tok, &err), 0);
		for (i = 0; i < 64; i++) {
			from = utf8_cut(text.data, text.len, i);
			for (want = 0; from < text.len; from++)
				ctx_counter_feed(&c, text.data + from, 1, &err);
			ctx_counter_end(&c, &want, &err);
			from = utf8_cut(text.data, text.len, i);
			ctx_counter_text(&c, text.data + from,
			    text.len - from, &n, &err);
			bad += n != want;
		}
		ctx_counter_done(&c);
		ctx_tok_free(tok);
	}
	CHECK_INT(bad, 0);
	ctx_buf_done(&b);
	ctx_buf_done(&text);
}

int
main(int argc, char *argv[])
{
	static const char *const path[] = {
		"portable", "neon", "avx2", "avx512"
	};
	unsigned i;

	if (read_lines() == -1) {
		fputs("no " DATA "languages.txt\n", stderr);
		return 1;
	}
	if (argc > 1 && strcmp(argv[1], "--strings") == 0) {
		state = argc > 3 ? strtoull(argv[2], NULL, 10) : SEED;
		write_strings(argc > 3 ? (unsigned)atoi(argv[3]) : STRINGS);
		return 0;
	}
	for (i = 0; i < sizeof(path) / sizeof(*path); i++) {
		if (ctx_cpu_force(path[i]) == -1)
			continue;
		TEST("ids of every vocabulary, %s", path[i]);
		if (argc == 5 && strcmp(argv[1], "--check") == 0)
			compare(argv[2], path[i], strtoull(argv[3], NULL, 10),
			    (unsigned)atoi(argv[4]));
		else {
			compare(DATA "ref.txt", path[i], SEED, STRINGS);
			TEST("joined texts, %s", path[i]);
			compare_joined(path[i]);
		}
	}
	return CHECK_DONE("token_ref");
}
