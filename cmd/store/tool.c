/* SPDX-License-Identifier: MIT */
/* Messages of a tool; see tool.h. */
#include "cmd/store/tool.h"

#include <stdlib.h>
#include <string.h>

#include "decide/pair.h"

struct tool {
	struct ctx_turns turns;
	struct ctx_pairer pairer;
	struct ctx_buf escaped;		/* the name, as JSON spells it */
	uint64_t nline;
	int yes;
};

/* Parts of the last line with the tool's name, or with its call's. */
static int
look(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	const struct ctx_convo *c = turn->convo;
	const struct ctx_part *p;
	struct tool *t = arg;
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

struct tool *
tool_new(const char *name)
{
	struct tool *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->turns.turn = look;
	t->turns.arg = t;
	ctx_str_encode(&t->escaped, name, strlen(name));
	if (t->escaped.failed) {
		tool_free(t);
		return NULL;
	}
	return t;
}

int
tool_take(struct tool *t, const char *raw, size_t len, struct ctx_err *err)
{
	struct ctx_block *block = ctx_block_new(len);
	struct ctx_line line;
	int rc;

	if (block == NULL)
		return ctx_fail_nomem(err);
	memcpy(block->data, raw, len);
	line = (struct ctx_line){ block->data, len, ++t->nline, block };
	rc = ctx_turns_line(&t->turns, &line, err);
	ctx_block_drop(block);
	return rc;
}

int
tool_is(struct tool *t, struct ctx_err *err)
{
	int rc = ctx_turns_end(&t->turns, err), yes = t->yes;

	t->nline = 0;
	t->yes = 0;
	return rc == -1 ? -1 : yes;
}

void
tool_free(struct tool *t)
{
	if (t == NULL)
		return;
	ctx_turns_done(&t->turns);
	ctx_pairer_done(&t->pairer);
	ctx_buf_done(&t->escaped);
	free(t);
}
