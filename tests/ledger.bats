# ctx-convert --report: every value of a history is in the output or in the
# report.  tests/ledger.py checks that without our code; the histories are from
# tests/histories.py: of each dialect as many as HISTORIES says, of SEED.
# make check-laws takes 10,000, and all targets.  Sanitizers get fewer of both.  The
# same for ctx-clean.

setup() {
	load helpers
	common_setup
	count=30
	ALL=openai,openai-responses,anthropic,gemini,langchain,pydantic-ai,sharegpt
	ALL+=,ai-sdk,openai:request,openai-responses:request,anthropic:request
	ALL+=,gemini:request,bedrock,bedrock:request,cohere,ollama,mistral
	ALL+=,cohere:request,ollama:request,mistral:request
	if sanitized; then
		count=3
		ALL=openai:request,anthropic,langchain,sharegpt,gemini:request
	fi
	seed=${SEED:-1} count=${HISTORIES:-$count}
}

# shares CHECK SANITIZED FILE...: set $each to one of so many files (`some`), or all if
# HISTORIES is set.
shares() {
	local f

	each=()
	for f in "${@:3}"; do
		if [ -n "${HISTORIES:-}" ] || in_turn "$1" "$2"; then
			each+=("$f")
		fi
	done
}

accounted() {
	exits 0 python3 "$ROOT/tests/ledger.py" "$BUILD/ctx-convert" "$ALL" "$@"
	has '^[1-9][0-9]* runs, 0 disagree$' out
}

@test "ledger: what was carried, reformed, renamed, left out and made, in order" {
	given <<-'X'
	{"role":"system","content":"be brief"}
	{"role":"user","content":[{"type":"text","text":"look","cache_control":{"type":"ephemeral"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}
	{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"abc"},{"type":"text","text":"I run it"},{"type":"tool_use","id":"t1","name":"sh","input":{"n":[1,2,3]}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"is_error":true}]}
	{"role":"assistant","content":"done","id":"msg_1","stop_reason":null}
	X
	wanted <<-'X'
	{"file":"in","line":1,"path":"","what":"carried","values":2,"bytes":18}
	{"file":"in","line":2,"path":"/content/0/type","what":"renamed","reason":"form","values":1,"bytes":6}
	{"file":"in","line":2,"path":"/content/0/cache_control","what":"left_out","reason":"member","type":"ephemeral","values":1,"bytes":20}
	{"file":"in","line":2,"path":"/content/1/type","what":"renamed","reason":"form","values":1,"bytes":7}
	{"file":"in","line":2,"path":"/content/1/source/type","what":"renamed","reason":"form","values":1,"bytes":8}
	{"file":"in","line":2,"path":"","what":"carried","values":4,"bytes":37}
	{"file":"in","line":3,"path":"/content/0","what":"left_out","reason":"thinking","type":"thinking","values":3,"bytes":53}
	{"file":"in","line":3,"path":"/content/1/type","what":"renamed","reason":"form","values":1,"bytes":6}
	{"file":"in","line":3,"path":"/content/2/type","what":"renamed","reason":"form","values":1,"bytes":10}
	{"file":"in","line":3,"path":"","what":"carried","values":7,"bytes":42}
	{"file":"in","line":4,"path":"/role","what":"renamed","reason":"form","values":1,"bytes":6}
	{"file":"in","line":4,"path":"/content/0/type","what":"renamed","reason":"form","values":1,"bytes":13}
	{"file":"in","line":4,"path":"/content/0/content/0/type","what":"renamed","reason":"form","values":1,"bytes":6}
	{"file":"in","line":4,"path":"/content/0/content/0/text","what":"reformed","reason":"joined","values":1,"bytes":3}
	{"file":"in","line":4,"path":"/content/0/content/1/type","what":"renamed","reason":"form","values":1,"bytes":6}
	{"file":"in","line":4,"path":"/content/0/content/1/text","what":"reformed","reason":"joined","values":1,"bytes":3}
	{"file":"in","line":4,"path":"/content/0/is_error","what":"left_out","reason":"error","values":1,"bytes":4}
	{"file":"in","line":4,"path":"","what":"carried","values":1,"bytes":4}
	{"file":"in","line":5,"path":"/id","what":"left_out","reason":"metadata","values":1,"bytes":7}
	{"file":"in","line":5,"path":"/stop_reason","what":"left_out","reason":"empty","values":1,"bytes":4}
	{"file":"in","line":5,"path":"","what":"carried","values":2,"bytes":17}
	{"file":"in","line":1,"what":"made","reason":"tool","to":"sh"}
	X
	exits 0 ctx-convert --to openai --request -m m --shape messages --report rep in
	# a request has no place for the role of its system prompt
	sed -n 2,30p rep >got
	sed 1d want >rest
	same got rest
	said 'ctx-convert: lost or changed: thinking (1), error flags of tool results (1), tools without a definition (1), members cache_control (1)'
	exits 0 ctx-convert --to openai --report rep in
	[ "$(head -n 1 rep)" = "$(head -n 1 want)" ]
	lacks '"reason":"thinking"' rep	# it is kept
}

@test "ledger: places in lists with numbers, keys with / and ~, and repaired lists" {
	given <<-'X'
	{"messages":[7,{"role":"tool","tool_call_id":"x","content":"alone"},{"role":"user","content":"a","tool_calls":[],"~/":[1,"x",{"b":null}]},{"role":"assistant","content":"b"}]}
	X
	exits 0 ctx-convert --to anthropic --report rep in
	has '"path":"/messages/1","what":"left_out","reason":"orphan-result"' rep
	has '"path":"/messages/2/~0~1","what":"left_out","reason":"member","values":3,"bytes":18}' rep
	says '*members ?? (1)*'
	exits 0 ctx-convert --to openai --request -m m --report rep in
	has '"path":"/messages/1","what":"left_out","reason":"orphan-result","type":"role","values":3,' rep
	has '"path":"/messages/2/~0~1","what":"left_out","reason":"member"' rep
}

# left_out: line, path and reason of each value that the report says is left out.
left_out() {
	jq -r 'select(.what == "left_out") | "\(.line) \(.path) \(.reason)"' rep
}

@test "ledger: why something is left out" {
	given <<-'X'
	{"role":"user","content":"a"}
	{"role":"tool","tool_call_id":"x","content":"alone"}
	{"role":"assistant","content":"b","refusal":null,"id":"m1","more":{"id":1}}
	{"role":"assistant","content":""}
	{"role":"assistant"}
	{"role":"user","content":"c","name":"ann"}
	{"x":1}
	X
	wanted <<-'X'
	2  orphan-result
	3 /refusal empty
	3 /id metadata
	3 /more member
	4 /content empty
	5  empty-message
	6 /name name
	7  unknown
	X
	exits 0 ctx-convert --to anthropic --report rep in
	left_out >got
	same got want
	given <<-'X'
	{"messages":[{"x":1},{"role":"user","content":"a"},"s",["q"],{"role":"assistant","content":"b","tool_calls":[],"x":true}],"top":{"y":"z"},"model":"z","t":["z"]}
	X
	wanted <<-'X'
	1 /messages/0 unknown
	1 /messages/2 unknown
	1 /messages/3 unknown
	1 /messages/4/tool_calls empty
	1 /messages/4/x member
	1 /top member
	1 /model metadata
	1 /t member
	X
	exits 0 ctx-convert --to gemini --request -m m --report rep in
	left_out >got
	same got want
	given <<-'X'
	{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"hi"}}
	{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{"role":"user","content":"a branch"}}
	{"type":"user","uuid":"u3","parentUuid":"u1","sessionId":"s","message":{"role":"user","content":"two"}}
	X
	exits 0 ctx-convert --to openai --report rep in
	left_out >got
	has -Fx '2  branch' got
	[ "$(grep -c '/\(type\|uuid\|sessionId\) metadata$' got)" -eq 6 ]
}

@test "ledger: why a part is left out" {
	given <<-'X'
	{"messages":[{"role":"user","content":[{"type":"text","text":"u"},{"type":"text","text":""},{"type":"novel","n":1},{"type":"document","source":{"type":"url","url":"https://x/y.pdf"}}]},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"old"},{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"zz","content":"r"},{"type":"text","text":"more"}]}]}
	X
	wanted <<-'X'
	1 /messages/0/content/1 empty-text
	1 /messages/0/content/2 part
	1 /messages/0/content/3 media
	1 /messages/1/content/0 thinking
	1 /messages/1/content/2 unanswered-call
	1 /messages/2/content/0 orphan-result
	X
	exits 0 ctx-convert --to openai --request -m m --report rep in
	left_out >got
	same got want
	# a member of the messages is carried, all else that a summary replaced not
	given <<-'X'
	{"k":1,"role":"user","content":[{"type":"text","text":"u"}]}
	{"k":1,"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"old"}]}
	{"k":1,"role":"assistant","content":[{"type":"compaction","content":"S"}]}
	{"k":1,"role":"user","content":"w"}
	X
	wanted <<-'X'
	1 /role replaced
	1 /content/0 replaced
	2 /role replaced
	2 /content/0 replaced
	2 /content/1 replaced
	X
	exits 0 ctx-convert --to openai -b k --report rep in
	left_out >got
	same got want
}

@test "ledger: numbers and literals among messages and parts are accounted for" {
	given <<-'X'
	{"messages":[7 , -1.5e3,{"role":"user","content":["s",{"type":"text","text":"a"},null,8]},	true,{"role":"assistant","content":"b","x":[1,{"a":1},2]},null,false ]}
	X
	wanted <<-'X'
	1 /messages/0 unknown
	1 /messages/1 unknown
	1 /messages/2/content/2 empty
	1 /messages/3 unknown
	1 /messages/4/x member
	1 /messages/5 empty
	1 /messages/6 unknown
	X
	exits 0 ctx-convert --to gemini --report rep in
	left_out >got
	same got want
	has '"path":"/messages/1",.*"values":1,"bytes":6}$' rep
	has '"path":"/messages/6",.*"values":1,"bytes":5}$' rep
	accounted in
	# in a list that is repaired, places are those of the source
	given <<-'X'
	{"messages":[1,{"role":"user","content":"a"},2,{"role":"tool","tool_call_id":"x","content":"alone"},3,{"role":"assistant","content":"b"},4,{"role":"user","content":"c","x":1},5]}
	X
	wanted <<-'X'
	1 /messages/3 orphan-result
	1 /messages/0 unknown
	1 /messages/2 unknown
	1 /messages/4 unknown
	1 /messages/6 unknown
	1 /messages/7/x member
	1 /messages/8 unknown
	X
	exits 0 ctx-convert --to openai --request -m m --report rep in
	left_out >got
	same got want
	accounted in
}

@test "ledger: what a repair leaves in a list has its place in the source" {
	# parts that go, and results that are put in front of a text
	given <<-'X'
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]},{"role":"user","content":[{"type":"text","text":"t","x":1},{"type":"tool_result","tool_use_id":"z","content":"none"},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"r","y":2}]}]},{"role":"assistant","content":[{"type":"text","text":"e","z":3}]}]}
	X
	wanted <<-'X'
	1 /messages/1/content/0 unanswered-call
	1 /messages/2/content/1 orphan-result
	1 /messages/2/content/2/content/0/y member
	1 /messages/2/content/0/x member
	1 /messages/3/content/0/z member
	X
	exits 0 ctx-convert --to anthropic --request -m m --report rep in
	left_out >got
	same got want
	wrote '{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"r"}]},{"type":"text","text":"t"}]},{"role":"assistant","content":[{"type":"text","text":"e"}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"max_tokens":4096}'
	accounted in
	# the same in lines
	jq -c '.messages[]' in >lines
	wanted <<-'X'
	2 /content/0 unanswered-call
	3 /content/1 orphan-result
	3 /content/2/content/0/y member
	3 /content/0/x member
	4 /content/0/z member
	X
	exits 0 ctx-convert --to anthropic --request -m m --report rep lines
	left_out >got
	same got want
	accounted lines
}

@test "ledger: nothing is unaccounted for in our logs and in every dialect" {
	accounted "$DATA"/dialects/*.jsonl
	ALL=openai,anthropic:request,gemini,openai-responses,bedrock:request
	if sanitized; then ALL=anthropic:request,gemini; fi
	shares 3 5 "$DATA"/logs/*.jsonl
	accounted "${each[@]}"
}

@test "ledger: nothing is unaccounted for in random histories of every dialect" {
	for d in openai anthropic openai-responses gemini langchain pydantic-ai \
	    ai-sdk sharegpt bedrock cohere ollama mistral claude-code codex; do
		for how in sound links any; do
			python3 "$ROOT/tests/histories.py" $d "$seed" \
			    $((count / 3 + 1)) $how >"$d.$how"
		done
	done
	accounted ./*.any
	[ -n "${HISTORIES:-}" ] || ALL=openai,anthropic:request,gemini
	shares 3 5 ./*.links
	accounted "${each[@]}"
	[ -n "${HISTORIES:-}" ] || ALL=openai-responses,sharegpt,openai:request
	shares 3 5 ./*.sound
	accounted "${each[@]}"
}

@test "ledger: ctx-clean: what its report of random histories does not name is in its output" {
	options=",--max-result 30 --merge-runs,--unanswered repair --thinking drop"
	options+=",--clear-results=1 --step 0 --clear-inputs --dedupe=300 --empty"
	options+=",--unanswered drop,--prune-calls=1 --step 0 --images drop"
	options+=" --images-all"
	for d in openai anthropic openai-responses gemini langchain pydantic-ai \
	    ai-sdk sharegpt bedrock cohere ollama mistral claude-code codex; do
		python3 "$ROOT/tests/histories.py" $d "$seed" \
		    $((count / 4 + 1)) any >"$d.any"
	done
	exits 0 python3 "$ROOT/tests/ledger.py" "$BUILD/ctx-clean" "$options" \
	    ./*.any "$DATA"/logs/{parallel,zh,audit}*.jsonl
	has '^[1-9][0-9]* runs, 0 disagree$' out
}

@test "ledger: ctx-clean: results that go with the message of their calls are named" {
	given <<-'X'
	{"role":"user","content":"q"}
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"found"},{"type":"text","text":"and?"}]}
	X
	exits 0 ctx-clean -d anthropic --unanswered drop --report rep in
	wrote '{"role":"user","content":"q"}' \
	    '{"role":"user","content":[{"type":"text","text":"and?"}]}'
	jq -c '[.line, .path, .what, .reason, .id, .values, .bytes]' rep >rows
	printf '%s\n' \
	    '[3,"/content/0","left_out","unanswered-call","a",3,5]' \
	    '[2,"/content/1","left_out","unanswered-call","b",3,2]' \
	    '[2,"","left_out","empty-message",null,4,134]' >want
	same rows want
}

@test "ledger: ctx-clean: what goes beside others in a result has its own values" {
	given <<-'X'
	{"role":"user","content":"q"}
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":""},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="}},{"type":"text","text":"x"}]}]}
	{"role":"assistant","content":"b"}
	X
	exits 0 ctx-clean --images drop --images-all --report rep in
	jq -c '[.line, .path, .what, .reason, .values]' rep | sort >rows
	printf '%s\n' '[3,"/content/0/content/0","left_out","empty-text",2]' \
	    '[3,"/content/0/content/1","left_out","images",4]' >want
	same rows want
	# reasoning that is an item, whose first part has no text
	given <<-'X'
	{"type":"message","role":"user","content":"q"}
	{"type":"reasoning","id":"rs_1","summary":[{"type":"novel","x":1},{"type":"summary_text","text":"a"}]}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]}
	X
	exits 0 ctx-clean --thinking drop --report rep in
	jq -c '[.line, .path, .what, .reason, .values]' rep >rows
	printf '%s\n' '[2,"/summary/1/text","left_out","thinking",1]' \
	    '[2,"","left_out","empty-message",5]' >want
	same rows want
}

@test "ledger: ctx-clean: a part that only an image was in is named, and no value twice" {
	png=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQ
	png+=AAAABJRU5ErkJggg==
	given <<-X
	{"n":1,"messages":[{"parts":[{"tool_name":"f","args":"{}","tool_call_id":"a","part_kind":"tool-call"}],"kind":"response"},{"parts":[{"tool_name":"f","content":"x","tool_call_id":"a","part_kind":"tool-return"},{"content":[{"data":"$png","media_type":"image/png","kind":"binary"}],"timestamp":"t","part_kind":"user-prompt"}],"kind":"request"}]}
	X
	exits 0 ctx-clean -d pydantic-ai --images drop --images-all --report rep in
	jq -c '[.path, .what, .reason, .values]' rep >rows
	printf '%s\n' \
	    '["/messages/1/parts/1/content/0","left_out","images",3]' \
	    '["/messages/1/parts/1","left_out","empty-message",2]' >want
	same rows want
	# an image in a result that goes, too
	given <<-X
	{"messages":[{"role":"user","content":"q"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$png"}}]},{"type":"text","text":"y"}]}]}
	X
	exits 0 ctx-clean -d anthropic --images drop --images-all --report rep in
	jq -c '[.path, .what, .reason, .values]' rep >rows
	printf '%s\n' \
	    '["/messages/1/content/0/content/1","left_out","images",4]' \
	    '["/messages/1/content/0","left_out","orphan-result",4]' >want
	same rows want
}

@test "ledger: ctx-clean: the rest of a message goes with the last of its parts" {
	given <<-'X'
	{"n":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}],"t":7}]}
	{"n":2,"messages":[{"role":"user","content":"a","t":1},{"role":"user","content":"b","t":1},{"role":"user","content":"c","t":2},{"role":"user","content":"d","t":null}]}
	{"n":3,"messages":[{"role":"user","content":"e"},{"role":"user","content":"f","t":17},{"role":"user","content":"g","t":""},{"role":"user","content":"h","t":[1]}]}
	X
	exits 0 ctx-clean --merge-runs --report rep in
	wrote '{"n":1,"messages":[{"role":"user","content":"a"}]}' \
	    '{"n":2,"messages":[{"role":"user","content":"a\n\nb","t":1},{"role":"user","content":"c\n\nd","t":2}]}' \
	    '{"n":3,"messages":[{"role":"user","content":"e"},{"role":"user","content":"f\n\ng","t":17},{"role":"user","content":"h","t":[1]}]}'
	jq -c '[.line, .path, .what, .reason, .values, .bytes]' rep >rows
	printf '%s\n' \
	    '[1,"/messages/1/tool_calls/0","left_out","unanswered-call",4,2]' \
	    '[1,"/messages/1","left_out","empty-message",3,126]' \
	    '[2,"/messages/1","moved","merge-runs",3,3]' \
	    '[2,"/messages/0/content","reformed","merge-runs",1,3]' \
	    '[2,"/messages/3","moved","merge-runs",3,3]' \
	    '[2,"/messages/2/content","reformed","merge-runs",1,3]' \
	    '[3,"/messages/2","moved","merge-runs",3,3]' \
	    '[3,"/messages/1/content","reformed","merge-runs",1,3]' >want
	same rows want
}

@test "ledger: what a random history found stays found" {
	given <<-'X'
	{"kind":"request","parts":[{"part_kind":"user-prompt","content":"q"}]}
	{"kind":"response","parts":[{"part_kind":"thinking","content":["t"],"signature":"s"},{"part_kind":"text","content":"a"}]}
	X
	for t in anthropic langchain ai-sdk; do
		exits 0 ctx-convert --to $t in
		jq -e . out >json
	done
	# what follows the last call is kept
	given <<-'X'
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"type":"old","what":1},{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}},{"type":"novel","what":2},{"type":"novel","what":3}]},{"role":"tool","tool_call_id":"c","content":"r"}]}
	X
	exits 0 ctx-convert --to openai-responses in
	jq -c '.input[] | .ctx_kept // empty | .[] | [.at, .part.what]' out >kept
	printf '[0,1]\n[2,2]\n[3,3]\n' >want
	same kept want
	# the result of a call that is of no tool goes with it
	for id in '"c"' null; do
		given <<-X
		{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","tool_calls":[{"id":$id,"type":"novel","what":1}]},{"role":"tool","tool_call_id":$id,"content":"r"},{"role":"user","content":"u"}]}
		X
		for t in anthropic openai; do
			exits 0 ctx-convert --to $t --request -m m --report rep in
			says '*tool results without a call (1), parts of type novel (1)*'
			has '"path":"/messages/2","what":"left_out","reason":"orphan-result"' rep
		done
		wrote '{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"user","content":"u"}]}'
		accounted in
	done
	# an argument that is a string is carried in a string
	given <<-'X'
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":"text"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}]}
	X
	exits 0 ctx-convert --to openai --report rep in
	quiet
	has '"path":"/messages/1/content/0/input","what":"reformed","reason":"string"' rep
	# a message that loses a part is still the target's own
	given <<-'X'
	{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"r"},{"type":"novel","what":1}]},{"role":"assistant","content":"a"}]}
	X
	exits 0 ctx-convert --to anthropic --request -m m --report rep in
	wrote '{"model":"m","messages":[{"role":"user","content":[{"type":"novel","what":1}]},{"role":"assistant","content":"a"}],"max_tokens":4096}'
	[ "$(jq -c '[.path, .what, .reason]' rep)" = '["/messages/0/content/0","left_out","orphan-result"]
["","carried",null]' ]
	# an id in a text, and one that is no string beside a call without one
	given <<-'X'
	{"messages":[{"kind":"request","parts":[{"part_kind":"text","content":"q","tool_name":"f","tool_call_id":"c"}]}]}
	{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":null,"type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":[{"a":1}],"content":"r"}]}
	X
	exits 0 ctx-convert --to openai in
	said 'ctx-convert: lost or changed: members tool_name (1), members tool_call_id (2)'
	# a result that is moved is not left out
	given <<-'X'
	{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"text":"wait"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}},{"text":"b"}]},{"role":"model","parts":[{"text":"a"}]}]}
	X
	exits 0 ctx-convert --to gemini --report rep in
	lacks left_out rep
	# a content that is an object is lost, and not in silence
	given <<-'X'
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":{"type":"text","text":"a"},"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"}]}
	X
	exits 0 ctx-convert --to anthropic in
	said 'ctx-convert: lost or changed: members content (1)'
	exits 1 ctx-convert --to anthropic --strict in
	# losing the call that only this dialect has, the rest is still its own
	given <<-'X'
	{"messages":[{"role":"user","content":[{"type":"text","text":"q"}],"n":1},{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool-call","toolCallId":"c","toolName":"f","input":{}}]},{"role":"user","content":"b"}]}
	X
	exits 0 ctx-convert --to ai-sdk in
	said 'ctx-convert: lost or changed: tool calls without a result (1)'
	wrote '{"messages":[{"role":"user","content":[{"type":"text","text":"q"}],"n":1},{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"user","content":"b"}]}'
}

@test "ledger: sound random histories are valid, and the same every time" {
	once
	for d in openai anthropic openai-responses gemini bedrock cohere mistral; do
		python3 "$ROOT/tests/histories.py" $d "$seed" "$count" >in
		python3 "$ROOT/tests/histories.py" $d "$seed" "$count" | cmp - in
		exits 0 python3 "$ROOT/tests/validate.py" $d <in
		python3 "$ROOT/tests/histories.py" $d "$seed" "$count" links >in
		exits 1 python3 "$ROOT/tests/validate.py" $d <in
	done
}

@test "ledger: what does not come back from another dialect is named in the reports" {
	exits 0 python3 "$ROOT/tests/roundtrip.py" "$BUILD/ctx-convert" \
	    $((count / 5 + 1))
	has '^144 pairs, 0 values are not named$' out
}

@test "ledger: nothing is unaccounted for in other people's histories" {
	other_peoples
	ALL=openai,anthropic:request,gemini,openai-responses,bedrock:request
	if sanitized; then ALL=openai,bedrock:request; fi
	shares 3 5 "${THEIRS[@]}" "$CTX_DATA"/agents/*/*.json*
	accounted "${each[@]}"
	for f in "$CTX_DATA"/recorded/requests/*.jsonl; do
		jq -c '.request // .body' "$f" >"$(basename "$f")"
	done
	accounted ./*.jsonl
}

@test "ledger: what is not converted is in the report as left out" {
	printf '%s\n' '{"role":"narrator","content":"x"}' \
	    '{"messages":[{"role":"user","content":""}]}' >in
	exits 3 ctx-convert --to anthropic --report rep in
	wanted <<-'X'
	{"file":"in","line":2,"path":"","what":"left_out","reason":"empty","type":"messages","values":2,"bytes":43}
	{"file":"in","line":1,"path":"","what":"left_out","reason":"unknown","type":"role","values":2,"bytes":33}
	X
	same rep want
	given <<-'X'
	{"input":[{"type":"compaction","encrypted_content":"gAAA"},{"role":"user","content":"go on"}]}
	X
	exits 3 ctx-convert --to anthropic --report rep in
	has '"path":"","what":"left_out","reason":"sealed"' rep
}

@test "ledger: several threads report the same; --strict and text" {
	cat "$DATA"/logs/bookings.openai.jsonl "$DATA"/logs/bookings.openai.jsonl >in
	exits 0 ctx-convert -q --to gemini --report one in
	exits 0 ctx-convert -q --to gemini --report two -j 2 in
	same one two
	printf '%s\n' '{"messages":[{"role":"user","content":"a","x":1}]}' >in
	exits 1 ctx-convert --to anthropic --strict --report rep in
	says '*it would lose or change: members x (1)'
	[ ! -s out ]
	has '"path":"/messages/0/x","what":"left_out","reason":"member"' rep
	exits 2 ctx-convert --to text --report rep in
	says '*--report needs a dialect that is JSON*'
}

@test "ledger: a request may have a user message without anything in it" {
	given <<-'X'
	{"input":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"type":"message","role":"user","content":[]}]}
	X
	exits 0 ctx-convert --to openai-responses --request -m m in
	has '"role":"user","content":"a"' out
}

@test "ledger: members of one's own dialect that are lost are named without a report too" {
	given <<-'X'
	{"role":"user","content":"weather?","n":0}
	{"role":"assistant","content":"","k":1,"tool_calls":[{"function":{"name":"weather","arguments":{"city":"Oslo"}}}]}
	{"role":"tool","content":"11","tool_name":"weather","x":2}
	X
	accounted in
	exits 0 ctx-convert --to openai in
	says '*lost or changed: members k (1), members x (1)'
	has '"n":0' out
	exits 1 ctx-convert --to openai --strict in
	given <<-'X'
	{"role":"user","content":"u","k":1,"ctx_kept":[{"from":"openai","part":{"type":"y"},"at":0}]}
	X
	accounted in
	exits 1 ctx-convert --to openai --strict in
}

@test "ledger: arguments and results that are null are none" {
	given <<-'X'
	{"role":"model","parts":[{"functionCall":{"name":"f","args":null}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":null}}]}
	X
	wanted <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"ctx_call_1","type":"function","function":{"name":"f","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"ctx_call_1","content":""}
	X
	becomes ctx-convert --from gemini --to openai
}

@test "ledger: what a message cannot keep is kept by a message, or counted" {
	given <<-'X'
	{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://a.example/x.png"}}]}
	X
	exits 0 ctx-convert --to sharegpt in
	quiet
	ctx-convert --to anthropic out | cmp - in
	given <<-'X'
	{"system":[{"type":"text","text":"s"},{"type":"novel","x":1}],"messages":[{"role":"user","content":"a"}]}
	X
	exits 0 ctx-convert --from anthropic --to gemini --report rep in
	says '*members system (1)*'
	has '"path":"/system/1","what":"left_out","reason":"member","type":"novel"' rep
}
