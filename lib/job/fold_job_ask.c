/* SPDX-License-Identifier: MIT */
/* A model's summary, held to its limit and facts; see fold_job_impl.h. */
#include <inttypes.h>
#include <string.h>

#include "job/fold_job_impl.h"

#define REFS_SHARE 4	/* of an answer that is cut, this part is for facts */

/* A smaller share of the facts or decisions is worth another request. */
static const struct ctx_ratio enough = { 5, 10 };

int
ctx_fold_job_ask(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	f->engine = CTX_FOLD_ASKED;
	f->q.said = f->said;
	f->q.nsaid = f->nsaid;
	f->q.old = &f->old_text;
	f->q.most = k->opts.to == CTX_FOLD_TO_ANSWER ? 0 : f->most;
	f->q.answer = &f->summary;
	f->q.convo = f->c;
	f->q.strand = f->strand;
	f->q.cut = f->cut;
	return k->opts.ask(k->opts.ask_arg, &f->q, err);
}

int
ctx_fold_job_look(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	if (!f->looked && ctx_lasting_gather(&f->facts, f->said, f->nsaid,
	    k->opts.redact, err) == -1)
		return -1;
	f->looked = 1;
	ctx_lasting_look(&f->facts, &f->summary);
	return ctx_lasting_look_decided(&f->facts, &f->summary, err);
}

/* --- a second answer ------------------------------------------------------ */

/* An answer, its tokens and how many facts and decisions it has. */
struct draft {
	struct ctx_buf *text;
	uint64_t cost;
	size_t found;
};

static int
measure(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct draft *d,
    struct ctx_err *err)
{
	if (ctx_lasting_look_decided(&f->facts, d->text, err) == -1)
		return -1;
	d->found = ctx_lasting_look(&f->facts, d->text) +
	    f->facts.decided_found;
	return ctx_fold_job_cost(k, d->text->data, d->text->len, &d->cost, err);
}

/* Has the summary less than this share of the facts, or of the decisions? */
static int
lacks(const struct ctx_lasting *facts, struct ctx_ratio share)
{
	return facts->found < ctx_ratio_up(share, facts->n) ||
	    facts->decided_found < ctx_ratio_up(share, facts->ndecided);
}

/*
 * Would too little be left, even with a line of references?  Returns 1, 0, or
 * -1 with *err.
 */
static int
loses(struct ctx_fold_job *k, struct ctx_fold_convo *f, const struct draft *d,
    struct ctx_err *err)
{
	struct ctx_extract room = { f->most, 0, ctx_fold_job_cost, k };
	struct ctx_buf text = { 0 };
	int rc;

	ctx_buf_add(&text, d->text->data, d->text->len);
	rc = ctx_buf_fail(&text, err);
	if (rc == 0)
		rc = ctx_lasting_refs(&f->facts, &room, &text, err);
	if (rc == 0)
		rc = lacks(&f->facts, enough) || f->facts.found <
		    ctx_ratio_up(k->opts.min_facts, f->facts.n);
	ctx_buf_done(&text);
	ctx_lasting_look(&f->facts, d->text);
	return rc;
}

/* Is another request worth its price?  Returns 1, 0, or -1 with *err. */
static int
asks_again(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    const struct draft *d, struct ctx_err *err)
{
	static const struct ctx_ratio all = { 1, 1 };

	if (f->most < CTX_FOLD_TEXT_MIN ||
	    k->opts.ask_again == CTX_FOLD_AGAIN_NEVER)
		return 0;
	if (d->cost > f->most)
		return 1;
	return k->opts.ask_again == CTX_FOLD_AGAIN_MISSING ?
	    lacks(&f->facts, all) : loses(k, f, d, err);
}

/* Is the second answer worth more than the first? */
static int
is_better(const struct draft *b, const struct draft *a, uint64_t most)
{
	if (b->cost <= most)
		return a->cost > most || b->found >= a->found;
	return a->cost > most && b->cost < a->cost;
}

/*
 * Ask once more, for fewer tokens or for the facts that are missing, and keep
 * the better answer.  If there is no second one, the first is still an answer.
 */
static int
revise(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct draft *first,
    struct ctx_err *err)
{
	struct ctx_extract room = { f->most, 0, ctx_fold_job_cost, k };
	struct ctx_buf missing = { 0 }, answer = { 0 };
	struct draft second = { .text = &answer };
	struct ctx_err why = { 0 };
	int rc = ctx_lasting_list(&f->facts, &room, &missing, err);

	f->again = 1;
	f->q.draft = first->text;
	f->q.missing = &missing;
	f->q.answer = &answer;
	if (rc == 0 && k->opts.ask(k->opts.ask_arg, &f->q, &why) == -1) {
		if (why.code != CTX_EREMOTE)
			rc = ctx_fail(err, why.code, "%s", why.text);
	} else if (rc == 0 && (rc = measure(k, f, &second, err)) == 0 &&
	    is_better(&second, first, f->most)) {
		ctx_buf_reset(first->text);
		ctx_buf_add(first->text, answer.data, answer.len);
		first->cost = second.cost;
		rc = ctx_buf_fail(first->text, err);
	}
	ctx_buf_done(&missing);
	ctx_buf_done(&answer);
	return rc;
}

/* --- an answer that is too long ------------------------------------------- */

/* Is there a sentence's end before byte i of the text? */
static int
ends_at(const struct ctx_buf *b, size_t i)
{
	static const char *const marks[] = { "。", "！", "？", "；" };
	const char *t = b->data;
	size_t j, n;

	if (t[i - 1] == '\n')
		return i > 1 && t[i - 2] != '\n';
	for (j = 0; j < sizeof(marks) / sizeof(marks[0]); j++) {
		n = strlen(marks[j]);
		if (i >= n && memcmp(t + i - n, marks[j], n) == 0)
			return 1;
	}
	if (i < b->len && t[i] != ' ' && t[i] != '\n')
		return 0;
	if (t[i - 1] != '.')
		return t[i - 1] == '!' || t[i - 1] == '?';
	/* "1. " begins the item of a list */
	for (j = i - 1; j > 0 && t[j - 1] >= '0' && t[j - 1] <= '9'; j--)
		;
	return j == i - 1 || (j > 0 && t[j - 1] != '\n');
}

/*
 * Cut the text after the last sentence that ends within most tokens.  The
 * tokens of a beginning grow with its length, so the place is found by halving.
 */
static int
cut(struct ctx_fold_job *k, struct ctx_buf *text, uint64_t most,
    struct ctx_err *err)
{
	size_t low = 0, high = text->len, mid;
	uint64_t n;

	while (low < high) {
		mid = high - (high - low) / 2;
		if (ctx_fold_job_cost(k, text->data, mid, &n, err) == -1)
			return -1;
		if (n <= most)
			low = mid;
		else
			high = mid - 1;
	}
	while (low > 0 && !ends_at(text, low))
		low--;
	while (low > 0 && strchr(" \n", text->data[low - 1]) != NULL)
		low--;
	text->len = low;
	return 0;
}

/* Refuse an answer of n tokens. */
static int
too_large(const struct ctx_fold_convo *f, uint64_t n, struct ctx_err *err)
{
	const uint64_t all = n + f->frame.all;

	if (all >= f->folded_tokens)
		return ctx_fail(err, CTX_EREMOTE, "the summary is not smaller "
		    "(%" PRIu64 " tokens) than what it would replace (%" PRIu64
		    ")", all, f->folded_tokens);
	if (all > f->room)
		return ctx_fail(err, CTX_EREMOTE, "the summary (%" PRIu64
		    " tokens) is larger than what is left of the budget (%"
		    PRIu64 ")", all, f->room);
	return ctx_fail(err, CTX_EREMOTE, "the summary (%" PRIu64 " tokens) is "
	    "larger than its limit (%" PRIu64 "), and no sentence of it ends "
	    "within that", n, f->most);
}

/* Cut an answer, with room for facts that are then missing. */
static int
shorten(struct ctx_fold_job *k, struct ctx_fold_convo *f, struct draft *d,
    struct ctx_err *err)
{
	const uint64_t was = d->cost;
	uint64_t most = f->most;

	if (f->facts.n > 0)
		most -= most / REFS_SHARE;
	if (cut(k, d->text, most, err) == -1 || measure(k, f, d, err) == -1)
		return -1;
	if (d->text->len > 0 && d->cost <= f->most)
		return 0;
	return too_large(f, was, err);
}

int
ctx_fold_job_asked(struct ctx_fold_job *k, struct ctx_fold_convo *f,
    struct ctx_err *err)
{
	struct ctx_extract room = { f->most, 0, ctx_fold_job_cost, k };
	struct draft d = { .text = &f->summary };
	int again;

	if (ctx_fold_job_ask(k, f, err) == -1)
		return -1;
	if (k->opts.to == CTX_FOLD_TO_ANSWER)
		return 0;
	if (ctx_fold_job_look(k, f, err) == -1 ||
	    measure(k, f, &d, err) == -1)
		return -1;
	again = asks_again(k, f, &d, err);
	if (again == -1 || (again == 1 && revise(k, f, &d, err) == -1))
		return -1;
	if (d.cost > f->most && shorten(k, f, &d, err) == -1)
		return -1;
	if (ctx_fold_job_look(k, f, err) == -1)
		return -1;
	f->written = f->facts.found;
	return ctx_lasting_refs(&f->facts, &room, &f->summary, err);
}
