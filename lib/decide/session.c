/* SPDX-License-Identifier: MIT */
/* Links between the records of a session; see session.h. */
#include "decide/session.h"

#include <stdlib.h>
#include <string.h>

#include "view/branch.h"

/* How far back a record is sought that can be followed. */
#define LOOK_BACK	1000

struct walk {
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	const struct ctx_chain_form *form;
	struct ctx_chain *chain;
	uint32_t *rec_of;	/* by number: the first record of that id */
	uint32_t *number, *parent;	/* by record; CTX_NONE: none */
	uint32_t *end;		/* by record: the one where its chain ends */
	unsigned char *sound;	/* by such a record: nothing is to be mended
				   there, or that is done */
	uint32_t root;		/* the first record without a parent, or
				   CTX_NONE */
	struct ctx_str session;	/* the name of the session; .p may be NULL */
	int check, tell;
	struct ctx_err *err;
};

static struct ctx_doc
doc_of(const struct walk *w, uint32_t r)
{
	return ctx_convo_doc(w->c, r);
}

static uint32_t
member(const struct walk *w, uint32_t r, const char *key)
{
	struct ctx_doc doc = doc_of(w, r);

	return ctx_chain_member(&doc, w->c->rec[r].root, key);
}

static struct ctx_str
string(const struct walk *w, uint32_t r, const char *key)
{
	struct ctx_doc doc = doc_of(w, r);

	return ctx_node_str(&doc, member(w, r, key));
}

/* Is it a record of a side conversation, though it is no message? */
static int
is_aside(const struct walk *w, uint32_t r)
{
	struct ctx_doc doc = doc_of(w, r);

	return w->c->rec[r].thread.p == NULL && ctx_node_if(&doc, member(w, r,
	    "isSidechain"), 't') != CTX_NONE;
}

static int
found(const struct walk *w, enum ctx_fault fault, uint32_t r, uint32_t node,
    int fixed)
{
	struct ctx_finding *f;

	if (ctx_plan_find(w->plan, fault, CTX_NONE, CTX_NONE, fixed,
	    w->err) == -1)
		return -1;
	f = &w->plan->finding[w->plan->nfinding - 1];
	f->rec = r;
	f->node = node != CTX_NONE ? node : w->c->rec[r].root;
	f->warning = fault != CTX_F_TWICE_ID && !fixed;
	return 0;
}

/* Does record r follow another one, or could it?  A file's first line may not. */
static int
is_linked(const struct walk *w, uint32_t r)
{
	return w->number[r] != CTX_NONE && !is_aside(w, r) &&
	    member(w, r, w->form->parent) != CTX_NONE;
}

/* Is record a later than b by their times, which are of one form? */
static int
is_later(const struct walk *w, uint32_t a, uint32_t b)
{
	struct ctx_str x = string(w, a, "timestamp");
	struct ctx_str y = string(w, b, "timestamp");

	return x.len > 0 && x.len == y.len && memcmp(x.p, y.p, x.len) > 0;
}

/* The record that r follows; CTX_NONE if it is not there. */
static uint32_t
up_from(const struct walk *w, uint32_t r)
{
	return w->parent[r] == CTX_NONE ? CTX_NONE : w->rec_of[w->parent[r]];
}

/*
 * The last record before r that is not later and does not follow from r;
 * CTX_NONE if there is none among the LOOK_BACK before it.
 */
static uint32_t
before(const struct walk *w, uint32_t r)
{
	uint32_t q = r, first = r > LOOK_BACK ? r - LOOK_BACK : 0;

	while (q-- > first)
		if (is_linked(w, q) && w->sound[w->end[q]] &&
		    w->number[q] != w->number[r] && !is_later(w, q, r))
			return q;
	return CTX_NONE;
}

/* The branch of record r goes on before it with record to. */
static void
take_into_branch(const struct walk *w, uint32_t r, uint32_t to)
{
	struct ctx_chain_rec *rec = w->chain->rec;
	uint32_t n = w->number[to];
	size_t steps = w->chain->nrec;

	if (rec[w->number[r]].beside)
		return;
	for (; n != CTX_NONE && steps-- > 0; n = rec[n].parent)
		rec[n].beside = 0;
}

/* Make record r follow record to; CTX_NONE: none. */
static int
join(const struct walk *w, enum ctx_fault fault, uint32_t r, uint32_t to)
{
	struct ctx_doc doc;
	uint32_t node = member(w, r, w->form->parent);
	struct ctx_change change = { .rule = ctx_fault_texts[fault].id,
	    .rec = r, .msg = CTX_NONE, .node = node, .linked = 1 };
	struct ctx_str id = { "null", 4 };

	if (to != CTX_NONE) {
		doc = doc_of(w, to);
		id = ctx_node_json(&doc, member(w, to, w->form->id));
		change.id = string(w, to, w->form->id);
	}
	w->parent[r] = to == CTX_NONE ? CTX_NONE : w->number[to];
	w->chain->rec[w->number[r]].parent = w->parent[r];
	if (to != CTX_NONE)
		take_into_branch(w, r, to);
	/* what goes has a row of its own */
	if (!w->check && w->c->rec[r].nmsg > 0 && ctx_plan_drops(w->plan,
	    w->c->rec[r].msg, w->c->rec[r].msg + w->c->rec[r].nmsg))
		return 0;
	if (found(w, fault, r, node, 1) == -1 ||
	    ctx_plan_rewrite(w->plan, r, node, 1, id, w->err) == -1)
		return -1;
	return w->tell ? ctx_plan_tell(w->plan, &change, change.id, w->err) : 0;
}

/* The first record of the loop that r is in, but only one that can be joined. */
static uint32_t
first_of_loop(const struct walk *w, uint32_t r)
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
find_ends(struct walk *w)
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
mend_end(struct walk *w, uint32_t r)
{
	int is_lost = up_from(w, r) == CTX_NONE;
	int must = w->parent[r] != CTX_NONE && is_linked(w, r);
	uint32_t last;

	if (w->end[r] != r)
		return 0;
	last = must ? before(w, r) : CTX_NONE;
	w->sound[r] = 1;
	if (!must)
		return 0;
	if (!is_lost || last != CTX_NONE)
		return join(w, is_lost ? CTX_F_LOST_PARENT : CTX_F_CHAIN_LOOP,
		    r, last);
	/* the file may go on from another one */
	return !w->check ? 0 : found(w, CTX_F_LOST_PARENT, r,
	    member(w, r, w->form->parent), 0);
}

/* Find what is only reported about record r, which has an id. */
static int
check_record(struct walk *w, uint32_t r)
{
	struct ctx_str session = string(w, r, "sessionId");
	uint32_t id = member(w, r, w->form->id), up;

	if (w->rec_of[w->number[r]] != r && found(w, CTX_F_TWICE_ID, r, id,
	    0) == -1)
		return -1;
	if (w->session.p == NULL)
		w->session = session;
	else if (session.p != NULL && !ctx_str_same(session, w->session) &&
	    found(w, CTX_F_OTHER_SESSION, r, member(w, r, "sessionId"), 0) == -1)
		return -1;
	up = up_from(w, r);
	if (w->parent[r] == CTX_NONE) {
		if (w->root != CTX_NONE && found(w, CTX_F_SECOND_ROOT, r, id, 0) == -1)
			return -1;
		if (w->root == CTX_NONE)
			w->root = r;
	}
	if (up != CTX_NONE && ctx_branch_is_beside(w->c, r,
	    w->c->rec[r].root) && !ctx_branch_is_beside(w->c, up,
	    w->c->rec[up].root) && w->c->rec[up].nmsg > 0)
		return found(w, CTX_F_DEAD_BRANCH, r, id, 0);
	return 0;
}

/* Note the ids, and find the parents. */
static int
read_all(struct walk *w)
{
	const struct ctx_convo *c = w->c;
	struct ctx_doc doc;
	uint32_t r;

	for (r = 0; r < c->nrec; r++) {
		w->number[r] = w->parent[r] = CTX_NONE;
		if (c->rec[r].root == CTX_NONE)
			continue;
		doc = doc_of(w, r);
		if (ctx_chain_read(w->chain, &doc, c->rec[r].root, &w->number[r],
		    &w->parent[r]) == -1)
			return -1;
	}
	w->rec_of = malloc((w->chain->nrec + 1) * sizeof(*w->rec_of));
	if (w->rec_of == NULL)
		return -1;
	memset(w->rec_of, 0xff, w->chain->nrec * sizeof(*w->rec_of));
	for (r = c->nrec; r-- > 0;)
		if (w->number[r] != CTX_NONE)
			w->rec_of[w->number[r]] = r;
	return 0;
}

static int
check_all(struct walk *w)
{
	uint32_t r;

	if (read_all(w) == -1)
		return ctx_fail_nomem(w->err);
	find_ends(w);
	for (r = 0; r < w->c->nrec; r++) {
		if (w->number[r] == CTX_NONE)
			continue;
		if (mend_end(w, r) == -1 ||
		    (w->check && is_linked(w, r) && check_record(w, r) == -1))
			return -1;
	}
	return 0;
}

int
ctx_session_plan(struct ctx_plan *plan, const struct ctx_convo *c,
    struct ctx_chain *chain, int check, int tell, struct ctx_err *err)
{
	struct walk w = { .plan = plan, .c = c, .form = chain->form,
	    .chain = chain, .check = check, .tell = tell, .err = err,
	    .root = CTX_NONE };
	size_t n = c->nrec;
	int rc = -1;

	if (n == 0 || chain->form == NULL)
		return 0;
	w.number = malloc(n * sizeof(*w.number));
	w.parent = malloc(n * sizeof(*w.parent));
	w.end = malloc(n * sizeof(*w.end));
	w.sound = calloc(n, 1);
	if (w.number == NULL || w.parent == NULL || w.end == NULL ||
	    w.sound == NULL) {
		ctx_fail_nomem(err);
	} else {
		memset(w.end, 0xff, n * sizeof(*w.end));
		rc = check_all(&w);
	}
	free(w.rec_of);
	free(w.number);
	free(w.parent);
	free(w.end);
	free(w.sound);
	return rc;
}
