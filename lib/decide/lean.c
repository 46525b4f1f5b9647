/* SPDX-License-Identifier: MIT */
/* Lean histories; see lean.h. */
#include "decide/lean_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
ctx_lean_seen_done(struct ctx_lean_seen *s)
{
	ctx_strmap_done(&s->hash);
	ctx_strmap_done(&s->place);
	free(s->sent);
	ctx_heard_done(&s->said);
	ctx_heard_done(&s->lines);
	ctx_heard_done(&s->files);
	ctx_heard_done(&s->named);
	free(s->nplace);
	memset(s, 0, sizeof(*s));
}

void
ctx_lean_done(struct ctx_lean *l)
{
	ctx_buf_done(&l->plain);
	ctx_buf_done(&l->scrub);
	ctx_buf_done(&l->text);
	ctx_buf_done(&l->spare);
	ctx_buf_done(&l->secrets);
	ctx_buf_done(&l->spelled);
	ctx_doc_done(&l->doc);
	free(l->redacted);
	free(l->is_key);
	free(l->fate);
	ctx_pick_done(&l->pick);
	ctx_heard_done(&l->asked);
	free(l->place);
	ctx_pace_done(&l->pace);
	ctx_idset_done(&l->fates);
	free(l->pruned);
	free(l->all_go);
	free(l->printed);
	ctx_idset_done(&l->file_ids);
	free(l->owner);
	memset(l, 0, sizeof(*l));
}

/* Characters of a result; strong.  Chosen with what text/pick.c says. */
#define MOST		12000
#define MOST_STRONG	5000

void
ctx_lean_recommend(struct ctx_lean_opts *o, int strong)
{
	o->ansi = o->minify = o->tables = o->squeeze = o->fold = o->blobs = 1;
	if (o->dedupe == 0)
		o->dedupe = CTX_DEDUPE_MIN;
	if (o->thin == CTX_THIN_OFF)
		o->thin = strong ? CTX_THIN_DENSE : CTX_THIN_NEW;
	o->thin_files |= strong;
	if (o->result.max == 0)
		o->result.max = strong ? MOST_STRONG : MOST;
	o->choose = 1;
}

int
ctx_lean_needs_all(const struct ctx_lean_opts *o)
{
	return o->clear || o->prune || ctx_lean_shortens_old(o) ||
	    o->thinking == CTX_THINKING_LAST;
}

int
ctx_lean_tell(const struct ctx_lean_step *s, const char *rule, uint32_t part,
    struct ctx_str before, struct ctx_str after, struct ctx_err *err)
{
	const struct ctx_part *p = &s->c->part[part];
	struct ctx_change change = { .rule = rule, .rec = s->c->msg[p->msg].rec,
	    .msg = p->msg, .id = p->id, .before = before };

	if (after.p == NULL && p->place[0].node != CTX_NONE)
		change.node = p->place[0].node;
	return s->o->tell ? ctx_plan_tell(s->plan, &change, after, err) : 0;
}

int
ctx_lean_alterable(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];

	return (part->kind == CTX_TEXT || part->kind == CTX_RESULT ||
	    part->kind == CTX_COPY) &&
	    part->text != CTX_NONE && !(part->flags & CTX_RAW) &&
	    (part->kind != CTX_TEXT || part->flags & CTX_INNER ||
	    s->c->msg[part->msg].role != CTX_SYSTEM);
}

/* Apply the policies to a string of record c->rec; c->before is its text. */
static int
lean_string(struct ctx_lean_step *s, struct ctx_lean_sort is, uint32_t node,
    struct ctx_change *c, struct ctx_err *err)
{
	struct ctx_str text = c->before;
	const char *first;

	if (ctx_lean_redacted(s, node, &text)) {
		ctx_lean_redacted_done(s, node);
		c->rule = ctx_lean_secret_rule(s->o);
	}
	s->origin = text;
	first = c->rule;
	if (ctx_lean_text(s, is, &text, &c->rule, err) == -1)
		return -1;
	/* an API may refuse a blank text, and the next run would remove it */
	if (ctx_str_blank(text) && !ctx_str_blank(s->origin)) {
		text = s->origin;
		c->rule = first;
	}
	if (c->rule == NULL || ctx_str_same(text, c->before))
		return 0;
	if (s->o->keep && !ctx_str_same(text, s->origin) &&
	    ctx_lean_keep(s, is.at, s->origin, text, 0, err) == -1)
		return -1;
	if (s->o->tell && ctx_plan_tell(s->plan, c, text, err) == -1)
		return -1;
	return ctx_plan_rewrite(s->plan, c->rec, node, 0, text, err);
}

/* Are texts kept or restored? */
static int
has_places(const struct ctx_lean_opts *o)
{
	return o->keep || o->kept != NULL;
}

static int
lean_part(struct ctx_lean_step *s, uint32_t r, uint32_t p, struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_change change = { .rec = r, .msg = part->msg,
	    .id = part->id, .before = ctx_part_text(s->c, p) };
	struct ctx_lean_sort is = { .part = p, .copy = part->kind == CTX_COPY,
	    .fate = s->has_fates ? s->l->fate[p] : 0,
	    .at = has_places(s->o) ? &s->l->place[p] : NULL };

	if (change.before.p == NULL || !ctx_lean_alterable(s, p))
		return ctx_lean_say(s, p, change.before, err);
	if (ctx_lean_kind(s, p, part->id, &is.kind, err) == -1)
		return -1;
	return lean_string(s, is, part->text, &change, err);
}

/* Apply the policies to what stays of a message, and to what is moved. */
static int
lean_message(struct ctx_lean_step *s, uint32_t m, struct ctx_err *err)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	uint32_t p, of = msg->part;

	CTX_FOR_PARTS(s->c, m, p) {
		if (!(s->c->part[p].flags & CTX_INNER))
			of = p;
		if (!ctx_lean_is_gone(s, p, of) &&
		    lean_part(s, msg->rec, p, err) == -1)
			return -1;
	}
	return 0;
}

/* --- copies in records that are not messages ---------------------------- */

struct copy {
	struct ctx_lean_step *s;
	uint32_t rec;
	struct ctx_err *err;
};

/* A ctx_copy_fn: what is done to a result is done to its copies. */
static int
lean_copy(void *arg, struct ctx_str id, uint32_t node)
{
	struct copy *a = arg;
	struct ctx_doc doc = ctx_convo_doc(a->s->c, a->rec);
	struct ctx_change change = { .rec = a->rec, .msg = CTX_NONE, .id = id,
	    .before = ctx_node_str(&doc, node) };
	struct ctx_lean_sort is = { .part = CTX_NONE, .copy = 1 };
	const struct ctx_seen_id *seen;
	struct ctx_lean_place at;

	if (ctx_lean_kind(a->s, CTX_NONE, id, &is.kind, a->err) == -1)
		return -1;
	if (has_places(a->s->o)) {
		if (ctx_lean_number_copy(a->s, id, &at, a->err) == -1)
			return -1;
		is.at = &at;
	}
	if (a->s->has_fates && id.p != NULL) {
		seen = ctx_idset_see(&a->s->l->fates, id.p, id.len);
		if (seen == NULL)
			return ctx_fail_nomem(a->err);
		is.fate = (int)seen->uses;
	}
	return lean_string(a->s, is, node, &change, a->err);
}

static int
lean_copies(struct ctx_lean_step *s, uint32_t r, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	struct copy a = { s, r, err };

	return s->c->rec[r].nmsg == 0 && s->c->rec[r].root != CTX_NONE &&
	    s->c->dialect != NULL && s->c->dialect->copies != NULL ?
	    s->c->dialect->copies(&doc, s->c->rec[r].root, lean_copy, &a) : 0;
}

/* Is anything to be done to texts? */
static int
has_policy(const struct ctx_lean_opts *o)
{
	return o->kept != NULL || o->redact != NULL || o->secret != NULL ||
	    o->ansi || o->minify || o->tables || o->squeeze || o->fold ||
	    o->blobs || o->clear || o->dedupe > 0 || o->result.max > 0 || o->message.max > 0 ||
	    o->thin != CTX_THIN_OFF;
}

int
ctx_lean_plan(struct ctx_lean *l, struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_lean_seen *seen,
    const struct ctx_lean_opts *opts, struct ctx_err *err)
{
	struct ctx_lean_step s = { .l = l, .plan = plan, .c = c,
	    .seen = seen, .o = opts };
	uint32_t r, m;

	if (!opts->only_find && (opts->thinking != CTX_THINKING_KEEP ||
	    opts->prune) && ctx_lean_free_led(&s, err) == -1)
		return -1;
	if (!has_policy(opts))
		return 0;
	if (opts->only_find && ctx_lean_secrets(&s, err) == -1)
		return -1;
	/* the secrets were found, once or twice from the same beginning */
	seen->block = l->block.left;
	if (opts->only_find)
		return 0;
	if (ctx_lean_find_files(&s, err) == -1 ||
	    (has_places(opts) && ctx_lean_number(&s, err) == -1))
		return -1;
	s.has_fates = opts->clear || (opts->result.max > 0 &&
	    (ctx_lean_shortens_old(opts) || opts->ntool + opts->nexclude > 0));
	if (s.has_fates && ctx_lean_choose_old(&s, err) == -1)
		return -1;
	for (r = 0; r < c->nrec; r++) {
		for (m = c->rec[r].msg; m < c->rec[r].msg + c->rec[r].nmsg;
		    m++)
			if (lean_message(&s, m, err) == -1)
				return -1;
		if (lean_copies(&s, r, err) == -1 ||
		    ctx_lean_write_redacted(&s, r, err) == -1)
			return -1;
	}
	if (opts->kept != NULL && ctx_lean_restore_inputs(&s, err) == -1)
		return -1;
	return opts->clear && opts->clear_inputs ?
	    ctx_lean_clear_inputs(&s, err) : 0;
}
