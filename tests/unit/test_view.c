/* SPDX-License-Identifier: MIT */
/* The messages and parts in a line of each dialect, and their places. */
#include "view/dialect.h"

#include "base/buf.h"
#include "check.h"
#include "quotes.h"

/*
 * Lines are written with ' for ".  The expected result:
 *
 *	? openai -	the record's dialect; "?" undecided; "-" no message (and
 *			the dialect if that is known)
 *	[openai]	a conversation
 *	side=X		belongs to the side conversation X
 *	| u		a message: s u A t; then f fixed, j joined,
 *			s summary, b boundary; @1 element of its list, ^1 of
 *			the list in that
 *	T K C R I F O E P	text, thinking (K), call, result, image, file,
 *			other, empty list (E), copy (P); then i inner, s server,
 *			g signed, e error, l list goes, n by name, r raw, o by
 *			order; #id =name @places <text>
 */
static const struct {
	const char *forced, *line, *want;
} lines[] = {
	/* openai */
	{ NULL, "{'role':'user','content':'hi'}", "? | u T<hi>" },
	{ NULL, "{'role':'assistant'}", "? | A" },
	{ NULL, "{'role':'developer','name':'boss','content':'x'}",
	    "? | s name=boss T<x>" },
	{ NULL, "{'role':'assistant','content':null,'tool_calls':[{'id':'c1',"
	    "'type':'function','function':{'name':'ls','arguments':'{}'}},"
	    "{'id':'c2','custom':{'name':'ed','input':'x'}},{'id':'c3'}]}",
	    "openai | A Cl#c1=ls@0<{}> Cl#c2=ed@1<x> Cl#c3@2" },
	{ NULL, "{'role':'assistant','content':'a','tool_calls':[]}",
	    "? | A T<a> E@." },
	{ NULL, "{'role':'assistant','content':null,'function_call':"
	    "{'name':'ls','arguments':'{}'}}", "openai | A Cn=ls@.<{}>" },
	{ NULL, "{'role':'tool','tool_call_id':'c1','content':'ok'}",
	    "openai | t R#c1<ok>" },
	{ NULL, "{'role':'tool','content':null}", "openai | t Ro" },
	{ NULL, "{'role':'tool','tool_name':'ls','content':'ok'}",
	    "ollama | t Rn=ls<ok>" },
	{ "openai", "{'role':'tool','tool_name':'ls','content':'ok'}",
	    "openai | t Rn=ls<ok>" },
	{ NULL, "{'role':'tool','name':'ls','content':'ok'}",
	    "openai | t name=ls Rn=ls<ok>" },
	{ NULL, "{'role':'tool','tool_name':1,'tool_call_id':null,'content':'ok'}",
	    "openai | t Ro<ok>" },
	{ NULL, "{'role':'function','name':'ls','content':'ok'}",
	    "openai | t name=ls Rn=ls<ok>" },
	{ NULL, "{'role':'tool','tool_call_id':'c1','content':[{'type':'text',"
	    "'text':'a'},{'type':'image_url','image_url':{'url':'x'}}]}",
	    "openai | t R#c1 Ti@0<a> Ii@1" },
	{ NULL, "{'role':'assistant','reasoning_content':'hm','content':'a',"
	    "'refusal':'no'}", "? | A K@.<hm> T<a> T@.<no>" },
	{ NULL, "{'role':'assistant','content':[{'type':'text','text':'a'},"
	    "{'type':'refusal','refusal':'no'}]}", "? | A T@0<a> T@1<no>" },
	{ NULL, "{'role':'assistant','content':null,'audio':{'id':'s1',"
	    "'transcript':'a'}}", "? | A F@. T<a>" },
	{ NULL, "{'role':'assistant','audio':{'id':'s1'}}", "? | A F@." },
	{ NULL, "{'role':'assistant','content':'a','audio':null}",
	    "? | A T<a>" },
	{ NULL, "{'role':'user','content':'a','audio':{'id':'s1'}}",
	    "? | u T<a>" },
	{ NULL, "{'role':'user','content':[{'type':'input_audio'},"
	    "{'type':'file'}]}", "openai | u F@0 F@1" },
	{ NULL, "{'role':'user','content':[{'type':'x'}]}", "? | u O@0" },
	{ NULL, "{'role':'user'}", "? | u" },
	{ NULL, "{'role':'user','content':null,'tool_calls':null}", "? | u" },
	{ NULL, "{'role':'user','content':'','parts':[]}", "? | u T<>" },
	{ NULL, "{'role':'user','content':'','messages':[{'role':'user',"
	    "'content':'a'}]}", "[openai] | u@0 T<a>" },
	{ NULL, "{'role':'user','content':{}}", "? | u" },
	{ NULL, "{'role':'developer','type':'tools','tools':[1]}", "-" },
	{ NULL, "{'role':'user','content':1}", "-" },
	{ NULL, "{'role':'boss','content':'x'}", "-" },
	{ NULL, "{'role':'user','tool_calls':[]}", "? | u E@." },
	{ NULL, "{'role':'user','tool_calls':[{'id':'c'}]}", "-" },
	{ NULL, "{'role':'user','content':'a','tool_calls':null,"
	    "'function_call':null,'tool_call_id':null}", "? | u T<a>" },
	{ NULL, "{'role':'assistant','content':'a','refusal':'',"
	    "'reasoning_content':'','function_call':{}}", "? | A T<a>" },
	{ NULL, "{'role':'user','tool_call_id':'x','content':'y'}", "-" },
	{ NULL, "{'role':'assistant','tool_call_id':'x','content':'y'}", "-" },
	/* a key spelled with escapes; the last of equal ones is used */
	{ NULL, "{'r\\u006fle':'us\\u0065r','content':'a','content':'b'}",
	    "? | u T<b>" },

	/* what adds to it */
	{ NULL, "{'role':'assistant','tool_plan':'p','tool_calls':[{'id':'c1',"
	    "'function':{'name':'ls','arguments':'{}'}}]}",
	    "cohere | A K@.<p> Cl#c1=ls@0<{}>" },
	{ NULL, "{'role':'tool','tool_call_id':'c1','content':[{'type':"
	    "'document','document':{'id':'i','data':{'o':'60'}}},{'type':"
	    "'document','document':'x'},{'type':'text','text':'t'}]}",
	    "cohere | t R#c1 Tir@0<{'o':'60'}> Pi<60> Ti@1<x> Ti@2<t>" },
	{ "cohere", "{'role':'assistant','content':[{'type':'thinking',"
	    "'thinking':'hm'},{'type':'text','text':'a'}]}",
	    "cohere | A K@0<hm> T@1<a>" },
	{ NULL, "{'role':'user','content':'a','images':['iVBO','x',1]}",
	    "ollama | u T<a> Il@0 Il@1" },
	{ NULL, "{'role':'assistant','content':'','thinking':'hm','tool_calls':"
	    "[{'function':{'name':'ls','arguments':{'a':1}}},{'id':'',"
	    "'function':{'name':'ls'}}]}",
	    "ollama | A K@.<hm> T<> Clnr=ls@0<{'a':1}> Cln=ls@1" },
	{ NULL, "{'role':'assistant','content':[{'type':'thinking','thinking':"
	    "[{'type':'text','text':'hm'}]},{'type':'text','text':'a'}]}",
	    "mistral | A K@0<hm> T@1<a>" },
	{ NULL, "{'role':'user','content':[{'type':'document_url',"
	    "'document_url':'u'}]}", "mistral | u F@0" },
	{ NULL, "{'messages':[{'role':'user','content':'a'},{'role':"
	    "'assistant','tool_calls':[]},{'role':'assistant','tool_plan':'p',"
	    "'tool_calls':[{'id':'c','function':{'name':'f'}}]}]}",
	    "[cohere] | u@0 T<a> | A@1 E@. | A@2 K@.<p> Cl#c=f@0" },

	/* bedrock */
	{ NULL, "{'role':'user','content':[{'text':'a'},{'image':{}},"
	    "{'document':{},'text':null},{'guardContent':{'text':{'text':'g'}}},"
	    "{'cachePoint':{'type':'default'}},{'x':{}}]}",
	    "bedrock | u T@0<a> I@1 F@2 T@3<g> O@4 O@5" },
	{ NULL, "{'role':'assistant','content':[{'reasoningContent':"
	    "{'reasoningText':{'text':'hm','signature':'s'}}},"
	    "{'reasoningContent':{'redactedContent':'x'}},{'citationsContent':"
	    "{'content':[{'text':'c'}]}},{'toolUse':{'toolUseId':'t1','name':"
	    "'ls','input':{}}},{'toolUse':{'toolUseId':'t2','name':'w',"
	    "'type':'server_tool_use'}}]}",
	    "bedrock | A Kg@0<hm> Kg@1 T@2<c> Cr#t1=ls@3<{}> Csr#t2=w@4" },
	{ NULL, "{'role':'user','content':[{'toolResult':{'toolUseId':'t1',"
	    "'content':[{'text':'ok'}],'status':'error'}},{'toolResult':"
	    "{'toolUseId':'t2','content':[{'json':{'a':'b'}},{'text':'c'},"
	    "{'image':{}}]}}]}",
	    "bedrock | u Re#t1@0<ok> R#t2@1 Tir@0<{'a':'b'}> Pi<b> Ti@1<c> "
	    "Ii@2" },
	{ NULL, "{'role':'user','content':[{'text':'a'}]}",
	    "bedrock | u T@0<a>" },
	{ NULL, "{'role':'user','content':[{'text':'a','x':1}]}", "? | u O@0" },
	{ "bedrock", "{'role':'user','content':'a'}", "-bedrock" },

	/* anthropic */
	{ NULL, "{'role':'assistant','content':[{'type':'thinking',"
	    "'thinking':'hm','signature':'s'},{'type':'redacted_thinking',"
	    "'data':'x'},{'type':'text','text':'a'},{'type':'tool_use',"
	    "'id':'t1','name':'ls','input':{}}]}",
	    "anthropic | A Kg@0<hm> Kg@1 T@2<a> Cr#t1=ls@3<{}>" },
	{ NULL, "{'role':'assistant','content':[{'type':'thinking',"
	    "'thinking':'hm','signature':''}]}", "anthropic | A K@0<hm>" },
	{ NULL, "{'role':'user','content':[{'type':'tool_result',"
	    "'tool_use_id':'t1','content':'ok','is_error':true},"
	    "{'type':'tool_result','tool_use_id':'t2','is_error':false,"
	    "'content':[{'type':'text','text':'a'},{'type':'image',"
	    "'source':{}},{'type':'tool_use','id':'z'}]},"
	    "{'type':'tool_result','tool_use_id':'t3'},{'type':'image'}]}",
	    /* an element that is none of a result's is its JSON and strings */
	    "anthropic | u Re#t1@0<ok> R#t2@1 Ti@0<a> Ii@1 "
	    "Tir@2<{'type':'tool_use','id':'z'}> Pi<tool_use> Pi<z> R#t3@2 "
	    "O@3" },
	{ NULL, "{'role':'assistant','content':[{'type':'server_tool_use',"
	    "'id':'s1','name':'web','input':{}},"
	    "{'type':'web_search_tool_result','tool_use_id':'s1',"
	    "'content':[{'a':1}]},{'type':'mcp_tool_result',"
	    "'tool_use_id':'s2','content':'x'},{'type':'search_result'}]}",
	    "anthropic | A Csr#s1=web@0<{}> Rsr#s1@1<[{'a':1}]> Rs#s2@2<x> "
	    "F@3" },
	{ "anthropic", "{'role':'system','content':'S'}",
	    "anthropic | s T<S>" },
	{ "anthropic", "{'role':'user','content':'a'}", "anthropic | u T<a>" },
	{ "anthropic", "{'role':'assistant','content':'a'}",
	    "anthropic | A T<a>" },
	{ "anthropic", "{'role':'user','content':[{'type':'x'}]}",
	    "anthropic | u O@0" },
	{ "anthropic", "{'role':'tool','tool_call_id':'c','content':'a'}",
	    "not a message of the dialect anthropic" },

	/* openai-responses */
	{ NULL, "{'type':'message','role':'user','content':[{'type':"
	    "'input_text','text':'a'},{'type':'input_image'},{'type':"
	    "'input_file'}]}", "openai-responses | u T@0<a> I@1 F@2" },
	{ NULL, "{'role':'assistant','content':[{'type':'output_text',"
	    "'text':'a'},{'type':'refusal','refusal':'no'},{'type':'x'}]}",
	    "openai-responses | A T@0<a> T@1<no> O@2" },
	{ NULL, "{'type':'message','role':'developer','content':'a'}",
	    "openai-responses | s T<a>" },
	{ NULL, "{'type':'message','role':'user','content':1}", "-" },
	{ NULL, "{'type':'message','role':'user'}", "openai-responses | u" },
	{ NULL, "{'type':'message','role':'boss','content':'a'}", "-" },
	{ NULL, "{'type':'function_call','call_id':'c1','id':'fc',"
	    "'name':'f','arguments':'{}'}",
	    "openai-responses | A C#c1=f<{}>" },
	{ NULL, "{'type':'custom_tool_call','call_id':'c2','name':'g',"
	    "'input':'x'}", "openai-responses | A C#c2=g<x>" },
	{ NULL, "{'type':'local_shell_call','id':'l1','action':{'a':1}}",
	    "openai-responses | A Cr#l1=local_shell_call<{'a':1}>" },
	{ NULL, "{'type':'shell_call','id':'l1'}",
	    "openai-responses | A C#l1=shell_call" },
	{ NULL, "{'type':'function_call_output','call_id':'c1','id':'x',"
	    "'output':'ok'}", "openai-responses | t R#c1<ok>" },
	{ NULL, "{'type':'local_shell_call_output','id':'l1',"
	    "'output':[{'type':'input_text','text':'a'},"
	    "{'type':'input_image'}]}",
	    "openai-responses | t R#l1 Ti@0<a> Ii@1" },
	{ NULL, "{'type':'computer_call_output','call_id':'c1',"
	    "'output':{'a':1}}", "openai-responses | t Rr#c1<{'a':1}>" },
	{ NULL, "{'type':'function_call_output','call_id':'c1'}",
	    "openai-responses | t R#c1" },
	{ NULL, "{'type':'reasoning','summary':[{'text':'a'},{'text':'b'}],"
	    "'content':[{'text':'c'}],'encrypted_content':'x'}",
	    "openai-responses | A Kg<a> K<b> K<c>" },
	{ NULL, "{'type':'reasoning','summary':[],'encrypted_content':null}",
	    "openai-responses | A K" },
	{ NULL, "{'type':'mcp_approval_request','id':'a1'}",
	    "openai-responses | A C#a1" },
	{ NULL, "{'type':'mcp_approval_response','id':'x',"
	    "'approval_request_id':'a1'}", "openai-responses | t R#a1" },
	{ NULL, "{'type':'compaction'}", "openai-responses | usb Og" },
	{ NULL, "{'type':'web_search_call','id':'w'}",
	    "openai-responses | A O" },
	{ NULL, "{'type':'tool_search_call','call_id':'c1','id':'x',"
	    "'execution':'client','arguments':{}}",
	    "openai-responses | A C#c1" },
	{ NULL, "{'type':'tool_search_output','call_id':'c1',"
	    "'execution':'client','tools':[{'type':'function'}]}",
	    "openai-responses | A R#c1" },
	{ NULL, "{'type':'tool_search_call','call_id':'c1',"
	    "'execution':'server'}", "openai-responses | A O" },
	{ NULL, "{'type':'tool_search_output','call_id':'c1'}",
	    "openai-responses | A O" },
	{ NULL, "{'type':'ghost_snapshot'}", "-openai-responses" },
	{ NULL, "{'type':'zz','role':'user','content':'a'}", "? | u T<a>" },
	{ NULL, "{'type':'zz'}", "-" },

	/* gemini */
	{ NULL, "{'role':'model','parts':[{'text':'hm','thought':true},"
	    "{'text':'a','thoughtSignature':'s'},{'functionCall':{'name':'f',"
	    "'args':{}}},{'function_call':{'id':'7','name':'g',"
	    "'args':{'a':1}}}]}",
	    "gemini | A K@0<hm> Tg@1<a> Cnr=f@2<{}> Cnr#7=g@3<{'a':1}>" },
	{ NULL, "{'role':'user','parts':[{'functionResponse':{'name':'f',"
	    "'response':{'output':'ok'}}},{'function_response':{'id':'7',"
	    "'name':'g','response':{'a':1,'b':'x'}}},{'functionResponse':"
	    "{'name':'h','response':{'error':'no'}}},{'functionResponse':"
	    "{'name':'i','response':'s'}},{'functionResponse':{'name':'j',"
	    "'response':{}}}]}",
	    "gemini | u Rn=f@0<ok> Rnr#7=g@1<{'a':1,'b':'x'}> Ren=h@2<no> "
	    "Rnr=i@3<'s'> Rnr=j@4<{}>" },
	{ NULL, "{'role':'user','parts':[{'inlineData':{'mimeType':"
	    "'image/png'}},{'inline_data':{'mime_type':'image/png'}},"
	    "{'fileData':{'mimeType':'video/mp4'}},{'executableCode':{}},"
	    "{'x':1},{'file_data':{'mimeType':'image/'}}]}",
	    "gemini | u I@0 I@1 F@2 O@3 O@4 F@5" },
	{ NULL, "{'parts':[{'text':'a'}]}", "gemini | u T@0<a>" },
	{ NULL, "{'role':'function','parts':[{'text':'x',"
	    "'thought_signature':'s','thought':false}]}",
	    "gemini | u Tg@0<x>" },
	{ NULL, "{'role':'model','parts':[]}", "gemini | A" },
	{ NULL, "{'role':'model','parts':[{'x':1}]}", "gemini | A O@0" },
	{ NULL, "{'role':'user','parts':[{'x':1}]}", "? | u O@0" },
	{ NULL, "{'role':'user','parts':[{'part_kind':'x','text':'y'}]}",
	    "-" },
	{ NULL, "{'role':'boss','parts':[{'text':'a'}]}", "-" },
	{ NULL, "{'kind':'x','parts':[{'text':'a'}]}", "-" },

	/* langchain */
	{ NULL, "{'type':'human','data':{'content':'hi','name':'bob'}}",
	    "langchain | u name=bob T<hi>" },
	{ NULL, "{'lc':1,'type':'constructor','id':['langchain','AIMessage'],"
	    "'kwargs':{'content':'','tool_calls':[{'name':'f','args':{},"
	    "'id':'c1'}],'invalid_tool_calls':[{'name':'g','args':'bad',"
	    "'id':'c9'}],'additional_kwargs':{'tool_calls':[{'id':'c1'},"
	    "{'id':'c2'}]}}}",
	    "langchain | A T<> Cr#c1=f@0@0<{}> C#c9=g@0<bad> C#c2@1" },
	{ NULL, "{'type':'ai','content':[{'type':'text','text':'a'},'plain',"
	    "{'type':'tool_use','id':'u1','name':'f','input':{'x':1}},"
	    "{'type':'thinking','thinking':'hm','signature':'s'},"
	    "{'type':'reasoning','reasoning':'r'},{'type':'image_url'},"
	    "{'type':'file'},{'type':'zz'}],'tool_calls':[{'id':'u1',"
	    "'name':'f','args':{'x':1}}]}",
	    "langchain | A T@0<a> T@1<plain> Cr#u1=f@2@0<{'x':1}> Kg@3<hm> "
	    "K@4<r> I@5 F@6 O@7" },
	/* the same id twice in a list means two calls */
	{ NULL, "{'type':'ai','content':[],'tool_calls':[{'id':'c','name':'f'"
	    "},{'id':'d','name':'f'}],'additional_kwargs':{'tool_calls':["
	    "{'id':'d'},{'id':'d'}]}}",
	    "langchain | A C#c=f@0 C#d=f@1@0 C#d@1" },
	{ NULL, "{'type':'tool','data':{'content':'ok','tool_call_id':'c1',"
	    "'name':'f','status':'error'}}", "langchain | t Re#c1=f<ok>" },
	{ NULL, "{'type':'tool','content':[{'type':'text','text':'a'},"
	    "{'type':'tool_use'}],'name':'f'}",
	    "langchain | t Rn=f Ti@0<a> Oi@1" },
	{ NULL, "{'lc':1,'type':'constructor','id':['FunctionMessage'],"
	    "'kwargs':{'content':'ok','name':'f'}}",
	    "langchain | t Rn=f<ok>" },
	{ NULL, "{'type':'chat','data':{'role':'assistant','content':'a'}}",
	    "langchain | A T<a>" },
	{ NULL, "{'type':'chat','data':{'role':'system','content':'a'}}",
	    "langchain | s T<a>" },
	{ NULL, "{'type':'chat','data':{'role':'x','content':'a'}}",
	    "langchain | u T<a>" },
	{ NULL, "{'type':'system','content':'S'}", "langchain | s T<S>" },
	{ NULL, "{'type':'remove','data':{'id':'x'}}", "-langchain" },
	{ NULL, "{'type':'human'}", "-" },
	{ NULL, "{'type':'human','uuid':'x','content':'a'}", "-" },
	{ NULL, "{'type':'human','role':'user','content':'a'}",
	    "? | u T<a>" },
	{ NULL, "{'lc':1,'type':'constructor','id':['HumanMessage'],"
	    "'kwargs':1}", "-" },
	{ NULL, "{'lc':1,'type':'constructor','id':[],'kwargs':{}}", "-" },

	/* pydantic-ai */
	{ NULL, "{'kind':'request','parts':[{'part_kind':'system-prompt',"
	    "'content':'S'},{'part_kind':'user-prompt','content':'hi'},"
	    "{'part_kind':'tool-return','tool_name':'f','tool_call_id':'c1',"
	    "'content':{'a':1}},{'part_kind':'retry-prompt','tool_name':'f',"
	    "'tool_call_id':'c2','content':'again'},"
	    "{'part_kind':'retry-prompt','content':'plain'},"
	    "{'part_kind':'zz','content':'q'}]}",
	    "pydantic-ai | s@0 T<S> | u@1 T<hi> | t@2 Rr#c1=f<{'a':1}> | "
	    "t@3 Re#c2=f<again> | u@4 Te<plain> | u@5 O<q>" },
	{ NULL, "{'kind':'request','parts':[{'part_kind':'retry-prompt',"
	    "'tool_call_id':'c','content':'x'},{'part_kind':'retry-prompt',"
	    "'tool_name':'f','content':'y'},{'part_kind':'tool-return',"
	    "'tool_name':'f','content':'ok'}]}",
	    "pydantic-ai | u@0 Te<x> | u@1 Te<y> | t@2 Rn=f<ok>" },
	{ NULL, "{'kind':'request','parts':[{'part_kind':'user-prompt',"
	    "'content':['a',{'kind':'image-url'},{'kind':'binary',"
	    "'media_type':'image/png'},{'kind':'binary','media_type':"
	    "'audio/wav'},{'kind':'zz'},{'kind':'binary','media_type':"
	    "'image/'}]}]}",
	    "pydantic-ai | u@0 T@0<a> I@1 I@2 F@3 O@4 F@5" },
	{ NULL, "{'kind':'response','parts':[{'part_kind':'thinking',"
	    "'content':'hm','signature':'s'},{'part_kind':'text','content':"
	    "'a'},{'part_kind':'tool-call','tool_name':'f','tool_call_id':"
	    "'c1','args':'{}'},{'part_kind':'tool-call','tool_name':'g',"
	    "'args':{}},{'part_kind':'builtin-tool-call','tool_name':'w',"
	    "'tool_call_id':'b1','args':{}},{'part_kind':"
	    "'builtin-tool-return','tool_name':'w','tool_call_id':'b1',"
	    "'content':'r'},{'part_kind':'file','content':'x'},"
	    "{'part_kind':'zz'}]}",
	    "pydantic-ai | A Kg@0<hm> T@1<a> C#c1=f@2<{}> Cnr=g@3<{}> "
	    "Csr#b1=w@4<{}> Rs#b1=w@5<r> F@6 O@7" },
	{ NULL, "{'kind':'x','parts':[]}", "-" },
	{ NULL, "{'kind':'request','parts':1}", "-" },
	{ NULL, "{'kind':'request','role':'boss','parts':[]}", "-" },

	/* claude-code */
	{ NULL, "{'type':'user','uuid':'1','message':{'role':'user',"
	    "'content':'hi'}}", "claude-code | u T<hi>" },
	{ NULL, "{'type':'assistant','uuid':'2','message':{'id':'m1',"
	    "'role':'assistant','content':[{'type':'text','text':'a'}]}}",
	    "claude-code | A join=m1 T@0<a>" },
	{ NULL, "{'type':'user','toolUseResult':{'stdout':'o','stderr':'e',"
	    "'content':'c','result':'r','originalFile':'b','file':"
	    "{'content':'f'}},'message':{'role':'user','content':[{'type':"
	    "'tool_result','tool_use_id':'t1','content':'o'}]}}",
	    "claude-code | u R#t1@0<o> Pi<o> Pi<e> Pi<c> Pi<r> Pi<b> Pi<f>" },
	{ NULL, "{'type':'user','toolUseResult':[{'text':'x'},{'text':'y'}],"
	    "'message':{'role':'user','content':[{'type':'tool_result',"
	    "'tool_use_id':'t1'}]}}",
	    "claude-code | u R#t1@0 Pi<x> Pi<y>" },
	{ NULL, "{'type':'user','toolUseResult':'s','message':{'role':'user',"
	    "'content':[{'type':'text','text':'a'},{'type':'tool_result',"
	    "'tool_use_id':'t1'}]}}",
	    "claude-code | u T@0<a> R#t1@1 Pi<s>" },
	{ NULL, "{'type':'user','toolUseResult':'s','message':{'role':'user',"
	    "'content':'a'}}", "claude-code | u T<a>" },
	{ NULL, "{'type':'user','isSidechain':true,'agentId':'ag','message':"
	    "{'role':'user','content':'a'}}",
	    "claude-code side=ag | u T<a>" },
	{ NULL, "{'type':'user','isSidechain':true,'message':{'role':'user',"
	    "'content':'a'}}", "claude-code side=true | u T<a>" },
	{ NULL, "{'type':'user','isSidechain':false,'agentId':'ag','message':"
	    "{'role':'user','content':'a'}}", "claude-code | u T<a>" },
	{ NULL, "{'type':'user','isSidechain':true,'agentId':'ag',"
	    "'parent_tool_use_id':'p','message':{'role':'user',"
	    "'content':'a'}}", "claude-code side=p | u T<a>" },
	{ NULL, "{'type':'user','isCompactSummary':true,'message':{'role':"
	    "'user','content':'a'}}", "claude-code | usb T<a>" },
	{ NULL, "{'type':'summary','leafUuid':'x'}", "-claude-code" },
	{ NULL, "{'type':'file-history-snapshot','messageId':'x'}",
	    "-claude-code" },
	{ NULL, "{'type':'queue-operation','sessionId':'x'}",
	    "-claude-code" },
	{ NULL, "{'type':'result','session_id':'x'}", "-claude-code" },
	{ NULL, "{'type':'system','uuid':'x','content':'c'}",
	    "-claude-code" },
	{ NULL, "{'type':'progress'}", "-" },
	{ NULL, "{'type':'user','message':1}", "-" },
	{ NULL, "{'type':'user','message':{'role':'boss','content':'x'}}",
	    "-" },

	/* codex */
	{ NULL, "{'timestamp':'t','type':'response_item','payload':{'type':"
	    "'message','role':'user','content':[{'type':'input_text',"
	    "'text':'a'}]}}", "codex | u T@0<a>" },
	{ NULL, "{'type':'compacted','payload':{'message':'sum'}}",
	    "codex | usb T<sum>" },
	{ NULL, "{'type':'compacted','payload':{'message':'sum',"
	    "'replacement_history':[{'type':'message','role':'user',"
	    "'content':'a'},{'type':'ghost_snapshot'},{'x':1},{'type':"
	    "'message','role':'user','content':'b'}]}}",
	    "codex | ub@0 T<a> | us@3 T<b>" },
	{ NULL, "{'type':'event_msg','payload':{'a':1}}", "-codex" },
	{ NULL, "{'type':'response_item','payload':{'type':"
	    "'ghost_snapshot'}}", "-codex" },
	{ NULL, "{'type':'response_item','payload':{'type':'zz'}}",
	    "-codex" },
	{ NULL, "{'type':'zz','payload':{}}", "-" },
	{ NULL, "{'id':'x','timestamp':'t','instructions':null}", "-codex" },
	{ NULL, "{'id':'x','timestamp':'t'}", "-" },
	{ NULL, "{'timestamp':'t','instructions':null}", "-" },
	{ NULL, "{'id':'x','instructions':null}", "-" },
	{ NULL, "{'record_type':'state'}", "-codex" },
	{ "codex", "{'type':'function_call','call_id':'c','name':'f',"
	    "'arguments':'{}'}", "codex | A C#c=f<{}>" },

	/* sharegpt */
	{ NULL, "{'from':'human','value':'hi'}", "sharegpt | u T<hi>" },
	{ NULL, "{'from':'system','value':'S'}", "sharegpt | s T<S>" },
	{ NULL, "{'from':'gpt','value':'a'}", "sharegpt | A T<a>" },
	{ NULL, "{'from':'gpt','value':'<tool_call>{}'}",
	    "sharegpt | A Co<<tool_call>{}>" },
	{ NULL, "{'from':'human','value':'<tool_call>{}'}",
	    "sharegpt | u T<<tool_call>{}>" },
	{ NULL, "{'from':'function_call','value':'f'}",
	    "sharegpt | A Co<f>" },
	{ NULL, "{'from':'observation','value':'r'}", "sharegpt | t Ro<r>" },
	{ NULL, "{'from':'zz','value':'x'}", "-" },
	{ NULL, "{'from':'human','value':1}", "-" },
	{ NULL, "{'from':1,'value':'x'}", "-" },
	{ NULL, "{'from':'human','value':'x','role':'y'}", "-" },

	/* ai-sdk */
	{ NULL, "{'role':'assistant','content':[{'type':'reasoning','text':"
	    "'hm','providerOptions':{}},{'type':'reasoning','text':'k'},"
	    "{'type':'text','text':'a','providerOptions':{}},{'type':"
	    "'tool-call','toolCallId':'c1','toolName':'f','input':{}},"
	    "{'type':'tool-call','toolCallId':'c2','toolName':'g','args':'x'"
	    "},{'type':'tool-call','toolCallId':'p','toolName':'w','input':"
	    "{},'providerExecuted':true},{'type':'tool-result','toolCallId':"
	    "'p','toolName':'w','output':{'type':'text','value':'r'}},"
	    "{'type':'redacted-reasoning'},{'type':'image','image':'x'},"
	    "{'type':'file','mediaType':'a'},{'type':'file','mimeType':'a'},"
	    "{'type':'tool-approval-request','approvalId':'q'}]}",
	    "ai-sdk | A Kg@0<hm> K@1<k> T@2<a> Cr#c1=f@3<{}> C#c2=g@4<x> "
	    "Csr#p=w@5<{}> Rs#p=w@6<r> K@7 I@8 F@9 F@10 C#q@11" },
	{ NULL, "{'role':'tool','content':[{'type':'tool-result',"
	    "'toolCallId':'c1','toolName':'f','output':{'type':'json',"
	    "'value':{'a':1}}},{'type':'tool-result','toolCallId':'c2',"
	    "'output':{'type':'error-text','value':'no'}},{'type':"
	    "'tool-result','toolCallId':'c3','output':{'type':'content',"
	    "'value':[{'type':'text','text':'x'},{'type':'media'},{'type':"
	    "'file-url'},{'type':'zz'}]}},{'type':'tool-result',"
	    "'toolCallId':'c4','isError':true,'result':'bad'},{'type':"
	    "'tool-result','toolCallId':'c5','output':{'type':"
	    "'execution-denied'}},{'type':'tool-approval-response',"
	    "'approvalId':'q'}]}",
	    "ai-sdk | t Rr#c1=f@0<{'a':1}> Re#c2@1<no> R#c3@2 Ti@0<x> Ii@1 "
	    "Fi@2 Oi@3 Re#c4@3<bad> Re#c5@4 R#q@5" },
	{ NULL, "{'id':'m','role':'assistant','parts':[{'type':'step-start'},"
	    "{'type':'reasoning','text':'hm'},{'type':'reasoning',"
	    "'reasoning':'old'},{'type':'text','text':'a'},{'type':'tool-ls',"
	    "'toolCallId':'c1','input':{},'output':'ok'},{'type':"
	    "'dynamic-tool','toolName':'d','toolCallId':'c2','input':{},"
	    "'errorText':'no'},{'type':'tool-invocation','toolInvocation':"
	    "{'toolCallId':'c3','toolName':'o','args':{},'result':{'r':1}}},"
	    "{'type':'tool-x','toolCallId':'c4','input':{}},{'type':'data-z'"
	    "},{'type':'file','mediaType':'image/png'},{'type':'file',"
	    "'mediaType':'text/x'},{'type':'zz'},{'type':'source-url'},"
	    "{'type':'tool-invocation','toolCallId':'c5'}]}",
	    "ai-sdk | A K@1<hm> K@2<old> T@3<a> Csr#c1=ls@4<{}> "
	    "Rs#c1=ls@4<ok> Csr#c2=d@5<{}> Rse#c2=d@5<no> Csr#c3=o@6<{}> "
	    "Rsr#c3=o@6<{'r':1}> Csr#c4=x@7<{}> I@9 F@10 O@11 "
	    "Cs#c5=invocation@13" },
	{ "ai-sdk", "{'role':'user','content':[{'type':'image'},{'type':"
	    "'file'},{'type':'dynamic-tool'}]}", "ai-sdk | u O@0 O@1 O@2" },
	{ NULL, "{'role':'data','content':'x'}", "? | u T<x>" },
	{ NULL, "{'role':'data','content':1}", "-" },
	{ NULL, "{'role':'data','content':[{'type':'zz'}]}", "? | u O@0" },
	{ NULL, "{'role':'user','parts':[{'type':1}]}", "-" },
	{ NULL, "{'role':'user','parts':[]}", "? | u" },

	/* otel */
	{ NULL, "{'role':'assistant','name':'bot','parts':[{'type':'reasoning',"
	    "'content':'hm'},{'type':'text','content':''},{'type':'tool_call',"
	    "'id':'c1','name':'ls','arguments':{}},{'type':'tool_call','id':"
	    "null,'name':'cat','arguments':'x'},{'type':'server_tool_call',"
	    "'id':'s','name':'run','server_tool_call':{'type':'x'}},{'type':"
	    "'server_tool_call_response','id':'s','server_tool_call_response':"
	    "{}},{'type':'zz','content':'y'}],'finish_reason':'stop'}",
	    "otel | A name=bot K@0<hm> T@1<> Cr#c1=ls@2<{}> Co=cat@3<x> "
	    "Csr#s=run@4<{'type':'x'}> Rsr#s@5<{}> O@6" },
	{ NULL, "{'role':'tool','parts':[{'type':'tool_call_response','id':'c1',"
	    "'response':'ok'},{'type':'tool_call_response','id':'c2','name':"
	    "'cat','result':{'a':1}},{'type':'tool_call_response','response':"
	    "null}]}", "otel | t R#c1@0<ok> Rr#c2=cat@1<{'a':1}> Ro@2" },
	{ NULL, "{'role':'user','parts':[{'type':'blob','modality':'image',"
	    "'content':'x'},{'type':'uri','mime_type':'image/png','uri':'u'},"
	    "{'type':'blob','mime_type':'audio/wav','content':'x'},{'type':"
	    "'file','file_id':'f'},{'type':'file','modality':'image',"
	    "'file_id':'f'}]}", "otel | u I@0 I@1 F@2 F@3 I@4" },
	{ NULL, "{'role':'user','parts':[{'type':'zz'},{'type':'text',"
	    "'content':'a'}]}", "otel | u O@0 T@1<a>" },
	/* another's: a text in text, a part without a type, another role */
	{ NULL, "{'role':'user','parts':[{'type':'text','text':'a','content':"
	    "'b'}]}", "ai-sdk | u T@0<a>" },
	{ NULL, "{'role':'user','parts':[{'type':'file','file_id':null,'url':"
	    "'u'}]}", "ai-sdk | u F@0" },
	{ NULL, "{'role':'boss','parts':[{'type':'text','content':'a'}]}",
	    "-" },

	/* traces: the answer is fixed, after the list */
	{ NULL, "{'gen_ai.system_instructions':[{'type':'text','content':'S'}],"
	    "'gen_ai.input.messages':[{'role':'user','parts':[{'type':'text',"
	    "'content':'a'}]}],'gen_ai.output.messages':[{'role':'assistant',"
	    "'parts':[{'type':'text','content':'b'}],'finish_reason':'stop'}]}",
	    "[otel] | sf T<S> | u@0 T@0<a> | Af T@0<b>" },
	{ NULL, "{'input':[{'role':'user','content':'a'}],'output':'b'}",
	    "[openai-responses] | u@0 T<a> | Af T<b>" },
	{ NULL, "{'input':[{'role':'user','content':'a'}],'output':{'role':"
	    "'assistant','tool_calls':[{'id':'c','function':{'name':'f'}}]}}",
	    "[openai] | u@0 T<a> | Af Cl#c=f@0" },
	{ NULL, "{'input':{'system':'S','messages':[{'role':'user','content':"
	    "'a'}]},'output':{'role':'assistant','content':[{'type':'tool_use',"
	    "'id':'c','name':'ls','input':{}}]}}",
	    "[anthropic] | sf T<S> | u@0 T<a> | Af Cr#c=ls@0<{}>" },
	{ NULL, "{'input':{'contents':[{'role':'user','parts':[{'text':'a'}]}]},"
	    "'output':{'candidates':[{'content':{'role':'model','parts':"
	    "[{'text':'b'}]}}]}}", "[gemini] | u@0 T@0<a> | Af T@0<b>" },
	{ NULL, "{'input':[{'role':'user','content':'a'}],'output':{'id':'r',"
	    "'output':[{'type':'reasoning','summary':[]},{'type':'message',"
	    "'role':'assistant','content':[{'type':'output_text','text':'b'}]}"
	    "]}}", "[openai-responses] | u@0 T<a> | Af K | Afj T@0<b>" },
	{ NULL, "{'inputs':{'messages':[[{'lc':1,'type':'constructor','id':"
	    "['HumanMessage'],'kwargs':{'content':'a'}}]]},'outputs':"
	    "{'generations':[[{'text':'b','message':{'lc':1,'type':"
	    "'constructor','id':['AIMessage'],'kwargs':{'content':'b'}}}]]}}",
	    "[langchain] | u@0 T<a> | Af T<b>" },
	{ NULL, "{'inputs':{'messages':[{'role':'user','content':'a'}]},"
	    "'outputs':{'choices':[{'message':{'role':'assistant','content':"
	    "'b'}},{'message':{'role':'assistant','content':'c'}}]}}",
	    "[openai] | u@0 T<a> | Af T<b>" },
	/* all that was said is in the output */
	{ NULL, "{'inputs':{'messages':[{'role':'user','content':'a'}]},"
	    "'outputs':{'messages':[{'type':'human','content':'a'},{'type':"
	    "'ai','content':'b'}]}}", "[langchain] | u@0 T<a> | A@1 T<b>" },
	/* what came of it is no message, or a tool's; there is no answer; nor a
	   question */
	{ NULL, "{'input':{'messages':[{'role':'user','content':'a'}]},"
	    "'output':{'messages':[{'role':'tool','tool_call_id':'c','content':"
	    "'r'}]}}", "[openai] | u@0 T<a>" },
	{ NULL, "{'input':{'messages':[{'role':'user','content':'a'}]},"
	    "'output':{'score':1}}", "[openai] | u@0 T<a>" },
	{ NULL, "{'inputs':{'messages':[{'role':'user','content':'a'}]},"
	    "'outputs':null}", "[openai] | u@0 T<a>" },
	{ NULL, "{'input':{'city':'x'},'output':'b'}", "-" },
	{ NULL, "{'input':'a','output':'b'}", "-" },
	{ NULL, "{'messages':[[{'role':'user','content':'a'}],[]]}",
	    "[openai]" },

	/* conversations */
	{ NULL, "{'system':'S','messages':[{'role':'user','content':'a'},"
	    "{'role':'assistant','content':[{'type':'text','text':'b'}]}]}",
	    "[anthropic] | sf T<S> | u@0 T<a> | A@1 T@0<b>" },
	{ NULL, "{'system':[{'type':'text','text':'S'},{'type':'x'},{'text':"
	    "'T'}],'messages':[]}", "[anthropic] | sf T<S> T<T>" },
	{ NULL, "{'systemInstruction':{'parts':[{'text':'S'}]},'contents':[{"
	    "'role':'user','parts':[{'text':'a'}]}]}",
	    "[gemini] | sf T<S> | u@0 T@0<a>" },
	{ NULL, "{'system_instruction':{'text':'S'},'contents':[]}",
	    "[gemini] | sf T<S>" },
	{ NULL, "{'instructions':'S','input':[{'role':'user','content':'a'},"
	    "{'type':'function_call','call_id':'c','name':'f','arguments':"
	    "'{}'},{'type':'message','role':'assistant','content':'b'},"
	    "{'role':'user','content':'d'}]}",
	    "[openai-responses] | sf T<S> | u@0 T<a> | A@1 C#c=f<{}> | "
	    "Aj@2 T<b> | u@3 T<d>" },
	{ NULL, "[{'role':'user','content':'a'},{'role':'assistant',"
	    "'content':'b','tool_calls':[]},{'role':'assistant','content':"
	    "'c'}]", "[openai] | u@0 T<a> | A@1 T<b> E@. | A@2 T<c>" },
	{ NULL, "[{'x':1},{'role':'user','content':'a'}]",
	    "[openai] | u@1 T<a>" },
	{ NULL, "{'messages':[{'kind':'request','parts':[{'part_kind':"
	    "'user-prompt','content':'a'}]},{'kind':'response','parts':[]}]}",
	    "[pydantic-ai] | u@0^0 T<a> | A@1" },
	{ NULL, "{'messages':[]}", "[openai]" },
	{ NULL, "{'conversations':[{'from':'human','value':'a'}]}",
	    "[sharegpt] | u@0 T<a>" },
	{ NULL, "{'messages':1}", "-" },
	{ NULL, "[]", "-" },
	{ NULL, "[1]", "-" },
	{ NULL, "3", "-" },
	{ NULL, "'x'", "-" },
	{ "anthropic", "[{'role':'user','content':'a'}]",
	    "[anthropic] | u@0 T<a>" },
};

static void
add_str(struct ctx_buf *b, const char *before, struct ctx_str s)
{
	if (s.p == NULL)
		return;
	ctx_buf_adds(b, before);
	ctx_buf_add(b, s.p, s.len);
}

/* Print the index of node in its list, or "." for an object's member. */
static void
add_place(struct ctx_buf *b, const struct ctx_doc *doc, char mark,
    uint32_t list, uint32_t node)
{
	uint32_t e, n = 0;

	if (node == CTX_NONE)
		return;
	ctx_buf_addc(b, mark);
	if (ctx_node_type(doc, list) == '{') {
		ctx_buf_addc(b, '.');
		return;
	}
	CTX_FOR_LIST(doc, e, list) {
		if (e == node)
			ctx_buf_addf(b, "%u", n);
		n++;
	}
}

static void
dump_part(struct ctx_buf *b, const struct ctx_convo *c,
    const struct ctx_doc *doc, uint32_t i)
{
	static const char flags[] = "isgelnro";
	static const unsigned bits[] = { CTX_INNER, CTX_SERVER, CTX_SIGNED,
	    CTX_ERROR, CTX_LIST_GOES, CTX_BY_NAME, CTX_RAW, CTX_BY_ORDER };
	const struct ctx_part *p = &c->part[i];
	struct ctx_str text = ctx_part_text(c, i);
	size_t k;

	ctx_buf_addf(b, " %c", "TKCRIFOEP"[p->kind]);
	for (k = 0; k < 8; k++)
		if (p->flags & bits[k])
			ctx_buf_addc(b, flags[k]);
	add_str(b, "#", p->id);
	add_str(b, "=", p->name);
	for (k = 0; k < 2; k++)
		add_place(b, doc, '@', p->place[k].list, p->place[k].node);
	if (p->id.p != NULL)	/* where the id can be replaced */
		CHECK(ctx_node_str(doc, p->idnode).p == p->id.p);
	CHECK_INT(p->mate, CTX_NONE);
	if (text.p == NULL)
		return;
	add_str(b, "<", text);
	ctx_buf_addc(b, '>');
}

static void
dump_message(struct ctx_buf *b, const struct ctx_convo *c,
    const struct ctx_doc *doc, uint32_t i)
{
	const struct ctx_msg *m = &c->msg[i];
	uint32_t k;

	ctx_buf_addf(b, " | %c%s%s%s%s", "suAt"[m->role],
	    m->flags & CTX_FIXED ? "f" : "", m->flags & CTX_JOINED ? "j" : "",
	    m->flags & CTX_SUMMARY ? "s" : "",
	    m->flags & CTX_BOUNDARY ? "b" : "");
	add_place(b, doc, '@', m->list, m->elem);
	add_place(b, doc, '^', c->rec[0].list, m->host);
	add_str(b, " name=", m->name);
	add_str(b, " join=", m->join);
	CHECK(m->node != CTX_NONE);
	for (k = m->part; k < m->part + m->npart; k++) {
		CHECK_INT(c->part[k].msg, i);
		dump_part(b, c, doc, k);
	}
}

static void
dump(struct ctx_buf *b, const struct ctx_convo *c)
{
	struct ctx_doc doc = ctx_convo_doc(c, 0);
	const struct ctx_rec *r = &c->rec[0];
	const char *name = c->dialect == NULL ? "" : c->dialect->name;
	uint32_t i;

	ctx_buf_addf(b, r->shape == CTX_REC_OTHER ? "-%s" :
	    r->shape == CTX_REC_CONVERSATION ? "[%s]" : "%s",
	    *name == '\0' && r->shape == CTX_REC_MESSAGE ? "?" : name);
	if (r->shape != CTX_REC_OTHER)
		CHECK(r->dialect == c->dialect);
	add_str(b, " side=", r->thread);
	CHECK_INT(r->nmsg, c->nmsg);
	for (i = 0; i < c->nmsg; i++)
		dump_message(b, c, &doc, i);
}

static void
test_lines(void)
{
	const struct ctx_dialect *forced;
	struct ctx_convo c = { 0 };
	struct ctx_buf got = { 0 }, raw = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_rec *r;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		ctx_buf_reset(&raw);
		ctx_buf_adds(&raw, lines[i].line);
		quotes(raw.data, raw.len, '\'', '"');
		ctx_convo_reset(&c);
		ctx_err_clear(&err);
		r = ctx_convo_add_rec(&c);
		r->raw = raw.data;
		r->len = raw.len;
		r->root = 0;
		CHECK_INT(ctx_doc_scan(&c.doc, raw.data, raw.len, &err), 0);
		forced = lines[i].forced == NULL ? NULL :
		    ctx_dialect_find(lines[i].forced);
		CHECK((forced == NULL) == (lines[i].forced == NULL));
		ctx_buf_reset(&got);
		if (ctx_dialect_view(&c, forced, forced != NULL, &err) == -1)
			ctx_buf_adds(&got, err.text);
		else
			dump(&got, &c);
		quotes(got.data, got.len, '"', '\'');
		if (!CHECK_MEM(got.data, got.len, lines[i].want))
			fprintf(stderr, "\tof %s\n", lines[i].line);
	}
	ctx_convo_done(&c);
	ctx_buf_done(&got);
	ctx_buf_done(&raw);
}

/* Is a text blank, whether spelled with escapes or not? */
static void
test_blank(void)
{
	static const struct {
		const char *text;
		int blank;
	} texts[] = {
		{ "", 1 }, { "  ", 1 }, { "\\n", 1 }, { " \\t\\r ", 1 },
		{ "x", 0 }, { " x", 0 }, { "\\\\", 0 }, { "\\\"", 0 },
		{ "\\nx", 0 }, { "n", 0 }
	};
	struct ctx_str s;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		s.p = texts[i].text;
		s.len = (uint32_t)strlen(s.p);
		CHECK_INT(ctx_str_blank(s), texts[i].blank);
	}
}

int
main(void)
{
	RUN(test_lines());
	RUN(test_blank());
	return CHECK_DONE("view");
}
