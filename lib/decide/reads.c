/* SPDX-License-Identifier: MIT */
/* Which contents of files a conversation may spare; see reads.h. */
#include "decide/reads_impl.h"

#include <stdlib.h>
#include <string.h>

void
ctx_reads_done(struct ctx_reads *r)
{
	free(r->read);
	free(r->path);
	free(r->seen);
	ctx_pace_done(&r->pace);
	ctx_strmap_done(&r->paths);
	ctx_buf_done(&r->args);
	ctx_doc_done(&r->doc);
	memset(r, 0, sizeof(*r));
}

/* --- what may go --------------------------------------------------------- */

/* A file, while the reads are gone through. */
struct seen_file {
	size_t here, later;	/* 1 + the message where it is, and the next one
				   where it is; 0: none */
	size_t times;		/* in a range of reads */
};

static struct seen_file *
file_of(const struct ctx_reads *r, size_t i)
{
	return r->read[i].npath > 0 ?
	    &r->seen[r->path[r->read[i].first]] : NULL;
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

/* When each file is read or written again: from the newest to the oldest. */
static void
find_newer(struct ctx_reads *r, const struct ctx_convo *c)
{
	struct seen_file *f;
	size_t i, m;

	for (i = r->n; i-- > 0;) {
		if ((f = file_of(r, i)) == NULL)
			continue;
		m = (size_t)message_of(c, &r->read[i]) + 1;
		/* copies and pieces of one answer count as one */
		if (f->here != m) {
			f->later = f->here;
			f->here = m;
		}
		if (f->later != 0)
			set_ready(&r->read[i], f->later - 1);
	}
}

/*
 * When more than n files were read or written from a read on, itself included.
 * What names no file is one of its own.
 */
static void
find_old(struct ctx_reads *r, const struct ctx_convo *c, uint64_t n)
{
	struct seen_file *f;
	uint64_t files = 0;
	size_t i, end = 0;

	for (i = 0; i < r->n; i++) {
		for (; end < r->n && files <= n; end++) {
			f = file_of(r, end);
			files += f == NULL || f->times++ == 0;
		}
		if (files <= n)
			break;
		set_ready(&r->read[i], message_of(c, &r->read[end - 1]));
		f = file_of(r, i);
		files -= f == NULL || --f->times == 0;
	}
}

/* Not before an answer; what a tool wrote only if that is wanted. */
static void
set_answers(struct ctx_reads *r, const struct ctx_convo *c, int writes)
{
	struct ctx_read *p;
	uint32_t answer = 0, msg;
	size_t i;

	for (i = 0; i < r->n; i++) {
		p = &r->read[i];
		msg = message_of(c, p);
		while (answer < c->nmsg && (answer <= msg ||
		    c->msg[answer].role != CTX_ASSISTANT))
			answer++;
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
	if (newer || o->keep_recent > 0)
		find_newer(r, c);
	if (!newer && o->keep_recent > 0)
		find_old(r, c, o->keep_recent);
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
