/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a conversation; the first two select how it is divided and
 * the budget.  The summary must not exceed the budget, and must be the same
 * twice.
 */
#include <stdlib.h>
#include <string.h>

#include "extract/extract.h"
#include "extract/glyph.h"

int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#define MUST(cond)	do { if (!(cond)) abort(); } while (0)
#define SAID 8

static int
cost(void *arg, const char *text, size_t len, uint64_t *n, struct ctx_err *err)
{
	(void)arg;
	(void)err;
	*n = ctx_glyph_size(text, len);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct ctx_extract opt = { 0, 0, cost, NULL };
	struct ctx_talk said[SAID];
	struct ctx_buf a = { 0 }, b = { 0 };
	struct ctx_err err = { 0 };
	uint64_t size;
	size_t i, n, at = 0;

	if (len < 2)
		return 0;
	n = data[0] % SAID + 1;
	opt.budget = data[1];
	data += 2;
	len -= 2;
	for (i = 0; i < n; i++) {
		said[i].kind = (enum ctx_talk_kind)((n + i) % 5);
		said[i].text = (const char *)data + at;
		said[i].len = i + 1 < n ? len / n : len - at;
		said[i].tool = "tool";
		said[i].toollen = 4;
		at += said[i].len;
	}
	MUST(ctx_extract(said, n, &opt, &a, &err) == 0);
	MUST(ctx_extract(said, n, &opt, &b, &err) == 0);
	MUST(a.len == b.len);
	if (a.len > 0) {
		MUST(memcmp(a.data, b.data, a.len) == 0);
		cost(NULL, a.data, a.len, &size, &err);
		MUST(size <= opt.budget);
	}
	ctx_buf_done(&a);
	ctx_buf_done(&b);
	return 0;
}
