/* SPDX-License-Identifier: MIT */
/* Vocabulary tables that are damaged are refused, or cause no crash. */
#include <stddef.h>
#include <unistd.h>

#include "base/cpu.h"
#include "check.h"
#include "token/bpe.h"
#include "token/tok_priv.h"
#include "vocab.h"

/* A table with any word of its header changed, or truncated, is refused. */
static void
test_damage(void)
{
	struct ctx_tok *tok = open_tok("r50k_base");
	const struct ctx_table_header *h = tok->table.head;
	char path[] = "/tmp/test_table.XXXXXX";
	int fd = mkstemp(path), missing;
	struct ctx_table t;
	struct ctx_err err;
	size_t i;

	if (!CHECK(fd != -1))
		return;
	CHECK(write(fd, h, h->length) == (ssize_t)h->length);
	CHECK_INT(ctx_table_open(&t, path, NULL, NULL), 0);
	ctx_table_close(&t);
	for (i = 0; i < sizeof(*h); i++) {
		uint8_t byte = ((const uint8_t *)h)[i], other = byte ^ 0x41;

		CHECK(pwrite(fd, &other, 1, (off_t)i) == 1);
		memset(&err, 0, sizeof(err));
		CHECK_INT(ctx_table_open(&t, path, &missing, &err), -1);
		CHECK_INT(err.code, CTX_ESYSTEM);
		CHECK_INT(missing, 0);
		CHECK(pwrite(fd, &byte, 1, (off_t)i) == 1);
	}
	CHECK_INT(ftruncate(fd, (off_t)h->length - 4096), 0);
	CHECK_INT(ctx_table_open(&t, path, NULL, NULL), -1);
	CHECK_INT(ftruncate(fd, 100), 0);
	CHECK_INT(ctx_table_open(&t, path, NULL, NULL), -1);
	close(fd);
	unlink(path);
	ctx_tok_free(tok);
}

/* A table with a random body gives nonsense, but causes no crash. */
static void
test_noise(void)
{
	static const char text[] = "The quick brown fox, 12345 jumps over "
	    "\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87 supercalifragil"
	    "isticexpialidocious \n\n  and so on";
	struct ctx_tok *tok = open_tok("r50k_base");
	const struct ctx_table_header *h = tok->table.head;
	char path[] = "/tmp/test_table.XXXXXX", name[64];
	int fd = mkstemp(path);
	struct ctx_counter c;
	struct ctx_ids ids = { 0 };
	struct ctx_err err = { 0 };
	uint8_t *copy = malloc(h->length);
	uint32_t rnd = 7;
	size_t i, len;
	unsigned turn;

	if (!CHECK(fd != -1 && copy != NULL))
		return;
	for (turn = 0; turn < 3; turn++) {
		memcpy(copy, h, h->length);
		for (i = CTX_TABLE_ALIGN; i < h->length; i++) {
			rnd = rnd * 1664525 + 1013904223;
			if (turn == 0 || rnd >> 28 == 0)
				copy[i] = turn == 1 ? 0xff :
				    (uint8_t)(rnd >> 16);
		}
		CHECK(pwrite(fd, copy, h->length, 0) == (ssize_t)h->length);
		snprintf(name, sizeof(name), "%s", path);
		ctx_tok_free(tok);
		tok = open_tok(name);
		h = tok->table.head;
		CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
		count(&c, text, sizeof(text) - 1);
		CHECK_INT(ctx_counter_encode(&c, text, sizeof(text) - 1, &ids,
		    &err), 0);
		for (i = 0; i < 70000; i++)
			ctx_tok_bytes(tok, (uint32_t)i, &len);
		ctx_counter_done(&c);
	}
	free(copy);
	close(fd);
	unlink(path);
	ctx_ids_done(&ids);
	ctx_tok_free(tok);
}

/*
 * Write the table copy with the header h and its new checksum to fd; returns 1
 * if path can be opened then, and 0 if it is refused.
 */
static int
opens(int fd, const char *path, struct ctx_table_header *h,
    struct ctx_table *t)
{
	h->head_sum = ctx_table_sum(h, offsetof(struct ctx_table_header,
	    head_sum));
	CHECK(pwrite(fd, h, h->length, 0) == (ssize_t)h->length);
	return ctx_table_open(t, path, NULL, NULL) == 0;
}

/* A header with a correct checksum is still validated. */
static void
test_header(void)
{
	struct ctx_tok *tok = open_tok("r50k_base");
	const struct ctx_table_header *h = tok->table.head;
	struct ctx_table_header *copy = malloc(h->length);
	char path[] = "/tmp/test_table.XXXXXX";
	int fd = mkstemp(path), i;
	struct ctx_table t;

	if (!CHECK(fd != -1 && copy != NULL))
		return;
	for (i = 0; i < 6; i++) {
		memcpy(copy, h, h->length);
		switch (i) {
		case 1:
			copy->section[CTX_SEC_CROSS].len = 0;
			break;
		case 2:
			copy->nspecial = 1;
			copy->section[CTX_SEC_SPECIAL].len = 0;
			break;
		case 3:
			copy->index_probes = UINT32_MAX;
			break;
		case 4:
			copy->pair_probes = UINT32_MAX;
			break;
		case 5:
			copy->split = CTX_SPLIT_MAX + 1;
			break;
		}
		CHECK_INT(opens(fd, path, copy, &t), i == 0);
		if (i == 0)
			ctx_table_close(&t);
	}
	free(copy);
	close(fd);
	unlink(path);
	ctx_tok_free(tok);
}

/* Let a value that is not a token merge with the most frequent ones. */
static void
spoil_pairs(const struct ctx_table *t, uint64_t *pair)
{
	uint32_t i, left, right;

	for (i = 512; i < 1536; i++) {
		left = i % 2 ? i / 2 : CTX_ID_MAX;
		right = i % 2 ? CTX_ID_MAX : i / 2;
		pair[ctx_pair_bucket(t, left, right) - t->pair] =
		    ctx_pair_make(left, right, 300);
	}
}

static void
test_no_neighbour(void)
{
	static const char *const paths[] = { "portable", "avx2", "avx512" };
	static const char text[] = " the er in on at en is or";
	struct ctx_tok *tok = open_tok("r50k_base");
	const struct ctx_table_header *h = tok->table.head;
	struct ctx_table_header *copy = malloc(h->length);
	char path[] = "/tmp/test_table.XXXXXX", name[64];
	struct ctx_ids ids = { 0 };
	int fd = mkstemp(path);
	struct ctx_counter c;
	struct ctx_table t;
	size_t i;

	if (!CHECK(fd != -1 && copy != NULL))
		return;
	memcpy(copy, h, h->length);
	spoil_pairs(&tok->table, (uint64_t *)(void *)((char *)copy +
	    h->section[CTX_SEC_PAIRS].off));
	/* Known words do not help either. */
	memset((char *)copy + h->section[CTX_SEC_CACHE].off, 0,
	    h->section[CTX_SEC_CACHE].len);
	CHECK(opens(fd, path, copy, &t));
	ctx_table_close(&t);
	snprintf(name, sizeof(name), "%s", path);
	ctx_tok_free(tok);
	tok = open_tok(name);
	for (i = 0; i < 3; i++) {
		if (ctx_cpu_force(paths[i]) == -1)
			continue;
		CHECK_INT(ctx_counter_init(&c, tok, NULL), 0);
		CHECK(count(&c, text, sizeof(text) - 1) > 0);
		CHECK_INT(ctx_counter_encode(&c, text, sizeof(text) - 1, &ids,
		    NULL), 0);
		ctx_counter_done(&c);
	}
	ctx_cpu_force(NULL);
	free(copy);
	close(fd);
	unlink(path);
	ctx_ids_done(&ids);
	ctx_tok_free(tok);
}

int
main(void)
{
	RUN(test_damage());
	RUN(test_noise());
	RUN(test_header());
	RUN(test_no_neighbour());
	return CHECK_DONE("table");
}
