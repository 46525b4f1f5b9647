/* SPDX-License-Identifier: MIT */
/*
 * The laws of ctx-clean and ctx-truncate for every history of up to N messages
 * over three ids (4, or the argument): what is written is valid by a definition
 * of its own (every_api.h), a second run changes nothing, what is valid is not
 * touched, and no more is lost than must be, which is found by trying.
 */
#include <stdint.h>

#include "base/sanitized.h"
#include "job/clean.h"
#include "job/cut.h"

#include "check.h"
#include "every_api.h"
#include "jobs.h"

/* With a sanitizer, four messages take too long for each run of the tests. */
#define MESSAGES	(CTX_SANITIZED ? 3 : 4)

#define SHOWN	20	/* failures; then it ends */

enum mode { TRIM, DROP, REPAIR, PENDING, MODES };

static const char *const mode_names[] = { "trim", "drop", "repair",
    "keep-pending" };

static struct ctx_markers notes;
static struct ctx_cost by_member = { .key = "n" };
static struct ctx_clean_opts clean_opts[MODES], check_opts;
static struct ctx_job *cleans[MODES], *checks;

/* Limits: of messages, with whole groups or without, and of tokens. */
enum limit { KEEP_EDGE, DROP_EDGE, TOKENS, LIMITS };
#define LIMIT_MOST	(EVERY_MOST * 5)
static struct ctx_cut_opts cut_opts[LIMITS][3][LIMIT_MOST + 1];
static struct ctx_job *cuts[LIMITS][3][LIMIT_MOST + 1];

static struct {
	unsigned long long histories, valid, windows;
	int failures;
} did;

static const struct ctx_dialect *const dialects[] = {
	[EVERY_OPENAI] = &ctx_dialect_openai,
	[EVERY_ANTHROPIC] = &ctx_dialect_anthropic,
	[EVERY_RESPONSES] = &ctx_dialect_responses
};

static void
holds(int ok, const struct every *h, const char *how, const char *law,
    const char *out)
{
	check.checks++;
	if (ok)
		return;
	check.wrong++;
	fprintf(stderr, "%s: \"%s\", %s: %s: %s", check.name, every_words(h),
	    how, law, out != NULL ? out : "\n");
	if (++did.failures == SHOWN)
		exit(CHECK_DONE("every"));
}

/* --- jobs ---------------------------------------------------------------- */

static struct gave gave;
static struct ctx_buf in, lines, again;

/* Give the job the text; its output is in gave, which ends in a NUL. */
static const char *
run(struct ctx_job *j, const struct ctx_buf *text, const struct every *h)
{
	struct ctx_err err = { 0 };

	ctx_buf_reset(&gave.out);
	ctx_buf_reset(&gave.rows);
	j->sink = (struct ctx_sink){ gave_bytes, gave_row, &gave };
	if (give_text(j, text, &err) == -1)
		holds(0, h, "a job", err.text, NULL);
	return ctx_buf_str(&gave.out);
}

static void
new_jobs(enum every_dialect d)
{
	struct ctx_err err = { 0 };
	int m;

	for (m = 0; m < MODES; m++) {
		clean_opts[m] = (struct ctx_clean_opts){ .notes = &notes };
		clean_opts[m].links.unanswered = m == DROP ? CTX_DROP :
		    m == REPAIR ? CTX_REPAIR : CTX_TRIM;
		clean_opts[m].links.keep_pending = m == PENDING;
		if ((cleans[m] = ctx_clean_new(&clean_opts[m], &err)) == NULL)
			abort();
		cleans[m]->turns.dialect = dialects[d];
	}
	check_opts = (struct ctx_clean_opts){ .notes = &notes, .check = 1 };
	if ((checks = ctx_clean_new(&check_opts, &err)) == NULL)
		abort();
	checks->turns.dialect = dialects[d];
}

static struct ctx_job *
cut_job(enum every_dialect d, enum limit limit, enum ctx_cut_start start,
    int most)
{
	struct ctx_cut_opts *o = &cut_opts[limit][start][most];
	struct ctx_job **j = &cuts[limit][start][most];
	struct ctx_err err = { 0 };

	if (*j != NULL)
		return *j;
	*o = (struct ctx_cut_opts){ .notes = &notes, .start = start };
	if (limit == TOKENS) {
		o->win.tokens = (uint64_t)most;
		o->win.has_tokens = o->counting = 1;
		o->cost = &by_member;
	} else {
		o->win.last = (uint64_t)most;
		o->win.edge_drop = limit == DROP_EDGE;
	}
	if ((*j = ctx_cut_new(o, &err)) == NULL)
		abort();
	(*j)->turns.dialect = dialects[d];
	return *j;
}

static void
free_jobs(void)
{
	struct ctx_job **j = &cuts[0][0][0];
	size_t i;

	for (i = 0; i < sizeof(cuts) / sizeof(*j); i++)
		if (j[i] != NULL)
			ctx_job_free(j[i]);
	memset(cuts, 0, sizeof(cuts));
	for (i = 0; i < MODES; i++)
		ctx_job_free(cleans[i]);
	ctx_job_free(checks);
}

/* --- cleaning ------------------------------------------------------------ */

/* The parts of a kind, in order. */
struct tags {
	int n, tag[EVERY_MSGS * EVERY_PARTS];
};

static void
tags_of(struct tags *t, const struct every *h, char kind)
{
	int m, k;

	t->n = 0;
	for (m = 0; m < h->n; m++)
		for (k = 0; k < h->msg[m].npart; k++)
			if (EVERY_PART(h, m, k)->kind == kind)
				t->tag[t->n++] = EVERY_PART(h, m, k)->tag;
}

static int
same_tags(const struct tags *a, const struct tags *b)
{
	return a->n == b->n &&
	    memcmp(a->tag, b->tag, (size_t)a->n * sizeof(*a->tag)) == 0;
}

/* Are the tags of a among those of b, in order? */
static int
among(const struct tags *a, const struct tags *b)
{
	int i, k;

	for (i = k = 0; i < a->n; i++, k++)
		while (k == b->n || b->tag[k] != a->tag[i])
			if (k++ >= b->n)
				return 0;
	return 1;
}

/* How many results with that id follow message m before the next run? */
static int
results_of(const struct every *h, int m, const char *id)
{
	int k, n = 0;

	while (m < h->n && h->msg[m].role == 'A')
		m++;
	for (; m < h->n && h->msg[m].role != 'A'; m++)
		for (k = 0; k < h->msg[m].npart; k++)
			n += EVERY_PART(h, m, k)->kind == 'r' &&
			    strcmp(EVERY_PART(h, m, k)->id, id) == 0;
	return n;
}

/* How many calls of message m with that id come before its part k? */
static int
calls_before(const struct every *h, int m, int k, const char *id)
{
	int n = 0;

	while (k-- > 0)
		n += EVERY_PART(h, m, k)->kind == 'c' &&
		    strcmp(EVERY_PART(h, m, k)->id, id) == 0;
	return n;
}

/*
 * The calls that have a result.  A run of the assistant's messages and what
 * follows it up to the next run belong together.  If there are fewer results
 * with an id than calls, those of the latest message have them, and in a
 * message the first ones.
 */
static void
answered(struct tags *t, const struct every *h)
{
	const char *id;
	int m, k, i, n;

	t->n = 0;
	for (m = 0; m < h->n; m++)
		for (k = 0; k < h->msg[m].npart; k++) {
			id = EVERY_PART(h, m, k)->id;
			n = calls_before(h, m, k, id);
			for (i = m + 1; i < h->n && h->msg[i].role == 'A'; i++)
				n += calls_before(h, i, h->msg[i].npart, id);
			if (EVERY_PART(h, m, k)->kind == 'c' &&
			    n < results_of(h, m, id))
				t->tag[t->n++] = EVERY_PART(h, m, k)->tag;
		}
}

/* The id that the part with that tag had in h. */
static char
id_in(const struct every *h, int tag)
{
	int m, k;

	for (m = 0; m < h->n; m++)
		for (k = 0; k < h->msg[m].npart; k++)
			if (EVERY_PART(h, m, k)->tag == tag)
				return *EVERY_PART(h, m, k)->id;
	return '?';
}

/* Is each id as it was, or the same with a number? */
static int
same_ids(const struct every *h, const struct every *out)
{
	const struct every_part *p;
	int m, k;

	for (m = 0; m < out->n; m++)
		for (k = 0; k < out->msg[m].npart; k++) {
			p = EVERY_PART(out, m, k);
			if (*p->id != '\0' && p->tag != -1 &&
			    *p->id != id_in(h, p->tag))
				return 0;
		}
	return 1;
}

/* Is each message with calls either gone or as it was? */
static int
whole_messages(const struct every *h, const struct every *out)
{
	int m, k, first;

	for (m = 0; m < out->n; m++) {
		if (out->msg[m].role != 'A' ||
		    out->msg[m].part[0].kind != 'c')
			continue;
		first = out->msg[m].part[0].tag;
		if (out->msg[m].npart != h->msg[first / 8].npart)
			return 0;
		for (k = 0; k < out->msg[m].npart; k++)
			if (out->msg[m].part[k].tag != first + k)
				return 0;
	}
	return 1;
}

/* Is no more lost than must be? */
static void
minimal(const struct every *h, const struct every *out, enum mode mode)
{
	struct tags text, calls, kept, results, paired;
	const char *how = mode_names[mode];
	int added = 0, i;

	answered(&paired, h);
	tags_of(&text, h, '.');
	tags_of(&kept, out, '.');
	holds(same_tags(&text, &kept), h, how, "texts are lost", NULL);
	tags_of(&calls, h, 'c');
	tags_of(&kept, out, 'c');
	tags_of(&results, out, 'r');
	for (i = 0; i < results.n; i++)
		added += results.tag[i] == -1;
	holds(among(&kept, &calls), h, how, "calls are not in order", NULL);
	holds(same_ids(h, out), h, how, "another id", NULL);
	holds(results.n == kept.n, h, how, "results are lost", NULL);
	if (mode == TRIM)
		holds(same_tags(&kept, &paired) && added == 0, h, how,
		    "calls are lost", NULL);
	if (mode == REPAIR)
		holds(same_tags(&kept, &calls) && results.n - added ==
		    paired.n, h, how, "calls or results are lost", NULL);
	if (mode == DROP)
		holds(whole_messages(h, out) && added == 0 && (paired.n <
		    calls.n || same_tags(&kept, &paired)), h, how,
		    "messages are lost", NULL);
}

/* Calls that wait are answered: then nothing of them is lost. */
static void
pending(const struct every *h, const struct every *out)
{
	struct every more = *out, after = { .d = h->d };
	struct tags before, kept;
	const char *s, *why;
	int m, k;

	if (every_bad(out) == NULL)
		return;
	tags_of(&before, out, 'c');
	for (m = 0; m < out->n; m++)
		for (k = 0; k < out->msg[m].npart; k++)
			if (EVERY_PART(out, m, k)->kind == 'c') {
				more.msg[more.n] = (struct every_msg){
				    .role = h->d == EVERY_ANTHROPIC ? 'u' :
				    't', .npart = 1 };
				*EVERY_PART(&more, more.n, 0) =
				    *EVERY_PART(out, m, k);
				EVERY_PART(&more, more.n++, 0)->kind = 'r';
			}
	ctx_buf_reset(&again);
	every_line(&again, &more);
	s = run(cleans[TRIM], &again, h);
	if (!every_read(&after, s, gave.out.len))
		holds(0, h, "answered", "not a conversation", s);
	why = every_bad(&after);
	holds(why == NULL, h, "answered", why, s);
	tags_of(&kept, &after, 'c');
	holds(same_tags(&before, &kept), h, "answered", "calls are lost", s);
}

/* Message lines become what the conversation in line became. */
static void
as_lines(const struct every *h, const char *line, enum mode mode)
{
	const char *s, *end;

	line = strchr(line, '[') + 1;
	for (s = run(cleans[mode], &lines, h); *s != '\0'; s = end + 1) {
		end = strchr(s, '\n');
		if (strncmp(line, s, (size_t)(end - s)) != 0)
			break;
		line += end - s;
		line += *line == ',';
	}
	holds(*s == '\0' && strcmp(line, "]}\n") == 0, h, mode_names[mode],
	    "lines differ", ctx_buf_str(&gave.out));
}

static void
cleaned(const struct every *h, enum mode mode, int valid)
{
	static struct every out;
	const char *s, *how = mode_names[mode], *why;

	s = run(cleans[mode], &in, h);
	if (valid)
		holds(strcmp(s, ctx_buf_str(&in)) == 0, h, how,
		    "what is valid is changed", s);
	/* several modes often give the same */
	if (again.len == 0 || strcmp(s, ctx_buf_str(&again)) != 0) {
		out.d = h->d;
		if (!every_read(&out, s, gave.out.len)) {
			holds(0, h, how, "not a conversation", s);
			return;
		}
	}
	why = mode == PENDING ? NULL : every_bad(&out);
	holds(why == NULL, h, how, why, s);
	ctx_buf_reset(&again);
	ctx_buf_add(&again, s, gave.out.len);
	s = run(cleans[mode], &again, h);
	holds(strcmp(s, ctx_buf_str(&again)) == 0, h, how,
	    "a second run changes it", s);
	if (mode != PENDING && h->d != EVERY_RESPONSES)
		minimal(h, &out, mode);
	as_lines(h, ctx_buf_str(&again), mode);
	if (mode == PENDING)
		pending(h, &out);
}

/* --check finds an error in what is not valid, and in nothing else. */
static void
checked(const struct every *h, int valid)
{
	const char *row, *s;
	int errors = 0;

	run(checks, &in, h);
	s = ctx_buf_str(&gave.rows);
	for (row = s; *row != '\0'; row = strchr(row, '\n') + 1)
		/* how a request must begin is not a matter of the history */
		errors += strncmp(row, "first-not-user ", 15) != 0;
	holds((errors == 0) == valid, h, "check", every_bad(h), s);
}

/* --- windows ------------------------------------------------------------- */

static int
is_user(const struct every_msg *m)
{
	int k;

	for (k = 0; k < m->npart; k++)
		if (m->part[k].kind != '.')
			return 0;
	return m->role == 'u';
}

struct size {
	int messages;		/* without system messages; items of one answer
				   are one */
	int tokens;
};

/* Is message m one with the message before it to the API? */
static int
goes_on(const struct every *h, int m)
{
	return h->d == EVERY_RESPONSES && m > 0 && h->msg[m].role == 'A' &&
	    h->msg[m - 1].role == 'A';
}

static struct size
size_of(const struct every *h, const struct every *costs)
{
	struct size s = { 0 };
	int m;

	for (m = 0; m < h->n; m++) {
		s.messages += h->msg[m].role != 's' &&
		    !goes_on(h, m);
		s.tokens += every_cost(costs, h->msg[m].part[0].tag / 8);
	}
	return s;
}

/* The system messages of h, and all others from message i on. */
static void
from(struct every *w, const struct every *h, int i)
{
	int m;

	w->d = h->d;
	w->n = 0;
	for (m = 0; m < h->n; m++)
		if (m >= i || h->msg[m].role == 's')
			w->msg[w->n++] = h->msg[m];
}

/* May a window begin with message i? */
static int
begins(const struct every *h, int i, int user)
{
	struct every w;

	if (h->msg[i].role == 's' || (user && !is_user(&h->msg[i])))
		return 0;
	if (goes_on(h, i))
		return 0;
	from(&w, h, i);
	return every_bad(&w) == NULL;
}

struct fit {
	int best;	/* messages of the longest window that fits; -1 */
	int least;	/* of the shortest one; -1 */
	int above;	/* of the shortest one that has as many; -1 */
};

static struct fit
try_all(const struct every *h, enum limit limit, int most, int user)
{
	struct fit f = { -1, -1, -1 };
	struct every w;
	struct size s;
	int i;

	for (i = h->n - 1; i >= 0; i--) {
		if (!begins(h, i, user))
			continue;
		from(&w, h, i);
		s = size_of(&w, h);
		if (f.least == -1)
			f.least = s.messages;
		if ((limit == TOKENS ? s.tokens : s.messages) <= most)
			f.best = s.messages;
		if (s.messages >= most && f.above == -1)
			f.above = s.messages;
	}
	return f;
}

/* Can a window begin with a user's message? */
static int
from_user(const struct every *h)
{
	int m;

	for (m = 0; m < h->n; m++)
		if (begins(h, m, 1))
			return 1;
	return 0;
}

static const char *
not_whole(const struct every *h, const struct every *out)
{
	struct tags a, b;
	struct every s;

	from(&s, h, h->n);
	tags_of(&a, &s, '.');
	tags_of(&b, out, '.');
	if (!among(&a, &b))
		return "a system message is gone";
	tags_of(&a, h, '.');
	if (!among(&b, &a))
		return "texts are not in order";
	if (size_of(h, h).messages > 0 &&
	    (out->n == 0 || out->msg[out->n - 1].part[0].tag !=
	    h->msg[h->n - 1].part[0].tag))
		return "the newest message is gone";
	return every_bad(out);
}

static void
cut(const struct every *h, enum limit limit, enum ctx_cut_start start,
    int most)
{
	const int user = start != CTX_CUT_ANY && from_user(h) &&
	    (start == CTX_CUT_USER || h->d == EVERY_ANTHROPIC);
	struct fit f = try_all(h, limit, most, user);
	struct every out = { .d = h->d };
	struct size s;
	const char *text;
	char how[80];

	did.windows++;
	snprintf(how, sizeof(how), "%s %d, start %d", limit == TOKENS ?
	    "tokens" : limit == KEEP_EDGE ? "messages" : "at most", most,
	    start);
	text = run(cut_job(h->d, limit, start, most), &in, h);
	if (gave.out.len == 0) {
		holds(limit == TOKENS && gave.rows.len > 0 && f.best == -1, h,
		    how, "left out", ctx_buf_str(&gave.rows));
		return;
	}
	if (!every_read(&out, text, gave.out.len))
		abort();
	s = size_of(&out, h);
	holds(not_whole(h, &out) == NULL, h, how, not_whole(h, &out), text);
	holds(s.messages >= f.best, h, how, "a longer one fits", text);
	if (limit == TOKENS)
		holds(s.tokens <= most, h, how, "above the budget", text);
	else if (limit == DROP_EDGE)
		holds(s.messages <= (f.best == -1 ? f.least : most), h, how,
		    "above the limit", text);
	else if (!user && size_of(h, h).messages >= most)
		holds(s.messages == f.above, h, how, "not the newest", text);
}

static void
windows(const struct every *h)
{
	const struct size all = size_of(h, h);
	enum ctx_cut_start start;
	int most;

	for (start = CTX_CUT_AUTO; start <= CTX_CUT_ANY; start++) {
		for (most = 1; most <= all.messages; most++) {
			cut(h, KEEP_EDGE, start, most);
			cut(h, DROP_EDGE, start, most);
		}
		for (most = 1; most <= all.tokens; most++)
			cut(h, TOKENS, start, most);
	}
}

static void
history(const struct every *h)
{
	const int valid = every_bad(h) == NULL;
	enum mode mode;
	int m;

	did.histories++;
	did.valid += (unsigned)valid;
	ctx_buf_reset(&in);
	every_line(&in, h);
	ctx_buf_reset(&lines);
	for (m = 0; m < h->n; m++) {
		every_spell(&lines, h, m);
		ctx_buf_addc(&lines, '\n');
	}
	ctx_buf_reset(&again);
	for (mode = 0; mode < MODES; mode++)
		cleaned(h, mode, valid);
	checked(h, valid);
	if (valid)
		windows(h);
}

static void
all(const char *name, enum every_dialect d, const char *const *words, int most)
{
	struct every h = { .d = d };
	int n;

	TEST("%s", name);
	new_jobs(d);
	for (n = 1; n <= most; n++)
		every_history(&h, words, n, 0, history);
	free_jobs();
}

int
main(int argc, char *argv[])
{
	int most = argc > 1 ? atoi(argv[1]) : MESSAGES;

	if (most < 1 || most > EVERY_MOST) {
		fprintf(stderr, "usage: test_every [1 to %d]\n", EVERY_MOST);
		return 2;
	}
	all("openai", EVERY_OPENAI, every_openai, most);
	all("anthropic", EVERY_ANTHROPIC, every_anthropic, most);
	all("responses", EVERY_RESPONSES, every_responses, most);
	fprintf(stderr, "%llu histories of up to %d messages, %llu of them "
	    "valid, %llu windows of these\n", did.histories, most, did.valid,
	    did.windows);
	gave_done(&gave);
	ctx_buf_done(&in);
	ctx_buf_done(&lines);
	ctx_buf_done(&again);
	return CHECK_DONE("every");
}
