/* SPDX-License-Identifier: MIT */
/*
 * Counting ahead: the strings of many lines are counted together, which takes
 * less time, by threads that have nothing else to do, if there are any.  Then
 * one thread processes the messages and looks up the counts.  The tokens of a
 * string do not depend on what is around it, so the results are the same.
 */
#include "job/tally_impl.h"

#include <stdlib.h>
#include <string.h>

/* Least bytes of a string that is worth noting. */
#define LEAST		40
/* Bytes of a place that tell whether it has texts. */
#define ENOUGH		(16u * 1024)
/* Objects and lists in each other that make a place. */
#define DEEP		16

/* The contents of a string, between the quotes, its tokens and its place. */
struct ctx_tally_note {
	const char *p;
	size_t len;
	uint64_t n;
	unsigned place;
};

/* --- by any thread ------------------------------------------------------ */

/* The path to a node: a hash for each object and list around it. */
struct path {
	uint32_t end[DEEP];		/* the first node after it */
	uint64_t hash[DEEP];
	unsigned n;
	uint64_t key;			/* with the last key in it, */
	int data;			/* which is "data" */
};

static uint64_t
mix(uint64_t hash, const char *p, size_t len)
{
	uint64_t head = 0;

	memcpy(&head, p, len < sizeof(head) ? len : sizeof(head));
	return (hash ^ head ^ (uint64_t)len << 56) * 0x9e3779b97f4a7c15u;
}

/* Move on to node i.  Returns whether it is a string that is no key. */
static int
path_go(struct path *p, const struct ctx_doc *doc, uint32_t i)
{
	const struct ctx_node *node = &doc->node[i];
	const char *at = doc->raw + node->off;

	while (p->n > 0 && i >= p->end[p->n - 1])
		p->key = p->hash[--p->n];
	if ((*at == '{' || *at == '[') && p->n < DEEP) {
		p->end[p->n] = node->next;
		p->hash[p->n++] = p->key;
	}
	if (*at != '"' || !ctx_node_is_key(doc, i))
		return *at == '"';
	p->key = mix(p->n > 0 ? p->hash[p->n - 1] : 0, at + 1, node->len - 2);
	p->data = node->len == 6 && memcmp(at + 1, "data", 4) == 0;
	return 0;
}

static int
note(struct ctx_tally_notes *notes, const char *p, size_t len,
    unsigned place, struct ctx_err *err)
{
	if (CTX_ROOM(notes->of, notes->n, &notes->cap) == -1 ||
	    CTX_ROOM(notes->place, notes->n, &notes->capplace) == -1)
		return ctx_fail_nomem(err);
	notes->place[notes->n] = (uint8_t)place;
	notes->of[notes->n++] = (struct ctx_counted){ p, len, 0 };
	return 0;
}

/* Note the strings of a record that are likely to be texts. */
int
ctx_tally_ahead(struct ctx_job *job, const struct ctx_doc *doc,
    unsigned which, struct ctx_err *err)
{
	struct ctx_tally *k = (struct ctx_tally *)job;
	uint64_t useless = atomic_load_explicit(&k->main->useless,
	    memory_order_relaxed);
	struct path path = { .n = 0 };
	const char *p;
	unsigned place;
	uint32_t i;
	size_t len;

	for (i = 0; i < doc->n; i++) {
		if (!path_go(&path, doc, i))
			continue;
		p = doc->raw + doc->node[i].off + 1;
		len = doc->node[i].len - 2;
		place = path.key >> 58;
		if (len < LEAST || useless >> place & 1 || path.data ||
		    memcmp(p, "data:", 5) == 0)
			continue;
		if (note(&k->notes[which], p, len, place, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_tally_ahead_end(struct ctx_job *job, unsigned which, struct ctx_err *err)
{
	struct ctx_tally *k = (struct ctx_tally *)job;
	struct ctx_tally_notes *notes = &k->notes[which];
	size_t from = notes->counted;

	notes->counted = notes->n;
	return from == notes->n ? 0 : ctx_cost_json_all(k->opts.cost,
	    notes->of + from, notes->n - from, err);
}

/* --- by the thread that processes the messages -------------------------- */

static size_t
slot_of(const struct ctx_tally *k, const char *p)
{
	return (size_t)((uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u >> 20) &
	    k->mask;
}

static int
find_known(void *arg, struct ctx_str s, uint64_t *n)
{
	struct ctx_tally *k = arg;
	size_t i;

	if (s.len < LEAST)
		return 0;
	for (i = slot_of(k, s.p); k->slot[i].p != NULL; i = (i + 1) & k->mask)
		if (k->slot[i].p == s.p && k->slot[i].len == s.len) {
			*n = k->slot[i].n;
			k->used[k->slot[i].place] += s.len;
			return 1;
		}
	return 0;
}

static void
index_notes(struct ctx_tally *k, const struct ctx_tally_notes *notes)
{
	const struct ctx_counted *of;
	size_t i, at;

	for (i = 0; i < notes->n; i++) {
		of = &notes->of[i];
		at = slot_of(k, of->s);
		while (k->slot[at].p != NULL)
			at = (at + 1) & k->mask;
		k->slot[at] = (struct ctx_tally_note){ of->s, of->len, of->n,
		    notes->place[i] };
		k->noted[notes->place[i]] += of->len;
	}
}

/* The notes of job number i, or of main after the last. */
static struct ctx_tally_notes *
notes_of(struct ctx_job *main, struct ctx_job *const *job, unsigned n,
    unsigned i, unsigned which)
{
	return &((struct ctx_tally *)(i < n ? job[i] : main))->notes[which];
}

/* Put the counts of the batch's strings into the hash table. */
int
ctx_tally_ahead_known(struct ctx_job *main, struct ctx_job *const *job,
    unsigned n, unsigned which, struct ctx_err *err)
{
	struct ctx_tally *k = (struct ctx_tally *)main;
	size_t all = 0, size = 16;
	unsigned i;

	for (i = 0; i <= n; i++)
		all += notes_of(main, job, n, i, which)->n;
	while (size < 2 * all)
		size *= 2;
	if (size > k->nslot) {
		free(k->slot);
		k->slot = calloc(size, sizeof(*k->slot));
		k->nslot = k->slot != NULL ? size : 0;
	} else
		memset(k->slot, 0, size * sizeof(*k->slot));
	if (k->slot == NULL)
		return ctx_fail_nomem(err);
	k->mask = size - 1;
	for (i = 0; i <= n; i++)
		index_notes(k, notes_of(main, job, n, i, which));
	k->opts.cost->known = find_known;
	k->opts.cost->known_arg = k;
	return 0;
}

/*
 * The lines may be freed, and others may take their memory.  Strings are not
 * worth counting ahead if many like them were never looked up, as of what
 * session files hold beside what is sent.
 */
void
ctx_tally_ahead_forget(struct ctx_job *main, struct ctx_job *const *job,
    unsigned n, unsigned which)
{
	struct ctx_tally *k = (struct ctx_tally *)main;
	struct ctx_tally_notes *notes;
	uint64_t noted = 0, used = 0;
	unsigned i;

	for (i = 0; i <= n; i++) {
		notes = notes_of(main, job, n, i, which);
		notes->n = notes->counted = 0;
	}
	k->opts.cost->known = NULL;
	for (i = 0; i < CTX_TALLY_PLACES; i++) {
		noted += k->noted[i];
		used += k->used[i];
		if (k->noted[i] > ENOUGH && k->used[i] <
		    (n > 0 ? k->noted[i] / 2 : k->noted[i] / 8 * 7))
			atomic_fetch_or_explicit(&k->useless,
			    (uint64_t)1 << i, memory_order_relaxed);
	}
	k->hopeless = noted > 4 * ENOUGH && used < noted / 8;
}

/*
 * An estimate is faster than this, and what is counted only when the file ends
 * is not looked up.
 */
int
ctx_tally_ahead_worth(const struct ctx_job *main)
{
	const struct ctx_tally *k = (const struct ctx_tally *)main;

	return k->opts.cost->ready && !k->hopeless &&
	    !ctx_tok_is_estimate(k->opts.cost->choice.tok);
}

void
ctx_tally_ahead_reset(struct ctx_tally *k)
{
	memset(k->noted, 0, sizeof(k->noted));
	memset(k->used, 0, sizeof(k->used));
	k->useless = 0;
	k->hopeless = 0;
}

void
ctx_tally_ahead_done(struct ctx_tally *k)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		free(k->notes[i].of);
		free(k->notes[i].place);
	}
	free(k->slot);
}
