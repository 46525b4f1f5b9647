/* SPDX-License-Identifier: MIT */
/* What a message costs; see cost.h. */
#include "job/cost.h"

#include <string.h>

#include "token/image.h"
#include "job/charge.h"
#include "view/media.h"
#include "view/dialect.h"

int
ctx_cost_like(struct ctx_cost *k, const struct ctx_cost *from,
    struct ctx_err *err)
{
	memset(k, 0, sizeof(*k));
	k->model_name = from->model_name;
	k->key = from->key;
	k->overhead = from->overhead;
	k->flat = from->flat;
	k->choice = from->choice;
	if (!from->ready)
		return 0;
	if (ctx_counter_init(&k->counter, k->choice.tok, err) == -1)
		return -1;
	k->counter.factor = from->counter.factor;
	k->counter.special = from->counter.special;
	k->ready = k->borrowed = 1;
	return 0;
}

void
ctx_cost_done(struct ctx_cost *k)
{
	if (!k->ready)
		return;
	ctx_counter_done(&k->counter);
	if (!k->borrowed) {
		ctx_tok_free(k->choice.tok);
		ctx_models_free(k->models);
	}
	k->ready = 0;
}

int
ctx_cost_add(struct ctx_cost *k, struct ctx_str s, uint64_t *n,
    struct ctx_err *err)
{
	uint64_t more = 0;

	/* the estimate needs only the number of characters */
	if (s.len > 0 && ctx_tok_is_estimate(k->choice.tok)) {
		more = ctx_str_chars(s.p, s.len) * 2 / 5;
		*n += more > 0 ? more : 1;
		return 0;
	}
	if (s.len > 0 && (k->known == NULL ||
	    !k->known(k->known_arg, s, &more)) &&
	    ctx_counter_json(&k->counter, s.p, s.len, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

/* Does an OpenAI image ask for low detail? */
static int
low_detail(const struct ctx_convo *c, const struct ctx_part *p)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t i = p->place[0].node, url;

	if (i == CTX_NONE)
		return 0;
	url = ctx_doc_get(&doc, i, "image_url", 9);
	if (url == CTX_NONE || ctx_node_type(&doc, url) != '{')
		url = i;
	return ctx_node_is(&doc, ctx_doc_get(&doc, url, "detail", 6), "low");
}

/*
 * The cost of an image by its provider's formula.  Its size is read from its
 * header if the data is here.
 */
static uint64_t
image_cost(const struct ctx_cost *k, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_model *m = k->choice.model;
	struct ctx_pixels size = { 0, 0 };
	struct ctx_media media;

	ctx_media_find(c, i, &media);
	if (media.data.p != NULL && media.form != CTX_MEDIA_LINK)
		ctx_pixels_base64(media.data.p, media.data.len, &size);
	return ctx_image_tokens(m != NULL ? m->provider : "openai",
	    k->model_name != NULL ? k->model_name : "gpt-4o", size,
	    low_detail(c, &c->part[i]));
}

/* Count JSON; in a document its indentation is not what is sent. */
static int
count_json(struct ctx_cost *k, struct ctx_str s, int tall, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf flat = { 0 };
	int rc = -1;

	if (!tall)
		return ctx_counter_text(&k->counter, s.p, s.len, n, err);
	ctx_line_flat(&flat, s.p, s.len);
	if (ctx_buf_fail(&flat, err) == 0)
		rc = ctx_counter_text(&k->counter, flat.data, flat.len, n, err);
	ctx_buf_done(&flat);
	return rc;
}

int
ctx_cost_part(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_str s = ctx_part_text(c, i);
	uint64_t more;

	*n = p->kind == CTX_IMAGE ? image_cost(k, c, i) : 0;
	if (p->kind == CTX_COPY)
		return 0;	/* it is never sent */
	if (p->kind == CTX_CALL && ctx_cost_add(k, p->name, n, err) == -1)
		return -1;
	if (!(p->flags & CTX_RAW))
		return ctx_cost_add(k, s, n, err);
	if (count_json(k, s, c->rec[c->msg[p->msg].rec].tall, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

int
ctx_cost_carried(const struct ctx_convo *c, uint32_t m, const char *key,
    uint64_t *n)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t v;
	size_t i;

	if (ctx_node_type(&doc, c->msg[m].node) != '{')
		return 0;
	v = CTX_GET(&doc, c->msg[m].node, key);
	/* in a session file the record around the message may have it */
	if (v == CTX_NONE)
		v = CTX_GET(&doc, c->rec[c->msg[m].rec].root, key);
	/* no message has more than 18 digits of tokens */
	if (v == CTX_NONE || doc.node[v].len > 18)
		return 0;
	*n = 0;
	for (i = 0; i < doc.node[v].len; i++) {
		char ch = doc.raw[doc.node[v].off + i];

		if (ch < '0' || ch > '9')
			return 0;
		*n = *n * 10 + (uint64_t)(ch - '0');
	}
	return 1;
}

int
ctx_cost_msg(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_charge *charge = ctx_charge_of(k, c);
	const struct ctx_msg *msg = &c->msg[m];
	uint64_t more;
	uint32_t i;

	if (k->key != NULL && ctx_cost_carried(c, m, k->key, n))
		return 0;
	if (charge != NULL)
		return ctx_charge_msg(k, charge, c, m, n, err);
	*n = msg->flags & CTX_JOINED ? 0 : k->overhead;
	if (*n > 0 && msg->name.p != NULL)
		*n += CTX_NAME_OVERHEAD;
	if (ctx_cost_add(k, msg->name, n, err) == -1)
		return -1;
	CTX_FOR_PARTS(c, m, i) {
		if (ctx_cost_part(k, c, i, &more, err) == -1)
			return -1;
		*n += more;
	}
	return 0;
}
