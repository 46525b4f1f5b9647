/* SPDX-License-Identifier: MIT */
/* Pairs and groups in conversations that are written as letters. */
#include "decide/group.h"

#include <stdlib.h>

#include "check.h"

/*
 * Each word is a message: s system, u user, t tool, a assistant, A assistant
 * that continues the previous message.  Its parts follow: lower case is a call
 * with that id, upper case a result, . a text.  The expected result has "-" for
 * each message that begins a group and "+" for each that belongs to the
 * previous one; then the matching calls and results as "message.part" in the
 * order of results.
 */
static const struct row {
	const char *what, *convo, *groups, *pairs;
} rows[] = {
	{ "nothing", "", "", "" },
	{ "talk", "s. u. a. u.", "----", "" },
	{ "a call and its result", "u. ax tX a.", "--+-", "1.0=2.0" },
	{ "results in another order", "axy tY tX a.", "-++-",
	    "0.1=1.0 0.0=2.0" },
	{ "half answered", "axy tY u.", "-+-", "0.1=1.0" },
	{ "not answered", "ax u. a.", "---", "" },
	{ "a message in between", "ax u. tX a.", "-++-", "0.0=2.0" },
	{ "a system message in between", "ax s. tX", "-++", "0.0=2.0" },
	{ "a result before its call", "tX ax u.", "---", "" },
	{ "a duplicate result", "ax tX tX", "-+-", "0.0=1.0" },
	{ "an id reused in the next turn", "ax tX ax tX", "-+-+",
	    "0.0=1.0 2.0=3.0" },
	{ "an id reused in one message", "axx tX tX", "-++",
	    "0.0=1.0 0.1=2.0" },
	{ "late: the next turn has begun", "ax tY ax tX tX", "---+-",
	    "2.0=3.0" },
	{ "calls in two messages", "ax ay tX tY", "-+++",
	    "0.0=2.0 1.0=3.0" },
	{ "repeated before the answer: it belongs to the later call",
	    "ax ax tX", "--+", "1.0=2.0" },
	{ "results as parts of one message", "u. axy uXY. a.", "--+-",
	    "1.0=2.0 1.1=2.1" },
	{ "results in two messages", "axy uX uY. a.", "-++-",
	    "0.0=1.0 0.1=2.0" },
	{ "a continued message", "a. A. u.", "-+-", "" },
	{ "a continued message with calls", "ax A. Ay uX uY", "-++++",
	    "0.0=3.0 2.0=4.0" },
	{ "continued after a result", "ax uX Ay uY", "-+++",
	    "0.0=1.0 2.0=3.0" },
	{ "two adjacent groups", "ax tX ay tY u.", "-+-+-",
	    "0.0=1.0 2.0=3.0" }
};

static void
parse(struct ctx_convo *c, const char *s)
{
	static const char ids[] = "abcdefghijklmnopqrstuvwxyz";
	struct ctx_msg *m;
	struct ctx_part *p;
	int call, begin = 1;

	ctx_convo_add_rec(c);
	for (; *s != '\0'; s++) {
		if (*s == ' ') {
			begin = 1;
			continue;
		}
		if (begin) {
			begin = 0;
			m = ctx_convo_add_msg(c, *s == 's' ? CTX_SYSTEM :
			    *s == 'u' ? CTX_USER : *s == 't' ? CTX_TOOL :
			    CTX_ASSISTANT, CTX_NONE, CTX_NONE);
			m->flags = *s == 'A' ? CTX_JOINED : 0;
			continue;
		}
		call = *s >= 'a' && *s <= 'z';
		p = ctx_convo_add_part(c, *s == '.' ? CTX_TEXT : call ?
		    CTX_CALL : CTX_RESULT);
		if (*s == '.')
			continue;
		p->id.p = ids + (call ? *s - 'a' : *s - 'A');
		p->id.len = 1;
	}
}

static void
pairs(const struct ctx_convo *c, char *out, size_t size)
{
	const struct ctx_part *p, *call;
	size_t n = 0;
	uint32_t i;

	*out = '\0';
	for (i = 0; i < c->npart; i++) {
		p = &c->part[i];
		if (p->kind != CTX_RESULT || p->mate == CTX_NONE)
			continue;
		call = &c->part[p->mate];
		CHECK_INT(call->mate, i);
		n += (size_t)snprintf(out + n, size - n, "%s%u.%u=%u.%u",
		    n > 0 ? " " : "", call->msg,
		    p->mate - c->msg[call->msg].part, p->msg,
		    i - c->msg[p->msg].part);
	}
}

static void
table(void)
{
	struct ctx_groups found = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_err err = { 0 };
	char got[256], groups[33];
	const struct row *r;
	uint32_t i;
	int ok;

	for (r = rows; r < rows + sizeof(rows) / sizeof(rows[0]); r++) {
		parse(&c, r->convo);
		CHECK(ctx_groups_find(&found, &c, &err) == 0);
		pairs(&c, got, sizeof(got));
		ok = CHECK_STR(got, r->pairs);
		for (i = 0; i < c.nmsg; i++)
			groups[i] = found.more[i] ? '+' : '-';
		groups[i] = '\0';
		ok &= CHECK_STR(groups, r->groups);
		if (!ok)
			fprintf(stderr, "\t%s: %s\n", r->what, r->convo);
		ctx_convo_reset(&c);
	}
	ctx_groups_done(&found);
	ctx_convo_done(&c);
}

static void
begins(void)
{
	struct ctx_convo c = { 0 };

	parse(&c, "s. u. uX. uX a. t. u");
	CHECK_INT(ctx_group_begins(&c, 0), 0);
	CHECK_INT(ctx_group_begins(&c, 1), 1);
	CHECK_INT(ctx_group_begins(&c, 2), 0);
	CHECK_INT(ctx_group_begins(&c, 3), 0);
	CHECK_INT(ctx_group_begins(&c, 4), 0);
	CHECK_INT(ctx_group_begins(&c, 5), 0);
	CHECK_INT(ctx_group_begins(&c, 6), 1);
	ctx_convo_done(&c);
}

int
main(void)
{
	RUN(table());
	RUN(begins());
	return CHECK_DONE("group");
}
