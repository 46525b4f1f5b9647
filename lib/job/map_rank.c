/* SPDX-License-Identifier: MIT */
/* What matters in a map. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "job/map_impl.h"

#define FOCUS_WORD_MIN	3	/* letters of a word that may be part of a name */

/*
 * Weights.  They are those with which most of what Debian's patches touch stands in
 * the maps of the trees that it was fitted on; see tests/bench/map.bench, which
 * measures others.
 */
#define PRIOR_WORDS	16	/* of code for a part of a file's prior */
#define OWN		8	/* times a definition's part of its file's rank */
#define DECLARED	8	/* less for a declaration of what is defined */
#define ASIDE_PRIOR	4	/* less for a file that is read less */
#define ASIDE		8	/* and for what it defines */
#define FOCUS_PRIOR	9	/* times the prior of all else */
#define README		1024	/* what a tree says of itself, as words of code */
#define IN_FOCUS	8	/* times for what a file in focus has */
#define PART_IN_FOCUS	16
#define NAMED_IN_FOCUS	64

/* Which part of a path or name a focus matched. */
enum { FOCUS_NOT, FOCUS_PART, FOCUS_WHOLE };

/* Parts of a path whose files are read less: tests, and what others wrote. */
static const char *const aside[] = { "test", "tests", "testing", "testdata",
	"testsuite", "testcases", "spec", "specs", "example", "examples",
	"vendor", "third_party", "thirdparty", "third-party", "node_modules",
	"contrib", "deps", "benchmarks", "fixtures", "mocks" };

static int
is_aside(const char *p, size_t len)
{
	const char *end = p + len, *to;
	size_t i;

	for (; p < end; p = to + 1) {
		if ((to = memchr(p, '/', (size_t)(end - p))) == NULL)
			to = end;
		for (i = 0; i < sizeof(aside) / sizeof(*aside); i++)
			if (strlen(aside[i]) == (size_t)(to - p) &&
			    memcmp(aside[i], p, (size_t)(to - p)) == 0)
				return 1;
	}
	return 0;
}

/* Is f a part of the path that begins and ends with components? */
static int
in_path(const char *p, size_t len, const char *f)
{
	size_t n, i;

	while (f[0] == '.' && f[1] == '/')
		f += 2;
	n = strlen(f);
	while (n > 1 && f[n - 1] == '/')
		n--;
	for (i = 0; n > 0 && i + n <= len; i++) {
		if ((i > 0 && p[i - 1] != '/') || memcmp(p + i, f, n) != 0)
			continue;
		if (i + n == len || p[i + n] == '/' || (p[i + n] == '.' &&
		    memchr(p + i + n, '/', len - i - n) == NULL))
			return 1;
	}
	return 0;
}

static int
is_letter(unsigned char c)
{
	return isalnum(c) || c >= 0x80;
}

/* Does a word of a name, as in put_file and putFile, begin at p[i]? */
static int
begins(const char *p, size_t i)
{
	return i == 0 || !is_letter((unsigned char)p[i - 1]) ||
	    (isupper((unsigned char)p[i]) && !isupper((unsigned char)p[i - 1]));
}

static int
in_name(const char *p, size_t len, const char *f)
{
	size_t n = strlen(f), i, k;

	if (n == len && memcmp(p, f, n) == 0)
		return FOCUS_WHOLE;
	for (i = 0; n >= FOCUS_WORD_MIN && i + n <= len; i++) {
		for (k = 0; k < n; k++)
			if (tolower((unsigned char)p[i + k]) !=
			    tolower((unsigned char)f[k]))
				break;
		if (k == n && begins(p, i))
			return FOCUS_PART;
	}
	return FOCUS_NOT;
}

/* Find the files and definitions that a focus names. */
static void
match(struct ctx_map *m, size_t k)
{
	const char *f = m->opts->focus[k];
	struct ctx_map_item *item;
	size_t i;
	int how;

	for (i = 0; i < m->nfile; i++)
		if (in_path(ctx_map_path(m, &m->file[i]), m->file[i].pathlen,
		    f)) {
			m->file[i].focus = FOCUS_WHOLE;
			m->focused[k] = 1;
		}
	for (i = 0; i < m->nitem; i++) {
		item = &m->item[i];
		how = in_name(ctx_map_name(m, item), item->namelen, f);
		if (how == FOCUS_NOT)
			continue;
		m->focused[k] = 1;
		if (how > item->focus)
			item->focus = (uint8_t)how;
		if (how > m->file[item->file].focus)
			m->file[item->file].focus = FOCUS_PART;
	}
}

/* The root of a number, of its highest bits only: so small edits change none. */
static uint32_t
size_of(uint64_t words)
{
	uint32_t size = 1;

	for (words /= 4; words > 0; words /= 4)
		size *= 2;
	return size;
}

/* How much a file matters before what others use of it: its code counts. */
static uint32_t
prior_of(const struct ctx_map *m, const struct ctx_map_file *f)
{
	uint64_t words = 0;
	uint32_t i, size;

	if (f->nitem == 0)
		return f->weight;
	for (i = f->item; i < f->item + f->nitem; i++)
		words += m->item[i].words;
	size = size_of(words);
	size = size * size / PRIOR_WORDS + 1;
	return f->aside ? size / ASIDE_PRIOR + 1 : size;
}

/* What is in focus has nine parts of ten of what files begin with. */
static void
prefer(struct ctx_map *m)
{
	uint64_t n = 0, sum = 0;
	uint32_t prior;
	size_t i;

	for (i = 0; i < m->opts->nfocus; i++)
		match(m, i);
	for (i = 0; i < m->nfile; i++) {
		n += m->file[i].focus;
		sum += prior_of(m, &m->file[i]);
	}
	for (i = 0; i < m->nfile; i++) {
		prior = prior_of(m, &m->file[i]);
		if (n > 0)
			prior += (uint32_t)(FOCUS_PRIOR * sum / n *
			    m->file[i].focus);
		ctx_refrank_prefer(&m->rank, i, prior);
	}
}

/* Score a definition: by what uses it, and its part of its file. */
static uint64_t
score(const struct ctx_map *m, size_t i, uint64_t own)
{
	const struct ctx_refrank_def *d = &m->rank.def[i];
	const struct ctx_map_item *item = &m->item[i];
	const struct ctx_map_file *f = &m->file[item->file];
	uint64_t n;

	if (d->declared && m->rank.name[d->word].defs > 0)
		own /= DECLARED;
	n = ctx_refrank_of(&m->rank, i) + own * OWN;
	if (f->aside && f->focus == FOCUS_NOT)
		n /= ASIDE;
	if (f->focus == FOCUS_WHOLE)
		n *= IN_FOCUS;
	if (item->focus != FOCUS_NOT)
		n *= item->focus == FOCUS_WHOLE ? NAMED_IN_FOCUS :
		    PART_IN_FOCUS;
	return n;
}

static int
by_score(const void *va, const void *vb)
{
	const struct ctx_map_cand *a = va, *b = vb;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

/* Add a file without definitions, or its definitions. */
static void
add(struct ctx_map *m, uint32_t place)
{
	uint32_t n = m->order[place];
	const struct ctx_map_file *f = &m->file[n];
	uint64_t rank = m->rank.file[n].rank, sum = 0;
	uint32_t i;

	if (f->nitem == 0)
		m->cand[m->ncand++] = (struct ctx_map_cand){ rank * (f->focus ==
		    FOCUS_NOT ? 1 : IN_FOCUS), n, CTX_MAP_NONE, place };
	for (i = f->item; i < f->item + f->nitem; i++)
		sum += size_of(m->item[i].words);
	for (i = f->item; i < f->item + f->nitem; i++)
		m->cand[m->ncand++] = (struct ctx_map_cand){ score(m, i,
		    rank / sum * size_of(m->item[i].words)), n, i, place };
}

int
ctx_map_rank(struct ctx_map *m, struct ctx_err *err)
{
	struct ctx_map_file *f;
	size_t top = 0;
	uint32_t i;

	if ((m->cand = calloc(m->nitem + m->nfile + 1, sizeof(*m->cand))) ==
	    NULL)
		return ctx_fail_nomem(err);
	while (ctx_map_is_passage(m, top))
		top++;
	for (i = 0; i < m->nfile; i++) {
		f = &m->file[i];
		if (is_aside(ctx_map_path(m, f), f->dirlen))
			f->aside = 1;
		if (f->readme && f->dir == top)
			f->weight = README;
	}
	prefer(m);
	ctx_refrank_run(&m->rank);
	for (i = 0; i < m->nfile; i++)
		add(m, i);
	if (m->ncand > 0)
		qsort(m->cand, m->ncand, sizeof(*m->cand), by_score);
	return 0;
}
