/* SPDX-License-Identifier: MIT */
#include "token/crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "token/norm.h"
#include "token/tok_priv.h"

/* Bytes of a task; a text of fewer than two of them is not divided. */
#define SHARE		((size_t)64 << 10)
/* Bytes that are fed before they are divided, for each thread. */
#define FED		((size_t)1 << 20)

/* Task i of those that were started, by a counter of the crew. */
typedef int crew_fn(struct ctx_counter *c, size_t i, void *arg,
	    struct ctx_err *err);

struct worker {
	struct ctx_crew *crew;
	struct ctx_counter counter;
	pthread_t thread;
};

struct ctx_crew {
	struct ctx_counter *own;	/* the caller's */
	struct worker *worker;
	unsigned n;			/* workers: threads without the caller */

	pthread_mutex_t lock;		/* over all of the next */
	pthread_cond_t begin, end;
	crew_fn *fn;
	void *arg;
	size_t next, tasks;
	unsigned busy;			/* tasks in hand */
	int failed, over;
	struct ctx_err err;

	/* A text that is fed. */
	struct ctx_buf text;
	int open;	/* the caller's counter holds an end without a divide */
	uint64_t fed;

	/* What of it is being counted while more is fed. */
	struct ctx_buf away;
	struct shares {
		const char *text;	/* in away */
		size_t *cut;		/* the first 0; one more than shares */
		uint64_t *n;		/* tokens of each */
		size_t k;		/* shares; 0: nothing is counted */
	} shares;
};

/* Do tasks until none is left to begin; w->lock is held. */
static void
work(struct ctx_crew *w, struct ctx_counter *c)
{
	struct ctx_err err;
	size_t i;
	int rc;

	while (w->next < w->tasks) {
		i = w->next++;
		w->busy++;
		pthread_mutex_unlock(&w->lock);
		memset(&err, 0, sizeof(err));
		rc = w->fn(c, i, w->arg, &err);
		pthread_mutex_lock(&w->lock);
		w->busy--;
		if (rc == -1 && !w->failed) {
			w->failed = 1;
			w->err = err;
			w->next = w->tasks;
		}
	}
	if (w->busy == 0)
		pthread_cond_broadcast(&w->end);
}

static void *
run(void *arg)
{
	struct worker *me = arg;
	struct ctx_crew *w = me->crew;

	pthread_mutex_lock(&w->lock);
	while (!w->over) {
		if (w->next < w->tasks)
			work(w, &me->counter);
		else
			pthread_cond_wait(&w->begin, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Another counter like the caller's, and a thread for it. */
static int
hire(struct ctx_crew *w, struct ctx_err *err)
{
	struct worker *x = &w->worker[w->n];
	int why;

	x->crew = w;
	if (ctx_counter_init(&x->counter, w->own->tok, err) == -1)
		return -1;
	x->counter.special = w->own->special;
	x->counter.factor = w->own->factor;
	why = pthread_create(&x->thread, NULL, run, x);
	if (why != 0) {
		ctx_counter_done(&x->counter);
		return ctx_fail_errno(err, why, "cannot start a thread");
	}
	w->n++;
	return 0;
}

struct ctx_crew *
ctx_crew_new(struct ctx_counter *c, unsigned threads, struct ctx_err *err)
{
	struct ctx_crew *w = calloc(1, sizeof(*w));

	if (threads > CTX_THREADS_MAX)
		threads = CTX_THREADS_MAX;
	if (w == NULL || (w->worker = calloc(threads, sizeof(*w->worker))) ==
	    NULL) {
		free(w);
		ctx_fail_nomem(err);
		return NULL;
	}
	w->own = c;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->begin, NULL);
	pthread_cond_init(&w->end, NULL);
	while (w->n + 1 < threads)
		if (hire(w, err) == -1) {
			ctx_crew_free(w);
			return NULL;
		}
	return w;
}

void
ctx_crew_free(struct ctx_crew *w)
{
	unsigned i;

	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	w->over = 1;
	pthread_cond_broadcast(&w->begin);
	pthread_mutex_unlock(&w->lock);
	for (i = 0; i < w->n; i++) {
		pthread_join(w->worker[i].thread, NULL);
		ctx_counter_done(&w->worker[i].counter);
	}
	pthread_cond_destroy(&w->end);
	pthread_cond_destroy(&w->begin);
	pthread_mutex_destroy(&w->lock);
	ctx_buf_done(&w->text);
	ctx_buf_done(&w->away);
	if (w->shares.k > 0) {
		free(w->shares.cut);
		free(w->shares.n);
	}
	free(w->worker);
	free(w);
}

/*
 * Let the others begin with tasks 0 .. n - 1, in no order.  The caller may do
 * something else until it takes its part, in crew_finish, which returns when
 * all are done: 0, or -1 with the error of one of them.  After an error no
 * further task is begun.
 */
static void
crew_start(struct ctx_crew *w, size_t n, crew_fn *fn, void *arg)
{
	pthread_mutex_lock(&w->lock);
	w->fn = fn;
	w->arg = arg;
	w->next = 0;
	w->tasks = n;
	w->failed = 0;
	pthread_cond_broadcast(&w->begin);
	pthread_mutex_unlock(&w->lock);
}

static int
crew_finish(struct ctx_crew *w, struct ctx_err *err)
{
	int failed;

	pthread_mutex_lock(&w->lock);
	work(w, w->own);
	while (w->busy > 0)
		pthread_cond_wait(&w->end, &w->lock);
	failed = w->failed;
	pthread_mutex_unlock(&w->lock);
	if (failed)
		return ctx_fail(err, w->err.code, "%s", w->err.text);
	return 0;
}

/* --- one large text ------------------------------------------------------ */

/* The end of what stands at p is no white space. */
static int
ends_visibly(const uint8_t *text, size_t i)
{
	if (text[i - 1] < 0x80)
		return text[i - 1] > ' ' && text[i - 1] < 0x7f;
	/* Three bytes, but for U+3000. */
	return i >= 3 && text[i - 3] >= 0xe3 && text[i - 3] <= 0xef &&
	    (text[i - 2] & 0xc0) == 0x80 && (text[i - 1] & 0xc0) == 0x80 &&
	    !(text[i - 3] == 0xe3 && text[i - 2] == 0x80 &&
	    text[i - 1] == 0x80);
}

/* A letter, of the alphabet or beyond U+4000. */
static int
begins_word(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= 0xe4 && c <= 0xec);
}

/*
 * Between a newline behind a character that is no white space and a letter:
 * in every pattern of ours that cuts at white space a newline ends its piece
 * there, and no piece looks further than that newline.
 */
size_t
ctx_crew_divide(const char *text, size_t len, size_t from)
{
	const uint8_t *t = (const uint8_t *)text, *p;
	size_t i;

	for (i = from < 2 ? 1 : from - 1; i + 1 < len; i++) {
		p = memchr(t + i, '\n', len - 1 - i);
		if (p == NULL)
			break;
		i = (size_t)(p - t);
		if (begins_word(t[i + 1]) && ends_visibly(t, i))
			return i + 1;
	}
	return len;
}

/* Do its pieces go on behind a newline? */
static int
over_lines(enum ctx_split_kind kind)
{
	return ctx_split_by_border(kind) || kind == CTX_SPLIT_DIGIT ||
	    kind == CTX_SPLIT_DIGITS;
}

/* The same where pieces go over lines: no token may lie there either. */
static size_t
divide_at(const struct ctx_crew *w, const char *text, size_t len, size_t from)
{
	const struct ctx_table *t = &w->own->tok->table;
	size_t at = ctx_crew_divide(text, len, from);

	while (at < len && over_lines(t->head->split) &&
	    !ctx_border_free(t->cross, '\n', (uint8_t)text[at]))
		at = ctx_crew_divide(text, len, at + 1);
	return at;
}

/* Can a special token reach over the end of a line? */
static int
special_over_lines(const struct ctx_specials *set)
{
	const char *p, *end;
	size_t i;

	if (set->flags & (CTX_SPECIAL_LSTRIP | CTX_SPECIAL_RSTRIP |
	    CTX_SPECIAL_WORD))
		return 1;
	for (i = 0; i < set->n; i++) {
		end = set->list[i].text + set->list[i].len;
		p = memchr(set->list[i].text, '\n', set->list[i].len);
		while (p != NULL && ++p < end)
			if (begins_word((uint8_t)*p))
				return 1;
	}
	return 0;
}

static int
count_share(struct ctx_counter *c, size_t i, void *arg, struct ctx_err *err)
{
	const struct shares *s = arg;
	struct ctx_ratio factor = c->factor;
	int rc;

	/* It is the sum that is multiplied and rounded. */
	c->factor = (struct ctx_ratio){ 1, 1 };
	rc = ctx_counter_text(c, s->text + s->cut[i], s->cut[i + 1] -
	    s->cut[i], &s->n[i], err);
	c->factor = factor;
	return rc;
}

/* Begin to count text[0 .. len), which stays as it is until land. */
static int
send(struct ctx_crew *w, const char *text, size_t len, struct ctx_err *err)
{
	struct shares *s = &w->shares;
	size_t most = len / SHARE + 1, k = 0;

	s->text = text;
	s->cut = malloc((most + 1) * sizeof(*s->cut));
	s->n = malloc(most * sizeof(*s->n));
	if (s->cut == NULL || s->n == NULL) {
		free(s->cut);
		free(s->n);
		return ctx_fail_nomem(err);
	}
	for (s->cut[0] = 0; s->cut[k] < len; k++)
		s->cut[k + 1] = len - s->cut[k] < 2 * SHARE ? len :
		    divide_at(w, text, len, s->cut[k] + SHARE);
	s->k = k;
	crew_start(w, k, count_share, s);
	return 0;
}

/* All of the crew counts what is left of that; its tokens are fed. */
static int
land(struct ctx_crew *w, struct ctx_err *err)
{
	struct shares *s = &w->shares;
	size_t i;
	int rc;

	if (s->k == 0)
		return 0;
	rc = crew_finish(w, err);
	for (i = 0; rc == 0 && i < s->k; i++)
		w->fed += s->n[i];
	free(s->cut);
	free(s->n);
	s->k = 0;
	return rc;
}

static int
is_divisible(const struct ctx_crew *w)
{
	const struct ctx_tok *tok = w->own->tok;

	/* What is put in front of a text must not be of each share. */
	return w->n > 0 && tok->pattern == NULL && !ctx_tok_is_estimate(tok) &&
	    !(tok->table.head->norm & (CTX_NORM_PREPEND | CTX_NORM_PREFIX |
	    CTX_NORM_FIRST)) && !special_over_lines(&tok->special[0]) &&
	    !special_over_lines(&tok->special[1]);
}

/* The caller's counter is done with an end that could not be divided. */
static int
close_end(struct ctx_crew *w, struct ctx_err *err)
{
	struct ctx_ratio factor = w->own->factor;
	uint64_t n = 0;
	int rc;

	w->own->factor = (struct ctx_ratio){ 1, 1 };
	rc = ctx_counter_end(w->own, &n, err);
	w->own->factor = factor;
	w->open = 0;
	w->fed += n;
	return rc;
}

/*
 * Begin to count what is held up to its last divide, or let the caller's
 * counter hold it.
 */
static int
count_held(struct ctx_crew *w, struct ctx_err *err)
{
	struct ctx_buf held;
	size_t from = 0, to;

	if (land(w, err) == -1)
		return -1;
	held = w->text;
	if (w->open) {
		from = divide_at(w, held.data, held.len, 0);
		if (ctx_counter_feed(w->own, held.data, from, err) == -1)
			return -1;
		if (from < held.len && close_end(w, err) == -1)
			return -1;
	}
	to = divide_at(w, held.data, held.len, held.len - held.len / 8);
	if (to == held.len && from < held.len) {
		w->open = 1;
		if (ctx_counter_feed(w->own, held.data + from, held.len - from,
		    err) == -1)
			return -1;
	}
	w->text = w->away;
	w->away = held;
	ctx_buf_reset(&w->text);
	ctx_buf_add(&w->text, held.data + to, held.len - to);
	if (ctx_buf_fail(&w->text, err) == -1)
		return -1;
	return w->open || from == to ? 0 :
	    send(w, held.data + from, to - from, err);
}

int
ctx_crew_feed(struct ctx_crew *w, const char *part, size_t len,
    struct ctx_err *err)
{
	if (!is_divisible(w))
		return ctx_counter_feed(w->own, part, len, err);
	ctx_buf_add(&w->text, part, len);
	if (ctx_buf_fail(&w->text, err) == -1)
		return -1;
	return w->text.len < FED * (w->n + 1) ? 0 : count_held(w, err);
}

int
ctx_crew_end(struct ctx_crew *w, uint64_t *n, struct ctx_err *err)
{
	size_t len = w->text.len;
	int rc;

	if (!is_divisible(w))
		return ctx_counter_end(w->own, n, err);
	w->text.len = 0;
	rc = land(w, err);
	if (rc == 0 && w->open) {
		rc = ctx_counter_feed(w->own, w->text.data, len, err);
		if (rc == 0)
			rc = close_end(w, err);
	} else if (rc == 0 && len > 0) {
		rc = send(w, w->text.data, len, err);
		if (rc == 0)
			rc = land(w, err);
	}
	if (rc == 0)
		*n = ctx_counter_scale(w->own, w->fed);
	w->fed = 0;
	return rc;
}
