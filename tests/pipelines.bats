# Pipelines of several commands, run on logs.

setup() {
	load helpers
	common_setup
	# their numbers of tokens and messages are in tests/data/logs/README.md
	bookings=$DATA/logs/bookings.openai.jsonl
	tasks=$DATA/logs/tasks.openai.jsonl
	text=$DATA/logs/tasks.text.jsonl
	audit=$DATA/logs/audit.openai.jsonl
	session=$DATA/logs/audit.claude-code.jsonl
}

# valid FILE: assert that its conversation lines are valid for OpenAI's API.
valid() {
	python3 "$ROOT/tests/validate.py" openai <"$1"
}

row() { awk '{ print $1, $2 }' "$1"; }

@test "pipelines: clean, truncate, count: what fits the model is left unchanged" {
	# 73142 tokens of the window are for the history; bookings fits because
	# this applies to each of its conversations
	for f in "$bookings:107460 2365" "$text:13078 196"; do
		ctx-clean "${f%:*}" | tee clean | ctx-truncate -m gpt-4o |
		    tee cut | ctx-count -m gpt-4o --overhead 4 >out
		same clean "${f%:*}"
		same cut "${f%:*}"
		[ "$(row out)" = "${f##*:}" ]
	done
	# the same as messages, together with those of tasks: 107460 + 12506
	# tokens
	jq -c '.thread_id as $t | .messages[] | { thread_id: $t } + .' \
	    "$bookings" | cat - "$tasks" >log
	ctx-clean --by thread_id log | ctx-truncate -m gpt-4o --by thread_id |
	    tee cut | ctx-count -m gpt-4o --overhead 4 >out
	[ "$(row out)" = "119966 2568" ]
	same cut log
}

@test "pipelines: every conversation is cut to its budget and stays valid" {
	# the longest has 5203 tokens, by tokens.mjs --per-message
	for t in 1k 2k 4k; do
		ctx-clean "$bookings" | ctx-truncate -qt $t >cut || [ $? = 1 ]
		differs cut "$bookings"
		exits 0 ctx-count --max $t cut
		valid cut
		exits 0 ctx-clean --check cut
		[ "$(wc -l <cut)" = 80 ]
	done
	for n in 1 5 10 40; do
		ctx-clean "$bookings" | ctx-truncate -n $n >cut
		valid cut
		[ "$(wc -l <cut)" = 80 ]
	done
}

@test "pipelines: what is cut fits by the count of the model's API" {
	echo '[{"name":"ls","description":"List files","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}]' >tools
	n=0
	for m in gpt-4o gpt-4 gpt-5.4 o3 claude-sonnet-4-5 claude-sonnet-5 \
	    gemini-2.5-pro; do
		for f in bookings.openai tasks.openai audit.claude-code zh.gemini \
		    parallel.openai research.openai-responses research.anthropic; do
			for t in 700 3k; do
				in_turn 3 5 || continue
				about "$m $f $t"
				ctx-truncate -q -m "$m" -t "$t" --tools tools \
				    --by thread_id "$DATA/logs/$f.jsonl" >cut ||
				    [ $? = 1 ]
				exits 0 ctx-count -q -m "$m" --max "$t" \
				    --tools tools --by thread_id cut
				n=$((n + $(wc -l <cut)))
			done
		done
	done
	[ $((n * some)) -gt 1000 ]
}

@test "pipelines: what is folded fits by the count of the model's API" {
	echo '[{"name":"ls","description":"List files","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}]' >tools
	echo 'You are an agent that looks after files.' >prompt
	n=0
	for m in gpt-4o gpt-4 gpt-5.4 o3 claude-sonnet-4-5 claude-sonnet-5 \
	    gemini-2.5-pro; do
		for f in bookings.openai tasks.openai audit.claude-code zh.gemini \
		    parallel.openai research.openai-responses research.anthropic; do
			in_turn 3 4 || continue
			about "$m $f"
			set -- -q -m "$m" --tools tools --system prompt
			# each by itself, as one line
			ctx-convert -q --to openai --shape conversation \
			    --by thread_id "$DATA/logs/$f.jsonl" >log
			ctx-summarize "$@" -t 1500 --report rep log >out
			jq -r .result rep | paste - out | sed -n 's/^folded\t//p' >folded
			exits 0 ctx-count "$@" --max 1500 folded
			n=$((n + $(wc -l <folded)))
			# and as it is
			ctx-summarize "$@" -t 1500 --by thread_id --report rep \
			    "$DATA/logs/$f.jsonl" >out
			[ "$(jq -r .result rep | sort -u)" = folded ] || continue
			cp out made
			exits 0 ctx-count "$@" --max 1500 --by thread_id made
			n=$((n + 1))
		done
	done
	[ $((n * some)) -gt 200 ]
}

# Recorded requests, with tools and without.
@test "pipelines: recorded requests are cut and folded to what fits" {
	some 4 16
	other_peoples
	exits 0 env -u CTX_VOCAB python3 "$ROOT/tests/usage.py" --cut "$BUILD" \
	    "$CTX_DATA/usage" "$some"
	read -r cut _ folded _ <out
	[ "$cut" -gt $((100 / some)) ]
	[ "$folded" -gt $((50 / some)) ]
}

@test "pipelines: a log larger than the window is cut to the budget of the formula" {
	# one conversation of 129771 tokens
	ctx-clean "$audit" | ctx-truncate -m gpt-4o | tee cut |
	    ctx-count -m gpt-4o --json >out
	exits 0 ctx-clean --check cut
	# 73142 for the history, and 2000 for system messages
	grep -v '"role":"system"' cut | ctx-count >history
	[ "$(awk '{ print $1 }' history)" -le 73142 ]
	[ "$(awk '{ print $1 }' history)" -gt 40000 ]
	head -n 1 "$audit" | cmp - <(head -n 1 cut)
	[ "$(grep -c '"role":"system"' cut)" = 1 ]
	ctx-truncate -t 73142 "$audit" | ctx-count --max 73142
	tail -n 1 "$audit" | cmp - <(tail -n 1 cut)
}

@test "pipelines: tokens that are counted once can be used twice" {
	ctx-count --annotate tokens "$bookings" |
	    ctx-truncate -qt 3k --cost tokens >cut || [ $? = 1 ]
	exits 0 ctx-count --cost tokens --max 3k cut
	ctx-count --cost tokens cut >a
	ctx-count cut >b
	same a b
	ctx-truncate -qt 3k "$bookings" >plain || [ $? = 1 ]
	differs plain "$bookings"
	sed 's/"tokens":[0-9]*,//g' cut | cmp - plain
}

@test "pipelines: each conversation of a log is cut separately, and nothing is lost" {
	ctx-truncate --by thread_id -n 4 --dropped gone "$tasks" >kept
	[ -s gone ]
	ctx-count --by thread_id --per-conversation kept >out
	[ "$(wc -l <out)" = 24 ]
	[ "$(cat kept gone | sort | cksum)" = "$(sort "$tasks" | cksum)" ]
	# the same as cutting each thread alone
	each=$(grep -o '"thread_id":"[^"]*"' "$tasks" | sort -u)
	[ "$(wc -l <<<"$each")" = 24 ]
	for t in $each; do
		grep -F "$t" "$tasks" | ctx-truncate -n 4 | cmp - <(grep -F "$t" kept)
	done
}

@test "pipelines: the settings of the five agents" {
	# several conversations, and a session with long results
	jq -sc '{ thread_id: "mend", messages: . }' \
	    "$DATA/logs/mend.openai.jsonl" | cat - "$bookings" >all
	# an agent that keeps 40 messages and shortens long results before every
	# call (A5)
	ctx-clean --max-result 1000 all | tee clean |
	    MAX_MESSAGE_HISTORY=40 ctx-truncate >cut
	valid cut
	differs clean all
	differs cut clean
	# above 30 messages or 3000 tokens, keep 20 within 4000 (C2)
	ctx-clean all | ctx-truncate --when-messages 30 --when-tokens 3000 \
	    -n 20 -t 4000 -q >cut || [ $? = 1 ]
	valid cut
	differs cut all
	exits 0 ctx-count --max 4000 cut
	# above 20 messages, keep the last 5 (D8)
	ctx-clean all | ctx-truncate --when-messages 20 -n 5 >cut
	valid cut
	[ "$(wc -l <cut)" = 81 ]
}

@test "pipelines: a session that was interrupted can be continued" {
	cp "$DATA/logs/faulty/mend-crash.openai.jsonl" log
	n=$(wc -l <log)		# the last line has no end and is not counted
	exits 3 bash -c 'set -o pipefail; ctx-clean log | ctx-truncate -m gpt-4o >cut'
	says "ctx-clean: log:$((n + 1)):*cut off*"
	exits 0 ctx-clean --check cut
	[ -s cut ]
}

@test "pipelines: a Claude Code session is cut so that another model can continue it" {
	ctx-clean "$session" | ctx-truncate -n 40 | tee cut |
	    ctx-count -m gpt-4o >out
	exits 0 ctx-clean --check cut
	[ "$(ctx-count <cut | awk '{ print $2 }')" -ge 40 ]
	[ "$(wc -c <cut)" -lt "$(wc -c <"$session")" ]
	# records for the interface stay in order; only links change
	sed 's/"parentUuid":\("[^"]*"\|null\)/"parentUuid":/' "$session" >was
	sed 's/"parentUuid":\("[^"]*"\|null\)/"parentUuid":/' cut >is
	[ "$(diff was is | grep -c '^>')" = 0 ]
	exits 0 python3 "$ROOT/tests/sessions.py" kept "$session" cut
}

@test "pipelines: output is written as soon as possible, while the input is still open" {
	mkfifo in mid
	ctx-clean <in >mid &
	exec 7>in 8<mid
	for i in 1 2 3; do
		printf '{"role":"user","content":"%d"}\n' $i >&7
		read -r -t 10 line <&8
		[ "$line" = "{\"role\":\"user\",\"content\":\"$i\"}" ]
	done
	exec 7>&- 8<&-
	wait
}

@test "pipelines: a reader that closes the pipe ends the other commands silently" {
	for f in {1..20}; do cat "$bookings"; done >large
	exits 0 bash -c 'ctx-clean large | ctx-truncate -n 5 | head -n 1 | wc -l'
	quiet
	wrote 1
}
