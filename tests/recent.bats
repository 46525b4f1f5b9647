# What ctx-store load -t, -m and --messages leave out: nothing that a cut with the
# same limit keeps.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

# rounds FROM TO: turns with a question, a call, its result and an answer.
rounds() {
	local i

	for ((i = $1; i <= $2; i++)); do
		echo '{"role":"user","content":"question '$i'"}'
		echo '{"role":"assistant","content":null,"tool_calls":[{"id":"c'$i'","type":"function","function":{"name":"f","arguments":"{}"}}]}'
		echo '{"role":"tool","tool_call_id":"c'$i'","content":"result '$i'"}'
		echo '{"role":"assistant","content":"answer '$i'"}'
	done
}

@test "recent: the beginning, system messages, what was asked, and the newest turns" {
	{
		echo '{"role":"system","content":"S1"}'
		rounds 1 20
		echo '{"role":"system","content":"S2"}'
		echo '{"about":"S2"}'
		rounds 21 200
	} >log
	ctx-store append S log
	ctx-store load S --messages 10 >got
	# more than 10 and a quarter and 16 of the newest, from the beginning of a
	# turn of the assistant on; the question that it belongs to; and what is
	# before the assistant's second turn
	{
		head -n 4 log
		grep S2 log
		grep '"question 193"' log
		tail -n 29 log
	} >want
	same got want
	for n in 1 10 30; do
		ctx-truncate -n $n log >want
		ctx-store load S --messages $n | ctx-truncate -n $n >got
		same got want
	done
	for n in 40 200 1000; do
		ctx-truncate -t $n log >want
		ctx-store load S -t $n >part
		[ "$(wc -l <part)" -lt "$(wc -l <log)" ]
		ctx-truncate -t $n part >got
		same got want
	done
	CONTEXT_WINDOW_TOKENS=7000 ctx-store load S -m gpt-4o >part
	[ "$(wc -l <part)" -lt "$(wc -l <log)" ]
	CONTEXT_WINDOW_TOKENS=7000 ctx-truncate -m gpt-4o log >want
	CONTEXT_WINDOW_TOKENS=7000 ctx-truncate -m gpt-4o part >got
	same got want
}

@test "recent: a log that fits, or has no beginning or no turn, is written whole" {
	rounds 1 3 >log
	ctx-store append S log
	ctx-store load S -t 10 >got
	same got log
	ctx-store load S -m gpt-4o >got
	same got log
	# only a user's messages
	rounds 1 90 | grep question >log
	ctx-store append U log
	ctx-store load U --messages 1 >got
	same got log
	ctx-store new empty
	ctx-store load empty -t 1 >got
	same got /dev/null
}

@test "recent: a reference to an earlier text, and sessions of agents, take the whole log" {
	{
		rounds 1 60
		echo '{"role":"user","content":"[same text as sent before: sha256:0123456789abcdef, 1000 chars]"}'
		echo '{"role":"assistant","content":"so"}'
	} >log
	ctx-store append S log
	ctx-store load S --messages 3 >got
	same got log
	cp "$DATA/logs/mend.claude-code.jsonl" log
	ctx-store append C log
	ctx-store load C --messages 3 >got
	same got log
}

@test "recent: a fork reads its parent's messages, too" {
	rounds 1 30 >log
	ctx-store append S log
	rounds 31 33 >more
	ctx-store append S -c other --parent main@100 more
	head -n 100 log >whole
	cat more >>whole
	ctx-store load S -c other --messages 9 >part
	[ "$(wc -l <part)" -lt 60 ]
	ctx-truncate -n 9 part >got
	ctx-truncate -n 9 whole >want
	same got want
}

@test "recent: what is no message stays or goes with what is before it, whatever its role says" {
	{
		rounds 1 20
		echo '{"role":"system","content":7}'
		rounds 21 40
		echo '{"role":"system","content":"S1"}'
		echo '{"role":"assistant","content":8}'
		echo '{"role":"system","content":9}'
		rounds 41 60
	} >log
	ctx-store append S log
	ctx-store load S --messages 5 >part
	[ "$(wc -l <part)" -lt 40 ]
	[ "$(grep -c 'content":[789]' part)" -eq 2 ]
	ctx-truncate -q -n 5 log >want
	ctx-truncate -q -n 5 part >got
	same got want
}

@test "recent: the tokens that messages name are those of the cut" {
	# each message says that it has 50
	rounds 1 60 | sed 's/}$/,"n":50}/' >log
	ctx-store append S log
	ctx-store load S -t 1000 --cost n >part
	# more than 1000 and a quarter and 200, which 30 messages have, from the
	# beginning of a turn on
	{
		head -n 3 log
		grep '"question 53"' log
		tail -n 31 log
	} >want
	same part want
	ctx-truncate -t 1000 --cost n log >want
	ctx-truncate -t 1000 --cost n part >got
	same got want
	[ "$(wc -l <got)" -eq 20 ]
}

@test "recent: a store of an earlier version, without the index, gives the same" {
	{
		rounds 1 40
		echo '{"role":"system","content":"S2"}'
		rounds 41 80
	} >log
	ctx-store append S log
	ctx-store load S --messages 5 >want
	sqlite3 db 'DROP INDEX message_beside; PRAGMA user_version = 3'
	ctx-store load S --messages 5 >got
	same got want
	has -q S2 got
}

@test "recent: options that read the log in another way are refused" {
	ctx-store new S
	for o in '-n 3' '--view v' '--since-seq 1' '--turns 1' --follow; do
		for limit in '-t 5' '-m gpt-4o' '--messages 5'; do
			about "$o $limit"
			# shellcheck disable=SC2086
			exits 2 ctx-store load S $o $limit
		done
	done
	exits 2 ctx-store load S -e o200k_base
}

@test "recent: any history gives the same, cut from a part and from the whole log" {
	local dialects=(openai anthropic gemini mistral bedrock cohere ollama)
	local n=${HISTORIES:-1}

	[ -n "${HISTORIES:-}${WHOLE:-}" ] || export SHARE=3

	if sanitized; then
		dialects=(anthropic)
	fi
	python3 "$ROOT/tests/recent.py" "$BUILD" "${SEED:-20261126}" "$n" sound \
	    "${dialects[@]}" >got || fail "$(cat got)"
	# with calls and results that do not match
	python3 "$ROOT/tests/recent.py" "$BUILD" "${SEED:-20261126}" "$n" links \
	    openai "${dialects[0]}" >more || fail "$(cat more)"
	# and with any damage
	python3 "$ROOT/tests/recent.py" "$BUILD" "${SEED:-20261126}" "$n" any \
	    gemini "${dialects[0]}" >more || fail "$(cat more)"
	# and most of the logs were not read as a whole
	read -r cuts _ parts _ <got
	[ "$parts" -ge $((cuts / 5)) ] || fail "$(cat got)"
}

@test "recent: dialects that need the whole log get it" {
	if sanitized; then
		skip "the other dialects are enough"
	fi
	[ -n "${WHOLE:-}" ] || export SHARE=3
	python3 "$ROOT/tests/recent.py" "$BUILD" "${SEED:-20261126}" 1 sound \
	    openai-responses langchain pydantic-ai ai-sdk sharegpt >got ||
	    fail "$(cat got)"
}
