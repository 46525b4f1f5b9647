/* SPDX-License-Identifier: MIT */
#include "token/count_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/uclass.h"
#include "base/utf8.h"
#include "token/bert.h"
#include "token/bpe.h"
#include "token/norm.h"
#include "token/unescape.h"
#include "token/wordpiece.h"

int
ctx_counter_init(struct ctx_counter *c, const struct ctx_tok *tok,
    struct ctx_err *err)
{
	memset(c, 0, sizeof(*c));
	c->tok = tok;
	c->factor = (struct ctx_ratio){ 1, 1 };
	c->state = calloc(1, sizeof(*c->state));
	if (c->state == NULL)
		return ctx_fail_nomem(err);
	if (ctx_tok_is_estimate(tok))
		return 0;
	c->state->stage[0].special = &tok->special[0];
	c->state->stage[1].special = &tok->special[1];
	c->state->normal.m = &tok->spnorm;
	c->state->steps.steps = &tok->steps;
	c->state->unigram.table = &tok->table;
	c->state->cut = ctx_chop_get(tok->table.head->split);
	if (ctx_cache_init(&c->state->cache, &tok->table, err) == -1) {
		ctx_counter_done(c);
		return -1;
	}
	return 0;
}

void
ctx_counter_done(struct ctx_counter *c)
{
	if (c->state != NULL) {
		ctx_cache_done(&c->state->cache);
		ctx_buf_done(&c->state->stage[0].held);
		ctx_buf_done(&c->state->stage[1].held);
		ctx_buf_done(&c->state->text);
		ctx_unigram_done(&c->state->unigram);
		ctx_steps_done(&c->state->steps);
	}
	free(c->state);
	memset(c, 0, sizeof(*c));
}

/* Get the ids of one piece. */
static int
piece_ids(struct ctx_counter *c, const uint8_t *p, size_t len,
    struct ctx_ids *ids, struct ctx_err *err)
{
	const struct ctx_table *t = &c->tok->table;
	uint32_t id;
	size_t n;

	if (t->head->flags & CTX_TABLE_WORDS)
		return ctx_wordpiece_word(t, p, len, ids, &n, err);
	if (t->head->flags & CTX_TABLE_WHOLE) {
		id = ctx_table_find(t, p, len);
		if (id != CTX_ID_MAX)
			return ctx_bpe_add_id(ids, id, err);
	}
	return ctx_bpe_piece(t, p, len, ids, &n, err);
}

/* A stretch of text that is cut into pieces and counted. */
struct span {
	const uint8_t *p;	/* the next piece */
	const uint8_t *end;
	int whole;		/* nothing follows after end */
	int bad;		/* stopped: the piece at p is not UTF-8 */
	struct ctx_ids *ids;	/* or NULL */
	uint64_t n;
};

/* Count the pieces that were cut. */
static int
take_cuts(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	struct ctx_chops *cuts = &c->state->cuts;
	struct ctx_cache_text text = { cuts->n, s->end, &s->n };
	unsigned i;
	int rc = 0;

	/* A byte is a token in every vocabulary. */
	s->n += cuts->skipped;
	if (s->ids == NULL)
		rc = ctx_cache_count(&c->state->cache, cuts, &text, 1, err);
	for (i = 0; s->ids != NULL && rc == 0 && i < cuts->n; i++)
		rc = piece_ids(c, cuts->at[i], (size_t)(cuts->to[i] -
		    cuts->at[i]), s->ids, err);
	cuts->n = cuts->skipped = 0;
	return rc;
}

/* Pieces cut by a foreign pattern, gathered as our own cutters do. */
struct gather {
	struct ctx_counter *c;
	struct span *s;
};

static int
gather_piece(void *arg, const uint8_t *p, const uint8_t *q,
    struct ctx_err *err)
{
	struct gather *g = arg;
	struct ctx_chops *cuts = &g->c->state->cuts;

	if (cuts->n == CTX_CHOP_MAX && take_cuts(g->c, g->s, err) == -1)
		return -1;
	cuts->at[cuts->n] = p;
	cuts->to[cuts->n++] = q;
	return 0;
}

/*
 * Count a span with a pattern that is not one of ours.  Its matches may depend
 * on everything that follows, so the text must be complete.  If there are
 * several patterns and the first is ours, this holds for each of its parts.
 */
static int
span_count_pattern(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	struct gather g = { c, s };
	ctx_split_fn *first = ctx_pattern_first(c->tok->pattern);
	size_t len = (size_t)(s->end - s->p);
	const uint8_t *q = s->end;
	unsigned met;

	if (first == NULL && !s->whole)
		return 0;
	s->bad = first == NULL &&
	    ctx_utf8_check((const char *)s->p, len) < len;
	for (; s->p < s->end && !s->bad; s->p = q) {
		met = 0;
		if (first != NULL)
			q = first(s->p, s->end, &met);
		if (met & CTX_SPLIT_END && !s->whole)
			break;
		s->bad = (met & CTX_SPLIT_BAD) != 0;
		if (s->bad)
			break;
		if (ctx_pattern_cut(c->tok->pattern, s->p, q, gather_piece,
		    &g, err) == -1)
			return -1;
	}
	return take_cuts(c, s, err);
}

/* Count a span with a pattern of ours. */
static int
span_count_ours(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	struct ctx_counter_state *k = c->state;

	k->cuts.rest = NULL;
	k->cuts.skip = s->ids == NULL;
	while (s->p < s->end) {
		k->cut(&k->cuts, s->p, s->end, s->whole, c->tok->split,
		    c->tok->table.cross);
		if (take_cuts(c, s, err) == -1)
			return -1;
		s->p = k->cuts.next;
		s->bad = k->cuts.met == CTX_SPLIT_BAD;
		if (k->cuts.met != 0)
			break;
	}
	return 0;
}

/* Count a span by the scores of its tokens. */
static int
span_count_unigram(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	size_t len = (size_t)(s->end - s->p);
	int rc = ctx_unigram_text(&c->state->unigram, s->p, &len, s->whole,
	    s->ids, err);

	s->p += len;
	s->n += c->state->unigram.count;
	return rc;
}

/*
 * Count pieces up to s->end, to a piece that later text might change, or to
 * one that is not UTF-8.
 */
static int
span_count(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	int rc;

	if (c->tok->table.head->flags & CTX_TABLE_UNIGRAM)
		return span_count_unigram(c, s, err);
	rc = c->tok->pattern != NULL ? span_count_pattern(c, s, err) :
	    span_count_ours(c, s, err);
	ctx_cache_flush(&c->state->cache);
	return rc;
}

/*
 * Append text[0 .. len) to out with U+FFFD for what is not UTF-8.  A truncated
 * character at the end is left as it is unless whole is set.
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
		n = ctx_utf8_bad((const char *)text, len, &cut);
		if (cut && !whole)
			return ctx_buf_add(out, text, len);
		ctx_buf_add(out, "\xef\xbf\xbd", 3);
		text += n;
		len -= n;
	}
	return out->failed ? -1 : 0;
}

/* Repair the held text of a stage from byte from on. */
static int
held_repair(struct ctx_counter *c, struct ctx_counter_stage *st, size_t from,
    int whole, struct ctx_err *err)
{
	struct ctx_buf *text = &c->state->text, swap;

	ctx_buf_reset(text);
	ctx_buf_add(text, st->held.data, from);
	if (repair(text, (uint8_t *)st->held.data + from, st->held.len - from,
	    whole) == -1)
		return ctx_fail_nomem(err);
	swap = st->held;
	st->held = *text;
	*text = swap;
	st->scanned = from;
	return 0;
}

/* A special token in a stage's text. */
struct found {
	const struct ctx_tok_special *token;	/* NULL if there is none */
	const uint8_t *from;	/* the text it takes */
	const uint8_t *to;
	const uint8_t *next;	/* where to continue the search */
};

/* Does a word continue at, or directly before, p? */
static int
word_before(const uint8_t *start, const uint8_t *p)
{
	const uint8_t *q = p;
	uint32_t cp;

	while (q > start && (*--q & 0xc0) == 0x80)
		;
	return q < p && ctx_utf8_step((const char *)q, (size_t)(p - q), &cp) !=
	    0 && (ctx_uclass(cp) & CTX_UC_WORD) != 0;
}

static int
class_at(const uint8_t *p, const uint8_t *end, unsigned bits, size_t *len)
{
	uint32_t cp;

	*len = ctx_utf8_step((const char *)p, (size_t)(end - p), &cp);
	return *len != 0 && (ctx_uclass(cp) & bits) != 0;
}

/* Include the white space before and after the token that belongs to it. */
static void
take_space(struct found *f, const uint8_t *start, const uint8_t *end)
{
	const uint8_t *q = f->from;
	size_t n;

	while (f->token->flags & CTX_SPECIAL_LSTRIP && q > start) {
		while (q > start && (*--q & 0xc0) == 0x80)
			;
		if (!class_at(q, f->from, CTX_UC_SPACE, &n))
			break;
		f->from = q;
	}
	while (f->token->flags & CTX_SPECIAL_RSTRIP &&
	    class_at(f->to, end, CTX_UC_SPACE, &n))
		f->to += n;
}

/*
 * Find the next special token that counts.  One that does not count hides
 * those that begin inside it.
 *
 * base is the start of all text of this stage, s->p that of the uncounted
 * text.
 */
static void
special_next(const struct ctx_counter *c, struct ctx_counter_stage *st,
    const struct span *s, const uint8_t *base, struct found *f)
{
	const uint8_t *p = base + st->scanned, *limit = s->end, *at;
	const struct ctx_tok_special *x;
	size_t n;

	/* Later text may complete a longer token. */
	if (!s->whole)
		limit = (size_t)(s->end - s->p) < st->special->longest ? s->p :
		    s->end - (st->special->longest - 1);
	memset(f, 0, sizeof(*f));
	for (; (x = ctx_specials_find(st->special, p, limit, s->end, &at)) !=
	    NULL; p = at + x->len) {
		if (!c->special && !(x->flags & CTX_SPECIAL_ALWAYS))
			continue;
		if (x->flags & CTX_SPECIAL_WORD && (word_before(base, at) ||
		    class_at(at + x->len, s->end, CTX_UC_WORD, &n)))
			continue;
		f->token = x;
		f->from = at;
		f->to = f->next = at + x->len;
		take_space(f, s->p, s->end);
		return;
	}
	st->scanned = (size_t)((p > limit ? p : limit) - base);
}

/*
 * Put a space in front of the text that begins at s->p, if the norm asks for
 * it.
 */
static void
put_prefix(struct ctx_counter *c, struct ctx_counter_stage *st, struct span *s)
{
	unsigned norm = c->tok->table.head->norm;

	if (st->inside || s->p == s->end)
		return;
	st->inside = 1;
	/* The bytes before s->p are counted; there is at least one. */
	if ((norm & CTX_NORM_PREFIX || (norm & CTX_NORM_FIRST &&
	    !c->state->inside)) && *s->p != ' ' &&
	    !(norm & CTX_NORM_WORDS && *s->p == CTX_STEPS_BETWEEN))
		*(uint8_t *)(uintptr_t)--s->p = ' ';
	c->state->inside = 1;
}

static int	stage_count(struct ctx_counter *c,
		    struct ctx_counter_stage *st, int whole,
		    struct ctx_ids *ids, struct ctx_err *err);

/* The first byte that a stage holds; it may hold none. */
static const uint8_t *
stage_base(const struct ctx_counter_stage *st)
{
	return (const uint8_t *)(st->held.data != NULL ? st->held.data : "");
}

static void
stage_reset(struct ctx_counter_stage *st)
{
	ctx_buf_reset(&st->held);
	st->try_at = st->done = st->scanned = 0;
	st->inside = 0;
}

/* Append p[0 .. *n) in normal form, like ctx_norm_append. */
static int
normalize(struct ctx_counter *c, struct ctx_buf *out, const uint8_t *p,
    size_t *n, int whole, struct ctx_err *err)
{
	unsigned norm = c->tok->table.head->norm;

	if (norm & CTX_NORM_STEPS)
		return ctx_steps_append(&c->state->steps, out, p, n, whole,
		    err);
	if (norm & CTX_NORM_BERT)
		return ctx_bert_append(norm, out, p, n, whole, err);
	if (norm & CTX_NORM_PIECE)
		return ctx_spnorm_append(&c->state->normal, out, p, n, whole,
		    err);
	return ctx_norm_append(norm, out, p, n, whole, err);
}

/*
 * Normalize the part of a span of the first stage that is certain, and count
 * it.
 */
static int
pass_on(struct ctx_counter *c, struct span *s, struct ctx_err *err)
{
	struct ctx_counter_stage *from = &c->state->stage[0], *to = from + 1;
	unsigned norm = c->tok->table.head->norm;
	size_t len = (size_t)(s->end - s->p), n;
	int cut = 0, whole;

	n = ctx_utf8_check((const char *)s->p, len);
	if (n < len)
		ctx_utf8_bad((const char *)s->p + n, len - n, &cut);
	s->bad = n < len && (s->whole || !cut);
	whole = s->whole && n == len;
	if (n > 0 && to->held.len == 0) {
		/* One byte for a prefix, and the normalizer's output. */
		ctx_buf_addc(&to->held, ' ');
		to->done = to->scanned = 1;
	}
	if (n > 0 && !from->inside && norm & CTX_NORM_PREPEND &&
	    !(norm & CTX_NORM_PIECE))
		ctx_buf_addc(&to->held, ' ');
	from->inside |= n > 0;
	if (normalize(c, &to->held, s->p, &n, whole, err) == -1)
		return -1;
	s->p += n;
	if (to->held.len > 0 && stage_count(c, to, whole, s->ids, err) == -1)
		return -1;
	if (whole)
		stage_reset(to);
	return 0;
}

/* Count a span that contains no special token. */
static int
stage_span(struct ctx_counter *c, struct ctx_counter_stage *st, struct span *s,
    struct ctx_err *err)
{
	if (c->tok->staged && st == &c->state->stage[0])
		return pass_on(c, s, err);
	if (c->tok->staged)
		put_prefix(c, st, s);
	return span_count(c, s, err);
}

/* Drop what is counted, except for one byte that a prefix may be written to. */
static void
stage_drop(struct ctx_counter *c, struct ctx_counter_stage *st)
{
	size_t spare = st == &c->state->stage[1], n;

	if (st->done > spare) {
		n = st->done - spare;
		memmove(st->held.data + spare, st->held.data + st->done,
		    st->held.len - st->done);
		st->held.len -= n;
		st->scanned -= st->scanned > n ? n : st->scanned;
		st->done = spare;
	}
	/* An endless piece is examined again only after it has doubled. */
	st->try_at = 2 * st->held.len;
}

/*
 * Set *s to the next span of what a stage holds: up to the special token *f,
 * if there is one, or as far as it is certain (if whole, to the end).
 */
static void
stage_next(struct ctx_counter *c, struct ctx_counter_stage *st, int whole,
    struct span *s, struct found *f)
{
	const uint8_t *base = stage_base(st);
	int specials = ctx_counter_special_flags(c, st) != 0;

	s->p = base + st->done;
	s->end = base + st->held.len;
	s->whole = whole;
	s->bad = 0;
	f->token = NULL;
	if (specials)
		special_next(c, st, s, base, f);
	if (f->token != NULL) {
		s->end = f->from < s->p ? s->p : f->from;
		s->whole = 1;
	} else if (specials && !whole)
		s->end = base + st->scanned;
}

/* Count a special token; the next span begins after the text it takes. */
static int
take_special(struct ctx_counter *c, struct ctx_counter_stage *st,
    struct span *s, const struct found *f, struct ctx_err *err)
{
	if (s->ids != NULL && ctx_bpe_add_id(s->ids, f->token->id, err) == -1)
		return -1;
	s->n++;
	s->p = f->to;
	st->scanned = (size_t)(f->next - stage_base(st));
	st->inside = 0;
	c->state->inside = 1;
	return 0;
}

/*
 * Count everything held by a stage that is certain (if whole, all of it),
 * including the requested special tokens, and drop it.
 */
static int
stage_count(struct ctx_counter *c, struct ctx_counter_stage *st, int whole,
    struct ctx_ids *ids, struct ctx_err *err)
{
	unsigned flags = ctx_counter_special_flags(c, st);
	struct span s = { .ids = ids };
	struct found f;

	/* What these tokens take in depends on all text around them. */
	if (!whole && (st->held.len < st->try_at ||
	    flags & (CTX_SPECIAL_LSTRIP | CTX_SPECIAL_RSTRIP |
	    CTX_SPECIAL_WORD)))
		return 0;
	do {
		stage_next(c, st, whole, &s, &f);
		if (stage_span(c, st, &s, err) == -1)
			return -1;
		if (f.token != NULL && !s.bad &&
		    take_special(c, st, &s, &f, err) == -1)
			return -1;
		st->done = (size_t)(s.p - stage_base(st));
		if (s.bad && held_repair(c, st, st->done, whole, err) == -1)
			return -1;
	} while (s.bad || f.token != NULL);
	c->fed += s.n;
	stage_drop(c, st);
	return 0;
}

/* Count characters: bytes that do not continue one. */
static uint64_t
chars_count(const char *p, size_t len)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < len; i++)
		n += (signed char)p[i] > -65;
	return n;
}

/* Forget the text, which has ended or failed. */
static void
counter_reset(struct ctx_counter *c)
{
	c->state->cuts.n = c->state->cuts.skipped = 0;
	stage_reset(&c->state->stage[0]);
	stage_reset(&c->state->stage[1]);
	c->state->inside = 0;
	c->state->normal = (struct ctx_spnorm_text){ .m = &c->tok->spnorm };
	ctx_steps_reset(&c->state->steps);
	ctx_unigram_reset(&c->state->unigram);
	c->fed = c->chars = 0;
	c->writing = (struct ctx_writing){ 0 };
}

/* Append p[0 .. len), at most a slice, to the held text and count. */
static int
feed_slice(struct ctx_counter *c, const char *p, size_t len,
    struct ctx_err *err)
{
	if (ctx_tok_is_estimate(c->tok)) {
		c->chars += chars_count(p, len);
		return 0;
	}
	if (c->by_script)
		ctx_writing_feed(&c->writing, p, len);
	ctx_buf_add(&c->state->stage[0].held, p, len);
	if (ctx_buf_fail(&c->state->stage[0].held, err) == 0 &&
	    stage_count(c, &c->state->stage[0], 0, NULL, err) == 0)
		return 0;
	counter_reset(c);
	return -1;
}

int
ctx_counter_feed(struct ctx_counter *c, const char *part, size_t len,
    struct ctx_err *err)
{
	size_t n;

	for (; len > 0; part += n, len -= n) {
		n = len < CTX_COUNTER_SLICE ? len : CTX_COUNTER_SLICE;
		if (feed_slice(c, part, n, err) == -1)
			return -1;
	}
	return 0;
}

uint64_t
ctx_counter_scale(const struct ctx_counter *c, uint64_t n)
{
	return ctx_ratio_up(c->factor, n);
}

int
ctx_counter_end(struct ctx_counter *c, uint64_t *n, struct ctx_err *err)
{
	uint64_t count;
	int rc = 0;

	if (c->state->stage[0].held.len + c->state->stage[1].held.len > 0)
		rc = stage_count(c, &c->state->stage[0], 1, NULL, err);
	/*
	 * Characters / 2.5, rounded down, but at least 1 for a text that is
	 * not empty.
	 */
	count = c->chars == 0 ? c->fed : c->chars < 3 ? 1 : c->chars * 2 / 5;
	*n = c->by_script ? ctx_writing_tokens(&c->writing, count) :
	    ctx_counter_scale(c, count);
	counter_reset(c);
	return rc;
}

int
ctx_counter_text(struct ctx_counter *c, const char *text, size_t len,
    uint64_t *n, struct ctx_err *err)
{
	const uint8_t *p = (const uint8_t *)(len > 0 ? text : "");
	struct span s = { .p = p, .end = p + len, .whole = 1 };

	if (!ctx_tok_is_estimate(c->tok) && !c->tok->staged &&
	    ctx_counter_special_flags(c, &c->state->stage[0]) == 0) {
		if (span_count(c, &s, err) == -1) {
			counter_reset(c);
			return -1;
		}
		c->fed = s.n;
		if (c->by_script)
			ctx_writing_feed(&c->writing, text, (size_t)(s.p - p));
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
	char slice[CTX_COUNTER_SLICE];
	size_t used, got;

	if (memchr(s, '\\', len) == NULL)
		return ctx_counter_text(c, s, len, n, err);
	/* no text is longer than its spelling */
	if (len <= sizeof(slice) - CTX_UNESCAPE_ROOM) {
		got = ctx_unescape(slice, sizeof(slice), s, len, &used);
		return ctx_counter_text(c, slice, got, n, err);
	}
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
	int rc;

	if (ctx_tok_is_estimate(c->tok))
		return ctx_fail(err, CTX_EUSAGE, "encoding '%s' is an "
		    "estimate and has no tokens", ctx_tok_name(c->tok));
	ctx_buf_add(&c->state->stage[0].held, text, len);
	rc = ctx_buf_fail(&c->state->stage[0].held, err);
	if (rc == 0)
		rc = stage_count(c, &c->state->stage[0], 1, ids, err);
	counter_reset(c);
	return rc;
}
