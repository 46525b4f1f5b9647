/* SPDX-License-Identifier: MIT */
#include "digest/refrank.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define ROUNDS		40	/* after which little changes */
#define DAMPING		85	/* percent of a rank that follows references */
#define SHIFT		20
#define COMMON		5	/* definitions of one name that is of no use */
#define PRIOR_MAX	((uint32_t)1 << 24)
#define USES_MAX	255	/* of a word by a file that count */

/* 16 times the root of n. */
static uint32_t
root(uint32_t n)
{
	uint32_t r = 0, bit;

	n = (n < USES_MAX ? n : USES_MAX) << 8;
	for (bit = 1u << 8; bit > 0; bit >>= 1)
		if ((r + bit) * (r + bit) <= n)
			r += bit;
	return r;
}

/* Enlarge the table so that it is at most half full. */
static int
grow(struct ctx_refrank *r)
{
	size_t n = r->nslot == 0 ? 1024 : r->nslot * 2, i, at;
	uint32_t *slot;

	if (r->nname * 2 < r->nslot)
		return 0;
	if ((slot = calloc(n, sizeof(*slot))) == NULL)
		return -1;
	for (i = 0; i < r->nname; i++) {
		at = (size_t)(r->hash[i] ^ r->hash[i] >> 32) & (n - 1);
		while (slot[at] != 0)
			at = (at + 1) & (n - 1);
		slot[at] = (uint32_t)i + 1;
	}
	free(r->slot);
	r->slot = slot;
	r->nslot = n;
	return 0;
}

/* The number of the name with this hash; -1 if out of memory. */
static int64_t
number(struct ctx_refrank *r, uint64_t hash)
{
	size_t at;

	if (grow(r) == -1)
		return -1;
	at = (size_t)(hash ^ hash >> 32) & (r->nslot - 1);
	for (; r->slot[at] != 0; at = (at + 1) & (r->nslot - 1))
		if (r->hash[r->slot[at] - 1] == hash)
			return r->slot[at] - 1;
	if (CTX_ROOM(r->name, r->nname, &r->capname) == -1 ||
	    CTX_ROOM(r->hash, r->nname, &r->caphash) == -1)
		return -1;
	r->name[r->nname] = (struct ctx_refrank_name){ 0 };
	r->hash[r->nname++] = hash;
	r->slot[at] = (uint32_t)r->nname;
	return (int64_t)r->nname - 1;
}

int
ctx_refrank_file(struct ctx_refrank *r, struct ctx_err *err)
{
	if (r->nfile == CTX_REFRANK_FILES)
		return ctx_fail(err, CTX_ESYSTEM,
		    "more than %zu files, which is the limit of a map",
		    CTX_REFRANK_FILES);
	if (CTX_ROOM(r->file, r->nfile, &r->capfile) == -1)
		return ctx_fail_nomem(err);
	r->file[r->nfile++] = (struct ctx_refrank_file){ .prior = 1,
	    .word = (uint32_t)r->nword, .def = (uint32_t)r->ndef };
	r->prior++;
	return 0;
}

void
ctx_refrank_prefer(struct ctx_refrank *r, size_t i, uint32_t prior)
{
	if (prior > PRIOR_MAX)
		prior = PRIOR_MAX;
	r->prior = r->prior - r->file[i].prior + prior;
	r->file[i].prior = prior;
}

int
ctx_refrank_define(struct ctx_refrank *r, uint64_t hash, uint32_t weight,
    int declared, struct ctx_err *err)
{
	int64_t n;

	if (r->ndef == CTX_REFRANK_WORDS)
		return ctx_fail(err, CTX_ESYSTEM,
		    "more than %zu definitions, which is the limit of a map",
		    CTX_REFRANK_WORDS);
	if ((n = number(r, hash)) == -1 ||
	    CTX_ROOM(r->def, r->ndef, &r->capdef) == -1)
		return ctx_fail_nomem(err);
	r->name[n].weight = weight < CTX_REFRANK_HEAVIEST ? weight :
	    CTX_REFRANK_HEAVIEST;
	r->name[n].defs += !declared;
	r->name[n].declared += declared != 0;
	r->def[r->ndef++] = (struct ctx_refrank_def){ .word = (uint32_t)n,
	    .file = (uint32_t)(r->nfile - 1) & 0x7fffffff,
	    .declared = declared != 0 };
	return 0;
}

int
ctx_refrank_use(struct ctx_refrank *r, uint64_t hash, uint32_t n,
    struct ctx_err *err)
{
	int64_t w;

	if (n == 0 || r->nword == CTX_REFRANK_WORDS)
		return 0;
	if ((w = number(r, hash)) == -1 ||
	    CTX_ROOM(r->word, r->nword, &r->capword) == -1)
		return ctx_fail_nomem(err);
	r->word[r->nword++] = (struct ctx_refrank_word){ (uint32_t)w, root(n) };
	return 0;
}

/* Where the words of file i end. */
static size_t
words_end(const struct ctx_refrank *r, size_t i)
{
	return i + 1 < r->nfile ? r->file[i + 1].word : r->nword;
}

/* Weigh the words that are defined somewhere, and forget the others. */
static void
weigh(struct ctx_refrank *r)
{
	struct ctx_refrank_name *name;
	size_t i, k, end, n = 0;

	for (i = 0; i < r->nfile; i++) {
		end = words_end(r, i);
		k = r->file[i].word;
		r->file[i].word = (uint32_t)n;
		for (; k < end; k++) {
			name = &r->name[r->word[k].word];
			if (name->defs + name->declared == 0)
				continue;
			r->word[n] = r->word[k];
			r->word[n].weight *= name->weight;
			if (name->defs > COMMON)
				r->word[n].weight /= 10;
			r->file[i].sum += r->word[n++].weight;
		}
	}
	r->nword = n;
}

/* One round: what each file has goes to what it uses. */
static void
spread(struct ctx_refrank *r)
{
	uint64_t lost = 0, part;
	size_t i, k, end;

	for (i = 0; i < r->nname; i++)
		r->name[i].flow = 0;
	for (i = 0; i < r->nfile; i++) {
		if (r->file[i].sum == 0) {
			lost += r->file[i].rank;
			continue;
		}
		part = (r->file[i].rank << SHIFT) / r->file[i].sum;
		end = words_end(r, i);
		for (k = r->file[i].word; k < end; k++)
			r->name[r->word[k].word].flow +=
			    part * r->word[k].weight >> SHIFT;
	}
	for (i = 0; i < r->nfile; i++)
		r->file[i].next = 0;
	for (i = 0; i < r->ndef; i++)
		r->file[r->def[i].file].next += ctx_refrank_of(r, i);
	lost = CTX_REFRANK_ONE * (100 - DAMPING) / 100 + lost * DAMPING / 100;
	for (i = 0; i < r->nfile; i++)
		r->file[i].rank = r->file[i].next * DAMPING / 100 +
		    lost / r->prior * r->file[i].prior;
}

void
ctx_refrank_run(struct ctx_refrank *r)
{
	size_t i;

	if (r->prior == 0)
		return;
	weigh(r);
	for (i = 0; i < r->nfile; i++)
		r->file[i].rank = CTX_REFRANK_ONE / r->prior *
		    r->file[i].prior;
	for (i = 0; i < ROUNDS; i++)
		spread(r);
}

uint64_t
ctx_refrank_of(const struct ctx_refrank *r, size_t i)
{
	const struct ctx_refrank_name *name = &r->name[r->def[i].word];

	if (name->defs > 0)
		return r->def[i].declared ? 0 : name->flow / name->defs;
	return name->flow / name->declared;
}

void
ctx_refrank_done(struct ctx_refrank *r)
{
	free(r->file);
	free(r->def);
	free(r->word);
	free(r->name);
	free(r->hash);
	free(r->slot);
	memset(r, 0, sizeof(*r));
}
