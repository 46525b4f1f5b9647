/* SPDX-License-Identifier: MIT */
/* Threads that wait for tasks; see run_impl.h. */
#include <sched.h>

#include "base/worker.h"
#include "job/run_impl.h"

#define YIELDS	100			/* before falling asleep */

void
ctx_run_wake(struct ctx_run_threads *t)
{
	t->changes++;
	if (t->asleep > 0)
		pthread_cond_broadcast(&t->wake);
}

/*
 * Mostly another thread reads, which takes less time than falling asleep and
 * waking up.
 */
void
ctx_run_nap(struct ctx_run_threads *t)
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
	struct ctx_run_worker *w = arg;
	struct ctx_run_threads *t = w->t;

	pthread_mutex_lock(&t->lock);
	for (;;) {
		while (!w->busy && !t->quit)
			ctx_run_nap(t);
		if (t->quit)
			break;
		pthread_mutex_unlock(&t->lock);
		t->task(w);
		pthread_mutex_lock(&t->lock);
		w->busy = 0;
		t->busy--;
		ctx_run_wake(t);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

void
ctx_run_start(struct ctx_run_threads *t, void (*task)(struct ctx_run_worker *w))
{
	struct ctx_run_worker *w;

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
	ctx_run_wake(t);
	pthread_mutex_unlock(&t->lock);
}

void
ctx_run_finish(struct ctx_run_threads *t)
{
	pthread_mutex_lock(&t->lock);
	while (t->busy > 0)
		ctx_run_nap(t);
	pthread_mutex_unlock(&t->lock);
}
