/* SPDX-License-Identifier: MIT */
/* Texts of a turn; see retext.h. */
#include "edit/retext.h"

int
ctx_retext_apply(const struct ctx_patch *patch, const char *raw, size_t len,
    struct ctx_buf *out, struct ctx_err *err)
{
	size_t i = 0, at = 0, done = 0, k;
	const struct ctx_patch_one *one;

	for (k = 0; k < patch->n; k++) {
		one = &patch->one[k];
		i += ctx_str_spelling(raw + i, len - i, one->off - at);
		ctx_buf_add(out, raw + done, i - done);
		ctx_str_encode(out, patch->text.data + one->text,
		    one->textlen);
		i += ctx_str_spelling(raw + i, len - i, one->len);
		at = one->off + one->len;
		done = i;
	}
	ctx_buf_add(out, raw + done, len - done);
	return ctx_buf_fail(out, err);
}

int
ctx_retext_part(struct ctx_retext *t, const struct ctx_convo *c, uint32_t i,
    ctx_retext_fn *fn, void *arg, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_str s = ctx_part_text(c, i);

	if (s.p == NULL || p->flags & CTX_RAW)
		return 0;
	ctx_buf_reset(&t->text);
	ctx_patch_reset(&t->patch);
	ctx_str_decode(&t->text, s.p, s.len);
	if (ctx_buf_str(&t->text) == NULL)
		return ctx_fail_nomem(err);
	if (fn(t->text.data, t->text.len, &t->patch, arg, err) == -1)
		return -1;
	if (t->only_read || t->patch.n == 0)
		return 0;
	ctx_buf_reset(&t->raw);
	if (ctx_retext_apply(&t->patch, s.p, s.len, &t->raw, err) == -1)
		return -1;
	return ctx_plan_rewrite(&t->plan, c->msg[p->msg].rec, p->text, 0,
	    ctx_str_of(&t->raw), err);
}

int
ctx_retext_turn(struct ctx_retext *t, const struct ctx_convo *c,
    struct ctx_err *err)
{
	uint32_t m;

	for (m = 0; m < c->nmsg; m++)
		if (ctx_plan_order(&t->plan, m, err) == -1)
			return -1;
	ctx_plan_settle(&t->plan);
	return ctx_edit_turn(&t->edit, &t->plan, c, err);
}

void
ctx_retext_done(struct ctx_retext *t)
{
	ctx_plan_done(&t->plan);
	ctx_edit_done(&t->edit);
	ctx_patch_done(&t->patch);
	ctx_buf_done(&t->text);
	ctx_buf_done(&t->raw);
}
