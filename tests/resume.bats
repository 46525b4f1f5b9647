#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Sessions that real agents wrote, damaged or made smaller: what the agents send of
# them when they are resumed.
#
# tests/data/resume has the sessions and tests/resume.py what each agent makes of its
# own; tests/agents/run (make check-agents) asks the agents themselves.

setup() { load helpers; common_setup; }

# resumed AGENT FILE: all damages; the rows are those of standard input
resumed() {
	cat >want
	exits 0 python3 "$BATS_TEST_DIRNAME/resume.py" damages "$BUILD" "$1" "$2"
	same out want
}

# The numbers of messages that are sent before and after ctx.  A chain that has lost
# a record ends there, and with the result its call goes.

@test "resume: Codex" {
	resumed codex "$DATA/resume/codex.jsonl" <<-'X'
	codex as it is: 30, 30
	codex cut in its last line: 30, 30
	codex robbed of a record: 30, 29
	codex cleaned: 30, 30
	codex truncated: 30, 14
	codex summarized: 30, 8
	X
}

# it doubles results when it resumes, in its file, too
@test "resume: Gemini CLI" {
	resumed gemini-cli "$DATA/resume/gemini-cli.jsonl" <<-'X'
	gemini-cli as it is: 44, 31
	gemini-cli cut in its last line: 44, 31
	gemini-cli robbed of a record: 42, 28
	gemini-cli cleaned: 44, 31
	gemini-cli truncated: 44, 17
	gemini-cli summarized: 44, 7
	X
}

@test "resume: Qwen Code" {
	resumed qwen-code "$DATA/resume/qwen-code.jsonl" <<-'X'
	qwen-code as it is: 29, 29
	qwen-code cut in its last line: 28, 28
	qwen-code robbed of a record: 14, 27
	qwen-code cleaned: 29, 29
	qwen-code truncated: 29, 14
	qwen-code summarized: 29, 8
	X
}

@test "resume: pi" {
	resumed pi "$DATA/resume/pi.jsonl" <<-'X'
	pi as it is: 29, 29
	pi cut in its last line: 28, 28
	pi robbed of a record: 14, 27
	pi cleaned: 29, 29
	pi truncated: 29, 14
	pi summarized: 29, 8
	X
}

@test "resume: OpenCode" {
	resumed opencode "$DATA/resume/opencode.json" <<-'X'
	opencode as it is: 29, 29
	opencode cleaned: 29, 29
	opencode truncated: 29, 14
	opencode summarized: 29, 8
	X
}

@test "resume: Continue" {
	resumed continue "$DATA/resume/continue.json" <<-'X'
	continue as it is: 29, 29
	continue cleaned: 29, 29
	continue truncated: 29, 14
	continue summarized: 29, 11
	X
}

@test "resume: Claude Code" {
	resumed claude-code "$DATA/logs/team.claude-code.jsonl" <<-'X'
	claude-code as it is: 18, 18
	claude-code cut in its last line: 18, 18
	claude-code robbed of a record: 9, 17
	claude-code cleaned: 18, 18
	claude-code truncated: 18, 12
	claude-code summarized: 18, 2
	X
}

# OpenCode refuses a message without these when it imports a session.
@test "resume: OpenCode's new messages have what it imports, in their place" {
	f=$DATA/resume/opencode.json
	exits 0 ctx-summarize --engine offline -n 4 "$f"
	mv out after
	for role in user assistant; do
		jq -c "first(.messages[] | select(.info.role == \"$role\")).info |
		    keys_unsorted | sort" after >got
		jq -c "last(.messages[] | select(.info.role == \"$role\")).info |
		    del(.summary, .finish) | keys_unsorted | sort" "$f" >want
		same got want
	done
	jq -r '.messages[].info.id' after >ids
	LC_ALL=C sort -u ids >sorted
	same ids sorted
	[ "$(jq -c '[.messages[] | .info.id == .parts[].messageID] | unique' after)" = \
	    '[true]' ]
	[ "$(jq -c '[.messages[] | .info.sessionID, .parts[].sessionID] | unique |
	    length' after)" -eq 1 ]
	[ "$(jq -c '.messages[1].info.parentID == .messages[0].info.id' after)" = true ]
	# each of a line, too
	jq -c '.messages[]' "$f" | ctx-summarize --engine offline -n 4 >lines
	jq -c '.messages[]' after >want
	same lines want
}

@test "resume: of random rollouts of Codex, what is left is sent" {
	seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
	about "SEED=$seed"
	some 15 10 40
	exits 0 python3 "$BATS_TEST_DIRNAME/resume.py" law "$BUILD" "$seed" \
	    "${SESSIONS:-$some}"
	has '^[1-9][0-9]* runs, 0 break the law$' out
}
