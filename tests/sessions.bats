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

@test "sessions: what followed a part of a message that goes follows the next part" {
	part() { rec assistant "$1" "$2" '{"id":"m","role":"assistant","content":['"$3"']}'; }
	answer='{"role":"user","content":[{"type":"tool_result","tool_use_id":"d","content":"r"}]}'
	{
		user u1 null q
		part a1 '"u1"' "$CALLS"
		part a2 '"a1"' "${CALLS/\"c\"/\"d\"}"
		rec user r2 '"a2"' "$answer"
		model a3 '"a1"' "$SAYS"
	} >in
	# the first call has no result
	exits 0 ctx-clean in
	{
		user u1 null q
		part a2 '"u1"' "${CALLS/\"c\"/\"d\"}"
		rec user r2 '"a2"' "$answer"
		model a3 '"a2"' "$SAYS"
	} >want
	same out want
	exits 0 ctx-clean --branches drop in
	same out want
	exits 0 ctx-count -q -e chars --json want
	[ "$(jq .messages out)" = 4 ]
}

@test "sessions: the id of a record is the same however it is spelled" {
	{
		user u/1 null q
		model a1 '"u\/1"' "$THINKS"
		model a2 '"\u00611"' "$SAYS"
		user 'u\u002f2' '"\u00612"' r
		model a3 '"u/2"' "$SAYS"
	} >in
	exits 0 ctx-clean --branches drop in
	same out in
	exits 0 ctx-clean --thinking drop in
	{
		user u/1 null q
		model a2 '"u/1"' "$SAYS"
		user 'u\u002f2' '"\u00612"' r
		model a3 '"u/2"' "$SAYS"
	} >want
	same out want
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
	# and what the program noted of the call, which nothing follows
	{
		user u1 null q
		model a1 '"u1"' "$CALLS"
		printf '{"type":"progress","uuid":"p","parentUuid":"a1","sessionId":"s"}\n'
		user u2 '"a1"' r
	} >in
	exits 0 ctx-clean --unanswered repair in
	jq -r '.uuid + " " + (.parentUuid // "null")' out | sed 's/[0-9a-f]*-[-0-9a-f]*/new/' >got
	printf '%s\n' 'u1 null' 'a1 u1' 'p a1' 'new a1' 'u2 new' >want
	same got want
	# not after what the call follows, if that is written later
	{
		model a1 '"s1"' "$CALLS"
		printf '{"type":"system","uuid":"s1","parentUuid":null,"sessionId":"s"}\n'
	} >in
	exits 0 ctx-clean --unanswered repair in
	jq -r '.uuid + " " + (.parentUuid // "null")' out | sed 's/[0-9a-f]*-[-0-9a-f]*/new/' >got
	printf '%s\n' 'a1 s1' 's1 null' 'new a1' >want
	same got want
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

@test "sessions: the branch of a last message that follows none is that message" {
	# one that begins anew, beside another tree
	{
		user v1 null other
		model b1 '"v1"' "$SAYS"
		user u1 null q
	} >in
	exits 0 ctx-count --json -e chars in
	[ "$(jq .messages out)" = 1 ]
	says 'ctx-count: in: 2 messages of other branches were not counted (--all-branches takes them)'
	sed 's/"parentUuid":null,//' in >missing
	exits 0 ctx-count --json -e chars missing
	[ "$(jq .messages out)" = 1 ]
	exits 0 ctx-clean --branches drop in
	sed 1,2d in >want
	same out want
	# each branch by itself, also the first, of one message
	{
		user v1 null other
		user u1 null q
		model a1 '"u1"' "$SAYS"
	} >in2
	exits 0 ctx-convert -q --all-branches --to openai in2
	jq -r '[.messages[].content] | join(" ")' out >got
	printf '%s\n' 'q a' other >want
	same got want
	# what is left of a branch is counted as it was
	model a1 '"u1"' "$SAYS" >>in
	exits 0 ctx-truncate -q --first -n 1 in
	cp out cut
	[ "$(jq -r .uuid cut | xargs)" = 'v1 b1 u1' ]
	exits 0 ctx-count -q --json -e chars cut
	[ "$(jq .messages out)" = 1 ]
	# a record that is no message follows one, too
	{
		user v1 null other
		printf '{"parentUuid":"v1","uuid":"p","sessionId":"s","type":"progress"}\n'
		user u1 null q
	} >in
	exits 0 ctx-count -q --json -e chars in
	[ "$(jq .messages out)" = 1 ]
}

@test "sessions: a log without links is one branch, and gets no links" {
	for n in 1 2 3 4; do
		user u$n null "Class $n has room 1$n, said Ada Lovelace."
		model a$n null "$SAYS"
	done >in
	sed 's/"parentUuid":null,//' in >missing
	for f in in missing; do
		exits 0 ctx-count -q --json -e chars $f
		[ "$(jq .messages out)" = 8 ]
		exits 0 ctx-clean --branches drop $f
		same out $f
		exits 0 ctx-truncate -q -n 3 --note $f
		cp out cut
		[ "$(jq -r '.parentUuid // empty' cut)" = '' ]
		exits 0 ctx-count -q --json -e chars cut
		[ "$(jq .messages out)" = 4 ]
		exits 0 ctx-summarize -q -n 2 $f
		cp out cut
		[ "$(jq -r '(.parentUuid, .logicalParentUuid) // empty' cut)" = '' ]
		exits 0 ctx-count -q --json -e chars cut
		[ "$(jq .messages out)" = 3 ]
	done
	# one message may be the first of a session that has links
	model a1 null "$CALLS" >in
	exits 0 ctx-clean --unanswered repair in
	[ "$(jq -r .parentUuid out | xargs)" = 'null a1' ]
	{ cat in; user u1 null q; } >in2
	exits 0 ctx-clean --unanswered repair in2
	[ "$(jq -r .parentUuid out | xargs)" = 'null null null' ]
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
	exits 0 ctx-truncate --all-branches -n 4 --keep-first 1 in
	jq -r '.uuid + " " + (.parentUuid // "null")' out >got
	printf '%s\n' 'u1 null' 'u2 u1' 'u3 u2' 'a3 u3' >want
	same got want
}

@test "sessions: what a summary replaced is not counted, and no limit keeps or cuts it" {
	{
		user u1 null q
		model a1 '"u1"' "$SAYS"
		printf '{"parentUuid":null,"logicalParentUuid":"a1","uuid":"b","sessionId":"s","type":"system","subtype":"compact_boundary"}\n'
		rec user u2 '"b"' '{"role":"user","content":"summary"}' '"isCompactSummary":true'
		user u3 '"u2"' r
		model a3 '"u3"' "$SAYS"
	} >in
	tail -n 3 in >sent
	exits 0 ctx-count --json in
	[ "$(jq -c '[.tokens, .messages]' out)" = \
	    "$(ctx-count --json sent | jq -c '[.tokens, .messages]')" ]
	said 'ctx-count: in: 2 messages that a summary replaced were not counted (--all-branches takes them)'
	exits 0 ctx-count --all-branches --json in
	quiet
	[ "$(jq .messages out)" = 5 ]
	exits 0 ctx-truncate -q -n 3 in
	same out in
	# the summary stays, and the newest message
	exits 0 ctx-truncate -q -n 2 in
	[ "$(jq -r .uuid out | xargs)" = 'u1 a1 b u2 a3' ]
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

@test "sessions: where the end goes, no other branch becomes the one that goes on" {
	{
		user u1 null q
		model a1 '"u1"' "$SAYS"
		user u2 '"a1"' 'to be forgotten'
		model a2 '"u2"' "$SAYS"
		printf '{"type":"summary","summary":"t","leafUuid":"a1"}\n'
		user u3 '"a1"' r
		model a3 '"u3"' "$SAYS"
	} >in
	exits 0 ctx-truncate -q --first -n 2 --dropped gone in
	sed '3,4d; 6,7d' in >want
	same out want
	sed '1,2d; 5d' in >want
	same gone want
	exits 0 ctx-truncate -q -n 9 --exclude-last 2 in
	sed '3,4d; 6,7d' in >want
	same out want
	# before what stays they stay
	exits 0 ctx-truncate -q --first -n 3 in
	sed 7d in >want
	same out want
}

# Two windows go on with a session: the records of v are among those of u.
windows() {
	user u1 null 'Move the build to meson, and keep the old targets.'
	model a1 '"u1"' "$SAYS"
	user u2 '"a1"' r
	user v2 '"a1"' other
	model b2 '"v2"' "$CALLS"
	printf '{"type":"progress","uuid":"p","parentUuid":"b2","sessionId":"s"}\n'
	model a2 '"u2"' "$SAYS"
	user u3 '"a2"' s
	rec user v3 '"b2"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"d"}]}'
	model b3 '"v3"' "$SAYS"
	model a3 '"u3"' "$SAYS"
}

@test "sessions: a call of another branch stays with its result, or goes with it" {
	windows >in
	jq -r '.uuid + " " + (.parentUuid // "null")' in >was
	exits 0 ctx-truncate -q --first -n 4 --dropped gone in
	jq -r '.uuid + " " + (.parentUuid // "null")' out >got
	sed '5d; s/p b2/p v2/; 8,11d' was >want
	same got want
	sed '1,4d; 6,7d' in >want
	same gone want
	# the call goes, and what followed its result stays
	exits 0 ctx-truncate -q -n 2 in
	jq -r '.uuid + " " + (.parentUuid // "null")' out >got
	printf '%s\n' 'u3 null' 'b3 null' 'a3 u3' >want
	same got want
	exits 0 ctx-truncate -q -n 4 in
	jq -r '.uuid + " " + (.parentUuid // "null")' out >got
	sed '1,2d; s/a1/null/' was >want
	same got want
	# in front of a summary, too
	exits 0 ctx-summarize --engine offline -n 2 --as user in
	jq -r .uuid out | sed 's/.*-.*/new/' | xargs >got
	echo 'new u3 b3 a3' >want
	same got want
}

@test "sessions: what another window said in between does not part a call from its result" {
	{
		user u1 null q
		model a1 '"u1"' "$SAYS"
		user v2 '"a1"' other
		model b2 '"v2"' "$CALLS"
		user u2 '"a1"' r
		model a2 '"u2"' "$SAYS"
		rec user v3 '"b2"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"d"}]}'
		model b3 '"v3"' "$SAYS"
	} >in
	exits 0 ctx-clean in
	same out in
	# beside the branch that goes on
	{ cat in; user u3 '"a2"' s; model a3 '"u3"' "$SAYS"; } >more
	exits 0 ctx-clean more
	same out more
	# what the user said in the same branch ends the wait
	{
		user u1 null q
		model b2 '"u1"' "$CALLS"
		user u2 '"b2"' r
		model a2 '"u2"' "$SAYS"
		rec user v3 '"b2"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"d"}]}'
		user u3 '"a2"' s
	} >in
	exits 0 ctx-clean in
	[ "$(jq -r .uuid out | xargs)" = 'u1 u2 a2 u3' ]
}

# result ID PARENT [MORE]: a record with a result of the call c, and more
result() {
	rec user "$1" "$2" '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"d"}'"${3:+,$3}"']}'
}

@test "sessions: a result in the branch is none of a call that only another branch has" {
	{
		user u1 null q
		model b1 '"u1"' "$CALLS"
		result u2 '"u1"'
		model a2 '"u2"' "$SAYS"
	} >in
	exits 1 ctx-clean --check in
	cut -d ' ' -f 1,2 out >got
	printf '%s\n' 'in:2:108: error[unanswered-call]:' \
	    'in:2:27: warning[dead-branch]:' 'in:3:98: error[orphan-result]:' >want
	same got want
	exits 0 ctx-clean in
	{
		user u1 null q
		model a2 '"u1"' "$SAYS"
	} >want
	same out want
	exits 0 ctx-clean want
	same out want
	# what else a message says stays
	{
		user u1 null q
		model b1 '"u1"' "$CALLS"
		result u2 '"u1"' '{"type":"text","text":"r"}'
	} >in
	exits 0 ctx-clean --unanswered repair in
	sed -n 1,2p out >got
	sed -n 1,2p in >want
	same got want
	[ "$(sed -n 3p out | jq -r .parentUuid)" = b1 ]
	rec user u2 '"u1"' '{"role":"user","content":[{"type":"text","text":"r"}]}' >want
	sed -n 4p out | same - want
	# of pi's
	p() { printf '{"type":"message","id":"%s","parentId":%s,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"%s",%s}}\n' "$@"; }
	{
		p 00000001 null user '"content":"q"'
		p 00000002 '"00000001"' assistant '"content":[{"type":"toolCall","id":"c","name":"f","arguments":{}}]'
		p 00000003 '"00000001"' toolResult '"toolCallId":"c","toolName":"f","isError":false,"content":"d"'
		p 00000004 '"00000003"' assistant '"content":"a"'
	} >in
	exits 0 ctx-clean in
	sed '2,3d; s/"00000003"/"00000001"/' in >want
	same out want
}

@test "sessions: many calls of another branch with the id of many results take linear time" {
	# 200,000 of each; with each call looked at for each result, it would not end
	many() { yes "$1" | head -n 200000 | paste -s -d , -; }
	record() {
		printf '{"type":"%s","uuid":"%s","parentUuid":%s,"message":{"role":"%s","content":[%s]}}\n' \
		    "$1" "$2" "$3" "$1" "$4"
	}
	{
		record user r null '{"type":"text","text":"q"}'
		record assistant a '"r"' "$(many '{"type":"tool_use","id":"x","name":"f","input":{}}')"
		record assistant b '"r"' '{"type":"text","text":"other"}'
		record user c '"b"' "$(many '{"type":"tool_result","tool_use_id":"x","content":"1"}')"
	} >in
	exits 0 timeout "$DEADLINE" ctx-clean -q in
	lacks tool_result out
	has -c '"text":"other"' out
}

@test "sessions: a call that each branch answers, or only its own, is answered" {
	# the call stays with the result in its branch
	{
		user u1 null q
		model b1 '"u1"' "$CALLS"
		result u2 '"u1"'
		result v2 '"b1"'
		model a2 '"u2"' "$SAYS"
	} >in
	exits 0 ctx-clean in
	sed '3d; s/"u2"/"u1"/' in >want
	same out want
	# two windows, and a server that gives one id to all calls
	{
		user u1 null q
		model b1 '"u1"' "$CALLS"
		model a1 '"u1"' "$CALLS"
		result v2 '"b1"'
		result u2 '"a1"'
		model b2 '"v2"' "$SAYS"
		model a2 '"u2"' "$SAYS"
	} >in
	exits 0 ctx-clean in
	same out in
	# both go on from the call: the result of the branch that is sent stays
	{
		user u1 null q
		model a1 '"u1"' "$CALLS"
		result v2 '"a1"' '{"type":"text","text":"s"}'
		model b2 '"v2"' "$SAYS"
		result u2 '"a1"' '{"type":"text","text":"r"}'
		model a2 '"u2"' "$SAYS"
	} >in
	exits 0 ctx-clean in
	rec user v2 '"a1"' '{"role":"user","content":[{"type":"text","text":"s"}]}' >cut
	{ sed -n 1,2p in; cat cut; sed -n 4,6p in; } >want
	same out want
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

@test "sessions: what is new makes no loop, where a record is before the one it follows" {
	{
		printf '{"parentUuid":"a2","uuid":"p","sessionId":"s","type":"progress"}\n'
		user u1 null q
		user u2 '"u1"' r
		model a2 '"u2"' "$SAYS"
	} >in
	exits 0 ctx-clean in
	same out in
	exits 0 ctx-truncate --note -q -n 1 in
	cp out cut
	[ "$(jq -r .uuid cut | sed '2s/.*/note/' | xargs)" = 'p note a2' ]
	exits 0 python3 "$S" reach cut
	wrote '2 of 2, 0 dangle'
	exits 0 ctx-clean cut
	same out cut
}

@test "sessions: where the last message goes, the one before it in its branch is the last" {
	{
		user u1 null q
		model a1 '"u1"' "$SAYS"
		user u2 '"a1"' r
		printf '{"type":"progress","uuid":"p","parentUuid":"u2","sessionId":"s"}\n'
		user v2 '"a1"' other
		model b2 '"v2"' "$SAYS"
		model a2 '"p"' "$THINKS"
	} >in
	exits 0 ctx-clean in
	same out in
	exits 0 ctx-clean --thinking drop --report report in
	{ sed '3,4d; 7d' in; sed -n 3,4p in; } >want
	same out want
	jq -c '[.line, .path, .what, .reason]' report >got
	printf '%s\n' '[7,"/message/content/0","left_out","thinking"]' \
	    '[3,"","moved","branches"]' '[7,"","left_out","empty-message"]' >want
	same got want
	# a second run leaves it so
	cp out in
	exits 0 ctx-clean --thinking drop in
	same out in
	# a result that is made stays with its call
	{
		user u1 null q
		user u2 '"u1"' r
		model a2 '"u2"' "$CALLS"
		user v2 '"u1"' other
		model a3 '"a2"' "$THINKS"
	} >in
	exits 0 ctx-clean --thinking drop --unanswered repair in
	[ "$(jq -r .uuid out | sed 's/.*-.*/new/' | xargs)" = 'u1 u2 a2 v2 new' ]
	[ "$(jq -r .parentUuid out | tail -n 1)" = a2 ]
}

# Where the branch begins, its records are later in the file than those that follow.
late() {
	user u1 '"b"' 'Move the build to meson, and keep the old targets. Say what is slow. Then make it fast, and say how fast it is now.'
	model a1 '"u1"' "$SAYS"
	user u2 '"a1"' r
	model a2 '"u2"' "$SAYS"
	user v1 null p
	printf '{"parentUuid":null,"logicalParentUuid":"v1","uuid":"b","sessionId":"s","type":"system","subtype":"compact_boundary"}\n'
	user u3 '"a2"' s
	model a3 '"u3"' "$SAYS"
}

@test "sessions: what is new is reached, where what went followed a later record" {
	late >in
	links() { jq -r '.uuid + " " + (.parentUuid // .logicalParentUuid // "null")' out; }
	exits 0 ctx-clean in
	same out in
	exits 0 ctx-truncate -q -n 4 --note in
	new=$(jq -r .uuid out | sed -n 1p)
	links >got
	printf '%s\n' "$new b" "u2 $new" 'a2 u2' 'v1 null' 'b v1' 'u3 a2' 'a3 u3' >want
	same got want
	exits 0 ctx-summarize --engine offline -q -n 4 in
	new=$(jq -r .uuid out | sed -n 1p)
	text=$(jq -r .uuid out | sed -n 2p)
	links >got
	printf '%s\n' "$new b" "$text $new" "u2 $text" 'a2 u2' 'v1 null' 'b v1' 'u3 a2' 'a3 u3' >want
	same got want
}

# A session with a gap, as of records lost when a disk was full.
gap() {
	user u1 null q
	model a1 '"u1"' "$SAYS"
	user u2 '"a1"' r
	model a2 '"u2"' "$SAYS"
	user u3 '"a2"' s
	model a3 '"u3"' "$SAYS"
}

@test "sessions: the records after a gap follow those before it" {
	gap | sed 4d >in
	exits 0 python3 "$S" reach in
	wrote '2 of 5, 1 dangle'
	exits 1 ctx-clean --check in
	wrote 'in:4:15: error[lost-parent]: record follows one that is not in the file'
	exits 0 ctx-clean --report report in
	sed 's/"a2"/"u2"/' in >want
	same out want
	echo '{"file":"in","line":4,"path":"/parentUuid","what":"renamed","reason":"lost-parent","to":"u2","values":1,"bytes":4}' >want
	same report want
	# nothing before it: the file goes on from another
	gap | sed 1d >in
	exits 0 ctx-clean in
	same out in
	exits 0 ctx-clean --check in
	wrote 'in:1:15: warning[lost-parent]: record follows one that is not in the file'
	# after one that follows what comes later in the file
	{
		user u1 '"u3"' q
		user u2 '"lost"' r
		user u3 null s
	} >in
	exits 0 ctx-clean in
	sed 's/"lost"/"u1"/' in >want
	same out want
	# not after one that is later by its time
	{
		user u1 null q
		user u2 '"u1"' late | sed 's/"uuid"/"timestamp":"2026-01-02T00:00:00Z","uuid"/'
		user u3 '"lost"' early | sed 's/"uuid"/"timestamp":"2026-01-01T00:00:00Z","uuid"/'
	} >in
	exits 0 ctx-clean in
	sed 's/"lost"/"u1"/' in >want
	same out want
}

@test "sessions: a loop is joined to what does not follow from it" {
	{
		user u1 null q
		model a1 '"a2"' "$SAYS"
		user u2 '"a1"' r
		model a2 '"u2"' "$SAYS"
	} >in
	exits 1 ctx-clean --check in
	wrote 'in:2:15: error[record-loop]: record follows from itself'
	exits 0 ctx-clean in
	sed '2s/"a2"/"u1"/' in >want
	same out want
	# all that comes before the loop leads into it
	{
		user u1 '"a1"' q
		model a1 '"a1"' "$SAYS"
	} >in
	exits 0 ctx-clean in
	sed '2s/parentUuid":"a1"/parentUuid":null/' in >want
	same out want
}

@test "sessions: branches that are not resumed can be dropped" {
	{
		user u1 null q
		model a1 '"u1"' "$CALLS"
		# of a call in the branch that goes on
		rec user r1 '"a1"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"d"}]}'
		printf '{"type":"progress","uuid":"p1","parentUuid":"a1","sessionId":"s"}\n'
		user u2 '"a1"' 'to be forgotten'
		printf '{"type":"progress","uuid":"p2","parentUuid":"u2","sessionId":"s"}\n'
		model a2 '"p2"' "$SAYS"
		printf '{"type":"summary","summary":"t","leafUuid":"a2"}\n'
		user u3 '"a1"' r
		model a3 '"u3"' "$SAYS"
	} >in
	exits 0 ctx-clean --branches keep in
	same out in
	exits 0 ctx-clean --branches drop --report report in
	sed '5,7d; s/leafUuid":"a2"/leafUuid":"a1"/' in >want
	same out want
	jq -c '[.line, .path, .what, .reason, .to]' report >got
	printf '%s\n' '[5,"","left_out","branches",null]' \
	    '[6,"","left_out","branches",null]' \
	    '[7,"","left_out","branches",null]' \
	    '[8,"/leafUuid","renamed","link","a1"]' >want
	same got want
	# what follows a gap is joined first
	gap | sed 4d >in
	exits 0 ctx-clean --branches drop in
	sed 's/"a2"/"u2"/' in >want
	same out want
	exits 2 ctx-clean --check --branches drop in
	# a call that goes with its branch gets no result
	{
		user u1 null q
		model a1 '"u1"' "$CALLS"
		user u2 '"u1"' r
		model a2 '"u2"' "$SAYS"
	} >in
	exits 0 ctx-clean --branches drop --unanswered repair in
	sed 2d in >want
	same out want
	# and is not what a result is kept for
	{
		user u1 null q
		model a1 '"u1"' "$CALLS"
		rec user u2 '"a2"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}'
		model a2 '"u1"' "$CALLS"
		model a3 '"a2"' "$SAYS"
	} >in
	exits 0 ctx-clean --branches drop in
	sed '2,4d; s/"a2"/"u1"/' in >want
	same out want
}

@test "sessions: where nothing is left of the branch that is resumed, another one is" {
	orphan='{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"r"}]}'
	{
		user u1 null q
		model a1 '"u1"' "$SAYS"
		user u2 '"u1"' r
		model a2 '"u2"' "$SAYS"
		rec user r1 null "$orphan"
	} >in
	exits 0 ctx-clean --branches drop in
	sed '2d; 5d' in >want
	same out want
	# of nothing, nothing is left
	rec user r1 null "$orphan" >in
	exits 0 ctx-clean --branches drop in
	[ ! -s out ]
}

@test "sessions: a record is made to follow the record that an id names" {
	# b is an id twice: the first of them follows the last record
	{
		user a null q
		model b '"x"' "$SAYS"
		model b '"a"' "$SAYS"
		user x '"lost"' r
	} >in
	exits 0 ctx-clean in
	sed '4s/"lost"/"a"/' in >want
	same out want
	cp out in
	exits 0 ctx-clean in
	same out want
}

@test "sessions: what followed a first record that goes begins anew" {
	# x is in another file; u1 is of another branch, and stays so
	{
		model a0 '"x"' "$THINKS"
		user u1 null q
		model a1 '"a0"' "$SAYS"
	} >in
	exits 0 ctx-clean --thinking drop in
	sed '1d; s/"a0"/null/' in >want
	same out want
	mv out in
	exits 0 ctx-clean in
	same out in
	# nothing is before it: it goes on from the other file
	{
		model a0 '"x"' "$THINKS"
		model a1 '"a0"' "$SAYS"
	} >in
	exits 0 ctx-clean --thinking drop in
	sed '1d; s/"a0"/"x"/' in >want
	same out want
	# or what is before it follows from it
	{
		model a0 '"x"' "$THINKS"
		user u2 '"a1"' r
		model a1 '"a0"' "$SAYS"
		user u3 '"a1"' s
	} >in
	exits 0 ctx-clean --thinking drop in
	sed '1d; s/"a0"/null/' in >want
	same out want
	# the same where it is cut
	{
		user u0 '"x"' p
		model a0 '"u0"' "$SAYS"
		user u1 null q
		model a1 '"a0"' "$SAYS"
	} >in
	exits 0 ctx-truncate --all-branches -n 2 in
	sed '1,2d; s/"a0"/null/' in >want
	same out want
}

@test "sessions: a first record that goes to the end follows none, as its parent is not there" {
	{
		user u1 '"gone"' q
		user u2 null r
		model a2 '"u2"' "$SAYS"
		rec user t1 '"u1"' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]}'
	} >in
	# the result answers nothing, and is where the session is resumed
	exits 0 ctx-clean --report report in
	{
		user u2 null r
		model a2 '"u2"' "$SAYS"
		user u1 null q
	} >want
	same out want
	jq -c 'select(.line == 1) | [.path, .what, .reason]' report >got
	printf '%s\n' '["/parentUuid","renamed","lost-parent"]' '["/message","moved","branches"]' >want2
	same got want2
	exits 0 ctx-clean want
	same out want
}

@test "sessions: what is odd in a chain, but harms nobody who resumes it, is said" {
	gap | sed '5s/"a2"/null/; 6s/"s"/"other"/' >in
	{
		cat in
		user u4 '"a3"' s
		model a3 '"u4"' "$SAYS"
		user u5 '"u4"' t
	} >in2
	exits 1 ctx-clean --check in2
	cut -d ' ' -f 1,2 out >got
	printf 'in2:%s
' '5:27: warning[second-root]:' \
	    '6:44: warning[other-session]:' '8:27: error[twice-record]:' >want
	same got want
	exits 0 ctx-clean in2
	same out in2
	# a branch that was left
	{
		gap
		user u4 '"a2"' t
	} >in
	exits 0 ctx-clean --check in
	wrote 'in:5:27: warning[dead-branch]: a branch begins that is not resumed'
}

# item ROLE TEXT, and back N: records of Codex's
item() {
	printf '{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"%s","content":[{"type":"%s","text":"%s"}]}}\n' \
	    "$1" "$([ "$1" = assistant ] && echo output_text || echo input_text)" "$2"
}
back() {
	printf '{"timestamp":"t","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":%s}}\n' "$1"
}
turn() { item user "q$1"; item assistant "a$1"; }
# sends FILE WORD ...: what ctx reads of it is this
sends() {
	ctx-convert -q --to openai --shape messages "$1" >got
	shift
	[ "$(jq -r .content got | xargs)" = "$*" ]
}

@test "sessions: turns of Codex that were taken back are not sent" {
	{
		item user '<environment_context>'
		turn 1
		turn 2
		item developer '<permissions instructions>'
		item user '<turn_aborted>'
		turn 3
		back 1
		turn 4
		turn 5
	} >in
	# what led in to the third turn went with it
	sends in '<environment_context>' q1 a1 q2 a2 q4 a4 q5 a5
	exits 0 ctx-count -e chars --json in
	[ "$(jq -r .messages out)" -eq 9 ]
	says 'ctx-count: in: 4 messages of other branches were not counted (--all-branches takes them)'
	# those that are still there are counted, and what is before the first stays
	{ cat in; back 3; } >more
	sends more '<environment_context>' q1 a1
	{ cat in; back 9; } >more
	sends more '<environment_context>'
	for n in 0 null '"2"'; do
		{ cat in; back "$n"; } >more
		sends more '<environment_context>' q1 a1 q2 a2 q4 a4 q5 a5
	done
	# what the program says in the user's name is no turn
	{ cat in; item user '<user_shell_command>'; back 1; } >more
	sends more '<environment_context>' q1 a1 q2 a2 q4 a4
	exits 0 ctx-clean in
	same out in
}

@test "sessions: turns of Codex that were taken back stay with what took them back" {
	{ turn 1; turn 2; back 1; turn 3; } >in
	exits 0 ctx-truncate -q --first -n 2 in
	head -n 5 in >want
	same out want
	sends out q1 a1
}

@test "sessions: a compaction of Codex that was taken back brings nothing back" {
	{
		turn 1
		printf '{"timestamp":"t","type":"compacted","payload":{"message":"","replacement_history":[%s]}}\n' \
		    "$(item user So\ far. | jq -c .payload)"
		turn 2
	} >in
	{ cat in; back 1; } >more
	sends more So far.
	{ cat in; back 2; turn 3; } >more
	sends more q3 a3
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
