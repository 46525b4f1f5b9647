# Records of traces: a request and its answer, from OpenTelemetry, Langfuse and
# LangSmith.

setup() { load helpers; common_setup; }

# recipe TEXT: print the literal block of ctx-stream(5) that has this text.
recipe() {
	awk -v t="$1" '/^\.Bd/ { b = ""; next }
		/^\.Ed/ { if (index(b, t)) { printf "%s", b; exit } next }
		{ b = b $0 "\n" }' "$ROOT/man/ctx-stream.5" |
	    sed 's/\\e/\\/g' >recipe
	[ -s recipe ]
	cat recipe
}

@test "traces: what was asked and what was answered is one conversation" {
	given <<-'X'
	{"id":"o1","input":[{"role":"user","content":"q"}],"output":{"role":"assistant","content":"a","refusal":null},"end":1}
	{"id":"o2","input":{"model":"m","temperature":1,"messages":[{"role":"user","content":"q"}]},"output":{"id":"r","choices":[{"index":0,"message":{"role":"assistant","content":"a"}},{"index":1,"message":{"role":"assistant","content":"b"}}]}}
	{"id":"o3","input":{"messages":[{"role":"user","content":"q"}]},"output":"a"}
	{"id":"r1","inputs":{"messages":[[{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"q","type":"human"}}]]},"outputs":{"generations":[[{"text":"a","message":{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"a","type":"ai"}}}]]}}
	{"id":"s1","gen_ai.system_instructions":[{"type":"text","content":"s"}],"gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"q"}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"text","content":"a"}],"finish_reason":"stop"}]}
	X
	wanted <<-'X'
	{"id":"o1","end":1,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	{"id":"o2","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	{"id":"o3","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	{"id":"r1","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	{"id":"s1","messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	X
	exits 0 ctx-convert --to openai in
	said 'ctx-convert: lost or changed: members temperature (1), members choices (1), members text (1)'
	same out want
	[ "$(ctx-count in | awk '{ print $2 }')" -eq 11 ]
}

@test "traces: a request is written with the tools that were in the input" {
	given <<-'X'
	{"id":"o1","input":{"model":"m","system":"s","tools":[{"name":"ls","description":"d","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"}]},"output":{"id":"r","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"ls","input":{}}]}}
	X
	wanted <<-'X'
	{"model":"x","messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"ls","arguments":"{}"}}]}],"tools":[{"type":"function","function":{"name":"ls","description":"d","parameters":{"type":"object"}}}]}
	X
	becomes ctx-convert --to openai --request -m x
	# its call waits for nothing
	exits 0 ctx-clean --check in
	becomes_same ctx-clean
	becomes_same ctx-clean --unanswered repair
}

# becomes_same COMMAND: assert that the command does not change "in".
becomes_same() {
	"$@" in >same
	same same in
}

@test "traces: the answer is neither dropped nor moved, but shortened" {
	given <<-'X'
	{"input":{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":"old"},{"role":"user","content":"more"}]},"output":{"role":"assistant","content":"the answer"}}
	X
	wanted <<-'X'
	{"input":{"messages":[{"role":"system","content":"s"}]},"output":{"role":"assistant","content":"the answer"}}
	X
	becomes ctx-truncate -n 1
	# once more, after nothing but the answer is left
	cp want in
	becomes ctx-truncate -n 1
	edit "s/the answer/& $(printf '%059d' 7)/" in
	wanted <<-'X'
	{"input":{"messages":[{"role":"system","content":"s"}]},"output":{"role":"assistant","content":"th\n... (truncated, 70 chars total)"}}
	X
	becomes ctx-clean --max-message 2
	printf '%s\n' '{"input":[{"role":"assistant","content":"a"}],"output":{"role":"assistant","content":"b"}}' | given
	becomes_same ctx-clean --merge-runs
}

@test "traces: an output with messages of the user is the whole conversation" {
	given <<-'X'
	{"inputs":{"messages":[{"role":"user","content":"q"}]},"outputs":{"messages":[{"type":"human","content":"q"},{"type":"ai","content":"","tool_calls":[{"name":"ls","args":{},"id":"c1","type":"tool_call"}]},{"type":"tool","content":"r","tool_call_id":"c1"},{"type":"ai","content":"a"}]}}
	X
	# the input is kept as the member that it is
	wanted <<-'X'
	{"inputs":{"messages":[{"role":"user","content":"q"}]},"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"r"},{"role":"assistant","content":"a"}]}
	X
	becomes ctx-convert --to openai
}

@test "traces: what a tool returned is no answer" {
	given <<-'X'
	{"input":{"messages":[{"role":"user","content":"q"}]},"output":{"messages":[{"role":"tool","tool_call_id":"c9","content":"r"}]}}
	X
	exits 0 ctx-clean --check in
	becomes_same ctx-clean
	wanted <<-'X'
	{"messages":[{"role":"user","content":"q"}]}
	X
	exits 0 ctx-convert -q --to openai --shape conversation in
	jq -c '{messages}' out >got
	same got want
}

@test "traces: attributes that are strings of JSON, by the filter of ctx-stream(5)" {
	cat >spans.json <<-'X'
	{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"x"}}]},"scopeSpans":[{"spans":[{"spanId":"1","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"3"}},{"key":"gen_ai.system_instructions","value":{"stringValue":"[{\"type\":\"text\",\"content\":\"s\"}]"}},{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"q\"}]}]"}},{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"a\"}],\"finish_reason\":\"stop\"}]"}}]},{"spanId":"2","attributes":[{"key":"gen_ai.tool.name","value":{"stringValue":"ls"}}]}]}]}]}
	{"span_id":"3","attributes":{"gen_ai.system_instructions":null,"gen_ai.request.model":"m","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"q\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"a\"}]}]"}}
	X
	wanted <<-'X'
	{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	X
	recipe '.stringValue' >filter
	sh ./filter | ctx-convert --to openai >got
	same got want
}

@test "traces: exports of Langfuse with strings of JSON, by the filter of ctx-stream(5)" {
	cat >export.json <<-'X'
	{"trace":{"id":"t"},"observations":[{"id":"o1","input":"{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}","output":"{\"role\":\"assistant\",\"content\":\"a\"}"},{"id":"o2","input":"\"[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"q\\\"}]\"","output":"[no"}]}
	[{"id":"o3","input":{"messages":[{"role":"user","content":"q"}]},"output":null}]
	{"id":"o4","input":[{"role":"user","content":"q"}],"output":"a"}
	X
	wanted <<-'X'
	{"id":"o1","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	{"id":"o2","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"[no"}]}
	{"id":"o3","output":null,"messages":[{"role":"user","content":"q"}]}
	{"id":"o4","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}
	X
	recipe 'def v:' >filter
	sh ./filter | ctx-convert --to openai >got
	same got want
}

@test "traces: the examples of ctx-stream(5) are read" {
	for text in '"type":"GENERATION"' '"type":"reasoning","content"' \
	    '"gen_ai.system_instructions"'; do
		recipe "$text" | jq -c . >lines
		ctx-clean lines | cmp - lines
		exits 0 ctx-convert --to openai lines
		has '"content":"list it"' out
	done
}
