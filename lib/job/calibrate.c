/* SPDX-License-Identifier: MIT */
/* The job of ctx-count --calibrate; see calibrate.h. */
#include "job/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "job/calibrate_impl.h"
#include "job/charge.h"
#include "view/usage.h"

#define MOST	100		/* models */

/* A model and its requests. */
struct group {
	char name[CTX_MODEL_NAME_MAX];
	struct ctx_cost cost;
	struct ctx_model own;	/* its rule, without what is fitted */
	struct ctx_calibrate_point *point;
	size_t npoint, cappoint;
	uint32_t session;	/* that it was last counted in */
};

/* What the messages before one cost together. */
struct sum {
	double texts, others, messages;
};

struct ctx_calibrate {
	struct ctx_job job;
	const char *only;	/* -m, or NULL */
	struct ctx_models *models;
	struct group **group;
	size_t ngroup, capgroup;
	uint32_t sessions;	/* so far */
	struct sum *sum;	/* of each message of the session */
	size_t capsum;
	/* of a request that is not a session: */
	uint64_t given;
	char given_model[CTX_MODEL_NAME_MAX];
};

/* --- models -------------------------------------------------------------- */

/* Copy a model's name; 0 if it can be no prefix of a rule. */
static int
copy_name(char name[CTX_MODEL_NAME_MAX], struct ctx_str s)
{
	uint32_t i;

	if (s.p == NULL || s.len == 0 || s.len >= CTX_MODEL_NAME_MAX)
		return 0;
	for (i = 0; i < s.len; i++)
		if (s.p[i] <= ' ' || s.p[i] > '~' ||
		    strchr("#%<>\"\\", s.p[i]) != NULL)
			return 0;
	memcpy(name, s.p, s.len);
	name[s.len] = '\0';
	return 1;
}

static int
open_group(struct ctx_calibrate *k, struct group *g, struct ctx_err *err)
{
	struct ctx_cost *cost = &g->cost;

	cost->overhead = CTX_OVERHEAD;
	cost->model_name = g->name;
	if (ctx_model_open(k->models, g->name, &cost->choice, err) == -1)
		return -1;
	if (cost->choice.model != NULL) {
		g->own = *cost->choice.model;
		cost->choice.model = &g->own;
	}
	memset(&g->own.fitted, 0, sizeof(g->own.fitted));
	if (ctx_cost_begin(cost, err) == -1) {
		ctx_tok_free(cost->choice.tok);
		return -1;
	}
	cost->ready = 1;
	return 0;
}

/* The group of a model's name; NULL with *err. */
static struct group *
find_group(struct ctx_calibrate *k, const char *name, struct ctx_err *err)
{
	struct group *g;
	size_t i;

	for (i = 0; i < k->ngroup; i++)
		if (strcmp(k->group[i]->name, name) == 0)
			return k->group[i];
	if (k->ngroup == MOST) {
		ctx_fail(err, CTX_EINPUT, "more than %d models; choose one "
		    "with -m", MOST);
		return NULL;
	}
	if (CTX_ROOM(k->group, k->ngroup, &k->capgroup) == -1 ||
	    (g = calloc(1, sizeof(*g))) == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	strcpy(g->name, name);
	if (open_group(k, g, err) == -1) {
		free(g);
		return NULL;
	}
	k->group[k->ngroup++] = g;
	return g;
}

/*
 * The group that a request to the model with this name belongs to.  Returns 1,
 * 0 if it is of no interest, or -1 with *err.
 */
static int
group_of(struct ctx_calibrate *k, const char *name, struct group **g,
    struct ctx_err *err)
{
	char plain[CTX_MODEL_NAME_MAX];

	if (k->only != NULL) {
		if (*name != '\0' && ctx_model_match(ctx_model_plain(k->only,
		    plain), name) == 0)
			return 0;
		name = k->only;
	}
	name = ctx_model_plain(name, plain);
	if (*name == '\0')
		return 0;
	*g = find_group(k, name, err);
	return *g == NULL ? -1 : 1;
}

/* --- requests ------------------------------------------------------------ */

/* A session that is read, message by message. */
struct reading {
	struct ctx_calibrate *k;
	const struct ctx_convo *c;
	char model[CTX_MODEL_NAME_MAX];	/* of what follows; "" is not known */
	struct group *only;	/* what is counted in this round */
	double request;		/* what it costs besides its messages */
	uint32_t answered;	/* messages up to the last answer */
	struct ctx_str join;	/* of that */
	struct sum fixed;	/* what is sent again after a compaction */
	double last;		/* what the request before cost */
	int begun, left_out;
};

/*
 * Is the model of an answer the one that is counted in this round?  In the
 * first round it is only noted.  Returns 1, 0, or -1 with *err.
 */
static int
is_counted(struct reading *r, struct ctx_str model, struct ctx_err *err)
{
	struct group *g = NULL;
	char name[CTX_MODEL_NAME_MAX];
	int rc;

	if (model.p == NULL)
		strcpy(name, r->model);
	else if (!copy_name(name, model))
		return 0;
	rc = group_of(r->k, name, &g, err);
	if (rc == 1)
		g->session = r->k->sessions;
	return rc == 1 ? g == r->only : rc;
}

/* Note a request: the messages before m, which is the first of its answer. */
static int
add_point(struct reading *r, uint32_t m, uint64_t cost, struct ctx_str model,
    struct ctx_err *err)
{
	const struct sum *sum = &r->k->sum[m];
	struct group *g = r->only;
	int rc = is_counted(r, model, err);

	if (rc != 1)
		return rc;
	if (r->begun && (double)cost < r->last)
		r->left_out = 1;
	if (r->left_out)
		return 0;
	if (CTX_ROOM(g->point, g->npoint, &g->cappoint) == -1)
		return ctx_fail_nomem(err);
	g->point[g->npoint++] = (struct ctx_calibrate_point){ sum->texts,
	    sum->others + r->request, sum->messages, (double)cost,
	    r->k->sessions, r->begun };
	r->begun = 1;
	r->last = (double)cost;
	return 0;
}

/* The first message of the answer that ends before message m. */
static uint32_t
answer_before(const struct reading *r, uint32_t m)
{
	/* results may be written before the program says what the call cost */
	while (m > r->answered && r->c->msg[m - 1].role == CTX_TOOL)
		m--;
	while (m > r->answered && r->c->msg[m - 1].role == CTX_ASSISTANT)
		m--;
	return m;
}

static int
same_join(struct ctx_str a, struct ctx_str b)
{
	return a.p != NULL && b.p != NULL && ctx_str_same(a, b);
}

/* If message m is an answer that says what its request cost, note that. */
static int
read_msg(struct reading *r, uint32_t m, struct ctx_err *err)
{
	const struct ctx_msg *msg = &r->c->msg[m];
	struct ctx_doc doc = ctx_convo_doc(r->c, msg->rec);
	struct ctx_str model = { NULL, 0 };
	uint32_t usage;

	if (msg->role != CTX_ASSISTANT || same_join(msg->join, r->join))
		return 0;
	usage = ctx_usage_of_msg(r->c, m, &model);
	if (usage == CTX_NONE)
		return 0;
	r->join = msg->join;
	r->answered = m + 1;
	return add_point(r, m, ctx_usage_input(&doc, usage), model, err);
}

/* The same of a record without messages, after the answer. */
static int
read_rec(struct reading *r, uint32_t rec, uint32_t m, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(r->c, rec);
	struct ctx_str model = { NULL, 0 };
	uint32_t usage = ctx_usage_of_rec(r->c, rec, &model), first;

	if (model.p != NULL && !copy_name(r->model, model))
		*r->model = '\0';
	if (usage == CTX_NONE)
		return 0;
	first = answer_before(r, m);
	if (first == m || r->c->msg[first].role != CTX_ASSISTANT)
		return 0;
	r->answered = m;
	return add_point(r, first, ctx_usage_input(&doc, usage),
	    (struct ctx_str){ NULL, 0 }, err);
}

static void
sum_add(struct sum *to, const struct sum *more)
{
	to->texts += more->texts;
	to->others += more->others;
	to->messages += more->messages;
}

/* Add message m to the sums. */
static int
add_msg(struct reading *r, uint32_t m, struct ctx_err *err)
{
	const struct ctx_msg *msg = &r->c->msg[m];
	struct ctx_cost *cost = &r->only->cost;
	uint64_t texts = cost->texts, n;
	struct sum one;

	if (ctx_cost_msg(cost, r->c, m, &n, err) == -1)
		return -1;
	texts = cost->texts - texts;
	one = (struct sum){ (double)texts, (double)n - (double)texts,
	    !(msg->flags & CTX_JOINED) };
	/* only what is no element of the history is still sent */
	if (msg->flags & CTX_BOUNDARY)
		r->begun = r->left_out = 0;
	r->k->sum[m + 1] = msg->flags & CTX_BOUNDARY ? r->fixed : r->k->sum[m];
	sum_add(&r->k->sum[m + 1], &one);
	if (msg->flags & CTX_FIXED)
		sum_add(&r->fixed, &one);
	return 0;
}

/*
 * Read the session once for the requests to one model or, without one, to find
 * the models.
 */
static int
read_for(struct ctx_calibrate *k, const struct ctx_convo *c, struct group *g,
    struct ctx_err *err)
{
	struct reading r = { .k = k, .c = c, .only = g };
	struct ctx_charges more = { 0 };
	uint32_t rec, m = 0, end;

	if (g != NULL && ctx_charge_request(&g->cost, c, NULL, &more, NULL,
	    err) == -1)
		return -1;
	r.request = (double)(more.framing + more.tools + more.format);
	for (rec = 0; rec < c->nrec; rec++) {
		if (c->rec[rec].nmsg == 0 && read_rec(&r, rec, m, err) == -1)
			return -1;
		for (end = m + c->rec[rec].nmsg; m < end; m++)
			if ((k->given == 0 && read_msg(&r, m, err) == -1) ||
			    (g != NULL && add_msg(&r, m, err) == -1))
				return -1;
	}
	if (k->given == 0)
		return 0;
	while (m > 0 && c->msg[m - 1].flags & CTX_ANSWER)
		m--;
	strcpy(r.model, k->given_model);
	return add_point(&r, m, k->given, (struct ctx_str){ NULL, 0 }, err);
}

static int
calibrate_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_calibrate *k = job;
	const struct ctx_convo *c = turn->convo;
	size_t i;

	if (c->nmsg == 0 || c->rec[c->msg[0].rec].thread.p != NULL)
		return 0;
	if (CTX_ROOM(k->sum, c->nmsg + (size_t)1, &k->capsum) == -1)
		return ctx_fail_nomem(err);
	memset(&k->sum[0], 0, sizeof(k->sum[0]));
	k->sessions++;
	if (read_for(k, c, NULL, err) == -1)
		return -1;
	for (i = 0; i < k->ngroup; i++)
		if (k->group[i]->session == k->sessions &&
		    read_for(k, c, k->group[i], err) == -1)
			return -1;
	return 0;
}

/* --- requests with their answers ----------------------------------------- */

/* Read what the line's request cost, 0 if that is not said; is it a pair? */
static int
read_pair(struct ctx_calibrate *k, const struct ctx_doc *doc)
{
	uint32_t root = ctx_node_if(doc, 0, '{');
	uint32_t answer = CTX_GET(doc, root, "response"), usage;
	uint32_t from[3] = { CTX_GET(doc, root, "request"), root, answer };
	struct ctx_str model = { NULL, 0 };
	size_t i;

	k->given = 0;
	if (ctx_node_if(doc, from[0], '{') == CTX_NONE)
		return 0;
	usage = ctx_usage_in(doc, answer);
	if (usage == CTX_NONE)
		usage = ctx_usage_in(doc, root);
	for (i = 0; i < 3 && model.p == NULL; i++)
		model = ctx_usage_model(doc, from[i]);
	if (!copy_name(k->given_model, model))
		*k->given_model = '\0';
	k->given = usage == CTX_NONE ? 0 : ctx_usage_input(doc, usage);
	return answer != CTX_NONE || usage != CTX_NONE;
}

/* Pass the request in a line on, as a conversation of its own. */
static int
give_request(struct ctx_calibrate *k, const struct ctx_line *line,
    const struct ctx_doc *doc, struct ctx_err *err)
{
	uint32_t request = CTX_GET(doc, 0, "request");
	struct ctx_line of = *line;
	int rc;

	of.raw += doc->node[request].off;
	of.len = doc->node[request].len;
	rc = ctx_job_line(&k->job, &of, err);
	k->given = 0;
	return rc;
}

int
ctx_calibrate_pairs(struct ctx_job *j, struct ctx_reader *r,
    const struct ctx_line *first, struct ctx_err *err)
{
	struct ctx_calibrate *k = (struct ctx_calibrate *)j;
	struct ctx_line line = *first;
	struct ctx_doc doc = { 0 };
	int rc, taken = 0;

	do {
		rc = ctx_line_blank(line.raw, line.len) ? 0 :
		    ctx_doc_scan(&doc, line.raw, line.len, err);
		if (rc == -1) {
			err->line = line.no;
			break;
		}
		taken |= doc.n > 0 && read_pair(k, &doc);
		if (!taken)
			break;
		if (k->given > 0)
			rc = give_request(k, &line, &doc, err);
		doc.n = 0;
	} while (rc == 0 && (rc = ctx_reader_next(r, &line, err)) == 1);
	ctx_doc_done(&doc);
	/* a first line that is no JSON is reported as any other */
	if (!taken && rc == -1 && err->code == CTX_EINPUT) {
		ctx_err_clear(err);
		return 0;
	}
	return rc == -1 ? -1 : taken;
}

/* --- the job ------------------------------------------------------------- */

static void
calibrate_done(struct ctx_job *job)
{
	struct ctx_calibrate *k = (struct ctx_calibrate *)job;
	size_t i;

	for (i = 0; i < k->ngroup; i++) {
		/* what its choice has of the table of models is shared */
		k->group[i]->cost.models = NULL;
		ctx_cost_done(&k->group[i]->cost);
		free(k->group[i]->point);
		free(k->group[i]);
	}
	free(k->group);
	free(k->sum);
	ctx_models_free(k->models);
}

static const struct ctx_job_kind kind = {
	.turn = calibrate_turn,
	.done = calibrate_done
};

struct ctx_job *
ctx_calibrate_new(const char *model, struct ctx_err *err)
{
	char name[CTX_MODEL_NAME_MAX], quoted[64];
	struct ctx_calibrate *k;

	if (model != NULL && !copy_name(name, (struct ctx_str){ model,
	    (uint32_t)strlen(model) })) {
		ctx_fail(err, CTX_EUSAGE, "-m '%s' can be no prefix of a line",
		    ctx_err_quote(quoted, sizeof(quoted), model,
		    strlen(model)));
		return NULL;
	}
	k = ctx_job_new(sizeof(*k), &kind, err);
	if (k == NULL)
		return NULL;
	k->only = model;
	k->job.turns.whole = 1;
	k->job.turns.branch = CTX_BRANCH_LAST;
	k->models = ctx_models_new(err);
	if (k->models == NULL) {
		ctx_job_free(&k->job);
		return NULL;
	}
	return &k->job;
}

int
ctx_calibrate_fit(struct ctx_job *j, size_t i, struct ctx_calibrated *out,
    struct ctx_err *err)
{
	struct ctx_calibrate *k = (struct ctx_calibrate *)j;
	const struct ctx_model *now;
	const struct group *g;

	memset(out, 0, sizeof(*out));
	if (i >= k->ngroup)
		return 0;
	g = k->group[i];
	strcpy(out->model, g->name);
	now = ctx_model_find(k->models, g->name);
	out->encoding = now != NULL ? "-" : ctx_tok_name(g->cost.choice.tok);
	return ctx_calibrate_points(g->point, g->npoint,
	    g->cost.choice.level != CTX_EXACT, now != NULL ? &now->fitted :
	    &g->own.fitted, out, err) == -1 ? -1 : 1;
}
