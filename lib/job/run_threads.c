/* SPDX-License-Identifier: MIT */
/* Passes input to a job's threads, and their output on; see run_threads.h. */
#include "job/run_threads.h"

#include <poll.h>

#include "job/run_workers.h"

/* --- output of the workers --------------------------------------------- */

/* Add the worker's totals to the main job's if given, else discard them. */
static void
add_figures(struct ctx_run_worker *w, int given)
{
	struct ctx_job *main = w->t->run->job;

	if (given)
		main->changed |= w->job->changed;
	w->job->changed = 0;
	ctx_job_add(given ? main : NULL, w->job);
}

/*
 * The workers have finished their batch.  Discard the totals of what follows
 * the first line that is for one thread.  Returns 1 if there is such a line.
 */
static int
end_batch(struct ctx_run_threads *t)
{
	struct ctx_run_worker *w;
	int mixed = 0;

	ctx_run_workers_finish(t);
	if (t->batch[1 - t->filling].way == CTX_RUN_AHEAD)
		return 1;
	for (w = t->worker; w < t->worker + t->n; w++) {
		add_figures(w, !mixed);
		mixed |= w->mixed;
	}
	return mixed;
}

/* Report line i of the batch, which is not JSON. */
static int
name_bad(struct ctx_run_threads *t, const struct ctx_run_batch *b, size_t i,
    struct ctx_err *err)
{
	const struct ctx_line *line = &b->item[i].line;
	struct ctx_err bad = { 0 };
	uint64_t hash;

	if (ctx_turns_hash(&t->run->job->turns, line, &hash, NULL,
	    &bad) == 0)
		return 0;
	if (bad.code != CTX_EINPUT) {
		*err = bad;
		return -1;
	}
	ctx_run_name_bad(t->run, line, &bad);
	return t->run->on_error == CTX_BAD_SKIP ?
	    ctx_run_skip(t->run, line, err) : 0;
}

/*
 * The log with the next entry; NULL if none is before limit.  If b is NULL, the
 * logs hold the output from the ends of conversations.
 */
static struct ctx_gave *
earliest(struct ctx_run_threads *t, struct ctx_run_batch *b, uint64_t limit)
{
	struct ctx_gave *l, *first = NULL;
	uint64_t at = limit, next;
	unsigned k;

	if (b != NULL && (next = ctx_gave_next(&b->bad)) < at) {
		at = next;
		first = &b->bad;
	}
	for (k = 0; k < t->n; k++) {
		l = &t->worker[k].log[b != NULL ? b - t->batch : 0];
		if ((next = ctx_gave_next(l)) < at) {
			at = next;
			first = l;
		}
	}
	return first;
}

/* Pass on all output before that place, in the order of the lines. */
static int
tell_given(struct ctx_run_threads *t, struct ctx_run_batch *b, uint64_t limit,
    struct ctx_err *err)
{
	int whole = b != NULL && b->way == CTX_RUN_CONVERSATIONS, rc;
	struct ctx_gave *l;
	uint64_t at;
	size_t i = 0;

	while ((l = earliest(t, b, limit)) != NULL) {
		at = ctx_gave_next(l);
		do {
			rc = ctx_gave_tell(l, t->run->job, whole, &i, err);
			if (rc == 1 && !whole)
				rc = name_bad(t, b, i, err);
			else if (rc == 1)
				rc = ctx_run_line(t->run, &b->item[i].line,
				    err) == 1 ? 0 : -1;
			if (rc == -1)
				return -1;
		} while (ctx_gave_next(l) == at);
	}
	return 0;
}

/* Process the lines of the batch from number i on, in this thread. */
static int
tell_lines(struct ctx_run_threads *t, const struct ctx_run_batch *b, size_t i,
    struct ctx_err *err)
{
	int go = 1;

	for (; go == 1 && i < b->n; i++) {
		ctx_run_item_known(b, &b->item[i], &t->run->job->turns);
		go = ctx_run_line(t->run, &b->item[i].line, err);
	}
	return go;
}

/* Pass on the output of conversation lines, up to a line for one thread. */
static int
tell_conversations(struct ctx_run_threads *t, struct ctx_run_batch *b,
    struct ctx_err *err)
{
	struct ctx_run_worker *w = t->worker, *end = w + t->n;

	/* without such a line, the workers already have the next batch */
	while (t->alone && w < end && !w->mixed)
		w++;
	if (!t->alone || w == end)
		return tell_given(t, b, UINT64_MAX, err) == -1 ? -1 : 1;
	if (tell_given(t, b, w->done, err) == -1)
		return -1;
	return tell_lines(t, b, w->done, err);
}

/* Pass on the output of conversations that are told apart by key. */
static int
tell_by_key(struct ctx_run_threads *t, struct ctx_run_batch *b,
    struct ctx_err *err)
{
	if (tell_given(t, b, UINT64_MAX, err) == -1)
		return -1;
	if (!b->cut)
		return 1;
	t->run->job->cut_off = 1;
	return name_bad(t, b, b->n, err);
}

/* Process lines for one thread, which other threads have examined. */
static int
tell_known(struct ctx_run_threads *t, struct ctx_run_batch *b,
    struct ctx_err *err)
{
	const struct ctx_job_kind *kind = t->run->job->kind;
	unsigned which = (unsigned)(b - t->batch);
	int go = ctx_run_workers_failed(t, err);

	if (go == 0 && kind->ahead_known(t->run->job, t->job, t->n, which,
	    err) == -1)
		go = -1;
	if (go == 0)
		go = tell_lines(t, b, 0, err);
	kind->ahead_forget(t->run->job, t->job, t->n, which);
	return go;
}

static int
tell(struct ctx_run_threads *t, struct ctx_run_batch *b, struct ctx_err *err)
{
	switch (b->way) {
	case CTX_RUN_CONVERSATIONS:
		return tell_conversations(t, b, err);
	case CTX_RUN_BY_KEY:
		return tell_by_key(t, b, err);
	case CTX_RUN_AHEAD:
		break;
	}
	return tell_known(t, b, err);
}

/* Will threads process the next batch? */
static int
for_threads(const struct ctx_run_threads *t)
{
	const struct ctx_job_kind *kind = t->run->job->kind;

	return !t->alone || (!t->shared && kind->ahead != NULL &&
	    kind->ahead_worth(t->run->job));
}

/*
 * Give the filled batch to the workers, and meanwhile pass on their output for
 * the one before.  Returns the same as ctx_run_line.
 */
static int
turn_over(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_run_batch *done = NULL, *next = &t->batch[t->filling];
	int go = 1, begun = 0;

	if (t->running) {
		done = &t->batch[1 - t->filling];
		t->alone = end_batch(t) || done->cut;
	}
	if (next->n > 0 && for_threads(t)) {
		begun = 1;
		if (ctx_run_workers_begin(t, err) == -1)
			go = -1;
	}
	if (done != NULL && go == 1)
		go = tell(t, done, err);
	if (done != NULL)
		ctx_run_batch_drop(done);
	if (!begun) {
		if (go == 1)
			go = tell_lines(t, next, 0, err);
		ctx_run_batch_drop(next);
	}
	if (go == 1 && t->run->waiting != NULL &&
	    t->run->waiting(t->run->arg, err) == -1)
		go = -1;
	return t->go = go;
}

/* Process everything that was read. */
static int
drain(struct ctx_run_threads *t, struct ctx_err *err)
{
	while (t->go == 1 && (t->running || t->batch[t->filling].n > 0))
		turn_over(t, err);
	return t->go;
}

/* Discard everything in progress. */
static void
abandon(struct ctx_run_threads *t)
{
	unsigned which = 1 - t->filling;
	struct ctx_run_worker *w;

	if (t->running) {
		ctx_run_workers_finish(t);
		for (w = t->worker; w < t->worker + t->n; w++)
			add_figures(w, 0);
		if (t->batch[which].way == CTX_RUN_AHEAD)
			t->run->job->kind->ahead_forget(t->run->job, t->job,
			    t->n, which);
	}
	ctx_run_batch_drop(&t->batch[0]);
	ctx_run_batch_drop(&t->batch[1]);
}

/* --- the input --------------------------------------------------------- */

static int
ready(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/* Before a read: if it may block, finish everything else first. */
static int
before_read(void *arg, struct ctx_err *err)
{
	struct ctx_run_threads *t = arg;

	if (t->n > 0 && for_threads(t) && ready(t->reader->fd))
		return 0;
	if (drain(t, err) != 1)
		return -1;
	return t->run->waiting == NULL ? 0 :
	    t->run->waiting(t->run->arg, err);
}

static int
take(struct ctx_run_threads *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_run_batch *b = &t->batch[t->filling];
	int mine = t->run->mine == NULL ? 1 :
	    t->run->mine(t->run->arg, line, err);

	if (mine != 1)
		return t->go = mine == 0 ? 1 : -1;
	if (!for_threads(t) && b->n == 0 && !t->running)
		return t->go = ctx_run_line(t->run, line, err);
	if (ctx_run_batch_add(b, line, err) == -1)
		return t->go = -1;
	return ctx_run_batch_full(t) ? turn_over(t, err) : 1;
}

/*
 * Take a line, which may be the first.  The first line tells whether lines of
 * its kind can be processed in threads, and whether they are lines at all.
 * Returns the same as take.
 */
static int
take_first(struct ctx_run_threads *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_run *r = t->run;
	int rc;

	/* it may read the input itself: call waiting before that */
	t->reader->before_read = r->waiting;
	t->reader->arg = r->arg;
	rc = ctx_run_first(r, t->reader, line, err);
	t->reader->before_read = before_read;
	t->reader->arg = t;
	if (rc != 0)
		return t->go = rc == 1 ? 0 : -1;
	take(t, line, err);
	/* only processing the first line tells whether it is a message line */
	if (t->go == 1 && !r->begins && r->job->turns.by == NULL)
		drain(t, err);
	return t->go;
}

/* At the end of the input, process the lines that no worker has been given. */
static int
take_rest(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_run_batch *b = &t->batch[t->filling];

	/* a few lines are not worth starting threads for */
	if (!t->shared && !t->running && ctx_run_batch_few(b) && t->go != -1) {
		if (tell_lines(t, b, 0, err) == -1)
			t->go = -1;
		ctx_run_batch_drop(b);
	}
	return drain(t, err);
}

/* 0, or -1 with *err. */
static int
all_lines(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_err late = { 0 };
	struct ctx_line line;
	int rc = 1;

	while (t->go == 1 &&
	    (rc = ctx_reader_next(t->reader, &line, &late)) == 1) {
		if (t->run->begins)
			take_first(t, &line, err);
		else
			take(t, &line, err);
	}
	/* first process what was read before the input failed */
	if (t->go != -1 && take_rest(t, err) == 1 && rc == -1)
		t->go = -1;
	if (t->go == -1 && late.code != CTX_OK)
		*err = late;
	return t->go == -1 ? -1 : 0;
}

int
ctx_run_in_threads(struct ctx_run *r, unsigned n, struct ctx_reader *reader,
    struct ctx_err *err)
{
	struct ctx_run_threads *t;
	int rc;

	if (r->t == NULL && ctx_run_workers_new(r, n, err) == -1) {
		ctx_run_done(r);
		return -1;
	}
	t = r->t;
	t->run = r;
	t->reader = reader;
	t->alone = t->n == 0;
	t->shared = 0;
	t->go = 1;
	reader->before_read = before_read;
	reader->arg = t;
	rc = all_lines(t, err);
	abandon(t);
	return rc;
}

/* --- the end ----------------------------------------------------------- */

/* End conversations in the order in which they began. */
static int
end_all(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct ctx_run_worker *w;
	uint64_t limit;

	for (w = t->worker; w < t->worker + t->n; w++) {
		w->job->cut_off = t->run->job->cut_off;
		w->job->log = &w->log[0];
		ctx_gave_reset(w->job->log);
	}
	do {
		limit = ctx_run_workers_end(t);
		if (tell_given(t, NULL, limit, err) == -1)
			return -1;
	} while (limit != UINT64_MAX);
	for (w = t->worker; w < t->worker + t->n; w++) {
		add_figures(w, 1);
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
	unsigned k;

	for (k = 0; r->t != NULL && k < r->t->n; k++)
		ctx_job_give_up(r->t->worker[k].job);
	if (r->t != NULL)
		r->t->shared = 0;
}
