/* SPDX-License-Identifier: MIT */
/* Bodies that are too long; see noise.h. */
#include "decide/noise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As it is spelled inside a JSON string. */
#define MARK_HEAD	"\\n... (truncated, "
#define MARK_TAIL	" chars total)"

/*
 * Does s end in our marker?  Then the bytes before it are the head and *total
 * the length that it states.
 */
static int
marked(struct ctx_str s, size_t *head, uint64_t *total)
{
	size_t tail = sizeof(MARK_TAIL) - 1, mark = sizeof(MARK_HEAD) - 1;
	size_t i, digits;
	uint64_t n = 0;

	if (s.len < mark + tail + 1 ||
	    memcmp(s.p + s.len - tail, MARK_TAIL, tail) != 0)
		return 0;
	i = s.len - tail;
	for (digits = 0; digits < 19 && i > 0 && s.p[i - 1] >= '0' &&
	    s.p[i - 1] <= '9'; digits++)
		i--;
	if (digits == 0 || i < mark ||
	    memcmp(s.p + i - mark, MARK_HEAD, mark) != 0)
		return 0;
	*head = i - mark;
	for (; digits > 0; digits--)
		n = n * 10 + (uint64_t)(s.p[i++] - '0');
	*total = n;
	return 1;
}

static int
shorten(struct ctx_plan *plan, const struct ctx_convo *c, uint32_t part,
    uint64_t max, uint64_t *nchars, struct ctx_err *err)
{
	struct ctx_str s = ctx_part_text(c, part);
	struct ctx_buf b = { 0 };
	uint64_t total, stated;
	size_t head, cut;
	int rc;

	/* a character takes at least a byte */
	if (s.p == NULL || s.len <= max || c->part[part].flags & CTX_RAW)
		return 0;
	if ((total = ctx_str_chars(s.p, s.len)) <= max)
		return 0;
	if (marked(s, &head, &stated)) {
		uint64_t had = ctx_str_chars(s.p, head);

		if (had <= max && stated > had)
			return 0;
		if (stated > had) {
			s.len = (uint32_t)head;
			total = stated;
		}
	}
	cut = ctx_str_cut(s.p, s.len, max);
	ctx_buf_add(&b, s.p, cut);
	ctx_buf_addf(&b, MARK_HEAD "%llu" MARK_TAIL,
	    (unsigned long long)total);
	*nchars += total - max;
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = ctx_plan_swap(plan, part, 0, b.data, b.len, err);
	ctx_buf_done(&b);
	return rc;
}

int
ctx_noise_plan(struct ctx_plan *plan, const struct ctx_convo *c,
    const struct ctx_noise_opts *opts, uint64_t *nchars, struct ctx_err *err)
{
	const struct ctx_part *p;
	uint64_t max;
	uint32_t i;

	if (opts->max_result == 0 && opts->max_message == 0)
		return 0;
	for (i = 0; i < c->npart; i++) {
		p = &c->part[i];
		if (plan->drop_part[i] || plan->drop_msg[p->msg] ||
		    p->text == CTX_NONE)
			continue;
		if (p->kind == CTX_RESULT || (p->flags & CTX_INNER &&
		    p->kind == CTX_TEXT))
			max = opts->max_result;
		else if (p->kind == CTX_TEXT &&
		    c->msg[p->msg].role != CTX_SYSTEM)
			max = opts->max_message;
		else
			continue;
		if (max > 0 && shorten(plan, c, i, max, nchars, err) == -1)
			return -1;
	}
	return 0;
}
