/* SPDX-License-Identifier: MIT */
/* Results without their bodies; see clear.h. */
#include "decide/clear.h"

#include "base/utf8.h"

int
ctx_clear_is_none(const struct ctx_markers *notes, struct ctx_str text)
{
	return ctx_marker_begins(CTX_MARKER_NO_RESULT, NULL, text) ||
	    (notes != NULL && ctx_str_same(text,
	    ctx_marker_text(notes, CTX_MARKER_NO_RESULT)));
}

int
ctx_clear_is_note(const struct ctx_markers *notes, struct ctx_str text)
{
	return ctx_marker_begins(CTX_MARKER_CLEARED, notes, text) ||
	    ctx_clear_is_none(notes, text);
}

int
ctx_clear_note(struct ctx_buf *out, const struct ctx_markers *notes,
    struct ctx_str text, const char *hash)
{
	int names = hash != NULL && notes != NULL && notes->dir != NULL;
	enum ctx_marker id = names ? CTX_MARKER_CLEARED_KEPT :
	    CTX_MARKER_CLEARED;
	struct ctx_marker_said said = { .word = { hash, names ? 64 : 0 } };
	size_t was = out->len;

	if (ctx_clear_is_note(notes, text))
		return 0;
	said.n = ctx_str_chars(text.p, text.len);
	if (ctx_marker_put(out, notes, id, &said) == -1)
		return -1;
	if (ctx_utf8_count(out->data + was, out->len - was) +
	    ctx_marker_margin(notes, id) < said.n)
		return 1;
	out->len = was;
	return 0;
}

int
ctx_clear_may(const struct ctx_convo *c, uint32_t p)
{
	const struct ctx_part *part = &c->part[p];

	return (part->kind == CTX_RESULT || (part->kind == CTX_TEXT &&
	    part->flags & CTX_INNER)) && part->text != CTX_NONE &&
	    !(part->flags & CTX_RAW) && (!(part->flags & CTX_SERVER) ||
	    ctx_part_inline(c, part));
}

int
ctx_clear_plan(struct ctx_plan *plan, const struct ctx_convo *c,
    const struct ctx_markers *notes, uint32_t m, struct ctx_err *err)
{
	struct ctx_buf note = { 0 };
	uint32_t i;
	int rc = 0;

	for (i = c->msg[m].part; i < c->msg[m].part + c->msg[m].npart &&
	    rc != -1; i++) {
		if (!ctx_clear_may(c, i))
			continue;
		ctx_buf_reset(&note);
		rc = ctx_clear_note(&note, notes, ctx_part_text(c, i), NULL);
		if (rc == -1)
			ctx_fail_nomem(err);
		else if (rc == 1)
			rc = ctx_plan_swap(plan, i, 0, note.data, note.len,
			    err);
	}
	ctx_buf_done(&note);
	return rc == -1 ? -1 : 0;
}
