/* SPDX-License-Identifier: MIT */
/* Old tool results and reasoning: what of them goes. */
#include "decide/lean_impl.h"

#include <string.h>

#include "decide/clear.h"
#include "decide/group.h"

static int
is_among(struct ctx_str name, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (name.p != NULL && ctx_str_equal(name.p, name.len,
		    list[i], strlen(list[i])))
			return 1;
	return 0;
}

int
ctx_lean_is_chosen(const struct ctx_lean_step *s, struct ctx_str tool)
{
	const struct ctx_lean_opts *o = s->o;

	return (o->ntool == 0 || is_among(tool, o->tool, o->ntool)) &&
	    !is_among(tool, o->exclude, o->nexclude);
}

int
ctx_lean_counts(const struct ctx_lean_opts *o)
{
	return o->pace.when > 0 || o->pace.down_to > 0 || o->pace.least > 0 ||
	    o->keep_tokens > 0;
}

int
ctx_lean_tokens(const struct ctx_lean_step *s, uint32_t p, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_str text = ctx_part_text(s->c, p);

	*n = 0;
	if (text.p == NULL || s->c->part[p].kind == CTX_COPY)
		return 0;
	return s->o->count(s->o->arg, text, 0, n, NULL, err);
}

/* Set the tokens of all messages, without what is dropped. */
static int
count_all(const struct ctx_lean_step *s, struct ctx_err *err)
{
	uint64_t n;
	uint32_t p, of = 0;

	for (p = 0; p < s->c->npart; p++) {
		if (!(s->c->part[p].flags & CTX_INNER))
			of = p;
		if (ctx_lean_is_gone(s, p, of) || ctx_lean_is_note(s, of))
			continue;
		if (ctx_lean_tokens(s, p, &n, err) == -1)
			return -1;
		s->l->pace.tokens[s->c->part[p].msg] += n;
	}
	return 0;
}

int
ctx_lean_begin_old(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_pace_opts *o = &s->o->pace;

	if (ctx_lean_measure(s, err) == -1)
		return -1;
	return o->when > 0 || o->down_to > 0 ? count_all(s, err) : 0;
}

uint32_t
ctx_lean_result_end(const struct ctx_convo *c, uint32_t p)
{
	do {
		p++;
	} while (p < c->npart && (c->part[p].flags & CTX_INNER ||
	    c->part[p].kind == CTX_COPY));
	return p;
}

/* Set the fate of result p and its inner texts. */
static int
set_fate(struct ctx_lean_step *s, uint32_t p, int fate, struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	uint32_t mate = part->mate;
	struct ctx_seen_id *id;

	if (part->id.p != NULL) {
		id = ctx_idset_see(&s->l->fates, part->id.p, part->id.len);
		if (id == NULL)
			return ctx_fail_nomem(err);
		id->uses = (unsigned)fate;
	}
	memset(s->l->fate + p, fate, ctx_lean_result_end(s->c, p) - p);
	if (fate == LEAN_OLD && s->o->clear_inputs && mate != CTX_NONE)
		s->l->fate[mate] = LEAN_OLD;
	return 0;
}

/* What repeats a result may be in another place than it. */
static int
set_fates_of_copies(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part;
	const struct ctx_seen_id *id;
	uint32_t p;

	for (p = 0; p < s->c->npart; p++) {
		part = &s->c->part[p];
		if (part->kind != CTX_COPY || part->id.p == NULL)
			continue;
		id = ctx_idset_see(&s->l->fates, part->id.p, part->id.len);
		if (id == NULL)
			return ctx_fail_nomem(err);
		s->l->fate[p] |= (unsigned char)id->uses;
	}
	return 0;
}

/* Count the tokens of an old text; the same as before if it stays so. */
static int
count_old(struct ctx_lean_step *s, struct ctx_str text, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf *b = &s->l->spare;
	int rc;

	if (s->o->clear) {
		ctx_buf_reset(b);
		if ((rc = ctx_clear_note(b, s->o->notes, text,
		    s->o->keep ? LEAN_NO_HASH : NULL)) == -1)
			return ctx_fail_nomem(err);
	} else if ((rc = ctx_lean_shortens(s, text, err)) == -1) {
		return -1;
	}
	return s->o->count(s->o->arg, rc == 1 ? ctx_str_of(b) : text, 0, n,
	    NULL, err);
}

/* What text i gains when it is old. */
static int
add_gain(struct ctx_lean_step *s, struct ctx_pace_item *it, uint32_t i,
    struct ctx_err *err)
{
	struct ctx_str text = ctx_part_text(s->c, i);
	uint64_t n, after, gain;

	if (text.p == NULL || !ctx_lean_alterable(s, i))
		return 0;
	if (s->o->pace.step > 0) {
		if (ctx_lean_gain(s, i, &gain, err) == -1)
			return -1;
		it->gain += gain;
	}
	if (!ctx_lean_counts(s->o))
		return 0;
	if (ctx_lean_tokens(s, i, &n, err) == -1 ||
	    count_old(s, text, &after, err) == -1)
		return -1;
	if (after > n)
		after = n;
	it->size += n;
	it->saves += n - after;
	/* at the end, the limits are for the history as it was read */
	it->tokens += s->o->pace.step > 0 ? n - after : n;
	return 0;
}

int
ctx_lean_says_none(const struct ctx_lean_step *s, uint32_t p)
{
	uint32_t end = ctx_lean_result_end(s->c, p);
	struct ctx_str text = { NULL, 0 };

	for (; p < end && text.p == NULL; p++)
		text = ctx_part_text(s->c, p);
	return text.p != NULL && ctx_clear_is_none(s->o->notes, text);
}

/* Add all results that may be old at some time. */
static int
add_results(struct ctx_lean_step *s, struct ctx_err *err)
{
	struct ctx_pace_item *it;
	uint32_t p, i, end;

	for (p = 0; p < s->c->npart; p++) {
		if (s->c->part[p].kind != CTX_RESULT ||
		    ctx_lean_is_gone(s, p, p))
			continue;
		if (!ctx_lean_is_chosen(s, s->c->part[p].name) ||
		    ctx_lean_says_none(s, p)) {
			if (set_fate(s, p, LEAN_SPARED, err) == -1)
				return -1;
			continue;
		}
		if (!s->o->clear && !ctx_lean_shortens_old(s->o))
			continue;
		if ((it = ctx_pace_add(&s->l->pace)) == NULL)
			return ctx_fail_nomem(err);
		it->of = p;
		it->msg = s->c->part[p].msg;
		end = ctx_lean_result_end(s->c, p);
		for (i = p; i < end; i++)
			if (add_gain(s, it, i, err) == -1)
				return -1;
	}
	return 0;
}

/* Two messages, and how many turns have begun up to each of them. */
struct ages {
	uint32_t at, from;
	uint64_t nat, nfrom;
};

/* Does the user say anything in message m, beside notes and no other result? */
static int
speaks_beside_notes(const struct ctx_lean_step *s, uint32_t m)
{
	int others = 0;
	uint32_t i;

	if (s->c->msg[m].role != CTX_USER)
		return 0;
	CTX_FOR_PARTS(s->c, m, i) {
		if (s->c->part[i].flags & CTX_INNER || ctx_lean_is_note(s, i))
			continue;
		if (s->c->part[i].kind == CTX_RESULT)
			return 0;
		others = 1;
	}
	return others;
}

int
ctx_lean_begins(const struct ctx_lean_step *s, uint32_t m)
{
	return m < s->c->nmsg && !s->plan->drop_msg[m] &&
	    (ctx_group_begins(s->c, m) || (s->notes_apart &&
	    speaks_beside_notes(s, m)));
}

/* Since which message is one at m older than the newest turns? */
static uint32_t
old_from(const struct ctx_lean_step *s, struct ages *a, uint32_t m)
{
	while (a->at < m)
		a->nat += (uint64_t)ctx_lean_begins(s, ++a->at);
	if (a->from < m) {
		a->from = m;
		a->nfrom = a->nat;
	}
	while (a->from < s->c->nmsg && a->nfrom - a->nat < s->o->keep_turns)
		a->nfrom += (uint64_t)ctx_lean_begins(s, ++a->from);
	return a->from;
}

/* Of results that are old by then, the newest tokens are kept. */
static void
keep_tokens(const struct ctx_lean_step *s)
{
	struct ctx_pace *w = &s->l->pace;
	uint64_t sum = 0;
	size_t i, k = 0;

	for (i = 0; i < w->n; i++) {
		for (; k < w->n && sum <= s->o->keep_tokens; k++)
			sum += w->item[k].size;
		w->item[i].from = sum > s->o->keep_tokens ?
		    w->item[k - 1].from : s->c->nmsg;
		sum -= w->item[i].size;
	}
}

/*
 * A result is old when there are enough newer ones.  One that the model has not
 * seen waits until it pays, which is not before it was answered.
 */
void
ctx_lean_set_from(const struct ctx_lean_step *s)
{
	const struct ctx_lean_opts *o = s->o;
	uint64_t keep = o->clear || o->prune ? o->clear_keep : 0;
	struct ctx_pace *w = &s->l->pace;
	struct ages ages = { 0 };
	struct ctx_pace_answers answers = { 0 };
	uint32_t answer, msg, *from;
	const struct ctx_part *part;
	size_t i;

	for (i = 0; i < w->n; i++)
		w->item[i].from = old_from(s, &ages,
		    s->c->part[w->item[i].of].msg);
	if (o->keep_tokens > 0)
		keep_tokens(s);
	for (i = 0; i < w->n; i++) {
		from = &w->item[i].from;
		msg = keep < w->n - i ?
		    s->c->part[w->item[i + keep].of].msg : s->c->nmsg;
		if (*from < msg)
			*from = msg;
		if (o->pace.step != CTX_PACE_PAYS)
			continue;
		part = &s->c->part[w->item[i].of];
		answer = ctx_pace_answer(&answers, s->c, part->msg,
		    part->kind == CTX_RESULT ? part->mate : CTX_NONE);
		if (*from < answer)
			*from = answer;
	}
}

/*
 * What gains nothing would count towards the step, but sooner or later than now
 * once what is newer has become shorter.
 */
static void
leave_out_hollow(struct ctx_pace *w)
{
	size_t i, n = 0;

	for (i = 0; i < w->n; i++)
		if (w->item[i].gain > 0)
			w->item[n++] = w->item[i];
	w->n = n;
}

int
ctx_lean_choose_old(struct ctx_lean_step *s, struct ctx_err *err)
{
	struct ctx_pace *w = &s->l->pace;
	size_t i;

	if (CTX_ROOM(s->l->fate, s->c->npart, &s->l->capfate) == -1)
		return ctx_fail_nomem(err);
	memset(s->l->fate, 0, s->c->npart);
	ctx_idset_reset(&s->l->fates);
	if (ctx_lean_begin_old(s, err) == -1 || add_results(s, err) == -1)
		return -1;
	ctx_lean_set_from(s);
	if (s->o->keep_tokens > 0 && s->o->pace.step > 0)
		leave_out_hollow(w);
	ctx_pace_run(w, s->c, s->plan, &s->o->pace);
	for (i = 0; i < w->n; i++)
		if (w->item[i].goes && set_fate(s, (uint32_t)w->item[i].of,
		    LEAN_OLD, err) == -1)
			return -1;
	return set_fates_of_copies(s, err);
}

/* Keep the arguments of call p. */
static int
keep_input(struct ctx_lean_step *s, uint32_t p, struct ctx_str written,
    struct ctx_err *err)
{
	struct ctx_buf *value = &s->l->text;

	if (s->l->place[p].kind == CTX_PLACE_NONE)	/* it is removed */
		return 0;
	ctx_buf_reset(value);
	if (ctx_lean_redacted_value(s, p, value) == -1)
		return ctx_fail_nomem(err);
	return ctx_lean_keep(s, &s->l->place[p], ctx_str_of(value), written,
	    (s->c->part[p].flags & CTX_RAW) != 0, err);
}

int
ctx_lean_clear_inputs(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part;
	struct ctx_str before, after = { "{}", 2 }, quoted = { "\"{}\"", 4 };
	uint32_t p, r;

	for (p = 0; p < s->c->npart; p++) {
		part = &s->c->part[p];
		if (part->kind != CTX_CALL || !(s->l->fate[p] & LEAN_OLD) ||
		    part->text == CTX_NONE)
			continue;
		before = ctx_part_text(s->c, p);
		if (before.len <= 2)
			continue;
		r = s->c->msg[part->msg].rec;
		if (s->o->keep && keep_input(s, p, after, err) == -1)
			return -1;
		if (ctx_lean_tell(s, "clear-inputs", p, before, after,
		    err) == -1 ||
		    /* as a whole, with what was redacted in it */
		    ctx_plan_rewrite(s->plan, r, part->text, 1,
		    part->flags & CTX_RAW ? after : quoted, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * The id of message m, in an API that knows messages by it and wants what has one to
 * come with the thinking that led to it; CTX_NONE if it has none.
 */
static uint32_t
bound_by(const struct ctx_lean_step *s, uint32_t m)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	struct ctx_doc doc = ctx_convo_doc(s->c, msg->rec);

	if (!(ctx_dialect_of(ctx_msg_dialect(s->c, m))->rules &
	    CTX_RULE_LEADS) || ctx_node_if(&doc, msg->node, '{') == CTX_NONE)
		return CTX_NONE;
	return ctx_node_if(&doc, CTX_GET(&doc, msg->node, "id"), '"');
}

/* Must message m keep its id: is it what the API runs, or the id of its call? */
static int
keeps_id(const struct ctx_lean_step *s, uint32_t m, uint32_t id)
{
	const struct ctx_part *p;
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (p->kind == CTX_OTHER || p->idnode == id)
			return 1;
	}
	return 0;
}

/* May message m, which has only thinking, be left out before what it led to? */
static int
may_leave(const struct ctx_lean_step *s, uint32_t m)
{
	const struct ctx_convo *c = s->c;
	uint32_t id;

	while (++m < c->nmsg && c->msg[m].role == CTX_ASSISTANT &&
	    !ctx_msg_thinks(c, m))
		if ((id = bound_by(s, m)) != CTX_NONE && keeps_id(s, m, id))
			return 0;
	return 1;
}

/*
 * May the thinking in part p be dropped?  If it is a message of its own, that goes,
 * and its first part stands for all.
 */
static int
may_drop(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];
	uint32_t m = part->msg;

	if (part->kind != CTX_THINKING || s->plan->drop_part[p])
		return 0;
	return part->place[0].node != CTX_NONE || (p == s->c->msg[m].part &&
	    ctx_dialect_of(ctx_msg_dialect(s->c, m))->rules & CTX_RULE_LEADS &&
	    ctx_msg_thinks(s->c, m) && may_leave(s, m));
}

/* The part after the thinking that goes with part p. */
static uint32_t
thinking_end(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];
	const struct ctx_msg *msg = &s->c->msg[part->msg];

	return part->place[0].node != CTX_NONE ? p + 1 : msg->part + msg->npart;
}

/*
 * Has the thinking in part p, which may be dropped, an empty text, and nothing
 * that the API needs?  Its text may go on in the next part.  Where it is a
 * message of its own, the API knows it by its id.
 */
static int
is_hollow(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_str text = ctx_part_text(s->c, p);
	const struct ctx_dialect *d = ctx_msg_dialect(s->c, part->msg);

	return text.p != NULL && ctx_str_blank(text) &&
	    !(part->flags & CTX_SIGNED) && (p + 1 == s->c->npart ||
	    part[1].msg != part->msg || part[1].kind != CTX_THINKING ||
	    part[1].place[0].node != CTX_NONE) &&
	    (ctx_dialect_of(d)->rules & CTX_RULE_LEADS) == 0;
}

static int
drop_thinking(const struct ctx_lean_step *s, uint32_t p, struct ctx_err *err)
{
	struct ctx_str gone = { NULL, 0 };
	uint32_t end = thinking_end(s, p);
	int told = 0;

	for (; p < end; p++) {
		ctx_plan_drop_part(s->plan, p);
		/* what has no text is the message, which is told once */
		if (s->c->part[p].text == CTX_NONE && (told || p + 1 < end))
			continue;
		told = 1;
		if (ctx_lean_tell(s, "thinking", p, ctx_part_text(s->c, p),
		    gone, err) == -1)
			return -1;
	}
	return 0;
}

static int
cut_id(const struct ctx_lean_step *s, uint32_t m, uint32_t id,
    struct ctx_err *err)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	struct ctx_doc doc = ctx_convo_doc(s->c, msg->rec);
	struct ctx_change change = { .rule = "thinking", .rec = msg->rec,
	    .msg = m, .before = ctx_node_str(&doc, id), .node = id };

	if (s->o->tell && ctx_plan_tell(s->plan, &change,
	    (struct ctx_str){ NULL, 0 }, err) == -1)
		return -1;
	return ctx_plan_cut(s->plan, msg->rec, msg->node, id, err);
}

int
ctx_lean_free_led(const struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_convo *c = s->c;
	const struct ctx_msg *msg;
	uint32_t m, id;

	for (m = 0; m < c->nmsg; m++) {
		msg = &c->msg[m];
		if (ctx_msg_thinks(c, m))
			s->seen->freed = s->plan->drop_msg[m] &&
			    c->part[msg->part].place[0].node == CTX_NONE;
		else if (msg->role == CTX_USER || msg->role == CTX_SYSTEM)
			s->seen->freed = 0;
		else if (s->seen->freed && msg->role == CTX_ASSISTANT &&
		    !s->plan->drop_msg[m] &&
		    (id = bound_by(s, m)) != CTX_NONE && !keeps_id(s, m, id) &&
		    cut_id(s, m, id, err) == -1)
			return -1;
	}
	return 0;
}

/* All thinking before the user's last turn, but not sooner than pace says. */
static int
drop_earlier_thinking(struct ctx_lean_step *s, struct ctx_err *err)
{
	struct ctx_pace_opts pace = { .step = s->o->pace.step };
	struct ctx_pace *w = &s->l->pace;
	struct ctx_pace_item *it;
	uint32_t p, k, m = 0;
	uint64_t gain;
	size_t i;

	/* calls and results are not paired yet */
	if (ctx_lean_find_files(s, err) == -1 || ctx_lean_measure(s, err) == -1)
		return -1;
	for (p = 0; p < s->c->npart; p++) {
		while (m < s->c->nmsg && (m <= s->c->part[p].msg ||
		    !ctx_group_begins(s->c, m)))
			m++;
		if (m == s->c->nmsg)
			break;
		if (!may_drop(s, p))
			continue;
		if ((it = ctx_pace_add(w)) == NULL)
			return ctx_fail_nomem(err);
		it->of = p;
		it->msg = s->c->part[p].msg;
		it->from = m;
		it->gain = CTX_PACE_JOIN;
		for (k = p; k < thinking_end(s, p); k++) {
			if (ctx_lean_chars(s, k, &gain, err) == -1)
				return -1;
			it->gain += gain;
		}
	}
	ctx_pace_run(w, s->c, s->plan, &pace);
	for (i = 0; i < w->n; i++)
		if (w->item[i].goes &&
		    drop_thinking(s, (uint32_t)w->item[i].of, err) == -1)
			return -1;
	return 0;
}

int
ctx_lean_drop(struct ctx_lean *l, struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_lean_seen *seen,
    const struct ctx_lean_opts *opts, struct ctx_err *err)
{
	struct ctx_lean_step s = { .l = l, .plan = plan, .c = c,
	    .seen = seen, .o = opts };
	uint32_t p;

	if (ctx_lean_secrets(&s, err) == -1 ||
	    (l->prunes && ctx_lean_drop_pruned(&s, err) == -1))
		return -1;
	for (p = 0; p < c->npart; p++)
		if (may_drop(&s, p) && (opts->thinking == CTX_THINKING_DROP ||
		    (opts->drop_empty && is_hollow(&s, p))) &&
		    drop_thinking(&s, p, err) == -1)
			return -1;
	/* with calls, it goes where they go */
	return opts->thinking == CTX_THINKING_LAST && !opts->prune ?
	    drop_earlier_thinking(&s, err) : 0;
}
