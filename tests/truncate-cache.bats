#!/usr/bin/env bats
# ctx-truncate: cuts that keep a prompt cache, references, and what is dropped
# first.

setup() { load helpers; common_setup; }

# turns FROM TO: user and assistant messages with these numbers, of 10 tokens
# each by --cost n
turns() {
	local i role

	for i in $(seq "$1" "$2"); do
		role=assistant
		[ $((i % 2)) -eq 0 ] || role=user
		printf '{"role":"%s","content":"m%d","n":10}\n' $role "$i"
	done
}

# ctx-count by the estimate: 2 tokens for 5 characters, no overhead
by_chars=(-e chars --overhead 0)
digits() { printf '%*s' "$1" '' | tr ' ' "${2:-x}"; }

@test "step: with -n, the first group at a multiple of the step" {
	turns 1 40 >all
	# the window would begin at message 12, with 11 before it, so it begins
	# with 15 before it
	head -n 21 all >in
	turns 16 21 >want
	becomes_both ctx-truncate -n 10 --step 5
	# it stays there as long as no more than 15 must be dropped
	head -n 25 all >in
	turns 16 25 >want
	becomes_both ctx-truncate -n 10 --step 5
	head -n 26 all >in
	turns 21 26 >want
	becomes_both ctx-truncate -n 10 --step 5
}

@test "step: nothing is cut while everything fits" {
	turns 1 10 >in
	stays_both ctx-truncate -n 10 --step 5
	stays_both ctx-truncate -t 100 --cost n --step 30
}

@test "step: with a budget, it is in tokens or a share of the limit" {
	turns 1 40 >all
	head -n 21 all >in
	turns 16 21 >want
	becomes_both ctx-truncate -t 100 --cost n --step 50
	becomes_both ctx-truncate -t 100 --cost n --step 0.5
	turns 13 21 >want
	becomes_both ctx-truncate -t 100 --cost n --step 30
}

@test "step: groups stay whole, system messages do not count" {
	given <<-'E'
	{"role":"system","content":"s"}
	{"role":"user","content":"1"}
	{"role":"assistant","content":"2"}
	{"role":"user","content":"3"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"a","content":"5"}
	{"role":"tool","tool_call_id":"b","content":"6"}
	{"role":"user","content":"7"}
	{"role":"assistant","content":"8"}
	E
	# the window would begin at 3; at a multiple of 4 there is a result, so
	# it begins at 7
	sed -n '1p;8,$p' in >want
	becomes_both ctx-truncate -n 6 --step 4
}

@test "step: the cut is at the first position at or after the one required" {
	turns 1 7 >in
	# at message 2 the rest would fit; 10 is before it, so the cut is at 30
	turns 4 7 >want
	becomes_both ctx-truncate -t 60 --cost n --step 30
	printf '%s\n' '{"role":"user","content":"big","n":45}' \
	    '{"role":"assistant","content":"a","n":45}' \
	    '{"role":"user","content":"b","n":5}' >in
	# a and b would fit, with 45 before them, so the cut is at the first
	# group from 50 on: b, with 90 before it
	tail -n 1 in >want
	becomes_both ctx-truncate -t 50 --cost n --step 25
	# 45 is a multiple of 5
	tail -n 2 in >want
	becomes_both ctx-truncate -t 50 --cost n --step 5
}

@test "step: the request comes first, and the position stays" {
	{
		echo '{"role":"user","content":"do","n":10}'
		for i in $(seq 2 40); do
			echo '{"role":"assistant","content":"m'"$i"'","n":10}'
		done
	} >all
	head -n 20 all >in
	# 9 fit besides the request: the window would begin at 12, with 110
	# before it, so 150
	sed -n '1p;16,20p' in >want
	becomes_both ctx-truncate -t 100 --cost n --step 50 --start-on user
	head -n 24 all >in
	sed -n '1p;16,24p' in >want
	becomes_both ctx-truncate -t 100 --cost n --step 50 --start-on user
	head -n 25 all >in
	sed -n '1p;21,25p' in >want
	becomes_both ctx-truncate -t 100 --cost n --step 50 --start-on user
}

# thinks N: write a request that grows by a question or a call, N questions, with
# reasoning that is charged until the next question.
thinks() {
	local i k n=0 items=

	for ((i = 1; i <= $1; i++)); do
		items+="${items:+,}{\"n\":$((++n)),\"role\":\"user\",\"content\":\"q $i\"}"
		echo "{\"model\":\"gpt-5.4\",\"input\":[$items]}"
		for ((k = 1; k <= i % 4; k++)); do
			items+=",{\"n\":$((++n)),\"type\":\"reasoning\",\"id\":\"r$n\",\"summary\":[],\"encrypted_content\":\"$(digits 2500)\"}"
			items+=",{\"n\":$((++n)),\"type\":\"function_call\",\"call_id\":\"c$n\",\"name\":\"f\",\"arguments\":\"{}\"}"
			items+=",{\"n\":$((n + 1)),\"type\":\"function_call_output\",\"call_id\":\"c$n\",\"output\":\"$(digits 400)\"}"
			n=$((n + 1))
			echo "{\"model\":\"gpt-5.4\",\"input\":[$items]}"
		done
	done
}

@test "step: the position only moves forward, whatever is charged for thinking" {
	thinks 24 >in
	exits 0 ctx-truncate -m gpt-5.4 -t 2000 --step 0.4 in
	mv out short
	jq '.input[0].n' short >first
	[ "$(wc -l <first)" -eq "$(wc -l <in)" ]
	[ "$(tail -n 1 first)" -gt 30 ]
	sort -nc first
	exits 0 ctx-count -q -m gpt-5.4 --max 2000 short
}

@test "what is written fits where the end goes, and thinking is charged again" {
	thinks 8 >in
	for how in "--exclude-last 1" "--exclude-last 2" "--end-on user" "--first"; do
		# shellcheck disable=SC2086
		exits 0 ctx-truncate -m gpt-5.4 -t 1100 $how in
		mv out short
		[ "$(wc -l <short)" -eq "$(wc -l <in)" ]
		exits 0 ctx-count -q -m gpt-5.4 --max 1100 short
	done
	# an answer that is begun costs less than one that is not there
	echo '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"one two three"},{"role":"assistant","content":"four five"}]}' >in
	for t in 7 8 9 10; do
		ctx-truncate -q -m claude-sonnet-4-5 -t "$t" --exclude-last 1 in >short 2>/dev/null || continue
		exits 0 ctx-count -q -m claude-sonnet-4-5 --max "$t" short
	done
	[ "$t" -eq 10 ]
	has -F 'one two three' short
}

@test "step: a step that leaves nothing, or is not a number, is refused" {
	exits 2 ctx-truncate -n 10 --step 10 </dev/null
	says "ctx-truncate: --step 10 must be less than the limit, 10"
	exits 2 ctx-truncate -t 1k --step 1k </dev/null
	for step in x '' 100%; do
		exits 2 ctx-truncate -n 10 --step "$step" </dev/null
		says "ctx-truncate: --step: '$step' is not a number such as 10 or 2k, or a share such as 20%"
	done
	exits 2 ctx-truncate -n 10 --step -1 </dev/null
	exits 0 ctx-truncate -n 10 --step 9 </dev/null
}

# law MAX OPTIONS...: cut a real conversation at every third message, or, but for
# WHOLE=1, at fewer.  Each output must be within the limit; count those that do not
# begin with the one before.
law() {
	local n k=0 cuts=0 max=$1

	shift
	: >before
	some 9 9 3
	for n in $(seq 2 "$some" "$(wc -l <all)"); do
		head -n "$n" all >in
		ctx-truncate "$@" <in >now || return 1
		ctx-count --max "$max" now >/dev/null || return 1
		k=$((k + 1))
		if ! head -c "$(wc -c <before)" now | cmp -s - before; then
			cuts=$((cuts + 1))
		fi
		cp now before
	done
	echo "$cuts cuts in $k requests"
	echo "$cuts" >cuts
}

@test "step: a real session: no more cuts than there are steps" {
	cp "$DATA/logs/mend.openai.jsonl" all
	total=21053	# see tests/data/logs/README.md
	law 8000 -t 8000
	plain=$(cat cuts)
	law 8000 -t 8000 --step 3000
	[ "$(cat cuts)" -lt "$plain" ]
	[ "$(cat cuts)" -le $((total / 3000 + 1)) ]
}

@test "common prefix: messages, bytes and tokens" {
	turns 1 6 >old
	turns 1 9 >new
	exits 0 ctx-count --common-prefix --cost n old new
	wrote "      60        6        243 common"
	exits 0 ctx-count --common-prefix --cost n new old
	wrote "      60        6        243 common"
	exits 0 ctx-count --common-prefix --json --cost n old new
	wrote '{"common-prefix":"common","tokens":60,"messages":6,"bytes":243}'
}

@test "common prefix: it ends where the spelling of a message differs" {
	turns 1 6 >old
	sed '3s/"n":10/"n": 10/' old >new
	exits 0 ctx-count --common-prefix --cost n old new
	wrote "      20        2         81 common"
	exits 0 ctx-count --common-prefix --cost n /dev/null new
	wrote "       0        0          0 common"
}

@test "common prefix: lines and a conversation line" {
	turns 1 6 >old
	turns 1 9 | as_conversation >new
	exits 0 ctx-count --common-prefix --cost n old new
	# a conversation line has no newlines between messages
	wrote "      60        6        237 common"
}

@test "common prefix: with --min, too small a share of the new history is exit 1" {
	turns 1 6 >old
	turns 1 8 >new
	# 60 of 80 tokens
	exits 0 ctx-count --common-prefix --min 0.75 --cost n old new
	wrote "      60        6        243 common"
	exits 1 ctx-count --common-prefix --min 75.1% --cost n old new
	wrote "      60        6        243 common"
	says "ctx-count: new: 60 of 80 tokens are common, but --min needs 61"
	# the new one is all common, whatever is gone
	exits 0 ctx-count --common-prefix --min 1 --cost n new old
	# one spelling differs
	sed '3s/"n":10/"n": 10/' old >new
	exits 1 ctx-count --common-prefix --min 0.5 --cost n old new
	says "ctx-count: new: 20 of 60 tokens are common, but --min needs 30"
	exits 0 ctx-count --common-prefix --min 0.3 --cost n old new
	exits 2 ctx-count --common-prefix --min 2 old new
	exits 2 ctx-count --min 0.5 old
}

@test "common prefix: two files are required" {
	turns 1 2 >old
	exits 2 ctx-count --common-prefix old
	exits 2 ctx-count --common-prefix old old old
	exits 2 ctx-count --common-prefix --by x old old
	exits 2 ctx-count --common-prefix --per-message old old
	exits 4 ctx-count --common-prefix old missing
	silent
}

# a request, and two calls with results of $1 and $2 characters
two_results() {
	cat <<-E
	{"role":"user","content":"0123456789"}
	{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"a","content":"$(digits "$1" a)"}
	{"role":"assistant","content":"0123456789"}
	{"role":"assistant","content":"","tool_calls":[{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"b","content":"$(digits "$2" b)"}
	E
}

@test "priority: the oldest result is cleared before messages are dropped" {
	two_results 500 100 >in
	# 4 + 1+1 + 200 + 4 + 1+1 + 40 = 252; the note has 32 characters, 12
	# tokens
	sed "s/\"a\{500\}\"/\"[tool result cleared: 500 chars]\"/" in >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 251 --priority results
	stays_both ctx-truncate "${by_chars[@]}" -t 252 --priority results
}

@test "priority: a result in the part of its call is cleared" {
	local of call
	of=$(printf '%0500d' 0)
	# cleared DIALECT MESSAGE: that with its result, and a user's after it
	cleared() {
		printf '%s\n' "$2" "$3" >in
		sed "1s/$of/[tool result cleared: 500 chars]/" in >want
		becomes ctx-truncate -d "$1" -e chars -t 150 --priority results
	}
	call='"type":"tool","tool":"f","callID":"c","state":{"status":"completed","input":{},"output":"'$of'"}'
	cleared opencode \
	    '{"info":{"role":"assistant","id":"m1"},"parts":[{'"$call"'}]}' \
	    '{"info":{"role":"user","id":"m2"},"parts":[{"type":"text","text":"q"}]}'
	call='"type":"tool-f","toolCallId":"c","state":"output-available","input":{},"output":"'$of'"'
	cleared ai-sdk \
	    '{"id":"m1","role":"assistant","parts":[{'"$call"'}]}' \
	    '{"id":"m2","role":"user","parts":[{"type":"text","text":"q"}]}'
}

@test "priority: results are cleared first, then messages are dropped" {
	two_results 500 100 >in
	# with the note (32 characters, 12 tokens) there are 64
	sed "s/\"a\{500\}\"/\"[tool result cleared: 500 chars]\"/" in >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 64 --priority results
	# the newest group takes 42 tokens, the two before it 4 and 14
	tail -n 3 in >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 59 --priority results
	tail -n 2 in >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 45 --priority results
}

@test "priority: results no longer than the note stay, and so do pinned ones" {
	two_results 30 100 >in
	tail -n 5 in | sed 1,2d >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 50 --priority results
	two_results 500 100 | sed '3s/{/{"keep":true,/' >in
	exits 1 ctx-truncate "${by_chars[@]}" -t 200 --pin keep \
	    --priority results <in
}

@test "priority: the texts in an Anthropic result are cleared, images stay" {
	given <<-E
	{"role":"user","content":"0123456789"}
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"$(digits 5000)"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}
	{"role":"assistant","content":"0123456789"}
	E
	sed "s/\"x\{5000\}\"/\"[tool result cleared: 5000 chars]\"/" in >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 900 --priority results
}

@test "priority: a cleared result is complete among the dropped" {
	two_results 500 100 >in
	exits 0 ctx-truncate "${by_chars[@]}" -t 100 --priority results \
	    --dropped dropped -v <in
	sed -n 3p in >want
	same dropped want
	says "*; 1 without the bodies of results; budget 100 tokens"
	as_conversation <in >line
	exits 0 ctx-truncate "${by_chars[@]}" -t 100 --priority results \
	    --dropped dropped line
	sed -n 3p in | as_conversation >want
	same dropped want
}

@test "priority and partial need a budget" {
	exits 2 ctx-truncate -n 5 --priority results </dev/null
	says "ctx-truncate: --priority results needs a token budget (-t or -m)"
	exits 2 ctx-truncate -n 5 --partial </dev/null
	exits 2 ctx-truncate -t 50 --step 10 --partial </dev/null
	exits 2 ctx-truncate -t 50 --priority size </dev/null
}

@test "partial: the end of the oldest text that does not fit" {
	{
		echo '{"role":"user","content":"first"}'
		echo "{\"role\":\"assistant\",\"content\":\"$(digits 500 a)\"}"
		echo '{"role":"user","content":"0123456789"}'
	} >in
	# 60 - 4 = 56 tokens are 142 characters; the marker takes 30
	{
		printf '{"role":"assistant","content":"%s\\n%s"}\n' \
		    '[... 388 characters left out]' "$(digits 112 a)"
		echo '{"role":"user","content":"0123456789"}'
	} >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 60 --partial
	# the part would be too short
	tail -n 1 in >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 35 --partial
}

@test "partial: messages that are joined to the one in part count" {
	{
		echo '{"type":"message","role":"user","content":"first"}'
		printf '{"type":"message","role":"assistant","content":"%s"}\n' \
		    "$(digits 500 a)" "$(digits 25 b)"
		echo '{"type":"message","role":"user","content":"0123456789"}'
	} >in
	# 70 - 4 - 10 = 56 tokens are 142 characters; the marker takes 30
	{
		printf '{"type":"message","role":"assistant","content":"%s\\n%s"}\n' \
		    '[... 388 characters left out]' "$(digits 112 a)"
		sed -n '3,$p' in
	} >want
	becomes ctx-truncate "${by_chars[@]}" -t 70 --partial
	as_conversation <in | sed 's/messages/input/' >in.list
	as_conversation <want | sed 's/messages/input/' >want.list
	makes in.list want.list ctx-truncate "${by_chars[@]}" -t 70 --partial
	# nothing of it is left beside them
	tail -n 1 in >want
	becomes ctx-truncate "${by_chars[@]}" -t 40 --partial
}

@test "partial, priority: --cost is the cost of what is written" {
	{
		echo '{"role":"user","content":"first","n":7}'
		echo "{\"n\":204,\"role\":\"assistant\",\"content\":\"$(digits 500 a)\"}"
		echo '{"role":"user","content":"0123456789","n":8}'
	} >in
	# 60 - 8 are left, of which 204 - 200 are not the text's: 48 tokens are
	# 122 characters, of which the marker takes 30; 4 + 48 is 52
	{
		printf '{"n":52,"role":"assistant","content":"%s\\n%s"}\n' \
		    '[... 408 characters left out]' "$(digits 92 a)"
		echo '{"role":"user","content":"0123456789","n":8}'
	} >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 60 --partial --cost n
	# a text of 500 characters has 200 tokens, the note in its place 12
	two_results 500 100 | sed '3s/{/{"n":1000,/' >in
	two_results 500 100 |
	    sed '3s/{/{"n":812,/; 3s/a\{500\}/[tool result cleared: 500 chars]/' >want
	exits 0 ctx-truncate "${by_chars[@]}" -t 950 --priority results --cost n in
	same out want
}

@test "partial: escapes and surrogate pairs are not split" {
	long=$(for i in $(seq 200); do printf '\\ud83d\\ude00é\\n"'; done |
	    sed 's/"/\\"/g')
	printf '{"role":"user","content":"%s"}\n' "$long" >in
	for t in $(seq 40 60); do
		exits 0 ctx-truncate "${by_chars[@]}" -t "$t" --partial in
		jq -e . out >/dev/null
		lacks '\[... 800' out
		# no half of a pair is left
		lacks -E 'left out\]\\n(\\ude00|ude00|n|")' out
		ctx-count "${by_chars[@]}" --max "$t" out >/dev/null 2>&1
	done
}

@test "partial: a message of which nothing fits beside its name is dropped" {
	{
		echo '{"role":"user","content":"first"}'
		printf '{"role":"user","name":"%s","content":"%s"}\n' \
		    "$(digits 200 n)" "$(digits 500 a)"
	} >in
	exits 1 ctx-truncate "${by_chars[@]}" -t 60 --partial in
	silent
	says 'ctx-truncate: in: no part of a message fits the budget*'
	echo '{"role":"user","content":"0123456789"}' | tee -a in >want
	exits 0 ctx-truncate -v "${by_chars[@]}" -t 60 --partial in
	same out want
	says '*1 message kept, 2 dropped*'
}

@test "partial: records that are no messages stay after a part" {
	{
		echo '{"role":"user","content":"first"}'
		echo '{"event":"start"}'
		echo "{\"role\":\"assistant\",\"content\":\"$(digits 500 a)\"}"
		echo '{"event":"pause"}'
		echo '{"event":"go on"}'
		echo '{"role":"user","content":"0123456789"}'
		echo '{"event":"end"}'
	} >in
	{
		printf '{"role":"assistant","content":"%s\\n%s"}\n' \
		    '[... 388 characters left out]' "$(digits 112 a)"
		sed -n '4,$p' in
	} >want
	becomes ctx-truncate -q "${by_chars[@]}" -t 60 --partial
	# the newest message, of which a part must stay
	sed -n '3,5p' in >lines
	mv lines in
	{
		printf '{"role":"assistant","content":"%s\\n%s"}\n' \
		    '[... 378 characters left out]' "$(digits 122 a)"
		sed -n '2,$p' in
	} >want
	becomes ctx-truncate -q "${by_chars[@]}" -t 60 --partial
	# nothing fits of this one
	{
		sed -n 's/"content/"name":"'"$(digits 500 n)"'",&/p' in
		tail -n 2 in
		echo '{"role":"user","content":"0123456789"}'
	} >lines
	mv lines in
	tail -n 1 in >want
	becomes ctx-truncate -q "${by_chars[@]}" -t 60 --partial
}

@test "partial: the newest message, and the request before it" {
	echo "{\"role\":\"user\",\"content\":\"$(digits 500 a)\"}" >in
	printf '{"role":"user","content":"[... 378 characters left out]\\n%s"}\n' \
	    "$(digits 122 a)" >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 60 --partial
	echo '{"role":"assistant","content":"0123456789"}' | tee -a in >>want
	edit 's/378 c/388 c/; s/a\{122\}/'"$(digits 112 a)"'/' want
	becomes_both ctx-truncate "${by_chars[@]}" -t 60 --partial \
	    --start-on user
}

@test "partial: tool results and calls are never kept in part" {
	two_results 500 10 >in
	tail -n 3 in >want
	becomes_both ctx-truncate "${by_chars[@]}" -t 100 --partial
}

ref() {
	printf '[same text as sent before: sha256:%s, %d chars]' \
	    "$(printf %s "$1" | sha256sum | cut -c 1-16)" "${#1}"
}

# a long text sent by a tool, to which a later result refers
referring() {
	local long

	long=$(digits 300 z)
	cat <<-E
	{"role":"user","content":"1","n":10}
	{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}],"n":10}
	{"role":"tool","tool_call_id":"a","content":"$long","n":100}
	{"role":"user","content":"4","n":10}
	{"role":"assistant","content":"5","n":10}
	{"role":"assistant","content":"","tool_calls":[{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}],"n":10}
	{"role":"tool","tool_call_id":"b","content":"$(ref "$long")","n":10}
	{"role":"user","content":"8","n":10}
	E
}

@test "references: the text stays, with its group" {
	referring >in
	sed -n '2,3p;6,8p' in >want
	becomes_both ctx-truncate -t 140 --cost n
	sed -n '2,3p;5,8p' in >want
	becomes_both ctx-truncate -t 150 --cost n
	# the same number of messages
	sed -n '2,3p;6,8p' in >want
	becomes_both ctx-truncate -n 5
}

@test "references: a reference that does not fit with its text is dropped" {
	referring >in
	tail -n 1 in >want
	becomes_both ctx-truncate -t 139 --cost n
	head -n 7 in >in2
	exits 1 ctx-truncate -t 129 --cost n in2
	says "*what must stay takes 130 tokens, but the budget is 129"
	silent
}

@test "references: the request before the text stays" {
	referring >in
	sed -n '1,3p;6,8p' in >want
	becomes_both ctx-truncate -t 150 --cost n --start-on user
}

@test "references: the hash is of the text, however it is spelled" {
	text=$(printf 'é%.0s' $(seq 250))
	spelled=$(printf '\\u00e9%.0s' $(seq 250))
	{
		echo "{\"role\":\"user\",\"content\":\"$spelled\"}"
		turns 2 5
		echo "{\"role\":\"user\",\"content\":\"$(ref "$text")\"}"
	} >in
	sed -n '1p;6p' in >want
	becomes_both ctx-truncate -n 2
}

@test "references: -v names a reference to a text that was cut" {
	echo '{"role":"user","content":"'"$(ref nothing)"'"}' >in
	cp in want
	exits 0 ctx-truncate -v in
	same out want
	says "ctx-truncate: in:1: it refers to a text that was cut"
	becomes ctx-truncate
}

@test "references: those written by ctx-clean --dedupe are recognized" {
	referring | sed "s/\[same text[^]]*\]/$(digits 300 z)/" >full
	ctx-clean --dedupe=200 full >in
	grep -q 'same text as sent before' in
	sed -n '2,3p;6,8p' in >want
	becomes_both ctx-truncate -t 140 --cost n
}

@test "references: a stream far longer than its window" {
	{
		referring | head -n 3
		turns 4 5 >two
		awk '{ all = all $0 "\n" }
		    END { for (i = 0; i < 3000; i++) printf "%s", all }' two
		referring | tail -n 3
	} >in
	{ sed -n 2,3p in; tail -n 3 in; } >want
	becomes ctx-truncate -n 5
}

# --- the two tracks ----------------------------------------------------------

# Add a number to each line, as a member.
numbered() { awk '{ sub(/^{/, "{\"seq\":" NR ","); print }' "$1"; }

# Merge the two files by these numbers, which must be in order.  For a message
# that was kept in part, the complete one is among the dropped.
recombine() {
	sort -c -t: -k2n kept && sort -c -t: -k2n dropped &&
	    sort -m -s -u -t: -k2n dropped kept
}

@test "two tracks: the full one is not changed, and kept and dropped together are all" {
	numbered "$DATA/logs/audit.openai.jsonl" |
	    head -n 300 >all
	cp all full
	for o in "-n 10" "-t 25k" "-t 25k --step 0.5" \
	    "-n 30 --start-on user" "-t 20k --partial" \
	    "-n 20 --keep-first 3"; do
		# shellcheck disable=SC2086
		exits 0 ctx-truncate $o --dropped dropped all
		cp out kept
		[ -s dropped ]
		recombine >got
		same got all
		same all full
		# made from the full track again, the output is the same
		# shellcheck disable=SC2086
		exits 0 ctx-truncate $o all
		same out kept
	done
}
