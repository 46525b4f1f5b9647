/* SPDX-License-Identifier: MIT */
/*
 * What APIs charge.  Declarations are written as in OpenAI's description of its
 * harmony format; sums are by the table in charge.c, with texts of a token for
 * each word.  What whole requests cost is in count.bats and ctx-count(1).
 */
#include "job/charge.h"
#include "job/declare.h"
#include "view/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Replace ' by ". */
static const char *
quoted(struct ctx_buf *b, const char *text)
{
	for (ctx_buf_reset(b); *text != '\0'; text++)
		ctx_buf_addc(b, *text == '\'' ? '"' : *text);
	return ctx_buf_str(b);
}

/* --- declarations ------------------------------------------------------ */

static const struct {
	const char *tool;	/* in OpenAI's form */
	const char *want;
} declared[] = {
	{ "{'name':'f'}", "type f = () => any;\n\n" },
	{ "{'name':'f','description':' Gets it. \\n\\n now '}",
	    "// Gets it.\n//\n// now\ntype f = () => any;\n\n" },
	{ "{'name':'f','parameters':{'type':'object','properties':{}}}",
	    "type f = () => any;\n\n" },
	/* without comments, all is on a line */
	{ "{'name':'f','parameters':{'type':'object','properties':{"
	    "'a':{'type':'string'},'b':{'type':'integer'}},"
	    "'required':['a']}}",
	    "type f = (_: { a: string, b?: number }) => any;\n\n" },
	{ "{'name':'f','parameters':{'type':'object','properties':{"
	    "'a':{'type':'string','description':'A\\nB'},"
	    "'b':{'type':'boolean'}}}}",
	    "type f = (_: {\n// A\n// B\na?: string,\nb?: boolean,\n}) => "
	    "any;\n\n" },
	{ "{'name':'f','parameters':{'title':'T','description':'D',"
	    "'properties':{'a':{'title':'A','examples':[1,'x']}}}}",
	    "type f = (_: // T\n//\n// D\n{\n// A\n// Examples:\n// - 1\n"
	    "// - \"x\"\na?: any,\n}) => any;\n\n" },
	{ "{'name':'f','parameters':{'properties':{"
	    "'a':{'enum':['x',1,null,'\\u00e9']},'b':{'const':'y'},"
	    "'c':{'type':['string','null']},"
	    "'d':{'anyOf':[{'type':'number'},{'type':'null'}]},"
	    "'e':{'type':'array','items':{'type':'string'}},"
	    "'g':{'type':'array'},'h':{'type':'object'},'i':{'type':'odd'},"
	    "'j':{'type':'object','properties':{'k':{'type':'null'}}}}}}",
	    "type f = (_: { a?: \"x\" | 1 | null | \"\xc3\xa9\", b?: \"y\", "
	    "c?: string | null, d?: number | null, e?: string[], g?: any[], "
	    "h?: object, i?: any, j?: { k?: null } }) => any;\n\n" },
	/* a default is a comment behind, of an enum without quotes */
	{ "{'name':'f','parameters':{'properties':{"
	    "'a':{'type':'string','default':'x'},"
	    "'b':{'enum':['p','q'],'default':'p'}}}}",
	    "type f = (_: {\na?: string, // default: \"x\"\n"
	    "b?: \"p\" | \"q\", // default: p\n}) => any;\n\n" },
	/* references, with what they add; what they lead to may be nothing */
	{ "{'name':'f','parameters':{'properties':{'a':{'$ref':'#/$defs/A'},"
	    "'b':{'$ref':'#/$defs/B'}},'$defs':{'A':{'type':'string',"
	    "'description':'of A'}}}}",
	    "type f = (_: {\n// of A\na?: string,\nb?: any,\n}) => any;\n\n" },
	/* in a list and a union, a type has its comments before it */
	{ "{'name':'f','parameters':{'properties':{'a':{'type':'array',"
	    "'items':{'type':'string','description':'one'}}}}}",
	    "type f = (_: { a?: \n// one\nstring\n[] }) => any;\n\n" },
};

static void
test_declared(size_t i)
{
	struct ctx_buf json = { 0 }, got = { 0 };
	struct ctx_tools tools = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };

	ctx_buf_addc(&got, '[');
	ctx_buf_adds(&got, quoted(&json, declared[i].tool));
	ctx_buf_addc(&got, ']');
	CHECK_INT(ctx_doc_scan(&doc, got.data, got.len, &err), 0);
	CHECK_INT(ctx_tools_read(&tools, &doc, 0, &err), 0);
	ctx_buf_done(&json);
	CHECK_INT(ctx_declare(&json, &tools.tool[0], &err), 0);
	CHECK_STR(ctx_buf_str(&json), declared[i].want);
	ctx_tools_done(&tools);
	ctx_doc_done(&doc);
	ctx_buf_done(&got);
	ctx_buf_done(&json);
}

/* References that nest without an end are cut off. */
static void
test_endless(void)
{
	static const char tool[] = "[{\"name\":\"f\",\"parameters\":{"
	    "\"properties\":{\"a\":{\"$ref\":\"#/$defs/A\"}},\"$defs\":{\"A\":{"
	    "\"type\":\"object\",\"properties\":{"
	    "\"x\":{\"$ref\":\"#/$defs/A\"},\"y\":{\"$ref\":\"#/$defs/A\"},"
	    "\"z\":{\"$ref\":\"#/$defs/A\"}}}}}}]";
	struct ctx_tools tools = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_buf out = { 0 };

	CHECK_INT(ctx_doc_scan(&doc, tool, sizeof(tool) - 1, &err), 0);
	CHECK_INT(ctx_tools_read(&tools, &doc, 0, &err), 0);
	CHECK_INT(ctx_declare(&out, &tools.tool[0], &err), 0);
	CHECK(out.len < 2 * CTX_DECLARE_MAX);
	ctx_buf_done(&out);
	ctx_tools_done(&tools);
	ctx_doc_done(&doc);
}

/* --- sums ---------------------------------------------------------------- */

/* Words that are one token of o200k_base, also after a space. */
#define TOOLS	"'tools':[{'name':'f','input_schema':{}}]"
#define ASKS	"'messages':[{'role':'user','content':'hi'}]"

static const struct {
	const char *model, *request;
	uint64_t framing, tools, messages;
} sums[] = {
	/* a message is 4 with its role, a request 3 or 2 */
	{ "gpt-4o", "{" ASKS "}", 3, 0, 4 + 1 },
	{ "gpt-4", "{" ASKS "}", 3, 0, 4 + 1 },
	{ "o3", "{" ASKS "}", 2, 0, 4 + 1 },
	{ "gpt-5", "{" ASKS "}", 2, 0, 4 + 1 },
	{ "gpt-77", "{" ASKS "}", 2, 0, 4 + 1 },
	/* the assistant's 2 more from gpt-5 on */
	{ "gpt-4o", "{'messages':[{'role':'assistant','content':'hi'}]}", 3, 0,
	    4 + 1 },
	{ "gpt-5", "{'messages':[{'role':'assistant','content':'hi'}]}", 2, 0,
	    4 + 2 + 1 },
	/* a name costs 1 more */
	{ "gpt-4o", "{'messages':[{'role':'user','name':'Bob','content':'hi'}]}",
	    3, 0, 4 + 1 + 1 + 1 },
	/* pieces of a text are one text: "hi there" is 2 tokens */
	{ "gpt-4o", "{'messages':[{'role':'user','content':["
	    "{'type':'text','text':'h'},{'type':'text','text':'i'},"
	    "{'type':'text','text':' there'}]}]}", 3, 0, 4 + 2 },
	/* "functions.f" is 2 tokens, "{}" 1 */
	{ "gpt-4o", "{'messages':[{'role':'assistant','tool_calls':[{'id':'c',"
	    "'type':'function','function':{'name':'f','arguments':'{ }'}}]},"
	    "{'role':'tool','tool_call_id':'c','content':'hi'}]}", 3, 0,
	    8 + 2 + 1 + 4 + 1 + 1 },
	/* a call and its result name a namespace: "f.f" is 2 tokens */
	{ "gpt-5.4", "{'input':[{'type':'function_call','call_id':'c','name':"
	    "'f','namespace':'f','arguments':'{}'},{'type':"
	    "'function_call_output','call_id':'c','output':'hi'}]}", 2, 0,
	    15 + 2 + 1 + 4 + 2 + 1 },
	/* tools that an item brings: a message of 4, and 89 as in chat; their
	   text is 3 and 11 tokens */
	{ "gpt-5.4", "{'input':[{'role':'user','content':'hi'},{'type':"
	    "'additional_tools','role':'developer','tools':[{'type':"
	    "'function','name':'f'}]}]}", 2, 4 + 89 + 3 + 11, 4 + 1 },
	{ "gpt-5.4", "{'input':[{'role':'user','content':'hi'},{'type':"
	    "'additional_tools','role':'developer','tools':[]}]}", 2, 0,
	    4 + 1 },
	/* of a custom tool the grammar's text is counted too */
	{ "gpt-5", "{" ASKS ",'tools':[{'type':'custom','custom':{'name':'f',"
	    "'format':{'type':'grammar','grammar':{'definition':'hi'}}}}]}",
	    2, 90 + 3 + 11 + 1, 4 + 1 },
	{ "gpt-5", "{'model':'m','input':'hi','tools':[{'type':'custom','name':'f',"
	    "'format':{'type':'grammar','definition':'hi'}}]}",
	    2, 8 + 3 + 11 + 1, 4 + 1 },
	/* a turn of Claude's is 3, and 4 for the first; then 2, and 4 */
	{ "claude-sonnet-4-5", "{'system':'hi'," ASKS "}", 4, 0, 3 + 1 + 1 },
	{ "claude-sonnet-5", "{'system':'hi'," ASKS "}", 4, 0, 2 + 1 + 1 + 1 },
	{ "claude-opus-4-7", "{" ASKS "}", 9, 0, 2 + 1 },
	/* an answer that is begun is not closed; thinking is enabled */
	{ "claude-sonnet-4-5", "{'messages':[{'role':'user','content':'hi'},"
	    "{'role':'assistant','content':'hi'}],'thinking':{'type':"
	    "'enabled'}}", 4 - 3 + 29, 0, 3 + 1 + 3 + 1 },
	/* thinking of an earlier turn: "hi" again for those that keep it */
	{ "claude-sonnet-4-5", "{'messages':[{'role':'user','content':'hi'},"
	    "{'role':'assistant','content':[{'type':'thinking','thinking':'hi',"
	    "'signature':'s'},{'type':'text','text':'hi'}]},"
	    "{'role':'user','content':'hi'}]}", 4, 0, 3 * (3 + 1) },
	{ "claude-sonnet-4-6", "{'messages':[{'role':'user','content':'hi'},"
	    "{'role':'assistant','content':[{'type':'thinking','thinking':'hi',"
	    "'signature':'s'},{'type':'text','text':'hi'}]},"
	    "{'role':'user','content':'hi'}]}", 4, 0, 3 * (3 + 1) + 1 },
	/* results and what the user says are one turn; 14 for an argument */
	{ "claude-sonnet-4-5", "{'messages':[{'role':'assistant','content':["
	    "{'type':'tool_use','id':'c','name':'f','input':{'hi':'hi'}}]},"
	    "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c',"
	    "'content':'hi'}]},{'role':'user','content':'hi'}]}", 4 + 12, 0,
	    3 + 1 + 14 + 1 + 1 + 3 + 39 + 1 + 1 },
	/* a reference is 14 and the definition, of 15 tokens here; a tool that
	   waits costs nothing before */
	{ "claude-opus-4-8", "{'messages':[{'role':'user','content':'hi'},"
	    "{'role':'system','content':[{'type':'tool_addition','tool':{"
	    "'type':'tool_reference','name':'f'}}]}],'tools':[{'name':'f',"
	    "'defer_loading':true,'input_schema':{}}]}", 4, 290 + 14 + 15,
	    2 + 1 + 1 },
	{ "claude-opus-4-8", "{" ASKS ",'tools':[{'name':'f','defer_loading':"
	    "true,'input_schema':{}}]}", 4, 290, 2 + 1 },
};

#define BEDROCK	"{'messages':[{'role':'user','content':[{'text':'hi'}]}]," \
		"'toolConfig':{'tools':[{'toolSpec':{'name':'f'," \
		"'inputSchema':{'json':{}}}}]"
#define OLDER	"{" ASKS ",'functions':[{'name':'f','parameters':{}}]"

static const struct {
	const char *model, *choice;
	uint64_t prompt;
} prompts[] = {
	{ "claude-opus-4-8", "", 290 }, { "claude-opus-4-7", "", 675 },
	{ "claude-opus-4-6", "", 497 }, { "claude-opus-4.6", "", 497 },
	{ "anthropic/claude-opus-4.5", "", 496 },
	{ "claude-opus-4-1-20250805", "", 313 },
	{ "claude-4-sonnet-20250514", "", 313 },
	{ "anthropic/claude-4.5-sonnet", "", 496 },
	{ "anthropic:Claude-Sonnet-4-5", "", 496 },
	{ "claude-sonnet-5", "", 354 }, { "claude-sonnet-4-6", "", 497 },
	{ "claude-sonnet-4-5", "", 496 }, { "claude-sonnet-4-0", "", 313 },
	{ "claude-haiku-4-5", "", 496 }, { "claude-3.5-haiku", "", 264 },
	{ "claude-3-haiku", "", 264 }, { "claude-3-opus", "", 530 },
	{ "claude-3-sonnet", "", 159 },
	{ "claude-sonnet-4-5", "{'type':'any'}", 588 },
	{ "claude-sonnet-4-5", "{'type':'auto',"
	    "'disable_parallel_tool_use':true}", 288 },
	/* its name, and 3 */
	{ "claude-sonnet-4-5", "{'type':'tool','name':'f'}", 588 + 3 + 1 },
	/* as OpenAI's API has it, and the Responses API */
	{ "claude-sonnet-4-5", "'required'", 588 },
	{ "claude-sonnet-4-5", "'auto'", 496 },
	{ "claude-sonnet-4-5", "{'type':'function','function':{'name':'f'}}",
	    588 + 3 + 1 },
	{ "claude-sonnet-4-5", "{'type':'function','name':'f'}", 588 + 3 + 1 },
	{ "claude-sonnet-4-5", "{'type':'auto'}", 496 },
};

/* The choice of Bedrock's Converse, and OpenAI's older one. */
static const struct {
	const char *model, *without, *with;
	uint64_t more;
} chosen[] = {
	{ "claude-sonnet-4-5", BEDROCK "}}", BEDROCK
	    ",'toolChoice':{'any':{}}}}", 588 - 496 },
	{ "claude-sonnet-4-5", BEDROCK "}}", BEDROCK
	    ",'toolChoice':{'tool':{'name':'f'}}}}", 588 - 496 + 3 + 1 },
	{ "claude-sonnet-4-5", BEDROCK "}}", BEDROCK
	    ",'toolChoice':{'auto':{}}}}", 0 },
	/* "functions.f" is 2 tokens, and 6 */
	{ "gpt-4o", OLDER "}", OLDER ",'function_call':{'name':'f'}}", 6 + 2 },
	{ "gpt-4o", OLDER "}", OLDER ",'function_call':'auto'}", 0 },
};

static void
open_cost(struct ctx_cost *k, const char *model)
{
	struct ctx_err err = { 0 };

	memset(k, 0, sizeof(*k));
	k->model_name = model;
	k->models = ctx_models_new(&err);
	if (k->models == NULL ||
	    ctx_model_open(k->models, model, &k->choice, &err) == -1)
		abort();
	ctx_tok_free(k->choice.tok);
	k->choice.tok = ctx_tok_open("o200k_base", &err);
	if (k->choice.tok == NULL ||
	    ctx_counter_init(&k->counter, k->choice.tok, &err) == -1)
		abort();
	k->counter.factor = (struct ctx_ratio){ 1, 1 };
	k->ready = 1;
}

/* What the last request had that is not known, or only guessed. */
static int unknown, guessed;

/* Count a request.  Returns what its messages cost. */
static uint64_t
charge(const char *model, const char *request, struct ctx_charges *more)
{
	struct ctx_convo c = { 0 };
	struct ctx_buf json = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_cost k;
	uint64_t sum = 0, n;
	uint32_t m;

	open_cost(&k, model);
	quoted(&json, request);
	CHECK_INT(ctx_dialect_line(&c, NULL, json.data, json.len, &err), 0);
	CHECK_INT(ctx_charge_request(&k, &c, NULL, more, NULL, &err), 0);
	for (m = 0; m < c.nmsg; m++) {
		CHECK_INT(ctx_cost_msg(&k, &c, m, &n, &err), 0);
		sum += n;
	}
	unknown = k.unknown;
	guessed = k.guessed;
	ctx_convo_done(&c);
	ctx_buf_done(&json);
	ctx_cost_done(&k);
	return sum;
}

static void
test_sum(size_t i)
{
	struct ctx_charges more;

	CHECK_INT(charge(sums[i].model, sums[i].request, &more),
	    sums[i].messages);
	CHECK_INT(more.framing, sums[i].framing);
	CHECK_INT(more.tools, sums[i].tools);
}

/* --- what is not known -------------------------------------------------- */

#define INPUT(item)	"{'input':[{'role':'user','content':'hi'}," item "]}"

static const struct {
	const char *model, *request;
	int unknown, guessed;
} doubts[] = {
	{ "gpt-5", "{" ASKS "}", 0, 0 },
	{ "gpt-5", "{'model':'m','input':'hi','previous_response_id':null}", 0, 0 },
	{ "gpt-5", "{'model':'m','input':'hi','previous_response_id':'r'}", 1, 0 },
	{ "gpt-5", "{'model':'m','input':'hi','conversation':'c'}", 1, 0 },
	{ "gpt-5", "{'model':'m','input':'hi','prompt':{'id':'p'}}", 1, 0 },
	{ "gpt-5", INPUT("{'type':'item_reference','id':'i'}"), 1, 0 },
	{ "gpt-5", INPUT("{'type':'web_search_call','id':'i','status':"
	    "'completed'}"), 1, 0 },
	{ "gpt-5", INPUT("{'type':'reasoning','id':'r','summary':[]}"), 0, 1 },
	/* what came before a question is not sent */
	{ "gpt-5", INPUT("{'type':'reasoning','id':'r','summary':[]},"
	    "{'role':'user','content':'hi'}"), 0, 0 },
	{ "gpt-5", INPUT("{'type':'additional_tools','role':'developer',"
	    "'tools':[{'type':'function','name':'f'}]}"), 0, 1 },
	{ "gpt-5", "{'model':'m','input':'hi','tools':[{'type':'function','name':'f'}]}",
	    0, 0 },
	{ "gpt-5", "{'model':'m','input':'hi','tools':[{'type':'mcp'}]}", 1, 0 },
	{ "gpt-5", "{'model':'m','input':'hi','tools':[{'type':'custom','name':'f'}]}",
	    0, 0 },
	{ "gpt-5", "{'model':'m','input':'hi','tools':[{'type':'custom','name':'f',"
	    "'format':{'type':'grammar','definition':'hi'}}]}", 1, 0 },
	{ "claude-sonnet-5", "{" ASKS "," TOOLS "}", 0, 0 },
	{ "claude-sonnet-5", "{" ASKS ",'mcp_servers':[{'name':'m'}]}", 1, 0 },
	{ "claude-sonnet-5", "{" ASKS ",'tools':[{'type':"
	    "'web_search_20250305','name':'web_search'}]}", 1, 0 },
};

static void
test_doubt(size_t i)
{
	struct ctx_charges more;

	charge(doubts[i].model, doubts[i].request, &more);
	CHECK_INT(unknown, doubts[i].unknown);
	CHECK_INT(guessed, doubts[i].guessed);
}

/* Sealed reasoning costs by the length of its seal. */
static void
test_sealed(void)
{
	static const struct {
		const char *model;
		int length;
		uint64_t want;
	} seals[] = {
		{ "gpt-5.4", 1215, 50 }, { "gpt-5.4", 915, 0 },
		{ "gpt-77", 1215, 50 }, { "gpt-5-mini", 1250, 46 },
		{ "o3", 1250, 46 }, { "o3", 10, 0 },
	};
	struct ctx_buf request = { 0 };
	struct ctx_charges more;
	size_t i;
	int n;

	for (i = 0; i < sizeof(seals) / sizeof(seals[0]); i++) {
		ctx_buf_reset(&request);
		ctx_buf_adds(&request, "{'input':[{'type':'reasoning',"
		    "'id':'r','summary':[],'encrypted_content':'");
		for (n = 0; n < seals[i].length; n++)
			ctx_buf_addc(&request, 'a');
		ctx_buf_adds(&request, "'}]}");
		CHECK_INT(charge(seals[i].model, ctx_buf_str(&request), &more),
		    seals[i].want);
	}
	ctx_buf_done(&request);
}

/* The messages of a request with n calls at once, and their results. */
static uint64_t
at_once(const char *model, int n)
{
	struct ctx_buf request = { 0 };
	struct ctx_charges more;
	uint64_t sum;
	int i;

	ctx_buf_adds(&request, "{'input':[{'role':'user','content':'hi'}");
	for (i = 0; i < n; i++)
		ctx_buf_addf(&request, ",{'type':'function_call','call_id':"
		    "'c%d','name':'f','arguments':'{}'}", i);
	for (i = 0; i < n; i++)
		ctx_buf_addf(&request, ",{'type':'function_call_output',"
		    "'call_id':'c%d','output':'hi'}", i);
	ctx_buf_adds(&request, "]}");
	sum = charge(model, ctx_buf_str(&request), &more);
	ctx_buf_done(&request);
	return sum;
}

/* However many calls are made at once, each costs as much. */
static void
test_many(void)
{
	static const char *const models[] = { "gpt-5.4", "gpt-5", "gpt-4o" };
	size_t i;

	for (i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		CHECK_INT(at_once(models[i], 500) - at_once(models[i], 490),
		    at_once(models[i], 20) - at_once(models[i], 10));
}

/* The text of the definition is the same each time. */
static void
test_prompt(size_t i)
{
	struct ctx_charges with, without;
	struct ctx_buf request = { 0 };

	charge("claude-3-sonnet", "{" ASKS "," TOOLS "}", &without);
	ctx_buf_adds(&request, "{" ASKS "," TOOLS);
	if (*prompts[i].choice != '\0') {
		ctx_buf_adds(&request, ",'tool_choice':");
		ctx_buf_adds(&request, prompts[i].choice);
	}
	ctx_buf_addc(&request, '}');
	charge(prompts[i].model, ctx_buf_str(&request), &with);
	CHECK_INT(with.tools - prompts[i].prompt, without.tools - 159);
	ctx_buf_done(&request);
}

static void
test_chosen(size_t i)
{
	struct ctx_charges with, without;

	charge(chosen[i].model, chosen[i].without, &without);
	charge(chosen[i].model, chosen[i].with, &with);
	CHECK_INT(with.tools, without.tools + chosen[i].more);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(declared) / sizeof(declared[0]); i++) {
		TEST("%.60s", declared[i].tool);
		test_declared(i);
	}
	RUN(test_endless());
	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		TEST("%s %.60s", sums[i].model, sums[i].request);
		test_sum(i);
	}
	for (i = 0; i < sizeof(prompts) / sizeof(prompts[0]); i++) {
		TEST("%s %s", prompts[i].model, prompts[i].choice);
		test_prompt(i);
	}
	for (i = 0; i < sizeof(chosen) / sizeof(chosen[0]); i++) {
		TEST("%s %.60s", chosen[i].model, chosen[i].with);
		test_chosen(i);
	}
	for (i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
		TEST("%s %.60s", doubts[i].model, doubts[i].request);
		test_doubt(i);
	}
	RUN(test_sealed());
	RUN(test_many());
	return CHECK_DONE("charge");
}
