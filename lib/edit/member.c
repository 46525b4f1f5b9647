/* SPDX-License-Identifier: MIT */
/* Members of an object in a buffer; see member.h. */
#include "edit/member.h"

#include <stdlib.h>
#include <string.h>

uint32_t
ctx_member_find(const struct ctx_doc *doc, uint32_t object, const char *name)
{
	size_t len;

	for (;; name += len + 1) {
		len = strcspn(name, ".");
		if (object != CTX_NONE)
			object = ctx_doc_get(doc, object, name, len);
		if (object == CTX_NONE || name[len] == '\0')
			return object;
	}
}

void
ctx_member_range(const struct ctx_doc *doc, uint32_t object, uint32_t value,
    size_t *from, size_t *to)
{
	const struct ctx_node *v = &doc->node[value];

	*from = doc->node[value - 1].off;
	*to = v->off + v->len;
	while (strchr(" \t\r\n", doc->raw[*to]) != NULL)
		++*to;
	if (doc->raw[*to] == ',')
		++*to;
	else if (value - 1 > object + 1)
		while (doc->raw[*from] != ',')
			--*from;
}

/* The byte range of b that a change replaces, and what with. */
struct change {
	size_t from, to;
	struct ctx_buf text;
};

/* Write "a":{"b":json}, for the part of a name that there is not yet. */
static void
make(struct ctx_buf *out, const char *name, struct ctx_str json)
{
	size_t len, depth = 0;

	for (;; name += len + 1, depth++) {
		len = strcspn(name, ".");
		ctx_buf_adds(out, "\"");
		ctx_str_encode(out, name, len);
		ctx_buf_adds(out, "\":");
		if (name[len] == '\0')
			break;
		ctx_buf_adds(out, "{");
	}
	ctx_buf_add(out, json.p, json.len);
	while (depth-- > 0)
		ctx_buf_adds(out, "}");
}

/* Find what setting the member changes. */
static void
find_change(struct change *ch, const struct ctx_doc *doc, const char *name,
    struct ctx_str json)
{
	uint32_t object = 0, value;
	size_t len;

	for (;; name += len + 1, object = value) {
		len = strcspn(name, ".");
		value = ctx_doc_get(doc, object, name, len);
		if (value == CTX_NONE || name[len] == '\0' ||
		    ctx_node_type(doc, value) != '{')
			break;
	}
	ch->from = ch->to = doc->node[object].off + doc->node[object].len - 1;
	if (json.p == NULL) {
		if (value != CTX_NONE && name[len] == '\0')
			ctx_member_range(doc, object, value, &ch->from,
			    &ch->to);
		return;
	}
	if (value == CTX_NONE) {
		if (doc->node[object].next > object + 1)
			ctx_buf_adds(&ch->text, ",");
		make(&ch->text, name, json);
		return;
	}
	ch->from = doc->node[value].off;
	ch->to = ch->from + doc->node[value].len;
	if (name[len] == '\0') {
		ctx_buf_add(&ch->text, json.p, json.len);
		return;
	}
	ctx_buf_adds(&ch->text, "{");
	make(&ch->text, name + len + 1, json);
	ctx_buf_adds(&ch->text, "}");
}

int
ctx_member_set(struct ctx_buf *b, const char *name, struct ctx_str json,
    struct ctx_err *err)
{
	struct change ch = { 0, 0, { 0 } };
	struct ctx_buf out = { 0 };
	struct ctx_doc doc = { 0 };
	int rc = ctx_buf_fail(b, err);

	if (rc == 0)
		rc = ctx_doc_scan(&doc, b->data, b->len, err);
	if (rc == 0) {
		find_change(&ch, &doc, name, json);
		ctx_buf_add(&out, b->data, ch.from);
		if (ch.text.len > 0)
			ctx_buf_add(&out, ch.text.data, ch.text.len);
		ctx_buf_add(&out, b->data + ch.to, b->len - ch.to);
		out.failed |= ch.text.failed;
		rc = ctx_buf_fail(&out, err);
	}
	if (rc == 0) {
		ctx_buf_done(b);
		*b = out;
	} else
		ctx_buf_done(&out);
	ctx_buf_done(&ch.text);
	ctx_doc_done(&doc);
	return rc;
}
