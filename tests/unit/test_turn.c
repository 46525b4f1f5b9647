/* SPDX-License-Identifier: MIT */
/* Which lines form a turn, when it is passed on, and its conversation. */
#include "view/turn.h"

#include <stdlib.h>

#include "base/buf.h"
#include "check.h"

#define U	"{'role':'user','content':'u'}"
#define S	"{'role':'system','content':'s'}"
#define A	"{'role':'assistant','content':'a'}"
#define C(ids)	"{'role':'assistant','content':null,'tool_calls':[" ids "]}"
#define ID(i)	"{'id':'" i "','function':{'name':'f','arguments':'{}'}}"
#define R(i)	"{'role':'tool','tool_call_id':'" i "','content':'r'}"
#define NOTE	"{'note':1}"

/* The same with a member k, which identifies the conversation. */
#define BY(k)	"{'k':" k ",'role':'user','content':'u'}"
#define CBY(k)	"{'k':" k ",'role':'assistant','content':null,'tool_calls':[" \
		    ID("a") "]}"
#define RBY(k)	"{'k':" k ",'role':'tool','tool_call_id':'a','content':'r'}"

/* Responses: each item is a line. */
#define RU	"{'type':'message','role':'user','content':'u'}"
#define RA	"{'type':'message','role':'assistant','content':'a'}"
#define RT	"{'type':'reasoning','summary':[]}"
#define RC(i)	"{'type':'function_call','call_id':'" i "','name':'f'}"
#define RR(i)	"{'type':'function_call_output','call_id':'" i "'}"

/* Claude Code: the blocks of one message share its id. */
#define CLAUDE(type, more, content) \
	"{'type':'" type "'" more ",'message':{'id':'m1','role':'" type \
	    "','content':[" content "]}}"
#define USE(i)	"{'type':'tool_use','id':'" i "','name':'f','input':{}}"
#define RES(i)	"{'type':'tool_result','tool_use_id':'" i "'}"
#define SAID	"{'type':'text','text':'x'}"
#define SUSE	"{'type':'server_tool_use','id':'s','name':'f','input':{}}"
#define SRES	"{'type':'f_tool_result','tool_use_id':'s','content':[]}"
#define BOTH	"{'role':'assistant','content':[" SUSE "," USE("a") "]}"
#define RESULT	"{'role':'user','content':[" RES("a") "]}"
#define LATE	"{'role':'assistant','content':[" SRES "," SAID "]}"
#define SIDE(n)	",'isSidechain':true,'agentId':'" n "'"

/*
 * What is passed on: "1+2" is lines 1 and 2 as one turn, "3!" the last of its
 * conversation, "4*" a conversation line.  "k:" before it is the key, followed
 * by "/" and the name of a side conversation; "end" has its key too.
 */
static const struct {
	const char *name, *by, *dialect;
	int whole, complete;
	const char *line[12];
	const char *want;
} cases[] = {
	{ "messages outside of turns pass", NULL, NULL, 0, 0,
	    { S, U, A, U, NULL }, "1 2 3 4 end" },
	{ "calls hold messages up to the next answer", NULL, NULL, 0, 0,
	    { U, C(ID("a")), R("a"), U, A, NULL }, "1 2+3+4 5 end" },
	{ "the last turn", NULL, NULL, 0, 0,
	    { U, C(ID("a")), R("a"), NULL }, "1 2+3! end" },
	{ "adjacent calls without results form one turn", NULL, NULL, 0, 0,
	    { C(ID("a")), C(ID("b")), R("a"), C(ID("c")), NULL },
	    "1+2+3 4! end" },
	{ "other records wait for an open turn", NULL, NULL, 0,
	    0, { NOTE, C(ID("a")), NOTE, "", R("a"), A, NOTE, NULL },
	    "1 2+3+4+5 6 7 end" },
	{ "complete: passed on when all are answered", NULL, NULL, 0, 1,
	    { C(ID("a") "," ID("b")), R("a"), R("b"), U, A, NULL },
	    "1+2+3 4 5 end" },
	{ "complete, but one call is open", NULL, NULL, 0, 1,
	    { C(ID("a") "," ID("b")), R("a"), U, A, NULL }, "1+2+3 4 end" },
	{ "not complete: asked again", NULL, NULL, 0, -1,
	    { C(ID("a")), R("a"), U, U, A, NULL }, "? ? ? 1+2+3+4 5 end" },
	{ "whole: one turn at the end", NULL, NULL, 1, 0,
	    { U, NOTE, C(ID("a")), R("a"), A, NULL }, "1+2+3+4+5! end" },
	{ "by: each key has its own turns", "k", NULL, 0, 0,
	    { CBY("1"), CBY("'x'"), RBY("1"), RBY("'x'"), U, BY("1"), NULL },
	    "5 1:1+3+6! 1:end 'x':2+4! 'x':end end" },
	{ "by: records without the member", "k", NULL, 0, 0,
	    { NOTE, "", BY("1"), "[]", NULL }, "1 2 1:3 4 end 1:end" },
	{ "a conversation line is separate", NULL, NULL, 0, 0,
	    { C(ID("a")), "[" U "," A "]", R("a"), NULL },
	    "2* 1+3! end" },
	{ "a change of dialect ends the turn", NULL, NULL, 0, 0,
	    { C(ID("a")), RC("b"), RR("b"), NULL }, "1 2+3! end" },
	{ "forced", NULL, "openai", 0, 0,
	    { U, RC("a"), NULL }, "1 error 2: not a message of the dialect openai "
	    "end" },
	{ "bad JSON does not end the turn", NULL, NULL, 0, 0,
	    { C(ID("a")), "{", R("a"), NULL }, "error 2 1+3! end" },
	{ "responses: reasoning belongs to the next item", NULL, NULL, 0, 0,
	    { RU, RT, RA, RU, RT, RU, NULL }, "1 2+3 4 5 6 end" },
	{ "responses: reasoning, call, result, answer", NULL, NULL, 0, 0,
	    { RT, RC("a"), RC("b"), RR("b"), RR("a"), RA, NULL },
	    "1+2+3+4+5 6 end" },
	{ "responses: results may come after other turns", NULL, NULL, 0, 0,
	    { RC("a"), RC("b"), RR("b"), RA, RU, RR("a"), RA, NULL },
	    "1+2+3+4+5+6 7 end" },
	{ "a log: an interrupted call is not answered", NULL, NULL, 0, 0,
	    { CLAUDE("assistant", "", USE("a")), CLAUDE("user", "", SAID),
	    "{'type':'assistant','message':{'id':'m2','role':'assistant',"
	    "'content':[" SAID "]}}", NULL }, "1+2 3 end" },
	{ "blocks of a message, with results between", NULL, NULL, 0,
	    0, { CLAUDE("assistant", "", USE("a")),
	    CLAUDE("user", "", RES("a")), CLAUDE("assistant", "", USE("b")),
	    CLAUDE("user", "", RES("b")), "{'type':'assistant','message':"
	    "{'id':'m2','role':'assistant','content':[" SAID "]}}", NULL },
	    "1+2+3+4 5 end" },
	{ "side conversations", NULL, NULL, 0, 0,
	    { CLAUDE("assistant", "", USE("a")),
	    CLAUDE("assistant", SIDE("x"), USE("a")),
	    CLAUDE("assistant", SIDE("y"), USE("a")),
	    CLAUDE("user", SIDE("x"), RES("a")),
	    CLAUDE("user", "", RES("a")),
	    CLAUDE("user", SIDE("y"), RES("a")),
	    CLAUDE("user", SIDE("x"), SAID), NULL },
	    "1+5! end :/x2+4+7! :/xend :/y3+6! :/yend" },
	{ "the provider's call, answered after the others", NULL, NULL, 0, 0,
	    { U, BOTH, RESULT, LATE, U, NULL }, "1 2+3+4 5 end" },
	{ "or never", NULL, NULL, 0, 0,
	    { U, BOTH, RESULT, A, U, NULL }, "1 2+3 4 5 end" },
	{ "and calls beside the result", NULL, NULL, 0, 0,
	    { BOTH, RESULT, "{'role':'assistant','content':[" SRES "," USE("b")
	    "]}", "{'role':'user','content':[" RES("b") "]}", A, LATE, NULL },
	    "1+2+3+4 5 6 end" },
	{ "a summary starts again", NULL, NULL, 0, 0,
	    { CLAUDE("assistant", "", USE("a")),
	    CLAUDE("user", ",'isCompactSummary':true", SAID), U, NULL },
	    "1 2 3 end" },
	{ "a request without parts is not a message", NULL, NULL, 0, 0,
	    { "{'kind':'request','parts':[]}", "{'kind':'response','parts':["
	    "{'part_kind':'tool-call','tool_call_id':'a','tool_name':'f'}]}",
	    "{'kind':'request','parts':[]}", NULL }, "1 2+3! end" },
	{ "nor is it in a conversation line", NULL, NULL, 1, 0,
	    { "{'kind':'request','parts':[]}", U, NULL }, "1+2! end" },
	{ "blank lines and a byte order mark", NULL, NULL, 0, 0,
	    { " \t\r", "\xef\xbb\xbf", U, NULL }, "1 2 3 end" },
};

static struct ctx_buf got;
static int answer;

static void
add_key(const struct ctx_strand *th)
{
	if (th->keylen + th->sublen == 0)
		return;
	ctx_buf_add(&got, th->key, th->keylen);
	ctx_buf_addc(&got, ':');
	if (th->sublen == 0)
		return;
	ctx_buf_addc(&got, '/');
	ctx_buf_add(&got, th->key + th->keylen, th->sublen);
}

static int
on_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	const struct ctx_convo *c = turn->convo;
	struct ctx_doc doc;
	uint32_t i;

	(void)arg;
	(void)err;
	if (turn->strand != NULL)
		add_key(turn->strand);
	for (i = 0; i < c->nrec; i++) {
		ctx_buf_addf(&got, "%s%u", i == 0 ? "" : "+",
		    (unsigned)c->rec[i].line);
		CHECK(c->rec[i].seq < c->rec[i].line);
	}
	/* the turn still has the messages, parts and nodes of its records */
	for (i = 0; i < c->nmsg; i++) {
		doc = ctx_convo_doc(c, c->msg[i].rec);
		CHECK_INT(ctx_node_type(&doc, c->msg[i].node), '{');
	}
	for (i = 0; i < c->npart; i++) {
		CHECK(i >= c->msg[c->part[i].msg].part);
		if (c->part[i].id.p != NULL) {
			doc = ctx_convo_doc(c, c->msg[c->part[i].msg].rec);
			CHECK(ctx_node_str(&doc, c->part[i].idnode).p ==
			    c->part[i].id.p);
		}
	}
	ctx_buf_adds(&got, turn->strand == NULL ? "*" : turn->last ? "!" : "");
	CHECK(turn->strand != NULL || turn->last);
	return ctx_buf_addc(&got, ' ');
}

static int
on_end(struct ctx_strand *th, void *arg, struct ctx_err *err)
{
	(void)arg;
	(void)err;
	add_key(th);
	return ctx_buf_adds(&got, "end ");
}

static int
on_complete(struct ctx_convo *open, void *arg)
{
	(void)arg;
	CHECK(open->nrec > 1);
	if (answer == -1)
		ctx_buf_adds(&got, "? ");
	return answer == 1;
}

/* Are the nodes of lines found before the lines are passed on? */
static int known;

static void
find_nodes(struct ctx_turns *t, struct ctx_turns *other,
    const struct ctx_line *line)
{
	struct ctx_err err = { 0 };
	struct ctx_doc nodes;
	uint64_t hash;

	other->by = "k";
	other->dialect = t->dialect;
	if (!known || ctx_turns_hash(other, line, &hash, &nodes, &err) == -1 ||
	    nodes.n == 0)
		return;
	t->known = nodes;
}

/* Pass on the line in a block, as a reader does. */
static int
feed(struct ctx_turns *t, const char *text, uint64_t no, struct ctx_err *err)
{
	struct ctx_block *b = ctx_block_new(strlen(text) + 1);
	struct ctx_turns other = { 0 };
	struct ctx_line line = { 0 };
	size_t i;
	int rc;

	if (b == NULL)
		abort();
	for (i = 0; text[i] != '\0'; i++)
		b->data[i] = text[i] == '\'' ? '"' : text[i];
	/* a file can consist of a byte order mark without a line end */
	b->data[i] = '\n';
	line.raw = b->data;
	line.len = text[0] == '\xef' ? i : i + 1;
	line.no = no;
	line.block = b;
	find_nodes(t, &other, &line);
	rc = ctx_turns_line(t, &line, err);
	CHECK(t->known.node == NULL);
	ctx_turns_done(&other);
	ctx_block_drop(b);
	return rc;
}

static void
test_case(size_t n)
{
	struct ctx_turns t = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	ctx_buf_reset(&got);
	t.by = cases[n].by;
	t.whole = cases[n].whole;
	t.turn = on_turn;
	t.end = on_end;
	t.complete = cases[n].complete ? on_complete : NULL;
	answer = cases[n].complete;
	if (cases[n].dialect != NULL)
		t.dialect = ctx_dialect_find(cases[n].dialect);
	for (i = 0; cases[n].line[i] != NULL; i++)
		if (feed(&t, cases[n].line[i], i + 1, &err) == -1) {
			ctx_buf_addf(&got, "error %u",
			    (unsigned)err.line);
			if (t.dialect != NULL)
				ctx_buf_addf(&got, ": %s", err.text);
			ctx_buf_addc(&got, ' ');
		}
	CHECK_INT(ctx_turns_end(&t, &err), 0);
	ctx_turns_done(&t);
	if (got.len > 0)
		got.len--;
	for (i = 0; i < got.len; i++)
		if (got.data[i] == '"')
			got.data[i] = '\'';
	if (!CHECK_MEM(got.data, got.len, cases[n].want))
		fprintf(stderr, "\tof: %s\n", cases[n].name);
}

/* The state of a turn after a message, by the part in the message. */
static void
test_flow(void)
{
	enum { B = CTX_FLOW_BEFORE, D = CTX_FLOW_SAID,
	    F = CTX_FLOW_FOLLOWED, W = CTX_FLOW_SPOKEN };
	static const struct {
		enum ctx_role role;
		enum ctx_kind kind;
		unsigned flags;
		int from[4];		/* the new state for each state */
		enum ctx_flow_hold hold;
		uint32_t open;		/* for a call before it */
	} rows[] = {
		{ CTX_ASSISTANT, CTX_TEXT, 0, { D, D, F, W }, CTX_HOLD_NOT, 1 },
		{ CTX_ASSISTANT, CTX_CALL, 0, { D, D, F, W }, CTX_HOLD_CALLS,
		    2 },
		/* what follows tells whether the provider was interrupted */
		{ CTX_ASSISTANT, CTX_CALL, CTX_SERVER, { D, D, F, W },
		    CTX_HOLD_CALLS, 1 },
		{ CTX_ASSISTANT, CTX_RESULT, CTX_SERVER, { D, D, F, W },
		    CTX_HOLD_NOT, 1 },
		{ CTX_TOOL, CTX_RESULT, 0, { B, F, F, W }, CTX_HOLD_NOT, 0 },
		{ CTX_USER, CTX_RESULT, 0, { B, F, F, W }, CTX_HOLD_NOT, 0 },
		{ CTX_SYSTEM, CTX_TEXT, 0, { B, F, F, W }, CTX_HOLD_NOT, 1 },
		{ CTX_USER, CTX_TEXT, 0, { B, W, W, W }, CTX_HOLD_NOT, 1 },
		{ CTX_USER, CTX_TEXT, CTX_INNER, { B, F, F, W }, CTX_HOLD_NOT,
		    1 },
		/* a call made by a user */
		{ CTX_USER, CTX_CALL, 0, { B, F, F, W }, CTX_HOLD_CALLS, 2 },
	};
	struct ctx_msg msg = { .npart = 1 };
	struct ctx_part part = { 0 };
	struct ctx_convo c = { .msg = &msg, .nmsg = 1, .part = &part,
	    .npart = 1 };
	struct ctx_flow f;
	size_t i, from;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		msg.role = rows[i].role;
		part.kind = rows[i].kind;
		part.flags = rows[i].flags;
		for (from = B; from <= W; from++) {
			f = (struct ctx_flow){ .state =
			    (enum ctx_flow_state)from, .open = 1 };
			ctx_flow_add(&f, &c, 0);
			CHECK_INT(f.state, rows[i].from[from]);
			CHECK_INT(f.hold, rows[i].hold);
			CHECK_INT(f.open, rows[i].open);
		}
	}
}

static void
test_flow_ends(void)
{
	enum { ANYWHERE = CTX_RULE_ANYWHERE,
	    LOG = CTX_RULE_ANYWHERE | CTX_RULE_LOG };
	static const struct {
		struct ctx_flow flow;
		unsigned rules;
		int by_assistant, by_other, by_joined, by_boundary;
	} ends[] = {
		{ { CTX_FLOW_SAID, CTX_HOLD_CALLS, 1, 0 }, 0, 0, 0, 0, 1 },
		{ { CTX_FLOW_FOLLOWED, CTX_HOLD_CALLS, 1, 0 }, 0, 1, 0, 0, 1 },
		{ { CTX_FLOW_SPOKEN, CTX_HOLD_CALLS, 0, 0 }, 0, 1, 0, 0, 1 },
		/* results may come later */
		{ { CTX_FLOW_FOLLOWED, CTX_HOLD_CALLS, 1, 0 }, ANYWHERE, 0, 0, 0,
		    1 },
		{ { CTX_FLOW_SPOKEN, CTX_HOLD_CALLS, 1, 0 }, ANYWHERE, 0, 0, 0,
		    1 },
		{ { CTX_FLOW_FOLLOWED, CTX_HOLD_CALLS, 0, 0 }, ANYWHERE, 1, 0, 0,
		    1 },
		/* but not after a user message */
		{ { CTX_FLOW_FOLLOWED, CTX_HOLD_CALLS, 1, 0 }, LOG, 0, 0, 0, 1 },
		{ { CTX_FLOW_SPOKEN, CTX_HOLD_CALLS, 1, 0 }, LOG, 1, 0, 0, 1 },
		/* reasoning belongs to the assistant's text after it */
		{ { CTX_FLOW_SAID, CTX_HOLD_LEADS, 0, 0 }, LOG, 0, 1, 0, 1 },
	};
	struct ctx_msg said = { .role = CTX_ASSISTANT }, user = said;
	struct ctx_msg joined = said, boundary = said;
	size_t i;

	user.role = CTX_USER;
	joined.flags = CTX_JOINED;
	boundary.flags = CTX_BOUNDARY;
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		CHECK_INT(ctx_flow_ends(&ends[i].flow, ends[i].rules, &said),
		    ends[i].by_assistant);
		CHECK_INT(ctx_flow_ends(&ends[i].flow, ends[i].rules, &user),
		    ends[i].by_other);
		CHECK_INT(ctx_flow_ends(&ends[i].flow, ends[i].rules,
		    &joined), ends[i].by_joined);
		CHECK_INT(ctx_flow_ends(&ends[i].flow, ends[i].rules,
		    &boundary), ends[i].by_boundary);
	}
}

int
main(void)
{
	size_t i;

	RUN(test_flow());
	RUN(test_flow_ends());
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("%s", cases[i].name);
		known = 0;
		test_case(i);
		known = 1;
		test_case(i);
	}
	ctx_buf_done(&got);
	return CHECK_DONE("turn");
}
