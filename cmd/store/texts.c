/* SPDX-License-Identifier: MIT */
/* Texts of a stream; see texts.h. */
#include "cmd/store/texts.h"

#include <string.h>

#include "base/utf8.h"

void
store_texts_done(struct store_texts *t)
{
	ctx_plan_done(&t->plan);
	ctx_edit_done(&t->edit);
	ctx_patch_done(&t->patch);
	ctx_buf_done(&t->text);
	ctx_buf_done(&t->raw);
}

int
store_texts_stream(struct store *s, struct cli_stream *stream,
    struct ctx_err *err)
{
	if (store_open(s, err) == -1)
		return -1;
	s->cli.file++;
	s->cli.nfile--;
	stream->no_reader = &store_no_reader;
	cli_each_turn(stream, &s->cli);
	return 0;
}

static unsigned
hex4(const char *p)
{
	unsigned v = 0;
	int i;

	for (i = 0; i < 4; i++)
		v = v * 16 + (unsigned)(p[i] <= '9' ? p[i] - '0' :
		    (p[i] | 0x20) - 'a' + 10);
	return v;
}

/*
 * One character or escape of raw[0 .. len): *plain is how many bytes it
 * decodes to (a lone surrogate to the three of U+FFFD).
 */
static size_t
step(const char *raw, size_t len, size_t *plain)
{
	unsigned v;

	*plain = 1;
	if (*raw != '\\' || len < 2)
		return 1;
	if (raw[1] != 'u' || len < 6)
		return 2;
	v = hex4(raw + 2);
	if (v >= 0xd800 && v < 0xdc00 && len >= 12 && raw[6] == '\\' &&
	    raw[7] == 'u' && (hex4(raw + 8) & 0xfc00) == 0xdc00) {
		*plain = 4;
		return 12;
	}
	*plain = v < 0x80 ? 1 : v < 0x800 ? 2 : 3;
	return 6;
}

int
store_texts_apply(const struct ctx_patch *patch, const char *raw, size_t len,
    struct ctx_buf *out, struct ctx_err *err)
{
	size_t i = 0, at = 0, done = 0, n, k;
	const struct ctx_patch_one *one;

	for (k = 0; k < patch->n; k++) {
		one = &patch->one[k];
		for (; at < one->off && i < len; at += n)
			i += step(raw + i, len - i, &n);
		ctx_buf_add(out, raw + done, i - done);
		ctx_str_encode(out, patch->text.data + one->text,
		    one->textlen);
		for (; at < one->off + one->len && i < len; at += n)
			i += step(raw + i, len - i, &n);
		done = i;
	}
	ctx_buf_add(out, raw + done, len - done);
	return ctx_buf_fail(out, err);
}

int
store_texts_part(struct store_texts *t, const struct ctx_convo *c,
    uint32_t i, store_text_fn *fn, void *arg, struct ctx_err *err)
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
	if (store_texts_apply(&t->patch, s.p, s.len, &t->raw, err) == -1)
		return -1;
	return ctx_plan_rewrite(&t->plan, c->msg[p->msg].rec, p->text, 0,
	    ctx_str_of(&t->raw), err);
}

int
store_texts_repeats(const struct ctx_convo *c, uint32_t m)
{
	return m > 0 && c->msg[m - 1].rec == c->msg[m].rec &&
	    c->msg[m - 1].node == c->msg[m].node;
}

int
store_texts_turn(struct store_texts *t, struct cli_stream *stream,
    const struct ctx_convo *c, struct ctx_err *err)
{
	uint32_t m;

	for (m = 0; m < c->nmsg; m++)
		if (ctx_plan_order(&t->plan, m, err) == -1)
			return -1;
	ctx_plan_settle(&t->plan);
	if (ctx_edit_turn(&t->edit, &t->plan, c, err) == -1)
		return -1;
	return ctx_queue_turn(&stream->own.queue, c, &t->edit, err);
}

int
store_texts_blocks(const struct ctx_doc *doc, uint32_t from, uint32_t to,
    store_block_fn *fn, void *arg, struct ctx_err *err)
{
	uint32_t i, list, e, code;

	for (i = from; i < to; i++) {
		list = CTX_GET(doc, i, "code_blocks");
		CTX_FOR_LIST(doc, e, list) {
			code = ctx_node_if(doc, CTX_GET(doc, e, "code"), '"');
			if (code != CTX_NONE &&
			    fn(doc, e, code, arg, err) == -1)
				return -1;
		}
	}
	return 0;
}

int
store_texts_object(struct ctx_doc *doc, const char *p, size_t len,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	size_t i = 0;

	while (i < len && strchr(" \t\r\n", p[i]) != NULL && p[i] != '\0')
		i++;
	if (i == len || p[i] != '{')
		return 0;
	if (ctx_doc_scan(doc, p, len, &why) == 0)
		return 1;
	if (why.code != CTX_EINPUT)
		*err = why;
	return why.code == CTX_EINPUT ? 0 : -1;
}
