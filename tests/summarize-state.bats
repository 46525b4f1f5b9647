# shellcheck shell=bash
# ctx-summarize --state: the state file can hold any text, and its mode is kept.

setup() { load helpers; common_setup; }

# turns FROM TO TEXT [MEMBER]: print numbered messages of 100 tokens (--cost c).
turns() {
	local i role

	for ((i = $1; i <= $2; i++)); do
		role=assistant
		if ((i % 2)); then role=user; fi
		printf '{"role":"%s","content":"Number %d of class 7B: %s","c":100%s}\n' \
		    "$role" "$i" "$3" "${4:+,$4}"
	done
}

# remembers COMMAND...: assert that running it on $T/log once more summarizes
# nothing and gives the same output.
remembers() {
	cp "$T/out" "$T/first"
	exits 0 "$@" --report "$T/r" "$T/log" || return 1
	quiet || return 1
	same "$T/out" "$T/first" || return 1
	[ "$(jq -r .result "$T/r" | sort -u)" = unchanged ]
}

@test "state: U+0000 in messages is kept in the summary" {
	turns 1 12 'a\u0000b\u0000' >log
	exits 0 ctx-summarize --cost c -t 1000 --state st log
	quiet
	# 8 of 12 messages are folded; each contains two
	[ "$(jq '.summary | explode | map(select(. == 0)) | length' st)" -eq 16 ]
	remembers ctx-summarize --cost c -t 1000 --state st
	turns 13 20 'c\u0000' >>log
	exits 0 ctx-summarize --cost c -t 1000 --state st log
	quiet
	[ "$(jq .upto st)" -eq 16 ]
}

@test "state: a summary with U+0000 at its beginning or end, or alone, is kept" {
	turns 1 12 x >log
	exits 0 ctx-summarize --cost c -t 1000 --state st log
	for text in '\u0000' '\u0000a' 'a\u0000'; do
		sed "s/\"summary\":\"[^\"]*\"/\"summary\":\"$(printf '%s' "$text" |
		    sed 's/\\/\\\\/g')\"/" st >st2
		[ "$(jq -c .summary st2)" = "\"$text\"" ]
		exits 0 ctx-summarize --cost c -t 1000 --state st2 log
		quiet
		head -n 1 out >line
		grep -qF "turns)]:\\n$text\"}" line
	done
}

@test "state: U+0000 in keys, ids and names of tools" {
	{
		turns 1 12 x '"t":"a\u0000"'
		turns 1 12 y '"t":"a\u0000b"'
		turns 1 12 z '"t":"a"'
	} >log
	exits 0 ctx-summarize --cost c -t 1000 --by t --state st log
	[ "$(jq -r .key st | paste -s -d ' ' -)" = '"a\u0000" "a\u0000b" "a"' ]
	remembers ctx-summarize --cost c -t 1000 --by t --state st
	{
		turns 1 8 x
		echo '{"role":"assistant","content":null,"c":100,"tool_calls":[{"id":"i\u0000","type":"function","function":{"name":"n\u0000","arguments":"{\"a\":\"\\u0000\"}"}}]}'
		echo '{"role":"tool","tool_call_id":"i\u0000","content":"r\u0000","c":100}'
		turns 9 16 x
	} >log
	rm st
	exits 0 ctx-summarize --cost c -t 1000 --state st log
	quiet
	[ "$(jq .upto st)" -ge 10 ]
	remembers ctx-summarize --cost c -t 1000 --state st
}

@test "state: every character below U+0020, lone surrogates, and DEL" {
	turns 1 12 '\u0001\u0008\u000b\u001f\ud800\udc00x\udfff \u007f' >log
	exits 0 ctx-summarize --cost c -t 1000 --state st log
	remembers ctx-summarize --cost c -t 1000 --state st
}

@test "state: a side conversation has its own line" {
	for ((i = 1; i <= 24; i++)); do
		role=user type=user
		if ((i % 2 == 0)); then role=assistant type=assistant; fi
		for side in false true; do
			printf '{"type":"%s","uuid":"u%d-%s","isSidechain":%s,"agentId":"a1","sessionId":"s","message":{"role":"%s","content":[{"type":"text","text":"Number %d of class 7B, %s"}]}}\n' \
			    "$type" "$i" "$side" "$side" "$role" "$i" \
			    "$(printf 'word%.0s ' {1..40})"
		done
	done | sed 's/"isSidechain":false,"agentId":"a1"/"isSidechain":false/' >log
	exits 0 ctx-summarize -t 1000 --max-tokens 64 --state st log
	[ "$(wc -l <st)" -eq 2 ]
	[ "$(jq -r .side st | sort | paste -s -d ' ' -)" = 'a1 null' ]
	# its summary is not mistaken for one of the main conversation
	jq -r 'select(.message.content[0].text // "" |
	    startswith("[Context: Summary")) | "\(.isSidechain) \(.agentId)"' \
	    out >heads
	printf '%s\n' 'false null' 'true a1' >want
	same heads want
	remembers ctx-summarize -t 1000 --max-tokens 64 --state st
}

@test "state: a new file follows the umask, and an existing one keeps its mode" {
	turns 1 12 x >log
	(
		umask 077
		ctx-summarize --cost c -t 1000 --state st log
	) >out
	[ "$(mode_of st)" = 600 ]
	turns 13 20 x >>log
	exits 0 ctx-summarize --cost c -t 1000 --state st log
	[ "$(mode_of st)" = 600 ]
	[ "$(jq .upto st)" -eq 16 ]
}

@test "state: --by distinguishes conversation lines" {
	for k in a b; do
		turns 1 12 "$k" | jq -sc "{k:\"$k\",messages:.}"
	done >log
	exits 0 ctx-summarize --cost c -t 1000 --by k --state st log
	quiet
	[ "$(jq -c .key st)" = "$(printf '%s\n' '"\"a\""' '"\"b\""')" ]
	remembers ctx-summarize --cost c -t 1000 --by k --state st
	[ "$(jq -r .key r)" = "$(printf '"%s"\n' a b)" ]
}

@test "state: conversations that have the same key are refused" {
	turns 1 12 a | jq -sc '{k:"a",messages:.}' >one
	turns 1 12 b | jq -sc '{k:"b",messages:.}' >two
	cat one two >log
	exits 0 ctx-summarize --cost c -t 1000 one
	cp out want
	exits 3 ctx-summarize --cost c -t 1000 --state st log
	said "ctx-summarize: log: --state cannot tell this conversation from one before it; give --by a member that differs"
	same out want
	exits 3 ctx-summarize --cost c -t 1000 --state st --by k one one
	# also where nothing is folded yet
	turns 1 2 a >one
	exits 3 ctx-summarize --cost c -t 1000 --state new one one
}

# numbers FILE: print the numbers of its messages that are no summary.
numbers() {
	jq -r '.content | capture("^Number (?<n>[0-9]+)").n' "$1" | paste -s -d ' ' -
}

@test "state: --keep user: which words stayed does not depend on later limits" {
	turns 1 12 x >log
	exits 0 ctx-summarize --keep user --cost c -t 1200 --state st log
	[ "$(numbers out)" = '5 7 9 10 11 12' ]
	[ "$(jq -c '[.upto, .kept_from, .summarized_turn_count]' st)" = '[8,4,6]' ]
	# nothing is folded: what is not in the summary stays
	remembers ctx-summarize --keep user --cost c -t 600 --trigger 1 --state st
	remembers ctx-summarize --cost c -t 600 --trigger 1 --state st
	# a file of an earlier version does not tell
	jq -c 'del(.kept_from)' st >old
	remembers ctx-summarize --keep user --cost c -t 1200 --trigger 1 --state old
	# all that goes is in the summary
	turns 1 22 x >log
	exits 0 ctx-summarize --cost c -t 1200 --max-tokens 2000 --state st log
	quiet
	[ "$(numbers out)" = '19 20 21 22' ]
	[ "$(jq -c '[.upto, .kept_from, .summarized_turn_count]' st)" = '[18,18,18]' ]
	for i in 1 5 7 9; do has "Number $i of" <(jq -r .summary st); done
}

@test "state: --keep user: what is in the summary does not come back" {
	turns 1 12 x >log
	exits 0 ctx-summarize --cost c -t 1000 --state st log
	[ "$(jq -c '[.upto, .kept_from]' st)" = '[8,8]' ]
	turns 1 20 x >log
	exits 0 ctx-summarize --keep user --cost c -t 2000 --trigger 0.5 \
	    --state st log
	quiet
	[ "$(numbers out)" = '9 11 13 14 15 16 17 18 19 20' ]
	[ "$(jq -c '[.upto, .kept_from]' st)" = '[12,8]' ]
}
