/* SPDX-License-Identifier: MIT */
/* Links between the records of a session; see session.h. */
#include "decide/session.h"

#include <stdlib.h>
#include <string.h>

#include "view/branch.h"

/* How far back a record is sought that can be followed. */
#define LOOK_BACK	1000

static struct ctx_doc
doc_of(const struct ctx_session *w, uint32_t r)
{
	return ctx_convo_doc(w->c, r);
}

/* The number of record r in the chain, or CTX_NONE. */
static uint32_t
number(const struct ctx_session *w, uint32_t r)
{
	return w->c->rec[r].link - 1;
}

static uint32_t
member(const struct ctx_session *w, uint32_t r, const char *key)
{
	struct ctx_doc doc = doc_of(w, r);

	return ctx_chain_member(&doc, w->c->rec[r].root, key);
}

static struct ctx_str
string(const struct ctx_session *w, uint32_t r, const char *key)
{
	struct ctx_doc doc = doc_of(w, r);

	return ctx_node_str(&doc, member(w, r, key));
}

/* Is it a record of a side conversation, though it is no message? */
static int
is_aside(const struct ctx_session *w, uint32_t r)
{
	struct ctx_doc doc = doc_of(w, r);

	return w->c->rec[r].nmsg == 0 && ctx_node_if(&doc, member(w, r,
	    "isSidechain"), 't') != CTX_NONE;
}

/* Does record r follow another one, or could it?  A file's first line may not. */
static int
is_linked(const struct ctx_session *w, uint32_t r)
{
	return number(w, r) != CTX_NONE && !is_aside(w, r) &&
	    (w->c->rec[r].follows > 0 ||
	    member(w, r, w->chain->form->parent) != CTX_NONE);
}

/* Is record a later than b by their times, which are of one form? */
static int
is_later(const struct ctx_session *w, uint32_t a, uint32_t b)
{
	struct ctx_str x = string(w, a, "timestamp");
	struct ctx_str y = string(w, b, "timestamp");

	return x.len > 0 && x.len == y.len && memcmp(x.p, y.p, x.len) > 0;
}

/* The record that r follows; CTX_NONE if it is not there. */
static uint32_t
up_from(const struct ctx_session *w, uint32_t r)
{
	return w->parent[r] == CTX_NONE ? CTX_NONE : w->rec_of[w->parent[r]];
}

/* Is r the record that its id names, the first that has it? */
static int
is_named(const struct ctx_session *w, uint32_t r)
{
	return w->rec_of[number(w, r)] == r;
}

/* The record where the chain of r ends now; shortens the way to it. */
static uint32_t
end_of(struct ctx_session *w, uint32_t r)
{
	uint32_t end = r, next;

	while (w->end[end] != end)
		end = w->end[end];
	for (; r != end; r = next) {
		next = w->end[r];
		w->end[r] = end;
	}
	return end;
}

/*
 * The last record before r that is not later and does not follow from r, the end
 * of a chain; CTX_NONE if there is none among the LOOK_BACK before it.
 */
static uint32_t
before(struct ctx_session *w, uint32_t r)
{
	uint32_t q = r, first = r > LOOK_BACK ? r - LOOK_BACK : 0;

	while (q-- > first)
		if (is_linked(w, q) && is_named(w, q) && end_of(w, q) != r &&
		    !is_later(w, q, r))
			return q;
	return CTX_NONE;
}

/* Make record r follow record to; CTX_NONE: none. */
static int
join(struct ctx_session *w, enum ctx_fault fault, uint32_t r, uint32_t to)
{
	if (CTX_ROOM(w->join, w->njoin, &w->capjoin) == -1)
		return -1;
	w->join[w->njoin++] = (struct ctx_session_join){ fault, r, to };
	w->parent[r] = to == CTX_NONE ? CTX_NONE : number(w, to);
	if (to != CTX_NONE)
		w->end[r] = end_of(w, to);
	w->chain->rec[number(w, r)].parent = w->parent[r];
	return 0;
}

/* The first record of the loop that r is in, but only one that can be joined. */
static uint32_t
first_of_loop(const struct ctx_session *w, uint32_t r)
{
	uint32_t first = CTX_NONE, up = r;

	do {
		if (up < first && is_linked(w, up))
			first = up;
		up = up_from(w, up);
	} while (up != r);
	return first != CTX_NONE ? first : r;
}

/*
 * Find where each record's chain ends: at one without a parent, at one whose
 * parent is not there, or at the first of a loop.
 */
static void
find_ends(struct ctx_session *w)
{
	const uint32_t on_path = CTX_NONE - 1;
	uint32_t r, at, end, next;

	for (r = 0; r < w->c->nrec; r++) {
		end = at = r;
		for (; at != CTX_NONE && w->end[at] == CTX_NONE;
		    at = up_from(w, at))
			w->end[end = at] = on_path;
		if (at != CTX_NONE)
			end = w->end[at] == on_path ? first_of_loop(w, at) :
			    w->end[at];
		for (at = r; at != CTX_NONE && w->end[at] == on_path; at = next) {
			next = up_from(w, at);
			w->end[at] = end;
		}
	}
}

/* Join the chain that ends at record r to what comes before, if it must be. */
static int
mend_end(struct ctx_session *w, uint32_t r)
{
	int is_lost = up_from(w, r) == CTX_NONE;
	int must = w->parent[r] != CTX_NONE && is_linked(w, r);
	uint32_t last;

	/* nothing follows another record of an id */
	if (w->end[r] != r || !must || !is_named(w, r))
		return 0;
	last = before(w, r);
	/* the first one may go on from another file */
	return is_lost && last == CTX_NONE ? 0 : join(w, is_lost ?
	    CTX_F_LOST_PARENT : CTX_F_CHAIN_LOOP, r, last);
}

/* Note the ids, and what follows what. */
static int
read_all(struct ctx_session *w)
{
	const struct ctx_convo *c = w->c;
	uint32_t r;

	for (r = 0; r < c->nrec; r++) {
		w->parent[r] = c->rec[r].follows - 1;
		w->end[r] = CTX_NONE;
	}
	if (CTX_ROOM(w->rec_of, w->chain->nrec, &w->caprec_of) == -1)
		return -1;
	memset(w->rec_of, 0xff, w->chain->nrec * sizeof(*w->rec_of));
	for (r = c->nrec; r-- > 0;)
		if (number(w, r) != CTX_NONE)
			w->rec_of[number(w, r)] = r;
	return 0;
}

int
ctx_session_read(struct ctx_session *w, const struct ctx_convo *c,
    struct ctx_chain *chain, struct ctx_err *err)
{
	uint32_t r;

	w->c = c;
	w->chain = chain;
	w->njoin = 0;
	if (chain == NULL || chain->form == NULL || c->nrec == 0) {
		w->chain = NULL;
		return 0;
	}
	if (CTX_ROOM(w->parent, c->nrec, &w->capparent) == -1 ||
	    CTX_ROOM(w->end, c->nrec, &w->capend) == -1 ||
	    read_all(w) == -1)
		return ctx_fail_nomem(err);
	find_ends(w);
	for (r = 0; r < c->nrec; r++)
		if (number(w, r) != CTX_NONE && mend_end(w, r) == -1)
			return ctx_fail_nomem(err);
	return w->njoin > 0 ? ctx_branch_mark(chain, c, err) : 0;
}

void
ctx_session_done(struct ctx_session *w)
{
	free(w->join);
	free(w->rec_of);
	free(w->parent);
	free(w->end);
	memset(w, 0, sizeof(*w));
}

/* --- branches ------------------------------------------------------------ */

static int
is_beside(const struct ctx_session *w, uint32_t r)
{
	return w->chain->rec[number(w, r)].beside;
}

/*
 * Is record r of a branch that is not resumed?  What is no message is where the
 * last message before it is.  w->end says of the records that were asked about.
 */
static int
is_dead(struct ctx_session *w, uint32_t r)
{
	enum { LIVE, DEAD };
	uint32_t at, next;
	int dead = LIVE;

	for (at = r; at != CTX_NONE && w->end[at] == CTX_NONE;
	    at = up_from(w, at)) {
		w->end[at] = LIVE;
		if (w->c->rec[at].nmsg > 0)
			break;
	}
	if (at != CTX_NONE)
		dead = w->c->rec[at].nmsg > 0 ? is_beside(w, at) :
		    (int)w->end[at];
	for (next = r; next != CTX_NONE && next != at; next = up_from(w, next))
		w->end[next] = (uint32_t)dead;
	if (at != CTX_NONE)
		w->end[at] = (uint32_t)dead;
	return dead;
}

int
ctx_session_drop_branches(struct ctx_session *w, struct ctx_plan *plan,
    int tell, struct ctx_err *err)
{
	struct ctx_change change = { .rule = "branches", .msg = CTX_NONE };
	struct ctx_str nothing = { NULL, 0 };
	const struct ctx_rec *rec;
	uint32_t r, m;

	if (w->chain == NULL)
		return 0;
	memset(w->end, 0xff, w->c->nrec * sizeof(*w->end));
	for (r = 0; r < w->c->nrec; r++) {
		if (number(w, r) == CTX_NONE || !is_dead(w, r))
			continue;
		rec = &w->c->rec[r];
		for (m = rec->msg; m < rec->msg + rec->nmsg; m++)
			ctx_plan_drop_msg(plan, m);
		ctx_plan_drop_rec(plan, r);
		change.rec = r;
		if (tell && ctx_plan_tell(plan, &change, nothing, err) == -1)
			return -1;
	}
	return 0;
}

/* --- what is found ------------------------------------------------------- */

/* What findings are added to. */
struct into {
	struct ctx_plan *plan;
	int check, tell;
	uint32_t root;		/* the first record without a parent, or
				   CTX_NONE */
	struct ctx_str session;	/* the name of the session; .p may be NULL */
	struct ctx_err *err;
};

static int
found(const struct ctx_session *w, struct into *to, enum ctx_fault fault,
    uint32_t r, uint32_t node, int fixed)
{
	struct ctx_finding *f;

	if (ctx_plan_find(to->plan, fault, CTX_NONE, CTX_NONE, fixed,
	    to->err) == -1)
		return -1;
	f = &to->plan->finding[to->plan->nfinding - 1];
	f->rec = r;
	f->node = node != CTX_NONE ? node : w->c->rec[r].root;
	f->warning = fault != CTX_F_TWICE_ID && !fixed;
	return 0;
}

/* Write, and tell, what a record follows now. */
static int
plan_join(const struct ctx_session *w, struct into *to,
    const struct ctx_session_join *j)
{
	uint32_t node = member(w, j->rec, w->chain->form->parent);
	struct ctx_change change = { .rule = ctx_fault_texts[j->fault].id,
	    .rec = j->rec, .msg = CTX_NONE, .node = node, .linked = 1 };
	struct ctx_str id = { "null", 4 };
	struct ctx_doc doc;

	if (j->to != CTX_NONE) {
		doc = doc_of(w, j->to);
		id = ctx_node_json(&doc, member(w, j->to, w->chain->form->id));
		change.id = string(w, j->to, w->chain->form->id);
	}
	/* what goes has a row of its own */
	if (!to->check && w->c->rec[j->rec].nmsg > 0 && ctx_plan_drops(to->plan,
	    w->c->rec[j->rec].msg, w->c->rec[j->rec].msg +
	    w->c->rec[j->rec].nmsg))
		return 0;
	if (found(w, to, j->fault, j->rec, node, 1) == -1 ||
	    ctx_plan_rewrite(to->plan, j->rec, node, 1, id, to->err) == -1)
		return -1;
	return to->tell ? ctx_plan_tell(to->plan, &change, change.id,
	    to->err) : 0;
}

/* Find what is only reported about record r, which has an id. */
static int
check_record(const struct ctx_session *w, struct into *to, uint32_t r)
{
	const struct ctx_chain_form *form = w->chain->form;
	struct ctx_str session = string(w, r, "sessionId");
	uint32_t id = member(w, r, form->id), up = up_from(w, r);

	if (w->parent[r] != CTX_NONE && up == CTX_NONE &&
	    found(w, to, CTX_F_LOST_PARENT, r, member(w, r, form->parent),
	    0) == -1)
		return -1;
	if (w->rec_of[number(w, r)] != r && found(w, to, CTX_F_TWICE_ID, r, id,
	    0) == -1)
		return -1;
	if (to->session.p == NULL)
		to->session = session;
	else if (session.p != NULL && !ctx_str_same(session, to->session) &&
	    found(w, to, CTX_F_OTHER_SESSION, r, member(w, r, "sessionId"),
	    0) == -1)
		return -1;
	if (w->parent[r] == CTX_NONE) {
		if (to->root != CTX_NONE)
			return found(w, to, CTX_F_SECOND_ROOT, r, id, 0);
		to->root = r;
	}
	return w->c->rec[r].nmsg == 0 || up == CTX_NONE || !is_beside(w, r) ||
	    is_beside(w, up) || w->c->rec[up].nmsg == 0 ? 0 :
	    found(w, to, CTX_F_DEAD_BRANCH, r, id, 0);
}

int
ctx_session_plan(const struct ctx_session *w, struct ctx_plan *plan, int check,
    int tell, struct ctx_err *err)
{
	struct into to = { .plan = plan, .check = check, .tell = tell,
	    .root = CTX_NONE, .err = err };
	uint32_t r;

	if (w->chain == NULL)
		return 0;
	for (r = 0; r < w->njoin; r++)
		if (plan_join(w, &to, &w->join[r]) == -1)
			return -1;
	for (r = 0; check && r < w->c->nrec; r++)
		if (number(w, r) != CTX_NONE && is_linked(w, r) &&
		    check_record(w, &to, r) == -1)
			return -1;
	return 0;
}

/* --- the end ------------------------------------------------------------- */

/* Is an entry of the plan's order, maybe an insert, beside the branch? */
static int
entry_beside(const struct ctx_session *w, const struct ctx_plan *plan,
    uint32_t entry)
{
	const struct ctx_insert *in;
	uint32_t m = entry, link;

	if (entry & CTX_INSERTED) {
		in = &plan->insert[entry & ~CTX_INSERTED];
		m = w->c->part[in->kind == CTX_NEW_MOVED ?
		    plan->moved[in->first] : in->part].msg;
	}
	link = w->c->rec[w->c->msg[m].rec].link;
	return link > 0 && w->chain->rec[link - 1].beside;
}

static int
goes(const struct ctx_plan *plan, uint32_t entry)
{
	return !(entry & CTX_INSERTED) && plan->drop_msg[entry];
}

/*
 * Record r goes to the end.  If its parent is not in the file, it follows nothing:
 * only the first record may go on from another file.
 */
static int
begin_anew(const struct ctx_session *w, struct into *to, uint32_t r)
{
	const struct ctx_session_join j = { CTX_F_LOST_PARENT, r, CTX_NONE };

	return w->parent[r] == CTX_NONE || up_from(w, r) != CTX_NONE ||
	    member(w, r, w->chain->form->parent) == CTX_NONE ? 0 :
	    plan_join(w, to, &j);
}

int
ctx_session_end(const struct ctx_session *w, struct ctx_plan *plan, int tell,
    struct ctx_err *err)
{
	struct ctx_change change = { .rule = "branches", .moved = 1 };
	const struct ctx_str nothing = { NULL, 0 };
	struct into to = { .plan = plan, .tell = tell, .err = err };
	uint32_t last = plan->norder, at, entry;

	if (w->chain == NULL)
		return 0;
	while (last > 0 && goes(plan, plan->order[last - 1]))
		last--;
	for (at = last; at > 0 && (goes(plan, plan->order[at - 1]) ||
	    entry_beside(w, plan, plan->order[at - 1])); at--)
		;
	if (at == 0 || at == last)
		return 0;
	entry = plan->order[at - 1];
	memmove(&plan->order[at - 1], &plan->order[at],
	    (last - at) * sizeof(*plan->order));
	plan->order[last - 1] = entry;
	plan->changed = plan->reordered = 1;
	if (entry & CTX_INSERTED)
		return 0;
	change.msg = entry;
	change.rec = w->c->msg[entry].rec;
	if (begin_anew(w, &to, change.rec) == -1)
		return -1;
	if (!tell)
		return 0;
	change.node = w->c->rec[change.rec].root;
	return ctx_plan_tell(plan, &change, nothing, err);
}
