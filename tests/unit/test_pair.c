/* SPDX-License-Identifier: MIT */
/* Which result answers which call. */
#include "decide/pair.h"

#include "base/buf.h"
#include "check.h"
#include "by_hand.h"

/*
 * The pairs: "2<0" is a result in message 2 for a call in message 0, "2<" a
 * result without a call, "0>" a call without a result.
 */
static const struct {
	const char *words, *pairs;
} cases[] = {
	{ "u A. u", "" },
	{ "Aa ra", "1<0" },
	{ "Aab rb ra", "1<0 2<0" },
	{ "Aab rb u", "0> 1<0" },
	{ "ra Aa", "0< 1>" },
	{ "Aa ra ra", "1<0 2<" },
	{ "Aa u ra", "2<0" },
	/* after another message, the next assistant message ends the turn */
	{ "Aa u A. ra", "0> 3<" },
	{ "Aa ra Aa ra", "1<0 3<2" },
	{ "Aa u Aa ra", "0> 3<2" },
	/* adjacent assistant messages form one turn */
	{ "Aa Ab rb ra", "2<1 3<0" },
	/* if a call was repeated, the last one is answered */
	{ "Aa Aa ra", "0> 2<1" },
	{ "Aa Aa ra ra", "2<1 3<0" },
	/* two calls with the same id in a message are answered in order */
	{ "Aaa ra", "0> 1<0" },
	{ "Aaa ra ra", "1<0 2<0" },
	/* ids are compared completely */
	{ "Aa2 ra3 ra2", "1< 2<0" },
	/* the same with so many calls that they are looked up in a table */
	{ "Aabcdef rf ra rc", "0> 0> 0> 1<0 2<0 3<0" },
	{ "Aaaaaaa ra rb ra", "0> 0> 0> 0> 1<0 2< 3<0" },
	{ "Aabcde Aabcde ra re ra",
	    "0> 0> 0> 0> 1> 1> 1> 2<1 3<1 4<0" },
	/* several results in a message */
	{ "Aabc u.cba", "1<0 1<0 1<0" },
	{ "s Aa s ra s", "3<1" },
};

static void
test_pairs(void)
{
	struct ctx_pairer pairer = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_buf got = { 0 };
	const struct ctx_part *p;
	size_t i, k;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		by_hand(&c, cases[i].words, &ctx_dialect_openai);
		CHECK_INT(ctx_pair(&pairer, &c, NULL), 0);
		ctx_buf_reset(&got);
		for (k = 0; k < c.npart; k++) {
			p = &c.part[k];
			if (p->kind == CTX_RESULT && p->mate != CTX_NONE)
				ctx_buf_addf(&got, " %u<%u", p->msg,
				    c.part[p->mate].msg);
			else if (p->kind == CTX_RESULT)
				ctx_buf_addf(&got, " %u<", p->msg);
			else if (p->kind == CTX_CALL && p->mate == CTX_NONE)
				ctx_buf_addf(&got, " %u>", p->msg);
			if (p->mate != CTX_NONE)
				CHECK(c.part[p->mate].mate == k);
		}
		ctx_buf_str(&got);
		if (!CHECK_STR(got.len > 0 ? got.data + 1 : "", cases[i].pairs))
			fprintf(stderr, "\tin %s\n", cases[i].words);
		CHECK_INT(ctx_pair_complete(&c),
		    strchr(cases[i].pairs, '>') == NULL);
	}
	ctx_buf_done(&got);
	ctx_convo_done(&c);
	ctx_pairer_done(&pairer);
}

/* Calls matched by name, and a server's calls, do not mix with others. */
static void
test_kinds(void)
{
	struct ctx_pairer pairer = { 0 };
	struct ctx_convo c = { 0 };

	by_hand(&c, "Aa ra", &ctx_dialect_openai);
	c.part[0].flags = c.part[1].flags = CTX_BY_NAME;
	c.part[0].id.p = c.part[1].id.p = NULL;
	c.part[0].name = c.part[1].name = (struct ctx_str){ "ls", 2 };
	CHECK_INT(ctx_pair(&pairer, &c, NULL), 0);
	CHECK_INT(c.part[1].mate, 0);
	c.part[1].name.p = "cat";
	CHECK_INT(ctx_pair(&pairer, &c, NULL), 0);
	CHECK(c.part[1].mate == CTX_NONE);

	by_hand(&c, "Aa ra", &ctx_dialect_anthropic);
	c.part[0].flags = CTX_SERVER;
	CHECK_INT(ctx_pair(&pairer, &c, NULL), 0);
	CHECK(c.part[1].mate == CTX_NONE);
	CHECK(!ctx_pair_complete(&c));

	/* a result gets the tool's name from its call */
	by_hand(&c, "Aa ra", &ctx_dialect_openai);
	c.part[0].name = (struct ctx_str){ "ls", 2 };
	CHECK_INT(ctx_pair(&pairer, &c, NULL), 0);
	CHECK_MEM(c.part[1].name.p, c.part[1].name.len, "ls");
	ctx_convo_done(&c);
	ctx_pairer_done(&pairer);
}

/*
 * Parts that have names: a result with an id answers a call of that id and name, else
 * the first one of that name without an id; a result without an id, the first of that
 * name.  In each row "id name" of six calls of a message, then of the results, each
 * with the number of the call that it answers, or -.
 */
static void
test_names(void)
{
	static const char *const calls[][2] = { { "a", "f" }, { "a", "g" },
	    { "", "f" }, { "b", "f" }, { "", "f" }, { "a", "f" } };
	static const struct {
		const char *id, *name;
		uint32_t call;
	} results[] = { { "a", "g", 1 }, { "c", "f", 2 }, { "a", "f", 0 },
	    { "", "f", 3 }, { "b", "f", 4 }, { "b", "f", CTX_NONE },
	    { "a", "g", CTX_NONE }, { "", "f", 5 } };
	struct ctx_pairer pairer = { 0 };
	struct ctx_convo c = { 0 };
	uint32_t i;
	int k;

	by_hand(&c, "Aaaaaaa raaaaaaaa", &ctx_dialect_gemini);
	for (i = 0; i < c.npart; i++) {
		const char *id = i < 6 ? calls[i][0] : results[i - 6].id;
		const char *name = i < 6 ? calls[i][1] : results[i - 6].name;

		c.part[i].flags = CTX_BY_NAME;
		c.part[i].name = (struct ctx_str){ name, 1 };
		c.part[i].id = (struct ctx_str){ *id ? id : NULL, *id != 0 };
	}
	CHECK_INT(ctx_pair(&pairer, &c, NULL), 0);
	for (i = 6; i < c.npart; i++)
		CHECK_INT(c.part[i].mate, results[i - 6].call);

	/* where only one of the two is paired by names, ids are enough */
	for (k = 0; k < 2; k++) {
		by_hand(&c, "Aabcdef rfa", &ctx_dialect_gemini);
		for (i = 0; i < c.npart; i++) {
			c.part[i].flags = (i < 6) == k ? CTX_BY_NAME : 0;
			c.part[i].name = (struct ctx_str){ i < 6 ? "f" : "g",
			    1 };
		}
		CHECK_INT(ctx_pair(&pairer, &c, NULL), 0);
		CHECK_INT(c.part[6].mate, 5);
		CHECK_INT(c.part[7].mate, 0);
	}
	ctx_convo_done(&c);
	ctx_pairer_done(&pairer);
}

static void
test_bounds(void)
{
	struct ctx_convo c = { 0 };
	struct ctx_span_of_turn t;

	by_hand(&c, "s u Aa Ab ra u A. u", &ctx_dialect_openai);
	CHECK_INT(ctx_pair_bounds(&c, 0, &t), 1);
	CHECK_INT(t.from, 0);
	CHECK_INT(t.run, 2);
	CHECK_INT(t.end, 6);
	CHECK_INT(ctx_pair_bounds(&c, t.end, &t), 1);
	CHECK_INT(t.run, 6);
	CHECK_INT(t.end, 8);
	CHECK_INT(ctx_pair_bounds(&c, t.end, &t), 0);
	c.msg[6].flags = CTX_JOINED;
	CHECK_INT(ctx_pair_bounds(&c, 0, &t), 1);
	CHECK_INT(t.end, 8);
	ctx_convo_done(&c);
}

int
main(void)
{
	RUN(test_pairs());
	RUN(test_kinds());
	RUN(test_names());
	RUN(test_bounds());
	return CHECK_DONE("pair");
}
