/* SPDX-License-Identifier: MIT */
/* A history as people read it; see scene.h. */
#include "show/scene.h"

#include <stdlib.h>
#include <string.h>

#include "decide/pair.h"
#include "edit/attachment.h"
#include "view/media.h"

/* Of a conversation. */
struct thread {
	uint64_t no;
	uint64_t turn;
};

struct scene {
	struct ctx_job job;
	struct ctx_scene_opts opts;
	struct ctx_pairer pairer;
	uint64_t messages, conversations;

	/* the current message; its strings are offsets until it is whole */
	struct ctx_shown_part *part;
	size_t npart, cappart;
	struct ctx_buf text;
	struct ctx_doc inside;		/* of a call's text */
};

/*
 * Strings that are decoded lie in a buffer that may move, so that they are kept
 * as offsets in it, plus 1, until the message is whole.
 */
static void
begin_str(const struct scene *s, struct ctx_str *to)
{
	to->p = (const char *)(uintptr_t)(s->text.len + 1);
	to->len = 0;
}

static void
end_str(const struct scene *s, struct ctx_str *to)
{
	to->len = (uint32_t)(s->text.len + 1 - (uintptr_t)to->p);
}

static void
settle_str(const struct scene *s, struct ctx_str *str)
{
	if (str->p != NULL)
		str->p = s->text.len == 0 ? "" :
		    s->text.data + ((uintptr_t)str->p - 1);
}

/* Append the contents of a string, decoded unless raw is set. */
static void
add_text(struct scene *s, struct ctx_str from, int raw)
{
	if (raw)
		ctx_buf_add(&s->text, from.p, from.len);
	else
		ctx_str_decode(&s->text, from.p, from.len);
}

static void
keep(struct scene *s, struct ctx_str *to, struct ctx_str from, int raw)
{
	if (from.p == NULL)
		return;
	begin_str(s, to);
	add_text(s, from, raw);
	end_str(s, to);
}

static int
is_inner_text(const struct ctx_part *p)
{
	return p->flags & CTX_INNER && p->kind == CTX_TEXT;
}

/* Keep the text of part i, of a result with all texts in it. */
static void
keep_text(struct scene *s, struct ctx_shown_part *to,
    const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_msg *m = &c->msg[c->part[i].msg];
	uint32_t k = i, end = m->part + m->npart;
	int begun = 0;

	do {
		struct ctx_str text = ctx_part_text(c, k);

		if (text.p == NULL || (k > i && !is_inner_text(&c->part[k])))
			continue;
		if (!begun)
			begin_str(s, &to->text);
		else if (s->text.len + 1 > (uintptr_t)to->text.p)
			ctx_buf_addc(&s->text, '\n');
		begun = 1;
		add_text(s, text, c->part[k].flags & CTX_RAW);
	} while (to->kind == CTX_RESULT && ++k < end &&
	    c->part[k].flags & CTX_INNER);
	if (begun)
		end_str(s, &to->text);
}

static void
keep_media(struct scene *s, struct ctx_shown_part *to,
    const struct ctx_convo *c, uint32_t i)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);
	uint32_t node = c->part[i].place[0].node;
	struct ctx_attachment a = { 0 };
	struct ctx_media m;

	if (node == CTX_NONE || !ctx_attachment_read(&a, &doc, node)) {
		ctx_media_find(c, i, &m);
		if (m.form == CTX_MEDIA_LINK)
			a.url = m.data;
		else
			a.data = m.data;
		a.type = m.type;
	}
	keep(s, &to->name, a.name, 0);
	keep(s, &to->type, a.type, 0);
	keep(s, &to->data, a.data, 0);
	if (a.data.p == NULL)
		keep(s, &to->url, a.url, 0);
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
divide_call(struct scene *s, struct ctx_shown_part *to, struct ctx_err *err)
{
	uint32_t name, args;
	struct ctx_str in;
	size_t from;
	int is;

	if (to->kind != CTX_CALL || to->name.p != NULL || to->text.p == NULL ||
	    s->text.failed)
		return 0;
	from = (uintptr_t)to->text.p - 1;
	is = ctx_doc_try(&s->inside, s->text.data + from, to->text.len);
	if (is != 1)
		return is == 0 ? 0 : ctx_fail_nomem(err);
	name = ctx_doc_get(&s->inside, 0, "name", 4);
	args = ctx_doc_get(&s->inside, 0, "arguments", 9);
	in = ctx_node_str(&s->inside, name);
	if (in.p == NULL || args == CTX_NONE || memchr(in.p, '\\', in.len))
		return 0;
	to->name.p = (const char *)(uintptr_t)(from +
	    s->inside.node[name].off + 2);
	to->name.len = in.len;
	to->text.p = (const char *)(uintptr_t)(from +
	    s->inside.node[args].off + 1);
	to->text.len = s->inside.node[args].len;
	return 0;
}

/* Add part i, which is no text of a result. */
static int
add_part(struct scene *s, const struct ctx_convo *c, uint32_t i,
    struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[i];
	struct ctx_shown_part *to;

	if (CTX_ROOM(s->part, s->npart, &s->cappart) == -1)
		return ctx_fail_nomem(err);
	to = &s->part[s->npart++];
	memset(to, 0, sizeof(*to));
	to->kind = p->kind;
	to->flags = p->flags;
	if (p->kind == CTX_IMAGE || p->kind == CTX_FILE) {
		keep_media(s, to, c, i);
		return 0;
	}
	keep(s, &to->id, p->id, 0);
	keep(s, &to->name, tool_of(c, i), 0);
	keep_text(s, to, c, i);
	return divide_call(s, to, err);
}

/* Fill s->part; the strings are offsets. */
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

/* Has message m words of the user's own? */
static int
has_words(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	if (c->msg[m].role != CTX_USER)
		return 0;
	CTX_FOR_PARTS(c, m, i)
		if (!(c->part[i].flags & CTX_INNER) &&
		    c->part[i].kind != CTX_RESULT &&
		    c->part[i].kind != CTX_HOLLOW &&
		    c->part[i].kind != CTX_COPY)
			return 1;
	return 0;
}

/* What message m is, besides its parts. */
static void
read_head(struct scene *s, const struct ctx_convo *c, uint32_t m,
    struct thread *t, struct ctx_shown *out)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_rec *rec = &c->rec[msg->rec];

	if (t->no == 0)
		t->no = ++s->conversations;
	out->begins = has_words(c, m);
	t->turn += (uint64_t)out->begins;
	out->no = ++s->messages;
	out->turn = t->turn;
	out->conversation = t->no;
	out->line = rec->line;
	out->role = msg->role;
	out->flags = msg->flags;
	out->json.p = rec->raw + c->doc.node[msg->node].off;
	out->json.len = c->doc.node[msg->node].len;
	keep(s, &out->side, rec->thread, 0);
	keep(s, &out->speaker, msg->name, 0);
}

static void
settle(const struct scene *s, struct ctx_shown *out)
{
	size_t i;

	settle_str(s, &out->key);
	settle_str(s, &out->side);
	settle_str(s, &out->speaker);
	for (i = 0; i < s->npart; i++) {
		settle_str(s, &s->part[i].id);
		settle_str(s, &s->part[i].name);
		settle_str(s, &s->part[i].text);
		settle_str(s, &s->part[i].type);
		settle_str(s, &s->part[i].data);
		settle_str(s, &s->part[i].url);
	}
	out->part = s->part;
	out->npart = s->npart;
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

static int
show_msg(struct scene *s, const struct ctx_turn *turn, uint32_t m,
    struct thread *t, struct ctx_err *err)
{
	const struct ctx_strand *strand = turn->strand;
	const struct ctx_convo *c = turn->convo;
	struct ctx_shown out = { 0 };

	ctx_buf_reset(&s->text);
	if (strand != NULL && strand->keylen > 0) {
		begin_str(s, &out.key);
		ctx_buf_add(&s->text, strand->key, strand->keylen);
		end_str(s, &out.key);
	}
	read_head(s, c, m, t, &out);
	if (read_parts(s, c, m, err) == -1 ||
	    (s->opts.cost != NULL && ctx_cost_msg(s->opts.cost, c, m,
	    &out.tokens, err) == -1) ||
	    ctx_buf_fail(&s->text, err) == -1)
		return -1;
	settle(s, &out);
	return s->opts.message(s->opts.arg, &out, err);
}

static int
scene_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_convo *c = turn->convo;
	struct thread one = { 0 }, *t = &one;
	struct scene *s = job;
	uint32_t m;

	if (c->nmsg == 0)
		return 0;
	if (turn->strand != NULL) {
		if (turn->strand->state == NULL &&
		    (turn->strand->state = calloc(1, sizeof(*t))) == NULL)
			return ctx_fail_nomem(err);
		t = turn->strand->state;
	}
	if (ctx_pair(&s->pairer, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++)
		if (show_msg(s, turn, m, t, err) == -1)
			return -1;
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
