/* SPDX-License-Identifier: MIT */
/* Storage of a conversation; see convo.h. */
#include "view/convo.h"

#include <stdlib.h>
#include <string.h>

#include "read/spell.h"

const char *
ctx_msg_role_name(enum ctx_role role)
{
	static const char *const names[] = { "system", "user", "assistant",
	    "tool" };

	return names[role];
}

void
ctx_convo_reset(struct ctx_convo *c)
{
	uint32_t i;

	for (i = 0; i < c->nrec; i++)
		ctx_block_drop(c->rec[i].block);
	for (i = 0; i < c->nspelled; i++)
		free((char *)c->spelled[i].own.p);
	c->nrec = c->nmsg = c->npart = c->nodd = c->nbeside = c->ntie = 0;
	c->nspelled = c->nuntil = 0;
	c->doc.n = 0;
	c->doc.escapes = 0;
}

void
ctx_convo_done(struct ctx_convo *c)
{
	ctx_convo_reset(c);
	free(c->rec);
	free(c->msg);
	free(c->part);
	free(c->odd);
	free(c->beside);
	free(c->tie);
	free(c->spelled);
	free(c->until);
	ctx_doc_done(&c->doc);
	memset(c, 0, sizeof(*c));
}

/* Shrink an array to n elements.  If that fails, it stays as it is. */
static void *
fit(void *array, size_t n, size_t *cap, size_t size)
{
	void *p;

	if (n == 0) {
		free(array);
		*cap = 0;
		return NULL;
	}
	if (n == *cap || (p = realloc(array, n * size)) == NULL)
		return array;
	*cap = n;
	return p;
}

void
ctx_convo_fit(struct ctx_convo *c)
{
	c->rec = fit(c->rec, c->nrec, &c->caprec, sizeof(*c->rec));
	c->msg = fit(c->msg, c->nmsg, &c->capmsg, sizeof(*c->msg));
	c->part = fit(c->part, c->npart, &c->cappart, sizeof(*c->part));
	c->odd = fit(c->odd, c->nodd, &c->capodd, sizeof(*c->odd));
	c->doc.node = fit(c->doc.node, c->doc.n, &c->doc.cap,
	    sizeof(*c->doc.node));
}

/* Give s its shortest spelling, which c owns if the record has another. */
static int
spell(struct ctx_convo *c, struct ctx_str *s)
{
	struct ctx_buf text = { 0 };

	if (ctx_spell_is_plain(*s))
		return 0;
	if (CTX_ROOM(c->spelled, c->nspelled, &c->capspelled) == -1)
		return -1;
	ctx_spell_plain(&text, *s);
	if (text.failed) {
		ctx_buf_done(&text);
		return -1;
	}
	c->spelled[c->nspelled] = (struct ctx_spelled){ ctx_str_of(&text), *s };
	*s = c->spelled[c->nspelled++].own;
	return 0;
}

int
ctx_convo_spell(struct ctx_convo *c)
{
	uint32_t i;

	for (i = 0; i < c->npart; i++)
		if (c->part[i].id.len > 0 && spell(c, &c->part[i].id) == -1)
			return -1;
	return 0;
}

/* Move s, unless it is not in the record r. */
static void
rebase(struct ctx_str *s, const struct ctx_rec *r, const char *to)
{
	if (s->p != NULL && s->p >= r->raw && s->p < r->raw + r->len)
		s->p = to + (s->p - r->raw);
}

void
ctx_convo_rebase(struct ctx_convo *c, const char *raw)
{
	struct ctx_rec *r = &c->rec[0];
	uint32_t i;

	rebase(&r->thread, r, raw);
	for (i = 0; i < c->nmsg; i++) {
		rebase(&c->msg[i].name, r, raw);
		rebase(&c->msg[i].join, r, raw);
	}
	for (i = 0; i < c->npart; i++) {
		rebase(&c->part[i].id, r, raw);
		rebase(&c->part[i].name, r, raw);
	}
	for (i = 0; i < c->nspelled; i++)
		rebase(&c->spelled[i].source, r, raw);
	r->raw = raw;
}

static void
shift(uint32_t *node, uint32_t by)
{
	if (*node != CTX_NONE)
		*node += by;
}

/* The counts in a conversation, by which appended indexes are moved. */
struct size {
	uint32_t rec, msg, part, node;
};

/* Reserve memory for src's elements, so that a failure changes neither. */
static int
make_room(struct ctx_convo *dst, const struct ctx_convo *src)
{
	if (CTX_ROOM(dst->rec, dst->nrec + src->nrec, &dst->caprec) == -1 ||
	    CTX_ROOM(dst->msg, dst->nmsg + src->nmsg, &dst->capmsg) == -1 ||
	    CTX_ROOM(dst->part, dst->npart + src->npart, &dst->cappart) == -1 ||
	    (src->nodd > 0 && CTX_ROOM(dst->odd, dst->nodd + src->nodd,
	    &dst->capodd) == -1) ||
	    (src->nspelled > 0 && CTX_ROOM(dst->spelled,
	    dst->nspelled + src->nspelled, &dst->capspelled) == -1) ||
	    CTX_ROOM(dst->doc.node, dst->doc.n + (size_t)src->doc.n,
	    &dst->doc.cap) == -1)
		return -1;
	return 0;
}

static void
take_nodes(struct ctx_doc *dst, const struct ctx_doc *src)
{
	struct ctx_node *n = dst->node + dst->n;
	uint32_t i;

	for (i = 0; i < src->n; i++) {
		n[i] = src->node[i];
		n[i].next += dst->n;
	}
	dst->n += src->n;
	dst->escapes |= src->escapes;
}

static void
take_recs(struct ctx_convo *dst, const struct ctx_convo *src,
    const struct size *by)
{
	struct ctx_rec *r = dst->rec + dst->nrec;
	uint32_t i;

	for (i = 0; i < src->nrec; i++, r++) {
		*r = src->rec[i];
		shift(&r->root, by->node);
		shift(&r->list, by->node);
		shift(&r->request, by->node);
		r->msg += by->msg;
	}
	dst->nrec += src->nrec;
}

static void
take_msgs(struct ctx_convo *dst, const struct ctx_convo *src,
    const struct size *by)
{
	struct ctx_msg *m = dst->msg + dst->nmsg;
	uint32_t i;

	for (i = 0; i < src->nmsg; i++, m++) {
		*m = src->msg[i];
		m->rec += by->rec;
		shift(&m->node, by->node);
		shift(&m->elem, by->node);
		shift(&m->list, by->node);
		shift(&m->host, by->node);
		shift(&m->content, by->node);
		m->part += by->part;
	}
	dst->nmsg += src->nmsg;
}

static void
take_parts(struct ctx_convo *dst, const struct ctx_convo *src,
    const struct size *by)
{
	struct ctx_part *p = dst->part + dst->npart;
	uint32_t i, k;

	for (i = 0; i < src->npart; i++, p++) {
		*p = src->part[i];
		p->msg += by->msg;
		shift(&p->mate, by->part);
		shift(&p->idnode, by->node);
		shift(&p->text, by->node);
		shift(&p->asks, by->node);
		for (k = 0; k < 2; k++) {
			shift(&p->place[k].node, by->node);
			shift(&p->place[k].list, by->node);
		}
	}
	dst->npart += src->npart;
}

static void
take_spelled(struct ctx_convo *dst, struct ctx_convo *src)
{
	uint32_t i;

	for (i = 0; i < src->nspelled; i++)
		dst->spelled[dst->nspelled++] = src->spelled[i];
	src->nspelled = 0;
}

static void
take_odd(struct ctx_convo *dst, const struct ctx_convo *src,
    const struct size *by)
{
	uint32_t i;

	for (i = 0; i < src->nodd; i++)
		dst->odd[dst->nodd++] = (struct ctx_odd){
		    src->odd[i].rec + by->rec, src->odd[i].node + by->node };
}

int
ctx_convo_take(struct ctx_convo *dst, struct ctx_convo *src)
{
	struct size by = { dst->nrec, dst->nmsg, dst->npart, dst->doc.n };

	if (make_room(dst, src) == -1)
		return -1;
	take_nodes(&dst->doc, &src->doc);
	take_recs(dst, src, &by);
	take_msgs(dst, src, &by);
	take_parts(dst, src, &by);
	take_odd(dst, src, &by);
	take_spelled(dst, src);
	dst->dialect = src->dialect;
	src->nrec = 0;		/* the blocks belong to dst now */
	ctx_convo_reset(src);
	return 0;
}

int
ctx_convo_add_odd(struct ctx_convo *c, uint32_t node)
{
	if (CTX_ROOM(c->odd, c->nodd, &c->capodd) == -1)
		return -1;
	c->odd[c->nodd++] = (struct ctx_odd){ 0, node };
	return 0;
}

struct ctx_rec *
ctx_convo_add_rec(struct ctx_convo *c)
{
	struct ctx_rec *r;

	if (CTX_ROOM(c->rec, c->nrec, &c->caprec) == -1)
		return NULL;
	r = c->rec + c->nrec++;
	memset(r, 0, sizeof(*r));
	r->root = r->list = r->request = CTX_NONE;
	r->msg = c->nmsg;
	return r;
}

struct ctx_msg *
ctx_convo_add_msg(struct ctx_convo *c, enum ctx_role role, uint32_t node,
    uint32_t content)
{
	struct ctx_msg *m;

	if (CTX_ROOM(c->msg, c->nmsg, &c->capmsg) == -1)
		return NULL;
	m = c->msg + c->nmsg++;
	memset(m, 0, sizeof(*m));
	m->role = role;
	m->rec = c->nrec - 1;
	m->node = node;
	m->content = content;
	m->elem = m->list = m->host = CTX_NONE;
	m->part = c->npart;
	c->rec[m->rec].nmsg++;
	return m;
}

struct ctx_part *
ctx_convo_add_part(struct ctx_convo *c, enum ctx_kind kind)
{
	struct ctx_part *p;

	if (CTX_ROOM(c->part, c->npart, &c->cappart) == -1)
		return NULL;
	p = c->part + c->npart++;
	memset(p, 0, sizeof(*p));
	p->kind = kind;
	p->msg = c->nmsg - 1;
	p->mate = p->idnode = p->text = p->asks = CTX_NONE;
	p->place[0].node = p->place[1].node = CTX_NONE;
	p->place[0].list = p->place[1].list = CTX_NONE;
	c->msg[p->msg].npart++;
	return p;
}

struct ctx_part *
ctx_convo_put_part(struct ctx_convo *c, enum ctx_kind kind, uint32_t list,
    uint32_t e)
{
	struct ctx_part *p = ctx_convo_add_part(c, kind);

	if (p != NULL) {
		p->place[0].node = e;
		p->place[0].list = list;
	}
	return p;
}

int
ctx_convo_put_json(struct ctx_convo *c, const struct ctx_doc *doc,
    uint32_t list, uint32_t e, uint32_t value)
{
	struct ctx_part *p = ctx_convo_put_part(c, CTX_TEXT, list, e);

	if (p == NULL)
		return -1;
	p->flags = CTX_INNER;
	ctx_part_set_value(p, doc, value);
	return ctx_node_type(doc, value) == '"' ? 0 :
	    ctx_convo_put_copies(c, doc, value);
}

int
ctx_convo_put_copies(struct ctx_convo *c, const struct ctx_doc *doc,
    uint32_t node)
{
	uint32_t i;

	if (node == CTX_NONE)
		return 0;
	for (i = node; i < doc->node[node].next; i++) {
		if (ctx_node_type(doc, i) != '"' || ctx_node_is_key(doc, i))
			continue;
		if (ctx_convo_put_copy(c, i) == -1)
			return -1;
	}
	return 0;
}

int
ctx_convo_put_copy(struct ctx_convo *c, uint32_t node)
{
	struct ctx_part *p = ctx_convo_add_part(c, CTX_COPY);

	if (p == NULL)
		return -1;
	p->flags = CTX_INNER;
	p->text = node;
	return 0;
}

int
ctx_convo_put_text(struct ctx_convo *c, uint32_t node)
{
	struct ctx_part *p = ctx_convo_add_part(c, CTX_TEXT);

	if (p == NULL)
		return -1;
	p->text = node;
	return 0;
}

void
ctx_part_set_id(struct ctx_part *p, const struct ctx_doc *doc, uint32_t node)
{
	p->idnode = ctx_node_if(doc, node, '"');
	p->id = ctx_node_str(doc, p->idnode);
}

void
ctx_part_set_value(struct ctx_part *p, const struct ctx_doc *doc,
    uint32_t node)
{
	node = ctx_node_given(doc, node);
	p->text = node;
	if (node != CTX_NONE && ctx_node_type(doc, node) != '"')
		p->flags |= CTX_RAW;
}

int
ctx_part_inline(const struct ctx_convo *c, const struct ctx_part *p)
{
	return p->flags & CTX_SERVER && p->mate != CTX_NONE &&
	    p->place[0].node == c->part[p->mate].place[0].node;
}

uint32_t
ctx_msg_compacted(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint32_t i;

	for (i = msg->part + msg->npart; i-- > msg->part;)
		if (c->part[i].flags & CTX_COMPACTED)
			return i;
	return CTX_NONE;
}

int
ctx_msg_sealed(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	if (!(c->msg[m].flags & CTX_SUMMARY))
		return 0;
	i = ctx_msg_compacted(c, m);
	return i != CTX_NONE && c->part[i].flags & CTX_SIGNED;
}

int
ctx_convo_traced(const struct ctx_convo *c)
{
	return c->nrec == 1 && c->rec[0].shape == CTX_REC_CONVERSATION &&
	    (c->rec[0].request != CTX_NONE ||
	    (c->nmsg > 0 && c->msg[c->nmsg - 1].flags & CTX_ANSWER));
}

int
ctx_msg_thinks(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint32_t i;

	for (i = msg->part; i < msg->part + msg->npart; i++)
		if (c->part[i].kind != CTX_THINKING)
			return 0;
	return msg->npart > 0;
}

uint32_t
ctx_convo_sent(const struct ctx_convo *c)
{
	uint32_t m;

	for (m = c->nmsg; m > 0 && !(c->msg[m - 1].flags & CTX_BOUNDARY); m--)
		;
	return m > 0 ? m - 1 : 0;
}

int
ctx_convo_replaces(const struct ctx_convo *c, uint32_t m)
{
	const unsigned list = CTX_AS_LINE | CTX_BOUNDARY;
	const struct ctx_msg *msg = &c->msg[m];

	return (msg->flags & list) == list && (m > 0 || (c->nbeside > 0 &&
	    (c->beside[0].rec < msg->rec || (c->beside[0].rec == msg->rec &&
	    c->beside[0].node < msg->elem))));
}
