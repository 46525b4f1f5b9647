/* SPDX-License-Identifier: MIT */
/* What is kept of two histories, to pair their messages; see match.h. */
#include "compare/match_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/utf8.h"
#include "read/spell.h"
#include "show/figure.h"

#define PRIME	2147483647u	/* 2^31 - 1 */
#define MOST	1000000000u	/* parts of a history, or of a message */

static const uint32_t base[2] = { 1580030173, 1188211781 };

/* --- sums -------------------------------------------------------------- */

static uint32_t
times(uint32_t a, uint32_t b)
{
	return (uint32_t)((uint64_t)a * b % PRIME);
}

/* A sum is a polynomial: this is what one before n more bytes is times. */
static void
set_powers(struct ctx_match_part *p)
{
	uint32_t i, n, power;

	for (i = 0; i < 2; i++) {
		p->power[i] = 1;
		power = base[i];
		for (n = p->marks; n > 0; n >>= 1, power = times(power, power))
			if (n & 1)
				p->power[i] = times(p->power[i], power);
	}
}

/* Set the sum of what is not white space in a text. */
static void
sum_text(struct ctx_match_part *to, struct ctx_str text)
{
	uint64_t a = 0, b = 0;
	unsigned char c;
	uint32_t i;

	for (i = 0; i < text.len; i++) {
		c = (unsigned char)text.p[i];
		if (c == ' ' || (c >= '\t' && c <= '\r'))
			continue;
		a = (a * base[0] + c + 1) % PRIME;
		b = (b * base[1] + c + 1) % PRIME;
		to->marks++;
	}
	to->sum[0] = (uint32_t)a;
	to->sum[1] = (uint32_t)b;
	set_powers(to);
}

void
ctx_match_sum_part(struct ctx_match_sum *s, const struct ctx_match_part *p)
{
	uint32_t i;

	for (i = 0; i < 2; i++)
		s->sum[i] = (uint32_t)((times(s->sum[i], p->power[i]) +
		    (uint64_t)p->sum[i]) % PRIME);
	s->marks += p->marks;
}

/* --- what a part is ---------------------------------------------------- */

static void
take_text(struct ctx_sha256 *sha, struct ctx_str s)
{
	unsigned char len[4] = { (unsigned char)(s.len >> 24),
	    (unsigned char)(s.len >> 16), (unsigned char)(s.len >> 8),
	    (unsigned char)s.len };

	ctx_sha256_update(sha, len, sizeof(len));
	ctx_sha256_update(sha, s.p, s.len);
}

/* A value of JSON, however it is spelled; without arguments it is {}. */
static int
take_json(struct ctx_matching *m, struct ctx_sha256 *sha, struct ctx_str json,
    struct ctx_err *err)
{
	static const char none[] = "{}";
	int is;

	if (json.p == NULL || ctx_str_blank(json))
		json = (struct ctx_str){ none, sizeof(none) - 1 };
	if ((is = ctx_doc_try(&m->doc, json.p, json.len)) == -1)
		return ctx_fail_nomem(err);
	if (is) {
		ctx_buf_reset(&m->word);
		ctx_spell_spaced(&m->word, json);
		if (ctx_buf_fail(&m->word, err) == -1)
			return -1;
		json = ctx_str_of(&m->word);
	}
	take_text(sha, json);
	return 0;
}

/* The number of s in a map, or CTX_NONE if there is no s; -1 with *err. */
static int
number(struct ctx_strmap *map, struct ctx_str s, uint32_t *n,
    struct ctx_err *err)
{
	size_t k;

	*n = CTX_NONE;
	if (s.p == NULL || s.len == 0)
		return 0;
	if ((k = ctx_strmap_add(map, s.p, s.len)) == CTX_STRMAP_FULL)
		return ctx_fail_nomem(err);
	*n = (uint32_t)k;
	return 0;
}

/* Set what the part is. */
static int
identify(struct ctx_matching *m, struct ctx_match_part *to,
    const struct ctx_shown *s, const struct ctx_shown_part *p,
    struct ctx_err *err)
{
	unsigned char head[3] = { (unsigned char)p->kind, 0, 0 };
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_sha256 sha;

	if (p->kind == CTX_TEXT)
		head[1] = (unsigned char)(1 + s->role);
	head[2] = (unsigned char)to->failed;
	ctx_sha256_init(&sha);
	ctx_sha256_update(&sha, head, sizeof(head));
	take_text(&sha, s->key);
	if (p->kind == CTX_CALL)
		take_text(&sha, p->name);
	if (p->kind == CTX_TEXT || p->kind == CTX_THINKING ||
	    p->kind == CTX_RESULT)
		take_text(&sha, p->text);
	else if (take_json(m, &sha, p->data.p != NULL ? p->data :
	    p->url.p != NULL ? p->url : p->text, err) == -1)
		return -1;
	ctx_sha256_final(&sha, digest);
	return number(&m->whats, (struct ctx_str){ (const char *)digest,
	    CTX_MATCH_DIGEST }, &to->what, err);
}

/* --- what is kept of it ------------------------------------------------ */

/* The longest beginning of at most n bytes that has whole characters. */
static uint32_t
cut(struct ctx_str s, uint32_t n)
{
	if (s.len <= n)
		return s.len;
	while (n > 0 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static void
keep(const struct ctx_matching *m, struct ctx_match_side *side,
    struct ctx_match_part *to, struct ctx_str text)
{
	to->at = side->text.len;
	to->len = text.len;
	if (m->whole || text.len <= CTX_MATCH_HEAD + CTX_MATCH_TAIL)
		ctx_buf_add(&side->text, text.p, text.len);
	else {
		ctx_buf_add(&side->text, text.p, cut(text, CTX_MATCH_HEAD));
		ctx_buf_add(&side->text, text.p + text.len - CTX_MATCH_TAIL,
		    CTX_MATCH_TAIL);
	}
	to->kept = (uint32_t)(side->text.len - to->at);
}

struct ctx_str
ctx_match_head(const struct ctx_match_side *s, const struct ctx_match_part *p)
{
	struct ctx_str text = { "", p->kept };

	if (p->kept > 0)
		text.p = s->text.data + p->at;
	text.len = p->len > p->kept ? p->kept - CTX_MATCH_TAIL :
	    cut(text, CTX_MATCH_HEAD);
	return text;
}

struct ctx_str
ctx_match_tail(const struct ctx_match_side *s, const struct ctx_match_part *p)
{
	uint32_t n = p->kept < CTX_MATCH_TAIL ? p->kept : CTX_MATCH_TAIL;

	if (n == 0)
		return (struct ctx_str){ "", 0 };
	return (struct ctx_str){ s->text.data + p->at + p->kept - n, n };
}

static int
add_part(struct ctx_matching *m, struct ctx_match_side *side,
    const struct ctx_shown *s, const struct ctx_shown_part *p,
    struct ctx_err *err)
{
	struct ctx_match_part *to;

	if (CTX_ROOM(side->part, side->npart, &side->cappart) == -1)
		return ctx_fail_nomem(err);
	to = &side->part[side->npart++];
	*to = (struct ctx_match_part){ .kind = p->kind, .role = s->role,
	    .failed = (p->flags & CTX_ERROR) != 0, .msg = side->nmsg - 1,
	    .key = side->msg[side->nmsg - 1].key,
	    .link = CTX_NONE, .mate = CTX_NONE };
	side->msg[side->nmsg - 1].npart++;
	if (number(&m->ids, p->id, &to->id, err) == -1 ||
	    number(&m->names, p->name, &to->name, err) == -1 ||
	    identify(m, to, s, p, err) == -1)
		return -1;
	to->nth = (uint32_t)(p - s->part);
	if (p->kind == CTX_IMAGE || p->kind == CTX_FILE) {
		ctx_buf_reset(&m->word);
		ctx_figure_words(&m->word, p);
		if (p->text.len > 0)
			ctx_buf_addc(&m->word, '\n');
		ctx_buf_add(&m->word, p->text.p, p->text.len);
		keep(m, side, to, ctx_str_of(&m->word));
		side->text.failed |= m->word.failed;
		if (p->text.p == NULL || p->flags & CTX_RAW)
			to->len = 0;
	} else
		keep(m, side, to, p->text);
	if (p->kind == CTX_TEXT || p->kind == CTX_THINKING)
		sum_text(to, p->text);
	return ctx_buf_fail(&side->text, err);
}

/* An empty text says nothing, unless the message has no other part. */
static int
is_void(const struct ctx_shown_part *p)
{
	return (p->kind == CTX_TEXT || p->kind == CTX_THINKING) &&
	    p->text.len == 0;
}

static int
add_parts(struct ctx_matching *m, struct ctx_match_side *side,
    const struct ctx_shown *s, struct ctx_err *err)
{
	static const struct ctx_shown_part none = { .kind = CTX_TEXT };
	size_t i;

	for (i = 0; i < s->npart; i++)
		if (!is_void(&s->part[i]) &&
		    add_part(m, side, s, &s->part[i], err) == -1)
			return -1;
	if (side->msg[side->nmsg - 1].npart == 0)
		return add_part(m, side, s, &none, err);
	return 0;
}

int
ctx_match_add(struct ctx_matching *m, int new, const struct ctx_shown *s,
    struct ctx_err *err)
{
	struct ctx_match_side *side = &m->side[new];
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_match_msg *msg;
	struct ctx_sha256 sha;

	if (side->npart >= MOST || s->npart >= MOST)
		return ctx_fail(err, CTX_EINPUT, "more than %u parts of "
		    "messages", MOST);
	if (CTX_ROOM(side->msg, side->nmsg, &side->capmsg) == -1)
		return ctx_fail_nomem(err);
	msg = &side->msg[side->nmsg];
	*msg = (struct ctx_match_msg){ .line = s->line, .nth = 1,
	    .conversation = s->conversation, .tokens = s->tokens,
	    .role = s->role, .flags = s->flags, .part = side->npart,
	    .added = side->nmsg };
	if (side->nmsg > 0 && msg[-1].line == s->line) {
		msg->nth = msg[-1].nth + 1;
		side->several = 1;
	}
	if (number(&m->keys, s->key, &msg->key, err) == -1)
		return -1;
	side->nmsg++;
	side->messages += !(s->flags & CTX_JOINED);
	side->tokens += s->tokens;
	ctx_sha256_init(&sha);
	ctx_sha256_update(&sha, s->json.p, s->json.len);
	ctx_sha256_final(&sha, digest);
	memcpy(msg->digest, digest, sizeof(msg->digest));
	return add_parts(m, side, s, err);
}

/* --- the whole --------------------------------------------------------- */

struct place {
	uint64_t conversation;
	uint32_t key, msg;
};

static int
compare_places(const void *a, const void *b)
{
	const struct place *p = a, *q = b;

	if (p->key != q->key)
		return p->key < q->key ? -1 : 1;
	if (p->conversation != q->conversation)
		return p->conversation < q->conversation ? -1 : 1;
	return p->msg < q->msg ? -1 : p->msg > q->msg;
}

/*
 * List the messages by conversations, so that those that run side by side in a
 * stream do not matter to each other; by keys, which both histories share.
 * Returns 1 if that is another order, 0 if not, or -1 with *err.
 */
static int
gather(struct ctx_match_side *s, struct ctx_err *err)
{
	struct place *place = calloc((size_t)s->nmsg + 1, sizeof(*place));
	uint32_t i;
	int other = 0;

	s->list = calloc((size_t)s->nmsg + 1, sizeof(*s->list));
	if (place == NULL || s->list == NULL) {
		free(place);
		return ctx_fail_nomem(err);
	}
	for (i = 0; i < s->nmsg; i++) {
		place[i] = (struct place){ s->msg[i].conversation,
		    s->msg[i].key, i };
		other |= i > 0 && compare_places(&place[i - 1],
		    &place[i]) > 0;
	}
	if (other)
		qsort(place, s->nmsg, sizeof(*place), compare_places);
	for (i = 0; i < s->nmsg; i++)
		s->list[i] = place[i].msg;
	free(place);
	return other;
}

/* Copy messages and parts in the order of the list. */
static int
reorder(struct ctx_match_side *s, struct ctx_err *err)
{
	struct ctx_match_part *part = calloc((size_t)s->npart + 1,
	    sizeof(*part));
	struct ctx_match_msg *msg = calloc((size_t)s->nmsg + 1, sizeof(*msg));
	uint32_t i, k, n = 0;

	if (part == NULL || msg == NULL) {
		free(part);
		free(msg);
		return ctx_fail_nomem(err);
	}
	for (i = 0; i < s->nmsg; i++) {
		msg[i] = s->msg[s->list[i]];
		for (k = 0; k < msg[i].npart; k++) {
			part[n + k] = s->part[msg[i].part + k];
			part[n + k].msg = i;
		}
		msg[i].part = n;
		n += msg[i].npart;
	}
	free(s->msg);
	free(s->part);
	s->msg = msg;
	s->part = part;
	return 0;
}

int
ctx_match_end(struct ctx_matching *m, struct ctx_err *err)
{
	int new, rc;

	for (new = 0; new < 2; new++) {
		struct ctx_match_side *s = &m->side[new];

		if ((rc = gather(s, err)) == -1 ||
		    (rc == 1 && reorder(s, err) == -1))
			return -1;
		free(s->list);
		s->list = NULL;
	}
	return ctx_match_parts(m, err) == -1 ? -1 : ctx_match_units(m, err);
}

void
ctx_match_done(struct ctx_matching *m)
{
	int new;

	for (new = 0; new < 2; new++) {
		free(m->side[new].msg);
		free(m->side[new].part);
		free(m->side[new].list);
		ctx_buf_done(&m->side[new].text);
	}
	ctx_strmap_done(&m->whats);
	ctx_strmap_done(&m->ids);
	ctx_strmap_done(&m->names);
	ctx_strmap_done(&m->keys);
	ctx_doc_done(&m->doc);
	ctx_buf_done(&m->word);
	free(m->unit);
	memset(m, 0, sizeof(*m));
}
