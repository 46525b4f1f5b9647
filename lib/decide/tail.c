/* SPDX-License-Identifier: MIT */
/* The end of a text; see tail.h. */
#include "decide/tail.h"

/* The marker and the last keep of total characters; 1 if they fit. */
static int
fits(struct ctx_buf *out, struct ctx_str s, uint64_t total, uint64_t keep,
    uint64_t max, ctx_tail_fn *count, void *arg, struct ctx_err *err)
{
	size_t off = ctx_str_cut(s.p, s.len, (size_t)(total - keep));
	uint64_t n;

	ctx_buf_reset(out);
	ctx_buf_addf(out, "[... %llu character%s left out]\\n",
	    (unsigned long long)(total - keep), total - keep == 1 ? "" : "s");
	ctx_buf_add(out, s.p + off, s.len - off);
	if (ctx_buf_fail(out, err) == -1 || count(arg, (struct ctx_str){
	    out->data, (uint32_t)out->len }, &n, err) == -1)
		return -1;
	return n <= max;
}

/*
 * A token is a character or more in all but rare scripts, so the search begins
 * at max characters and doubles: what is counted is not much more than what is
 * kept, however long the text is.
 */
int
ctx_tail(struct ctx_buf *out, struct ctx_str s, uint64_t max,
    ctx_tail_fn *count, void *arg, struct ctx_err *err)
{
	uint64_t total = ctx_str_chars(s.p, s.len), lo = 0, hi = total, mid;
	int rc = 0;

	/* lo fits, hi does not */
	for (mid = max > 0 ? max : 1; lo + 1 < hi; ) {
		if (mid >= hi || mid <= lo)
			mid = lo + (hi - lo) / 2;
		rc = fits(out, s, total, mid, max, count, arg, err);
		if (rc == -1)
			return -1;
		if (rc == 0)
			hi = mid;
		else
			lo = mid;
		mid = rc == 1 && hi == total ? 2 * lo : lo + (hi - lo) / 2;
	}
	if (lo == 0)
		return 0;
	return fits(out, s, total, lo, max, count, arg, err);
}
