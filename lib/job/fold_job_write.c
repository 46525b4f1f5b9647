/* SPDX-License-Identifier: MIT */
/* Writes a conversation that was folded; see fold_job_impl.h. */
#include "job/fold_job_impl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decide/summary.h"
#include "decide/ties.h"

int
ctx_fold_job_head(const struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const struct ctx_buf *text, struct ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_addf(out, "%s%" PRIu64 CTX_SUMMARY_TAIL,
	    k->opts.to == CTX_FOLD_TO_TEXT ? CTX_SUMMARY_SAID : CTX_SUMMARY_HEAD,
	    f->old_turns + f->turns);
	ctx_buf_add(out, text->data, text->len);
	return ctx_buf_fail(out, err);
}

/* Does the rest begin with an assistant's message? */
static int
assistant_follows(const struct ctx_fold_convo *f)
{
	uint32_t m = f->users < f->cut ? f->users : f->cut;

	while (m < f->c->nmsg && f->c->msg[m].role == CTX_SYSTEM)
		m++;
	return m < f->c->nmsg && f->c->msg[m].role == CTX_ASSISTANT;
}

int
ctx_fold_job_replies(const struct ctx_fold_job *k,
    const struct ctx_fold_convo *f)
{
	return k->opts.as <= CTX_FOLD_AS_PAIR &&
	    f->form == CTX_SUMMARY_MESSAGE && !assistant_follows(f);
}

/* Does message m, which stays, stay in the record of the summary? */
static int
is_moved(const struct ctx_fold_convo *f, uint32_t m)
{
	return f->form == CTX_SUMMARY_LIST && m >= f->begin && m < f->cut &&
	    ctx_fold_job_stays(f, m) && !(f->c->msg[m].flags & CTX_FIXED);
}

/* Does message m go from where it is? */
static int
is_dropped(const struct ctx_fold_convo *f, uint32_t m)
{
	if (f->form == CTX_SUMMARY_LIST && m < f->begin)
		return !(f->c->msg[m].flags & CTX_FIXED);
	return m == f->old || is_moved(f, m) ||
	    (m < f->cut && !ctx_fold_job_stays(f, m));
}

/*
 * The message before which the summary is written, or nmsg: the first that goes of
 * those that were sent or, if the element or record that it is in keeps a system prompt, the first
 * one after that.  CTX_NONE if none goes.
 */
static uint32_t
place_of(const struct ctx_fold_convo *f)
{
	const struct ctx_convo *c = f->c;
	uint32_t first = f->begin, m = 0, end, i;

	while (first < c->nmsg && !is_dropped(f, first) && first != f->users)
		first++;
	if (first == c->nmsg)
		return CTX_NONE;
	while ((end = ctx_convo_unit_end(c, m)) <= first)
		m = end;
	for (i = m; i < end && is_dropped(f, i); i++)
		;
	return i < end && end <= f->cut ? end : m;
}

/* --- held lines -------------------------------------------------------- */

/* Hold a line; its block belongs to the job from here on. */
static int
hold_line(struct ctx_fold_job *k, struct ctx_fold_line line,
    struct ctx_err *err)
{
	if (CTX_ROOM(k->line, k->nline, &k->capline) == -1) {
		ctx_block_drop(line.block);
		return ctx_fail_nomem(err);
	}
	line.no = k->nline;
	k->line[k->nline++] = line;
	return 0;
}

static int
hold_text(struct ctx_fold_job *k, uint64_t seq, struct ctx_str text,
    struct ctx_err *err)
{
	struct ctx_block *block = ctx_block_dup(text.p, text.len);

	if (block == NULL)
		return ctx_fail_nomem(err);
	return hold_line(k, (struct ctx_fold_line){
	    seq, block, block->data, text.len, 0 }, err);
}

/*
 * Hold a text in place of a record or before it; of a session, with links to
 * what is held already.
 */
static int
hold_linked(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    uint64_t seq, const struct ctx_buf *text, enum ctx_relink_as as,
    struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc = 0;

	if (f->strand->chain.form != NULL)
		rc = ctx_relink_lines(&f->strand->chain, text->data, text->len,
		    as, &b, err);
	if (rc != -1)
		rc = hold_text(k, seq, ctx_str_of(rc == 1 ? &b : text), err);
	ctx_buf_done(&b);
	return rc;
}

static int
hold_same(struct ctx_fold_job *k, const struct ctx_rec *r, struct ctx_err *err)
{
	ctx_block_hold(r->block);
	return hold_line(k, (struct ctx_fold_line){
	    r->seq, r->block, r->raw, r->len, 0 }, err);
}

static int
hold_record(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const struct ctx_rec *r, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc = 0;

	if (f->strand->chain.form != NULL)
		rc = ctx_relink_lines(&f->strand->chain, r->raw, r->len,
		    CTX_RELINK_OLD, &b, err);
	if (rc == 1)
		rc = hold_text(k, r->seq, ctx_str_of(&b), err);
	else if (rc == 0)
		rc = hold_same(k, r, err);
	ctx_buf_done(&b);
	return rc;
}

/* Write a new record as a line before record r. */
static int
new_line(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const struct ctx_rec *r, struct ctx_new what, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc;

	rc = ctx_job_new_line(&k->job, f->strand, &what,
	    (struct ctx_str){ r->raw, (uint32_t)r->len }, &b, err);
	if (rc == 0)
		rc = hold_linked(k, f, r->seq, &b, CTX_RELINK_NEW, err);
	ctx_buf_done(&b);
	return rc;
}

/* Append what stays in the record of the summary. */
static int
add_moved(const struct ctx_fold_convo *f, struct ctx_buf *out,
    struct ctx_err *err)
{
	const struct ctx_msg *msg = f->c->msg;
	struct ctx_doc doc;
	uint32_t m;

	for (m = f->begin; m < f->cut; m++) {
		if (!is_moved(f, m) || (m > f->begin && msg[m].rec ==
		    msg[m - 1].rec && msg[m].node == msg[m - 1].node))
			continue;
		doc = ctx_convo_doc(f->c, msg[m].rec);
		ctx_buf_adds(out, out->len > 0 ? "," : "");
		ctx_node_put(out, &doc, msg[m].node);
	}
	return ctx_buf_fail(out, err);
}

/* The tokens of all that was sent and that the summary replaces. */
static int
count_replaced(const struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    uint64_t *sum, struct ctx_err *err)
{
	uint64_t n;
	uint32_t m;

	*sum = f->folded_tokens;
	if (!f->recalled)
		return 0;
	for (*sum = 0, m = f->begin; m < f->cut; m++) {
		if (ctx_fold_job_stays(f, m))
			continue;
		if (ctx_cost_msg(k->opts.cost, f->c, m, &n, err) == -1)
			return -1;
		*sum += n;
	}
	return 0;
}

/* Write the summary before record r as the session's program does. */
static int
own_lines(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const struct ctx_rec *r, struct ctx_str text, struct ctx_err *err)
{
	struct ctx_new what = { .kind = CTX_NEW_BOUNDARY, .role = CTX_USER,
	    .text = text.p, .textlen = text.len };
	struct ctx_buf list = { 0 };
	int rc = count_replaced(k, f, &what.tokens, err);

	if (rc == 0 && f->form == CTX_SUMMARY_BOUNDED)
		rc = new_line(k, f, r, what, err);
	if (rc == 0 && f->form == CTX_SUMMARY_LIST)
		rc = add_moved(f, &list, err);
	what.kind = CTX_NEW_SUMMARY;
	what.raw = list.data;
	what.rawlen = list.len;
	if (rc == 0)
		rc = new_line(k, f, r, what, err);
	ctx_buf_done(&list);
	return rc;
}

/* Where to put the messages that replace what goes. */
struct put {
	struct ctx_fold_job *k;
	const struct ctx_fold_convo *f;
	uint32_t place;		/* the message before which they are to be
				   written */
	const struct ctx_rec *before;	/* message lines: the record before
					   which they are written; NULL: in a
					   plan */
};

static int
put_message(const struct put *p, enum ctx_role role, struct ctx_str text,
    struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_TEXT, .role = role };
	struct ctx_plan *plan = &p->k->plan;
	uint32_t n;

	if (p->before != NULL && p->f->form != CTX_SUMMARY_MESSAGE)
		return own_lines(p->k, p->f, p->before, text, err);
	if (p->before != NULL)
		return new_line(p->k, p->f, p->before, (struct ctx_new){
		    .kind = CTX_NEW_TEXT, .role = role, .text = text.p,
		    .textlen = text.len }, err);
	if (ctx_plan_insert(plan, &in, text.p, text.len, &n, err) == -1)
		return -1;
	return ctx_plan_order(plan, n | CTX_INSERTED, err);
}

/* Put the messages of the summary if their place is before message m. */
static int
put_summary(const struct put *p, uint32_t m, struct ctx_err *err)
{
	static const struct ctx_str reply = { CTX_SUMMARY_REPLY,
	    sizeof(CTX_SUMMARY_REPLY) - 1 };
	struct ctx_buf text = { 0 };
	int rc;

	if (p->place != m)
		return 0;
	rc = ctx_fold_job_head(p->k, p->f, &p->f->summary, &text, err);
	if (rc == 0)
		rc = put_message(p, p->k->opts.as == CTX_FOLD_AS_SYSTEM ?
		    CTX_SYSTEM : CTX_USER, ctx_str_of(&text), err);
	if (rc == 0 && ctx_fold_job_replies(p->k, p->f))
		rc = put_message(p, CTX_ASSISTANT, reply, err);
	ctx_buf_done(&text);
	return rc;
}

enum fate { STAYS, GOES, IS_SPLIT };

/* Is record r, which has no message, the first one of the earlier summary? */
static int
is_old_boundary(const struct ctx_fold_convo *f, uint32_t r)
{
	const struct ctx_chain_form *form = f->strand->chain.form;
	struct ctx_doc doc = ctx_convo_doc(f->c, r);

	return form != NULL && f->old != CTX_NONE &&
	    r + 1 == f->c->msg[f->old].rec && f->c->rec[r].root != CTX_NONE &&
	    ctx_chain_member(&doc, f->c->rec[r].root, form->logical) !=
	    CTX_NONE;
}

/*
 * The fate of record r, after one of that fate: one without messages follows the one
 * before.
 */
static enum fate
next_fate(const struct ctx_fold_convo *f, uint32_t r, enum fate before)
{
	const struct ctx_rec *rec = &f->c->rec[r];
	uint32_t m, n = 0;

	if (rec->nmsg == 0)
		return is_old_boundary(f, r) ? GOES : before;
	for (m = rec->msg; m < rec->msg + rec->nmsg; m++)
		n += is_dropped(f, m);
	return n == 0 ? STAYS : n == rec->nmsg ? GOES : IS_SPLIT;
}

/* The fate of what follows record r, which is split, up to the next message. */
static enum fate
fate_after(const struct ctx_fold_convo *f, uint32_t r)
{
	const struct ctx_rec *rec = &f->c->rec[r];

	return is_dropped(f, rec->msg + rec->nmsg - 1) ? GOES : STAYS;
}

/*
 * Write the messages of record r that stay or, if inverse is set, put those
 * aside that go.  The plan must be for f.
 */
static int
write_half(struct ctx_fold_job *k, const struct ctx_fold_convo *f, uint32_t r,
    int inverse, struct ctx_err *err)
{
	const struct ctx_rec *rec = &f->c->rec[r];
	struct ctx_buf *text = &k->edit.text;
	uint32_t m;

	for (m = rec->msg; m < rec->msg + rec->nmsg; m++)
		k->plan.drop_msg[m] = inverse ? !is_dropped(f, m) ||
		    is_moved(f, m) : is_dropped(f, m);
	ctx_edit_begin(&k->edit);
	if (ctx_edit_line(&k->edit, &k->plan, f->c, r, err) == -1)
		return -1;
	return inverse ? ctx_job_put(&k->job, CTX_TO_SIDE, text->data,
	    text->len, NULL, err) : hold_linked(k, f, rec->seq, text, CTX_RELINK_OLD,
	    err);
}

static int
write_record(struct ctx_fold_job *k, const struct ctx_fold_convo *f, uint32_t r,
    enum fate fate, struct ctx_err *err)
{
	const struct ctx_rec *rec = &f->c->rec[r];

	if (fate == STAYS)
		return hold_record(k, f, rec, err);
	if (fate == IS_SPLIT && write_half(k, f, r, 0, err) == -1)
		return -1;
	if (!k->opts.put_aside || (rec->nmsg > 0 && is_moved(f, rec->msg)))
		return 0;
	return fate == IS_SPLIT ? write_half(k, f, r, 1, err) :
	    ctx_job_put(&k->job, CTX_TO_SIDE, rec->raw, rec->len, rec->block,
	    err);
}

/* Set kept[] of the records of a session, by what is tied in other branches. */
static int
mark_kept(const struct ctx_fold_convo *f, unsigned char *kept,
    struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	enum fate fate = STAYS;
	uint32_t r;

	for (r = 0; r < c->nrec; r++) {
		fate = next_fate(f, r, fate == IS_SPLIT ?
		    fate_after(f, r - 1) : fate);
		kept[r] = fate == GOES ? 0 : CTX_TIES_KEPT;
		if (ctx_branch_is_beside(c, r, c->rec[r].root))
			kept[r] |= CTX_TIES_BESIDE;
	}
	return ctx_ties_settle(c->tie, c->ntie, kept, c->nrec, err);
}

/* Note which records of a session are written. */
static int
note_kept(const struct ctx_fold_convo *f, const unsigned char *kept,
    struct ctx_err *err)
{
	struct ctx_doc doc;
	uint32_t r;

	for (r = 0; r < f->c->nrec; r++) {
		if (f->c->rec[r].root == CTX_NONE || !(kept[r] & CTX_TIES_KEPT))
			continue;
		doc = ctx_convo_doc(f->c, r);
		if (ctx_chain_keep(&f->strand->chain, &doc,
		    f->c->rec[r].root) == -1)
			return ctx_fail_nomem(err);
	}
	return 0;
}

/*
 * Write message lines; those that are not messages follow the one before.  kept
 * has the records of a session, or is NULL.
 */
static int
put_lines(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const unsigned char *kept, struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	struct put p = { k, f, place_of(f), NULL };
	enum fate fate = STAYS;
	uint32_t r, end;

	for (r = 0; r < c->nrec; r++) {
		p.before = &c->rec[r];
		end = p.before->msg + p.before->nmsg;
		fate = next_fate(f, r, fate);
		if (p.before->nmsg > 0 &&
		    put_summary(&p, p.before->msg, err) == -1)
			return -1;
		if (write_record(k, f, r, kept != NULL &&
		    !(kept[r] & CTX_TIES_KEPT) ? GOES : fate, err) == -1)
			return -1;
		if (fate == IS_SPLIT) {
			if (put_summary(&p, end, err) == -1)
				return -1;
			p.place = p.place == end ? CTX_NONE : p.place;
			fate = fate_after(f, r);
		}
	}
	return 0;
}

static int
write_lines(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	unsigned char *kept = NULL;
	int rc;

	if (f->strand->chain.form != NULL &&
	    (kept = calloc(f->c->nrec + (size_t)1, 1)) == NULL)
		return ctx_fail_nomem(err);
	rc = ctx_plan_reset(&k->plan, f->c, err);
	if (rc == 0 && kept != NULL && (rc = mark_kept(f, kept, err)) == 0)
		rc = note_kept(f, kept, err);
	if (rc == 0)
		rc = put_lines(k, f, kept, err);
	free(kept);
	return rc;
}

/* --- conversation lines ------------------------------------------------ */

/* Plan the folding or, if inverse is set, keep only what was folded. */
static int
plan_whole(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    int inverse, struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	struct put p = { k, f, inverse ? CTX_NONE : place_of(f), NULL };
	uint32_t m;

	if (ctx_plan_reset(&k->plan, c, err) == -1)
		return -1;
	k->plan.riders = inverse ? CTX_RIDERS_ASIDE : CTX_RIDERS_FOLLOW;
	for (m = 0; m < c->nmsg; m++) {
		if (put_summary(&p, m, err) == -1)
			return -1;
		if (is_dropped(f, m) != inverse &&
		    !(c->msg[m].flags & CTX_FIXED))
			ctx_plan_drop_msg(&k->plan, m);
		if (ctx_plan_order(&k->plan, m, err) == -1)
			return -1;
	}
	ctx_plan_settle(&k->plan);
	return put_summary(&p, c->nmsg, err);
}

/* Write a conversation line, edited in place. */
static int
write_whole(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    enum ctx_to to, struct ctx_err *err)
{
	const struct ctx_rec *r = &f->c->rec[0];
	const struct ctx_piece *p;

	if (plan_whole(k, f, to == CTX_TO_SIDE, err) == -1 ||
	    ctx_edit_turn(&k->edit, &k->plan, f->c, err) == -1)
		return -1;
	p = &k->edit.piece[0];
	return p->is_text ? ctx_job_put(&k->job, to, k->edit.text.data +
	    p->off, p->len, NULL, err) :
	    ctx_job_put(&k->job, to, r->raw, r->len, r->block, err);
}

/* --- all forms --------------------------------------------------------- */

int
ctx_fold_job_write_same(struct ctx_fold_job *k,
    const struct ctx_fold_convo *f, struct ctx_err *err)
{
	const struct ctx_rec *r = f->c->rec, *end = r + f->c->nrec;

	if (f->strand == NULL)
		return ctx_job_put(&k->job, CTX_TO_OUT, r->raw, r->len,
		    r->block, err);
	for (; r < end; r++)
		if (hold_same(k, r, err) == -1)
			return -1;
	return 0;
}

/* Write a summary as a text: under its head, or by itself. */
static int
write_text(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc = 0;

	if (k->opts.to == CTX_FOLD_TO_TEXT)
		rc = ctx_fold_job_head(k, f, &f->summary, &b, err);
	else
		ctx_buf_add(&b, f->summary.data, f->summary.len);
	ctx_buf_addc(&b, '\n');
	if (rc == 0 && (rc = ctx_buf_fail(&b, err)) == 0)
		rc = ctx_job_put(&k->job, CTX_TO_OUT, b.data, b.len, NULL,
		    err);
	ctx_buf_done(&b);
	return rc;
}

int
ctx_fold_job_write(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	if (k->opts.to == CTX_FOLD_TO_TEXT && f->summary.len == 0)
		return 0;
	if (k->opts.to != CTX_FOLD_TO_STREAM)
		return write_text(k, f, err);
	if (f->summary.len == 0 || (f->turns == 0 && !f->recalled))
		return ctx_fold_job_write_same(k, f, err);
	k->job.changed = 1;
	if (f->strand != NULL)
		return write_lines(k, f, err);
	if (k->opts.put_aside && write_whole(k, f, CTX_TO_SIDE, err) == -1)
		return -1;
	return write_whole(k, f, CTX_TO_OUT, err);
}

/* --- the end of a file ------------------------------------------------- */

static int
by_seq(const void *a, const void *b)
{
	const struct ctx_fold_line *x = a, *y = b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x->no < y->no ? -1 : 1;
}

/* Interleaved conversations end one by one: restore input order. */
static void
sort_lines(struct ctx_fold_job *k)
{
	size_t i;

	for (i = 1; i < k->nline; i++)
		if (by_seq(&k->line[i - 1], &k->line[i]) > 0) {
			qsort(k->line, k->nline, sizeof(*k->line), by_seq);
			break;
		}
}

/* Append the lines of another job to those of k. */
static int
take_lines(struct ctx_fold_job *k, struct ctx_fold_job *from,
    struct ctx_err *err)
{
	if (from == k || from->nline == 0)
		return 0;
	if (CTX_ROOM(k->line, k->nline + from->nline, &k->capline) == -1)
		return ctx_fail_nomem(err);
	memcpy(k->line + k->nline, from->line,
	    from->nline * sizeof(*from->line));
	k->nline += from->nline;
	from->nline = 0;
	return 0;
}

int
ctx_fold_job_file_end(struct ctx_job *main, struct ctx_job *const *all,
    unsigned n, struct ctx_err *err)
{
	struct ctx_fold_job *k = (struct ctx_fold_job *)main;
	const struct ctx_fold_line *line;
	size_t i;
	int rc = 0;

	for (i = 0; i < n; i++)
		if (take_lines(k, (struct ctx_fold_job *)all[i], err) == -1)
			return -1;
	sort_lines(k);
	for (i = 0; i < k->nline; i++) {
		line = &k->line[i];
		if (rc == 0)
			rc = ctx_job_put(main, CTX_TO_OUT, line->raw,
			    line->len, line->block, err);
		ctx_block_drop(line->block);
	}
	k->nline = 0;
	return rc;
}

void
ctx_fold_job_give_up(struct ctx_job *job)
{
	struct ctx_fold_job *k = (struct ctx_fold_job *)job;

	while (k->nline > 0)
		ctx_block_drop(k->line[--k->nline].block);
}
