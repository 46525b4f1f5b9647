/* SPDX-License-Identifier: MIT */
/*
 * How each dialect writes parts from other dialects that are not plain texts.
 * The expected bytes follow the APIs' documentation.
 */
#include "edit/convert.h"

#include "check.h"
#include "quotes.h"

/* Lines are written with ' for "; a source is a list of messages. */
#define MEDIA "[{'role':'user','content':[{'type':'text','text':'see'}," \
	"{'type':'image_url','image_url':{'url':'data:image/png;base64,AAAA'," \
	"'detail':'low'}},{'type':'image_url','image_url':{'url':" \
	"'https://x/y'}},{'type':'file','file':{'filename':'d.pdf'," \
	"'file_data':'data:application/pdf;base64,BBBB'}}]}]"
#define BLOCKS "[{'role':'user','content':[{'type':'image','source':{'type':" \
	"'base64','media_type':'image/png','data':'AAAA'}},{'type':" \
	"'document','source':{'type':'base64','media_type':" \
	"'application/pdf','data':'BBBB'}},{'type':'image','source':{'type':" \
	"'url','url':'https://x/y'}}]}]"
#define LIST "[{'role':'user','content':'q'},{'role':'assistant','content':[" \
	"{'type':'tool_use','id':'c1','name':'f','input':{'a':1}}]}," \
	"{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1'," \
	"'content':[{'type':'text','text':'x'},{'type':'text','text':'y'}," \
	"{'type':'image','source':{'type':'base64','media_type':'image/png'," \
	"'data':'CCCC'}}]}]}]"
#define FAILED "[{'role':'user','content':'q'},{'role':'assistant'," \
	"'content':[{'type':'tool_use','id':'c1','name':'f','input':{}}]}," \
	"{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1'," \
	"'is_error':true,'content':'bad'}]}]"
#define OBJECT "[{'role':'user','content':'q'},{'role':'assistant'," \
	"'content':[{'type':'tool-call','toolCallId':'c1','toolName':'f'," \
	"'input':{}}]},{'role':'tool','content':[{'type':'tool-result'," \
	"'toolCallId':'c1','toolName':'f','output':{'type':'json','value':" \
	"{'r':[1]}}}]}]"
#define BADJSON "[{'role':'user','content':'q'},{'role':'assistant'," \
	"'content':[{'type':'tool-call','toolCallId':'c1','toolName':'f'," \
	"'input':{}}]},{'role':'tool','content':[{'type':'tool-result'," \
	"'toolCallId':'c1','toolName':'f','output':{'type':'error-json'," \
	"'value':[1]}}]}]"
#define THINKS "[{'role':'user','content':'q'},{'role':'assistant'," \
	"'content':[{'type':'reasoning','text':'hm'},{'type':'text','text':" \
	"'a'},{'type':'text','text':'b'}]}]"
#define SIGNED "[{'role':'user','content':'q'},{'role':'assistant'," \
	"'content':[{'type':'thinking','thinking':'hm','signature':'sig'}," \
	"{'type':'text','text':'a'}]}]"
#define NAMED "[{'role':'user','name':'bob','content':'q'}]"

#define FENCE "[{'role':'user','content':'q'},{'role':'assistant'," \
	"'content':[{'type':'tool_use','id':'c1','name':'f','input':{}}]}," \
	"{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1'," \
	"'content':'````'}]}]"

#define SUMMARY "[{'role':'user','content':'[Context: Summary of earlier " \
	"conversation (4 turns)]:\\nS'}"
#define REPLY \
	"Understood. I have the context from our earlier conversation."
#define NEXT "{'role':'user','content':'go'}"
#define HEAD "[Earlier conversation summary (4 turns)]:\nS\n\n"

/* A question, a call of f, and its result, in each dialect. */
#define OPENAI(args, result) "{'model':'m','messages':[{'role':'user'," \
	"'content':'q'},{'role':'assistant','content':null,'tool_calls':[" \
	"{'id':'c1','type':'function','function':{'name':'f','arguments':'" \
	args "'}}]},{'role':'tool','tool_call_id':'c1','content':'" result \
	"'}],'tools':[{'type':'function','function':{'name':'f'," \
	"'parameters':{'type':'object'}}}]}\n"
#define GEMINI(args, response) "{'contents':[{'role':'user','parts':[" \
	"{'text':'q'}]},{'role':'model','parts':[{'functionCall':{'id':'c1'," \
	"'name':'f','args':" args "},'thoughtSignature':" \
	"'skip_thought_signature_validator'}]},{'role':'user','parts':[" \
	"{'functionResponse':{'id':'c1','name':'f','response':" response \
	"}}]}],'tools':[{'functionDeclarations':[{'name':'f'," \
	"'description':'','parametersJsonSchema':{'type':'object'}}]}]}\n"
#define RESPONSES(args, output) "{'model':'m','input':[{'type':'message'," \
	"'role':'user','content':[{'type':'input_text','text':'q'}]}," \
	"{'type':'function_call','call_id':'c1','name':'f','arguments':'" \
	args "'},{'type':'function_call_output','call_id':'c1','output':" \
	output "}],'tools':[{'type':'function','name':'f','strict':false," \
	"'parameters':{'type':'object'}}]}\n"
#define LANGCHAIN_Q "{'type':'human','data':{'type':'human'," \
	"'additional_kwargs':{},'response_metadata':{},'content':'q'}}\n"
#define LANGCHAIN(args, content, status) LANGCHAIN_Q \
	"{'type':'ai','data':{'type':'ai','additional_kwargs':{}," \
	"'response_metadata':{},'content':'','tool_calls':[{'name':'f'," \
	"'args':" args ",'id':'c1','type':'tool_call'}]," \
	"'invalid_tool_calls':[]}}\n{'type':'tool','data':{'type':'tool'," \
	"'additional_kwargs':{},'response_metadata':{},'content':" content \
	",'tool_call_id':'c1','name':'f','status':'" status "'}}\n"
#define PYDANTIC_Q \
	"{'kind':'request','parts':[{'part_kind':'user-prompt','content':" \
	"'q'}]}\n"
#define PYDANTIC(args, kind, content) PYDANTIC_Q \
	"{'kind':'response','parts':[{'part_kind':'tool-call','tool_name':" \
	"'f','args':" args ",'tool_call_id':'c1'}]}\n{'kind':'request'," \
	"'parts':[{'part_kind':'" kind "','content':" content "," \
	"'tool_name':'f','tool_call_id':'c1'}]}\n"
#define AI_SDK(input, type, value) "{'role':'user','content':'q'}\n" \
	"{'role':'assistant','content':[{'type':'tool-call','toolCallId':" \
	"'c1','toolName':'f','input':" input "}]}\n{'role':'tool'," \
	"'content':[{'type':'tool-result','toolCallId':'c1','toolName':'f'," \
	"'output':{'type':'" type "','value':" value "}}]}\n"
#define MARKDOWN(args, how, fenced) "## User\n\nq\n\n## Assistant\n\n" \
	"**f**\n\n```json\n" args "\n```\n\n<details><summary>f " how \
	"</summary>\n\n" fenced "\n</details>\n\n"

/* A call with an id, and its result, in three dialects. */
#define CALLS(id) "[{'role':'user','content':'q'},{'role':'assistant'," \
	"'content':[{'type':'tool_use','id':'" id "','name':'f','input':{}}]}" \
	",{'role':'user','content':[{'type':'tool_result','tool_use_id':'" id \
	"','content':'r'}]}]"
#define OPENAI_CALL(id, name, args) "{'role':'user','content':'q'}\n" \
	"{'role':'assistant','content':null,'tool_calls':[{'id':'" id "'," \
	"'type':'function','function':{'name':'" name "','arguments':'" args \
	"'}}]}\n{'role':'tool','tool_call_id':'" id "','content':'r'}\n"
#define GEMINI_CALL(id) "{'role':'user','parts':[{'text':'q'}]}\n" \
	"{'role':'model','parts':[{'functionCall':{" id "'name':'f','args':" \
	"{}}}]}\n{'role':'user','parts':[{'functionResponse':{" id "'name':" \
	"'f','response':{'output':'r'}}}]}\n"

/* A call that is a text, and a call with a signature of Gemini's. */
#define TEXT_CALL(text) "[{'from':'human','value':'q'},{'from':" \
	"'function_call','value':'" text "'},{'from':'observation','value':" \
	"'r'}]"
#define SIGN_CALL(member) "[{'role':'user','content':'q'},{'role':" \
	"'assistant','content':null,'tool_calls':[{'id':'c','type':'function'" \
	"," member ",'function':{'name':'f','arguments':'{}'}}]},{'role':" \
	"'tool','tool_call_id':'c','content':'r'}]"
#define GEMINI_SIGNED "{'role':'user','parts':[{'text':'q'}]}\n{'role':" \
	"'model','parts':[{'functionCall':{'id':'c','name':'f','args':{}}," \
	"'thoughtSignature':'S'}]}\n{'role':'user','parts':[{" \
	"'functionResponse':{'id':'c','name':'f','response':{'output':'r'}}}" \
	"]}\n"
#define TEN "0123456789"

/* A call with arguments as a text, and Anthropic's with an input. */
#define ARGUMENTS(text) "[{'role':'user','content':'q'},{'role':" \
	"'assistant','content':null,'tool_calls':[{'id':'c1','type':" \
	"'function','function':{'name':'f','arguments':'" text "'}}]}," \
	"{'role':'tool','tool_call_id':'c1','content':'r'}]"
#define INPUT(json) "{'role':'user','content':'q'}\n{'role':'assistant'," \
	"'content':[{'type':'tool_use','id':'c1','name':'f','input':" json \
	"}]}\n{'role':'user','content':[{'type':'tool_result'," \
	"'tool_use_id':'c1','content':'r'}]}\n"

/* A result with these members, and what an assistant says around two calls. */
#define ANSWERED(members) "[{'role':'user','content':'q'},{'role':" \
	"'assistant','content':[{'type':'tool_use','id':'c1','name':'f'," \
	"'input':{}}]},{'role':'user','content':[{'type':'tool_result'," \
	"'tool_use_id':'c1'" members "}]}]"
#define AROUND "[{'role':'user','content':'q'},{'role':'assistant'," \
	"'content':[{'type':'text','text':'a'},{'type':'tool_use','id':'c1'," \
	"'name':'f','input':{'n':1}},{'type':'text','text':'b'},{'type':" \
	"'tool_use','id':'c2','name':'g','input':{}}]},{'role':'user'," \
	"'content':[{'type':'tool_result','tool_use_id':'c2','content':'2'}," \
	"{'type':'tool_result','tool_use_id':'c1','content':'1'}]}]"
#define RULES "[{'role':'system','content':[{'type':'text','text':'a'}," \
	"{'type':'text','text':'b'}]},{'role':'user','content':'q'}]"
#define TOOLS "{'tools':[{'name':'f','description':'d','input_schema':" \
	"{'type':'object','x':1}},{'type':'function','function':{'name':'g'}}" \
	",{'functionDeclarations':[{'name':'h','parametersJsonSchema':" \
	"{'y':1}},{'name':'i','parameters_json_schema':{'z':1}}]}," \
	"{'function_declarations':[{'name':'j','inputSchema':{'w':1}}]}," \
	"{'unnamed':1},{'type':'function','function':{'name':'k'," \
	"'parameters':{'v':1}}}],'messages':[{'role':'user','content':'q'}]}"
#define TOLD(text) "{'type':'message','role':'assistant','content':[{" \
	"'type':'output_text','text':'" text "','annotations':[]}]}\n"
#define TOOL(name, schema) "{'type':'function','function':{'name':'" name \
	"','parameters':" schema "}}"

static const struct {
	const char *source, *to;
	int request;
	const char *want;
} cases[] = {
	{ MEDIA, "openai", 0,
	    "{'role':'user','content':[{'type':'text','text':'see'},{'type':"
	    "'image_url','image_url':{'url':'data:image/png;base64,AAAA',"
	    "'detail':'low'}},{'type':'image_url','image_url':{'url':"
	    "'https://x/y'}},{'type':'file','file':{'filename':'d.pdf',"
	    "'file_data':'data:application/pdf;base64,BBBB'}}]}\n" },
	{ MEDIA, "anthropic", 0,
	    "{'role':'user','content':[{'type':'text','text':'see'},{'type':"
	    "'image','source':{'type':'base64','media_type':'image/png',"
	    "'data':'AAAA'}},{'type':'image','source':{'type':'url','url':"
	    "'https://x/y'}},{'type':'document','title':'d.pdf','source':{"
	    "'type':'base64',"
	    "'media_type':'application/pdf','data':'BBBB'}}]}\n" },
	{ MEDIA, "gemini", 0,
	    "{'role':'user','parts':[{'text':'see'},{'inlineData':{'mimeType':"
	    "'image/png','data':'AAAA'}},{'fileData':{'fileUri':"
	    "'https://x/y'}},{'inlineData':{'mimeType':'application/pdf',"
	    "'data':'BBBB'}}]}\n" },
	{ MEDIA, "openai-responses", 0,
	    "{'type':'message','role':'user','content':[{'type':'input_text',"
	    "'text':'see'},{'type':'input_image','detail':'low','image_url':"
	    "'data:image/png;base64,AAAA'},{'type':'input_image','detail':"
	    "'auto','image_url':'https://x/y'},{'type':'input_file',"
	    "'filename':'d.pdf','file_data':"
	    "'data:application/pdf;base64,BBBB'}]}\n" },
	{ MEDIA, "langchain", 0,
	    "{'type':'human','data':{'type':'human','additional_kwargs':{},"
	    "'response_metadata':{},'content':[{'type':'text','text':'see'},"
	    "{'type':'image_url','image_url':{'url':"
	    "'data:image/png;base64,AAAA'}},{'type':'image_url','image_url':"
	    "{'url':'https://x/y'}},{'type':'file','source_type':'base64',"
	    "'mime_type':'application/pdf','metadata':{'filename':'d.pdf'},"
	    "'data':'BBBB'}]}}\n" },
	{ MEDIA, "pydantic-ai", 0,
	    "{'kind':'request','parts':[{'part_kind':'user-prompt','content':["
	    "'see',{'kind':'binary','media_type':'image/png','data':'AAAA'},"
	    "{'kind':'image-url','url':'https://x/y','media_type':"
	    "'image/jpeg'},{'kind':'binary',"
	    "'media_type':'application/pdf','data':'BBBB'}]}]}\n" },
	{ MEDIA, "ai-sdk", 0,
	    "{'role':'user','content':[{'type':'text','text':'see'},{'type':"
	    "'image','image':'AAAA','mediaType':'image/png'},{'type':'image',"
	    "'image':'https://x/y'},{'type':'file','data':'BBBB','filename':"
	    "'d.pdf','mediaType':'application/pdf'}]}\n" },
	{ MEDIA, "text", 0, "USER: see\n" },
	{ MEDIA, "markdown", 0,
	    "## User\n\nsee\n\n(image or file)\n\n(image or file)\n\n"
	    "(image or file)\n\n" },
	{ BLOCKS, "openai", 0,
	    "{'role':'user','content':[{'type':'image_url','image_url':{'url':"
	    "'data:image/png;base64,AAAA'}},{'type':'file','file':"
	    "{'filename':'file.pdf','file_data':"
	    "'data:application/pdf;base64,BBBB'}},{'type':"
	    "'image_url','image_url':{'url':'https://x/y'}}]}\n" },

	/* a result that is a list of texts and an image */
	{ LIST, "openai", 1, OPENAI("{\\'a\\':1}", "x\\ny") },
	{ LIST, "gemini", 1, GEMINI("{'a':1}", "{'output':'x\\ny'}") },
	{ LIST, "openai-responses", 1, RESPONSES("{\\'a\\':1}",
	    "[{'type':'input_text','text':'x'},{'type':'input_text','text':"
	    "'y'},{'type':'input_image','detail':'auto','image_url':"
	    "'data:image/png;base64,CCCC'}]") },
	{ LIST, "langchain", 0, LANGCHAIN("{'a':1}",
	    "[{'type':'text','text':'x'},{'type':'text','text':'y'},{'type':"
	    "'image_url','image_url':{'url':'data:image/png;base64,CCCC'}}]",
	    "success") },
	{ LIST, "pydantic-ai", 0, PYDANTIC("{'a':1}", "tool-return",
	    "'x\\ny'") },
	{ LIST, "ai-sdk", 0, AI_SDK("{'a':1}", "content",
	    "[{'type':'text','text':'x'},{'type':'text','text':'y'},{'type':"
	    "'image-data','data':'CCCC','mediaType':'image/png'}]") },
	{ LIST, "markdown", 0, MARKDOWN("{'a':1}", "result",
	    "```\nx\n```\n```\ny\n```\n(image or file)\n") },

	/* a failed result */
	{ FAILED, "openai", 1, OPENAI("{}", "bad") },
	{ FAILED, "gemini", 1, GEMINI("{}", "{'error':'bad'}") },
	{ FAILED, "openai-responses", 1, RESPONSES("{}", "'bad'") },
	{ FAILED, "langchain", 0, LANGCHAIN("{}", "'bad'", "error") },
	{ FAILED, "pydantic-ai", 0, PYDANTIC("{}", "retry-prompt", "'bad'") },
	{ FAILED, "ai-sdk", 0, AI_SDK("{}", "error-text", "'bad'") },
	{ FAILED, "markdown", 0, MARKDOWN("{}", "failed",
	    "```\nbad\n```\n") },

	/* a result that is an object */
	{ OBJECT, "openai", 1, OPENAI("{}", "{\\'r\\':[1]}") },
	{ OBJECT, "anthropic", 1, "{'model':'m','messages':[{'role':'user',"
	    "'content':'q'},{'role':'assistant','content':[{'type':"
	    "'tool_use','id':'c1','name':'f','input':{}}]},{'role':'user',"
	    "'content':[{'type':'tool_result','tool_use_id':'c1','content':"
	    "'{\\'r\\':[1]}'}]}],'tools':[{'name':'f','input_schema':{'type':"
	    "'object'}}],'max_tokens':4096}\n" },
	{ OBJECT, "gemini", 1, GEMINI("{}", "{'r':[1]}") },
	{ OBJECT, "langchain", 0, LANGCHAIN("{}", "'{\\'r\\':[1]}'",
	    "success") },
	{ OBJECT, "pydantic-ai", 0, PYDANTIC("{}", "tool-return",
	    "{'r':[1]}") },
	{ OBJECT, "ai-sdk", 0, AI_SDK("{}", "json", "{'r':[1]}") },
	{ BADJSON, "ai-sdk", 0, AI_SDK("{}", "error-json", "[1]") },
	{ BADJSON, "gemini", 1, GEMINI("{}", "{'error':[1]}") },
	{ BADJSON, "langchain", 0, LANGCHAIN("{}", "'[1]'", "error") },
	{ BADJSON, "markdown", 0, MARKDOWN("{}", "failed",
	    "```\n[1]\n```\n") },

	/* thinking, with and without a signature */
	{ THINKS, "openai", 0, "{'role':'user','content':'q'}\n"
	    "{'role':'assistant','reasoning_content':'hm','content':["
	    "{'type':'text','text':'a'},{'type':'text','text':'b'}]}\n" },
	{ THINKS, "anthropic", 1, "{'model':'m','messages':[{'role':'user',"
	    "'content':'q'},{'role':'assistant','content':[{'type':'text',"
	    "'text':'a'},{'type':'text','text':'b'}]}],'max_tokens':4096}\n" },
	{ THINKS, "gemini", 0, "{'role':'user','parts':[{'text':'q'}]}\n"
	    "{'role':'model','parts':[{'text':'hm','thought':true},{'text':"
	    "'a'},{'text':'b'}]}\n" },
	{ THINKS, "pydantic-ai", 0, PYDANTIC_Q
	    "{'kind':'response','parts':[{'part_kind':'thinking','content':"
	    "'hm'},{'part_kind':'text','content':'a'},{'part_kind':'text',"
	    "'content':'b'}]}\n" },
	{ THINKS, "text", 0, "USER: q\nASSISTANT: a\nb\n" },
	{ THINKS, "markdown", 0, "## User\n\nq\n\n## Assistant\n\n"
	    "<details><summary>thinking</summary>\n\n```\nhm\n```\n\n"
	    "</details>\n\na\n\nb\n\n" },
	{ SIGNED, "openai", 0, "{'role':'user','content':'q'}\n{'role':"
	    "'assistant','content':'a','ctx_kept':[{'from':'anthropic','at':"
	    "0,'part':{'type':'thinking','thinking':'hm','signature':'sig'}}"
	    "]}\n" },
	{ SIGNED, "openai", 1, "{'model':'m','messages':[{'role':'user',"
	    "'content':'q'},{'role':'assistant','content':'a'}]}\n" },
	{ SIGNED, "langchain", 0, LANGCHAIN_Q
	    "{'type':'ai','data':{'type':'ai','additional_kwargs':{},"
	    "'response_metadata':{},'content':[{'type':'thinking','thinking':"
	    "'hm','signature':'sig'},{'type':'text','text':'a'}],"
	    "'tool_calls':[],'invalid_tool_calls':[]}}\n" },
	{ SIGNED, "pydantic-ai", 0, PYDANTIC_Q
	    "{'kind':'response','parts':[{'part_kind':'thinking','content':"
	    "'hm','signature':'sig'},{'part_kind':'text','content':'a'}]}\n" },
	{ SIGNED, "ai-sdk", 0, "{'role':'user','content':'q'}\n{'role':"
	    "'assistant','content':[{'type':'reasoning','text':'hm',"
	    "'providerOptions':{'anthropic':{'signature':'sig'}}},{'type':"
	    "'text','text':'a'}]}\n" },

	/* the name of a speaker, and the fence of a text */
	{ NAMED, "openai", 1, "{'model':'m','messages':[{'role':'user',"
	    "'name':'bob','content':'q'}]}\n" },
	{ NAMED, "langchain", 0, "{'type':'human','data':{'type':'human',"
	    "'additional_kwargs':{},'response_metadata':{},'name':'bob',"
	    "'content':'q'}}\n" },
	{ NAMED, "anthropic", 1, "{'model':'m','messages':[{'role':'user',"
	    "'content':'q'}],'max_tokens':4096}\n" },
	/* a running summary, and texts that are or are not its reply */
	{ SUMMARY ",{'role':'assistant','content':'" REPLY "'}," NEXT "]",
	    "text", 0, HEAD "USER: go\n" },
	{ SUMMARY ",{'role':'assistant','content':'" REPLY " '}," NEXT "]",
	    "text", 0, HEAD "ASSISTANT: " REPLY " \nUSER: go\n" },
	{ SUMMARY ",{'role':'assistant','content':'no'}," NEXT "]",
	    "text", 0, HEAD "ASSISTANT: no\nUSER: go\n" },
	{ SUMMARY ",{'role':'assistant','content':[{'type':'text','text':'"
	    REPLY "'},{'type':'text','text':'b'}]}," NEXT "]",
	    "text", 0, HEAD "ASSISTANT: " REPLY "\nb\nUSER: go\n" },
	{ SUMMARY "," NEXT "," "{'role':'assistant','content':'" REPLY "'}]",
	    "text", 0, HEAD "USER: go\nASSISTANT: " REPLY "\n" },
	{ "[" NEXT ",{'role':'assistant','content':'" REPLY "'}]",
	    "text", 0, "USER: go\nASSISTANT: " REPLY "\n" },

	/*
	 * ids: of more than 40 bytes, 24 are kept, and 32 bits of the FNV-1a
	 * hash of all; escapes and characters are not cut
	 */
	{ CALLS(TEN TEN TEN TEN), "openai", 0,
	    OPENAI_CALL(TEN TEN TEN TEN, "f", "{}") },
	{ CALLS(TEN TEN TEN TEN "x"), "openai", 0,
	    OPENAI_CALL(TEN TEN "0123_1712d4c3", "f", "{}") },
	{ CALLS(TEN TEN "012é" TEN "abcdefgh"), "openai", 0,
	    OPENAI_CALL(TEN TEN "012_129090e1", "f", "{}") },
	{ CALLS(TEN "\\u00e9" TEN "abcdefghijklmnopq"), "openai", 0,
	    OPENAI_CALL(TEN "é" TEN "abcdefghijklmnopq", "f", "{}") },
	{ CALLS("\\u00e9" TEN "abcdefghijklmnopqrstuvwxyz"), "openai", 0,
	    OPENAI_CALL("é" TEN "abcdefghijklmnopqrstuvwxyz", "f", "{}") },
	{ "[{'role':'user','content':'q'},{'role':'assistant','content':null,"
	    "'tool_calls':[{'id':'a.b','type':'function','function':{'name':"
	    "'f','arguments':'{}'}},{'id':'a_b_2','type':'function',"
	    "'function':{'name':'f','arguments':'{}'}},{'id':'a:b','type':"
	    "'function','function':{'name':'f','arguments':'{}'}}]},{'role':"
	    "'tool','tool_call_id':'a:b','content':'1'},{'role':'tool',"
	    "'tool_call_id':'a_b_2','content':'2'},{'role':'tool',"
	    "'tool_call_id':'a.b','content':'3'}]", "anthropic", 0,
	    "{'role':'user','content':'q'}\n{'role':'assistant','content':["
	    "{'type':'tool_use','id':'a_b','name':'f','input':{}},{'type':"
	    "'tool_use','id':'a_b_2','name':'f','input':{}},{'type':"
	    "'tool_use','id':'a_b_3','name':'f','input':{}}]}\n{'role':"
	    "'user','content':[{'type':'tool_result','tool_use_id':'a_b_3',"
	    "'content':'1'},{'type':'tool_result','tool_use_id':'a_b_2',"
	    "'content':'2'},{'type':'tool_result','tool_use_id':'a_b',"
	    "'content':'3'}]}\n" },
	/* what we made for a source without ids goes again */
	{ CALLS("ctx_call_1"), "gemini", 0, GEMINI_CALL("") },
	{ CALLS("ctx_call_12"), "gemini", 0, GEMINI_CALL("") },
	{ CALLS("ctx_call_"), "gemini", 0, GEMINI_CALL("'id':'ctx_call_',") },
	{ CALLS("ctx_callx1"), "gemini", 0,
	    GEMINI_CALL("'id':'ctx_callx1',") },
	{ CALLS("x"), "gemini", 0, GEMINI_CALL("'id':'x',") },

	/* calls in texts */
	{ TEXT_CALL("{\\'name\\':\\'f\\',\\'arguments\\':{\\'a\\':1}}"),
	    "openai", 0, OPENAI_CALL("ctx_call_1", "f", "{\\'a\\':1}") },
	{ TEXT_CALL("x <tool_call> {\\'name\\':\\'f\\'} </tool_call> y"),
	    "openai", 0, OPENAI_CALL("ctx_call_1", "f", "{}") },
	{ TEXT_CALL("<tool_call>{\\'name\\':\\'f\\'}"), "openai", 0,
	    OPENAI_CALL("ctx_call_1", "f", "{}") },
	{ TEXT_CALL("<tool_call>{\\'name\\':\\'f\\'}</tool_call>"
	    "<tool_call>{\\'name\\':\\'g\\'}</tool_call>"), "openai", 0,
	    OPENAI_CALL("ctx_call_1", "unknown_tool",
	    "<tool_call>{\\'name\\':\\'f\\'}</tool_call>"
	    "<tool_call>{\\'name\\':\\'g\\'}</tool_call>") },
	{ TEXT_CALL("[{\\'name\\':\\'f\\'}]"), "openai", 0,
	    OPENAI_CALL("ctx_call_1", "f", "{}") },
	{ TEXT_CALL("[{\\'name\\':\\'f\\'},{}]"), "openai", 0,
	    OPENAI_CALL("ctx_call_1", "unknown_tool",
	    "[{\\'name\\':\\'f\\'},{}]") },
	{ TEXT_CALL("[]"), "openai", 0,
	    OPENAI_CALL("ctx_call_1", "unknown_tool", "[]") },
	{ TEXT_CALL("{\\'x\\':1}"), "openai", 0,
	    OPENAI_CALL("ctx_call_1", "unknown_tool", "{\\'x\\':1}") },
	{ TEXT_CALL("{\\'name\\':\\'f\\',\\'arguments\\':\\'{1}\\'}"),
	    "openai", 0, OPENAI_CALL("ctx_call_1", "f", "{1}") },
	{ TEXT_CALL("no json"), "openai", 0,
	    OPENAI_CALL("ctx_call_1", "unknown_tool", "no json") },

	/* the places of a signature */
	{ SIGN_CALL("'extra_content':{'google':{'thought_signature':'S'}}"),
	    "gemini", 0, GEMINI_SIGNED },
	{ SIGN_CALL("'thoughtSignature':'S'"), "gemini", 0, GEMINI_SIGNED },
	{ SIGN_CALL("'thought_signature':'S'"), "gemini", 0, GEMINI_SIGNED },

	/* a result without content; an image by URL */
	{ ANSWERED(""), "openai", 1, OPENAI("{}", "") },
	{ ANSWERED(""), "langchain", 0, LANGCHAIN("{}", "''", "success") },
	{ ANSWERED(""), "ai-sdk", 0, AI_SDK("{}", "text", "''") },
	{ ANSWERED(",'content':[{'type':'text','text':'x'},{'type':'image',"
	    "'source':{'type':'url','url':'https://x/y'}},{'type':'novel'}]"),
	    "ai-sdk", 0, AI_SDK("{}", "content",
	    "[{'type':'text','text':'x'},{'type':'image-url','url':"
	    "'https://x/y'},{'type':'text','text':"
	    "'{\\'type\\':\\'novel\\'}'}]") },
	{ ANSWERED(",'is_error':true,'content':[{'type':'text','text':'x'},"
	    "{'type':'text','text':'y'}]"), "ai-sdk", 0,
	    AI_SDK("{}", "error-text", "'x\\ny'") },
	{ ANSWERED(",'is_error':true,'content':[{'type':'text','text':'x'},"
	    "{'type':'text','text':'y'}]"), "langchain", 0,
	    LANGCHAIN("{}", "[{'type':'text','text':'x'},{'type':'text',"
	    "'text':'y'}]", "error") },

	/* texts around calls whose results come in another order */
	{ AROUND, "openai", 0, "{'role':'user','content':'q'}\n{'role':"
	    "'assistant','content':[{'type':'text','text':'a'},{'type':"
	    "'text','text':'b'}],'tool_calls':[{'id':'c1','type':'function',"
	    "'function':{'name':'f','arguments':'{\\'n\\':1}'}},{'id':'c2',"
	    "'type':'function','function':{'name':'g','arguments':'{}'}}]}\n"
	    "{'role':'tool','tool_call_id':'c2','content':'2'}\n{'role':"
	    "'tool','tool_call_id':'c1','content':'1'}\n" },
	{ AROUND, "openai-responses", 0, "{'type':'message','role':'user',"
	    "'content':[{'type':'input_text','text':'q'}]}\n" TOLD("a")
	    "{'type':'function_call','call_id':'c1','name':'f','arguments':"
	    "'{\\'n\\':1}'}\n" TOLD("b") "{'type':'function_call',"
	    "'call_id':'c2','name':'g','arguments':'{}'}\n{'type':"
	    "'function_call_output','call_id':'c2','output':'2'}\n{'type':"
	    "'function_call_output','call_id':'c1','output':'1'}\n" },
	{ AROUND, "sharegpt", 0, "{'from':'human','value':'q'}\n{'from':"
	    "'gpt','value':'a\\nb'}\n{'from':'function_call','value':"
	    "'{\\'name\\':\\'f\\',\\'arguments\\':{\\'n\\':1}}'}\n{'from':"
	    "'observation','value':'1'}\n{'from':'function_call','value':"
	    "'{\\'name\\':\\'g\\',\\'arguments\\':{}}'}\n{'from':"
	    "'observation','value':'2'}\n" },
	{ AROUND, "langchain", 0, LANGCHAIN_Q
	    "{'type':'ai','data':{'type':'ai','additional_kwargs':{},"
	    "'response_metadata':{},'content':[{'type':'text','text':'a'},"
	    "{'type':'text','text':'b'}],'tool_calls':[{'name':'f','args':"
	    "{'n':1},'id':'c1','type':'tool_call'},{'name':'g','args':{},"
	    "'id':'c2','type':'tool_call'}],'invalid_tool_calls':[]}}\n"
	    "{'type':'tool','data':{'type':'tool','additional_kwargs':{},"
	    "'response_metadata':{},'content':'2','tool_call_id':'c2','name':"
	    "'g','status':'success'}}\n{'type':'tool','data':{'type':'tool',"
	    "'additional_kwargs':{},'response_metadata':{},'content':'1',"
	    "'tool_call_id':'c1','name':'f','status':'success'}}\n" },

	/* what is kept of a message that has only a call needs an item */
	{ "[{'role':'user','content':'q'},{'role':'assistant','content':[{"
	    "'type':'tool_use','id':'c1','name':'f','input':{}},{'type':"
	    "'thinking','thinking':'t','signature':'s'}]}]",
	    "openai-responses", 0, "{'type':'message','role':'user',"
	    "'content':[{'type':'input_text','text':'q'}]}\n{'type':"
	    "'function_call','call_id':'c1','name':'f','arguments':'{}'}\n"
	    "{'type':'message','role':'assistant','content':[],'ctx_kept':[{"
	    "'from':'anthropic','at':1,'part':{'type':'thinking','thinking':"
	    "'t','signature':'s'}}]}\n" },

	/* a system prompt of two texts */
	{ RULES, "ai-sdk", 0, "{'role':'system','content':'a\\nb'}\n{'role':"
	    "'user','content':'q'}\n" },
	{ RULES, "sharegpt", 0, "{'from':'system','value':'a\\nb'}\n{'from':"
	    "'human','value':'q'}\n" },
	{ RULES, "openai", 0, "{'role':'system','content':[{'type':'text',"
	    "'text':'a'},{'type':'text','text':'b'}]}\n{'role':'user',"
	    "'content':'q'}\n" },

	/* arguments become one line; what is no object is put into one */
	{ ARGUMENTS("{\\n \\t\\'a\\': 1\\r\\n\\n}"), "anthropic", 0,
	    INPUT("{'a': 1}") },
	{ ARGUMENTS("\\n{}\\n"), "anthropic", 0, INPUT("{}") },
	{ ARGUMENTS(""), "anthropic", 0, INPUT("{}") },
	{ ARGUMENTS("[1]"), "anthropic", 0, INPUT("{'arguments':'[1]'}") },
	{ ARGUMENTS("{\\'a\\':"), "anthropic", 0,
	    INPUT("{'arguments':'{\\'a\\':'}") },

	/* definitions of tools, in the words of five APIs */
	{ TOOLS, "openai", 1, "{'model':'m','messages':[{'role':'user',"
	    "'content':'q'}],'tools':[{'type':'function','function':{'name':"
	    "'f','description':'d','parameters':{'type':'object','x':1}}},"
	    TOOL("g", "{'type':'object'}") "," TOOL("h", "{'y':1}") ","
	    TOOL("i", "{'z':1}") "," TOOL("j", "{'w':1}") ","
	    TOOL("k", "{'v':1}") "]}\n" },

	{ FENCE, "markdown", 0, MARKDOWN("{}", "result",
	    "`````\n````\n`````\n") },
};

static void
test_case(size_t n)
{
	struct ctx_convert cv = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_buf raw = { 0 };
	struct ctx_err err;
	struct ctx_rec *r;

	ctx_buf_adds(&raw, cases[n].source);
	quotes(raw.data, raw.len, '\'', '"');
	r = ctx_convo_add_rec(&c);
	r->raw = raw.data;
	r->len = raw.len;
	r->root = 0;
	CHECK_INT(ctx_doc_scan(&c.doc, raw.data, raw.len, &err), 0);
	CHECK_INT(ctx_dialect_view(&c, NULL, 0, &err), 0);
	cv.to = ctx_target_find(cases[n].to);
	cv.shape = cases[n].request ? CTX_CONVERSATION : CTX_MESSAGES;
	cv.request = cases[n].request;
	cv.want.model = "m";
	if (!CHECK_INT(ctx_convert(&cv, &c, NULL, &err), 0))
		fprintf(stderr, "\t%s\n", err.text);
	quotes(cv.out.data, cv.out.len, '"', '\'');
	if (!CHECK_MEM(cv.out.data, cv.out.len, cases[n].want))
		fprintf(stderr, "\tto %s from %s\n", cases[n].to,
		    cases[n].source);
	ctx_convert_done(&cv);
	ctx_convo_done(&c);
	ctx_buf_done(&raw);
}

int
main(void)
{
	size_t i;

	TEST("parts");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		test_case(i);
	return CHECK_DONE("convert");
}
