# The logs in tests/data/logs are what their generators give, valid where they
# should be, and faulty where they should be.  Their contents are read by
# logs.py and counted by tokens.mjs, which share no code with ctx.

setup_file() {
	PYTHONDONTWRITEBYTECODE=1 "$BATS_TEST_DIRNAME/data/logs/make" all \
	    "$BATS_FILE_TMPDIR/all"
}

setup() {
	load helpers
	common_setup
	L=$DATA/logs
	ALL=$BATS_FILE_TMPDIR/all
}

# told FILE...: print what logs.py prints about them, without their names.
told() { python3 "$ROOT/tests/logs.py" "$@" | sed 's/ [^ ]*$//'; }

# findings FILE: print the line and rule of each finding, sorted by line.
findings() {
	ctx-clean --check "$1" | sed -E 's/^.*:([0-9]+):[0-9]+: [a-z]+\[([a-z-]*)\].*/\1 \2/' |
	    sort -n
}

@test "logs: the writers make the same logs from the traces again" {
	exits 0 "$L/make" check write
	[ "$(cat out)" = 'logs: up to date' ]
}

@test "logs: the tools give the same results again" {
	once
	# two; check-whole plays all of them
	exits 0 "$L/make" check play parallel zh
	tail -n 1 out | grep -qx 'logs: up to date'
}

@test "logs: all are valid, and clean does not change them" {
	# some hold several sessions
	exits 0 ctx-clean --check --ignore second-root --ignore other-session \
	    "$L"/*.jsonl "$ALL"/*.jsonl
	silent
	for f in "$L"/*.jsonl "$ALL"/*.jsonl; do
		in_turn 3 7 || continue
		ctx-clean "$f" >out
		same out "$f"
	done
	set -- "$ALL"/*.jsonl
	[ $# -eq 177 ]
}

@test "logs: independent validators accept them" {
	for f in "$L"/*.openai.jsonl "$L"/*.anthropic.jsonl; do
		d=${f%.jsonl}
		d=${d##*.}
		jq -c 'if .messages then . else empty end' "$f" >conversations
		if [ ! -s conversations ]; then
			jq -sc '{messages: .}' "$f" >conversations
		fi
		exits 0 python3 "$ROOT/tests/validate.py" "$d" --request \
		    <conversations
	done
}

@test "logs: every form of a trace has the same contents" {
	set --
	for f in "$ALL"/*.jsonl; do
		case $f in *.text.jsonl) ;; *) set -- "$@" "$f" ;; esac
	done
	python3 "$ROOT/tests/logs.py" "$@" >told
	for row in 'mend 8 28 80 80' 'audit 15 105 156 156' \
	    'parallel 5 9 30 30' 'bookings 683 720 492 492' 'tasks 29 50 64 64' \
	    'research 4 9 13 13' 'team 5 15 22 22' 'zh 8 19 20 20'; do
		grep -F " ${row%% *}." told | grep -v ' team.codex' >forms
		[ "$(wc -l <forms)" -ge 18 ]
		# the numbers of users, agents, calls and results; then digests
		# of their texts
		[ "$(cut -d ' ' -f 1-4 forms | sort -u)" = "${row#* }" ]
		[ "$(cut -d ' ' -f 5 forms | sort -u | wc -l)" -eq 1 ]
		# a session file of Claude Code adds line numbers to what was
		# read
		[ "$(grep -v claude-code forms | cut -d ' ' -f 6 | sort -u |
		    wc -l)" -eq 1 ]
	done
	# Codex stores a subagent in a rollout of its own
	[ "$(awk '/ team.*codex/ { u += $1; s += $2; c += $3; r += $4 }
	    END { print u, s, c, r }' told)" = '5 15 22 22' ]
}

@test "logs: converting keeps the contents" {
	logs=()
	for name in mend zh research parallel; do
		for s in openai claude-code codex gemini sharegpt bedrock cohere \
		    gemini-cli qwen-code pi opencode continue goose otel; do
			logs+=("$ALL/$name.$s.jsonl")
			for t in openai openai-responses anthropic gemini langchain \
			    pydantic-ai ai-sdk sharegpt bedrock cohere ollama mistral; do
				in_turn 5 7 || continue
				ctx-convert -q --to $t "$ALL/$name.$s.jsonl" \
				    >"$name-$s.$t.jsonl"
			done
		done
	done
	python3 "$ROOT/tests/logs.py" "${logs[@]}" |
	    sed 's/\.\([^ .]*\)\.jsonl$/-\1/' | sort >want
	python3 "$ROOT/tests/logs.py" ./*-*.*.jsonl |
	    sed 's/\.[^ .]*\.jsonl$//' | sort -u >got
	same got want
}

@test "logs: token counts are those of tokens.mjs, with gpt-tokenizer 4" {
	cat >want <<-'X'
	  129771      325     320877 audit.openai.jsonl
	  107460     2365     470424 bookings.openai.jsonl
	   21053      159      82352 mend.openai.jsonl
	    3969       50      16925 parallel.openai.jsonl
	   12506      203      63513 tasks.openai.jsonl
	    4925       51      20491 zh.openai.jsonl
	   13078      196      51497 tasks.text.jsonl
	X
	cd "$L"
	ctx-count ./*.openai.jsonl ./*.text.jsonl | sed 's|\./||; $d' >"$T/out"
	same "$T/out" "$T/want"
}

@test "logs: a crash in the middle of a line leaves a call open" {
	for f in "$ALL"/faulty/mend-crash.*.jsonl; do
		whole=$(wc -l <"$f")
		# the last record with the command that was running
		call=$(grep -n 'make clean && make test && make matrix' "$f" |
		    tail -n 1 | cut -d : -f 1)
		[ "$call" -ge $((whole - 1)) ]
		exits 3 ctx-clean --check "$f"
		findings "$f" >got
		printf '%s\n' "$call unanswered-call" "$((whole + 1)) not-json" >want
		same got want
	done
	set -- "$ALL"/faulty/mend-crash.*.jsonl
	[ $# -eq 18 ]
}

@test "logs: each faulty log has the intended fault and no other" {
	cd "$L/faulty"
	printf '%s\n' '3 orphan-result' '4 orphan-result' >"$T/want"
	findings zh-orphan.openai.jsonl >"$T/got"
	same "$T/got" "$T/want"
	printf '%s\n' '5 misplaced-result' '6 misplaced-result' >"$T/want"
	findings zh-late.openai.jsonl >"$T/got"
	same "$T/got" "$T/want"
	echo '2 unanswered-call' >"$T/want"
	findings zh-unanswered.gemini.jsonl >"$T/got"
	same "$T/got" "$T/want"
	echo '1 first-not-user' >"$T/want"
	findings parallel-headless.anthropic.jsonl >"$T/got"
	same "$T/got" "$T/want"
	n=$(wc -l <research-thought.openai-responses.jsonl)
	echo "$((n)) lone-reasoning" >"$T/want"
	findings research-thought.openai-responses.jsonl >"$T/got"
	same "$T/got" "$T/want"
	# ids that begin again in each turn are no fault
	: >"$T/want"
	findings parallel-reused.anthropic.jsonl >"$T/got"
	same "$T/got" "$T/want"
}

@test "logs: the key in a listing is removed, and nothing else" {
	ctx-clean --redact "$L/mend.openai.jsonl" >out
	lacks AKIA out
	[ "$(grep -c AKIA "$L/mend.openai.jsonl")" -eq 1 ]
	[ "$(diff out "$L/mend.openai.jsonl" | grep -c '^<')" -eq 1 ]
}

@test "logs: multiply: the first copy is the log, the others differ from it" {
	for f in bookings.openai tasks.openai mend.claude-code zh.sharegpt; do
		size=$(wc -c <"$L/$f.jsonl")
		"$L/multiply" $((size * 3)) "$L/$f.jsonl" >big
		"$L/multiply" $((size * 3)) "$L/$f.jsonl" | cmp - big
		[ "$(wc -c <big)" -ge $((size * 3)) ]
		exits 0 ctx-clean --check big
		n=$(wc -l <"$L/$f.jsonl")
		head -n "$n" big | sed -E 's/"thread_id":"[^"]*",?//' >first
		sed -E 's/"thread_id":"[^"]*",?//' "$L/$f.jsonl" >want
		same first want
		# the texts in the second copy are not in the first
		head -n $((2 * n)) big | tail -n "$n" >second
		[ "$(grep -cxFf first second)" -lt $((n / 20 + 1)) ]
	done
	# ids are reused only where the log reuses them
	"$L/multiply" 1M "$L/mend.openai.jsonl" >big
	grep -o '"tool_calls":\[{"id":"[^"]*' big | sort >ids
	[ "$(sort -u ids | wc -l)" -eq "$(wc -l <ids)" ]
	ctx-count --by thread_id --per-conversation big >conversations
	[ "$(wc -l <conversations)" -eq $(($(wc -l <big) / 159)) ]
}

# --- faults in the commands that the logs have revealed -------------------------------

@test "logs: a subagent's records stay between those of the session" {
	cp "$L/team.claude-code.jsonl" in
	for c in ctx-clean 'ctx-truncate -n 1000000000' \
	    'ctx-digest-files --min 1000000000' 'ctx-summarize --trigger 1'; do
		# shellcheck disable=SC2086
		$c <in >got
		same got in || { echo "$c"; false; }
	done
	ctx-count --annotate spent <in | sed 's/"spent":[0-9]*,//g' >got
	same got in
}
