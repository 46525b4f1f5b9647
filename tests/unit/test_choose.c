/* SPDX-License-Identifier: MIT */
/* What is selected within a budget, from histories written as letters. */
#include "decide/choose.h"

#include <stdlib.h>

#include "check.h"

/*
 * Each word is a unit: s system, m one that must stay, u user, a another; its
 * cost; then optionally "*" and its score, or ">" and the unit that it refers
 * to.  The expected result has "+" for each unit that is selected and "-" for
 * the others; it is "" if what must stay does not fit.
 */
static const struct row {
	const char *what, *units;
	unsigned tokens, recent, around, start_user, system_free;
	const char *want;
} rows[] = {
	{ "nothing", "", 0, 50, 0, 0, 0, "" },
	{ "everything fits", "u1 a1 u1 a1", 4, 50, 0, 0, 0, "++++" },
	{ "the newest that fit", "u1 a1 u1 a1", 3, 50, 0, 0, 0, "-+++" },
	{ "the newest end at one that does not fit",
	    "u1 a5 u1 a1", 4, 50, 0, 0, 0,
	    "--++" },
	{ "system messages first", "s2 u1 a1 u1 a1", 4, 50, 0, 0, 0, "+--++" },
	{ "an allowance for system messages", "s2 u1 a1 u1 a1", 3, 50, 0, 0, 1,
	    "+--++" },
	{ "the allowance is for nothing else", "s2 u1 a1 u1 a1", 3, 50, 0, 0,
	    9, "+-+++" },
	{ "a pinned message", "u1 m3 u1 a1", 5, 50, 0, 0, 0, "-+++" },
	{ "what must stay does not fit", "s2 m2 u1", 4, 50, 0, 0, 0, "" },
	{ "the newest must stay", "u1 a9", 8, 50, 0, 0, 0, "" },
	{ "only system messages", "s2 s2", 4, 50, 0, 0, 0, "++" },
	{ "a budget of 0", "u1", 0, 50, 0, 0, 0, "" },
	/*
	 * 5 tokens: 1 for the newest, half of the 4 for newer ones, 2 for
	 * scored
	 */
	{ "half for the newest, half for the scored",
	    "a1*1 a1*3 a1*2 a1 a1 a1 a1 a1", 5, 50, 0, 0, 0, "-++--+++" },
	{ "all for the newest", "a1*1 a1*3 a1*2 a1 a1 a1 a1 a1", 5, 100, 0, 0,
	    0, "---+++++" },
	{ "only one message as the newest",
	    "a1*1 a1*3 a1*2 a1 a1 a1 a1", 4, 0, 0, 0, 0, "+++---+" },
	{ "what the scored ones leave is for the newest",
	    "a1 a1*3 a1 a1 a1 a1 a1", 5, 0, 0, 0, 0, "-+-++++" },
	{ "of equal scores, the newer", "a1*1 a1*1 a1 a1", 2, 0, 0, 0, 0,
	    "-+-+" },
	{ "one that is too large makes way for the next",
	    "a1*1 a9*3 a1*2 a1 a1", 3, 0, 0, 0, 0, "+-+-+" },
	{ "one of the newest is not selected twice",
	    "a1 a1*2 a1 a1*3 a1", 4, 50, 0, 0, 0, "-++++" },
	{ "with its neighbours", "a1 a1 a1*1 a1 a1 a1 a1", 4, 0, 1, 0, 0,
	    "-+++--+" },
	{ "as many neighbours as fit, earlier ones first",
	    "a1 a1 a1*1 a1 a1 a1 a1", 5, 0, 2, 0, 0, "++++--+" },
	{ "neighbours at the ends", "a1*1 a1 a1 a1 a1 a1", 4, 0, 2, 0, 0,
	    "+++--+" },
	{ "with the message that it refers to",
	    "a2 a1 a1>0*1 a1 a1", 4, 0, 0, 0, 0,
	    "+-+-+" },
	{ "not if that message does not fit",
	    "a3 a1 a1>0*1 a1 a1", 4, 0, 0, 0, 0,
	    "---++" },
	{ "references to references", "a1 a1>0 a1>1*1 a1 a1", 4, 0, 0, 0, 0,
	    "+++-+" },
	{ "the newest refers to another", "a3 a1 a1>0", 4, 50, 0, 0, 0, "+-+" },
	{ "the newest refers to more than fits", "a4 a1 a1>0", 4, 50, 0, 0, 0,
	    "" },
	{ "beginning with a user message",
	    "u1 a1 a1 a1", 3, 50, 0, 1, 0, "+-++" },
	{ "the nearest user message",
	    "u1 a1 u1 a1 a1*1 a1 u1 a1", 5, 0, 0, 1, 0,
	    "--+-++++" },
	{ "a user message that does not fit",
	    "u5 a1*1 u1 a1", 4, 50, 0, 1, 0, "--++" },
	{ "a user message without which nothing fits",
	    "u5 a1", 5, 50, 0, 1, 0, "" },
	{ "no user message before the first",
	    "a1 u1 a1", 9, 50, 0, 1, 0, "-++" },
	{ "no user message at all", "a1 a1", 9, 50, 0, 1, 0, "-+" },
};

static int
parse(struct ctx_choose *c, const char *s)
{
	struct ctx_choose_unit u;
	struct ctx_err err = { 0 };
	char *end;

	while (*s != '\0') {
		u = (struct ctx_choose_unit){ 0 };
		u.flags = *s == 's' ? CTX_WIN_SYSTEM : *s == 'm' ?
		    CTX_WIN_MUST : *s == 'u' ? CTX_WIN_USER : 0;
		u.cost = strtoul(s + 1, &end, 10);
		if (ctx_choose_add(c, &u, &err) == -1)
			return -1;
		if (*end == '>' && ctx_choose_link(c, c->n - 1,
		    strtoul(end + 1, &end, 10), &err) == -1)
			return -1;
		if (*end == '*')
			c->unit[c->n - 1].score = strtod(end + 1, &end);
		s = end + (*end == ' ');
	}
	return 0;
}

static void
run(const struct row *r)
{
	struct ctx_choose c = { .opts = { r->tokens, r->system_free,
	    { r->recent, 100 }, r->around, (int)r->start_user } };
	struct ctx_err err = { 0 };
	char got[64] = "";
	size_t i;

	CHECK_INT(parse(&c, r->units), 0);
	if (ctx_choose_end(&c, &err) == 0)
		for (i = 0; i < c.n; i++)
			strcat(got, c.unit[i].flags & CTX_WIN_KEPT ? "+" :
			    "-");
	else
		CHECK_INT(err.code, CTX_ENO);
	CHECK_STR(got, r->want);
	if (strcmp(got, r->want) != 0)
		fprintf(stderr, "in: %s\n", r->what);
	ctx_choose_done(&c);
}

int
main(void)
{
	size_t i;

	TEST("the table of choices");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		run(&rows[i]);
	return CHECK_DONE("choose");
}
