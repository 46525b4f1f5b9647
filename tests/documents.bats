#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A file that is one JSON document over many lines, as agents keep their sessions,
# is read by every filter and patched in place.

setup() { load helpers; common_setup; }

# A conversation with a result that no call has asked for, indented with two
# spaces and in nobody's style; its first line is not one that ends a value.
document() {
	cat <<-'X'
	{
	  "title" : "two  words",
	  "messages": [
	    {
	      "role": "user",
	      "content": "list \u00e9"
	    },
	    {"role": "tool",
	     "tool_call_id": "zz", "content": "x"},
	    {
	      "role": "assistant",
	      "tool_calls": [
	        { "id": "c1", "function": { "name": "ls", "arguments": {"p": 1.0} } }
	      ]
	    },
	    {
	      "role": "tool",
	      "content": "abcdefghij",
	      "tool_call_id": "c1"
	    }
	  ],
	  "cost": 1.50
	}
	X
}

@test "documents: every filter passes one on byte for byte" {
	document | sed '8,9d' >in
	each=$(stream_commands)
	for c in $each; do
		[ "$c" != ctx-convert ] || continue
		about "$c"
		# shellcheck disable=SC2046
		set -- $(no_change "$c")
		exits 0 "$c" "$@" <in
		same out in
		# without a last line end, and with CRLF
		printf '%s' "$(cat in)" >cut
		exits 0 "$c" "$@" <cut
		same out cut
		sed 's/$/\r/' in >crlf
		exits 0 "$c" "$@" <crlf
		same out crlf
		# and one after the other
		cat in crlf in >three
		exits 0 "$c" "$@" <three
		same out three
	done
}

@test "documents: only the bytes of what changes are replaced" {
	document >in
	document | sed '8,9d' >want
	becomes ctx-clean
	long=$(printf '%050d' 7)
	edit "s/\"abcdefghij\"/\"abcdefghij$long\"/" in
	edit 's/"abcdefghij"/"abc\\n... (truncated, 60 chars total)"/' want
	becomes ctx-clean --max-result 3
	document >in
	cp in in-place
	ctx-clean -i in-place
	document | sed '8,9d' >want
	same in-place want
	# the newest message, and the call that it answers
	document | sed '4,9d' >want
	becomes ctx-truncate -n 2
}

@test "documents: a finding has the line and the column in the file" {
	document >in
	exits 1 ctx-clean --check in
	has -x 'in:8:5: error\[orphan-result\].*' out
	exits 1 ctx-clean --check -j 2 in
	has -x 'in:8:5: error\[orphan-result\].*' out
}

@test "documents: they are counted and converted as if they were one line" {
	document | sed '8,9d' >in
	{ tr -d '\n' <in; echo; } >line
	ctx-count line | awk '{ print $1, $2 }' >want
	ctx-count in | awk '{ print $1, $2 }' >out
	same out want
	ctx-convert --to anthropic line >want
	becomes ctx-convert --to anthropic
}

@test "documents: a list of messages, and several objects" {
	printf '[\n {"role":"user","content":"a"},\n {"role":"assistant","content":""}\n]\n' >in
	becomes_same ctx-clean
	exits 0 ctx-count in
	has '^ *[0-9]* *2 ' out
	printf '{\n"role":"user","content":"a"\n}\n\n{"role":"assistant",\n"content":"b"}\n' >in
	becomes_same ctx-clean
	exits 0 ctx-count in
	has '^ *[0-9]* *2 ' out
	printf '{"role":"assistant",\n"content":"b"}\n' >want
	becomes ctx-truncate -n 1
}

becomes_same() { cp in want; becomes "$@"; }

@test "documents: a broken first line does not take the lines after it along" {
	printf '%s\n' '{"role":"user",' '{"role":"user","content":"a"}' \
	    '{"role":"assistant","content":"b"}' >in
	sed 1d in >want
	exits 3 ctx-clean --on-error skip in
	same out want
	exits 3 ctx-clean --on-error keep in
	same out in
	has -F 'in:1:16: not JSON: unexpected end' err
}

@test "documents: one that is cut off is one mistake, and nothing of it is lost" {
	document | head -n 12 >in
	exits 3 ctx-clean in
	[ ! -s out ]
	has -F 'in:12:' err
	has -F 'not JSON: unexpected end' err
	[ "$(wc -l <err)" -eq 1 ]
	exits 3 ctx-clean --on-error keep in
	same out in
	exits 3 ctx-clean --check in
	has -F 'in:12:' out
}

@test "documents: a line of a stream comes out before the next is complete" {
	# the first line is whole, so nobody waits for more
	mkfifo pipe
	ctx-clean <pipe >out &
	exec 4>pipe
	echo '{"role":"user","content":"a"}' >&4
	until_true test -s out
	exec 4>&-
	wait
}

@test "documents: ctx-store keeps one as one line, and takes it apart" {
	document | sed '8,9d' >in
	ctx-store append t in
	ctx-store load t >out
	[ "$(wc -l <out)" -eq 1 ]
	jq -c . in >want
	jq -c . out >got
	same got want
	ctx-store append --split u in
	ctx-store load u >out
	[ "$(wc -l <out)" -eq 3 ]
	jq -c '.messages[]' in >want
	jq -c . out >got
	same got want
}
