/* SPDX-License-Identifier: MIT */
/* The end of a text; see tail.h. */
#include "decide/tail.h"

/* Write the marker for the first gone characters of s, then the rest. */
static int
put_tail(const struct ctx_tail *how, struct ctx_str s, uint64_t gone,
    struct ctx_buf *out, struct ctx_err *err)
{
	const struct ctx_marker_said said = { .n = gone };
	size_t off = ctx_str_cut(s.p, s.len, (size_t)gone);

	ctx_buf_reset(out);
	ctx_marker_put(out, how->notes, CTX_MARKER_PART, &said);
	ctx_buf_adds(out, "\\n");
	ctx_buf_add(out, s.p + off, s.len - off);
	return ctx_buf_fail(out, err);
}

/*
 * A token is at least one character in all but rare scripts, so the search
 * begins at max characters and doubles.  Thus little more is counted than is
 * kept, however long the text is.
 */
int
ctx_tail(const struct ctx_tail *how, struct ctx_str s, struct ctx_buf *out,
    struct ctx_err *err)
{
	const uint64_t max = how->max;
	uint64_t total = ctx_str_chars(s.p, s.len), lo = 0, hi = total, mid, n;

	/* of the last characters, lo fit and hi do not */
	for (mid = max > 0 ? max : 1; lo + 1 < hi; ) {
		if (mid >= hi || mid <= lo)
			mid = lo + (hi - lo) / 2;
		if (put_tail(how, s, total - mid, out, err) == -1 ||
		    how->count(how->arg, (struct ctx_str){ out->data,
		    (uint32_t)out->len }, &n, err) == -1)
			return -1;
		if (n > max)
			hi = mid;
		else
			lo = mid;
		mid = n <= max && hi == total ? 2 * lo : lo + (hi - lo) / 2;
	}
	if (lo == 0)
		return 0;
	return put_tail(how, s, total - lo, out, err) == -1 ? -1 : 1;
}
