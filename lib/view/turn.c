/* SPDX-License-Identifier: MIT */
/* From lines to turns; see turn.h. */
#include "view/turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "read/spell.h"

/* With this many conversations side by side, each must use little memory. */
#define MANY	4096

static void
strand_free(struct ctx_turns *t, struct ctx_strand *st)
{
	if (t->free_state != NULL && st->state != NULL)
		t->free_state(st->state);
	ctx_convo_done(&st->open);
	ctx_chain_done(&st->chain);
	free(st->join);
	free(st->key);
	free(st);
}

void
ctx_turns_forget(struct ctx_turns *t)
{
	struct ctx_strand *st, *newer;

	for (st = t->oldest; st != NULL; st = newer) {
		newer = st->newer;
		strand_free(t, st);
	}
	if (t->nbucket > 0)
		memset(t->bucket, 0, t->nbucket * sizeof(t->bucket[0]));
	t->nstrand = 0;
	t->oldest = t->newest = t->last = NULL;
}

void
ctx_turns_done(struct ctx_turns *t)
{
	ctx_turns_forget(t);
	free(t->bucket);
	ctx_buf_done(&t->key);
	ctx_convo_done(&t->one);
	ctx_convo_done(&t->spare);
	ctx_branch_done(&t->branches);
	ctx_apart_done(&t->apart);
}

static int
grow_table(struct ctx_turns *t)
{
	size_t n = t->nbucket == 0 ? 64 : t->nbucket * 4, h;
	struct ctx_strand **b = calloc(n, sizeof(*b)), *st;

	if (b == NULL)
		return -1;
	for (st = t->oldest; st != NULL; st = st->newer) {
		h = (size_t)ctx_strmap_hash(st->key, st->keylen + st->sublen) &
		    (n - 1);
		st->next = b[h];
		b[h] = st;
	}
	free(t->bucket);
	t->bucket = b;
	t->nbucket = n;
	return 0;
}

static struct ctx_strand *
strand_new(struct ctx_turns *t, const char *key, size_t len, size_t sublen)
{
	struct ctx_strand *st;
	size_t h;

	if (t->nstrand >= t->nbucket && grow_table(t) == -1)
		return NULL;
	if ((st = calloc(1, sizeof(*st))) == NULL)
		return NULL;
	if ((st->key = malloc(len + sublen + 1)) == NULL) {
		free(st);
		return NULL;
	}
	if (len + sublen > 0)
		memcpy(st->key, key, len + sublen);
	st->key[len + sublen] = '\0';
	st->keylen = len;
	st->sublen = sublen;
	st->dialect = t->dialect != NULL ? t->dialect : t->first;
	st->begun = t->seq;
	h = (size_t)ctx_strmap_hash(key, len + sublen) & (t->nbucket - 1);
	st->next = t->bucket[h];
	t->bucket[h] = st;
	if (t->newest != NULL)
		t->newest->newer = st;
	else
		t->oldest = st;
	t->newest = st;
	t->nstrand++;
	return st;
}

static int
is_strand(const struct ctx_strand *st, const char *key, size_t len,
    size_t sublen)
{
	return st->keylen == len && st->sublen == sublen &&
	    memcmp(st->key, key, len + sublen) == 0;
}

/* The strand with key key[0 .. len) and side key key[len .. len+sublen). */
static struct ctx_strand *
strand_find(struct ctx_turns *t, const char *key, size_t len, size_t sublen)
{
	struct ctx_strand *st = t->last;

	if (st != NULL && is_strand(st, key, len, sublen))
		return st;
	st = NULL;
	if (t->nbucket > 0)
		for (st = t->bucket[ctx_strmap_hash(key, len + sublen) &
		    (t->nbucket - 1)]; st != NULL; st = st->next)
			if (is_strand(st, key, len, sublen))
				break;
	if (st == NULL)
		st = strand_new(t, key, len, sublen);
	return t->last = st;
}

struct ctx_str
ctx_turns_key(const struct ctx_doc *doc, const char *by, struct ctx_buf *room)
{
	struct ctx_str key = ctx_node_json(doc, CTX_GIVEN(doc, 0, by));

	if (key.p == NULL)
		return (struct ctx_str){ "", 0 };
	if (ctx_spell_is_plain(key))
		return key;
	ctx_buf_reset(room);
	ctx_spell_plain(room, key);
	return ctx_str_of(room);
}

/* The key of the current record, t->one; .p is NULL if out of memory. */
static struct ctx_str
key_of(struct ctx_turns *t)
{
	struct ctx_doc doc = ctx_convo_doc(&t->one, 0);
	struct ctx_str key = { "", 0 };

	if (t->by != NULL && doc.n > 0)
		key = ctx_turns_key(&doc, t->by, &t->key);
	return t->key.failed ? (struct ctx_str){ NULL, 0 } : key;
}

static struct ctx_strand *
strand_of(struct ctx_turns *t)
{
	struct ctx_str key = key_of(t);

	return key.p == NULL ? NULL : strand_find(t, key.p, key.len, 0);
}

/* The side conversation of main that the current record, t->one, belongs to. */
static struct ctx_strand *
side_of(struct ctx_turns *t, struct ctx_strand *main)
{
	const struct ctx_str *name = &t->one.rec[0].thread;
	struct ctx_strand *st;

	ctx_buf_reset(&t->key);
	ctx_buf_add(&t->key, main->key, main->keylen);
	if (ctx_buf_add(&t->key, name->p, name->len) == -1)
		return NULL;
	st = strand_find(t, t->key.data, main->keylen, name->len);
	if (st != NULL && st->dialect == NULL)
		st->dialect = main->dialect;
	return st;
}

/* Find the branch of c, the conversation st, that would be resumed. */
static int
find_branch(struct ctx_turns *t, struct ctx_convo *c, struct ctx_strand *st,
    struct ctx_err *err)
{
	if (st->chain.form != NULL &&
	    ctx_branch_mark(&st->chain, c, err) == -1)
		return -1;
	if (t->branch == CTX_BRANCH_ALL)
		return st->chain.form == NULL ? 0 :
		    ctx_branch_late(&st->chain, c, err);
	t->branches.sent = t->sent;
	if (ctx_branch_first(&t->branches, c, err) == -1)
		return -1;
	t->held.replaced += t->branches.nreplaced;
	t->held.beside += t->branches.nbeside - t->branches.nreplaced;
	return 0;
}

/* Are all messages of the conversation delivered at once? */
static int
is_whole(const struct ctx_turns *t, const struct ctx_strand *st)
{
	return t->whole || (t->branch != CTX_BRANCH_ANY &&
	    st->dialect != NULL && st->dialect->branches != NULL);
}

static int
give(struct ctx_turns *t, struct ctx_convo *c, struct ctx_strand *st, int last,
    struct ctx_err *err)
{
	struct ctx_turn turn = { c, st, last };
	int rc = c->dialect != NULL && c->dialect->settle != NULL &&
	    c->dialect->settle(c) == -1 ? ctx_fail_nomem(err) : 0;

	if (rc == 0 && t->branch != CTX_BRANCH_ANY && st != NULL &&
	    st->dialect != NULL && st->dialect->branches != NULL)
		rc = find_branch(t, c, st, err);
	if (rc == 0)
		rc = t->turn(&turn, t->arg, err);
	ctx_convo_reset(c);
	return rc;
}

/* A conversation that waits for its next turn must not keep memory for it. */
static void
give_back(struct ctx_turns *t, struct ctx_convo *c)
{
	if (t->spare.caprec == 0) {
		t->spare = *c;
		memset(c, 0, sizeof(*c));
	} else
		ctx_convo_done(c);
}

/* Deliver the open turn and prepare for the next. */
static int
close_turn(struct ctx_turns *t, struct ctx_strand *st, int last,
    struct ctx_err *err)
{
	int rc = 0;

	if (st->open.nrec > 0)
		rc = give(t, &st->open, st, last, err);
	if (t->by != NULL || st->sublen > 0)
		give_back(t, &st->open);
	memset(&st->flow, 0, sizeof(st->flow));
	st->check = 0;
	return rc;
}

/* Does message m continue the assistant message that st saw last? */
static int
joins(const struct ctx_strand *st, const struct ctx_msg *m)
{
	return m->join.p != NULL && st->joinlen == m->join.len &&
	    memcmp(st->join, m->join.p, m->join.len) == 0;
}

static int
remember_join(struct ctx_strand *st, const struct ctx_msg *m)
{
	st->joinlen = 0;
	if (m->join.p == NULL)
		return 0;
	if (CTX_ROOM(st->join, m->join.len, &st->joincap) == -1)
		return -1;
	memcpy(st->join, m->join.p, m->join.len);
	st->joinlen = m->join.len;
	return 0;
}

/*
 * Keep the current record.  With many interleaved conversations it may be kept
 * for long, and it would keep a whole block alive, so it gets memory of its
 * own.
 */
static int
keep(struct ctx_turns *t, const struct ctx_strand *st, struct ctx_rec *r)
{
	struct ctx_block *own;

	if (t->by == NULL && st->sublen == 0)
		return 0;
	if ((own = ctx_block_new(r->len)) == NULL)
		return -1;
	memcpy(own->data, r->raw, r->len);
	ctx_convo_rebase(&t->one, own->data);
	ctx_block_drop(r->block);
	r->block = own;
	return 0;
}

/*
 * If a line that is not JSON directly follows another such line, make both one
 * record, since there may be millions of blank lines.
 */
static int
lengthens(struct ctx_turns *t, struct ctx_strand *st)
{
	const struct ctx_rec *r = &t->one.rec[0];
	struct ctx_rec *last;

	if (st->open.nrec == 0 || r->root != CTX_NONE)
		return 0;
	last = &st->open.rec[st->open.nrec - 1];
	if (last->root != CTX_NONE || last->block != r->block ||
	    last->raw + last->len != r->raw || last->seq + 1 != r->seq ||
	    last->raw[last->len - 1] != '\n')
		return 0;
	last->len += r->len;
	t->seq--;
	ctx_convo_reset(&t->one);
	return 1;
}

/* Append the current record to the open turn, which may be empty. */
static int
hold(struct ctx_turns *t, struct ctx_strand *st, struct ctx_err *err)
{
	struct ctx_convo tmp;

	if (lengthens(t, st))
		return 0;
	if (keep(t, st, &t->one.rec[0]) == -1)
		return ctx_fail_nomem(err);
	if (st->open.nrec == 0) {
		tmp = st->open;
		if (tmp.caprec == 0) {
			tmp = t->spare;
			memset(&t->spare, 0, sizeof(t->spare));
		}
		st->open = t->one;
		t->one = tmp;
		if (t->nstrand > MANY)
			ctx_convo_fit(&st->open);
		return 0;
	}
	if (ctx_convo_take(&st->open, &t->one) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

/* Mark a message that continues the one before it, and remember its join id. */
static int
join(struct ctx_strand *st, unsigned rules, struct ctx_msg *m)
{
	if (m->role == CTX_ASSISTANT) {
		/* what is no longer sent is not continued */
		if (!(m->flags & CTX_BOUNDARY) && (joins(st, m) ||
		    (rules & CTX_RULE_RUNS && st->speaking)))
			m->flags |= CTX_JOINED;
		if (remember_join(st, m) == -1)
			return -1;
	}
	st->speaking = m->role == CTX_ASSISTANT;
	return 0;
}

/*
 * Is it worth asking whether all calls of the open turn have their results?  As
 * a turn grows, this is asked less and less often.
 */
static int
may_be_complete(const struct ctx_turns *t, struct ctx_strand *st,
    unsigned rules)
{
	if (t->complete == NULL || rules & CTX_RULE_LOG ||
	    st->flow.state < CTX_FLOW_FOLLOWED || st->flow.open > 0 ||
	    st->open.nrec < st->check)
		return 0;
	st->check = st->open.nrec + st->open.nrec / 8;
	return 1;
}

/* Deliver the current record, unless it must wait in the open turn. */
static int
pass(struct ctx_turns *t, struct ctx_strand *st, struct ctx_err *err)
{
	if (st->open.nrec > 0 || is_whole(t, st))
		return hold(t, st, err);
	return give(t, &t->one, st, 0, err);
}

/* A change of dialect begins a new turn, unless the new one adds to the old. */
static int
change_dialect(struct ctx_turns *t, struct ctx_strand *st,
    struct ctx_err *err)
{
	if (t->one.dialect == st->dialect)
		return 0;
	if (st->dialect != NULL && !is_whole(t, st) &&
	    (t->one.dialect == NULL || t->one.dialect->base != st->dialect) &&
	    close_turn(t, st, 0, err) == -1)
		return -1;
	st->dialect = t->one.dialect;
	return 0;
}

/* Add the messages of the current record to the turn. */
static void
flow_on(struct ctx_flow *f, const struct ctx_convo *one,
    const struct ctx_dialect *d)
{
	uint32_t i;

	for (i = 0; i < one->nmsg; i++)
		ctx_flow_add(f, one, i);
	if (f->hold == CTX_HOLD_CALLS)
		return;
	f->hold = CTX_HOLD_NOT;
	if (d != NULL && one->msg[0].role == CTX_ASSISTANT &&
	    (d->settle != NULL || (d->rules & CTX_RULE_LEADS &&
	    ctx_msg_thinks(one, one->nmsg - 1))))
		f->hold = CTX_HOLD_LEADS;
}

static int
add_message(struct ctx_turns *t, struct ctx_strand *st, struct ctx_err *err)
{
	struct ctx_flow *f = &st->flow;
	enum ctx_flow_hold was;
	struct ctx_msg *m;
	unsigned rules;

	if (change_dialect(t, st, err) == -1)
		return -1;
	if (t->one.nmsg == 0)
		return pass(t, st, err);
	m = &t->one.msg[0];
	rules = st->dialect != NULL ? st->dialect->rules : 0;
	if (join(st, rules, m) == -1)
		return ctx_fail_nomem(err);
	if (is_whole(t, st))
		return hold(t, st, err);
	was = f->hold;
	if (st->open.nrec > 0 && ctx_flow_ends(f, rules, m)) {
		if (ctx_flow_resumes(f, &t->one, 0))
			*f = (struct ctx_flow){ .hanging = f->hanging };
		else if (close_turn(t, st, 0, err) == -1)
			return -1;
		else
			was = f->hold;
	}
	flow_on(f, &t->one, st->dialect);
	if (was == CTX_HOLD_NOT && f->hold == CTX_HOLD_NOT) {
		memset(f, 0, sizeof(*f));
		return give(t, &t->one, st, 0, err);
	}
	if (hold(t, st, err) == -1)
		return -1;
	if (f->hold == CTX_HOLD_NOT || (may_be_complete(t, st, rules) &&
	    t->complete(&st->open, t->arg)))
		return close_turn(t, st, 0, err);
	return 0;
}

/*
 * Make the line the only record of t->one, which holds its block until the
 * record is delivered.  Nodes and messages are added later.
 */
static struct ctx_rec *
begin(struct ctx_turns *t, const struct ctx_line *line)
{
	struct ctx_rec *r;

	ctx_convo_reset(&t->one);	/* an error leaves its record here */
	if ((r = ctx_convo_add_rec(&t->one)) == NULL)
		return NULL;
	r->raw = line->raw;
	r->len = line->len;
	r->line = line->no;
	r->tall = line->more > 0;
	r->item = line->item;
	r->block = line->block;
	ctx_block_hold(r->block);
	r->seq = t->seq++;
	r->shape = CTX_REC_OTHER;
	return r;
}

int
ctx_turns_foreign(struct ctx_turns *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_strand *st;

	if (begin(t, line) == NULL || (st = strand_of(t)) == NULL)
		return ctx_fail_nomem(err);
	t->one.dialect = st->dialect;
	return pass(t, st, err);
}

void
ctx_held_add(struct ctx_held *to, const struct ctx_held *more)
{
	to->records += more->records;
	to->messages += more->messages;
	to->lines += more->lines;
	to->keyed += more->keyed;
	to->beside += more->beside;
	to->replaced += more->replaced;
	to->sessions += more->sessions;
	to->odd += more->odd;
	if (more->odd > 0 && (to->odd_line == 0 ||
	    more->odd_line < to->odd_line))
		to->odd_line = more->odd_line;
}

/* Count the current record, of strand st if it is a line, before it is delivered. */
static void
count(struct ctx_turns *t, const struct ctx_strand *st)
{
	int keyed = t->by != NULL && t->one.nmsg > 0 &&
	    t->one.rec[0].shape != CTX_REC_CONVERSATION;
	const struct ctx_dialect *d = t->one.rec[0].dialect;
	struct ctx_held one = { .records = 1, .messages = t->one.nmsg,
	    .lines = keyed, .keyed = keyed && st->keylen > 0,
	    .sessions = d != NULL &&
	    d->rules & (CTX_RULE_LOG | CTX_RULE_SESSION),
	    .odd = t->one.nodd, .odd_line = t->one.rec[0].line };

	ctx_held_add(&t->held, &one);
	if (t->by == NULL && ctx_apart_open(&t->apart) && one.sessions == 0 &&
	    t->one.rec[0].shape == CTX_REC_MESSAGE)
		ctx_apart_see(&t->apart, &t->one.doc);
}

/* Scan the nodes of the line into t->one. */
static int
scan(struct ctx_turns *t, const struct ctx_line *line, struct ctx_err *err)
{
	const struct ctx_node *known = t->known.node;
	struct ctx_doc *doc = &t->one.doc;

	t->known.node = NULL;
	if (known == NULL)
		return ctx_doc_scan(doc, line->raw, line->len, err);
	if (CTX_ROOM(doc->node, t->known.n, &doc->cap) == -1)
		return ctx_fail_nomem(err);
	memcpy(doc->node, known, t->known.n * sizeof(*known));
	doc->n = t->known.n;
	doc->escapes = t->known.escapes;
	doc->raw = line->raw;
	doc->len = line->len;
	return 0;
}

/* Is the record one that a conversation has had?  Then it is not a message. */
static void
only_once(struct ctx_convo *one, struct ctx_strand *st)
{
	if (one->nmsg == 0 || !(one->msg[0].flags & CTX_ONCE))
		return;
	if (st->once) {
		one->rec[0].shape = CTX_REC_OTHER;
		one->rec[0].nmsg = one->nmsg = one->npart = 0;
	}
	st->once = 1;
}

/* Find what links the current record, of strand st, to others. */
static int
read_links(struct ctx_turns *t, struct ctx_strand *st, struct ctx_err *err)
{
	const struct ctx_dialect *d = t->one.dialect;
	struct ctx_rec *r = &t->one.rec[0];
	uint32_t number, parent;

	if (!t->chained || d == NULL || d->chain == NULL)
		return 0;
	st->chain.form = d->chain;
	if (ctx_chain_read(&st->chain, &t->one.doc, r->root, &number,
	    &parent) == -1)
		return ctx_fail_nomem(err);
	r->link = number + 1;		/* CTX_NONE becomes 0 */
	r->follows = parent + 1;
	return 0;
}

/* Pass on a record that is no conversation, of strand st. */
static int
take(struct ctx_turns *t, struct ctx_strand *st, struct ctx_err *err)
{
	int is_message = t->one.rec[0].shape == CTX_REC_MESSAGE;
	uint32_t link, follows;

	if (is_message && t->one.rec[0].thread.p != NULL &&
	    (st = side_of(t, st)) == NULL)
		return ctx_fail_nomem(err);
	if (!is_message && st->dialect == NULL)
		st->dialect = t->one.dialect;
	if (read_links(t, st, err) == -1)
		return -1;
	link = t->one.rec[0].link;
	follows = t->one.rec[0].follows;
	if ((is_message ? add_message(t, st, err) : pass(t, st, err)) == -1)
		return -1;
	/* what was written until now could not know of it */
	ctx_chain_see(&st->chain, link - 1, follows - 1, is_message);
	return 0;
}

/* View the nodes in t->one. */
static int
view(struct ctx_turns *t, const struct ctx_dialect *state, struct ctx_err *err)
{
	const struct ctx_dialect *d;

	if (ctx_dialect_view(&t->one, state, t->dialect != NULL, err) == -1)
		return -1;
	if (t->by_line != NULL && *t->by_line &&
	    t->one.rec[0].shape == CTX_REC_MESSAGE)
		return ctx_fail(err, CTX_EINPUT, "a message after whole "
		    "conversations, which --shard divides by line; give --by KEY "
		    "or separate them");
	d = t->one.rec[0].dialect;
	return d == NULL || !d->is_export || t->exports ? 0 :
	    ctx_fail(err, CTX_EINPUT, "%s can only be converted, with "
	    "ctx-convert", d->title);
}

int
ctx_turns_line(struct ctx_turns *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_strand *st;
	struct ctx_rec *r;

	if (ctx_line_blank(line->raw, line->len))
		return ctx_turns_foreign(t, line, err);
	if ((r = begin(t, line)) == NULL)
		return ctx_fail_nomem(err);
	if (scan(t, line, err) == -1)
		goto bad;
	r->root = 0;
	if ((st = strand_of(t)) == NULL)
		return ctx_fail_nomem(err);
	if (view(t, st->dialect, err) == -1)
		goto bad;
	only_once(&t->one, st);
	count(t, st);
	return t->one.rec[0].shape == CTX_REC_CONVERSATION ?
	    give(t, &t->one, NULL, 1, err) : take(t, st, err);
bad:
	/* it does not become a record, so its number is free again */
	ctx_convo_reset(&t->one);
	t->seq--;
	err->line = line->no;
	if (line->more > 0 && err->col > 0)
		ctx_line_place(line->raw, err->col - 1, &err->line, &err->col);
	return -1;
}

int
ctx_turns_alone(struct ctx_turns *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_err bad = { 0 };
	int rc = CTX_ALONE_MIXED;

	if (ctx_line_blank(line->raw, line->len))
		return CTX_ALONE_NONE;
	if (begin(t, line) == NULL)
		return ctx_fail_nomem(err);
	t->one.rec[0].root = 0;
	if (ctx_doc_scan(&t->one.doc, line->raw, line->len, &bad) == -1 ||
	    view(t, t->dialect, &bad) == -1) {
		rc = CTX_ALONE_BAD;
		if (bad.code != CTX_EINPUT) {
			*err = bad;
			rc = -1;
		}
	} else if (t->one.rec[0].shape == CTX_REC_CONVERSATION) {
		count(t, NULL);
		return give(t, &t->one, NULL, 1, err) == -1 ? -1 :
		    CTX_ALONE_GIVEN;
	} else if (t->one.rec[0].shape == CTX_REC_OTHER &&
	    t->one.dialect == t->dialect)
		rc = CTX_ALONE_NONE;
	ctx_convo_reset(&t->one);
	t->seq--;
	return rc;
}

int
ctx_turns_hash(struct ctx_turns *t, const struct ctx_line *line,
    uint64_t *hash, struct ctx_doc *nodes, struct ctx_err *err)
{
	struct ctx_str key;
	int rc = 0;

	if (nodes != NULL)
		nodes->n = 0;
	*hash = ctx_strmap_hash("", 0);
	if (ctx_line_blank(line->raw, line->len))
		return 0;
	if (begin(t, line) == NULL)
		return ctx_fail_nomem(err);
	t->one.rec[0].root = 0;
	if (ctx_doc_scan(&t->one.doc, line->raw, line->len, err) == -1 ||
	    (t->dialect != NULL &&
	    ctx_dialect_view(&t->one, t->dialect, 1, err) == -1)) {
		err->line = line->no;
		rc = -1;
	} else if (t->by != NULL) {
		key = key_of(t);
		if (key.p == NULL)
			return ctx_fail_nomem(err);
		*hash = ctx_strmap_hash(key.p, key.len);
		if (nodes != NULL)
			*nodes = ctx_convo_doc(&t->one, 0);
	}
	ctx_convo_reset(&t->one);
	t->seq--;
	return rc;
}

int
ctx_turns_end_one(struct ctx_turns *t, struct ctx_err *err)
{
	struct ctx_strand *st = t->oldest;
	int rc = close_turn(t, st, 1, err);

	if (rc == 0 && t->end != NULL)
		rc = t->end(st, t->arg, err);
	if (rc == -1)
		return -1;
	/* the hash table is not used any more */
	t->oldest = st->newer;
	t->last = NULL;
	strand_free(t, st);
	return 0;
}

int
ctx_turns_end(struct ctx_turns *t, struct ctx_err *err)
{
	int rc = 0;

	while (t->oldest != NULL && rc == 0)
		rc = ctx_turns_end_one(t, err);
	ctx_turns_forget(t);
	return rc;
}
