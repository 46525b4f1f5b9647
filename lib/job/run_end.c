/* SPDX-License-Identifier: MIT */
/*
 * The end of a file whose conversations threads have had: each job ends its
 * conversations in the order in which they began, and their output is merged.
 * A job's output comes in pieces, so that one thread passes on what others have
 * made while these go on.
 */
#include "job/run_impl.h"
#include "job/run_threads.h"

#define BYTES	(64u * 1024)		/* of a piece, */
#define ENTRIES	1024u			/* and what it has otherwise */

/* Let the job end conversations until the piece is full. */
static void
fill(struct ctx_job *job, struct ctx_gave *piece)
{
	struct ctx_turns *t = &job->turns;
	struct ctx_err err = { 0 };

	job->log = piece;
	while (t->oldest != NULL && piece->bytes < BYTES &&
	    piece->n < ENTRIES) {
		piece->at = CTX_RUN_AT_END | t->oldest->begun;
		if (ctx_turns_end_one(t, &err) == -1) {
			ctx_gave_failed(piece, &err);
			ctx_turns_forget(t);
		}
	}
}

/* Make the next piece of job r. */
static int
step_fill(struct ctx_run_worker *r)
{
	struct ctx_run_threads *t = r->t;
	struct ctx_gave *piece;

	if (r->taken || r->over || r->npiece == CTX_RUN_PIECES)
		return 0;
	piece = &r->piece[(r->first + r->npiece) % CTX_RUN_PIECES];
	r->taken = 1;
	pthread_mutex_unlock(&t->lock);
	fill(r->job, piece);
	pthread_mutex_lock(&t->lock);
	r->taken = 0;
	r->npiece++;
	r->over = r->job->turns.oldest == NULL;
	ctx_run_wake(t);
	return 1;
}

/* Does the order of the output depend on a piece that is not made yet? */
static int
is_missing(const struct ctx_run_threads *t)
{
	const struct ctx_run_worker *w;

	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->npiece == 0 && !w->over)
			return 1;
	return 0;
}

/* The worker whose first piece has the next output, or NULL. */
static struct ctx_run_worker *
next_worker(const struct ctx_run_threads *t)
{
	struct ctx_run_worker *w, *found = NULL;
	uint64_t at = UINT64_MAX, next;

	for (w = t->worker; w < t->worker + t->n; w++) {
		if (!w->due)
			continue;
		next = ctx_gave_next(&w->piece[w->first]);
		if (next < at) {
			at = next;
			found = w;
		}
	}
	return found;
}

/* Pass on the first pieces until one of them is used up. */
static int
tell(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_run_worker *w;
	struct ctx_gave *piece;
	size_t line;

	while ((w = next_worker(t)) != NULL) {
		piece = &w->piece[w->first];
		if (ctx_gave_tell(piece, t->run->job, 0, &line, err) == -1)
			return -1;
		if (ctx_gave_next(piece) == UINT64_MAX)
			break;
	}
	return 1;
}

static int
step_tell(struct ctx_run_threads *t)
{
	struct ctx_err err = { 0 };
	struct ctx_run_worker *w;
	int go, any = 0;

	if (t->telling || is_missing(t))
		return 0;
	for (w = t->worker; w < t->worker + t->n; w++)
		any |= w->due = w->npiece > 0;
	if (!any)
		return 0;
	t->telling = 1;
	pthread_mutex_unlock(&t->lock);
	go = tell(t, &err);
	pthread_mutex_lock(&t->lock);
	t->telling = 0;
	ctx_run_fail(t, go, &err);
	for (w = t->worker; w < t->worker + t->n; w++) {
		if (!w->due || ctx_gave_next(&w->piece[w->first]) != UINT64_MAX)
			continue;
		ctx_gave_reset(&w->piece[w->first]);
		w->first = (w->first + 1) % CTX_RUN_PIECES;
		w->npiece--;
	}
	ctx_run_wake(t);
	return 1;
}

static int
is_over(const struct ctx_run_threads *t)
{
	const struct ctx_run_worker *w;

	for (w = t->worker; t->go == 1 && w < t->worker + t->n; w++)
		if (w->npiece > 0 || !w->over)
			return 0;
	return 1;
}

/* The worker's own job first: its conversations are in this thread's cache. */
static int
step_any(struct ctx_run_worker *w)
{
	struct ctx_run_threads *t = w->t;
	unsigned i;

	if (step_tell(t) || step_fill(w))
		return 1;
	for (i = 0; i < t->n; i++)
		if (step_fill(&t->worker[i]))
			return 1;
	return 0;
}

static void
do_ends(struct ctx_run_worker *w)
{
	struct ctx_run_threads *t = w->t;

	pthread_mutex_lock(&t->lock);
	while (!is_over(t))
		if (!step_any(w))
			ctx_run_nap(t);
	ctx_run_wake(t);
	pthread_mutex_unlock(&t->lock);
}

/* End conversations in the order in which they began. */
static int
end_all(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_job *main = t->run->job;
	struct ctx_run_worker *w;

	t->go = 1;		/* a bad line has ended only the reading */
	for (w = t->worker; w < t->worker + t->n; w++) {
		w->job->cut_off = main->cut_off;
		w->over = w->job->turns.oldest == NULL;
	}
	if (t->joined)
		ctx_run_start(t, do_ends);
	do_ends(&t->worker[0]);
	ctx_run_finish(t);
	if (t->go == -1) {
		*err = t->err;
		return -1;
	}
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

/* Forget what the worker's job holds. */
static void
give_up(struct ctx_run_worker *w)
{
	unsigned i;

	for (i = 0; i < CTX_RUN_PIECES; i++)
		ctx_gave_reset(&w->piece[i]);
	w->first = w->npiece = 0;
	if (w->job == NULL)
		return;
	w->job->changed = 0;
	ctx_job_add(NULL, w->job);
	ctx_job_give_up(w->job);
}

void
ctx_run_give_up(struct ctx_run *r)
{
	struct ctx_run_threads *t = r->t;
	unsigned i;

	for (i = 0; t != NULL && i < t->n; i++)
		give_up(&t->worker[i]);
	if (t != NULL)
		t->shared = 0;
}
