/* SPDX-License-Identifier: MIT */
/* The rules of lib/check: what is found in which history, and where exactly. */
#include "job/clean.h"
#include "job/document.h"

#include "check.h"
#include "jobs.h"
#include "nomem.h"

/*
 * Histories in which <rule> marks the place of an error and <~rule> that of a
 * warning; all else is right.  The marks are taken out, and ' is written for ".
 */
#define MANY_A	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"	/* 32 */
#define A8	"aaaaaaaa"
#define ID40	MANY_A A8
#define A64	MANY_A MANY_A
#define A128	A64 A64
#define U	"{'role':'user','content':'u'}\n"
#define FN(name) "'type':'function','function':{'name':'" name \
	"','arguments':'{}'}"
#define CALLS(calls) "{'role':'assistant','content':null,'tool_calls':[" \
	calls "]}\n"
#define ANSWER(id) "{'role':'tool','tool_call_id':'" id "','content':'r'}\n"
/* a call with its result; mark is before the call */
#define CALL(mark, id, name) \
	U CALLS(mark "{'id':'" id "'," FN(name) "}") ANSWER(id)
#define USES(uses) "{'role':'assistant','content':[" uses "]}\n"
#define USE(id, name) "{'type':'tool_use','id':'" id "','name':'" name \
	"','input':{}}"
#define USED(id) "{'role':'user','content':[{'type':'tool_result'," \
	"'tool_use_id':'" id "','content':'r'}]}\n"
#define ITEM(id, name) "{'type':'function_call','call_id':'" id "','name':'" \
	name "','arguments':'{}'}\n{'type':'function_call_output'," \
	"'call_id':'" id "','output':'r'}\n"
#define BOTH(mark, id, name) "{'role':'user','parts':[{'text':'u'}]}\n" \
	"{'role':'model','parts':[" mark "{'functionCall':{'name':'" name \
	"','args':{}}}]}\n{'role':'user','parts':[{'functionResponse':" \
	"{'name':'" name "','response':{'a':'b'}}}]}\n"
#define ASK(members) "{'messages':[{'role':'user','content':'u'}]," \
	members "}\n"
#define NONE	"{'type':'object'}"
#define TOOL(name, schema) "{'type':'function','function':{'name':'" name \
	"','parameters':" schema "}}"
#define MARK	"{'type':'ephemeral'}"
#define M(mark)	"{'type':'text','text':'a','cache_control':" mark "}"
#define BLOCK(block) "{'role':'user','content':[" block "]}\n"
#define DATA(mark, members, type, data) "{'role':'user','parts':[" mark "{" \
	members "'inlineData':{'mimeType':'" type "','data':'" data "'}}]}\n"
#define IMAGE(mark, type, data) BLOCK(mark "{'type':'image','source':{" \
	"'type':'base64','media_type':'" type "','data':'" data "'}}")

struct history {
	const char *dialect;	/* NULL: detect */
	const char *api, *model, *in;
};

static const struct history cases[] = {
	/* the length of ids, and their characters */
	{ "openai", NULL, NULL, CALL("", ID40, "f") },
	{ "openai", NULL, NULL, CALL("<long-id>", ID40 "a", "f") },
	{ "openai", "groq", NULL, CALL("", ID40 "a", "f") },
	{ "openai", "groq", NULL, CALL("", "!", "f") },
	{ "openai", "mistral", NULL, CALL("", "aZ09zA90b", "f") },
	{ "openai", "mistral", NULL, CALL("<bad-id>", "aaaaaaaa", "f") },
	{ "openai", "mistral", NULL, CALL("<long-id>", "aaaaaaaaaa", "f") },
	{ "openai", "mistral", NULL, CALL("<bad-id>", "aaaa_aaaa", "f") },
	{ "anthropic", NULL, NULL, U USES(USE("a_-Z9", "f")) USED("a_-Z9") },
	{ "anthropic", NULL, NULL,
	    U USES("<bad-id>" USE("a.b", "f")) USED("a.b") },
	{ "anthropic", NULL, NULL, U USES(USE(A128, "f")) USED(A128) },
	{ "openai-responses", NULL, NULL, U ITEM(A64, "f") },
	{ "openai-responses", NULL, NULL, U "<long-id>" ITEM(A64 "a", "f") },
	/* a result's id is not checked: it is its call's */
	{ "openai", NULL, NULL, U CALLS("<long-id>{'id':'" ID40 "b',"
	    FN("f") "},{'id':'c'," FN("f") "}") ANSWER(ID40 "b") ANSWER("c") },
	/* a call without an id, and that of the old kind, which has none */
	{ "openai", NULL, NULL, U CALLS("<no-id>{" FN("f") "}")
	    "{'role':'tool','tool_name':'f','content':'r'}\n" },
	{ "openai", "groq", NULL, U CALLS("{" FN("f") "}")
	    "{'role':'tool','tool_name':'f','content':'r'}\n" },
	{ "openai", NULL, NULL, U "{'role':'assistant','content':null,"
	    "'function_call':{'name':'f','arguments':'{}'}}\n"
	    "{'role':'function','name':'f','content':'r'}\n" },
	/* names of tools in calls */
	{ "openai", NULL, NULL, CALL("", "c", A64) },
	{ "openai", NULL, NULL, CALL("<tool-name>", "c", A64 "a") },
	{ "openai", NULL, NULL, CALL("<tool-name>", "c", "a.b") },
	{ "openai", "deepseek", NULL, CALL("", "c", A64) },
	{ "openai", "deepseek", NULL, CALL("<tool-name>", "c", A64 "a") },
	{ "openai", "groq", NULL, CALL("", "c", A128 "." A128) },
	{ "openai", "mistral", NULL, CALL("", "123456789", A128 A128) },
	{ "openai", "mistral", NULL,
	    CALL("<tool-name>", "123456789", A128 A128 "a") },
	{ "anthropic", NULL, NULL, U USES(USE("a", A128)) USED("a") },
	{ "anthropic", NULL, NULL,
	    U USES("<tool-name>" USE("a", A128 "a")) USED("a") },
	{ "openai-responses", NULL, NULL, U ITEM("a", A128) },
	{ "openai-responses", NULL, NULL, U "<tool-name>" ITEM("a", A128 "a") },
	{ "gemini", NULL, NULL, BOTH("", "", A128) },
	{ "gemini", NULL, NULL, BOTH("<tool-name>", "", A128 "a") },
	{ "gemini", NULL, NULL, BOTH("", "", "a_b-c.d:e") },
	{ "gemini", NULL, NULL, BOTH("<tool-name>", "", "a/b") },
	/* the provider's own may have any, and be anywhere */
	{ "anthropic", NULL, NULL, U USES("{'type':'server_tool_use','id':'s1',"
	    "'name':'a.b','input':{}},{'type':'web_search_tool_result',"
	    "'tool_use_id':'s1','content':[]},{'type':'text','text':'a'}") },
	/* of a call that goes, only that is reported */
	{ "openai", NULL, NULL, U CALLS("<unanswered-call>{'id':'" ID40 "a',"
	    FN("a.b") "}") U },
	{ "openai", NULL, NULL, U CALLS("{'id':'c'," FN("f") "},"
	    "<unanswered-call>{'id':'" ID40 "a'," FN("a.b") "}")
	    ANSWER("c") U },
	/* roles of calls and results */
	{ "anthropic", NULL, NULL, "{'role':'user','content':[<wrong-role>"
	    USE("t", "f") "]}\n{'role':'user','content':[<orphan-result>"
	    "{'type':'tool_result','tool_use_id':'t','content':'r'}]}\n" },
	{ "anthropic", NULL, NULL, U "{'role':'assistant','content':["
	    USE("t", "f") ",<wrong-role>{'type':'tool_result','tool_use_id':"
	    "'t','content':'r'}]}\n" },
	/* types of parts */
	{ "openai", NULL, NULL, BLOCK("<untyped-part>{'text':'a'}") },
	{ "openai", NULL, NULL, BLOCK("<untyped-part>{'type':1,'text':'a'}") },
	{ "openai", NULL, NULL, BLOCK("{'type':'mine'}") },
	{ "openai", NULL, NULL, BLOCK("1") },
	{ "gemini", NULL, NULL, "{'role':'user','parts':[{'mine':1}]}\n" },
	/* a message without content */
	{ "openai", NULL, NULL, "<no-content>{'role':'user'}\n" },
	{ "openai", NULL, NULL,
	    "<no-content>{'role':'user','content':null}\n" },
	{ "openai", NULL, NULL, "{'role':'user','content':''}\n" },
	{ "openai", NULL, NULL, "<no-content>{'role':'user','content':[]}\n" },
	{ NULL, NULL, NULL, "<no-content>{'role':'user'}\n" },
	/* lines that are not messages */
	{ "openai", NULL, NULL, U "\n" U "<unknown-record>{'a':1}\n" },
	{ "openai", NULL, NULL, "{'role':'user','content':'u','tools':["
	    "{'type':'function','function':{'name':'a b'}}]}\n" },
	/* the first message that does not instruct */
	{ "anthropic", NULL, NULL, "<~first-not-user>"
	    "{'role':'assistant','content':'a'}\n" U },
	{ "gemini", NULL, NULL, "<first-not-user>"
	    "{'role':'model','parts':[{'text':'a'}]}\n"
	    "{'role':'model','parts':[{'text':'b'}]}\n" },
	{ "openai", NULL, NULL, "{'role':'assistant','content':'a'}\n" U },
	{ "anthropic", NULL, NULL, "<empty-message>"
	    "{'role':'assistant','content':[]}\n<~first-not-user>"
	    "{'role':'assistant','content':'a'}\n" U },
	{ "anthropic", NULL, NULL, U "{'role':'assistant','content':'a'}\n" U
	    "{'role':'assistant','content':'a'}\n" },
	{ "anthropic", NULL, "claude-haiku-5",
	    "{'role':'system','content':'s'}\n"
	    "<~first-not-user>{'role':'assistant','content':'a'}\n" U },
	/* system prompts inside, and models without them */
	{ "anthropic", NULL, "claude-3-opus", U
	    "<system-inside>{'role':'system','content':'s'}\n" U },
	{ "anthropic", NULL, "claude-opus-4-8", U
	    "{'role':'system','content':'s'}\n" U },
	{ "anthropic", NULL, NULL, U
	    "<~system-inside>{'role':'system','content':'s'}\n" U },
	{ "openai", NULL, "o1-mini", "<role-refused>{'role':'system',"
	    "'content':'s'}\n<role-refused>{'role':'developer','content':'d'}\n"
	    U },
	{ "openai", NULL, "gpt-5", "{'role':'system','content':'s'}\n" U },
	{ "openai", NULL, NULL, "{'role':'system','content':'s'}\n" U },
	{ "anthropic", NULL, "claude-3-opus",
	    "{'role':'system','content':'s'}\n"
	    "{'role':'system','content':'t'}\n" U },
	{ "anthropic", NULL, "claude-3-opus", "{'system':'s','messages':["
	    "{'role':'user','content':'u'}]}\n" },
	/* a last message of the assistant's */
	{ "anthropic", NULL, "claude-opus-5", U
	    "<prefill>{'role':'assistant','content':'a'}\n" },
	{ "anthropic", NULL, "claude-3-opus", U
	    "{'role':'assistant','content':'a'}\n" },
	{ "anthropic", NULL, NULL, U "{'role':'assistant','content':'a'}\n" },
	{ "anthropic", NULL, "claude-opus-5", U },
	{ "anthropic", NULL, "claude-opus-5", "<~first-not-user><prefill>"
	    "{'role':'assistant','content':'a'}\n" },
	{ "anthropic", NULL, "claude-opus-5", "<empty-message>"
	    "{'role':'user','content':[]}\n" },
	{ "anthropic", NULL, "claude-opus-5", USES("<empty-text>"
	    "{'type':'text','text':''}") },
	{ "anthropic", NULL, "claude-opus-5", "" },
	{ "anthropic", NULL, "claude-opus-5", U U U U U U U U },
	{ "anthropic", NULL, "claude-opus-5", U
	    "{'role':'assistant','content':'a'}\n" U },
	{ "anthropic", NULL, "claude-opus-5", U
	    "<prefill>{'role':'assistant','content':'a'}\n"
	    "<empty-message>{'role':'user','content':[]}\n" },
	{ "anthropic", NULL, "claude-opus-5", U USES("{'type':'text','text':"
	    "'a'},{'type':'server_tool_use','id':'s1','name':'n',"
	    "'input':{}}") },
	{ "anthropic", NULL, "claude-opus-5", U
	    USES("{'type':'text','text':'a'},{'type':'mine'}") },
	{ "anthropic", NULL, "claude-opus-5", U USES("{'type':'mine'}") U
	    "<prefill>" USES("{'type':'text','text':'a'}") },
	/* kinds of content that models refuse */
	{ "openai", NULL, NULL, BLOCK("<~media-refused>{'type':'input_audio',"
	    "'input_audio':{'data':'QUJD','format':'wav'}}") },
	{ "openai", NULL, "gpt-5", BLOCK("<media-refused>{'type':'input_audio',"
	    "'input_audio':{'data':'QUJD','format':'wav'}}") },
	{ "openai", NULL, "gpt-audio-mini", BLOCK("{'type':'input_audio',"
	    "'input_audio':{'data':'QUJD','format':'wav'}}") },
	{ "openai", NULL, "gpt-5", BLOCK("{'type':'image_url','image_url':{"
	    "'url':'https://e.org/a.png'}}") },
	/* images: formats, and data */
	{ "anthropic", NULL, NULL, IMAGE("", "image/png", "QUJD") },
	{ "anthropic", NULL, NULL, IMAGE("", "image/gif", "QUJDRA==") },
	{ "anthropic", NULL, NULL, IMAGE("", "image/webp", "QUJDREU=") },
	{ "anthropic", NULL, NULL, IMAGE("", "image/jpeg", "+/-_") },
	{ "anthropic", NULL, NULL,
	    IMAGE("", "image/png", "QU\\nJD\\r\\n\\/\\/+_") },
	{ "anthropic", NULL, NULL, IMAGE("", "image/png", "QUJD\\n") },
	{ "anthropic", NULL, NULL, IMAGE("", "image/png", "QUJ\\/") },
	{ "anthropic", NULL, NULL, IMAGE("", "image/png", "") },
	{ "anthropic", NULL, NULL,
	    IMAGE("<bad-base64>", "image/png", "QUJ\\t") },
	{ "anthropic", NULL, NULL, IMAGE("", "image/png", "QUJ\\u0044") },
	{ "anthropic", NULL, NULL, IMAGE("<media-type>", "image/bmp", "QUJD") },
	{ "anthropic", NULL, NULL, IMAGE("<media-type>", "image/pn", "QUJD") },
	{ "anthropic", NULL, NULL, IMAGE("<media-type>", "mage/png", "QUJD") },
	{ "anthropic", NULL, NULL,
	    IMAGE("<bad-base64>", "image/png", "QUJDR") },
	{ "anthropic", NULL, NULL, IMAGE("<bad-base64>", "image/bmp", "Q!JD") },
	{ "anthropic", NULL, NULL, IMAGE("<bad-base64>", "image/png", "QU=D") },
	{ "anthropic", NULL, NULL,
	    IMAGE("<bad-base64>", "image/png", "QU===") },
	{ "anthropic", NULL, NULL,
	    IMAGE("<bad-base64>", "image/png", "QUJD\\t") },
	{ "anthropic", NULL, NULL, IMAGE("<bad-base64>", "image/png", "Q===") },
	{ "anthropic", NULL, NULL, BLOCK("{'type':'image','source':{'type':"
	    "'base64','url':'https://e.org/a','data':'QUJD'}}") },
	{ "anthropic", NULL, NULL, BLOCK("{'type':'image','source':{'type':"
	    "'url','url':'https://e.org/a.bmp'}}") },
	{ "anthropic", NULL, NULL, BLOCK("{'type':'document','source':{'type':"
	    "'base64','media_type':'application/pdf','data':'QUJD'}}") },
	{ "anthropic", NULL, NULL, BLOCK("<bad-base64>{'type':'document',"
	    "'source':{'type':'base64','media_type':'application/pdf',"
	    "'data':'!'}}") },
	{ "anthropic", NULL, NULL, BLOCK("{'type':'document','source':{'type':"
	    "'text','media_type':'text/plain','data':'a text.'}}") },
	{ "openai", NULL, NULL, BLOCK("<media-type>{'type':'image_url',"
	    "'image_url':{'url':'data:image/bmp;base64,QUJD'}}") },
	{ "openai", "deepseek", NULL, BLOCK("{'type':'image_url','image_url':{"
	    "'url':'data:image/bmp;base64,QUJD'}}") },
	{ "openai", "deepseek", NULL, BLOCK("<bad-base64>{'type':'image_url',"
	    "'image_url':{'url':'data:image/bmp;base64,QUJ.'}}") },
	{ "openai", NULL, NULL, BLOCK("{'type':'image_url',"
	    "'image_url':{'url':'https://e.org/a','data':'QUJD'}}") },
	/* the data of what is not an image or a file, or has no type */
	{ "anthropic", NULL, NULL, BLOCK("{'type':'mine','source':{'type':"
	    "'base64','media_type':'image/png','data':'!'}}") },
	{ "anthropic", NULL, NULL, BLOCK("{'type':'image','source':{'type':"
	    "'base64','data':'!'}}") },
	/* an image without a type of its own, or with a long one */
	{ "gemini", NULL, NULL, DATA("", "", "image/png", "QUJD") },
	{ "gemini", NULL, NULL, DATA("<media-type>", "", "image/gif", "QUJD") },
	{ "gemini", NULL, NULL, DATA("<bad-base64>", "", "image/png", "!") },
	{ "gemini", NULL, NULL,
	    DATA("", "'type':'" MANY_A "',", "image/png", "QUJD") },
	{ "gemini", NULL, NULL,
	    DATA("", "'type':'" A128 A128 "',", "image/png", "QUJD") },
	/* the rules are the server's only for its own dialect */
	{ "anthropic", "mistral", NULL, U USES(USE("a_-Z9", "f"))
	    USED("a_-Z9") },
	{ "anthropic", "groq", NULL,
	    U USES("<bad-id>" USE("a.b", "f")) USED("a.b") },
	/* the model that a conversation line names */
	{ "openai", NULL, NULL, "{'model':'o1-mini','messages':[<role-refused>"
	    "{'role':'system','content':'s'},{'role':'user','content':'u'}]}\n"
	    "{'messages':[{'role':'system','content':'s'},"
	    "{'role':'user','content':'u'}]}\n" },
	{ "openai", NULL, "gpt-5", "{'model':'o1-mini','messages':["
	    "{'role':'system','content':'s'},"
	    "{'role':'user','content':'u'}]}\n" },
	{ "openai", NULL, NULL, "[{'role':'system','content':'s'},"
	    "{'role':'user','content':'u'}]\n" },
	{ "openai", NULL, NULL, "{'model':'o1-mini','messages':[<role-refused>"
	    "{'role':'system','content':'s'},{'role':'user','content':'u'}]}\n"
	    "{'role':'system','content':'s'}\n" U },
	{ "openai", NULL, NULL,
	    "{'role':'system','content':'s','model':'o1-mini'}\n" U },
	/* conversations without a message of their own */
	{ "openai", NULL, NULL, "{'messages':<no-message>[]}\n" },
	{ "anthropic", NULL, NULL,
	    "{'system':'s','messages':<no-message>[]}\n" },
	{ "anthropic", NULL, NULL, "{'system':'s','messages':["
	    "{'role':'user','content':'u'}]}\n" },
	{ "openai-responses", NULL, NULL,
	    "{'model':'m','input':[],'previous_response_id':'r'}\n" },
	/* requests of a dialect whose tools are not known */
	{ "sharegpt", NULL, NULL,
	    "{'conversations':[{'from':'human','value':'u'}]}\n" },
	/* tools of a request: names */
	{ "openai", NULL, NULL, "{'messages':<no-message>[],'tools':["
	    "{'type':'function','function':{'name':<tool-name>'a b'}}]}\n" },
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("a_b", NONE) "]") },
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL(A64, NONE) "]") },
	{ "openai", NULL, NULL,
	    ASK("'tools':[{'type':'function','function':{'name':"
	    "<tool-name>'" A64 "a'}}]") },
	{ "openai", NULL, NULL, ASK("'tools':[{'type':'function',"
	    "'function':{'name':<tool-name>'a b'}}]") },
	{ "openai", NULL, NULL, ASK("'tools':[{'type':'function',"
	    "'function':{'name':<tool-name>''}}]") },
	{ "openai", NULL, NULL, ASK("'tools':[{'type':'function',"
	    "'function':{'name':<tool-name>1}}]") },
	{ "openai", NULL, NULL, ASK("'tools':[{'type':'function',"
	    "'function':<tool-name>{'parameters':{}}}]") },
	{ "openai", "groq", NULL, ASK("'tools':[" TOOL("a b" A64, NONE) "]") },
	{ "openai", NULL, NULL, ASK("'tools':[{'type':'custom'},"
	    "{'type':'web_search','function':{'name':'a b'}},1,null,[]]") },
	{ "anthropic", NULL, NULL, ASK("'tools':[{'name':<tool-name>'a b'}]") },
	{ "anthropic", NULL, NULL, ASK("'tools':[{'type':'custom',"
	    "'name':<tool-name>'a b'},{'type':'bash_20250124','name':'a b'},"
	    "{'type':1,'name':<tool-name>'c d'},<tool-name>{}]") },
	{ "openai-responses", NULL, NULL, "{'input':[{'role':'user',"
	    "'content':'u'}],'tools':[{'type':'function','name':<tool-name>"
	    "'a.b'},{'type':'web_search_preview','name':'a.b'}]}\n" },
	{ "gemini", NULL, NULL, "{'contents':[{'role':'user','parts':["
	    "{'text':'u'}]}],'tools':[{'functionDeclarations':[{'name':'a.b',"
	    "'type':'mine'},{'name':<tool-name>'a/b','type':'mine'}]},"
	    "{'googleSearch':{}},{'functionDeclarations':[{'name':"
	    "<tool-name>'c/d'},{'name':<tool-twice>'a.b'}]}]}\n" },
	/* two of one name */
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("a", NONE) ","
	    TOOL("b", NONE) ",{'type':'function','function':{'name':"
	    "<tool-twice>'a'}},{'type':'function','function':{'name':"
	    "<tool-twice>'a'}}]") },
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("a", NONE) "," TOOL("aa",
	    NONE) "," TOOL("A", NONE) "]") },
	/* schemas */
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("a", "null") ","
	    TOOL("b", "{}") "," TOOL("c", "{'type':'object'}") ","
	    TOOL("d", "{'type':'OBJECT'}") "," TOOL("e", "{'type':1}") "]") },
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("a", "<tool-schema>[]") ","
	    TOOL("b", "<tool-schema>'object'") ","
	    TOOL("c", "<tool-schema>{'type':'string'}") ","
	    TOOL("d", "<tool-schema>{'type':''}") "]") },
	{ "anthropic", NULL, NULL, ASK("'tools':[{'name':'a',"
	    "'input_schema':<tool-schema>1},{'name':'b','parameters':1}]") },
	{ "openai-responses", NULL, NULL, "{'input':[{'role':'user',"
	    "'content':'u'}],'tools':[{'type':'function','name':'a',"
	    "'parameters':<tool-schema>1}]}\n" },
	{ "gemini", NULL, NULL, "{'contents':[{'role':'user','parts':["
	    "{'text':'u'}]}],'tools':[{'functionDeclarations':[{'name':'a',"
	    "'parameters':<tool-schema>1}]}]}\n" },
	/* the tool that is chosen */
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("a", NONE) "],"
	    "'tool_choice':{'type':'function','function':{'name':'a'}}") },
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("a", NONE) "],"
	    "'tool_choice':<tool-choice>{'type':'function','function':{'name':"
	    "'b'}}") },
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("ab", NONE) "],"
	    "'tool_choice':<tool-choice>{'type':'function','function':{'name':"
	    "'aa'}}") },
	{ "openai", NULL, NULL, ASK("'tools':[" TOOL("a", NONE) "],"
	    "'tool_choice':<tool-choice>{'type':'function','function':{'name':"
	    "'aa'}}") },
	{ "openai", NULL, NULL, ASK("'tool_choice':<tool-choice>"
	    "{'type':'function','function':{'name':'a'}}") },
	{ "openai", NULL, NULL, ASK("'tool_choice':'auto'") },
	{ "openai", NULL, NULL, ASK("'tool_choice':{'type':'none','name':"
	    "'a'}") },
	{ "openai", NULL, NULL, ASK("'tools':[{'type':'custom'}],"
	    "'tool_choice':{'type':'function'}") },
	{ "anthropic", NULL, NULL, ASK("'tools':[{'name':'a'}],"
	    "'tool_choice':{'type':'tool','name':'a'}") },
	{ "anthropic", NULL, NULL, ASK("'tools':[{'name':'a'}],"
	    "'tool_choice':<tool-choice>{'type':'tool','name':'b'}") },
	{ "anthropic", NULL, NULL, ASK("'tools':[{'name':'a'}],"
	    "'tool_choice':{'type':'any','name':'b'}") },
	/* it may be the provider's own */
	{ "anthropic", NULL, NULL, ASK("'tools':[{'type':'bash_20250124',"
	    "'name':'bash'},{'type':'mine'},{'name':'a'}],"
	    "'tool_choice':{'type':'tool','name':'bash'}") },
	{ "anthropic", NULL, NULL, ASK("'tools':[{'type':'bash_20250124',"
	    "'name':'bash'}],'tool_choice':<tool-choice>"
	    "{'type':'tool','name':'a'}") },
	/* marks for the prompt cache: the fifth is one too many */
	{ "anthropic", NULL, NULL, "{'messages':[{'role':'user','content':["
	    M(MARK) "," M(MARK) "," M(MARK) "," M(MARK) "]}]}\n" },
	{ "anthropic", NULL, NULL, "{'system':[" M(MARK) "],'messages':["
	    "{'role':'user','content':[" M(MARK) "," M(MARK) "," M(MARK) ","
	    M("<cache-marks>" MARK) "," M(MARK) "]}]}\n" },
	{ "anthropic", NULL, NULL, "{'messages':[{'role':'user','content':["
	    M(MARK) "," M(MARK) "," M(MARK) "," M(MARK) ","
	    M("null") "]}]}\n" },
	{ "anthropic", NULL, NULL, "{'messages':[{'role':'user','content':["
	    M(MARK) "," M(MARK) "," M(MARK) "," M(MARK)
	    "]}],'user':'cache_control','stop':['cache_control',{}]}\n" },
	{ "openai", NULL, NULL, "{'messages':[{'role':'user','content':["
	    M(MARK) "," M(MARK) "," M(MARK) "," M(MARK) "," M(MARK) "]}]}\n" },
	/* a list of messages is not a request */
	{ "anthropic", NULL, NULL, "[{'role':'user','content':["
	    M(MARK) "," M(MARK) "," M(MARK) "," M(MARK) "," M(MARK) "]}]\n" },
	/* one of the request itself comes first */
	{ "anthropic", NULL, NULL, "{'messages':[{'role':'user','content':["
	    M(MARK) "," M(MARK) "," M(MARK) "," M("<cache-marks>" MARK)
	    "]}],'cache_control':" MARK "}\n" },
	/* an image in a result */
	{ "anthropic", NULL, NULL, U USES(USE("t", "f"))
	    "{'role':'user','content':[{'type':'tool_result','tool_use_id':'t',"
	    "'content':[<media-type>{'type':'image','source':{'type':'base64',"
	    "'media_type':'image/bmp','data':'QUJD'}}]}]}\n" },
};

/* The same where unanswered calls go with their message, and empty ones go. */
static const struct history dropped[] = {
	{ "openai", NULL, NULL, U CALLS("<unanswered-call>{'id':'" ID40 "a',"
	    FN("a.b") "}") U },
	{ "openai", NULL, NULL, U "<empty-message>{'role':'user'}\n" },
};

/* A finding, and a rule that was marked: "line:col rule\n". */
static int
put_row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	(void)err;
	ctx_buf_addf(arg, "%d:%d %s%s\n", (int)row->line, (int)row->col,
	    row->n[0] ? "~" : "", row->rule);
	return 0;
}

static int
put_bytes(void *arg, enum ctx_to to, const char *p, size_t len,
    struct ctx_block *block, struct ctx_err *err)
{
	(void)arg, (void)to, (void)p, (void)len, (void)block;
	return ctx_fail(err, CTX_ESYSTEM, "nothing is to be written");
}

/* Take the marks out of the text, and make rows of them. */
static void
take_marks(const char *p, struct ctx_buf *text, struct ctx_buf *marks)
{
	int line = 1, col = 1;
	size_t len;

	for (; *p != '\0'; p++) {
		if (*p == '<') {
			len = strcspn(++p, ">");
			ctx_buf_addf(marks, "%d:%d %.*s\n", line, col,
			    (int)len, p);
			p += len;
			continue;
		}
		ctx_buf_addc(text, *p == '\'' ? '"' : *p);
		col = *p == '\n' ? 1 : col + 1;
		line += *p == '\n';
	}
}

/* Check a case's text; rows has room for the findings. */
static int
run_case(const struct history *of, int drop, const struct ctx_buf *text,
    struct ctx_buf *rows, struct ctx_err *err)
{
	struct ctx_clean_opts opts = { .check = 1, .model = of->model };
	struct ctx_job *j;
	int rc = -1;

	if (of->api != NULL)
		opts.api = ctx_api_find(of->api);
	if (drop) {
		opts.links.unanswered = CTX_DROP;
		opts.links.drop_empty = 1;
	}
	if ((j = ctx_clean_new(&opts, err)) != NULL) {
		j->turns.dialect = of->dialect == NULL ? NULL :
		    ctx_dialect_find(of->dialect);
		j->sink = (struct ctx_sink){ put_bytes, put_row, rows };
		rc = give_text(j, text, err);
	}
	ctx_job_free(j);
	return rc;
}

/* Servers, by name, by number, and for a dialect. */
static void
test_servers(void)
{
	const struct ctx_api *mistral = ctx_api_find("mistral"), *none;
	size_t i;

	for (i = 0; ctx_api_name(i) != NULL; i++) {
		CHECK_STR(ctx_api_find(ctx_api_name(i))->name, ctx_api_name(i));
		CHECK(ctx_dialect_find(ctx_api_find(
		    ctx_api_name(i))->dialect) != NULL);
	}
	CHECK_INT(i, 12);
	CHECK(ctx_api_name(i + 1) == NULL);
	CHECK(ctx_api_find("nobody") == NULL);
	CHECK(ctx_api_for(mistral, &ctx_dialect_openai) == mistral);
	CHECK(ctx_api_for(mistral, &ctx_dialect_anthropic) ==
	    ctx_api_find("anthropic"));
	CHECK(ctx_api_for(NULL, &ctx_dialect_gemini) == ctx_api_find("gemini"));
	none = ctx_api_for(NULL, &ctx_dialect_sharegpt);
	CHECK(none->name == NULL && none->name_max == 0);
}

/* Each byte alone and after another one, in each set of characters. */
static void
test_characters(void)
{
	static const char digits[] = "0123456789", letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char *const more[] = {
		[CTX_CHARS_WORD] = "_-", [CTX_CHARS_ALNUM] = "",
		[CTX_CHARS_DOTTED] = "_-.:"
	};
	char s[2] = "a";
	int set, b, in;

	for (set = CTX_CHARS_WORD; set <= CTX_CHARS_DOTTED; set++)
		for (b = 0; b < 256; b++) {
			s[1] = (char)b;
			in = b != 0 && (strchr(digits, b) != NULL ||
			    strchr(letters, b) != NULL ||
			    strchr(more[set], b) != NULL);
			CHECK_INT(ctx_api_chars((enum ctx_charset)set,
			    (struct ctx_str){ s, 2 }), in);
			CHECK_INT(ctx_api_chars((enum ctx_charset)set,
			    (struct ctx_str){ s + 1, 1 }), in);
			CHECK(ctx_api_chars(CTX_CHARS_ANY,
			    (struct ctx_str){ s, 2 }));
		}
	CHECK(ctx_api_chars(CTX_CHARS_ALNUM, (struct ctx_str){ "a!", 1 }));
	CHECK(ctx_api_chars(CTX_CHARS_ALNUM, (struct ctx_str){ "", 0 }));
}

/* Which models refuse what; NULL as the model: it is not known. */
static const struct {
	const char *api, *model, *what;
	enum ctx_fault fault;
	int refused;
} models[] = {
	{ "openai", "o1-mini", "system", CTX_F_ROLE, 1 },
	{ "openai", "o1-mini-2024-09-12", "developer", CTX_F_ROLE, 1 },
	{ "openai", "o1-preview", "system", CTX_F_ROLE, 1 },
	{ "openai", "o1-preview", "developer", CTX_F_ROLE, 1 },
	{ "openai", "o1-min", "system", CTX_F_ROLE, 0 },
	{ "openai", "o1", "system", CTX_F_ROLE, 0 },
	{ "openai", "xo1-mini", "system", CTX_F_ROLE, 0 },
	{ "openai", "o1-mini", "user", CTX_F_ROLE, 0 },
	{ "openai", "o1-mini", NULL, CTX_F_ROLE, 0 },
	{ "openai", NULL, "system", CTX_F_ROLE, 0 },
	{ "groq", "o1-mini", "system", CTX_F_ROLE, 0 },
	{ NULL, "o1-mini", "system", CTX_F_ROLE, 0 },
	{ "openai", "openai/o1-mini", "system", CTX_F_ROLE, 1 },
	{ "openai", "/o1-mini", "system", CTX_F_ROLE, 1 },
	{ "openai", "a/b/o1-mini", "system", CTX_F_ROLE, 1 },
	{ "openai", "o1-mini/x", "system", CTX_F_ROLE, 0 },
	{ "openai", "o1-mini/", "system", CTX_F_ROLE, 1 },
	{ "openai", "", "system", CTX_F_ROLE, 0 },
	{ "openai", "gpt-5", "input_audio", CTX_F_MEDIA, 1 },
	{ "openai", "chatgpt-4o", "input_audio", CTX_F_MEDIA, 1 },
	{ "openai", "o4-mini", "input_audio", CTX_F_MEDIA, 1 },
	{ "openai", "gpt-audio", "input_audio", CTX_F_MEDIA, 0 },
	{ "openai", "gpt-4o-audio-preview", "input_audio", CTX_F_MEDIA, 0 },
	{ "openai", "gpt-4o-mini-audio", "input_audio", CTX_F_MEDIA, 0 },
	{ "openai", "llama", "input_audio", CTX_F_MEDIA, 0 },
	{ "openai", NULL, "input_audio", CTX_F_MEDIA, 1 },
	{ "openai", NULL, "file", CTX_F_MEDIA, 0 },
	{ "anthropic", "claude-opus-4-6", NULL, CTX_F_PREFILL, 1 },
	{ "anthropic", "claude-mythos-1", "any", CTX_F_PREFILL, 1 },
	{ "anthropic", "claude-opus-4-5", NULL, CTX_F_PREFILL, 0 },
	{ "anthropic", NULL, NULL, CTX_F_PREFILL, 0 },
	{ "anthropic", "us.anthropic.claude-opus-5", NULL, CTX_F_PREFILL, 1 },
	{ "anthropic", "US.Anthropic.claude-opus-5", NULL, CTX_F_PREFILL, 1 },
	{ "anthropic", "x.Claude-opus-5", NULL, CTX_F_PREFILL, 0 },
	{ "anthropic", "anthropic/claude-opus-5", NULL, CTX_F_PREFILL, 1 },
	{ "anthropic", "claude-opus-5.1", NULL, CTX_F_PREFILL, 1 },
	{ "anthropic", "claude-opus-5.x", NULL, CTX_F_PREFILL, 0 },
	{ "anthropic", "claude-opus-5.a", NULL, CTX_F_PREFILL, 0 },
	{ "anthropic", "claude-opus-5.z", NULL, CTX_F_PREFILL, 0 },
	{ "anthropic", "claude-opus-5.", NULL, CTX_F_PREFILL, 1 },
	{ "anthropic", "claude-opus-5.{", NULL, CTX_F_PREFILL, 1 },
	{ "anthropic", "claude-opus-5.`", NULL, CTX_F_PREFILL, 1 },
	{ "anthropic", "claude-opus-4-5", NULL, CTX_F_INSIDE, 1 },
	{ "anthropic", "claude-opus-4-8", NULL, CTX_F_INSIDE, 0 },
	{ "anthropic", NULL, NULL, CTX_F_INSIDE, 1 },
	{ "openai", NULL, NULL, CTX_F_INSIDE, 0 }
};

static void
test_models(void)
{
	const struct ctx_api none = { 0 }, *api;
	struct ctx_str model = { NULL, 0 };
	size_t i;

	for (i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		api = models[i].api == NULL ? &none :
		    ctx_api_find(models[i].api);
		model.p = models[i].model;
		model.len = model.p == NULL ? 0 : (uint32_t)strlen(model.p);
		if (!CHECK_INT(ctx_api_refuses(api, model, models[i].fault,
		    models[i].what) != NULL, models[i].refused))
			fprintf(stderr, "\trow %d\n", (int)i);
	}
	/* a name is not read past its end */
	CHECK(ctx_api_refuses(ctx_api_find("openai"),
	    (struct ctx_str){ "o1-mini", 6 }, CTX_F_ROLE, "system") == NULL);
	CHECK(ctx_api_refuses(ctx_api_find("openai"),
	    (struct ctx_str){ "x/o1-mini", 8 }, CTX_F_ROLE, "system") == NULL);
	CHECK(ctx_api_refuses(ctx_api_find("anthropic"), (struct ctx_str){
	    "claude-opus-5.x", 14 }, CTX_F_PREFILL, NULL) != NULL);
}

/* If memory runs out anywhere, that is reported, or everything is found. */
static void
test_case(const struct history *of, int drop)
{
	struct ctx_buf text = { 0 }, marks = { 0 }, rows = { 0 };
	struct ctx_err err = { 0 };
	int rc, failed;
	long n;

	take_marks(of->in, &text, &marks);
	ctx_buf_addc(&marks, '\0');
	ctx_buf_reserve(&rows, 4096);
	CHECK_INT(run_case(of, drop, &text, &rows, &err), 0);
	CHECK_BUF(&rows, marks.data);
	for (n = 0, failed = 1; failed; n++) {
		ctx_buf_reset(&rows);
		ctx_err_clear(&err);
		nomem(n);
		rc = run_case(of, drop, &text, &rows, &err);
		failed = nomem_failed();
		if (rc == -1)
			CHECK_INT(err.code, CTX_ENOMEM);
		else
			CHECK_BUF(&rows, marks.data);
	}
	ctx_buf_done(&text);
	ctx_buf_done(&marks);
	ctx_buf_done(&rows);
}

/* What a finding says, besides where. */
static int
put_text(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	(void)err;
	ctx_buf_addf(arg, "%s %d: %.*s\n", row->rule, (int)row->n[0],
	    (int)row->textlen, row->text);
	return 0;
}

static void
test_text(const char *model, const char *line, const char *want)
{
	struct ctx_clean_opts opts = { .check = 1, .model = model,
	    .report = 1 };
	struct ctx_buf rows = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_job *j = ctx_clean_new(&opts, &err);

	j->sink = (struct ctx_sink){ put_bytes, put_text, &rows };
	CHECK_INT(ctx_document_give(j, line, strlen(line), &err), 0);
	CHECK_INT(ctx_job_end(j, &err), 0);
	CHECK_BUF(&rows, want);
	ctx_job_free(j);
	ctx_buf_done(&rows);
}

int
main(void)
{
	size_t i;

	RUN(test_servers());
	RUN(test_characters());
	RUN(test_models());
	RUN(test_text("o1-mini", "{\"role\":\"system\",\"content\":\"s\"}\n",
	    "role-refused 0: the model has no messages of this role: o1-mini "
	    "and o1-preview have no system messages\n"));
	RUN(test_text(NULL, "{\"role\":\"user\",\"content\":null}\n",
	    "no-content 0: message has no content member, or none in it\n"));
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("%s %s: %.60s", cases[i].dialect != NULL ?
		    cases[i].dialect : "", cases[i].model != NULL ?
		    cases[i].model : "", cases[i].in);
		test_case(&cases[i], 0);
	}
	RUN(test_case(&dropped[0], 1));
	RUN(test_case(&dropped[1], 1));
	return CHECK_DONE("check");
}
