#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The data exports of chat programs, and histories with branches.

setup() { load helpers; common_setup; }

# node ID PARENT CHILDREN MESSAGE: an element of ChatGPT's mapping
node() {
	printf '"%s":{"id":"%s","message":%s,"parent":%s,"children":[%s]}' \
	    "$1" "$1" "$4" "$2" "$3"
}

# said ROLE CONTENT [TO [NAME]]: a message of ChatGPT's
said_by() {
	printf '{"id":"m","author":{"role":"%s","name":%s,"metadata":{}},"create_time":1.5,"content":%s,"status":"finished_successfully","weight":1,"metadata":{},"recipient":"%s"}' \
	    "$1" "${4:-null}" "$2" "${3:-all}"
}

text() { printf '{"content_type":"text","parts":["%s"]}' "$1"; }

# the elements of a conversation with three branches, in no order
elements() {
	node u2 '"a3"' '' "$(said_by user '{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://f"},"And this?"]}')"
	printf ,; node a2 '"u1"' '"c1"' "$(said_by assistant '{"content_type":"thoughts","thoughts":[{"summary":"S","content":"I think."}]}')"
	printf ,; node a1 '"u1"' '' "$(said_by assistant "$(text 41)")"
	printf ,; node root null '"s"' null
	printf ,; node z '"t3"' '' "$(said_by assistant "$(text 'It is 43.')")"
	printf ,; node c1 '"a2"' '"t3","t1"' "$(said_by assistant '{"content_type":"code","language":"json","text":"{\"n\":1.0}"}' calc)"
	printf ,; node t2 '"t1"' '"a3"' "$(said_by tool "$(text more)" all '"calc"')"
	printf ,; node t3 '"c1"' '"z"' "$(said_by tool '{"content_type":"execution_output","text":"43"}' all '"calc"')"
	printf ,; node a3 '"t2"' '"u2"' "$(said_by assistant "$(text 'It is 42.')")"
	printf ,; node u1 '"s"' '"a1","a2"' "$(said_by user "$(text 'What is 6*7?')")"
	printf ,; node s '"root"' '"u1"' "$(said_by system "$(text '')")"
	printf ,; node t1 '"c1"' '"t2"' "$(said_by tool '{"content_type":"execution_output","text":"42"}' all '"calc"')"
}

# chatgpt CURRENT: the conversation
chatgpt() {
	printf '{"title":"T","mapping":{%s},"current_node":%s}' "$(elements)" "$1"
}

U='{"role":"user","content":"What is 6*7?"}'
C='{"role":"assistant","reasoning_content":"I think.","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"calc","arguments":"{\"n\":1.0}"}}]}'
R='{"role":"tool","tool_call_id":"c1","content":"42\nmore"},{"role":"assistant","content":"It is 42."},{"role":"user","content":[{"type":"text","text":"And this?"}]}'
FIRST="[$U,$C,$R]"
SECOND="[$U,$C,"'{"role":"tool","tool_call_id":"c1","content":"43"},{"role":"assistant","content":"It is 43."}]'
THIRD="[$U,"'{"role":"assistant","content":"41"}]'

# messages: those of each conversation in out, without what other dialects keep
messages() { jq -c '.messages | map(del(.ctx_kept))' out; }

@test "exports: of ChatGPT's, the branch that is shown is converted" {
	chatgpt '"u2"' >in
	exits 0 ctx-convert --to openai in
	says 'ctx-convert: lost or changed: messages of abandoned branches (3)'
	messages >got
	echo "$FIRST" >want
	same got want
	[ "$(jq -c '[keys_unsorted, .title, .messages[4].ctx_kept]' out)" = '[["title","current_node","messages"],"T",[{"from":"chatgpt","at":0,"part":{"content_type":"image_asset_pointer","asset_pointer":"file-service://f"}}]]' ]
	# another one is shown
	chatgpt '"z"' >in
	exits 0 ctx-convert --to openai in
	messages >got
	echo "$SECOND" >want
	same got want
	# it is not known which: the one that the last element is in
	chatgpt null >in
	exits 0 ctx-convert --to openai in
	messages >got
	echo "$FIRST" >want
	same got want
}

@test "exports: --all-branches writes each, the one that is shown first" {
	chatgpt '"u2"' >in
	exits 0 ctx-convert --all-branches --to openai in
	[ ! -s err ]
	messages >got
	printf '%s\n' "$FIRST" "$SECOND" "$THIRD" >want
	same got want
	exits 0 ctx-convert --all-branches --to openai --request -m m in
	jq -c '.messages' out >got
	printf '%s\n' "$FIRST" "$SECOND" "$THIRD" | jq -c 'map(del(.reasoning_content))' >want
	same got want
	exits 2 ctx-convert --all-branches --to openai --shape messages in
	says 'ctx-convert: --all-branches needs --shape conversation'
	exits 2 ctx-convert --all-branches --to openai --report r in
	says 'ctx-convert: --all-branches has no --report: a message can be in several branches'
}

@test "exports: branches of an agent's session" {
	given <<-'X'
	{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}
	{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}}
	{"type":"user","uuid":"r1","parentUuid":"a1","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}}
	{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{"role":"user","content":"else"}}
	{"type":"assistant","uuid":"a2","parentUuid":"u2","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}
	X
	exits 0 ctx-convert --to openai in
	wrote '{"role":"user","content":"go"}' '{"role":"user","content":"else"}' \
	    '{"role":"assistant","content":"done"}'
	says 'ctx-convert: lost or changed: messages of abandoned branches (2)'
	exits 0 ctx-convert --all-branches --to openai in
	wrote '{"messages":[{"role":"user","content":"go"},{"role":"user","content":"else"},{"role":"assistant","content":"done"}]}' \
	    '{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t","content":"r"}]}'
	[ ! -s err ]
}

@test "exports: elements that are in a loop, or whose parent is not there" {
	printf '{"mapping":{%s,%s,%s,%s},"current_node":"d"}' \
	    "$(node a '"b"' '"b"' "$(said_by user "$(text A)")")" \
	    "$(node b '"a"' '"a"' "$(said_by assistant "$(text B)")")" \
	    "$(node c '"none"' '"d"' "$(said_by user "$(text C)")")" \
	    "$(node d '"c"' '' "$(said_by assistant "$(text D)")")" >in
	exits 0 ctx-convert --to openai in
	messages >got
	echo '[{"role":"user","content":"C"},{"role":"assistant","content":"D"}]' >want
	same got want
	exits 0 ctx-convert --all-branches --to openai in
	[ "$(jq -r '[.messages[].content] | join(" ")' out | sort | xargs)" = 'A B C D' ]
	# a loop in which the branch ends
	sed 's/"d"}$/"b"}/' in >loop
	exits 0 ctx-convert --to openai loop
	[ "$(jq -r '[.messages[].content] | sort | join(" ")' out)" = 'A B' ]
	# its own parent
	printf '{"mapping":{%s}}' "$(node a '"a"' '"a"' "$(said_by user "$(text A)")")" >in
	exits 0 ctx-convert --to openai in
	wrote '{"messages":[{"role":"user","content":"A"}]}'
}

@test "exports: what else ChatGPT's messages hold" {
	printf '{"mapping":{%s,%s,%s,%s,%s,%s},"current_node":"g"}' \
	    "$(node a null '"b"' "$(said_by user '{"content_type":"user_editable_context","user_profile":"I am B.","user_instructions":"Be brief."}')")" \
	    "$(node b '"a"' '"c"' "$(said_by assistant "$(text '{\"q\":1}')" search)")" \
	    "$(node c '"b"' '"d"' "$(said_by tool '{"content_type":"tether_quote","url":"https://a.example","text":"found","title":"t"}' all '"search"')")" \
	    "$(node d '"c"' '"e"' "$(said_by tool '{"content_type":"system_error","name":"E","text":"no"}' all '"search"')")" \
	    "$(node e '"d"' '"g"' "$(said_by assistant '{"content_type":"reasoning_recap","content":"4 s"}')")" \
	    "$(node g '"e"' '' "$(said_by assistant '{"content_type":"multimodal_text","parts":[{"content_type":"audio_transcription","text":"heard"},{"content_type":"new"}]}')")" >in
	exits 0 ctx-convert --to anthropic --report rep in
	jq -c .messages out >got
	echo '[{"role":"user","content":[{"type":"text","text":"I am B."},{"type":"text","text":"Be brief."}]},{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"search","input":{"q":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"found"},{"type":"text","text":"no"}]}]},{"role":"assistant","content":[{"type":"text","text":"heard"}],"ctx_kept":[{"from":"chatgpt","at":1,"part":{"content_type":"new"}}]}]' >want
	same got want
	exits 0 python3 "$ROOT/tests/ledger.py" "$BUILD/ctx-convert" openai,anthropic:request,gemini in
}

# claude_ai LEAF: a conversation of Claude.ai's, over several lines
claude_ai() {
	cat <<-X
	{"uuid":"c","name":"N",${1:+"\"current_leaf_message_uuid\":\"$1\","}"chat_messages":[
	{"uuid":"m1","text":"hi","content":[{"type":"text","text":"hi","citations":[]}],"sender":"human","attachments":[{"file_name":"a.txt","extracted_content":"of a file"}],"files":[],"parent_message_uuid":"00000000-0000-4000-8000-000000000000"},
	{"uuid":"m2","text":"","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"search","input":{"q":1.0}},{"type":"tool_result","tool_use_id":"t1","name":"search","content":[{"type":"text","text":"found"}],"is_error":false},{"type":"text","text":"Found."}],"sender":"assistant","attachments":[],"files":[],"parent_message_uuid":"m1"},
	{"uuid":"m3","text":"once","content":[],"sender":"human","attachments":[],"files":[],"parent_message_uuid":"m2"},
	{"uuid":"m4","text":"again","content":[{"type":"text","text":"again"}],"sender":"human","attachments":[],"files":[],"parent_message_uuid":"m2"}]}
	X
}

@test "exports: Claude.ai's" {
	begin='{"role":"user","content":[{"type":"text","text":"of a file"},{"type":"text","text":"hi"}]},{"role":"assistant","reasoning_content":"hm","content":"I look.","tool_calls":[{"id":"t1","type":"function","function":{"name":"search","arguments":"{\"q\":1.0}"}}]},{"role":"tool","tool_call_id":"t1","content":"found"},{"role":"assistant","content":"Found."}'
	claude_ai >in
	exits 0 ctx-convert --to openai in
	says 'ctx-convert: lost or changed: messages of abandoned branches (1)'
	wrote '{"uuid":"c","name":"N","messages":['"$begin"',{"role":"user","content":"again"}]}'
	claude_ai m3 >in
	exits 0 ctx-convert --all-branches --to openai in
	messages >got
	printf '[%s]\n' "$begin,"'{"role":"user","content":"once"}' \
	    "$begin,"'{"role":"user","content":"again"}' >want
	same got want
}

@test "exports: a list of conversations, with paths into its elements" {
	echo "[{\"title\":\"empty\",\"mapping\":{}},$(chatgpt '"u2"'),7,$(chatgpt '"a1"')]" >in
	exits 0 ctx-convert --to openai --report rep in
	says '*: lost or changed: *messages of abandoned branches (11)*'
	messages >got
	printf '%s\n' "$FIRST" "$THIRD" >want
	same got want
	has '"line":1,"path":"/1/mapping/z","what":"left_out","reason":"branch"' rep
	has '"line":1,"path":"/3/mapping/z","what":"left_out","reason":"branch"' rep
}

@test "exports: other commands say that they can only be converted" {
	chatgpt '"u2"' >gpt
	claude_ai >claude
	echo "[$(chatgpt '"u2"')]" >list
	for c in ctx-clean 'ctx-truncate -n 2' 'ctx-count -e chars'; do
		exits 3 $c gpt
		says "${c%% *}: gpt:1: ChatGPT's data export can only be converted, with ctx-convert"
		exits 3 $c claude
		says "${c%% *}: claude:1: Claude.ai's data export can only be converted, with ctx-convert"
		exits 3 $c list
		says "${c%% *}: list:1: ChatGPT's data export can only be converted, with ctx-convert"
	done
	# what they are converted to has no trace of it
	exits 0 ctx-convert --to openai gpt
	cp out made
	exits 0 ctx-clean --check made
}

@test "exports: our logs in each form say what they say" {
	logs=("$DATA"/logs/{audit,mend,zh,parallel}.openai.jsonl)
	python3 "$ROOT/tests/exports.py" said "${logs[@]}" >want
	seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
	for form in chatgpt claude-ai; do
		about "$form, SEED=$seed"
		python3 "$ROOT/tests/exports.py" $form "$seed" "${logs[@]}" >in
		exits 0 ctx-convert --to openai in
		says 'ctx-convert: lost or changed: messages of abandoned branches (*)'
		mv out lines
		python3 "$ROOT/tests/exports.py" said lines >got
		same got want
		lacks 'beside the branch' lines
		exits 0 python3 "$ROOT/tests/ledger.py" "$BUILD/ctx-convert" \
		    openai,anthropic:request in
		exits 0 ctx-convert --from $form --to openai in
		same out lines
	done
}
