/* SPDX-License-Identifier: MIT */
/* Which facts a summary keeps; see lasting.h. */
#include "job/lasting.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "extract/fact.h"
#include "extract/words.h"
#include "redact/redact.h"

#define VALUE_MAX 256	/* bytes of a call's value that is not a text */
#define LABEL_MAX 24	/* bytes of the word before a bare number */
#define AROUND 60	/* bytes of the text around a fact, on each side */
#define MISSES_MAX 64	/* facts that do not fit, before giving up */
#define REFS "Refs: "

/* How much it means that one of this kind said something. */
static const uint32_t weight[] = {
	[CTX_TALK_USER] = 2, [CTX_TALK_ASSISTANT] = 1, [CTX_TALK_CALL] = 3,
	[CTX_TALK_RESULT] = 0, [CTX_TALK_SUMMARY] = 2
};

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
is_word(char c)
{
	return is_digit(c) || c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int
is_letter(char c)
{
	return is_word(c) && !is_digit(c) && c != '_';
}

/* --- what was said ------------------------------------------------------ */

/* Append a text with its secrets blanked. */
static int
add_clean(struct ctx_buf *out, const char *p, size_t len,
    struct ctx_redact *redact, struct ctx_err *err)
{
	const struct ctx_redact_hit *hit;
	size_t i, n = 0, from = 0;

	if (redact != NULL && ctx_redact_find(redact, len > 0 ? p : "", len,
	    &hit, &n, err) == -1)
		return -1;
	for (i = 0; i < n; i++) {
		ctx_buf_add(out, p + from, hit[i].off - from);
		ctx_buf_addc(out, '\n');
		from = hit[i].off + hit[i].len;
	}
	ctx_buf_add(out, p + from, len - from);
	return ctx_buf_fail(out, err);
}

/* The end of the JSON string that begins at i, or of another value. */
static size_t
value_end(const char *p, size_t len, size_t i)
{
	if (p[i] != '"') {
		while (i < len && (p[i] == '\0' ||
		    strchr(" \t\r\n{}[],:\"", p[i]) == NULL))
			i++;
		return i;
	}
	for (i++; i < len && p[i] != '"'; i++)
		if (p[i] == '\\' && i + 1 < len)
			i++;
	return i < len ? i + 1 : len;
}

/* Append the values of a call, a line each, without names and long texts. */
static void
add_values(struct ctx_buf *out, const char *p, size_t len)
{
	size_t i = 0, end, k;

	while (i < len) {
		if (p[i] != '\0' && strchr(" \t\r\n{}[],:", p[i]) != NULL) {
			i++;
			continue;
		}
		end = value_end(p, len, i);
		for (k = end; k < len && strchr(" \t\r\n", p[k]) != NULL &&
		    p[k] != '\0'; k++)
			;
		if (end - i <= VALUE_MAX && (k == len || p[k] != ':')) {
			if (p[i] == '"')
				ctx_str_decode(out, p + i + 1, end - i - 2);
			else
				ctx_buf_add(out, p + i, end - i);
			ctx_buf_addc(out, '\n');
		}
		i = end;
	}
}

/* Append what one said, without its secrets. */
static int
add_said(struct ctx_buf *out, const struct ctx_talk *s,
    struct ctx_redact *redact, struct ctx_err *err)
{
	struct ctx_buf values = { 0 };
	int rc;

	if (s->kind != CTX_TALK_CALL || s->len == 0 ||
	    strchr("{[", s->text[0]) == NULL)
		return add_clean(out, s->text, s->len, redact, err);
	/* a rule may need the member's name to see a secret */
	rc = add_clean(&values, s->text, s->len, redact, err);
	if (rc == 0) {
		add_values(out, values.data, values.len);
		rc = ctx_buf_fail(out, err);
	}
	ctx_buf_done(&values);
	return rc;
}

/* --- its facts ------------------------------------------------------------ */

/* Numbers of one or two digits, and marks, are in any text. */
static int
is_bare(const char *p, size_t len)
{
	size_t i, digits = 0;

	for (i = 0; i < len; i++)
		if (is_digit(p[i]))
			digits++;
		else if (is_letter(p[i]) || p[i] == '%' ||
		    (unsigned char)p[i] >= 0x80)
			return 0;
	return digits <= 2;
}

/* The fact with the word before it if it is only a number. */
static struct ctx_str
show_of(const struct ctx_fact *f, const char *begin)
{
	struct ctx_str s = { f->show, f->showlen };
	const char *p = f->show;
	uint32_t i;

	for (i = 0; i < f->showlen; i++)
		if (!is_digit(f->show[i]) && strchr(".,%", f->show[i]) == NULL)
			return s;
	if (p - begin < 2 || p[-1] != ' ' || !is_letter(p[-2]))
		return s;
	for (p -= 2; p > begin && is_letter(p[-1]) &&
	    f->show - p < LABEL_MAX; p--)
		;
	if (p > begin && is_word(p[-1]))
		return s;
	s.len += (uint32_t)(f->show - p);
	s.p = p;
	return s;
}

static int
by_weight(const void *a, const void *b)
{
	const struct ctx_lasting_fact *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	/* pointers into one text, so this is the order of mention */
	return x->key.p < y->key.p ? -1 : x->key.p > y->key.p;
}

/* Add a fact that was said by one of that weight, or add to its weight. */
static int
add_fact(struct ctx_lasting *k, struct ctx_strmap *ids,
    const struct ctx_fact *f, const char *begin, uint32_t w)
{
	size_t id;

	if (f->keylen == 0 || is_bare(f->key, f->keylen) ||
	    /* Han characters between two that are grammar: often no name */
	    (f->name && (unsigned char)f->key[0] >= 0x80))
		return 0;
	if ((id = ctx_strmap_add(ids, f->key, f->keylen)) == CTX_STRMAP_FULL)
		return -1;
	if (id == k->n) {
		if (CTX_ROOM(k->v, k->n, &k->cap) == -1)
			return -1;
		k->v[k->n++] = (struct ctx_lasting_fact){
			.key = { f->key, f->keylen },
			.show = show_of(f, begin), .name = 1 };
	}
	k->v[id].weight += w;
	k->v[id].name &= f->name;
	return 0;
}

/* Find the facts of k->text, whose part i ends at end[i]. */
static int
find_facts(struct ctx_lasting *k, const struct ctx_talk *said,
    const size_t *end, size_t n, struct ctx_err *err)
{
	struct ctx_strmap ids = { 0 };
	struct ctx_facts facts = { 0 };
	struct ctx_han_set border;
	size_t i, j, from = 0;
	int rc = 0;

	ctx_han_set_init(&border, ctx_word_han_border);
	for (i = 0; i < n && rc == 0; from = end[i++]) {
		facts.n = 0;
		if (end[i] > from)
			rc = ctx_facts_scan(&facts, &border,
			    k->text.data + from, end[i] - from, 0, err);
		for (j = 0; j < facts.n && rc == 0; j++)
			if (add_fact(k, &ids, &facts.v[j], k->text.data + from,
			    weight[said[i].kind]) == -1)
				rc = ctx_fail_nomem(err);
		if (rc == 0 && end[i] > from && said[i].kind != CTX_TALK_CALL)
			rc = ctx_lasting_add_decided(k, k->text.data + from,
			    end[i] - from, said[i].kind == CTX_TALK_USER, err);
	}
	free(facts.v);
	ctx_strmap_done(&ids);
	if (rc == 0 && k->n > 1)
		qsort(k->v, k->n, sizeof(*k->v), by_weight);
	return rc;
}

int
ctx_lasting_gather(struct ctx_lasting *k, const struct ctx_talk *said, size_t n,
    struct ctx_redact *redact, struct ctx_err *err)
{
	size_t *end = calloc(n + 1, sizeof(*end)), i;
	int rc = 0;

	if (end == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < n && rc == 0; i++) {
		if (weight[said[i].kind] > 0)
			rc = add_said(&k->text, &said[i], redact, err);
		end[i] = k->text.len;
	}
	if (rc == 0)
		rc = find_facts(k, said, end, n, err);
	free(end);
	return rc;
}

void
ctx_lasting_done(struct ctx_lasting *k)
{
	free(k->v);
	free(k->decided);
	ctx_buf_done(&k->text);
}

/* --- those of a summary --------------------------------------------------- */

/* Does p, between begin and end, go on the fact before it, or is it its end? */
static int
goes_on(const char *p, const char *end, char last)
{
	if (p == end || !is_word(last))
		return 0;
	return is_word(*p) || (is_digit(last) && (*p == '.' || *p == ',') &&
	    p + 1 < end && is_digit(p[1]));
}

/* Does the text have the fact, and not only as a part of another? */
static int
has(const struct ctx_buf *text, struct ctx_str f)
{
	const char *begin = text->data, *p = begin, *end = begin + text->len;

	if (text->len == 0)
		return 0;
	while ((p = memmem(p, (size_t)(end - p), f.p, f.len)) != NULL) {
		if (!goes_on(p + f.len, end, f.p[f.len - 1]) && (p == begin ||
		    !is_word(*f.p) || !is_word(p[-1])) && (p - begin < 2 ||
		    !is_digit(*f.p) || (p[-1] != '.' && p[-1] != ',') ||
		    !is_digit(p[-2])))
			return 1;
		p++;
	}
	return 0;
}

size_t
ctx_lasting_look(struct ctx_lasting *k, const struct ctx_buf *summary)
{
	size_t i;

	for (k->found = i = 0; i < k->n; i++)
		k->found += k->v[i].found = (uint8_t)has(summary, k->v[i].key);
	return k->found;
}

/* Is the last line one of references? */
static int
ends_in_refs(const struct ctx_buf *b)
{
	size_t i = b->len;

	while (i > 0 && b->data[i - 1] != '\n')
		i--;
	return b->len - i > strlen(REFS) &&
	    memcmp(b->data + i, REFS, strlen(REFS)) == 0;
}

/* The cost of text followed by more. */
static int
cost_of(const struct ctx_extract *x, const char *text, struct ctx_str more,
    uint64_t *n, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc;

	ctx_buf_adds(&b, text);
	ctx_buf_add(&b, more.p, more.len);
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = x->cost(x->arg, b.data, b.len, n, err);
	ctx_buf_done(&b);
	return rc;
}

/* Choose facts to list; joined, they may cost a little more or less. */
static int
choose(const struct ctx_lasting *k, const struct ctx_extract *x, uint64_t used,
    size_t *taken, size_t *n, struct ctx_err *err)
{
	size_t i, misses = 0;
	uint64_t cost;

	for (i = *n = 0; i < k->n && misses < MISSES_MAX; i++) {
		if (k->v[i].found)
			continue;
		if (cost_of(x, ", ", k->v[i].show, &cost, err) == -1)
			return -1;
		if (used + cost > x->budget) {
			misses++;
			continue;
		}
		misses = 0;
		used += cost;
		taken[(*n)++] = i;
	}
	return 0;
}

/* Append n facts to the text, which ends in references or gets a line. */
static int
join(const struct ctx_lasting *k, const size_t *taken, size_t n,
    struct ctx_buf *text, struct ctx_err *err)
{
	const char *between = ends_in_refs(text) ? ", " : text->len > 0 ?
	    "\n" REFS : REFS;
	size_t i;

	for (i = 0; i < n; i++, between = ", ") {
		ctx_buf_adds(text, between);
		ctx_buf_add(text, k->v[taken[i]].show.p,
		    k->v[taken[i]].show.len);
	}
	return ctx_buf_fail(text, err);
}

/* Append as many of the taken facts as fit. */
static int
add_refs(struct ctx_lasting *k, const struct ctx_extract *x,
    const size_t *taken, size_t n, struct ctx_buf *summary,
    struct ctx_err *err)
{
	const size_t was = summary->len;
	uint64_t cost;

	for (; n > 0; n--) {
		if (join(k, taken, n, summary, err) == -1 ||
		    x->cost(x->arg, summary->data, summary->len, &cost,
		    err) == -1)
			return -1;
		if (cost <= x->budget)
			break;
		summary->len = was;
	}
	while (n > 0)
		k->found += k->v[taken[--n]].found = 1;
	return 0;
}

int
ctx_lasting_refs(struct ctx_lasting *k, const struct ctx_extract *room,
    struct ctx_buf *summary, struct ctx_err *err)
{
	size_t *taken, n;
	uint64_t used;
	int rc = -1;

	if (k->found == k->n)
		return 0;
	if ((taken = calloc(k->n, sizeof(*taken))) == NULL)
		return ctx_fail_nomem(err);
	if (room->cost(room->arg, summary->data, summary->len, &used,
	    err) == 0 && choose(k, room, used, taken, &n, err) == 0)
		rc = add_refs(k, room, taken, n, summary, err);
	free(taken);
	return rc;
}

/* The line of a fact, and what is around it in the line that it was said in. */
static int
put_line(const struct ctx_lasting *k, struct ctx_str f, struct ctx_buf *out,
    struct ctx_err *err)
{
	const char *begin = k->text.data, *end = begin + k->text.len;
	const char *b = f.p, *e = f.p + f.len;

	while (b > begin && f.p - b < AROUND && b[-1] != '\n')
		b--;
	while (e < end && e - f.p - f.len < AROUND && *e != '\n')
		e++;
	/* no half characters */
	while (b < f.p && ((unsigned char)*b & 0xc0) == 0x80)
		b++;
	while (e > f.p + f.len && e < end &&
	    ((unsigned char)*e & 0xc0) == 0x80)
		e--;
	ctx_buf_reset(out);
	ctx_buf_add(out, f.p, f.len);
	ctx_buf_adds(out, ": ");
	ctx_buf_add(out, b, (size_t)(e - b));
	ctx_buf_addc(out, '\n');
	return ctx_buf_fail(out, err);
}

/* Append a line if it costs no more than *left.  Returns 1, 0, or -1. */
static int
add_line(const struct ctx_extract *room, const struct ctx_buf *line,
    uint64_t *left, struct ctx_buf *out, struct ctx_err *err)
{
	uint64_t cost;

	if (room->cost(room->arg, line->data, line->len, &cost, err) == -1)
		return -1;
	if (cost > *left)
		return 0;
	*left -= cost;
	ctx_buf_add(out, line->data, line->len);
	return ctx_buf_fail(out, err) == -1 ? -1 : 1;
}

/* List the decisions that were not found.  Returns 0 or -1. */
static int
list_decided(const struct ctx_lasting *k, const struct ctx_extract *room,
    uint64_t *left, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	size_t i;
	int rc = 0;

	for (i = 0; i < k->ndecided && rc != -1; i++) {
		if (k->decided[i].found)
			continue;
		ctx_buf_reset(&line);
		ctx_buf_adds(&line, "Decision: ");
		ctx_buf_add(&line, k->decided[i].text.p,
		    k->decided[i].text.len);
		ctx_buf_addc(&line, '\n');
		if ((rc = ctx_buf_fail(&line, err)) == 0)
			rc = add_line(room, &line, left, out, err);
	}
	ctx_buf_done(&line);
	return rc == -1 ? -1 : 0;
}

int
ctx_lasting_list(const struct ctx_lasting *k, const struct ctx_extract *room,
    struct ctx_buf *out, struct ctx_err *err)
{
	uint64_t left = room->budget / 2, rest = room->budget - left;
	struct ctx_buf line = { 0 };
	size_t i;
	int rc = 1;

	if (list_decided(k, room, &left, out, err) == -1)
		return -1;
	left += rest;
	for (i = 0; i < k->n && rc == 1; i++)
		if (!k->v[i].found &&
		    (rc = put_line(k, k->v[i].key, &line, err)) == 0)
			rc = add_line(room, &line, &left, out, err);
	ctx_buf_done(&line);
	return rc == -1 ? -1 : 0;
}
