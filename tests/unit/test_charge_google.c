/* SPDX-License-Identifier: MIT */
/*
 * What Google charges for a request.  A text costs what o200k_base makes of it
 * alone; what a request costs besides its texts is given as a number.
 */
#include "job/charge.h"
#include "job/declare.h"
#include "job/declare_google.h"
#include "view/dialect.h"

#include <stdlib.h>

#include "check.h"
#include "nomem.h"
#include "quotes.h"

#define TEXTS_MAX	8

static void
open_cost(struct ctx_cost *k, const struct ctx_model *model, const char *name)
{
	struct ctx_err err = { 0 };

	memset(k, 0, sizeof(*k));
	k->model_name = name;
	k->choice.model = model;
	k->choice.tok = ctx_tok_open("o200k_base", &err);
	if (k->choice.tok == NULL ||
	    ctx_counter_init(&k->counter, k->choice.tok, &err) == -1)
		abort();
	k->counter.factor = k->choice.factor = (struct ctx_ratio){ 1, 1 };
	k->ready = 1;
}

/* Replace ' by ", and @ by 300 bytes of a signature. */
static const char *
filled(struct ctx_buf *b, const char *text)
{
	int i;

	for (ctx_buf_reset(b); *text != '\0'; text++)
		if (*text == '@')
			for (i = 0; i < 100; i++)
				ctx_buf_adds(b, "AAAA");
		else
			ctx_buf_addc(b, *text == '\'' ? '"' : *text);
	return ctx_buf_str(b);
}

/* --- which row ---------------------------------------------------------- */

static void
test_rows(void)
{
	static const struct {
		const char *name;
		int form, message, sealed, keeps;	/* form -1: no row */
	} rows[] = {
		{ "gemini-1.5-pro", CTX_FORM_TEXTS, 0, 50, 0 },
		{ "models/gemini-2.0-flash", CTX_FORM_TEXTS, 0, 50, 0 },
		{ "gemini-2.5-flash-image", CTX_FORM_PYTHON, 1, 50, 0 },
		{ "gemma-3-27b-it", CTX_FORM_PYTHON, 1, 50, 0 },
		{ "gemini-3-pro-preview", CTX_FORM_CONTROL, 1, 84, 0 },
		{ "gemini-3-flash", CTX_FORM_CONTROL, 1, 84, 0 },
		{ "gemini-3.1-pro", CTX_FORM_CONTROL, 1, 84, 0 },
		{ "gemini-3.5-flash", CTX_FORM_CONTROL, 1, 78, 1 },
		{ "gemini-3.6-flash", CTX_FORM_CONTROL, 1, 78, 1 },
		{ "gemini-4-argon", CTX_FORM_CONTROL, 1, 78, 1 },
		{ "google/gemini-flash-latest", CTX_FORM_CONTROL, 1, 78, 1 },
		{ "gemini-9", CTX_FORM_CONTROL, 1, 78, 1 },
		/* as another server runs it */
		{ "gemma3:27b", -1, 0, 0, 0 },
	};
	struct ctx_err err = { 0 };
	struct ctx_models *models = ctx_models_new(&err);
	const struct ctx_charge *r;
	struct ctx_convo c = { 0 };
	struct ctx_cost k = { 0 };
	size_t i;
	int items;

	if (!CHECK(models != NULL))
		return;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		k = (struct ctx_cost){ .choice.model = ctx_model_find(models,
		    rows[i].name) };
		for (items = 0; items < 2; items++) {
			c.dialect = items ? &ctx_dialect_responses : NULL;
			r = ctx_charge_of(&k, &c);
			if (rows[i].form == -1) {
				CHECK(r == NULL);
				continue;
			}
			if (!CHECK(r != NULL && r->rule == CTX_CHARGE_GOOGLE))
				continue;
			CHECK_INT(r->form, rows[i].form);
			CHECK_INT(r->message, rows[i].message);
			CHECK_INT(r->sealed, rows[i].sealed);
			CHECK_INT(r->keeps, rows[i].keeps);
		}
	}
	ctx_models_free(models);
}

/* --- declarations and values ------------------------------------------- */

#define CITY "{'type':'object','properties':{'city':{'type':'string'," \
	"'description':'the city'}},'required':['city']}"
/* of each kind */
#define KINDS "{'type':'OBJECT','properties':{'a':{'type':3}," \
	"'b':{'type':'array','items':{'type':'NUMBER','nullable':true}}," \
	"'c':{'enum':['x',1,'it\\u0027s'],'description':''}," \
	"'d':{'anyOf':[{'type':'boolean'},{'type':'null'}]},'e':true}," \
	"'required':[],'additionalProperties':false,'maxProperties':12}"
#define NESTED "{'type':'object','properties':{'my_place':{'type':'object'," \
	"'description':'where','properties':{'x':{'type':'integer'}}}}}"
#define AGAIN "{'type':'object','properties':{'n':{'$ref':'#/$defs/n'}}," \
	"'$defs':{'n':{'type':'array','items':{'$ref':'#/$defs/n'}}}}"

/* | is a control token and ~ a border. */
static const struct {
	enum ctx_charge_form form;
	int declared, google;
	const char *name, *about, *schema, *want;
} declarations[] = {
	/* the examples of all forms */
	{ CTX_FORM_TEXTS, 1, 1, "weather", "Get weather", CITY,
	    "weather~Get weather~|city~city~|the city~" },
	{ CTX_FORM_PYTHON, 1, 1, "weather", "Get weather", CITY,
	    "def weather(\n    city: str,\n) -> dict:\n  \"\"\"Get weather\n\n"
	    "  Args:\n    city: the city\n  \"\"\"\n" },
	{ CTX_FORM_CONTROL, 1, 1, "weather", "Get weather", CITY,
	    "|declaration:weather{description:|Get weather|,parameters:{type:"
	    "|OBJECT|,properties:{city:{type:|STRING|,description:|the city|}"
	    "},required:[|city|]}}|" },
	/* nothing but a name */
	{ CTX_FORM_TEXTS, 1, 0, "f", NULL, NULL, "f~" },
	{ CTX_FORM_PYTHON, 1, 0, "f", NULL, NULL,
	    "def f(\n) -> dict:\n  \"\"\"\n\n  Args:\n  \"\"\"\n" },
	{ CTX_FORM_CONTROL, 1, 0, "f", "", NULL, "|declaration:f{}|" },
	{ CTX_FORM_CONTROL, 1, 0, "f", "", "{}", "|declaration:f{}|" },
	{ CTX_FORM_CONTROL, 1, 0, "f", NULL, "{'type':'object','properties':"
	    "{}}", "|declaration:f{parameters:{type:|OBJECT|}}|" },
	/* JSON Schema that Google was given is not shown to old models */
	{ CTX_FORM_TEXTS, 1, 0, "f", "g", CITY, "f~g~" },
	{ CTX_FORM_TEXTS, 0, 0, "f", "g", CITY, "f~g~|city~city~|the city~" },
	/* all kinds of types */
	{ CTX_FORM_TEXTS, 1, 1, "f", NULL, KINDS,
	    "f~|a~|b~||c~~x~1~it's~d~||e~" },
	{ CTX_FORM_PYTHON, 1, 1, "f", NULL, KINDS,
	    "def f(\n    a: int | None = None,\n"
	    "    b: list[float] | None = None,\n"
	    "    c: Literal['x', 1, \"it's\"] | None = None,\n"
	    "    d: bool | None | None = None,\n    e: Any | None = None,\n"
	    ") -> dict:\n  \"\"\"\n\n  Args:\n    a: \n    b: \n    c: \n"
	    "    d: \n    e: \n  \"\"\"\n" },
	{ CTX_FORM_CONTROL, 1, 1, "f", NULL, KINDS,
	    "|declaration:f{parameters:{type:|OBJECT|,properties:{a:{type:"
	    "|INTEGER|},b:{type:|ARRAY|,items:{type:|NUMBER|,nullable:true}},"
	    "c:{enum:[|x|,1,|it's|]},d:{anyOf:[{type:|BOOLEAN|},{type:|NULL|}"
	    "]},e:true},maxProperties:12}}|" },
	/* an object in an object */
	{ CTX_FORM_PYTHON, 1, 1, "at", NULL, NESTED,
	    "@dataclasses.dataclass(kw_only=True)\nclass AtMyPlace:\n"
	    "  \"\"\"where\n\n  Attributes:\n    x: \n  \"\"\"\n"
	    "  x: int | None = None\n\n"
	    "def at(\n    my_place: AtMyPlace | None = None,\n) -> dict:\n"
	    "  \"\"\"\n\n  Args:\n    my_place: where\n  \"\"\"\n" },
	{ CTX_FORM_CONTROL, 1, 1, "at", NULL, NESTED,
	    "|declaration:at{parameters:{type:|OBJECT|,properties:{my_place:{"
	    "type:|OBJECT|,description:|where|,properties:{x:{type:|INTEGER|}"
	    "}}}}}|" },
	/* a reference is followed five times */
	{ CTX_FORM_PYTHON, 1, 1, "f", NULL, AGAIN,
	    "def f(\n    n: list[list[list[list[list[dict]]]]] | None = None,"
	    "\n) -> dict:\n  \"\"\"\n\n  Args:\n    n: \n  \"\"\"\n" },
	{ CTX_FORM_CONTROL, 1, 1, "f", NULL, AGAIN,
	    "|declaration:f{parameters:{type:|OBJECT|,properties:{n:"
	    "{type:|ARRAY|,items:{type:|ARRAY|,items:{type:|ARRAY|,items:"
	    "{type:|ARRAY|,items:{type:|ARRAY|,items:{}}}}}}}}}|" },
	{ CTX_FORM_CONTROL, 1, 1, "f", NULL, "{'properties':{'a':{'$ref':"
	    "'#/$defs/none'},'b':{'type':['string','null'],'items':{}}}}",
	    "|declaration:f{parameters:{properties:{a:{},b:{type:[|string|,"
	    "|null|],items:{}}}}}|" },
};

static const char *
shown(struct ctx_buf *out)
{
	size_t i;

	for (i = 0; i < out->len; i++)
		if (out->data[i] == CTX_GOOGLE_TOKEN)
			out->data[i] = '|';
		else if (out->data[i] == CTX_GOOGLE_BORDER)
			out->data[i] = '~';
	return ctx_buf_str(out);
}

static void
test_declaration(size_t i)
{
	struct ctx_buf name = { 0 }, schema = { 0 }, out = { 0 };
	struct ctx_tool tool = { .declared = declarations[i].declared,
	    .google = declarations[i].google };
	struct ctx_err err = { 0 };

	tool.name.p = declarations[i].name;
	tool.name.len = (uint32_t)strlen(tool.name.p);
	tool.about.p = declarations[i].about;
	if (tool.about.p != NULL)
		tool.about.len = (uint32_t)strlen(tool.about.p);
	if (declarations[i].schema != NULL) {
		tool.schema.p = filled(&schema, declarations[i].schema);
		tool.schema.len = (uint32_t)schema.len;
	}
	CHECK_INT(ctx_declare_google(&out, declarations[i].form, &tool, &err),
	    0);
	CHECK_STR(shown(&out), declarations[i].want);
	ctx_buf_done(&name);
	ctx_buf_done(&schema);
	ctx_buf_done(&out);
}

static void
test_value(void)
{
	static const struct {
		enum ctx_charge_form form;
		int arguments;
		const char *json, *want;
	} values[] = {
		{ CTX_FORM_TEXTS, 1, "{'city':'Rome','n':2}", "city~Rome~n~" },
		{ CTX_FORM_PYTHON, 1, "{ 'city':'Rome' , 'n':2}",
		    "(city = \"Rome\", n = 2)" },
		{ CTX_FORM_PYTHON, 1, "{}", "()" },
		{ CTX_FORM_PYTHON, 1, "{'a':{'b':[1,{'c':null}]}}",
		    "(a = {\"b\": [1, {\"c\": null}]})" },
		{ CTX_FORM_PYTHON, 0, "{'content':[{'text':'s\\u00fcn\\n'}]}",
		    "{\"content\": [{\"text\": \"s\xc3\xbcn\\n\"}]}" },
		{ CTX_FORM_CONTROL, 1, "{'city':'Rome', 'n':2}",
		    "{city:|Rome|,n:2}" },
		{ CTX_FORM_CONTROL, 0, "{'content':[{'text':'s'},true,[]]}",
		    "{content:[{text:|s|},true,[]]}" },
		/* no JSON: a call that was cut off */
		{ CTX_FORM_CONTROL, 1, "{'city':'Ro", "{city:|Ro|" },
	};
	struct ctx_buf json = { 0 }, out = { 0 };
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		filled(&json, values[i].json);
		ctx_buf_reset(&out);
		ctx_declare_google_value(&out, values[i].form,
		    ctx_str_of(&json), values[i].arguments);
		CHECK_STR(shown(&out), values[i].want);
	}
	ctx_buf_done(&json);
	ctx_buf_done(&out);
}

/* A schema that refers to itself twice in each of its members is cut short. */
static void
test_hostile(void)
{
	struct ctx_buf schema = { 0 }, out = { 0 };
	struct ctx_tool tool = { .name = { "f", 1 }, .declared = 1 };
	struct ctx_err err = { 0 };
	int form, i;

	ctx_buf_adds(&schema, "{\"properties\":{\"a\":{\"$ref\":\"/n0\"}},"
	    "\"$defs\":{");
	for (i = 0; i < 20; i++)
		ctx_buf_addf(&schema, "%s\"n%d\":{\"type\":\"object\","
		    "\"properties\":{\"a\":{\"$ref\":\"/n%d\"},"
		    "\"b\":{\"$ref\":\"/n%d\"}}}", i > 0 ? "," : "", i,
		    (i + 1) % 20, (i + 7) % 20);
	ctx_buf_adds(&schema, "}}");
	tool.schema = ctx_str_of(&schema);
	for (form = CTX_FORM_TEXTS; form <= CTX_FORM_CONTROL; form++) {
		ctx_buf_reset(&out);
		CHECK_INT(ctx_declare_google(&out, (enum ctx_charge_form)form,
		    &tool, &err), 0);
		CHECK(out.len < 4 * CTX_DECLARE_MAX);
	}
	ctx_buf_done(&schema);
	ctx_buf_done(&out);
}

/* --- requests ----------------------------------------------------------- */

static const struct ctx_model old = { .provider = "google",
	.prefix = "gemini-2.0" };
static const struct ctx_model v25 = { .provider = "google",
	.prefix = "gemini-2.5" };
static const struct ctx_model v30 = { .provider = "google",
	.prefix = "gemini-3-pro" };
static const struct ctx_model v35 = { .provider = "google",
	.prefix = "gemini-3.5" };

#define CONTENTS(c)	"{'contents':[" c "]}\n"
#define USER(parts)	"{'role':'user','parts':[" parts "]}"
#define MODEL(parts)	"{'role':'model','parts':[" parts "]}"
#define HI	"{'text':'Hi there'}"
#define CALL	"{'functionCall':{'name':'weather','args':{'city':'Rome'," \
	"'n':2}}"
#define RESULT	"{'functionResponse':{'name':'weather','response':{'content':" \
	"[{'text':'sun'}]}}}"
#define ASKED	CONTENTS(USER(HI) "," MODEL(CALL "}") "," USER(RESULT))
/* signatures: of the Developer API, of a stream, of one long chunk */
#define SIGNED(head)	CONTENTS(USER(HI) "," MODEL(CALL \
	",'thoughtSignature':'" head "@'}") "," USER(RESULT))
#define SAID_SINCE(head)	CONTENTS(MODEL("{'text':'Hi there'," \
	"'thought_signature':'" head "@'}") "," USER(HI))
#define TOOLS	"{'tools':[{'function_declarations':[{'name':'weather'," \
	"'description':'Get weather','parameters':" CITY "}]}]," \
	"'contents':[" USER(HI) "]}\n"
#define SERVER	"{'tools':[{'codeExecution':{}},{'url_context':{}}," \
	"{'googleSearch':{}}],'contents':[" USER(HI) "]}\n"

#define CALL_TEXTS	"weather", "city", "Rome", "n"
#define OPENAI	"{'messages':[{'role':'system','content':'Hi there'}," \
	"{'role':'user','content':'Hi there'},{'role':'assistant'," \
	"'content':null,'tool_calls':[{'id':'c','type':'function'," \
	"'function':{'name':'weather','arguments':'{\\'city\\':\\'Rome\\'," \
	"\\'n\\':2}'}}]},{'role':'tool','tool_call_id':'c','content':" \
	"'sun \\'x\\''}]}\n"

static const struct {
	const struct ctx_model *model;
	const char *line;
	uint64_t more;			/* tokens besides the texts */
	const char *text[TEXTS_MAX];	/* counted alone */
	const char *name;		/* of the model; NULL: any */
	const char *dialect;		/* NULL: Gemini */
} requests[] = {
	/* contents: each part alone, and the role once */
	{ &old, CONTENTS(USER(HI)), 0, { "Hi there" }, NULL, NULL },
	{ &v25, CONTENTS(USER(HI)), 1, { "Hi there" }, NULL, NULL },
	{ &v30, CONTENTS(USER(HI "," HI)), 1, { "Hi there", "Hi there" },
	    NULL, NULL },
	{ &v35, CONTENTS(USER(HI) "," MODEL(HI)), 2, { "Hi there",
	    "Hi there" }, NULL, NULL },
	{ &v25, CONTENTS("{'parts':[" HI "]}"), 0, { "Hi there" }, NULL,
	    NULL },
	{ &v25, CONTENTS(USER("{'text':''}")), 1, { NULL }, NULL, NULL },
	{ &v25, CONTENTS(USER("{'text':'Hi there','thought':true}")), 1,
	    { "Hi there" }, NULL, NULL },
	{ &old, CONTENTS(USER("{'text':'Hi there','thought':true}")), 0,
	    { NULL }, NULL, NULL },
	{ &v25, "{'systemInstruction':{'parts':[" HI "]},'contents':["
	    USER(HI) "]}\n", 1, { "Hi there", "Hi there" }, NULL, NULL },
	{ &v25, "{'system_instruction':{'role':'user','parts':[" HI "]},"
	    "'contents':[" USER(HI) "]}\n", 2, { "Hi there", "Hi there" },
	    NULL, NULL },
	/* the configuration costs nothing */
	{ &v25, "{'generationConfig':{'responseSchema':{'type':'STRING'}},"
	    "'contents':[" USER(HI) "]}\n", 1, { "Hi there" }, NULL, NULL },
	/* calls and results */
	{ &old, ASKED, 0, { "Hi there", CALL_TEXTS, "weather", "content",
	    "textsun" }, NULL, NULL },
	{ &v25, ASKED, 3 + 5 + 5, { "Hi there", "weather", "weather",
	    "(city = \"Rome\", n = 2)", "{\"content\": [{\"text\": \"sun\"}]}"
	    }, NULL, NULL },
	{ &v30, ASKED, 3 + 4 + 4, { "Hi there", "call:weather{city:", "Rome",
	    ",n:2}", "response:weather{content:[{text:", "sun", "}]}" },
	    NULL, NULL },
	{ &v35, CONTENTS(MODEL("{'functionCall':{'name':'f'}}")), 1 + 2,
	    { "call:f{}" }, NULL, NULL },
	{ &v30, CONTENTS(MODEL("{'executableCode':{'code':'1+1'}}")), 1,
	    { "{\"code\": \"1+1\"}" }, NULL, NULL },
	/* functions */
	{ &old, TOOLS, 2, { "Hi there", "weather", "Get weather", "city",
	    "the city", "city" }, NULL, NULL },
	{ &v25, TOOLS, 1, { "Hi there", "def weather(\n    city: str,\n) -> "
	    "dict:\n  \"\"\"Get weather\n\n  Args:\n    city: the city\n"
	    "  \"\"\"\n" }, NULL, NULL },
	{ &v30, "{'tools':[{'functionDeclarations':[{'name':'f',"
	    "'description':'Get weather'}]}],'contents':[" USER(HI) "]}\n",
	    1 + 4, { "Hi there", "declaration:f{description:",
	    "Get weather", "}" }, NULL, NULL },
	/* tools of Google's own */
	{ &v25, SERVER, 1, { "Hi there" }, NULL, NULL },
	{ &v30, SERVER, 1 + 200, { "Hi there" }, NULL, NULL },
	{ &v35, SERVER, 1 + 200, { "Hi there" }, NULL, NULL },
	/*
	 * thoughts: of 301 bytes, .28 of 201 are 56 and .26 of 301 are 78; a
	 * stream's are a sixth, 50
	 */
	{ &v30, SIGNED("Eg"), 3 + 8 + 56, { "Hi there", "call:weather{city:",
	    "Rome", ",n:2}", "response:weather{content:[{text:", "sun", "}]}"
	    }, NULL, NULL },
	{ &v35, SIGNED("Eg"), 3 + 8 + 78, { "Hi there", "call:weather{city:",
	    "Rome", ",n:2}", "response:weather{content:[{text:", "sun", "}]}"
	    }, NULL, NULL },
	{ &v30, SAID_SINCE("Eg"), 2, { "Hi there", "Hi there" }, NULL, NULL },
	{ &v35, SAID_SINCE("Eg"), 2 + 78, { "Hi there", "Hi there" }, NULL,
	    NULL },
	{ &v25, CONTENTS(MODEL("{'text':'Hi there','thoughtSignature':'Eg@'}"
	    )), 1, { "Hi there" }, NULL, NULL },
	{ &v25, CONTENTS(MODEL("{'text':'Hi there','thoughtSignature':'Cg@'}"
	    )), 1 + 50, { "Hi there" }, NULL, NULL },
	{ &old, CONTENTS(MODEL("{'text':'Hi there','thoughtSignature':'Cg@'}"
	    )), 50, { "Hi there" }, NULL, NULL },
	/* what Vertex AI sealed went there, and is charged as there */
	{ &v30, CONTENTS(MODEL("{'text':'Hi there','thoughtSignature':'Cg@'}"
	    )), 50, { "Hi there" }, NULL, NULL },
	{ &v30, SIGNED("Cg"), 50, { "Hi there", CALL_TEXTS, "weather",
	    "content", "textsun" }, NULL, NULL },
	{ &v35, SAID_SINCE("Cg"), 0, { "Hi there", "Hi there" }, NULL, NULL },
	{ &v35, SAID_SINCE("EgAAAY89a18A"), 0, { "Hi there", "Hi there" },
	    NULL, NULL },
	/* the last signature decides */
	{ &v35, CONTENTS(MODEL("{'text':'Hi there','thoughtSignature':'Cg@'}")
	    "," USER(HI) "," MODEL("{'text':'Hi there','thoughtSignature':"
	    "'Eg@'}")), 3 + 78, { "Hi there", "Hi there", "Hi there" }, NULL,
	    NULL },
	{ &v25, SAID_SINCE("Cg"), 2, { "Hi there", "Hi there" }, NULL, NULL },
	/* a first chunk of 203 of 303 bytes is no stream's */
	{ &v25, CONTENTS(MODEL("{'text':'Hi there','thoughtSignature':"
	    "'CsgB@'}")), 1, { "Hi there" }, NULL, NULL },
	/* too short for what 3.0 takes off */
	{ &v30, CONTENTS(MODEL("{'text':'Hi there','thoughtSignature':'EgAA'}"
	    )), 1, { "Hi there" }, NULL, NULL },
	/* Vertex AI, which shows */
	{ &v25, CONTENTS(USER(HI)), 0, { "Hi there" },
	    "publishers/google/models/gemini-2.5-pro", NULL },
	{ &v25, CONTENTS(USER(HI)), 0, { "Hi there" },
	    "google-vertex/gemini-2.5-pro", NULL },
	{ &v25, CONTENTS(USER(HI)), 0, { "Hi there" },
	    "vertex_ai/gemini-2.5-pro", NULL },
	{ &v25, "{'generationConfig':{'responseLogprobs':true},'contents':["
	    USER(HI) "]}\n", 0, { "Hi there" }, NULL, NULL },
	{ &v25, "{'generation_config':{'image_config':{'image_output_options'"
	    ":{'mimeType':'image/jpeg'}}},'contents':[" USER(HI) "]}\n", 0,
	    { "Hi there" }, NULL, NULL },
	{ &v25, "{'labels':{'a':'b'},'contents':[" USER(HI) "]}\n", 0,
	    { "Hi there" }, NULL, NULL },
	{ &v30, "{'generationConfig':{'audioTimestamp':true},'contents':["
	    USER(HI) "]}\n", 0, { "Hi there" }, NULL, NULL },
	{ &v25, "{'generationConfig':{'audioTimestamp':false},'contents':["
	    USER(HI) "]}\n", 1, { "Hi there" }, NULL, NULL },
	{ &v30, SERVER, 0, { "Hi there" }, "projects/p/gemini-3-pro", NULL },
	/* other APIs' conversations become contents */
	{ &v25, OPENAI, 4 + 5 + 5, { "Hi there", "Hi there", "weather",
	    "weather", "(city = \"Rome\", n = 2)",
	    "{\"output\": \"sun \\\"x\\\"\"}" },
	    NULL, "openai" },
	{ &v30, OPENAI, 4 + 4 + 4, { "Hi there", "Hi there",
	    "call:weather{city:", "Rome", ",n:2}", "response:weather{output:",
	    "sun \"x\"", "}" }, NULL, "openai" },
	{ &v25, "{'messages':[{'role':'user','content':'Hi there'},{'role':"
	    "'user','content':'Hi there'}]}\n", 1, { "Hi there", "Hi there" },
	    NULL, "openai" },
	{ &v35, "{'messages':[{'role':'user','content':[{'type':'tool_result',"
	    "'tool_use_id':'t','is_error':true,'content':[{'type':'text',"
	    "'text':'sun'},{'type':'text','text':'x'}]}]},{'role':'assistant',"
	    "'content':[{'type':'thinking','thinking':'Hm','signature':'Eg@'}"
	    ",{'type':'text','text':'Hi there'}]}]}\n", 2 + 4,
	    { "response:{error:", "sunx", "}", "Hi there" }, NULL,
	    "anthropic" },
	{ &v25, "{'input':[{'role':'user','content':'Hi there'}],'tools':[{"
	    "'type':'function','name':'f','parameters':{'type':'object'}}]}\n",
	    1, { "Hi there", "def f(\n) -> dict:\n  \"\"\"\n\n  Args:\n"
	    "  \"\"\"\n" }, NULL, "openai-responses" },
};

/* Count a request whole. */
static uint64_t
count(struct ctx_cost *k, const char *line, size_t len, const char *dialect)
{
	struct ctx_convo c = { 0 };
	struct ctx_charges more;
	struct ctx_err err = { 0 };
	uint64_t sum = 0, n;
	uint32_t m;

	CHECK_INT(ctx_dialect_line(&c, ctx_dialect_find(dialect), line, len,
	    &err), 0);
	CHECK(c.nmsg > 0);
	for (m = 0; m < c.nmsg; m++) {
		CHECK_INT(ctx_cost_msg(k, &c, m, &n, &err), 0);
		sum += n;
	}
	CHECK_INT(ctx_charge_request(k, &c, NULL, &more, NULL, &err), 0);
	CHECK(more.framing == 0 && more.format == 0);
	ctx_convo_done(&c);
	return sum + more.tools;
}

static void
test_request(size_t i)
{
	struct ctx_buf line = { 0 };
	struct ctx_err err = { 0 };
	uint64_t want = requests[i].more, n;
	struct ctx_cost k;
	size_t t;

	open_cost(&k, requests[i].model, requests[i].name != NULL ?
	    requests[i].name : "gemini");
	for (t = 0; t < TEXTS_MAX && requests[i].text[t] != NULL; t++) {
		CHECK_INT(ctx_counter_text(&k.counter, requests[i].text[t],
		    strlen(requests[i].text[t]), &n, &err), 0);
		want += n;
	}
	filled(&line, requests[i].line);
	CHECK_INT(count(&k, line.data, line.len, requests[i].dialect != NULL ?
	    requests[i].dialect : "gemini"), want);
	ctx_buf_done(&line);
	ctx_cost_done(&k);
}

/* What the API adds or keeps is not known; calls have a framing of Python's. */
static void
test_unknown(void)
{
	struct ctx_buf line = { 0 };
	struct ctx_cost k;

	open_cost(&k, &v25, "gemini");
	filled(&line, ASKED);
	count(&k, line.data, line.len, "gemini");
	CHECK_INT(k.of[CTX_OF_FRAMING], 3 + 5 + 5);
	CHECK_INT(k.unknown, 0);
	filled(&line, SERVER);
	count(&k, line.data, line.len, "gemini");
	CHECK_INT(k.unknown, 0);
	k.choice.model = &v30;
	memset(k.found, 0, sizeof(k.found));
	count(&k, line.data, line.len, "gemini");
	CHECK_INT(k.unknown, 1);
	k.unknown = 0;
	filled(&line, "{'cachedContent':'cachedContents/a','contents':["
	    USER(HI) "]}\n");
	count(&k, line.data, line.len, "gemini");
	CHECK_INT(k.unknown, 1);
	ctx_buf_done(&line);
	ctx_cost_done(&k);
}

/*
 * A cut can take the signature away that shows Vertex AI: what is to be cut costs
 * what it would cost without.
 */
static void
test_cut(void)
{
	struct ctx_buf line = { 0 };
	struct ctx_cost k;
	uint64_t n;

	open_cost(&k, &v30, "gemini-3-pro");
	k.to_cut = 1;
	filled(&line, ASKED);
	n = count(&k, line.data, line.len, "gemini");
	filled(&line, SIGNED("Cg"));
	/* its thoughts are those of a stream of Vertex AI */
	CHECK_INT(count(&k, line.data, line.len, "gemini"), n + 50);
	/* what only Vertex AI takes stays */
	filled(&line, "{'labels':{'a':'b'},'contents':[" USER("{'text':'a'}")
	    "]}\n");
	CHECK_INT(count(&k, line.data, line.len, "gemini"), 1);
	ctx_buf_done(&line);
	ctx_cost_done(&k);
}

/* What each of the tools costs is told, also of tools given apart. */
static void
test_each(void)
{
	static const char line[] = "{\"role\":\"user\",\"parts\":[{\"text\":"
	    "\"a\"}]}\n";
	struct ctx_tool two[] = { { .name = { "weather", 7 } },
	    { .name = { "f", 1 }, .about = { "Get", 3 } } };
	struct ctx_tools tools = { two, 2, 2 };
	struct ctx_along along = { .tools = &tools };
	struct ctx_convo c = { 0 };
	struct ctx_charges more;
	struct ctx_err err = { 0 };
	struct ctx_cost k;
	uint64_t each[2] = { 0 };

	open_cost(&k, &old, "gemini-2.0");
	CHECK_INT(ctx_dialect_line(&c, ctx_dialect_find("gemini"), line,
	    sizeof(line) - 1, &err), 0);
	CHECK_INT(ctx_charge_request(&k, &c, &along, &more, each, &err), 0);
	/* three words, each of them a token */
	CHECK_INT(each[0], 1);
	CHECK_INT(each[1], 2);
	CHECK_INT(more.tools, 3);
	ctx_convo_done(&c);
	ctx_cost_done(&k);
}

/* --- without the model's table ------------------------------------------ */

/*
 * Signs between control tokens are counted by themselves, and Python by its
 * lines.
 */
static void
test_estimate(void)
{
	struct ctx_buf line = { 0 };
	struct ctx_cost k;

	open_cost(&k, &v30, "gemini-3");
	k.counter.factor = (struct ctx_ratio){ 103, 100 };
	k.counter.by_script = 1;
	/*
	 * Two of "Hi there", as few as that are as they are; three roles.  The
	 * call has 4 control tokens, "call : weather { city :", "Rome" and
	 * ", n : 2 }"; the result 4, "response : weather { content :[{ text :",
	 * "sun" and "}]}".
	 */
	filled(&line, ASKED);
	CHECK_INT(count(&k, line.data, line.len, "gemini"), 2 + 3 +
	    4 + 6 + 1 + 5 + 4 + 8 + 1 + 1);
	/*
	 * "def f(" is 3 tokens and a line's end, ") -> dict:" 4, which times
	 * 1.03 are 4, a quotation 1 with an indent, "Args:" 2 with one, and so
	 * on; a blank line is 1.
	 */
	k.choice.model = &v25;
	memset(k.found, 0, sizeof(k.found));
	filled(&line, "{'tools':[{'functionDeclarations':[{'name':'f'}]}],"
	    "'contents':[" USER(HI) "]}\n");
	CHECK_INT(count(&k, line.data, line.len, "gemini"), 2 + 1 +
	    (3 + 1) + (4 + 1) + (1 + 2) + (2 + 2) + (1 + 2) + 1);
	ctx_buf_done(&line);
	ctx_cost_done(&k);
}

/* --- without memory ------------------------------------------------------ */

/* Count the tools, and message m, of c; -1 with *err. */
static int
count_all(struct ctx_cost *k, const struct ctx_convo *c, uint64_t *sum,
    struct ctx_err *err)
{
	struct ctx_charges more;
	uint64_t n;
	uint32_t m;

	*sum = 0;
	for (m = 0; m < c->nmsg; m++) {
		if (ctx_cost_msg(k, c, m, &n, err) == -1)
			return -1;
		*sum += n;
	}
	if (ctx_charge_request(k, c, NULL, &more, NULL, err) == -1)
		return -1;
	*sum += more.tools;
	return 0;
}

static void
test_nomem(const struct ctx_model *model, const char *text, const char *dialect)
{
	struct ctx_buf line = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_cost k;
	uint64_t want, sum;
	int rc, failed;
	long n = 0;

	open_cost(&k, model, "gemini");
	filled(&line, text);
	CHECK_INT(ctx_dialect_line(&c, ctx_dialect_find(dialect), line.data,
	    line.len, &err), 0);
	CHECK_INT(count_all(&k, &c, &want, &err), 0);
	do {
		ctx_err_clear(&err);
		nomem(n++);
		rc = count_all(&k, &c, &sum, &err);
		failed = nomem_failed();
		CHECK(rc == -1 ? err.code == CTX_ENOMEM : sum == want);
	} while (failed);
	ctx_convo_done(&c);
	ctx_buf_done(&line);
	ctx_cost_done(&k);
}

#define ALL	"{'tools':[{'functionDeclarations':[{'name':'f','parameters':" \
	KINDS "},{'name':'at','parametersJsonSchema':" NESTED "},{'name':" \
	"'again','parameters':" AGAIN "}]}]," \
	"'contents':[" USER(HI) "," MODEL(CALL "}") "," USER(RESULT) "," \
	MODEL("{'executableCode':{'code':'1+1'}}") "]}\n"

int
main(void)
{
	size_t i;

	RUN(test_rows());
	for (i = 0; i < sizeof(declarations) / sizeof(declarations[0]); i++) {
		TEST("declaration %d: %s", (int)i, declarations[i].name);
		test_declaration(i);
	}
	RUN(test_value());
	RUN(test_hostile());
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		TEST("request %d: %.60s", (int)i, requests[i].line);
		test_request(i);
	}
	RUN(test_unknown());
	RUN(test_each());
	RUN(test_cut());
	RUN(test_estimate());
	RUN(test_nomem(&old, ALL, "gemini"));
	RUN(test_nomem(&v25, ALL, "gemini"));
	RUN(test_nomem(&v30, ALL, "gemini"));
	RUN(test_nomem(&v30, OPENAI, "openai"));
	return CHECK_DONE("charge_google");
}
