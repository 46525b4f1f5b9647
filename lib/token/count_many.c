/* SPDX-License-Identifier: MIT */
/* Counting many strings at once; see count.h. */
#include <string.h>

#include "token/count_impl.h"
#include "token/unescape.h"

#define SLICE	CTX_COUNTER_SLICE
#define MANY	64	/* texts to be counted together */

/* Texts whose pieces are cut, but not yet counted. */
struct many {
	struct ctx_cache_text text[MANY];
	unsigned n;
	char slice[SLICE];	/* those that had escapes */
	size_t used;
	int bad;		/* one is not UTF-8 */
};

static int
many_count(struct ctx_counter *c, struct many *m, struct ctx_err *err)
{
	struct ctx_chops *cuts = &c->state->cuts;
	int rc = m->n == 0 ? 0 : ctx_cache_count(&c->state->cache, cuts,
	    m->text, m->n, err);

	m->n = cuts->n = cuts->skipped = 0;
	return rc;
}

/* Cut a text, and count what there is no room for. */
static int
many_cut(struct ctx_counter *c, struct many *m, const char *text, size_t len,
    uint64_t *n, struct ctx_err *err)
{
	const uint8_t *p = (const uint8_t *)text, *end = p + len;
	struct ctx_chops *cuts = &c->state->cuts;
	unsigned skipped;

	cuts->rest = NULL;
	cuts->skip = 1;
	while (p < end && !m->bad) {
		if ((m->n == MANY || cuts->n >= CTX_CHOP_MAX) &&
		    many_count(c, m, err) == -1)
			return -1;
		skipped = cuts->skipped;
		c->state->cut(cuts, p, end, 1, c->tok->split,
		    c->tok->table.cross);
		*n += cuts->skipped - skipped;
		m->text[m->n++] = (struct ctx_cache_text){ cuts->n, end, n };
		p = cuts->next;
		m->bad = cuts->met != 0;
	}
	return 0;
}

/* Count the parts of a text that is longer than a slice. */
static int
many_long(struct ctx_counter *c, const struct ctx_counted *t, uint64_t *n,
    struct ctx_err *err)
{
	const struct ctx_ratio factor = c->factor;
	int rc;

	c->factor = (struct ctx_ratio){ 1, 1 };
	rc = ctx_counter_json(c, t->s, t->len, n, err);
	c->factor = factor;
	return rc;
}

static int
many_add(struct ctx_counter *c, struct many *m, struct ctx_counted *t,
    struct ctx_err *err)
{
	size_t room = t->len + CTX_UNESCAPE_ROOM, used, len;

	t->n = 0;
	if (t->len == 0)
		return 0;
	if (memchr(t->s, '\\', t->len) == NULL)
		return many_cut(c, m, t->s, t->len, &t->n, err);
	if (room > SLICE - m->used) {
		if (many_count(c, m, err) == -1)
			return -1;
		ctx_cache_flush(&c->state->cache);
		m->used = 0;
	}
	if (room > SLICE)
		return many_long(c, t, &t->n, err);
	len = ctx_unescape(m->slice + m->used, SLICE - m->used, t->s, t->len,
	    &used);
	m->used += len;
	return many_cut(c, m, m->slice + m->used - len, len, &t->n, err);
}

/* Are texts cut and their pieces counted, and nothing else? */
static int
only_pieces(const struct ctx_counter *c)
{
	return !ctx_tok_is_estimate(c->tok) && !c->tok->staged &&
	    !c->by_script && c->tok->pattern == NULL &&
	    !(c->tok->table.head->flags & CTX_TABLE_UNIGRAM) &&
	    ctx_counter_special_flags(c, &c->state->stage[0]) == 0;
}

int
ctx_counter_json_all(struct ctx_counter *c, struct ctx_counted *of, size_t n,
    struct ctx_err *err)
{
	struct many m;
	size_t i;
	int rc = 0;

	m.n = 0;
	m.used = 0;
	m.bad = !only_pieces(c);
	for (i = 0; rc == 0 && !m.bad && i < n; i++)
		rc = many_add(c, &m, &of[i], err);
	if (rc == 0)
		rc = many_count(c, &m, err);
	if (c->state->cache.nmiss > 0)
		ctx_cache_flush(&c->state->cache);
	for (i = 0; rc == 0 && i < n; i++) {
		if (!m.bad)
			of[i].n = ctx_counter_scale(c, of[i].n);
		else
			rc = ctx_counter_json(c, of[i].s, of[i].len, &of[i].n,
			    err);
	}
	return rc;
}
