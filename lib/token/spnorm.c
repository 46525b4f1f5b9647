/* SPDX-License-Identifier: MIT */
/*
 * As sentencepiece's normalizer.cc does it.  The state between two parts of a
 * text is what its loop has in variables, and the spaces at the end, which it
 * removes when the text has ended.
 */
#include "token/spnorm.h"

#include <string.h>

#include "base/utf8.h"

/* Is the character a token, or a text that others are searched for? */
static int
is_token(const struct ctx_table *t, const uint8_t *p, size_t n)
{
	int open;

	return ctx_table_find(t, p, n) != CTX_ID_MAX ||
	    ctx_trie_longest(&t->user, p, n, &open) == n;
}

int
ctx_spnorm_open(struct ctx_spnorm *m, const struct ctx_table *t,
    struct ctx_err *err)
{
	const struct ctx_table_section *s = &t->head->section[CTX_SEC_CHARSMAP];
	unsigned c;
	uint8_t byte;

	memset(m, 0, sizeof(*m));
	m->norm = t->head->norm;
	m->table = t;
	if (!ctx_charsmap_open(&m->map, (const char *)t->head + s->off,
	    (size_t)s->len))
		return ctx_fail(err, CTX_ESYSTEM,
		    "vocabulary %s: its charsmap is damaged", t->head->name);
	for (c = 0; c < 128; c++) {
		byte = (uint8_t)c;
		m->known[c] = is_token(t, &byte, 1);
	}
	return 0;
}

/* A part of the text, and what replaces it. */
struct part {
	size_t len;
	const char *to;
	size_t tolen;
	int open;		/* more text may change this */
};

/* The part at p, where n > 0 bytes are left. */
static void
next_part(const struct ctx_spnorm *m, const uint8_t *p, size_t n,
    struct part *x)
{
	int open;

	x->len = ctx_trie_longest(&m->table->user, p, n, &x->open);
	if (x->len == 0) {
		x->len = ctx_charsmap_find(&m->map, p, n, &x->to, &x->tolen,
		    &open);
		x->open |= open;
		if (x->len > 0)
			return;
		x->len = ctx_utf8_step((const char *)p, n, &(uint32_t){ 0 });
		x->len += x->len == 0;
	}
	x->to = (const char *)p;
	x->tolen = x->len;
}

/* Add bytes that are not spaces, after the spaces that are due. */
static void
add_bytes(struct ctx_spnorm_text *x, struct ctx_buf *out, const char *s,
    size_t n)
{
	for (; x->spaces > 0; x->spaces--)
		ctx_buf_addc(out, ' ');
	ctx_buf_add(out, s, n);
	x->unknown = 0;
}

static void
add_space(const struct ctx_spnorm *m, struct ctx_spnorm_text *x,
    struct ctx_buf *out)
{
	if (m->norm & CTX_NORM_TRIM)
		x->spaces++;
	else
		add_bytes(x, out, " ", 1);
}

static int
is_known(const struct ctx_spnorm *m, const char *s, size_t n)
{
	return n == 1 ? m->known[*s & 127] :
	    is_token(m->table, (const uint8_t *)s, n);
}

/* Add one character that is not a space. */
static void
add_char(const struct ctx_spnorm *m, struct ctx_spnorm_text *x,
    struct ctx_buf *out, const char *s, size_t n)
{
	if (!(m->norm & CTX_NORM_UNKNOWN) || is_known(m, s, n)) {
		add_bytes(x, out, s, n);
		return;
	}
	if (!x->unknown || x->spaces > 0)
		add_bytes(x, out, CTX_SPNORM_UNKNOWN,
		    sizeof(CTX_SPNORM_UNKNOWN) - 1);
	x->unknown = 1;
}

/* Add what replaces a part. */
static void
add_part(const struct ctx_spnorm *m, struct ctx_spnorm_text *x,
    struct ctx_buf *out, const char *s, size_t n)
{
	uint32_t cp;
	size_t k;

	while (x->space && n > 0 && *s == ' ') {
		s++;
		n--;
	}
	if (n > 0)
		x->space = s[n - 1] == ' ' && m->norm & CTX_NORM_TRIM;
	for (; n > 0; s += k, n -= k) {
		k = ctx_utf8_step(s, n, &cp);
		k += k == 0;
		if (*s == ' ' || (k == 3 && cp == 0x2581 &&
		    m->norm & CTX_NORM_SPACE))
			add_space(m, x, out);
		else
			add_char(m, x, out, s, k);
	}
}

/* The first part that is not a space begins the text. */
static int
begin(const struct ctx_spnorm *m, struct ctx_spnorm_text *x,
    struct ctx_buf *out, const struct part *part)
{
	if (m->norm & CTX_NORM_TRIM && part->tolen == 1 && *part->to == ' ')
		return 0;
	x->begun = 1;
	if (m->norm & CTX_NORM_PREPEND)
		add_space(m, x, out);
	x->space = (m->norm & CTX_NORM_TRIM) != 0;
	return 1;
}

/* The number of letters and the like at p that stay what they are. */
static size_t
plain_run(const struct ctx_spnorm *m, const uint8_t *p, size_t n)
{
	size_t i = 0;

	/* What follows the last one may be no ASCII. */
	while (i < n && p[i] < 0x80 && p[i] != ' ' && m->map.plain[p[i]])
		i++;
	return i < n && p[i] < 0x80 ? i : i > 0 ? i - 1 : 0;
}

int
ctx_spnorm_append(struct ctx_spnorm_text *x, struct ctx_buf *out,
    const uint8_t *p, size_t *len, int whole, struct ctx_err *err)
{
	const struct ctx_spnorm *m = x->m;
	int fast = m->table->user.unit == NULL &&
	    !(m->norm & CTX_NORM_UNKNOWN);
	size_t at, n;
	struct part part;

	for (at = 0; at < *len; at += n) {
		n = fast && x->begun ? plain_run(m, p + at, *len - at) : 0;
		if (n > 0) {
			add_bytes(x, out, (const char *)p + at, n);
			x->space = 0;
			continue;
		}
		next_part(m, p + at, *len - at, &part);
		if (part.open && !whole)
			break;
		n = part.len;
		if (x->begun || begin(m, x, out, &part))
			add_part(m, x, out, part.to, part.tolen);
	}
	*len = at;
	if (whole)
		*x = (struct ctx_spnorm_text){ .m = m };
	return ctx_buf_fail(out, err);
}
