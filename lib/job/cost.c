/* SPDX-License-Identifier: MIT */
/* What a message costs; see cost.h. */
#include "job/cost.h"

#include <string.h>

#include "base/base64.h"
#include "job/charge.h"
#include "read/spell.h"
#include "token/mediacost.h"
#include "view/media.h"
#include "view/dialect.h"

/*
 * Are texts estimated as for Claude?  Not if the user has chosen what counts,
 * or the table that the estimate is made with is missing.
 */
static int
by_claude(const struct ctx_cost *k)
{
	const struct ctx_model *m = k->choice.model;

	return m != NULL && k->encoding == NULL &&
	    strcmp(m->provider, "anthropic") == 0 &&
	    strcmp(ctx_tok_name(k->choice.tok), "o200k_base") == 0;
}

int
ctx_cost_begin(struct ctx_cost *k, struct ctx_err *err)
{
	if (ctx_counter_init(&k->counter, k->choice.tok, err) == -1)
		return -1;
	k->counter.factor = k->choice.factor;
	k->counter.by_script = k->choice.by_script;
	if (k->choice.model != NULL && k->encoding == NULL)
		k->scale = k->choice.model->fitted.factor;
	if (by_claude(k) && ctx_claude_init(&k->claude, k->choice.tok,
	    ctx_claude_is_late(k->model_name), err) == -1) {
		ctx_counter_done(&k->counter);
		return -1;
	}
	return 0;
}

int
ctx_cost_like(struct ctx_cost *k, const struct ctx_cost *from,
    struct ctx_err *err)
{
	memset(k, 0, sizeof(*k));
	k->model_name = from->model_name;
	k->encoding = from->encoding;
	k->key = from->key;
	k->overhead = from->overhead;
	k->flat = from->flat;
	k->to_cut = from->to_cut;
	k->lines = from->lines;
	k->choice = from->choice;
	k->borrowed = 1;
	if (!from->ready)
		return 0;
	if (ctx_cost_begin(k, err) == -1)
		return -1;
	k->counter.factor = from->counter.factor;
	k->counter.by_script = from->counter.by_script;
	k->counter.special = from->counter.special;
	k->ready = 1;
	return 0;
}

void
ctx_cost_done(struct ctx_cost *k)
{
	if (k->ready) {
		ctx_counter_done(&k->counter);
		ctx_claude_done(&k->claude);
	}
	if (!k->borrowed) {
		ctx_tok_free(k->choice.tok);
		ctx_models_free(k->models);
	}
	k->choice.tok = NULL;
	k->models = NULL;
	k->ready = 0;
}

uint64_t
ctx_cost_scaled(struct ctx_cost *k, uint64_t n)
{
	struct ctx_ratio f = k->scale;
	uint64_t scaled;

	k->texts += n;
	if (f.den == 0 || n == 0)
		return n;
	scaled = ctx_ratio_of(f, n);
	/* to the nearest, so that many short texts are right together */
	if ((n * f.num) % f.den * 2 >= f.den)
		scaled++;
	return scaled > 0 ? scaled : 1;
}

int
ctx_cost_text(struct ctx_cost *k, const char *text, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	if ((k->claude.state != NULL ?
	    ctx_claude_text(&k->claude, text, len, n, err) :
	    ctx_counter_text(&k->counter, text, len, n, err)) == -1)
		return -1;
	*n = ctx_cost_scaled(k, *n);
	return 0;
}

int
ctx_cost_json(struct ctx_cost *k, const char *s, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	if ((k->claude.state != NULL ?
	    ctx_claude_json(&k->claude, s, len, n, err) :
	    ctx_counter_json(&k->counter, s, len, n, err)) == -1)
		return -1;
	*n = ctx_cost_scaled(k, *n);
	return 0;
}

int
ctx_cost_json_all(struct ctx_cost *k, struct ctx_counted *of, size_t n,
    struct ctx_err *err)
{
	int together = k->claude.state == NULL, rc = 0;
	size_t i;

	if (together)
		rc = ctx_counter_json_all(&k->counter, of, n, err);
	for (i = 0; rc == 0 && i < n; i++) {
		if (together)
			of[i].n = ctx_cost_scaled(k, of[i].n);
		else
			rc = ctx_cost_json(k, of[i].s, of[i].len, &of[i].n,
			    err);
	}
	return rc;
}

int
ctx_cost_add(struct ctx_cost *k, struct ctx_str s, uint64_t *n,
    struct ctx_err *err)
{
	uint64_t more = 0;

	/* the estimate needs only the number of characters */
	if (s.len > 0 && ctx_tok_is_estimate(k->choice.tok)) {
		more = ctx_str_chars(s.p, s.len) * 2 / 5;
		*n += ctx_cost_scaled(k, more > 0 ? more : 1);
		return 0;
	}
	if (s.len > 0 && (k->known == NULL ||
	    !k->known(k->known_arg, s, &more)) &&
	    ctx_cost_json(k, s.p, s.len, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

/* The detail that a word asks for, as OpenAI or Google has it. */
static enum ctx_detail
detail_named(const struct ctx_doc *doc, uint32_t word)
{
	static const struct {
		const char *word;
		enum ctx_detail detail;
	} words[] = {
		{ "low", CTX_DETAIL_LOW }, { "high", CTX_DETAIL_HIGH },
		{ "medium", CTX_DETAIL_MEDIUM },
		{ "original", CTX_DETAIL_ORIGINAL },
		{ "MEDIA_RESOLUTION_LOW", CTX_DETAIL_LOW },
		{ "MEDIA_RESOLUTION_MEDIUM", CTX_DETAIL_MEDIUM },
		{ "MEDIA_RESOLUTION_HIGH", CTX_DETAIL_HIGH },
		{ "MEDIA_RESOLUTION_ULTRA_HIGH", CTX_DETAIL_ORIGINAL },
	};
	size_t k;

	for (k = 0; word != CTX_NONE && k < sizeof(words) / sizeof(*words); k++)
		if (ctx_node_is(doc, word, words[k].word))
			return words[k].detail;
	return CTX_DETAIL_AUTO;
}

/* The resolution that Google's request has for all media without one. */
static enum ctx_detail
detail_of_request(const struct ctx_convo *c)
{
	struct ctx_doc doc;
	uint32_t node, config;

	if (c->dialect != &ctx_dialect_gemini ||
	    c->rec[0].shape != CTX_REC_CONVERSATION)
		return CTX_DETAIL_AUTO;
	doc = ctx_convo_doc(c, 0);
	node = ctx_node_if(&doc, c->rec[0].request != CTX_NONE ?
	    c->rec[0].request : c->rec[0].root, '{');
	config = CTX_GET(&doc, node, "generationConfig");
	if (config == CTX_NONE)
		config = CTX_GET(&doc, node, "generation_config");
	node = CTX_GET(&doc, config, "mediaResolution");
	return detail_named(&doc, node != CTX_NONE ? node :
	    CTX_GET(&doc, config, "media_resolution"));
}

/* The detail that a part asks for. */
static enum ctx_detail
detail_of(const struct ctx_convo *c, const struct ctx_part *p)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t i = p->place[0].node, url, word;

	if (i == CTX_NONE || ctx_node_type(&doc, i) != '{')
		return CTX_DETAIL_AUTO;
	url = ctx_doc_get(&doc, i, "image_url", 9);
	if (url == CTX_NONE || ctx_node_type(&doc, url) != '{')
		url = i;
	word = CTX_GET(&doc, url, "detail");
	if (word == CTX_NONE && (word = CTX_GET(&doc, i, "mediaResolution")) !=
	    CTX_NONE && ctx_node_type(&doc, word) == '{')
		word = CTX_GET(&doc, word, "level");
	return word != CTX_NONE ? detail_named(&doc, word) :
	    detail_of_request(c);
}

/* Whose rules count for images and files. */
static const char *
provider_of(const struct ctx_cost *k)
{
	return k->choice.model != NULL ? k->choice.model->provider : "openai";
}

static const char *
name_of(const struct ctx_cost *k)
{
	return k->model_name != NULL ? k->model_name : "gpt-4o";
}

/*
 * Set *n to the cost of an image by its provider's formula.  Its size is read from
 * its header if the data is here.
 */
static int
image_cost(const struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_model *m = k->choice.model;
	struct ctx_pixels size = { 0, 0 };
	struct ctx_respelled plain = { 0 };
	struct ctx_media media;
	int rc = ctx_media_find(c, i, &media, &plain);

	if (rc == 0 && media.data.p != NULL && media.form != CTX_MEDIA_LINK)
		ctx_pixels_base64(media.data.p, media.data.len, &size);
	ctx_respelled_done(&plain);
	*n = ctx_image_tokens(m != NULL && m->image.kind != CTX_IMAGE_UNSET ?
	    &m->image : ctx_image_rule(provider_of(k), name_of(k)), size,
	    detail_of(c, &c->part[i]));
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* The data of OpenAI's input_audio, whose type is only a format. */
static void
find_sound(const struct ctx_convo *c, uint32_t i, struct ctx_media *media)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t sound = p->place[0].node;

	if (sound != CTX_NONE)
		sound = CTX_GET(&doc, sound, "input_audio");
	if (sound == CTX_NONE)
		return;
	media->data = ctx_node_str(&doc, CTX_GET(&doc, sound, "data"));
	media->type = (struct ctx_str){ "audio/", 6 };
	media->form = CTX_MEDIA_BESIDE;
}

/* Is the data of a document its text as it is, and not base64? */
static int
is_plain(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t source = p->place[0].node;

	if (source != CTX_NONE)
		source = CTX_GET(&doc, source, "source");
	return source != CTX_NONE && ctx_node_is(&doc, CTX_GET(&doc, source,
	    "type"), "text");
}

/* Decode base64 as it is in JSON, which may have escapes. */
static int
decode(struct ctx_buf *out, struct ctx_str s, struct ctx_err *err)
{
	size_t used;

	if (ctx_str_decode(out, s.p, s.len) == -1)
		return ctx_fail_nomem(err);
	out->len = ctx_base64_begin(out->data, out->len, out->data, out->len,
	    &used);
	return 0;
}

/*
 * Count the texts of a document that stand in its source or its content as they
 * are, as Bedrock and Anthropic have them.
 */
static int
add_texts(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, struct ctx_err *err)
{
	static const char *const wraps[] = { "document", "searchResult" };
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);
	uint32_t node = c->part[i].place[0].node, source, list, e;
	struct ctx_str s;
	size_t w;

	*n = 0;
	if (node == CTX_NONE)
		return 0;
	for (w = 0; w < sizeof(wraps) / sizeof(wraps[0]); w++)
		if ((e = ctx_node_if(&doc, ctx_doc_get(&doc, node, wraps[w],
		    strlen(wraps[w])), '{')) != CTX_NONE)
			node = e;
	source = ctx_node_if(&doc, CTX_GET(&doc, node, "source"), '{');
	s = ctx_node_str(&doc, CTX_GET(&doc, source, "text"));
	list = CTX_GET(&doc, source != CTX_NONE ? source : node, "content");
	if (s.p == NULL && source != CTX_NONE)
		s = ctx_node_str(&doc, list);
	if (ctx_cost_add(k, s, n, err) == -1)
		return -1;
	CTX_FOR_LIST(&doc, e, list)
		if (ctx_cost_add(k, ctx_node_str(&doc, CTX_GET(&doc, e,
		    "text")), n, err) == -1)
			return -1;
	return 0;
}

/*
 * The cost of a document, a sound or a film; a text costs its tokens, and a file
 * that is an image what one costs.  What that is worth goes to *level.
 */
static int
media_cost(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, enum ctx_level *level, struct ctx_err *err)
{
	const struct ctx_model *model = k->choice.model;
	struct ctx_medium it = { .detail = detail_of(c, &c->part[i]) };
	struct ctx_respelled plain = { 0 };
	struct ctx_media media;
	struct ctx_buf data = { 0 };
	int text, rc = add_texts(k, c, i, n, err);

	*level = k->choice.level;
	if (rc != 0 || *n > 0)
		return rc;
	if ((rc = ctx_media_find(c, i, &media, &plain)) == -1)
		ctx_fail_nomem(err);
	else if (media.data.p == NULL)
		find_sound(c, i, &media);
	if (rc == 0 && ctx_str_starts(media.type, "image/")) {
		ctx_respelled_done(&plain);
		*level = CTX_ESTIMATE;
		return image_cost(k, c, i, n, err);
	}
	it.type = media.type.p;
	it.typelen = media.type.len;
	text = media.data.p != NULL && is_plain(c, i);
	if (!text && media.data.p != NULL && media.form != CTX_MEDIA_LINK) {
		rc = decode(&data, media.data, err);
		it.data = data.data;
		it.len = data.len;
	}
	if (rc == 0 && text)
		rc = ctx_cost_add(k, media.data, n, err);
	else if (rc == 0 && it.data != NULL && ctx_mediacost_is_text(&it))
		rc = ctx_cost_text(k, it.data, it.len, n, err);
	else if (rc == 0)
		*level = ctx_mediacost_tokens(&it, provider_of(k), name_of(k),
		    model != NULL ? &model->rates : NULL, n);
	ctx_respelled_done(&plain);
	ctx_buf_done(&data);
	return rc;
}

int
ctx_cost_value(struct ctx_cost *k, struct ctx_str s, int tall, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf flat = { 0 }, plain = { 0 };
	int rc = -1;

	if (tall) {
		ctx_line_flat(&flat, s.p, s.len);
		s = ctx_str_of(&flat);
	}
	if (!ctx_spell_is_plain(s)) {
		ctx_spell_plain(&plain, s);
		s = ctx_str_of(&plain);
	}
	if (ctx_buf_fail(&flat, err) == 0 && ctx_buf_fail(&plain, err) == 0)
		rc = ctx_cost_text(k, s.p, s.len, n, err);
	ctx_buf_done(&flat);
	ctx_buf_done(&plain);
	return rc;
}

int
ctx_cost_part(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_str s = ctx_part_text(c, i);
	enum ctx_level level;
	uint64_t more;

	*n = 0;
	if (p->kind == CTX_IMAGE && image_cost(k, c, i, n, err) == -1)
		return -1;
	k->of[CTX_OF_IMAGES] += *n;
	if (p->kind == CTX_FILE) {
		if (media_cost(k, c, i, n, &level, err) == -1)
			return -1;
		k->of[CTX_OF_FILES] += *n;
		if (level > k->media)
			k->media = level;
	}
	if (p->kind == CTX_COPY)
		return 0;	/* it is never sent */
	if (p->kind == CTX_CALL && ctx_cost_add(k, p->name, n, err) == -1)
		return -1;
	if (!(p->flags & CTX_RAW))
		return ctx_cost_add(k, s, n, err);
	if (ctx_cost_value(k, s, c->rec[c->msg[p->msg].rec].tall, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

#define DIGITS	10	/* of a number of tokens */

uint32_t
ctx_cost_member(const struct ctx_convo *c, uint32_t m, const char *key,
    uint64_t *n)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t v;
	size_t i;

	if (ctx_node_type(&doc, c->msg[m].node) != '{')
		return CTX_NONE;
	v = CTX_GET(&doc, c->msg[m].node, key);
	/* in a session file the record around the message may have it; what a
	   request has is not a message's */
	if (v == CTX_NONE &&
	    c->rec[c->msg[m].rec].shape != CTX_REC_CONVERSATION)
		v = CTX_GET(&doc, c->rec[c->msg[m].rec].root, key);
	/* no message has more tokens, and sums of more could wrap around */
	if (v == CTX_NONE || doc.node[v].len > DIGITS)
		return CTX_NONE;
	*n = 0;
	for (i = 0; i < doc.node[v].len; i++) {
		char ch = doc.raw[doc.node[v].off + i];

		if (ch < '0' || ch > '9')
			return CTX_NONE;
		*n = *n * 10 + (uint64_t)(ch - '0');
	}
	return v;
}

/* Count message m as a model without an API's rule. */
static int
plain_msg(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint64_t more;
	uint32_t i;

	*n = msg->flags & CTX_JOINED ? 0 : k->overhead;
	if (*n > 0 && msg->name.p != NULL)
		*n += CTX_NAME_OVERHEAD;
	if (k->model_name != NULL)
		k->of[CTX_OF_FRAMING] += *n;
	if (ctx_cost_add(k, msg->name, n, err) == -1)
		return -1;
	CTX_FOR_PARTS(c, m, i) {
		if (ctx_cost_part(k, c, i, &more, err) == -1)
			return -1;
		*n += more;
	}
	return 0;
}

/* Add what the user's rule says of a message, down to nothing. */
static void
add_fitted(struct ctx_cost *k, const struct ctx_msg *msg, uint64_t *n)
{
	int more;

	if (k->choice.model == NULL || k->flat || msg->flags & CTX_JOINED)
		return;
	more = k->choice.model->fitted.message;
	if (more < 0 && *n < (uint64_t)-more)
		more = -(int)*n;
	*n += (uint64_t)(int64_t)more;
	k->of[CTX_OF_FRAMING] += (uint64_t)(int64_t)more;
}

int
ctx_cost_msg(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_charge *charge = ctx_charge_of(k, c);

	k->thoughts = 0;
	k->sealed = 0;
	if (k->key != NULL && ctx_cost_member(c, m, k->key, n) != CTX_NONE)
		return 0;
	if ((charge != NULL ? ctx_charge_msg(k, charge, c, m, n, err) :
	    plain_msg(k, c, m, n, err)) == -1)
		return -1;
	add_fitted(k, &c->msg[m], n);
	return 0;
}
