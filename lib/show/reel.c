/* SPDX-License-Identifier: MIT */
/* Messages that are kept; see reel.h. */
#include "show/reel.h"

#include <stdlib.h>
#include <string.h>

/* Call fn for each string of a message whose parts are these. */
static void
each_str(struct ctx_shown *m, struct ctx_shown_part *part,
    void (*fn)(struct ctx_str *s, void *arg), void *arg)
{
	size_t i;

	fn(&m->key, arg);
	fn(&m->side, arg);
	fn(&m->speaker, arg);
	fn(&m->json, arg);
	for (i = 0; i < m->npart; i++) {
		fn(&part[i].id, arg);
		fn(&part[i].name, arg);
		fn(&part[i].text, arg);
		fn(&part[i].type, arg);
		fn(&part[i].data, arg);
		fn(&part[i].url, arg);
	}
}

static void
measure(struct ctx_str *s, void *arg)
{
	*(size_t *)arg += s->len;
}

/* Copy the string to *arg, which moves past it. */
static void
move(struct ctx_str *s, void *arg)
{
	char **to = arg;

	if (s->p == NULL)
		return;
	if (s->len > 0)
		memcpy(*to, s->p, s->len);
	s->p = *to;
	*to += s->len;
}

int
ctx_reel_add(struct ctx_reel *r, const struct ctx_shown *m,
    struct ctx_err *err)
{
	size_t parts = m->npart * sizeof(*m->part), bytes = 1;
	struct ctx_shown copy = *m;
	struct ctx_shown_part *part;
	char *at;

	each_str(&copy, (struct ctx_shown_part *)m->part, measure, &bytes);
	if (CTX_ROOM(r->m, r->n, &r->cap) == -1 ||
	    (part = malloc(parts + bytes)) == NULL)
		return ctx_fail_nomem(err);
	if (parts > 0)
		memcpy(part, m->part, parts);
	at = (char *)part + parts;
	each_str(&copy, part, move, &at);
	copy.part = part;
	r->m[r->n++] = copy;
	return 0;
}

void
ctx_reel_done(struct ctx_reel *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		free((void *)r->m[i].part);
	free(r->m);
	memset(r, 0, sizeof(*r));
}
