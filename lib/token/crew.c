/* SPDX-License-Identifier: MIT */
#include "token/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "token/norm.h"
#include "token/tok_priv.h"

/* Bytes in a task; a text of fewer than two tasks is not divided. */
#define SHARE		((size_t)64 << 10)
/* Bytes to collect, for each thread, before they are divided. */
#define FED		((size_t)1 << 20)

/* A text in shares, which any idle thread takes one by one. */
struct shares {
	const char *text;	/* in away */
	size_t *cut;		/* the first is 0; one more than shares */
	uint64_t *n;		/* tokens of each */
	size_t k;		/* shares; 0 if nothing is being counted */
	atomic_size_t next;
};

struct worker {
	struct shares *shares;
	struct ctx_counter *counter;
	pthread_t thread;
	int rc;
	struct ctx_err err;
};

struct ctx_crew {
	struct ctx_counter *counter;	/* n of them; the first is unused */
	struct worker *worker;		/* the first is the caller's */
	unsigned n;
	unsigned running;		/* threads running */

	/* The text that is fed. */
	struct ctx_buf text;
	int open;	/* the caller's counter holds an undivided end */
	uint64_t fed;

	/* The part of it that is counted while more is fed. */
	struct ctx_buf away;
	struct shares shares;
};

static struct ctx_counter *
own(const struct ctx_crew *w)
{
	return w->worker[0].counter;
}

/* Add a worker with a counter like the caller's. */
static int
hire(struct ctx_crew *w, struct ctx_err *err)
{
	struct ctx_counter *c = &w->counter[w->n];

	if (ctx_counter_init(c, own(w)->tok, err) == -1)
		return -1;
	c->special = own(w)->special;
	c->factor = own(w)->factor;
	c->by_script = own(w)->by_script;
	w->worker[w->n].shares = &w->shares;
	w->worker[w->n++].counter = c;
	return 0;
}

struct ctx_crew *
ctx_crew_new(struct ctx_counter *c, unsigned threads, struct ctx_err *err)
{
	struct ctx_crew *w = calloc(1, sizeof(*w));

	if (threads > CTX_THREADS_MAX)
		threads = CTX_THREADS_MAX;
	if (w == NULL ||
	    (w->worker = calloc(threads, sizeof(*w->worker))) == NULL ||
	    (w->counter = calloc(threads, sizeof(*w->counter))) == NULL) {
		ctx_fail_nomem(err);
		ctx_crew_free(w);
		return NULL;
	}
	w->worker[0].shares = &w->shares;
	w->worker[0].counter = c;
	w->n = 1;
	while (w->n < threads)
		if (hire(w, err) == -1) {
			ctx_crew_free(w);
			return NULL;
		}
	return w;
}

/* Wait for the threads and forget the shares. */
static void
dismiss(struct ctx_crew *w)
{
	for (; w->running > 0; w->running--)
		pthread_join(w->worker[w->running].thread, NULL);
	free(w->shares.cut);
	free(w->shares.n);
	memset(&w->shares, 0, sizeof(w->shares));
}

void
ctx_crew_free(struct ctx_crew *w)
{
	if (w == NULL)
		return;
	w->shares.next = w->shares.k;
	dismiss(w);
	while (w->n > 1)
		ctx_counter_done(&w->counter[--w->n]);
	ctx_buf_done(&w->text);
	ctx_buf_done(&w->away);
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
 * Divide between a newline that follows a character other than white space and
 * a letter.  In all of our patterns that cut at white space, a newline ends
 * its piece there, and no piece looks further than that newline.
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
	size_t at = ctx_crew_divide(text, len, from);

	while (at < len && over_lines(t->head->split) &&
	    !ctx_border_free(t->cross, '\n', (uint8_t)text[at]))
		at = ctx_crew_divide(text, len, at + 1);
	return at;
}

/* Can a special token extend past the end of a line? */
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
count_share(struct ctx_counter *c, const struct shares *s, size_t i,
    struct ctx_err *err)
{
	struct ctx_ratio factor = c->factor;
	int rc;

	/* The factor is applied to the sum, not to the shares. */
	c->factor = (struct ctx_ratio){ 1, 1 };
	rc = ctx_counter_text(c, s->text + s->cut[i], s->cut[i + 1] -
	    s->cut[i], &s->n[i], err);
	c->factor = factor;
	return rc;
}

/* Count shares until none is left; after an error no further one is started. */
static void *
work(void *arg)
{
	struct worker *me = arg;
	struct shares *s = me->shares;
	size_t i;

	while (me->rc == 0 && (i = s->next++) < s->k)
		if ((me->rc = count_share(me->counter, s, i, &me->err)) == -1)
			s->next = s->k;
	return NULL;
}

/*
 * Start counting text[0 .. len), which must stay unchanged until land.  If a
 * thread cannot be started, the others do its part.
 */
static int
send(struct ctx_crew *w, const char *text, size_t len, struct ctx_err *err)
{
	struct shares *s = &w->shares;
	size_t most = len / SHARE + 1;
	struct worker *x;

	s->text = text;
	s->cut = malloc((most + 1) * sizeof(*s->cut));
	s->n = malloc(most * sizeof(*s->n));
	if (s->cut == NULL || s->n == NULL) {
		dismiss(w);
		return ctx_fail_nomem(err);
	}
	for (s->cut[0] = 0; s->cut[s->k] < len; s->k++)
		s->cut[s->k + 1] = len - s->cut[s->k] < 2 * SHARE ? len :
		    divide_at(w, text, len, s->cut[s->k] + SHARE);
	while (w->running + 1 < w->n && w->running + 1 < s->k) {
		x = &w->worker[w->running + 1];
		if (pthread_create(&x->thread, NULL, work, x) != 0)
			break;
		w->running++;
	}
	return 0;
}

/* Count the rest with all of the crew and feed the sum of its tokens. */
static int
land(struct ctx_crew *w, struct ctx_err *err)
{
	unsigned running = w->running, t;
	uint64_t sum = 0;
	size_t i;
	int rc = 0;

	if (w->shares.k == 0)
		return 0;
	work(&w->worker[0]);
	for (; w->running > 0; w->running--)
		pthread_join(w->worker[w->running].thread, NULL);
	for (t = 0; t <= running; t++)
		if (w->worker[t].rc == -1)
			rc = ctx_fail(err, w->worker[t].err.code, "%s",
			    w->worker[t].err.text);
	for (i = 0; rc == 0 && i < w->shares.k; i++)
		sum += w->shares.n[i];
	w->fed += sum;
	dismiss(w);
	return rc;
}

static int
is_divisible(const struct ctx_crew *w)
{
	const struct ctx_tok *tok = own(w)->tok;

	/*
	 * A prefix is put in front of a text, not of each share, an estimate by
	 * script is made for the whole, and SentencePiece's normalizer and sums
	 * depend on what came before.
	 */
	return w->n > 1 && !own(w)->by_script && tok->pattern == NULL && !ctx_tok_is_estimate(tok) &&
	    !(tok->table.head->norm & (CTX_NORM_PREPEND | CTX_NORM_PREFIX |
	    CTX_NORM_FIRST | CTX_NORM_PIECE)) && !special_over_lines(&tok->special[0]) &&
	    !special_over_lines(&tok->special[1]);
}

/* Finish the caller's counter's undivided end. */
static int
close_end(struct ctx_crew *w, struct ctx_err *err)
{
	struct ctx_ratio factor = own(w)->factor;
	uint64_t n = 0;
	int rc;

	own(w)->factor = (struct ctx_ratio){ 1, 1 };
	rc = ctx_counter_end(own(w), &n, err);
	own(w)->factor = factor;
	w->open = 0;
	w->fed += n;
	return rc;
}

/*
 * Start counting what is held up to its last possible division, or let the
 * caller's counter hold it.
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
		if (ctx_counter_feed(own(w), held.data, from, err) == -1)
			return -1;
		if (from < held.len && close_end(w, err) == -1)
			return -1;
	}
	to = divide_at(w, held.data, held.len, held.len - held.len / 8);
	if (to == held.len && from < held.len) {
		w->open = 1;
		if (ctx_counter_feed(own(w), held.data + from, held.len - from,
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
		return ctx_counter_feed(own(w), part, len, err);
	ctx_buf_add(&w->text, part, len);
	if (ctx_buf_fail(&w->text, err) == -1)
		return -1;
	return w->text.len < FED * w->n ? 0 : count_held(w, err);
}

int
ctx_crew_end(struct ctx_crew *w, uint64_t *n, struct ctx_err *err)
{
	size_t len = w->text.len;
	int rc;

	if (!is_divisible(w))
		return ctx_counter_end(own(w), n, err);
	w->text.len = 0;
	rc = land(w, err);
	if (rc == 0 && w->open) {
		rc = ctx_counter_feed(own(w), w->text.data, len, err);
		if (rc == 0)
			rc = close_end(w, err);
	} else if (rc == 0 && len > 0) {
		rc = send(w, w->text.data, len, err);
		if (rc == 0)
			rc = land(w, err);
	}
	if (rc == 0)
		*n = ctx_counter_scale(own(w), w->fed);
	w->fed = 0;
	return rc;
}
