/* SPDX-License-Identifier: MIT */
/*
 * Text is copied as long as its characters are safe, which means that the form
 * leaves them alone and they combine with nothing before them.  A segment
 * begins at the last character before the first unsafe one, and ends where text
 * may be cut.  It is decomposed, put in canonical order and, for the composed
 * forms, recomposed.
 */
#include "base/unorm.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Properties that many characters share.  A form's bit is 1 << (form - 1). */
struct unorm_record {
	uint8_t order;		/* canonical combining class */
	uint8_t safe;		/* forms that it is safe in */
	uint8_t border;		/* forms for which text may be cut before the
				   character */
};

/*
 * The decomposition of a character, in unorm_points.  If canon_len is 0 it has
 * no canonical one.
 */
struct unorm_parts {
	uint32_t cp;
	uint16_t canon;
	uint16_t canon_len;
	uint16_t compat;
	uint16_t compat_len;
};

struct unorm_pair {
	uint32_t first;
	uint32_t second;
	uint32_t whole;
};

#include "base/unorm_data.inc"

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

/* Hangul syllables are computed. */
#define S_BASE	0xac00u
#define L_BASE	0x1100u
#define V_BASE	0x1161u
#define T_BASE	0x11a7u
#define L_COUNT	19u
#define V_COUNT	21u
#define T_COUNT	28u
#define S_COUNT	(L_COUNT * V_COUNT * T_COUNT)

/*
 * A character of a segment: the code point, with its class in the low 8 bits.
 */
#define ITEM(cp, order)	((cp) << 8 | (order))
#define SMALL	64

struct segment {
	uint32_t *item;
	size_t n;
	size_t cap;
	uint32_t small[SMALL];	/* enough for most segments */
};

static const struct unorm_record *
record(uint32_t cp)
{
	return &unorm_record[unorm_kind[unorm_block[cp >> 7]][cp & 127]];
}

static int
put_item(struct segment *s, uint32_t cp)
{
	uint32_t *more;
	size_t cap;

	if (s->n == s->cap) {
		cap = 2 * s->cap;
		more = realloc(s->item == s->small ? NULL : s->item,
		    cap * sizeof(*more));
		if (more == NULL)
			return -1;
		if (s->item == s->small)
			memcpy(more, s->small, sizeof(s->small));
		s->item = more;
		s->cap = cap;
	}
	s->item[s->n++] = ITEM(cp, record(cp)->order);
	return 0;
}

/* Append the full decomposition of cp. */
static int
put_parts(struct segment *s, uint32_t cp, int compat)
{
	const struct unorm_parts *p = NULL;
	size_t lo = 0, hi = COUNT(unorm_parts), mid;
	uint32_t i, from, n;

	if (cp - S_BASE < S_COUNT) {
		i = cp - S_BASE;
		if (put_item(s, L_BASE + i / (V_COUNT * T_COUNT)) == -1 ||
		    put_item(s, V_BASE + i / T_COUNT % V_COUNT) == -1)
			return -1;
		return i % T_COUNT == 0 ? 0 : put_item(s, T_BASE + i % T_COUNT);
	}
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (unorm_parts[mid].cp < cp)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < COUNT(unorm_parts) && unorm_parts[lo].cp == cp)
		p = &unorm_parts[lo];
	if (p == NULL || (!compat && p->canon_len == 0))
		return put_item(s, cp);
	from = compat ? p->compat : p->canon;
	n = compat ? p->compat_len : p->canon_len;
	for (i = 0; i < n; i++)
		if (put_item(s, unorm_points[from + i]) == -1)
			return -1;
	return 0;
}

/* Sort a run of marks by class, keeping the order within a class. */
static int
sort_run(uint32_t *item, size_t n)
{
	size_t at[256] = { 0 }, i, k, sum = 0;
	uint32_t x, *copy;

	if (n <= 16) {
		for (i = 1; i < n; i++) {
			x = item[i];
			for (k = i; k > 0 && (item[k - 1] & 255) > (x & 255);
			    k--)
				item[k] = item[k - 1];
			item[k] = x;
		}
		return 0;
	}
	if ((copy = malloc(n * sizeof(*copy))) == NULL)
		return -1;
	for (i = 0; i < n; i++)
		at[item[i] & 255]++;
	for (i = 0; i < 256; i++) {
		sum += at[i];
		at[i] = sum - at[i];
	}
	memcpy(copy, item, n * sizeof(*copy));
	for (i = 0; i < n; i++)
		item[at[copy[i] & 255]++] = copy[i];
	free(copy);
	return 0;
}

static int
sort_marks(struct segment *s)
{
	size_t i, from;

	for (i = 0; i < s->n; i++) {
		for (from = i; i < s->n && (s->item[i] & 255) != 0; i++)
			;
		if (i - from > 1 && sort_run(s->item + from, i - from) == -1)
			return -1;
	}
	return 0;
}

/* The character that the two compose to, or 0. */
static uint32_t
join(uint32_t a, uint32_t b)
{
	size_t lo = 0, hi = COUNT(unorm_pair), mid;

	if (a - L_BASE < L_COUNT && b - V_BASE < V_COUNT)
		return S_BASE + ((a - L_BASE) * V_COUNT + b - V_BASE) * T_COUNT;
	if (a - S_BASE < S_COUNT && (a - S_BASE) % T_COUNT == 0 &&
	    b > T_BASE && b - T_BASE < T_COUNT)
		return a + b - T_BASE;
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (unorm_pair[mid].first < a || (unorm_pair[mid].first == a &&
		    unorm_pair[mid].second < b))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == COUNT(unorm_pair) || unorm_pair[lo].first != a ||
	    unorm_pair[lo].second != b)
		return 0;
	return unorm_pair[lo].whole;
}

/* Compose the characters that combine. */
static void
compose(struct segment *s)
{
	size_t i, n = 0, starter = SIZE_MAX;
	uint32_t order, last = 0, whole;

	for (i = 0; i < s->n; i++) {
		order = s->item[i] & 255;
		/* blocked by a character of this class or a higher one */
		if (starter != SIZE_MAX && (n == starter + 1 || (last != 0 &&
		    last < order))) {
			whole = join(s->item[starter] >> 8, s->item[i] >> 8);
			if (whole != 0) {
				s->item[starter] = ITEM(whole, 0);
				continue;
			}
		}
		if (order == 0)
			starter = n;
		last = order;
		s->item[n++] = s->item[i];
	}
	s->n = n;
}

/* Append the normalized form of segment p[0 .. len). */
static int
segment_append(enum ctx_unorm form, struct ctx_buf *out, const uint8_t *p,
    size_t len, struct ctx_err *err)
{
	struct segment s = { .item = s.small, .cap = SMALL };
	int compat = form == CTX_UNORM_NFKC || form == CTX_UNORM_NFKD, rc = 0;
	char text[4];
	uint32_t cp = 0;
	size_t i, n;

	for (i = 0; i < len && rc == 0; i += n) {
		n = ctx_utf8_step((const char *)p + i, len - i, &cp);
		if (n == 0)
			break;
		rc = put_parts(&s, cp, compat);
	}
	if (rc == 0)
		rc = sort_marks(&s);
	if (form == CTX_UNORM_NFC || form == CTX_UNORM_NFKC)
		compose(&s);
	for (i = 0; i < s.n && rc == 0; i++)
		ctx_buf_add(out, text, ctx_utf8_put(text, s.item[i] >> 8));
	if (s.item != s.small)
		free(s.item);
	return rc == -1 ? ctx_fail_nomem(err) : ctx_buf_fail(out, err);
}

/* Set *cp to the code point at p, which is valid UTF-8.  Returns its length. */
static inline size_t
point_at(const uint8_t *p, uint32_t *cp)
{
	if (p[0] < 0xe0) {
		*cp = (uint32_t)(p[0] & 31) << 6 | (p[1] & 63);
		return 2;
	}
	if (p[0] < 0xf0) {
		*cp = (uint32_t)(p[0] & 15) << 12 | (uint32_t)(p[1] & 63) << 6 |
		    (p[2] & 63);
		return 3;
	}
	*cp = (uint32_t)(p[0] & 7) << 18 | (uint32_t)(p[1] & 63) << 12 |
	    (uint32_t)(p[2] & 63) << 6 | (p[3] & 63);
	return 4;
}

/* The end of the run of safe characters; *last is where its last one begins. */
static size_t
safe_run(const uint8_t *p, size_t from, size_t len, unsigned bit, size_t *last)
{
	size_t i, n;
	uint64_t eight;
	uint32_t cp;

	*last = from;
	for (i = from; i < len; i += n) {
		for (; len - i > 8; i += 8) {
			memcpy(&eight, p + i, 8);
			if (eight & 0x8080808080808080u)
				break;
			*last = i + 7;
		}
		n = 1;
		if (p[i] >= 0x80) {
			n = point_at(p + i, &cp);
			if (!(record(cp)->safe & bit))
				break;
		}
		*last = i;
	}
	return i;
}

/* The first place after from where text may be cut; len if there is none. */
static size_t
next_border(const uint8_t *p, size_t from, size_t len, unsigned bit)
{
	size_t i = from, n;
	uint32_t cp = 0;

	while (i < len) {
		n = ctx_utf8_step((const char *)p + i, len - i, &cp);
		if (n == 0 || (i > from && record(cp)->border & bit))
			break;
		i += n;
	}
	return i;
}

int
ctx_unorm_append(enum ctx_unorm form, struct ctx_buf *out, const uint8_t *p,
    size_t *len, int whole, struct ctx_err *err)
{
	unsigned bit = 1u << (form - 1);
	size_t i = 0, from, end, last;

	while (i < *len) {
		end = safe_run(p, i, *len, bit, &last);
		/* The last one may combine with what follows. */
		from = end == *len && whole ? end : last;
		ctx_buf_add(out, p + i, from - i);
		i = from;
		if (end == *len)
			break;
		end = next_border(p, end, *len, bit);
		if (end == *len && !whole)
			break;
		if (segment_append(form, out, p + i, end - i, err) == -1)
			return -1;
		i = end;
	}
	*len = i;
	return ctx_buf_fail(out, err);
}
