#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The session files of coding agents.
#
# tests/data/agents/AGENT.json(l) is the same short session in the form of each, and
# our own.  What ctx reads from real ones is compared with what the agents sent, by
# tests/agents.py.

setup() { load helpers; common_setup; A=$DATA/agents; }

AGENTS=(cline continue gemini-cli goose nanocoder opencode pi qwen-code)
# those of them that have a dialect of their own
DIALECTS=(continue gemini-cli goose opencode pi qwen-code)

file_of() { echo "$A/$1".json*; }

# what is said in the sessions, as messages of OpenAI chat
said_in() {
	case $1 in
	cline) echo '{"role":"system","content":"Be terse."}' ;;
	gemini-cli) echo '{"role":"user","content":"<session_context>\nToday is Sunday.\n</session_context>"}' ;;
	esac
	cat <<-'X'
	{"role":"user","content":"List it, 请."}
	{"role":"assistant","content":"I look.","tool_calls":[{"id":"a1","name":"ls","arguments":{"path":"."}},{"id":"a2","name":"read","arguments":{"path":"n.md"}}]}
	{"role":"tool","tool_call_id":"a1","content":"n.md\nsrc"}
	{"role":"tool","tool_call_id":"a2","content":"# n\n说明\n"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"a3","name":"run","arguments":{"cmd":"make"}}]}
	{"role":"tool","tool_call_id":"a3","content":"exit 2"}
	{"role":"assistant","content":"It fails."}
	X
}

# bare: messages without what not every agent keeps, and with arguments as objects
bare() {
	jq -c '(if .content == "" then null else .content end) as $content |
	    if .tool_calls then {role, $content, tool_calls: [.tool_calls[] | {id,
		name: .function.name, arguments: (.function.arguments |
		if type == "string" then fromjson else . end)}]}
	    elif .role == "tool" then {role, tool_call_id, $content}
	    else {role, $content} end'
}

@test "agents: each session says the same" {
	for a in "${AGENTS[@]}"; do
		about "$a"
		said_in "$a" >want
		ctx-convert -q --to openai --shape messages "$(file_of "$a")" | bare >got
		# Cline's results are lists of what was asked, of which this is one part
		[ "$a" != cline ] || {
			jq -c 'if .role == "tool" then .content |=
			    (fromjson | .[0].result) else . end' got >plain
			mv plain got
		}
		same got want
	done
}

@test "agents: each file has its dialect, also if only that is read" {
	for a in "${DIALECTS[@]}"; do
		f=$(file_of "$a")
		about "$a"
		ctx-convert -q --to openai "$f" >want
		exits 0 ctx-convert -q --from "$a" --to openai "$f"
		same out want
		for d in openai anthropic claude-code "${DIALECTS[@]}"; do
			# to these, goose's are messages with parts of unknown types
			case $a-$d in goose-openai | goose-anthropic) continue ;; esac
			[ "$d" = "$a" ] || exits 3 ctx-convert --from "$d" --to openai "$f"
		done
	done
}

@test "agents: healthy sessions stay as they are" {
	for a in "${AGENTS[@]}"; do
		f=$(file_of "$a")
		about "$a"
		exits 0 ctx-clean --check "$f"
		silent
		for c in ctx-clean "ctx-clean --unanswered repair" "ctx-truncate -n 99" \
		    "ctx-summarize --trigger 1" "ctx-digest-files --min 1000000"; do
			about "$a $c"
			exits 0 $c <"$f"
			same out "$f"
			quiet
		done
	done
}

@test "agents: what is cut leaves each call with its result" {
	for a in "${AGENTS[@]}"; do
		for n in 1 2 3 4 5 6; do
			in_turn 5 7 || continue
			about "$a $n"
			ctx-truncate -n "$n" "$(file_of "$a")" >cut
			exits 0 ctx-clean --check cut
			has 'It fails\.' cut
			ctx-convert -q --to openai --shape messages cut >got
			[ "$(grep -o '"id":\|"id": ' got | wc -l)" -eq \
			    "$(grep -c '"role": *"tool"' got)" ]
		done
		# the oldest call went, in whatever places the file has it
		ctx-truncate -n 1 "$(file_of "$a")" >cut
		lacks 'I look\|"a1"\|n\.md' cut
	done
}

@test "agents: long results are shortened, wherever the file repeats them" {
	local long=01234567890123456789012345678901234567890123456789012345678901234567890123456789

	for a in "${AGENTS[@]}"; do
		about "$a"
		sed "s/n\.md\\\\nsrc/$long/g" \
		    "$(file_of "$a")" >long
		n=$(grep -o "$long" long | wc -l)
		[ "$n" -gt 0 ]
		ctx-clean --max-result 20 long >short
		lacks "$long" short
		[ "$(grep -o '80 chars total' short | wc -l)" -eq "$n" ]
		exits 0 ctx-clean --check short
		ctx-clean --max-result 20 short | cmp - short
	done
}

@test "agents: a cleared result is cleared wherever the file repeats it" {
	for a in "${AGENTS[@]}"; do
		about "$a"
		sed 's/n\.md\\nsrc/0123456789012345678901234567890123456789/g' \
		    "$(file_of "$a")" >long
		ctx-clean --clear-results=0 --step 0 long >cleared
		lacks 0123456789 cleared
		has 'tool result cleared: 40 chars' cleared
		exits 0 ctx-clean --check cleared
		ctx-clean --clear-results=0 --step 0 cleared | cmp - cleared
		# the newest, of which nothing is cleared
		ctx-clean --clear-results=1 --step 0 long >cleared
		[ "$(grep -o 'exit 2' cleared | wc -l)" -eq \
		    "$(grep -o 'exit 2' long | wc -l)" ]
	done
}

@test "agents: gemini-cli: of a resumed session only results are copies" {
	# each call once more in the content, as it is written when it is resumed
	jq -c 'if .toolCalls then .content = [{text: "again"}, (.toolCalls[] |
	    {functionCall: {id, name, args}})] else . end' "$(file_of gemini-cli)" |
	    sed 's/n\.md\\nsrc/01234567890123456789012345678901234567890123456789012345678901234567890123456789/g' >in
	ctx-clean --max-result 20 in >short
	[ "$(grep -o '80 chars total' short | wc -l)" -eq \
	    "$(grep -o 01234567890123456789012345678901234567890123456789012345678901234567890123456789 in | wc -l)" ]
	ctx-clean --max-result 1 in >short
	for member in id name args status; do
		jq -c ".toolCalls[]?.$member" in >want
		jq -c ".toolCalls[]?.$member" short >got
		same got want
	done
	ctx-clean --clear-results=0 --step 0 in >cleared
	lacks 0123456789 cleared
}

@test "agents: a secret goes from every place" {
	for a in "${AGENTS[@]}"; do
		about "$a"
		sed 's/n\.md\\nsrc/key AKIAQ3EGWDMTL7YVN2KP end/g; s/I look\./AKIAQ3EGWDMTL7YVN2KP/g' \
		    "$(file_of "$a")" >leak
		ctx-clean --redact leak >out
		lacks AKIA out
	done
}

@test "agents: a call that a crash left open is found, cut, or given a result" {
	for a in "${AGENTS[@]}"; do
		about "$a"
		f=$(file_of "$a")
		case $f in
		# the result of the last call, and the answer after it, are missing
		*pi.jsonl) head -n 8 "$f" ;;
		*qwen-code.jsonl) head -n 7 "$f" ;;
		*gemini-cli.jsonl)
			head -n 12 "$f" | jq -c 'if .toolCalls[0].id == "a3" then
			    .toolCalls[0] |= (.status = "executing" | del(.result,
			    .resultDisplay)) else . end' ;;
		*opencode.json)
			jq 'del(.messages[3]) | .messages[2].parts[1].state |=
			    {status: "running", input}' "$f" ;;
		*continue.json)
			jq 'del(.history[3]) | .history[2].toolCallStates[0] |=
			    (del(.output) | .status = "calling")' "$f" ;;
		*goose.json) jq '.conversation |= .[:-2]' "$f" ;;
		*) jq '.messages |= .[:-2]' "$f" ;;
		esac >open
		exits 1 ctx-clean --check open
		[ "$(grep -c 'error\[unanswered-call\]' out)" -eq 1 ]
		ctx-clean open >cut
		exits 0 ctx-clean --check cut
		lacks '"a3"' cut
		exits 0 ctx-clean --keep-pending open
		same out open
		ctx-clean --unanswered repair open >fixed
		exits 0 ctx-clean --check fixed
		ctx-clean --unanswered repair fixed | cmp - fixed
		ctx-convert -q --to openai --shape messages fixed | bare | tail -n 2 >got
		[ "$(jq -r .role got | tr '\n' ' ')" = "assistant tool " ]
		[ "$(jq -rs '.[0].tool_calls[0].id + .[1].tool_call_id' got)" = a3a3 ]
		has 'was not completed' got
	done
}

# forms NAME FILE: the same elements as lines, as a conversation on one line, and as
# a document: f.lines, f.line and f.doc
forms() {
	local list=.messages

	[ "$1" != continue ] || list=.history
	[ "$1" != goose ] || list=.conversation
	if jq -es "length == 1 and (.[0] | has(\"${list#.}\"))" "$2" >is.doc; then
		jq -c "$list[]" "$2" >f.lines
	else
		jq -c . "$2" >f.lines
	fi
	jq -cs "{${list#.}: .}" f.lines >f.line
	jq . f.line >f.doc
	LIST="$list[]"
}

@test "agents: lines, a conversation and a document have one result" {
	for a in "${DIALECTS[@]}"; do
		healthy=$(file_of "$a")
		for f in "$healthy" "$DATA/dialects/$a.faulty.jsonl"; do
			forms "$a" "$f"
			for c in ctx-clean "ctx-clean --unanswered repair" \
			    "ctx-clean --unanswered drop" "ctx-clean --max-result 3" \
			    "ctx-truncate -n 1" "ctx-truncate -n 3" \
			    "ctx-truncate -n 4 --edge drop" \
			    "ctx-truncate -e chars --overhead 0 -t 30"; do
				in_turn 7 9 || continue
				about "$a $f: $c"
				# only in lines, records are linked anew
				links='del(.parentId?, .parentUuid?)'
				$c -q <f.lines | jq -cS "$links" >got.lines
				$c -q <f.line | jq -cS "$LIST | $links" >got.line
				$c -q <f.doc | jq -cS "$LIST | $links" >got.doc
				[ -s got.lines ]
				same got.line got.lines
				same got.doc got.line
			done
			for form in lines line doc; do
				ctx-clean --check --json f.$form >found || [ $? -eq 1 ]
				jq -r .rule found | sort >rules.$form
				ctx-count -q f.$form | awk '{ print $1, $2 }' >count.$form
				ctx-convert -q --to anthropic --shape messages f.$form \
				    >told.$form
			done
			same rules.line rules.lines
			same rules.doc rules.line
			same count.line count.lines
			same told.line told.lines
			jq -cS . told.doc >told1
			jq -cS . told.line >told2
			same told1 told2
		done
	done
}

@test "agents: a tree has a branch that is sent, and others" {
	# the user went back to the first message and asked something else
	for a in pi qwen-code; do
		about "$a"
		f=$(file_of "$a")
		case $a in
		pi) first=00000001 last='{"type":"message","id":"00000020","parentId":"00000001","timestamp":"t","message":{"role":"user","content":"Else."}}' ;;
		*) first=00000000-0000-4000-a000-000000000001
			last='{"uuid":"b","parentUuid":"'$first'","type":"user","message":{"role":"user","parts":[{"text":"Else."}]}}' ;;
		esac
		{ cat "$f"; echo "$last"; } >in
		ctx-convert -q --to openai in >got
		printf '%s\n' '{"role":"user","content":"List it, 请."}' \
		    '{"role":"user","content":"Else."}' >want
		same got want
	done
}

@test "agents: pi: a compaction's summary, and what is kept before it" {
	f=$(file_of pi)
	{
		cat "$f"
		echo '{"type":"compaction","id":"00000030","parentId":"00000007","timestamp":"t","summary":"So far.","firstKeptEntryId":"00000005","tokensBefore":9}'
		echo '{"type":"message","id":"00000031","parentId":"00000030","timestamp":"t","message":{"role":"user","content":"On."}}'
	} >in
	exits 0 ctx-clean --check in
	ctx-clean in | cmp - in
	ctx-convert -q --to openai in | bare >got
	{ said_in pi | tail -n 3; echo '{"role":"user","content":"So far."}'
	echo '{"role":"user","content":"On."}'; } >want
	same got want
}

@test "agents: qwen-code: a compressed history takes the place of what was before" {
	f=$(file_of qwen-code)
	{
		cat "$f"
		echo '{"uuid":"c","parentUuid":"00000000-0000-4000-a000-000000000009","type":"system","subtype":"chat_compression","systemPayload":{"info":{},"compressedHistory":[{"role":"user","parts":[{"text":"So far."}]},{"role":"model","parts":[{"text":"Yes."}]}]}}'
		echo '{"uuid":"d","parentUuid":"c","type":"user","message":{"role":"user","parts":[{"text":"On."}]}}'
	} >in
	exits 0 ctx-clean --check in
	ctx-convert -q --to openai in >got
	printf '{"role":"%s","content":"%s"}\n' user So\ far. assistant Yes. user On. >want
	same got want
}

@test "agents: gemini-cli: the earlier form, and a resumed one with doubled results" {
	# a document, whose results are beside their calls alone
	f=$(file_of gemini-cli)
	jq -s '{sessionId: "s", projectHash: "00ff", startTime: "t", lastUpdated: "t",
	    messages: [.[] | select(.type) | select(.toolCalls or .type == "user" and
	    .content[0].text or .content == "It fails.")]}' "$f" >old
	exits 0 ctx-clean --check old
	ctx-clean old | cmp - old
	said_in pi >want
	ctx-convert -q --to openai --shape messages old | bare >got
	same got want
	# the contents of the whole history, with each result twice
	{
		cat "$f"
		jq -cs '{"$set": {messages: [.[] | select(.type) | select(.toolCalls or
		    .type == "user" or .content == "It fails.") | if .toolCalls then
		    (.content = [{text: "again"}, (.toolCalls[] | {functionCall: {id,
		    name, args}})] | del(.toolCalls)), {id, timestamp, type: "user",
		    content: [.toolCalls[].result[]]} else . end]}}' "$f"
	} >in
	exits 1 ctx-clean --check in
	[ "$(grep -c 'in:17:[0-9]*: error\[orphan-result\]' out)" -eq 3 ]
	[ "$(wc -l <out)" -eq 3 ]
	ctx-clean in >fixed
	exits 0 ctx-clean --check fixed
	head -n 16 fixed | cmp - "$f"
	ctx-convert -q --to openai fixed | bare >got
	[ "$(grep -c '"role":"tool"' got)" -eq 3 ]
	[ "$(grep -c again got)" -eq 2 ]
	[ "$(grep -c 'I look' got)" -eq 0 ]
}

@test "agents: a request has what its API needs and the file lacks" {
	exits 0 ctx-convert -q --to openai --request -m gpt-4o "$(file_of nanocoder)"
	[ "$(jq -c '[.messages[].tool_calls[]? | .type, (.function.arguments | type)] |
	    unique' out)" = '["function","string"]' ]
	exits 0 ctx-convert -q --to anthropic --request -m claude-x "$(file_of cline)"
	[ "$(jq -r '.system, .system_prompt' out | tr '\n' ' ')" = 'Be terse. null ' ]
	[ "$(jq -c '[.messages[].content[]? | select(.type? == "tool_result") |
	    .content | type] | unique' out)" = '["string"]' ]
	jq -r '[.messages[].content[]? | select(.type? == "tool_result")][0].content' out >got
	[ "$(jq -c . got)" = '[{"query":".","result":"n.md\nsrc","success":true}]' ]
}

# record N TYPE TEXT: a record of Gemini CLI, without the end of the line
record() { printf '{"id":"i%s","timestamp":"t","type":"%s","content":"%s"}' "$@"; }

@test "agents: gemini-cli: a list that takes the place of all continues no message" {
	answer=$(record 1 gemini one)
	printf '%s\n' "$answer" "{\"\$set\":{\"messages\":[$answer]}}" \
	    "$(record 2 user two)" >in
	# a token of text each, and 4 for a message
	exits 0 ctx-count -q -e chars --json in
	[ "$(jq -c '[.messages, .tokens]' out)" = '[2,10]' ]
	# an answer that is written again after it is a message, also after an empty one
	two=$(record 2 user two) six=$(record 6 user six)
	for list in "15 $two" 10; do
		read -r want list <<<"$list"
		about "$want"
		printf '%s\n' "$answer" "{\"\$set\":{\"messages\":[$list]}}" "$six" \
		    "$answer" "$answer" >in
		exits 0 ctx-count -q -e chars --json in
		[ "$(jq .tokens out)" = "$want" ]
	done
}

@test "agents: gemini-cli: a list that takes the place of all is cut by its elements" {
	head='{"sessionId":"s","projectHash":"00ff","startTime":"t"}'
	error='{"id":"e","timestamp":"t","type":"error","content":"it failed"}'
	one=$(record 1 user one) two=$(record 2 gemini two) three=$(record 3 user three)
	four=$(record 4 gemini four) five=$(record 5 user five) six=$(record 6 gemini six)
	list="\"messages\":[$one, $two,$error ,$three,$four]"
	was="$head
$one
$two"
	is="$was
{\"\$set\":{$list,\"lastUpdated\":\"u\"}}
$five
$six"
	empty="{\"\$set\":{\"messages\":[$error],\"lastUpdated\":\"u\"}}"
	printf '%s\n' "$is" >in
	# nothing goes
	exits 0 ctx-truncate -q -n 6 in
	same out in
	for want in '3 four five six' '4 three four five six' '2 five six' '1 six'; do
		read -r -a kept <<<"$want"
		about "$want"
		printf '%s\n' "$was" "$empty" >want
		for name in "${kept[@]:1}"; do
			printf '%s\n' "${!name}" >>want
		done
		exits 0 ctx-truncate -q -n "${kept[0]}" in
		same out want
		exits 0 ctx-clean --check want
		# and what came before the list is not back
		ctx-count -q --json want >told
		[ "$(jq .messages told)" = "${kept[0]}" ]
	done
	# a token each
	exits 0 ctx-truncate -q -e chars --overhead 0 -t 3 --dropped side in
	printf '%s\n' "$was" "$empty" "$four" "$five" "$six" >want
	same out want
	printf '%s\n' "$one" "$two" "$three" >want
	same side want
	# the note is before what it is about
	exits 0 ctx-truncate -q -n 3 --note in
	[ "$(sed -n 5p out | jq -r '.content[0].text')" = '[3 earlier messages left out here]' ]
	[ "$(sed -n 6p out)" = "$four" ]
	# a result that was written twice is not what is left first
	result='"type":"user","content":[{"functionResponse":{"id":"c","name":"f","response":{"output":"x"}}}]}'
	call='{"id":"a","timestamp":"t","type":"gemini","content":[{"functionCall":{"id":"c","name":"f","args":{}}}]}'
	printf '%s\n' "$head" "$one" "$call" "{\"id\":\"r\",\"timestamp\":\"t\",$result" \
	    "{\"id\":\"s\",\"timestamp\":\"t\",$result" "$five" "$six" >twice
	exits 0 ctx-truncate -q -n 3 --edge drop twice
	printf '%s\n' "$head" "$five" "$six" >want
	same out want
	# the list comes first, and need not stay
	{ echo "$head"; sed -n '4,$p' in; } >first
	exits 0 ctx-truncate -q -n 2 first
	printf '%s\n' "$head" "$five" "$six" >want
	same out want
	# nor does what the list replaced come back if all of it goes
	result='{"id":"r","timestamp":"t","type":"user","content":[{"functionResponse":{"id":"c","name":"f","response":{"output":"x"}}}]}'
	printf '%s\n' "$was" "{\"\$set\":{\"messages\":[$result]}}" "$five" >in
	exits 0 ctx-clean -q in
	printf '%s\n' "$was" '{"$set":{"messages":[]}}' "$five" >want
	same out want
	# an empty list empties the history
	exits 0 ctx-convert -q --to openai - < <(printf '%s\n' "$was" "$empty")
	quiet
	exits 0 ctx-convert -q --to openai - < <(printf '%s\n' "$was" "$empty" "$two")
	wrote '{"role":"assistant","content":"two"}'
}

@test "agents: gemini-cli: what was taken back is not sent" {
	f=$(file_of gemini-cli)
	{
		cat "$f"
		echo '{"$rewindTo":"00000000-0000-4000-a000-000000000003"}'
		echo '{"id":"n","timestamp":"t","type":"user","content":[{"text":"Else."}]}'
	} >in
	exits 0 ctx-clean --check in
	ctx-convert -q --to openai in | bare >got
	{ said_in gemini-cli | head -n 2; echo '{"role":"user","content":"Else."}'; } >want
	same got want
	# at the end, too
	sed '$d' in >back
	ctx-convert -q --to openai back | bare >got
	said_in gemini-cli | head -n 2 >want2
	same got want2
	sed 's/rewindTo":"[^"]*/rewindTo":"unknown/' in >all
	ctx-convert -q --to openai all | bare >got
	tail -n 1 want >last
	same got last
}

@test "agents: continue: a message of the role tool is the result, and the other a copy" {
	f=$(file_of continue)
	jq '.history[2:2] = [range(2) as $i | .history[1].toolCallStates[$i] |
	    {message: {role: "tool", toolCallId, content: .output[0].content},
	    contextItems: []}]' "$f" >in
	exits 0 ctx-clean --check in
	ctx-clean in | cmp - in
	ctx-convert -q --to openai --shape messages in | bare >got
	said_in continue >want
	same got want
	sed 's/n\.md\\nsrc/&, and more than the marker has of characters/g' in >long
	ctx-clean --max-result 1 long >short
	[ "$(grep -c '52 chars total' short)" -eq 2 ]
}

@test "agents: pi: the first versions had no tree" {
	jq -c 'if .type == "session" then del(.version) else del(.id, .parentId) end' \
	    "$(file_of pi)" >in
	exits 0 ctx-clean --check in
	ctx-clean in | cmp - in
	ctx-convert -q --to openai in | bare >got
	said_in pi >want
	same got want
}

@test "agents: opencode: a result that was compacted away is not sent" {
	f=$(file_of opencode)
	jq '.messages[1].parts[3].state.time.compacted = 1' "$f" >in
	exits 0 ctx-clean --check in
	ctx-clean in | cmp - in
	ctx-convert -q --to openai --shape messages in | bare >got
	said_in opencode | sed 's/"n.md\\nsrc"/null/' >want
	same got want
}

@test "agents: goose: the files of earlier versions" {
	# the session in the first line, then messages without metadata
	f=$(file_of goose)
	{
		jq -c '{working_dir, description: .name, message_count, total_tokens: null}' "$f"
		jq -c '.conversation[] | del(.id, .metadata, .content[]._meta?)' "$f"
	} >in
	said_in goose >want
	for cut in 1 2; do
		# what a result brought was a list of contents; the first versions had no
		# line for the session, and no thinking
		tail -n +$cut in | jq -c 'if .content then (.content[].toolResult? |
		    select(.value)) |= (.value |= .content) |
		    del(.content[] | select('$cut' == 2 and .type == "thinking"))
		    else . end' >old
		exits 0 ctx-clean --check old
		ctx-clean old | cmp - old
		ctx-convert -q --to openai old | bare >got
		same got want
		head -n $((7 - cut)) old >open
		exits 1 ctx-clean --check open
		ctx-clean --unanswered repair open | tail -n 1 >fixed
		[ "$(jq -c '[.role, .created, .content[0].type, .content[0].id,
		    .content[0].toolResult.status]' fixed)" = \
		    '["user",1772359205,"toolResponse","a3","error"]' ]
	done
	# a list of sessions has no messages
	jq -c 'del(.conversation)' "$f" >none
	ctx-clean -q none | cmp - none
	# and a message of goose's is one without its file, too
	sed -n 2p in >one
	[ "$(ctx-count -q one | awk '{ print $2 }')" -eq 1 ]
}

@test "agents: goose: what a compaction or a notice keeps from the model is not sent" {
	f=$(file_of goose)
	jq '.conversation |= (map(.metadata.agentVisible = false) + [
	    {role: "user", created: 9, content: [{type: "text", text: "So far."}],
	     metadata: {userVisible: false, agentVisible: true}},
	    {role: "assistant", created: 9, content: [{type: "text", text: "Yes."}],
	     metadata: {userVisible: false, agentVisible: true}},
	    {role: "assistant", created: 9, content: [{type: "systemNotification",
	     notificationType: "inlineMessage", msg: "Compacted."}],
	     metadata: {userVisible: true, agentVisible: false}},
	    {role: "user", created: 9, content: [{type: "text", text: "On."}],
	     metadata: {userVisible: true, agentVisible: true}}])' "$f" >in
	exits 0 ctx-clean --check in
	ctx-clean in | cmp - in
	ctx-convert -q --to openai --shape messages in >got
	printf '{"role":"%s","content":"%s"}\n' user So\ far. assistant Yes. user On. >want
	same got want
}

@test "agents: goose: what is for the user alone is no part, and a result's is a copy" {
	f=$(file_of goose)
	jq '(.conversation[1].content) |= [
	    {type: "toolConfirmationRequest", id: "a1", toolName: "ls", arguments: {},
	     prompt: null},
	    {type: "text", text: "MX1", annotations: {audience: ["user"]}}] + . + [
	    {type: "error", kind: "other", message: "MX2"}]' "$f" >in
	exits 0 ctx-clean --check in
	ctx-clean in | cmp - in
	ctx-convert -q --to openai --shape messages in | bare >got
	said_in goose >want
	same got want
	# two users of the text in the result, and once more for programs
	sed 's/n\.md\\nsrc/&, and more than the marker has of characters/g' "$f" >long
	ctx-clean --max-result 1 long >short
	[ "$(grep -c '52 chars total' short)" -eq 3 ]
	[ "$(grep -c '"audience"\|"user"$\|"assistant"$' short)" -eq 4 ]
}

@test "agents: goose: thinking that came in pieces is one text" {
	f=$(file_of goose)
	# as Ollama's came: a part for each token
	jq '.conversation[1].content[0:1] = [("First", " I", "\n", " look.") |
	    {type: "thinking", thinking: ., signature: ""}]' "$f" >in
	exits 0 ctx-clean --check in
	ctx-clean in | cmp - in
	ctx-convert --to openai --shape messages in 2>/dev/null | sed -n 2p >got
	[ "$(jq -c '[.reasoning_content, has("ctx_kept")]' got)" = \
	    '["First I\n look.",false]' ]
	ctx-convert --to markdown in >got
	[ "$(grep -c 'thinking</summary>' got)" -eq 1 ]
	printf '%s\n' 'First I' ' look.' >want
	sed -n '/^First/,/look/p' got >said
	same said want
	# what is signed is whole
	jq '.conversation[1].content[0:1] = [("First", "Then") | {type: "thinking",
	    thinking: ., signature: "c2lnbmVk"}]' "$f" >in
	ctx-convert -q --to openai --shape messages in | sed -n 2p >got
	[ "$(jq -c '[.reasoning_content, (.ctx_kept | length)]' got)" = '[null,2]' ]
}

@test "agents: goose: contents of results, calls that are none, and sealed thinking" {
	cat >in <<-'X'
	{"role":"user","created":1,"content":[{"type":"text","text":"Q"},{"type":"image","data":"iVBORw0KGgoAAAANSUhEUg==","mimeType":"image/png"},{"type":"document","data":"JVBERi0xLjQKJSVFT0YK","mimeType":"application/pdf","name":"a.pdf"}],"metadata":{"userVisible":true,"agentVisible":true}}
	{"role":"assistant","created":2,"content":[{"type":"redactedThinking","data":"c2Vh"},{"type":"reasoning","text":"R"},{"type":"toolRequest","id":"c1","toolCall":{"status":"error","error":"bad JSON"}},{"type":"frontendToolRequest","id":"c2","toolCall":{"status":"success","value":{"name":"see"}}}],"metadata":{"userVisible":true,"agentVisible":true}}
	{"role":"user","created":3,"content":[{"type":"toolResponse","id":"c1","toolResult":{"status":"error","error":"bad JSON"}},{"type":"toolResponse","id":"c2","toolResult":{"status":"success","value":{"content":[{"type":"image","data":"iVBORw0KGgoAAAANSUhEUg==","mimeType":"image/png"},{"type":"resource_link","uri":"file:///a","name":"a"}],"isError":true}}}],"metadata":{"userVisible":true,"agentVisible":true}}
	X
	exits 0 ctx-clean --check --ignore tool-name in
	ctx-clean in | cmp - in
	ctx-convert -q --to anthropic in >got
	cat >want <<-'X'
	{"role":"user","content":["text","image","document"]}
	{"role":"assistant","content":["tool_use","tool_use"]}
	{"role":"user","content":["tool_result","tool_result"]}
	X
	jq -c '{role, content: [.content[].type]}' got >types
	same types want
	[ "$(jq -c '[.content[] | .tool_use_id, .is_error]' got | tail -n 1)" = \
	    '["c1",true,"c2",true]' ]
	[ "$(jq -c '.content[1].content | map(.type)' got | tail -n 1)" = '["image","text"]' ]
	[ "$(jq -r '.content[2].source.data' got | head -n 1)" = JVBERi0xLjQKJSVFT0YK ]
}

# real: the real agents' files; skip without them
real() { other_peoples; R=$CTX_DATA/agents; }

@test "agents: what is read from real sessions is what the agents sent" {
	real
	while read -r agent run requests session; do
		about "$agent $run"
		# one file each
		set -- "$R/$agent"/$session
		[ $# -eq 1 ]
		ctx-clean --unanswered repair "$1" |
		    ctx-convert -q --to openai --shape messages >converted
		python3 "$ROOT/tests/agents.py" "$agent" "$run" \
		    "$R/$agent/$requests.jsonl" converted >told || fail "$(cat told)"
		tail -n 1 told
	done <<-'X' >figures
	codex 2 run2.last.requests session.*b911-2f99c9d2df07.jsonl
	codex 3 run3.last.requests session.*8813-fa7e1923ee6f.jsonl
	codex 4 run4.last.requests session-after-*8813-fa7e1923ee6f.jsonl
	gemini-cli 2 run2.last.requests session.*cf04a6cd.jsonl
	gemini-cli 3 run3.last.requests session.*1b9e2b2c.jsonl
	gemini-cli 4 run4.last.requests session-after-*09-04-1b9e2b2c.jsonl
	qwen-code 2 run2.last.requests session.7f6539a3*
	qwen-code 3 run3.last.requests session.efb01985*
	qwen-code 4 run4.last.requests session-after-*efb01985*
	pi-chat 2 run2.last.requests session.*20-792Z*
	pi-chat 3 run3.last.requests session.*25-419Z*
	pi-chat 4 run4.last.requests session-after-*25-419Z*
	pi-messages 2 run2.last.requests session.*43-268Z*
	pi-messages 3 run3.last.requests session.*48-653Z*
	pi-messages 4 run4.last.requests session-after-*48-653Z*
	pi-gemini 2 run2.last.requests session.*54-776Z*
	pi-gemini 3 run3.last.requests session.*00-841Z*
	pi-gemini 4 run4.last.requests session-after-*00-841Z*
	pi-responses 2 run2.last.requests session.*31-605Z*
	pi-responses 3 run3.last.requests session.*37-234Z*
	pi-responses 4 run4.last.requests session-after-*37-234Z*
	opencode-chat 2 run2.last.requests session.ses_dfd835*
	opencode-chat 3 run3.last.requests session.ses_dfd8268*
	opencode-messages 2 run2.last.requests session.ses_dfd823*
	opencode-messages 3 run3.last.requests session.ses_dfd81f*
	continue 1 run1.last.requests session.47c32a83*
	continue 2 run2.last.requests session.d284d01e*
	cline 1 run1.last.requests session.1795338490417_q9z1u.messages.json
	cline 3 run3.last.requests session.1795338524857_nvtim.messages.json
	nanocoder 1 run1.last.requests session.285b6056*
	nanocoder 2 run2.last.requests session.1ee44c50*
	nanocoder 3 run3.last.requests session.ea889473*
	X
	[ "$(wc -l <figures)" -eq 32 ]
	# a reader that finds nothing would agree with nothing
	has -x 'pi-chat 2: 8 texts, 15 calls, 15 results are the same' figures
	[ "$(grep -c ' 15 calls, 15 results are the same' figures)" -ge 9 ]
}

@test "agents: no real session of a first run is flagged or changed" {
	real
	n=0
	for f in "$R"/{qwen-code/session.7f*,pi-*/session.*,opencode-*/*,continue/session.*-*,cline/*.messages.json,nanocoder/session.*-*}; do
		about "$f"
		case $f in
		*19Z_* | *53Z_* | *41Z_* | *34Z_* | *dfd8268* | *dfd81f* | *nvtim*) continue ;;
		esac
		n=$((n + 1))
		# the newest call may wait for its result
		ctx-clean --keep-pending "$f" | cmp - "$f"
		exits 0 ctx-truncate -n 1000000 "$f"
		same out "$f"
	done
	[ "$n" -ge 20 ]
	head -n 57 "$R"/gemini-cli/session.*cf04a6cd.jsonl >first
	exits 0 ctx-clean --check first
	ctx-clean first | cmp - first
	# what Gemini CLI doubles when it resumes is all that is wrong in its file
	exits 1 ctx-clean --check "$R"/gemini-cli/session.*cf04a6cd.jsonl
	[ "$(grep -c 'error\[orphan-result\]' out)" -eq 13 ]
	[ "$(wc -l <out)" -eq 13 ]
}

@test "agents: no request of a first run is flagged or changed" {
	real
	n=0
	for f in "$R"/*/run1*.requests.jsonl; do
		about "$f"
		exits 0 ctx-clean --check "$f"
		silent
		ctx-clean "$f" | cmp - "$f"
		n=$((n + $(wc -l <"$f")))
	done
	[ "$n" -ge 30 ]
}
