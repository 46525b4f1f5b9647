/* SPDX-License-Identifier: MIT */
/*
 * What messages and definitions of tools cost.  A token is 2.5 characters,
 * rounded down, but at least 1 for a text that is not empty.
 */
#include "job/cost.h"
#include "job/revise.h"
#include "job/toolcost.h"
#include "view/dialect.h"

#include <stdlib.h>

#include "check.h"

static const struct ctx_model openai = { .prefix = "gpt-4o",
	.provider = "openai", .encoding = "o200k_base" };
static const struct ctx_model gpt_4 = { .prefix = "gpt-4",
	.provider = "openai", .encoding = "cl100k_base" };
static const struct ctx_model anthropic = { .prefix = "claude",
	.provider = "anthropic", .encoding = "claude" };
static const struct ctx_model google = { .prefix = "gemini",
	.provider = "google", .encoding = "gemma" };

static void
open_cost(struct ctx_cost *k)
{
	struct ctx_err err = { 0 };

	memset(k, 0, sizeof(*k));
	k->choice.tok = ctx_tok_open("chars", &err);
	k->choice.factor = (struct ctx_ratio){ 1, 1 };
	if (ctx_counter_init(&k->counter, k->choice.tok, &err) == -1)
		abort();
	k->counter.factor = k->choice.factor;
	k->ready = 1;
	k->flat = 1;		/* test_charge.c has the rules of APIs */
}

/* Replace ' by ". */
static const char *
quoted(struct ctx_buf *b, const char *text)
{
	for (ctx_buf_reset(b); *text != '\0'; text++)
		ctx_buf_addc(b, *text == '\'' ? '"' : *text);
	return ctx_buf_str(b);
}

/* --- messages ---------------------------------------------------------- */

#define USER(members) "{'role':'user'," members "}\n"
#define PNG_1x1	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
/* a PDF file with two page objects; 100 bytes of 1,000 a second */
#define PDF_2	"JVBERi0xLjQgPDwvVHlwZSAvUGFnZT4+IDw8L1R5cGUgL1BhZ2U+Pg=="
#define WAV_100	"UklGRogAAABXQVZFZm10IBAAAAABAAEA9AEAAOgDAAACABAAZGF0YWQAAAAA" \
	"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" \
	"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" \
	"AAAAAAAAAAAA"
#define URL(detail) USER("'content':[{'type':'image_url','image_url':{" \
	detail "'url':'https://e.org/a.png'}}]")
#define ENVELOPE(members, message) "{'type':'user','uuid':'u','sessionId':" \
	"'s','parentUuid':null," members "'message':{'role':'user'," message \
	"}}\n"

static const struct {
	const char *line;
	uint64_t tokens;	/* of all messages in the line */
	uint64_t overhead;
	const char *key;
	const char *dialect;	/* NULL: openai */
	const struct ctx_model *model;
	const char *model_name;
} messages[] = {
	{ USER("'content':''"), 0, 0, NULL, NULL, NULL, NULL },
	{ USER("'content':'1'"), 1, 0, NULL, NULL, NULL, NULL },
	{ USER("'content':'12'"), 1, 0, NULL, NULL, NULL, NULL },
	{ USER("'content':'1234'"), 1, 0, NULL, NULL, NULL, NULL },
	{ USER("'content':'12345'"), 2, 0, NULL, NULL, NULL, NULL },
	{ USER("'content':'a\\u00e9\\ncd'"), 2, 0, NULL, NULL, NULL, NULL },
	{ USER("'content':[{'type':'text','text':'12345'},"
	    "{'type':'text','text':'1'}]"), 3, 0, NULL, NULL, NULL, NULL },
	/* the overhead, of which a name is a part only if there is one */
	{ USER("'content':'12345'"), 6, 4, NULL, NULL, NULL, NULL },
	{ USER("'content':'12345'"), 3, 1, NULL, NULL, NULL, NULL },
	{ USER("'content':'12345','name':'bobby'"), 4, 0, NULL, NULL, NULL,
	    NULL },
	{ USER("'content':'12345','name':'bobby'"), 9, 4, NULL, NULL, NULL,
	    NULL },
	{ USER("'content':'12345','name':'bobby'"), 6, 1, NULL, NULL, NULL,
	    NULL },
	{ "{'messages':[" "{'role':'user','content':'12345'},"
	    "{'role':'user','content':'12345'}]}\n", 12, 4, NULL, NULL, NULL,
	    NULL },
	/* calls: name and arguments, a string or JSON; results */
	{ "{'role':'assistant','content':null,'tool_calls':[{'id':'c',"
	    "'function':{'name':'lsall','arguments':'{\\'a\\':1}'}}]}\n",
	    4, 0, NULL, NULL, NULL, NULL },
	{ "{'role':'assistant','content':null,'tool_calls':[{'id':'c',"
	    "'function':{'name':'lsall'}}]}\n", 2, 0, NULL, NULL, NULL, NULL },
	{ "{'role':'assistant','content':[{'type':'tool_use','id':'t','name':"
	    "'lsall','input':{'a':'\\n'}}]}\n", 2 + 4, 0, NULL, "anthropic",
	    NULL, NULL },
	{ "{'role':'tool','tool_call_id':'c','name':'lsall','content':"
	    "'12345'}\n", 4, 0, NULL, NULL, NULL, NULL },
	/* the copy of a result in a session file is never sent */
	{ "{'type':'user','uuid':'u','sessionId':'s','parentUuid':null,"
	    "'toolUseResult':{'stdout':'1234567890'},'message':{'role':'user',"
	    "'content':[{'type':'tool_result','tool_use_id':'t','content':"
	    "'12345'}]}}\n", 2, 0, NULL, "claude-code", NULL, NULL },
	/* images: 4 tiles of 170 and 85; 1 tile; 37 * 37 patches; 4 tiles */
	{ URL(""), 765, 0, NULL, NULL, NULL, NULL },
	{ URL("'detail':'high',"), 765, 0, NULL, NULL, NULL, NULL },
	{ URL("'detail':'low',"), 85, 0, NULL, NULL, NULL, NULL },
	{ URL("'detail':'low',"), 70, 0, NULL, NULL, &openai, "gpt-5" },
	{ URL("'detail':'low',"), 1369, 0, NULL, NULL, &anthropic, "claude" },
	{ URL(""), 1032, 0, NULL, NULL, &google, "gemini-2" },
	{ URL(""), 1120, 0, NULL, NULL, &google, "gemini-3" },
	{ USER("'content':[{'type':'image_url','detail':'low','image_url':"
	    "'https://e.org/a.png'}]"), 85, 0, NULL, NULL, NULL, NULL },
	{ USER("'content':[{'type':'image_url','detail':'low','image_url':{"
	    "'url':'https://e.org/a.png'}}]"), 765, 0, NULL, NULL, NULL, NULL },
	{ USER("'content':[{'type':'image_url','image_url':{'url':"
	    "'data:image/png;base64," PNG_1x1 "'}}]"), 255, 0, NULL, NULL,
	    NULL, NULL },
	{ USER("'content':[{'type':'image','source':{'type':'base64',"
	    "'media_type':'image/png','data':'" PNG_1x1 "'}},{'type':'text',"
	    "'text':'12345'}]"), 3, 0, NULL, "anthropic", &anthropic,
	    "claude" },
	/* two pages, each 2368; of an unknown number nothing is counted */
	{ USER("'content':[{'type':'document','source':{'type':'base64',"
	    "'media_type':'application/pdf','data':'" PDF_2 "'}}]"),
	    2 * 2368, 0, NULL, "anthropic", &anthropic, "claude-opus-5" },
	{ USER("'content':[{'type':'document','source':{'type':'base64',"
	    "'media_type':'application/pdf','data':'JVBERi0xLjUgLi4uLi4u'}}]"),
	    0, 0, NULL, "anthropic", &anthropic, "claude-opus-5" },
	{ USER("'content':[{'type':'document','source':{'type':'url','url':"
	    "'https://e.org/a.pdf'}}]"), 0, 0, NULL, "anthropic", &anthropic,
	    "claude-opus-5" },
	/* texts, as they are and in base64 */
	{ USER("'content':[{'type':'document','source':{'type':'text',"
	    "'media_type':'text/plain','data':'1234567890123456789012345'}}]"),
	    10, 0, NULL, "anthropic", &anthropic, "claude-opus-5" },
	{ USER("'content':[{'type':'file','file':{'filename':'a.txt',"
	    "'file_data':'data:text/plain;base64,MTIzNDU2Nzg5MA=='}}]"),
	    4, 0, NULL, NULL, &openai, "gpt-5" },
	{ USER("'content':[{'type':'file','file':{'filename':'a.pdf',"
	    "'file_data':'data:application\\/pdf;base64," PDF_2 "'}}]"),
	    2 * (550 + 85 + 4 * 170), 0, NULL, NULL, &openai, "gpt-4o" },
	{ USER("'content':[{'type':'file','file':{'file_id':'f'}}]"), 0, 0,
	    NULL, NULL, &openai, "gpt-4o" },
	/* 100 ms of silence */
	{ USER("'content':[{'type':'input_audio','input_audio':{'format':"
	    "'wav','data':'" WAV_100 "'}}]"), 1, 0, NULL, NULL, &openai,
	    "gpt-audio" },
	{ "{'contents':[{'role':'user','parts':[{'inlineData':{'mimeType':"
	    "'audio/wav','data':'" WAV_100 "'}}]}]}\n", 4, 0, NULL, "gemini",
	    &google, "gemini-3-flash" },
	{ "{'contents':[{'role':'user','parts':[{'inlineData':{'mimeType':"
	    "'application/pdf','data':'" PDF_2 "'}}]}]}\n", 1120, 0, NULL,
	    "gemini", &google, "gemini-3-flash" },
	{ "{'contents':[{'role':'user','parts':[{'fileData':{'mimeType':"
	    "'application/pdf','fileUri':'gs://a/b.pdf'}}]}]}\n", 0, 0, NULL,
	    "gemini", &google, "gemini-3-flash" },
	/* a number in the message is its cost, with everything */
	{ USER("'content':'12345','n':7"), 7, 4, "n", NULL, NULL, NULL },
	{ USER("'n':0,'content':'12345'"), 0, 4, "n", NULL, NULL, NULL },
	{ USER("'n':9999999999,'content':'1'"), 9999999999, 4, "n", NULL,
	    NULL, NULL },
	{ USER("'n':12345678901,'content':'1'"), 5, 4, "n", NULL, NULL, NULL },
	{ USER("'n':9.5,'content':'1'"), 5, 4, "n", NULL, NULL, NULL },
	{ USER("'n':-9,'content':'1'"), 5, 4, "n", NULL, NULL, NULL },
	{ USER("'n':1e3,'content':'1'"), 5, 4, "n", NULL, NULL, NULL },
	{ USER("'n':'9','content':'1'"), 5, 4, "n", NULL, NULL, NULL },
	{ USER("'n':null,'content':'1'"), 5, 4, "n", NULL, NULL, NULL },
	{ USER("'m':9,'content':'1'"), 5, 4, "n", NULL, NULL, NULL },
	{ ENVELOPE("'n':7,", "'content':'1'"), 7, 4, "n", "claude-code", NULL,
	    NULL },
	{ ENVELOPE("'n':7,", "'content':'1','n':8"), 8, 4, "n", "claude-code",
	    NULL, NULL },
	/* a request's member is no message's */
	{ "{'system':'12345','messages':[{'role':'user','content':'1'}],"
	    "'n':3}\n", 2 + 4 + 1 + 4, 4, "n", "anthropic", NULL, NULL },
};

static void
test_message(size_t i)
{
	struct ctx_buf line = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_cost k;
	uint64_t n, sum = 0;
	uint32_t m;

	open_cost(&k);
	k.overhead = messages[i].overhead;
	k.key = messages[i].key;
	k.choice.model = messages[i].model;
	k.model_name = messages[i].model_name;
	quoted(&line, messages[i].line);
	CHECK_INT(ctx_dialect_line(&c, ctx_dialect_find(messages[i].dialect !=
	    NULL ? messages[i].dialect : "openai"), line.data, line.len,
	    &err), 0);
	for (m = 0; m < c.nmsg; m++) {
		CHECK_INT(ctx_cost_msg(&k, &c, m, &n, &err), 0);
		sum += n;
	}
	CHECK(c.nmsg > 0);
	CHECK_INT(sum, messages[i].tokens);
	ctx_convo_done(&c);
	ctx_buf_done(&line);
	ctx_cost_done(&k);
}

/* What continues a message has no overhead of its own. */
static void
test_joined(void)
{
	struct ctx_buf line = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_cost k;
	uint64_t n;

	open_cost(&k);
	k.overhead = 4;
	quoted(&line, USER("'content':'12345','name':'bobby'"));
	CHECK_INT(ctx_dialect_line(&c, &ctx_dialect_openai, line.data,
	    line.len, &err), 0);
	c.msg[0].flags |= CTX_JOINED;
	CHECK_INT(ctx_cost_msg(&k, &c, 0, &n, &err), 0);
	CHECK_INT(n, 4);
	ctx_convo_done(&c);
	ctx_buf_done(&line);
	ctx_cost_done(&k);
}

/* What another thread has counted is used, except by an estimate. */
static int
known(void *arg, struct ctx_str s, uint64_t *n)
{
	++*(int *)arg;
	*n = 77;
	return s.p[0] == 'k';
}

static void
test_known(void)
{
	struct ctx_cost k, like;
	struct ctx_err err = { 0 };
	int asked = 0;
	uint64_t n = 1;

	open_cost(&k);
	k.known = known;
	k.known_arg = &asked;
	CHECK_INT(ctx_cost_add(&k, (struct ctx_str){ "known", 5 }, &n, &err),
	    0);
	CHECK_INT(n, 3);
	CHECK_INT(asked, 0);
	k.overhead = 5;
	k.key = "n";
	k.model_name = "m";
	k.choice.model = &openai;
	k.counter.factor = (struct ctx_ratio){ 3, 2 };
	k.counter.special = 7;
	memset(&like, 0xff, sizeof(like));
	CHECK_INT(ctx_cost_like(&like, &k, &err), 0);
	CHECK(like.counter.factor.num == 3 && like.counter.factor.den == 2);
	CHECK(like.counter.special == 7);
	k.counter.special = 0;
	CHECK(like.overhead == 5 && like.key == k.key && like.ready &&
	    like.model_name == k.model_name && like.known == NULL &&
	    like.choice.tok == k.choice.tok && like.choice.model == &openai);
	CHECK(like.borrowed && !k.borrowed);
	ctx_cost_done(&like);
	CHECK(!like.ready);
	ctx_cost_done(&k);
	/* one that is not ready has no counter to copy */
	memset(&k, 0, sizeof(k));
	CHECK_INT(ctx_cost_like(&like, &k, &err), 0);
	CHECK(!like.ready);
	ctx_cost_done(&like);
	ctx_cost_done(&k);

	memset(&k, 0, sizeof(k));
	k.choice.tok = ctx_tok_open("o200k_base", &err);
	if (!CHECK(k.choice.tok != NULL) || !CHECK_INT(ctx_counter_init(
	    &k.counter, k.choice.tok, &err), 0))
		return;
	k.counter.factor = (struct ctx_ratio){ 1, 1 };
	k.ready = 1;
	k.known = known;
	k.known_arg = &asked;
	n = 1;
	CHECK_INT(ctx_cost_add(&k, (struct ctx_str){ "known", 5 }, &n, &err),
	    0);
	CHECK_INT(n, 78);
	CHECK_INT(ctx_cost_add(&k, (struct ctx_str){ "", 0 }, &n, &err), 0);
	CHECK_INT(n, 78);
	CHECK_INT(asked, 1);
	/* " a" is one token of every such encoding */
	CHECK_INT(ctx_cost_add(&k, (struct ctx_str){ " a a", 4 }, &n, &err),
	    0);
	CHECK_INT(n, 80);
	CHECK_INT(asked, 2);
	ctx_cost_done(&k);
}

/* --- definitions of tools ---------------------------------------------- */

#define OBJECT(properties) "{'type':'object','properties':{" properties "}}"

static const struct {
	const char *name, *about, *schema;	/* NULL: none */
	const struct ctx_model *model;
	uint64_t tokens;
} tools[] = {
	/* "f:" is 2 characters; 7 tokens, 10 for gpt-4 */
	{ "f", NULL, NULL, NULL, 7 + 1 },
	{ "f", NULL, NULL, &openai, 7 + 1 },
	{ "f", NULL, NULL, &gpt_4, 10 + 1 },
	{ "f", "12345678", NULL, NULL, 7 + 4 },		/* 10 */
	{ "f", "1234567.", NULL, NULL, 7 + 3 },		/* 9 */
	{ "f", "1234567..", NULL, NULL, 7 + 4 },	/* 10 */
	{ "f", "", OBJECT(""), NULL, 7 + 1 },
	/* 3 for the list, 3 for the property, "ab:string:12" is 12: 4 */
	{ "f", "", OBJECT("'ab':{'type':'string','description':'12'}"), NULL,
	    7 + 1 + 3 + 3 + 4 },
	{ "f", "", OBJECT("'ab':{'type':'string','description':'12.'}"), NULL,
	    7 + 1 + 3 + 3 + 4 },
	/* "ab::" */
	{ "f", "", OBJECT("'ab':{}"), NULL, 7 + 1 + 3 + 3 + 1 },
	{ "f", "", OBJECT("'ab':{},'cd':{}"), NULL, 7 + 1 + 3 + 4 + 4 },
	/* each value of an enum 3, less 3; 5 characters are 2, 10 are 4 */
	{ "f", "", OBJECT("'ab':{'enum':['12345']}"), NULL,
	    7 + 1 + 3 + 4 + 2 },
	{ "f", "", OBJECT("'ab':{'enum':['12345','1234567890',12345]}"), NULL,
	    7 + 1 + 3 + 4 + 2 + 4 + 2 + 6 },
	{ "f", "", OBJECT("'ab':{'enum':[ 12345 ,\n'123', {}, 7]}"), NULL,
	    7 + 1 + 3 + 4 + 2 + 1 + 1 + 1 + 9 },
	{ "f", "", OBJECT("'ab':{'enum':[['a,b'],null,true]}"), NULL,
	    7 + 1 + 3 + 4 + 2 + 1 + 1 + 6 },
	{ "f", "", OBJECT("'ab':{'enum':[ ]}"), NULL, 7 + 1 + 3 + 4 },
	{ "f", "", OBJECT("'ab':{'enum':[]}"), NULL, 7 + 1 + 3 + 4 },
	{ "f", "", OBJECT("'ab':{'enum':1}"), NULL, 7 + 1 + 3 + 4 },
	/* properties inside: "ab:object:" is 10, "cd::" */
	{ "f", "", OBJECT("'ab':" OBJECT("'cd':{}")), NULL,
	    7 + 1 + 3 + 3 + 4 + 3 + 3 + 1 },
	/* properties that are not an object */
	{ "f", "", "{'properties':[{}]}", NULL, 7 + 1 },
	/* other providers: all texts, "{}" is 1 token */
	{ "12345", "1234567890.", "{}", &anthropic, 2 + 4 + 1 },
	{ "12345", "1234567890", NULL, &google, 2 + 4 },
	{ "12345", NULL, "{'type': 1}", &google, 2 + 4 },
};

static void
test_tool(size_t i)
{
	struct ctx_buf name = { 0 }, about = { 0 }, schema = { 0 };
	struct ctx_tool tool = { .name = { NULL, 0 } };
	struct ctx_err err = { 0 };
	struct ctx_cost k;
	uint64_t n = 100;

	open_cost(&k);
	k.choice.model = tools[i].model;
	tool.name.p = quoted(&name, tools[i].name);
	tool.name.len = (uint32_t)name.len;
	if (tools[i].about != NULL) {
		tool.about.p = quoted(&about, tools[i].about);
		tool.about.len = (uint32_t)about.len;
	}
	if (tools[i].schema != NULL) {
		tool.schema.p = quoted(&schema, tools[i].schema);
		tool.schema.len = (uint32_t)schema.len;
	}
	CHECK_INT(ctx_toolcost_add(&k, &tool, &n, &err), 0);
	CHECK_INT(n, 100 + tools[i].tokens);
	ctx_buf_done(&name);
	ctx_buf_done(&about);
	ctx_buf_done(&schema);
	ctx_cost_done(&k);
}

/* What a request with tools pays once. */
static void
test_frames(void)
{
	static const struct {
		const struct ctx_model *model;
		const char *name;
		uint64_t tokens;
	} frames[] = {
		{ NULL, NULL, 12 }, { &openai, "gpt-5", 12 },
		{ &gpt_4, "gpt-4", 12 }, { &google, "gemini-2", 0 },
		{ &anthropic, "claude-opus-4-8", 0 }
	};
	struct ctx_cost k = { 0 };
	uint64_t n;
	size_t i;

	for (i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		k.choice.model = frames[i].model;
		k.model_name = frames[i].name;
		n = 1000;
		ctx_toolcost_frame(&k, &n);
		CHECK_INT(n, 1000 + frames[i].tokens);
	}
}

/* --- messages kept, but not whole -------------------------------------- */

#define RESULT(content) "{'role':'tool','tool_call_id':'c','content':" \
	content "}\n"
#define TEN	"0123456789"
#define FIFTY	TEN TEN TEN TEN TEN
/* "[tool result cleared: 100 chars]" has 32 characters */
#define NOTE	"[tool result cleared: 100 chars]"

/* May the first message be kept in part, and what is saved without results? */
static const struct {
	const char *dialect, *line;
	unsigned flags;		/* set in the message */
	int part;
	uint64_t gain;
} parts[] = {
	{ "openai", USER("'content':'a'"), 0, 1, 0 },
	{ "openai", USER("'content':[{'type':'text','text':'a'}]"), 0, 1, 0 },
	{ "openai", USER("'content':'a'"), CTX_FIXED, 0, 0 },
	{ "openai", USER("'content':'a'"), CTX_JOINED, 0, 0 },
	{ "openai", "{'role':'assistant','content':'a'}\n", 0, 1, 0 },
	{ "openai", "{'role':'system','content':'a'}\n", 0, 0, 0 },
	{ "openai", RESULT("'a'"), 0, 0, 0 },
	{ "openai", USER("'content':null"), 0, 0, 0 },
	{ "openai", USER("'content':[{'type':'text'}]"), 0, 0, 0 },
	{ "openai", USER("'content':[{'type':'text','text':'a'},{'type':"
	    "'text','text':'a'}]"), 0, 0, 0 },
	{ "openai", USER("'content':[{'type':'image_url','image_url':{'url':"
	    "'https://e.org/'}}]"), 0, 0, 0 },
	{ "pydantic-ai", "{'kind':'request','parts':[{'part_kind':"
	    "'retry-prompt','content':[{'a':1}]}]}\n", 0, 0, 0 },
	{ "openai", RESULT("'" FIFTY FIFTY "'"), 0, 0, 40 - 12 },
	{ "openai", RESULT("[{'type':'text','text':'" FIFTY FIFTY "'},{'type':"
	    "'text','text':'a'},{'type':'text','text':'" FIFTY FIFTY "'}]"),
	    0, 0, 2 * (40 - 12) },
	{ "openai", RESULT("'" NOTE "'"), 0, 0, 0 },
	/* the note must have fewer bytes */
	{ "openai", RESULT("'" TEN TEN TEN "'"), 0, 0, 0 },
	{ "openai", RESULT("'" TEN TEN TEN "1'"), 0, 0, 0 },
	{ "openai", RESULT("'" TEN TEN TEN "12'"), 0, 0, 0 },
	{ "openai", RESULT("'" TEN TEN TEN "12345'"), 0, 0, 14 - 12 },
	{ "openai", USER("'content':'" FIFTY FIFTY "'"), 0, 1, 0 },
};

static void
test_part(size_t i)
{
	struct ctx_buf line = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_cost k;
	const struct ctx_revise by = { .cost = &k };
	uint64_t less = 1;

	open_cost(&k);
	quoted(&line, parts[i].line);
	CHECK_INT(ctx_dialect_line(&c, ctx_dialect_find(parts[i].dialect),
	    line.data, line.len, &err), 0);
	c.msg[0].flags |= parts[i].flags;
	CHECK_INT(ctx_revise_may_part(&c, 0), parts[i].part);
	CHECK_INT(ctx_revise_gain(&by, &c, 0, &less, &err), 0);
	CHECK_INT(less, parts[i].gain);
	ctx_convo_done(&c);
	ctx_buf_done(&line);
	ctx_cost_done(&k);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		TEST("%.80s", messages[i].line);
		test_message(i);
	}
	RUN(test_joined());
	RUN(test_known());
	for (i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		TEST("tool %d", (int)i);
		test_tool(i);
	}
	RUN(test_frames());
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		TEST("part %d: %.60s", (int)i, parts[i].line);
		test_part(i);
	}
	return CHECK_DONE("cost");
}
