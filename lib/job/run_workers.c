/* SPDX-License-Identifier: MIT */
/* Batches and the threads that deal with them; see run_workers.h. */
#include "job/run_workers.h"

#include <stdlib.h>
#include <string.h>

#define EACH	(512u * 1024)		/* bytes of lines per thread and
					   batch */
#define BATCH	(4u * 1024 * 1024)	/* and for all threads at most */
#define FEW	(64u * 1024)		/* too few bytes to be worth a thread */
#define TASK	(32u * 1024)		/* bytes that are examined at a time */
#define EARLY	(1024u * 1024)		/* bytes of early output at the end of a
					   file */
#define NODES	(32u * 1024)		/* nodes of a batch that a worker
					   keeps */
#define NO_SEQ	UINT64_MAX

/* --- batches ----------------------------------------------------------- */

int
ctx_run_batch_add(struct ctx_run_batch *b, const struct ctx_line *line,
    struct ctx_err *err)
{
	if (CTX_ROOM(b->item, b->n, &b->cap) == -1)
		return ctx_fail_nomem(err);
	b->item[b->n++] = (struct ctx_run_item){ .line = *line };
	ctx_block_hold(line->block);
	b->bytes += line->len;
	return 0;
}

void
ctx_run_batch_drop(struct ctx_run_batch *b)
{
	size_t i, n = b->n + (b->cut != 0);

	for (i = 0; i < n; i++)
		ctx_block_drop(b->item[i].line.block);
	b->n = b->bytes = 0;
	b->cut = 0;
	ctx_gave_reset(&b->bad);
}

int
ctx_run_batch_full(const struct ctx_run_threads *t)
{
	size_t max = (size_t)EACH * (t->n > 0 ? t->n : 1);

	return t->batch[t->filling].bytes >= (max < BATCH ? max : BATCH);
}

int
ctx_run_batch_few(const struct ctx_run_batch *b)
{
	return b->bytes < FEW;
}

/* --- what the threads do ----------------------------------------------- */

/* The line as a worker sees it; the worker does not hold its block. */
static struct ctx_line
unheld(const struct ctx_run_item *it)
{
	struct ctx_line line = it->line;

	line.block = NULL;
	return line;
}

/* Process conversation lines; others are left to the caller's job. */
static void
do_conversations(struct ctx_run_worker *w)
{
	struct ctx_gave *log = w->job->log;
	struct ctx_err err = { 0 };
	struct ctx_line line;
	int rc = 0;

	w->mixed = 0;
	for (w->done = w->from; w->done < w->to; w->done++) {
		line = unheld(&w->b->item[w->done]);
		log->at = w->done;
		log->line = &w->b->item[w->done].line;
		rc = ctx_turns_alone(&w->job->turns, &line, &err);
		if (rc == CTX_ALONE_GIVEN)
			continue;
		w->mixed = rc == CTX_ALONE_MIXED || (rc == CTX_ALONE_BAD &&
		    w->t->run->on_error == CTX_BAD_STOP);
		if (rc == -1 || w->mixed)
			break;
		if ((rc = ctx_gave_line(log, w->done, &err)) == -1)
			break;
	}
	if (rc == -1)
		ctx_gave_failed(log, &err);
}

/*
 * Keep the nodes found while looking for the key, so that the line need not be
 * scanned again, unless there are very many.
 */
static int
keep_nodes(struct ctx_run_worker *w, struct ctx_run_item *it,
    const struct ctx_doc *nodes, struct ctx_err *err)
{
	size_t which = (size_t)(w->b - w->t->batch);

	if (nodes->n == 0 || nodes->n > NODES - w->nnode)
		return 0;
	if (CTX_ROOM(w->node[which], w->nnode + nodes->n,
	    &w->capnode[which]) == -1)
		return ctx_fail_nomem(err);
	memcpy(w->node[which] + w->nnode, nodes->node,
	    nodes->n * sizeof(*nodes->node));
	it->who = w;
	it->node = w->nnode;
	it->nnode = nodes->n;
	w->nnode += nodes->n;
	return 0;
}

/* Find out to which conversation each line belongs. */
static void
do_hashes(struct ctx_run_worker *w)
{
	struct ctx_err err = { 0 };
	struct ctx_run_item *it;
	struct ctx_doc nodes;
	struct ctx_line line;
	size_t i;

	w->nnode = 0;
	for (i = w->from; i < w->to; i++) {
		it = &w->b->item[i];
		line = unheld(it);
		it->bad = ctx_turns_hash(&w->job->turns, &line, &it->hash,
		    &nodes, &err) == -1;
		if ((it->bad && err.code != CTX_EINPUT) || (!it->bad &&
		    keep_nodes(w, it, &nodes, &err) == -1)) {
			w->err = err;
			return;
		}
		ctx_err_clear(&err);
	}
}

void
ctx_run_item_known(const struct ctx_run_batch *b,
    const struct ctx_run_item *it, struct ctx_turns *turns)
{
	const struct ctx_run_worker *w = it->who;

	turns->known = w != NULL ? w->node[b - w->t->batch] + it->node : NULL;
	turns->nknown = it->nnode;
}

static int
one_of_mine(struct ctx_run_worker *w, const struct ctx_run_item *it,
    struct ctx_err *err)
{
	struct ctx_turns *turns = &w->job->turns;
	struct ctx_line line = unheld(it);

	turns->seq = it->seq;
	w->job->log->at = it->seq * 2 + 1;
	w->job->log->line = &it->line;
	if (it->bad)
		return ctx_turns_foreign(turns, &line, err);
	ctx_run_item_known(w->b, it, turns);
	return ctx_job_line(w->job, &line, err);
}

/* Process the lines of this worker's conversations. */
static void
do_mine(struct ctx_run_worker *w)
{
	unsigned no = (unsigned)(w - w->t->worker);
	struct ctx_err err = { 0 };
	const struct ctx_run_item *it;
	size_t i;

	for (i = 0; i < w->b->n; i++) {
		it = &w->b->item[i];
		if (it->seq == NO_SEQ || it->hash % w->t->n != no)
			continue;
		if (one_of_mine(w, it, &err) == -1) {
			ctx_gave_failed(w->job->log, &err);
			return;
		}
	}
}

/* End the worker's conversations, as many as its log may hold. */
static void
do_ends(struct ctx_run_worker *w)
{
	struct ctx_turns *t = &w->job->turns;
	struct ctx_gave *log = w->job->log;
	struct ctx_err err = { 0 };

	while (t->oldest != NULL && log->bytes < EARLY) {
		log->at = CTX_RUN_AT_END | t->oldest->begun;
		if (ctx_turns_end_one(t, &err) == -1) {
			ctx_gave_failed(log, &err);
			ctx_turns_forget(t);
		}
	}
}

/* Take the next lines to examine; returns 0 if there are none. */
static int
take_items(struct ctx_run_worker *w)
{
	struct ctx_run_threads *t = w->t;
	size_t bytes = 0;

	pthread_mutex_lock(&t->lock);
	w->from = t->next;
	while (t->next < w->b->n && bytes < TASK)
		bytes += w->b->item[t->next++].line.len;
	w->to = t->next;
	pthread_mutex_unlock(&t->lock);
	return w->from < w->to;
}

/* Examine lines that another thread will process, or this one later. */
static void
do_ahead(struct ctx_run_worker *w)
{
	const struct ctx_job_kind *kind = w->job->kind;
	unsigned which = (unsigned)(w->b - w->t->batch);
	struct ctx_run_item *it;
	size_t i;
	int rc = 0;

	w->nnode = 0;
	while (rc == 0 && take_items(w)) {
		for (i = w->from; rc == 0 && i < w->to; i++) {
			it = &w->b->item[i];
			rc = ctx_doc_try(&w->doc, it->line.raw, it->line.len);
			if (rc == -1)
				ctx_fail_nomem(&w->err);
			else if (rc == 1)
				rc = keep_nodes(w, it, &w->doc, &w->err) ==
				    -1 ? -1 : kind->ahead(w->job, &w->doc,
				    which, &w->err);
		}
		if (rc == 0)
			rc = kind->ahead_end(w->job, which, &w->err);
	}
}

/* --- the threads ------------------------------------------------------- */

static void *
run_thread(void *arg)
{
	struct ctx_run_worker *w = arg;
	struct ctx_run_threads *t = w->t;

	pthread_mutex_lock(&t->lock);
	for (;;) {
		while (!w->busy && !t->quit)
			pthread_cond_wait(&t->wake, &t->lock);
		if (t->quit)
			break;
		pthread_mutex_unlock(&t->lock);
		w->task(w);
		pthread_mutex_lock(&t->lock);
		w->busy = 0;
		if (--t->busy == 0)
			pthread_cond_signal(&t->done);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* Start n workers; finish does the work of those without a thread. */
static void
start(struct ctx_run_threads *t, unsigned n,
    void (*task)(struct ctx_run_worker *), int threads)
{
	struct ctx_run_worker *w;

	for (w = t->worker; w < t->worker + t->n; w++) {
		w->task = w < t->worker + n ? task : NULL;
		w->handed = 0;
		if (w->task != NULL && threads && !w->started)
			w->started = pthread_create(&w->thread, NULL,
			    run_thread, w) == 0;
	}
	pthread_mutex_lock(&t->lock);
	for (w = t->worker; threads && w < t->worker + n; w++) {
		w->busy = w->handed = w->started;
		t->busy += w->busy != 0;
	}
	pthread_cond_broadcast(&t->wake);
	pthread_mutex_unlock(&t->lock);
}

void
ctx_run_workers_finish(struct ctx_run_threads *t)
{
	struct ctx_run_worker *w;

	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->task != NULL && !w->handed)
			w->task(w);
	if (t->self.task != NULL)
		t->self.task(&t->self);
	t->self.task = NULL;
	pthread_mutex_lock(&t->lock);
	while (t->busy > 0)
		pthread_cond_wait(&t->done, &t->lock);
	pthread_mutex_unlock(&t->lock);
	t->running = 0;
}

int
ctx_run_workers_failed(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_run_worker *w;
	unsigned k;

	for (k = 0; k <= t->n; k++) {
		w = k < t->n ? &t->worker[k] : &t->self;
		if (w->err.code != CTX_OK) {
			*err = w->err;
			ctx_err_clear(&w->err);
			return -1;
		}
	}
	return 0;
}

/* --- giving a batch to the workers ------------------------------------- */

/* Divide the batch into shares of about the same number of bytes. */
static void
share_out(struct ctx_run_threads *t, struct ctx_run_batch *b)
{
	size_t i = 0, bytes = 0;
	struct ctx_run_worker *w;
	unsigned k;

	for (k = 0; k < t->n; k++) {
		w = &t->worker[k];
		w->b = b;
		w->job->log = &w->log[b - t->batch];
		ctx_gave_reset(w->job->log);
		w->from = i;
		while (i < b->n && (k + 1 == t->n || ctx_run_batch_few(b) ||
		    bytes <= b->bytes / t->n * (k + 1)))
			bytes += b->item[i++].line.len;
		w->to = i;
	}
}

/*
 * Number the lines of a batch divided by key.  A line that is not JSON is
 * reported in its place, and gets no number unless it is kept.  Returns 0, or
 * -1 with *err.
 */
static int
number_items(struct ctx_run_threads *t, struct ctx_run_batch *b,
    struct ctx_err *err)
{
	enum ctx_on_error how = t->run->on_error;
	uint64_t *seq = &t->run->job->turns.seq;
	struct ctx_run_item *it;
	size_t i, k;

	for (i = 0; i < b->n; i++) {
		it = &b->item[i];
		b->bad.at = *seq * 2;
		if (it->bad && how == CTX_BAD_STOP) {
			for (k = i + 1; k < b->n; k++)
				ctx_block_drop(b->item[k].line.block);
			b->n = i;
			b->cut = 1;
			return 0;
		}
		if (it->bad && ctx_gave_line(&b->bad, i, err) == -1)
			return -1;
		it->seq = it->bad && how != CTX_BAD_KEEP ? NO_SEQ : (*seq)++;
	}
	return 0;
}

static int
find_keys(struct ctx_run_threads *t, struct ctx_run_batch *b,
    struct ctx_err *err)
{
	start(t, t->n, do_hashes, !ctx_run_batch_few(b));
	ctx_run_workers_finish(t);
	if (ctx_run_workers_failed(t, err) == -1)
		return -1;
	t->shared = 1;
	return number_items(t, b, err);
}

/* Let all threads but this one examine the batch; finish takes part in it. */
static void
begin_ahead(struct ctx_run_threads *t, struct ctx_run_batch *b)
{
	unsigned k;

	for (k = 0; k < t->n; k++)
		t->worker[k].b = b;
	t->self.b = b;
	t->self.task = do_ahead;
	t->next = 0;
	start(t, t->n == 0 || ctx_run_batch_few(b) ? 0 : t->n - 1, do_ahead,
	    1);
}

int
ctx_run_workers_begin(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_run_batch *b = &t->batch[t->filling];
	int threads = !ctx_run_batch_few(b);

	b->way = t->alone ? CTX_RUN_AHEAD : t->run->job->turns.by != NULL ?
	    CTX_RUN_BY_KEY : CTX_RUN_CONVERSATIONS;
	if (b->way == CTX_RUN_AHEAD)
		begin_ahead(t, b);
	else
		share_out(t, b);
	if (b->way == CTX_RUN_BY_KEY && find_keys(t, b, err) == -1)
		return -1;
	if (b->way != CTX_RUN_AHEAD)
		start(t, t->n, b->way == CTX_RUN_BY_KEY ? do_mine :
		    do_conversations, threads);
	t->running = 1;
	t->filling = 1 - t->filling;
	return 0;
}

uint64_t
ctx_run_workers_end(struct ctx_run_threads *t)
{
	uint64_t limit = UINT64_MAX;
	struct ctx_run_worker *w;

	for (w = t->worker; w < t->worker + t->n; w++)
		if (ctx_gave_next(w->job->log) == UINT64_MAX)
			ctx_gave_reset(w->job->log);
	start(t, t->n, do_ends, 1);
	ctx_run_workers_finish(t);
	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->job->turns.oldest != NULL &&
		    (CTX_RUN_AT_END | w->job->turns.oldest->begun) < limit)
			limit = CTX_RUN_AT_END | w->job->turns.oldest->begun;
	return limit;
}

/* --- creating and freeing workers -------------------------------------- */

int
ctx_run_workers_new(struct ctx_run *r, unsigned n, struct ctx_err *err)
{
	struct ctx_run_threads *t = calloc(1, sizeof(*t));
	struct ctx_run_worker *w;

	if (t == NULL || pthread_mutex_init(&t->lock, NULL) != 0) {
		free(t);
		return ctx_fail_nomem(err);
	}
	r->t = t;
	pthread_cond_init(&t->wake, NULL);
	pthread_cond_init(&t->done, NULL);
	t->self.t = t;
	t->self.job = r->job;
	if (n == 0)
		return 0;
	t->worker = calloc(n, sizeof(*w));
	t->job = calloc(n, sizeof(*t->job));
	if (t->worker == NULL || t->job == NULL)
		return ctx_fail_nomem(err);
	for (; t->n < n; t->n++) {
		w = &t->worker[t->n];
		w->t = t;
		w->job = ctx_job_another(r->job, err);
		if ((t->job[t->n] = w->job) == NULL)
			return -1;
	}
	return 0;
}

static void
worker_done(struct ctx_run_worker *w)
{
	ctx_gave_done(&w->log[0]);
	ctx_gave_done(&w->log[1]);
	free(w->node[0]);
	free(w->node[1]);
	ctx_doc_done(&w->doc);
}

/* Let the threads end; they have no task. */
static void
dismiss(struct ctx_run_threads *t)
{
	unsigned k;

	pthread_mutex_lock(&t->lock);
	t->quit = 1;
	pthread_cond_broadcast(&t->wake);
	pthread_mutex_unlock(&t->lock);
	for (k = 0; k < t->n; k++)
		if (t->worker[k].started)
			pthread_join(t->worker[k].thread, NULL);
}

void
ctx_run_done(struct ctx_run *r)
{
	struct ctx_run_threads *t = r->t;
	unsigned k;

	if (t == NULL)
		return;
	dismiss(t);
	for (k = 0; k < t->n; k++) {
		ctx_job_free(t->worker[k].job);
		worker_done(&t->worker[k]);
	}
	worker_done(&t->self);
	for (k = 0; k < 2; k++) {
		ctx_gave_done(&t->batch[k].bad);
		free(t->batch[k].item);
	}
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->wake);
	pthread_cond_destroy(&t->done);
	free(t->worker);
	free(t->job);
	free(t);
	r->t = NULL;
}
