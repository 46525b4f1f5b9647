/* SPDX-License-Identifier: MIT */
/* Links between the records of a session; see session.h. */
#include "decide/session.h"

#include <stdlib.h>
#include <string.h>

#include "view/branch.h"

struct walk {
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	const struct ctx_chain_form *form;
	struct ctx_chain *chain;
	uint32_t *rec_of;	/* by number: the first record of that id */
	uint32_t *number, *parent;	/* by record; CTX_NONE: none */
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

/* The last record before r that is not later; CTX_NONE if there is none. */
static uint32_t
before(const struct walk *w, uint32_t r)
{
	uint32_t q = r;

	while (q-- > 0)
		if (is_linked(w, q) && !is_later(w, q, r))
			return q;
	return CTX_NONE;
}

/* The branch of record r goes on before it with record to. */
static void
take_into_branch(const struct walk *w, uint32_t r, uint32_t to)
{
	struct ctx_chain_rec *rec = w->chain->rec;
	uint32_t n = w->number[to];

	if (rec[w->number[r]].beside)
		return;
	while (n != CTX_NONE && rec[n].beside) {
		rec[n].beside = 0;
		n = rec[n].parent;
	}
}

/* Make record r follow record to; CTX_NONE: none. */
static int
join(const struct walk *w, enum ctx_fault fault, uint32_t r, uint32_t to)
{
	struct ctx_doc doc = doc_of(w, r);
	uint32_t node = member(w, r, w->form->parent);
	struct ctx_change change = { .rule = ctx_fault_texts[fault].id,
	    .rec = r, .msg = CTX_NONE };
	struct ctx_str id = { "null", 4 };

	if (to != CTX_NONE) {
		doc = doc_of(w, to);
		id = ctx_node_json(&doc, member(w, to, w->form->id));
	}
	doc = doc_of(w, r);
	change.before = ctx_node_str(&doc, node);
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
	return w->tell ? ctx_plan_tell(w->plan, &change, id, w->err) : 0;
}

/* Does record r follow from itself?  What comes before it is in order. */
static int
is_loop(const struct walk *w, uint32_t r)
{
	uint32_t steps, up = r;

	for (steps = 0; steps <= w->c->nrec; steps++) {
		if (w->parent[up] == CTX_NONE ||
		    (up = w->rec_of[w->parent[up]]) == CTX_NONE)
			return 0;
		if (up == r)
			return 1;
	}
	return 0;		/* it leads into another loop */
}

static int
check_parent(struct walk *w, uint32_t r)
{
	uint32_t p = w->parent[r], of, last;

	if (p == CTX_NONE || !is_linked(w, r))
		return 0;
	of = w->rec_of[p];
	last = before(w, r);
	if (of == CTX_NONE)
		/* the file may go on from another one */
		return last == CTX_NONE ? w->check ? found(w, CTX_F_LOST_PARENT, r, member(w, r,
		    w->form->parent), 0) : 0 :
		    join(w, CTX_F_LOST_PARENT, r, last);
	return of < r || !is_loop(w, r) ? 0 :
	    join(w, CTX_F_CHAIN_LOOP, r, last);
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
	up = w->parent[r] == CTX_NONE ? CTX_NONE : w->rec_of[w->parent[r]];
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
	for (r = 0; r < w->c->nrec; r++) {
		if (w->number[r] == CTX_NONE)
			continue;
		if (check_parent(w, r) == -1 ||
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
	int rc = -1;

	if (c->nrec == 0 || chain->form == NULL)
		return 0;
	w.number = malloc(c->nrec * sizeof(*w.number));
	w.parent = malloc(c->nrec * sizeof(*w.parent));
	if (w.number == NULL || w.parent == NULL)
		ctx_fail_nomem(err);
	else
		rc = check_all(&w);
	free(w.rec_of);
	free(w.number);
	free(w.parent);
	return rc;
}
