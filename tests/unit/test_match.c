/* SPDX-License-Identifier: MIT */
/* Which messages of two histories are paired, and what is said of them. */
#include "compare/match.h"

#include <stdlib.h>

#include "check.h"

#define PARTS	16
#define LONG	"a text of more than sixteen bytes"
#define BODY	"the first line of a result\nanother line\nand a third one"

/*
 * Messages begin with s, u, a or t for the role and end in ';'; their parts end in
 * '|': a text, ^reasoning, !id name arguments, =id result, #data of an image.  An
 * id is one byte, '-' for none.
 *
 * The result has the units in order, each with its sign, the numbers of its old
 * and of its new messages.
 */
static const struct {
	const char *old, *new, *want;
} cases[] = {
	{ "", "", "" },
	{ "u a;a b", "u a;a b", "=1/1 =2/2" },
	{ "u a", "", "-1/" },
	{ "", "u a", "+/1" },
	{ "u a;a b;u c;a d", "u c;a d", "-1/ -2/ =3/1 =4/2" },
	{ "u a;a b", "u a;a b;u c", "=1/1 =2/2 +/3" },
	/* the role is part of a text, but not of a call or result */
	{ "u " LONG, "a " LONG, "-1/ +/1" },
	{ "u =1 ok", "t =1 ok", "=1/1" },
	/* equal messages: the earlier one is missing, but the beginning stays */
	{ "u a;a ok;u b;a ok;u c;a ok", "u b;a ok;u c;a ok",
	    "-1/ -2/ =3/1 =4/2 =5/3 =6/4" },
	{ "s x;a ok;a ok;a ok;u c", "s x;a ok;u c", "=1/1 =2/2 -3/ -4/ =5/3" },

	/* a history is converted: ids are made, messages divided and joined */
	{ "a !1 ls {\"a\":1};t =1 ok", "a !7 ls { \"a\" : 1 };u =7 ok",
	    "=1/1 =2/2" },
	{ "a !1 ls {};a !2 cat {};t =1 x;t =2 y", "a !1 ls|!2 cat {};u =1 x|=2 y",
	    "=1,2/1 =3,4/2" },
	{ "a x|!1 ls {};u =1 ok|next", "a x;a !1 ls {};t =1 ok;u next",
	    "=1/1,2 =2/3,4" },
	{ "u one|two words;a b", "u one\n\ntwo words;a b", "=1/1 =2/2" },
	{ "u one;u two words;a b", "u one\ntwo words;a b", "=1,2/1 =3/2" },
	{ "u one two;a b", "u one;u two;a b", "=1/1,2 =2/3" },
	{ "a one|!1 ls {}|two", "a onetwo|!1 ls {}", "=1/1" },
	/* but white space in one text counts */
	{ "u one two", "u one  two", "~1/1" },
	{ "a !1 ls {}", "a !1 ls", "=1/1" },
	/* a value is compared, not its spelling, but numbers as spelled */
	{ "a !1 f {\"a\":\"\\u0041\"}", "a !2 f {\"a\":\"A\"}", "=1/1" },
	{ "a !1 f {\"a\":1.0}", "a !1 f {\"a\":1.00}", "~1/1" },
	{ "a !1 f {\"a\":[1],\"b\":2}", "a !1 f {\"a\":[1,\"b\",2]}", "~1/1" },
	/* of no call that has both another id and other arguments is it the same */
	{ "a !1 f {\"a\":1};t =1 x", "a !2 f {\"a\":2};t =2 x",
	    "-1/ +/1 =2/2" },

	/* an id that is used again tells apart what each history has as often */
	{ "a !1 f {};t =1 x;u y;a !1 f {};t =1 x",
	    "a !1 f {};t =1 x;u y;a !2 f {};t =2 x", "=1/1 =2/2 =3/3 =4/4 =5/5" },
	{ "a !1 f {};t =1 x;u y;a !1 f {};t =1 x;u z;a !1 f {};t =1 x",
	    "a !1 f {};t =1 x;u z;a !1 f {};t =1 x",
	    "=1/1 =2/2 -3/ -4/ -5/ =6/3 =7/4 =8/5" },
	{ "a !1 f {};t =1 x;u y;a !2 f {};t =2 x",
	    "u y;a !2 f {};t =2 x", "-1/ -2/ =3/1 =4/2 =5/3" },
	{ "a !1 f {};a !1 f {};a !2 f {}", "a !2 f {};a !1 f {}",
	    ">3/1 =1/2 -2/" },

	/* shortened: by the id of the call, */
	{ "a !1 f {};t =1 " BODY, "a !1 f {};t =1 the", "=1/1 <2/2" },
	{ "a !1 f {};t =1 " BODY, "a !9 f {};t =9 [gone]", "=1/1 <2/2" },
	{ "a !1 f {};t =1 " BODY ";t =2 " BODY, "a !1 f {};t =1 x;t =2 y",
	    "=1/1 <2/2 <3/3" },
	{ "a !1 f {};t =1 " BODY ";a !2 f {};t =2 other",
	    "a !2 f {};t =2 o", "-1/ -2/ =3/1 <4/2" },
	{ "a !1 f {};t =1 " BODY ";a !2 f {};t =2 other",
	    "a !1 f {};t =1 o", "=1/1 <2/2 -3/ -4/" },
	/* without ids in their order, */
	{ "a !- f {};a !- g {};t =- " BODY ";t =- b" BODY,
	    "a !- f {};a !- g {};t =- 1;t =- 2", "=1/1 =2/2 <3/3 <4/4" },
	/* by how they begin, or end */
	{ "u x;u " BODY ";a y;u z", "a y;u the first line of a result, cut;u z",
	    "-1/ -2/ =3/1 +/2 =4/3" },
	{ "u x;u " BODY ";a y", "u the first line of a result;a y",
	    "-1/ <2/1 =3/2" },
	{ "u x;u " BODY ";a y", "u nother line\nand a third one;a y",
	    "-1/ <2/1 =3/2" },
	{ "u p;u hello world;u q", "u hell\n... (truncated, 11 chars total);a x",
	    "-1/ ~2/1 -3/ +/2" },
	/* a part of a message is missing */
	{ "a ^because|so;u x", "a so;u x", "<1/1 =2/2" },
	{ "a so;u x", "a ^because|so;u x", "~1/1 =2/2" },
	/* but of what is left nothing is longer */
	{ "a ^because of all this|so;u x", "a so it is;u x", "~1/1 =2/2" },
	{ "a ^because of all this|so it is;u x", "a so;u x", "<1/1 =2/2" },
	/* one in the place of another */
	{ "u a;u hm;a b", "u a;u other;a b", "=1/1 ~2/2 =3/3" },
	{ "u a;u hm;a b", "u a;a other;a b", "=1/1 -2/ +/2 =3/3" },
	{ "u a;u hm;u ho;a b", "u a;u other;a b", "=1/1 -2/ -3/ +/2 =4/3" },
	{ "u a;u hm;a b", "u a;u [9 earlier messages left out here];a b",
	    "=1/1 -2/ +/2 =3/3" },

	/* moved: texts that are long enough to be known again, and what has ids */
	{ "u " LONG ";a b;u c;a d", "a b;u c;a d;u " LONG,
	    "=2/1 =3/2 =4/3 >1/4" },
	{ "u a;a b;u c;a d", "a b;u c;a d;u a", "-1/ =2/1 =3/2 =4/3 +/4" },
	{ "a !1 f {};u wait;a b;t =1 ok", "a !1 f {};t =1 ok;u wait;a b",
	    "=1/1 >4/2 =2/3 =3/4" },
	{ "a !1 f {};t =1 ok;u c;a d;u e", "u c;a d;u e;a !2 f {};t =2 ok",
	    "-1/ -2/ =3/1 =4/2 =5/3 +/4 +/5" },
	{ "a !1 f {};t =1 ok;u c;a d;u e", "u c;a d;u e;a !1 f {};t =1 ok",
	    "=3/1 =4/2 =5/3 >1/4 >2/5" },
	{ "a !1 f {}|!2 g {};t =2 y;t =1 x", "a !1 f {}|!2 g {};u =1 x|=2 y",
	    "=1/1 =2,3/2" },
	/* a short text goes with its message */
	{ "a ok|!1 f {};t =1 x;u c;a d;u e;a g",
	    "u c;a d;u e;a g;a ok|!1 f {};t =1 x",
	    "=3/1 =4/2 =5/3 =6/4 >1/5 >2/6" },
	{ "a ok|!1 f {};t =1 x;u c;a d;u e;a g",
	    "u c;a d;u e;a g;a no|!1 f {};t =1 x",
	    "=3/1 =4/2 =5/3 =6/4 ~1/5 >2/6" },
	/* images and empty messages */
	{ "u see|#AAAA;a b", "u see|#BBBB;a b", "~1/1 =2/2" },
	{ "u see|#AAAA;a b", "u #AAAA|see;a b", "=1/1 =2/2" },
	{ "a ;u x", "u x", "-1/ =2/1" },
	{ "a ;u x;a ", "a ;u x", "=1/1 =2/2 -3/" },
};

/* A part of the notation above, up to end. */
static struct ctx_shown_part
part_of(const char *p, const char *end)
{
	struct ctx_shown_part part = { .kind = CTX_TEXT };
	const char *sp;

	if (p < end && strchr("^!=#", *p) != NULL)
		part.kind = *p == '^' ? CTX_THINKING : *p == '!' ? CTX_CALL :
		    *p == '=' ? CTX_RESULT : CTX_IMAGE;
	p += part.kind != CTX_TEXT;
	if (part.kind == CTX_CALL || part.kind == CTX_RESULT) {
		if (*p != '-')
			part.id = (struct ctx_str){ p, 1 };
		p += 2;
	}
	if (part.kind == CTX_CALL) {
		for (sp = p; sp < end && *sp != ' ';)
			sp++;
		part.name = (struct ctx_str){ p, (uint32_t)(sp - p) };
		p = sp < end ? sp + 1 : end;
	}
	part.text = (struct ctx_str){ p, (uint32_t)(end - p) };
	if (part.kind == CTX_IMAGE) {
		part.data = part.text;
		part.text = (struct ctx_str){ NULL, 0 };
	}
	return part;
}

/* Add the messages; one costs a token for each byte. */
static void
add_all(struct ctx_matching *m, int new, const char *p)
{
	struct ctx_shown_part part[PARTS];
	struct ctx_err err = { 0 };
	const char *end, *bar;

	for (; *p != '\0'; p = *end != '\0' ? end + 1 : end) {
		struct ctx_shown msg = { .part = part, .conversation = 1 };

		end = p + strcspn(p, ";");
		msg.line = m->side[new].nmsg + 1;
		msg.role = *p == 's' ? CTX_SYSTEM : *p == 'u' ? CTX_USER :
		    *p == 'a' ? CTX_ASSISTANT : CTX_TOOL;
		msg.tokens = (uint64_t)(end - p);
		msg.json = (struct ctx_str){ p, (uint32_t)(end - p) };
		for (p += 2; p <= end && msg.npart < PARTS; p = bar + 1) {
			bar = memchr(p, '|', (size_t)(end - p));
			bar = bar == NULL ? end : bar;
			part[msg.npart++] = part_of(p, bar);
		}
		CHECK_INT(ctx_match_add(m, new, &msg, &err), 0);
	}
}

static void
print_units(const struct ctx_matching *m, struct ctx_buf *out)
{
	uint32_t u, k, side;

	for (u = 0; u < m->nunit; u++) {
		ctx_buf_addf(out, "%s%c", u > 0 ? " " : "",
		    "=><~-+"[m->unit[u].change]);
		for (side = 0; side < 2; side++) {
			for (k = 0; k < m->unit[u].n[side]; k++)
				ctx_buf_addf(out, "%s%u", k > 0 ? "," : "",
				    m->side[side].list[m->unit[u].first[side] +
				    k] + 1);
			ctx_buf_adds(out, side == 0 ? "/" : "");
		}
	}
}

/* Each message is in one unit, and the sums are those of the units. */
static void
check_sums(const struct ctx_matching *m)
{
	uint64_t messages, tokens;
	int side, i;

	for (side = 0; side < 2; side++) {
		for (messages = tokens = 0, i = 0; i < CTX_BECAME_N; i++) {
			messages += m->sum[i].messages[side];
			tokens += m->sum[i].tokens[side];
		}
		CHECK_INT(messages, m->side[side].nmsg);
		CHECK_INT(tokens, m->side[side].tokens);
	}
	CHECK_INT(m->sum[CTX_BECAME_DROPPED].messages[1], 0);
	CHECK_INT(m->sum[CTX_BECAME_ADDED].messages[0], 0);
}

static void
test_cases(int whole)
{
	struct ctx_buf got = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctx_matching m = { .whole = whole };

		add_all(&m, 0, cases[i].old);
		add_all(&m, 1, cases[i].new);
		CHECK_INT(ctx_match_end(&m, &err), 0);
		ctx_buf_reset(&got);
		print_units(&m, &got);
		CHECK_MEM(got.len > 0 ? got.data : "", got.len, cases[i].want);
		check_sums(&m);
		ctx_match_done(&m);
	}
	ctx_buf_done(&got);
}

/* A history and itself. */
static void
test_itself(void)
{
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctx_matching m = { 0 };

		add_all(&m, 0, cases[i].old);
		add_all(&m, 1, cases[i].old);
		CHECK_INT(ctx_match_end(&m, &err), 0);
		CHECK_INT(m.sum[CTX_BECAME_SAME].messages[0], m.side[0].nmsg);
		CHECK_INT(m.cached, m.side[1].tokens);
		ctx_match_done(&m);
	}
}

/* Tokens of the new history that a cache has: whole messages, as spelled. */
static void
test_cached(void)
{
	static const struct {
		const char *old, *new;
		uint64_t cached;
	} rows[] = {
		{ "u a;a b", "u a;a b;u c", 6 },
		{ "u a;a b", "u a", 3 },
		{ "u a;a b;u c", "u a;u c", 3 },
		{ "u a;a b", "a b", 0 },
		{ "u a", "", 0 },
		/* the first one is the same, though the second was paired */
		{ "s x;a ok;u y;a ok;u z", "s x;a ok;u z", 7 },
		{ "a !1 f {}", "a !1 f", 0 },
	};
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ctx_matching m = { 0 };

		add_all(&m, 0, rows[i].old);
		add_all(&m, 1, rows[i].new);
		CHECK_INT(ctx_match_end(&m, &err), 0);
		CHECK_INT(m.cached, rows[i].cached);
		ctx_match_done(&m);
	}
}

int
main(void)
{
	RUN(test_cases(0));
	RUN(test_cases(1));
	RUN(test_itself());
	RUN(test_cached());
	return CHECK_DONE("test_match");
}
