/* SPDX-License-Identifier: MIT */
#include "cmd/digest-files/crew.h"

#include <stdlib.h>

#include "base/worker.h"

#define AHEAD	16		/* files per thread */

enum state { FREE, GIVEN, TAKEN_UP, READY };

struct slot {
	struct digested d;
	enum state state;
};

struct worker {
	struct crew *crew;
	struct desk desk;
	struct ctx_cost cost;
	pthread_t thread;
	int started;
};

/* Slots are used in turn: given at head, worked on at next, taken at tail. */
struct crew {
	struct slot *slot;
	size_t n, head, next, tail;
	struct worker *worker;
	unsigned threads;
	crew_take *take;
	void *arg;
	int end;			/* nothing more is given */
	pthread_mutex_t lock;		/* of all that follows a state */
	pthread_cond_t given, ready;
};

static void *
work(void *arg)
{
	struct worker *w = arg;
	struct crew *c = w->crew;
	struct slot *s;

	pthread_mutex_lock(&c->lock);
	for (;;) {
		while (c->next == c->head && !c->end)
			pthread_cond_wait(&c->given, &c->lock);
		if (c->next == c->head)
			break;
		s = &c->slot[c->next++ % c->n];
		if (s->state != GIVEN)
			continue;
		s->state = TAKEN_UP;
		pthread_mutex_unlock(&c->lock);
		desk_digest(&w->desk, &s->d);
		pthread_mutex_lock(&c->lock);
		s->state = READY;
		pthread_cond_signal(&c->ready);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* Give a worker its desk, and start it.  Returns 0, or -1 with *err. */
static int
start(struct worker *w, const struct desk *desk, struct ctx_err *err)
{
	w->desk = (struct desk){ .opts = desk->opts, .cost = &w->cost,
	    .stash = desk->stash };
	if (desk->opts->json && ctx_cost_like(&w->cost, desk->cost, err) == -1)
		return -1;
	w->started = ctx_worker_start(&w->thread, work, w) == 0;
	return w->started ? 0 : ctx_fail(err, CTX_ESYSTEM,
	    "cannot start a thread");
}

struct crew *
crew_new(const struct desk *desk, unsigned n, crew_take *take, void *arg,
    struct ctx_err *err)
{
	struct crew *c = calloc(1, sizeof(*c));
	unsigned i;

	if (c == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->given, NULL);
	pthread_cond_init(&c->ready, NULL);
	c->take = take;
	c->arg = arg;
	c->n = (size_t)n * AHEAD;
	c->slot = calloc(c->n, sizeof(*c->slot));
	c->worker = calloc(n, sizeof(*c->worker));
	if (c->slot == NULL || c->worker == NULL)
		ctx_fail_nomem(err);
	for (i = 0; i < n && err->code == CTX_OK; i++) {
		c->worker[i].crew = c;
		c->threads = i + 1;
		start(&c->worker[i], desk, err);
	}
	if (err->code == CTX_OK)
		return c;
	crew_end(c, err);
	return NULL;
}

/*
 * Take the files that are ready, in order; all that come before file upto in any
 * case.  The lock is held, but not while one is taken.
 */
static int
take_ready(struct crew *c, size_t upto, struct ctx_err *err)
{
	struct slot *s;
	int rc = 0;

	while (rc == 0 && c->tail < c->head) {
		s = &c->slot[c->tail % c->n];
		if (s->state != READY && c->tail >= upto)
			break;
		while (s->state != READY)
			pthread_cond_wait(&c->ready, &c->lock);
		pthread_mutex_unlock(&c->lock);
		rc = c->take(&s->d, c->arg, err);
		pthread_mutex_lock(&c->lock);
		s->state = FREE;
		c->tail++;
	}
	return rc;
}

int
crew_give(struct crew *c, const char *path, const struct ctx_err *why,
    struct ctx_err *err)
{
	struct slot *s;
	int rc;

	pthread_mutex_lock(&c->lock);
	rc = take_ready(c, c->head < c->n ? 0 : c->head + 1 - c->n, err);
	if (rc == 0) {
		s = &c->slot[c->head % c->n];
		ctx_buf_reset(&s->d.path);
		ctx_buf_adds(&s->d.path, path);
		if (ctx_buf_str(&s->d.path) == NULL)
			rc = ctx_fail_nomem(err);
		if (why != NULL) {
			ctx_buf_reset(&s->d.out);
			s->d.listed = 0;
			s->d.bytes = 0;
			s->d.why = *why;
			ctx_err_clear(&s->d.err);
		}
	}
	if (rc == 0) {
		s->state = why != NULL ? READY : GIVEN;
		c->head++;
		pthread_cond_signal(&c->given);
	}
	pthread_mutex_unlock(&c->lock);
	return rc;
}

void
crew_end(struct crew *c, struct ctx_err *err)
{
	unsigned i;
	size_t k;

	pthread_mutex_lock(&c->lock);
	if (err->code == CTX_OK && take_ready(c, c->head, err) == -1)
		c->next = c->head;
	if (err->code != CTX_OK)
		c->next = c->head;	/* what is left is not begun */
	c->end = 1;
	pthread_cond_broadcast(&c->given);
	pthread_mutex_unlock(&c->lock);
	for (i = 0; i < c->threads; i++) {
		if (c->worker[i].started)
			pthread_join(c->worker[i].thread, NULL);
		desk_done(&c->worker[i].desk);
		if (c->worker[i].desk.opts != NULL &&
		    c->worker[i].desk.opts->json)
			ctx_cost_done(&c->worker[i].cost);
	}
	for (k = 0; c->slot != NULL && k < c->n; k++)
		digested_done(&c->slot[k].d);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->given);
	pthread_cond_destroy(&c->ready);
	free(c->slot);
	free(c->worker);
	free(c);
}
