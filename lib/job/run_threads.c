/* SPDX-License-Identifier: MIT */
/*
 * Threads that read, process and write; see run_threads.h.
 *
 * The slots that have been read are a ring.  A thread takes the first step that
 * there is for it: it passes on the output of the oldest slot if that has been
 * processed; with a key, it lets its job process its lines of a slot; it reads
 * the next slot and does with it what needs no others; with a key, it does
 * another thread's job.  So one thread at a time reads, and one at a time
 * passes on output, uses the caller's job, and holds and drops blocks.
 */
#include "job/run_threads.h"

#include <stdlib.h>

#include "job/run_impl.h"

#define AHEAD	2u			/* slots, whatever their size; */
#define BYTES	(2u * 1024 * 1024)	/* no more than these if they have more */

/* --- the steps --------------------------------------------------------- */

static struct ctx_run_place *
place(const struct ctx_run_threads *t, uint64_t i)
{
	return t->ring[i % t->nring];
}

/*
 * A place of the worker's into which it can read, or NULL.  What is examined for
 * the caller's job, the job keeps for two slots.
 */
static struct ctx_run_place *
free_place(struct ctx_run_worker *w)
{
	unsigned n = w->t->n == 0 ? 1 : w->t->alone ? AHEAD : CTX_RUN_PLACES, i;
	struct ctx_run_place *p;
	size_t bytes = 0;

	for (i = 0; i < n && (i < AHEAD || bytes < BYTES); i++) {
		p = &w->place[i];
		if (p->state == CTX_RUN_FREE)
			return p;
		bytes += p->bytes;
	}
	return NULL;
}

/* May lines be read?  The caller's job takes the rest if not. */
static int
goes_on(const struct ctx_run_threads *t)
{
	return t->go == 1 && !t->eof && (!t->alone || t->n > 0 || t->deep);
}

/* Is there nothing left to do in this file? */
static int
is_over(const struct ctx_run_threads *t)
{
	return t->go != 1 || (t->head == t->tail && !t->reading &&
	    !goes_on(t));
}

void
ctx_run_fail(struct ctx_run_threads *t, int go, const struct ctx_err *err)
{
	if (go == 1 || t->go != 1)
		return;
	t->go = go;
	t->err = *err;
}

/* Number what has been hashed; nothing follows a line that ends the file. */
static void
number(struct ctx_run_threads *t)
{
	struct ctx_err err = { 0 };
	struct ctx_run_place *p;

	for (; t->numbered < t->tail; t->numbered++) {
		p = place(t, t->numbered);
		if (p->state == CTX_RUN_DONE)
			continue;
		if (p->state != CTX_RUN_HASHED || t->cut)
			break;
		if (ctx_owners_find(&t->owners, p->slot.part, p->slot.npart,
		    t->n, p->reader, &err) == -1 ||
		    ctx_run_slot_number(&p->slot, &t->seq, &err) == -1) {
			ctx_run_fail(t, -1, &err);
			break;
		}
		t->cut = p->slot.cut;
		p->left = (unsigned)__builtin_popcountll(p->slot.jobs);
		p->state = p->left == 0 ? CTX_RUN_DONE : CTX_RUN_SHARED;
	}
}

/* Can the job use more of lines that are examined than their nodes? */
static int
is_deep(const struct ctx_run_threads *t)
{
	const struct ctx_job_kind *kind = t->run->job->kind;

	return kind->ahead != NULL && kind->ahead_worth(t->run->job);
}

/* Does a key tell which thread's job has a line? */
static int
by_key(const struct ctx_run_threads *t)
{
	const struct ctx_job *job = t->run->job;

	return t->n > 0 && job->turns.by != NULL && !job->kind->by_alone;
}

/* Pass on the output of the oldest slot. */
static int
step_tell(struct ctx_run_worker *w)
{
	struct ctx_run_threads *t = w->t;
	int alone = t->alone, deep, go;
	struct ctx_err err = { 0 };
	struct ctx_run_place *p;

	if (t->telling || t->head == t->tail ||
	    (p = place(t, t->head))->state != CTX_RUN_DONE)
		return 0;
	t->telling = 1;
	pthread_mutex_unlock(&t->lock);
	go = ctx_run_slot_tell(&p->slot, t->run, &alone, &err);
	if (go == 1 && t->run->waiting != NULL &&
	    t->run->waiting(t->run->arg, &err) == -1)
		go = -1;
	ctx_run_slot_drop(&p->slot);
	deep = is_deep(t);
	pthread_mutex_lock(&t->lock);
	p->state = CTX_RUN_FREE;
	t->telling = 0;
	t->alone = alone;
	t->deep = deep;
	t->head++;
	ctx_run_fail(t, go, &err);
	ctx_run_wake(t);	/* whoever waits for a place may read */
	return 1;
}

/* The next slot that has lines of job r, or NULL. */
static struct ctx_run_place *
next_of(struct ctx_run_worker *r)
{
	struct ctx_run_threads *t = r->t;
	unsigned no = (unsigned)(r - t->worker);
	struct ctx_run_place *p;

	if (r->next < t->head)
		r->next = t->head;
	for (; r->next < t->numbered; r->next++) {
		p = place(t, r->next);
		if (p->state == CTX_RUN_SHARED && (p->slot.jobs >> no & 1) != 0)
			return p;
	}
	return NULL;
}

/* Let job r process its lines of the next slot. */
static int
step_mine(struct ctx_run_worker *r)
{
	struct ctx_run_threads *t = r->t;
	struct ctx_run_place *p;

	if (r->taken || (p = next_of(r)) == NULL)
		return 0;
	r->taken = 1;
	r->next++;
	pthread_mutex_unlock(&t->lock);
	ctx_run_slot_mine(&p->slot, r->job, (unsigned)(r - t->worker));
	pthread_mutex_lock(&t->lock);
	r->taken = 0;
	if (--p->left == 0)
		p->state = CTX_RUN_DONE;
	ctx_run_wake(t);
	return 1;
}

/* Do another thread's job. */
static int
step_other(struct ctx_run_worker *w)
{
	struct ctx_run_threads *t = w->t;
	unsigned i;

	for (i = 0; t->shared && i < t->n; i++)
		if (&t->worker[i] != w && step_mine(&t->worker[i]))
			return 1;
	return 0;
}

/* How a slot is processed that was read after all others, into place number i. */
static enum ctx_run_way
way_of(const struct ctx_run_threads *t, const struct ctx_run_slot *s,
    unsigned i)
{
	int few = ctx_run_slot_few(s);

	if (by_key(t))
		return few && t->eof && !t->shared ? CTX_RUN_MAIN :
		    CTX_RUN_BY_KEY;
	if (few)
		return CTX_RUN_MAIN;
	return !t->alone ? CTX_RUN_CONVERSATIONS : i < AHEAD &&
	    (t->n > 0 || t->deep) ? CTX_RUN_AHEAD : CTX_RUN_MAIN;
}

/* Make what is needed to process a slot, unless it is there. */
static int
equip(const struct ctx_run_worker *w, struct ctx_run_slot *s,
    struct ctx_err *err)
{
	int keyed = s->way == CTX_RUN_BY_KEY;

	if (w->t->n == 0 || s->way == CTX_RUN_AHEAD)
		return 0;
	if (ctx_run_slot_logs(s, keyed ? w->t->n : 1, err) == -1)
		return -1;
	if (!keyed && s->sum == NULL)
		s->sum = ctx_job_totals(w->job, err);
	return keyed || s->sum != NULL ? 0 : -1;
}

/* What the worker does with the slot that it has read. */
static int
examine(struct ctx_run_worker *w, struct ctx_run_slot *s, struct ctx_err *err)
{
	if (s->way != CTX_RUN_MAIN && equip(w, s, err) == -1)
		return -1;
	switch (s->way) {
	case CTX_RUN_MAIN:
		break;
	case CTX_RUN_CONVERSATIONS:
		ctx_run_slot_alone(s, w->job, w->t->run->on_error);
		break;
	case CTX_RUN_BY_KEY:
		ctx_run_slot_hash(s, &w->keys, w->t->run->on_error);
		break;
	case CTX_RUN_AHEAD:
		s->which = s != &w->place[0].slot;
		ctx_run_slot_ahead(s, w->job, &w->doc);
		break;
	}
	return 0;
}

static int	join(struct ctx_run_threads *t, struct ctx_err *err)
	    CTX_CHECKED;

/* With the lock: the slot has been read.  Is there something to examine? */
static int
has_been_read(struct ctx_run_worker *w, struct ctx_run_place *p, int more)
{
	struct ctx_run_threads *t = w->t;
	struct ctx_run_slot *s = &p->slot;

	t->reading = 0;
	t->eof = !more;
	if (s->n == 0 && s->late.code == CTX_OK)
		return 0;
	p->state = CTX_RUN_BUSY;
	p->bytes = s->bytes;
	p->reader = (unsigned)(w - t->worker);
	s->way = way_of(t, s, (unsigned)(p - w->place));
	s->deep = t->deep;
	t->shared |= s->way == CTX_RUN_BY_KEY;
	t->ring[t->tail++ % t->nring] = p;
	return 1;
}

/* Read the next slot, and do with it what this thread can do. */
static int
step_read(struct ctx_run_worker *w)
{
	struct ctx_run_threads *t = w->t;
	struct ctx_run_place *p = free_place(w);
	struct ctx_err err = { 0 };
	struct ctx_run_slot *s;
	int more, ok = 1;

	if (t->reading || p == NULL || !goes_on(t))
		return 0;
	s = &p->slot;
	t->reading = 1;
	pthread_mutex_unlock(&t->lock);
	more = ctx_run_fill_slot(&t->fill, s);
	pthread_mutex_lock(&t->lock);
	if (!has_been_read(w, p, more)) {
		ctx_run_wake(t);
		return 1;
	}
	ctx_run_wake(t);
	pthread_mutex_unlock(&t->lock);
	if (s->way != CTX_RUN_MAIN && !t->joined)
		ok = join(t, &err) == 0;
	ok = ok && examine(w, s, &err) == 0;
	pthread_mutex_lock(&t->lock);
	ctx_run_fail(t, ok ? 1 : -1, &err);
	p->state = s->way == CTX_RUN_BY_KEY && s->err.code == CTX_OK ? CTX_RUN_HASHED :
	    CTX_RUN_DONE;
	/* without a key, this thread itself does what can be done now */
	if (t->shared) {
		number(t);
		ctx_run_wake(t);
	}
	return 1;
}

/* What each thread does with a file. */
static void
do_file(struct ctx_run_worker *w)
{
	struct ctx_run_threads *t = w->t;

	pthread_mutex_lock(&t->lock);
	while (!is_over(t))
		if (!step_tell(w) && !(t->shared && step_mine(w)) &&
		    /* a read may block: nothing may wait for this thread */
		    !(t->busy + 1 < t->n && step_other(w)) &&
		    !step_read(w) && !step_other(w))
			ctx_run_nap(t);
	ctx_run_wake(t);
	pthread_mutex_unlock(&t->lock);
}

/* --- a file ------------------------------------------------------------ */

/* Make the jobs of the threads, unless they are there. */
static int
hire(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_run_worker *w;

	for (w = t->worker; w < t->worker + t->n; w++) {
		if (w->job == NULL)
			w->job = ctx_job_another(t->run->job, err);
		if ((t->job[w - t->worker] = w->job) == NULL)
			return -1;
	}
	return 0;
}

/*
 * The caller has something to examine: prepare for that, and let the others
 * take part unless the input has ended.
 */
static int
join(struct ctx_run_threads *t, struct ctx_err *err)
{
	const struct ctx_run_slot *s = &place(t, t->tail - 1)->slot;

	if (t->n == 0)
		return 0;
	if (hire(t, err) == -1)
		return -1;
	if (t->eof || ctx_run_slot_few(s))
		return 0;
	t->joined = 1;
	ctx_run_start(t, do_file);
	return 0;
}

/*
 * Without a key, process the first line in the caller's job: only that tells
 * whether it is a message line.
 */
static int
begin(struct ctx_run_threads *t, struct ctx_reader *reader,
    struct ctx_err *err)
{
	struct ctx_run *r = t->run;
	struct ctx_line line;
	int rc, go = 1;

	reader->before_read = r->waiting;
	reader->arg = r->arg;
	r->job->at = 0;
	while (r->begins && go == 1) {
		if ((rc = ctx_reader_next(reader, &line, err)) != 1)
			return rc;
		if ((rc = ctx_run_first(r, reader, &line, err)) != 0)
			return rc == 1 ? 0 : -1;
		if (r->mine != NULL && (go = r->mine(r->arg, &line, err)) == 0)
			go = 1;
		else if (go == 1)
			go = ctx_run_slot_tell_line(r, &line, &t->alone, err);
	}
	return go;
}

static void
reset(struct ctx_run_threads *t)
{
	unsigned i, k;

	t->head = t->numbered = t->tail = 0;
	t->joined = t->eof = t->cut = t->shared = 0;
	t->alone = t->n == 0 || (t->run->job->turns.by != NULL && !by_key(t));
	t->deep = is_deep(t);
	t->seq = t->run->job->turns.seq;
	t->go = 1;
	ctx_err_clear(&t->err);
	ctx_owners_reset(&t->owners);
	for (i = 0; i == 0 || i < t->n; i++) {
		t->worker[i].next = 0;
		for (k = 0; k < CTX_RUN_PLACES; k++)
			t->worker[i].place[k].state = CTX_RUN_FREE;
		t->worker[i].keys.by = t->run->job->turns.by;
		t->worker[i].keys.dialect = t->run->job->turns.dialect;
	}
}

/* Discard everything in progress. */
static void
abandon(struct ctx_run_threads *t)
{
	struct ctx_run_slot *s;

	for (; t->head < t->tail; t->head++) {
		s = &place(t, t->head)->slot;
		ctx_run_slot_forget(s, t->run);
		ctx_run_slot_drop(s);
	}
}

static struct ctx_run_threads *
threads_new(struct ctx_run *r, unsigned n)
{
	struct ctx_run_threads *t = calloc(1, sizeof(*t));
	unsigned i;

	if (t == NULL)
		return NULL;
	t->n = n;
	t->nring = CTX_RUN_PLACES * n + (n == 0);
	t->worker = calloc(n + (n == 0), sizeof(*t->worker));
	t->job = calloc(n + (n == 0), sizeof(*t->job));
	t->ring = calloc(t->nring, sizeof(*t->ring));
	if (t->worker == NULL || t->job == NULL || t->ring == NULL ||
	    pthread_mutex_init(&t->lock, NULL) != 0) {
		free(t->worker);
		free(t->job);
		free(t->ring);
		free(t);
		return NULL;
	}
	pthread_cond_init(&t->wake, NULL);
	for (i = 0; i == 0 || i < n; i++)
		t->worker[i].t = t;
	if (n == 0)
		t->worker[0].job = r->job;
	return t;
}

int
ctx_run_in_threads(struct ctx_run *r, unsigned n, struct ctx_reader *reader,
    struct ctx_err *err)
{
	struct ctx_run_threads *t = r->t;

	if (t == NULL && (t = r->t = threads_new(r, n)) == NULL)
		return ctx_fail_nomem(err);
	t->run = t->fill.run = r;
	t->fill.others = n > 0;
	reset(t);
	if (r->job->turns.by == NULL && (t->go = begin(t, reader, err)) != 1)
		return t->go;
	ctx_run_fill_begin(&t->fill, reader);
	do_file(&t->worker[0]);
	ctx_run_finish(t);
	abandon(t);
	ctx_run_fill_end(&t->fill);
	if (t->shared)
		r->job->turns.seq = t->seq;
	if (t->go == -1)
		*err = t->err;
	return t->go == 1 && t->eof ? 0 : t->go;
}

void
ctx_run_done(struct ctx_run *r)
{
	struct ctx_run_threads *t = r->t;
	struct ctx_run_worker *w;
	unsigned i, k;

	if (t == NULL)
		return;
	pthread_mutex_lock(&t->lock);
	t->quit = 1;
	ctx_run_wake(t);
	pthread_mutex_unlock(&t->lock);
	for (i = 0; i == 0 || i < t->n; i++) {
		w = &t->worker[i];
		if (w->started)
			pthread_join(w->thread, NULL);
		if (t->n > 0)
			ctx_job_free(w->job);
		for (k = 0; k < CTX_RUN_PLACES; k++)
			ctx_run_slot_done(&w->place[k].slot);
		for (k = 0; k < CTX_RUN_PIECES; k++)
			ctx_gave_done(&w->piece[k]);
		ctx_turns_done(&w->keys);
		ctx_doc_done(&w->doc);
	}
	ctx_block_drop(t->fill.rest);
	ctx_owners_done(&t->owners);
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->wake);
	free(t->worker);
	free(t->job);
	free(t->ring);
	free(t);
	r->t = NULL;
}
