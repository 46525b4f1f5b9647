/* SPDX-License-Identifier: MIT */
#include "token/crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/worker.h"
#include "token/norm.h"
#include "token/tok_priv.h"

/* Bytes of a read, and the fewest that are worth handing to a thread. */
#define READ		((size_t)128 << 10)
#define BLOCK		((size_t)64 << 10)
/* Where to divide is looked for in so many bytes, from the end backwards. */
#define LOOK		512

/*
 * Each thread reads a block, up to a place where text may be divided, and
 * counts it while the next one reads.
 */
struct worker {
	struct ctx_crew *crew;
	struct ctx_counter *counter;
	pthread_t thread;
	struct ctx_buf block;	/* text that no other thread has, */
	size_t from, to;	/* and which part of it to count */
	uint64_t n;
};

struct ctx_crew {
	struct ctx_counter *counter;	/* n of them; the first is unused */
	struct worker *worker;		/* the first is the caller's */
	unsigned n;

	/* The text that is counted; for who holds the lock. */
	pthread_mutex_t lock;
	const struct ctx_crew_text *text;
	struct ctx_buf rest;	/* read, and in no block yet */
	int ended;
	int rc;
	struct ctx_err err;
};

static struct ctx_counter *
own(const struct ctx_crew *w)
{
	return w->worker[0].counter;
}

/* Add a worker with a counter like the caller's, but that has no factor. */
static int
hire(struct ctx_crew *w, struct ctx_err *err)
{
	struct ctx_counter *c = &w->counter[w->n];

	if (ctx_counter_init(c, own(w)->tok, err) == -1)
		return -1;
	c->special = own(w)->special;
	w->worker[w->n].crew = w;
	w->worker[w->n++].counter = c;
	return 0;
}

struct ctx_crew *
ctx_crew_new(struct ctx_counter *c, unsigned threads, struct ctx_err *err)
{
	struct ctx_crew *w = calloc(1, sizeof(*w));

	if (threads > CTX_THREADS_MAX)
		threads = CTX_THREADS_MAX;
	if (w == NULL || pthread_mutex_init(&w->lock, NULL) != 0) {
		ctx_fail_nomem(err);
		free(w);
		return NULL;
	}
	w->worker = calloc(threads, sizeof(*w->worker));
	w->counter = calloc(threads, sizeof(*w->counter));
	if (w->worker == NULL || w->counter == NULL) {
		ctx_fail_nomem(err);
		ctx_crew_free(w);
		return NULL;
	}
	w->worker[0].crew = w;
	w->worker[0].counter = c;
	w->n = 1;
	while (w->n < threads)
		if (hire(w, err) == -1) {
			ctx_crew_free(w);
			return NULL;
		}
	return w;
}

void
ctx_crew_free(struct ctx_crew *w)
{
	if (w == NULL)
		return;
	for (; w->n > 0; w->n--) {
		ctx_buf_done(&w->worker[w->n - 1].block);
		if (w->n > 1)
			ctx_counter_done(&w->counter[w->n - 1]);
	}
	ctx_buf_done(&w->rest);
	pthread_mutex_destroy(&w->lock);
	free(w->counter);
	free(w->worker);
	free(w);
}

/* Does the text before i end in something other than white space? */
static int
ends_visibly(const uint8_t *text, size_t i)
{
	if (text[i - 1] < 0x80)
		return text[i - 1] > ' ' && text[i - 1] < 0x7f;
	/* Three bytes, except U+3000. */
	return i >= 3 && text[i - 3] >= 0xe3 && text[i - 3] <= 0xef &&
	    (text[i - 2] & 0xc0) == 0x80 && (text[i - 1] & 0xc0) == 0x80 &&
	    !(text[i - 3] == 0xe3 && text[i - 2] == 0x80 &&
	    text[i - 1] == 0x80);
}

/* Is c a letter of the alphabet, or does it begin a character beyond U+4000? */
static int
begins_word(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= 0xe4 && c <= 0xec);
}

/*
 * In these patterns, white space is cut after its last newline, and no piece
 * goes on after that but with a slash.
 */
static int
by_lines(enum ctx_split_kind kind)
{
	return kind == CTX_SPLIT_CL100K || kind == CTX_SPLIT_O200K ||
	    kind == CTX_SPLIT_QWEN;
}

/* The same: is the line at p .. end neither blank nor a piece's rest? */
static int
begins_line(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *q = p;

	while (q < end && (*q == ' ' || *q == '\t'))
		q++;
	return q < end && (begins_word(*q) || (*q > ' ' && *q < 0x7f &&
	    (*q != '/' || q > p)));
}

/*
 * Divide between a newline that follows a character other than white space and
 * a letter.  In all of our patterns that cut at white space, a newline ends
 * its piece there, and no piece looks further than that newline.
 */
size_t
ctx_crew_divide(enum ctx_split_kind kind, const char *text, size_t len,
    size_t from)
{
	const uint8_t *t = (const uint8_t *)text, *end = t + len, *p;
	size_t i, before;

	for (i = from < 2 ? 1 : from - 1; i + 1 < len; i++) {
		p = memchr(t + i, '\n', len - 1 - i);
		if (p == NULL)
			break;
		i = (size_t)(p - t);
		before = i > 1 && t[i - 1] == '\r' ? i - 1 : i;
		if ((begins_word(t[i + 1]) || (by_lines(kind) &&
		    begins_line(p + 1, end))) && ends_visibly(t, before))
			return i + 1;
	}
	return len;
}

/* Do the kind's pieces continue after a newline? */
static int
over_lines(enum ctx_split_kind kind)
{
	return ctx_split_by_border(kind) || kind == CTX_SPLIT_DIGIT ||
	    kind == CTX_SPLIT_DIGITS;
}

/* The same for pieces that span lines: in addition, no token may lie across. */
static size_t
divide_at(const struct ctx_crew *w, const char *text, size_t len, size_t from)
{
	const struct ctx_table *t = &own(w)->tok->table;
	enum ctx_split_kind kind = (enum ctx_split_kind)t->head->split;
	size_t at = ctx_crew_divide(kind, text, len, from);

	while (at < len && over_lines(kind) &&
	    !ctx_border_free(t->cross, '\n', (uint8_t)text[at]))
		at = ctx_crew_divide(kind, text, len, at + 1);
	return at;
}

/* Can a special token extend past the end of a line? */
static int
special_over_lines(const struct ctx_specials *set)
{
	size_t i;

	if (set->flags & (CTX_SPECIAL_LSTRIP | CTX_SPECIAL_RSTRIP |
	    CTX_SPECIAL_WORD))
		return 1;
	for (i = 0; i < set->n; i++)
		if (set->list[i].len > 1 && memchr(set->list[i].text, '\n',
		    set->list[i].len - 1) != NULL)
			return 1;
	return 0;
}

static int
is_divisible(const struct ctx_crew *w)
{
	const struct ctx_tok *tok = own(w)->tok;
	const struct ctx_table_header *h = tok->table.head;

	/*
	 * A prefix is put in front of a text, not of each block, an estimate by
	 * script is made for the whole, SentencePiece's normalizer and sums
	 * depend on what came before, and Unigram makes one token of what is
	 * unknown, if its pieces are not divided at lines.
	 */
	return w->n > 1 && !own(w)->by_script && tok->pattern == NULL &&
	    !ctx_tok_is_estimate(tok) && !(h->norm &
	    (CTX_NORM_PREPEND | CTX_NORM_PREFIX | CTX_NORM_FIRST |
	    CTX_NORM_PIECE | CTX_NORM_STEPS)) &&
	    !(h->flags & CTX_TABLE_UNIGRAM &&
	    over_lines((enum ctx_split_kind)h->split)) &&
	    !special_over_lines(&tok->special[0]) &&
	    !special_over_lines(&tok->special[1]);
}

/* Append what one read gives to the block; the text may have ended. */
static int
read_more(struct ctx_crew *w, struct ctx_buf *block, struct ctx_err *err)
{
	ssize_t n;

	if (ctx_buf_reserve(block, READ) == -1)
		return ctx_fail_nomem(err);
	n = w->text->read(w->text->arg, block->data + block->len, READ, err);
	if (n == -1)
		return -1;
	w->ended = n == 0;
	block->len += (size_t)n;
	return 0;
}

/* The last place where p[0 .. len) may be divided, or 0. */
static size_t
last_place(const struct ctx_crew *w, const char *p, size_t len)
{
	size_t from, at, next;

	for (; len > 0; len = from) {
		from = len < LOOK ? 0 : len - LOOK;
		at = divide_at(w, p, len, from);
		if (at == len)
			continue;
		while ((next = divide_at(w, p, len, at + 1)) < len)
			at = next;
		return at;
	}
	return 0;
}

/*
 * The block cannot be divided: count on until the text can be, and leave what
 * follows in the block.
 */
static int
count_undivided(struct worker *me, struct ctx_err *err)
{
	struct ctx_crew *w = me->crew;
	struct ctx_buf *block = &me->block;
	size_t at = block->len;
	uint64_t n;

	for (;;) {
		if (ctx_counter_feed(me->counter, block->data, at, err) == -1)
			return -1;
		if (w->text->seen != NULL)
			w->text->seen(w->text->arg, block->data, at);
		if (at < block->len || w->ended)
			break;
		ctx_buf_reset(block);
		if (read_more(w, block, err) == -1)
			return -1;
		at = divide_at(w, block->data, block->len, 0);
	}
	me->from = at;
	if (ctx_counter_end(me->counter, &n, err) == -1)
		return -1;
	me->n += n;
	return 0;
}

/* With the lock: fill the block.  Returns 1, 0 at the end, -1 with *err. */
static int
take_block(struct worker *me, struct ctx_err *err)
{
	struct ctx_crew *w = me->crew;
	struct ctx_buf *block = &me->block;

	me->from = 0;
	ctx_buf_reset(block);
	if (ctx_buf_add(block, w->rest.data, w->rest.len) == -1)
		return ctx_fail_nomem(err);
	ctx_buf_reset(&w->rest);
	for (;;) {
		while (!w->ended && block->len - me->from < BLOCK)
			if (read_more(w, block, err) == -1)
				return -1;
		me->to = w->ended ? block->len : me->from + last_place(w,
		    block->data + me->from, block->len - me->from);
		if (me->to > me->from || w->ended)
			break;
		block->len -= me->from;
		memmove(block->data, block->data + me->from, block->len);
		if (count_undivided(me, err) == -1)
			return -1;
	}
	if (block->len > me->to && ctx_buf_add(&w->rest, block->data + me->to,
	    block->len - me->to) == -1)
		return ctx_fail_nomem(err);
	return me->to > me->from;
}

/* The same, with the lock only meanwhile; the first error ends the text. */
static int
next_block(struct worker *me)
{
	struct ctx_crew *w = me->crew;
	int rc;

	pthread_mutex_lock(&w->lock);
	rc = w->rc == -1 ? 0 : take_block(me, &w->err);
	if (rc == -1)
		w->rc = -1;
	pthread_mutex_unlock(&w->lock);
	return rc == 1;
}

static void
count_block(struct worker *me)
{
	const struct ctx_crew_text *text = me->crew->text;
	const char *p = me->block.data + me->from;
	size_t len = me->to - me->from;
	struct ctx_err err = { 0 };
	uint64_t n;

	if (text->seen != NULL)
		text->seen(text->arg, p, len);
	if (ctx_counter_text(me->counter, p, len, &n, &err) == 0) {
		me->n += n;
		return;
	}
	pthread_mutex_lock(&me->crew->lock);
	if (me->crew->rc == 0)
		me->crew->err = err;
	me->crew->rc = -1;
	pthread_mutex_unlock(&me->crew->lock);
}

static void *
count_blocks(void *arg)
{
	struct worker *me = arg;

	while (next_block(me))
		count_block(me);
	return NULL;
}

/* The first block may be all of the text, and need no threads. */
static void
count_divided(struct ctx_crew *w)
{
	struct worker *me = &w->worker[0];
	unsigned running = 1, n;

	if (!next_block(me))
		return;
	n = w->ended ? 1 : w->n;
	while (running < n && ctx_worker_start(&w->worker[running].thread,
	    count_blocks, &w->worker[running]) == 0)
		running++;
	count_block(me);
	count_blocks(me);
	while (--running > 0)
		pthread_join(w->worker[running].thread, NULL);
}

/* Count a text that cannot be divided. */
static void
count_alone(struct ctx_crew *w)
{
	struct worker *me = &w->worker[0];
	struct ctx_buf *block = &me->block;

	while (w->rc == 0 && !w->ended) {
		ctx_buf_reset(block);
		w->rc = read_more(w, block, &w->err);
		if (w->rc == -1)
			break;
		if (w->text->seen != NULL)
			w->text->seen(w->text->arg, block->data, block->len);
		w->rc = ctx_counter_feed(me->counter, block->data, block->len,
		    &w->err);
	}
	if (w->rc == 0)
		w->rc = ctx_counter_end(me->counter, &me->n, &w->err);
}

/* Forget what the counters hold of a text that has failed. */
static int
give_up(struct ctx_crew *w, struct ctx_err *err)
{
	struct ctx_err ignored = { 0 };
	uint64_t n;
	unsigned i;

	for (i = 0; i < w->n; i++)
		if (ctx_counter_end(w->worker[i].counter, &n, &ignored) == -1)
			ctx_err_clear(&ignored);
	*err = w->err;
	return -1;
}

int
ctx_crew_count(struct ctx_crew *w, const struct ctx_crew_text *text,
    uint64_t *n, struct ctx_err *err)
{
	struct ctx_ratio factor = own(w)->factor;
	uint64_t sum = 0;
	unsigned i;

	w->text = text;
	w->ended = w->rc = 0;
	ctx_err_clear(&w->err);
	ctx_buf_reset(&w->rest);
	for (i = 0; i < w->n; i++)
		w->worker[i].n = 0;
	if (is_divisible(w)) {
		/* the factor is applied to the sum */
		own(w)->factor = (struct ctx_ratio){ 1, 1 };
		count_divided(w);
		own(w)->factor = factor;
		for (i = 0; i < w->n; i++)
			sum += w->worker[i].n;
		*n = ctx_counter_scale(own(w), sum);
	} else {
		count_alone(w);
		*n = w->worker[0].n;
	}
	return w->rc == 0 ? 0 : give_up(w, err);
}
