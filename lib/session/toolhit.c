/* SPDX-License-Identifier: MIT */
/* Find a tool's messages; see toolhit.h. */
#include "session/toolhit.h"

#include <stdlib.h>
#include <string.h>

#include "decide/pair.h"
#include "store/search/around.h"

struct ctx_toolhit {
	struct ctx_store *st;
	struct ctx_turns turns;
	struct ctx_pairer pairer;
	struct ctx_buf escaped;		/* the name as spelled in JSON */
	uint64_t nline;			/* the last is the one in question */
	int yes;
};

/*
 * Look for parts of the last line with the tool's name, or the name of its
 * call.
 */
static int
look(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	const struct ctx_convo *c = turn->convo;
	const struct ctx_part *p;
	struct ctx_toolhit *t = arg;
	uint32_t i;

	if (ctx_pair(&t->pairer, turn->convo, err) == -1)
		return -1;
	for (i = 0; i < c->npart; i++) {
		p = &c->part[i];
		if (c->rec[c->msg[p->msg].rec].line == t->nline &&
		    (p->kind == CTX_CALL || p->kind == CTX_RESULT) &&
		    p->name.p != NULL && ctx_str_equal(p->name.p, p->name.len,
		    t->escaped.data, t->escaped.len))
			t->yes = 1;
	}
	return 0;
}

struct ctx_toolhit *
ctx_toolhit_new(struct ctx_store *st, const char *name)
{
	struct ctx_toolhit *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->st = st;
	t->turns.turn = look;
	t->turns.arg = t;
	ctx_str_encode(&t->escaped, name, strlen(name));
	if (t->escaped.failed) {
		ctx_toolhit_free(t);
		return NULL;
	}
	return t;
}

static int
take(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct ctx_block *block = ctx_block_dup(m->raw, m->len);
	struct ctx_toolhit *t = arg;
	struct ctx_line line;
	int rc;

	if (block == NULL)
		return ctx_fail_nomem(err);
	line = (struct ctx_line){ .raw = block->data,
	    .len = m->len, .no = ++t->nline, .block = block };
	rc = ctx_turns_line(&t->turns, &line, err);
	ctx_block_drop(block);
	return rc;
}

int
ctx_toolhit_accept(const struct ctx_hit *h, void *arg, struct ctx_err *err)
{
	struct ctx_around_place at = { .thread = h->row.thread,
	    .context = h->row.context, .seq = h->message.seq };
	struct ctx_toolhit *t = arg;

	t->nline = 0;
	t->yes = 0;
	/* a result is named only by its call, so the call comes first */
	if (ctx_around_answered(t->st, &at, take, t, err) == -1 ||
	    ctx_turns_end(&t->turns, err) == -1)
		return -1;
	return t->yes;
}

void
ctx_toolhit_free(struct ctx_toolhit *t)
{
	if (t == NULL)
		return;
	ctx_turns_done(&t->turns);
	ctx_pairer_done(&t->pairer);
	ctx_buf_done(&t->escaped);
	free(t);
}
