/* SPDX-License-Identifier: MIT */
/* Batches and the threads that deal with them; see run_workers.h. */
#include "job/run_workers.h"

#include <stdlib.h>
#include <string.h>

#define EACH	(256u * 1024)		/* bytes of lines per thread and
					   batch */
#define BATCH	(4u * 1024 * 1024)	/* and for all threads at most */
#define FEW	(64u * 1024)		/* too few bytes to be worth a thread */
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
	size_t max = (size_t)EACH * t->n;

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
	if (nodes->n == 0 || nodes->n > NODES - w->nnode)
		return 0;
	if (CTX_ROOM(w->node, w->nnode + nodes->n, &w->capnode) == -1)
		return ctx_fail_nomem(err);
	memcpy(w->node + w->nnode, nodes->node,
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
	turns->known = it->who != NULL ? it->who->node + it->node : NULL;
	turns->nknown = it->nnode;
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

/* Examine lines that another thread will process. */
static void
do_ahead(struct ctx_run_worker *w)
{
	const struct ctx_job_kind *kind = w->job->kind;
	unsigned which = (unsigned)(w->b - w->t->batch);
	struct ctx_line line;
	size_t i;

	for (i = w->from; i < w->to; i++) {
		line = unheld(&w->b->item[i]);
		if (kind->ahead(w->job, &line, which, &w->err) == -1)
			return;
	}
}

/* --- the threads ------------------------------------------------------- */

static void *
run_thread(void *arg)
{
	struct ctx_run_worker *w = arg;

	w->task(w);
	return NULL;
}

/* Start all workers; finish does the work of those without a thread. */
static void
start(struct ctx_run_threads *t, void (*task)(struct ctx_run_worker *),
    int threads)
{
	struct ctx_run_worker *w;

	for (w = t->worker; w < t->worker + t->n; w++) {
		w->task = task;
		w->started = threads && pthread_create(&w->thread, NULL,
		    run_thread, w) == 0;
	}
}

void
ctx_run_workers_finish(struct ctx_run_threads *t)
{
	struct ctx_run_worker *w;

	for (w = t->worker; w < t->worker + t->n; w++)
		if (!w->started)
			w->task(w);
	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->started)
			pthread_join(w->thread, NULL);
	t->running = 0;
}

int
ctx_run_workers_failed(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_run_worker *w;

	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->err.code != CTX_OK) {
			*err = w->err;
			ctx_err_clear(&w->err);
			return -1;
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
	start(t, do_hashes, !ctx_run_batch_few(b));
	ctx_run_workers_finish(t);
	if (ctx_run_workers_failed(t, err) == -1)
		return -1;
	t->shared = 1;
	return number_items(t, b, err);
}

int
ctx_run_workers_begin(struct ctx_run_threads *t, struct ctx_err *err)
{
	static void (*const task[])(struct ctx_run_worker *) = {
		[CTX_RUN_CONVERSATIONS] = do_conversations,
		[CTX_RUN_BY_KEY] = do_mine, [CTX_RUN_AHEAD] = do_ahead
	};
	struct ctx_run_batch *b = &t->batch[t->filling];

	b->way = t->alone ? CTX_RUN_AHEAD : t->run->job->turns.by != NULL ?
	    CTX_RUN_BY_KEY : CTX_RUN_CONVERSATIONS;
	share_out(t, b);
	if (b->way == CTX_RUN_BY_KEY && find_keys(t, b, err) == -1)
		return -1;
	start(t, task[b->way], !ctx_run_batch_few(b));
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
	start(t, do_ends, 1);
	ctx_run_workers_finish(t);
	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->job->turns.oldest != NULL &&
		    (CTX_RUN_AT_END | w->job->turns.oldest->begun) < limit)
			limit = CTX_RUN_AT_END | w->job->turns.oldest->begun;
	return limit;
}

/* --- creating and freeing workers -------------------------------------- */

int
ctx_run_workers_new(struct ctx_run *r, struct ctx_err *err)
{
	struct ctx_run_threads *t = calloc(1, sizeof(*t));
	struct ctx_run_worker *w;

	if ((r->t = t) == NULL ||
	    (t->worker = calloc(r->threads, sizeof(*w))) == NULL ||
	    (t->job = calloc(r->threads, sizeof(*t->job))) == NULL)
		return ctx_fail_nomem(err);
	for (; t->n < r->threads; t->n++) {
		w = &t->worker[t->n];
		w->t = t;
		w->job = ctx_job_another(r->job, err);
		if ((t->job[t->n] = w->job) == NULL)
			return -1;
	}
	return 0;
}

void
ctx_run_done(struct ctx_run *r)
{
	struct ctx_run_threads *t = r->t;
	unsigned k;

	if (t == NULL)
		return;
	for (k = 0; t->worker != NULL && k < r->threads; k++) {
		ctx_job_free(t->worker[k].job);
		ctx_gave_done(&t->worker[k].log[0]);
		ctx_gave_done(&t->worker[k].log[1]);
		free(t->worker[k].node);
	}
	for (k = 0; k < 2; k++) {
		ctx_gave_done(&t->batch[k].bad);
		free(t->batch[k].item);
	}
	free(t->worker);
	free(t->job);
	free(t);
	r->t = NULL;
}
