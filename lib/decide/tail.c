/* SPDX-License-Identifier: MIT */
/* The end of a text; see tail.h. */
#include "decide/tail.h"

/* Write the marker for the first gone characters of s, then the rest. */
static int
put_tail(struct ctx_buf *out, struct ctx_str s, uint64_t gone,
    struct ctx_err *err)
{
	size_t off = ctx_str_cut(s.p, s.len, (size_t)gone);

	ctx_buf_reset(out);
	ctx_buf_addf(out, "[... %llu character%s left out]\\n",
	    (unsigned long long)gone, gone == 1 ? "" : "s");
	ctx_buf_add(out, s.p + off, s.len - off);
	return ctx_buf_fail(out, err);
}

/*
 * A token is at least one character in all but rare scripts, so the search
 * begins at max characters and doubles.  Thus little more is counted than is
 * kept, however long the text is.
 */
int
ctx_tail(struct ctx_buf *out, struct ctx_str s, uint64_t max,
    ctx_tail_fn *count, void *arg, struct ctx_err *err)
{
	uint64_t total = ctx_str_chars(s.p, s.len), lo = 0, hi = total, mid, n;

	/* of the last characters, lo fit and hi do not */
	for (mid = max > 0 ? max : 1; lo + 1 < hi; ) {
		if (mid >= hi || mid <= lo)
			mid = lo + (hi - lo) / 2;
		if (put_tail(out, s, total - mid, err) == -1 ||
		    count(arg, (struct ctx_str){ out->data,
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
	return put_tail(out, s, total - lo, err) == -1 ? -1 : 1;
}
