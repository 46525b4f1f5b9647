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
