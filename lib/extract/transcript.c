/* SPDX-License-Identifier: MIT */
/* A conversation as text, in pieces; see transcript.h. */
#include "extract/transcript.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define LINE_MORE 8	/* approximate tokens of a line's name */
#define RESULT_KEPT 200	/* approximate tokens that a shortened result keeps */
#define ROOM_MIN 64	/* the least size of a piece */

static int
add_segment(struct ctx_transcript *t, const struct ctx_segment *s,
    struct ctx_err *err)
{
	if (CTX_ROOM(t->seg, t->nseg, &t->cap) == -1)
		return ctx_fail_nomem(err);
	t->seg[t->nseg++] = *s;
	return 0;
}

static int
begin_piece(struct ctx_transcript *t, struct ctx_err *err)
{
	if (CTX_ROOM(t->piece, t->npiece + 1, &t->cappiece) == -1)
		return ctx_fail_nomem(err);
	t->piece[t->npiece++] = t->nseg;
	return 0;
}

static int
cost_of(const struct ctx_extract *x, const char *p, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	if (x->cost(x->arg, p, len, n, err) == -1)
		return -1;
	*n += LINE_MORE;
	return 0;
}

/*
 * Cut segment s, whose text begins at p, to a beginning that costs at most max.
 * The length is found by proportion, so that the text is not counted many
 * times.
 */
static int
cut_to(struct ctx_segment *s, const struct ctx_extract *x, const char *p,
    uint64_t max, struct ctx_err *err)
{
	uint64_t cost = s->cost;
	size_t n = s->len, cut;

	while (cost > max && n > 1) {
		/* n * max / cost, computed without overflow */
		cut = (size_t)((n / cost * max + n % cost * max / cost) *
		    95 / 100);
		n = cut > 0 ? cut : 1;
		while (n > 1 && ((unsigned char)p[n] & 0xc0) == 0x80)
			n--;
		if (cost_of(x, p, n, &cost, err) == -1)
			return -1;
	}
	s->len = n;
	s->cost = cost;
	return 0;
}

/* Shorten results, the oldest first but never the newest, until all fits. */
static int
shorten(struct ctx_segment *seg, size_t n, const struct ctx_talk *said,
    const struct ctx_extract *x, uint64_t *total, struct ctx_err *err)
{
	size_t i, newest = n;
	uint64_t was;

	for (i = 0; i < n; i++)
		if (said[seg[i].said].kind == CTX_TALK_RESULT)
			newest = i;
	for (i = 0; i < newest && i < n && *total > x->budget; i++) {
		if (said[seg[i].said].kind != CTX_TALK_RESULT ||
		    seg[i].cost <= 2 * RESULT_KEPT)
			continue;
		was = seg[i].cost;
		if (cut_to(&seg[i], x, said[seg[i].said].text, RESULT_KEPT,
		    err) == -1)
			return -1;
		*total -= was - seg[i].cost;
		seg[i].cut = 1;
	}
	return 0;
}

/* Put one segment into pieces, cutting it if it is longer than a piece. */
static int
place(struct ctx_transcript *t, struct ctx_segment s,
    const struct ctx_extract *x, uint64_t room, uint64_t *used,
    struct ctx_err *err)
{
	struct ctx_segment head;

	while (s.cost > room) {
		if (*used > 0 && begin_piece(t, err) == -1)
			return -1;
		head = s;
		if (cut_to(&head, x, t->said[s.said].text + s.off, room,
		    err) == -1)
			return -1;
		head.cut = 0;
		if (add_segment(t, &head, err) == -1)
			return -1;
		*used = room;
		s.off += head.len;
		s.len -= head.len;
		if (s.len == 0)
			return 0;
		/* exact enough; counting again would be slow */
		s.cost = s.cost > head.cost ? s.cost - head.cost + LINE_MORE :
		    LINE_MORE;
	}
	if (*used + s.cost > room) {
		if (begin_piece(t, err) == -1)
			return -1;
		*used = 0;
	}
	*used += s.cost;
	return add_segment(t, &s, err);
}

int
ctx_transcript_plan(struct ctx_transcript *t, const struct ctx_talk *said,
    size_t n, const struct ctx_extract *x, struct ctx_err *err)
{
	uint64_t room = x->budget < ROOM_MIN ? ROOM_MIN : x->budget;
	struct ctx_segment *whole;
	uint64_t total = 0, used = 0;
	size_t i, k = 0;
	int rc = -1;

	t->said = said;
	t->nseg = t->npiece = 0;
	if ((whole = calloc(n + 1, sizeof(*whole))) == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < n; i++) {
		if (said[i].kind == CTX_TALK_SUMMARY)
			continue;
		whole[k].said = i;
		whole[k].len = said[i].len;
		if (cost_of(x, said[i].text, said[i].len, &whole[k].cost,
		    err) == -1)
			goto out;
		total += whole[k++].cost;
	}
	if (shorten(whole, k, said, x, &total, err) == -1 ||
	    begin_piece(t, err) == -1)
		goto out;
	for (i = 0; i < k; i++)
		if (place(t, whole[i], x, room, &used, err) == -1)
			goto out;
	t->piece[t->npiece] = t->nseg;
	t->cost = total;
	rc = 0;
out:
	free(whole);
	return rc;
}

static void
name_line(const struct ctx_talk *s, struct ctx_buf *out)
{
	switch (s->kind) {
	case CTX_TALK_USER:
		ctx_buf_adds(out, "USER: ");
		break;
	case CTX_TALK_CALL:
		ctx_buf_adds(out, "ASSISTANT [");
		ctx_buf_add(out, s->tool, s->toollen);
		ctx_buf_adds(out, "]: ");
		break;
	case CTX_TALK_RESULT:
		ctx_buf_adds(out, "TOOL ");
		ctx_buf_add(out, s->tool, s->toollen);
		ctx_buf_adds(out, ": ");
		break;
	default:
		ctx_buf_adds(out, "ASSISTANT: ");
		break;
	}
}

int
ctx_transcript_text(const struct ctx_transcript *t, size_t k,
    struct ctx_buf *out, struct ctx_err *err)
{
	const struct ctx_segment *g;
	const struct ctx_talk *s;
	size_t i;

	for (i = t->piece[k]; i < t->piece[k + 1]; i++) {
		g = &t->seg[i];
		s = &t->said[g->said];
		name_line(s, out);
		ctx_buf_add(out, s->text + g->off, g->len);
		if (g->cut)
			ctx_buf_addf(out, "\n... (truncated, %zu chars total)",
			    ctx_utf8_count(s->text, s->len));
		ctx_buf_addc(out, '\n');
	}
	return ctx_buf_fail(out, err);
}

void
ctx_transcript_done(struct ctx_transcript *t)
{
	free(t->seg);
	free(t->piece);
	memset(t, 0, sizeof(*t));
}
