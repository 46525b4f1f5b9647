#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Sessions whose records follow each other: what a command writes can be resumed.
#
# tests/sessions.py reads a session as its agent does, and has the law.

setup() { load helpers; common_setup; }

S="$BATS_TEST_DIRNAME/sessions.py"

# rec TYPE ID PARENT MESSAGE [MORE]: a record of Claude Code's; null or "ID"
rec() {
	printf '{"parentUuid":%s,"uuid":"%s","sessionId":"s","type":"%s"%s,"message":%s}\n' \
	    "$3" "$2" "$1" "${5:+,$5}" "$4"
}
user() { rec user "$1" "$2" '{"role":"user","content":"'"$3"'"}'; }
model() { rec assistant "$1" "$2" '{"role":"assistant","content":['"$3"']}'; }
THINKS='{"type":"thinking","thinking":"hm","signature":"s"}'
SAYS='{"type":"text","text":"a"}'
CALLS='{"type":"tool_use","id":"c","name":"f","input":{}}'

@test "sessions: what followed a record that goes follows what that one followed" {
	{
		user u1 null q
		model a1 '"u1"' "$THINKS"
		model a2 '"a1"' "$THINKS"
		model a3 '"a2"' "$SAYS"
		printf '{"type":"summary","summary":"t","leafUuid":"a2"}\n'
		user u2 '"a3"' r
	} >in
	exits 0 ctx-clean --thinking drop in
	{
		user u1 null q
		model a3 '"u1"' "$SAYS"
		printf '{"type":"summary","summary":"t","leafUuid":"u1"}\n'
		user u2 '"a3"' r
	} >want
	same out want
	# nothing goes: nothing changes
	exits 0 ctx-clean in
	same out in
}

@test "sessions: a result that is made comes between its call and what followed it" {
	{
		user u1 null q
		model a1 '"u1"' "$CALLS"
		user u2 '"a1"' r
	} >in
	exits 0 ctx-clean --unanswered repair in
	[ "$(jq -r .parentUuid out | sed -n 3p)" = a1 ]
	[ "$(jq -r .parentUuid out | sed -n 4p)" = "$(jq -r .uuid out | sed -n 3p)" ]
	exits 0 python3 "$S" kept in out
	# of a call that another branch has, it stays there
	{
		user u1 null q
		model a1 '"u1"' "$CALLS"
		user u2 '"u1"' r
		model a2 '"u2"' "$SAYS"
	} >in
	exits 0 ctx-clean --unanswered repair in
	jq -r .parentUuid out >got
	printf '%s\n' null u1 a1 u1 u2 >want
	same got want
}

@test "sessions: a boundary is passed by its logical parent" {
	{
		user u1 null q
		model a1 '"u1"' "$SAYS"
		printf '{"parentUuid":null,"logicalParentUuid":"a1","uuid":"b","sessionId":"s","type":"system","subtype":"compact_boundary"}\n'
		rec user u2 '"b"' '{"role":"user","content":"summary"}' '"isCompactSummary":true'
		user u3 '"u2"' r
		model a3 '"u3"' "$SAYS"
	} >in
	exits 0 ctx-truncate -n 4 --keep-first 1 in
	jq -r '.uuid + " " + (.parentUuid // "null")' out >got
	printf '%s\n' 'u1 null' 'u2 u1' 'u3 u2' 'a3 u3' >want
	same got want
}

@test "sessions: a summary takes the place of what it replaces" {
	for n in 1 2 3 4; do
		user u$n "$([ $n = 1 ] && echo null || echo "\"a$((n - 1))\"")" "question $n"
		model a$n "\"u$n\"" "$SAYS"
	done >in
	exits 0 ctx-summarize --engine offline -n 2 --as user in
	[ "$(jq -r .parentUuid out | sed -n 1p)" = null ]
	[ "$(jq -r .parentUuid out | sed -n 2p)" = "$(jq -r .uuid out | sed -n 1p)" ]
	[ "$(jq -r .uuid out | tail -n 2 | xargs)" = 'u4 a4' ]
	[ "$(jq -r .sessionId out | sort -u)" = s ]
	mv out after
	exits 0 python3 "$S" reach after
	wrote '3 of 3, 0 dangle'
}

@test "sessions: commands count and cut the branch that goes on" {
	{
		user u1 null q
		model a1 '"u1"' "$SAYS"
		user u2 '"a1"' 'to be forgotten'
		model a2 '"u2"' "$SAYS"
		user u3 '"a1"' r
		model a3 '"u3"' "$SAYS"
	} >in
	exits 0 ctx-count -e chars --json in
	[ "$(jq -r .messages out)" -eq 4 ]
	says 'ctx-count: in: 2 messages of other branches were not counted (--all-branches takes them)'
	exits 0 ctx-count -e chars --json --all-branches in
	[ "$(jq -r .messages out)" -eq 6 ]
	lacks branch err
	exits 0 ctx-truncate -n 3 in
	jq -r '.uuid + " " + (.parentUuid // "null")' out >got
	printf '%s\n' 'a1 null' 'u2 a1' 'a2 u2' 'u3 a1' 'a3 u3' >want
	same got want
	exits 0 ctx-truncate -n 3 --all-branches in
	[ "$(jq -r .uuid out | xargs)" = 'a2 u3 a3' ]
	# ctx-clean changes other branches, too
	sed 's/to be forgotten/AKIAQ2W3E4R5T6Y7UIOP/' in >secret
	has AKIA secret
	exits 0 ctx-clean --redact secret
	lacks AKIA out
}

@test "sessions: pi's first kept entry is one that is written" {
	p() { printf '{"type":"message","id":"%s","parentId":%s,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"%s","content":[{"type":"%s","%s":"%s"}]}}\n' "$@"; }
	{
		p 00000001 null user text text q
		p 00000002 '"00000001"' assistant thinking thinking t
		p 00000003 '"00000002"' assistant text text a
		printf '{"type":"compaction","id":"00000004","parentId":"00000003","timestamp":"2026-01-01T00:00:00.000Z","summary":"s","firstKeptEntryId":"00000002"}\n'
		p 00000005 '"00000004"' user text text r
	} >in
	exits 0 ctx-clean --thinking drop in
	jq -r '[.id, .parentId, .firstKeptEntryId] | map(. // "-") | join(" ")' out >got
	printf '%s\n' '00000001 - -' '00000003 00000001 -' \
	    '00000004 00000003 00000003' '00000005 00000004 -' >want
	same got want
}

@test "sessions: a loop is not made a record's own parent" {
	{
		user u1 '"a1"' q
		model a0 '"u1"' "$THINKS"
		model a1 '"a0"' "$SAYS"
	} >in
	exits 0 ctx-clean --thinking drop in
	{
		user u1 null q
		model a1 '"u1"' "$SAYS"
	} >want
	same out want
	exits 1 ctx-clean --check in
	wrote 'in:1:15: error[record-loop]: record follows from itself'
	{
		model a0 '"a1"' "$THINKS"
		model a1 '"a0"' "$SAYS"
	} >in
	exits 0 ctx-clean --thinking drop in
	model a1 null "$SAYS" >want
	same out want
}

@test "sessions: what is written of random sessions is reached" {
	seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
	about "SEED=$seed"
	exits 0 python3 "$S" law "$BUILD" "$seed" "${SESSIONS:-8}"
	has '^[1-9][0-9]* runs, 0 break the law$' out
}

@test "sessions: what is written of a real session is reached" {
	other_peoples
	f=$CTX_DATA/transcripts/claude-code-session.native.jsonl
	exits 0 python3 "$S" reach "$f"
	wrote '436 of 458, 0 dangle'
	for c in 'ctx-clean --thinking drop' 'ctx-truncate -n 40' 'ctx-truncate -t 20k' \
	    'ctx-truncate -n 40 --note' 'ctx-summarize --engine offline -t 4k' \
	    'ctx-clean --max-result 200 --clear-results=3 --unanswered repair'; do
		about "$c"
		exits 0 $c -q "$f"
		mv out after
		exits 0 python3 "$S" kept "$f" after
		exits 0 python3 "$S" reach after
		has ', 0 dangle$' out
	done
}
