# Commands together, end to end, on real transcripts.

setup() {
	load helpers
	common_setup
	R=$DATA/transcripts
	tau=$R/tau-airline.openai.conv.jsonl
	mint=$R/mint-alfworld-gpt4.openai.conv.jsonl
	swe=$R/swe-agent.openai.jsonl
	session=$R/claude-code-session.native.jsonl
}

# valid FILE: its conversation lines are what OpenAI's API takes.
valid() {
	command -v python3 >/dev/null || return 0
	PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/valid.py" openai "$1"
}

row() { awk '{ print $1, $2 }' "$1"; }

@test "pipelines: clean, truncate, count: what fits the model is left as it is" {
	# 722856 and 300541 are npm tiktoken's counts of these files
	for f in "$tau:722856 5308" "$mint:300541 768"; do
		ctx-clean "${f%:*}" | tee clean | ctx-truncate -m gpt-4o |
		    tee cut | ctx-count -m gpt-4o >out
		cmp clean "${f%:*}"
		cmp cut "${f%:*}"
		[ "$(row out)" = "${f#*:}" ]
	done
	ctx-clean --by thread_id "$swe" | ctx-truncate -m gpt-4o --by thread_id |
	    tee cut | ctx-count -m gpt-4o >out
	[ "$(row out)" = "159270 489" ]
	cmp cut "$swe"
}

@test "pipelines: every conversation is cut to its budget, and stays valid" {
	for t in 3k 4k 8k; do
		ctx-clean "$tau" | ctx-truncate -qt $t >cut || [ $? = 1 ]
		exits 0 ctx-count --max $t cut
		valid cut
		exits 0 ctx-clean --check cut
		[ "$(wc -l <cut)" -gt 150 ]
	done
	for n in 1 5 10 40; do
		ctx-clean "$tau" | ctx-truncate -n $n >cut
		valid cut
		[ "$(wc -l <cut)" = 200 ]
	done
}

@test "pipelines: a log that is larger than the window: the formula's budget holds" {
	# one conversation: 22 tasks in a row, 159270 tokens
	ctx-clean "$swe" | ctx-truncate -m gpt-4o | tee cut |
	    ctx-count -m gpt-4o --json >out
	exits 0 ctx-clean --check cut
	# 73142 for the history and 2000 for system messages, which exceed them
	grep -v '"role":"system"' cut | ctx-count >history
	[ "$(awk '{ print $1 }' history)" -le 73142 ]
	[ "$(awk '{ print $1 }' history)" -gt 40000 ]
	[ "$(grep -c '"role":"system"' cut)" = "$(grep -c '"role":"system"' "$swe")" ]
	ctx-truncate -t 73142 "$swe" | ctx-count --max 73142
	tail -n 1 "$swe" | cmp - <(tail -n 1 cut)
}

@test "pipelines: counted once, used twice" {
	ctx-count --annotate tokens "$tau" |
	    ctx-truncate -qt 6k --cost tokens >cut || [ $? = 1 ]
	exits 0 ctx-count --cost tokens --max 6k cut
	ctx-count --cost tokens cut >a
	ctx-count cut >b
	same a b
	ctx-truncate -qt 6k "$tau" >plain || [ $? = 1 ]
	sed 's/"tokens":[0-9]*,//g' cut | cmp - plain
}

@test "pipelines: each conversation of a log on its own; what is cut is not lost" {
	ctx-truncate --by thread_id -n 10 --dropped gone "$swe" >kept
	ctx-count --by thread_id --per-conversation kept >out
	[ "$(wc -l <out)" = 22 ]
	[ "$(cat kept gone | sort | cksum)" = "$(sort "$swe" | cksum)" ]
	# as each thread alone
	each=$(grep -o '"thread_id":"[^"]*"' "$swe" | sort -u | head -n 5)
	[ -n "$each" ]
	for t in $each; do
		grep -F "$t" "$swe" | ctx-truncate -n 10 | cmp - <(grep -F "$t" kept)
	done
}

@test "pipelines: the settings of the five agents" {
	# an agent that keeps 40, long results cut, before every call (A5)
	ctx-clean --max-result 1000 "$tau" |
	    MAX_MESSAGE_HISTORY=40 ctx-truncate >cut
	valid cut
	# over 30 messages or 3000 tokens: 20 within 4000 (C2)
	ctx-clean "$tau" | ctx-truncate --when-messages 30 --when-tokens 3000 \
	    -n 20 -t 4000 -q >cut || [ $? = 1 ]
	valid cut
	exits 0 ctx-count --max 4000 cut
	# over 20 messages: the last 5 (D8)
	ctx-clean "$tau" | ctx-truncate --when-messages 20 -n 5 >cut
	valid cut
	[ "$(wc -l <cut)" = 200 ]
}

@test "pipelines: a session that was cut off goes on where it can" {
	n=$(grep -n '"tool_calls":\[{' "$swe" | tail -n 1 | cut -d : -f 1)
	{
		head -n "$n" "$swe"
		sed -n "$((n + 1))p" "$swe" | head -c 200
	} >log
	run -3 bash -c 'set -o pipefail; ctx-clean log 2>err | ctx-truncate -m gpt-4o >cut'
	says "ctx-clean: log:$((n + 1)):*cut off*"
	exits 0 ctx-clean --check cut
	[ -s cut ]
}

@test "pipelines: a Claude Code session, cut for another model to go on with" {
	ctx-clean "$session" | ctx-truncate -n 40 | tee cut |
	    ctx-count -m gpt-4o >out
	exits 0 ctx-clean --check cut
	[ "$(ctx-count <cut | awk '{ print $2 }')" -ge 40 ]
	[ "$(wc -c <cut)" -lt "$(wc -c <"$session")" ]
	# what the interface keeps beside the messages stays in order
	[ "$(diff "$session" cut | grep -c '^>')" = 0 ]
}

@test "pipelines: what can be written is written while the stream is open" {
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

@test "pipelines: a reader that has enough ends the others without a word" {
	for f in {1..20}; do cat "$tau"; done >large
	run -0 bash -c 'ctx-clean large | ctx-truncate -n 5 | head -n 1 | wc -l'
	[ "$output" -eq 1 ]
}
