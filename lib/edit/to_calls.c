/* SPDX-License-Identifier: MIT */
/*
 * The calls that wait for a result, as lines for a program that runs them:
 * {"id":...,"name":...,"arguments":...}.
 */
#include "edit/target.h"

#include <string.h>

/* Decode the string of the arguments into w->text: is it JSON?  */
static int
decode_json(struct ctx_writer *w, const struct ctx_said *it)
{
	int rc;

	ctx_buf_reset(&w->text);
	rc = ctx_str_decode(&w->text, it->text.p, it->text.len);
	if (rc == 0)
		rc = ctx_doc_try(&w->doc, w->text.data, w->text.len);
	ctx_put_failed(w, rc == -1);
	return rc == 1;
}

static void
put_arguments(struct ctx_writer *w, const struct ctx_said *it)
{
	if (it->text.p == NULL || it->text.len == 0)
		ctx_put(w, "{}");
	else if (it->flags & CTX_RAW)
		ctx_put_json(w, it->text);
	else if (it->flags & CTX_CUSTOM)	/* even if it looks like JSON */
		ctx_put_3(w, "\"", it->text, "\"");
	else if (decode_json(w, it))
		ctx_line_flat(w->out, w->text.data, w->text.len);
	else {
		w->s->loss[CTX_L_ARGUMENTS]++;
		ctx_put_3(w, "\"", it->text, "\"");
	}
}

/* Is the call asked for: by its name, or are all? */
static int
is_wanted(const struct ctx_writer *w, const struct ctx_said *it)
{
	size_t i;

	for (i = 0; i < w->nonly; i++)
		if (it->name.p != NULL && ctx_str_equal(it->name.p,
		    it->name.len, w->only[i], strlen(w->only[i])))
			return 1;
	return w->nonly == 0;
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = &w->s->step[i];
	const struct ctx_said *it = w->s->item + st->item, *end;

	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_CALL || it->n > 0 || !is_wanted(w, it))
			continue;
		ctx_put_begin(w);
		ctx_put_3(w, "\"id\":\"", it->id, "\",\"name\":\"");
		ctx_put_3(w, "", it->name, "\",\"arguments\":");
		put_arguments(w, it);
		ctx_put(w, "}\n");
	}
}

const struct ctx_target ctx_to_calls = {
	.name = "calls",
	.only_text = 1,
	.only_waiting = 1,
	.step = step
};
