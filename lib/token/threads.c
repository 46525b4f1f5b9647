/* SPDX-License-Identifier: MIT */
#include "token/threads.h"

#include <pthread.h>
#include <string.h>

#include "token/tok_priv.h"

/* Bytes under which another thread is not worth its start. */
#define SHARE_MIN	(256u << 10)

struct share {
	const struct ctx_counter *like;
	int first;
	const char *text;
	size_t len;
	uint64_t n;
	int rc;
	struct ctx_err err;
	pthread_t thread;
};

static int
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * Between a newline behind a character that is no white space and a letter:
 * in every pattern of ours a newline ends its piece there, and no piece looks
 * further than that newline.
 */
size_t
ctx_text_divide(const char *text, size_t len, size_t from)
{
	const char *p;
	size_t i;

	for (i = from < 2 ? 2 : from; i < len; i = (size_t)(p - text) + 1) {
		p = memchr(text + i - 1, '\n', len - i);
		if (p == NULL)
			break;
		if (is_letter(p[1]) && p > text && p[-1] > ' ' &&
		    p[-1] < 0x7f)
			return (size_t)(p - text) + 1;
		if (p == text + i - 1)
			p++;
	}
	return len;
}

static void *
count_share(void *arg)
{
	struct share *s = arg;
	struct ctx_counter c;

	s->rc = ctx_counter_init(&c, s->like->tok, &s->err);
	if (s->rc == -1)
		return NULL;
	c.special = s->like->special;
	if (!s->first)
		ctx_counter_go_on(&c);
	s->rc = ctx_counter_text(&c, s->text, s->len, &s->n, &s->err);
	ctx_counter_done(&c);
	return NULL;
}

/* The same for what no pattern cuts: no token may lie there either. */
static size_t
divide_at(const struct ctx_tok *tok, const char *text, size_t len, size_t from)
{
	size_t at = ctx_text_divide(text, len, from);

	while (at < len && ctx_split_by_border(tok->table.head->split) &&
	    !ctx_border_free(tok->table.cross, '\n', (uint8_t)text[at]))
		at = ctx_text_divide(text, len, at + 1);
	return at;
}

/* Can a special token reach over the end of a line? */
static int
special_over_lines(const struct ctx_counter *c)
{
	const struct ctx_specials *set;
	const char *p;
	size_t i, k;

	for (k = 0; k < 2; k++) {
		set = &c->tok->special[k];
		if (set->flags & (CTX_SPECIAL_LSTRIP | CTX_SPECIAL_RSTRIP |
		    CTX_SPECIAL_WORD))
			return 1;
		for (i = 0; i < set->n; i++) {
			p = memchr(set->list[i].text, '\n', set->list[i].len);
			while (p != NULL && p + 1 < set->list[i].text +
			    set->list[i].len)
				if (is_letter(*++p))
					return 1;
		}
	}
	return 0;
}

/* Divide text into up to want shares; how many there are. */
static unsigned
divide(struct share *share, unsigned want, const struct ctx_counter *c,
    const char *text, size_t len)
{
	size_t from = 0, to;
	unsigned k;

	for (k = 0; k < want && from < len; k++) {
		to = k + 1 == want ? len :
		    divide_at(c->tok, text, len, len / want * (k + 1));
		if (to < from)
			to = len;
		memset(&share[k], 0, sizeof(share[k]));
		share[k].like = c;
		share[k].first = k == 0;
		share[k].text = text + from;
		share[k].len = to - from;
		from = to;
	}
	return k;
}

/* Count shares 1 .. n - 1 in threads of their own, and share 0 with c. */
static int
run_shares(struct ctx_counter *c, struct share *share, unsigned n,
    struct ctx_err *err)
{
	unsigned k, started;
	int rc = 0, why;

	for (started = 1; started < n; started++) {
		why = pthread_create(&share[started].thread, NULL, count_share,
		    &share[started]);
		if (why != 0) {
			rc = ctx_fail_errno(err, why, "cannot start a thread");
			break;
		}
	}
	if (rc == 0)
		rc = ctx_counter_text(c, share[0].text, share[0].len,
		    &share[0].n, err);
	for (k = 1; k < started; k++) {
		pthread_join(share[k].thread, NULL);
		if (share[k].rc == -1)
			rc = ctx_fail(err, share[k].err.code, "%s",
			    share[k].err.text);
	}
	return rc;
}

int
ctx_counter_text_threads(struct ctx_counter *c, const char *text, size_t len,
    unsigned threads, uint64_t *n, struct ctx_err *err)
{
	struct share share[CTX_THREADS_MAX];
	double factor = c->factor;
	unsigned k, shares;
	uint64_t sum = 0;
	int rc;

	if (threads > CTX_THREADS_MAX)
		threads = CTX_THREADS_MAX;
	if (threads > len / SHARE_MIN)
		threads = (unsigned)(len / SHARE_MIN);
	if (threads < 2 || c->tok->pattern != NULL ||
	    ctx_tok_is_estimate(c->tok) || special_over_lines(c))
		return ctx_counter_text(c, text, len, n, err);
	shares = divide(share, threads, c, text, len);
	c->factor = 1;
	rc = run_shares(c, share, shares, err);
	c->factor = factor;
	for (k = 0; k < shares; k++)
		sum += share[k].n;
	*n = ctx_counter_scale(c, sum);
	return rc;
}
