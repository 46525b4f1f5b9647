# ctx-count --calibrate: the constants of a model from a user's own logs.
# tests/calibrate.py writes logs whose constants are known.

setup() { load helpers; common_setup; }

# log FORM MODEL FACTOR MESSAGE REQUEST STEPS >FILE
log() { python3 "$ROOT/tests/calibrate.py" "$BUILD" "$@"; }

@test "calibrate: the constants of a log are found" {
	log claude-code claude-sonnet-4-5 1.07 3 14210 30 >in
	exits 0 ctx-count --calibrate in
	wrote 'claude-sonnet-4-5 - factor=1.07 message=3 request=14210 margin=0..0 # fitted on 20 requests, checked on 10'
	says 'ctx-count: claude-sonnet-4-5: fitted on 20 requests; the counts of 10 others are off by -7?.? % (nine of ten by -7?.? to -7?.?), with the fit by +0.0 % (+0.0 to +0.0)'
	[ "$(wc -l <err)" -eq 1 ]
	# a vocabulary that is exact has no factor
	log codex gpt-5.5 1 2 9500 30 >in
	exits 0 ctx-count -q --calibrate <in
	wrote 'gpt-5.5 - message=2 request=9500 margin=0..0 # fitted on 20 requests, checked on 10'
	quiet
	# a model that is not known is counted as before
	log codex some-model 1.2 -1 9500 30 >in
	exits 0 ctx-count -q --calibrate in
	wrote 'some-model cl100k_base factor=1.2 message=-1 request=9500 margin=0..0 # fitted on 20 requests, checked on 10'
	log pairs claude-opus-5 0.93 0 0 24 >in
	exits 0 ctx-count -q --calibrate in
	wrote 'claude-opus-5 - factor=0.93 margin=0..0 # fitted on 16 requests, checked on 8'
}

@test "calibrate: with the line, counts are what the log says" {
	for of in 'claude-code claude-sonnet-4-5 1.07 3 14210' \
	    'codex gpt-5.5 1 2 9500' 'codex some-model 1.2 -1 9500'; do
		about "$of"
		model=$(cut -d ' ' -f 2 <<<"$of")
		# shellcheck disable=SC2086
		log $of 30 >in
		ctx-count -q --calibrate in >models
		cost=$(python3 -c '
import json, sys
n = 0
for line in sys.stdin:
    r = json.loads(line)
    u = r.get("message", {}).get("usage") or ((r.get("payload") or {})
        .get("info") or {}).get("last_token_usage")
    if u:
        n = sum(u.get(k, 0) for k in ("input_tokens",
            "cache_read_input_tokens", "cache_creation_input_tokens"))
print(n)' <in)
		# without the last answer
		awk '{ line[NR] = $0; if (/"user"/) last = NR }
		    END { for (i = 1; i <= last; i++) print line[i] }' in >request
		CTX_MODELS=models exits 0 ctx-count -q -m "$model" request
		got=$(awk '{ print $1 }' out)
		# each text is rounded
		[ $((got - cost)) -le 5 ] && [ $((cost - got)) -le 5 ] ||
		    fail "$got instead of $cost"
		# twice is once
		CTX_MODELS=models exits 1 ctx-count --calibrate in
		silent
		says "ctx-count: $model: that is hardly better, so there is no line for it"
		# and what is cut to a budget fits by the same count
		for budget in 15000 14800; do
			CTX_MODELS=models exits 0 ctx-truncate -m "$model" -t $budget request
			[ -s out ]
			cp out cut
			CTX_MODELS=models exits 0 ctx-count -q -m "$model" \
			    --max $budget cut
		done
	done
}

@test "calibrate: a rule's factor, messages and request are counted, its margin printed" {
	printf '%s\n' '{"role":"user","content":"one two three four"}' \
	    '{"role":"assistant","content":"five six seven eight"}' >in
	echo 'gpt-4o - factor=1.5 message=10 request=1000 margin=-3..5' >models
	# 4 a message and 4 tokens of text; 3 for the whole
	exits 0 ctx-count -m gpt-4o in
	[ "$(awk '{ print $1 }' out)" -eq 19 ]
	quiet
	CTX_MODELS=models exits 0 ctx-count -m gpt-4o in
	[ "$(awk '{ print $1 }' out)" -eq $((2 * (4 + 6 + 10) + 3 + 1000)) ]
	said 'ctx-count: estimated with o200k_base; 90 % of the recorded requests were within -3 to +5 %; texts times 1.5'
	CTX_MODELS=models exits 0 ctx-count -q -m gpt-4o --per-message in
	[ "$(awk '{ print $1 }' out | paste -s -d ' ' -)" = '20 20' ]
	CTX_MODELS=models exits 0 ctx-count -q -m gpt-4o -j 3 in
	[ "$(awk '{ print $1 }' out)" -eq 1043 ]
	# --overhead says what framing costs, and -e what counts texts
	CTX_MODELS=models exits 0 ctx-count -q -m gpt-4o --overhead 0 in
	[ "$(awk '{ print $1 }' out)" -eq 12 ]
	CTX_MODELS=models exits 0 ctx-count -q -m gpt-4o -e o200k_base in
	[ "$(awk '{ print $1 }' out)" -eq $((2 * (4 + 4 + 10) + 3 + 1000)) ]
	printf 'one two three four' >text
	CTX_MODELS=models exits 0 ctx-count -q -m gpt-4o --text text
	[ "$(awk '{ print $1 }' out)" -eq 6 ]
	# no message costs less than nothing
	echo 'gpt-4o - message=-100' >models
	CTX_MODELS=models exits 0 ctx-count -m gpt-4o --json in
	wrote '{"file":"in","tokens":3,"messages":2,"bytes":101,"count":"estimate: o200k_base","of":{"text":{"tokens":3,"count":"exact"}}}'
	said 'ctx-count: counted with o200k_base, a part is estimated'
	# a rule with an encoding of its own has no API
	echo 'gpt-4o o200k_base message=1' >models
	CTX_MODELS=models exits 0 ctx-count -q -m gpt-4o in
	[ "$(awk '{ print $1 }' out)" -eq $((2 * (4 + 4 + 1))) ]
	# the rule stands before ours in the list
	echo 'claude-opus-4-6 - 100k factor=1.1' >models
	CTX_MODELS=models exits 0 ctx-count --list-models
	[[ "$(head -n 1 out)" =~ ^claude-opus-4-6\ +anthropic\ +o200k_base\ +estimate\ +100000\  ]]
}

@test "calibrate: the factor of a rule is for Gemini's calls and results, too" {
	given <<-'X'
	{"contents":[{"role":"user","parts":[{"text":"a b c d e f"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"a b c d e f g h i j k l m n o p q r s t"}}}]}]}
	X
	exits 0 ctx-count -q -m gemini-2.5-flash --per-message in
	awk '{ print $1 }' out >one
	echo 'gemini-2.5-flash - factor=3' >models
	CTX_MODELS=models exits 0 ctx-count -q -m gemini-2.5-flash --per-message in
	awk '{ print $1 }' out >three
	# 1 of a message and 5 of a call or a result are no texts; each text is rounded
	paste one three | awk 'NR == 1 { f = 1 } NR > 1 { f = 6 } {
		if (($1 - f) * 3 > $2 - f + 4 || ($1 - f) * 3 < $2 - f - 4)
			exit 1 }'
}

@test "calibrate: ctx-truncate and ctx-summarize weigh by the rule" {
	printf '%s\n' '{"role":"user","content":"one two three four"}' \
	    '{"role":"assistant","content":"five six seven eight"}' \
	    '{"role":"user","content":"nine ten one two"}' >in
	echo 'gpt-4o - factor=2 message=8 request=100' >models
	# 20 a message, and 103
	tail -n 2 in >want
	CTX_MODELS=models exits 0 ctx-truncate -m gpt-4o -t 143 in
	same out want
	tail -n 1 in >want
	CTX_MODELS=models exits 0 ctx-truncate -m gpt-4o -t 142 in
	same out want
	log claude-code claude-opus-5 1 0 0 12 >in
	n=$(ctx-count -q -m claude-opus-5 in | awk '{ print $1 }')
	echo 'claude-opus-5 - message=2' >models
	set -- ctx-summarize -m claude-opus-5 -n 4 --when-tokens "$n" in
	exits 0 "$@"
	same out in
	CTX_MODELS=models exits 0 "$@"
	differs out in
}

@test "calibrate: each model of a log has a line, -m is for one" {
	log claude-code claude-opus-4-1 1 0 8000 15 >a
	log pairs gpt-4o 1 0 700 15 >b
	exits 0 ctx-count -q --calibrate a b
	wrote 'claude-opus-4-1 - request=8000 margin=0..0 # fitted on 10 requests, checked on 5' \
	    'gpt-4o - request=700 margin=0..0 # fitted on 10 requests, checked on 5'
	exits 0 ctx-count -q --calibrate -m gpt-4o a b
	wrote 'gpt-4o - request=700 margin=0..0 # fitted on 10 requests, checked on 5'
	exits 0 ctx-count -q --calibrate -m anthropic/claude-opus-4 a b
	wrote 'claude-opus-4 - request=8000 margin=0..0 # fitted on 10 requests, checked on 5'
	exits 1 ctx-count --calibrate -m gpt-5 a b
	silent
	said 'ctx-count: no answer says what its request to this model cost'
	# an answer that says nothing of it
	{ echo '{"request":{},"response":{"error":"busy"}}'; cat b; echo; } >busy
	exits 0 ctx-count -q --calibrate busy
	wrote 'gpt-4o - request=700 margin=0..0 # fitted on 10 requests, checked on 5'
	# where no model is named, -m names it
	sed 's/"model": "gpt-4o", //g' b >none
	exits 0 ctx-count -q --calibrate -m gpt-4o none
	wrote 'gpt-4o - request=700 margin=0..0 # fitted on 10 requests, checked on 5'
	exits 1 ctx-count --calibrate none
	silent
}

@test "calibrate: a compaction begins again; side conversations and what was taken back are left out" {
	log claude-code claude-sonnet-4-5 1.07 3 14210 30 >in
	# a summary replaces the first 10 steps: 30 records
	python3 - <<'X' >compacted
import json
rows = [json.loads(line) for line in open("in")]
gone = rows[:30]
with open("rest", "w") as f:
    f.writelines(json.dumps(r) + "\n" for r in rows[30:])
for r in gone:
    print(json.dumps(r))
print(json.dumps({"type": "system", "subtype": "compact_boundary", "uuid": "c",
                  "parentUuid": None, "logicalParentUuid": gone[-1]["uuid"],
                  "sessionId": "s", "isSidechain": False}))
print(json.dumps({"type": "user", "uuid": "d", "parentUuid": "c",
                  "sessionId": "s", "isSidechain": False,
                  "isCompactSummary": True,
                  "message": {"role": "user", "content": "It is done."}}))
X
	# what is then sent costs as if nothing had been before
	log claude-code claude-sonnet-4-5 1.07 3 14230 20 |
	    sed 's/"parentUuid": null/"parentUuid": "d"/; s/"u\([0-9]\)/"v\1/g
	    s/msg_/other_/' >>compacted
	exits 0 ctx-count -q --calibrate compacted
	[[ "$(cat out)" =~ \ factor=1.07\ message=3\ request=142[0-9][0-9]\ margin=-?[01]..[01]\ .*\ 20\ requests,\ checked\ on\ 10 ]]
	# a side conversation has a prompt of its own
	sed 's/"isSidechain": false/"isSidechain": true, "agentId": "a"/
	    s/_input_tokens": /&1/' in >side
	cat in side >both
	exits 0 ctx-count -q --calibrate both
	wrote 'claude-sonnet-4-5 - factor=1.07 message=3 request=14210 margin=0..0 # fitted on 20 requests, checked on 10'
	# a request that costs less than the one before it has lost something
	log codex gpt-5.5 1 2 9500 40 >in
	awk '/input_tokens/ && ++n > 60 { sub(/"input_tokens": 1/, "\"input_tokens\": ") }
	    1' in >less
	exits 0 ctx-count -q --calibrate less
	wrote 'gpt-5.5 - message=2 request=9500 margin=0..0 # fitted on 20 requests, checked on 10'
}

@test "calibrate: what helps nothing has no line, and too little is said" {
	log pairs gpt-4o 1 0 0 20 >in
	exits 1 ctx-count --calibrate in
	silent
	said 'ctx-count: gpt-4o: fitted on 13 requests; the counts of 7 others are off by +0.0 % (nine of ten by +0.0 to +0.0), with the fit by +0.0 % (+0.0 to +0.0)' \
	    'ctx-count: gpt-4o: that is hardly better, so there is no line for it' \
	    'ctx-count: nothing to add to CTX_MODELS'
	head -n 7 in >few
	exits 1 ctx-count --calibrate few
	silent
	said 'ctx-count: gpt-4o: the cost of only 7 requests is recorded; at least 8 are needed' \
	    'ctx-count: nothing to add to CTX_MODELS'
	printf '{"role":"user","content":"hi"}\n' >plain
	exits 1 ctx-count --calibrate plain
	silent
	said 'ctx-count: no answer says what its request cost'
	exits 4 ctx-count --calibrate nowhere
	silent
	[ "$(wc -l <err)" -eq 1 ]
	{ cat few; echo '{"oops'; } >bad
	exits 3 ctx-count --calibrate bad
	silent
	says 'ctx-count: bad:8:*not JSON*'
	exits 2 ctx-count --calibrate --text in
	exits 2 ctx-count --calibrate -e cl100k_base in
}

@test "calibrate: a name that can be no prefix is left out" {
	log pairs 'gpt-4o' 1 0 700 12 >in
	for name in 'a b' 'a#b' '<synthetic>' '' 'a%' "$(printf 'x%.0s' {1..300})"; do
		sed "s/\"gpt-4o\"/\"$name\"/g" in >odd
		exits 1 ctx-count --calibrate odd
		silent
		said 'ctx-count: no answer says what its request cost'
	done
	exits 2 ctx-count --calibrate -m 'a b' in
	silent
}

@test "calibrate: other people's session is counted within 10 % by its line" {
	other_peoples
	exits 0 ctx-count --calibrate \
	    "$CTX_DATA/transcripts/claude-code-session.native.jsonl"
	[[ "$(cat out)" =~ ^claude-opus-4-6\ -\ .*\ request=[0-9]+\ margin=(-?[0-9]+)\.\.([0-9]+)\ # ]]
	[ "${BASH_REMATCH[1]}" -ge -10 ]
	[ "${BASH_REMATCH[2]}" -le 10 ]
	# what a program adds is a third of its requests
	says '*others are off by -[34]?.? %*'
}
