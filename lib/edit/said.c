/* SPDX-License-Identifier: MIT */
/* What a step says, part by part; see said.h. */
#include "edit/said.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "edit/attachment.h"
#include "edit/tool_name.h"

void
ctx_said_forget(struct ctx_script *s)
{
	while (s->nown > 0)
		free(s->own[--s->nown]);
}

struct ctx_str
ctx_said_own(struct ctx_script *s, const char *p, size_t len)
{
	struct ctx_str str = { NULL, 0 };
	char *q;

	if (CTX_ROOM(s->own, s->nown, &s->capown) == -1 ||
	    (q = malloc(len + 1)) == NULL)
		return str;
	memcpy(q, p, len);
	q[len] = '\0';
	s->own[s->nown++] = q;
	str.p = q;
	str.len = (uint32_t)len;
	return str;
}

uint32_t
ctx_said_node(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];

	if (p->place[0].node == CTX_NONE && p->kind != CTX_TEXT &&
	    i == c->msg[p->msg].part)
		return c->msg[p->msg].node;	/* it is the whole message */
	return p->place[0].node;
}

struct ctx_str
ctx_said_json(const struct ctx_convo *c, uint32_t i)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);

	return ctx_node_json(&doc, ctx_said_node(c, i));
}

struct ctx_taker
ctx_said_taker(const struct ctx_script *s, enum ctx_kind kind)
{
	struct ctx_taker in = ctx_takes_in(&s->taker, "tool_calls");

	return kind == CTX_CALL && in.takes != NULL ? in :
	    ctx_takes_in(&s->taker, "content");
}

/* Is the part at node an image of a type that the API does not read? */
static int
is_refused_image(const struct ctx_script *s, const struct ctx_doc *doc,
    uint32_t node)
{
	struct ctx_respelled plain = { 0 };
	struct ctx_attachment a;
	int is;

	/* without memory, what is written of it fails */
	is = ctx_attachment_read(&a, doc, node, &plain) == 1 &&
	    !ctx_api_image(s->api, a.type);
	ctx_respelled_done(&plain);
	return is;
}

int
ctx_said_refused(const struct ctx_script *s, const struct ctx_convo *c,
    uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t node = ctx_said_node(c, i);
	struct ctx_taker in = ctx_said_taker(s, p->kind);

	if (s->taker.takes == NULL || node == CTX_NONE ||
	    node == c->msg[p->msg].node)
		return 0;
	if (ctx_node_is_key(&doc, node - 1))
		return !ctx_takes_key(&s->taker, &doc, c->msg[p->msg].node,
		    node - 1, &in);
	if (s->needs & CTX_NEED_SIGNED && p->kind == CTX_THINKING &&
	    !(p->flags & CTX_SIGNED))
		return 1;
	if (s->needs & CTX_NEED_TEXT_RESULTS && p->flags & CTX_INNER &&
	    (p->kind == CTX_IMAGE || p->kind == CTX_FILE))
		return 1;
	if (p->kind == CTX_IMAGE && s->api != NULL &&
	    is_refused_image(s, &doc, node))
		return 1;
	return (ctx_node_type(&doc, node) == '{' ||
	    p->place[0].list == c->msg[p->msg].content) &&
	    !ctx_takes_object(&in, &doc, node);
}

/* The kind that part i is converted as. */
enum ctx_kind
ctx_said_kind(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];

	if (p->kind == CTX_HOLLOW || p->kind == CTX_COPY)
		return CTX_HOLLOW;
	if (p->kind != CTX_CALL && p->kind != CTX_RESULT)
		return p->kind;
	if (p->flags & CTX_SERVER && !ctx_part_inline(c, p))
		return CTX_OTHER;
	return p->flags & CTX_NO_TOOL ? CTX_OTHER : p->kind;
}

struct ctx_said *
ctx_said_add(struct ctx_script *s, enum ctx_kind kind)
{
	struct ctx_said *it;

	if (CTX_ROOM(s->item, s->nitem, &s->capitem) == -1)
		return NULL;
	it = s->item + s->nitem++;
	memset(it, 0, sizeof(*it));
	it->kind = kind;
	it->family = "";
	return it;
}

/* The signature that part e carries, in any dialect. */
static struct ctx_str
sign_of(const struct ctx_doc *doc, uint32_t e)
{
	static const char *const keys[] = { "signature", "thoughtSignature",
	    "thought_signature", NULL };
	struct ctx_str s = ctx_node_first(doc, e, keys);
	uint32_t v;

	if (s.p == NULL) {
		v = CTX_GET(doc, e, "reasoningContent");
		v = CTX_GET(doc, v, "reasoningText");
		s = ctx_node_str(doc, CTX_GET(doc, v, "signature"));
	}
	if (s.p == NULL) {
		v = CTX_GET(doc, e, "providerOptions");
		v = CTX_GET(doc, v, "anthropic");
		s = ctx_node_str(doc, CTX_GET(doc, v, "signature"));
	}
	if (s.p == NULL) {
		v = CTX_GET(doc, e, "extra_content");
		v = CTX_GET(doc, v, "google");
		s = ctx_node_str(doc, CTX_GET(doc, v, "thought_signature"));
	}
	return s;
}

int
ctx_said_unique(struct ctx_script *s, struct ctx_buf *b, char sep)
{
	struct ctx_seen_id *e;
	size_t base = b->len;

	if ((e = ctx_idset_see(&s->ids, b->data, b->len)) == NULL)
		return -1;
	while (e->uses != 0) {
		b->len = base;
		e = ctx_idset_see(&s->ids, b->data, base);
		if (e == NULL ||
		    ctx_buf_addf(b, "%c%u", sep, ++e->uses) == -1 ||
		    (e = ctx_idset_see(&s->ids, b->data, b->len)) == NULL)
			return -1;
	}
	e->uses = 1;
	return 0;
}

#define ALNUM \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Replace the bytes that not all targets accept. */
static void
make_plain(struct ctx_buf *b)
{
	size_t i;

	for (i = 0; i < b->len; i++)
		if (memchr(ALNUM "_-", b->data[i], 64) == NULL)
			b->data[i] = '_';
}

int
ctx_said_id_fits(unsigned needs, struct ctx_str id)
{
	uint32_t i = 0;

	if (needs & CTX_NEED_NINE) {
		while (i < id.len && memchr(ALNUM, id.p[i], 62) != NULL)
			i++;
		return i == 9 && id.len == 9;
	}
	while (needs & CTX_NEED_PLAIN && i < id.len)
		if (memchr(ALNUM "_-", id.p[i++], 64) == NULL)
			return 0;
	return id.len <= (needs & CTX_NEED_SHORT ? 40u :
	    needs & CTX_NEED_SHORT_64 ? 64u : UINT32_MAX);
}

static uint64_t
hash_of(const struct ctx_buf *b)
{
	uint64_t h = ctx_fnv(CTX_FNV_BEGIN, b->data, b->len);

	return h;
}

/*
 * Make it one of less than 40 bytes that fits: the beginning, and a hash of the whole;
 * or a hash of nine letters and digits.
 */
static void
make_fit(struct ctx_buf *b, unsigned needs)
{
	uint64_t h = hash_of(b);

	if (needs & CTX_NEED_NINE) {
		for (b->len = 0; b->len < 9 && !b->failed; h /= 62)
			ctx_buf_addc(b, ALNUM[h % 62]);
		return;
	}
	if (b->len > 24) {
		b->len = 24;
		while (b->len > 0 &&
		    ((unsigned char)b->data[b->len] & 0xc0) == 0x80)
			b->len--;
	}
	while (b->len > 0 && memchr(b->data, '\\', b->len) != NULL)
		b->len--;
	if (needs & CTX_NEED_PLAIN)
		make_plain(b);
	ctx_buf_addf(b, "_%08x", (unsigned)(h ^ h >> 32));
}

struct ctx_str
ctx_said_fit_id(struct ctx_script *s, struct ctx_str id, unsigned needs)
{
	struct ctx_buf *b = &s->buf;

	ctx_buf_reset(b);
	ctx_buf_add(b, id.p, id.len);
	make_fit(b, needs);
	return b->failed ? (struct ctx_str){ NULL, 0 } :
	    ctx_said_own(s, b->data, b->len);
}

struct ctx_str
ctx_said_tool_name(struct ctx_script *s, struct ctx_str name)
{
	struct ctx_str to = { NULL, 0 };

	s->loss[CTX_L_TOOL_NAME]++;
	ctx_buf_reset(&s->buf);
	ctx_tool_name_make(&s->buf, s->api, name);
	if (!s->buf.failed)
		to = ctx_said_own(s, s->buf.data, s->buf.len);
	ctx_trace_mark(&s->trace, CTX_RENAMED, name.p, to, "tool-name");
	return to;
}

/* Give the tool of a call or result a name that the API takes. */
static int
fit_name(struct ctx_script *s, struct ctx_said *it)
{
	if ((it->kind == CTX_RESULT && it->name.p == NULL) ||
	    ctx_tool_name_is_good(s->api, it->name))
		return 0;
	it->name = ctx_said_tool_name(s, it->name);
	it->same_id = 0;
	return it->name.p == NULL ? -1 : 0;
}

/* The prefix of ids made for a source without ids; of those of nine bytes. */
#define MADE_ID	"ctx_call_"
#define MADE_NINE	"ctx000"

int
ctx_said_made_id(struct ctx_str id)
{
	return (id.len >= sizeof(MADE_ID) && ctx_str_starts(id, MADE_ID)) ||
	    (id.len == 9 && ctx_str_starts(id, MADE_NINE));
}

/*
 * Make an id that the target accepts, without randomness, so that the output is
 * reproducible.
 */
static int
make_id(struct ctx_script *s, struct ctx_said *it, unsigned needs,
    const struct ctx_part *p)
{
	struct ctx_buf *b = &s->buf;

	it->id = p->id;
	it->same_id = 1;
	if (p->id.p == NULL && needs & CTX_NEED_NO_ID)
		return 0;
	if (needs & CTX_NEED_NO_ID && ctx_said_made_id(p->id)) {
		ctx_trace_mark(&s->trace, CTX_RENAMED, p->id.p,
		    (struct ctx_str){ NULL, 0 }, "id");
		it->id.p = NULL;	/* the source had no id */
		it->id.len = 0;
		it->same_id = 0;
		return 0;
	}
	if (p->id.len > 0 && !(needs & (CTX_NEED_PLAIN | CTX_NEED_UNIQUE |
	    CTX_NEED_SHORT | CTX_NEED_SHORT_64 | CTX_NEED_NINE)))
		return 0;
	ctx_buf_reset(b);
	if (p->id.len == 0)
		ctx_buf_addf(b, needs & CTX_NEED_NINE ? MADE_NINE "%03u" :
		    MADE_ID "%u", ++s->invented);
	else
		ctx_buf_add(b, p->id.p, p->id.len);
	if (needs & CTX_NEED_PLAIN)
		make_plain(b);
	if (!b->failed && !ctx_said_id_fits(needs, ctx_str_of(b)))
		make_fit(b, needs);
	if (needs & CTX_NEED_UNIQUE && ctx_said_unique(s, b, '_') == -1)
		return -1;
	if (b->failed)
		return -1;
	if (ctx_str_same(ctx_str_of(b), p->id))
		return 0;
	s->loss[CTX_L_ID] += p->id.len > 0;
	it->same_id = 0;
	it->id = ctx_said_own(s, b->data, b->len);
	ctx_trace_mark(&s->trace, p->id.len > 0 ? CTX_RENAMED : CTX_MADE,
	    p->id.p, it->id, "id");
	return it->id.p == NULL ? -1 : 0;
}

/* The JSON text of a call inside the decoded text of a message. */
static struct ctx_str
find_call(struct ctx_script *s, const char *text, size_t len)
{
	const char *from = strstr(text, "<tool_call>");
	const char *to;

	from = from == NULL ? text : from + 11;
	to = strstr(from, "</tool_call>");
	if (to == NULL || strstr(to, "<tool_call>") != NULL)
		to = text + len;
	return ctx_said_own(s, from, (size_t)(to - from));
}

/*
 * Read a call that is text: {"name":...,"arguments":...}, perhaps in
 * <tool_call>.  Its JSON is decoded into the script's memory.  A text that
 * cannot be read becomes a call of an unknown tool, so that its result has a
 * call.
 */
static int
call_in_text(struct ctx_script *s, struct ctx_said *it)
{
	struct ctx_buf *b = &s->buf;
	struct ctx_str json, name;
	uint32_t args, obj = 0;
	int rc;

	ctx_trace_mark(&s->trace, CTX_REFORMED, it->text.p,
	    (struct ctx_str){ NULL, 0 }, "call");
	it->name.p = "unknown_tool";
	it->name.len = 12;
	it->same_id &= s->api == NULL;	/* an API takes no call without one */
	ctx_buf_reset(b);
	ctx_str_decode(b, it->text.p, it->text.len);
	if (ctx_buf_str(b) == NULL)
		return -1;
	json = find_call(s, b->data, b->len);
	if (json.p == NULL)
		return -1;
	if ((rc = ctx_doc_try(&s->doc, json.p, json.len)) != 1)
		return rc;
	if (ctx_node_type(&s->doc, 0) == '[' && s->doc.n > 1 &&
	    s->doc.node[1].next == s->doc.n)
		obj = 1;		/* a list with one element */
	name = ctx_node_str(&s->doc, CTX_GET(&s->doc, obj, "name"));
	if (name.p == NULL)
		return 0;
	it->name = name;
	args = CTX_GET(&s->doc, obj, "arguments");
	it->text = ctx_node_json(&s->doc, args);
	it->flags |= CTX_RAW;
	if (ctx_node_if(&s->doc, args, '"') != CTX_NONE) {
		it->flags &= ~(unsigned)CTX_RAW;
		it->text = ctx_node_str(&s->doc, args);
	}
	return 0;
}

/* Only Anthropic has documents of plain text: to others that is a text. */
static void
file_as_text(struct ctx_script *s, struct ctx_said *it,
    const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_str text = ctx_attachment_text(doc, node);

	if (ctx_str_blank(text) || (s->home != NULL &&
	    strcmp(s->home->name, it->family) == 0))
		return;
	it->kind = CTX_TEXT;
	it->text = text;
	it->flags &= ~(unsigned)CTX_RAW;
	ctx_trace_mark(&s->trace, CTX_RENAMED, ctx_node_str(doc, CTX_GET(doc,
	    CTX_GET(doc, node, "source"), "media_type")).p,
	    (struct ctx_str){ NULL, 0 }, "form");
}

/* Where one is in a list of values. */
struct place {
	uint32_t list, e;	/* list may be CTX_NONE */
	size_t at;
};

static struct place
begin_list(const struct ctx_doc *doc, uint32_t list)
{
	struct place b = { ctx_node_if(doc, list, '['), list + 1, 0 };

	if (b.list != CTX_NONE)
		b.at = doc->node[list].off + (size_t)1;
	return b;
}

/*
 * Add the numbers and literals in a result's list, up to a node in it, as texts that are
 * their JSON, as elements of a shape that is not known are.
 */
static int
add_bare(struct ctx_script *s, const struct ctx_doc *doc, struct place *b,
    uint32_t node)
{
	struct ctx_said *it;
	struct ctx_str v;
	uint32_t e = b->e;

	while (b->list != CTX_NONE &&
	    ctx_node_each_value(doc, b->list, &b->at, &b->e, &v)) {
		if (b->e != e && e == node)
			return 0;
		if (b->e == e && *v.p != 'n') {	/* null says nothing */
			if ((it = ctx_said_add(s, CTX_TEXT)) == NULL)
				return -1;
			it->flags = CTX_INNER | CTX_RAW;
			it->text = v;
		}
		e = b->e;
	}
	return 0;
}

/* Add the parts in result i, item at, as items. */
static int
add_inner(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t i, uint32_t at)
{
	const struct ctx_part *p = s->c->part;
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[p[i].msg].rec);
	struct place b = begin_list(&doc, CTX_GET(&doc, ctx_said_node(s->c, i),
	    "content"));
	uint32_t k;

	for (k = i + 1; k < s->c->npart && p[k].flags & CTX_INNER &&
	    p[k].msg == p[i].msg; k++) {
		if (p[k].kind == CTX_COPY || plan->drop_part[k])
			continue;
		if (p[k].place[0].list != b.list) {
			if (add_bare(s, &doc, &b, CTX_NONE) == -1)
				return -1;
			b = begin_list(&doc, p[k].place[0].list);
		}
		if (add_bare(s, &doc, &b, p[k].place[0].node) == -1 ||
		    ctx_said_part(s, plan, needs, k) == -1)
			return -1;
		s->item[at].refused |= s->item[s->nitem - 1].refused;
	}
	if (add_bare(s, &doc, &b, CTX_NONE) == -1)
		return -1;
	s->item[at].first = at + 1;
	s->item[at].n = s->nitem - at - 1;
	return 0;
}

/* Add part i as an item, followed by items for what it contains. */
int
ctx_said_part(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t i)
{
	const struct ctx_convo *c = s->c;
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	struct ctx_said *it = ctx_said_add(s, ctx_said_kind(c, i));
	uint32_t at = s->nitem - 1, whole = ctx_said_node(c, i);

	if (it == NULL)
		return -1;
	it->flags = p->flags;
	it->text = ctx_part_text(c, i);
	it->name = p->name;
	it->raw = ctx_node_json(&doc, whole);
	it->family = ctx_script_family(ctx_msg_dialect(c, p->msg));
	it->same_id = 1;
	it->refused = ctx_said_refused(s, c, i);
	if (whole != CTX_NONE && ctx_node_type(&doc, whole) == '{')
		it->sign = sign_of(&doc, whole);
	if (it->kind == CTX_FILE && !(p->flags & CTX_INNER) &&
	    ctx_node_if(&doc, p->place[0].list, '{') != CTX_NONE)
		it->raw = (struct ctx_str){ NULL, 0 };	/* it is no part */
	else if (it->kind == CTX_FILE && whole != CTX_NONE)
		file_as_text(s, it, &doc, whole);
	if (it->kind == CTX_CALL) {
		if (make_id(s, it, needs, p) == -1)
			return -1;
		if (it->name.p == NULL && it->text.p != NULL &&
		    !(p->flags & CTX_RAW) &&
		    call_in_text(s, &s->item[at]) == -1)
			return -1;
	}
	if ((it->kind == CTX_CALL || it->kind == CTX_RESULT) &&
	    fit_name(s, &s->item[at]) == -1)
		return -1;
	return it->kind == CTX_RESULT ? add_inner(s, plan, needs, i, at) : 0;
}

/* Compare the places of parts that a message carries, and their order there. */
static int
by_place(const void *a, const void *b)
{
	const struct ctx_kept *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->part.p < y->part.p ? -1 : x->part.p > y->part.p;
}

/* Add the parts that message m carries for other dialects. */
int
ctx_said_kept(struct ctx_script *s, uint32_t m, uint32_t before)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[m].rec);
	uint32_t list, e, at, i, first = s->nkept;
	struct ctx_kept *k;

	list = CTX_GET(&doc, s->c->msg[m].node, CTX_KEPT);
	CTX_FOR_LIST(&doc, e, list) {
		if (CTX_ROOM(s->kept, s->nkept, &s->capkept) == -1)
			return -1;
		k = s->kept + s->nkept;
		memset(k, 0, sizeof(*k));
		k->from = ctx_node_str(&doc, CTX_GET(&doc, e, "from"));
		k->part = ctx_node_json(&doc, CTX_GET(&doc, e, "part"));
		k->all = ctx_node_json(&doc, e);
		at = CTX_GET(&doc, e, "at");
		for (i = 0; at != CTX_NONE && i < doc.node[at].len && i < 9;
		    i++)
			k->at = k->at * 10 + (uint32_t)(doc.raw[
			    doc.node[at].off + i] - '0');
		k->at += before;
		k->merged = before > 0;
		s->nkept += k->from.p != NULL && k->part.p != NULL;
	}
	if (s->nkept - first > 1)
		qsort(s->kept + first, s->nkept - first, sizeof(*s->kept),
		    by_place);
	return 0;
}

/* Is a node of message m a list of its parts, not of its calls alone? */
static int
is_content(const struct ctx_convo *c, uint32_t m, const struct ctx_doc *doc,
    uint32_t list)
{
	return list != CTX_NONE && list > c->msg[m].node &&
	    ctx_node_is_key(doc, list - 1) &&
	    (ctx_doc_key_is(doc, list - 1, "content", 7) ||
	    ctx_doc_key_is(doc, list - 1, "parts", 5));
}

int
ctx_said_bare(struct ctx_script *s, uint32_t i)
{
	const struct ctx_part *p = &s->c->part[i];
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[p->msg].rec);
	const char *family = ctx_script_family(ctx_msg_dialect(s->c, p->msg));
	struct ctx_str from = { family, (uint32_t)strlen(family) }, v;
	uint32_t list = p->place[0].list, e = list + 1, n;
	size_t at;

	if (p->flags & CTX_INNER || p->place[0].node != e ||
	    !is_content(s->c, p->msg, &doc, list))
		return 0;
	at = doc.node[list].off + 1;
	for (n = 0; ctx_node_each_value(&doc, list, &at, &e, &v); n++) {
		/* null says nothing */
		if (strchr("\"{[n", *v.p) != NULL)
			continue;
		if (CTX_ROOM(s->kept, s->nkept, &s->capkept) == -1)
			return -1;
		s->kept[s->nkept++] = (struct ctx_kept){ .from = from, .at = n,
		    .part = v };
	}
	return 0;
}
