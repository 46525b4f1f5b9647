/* SPDX-License-Identifier: MIT */
/* Who sent a text first; see refs.h. */
#include "decide/refs.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "text/marker.h"

struct ctx_refs_text {
	uint64_t no;
	uint64_t digest;
	uint64_t chars;		/* known once there is a digest */
	struct ctx_str s;	/* its p is NULL if the record must be asked
				   for */
	size_t off;		/* then the text is at this offset of its
				   record */
};

void
ctx_refs_done(struct ctx_refs *r)
{
	free(r->text);
	free(r->slot);
	ctx_buf_done(&r->decoded);
	memset(r, 0, sizeof(*r));
}

void
ctx_refs_reset(struct ctx_refs *r)
{
	r->n = r->hashed = 0;
	if (r->nslot > 0)
		memset(r->slot, 0, r->nslot * sizeof(*r->slot));
}

int
ctx_refs_parse(struct ctx_str s, struct ctx_refs_key *ref)
{
	static const char hex[] = "0123456789abcdef";
	struct ctx_marker_said said;
	const char *p;
	uint32_t i;

	/* in every language it begins with a bracket */
	if (s.len == 0 || (*s.p != '[' && *s.p != '\\') ||
	    ctx_marker_at(CTX_MARKER_COPY, s, 0, &said) != s.len)
		return 0;
	ref->digest = 0;
	ref->chars = said.n;
	for (i = 0; i < said.word.len; i++) {
		if ((p = memchr(hex, said.word.p[i], 16)) == NULL)
			return 0;
		ref->digest = ref->digest << 4 | (uint64_t)(p - hex);
	}
	return 1;
}

/* The slot of that digest: the one in use, or a free one. */
static uint32_t *
slot_of(const struct ctx_refs *r, uint64_t digest, uint64_t chars)
{
	size_t i = (size_t)digest & (r->nslot - 1);
	const struct ctx_refs_text *t;

	for (; r->slot[i] != 0; i = (i + 1) & (r->nslot - 1)) {
		t = &r->text[r->slot[i] - 1];
		if (t->digest == digest && t->chars == chars)
			break;
	}
	return &r->slot[i];
}

/* Put text i into its slot; of equal texts the first is kept. */
static void
enter(struct ctx_refs *r, size_t i)
{
	uint32_t *slot = slot_of(r, r->text[i].digest, r->text[i].chars);

	if (*slot == 0)
		*slot = (uint32_t)i + 1;
}

static int
room_for_slots(struct ctx_refs *r)
{
	size_t i, n = r->nslot > 0 ? r->nslot : 64;
	uint32_t *slot;

	while (n < 2 * r->n)
		n *= 2;
	if (n == r->nslot)
		return 0;
	if ((slot = calloc(n, sizeof(*slot))) == NULL)
		return -1;
	free(r->slot);
	r->slot = slot;
	r->nslot = n;
	for (i = 0; i < r->hashed; i++)
		enter(r, i);
	return 0;
}

int
ctx_refs_settle(struct ctx_refs *r, struct ctx_err *err)
{
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_refs_text *t;
	struct ctx_sha256 sha;
	struct ctx_str s;
	int i;

	if (room_for_slots(r) == -1)
		return ctx_fail_nomem(err);
	for (; r->hashed < r->n; r->hashed++) {
		t = &r->text[r->hashed];
		s = t->s;
		if (s.p == NULL) {
			if ((s.p = r->record(r->arg, t->no, err)) == NULL)
				return -1;
			s.p += t->off;
		}
		ctx_buf_reset(&r->decoded);
		if (ctx_str_decode(&r->decoded, s.p, s.len) == -1)
			return ctx_fail_nomem(err);
		ctx_sha256_init(&sha);
		ctx_sha256_update(&sha, r->decoded.data, r->decoded.len);
		ctx_sha256_final(&sha, digest);
		for (t->digest = 0, i = 0; i < 8; i++)
			t->digest = t->digest << 8 | digest[i];
		t->chars = ctx_str_chars(s.p, s.len);
		enter(r, r->hashed);
	}
	return 0;
}

/* Add a text, which is at s or, if s.p is NULL, at off in its record. */
static int
add(struct ctx_refs *r, uint64_t no, struct ctx_str s, size_t off,
    struct ctx_err *err)
{
	if (s.len < CTX_REFS_MIN || r->n >= UINT32_MAX)
		return 0;
	if (CTX_ROOM(r->text, r->n, &r->cap) == -1)
		return ctx_fail_nomem(err);
	r->text[r->n++] = (struct ctx_refs_text){ .no = no, .s = s,
	    .off = off };
	return 0;
}

int
ctx_refs_add(struct ctx_refs *r, uint64_t no, struct ctx_str s,
    struct ctx_err *err)
{
	return s.p == NULL ? 0 : add(r, no, s, 0, err);
}

int
ctx_refs_find(struct ctx_refs *r, const struct ctx_refs_key *ref, uint64_t *no,
    struct ctx_err *err)
{
	uint32_t *slot;

	if (ctx_refs_settle(r, err) == -1)
		return -1;
	slot = slot_of(r, ref->digest, ref->chars);
	if (*slot == 0)
		return 0;
	*no = r->text[*slot - 1].no;
	return 1;
}

static int
refers(struct ctx_refs *r, const struct ctx_refs_key *ref, ctx_refs_fn *fn,
    void *arg, struct ctx_err *err)
{
	uint64_t to = CTX_REFS_GONE;

	if (ctx_refs_find(r, ref, &to, err) == -1)
		return -1;
	return fn(arg, to, err);
}

/* Add a text of what is held, which currently begins at old. */
static int
sends(struct ctx_refs *r, const struct ctx_refs_sent *sent, struct ctx_str s,
    const char *old, struct ctx_err *err)
{
	size_t off = (size_t)(s.p - old);

	s.p = r->record != NULL ? NULL : sent->raw + off;
	return add(r, sent->no, s, off, err);
}

/* The text of part i that others may refer to, or that may be a reference. */
static inline struct ctx_str
text_of(const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];

	if ((p->kind != CTX_TEXT && p->kind != CTX_RESULT) ||
	    p->flags & CTX_RAW)
		return (struct ctx_str){ NULL, 0 };
	return ctx_part_text(c, i);
}

int
ctx_refs_any(const struct ctx_convo *c)
{
	struct ctx_refs_key ref;
	uint32_t i;

	for (i = 0; i < c->npart; i++)
		if (ctx_refs_parse(text_of(c, i), &ref))
			return 1;
	return 0;
}

int
ctx_refs_scan(struct ctx_refs *r, const struct ctx_refs_sent *sent,
    ctx_refs_fn *fn, void *arg, struct ctx_err *err)
{
	const struct ctx_convo *c = sent->c;
	const char *old;
	struct ctx_refs_key ref;
	struct ctx_str s;
	uint32_t i;
	int rc = 0;

	if (sent->m >= sent->end)
		return 0;
	old = c->rec[c->msg[sent->m].rec].raw + sent->skip;
	for (i = c->msg[sent->m].part; i < c->npart && rc == 0; i++) {
		if (c->part[i].msg >= sent->end)
			break;
		s = text_of(c, i);
		if (ctx_refs_parse(s, &ref))
			rc = refers(r, &ref, fn, arg, err);
		else if (s.p != NULL)
			rc = sends(r, sent, s, old, err);
	}
	return rc;
}

void
ctx_refs_prune(struct ctx_refs *r, int (*alive)(uint64_t no, const void *arg),
    const void *arg)
{
	size_t i, n = 0, hashed = 0;

	for (i = 0; i < r->n; i++) {
		if (!alive(r->text[i].no, arg))
			continue;
		hashed += i < r->hashed;
		r->text[n++] = r->text[i];
	}
	if (n == r->n)
		return;
	r->n = n;
	r->hashed = hashed;
	if (r->nslot > 0)
		memset(r->slot, 0, r->nslot * sizeof(*r->slot));
	for (i = 0; i < hashed; i++)
		enter(r, i);
}
