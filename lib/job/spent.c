/* SPDX-License-Identifier: MIT */
/* The job of ctx-count --usage; see spent.h. */
#include "job/spent.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/when.h"

#define UNKNOWN "(unknown)"
#define NO_TOOL "(none)"

/* An answer whose figures may still grow. */
struct answer {
	int open;
	struct ctx_str join;	/* of its messages; only within a turn */
	size_t id;		/* its number, or CTX_STRMAP_FULL */
	struct ctx_usage usage;
};

struct spent {
	struct ctx_job job;
	enum ctx_spent_by by;
	const struct ctx_prices *prices;	/* or NULL */
	struct ctx_strmap unpriced;		/* models */
	struct ctx_spent file;
	int in_part;			/* a file has failed */
	struct ctx_spent_table table;
	struct ctx_strmap seen;		/* ids of answers, and what these
					   were counted with */
	struct ctx_spent *counted;
	size_t capcounted;
	uint64_t total;			/* the last running total of Codex */

	struct answer answer;
	char day[16];			/* of the answer */
	struct ctx_buf model;		/* of the answer, */
	struct ctx_buf next;		/* and of those that follow without a
					   name of their own */
	struct ctx_strmap tools;	/* called since the last answer */
};

void
ctx_spent_add(struct ctx_spent *to, const struct ctx_spent *more)
{
	to->requests += more->requests;
	to->sum.input += more->sum.input;
	to->sum.cached += more->sum.cached;
	to->sum.written += more->sum.written;
	to->sum.output += more->sum.output;
	to->nano += more->nano;
	to->unpriced += more->unpriced;
}

/* Add to the sum of a name.  Returns 0, or -1 if out of memory. */
static int
table_add(struct ctx_spent_table *t, const char *name, size_t len,
    const struct ctx_spent *more)
{
	size_t before = t->names.n, i;

	if (CTX_ROOM(t->spent, before, &t->cap) == -1 ||
	    (i = ctx_strmap_add(&t->names, name, len)) == CTX_STRMAP_FULL)
		return -1;
	if (i == before)
		memset(&t->spent[i], 0, sizeof(t->spent[i]));
	ctx_spent_add(&t->spent[i], more);
	return 0;
}

static int
add_tools(struct spent *k, const struct ctx_spent *one)
{
	const char *name;
	size_t i, len;

	if (k->tools.n == 0)
		return table_add(&k->table, NO_TOOL, strlen(NO_TOOL), one);
	for (i = 0; i < k->tools.n; i++) {
		name = ctx_strmap_at(&k->tools, i, &len);
		if (table_add(&k->table, name, len, one) == -1)
			return -1;
	}
	return 0;
}

static void
grow(uint64_t *to, uint64_t n)
{
	*to = n > *to ? n : *to;
}

static void
grow_usage(struct ctx_usage *to, const struct ctx_usage *more)
{
	grow(&to->input, more->input);
	grow(&to->cached, more->cached);
	grow(&to->written, more->written);
	grow(&to->hour, more->hour);
	grow(&to->output, more->output);
}

/* Set what *one cost, which is one request. */
static int
set_price(struct spent *k, struct ctx_spent *one)
{
	const struct ctx_usage *u = &one->sum;
	uint64_t cache = u->cached + u->written;
	const uint64_t tokens[CTX_PRICE_N] = {
		[CTX_PRICE_INPUT] = u->input > cache ? u->input - cache : 0,
		[CTX_PRICE_CACHED] = u->cached,
		[CTX_PRICE_WRITTEN] = u->written > u->hour ?
		    u->written - u->hour : 0,
		[CTX_PRICE_HOUR] = u->hour,
		[CTX_PRICE_OUTPUT] = u->output
	};
	const char *model = ctx_buf_str(&k->model);

	if (k->prices == NULL)
		return 0;
	if (model == NULL)
		return -1;
	one->unpriced = !ctx_prices_cost(k->prices, model,
	    k->day[0] == '(' ? "" : k->day, tokens, &one->nano);
	if (!one->unpriced)
		return 0;
	one->nano = 0;
	if (*model == '\0')
		model = UNKNOWN;
	return ctx_strmap_add(&k->unpriced, model, strlen(model)) ==
	    CTX_STRMAP_FULL ? -1 : 0;
}

/*
 * Set *one to the answer or, if one with its id was counted, to what it costs
 * more than that.
 */
static int
take_more(struct spent *k, struct ctx_spent *one)
{
	struct ctx_spent before, *of;

	*one = (struct ctx_spent){ 1, k->answer.usage, 0, 0 };
	if (k->answer.id == CTX_STRMAP_FULL)
		return set_price(k, one);
	of = &k->counted[k->answer.id];
	before = *of;
	grow_usage(&of->sum, &one->sum);
	of->requests = 1;
	if (set_price(k, of) == -1)
		return -1;
	*one = (struct ctx_spent){ 1 - before.requests, {
		.input = of->sum.input - before.sum.input,
		.cached = of->sum.cached - before.sum.cached,
		.written = of->sum.written - before.sum.written,
		.output = of->sum.output - before.sum.output },
		of->nano > before.nano ? of->nano - before.nano : 0,
		of->unpriced > before.unpriced };
	return 0;
}

/* Count the open answer, if there is one. */
static int
close_answer(struct spent *k, struct ctx_err *err)
{
	struct ctx_spent one;
	int rc = 0;

	if (!k->answer.open)
		return 0;
	k->answer.open = 0;
	if (take_more(k, &one) == -1)
		return ctx_fail_nomem(err);
	if (one.requests + one.sum.input + one.sum.output == 0)
		return 0;
	ctx_spent_add(&k->file, &one);
	if (k->by == CTX_SPENT_DAY)
		rc = table_add(&k->table, k->day, strlen(k->day), &one);
	else if (k->by == CTX_SPENT_MODEL)
		rc = k->model.len == 0 ?
		    table_add(&k->table, UNKNOWN, strlen(UNKNOWN), &one) :
		    table_add(&k->table, k->model.data, k->model.len, &one);
	else if (k->by == CTX_SPENT_TOOL)
		rc = add_tools(k, &one);
	ctx_strmap_done(&k->tools);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* Take the day from the first of these objects that has a time. */
static void
set_day(struct spent *k, const struct ctx_doc *doc, const uint32_t *at,
    size_t n)
{
	int64_t when;
	struct tm tm;
	time_t t;
	size_t i;

	strcpy(k->day, UNKNOWN);
	for (i = 0; i < n; i++) {
		if (ctx_usage_when(doc, at[i], &when) == -1)
			continue;
		t = (time_t)(when / CTX_SECOND);
		if (localtime_r(&t, &tm) == NULL ||
		    strftime(k->day, sizeof(k->day), "%Y-%m-%d", &tm) == 0)
			strcpy(k->day, UNKNOWN);
		return;
	}
}

/* Set the model of an answer that names this one or, if .p is NULL, none. */
static int
set_model(struct spent *k, struct ctx_str model, struct ctx_err *err)
{
	if (model.p == NULL)
		model = ctx_str_of(&k->next);
	ctx_buf_reset(&k->model);
	ctx_buf_add(&k->model, model.p, model.len);
	return ctx_buf_fail(&k->model, err);
}

/*
 * Open an answer of this usage.  The first of the objects with an id that is
 * long enough to be one tells whether it was counted before.
 */
static int
open_answer(struct spent *k, const struct ctx_doc *doc, uint32_t usage,
    const uint32_t *at, size_t n, struct ctx_err *err)
{
	static const char *const keys[] = { "responseId", "response_id", "id",
	    "uuid", NULL };
	struct ctx_str id = { NULL, 0 };
	size_t i, before = k->seen.n;

	k->answer = (struct answer){ 1, { NULL, 0 }, CTX_STRMAP_FULL,
	    ctx_usage_read(doc, usage) };
	for (i = 0; i < n && id.len < 8; i++)
		if (ctx_node_if(doc, at[i], '{') != CTX_NONE)
			id = ctx_node_first(doc, at[i], keys);
	if (id.len < 8)
		return 0;
	if (CTX_ROOM(k->counted, before, &k->capcounted) == -1 || (i =
	    ctx_strmap_add(&k->seen, id.p, id.len)) == CTX_STRMAP_FULL)
		return ctx_fail_nomem(err);
	if (i == before)
		memset(&k->counted[i], 0, sizeof(k->counted[i]));
	k->answer.id = i;
	return 0;
}

/* Begin an answer with what message m says of its cost. */
static int
begin_answer(struct spent *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t at[CTX_USAGE_AT], usage;
	struct ctx_str model = { NULL, 0 };

	usage = ctx_usage_of_msg(c, m, &model);
	if (usage == CTX_NONE)
		return 0;
	ctx_usage_at(c, m, at);
	if (open_answer(k, &doc, usage, at, CTX_USAGE_AT, err) == -1)
		return -1;
	k->answer.join = c->msg[m].join;
	ctx_strmap_done(&k->tools);
	set_day(k, &doc, at, CTX_USAGE_AT);
	return set_model(k, model, err);
}

static int
note_calls(struct spent *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_part *p;
	uint32_t i;

	if (k->by != CTX_SPENT_TOOL)
		return 0;
	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (p->kind == CTX_CALL && p->name.p != NULL &&
		    ctx_strmap_add(&k->tools, p->name.p, p->name.len) ==
		    CTX_STRMAP_FULL)
			return ctx_fail_nomem(err);
	}
	return 0;
}

static int
spend_msg(struct spent *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	struct ctx_doc doc = ctx_convo_doc(c, msg->rec);
	struct ctx_str model = { NULL, 0 };
	struct ctx_usage more;
	uint32_t usage;

	if (msg->role != CTX_ASSISTANT)
		return 0;
	if (k->answer.open && msg->join.p != NULL && k->answer.join.p != NULL &&
	    ctx_str_same(msg->join, k->answer.join)) {
		usage = ctx_usage_of_msg(c, m, &model);
		if (usage != CTX_NONE) {
			more = ctx_usage_read(&doc, usage);
			grow_usage(&k->answer.usage, &more);
		}
	} else if (close_answer(k, err) == -1 ||
	    begin_answer(k, c, m, err) == -1)
		return -1;
	return note_calls(k, c, m, err);
}

/* A running total in a record of Codex, or 0. */
static uint64_t
running_total(const struct ctx_doc *doc, uint32_t payload)
{
	uint32_t info = ctx_node_if(doc, CTX_GET(doc, payload, "info"), '{');
	uint32_t total = CTX_GET(doc, info, "total_token_usage");

	if (total == CTX_NONE)
		total = CTX_GET(doc, payload, "thread_token_usage");
	total = ctx_node_if(doc, total, '{');
	return total == CTX_NONE ? 0 : ctx_usage_input(doc, total) +
	    ctx_usage_read(doc, total).output;
}

/* What a record without messages says of the answer before it. */
static int
spend_rec(struct spent *k, const struct ctx_convo *c, uint32_t r,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, r);
	uint32_t root = ctx_node_if(&doc, c->rec[r].root, '{');
	const uint32_t at[3] = { root, ctx_node_if(&doc, CTX_GET(&doc, root,
	    "payload"), '{'), ctx_node_if(&doc, CTX_GET(&doc, root,
	    "response"), '{') };
	struct ctx_str model = { NULL, 0 };
	uint32_t usage = ctx_usage_of_rec(c, r, &model);
	uint64_t total = running_total(&doc, at[1]);

	if (usage == CTX_NONE)
		usage = ctx_usage_in(&doc, at[2]);
	if (usage == CTX_NONE)
		usage = ctx_usage_in(&doc, root);
	if (model.p == NULL)
		model = ctx_usage_model(&doc, at[2] != CTX_NONE ? at[2] : root);
	if (usage == CTX_NONE && model.p != NULL) {
		ctx_buf_reset(&k->next);
		ctx_buf_add(&k->next, model.p, model.len);
		return ctx_buf_fail(&k->next, err);
	}
	if (usage == CTX_NONE || (total != 0 && total == k->total))
		return 0;
	k->total = total;
	if (set_model(k, model, err) == -1 ||
	    open_answer(k, &doc, usage, at + 1, 2, err) == -1)
		return -1;
	set_day(k, &doc, at, 3);
	return close_answer(k, err);
}

static int
spend_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	const struct ctx_convo *c = turn->convo;
	struct spent *k = job;
	uint32_t r, m;

	for (r = 0; r < c->nrec; r++) {
		if (c->rec[r].nmsg == 0 && (close_answer(k, err) == -1 ||
		    spend_rec(k, c, r, err) == -1))
			return -1;
		for (m = c->rec[r].msg; m < c->rec[r].msg + c->rec[r].nmsg; m++)
			if (spend_msg(k, c, m, err) == -1)
				return -1;
	}
	return close_answer(k, err);
}

/* Nothing of a file says anything of the next one. */
static void
forget(struct spent *k)
{
	k->answer.open = 0;
	k->total = 0;
	ctx_buf_reset(&k->next);
	ctx_strmap_done(&k->tools);
}

static int
spent_file_end(struct ctx_job *main, struct ctx_job *const *job, unsigned n,
    struct ctx_err *err)
{
	(void)job;
	(void)n;
	(void)err;
	forget((struct spent *)main);
	return 0;
}

static void
spent_give_up(struct ctx_job *job)
{
	struct spent *k = (struct spent *)job;

	forget(k);
	memset(&k->file, 0, sizeof(k->file));
	k->in_part = 1;
}

static void
spent_done(struct ctx_job *job)
{
	struct spent *k = (struct spent *)job;

	ctx_strmap_done(&k->table.names);
	free(k->table.spent);
	ctx_strmap_done(&k->seen);
	free(k->counted);
	ctx_strmap_done(&k->unpriced);
	ctx_strmap_done(&k->tools);
	ctx_buf_done(&k->model);
	ctx_buf_done(&k->next);
}

static const struct ctx_job_kind kind = {
	.turn = spend_turn,
	.file_end = spent_file_end,
	.give_up = spent_give_up,
	.done = spent_done
};

struct ctx_job *
ctx_spent_new(enum ctx_spent_by by, const struct ctx_prices *prices,
    struct ctx_err *err)
{
	struct spent *k = ctx_job_new(sizeof(*k), &kind, err);

	if (k == NULL)
		return NULL;
	k->by = by;
	k->prices = prices;
	k->job.turns.branch = CTX_BRANCH_ALL;
	return &k->job;
}

struct ctx_spent
ctx_spent_take(struct ctx_job *j)
{
	struct spent *k = (struct spent *)j;
	struct ctx_spent sum = k->file;

	memset(&k->file, 0, sizeof(k->file));
	return sum;
}

int
ctx_spent_in_part(const struct ctx_job *j)
{
	return ((const struct spent *)j)->in_part;
}

const struct ctx_strmap *
ctx_spent_unpriced(const struct ctx_job *j)
{
	return &((const struct spent *)j)->unpriced;
}

const struct ctx_spent_table *
ctx_spent_table(const struct ctx_job *j)
{
	return &((const struct spent *)j)->table;
}
