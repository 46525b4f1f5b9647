/* SPDX-License-Identifier: MIT */
#include "token/count.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "token/cache.h"
#include "token/cut.h"
#include "token/merge.h"
#include "token/tok_priv.h"
#include "token/unescape.h"

/* Bytes of text that are decoded or fed at a time; they stay in the cache. */
#define SLICE	(32u << 10)

struct ctx_counter_state {
	struct ctx_cache cache;
	struct ctx_cuts cuts;
	ctx_cut_fn *cut;
	size_t try_at;		/* bytes held at which a cut is looked for */
	size_t special_max;	/* longest special token */
};

int
ctx_counter_init(struct ctx_counter *c, const struct ctx_tok *tok,
    struct ctx_err *err)
{
	memset(c, 0, sizeof(*c));
	c->tok = tok;
	c->factor = 1;
	c->state = calloc(1, sizeof(*c->state));
	if (c->state == NULL)
		return ctx_fail_nomem(err);
	if (ctx_tok_is_estimate(tok))
		return 0;
	if (tok->nspecial > 0)
		c->state->special_max = tok->special[0].len;
	c->state->cut = ctx_cut_get(tok->table.head->split);
	if (ctx_cache_init(&c->state->cache, &tok->table, err) == -1) {
		ctx_counter_done(c);
		return -1;
	}
	return 0;
}

void
ctx_counter_done(struct ctx_counter *c)
{
	if (c->state != NULL)
		ctx_cache_done(&c->state->cache);
	free(c->state);
	ctx_buf_done(&c->text);
	ctx_buf_done(&c->held);
	memset(c, 0, sizeof(*c));
}

/* The ids of one piece. */
static int
piece_ids(struct ctx_counter *c, const uint8_t *p, size_t len,
    struct ctx_ids *ids, struct ctx_err *err)
{
	const struct ctx_table *t = &c->tok->table;
	uint32_t id;
	size_t n;

	if (t->head->flags & CTX_TABLE_WHOLE) {
		id = ctx_table_find(t, p, len);
		if (id != CTX_ID_MAX)
			return ctx_ids_add(ids, id, err);
	}
	return ctx_merge_piece(t, p, len, ids, &n, err);
}

/* A stretch of text that is being cut into pieces and counted. */
struct span {
	const uint8_t *p;	/* the next piece */
	const uint8_t *end;
	int whole;		/* nothing follows end */
	int bad;		/* stopped: the piece at p is not UTF-8 */
	struct ctx_ids *ids;	/* or NULL */
	uint64_t n;
};

/* Take the pieces that were cut. */
static int
take_cuts(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	const struct ctx_cuts *cuts = &c->state->cuts;
	unsigned i;

	if (s->ids == NULL)
		return ctx_cache_count(&c->state->cache, cuts, s->end, &s->n,
		    err);
	for (i = 0; i < cuts->n; i++)
		if (piece_ids(c, cuts->at[i], (size_t)(cuts->at[i + 1] -
		    cuts->at[i]), s->ids, err) == -1)
			return -1;
	return 0;
}

/* A piece by a foreign pattern: gather them as our own cutters do. */
struct gather {
	struct ctx_counter *c;
	struct span *s;
};

static int
gather_piece(void *arg, const uint8_t *p, const uint8_t *q,
    struct ctx_err *err)
{
	struct gather *g = arg;
	struct ctx_cuts *cuts = &g->c->state->cuts;

	if (cuts->n == CTX_CUT_MAX) {
		if (take_cuts(g->c, g->s, err) == -1)
			return -1;
		cuts->n = 0;
	}
	cuts->at[cuts->n++] = p;
	cuts->at[cuts->n] = q;
	return 0;
}

/*
 * The same for a vocabulary whose pattern is none of ours.  What such a pattern
 * does may depend on all that follows, so the text has to be whole.
 */
static int
span_count_pattern(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	struct gather g = { c, s };
	size_t len = (size_t)(s->end - s->p);

	if (!s->whole)
		return 0;
	s->bad = ctx_utf8_check((const char *)s->p, len) < len;
	if (s->bad)
		return 0;
	c->state->cuts.n = 0;
	if (ctx_pattern_cut(c->tok->pattern, s->p, s->end, gather_piece, &g,
	    err) == -1 || take_cuts(c, s, err) == -1)
		return -1;
	s->p = s->end;
	return 0;
}

/* The same for one that is ours. */
static int
span_count_ours(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	struct ctx_counter_state *k = c->state;

	k->cuts.rest = NULL;
	while (s->p < s->end) {
		k->cut(&k->cuts, s->p, s->end, s->whole, c->tok->split,
		    c->tok->table.cross);
		if (take_cuts(c, s, err) == -1)
			return -1;
		s->p = k->cuts.at[k->cuts.n];
		s->bad = k->cuts.met == CTX_SPLIT_BAD;
		if (k->cuts.met != 0)
			break;
	}
	return 0;
}

/*
 * Count pieces up to s->end, or to a piece that text behind it might change,
 * or to one that is not UTF-8.
 */
static int
span_count(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	int rc = c->tok->pattern != NULL ? span_count_pattern(c, s, err) :
	    span_count_ours(c, s, err);

	s->n += ctx_cache_flush(&c->state->cache);
	return rc;
}

/*
 * Length of the maximal part of p[0 .. len) that begins a character and is
 * none, at least 1: what one U+FFFD stands for.  *cut: it may be the start of
 * one whose rest is not here.
 */
static size_t
bad_part(const uint8_t *p, size_t len, int *cut)
{
	size_t want = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2, n = 1;
	uint8_t low = 0x80, high = 0xbf;

	*cut = 0;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 1;
	if (p[0] == 0xe0)
		low = 0xa0;
	else if (p[0] == 0xed)
		high = 0x9f;
	else if (p[0] == 0xf0)
		low = 0x90;
	else if (p[0] == 0xf4)
		high = 0x8f;
	while (n < len && n < want && p[n] >= low && p[n] <= high) {
		low = 0x80;
		high = 0xbf;
		n++;
	}
	*cut = n == len && n < want;
	return n;
}

/*
 * Append text[0 .. len) to out with U+FFFD for what is not UTF-8.  A cut
 * character at the end is left as it is unless whole.
 */
static int
repair(struct ctx_buf *out, const uint8_t *text, size_t len, int whole)
{
	size_t n;
	int cut;

	while (len > 0) {
		n = ctx_utf8_check((const char *)text, len);
		ctx_buf_add(out, text, n);
		text += n;
		len -= n;
		if (len == 0)
			break;
		n = bad_part(text, len, &cut);
		if (cut && !whole)
			return ctx_buf_add(out, text, len);
		ctx_buf_add(out, "\xef\xbf\xbd", 3);
		text += n;
		len -= n;
	}
	return out->failed ? -1 : 0;
}

/* Repair what is held from byte from on. */
static int
held_repair(struct ctx_counter *c, size_t from, int whole, struct ctx_err *err)
{
	struct ctx_buf swap;

	ctx_buf_reset(&c->text);
	ctx_buf_add(&c->text, c->held.data, from);
	if (repair(&c->text, (uint8_t *)c->held.data + from,
	    c->held.len - from, whole) == -1)
		return ctx_fail_nomem(err);
	swap = c->held;
	c->held = c->text;
	c->text = swap;
	return 0;
}

/* Does anything but merging make tokens here? */
static int
with_special(const struct ctx_counter *c)
{
	return c->tok->nspecial > 0 && (c->special || c->tok->always);
}

/* The special token at p, or NULL. */
static const struct ctx_tok_special *
special_at(const struct ctx_counter *c, const uint8_t *p, const uint8_t *end)
{
	const struct ctx_tok *tok = c->tok;
	size_t i;

	for (i = 0; i < tok->nspecial; i++)
		if ((c->special || tok->special[i].always) &&
		    tok->special[i].len <= (size_t)(end - p) &&
		    memcmp(tok->special[i].text, p, tok->special[i].len) == 0)
			return &tok->special[i];
	return NULL;
}

/* The first special token in p .. end; *at is where. */
static const struct ctx_tok_special *
special_next(const struct ctx_counter *c, const uint8_t *p,
    const uint8_t *end, const uint8_t **at)
{
	const struct ctx_tok_special *s;

	for (; p < end; p++)
		if (c->tok->special_first[*p] &&
		    (s = special_at(c, p, end)) != NULL) {
			*at = p;
			return s;
		}
	return NULL;
}

/*
 * Count all of what is held that is certain (whole: all of it), with special
 * tokens if they are asked for, and drop it.
 */
static int
held_count(struct ctx_counter *c, int whole, struct ctx_ids *ids,
    struct ctx_err *err)
{
	const struct ctx_tok_special *sp = NULL;
	struct span s = { .ids = ids };
	const uint8_t *start, *end, *at = NULL;
	size_t done = 0, hold;
	int stop;

	do {
		start = (const uint8_t *)c->held.data;
		end = start + c->held.len;
		s.p = start + done;
		s.end = end;
		s.whole = whole;
		s.bad = 0;
		if (with_special(c)) {
			sp = special_next(c, s.p, end, &at);
			hold = whole || sp != NULL ? 0 :
			    c->state->special_max - 1;
			s.end = sp != NULL ? at : (size_t)(end - s.p) > hold ?
			    end - hold : s.p;
			s.whole = whole || sp != NULL;
		}
		if (span_count(c, &s, err) == -1)
			return -1;
		done = (size_t)(s.p - start);
		stop = !s.bad && sp == NULL;
		if (s.bad) {
			if (held_repair(c, done, whole, err) == -1)
				return -1;
		} else if (sp != NULL) {
			if (ids != NULL && ctx_ids_add(ids, sp->id, err) == -1)
				return -1;
			s.n++;
			done += sp->len;
		}
	} while (!stop);
	c->fed += s.n;
	c->held.len -= done;
	if (c->held.len > 0)
		memmove(c->held.data, c->held.data + done, c->held.len);
	/* A piece without end is looked at again only when it has doubled. */
	c->state->try_at = 2 * c->held.len;
	return 0;
}

/* Characters: bytes that do not continue one. */
static uint64_t
chars_count(const char *p, size_t len)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < len; i++)
		n += (signed char)p[i] > -65;
	return n;
}

/* Append p[0 .. len), at most SLICE bytes, to what is held; count. */
static int
feed_slice(struct ctx_counter *c, const char *p, size_t len,
    struct ctx_err *err)
{
	if (ctx_tok_is_estimate(c->tok)) {
		c->chars += chars_count(p, len);
		return 0;
	}
	ctx_buf_add(&c->held, p, len);
	if (ctx_buf_fail(&c->held, err) == -1)
		return -1;
	return c->held.len < c->state->try_at ? 0 :
	    held_count(c, 0, NULL, err);
}

int
ctx_counter_feed(struct ctx_counter *c, const char *part, size_t len,
    struct ctx_err *err)
{
	size_t n;

	for (; len > 0; part += n, len -= n) {
		n = len < SLICE ? len : SLICE;
		if (feed_slice(c, part, n, err) == -1)
			return -1;
	}
	return 0;
}

uint64_t
ctx_counter_scale(const struct ctx_counter *c, uint64_t n)
{
	double scaled = (double)n * c->factor;

	if (c->factor == 1)
		return n;
	return (uint64_t)scaled + ((double)(uint64_t)scaled < scaled);
}

int
ctx_counter_end(struct ctx_counter *c, uint64_t *n, struct ctx_err *err)
{
	uint64_t count;

	if (c->held.len > 0 && held_count(c, 1, NULL, err) == -1)
		return -1;
	/* Characters / 2.5, cut off, but one for any text at all. */
	count = c->chars == 0 ? c->fed : c->chars < 3 ? 1 : c->chars * 2 / 5;
	c->fed = c->chars = 0;
	c->state->try_at = 0;
	*n = ctx_counter_scale(c, count);
	return 0;
}

int
ctx_counter_text(struct ctx_counter *c, const char *text, size_t len,
    uint64_t *n, struct ctx_err *err)
{
	const uint8_t *p = (const uint8_t *)text;
	struct span s = { .p = p, .end = p + len, .whole = 1 };

	if (!with_special(c) && !ctx_tok_is_estimate(c->tok)) {
		if (span_count(c, &s, err) == -1)
			return -1;
		c->fed = s.n;
	}
	if (ctx_counter_feed(c, (const char *)s.p, (size_t)(s.end - s.p), err)
	    == -1)
		return -1;
	return ctx_counter_end(c, n, err);
}

int
ctx_counter_json(struct ctx_counter *c, const char *s, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	char slice[SLICE];
	size_t used, got;

	if (memchr(s, '\\', len) == NULL)
		return ctx_counter_text(c, s, len, n, err);
	for (; len > 0; s += used, len -= used) {
		got = ctx_unescape(slice, sizeof(slice), s, len, &used);
		if (feed_slice(c, slice, got, err) == -1)
			return -1;
	}
	return ctx_counter_end(c, n, err);
}

int
ctx_counter_encode(struct ctx_counter *c, const char *text, size_t len,
    struct ctx_ids *ids, struct ctx_err *err)
{
	if (ctx_tok_is_estimate(c->tok))
		return ctx_fail(err, CTX_EUSAGE, "encoding '%s' is an "
		    "estimate and has no tokens", ctx_tok_name(c->tok));
	ctx_buf_add(&c->held, text, len);
	if (ctx_buf_fail(&c->held, err) == -1 ||
	    held_count(c, 1, ids, err) == -1)
		return -1;
	c->fed = 0;
	c->state->try_at = 0;
	return 0;
}
