/* SPDX-License-Identifier: MIT */
/* Messages that are already in the target's dialect; see own.h. */
#include "edit/own.h"

#include <string.h>

#include "edit/own_fix.h"
#include "edit/said.h"

/* --- which messages ------------------------------------------------ */

/* Is message m of d, in an envelope of another program's? */
static int
is_wrapped(const struct ctx_convo *c, uint32_t m, const struct ctx_dialect *d)
{
	const struct ctx_dialect *of = c->rec[c->msg[m].rec].dialect;

	return of != NULL && of != d && of->wraps == d;
}

/*
 * The node that is written for message m: with others in it, if they share it.
 */
static uint32_t
unit_of(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_rec *r = &c->rec[msg->rec];

	if (r->dialect != NULL && r->dialect->wraps != NULL)
		return msg->node;
	return ctx_convo_unit(c, m);
}

int
ctx_own_begins(const struct ctx_convo *c, uint32_t m)
{
	return m == 0 || c->msg[m - 1].rec != c->msg[m].rec ||
	    unit_of(c, m - 1) != unit_of(c, m);
}

int
ctx_own_kept(const struct ctx_convo *c, uint32_t m,
    const struct ctx_dialect *own)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t list = CTX_GET(&doc, c->msg[m].node, CTX_KEPT), e, from;

	CTX_FOR_LIST(&doc, e, list) {
		from = CTX_GET(&doc, e, "from");
		if (CTX_GET(&doc, e, "part") != CTX_NONE && (own != NULL ?
		    ctx_node_is(&doc, from, own->name) :
		    ctx_node_str(&doc, from).p != NULL))
			return 1;
	}
	return 0;
}

/* Has object e a member that the target's API does not take? */
static int
has_refused(const struct ctx_script *s, const struct ctx_doc *doc, uint32_t e)
{
	struct ctx_taker in;
	uint32_t k;

	if (s->plain)
		CTX_FOR_KEYS(doc, k, e)
			if (!ctx_takes_key(&s->taker, doc, e, k, &in))
				return 1;
	return 0;
}

/* Is part i, which is refused, left out of its message by the table alone? */
static int
is_taken_out(const struct ctx_script *s, const struct ctx_convo *c, uint32_t i)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);
	struct ctx_taker in = ctx_takes_in(&s->taker, "content");
	uint32_t node = ctx_said_node(c, i);

	return c->part[i].kind != CTX_CALL &&
	    (ctx_node_is_key(&doc, node - 1) ||
	    !ctx_takes_object(&in, &doc, node));
}

/*
 * Has message m a part that the target's API does not take and that must be told, or
 * nothing besides parts that it does not take?
 */
static int
is_refused(const struct ctx_script *s, const struct ctx_convo *c, uint32_t m)
{
	uint32_t i, n = 0;

	if (s->taker.takes == NULL)
		return 0;
	CTX_FOR_PARTS(c, m, i)
		if (ctx_said_refused(s, c, i)) {
			if (!is_taken_out(s, c, i))
				return 1;
			n++;
		}
	return n > 0 && n == c->msg[m].npart;
}

/* Has message m a call in a list of calls, or its result, without an id? */
static int
lacks_id(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_part *p, *call;
	uint32_t i;

	CTX_FOR_PARTS(c, m, i) {
		p = call = &c->part[i];
		if (p->kind == CTX_RESULT && p->mate != CTX_NONE)
			call = &c->part[p->mate];
		if (call->kind == CTX_CALL && call->flags & CTX_LIST_GOES &&
		    (call->id.p == NULL || p->id.p == NULL))
			return 1;
	}
	return 0;
}

/* Has message m a call of no tool, which no API takes? */
static int
lacks_name(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (c->part[i].kind == CTX_CALL && c->part[i].name.p == NULL &&
		    !(c->part[i].flags & (CTX_SERVER | CTX_NO_TOOL)))
			return 1;
	return 0;
}

/*
 * Has message m what only a program's session file has where Anthropic has
 * blocks: a result that is a list of other things, or a prompt of another name?
 */
static int
is_informal(const struct ctx_convo *c, const struct ctx_doc *doc, uint32_t m)
{
	const struct ctx_part *p;
	uint32_t i;

	if (c->msg[m].flags & CTX_FIXED)
		return ctx_doc_key_is(doc, c->msg[m].node - 1, "system_prompt",
		    13);
	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (p->kind == CTX_RESULT && p->flags & CTX_RAW &&
		    !(p->flags & CTX_SERVER))
			return 1;
	}
	return 0;
}

static int
is_own(const struct ctx_script *s, const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_dialect *of = c->rec[c->msg[m].rec].dialect;
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	struct ctx_shape shape;

	/* what is beside the list, and not in the record itself, is not there */
	if (c->msg[m].flags & CTX_FIXED && (c->msg[m].flags & CTX_ANSWER ||
	    ctx_convo_traced(c)))
		return 0;
	if (of != s->home) {
		if (!is_wrapped(c, m, s->home) && (of != NULL ||
		    ctx_dialect_of(s->first) != s->home))
			return 0;
		/* an undecided line, or perhaps not an item */
		ctx_shape_of(&shape, &doc, unit_of(c, m));
		if (s->home->match(&shape, &doc) < CTX_MATCH_MAYBE ||
		    has_refused(s, &doc, unit_of(c, m)))
			return 0;
	}
	if (s->is_current != NULL && !s->is_current(&doc, c->msg[m].node))
		return 0;
	if (is_refused(s, c, m) || (s->needs_id && lacks_id(c, m)) ||
	    (s->api != NULL && lacks_name(c, m)) ||
	    (s->home == &ctx_dialect_anthropic && s->taker.takes != NULL &&
	    is_informal(c, &doc, m)))
		return 0;
	/* an API gets something in the place of what has nothing else */
	return !ctx_own_kept(c, m, s->api != NULL && c->msg[m].npart == 0 ?
	    NULL : s->home);
}

/* Find the dialect of the lines at the beginning that fit several. */
static void
find_first(struct ctx_script *s, const struct ctx_convo *c)
{
	uint32_t r = 0;

	while (r < c->nrec && c->rec[r].dialect == NULL)
		r++;
	s->first = r < c->nrec ? c->rec[r].dialect : c->dialect;
}

int
ctx_own_all(struct ctx_script *s, const struct ctx_convo *c)
{
	uint32_t m;

	find_first(s, c);
	s->all_own = 1;
	for (m = 0; m < c->nmsg && s->all_own; m++)
		s->all_own = !is_wrapped(c, m, s->home) && is_own(s, c, m);
	return s->all_own;
}

/* --- fates ---------------------------------------------------------- */

/* Does plan change message m? */
static int
is_touched(const struct ctx_plan *plan, const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	if (plan->drop_msg[m])
		return 1;
	CTX_FOR_PARTS(c, m, i)
		if (plan->drop_part[i] || plan->front_part[i] ||
		    ctx_plan_swapped(plan, i, 1) != NULL)
			return 1;
	return 0;
}

/* Has message m a tool's name, or a call's id, that the API refuses? */
static int
has_misnamed(const struct ctx_script *s, const struct ctx_convo *c, uint32_t m,
    unsigned needs)
{
	const struct ctx_part *p;
	uint32_t i;

	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (ctx_own_misnamed(s, p) || (p->kind == CTX_CALL &&
		    !(p->flags & CTX_SERVER) && p->id.p != NULL &&
		    !ctx_said_id_fits(needs, p->id)))
			return 1;
	}
	return 0;
}

static int
has_links(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (c->part[i].kind == CTX_CALL || c->part[i].kind ==
		    CTX_RESULT)
			return 1;
	return 0;
}

/* Does plan move messages of turn t?  *at is where its order begins. */
static int
is_moved(const struct ctx_plan *plan, const struct ctx_span_of_turn *t,
    uint32_t *at)
{
	uint32_t next = t->from, entry;
	int moved = 0;

	for (; *at < plan->norder; ++*at) {
		entry = plan->order[*at];
		if (entry & CTX_INSERTED)
			continue;
		if (entry >= t->end)
			break;
		moved |= entry != next++;
	}
	return moved;
}

/*
 * Mark the messages of a turn.  A call and its results go the same way: if one
 * of them is in another dialect, or must change, all are told.  touched: its
 * messages change places.
 */
static void
mark_turn(struct ctx_script *s, const struct ctx_plan *plan,
    const struct ctx_span_of_turn *t, unsigned needs, int touched)
{
	const struct ctx_convo *c = s->c;
	int foreign = 0;
	uint32_t m;

	for (m = t->from; m < t->end; m++) {
		if (s->fate[m] == CTX_GONE)
			continue;
		if (is_own(s, c, m) && !has_misnamed(s, c, m, needs) &&
		    !(needs & CTX_NEED_FILLED && ctx_own_hollow(c, m)))
			s->fate[m] = CTX_AS_IS;
		else
			foreign |= has_links(c, m);
		touched |= plan->changed && is_touched(plan, c, m);
	}
	for (m = t->from; m < t->end; m++)
		if (s->fate[m] == CTX_AS_IS && (touched || (foreign &&
		    has_links(c, m))))
			s->fate[m] = CTX_TOLD;
}

/* Does message m have anything besides texts? */
static int
is_more_than_text(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (c->part[i].kind != CTX_TEXT)
			return 1;
	return 0;
}

/*
 * Decide about system messages.  Those at the beginning are written beside the
 * messages where there is a place for them, others where the target allows
 * them.  The system prompt itself can only stay if no other joins it.
 */
static void
mark_system(struct ctx_script *s, unsigned needs)
{
	const struct ctx_convo *c = s->c;
	uint32_t m, fixed = CTX_NONE;
	int begun = 0, told = 0;

	for (m = 0; m < c->nmsg; m++) {
		if (c->msg[m].flags & CTX_ANSWER)
			continue;
		if (c->msg[m].flags & CTX_FIXED)
			fixed = m;
		else if (c->msg[m].role != CTX_SYSTEM)
			begun = 1;
		else if (needs & CTX_NEED_MERGED && (begun ?
		    needs & CTX_NEED_HEAD && !is_more_than_text(c, m) :
		    s->inside && fixed == CTX_NONE))
			s->fate[m] = CTX_TOLD;
		told |= m != fixed && c->msg[m].role == CTX_SYSTEM &&
		    s->fate[m] == CTX_TOLD;
	}
	if (fixed != CTX_NONE && told && needs & CTX_NEED_MERGED)
		s->fate[fixed] = CTX_TOLD;
}

/* Messages that share an element are told if one of them is. */
static void
mark_units(struct ctx_script *s)
{
	uint32_t m, k, end;
	int told;

	for (m = 0; m < s->c->nmsg; m = end) {
		told = s->fate[m] != CTX_AS_IS;
		for (end = m + 1; end < s->c->nmsg &&
		    !ctx_own_begins(s->c, end); end++)
			told |= s->fate[end] != CTX_AS_IS;
		for (k = m; k < end && told; k++)
			if (s->fate[k] == CTX_AS_IS)
				s->fate[k] = CTX_TOLD;
	}
}

/* Is any record in the target's dialect, or in none for certain? */
static int
has_own(const struct ctx_script *s)
{
	const struct ctx_dialect *of;
	uint32_t r;

	for (r = 0; r < s->c->nrec; r++) {
		of = s->c->rec[r].dialect;
		if (of == s->home || (of == NULL ? s->first == NULL ||
		    s->first == s->home : of->wraps == s->home))
			return 1;
	}
	return 0;
}

void
ctx_own_mark(struct ctx_script *s, const struct ctx_plan *plan,
    unsigned needs)
{
	struct ctx_span_of_turn t;
	uint32_t from, at = 0;

	find_first(s, s->c);
	if (!has_own(s))
		return;
	for (from = 0; ctx_pair_bounds(s->c, from, &t); from = t.end)
		mark_turn(s, plan, &t, needs, is_moved(plan, &t, &at));
	mark_system(s, needs);
	mark_units(s);
}

int
ctx_own_says(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (!ctx_str_blank(ctx_part_text(c, i)))
			return 1;
	return 0;
}

/* --- writing -------------------------------------------------------- */

/* Is key the member that tells conversations apart? */
static int
is_by(const struct ctx_writer *w, const struct ctx_doc *doc, uint32_t key)
{
	return w->by != NULL && ctx_doc_key_is(doc, key, w->by,
	    strlen(w->by));
}

/* Is the key that of a member that is not written? */
static int
is_out(const struct ctx_writer *w, const struct ctx_doc *doc, uint32_t key)
{
	if (w->request && ctx_doc_key_is(doc, key, CTX_KEPT,
	    sizeof(CTX_KEPT) - 1))
		return 1;
	/* of an answer, what is null says nothing */
	if (w->s->plain && ctx_node_type(doc, key + 1) == 'n' &&
	    !ctx_doc_key_is(doc, key, "content", 7))
		return 1;
	return !w->lines && is_by(w, doc, key);
}

/*
 * Which members of object must not be written?  Returns their number, and
 * whether it has the member that tells conversations apart in *by.
 */
static uint32_t
count_out(const struct ctx_writer *w, const struct ctx_doc *doc,
    uint32_t object, int *by)
{
	uint32_t k, n = 0;

	*by = 0;
	CTX_FOR_KEYS(doc, k, object) {
		*by |= is_by(w, doc, k);
		n += is_out(w, doc, k);
	}
	return n + !ctx_takes_all(&w->s->taker, doc, object);
}

/* Count what other dialects kept in a message, if it is not written. */
static void
count_kept(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t object)
{
	uint32_t list = CTX_NONE, e;

	if (w->request)
		list = CTX_GET(doc, object, CTX_KEPT);
	CTX_FOR_LIST(doc, e, list)
		ctx_script_lose(w->s, ctx_node_json(doc, CTX_GET(doc, e,
		    "part") != CTX_NONE ? CTX_GET(doc, e, "part") : e));
}

static void
put_members(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t object)
{
	struct ctx_taker in;
	uint32_t k, n = 0;

	CTX_FOR_KEYS(doc, k, object) {
		if (is_out(w, doc, k) ||
		    !ctx_takes_key(&w->s->taker, doc, object, k, &in))
			continue;
		if (n++ > 0)
			ctx_put(w, ",");
		ctx_put_json(w, ctx_node_json(doc, k));
		ctx_put(w, ":");
		ctx_put_taken(w, &in, doc, k + 1);
	}
}

/* Count the parts of message m that are not taken. */
static void
count_refused(struct ctx_writer *w, uint32_t m)
{
	const struct ctx_convo *c = w->s->c;
	uint32_t i;

	if (w->s->taker.takes == NULL)
		return;
	CTX_FOR_PARTS(c, m, i) {
		if (!ctx_said_refused(w->s, c, i))
			continue;
		if (c->part[i].kind == CTX_THINKING)
			w->s->loss[CTX_L_THINKING]++;
		else if (c->part[i].kind == CTX_OTHER)
			ctx_script_lose(w->s, ctx_said_json(c, i));
		else
			w->s->loss[CTX_L_MEDIA]++;
	}
}

/* Write an object of the list as it is. */
static void
put_object(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t object)
{
	struct ctx_str json = ctx_node_json(doc, object);
	int by, out = count_out(w, doc, object, &by) > 0;

	count_kept(w, doc, object);
	if (!out && (by || !w->lines || w->by_len == 0)) {
		if (w->nmsg++ > 0 && !w->lines)
			ctx_put(w, ",");
		ctx_put_json(w, json);
	} else {
		if (by && w->lines) {
			w->nmsg++;
			ctx_put(w, "{");
		} else
			ctx_put_begin(w);
		put_members(w, doc, object);
		ctx_put(w, "}");
	}
	if (w->lines)
		ctx_put(w, "\n");
}

/*
 * Write the elements of a conversation's list from node e on up to the next
 * message: items of a type that is not known here.  They are not written as
 * lines, among which they would be no records of this dialect.
 */
static void
put_riders(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t e,
    uint32_t end)
{
	struct ctx_taker taker = w->s->taker;
	struct ctx_shape s;
	enum ctx_match fit;

	for (; e < end; e = doc->node[e].next) {
		if (ctx_node_type(doc, e) != '{')
			continue;
		ctx_shape_of(&s, doc, e);
		fit = w->s->home->match(&s, doc);
		if (fit == CTX_MATCH_NOT && w->lines)
			continue;
		if (fit == CTX_MATCH_NOT) {	/* whatever it is, it is whole */
			w->s->odd_kept++;
			w->s->taker.takes = NULL;
		}
		if (!w->request || fit != CTX_MATCH_ASIDE)
			put_object(w, doc, e);
		w->s->taker = taker;
	}
}

/* Write a system prompt that was beside the messages as a message. */
static void
put_system(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t parts = CTX_GET(doc, node, "parts");
	int list;

	if (parts != CTX_NONE)
		node = parts;
	list = w->t->system_parts != NULL && ctx_node_type(doc, node) != '[';
	ctx_put_begin(w);
	ctx_put(w, w->t->system);
	if (list)
		ctx_put(w, ctx_node_type(doc, node) == '"' ?
		    w->t->system_parts : "[");
	ctx_put_json(w, ctx_node_json(doc, node));
	if (list)
		ctx_put(w, ctx_node_type(doc, node) == '"' ? "}]" : "]");
	ctx_put_end(w);
}

void
ctx_own_put(struct ctx_writer *w, uint32_t m)
{
	const struct ctx_convo *c = w->s->c;
	const struct ctx_rec *r = &c->rec[c->msg[m].rec];
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t unit = unit_of(c, m), next = m, list = r->list, end = CTX_NONE;

	while (next < c->nmsg && c->msg[next].rec == c->msg[m].rec &&
	    unit_of(c, next) == unit)
		count_refused(w, next++);
	if (c->msg[m].flags & CTX_FIXED) {
		put_system(w, &doc, c->msg[m].node);
		return;
	}
	if (list == CTX_NONE) {
		put_object(w, &doc, unit);
		return;
	}
	if (unit == list) {	/* a string in place of the list */
		ctx_put_begin(w);
		ctx_put(w, "\"role\":\"user\",\"content\":");
		ctx_put_json(w, ctx_node_json(&doc, unit));
		ctx_put_end(w);
		return;
	}
	if (m == 0 || c->msg[m - 1].flags & CTX_FIXED)
		put_riders(w, &doc, list + 1, unit);
	put_object(w, &doc, unit);
	if (next < c->nmsg)
		end = unit_of(c, next);
	put_riders(w, &doc, doc.node[unit].next, end != CTX_NONE ? end :
	    doc.node[list].next);
}
