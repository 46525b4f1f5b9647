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

@test "results: append --checked refuses one that answers no waiting call" {
	local i

	export CTX_DB=$T/db
	call() { printf '{"role":"assistant","content":null,"tool_calls":[%s]}\n' "$(
	    for i; do
		printf '{"id":"%s","type":"function","function":{"name":"ls","arguments":"{}"}}\n' "$i"
	    done | paste -s -d ,)"; }
	result() { printf '{"role":"tool","tool_call_id":"%s","content":"x"}\n' "$1"; }
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
