/* SPDX-License-Identifier: MIT */
/* Byte replacements, and elements out of lists. */
#include <stdlib.h>

#include "edit/list.h"
#include "edit/patch.h"
#include "check.h"
#include "seeded.h"

#define MAX_LEN	200
#define ROUNDS	3000

/* Patches divide the bytes into these; every second one is replaced. */
struct cuts {
	size_t at[2 * 10 + 2], n;	/* kept, replaced, kept ... */
	char text[10][8];
	size_t textlen[10];
};

static int
ascending(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
make_cuts(struct cuts *c, size_t len)
{
	size_t i, k, npatch = len > 0 ? seeded(10) : 0;

	c->n = 2 * npatch;
	for (i = 0; i < c->n; i++)
		c->at[i] = seeded((uint32_t)len);
	qsort(c->at, c->n, sizeof(c->at[0]), ascending);
	for (i = 0; i < npatch; i++) {
		c->textlen[i] = seeded(8);
		for (k = 0; k < c->textlen[i]; k++)
			c->text[i][k] = (char)('A' + seeded(26));
	}
}

/* Apply the pieces one after the other, in the simplest way. */
static void
expect(struct ctx_buf *out, const struct cuts *c, const char *raw, size_t len)
{
	size_t i, at = 0;

	ctx_buf_reset(out);
	for (i = 0; 2 * i < c->n; i++) {
		ctx_buf_add(out, raw + at, c->at[2 * i] - at);
		ctx_buf_add(out, c->text[i], c->textlen[i]);
		at = c->at[2 * i + 1];
	}
	ctx_buf_add(out, raw + at, len - at);
}

/* Two insertions at the same position have no defined order. */
static int
distinct(const struct cuts *c)
{
	size_t i;

	for (i = 2; i < c->n; i += 2)
		if (c->at[i] == c->at[i - 2])
			return 0;
	return 1;
}

static void
test_property(void)
{
	struct ctx_buf got = { 0 }, want = { 0 };
	struct ctx_patch p = { 0 };
	struct ctx_err err = { 0 };
	char raw[MAX_LEN];
	struct cuts c;
	size_t len, i, k, order[10], n, swap;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		len = seeded(MAX_LEN);
		for (i = 0; i < len; i++)
			raw[i] = (char)seeded(256);
		do
			make_cuts(&c, len);
		while (!distinct(&c));
		n = c.n / 2;
		for (i = 0; i < n; i++)
			order[i] = i;
		for (i = 0; i < n; i++) {
			k = i + seeded((uint32_t)(n - i));
			swap = order[i];
			order[i] = order[k];
			order[k] = swap;
		}
		ctx_patch_reset(&p);
		for (i = 0; i < n; i++) {
			k = order[i];
			CHECK_INT(ctx_patch_add(&p, c.at[2 * k],
			    c.at[2 * k + 1] - c.at[2 * k], c.text[k],
			    c.textlen[k], &err), 0);
		}
		expect(&want, &c, raw, len);
		ctx_buf_reset(&got);
		CHECK_INT(ctx_patch_apply(&p, raw, 0, len, &got), 0);
		CHECK(got.len == want.len && (got.len == 0 ||
		    memcmp(got.data, want.data, got.len) == 0));
	}
	ctx_patch_done(&p);
	ctx_buf_done(&got);
	ctx_buf_done(&want);
}

static void
test_overlap(void)
{
	static const struct {
		size_t off, len;
		int rc;
	} adds[] = {
		{ 10, 5, 0 }, { 12, 1, -1 }, { 9, 2, -1 }, { 14, 1, -1 },
		{ 10, 5, -1 }, { 5, 20, -1 }, { 15, 5, 0 }, { 5, 5, 0 },
		{ 0, 5, 0 }, { 20, 0, 0 }, { 12, 0, -1 }, { 3, 0, -1 },
	};
	struct ctx_patch p = { 0 };
	struct ctx_buf out = { 0 };
	struct ctx_err err;
	size_t i, n = 0;

	for (i = 0; i < sizeof(adds) / sizeof(adds[0]); i++) {
		ctx_err_clear(&err);
		CHECK_INT(ctx_patch_add(&p, adds[i].off, adds[i].len, "x", 1,
		    &err), adds[i].rc);
		n += adds[i].rc == 0;
		CHECK_INT(p.n, n);
		CHECK_INT(err.code, adds[i].rc == 0 ? CTX_OK : CTX_ERANGE);
	}
	/* refused patches have no effect */
	ctx_patch_apply(&p, "0123456789abcdefghijKLMNO", 0, 25, &out);
	CHECK_MEM(out.data, out.len, "xxxxxKLMNO");
	ctx_buf_reset(&out);
	ctx_patch_apply(&p, "0123456789abcdefghijKLMNO", 10, 20, &out);
	CHECK_MEM(out.data, out.len, "xx");
	ctx_patch_absorb(&p, 10, 20);
	CHECK_INT(p.n, 3);
	ctx_buf_done(&out);
	ctx_patch_done(&p);
}

/*
 * A list, what happens to its elements that have nodes (. is kept, - removed, ^
 * moved to the front), and the resulting list.
 */
static const struct {
	const char *list, *fates, *want;
} lists[] = {
	{ "[\"a\",\"b\",\"c\"]", "-..", "[\"b\",\"c\"]" },
	{ "[\"a\",\"b\",\"c\"]", ".-.", "[\"a\",\"c\"]" },
	{ "[\"a\",\"b\",\"c\"]", "..-", "[\"a\",\"b\"]" },
	{ "[\"a\",\"b\",\"c\"]", "--.", "[\"c\"]" },
	{ "[\"a\",\"b\",\"c\"]", ".--", "[\"a\"]" },
	{ "[\"a\",\"b\",\"c\"]", "-.-", "[\"b\"]" },
	{ "[\"a\",\"b\",\"c\"]", "---", "[]" },
	{ "[ \"a\" , \"b\" , \"c\" ]", "-..", "[ \"b\" , \"c\" ]" },
	{ "[ \"a\" , \"b\" , \"c\" ]", ".-.", "[ \"a\" , \"c\" ]" },
	{ "[ \"a\" , \"b\" , \"c\" ]", "..-", "[ \"a\" , \"b\" ]" },
	{ "[ \"a\" , \"b\" , \"c\" ]", "---", "[  ]" },
	{ "[\n  {\"x\":[1,2]},\n  {}\n]", "-.", "[\n  {}\n]" },
	{ "[\n  {\"x\":[1,2]},\n  {}\n]", ".-", "[\n  {\"x\":[1,2]}\n]" },
	{ "[\"\\\"],\",\"b\"]", "-.", "[\"b\"]" },
	/* numbers and other values have no nodes, and are kept */
	{ "[1,\"a\",2]", "-", "[1,2]" },
	{ "[\"a\",2]", "-", "[2]" },
	{ "[1 , \"a\"]", "-", "[1]" },
	{ "[\"a\",1,\"b\"]", "--", "[1]" },
	{ "[\"a\",\"b\",null,\"c\",true]", "--.", "[null,\"c\",true]" },
	{ "[\"a\",\"b\",null,\"c\",true]", ".--", "[\"a\",null,true]" },
	/* members are removed with their keys */
	{ "{\"k\":\"a\",\"l\":1,\"m\":[]}", "-..", "{\"l\":1,\"m\":[]}" },
	{ "{\"k\":\"a\", \"l\" : 1, \"m\":[]}", ".-.",
	    "{\"k\":\"a\", \"m\":[]}" },
	{ "{\"k\":\"a\",\"l\":1,\"m\":[]}", "..-", "{\"k\":\"a\",\"l\":1}" },
	{ "{\"k\":\"a\"}", "-", "{}" },
	/* elements at the front are in order, joined by commas */
	{ "[\"a\",\"b\",\"c\"]", "..^", "[\"c\",\"a\",\"b\"]" },
	{ "[\"a\",\"b\",\"c\"]", ".^^", "[\"b\",\"c\",\"a\"]" },
	{ "[ \"a\" , \"b\" , \"c\" ]", "-.^", "[ \"c\",\"b\" ]" },
};

static size_t
items_of(struct ctx_item *item, const struct ctx_doc *doc, const char *fates)
{
	int object = ctx_node_type(doc, 0) == '{';
	size_t n = 0;
	uint32_t e;

	for (e = 1; e < doc->node[0].next; fates++) {
		e += (uint32_t)object;
		if (*fates != '.')
			item[n++] = (struct ctx_item){ 0, e, *fates == '-' ?
			    CTX_ITEM_GOES : CTX_ITEM_FRONT };
		e = doc->node[e].next;
	}
	return n;
}

static void
test_lists(void)
{
	struct ctx_buf scratch = { 0 }, out = { 0 };
	struct ctx_patch p = { 0 };
	struct ctx_doc doc = { 0 }, after = { 0 };
	struct ctx_item item[8];
	size_t i, n, len;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		len = strlen(lists[i].list);
		CHECK_INT(ctx_doc_scan(&doc, lists[i].list, len, NULL), 0);
		n = items_of(item, &doc, lists[i].fates);
		ctx_patch_reset(&p);
		CHECK_INT(ctx_list_edit(&p, &doc, item, n, &scratch, NULL), 0);
		ctx_buf_reset(&out);
		ctx_patch_apply(&p, lists[i].list, 0, len, &out);
		CHECK_MEM(out.data, out.len, lists[i].want);
		CHECK_INT(ctx_doc_scan(&after, out.data, out.len, NULL), 0);
	}
	ctx_doc_done(&doc);
	ctx_doc_done(&after);
	ctx_patch_done(&p);
	ctx_buf_done(&scratch);
	ctx_buf_done(&out);
}

/* Make a random list of n elements: numbers (kind 0), strings, objects. */
static void
random_list(struct ctx_buf *b, int *kinds, size_t n)
{
	static const char *const spaces[] = { "", " ", "\n\t", "" };
	size_t i;

	ctx_buf_reset(b);
	ctx_buf_adds(b, "[");
	for (i = 0; i < n; i++) {
		kinds[i] = (int)seeded(3);
		ctx_buf_addf(b, kinds[i] == 0 ? "%s%zu%s%s" : kinds[i] == 1 ?
		    "%s\"%zu\"%s%s" : "%s{\"n\":[%zu,\",\"]}%s%s",
		    spaces[seeded(4)], i, spaces[seeded(4)],
		    i + 1 < n ? "," : "");
	}
	ctx_buf_adds(b, spaces[seeded(4)]);
	ctx_buf_adds(b, "]");
}

/* The result has the elements that were to be kept, and is JSON. */
static void
test_random_lists(void)
{
	struct ctx_buf raw = { 0 }, out = { 0 }, want = { 0 }, scratch = { 0 };
	struct ctx_patch p = { 0 };
	struct ctx_doc doc = { 0 }, after = { 0 };
	struct ctx_item item[12];
	int kinds[12], round;
	size_t n, i, k, nitem;
	uint32_t e;

	for (round = 0; round < ROUNDS; round++) {
		n = 1 + seeded(12);
		random_list(&raw, kinds, n);
		CHECK_INT(ctx_doc_scan(&doc, raw.data, raw.len, NULL), 0);
		ctx_buf_reset(&want);
		for (i = nitem = 0, e = 1; i < n; i++) {
			int goes = kinds[i] != 0 && seeded(2);

			if (goes)
				item[nitem++] = (struct ctx_item){ 0, e,
				    CTX_ITEM_GOES };
			else
				ctx_buf_addf(&want, kinds[i] == 0 ? "%zu," :
				    kinds[i] == 1 ? "\"%zu\"," :
				    "{\"n\":[%zu,\",\"]},", i);
			if (kinds[i] != 0)
				e = doc.node[e].next;
		}
		ctx_patch_reset(&p);
		if (nitem > 0)
			CHECK_INT(ctx_list_edit(&p, &doc, item, nitem,
			    &scratch, NULL), 0);
		ctx_buf_reset(&out);
		ctx_patch_apply(&p, raw.data, 0, raw.len, &out);
		CHECK_INT(ctx_doc_scan(&after, out.data, out.len, NULL), 0);
		/* ignore white space, and add a comma after the last */
		for (i = 1, k = 0; i + 1 < out.len; i++)
			if (strchr(" \n\t", out.data[i]) == NULL)
				out.data[k++] = out.data[i];
		if (k > 0)
			out.data[k++] = ',';
		CHECK(k == want.len &&
		    (k == 0 || memcmp(out.data, want.data, k) == 0));
	}
	ctx_doc_done(&doc);
	ctx_doc_done(&after);
	ctx_patch_done(&p);
	ctx_buf_done(&raw);
	ctx_buf_done(&out);
	ctx_buf_done(&want);
	ctx_buf_done(&scratch);
}

int
main(void)
{
	RUN(test_property());
	RUN(test_overlap());
	RUN(test_lists());
	RUN(test_random_lists());
	return CHECK_DONE("patch");
}
