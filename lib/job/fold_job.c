/* SPDX-License-Identifier: MIT */
/* The job of ctx-summarize: what goes, and its summary; see fold_job.h. */
#include "job/fold_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/when.h"
#include "decide/summary.h"
#include "extract/glyph.h"
#include "job/fold_job_impl.h"

#define TEXT_MIN 8		/* tokens; a shorter summary says nothing */

/* --- costs ------------------------------------------------------------- */

static uint64_t
less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Count the tokens of a text, for ctx_extract; arg is the job. */
static int
cost_of(void *arg, const char *text, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_fold_job *k = arg;

	return ctx_cost_text(k->opts.cost, text, len, n, err);
}

/* The cost of the new messages besides the summary's own text. */
struct frame {
	uint64_t head;		/* the marker, which max_tokens limits together
				   with the text */
	uint64_t head_size;	/* the same in ctx_glyph_size */
	uint64_t all;		/* including overhead and reply */
};

static int
measure_frame(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    struct frame *fr, struct ctx_err *err)
{
	const struct ctx_charge *r = ctx_charge_of(k->opts.cost, f->c);
	const uint64_t overhead = r == NULL ? k->opts.cost->overhead :
	    r->message + r->answer;
	struct ctx_buf b = { 0 }, none = { 0 };
	uint64_t reply = 0;
	int rc;

	rc = ctx_fold_job_head(k, f, &none, &b, err);
	if (rc == 0)
		rc = cost_of(k, b.data, b.len, &fr->head, err);
	fr->head_size = ctx_glyph_size(b.data, b.len);
	fr->all = fr->head + overhead;
	if (rc == 0 && ctx_fold_job_replies(k, f)) {
		rc = cost_of(k, CTX_SUMMARY_REPLY, strlen(CTX_SUMMARY_REPLY),
		    &reply, err);
		fr->all += reply + overhead;
	}
	ctx_buf_done(&b);
	return rc;
}

/*
 * Count what goes out besides the turns: the system messages that are sent, and
 * what a request costs besides its messages.
 */
static int
count_besides(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_charges more;
	uint64_t all, n;
	uint32_t m;

	if (ctx_charge_request(k->opts.cost, f->c, k->opts.along, &more, NULL,
	    err) == -1)
		return -1;
	all = ctx_charges_sum(&more);
	for (m = f->begin; m < f->c->nmsg; m++) {
		if (!ctx_fold_job_fixed(f->c, m) || ctx_fold_job_is_old(f, m))
			continue;
		if (ctx_cost_msg(k->opts.cost, f->c, m, &n, err) == -1)
			return -1;
		all += n;
	}
	f->fold = k->opts.fold;
	f->fold.besides = all;
	f->fold.taken = less(all, k->opts.system_free);
	f->users_room = ctx_ratio_of(f->fold.target, f->fold.budget) / 2;
	f->cut_cost = more.cut;
	return 0;
}

/* --- an earlier summary ------------------------------------------------ */

/*
 * The message of the last summary that replaces all before it, if its text can be
 * read; CTX_NONE if there is none.  Sets f->begin.
 */
static uint32_t
find_boundary(struct ctx_fold_convo *f)
{
	const struct ctx_convo *c = f->c;
	uint32_t m = c->nmsg, n;

	while (m > 0 && !(c->msg[m - 1].flags & CTX_BOUNDARY))
		m--;
	if (m-- == 0)
		return CTX_NONE;
	f->begin = m;
	/* messages that are still sent may come before it in its record */
	for (n = m; n < c->nmsg && c->msg[n].rec == c->msg[m].rec; n++)
		if (c->msg[n].flags & CTX_SUMMARY && !ctx_msg_sealed(c, n) &&
		    ctx_summary_text(c, n, NULL).len > 0)
			return n;
	return CTX_NONE;
}

/* The turns that another program's summary replaced. */
static uint64_t
turns_before(const struct ctx_fold_job *k, const struct ctx_fold_convo *f)
{
	uint64_t n = 0;
	uint32_t m;

	for (m = 0; m < f->begin; m++)
		n += !k->groups.more[m] && !ctx_fold_job_fixed(f->c, m);
	return n;
}

/* Find an earlier summary, at a boundary or at the head of the stream. */
static int
find_old(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_convo *c = f->c;
	struct ctx_str text;
	uint32_t m;

	f->old = find_boundary(f);
	m = f->first = f->begin;
	if (f->old == CTX_NONE) {
		while (m < c->nmsg && c->msg[m].role == CTX_SYSTEM &&
		    !ctx_summary_is(c, m, NULL, NULL))
			m++;
		f->first = m;
		if (m == c->nmsg || !ctx_summary_is(c, m, NULL, NULL))
			return 0;
		f->old = m;
	}
	f->old_turns = turns_before(k, f);
	text = ctx_summary_text(c, f->old, &f->old_turns);
	m = f->old + 1;
	f->nold = m < c->nmsg && ctx_summary_is_reply(c, m) ? 2 : 1;
	if (f->old == f->first)
		f->first += f->nold;
	if (ctx_str_decode(&f->old_text, text.p, text.len) == -1)
		return ctx_fail_nomem(err);
	return cost_of(k, f->old_text.data, f->old_text.len, &f->old_tokens,
	    err);
}

/* The digest of messages [0 .. n). */
static void
digest(const struct ctx_convo *c, uint32_t n, char out[CTX_SHA256_HEX])
{
	unsigned char raw[CTX_SHA256_LEN];
	const struct ctx_node *node;
	struct ctx_sha256 sha;
	struct ctx_doc doc;
	uint32_t m;

	ctx_sha256_init(&sha);
	for (m = 0; m < n; m++) {
		doc = ctx_convo_doc(c, c->msg[m].rec);
		node = &doc.node[c->msg[m].node];
		ctx_sha256_update(&sha, doc.raw + node->off, node->len);
		ctx_sha256_update(&sha, "\n", 1);
	}
	ctx_sha256_final(&sha, raw);
	ctx_sha256_text(raw, out);
}

/*
 * The key under which a conversation is remembered; a conversation line has the
 * member itself.
 */
static struct ctx_fold_memo
memo_of(const struct ctx_fold_job *k, const struct ctx_fold_convo *f)
{
	const struct ctx_strand *th = f->strand;
	const char *by = k->job.turns.by;
	struct ctx_doc doc = ctx_convo_doc(f->c, 0);
	struct ctx_fold_memo m = { 0 };
	uint32_t v = CTX_NONE;

	if (th == NULL && by != NULL)
		v = CTX_GET(&doc, 0, by);
	if (v != CTX_NONE) {
		m.key = doc.raw + doc.node[v].off;
		m.keylen = doc.node[v].len;
	}
	if (th != NULL && th->keylen > 0) {
		m.key = th->key;
		m.keylen = th->keylen;
	}
	if (th != NULL && th->sublen > 0) {
		m.side = th->key + th->keylen;
		m.sidelen = th->sublen;
	}
	return m;
}

/* Is the beginning remembered?  Then its summary is the earlier one. */
static int
recall(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct ctx_err *err)
{
	struct ctx_row anew = { .what = CTX_FOLD_ROW_ANEW };
	struct ctx_fold_memo m = memo_of(k, f);
	char hex[CTX_SHA256_HEX];

	if (!k->opts.recall(k->opts.memo_arg, &m) || m.summarylen == 0 ||
	    m.upto <= f->begin || m.upto > f->c->nmsg)
		return 0;
	digest(f->c, (uint32_t)m.upto, hex);
	if (strcmp(hex, m.sha256) != 0)
		return ctx_job_put_row(&k->job, &anew, err);
	/* a summary at the head of the stream is older */
	ctx_buf_reset(&f->old_text);
	ctx_buf_add(&f->old_text, m.summary, m.summarylen);
	f->old_turns = m.turns;
	f->recalled = 1;
	if (m.upto > f->first)
		f->first = (uint32_t)m.upto;
	if (ctx_buf_fail(&f->old_text, err) == -1)
		return -1;
	return cost_of(k, f->old_text.data, f->old_text.len, &f->old_tokens,
	    err);
}

static int
remember(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_fold_memo m = memo_of(k, f);
	char hex[CTX_SHA256_HEX];

	digest(f->c, f->cut, hex);
	m.summary = f->summary.data;
	m.summarylen = f->summary.len;
	m.tokens = f->summary_tokens;
	m.turns = f->old_turns + f->turns;
	m.upto = f->cut;
	m.sha256 = hex;
	return k->opts.remember(k->opts.memo_arg, &m, err);
}

/* --- the plan ---------------------------------------------------------- */

/* Add a turn that begins with message m. */
static int
add_turn(struct ctx_fold_job *k, uint32_t m, struct ctx_err *err)
{
	if (CTX_ROOM(k->turn, k->nturn, &k->capturn) == -1 ||
	    CTX_ROOM(k->turn_msg, k->nturn, &k->capturn_msg) == -1)
		return ctx_fail_nomem(err);
	k->turn[k->nturn] = (struct ctx_fold_turn){ 0 };
	k->turn_msg[k->nturn++] = m;
	return 0;
}

/* List the turns after the earlier summary. */
static int
list_turns(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	struct ctx_fold_turn *t;
	uint64_t n;
	uint32_t m;

	k->nturn = 0;
	for (m = f->first; m < c->nmsg; m++) {
		if (ctx_fold_job_fixed(c, m) || ctx_fold_job_is_old(f, m))
			continue;
		if ((k->nturn == 0 || !k->groups.more[m]) &&
		    add_turn(k, m, err) == -1)
			return -1;
		t = &k->turn[k->nturn - 1];
		if (ctx_cost_msg(k->opts.cost, c, m, &n, err) == -1)
			return -1;
		t->cost += n;
		t->messages += !(c->msg[m].flags & CTX_JOINED);
		if (k->turn_msg[k->nturn - 1] == m && ctx_group_begins(c, m))
			t->flags |= CTX_FOLD_USER;
		if (ctx_group_waits(c, m))
			t->flags |= CTX_FOLD_OPEN;
	}
	if (k->nturn > 0 && k->turn[k->nturn - 1].flags & CTX_FOLD_USER)
		k->turn[k->nturn - 1].flags |= CTX_FOLD_OPEN;
	return 0;
}

/*
 * A record that replaces what is before it goes as a whole, or what replaces it
 * in turn would not be sent.  Returns the number of turns that go then.
 */
static size_t
whole_boundary(const struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    size_t cut)
{
	const struct ctx_convo *c = f->c;

	if (f->strand != NULL && f->begin < c->nmsg &&
	    c->msg[f->begin].flags & CTX_BOUNDARY)
		while (cut < k->nturn && c->msg[k->turn_msg[cut]].rec ==
		    c->msg[f->begin].rec)
			cut++;
	return cut;
}

/*
 * The form of a new summary: that of the session's program, if nothing stays before it that
 * is then no longer sent.
 */
static enum ctx_summary_form
form_of(const struct ctx_fold_job *k, const struct ctx_fold_convo *f)
{
	const struct ctx_dialect *d = f->strand == NULL ? NULL :
	    f->strand->dialect;
	uint32_t m;

	if (k->opts.as != CTX_FOLD_AS_OWN || d == NULL || f->strand->sublen > 0)
		return CTX_SUMMARY_MESSAGE;
	for (m = f->begin; m < f->cut; m++)
		if (d->summary != CTX_SUMMARY_LIST &&
		    ctx_fold_job_stays(f, m))
			return CTX_SUMMARY_MESSAGE;
	return d->summary;
}

/*
 * Find the user's words that stay of what goes before message end: the newest
 * that fit in f->users_room.  Sets *from to the first of them, CTX_NONE if
 * there is none, and *sum to their tokens.
 */
static int
find_users(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    uint32_t end, uint32_t *from, uint64_t *sum, struct ctx_err *err)
{
	uint64_t n;
	uint32_t m;

	*from = CTX_NONE;
	*sum = 0;
	for (m = end; k->opts.keep_user && m-- > f->begin;) {
		if (!ctx_group_begins(f->c, m) ||
		    ctx_fold_job_fixed(f->c, m) || ctx_fold_job_is_old(f, m))
			continue;
		if (ctx_cost_msg(k->opts.cost, f->c, m, &n, err) == -1)
			return -1;
		if (n > f->users_room - *sum)
			break;
		*sum += n;
		*from = m;
	}
	return 0;
}

/* Choose how many turns go.  0, or -1 with *err. */
static int
choose(struct ctx_fold_job *k, struct ctx_fold_convo *f, size_t *cut,
    struct ctx_err *err)
{
	uint64_t before = 0;

	f->users_before = f->users = CTX_NONE;
	if (list_turns(k, f, err) == -1 || count_besides(k, f, err) == -1 ||
	    (f->recalled &&
	    find_users(k, f, f->first, &f->users_before, &before, err) == -1))
		return -1;
	f->why = ctx_fold_cut(&f->fold, k->turn, k->nturn,
	    f->old_tokens + before, cut);
	if (f->why == CTX_FOLD_YES && *cut == 0)
		f->why = CTX_FOLD_LITTLE;
	if (f->why == CTX_FOLD_YES)
		*cut = whole_boundary(k, f, *cut);
	return 0;
}

/* Add message m to what goes. */
static int
add_gone(struct ctx_fold_job *k, struct ctx_fold_convo *f, uint32_t m,
    struct ctx_err *err)
{
	uint64_t n;

	if (ctx_cost_msg(k->opts.cost, f->c, m, &n, err) == -1)
		return -1;
	f->folded_tokens += n;
	return 0;
}

/*
 * Add up the turns before cut that go, and the user's words that stayed until
 * now.
 */
static int
add_turns(struct ctx_fold_job *k, struct ctx_fold_convo *f, size_t cut,
    struct ctx_err *err)
{
	uint32_t m;
	size_t i;

	f->kept = k->nturn - cut;
	for (i = 0; i < cut; i++)
		if (ctx_fold_job_stays(f, k->turn_msg[i]))
			f->kept++;
		else {
			f->turns++;
			f->folded_tokens += k->turn[i].cost;
		}
	for (m = f->users_before; m < f->first && m < f->users; m++)
		if (ctx_group_begins(f->c, m) &&
		    !ctx_fold_job_fixed(f->c, m) &&
		    !ctx_fold_job_is_old(f, m)) {
			f->turns++;
			if (add_gone(k, f, m, err) == -1)
				return -1;
		}
	return 0;
}

/* Leave all that is not folded yet. */
static void
leave(const struct ctx_fold_job *k, struct ctx_fold_convo *f)
{
	f->turns = 0;
	f->kept = k->nturn;
	f->cut = f->first;
	f->users = f->users_before;
}

/* The tokens of the turns that stay. */
static uint64_t
cost_kept(const struct ctx_fold_job *k, size_t cut)
{
	uint64_t n = 0;

	for (; cut < k->nturn; cut++)
		n += k->turn[cut].cost;
	return n;
}

/* Are the tokens that stay limited? */
static int
is_limited(const struct ctx_fold *fold)
{
	return !fold->all && (fold->both || (fold->last == 0 && !fold->half));
}

/* Find the user's words that stay besides the turns that do, kept tokens. */
static int
choose_users(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    uint64_t *kept, struct ctx_err *err)
{
	uint64_t room = less(ctx_fold_room(&f->fold), *kept), n;

	if (is_limited(&f->fold) && f->users_room > room)
		f->users_room = room;
	if (find_users(k, f, f->cut, &f->users, &n, err) == -1)
		return -1;
	*kept += n;
	return 0;
}

/*
 * What the budget leaves for the summary, if tokens are limited.  If what has to
 * stay is too long by itself, there is no limit: less is better.
 */
static uint64_t
room_of(const struct ctx_fold_convo *f, uint64_t kept)
{
	kept += f->fold.taken + f->cut_cost;
	return !is_limited(&f->fold) || kept > f->fold.budget ? UINT64_MAX :
	    f->fold.budget - kept;
}

/* Plan where to cut, in turns and messages, and add up what goes. */
static int
plan(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	uint64_t n;
	size_t cut;
	uint32_t m;

	if (choose(k, f, &cut, err) == -1)
		return -1;
	f->cut = cut < k->nturn ? k->turn_msg[cut] : c->nmsg;
	n = cost_kept(k, cut);
	if (f->why == CTX_FOLD_YES &&
	    (choose_users(k, f, &n, err) == -1 ||
	    add_turns(k, f, cut, err) == -1))
		return -1;
	f->room = room_of(f, n);
	if (f->why == CTX_FOLD_YES && f->turns == 0)
		f->why = CTX_FOLD_LITTLE;
	if (f->why != CTX_FOLD_YES)
		leave(k, f);
	f->form = form_of(k, f);
	for (m = f->old; f->old != CTX_NONE && m < f->old + f->nold; m++)
		if (add_gone(k, f, m, err) == -1)
			return -1;
	return 0;
}

/* --- summarizing ------------------------------------------------------- */

/* By how many tokens the new messages are larger than their room. */
static int
excess(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const struct frame *fr, uint64_t *n, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc;

	*n = 0;
	if (f->room == UINT64_MAX)
		return 0;
	rc = ctx_fold_job_head(k, f, &f->summary, &b, err);
	if (rc == 0)
		rc = cost_of(k, b.data, b.len, n, err);
	*n = less(*n + fr->all - fr->head, f->room);
	ctx_buf_done(&b);
	return rc;
}

/*
 * Extract a summary of x->budget tokens, or of fewer if the parts of a text cost
 * less than the whole.  Returns 0, 1 if there is none, -1 with *err.
 */
static int
extract(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    const struct frame *fr, struct ctx_extract *x, struct ctx_err *err)
{
	uint64_t over;

	for (; x->budget >= TEXT_MIN; x->budget = less(x->budget, over)) {
		ctx_buf_reset(&f->summary);
		if (ctx_extract(f->said, f->nsaid, x, &f->summary, err) == -1)
			return -1;
		if (f->summary.len == 0)
			return 1;
		if (excess(k, f, fr, &over, err) == -1)
			return -1;
		if (over == 0)
			return 0;
	}
	return 1;
}

/* Summarize offline, within the limit and in fewer tokens than are replaced. */
static int
summarize_offline(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    const struct frame *fr, struct ctx_err *err)
{
	struct ctx_extract x = { 0, 0, cost_of, k };
	uint64_t most = less(f->folded_tokens, fr->all + 1);

	x.budget = less(k->opts.max_tokens, fr->head);
	x.size = less(k->opts.max_tokens, fr->head_size);
	if (most > less(f->room, fr->all))
		most = less(f->room, fr->all);
	if (x.budget > most)
		x.budget = most;
	f->engine = CTX_FOLD_OFFLINE;
	return x.size == 0 ? 1 : extract(k, f, fr, &x, err);
}

static int
ask(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct ctx_err *err)
{
	f->engine = CTX_FOLD_ASKED;
	f->q.said = f->said;
	f->q.nsaid = f->nsaid;
	f->q.old = &f->old_text;
	f->q.answer = &f->summary;
	return k->opts.ask(k->opts.ask_arg, &f->q, err);
}

/*
 * Ask for a summary; fail if it is larger than what it would replace, or than
 * what is left of the budget.
 */
static int
summarize_asking(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    const struct frame *fr, struct ctx_err *err)
{
	uint64_t n;

	if (ask(k, f, err) == -1 || cost_of(k, f->summary.data, f->summary.len,
	    &n, err) == -1)
		return -1;
	n += fr->all;
	if (k->opts.to == CTX_FOLD_TO_ANSWER)
		return 0;
	if (n >= f->folded_tokens)
		return ctx_fail(err, CTX_EREMOTE, "the summary is not smaller "
		    "(%" PRIu64 " tokens) than what it would replace (%" PRIu64
		    ")", n, f->folded_tokens);
	if (n > f->room)
		return ctx_fail(err, CTX_EREMOTE, "the summary (%" PRIu64
		    " tokens) is larger than what is left of the budget (%"
		    PRIu64 ")", n, f->room);
	return 0;
}

static int
put_offline(struct ctx_fold_job *k, const struct ctx_err *why,
    struct ctx_err *err)
{
	struct ctx_row row = { .what = CTX_FOLD_ROW_OFFLINE,
	    .text = why->text, .textlen = strlen(why->text) };

	return ctx_job_put_row(&k->job, &row, err);
}

/* Make a new summary.  Returns 0, 1 if none can be made, -1 with *err. */
static int
make_summary(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	struct frame fr;

	if (measure_frame(k, f, &fr, err) == -1)
		return -1;
	if (k->opts.ask != NULL) {
		if (summarize_asking(k, f, &fr, &why) == 0)
			return 0;
		if (!k->opts.fallback || why.code != CTX_EREMOTE) {
			*err = why;
			return -1;
		}
		if (put_offline(k, &why, err) == -1)
			return -1;
	}
	return summarize_offline(k, f, &fr, err);
}

/* --- one conversation -------------------------------------------------- */

/* Add the result to the totals and report it with the reason. */
static int
put_done(struct ctx_fold_job *k, const struct ctx_fold_convo *f,
    const char *why, struct ctx_err *err)
{
	struct ctx_fold_memo m = memo_of(k, f);
	struct ctx_row row = { .what = CTX_FOLD_ROW_DONE,
	    .rule = f->failed ? "failed" : f->turns > 0 ? "folded" :
	    "unchanged", .name = m.key, .namelen = m.keylen, .text = why,
	    .textlen = strlen(why), .n = {
		[CTX_FOLD_N_TURNS] = f->turns,
		[CTX_FOLD_N_KEPT] = f->kept,
		[CTX_FOLD_N_ALL] = f->old_turns + f->turns,
		[CTX_FOLD_N_TOKENS] = f->folded_tokens,
		[CTX_FOLD_N_SUMMARY] = f->summary_tokens,
		[CTX_FOLD_N_MS] = f->ms,
		[CTX_FOLD_N_ENGINE] = f->engine,
		[CTX_FOLD_N_TRIES] = f->q.tries,
		[CTX_FOLD_N_PROMPT] = (uint64_t)f->q.prompt_tokens,
		[CTX_FOLD_N_OUTPUT] = (uint64_t)f->q.output_tokens
	    } };

	k->sums.conversations++;
	k->sums.failed += (uint64_t)f->failed;
	if (f->turns > 0) {
		k->sums.folded++;
		k->sums.turns += f->turns;
		k->sums.tokens += f->folded_tokens;
		k->sums.summary_tokens += f->summary_tokens;
	}
	return ctx_job_put_row(&k->job, &row, err);
}

/* There is no summary: keep the input and report why. */
static int
fail(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    const struct ctx_err *why, struct ctx_err *err)
{
	if (why->code != CTX_EREMOTE) {
		*err = *why;
		return -1;
	}
	f->failed = 1;
	leave(k, f);
	if (put_done(k, f, why->text, err) == -1)
		return -1;
	return k->opts.to != CTX_FOLD_TO_STREAM ? 0 :
	    ctx_fold_job_write_same(k, f, err);
}

/* Keep the conversation as it is, with any earlier summary in place. */
static int
keep_old(const struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	leave(k, f);
	ctx_buf_reset(&f->summary);
	ctx_buf_add(&f->summary, f->old_text.data, f->old_text.len);
	f->summary_tokens = f->old_tokens;
	return ctx_buf_fail(&f->summary, err);
}

/* Write the answer of ask as it is. */
static int
write_question(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	if (ask(k, f, err) == -1)
		return -1;
	return ctx_job_put(&k->job, CTX_TO_OUT, f->summary.data,
	    f->summary.len, NULL, err);
}

/* Write the conversation with its summary if rc is 0, without one if 1. */
static int
write_convo(struct ctx_fold_job *k, struct ctx_fold_convo *f, int rc,
    struct ctx_err *err)
{
	const char *why = f->why == CTX_FOLD_YES && rc == 1 ?
	    "no room for a summary" : ctx_fold_text(f->why);

	if (rc == 1 ? keep_old(k, f, err) == -1 : cost_of(k, f->summary.data,
	    f->summary.len, &f->summary_tokens, err) == -1)
		return -1;
	if (put_done(k, f, why, err) == -1 ||
	    ctx_fold_job_write(k, f, err) == -1)
		return -1;
	return k->opts.remember != NULL && f->turns > 0 ?
	    remember(k, f, err) : 0;
}

static int
fold(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int64_t start;
	int rc = 1;

	if (ctx_groups_find(&k->groups, f->c, err) == -1 ||
	    find_old(k, f, err) == -1 ||
	    (k->opts.recall != NULL && recall(k, f, err) == -1) ||
	    plan(k, f, err) == -1)
		return -1;
	if (f->why == CTX_FOLD_YES) {
		if (ctx_fold_job_gather(f, err) == -1)
			return -1;
		if (k->opts.to == CTX_FOLD_TO_QUESTION)
			return write_question(k, f, err);
		start = ctx_when_now();
		rc = make_summary(k, f, &why);
		/* the clock may have been set back */
		f->ms = less((uint64_t)ctx_when_now(), (uint64_t)start) / 1000;
		if (rc == -1)
			return fail(k, f, &why, err);
	}
	return write_convo(k, f, rc, err);
}

/* --- the job ----------------------------------------------------------- */

static int
fold_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_fold_job *k = job;
	struct ctx_fold_convo f = { .c = turn->convo, .strand = turn->strand,
	    .q = { .prompt_tokens = -1, .output_tokens = -1 } };
	int rc;

	/* after a bad line, nothing of the conversation is written */
	if (turn->strand != NULL && k->job.cut_off)
		return 0;
	rc = fold(k, &f, err);
	free(f.said);
	ctx_buf_done(&f.text);
	ctx_buf_done(&f.old_text);
	ctx_buf_done(&f.summary);
	return rc;
}

static struct ctx_job *
fold_another(const struct ctx_job *job, struct ctx_err *err)
{
	const struct ctx_fold_job *from = (const struct ctx_fold_job *)job;
	struct ctx_job *j = ctx_fold_job_new(&from->opts, err);
	struct ctx_fold_job *k = (struct ctx_fold_job *)j;

	if (j == NULL)
		return NULL;
	if (ctx_cost_like(&k->own_cost, from->opts.cost, err) == -1) {
		ctx_job_free(j);
		return NULL;
	}
	k->opts.cost = &k->own_cost;
	return j;
}

static void
fold_done(struct ctx_job *job)
{
	struct ctx_fold_job *k = (struct ctx_fold_job *)job;

	ctx_fold_job_give_up(job);
	free(k->line);
	free(k->turn);
	free(k->turn_msg);
	ctx_groups_done(&k->groups);
	ctx_plan_done(&k->plan);
	ctx_edit_done(&k->edit);
	ctx_cost_done(&k->own_cost);
}

#define ONE_THREAD \
	.turn = fold_turn, \
	.file_end = ctx_fold_job_file_end, \
	.give_up = ctx_fold_job_give_up, \
	.done = fold_done

static const struct ctx_job_kind in_order = { ONE_THREAD };

static const struct ctx_job_kind kind = {
	ONE_THREAD,
	.another = fold_another,
	.sums = offsetof(struct ctx_fold_job, sums),
	.nsums = sizeof(struct ctx_fold_job_sums) / sizeof(uint64_t)
};

struct ctx_job *
ctx_fold_job_new(const struct ctx_fold_job_opts *opts, struct ctx_err *err)
{
	struct ctx_fold_job *k = ctx_job_new(sizeof(*k), opts->ask != NULL ||
	    opts->recall != NULL ? &in_order : &kind, err);

	if (k == NULL)
		return NULL;
	k->job.turns.whole = k->job.turns.chained = 1;
	k->job.turns.branch = CTX_BRANCH_LAST;
	k->opts = *opts;
	return &k->job;
}

const struct ctx_fold_job_sums *
ctx_fold_job_figures(const struct ctx_job *j)
{
	return &((const struct ctx_fold_job *)j)->sums;
}
