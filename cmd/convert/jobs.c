/* SPDX-License-Identifier: MIT */
/* Conversation lines in several threads; see jobs.h. */
#include "cmd/convert/jobs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * A batch is what the threads share before they wait for each other; one alone
 * takes what stays in the processor's cache.
 */
#define BATCH_BYTES	(8u * 1024 * 1024)
#define BATCH_ALONE	(256u * 1024)

/* A thread's share of a batch, and what it needs for it. */
struct job {
	pthread_t thread;
	int started;
	struct ctx_turns turns;
	struct ctx_convert cv;
	const struct ctx_line *line;
	size_t n;
	size_t done;		/* lines dealt with; fewer than n: a line that
				   is not a conversation, or an error */
	struct ctx_buf out;
	struct ctx_err err;	/* not about a line */
	uint64_t before[CTX_L_N];	/* losses before this batch */
};

struct batch {
	struct ctx_line *line;
	size_t n, cap, bytes;
	struct job job[CONVERT_JOBS_MAX];
	unsigned njob;
};

static int
convert_one(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct job *j = arg;

	if (turn->strand != NULL)
		return 0;
	if (ctx_convert(&j->cv, turn->convo, 1, NULL, NULL, 0, err) == -1)
		return -1;
	ctx_buf_add(&j->out, j->cv.out.data, j->cv.out.len);
	return ctx_buf_fail(&j->out, err);
}

/* Does the job hold message lines?  Other records have nothing to say. */
static int
has_messages(struct job *j)
{
	struct ctx_strand *th = j->turns.last;
	int some;

	if (th == NULL || th->open.nrec == 0)
		return 0;
	some = th->open.nmsg > 0;
	ctx_convo_reset(&th->open);
	return some;
}

static void *
run(void *arg)
{
	struct job *j = arg;
	struct ctx_line line;
	struct ctx_err err;

	memcpy(j->before, j->cv.script.loss, sizeof(j->before));
	for (j->done = 0; j->done < j->n; j->done++) {
		memset(&err, 0, sizeof(err));
		line = j->line[j->done];
		line.block = NULL;	/* is held by who waits for us */
		if (ctx_turns_line(&j->turns, &line, &err) == -1) {
			if (err.code != CTX_EINPUT)
				j->err = err;
			break;
		}
		if (has_messages(j))
			break;
	}
	return NULL;
}

static void
batch_drop(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		ctx_block_drop(b->line[i].block);
	b->n = b->bytes = 0;
}

static int
batch_add(struct batch *b, const struct ctx_line *line, struct ctx_err *err)
{
	struct ctx_line *l = ctx_grow(b->line, b->n, &b->cap, sizeof(*l));

	if (l == NULL)
		return ctx_fail_nomem(err);
	b->line = l;
	l[b->n++] = *line;
	ctx_block_hold(line->block);
	b->bytes += line->len;
	return 0;
}

/* Share the lines out by their bytes, and wait until all are done. */
static void
batch_run(struct batch *b)
{
	size_t i = 0, bytes = 0;
	struct job *j;
	unsigned k;

	for (k = 0; k < b->njob; k++) {
		j = &b->job[k];
		j->line = b->line + i;
		for (j->n = 0; i < b->n && (k + 1 == b->njob ||
		    bytes <= b->bytes / b->njob * (k + 1)); j->n++)
			bytes += b->line[i++].len;
		ctx_buf_reset(&j->out);
		j->started = j->n > 0 && pthread_create(&j->thread, NULL, run,
		    j) == 0;
		if (!j->started)
			run(j);
	}
	for (k = 0; k < b->njob; k++)
		if (b->job[k].started)
			pthread_join(b->job[k].thread, NULL);
}

/*
 * Write what the jobs made, up to the first line that none could take.
 * 1: all; 0: *next is that line; -1: *err.
 */
static int
batch_write(struct cli_stream *s, struct batch *b, size_t *next,
    struct ctx_err *err)
{
	struct job *j;
	unsigned k;

	for (k = 0; k < b->njob; k++) {
		j = &b->job[k];
		if (ctx_out_line(&s->out, j->out.data, j->out.len, NULL,
		    err) == -1)
			return -1;
		if (j->err.code != CTX_OK) {
			*err = j->err;
			return -1;
		}
		if (j->done < j->n) {
			*next = (size_t)(j->line - b->line) + j->done;
			/* what is behind is told again */
			while (++k < b->njob)
				memcpy(b->job[k].cv.script.loss,
				    b->job[k].before, sizeof(j->before));
			return 0;
		}
	}
	return 1;
}

/* The rest in one thread: what is left of the batch, and of the input. */
static int
go_on_alone(struct cli_stream *s, struct batch *b, size_t next,
    struct ctx_reader *r, struct ctx_err *err)
{
	struct ctx_line line;
	int go = 1, rc;

	for (; go == 1 && next < b->n; next++)
		go = cli_stream_line(s, &b->line[next], err);
	while (go == 1 && (rc = ctx_reader_next(r, &line, err)) != 0)
		go = rc == -1 ? -1 : cli_stream_line(s, &line, err);
	return go == -1 ? -1 : 1;
}

static void
jobs_begin(struct batch *b, const struct cli_stream *s,
    const struct ctx_convert *settings, unsigned n)
{
	struct job *j;

	memset(b, 0, sizeof(*b));
	b->njob = n;
	for (j = b->job; j < b->job + n; j++) {
		j->turns.dialect = s->turns.dialect;
		j->turns.whole = 1;
		j->turns.turn = convert_one;
		j->turns.arg = j;
		j->cv.to = settings->to;
		j->cv.shape = settings->shape;
		j->cv.request = settings->request;
		j->cv.model = settings->model;
		j->cv.max_output = settings->max_output;
		j->cv.tools = settings->tools;
	}
}

static void
jobs_end(struct batch *b, struct ctx_convert *settings)
{
	struct job *j;
	int i;

	batch_drop(b);
	for (j = b->job; j < b->job + b->njob; j++) {
		for (i = 0; i < CTX_L_N; i++)
			settings->script.loss[i] += j->cv.script.loss[i];
		ctx_turns_done(&j->turns);
		ctx_convert_done(&j->cv);
		ctx_buf_done(&j->out);
	}
	free(b->line);
	free(b);
}

int
convert_jobs(struct cli_stream *s, struct ctx_convert *settings, unsigned n,
    struct ctx_reader *r, const struct ctx_line *first, struct ctx_err *err)
{
	struct batch *b = malloc(sizeof(*b));
	struct ctx_err late = { 0 };
	struct ctx_line line;
	size_t next = 0, most = n > 1 ? BATCH_BYTES : BATCH_ALONE;
	int more = 1, rc;

	if (b == NULL)
		return ctx_fail_nomem(err);
	jobs_begin(b, s, settings, n);
	rc = batch_add(b, first, err);
	while (rc == 0 && (more == 1 || b->n > 0)) {
		/* what was read before the input failed is converted first */
		while (more == 1 && b->bytes < most && rc == 0) {
			more = ctx_reader_next(r, &line, &late);
			if (more == 1)
				rc = batch_add(b, &line, err);
		}
		if (rc == -1)
			break;
		batch_run(b);
		rc = batch_write(s, b, &next, err);
		if (rc == 1) {
			rc = 0;
			batch_drop(b);
			continue;
		}
		if (rc == 0)
			rc = go_on_alone(s, b, next, r, err);
		break;
	}
	if (rc == 0 && more == -1) {
		*err = late;
		rc = -1;
	}
	jobs_end(b, settings);
	return rc == -1 ? -1 : 1;
}
