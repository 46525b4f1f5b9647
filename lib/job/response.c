/* SPDX-License-Identifier: MIT */
/* What an API sent back; see response.h. */
#include "job/response.h"

#include "job/document.h"
#include "job/response_end.h"
#include "job/stream.h"
#include "read/node.h"
#include "view/dialect.h"

static const char *const ends[] = {
	[CTX_RESPONSE_DONE] = "done",
	[CTX_RESPONSE_LENGTH] = "length",
	[CTX_RESPONSE_REFUSAL] = "refusal",
	[CTX_RESPONSE_ERROR] = "error",
	[CTX_RESPONSE_CUT] = "unfinished"
};

void
ctx_response_done(struct ctx_response *x)
{
	ctx_buf_done(&x->reason);
	ctx_buf_done(&x->report);
}

/* --- messages ----------------------------------------------------------- */

/* Has a message what is none of its parts, such as sound or sealed reasoning? */
static int
has_more(const struct ctx_doc *doc, uint32_t node)
{
	static const struct ctx_word known[] = {
		{ "role", 1 }, { "content", 1 }, { "parts", 1 }, { "type", 1 },
		{ "id", 1 }, { "status", 1 }, { "phase", 1 }, { NULL, 0 }
	};
	uint32_t k;
	char type;

	CTX_FOR_KEYS(doc, k, node) {
		type = ctx_node_type(doc, k + 1);
		if ((type == '"' || type == '{' || type == '[') &&
		    ctx_shape_filled(doc, k + 1) &&
		    !ctx_node_word(doc, k, known, 0))
			return 1;
	}
	return 0;
}

/* Is the message at node the whole response?  Only Anthropic's is. */
static int
is_response(const struct ctx_doc *doc, uint32_t node)
{
	return node == 0 && ctx_node_is(doc, CTX_GET(doc, 0, "type"),
	    "message");
}

/*
 * Does the message at node say anything?  Passes its texts on if they are to be
 * told.
 */
static int
says(const struct ctx_response *x, const struct ctx_doc *doc, uint32_t node,
    struct ctx_err *err)
{
	struct ctx_str json = ctx_node_json(doc, node);
	struct ctx_convo c = { 0 };
	int rc = ctx_dialect_line(&c, NULL, json.p, json.len, err), any = 0;
	uint32_t i;

	for (i = 0; rc == 0 && i < c.npart; i++) {
		any |= c.part[i].kind != CTX_HOLLOW &&
		    (c.part[i].kind != CTX_TEXT ||
		    ctx_part_text(&c, i).len > 0);
		if (x->text != NULL && c.part[i].kind == CTX_TEXT)
			x->text(x->arg, ctx_part_text(&c, i));
	}
	ctx_convo_done(&c);
	if (!any && x->end == CTX_RESPONSE_DONE && !is_response(doc, node))
		any = has_more(doc, node);
	return rc == -1 ? -1 : any;
}

/* Pass on the value at node as a line of the input. */
static int
give(struct ctx_job *j, const struct ctx_doc *doc, uint32_t node,
    struct ctx_err *err)
{
	struct ctx_str json = ctx_node_json(doc, node);

	return ctx_document_give(j, json.p, json.len, err);
}

/* Pass on the items of a list: all of a whole answer, if any says something. */
static int
give_list(const struct ctx_response *x, struct ctx_job *j,
    const struct ctx_doc *doc, uint32_t list, struct ctx_err *err)
{
	int whole = x->end == CTX_RESPONSE_DONE, any = 0, one;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		one = says(x, doc, e, err);
		if (one == -1 || (one && !whole && give(j, doc, e, err) == -1))
			return -1;
		any |= one;
	}
	if (any && whole)
		CTX_FOR_LIST(doc, e, list)
			if (give(j, doc, e, err) == -1)
				return -1;
	return 0;
}

/* The message of a response that has one; CTX_NONE if it has none. */
static uint32_t
message_of(const struct ctx_doc *doc)
{
	uint32_t list = CTX_GET(doc, 0, "output"), message;

	message = CTX_GET(doc, ctx_response_first(doc, "choices"), "message");
	if (message == CTX_NONE)	/* Bedrock's */
		message = CTX_GET(doc, list, "message");
	if (message == CTX_NONE)	/* Cohere's and Ollama's */
		message = CTX_GET(doc, 0, "message");
	if (message == CTX_NONE)
		message = CTX_GET(doc, ctx_response_first(doc, "candidates"),
		    "content");
	if (message == CTX_NONE && CTX_GET(doc, 0, "role") != CTX_NONE)
		message = 0;
	return ctx_node_if(doc, message, '{');
}

static int
give_messages(const struct ctx_response *x, struct ctx_job *j,
    const struct ctx_doc *doc, struct ctx_err *err)
{
	uint32_t list = CTX_GET(doc, 0, "output"), message = message_of(doc);
	int any;

	/* of texts alone, it could be another's */
	j->turns.first = is_response(doc, message) ? &ctx_dialect_anthropic :
	    NULL;
	if (ctx_node_if(doc, list, '[') != CTX_NONE)
		return give_list(x, j, doc, list, err);
	if (message != CTX_NONE) {
		any = says(x, doc, message, err);
		return any == 1 ? give(j, doc, message, err) : any;
	}
	/* an API that says how it ended may have had nothing else to say */
	return x->end != CTX_RESPONSE_DONE || x->reason.len > 0 ? 0 :
	    ctx_fail(err, CTX_EINPUT, "not a response of a known API");
}

/* --- the whole of it ----------------------------------------------------- */

/* Read the input to its end; its document goes to out. */
static int
read_all(struct ctx_stream *s, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_line line;
	int rc = first == NULL ? 0 : ctx_stream_feed(s, first->raw,
	    first->len, err);

	while (rc == 0 && first != NULL &&
	    (rc = ctx_reader_next(r, &line, err)) == 1)
		rc = ctx_stream_feed(s, line.raw, line.len, err);
	return rc == -1 ? -1 : ctx_stream_end(s, out, err);
}

/* What the response says besides its messages, and what was left out. */
static int
report(struct ctx_response *x, const struct ctx_stream *s,
    const struct ctx_doc *doc, struct ctx_err *err)
{
	struct ctx_buf *b = &x->report;

	ctx_buf_reset(b);
	ctx_buf_addf(b, ",\"end\":\"%s\"", ends[x->end]);
	if (x->reason.len > 0) {
		ctx_buf_adds(b, ",\"why\":\"");
		ctx_str_encode(b, x->reason.data, x->reason.len);
		ctx_buf_addc(b, '"');
	}
	ctx_response_usage(b, doc);
	if (s->left.n > 0) {
		ctx_buf_adds(b, ",\"unfinished\":");
		ctx_grow_put(b, &s->left);
	}
	return ctx_buf_fail(b, err);
}

/* Judge the document, and pass on what is in it. */
static int
take(struct ctx_response *x, struct ctx_job *j, const struct ctx_stream *s,
    const struct ctx_buf *all, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	int rc = 0;

	if (s->fate == CTX_STREAM_STRANGE)
		return ctx_fail(err, CTX_EINPUT,
		    "not a response of a known API");
	if (all->len > 0)
		rc = ctx_doc_scan(&doc, all->data, all->len, err);
	if (rc == 0)
		rc = ctx_response_judge(x, s, &doc, err);
	if (rc == 0 && all->len > 0)
		rc = give_messages(x, j, &doc, err);
	if (rc == 0)
		rc = report(x, s, &doc, err);
	ctx_doc_done(&doc);
	return rc;
}

int
ctx_response_read(struct ctx_response *x, struct ctx_job *j,
    struct ctx_reader *r, const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_stream s = { .text = x->text, .arg = x->arg };
	struct ctx_buf all = { 0 };
	int rc = read_all(&s, r, first, &all, err);

	if (s.streamed)
		x->text = NULL;
	x->left = s.left.n;
	if (rc == 0)
		rc = take(x, j, &s, &all, err);
	x->text = s.text;
	ctx_stream_done(&s);
	ctx_buf_done(&all);
	return rc == -1 ? -1 : 1;
}
