# ctx-clean --check says what the APIs say.

setup() {
	load helpers
	common_setup
}

@test "rules: each case is judged as its API judges it, in three forms" {
	exits 0 python3 "$ROOT/tests/rules.py"
	has ' 0 wrong$' out
	# every rule has a case, but those that have tests of their own
	ctx-clean --rules | sed -n 's/^[a-z].*/"rule": "&"/p' |
	    grep -v -e not-json -e leaked-secret -e unknown-record -e no-message |
	    # tests/sessions.bats
	    grep -v -e lost-parent -e record-loop -e twice-record -e second-root \
	    -e dead-branch -e other-session >rules
	[ -s rules ]
	while IFS= read -r rule; do
		has -F "$rule" "$DATA/rules/cases.jsonl"
	done <rules
}

@test "rules: recorded requests are judged as their APIs judged them" {
	other_peoples
	CTX_CLEAN=$BUILD/ctx-clean exits 0 python3 "$CTX_DATA/recorded/gate.py"
	has '^0 disagreements' out
}

@test "rules: levels, and what fails" {
	echo '{"role":"assistant","content":[{"type":"text","text":"a"}]}' >in
	exits 0 ctx-clean --check -d anthropic in
	wrote 'in:1:1: warning[first-not-user]: first message is not from the user'
	exits 1 ctx-clean --check --strict -d anthropic in
	exits 0 ctx-clean --check --strict --ignore first-not-user -d anthropic in
	silent
	exits 2 ctx-clean --check --ignore no-such-rule in
	says '*no rule is called*no-such-rule*--rules*'
	exits 2 ctx-clean --strict in
	exits 2 ctx-clean --check --api nobody in
}

@test "rules: the model is the request's, not a message's" {
	echo '{"role":"system","content":"s","model":"o1-mini"}' >in
	exits 0 ctx-clean --check -d openai in
	silent
	echo '{"model":"o1-mini","messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}]}' >in
	exits 1 ctx-clean --check in
	has 'error\[role-refused\]' out
	# one that is named may take what some do not
	local m='{"role":"user","content":"a"},{"role":"system","content":"s"},{"role":"user","content":"b"}'
	echo "{$m}" | sed 's/},{/}\n{/g; s/^{{/{/; s/}}$/}/' >lines
	exits 0 ctx-clean --check -d anthropic lines
	has '^lines:2:1: warning\[system-inside\]' out
	exits 0 ctx-clean --check -d anthropic -m claude-opus-4-8 lines
	silent
	echo '{"model":"claude-opus-4-8","max_tokens":9,"messages":['"$m"']}' >in
	exits 0 ctx-clean --check in
	silent
}

@test "rules: a conversation without a message is a fault, also among others" {
	given <<-'X'
	{"messages":[{"role":"user","content":"u"}]}
	{"messages":[]}
	{"system":"s","messages":[]}
	{"model":"m","input":[],"previous_response_id":"r"}
	X
	exits 1 ctx-clean --check in
	wrote in:{2:13,3:26}': error[no-message]: there is no message'
	# once, if there is no other
	sed -n 2p in >alone
	exits 1 ctx-clean --check alone
	wrote 'alone:1:13: error[no-message]: there is no message'
}

@test "rules: a baseline hides what it has, as often as it has it" {
	printf '%s\n' '{"role":"user","content":"a"}' \
	    '{"role":"tool","tool_call_id":"x","content":"y"}' >in
	exits 1 ctx-clean --check --json in
	cp out base
	exits 0 ctx-clean --check --baseline base in
	silent
	# on another line it is the same fault; a second one is new
	sed -i.old '1{h;p;}' in
	exits 0 ctx-clean --check --baseline base in
	echo '{"role":"tool","tool_call_id":"z","content":"y"}' >>in
	exits 1 ctx-clean --check --baseline base in
	wrote 'in:4:1: error[orphan-result]: tool result does not answer an open call'
	# of another file it is another fault
	cp in other
	exits 1 ctx-clean --check --baseline base other
	[ "$(wc -l <out)" -eq 2 ]
	exits 4 ctx-clean --check --baseline none in
	echo '{}' >base
	exits 2 ctx-clean --check --baseline base in
	says '*base:1: this is not a finding that --check --json prints*'
}

@test "rules: the servers and models that are named decide" {
	echo '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[]}]}' >in
	stays ctx-clean -d openai --api mistral
	exits 0 ctx-clean -d openai --api mistral --check in
	exits 1 ctx-clean -d openai --check in
	# a request names its model
	echo '{"model":"o1-mini","messages":[{"role":"system","content":"s"},{"role":"user","content":"a"}]}' >in
	exits 1 ctx-clean --check in
	has 'error\[role-refused\]' out
	exits 0 ctx-clean --check -m gpt-4o in
}

@test "rules: a tool_choice of Anthropic's is no fault where nothing but it says whose" {
	echo '{"model":"m","messages":[{"role":"user","content":"u"}],"tool_choice":{"type":"tool","name":"f"},"tools":[{"name":"f","input_schema":{"type":"object"}}]}' >in
	exits 0 ctx-clean --check in
	silent
	exits 0 ctx-clean --check -d anthropic in
	sed 's/"name":"f"}/"name":"g"}/' in >other
	exits 1 ctx-clean --check -d anthropic other
	has 'error\[tool-choice\]' out
}
