/* SPDX-License-Identifier: MIT */
/* The job of ctx-count; see tally.h. */
#include "job/tally_impl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "job/charge.h"
#include "job/gave.h"

void
ctx_tally_sum_add(struct ctx_tally_sum *to, const struct ctx_tally_sum *more)
{
	to->tokens += more->tokens;
	to->messages += more->messages;
	to->bytes += more->bytes;
}

/* --- the table ---------------------------------------------------------- */

static void
table_done(struct ctx_tally_table *t)
{
	ctx_strmap_done(&t->names);
	free(t->entry);
	memset(t, 0, sizeof(*t));
}

/*
 * Add to the sum of a name.  more also says where the name was seen.  Returns
 * 0, or -1 if out of memory.
 */
static int
table_add(struct ctx_tally_table *t, const char *name, size_t len,
    const struct ctx_tally_entry *more)
{
	size_t before = t->names.n, i;
	struct ctx_tally_entry *e;

	/* make room for the sum first: a name without one cannot be written */
	if (CTX_ROOM(t->entry, before, &t->cap) == -1)
		return -1;
	e = t->entry;
	if ((i = ctx_strmap_add(&t->names, name, len)) == CTX_STRMAP_FULL)
		return -1;
	if (i == before)
		e[i] = *more;
	else {
		ctx_tally_sum_add(&e[i].sum, &more->sum);
		/* another thread may have seen it in an earlier line */
		if (more->at > 0 && (more->at < e[i].at ||
		    (more->at == e[i].at && more->no < e[i].no))) {
			e[i].at = more->at;
			e[i].no = more->no;
		}
	}
	return 0;
}

static int
add_name(struct ctx_tally *k, const char *name, size_t len,
    const struct ctx_tally_sum *sum, struct ctx_err *err)
{
	struct ctx_tally_entry e = { *sum,
	    k->job.log != NULL ? k->job.log->at : k->job.at, k->seen++ };

	return table_add(&k->table, name, len, &e) == -1 ?
	    ctx_fail_nomem(err) : 0;
}

static int
earlier(const void *a, const void *b)
{
	const struct ctx_tally_entry *const *x = a, *const *y = b;

	if ((*x)->at != (*y)->at)
		return (*x)->at < (*y)->at ? -1 : 1;
	return (*x)->no < (*y)->no ? -1 : (*x)->no > (*y)->no;
}

/* Order names by where they were first seen, before another file adds more. */
static int
settle_table(struct ctx_tally *k, struct ctx_err *err)
{
	struct ctx_tally_table *t = &k->table;
	struct ctx_tally_entry **e;
	size_t i;

	if (t->names.n == 0)
		return 0;
	if ((e = calloc(t->names.n, sizeof(*e))) == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < t->names.n; i++)
		e[i] = &t->entry[i];
	qsort(e, t->names.n, sizeof(*e), earlier);
	for (i = 0; i < t->names.n; i++) {
		e[i]->at = 0;
		e[i]->no = i;
	}
	k->seen = t->names.n;
	free(e);
	return 0;
}

/* --- a message ---------------------------------------------------------- */

/* Count calls under their tool's name, and results under that of their call. */
static int
tally_tools(struct ctx_tally *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_part *p, *head = NULL;
	struct ctx_str name, unknown = { "(unknown)", 9 };
	struct ctx_tally_sum more;
	uint32_t i;

	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (!(p->flags & CTX_INNER))
			head = p;
		if (head == NULL || p->kind == CTX_COPY ||
		    (head->kind != CTX_CALL && head->kind != CTX_RESULT))
			continue;
		more = (struct ctx_tally_sum){ 0, p == head, 0 };
		more.bytes = ctx_part_text(c, i).len;
		if (ctx_cost_part(k->opts.cost, c, i, &more.tokens,
		    err) == -1)
			return -1;
		name = head->name.p != NULL ? head->name : unknown;
		if (add_name(k, name.p, name.len, &more, err) == -1)
			return -1;
	}
	return 0;
}

static int
put_sum(struct ctx_tally *k, struct ctx_row *row,
    const struct ctx_tally_sum *sum, struct ctx_err *err)
{
	row->n[0] = sum->tokens;
	row->n[1] = sum->messages;
	row->n[2] = sum->bytes;
	return ctx_job_put_row(&k->job, row, err);
}

static int
tally(struct ctx_tally *k, const struct ctx_convo *c, uint32_t m,
    const struct ctx_tally_sum *sum, struct ctx_err *err)
{
	const char *role = ctx_msg_role_name(c->msg[m].role);
	struct ctx_row row = { .what = CTX_TALLY_A_MESSAGE, .rule = role };
	int n;

	switch (k->opts.by) {
	case CTX_TALLY_ROLE:
		return add_name(k, role, strlen(role), sum, err);
	case CTX_TALLY_TOOL:
		return m < k->sent ? 0 : tally_tools(k, c, m, err);
	case CTX_TALLY_SIZE:
		for (n = 0; n < 63 && sum->tokens >> (n + 1) > 0; n++)
			;
		k->size[sum->tokens == 0 ? 64 : n]++;
		break;
	case CTX_TALLY_MESSAGE:
		row.line = c->rec[c->msg[m].rec].line;
		return put_sum(k, &row, sum, err);
	case CTX_TALLY_FILE:
	case CTX_TALLY_CONVERSATION:
	case CTX_TALLY_PREFIX:
		break;
	}
	return 0;
}

/* Put the count into the message as a member, in front or replacing one. */
static int
annotate(struct ctx_tally *k, const struct ctx_convo *c, uint32_t m,
    uint64_t tokens, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	const char *key = k->opts.annotate;
	uint32_t node = c->msg[m].node, v;
	struct ctx_buf b = { 0 };
	size_t off, len = 0;
	int rc;

	if (ctx_node_type(&doc, node) != '{')
		return 0;
	v = CTX_GET(&doc, node, key);
	if (v != CTX_NONE) {
		off = doc.node[v].off;
		len = doc.node[v].len;
		ctx_buf_addf(&b, "%" PRIu64, tokens);
	} else {
		off = (size_t)doc.node[node].off + 1;
		ctx_buf_addc(&b, '"');
		ctx_str_encode(&b, key, strlen(key));
		/* a message has members */
		ctx_buf_addf(&b, "\":%" PRIu64 ",", tokens);
	}
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = ctx_patch_add(&k->edit.patch, off, len, b.data, b.len,
		    err);
	ctx_buf_done(&b);
	return rc;
}

/* Count a message of the new history that is not in the old one. */
static int
count_apart(struct ctx_tally *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	uint64_t tokens;

	if (ctx_cost_msg(k->opts.cost, c, m, &tokens, err) == -1)
		return -1;
	k->apart += tokens;
	return 0;
}

/*
 * The conversation of lines has come to a summary of the API's own, which reads
 * nothing before it but system messages: take back what that cost.
 */
static int
forget(struct ctx_tally *k, struct ctx_tally_sum *sum, struct ctx_err *err)
{
	struct ctx_tally_lines *of = k->now;
	struct ctx_tally_sum less = { 0 };
	const char *role;
	int i;

	for (i = 0; i < CTX_TALLY_ROLES; i++) {
		less.tokens = 0 - of->past[i];
		sum->tokens -= of->past[i];
		of->past[i] = 0;
		role = ctx_msg_role_name((enum ctx_role)i);
		if (k->opts.by == CTX_TALLY_ROLE && less.tokens != 0 &&
		    add_name(k, role, strlen(role), &less, err) == -1)
			return -1;
	}
	for (i = 0; i < CTX_OF_N; i++) {
		k->opts.cost->of[i] -= of->of[i];
		of->of[i] = 0;
	}
	of->thoughts = 0;
	of->sealed = 0;
	return 0;
}

/* Count a message of a conversation of lines. */
static int
cost_of_line(struct ctx_tally *k, const struct ctx_convo *c, uint32_t m,
    uint64_t *n, struct ctx_err *err)
{
	struct ctx_tally_lines *of = k->now;
	struct ctx_cost *cost = k->opts.cost;
	const enum ctx_role role = c->msg[m].role;
	uint64_t was[CTX_OF_N];
	int i;

	memcpy(was, cost->of, sizeof(was));
	if (ctx_cost_msg(cost, c, m, n, err) == -1)
		return -1;
	if (ctx_charge_speaks(of->charged.by, c, m)) {
		of->thoughts = 0;
		of->sealed = 0;
	}
	of->thoughts += cost->thoughts;
	of->sealed |= cost->sealed;
	if (role != CTX_SYSTEM) {
		of->past[role] += *n;
		for (i = 0; i < CTX_OF_N; i++)
			of->of[i] += cost->of[i] - was[i];
	}
	return 0;
}

/* Count message m; sum is that of its turn so far. */
static int
cost_of(struct ctx_tally *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_tally_sum *sum, uint64_t *n, struct ctx_err *err)
{
	*n = 0;
	if (m < k->sent && c->msg[m].role != CTX_SYSTEM)
		return 0;
	if (k->now == NULL)
		return ctx_cost_msg(k->opts.cost, c, m, n, err);
	if (c->msg[m].flags & CTX_BOUNDARY && forget(k, sum, err) == -1)
		return -1;
	return cost_of_line(k, c, m, n, err);
}

/* Count one message and, with annotate, write it. */
static int
count_msg(struct ctx_tally *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_tally_sum *sum, struct ctx_err *err)
{
	const struct ctx_rec *rec = &c->rec[c->msg[m].rec];
	struct ctx_tally_sum one;
	int shared = 1;

	if (k->opts.by == CTX_TALLY_PREFIX)
		shared = ctx_prefix_msg(&k->prefix, c, m, err);
	if (shared == 0 && k->prefix.in_new && k->opts.apart) {
		if (k->parts == 0)
			k->parts = rec->line;
		return count_apart(k, c, m, err);
	}
	if (shared != 1)
		return shared;
	one.messages = !(c->msg[m].flags & CTX_JOINED);
	one.bytes = c->msg[m].node == rec->root ? rec->len :
	    c->doc.node[c->msg[m].node].len;
	if (cost_of(k, c, m, sum, &one.tokens, err) == -1 ||
	    tally(k, c, m, &one, err) == -1)
		return -1;
	sum->tokens += one.tokens;
	sum->messages += one.messages;
	if (k->opts.by == CTX_TALLY_PREFIX)
		sum->bytes += one.bytes;
	return k->opts.annotate == NULL ? 0 :
	    annotate(k, c, m, one.tokens, err);
}

static int
count_rec(struct ctx_tally *k, const struct ctx_convo *c, uint32_t r,
    struct ctx_tally_sum *sum, struct ctx_err *err)
{
	const struct ctx_rec *rec = &c->rec[r];
	uint32_t m;

	if (k->opts.by != CTX_TALLY_PREFIX)
		sum->bytes += rec->len;
	ctx_patch_reset(&k->edit.patch);
	for (m = rec->msg; m < rec->msg + rec->nmsg; m++)
		if (count_msg(k, c, m, sum, err) == -1)
			return -1;
	return k->opts.annotate == NULL ? 0 :
	    ctx_edit_rec(&k->edit, c, r, err);
}

/* --- a conversation ----------------------------------------------------- */

/* Add to the sum, and in a table of roles to a row of this name. */
static int
add_more(struct ctx_tally *k, const char *name, uint64_t tokens,
    struct ctx_tally_sum *sum, struct ctx_err *err)
{
	struct ctx_tally_sum one = { tokens, 0, 0 };

	sum->tokens += tokens;
	return k->opts.by != CTX_TALLY_ROLE || tokens == 0 ? 0 :
	    add_name(k, name, strlen(name), &one, err);
}

/* The definitions that count instead of those in a record, or NULL. */
static const struct ctx_tools *
tools_of(const struct ctx_tally *k)
{
	return k->opts.along != NULL ? k->opts.along->tools : NULL;
}

/* Add the reserve, and what each tool costs, which do not depend on the dialect. */
static int
add_once(struct ctx_tally *k, struct ctx_tally_sum *sum, struct ctx_err *err)
{
	const struct ctx_tools *tools = tools_of(k);
	struct ctx_tally_sum one = { 0 };
	size_t i;

	k->opts.cost->of[CTX_OF_RESERVE] += k->opts.reserve;
	if (add_more(k, "reserve", k->opts.reserve, sum, err) == -1)
		return -1;
	for (i = 0; k->opts.by == CTX_TALLY_TOOL && tools != NULL &&
	    i < tools->n; i++) {
		one.tokens = k->tool_cost[i];
		if (add_name(k, tools->tool[i].name.p, tools->tool[i].name.len,
		    &one, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * Add what the request that c begins or is costs besides its messages.  of, of
 * message lines, has what was added before: only the difference is added.
 */
static int
add_request(struct ctx_tally *k, const struct ctx_convo *c, struct ctx_tally_lines *of,
    struct ctx_tally_sum *sum, struct ctx_err *err)
{
	struct ctx_charges more, was = { 0 };
	uint64_t *so_far = k->opts.cost->of;
	int again = of != NULL && of->again;

	if (k->opts.by == CTX_TALLY_PREFIX)
		return 0;
	if (ctx_charge_request(k->opts.cost, c, k->opts.along, &more,
	    k->tool_cost, err) == -1)
		return -1;
	if (of != NULL) {
		was = of->more;
		of->more = more;
		of->again = 1;
	}
	so_far[CTX_OF_SYSTEM] -= was.system;
	so_far[CTX_OF_FRAMING] -= was.framing;
	so_far[CTX_OF_TOOLS] -= was.tools;
	so_far[CTX_OF_FORMAT] -= was.format;
	/* a difference may be below 0: the sums wrap around and back */
	if (add_more(k, "system", more.system - was.system, sum, err) == -1 ||
	    add_more(k, "framing", more.framing - was.framing, sum,
	    err) == -1 ||
	    add_more(k, "definitions", more.tools - was.tools, sum,
	    err) == -1 ||
	    add_more(k, "format", more.format - was.format, sum, err) == -1)
		return -1;
	return again ? 0 : add_once(k, sum, err);
}

/* Make room for the cost of each tool. */
static int
room_for_tools(struct ctx_tally *k, struct ctx_err *err)
{
	const struct ctx_tools *tools = tools_of(k);

	if (tools == NULL || tools->n == 0 || k->opts.by != CTX_TALLY_TOOL)
		return 0;
	k->tool_cost = calloc(tools->n, sizeof(*k->tool_cost));
	return k->tool_cost == NULL ? ctx_fail_nomem(err) : 0;
}

static int
put_conversation(struct ctx_tally *k, const struct ctx_tally_sum *sum,
    struct ctx_row *row, struct ctx_err *err)
{
	row->what = CTX_TALLY_A_CONVERSATION;
	if (k->opts.by != CTX_TALLY_CONVERSATION && !k->opts.conversations)
		return 0;
	return put_sum(k, row, sum, err);
}

/* Count all records of the turn. */
static int
count_turn(struct ctx_tally *k, struct ctx_convo *c, struct ctx_tally_sum *sum,
    struct ctx_err *err)
{
	uint32_t r;

	if (k->opts.by == CTX_TALLY_TOOL &&
	    ctx_pair(&k->pairer, c, err) == -1)
		return -1;
	ctx_edit_begin(&k->edit);
	for (r = 0; r < c->nrec; r++)
		if (count_rec(k, c, r, sum, err) == -1)
			return -1;
	return k->opts.annotate == NULL ? 0 :
	    ctx_job_put_turn(&k->job, c, &k->edit, err);
}

/* A conversation line: nothing before the last summary of its API's own is read. */
static int
tally_whole(struct ctx_tally *k, struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_tally_sum sum = { 0, 0, 0 };
	struct ctx_row row = { .line = c->rec[0].line };
	int rc;

	k->now = NULL;
	k->sent = ctx_convo_sent(c);
	rc = count_turn(k, c, &sum, err);
	k->sent = 0;
	if (rc == -1 || add_request(k, c, NULL, &sum, err) == -1)
		return -1;
	ctx_tally_sum_add(&k->file, &sum);
	return put_conversation(k, &sum, &row, err);
}

static int
tally_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_tally_sum sum = { 0, 0, 0 };
	struct ctx_tally *k = job;
	struct ctx_tally_lines *of;
	int due = 0;

	if (turn->strand == NULL)
		return tally_whole(k, turn->convo, err);
	if ((of = turn->strand->state) == NULL &&
	    (of = turn->strand->state = calloc(1, sizeof(*of))) == NULL)
		return ctx_fail_nomem(err);
	k->now = NULL;
	/* what is written into a message is what it costs in any case */
	if (k->opts.by != CTX_TALLY_PREFIX && k->opts.annotate == NULL) {
		due = ctx_charge_turn(k->opts.cost, &of->charged, turn->convo);
		k->now = of;
	}
	if (count_turn(k, turn->convo, &sum, err) == -1 ||
	    (due && add_request(k, turn->convo, of, &sum, err) == -1))
		return -1;
	ctx_tally_sum_add(&k->file, &sum);
	ctx_tally_sum_add(&of->sum, &sum);
	return 0;
}

static int
tally_end(struct ctx_strand *strand, void *job, struct ctx_err *err)
{
	struct ctx_tally_lines *of = strand->state;
	struct ctx_row row = { 0 };
	struct ctx_tally *k = job;
	struct ctx_tally_sum more = { 0 };

	if (of == NULL || of->sum.messages == 0)
		return 0;
	if (add_more(k, "assistant", of->thoughts, &more, err) == -1)
		return -1;
	k->opts.cost->guessed |= of->sealed;
	ctx_tally_sum_add(&k->file, &more);
	ctx_tally_sum_add(&of->sum, &more);
	if (strand->keylen > 0) {
		row.name = strand->key;
		row.namelen = strand->keylen;
	}
	return put_conversation(k, &of->sum, &row, err);
}

/* --- the job ------------------------------------------------------------ */

static int
tally_file_end(struct ctx_job *main, struct ctx_job *const *job, unsigned n,
    struct ctx_err *err)
{
	struct ctx_tally *k = (struct ctx_tally *)main;

	(void)job;
	(void)n;
	k->prefix.in_new = 1;
	ctx_tally_ahead_reset(k);
	if (k->nomem)
		return ctx_fail_nomem(err);
	return settle_table(k, err);
}

static void
tally_give_up(struct ctx_job *job)
{
	struct ctx_tally *k = (struct ctx_tally *)job;

	memset(&k->file, 0, sizeof(k->file));
}

static struct ctx_job *
tally_another(const struct ctx_job *job, struct ctx_err *err)
{
	const struct ctx_tally *from = (const struct ctx_tally *)job;
	struct ctx_tally *k = ctx_job_new(sizeof(*k), job->kind, err);

	if (k == NULL)
		return NULL;
	k->opts = from->opts;
	k->main = from->main;
	k->opts.cost = &k->own_cost;
	if (ctx_cost_like(&k->own_cost, from->opts.cost, err) == -1 ||
	    room_for_tools(k, err) == -1) {
		ctx_job_free(&k->job);
		return NULL;
	}
	return &k->job;
}

static void
add_table(struct ctx_tally *to, const struct ctx_tally_table *from)
{
	struct ctx_tally_entry e;
	const char *name;
	size_t i, len;

	for (i = 0; i < from->names.n; i++) {
		name = ctx_strmap_at(&from->names, i, &len);
		e = from->entry[i];
		/* batches of conversation lines are added in input order */
		if (e.at == 0)
			e.no = to->seen++;
		if (table_add(&to->table, name, len, &e) == -1)
			to->nomem = 1;
	}
}

static void
tally_add(struct ctx_job *to, struct ctx_job *from)
{
	struct ctx_tally *f = (struct ctx_tally *)from;
	struct ctx_tally *t = (struct ctx_tally *)to;
	int i;

	ctx_charge_learn(t != NULL ? t->opts.cost : NULL, f->opts.cost);
	if (t != NULL) {
		ctx_tally_sum_add(&t->file, &f->file);
		for (i = 0; i < 65; i++)
			t->size[i] += f->size[i];
		add_table(t, &f->table);
		t->nomem |= f->nomem;
	}
	f->nomem = 0;
	memset(&f->file, 0, sizeof(f->file));
	memset(f->size, 0, sizeof(f->size));
	table_done(&f->table);
}

static void
tally_done(struct ctx_job *job)
{
	struct ctx_tally *k = (struct ctx_tally *)job;

	ctx_cost_done(&k->own_cost);
	table_done(&k->table);
	ctx_prefix_done(&k->prefix);
	ctx_pairer_done(&k->pairer);
	ctx_edit_done(&k->edit);
	free(k->tool_cost);
	ctx_tally_ahead_done(k);
}

static const struct ctx_job_kind kind = {
	.turn = tally_turn,
	.end = tally_end,
	.free_state = free,
	.file_end = tally_file_end,
	.give_up = tally_give_up,
	.another = tally_another,
	.add = tally_add,
	.done = tally_done,
	.ahead = ctx_tally_ahead,
	.ahead_end = ctx_tally_ahead_end,
	.ahead_known = ctx_tally_ahead_known,
	.ahead_forget = ctx_tally_ahead_forget,
	.ahead_worth = ctx_tally_ahead_worth
};

struct ctx_job *
ctx_tally_new(const struct ctx_tally_opts *opts, struct ctx_err *err)
{
	struct ctx_tally *k = ctx_job_new(sizeof(*k), &kind, err);

	if (k == NULL)
		return NULL;
	k->opts = *opts;
	k->main = k;
	k->job.turns.branch = CTX_BRANCH_LAST;
	k->job.turns.sent = 1;
	if (room_for_tools(k, err) == -1) {
		ctx_job_free(&k->job);
		return NULL;
	}
	return &k->job;
}

struct ctx_tally_sum
ctx_tally_take(struct ctx_job *j)
{
	struct ctx_tally *k = (struct ctx_tally *)j;
	struct ctx_tally_sum sum = k->file;

	memset(&k->file, 0, sizeof(k->file));
	return sum;
}

const struct ctx_tally_table *
ctx_tally_table(const struct ctx_job *j)
{
	return &((const struct ctx_tally *)j)->table;
}

const uint64_t *
ctx_tally_sizes(const struct ctx_job *j)
{
	return ((const struct ctx_tally *)j)->size;
}

uint64_t
ctx_tally_apart(const struct ctx_job *j)
{
	return ((const struct ctx_tally *)j)->apart;
}

uint64_t
ctx_tally_parts(const struct ctx_job *j)
{
	return ((const struct ctx_tally *)j)->parts;
}
