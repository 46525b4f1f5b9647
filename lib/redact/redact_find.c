/* SPDX-License-Identifier: MIT */
/* Finds secrets in one text; see redact.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "redact/redact_impl.h"

/*
 * How far entropy may fall short of what a rule requires, in bits.  This is far
 * more than the rounding error of any machine, and far less than one more
 * character would add.
 */
#define ENTROPY_NEAR	1e-9

#define WINDOW		512	/* bytes that a rule's pattern first sees */
#define WINDOW_MAX	(1u << 20)	/* the most that it sees, for a token
					   that long */
#define STEP		4096	/* the same as WINDOW, for a user's pattern */
#define STEP_MAX	32768
#define REST_MAX	(64u << 20)	/* limit of bytes read beyond the
					   windows */
#define REST_TIMES	16		/* and limit as a multiple of the
					   text */
#define ROUNDS		4
#define LEAST_DIGITS	2	/* as in %40 */

/* One search, passed to the walk over the anchors. */
struct search {
	struct ctx_redact *r;
	const char *text;
	size_t len;
	struct ctx_err *err;
	/*
	 * The text whose form without escapes this is, or that has a run of base64
	 * that encodes this; NULL: it is the text itself.
	 */
	const struct search *of;
	size_t from, end;	/* the value in the text; hits are cut to it */
};

/* The number of hexadecimal digits at p[0 .. len). */
static size_t
hex_digits(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] != '\0' && strchr("0123456789abcdef", p[n]))
		n++;
	return n;
}

size_t
ctx_redact_at(const char *p, size_t len)
{
	size_t i = CTX_REDACT_HEAD_LEN, n;

	if (len < i || memcmp(p, CTX_REDACT_HEAD, i) != 0)
		return 0;
	for (n = 0; i < len && ctx_redact_is_id_char(p[i]); i++)
		n++;
	if (n == 0 || n > CTX_REDACT_ID_MAX || i == len || p[i++] != ':')
		return 0;
	n = hex_digits(p + i, len - i);
	if (n != CTX_REDACT_DIGITS && n != CTX_REDACT_UNIQUE)
		return 0;
	i += n;
	if (i < len && p[i] == '-') {
		n = hex_digits(p + i + 1, len - i - 1);
		if (n != CTX_REDACT_SPELLING)
			return 0;
		i += 1 + n;
	}
	return i < len && p[i] == ']' ? i + 1 : 0;
}

/* Does a placeholder share a byte with text[off .. end)? */
static int
has_placeholder(const char *text, size_t len, size_t off, size_t end)
{
	size_t i = off < CTX_REDACT_PLACEHOLDER ? 0 :
	    off - CTX_REDACT_PLACEHOLDER, n;
	const char *p;

	while (i < end && (p = memchr(text + i, '[', end - i)) != NULL) {
		i = (size_t)(p - text);
		n = ctx_redact_at(p, len - i);
		if (n > 0 && i + n > off)
			return 1;
		i++;
	}
	return 0;
}

/* The first byte of the next character at or after off. */
static size_t
next_char(const struct search *s, size_t off)
{
	while (off < s->len && ((unsigned char)s->text[off] & 0xc0) == 0x80)
		off++;
	return off;
}

/* Record text[off .. end), extended to the end of a character, as a secret. */
static int
add_hit(const struct search *s, size_t off, size_t end, size_t rule)
{
	struct ctx_redact *r = s->r;

	r->last_end = end;
	end = next_char(s, end);
	if (s->of != NULL) {
		off = ctx_encoded_was(&r->plain, off);
		end = ctx_encoded_was(&r->plain, end);
		s = s->of;
	}
	off = off < s->from ? s->from : off;
	end = end > s->end ? s->end : end;
	if (off >= end || has_placeholder(s->text, s->len, off, end))
		return 0;
	if (CTX_ROOM(r->hit, r->nhits, &r->cap) == -1)
		return ctx_fail_nomem(s->err);
	r->hit[r->nhits].off = off;
	r->hit[r->nhits].len = end - off;
	r->hit[r->nhits++].rule = (unsigned)rule;
	return 0;
}

/*
 * Match from text[start] on, with the text cut off at start plus a window that
 * grows from least to most while the match would read on.  Returns PCRE2's
 * result; PCRE2_ERROR_PARTIAL means that even the largest window does not show
 * where the match at ov[0] ends.
 */
static int
match_window(const struct search *s, const struct rule *rule, size_t start,
    size_t least, size_t most, uint32_t options)
{
	size_t window = least, end, at = start;
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(s->r->match);
	int rc;

	for (;;) {
		end = s->len - at > window ? at + window : s->len;
		end = next_char(s, end);
		rc = pcre2_match(rule->code, (PCRE2_SPTR)s->text, end, at,
		    options | (end < s->len ? PCRE2_PARTIAL_HARD : 0),
		    s->r->match, s->r->context);
		if (rc != PCRE2_ERROR_PARTIAL)
			return rc;
		at = ov[0];
		if (window >= most)
			return rc;
		window *= 2;
	}
}

/* The secret of a match: the last group that took part, else all of it. */
static void
secret_of(const struct ctx_redact *r, int rc, size_t *off, size_t *end)
{
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(r->match);

	*off = ov[2 * (rc - 1)];
	*end = ov[2 * (rc - 1) + 1];
}

/*
 * How many bytes at text[off] belong to an escape that begins before it, as the
 * n of "\nfp_".  If they became a placeholder, JSON would be none any more.
 */
static size_t
escape_rest(const char *text, size_t off)
{
	size_t n = 0;

	while (n < off && text[off - n - 1] == '\\')
		n++;
	return n % 2 == 1 && strchr("nrtbf", text[off]) != NULL;
}

static int
is_secret(const struct ctx_redact_rule *def, const char *s, size_t n)
{
	return (def->entropy <= 0 ||
	    ctx_redact_entropy(s, n) + ENTROPY_NEAR >= (double)def->entropy) &&
	    (def->check != NULL ? def->check : ctx_redact_check_any)(s, n);
}

/* Is it known where a match begins that has this anchor? */
static int
is_exact(const struct ctx_redact_rule *def)
{
	return def->back == 0 || (def->flags & CTX_REDACT_FIXED);
}

/*
 * May there be a match of the rule at the anchor text[off .. off + n)?  This is
 * decided without running the pattern.  Sets *start to where the match may
 * begin.
 */
static int
may_match(const struct search *s, const struct rule *rule, size_t off,
    size_t n, size_t *start)
{
	const struct ctx_redact_rule *def = rule->def;
	int exact = is_exact(def);

	if (off < rule->done)
		return 0;
	*start = off < def->back ? 0 : off - def->back;
	if (exact && off - *start != def->back)
		return 0;
	if (exact && (def->flags & CTX_REDACT_BORDER) &&
	    *start != s->r->last_end &&
	    !ctx_redact_at_border(s->text, *start))
		return 0;
	return !(def->flags & CTX_REDACT_ASSIGN) ||
	    ctx_redact_is_assigned(s->text, s->len, off + n);
}

static int
compile_rule(struct ctx_redact *r, struct rule *rule, struct ctx_err *err)
{
	const struct ctx_redact_rule *def = rule->def;

	if (rule->code != NULL)
		return 0;
	return ctx_redact_compile(r, rule, def->pattern, is_exact(def) ?
	    PCRE2_ANCHORED | PCRE2_USE_OFFSET_LIMIT : PCRE2_USE_OFFSET_LIMIT,
	    err);
}

/* A ctx_personal_fn. */
static int
on_personal(void *arg, enum ctx_personal kind, size_t off, size_t end)
{
	const struct search *s = arg;

	return add_hit(s, off, end, s->r->personal + kind);
}

/* What stands at an anchor. */
struct found {
	size_t from, end;
	size_t rule;
};

/*
 * At an anchor of a rule, or a word of a name: find the secret if it is there.
 * Returns 1, 0 or -1 with *err.
 */
static int
match_anchor(const struct search *s, size_t off, size_t n, unsigned tag,
    struct found *f)
{
	struct ctx_redact *r = s->r;
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(r->match);
	const struct ctx_redact_rule *def;
	struct rule *rule;
	size_t start;
	int rc;

	if (tag >= CTX_REDACT_NAME) {
		f->rule = r->personal + CTX_PERSONAL_NAME;
		return ctx_people_match(r->opts.names[tag - CTX_REDACT_NAME],
		    s->text, s->len, off, &f->from, &f->end);
	}
	rule = &r->rule[tag];
	def = rule->def;
	if (!may_match(s, rule, off, n, &start))
		return 0;
	if (compile_rule(r, rule, s->err) == -1)
		return -1;
	pcre2_set_offset_limit(r->context, off);
	rc = match_window(s, rule, start, def->back + WINDOW, WINDOW_MAX, 0);
	if (rc == PCRE2_ERROR_NOMEMORY)
		return ctx_fail_nomem(s->err);
	if (rc < 0)	/* a real secret does not reach a limit */
		return 0;
	if ((def->flags & CTX_REDACT_BORDER) && ov[0] != r->last_end &&
	    !ctx_redact_at_border(s->text, ov[0]))
		return 0;
	secret_of(r, rc, &f->from, &f->end);
	if (!is_secret(def, s->text + f->from, f->end - f->from))
		return 0;
	f->from += escape_rest(s->text, f->from);
	rule->done = ov[1];
	f->rule = tag;
	return 1;
}

static int
on_anchor(void *arg, size_t off, size_t n, unsigned tag)
{
	const struct search *s = arg;
	struct found f;
	int rc;

	if (tag == CTX_REDACT_ESCAPE)
		return 0;
	rc = match_anchor(s, off, n, tag, &f);
	return rc == 1 ? add_hit(s, f.from, f.end, f.rule) : rc;
}

/*
 * Find the next match of a user's pattern from *off on, window by window, so
 * that a bad pattern costs at most STEP times the text.  A match whose end is
 * in no window is tried against the whole rest of the text, only at that place
 * and only while *budget, in bytes, lasts.  Returns the same as pcre2_match.
 */
static int
next_match(const struct search *s, const struct rule *rule, size_t *off,
    size_t *budget)
{
	const uint32_t options = PCRE2_NOTEMPTY | PCRE2_NO_UTF_CHECK;
	struct ctx_redact *r = s->r;
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(r->match);
	int rc = PCRE2_ERROR_NOMATCH;

	while (*off < s->len && rc == PCRE2_ERROR_NOMATCH) {
		pcre2_set_offset_limit(r->context, PCRE2_UNSET);
		rc = match_window(s, rule, *off, STEP, STEP_MAX, options);
		if (rc == PCRE2_ERROR_NOMATCH)
			*off = s->len - *off <= STEP ? s->len :
			    next_char(s, *off + STEP);
		if (rc != PCRE2_ERROR_PARTIAL)
			continue;
		*off = ov[0];
		if (*budget < s->len - *off)
			return PCRE2_ERROR_MATCHLIMIT;
		*budget -= s->len - *off;
		pcre2_set_offset_limit(r->context, *off);
		rc = pcre2_match(rule->code, (PCRE2_SPTR)s->text, s->len,
		    *off, options, r->match, r->context);
		if (rc == PCRE2_ERROR_NOMATCH)
			*off = next_char(s, *off + 1);
	}
	return rc;
}

/*
 * Find the matches of a user's pattern, which sees the value alone: its user
 * knows nothing of the name before it.
 */
static int
find_pattern(const struct search *s, size_t at)
{
	struct ctx_redact *r = s->r;
	struct rule *rule = &r->rule[at];
	const struct search value = { .r = r, .text = s->text + s->from,
	    .len = s->end - s->from };
	PCRE2_SIZE *ov = pcre2_get_ovector_pointer(r->match);
	size_t off = 0, budget = REST_MAX + REST_TIMES * value.len;
	size_t g = 2 * rule->group;
	int rc;

	while ((rc = next_match(&value, rule, &off, &budget)) > 0) {
		if ((size_t)rc > rule->group && ov[g] < ov[g + 1] &&
		    add_hit(s, s->from + ov[g], s->from + ov[g + 1], at) == -1)
			return -1;
		off = ov[1] > off ? ov[1] : next_char(&value, off + 1);
	}
	if (rc == PCRE2_ERROR_NOMATCH)
		return 0;
	if (rc == PCRE2_ERROR_NOMEMORY)
		return ctx_fail_nomem(s->err);
	return ctx_fail(s->err, CTX_EINPUT,
	    "pattern '%s' takes too long at byte %zu of a text; make it "
	    "simpler", rule->name, off + 1);
}

static int
by_place(const void *a, const void *b)
{
	const struct ctx_redact_hit *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

/*
 * Sort the hits and join overlapping ones under the rule of the longest, or the
 * first in the table of several.
 */
static void
join_hits(struct ctx_redact *r)
{
	struct ctx_redact_hit *h = r->hit;
	size_t longest = 0, n = 0, i, end;

	if (r->nhits == 0)
		return;
	qsort(h, r->nhits, sizeof(*h), by_place);
	for (i = 0; i < r->nhits; i++) {
		if (n == 0 || h[i].off >= h[n - 1].off + h[n - 1].len) {
			longest = h[i].len;
			h[n++] = h[i];
			continue;
		}
		end = h[i].off + h[i].len;
		if (h[i].len > longest || (h[i].len == longest &&
		    h[i].rule < h[n - 1].rule)) {
			longest = h[i].len;
			h[n - 1].rule = h[i].rule;
		}
		if (end > h[n - 1].off + h[n - 1].len)
			h[n - 1].len = end - h[n - 1].off;
	}
	r->nhits = n;
}

static void
forget_matches(struct ctx_redact *r)
{
	size_t i;

	for (i = 0; i < r->nrules; i++)
		r->rule[i].done = 0;
	r->last_end = SIZE_MAX;
}

/* Search s->text, which may be the text or its form without escapes. */
static int
find_in(const struct search *s)
{
	struct ctx_redact *r = s->r;
	struct search walk = *s;

	forget_matches(r);
	if (ctx_anchors_walk(r->anchors, s->text, s->len, on_anchor,
	    &walk) == -1)
		return -1;
	return r->kinds != 0 ? ctx_personal_find(s->text, s->len, r->kinds,
	    on_personal, &walk) : 0;
}

/* At an anchor of what base64 encodes: 1 if there is a secret. */
static int
on_decoded(void *arg, size_t off, size_t n, unsigned tag)
{
	struct search *s = arg;
	struct found f;
	int rc;

	if (tag == CTX_REDACT_ESCAPE)
		return 0;
	rc = match_anchor(s, off, n, tag, &f);
	/* the data of a file, by an earlier run */
	if (rc == 1 && has_placeholder(s->text, s->len, f.from, f.end))
		return 0;
	if (rc == 1)
		s->len = f.rule;	/* for on_run; the walk ends here */
	return rc;
}

/* A ctx_encoded_fn: the whole run is secret if it encodes a secret. */
static int
on_run(void *arg, size_t off, size_t end)
{
	const struct search *s = arg;
	struct ctx_redact *r = s->r;
	struct search inner = { .r = r, .err = s->err };
	int rc;

	ctx_buf_reset(&r->decoded);
	if (ctx_encoded_decode(s->text + off, end - off, &r->decoded) == -1)
		return ctx_fail_nomem(s->err);
	forget_matches(r);
	inner.text = r->decoded.data;
	inner.len = r->decoded.len;
	rc = ctx_anchors_walk(r->anchors, inner.text, inner.len, on_decoded,
	    &inner);
	return rc == 1 ? add_hit(s, off, end, inner.len) : rc;
}

/* Add the hits of one search of s->text to r->hit. */
static int
find_once(const struct search *s)
{
	struct ctx_redact *r = s->r;
	struct search inner = { .r = r, .err = s->err, .of = s };
	size_t i;
	int rc;

	if (find_in(s) == -1 || ctx_encoded_find(s->text, s->len, on_run,
	    (void *)(uintptr_t)s) == -1)
		return -1;
	rc = ctx_encoded_unescape(&r->plain, s->text, s->len);
	if (rc == -1)
		return ctx_fail_nomem(s->err);
	inner.text = r->plain.text.data;
	inner.len = r->plain.text.len;
	if (rc == 1 && find_in(&inner) == -1)
		return -1;
	for (i = ctx_redact_nrules; i < r->nrules; i++)
		if (find_pattern(s, i) == -1)
			return -1;
	return 0;
}

/*
 * The hits from first on were found in the text with placeholders for the
 * earlier hits.  Convert their offsets to offsets in the original text.  A hit
 * never touches a placeholder, so each moves by what the placeholders before it
 * have added.
 */
static void
move_back(struct ctx_redact *r, size_t first)
{
	size_t added = 0, k = 0, i;	/* added may be negative: it wraps */
	struct ctx_redact_hit *h = r->hit;

	if (r->nhits == first)
		return;
	qsort(h + first, r->nhits - first, sizeof(*h), by_place);
	for (i = first; i < r->nhits; i++) {
		for (; k < first && h[k].off + added < h[i].off; k++)
			added += CTX_REDACT_HEAD_LEN + strlen(ctx_redact_id(r,
			    h[k].rule)) + 2 + (r->opts.unique ?
			    CTX_REDACT_UNIQUE : CTX_REDACT_DIGITS) - h[k].len;
		h[i].off -= added;
	}
}

/*
 * The text next to a placeholder may match differently.  Search again, as the
 * next run of a command would, so that it finds nothing.
 */
static int
find_again(const struct search *s)
{
	struct ctx_redact *r = s->r;
	struct search next = *s;
	size_t first;
	int round;

	for (round = 1; round < ROUNDS && r->nhits > 0; round++) {
		first = r->nhits;
		ctx_buf_reset(&r->again);
		if (ctx_redact_replace(r, s->text, s->len, &r->again,
		    s->err) == -1)
			return -1;
		next.text = r->again.data;
		next.len = r->again.len;
		next.end = next.len - (s->len - s->end);
		if (find_once(&next) == -1)
			return -1;
		if (r->nhits == first)
			break;
		move_back(r, first);
		join_hits(r);
	}
	return 0;
}

/* Make the text of the search: the value, or name and value as in JSON. */
static int
put_pair(struct search *s, const struct ctx_redact_value *v)
{
	struct ctx_buf *b = &s->r->pair;

	s->text = v->text;
	s->len = s->end = v->len;
	if (v->name == NULL)
		return 0;
	ctx_buf_reset(b);
	ctx_buf_addc(b, '"');
	ctx_buf_add(b, v->name, v->namelen);
	ctx_buf_adds(b, "\": \"");
	s->from = b->len;
	ctx_buf_add(b, v->text, v->len);
	s->end = b->len;
	ctx_buf_addc(b, '"');
	s->text = b->data;
	s->len = b->len;
	return ctx_buf_fail(b, s->err);
}

int
ctx_redact_find_value(struct ctx_redact *r, const struct ctx_redact_value *v,
    const struct ctx_redact_hit **hit, size_t *n, struct ctx_err *err)
{
	struct search s = { .r = r, .err = err };
	size_t at, i;

	r->nhits = 0;
	if (r->nrules > ctx_redact_nrules &&
	    (at = ctx_utf8_check(v->text, v->len)) < v->len)
		return ctx_fail(err, CTX_EINPUT, "text is not UTF-8 at byte "
		    "%zu", at + 1);
	if (put_pair(&s, v) == -1 || find_once(&s) == -1)
		return -1;
	join_hits(r);
	if (find_again(&s) == -1)
		return -1;
	for (i = 0; i < r->nhits; i++)
		r->hit[i].off -= s.from;
	*hit = r->hit;
	*n = r->nhits;
	return 0;
}

int
ctx_redact_find(struct ctx_redact *r, const char *text, size_t len,
    const struct ctx_redact_hit **hit, size_t *n, struct ctx_err *err)
{
	const struct ctx_redact_value v = { .text = text, .len = len };

	return ctx_redact_find_value(r, &v, hit, n, err);
}

int
ctx_redact_add(struct ctx_redact *r, const char *id,
    const struct ctx_redact_hit *place, const struct ctx_redact_hit **hit,
    size_t *n)
{
	size_t i;

	for (i = 0; i < ctx_redact_nrules; i++)
		if (strcmp(r->rule[i].def->id, id) == 0 && !r->rule[i].off)
			break;
	if (i < ctx_redact_nrules) {
		if (CTX_ROOM(r->hit, r->nhits, &r->cap) == -1)
			return -1;
		r->hit[r->nhits] = *place;
		r->hit[r->nhits++].rule = (unsigned)i;
		join_hits(r);
	}
	*hit = r->hit;
	*n = r->nhits;
	return 0;
}

static int
on_suspect(void *arg, size_t off, size_t n, unsigned tag)
{
	const struct search *s = arg;
	const struct ctx_redact_rule *def;

	if (tag >= CTX_REDACT_NAME)
		return 1;
	def = &ctx_redact_rules[tag];
	/* where JSON has an escape, it is a border as the character is */
	if (is_exact(def) && (def->flags & CTX_REDACT_BORDER) &&
	    off >= def->back && !ctx_redact_at_border(s->text, off - def->back))
		return 0;
	return !(def->flags & CTX_REDACT_ASSIGN) ||
	    ctx_redact_is_assigned(s->text, s->len, off + n);
}

/* May personal data be spelled by p[0 .. len)? */
static int
suspect_personal(const struct ctx_redact *r, const char *p, size_t len)
{
	size_t digits = 0, i;

	if (r->kinds == 0)
		return 0;
	for (i = 0; i < len; i++) {
		digits += p[i] >= '0' && p[i] <= '9';
		if (p[i] == '@' || digits >= LEAST_DIGITS || (r->escapes &&
		    p[i] == '\\' && i + 1 < len && p[i + 1] == 'u'))
			return 1;
	}
	return 0;
}

static int
on_suspect_run(void *arg, size_t off, size_t end)
{
	(void)arg;
	(void)off;
	(void)end;
	return 1;
}

int
ctx_redact_suspect(const struct ctx_redact *r, const char *p, size_t len)
{
	struct search s = { .text = p, .len = len };

	return r->nrules > ctx_redact_nrules || suspect_personal(r, p, len) ||
	    ctx_anchors_walk(r->anchors, p, len, on_suspect, &s) ||
	    ctx_encoded_find(p, len, on_suspect_run, NULL);
}

/* Add a place.  Returns 0, or -1 if out of memory. */
static int
add_place(struct ctx_redact *r, size_t off)
{
	if (CTX_ROOM(r->place, r->nplaces, &r->capplace) == -1)
		return -1;
	r->place[r->nplaces++] = off;
	return 0;
}

static int
by_offset(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int
on_place(void *arg, size_t off, size_t n, unsigned tag)
{
	const struct search *s = arg;

	return on_suspect(arg, off, n, tag) ? add_place(s->r, off) : 0;
}

static int
on_run_place(void *arg, size_t off, size_t end)
{
	(void)end;
	return add_place(((const struct search *)arg)->r, off);
}

int
ctx_redact_scan(struct ctx_redact *r, const char *p, size_t len)
{
	struct search s = { .r = r, .text = p, .len = len };

	r->nplaces = 0;
	if (ctx_encoded_find(p, len, on_run_place, &s) == -1 ||
	    ctx_anchors_walk(r->anchors, p, len, on_place, &s) == -1)
		return -1;
	if (r->nplaces > 1)
		qsort(r->place, r->nplaces, sizeof(*r->place), by_offset);
	return r->nplaces > 0 || r->nrules > ctx_redact_nrules ||
	    suspect_personal(r, p, len);
}

int
ctx_redact_suspect_in(const struct ctx_redact *r, const char *p, size_t from,
    size_t end)
{
	size_t lo = 0, hi = r->nplaces, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (r->place[mid] < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo < r->nplaces && r->place[lo] < end) ||
	    r->nrules > ctx_redact_nrules ||
	    suspect_personal(r, p + from, end - from);
}
