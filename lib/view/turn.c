/* SPDX-License-Identifier: MIT */
/* From lines to turns; see turn.h. */
#include "view/turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

/* Conversations side by side, so many that each must take little. */
#define MANY	4096

int
ctx_flow_ends(const struct ctx_flow *f, unsigned rules,
    const struct ctx_msg *m)
{
	if (m->flags & CTX_BOUNDARY)
		return 1;
	if (m->role != CTX_ASSISTANT || m->flags & CTX_JOINED || !f->results)
		return 0;
	if (!(rules & CTX_RULE_ANYWHERE) || f->open == 0)
		return 1;
	/* who was interrupted in a log is not answered any more */
	return rules & CTX_RULE_LOG && f->spoken;
}

void
ctx_flow_add(struct ctx_flow *f, const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_part *p;
	uint32_t i;

	if (msg->role == CTX_ASSISTANT)
		f->begun = 1;
	else if (f->begun)
		f->results = 1;
	for (i = 0; i < msg->npart; i++) {
		p = &c->part[msg->part + i];
		if (p->flags & (CTX_INNER | CTX_SERVER))
			continue;
		if (p->kind == CTX_CALL) {
			f->calls = 1;
			f->open++;
		} else if (p->kind == CTX_RESULT) {
			if (f->open > 0)
				f->open--;
		} else if (msg->role == CTX_USER && f->begun)
			f->spoken = 1;
	}
}

int
ctx_msg_thinks(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint32_t i;

	for (i = msg->part; i < msg->part + msg->npart; i++)
		if (c->part[i].kind != CTX_THINKING)
			return 0;
	return msg->npart > 0;
}

static void
thread_free(struct ctx_turns *t, struct ctx_thread *th)
{
	if (t->free_state != NULL && th->state != NULL)
		t->free_state(th->state);
	ctx_convo_done(&th->open);
	free(th->join);
	free(th->key);
	free(th);
}

void
ctx_turns_forget(struct ctx_turns *t)
{
	struct ctx_thread *th, *newer;

	for (th = t->oldest; th != NULL; th = newer) {
		newer = th->newer;
		thread_free(t, th);
	}
	if (t->nbucket > 0)
		memset(t->bucket, 0, t->nbucket * sizeof(t->bucket[0]));
	t->nthread = 0;
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
}

static int
grow_table(struct ctx_turns *t)
{
	size_t n = t->nbucket == 0 ? 64 : t->nbucket * 4, h;
	struct ctx_thread **b = calloc(n, sizeof(*b)), *th;

	if (b == NULL)
		return -1;
	for (th = t->oldest; th != NULL; th = th->newer) {
		h = (size_t)ctx_hash(th->key, th->keylen + th->sublen) &
		    (n - 1);
		th->next = b[h];
		b[h] = th;
	}
	free(t->bucket);
	t->bucket = b;
	t->nbucket = n;
	return 0;
}

static struct ctx_thread *
thread_new(struct ctx_turns *t, const char *key, size_t len, size_t sublen)
{
	struct ctx_thread *th;
	size_t h;

	if (t->nthread >= t->nbucket && grow_table(t) == -1)
		return NULL;
	if ((th = calloc(1, sizeof(*th))) == NULL)
		return NULL;
	if ((th->key = malloc(len + sublen + 1)) == NULL) {
		free(th);
		return NULL;
	}
	if (len + sublen > 0)
		memcpy(th->key, key, len + sublen);
	th->key[len + sublen] = '\0';
	th->keylen = len;
	th->sublen = sublen;
	th->dialect = t->dialect;
	th->begun = t->seq;
	h = (size_t)ctx_hash(key, len + sublen) & (t->nbucket - 1);
	th->next = t->bucket[h];
	t->bucket[h] = th;
	if (t->newest != NULL)
		t->newest->newer = th;
	else
		t->oldest = th;
	t->newest = th;
	t->nthread++;
	return th;
}

static int
is_thread(const struct ctx_thread *th, const char *key, size_t len,
    size_t sublen)
{
	return th->keylen == len && th->sublen == sublen &&
	    memcmp(th->key, key, len + sublen) == 0;
}

/* The thread whose key is key[0 .. len) and its side key[len .. len+sublen) */
static struct ctx_thread *
thread_find(struct ctx_turns *t, const char *key, size_t len, size_t sublen)
{
	struct ctx_thread *th = t->last;

	if (th != NULL && is_thread(th, key, len, sublen))
		return th;
	th = NULL;
	if (t->nbucket > 0)
		for (th = t->bucket[ctx_hash(key, len + sublen) &
		    (t->nbucket - 1)]; th != NULL; th = th->next)
			if (is_thread(th, key, len, sublen))
				break;
	if (th == NULL)
		th = thread_new(t, key, len, sublen);
	return t->last = th;
}

/* The thread of the record in t->one. */
static struct ctx_thread *
thread_of(struct ctx_turns *t)
{
	struct ctx_doc doc;
	uint32_t v;

	if (t->by == NULL)
		return thread_find(t, "", 0, 0);
	doc = ctx_convo_doc(&t->one, 0);
	if (doc.n == 0 ||
	    (v = ctx_doc_get(&doc, 0, t->by, strlen(t->by))) == CTX_NONE)
		return thread_find(t, "", 0, 0);
	return thread_find(t, doc.raw + doc.node[v].off, doc.node[v].len, 0);
}

/* The side conversation of main that the record in t->one belongs to. */
static struct ctx_thread *
side_of(struct ctx_turns *t, struct ctx_thread *main)
{
	const struct ctx_str *name = &t->one.rec[0].thread;
	struct ctx_thread *th;

	ctx_buf_reset(&t->key);
	ctx_buf_add(&t->key, main->key, main->keylen);
	if (ctx_buf_add(&t->key, name->p, name->len) == -1)
		return NULL;
	th = thread_find(t, t->key.data, main->keylen, name->len);
	if (th != NULL && th->dialect == NULL)
		th->dialect = main->dialect;
	return th;
}

static int
give(struct ctx_turns *t, struct ctx_convo *c, struct ctx_thread *th, int last,
    struct ctx_err *err)
{
	struct ctx_turn turn = { c, th, last };
	int rc = t->turn(&turn, t->arg, err);

	ctx_convo_reset(c);
	return rc;
}

/*
 * There may be many conversations: one that waits for its next turn keeps no
 * memory for it.
 */
static void
give_back(struct ctx_turns *t, struct ctx_convo *c)
{
	if (t->spare.caprec == 0) {
		t->spare = *c;
		memset(c, 0, sizeof(*c));
	} else
		ctx_convo_done(c);
}

/* Give the open turn and be ready for the next. */
static int
close_turn(struct ctx_turns *t, struct ctx_thread *th, int last,
    struct ctx_err *err)
{
	int rc = 0;

	if (th->open.nrec > 0)
		rc = give(t, &th->open, th, last, err);
	if (t->by != NULL || th->sublen > 0)
		give_back(t, &th->open);
	memset(&th->flow, 0, sizeof(th->flow));
	th->check = 0;
	th->thinking = 0;
	return rc;
}

/* Does message m continue the assistant message that th saw last? */
static int
joins(const struct ctx_thread *th, const struct ctx_msg *m)
{
	return m->join.p != NULL && th->joinlen == m->join.len &&
	    memcmp(th->join, m->join.p, m->join.len) == 0;
}

static int
remember_join(struct ctx_thread *th, const struct ctx_msg *m)
{
	char *p;

	th->joinlen = 0;
	if (m->join.p == NULL)
		return 0;
	p = ctx_grow(th->join, m->join.len, &th->joincap, 1);
	if (p == NULL)
		return -1;
	th->join = p;
	memcpy(p, m->join.p, m->join.len);
	th->joinlen = m->join.len;
	return 0;
}

/*
 * Keep the record in hand.  One of many interleaved conversations may wait
 * long, and would pin a whole block: it gets memory of its own.
 */
static int
keep(struct ctx_turns *t, const struct ctx_thread *th, struct ctx_rec *r)
{
	struct ctx_block *own;

	if (t->by == NULL && th->sublen == 0)
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
 * A line that is no JSON, right behind another one: one record for both, since
 * there may be millions of blank lines.
 */
static int
lengthens(struct ctx_turns *t, struct ctx_thread *th)
{
	const struct ctx_rec *r = &t->one.rec[0];
	struct ctx_rec *last;

	if (th->open.nrec == 0 || r->root != CTX_NONE)
		return 0;
	last = &th->open.rec[th->open.nrec - 1];
	if (last->root != CTX_NONE || last->block != r->block ||
	    last->raw + last->len != r->raw || last->seq + 1 != r->seq ||
	    last->raw[last->len - 1] != '\n')
		return 0;
	last->len += r->len;
	t->seq--;
	ctx_convo_reset(&t->one);
	return 1;
}

/* Put the record in hand behind the open turn, which may be empty. */
static int
hold(struct ctx_turns *t, struct ctx_thread *th, struct ctx_err *err)
{
	struct ctx_convo tmp;

	if (lengthens(t, th))
		return 0;
	if (keep(t, th, &t->one.rec[0]) == -1)
		return ctx_fail_nomem(err);
	if (th->open.nrec == 0) {
		tmp = th->open;
		if (tmp.caprec == 0) {
			tmp = t->spare;
			memset(&t->spare, 0, sizeof(t->spare));
		}
		th->open = t->one;
		t->one = tmp;
		if (t->nthread > MANY)
			ctx_convo_fit(&th->open);
		return 0;
	}
	if (ctx_convo_take(&th->open, &t->one) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

/* Mark what continues the message before it, and remember what may follow. */
static int
join(struct ctx_thread *th, unsigned rules, struct ctx_msg *m)
{
	if (m->role == CTX_ASSISTANT) {
		if (joins(th, m) || (rules & CTX_RULE_RUNS && th->speaking))
			m->flags |= CTX_JOINED;
		if (remember_join(th, m) == -1)
			return -1;
	}
	th->speaking = m->role == CTX_ASSISTANT;
	return 0;
}

/*
 * Is it worth asking whether all calls of the open turn have their results?
 * Less and less often in a turn that grows and grows.
 */
static int
may_be_complete(const struct ctx_turns *t, struct ctx_thread *th,
    unsigned rules)
{
	if (t->complete == NULL || rules & CTX_RULE_LOG || !th->flow.results ||
	    th->flow.open > 0 || th->open.nrec < th->check)
		return 0;
	th->check = th->open.nrec + th->open.nrec / 8;
	return 1;
}

static int
add_message(struct ctx_turns *t, struct ctx_thread *th, struct ctx_err *err)
{
	struct ctx_msg *m = t->one.nmsg > 0 ? &t->one.msg[0] : NULL;
	unsigned rules;
	int leads = 0, thought;
	uint32_t i;

	if (t->one.dialect != th->dialect) {
		if (th->dialect != NULL && !t->whole &&
		    close_turn(t, th, 0, err) == -1)
			return -1;
		th->dialect = t->one.dialect;
	}
	if (m == NULL)
		return th->open.nrec > 0 || t->whole ? hold(t, th, err) :
		    give(t, &t->one, th, 0, err);
	rules = th->dialect != NULL ? th->dialect->rules : 0;
	if (join(th, rules, m) == -1)
		return ctx_fail_nomem(err);
	if (t->whole)
		return hold(t, th, err);
	if (th->open.nrec > 0 && (ctx_flow_ends(&th->flow, rules, m) ||
	    (th->thinking && m->role != CTX_ASSISTANT && !th->flow.calls)) &&
	    close_turn(t, th, 0, err) == -1)
		return -1;
	for (i = 0; i < t->one.nmsg; i++)
		ctx_flow_add(&th->flow, &t->one, i);
	thought = th->thinking;
	if (rules & CTX_RULE_LEADS && m->role == CTX_ASSISTANT)
		leads = ctx_msg_thinks(&t->one, t->one.nmsg - 1);
	th->thinking = leads;
	if (!th->flow.calls && !leads && !thought) {
		memset(&th->flow, 0, sizeof(th->flow));
		return give(t, &t->one, th, 0, err);
	}
	if (hold(t, th, err) == -1)
		return -1;
	if ((!th->flow.calls && !leads) || (may_be_complete(t, th, rules) &&
	    t->complete(&th->open, t->arg)))
		return close_turn(t, th, 0, err);
	return 0;
}

/*
 * The line as the one record of t->one, which holds its block from here on
 * until it is handed on; nodes and messages come later.
 */
static struct ctx_rec *
begin(struct ctx_turns *t, const struct ctx_line *line)
{
	struct ctx_rec *r;

	ctx_convo_reset(&t->one);	/* what failed left its record here */
	if ((r = ctx_convo_add_rec(&t->one)) == NULL)
		return NULL;
	r->raw = line->raw;
	r->len = line->len;
	r->line = line->no;
	r->block = line->block;
	ctx_block_hold(r->block);
	r->seq = t->seq++;
	r->shape = CTX_REC_OTHER;
	return r;
}

static int
blank(const struct ctx_line *line)
{
	size_t i;

	if (line->len == 3 && memcmp(line->raw, "\xef\xbb\xbf", 3) == 0)
		return 1;
	for (i = 0; i < line->len; i++)
		if (strchr(" \t\r\n", line->raw[i]) == NULL ||
		    line->raw[i] == '\0')
			return 0;
	return 1;
}

int
ctx_turns_foreign(struct ctx_turns *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_thread *th;

	if (begin(t, line) == NULL || (th = thread_of(t)) == NULL)
		return ctx_fail_nomem(err);
	t->one.dialect = th->dialect;
	if (th->open.nrec > 0 || t->whole)
		return hold(t, th, err);
	return give(t, &t->one, th, 0, err);
}

int
ctx_turns_line(struct ctx_turns *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_thread *th;
	struct ctx_rec *r;

	if (blank(line))
		return ctx_turns_foreign(t, line, err);
	if ((r = begin(t, line)) == NULL)
		return ctx_fail_nomem(err);
	if (ctx_doc_scan(&t->one.doc, line->raw, line->len, err) == -1)
		goto bad;
	r->root = 0;
	if ((th = thread_of(t)) == NULL)
		return ctx_fail_nomem(err);
	if (ctx_view_rec(&t->one, 0, th->dialect, t->dialect != NULL,
	    err) == -1)
		goto bad;
	switch (t->one.rec[0].shape) {
	case CTX_REC_CONVERSATION:
		return give(t, &t->one, NULL, 1, err);
	case CTX_REC_MESSAGE:
		if (t->one.rec[0].thread.p != NULL &&
		    (th = side_of(t, th)) == NULL)
			return ctx_fail_nomem(err);
		return add_message(t, th, err);
	case CTX_REC_OTHER:
		if (th->dialect == NULL)
			th->dialect = t->one.dialect;
		break;
	}
	if (th->open.nrec > 0 || t->whole)
		return hold(t, th, err);
	return give(t, &t->one, th, 0, err);
bad:
	/* it is no record: whoever puts them in order must not wait for it */
	ctx_convo_reset(&t->one);
	t->seq--;
	err->line = line->no;
	return -1;
}

int
ctx_turns_alone(struct ctx_turns *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_err bad = { 0 };
	int rc = CTX_ALONE_MIXED;

	if (blank(line))
		return CTX_ALONE_NONE;
	if (begin(t, line) == NULL)
		return ctx_fail_nomem(err);
	t->one.rec[0].root = 0;
	if (ctx_doc_scan(&t->one.doc, line->raw, line->len, &bad) == -1 ||
	    ctx_view_rec(&t->one, 0, t->dialect, t->dialect != NULL,
	    &bad) == -1) {
		rc = CTX_ALONE_BAD;
		if (bad.code != CTX_EINPUT) {
			*err = bad;
			rc = -1;
		}
	} else if (t->one.rec[0].shape == CTX_REC_CONVERSATION)
		return give(t, &t->one, NULL, 1, err) == -1 ? -1 :
		    CTX_ALONE_GIVEN;
	else if (t->one.rec[0].shape == CTX_REC_OTHER &&
	    t->one.dialect == t->dialect)
		rc = CTX_ALONE_NONE;
	ctx_convo_reset(&t->one);
	t->seq--;
	return rc;
}

int
ctx_turns_hash(struct ctx_turns *t, const struct ctx_line *line,
    uint64_t *hash, struct ctx_err *err)
{
	struct ctx_doc doc;
	uint32_t v = CTX_NONE;
	int rc = 0;

	*hash = ctx_hash("", 0);
	if (blank(line))
		return 0;
	if (begin(t, line) == NULL)
		return ctx_fail_nomem(err);
	t->one.rec[0].root = 0;
	if (ctx_doc_scan(&t->one.doc, line->raw, line->len, err) == -1 ||
	    (t->dialect != NULL &&
	    ctx_view_rec(&t->one, 0, t->dialect, 1, err) == -1)) {
		err->line = line->no;
		rc = -1;
	} else if (t->by != NULL) {
		doc = ctx_convo_doc(&t->one, 0);
		if (doc.n > 0)
			v = ctx_doc_get(&doc, 0, t->by, strlen(t->by));
		if (v != CTX_NONE)
			*hash = ctx_hash(doc.raw + doc.node[v].off,
			    doc.node[v].len);
	}
	ctx_convo_reset(&t->one);
	t->seq--;
	return rc;
}

int
ctx_turns_end_one(struct ctx_turns *t, struct ctx_err *err)
{
	struct ctx_thread *th = t->oldest;
	int rc = close_turn(t, th, 1, err);

	if (rc == 0 && t->end != NULL)
		rc = t->end(th, t->arg, err);
	if (rc == -1)
		return -1;
	/* the table of keys is not asked any more */
	t->oldest = th->newer;
	t->last = NULL;
	thread_free(t, th);
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
