/* SPDX-License-Identifier: MIT */
/* A history as people read it; see scene.h. */
#include "show/scene.h"

#include <stdlib.h>
#include <string.h>

#include "decide/pair.h"
#include "edit/attachment.h"
#include "read/spell.h"
#include "view/dialect.h"
#include "view/media.h"

/* Of a conversation. */
struct thread {
	uint64_t no;
	uint64_t turn;
};

/*
 * A string, decoded: where it is in a buffer that may move until the message is
 * whole.
 */
struct piece {
	size_t at;
	uint32_t len;
	int is;			/* there is one */
};

struct draft {
	struct piece id, name, text, type, data, url;
};

struct scene {
	struct ctx_job job;
	struct ctx_scene_opts opts;
	struct ctx_pairer pairer;
	uint64_t messages, conversations;

	/* the current message */
	struct ctx_shown_part *part;
	struct draft *draft;		/* the strings of each */
	size_t npart, cappart, capdraft;
	struct piece key, side, speaker;
	struct ctx_buf text;
	struct ctx_doc inside;		/* of a call's text */
};

/* Begin a string at the end of the buffer, and end it there. */
static struct piece
begin_piece(const struct scene *s)
{
	return (struct piece){ s->text.len, 0, 1 };
}

static void
end_piece(const struct scene *s, struct piece *p)
{
	p->len = (uint32_t)(s->text.len - p->at);
}

/* The string, once the buffer does not move any more. */
static struct ctx_str
str_of(const struct scene *s, struct piece p)
{
	if (!p.is)
		return (struct ctx_str){ NULL, 0 };
	return (struct ctx_str){ p.len == 0 ? "" : s->text.data + p.at,
	    p.len };
}

static struct piece
keep(struct scene *s, struct ctx_str from)
{
	struct piece p;

	if (from.p == NULL)
		return (struct piece){ 0, 0, 0 };
	p = begin_piece(s);
	ctx_str_decode(&s->text, from.p, from.len);
	end_piece(s, &p);
	return p;
}

static int
is_inner_text(const struct ctx_part *p)
{
	return p->flags & CTX_INNER && p->kind == CTX_TEXT;
}

/* Add a value of a document that has more lines than one as a text has it. */
static void
add_value(struct scene *s, struct ctx_str json)
{
	struct ctx_buf flat = { 0 };

	ctx_line_flat(&flat, json.p, json.len);
	ctx_spell_plain(&s->text, ctx_str_of(&flat));
	s->text.failed |= flat.failed;
	ctx_buf_done(&flat);
}

/* Keep the text of part i, of a result with all texts in it. */
static struct piece
keep_text(struct scene *s, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_msg *m = &c->msg[c->part[i].msg];
	uint32_t k = i, end = m->part + m->npart;
	struct piece p = { 0, 0, 0 };

	do {
		struct ctx_str text = ctx_part_text(c, k);

		if (text.p == NULL || (k > i && !is_inner_text(&c->part[k])))
			continue;
		if (!p.is)
			p = begin_piece(s);
		else if (s->text.len > p.at)
			ctx_buf_addc(&s->text, '\n');
		if (c->part[k].flags & CTX_RAW)
			add_value(s, text);
		else
			ctx_str_decode(&s->text, text.p, text.len);
	} while (c->part[i].kind == CTX_RESULT && ++k < end &&
	    c->part[k].flags & CTX_INNER);
	if (p.is)
		end_piece(s, &p);
	return p;
}

/* The element of part i; if it is the only one, its message. */
static uint32_t
element_of(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];

	return p->place[0].node != CTX_NONE ? p->place[0].node :
	    c->msg[p->msg].node;
}

/* Keep it as JSON on one line. */
static struct piece
keep_json(struct scene *s, const struct ctx_convo *c, uint32_t i)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);
	struct piece p = begin_piece(s);

	ctx_spell_spaced(&s->text, ctx_node_json(&doc, element_of(c, i)));
	end_piece(s, &p);
	s->part[s->npart - 1].flags |= CTX_RAW;
	return p;
}

/* Read image or file i.  Returns 0, or -1 if out of memory. */
static int
read_media(struct ctx_attachment *a, const struct ctx_convo *c, uint32_t i,
    const struct ctx_doc *doc, struct ctx_respelled *plain)
{
	uint32_t node = c->part[i].place[0].node;
	struct ctx_media m;
	int rc = 0;

	if (node != CTX_NONE)
		rc = ctx_attachment_read(a, doc, node, plain);
	if (rc != 0 || ctx_attachment_text(doc, node).p != NULL)
		return rc == -1 ? -1 : 0;
	if (ctx_media_find(c, i, &m, plain) == -1)
		return -1;
	if (m.form == CTX_MEDIA_LINK)
		a->url = m.data;
	else if (m.form != CTX_MEDIA_NONE)
		a->data = m.data;
	a->type = m.type;
	if (a->data.p == NULL && a->url.p == NULL)
		a->url = ctx_attachment_id(doc, node);
	return 0;
}

static int
keep_media(struct scene *s, struct draft *to, const struct ctx_convo *c,
    uint32_t i)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);
	uint32_t node = c->part[i].place[0].node;
	struct ctx_respelled plain = { 0 };
	struct ctx_attachment a = { 0 };
	int rc = read_media(&a, c, i, &doc, &plain);

	to->name = keep(s, a.name);
	to->type = keep(s, a.type);
	to->data = keep(s, a.data);
	if (a.data.p == NULL)
		to->url = keep(s, a.url);
	ctx_respelled_done(&plain);
	if (rc == -1 || a.data.p != NULL || a.url.p != NULL)
		return rc;
	to->text = keep(s, ctx_attachment_text(&doc, node));
	if (!to->text.is)
		to->text = keep_json(s, c, i);
	return 0;
}

/* The name of the tool of part i, or of its call. */
static struct ctx_str
tool_of(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];

	return p->name.p == NULL && p->kind == CTX_RESULT &&
	    p->mate != CTX_NONE ? c->part[p->mate].name : p->name;
}

/*
 * Of a call whose text has its name, {"name":"ls","arguments":{}}, take the name
 * and the arguments apart.
 */
static int
divide_call(struct scene *s, struct draft *to, struct ctx_err *err)
{
	uint32_t name, args;
	struct ctx_str in;
	int is;

	if (to->name.is || !to->text.is || s->text.failed)
		return 0;
	is = ctx_doc_try(&s->inside, s->text.data + to->text.at, to->text.len);
	if (is != 1)
		return is == 0 ? 0 : ctx_fail_nomem(err);
	name = ctx_doc_get(&s->inside, 0, "name", 4);
	args = ctx_doc_get(&s->inside, 0, "arguments", 9);
	in = ctx_node_str(&s->inside, name);
	if (in.p == NULL || args == CTX_NONE || memchr(in.p, '\\', in.len))
		return 0;
	to->name = (struct piece){ to->text.at +
	    s->inside.node[name].off + 1, in.len, 1 };
	to->text = (struct piece){ to->text.at + s->inside.node[args].off,
	    s->inside.node[args].len, 1 };
	return 0;
}

/*
 * Keep part i, which has no text because no other dialect has its like, as it is
 * spelled; a call or result that names no tool by its type.
 */
static void
keep_other(struct scene *s, struct draft *to, const struct ctx_convo *c,
    uint32_t i)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);

	if (c->part[i].kind != CTX_OTHER && !to->name.is)
		to->name = keep(s, ctx_node_str(&doc, CTX_GET(&doc,
		    element_of(c, i), "type")));
	to->text = keep_json(s, c, i);
}

/* Add part i, which is no text of a result. */
static int
add_part(struct scene *s, const struct ctx_convo *c, uint32_t i,
    struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	struct draft *to;

	if (CTX_ROOM(s->part, s->npart, &s->cappart) == -1 ||
	    CTX_ROOM(s->draft, s->npart, &s->capdraft) == -1)
		return ctx_fail_nomem(err);
	s->part[s->npart] = (struct ctx_shown_part){ .kind = p->kind,
	    .flags = p->flags };
	to = &s->draft[s->npart++];
	memset(to, 0, sizeof(*to));
	if (p->kind == CTX_IMAGE || p->kind == CTX_FILE) {
		return keep_media(s, to, c, i) == -1 ? ctx_fail_nomem(err) : 0;
	}
	to->id = keep(s, p->id);
	to->name = keep(s, tool_of(c, i));
	to->text = keep_text(s, c, i);
	if (!to->text.is && (p->kind == CTX_OTHER || p->flags & CTX_NO_TOOL))
		keep_other(s, to, c, i);
	return p->kind == CTX_CALL ? divide_call(s, to, err) : 0;
}

/* Fill s->part, but for the strings, which are in s->draft. */
static int
read_parts(struct scene *s, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	size_t result = SIZE_MAX;
	uint64_t tokens = 0;
	uint32_t i;

	s->npart = 0;
	CTX_FOR_PARTS(c, m, i) {
		const struct ctx_part *p = &c->part[i];

		if (p->kind == CTX_HOLLOW || p->kind == CTX_COPY)
			continue;
		if ((!is_inner_text(p) || result == SIZE_MAX) &&
		    add_part(s, c, i, err) == -1)
			return -1;
		if (s->opts.cost != NULL &&
		    ctx_cost_part(s->opts.cost, c, i, &tokens, err) == -1)
			return -1;
		if (p->flags & CTX_INNER && result != SIZE_MAX)
			s->part[result].tokens += tokens;
		else
			result = p->kind == CTX_RESULT ? s->npart - 1 :
			    SIZE_MAX;
		if (!is_inner_text(p))
			s->part[s->npart - 1].tokens += tokens;
	}
	return 0;
}

/* --- messages ------------------------------------------------------------ */

/* What message m is, besides its parts. */
static void
read_head(struct scene *s, const struct ctx_convo *c, uint32_t m,
    struct thread *t, struct ctx_shown *out)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_rec *rec = &c->rec[msg->rec];
	enum ctx_whose words;

	if (t->no == 0)
		t->no = ++s->conversations;
	words = ctx_dialect_whose(c, m);
	out->begins = words == CTX_WHOSE_TYPED;
	out->own = words == CTX_WHOSE_OWN && !(msg->flags & CTX_SUMMARY);
	t->turn += (uint64_t)out->begins;
	out->no = ++s->messages;
	out->turn = t->turn;
	out->conversation = t->no;
	out->line = rec->line;
	out->role = msg->role;
	out->flags = msg->flags;
	out->json.p = rec->raw + c->doc.node[msg->node].off;
	out->json.len = c->doc.node[msg->node].len;
	s->side = keep(s, rec->thread);
	s->speaker = keep(s, msg->name);
}

/* Point at the strings, which stay where they are from now on. */
static void
settle(const struct scene *s, struct ctx_shown *out)
{
	size_t i;

	out->key = str_of(s, s->key);
	out->side = str_of(s, s->side);
	out->speaker = str_of(s, s->speaker);
	for (i = 0; i < s->npart; i++) {
		const struct draft *from = &s->draft[i];
		struct ctx_shown_part *to = &s->part[i];

		to->id = str_of(s, from->id);
		to->name = str_of(s, from->name);
		to->text = str_of(s, from->text);
		to->type = str_of(s, from->type);
		to->data = str_of(s, from->data);
		to->url = str_of(s, from->url);
	}
	out->part = s->part;
	out->npart = s->npart;
}

static int
is_blank(struct ctx_str text)
{
	uint32_t i;

	for (i = 0; i < text.len; i++)
		if (strchr(" \t\r\n", text.p[i]) == NULL || text.p[i] == '\0')
			return 0;
	return 1;
}

int
ctx_scene_is_results(const struct ctx_shown *m)
{
	size_t i;

	for (i = 0; i < m->npart; i++)
		if (m->part[i].kind != CTX_RESULT &&
		    !(m->part[i].flags & CTX_INNER))
			return 0;
	return m->npart > 0;
}

const char *
ctx_scene_note(const struct ctx_shown *m)
{
	return m->flags & CTX_SUMMARY ? " (summary)" :
	    m->own ? " (by the program)" : "";
}

struct ctx_str
ctx_scene_tool(const struct ctx_shown_part *p)
{
	static const char none[] = "(unknown tool)";

	return p->name.len > 0 ? p->name :
	    (struct ctx_str){ none, sizeof(none) - 1 };
}

int
ctx_scene_is_empty(const struct ctx_shown *m, const struct ctx_shown_part *p)
{
	return p->text.len == 0 && (p + 1 == m->part + m->npart ||
	    !(p[1].flags & CTX_INNER));
}

/*
 * What to say in the place of message m, unless it says something.  A log that
 * writes a record again as it grows has copies in the first one.
 */
static const char *
nothing_of(const struct scene *s, const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	int again = 0, hidden = 0;
	uint32_t i;
	size_t k;

	for (k = 0; k < s->npart; k++) {
		const struct ctx_shown_part *p = &s->part[k];

		if ((p->kind != CTX_TEXT && p->kind != CTX_THINKING) ||
		    !is_blank(p->text))
			return NULL;
		hidden |= p->kind == CTX_THINKING;
	}
	if (s->npart > 0)
		return hidden ? "(hidden reasoning)" : "(blank)";
	CTX_FOR_PARTS(c, m, i)
		again |= c->part[i].kind == CTX_COPY;
	again |= m + 1 < c->nmsg && msg->join.p != NULL &&
	    msg[1].join.p != NULL && ctx_str_same(msg->join, msg[1].join);
	return again ? "(written again below)" : "(nothing)";
}

static int
show_msg(struct scene *s, const struct ctx_turn *turn, uint32_t m,
    struct thread *t, struct ctx_err *err)
{
	const struct ctx_strand *strand = turn->strand;
	const struct ctx_convo *c = turn->convo;
	struct ctx_shown out = { 0 };

	ctx_buf_reset(&s->text);
	s->key = (struct piece){ 0, 0, strand != NULL && strand->keylen > 0 };
	if (s->key.is) {
		ctx_buf_add(&s->text, strand->key, strand->keylen);
		end_piece(s, &s->key);
	}
	read_head(s, c, m, t, &out);
	if (read_parts(s, c, m, err) == -1 ||
	    (s->opts.cost != NULL && ctx_cost_msg(s->opts.cost, c, m,
	    &out.tokens, err) == -1) ||
	    ctx_buf_fail(&s->text, err) == -1)
		return -1;
	settle(s, &out);
	out.nothing = nothing_of(s, c, m);
	return s->opts.message(s->opts.arg, &out, err);
}

/* --- what a request cost ------------------------------------------------- */

static void
put_usage(const struct scene *s, const struct ctx_convo *c, uint32_t rec,
    uint32_t node)
{
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	struct ctx_usage usage;

	if (node == CTX_NONE)
		return;
	usage = ctx_usage_read(&doc, node);
	s->opts.usage(s->opts.arg, &usage);
}

/* Pass on what records from *rec to end say of the answer before them. */
static void
put_usages(const struct scene *s, const struct ctx_convo *c, uint32_t *rec,
    uint32_t end)
{
	struct ctx_str model = { NULL, 0 };

	for (; *rec < end; ++*rec)
		if (s->opts.usage != NULL && c->rec[*rec].nmsg == 0)
			put_usage(s, c, *rec, ctx_usage_of_rec(c, *rec,
			    &model));
}

static void
put_usage_of_msg(const struct scene *s, const struct ctx_convo *c, uint32_t m)
{
	struct ctx_str model = { NULL, 0 };

	if (s->opts.usage != NULL && c->msg[m].role == CTX_ASSISTANT)
		put_usage(s, c, c->msg[m].rec, ctx_usage_of_msg(c, m, &model));
}

/* --- turns --------------------------------------------------------------- */

static int
scene_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_convo *c = turn->convo;
	struct thread one = { 0 }, *t = &one;
	struct scene *s = job;
	uint32_t m, rec = 0;

	if (c->nmsg == 0) {
		put_usages(s, c, &rec, c->nrec);
		return 0;
	}
	if (turn->strand != NULL) {
		if (turn->strand->state == NULL &&
		    (turn->strand->state = calloc(1, sizeof(*t))) == NULL)
			return ctx_fail_nomem(err);
		t = turn->strand->state;
	}
	if (ctx_pair(&s->pairer, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++) {
		put_usages(s, c, &rec, c->msg[m].rec);
		if (show_msg(s, turn, m, t, err) == -1)
			return -1;
		put_usage_of_msg(s, c, m);
	}
	put_usages(s, c, &rec, c->nrec);
	return 0;
}

/* A turn of which nothing is missing is shown at once. */
static int
scene_complete(struct ctx_convo *open, void *job)
{
	struct scene *s = job;
	struct ctx_err ignored = { 0 };

	if (ctx_pair(&s->pairer, open, &ignored) == -1)
		return 0;
	return ctx_pair_complete(open);
}

static void
scene_done(struct ctx_job *job)
{
	struct scene *s = (struct scene *)job;

	ctx_pairer_done(&s->pairer);
	ctx_buf_done(&s->text);
	ctx_doc_done(&s->inside);
	free(s->part);
	free(s->draft);
}

static const struct ctx_job_kind kind = {
	.turn = scene_turn,
	.complete = scene_complete,
	.free_state = free,
	.done = scene_done
};

struct ctx_job *
ctx_scene_new(const struct ctx_scene_opts *opts, struct ctx_err *err)
{
	struct scene *s = ctx_job_new(sizeof(*s), &kind, err);

	if (s == NULL)
		return NULL;
	s->opts = *opts;
	s->job.turns.branch = opts->follow ? CTX_BRANCH_ANY : CTX_BRANCH_LAST;
	return &s->job;
}
