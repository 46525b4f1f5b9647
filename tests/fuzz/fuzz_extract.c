/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a conversation: texts, each after a form feed and a letter
 * that says whose it is.  The first byte is the budget.  The summary must not
 * exceed the budget, and must be the same twice.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "extract/extract.h"
#include "extract/glyph.h"

#define SAID	64

static int
cost(void *arg, const char *text, size_t len, uint64_t *n, struct ctx_err *err)
{
	(void)arg;
	(void)err;
	*n = ctx_glyph_size(text, len);
	return 0;
}

/* Divide the texts.  Returns how many there are. */
static size_t
divide(struct ctx_talk *said, const char *p, const char *end)
{
	static const char kinds[] = "uacrs";	/* as in enum ctx_talk_kind */
	const char *kind, *next;
	size_t n = 0;

	memset(said, 0, SAID * sizeof(*said));
	for (; p < end && n < SAID; p = next + 1) {
		next = memchr(p, '\f', (size_t)(end - p));
		if (next == NULL)
			next = end;
		kind = p < next ? strchr(kinds, *p) : NULL;
		if (kind == NULL || *kind == '\0')
			continue;
		said[n].kind = (enum ctx_talk_kind)(kind - kinds);
		said[n].text = p + 1;
		said[n].len = (size_t)(next - p - 1);
		said[n].tool = "shell";
		said[n].toollen = 5;
		said[n].failed = said[n].len % 3 == 0;
		n++;
	}
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct ctx_extract opt = { 0, 0, cost, NULL };
	struct ctx_talk said[SAID];
	struct ctx_buf a = { 0 }, b = { 0 };
	struct ctx_err err = { 0 };
	uint64_t size;
	size_t n;

	if (len < 2 || len > 1 << 16 ||
	    ctx_utf8_check((const char *)data + 1, len - 1) != len - 1)
		return 0;
	opt.budget = 4u * data[0];
	n = divide(said, (const char *)data + 1, (const char *)data + len);
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
