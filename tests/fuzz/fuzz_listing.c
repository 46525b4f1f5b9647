/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a command line, up to a newline, and its output.  What is
 * counted of it must be in it, and the line that says so must be UTF-8 without
 * line ends.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "job/ran.h"
#include "text/wrapped.h"

static void
check(const struct ctx_listing *l, size_t len)
{
	const struct ctx_ran r = { { "x", 1 }, 1, CTX_ZH, 80 };
	struct ctx_buf out = { 0 };
	size_t i;

	for (i = 0; i < l->n; i++)
		MUST(l->name[i].off + l->name[i].len <= l->bytes.len);
	MUST(l->n <= len);
	MUST(ctx_ran_line(&r, l, &out) == 0);
	MUST(ctx_utf8_check(out.data, out.len) == out.len);
	MUST(memchr(out.data, '\n', out.len) == NULL);
	MUST(ctx_ran_is_line(out.data, out.len));
	ctx_buf_done(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct ctx_listing l;
	static struct ctx_wrapped w;
	const char *p = (const char *)data, *nl = memchr(p, '\n', len);
	struct ctx_listing_how how = { .form = CTX_LISTING_TOOL };
	struct ctx_str s;
	size_t used = nl != NULL ? (size_t)(nl + 1 - p) : 0;

	if (len > 1 << 20)
		return 0;
	if (used > 1)
		ctx_listing_command(p, used - 1, &how);
	s.p = p + used;
	s.len = (uint32_t)(len - used);
	if (ctx_wrapped_output(&w, s) == 1) {
		s.p = w.p;
		s.len = (uint32_t)w.len;
		if (s.len > 0 && ctx_listing_read(&l, &how, s) == 1)
			check(&l, s.len);
	}
	return 0;
}
