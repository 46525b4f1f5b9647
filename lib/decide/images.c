/* SPDX-License-Identifier: MIT */
/* Images that were sent already; see images.h. */
#include "decide/images.h"

#include <string.h>

#include "base/base64.h"
#include "view/media.h"

struct step {
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	const struct ctx_images_opts *o;
	struct ctx_buf data, json, url;
};

static int
tell(const struct step *s, uint32_t p, struct ctx_str before,
    struct ctx_str after, struct ctx_err *err)
{
	struct ctx_change change = { .rule = "images",
	    .rec = s->c->msg[s->c->part[p].msg].rec,
	    .msg = s->c->part[p].msg, .before = before, .after = after };

	if (s->o->changed == NULL)
		return 0;
	return s->o->changed(s->o->changed_arg, s->c, &change, err);
}

/* Node, all of it, as it stands. */
static struct ctx_str
whole(const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_str s = { doc->raw + doc->node[node].off,
	    doc->node[node].len };

	return s;
}

static int
rewrite(struct step *s, uint32_t p, uint32_t node, struct ctx_err *err)
{
	uint32_t r = s->c->msg[s->c->part[p].msg].rec;
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	struct ctx_str after;

	if (ctx_buf_fail(&s->json, err) == -1)
		return -1;
	after.p = s->json.data;
	after.len = (uint32_t)s->json.len;
	if (tell(s, p, whole(&doc, node), after, err) == -1)
		return -1;
	return ctx_plan_rewrite(s->plan, r, node, 1, s->json.data,
	    s->json.len, err);
}

/* "[image/png, 12345 bytes, was here]" in the dialect's text element. */
static int
note(struct step *s, uint32_t p, const struct ctx_media *m,
    struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	const struct ctx_dialect *d = s->c->dialect != NULL ?
	    s->c->dialect : &ctx_dialect_openai;
	size_t bytes = m->data.len / 4 * 3;

	while (bytes > 0 && m->data.p[m->data.len - 1 -
	    (m->data.len / 4 * 3 - bytes)] == '=')
		bytes--;
	ctx_buf_reset(&s->json);
	ctx_buf_adds(&s->json, d->text_element);
	ctx_buf_addc(&s->json, '[');
	if (m->type.len > 0)
		ctx_buf_add(&s->json, m->type.p, m->type.len);
	else
		ctx_buf_adds(&s->json, part->kind == CTX_IMAGE ? "image" :
		    "file");
	ctx_buf_addf(&s->json, ", %zu bytes, left out]\"}", bytes);
	return rewrite(s, p, part->place[0].node, err);
}

static int
drop(struct step *s, uint32_t p, struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[part->msg].rec);
	struct ctx_str gone = { NULL, 0 };

	ctx_plan_drop_part(s->plan, p);
	return tell(s, p, whole(&doc, part->place[0].node), gone, err);
}

/* What a link that has this URL is turned back into, if nothing else is kept. */
static int
canonical(struct step *s, const struct ctx_media *m, struct ctx_str as_was)
{
	ctx_buf_reset(&s->json);
	if (m->form == CTX_MEDIA_URL)
		ctx_buf_adds(&s->json, "\"data:");
	else
		ctx_buf_adds(&s->json, "{\"type\":\"base64\",\"media_type\":\"");
	ctx_buf_add(&s->json, m->type.p, m->type.len);
	ctx_buf_adds(&s->json, m->form == CTX_MEDIA_URL ? ";base64," :
	    "\",\"data\":\"");
	ctx_buf_add(&s->json, m->data.p, m->data.len);
	ctx_buf_adds(&s->json, m->form == CTX_MEDIA_URL ? "\"" : "\"}");
	return !s->json.failed && s->json.len == as_was.len &&
	    memcmp(s->json.data, as_was.p, as_was.len) == 0;
}

static int
move_out(struct step *s, uint32_t p, const struct ctx_media *m,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(s->c,
	    s->c->msg[s->c->part[p].msg].rec);
	struct ctx_str as_was = whole(&doc, m->node);
	const char *ending = ctx_media_ending(m->type);
	int rc, same;

	if ((m->form != CTX_MEDIA_URL && m->form != CTX_MEDIA_SOURCE) ||
	    ending == NULL)
		return 0;
	ctx_buf_reset(&s->data);
	ctx_buf_reset(&s->url);
	/* what is not plain base64 would not come back as it was */
	if (ctx_base64_decode(&s->data, m->data.p, m->data.len) == -1)
		return ctx_buf_fail(&s->data, err);
	same = canonical(s, m, as_was);
	if (ctx_buf_fail(&s->json, err) == -1)
		return -1;
	rc = s->o->put_file(s->o->arg, ending, &s->data, as_was, same,
	    &s->url, err);
	if (rc != 1)
		return rc;
	ctx_buf_reset(&s->json);
	ctx_buf_adds(&s->json, m->form == CTX_MEDIA_URL ? "\"" :
	    "{\"type\":\"url\",\"url\":\"");
	ctx_buf_add(&s->json, s->url.data, s->url.len);
	ctx_buf_adds(&s->json, m->form == CTX_MEDIA_URL ? "\"" : "\"}");
	return rewrite(s, p, m->node, err);
}

/* The object around a link that is {"type":"url","url":LINK}. */
static uint32_t
source_of(const struct ctx_doc *doc, const struct ctx_part *part,
    uint32_t link)
{
	uint32_t i;

	for (i = part->place[0].node; i < link; i++)
		if (ctx_node_type(doc, i) == '{' &&
		    ctx_doc_get(doc, i, "url", 3) == link &&
		    ctx_node_is(doc, ctx_doc_get(doc, i, "type", 4), "url"))
			return i;
	return CTX_NONE;
}

static int
move_in(struct step *s, uint32_t p, const struct ctx_media *m,
    struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[part->msg].rec);
	uint32_t node = m->node, source;
	int rc;

	if (m->form != CTX_MEDIA_LINK)
		return 0;
	if ((source = source_of(&doc, part, node)) != CTX_NONE)
		node = source;
	ctx_buf_reset(&s->json);
	rc = s->o->get_file(s->o->arg, m->data, source != CTX_NONE, &s->json,
	    err);
	return rc == 1 ? rewrite(s, p, node, err) : rc;
}

/* The first message that no answer of the assistant follows. */
static uint32_t
answered_up_to(const struct ctx_convo *c)
{
	uint32_t m = c->nmsg;

	while (m > 0 && c->msg[m - 1].role != CTX_ASSISTANT)
		m--;
	return m;
}

static int
one(struct step *s, uint32_t p, struct ctx_err *err)
{
	const struct ctx_dialect *d = s->c->dialect != NULL ?
	    s->c->dialect : &ctx_dialect_openai;
	struct ctx_media m;

	ctx_media_find(s->c, p, &m);
	if (m.form == CTX_MEDIA_NONE)
		return 0;
	switch (s->o->how) {
	case CTX_IMAGES_DROP:
		return m.form == CTX_MEDIA_LINK ? 0 : drop(s, p, err);
	case CTX_IMAGES_NOTE:
		if (m.form == CTX_MEDIA_LINK)
			return 0;
		return d->text_element != NULL ? note(s, p, &m, err) :
		    drop(s, p, err);
	case CTX_IMAGES_OUT:
		return move_out(s, p, &m, err);
	case CTX_IMAGES_IN:
		return move_in(s, p, &m, err);
	case CTX_IMAGES_KEEP:
		break;
	}
	return 0;
}

int
ctx_images_plan(struct ctx_plan *plan, const struct ctx_convo *c,
    const struct ctx_images_opts *opts, struct ctx_err *err)
{
	struct step s = { .plan = plan, .c = c, .o = opts };
	uint32_t p, end = c->nmsg;
	int rc = 0;

	if (opts->how == CTX_IMAGES_KEEP)
		return 0;
	if (!opts->all && opts->how != CTX_IMAGES_IN)
		end = answered_up_to(c);
	for (p = 0; p < c->npart && rc == 0; p++)
		if ((c->part[p].kind == CTX_IMAGE ||
		    c->part[p].kind == CTX_FILE) && c->part[p].msg < end &&
		    c->part[p].place[0].node != CTX_NONE &&
		    !plan->drop_part[p])
			rc = one(&s, p, err);
	ctx_buf_done(&s.data);
	ctx_buf_done(&s.json);
	ctx_buf_done(&s.url);
	return rc;
}
