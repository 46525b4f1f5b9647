/* SPDX-License-Identifier: MIT */
#include "digest/outline.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"

#define SLOTS	(2 * CTX_OUTLINE_WORDS)		/* a power of two */
#define TAB	8
#define LONGEST	8192	/* bytes of a line with signatures; names in longer
			   ones have none, so that time is linear */

/* A line of the code. */
struct line {
	const char *p, *to;
	size_t indent;			/* columns */
	uint32_t n;			/* from 1 */
};

static int
is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	    c == '_' || c >= 0x80;
}

/* The hash of the last word of a name; languages that look alike share it. */
static uint64_t
hash(const struct ctx_lang *lang, const char *p, size_t len)
{
	const char *comment = lang->line[0] == NULL ? "" : lang->line[0];

	return ctx_fnv(ctx_fnv(CTX_FNV_BEGIN, comment, strlen(comment)), p,
	    len);
}

static uint64_t
hash_name(const struct ctx_lang *lang, const char *p, size_t len)
{
	size_t from;

	while (len > 0 && !is_word((unsigned char)p[len - 1]))
		len--;
	for (from = len; from > 0 && is_word((unsigned char)p[from - 1]); )
		from--;
	return hash(lang, p + from, len - from);
}

/* The slot of the word with this hash, or a free one. */
static uint32_t *
slot_of(struct ctx_outline *o, uint64_t h)
{
	size_t i = (size_t)(h ^ h >> 32) & (SLOTS - 1);

	while (o->slot[i] != 0 && o->word[o->slot[i] - 1].hash != h)
		i = (i + 1) & (SLOTS - 1);
	return &o->slot[i];
}

static int
add_word(struct ctx_outline *o, uint64_t h)
{
	uint32_t *at = slot_of(o, h);

	if (*at == 0) {
		if (o->nword == CTX_OUTLINE_WORDS)
			return 0;
		if (CTX_ROOM(o->word, o->nword, &o->capword) == -1)
			return -1;
		o->word[o->nword++] = (struct ctx_outline_word){ h, 0 };
		*at = (uint32_t)o->nword;
	}
	o->word[*at - 1].n++;
	return 0;
}

/* Add the words of a line, which belong to the innermost open item. */
static int
scan_words(struct ctx_outline *o, const struct ctx_lang *lang,
    const struct line *l)
{
	const char *p = l->p, *from;
	uint32_t n = 0;

	while (p < l->to) {
		if (!is_word((unsigned char)*p)) {
			p++;
			continue;
		}
		for (from = p; p < l->to && is_word((unsigned char)*p); p++)
			continue;
		if (*from >= '0' && *from <= '9')
			continue;
		n++;
		if (p - from > 2 && add_word(o, hash(lang, from,
		    (size_t)(p - from))) == -1)
			return -1;
	}
	if (o->nopen > 0)
		o->item[o->open[o->nopen - 1].item].words += n;
	return 0;
}

/*
 * May this line be within what began at the same margin?  Braces, the rest of
 * the head, strings whose contents are gone, and C++'s labels.
 */
static int
continues(const struct line *l)
{
	static const char *const labels[] = { "public", "private",
		"protected", "signals" };
	size_t i, n = (size_t)(l->to - l->p);

	if (n == 0 || strchr("{)]#\"'`:", *l->p) != NULL)
		return 1;
	for (i = 0; i < sizeof(labels) / sizeof(*labels); i++)
		if (n > strlen(labels[i]) && l->p[n - 1] == ':' &&
		    memcmp(l->p, labels[i], strlen(labels[i])) == 0)
			return 1;
	return 0;
}

/* Find the line at p; the end of the code is end. */
static const char *
next_line(struct line *l, const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	l->n++;
	l->indent = 0;
	l->to = nl == NULL ? end : nl;
	for (l->p = p; l->p < l->to && (*l->p == ' ' || *l->p == '\t'); l->p++)
		l->indent += *l->p == '\t' ? TAB - l->indent % TAB : 1;
	while (l->to > l->p && (l->to[-1] == '\r' || l->to[-1] == ' '))
		l->to--;
	return nl == NULL ? end : nl + 1;
}

/* The name in a line, as a whole word if it is there as one. */
static const char *
find(const struct line *l, const char *name, size_t len)
{
	const char *p = l->p, *first = NULL;

	while (p < l->to && (p = memmem(p, (size_t)(l->to - p), name, len)) !=
	    NULL) {
		if ((p == l->p || !is_word((unsigned char)p[-1])) &&
		    (p + len == l->to || !is_word((unsigned char)p[len])))
			return p;
		if (first == NULL)
			first = p;
		p++;
	}
	return first;
}

/* Add what is defined in a line, and open it. */
static int
define(struct ctx_outline *o, const struct ctx_outline_at *at,
    const struct ctx_names *names, const struct ctx_name *name,
    const struct line *l)
{
	struct ctx_outline_item item = { .line = l->n,
	    .name = (uint32_t)(name - names->v), .sig = (uint32_t)o->text.len };
	struct ctx_outline_at here = *at;
	int declared = 0;

	here.line = l->p;
	here.name = l->to - l->p > LONGEST ? NULL :
	    find(l, ctx_name_text(names, name), name->len);
	here.namelen = name->len;
	if (here.name == NULL)		/* or its spaces were others */
		ctx_buf_add(&o->text, ctx_name_text(names, name), name->len);
	else if (ctx_outline_sign(&here, &o->text, &declared) == -1)
		return -1;
	item.siglen = (uint32_t)o->text.len - item.sig;
	item.declared = declared != 0;
	item.hash = hash_name(at->lang, ctx_name_text(names, name), name->len);
	item.up = o->nopen > 0 ? o->open[o->nopen - 1].item + 1 : 0;
	if (CTX_ROOM(o->item, o->n, &o->cap) == -1)
		return -1;
	o->item[o->n++] = item;
	return o->text.failed ? -1 : 0;
}

/* The names of each list, which are in the order of their lines. */
struct lists {
	const struct ctx_name *next[CTX_TYPES + 1], *end[CTX_TYPES + 1];
};

static void
begin_lists(struct lists *l, const struct ctx_names *names)
{
	const struct ctx_name *v = names->v;
	const struct ctx_name *end = names->n == 0 ? v : v + names->n;
	int i;

	for (i = 0; i <= CTX_TYPES; i++) {
		l->next[i] = v;
		while (v < end && v->list == i)
			v++;
		l->end[i] = v;
	}
}

/* The next name that is defined in a line up to n, or NULL. */
static const struct ctx_name *
take(struct lists *l, uint32_t n)
{
	int i, best = -1;

	for (i = 0; i <= CTX_TYPES; i++)
		if (l->next[i] < l->end[i] && l->next[i]->line <= n &&
		    (best == -1 || l->next[i]->line < l->next[best]->line))
			best = i;
	return best == -1 ? NULL : l->next[best]++;
}

static int
same_name(const struct ctx_names *names, const struct ctx_name *a,
    const struct ctx_name *b)
{
	return a->len == b->len && a->line == b->line && memcmp(
	    ctx_name_text(names, a), ctx_name_text(names, b), a->len) == 0;
}

/* Close what this line ends, and add and open what it defines. */
static int
do_line(struct ctx_outline *o, const struct ctx_outline_at *at,
    const struct ctx_names *names, struct lists *lists, const struct line *l)
{
	const struct ctx_name *name = NULL, *last;
	size_t before = o->n;

	o->packed |= l->to - l->p > LONGEST;
	if (!continues(l))
		while (o->nopen > 0 &&
		    o->open[o->nopen - 1].indent >= l->indent)
			o->nopen--;
	for (;;) {
		last = name;
		if ((name = take(lists, l->n)) == NULL)
			break;
		if (last != NULL && same_name(names, last, name))
			continue;
		if (define(o, at, names, name, l) == -1)
			return -1;
	}
	if (o->n == before)
		return 0;
	if (CTX_ROOM(o->open, o->nopen, &o->capopen) == -1)
		return -1;
	o->open[o->nopen++] = (struct ctx_outline_open){ (uint32_t)before,
	    l->indent };
	return 0;
}

/* Empty it; the slots of its words become free. */
static int
reset(struct ctx_outline *o)
{
	if (o->slot == NULL &&
	    (o->slot = calloc(SLOTS, sizeof(*o->slot))) == NULL)
		return -1;
	if (o->nword > 0)
		memset(o->slot, 0, SLOTS * sizeof(*o->slot));
	ctx_buf_reset(&o->text);
	o->n = o->nword = o->nopen = 0;
	o->packed = 0;
	return 0;
}

int
ctx_outline_make(struct ctx_outline *o, const struct ctx_lang *lang,
    const struct ctx_names *names, const struct ctx_buf *code, size_t width,
    struct ctx_err *err)
{
	const char *p = code->data;
	struct ctx_outline_at at = { .lang = lang, .width = width };
	struct line l = { 0 };
	struct lists lists = { 0 };
	uint32_t *seen;
	size_t i;

	if (reset(o) == -1)
		return ctx_fail_nomem(err);
	if (code->len == 0)
		return 0;
	at.end = p + code->len;
	begin_lists(&lists, names);
	while (p < at.end) {
		p = next_line(&l, p, at.end);
		if (do_line(o, &at, names, &lists, &l) == -1 ||
		    scan_words(o, lang, &l) == -1)
			return ctx_fail_nomem(err);
	}
	for (i = 0; i < o->n; i++) {	/* a definition uses nothing */
		seen = slot_of(o, o->item[i].hash);
		if (*seen != 0 && o->word[*seen - 1].n > 0)
			o->word[*seen - 1].n--;
	}
	return 0;
}

void
ctx_outline_done(struct ctx_outline *o)
{
	ctx_buf_done(&o->text);
	free(o->item);
	free(o->word);
	free(o->slot);
	free(o->open);
	memset(o, 0, sizeof(*o));
}
