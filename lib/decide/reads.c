/* SPDX-License-Identifier: MIT */
/* Which contents of files a conversation may spare; see reads.h. */
#include "decide/reads_impl.h"

#include <stdlib.h>
#include <string.h>

#include "view/branch.h"

void
ctx_reads_done(struct ctx_reads *r)
{
	free(r->read);
	free(r->path);
	free(r->seen);
	free(r->copy);
	ctx_pace_done(&r->pace);
	ctx_strmap_done(&r->paths);
	ctx_buf_done(&r->args);
	ctx_doc_done(&r->doc);
	memset(r, 0, sizeof(*r));
}

/* --- what may go --------------------------------------------------------- */

/* Copies of one file that are looked at for the lines of an earlier one. */
#define COPIES	1000

/* A file, while the reads are gone through. */
struct seen_file {
	size_t reads;		/* of it */
	size_t copy;		/* 1 + its first copy in r->copy; 0: none */
	size_t times;		/* in a range of reads */
};

/* A read that has what earlier ones had. */
struct seen_copy {
	size_t read;
	size_t next;		/* 1 + the next copy of its file; 0: none */
};

static struct seen_file *
file_of(const struct ctx_reads *r, const struct ctx_read *p, size_t k)
{
	return &r->seen[r->path[p->first + k]];
}

/* Is it a copy of a result's text, which goes with that? */
static int
is_beside(const struct ctx_convo *c, const struct ctx_read *p)
{
	return c->part[p->part].kind == CTX_COPY && p->part != p->head;
}

/* The message that a read came with, or that says that a write is done. */
static uint32_t
message_of(const struct ctx_convo *c, const struct ctx_read *p)
{
	return c->part[p->wrote ? c->part[p->part].mate : p->part].msg;
}

static void
set_ready(struct ctx_read *p, size_t msg)
{
	if (p->ready > msg)
		p->ready = (uint32_t)msg;
}

/* Is any of its files read or written more than once? */
static int
is_repeated(const struct ctx_reads *r, const struct ctx_read *p)
{
	size_t k;

	for (k = 0; k < p->npath; k++)
		if (file_of(r, p, k)->reads > 1)
			return 1;
	return 0;
}

/* Find which lines a read has, and whether that is sure. */
static int
judge(const struct ctx_convo *c, struct ctx_read *p,
    const struct ctx_reads_opts *o)
{
	int rc = 1;

	p->low = p->from > 0 ? p->from : 1;
	p->high = p->to > 0 ? p->to : CTX_READ_END;
	if (p->last > 0)
		p->low = CTX_READ_END - p->last + 1;
	if (!p->wrote && o->judge != NULL)
		rc = o->judge(o->arg, c, p);
	p->sure = rc == 1;
	return rc == -1 ? -1 : 0;
}

/* The same of all for which it matters. */
static int
judge_all(struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_reads_opts *o)
{
	struct ctx_read *p;
	size_t i, k;

	for (i = 0; i < r->n; i++)
		for (p = &r->read[i], k = 0; k < p->npath; k++)
			file_of(r, p, k)->reads += !is_beside(c, p);
	for (i = 0; i < r->n; i++) {
		p = &r->read[i];
		if (!is_beside(c, p) && (o->keep_recent > 0 ||
		    is_repeated(r, p)) && judge(c, p, o) == -1)
			return -1;
		if (ctx_branch_is_off(r->chain, c, message_of(c, p)))
			p->sure = 0;
	}
	return 0;
}

/* The next message that has the lines of p from a file; CTX_NONE if none. */
static uint32_t
next_copy(const struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_read *p, const struct seen_file *f)
{
	const struct ctx_read *q;
	size_t at = f->copy, n;

	for (n = 0; at != 0 && n < COPIES; n++) {
		q = &r->read[r->copy[at - 1].read];
		at = r->copy[at - 1].next;
		/* pieces of one answer count as one */
		if (q->low <= p->low && p->high <= q->high &&
		    message_of(c, q) != message_of(c, p))
			return message_of(c, q);
	}
	return CTX_NONE;
}

/* Note that p, number i, is a copy of its files. */
static int
add_copy(struct ctx_reads *r, const struct ctx_read *p, size_t i)
{
	struct seen_file *f;
	size_t k;

	for (k = 0; k < p->npath; k++) {
		if (CTX_ROOM(r->copy, r->ncopy, &r->capcopy) == -1)
			return -1;
		f = file_of(r, p, k);
		r->copy[r->ncopy++] = (struct seen_copy){ i, f->copy };
		f->copy = r->ncopy;
	}
	return 0;
}

/*
 * When what each read has is read or written again, all of its files: from the
 * newest to the oldest.  An edit makes what was before it old, but is no copy.
 */
static int
find_newer(struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_reads_opts *o)
{
	int edits = o->superseded && !o->keep_latest;
	struct ctx_read *p;
	uint32_t m, last;
	size_t i, k;

	r->ncopy = 0;
	for (i = r->n; i-- > 0;) {
		p = &r->read[i];
		last = p->npath > 0 ? 0 : CTX_NONE;
		for (k = 0; k < p->npath; k++) {
			m = next_copy(r, c, p, file_of(r, p, k));
			last = m > last ? m : last;
		}
		set_ready(p, last);
		if (p->sure && (!p->wrote || p->all || edits) &&
		    add_copy(r, p, i) == -1)
			return -1;
	}
	return 0;
}

/* Count read i, or no longer.  The number of files that it adds, or takes. */
static uint64_t
count(const struct ctx_reads *r, size_t i, int more)
{
	const struct ctx_read *p = &r->read[i];
	uint64_t files = p->npath == 0;
	struct seen_file *f;
	size_t k;

	if (!p->sure)
		return 0;
	for (k = 0; k < p->npath; k++) {
		f = file_of(r, p, k);
		files += more ? f->times++ == 0 : --f->times == 0;
	}
	return files;
}

/*
 * When more than n files were read or written from a read on, itself included.
 * What names no file is one of its own.
 */
static void
find_old(struct ctx_reads *r, const struct ctx_convo *c, uint64_t n)
{
	uint64_t files = 0;
	size_t i, end = 0;

	for (i = 0; i < r->n; i++) {
		while (end < r->n && files <= n)
			files += count(r, end++, 1);
		if (files <= n)
			break;
		set_ready(&r->read[i], message_of(c, &r->read[end - 1]));
		files -= count(r, i, 0);
	}
}

/* What is not sure stays, and copies of a result's text go with it. */
static void
settle(struct ctx_reads *r, const struct ctx_convo *c)
{
	struct ctx_read *p;
	size_t i;

	for (i = 0; i < r->n; i++) {
		p = &r->read[i];
		if (!p->sure)
			p->ready = is_beside(c, p) && i > 0 &&
			    p[-1].head == p->head ? p[-1].ready : CTX_NONE;
	}
}

/* Not before an answer; what a tool wrote only if that is wanted. */
static void
set_answers(struct ctx_reads *r, const struct ctx_convo *c, int writes)
{
	struct ctx_pace_answers a = { .chain = r->chain };
	struct ctx_read *p;
	uint32_t answer;
	size_t i;

	for (i = 0; i < r->n; i++) {
		p = &r->read[i];
		answer = ctx_pace_answer(&a, c, message_of(c, p) + 1,
		    p->wrote ? p->part : c->part[p->head].mate);
		if (answer == c->nmsg || (p->wrote && !writes))
			p->ready = CTX_NONE;
		else if (p->ready < answer)
			p->ready = answer;
	}
}

static int
find_when(struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_reads_opts *o)
{
	int newer = o->superseded || o->keep_latest;
	size_t i;

	if (CTX_ROOM(r->seen, r->paths.n, &r->capseen) == -1)
		return -1;
	memset(r->seen, 0, r->paths.n * sizeof(*r->seen));
	for (i = 0; i < r->n; i++)
		r->read[i].ready = newer || o->keep_recent > 0 ? CTX_NONE : 0;
	if ((newer || o->keep_recent > 0) && (judge_all(r, c, o) == -1 ||
	    find_newer(r, c, o) == -1))
		return -1;
	if (!newer && o->keep_recent > 0)
		find_old(r, c, o->keep_recent);
	if (newer || o->keep_recent > 0)
		settle(r, c);
	set_answers(r, c, o->writes);
	return 0;
}

int
ctx_reads_find(struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_reads_opts *opts, struct ctx_err *err)
{
	uint32_t i;
	int rc = 0;

	r->n = r->npath = 0;
	ctx_strmap_done(&r->paths);
	for (i = 0; i < c->npart && rc == 0; i++)
		if (c->part[i].kind == CTX_RESULT)
			rc = ctx_reads_result(r, c, i, opts);
		else if (c->part[i].kind == CTX_CALL)
			rc = ctx_reads_write(r, c, i, opts);
	if (rc == 0)
		rc = find_when(r, c, opts);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* --- what goes ----------------------------------------------------------- */

static int
by_from(const void *a, const void *b)
{
	const struct ctx_pace_item *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

static uint64_t
chars_of(const struct ctx_convo *c, uint32_t p)
{
	struct ctx_str text = ctx_part_text(c, p);

	return text.p == NULL || c->part[p].kind == CTX_COPY ? 0 :
	    ctx_str_chars(text.p, text.len);
}

/* The length of each message, of contents what would be left of them. */
static void
measure(struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_reads_opts *o)
{
	uint64_t *chars = r->pace.chars;
	const struct ctx_read *one;
	uint32_t p, last = CTX_NONE;
	size_t i;

	for (p = 0; p < c->npart; p++)
		chars[c->part[p].msg] += chars_of(c, p);
	for (i = 0; i < r->n; i++) {
		one = &r->read[i];
		if ((one->wrote && !o->writes) ||
		    c->part[one->part].kind == CTX_COPY)
			continue;
		if (one->part != last)
			chars[c->part[one->part].msg] -= chars_of(c, one->part);
		last = one->part;
		chars[c->part[last].msg] += one->left;
	}
}

int
ctx_reads_choose(struct ctx_reads *r, const struct ctx_convo *c,
    const struct ctx_plan *plan, const struct ctx_reads_opts *o,
    struct ctx_err *err)
{
	struct ctx_pace_opts opts = { .step = o->step, .partly = 1 };
	struct ctx_pace *w = &r->pace;
	struct ctx_pace_item *it;
	size_t i;

	if (ctx_pace_reset(w, c, err) == -1)
		return -1;
	if (o->step > 0)
		measure(r, c, o);
	for (i = 0; i < r->n; i++) {
		r->read[i].goes = 0;
		if (r->read[i].ready == CTX_NONE)
			continue;
		if ((it = ctx_pace_add(w)) == NULL)
			return ctx_fail_nomem(err);
		it->of = i;
		it->msg = c->part[r->read[i].part].msg;
		it->from = r->read[i].ready;
		/* a copy is not sent */
		it->gain = c->part[r->read[i].part].kind == CTX_COPY ? 0 :
		    r->read[i].gain;
	}
	if (w->n > 0)
		qsort(w->item, w->n, sizeof(*w->item), by_from);
	ctx_pace_run(w, c, plan, &opts);
	for (i = 0; i < w->n; i++)
		r->read[w->item[i].of].goes = w->item[i].goes;
	return 0;
}
