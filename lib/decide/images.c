/* SPDX-License-Identifier: MIT */
/* Images that were sent already; see images.h. */
#include "decide/images.h"

#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/sha256.h"
#include "view/media.h"

#define VARIANT	16		/* hash digits that name a spelling */

struct step {
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	const struct ctx_images_opts *o;
	struct ctx_buf data, json, url;
	struct ctx_respelled plain;
};

static int
tell(const struct step *s, uint32_t p, struct ctx_str before,
    struct ctx_str after, struct ctx_err *err)
{
	struct ctx_change change = { .rule = "images",
	    .rec = s->c->msg[s->c->part[p].msg].rec,
	    .msg = s->c->part[p].msg, .before = before };

	return s->o->tell ? ctx_plan_tell(s->plan, &change, after, err) : 0;
}

static int
rewrite(struct step *s, uint32_t p, uint32_t node, struct ctx_err *err)
{
	uint32_t r = s->c->msg[s->c->part[p].msg].rec;
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	struct ctx_str after = ctx_str_of(&s->json);

	if (ctx_buf_fail(&s->json, err) == -1 ||
	    tell(s, p, ctx_node_json(&doc, node), after, err) == -1)
		return -1;
	return ctx_plan_rewrite(s->plan, r, node, 1, after, err);
}

/* Write "[image/png, 12345 bytes, left out]" as the dialect's text element. */
static int
note(struct step *s, uint32_t p, const struct ctx_media *m,
    struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	const struct ctx_dialect *d = ctx_dialect_of(s->c->dialect);
	struct ctx_marker_said said = { .word = m->type };
	size_t bytes = m->data.len / 4 * 3;

	while (bytes > 0 && m->data.p[m->data.len - 1 -
	    (m->data.len / 4 * 3 - bytes)] == '=')
		bytes--;
	said.n = bytes;
	ctx_buf_reset(&s->url);
	if (m->type.len == 0) {
		ctx_marker_put(&s->url, s->o->notes, part->kind == CTX_IMAGE ?
		    CTX_MARKER_PICTURE : CTX_MARKER_FILE, &said);
		said.word = ctx_str_of(&s->url);
	}
	ctx_buf_reset(&s->data);
	ctx_marker_put(&s->data, s->o->notes, CTX_MARKER_IMAGE, &said);
	if (ctx_buf_fail(&s->url, err) == -1 ||
	    ctx_buf_fail(&s->data, err) == -1)
		return -1;
	ctx_buf_reset(&s->json);
	if (d->text_element != NULL)
		ctx_dialect_put_text(&s->json, d, ctx_str_of(&s->data));
	else {
		ctx_buf_addc(&s->json, '"');
		ctx_buf_add(&s->json, s->data.data, s->data.len);
		ctx_buf_addc(&s->json, '"');
	}
	return rewrite(s, p, part->place[0].node, err);
}

static int
drop(struct step *s, uint32_t p, struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[part->msg].rec);
	struct ctx_str gone = { NULL, 0 };

	ctx_plan_drop_part(s->plan, p);
	return tell(s, p, ctx_node_json(&doc, part->place[0].node), gone, err);
}

/* Is as_was exactly what its link is turned back into by default? */
static int
canonical(struct step *s, const struct ctx_media *m, struct ctx_str as_was)
{
	ctx_buf_reset(&s->json);
	ctx_media_put(&s->json, m->form == CTX_MEDIA_SOURCE, m->type, m->data);
	return !s->json.failed && ctx_str_same(ctx_str_of(&s->json), as_was);
}

/*
 * Keep the image and make its link.  If the JSON that the link replaces is not
 * spelled in the usual way, that spelling is kept next to the image under its
 * hash, and the link names it: "...png#0123456789abcdef".
 */
static int
keep(struct step *s, const char *ending, struct ctx_str as_was, int usual,
    struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX], variant[CTX_SHA256_HEX];
	struct ctx_keep what = { .kind = CTX_KEEP_IMAGE };

	ctx_sha256_hex(s->data.data != NULL ? s->data.data : "", s->data.len,
	    hash);
	snprintf(what.name, sizeof(what.name), "%s.%s", hash, ending);
	if (ctx_plan_keep(s->plan, &what, s->data.data, s->data.len,
	    err) == -1)
		return -1;
	ctx_buf_addf(&s->url, "%s/%s", s->o->url, what.name);
	if (usual)
		return ctx_buf_fail(&s->url, err);
	ctx_sha256_hex(as_was.p, as_was.len, variant);
	snprintf(what.name, sizeof(what.name), "%s.%s.%.*s.json", hash, ending,
	    VARIANT, variant);
	ctx_buf_addf(&s->url, "#%.*s", VARIANT, variant);
	if (ctx_buf_fail(&s->url, err) == -1)
		return -1;
	return ctx_plan_keep(s->plan, &what, as_was.p, as_was.len, err);
}

static int
move_out(struct step *s, uint32_t p, const struct ctx_media *m,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(s->c,
	    s->c->msg[s->c->part[p].msg].rec);
	struct ctx_str as_was = ctx_node_json(&doc, m->node);
	const char *ending = ctx_media_ending(m->type);
	int usual;

	if ((m->form != CTX_MEDIA_URL && m->form != CTX_MEDIA_SOURCE) ||
	    ending == NULL)
		return 0;
	ctx_buf_reset(&s->data);
	ctx_buf_reset(&s->url);
	/* data that is not strict base64 could not be restored exactly */
	if (ctx_base64_decode(&s->data, m->data.p, m->data.len) == -1)
		return ctx_buf_fail(&s->data, err);
	usual = canonical(s, m, as_was);
	if (ctx_buf_fail(&s->json, err) == -1 ||
	    keep(s, ending, as_was, usual, err) == -1)
		return -1;
	ctx_buf_reset(&s->json);
	ctx_media_put_link(&s->json, m->form == CTX_MEDIA_SOURCE,
	    ctx_str_of(&s->url));
	return rewrite(s, p, m->node, err);
}

/* The parts of a link that we made. */
struct link {
	const char *hash;	/* 64 digits */
	char ending[16];
	const char *type;
	const char *variant;	/* 16 digits, or NULL */
};

static int
read_link(struct ctx_str url, struct link *l)
{
	static const char digits[] = "0123456789abcdef";
	const char *end = url.p + url.len, *name = end, *mark;
	size_t len;

	while (name > url.p && name[-1] != '/')
		name--;
	l->variant = NULL;
	if ((mark = memchr(name, '#', (size_t)(end - name))) != NULL) {
		if (end - mark != 1 + VARIANT ||
		    strspn(mark + 1, digits) < VARIANT)
			return 0;
		l->variant = mark + 1;
		end = mark;
	}
	len = (size_t)(end - name);
	if (len < 66 || len - 65 >= sizeof(l->ending) ||
	    strspn(name, digits) != 64 || name[64] != '.')
		return 0;
	l->hash = name;
	memcpy(l->ending, name + 65, len - 65);
	l->ending[len - 65] = '\0';
	l->type = ctx_media_type(l->ending, len - 65);
	return l->type != NULL;
}

/*
 * Like ctx_kept_fn, but it is an error if the contents do not match the hash.
 */
static int
kept(struct step *s, const char *name, const char *digits, size_t ndigit,
    struct ctx_buf *out, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	int rc;

	ctx_buf_reset(out);
	if ((rc = s->o->kept(s->o->kept_arg, name, out, err)) != 1)
		return rc;
	ctx_sha256_hex(out->data != NULL ? out->data : "", out->len, hash);
	if (memcmp(hash, digits, ndigit) == 0)
		return 1;
	return ctx_fail(err, CTX_ESYSTEM, "%.100s/%s is damaged", s->o->kept_in,
	    name);
}

/*
 * Put the JSON that a link replaced into s->json.  Returns 1, 0 if the link is
 * not ours, -1 with *err.
 */
static int
fetch(struct step *s, struct ctx_str url, int source, struct ctx_err *err)
{
	char name[112];
	struct link l;
	int rc;

	if (!read_link(url, &l))
		return 0;
	if (l.variant != NULL) {
		/* copied into a line: accept only what was kept */
		snprintf(name, sizeof(name), "%.64s.%s.%.*s.json", l.hash,
		    l.ending, VARIANT, l.variant);
		return kept(s, name, l.variant, VARIANT, &s->json, err);
	}
	snprintf(name, sizeof(name), "%.64s.%s", l.hash, l.ending);
	if ((rc = kept(s, name, l.hash, 64, &s->data, err)) != 1)
		return rc;
	ctx_buf_reset(&s->json);
	ctx_buf_reset(&s->url);
	if (ctx_base64_encode(&s->url, s->data.data, s->data.len) == -1)
		return ctx_fail_nomem(err);
	ctx_media_put(&s->json, source, (struct ctx_str){ l.type,
	    (uint32_t)strlen(l.type) }, ctx_str_of(&s->url));
	return ctx_buf_fail(&s->json, err) == -1 ? -1 : 1;
}

/* The object around the link in {"type":"url","url":LINK}. */
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
	rc = fetch(s, m->data, source != CTX_NONE, err);
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

/* Is part p all that its result says, and in no list? */
static int
is_all(const struct step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[part->msg].rec);

	return part->flags & CTX_INNER &&
	    ctx_node_type(&doc, part->place[0].list) == '{';
}

/* Is part p an element in whose place a text may be? */
static int
is_element(const struct step *s, uint32_t p)
{
	struct ctx_doc doc = ctx_convo_doc(s->c,
	    s->c->msg[s->c->part[p].msg].rec);

	return ctx_dialect_of(s->c->dialect)->text_element != NULL &&
	    ctx_node_type(&doc, s->c->part[p].place[0].node) == '{';
}

static int
one(struct step *s, uint32_t p, struct ctx_err *err)
{
	struct ctx_media m;

	if (ctx_media_find(s->c, p, &m, &s->plain) == -1)
		return ctx_fail_nomem(err);
	if (m.form == CTX_MEDIA_NONE)
		return 0;
	switch (s->o->how) {
	case CTX_IMAGES_DROP:
	case CTX_IMAGES_NOTE:
		if (m.form == CTX_MEDIA_LINK)
			return 0;
		/* a result says something, and a computer's has an image */
		if (is_all(s, p))
			return is_element(s, p) ? 0 : note(s, p, &m, err);
		return s->o->how == CTX_IMAGES_NOTE && is_element(s, p) ?
		    note(s, p, &m, err) : drop(s, p, err);
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
	ctx_respelled_done(&s.plain);
	return rc;
}
