/* SPDX-License-Identifier: MIT */
/* One branch of a conversation; see branch.h. */
#include "view/branch.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "view/envelope.h"

void
ctx_branch_done(struct ctx_branches *b)
{
	free(b->gone);
	free(b->done);
	free(b->rec);
	free(b->msg);
	free(b->part);
	memset(b, 0, sizeof(*b));
}

/* --- which messages ------------------------------------------------------ */

/* Is the id of any result in message m one of the ids? */
static int
answers(const struct ctx_convo *c, uint32_t m, struct ctx_strmap *ids)
{
	size_t n = ids->n, k;
	uint32_t i;

	CTX_FOR_PARTS(c, m, i) {
		if (c->part[i].kind != CTX_RESULT)
			continue;
		if (c->part[i].id.p == NULL)
			return 1;
		k = ctx_strmap_add(ids, c->part[i].id.p, c->part[i].id.len);
		if (k == CTX_STRMAP_FULL)
			return -1;
		if (k < n)
			return 1;
	}
	return 0;
}

/* Messages of results beside the branch stay if their calls are in it. */
static int
settle_results(const struct ctx_convo *c, unsigned char *gone)
{
	struct ctx_strmap ids = { 0 };
	uint32_t m, i;
	int rc = 0;

	for (m = 0; m < c->nmsg && rc != -1; m++)
		CTX_FOR_PARTS(c, m, i)
			if (!gone[m] && c->part[i].kind == CTX_CALL &&
			    c->part[i].id.p != NULL &&
			    ctx_strmap_add(&ids, c->part[i].id.p,
			    c->part[i].id.len) == CTX_STRMAP_FULL)
				rc = -1;
	for (m = 0; m < c->nmsg && rc != -1; m++)
		if (gone[m] == CTX_BESIDE_RESULT) {
			if ((rc = answers(c, m, &ids)) == 1)
				gone[m] = 0;
		}
	ctx_strmap_done(&ids);
	return rc == -1 ? -1 : 0;
}

int
ctx_branch_replaced(const struct ctx_convo *c, uint32_t boundary, uint32_t m)
{
	const struct ctx_dialect *d = ctx_msg_dialect(c, boundary);
	const struct ctx_dialect *of = c->rec[c->msg[m].rec].dialect;

	if (of != d && (of != NULL || d->rules & CTX_RULE_LOG))
		return 0;
	/* a log writes it again, unless it is the session's */
	return c->msg[m].role != CTX_SYSTEM || (d->rules & CTX_RULE_LOG &&
	    !(c->msg[m].flags & CTX_FIXED));
}

/* Mark what the summary at message boundary replaced, if that is taken out. */
static void
mark_replaced(struct ctx_branches *b, const struct ctx_convo *c,
    uint32_t boundary)
{
	uint32_t m;

	for (m = 0; m < boundary; m++)
		b->gone[m] = b->sent && ctx_branch_replaced(c, boundary, m) ?
		    CTX_BESIDE_REPLACED : 0;
}

/*
 * Mark in b->gone what is not in the branch of message tip, or of the last one
 * before it of a dialect with branches.
 */
static int
mark(struct ctx_branches *b, const struct ctx_convo *c, uint32_t tip)
{
	const struct ctx_dialect *d = NULL;
	uint32_t m;

	memset(b->gone, 0, c->nmsg);
	for (m = tip + 1; m > 0; m--)
		if ((d = ctx_msg_dialect(c, m - 1)) != NULL &&
		    d->branches != NULL)
			break;
	if (m > 0 && (d->branches(c, m - 1, b->gone) == -1 ||
	    settle_results(c, b->gone) == -1))
		return -1;
	/* what comes before a boundary was replaced: that is no branch */
	for (m = c->nmsg; m > 0 && (b->gone[m - 1] ||
	    !(c->msg[m - 1].flags & CTX_BOUNDARY)); m--)
		;
	if (m > 0)
		mark_replaced(b, c, m - 1);
	for (m = 0; m < c->nmsg && b->each; m++)
		b->done[m] |= !b->gone[m] || m >= tip;
	return 0;
}

/* --- taking them out ----------------------------------------------------- */

static int
compare_place(const void *a, const void *b)
{
	const struct ctx_odd *x = a, *y = b;

	if (x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Note the elements of which no message stays. */
static int
note_beside(struct ctx_convo *c, const unsigned char *gone)
{
	uint32_t m, k, end;
	int all;

	c->nbeside = 0;
	for (m = 0; m < c->nmsg; m = end) {
		end = ctx_convo_unit_end(c, m);
		for (all = 1, k = m; k < end; k++)
			all &= gone[k] != 0;
		if (!all || ctx_convo_unit(c, m) == CTX_NONE)
			continue;
		if (CTX_ROOM(c->beside, c->nbeside, &c->capbeside) == -1)
			return -1;
		c->beside[c->nbeside++] = (struct ctx_odd){ c->msg[m].rec,
		    ctx_convo_unit(c, m) };
	}
	if (c->nbeside > 1)
		qsort(c->beside, c->nbeside, sizeof(*c->beside),
		    compare_place);
	return 0;
}

/* Tie the record of part i to that of its call, if either message goes. */
static int
tie_to(struct ctx_convo *c, uint32_t i, uint32_t call,
    const unsigned char *gone)
{
	const uint32_t a = c->part[call].msg, b = c->part[i].msg;

	if ((!gone[a] && !gone[b]) || c->msg[a].rec == c->msg[b].rec)
		return 0;
	if (CTX_ROOM(c->tie, c->ntie, &c->captie) == -1)
		return -1;
	c->tie[c->ntie++] = (struct ctx_tie){ { c->msg[a].rec,
	    c->msg[b].rec } };
	return 0;
}

/* Note the records of calls and results that are not both in the branch. */
static int
note_ties(struct ctx_convo *c, const unsigned char *gone)
{
	struct ctx_strmap ids = { 0 };
	uint32_t *call = malloc((c->npart + (size_t)1) * sizeof(*call)), i;
	int rc = call == NULL ? -1 : 0;
	size_t known, n;

	c->ntie = 0;
	for (i = 0; i < c->npart && rc == 0; i++) {
		if ((c->part[i].kind != CTX_CALL &&
		    c->part[i].kind != CTX_RESULT) || c->part[i].id.p == NULL)
			continue;
		known = ids.n;
		n = ctx_strmap_add(&ids, c->part[i].id.p, c->part[i].id.len);
		if (n == CTX_STRMAP_FULL)
			rc = -1;
		else if (c->part[i].kind == CTX_CALL)
			call[n] = i;
		else if (n == known)
			call[n] = CTX_NONE;
		else if (call[n] != CTX_NONE)
			rc = tie_to(c, i, call[n], gone);
	}
	ctx_strmap_done(&ids);
	free(call);
	return rc;
}

/*
 * Does message m go on with the result that is message to?  In exports a tool may
 * answer a call by several messages, each with parts in its result.
 */
static int
goes_on(const struct ctx_convo *c, const struct ctx_msg *to,
    const struct ctx_msg *m)
{
	const struct ctx_dialect *d = c->rec[m->rec].dialect;
	const struct ctx_part *a = &c->part[to->part], *b = &c->part[m->part];

	return d != NULL && d->is_export && to->rec == m->rec &&
	    to->npart > 0 && m->npart > 0 && a->kind == CTX_RESULT &&
	    b->kind == CTX_RESULT && a->id.p != NULL && b->id.p != NULL &&
	    ctx_str_same(a->id, b->id);
}

static void
take_out(struct ctx_convo *c, const unsigned char *gone)
{
	uint32_t m, i, r, nmsg = 0, npart = 0, skip;
	struct ctx_msg msg;

	for (r = 0; r < c->nrec; r++)
		c->rec[r].nmsg = 0;
	for (m = 0; m < c->nmsg; m++) {
		msg = c->msg[m];
		if (gone[m])
			continue;
		skip = nmsg > 0 && goes_on(c, &c->msg[nmsg - 1], &msg);
		if (!skip) {
			c->msg[nmsg] = msg;
			c->msg[nmsg].part = npart;
			c->msg[nmsg++].npart = 0;
			c->rec[msg.rec].nmsg++;
		}
		for (i = msg.part + skip; i < msg.part + msg.npart; i++) {
			c->part[npart] = c->part[i];
			c->part[npart++].msg = nmsg - 1;
			c->msg[nmsg - 1].npart++;
		}
	}
	for (r = 0, m = 0; r < c->nrec; m += c->rec[r++].nmsg) {
		c->rec[r].msg = m;
		if (c->rec[r].nmsg == 0 &&
		    c->rec[r].shape == CTX_REC_MESSAGE)
			c->rec[r].shape = CTX_REC_OTHER;
	}
	c->nmsg = nmsg;
	c->npart = npart;
}

/* Make c the branch of message tip. */
static int
choose(struct ctx_branches *b, struct ctx_convo *c, uint32_t tip,
    struct ctx_err *err)
{
	uint32_t m;

	if (mark(b, c, tip) == -1)
		return ctx_fail_nomem(err);
	b->nbeside = b->nreplaced = 0;
	for (m = 0; m < c->nmsg; m++) {
		b->nbeside += b->gone[m] != 0;
		b->nreplaced += b->gone[m] == CTX_BESIDE_REPLACED;
	}
	if (b->nbeside == 0 && (c->dialect == NULL || !c->dialect->is_export))
		return 0;
	if (note_beside(c, b->gone) == -1 || note_ties(c, b->gone) == -1)
		return ctx_fail_nomem(err);
	take_out(c, b->gone);
	return 0;
}

static int
save(struct ctx_branches *b, const struct ctx_convo *c)
{
	if (CTX_ROOM(b->rec, c->nrec, &b->caprec) == -1 ||
	    CTX_ROOM(b->msg, c->nmsg, &b->capmsg) == -1 ||
	    CTX_ROOM(b->part, c->npart, &b->cappart) == -1)
		return -1;
	memcpy(b->rec, c->rec, c->nrec * sizeof(*c->rec));
	memcpy(b->msg, c->msg, c->nmsg * sizeof(*c->msg));
	if (c->npart > 0)	/* neither has any memory */
		memcpy(b->part, c->part, c->npart * sizeof(*c->part));
	b->nmsg = c->nmsg;
	b->npart = c->npart;
	return 0;
}

static void
restore(const struct ctx_branches *b, struct ctx_convo *c)
{
	memcpy(c->rec, b->rec, c->nrec * sizeof(*c->rec));
	memcpy(c->msg, b->msg, b->nmsg * sizeof(*c->msg));
	if (b->npart > 0)
		memcpy(c->part, b->part, b->npart * sizeof(*c->part));
	c->nmsg = b->nmsg;
	c->npart = b->npart;
	c->nbeside = c->ntie = 0;
}

int
ctx_branch_first(struct ctx_branches *b, struct ctx_convo *c,
    struct ctx_err *err)
{
	b->nbeside = b->nmsg = 0;
	c->nbeside = c->ntie = 0;
	if (c->nmsg == 0)
		return 0;
	if (CTX_ROOM(b->gone, c->nmsg, &b->capgone) == -1 ||
	    CTX_ROOM(b->done, c->nmsg, &b->capdone) == -1 ||
	    (b->each && save(b, c) == -1))
		return ctx_fail_nomem(err);
	memset(b->done, 0, c->nmsg);
	return choose(b, c, c->nmsg - 1, err);
}

int
ctx_branch_next(struct ctx_branches *b, struct ctx_convo *c,
    struct ctx_err *err)
{
	uint32_t tip = b->each ? b->nmsg : 0;

	while (tip > 0 && b->done[tip - 1])
		tip--;
	if (tip == 0)
		return 0;
	restore(b, c);
	return choose(b, c, tip - 1, err) == -1 ? -1 : 1;
}

int
ctx_branch_is_beside(const struct ctx_convo *c, uint32_t rec, uint32_t node)
{
	struct ctx_odd place = { rec, node };

	return c->nbeside > 0 && bsearch(&place, c->beside, c->nbeside,
	    sizeof(place), compare_place) != NULL;
}

/* --- by what links them -------------------------------------------------- */

/*
 * Set on[] of the records that the one which is resumed follows; of all, where none
 * follows another.
 */
static int
climb(const struct ctx_chain *ch, const struct ctx_convo *c, unsigned char *on)
{
	unsigned char *is_on = calloc(ch->nrec + 1, 1);
	uint32_t r = ch->tip > 0 ? ch->tip : c->nrec, n = CTX_NONE;
	const int all = !ch->linked;

	if (is_on == NULL)
		return -1;
	while (r > 0 && n == CTX_NONE)
		if (c->rec[--r].nmsg > 0)
			n = c->rec[r].link - 1;
	for (; n != CTX_NONE && !is_on[n]; n = ch->rec[n].parent)
		is_on[n] = 1;
	for (r = 0; r < c->nrec; r++)
		on[r] = all || c->rec[r].link == 0 ||
		    is_on[c->rec[r].link - 1];
	free(is_on);
	return 0;
}

/* Records that are no messages are in the branch if it goes through them. */
static void
mark_others(struct ctx_chain *ch, const struct ctx_convo *c,
    const unsigned char *on)
{
	uint32_t r;

	for (r = 0; r < c->nrec; r++)
		if (c->rec[r].link > 0 && c->rec[r].nmsg == 0)
			ch->rec[c->rec[r].link - 1].beside = !on[r];
}

/* Note which records follow one that is a part of the same message. */
static void
note_parts(struct ctx_chain *ch, const struct ctx_convo *c)
{
	const struct ctx_msg *last = NULL, *m;
	uint32_t i, n, before = CTX_NONE;

	for (i = 0; i < c->nmsg; i++) {
		m = &c->msg[i];
		if (m->join.p == NULL || (n = c->rec[m->rec].link) == 0)
			continue;
		if (last != NULL && ctx_str_same(last->join, m->join) &&
		    ch->rec[n - 1].parent == before)
			ch->rec[before].part = n - 1;
		last = m;
		before = n - 1;
	}
}

int
ctx_branch_mark(struct ctx_chain *ch, const struct ctx_convo *c,
    struct ctx_err *err)
{
	unsigned char *on = malloc(c->nrec + (size_t)1);
	unsigned char *gone = calloc(c->nmsg + (size_t)1, 1);
	int rc = on == NULL || gone == NULL ? -1 : climb(ch, c, on);
	uint32_t r, m, k;

	if (rc == 0)
		rc = ctx_envelope_beside(c, c->dialect, on, gone);
	for (r = 0; r < c->nrec && rc == 0; r++)
		if ((k = c->rec[r].link) > 0)
			ch->rec[k - 1].beside = ch->rec[k - 1].off = 0;
	for (m = 0; m < c->nmsg && rc == 0; m++)
		if (gone[m] && (k = c->rec[c->msg[m].rec].link) > 0)
			ch->rec[k - 1].off = 1;
	if (rc == 0)
		rc = settle_results(c, gone);
	for (m = 0; m < c->nmsg && rc == 0; m++)
		if (gone[m] && (k = c->rec[c->msg[m].rec].link) > 0)
			ch->rec[k - 1].beside = 1;
	if (rc == 0) {
		mark_others(ch, c, on);
		note_parts(ch, c);
	}
	free(on);
	free(gone);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}
