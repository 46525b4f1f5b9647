/* SPDX-License-Identifier: MIT */
/*
 * Counting ahead: threads that have nothing else to do count the strings of the
 * lines to come, while one thread processes the messages and looks up their
 * counts.  The tokens of a string do not depend on what is around it, so the
 * results are the same as with one thread.
 */
#include "job/tally_impl.h"

#include <stdlib.h>
#include <string.h>

/* Least bytes of a string that is worth noting. */
#define LEAST		40

/* The contents of a string, between the quotes, and its tokens. */
struct ctx_tally_note {
	const char *p;
	size_t len;
	uint64_t n;
};

/* --- by any thread ------------------------------------------------------ */

/* The quote at the end of the string that begins at p, or NULL. */
static const char *
string_end(const char *p, const char *end)
{
	const char *q = p, *b;

	while ((q = memchr(q, '"', (size_t)(end - q))) != NULL) {
		for (b = q; b > p && b[-1] == '\\'; b--)
			;
		if ((q - b) % 2 == 0)
			return q;
		q++;
	}
	return NULL;
}

/* Does data rather than text begin at p, as far as can be told here? */
static int
is_data(const char *line, const char *p)
{
	return memcmp(p, "data:", 5) == 0 || (p - line > 8 &&
	    (memcmp(p - 8, "\"data\":", 7) == 0 ||
	    memcmp(p - 8, "data\": ", 7) == 0));
}

static int
note(struct ctx_tally_notes *notes, struct ctx_cost *c, const char *p,
    size_t len, struct ctx_err *err)
{
	struct ctx_tally_note *k;

	if (CTX_ROOM(notes->note, notes->n, &notes->cap) == -1)
		return ctx_fail_nomem(err);
	k = &notes->note[notes->n];
	k->p = p;
	k->len = len;
	if (ctx_cost_json(c, p, len, &k->n, err) == -1)
		return -1;
	notes->n++;
	return 0;
}

/*
 * Count the strings of a line, which may be anything; what turns out not to be
 * a string is never looked up.
 */
int
ctx_tally_ahead(struct ctx_job *job, const struct ctx_line *line,
    unsigned which, struct ctx_err *err)
{
	struct ctx_tally *k = (struct ctx_tally *)job;
	const char *p = line->raw, *end = p + line->len, *q;

	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		if ((q = string_end(++p, end)) == NULL)
			break;
		if (q - p >= LEAST && !is_data(line->raw, p) &&
		    note(&k->notes[which], k->opts.cost, p, (size_t)(q - p), err) == -1)
			return -1;
		p = q + 1;
	}
	return 0;
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
			k->used += s.len;
			return 1;
		}
	return 0;
}

static void
index_notes(struct ctx_tally *k, const struct ctx_tally_notes *notes)
{
	size_t i, at;

	for (i = 0; i < notes->n; i++) {
		at = slot_of(k, notes->note[i].p);
		while (k->slot[at].p != NULL)
			at = (at + 1) & k->mask;
		k->slot[at] = notes->note[i];
		k->noted += notes->note[i].len;
	}
}

/* Put the counts of the batch's strings into the hash table. */
int
ctx_tally_ahead_known(struct ctx_job *main, struct ctx_job *const *job,
    unsigned n, unsigned which, struct ctx_err *err)
{
	struct ctx_tally *k = (struct ctx_tally *)main;
	size_t all = 0, size = 16;
	unsigned i;

	for (i = 0; i < n; i++)
		all += ((struct ctx_tally *)job[i])->notes[which].n;
	while (size < 2 * all)
		size *= 2;
	if ((k->slot = calloc(size, sizeof(*k->slot))) == NULL)
		return ctx_fail_nomem(err);
	k->mask = size - 1;
	for (i = 0; i < n; i++)
		index_notes(k, &((struct ctx_tally *)job[i])->notes[which]);
	k->opts.cost->known = find_known;
	k->opts.cost->known_arg = k;
	return 0;
}

/* The lines may be freed, and others may take their memory. */
void
ctx_tally_ahead_forget(struct ctx_job *main, struct ctx_job *const *job,
    unsigned n, unsigned which)
{
	struct ctx_tally *k = (struct ctx_tally *)main;
	unsigned i;

	for (i = 0; i < n; i++)
		((struct ctx_tally *)job[i])->notes[which].n = 0;
	k->opts.cost->known = NULL;
	free(k->slot);
	k->slot = NULL;
}

/*
 * It is not worth it if most of the strings counted so far were never looked
 * up, as in session files, which hold much that is never sent.  An estimate is
 * faster than passing the text to threads, and numbers in the messages need no
 * counting.
 */
int
ctx_tally_ahead_worth(const struct ctx_job *main)
{
	const struct ctx_tally *k = (const struct ctx_tally *)main;

	return k->opts.cost->ready && k->used >= k->noted / 2 &&
	    !ctx_tok_is_estimate(k->opts.cost->choice.tok);
}
