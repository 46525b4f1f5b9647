# ctx-truncate: what is kept, as line numbers of the input.

setup() {
	load helpers
	common_setup
}

# keeps "1 4-6" COMMAND...: assert that the output is these lines of $T/in,
# without messages, and the same for one conversation line.
keeps() {
	local lines=$1

	shift
	chosen "$lines" >"$T/want"
	becomes_both "$@"
}

# The same for input that cannot be a conversation line.
keeps_lines() {
	local lines=$1

	shift
	chosen "$lines" >"$T/want"
	becomes "$@"
}

# Print lines of $T/in by numbers and ranges.
chosen() {
	local n

	for n in $1; do
		sed -n "${n/-/,}p" "$T/in"
	done
}

# The history that most tests cut.  Each message costs 10 tokens with --cost c.
history() {
	given <<-'X'
	{"role":"system","content":"Be terse.","c":10}
	{"role":"user","content":"What is there?","c":10}
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"cat","arguments":"{\"f\":1}"}}],"c":10}
	{"role":"tool","tool_call_id":"b","content":"B","c":10}
	{"role":"tool","tool_call_id":"a","content":"A","c":10}
	{"role":"assistant","content":"One file.","c":10}
	{"role":"developer","content":"Be kind.","c":10}
	{"role":"user","content":"Thanks","c":10}
	{"role":"assistant","content":"Bye","c":10}
	X
}

# plain N: write N messages, by a user and an assistant in turn, of 10 tokens
# each.
plain() {
	local i role=user

	for ((i = 1; i <= $1; i++)); do
		printf '{"role":"%s","content":"%d","c":10}\n' $role "$i"
		if [ $role = user ]; then role=assistant; else role=user; fi
	done >"$T/in"
}

# --- by number -------------------------------------------------------------------

@test "truncate: the last 40 messages by default" {
	plain 45
	keeps 6-45 ctx-truncate
	plain 40
	keeps 1-40 ctx-truncate
}

@test "truncate: system and developer messages stay in place and do not count toward N" {
	history
	keeps "1 7 9" ctx-truncate -n 1
	keeps "1 7 8 9" ctx-truncate -n 2
	keeps "1 6-9" ctx-truncate -n 3
}

@test "truncate: a call and all its results stay if N falls between them" {
	history
	keeps "1 3-9" ctx-truncate -n 4
	keeps "1 3-9" ctx-truncate -n 5
	keeps "1 3-9" ctx-truncate -n 6
	keeps 1-9 ctx-truncate -n 7
	keeps 1-9 ctx-truncate --last=8
}

@test "truncate: --edge drop removes such a group" {
	history
	keeps "1 6-9" ctx-truncate -n 5 --edge drop
	keeps "1 3-9" ctx-truncate -n 6 --edge drop
	keeps "1 3-9" ctx-truncate -n 5 --edge keep
}

@test "truncate: the newest group stays, whatever N is" {
	history
	edit 6,9d in
	keeps "1 3-5" ctx-truncate -n 1
	keeps "1 3-5" ctx-truncate -n 1 --edge drop
	keeps "1 3-5" ctx-truncate -n 2 -t 100 --cost c
}

@test "truncate: a call that was never answered is an ordinary message" {
	given <<-'X'
	{"role":"user","content":"1"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"user","content":"2"}
	{"role":"assistant","content":"3"}
	X
	keeps 3-4 ctx-truncate -n 2
	keeps 2-4 ctx-truncate -n 3
}

@test "truncate: a call that waits stays, whatever was said since" {
	given <<-'X'
	{"role":"user","content":"1"}
	{"role":"assistant","content":"2"}
	{"role":"user","content":"3"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"pay","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"b","content":"B"}
	{"role":"user","content":"4"}
	{"role":"user","content":"5"}
	X
	keeps "4 5 7" ctx-truncate -n 1
	keeps "3-5 7" ctx-truncate -n 1 --start-on user
	# it is not needed once the assistant goes on
	echo '{"role":"assistant","content":"6"}' >>in
	keeps 8 ctx-truncate -n 1
}

@test "truncate: --end-on: ends with what the model answers, or with an answer" {
	history
	keeps "1 6-8" ctx-truncate -n 2 --end-on user
	keeps 1-9 ctx-truncate -n 9 --end-on assistant
	edit 9d in
	keeps "1 6-7" ctx-truncate -n 1 --end-on assistant
	edit 6,8d in
	keeps 1-5 ctx-truncate -n 9 --end-on user
	exits 1 ctx-truncate -n 9 --end-on assistant in
	silent
	says "ctx-truncate: in: no message that fits is of the role that --end-on asks for"
}

@test "truncate: --first keeps the oldest messages that fit, in whole groups" {
	history
	keeps "1-2 7" ctx-truncate --first -n 1
	keeps "1-5 7" ctx-truncate --first -n 2
	keeps "1-2 7" ctx-truncate --first -n 2 --edge drop
	keeps "1-2 7" ctx-truncate --first -t 59 --cost c
	keeps "1-5 7" ctx-truncate --first -t 60 --cost c
	keeps "1-5 7" ctx-truncate --first -n 5 --end-on user
	keeps 1-9 ctx-truncate --first -n 9
	exits 1 ctx-truncate --first -t 29 --cost c in
	exits 2 ctx-truncate --first --step 2 in
	plain 5000
	keeps 1-7 ctx-truncate --first -n 7
}

@test "truncate: a reused id does not join two calls" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"1"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"2"}
	X
	keeps 3-4 ctx-truncate -n 1
	keeps 3-4 ctx-truncate -n 2
	keeps 1-4 ctx-truncate -n 3
}

@test "truncate: a system message between a call and its result does not separate them" {
	given <<-'X'
	{"role":"user","content":"1","c":10}
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}],"c":10}
	{"role":"system","content":"S","c":10}
	{"role":"tool","tool_call_id":"a","content":"A","c":10}
	{"role":"assistant","content":"2","c":10}
	X
	keeps 2-5 ctx-truncate -n 2
	keeps "3 5" ctx-truncate -n 2 --edge drop
	keeps "1 3 5" ctx-truncate --start-on user -t 30 --cost c
	keeps "1 3 5" ctx-truncate --start-on user -t 49 --cost c
	keeps 1-5 ctx-truncate --start-on user -t 50 --cost c
}

@test "truncate: MAX_MESSAGE_HISTORY must be from 10 to 100 and is never clamped" {
	plain 120
	keeps 111-120 env MAX_MESSAGE_HISTORY=10 ctx-truncate
	keeps 21-120 env MAX_MESSAGE_HISTORY=100 ctx-truncate
	keeps 81-120 env MAX_MESSAGE_HISTORY= ctx-truncate
	for v in 9 101 0 -1 x 10x 1e1; do
		exits 2 env MAX_MESSAGE_HISTORY=$v ctx-truncate <in
		silent
		says "ctx-truncate: MAX_MESSAGE_HISTORY*$v*"
	done
	# the range applies to the variable only, and the option overrides it
	keeps 116-120 env MAX_MESSAGE_HISTORY=10 ctx-truncate -n 5
	keeps 1-120 env MAX_MESSAGE_HISTORY=10 ctx-truncate -n 500
	exits 2 ctx-truncate -n 0 <in
	silent
}

# --- by tokens ---------------------------------------------------------------------

@test "truncate: -t keeps what fits, to the token" {
	history
	keeps 1-9 ctx-truncate -t 90 --cost c
	keeps "1 3-9" ctx-truncate -t 89 --cost c
	keeps "1 3-9" ctx-truncate --tokens 80 --cost c
	keeps "1 6-9" ctx-truncate -t 79 --cost c
	keeps "1 7-9" ctx-truncate -t 49 --cost c
	keeps "1 7 9" ctx-truncate -t 30 --cost c
}

@test "truncate: with a budget, a group that does not fit is dropped, whatever --edge is" {
	history
	keeps "1 6-9" ctx-truncate -t 79 --cost c --edge keep
	keeps "1 6-9" ctx-truncate -n 5 -t 1k --cost c
}

@test "truncate: of two limits, the stricter one applies" {
	history
	keeps "1 7-9" ctx-truncate -n 2 -t 90 --cost c
	keeps "1 6-9" ctx-truncate -n 7 -t 50 --cost c
	keeps "1 7-9" env MAX_MESSAGE_HISTORY=10 ctx-truncate -t 40 --cost c
}

@test "truncate: if what must stay does not fit: both numbers, exit 1, nothing written" {
	history
	exits 1 ctx-truncate -t 29 --cost c <in
	silent
	said "ctx-truncate: (standard input): what must stay takes 30 tokens, but the budget is 29"
	# the newest group must stay
	edit 6,9d in
	exits 1 ctx-truncate -t 39 --cost c in
	silent
	said "ctx-truncate: in: what must stay takes 40 tokens, but the budget is 39"
	# also if a system message follows it
	printf '{"role":"system","content":"S","c":5}\n' >>in
	exits 1 ctx-truncate -t 44 --cost c in
	silent
	said "ctx-truncate: in: what must stay takes 45 tokens, but the budget is 44"
	exits 0 ctx-truncate -t 45 --cost c in
}

@test "truncate: if one conversation does not fit, the others are written" {
	given <<-'X'
	{"s":"a","role":"user","content":"1","c":10}
	{"s":"b","role":"user","content":"2","c":50}
	{"s":"a","role":"user","content":"3","c":10}
	{"s":7,"role":"user","content":"4","c":10}
	X
	exits 1 ctx-truncate -t 20 --cost c --by s <in
	chosen "1 3 4" >want
	same out want
	said 'ctx-truncate: (standard input): "b": what must stay takes 50 tokens, but the budget is 20'
	printf '{"messages":[{"role":"user","content":"%d","c":%d}]}\n' \
	    1 10 2 50 3 20 >in
	exits 1 ctx-truncate -t 20 --cost c <in
	chosen "1 3" >want
	same out want
	said 'ctx-truncate: (standard input):2: what must stay takes 50 tokens, but the budget is 20'
}

@test "truncate: several files are separate conversations" {
	plain 3
	cp in one
	plain 5
	exits 0 ctx-truncate -n 2 one in
	{ sed -n 2,3p one; sed -n 4,5p in; } >want
	same out want
	exits 0 ctx-truncate -n 2 <(cat one in)
	sed -n 4,5p in >want
	same out want
}

@test "truncate: --cost takes an integer; without one the message is counted" {
	given <<-'X'
	{"role":"user","content":"1","c":99}
	{"role":"assistant","content":"12345678901234567890","c":"1"}
	{"role":"user","content":"12345","c":1.5}
	{"role":"assistant","content":"12345","c":0}
	X
	# characters / 2.5, plus 4: 12 and 6; the last has the cost 0
	keeps 2-4 ctx-truncate -e chars --cost c -t 18
	keeps 3-4 ctx-truncate -e chars --cost c -t 17
	keeps 2-4 ctx-truncate -e chars --cost c -t 10 --overhead 0
	edit '4s/"c":0/"c":10000000000/' in
	keeps 4 ctx-truncate -e chars --cost c -t 6
}

@test "truncate: numbers can have units" {
	plain 3
	keeps 1-3 ctx-truncate -t 1k --cost c
	keeps 1-3 ctx-truncate -t 8Ki -n 1k --cost c
	exits 2 ctx-truncate -t 1x <in
	silent
	exits 2 ctx-truncate -t '' <in
	silent
}

# --- the budget formula --------------------------------------------------------------

# budget N COMMAND...: assert that it reports a budget of N tokens.
budget() {
	local want=$1

	shift
	exits 0 "$@" -v <"$T/in"
	says "*; budget $want tokens"
}

@test "truncate: (window - reserve - system estimate) * ratio is the budget" {
	plain 3
	# (128000 - 4096 - 2000) * 0.60 = 73142.4
	budget 73142 ctx-truncate -m gpt-4o
	budget 73142 env CONTEXT_WINDOW_TOKENS=128000 ctx-truncate
	# (200000 - 4096 - 2000) * 0.60 = 116342.4
	budget 116342 env CONTEXT_WINDOW_TOKENS=200000 ctx-truncate
	# (128000 - 8000 - 2000) * 0.60 = 70800
	budget 70800 env OUTPUT_TOKEN_RESERVE=8000 ctx-truncate -m gpt-4o
	budget 70800 ctx-truncate -m gpt-4o --reserve 8k
	# (128000 - 4096 - 0) * 0.60 = 74342.4
	budget 74342 env SYSTEM_PROMPT_TOKEN_ESTIMATE=0 ctx-truncate -m gpt-4o
	budget 74342 ctx-truncate -m gpt-4o --system-estimate 0
	# (128000 - 4096 - 2000) * 0.5 = 60952
	budget 60952 env HISTORY_TOKEN_BUDGET_RATIO=0.5 ctx-truncate -m gpt-4o
	budget 60952 ctx-truncate -m gpt-4o --ratio 0.5
	budget 121904 ctx-truncate -m gpt-4o --ratio 1
	# options override variables, and -t overrides the formula
	budget 70800 env OUTPUT_TOKEN_RESERVE=1 ctx-truncate -m gpt-4o --reserve 8000
	budget 500 env CONTEXT_WINDOW_TOKENS=128000 ctx-truncate -t 500
}

@test "truncate: the window is --window, CONTEXT_WINDOW_TOKENS, the model's, 128000" {
	plain 3
	# (8192 - 4096 - 2000) * 0.60 = 1257.6
	budget 1257 ctx-truncate -m gpt-4
	# (7096 - 4096 - 2000) * 0.60 = 600
	budget 600 env CONTEXT_WINDOW_TOKENS=7096 ctx-truncate -m gpt-4
	[ "$(grep -c larger err)" = 0 ]
	budget 600 ctx-truncate -m gpt-4 --window 7096
	budget 600 env CONTEXT_WINDOW_TOKENS=99999 ctx-truncate -m gpt-4 --window 7096
	budget 600 ctx-truncate --window 7096
	# (99999 - 4096 - 2000) * 0.60 = 56341.8
	budget 56341 env CONTEXT_WINDOW_TOKENS=99999 ctx-truncate -m gpt-4
	says "ctx-truncate: a window of 99999 tokens is larger than that of the model, 8192 (--window and CONTEXT_WINDOW_TOKENS set it)*"
	budget 73142 ctx-truncate -m no-such-model
	says "ctx-truncate: the context window of this model is not known*128000*CONTEXT_WINDOW_TOKENS*"
	budget 116342 env CONTEXT_WINDOW_TOKENS=200000 ctx-truncate -m no-such-model
	[ "$(grep -c 'not known; assuming' err)" = 0 ]
	exits 2 ctx-truncate --window 0 <in
	silent
}

@test "truncate: --system takes the place of the estimate, and counts" {
	plain 3
	# 10 words: each is a token, as are "system" and 3 of framing
	printf 'one two three four five six seven eight nine ten\n' >prompt
	# (128000 - 4096 - 14) * 0.60 = 74334
	budget 74334 ctx-truncate -m gpt-4o --system prompt
	budget 74334 env SYSTEM_PROMPT_TOKEN_ESTIMATE=99 ctx-truncate -m gpt-4o --system prompt
	exits 2 ctx-truncate -m gpt-4o --system prompt --system-estimate 9 <in
	says '*--system-estimate and --system cannot be used together*'
	# a history of 3 * 10, and 14 for the prompt without a model
	keeps 1-3 ctx-truncate --cost c -t 44 --system prompt
	keeps 2-3 ctx-truncate --cost c -t 43 --system prompt
	exits 4 ctx-truncate --system missing <in
}

@test "truncate: tools that stand in a line count, unless --tools replaces them" {
	jq -nc '{messages: [{role:"user",content:"a b c"}, {role:"assistant",content:"d e f"}, {role:"user",content:"g h i"}], tools: [{name:"ls",description:"List all of the files in a folder",parameters:{type:"object",properties:{path:{type:"string"}}}}]}' >in
	n=$(ctx-count -q in | awk '{ print $1 }')
	jq -c 'del(.tools)' in >bare
	[ "$(ctx-count -q bare | awk '{ print $1 }')" = 21 ]
	[ "$n" -gt 30 ]
	exits 0 ctx-truncate -t "$n" in
	same out in
	exits 0 ctx-truncate -t $((n - 1)) in
	[ "$(jq '.messages | length' out)" = 2 ]
	echo '[{"name":"ls"}]' >tools
	m=$(ctx-count -q --tools tools in | awk '{ print $1 }')
	[ "$m" -lt "$n" ]
	exits 0 ctx-truncate -t "$m" --tools tools in
	same out in
	exits 0 ctx-truncate -t $((m - 1)) --tools tools in
	[ "$(jq '.messages | length' out)" = 2 ]
}

@test "truncate: a formula that leaves no budget is an error" {
	plain 3
	exits 2 env CONTEXT_WINDOW_TOKENS=6096 ctx-truncate <in
	silent
	says "*6096*4096*2000*"
	for v in HISTORY_TOKEN_BUDGET_RATIO=1.5 HISTORY_TOKEN_BUDGET_RATIO=x \
	    OUTPUT_TOKEN_RESERVE=x SYSTEM_PROMPT_TOKEN_ESTIMATE=-5 \
	    CONTEXT_WINDOW_TOKENS=0; do
		exits 2 env "$v" ctx-truncate <in
		silent
		says "ctx-truncate: ${v%%=*}*"
	done
}

@test "truncate: system messages use up their estimate first" {
	# a budget of (200 - 100 - 20) * 0.5 = 40 and 20 for system messages
	history
	edit 2,6d in
	set -- ctx-truncate --cost c --reserve 100 --system-estimate 20 \
	    --ratio 0.5
	keeps 1-4 env CONTEXT_WINDOW_TOKENS=200 "$@"
	# 50 for system messages: 30 are charged to the history
	edit 's/terse.","c":10/terse.","c":40/' in
	keeps "1 2 4" env CONTEXT_WINDOW_TOKENS=200 "$@"
	# with a plain budget, everything counts
	keeps "1 2 4" ctx-truncate --cost c -t 60
	exits 1 ctx-truncate --cost c -t 59 <in
}

# --- triggers --------------------------------------------------------------------------

@test "truncate: above 30 messages or 3000 tokens: the last 20 within 4000 (C2)" {
	set -- ctx-truncate --when-messages 30 --when-tokens 3000 -n 20 \
	    -t 4000 --cost c
	plain 30
	keeps 1-30 "$@"
	plain 31
	keeps 12-31 "$@"
	plain 10
	edit 's/10}/300}/' in
	keeps 1-10 "$@"
	plain 15
	edit 's/10}/300}/' in
	keeps 3-15 "$@"
}

@test "truncate: above 20 messages: system messages and the last 5 (D8)" {
	set -- ctx-truncate --when-messages 20 -n 5
	plain 20
	edit '1i\
{"role":"system","content":"S"}
' in
	keeps 1-21 "$@"
	plain 21
	edit '1i\
{"role":"system","content":"S"}
' in
	keeps "1 18-22" "$@"
}

@test "truncate: below its trigger a history may exceed the budget" {
	plain 4
	keeps 1-4 ctx-truncate --when-messages 4 -t 10 --cost c
	keeps 4 ctx-truncate --when-messages 3 -t 10 --cost c
}

# --- what stays and what is dropped --------------------------------------------------

@test "truncate: --keep-first, in whole groups, counts toward N" {
	history
	keeps "1 2 7 8 9" ctx-truncate -n 3 --keep-first 1
	keeps "1 2-5 7 9" ctx-truncate -n 5 --keep-first 2
	keeps "1 2 7 9" ctx-truncate -n 1 --keep-first 1
	keeps "1 2 7-9" ctx-truncate -t 50 --cost c --keep-first 1
	keeps 1-9 ctx-truncate -n 1 --keep-first 100
}

@test "truncate: --pin keeps messages with that member, and their groups" {
	history
	edit '4s/}$/,"pin":true}/' in
	keeps "1 3-5 7 8 9" ctx-truncate -n 5 --pin pin
	keeps "1 3-5 7 9" ctx-truncate -n 1 --pin pin
	keeps "1 3-5 7 9" ctx-truncate -t 69 --cost c --pin pin
	exits 1 ctx-truncate -t 59 --cost c --pin pin <in
	silent
	says "*takes 60 tokens, but the budget is 59"
	for v in false null; do
		edit "4s/\"pin\":[a-z]*/\"pin\":$v/" in
		keeps "1 7 9" ctx-truncate -n 1 --pin pin
	done
	for v in '""' 0 '{}' '"no"'; do
		history
		edit "8s/}\$/,\"pin\":$v}/" in
		keeps "1 7 8 9" ctx-truncate -n 1 --pin pin
	done
}

@test "truncate: --exclude-last omits the last messages, in whole groups" {
	history
	keeps "1 7 8" ctx-truncate -n 1 --exclude-last 1
	keeps "1 6 7" ctx-truncate -n 1 --exclude-last 2
	keeps "1 2 7" ctx-truncate -n 1 --exclude-last 4
	keeps "1 2 7" ctx-truncate -n 9 --exclude-last 6
	keeps "1 7" ctx-truncate -n 9 --exclude-last 7
	keeps "1-7 8" ctx-truncate -n 9 --exclude-last 1
	keeps "1 7 8" ctx-truncate -t 30 --cost c --exclude-last 1
}

@test "truncate: --start-on user keeps the request before the window, within N" {
	plain 2
	printf '{"role":"assistant","content":"%s","c":10}\n' 3 4 5 >>in
	keeps 3-5 ctx-truncate -n 3
	keeps "1 4 5" ctx-truncate -n 3 --start-on user
	keeps 3-5 ctx-truncate -n 3 --start-on any
	keeps "1 5" ctx-truncate -n 1 --start-on user
	keeps "1 5" ctx-truncate -t 29 --cost c --start-on user
	exits 1 ctx-truncate -t 19 --cost c --start-on user <in
	silent
	says "*takes 20 tokens, but the budget is 19"
	# a limit of messages alone is no reason to fail
	keeps "1 5" ctx-truncate -n 1 -t 100 --cost c --start-on user
	exits 2 ctx-truncate --start-on assistant <in
}

@test "truncate: hundreds of messages after one request: the request and the newest stay" {
	printf '{"role":"system","content":"S"}\n' >in
	printf '{"role":"user","content":"old"}\n' >>in
	printf '{"role":"user","content":"the task"}\n' >>in
	for i in {1..200}; do
		printf '{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"ls","input":{}}]}\n' "$i"
		printf '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%d"}]}\n' "$i" "$i"
	done >>in
	# Anthropic: the first message must be the user's, so auto means user
	keeps "1 3 396-403" ctx-truncate -n 10
	keeps "1 3 396-403" ctx-truncate -n 10 --start-on user
	keeps "1 394-403" ctx-truncate -n 10 --start-on any
	keeps "1 3 402-403" ctx-truncate -n 1
}

@test "truncate: a pinned message may need its request too" {
	given <<-'X'
	{"role":"user","content":"1"}
	{"role":"user","content":"2"}
	{"role":"assistant","content":"3","pin":1}
	{"role":"user","content":"4"}
	{"role":"assistant","content":"5"}
	{"role":"user","content":"6"}
	X
	keeps "3 6" ctx-truncate -n 2 --pin pin
	keeps "2 3 6" ctx-truncate -n 3 --pin pin --start-on user
}

@test "truncate: --note says what is missing, at the place where it is missing" {
	history
	{
		sed -n 1p in
		echo '{"role":"user","content":"[5 earlier messages left out here]"}'
		sed -n 7,9p in
	} >want
	becomes_both ctx-truncate -n 2 --note
	{
		sed -n 1p in
		echo '{"role":"user","content":"[1 earlier message left out here]"}'
		sed -n 3,9p in
	} >want
	becomes_both ctx-truncate -n 4 --note
	# with token counts if tokens are counted; the note is part of the
	# budget
	{
		sed -n '1p;7p' in
		echo '{"role":"user","content":"[6 earlier messages (60 tokens) left out here]"}'
		sed -n 9p in
	} >want
	becomes_both ctx-truncate -t 60 --cost c --note
	keeps 1-9 ctx-truncate -t 90 --cost c --note
	keeps 1-9 ctx-truncate -n 9 --note
	# what --exclude-last omits is not earlier
	keeps "1-8" ctx-truncate -n 9 --note --exclude-last 1
}

@test "truncate: a note has the key of its conversation and the line ends of the stream" {
	given <<-'X'
	{"s":"a","role":"user","content":"1"}
	{"s":"b","role":"user","content":"2"}
	{"s":"a","role":"user","content":"3"}
	X
	wanted <<-'X'
	{"s":"b","role":"user","content":"2"}
	{"role":"user","content":"[1 earlier message left out here]","s":"a"}
	{"s":"a","role":"user","content":"3"}
	X
	exits 0 ctx-truncate -n 1 --note --by s <in
	quiet
	# the position of the member does not matter
	edit 's/^{"s":"a",\("role":"user","content":"\[.*\]"\)}/{\1,"s":"a"}/' out
	same out want
	printf '{"role":"user","content":"1"}\r\n{"role":"user","content":"2"}\r\n' >in
	printf '{"role":"user","content":"[1 earlier message left out here]"}\r\n{"role":"user","content":"2"}\r\n' >want
	becomes ctx-truncate -n 1 --note
}

@test "truncate: --dropped contains what was cut; both together are the input" {
	history
	keeps "1 7-9" ctx-truncate -n 2 --dropped gone
	as_conversation <<-X >want
	$(chosen 2-6)
	X
	same gone want		# of the conversation line, which was cut second
	exits 0 ctx-truncate -n 2 --dropped gone <in
	chosen 2-6 >want
	same gone want
	exits 0 ctx-truncate -n 9 --dropped gone <in
	[ ! -s gone ]
	exits 0 ctx-truncate -n 2 --dropped /dev/fd/5 5>gone <in
	same gone want
	exits 4 ctx-truncate -n 2 --dropped /nonexistent/gone <in
	silent
	exits 4 ctx-truncate -n 2 --dropped /dev/full <in
}

@test "truncate: lines of a long stream are dropped as soon as possible, in order" {
	plain 5000
	edit 's/"user","content":"7"/"system","content":"7"/' in
	keeps_lines "7 4991-5000" ctx-truncate -n 10 --dropped gone
	chosen "1-6 8-4990" >want
	same gone want
	keeps_lines "7 4992-5000" ctx-truncate -t 100 --cost c --dropped gone
	chosen "1-6 8-4991" >want
	same gone want
	keeps_lines "1 7 4991-5000" ctx-truncate -n 11 --keep-first 1
	keeps_lines 7 ctx-truncate -n 10 --exclude-last 5000
}

# --- conversations -------------------------------------------------------------------

@test "truncate: --by cuts each conversation, and keeps the order of lines" {
	given <<-'X'
	{"s":"a","role":"user","content":"a1"}
	{"s":"b","role":"system","content":"b0"}
	{"role":"user","content":"none 1"}
	{"s":"b","role":"user","content":"b1"}
	{"s":"a","role":"user","content":"a2"}
	{"s":"b","role":"user","content":"b2"}
	{"s":"a","role":"user","content":"a3"}
	{"s":1,"role":"user","content":"1"}
	{"s":"1","role":"user","content":"\"1\""}
	{"role":"user","content":"none 2"}
	X
	keeps_lines "2 6 7 8 9 10" ctx-truncate -n 1 --by s
	keeps_lines "2-10" ctx-truncate -n 2 -b s
}

@test "truncate: a conversation line keeps its other members unchanged" {
	given <<-'X'
	{"id" : 1, "messages" : [ {"role":"system","content":"S"} , {"role":"user","content":"1"} ,{"role":"user","content":"2"} ], "t":1.10, "t":1e400}
	{"model":"m","system":"Be terse.","messages":[{"role":"user","content":"1"},{"role":"user","content":"2"}],"max_tokens":5}
	{"messages":[]}
	X
	wanted <<-'X'
	{"id" : 1, "messages" : [ {"role":"system","content":"S"} , {"role":"user","content":"2"} ], "t":1.10, "t":1e400}
	{"model":"m","system":"Be terse.","messages":[{"role":"user","content":"2"}],"max_tokens":5}
	{"messages":[]}
	X
	becomes ctx-truncate -n 1
}

@test "truncate: a request whose input is a string has an empty list without it" {
	given <<-'X'
	{"model":"m","input" : "[1,2] is it?", "n":1.10}
	{"instructions":"S","input":"\u00e9","model":"m"}
	X
	wanted <<-'X'
	{"model":"m","input" : [], "n":1.10}
	{"instructions":"S","input":[],"model":"m"}
	X
	becomes ctx-truncate -n 1 --exclude-last 1
	exits 0 ctx-truncate -q -n 1 --exclude-last 1 --dropped gone in
	same out want
	same gone in
	# in part it remains a string
	printf '{"model":"m","input":"%01000d ok"}\n' 0 >in
	exits 0 ctx-truncate -t 100 --encoding chars --partial --dropped gone in
	has -x '{"model":"m","input":"\[\.\.\. [0-9]* characters left out]\\n0* ok"}' out
	same gone in
}

@test "truncate: records that are not messages follow the message before them" {
	given <<-'X'
	{"meta":"first"}
	{"role":"system","content":"S"}
	{"meta":"of the system message"}
	{"role":"user","content":"1"}
	{"meta":"of 1"}
	{"role":"user","content":"2"}
	{"meta":"of 2"}
	[1, 2]

	{"role":"user","content":"3"}
	"of 3"
	X
	keeps_lines "1-3 10-11" ctx-truncate -q -n 1
	keeps_lines "1-3 6-11" ctx-truncate -q -n 2
	keeps_lines "1-3 6-9" ctx-truncate -q -n 1 --exclude-last 1
	exits 0 ctx-truncate -n 1 in
	has -F "in: 6 records are not messages and were kept or dropped" "$T/err"
}

@test "truncate: a running summary at the beginning stays, with its reply, and counts" {
	given <<-'X'
	{"role":"system","content":"S","c":10}
	{"role":"user","content":"[Context: Summary of earlier conversation (12 turns)]:\nThey talked.","c":10}
	{"role":"assistant","content":"Understood. I have the context from our earlier conversation.","c":10}
	{"role":"user","content":"1","c":10}
	{"role":"assistant","content":"2","c":10}
	{"role":"user","content":"[Context: Summary of earlier conversation (3 turns)]:\nno summary here","c":10}
	{"role":"assistant","content":"3","c":10}
	X
	keeps "1-3 6-7" ctx-truncate -n 4
	keeps "1-3 7" ctx-truncate -n 1
	keeps "1-3 7" ctx-truncate -t 49 --cost c
	exits 1 ctx-truncate -t 39 --cost c <in
	says "*takes 40 tokens, but the budget is 39"
	edit 's/(12 turns)/(x turns)/' in
	keeps "1 7" ctx-truncate -n 1
}

# --- files and bad input ---------------------------------------------------------------

@test "truncate: -i replaces the file, keeps its mode, and with a suffix the old file" {
	history
	chmod 640 in
	cp in old
	chosen "1 7-9" >want
	exits 0 ctx-truncate -i.bak -n 2 in
	quiet; silent
	same in want
	same in.bak old
	[ "$(mode_of in)" = 640 ]
	# if nothing is cut, the file is not replaced
	ino=$(inode_of in)
	exits 0 ctx-truncate -i -n 2 in
	same in want
	[ "$(inode_of in)" = "$ino" ]
}

@test "truncate: -i leaves a file unchanged if one of its conversations does not fit" {
	history
	cp in want
	exits 1 ctx-truncate -i -t 29 --cost c in
	says "*what must stay takes 30 tokens, but the budget is 29"
	same in want
	printf '{"messages":[{"role":"user","content":"1","c":%d}]}\n' 5 50 >in
	cp in want
	exits 1 ctx-truncate -i -t 29 --cost c in
	same in want
	[ "$(echo in*)" = in ]
}

@test "truncate: after a bad line, nothing of the conversation is written" {
	plain 3
	echo '{oops' >>in
	exits 3 ctx-truncate -n 2 in
	silent
	says "ctx-truncate: in:4:2: *"
	# conversations that are complete before it are written
	printf '{"messages":[{"role":"user","content":"%d"}]}\n' 1 2 >in
	echo '{oops' >>in
	exits 3 ctx-truncate -n 2 in
	sed -n 1,2p in >want
	same out want
	exits 3 ctx-truncate -i -n 2 in
	sed -n 1,2p in >want
	[ "$(wc -l <in)" = 3 ]
}

@test "truncate: --on-error skip and keep continue after a bad line, exit 3" {
	plain 4
	edit '2a\
{oops
' in
	exits 3 ctx-truncate -n 2 --on-error skip in
	chosen 4-5 >want
	same out want
	says "ctx-truncate: in:3:2: *"
	exits 3 ctx-truncate -n 3 --on-error keep in
	chosen 2-5 >want
	same out want
	# it belongs to the message before it
	exits 3 ctx-truncate -n 2 --on-error keep in
	chosen 4-5 >want
	same out want
}

@test "truncate: a missing newline on the last line stays missing" {
	printf '{"role":"user","content":"1"}\n{"role":"user","content":"2"}' >in
	printf '{"role":"user","content":"2"}' >want
	becomes ctx-truncate -n 1
	: >in
	: >want
	becomes ctx-truncate -n 1
}

@test "truncate: -v reports what was done, and how tokens were counted" {
	history
	exits 0 ctx-truncate -v -n 2 <in
	# 2 + 2 + 5 are the 9 messages
	said "ctx-truncate: 1 conversation, 1 of them cut; 2 messages and 2 of the system kept, 5 dropped"
	exits 0 ctx-truncate -v -t 40 --cost c -e cl100k_base <in
	said "ctx-truncate: 1 conversation, 1 of them cut; 2 messages and 2 of the system kept, 5 dropped (50 tokens, exact: cl100k_base); budget 40 tokens"
	exits 0 ctx-truncate -v -t 40 --cost c -e chars <in
	says "*, estimate: chars)*"
}

@test "truncate: one group of very many messages takes almost no time" {
	{
		printf '{"role":"user","content":"1"}\n'
		printf '{"role":"assistant","content":null,"tool_calls":['
		printf '{"id":"c%d","type":"function","function":{"name":"f","arguments":"{}"}},' {1..30000} |
		    sed 's/,$//'
		printf ']}\n'
		printf '{"role":"tool","tool_call_id":"c%d","content":"x"}\n' {1..30000}
	} >in
	chosen 2-30002 >want
	becomes timeout "$DEADLINE" ctx-truncate -n 5
	as_conversation <in >conv
	exits 0 timeout "$DEADLINE" ctx-truncate -n 5 --start-on user <conv
	same out conv
}

@test "truncate: a system message in a record stays, and the rest of it need not" {
	given <<-'X'
	{"kind":"request","parts":[{"part_kind":"system-prompt","content":"S"},{"part_kind":"user-prompt","content":"1"}]}
	{"kind":"response","parts":[{"part_kind":"text","content":"2"}]}
	{"kind":"request","parts":[{"part_kind":"user-prompt","content":"3"}]}
	{"kind":"response","parts":[{"part_kind":"text","content":"4"}]}
	X
	stays ctx-truncate -n 4
	system='{"kind":"request","parts":[{"part_kind":"system-prompt","content":"S"}]}'
	{ echo "$system"; sed -n 2,4p in; } >want
	becomes_both ctx-truncate -n 3
	{ echo "$system"; sed -n 4p in; } >want
	becomes_both ctx-truncate -n 1
}

@test "truncate: side conversations of a session keep their places" {
	side() {
		printf '{"type":"%s","uuid":"%s","isSidechain":%s,"sessionId":"s","message":{"id":"m%s","role":"%s","content":[{"type":"text","text":"%s"}]}}\n' \
		    "$2" "$1" "$3" "$1" "$2" "$1"
	}
	for i in 1 5; do
		side $i user false
		side $((i + 1)) user true
		side $((i + 2)) assistant false
		side $((i + 3)) assistant true
	done >in
	keeps_lines 1-8 ctx-truncate -n 4
	keeps_lines "5-8" ctx-truncate -n 2
}

@test "truncate: a compaction is never cut away from what follows" {
	{ echo '{"role":"user","content":"old"}'
	echo '{"type":"compaction","id":"cmp_1","encrypted_content":"e"}'
	for i in 1 2 3 4; do
		printf '%s\n' '{"type":"message","role":"user","content":"u'$i'"}' \
		    '{"type":"message","role":"assistant","content":"a'$i'"}'
	done; } >in
	{ sed -n 2p in; tail -n 2 in; } >want
	becomes ctx-truncate -n 3
	{ echo '{"role":"user","content":"old"}'
	echo '{"role":"assistant","content":[{"type":"compaction","content":"S"},{"type":"text","text":"a"}]}'
	for i in 1 2 3 4; do
		printf '%s\n' '{"role":"user","content":"u'$i'"}' \
		    '{"role":"assistant","content":"a'$i'"}'
	done; } >in
	# with the user's message before it, which the API may want first
	{ head -n 2 in; tail -n 2 in; } >want
	becomes ctx-truncate -d anthropic -n 4
}

@test "truncate: in a conversation, what is not a message goes with the one before it" {
	given <<-'X'
	{"messages":[null, {"role":"narrator","content":"0"},{"role":"system","content":"s"},7,{"role":"user","content":"a"},{"role":"narrator","content":"1"}, 8 ,{"role":"assistant","content":"b"}, {"role":"user","content":"c"},{"role":"narrator","content":"2"},{"role":"assistant","content":"d"} , null],"n":1}
	X
	wanted <<-'X'
	{"messages":[null, {"role":"narrator","content":"0"},{"role":"system","content":"s"},7,{"role":"user","content":"c"},{"role":"narrator","content":"2"},{"role":"assistant","content":"d"},null],"n":1}
	X
	exits 0 ctx-truncate -n 2 --dropped gone in
	same out want
	wanted <<-'X'
	{"messages":[{"role":"user","content":"a"},{"role":"narrator","content":"1"}, 8,{"role":"assistant","content":"b"}],"n":1}
	X
	same gone want
	# and what is kept is not put aside, even if nothing else is before it
	printf '%s\n' '{"messages":[null,{"role":"user","content":"a"}]}' >in
	exits 0 ctx-truncate -n 1 --dropped gone in
	same out in
	[ ! -s gone ]
}
