#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# An agent's loop: the calls that wait, their results, and what an API answers.

setup() { load helpers; common_setup; }

# --- the calls that wait ----------------------------------------------------

@test "calls: those that wait, with their arguments as they are, in each API's dialect" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"n\": 1.10,\n \"p\":\"\\u00e9\"}"}},{"id":"c2","type":"function","function":{"name":"cat","arguments":""}},{"id":"c3","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"c2","content":"no"}
	X
	wanted <<-'X'
	{"id":"c1","name":"ls","arguments":{"n": 1.10,"p":"\u00e9"}}
	{"id":"c3","name":"cat","arguments":{}}
	X
	becomes ctx-convert --to calls
	exits 0 ctx-convert --to calls --only ls --only no in
	same out <(head -n 1 want)
	given <<-'X'
	{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t1","name":"ls","input":{"n":1.10,"n":2}},{"type":"server_tool_use","id":"s1","name":"web_search","input":{}},{"type":"tool_use","id":"t2","name":"\u006cs","input":{}}]}
	X
	wanted <<-'X'
	{"id":"t1","name":"ls","arguments":{"n":1.10,"n":2}}
	{"id":"t2","name":"\u006cs","arguments":{}}
	X
	becomes ctx-convert --to calls
	becomes ctx-convert --to calls --only ls
	given <<-'X'
	{"role":"user","parts":[{"text":"go"}]}
	{"role":"model","parts":[{"functionCall":{"name":"ls","args":{"n":1.10}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"g2","name":"cat","args":{}}}]}
	X
	wanted <<-'X'
	{"id":"ctx_call_1","name":"ls","arguments":{"n":1.10}}
	{"id":"g2","name":"cat","arguments":{}}
	X
	becomes ctx-convert --to calls
	given <<-'X'
	{"type":"function_call","id":"fc_1","call_id":"r1","name":"ls","arguments":"{\"n\":1.10}"}
	{"type":"function_call","id":"fc_2","call_id":"r2","name":"cat","arguments":"{}"}
	{"type":"function_call_output","call_id":"r1","output":"x"}
	{"type":"custom_tool_call","id":"ct_1","call_id":"r3","name":"patch","input":"{\"a\":1}"}
	X
	wanted <<-'X'
	{"id":"r2","name":"cat","arguments":{}}
	{"id":"r3","name":"patch","arguments":"{\"a\":1}"}
	X
	becomes ctx-convert --to calls
}

@test "calls: one that nobody will answer does not wait, and none is exit 1" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":"never mind"}
	X
	exits 1 ctx-convert --to calls in
	silent
	quiet
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"x"}
	X
	exits 1 ctx-convert --to calls in
	silent
	: >in
	exits 1 ctx-convert --to calls in
	silent
	exits 2 ctx-convert --to openai --only ls in
	says 'ctx-convert: --only needs --to calls'
}

@test "calls: arguments that are not JSON are a string, with a warning" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"n\":"}}]}
	X
	wanted <<-'X'
	{"id":"c1","name":"ls","arguments":"{\"n\":"}
	X
	exits 0 ctx-convert --to calls in
	same out want
	said 'ctx-convert: the arguments of 1 call are not JSON; they are written as a string'
	exits 0 ctx-convert -q --to calls in
	same out want
	quiet
}

@test "calls: of several conversations, and of a response" {
	given <<-'X'
	{"s":"a","role":"user","content":"go"}
	{"s":"b","role":"user","content":"go"}
	{"s":"a","role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"s":"b","role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	X
	wanted <<-'X'
	{"s":"a","id":"c1","name":"ls","arguments":{}}
	{"s":"b","id":"c1","name":"cat","arguments":{}}
	X
	becomes ctx-convert --to calls --by s
	becomes ctx-convert --to calls --by s -j 2
	given <<-'X'
	{"output":[{"type":"function_call","id":"fc_1","call_id":"r1","name":"ls","arguments":"{\"n\":1.10}","status":"completed"}]}
	X
	echo '{"id":"r1","name":"ls","arguments":{"n":1.10}}' >want
	becomes ctx-convert --from response --to calls
	echo '{"choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}' >in
	exits 1 ctx-convert --from response --to calls in
	silent
}

# --- results ----------------------------------------------------------------

@test "results: a text is the result of a call, in each API's dialect" {
	printf '\n a "b"\n\n' >in
	printf '%s\n' '{"role":"tool","tool_call_id":"c1","content":"\n a \"b\""}' >want
	becomes ctx-convert --from text --role tool --call c1
	becomes ctx-convert --from text --role tool --call c1 --error
	printf '%s\n' '{"type":"function_call_output","call_id":"c1","output":"\n a \"b\""}' >want
	becomes ctx-convert --from text --role tool --call c1 --to openai-responses
	printf '%s\n' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":"\n a \"b\""}]}' >want
	becomes ctx-convert --from text --role tool --call c1 --error --to anthropic
	printf '%s\n' '{"role":"user","parts":[{"functionResponse":{"id":"c\"1","name":"ls","response":{"output":"\n a \"b\""}}}]}' >want
	becomes ctx-convert --from text --role tool --call 'c"1' --name ls --to gemini
	printf '%s\n' '{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"error":"\n a \"b\""}}}]}' >want
	becomes ctx-convert --from text --role tool --call ctx_call_1 --name ls --error --to gemini
	becomes ctx-convert --from text --role tool --name ls --error --to gemini
	: >in
	echo '{"role":"tool","tool_call_id":"c1","content":""}' >want
	becomes ctx-convert --from text --role tool --call c1
	printf '{\n' >in
	echo '{"role":"tool","tool_call_id":"c1","content":"{"}' >want
	becomes ctx-convert --from text --role tool --call c1
}

@test "results: many are one message where the API has them so" {
	given <<-'X'
	{"id":"c1","name":"ls","output":"a \u00e9"}

	{"id":"c2","name":"cat","output":{"n":1.10},"error":true}
	X
	wanted <<-'X'
	{"role":"tool","tool_call_id":"c1","content":"a \u00e9"}
	{"role":"tool","tool_call_id":"c2","content":"{\"n\":1.10}"}
	X
	becomes ctx-convert --from results
	wanted <<-'X'
	{"type":"function_call_output","call_id":"c1","output":"a \u00e9"}
	{"type":"function_call_output","call_id":"c2","output":"{\"n\":1.10}"}
	X
	becomes ctx-convert --from results --to openai-responses
	wanted <<-'X'
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"a \u00e9"},{"type":"tool_result","tool_use_id":"c2","is_error":true,"content":"{\"n\":1.10}"}]}
	X
	becomes ctx-convert --from results --to anthropic
	wanted <<-'X'
	{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"ls","response":{"output":"a \u00e9"}}},{"functionResponse":{"id":"c2","name":"cat","response":{"error":{"n":1.10}}}}]}
	X
	becomes ctx-convert --from results --to gemini
	: >in
	: >want
	becomes ctx-convert --from results
}

@test "results: those of several tools are put together" {
	printf 'a\tb' >in
	printf '%s\n' '{"id":"c1","name":"ls","output":"a\tb","error":true}' >want
	becomes ctx-convert --from text --role tool --call c1 --name ls --error --to results
	cp want in
	becomes ctx-convert --from results --to results
	exits 2 ctx-convert --to results in
	says 'ctx-convert: --to results needs --from results, or --from text --role tool'
}

@test "results: what is missing is said, and nothing is written" {
	printf '%s\n' '{"id":"c1","output":"a"}' '{"id":"c1","output":"b"}' >in
	exits 3 ctx-convert --from results in
	silent
	said "ctx-convert: in:2: the call 'c1' has more than one result"
	exits 3 ctx-convert --from results --to gemini in
	said "ctx-convert: in:1: a result for gemini needs the name of its tool"
	printf '%s\n' '{"id":"c1","output":"a"}' '{"output":"b"}' >in
	exits 3 ctx-convert --from results --to anthropic in
	silent
	said "ctx-convert: in:2: a result for anthropic needs the id of its call"
	printf '%s\n' '{"id":"c1","output":"a"}' '{"id":"c2"}' >in
	exits 3 ctx-convert --from results in
	silent
	said 'ctx-convert: in:2: not a result: {"id":...,"output":...} is expected'
	printf '%s\n' '{"id":"c1","output":"a"}' '{"id"' >in
	exits 3 ctx-convert --from results in
	silent
	says 'ctx-convert: in:2:*not JSON*'
	exits 2 ctx-convert --from text --role tool in
	says 'ctx-convert: --role tool needs --call ID'
	exits 2 ctx-convert --from text --role tool --call c1 --to gemini in
	says 'ctx-convert: --role tool needs --name NAME for gemini'
	exits 2 ctx-convert --from text --role tool --call c1 in in
	says 'ctx-convert: --role tool takes one FILE'
	exits 2 ctx-convert --from text --role user --call c1 in
	says 'ctx-convert: --call, --name and --error need --role tool'
	exits 2 ctx-convert --from results --to sharegpt in
	says 'ctx-convert: results have no message of their own in sharegpt'
	exits 2 ctx-convert --from results --by s in
	says 'ctx-convert: --by is not for results'
}

@test "results: they answer the calls that --to calls wrote" {
	local d

	cat >calls <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	X
	for d in openai openai-responses anthropic gemini bedrock cohere ollama \
	    mistral langchain pydantic-ai ai-sdk; do
		about $d
		ctx-convert --to $d calls >log
		ctx-convert --to calls log |
		    sed 's/"arguments":{}/"output":"x"/' >results
		[ "$(wc -l <results)" -eq 2 ]
		ctx-convert --from results --to $d results >>log
		exits 1 ctx-convert --to calls log
		exits 0 ctx-clean --check log
		quiet
	done
}

# call ID...: a message that makes these calls; result ID
call() {
	printf '{"role":"assistant","content":null,"tool_calls":[%s]}\n' "$(for i; do
		printf '{"id":"%s","type":"function","function":{"name":"ls","arguments":"{}"}}\n' "$i"
	done | paste -s -d ,)"
}
result() { printf '{"role":"tool","tool_call_id":"%s","content":"x"}\n' "$1"; }

@test "results: append --checked refuses one that answers no waiting call" {
	local i

	export CTX_DB=$T/db
	# in a thread that is new, and in the lines before it
	result c1 >one
	exits 1 ctx-store append --checked S one
	said "ctx-store append: one:1: the result for 'c1' answers no waiting call, so it is not stored"
	{ call c1 c2; result c1; result c3; result c2; } >in
	exits 1 ctx-store append --checked --atomic S in
	said "ctx-store append: in:3: the result for 'c3' answers no waiting call, so it is not stored"
	exits 1 ctx-store append --checked S in
	ctx-store load S | cmp - <(head -n 2 in)
	exits 1 ctx-store append --checked S one
	result c2 >one
	exits 0 ctx-store append --checked S one
	exits 1 ctx-store append --checked S one
	# one that has an id of its own may come again
	call c4 | ctx-store append S
	echo '{"id":"m1","role":"tool","tool_call_id":"c4","content":"x"}' >one
	exits 0 ctx-store append --checked S one
	exits 0 ctx-store append --checked S one
	[ "$(ctx-store load S | wc -l)" -eq 5 ]
	# the user has gone on, so nothing waits
	{ call c5; echo '{"role":"user","content":"no"}'
	  call c6; } | ctx-store append S
	result c5 >one
	exits 1 ctx-store append --checked S one
	# the call is far back
	call $(seq 1 600) | ctx-store append S
	for i in $(seq 1 599); do result "$i"; done | ctx-store append S
	result 600 >one
	exits 0 ctx-store append --checked S one
	exits 2 ctx-store append --checked --parent main@1 -c b S one
}

@test "results: append --checked stores one of those that come at once" {
	local i k

	export CTX_DB=$T/db
	for i in {1..12}; do
		call c1 | ctx-store append "S$i"
		for k in 1 2 3; do
			{ result c1 | ctx-store append --checked "S$i"; } \
			    2>/dev/null 3>&- &
		done
		wait
		[ "$(ctx-store load "S$i" | wc -l)" -eq 2 ] || fail "S$i"
	done
}

# --- responses as they come -------------------------------------------------

# events [EVENT...]: print standard input, a JSON value a line, as server-sent
# events; with names, as Anthropic and the Responses API send them.
events() { sed 's/^/data: /; s/$/\n/'; }
named() {
	sed 's/^\(.*"type":"\([a-z_.]*\)".*\)$/event: \2\ndata: \1\n/'
}

# cut_anywhere FILE COMMAND...: the output does not depend on how the bytes of FILE
# arrive.
cut_anywhere() {
	local n file=$1

	shift
	for n in 1 7 100; do
		python3 -c 'import os, sys
p = open(sys.argv[1], "rb").read(); n = int(sys.argv[2])
for i in range(0, len(p), n): os.write(1, p[i:i + n])' "$file" $n |
		    "$@" >pieces
		same pieces out
	done
}

openai_stream() {
	events <<-'X'
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":0,"delta":{"content":"Look\u00e9"},"finish_reason":null}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":0,"delta":{"content":"\ning."},"finish_reason":null}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"ls","arguments":""}}]},"finish_reason":null}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"n\":"}}]},"finish_reason":null}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1.10}"}}]},"finish_reason":null}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"cat","arguments":"{}"}}]},"finish_reason":null}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":1,"delta":{"content":"another choice"},"finish_reason":null}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":null}
	{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":9,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":16}}}
	X
	printf 'data: [DONE]\n\n'
}

@test "stream: OpenAI's chunks are the message of its document" {
	openai_stream >in
	wanted <<-'X'
	{"role":"assistant","content":"Look\u00e9\ning.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"ls","arguments":"{\"n\":1.10}"}},{"id":"call_2","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	X
	becomes ctx-convert --from response
	cut_anywhere in ctx-convert --from response
	exits 0 ctx-convert --from response --report rep --follow-text in
	same out want
	printf 'Look\303\251\ning.\n' | cmp - err
	wanted <<-'X'
	{"file":"in","line":1,"what":"answer","end":"done","why":"tool_calls","id":"chatcmpl-1","model":"gpt-x","input_tokens":20,"output_tokens":9,"cached_tokens":16,"usage":{"prompt_tokens":20,"completion_tokens":9,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":16}}}
	X
	grep '"answer"' rep >got
	same got want
	# without the last line end, or the word after the end
	sed '$d' in | sed '$d' >cut
	exits 0 ctx-convert --from response cut
	printf 'data: [DONE]' >>cut
	exits 0 ctx-convert --from response cut
	# a refusal, and a call that servers send whole
	events >in <<-'X'
	{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"refusal":"I can't"}}]}
	{"choices":[{"index":0,"delta":{"refusal":" do that."},"finish_reason":"stop"}]}
	X
	exits 1 ctx-convert --from response in
	said 'ctx-convert: in: refusal: the model or its API refused to answer (refusal)'
	echo '{"role":"assistant","content":null,"refusal":"I can'"'"'t do that."}' >want
	same out want
	events >in <<-'X'
	{"choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"h"}}]}
	{"choices":[{"index":0,"delta":{"reasoning_content":"m","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}}]}
	{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
	X
	exits 0 ctx-convert --from response --to anthropic in
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}},{"type":"tool_use","id":"b","name":"ls","input":{}}],"ctx_kept":[{"from":"openai","at":0,"part":{"reasoning_content":"hm"}}]}
	X
	same out want
}

@test "stream: an empty list in a later chunk takes nothing away" {
	events >in <<-'X'
	{"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[],"reasoning_details":[]}}]}
	{"choices":[{"index":0,"delta":{"content":"Look.","reasoning_details":[{"type":"reasoning.text","text":"Hm","signature":"c2ln","index":0}]}}]}
	{"choices":[{"index":0,"delta":{"content":[],"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]}}]}
	{"choices":[{"index":0,"delta":{"content":"","tool_calls":[],"reasoning_details":[]},"finish_reason":"tool_calls"}]}
	X
	wanted <<-'X'
	{"role":"assistant","content":"Look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}],"reasoning_details":[{"type":"reasoning.text","text":"Hm","signature":"c2ln","index":0}]}
	X
	becomes ctx-convert --from response
}

@test "stream: calls without ids under one index are told apart by their names" {
	events >in <<-'X'
	{"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"","type":"function","function":{"name":"ls","arguments":"{\"a\":"}}]}}]}
	{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"","function":{"name":"ls","arguments":"1}"}}]}}]}
	{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"","type":"function","function":{"name":"cat","arguments":""}}]}}]}
	{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
	X
	wanted <<-'X'
	{"id":"ctx_call_1","name":"ls","arguments":{"a":1}}
	{"id":"ctx_call_2","name":"cat","arguments":{}}
	X
	becomes ctx-convert --from response --to calls
}

anthropic_stream() {
	named <<-'X'
	{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":5,"cache_read_input_tokens":100,"output_tokens":1}}}
	{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
	{"type":"ping"}
	{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me"}}
	{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":" see."}}
	{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}
	{"type":"content_block_stop","index":0}
	{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
	{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Looking"}}
	{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"."}}
	{"type":"content_block_stop","index":1}
	{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"ls","input":{}}}
	{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}
	{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"n\": 1."}}
	{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"10}"}}
	{"type":"content_block_stop","index":2}
	{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_2","name":"cat","input":{}}}
	{"type":"content_block_stop","index":3}
	{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":30}}
	{"type":"message_stop"}
	X
}

@test "stream: Anthropic's events are the message of its document" {
	anthropic_stream >in
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"thinking","thinking":"Let me see.","signature":"c2ln"},{"type":"text","text":"Looking."},{"type":"tool_use","id":"toolu_1","name":"ls","input":{"n": 1.10}},{"type":"tool_use","id":"toolu_2","name":"cat","input":{}}]}
	X
	becomes ctx-convert --from response --to anthropic
	cut_anywhere in ctx-convert --from response --to anthropic
	exits 0 ctx-convert --from response --to anthropic --follow-text in
	echo Looking. | cmp - err
	wanted <<-'X'
	{"id":"toolu_1","name":"ls","arguments":{"n": 1.10}}
	{"id":"toolu_2","name":"cat","arguments":{}}
	X
	exits 0 ctx-convert --from response --to calls --report rep in
	same out want
	wanted <<-'X'
	{"file":"in","line":1,"what":"answer","end":"done","why":"tool_use","id":"msg_1","model":"claude-x","input_tokens":115,"output_tokens":30,"cached_tokens":100,"usage":{"input_tokens":10,"cache_creation_input_tokens":5,"cache_read_input_tokens":100,"output_tokens":30}}
	X
	same rep want
	# an answer that is too long ends in the middle of a call's arguments
	anthropic_stream | sed '/10}/d; s/"tool_use","stop_seq/"max_tokens","stop_seq/' >in
	exits 1 ctx-convert --from response --to anthropic in
	said 'ctx-convert: in: length: the answer is cut off at its limit (max_tokens)'
	has -F '"name":"ls","input":{"INVALID_JSON":"{\"n\": 1."}}' out
}

responses_stream() {
	named <<-'X'
	{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","error":null,"model":"gpt-x","output":[],"usage":null}}
	{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}
	{"type":"response.reasoning_summary_part.added","item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}
	{"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":0,"delta":"Hm."}
	{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"e"}}
	{"type":"response.output_item.added","sequence_number":3,"output_index":1,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}}
	{"type":"response.content_part.added","item_id":"msg_1","output_index":1,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}
	{"type":"response.output_text.delta","item_id":"msg_1","output_index":1,"content_index":0,"delta":"Look"}
	{"type":"response.output_text.delta","item_id":"msg_1","output_index":1,"content_index":0,"delta":"ing."}
	{"type":"response.output_item.done","output_index":1,"item":{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Looking.","annotations":[]}]}}
	{"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_1","name":"ls","arguments":""}}
	{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":2,"delta":"{\"n\":1."}
	{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":2,"delta":"10}"}
	{"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"ls","arguments":"{\"n\":1.10}"}}
	X
}

@test "stream: the events of the Responses API are the items of its document" {
	{ responses_stream; named; } >in <<-'X'
	{"type":"response.completed","response":{"id":"resp_1","object":"response","status":"completed","error":null,"incomplete_details":null,"model":"gpt-x","output":[{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"e"},{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Looking.","annotations":[]}]},{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"ls","arguments":"{\"n\":1.10}"}],"usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":4},"output_tokens":5,"total_tokens":12}}}
	X
	wanted <<-'X'
	{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"e"}
	{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Looking.","annotations":[]}]}
	{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"ls","arguments":"{\"n\":1.10}"}
	X
	becomes ctx-convert --from response --to openai-responses
	cut_anywhere in ctx-convert --from response --to openai-responses
	exits 0 ctx-convert --from response --to openai-responses --follow-text \
	    --report rep in
	echo Looking. | cmp - err
	has -F '"end":"done","id":"resp_1","model":"gpt-x","input_tokens":7,"output_tokens":5,"cached_tokens":4,"usage":{"input_tokens":7,' rep
	# some servers end with a response that has no items
	{ responses_stream; named; } >in <<-'X'
	{"type":"response.completed","response":{"id":"resp_1","object":"response","status":"completed","output":[]}}
	X
	becomes ctx-convert --from response --to openai-responses
	{ responses_stream; named; } >in <<-'X'
	{"type":"response.incomplete","response":{"id":"resp_1","object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}}
	X
	exits 1 ctx-convert --from response --to openai-responses in
	said 'ctx-convert: in: length: the answer is cut off at its limit (max_output_tokens)'
	same out want
	{ responses_stream; named; } >in <<-'X'
	{"type":"response.failed","response":{"id":"resp_1","object":"response","status":"failed","error":{"code":"server_error","message":"Sorry."},"output":[]}}
	X
	exits 5 ctx-convert --from response --to openai-responses in
	said 'ctx-convert: in: error: the API reported: server_error: Sorry.; a retry may help'
	same out want
}

gemini_values() {
	cat <<-'X'
	{"candidates":[{"content":{"parts":[{"text":"Thinking","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9},"modelVersion":"gemini-x","responseId":"r1"}
	{"candidates":[{"content":{"parts":[{"text":" hard.","thought":true}],"role":"model"},"index":0}],"modelVersion":"gemini-x","responseId":"r1"}
	{"candidates":[{"content":{"parts":[{"text":"Look"}],"role":"model"},"index":0}],"modelVersion":"gemini-x","responseId":"r1"}
	{"candidates":[{"content":{"parts":[{"text":"ing."}],"role":"model"},"index":0}],"modelVersion":"gemini-x","responseId":"r1"}
	{"candidates":[{"content":{"parts":[{"functionCall":{"name":"ls","args":{"n": 1.10, "n":2}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"cat","args":{}}}],"role":"model"},"index":0}],"modelVersion":"gemini-x","responseId":"r1"}
	{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":3,"thoughtsTokenCount":4,"cachedContentTokenCount":8,"totalTokenCount":16},"modelVersion":"gemini-x","responseId":"r1"}
	X
}

@test "stream: Gemini's events, and its list, are the message of its document" {
	gemini_values | events | sed 's/$/\r/' >in
	wanted <<-'X'
	{"parts":[{"text":"Thinking hard.","thought":true},{"text":"Looking."},{"functionCall":{"name":"ls","args":{"n": 1.10, "n":2}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"cat","args":{}}}],"role":"model"}
	X
	becomes ctx-convert --from response --to gemini
	cut_anywhere in ctx-convert --from response --to gemini
	exits 0 ctx-convert --from response --to gemini --follow-text --report rep in
	echo Looking. | cmp - err
	has -F '"end":"done","why":"STOP","id":"r1","model":"gemini-x","input_tokens":9,"output_tokens":7,"cached_tokens":8,"usage":{' rep
	{ printf '['; gemini_values | sed 's/},"/},\n  "/g; s/}$/}\n,/' | sed '$d'
	    echo ']'; } >in
	jq -e 'length == 6' in >/dev/null
	becomes ctx-convert --from response --to gemini
	cut_anywhere in ctx-convert --from response --to gemini
	# a part with a signature stays a part
	events >in <<-'X'
	{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"}}]}
	{"candidates":[{"content":{"parts":[{"text":"b","thoughtSignature":"c2ln"}],"role":"model"}}]}
	{"candidates":[{"content":{"parts":[{"text":"c"}],"role":"model"},"finishReason":"STOP"}]}
	X
	echo '{"parts":[{"text":"a"},{"text":"b","thoughtSignature":"c2ln"},{"text":"c"}],"role":"model"}' >want
	becomes ctx-convert --from response --to gemini
}

@test "stream: the text is there while the rest has still to come" {
	mkfifo pipe
	ctx-convert --from response --follow-text --to gemini <pipe >got 2>text &
	exec 9>pipe
	printf '[' >&9
	gemini_values | sed -n 3p | tr '\n' , >&9
	until_true grep -q '^Look$' text
	[ ! -s got ]
	gemini_values | sed -n 6p >&9
	printf ']' >&9
	exec 9>&-
	wait $!
	echo '{"parts":[{"text":"Look"}],"role":"model"}' | cmp - got
	echo Look | cmp - text
	# no orders to a terminal
	echo '{"choices":[{"message":{"role":"assistant","content":"a\u001b[2J\u009b\tb\n"},"finish_reason":"stop"}]}' >in
	exits 0 ctx-convert --from response --follow-text in
	printf 'a\\x1b[2J\\xc2\\x9b\tb\n' | cmp - err
	exits 2 ctx-convert --from text --follow-text in
	says 'ctx-convert: --follow-text needs --from response'
}

@test "stream: one that is cut leaves what had come, and exits with 5" {
	local end='ctx-convert: in: unfinished: the response ended before its end'

	# the second call's arguments have not come
	openai_stream | sed '/call_2/,$d' | sed '/1.10/,$d' >in
	exits 5 ctx-convert --from response --report rep in
	said "$end; 1 call that had only begun is left out; a retry may help"
	printf '%s\n' '{"role":"assistant","content":"Look\u00e9\ning."}' >want
	same out want
	has -F '"end":"unfinished","id":"chatcmpl-1","model":"gpt-x","unfinished":[{"id":"call_1","type":"function","function":{"name":"ls","arguments":"{\"n\":"}}]}' rep
	# an older form of calls
	events >in <<-'X'
	{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"role":"assistant","content":"Look.","function_call":{"name":"ls","arguments":"{\"n\":"}},"finish_reason":null}]}
	X
	exits 5 ctx-convert --from response --report rep in
	said "$end; 1 call that had only begun is left out; a retry may help"
	echo '{"role":"assistant","content":"Look."}' >want
	same out want
	has -F '"end":"unfinished","id":"chatcmpl-1","unfinished":[{"name":"ls","arguments":"{\"n\":"}]}' rep
	echo '{"choices":[{"index":0,"delta":{"content":"Look.","function_call":null}}]}' |
	    events >in
	exits 5 ctx-convert --from response in
	said "$end; a retry may help"
	same out want
	anthropic_stream | sed '/1\./,$d' >in
	exits 5 ctx-convert --from response --to anthropic in
	said "$end; 1 call that had only begun is left out; a retry may help"
	echo '{"role":"assistant","content":[{"type":"thinking","thinking":"Let me see.","signature":"c2ln"},{"type":"text","text":"Looking."}]}' | cmp - out
	responses_stream | sed '/"delta":"ing/,$d' >in
	exits 5 ctx-convert --from response --to openai-responses in
	said "$end; a retry may help"
	wanted <<-'X'
	{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"e"}
	{"id":"msg_1","type":"message","status":"incomplete","role":"assistant","content":[{"type":"output_text","text":"Look","annotations":[]}]}
	X
	same out want
	{ responses_stream | sed '/"10}"/,$d'; } >in
	exits 5 ctx-convert --from response --to openai-responses in
	said "$end; 1 call that had only begun is left out; a retry may help"
	gemini_values | sed 4q | events >in
	exits 5 ctx-convert --from response --to gemini in
	echo '{"parts":[{"text":"Thinking hard.","thought":true},{"text":"Looking."}],"role":"model"}' | cmp - out
	for r in '' '{' '[' '[{"candidates":' 'dat' ': wait' 'event: message_start' \
	    '{"choices":[{"message":{"role":"assistant","content":"hi'; do
		printf %s "$r" >in
		about "$r"
		exits 5 ctx-convert --from response in
		silent
		said "$end; a retry may help"
	done
	# every cut of a stream is told from its end
	for s in openai_stream anthropic_stream; do
		$s >all
		# nothing is said of a call without its result in these
		for n in $(seq 1 97 "$(($(wc -c <all) - 400))"); do
			head -c "$n" all >in
			exits 5 ctx-convert -q --from response in
			says 'ctx-convert: in: unfinished: *'
		done
	done
}

@test "stream: a whole answer that says nothing is exit 0, and no message" {
	local doc

	while IFS= read -r doc; do
		printf '%s\n' "$doc" >in
		about "$doc"
		for t in openai anthropic gemini openai-responses; do
			exits 0 ctx-convert --from response --to $t --report rep in
			silent
			quiet
			has '^{"file":"in","line":1,"what":"answer","end":"done"' rep
		done
	done <<-'X'
	{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3}}
	data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3}}
	{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}
	{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP"}]}
	data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP"}]}
	{"choices":[{"message":{"role":"assistant","content":null,"refusal":null,"annotations":[],"prefix":false},"finish_reason":"stop"}]}
	data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}
	{"type":"message","role":"assistant","model":"m","content":[],"stop_reason":"end_turn"}
	{"object":"response","status":"completed","output":[]}
	{"object":"response","status":"completed","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[]}]}
	X
	# what is said in other members, or only thought, does not vanish unsaid
	echo '{"choices":[{"message":{"role":"assistant","content":"","audio":{"id":"audio_1"}},"finish_reason":"stop"}]}' >in
	exits 0 ctx-convert --from response in
	wrote '{"role":"assistant","content":"","audio":{"id":"audio_1"}}'
	echo '{"choices":[{"message":{"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]},"finish_reason":"stop"}]}' >in
	exits 3 ctx-convert --from response in
	given <<-'X'
	{"object":"response","status":"completed","output":[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[]}]}
	X
	exits 0 ctx-convert --from response --to openai-responses in
	wrote '{"type":"reasoning","id":"rs_1","summary":[]}' \
	    '{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[]}'
}

@test "stream: errors and refusals are told apart" {
	anthropic_stream | sed '/"index":2/,$d' >in
	printf 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n' >>in
	exits 5 ctx-convert --from response --to anthropic in
	said 'ctx-convert: in: error: the API reported: overloaded_error: Overloaded; a retry may help'
	has '"text":"Looking."' out
	openai_stream | sed '/call_1/,$d' >in
	printf 'data: {"error":{"message":"bad","type":"invalid_request_error"}}\n\n' >>in
	exits 3 ctx-convert --from response in
	said 'ctx-convert: in: error: the API reported: invalid_request_error: bad'
	has Look out
	openai_stream | sed 's/^data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-x","choices":\[{"index":0,"delta":{"tool_calls.*$/data: {oops/' >in
	exits 3 ctx-convert --from response in
	said 'ctx-convert: in: error: the API reported: an event is not JSON'
	has Look out
	while IFS='|' read -r code word why doc; do
		printf '%s\n' "$doc" >in
		about "$doc"
		exits "$code" ctx-convert --from response in
		silent
		says "ctx-convert: in: $word: *$why*"
	done <<-'X'
	1|refusal|SAFETY|{"candidates":[{"finishReason":"SAFETY"}]}
	1|refusal|PROHIBITED_CONTENT|{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}
	1|refusal|refusal|{"type":"message","role":"assistant","content":[],"stop_reason":"refusal"}
	1|refusal|content_filter|{"choices":[{"message":{"role":"assistant","content":""},"finish_reason":"content_filter"}]}
	1|length|length|{"choices":[{"message":{"role":"assistant","content":""},"finish_reason":"length"}]}
	1|length|MAX_TOKENS|{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}]}
	3|error|NOT_FOUND: no model|{"error":{"code":404,"message":"no model","status":"NOT_FOUND"}}
	5|error|UNAVAILABLE: busy|[{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}]
	5|error|rate_limit_exceeded: wait|{"error":{"message":"wait","type":null,"param":null,"code":"rate_limit_exceeded"}}
	5|error|MALFORMED_FUNCTION_CALL|{"candidates":[{"content":{},"finishReason":"MALFORMED_FUNCTION_CALL"}]}
	3|error|model not found|{"error":"model not found"}
	5|error|x: away|{"object":"error","message":"away","type":"x","code":"503"}
	3|error|BadRequestError: bad|{"object":"error","message":"bad","type":"BadRequestError","param":null,"code":400}
	5|error|rate_limited: wait|{"object":"error","message":"wait","type":"rate_limited","param":null,"code":"1300"}
	5|error|x: full|{"object":"error","message":"full","type":"x","param":null,"code":"3505","raw_status_code":429}
	5|error|x: away|data: {"object":"error","message":"away","type":"x","param":null,"code":503}
	5|error|server_error: boom|data: {"type":"error","code":"server_error","message":"boom","param":null,"sequence_number":3}
	5|unfinished|ended|{"id":"r","object":"response","status":"queued","error":null,"output":[]}
	X
}

@test "stream: Ollama's lines and Mistral's parts" {
	given <<-'X'
	{"model":"m","created_at":"x","message":{"role":"assistant","content":"","thinking":"h"},"done":false}
	{"model":"m","created_at":"x","message":{"role":"assistant","content":"","thinking":"m"},"done":false}
	{"model":"m","created_at":"x","message":{"role":"assistant","content":"Hel"},"done":false}
	{"model":"m","created_at":"x","message":{"role":"assistant","content":"lo","tool_calls":[{"function":{"name":"ls","arguments":{"n":1.10}}}]},"done":false}
	{"model":"m","created_at":"x","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":3}
	X
	echo '{"role":"assistant","content":"Hello","thinking":"hm","tool_calls":[{"function":{"name":"ls","arguments":{"n":1.10}}}]}' >want
	becomes ctx-convert --from response --to ollama
	sed -i.was '$d' in
	exits 5 ctx-convert --from response --to ollama in
	events >in <<-'X'
	{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}
	{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]}}]}
	{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"m"}]}]}}]}
	{"choices":[{"index":0,"delta":{"content":"Hel"}}]}
	{"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}
	X
	echo '{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hello"}]}' >want
	becomes ctx-convert --from response --to mistral
}

@test "stream: what is too large is refused" {
	{
		printf 'data: {"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":['
		seq -s , -f '{"index":%g,"function":{"arguments":""}}' 1 9000 |
		    tr -d '\n'
		printf ']}}]}\n\n'
	} >in
	exits 3 ctx-convert --from response in
	silent
	said 'ctx-convert: in: the response has more than 8192 parts'
}
