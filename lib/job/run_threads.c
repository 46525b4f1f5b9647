/* SPDX-License-Identifier: MIT */
/* Jobs in threads; see run.h. */
#include "job/run_threads.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/gave.h"

#define BATCH	(4u * 1024 * 1024)	/* bytes of lines dealt with at a time */
#define FEW	(64u * 1024)		/* that are not worth a thread */
#define EARLY	(1024u * 1024)		/* given at the end before its turn */
#define NO_SEQ	UINT64_MAX
#define AT_END	((uint64_t)1 << 63)	/* a place after all lines */

/* What is done with a batch. */
enum way {
	CONVERSATIONS,		/* shared out by bytes */
	BY_KEY,			/* by the conversation's key */
	AHEAD			/* looked at, for the one that takes it */
};

struct item {
	struct ctx_line line;		/* its block is held */
	uint64_t hash;			/* with by: of its conversation */
	uint64_t seq;			/* of its record; NO_SEQ: it is none */
	int bad;			/* not JSON */
};

struct batch {
	enum way way;
	struct item *item;
	size_t n, cap, bytes;
	struct ctx_gave bad;		/* with by: lines to be named */
	int cut;			/* with by: item[n] ends the file */
};

struct worker {
	struct ctx_run_threads *t;
	void (*task)(struct worker *w);
	pthread_t thread;
	int started;
	struct ctx_job *job;
	struct ctx_gave log[2];		/* of each batch */
	struct batch *b;		/* the one in hand */
	size_t from, to;		/* its items, unless by tells */
	size_t done;			/* up to there */
	int mixed;			/* at done is a line for one thread */
	struct ctx_err err;		/* of a task without a log */
};

struct ctx_run_threads {
	struct ctx_run *run;
	struct ctx_reader *reader;
	struct worker *worker;
	struct ctx_job **job;		/* theirs */
	unsigned n;
	struct batch batch[2];
	unsigned filling;		/* of these two */
	int running;			/* the other one is with the workers */
	int alone;			/* the rest goes line by line */
	int shared;			/* by: the workers hold conversations */
	int go;				/* as ctx_run_line */
};

/* --- batches ----------------------------------------------------------- */

static int
batch_add(struct batch *b, const struct ctx_line *line, struct ctx_err *err)
{
	struct item *it = ctx_grow(b->item, b->n, &b->cap, sizeof(*it));

	if (it == NULL)
		return ctx_fail_nomem(err);
	b->item = it;
	memset(&it[b->n], 0, sizeof(*it));
	it[b->n++].line = *line;
	ctx_block_hold(line->block);
	b->bytes += line->len;
	return 0;
}

static void
batch_drop(struct batch *b)
{
	size_t i, n = b->n + (b->cut != 0);

	for (i = 0; i < n; i++)
		ctx_block_drop(b->item[i].line.block);
	b->n = b->bytes = 0;
	b->cut = 0;
	ctx_gave_reset(&b->bad);
}

/* --- what the threads do ----------------------------------------------- */

/* The line as a worker sees it: who holds its block is not its business. */
static struct ctx_line
unheld(const struct item *it)
{
	struct ctx_line line = it->line;

	line.block = NULL;
	return line;
}

/* Conversation lines; others are left to the caller's job. */
static void
do_conversations(struct worker *w)
{
	struct ctx_gave *log = w->job->log;
	struct ctx_err err = { 0 };
	struct ctx_line line;
	int rc = 0;

	w->mixed = 0;
	for (w->done = w->from; w->done < w->to; w->done++) {
		line = unheld(&w->b->item[w->done]);
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

/* Which conversation each line belongs to. */
static void
do_hashes(struct worker *w)
{
	struct ctx_err err = { 0 };
	struct ctx_line line;
	struct item *it;
	size_t i;

	for (i = w->from; i < w->to; i++) {
		it = &w->b->item[i];
		line = unheld(it);
		it->bad = ctx_turns_hash(&w->job->turns, &line, &it->hash,
		    &err) == -1;
		if (it->bad && err.code != CTX_EINPUT) {
			w->err = err;
			return;
		}
		ctx_err_clear(&err);
	}
}

static int
one_of_mine(struct worker *w, const struct item *it, struct ctx_err *err)
{
	struct ctx_line line = unheld(it);

	w->job->turns.seq = it->seq;
	w->job->log->at = it->seq * 2 + 1;
	w->job->log->line = &it->line;
	if (it->bad)
		return ctx_turns_foreign(&w->job->turns, &line, err);
	return ctx_job_line(w->job, &line, err);
}

/* The lines of this worker's conversations. */
static void
do_mine(struct worker *w)
{
	unsigned no = (unsigned)(w - w->t->worker);
	struct ctx_err err = { 0 };
	const struct item *it;
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

/* The file has ended: so do its conversations, as many as may wait. */
static void
do_ends(struct worker *w)
{
	struct ctx_turns *t = &w->job->turns;
	struct ctx_gave *log = w->job->log;
	struct ctx_err err = { 0 };

	while (t->oldest != NULL && log->bytes < EARLY) {
		log->at = AT_END | t->oldest->begun;
		if (ctx_turns_end_one(t, &err) == -1) {
			ctx_gave_failed(log, &err);
			ctx_turns_forget(t);
		}
	}
}

/* Lines that another takes. */
static void
do_ahead(struct worker *w)
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

static void *
run_thread(void *arg)
{
	struct worker *w = arg;

	w->task(w);
	return NULL;
}

/* Let all begin; what gets no thread is done by finish. */
static void
start(struct ctx_run_threads *t, void (*task)(struct worker *), int threads)
{
	struct worker *w;

	for (w = t->worker; w < t->worker + t->n; w++) {
		w->task = task;
		w->started = threads && pthread_create(&w->thread, NULL,
		    run_thread, w) == 0;
	}
}

static void
finish(struct ctx_run_threads *t)
{
	struct worker *w;

	for (w = t->worker; w < t->worker + t->n; w++)
		if (!w->started)
			w->task(w);
	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->started)
			pthread_join(w->thread, NULL);
}

/* --- a batch to the workers -------------------------------------------- */

/* Each gets about as many bytes as the others. */
static void
share_out(struct ctx_run_threads *t, struct batch *b, unsigned which)
{
	size_t i = 0, bytes = 0;
	struct worker *w;
	unsigned k;

	for (k = 0; k < t->n; k++) {
		w = &t->worker[k];
		w->b = b;
		w->job->log = &w->log[which];
		ctx_gave_reset(w->job->log);
		w->from = i;
		while (i < b->n && (k + 1 == t->n || b->bytes < FEW ||
		    bytes <= b->bytes / t->n * (k + 1)))
			bytes += b->item[i++].line.len;
		w->to = i;
	}
}

/*
 * By their keys: a line that is not JSON is named in its place, and gets no
 * number unless it is kept.  -1 with *err.
 */
static int
number_items(struct ctx_run_threads *t, struct batch *b, struct ctx_err *err)
{
	enum ctx_on_error how = t->run->on_error;
	uint64_t *seq = &t->run->job->turns.seq;
	struct item *it;
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

/* What went wrong with a task that has no log. */
static int
any_error(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct worker *w;

	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->err.code != CTX_OK) {
			*err = w->err;
			ctx_err_clear(&w->err);
			return -1;
		}
	return 0;
}

static int
find_keys(struct ctx_run_threads *t, struct batch *b, int threads,
    struct ctx_err *err)
{
	start(t, do_hashes, threads);
	finish(t);
	if (any_error(t, err) == -1)
		return -1;
	t->shared = 1;
	return number_items(t, b, err);
}

/* Let the workers begin with the batch that was filled. */
static int
begin_batch(struct ctx_run_threads *t, struct ctx_err *err)
{
	static void (*const task[])(struct worker *) = {
		[CONVERSATIONS] = do_conversations, [BY_KEY] = do_mine,
		[AHEAD] = do_ahead
	};
	struct batch *b = &t->batch[t->filling];
	int threads = b->bytes >= FEW;

	b->way = t->alone ? AHEAD : t->run->job->turns.by != NULL ? BY_KEY :
	    CONVERSATIONS;
	share_out(t, b, t->filling);
	if (b->way == BY_KEY && find_keys(t, b, threads, err) == -1)
		return -1;
	start(t, task[b->way], threads);
	t->running = 1;
	t->filling = 1 - t->filling;
	return 0;
}

/* --- what came of it --------------------------------------------------- */

/* Figures of what is given, or, if not, of nobody. */
static void
add_figures(struct worker *w, int given)
{
	struct ctx_job *main = w->t->run->job;

	if (given)
		main->changed |= w->job->changed;
	w->job->changed = 0;
	if (main->kind->add != NULL)
		main->kind->add(given ? main : NULL, w->job);
}

/*
 * The batch with the workers is done.  What they did after the first line that
 * is for one thread is undone: 1 if there is one.
 */
static int
end_batch(struct ctx_run_threads *t)
{
	struct worker *w;
	int mixed = 0;

	finish(t);
	t->running = 0;
	if (t->batch[1 - t->filling].way == AHEAD)
		return 1;
	for (w = t->worker; w < t->worker + t->n; w++) {
		add_figures(w, !mixed);
		mixed |= w->mixed;
	}
	return mixed;
}

/* Name line i of the batch, which is not JSON. */
static int
name_bad(struct ctx_run_threads *t, const struct batch *b, size_t i,
    struct ctx_err *err)
{
	const struct ctx_line *line = &b->item[i].line;
	struct ctx_err bad = { 0 };
	uint64_t hash;

	if (ctx_turns_hash(&t->run->job->turns, line, &hash, &bad) == 0)
		return 0;
	if (bad.code != CTX_EINPUT) {
		*err = bad;
		return -1;
	}
	ctx_run_name_bad(t->run, line, &bad);
	t->run->job->changed |= t->run->on_error == CTX_BAD_SKIP;
	return 0;
}

/* The log that is to be told next, NULL if there is none before limit. */
static struct ctx_gave *
earliest(struct ctx_run_threads *t, struct batch *b, unsigned which,
    uint64_t limit)
{
	struct ctx_gave *l, *first = NULL;
	uint64_t at = limit, next;
	unsigned k;

	if (b != NULL && (next = ctx_gave_next(&b->bad)) < at) {
		at = next;
		first = &b->bad;
	}
	for (k = 0; k < t->n; k++) {
		l = &t->worker[k].log[which];
		if ((next = ctx_gave_next(l)) < at) {
			at = next;
			first = l;
		}
	}
	return first;
}

/* With by: what all have given, in the order of the lines. */
static int
tell_merged(struct ctx_run_threads *t, struct batch *b, unsigned which,
    uint64_t limit, struct ctx_err *err)
{
	struct ctx_gave *l;
	uint64_t at;
	size_t i = 0;
	int rc;

	while ((l = earliest(t, b, which, limit)) != NULL) {
		at = ctx_gave_next(l);
		do
			if ((rc = ctx_gave_tell(l, t->run->job, 0, &i,
			    err)) == -1 ||
			    (rc == 1 && name_bad(t, b, i, err) == -1))
				return -1;
		while (ctx_gave_next(l) == at);
	}
	if (b != NULL && b->cut) {
		t->run->job->cut_off = 1;
		return name_bad(t, b, b->n, err) == -1 ? -1 : 0;
	}
	return 1;
}

/* Lines from number i of the batch on, in this thread. */
static int
tell_lines(struct ctx_run_threads *t, const struct batch *b, size_t i,
    struct ctx_err *err)
{
	int go = 1;

	for (; go == 1 && i < b->n; i++)
		go = ctx_run_line(t->run, &b->item[i].line, err);
	return go;
}

/* Conversation lines: worker by worker, up to a line for one thread. */
static int
tell_in_turn(struct ctx_run_threads *t, struct batch *b, unsigned which,
    struct ctx_err *err)
{
	struct worker *w;
	struct ctx_gave *l;
	size_t i = 0;
	int rc;

	for (w = t->worker; w < t->worker + t->n; w++) {
		l = &w->log[which];
		while (ctx_gave_next(l) != UINT64_MAX) {
			rc = ctx_gave_tell(l, t->run->job, 1, &i, err);
			if (rc == 1)
				rc = ctx_run_line(t->run, &b->item[i].line,
				    err) == 1 ? 0 : -1;
			if (rc == -1)
				return -1;
		}
		/* unless they are at the next batch already */
		if (t->alone && w->mixed)
			return tell_lines(t, b, w->done, err);
	}
	return 1;
}

/* Lines for one thread that others have looked at. */
static int
tell_known(struct ctx_run_threads *t, struct batch *b, struct ctx_err *err)
{
	const struct ctx_job_kind *kind = t->run->job->kind;
	unsigned which = (unsigned)(b - t->batch);
	int go = any_error(t, err);

	if (go == 0 && kind->ahead_known(t->run->job, t->job, t->n, which,
	    err) == -1)
		go = -1;
	if (go == 0)
		go = tell_lines(t, b, 0, err);
	kind->ahead_forget(t->run->job, t->job, t->n, which);
	return go;
}

static int
tell(struct ctx_run_threads *t, struct batch *b, struct ctx_err *err)
{
	unsigned which = (unsigned)(b - t->batch);

	switch (b->way) {
	case CONVERSATIONS:
		return tell_in_turn(t, b, which, err);
	case BY_KEY:
		return tell_merged(t, b, which, UINT64_MAX, err);
	case AHEAD:
		break;
	}
	return tell_known(t, b, err);
}

/* Is the next batch for threads? */
static int
for_threads(const struct ctx_run_threads *t)
{
	const struct ctx_job_kind *kind = t->run->job->kind;

	return !t->alone || (!t->shared && kind->ahead != NULL &&
	    kind->ahead_worth(t->run->job));
}

/*
 * The batch that was filled goes to the workers, and while they are at it,
 * what they made of the one before is told.  As ctx_run_line.
 */
static int
turn_over(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct batch *done = NULL, *next = &t->batch[t->filling];
	int go = 1, begun = 0;

	if (t->running) {
		done = &t->batch[1 - t->filling];
		t->alone = end_batch(t) || done->cut;
	}
	if (next->n > 0 && for_threads(t)) {
		begun = 1;
		if (begin_batch(t, err) == -1)
			go = -1;
	}
	if (done != NULL && go == 1)
		go = tell(t, done, err);
	if (done != NULL)
		batch_drop(done);
	if (!begun) {
		if (go == 1)
			go = tell_lines(t, next, 0, err);
		batch_drop(next);
	}
	if (go == 1 && t->run->waiting != NULL &&
	    t->run->waiting(t->run->arg, err) == -1)
		go = -1;
	return t->go = go;
}

/* All that was read. */
static int
drain(struct ctx_run_threads *t, struct ctx_err *err)
{
	while (t->go == 1 && (t->running || t->batch[t->filling].n > 0))
		turn_over(t, err);
	return t->go;
}

/* Nothing is to come of what is under way. */
static void
abandon(struct ctx_run_threads *t)
{
	unsigned which = 1 - t->filling;
	struct worker *w;

	if (t->running) {
		finish(t);
		t->running = 0;
		for (w = t->worker; w < t->worker + t->n; w++)
			add_figures(w, 0);
		if (t->batch[which].way == AHEAD)
			t->run->job->kind->ahead_forget(t->run->job, t->job,
			    t->n, which);
	}
	batch_drop(&t->batch[0]);
	batch_drop(&t->batch[1]);
}

/* --- the input --------------------------------------------------------- */

static int
ready(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/* Before a read: if it has to wait, nothing else shall. */
static int
before_read(void *arg, struct ctx_err *err)
{
	struct ctx_run_threads *t = arg;

	if (for_threads(t) && ready(t->reader->fd))
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
	struct batch *b = &t->batch[t->filling];

	if (!for_threads(t) && b->n == 0 && !t->running)
		return t->go = ctx_run_line(t->run, line, err);
	if (batch_add(b, line, err) == -1)
		return t->go = -1;
	return b->bytes < BATCH ? 1 : turn_over(t, err);
}

/*
 * A line, which may be the first: then it says whether those of its kind are
 * for threads, and whether they are lines at all.  As take.
 */
static int
take_first(struct ctx_run_threads *t, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_run *r = t->run;
	int rc;

	t->reader->before_read = r->waiting;
	t->reader->arg = r->arg;
	rc = ctx_run_first(r, t->reader, line, err);
	t->reader->before_read = before_read;
	t->reader->arg = t;
	if (rc != 0)
		return t->go = rc == 1 ? 0 : -1;
	take(t, line, err);
	/* that message lines come is seen by the first one */
	if (t->go == 1 && !r->begins && r->job->turns.by == NULL)
		drain(t, err);
	return t->go;
}

/* What was read and is with nobody yet, when no more is to come. */
static int
take_rest(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct batch *b = &t->batch[t->filling];

	/* a few lines are not worth threads of their own */
	if (!t->shared && !t->running && b->bytes < FEW && t->go != -1) {
		if (tell_lines(t, b, 0, err) == -1)
			t->go = -1;
		batch_drop(b);
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
	/* what was read before the input failed is dealt with first */
	if (t->go != -1 && take_rest(t, err) == 1 && rc == -1)
		t->go = -1;
	if (t->go == -1 && late.code != CTX_OK)
		*err = late;
	return t->go == -1 ? -1 : 0;
}

/* Its workers, made when they are first needed. */
static int
make_workers(struct ctx_run *r, struct ctx_err *err)
{
	struct ctx_run_threads *t = calloc(1, sizeof(*t));
	struct worker *w;

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

int
ctx_run_in_threads(struct ctx_run *r, struct ctx_reader *reader,
    struct ctx_err *err)
{
	struct ctx_run_threads *t;
	int rc;

	if (r->t == NULL && make_workers(r, err) == -1) {
		ctx_run_done(r);
		return -1;
	}
	t = r->t;
	t->run = r;
	t->reader = reader;
	t->alone = t->shared = 0;
	t->go = 1;
	reader->before_read = before_read;
	reader->arg = t;
	rc = all_lines(t, err);
	abandon(t);
	return rc;
}

/* --- the end ----------------------------------------------------------- */

/* Up to where all that is to come has come. */
static uint64_t
come_so_far(const struct ctx_run_threads *t)
{
	uint64_t limit = UINT64_MAX;
	const struct worker *w;

	for (w = t->worker; w < t->worker + t->n; w++)
		if (w->job->turns.oldest != NULL &&
		    (AT_END | w->job->turns.oldest->begun) < limit)
			limit = AT_END | w->job->turns.oldest->begun;
	return limit;
}

/* Conversations end in the order in which they began. */
static int
end_all(struct ctx_run_threads *t, struct ctx_err *err)
{
	struct worker *w;
	uint64_t limit;

	for (w = t->worker; w < t->worker + t->n; w++) {
		w->job->cut_off = t->run->job->cut_off;
		w->job->log = &w->log[0];
		ctx_gave_reset(w->job->log);
	}
	do {
		for (w = t->worker; w < t->worker + t->n; w++)
			if (ctx_gave_next(w->job->log) == UINT64_MAX)
				ctx_gave_reset(w->job->log);
		start(t, do_ends, 1);
		finish(t);
		limit = come_so_far(t);
		if (tell_merged(t, NULL, 0, limit, err) == -1)
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

	/* the caller's job may have taken what is no stream of lines */
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
