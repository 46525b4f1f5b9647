#!/usr/bin/env bats
# What ctx-clean and ctx-digest-files take out of a history that grows, and when:
# at few places, so that a provider's prompt cache can be used.  tests/replay
# shows what that saves.

setup() { load helpers; common_setup; }

# round N TEXT...: call number N and its result
round() {
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"%s","arguments":"%s"}}]}\n' \
	    "$1" "${3:-ls}" "${4:-{\}}"
	printf '{"role":"tool","tool_call_id":"c%d","content":"%s"}\n' "$1" "$2"
}
# rounds FROM TO [TEXT]: rounds with these numbers, of 100 characters each
rounds() {
	local i text

	for ((i = $1; i <= $2; i++)); do
		printf -v text '%0100d' "$i"
		round "$i" "${3:-$text}"
	done
}
user='{"role":"user","content":"go"}'
note='[tool result cleared: 100 chars]'

# kept: how many results of the output are whole
kept() { grep -c '"content":"0' out; }

@test "cache: with --step, between N and N plus the step are kept" {
	for n in {1..20}; do
		{ echo "$user"; rounds 1 "$n"; } >in
		exits 0 ctx-clean --clear-results=3 --step 4 <in
		# when there are 8, 3 are left; then 5 more must come
		want=$((n < 8 ? n : 3 + (n - 8) % 5))
		[ "$(kept)" -eq "$want" ] || fail "$n: $(kept) instead of $want"
		exits 0 ctx-clean --clear-results=3 --step 0 <in
		[ "$(kept)" -eq $((n < 3 ? n : 3)) ]
	done
	{ echo "$user"; rounds 1 9; } >in
	{ echo "$user"; rounds 1 5 "$note"; rounds 6 9; } >want
	becomes_both ctx-clean --clear-results=3 --step 4
	exits 0 ctx-clean -i --clear-results=3 --step 4 in
	same in want
	stays ctx-clean --clear-results=3 --step 4
}

# two ANSWER: two rounds, and what the assistant says with the second call
two() {
	echo "$user"
	rounds 1 1 "${2:-}"
	rounds 2 2 | sed "s/\"content\":null/\"content\":\"$1\"/"
}

@test "cache: a result goes when it was sent as often as what is sent again" {
	# Of 100 characters 66 go, for a note takes 34.  Again are sent the 34, the
	# answer, its call with {}, and 2 for each of these texts: 66 in all.
	two "$(printf '%024d' 1)" | given
	two "$(printf '%024d' 1)" "$note" | wanted
	becomes_both ctx-clean --clear-results=1
	# 67 again
	two "$(printf '%025d' 1)" | given
	stays_both ctx-clean --clear-results=1
	two "$(printf '%025d' 1)" "$note" | wanted
	becomes_both ctx-clean --clear-results=1 --step 0
	# what is sent again next time was sent twice, and two results go
	{ two "$(printf '%025d' 1)"; rounds 3 3; } | given
	{ two "$(printf '%025d' 1)" "$note"; rounds 3 3; } |
	    sed "5s/\"content\":.*/\"content\":\"$note\"}/" | wanted
	becomes_both ctx-clean --clear-results=1
}

@test "cache: what was cleared stays so, whatever comes" {
	big=$(printf '%09000d' 0)
	{ echo "$user"; rounds 1 1 "$big"; rounds 2 4; } >all
	cp all in
	{
		echo "$user"
		rounds 1 1 '[tool result cleared: 9000 chars]'
		rounds 2 3 "$note"
	} >begin
	{ cat begin; rounds 4 4; } | wanted
	becomes_both ctx-clean --clear-results=1
	for n in 5 9; do
		{ cat all; rounds 5 $n "$big"; } >in
		exits 0 ctx-clean --clear-results=1 <in
		head -n "$(wc -l <begin)" out | cmp - begin
	done
}

@test "cache: results that were not answered yet stay" {
	{
		echo "$user"
		rounds 1 3 | grep assistant | sed -n '1p' | sed 's/}\]}$//' | tr -d '\n'
		printf '},{"id":"c2","type":"function","function":{"name":"ls","arguments":"{}"}}]}\n'
		rounds 1 2 | grep tool_call_id
	} >in
	stays_both ctx-clean --clear-results=0
	# nor by the answer alone, after which nothing is sent
	echo '{"role":"assistant","content":"done"}' >>in
	stays_both ctx-clean --clear-results=0
	echo "$user" >>in
	sed "s/\"content\":\"0[^\"]*/\"content\":\"$note/" in >want
	becomes_both ctx-clean --clear-results=0
}

# Claude Code writes each call of a message as a record, and results between them.
@test "cache: another record of the same message is no answer" {
	record() { # TYPE UUID PARENT MESSAGE
		printf '{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"s","message":%s}\n' "$@"
	}
	called() { # N PARENT ID
		record assistant "a$1" "\"$2\"" '{"role":"assistant","id":"'"$3"'","content":[{"type":"tool_use","id":"t'"$1"'","name":"Read","input":{"file_path":"/'"$1"'.c"}}]}'
		record user "r$1" "\"a$1\"" '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t'"$1"'","content":"'"$text"'"}]}'
	}
	text=$(for i in {1..40}; do printf 'int f%d(void);\\n' "$i"; done)
	session() { # ID of the second message
		record user u null '{"role":"user","content":"go"}'
		called 1 u m1
		called 2 a1 "$1"
		called 3 a2 "$1"
	}
	session m1 | given
	stays ctx-clean --clear-results=0
	stays ctx-clean --prune-calls=0
	stays ctx-digest-files
	stays ctx-digest-files --writes --listings
	session m2 | given
	exits 0 ctx-clean --clear-results=0 <in
	[ "$(grep -c 'tool result cleared' out)" -eq 1 ]
	exits 0 ctx-digest-files <in
	[ "$(digests)" -eq 1 ]
}

@test "cache: the limits hold where a request begins" {
	# 10 tokens for each 25 characters: 40 for a result, and 1 for each call
	# and for the user's text
	tokens=(-e chars --when-tokens 130 --down-to 90)
	{ echo "$user"; rounds 1 3; } >in
	stays_both ctx-clean --clear-results=0 "${tokens[@]}"
	{ echo "$user"; rounds 1 4; } >in
	exits 0 ctx-clean --clear-results=0 "${tokens[@]}" <in
	cp out four
	# 165: those that were answered go, and become 13 tokens each
	[ "$(kept)" -eq 1 ]
	{ echo "$user"; rounds 1 5; } >in
	exits 0 ctx-clean --clear-results=0 "${tokens[@]}" <in
	head -n "$(wc -l <four)" out | cmp - four
	[ "$(kept)" -eq 2 ]
	# above the upper limit, but not below the lower one
	exits 0 ctx-clean --clear-results=0 -e chars --when-tokens 164 \
	    --down-to 130 <in
	[ "$(kept)" -eq 3 ]
}

@test "cache: reasoning before the last turn goes when it pays" {
	think() {
		printf '{"role":"user","content":"q%d"}\n' "$1"
		printf '{"role":"assistant","content":[%s{"type":"text","text":"%s"}]}\n' \
		    "$2" "$3"
	}
	thought='{"type":"thinking","thinking":"'$(printf '%040d' 1)'","signature":"s"},'
	# 42 go, and 44 or 42 are sent again
	for last in "$(printf '%042d' 1)" "$(printf '%040d' 1)"; do
		{ think 1 "$thought" "$last"; think 2 "$thought" b; } >in
		if [ ${#last} -eq 42 ]; then
			cp in want
		else
			sed "2s/$thought//" in >want
		fi
		becomes_both ctx-clean --thinking last
		sed "2s/$thought//" in >want
		becomes_both ctx-clean --thinking last --step 0
	done
}

# reads N FILE LENGTH: round N, which reads so many characters of FILE
reads() {
	round "$1" "$(printf "%0$3d" "$1")" Read "{\\\"file_path\\\":\\\"$2\\\"}"
}
# digests: how many contents were replaced
digests() { grep -c 'file read' out || :; }

@test "cache: contents that were read again go when it pays" {
	{ echo "$user"; reads 1 a 700; reads 2 b 600; reads 3 a 600; } >in
	# 460 of the first go, for a line has 240 characters; again are sent this,
	# as much for b, and 17 for each call: 514
	stays ctx-digest-files --keep-latest
	# twice 460, and another 257 are sent again
	reads 4 c 100 >>in
	exits 0 ctx-digest-files --keep-latest <in
	[ "$(digests)" -eq 1 ]
	sed -n 3p out | grep -q 'file read'
	cp out begin
	reads 6 e 9000 >>in
	exits 0 ctx-digest-files --keep-latest <in
	head -n "$(wc -l <begin)" out | cmp - begin
	exits 0 ctx-digest-files --superseded <in
	head -n "$(wc -l <begin)" out | cmp - begin
}

@test "cache: contents near the end go, though those before a long text do not" {
	{
		echo "$user"
		reads 1 a 700
		reads 2 b 700 | sed "s/\"content\":null/\"content\":\"$(printf '%09000d' 1)\"/"
		reads 3 b 700
		reads 4 a 700
	} >in
	exits 0 ctx-digest-files --keep-latest <in
	[ "$(digests)" -eq 1 ]
	sed -n 5p out | grep -q 'file read'
	exits 0 ctx-digest-files --keep-latest --step 0 <in
	[ "$(digests)" -eq 2 ]
}

@test "cache: a second run finds no more contents that may go" {
	again() { # OPTION...
		exits 0 ctx-digest-files "$@" <in
		cp out once
		exits 0 ctx-digest-files "$@" <once
		same out once
	}
	# a digest is as long as a line may be
	{ echo "$user"; reads 1 b 1200; reads 2 a 600; reads 3 a 1200; reads 4 a 4000; reads 5 b 4000; } >in
	again --keep-latest
	[ "$(digests)" -gt 0 ]
	# what is not certain stays, and is not one more
	{ echo "$user"; reads 1 a 700 | sed 's/"content":"0*/&\\n[... 20 lines omitted ...]\\n/'; reads 2 b 700; reads 3 a 700; reads 4 b 700; } >in
	exits 0 ctx-digest-files --keep-latest --step 1 <in
	[ "$(digests)" -eq 0 ]
	{ reads 5 c 700; reads 6 c 700; } >>in
	again --keep-latest --step 1
	[ "$(digests)" -eq 2 ]
}

@test "cache: contents go at once with --step 0, and if none are kept" {
	{ echo "$user"; reads 1 a 600; reads 2 b 600; reads 3 a 600; } >in
	exits 0 ctx-digest-files --keep-latest --step 0 <in
	[ "$(digests)" -eq 1 ]
	exits 0 ctx-digest-files --keep-recent 1 --step 0 <in
	[ "$(digests)" -eq 2 ]
	exits 0 ctx-digest-files <in
	[ "$(digests)" -eq 2 ]
	exits 0 ctx-digest-files --step 1 <in
	[ "$(digests)" -eq 2 ]
	exits 0 ctx-digest-files --step 2 <in
	[ "$(digests)" -eq 0 ]
}

@test "cache: options that need another, and numbers, are refused" {
	: >in
	exits 2 ctx-clean --step 4 in
	exits 2 ctx-clean --clear-results --step x in
	exits 2 ctx-clean --clear-results --step 0.5 in
	exits 2 ctx-digest-files --step -1 <in
}

# replay ARGUMENTS: tests/replay, as it is in the source
replay() { sh "$ROOT/tests/replay" "$@"; }

@test "cache: a replay prints requests, the cached share, breaks, the rest and the money" {
	{ echo "$user"; rounds 1 3; } >log
	n1=0 n3=0 n5=0
	for i in 1 3 5; do
		head -n $i log | ctx-count -q -e o200k_base >count
		read -r n$i _ <count
	done
	exits 0 replay -p 1,10 log cat
	# the last request has seen what the others were
	{
		echo '| pipeline | requests | tokens | cached | breaks | not cached | money |'
		echo '|---|---:|---:|---:|---:|---:|---:|'
		awk -v all=$((n1 + n3 + n5)) -v cached=$((n1 + n3)) 'BEGIN {
			printf "| `cat` | 3 | %.0f | %.1f %% | 0 | %.0f | %.4f |\n",
			    all / 3, 100 * cached / all, (all - cached) / 3,
			    (cached + (all - cached) * 10) / 1000000 }'
	} >want
	same out want
	# the first and the newest line: the third request does not begin with
	# the second
	exits 0 replay -v log "sed -n '1p;2,\$ { \$p; }'" 'ctx-clean'
	sed -n 3,6p out | cut -d'|' -f 2,3,6 >rows
	printf '%s\n' ' request 1 | 1 | 0 ' ' request 2 | 1 | 0 ' \
	    ' request 3 | 1 | 1 ' " \`sed -n '1p;2,\$ { \$p; }'\` | 3 | 1 " >want
	same rows want
	[ "$(grep -c '^|' out)" -eq 10 ]
}

@test "cache: a replay says what is wrong" {
	echo "$user" >log
	exits 1 replay log cat
	says "replay: no line of the log is an answer; ctx-convert writes a message a line"
	exits 2 replay log
	exits 2 replay -p 5 log cat
	{ echo "$user"; rounds 1 1; } >log
	exits 1 replay log 'exit 3'
	says "replay: exit 3: failed at line 1"
}

@test "cache: clearing costs less than doing nothing, and keeps most of what it saves" {
	logs="mend.openai${WHOLE:+ audit.openai}"
	for log in $logs; do
		exits 0 replay -p 0.1,1.25 "$DATA/logs/$log.jsonl" cat \
		    'ctx-clean --clear-results=3' 'ctx-clean --clear-results=3 --step 0'
		awk -F'|' 'NR > 2 { n++; tokens[n] = $4; breaks[n] = $6; money[n] = $8 }
			END { exit !(money[2] < 0.85 * money[1] &&
			    money[2] < money[3] && breaks[2] * 2 < breaks[3] &&
			    tokens[1] - tokens[2] > 0.95 * (tokens[1] - tokens[3])) }' out ||
			{ cat out; fail "$log"; }
	done
}
