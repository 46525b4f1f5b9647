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

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/worker.h"
#include "job/run_fill.h"

#define YIELDS	100			/* before falling asleep */
/* Slots of a thread: it goes on while another thread takes long for the oldest. */
#define PLACES	8u
#define AHEAD	2u			/* slots, whatever their size; */
#define BYTES	(2u * 1024 * 1024)	/* no more than these if they have more */

/* How far a slot is. */
enum state {
	FREE,
	BUSY,			/* a thread reads or examines it */
	HASHED,			/* by key: the lines have no numbers yet, */
	SHARED,			/* and then the jobs process them */
	DONE
};

struct place {
	struct ctx_run_slot slot;
	enum state state;
	size_t bytes;			/* of its lines, unless it is free */
	unsigned reader;		/* number of the thread */
	unsigned left;			/* jobs that still have lines in it */
};

struct worker {
	struct ctx_run_threads *t;
	pthread_t thread;		/* unless it is the caller's: it waits
					   for tasks */
	int started, busy;		/* there is one; it has a task */
	struct ctx_job *job;
	int taken;			/* by key: a thread does the job, */
	uint64_t next;			/* whose next slot is this */
	struct place place[PLACES];	/* for what it reads: nobody else's
					   cache has them */
	struct ctx_turns keys;		/* to find keys */
	struct ctx_doc doc;
};

struct ctx_run_threads {
	struct ctx_run *run;
	struct ctx_run_fill fill;
	unsigned n;			/* 0: only the caller's */
	struct worker *worker;		/* the first is the caller */
	struct ctx_job **job;		/* the workers' */
	struct place **ring;		/* those that have been read */
	unsigned nring;

	pthread_mutex_t lock;		/* for all that follows */
	pthread_cond_t wake;
	void (*task)(struct worker *w);
	unsigned busy;			/* threads that have a task */
	unsigned asleep;
	atomic_uint changes;
	int quit;
	int joined;			/* all threads have this file */
	/* numbers of the slots to be told, numbered and read next */
	uint64_t head, numbered, tail;
	int reading, telling;		/* a thread does */
	int eof;
	int alone;			/* the rest is for the caller's job, */
	int worth;			/* and worth examining */
	int cut;			/* by key: a numbered line ends the
					   file */
	int shared;			/* by key: the jobs hold
					   conversations */
	uint64_t seq;			/* by key: of the next record */
	struct ctx_owners owners;
	int go;				/* as returned by ctx_run_line */
	struct ctx_err err;
};

/* --- the threads ------------------------------------------------------- */

/* Something has changed that a thread may wait for. */
static void
wake(struct ctx_run_threads *t)
{
	t->changes++;
	if (t->asleep > 0)
		pthread_cond_broadcast(&t->wake);
}

/*
 * Wait for a change.  Mostly another thread reads, which takes less time than
 * falling asleep and waking up.
 */
static void
nap(struct ctx_run_threads *t)
{
	unsigned was = t->changes, i;

	pthread_mutex_unlock(&t->lock);
	for (i = 0; i < YIELDS && t->changes == was; i++)
		sched_yield();
	pthread_mutex_lock(&t->lock);
	if (t->changes != was)
		return;
	t->asleep++;
	pthread_cond_wait(&t->wake, &t->lock);
	t->asleep--;
}

static void *
run_thread(void *arg)
{
	struct worker *w = arg;
	struct ctx_run_threads *t = w->t;

	pthread_mutex_lock(&t->lock);
	for (;;) {
		while (!w->busy && !t->quit)
			nap(t);
		if (t->quit)
			break;
		pthread_mutex_unlock(&t->lock);
		t->task(w);
		pthread_mutex_lock(&t->lock);
		w->busy = 0;
		t->busy--;
		wake(t);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* Give all threads but the caller's the task. */
static void
start(struct ctx_run_threads *t, void (*task)(struct worker *w))
{
	struct worker *w;

	t->task = task;
	for (w = t->worker + 1; w < t->worker + t->n; w++)
		if (!w->started)
			w->started = ctx_worker_start(&w->thread, run_thread,
			    w) == 0;
	pthread_mutex_lock(&t->lock);
	for (w = t->worker + 1; w < t->worker + t->n; w++) {
		w->busy = w->started;
		t->busy += w->busy != 0;
	}
	wake(t);
	pthread_mutex_unlock(&t->lock);
}

static void
finish(struct ctx_run_threads *t)
{
	pthread_mutex_lock(&t->lock);
	while (t->busy > 0)
		nap(t);
	pthread_mutex_unlock(&t->lock);
}

/* --- the steps --------------------------------------------------------- */

static struct place *
place(const struct ctx_run_threads *t, uint64_t i)
{
	return t->ring[i % t->nring];
}

/*
 * A place of the worker's into which it can read, or NULL.  What is examined for
 * the caller's job, the job keeps for two slots.
 */
static struct place *
free_place(struct worker *w)
{
	unsigned n = w->t->n == 0 ? 1 : w->t->alone ? AHEAD : PLACES, i;
	struct place *p;
	size_t bytes = 0;

	for (i = 0; i < n && (i < AHEAD || bytes < BYTES); i++) {
		p = &w->place[i];
		if (p->state == FREE)
			return p;
		bytes += p->bytes;
	}
	return NULL;
}

/* May lines be read?  The caller's job takes the rest if not. */
static int
goes_on(const struct ctx_run_threads *t)
{
	return t->go == 1 && !t->eof && (!t->alone || t->worth);
}

/* Is there nothing left to do in this file? */
static int
is_over(const struct ctx_run_threads *t)
{
	return t->go != 1 || (t->head == t->tail && !t->reading &&
	    !goes_on(t));
}

static void
fail(struct ctx_run_threads *t, int go, const struct ctx_err *err)
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
	struct place *p;

	for (; t->numbered < t->tail; t->numbered++) {
		p = place(t, t->numbered);
		if (p->state == DONE)
			continue;
		if (p->state != HASHED || t->cut)
			break;
		if (ctx_owners_find(&t->owners, p->slot.part, p->slot.npart,
		    t->n, p->reader, &err) == -1 ||
		    ctx_run_slot_number(&p->slot, &t->seq, &err) == -1) {
			fail(t, -1, &err);
			break;
		}
		t->cut = p->slot.cut;
		p->left = (unsigned)__builtin_popcountll(p->slot.jobs);
		p->state = p->left == 0 ? DONE : SHARED;
	}
}

/* Pass on the output of the oldest slot. */
static int
step_tell(struct worker *w)
{
	struct ctx_run_threads *t = w->t;
	const struct ctx_job_kind *kind = t->run->job->kind;
	int alone = t->alone, worth, go;
	struct ctx_err err = { 0 };
	struct place *p;

	if (t->telling || t->head == t->tail ||
	    (p = place(t, t->head))->state != DONE)
		return 0;
	t->telling = 1;
	pthread_mutex_unlock(&t->lock);
	go = ctx_run_slot_tell(&p->slot, t->run, &alone, &err);
	if (go == 1 && t->run->waiting != NULL &&
	    t->run->waiting(t->run->arg, &err) == -1)
		go = -1;
	ctx_run_slot_drop(&p->slot);
	worth = kind->ahead != NULL && kind->ahead_worth(t->run->job);
	pthread_mutex_lock(&t->lock);
	p->state = FREE;
	t->telling = 0;
	t->alone = alone;
	t->worth = worth;
	t->head++;
	fail(t, go, &err);
	wake(t);	/* whoever waits for a place may read */
	return 1;
}

/* The next slot that has lines of job r, or NULL. */
static struct place *
next_of(struct worker *r)
{
	struct ctx_run_threads *t = r->t;
	unsigned no = (unsigned)(r - t->worker);
	struct place *p;

	if (r->next < t->head)
		r->next = t->head;
	for (; r->next < t->numbered; r->next++) {
		p = place(t, r->next);
		if (p->state == SHARED && (p->slot.jobs >> no & 1) != 0)
			return p;
	}
	return NULL;
}

/* Let job r process its lines of the next slot. */
static int
step_mine(struct worker *r)
{
	struct ctx_run_threads *t = r->t;
	struct place *p;

	if (r->taken || (p = next_of(r)) == NULL)
		return 0;
	r->taken = 1;
	r->next++;
	pthread_mutex_unlock(&t->lock);
	ctx_run_slot_mine(&p->slot, r->job, (unsigned)(r - t->worker));
	pthread_mutex_lock(&t->lock);
	r->taken = 0;
	if (--p->left == 0)
		p->state = DONE;
	wake(t);
	return 1;
}

/* Do another thread's job. */
static int
step_other(struct worker *w)
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

	if (t->run->job->turns.by != NULL && t->n > 0)
		return few && t->eof && !t->shared ? CTX_RUN_MAIN :
		    CTX_RUN_BY_KEY;
	if (few)
		return CTX_RUN_MAIN;
	return !t->alone ? CTX_RUN_CONVERSATIONS : t->worth && i < AHEAD ?
	    CTX_RUN_AHEAD : CTX_RUN_MAIN;
}

/* Make what is needed to process a slot, unless it is there. */
static int
equip(const struct worker *w, struct ctx_run_slot *s, struct ctx_err *err)
{
	int by_key = w->job->turns.by != NULL;

	if (w->t->n == 0)
		return 0;
	if (ctx_run_slot_logs(s, by_key ? w->t->n : 1, err) == -1)
		return -1;
	if (!by_key && s->sum == NULL)
		s->sum = ctx_job_totals(w->job, err);
	return by_key || s->sum != NULL ? 0 : -1;
}

/* What the worker does with the slot that it has read. */
static int
examine(struct worker *w, struct ctx_run_slot *s, struct ctx_err *err)
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
has_been_read(struct worker *w, struct place *p, int more)
{
	struct ctx_run_threads *t = w->t;
	struct ctx_run_slot *s = &p->slot;

	t->reading = 0;
	t->eof = !more;
	if (s->n == 0 && s->late.code == CTX_OK)
		return 0;
	p->state = BUSY;
	p->bytes = s->bytes;
	p->reader = (unsigned)(w - t->worker);
	s->way = way_of(t, s, (unsigned)(p - w->place));
	t->shared |= s->way == CTX_RUN_BY_KEY;
	t->ring[t->tail++ % t->nring] = p;
	return 1;
}

/* Read the next slot, and do with it what this thread can do. */
static int
step_read(struct worker *w)
{
	struct ctx_run_threads *t = w->t;
	struct place *p = free_place(w);
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
		wake(t);
		return 1;
	}
	wake(t);
	pthread_mutex_unlock(&t->lock);
	if (s->way != CTX_RUN_MAIN && !t->joined)
		ok = join(t, &err) == 0;
	ok = ok && examine(w, s, &err) == 0;
	pthread_mutex_lock(&t->lock);
	fail(t, ok ? 1 : -1, &err);
	p->state = s->way == CTX_RUN_BY_KEY && s->err.code == CTX_OK ? HASHED :
	    DONE;
	/* without a key, this thread itself does what can be done now */
	if (t->shared) {
		number(t);
		wake(t);
	}
	return 1;
}

/* What each thread does with a file. */
static void
do_file(struct worker *w)
{
	struct ctx_run_threads *t = w->t;

	pthread_mutex_lock(&t->lock);
	while (!is_over(t))
		if (!step_tell(w) && !(t->shared && step_mine(w)) &&
		    /* a read may block: nothing may wait for this thread */
		    !(t->busy + 1 < t->n && step_other(w)) &&
		    !step_read(w) && !step_other(w))
			nap(t);
	wake(t);
	pthread_mutex_unlock(&t->lock);
}

/* --- a file ------------------------------------------------------------ */

/* The logs of the ends of conversations. */
static struct ctx_run_slot *
ends(struct ctx_run_threads *t)
{
	return &t->worker[0].place[0].slot;
}

/* Make the jobs of the threads, unless they are there. */
static int
hire(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct worker *w;

	for (w = t->worker; w < t->worker + t->n; w++) {
		if (w->job == NULL)
			w->job = ctx_job_another(t->run->job, err);
		if ((t->job[w - t->worker] = w->job) == NULL)
			return -1;
	}
	return equip(t->worker, ends(t), err);
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
	start(t, do_file);
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
	const struct ctx_job_kind *kind = t->run->job->kind;
	unsigned i, k;

	t->head = t->numbered = t->tail = 0;
	t->joined = t->eof = t->cut = t->shared = 0;
	t->alone = t->n == 0;
	t->worth = kind->ahead != NULL && kind->ahead_worth(t->run->job);
	t->seq = t->run->job->turns.seq;
	t->go = 1;
	ctx_err_clear(&t->err);
	ctx_owners_reset(&t->owners);
	for (i = 0; i == 0 || i < t->n; i++) {
		t->worker[i].next = 0;
		for (k = 0; k < PLACES; k++)
			t->worker[i].place[k].state = FREE;
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
	t->nring = PLACES * n + (n == 0);
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
	finish(t);
	abandon(t);
	ctx_run_fill_end(&t->fill);
	if (t->shared)
		r->job->turns.seq = t->seq;
	if (t->go == -1)
		*err = t->err;
	return t->go == 1 && t->eof ? 0 : t->go;
}

/* --- the end ----------------------------------------------------------- */

static void
do_ends(struct worker *w)
{
	unsigned no = (unsigned)(w - w->t->worker);

	ctx_run_slot_ends(ends(w->t), w->job, no);
}

/*
 * Let the jobs end their conversations, as many as fit the logs.  Output before
 * the returned place is complete then.
 */
static uint64_t
end_some(struct ctx_run_threads *t)
{
	uint64_t limit = UINT64_MAX;
	const struct ctx_turns *turns;
	struct ctx_gave *log;
	unsigned i;

	for (i = 0; i < t->n; i++) {
		log = &ends(t)->log[i];
		if (ctx_gave_next(log) == UINT64_MAX)
			ctx_gave_reset(log);
	}
	if (t->joined)
		start(t, do_ends);
	for (i = 0; i < t->n; i++)
		if (i == 0 || !t->worker[i].started || !t->joined)
			do_ends(&t->worker[i]);
	finish(t);
	for (i = 0; i < t->n; i++) {
		turns = &t->worker[i].job->turns;
		if (turns->oldest != NULL &&
		    (CTX_RUN_AT_END | turns->oldest->begun) < limit)
			limit = CTX_RUN_AT_END | turns->oldest->begun;
	}
	return limit;
}

/* End conversations in the order in which they began. */
static int
end_all(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_job *main = t->run->job;
	struct worker *w;
	uint64_t limit;

	ctx_run_slot_drop(ends(t));
	for (w = t->worker; w < t->worker + t->n; w++)
		w->job->cut_off = main->cut_off;
	do {
		limit = end_some(t);
		if (ctx_run_slot_tell_given(ends(t), t->run, limit, err) == -1)
			return -1;
	} while (limit != UINT64_MAX);
	for (w = t->worker; w < t->worker + t->n; w++) {
		main->changed |= w->job->changed;
		w->job->changed = 0;
		ctx_job_add(main, w->job);
		ctx_turns_forget(&w->job->turns);
	}
	return 0;
}

static int
end_shared(struct ctx_run *r, struct ctx_err *err)
{
	struct ctx_run_threads *t = r->t;
	struct ctx_job *main = r->job;

	/* the caller's own job may have processed input that was not lines */
	if (end_all(t, err) == -1 || ctx_turns_end(&main->turns, err) == -1 ||
	    ctx_queue_end(&main->queue, main->turns.seq, err) == -1)
		return -1;
	t->shared = 0;
	return main->kind->file_end == NULL ? 0 :
	    main->kind->file_end(main, t->job, t->n, err);
}

int
ctx_run_end(struct ctx_run *r, struct ctx_err *err)
{
	return r->t != NULL && r->t->shared ? end_shared(r, err) :
	    ctx_job_end(r->job, err);
}

void
ctx_run_give_up(struct ctx_run *r)
{
	struct ctx_run_threads *t = r->t;
	unsigned i;

	for (i = 0; t != NULL && i < t->n; i++) {
		if (t->worker[i].job == NULL)
			continue;
		t->worker[i].job->changed = 0;
		ctx_job_add(NULL, t->worker[i].job);
		ctx_job_give_up(t->worker[i].job);
	}
	if (t != NULL)
		t->shared = 0;
}

void
ctx_run_done(struct ctx_run *r)
{
	struct ctx_run_threads *t = r->t;
	struct worker *w;
	unsigned i, k;

	if (t == NULL)
		return;
	pthread_mutex_lock(&t->lock);
	t->quit = 1;
	wake(t);
	pthread_mutex_unlock(&t->lock);
	for (i = 0; i == 0 || i < t->n; i++) {
		w = &t->worker[i];
		if (w->started)
			pthread_join(w->thread, NULL);
		if (t->n > 0)
			ctx_job_free(w->job);
		for (k = 0; k < PLACES; k++)
			ctx_run_slot_done(&w->place[k].slot);
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
