# shellcheck shell=bash
# ctx-store relevant: selects what a question needs from a session, within a
# budget.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

# A session whose messages state their own cost (--cost c).
session() {
	cat >"$T/in" <<-'X'
	{"role":"system","content":"Be brief.","c":1}
	{"role":"user","content":"The gate code is kestrel-19.","c":1}
	{"role":"assistant","content":"Noted.","c":1}
	{"role":"user","content":"How is the weather?","c":1}
	{"role":"assistant","tool_calls":[{"id":"w","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}],"c":1}
	{"role":"tool","tool_call_id":"w","content":"drizzle, 7 degrees","c":1}
	{"role":"assistant","content":"It drizzles.","c":1}
	{"role":"user","content":"周五的截止日期是三月一日。","c":1}
	{"role":"assistant","content":"好的。","c":1}
	{"role":"user","content":"Thanks.","c":1}
	{"role":"assistant","content":"You are welcome.","c":1}
	X
	ctx-store append S "$T/in"
}

# asks QUESTION BUDGET LINES [OPTION ...]: assert that the output is these lines
# of the session.
asks() {
	local question=$1 budget=$2 lines=$3

	shift 3
	# shellcheck disable=SC2086
	sed -n "$(printf '%sp;' $lines)" "$T/in" >"$T/want"
	about "question: $question, budget $budget $*"
	exits 0 ctx-store relevant S --question "$question" -t "$budget" --cost c "$@"
	quiet
	same "$T/out" "$T/want"
}

@test "relevant: everything, if it fits" {
	session
	asks "gate code" 11 "1 2 3 4 5 6 7 8 9 10 11"
	asks "gate code" 1000 "1 2 3 4 5 6 7 8 9 10 11"
}

@test "relevant: system and newest messages, then those that the question is about" {
	session
	# 1 for the system message and 1 for the newest; of the other 2, one
	# half for the message before it and one half for the answer
	asks "what was the gate code?" 4 "1 2 10 11"
	asks "what was the code of the gates?" 4 "1 2 10 11"
	asks "GATE" 4 "1 2 10 11"
	# no message is about it, so the newest are used
	asks "zeppelin" 4 "1 9 10 11"
	asks "?" 4 "1 9 10 11"
	asks "" 4 "1 9 10 11"
}

@test "relevant: Chinese questions match what they have in common with a message" {
	session
	asks "请问截止日期是哪一天？" 4 "1 8 10 11"
	asks "截止" 4 "1 8 10 11"
}

@test "relevant: a call is selected with its results or not at all" {
	session
	asks "drizzle degrees" 6 "1 5 6 9 10 11" --recent 0.5
	asks "drizzle degrees" 5 "1 5 6 10 11"
	asks "Oslo" 5 "1 5 6 10 11"
	# the two messages do not fit in place of one, so the next best is used
	asks "Oslo weather kestrel" 4 "1 2 10 11"
}

@test "relevant: --recent is the share of the newest messages" {
	session
	asks "kestrel drizzle" 6 "1 2 5 6 7 11" --recent 0
	asks "kestrel drizzle" 6 "1 7 8 9 10 11" --recent 1
	exits 2 ctx-store relevant S --question x -t 5 --recent 1.5
}

@test "relevant: --around adds the groups before and after a relevant one" {
	session
	asks "kestrel" 5 "1 2 3 4 11" --recent 0 --around 2
	asks "kestrel" 5 "1 2 3 10 11" --recent 0 --around 1
	# a call with its results is one group
	asks "weather" 6 "1 4 5 6 10 11" --recent 0 --around 0
}

@test "relevant: --pin keeps messages, whatever the question" {
	session
	edit '3s/,"c"/,"keep":true,"c"/; 9s/,"c"/,"keep":false,"c"/' in
	ctx-store append P in
	sed -n '1p;3p;10p;11p' in >want
	exits 0 ctx-store relevant P --question nothing -t 4 --cost c --pin keep
	same out want
}

@test "relevant: a running summary at the beginning stays" {
	given <<-'X'
	{"role":"user","content":"[Context: Summary of earlier conversation (4 turns)]:\nold","c":1}
	{"role":"assistant","content":"Understood. I have the context from our earlier conversation.","c":1}
	{"role":"user","content":"one","c":1}
	{"role":"assistant","content":"two","c":1}
	X
	ctx-store append S in
	asks "nothing" 3 "1 2 4"
}

@test "relevant: exit 1 if what must stay does not fit, with both numbers" {
	session
	exits 1 ctx-store relevant S --question x -t 1 --cost c
	silent
	said "ctx-store relevant: what must stay takes 2 tokens, but the budget is 1"
	exits 1 ctx-store relevant T --question x -t 1
	says "*no such thread*"
}

@test "relevant: a reference is selected together with its text" {
	local long

	long=$(printf 'x%.0s' $(seq 200))
	given <<-X
	{"role":"user","content":"$long","c":1}
	{"role":"assistant","content":"a","c":1}
	{"role":"user","content":"[same text as sent before: sha256:aa20c23e32018340, 200 chars]","c":1}
	{"role":"assistant","content":"b","c":1}
	{"role":"user","content":"c","c":1}
	X
	ctx-store append S in
	asks "same text" 3 "1 3 5" --recent 0
	asks "same text" 2 "4 5" --recent 0
}

@test "relevant: a history for Anthropic begins with a user message" {
	given <<-'X'
	{"role":"user","content":[{"type":"text","text":"Look around."}],"c":1}
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}],"c":1}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"kestrel.txt"}],"c":1}
	{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"cat","input":{}}],"c":1}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"hello"}],"c":1}
	{"role":"assistant","content":"Done.","c":1}
	{"role":"user","content":"More?","c":1}
	{"role":"assistant","content":"No.","c":1}
	X
	ctx-store append S in
	asks "kestrel" 5 "1 2 3 7 8" --recent 0
	# the answer and its request do not fit; newer messages do
	asks "kestrel" 4 "1 6 7 8" --recent 0
	cp out made
	exits 0 ctx-clean --check -d anthropic made
}

@test "relevant: Gemini takes what is left, whatever is left out" {
	given <<-'X'
	{"role":"user","parts":[{"text":"the kestrel is blue"}],"c":1}
	{"role":"model","parts":[{"text":"ok"}],"c":1}
	{"role":"user","parts":[{"text":"and the owl is red"}],"c":1}
	{"role":"model","parts":[{"text":"ok"}],"c":1}
	{"role":"user","parts":[{"text":"thanks"}],"c":1}
	{"role":"model","parts":[{"text":"bye"}],"c":1}
	X
	ctx-store append S in
	asks "kestrel" 4 "1 2 5 6" --recent 0
	cp out made
	exits 0 ctx-clean --check -d gemini made
	asks "kestrel" 3 "1 5 6" --recent 0
	cp out made
	exits 0 ctx-clean --check -d gemini made
}

@test "relevant: messages of a fork and of its parent appear once" {
	session
	echo '{"n":1}' | ctx-store checkpoint put S --id here --upto 3
	ctx-store fork --name other --at here S
	echo '{"role":"user","content":"Which bird was it?","c":1}' |
	    ctx-store append S -c other
	{ sed -n '1,2p' in; echo '{"role":"user","content":"Which bird was it?","c":1}'; } >want
	exits 0 ctx-store relevant S -c other --question "kestrel drizzle" -t 3 --cost c
	same out want
}

# a second session, about other birds
other() {
	cat >"$T/other" <<-'X'
	{"role":"system","content":"You know the heron and the kestrel.","c":1}
	{"role":"user","content":"Where is the heron?","c":1}
	{"role":"assistant","content":"At the pond.","c":1}
	{"role":"user","content":"And the robin?","c":1}
	{"role":"assistant","tool_calls":[{"id":"r","type":"function","function":{"name":"look","arguments":"{\"bird\":\"robin\"}"}}],"c":1}
	{"role":"tool","tool_call_id":"r","content":"on the fence","c":1}
	{"role":"assistant","content":"On the fence.","c":1}
	X
	ctx-store append Other "$T/other"
}

# from OPTION ... -- LINES OTHER REST: assert that the output is these lines of
# the session, then these of the other one, then the rest of the session's.
from() {
	local opts=()

	while [ "$1" != -- ]; do
		opts+=("$1")
		shift
	done
	about "${opts[*]}"
	# shellcheck disable=SC2086
	{
		sed -n "$(printf '%sp;' $2)" "$T/in"
		sed -n "$(printf '%sp;' $3)" "$T/other"
		sed -n "$(printf '%sp;' $4)" "$T/in"
	} >"$T/want"
	exits 0 ctx-store relevant S --cost c "${opts[@]}"
	quiet
	same "$T/out" "$T/want"
}

@test "relevant: --thread also takes what the question needs of other threads" {
	session
	other
	# after the system message, before the conversation that goes on
	from --thread Other --question heron -t 4 -- 1 2 '10 11'
	from --thread Other --question 'gate heron' -t 5 -- 1 2 '2 10 11'
	# a call with its result; what is around it
	from --thread Other --question fence -t 6 --recent 0 -- 1 '5 6 7' '10 11'
	from --thread Other --question pond -t 6 --around 1 --recent 0 -- 1 '2 3 4' '10 11'
	from --thread Other --question pond -t 100 --around 1 -- 1 '2 3 4' '2 3 4 5 6 7 8 9 10 11'
	# nothing is taken for being new, and the rules of others are not written
	from --thread Other --question zeppelin -t 100 -- 1 99 '2 3 4 5 6 7 8 9 10 11'
	from --thread Other --question 'you know the kestrel' -t 4 --recent 0 -- 1 99 '2 10 11'
	# no log is written twice
	from --thread S --thread Other --thread Other --question heron -t 4 -- 1 2 '10 11'
	echo '{"n":1}' | ctx-store checkpoint put S --id here --upto 3
	ctx-store fork --name side --at here S
	from --thread S -c side --question kestrel -t 10 -- '1 2 3' 99 99
	exits 1 ctx-store relevant S --thread none --question x -t 100
	says "*no such thread 'none'*"
	# several, in the order in which they are named
	printf '{"role":"user","content":"heron %s","c":1}\n' a b >more
	ctx-store append More more
	exits 0 ctx-store relevant S --thread More --thread Other \
	    --question heron -t 6 --cost c --recent 0
	{ sed -n 1p in; cat more; sed -n 2p other; sed -n '10p;11p' in; } >want
	same out want
}

@test "relevant: a word is rare or common in the threads that are named, not in the store" {
	seq 1 60 | sed 's/.*/{"role":"user","content":"amber filler","c":1}/' |
	    ctx-store append Other
	printf '{"role":"%s","content":"%s","c":1}\n' user 'birch one' \
	    assistant 'amber two' user 'birch three' assistant 'birch four' \
	    user 'birch five' assistant six user seven >in
	ctx-store append S in
	exits 0 ctx-store relevant S --question 'amber or birch' -t 2 \
	    --recent 0.5 --cost c
	sed -n '2p;7p' in >want
	same out want
	exits 0 ctx-store relevant S --question 'amber or birch' -t 2 \
	    --thread Other --recent 0.5 --cost c
	sed -n '5p;7p' in >want
	same out want
}

@test "relevant: for Anthropic, what is first of another thread is a user message" {
	given <<-'X'
	{"role":"user","content":"one","c":1}
	{"role":"assistant","content":"two","c":1}
	X
	cat >other <<-'X'
	{"role":"assistant","content":[{"type":"text","text":"a kestrel"}],"c":1}
	{"role":"user","content":[{"type":"text","text":"Where?"}],"c":1}
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"look","input":{"bird":"heron"}}],"c":1}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"here"}],"c":1}
	X
	ctx-store append S in
	ctx-store append Other other
	exits 0 ctx-store relevant S --thread Other --question heron -t 5 --cost c
	{ sed 1d other; cat in; } >want
	same out want
	# no request comes before it
	exits 0 ctx-store relevant S --thread Other --question kestrel -t 5 --cost c
	same out in
}

@test "relevant: lines without an end, CRLF, and records that are not messages" {
	printf '%s\r\n' '{"type":"note","c":1}' \
	    '{"role":"user","content":"kestrel","c":1}' \
	    '{"role":"assistant","content":"b","c":1}' >in
	printf '{"role":"user","content":"c","c":1}' >>in
	ctx-store append S in
	exits 0 ctx-store relevant S --question kestrel -t 3 --cost c
	same out in
	{ sed -n 1,2p in; printf '{"role":"user","content":"c","c":1}'; } >want
	exits 0 ctx-store relevant S --question kestrel -t 2 --cost c
	same out want
}

@test "relevant: the index is not needed" {
	session
	exits 0 ctx-store relevant S --question kestrel -t 4 --cost c
	cp out want
	ctx-store append U in --no-index
	exits 0 ctx-store relevant U --question kestrel -t 4 --cost c
	quiet
	same out want
}

@test "relevant: the text of a question is data, not syntax" {
	local q

	session
	for q in '"' '""' "'; DROP TABLE message; --" 'NEAR(a b)' 'text:gate' \
	    '* OR AND NOT' '(' '^gate' '-gate' 'a"b OR "c' '\' '猫' '。' \
	    "$(seq 1 3000 | tr '\n' ' ')"; do
		exits 0 ctx-store relevant S --question "$q" -t 4 --cost c
		quiet
	done
	exits 2 ctx-store relevant S --question $'\xff' -t 4
	exits 0 ctx-store check --full
}

@test "relevant: a question and a budget are required; -m has a window" {
	session
	exits 2 ctx-store relevant S -t 5
	says "ctx-store relevant: --question TEXT is required"
	exits 2 ctx-store relevant S --question x
	says "ctx-store relevant: --tokens is required, or --model or --window for a share of the window"
	exits 0 ctx-store relevant S --question x -m gpt-4o
	same out in
	# 4 tokens of 10, and as a variable
	exits 0 ctx-store relevant S --question "gate code" -t 4 --cost c --method keyword
	mv out four
	exits 0 ctx-store relevant S --question "gate code" --cost c --method keyword \
	    --window 10 --ratio 0.4 --reserve 0 --system-estimate 0
	same out four
	export CONTEXT_WINDOW_TOKENS=10
	exits 0 ctx-store relevant S --question "gate code" --cost c --method keyword \
	    --ratio 0.4 --reserve 0 --system-estimate 0
	same out four
	differs out in
	exits 0 ctx-store relevant S --question "gate code" -t 4 --cost c -v \
	    --method keyword
	said "ctx-store relevant: 4 of 11 messages, 4 of 4 tokens; 1 group for the question"
}

# holds THREAD FILE BUDGET: assert that the output for $question fits, is valid,
# and is a part of FILE (the contents of THREAD) in the same order; or that what
# must stay exceeds the budget.
holds() {
	local thread=$1 file=$2 budget=$3 rc=0

	about "$thread, $budget tokens"
	ctx-store relevant "$thread" --question "$question" -t "$budget" -e chars \
	    >out 2>err || rc=$?
	if [ "$rc" -eq 1 ]; then
		silent
		: >cut
		has 'what must stay takes' err
		return
	fi
	[ "$rc" -eq 0 ] || fail "exit $rc: $(cat err)"
	cp out cut
	exits 0 ctx-count -q -e chars --max "$budget" cut
	exits 0 ctx-clean --check cut
	# there are no lines that are only in the output
	diff <(unlinked "$file") <(unlinked cut) >diff || :
	lacks '^>' diff
	if grep -q '"parentUuid":"' "$file"; then
		exits 0 python3 "$ROOT/tests/sessions.py" kept "$file" cut
	fi
}

# unlinked FILE: without what the records of a session follow
unlinked() {
	sed -E 's/"(parentUuid|logicalParentUuid|leafUuid)":("[^"]*"|null),?//g' "$1"
}

# holds_all BUDGETS FILE...: do this for a thread from each file; $answered
# counts the outputs that are not empty.
holds_all() {
	local budgets=$1 f n

	shift
	for f; do
		ctx-store append "$f" "$f"
		for n in $budgets; do
			holds "$f" "$f" "$n"
			[ ! -s cut ] || answered=$((answered + 1))
		done
	done
}

@test "relevant: at every budget the output fits, is valid and in order: our sessions" {
	local question="which file, what lock, flight or 高铁, and the deposit?"
	local answered=0

	# all sessions of a language form one thread, of several dialects
	cat "$DATA"/search/en-*.jsonl >en
	cat "$DATA"/search/zh-*.jsonl >zh
	holds_all "200 700 3000 100000" en zh
	[ "$answered" -eq 8 ]
	answered=0
	holds_all "60 150 400 1000" "$DATA"/search/*.jsonl
	[ "$answered" -ge 60 ]
}

@test "relevant: the same with other people's histories" {
	local f n=0 b question="python error: which file, what reservation, flight?"
	local answered=0

	[ -n "${CTX_DATA:-}" ] || skip "CTX_DATA is not set"
	if sanitized; then
		skip "random histories are enough"
	fi
	holds_all "500 3000 10000 40000 1000000" "$CTX_DATA"/transcripts/*.jsonl
	[ "$answered" -ge 12 ]
	# the same with their messages
	f=$CTX_DATA/transcripts/tau-airline.openai.conv.jsonl
	head -n 12 "$f" >conversations
	while read -r line; do
		n=$((n + 1))
		ctx-store append "tau-$n" --split <<<"$line"
		ctx-store load "tau-$n" >whole
		for b in 1500 2500 4000; do
			in_turn 2 4 || continue
			holds "tau-$n" whole "$b"
		done
	done <conversations
	[ "$n" -eq 12 ]
}

@test "relevant: of a session, the branch that goes on; what is written can be resumed" {
	r() { printf '{"parentUuid":%s,"uuid":"%s","sessionId":"s","type":"%s","message":{"role":"%s","content":"%s"}}\n' "$2" "$1" "$3" "$3" "$4"; }
	{
		r u1 null user 'where is the kestrel?'
		r a1 '"u1"' assistant 'in the yard'
		r u2 '"a1"' user 'and the heron?'
		r a2 '"u2"' assistant 'at the pond'
		# asked again
		r u3 '"a1"' user 'and the robin?'
		r a3 '"u3"' assistant 'on the fence'
		r u4 '"a3"' user 'thanks'
		r a4 '"u4"' assistant 'you are welcome'
	} >in
	ctx-store append S in
	# what the question names, and the newest group
	exits 0 ctx-store relevant S --question 'kestrel heron' -t 30 -e chars
	jq -r '.uuid + " " + (.parentUuid // "null")' out >got
	printf '%s\n' 'u1 null' 'u4 u1' 'a4 u4' >want
	same got want
	says 'ctx-store relevant: 2 messages of other branches were not considered (--all-branches takes them)'
	exits 0 ctx-store relevant S --question heron -t 34 -e chars --all-branches
	has '"u2"' out
	quiet
}

@test "relevant: sessions of an agent become one that can be resumed" {
	r() { printf '{"parentUuid":%s,"uuid":"%s","sessionId":"%s","type":"%s","message":{"role":"%s","content":"%s"}}\n' "$3" "$2" "$1" "$4" "$4" "$5"; }
	{
		r s u1 null user 'hello'
		r s a1 '"u1"' assistant 'hi'
		r s u2 '"a1"' user 'go on'
	} >in
	{
		r t v1 null user 'where is the kestrel?'
		r t b1 '"v1"' assistant 'in the yard'
		r t v2 '"b1"' user 'and the heron?'
		r t b2 '"v2"' assistant 'at the pond'
	} >other
	ctx-store append S in
	ctx-store append T other
	exits 0 ctx-store relevant S --thread T --question 'yard pond' -t 100 -e chars --around 1
	jq -r '.uuid + " " + (.parentUuid // "null")' out >got
	printf '%s\n' 'v1 null' 'b1 v1' 'v2 b1' 'b2 v2' 'u1 b2' 'a1 u1' 'u2 a1' >want
	same got want
	cp out cut
	exits 0 ctx-convert --to openai cut
	jq -r .content out | tr '\n' '|' >got
	[ "$(cat got)" = 'where is the kestrel?|in the yard|and the heron?|at the pond|hello|hi|go on|' ]
}

# tests/data/search/README.md describes the set and how its answers were marked.
@test "relevant: a sixth of the tokens contains the answers to the labelled questions" {
	python3 "$ROOT/tests/search-score.py" >figures
	# Column 8; column 9 is the share in the newest messages within the same
	# budget.
	awk '$2 == "word" { n++; if ($8 != 1) { print; bad = 1 } }
	    $2 == "all" { n++; if ($8 < 0.8 || $8 < 4 * $9) { print; bad = 1 } }
	    END { exit bad || n != 4 }' figures
}

@test "relevant: the same with random histories of all shapes" {
	local d n question="shell path command longer text"

	for d in openai anthropic; do
		some 8 8 25
		python3 "$ROOT/tests/histories.py" "$d" 5 "$some" links >histories
		n=0
		while read -r line; do
			n=$((n + 1))
			echo "$line" | ctx-store append "$d-$n" --split 2>/dev/null
			ctx-store load "$d-$n" | ctx-clean -d "$d" >whole
			[ -s whole ] || continue
			ctx-store append "$d-$n-clean" whole
			for b in 40 90 200; do
				in_turn 2 4 || continue
				holds "$d-$n-clean" whole "$b"
			done
		done <histories
	done
}
