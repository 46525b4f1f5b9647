/* SPDX-License-Identifier: MIT */
/* Results and their calls in a log; see orphans.h. */
#include "session/orphans.h"

#include <stdlib.h>
#include <string.h>

#include "decide/pair.h"

/* The messages of the log that are read at first; then eight times as many. */
#define FEW	64

struct look {
	struct ctx_turns turns;
	struct ctx_pairer pairer;
	const struct ctx_entry *line;	/* those to be appended */
	size_t n;
	unsigned char *stored;		/* that they are in the log already */
	uint64_t no;			/* of the current line */
	uint64_t known;			/* lines of the log */

	uint64_t bad;			/* the first line with a result without
					   a call; 0: none */
	char id[128];			/* the call that it names */
};

/* Note that a line has a result that answers no call. */
static void
note(struct look *k, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	const struct ctx_rec *r = &c->rec[c->msg[p->msg].rec];

	if (p->kind != CTX_RESULT || p->mate != CTX_NONE || r->elsewhere ||
	    p->flags & (CTX_SERVER | CTX_INNER) || r->line <= k->known ||
	    (k->bad > 0 && k->bad <= r->line))
		return;
	k->bad = r->line;
	ctx_err_quote(k->id, sizeof(k->id), p->id.p != NULL ? p->id.p :
	    p->name.p != NULL ? p->name.p : "", p->id.p != NULL ? p->id.len :
	    p->name.len);
}

static int
take_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct look *k = arg;
	uint32_t i;

	if (ctx_pair(&k->pairer, turn->convo, err) == -1)
		return -1;
	for (i = 0; i < turn->convo->npart; i++)
		note(k, turn->convo, i);
	return 0;
}

static int
take(struct look *k, const char *raw, size_t len, struct ctx_err *err)
{
	struct ctx_block *block = ctx_block_dup(raw, len);
	struct ctx_line line = { .len = len, .no = ++k->no, .block = block };
	int rc;

	if (block == NULL)
		return ctx_fail_nomem(err);
	line.raw = block->data;
	rc = ctx_turns_line(&k->turns, &line, err);
	ctx_block_drop(block);
	return rc;
}

/* Take a message of the log; one that is appended again is not new. */
static int
take_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct look *k = arg;
	size_t i;

	for (i = 0; i < k->n && *m->mid != '\0'; i++)
		if (strcmp(k->line[i].mid, m->mid) == 0)
			k->stored[i] = 1;
	return take(k, m->raw, m->len, err);
}

/* Read the end of the log, and the lines. */
static int
look(struct look *k, struct ctx_store *st, const struct ctx_where *where,
    int64_t last, struct ctx_err *err)
{
	struct ctx_range range = CTX_RANGE_ALL;
	struct ctx_err none = { 0 };
	size_t i;

	range.last = last;
	if (ctx_log_read(st, where, &range, take_message, k, &none) == -1 &&
	    none.code != CTX_ENO) {
		*err = none;
		return -1;
	}
	k->known = k->no;
	for (i = 0; i < k->n; i++) {
		if (k->stored[i])
			k->no++;
		else if (take(k, k->line[i].raw, k->line[i].len, err) == -1)
			return -1;
	}
	return ctx_turns_end(&k->turns, err);
}

int
ctx_orphans(struct ctx_store *st, const struct ctx_where *where,
    const struct ctx_entry *line, size_t n, struct ctx_err *err)
{
	struct look k = { .line = line, .n = n };
	int64_t last = FEW;
	int rc;

	do {
		k.no = k.known = k.bad = 0;
		k.turns.turn = take_turn;
		k.turns.arg = &k;
		k.stored = calloc(n + 1, 1);
		rc = k.stored == NULL ? ctx_fail_nomem(err) :
		    look(&k, st, where, last, err);
		free(k.stored);
		ctx_turns_done(&k.turns);
		memset(&k.turns, 0, sizeof(k.turns));
		/* its call may be further back */
		last *= 8;
	} while (rc == 0 && k.bad > 0 && k.known == (uint64_t)last / 8);
	ctx_pairer_done(&k.pairer);
	if (rc == 0 && k.bad > 0) {
		err->line = k.bad - k.known;
		rc = ctx_fail(err, CTX_ENO, "the result for '%s' answers no "
		    "waiting call, so it is not stored", k.id);
	}
	return rc;
}
