/* SPDX-License-Identifier: MIT */
/* Counting strings ahead; see jobs.h. */
#include "cmd/count/jobs.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of lines that are read before they are gone through. */
#define BATCH		((size_t)2 << 20)
/* Bytes of lines that one thread takes at a time. */
#define SHARE		((size_t)64 << 10)
/* Most shares of a batch: what is over it is one line. */
#define SHARES		(BATCH / SHARE + 2)
/* Bytes of a string that is worth a note. */
#define LEAST		40

/* The contents of a string, between the quotes, and its tokens. */
struct known {
	const char *p;
	size_t len;
	uint64_t n;
};

/* Lines that one thread takes, and the strings in them. */
struct share {
	size_t from, to;
	struct known *known;
	size_t n, cap;
};

/* Lines, held. */
struct batch {
	struct ctx_line *line;
	size_t n, cap, bytes;
	struct share share[SHARES];
	size_t nshare;
};

struct count_jobs {
	struct ctx_cost *cost;
	struct ctx_crew *crew;
	struct batch batch[2];
	struct known *slot;	/* of the batch in hand, by p; NULL: empty */
	size_t mask;		/* slots less one */
	uint64_t noted, used;	/* bytes of strings counted, and asked for */
};

/* --- by any thread -------------------------------------------------------- */

/* The quote that ends the string that begins at p, or NULL. */
static const char *
string_end(const char *p, const char *end)
{
	const char *q = p, *b;

	while ((q = memchr(q, '"', (size_t)(end - q))) != NULL) {
		for (b = q; b > p && b[-1] == '\\'; b--)
			;
		if ((q - b) % 2 == 0)
			return q;
		q++;
	}
	return NULL;
}

/* Is what begins at p data rather than text, as far as one can see here? */
static int
is_data(const char *line, const char *p)
{
	return memcmp(p, "data:", 5) == 0 || (p - line > 8 &&
	    (memcmp(p - 8, "\"data\":", 7) == 0 ||
	    memcmp(p - 8, "data\": ", 7) == 0));
}

static int
note(struct share *sh, struct ctx_counter *c, const char *p, size_t len,
    struct ctx_err *err)
{
	struct known *k = ctx_grow(sh->known, sh->n, &sh->cap, sizeof(*k));

	if (k == NULL)
		return ctx_fail_nomem(err);
	sh->known = k;
	k += sh->n;
	k->p = p;
	k->len = len;
	if (ctx_counter_json(c, p, len, &k->n, err) == -1)
		return -1;
	sh->n++;
	return 0;
}

/* The strings of a line, which may be anything; what is no string is unused. */
static int
note_line(struct share *sh, struct ctx_counter *c, const struct ctx_line *line,
    struct ctx_err *err)
{
	const char *p = line->raw, *end = p + line->len, *q;

	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		if ((q = string_end(++p, end)) == NULL)
			break;
		if (q - p >= LEAST && !is_data(line->raw, p) &&
		    note(sh, c, p, (size_t)(q - p), err) == -1)
			return -1;
		p = q + 1;
	}
	return 0;
}

static int
note_share(struct ctx_counter *c, size_t i, void *arg, struct ctx_err *err)
{
	struct batch *b = arg;
	struct share *sh = &b->share[i];
	size_t k;

	for (k = sh->from; k < sh->to; k++)
		if (note_line(sh, c, &b->line[k], err) == -1)
			return -1;
	return 0;
}

/* --- by the one that goes through the messages ---------------------------- */

static size_t
slot_of(const struct count_jobs *j, const char *p)
{
	return (size_t)((uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u >> 20) &
	    j->mask;
}

static int
find_known(void *arg, struct ctx_str s, uint64_t *n)
{
	struct count_jobs *j = arg;
	size_t i;

	if (s.len < LEAST || j->slot == NULL)
		return 0;
	for (i = slot_of(j, s.p); j->slot[i].p != NULL; i = (i + 1) & j->mask)
		if (j->slot[i].p == s.p && j->slot[i].len == s.len) {
			*n = j->slot[i].n;
			j->used += s.len;
			return 1;
		}
	return 0;
}

/* Make what is known of the batch's strings easy to find. */
static int
index_known(struct count_jobs *j, const struct batch *b, struct ctx_err *err)
{
	size_t n = 0, size = 16, i, k, at;

	for (i = 0; i < b->nshare; i++)
		n += b->share[i].n;
	while (size < 2 * n)
		size *= 2;
	if ((j->slot = calloc(size, sizeof(*j->slot))) == NULL)
		return ctx_fail_nomem(err);
	j->mask = size - 1;
	for (i = 0; i < b->nshare; i++)
		for (k = 0; k < b->share[i].n; k++) {
			at = slot_of(j, b->share[i].known[k].p);
			while (j->slot[at].p != NULL)
				at = (at + 1) & j->mask;
			j->slot[at] = b->share[i].known[k];
			j->noted += j->slot[at].len;
		}
	return 0;
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

static void
batch_drop(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		ctx_block_drop(b->line[i].block);
	b->n = b->bytes = b->nshare = 0;
}

/* Read lines until there are enough.  1: there may be more, 0: no, -1: *err. */
static int
batch_fill(struct batch *b, struct ctx_reader *r, struct ctx_err *err)
{
	struct ctx_line line;
	int rc = 1;

	while (b->bytes < BATCH && (rc = ctx_reader_next(r, &line, err)) == 1)
		if (batch_add(b, &line, err) == -1)
			return -1;
	return rc;
}

/*
 * Divide the lines into shares, and let the crew begin with them; unless most
 * of what they counted so far was for nothing, in session files for example,
 * which hold much that nobody sends.
 */
static void
batch_start(struct count_jobs *j, struct batch *b)
{
	struct share *sh;
	size_t i = 0, bytes;

	while (i < b->n && j->used >= j->noted / 2) {
		sh = &b->share[b->nshare++];
		sh->from = i;
		sh->n = 0;
		for (bytes = 0; i < b->n && bytes < SHARE; i++)
			bytes += b->line[i].len;
		sh->to = i;
	}
	ctx_crew_start(j->crew, b->nshare, note_share, b);
}

/* Go through the lines.  1: go on, 0: that is the end, -1: *err. */
static int
batch_tell(struct count_jobs *j, struct cli_stream *s, const struct batch *b,
    struct ctx_err *err)
{
	int go = 1;
	size_t i;

	if (index_known(j, b, err) == -1)
		return -1;
	for (i = 0; go == 1 && i < b->n; i++)
		go = ctx_run_line(&s->run, &b->line[i], err);
	/* The lines may go, and others come to stand in their place. */
	free(j->slot);
	j->slot = NULL;
	return go;
}

int
count_jobs_lines(struct count_jobs *j, struct cli_stream *s,
    struct ctx_reader *r, const struct ctx_line *first, struct ctx_err *err)
{
	struct batch *now = &j->batch[0], *ahead = &j->batch[1], *swap;
	struct ctx_err late = { 0 };
	int more, go = 1;

	j->noted = j->used = 0;
	if (batch_add(now, first, err) == -1)
		return -1;
	more = batch_fill(now, r, &late);
	batch_start(j, now);
	while (go == 1 && now->n > 0) {
		if (more == 1)
			more = batch_fill(ahead, r, &late);
		if (ctx_crew_finish(j->crew, err) == -1) {
			go = -1;
			break;
		}
		if (ahead->n > 0)
			batch_start(j, ahead);
		go = batch_tell(j, s, now, err);
		batch_drop(now);
		swap = now;
		now = ahead;
		ahead = swap;
	}
	/* Whatever went wrong, nobody is to look at lines that are dropped. */
	if (go != 1)
		ctx_crew_finish(j->crew, &(struct ctx_err){ 0 });
	batch_drop(now);
	batch_drop(ahead);
	if (go == 1 && more == -1) {
		*err = late;
		return -1;
	}
	return go == -1 ? -1 : 1;
}

struct count_jobs *
count_jobs_new(struct ctx_cost *cost, struct ctx_crew *crew)
{
	struct count_jobs *j = calloc(1, sizeof(*j));

	if (j == NULL)
		return NULL;
	j->cost = cost;
	j->crew = crew;
	cost->known = find_known;
	cost->known_arg = j;
	return j;
}

void
count_jobs_free(struct count_jobs *j)
{
	size_t i, k;

	if (j == NULL)
		return;
	j->cost->known = NULL;
	for (i = 0; i < 2; i++) {
		for (k = 0; k < SHARES; k++)
			free(j->batch[i].share[k].known);
		free(j->batch[i].line);
	}
	free(j);
}
