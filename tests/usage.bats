# ctx-count --usage: what logs say that their requests cost.

setup() { load helpers; common_setup; export TZ=UTC; unset CTX_PRICES; }

# row NUMBERS... NAME: a row as it is printed; five numbers, or six with a cost.
row() {
	local n name=${!#}

	printf '%8s %12s %12s %10s %10s' "${@:1:5}"
	[ $# -lt 7 ] || printf ' %13s' "$6"
	printf ' %s\n' "$name"
}

# claude ID INPUT READ WRITTEN HOUR OUTPUT [TOOL]: a line of Claude Code.
claude() {
	local part='{"type":"text","text":"Done."}'

	[ $# -lt 7 ] ||
	    part='{"type":"tool_use","id":"toolu_'$7$6'","name":"'$7'","input":{}}'
	printf '%s' '{"type":"assistant","uuid":"'"$1-$6"'","sessionId":"s",' \
	    '"timestamp":"2026-03-0'"${DAY:-1}"'T23:30:00.000Z",' \
	    '"message":{"id":"'"$1"'","type":"message","role":"assistant",' \
	    '"model":"'"${MODEL:-claude-opus-4-5}"'","content":['"$part"'],' \
	    '"usage":{"input_tokens":'"$2"',"cache_read_input_tokens":'"$3" \
	    ',"cache_creation_input_tokens":'"$4"',"cache_creation":' \
	    '{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":' \
	    "$5"'},"output_tokens":'"$6"'}}}'
	echo
}

@test "usage: lines of one answer count once, with the last figures" {
	claude msg_00000001 10 1000 200 0 1 >in
	claude msg_00000001 10 1000 200 0 90 Read >>in
	claude msg_00000002 5 1200 100 0 40 >>in
	# a line of the first answer that comes late
	claude msg_00000001 10 1000 200 0 120 Bash >>in
	exits 0 ctx-count --usage in
	quiet
	row 2 2515 2200 300 160 in >want
	same out want
	exits 0 ctx-count --usage --json in
	wrote '{"session":"in","requests":2,"input_tokens":2515,"cached_tokens":2200,"written_tokens":300,"output_tokens":160}'
	exits 0 ctx-count --usage <in
	[ "$(cat out)" = '       2         2515         2200        300        160' ]
}

@test "usage: a copy of a session costs nothing more" {
	claude msg_00000001 10 0 0 0 7 >a
	{ cat a; claude msg_00000002 20 0 0 0 8; } >b
	exits 0 ctx-count --usage a b
	quiet
	{
		row 1 10 0 0 7 a
		row 1 20 0 0 8 b
		row 2 30 0 0 15 total
	} >want
	same out want
}

@test "usage: by day in local time, by model, by tool" {
	DAY=1 claude msg_00000001 10 0 0 0 1 Read >in
	DAY=2 MODEL=claude-haiku-4-5 claude msg_00000002 20 0 0 0 2 Bash >>in
	DAY=1 claude msg_00000003 40 0 0 0 3 >>in
	exits 0 ctx-count --usage=day in
	{ row 2 50 0 0 4 2026-03-01; row 1 20 0 0 2 2026-03-02; } >want
	same out want
	TZ=UTC-1 exits 0 ctx-count --usage=day in
	{ row 2 50 0 0 4 2026-03-02; row 1 20 0 0 2 2026-03-03; } >want
	same out want
	exits 0 ctx-count --usage=model in
	{ row 2 50 0 0 4 claude-opus-4-5; row 1 20 0 0 2 claude-haiku-4-5; } >want
	same out want
	exits 0 ctx-count --usage=tool in
	{ row 1 40 0 0 3 '(none)'; row 1 20 0 0 2 Bash; row 1 10 0 0 1 Read; } >want
	same out want
	exits 0 ctx-count --usage=tool --json in
	head -n 1 out >first
	echo '{"tool":"(none)","requests":1,"input_tokens":40,"cached_tokens":0,"written_tokens":0,"output_tokens":3}' >want
	same first want
}

@test "usage: an answer that calls two tools counts for both" {
	claude msg_00000001 10 0 0 0 1 Read >in
	claude msg_00000001 10 0 0 0 2 Bash >>in
	exits 0 ctx-count --usage=tool in
	{ row 1 10 0 0 2 Bash; row 1 10 0 0 2 Read; } >want
	same out want
}

# codex INPUT CACHED OUTPUT TOTAL: its two records of one request.
codex() {
	local u='"input_tokens":'$1',"cached_input_tokens":'$2',"output_tokens":'$3
	local t='"input_tokens":'$4',"cached_input_tokens":0,"output_tokens":0'

	echo '{"timestamp":"2026-03-01T08:00:00Z","type":"token_usage_record","payload":{"response_id":"resp_'"$4"'0000","usage":{'"$u"'},"thread_token_usage":{'"$t"'}}}'
	echo '{"timestamp":"2026-03-01T08:00:01Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{'"$t"'},"last_token_usage":{'"$u"'}}}}'
}

@test "usage: Codex writes each request twice, and the limits again" {
	{
		echo '{"timestamp":"2026-03-01T08:00:00Z","type":"session_meta","payload":{"id":"x"}}'
		echo '{"timestamp":"2026-03-01T08:00:00Z","type":"turn_context","payload":{"model":"gpt-5.5"}}'
		echo '{"timestamp":"2026-03-01T08:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Go."}]}}'
		echo '{"timestamp":"2026-03-01T08:00:00Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"call_1"}}'
		codex 100 80 7 107
		codex 100 80 7 107 | tail -n 1
		echo '{"timestamp":"2026-03-01T08:00:00Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"ok"}}'
		echo '{"timestamp":"2026-03-01T08:00:00Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}}'
		codex 150 100 9 266
	} >in
	exits 0 ctx-count --usage=model in
	row 2 250 180 0 16 gpt-5.5 >want
	same out want
	exits 0 ctx-count --usage=tool in
	{ row 1 150 100 0 9 '(none)'; row 1 100 80 0 7 shell; } >want
	same out want
}

@test "usage: prices of one's own, of a day, of long requests, and for an hour" {
	cat >prices <<-'EOF'
		# model  since above input cached written hour output
		opus*        -          0   5   0.5 6.25 10 25
		*opus-4-5    -          0   100 1   10   20 1000	# the longest holds
		*opus-4-5    2026-03-02 0   200 1   10   20 1000
		*opus-4-5    2026-03-02 500 300 2   20   40 2000
		half*        -          0   1.5 -   -    -  2.5
	EOF
	# 10 x 100 + 1000 x 1 + (200 - 50) x 10 + 50 x 20 + 7 x 1000 = 11500
	DAY=1 claude msg_00000001 10 1000 200 50 7 >in
	exits 0 ctx-count --usage --price=prices in
	quiet
	row 1 1210 1000 200 7 0.011500 in >want
	same out want
	# 500 tokens are not above 500: 500 x 200; 501 are: 501 x 300
	DAY=2 claude msg_00000002 500 0 0 0 0 >in
	exits 0 ctx-count --usage --price=prices in
	row 1 500 0 0 0 0.100000 in >want
	same out want
	DAY=2 claude msg_00000003 501 0 0 0 0 >in
	CTX_PRICES=prices exits 0 ctx-count --usage --json --price in
	wrote '{"session":"in","requests":1,"input_tokens":501,"cached_tokens":0,"written_tokens":0,"output_tokens":0,"cost":0.150300,"unpriced":0}'
}

@test "usage: a price that is not known is said, never 0" {
	echo 'half* - 0 1.5 - - - 2.5' >prices
	MODEL=half-1 claude msg_00000001 2 0 0 0 2 >in
	exits 0 ctx-count --usage --price=prices in
	row 1 2 0 0 2 0.000008 in >want
	same out want
	# what was read from a cache has no price
	MODEL=half-1 claude msg_00000002 2 1 0 0 2 >>in
	exits 0 ctx-count --usage --price=prices in
	row 2 5 1 0 4 0.000008+ in >want
	same out want
	says 'ctx-count: no price is known for half-1; add it to a table for --price'
	MODEL=nobodys claude msg_00000003 2 0 0 0 2 >in
	exits 0 ctx-count --usage --price in
	row 1 2 0 0 2 - in >want
	same out want
	exits 0 ctx-count -q --usage --json --price in
	wrote '{"session":"in","requests":1,"input_tokens":2,"cached_tokens":0,"written_tokens":0,"output_tokens":2,"unpriced":1}'
}

@test "usage: the table that is built in has the makers' prices" {
	# 1000 x 5 + 2000 x 0.5 + 400 x 6.25 + 10 x 25, by the maker's page
	claude msg_00000001 1000 2000 400 0 10 >in
	exits 0 ctx-count --usage --price in
	quiet
	row 1 3400 2000 400 10 0.008750 in >want
	same out want
}

@test "usage: prices are found by any spelling of a model's name" {
	for name in claude-opus-4-5 Claude-Opus-4-5 anthropic:Claude-Opus-4-5; do
		# 2 x 5 + 2 x 25
		MODEL=$name claude msg_00000001 2 0 0 0 2 >in
		exits 0 ctx-count --usage --price in
		row 1 2 0 0 2 0.000060 in >want
		same out want
	done
	# clouds name a region and a maker before it; the maker's price holds, above
	# 200000 tokens 2 x 6 + 250000 x 0.6 + 2 x 22.5
	for name in claude-sonnet-4-5-20250929 \
	    us.anthropic.claude-sonnet-4-5-20250929-v1:0 \
	    databricks-claude-sonnet-4-5 anthropic/claude-sonnet-4-5; do
		MODEL=$name claude msg_00000001 2 250000 0 0 2 >in
		exits 0 ctx-count --usage --price in
		row 1 250002 250000 0 2 0.150057 in >want
		same out want
	done
	# Vertex AI's own spelling: 2 x 15 + 2 x 75
	MODEL=claude-opus-4@20250514 claude msg_00000001 2 0 0 0 2 >in
	exits 0 ctx-count --usage --price in
	row 1 2 0 0 2 0.000180 in >want
	same out want
	# the table says which; libraries name a maker before it
	echo 'HALF-* - 0 1.5 - - - 2.5' >prices
	MODEL=half-1 claude msg_00000001 2 0 0 0 2 >in
	exits 0 ctx-count --usage --price=prices in
	row 1 2 0 0 2 0.000008 in >want
	same out want
}

@test "usage: an answer has its own model, or that of a record before it" {
	{
		echo '{"type":"ai","content":"a","id":"run--00000001","response_metadata":{"model_name":"m-langchain"},"usage_metadata":{"input_tokens":1,"output_tokens":1}}'
		echo '{"kind":"response","parts":[{"part_kind":"text","content":"b"}],"model_name":"m-pydantic","usage":{"input_tokens":2,"output_tokens":1}}'
		echo '{"output":{"message":{"role":"assistant","content":[{"text":"c"}]}},"stopReason":"end_turn","usage":{"inputTokens":4,"outputTokens":1}}'
		echo '{"model":"m-ollama","message":{"role":"assistant","content":"d"},"done":true,"prompt_eval_count":8,"eval_count":1}'
		echo '{"id":"00000005","message":{"role":"assistant","content":[{"type":"text","text":"e"}]},"usage":{"tokens":{"input_tokens":16,"output_tokens":1}}}'
	} >in
	exits 0 ctx-count -q --usage=model in
	{
		row 2 20 0 0 2 '(unknown)'
		row 1 8 0 0 1 m-ollama
		row 1 2 0 0 1 m-pydantic
		row 1 1 0 0 1 m-langchain
	} >want
	same out want
}

@test "usage: what is wrong is named" {
	claude msg_00000001 10 0 0 0 7 >in
	echo 'opus 1 2 3' >prices
	exits 3 ctx-count --usage --price=prices in
	says 'ctx-count: prices:1: a line has eight words: *'
	printf 'a - 0 1 1 1 1 1\na yesterday 0 1 1 1 1 1\n' >prices
	exits 3 ctx-count --usage --price=prices in
	says "ctx-count: prices:2: 'yesterday' is no day such as 2026-03-01, and not -"
	for bad in 'a - x 1 1 1 1 1' 'a - 0 -1 1 1 1 1' 'a - 0 1% 1 1 1 1' \
	    'a - 0 10001 1 1 1 1' 'a*b - 0 1 1 1 1 1'; do
		echo "$bad" >prices
		exits 3 ctx-count --usage --price=prices in
	done
	exits 4 ctx-count --usage --price=nowhere in
	exits 2 ctx-count --price in
	exits 2 ctx-count --usage=week in
	exits 2 ctx-count --usage --by-tool in
	echo '{"role":"user","content":"Hello."}' >none
	exits 1 ctx-count --usage none
	says 'ctx-count: none: no answer says what its request cost'
	exits 0 ctx-count --usage none in
	row 1 10 0 0 7 in >want
	same out want
}

@test "usage: of real sessions, what their own sums and an independent reader say" {
	[ -n "${CTX_DATA:-}" ] || skip "CTX_DATA is not set"
	local sums n=0

	cd "$CTX_DATA/agents"
	# both agents keep the sum of a session that ended
	for f in opencode-*/session.*.json cline/session.*.messages.json; do
		case $f in
		cline/*) sums=$(jq -r 'first(.. | objects | .aggregateUsage? // empty) | "\(.inputTokens) \(.outputTokens)"' \
		    "${f%.messages.json}.json") ;;
		*) sums=$(jq -r '.info.tokens | "\(.input + .cache.read + .cache.write) \(.output + .reasoning)"' "$f") ;;
		esac
		[ -n "$sums" ] || continue
		n=$((n + 1))
		ctx-count -q --usage "$f" | awk '{ print $2, $5 }' >"$T/got"
		echo "$sums" >"$T/want"
		same "$T/got" "$T/want"
	done
	[ "$n" -ge 5 ]
	cd "$CTX_DATA/transcripts"
	for f in claude-code-*.native.jsonl; do
		jq -n -r '[inputs | .message | select(.usage? and .role == "assistant")] | group_by(.id) |
		    map({ n: 1, i: (map(.usage | .input_tokens + .cache_read_input_tokens + .cache_creation_input_tokens) | max),
			o: (map(.usage.output_tokens) | max) }) |
		    "\(map(.n) | add) \(map(.i) | add) \(map(.o) | add)"' "$f" >"$T/want"
		ctx-count -q --usage "$f" | awk '{ print $1, $2, $5 }' >"$T/got"
		same "$T/got" "$T/want"
	done
}

@test "price: of what is counted, and of what a cache saves" {
	cat >prices <<-'EOF'
		tiny -          0   1 0.25 - - 1
		tiny -          500 2 0.5  - - 1
		tiny 2999-01-01 0   9 9    9 9 9
		half -          0   1 -    - - 1
	EOF
	echo '{"role":"user","content":"Hello.","n":400}' >a
	echo '{"role":"user","content":"Good bye.","n":501}' >b
	# a request of 501 tokens is long; one of 400 and their sum are not
	exits 0 ctx-count -q -m tiny --overhead 0 --cost n --price=prices a b
	{
		printf '%8s %8s %10s %13s %s\n' 400 1 43 0.000400 a
		printf '%8s %8s %10s %13s %s\n' 501 1 46 0.001002 b
		printf '%8s %8s %10s %13s %s\n' 901 2 89 0.001402 total
	} >want
	same out want
	exits 0 ctx-count -q --json -m tiny --overhead 0 --cost n --price=prices a
	[[ $(cat out) = *'"cost":0.000400'* ]]
	exits 0 ctx-count -q -m nobodys --overhead 0 --cost n --price=prices a
	printf '%8s %8s %10s %13s %s\n' 400 1 43 - a >want
	same out want
	# 400 tokens for 0.25 instead of 1
	exits 0 ctx-count -q -m tiny --overhead 0 --cost n --price=prices \
	    --common-prefix a a
	printf '%8s %8s %10s %13s %s\n' 400 1 43 0.000300 common >want
	same out want
	exits 0 ctx-count -q -m half --overhead 0 --cost n --price=prices \
	    --common-prefix a a
	printf '%8s %8s %10s %13s %s\n' 400 1 43 - common >want
	same out want
	exits 2 ctx-count --price a
	says 'ctx-count: --price needs -m, the model whose prices count, or --usage'
}
