/* SPDX-License-Identifier: MIT */
/* A conversation as steps; see script.h. */
#include "edit/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

const char *const ctx_loss_texts[CTX_L_N] = {
	[CTX_L_CALL] = "calls without a result",
	[CTX_L_RESULT] = "results without a call",
	[CTX_L_THINKING] = "thinking",
	[CTX_L_MEDIA] = "images and files",
	[CTX_L_PART] = "parts that only the source has",
	[CTX_L_EMPTY] = "empty texts",
	[CTX_L_ERROR] = "marks that a tool failed",
	[CTX_L_ARGUMENTS] = "arguments that are no JSON object",
	[CTX_L_ID] = "ids changed",
	[CTX_L_SYSTEM] = "system messages moved to the start",
	[CTX_L_FIRST] = "user messages made to begin with",
	[CTX_L_PARALLEL] = "parallel calls told one by one",
	[CTX_L_BRANCH] = "messages of other branches",
	[CTX_L_NAME] = "names of speakers",
	[CTX_L_TOOLS] = "tools without a definition",
	[CTX_L_SIGN] = "signatures of calls"
};

static void
forget_strings(struct ctx_script *s)
{
	while (s->nown > 0)
		free(s->own[--s->nown]);
}

void
ctx_script_done(struct ctx_script *s)
{
	forget_strings(s);
	free(s->own);
	free(s->step);
	free(s->item);
	free(s->kept);
	free(s->next_msg);
	free(s->step_of);
	free(s->next_res);
	free(s->gone);
	ctx_idset_done(&s->ids);
	ctx_buf_done(&s->buf);
	ctx_doc_done(&s->doc);
	memset(s, 0, sizeof(*s));
}

const char *
ctx_family(const struct ctx_dialect *d)
{
	if (d == NULL)
		return "openai";
	return d->family != NULL ? d->family : d->name;
}

/* A copy of len bytes that lives as long as the script; .p NULL: no memory. */
static struct ctx_str
own(struct ctx_script *s, const char *p, size_t len)
{
	struct ctx_str str = { NULL, 0 };
	char **o = ctx_grow(s->own, s->nown, &s->capown, sizeof(*o)), *q;

	if (o == NULL || (q = malloc(len + 1)) == NULL)
		return str;
	s->own = o;
	memcpy(q, p, len);
	q[len] = '\0';
	s->own[s->nown++] = q;
	str.p = q;
	str.len = (uint32_t)len;
	return str;
}

static struct ctx_str
bytes_of(const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_str s = { NULL, 0 };

	if (node != CTX_NONE) {
		s.p = doc->raw + doc->node[node].off;
		s.len = doc->node[node].len;
	}
	return s;
}

/* --- which messages, in which steps --------------------------------------- */

/* A call and its result in one part: an ordinary pair, told apart. */
static int
is_inline(const struct ctx_convo *c, const struct ctx_part *p)
{
	return p->flags & CTX_SERVER && p->mate != CTX_NONE &&
	    p->place[0].node == c->part[p->mate].place[0].node;
}

/* The kind that part i is told as. */
static enum ctx_kind
kind_of(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i], *call = p;

	if (p->kind == CTX_HOLLOW || p->kind == CTX_COPY)
		return CTX_HOLLOW;
	if (p->kind != CTX_CALL && p->kind != CTX_RESULT)
		return p->kind;
	if (p->flags & CTX_SERVER && !is_inline(c, p))
		return CTX_OTHER;
	if (p->kind == CTX_RESULT && p->mate != CTX_NONE)
		call = &c->part[p->mate];
	if (call->kind == CTX_CALL && call->name.p == NULL &&
	    call->text == CTX_NONE)
		return CTX_OTHER;	/* an approval */
	return p->kind;
}

/* Does part i alone make a message worth telling? */
static int
speaks(const struct ctx_convo *c, const struct ctx_plan *plan, unsigned needs,
    uint32_t i)
{
	struct ctx_str text;

	if (plan->drop_part[i] || c->part[i].flags & CTX_INNER)
		return 0;
	switch (kind_of(c, i)) {
	case CTX_TEXT:
		text = ctx_part_text(c, i);
		/* "" beside calls stands for no text at all */
		if (text.len == 0 && c->msg[c->part[i].msg].npart > 1 &&
		    c->msg[c->part[i].msg].role == CTX_ASSISTANT)
			return 0;
		return !(needs & CTX_NEED_TEXT) || !ctx_str_blank(text);
	case CTX_CALL:
	case CTX_IMAGE:
	case CTX_FILE:
		return 1;
	default:
		return 0;
	}
}

static int
add_step(struct ctx_script *s, enum ctx_role role)
{
	struct ctx_step *st = ctx_grow(s->step, s->nstep, &s->capstep,
	    sizeof(*st));

	if (st == NULL)
		return -1;
	s->step = st;
	st += s->nstep++;
	memset(st, 0, sizeof(*st));
	st->role = role;
	st->msg = st->last_msg = st->res = st->last_res = CTX_NONE;
	return 0;
}

/* Append m to the messages of a step. */
static void
append_msg(struct ctx_script *s, uint32_t step, uint32_t m)
{
	struct ctx_step *st = &s->step[step];

	if (st->last_msg == CTX_NONE)
		st->msg = m;
	else
		s->next_msg[st->last_msg] = m;
	st->last_msg = m;
	s->next_msg[m] = CTX_NONE;
	s->step_of[m] = step;
}

static void
append_result(struct ctx_script *s, uint32_t step, uint32_t part)
{
	struct ctx_step *st = &s->step[step];

	if (st->last_res == CTX_NONE)
		st->res = part;
	else
		s->next_res[st->last_res] = part;
	st->last_res = part;
	s->next_res[part] = CTX_NONE;
}

/* May message m continue the last step? */
static int
continues(const struct ctx_script *s, enum ctx_role role, unsigned needs)
{
	if (s->nstep == 0 || !(needs & CTX_NEED_MERGED))
		return 0;
	return s->step[s->nstep - 1].role == role && role != CTX_SYSTEM &&
	    s->step[s->nstep - 1].res == CTX_NONE;
}

/* The results of message m go to the steps of their calls; 1: it has more. */
static int
add_results(struct ctx_script *s, const struct ctx_plan *plan, uint32_t m)
{
	const struct ctx_convo *c = s->c;
	const struct ctx_part *p;
	uint32_t i, step;
	int other = 0;

	for (i = c->msg[m].part; i < c->msg[m].part + c->msg[m].npart; i++) {
		p = &c->part[i];
		if (p->flags & CTX_INNER)
			continue;
		if (kind_of(c, i) != CTX_RESULT) {
			other |= p->kind != CTX_HOLLOW && p->kind != CTX_COPY;
			continue;
		}
		if (p->mate == CTX_NONE || plan->drop_part[i])
			continue;
		step = s->step_of[c->part[p->mate].msg];
		if (step != CTX_NONE)
			append_result(s, step, i);
	}
	return other;
}

/* Message m into a step, its own or one that it continues. */
static int
place(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t m, uint32_t *assistant)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	enum ctx_role role = msg->role == CTX_TOOL ? CTX_USER : msg->role;
	int says = 0, other = 1, joins;
	uint32_t i;

	joins = role == CTX_ASSISTANT && msg->flags & CTX_JOINED &&
	    *assistant != CTX_NONE;
	if (role == CTX_USER)
		other = add_results(s, plan, m);
	for (i = msg->part; i < msg->part + msg->npart && !says; i++)
		says = speaks(s->c, plan, needs, i);
	/* what only thinks leads on to what joins it */
	if (!says && !joins &&
	    (role != CTX_ASSISTANT || !ctx_msg_thinks(s->c, m))) {
		s->loss[CTX_L_EMPTY] += (uint64_t)(other && msg->npart > 0);
		return 0;
	}
	if (joins) {
		append_msg(s, *assistant, m);
		return 0;
	}
	if (!continues(s, role, needs) && add_step(s, role) == -1)
		return -1;
	append_msg(s, s->nstep - 1, m);
	if (role == CTX_ASSISTANT)
		*assistant = s->nstep - 1;
	return 0;
}

/* The first message that is still sent. */
static uint32_t
first_sent(const struct ctx_convo *c)
{
	uint32_t m = c->nmsg;

	while (m > 0 && !(c->msg[m - 1].flags & CTX_BOUNDARY))
		m--;
	return m > 0 ? m - 1 : 0;
}

static int
prepare(struct ctx_script *s)
{
	const struct ctx_convo *c = s->c;
	uint32_t *n, *o, *r;
	unsigned char *g;

	n = ctx_grow(s->next_msg, c->nmsg, &s->capnext, sizeof(*n));
	if (n != NULL)
		s->next_msg = n;
	o = ctx_grow(s->step_of, c->nmsg, &s->capof, sizeof(*o));
	if (o != NULL)
		s->step_of = o;
	r = ctx_grow(s->next_res, c->npart, &s->capres, sizeof(*r));
	if (r != NULL)
		s->next_res = r;
	g = ctx_grow(s->gone, c->nmsg, &s->capgone, 1);
	if (g != NULL)
		s->gone = g;
	if (n == NULL || o == NULL || r == NULL || g == NULL)
		return -1;
	memset(o, 0xff, c->nmsg * sizeof(*o));
	memset(g, 0, c->nmsg);
	s->nstep = s->nitem = s->nkept = 0;
	s->invented = 0;
	ctx_idset_done(&s->ids);
	forget_strings(s);
	return 0;
}

/* --- items ------------------------------------------------------------------ */

static struct ctx_said *
add_item(struct ctx_script *s, enum ctx_kind kind)
{
	struct ctx_said *it = ctx_grow(s->item, s->nitem, &s->capitem,
	    sizeof(*it));

	if (it == NULL)
		return NULL;
	s->item = it;
	it += s->nitem++;
	memset(it, 0, sizeof(*it));
	it->kind = kind;
	return it;
}

/* The signature that part e carries, in whatever dialect. */
static struct ctx_str
sign_of(const struct ctx_doc *doc, uint32_t e)
{
	static const char *const keys[] = { "signature", "thoughtSignature",
	    "thought_signature" };
	struct ctx_str s = { NULL, 0 };
	uint32_t v;
	size_t i;

	for (i = 0; i < 3 && s.p == NULL; i++)
		s = ctx_node_str(doc, ctx_doc_get(doc, e, keys[i],
		    strlen(keys[i])));
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

/* Make the id in b one that was not used; -1: no memory. */
static int
make_unique(struct ctx_script *s, struct ctx_buf *b)
{
	struct ctx_seen_id *e;
	size_t base = b->len;

	if ((e = ctx_idset_see(&s->ids, b->data, b->len)) == NULL)
		return -1;
	while (e->uses != 0) {
		b->len = base;
		e = ctx_idset_see(&s->ids, b->data, base);
		if (e == NULL || ctx_buf_addf(b, "_%u", ++e->uses) == -1 ||
		    (e = ctx_idset_see(&s->ids, b->data, b->len)) == NULL)
			return -1;
	}
	e->uses = 1;
	return 0;
}

/* Bytes that all take. */
static void
make_plain(struct ctx_buf *b)
{
	size_t i;

	for (i = 0; i < b->len; i++)
		if (memchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
		    "XYZ0123456789_-", b->data[i], 64) == NULL)
			b->data[i] = '_';
}

/* At most 40 bytes: the beginning, and a number for the rest. */
static void
make_short(struct ctx_buf *b)
{
	uint64_t h = 14695981039346656037u;
	size_t i;

	if (b->len <= 40)
		return;
	for (i = 0; i < b->len; i++)
		h = (h ^ (unsigned char)b->data[i]) * 1099511628211u;
	for (b->len = 24; b->len > 0 &&
	    ((unsigned char)b->data[b->len] & 0xc0) == 0x80; b->len--)
		;
	while (b->len > 0 && memchr(b->data, '\\', b->len) != NULL)
		b->len--;
	ctx_buf_addf(b, "_%08x", (unsigned)(h ^ h >> 32));
}

/* How the ids begin that a source without ids is given. */
#define MADE_ID	"ctx_call_"

/* An id for a call that the target takes: no chance, so that it is stable. */
static int
make_id(struct ctx_script *s, struct ctx_said *it, unsigned needs,
    const struct ctx_part *p)
{
	struct ctx_buf *b = &s->buf;

	it->id = p->id;
	it->same_id = 1;
	if (p->id.p == NULL && needs & CTX_NEED_NO_ID)
		return 0;
	if (needs & CTX_NEED_NO_ID && p->id.len >= sizeof(MADE_ID) &&
	    memcmp(p->id.p, MADE_ID, sizeof(MADE_ID) - 1) == 0) {
		it->id.p = NULL;	/* there was none before */
		it->id.len = 0;
		it->same_id = 0;
		return 0;
	}
	if (p->id.len > 0 && !(needs & (CTX_NEED_PLAIN | CTX_NEED_UNIQUE |
	    CTX_NEED_SHORT)))
		return 0;
	ctx_buf_reset(b);
	if (p->id.len == 0)
		ctx_buf_addf(b, MADE_ID "%u", ++s->invented);
	else
		ctx_buf_add(b, p->id.p, p->id.len);
	if (needs & CTX_NEED_PLAIN)
		make_plain(b);
	if (needs & CTX_NEED_SHORT)
		make_short(b);
	if (needs & CTX_NEED_UNIQUE && make_unique(s, b) == -1)
		return -1;
	if (b->failed)
		return -1;
	if (b->len == p->id.len && memcmp(b->data, p->id.p, b->len) == 0)
		return 0;
	s->loss[CTX_L_ID] += p->id.len > 0;
	it->same_id = 0;
	it->id = own(s, b->data, b->len);
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
	return own(s, from, (size_t)(to - from));
}

/*
 * A call that is text: {"name":...,"arguments":...}, perhaps in <tool_call>.
 * Its JSON is decoded into memory of the script's.  What cannot be read so is
 * a call of an unknown tool, so that its result has one.
 */
static int
call_in_text(struct ctx_script *s, struct ctx_said *it)
{
	struct ctx_buf *b = &s->buf;
	struct ctx_str json, name;
	uint32_t args, obj = 0;

	it->name.p = "unknown_tool";
	it->name.len = 12;
	ctx_buf_reset(b);
	ctx_str_decode(b, it->text.p, it->text.len);
	if (ctx_buf_str(b) == NULL)
		return -1;
	json = find_call(s, b->data, b->len);
	if (json.p == NULL)
		return -1;
	if (ctx_doc_scan(&s->doc, json.p, json.len, NULL) == -1)
		return 0;
	if (ctx_node_type(&s->doc, 0) == '[' && s->doc.n > 1 &&
	    s->doc.node[1].next == s->doc.n)
		obj = 1;		/* a list of one */
	name = ctx_node_str(&s->doc, CTX_GET(&s->doc, obj, "name"));
	if (name.p == NULL)
		return 0;
	it->name = name;
	args = CTX_GET(&s->doc, obj, "arguments");
	it->text = bytes_of(&s->doc, args);
	it->flags |= CTX_RAW;
	if (ctx_node_if(&s->doc, args, '"') != CTX_NONE) {
		it->flags &= ~(unsigned)CTX_RAW;
		it->text = ctx_node_str(&s->doc, args);
	}
	return 0;
}

/* Part i as an item; what it holds as items behind it. */
static int
add_part(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t i)
{
	const struct ctx_convo *c = s->c;
	const struct ctx_part *p = &c->part[i];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	struct ctx_said *it = add_item(s, kind_of(c, i));
	uint32_t k, at = s->nitem - 1, whole = p->place[0].node;

	if (it == NULL)
		return -1;
	if (whole == CTX_NONE && p->kind != CTX_TEXT &&
	    i == c->msg[p->msg].part)
		whole = c->msg[p->msg].node;	/* the part is the message */
	it->flags = p->flags;
	it->text = ctx_part_text(c, i);
	it->name = p->name;
	it->raw = bytes_of(&doc, whole);
	it->same_id = 1;
	if (whole != CTX_NONE && ctx_node_type(&doc, whole) == '{')
		it->sign = sign_of(&doc, whole);
	if (it->kind == CTX_CALL) {
		if (make_id(s, it, needs, p) == -1)
			return -1;
		if (it->name.p == NULL && it->text.p != NULL &&
		    !(p->flags & CTX_RAW) &&
		    call_in_text(s, &s->item[at]) == -1)
			return -1;
	}
	if (it->kind != CTX_RESULT)
		return 0;
	for (k = i + 1; k < c->npart && c->part[k].flags & CTX_INNER &&
	    c->part[k].msg == p->msg; k++)
		if (c->part[k].kind != CTX_COPY && !plan->drop_part[k] &&
		    add_part(s, plan, needs, k) == -1)
			return -1;
	s->item[at].first = at + 1;
	s->item[at].n = s->nitem - at - 1;
	return 0;
}

/* The parts that message m carries for other dialects. */
static int
add_kept(struct ctx_script *s, uint32_t m)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[m].rec);
	uint32_t list, e, at, i;
	struct ctx_kept *k;

	list = CTX_GET(&doc, s->c->msg[m].node, CTX_KEPT);
	CTX_FOR_LIST(&doc, e, list) {
		k = ctx_grow(s->kept, s->nkept, &s->capkept, sizeof(*k));
		if (k == NULL)
			return -1;
		s->kept = k;
		k += s->nkept;
		memset(k, 0, sizeof(*k));
		k->from = ctx_node_str(&doc, CTX_GET(&doc, e, "from"));
		k->part = bytes_of(&doc, CTX_GET(&doc, e, "part"));
		k->all = bytes_of(&doc, e);
		at = CTX_GET(&doc, e, "at");
		for (i = 0; at != CTX_NONE && i < doc.node[at].len && i < 9;
		    i++)
			k->at = k->at * 10 + (uint32_t)(doc.raw[
			    doc.node[at].off + i] - '0');
		s->nkept += k->from.p != NULL && k->part.p != NULL;
	}
	return 0;
}

/* --- steps ------------------------------------------------------------------ */

/* The parts of message m that belong to step st. */
static void
range_of(const struct ctx_script *s, const struct ctx_step *st, uint32_t m,
    uint32_t *from, uint32_t *to)
{
	const struct ctx_msg *msg = &s->c->msg[m];

	*from = st->to > 0 ? st->from : msg->part;
	*to = st->to > 0 ? st->to : msg->part + msg->npart;
}

/* A result, with the id and name of its call. */
static int
tell_result(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t i)
{
	uint32_t at = s->nitem;
	struct ctx_said *it, *call;

	if (add_part(s, plan, needs, i) == -1)
		return -1;
	it = &s->item[at];
	call = &s->item[s->next_res[s->c->part[i].mate]];
	call->first = at;
	call->n = 1;
	it->id = call->id;
	it->same_id = call->same_id;
	it->name = call->name;
	return 0;
}

/* Is part i more of a reasoning item whose first part stands for all? */
static int
goes_on(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];

	return p->kind == CTX_THINKING && p->place[0].node == CTX_NONE &&
	    i > c->msg[p->msg].part;
}

/* Part i of a step, if it is to be told. */
static int
tell_part(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    uint32_t i)
{
	enum ctx_kind kind = kind_of(s->c, i);

	if (s->c->part[i].flags & CTX_INNER || plan->drop_part[i] ||
	    kind == CTX_RESULT || kind == CTX_HOLLOW ||
	    goes_on(s->c, i))
		return 0;
	if (kind == CTX_TEXT && !speaks(s->c, plan, needs, i)) {
		s->loss[CTX_L_EMPTY] += ctx_part_text(s->c, i).len > 0;
		return 0;
	}
	if (kind == CTX_CALL)
		s->next_res[i] = s->nitem;
	return add_part(s, plan, needs, i);
}

static int
tell_results(struct ctx_script *s, const struct ctx_plan *plan,
    unsigned needs, const struct ctx_step *st)
{
	const struct ctx_convo *c = s->c;
	uint32_t m, i, from, to;

	for (i = st->res; i != CTX_NONE; i = s->next_res[i])
		if (tell_result(s, plan, needs, i) == -1)
			return -1;
	for (m = st->msg; m != CTX_NONE && c->msg[m].role == CTX_ASSISTANT;
	    m = s->next_msg[m]) {
		range_of(s, st, m, &from, &to);
		for (i = from; i < to; i++)
			if (c->part[i].kind == CTX_RESULT &&
			    !plan->drop_part[i] && is_inline(c, &c->part[i]) &&
			    tell_result(s, plan, needs, i) == -1)
				return -1;
	}
	return 0;
}

static int
tell(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs,
    struct ctx_step *st)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[st->msg].rec);
	uint32_t m, i, from, to;

	st->item = s->nitem;
	st->kept = s->nkept;
	st->name = s->c->msg[st->msg].name;
	st->developer = st->role == CTX_SYSTEM && ctx_node_is(&doc,
	    CTX_GET(&doc, s->c->msg[st->msg].node, "role"), "developer");
	for (m = st->msg; m != CTX_NONE; m = s->next_msg[m]) {
		if (st->from == 0 && add_kept(s, m) == -1)
			return -1;
		range_of(s, st, m, &from, &to);
		for (i = from; i < to; i++)
			if (tell_part(s, plan, needs, i) == -1)
				return -1;
	}
	st->nkept = s->nkept - st->kept;
	st->nitem = s->nitem - st->item;
	st->result = s->nitem;
	if (tell_results(s, plan, needs, st) == -1)
		return -1;
	st->nresult = s->nitem - st->result;
	return 0;
}

/* Does a step say anything, thinking aside? */
static int
is_told(const struct ctx_script *s, const struct ctx_step *st)
{
	uint32_t i;

	for (i = st->item; i < st->item + st->nitem; i++)
		if (s->item[i].kind != CTX_THINKING &&
		    s->item[i].kind != CTX_OTHER)
			return 1;
	return 0;
}

static int
tell_all(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs)
{
	struct ctx_step st;
	uint32_t i, n = 0, k;

	for (i = 0; i < s->nstep; i++) {
		st = s->step[i];
		if (tell(s, plan, needs, &st) == -1)
			return -1;
		if (is_told(s, &st)) {
			s->step[n++] = st;
			continue;
		}
		for (k = st.item; k < st.item + st.nitem; k++)
			s->loss[s->item[k].kind == CTX_THINKING ?
			    CTX_L_THINKING : CTX_L_PART]++;
	}
	s->nstep = n;
	return 0;
}

/* A user's step before an assistant's that would be the first. */
static int
begin_with_user(struct ctx_script *s)
{
	static const char text[] =
	    "[The beginning of this conversation is not included.]";
	struct ctx_step st;
	struct ctx_said *it;
	uint32_t i = 0;

	while (i < s->nstep && s->step[i].role == CTX_SYSTEM)
		i++;
	if (i == s->nstep || s->step[i].role == CTX_USER)
		return 0;
	if (add_step(s, CTX_USER) == -1 ||
	    (it = add_item(s, CTX_TEXT)) == NULL)
		return -1;
	it->text.p = text;
	it->text.len = sizeof(text) - 1;
	st = s->step[s->nstep - 1];
	st.item = s->nitem - 1;
	st.nitem = 1;
	memmove(s->step + i + 1, s->step + i,
	    (s->nstep - 1 - i) * sizeof(st));
	s->step[i] = st;
	s->loss[CTX_L_FIRST]++;
	return 0;
}

/*
 * Steps of a message in which calls have their results inside: what follows
 * results is said after them.
 */
static int
place_inline(struct ctx_script *s, uint32_t m)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	uint32_t i, from = msg->part, end = msg->part + msg->npart;
	int answered = 0;

	for (i = msg->part; i <= end; i++) {
		if (i < end && is_inline(s->c, &s->c->part[i])) {
			answered = 1;
			continue;
		}
		if (i < end && !answered)
			continue;
		if (i > from) {
			if (add_step(s, CTX_ASSISTANT) == -1)
				return -1;
			append_msg(s, s->nstep - 1, m);
			s->step[s->nstep - 1].from = from;
			s->step[s->nstep - 1].to = i;
		}
		from = i;
		answered = 0;
	}
	return 0;
}

static int
has_inline(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	for (i = c->msg[m].part; i < c->msg[m].part + c->msg[m].npart; i++)
		if (is_inline(c, &c->part[i]))
			return 1;
	return 0;
}

static void
count_faults(struct ctx_script *s, const struct ctx_plan *plan)
{
	uint32_t i;

	for (i = 0; i < plan->nfinding; i++) {
		s->loss[CTX_L_CALL] += plan->finding[i].fault ==
		    CTX_F_UNANSWERED;
		s->loss[CTX_L_RESULT] += plan->finding[i].fault ==
		    CTX_F_ORPHAN;
	}
}

/*
 * The messages into steps; of targets with alternating roles the system's
 * before all others, since they stand beside.
 */
static int
place_all(struct ctx_script *s, const struct ctx_plan *plan, unsigned needs)
{
	const struct ctx_convo *c = s->c;
	uint32_t m, assistant = CTX_NONE, first = first_sent(c);
	int pass, system, spoken = 0, rc;

	for (pass = needs & CTX_NEED_MERGED ? 0 : 1; pass < 2; pass++)
		for (m = first; m < c->nmsg; m++) {
			system = c->msg[m].role == CTX_SYSTEM;
			if (plan->drop_msg[m] || s->gone[m] ||
			    (needs & CTX_NEED_MERGED && system == pass)) {
				spoken |= pass == 0 && !system;
				continue;
			}
			s->loss[CTX_L_SYSTEM] += pass == 0 && spoken;
			rc = has_inline(c, m) ? place_inline(s, m) :
			    place(s, plan, needs, m, &assistant);
			if (rc == -1)
				return -1;
		}
	for (m = first; m < c->nmsg; m++)
		s->loss[CTX_L_BRANCH] += s->gone[m];
	return 0;
}

int
ctx_script_read(struct ctx_script *s, const struct ctx_convo *c,
    const struct ctx_plan *plan, unsigned needs, struct ctx_err *err)
{
	s->c = c;
	s->family = ctx_family(c->dialect);
	if (prepare(s) == -1 || (c->dialect != NULL &&
	    c->dialect->branches != NULL &&
	    c->dialect->branches(c, s->gone) == -1) ||
	    place_all(s, plan, needs) == -1)
		return ctx_fail_nomem(err);
	count_faults(s, plan);
	if (tell_all(s, plan, needs) == -1 ||
	    (needs & CTX_NEED_FIRST_USER && begin_with_user(s) == -1))
		return ctx_fail_nomem(err);
	return 0;
}
