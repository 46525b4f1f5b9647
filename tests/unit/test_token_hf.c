/* SPDX-License-Identifier: MIT */
/*
 * Compare other tokenizers with their makers' libraries, by the tiny ones made
 * by tiny.mjs, words.mjs, unigram.mjs and pieces.sh, strings, and the output of
 * hf.mjs and vocab.py for these, in tests/data/token.
 *
 *	test_token_hf		compare with the record
 *	test_token_hf FILE [plain]
 *				print the same lines for a tokenizer and the
 *				strings on standard input, for comparison; plain:
 *				special tokens are text
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "check.h"
#include "token/count.h"

#define DATA	"tests/data/token/"

static struct ctx_tok *tok;
static struct ctx_counter counter;
static int plain;

static void
open_counter(const char *file)
{
	struct ctx_err err = { 0 };

	tok = ctx_tok_open(file, &err);
	if (tok == NULL || ctx_counter_init(&counter, tok, &err) == -1) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	counter.special = !plain;
}

static void
close_counter(void)
{
	ctx_counter_done(&counter);
	ctx_tok_free(tok);
}

/* The ids of text; its count, whole and in parts, must be their number. */
static void
ids_of(const char *text, size_t len, struct ctx_ids *ids)
{
	static const size_t part[] = { 1, 2, 7, 64 };
	struct ctx_err err = { 0 };
	uint64_t n = 0;
	size_t i, k;

	ids->n = 0;
	CHECK_INT(ctx_counter_encode(&counter, text, len, ids, &err), 0);
	CHECK_INT(ctx_counter_text(&counter, text, len, &n, &err), 0);
	if (!CHECK_INT(n, ids->n))
		fprintf(stderr, "text: %.*s\n", (int)len, text);
	for (k = 0; k < sizeof(part) / sizeof(*part); k++) {
		for (i = 0; i < len; i += part[k])
			ctx_counter_feed(&counter, text + i, len - i < part[k] ?
			    len - i : part[k], &err);
		CHECK_INT(ctx_counter_end(&counter, &n, &err), 0);
		if (!CHECK_INT(n, ids->n))
			fprintf(stderr, "parts of %zu: %.*s\n", part[k],
			    (int)len, text);
	}
}

static uint32_t
number(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
}

/* The next string in f; returns 0 at the end. */
static int
next_string(FILE *f, struct ctx_buf *b)
{
	unsigned char head[4];
	size_t len;

	ctx_buf_reset(b);
	if (fread(head, 1, 4, f) != 4)
		return 0;
	len = number(head);
	if (ctx_buf_reserve(b, len + 1) == -1)
		return 0;
	b->len = fread(b->data, 1, len, f);
	return b->len == len;
}

/* Add the hash of the text decoded from the ids, and the ids. */
static void
add_row(struct ctx_buf *row, const struct ctx_buf *text, struct ctx_ids *ids)
{
	struct ctx_buf back = { 0 };
	struct ctx_err err = { 0 };
	uint32_t hash = 2166136261u;
	size_t i;

	ids_of(text->data, text->len, ids);
	CHECK_INT(ctx_tok_decode(tok, ids->id, ids->n, &back, &err), 0);
	for (i = 0; i < back.len; i++)
		hash = (hash ^ (uint8_t)back.data[i]) * 16777619u;
	ctx_buf_reset(row);
	ctx_buf_addf(row, "%x", hash);
	for (i = 0; i < ids->n; i++)
		ctx_buf_addf(row, " %u", ids->id[i]);
	ctx_buf_addc(row, '\n');
	ctx_buf_done(&back);
}

static void
write_rows(const char *file)
{
	struct ctx_buf text = { 0 }, row = { 0 };
	struct ctx_ids ids = { 0 };

	open_counter(file);
	while (next_string(stdin, &text)) {
		add_row(&row, &text, &ids);
		fwrite(row.data, 1, row.len, stdout);
	}
	ctx_ids_done(&ids);
	ctx_buf_done(&text);
	ctx_buf_done(&row);
	close_counter();
}

static void
compare(const char *name)
{
	struct ctx_buf text = { 0 }, row = { 0 }, path = { 0 };
	struct ctx_ids ids = { 0 };
	FILE *strings = fopen(DATA "tiny.strings", "r"), *ref;
	char *line = NULL;
	size_t cap = 0, n = 0;

	ctx_buf_addf(&path, DATA "%s.%s", name, plain ? "model" : "json");
	open_counter(ctx_buf_str(&path));
	ctx_buf_reset(&path);
	ctx_buf_addf(&path, DATA "%s.ref", name);
	ref = fopen(ctx_buf_str(&path), "r");
	if (!CHECK(strings != NULL && ref != NULL))
		exit(1);
	while (next_string(strings, &text) && getline(&line, &cap, ref) != -1) {
		n++;
		add_row(&row, &text, &ids);
		if (!CHECK_STR(ctx_buf_str(&row), line))
			fprintf(stderr, "%s: %.*s\n", name, (int)text.len,
			    text.data);
	}
	CHECK_INT(n, 300);
	fclose(strings);
	fclose(ref);
	free(line);
	ctx_ids_done(&ids);
	ctx_buf_done(&text);
	ctx_buf_done(&row);
	ctx_buf_done(&path);
	close_counter();
}

int
main(int argc, char *argv[])
{
	static const char *const name[] = {
		"tiny-llama", "tiny-gemma", "tiny-first", "tiny-words",
		"tiny-digits", "tiny-prefix", "tiny-whole", "pieces-scores",
		"pieces-bytes", "pieces-merges", "pieces-llama",
		"words", "uni-runs", "uni-words", "uni-lower", "uni-bytes"
	};
	size_t i;

	if (argc >= 2) {
		TEST("rows are written");
		plain = argc > 2;
		write_rows(argv[1]);
		return check.wrong > 0;
	}
	for (i = 0; i < sizeof(name) / sizeof(*name); i++) {
		TEST("tokenizer %s", name[i]);
		plain = strncmp(name[i], "pieces", 6) == 0;
		compare(name[i]);
	}
	return CHECK_DONE("token_hf");
}
