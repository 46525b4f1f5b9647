# ctx-clean: the policies that shorten a history.  The expected bytes are
# written by hand.

setup() { load helpers; common_setup; }

call() { # ID NAME ARGUMENTS-AS-JSON-STRING
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}\n' "$@"
}
result() { # ID TEXT-AS-JSON
	printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$@"
}

@test "lean: terminal escapes, redrawn and repeated lines are removed from results" {
	{ call a sh '{}'; result a '\u001b[31mred\u001b[0m\nno such file\nno such file\nno such file\nno such file\n\n\n\n10%\r99%\n'; } | given
	{ call a sh '{}'; result a 'red\nno such file\n... (previous line 3 more times)\n\n99%\n'; } | wanted
	becomes ctx-clean --ansi --squeeze
	becomes ctx-clean --squeeze --ansi
	{ call a sh '{}'; result a 'red\nno such file\nno such file\nno such file\nno such file\n\n\n\n10%\r99%\n'; } | wanted
	becomes ctx-clean --ansi
}

@test "lean: a text that no policy changes keeps its spelling" {
	{ call a sh '{}'; result a '\u00e9\/ 1\u0041 \ud83d\ude00 \ud800'; } | given
	stays ctx-clean --ansi --squeeze --base64 --dedupe --redact --max-result 100
}

@test "lean: head and tail, cut at line ends if they are near" {
	long=$(printf '%050d' 7)
	{ call a sh '{}'; result a "0123456789${long}hij"; } | given
	{ call a sh '{}'; result a '0123456\n... (truncated, 63 chars total)\nhij'; } | wanted
	becomes ctx-clean --max-result 10 --tail 3
	{ call a sh '{}'; result a '01234567890123456789012345678901234567890\nabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'; } | given
	# of 44 characters of head, the line end 3 characters before is used
	{ call a sh '{}'; result a '01234567890123456789012345678901234567890\n... (truncated, 94 chars total)\nUVWXYZ'; } | wanted
	becomes ctx-clean --max-result 50 --tail 6
}

@test "lean: lengths in tokens have their own marker" {
	{ call a sh '{}'; result a 'one two three four five six seven eight nine ten one two three'; } | given
	{ call a sh '{}'; result a 'one two three\n... (truncated, 13 tokens total)'; } | wanted
	becomes ctx-clean --max-result 3t
}

@test "lean: a cut text can be kept, is named by its hash, and is restored byte for byte" {
	long=$(printf '%0200d' 7)
	{ call a sh '{}'; result a "caf\\u00e9 $long"; result b x; } | given
	exits 0 ctx-clean --max-result 4 --stash kept in
	cp out cut
	hash=$(printf 'caf\303\251 %s' "$long" | sha256sum | cut -d' ' -f1)
	{ call a sh '{}'; result a "caf\\\\u00e9\\\\n... (truncated, 205 chars total, sha256:$hash)"; } >expect
	sed 's/\\\\/\\/g' expect >want
	same cut want
	printf 'caf\303\251 %s' "$long" | cmp - "kept/$hash"
	head -n 2 in >want
	exits 0 ctx-clean --restore kept cut
	same out want
	# if it is cut again, shorter, the marker still names the first text
	exits 0 ctx-clean --max-result 2 --stash kept cut
	grep -qF "ca\\n... (truncated, 205 chars total, sha256:$hash)" out
}

@test "lean: a marker whose text was not kept is left unchanged" {
	mkdir kept
	{ call a sh '{}'; result a "x\\\\n... (truncated, 26 chars total, sha256:$(printf '%064d' 0))"; } | sed 's/\\\\/\\/g' | given
	stays ctx-clean --restore kept
}

@test "lean: long encoded blobs in a text are replaced by a note" {
	blob=$(printf '%01000d' 0 | sed 's/0000/aB3x/g')
	{ call a sh '{}'; result a "key $blob end"; } | given
	{ call a sh '{}'; result a 'key [base64: 1000 characters left out] end'; } | wanted
	becomes ctx-clean --base64
}

@test "lean: only results lose base64 data" {
	blob=$(printf '%01000d' 0 | sed 's/0000/aB3x/g')
	{
		printf '{"role":"user","content":"%s"}\n' "$blob"
		printf '{"role":"assistant","content":"%s"}\n' "$blob"
		printf '{"role":"user","content":[{"type":"text","text":"%s"}]}\n' "$blob"
	} | given
	stays ctx-clean --base64
}

@test "lean: JSON in results loses the white space between its tokens, in any dialect" {
	{ call a sh '{ \"p\" : 1 }'; result a '{\n  \"a b\": [ 1.0, \"x , \\\" y\" ],\n  \"\u00e9\\/\": -1E5\n}\n'; } | given
	{ call a sh '{ \"p\" : 1 }'; result a '{\"a b\":[1.0,\"x , \\\" y\"],\"\u00e9\\/\":-1E5}'; } | wanted
	becomes_both ctx-clean --minify
	given <<-'X'
	{"role":"user","content":"{ \"a\": 1 }"}
	{"role":"assistant","content":[{"type":"text","text":"[ 1, 2 ]"},{"type":"tool_use","id":"a","name":"f","input":{ "x" : "{ }" }},{"type":"tool_use","id":"b","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"{ \"a\": 1 }"},{"type":"text","text":"see [ 1, 2 ]"}]},{"type":"tool_result","tool_use_id":"b","content":"[ 1 ]"},{"type":"text","text":"{ \"a\": 1 }"}]}
	X
	wanted <<-'X'
	{"role":"user","content":"{ \"a\": 1 }"}
	{"role":"assistant","content":[{"type":"text","text":"[ 1, 2 ]"},{"type":"tool_use","id":"a","name":"f","input":{ "x" : "{ }" }},{"type":"tool_use","id":"b","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"{\"a\":1}"},{"type":"text","text":"see [ 1, 2 ]"}]},{"type":"tool_result","tool_use_id":"b","content":"[1]"},{"type":"text","text":"{ \"a\": 1 }"}]}
	X
	becomes_both ctx-clean --minify
	given <<-'X'
	{"type":"function_call","call_id":"a","name":"f","arguments":"{ \"a\": 1 }"}
	{"type":"function_call_output","call_id":"a","output":"{ \"a\": 1 }"}
	X
	wanted <<-'X'
	{"type":"function_call","call_id":"a","name":"f","arguments":"{ \"a\": 1 }"}
	{"type":"function_call_output","call_id":"a","output":"{\"a\":1}"}
	X
	becomes ctx-clean --minify
	given <<-'X'
	{"role":"model","parts":[{"functionCall":{"name":"f","args":{ "a": "{ }" }}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{ "output": "{ \"a\": 1 }" }}}]}
	{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{ "rows": [ 1 ] }}}]}
	X
	wanted <<-'X'
	{"role":"model","parts":[{"functionCall":{"name":"f","args":{ "a": "{ }" }}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{ "output": "{\"a\":1}" }}}]}
	{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{ "rows": [ 1 ] }}}]}
	X
	becomes ctx-clean --minify
}

@test "lean: JSON Lines keep their lines; what is not JSON as a whole stays" {
	{ call a sh '{}'; result a '{ \"a\": 1 }\r\n\n[ 2 ]\n'; } | given
	{ call a sh '{}'; result a '{\"a\":1}\n[2]\n'; } | wanted
	becomes_both ctx-clean --minify
	for text in '{ \"a\": 1 } ok' 'ok { \"a\": 1 }' '{ \"a\": 1, }' '{ \"a\": 1 }\n2' '7 ' '\"a\" ' '{\"a\":\" \"}' '[ 1'; do
		about "$text"
		{ call a sh '{}'; result a "$text"; } | given
		stays ctx-clean --minify
	done
}

@test "lean: JSON is minified before lines are folded, and where that, or base64, leaves JSON" {
	{ call a sh '{}'; result a '[\n  0,\n  0,\n  0,\n  0,\n  0\n]'; } | given
	{ call a sh '{}'; result a '[0,0,0,0,0]'; } | wanted
	becomes_both ctx-clean --minify --squeeze
	{ call a sh '{}'; result a '10%\r{ \"a\": 1000000 }\n{ \"a\":1000000 }\n{\"a\" :1000000 }\n\n{ \"a\" : 1000000}\n'; } | given
	{ call a sh '{}'; result a '{\"a\":1000000}\n... (previous line 3 more times)\n'; } | wanted
	becomes_both ctx-clean --minify --squeeze
	half=$(printf '%0400d' 0 | sed 's/0000/aB3x/g')
	{ call a sh '{}'; result a '[ \"'"$half\\n$half"'\" ]'; } | given
	{ call a sh '{}'; result a '[\"[base64: 800 characters left out]\"]'; } | wanted
	becomes_both ctx-clean --minify --base64
}

@test "lean: minified results are cut, cleared, compared and restored as others are" {
	long=$(printf '1%0299d' 7)
	{ call a sh '{}'; result a "[ $long ]"; } | given
	{ call a sh '{}'; result a "[$long]"; } | wanted
	becomes_both ctx-clean --minify --max-result 302
	exits 0 ctx-clean --minify --max-result 101 --stash kept in
	has ', 302 chars total, sha256:' out
	cp out cut
	exits 0 ctx-clean --restore kept cut
	same out in
	exits 0 ctx-clean --restore kept --minify cut
	same out want
	{ call a sh '{}'; result a '[tool result cleared: 302 chars]'; } | wanted
	becomes_both ctx-clean --minify --clear-results=0 --step 0
	long=$long$long
	hash=$(printf '[%s]' "$long" | sha256sum | cut -c 1-16)
	{ call a sh '{}'; result a "[ $long]"; call b sh '{}'; result b "[$long ]"; } | given
	{ call a sh '{}'; result a "[$long]"; call b sh '{}'; result b "[same text as sent before: sha256:$hash, 602 chars]"; } | wanted
	becomes_both ctx-clean --minify --dedupe=200
	{ call a sh '{}'; result a '[ 1 ]'; } | given
	exits 0 ctx-clean --minify --report rep in
	jq -c '[.line, .path, .what, .reason, .bytes, .bytes_after]' rep >got
	echo '[2,"/content","reformed","minify",5,3]' | wanted
	same got want
}

@test "lean: lists of records in results become tables" {
	records='[ {\"id\": 1, \"name\": \"x, y\"},\n {\"id\": 2.0, \"name\": null}, {\"id\": 3, \"name\": \"\u00e9\"} ]'
	{ echo '{"role":"user","content":"'"$records"'"}'; call a sh '{}'; result a "$records"; call b sh '{}'; result b '{ \"all\": '"$records"', \"n\": 3 }'; call c sh '{}'; result c '[ {\"id\": 1}, {\"id\": 2} ]'; } | given
	rows='[3 rows: id,name]\n1,\"x, y\"\n2.0,null\n3,\u00e9'
	{ echo '{"role":"user","content":"'"$records"'"}'; call a sh '{}'; result a "$rows"; call b sh '{}'; result b '{\"all\":'"$rows"'\n,\"n\":3}'; call c sh '{}'; result c '[ {\"id\": 1}, {\"id\": 2} ]'; } | wanted
	becomes_both ctx-clean --tables
	exits 0 ctx-clean --tables --report rep in
	[ "$(jq -r '"\(.line) \(.reason)"' rep)" = "$(printf '3 tables\n5 tables')" ]
	edit 's/\[ {..id..: 1}, {..id..: 2} \]/[{\\"id\\":1},{\\"id\\":2}]/' want
	becomes_both ctx-clean --tables --minify
	becomes_both ctx-clean --tables --minify --squeeze --ansi --base64
}

@test "lean: what a table was can be told from it" {
	exits 0 python3 "$ROOT/tests/tables.py" "${SEED:-1}" 2000
	[ "$(cat out)" -gt 500 ]
}

@test "lean: lines of one pattern in results become rows" {
	lines='[  1/200] cc -std=c11 -O2 -Wall -c src/a.c\n[ 12/200] cc -std=c11 -O2 -Wall -c src/b.c\n[113/200] cc -std=c11 -O2 -Wall -c lib/c.c\n[200/200] cc -std=c11 -O2 -Wall -c d.c'
	rows='[4 lines: [{}] cc -std=c11 -O2 -Wall -c {}]\n1/200 src/a.c\n12/200 src/b.c\n113/200 lib/c.c\n200/200 d.c'
	{ echo '{"role":"user","content":"'"$lines"'"}'; call a sh '{}'; result a "$lines"; call b sh '{}'; result b "so\n$lines\n"; } | given
	{ echo '{"role":"user","content":"'"$lines"'"}'; call a sh '{}'; result a "$rows"; call b sh '{}'; result b "so\n$rows\n"; } | wanted
	becomes_both ctx-clean --fold
	becomes_both ctx-clean --fold --minify --tables --squeeze --ansi --base64 --dedupe
	exits 0 ctx-clean --fold --report rep in
	[ "$(jq -r '"\(.line) \(.reason)"' rep)" = "$(printf '3 fold\n5 fold')" ]
	edit 's/4 lines: /4 行：/' want
	becomes_both ctx-clean --fold --lang zh
	cp want in
	stays ctx-clean --fold
}

@test "lean: what tools that read or write files return is not folded" {
	lines='defp type(nil), do: :system\ndefp type(user), do: :user\ndefp type(tool), do: :tool\ndefp type(some), do: :some\ndefp type(other), do: :any\ndefp type(_), do: nil\n'
	rows='[6 lines: defp type({}), do: {}]\nnil :system\nuser :user\ntool :tool\nsome :some\nother :any\n_ nil\n'
	{ call a mcp__fs__read_file '{}'; result a "$lines"; call b edit '{}'; result b "$lines"; } | given
	stays ctx-clean --fold
	{ call a sh '{}'; result a "$lines"; } | given
	{ call a sh '{}'; result a "$rows"; } | wanted
	becomes_both ctx-clean --fold
}

@test "lean: lines are folded before a result is cut, cleared or compared, not after" {
	lines=$(printf 'PASSED tests/test_api.py::%s\\n' one two three four five)
	rows='[5 lines: PASSED tests/test_api.py::{}]\none\ntwo\nthree\nfour\nfive\n'
	{ call a sh '{}'; result a "$lines"; } | given
	{ call a sh '{}'; result a "$rows"; } | wanted
	becomes_both ctx-clean --fold --max-result 64
	exits 0 ctx-clean --fold --max-result 20 in
	has ' 64 chars total)' out
	exits 0 ctx-clean --fold --stash kept in
	same out want
	exits 0 ctx-clean --restore kept want
	same out in
	{ call a sh '{}'; result a "$lines... (truncated, 9000 chars total)"; } | given
	stays ctx-clean --fold
	{ call a sh '{}'; result a '10%\rPASSED tests/test_api.py::one\n\u001b[1mPASSED tests/test_api.py::two\nPASSED tests/test_api.py::three\nPASSED tests/test_api.py::four\nPASSED tests/test_api.py::five\n'; } | given
	{ call a sh '{}'; result a "$rows"; } | wanted
	becomes_both ctx-clean --fold --squeeze --ansi
	{ call a sh '{}'; result a '[tool result cleared: 64 chars]'; } | wanted
	becomes_both ctx-clean --fold --squeeze --ansi --clear-results=0 --step 0
}

@test "lean: what lines were can be told from their rows" {
	exits 0 python3 "$ROOT/tests/alike.py" random "${SEED:-1}" 2000
	[ "$(cat out)" -gt 1000 ]
	exits 0 python3 "$ROOT/tests/alike.py" "$ROOT"/tests/data/logs/*.openai.jsonl
	[ "$(cat out)" -gt 0 ]
}

@test "lean: a result that was sent before is replaced by a reference to it" {
	body=$(printf '%0300d' 7)
	{ call a cat '{}'; result a "$body"; call b cat '{}'; result b "$body"; call c cat '{}'; result c "$body."; } | given
	hash=$(printf %s "$body" | sha256sum | cut -c 1-16)
	{ call a cat '{}'; result a "$body"; call b cat '{}'; result b "[same text as sent before: sha256:$hash, 300 chars]"; call c cat '{}'; result c "$body."; } | wanted
	becomes ctx-clean --dedupe=300
	stays ctx-clean --dedupe=301
	stays ctx-clean --dedupe
}

@test "lean: texts of another conversation were not sent before in this one" {
	body=$(printf '%0300d' 7)
	{
		{ call a cat '{}'; result a "$body"; } | sed 's/^{/{"t":1,/'
		{ call a cat '{}'; result a "$body"; } | sed 's/^{/{"t":2,/'
	} | given
	stays ctx-clean --dedupe=300 -b t
	exits 0 ctx-clean --dedupe=300 in
	differs in out
}

old_results() {
	call a ls '{\"p\":1}'; result a 'a long result that is of no more use'
	call b think '{\"q\":2}'; result b 'another long result that is of no use'
	call c ls '{}'; result c 'the newest result of all of them'
}

@test "lean: old results are replaced by notes, the newest stay" {
	old_results | given
	{
		call a ls '{\"p\":1}'; result a '[tool result cleared: 36 chars]'
		call b think '{\"q\":2}'; result b '[tool result cleared: 37 chars]'
		call c ls '{}'; result c 'the newest result of all of them'
	} | wanted
	becomes ctx-clean --clear-results=1 --step 0
	stays ctx-clean --clear-results
	{
		call a ls '{}'; result a '[tool result cleared: 36 chars]'
		call b think '{\"q\":2}'; result b 'another long result that is of no use'
		call c ls '{}'; result c 'the newest result of all of them'
	} | wanted
	becomes ctx-clean --clear-results=1 --step 0 --exclude think --clear-inputs
}

@test "lean: clearing begins above the upper limit and stops at the lower one" {
	old_results | given
	stays ctx-clean --clear-results=0 --step 0 --when-tokens 1000
	{
		call a ls '{\"p\":1}'; result a '[tool result cleared: 36 chars]'
		call b think '{\"q\":2}'; result b 'another long result that is of no use'
		call c ls '{}'; result c 'the newest result of all of them'
	} | wanted
	exits 0 ctx-clean --clear-results=0 --step 0 --when-tokens 20 --down-to 34 in
	same out want
}

@test "lean: the lower limit alone, and results that are removed do not count" {
	old_results | given
	# as with an upper limit below what there is
	exits 0 ctx-clean --clear-results=0 --step 0 --down-to 34 in
	cp out want
	exits 0 ctx-clean --clear-results=0 --step 0 --when-tokens 20 --down-to 34 in
	same out want
	differs out in
	# an orphan at the end is not one of the newest
	{ old_results; result x 'an orphan that is as long as the others are'; } >in
	{
		call a ls '{\"p\":1}'; result a '[tool result cleared: 36 chars]'
		call b think '{\"q\":2}'; result b '[tool result cleared: 37 chars]'
		call c ls '{}'; result c 'the newest result of all of them'
	} | wanted
	becomes ctx-clean --clear-results=1 --step 0
}

@test "lean: reasoning is removed, or all but that of the last turn" {
	given <<-'X'
	{"role":"user","content":"a"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"t1","signature":"s"},{"type":"text","text":"1"}]}
	{"role":"user","content":"b"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"t2","signature":"s"},{"type":"tool_use","id":"x","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"r"}]}
	X
	wanted <<-'X'
	{"role":"user","content":"a"}
	{"role":"assistant","content":[{"type":"text","text":"1"}]}
	{"role":"user","content":"b"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"t2","signature":"s"},{"type":"tool_use","id":"x","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"r"}]}
	X
	becomes ctx-clean --thinking last --step 0
	edit 's/{"type":"thinking","thinking":"t2","signature":"s"},//' want
	becomes ctx-clean --thinking drop
}

@test "lean: reasoning that is an item goes, with the ids that need it (Responses)" {
	given <<-'X'
	{"role":"user","content":"q"}
	{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"one"},{"type":"summary_text","text":"two"}],"encrypted_content":"gAAA"}
	{"id":"fc_1", "type":"function_call","call_id":"c1","name":"f","arguments":"{}"}
	{"type":"function_call_output","id":"fco_1","call_id":"c1","output":"o"}
	{"type":"function_call","call_id":"c2","name":"f","arguments":"{}" , "id":"fc_2"}
	{"type":"function_call_output","call_id":"c2","output":"o"}
	{"type":"reasoning","id":"rs_2","summary":[]}
	{"type":"web_search_call","id":"ws_1","status":"completed"}
	{"type":"reasoning","id":"rs_3","summary":[]}
	{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a"}]}
	{"role":"user","content":"r"}
	{"type":"message","id":"msg_2","role":"assistant","content":[{"type":"output_text","text":"b"}]}
	{"role":"user","content":"s"}
	{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}
	{"type":"function_call","call_id":"c3","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"c3","output":"o"}
	X
	# a search of the server's must have an id, so what led to it stays
	sed -e '2d; 9d; s/"id":"fc_1",//; s/, "id":"fc_2"//; s/"id":"msg_1",//' in >last
	grep -v '^{"type":"reasoning".*gAAA' last >drop
	cp drop want
	becomes_both ctx-clean --thinking drop
	cp last want
	becomes_both ctx-clean --thinking last --step 0
	# in a session of Codex, too
	codex() { sed 's/.*/{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":&}/'; }
	codex <drop >want
	codex <in >log
	cp log in
	becomes ctx-clean --thinking drop
	exits 0 ctx-clean --thinking drop --report report in
	[ "$(jq -r 'select(.path | endswith("/id")) | "\(.line) \(.reason)"' report |
	    paste -sd ,)" = '3 thinking,5 thinking,10 thinking' ]
}

# This is put together here, so that no scanner takes this file for a leak.
@test "lean: a Codex log's copies of results are shortened, cleared and restored as these are" {
	given <<-'X'
	{"timestamp":"1","type":"response_item","payload":{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}}
	{"timestamp":"1","type":"response_item","payload":{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}}
	{"timestamp":"2","type":"event_msg","payload":{"type":"exec_command_end","call_id":"a","stdout":"one two three four five six seven","stderr":"","aggregated_output":"one two three four five six seven","formatted_output":"one two three four five six seven","command":["one two three four five six seven"]}}
	{"timestamp":"2","type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"one two three four five six seven"}}
	{"timestamp":"3","type":"event_msg","payload":{"type":"mcp_tool_call_end","call_id":"b","result":{"Ok":{"content":[{"type":"image","data":"iVBO"},{"type":"text","text":"eins zwei drei vier funf sechs sieben"}]}}}}
	{"timestamp":"3","type":"response_item","payload":{"type":"function_call_output","call_id":"b","output":"eins zwei drei vier funf sechs sieben"}}
	{"timestamp":"4","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"a","aggregated_output":"one two three four five six seven"}}}
	{"timestamp":"4","type":"event_msg","payload":{"type":"item_completed","item":{"type":"McpToolCall","id":"b","result":{"content":[{"type":"text","text":"eins zwei drei vier funf sechs sieben"}]}}}}
	{"timestamp":"5","type":"event_msg","payload":{"type":"agent_message","message":"one two three four five six seven"}}
	{"timestamp":"5","type":"event_msg"}
	{"timestamp":"5","type":"event_msg","payload":"exec_command_end"}
	{"timestamp":"5","type":"event_msg","payload":{"type":"exec_command_end","item":7,"result":{"Ok":[]},"stdout":null}}
	{"timestamp":"5","type":"other","payload":{"call_id":"a","stdout":"one two three four five six seven"}}
	X
	cp in whole
	# the newest result stays, with its copies
	sed '3,4s/"one two[^"]*"\([],}]\)/"[tool result cleared: 33 chars]"\1/g
	    3s/"command":."[^"]*"/"command":["one two three four five six seven"/
	    7s/"one two[^"]*"/"[tool result cleared: 33 chars]"/' in >want
	[ "$(grep -o 'cleared: 33' want | wc -l)" -eq 5 ]
	becomes ctx-clean --clear-results=1 --step 0
	exits 0 ctx-clean --clear-results=1 --step 0 --report report in
	jq -c 'select(.path | test("aggregated")) | [.line, .path, .id, .reason, .bytes]' report >rows
	printf '%s\n' '[3,"/payload/aggregated_output","a","clear-results",33]' \
	    '[7,"/payload/item/aggregated_output","a","clear-results",33]' >want
	same rows want
	# nothing but results and copies is shortened, and all of it comes back
	long=$(printf '%0150d' 7)
	sed "s/one two three/& $long/g; s/eins zwei drei/& $long/" whole >want
	exits 0 ctx-clean --max-result 10 --stash kept want
	[ "$(grep -o 'truncated, ' out | wc -l)" -eq 8 ]
	grep -q '"command":\["one two three '"$long"' four five six seven"\]' out
	cp out in
	becomes ctx-clean --restore kept
}

github() { printf 'ghp_%s' 16C7e42F292c6912E7710c838347Ae178B4a; }
aws() { printf 'AKIA%s' IOSFODNN7EXAMPLF; }

@test "lean: secrets are replaced by placeholders, the same one for the same secret" {
	export CTX_REDACT_KEY=0123456789abcdef
	{
		printf '{"role":"user","content":"use %s, or %s"}\n' "$(aws)" "$(aws)"
		call a sh '{\"password\":\"Tr0ub4dor-3x\"}'
		result a 'nothing here'
		printf '{"note":{"key":"%s"}}\n' "$(aws)"
	} | given
	exits 0 ctx-clean --redact in
	lacks -e "$(aws)" -e Tr0ub4dor out
	[ "$(grep -o 'REDACTED:aws-[a-z-]*:[0-9a-f]*' out | sort -u | wc -l)" -eq 1 ]
	grep -q 'password..:."\[REDACTED:generic-password' out ||
		grep -qF '\"password\":\"[REDACTED:' out
	cp out in
	stays ctx-clean --redact
}

@test "lean: a secret that is found only when another policy is through is replaced, too" {
	{ call a sh '{}'; result a '{ \"password\" :\n\n   \"Tr0ub4dor-3x\" }'; } | given
	exits 0 ctx-clean --redact --minify in
	has 'content":"{..password..:..\[REDACTED:generic-password:[0-9a-f]*\]..}"' out
	cp out in
	stays ctx-clean --redact --minify
}

@test "lean: --check --redact reports file and line, never the secret" {
	printf '{"role":"user","content":"%s"}\n' "$(aws)" | given
	exits 1 ctx-clean --check --redact in
	lacks "$(aws)" out err
	grep -q '^in:1:26: error\[leaked-secret\]: text contains a secret: aws-' out
	exits 0 ctx-clean --check in
}

@test "lean: the user's own patterns, and rules selected by name" {
	echo '{"role":"user","content":"ticket ABC-1234 of x"}' | given
	exits 0 ctx-clean --redact=none --pattern 'ticket=[A-Z]+-[0-9]+' in
	grep -qE '"ticket \[REDACTED:ticket:[0-9a-f]{8}\] of x"' out
	exits 2 ctx-clean --redact --pattern 'bad=(' in
	exits 2 ctx-clean --redact=nonesuch in
	exits 2 ctx-clean --pattern 'a=b' in
}

@test "lean: secrets anywhere in a record, also in texts that change otherwise" {
	given <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	{"role":"user","meta":{"a":"T-1","b":["T-2","x T-3 y"]},"content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"one\u001b[0m T-4"},{"type":"text","text":"two\u001b[0m"},{"type":"text","text":"three T-5, T-6\u001b[1m end"}]}],"last":"T-7"}
	{"note":"T-8","T-9":1}
	X
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	{"role":"user","meta":{"a":"<>","b":["<>","x <> y"]},"content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"one <>"},{"type":"text","text":"two"},{"type":"text","text":"three <>, <> end"}]}],"last":"<>"}
	{"note":"<>","<>":1}
	X
	exits 0 ctx-clean --ansi --redact=none --pattern 't=T-[0-9]' --report rep in
	sed 's/\[REDACTED:t:[0-9a-f]*\]/<>/g' out >got
	same got want
	jq -r '"\(.line) \(.path) \(.reason) \(.bytes)"' rep >got
	wanted <<-'X'
	2 /content/0/content/0/text ansi 16
	2 /content/0/content/1/text ansi 12
	2 /content/0/content/2/text ansi 27
	2 /meta/a redact 3
	2 /meta/b/0 redact 3
	2 /meta/b/1 redact 7
	2 /last redact 3
	3 /note redact 3
	3  redact 3
	X
	same got want
	given <<-'X'
	{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"T-1 T-2"}],"note":"T-3"}
	{"note":"T-4"}
	X
	exits 1 ctx-clean --check --redact=none --pattern 't=T-[0-9]' in
	grep -F secret out | cut -d ' ' -f 1 >got
	printf '%s\n' in:1:93: in:1:74: in:1:74: in:2:9: >want
	same got want
}

@test "lean: of two patterns that match the same text, the first names it" {
	echo '{"role":"user","content":"see AB12 here"}' | given
	exits 0 ctx-clean --redact=none --pattern 'one=AB[0-9]+' --pattern 'two=AB[0-9]+' in
	has '"see \[REDACTED:one:[0-9a-f]*\] here"' out
	exits 0 ctx-clean --redact=none --pattern 'two=AB[0-9]+' --pattern 'one=AB[0-9]+' in
	has '"see \[REDACTED:two:[0-9a-f]*\] here"' out
}

@test "lean: what begins like a secret for 100 kB and is none does not hide the next one" {
	printf '{"role":"user","content":"BEGIN%0100000d, BEGIN12END"}\n' 0 | given
	exits 0 ctx-clean --redact=none --pattern 'key=BEGIN[0-9]*END' in
	has '0, \[REDACTED:key:[0-9a-f]*\]"}$' out
}

@test "lean: signed thinking with a secret is removed entirely" {
	given <<-X
	{"role":"user","content":"a"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"$(aws)","signature":"s"},{"type":"text","text":"1"}]}
	X
	wanted <<-'X'
	{"role":"user","content":"a"}
	{"role":"assistant","content":[{"type":"text","text":"1"}]}
	X
	becomes ctx-clean --redact
}

@test "lean: the report has one line for each change" {
	{ call a sh '{}'; result a "$(printf '%060d' 7)"; result z orphan; } | given
	exits 0 ctx-clean --max-result 4 --report rep in
	cat >want <<-'X'
	{"file":"in","line":2,"path":"/content","what":"reformed","reason":"max-result","id":"a","values":1,"bytes":60,"bytes_after":37,"tokens":20,"tokens_after":13}
	{"file":"in","line":3,"path":"","what":"left_out","reason":"orphan-result","id":"z","values":3,"bytes":6,"bytes_after":0,"tokens":2,"tokens_after":0}
	X
	same rep want
}

@test "lean: every policy changes nothing when run again, on all logs" {
	for f in "${LOGS[@]}"; do
		for o in '--ansi --squeeze --base64' --minify '--tables --squeeze --fold' --redact --dedupe=300 \
		    --clear-results '--thinking drop' '--thinking last' \
		    '--max-result 300 --tail 100' '--max-result 80t --tail 20' \
		    '--clear-results=2 --dedupe --ansi --minify --squeeze --fold --base64 --max-result 500'; do
			in_turn 7 9 || continue
			# shellcheck disable=SC2086
			ctx-clean $o "$f" >once
			# shellcheck disable=SC2086
			ctx-clean $o once | cmp - once || { echo "$o $f"; return 1; }
			ctx-clean --check once >faults || { echo "$o $f"; cat faults; return 1; }
		done
	done
}

@test "lean: every policy changes nothing when run again, on damaged histories" {
	for d in anthropic openai openai-responses gemini; do
		# results come late, and after a text
		python3 "$ROOT/tests/histories.py" $d 1 20 links | jq -c '
		    if .messages then .messages |= [.[] |
		    if .content | type == "array" and any(.[]; .type ==
		    "tool_result") then {role: "user", content: "wait"},
		    .content[:0] = [{type: "text", text: "first"}]
		    else . end] else . end' >in
		for o in --empty '--ansi --squeeze --base64' '--max-result 4' \
		    '--clear-results=0 --clear-inputs' '--dedupe=200 --redact --minify' \
		    '--unanswered repair --max-result 50' \
		    '--unanswered drop --images drop --images-all'; do
			about "$d $o"
			# shellcheck disable=SC2086
			exits 0 ctx-clean -d $d $o in
			cp out again
			# shellcheck disable=SC2086
			exits 0 ctx-clean -d $d $o again
			same out again
		done
	done
}

@test "lean: options that conflict are refused" {
	: >in
	for o in --tail\ 5 '--max-result 5 --tail 5' --clear-inputs --stash\ x \
	    '--restore . --max-result 5' '--exclude a' --dedupe=5 '--as path' \
	    '--ansi --stash x --as name' "--ansi --as path --stash a'\"'b" \
	    '--clear-results --note-text cleared=gone-{chars}-{path}'; do
		# shellcheck disable=SC2086
		exits 2 ctx-clean $o in
		silent
	done
}

# The first bytes of a PNG, as in two APIs; the last message is not answered
# yet.
images_openai() {
	cat <<-'X'
	{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAE=","detail":"low"}}]}
	{"role":"assistant","content":"seen"}
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAE="}}]}
	X
}
images_anthropic() {
	cat <<-'X'
	{"role":"user","content":[{"type":"image","source":{"data":"iVBORw0KGgoAAAANSUhEUgAAAAE=","type":"base64","media_type":"image/png"}},{"type":"text","text":"see"}]}
	{"role":"assistant","content":"seen"}
	{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhAQABAAAAADs="}}]}
	X
}

@test "lean: images that were answered are removed or replaced by notes" {
	images_openai | given
	images_openai | sed '1s/,{"type":"image_url".*/]}/' | wanted
	becomes ctx-clean --images drop
	images_openai | sed '1s/{"type":"image_url".*/{"type":"text","text":"[image\/png, 20 bytes, left out]"}]}/' | wanted
	becomes ctx-clean --images note
	images_openai | sed '1s/,{"type":"image_url".*/]}/; 3d' | wanted
	becomes ctx-clean --images drop --images-all
	images_openai | given
	stays ctx-clean --images keep
}

@test "lean: images are moved to files named by their hash, and back" {
	hash=$(printf iVBORw0KGgoAAAANSUhEUgAAAAE= | from_base64 | sha256sum | cut -d' ' -f1)
	mkdir 'a dir'
	for which in openai anthropic; do
		images_$which | given
		exits 0 ctx-clean --images 'out=a dir' --images-all in
		quiet
		lacks base64 out
		grep -qF "\"url\":\"file://$PWD/a%20dir/$hash.png" out
		cp out moved
		exits 0 ctx-clean --images 'in=a dir' moved
		same out in
		# moving again changes nothing, and neither does a folder
		# without the file
		exits 0 ctx-clean --images 'out=a dir' --images-all moved
		same out moved
		mkdir -p empty
		exits 0 ctx-clean --images in=empty moved
		same out moved
	done
	# names that are not made by us are no links
	for name in "$hash.pngpngpngpngpngpng" "$hash" "$hash." "${hash%?}g.png" \
	    "${hash}xpng" \
	    "${hash%?}.png" "${hash}0.png" "$hash.png#0123" "$hash.exe"; do
		jq -c --arg url "file:///x/$name" '(.content[]? |
		    select(.type == "image") | .source) = {type: "url", url: $url}' \
		    in >moved
		exits 0 ctx-clean --images 'in=a dir' moved
		quiet
		same out moved
	done
	printf iVBORw0KGgoAAAANSUhEUgAAAAE= | from_base64 | cmp - "a dir/$hash.png"
	chmod u+w "a dir/$hash.png"
	# one that a crash has cut short is written again
	: >"a dir/$hash.png"
	images_openai | given
	exits 0 ctx-clean --images 'out=a dir' --images-all in
	cp out moved
	exits 0 ctx-clean --images 'in=a dir' moved
	same out in
	echo x >>"a dir/$hash.png"
	exits 4 ctx-clean --images 'in=a dir' moved
	says '*is damaged'
}

@test "lean: --empty removes empty messages in any dialect" {
	given <<-'X'
	{"role":"user","content":"hi"}
	{"role":"assistant","content":""}
	{"role":"user","content":[{"type":"text","text":" "},{"type":"text","text":"x"}]}
	X
	stays ctx-clean
	wanted <<-'X'
	{"role":"user","content":"hi"}
	{"role":"user","content":[{"type":"text","text":"x"}]}
	X
	becomes ctx-clean --empty
}

@test "lean: --merge-runs joins adjacent messages of the same role" {
	given <<-'X'
	{"role":"user","content":"a \u00e9"}
	{"role":"user","content":"b","n":null}
	{"role":"assistant","content":"1"}
	{"role":"user","content":[{"type":"text","text":"c"}]}
	{"role":"user","content":"d"}
	{"role":"user","name":"Ann","content":"e"}
	{"role":"assistant","content":"2","tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"r"}
	{"role":"assistant","content":"3"}
	X
	wanted <<-'X'
	{"role":"user","content":"a \u00e9\n\nb"}
	{"role":"assistant","content":"1"}
	{"role":"user","content":[{"type":"text","text":"c"},{"type":"text","text":"d"}]}
	{"role":"user","name":"Ann","content":"e"}
	{"role":"assistant","content":"2","tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"r"}
	{"role":"assistant","content":"3"}
	X
	becomes_both ctx-clean --merge-runs
	cp want in
	stays_both ctx-clean --merge-runs
	# combined with a policy that shortens what is joined
	given <<-X
	{"role":"user","content":"$(printf '0123%056d' 7)"}
	{"role":"user","content":"x"}
	X
	wanted <<-'X'
	{"role":"user","content":"0123\n... (truncated, 60 chars total)\n\nx"}
	X
	becomes_both ctx-clean --merge-runs --max-message 4
}

# runs CONTENT... [= CONTENT]: assert what the messages of a user become.
runs() {
	: >in
	while [ $# -gt 0 ] && [ "$1" != = ]; do
		echo '{"role":"user","content":'"$1}" >>in
		shift
	done
	shift
	: >want
	for c; do
		echo '{"role":"user","content":'"$c}" >>want
	done
	about "$(cat in)"
	becomes_both ctx-clean --merge-runs
}

@test "lean: --merge-runs joins strings and lists, which may be empty" {
	a='{"type":"text","text":"a"}' b='{"type":"text","text":"b"}'
	none='{"type":"text","text":""}'
	runs '"a"' '"b"' = '"a\n\nb"'
	runs '""' '"b"' '""' = '"\n\nb\n\n"'
	runs '"a"' "[$b]" = "[$a,$b]"
	runs "[$a]" '"b"' = "[$a,$b]"
	runs "[$a]" '""' '"b"' = "[$a,$none,$b]"
	runs '""' "[$a]" = "[$none,$a]"
	runs "[$a , $a]" "[ $b]" = "[$a , $a, $b]"
	runs '[]' "[$a]" '[ ]' "[$b]" '[]' = "[$a,$b]"
	runs '[]' '[ ]' = '[]'
	runs '[]' '"b"' = "[$b]"
	runs '"a"' '[ ]' = "[$a]"
	# what is no text, and what is none
	runs '"a"' '[{"type":"x"},7]' = "[$a,"'{"type":"x"},7]'
	runs '"a"' 'null' '"b"' '"b"' = '"a"' 'null' '"b\n\nb"'
	runs '"a"' '"b","name":"n"' '"c"' '"d"' = '"a"' '"b","name":"n"' '"c\n\nd"'
}

@test "lean: --merge-runs joins what is left when a message loses parts" {
	text() { echo '{"type":"text","text":"'"$1"'"}'; }
	orphan='{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}'
	runs "[$(text a),$orphan]" "[$(text b)]" "[ $orphan, $(text c) ]" = \
	    "[$(text a),$(text b), $(text c) ]"
	# a member of which nothing is left is none of its own
	given <<-'X'
	{"role":"user","content":"q"}
	{"role":"assistant","content":"a"}
	{"role":"assistant","content":"b","tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]}
	X
	wanted <<-'X'
	{"role":"user","content":"q"}
	{"role":"assistant","content":"a\n\nb"}
	X
	becomes_both ctx-clean --merge-runs
	# limits and lost parts in one message
	given <<-X
	{"role":"user","content":[{"type":"text","text":"$(printf '0123%056d' 7)"},{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"r"}]}]}
	{"role":"user","content":"x"}
	X
	wanted <<-'X'
	{"role":"user","content":[{"type":"text","text":"0123\n... (truncated, 60 chars total)"},{"type":"text","text":"x"}]}
	X
	becomes_both ctx-clean --merge-runs --max-message 4
	# a member that goes, and is there twice
	png=$(printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\2\0\0\0\2\0\10\2\0\0\0' | to_base64)
	{
		echo '{"role":"user","content":"a"}'
		echo '{"role":"user","content":"x","images":["'"$png"'"],"images":["'"$png"'"]}'
	} >in
	exits 0 ctx-clean -d ollama --images drop --images-all --merge-runs in
	wrote '{"role":"user","content":"a\n\nx"}'
	# Continue's, in which a call and its result are one element
	given <<-'X'
	{"message":{"role":"user","content":"q"},"contextItems":[]}
	{"message":{"role":"assistant","content":"a"},"contextItems":[]}
	{"message":{"role":"assistant","content":"b","toolCalls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]},"contextItems":[],"toolCallStates":[{"toolCallId":"x","status":"done","output":[{"content":"r"}]}]}
	X
	cat >want <<-'X'
	{"message":{"role":"user","content":"q"},"contextItems":[]}
	{"message":{"role":"assistant","content":"a\n\nb"},"contextItems":[]}
	X
	exits 0 ctx-clean --prune-calls=0 --step 0 --merge-runs in
	same out want
}

# of_tools [BLOCK]: print a call with its result, with a block before the user's
# text.
of_tools() {
	cat <<-X
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"a result that is long enough to be worth clearing, and of no more use"}]}
	{"role":"assistant","content":"done"}
	{"role":"user","content":[${1:-}{"type":"text","text":"go on"}]}
	X
}

@test "lean: what is dropped does not count toward the limit for clearing" {
	long=$(printf 'word %.0s' {1..500})
	of_tools '{"type":"tool_result","tool_use_id":"no","content":"'"$long"'"},' |
	    given
	of_tools | wanted
	becomes ctx-clean --clear-results=0 --step 0 --when-tokens 200
	exits 0 ctx-clean --clear-results=0 --step 0 --when-tokens 5 in
	differs out want
}
