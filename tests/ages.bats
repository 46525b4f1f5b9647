#!/usr/bin/env bats
# What ctx-clean does to old results by their age in turns, results or tokens, by
# their tool, and to the calls.

setup() { load helpers; common_setup; }

user() { printf '{"role":"user","content":"%s"}\n' "$1"; }
answer() { printf '{"role":"assistant","content":"%s"}\n' "$1"; }
# call ID [TOOL [TEXT]]
call() {
	local text=null

	[ -z "${3:-}" ] || text="\"$3\""
	printf '{"role":"assistant","content":%s,"tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"{}"}}]}\n' \
	    "$text" "$1" "${2:-ls}"
}
result() { printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$1" "$2"; }
round() { call "$1" "${3:-ls}"; result "$1" "$2"; }

long=$(printf '%0100d' 7)
note='[tool result cleared: 100 chars]'
cut='0000000000\n... (truncated, 100 chars total)'

# turns A B C: three turns, of a round each with these results
turns() {
	user one; round a "$1"; answer ok
	user two; round b "$2"; answer ok
	user three; round c "$3"
}

# --- turns ---------------------------------------------------------------------

@test "ages: with --keep-turns only results of older turns are shortened" {
	turns "$long" "$long" "$long" | given
	turns "$cut" "$cut" "$long" | wanted
	becomes_both ctx-clean --max-result 10 --keep-turns 1 --step 0
	cp "$T/want" "$T/in"
	stays_both ctx-clean --max-result 10 --keep-turns 1 --step 0
	turns "$long" "$long" "$long" | given
	turns "$cut" "$long" "$long" | wanted
	becomes_both ctx-clean --max-result 10 --keep-turns 2 --step 0
	stays_both ctx-clean --max-result 10 --keep-turns 3 --step 0
	# the last message begins a turn
	{ turns "$long" "$long" "$long"; answer ok; user four; } | given
	{ turns "$cut" "$long" "$long"; answer ok; user four; } | wanted
	becomes_both ctx-clean --max-result 10 --keep-turns 3 --step 0
}

@test "ages: a result that would not be shorter stays" {
	# the marker has 32 characters
	turns "$(printf '%042d' 0)" "$(printf '%043d' 0)" x | given
	turns "$(printf '%042d' 0)" '0000000000\n... (truncated, 43 chars total)' x |
	    wanted
	becomes ctx-clean --max-result 10 --keep-turns 1 --step 0
}

@test "ages: what is old is shortened when it pays, and stays so" {
	# of 100 characters 56 go; again are sent 44 and what is behind them
	tail=$(printf '%0200d' 8)
	{ user one; round a "$long"; answer "$tail"; user two; } | given
	stays_both ctx-clean --max-result 10 --keep-turns 1
	{ user one; round a "$(printf '%0900d' 7)"; answer "$tail"; user two; } | given
	{
		user one
		round a '0000000000\n... (truncated, 900 chars total)'
		answer "$tail"; user two
	} | wanted
	becomes_both ctx-clean --max-result 10 --keep-turns 1
	more() { round b "$long"; answer "$tail"; user three; }
	cp "$T/in" begun
	cp "$T/want" begin
	{ cat begun; more; } | given
	{ cat begin; more; } | wanted
	becomes_both ctx-clean --max-result 10 --keep-turns 1
}

@test "ages: --keep-turns and the number of --clear-results both protect" {
	turns "$long" "$long" "$long" | given
	turns "$note" "$note" "$long" | wanted
	becomes_both ctx-clean --clear-results --keep-turns 1 --step 0
	becomes_both ctx-clean --clear-results=1 --keep-turns 1 --step 0
	turns "$note" "$long" "$long" | wanted
	becomes_both ctx-clean --clear-results=2 --keep-turns 1 --step 0
	becomes_both ctx-clean --clear-results=1 --keep-turns 2 --step 0
	stays_both ctx-clean --clear-results --keep-turns 3 --step 0
}

@test "ages: a user's message with results begins no turn" {
	cat <<-X | given
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"$long"},{"type":"text","text":"go on"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"$long"},{"type":"text","text":"go on"}]}
	X
	stays_both ctx-clean --clear-results --keep-turns 1 --step 0
	sed "s/$long/$note/" "$T/in" | wanted
	becomes_both ctx-clean --clear-results=0 --step 0
}

@test "ages: an old text that is shortened is stashed, and comes back" {
	turns "$long" "$long" x | given
	# with a hash the marker is longer than the text
	exits 0 ctx-clean --max-result 10 --keep-turns 1 --step 0 --stash s in
	same out in
	turns "$long$long" "$long" x | given
	hash=$(printf %s "$long$long" | sha256sum | cut -c 1-64)
	turns "0000000000\\n... (truncated, 200 chars total, sha256:$hash)" "$long" x |
	    wanted
	exits 0 ctx-clean --max-result 10 --keep-turns 1 --step 0 --stash s in
	same out want
	[ "$(cat "s/$hash")" = "$long$long" ]
	cp out again
	exits 0 ctx-clean --max-result 10 --keep-turns 1 --step 0 --stash s again
	same out again
	exits 0 ctx-clean --restore s again
	same out in
}

# --- tools ---------------------------------------------------------------------

# tools A B: two tools, with these results
tools() {
	user one; round a "$1" ls; round b "$2" cat; round c "$3" ls
}

@test "ages: --tool and --exclude choose whose results are shortened or cleared" {
	tools "$long" "$long" "$long" | given
	tools "$cut" "$long" "$cut" | wanted
	becomes_both ctx-clean --max-result 10 --tool ls
	becomes_both ctx-clean --max-result 10 --exclude cat
	becomes_both ctx-clean --max-result 10 --tool ls --tool cat --exclude cat
	tools "$cut" "$cut" "$cut" | wanted
	becomes_both ctx-clean --max-result 10 --tool ls --tool cat
	stays_both ctx-clean --max-result 10 --tool l
	# others are not among the newest
	tools "$note" "$long" "$long" | wanted
	becomes_both ctx-clean --clear-results=1 --step 0 --tool ls
	# and not shortened, although they are not cleared
	becomes_both ctx-clean --clear-results=1 --step 0 --tool ls --max-result 100
	tools "$note" "$long" "${long:0:40}\n... (truncated, 100 chars total)" |
	    wanted
	becomes_both ctx-clean --clear-results=1 --step 0 --tool ls --max-result 40
}

@test "ages: what repeats a result of another tool in a log is not shortened" {
	cat <<-X | given
	{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}
	{"timestamp":"t","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"a"}}
	{"timestamp":"t","type":"event_msg","payload":{"type":"exec_command_end","call_id":"a","aggregated_output":"$long"}}
	{"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"$long"}}
	X
	stays ctx-clean --max-result 10 --tool other
	sed "s/$long/0000000000\\\\n... (truncated, 100 chars total)/" "$T/in" | wanted
	becomes ctx-clean --max-result 10 --tool shell
}

# --- tokens --------------------------------------------------------------------

# A result of 100 characters has 40 tokens, its note 12, and a call one.
@test "ages: --keep-tokens keeps the newest results, as far as they fit" {
	chars=(-e chars --step 0)
	turns "$long" "$long" "$long" | given
	stays ctx-clean --clear-results --keep-tokens 120 "${chars[@]}"
	turns "$note" "$long" "$long" | wanted
	becomes ctx-clean --clear-results --keep-tokens 119 "${chars[@]}"
	becomes ctx-clean --clear-results --keep-tokens 80 "${chars[@]}"
	turns "$note" "$note" "$long" | wanted
	becomes ctx-clean --clear-results --keep-tokens 79 "${chars[@]}"
	turns "$note" "$note" "$note" | wanted
	becomes ctx-clean --clear-results --keep-tokens 39 "${chars[@]}"
	# of those that the turns do not keep; and the number protects, too
	turns "$note" "$long" "$long" | wanted
	becomes ctx-clean --clear-results --keep-tokens 40 --keep-turns 1 "${chars[@]}"
	becomes ctx-clean --clear-results=2 --keep-tokens 1 "${chars[@]}"
	turns "$cut" "$long" "$long" | wanted
	becomes ctx-clean --max-result 10 --keep-tokens 80 "${chars[@]}"
}

@test "ages: --min-gain waits until so many tokens can go" {
	chars=(-e chars --step 0)
	turns "$long" "$long" "$long" | given
	turns "$note" "$note" "$long" | wanted
	becomes_both ctx-clean --clear-results=1 --min-gain 56 "${chars[@]}"
	cp "$T/want" two
	stays_both ctx-clean --clear-results=1 --min-gain 57 "${chars[@]}"
	# what has gone does not count
	{ cat two; answer ok; user four; round d "$long"; } | given
	stays_both ctx-clean --clear-results=1 --min-gain 29 "${chars[@]}"
	# calls go without a note
	turns "$long" "$long" "$long" | given
	{ user one; answer ok; user two; answer ok; user three; round c "$long"; } | wanted
	becomes_both ctx-clean --prune-calls=1 --min-gain 82 "${chars[@]}"
	stays_both ctx-clean --prune-calls=1 --min-gain 83 "${chars[@]}"
	# where results go when it pays, it waits for both
	{ turns "$long" "$long" "$long"; answer ok; user four; } | given
	{ turns "$note" "$note" "$note"; answer ok; user four; } | wanted
	becomes_both ctx-clean -e chars --clear-results=0 --min-gain 84
	stays_both ctx-clean -e chars --clear-results=0 --min-gain 85
}

# big N TEXT: N results, of 10000 tokens each or with TEXT; two turns follow
big() {
	local i text

	text=$(printf '%025000d' 7)
	user one
	for i in $(seq 1 "$1"); do
		round "r$i" "$([ "$i" -le "$2" ] && echo '[tool result cleared: 25000 chars]' ||
		    echo "$text")"
	done
	user two; round x "$text"; user three; round y "$text"
}

@test "ages: OpenCode's rule is one line" {
	opencode=(ctx-clean -e chars --clear-results --keep-turns 2
	    --keep-tokens 40k --min-gain 20k --exclude skill --step 0)
	big 6 0 | given		# two could go: 2 x (10000 - 13)
	stays "${opencode[@]}"
	big 7 0 | given
	big 7 3 | wanted
	becomes "${opencode[@]}"
	big 8 0 | sed 's/"name":"ls"/"name":"skill"/' | given
	stays "${opencode[@]}"
}

# --- calls ---------------------------------------------------------------------

@test "ages: --prune-calls removes old calls with their results, and keeps texts" {
	calls() {
		user one
		printf '{"role":"assistant","content":"look","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"cat","arguments":"{}"}}]}\n'
		result a "$long"; result b "$long"; answer fine
		user two; call c; result c "$long"; answer fine
	}
	calls | given
	{
		user one; answer look; answer fine
		user two; call c; result c "$long"; answer fine
	} | wanted
	becomes_both ctx-clean --prune-calls=1 --step 0
	becomes_both ctx-clean --prune-calls --keep-turns 1 --step 0
	# the calls of a message go together
	stays_both ctx-clean --prune-calls=2 --step 0
	stays_both ctx-clean --prune-calls --step 0
	{ user one; answer look; answer fine; user two; answer fine; } | wanted
	becomes_both ctx-clean --prune-calls=0 --step 0
	{
		user one; call b cat look; result b "$long"; answer fine
		user two; answer fine
	} | wanted
	becomes_both ctx-clean --prune-calls=0 --step 0 --tool ls
	becomes_both ctx-clean --prune-calls=0 --step 0 --exclude cat
}

@test "ages: calls go when it pays, and what has gone stays so" {
	{ user one; round a "$(printf '%0900d' 7)"; answer ok; user two; } | given
	{ user one; answer ok; user two; } | wanted
	becomes_both ctx-clean --prune-calls=0
	cp "$T/want" begin
	{ user one; round a "$(printf '%0900d' 7)"; answer ok; user two; } >begun
	{ cat begun; round b "$long"; answer ok; user three; } >in
	exits 0 ctx-clean --prune-calls=0 in
	head -n "$(wc -l <begin)" out | cmp - begin
	# not before it was answered
	{ user one; round a "$(printf '%0900d' 7)"; } | given
	stays_both ctx-clean --prune-calls=0
}

@test "ages: a call that waits stays, one that will get no result goes" {
	{ user one; round a "$long"; call b; } | given
	{ user one; call b; } | wanted
	becomes ctx-clean --prune-calls=0 --step 0 --keep-pending
	{ user one; call a; user two; } | given
	{ user one; user two; } | wanted
	becomes_both ctx-clean --prune-calls=0 --step 0 --unanswered repair
	{ user one; call a; } | given
	stays_both ctx-clean --prune-calls=0 --step 0 --unanswered repair --keep-pending
}

@test "ages: what is left of calls is valid for each API" {
	cat <<-X | given
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"a","name":"ls","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}
	{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"look"},{"type":"tool_use","id":"b","name":"ls","input":{}},{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"x"},{"type":"text","text":"also"}]}
	X
	cat <<-'X' | wanted
	{"role":"user","content":"go"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"look"},{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}
	{"role":"user","content":[{"type":"text","text":"also"}]}
	X
	becomes_both ctx-clean --prune-calls=0 --step 0
	exits 0 ctx-clean --check want
	# reasoning goes if all that it led to has gone
	cat <<-X | given
	{"type":"message","role":"user","content":"go"}
	{"type":"reasoning","id":"rs_1","summary":[]}
	{"type":"function_call","call_id":"a","name":"ls","arguments":"{}"}
	{"type":"function_call_output","call_id":"a","output":"x"}
	{"type":"reasoning","id":"rs_2","summary":[]}
	{"type":"function_call","call_id":"b","name":"cat","arguments":"{}"}
	{"type":"function_call","call_id":"c","name":"ls","arguments":"{}"}
	{"type":"function_call_output","call_id":"b","output":"x"}
	{"type":"function_call_output","call_id":"c","output":"x"}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}
	X
	sed '2,4d;7d;9d' "$T/in" | wanted
	becomes ctx-clean --prune-calls=0 --step 0 --tool ls
	exits 0 ctx-clean --check want
	sed '2,9d' "$T/in" | wanted
	becomes ctx-clean --prune-calls=0 --step 0
	exits 0 ctx-clean --check want
	# a call that is signed for others stays with them
	cat <<-X | given
	{"role":"user","parts":[{"text":"go"}]}
	{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"cat","args":{}}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"x"}}},{"functionResponse":{"name":"cat","response":{"output":"x"}}}]}
	{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"name":"ls","args":{}},"thoughtSignature":"c2ln"}]}
	{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"x"}}}]}
	X
	sed '4,5d' "$T/in" | wanted
	becomes ctx-clean --prune-calls=0 --step 0 --tool ls
	exits 0 ctx-clean --check want
	sed '2,5d' "$T/in" | wanted
	becomes ctx-clean --prune-calls=0 --step 0
}

@test "ages: calls and results that are one part go, and records are linked anew" {
	for f in agents/opencode.json resume/opencode.json agents/continue.json \
	    agents/goose.json logs/team.codex.jsonl agents/qwen-code.jsonl; do
		about "$f"
		exits 0 ctx-clean "$DATA/$f"
		cp out in
		exits 0 ctx-count -q --by-tool --json in
		[ -s out ] || fail "no calls"
		exits 0 ctx-clean --prune-calls=0 --step 0 in
		cp out again
		exits 0 ctx-clean --prune-calls=0 --step 0 again
		same out again
		exits 0 ctx-clean --check again
		exits 0 ctx-count -q --by-tool --json again
		[ ! -s out ] || fail "calls are left"
	done
}

@test "ages: all that goes with calls is reported and counted" {
	{ user one; call a ls look; result a "$long"; call b; result b x; user two; } >in
	exits 0 ctx-clean --prune-calls=0 --step 0 --report rep -v in
	grep -qx 'ctx-clean: 6 records, 2 calls removed' err
	cat <<-'X' >want
	{"file":"in","line":2,"path":"/tool_calls/0","what":"left_out","reason":"prune-calls","id":"a","values":4,"bytes":2,"bytes_after":0,"tokens":1,"tokens_after":0}
	{"file":"in","line":3,"path":"","what":"left_out","reason":"prune-calls","id":"a","values":3,"bytes":100,"bytes_after":0,"tokens":34,"tokens_after":0}
	{"file":"in","line":4,"path":"/tool_calls/0","what":"left_out","reason":"prune-calls","id":"b","values":4,"bytes":2,"bytes_after":0,"tokens":1,"tokens_after":0}
	{"file":"in","line":5,"path":"","what":"left_out","reason":"prune-calls","id":"b","values":3,"bytes":1,"bytes_after":0,"tokens":1,"tokens_after":0}
	{"file":"in","line":4,"path":"","what":"left_out","reason":"empty-message","values":2,"bytes":121,"bytes_after":0,"tokens":0,"tokens_after":0}
	X
	same rep want
}

# unanswered N: a log with N calls, of which every third has a result.
unanswered() {
	local i

	for ((i = 1; i <= $1; i++)); do
		printf '{"role":"assistant","tool_calls":[{"id":"c%d","type":"function","function":{"name":"f","arguments":"{\\"a\\":\\"%0200d\\"}"}}]}\n' $i 0
		[ $((i % 4)) != 0 ] || printf '{"role":"user","content":"go on with %d"}\n' $i
		[ $((i % 3)) != 0 ] || printf '{"role":"tool","tool_call_id":"c%d","content":"%0100d"}\n' $i 0
	done
}

@test "ages: which calls go does not depend on results that are added in the same run" {
	local calls n

	for calls in 10 30 33; do
		unanswered $calls >log
		for n in 0 1 2 3; do
			about "$calls $n"
			ctx-clean --prune-calls=$n --unanswered repair log >in
			lacks -q '"c1"' in
			stays_both ctx-clean --prune-calls=$n --unanswered repair
		done
	done
}

@test "ages: with --prune-calls, reasoning of earlier turns goes where calls go" {
	think() {
		printf '{"role":"assistant","content":[%s{"type":"text","text":"ok"}]}\n' \
		    "${1:+{\"type\":\"thinking\",\"thinking\":\"$1\",\"signature\":\"s\"\},}"
	}
	use() {
		printf '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}\n'
		printf '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"%s"}%s]}\n' \
		    "${2:-x}" "${1:-}"
	}
	{ user one; think hm; user two; think hm; } | given
	{ user one; think; user two; think hm; } | wanted
	becomes_both ctx-clean --prune-calls --thinking last --step 0
	# alone it does not pay; with a call, 550 go and 110 are sent again
	{ user one; think hm; answer "$long"; user two; think hm; } | given
	stays_both ctx-clean --prune-calls=0 --thinking last
	with() {
		user one; think hm; answer "$long"; use '' "$(printf "%0$1d" 7)"
		answer ok; user two; think hm
	}
	with 539 | given
	stays_both ctx-clean --prune-calls=0 --thinking last
	with 540 | given
	{ user one; think; answer "$long"; answer ok; user two; think hm; } | wanted
	becomes_both ctx-clean --prune-calls=0 --thinking last
	# without its result, the message would begin a turn
	{
		user one; think hm
		use ',{"type":"text","text":"go on"}'
	} | given
	stays_both ctx-clean --prune-calls=0 --thinking last --step 0
}

@test "ages: reasoning that only led to calls goes with them, and none is left for a second run" {
	# what goes at a later place depends on what is left before it
	x() { printf "%0$1d" 0; }
	call='"content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]'
	more='{"role":"user","content":"'$(x 30)'"},{"role":"assistant","content":"ok"}'
	for n in {120..140}; do
		echo '{"messages":[{"role":"user","content":"q"},{"role":"assistant","thinking":"then",'"$call"'},{"role":"tool","tool_name":"f","content":"'$(x 138)'"},{"role":"assistant",'"$call"'},{"role":"tool","tool_name":"f","content":"'$(x $n)'"},{"role":"assistant","content":"'$(x 23)'"},'"$more,$more,$more,$more"']}'
	done >in
	exits 0 ctx-clean -d ollama --prune-calls=0 --thinking last in
	lacks thinking out
	cp out once
	exits 0 ctx-clean -d ollama --prune-calls=0 --thinking last once
	same out once
	# nor is an empty text sent again, which goes with its call: 128 go for 5 times
	# 8 + n
	for n in {14..21}; do
		echo '{"messages":[{"role":"user","content":"q"},{"role":"assistant","thinking":"'$(x 60)'",'"${call/\"\"/\"look\"}"'},{"role":"tool","tool_name":"f","content":"'$(x 200)'"},{"role":"assistant",'"$call"'},{"role":"tool","tool_name":"f","content":"'$(x 200)'"},{"role":"assistant",'"$call"'},{"role":"tool","tool_name":"f","content":"'$(x 60)'"},{"role":"assistant","content":"'$(x $n)'"},{"role":"user","content":"on"}]}'
	done >in
	exits 0 ctx-clean -d ollama --prune-calls=0 --thinking last in
	lacks thinking <(head -n 4 out)
	cp out once
	exits 0 ctx-clean -d ollama --prune-calls=0 --thinking last once
	same out once
	sed -n 5,8p out >in
	[ "$(grep -c thinking in)" -eq 4 ]
	# a text stays, and so does what led to it, until the next turn
	echo '{"messages":[{"role":"user","content":"q"},{"role":"assistant","thinking":"then","content":"look","tool_calls":[{"function":{"name":"f","arguments":{}}}]},{"role":"tool","tool_name":"f","content":"r"},{"role":"assistant","content":"ok"}]}' >in
	exits 0 ctx-clean -d ollama --prune-calls=0 --thinking last --step 0 in
	wrote '{"messages":[{"role":"user","content":"q"},{"role":"assistant","thinking":"then","content":"look"},{"role":"assistant","content":"ok"}]}'
}

# --- reasoning -----------------------------------------------------------------

@test "ages: --empty removes reasoning without a text that nothing needs" {
	empties() {
		cat <<-X
		{"role":"user","content":"go"}
		{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"redacted_thinking","data":"d"},$1{"type":"text","text":"a"}]}
		{"role":"user","content":"go"}
		X
	}
	empties '{"type":"thinking","thinking":" ","signature":""},' | given
	stays ctx-clean
	empties '' | wanted
	becomes_both ctx-clean --empty
	exits 0 ctx-clean --check want
	printf '{"role":"assistant","content":"a"%s}\n' ',"reasoning_content":"\n"' '' |
	    sed 's/^/{"role":"user","content":"go"}\n/' >both
	head -n 2 both | given
	tail -n 2 both | wanted
	becomes_both ctx-clean --empty
	printf '{"role":"model","parts":[%s{"text":"","thought":true,"thoughtSignature":"s"},{"text":"a"}]}\n' \
	    '{"text":"","thought":true},' '' | sed 's/^/{"role":"user","parts":[{"text":"go"}]}\n/' >both
	head -n 2 both | given
	tail -n 2 both | wanted
	becomes ctx-clean --empty
	# the API knows it by its id
	cat <<-'X' | given
	{"type":"message","role":"user","content":"go"}
	{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":""}]}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}
	X
	stays ctx-clean --empty
}

@test "ages: options that have no effect are refused" {
	: >in
	for o in '--keep-turns 3' '--keep-tokens 3' '--min-gain 3' '--tool ls' \
	    '--exclude ls' '--max-result 5 --step 3' '--max-result 5 --down-to 3' \
	    '--clear-results --prune-calls' '--prune-calls --clear-inputs' \
	    '--clear-results --keep-turns 0'; do
		# shellcheck disable=SC2086
		exits 2 ctx-clean $o in
		silent
	done
}
