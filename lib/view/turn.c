/* SPDX-License-Identifier: MIT */
/* From lines to turns; see turn.h. */
#include "view/turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

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

static void
forget_threads(struct ctx_turns *t)
{
	struct ctx_thread *th, *next;
	size_t i;

	for (i = 0; i < t->nbucket; i++) {
		for (th = t->bucket[i]; th != NULL; th = next) {
			next = th->next;
			thread_free(t, th);
		}
		t->bucket[i] = NULL;
	}
	t->nthread = 0;
	t->last = NULL;
}

void
ctx_turns_done(struct ctx_turns *t)
{
	forget_threads(t);
	free(t->bucket);
	ctx_convo_done(&t->one);
}

static int
grow_table(struct ctx_turns *t)
{
	size_t n = t->nbucket == 0 ? 64 : t->nbucket * 4, i, h;
	struct ctx_thread **b = calloc(n, sizeof(*b)), *th, *next;

	if (b == NULL)
		return -1;
	for (i = 0; i < t->nbucket; i++)
		for (th = t->bucket[i]; th != NULL; th = next) {
			next = th->next;
			h = (size_t)ctx_hash(th->key, th->keylen) & (n - 1);
			th->next = b[h];
			b[h] = th;
		}
	free(t->bucket);
	t->bucket = b;
	t->nbucket = n;
	return 0;
}

static struct ctx_thread *
thread_new(struct ctx_turns *t, const char *key, size_t len)
{
	struct ctx_thread *th;
	size_t h;

	if (t->nthread >= t->nbucket && grow_table(t) == -1)
		return NULL;
	if ((th = calloc(1, sizeof(*th))) == NULL)
		return NULL;
	if ((th->key = malloc(len + 1)) == NULL) {
		free(th);
		return NULL;
	}
	if (len > 0)
		memcpy(th->key, key, len);
	th->key[len] = '\0';
	th->keylen = len;
	th->dialect = t->dialect;
	h = (size_t)ctx_hash(key, len) & (t->nbucket - 1);
	th->next = t->bucket[h];
	t->bucket[h] = th;
	t->nthread++;
	return th;
}

static struct ctx_thread *
thread_find(struct ctx_turns *t, const char *key, size_t len)
{
	struct ctx_thread *th = t->last;

	if (th != NULL && th->keylen == len && memcmp(th->key, key, len) == 0)
		return th;
	th = NULL;
	if (t->nbucket > 0)
		for (th = t->bucket[ctx_hash(key, len) & (t->nbucket - 1)];
		    th != NULL; th = th->next)
			if (th->keylen == len &&
			    memcmp(th->key, key, len) == 0)
				break;
	if (th == NULL)
		th = thread_new(t, key, len);
	return t->last = th;
}

/* The thread of the record in t->one. */
static struct ctx_thread *
thread_of(struct ctx_turns *t)
{
	struct ctx_doc doc;
	uint32_t v;

	if (t->by == NULL)
		return thread_find(t, "", 0);
	doc = ctx_convo_doc(&t->one, 0);
	if (doc.n == 0 ||
	    (v = ctx_doc_get(&doc, 0, t->by, strlen(t->by))) == CTX_NONE)
		return thread_find(t, "", 0);
	return thread_find(t, doc.raw + doc.node[v].off, doc.node[v].len);
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

/* Give the open turn and be ready for the next. */
static int
close_turn(struct ctx_turns *t, struct ctx_thread *th, int last,
    struct ctx_err *err)
{
	int rc = 0;

	if (th->open.nrec > 0)
		rc = give(t, &th->open, th, last, err);
	if (t->by != NULL)
		ctx_convo_done(&th->open);	/* there may be many */
	th->in_calls = th->in_results = 0;
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

static int
has_call(const struct ctx_convo *c)
{
	uint32_t i;

	for (i = 0; i < c->npart; i++)
		if (c->part[i].kind == CTX_CALL)
			return 1;
	return 0;
}

/*
 * Keep the record in hand.  One of many interleaved conversations may wait
 * long, and would pin a whole block: it gets memory of its own.
 */
static int
keep(struct ctx_turns *t, struct ctx_rec *r)
{
	struct ctx_block *own;

	if (t->by == NULL) {
		ctx_block_hold(r->block);
		return 0;
	}
	if ((own = ctx_block_new(r->len)) == NULL)
		return -1;
	memcpy(own->data, r->raw, r->len);
	ctx_convo_rebase(&t->one, own->data);
	r->block = own;
	return 0;
}

/* Put the record in hand behind the open turn, which may be empty. */
static int
hold(struct ctx_turns *t, struct ctx_thread *th, struct ctx_err *err)
{
	struct ctx_convo tmp;

	if (keep(t, &t->one.rec[0]) == -1)
		return ctx_fail_nomem(err);
	if (th->open.nrec == 0) {
		tmp = th->open;
		th->open = t->one;
		t->one = tmp;
		return 0;
	}
	if (ctx_convo_take(&th->open, &t->one) == -1) {
		ctx_block_drop(t->one.rec[0].block);
		return ctx_fail_nomem(err);
	}
	return 0;
}

static int
give_one(struct ctx_turns *t, struct ctx_thread *th, struct ctx_err *err)
{
	ctx_block_hold(t->one.rec[0].block);
	return give(t, &t->one, th, 0, err);
}

static int
add_message(struct ctx_turns *t, struct ctx_thread *th, struct ctx_err *err)
{
	struct ctx_msg *m = t->one.nmsg > 0 ? &t->one.msg[0] : NULL;
	int assistant = m != NULL && m->role == CTX_ASSISTANT;

	if (t->one.dialect != th->dialect) {
		if (th->dialect != NULL && !t->whole && close_turn(t, th, 0, err) == -1)
			return -1;
		th->dialect = t->one.dialect;
	}
	if (assistant) {
		if (joins(th, m))
			m->flags |= CTX_JOINED;
		else if (th->in_results && !t->whole && close_turn(t, th, 0, err) == -1)
			return -1;
		if (remember_join(th, m) == -1)
			return ctx_fail_nomem(err);
	}
	if (t->whole)
		return hold(t, th, err);
	if (m != NULL && th->in_calls && !assistant)
		th->in_results = 1;
	if (assistant && has_call(&t->one))
		th->in_calls = 1;
	if (!th->in_calls)
		return give_one(t, th, err);
	if (hold(t, th, err) == -1)
		return -1;
	if (th->in_results && t->complete != NULL &&
	    (th->dialect == NULL || !(th->dialect->rules & CTX_RULE_LOG)) &&
	    t->complete(&th->open, t->arg))
		return close_turn(t, th, 0, err);
	return 0;
}

/* The line as the one record of t->one; nodes and messages come later. */
static struct ctx_rec *
begin(struct ctx_turns *t, const struct ctx_line *line)
{
	struct ctx_rec *r;

	t->one.nrec = t->one.nmsg = t->one.npart = 0;
	t->one.doc.n = 0;
	if ((r = ctx_convo_add_rec(&t->one)) == NULL)
		return NULL;
	r->raw = line->raw;
	r->len = line->len;
	r->line = line->no;
	r->block = line->block;
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
	return give_one(t, th, err);
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
	if (ctx_doc_scan(&t->one.doc, line->raw, line->len, err) == -1) {
		t->one.nrec = 0;
		t->seq--;
		goto bad;
	}
	r->root = 0;
	if ((th = thread_of(t)) == NULL)
		return ctx_fail_nomem(err);
	if (ctx_view_rec(&t->one, 0, th->dialect, t->dialect != NULL,
	    err) == -1) {
		t->one.nrec = 0;
		goto bad;
	}
	switch (t->one.rec[0].shape) {
	case CTX_REC_CONVERSATION:
		ctx_block_hold(line->block);
		return give(t, &t->one, NULL, 1, err);
	case CTX_REC_MESSAGE:
		return add_message(t, th, err);
	case CTX_REC_OTHER:
		break;
	}
	if (th->open.nrec > 0 || t->whole)
		return hold(t, th, err);
	return give_one(t, th, err);
bad:
	err->line = line->no;
	return -1;
}

int
ctx_turns_end(struct ctx_turns *t, struct ctx_err *err)
{
	struct ctx_thread *th;
	size_t i;
	int rc = 0;

	for (i = 0; i < t->nbucket && rc == 0; i++)
		for (th = t->bucket[i]; th != NULL && rc == 0; th = th->next) {
			rc = close_turn(t, th, 1, err);
			if (rc == 0 && t->end != NULL)
				rc = t->end(th, t->arg, err);
		}
	forget_threads(t);
	return rc;
}
