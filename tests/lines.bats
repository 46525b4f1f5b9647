# ctx-clean: which lines of tool results stay.  The expected bytes are written
# by hand.

setup() { load helpers; common_setup; }

call() { # ID NAME ARGUMENTS-AS-JSON-STRING
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}\n' "$@"
}
result() { # ID TEXT-AS-JSON
	printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$@"
}

# N lines of the text, with \n behind each.
lines() { # N TEXT
	for ((i = 0; i < $1; i++)); do printf '%s\\n' "$2"; done
}

@test "lines: what says nothing new is left out, and how much it was is noted" {
	fill=$(lines 20 'here is what this run has written')
	{
		echo '{"role":"user","content":"write what this run has, here it is"}'
		call a sh '{\"cmd\":\"./run\"}'
		result a "start of 1000\\nstop: written\\n${fill}port 8080\\n${fill}done"
	} | given
	{
		sed 2q in
		result a "start of 1000\\nstop: written\\nhere is what this run has written\\n[... 19 lines]\\nport 8080\\n[... 20 lines]\\ndone"
	} | wanted
	becomes ctx-clean --thin
	becomes ctx-clean --thin=new --lang en
	edit 's/\[\(... [0-9]*\) lines]/[\1 行]/g' want
	becomes ctx-clean --thin --lang zh
	# and it stays so, in whatever language
	cp want in
	stays ctx-clean --thin
}

@test "lines: a short result stays, and so do users' and assistants' texts" {
	long=$(lines 30 'the same words in all of these lines')
	{
		echo "{\"role\":\"user\",\"content\":\"$long\"}"
		echo "{\"role\":\"assistant\",\"content\":\"$long\"}"
		echo "{\"role\":\"user\",\"content\":\"$long\"}"
		call a sh '{}'
		result a "$(lines 10 'the same words in all of these lines')"
	} | given
	stays ctx-clean --thin
	stays ctx-clean --thin=dense --max-result 1k --choose
}

@test "lines: contents of files stay, unless --thin-files is given" {
	text=$(for i in 1 2 3 4 5 6 7 8 9; do
		printf '     %d\\tif (one) return value%d;\\n' $i $i
		printf '    1%d\\t\\n    2%d\\treturn value one;\\n' $i $i
	done)
	for tool in Read read_file mcp__fs__read_text_file; do
		{
			echo '{"role":"user","content":"if one, return the value"}'
			call a $tool '{\"file_path\":\"a.c\"}'
			result a "$text"
		} | given
		stays ctx-clean --thin
		stays ctx-clean --thin=dense --squeeze --max-result 100 --choose
		exits 0 ctx-clean --thin --thin-files in
		[ "$(wc -c <out)" -lt "$(wc -c <in)" ]
		# every line that stays is one of the file's
		jq -r 'select(.role == "tool").content' out >got
		jq -r 'select(.role == "tool").content' in >all
		sed '/^\[\.\.\. /d' got >kept
		[ "$(wc -l <kept)" -gt 9 ]
		grep -vxFf all kept >odd || :
		same odd /dev/null
	done
}

@test "lines: what cat and the like print of a file stays, too" {
	printf '{\n  "a": 1,\n%s  "z": [ 1 ]\n}\n' "$(printf '  "b": "one",\n%.0s' {1..60})" >file
	text=$(jq -Rs . file)
	for command in '"cat a.json"' '["bash","-lc","cd x && sed -n 1,99p a.json"]' \
	    '"head -n 99 a.json"'; do
		jq -nc --argjson c "$command" --argjson t "$text" '
		    {role: "assistant", content: null, tool_calls: [{id: "a",
		    type: "function", function: {name: "shell", arguments:
		    ({command: $c} | tojson)}}]},
		    {role: "tool", tool_call_id: "a", content: $t}' | given
		stays ctx-clean --lean
		# as a block in a result
		jq -nc --argjson c "$command" --argjson t "$text" '
		    {role: "assistant", content: [{type: "tool_use", id: "a",
		    name: "shell", input: {command: $c}}]},
		    {role: "user", content: [{type: "tool_result", tool_use_id: "a",
		    content: [{type: "text", text: $t}]}]}' | given
		stays ctx-clean --lean
	done
	{ call a shell '{\"command\":\"jq -c . a.json >b; python3 show.py b\"}'; echo "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":$text}"; } | given
	exits 0 ctx-clean --lean in
	[ "$(wc -c <out)" -lt "$(wc -c <in)" ]
}

@test "lines: a file that is read again stays whole, of whatever tool and part" {
	text=$(for i in 1 2 3 4 5 6 7 8 9; do
		printf '     %d\\tif (one) return value%d;\\n' $i $i
		printf '    1%d\\t\\n    2%d\\treturn value one;\\n' $i $i
	done)
	{
		call a Read '{\"file_path\":\"/x/a.c\"}'; result a "$text"
		call b Read '{\"file_path\":\"/x/a.c\",\"offset\":1}'; result b "$text"
		call c Read '{\"file_path\":\"/x/b.c\"}'; result c "$text"
	} | given
	for o in '--thin --thin-files' --lean=strong '--thin=dense --thin-files --dedupe=200 --max-result 300 --choose'; do
		# shellcheck disable=SC2086
		exits 0 ctx-clean $o in
		sed -n 4p in >want
		sed -n 4p out >got
		same got want
		[ "$(sed -n 2p out | wc -c)" -lt "$(sed -n 2p in | wc -c)" ]
		[ "$(sed -n 6p out | wc -c)" -lt "$(sed -n 6p in | wc -c)" ]
		cp out again
		# shellcheck disable=SC2086
		exits 0 ctx-clean $o again
		same out again
	done
}

@test "lines: files are not minified, folded or made tables of" {
	printf '{"a": 1,   "b":\n [{"x":1,"y":2},{"x":3,"y":4},{"x":5,"y":6}]}' >file
	text=$(jq -Rs . file)
	{
		call a read_file '{\"path\":\"a.json\"}'
		echo "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":$text}"
		call b get_json '{\"path\":\"a.json\"}'
		echo "{\"role\":\"tool\",\"tool_call_id\":\"b\",\"content\":$text}"
	} | given
	{
		sed -n 1,3p in
		result b '{\"a\":1,\"b\":[3 rows: x,y]\n1,2\n3,4\n5,6\n}'
	} | wanted
	becomes ctx-clean --minify --tables --squeeze
}

@test "lines: errors, totals and changed lines of what a command prints stay" {
	pass=$(for i in $(seq 1 40); do printf 'tests/test_a.py::test_%d PASSED\\n' "$i"; done)
	{
		call a bash '{\"command\":\"cd x && python -m pytest -v 2>&1\"}'
		result a "${pass}tests/test_a.py::test_41 FAILED\\nE   assert 1 == 2\\n${pass}= 1 failed, 80 passed in 0.10s ="
	} | given
	exits 0 ctx-clean --max-result 600 --choose in
	jq -r 'select(.role == "tool").content' out >got
	[ "$(wc -m <got)" -le 600 ]
	grep -qx 'tests/test_a.py::test_41 FAILED' got
	grep -qx 'E   assert 1 == 2' got
	grep -qx '= 1 failed, 80 passed in 0.10s =' got
	grep -qE '^\[\.\.\. [0-9]+ lines\]$' got
	# as many lines as before, with those that are noted
	n=$(awk '/^\[\.\.\. [0-9]+ lines?\]$/ { n += $2 } END { print n }' got)
	[ $((n + $(grep -vcE '^\[\.\.\. [0-9]+ lines?\]$' got))) -eq 83 ]
}

@test "lines: of a diff the changed lines stay, though their words are known" {
	known=$(lines 10 ' one two three four five six seven eight')
	{
		echo '{"role":"user","content":"one two three four five six seven eight"}'
		call a bash '{\"command\":\"git diff\"}'
		result a "diff --git a/x b/x\\n@@ -1,30 +1,30 @@\\n${known}-one two\\n+two one\\n${known}+one"
	} | given
	{
		sed 2q in
		result a 'diff --git a/x b/x\n@@ -1,30 +1,30 @@\n[... 10 lines]\n-one two\n+two one\n[... 10 lines]\n+one'
	} | wanted
	becomes ctx-clean --thin
}

@test "lines: a run of lines that was sent before is left out, errors and all" {
	trace='Error: boom 1\n'$(for i in 1 2 3 4 5 6 7 8; do printf '    at call%d (lib/file%d.js:%d)\\n' $i $i $i; done)
	pad=$(for i in $(seq 1 30); do printf 'step%d\\n' "$i"; done)
	{
		call a sh '{}'
		result a "${pad}${trace}end1"
		call b sh '{}'
		result b "${pad//step/next}${trace}end2"
	} | given
	{
		sed 3q in
		result b "${pad//step/next}[... 9 lines sent before]\\nend2"
	} | wanted
	becomes ctx-clean --thin
}

@test "lines: --choose without lines to leave out shortens as --max-result does" {
	{ call a sh '{}'; result a "$(printf 'x%.0s' {1..300})"; } | given
	{
		call a sh '{}'
		result a "$(printf 'x%.0s' {1..100})\\n... (truncated, 300 chars total)"
	} | wanted
	becomes ctx-clean --max-result 100 --choose
}

@test "lines: --choose keeps to a limit in tokens" {
	text=$(for i in $(seq 1 200); do printf 'number %d is of kind k%d\\n' "$i" $((i * 7)); done)
	{ call a sh '{}'; result a "$text"; } | given
	for n in 50 200 1000; do
		exits 0 ctx-clean --max-result ${n}t --choose -m gpt-4o in
		jq -j 'select(.role == "tool").content' out >got
		[ "$(ctx-count --text -m gpt-4o got | awk '{ print $1 }')" -le "$n" ]
		cp out again
		exits 0 ctx-clean --max-result ${n}t --choose -m gpt-4o again
		same out again
	done
}

@test "lines: no line is changed, and running again changes nothing, on all logs" {
	for f in "${LOGS[@]}"; do
		for o in --thin '--thin --thin-files' '--thin=dense --thin-files' \
		    '--max-result 500 --choose' '--max-result 90t --choose --thin' \
		    '--thin=dense --thin-files --max-result 1k --choose --dedupe --ansi --minify --tables --squeeze --base64' \
		    '--thin --clear-results=3' --lean '--lean=strong --max-result 200 --clear-results' \
		    '--lean --thin-files --max-result 600'; do
			in_turn 4 7 || continue
			# shellcheck disable=SC2086
			ctx-clean $o "$f" >once
			# shellcheck disable=SC2086
			ctx-clean $o once | cmp - once || { echo "$o $f"; return 1; }
			ctx-clean --check once >faults || { echo "$o $f"; cat faults; return 1; }
		done
	done
}

@test "lines: what is written for a log begins what is written when it has grown" {
	for f in "${LOGS[@]}"; do
		[ "$(wc -l <"$f")" -gt 4 ] || continue
		o='--thin=dense --thin-files --max-result 700 --choose --dedupe=200'
		# shellcheck disable=SC2086
		ctx-clean $o --keep-pending "$f" >whole
		for n in 2 4; do
			head -n $(($(wc -l <"$f") * n / 5)) "$f" >part
			# shellcheck disable=SC2086
			ctx-clean $o --keep-pending part >out || continue
			# the last turn may go on
			sed '$d' out >begin
			head -c "$(wc -c <begin)" whole | cmp - begin || { echo "$f $n"; return 1; }
		done
	done
}

@test "lines: what is side by side only because lines are gone is not folded later" {
	many=$(for i in 1 2 3 4 5 6 7 8 9; do printf 'Compiling lib/file%d.ex (it takes more than 10s)\\nstill at work on what there is to do\\nthere is still work to do on it\\n' $i; done)
	{
		echo '{"role":"user","content":"still at work on what there is to do? it is"}'
		call a sh '{}'
		result a "$many"
	} | given
	exits 0 ctx-clean --lean in
	grep -q '\[... 2 lines\]\\nCompiling lib/file5.ex (it takes more than 10s)\\n' out
	cp out again
	exits 0 ctx-clean --lean again
	same out again
}

# All messages of a log but results.
others() {
	ctx-clean "$1" | ctx-convert -q --to openai |
	    jq -c '(.messages? // [.])[] | select(.role != "tool")'
}

@test "lines: --lean is the options that its page names" {
	sed -n '/^\.Sh LEAN HISTORIES/,/^\.Ed/p' "$ROOT/man/ctx-clean.1" | sed '/^--/,/^\.Ed/!d;/^\.Ed/d' >page
	read -r -a args <<<"$(tr '\n' ' ' <page)"
	[ "${#args[@]}" -eq 11 ]
	for f in "${LOGS[@]}"; do
		in_turn 3 5 || continue
		exits 0 ctx-clean "${args[@]}" "$f"
		cp out want
		exits 0 ctx-clean --lean "$f"
		same out want
		exits 0 ctx-clean "${args[@]}" --thin=dense --thin-files --max-result 5k "$f"
		cp out want
		exits 0 ctx-clean --lean=strong "$f"
		same out want
		# others' texts are as they were
		others "$f" >want
		for o in --lean --lean=strong; do
			ctx-clean $o "$f" >lean
			others lean >got
			same got want
		done
	done
}

@test "lines: with --as path, the first note names the file that has it all" {
	many=$(for i in 1 2 3 4 5 6 7; do lines 2 "ok $i: and this is said two times here"; lines 12 "ok 1: and this is said two times here"; done)
	{ call a sh '{}'; result a "$many"; } | given
	exits 0 ctx-clean --thin --stash kept --as path in
	text=$(jq -r 'select(.role == "tool").content' out)
	first=$(grep '^\[' <<<"$text" | head -n 1)
	[[ $first =~ ^'[... 13 lines, all kept in kept/'[0-9a-f]{64}']'$ ]]
	file=${first##* }
	jq -j 'select(.role == "tool").content' in >want
	same "${file%]}" want
	[ "$(grep -c 'kept in' <<<"$text")" -eq 1 ]
	[ "$(grep -c '^\[... [0-9]* lines\]$' <<<"$text")" -eq 6 ]
	cp out short
	exits 0 ctx-clean --restore kept short
	same out in
	# in either form it is not thinned again
	exits 0 ctx-clean --thin short
	same out short
	exits 0 ctx-clean --lean --stash other --as path short
	same out short
}

@test "lines: options that need another are refused" {
	: >in
	for o in --choose --thin-files --thin=much '--restore . --max-result 9 --choose'; do
		# shellcheck disable=SC2086
		exits 2 ctx-clean $o in
		silent
	done
}
