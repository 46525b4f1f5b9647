/* SPDX-License-Identifier: MIT */
/* The repair of histories whose calls and results do not match. */
#include "decide/links.h"

#include "check.h"
#include "by_hand.h"

#define O	&ctx_dialect_openai
#define A	&ctx_dialect_anthropic
#define G	&ctx_dialect_gemini

/*
 * The plan, as the numbers of the messages that are written, each with the
 * parts that are removed (-), renamed (=new) or moved to the front (^), named
 * by id, or "." and so on for parts without one.  "+a" is a generated result of
 * call a, "m" a new message with results that are moved.  Then the findings,
 * with their messages.
 */
static const struct {
	const char *words;
	const struct ctx_dialect *d;
	enum ctx_unanswered how;
	int pending;
	const char *plan, *found;
} cases[] = {
	{ "s u Aab rb ra A.", O, CTX_TRIM, 0, "0 1 2 3 4 5", "" },
	{ "u Aa u", O, CTX_TRIM, 0, "0 2", "unanswered-call@1" },
	{ "u A.a u", O, CTX_TRIM, 0, "0 1-a 2", "unanswered-call@1" },
	{ "u A.a u", O, CTX_DROP, 0, "0 2", "unanswered-call@1" },
	{ "u A.a u", O, CTX_REPAIR, 0, "0 1 +a 2", "unanswered-call@1" },
	{ "Aab rb u", O, CTX_TRIM, 0, "0-a 1 2", "unanswered-call@0" },
	{ "Aab rb u", O, CTX_DROP, 0, "2", "unanswered-call@0" },
	{ "Aab rb u", O, CTX_REPAIR, 0, "0 1 +a 2", "unanswered-call@0" },
	{ "u ra A.", O, CTX_TRIM, 0, "0 2", "orphan-result@1" },
	{ "Aa ra ra", O, CTX_TRIM, 0, "0 1", "orphan-result@2" },
	{ "Aa u ra", O, CTX_TRIM, 0, "0 2 1", "misplaced-result@2" },
	{ "Aab u rb s ra", O, CTX_TRIM, 0, "0 2 4 1 3",
	    "misplaced-result@2 misplaced-result@4" },
	{ "Aa u A. ra", O, CTX_TRIM, 0, "1 2",
	    "unanswered-call@0 orphan-result@3" },
	{ "Aa Ab ra rb", O, CTX_TRIM, 0, "0 2 1 3", "misplaced-result@2" },
	{ "A.! u A!", O, CTX_TRIM, 0, "0-! 1",
	    "empty-tool-calls@0 empty-tool-calls@2" },
	{ "A~ u A.", O, CTX_TRIM, 0, "1 2", "empty-message@0" },
	{ "A~a u", O, CTX_TRIM, 0, "1", "unanswered-call@0" },
	/* ids may be reused if the API allows it */
	{ "Aa ra Aa ra", O, CTX_TRIM, 0, "0 1 2 3", "" },
	/* pending calls */
	{ "u A.a", O, CTX_TRIM, 0, "0 1-a", "unanswered-call@1" },
	{ "u A.a", O, CTX_TRIM, 1, "0 1", "" },
	{ "u Aab ra", O, CTX_TRIM, 1, "0 1 2", "" },
	{ "u Aa u", O, CTX_TRIM, 1, "0 2", "unanswered-call@1" },
	{ "u A.a u Ab", O, CTX_TRIM, 1, "0 1-a 2 3", "unanswered-call@1" },
	{ "Aa Ab ra", O, CTX_TRIM, 1, "0 2 1", "misplaced-result@2" },
	/* moved, the result would end the turn in which a call waits */
	{ "Aab A. ra", O, CTX_TRIM, 1, "0 1 2", "misplaced-result@2" },
	{ "Aab Ac ra", O, CTX_TRIM, 1, "0 1 2", "misplaced-result@2" },
	{ "Aab A. rb ra", O, CTX_TRIM, 1, "0 2 3 1",
	    "misplaced-result@2 misplaced-result@3" },

	{ "u Aab rba A.", A, CTX_TRIM, 0, "0 1 2 3", "" },
	{ "u Aab ra rb.", A, CTX_TRIM, 0, "0 1 2 3", "" },
	{ "u A~a u", A, CTX_TRIM, 0, "0 2", "unanswered-call@1" },
	{ "u A~.a u", A, CTX_TRIM, 0, "0 1-a 2", "unanswered-call@1" },
	{ "u Aab ub.", A, CTX_TRIM, 0, "0 1-a 2", "unanswered-call@1" },
	{ "u Aab ub.", A, CTX_DROP, 0, "0 2-b", "unanswered-call@1" },
	{ "u A.a u", A, CTX_REPAIR, 0, "0 1 +a 2", "unanswered-call@1" },
	{ "u Aa u.a", A, CTX_TRIM, 0, "0 1 2^a", "result-not-first@2" },
	{ "u Aa u ra", A, CTX_TRIM, 0, "0 1 3 2", "misplaced-result@3" },
	{ "u Aa u u.a", A, CTX_TRIM, 0, "0 1 m 2 3-a",
	    "misplaced-result@3 result-not-first@3" },
	{ "u Aa ua.a", A, CTX_TRIM, 0, "0 1 2-a", "orphan-result@2" },
	/* only ids of the same turn count */
	{ "u Aa ra Aa ra", A, CTX_TRIM, 0, "0 1 2 3 4", "" },
	{ "u Aaa ra ra", O, CTX_TRIM, 0, "0 1=a_2 2 3=a_2", "reused-id@1" },
	{ "u Aaa ra ra", A, CTX_TRIM, 0, "0 1=a_2 2 3=a_2", "reused-id@1" },
	{ "u. u_ u._", A, CTX_TRIM, 0, "0 2-_", "empty-text@1 empty-text@2" },
	/* Gemini takes responses in several messages, and empty texts */
	{ "u Aab ra rb A.", G, CTX_TRIM, 0, "0 1 2 3 4", "" },
	{ "u_ A. u u", G, CTX_TRIM, 0, "0 1 2 3", "" },
	{ "u Aa u.a", G, CTX_TRIM, 0, "0 1 2", "" },
	{ "u Aa u ra", G, CTX_TRIM, 0, "0 1 3 2", "misplaced-result@3" },
	{ "s u A.", A, CTX_TRIM, 0, "0 1 2", "" },
	/* only the last assistant message may be empty */
	{ "u A", A, CTX_TRIM, 0, "0 1", "" },
	{ "u A u", A, CTX_TRIM, 0, "0 2", "empty-message@1" },
};

static void
show_part(struct ctx_buf *b, const struct ctx_part *p)
{
	if (p->id.p != NULL)
		ctx_buf_add(b, p->id.p, p->id.len);
	else
		ctx_buf_addc(b, p->kind == CTX_HOLLOW ? '!' : p->text == 1 ?
		    '_' : p->kind == CTX_THINKING ? '~' : '.');
}

static void
show_message(struct ctx_buf *b, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_swap *s;
	uint32_t i;

	ctx_buf_addf(b, " %u", m);
	for (i = c->msg[m].part; i < c->msg[m].part + c->msg[m].npart; i++) {
		if (plan->drop_part[i]) {
			ctx_buf_addc(b, '-');
			show_part(b, &c->part[i]);
			continue;
		}
		if (plan->front_part[i]) {
			ctx_buf_addc(b, '^');
			show_part(b, &c->part[i]);
		}
		if ((s = ctx_plan_swapped(plan, i, 1)) != NULL) {
			ctx_buf_addc(b, '=');
			ctx_buf_add(b, plan->bytes.data + s->off, s->len);
		}
	}
}

static void
show_plan(struct ctx_buf *b, const struct ctx_plan *plan,
    const struct ctx_convo *c)
{
	const struct ctx_insert *in;
	uint32_t i, e;

	ctx_buf_reset(b);
	for (i = 0; i < plan->norder; i++) {
		e = plan->order[i];
		if (!(e & CTX_INSERTED)) {
			if (!plan->drop_msg[e])
				show_message(b, plan, c, e);
			continue;
		}
		in = &plan->insert[e & ~CTX_INSERTED];
		if (in->kind == CTX_NEW_MOVED)
			ctx_buf_adds(b, " m");
		else {
			ctx_buf_adds(b, " +");
			show_part(b, &c->part[in->part]);
		}
	}
}

static void
show_findings(struct ctx_buf *b, const struct ctx_plan *plan)
{
	uint32_t i;

	ctx_buf_reset(b);
	for (i = 0; i < plan->nfinding; i++)
		ctx_buf_addf(b, " %s@%u",
		    ctx_fault_texts[plan->finding[i].fault].id,
		    plan->finding[i].msg);
}

static const char *
text(struct ctx_buf *b)
{
	ctx_buf_str(b);
	return b->len > 0 ? b->data + 1 : "";
}

static void
test_table(void)
{
	struct ctx_linker w = { 0 };
	struct ctx_plan plan = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_buf got = { 0 };
	struct ctx_links seen;
	struct ctx_links_opts opts = { .last = 1 };
	size_t i;
	int ok;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&seen, 0, sizeof(seen));
		opts.unanswered = cases[i].how;
		opts.keep_pending = cases[i].pending;
		by_hand(&c, cases[i].words, cases[i].d);
		CHECK_INT(ctx_plan_reset(&plan, &c, NULL), 0);
		CHECK_INT(ctx_links_plan(&w, &plan, &c, &seen, &opts, NULL),
		    0);
		ctx_plan_settle(&plan);
		show_plan(&got, &plan, &c);
		ok = CHECK_STR(text(&got), cases[i].plan);
		show_findings(&got, &plan);
		ok &= CHECK_STR(text(&got), cases[i].found);
		if (*cases[i].found == '\0')
			ok &= CHECK(!plan.changed);
		if (!ok)
			fprintf(stderr, "\tin %s, %s\n", cases[i].words,
			    cases[i].d->name);
	}
	ctx_buf_done(&got);
	ctx_convo_done(&c);
	ctx_plan_done(&plan);
	ctx_linker_done(&w);
}

/* A suffix is not used twice in a turn. */
static void
test_ids(void)
{
	struct ctx_links_opts opts = { .unanswered = CTX_TRIM };
	struct ctx_linker w = { 0 };
	struct ctx_plan plan = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_links seen = { 0 };
	struct ctx_buf got = { 0 };

	by_hand(&c, "Aaaaa ra ra ra ra", A);
	CHECK_INT(ctx_plan_reset(&plan, &c, NULL), 0);
	CHECK_INT(ctx_links_plan(&w, &plan, &c, &seen, &opts, NULL), 0);
	ctx_plan_settle(&plan);
	show_plan(&got, &plan, &c);
	CHECK_STR(text(&got), "0=a_2=a_3=a_4 1 2=a_2 3=a_3 4=a_4");
	ctx_buf_done(&got);
	ctx_convo_done(&c);
	ctx_plan_done(&plan);
	ctx_linker_done(&w);
}

/* Results may lack their call if the API keeps the messages before. */
static void
test_elsewhere(void)
{
	struct ctx_links_opts opts = { .unanswered = CTX_TRIM };
	struct ctx_linker w = { 0 };
	struct ctx_plan plan = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_links seen = { 0 };

	by_hand(&c, "ra u", O);
	c.rec[0].elsewhere = 1;
	CHECK_INT(ctx_plan_reset(&plan, &c, NULL), 0);
	CHECK_INT(ctx_links_plan(&w, &plan, &c, &seen, &opts, NULL), 0);
	CHECK_INT(plan.nfinding, 0);
	CHECK(!plan.changed);
	/* it holds for what follows */
	by_hand(&c, "u rb", O);
	CHECK_INT(ctx_plan_reset(&plan, &c, NULL), 0);
	CHECK_INT(ctx_links_plan(&w, &plan, &c, &seen, &opts, NULL), 0);
	CHECK_INT(plan.nfinding, 0);
	ctx_convo_done(&c);
	ctx_plan_done(&plan);
	ctx_linker_done(&w);
}

int
main(void)
{
	RUN(test_table());
	RUN(test_ids());
	RUN(test_elsewhere());
	return CHECK_DONE("links");
}
