# ctx-clean: the output is valid, and nothing else has changed.  The expected
# bytes are written by hand from the rules in ctx-stream(5).

setup() { load helpers; common_setup; }

# --- OpenAI chat: links ----------------------------------------------------

@test "clean: a valid OpenAI history is left unchanged, however it is spelled" {
	given <<-'X'
	{"role":"system","content":"Be terse."}
	{"role" : "user", "content" : "hi", "n" : 1.10, "n":1e400}
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"cat","arguments":"{broken"}}]}
	{"role":"tool","tool_call_id":"b","content":"B \ud800 \u0000"}
	{"role":"tool","content":[{"type":"text","text":"A"}],"tool_call_id":"a"}
	{"role":"assistant","content":"done"}
	{"role":"developer","content":"Be kind."}
	{"role":"user","content":[{"type":"text","text":""},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}
	X
	stays_both ctx-clean
	exits 0 ctx-clean --check --ignore lone-surrogate <in
	quiet; silent
}

@test "clean: an id that is reused belongs to the later call (OpenAI)" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"1"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"2"}
	{"role":"assistant","content":"done"}
	X
	stays_both ctx-clean
}

@test "clean: an id is the same however it is spelled" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"call_a\/1\u002B","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"call_a/1+","content":"1"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"call_b/1+","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"\u0063all_b\/1\u002b","content":"2"}
	X
	stays_both ctx-clean
	# what is made has the shortest spelling; \" has no shorter one
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"call\u0022\/1\u002B","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	X
	{
		cat in
		cat <<-'X'
		{"role":"tool","tool_call_id":"call\"/1+","content":"[no result: the tool call was not completed]"}
		X
	} | wanted
	becomes_both ctx-clean --unanswered repair
}

@test "clean: calls of one message that share an id get one result each (OpenAI)" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"x","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"1"}
	{"role":"tool","tool_call_id":"x","content":"2"}
	X
	sed -e '1s/"x","type":"function","function":{"name":"cat"/"x_2","type":"function","function":{"name":"cat"/' \
	    -e '3s/"x"/"x_2"/' in | wanted
	becomes_both ctx-clean
	edit 3d in
	wanted <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"1"}
	X
	becomes_both ctx-clean
}

# A history with two unanswered calls, one of them in a message with text.
unanswered_openai() {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":"Looking.","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}],"n":1.10}
	{"role":"user","content":"well?"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":"hello?"}
	X
}

@test "clean: trim removes an unanswered call, and the message if nothing else is in it" {
	unanswered_openai
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":"Looking.","n":1.10}
	{"role":"user","content":"well?"}
	{"role":"user","content":"hello?"}
	X
	becomes_both ctx-clean
	becomes_both ctx-clean --unanswered trim
	exits 1 ctx-clean --check in
}

@test "clean: drop removes the whole message of an unanswered call" {
	unanswered_openai
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"user","content":"well?"}
	{"role":"user","content":"hello?"}
	X
	becomes_both ctx-clean --unanswered drop
}

@test "clean: repair answers an unanswered call, always with the same text" {
	unanswered_openai
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":"Looking.","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}],"n":1.10}
	{"role":"tool","tool_call_id":"a","content":"[no result: the tool call was not completed]"}
	{"role":"user","content":"well?"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"b","content":"[no result: the tool call was not completed]"}
	{"role":"user","content":"hello?"}
	X
	becomes_both ctx-clean --unanswered repair
	cp want in
	stays_both ctx-clean
}

half_answered_openai() {
	given <<-'X'
	{"role":"assistant","content":"Both.","tool_calls":[ {"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}} , {"id":"b","type":"function","function":{"name":"cat","arguments":"{}"}} , {"id":"c","type":"function","function":{"name":"wc","arguments":"{}"}} ]}
	{"role":"tool","tool_call_id":"b","content":"B"}
	{"role":"user","content":"stop"}
	X
}

@test "clean: half-answered parallel calls: trim" {
	half_answered_openai
	wanted <<-'X'
	{"role":"assistant","content":"Both.","tool_calls":[ {"id":"b","type":"function","function":{"name":"cat","arguments":"{}"}} ]}
	{"role":"tool","tool_call_id":"b","content":"B"}
	{"role":"user","content":"stop"}
	X
	becomes_both ctx-clean
}

@test "clean: half-answered parallel calls: drop leaves no orphan" {
	half_answered_openai
	wanted <<-'X'
	{"role":"user","content":"stop"}
	X
	becomes_both ctx-clean --unanswered drop
}

@test "clean: half-answered parallel calls: repair adds after the real results" {
	half_answered_openai
	{
		head -n 2 in
		cat <<-'X'
		{"role":"tool","tool_call_id":"a","content":"[no result: the tool call was not completed]"}
		{"role":"tool","tool_call_id":"c","content":"[no result: the tool call was not completed]"}
		X
		tail -n 1 in
	} | wanted
	becomes_both ctx-clean --unanswered repair
}

@test "clean: a result without a call is removed (OpenAI)" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"tool","tool_call_id":"nobody","content":"?"}
	{"role":"assistant","content":"done"}
	{"role":"tool","tool_call_id":"a","content":"after a text"}
	X
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":"done"}
	X
	becomes_both ctx-clean
}

@test "clean: a result before its call is an orphan (OpenAI)" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"tool","tool_call_id":"a","content":"early"}
	{"role":"assistant","content":"Now.","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":"next"}
	X
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":"Now."}
	{"role":"user","content":"next"}
	X
	becomes_both ctx-clean
}

@test "clean: the second result of a call is removed (OpenAI)" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"a","content":"1"}
	{"role":"tool","tool_call_id":"a","content":"2"}
	{"role":"user","content":"thanks"}
	{"role":"tool","tool_call_id":"a","content":"3"}
	X
	wanted <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"a","content":"1"}
	{"role":"user","content":"thanks"}
	X
	becomes_both ctx-clean
}

@test "clean: messages between a call and its results are moved after them (OpenAI)" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":"one moment"}
	{"role":"tool","tool_call_id":"b","content":"B"}
	{"role":"system","content":"The time is up."}
	{"role":"tool","tool_call_id":"a","content":"A"}
	{"role":"assistant","content":"done"}
	X
	wanted <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"b","content":"B"}
	{"role":"tool","tool_call_id":"a","content":"A"}
	{"role":"user","content":"one moment"}
	{"role":"system","content":"The time is up."}
	{"role":"assistant","content":"done"}
	X
	becomes_both ctx-clean
}

@test "clean: results after the next assistant message are too late (OpenAI)" {
	given <<-'X'
	{"role":"assistant","content":"Now.","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":"and?"}
	{"role":"assistant","content":"Wait."}
	{"role":"tool","tool_call_id":"a","content":"late"}
	X
	wanted <<-'X'
	{"role":"assistant","content":"Now."}
	{"role":"user","content":"and?"}
	{"role":"assistant","content":"Wait."}
	X
	becomes_both ctx-clean
}

@test "clean: results of two adjacent assistant messages are each moved after their call" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"a","content":"A"}
	{"role":"tool","tool_call_id":"b","content":"B"}
	X
	wanted <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"a","content":"A"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"b","content":"B"}
	X
	becomes_both ctx-clean
}

@test "clean: calls without ids are matched with their results by name, or in order" {
	given <<-'X'
	{"role":"user","content":"weather?"}
	{"role":"assistant","content":"","tool_calls":[{"function":{"name":"weather","arguments":{"city":"Oslo"}}},{"id":null,"function":{"name":"time","arguments":{}}}]}
	{"role":"tool","content":"12:00","tool_name":"time"}
	{"role":"tool","content":"11 degrees","name":"weather"}
	{"role":"assistant","content":"","tool_calls":[{"function":{"name":"a","arguments":{}}},{"function":{"name":"b","arguments":{}}}]}
	{"role":"tool","content":"of a"}
	{"role":"tool","content":"of b"}
	{"role":"assistant","content":"11"}
	X
	stays_both ctx-clean
	exits 0 ctx-clean --check --api ollama in
	silent
	exits 0 ctx-clean --check in
	silent
	exits 1 ctx-clean --check -d openai in
	wrote in:{2:48,2:108,5:48,5:89}': error[no-id]: tool call or result has no id'
	# one result is missing, and one has no call
	given <<-'X'
	{"role":"user","content":"weather?"}
	{"role":"assistant","content":"","tool_calls":[{"function":{"name":"a","arguments":{}}},{"function":{"name":"b","arguments":{}}}]}
	{"role":"tool","content":"of b","tool_name":"b"}
	{"role":"tool","content":"of c","tool_name":"c"}
	{"role":"assistant","content":"11"}
	X
	wanted <<-'X'
	{"role":"user","content":"weather?"}
	{"role":"assistant","content":"","tool_calls":[{"function":{"name":"b","arguments":{}}}]}
	{"role":"tool","content":"of b","tool_name":"b"}
	{"role":"assistant","content":"11"}
	X
	becomes_both ctx-clean
	wanted <<-'X'
	{"role":"user","content":"weather?"}
	{"role":"assistant","content":"","tool_calls":[{"function":{"name":"a","arguments":{}}},{"function":{"name":"b","arguments":{}}}]}
	{"role":"tool","content":"of b","tool_name":"b"}
	{"role":"tool","tool_name":"a","content":"[no result: the tool call was not completed]"}
	{"role":"assistant","content":"11"}
	X
	becomes_both ctx-clean --unanswered repair
}

@test "clean: a result of Ollama's that names its tool answers a call with an id" {
	given <<-'X'
	{"role":"user","content":"weather?"}
	{"role":"assistant","content":"","tool_calls":[{"id":"call_9","function":{"name":"weather","arguments":{}}},{"id":"call_21","function":{"name":"time","arguments":{}}}]}
	{"role":"tool","tool_name":"time","content":"12:00"}
	{"role":"tool","tool_name":"weather","content":"11 degrees"}
	{"role":"assistant","content":"11"}
	X
	stays_both ctx-clean
	exits 0 ctx-clean --check --api ollama in
	silent
	# OpenAI's API requires the id
	exits 1 ctx-clean --check -d openai in
	wrote in:{3:1,4:1}': error[no-id]: tool call or result has no id'
	exits 0 ctx-convert --to openai in
	wrote '{"role":"user","content":"weather?"}' \
	    '{"role":"assistant","content":null,"tool_calls":[{"id":"call_9","type":"function","function":{"name":"weather","arguments":"{}"}},{"id":"call_21","type":"function","function":{"name":"time","arguments":"{}"}}]}' \
	    '{"role":"tool","tool_call_id":"call_21","content":"12:00"}' \
	    '{"role":"tool","tool_call_id":"call_9","content":"11 degrees"}' \
	    '{"role":"assistant","content":"11"}'
}

@test "clean: a result with a name and no id never answers a call with an id, whatever the id" {
	for i in {1..99}; do
		printf '{"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"call_%s","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","name":"f","content":"x"},{"role":"user","content":"b"}]}\n' "$i"
	done >in
	yes '{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}' | head -n 99 >want
	becomes ctx-clean
}

@test "clean: the old function_call is matched with its result by name" {
	given <<-'X'
	{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}}
	{"role":"function","name":"ls","content":"a.txt"}
	{"role":"function","name":"ls","content":"again"}
	{"role":"assistant","content":"Now cat.","function_call":{"name":"cat","arguments":"{}"},"n":1}
	{"role":"user","content":"stop"}
	X
	wanted <<-'X'
	{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}}
	{"role":"function","name":"ls","content":"a.txt"}
	{"role":"assistant","content":"Now cat.","n":1}
	{"role":"user","content":"stop"}
	X
	becomes_both ctx-clean
	cat >want <<-'X'
	{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}}
	{"role":"function","name":"ls","content":"a.txt"}
	{"role":"assistant","content":"Now cat.","function_call":{"name":"cat","arguments":"{}"},"n":1}
	{"role":"function","name":"cat","content":"[no result: the tool call was not completed]"}
	{"role":"user","content":"stop"}
	X
	becomes_both ctx-clean --unanswered repair
}

@test "clean: custom tools are calls too" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"custom","custom":{"name":"sh","input":"ls"}}]}
	{"role":"tool","tool_call_id":"a","content":"a.txt"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"custom","custom":{"name":"sh","input":"ls"}}]}
	{"role":"user","content":"stop"}
	X
	sed 3d in >want
	becomes_both ctx-clean
}

@test "clean: an empty list of calls is removed, and so is an empty message (OpenAI)" {
	given <<-'X'
	{"role":"assistant","content":"hi","tool_calls":[]}
	{"tool_calls": [ ], "role":"assistant","content":"ho"}
	{"role":"assistant","content":null}
	{"role":"assistant","content":null,"tool_calls":[]}
	{"role":"assistant","content":null,"refusal":"No."}
	{"role":"assistant","audio":{}}
	{"role":"user","content":""}
	X
	wanted <<-'X'
	{"role":"assistant","content":"hi"}
	{"role":"assistant","content":"ho"}
	{"role":"assistant","content":null,"refusal":"No."}
	{"role":"user","content":""}
	X
	becomes_both ctx-clean
}

@test "clean: an answer that was spoken is not empty (OpenAI)" {
	given <<-'X'
	{"role":"user","content":"when?"}
	{"role":"assistant","content":null,"refusal":null,"audio":{"id":"audio_1","data":"UklG","expires_at":9,"transcript":"At noon."}}
	{"role":"user","content":"and where?"}
	{"role":"assistant","audio":{"id":"audio_2"}}
	X
	stays_both ctx-clean
}

# --- Anthropic: links --------------------------------------------------------

@test "clean: a valid Anthropic history is left unchanged" {
	given <<-'X'
	{"role":"user","content":"list it"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"…","signature":"EqQB"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"Looking."},{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"cat","input":{"n":1.10}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":[{"type":"text","text":"no"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]},{"type":"tool_result","tool_use_id":"t1"},{"type":"text","text":"and?","cache_control":{"type":"ephemeral"}}]}
	{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]},{"type":"text","text":"One."}]}
	{"role":"user","content":"thanks"}
	{"role":"user","content":[{"type":"text","text":"bye"}]}
	X
	stays_both ctx-clean
	exits 0 ctx-clean --check <in
	quiet; silent
}

@test "clean: results may be in several user messages, which the API joins" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"2"}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"},{"type":"text","text":"ok?"}]}
	X
	stays_both ctx-clean
}

unanswered_anthropic() {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"text","text":"Looking."}, {"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":"well?"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"Eq"},{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":"hello?"}
	X
}

@test "clean: trim (Anthropic): thinking is removed together with its call" {
	unanswered_anthropic
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"text","text":"Looking."}]}
	{"role":"user","content":"well?"}
	{"role":"user","content":"hello?"}
	X
	becomes_both ctx-clean
}

@test "clean: drop (Anthropic)" {
	unanswered_anthropic
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"user","content":"well?"}
	{"role":"user","content":"hello?"}
	X
	becomes_both ctx-clean --unanswered drop
}

@test "clean: repair (Anthropic)" {
	unanswered_anthropic
	{
		sed -n 1,2p in
		cat <<-'X'
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"[no result: the tool call was not completed]"}]}
		X
		sed -n 3,4p in
		cat <<-'X'
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"[no result: the tool call was not completed]"}]}
		X
		sed -n 5p in
	} | wanted
	becomes_both ctx-clean --unanswered repair
	cp want in
	stays_both ctx-clean
}

@test "clean: repair answers in the dialect of the turn, after a trailing blank line" {
	unanswered_anthropic
	edit '3,$d' in
	echo >>in
	{
		cat in
		cat <<-'X'
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"[no result: the tool call was not completed]"}]}
		X
	} | wanted
	becomes ctx-clean --unanswered repair
}

half_answered_anthropic() {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"2"},{"type":"text","text":"stop"}]}
	X
}

@test "clean: half-answered parallel calls (Anthropic), trim, drop and repair" {
	half_answered_anthropic
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"2"},{"type":"text","text":"stop"}]}
	X
	becomes_both ctx-clean
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"user","content":[{"type":"text","text":"stop"}]}
	X
	becomes_both ctx-clean --unanswered drop
	# the generated result must come before the text, even if a real result
	# does too
	exits 0 ctx-clean --unanswered repair <in
	cp out in
	grep -q 'tool_use_id":"t1","is_error":true' in
	stays_both ctx-clean
	exits 0 ctx-clean --check in
}

@test "clean: drop (Responses): calls that are one with an unanswered one go too" {
	given <<-'X'
	{"type":"message","role":"user","content":"q"}
	{"type":"reasoning","id":"r1","summary":[]}
	{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}
	{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}
	{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"a","output":"1"}
	{"type":"function_call_output","call_id":"c","output":"3"}
	{"type":"message","role":"user","content":"next"}
	X
	sed -n '1p; 8p' in >want
	becomes ctx-clean --unanswered drop
	# but not those before a text
	given <<-'X'
	{"type":"message","role":"user","content":"q"}
	{"type":"reasoning","id":"r1","summary":[]}
	{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}
	{"type":"message","role":"assistant","content":"let me"}
	{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}
	{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"a","output":"1"}
	{"type":"function_call_output","call_id":"c","output":"3"}
	{"type":"message","role":"user","content":"next"}
	X
	sed -n '1,4p; 7p; 9p' in >want
	becomes ctx-clean --unanswered drop
}

@test "clean: a result without a call is removed, the text next to it stays (Anthropic)" {
	given <<-'X'
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9","content":"?"}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9","content":"?"},{"type":"text","text":"hi"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"},{"type":"tool_result","tool_use_id":"t1","content":"2"}]}
	X
	wanted <<-'X'
	{"role":"user","content":[{"type":"text","text":"hi"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"}]}
	X
	becomes_both ctx-clean
}

@test "clean: results are moved to the beginning of their message (Anthropic)" {
	given <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"text","text":"here:"},{"type":"tool_result","tool_use_id":"t1","content":"1"},{"type":"text","text":"and:"},{"type":"tool_result","tool_use_id":"t2","content":"2"}]}
	X
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"},{"type":"tool_result","tool_use_id":"t2","content":"2"},{"type":"text","text":"here:"},{"type":"text","text":"and:"}]}
	X
	becomes_both ctx-clean
}

@test "clean: empty texts of a result that is moved are removed at once (Anthropic)" {
	given <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":"wait"}
	{"role":"user","content":[{"type":"text","text":"here:"},{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":""},{"type":"text","text":"1"},{"type":"text","text":""}]},{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"2"},{"type":"text","text":""}]}]}
	X
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"1"}]},{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"2"}]}]}
	{"role":"user","content":"wait"}
	{"role":"user","content":[{"type":"text","text":"here:"}]}
	X
	becomes_both ctx-clean
	cp want in
	stays_both ctx-clean
}

@test "clean: a user message before the results is moved after them (Anthropic)" {
	given <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":"one moment"}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"}]}
	{"role":"assistant","content":"done"}
	X
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"}]}
	{"role":"user","content":"one moment"}
	{"role":"assistant","content":"done"}
	X
	becomes_both ctx-clean
}

@test "clean: results that are moved are renamed and shortened as well (Anthropic)" {
	given <<-X
	{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"text","text":"wait"}]}
	{"role":"user","content":[{"type":"text","text":"here"},{"type":"tool_result","tool_use_id":"b","content":"$(printf %0200d 1)"},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"$(printf %0300d 0)"}]}]}
	{"role":"assistant","content":"done"}
	X
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"b_2","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"b_2","content":"00000000000000000000\n... (truncated, 200 chars total)"},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"00000000000000000000\n... (truncated, 300 chars total)"}]}]}
	{"role":"user","content":[{"type":"text","text":"wait"}]}
	{"role":"user","content":[{"type":"text","text":"here"}]}
	{"role":"assistant","content":"done"}
	X
	becomes_both ctx-clean --max-result 20
}

@test "clean: what is moved is scrubbed, cut, cleared and counted as well (Anthropic)" {
	moved() { # RESULT TEXT
		cat <<-X
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"$1"}]}
		{"role":"user","content":"wait"}
		X
		[ -z "$2" ] || echo '{"role":"user","content":[{"type":"text","text":"'"$2"'"}]}'
	}
	long=0123456789012345678901234567890123456789
	for text in here ' '; do
		after=$text
		[ "$text" != ' ' ] || after=
		cat >given <<-X
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
		{"role":"user","content":"wait"}
		{"role":"user","content":[{"type":"text","text":"$text"},{"type":"tool_result","tool_use_id":"t1","content":"\u0007$long"}]}
		X
		cp given in
		moved "0123\n... (truncated, 41 chars total)" "$after" >want
		edit 's/0123.n/\\u0007012\\n/' want
		becomes_both ctx-clean --max-result 4
		cp given in
		moved $long "$after" >want
		becomes_both ctx-clean --ansi
		cp given in
		moved '[tool result cleared: 41 chars]' "$after" >want
		becomes_both ctx-clean --clear-results=0 --step 0
		cp given in
		becomes_both ctx-clean --clear-results=0 --step 0 --when-tokens 10
	done
}

@test "clean: results after a text in the same message get their own message (Anthropic)" {
	given <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":"one moment"}
	{"role":"user","content":[{"type":"text","text":"here"},{"type":"tool_result","tool_use_id":"t1","content":"1.10"}]}
	X
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1.10"}]}
	{"role":"user","content":"one moment"}
	{"role":"user","content":[{"type":"text","text":"here"}]}
	X
	becomes_both ctx-clean
}

@test "clean: a reused id gets a suffix in the call and in its result (Anthropic)" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"t_2","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t_2","content":"2"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}},{"type":"tool_use","id":"t","name":"cat","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"3"},{"tool_use_id":"t","type":"tool_result","content":"4"}]}
	X
	{
		# an id of an earlier turn may come again
		sed -n 1,5p in
		cat <<-'X'
		{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}},{"type":"tool_use","id":"t_2","name":"cat","input":{}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"3"},{"tool_use_id":"t_2","type":"tool_result","content":"4"}]}
		X
	} | wanted
	becomes_both ctx-clean
	cp want in
	stays_both ctx-clean
}

@test "clean: 30,000 calls with the same id take almost no time" {
	{
		yes '{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"ls","input":{}}]}' | head -n 30000
		yes '{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"1"}]}' | head -n 30000
	} >in
	exits 0 timeout "$DEADLINE" ctx-clean in
	[ "$(grep -c '"x_30000"' out)" = 2 ]
	[ "$(sort -u out | wc -l)" = 60000 ]
}

@test "clean: 300,000 calls with the same id or name, which no result answers, take seconds" {
	# calls and results by awk: ids and names of a call, and of a result
	gemini() {
		awk -v n=300000 'function parts(what, id, name, i) {
			for (i = 1; i <= n; i++)
				printf("%s{\"%s\":{\"id\":\"%s\",\"name\":\"%s\"}}",
				    (i > 1 ? "," : ""), what, (id ? id i : "a"),
				    (name ? name i : "f"))
		}
		BEGIN {
			printf "{\"role\":\"model\",\"parts\":["
			parts("functionCall", "'"$1"'", "'"$2"'")
			printf "]}\n{\"role\":\"user\",\"parts\":["
			parts("functionResponse", "'"$3"'", "'"$4"'")
			print "]}"
		}'
	}
	gemini a "" b "" >in
	exits 0 timeout "$DEADLINE" ctx-clean in
	same out /dev/null
	gemini "" f "" g >in
	exits 0 timeout "$DEADLINE" ctx-clean in
	same out /dev/null
}

@test "clean: empty texts and messages are removed (Anthropic)" {
	given <<-'X'
	{"role":"user","content":[{"type":"text","text":""},{"type":"image","source":{}},{"type":"text","text":" \n\t"}]}
	{"role":"user","content":[{"type":"text","text":""}]}
	{"role":"user","content":""}
	{"role":"user","content":[]}
	{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":""}]}
	{"role":"user","content":"hi"}
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":""},{"type":"text","text":"a"}]}]}
	X
	wanted <<-'X'
	{"role":"user","content":[{"type":"image","source":{}},{"type":"text","text":" \n\t"}]}
	{"role":"user","content":"hi"}
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"a"}]}]}
	X
	becomes_both ctx-clean -d anthropic
	# white space beside other content is sent, but nobody needs it
	edit '1s/,{"type":"text","text":" .n.t"}//' want
	becomes_both ctx-clean -d anthropic --empty
}

@test "clean: the last assistant message may be empty (Anthropic conversation)" {
	echo '{"system":"s","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":""}]}' | given
	stays ctx-clean
}

@test "clean: no option keeps an empty last message line, nor one in spite of --empty" {
	printf '%s\n' '{"role":"user","content":"hi"}' \
	    '{"role":"assistant","content":""}' >in
	printf '%s\n' '{"role":"user","content":"hi"}' >want
	becomes ctx-clean -d anthropic
	becomes ctx-clean -d anthropic --thinking last
	becomes ctx-clean -d anthropic --prune-calls=3
	becomes ctx-clean -d openai --empty --images drop
	echo '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":""}]}' >in
	echo '{"messages":[{"role":"user","content":"hi"}]}' >want
	becomes ctx-clean -d anthropic --empty
	becomes ctx-clean -d openai --empty --thinking last
}

@test "clean: a member that goes goes under each of its names" {
	local call='[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]'
	given <<-X
	{"role":"user","content":"hi"}
	{"tool_calls":$call,"role":"assistant","tool\u005fcalls": $call ,"content":"a"}
	{"role":"user","content":"so"}
	X
	wanted <<-X
	{"role":"user","content":"hi"}
	{"role":"assistant","content":"a"}
	{"role":"user","content":"so"}
	X
	becomes_both ctx-clean -d openai
}

@test "clean: a server tool is answered within its message (Anthropic)" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"server_tool_use","id":"s1","name":"web_search","input":{}},{"type":"server_tool_use","id":"s2","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s2","content":[]}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"s1","content":"no"},{"type":"text","text":"b"}]}
	{"role":"assistant","content":"c"}
	X
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"server_tool_use","id":"s2","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s2","content":[]}]}
	{"role":"user","content":[{"type":"text","text":"b"}]}
	{"role":"assistant","content":"c"}
	X
	becomes_both ctx-clean
}

@test "clean: a server tool's result may come after those of the tools beside it" {
	# as Anthropic's API answers, so as lines, too, the turn waits for it
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"mcp_tool_use","id":"m1","name":"ask","server_name":"d","input":{}},{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a"}]}
	{"role":"assistant","content":[{"type":"mcp_tool_result","tool_use_id":"m1","is_error":false,"content":[{"type":"text","text":"b"}]},{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"c"}]}
	{"role":"assistant","content":"d"}
	{"role":"user","content":"e"}
	X
	cp in valid
	stays_both ctx-clean
	# not at the end, a call of the server's that has none is refused
	sed 's/{"type":"mcp_tool_result".*"b"}\]},//' valid | given
	sed 's/{"type":"mcp_tool_use"[^}]*}},//' in | wanted
	becomes_both ctx-clean
	# nor where the user speaks after it
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}]}
	{"role":"user","content":"no"}
	X
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"text","text":"a"}]}
	{"role":"user","content":"no"}
	X
	becomes_both ctx-clean
}

@test "clean: results of each of Anthropic's server tools are known by their type's end" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"novel","input":{}},{"type":"novel_tool_result","tool_use_id":"s1","content":{}},{"type":"text","text":"a"}]}
	{"role":"user","content":"b"}
	{"role":"assistant","content":[{"type":"novel_tool_result","tool_use_id":"s2","content":{}},{"type":"text","text":"c"}]}
	{"role":"user","content":"d"}
	X
	sed 's/{"type":"novel_tool_result","tool_use_id":"s2","content":{}},//' in |
	    wanted
	becomes_both ctx-clean
}

@test "clean: a call with the signature for those beside it gets a result" {
	given <<-'X'
	{"role":"user","parts":[{"text":"a"}]}
	{"role":"model","parts":[{"functionCall":{"id":"1","name":"add","args":{}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"2","name":"sub","args":{}}}]}
	{"role":"user","parts":[{"functionResponse":{"id":"2","name":"sub","response":{"output":"ok"}}}]}
	{"role":"model","parts":[{"text":"b"}]}
	X
	wanted <<-'X'
	{"role":"user","parts":[{"text":"a"}]}
	{"role":"model","parts":[{"functionCall":{"id":"1","name":"add","args":{}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"2","name":"sub","args":{}}}]}
	{"role":"user","parts":[{"functionResponse":{"id":"2","name":"sub","response":{"output":"ok"}}}]}
	{"role":"user","parts":[{"functionResponse":{"id":"1","name":"add","response":{"error":"[no result: the tool call was not completed]"}}}]}
	{"role":"model","parts":[{"text":"b"}]}
	X
	becomes ctx-clean -d gemini
	# it goes with the last of them
	given <<-'X'
	{"role":"user","parts":[{"text":"a"}]}
	{"role":"model","parts":[{"functionCall":{"id":"1","name":"add","args":{}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"2","name":"sub","args":{}}}]}
	{"role":"user","parts":[{"text":"b"}]}
	X
	wanted <<-'X'
	{"role":"user","parts":[{"text":"a"}]}
	{"role":"user","parts":[{"text":"b"}]}
	X
	becomes ctx-clean -d gemini
}

@test "clean: a request keeps its other members; its system prompt is not a message" {
	given <<-'X'
	{"model":"m", "system": "Be terse.", "messages" : [ {"role":"user","content":"hi"} , {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":""}]} ], "max_tokens":1.0e3}
	{"system":[{"type":"text","text":""}],"messages":[{"role":"user","content":"hi"}]}
	{"messages":[]}
	{"messages":[{"role":"tool","tool_call_id":"a","content":""}]}
	X
	wanted <<-'X'
	{"model":"m", "system": "Be terse.", "messages" : [ {"role":"user","content":"hi"} ], "max_tokens":1.0e3}
	{"system":[{"type":"text","text":""}],"messages":[{"role":"user","content":"hi"}]}
	{"messages":[]}
	{"messages":[]}
	X
	becomes ctx-clean
}

# --- pending calls -------------------------------------------------------------

@test "clean: --keep-pending keeps unanswered calls at the end and no others" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":"again"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"c","content":"C"}
	X
	wanted <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":"a"}
	{"role":"user","content":"again"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"c","content":"C"}
	X
	becomes_both ctx-clean --keep-pending
	# calls that a user message follows are not pending
	echo '{"role":"user","content":"never mind"}' | tee -a in >>want
	edit 's/{"id":"b",[^]]*}},//' want
	becomes_both ctx-clean --keep-pending
}

@test "clean: --keep-pending: moving a result does not cut a call off from its own" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"assistant","content":"two at once"}
	{"role":"tool","tool_call_id":"a","content":"A"}
	X
	stays_both ctx-clean --keep-pending
	# when b is answered, too, both are moved
	echo '{"role":"tool","tool_call_id":"b","content":"B"}' >>in
	cp in lines
	{ sed -n '1p;3,4p' lines; sed -n 2p lines; } >want
	becomes_both ctx-clean --keep-pending
}

@test "clean: --keep-pending (Anthropic)" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	X
	stays_both ctx-clean --keep-pending
	head -n 1 in >want
	becomes_both ctx-clean
}

# --- lengths -------------------------------------------------------------------

@test "clean: --max-result shortens to N characters and states the original number" {
	given <<-'X'
	{"role":"assistant","content":"a long, long text of the assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"a\":\"long, long arguments\"}"}}]}
	{"role":"tool","tool_call_id":"a","content":"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"}
	{"role":"user","content":"a long, long text of the user"}
	X
	sed 's/abcdef.*XYZ/\\n... (truncated, 62 chars total)/' in >want
	becomes_both ctx-clean --max-result 10
	stays_both ctx-clean --max-result 62
	# 30 and 32 are as many
	stays_both ctx-clean --max-result 30
	sed 's/tuvwxyzA.*XYZ/\\n... (truncated, 62 chars total)/' in >want
	becomes_both ctx-clean --max-result 29
	stays_both ctx-clean
}

@test "clean: shortening counts characters, not the bytes of their escapes" {
	local call='{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}'

	{
		echo "$call"
		echo '{"role":"tool","tool_call_id":"a","content":"数据'"$(printf '分析完成%.0s' {1..10})"'"}'
	} | given
	sed 's/分析.*完成/\\n... (truncated, 42 chars total)/' in >want
	becomes_both ctx-clean --max-result 2
	{
		echo "$call"
		echo '{"role":"tool","tool_call_id":"a","content":"\u6570\n\ud83d\ude00😀\"'"$(printf '\\\\ é%.0s' {1..20})"'"}'
	} | given
	{
		echo "$call"
		echo '{"role":"tool","tool_call_id":"a","content":"\u6570\n\ud83d\ude00😀\"\n... (truncated, 65 chars total)"}'
	} | wanted
	becomes_both ctx-clean --max-result 5
}

@test "clean: shortening again changes nothing, except to fewer characters" {
	local c

	given <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}]}
	X
	c=$(seq 2000 | tr '\n' ' ')
	echo '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"'"$c"'"},{"type":"text","text":"ok"}]}]}' >>in
	head -n 1 in >want
	echo '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"'"${c:0:1000}"'\n... (truncated, 8893 chars total)"},{"type":"text","text":"ok"}]}]}' >>want
	[ "${#c}" -eq 8893 ]
	becomes_both ctx-clean --max-result 1000
	cp want in
	stays_both ctx-clean --max-result 1000
	stays_both ctx-clean --max-result 1500
	head -n 1 in >want
	echo '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"'"${c:0:7}"'\n... (truncated, 8893 chars total)"},{"type":"text","text":"ok"}]}]}' >>want
	becomes_both ctx-clean --max-result 7
}

@test "clean: a text that only looks shortened is shortened" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"a","content":"0123456789\n... (truncated, 5 chars total)"}
	X
	sed 's/6789.*total)/\\n... (truncated, 41 chars total)/' in >want
	becomes_both ctx-clean --max-result 6
}

@test "clean: --max-message shortens users and assistants, not system or tools" {
	given <<-'X'
	{"role":"system","content":"012345678900000000000000000000000000000000000000000000000007"}
	{"role":"user","content":"012345678900000000000000000000000000000000000000000000000007"}
	{"role":"assistant","content":"012345678900000000000000000000000000000000000000000000000007","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"a\":\"0123456789\"}"}}]}
	{"role":"tool","tool_call_id":"a","content":"012345678900000000000000000000000000000000000000000000000007"}
	{"role":"user","content":[{"type":"text","text":"012345678900000000000000000000000000000000000000000000000007"},{"type":"image_url","image_url":{"url":"012345678900000000000000000000000000000000000000000000000007"}}]}
	X
	sed -E '2,3s/("content":"01234)[0-9]*/\1\\n... (truncated, 60 chars total)/; 5s/("text":"01234)[0-9]*/\1\\n... (truncated, 60 chars total)/' in >want
	becomes_both ctx-clean --max-message 5
	cp want in
	stays_both ctx-clean --max-message 5
}

@test "clean: thinking is never shortened, because its signature would not match" {
	given <<-'X'
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"0123456789","signature":"Eq"},{"type":"text","text":"done"}]}
	X
	stays_both ctx-clean --max-message 5 --max-result 5
}

# --- --check ---------------------------------------------------------------------

@test "clean: --check reports every fault with file, line, column and rule, exit 1" {
	cat >bad.jsonl <<-'X'
	{"role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":"wait"}
	{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"t1","content":"1"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"},{"type":"tool_result","tool_use_id":"t1","content":"2"}]}
	 {"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"ls","input":{}}]}
	{"role":"user","content":[]}
	X
	exits 1 ctx-clean --check bad.jsonl
	says 'ctx-clean: 6 of 7 findings can be mended: ctx-clean -i bad.jsonl'
	wrote \
	    'bad.jsonl:1:1: warning[first-not-user]: first message is not from the user' \
	    'bad.jsonl:1:32: error[empty-text]: text block is empty' \
	    'bad.jsonl:3:1: error[misplaced-result]: tool result does not directly follow its call' \
	    'bad.jsonl:3:54: error[result-not-first]: tool result comes after other content' \
	    'bad.jsonl:5:83: error[orphan-result]: tool result does not answer an open call' \
	    'bad.jsonl:6:33: error[unanswered-call]: tool call has no result' \
	    'bad.jsonl:7:1: error[empty-message]: message has no content'
	exits 1 ctx-clean --check <bad.jsonl
	[ "$(head -n 1 out)" = '(standard input):1:1: warning[first-not-user]: first message is not from the user' ]
}

@test "clean: --check of OpenAI histories" {
	cat >bad.jsonl <<-'X'
	{"role":"assistant","content":"a","tool_calls":[]}
	{"role":"assistant","content":null}
	{"role":"assistant","content":null,"tool_calls":[{"id":"01234567890123456789012345678901234567890","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":"wait"}
	{"role":"tool","tool_call_id":"01234567890123456789012345678901234567890","content":"1"}
	X
	exits 1 ctx-clean --check bad.jsonl
	wrote \
	    'bad.jsonl:1:48: error[empty-tool-calls]: list of tool calls is empty' \
	    'bad.jsonl:2:1: error[empty-message]: message has no content' \
	    'bad.jsonl:3:50: error[long-id]: tool call id is too long' \
	    'bad.jsonl:5:1: error[misplaced-result]: tool result does not directly follow its call'
}

@test "clean: --check continues after bad JSON, exit 3" {
	printf '%s\n' '{"role":"user" "content"}' '{"role":"tool","tool_call_id":"a","content":""}' '{"role":"us' >bad.jsonl
	exits 3 ctx-clean --check bad.jsonl
	says 'ctx-clean: 3 of 3 findings can be mended: ctx-clean -i --on-error skip bad.jsonl'
	wrote 'bad.jsonl:1:16: error[not-json]: not JSON: unexpected '"'\"'" \
	    'bad.jsonl:2:1: error[orphan-result]: tool result does not answer an open call' \
	    'bad.jsonl:3:12: error[not-json]: not JSON: unexpected end'
}

@test "clean: --check has no command for a file that would be emptied" {
	# an export, as ChatGPT's and Claude.ai's archives have it, is all one line
	printf '%s\n' '[{"title":"T","current_node":"n","mapping":{"n":{"id":"n","parent":null,"children":[],"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["hi"]}}}}}]' >conversations.json
	exits 3 ctx-clean --check conversations.json
	quiet
	wrote "conversations.json:1: error[not-json]: ChatGPT's data export can only be converted, with ctx-convert"
	printf '%s\n' '{"role":"user","content":"a"} {"role":"assistant","content":"b"}' \
	    '{"role":"user","content":"c"}' '{"role":"us' >glued
	printf '%s\n' 'a b' '{"n":1}' >none
	printf '%s\n' '{"role":"user","content":"c"}' '{"role":"us' >cut
	printf '%s\n' '{"role":"tool","tool_call_id":"a","content":""}' >orphan
	exits 3 ctx-clean --check glued none conversations.json
	lacks 'can be mended' err
	exits 3 ctx-clean --check none cut glued orphan
	has -xF 'ctx-clean: 2 of 7 findings can be mended: ctx-clean -i --on-error skip cut orphan' err
}

@test "clean: --check ends with the command that mends what it found" {
	printf '%s\n' '{"role":"user","content":"q"}' \
	    '{"role":"tool","tool_call_id":"a","content":""}' >"it's -x.jsonl"
	cp "it's -x.jsonl" ./-b.jsonl
	printf '%s\n' '{"role":"user","content":"room B12345678"}' >key.jsonl
	printf '%s\n' '{"role":"user","content":"q"}' >good.jsonl
	exits 1 ctx-clean --check --redact -d openai --pattern 'id=B[0-9]{8}' \
	    "it's -x.jsonl" good.jsonl key.jsonl ./-b.jsonl
	command="ctx-clean -i --dialect=openai --redact --pattern='id=B[0-9]{8}' 'it'\\''s -x.jsonl' key.jsonl ./-b.jsonl"
	printf '%s\n' "ctx-clean: 3 of 3 findings can be mended: $command" >want
	same err want
	exits 0 sh -c "$command"
	exits 0 ctx-clean --check --redact --pattern "id=B[0-9]{8}" ./*.jsonl
	quiet
	# a name with what must not reach a terminal is not shown
	esc=$(printf 'a\033.jsonl')
	printf '%s\n' '{"role":"tool","tool_call_id":"a","content":""}' >"$esc"
	exits 1 ctx-clean --check "$esc"
	says 'ctx-clean: 1 of 1 finding can be mended: ctx-clean -i FILE'
	# standard input, and what ctx-clean leaves as it is
	exits 1 ctx-clean --check <"$esc"
	says 'ctx-clean: 1 of 1 finding can be mended: ctx-clean'
	exits 1 ctx-clean -q --check "$esc"
	quiet
	printf '%s\n' '{"role":"assistant","content":"a","tool_calls":[{"id":"01234567890123456789012345678901234567890","type":"function","function":{"name":"f","arguments":"{}"}}]}' \
	    '{"role":"tool","tool_call_id":"01234567890123456789012345678901234567890","content":"r"}' >long.jsonl
	exits 1 ctx-clean --check long.jsonl
	quiet
}

@test "clean: --check --json prints one JSON object for each fault" {
	printf '%s\n' '{"role":"user" "content"}' '{"role":"tool","tool_call_id":"a","content":""}' >'a"b.jsonl'
	exits 3 ctx-clean --check --json 'a"b.jsonl'
	wrote '{"file":"a\"b.jsonl","line":1,"col":16,"level":"error","rule":"not-json","text":"not JSON: unexpected '"'\\\"'"'"}' \
	    '{"file":"a\"b.jsonl","line":2,"col":1,"level":"error","rule":"orphan-result","text":"tool result does not answer an open call"}'
}

@test "clean: --check prints nothing about a clean file, exit 0" {
	# one of them has several conversations, and a note says so
	for f in "${LOGS[@]}"; do
		exits 0 ctx-clean -q --check "$f"
		quiet; silent
	done
}

@test "clean: which options can be combined and which cannot" {
	exits 2 ctx-clean --json
	says '*--json needs --check'
	exits 2 ctx-clean --check -i in
	exits 2 ctx-clean -i
	exits 2 ctx-clean --unanswered maybe
	says "*--unanswered: 'maybe' is not one of trim, drop, repair"
	exits 2 ctx-clean --max-result 0
	exits 2 ctx-clean --max-result ten
	exits 2 ctx-clean -d klingon
}

@test "clean: -v reports what was done" {
	unanswered_openai
	exits 0 ctx-clean -v in
	said 'ctx-clean: 5 records, 2 unanswered-call'
}

# --- in place -----------------------------------------------------------------

@test "clean: -i replaces the file, keeps its mode, and leaves no other files" {
	unanswered_openai
	chmod 640 in
	exits 0 ctx-clean in
	mv out want
	mkdir d
	cp -p in d/f
	exits 0 ctx-clean -i d/f
	quiet; silent
	same d/f want
	[ "$(mode_of d/f)" = 640 ]
	[ "$(ls d)" = f ]
}

@test "clean: -i keeps the old file under SUFFIX, in both forms of the option" {
	unanswered_openai
	cp in a
	cp in b
	exits 0 ctx-clean -i.old a
	exits 0 ctx-clean --in-place=.old b
	same a.old in
	same b.old in
	same a b
	differs a in
}

@test "clean: -i does not touch a file that needs no change" {
	echo '{"role":"user","content":"hi"}' >f
	touch -d '2001-02-03T04:05:06' f
	before="$(inode_of f) $(mtime_of f)"
	exits 0 ctx-clean -i.old f
	[ "$(inode_of f) $(mtime_of f)" = "$before" ]
	[ ! -e f.old ]
}

@test "clean: -i leaves a file with a bad line unchanged and edits the others" {
	unanswered_openai
	{ cat in; echo '{oops'; } >bad
	cp bad keep
	cp in good
	exits 3 ctx-clean -i bad good
	[ "$(wc -l <err)" -eq 1 ]
	same bad keep
	exits 0 ctx-clean in
	same good out
	[ "$(ls | grep -c tmp)" -eq 0 ]
}

@test "clean: -i refuses anything but a regular file" {
	mkdir d
	mkfifo p
	exits 4 ctx-clean -i d
	says '*d: is a directory; name the files in it, as in DIR/\*.jsonl'
	exits 4 timeout "$DEADLINE" ctx-clean -i /dev/null
	says '*/dev/null: is not a regular file'
}

# --- conversations in one stream ---------------------------------------------

@test "clean: --by separates interleaved conversations and keeps the order" {
	given <<-'X'
	{"s":"x","role":"user","content":"1"}
	{"s":"x","role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"s":"y","role":"user","content":"2"}
	{"s":"y","role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"s":"y","role":"tool","tool_call_id":"a","content":"Y"}
	{"role":"user","content":"of no conversation"}
	{"s":"x","role":"tool","tool_call_id":"a","content":"X"}
	{"s":"y","role":"assistant","content":"done"}
	{"s":7,"role":"tool","tool_call_id":"a","content":"orphan"}
	X
	sed '$d' in >want
	becomes ctx-clean --by s
	becomes ctx-clean -b s
	# without --by they are one conversation, in which the calls of x have
	# no results
	exits 0 ctx-clean in
	differs out want
}

@test "clean: --by: a generated result gets the member that identifies its conversation" {
	given <<-'X'
	{"s":"x","role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"s":"y","role":"user","content":"2"}
	{"s":"x","role":"user","content":"3"}
	X
	exits 0 ctx-clean --by s --unanswered repair in
	wrote '{"s":"x","role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}' \
	    '{"s":"y","role":"user","content":"2"}' \
	    '{"s":"x","role":"tool","tool_call_id":"a","content":"[no result: the tool call was not completed]"}' \
	    '{"s":"x","role":"user","content":"3"}'
}

@test "clean: --by compares the text of a string, however it is spelled; null is none" {
	# as three programs may write the same names, into one log
	given <<-'X'
	{"s":"caf\u00e9/1","role":"user","content":"1"}
	{"role":"user","content":"2"}
	{"s":"café/1","role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"s":null,"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"s":"caf\u00E9\/1","role":"tool","tool_call_id":"a","content":"A"}
	{"role":"tool","tool_call_id":"a","content":"B"}
	{"s":"caf\u00e9\u002f1","role":"assistant","content":"ok"}
	X
	stays ctx-clean --by s
	stays ctx-clean --by s -j 2
	wanted <<-'X'
	       4 "café/1"
	       3 in
	X
	ctx-count --by s --per-conversation in | awk '{ printf "%8d %s\n", $2, $4 }' >got
	same got want
	# what is not a string is compared as it is written
	printf '%s\n' '{"s":"1","role":"user","content":"1"}' \
	    '{"s":1,"role":"user","content":"2"}' \
	    '{"s":1.0,"role":"user","content":"3"}' >in
	[ "$(ctx-count --by s --per-conversation in | wc -l)" -eq 3 ]
}

@test "clean: each file is a separate conversation; cat makes one of them" {
	echo '{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}' >a
	echo '{"role":"tool","tool_call_id":"a","content":"A"}' >b
	exits 0 ctx-clean a b
	wrote '{"role":"assistant","content":"a"}'
	cat a b | given
	stays ctx-clean
	stays ctx-clean -
}

@test "clean: a stream may mix message lines, conversation lines and others" {
	given <<-'X'
	{"type":"session","n":1.10}
	{"role":"user","content":"a"}
	[1,2]
	{"messages":[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"a","content":""}]}
	"text"
	{"role":"tool","tool_call_id":"a","content":""}
	null
	{"role":"assistant","content":"b"}
	X
	sed -e 6d -e 's/,{"role":"tool".*}\]/]/' in >want
	becomes ctx-clean
}

@test "clean: a change of dialect closes the open calls" {
	given <<-'X'
	{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"text","text":"b"}]}
	X
	wanted <<-'X'
	{"role":"assistant","content":"a"}
	{"role":"user","content":[{"type":"text","text":"b"}]}
	X
	becomes ctx-clean
}

# --- lines and bytes ----------------------------------------------------------

@test "clean: --on-error stop, skip and keep" {
	printf '%s\n' '{"role":"user","content":"1"}' '{oops' '{"role":"user","content":"2"}' >in
	exits 3 ctx-clean in
	said "ctx-clean: in:2:2: not JSON: unexpected 'o'"
	wrote '{"role":"user","content":"1"}'
	exits 3 ctx-clean --on-error stop in
	wrote '{"role":"user","content":"1"}'
	exits 3 ctx-clean --on-error skip in
	said "ctx-clean: in:2:2: not JSON: unexpected 'o'"
	wrote '{"role":"user","content":"1"}' '{"role":"user","content":"2"}'
	exits 3 ctx-clean --on-error keep in
	said "ctx-clean: in:2:2: not JSON: unexpected 'o'"
	same out in
}

@test "clean: at a bad line, held messages are finished as at the end of the input" {
	printf '%s\n' '{"role":"user","content":"go"}' \
	    '{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}' \
	    '{oops' '{"role":"tool","tool_call_id":"a","content":"A"}' >bad
	exits 3 ctx-clean bad
	wrote '{"role":"user","content":"go"}' '{"role":"assistant","content":"a"}'
	exits 3 ctx-clean --on-error keep bad
	same out bad
}

@test "clean: a last line that is cut off is reported as such" {
	printf '%s\n%s' '{"role":"user","content":"1"}' '{"role":"user","con' >in
	exits 3 ctx-clean in
	said 'ctx-clean: in:2:20: not JSON: unexpected end (the last line is cut off)'
	printf '%s\n%s' '{"role":"user","content":"1"}' '{"role":"user","content":"2"}' >in
	stays ctx-clean
	# a line that is wrong before its end, and one that ends in a character
	printf '{"role":"user","content":"a\tb"}' >in
	exits 3 ctx-clean in
	said 'ctx-clean: in:1:28: not JSON: control character in string'
	printf '{"role":"user","content":"\xc3"}' >in
	exits 3 ctx-clean in
	said 'ctx-clean: in:1:27: not UTF-8'
	printf '{"role":"user","content":"\xe2\x82' >in
	exits 3 ctx-clean in
	said 'ctx-clean: in:1:29: not JSON: unexpected end (the last line is cut off)'
}

@test "clean: a byte order mark, blank lines, CRLF and white space are kept" {
	printf '\xef\xbb\xbf{"role":"user","content":"1"}\r\n\r\n \t\n\n  {"role":"user","content":"2"}  \r\n\n' >in
	stays ctx-clean
	exits 0 ctx-clean --check in
	printf '\xef\xbb\xbf' >in
	stays ctx-clean
	printf '\n\n' >in
	stays ctx-clean
	# added lines have the line ending of the stream
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}\r\n{"role":"user","content":"x"}\r\n' >in
	sed 's/$/\n/;' in | sed '2{s/.*/{"role":"tool","tool_call_id":"a","content":"[no result: the tool call was not completed]"}\r/};4d' >want
	becomes ctx-clean --unanswered repair
}

@test "clean: the byte order mark of a later file is left out" {
	printf '\xef\xbb\xbf{"role":"user","content":"1"}' >first
	printf '\xef\xbb\xbf{"role":"user","content":"2"}\n' >second
	printf '\xef\xbb\xbf{"role":"user","content":"1"}\n{"role":"user","content":"2"}\n' >want
	for j in 1 2; do
		exits 0 ctx-clean -j $j first second
		same out want
	done
}

@test "clean: NUL bytes, invalid UTF-8 and deep nesting are reported, not written" {
	printf '{"role":"user","content":"a\0b"}\n' >in
	exits 3 ctx-clean in
	said 'ctx-clean: in:1:28: not JSON: control character in string'
	silent
	printf '{"role":"user","content":"a\xffb"}\n' >in
	exits 3 ctx-clean in
	said 'ctx-clean: in:1:28: not UTF-8'
	printf '{"role":"user","content":"\xed\xa0\x80"}\n' >in
	exits 3 ctx-clean in
	said 'ctx-clean: in:1:27: not UTF-8'
	{
		printf '%0100000d' 0 | tr 0 '['
		printf '%0100000d\n' 0 | tr 0 ']'
	} >in
	exits 3 ctx-clean in
	said 'ctx-clean: in:1:1025: not JSON: nested deeper than 1024'
	silent
}

@test "clean: control characters in names do not reach the terminal" {
	exits 4 ctx-clean $'no\e[31msuch'
	said 'ctx-clean: no\x1b[31msuch: cannot open: No such file or directory'
}

@test "clean: a line of 300 MB is accepted" {
	big() {
		printf '{"role":"user","content":"'
		head -c 300000000 /dev/zero | tr '\0' x
		printf '"}\n'
	}
	big | ctx-clean >out
	big | cmp - out
	rm -f out
}

@test "clean: numbers in a list of messages stay, and the line is still JSON" {
	given <<-'X'
	{"messages":[1,{"role":"tool","tool_call_id":"a","content":""},2]}
	{"messages":[{"role":"user","content":"a"},2,{"role":"tool","tool_call_id":"a","content":""},null]}
	X
	wanted <<-'X'
	{"messages":[1,2]}
	{"messages":[{"role":"user","content":"a"},2,null]}
	X
	becomes ctx-clean
}

@test "clean: list elements that are not messages, even null, follow the one before" {
	given <<-'X'
	[null,{"note":0},{"role":"user","content":"q"},{"note":1}, 3,{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"between"},{"note":2},{"role":"tool","tool_call_id":"a","content":"r"},true,{"note":3}]
	X
	wanted <<-'X'
	[null,{"note":0},{"role":"user","content":"q"},{"note":1}, 3,{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"},true,{"note":3},{"role":"user","content":"between"},{"note":2}]
	X
	becomes ctx-clean
	cp want in
	stays ctx-clean
	# An orphan is removed and a result is moved; the list has no white
	# space between its elements.
	given <<-'X'
	{"messages":[{"role":"user","content":"q"},false,{"role":"user","content":"q"},{"role":"tool","tool_call_id":"z","content":"r"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"go on"},{"role":"tool","tool_call_id":"a","content":"r"}]}
	X
	wanted <<-'X'
	{"messages":[{"role":"user","content":"q"},false,{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"user","content":"go on"}]}
	X
	becomes ctx-clean
}

@test "clean: dropping a call keeps an earlier call that a text follows" {
	given <<-'X'
	{"type":"message","role":"user","content":"go"}
	{"type":"function_call","call_id":"a","name":"ls","arguments":"{}"}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"and once more"}]}
	{"type":"function_call","call_id":"b","name":"ls","arguments":"{}"}
	{"type":"function_call_output","call_id":"a","output":"x"}
	{"type":"message","role":"user","content":"and"}
	X
	sed 4d in | wanted
	becomes ctx-clean --unanswered drop
}

@test "clean: an empty list of tool calls is a fault of any message" {
	for role in user assistant system; do
		printf '{"role":"%s","content":"hi","tool_calls":[]}\n' $role >in
		exits 1 ctx-clean --check in
		has -F 'in:1:' "$T/out"
		has -F 'error[empty-tool-calls]' "$T/out"
		exits 0 ctx-clean in
		printf '{"role":"%s","content":"hi"}\n' $role >want
		same "$T/out" want
	done
	# null says that there is none
	printf '{"role":"user","content":"hi","tool_calls":null}\n' >in
	exits 0 ctx-clean --check in
	exits 0 ctx-clean in
	same "$T/out" in
}

@test "clean: the strings in a result's list are shortened, whatever its shape" {
	given <<-'X'
	{"role":"user","content":"u"}
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"query":"ls","result":"0123456789abcdefghij00000000000000000000000000000000000000000000000007","n":1.10,"k" : ["0123456789abcdefghij00000000000000000000000000000000000000000000000007"]}]}]}
	{"role":"assistant","content":"done"}
	X
	sed 's/0123456789abcdefghij0*7/0123456789\\n... (truncated, 70 chars total)/g' in >want
	becomes ctx-clean --max-result 10
	cp in want
	becomes ctx-clean
}

@test "clean: secrets in arguments that are an object" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":{"key":"AKIAIOSFODNN7EXAMPLQ"}}}]}
	{"role":"tool","tool_call_id":"a","content":"r"}
	X
	exits 0 ctx-clean --redact in
	lacks AKIA out
	has '"arguments":{"key":"\[REDACTED:' out
	# a key that is a secret is not in the report's paths either
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":{"T-1":{"é/\"\u0007":"T-2"}}}}]}
	{"role":"tool","tool_call_id":"a","content":"r"}
	X
	exits 0 ctx-clean --redact=none --pattern 't=T-[0-9]' --report rep in
	lacks T- rep
	[ "$(jq -r .path rep | sed 's/:[0-9a-f]*]/:X]/')" = \
	    "/tool_calls/0/function/arguments
/tool_calls/0/function/arguments/[REDACTED:t:X]/é~1\"$(printf '\007')" ]
}

@test "clean: a file of the AI SDK is not taken for OpenAI's, so its results stay" {
	given <<-'X'
	{"messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"file","data":"iVBORw0KGgo=","mediaType":"image/png"}]},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"sh","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"sh","output":{"type":"text","value":"ok"}}]}]}
	X
	stays ctx-clean
	exits 0 ctx-clean --check in
}

@test "clean: a Gemini message is one, whatever else is among its parts" {
	given <<-'X'
	{"role":"user","parts":[{"text":"a"}]}
	{"role":"model","parts":[{"functionCall":{"name":"sh","args":{}}}]}
	{"role":"user","parts":[{"type":"novel","x":1},{"functionResponse":{"name":"sh","response":{"output":"ok"}}}]}
	X
	stays ctx-clean -d gemini
	exits 0 ctx-clean --check -d gemini in
}

@test "clean: --unanswered repair takes out a call that no result could name" {
	given <<-'X'
	{"role":"user","parts":[{"text":"a"}]}
	{"role":"model","parts":[{"text":"b"},{"functionCall":{"args":{"x":1}}}]}
	X
	wanted <<-'X'
	{"role":"user","parts":[{"text":"a"}]}
	{"role":"model","parts":[{"text":"b"}]}
	X
	becomes ctx-clean -d gemini --unanswered repair
}

@test "clean: --unanswered repair puts a result after all adjacent calls" {
	given <<-'X'
	{"kind":"response","parts":[{"part_kind":"tool-call","tool_name":"a","args":"{}","tool_call_id":"1"},{"part_kind":"tool-call","tool_name":"b","args":"{}","tool_call_id":"2"}]}
	{"kind":"response","parts":[{"part_kind":"text","content":"and"}]}
	{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"a","content":"ok","tool_call_id":"1"}]}
	X
	exits 0 ctx-clean -d pydantic-ai --unanswered repair in
	jq -r '.parts[] | .part_kind + " " + (.tool_call_id // "")' out >got
	wanted <<-'X'
	tool-call 1
	tool-call 2
	text 
	tool-return 2
	tool-return 1
	X
	same got want
	cp out made
	exits 0 ctx-clean --check -d pydantic-ai made
}

@test "clean: an empty message that is no longer the last, because of a repair, goes" {
	given <<-'X'
	{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"sh","input":{}}]},{"role":"assistant","content":null}]}
	X
	exits 0 ctx-clean -d anthropic --unanswered repair in
	jq -r '.messages[] | .role + " " + (.content | if type == "array"
	    then .[0].type else . end)' out >got
	wanted <<-'X'
	user a
	assistant tool_use
	user tool_result
	X
	same got want
	cp out again
	exits 0 ctx-clean -d anthropic --unanswered repair again
	same out again
}

@test "clean: half a surrogate pair becomes U+FFFD in texts, ids and keys" {
	given <<-'X'
	{"role":"user","content":[{"type":"text","text":"a\ud83d\ud83d\ude00\\ud83d"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"c\uD800","name":"f","input":{"k\udfff":"\ud800"}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"c\uD800","content":"r\ude00"}],"note":"\ud800"}
	{"note":"\ud800"}
	X
	exits 1 ctx-clean --check -d anthropic in
	[ "$(grep -c 'error\[lone-surrogate\]: half a surrogate pair is no character$' out)" = 7 ]
	has '^in:1:49: error' out
	cat >want <<-'X'
	{"role":"user","content":[{"type":"text","text":"a\ufffd\ud83d\ude00\\ud83d"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"c\ufffd","name":"f","input":{"k\ufffd":"\ufffd"}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"c\ufffd","content":"r\ufffd"}],"note":"\ufffd"}
	{"note":"\ud800"}
	X
	becomes ctx-clean -d anthropic
	exits 0 ctx-clean -d anthropic --report rep in
	has '"path":"/content/0/text","what":"reformed","reason":"lone-surrogate","values":1,"bytes":26,"bytes_after":26' rep
	# what is cut is mended too, and once is enough
	exits 0 ctx-clean -d anthropic --max-result 1 in
	cp out once
	lacks 'ud800"' <(sed '$d' once)
	exits 0 ctx-clean --max-result 1 once
	same out once
}

# session CALLS STATES: one of Continue's, in which the assistant called tools.
session() {
	printf '{"history":[{"message":{"role":"assistant","content":"hm","toolCalls":[%s]},"contextItems":[],"toolCallStates":[%s]}]}\n' "$1" "$2"
}
state() { printf '{"toolCallId":"%s","output":[{"content":"%s"}]}' "$1" "$2"; }

@test "clean: in Continue's sessions, a state belongs to one call, and to none without an id" {
	# two calls with one id and one state
	session '{"id":"a"},{"id":"a"}' "$(state a secret7)" | given
	session '{"id":"a"}' "$(state a '[REDACTED:s:N]')" | wanted
	exits 0 ctx-clean --redact --pattern 's=secret[0-9]' in
	same <(sed 's/:s:[0-9a-f]*]/:s:N]/' out) want
	session '{"id":"a"}' "$(state a secret7)" | wanted
	becomes ctx-clean
	# as many states, in another order
	session '{"id":"a"},{"id":"b"},{"id":"a"}' "$(state b x),$(state a y),$(state a z)" | given
	stays ctx-clean
	# a call with an empty id, and a state without one
	session '{"id":""}' '{"output":[{"content":"x"}]}' | given
	printf '{"history":[{"message":{"role":"assistant","content":"hm"},"contextItems":[],"toolCallStates":[{"output":[{"content":"x"}]}]}]}\n' | wanted
	becomes ctx-clean
	mv want in
	stays ctx-clean
}

@test "clean: in Continue's sessions, a result in a message is a state's only if no other call has it" {
	turn() {
		printf '{"message":{"role":"assistant","content":"","toolCalls":[%s]},"contextItems":[],"toolCallStates":[%s]}' "$1" "$2"
	}
	says() { printf '{"message":{"role":"tool","toolCallId":"a","content":"%s"},"contextItems":[]}' "$1"; }
	local a='{"id":"a"}'
	# one state for two calls: the second call gets a note, in one run
	printf '{"history":[%s]}\n' "$(turn "$a,$a" "$(state a x)")" | given
	printf '{"history":[%s,%s]}\n' "$(turn "$a,$a" "$(state a x)")" \
	    "$(says '[no result: the tool call was not completed]')" | wanted
	becomes ctx-clean --unanswered repair
	mv want in
	stays ctx-clean --unanswered repair
	stays ctx-clean
	# the editor has both: they are not counted twice
	printf '{"history":[%s,%s,%s]}\n' "$(turn "$a,$a" "$(state a x),$(state a y)")" \
	    "$(says x)" "$(says y)" | given
	stays ctx-clean
	[ "$(ctx-count -q -e chars --json in | jq .messages)" -eq 3 ]
	# the id is used again: each turn has its own
	printf '{"history":[%s,%s,%s]}\n' "$(turn "$a" "$(state a x)")" \
	    "$(turn "$a" "$(state a y)")" "$(says y)" | given
	stays ctx-clean
}

# lists A B: two results of 600 characters that differ where --max-result 300 cuts.
lists() {
	local i id=0

	for i in "$@"; do
		id=$((id + 1))
		printf '{"role":"assistant","tool_calls":[{"id":"%d","type":"function","function":{"name":"ls","arguments":"{}"}}]}\n' $id
		printf '{"role":"tool","tool_call_id":"%d","content":"%0590d%-10s"}\n' $id 0 "$i"
	done
}

@test "clean: --dedupe takes what --max-result left of two texts for one only if their hash is there" {
	lists one two >in
	exits 0 ctx-clean --dedupe=200 --max-result 300 in
	has -q 'truncated, 600 chars total)' out
	lacks 'same text' out
	mv out in
	stays_both ctx-clean --dedupe=200 --max-result 300
	# the same text is one in each run
	lists one one >in
	exits 0 ctx-clean --dedupe=200 --max-result 300 in
	[ "$(grep -c 'same text as sent before' out)" = 1 ]
	mv out in
	stays_both ctx-clean --dedupe=200 --max-result 300
	lists one one two >in
	exits 0 ctx-clean --max-result 300 --stash kept in
	mv out cut
	exits 0 ctx-clean --dedupe=200 --stash kept cut
	[ "$(grep -c 'same text as sent before' out)" = 1 ]
}
