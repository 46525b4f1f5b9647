/* SPDX-License-Identifier: MIT */
/*
 * --in-place-prompt: the history as its next request would have it, and one
 * more message that asks for the summary.  Whoever cached that history for the
 * requests before bills it as cached input.
 */
#include "cmd/summarize/in_place.h"

#include <inttypes.h>

#include "edit/convert.h"

#define BEGINS_MAX 100	/* bytes of the first message that stays */

static const char pause_text[] =
    "The conversation pauses here. Do not answer it, and do not call a tool: "
    "only do what follows.\n";

/* Append how the first message that stays begins, if it has a text. */
static int
add_beginning(const struct ctx_fold_question *q, struct ctx_buf *out)
{
	struct ctx_str text = { NULL, 0 };
	size_t from = out->len;
	uint32_t i;

	CTX_FOR_PARTS(q->convo, q->cut, i)
		if (q->convo->part[i].kind == CTX_TEXT && text.len == 0)
			text = ctx_part_text(q->convo, i);
	if (text.len > 0)
		ctx_str_decode(out, text.p, text.len);
	if (out->len > from + BEGINS_MAX) {
		out->len = from + BEGINS_MAX;
		while (out->len > from &&
		    ((unsigned char)out->data[out->len] & 0xc0) == 0x80)
			out->len--;
	}
	return out->len > from;
}

/* The text of the message that asks. */
static int
set_request(const struct ctx_fold_question *q, const char *instructions,
    struct ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_adds(out, pause_text);
	ctx_buf_adds(out, instructions);
	ctx_buf_adds(out, "\nThe transcript is this conversation from its "
	    "beginning");
	if (q->cut < q->convo->nmsg) {
		ctx_buf_adds(out, ". Its newest messages stay as they are: "
		    "leave out ");
		ctx_buf_addf(out, "the last %" PRIu32, q->convo->nmsg - q->cut);
		ctx_buf_adds(out, ", which begin with this text:\n");
		if (!add_beginning(q, out))
			ctx_buf_adds(out, "(none)");
		ctx_buf_addc(out, '\n');
	} else
		ctx_buf_adds(out, " to here.\n");
	if (q->most > 0)
		ctx_buf_addf(out, "Write at most %" PRIu64 " tokens.\n",
		    q->most);
	return ctx_buf_fail(out, err);
}

/* Put the message at the end of the request's messages. */
static int
insert(const struct ctx_buf *request, const struct ctx_buf *text,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	uint32_t list;
	size_t end = 0;
	int rc = ctx_doc_scan(&doc, request->data, request->len, err);

	if (rc == 0 && (list = CTX_GET(&doc, 0, "messages")) != CTX_NONE)
		end = doc.node[list].off + doc.node[list].len - 1;
	if (end > 0) {
		ctx_buf_add(out, request->data, end);
		ctx_buf_adds(out, ",{\"role\":\"user\",\"content\":\"");
		ctx_str_encode(out, text->data, text->len);
		ctx_buf_adds(out, "\"}");
		ctx_buf_add(out, request->data + end, request->len - end);
		rc = ctx_buf_fail(out, err);
	}
	ctx_doc_done(&doc);
	return rc == -1 ? -1 : end > 0;
}

int
summarize_in_place(const struct summarize_in_place *p,
    const struct ctx_fold_question *q, unsigned max_tokens,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_convert cv = { .to = ctx_target_find(p->api), .request = 1,
	    .api = ctx_api_find(p->api),
	    .want = { .model = p->model, .max_output = max_tokens,
	    .system = p->system, .tools = p->tools,
	    .stream = p->stream, .set = p->set, .nset = p->nset,
	    /* Anthropic reads its cache only up to a mark; OpenAI's server
	       is chosen by a key */
	    .cache = 1 } };
	struct ctx_buf text = { 0 };
	int rc = set_request(q, p->instructions, &text, err);

	if (rc == 0)
		rc = ctx_convert(&cv, q->convo, q->strand, err);
	if (rc == 0 && !cv.script.sealed && cv.out.len > 0)
		rc = insert(&cv.out, &text, out, err);
	while (rc == 1 && out->len > 0 && out->data[out->len - 1] == '\n')
		out->len--;
	ctx_convert_done(&cv);
	ctx_buf_done(&text);
	return rc;
}
