#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Run every filter on every dialect.
#
# tests/data/dialects/NAME.faulty.jsonl is the same conversation in each
# dialect.  It has a call with a result, a result without a call, a call without
# a result, and a call with reasoning before it.  Each text and each argument of
# a call contains a mark (MU1, MC2, …), so that the marks in the output show
# what a filter did.
#
# NAME.awkward.jsonl is valid, but spelled as oddly as JSON allows.

setup() { load helpers; common_setup; D=$DATA/dialects; }

FAULTY=(openai anthropic openai-responses gemini langchain langchain-lc
    langchain-flat pydantic-ai claude-code codex codex-bare sharegpt ai-sdk
    ai-sdk-v4 bedrock cohere ollama mistral gemini-cli qwen-code pi opencode
    continue goose otel otel-span langfuse langsmith)

marks() { grep -o 'M[A-Z][0-9]' | sort -u | tr '\n' ' '; }

# faultless FILE: assert that --check finds nothing but roles that do not
# alternate; these follow from what was dropped, and ctx-convert settles them.
faultless() {
	exits 0 ctx-clean --check --ignore user-after-result "$1"
}

# each MARKS COMMAND...: assert that it leaves these marks in every dialect.
each() {
	local want=$1 d got

	shift
	for d in "${FAULTY[@]}"; do
		got=$("$@" <"$D/$d.faulty.jsonl" | marks)
		[ "$got" = "$want " ] || fail "$d: $got instead of $want: $*"
	done
}

@test "dialects: clean keeps and drops the same in every dialect" {
	each 'MA1 MA2 MA4 MC1 MC3 MR1 MR3 MS0 MT3 MU1 MU2' ctx-clean
}

@test "dialects: a repaired call keeps its place in every dialect" {
	each 'MA1 MA2 MA4 MC1 MC2 MC3 MR1 MR3 MS0 MT3 MU1 MU2' \
	    ctx-clean --unanswered repair
	for d in "${FAULTY[@]}"; do
		ctx-clean --unanswered repair "$D/$d.faulty.jsonl" >fixed
		about "$d"
		faultless fixed
		[ "$(grep -c 'was not completed' fixed)" -eq 1 ]
		jq -c . fixed >/dev/null
	done
}

@test "dialects: --check finds the same two faults in every dialect" {
	for d in "${FAULTY[@]}"; do
		exits 1 ctx-clean --check --ignore user-after-result \
		    "$D/$d.faulty.jsonl"
		sed 's/.*error\[\([a-z-]*\)\].*/\1/' "$T/out" | sort >rules
		printf 'orphan-result\nunanswered-call\n' | cmp - rules ||
		    { echo "$d"; cat out; false; }
	done
}

@test "dialects: the output of clean is clean, and the same with -d as without" {
	for d in "${FAULTY[@]}"; do
		ctx-clean "$D/$d.faulty.jsonl" >once
		faultless once
		ctx-clean once | cmp - once
		case $d in
		langchain*) n=langchain ;;
		codex*) n=codex ;;
		ai-sdk*) n=ai-sdk ;;
		otel*) n=otel ;;
		langfuse) n=openai ;;
		langsmith) n=langchain ;;
		*) n=$d ;;
		esac
		ctx-clean -d "$n" "$D/$d.faulty.jsonl" | cmp - once
	done
}

@test "dialects: truncate cuts between the same groups in every dialect" {
	for d in "${FAULTY[@]}"; do
		ctx-clean "$D/$d.faulty.jsonl" >"$T/clean"
		got=$(ctx-truncate -t 30 -e chars --overhead 0 clean | marks)
		case $got in
		*MC3*MR3* | *'MA4 '*) ;;
		*) echo "$d: $got"; false ;;
		esac
		# a group is never split
		case $got in
		*MC3*MR3*MT3* | *MC3*MR3*) ;;
		*MC3* | *MR3* | *MT3*) echo "$d: $got"; false ;;
		esac
		ctx-truncate -n 3 clean >cut
		about "$d"
		faultless cut
	done
}

@test "dialects: results are shortened in every dialect" {
	for d in "${FAULTY[@]}"; do
		sed 's/MR[0-9] [a-z.]*/& is a result that is longer than the marker of a cut/g' \
		    "$D/$d.faulty.jsonl" >long
		ctx-clean --max-result 3 long >short
		case $d in
		# a result that is not a text is not shortened
		ai-sdk-v4) n=1 ;;
		# the text appears twice, once for the interface
		claude-code | qwen-code) n=4 ;;
		# or three times
		gemini-cli) n=6 ;;
		*) n=2 ;;
		esac
		got=$(grep -o '(truncated, [0-9]* chars total)' short | wc -l)
		[ "$got" -eq "$n" ] || { echo "$d: $got"; cat short; false; }
		ctx-clean --max-result 3 short | cmp - short
	done
}

@test "dialects: histories spelled as oddly as JSON allows are left unchanged" {
	for f in "$D"/*.awkward.jsonl; do
		about "$f"
		exits 0 ctx-clean --check "$f"
		ctx-clean "$f" | cmp - "$f"
		ctx-clean --keep-pending --unanswered drop "$f" | cmp - "$f"
		ctx-truncate -n 100 "$f" | cmp - "$f"
		ctx-truncate -t 1M "$f" | cmp - "$f"
		ctx-count "$f" >count
	done
}

@test "dialects: our logs have no faults" {
	exits 0 ctx-clean --check "${LOGS[@]}"
	silent
	for f in "${LOGS[@]}"; do
		ctx-clean "$f" | cmp - "$f"
	done
}

@test "dialects: mutated histories become valid by the APIs' rules" {
	for d in openai anthropic openai-responses gemini bedrock cohere ollama \
	    mistral; do
		python3 "$ROOT/tests/histories.py" "$d" "${SEED:-20261121}" \
		    "${HISTORIES:-75}" links >"$d.in"
		for how in trim drop repair; do
			ctx-clean -d "$d" --unanswered "$how" "$d.in" >"$d.$how"
			ctx-clean -d "$d" "$d.$how" | cmp - "$d.$how"
			ctx-truncate -d "$d" -n 5 "$d.$how" >"$d.$how.cut"
		done
		cat "$d".{trim,drop,repair}{,.cut} >all
		python3 "$ROOT/tests/validate.py" "$d" <all >faults ||
		    fail "$d: $(head -n 5 faults), lines of $(wc -l "$d".*)"
	done
}

# --- what only one dialect has; expected bytes are written by hand --------

@test "responses: reasoning is removed together with its call" {
	given <<-'X'
	{"role":"user","content":"u"}
	{"type":"reasoning","id":"rs_1","summary":[]}
	{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"}
	{"role":"user","content":"v"}
	{"type":"reasoning","id":"rs_2","summary":[]}
	{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}
	{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"c","output":"c"}
	X
	wanted <<-'X'
	{"role":"user","content":"u"}
	{"role":"user","content":"v"}
	{"type":"reasoning","id":"rs_2","summary":[]}
	{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"c","output":"c"}
	X
	becomes ctx-clean
	exits 1 ctx-clean --check in
	[ "$(wc -l <out)" -eq 2 ]
}

@test "responses: an output may come after later turns, but not before its call" {
	given <<-'X'
	{"type":"function_call_output","call_id":"a","output":"too early"}
	{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}
	{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"b","output":"b"}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"wait"}]}
	{"role":"user","content":"u"}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"still"}]}
	{"type":"function_call_output","call_id":"a","output":"a"}
	X
	tail -n +2 in >want
	becomes ctx-clean
}

@test "responses: reasoning that nothing follows is removed" {
	given <<-'X'
	{"role":"user","content":"u"}
	{"type":"reasoning","id":"rs_1","summary":[]}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"t"}]}
	{"type":"reasoning","id":"rs_2","summary":[]}
	X
	head -n 3 in >want
	becomes ctx-clean
	exits 1 ctx-clean --check in
	grep -q '^in:4:1: error\[lone-reasoning\]' out
}

@test "responses: the generated output of a custom call has the right type" {
	given <<-'X'
	{"type":"custom_tool_call","call_id":"a","name":"f","input":"x"}
	{"role":"user","content":"u"}
	X
	wanted <<-'X'
	{"type":"custom_tool_call","call_id":"a","name":"f","input":"x"}
	{"type":"custom_tool_call_output","call_id":"a","output":"[no result: the tool call was not completed]"}
	{"role":"user","content":"u"}
	X
	becomes ctx-clean --unanswered repair
}

@test "gemini: split responses stay, and a generated one follows them" {
	given <<-'X'
	{"role":"user","parts":[{"text":"u"}]}
	{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"S"},{"functionCall":{"name":"g","args":{}}},{"functionCall":{"name":"f","args":{"n":1.0}}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"g","response":{"output":"g"}}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"f"}}},{"text":"and"}]}
	X
	wanted <<-'X'
	{"role":"user","parts":[{"text":"u"}]}
	{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"S"},{"functionCall":{"name":"g","args":{}}},{"functionCall":{"name":"f","args":{"n":1.0}}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"g","response":{"output":"g"}}}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"f"}}},{"text":"and"}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"error":"[no result: the tool call was not completed]"}}}]}
	X
	becomes ctx-clean --unanswered repair
}

@test "gemini: the signature of a removed call goes with its part; others stay" {
	given <<-'X'
	{"role":"user","parts":[{"text":"u"}]}
	{"role":"model","parts":[{"text":"","thoughtSignature":"S"}, {"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"T"}]}
	{"role":"user","parts":[{"text":"v"}]}
	X
	wanted <<-'X'
	{"role":"user","parts":[{"text":"u"}]}
	{"role":"model","parts":[{"text":"","thoughtSignature":"S"}]}
	{"role":"user","parts":[{"text":"v"}]}
	X
	becomes ctx-clean
}

@test "langchain: a call is removed from both places in its message" {
	given <<-'X'
	{"type":"ai","data":{"content":[{"type":"text","text":"t"},{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}],"tool_calls":[{"name":"f","args":{},"id":"a"},{"name":"f","args":{},"id":"b"}]}}
	{"type":"tool","data":{"content":"b","tool_call_id":"b"}}
	{"type":"ai","data":{"content":"","additional_kwargs":{"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"d","type":"function","function":{"name":"f","arguments":"{}"}}]},"tool_calls":[{"name":"f","args":{},"id":"c"},{"name":"f","args":{},"id":"d"}]}}
	{"type":"tool","data":{"content":"c","tool_call_id":"c"}}
	X
	wanted <<-'X'
	{"type":"ai","data":{"content":[{"type":"text","text":"t"},{"type":"tool_use","id":"b","name":"f","input":{}}],"tool_calls":[{"name":"f","args":{},"id":"b"}]}}
	{"type":"tool","data":{"content":"b","tool_call_id":"b"}}
	{"type":"ai","data":{"content":"","additional_kwargs":{"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},"tool_calls":[{"name":"f","args":{},"id":"c"}]}}
	{"type":"tool","data":{"content":"c","tool_call_id":"c"}}
	X
	becomes ctx-clean
}

@test "pydantic-ai: an orphaned return is removed, and other parts stay" {
	given <<-'X'
	{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"f","content":"r","tool_call_id":"a"}, {"part_kind":"user-prompt","content":"u"}]}
	{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"f","content":"r","tool_call_id":"a"}]}
	X
	wanted <<-'X'
	{"kind":"request","parts":[{"part_kind":"user-prompt","content":"u"}]}
	X
	becomes ctx-clean
}

@test "pydantic-ai: a removed request leaves its system prompt" {
	given <<-'X'
	[{"kind":"request","parts":[{"part_kind":"system-prompt","content":"s"},{"part_kind":"user-prompt","content":"u"}]},{"kind":"response","parts":[{"part_kind":"text","content":"a"}]},{"kind":"request","parts":[{"part_kind":"user-prompt","content":"v"}]},{"kind":"response","parts":[{"part_kind":"text","content":"b"}]}]
	X
	wanted <<-'X'
	[{"kind":"request","parts":[{"part_kind":"system-prompt","content":"s"}]},{"kind":"request","parts":[{"part_kind":"user-prompt","content":"v"}]},{"kind":"response","parts":[{"part_kind":"text","content":"b"}]}]
	X
	becomes ctx-truncate -n 2
}

cc() { sed 's/^\([ua]\) /\1 "uuid":"x","sessionId":"s",/; s/^u /{"type":"user",/; s/^a /{"type":"assistant",/; s/$/}/'; }

@test "claude-code: results between the blocks of one message are not a fault" {
	cc >in <<-'X'
	u "message":{"role":"user","content":"u"}
	a "message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	u "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"a"}]}
	a "message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]}
	a "message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}
	u "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"c"}]}
	u "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"b"}]}
	a "message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"t"}]}
	X
	exits 0 ctx-clean --check in
	[ ! -s out ]
	ctx-clean in | cmp - in
}

@test "claude-code: subagents are separate conversations" {
	cc >in <<-'X'
	u "message":{"role":"user","content":"u"}
	a "message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"a","name":"Task","input":{}}]}
	a "isSidechain":true,"agentId":"1","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	a "isSidechain":true,"agentId":"2","message":{"id":"m3","role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	u "isSidechain":true,"agentId":"2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"2"}]}
	u "isSidechain":true,"agentId":"1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}
	u "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"0"}]}
	X
	exits 0 ctx-clean --check in
	ctx-clean in | cmp - in
}

@test "claude-code: a summary closes the calls before it" {
	cc >in <<-'X'
	a "message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	u "isCompactSummary":true,"message":{"role":"user","content":"so far"}
	u "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"a"}]}
	X
	exits 1 ctx-clean --check in
	sed 's/.*error\[\([a-z-]*\).*/\1/' out >rules
	printf 'unanswered-call\norphan-result\n' | cmp - rules
}

@test "claude-code: a generated result is a record with the log's members" {
	given <<-'X'
	{"parentUuid":null,"isSidechain":false,"cwd":"/p","sessionId":"s","version":"2","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},"uuid":"u1","timestamp":"2026"}
	X
	ctx-clean --unanswered repair in | tail -n 1 >made
	jq -e '.parentUuid == "u1" and .sessionId == "s" and .cwd == "/p" and
	    .timestamp == "2026" and .type == "user" and
	    .message.content[0].tool_use_id == "a"' made
	ctx-clean --unanswered repair in | tail -n 1 | cmp - made
}

@test "codex: nothing is moved, and old files have no envelope" {
	given <<-'X'
	{"timestamp":"1","type":"response_item","payload":{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}}
	{"timestamp":"2","type":"event_msg","payload":{"type":"user_message","message":"u"}}
	{"timestamp":"2","type":"response_item","payload":{"role":"user","type":"message","content":[{"type":"input_text","text":"u"}]}}
	{"timestamp":"3","type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"a"}}
	X
	cp in want
	becomes ctx-clean
	jq -c 'select(.type == "response_item").payload' want >in
	cp in want
	becomes ctx-clean -d codex
}

# codex_item ROLE TYPE TEXT: a message of a rollout.
codex_item() {
	printf '{"timestamp":"2","type":"response_item","payload":{"type":"message","role":"%s","content":[{"type":"%s","text":"%s"}]}}\n' "$@"
}

@test "codex: the instructions of a session are its system prompt, once" {
	meta='{"timestamp":"1","type":"session_meta","payload":{"id":"s","base_instructions":{"text":"Review with care."}}}'
	{
		echo "$meta"
		echo '{"timestamp":"1","type":"event_msg","payload":{"type":"task_started"}}'
		codex_item developer input_text "No network."
		codex_item user input_text one
		codex_item assistant output_text 1
		# a session that goes on from another repeats its record
		echo "$meta"
		codex_item user input_text two
		codex_item assistant output_text 2
	} >in
	{
		echo '{"type":"message","role":"system","content":[{"type":"input_text","text":"Review with care."}]}'
		jq -c 'select(.type == "response_item").payload' in
	} >items
	for f in in items; do
		exits 0 ctx-count --by-role $f
		awk '{ print $1, $2, $4 }' out >$f.rows
	done
	same in.rows items.rows
	exits 0 ctx-convert --to openai in
	wrote '{"role":"system","content":"Review with care."}' \
	    '{"role":"developer","content":"No network."}' \
	    '{"role":"user","content":"one"}' '{"role":"assistant","content":"1"}' \
	    '{"role":"user","content":"two"}' '{"role":"assistant","content":"2"}'
	# nothing else may begin a rollout, and nobody else may write into it
	cp in want
	becomes ctx-clean --merge-runs --max-message 5
	sed '4,6d' in >want
	becomes ctx-truncate -n 2
	sed "s/with care/AKIA""IOSFODNN7EXAMPLF/" in >secret
	exits 0 ctx-clean --redact secret
	lacks AKIA out
	exits 0 ctx-count --per-message <<<'{"timestamp":"1","type":"session_meta","payload":{"id":"s","base_instructions":{"text":""}}}'
	[ ! -s out ]
}

@test "codex: the instructions of a session outlive what a summary replaces" {
	{
		echo '{"timestamp":"1","type":"session_meta","payload":{"id":"s","base_instructions":{"text":"Review with care."}}}'
		codex_item user input_text one
		codex_item assistant output_text 1
		echo '{"timestamp":"3","type":"compacted","payload":{"message":"One was asked."}}'
		codex_item user input_text two
	} >in
	exits 0 ctx-convert -q --to anthropic --request -m claude-sonnet-4-5 in
	jq -e '.system == "Review with care." and (.messages | tostring |
	    (contains("One was asked") and contains("two") and
	    (contains("one") | not)))' out
}

@test "pydantic-ai: a system prompt stays when the prompt in the same message goes" {
	given <<-'X'
	{"parts":[{"content":"S","part_kind":"system-prompt"},{"content":"one","part_kind":"user-prompt"}],"kind":"request"}
	{"parts":[{"content":"two","part_kind":"text"}],"kind":"response"}
	{"novel":1}
	{"parts":[{"content":"three","part_kind":"user-prompt"}],"kind":"request"}
	{"parts":[{"content":"four","part_kind":"text"}],"kind":"response"}
	X
	wanted <<-'X'
	{"parts":[{"content":"S","part_kind":"system-prompt"}],"kind":"request"}
	{"parts":[{"content":"three","part_kind":"user-prompt"}],"kind":"request"}
	{"parts":[{"content":"four","part_kind":"text"}],"kind":"response"}
	X
	cp want kept
	becomes_both ctx-truncate -q -n 2 --dropped gone
	printf '%s\n' '{"parts":[{"content":"one","part_kind":"user-prompt"}],"kind":"request"}' >want
	sed -n 2,3p in >>want
	exits 0 ctx-truncate -q -n 2 --dropped gone in
	same gone want
	sed "s/\"one\"/\"one $(seq -s ' ' 999)\"/" in >long
	exits 0 ctx-summarize -q -e chars --half --min-turns 0 --dropped gone long
	has '^{"kind":"request",.*Summary of earlier conversation (2 turns)' out
	sed '/"kind":"re[a-z]*","parts"/d' out >rest
	same rest kept
	[ "$(jq -c '[.parts[]?.part_kind]' gone | paste -s -)" = \
	    "$(printf '["user-prompt"]\t["text"]\t[]')" ]
	# a message counts once, however many results it has
	given <<-'X'
	{"parts":[{"content":"one","part_kind":"user-prompt"}],"kind":"request"}
	{"parts":[{"tool_name":"f","args":"{}","tool_call_id":"a","part_kind":"tool-call"},{"tool_name":"f","args":"{}","tool_call_id":"b","part_kind":"tool-call"}],"kind":"response"}
	{"parts":[{"tool_name":"f","content":"1","tool_call_id":"a","part_kind":"tool-return"},{"tool_name":"f","content":"2","tool_call_id":"b","part_kind":"tool-return"}],"kind":"request"}
	{"parts":[{"content":"two","part_kind":"text"}],"kind":"response"}
	X
	stays_both ctx-truncate -n 4
	sed 1d in >want
	becomes ctx-truncate -n 3
}

@test "pydantic-ai: a summary follows the system prompt of the message that it splits" {
	given <<-X
	{"parts":[{"content":"one","part_kind":"user-prompt"},{"content":"S","part_kind":"system-prompt"},{"content":"more $(seq -s ' ' 999)","part_kind":"user-prompt"}],"kind":"request"}
	{"parts":[{"content":"two","part_kind":"text"}],"kind":"response"}
	{"parts":[{"content":"three","part_kind":"user-prompt"}],"kind":"request"}
	{"parts":[{"content":"four","part_kind":"text"}],"kind":"response"}
	X
	exits 0 ctx-summarize -q -e chars --half --min-turns 0 --as user in
	mv out lines
	[ "$(jq -r '.parts[0].content | .[:9]' lines | paste -sd ' ')" = \
	    'S [Context: three four' ]
	printf '{"messages":[%s]}\n' "$(paste -sd , in)" >list
	exits 0 ctx-summarize -q -e chars --half --min-turns 0 --as user list
	printf '{"messages":[%s]}\n' "$(paste -sd , lines)" >want
	same out want
}

@test "ai-sdk: approvals are removed together, UI calls with their results" {
	given <<-'X'
	{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"tool-approval-request","approvalId":"p","toolCallId":"a"}]}
	{"role":"user","content":"u"}
	X
	wanted <<-'X'
	{"role":"assistant","content":[{"type":"text","text":"t"}]}
	{"role":"user","content":"u"}
	X
	becomes ctx-clean
	given <<-'X'
	{"id":"1","role":"assistant","parts":[{"type":"tool-f","toolCallId":"a","state":"input-available","input":{}},{"type":"tool-f","toolCallId":"b","state":"output-available","input":{},"output":"b"}]}
	{"id":"2","role":"user","parts":[{"type":"text","text":"u"}]}
	{"id":"3","role":"assistant","parts":[{"type":"text","text":"v"}]}
	X
	wanted <<-'X'
	{"id":"1","role":"assistant","parts":[{"type":"tool-f","toolCallId":"b","state":"output-available","input":{},"output":"b"}]}
	{"id":"2","role":"user","parts":[{"type":"text","text":"u"}]}
	{"id":"3","role":"assistant","parts":[{"type":"text","text":"v"}]}
	X
	becomes ctx-clean
}

@test "ai-sdk: a call that was decided about waits at the end, and goes with its approval" {
	local c='{"type":"tool-call","toolCallId":"c","toolName":"rm","input":{}}'
	local d='{"type":"tool-call","toolCallId":"d","toolName":"ls","input":{}}'
	local ask='{"type":"tool-approval-request","approvalId":"p","toolCallId":"c"}'
	local more='{"type":"tool-approval-request","approvalId":"q","toolCallId":"d"}'
	local yes='{"type":"tool-approval-response","approvalId":"p","approved":true}'
	local u='{"role":"user","content":"u"}'

	a() { printf '{"role":"assistant","content":[%s]}\n' "$1"; }
	t() { printf '{"role":"tool","content":[%s]}\n' "$1"; }
	# the SDK makes the call, in any order of the two
	{ echo "$u"; a "$c,$ask"; t "$yes"; } >in
	for how in trim drop repair; do
		stays_both ctx-clean --unanswered "$how"
	done
	exits 0 ctx-clean --check in
	{ a "$ask,$c"; t "$yes"; } >in
	stays_both ctx-clean
	# it does not make one that nobody was asked about
	{ a "$d,$c,$ask"; t "$yes"; } >in
	{ a "$c,$ask"; t "$yes"; } >want
	becomes_both ctx-clean
	# one that nobody has decided about goes, and not the other
	{ a "$c,$d,$ask,$more"; t "$yes"; } >in
	becomes_both ctx-clean
	# where the user goes on, nothing waits
	{ echo "$u"; a "$c,$ask"; t "$yes"; echo "$u"; } >in
	{ echo "$u"; echo "$u"; } >want
	becomes_both ctx-clean
	exits 1 ctx-clean --check in
	wrote 'in:2:32: error[unanswered-call]: tool call has no result'
	exits 0 ctx-clean --report r.jsonl in
	[ "$(jq -r 'select(.reason == "unanswered-call") | "\(.line)\(.path)"' r.jsonl |
	    sort | paste -sd ' ')" = '2/content/0 2/content/1 3/content/0' ]
	# nor is anything made up for a request
	{ a "$c,$ask"; echo "$u"; } >in
	{
		a "$c"
		t '{"type":"tool-result","toolCallId":"c","toolName":"rm","output":{"type":"error-text","value":"[no result: the tool call was not completed]"}}'
		echo "$u"
	} >want
	becomes_both ctx-clean --unanswered repair
}

@test "openai-responses: no output is made up for a request for approval" {
	given <<-'X'
	{"role":"user","content":"u"}
	{"type":"mcp_approval_request","id":"mcpr_1","name":"f","arguments":"{}","server_label":"s"}
	{"role":"user","content":"v"}
	X
	sed 2d in >want
	becomes_both ctx-clean --unanswered repair
}

@test "openai-responses: a search for tools that the client makes has an output, of either type" {
	local search='{"type":"tool_search_call","call_id":"s","execution":"client","status":"completed","arguments":{"queries":["rate"]}}'
	local found='{"type":"tool_search_output","call_id":"s","execution":"client","status":"completed","tools":[{"type":"function","name":"rate","parameters":{"type":"object"}}]}'
	local said='{"type":"function_call_output","call_id":"s","output":"[\"rate\"]"}'
	local call='{"type":"function_call","call_id":"c","name":"rate","arguments":"{}"}'
	local result='{"type":"function_call_output","call_id":"c","output":"1.1"}'
	local u='{"role":"user","content":"u"}' output

	for output in "$found" "$said"; do
		printf '%s\n' "$u" "$search" "$output" "$call" "$result" >in
		stays_both ctx-clean
		exits 0 ctx-clean --check in
		# it is sent as it is, too
		exits 0 ctx-convert -q --to openai-responses --request -m gpt-5 in
		[ "$(jq -c '.input[]' out)" = "$(<in)" ]
		# the two are not parted
		exits 0 ctx-truncate -q -n 4 in
		mv out cut
		exits 0 ctx-clean --check cut
		sed 's/.*/{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":&}/' in >log
		exits 0 ctx-clean log
		same out log
	done
	# for other dialects it is no call; what goes with its thinking comes back
	printf '%s\n' "$u" "$search" "$found" "$call" "$result" >in
	exits 0 ctx-convert --to openai in
	said 'ctx-convert: lost or changed: parts of type tool_search_call (1), parts of type tool_search_output (1)'
	printf '%s\n' '{"type":"reasoning","summary":[]}' "$search" "$found" "$call" |
		ctx-convert -q --to openai >mid
	exits 0 ctx-convert -q --to openai-responses mid
	has -Fx "$search" out
	has -Fx "$found" out
	# one without the other goes
	{ echo "$u"; echo "$u"; } >want
	printf '%s\n' "$u" "$search" "$u" >in
	for how in trim drop repair; do
		becomes_both ctx-clean --unanswered "$how"
	done
	exits 1 ctx-clean --check in
	wrote 'in:2:1: error[unanswered-call]: tool call has no result'
	printf '%s\n' "$u" "$found" "$u" >in
	becomes_both ctx-clean
	# that of the server has its output there
	printf '%s\n' "$u" "${search/client/server}" "$u" >in
	stays_both ctx-clean
}

@test "openai-responses: a request has an approval as it came" {
	given <<-'X'
	{"role":"user","content":"u"}
	{"type":"mcp_approval_request","id":"mcpr_1","name":"f","arguments":"{}","server_label":"s"}
	{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}
	X
	exits 0 ctx-convert --to openai-responses --request -m gpt-5 in
	quiet
	[ "$(jq -c '.input[]' out)" = "$(<in)" ]
}

@test "ai-sdk: a call that the user denied has a result, which says so" {
	given <<-'X'
	{"id":"1","role":"user","parts":[{"type":"text","text":"u"}]}
	{"id":"2","role":"assistant","parts":[{"type":"tool-f","toolCallId":"a","state":"output-denied","input":{},"approval":{"id":"x","approved":false,"reason":"not today"}},{"type":"tool-f","toolCallId":"b","state":"output-denied","input":{},"approval":{"id":"y","approved":false}}]}
	{"id":"3","role":"user","parts":[{"type":"text","text":"v"}]}
	X
	stays_both ctx-clean
	exits 0 ctx-convert -q --to openai in
	wrote '{"role":"user","content":"u"}' \
	    '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}' \
	    '{"role":"tool","tool_call_id":"a","content":"not today"}' \
	    '{"role":"tool","tool_call_id":"b","content":"output-denied"}' \
	    '{"role":"user","content":"v"}'
}

@test "ai-sdk: a message with the results of two others stays after the later one" {
	# MissingToolResultsError counts up to the next user message
	given <<-'X'
	{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}
	{"role":"assistant","content":[{"type":"tool-call","toolCallId":"b","toolName":"f","input":{}}]}
	{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"text","value":"1"}},{"type":"tool-result","toolCallId":"b","toolName":"f","output":{"type":"text","value":"2"}}]}
	{"role":"user","content":"u"}
	X
	stays_both ctx-clean
	exits 0 ctx-clean --check in
	# a repaired result, and one that is elsewhere, come after both calls too
	head -n 2 in >calls
	sed 's/{"type":"tool-call","toolCallId":"b"/{"type":"tool-call","toolCallId":"c","toolName":"g","input":{}},&/' calls >more
	{
		sed -n '1{s/"a"/"d"/;p;}' calls
		cat more
		sed -n 3,4p in
	} >repairable
	exits 0 ctx-clean --unanswered repair repairable
	[ "$(jq -r '[.role, .content[]?.toolCallId?] | join(" ")' out | paste -s -d , -)" = \
	    'assistant d,assistant a,assistant c b,tool a b,tool d,tool c,user' ]
	cp out repaired
	exits 0 ctx-clean --unanswered repair repaired
	same out repaired
	# in OpenAI's form each result follows its own call
	exits 0 ctx-convert --to openai in
	[ "$(jq -r '.tool_calls[0].id // .tool_call_id // .content' out | paste -s -)" = \
	    "$(printf 'a\ta\tb\tb\tu')" ]
}

@test "gemini: parts of a type that nobody knows are Gemini's where -d says so" {
	given <<-'X'
	{"role":"user","parts":[{"type":"novel","what":1}]}
	{"role":"model","parts":[{"text":"t"}]}
	X
	stays_both ctx-clean -d gemini
	exits 0 ctx-count -d gemini --json in
	[ "$(jq .messages out)" = 2 ]
	# those that the AI SDK knows are not
	printf '%s\n' '{"role":"user","parts":[{"type":"text","text":"t"}]}' >in
	exits 3 ctx-clean -d gemini in
	said 'ctx-clean: in:1: not a message of the dialect gemini'
}

@test "bedrock: its blocks are its own, and take no other dialect's messages" {
	given <<-'X'
	{"role":"user","content":[{"text":"a"}]}
	{"role":"assistant","content":[{"text":"b"},{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]}
	X
	exits 0 ctx-convert -q --to openai in
	wrote '{"role":"user","content":"a"}' \
	    '{"role":"assistant","content":"b","tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]}'
	# of each of these, another dialect finds the fault, or nobody does
	for m in '[{"type":"text","text":"a"},{"text":"b"}]' '"a"' \
	    '[{"type":"text","text":"a"}]'; do
		about "$m"
		echo '{"role":"user","content":'"$m"'}' >in
		exits 0 ctx-convert --to bedrock in
		differs out in
	done
	echo '{"role":"user","content":[{"type":"image","source":{"type":"url","url":"u"}}]}' >in
	exits 3 ctx-clean -d bedrock in
	said 'ctx-clean: in:1: not a message of the dialect bedrock'
	# a content that is a string is none of its messages
	echo '{"messages":[{"role":"user","content":"a"},{"role":"user","content":[{"text":"b"}]}]}' >in
	exits 1 ctx-clean --check -d bedrock in
	has -c unknown-record out
}

@test "bedrock: blank texts go, but not those of results" {
	given <<-'X'
	{"role":"user","content":[{"text":" "},{"text":"u"}]}
	{"role":"assistant","content":[{"text":""},{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]}
	{"role":"user","content":[{"text":"v"},{"toolResult":{"toolUseId":"t","content":[{"text":" "}]}}]}
	{"role":"assistant","content":[{"text":"\n"}]}
	X
	wanted <<-'X'
	{"role":"user","content":[{"text":"u"}]}
	{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]}
	{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"text":" "}]}},{"text":"v"}]}
	X
	becomes ctx-clean
	exits 1 ctx-clean --check in
	sed 's/.*error\[\([a-z-]*\)\].*/\1/' out | sort >rules
	printf '%s\n' empty-text empty-text empty-text result-not-first | cmp - rules
}

@test "bedrock: a result that is made, renamed or moved has its form" {
	given <<-'X'
	{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}},{"toolUse":{"toolUseId":"t","name":"g","input":{}}}]}
	{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"json":{"a":[1.0]}}]}}]}
	X
	wanted <<-'X'
	{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}},{"toolUse":{"toolUseId":"t_2","name":"g","input":{}}}]}
	{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"json":{"a":[1.0]}}]}}]}
	{"role":"user","content":[{"toolResult":{"toolUseId":"t_2","status":"error","content":[{"text":"Tool execution was not completed."}]}}]}
	X
	ctx-clean --unanswered repair in >out
	sed -i.bak 's/"text":"[^"]*not completed[^"]*"/"text":"Tool execution was not completed."/' out
	same out want
}

@test "bedrock: strings in the JSON of a result are shortened, and texts in blocks" {
	long=0123456789012345678901234567890123456789
	given <<-X
	{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]}
	{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"json":{"a":"$long"}},{"text":"$long"}]}}]}
	X
	cut='0123\\n... (truncated, 40 chars total)'
	sed "s/$long/$cut/g" in >want
	becomes ctx-clean --max-result 4
	# a tool of the server's needs no result of the user's
	given <<-'X'
	{"role":"user","content":[{"text":"u"}]}
	{"role":"assistant","content":[{"toolUse":{"toolUseId":"s","name":"code","input":{},"type":"server_tool_use"}},{"toolResult":{"toolUseId":"s","content":[],"type":"code_result"}},{"text":"a"}]}
	X
	stays_both ctx-clean
	exits 0 ctx-clean --check in
}

@test "ollama: images beside the content are counted, dropped and joined" {
	image=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptV
	given <<-X
	{"role":"user","content":"a","images":["$image"]}
	{"role":"user","content":"b"}
	{"role":"user","content":"c"}
	{"role":"assistant","content":"d"}
	X
	wanted <<-X
	{"role":"user","content":"a"}
	{"role":"user","content":"b\\n\\nc"}
	{"role":"assistant","content":"d"}
	X
	for how in drop note; do
		exits 0 ctx-clean --images $how in
		sed -n 1p out >one
		sed -n 1p want >first
		same one first
	done
	sed -n '1p' in >first
	sed -n '2,$p' want >>first
	exits 0 ctx-clean --merge-runs in
	same out first
	exits 0 ctx-count --json -m gpt-4o in
	[ "$(jq .tokens out)" -gt 85 ]
}

@test "dialects: a line that does not fit the dialect of -d is reported" {
	given <<-'X'
	{"role":"user","content":"u"}
	{"role":"user","parts":[{"text":"u"}]}
	X
	exits 3 ctx-clean -d openai in
	grep -q '^ctx-clean: in:2: not a message of the dialect openai' err
	# so is one in a list, but not what is no dialect's
	other='{"role":"user","parts":[{"text":"u"}]}'
	for line in "[$other]" "{\"messages\":[$other]}" "{\"contents\":[$other]}"; do
		exits 3 ctx-clean -d openai <<<"$line"
		said 'ctx-clean: (standard input):1: not a message of the dialect openai'
	done
	exits 0 ctx-clean -d openai \
	    <<<'{"messages":[{"role":"user","content":"u"},{"role":"narrator"},7]}'
	quiet
}

# --- members that are null or empty ---------------------------------------

@test "dialects: with -d, a line is what it is in a list, whatever others take it for" {
	# goose does not send the first of them
	local t='"content":[{"type":"text","text":"a"}]'
	{
		echo '{"role":"user",'"$t"',"metadata":{"agentVisible":false}}'
		echo '{"role":"assistant",'"$t"'}'
		echo '{"role":"user",'"$t"'}'
	} >lines
	for d in ai-sdk openai anthropic; do
		about "$d"
		exits 0 ctx-count -q --json -d $d lines
		[ "$(jq .messages out)" -eq 3 ]
		exits 0 ctx-truncate -q -d $d -n 1 lines
		sed 1,2d lines >want
		same out want
		exits 0 ctx-count -q --json -d $d <<<"[$(paste -sd , lines)]"
		[ "$(jq .messages out)" -eq 3 ]
	done
	exits 0 ctx-count -q --json -d goose lines
	[ "$(jq .messages out)" -eq 2 ]
}

@test "dialects: a member that is null or empty changes no message" {
	some 3 5
	exits 0 python3 "$ROOT/tests/nulls.py" -v "$some"
	tail -n 1 out >last
	has '^0 of ' last
}

@test "dialects: a message without content is one, however that is spelled" {
	for content in '' ',"content":null' ',"parts":null'; do
		printf '{"role":"user","content":"hi"}\n{"role":"assistant"%s}\n' \
		    "$content" >"$T/in"
		exits 0 ctx-count --json "$T/in"
		has '"messages":2,' "$T/out"
	done
	# an answer of Gemini that was cut off before its first word
	printf '{"role":"user","parts":[{"text":"hi"}]}\n{"role":"model"}\n' \
	    >"$T/in"
	exits 0 ctx-count --json "$T/in"
	has '"messages":2,' "$T/out"
}

@test "dialects: every request that an API took has messages" {
	other_peoples
	for f in "$CTX_DATA"/recorded/requests/*.jsonl; do
		about "$f"
		jq -c 'select(.status == 200) | .request' "$f" >in
		ctx-count --json --per-conversation -e chars in >rows
		jq -c 'select(.messages == 0)' rows >none
		same none /dev/null
	done
}
