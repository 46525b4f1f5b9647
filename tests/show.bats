# ctx-show: transcripts for people.

setup() { load helpers; common_setup; }

# A history of two turns with a call.
history_lines() {
	cat <<-'EOF'
	{"role":"system","content":"Be brief."}
	{"role":"user","content":"What is in a.txt?"}
	{"role":"assistant","content":"I'll look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\",\"limit\":9}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"one\ntwo\nthree\nfour\nfive\nsix\n"}
	{"role":"assistant","content":"Six words."}
	{"role":"user","content":"Thanks"}
	EOF
}

# A text has a token for 2.5 characters, but at least one; a message costs 4 more.
show() { ctx-show -e chars "$@"; }

@test "show: a transcript in a pipe" {
	history_lines | given
	wanted <<-'EOF'
	      7  system
	           Be brief.

	── turn 1 ──────────────────────────────
	     10  user
	           What is in a.txt?
	     19  assistant
	           I'll look.
	           ▸ read path=a.txt limit=9
	     15    ◂ read
	             one
	             two
	             three
	             four
	             … 2 more lines
	      8  assistant
	           Six words.

	── turn 2 ──────────────────────────────
	      6  user
	           Thanks
	EOF
	becomes show
	# a conversation line is the same history
	as_conversation <in >one
	cp one in
	becomes show
}

@test "show: --full shows every line, of calls too" {
	given <<-'EOF'
	{"role":"user","content":"Go"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"sh","arguments":"{\"cmd\":\"a\\nb\"}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"1\n2\n3\n4\n5\n6"}
	EOF
	wanted <<-'EOF'
	── turn 1 ──────────────────────────────
	      5  user
	           Go
	     10  assistant
	           ▸ sh cmd=a\nb
	      8    ◂ sh
	             1
	             2
	             3
	             4
	             5
	             6
	EOF
	becomes show --full
}

@test "show: lines are divided at the width, between words and wide characters" {
	given <<-'EOF'
	{"role":"user","content":"The quick brown fox jumps over it"}
	{"role":"assistant","content":"上海是中国的城市。好\n\tx 👩‍👩‍👧 👍🏽 e\u0301"}
	EOF
	wanted <<-'EOF'
	── turn 1 ──────────────────────
	user
	  The quick brown fox jumps over
	  it
	assistant
	  上海是中国的城市。好
	          x 👩‍👩‍👧 👍🏽 é
	EOF
	printf '%s\n' "$(sed 's/é$/e\xcc\x81/' want)" >want.new
	mv want.new want
	becomes show --width 32
	wanted <<-'EOF'
	── turn 1 ──────────
	user
	  The quick brown
	  fox jumps over it
	assistant
	  上海是中国的城市。
	  好
	          x 👩‍👩‍👧 👍🏽 é
	EOF
	printf '%s\n' "$(sed 's/é$/e\xcc\x81/' want)" >want.new
	mv want.new want
	becomes show --width 20
}

@test "show: no line begins with a closing mark of Chinese, or ends with an opening one" {
	given <<-'EOF'
	{"role":"user","content":"在上海是中国的城市，好。他说“今天很好”。\n一二三四五六七八（九十）。"}
	EOF
	# 18 columns: nine characters
	wanted <<-'EOF'
	── turn 1 ──────────
	user
	  在上海是中国的城
	  市，好。他说“今天
	  很好”。
	  一二三四五六七八
	  （九十）。
	EOF
	becomes show --width 20
}

@test "show: nothing in a transcript acts on a terminal" {
	given <<-'EOF'
	{"role":"user","content":"a\u001b[31mb\u0007\u202ec\u0085\r\nd\rx"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"\u001b]0;t\u0007","arguments":"{\"\\u001bk\":\"\\u009b2J\"}"}}]}
	EOF
	wanted <<-'EOF'
	── turn 1 ──────────────────────────────
	     10  user
	           a\x1b[31mb\x07\u202ec\xc2\x85
	           d\x0dx
	     14  assistant
	           ▸ \x1b]0;t\x07 \x1bk=\xc2\x9b2J
	EOF
	exits 0 show <in
	# what it costs is not the point here
	sed 's/^ *[0-9]*  \([ua]\)/\1/' out >got
	sed 's/^ *[0-9]*  \([ua]\)/\1/' want >wanted
	same got wanted
	exits 0 show --color always <in
	LC_ALL=C tr -d '\033\n' <out >rest
	lacks -q '[[:cntrl:]]' rest
}

@test "show: --tool, --turn and --grep select" {
	history_lines | given
	wanted <<-'EOF'
	── turn 1 ──────────────────────────────
	     19  assistant
	           ▸ read path=a.txt limit=9
	     15    ◂ read
	             one
	             two
	             three
	             four
	             … 2 more lines
	EOF
	becomes show --tool 'r*'
	becomes show --tool nothing --tool read
	wanted <<-'EOF'
	── turn 2 ──────────────────────────────
	      6  user
	           Thanks
	EOF
	becomes show --turn 2
	becomes show --turn 2-
	becomes show --turn 2-7
	becomes show --grep thanks
	becomes show --grep 'T.anks$'
	# a line that is folded away is shown if it matches
	wanted <<-'EOF'
	── turn 1 ──────────────────────────────
	     15    ◂ read
	             one
	             two
	             three
	             four
	             six
	             … 1 more line
	EOF
	becomes show --grep '^six$'
}

@test "show: --tool shows the images of a result, which is not empty" {
	image='{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUg"}}'
	cat >in <<-EOF
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"shot","input":{}},{"type":"tool_use","id":"b","name":"other","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[$image]},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"see"},$image,$image]},{"type":"text","text":"And?"}]}
	EOF
	exits 0 show --tool shot in
	sed 's/^ *[0-9,]* *//' out | tail -n 2 >got
	wanted <<-'EOF'
	◂ shot
	[image image/png, 16 bytes]
	EOF
	same got want
	exits 0 show --tool other in
	sed 's/^ *[0-9,]* *//' out | tail -n 4 >got
	wanted <<-'EOF'
	◂ other
	see
	[image image/png, 16 bytes]
	[image image/png, 16 bytes]
	EOF
	same got want
	exits 0 show --html - in
	lacks -qF '(empty)' out
	sed "s|\[$image\]|[]|" in >none
	exits 0 show none
	has -qx ' *◂ shot (empty)' out
	exits 0 show --html - none
	[ "$(grep -cF '(empty)' out)" -eq 1 ]
}

@test "show: --grep: an answer of which nothing matches is not the head of the next one" {
	given <<-'EOF'
	{"type":"message","role":"user","content":[{"type":"input_text","text":"Go"}]}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"A zebra"}]}
	{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"c1","output":"r"}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"No animal"}]}
	{"type":"function_call","call_id":"c2","name":"zebra","arguments":"{}"}
	EOF
	wanted <<-'EOF'
	── turn 1 ──────────────────────────────
	      6  assistant
	           A zebra
	      3  assistant
	           ▸ zebra
	EOF
	becomes show --grep zebra
}

@test "show: --grep: an upper-case letter of any alphabet makes case count" {
	printf '{"role":"user","content":"%s"}\n' ärger Ärger >in
	exits 0 show --grep är in
	[ "$(grep -c rger out)" -eq 2 ]
	exits 0 show --grep Är in
	lacks -q ärger out
	has -q Ärger out
	# \S and \W are no letters
	exits 0 show --grep 'är\S\W*' in
	[ "$(grep -c rger out)" -eq 2 ]
}

@test "show: a turn begins with what a person typed" {
	for f in "$DATA"/agents/* "$DATA"/resume/*; do
		about "$f"
		exits 0 show -q "$f"
		grep -A 2 '^── turn 1 ' out | sed -n 3p >line
		grep -qE '^ {11}("?tally drops the last field|List it)' line
	done
	exits 0 show -q "$DATA/resume/codex.jsonl"
	has -q '^ *[0-9]*  user (by the program)$' out
	# Claude Code and OpenCode mark it, with members as in real files
	claude() {
		printf '{"parentUuid":%s,"uuid":"u%s","isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":%s}%s}\n' \
		    "$1" "$2" "$3" "${4:-}"
	}
	{
		claude null 1 '"<local-command-caveat>C</local-command-caveat>"' ',"isMeta":true'
		claude '"u1"' 2 '"<command-name>/mcp</command-name>"' ',"isMeta":false'
		claude '"u2"' 3 '"<local-command-stdout>done</local-command-stdout>"'
		claude '"u3"' 4 '[{"type":"text","text":"[Request interrupted by user]"}]'
		claude '"u4"' 5 '"Go on"'
		claude '"u5"' 6 '"So far."' ',"isCompactSummary":true'
	} | given
	exits 0 show <in
	sed -n 's/^ *[0-9]*  user/user/p; s/^── \(turn [0-9]\).*/\1/p' out >got
	wanted <<-'EOF'
	user (by the program)
	turn 1
	user
	user (by the program)
	user (by the program)
	turn 2
	user
	user (summary)
	EOF
	same got want
	exits 0 show --html - <in
	[ "$(grep -c '<h3>user (by the program)</h3>' out)" -eq 3 ]
	given <<-'EOF'
	{"info":{"id":"ses_1"},"messages":[{"info":{"id":"msg_1","role":"user"},"parts":[{"type":"text","synthetic":true,"text":"Called the tool"}]},{"info":{"id":"msg_2","role":"user"},"parts":[{"type":"text","text":"Go"},{"type":"text","synthetic":true,"text":"file"}]}]}
	EOF
	exits 0 show <in
	sed -n 's/^ *[0-9]*  user/user/p; s/^── \(turn [0-9]\).*/\1/p' out >got
	printf '%s\n' 'user (by the program)' 'turn 1' user >want
	same got want
}

@test "show: what selects nothing says what there is" {
	history_lines | given
	says_none() {
		local words=$1
		shift
		exits 1 show "$@" in
		silent
		said "ctx-show: $words"
		exits 1 show -q "$@" in
		quiet
	}
	says_none 'no turn 9: the history has 2 turns' --turn 9
	says_none 'no turns 3-: the history has 2 turns' --turn 3- --grep a
	says_none "no call of 'write'; the tools are: read" --tool write
	says_none "no call of 'raed' or 'x*'; did you mean read? the tools are: read" --tool raed --tool 'x*'
	says_none "no call of 'read' in turn 2: no tool is called" --turn 2 --tool read
	says_none "no message matches 'THANKS'; case counts, as it has an upper-case letter" --grep THANKS
	says_none "no message in turns -1 matches 'thanks'" --turn -1 --grep thanks
	says_none "no call or result of 'read' matches 'thanks'" --tool read --grep thanks
	# pages and pictures are of all messages and are written
	for page in '--html page' '--svg bar'; do
		about "$page"
		# shellcheck disable=SC2086
		exits 1 show $page --turn 9 in
		said 'ctx-show: no turn 9: the history has 2 turns'
	done
	has -qF '<p class="none">Nothing to show: none of 6 messages was selected.</p>' page
	exits 1 show --kept in --turn 9 in
	said 'ctx-show: no turn 9: the history has 2 turns'
	# conversations have turns of their own
	sed 's/^{/{"thread":"a",/' in >one
	{ cat one; echo '{"thread":"b","role":"user","content":"2"}'; } >two
	exits 1 show --by thread --turn 3 two
	said 'ctx-show: no turn 3: no conversation has more than 2 turns'
	exits 0 show --by thread --turn 2 two
	grep '"assistant"' in >answers
	exits 1 show --turn 1 answers
	said "ctx-show: no turn 1: no message was typed by a user"
	# many tools, and names that could act on a terminal
	seq 30 | awk '{ printf "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c%d\",\"type\":\"function\",\"function\":{\"name\":\"t%d\\u001b[7m\",\"arguments\":\"{}\"}}]}\n", $1, $1 }' >many
	exits 1 show --tool x many
	says "*; the tools are: t1\\\\x1b\\[7m, t2*, t12* and 18 more"
	# what was not read whole may have it
	{ cat in; echo '{'; } >bad
	exits 3 show --turn 9 bad
	lacks -q 'no turn 9' err
}

@test "show: a history without a message says so" {
	exits 0 show /dev/null
	silent
	said 'ctx-show: nothing to show: no message was read'
	exits 1 show --grep a /dev/null
	said 'ctx-show: nothing to show: no message was read'
	exits 0 show -q /dev/null
	quiet
	# once
	echo '{"a":1}' >none
	exits 0 show none
	said 'ctx-show: none: no message in 1 record; ctx-stream(5) lists the formats that are read'
	exits 0 show --html - none
	has -qF '<p class="none">Nothing to show: no message was read.</p>' out
	for p in bar treemap plot; do
		exits 0 show --svg $p /dev/null
		has -q '<text .*>no messages</text>' out
	done
}

@test "show: --turn and --grep refuse what they cannot take" {
	for turns in 0 x 3-2 1-2-3 - '' 99999999999999999999; do
		about "$turns"
		exits 2 show --turn "$turns" /dev/null
		says "ctx-show: no range of turns: '$turns'; turns count from 1*"
	done
	exits 2 show --grep '(' /dev/null
	says 'ctx-show: no pattern: *'
}

@test "show: conversations have a name" {
	given <<-'EOF'
	{"thread":"a","role":"user","content":"1"}
	{"thread":"b","role":"user","content":"2"}
	{"thread":"a","role":"assistant","content":"3"}
	EOF
	wanted <<-'EOF'
	── conversation "a" ────────────────────
	── turn 1 ──────────────────────────────
	      5  user
	           1

	── conversation "b" ────────────────────

	── turn 1 ──────────────────────────────
	      5  user
	           2

	── conversation "a" ────────────────────

	── turn 1 ──────────────────────────────
	      5  assistant
	           3
	EOF
	becomes show --by thread
}

@test "show: failed and empty results, images and files" {
	given <<-'EOF'
	{"role":"user","content":[{"type":"text","text":"See"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAA"}},{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]}
	{"role":"assistant","content":[{"type":"thinking","thinking":"A\nB\nC\nD\nE","signature":"c2ln"},{"type":"tool_use","id":"t1","name":"f","input":{}},{"type":"tool_use","id":"t2","name":"g","input":{"n":[1,2]}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"no"},{"type":"tool_result","tool_use_id":"t2","content":[]}]}
	EOF
	cat >want <<-'EOF'
	── turn 1 ──────────────────────────────
	user
	           See
	           [image image/png, 18 bytes]
	           [image https://example.com/a.png]
	assistant
	           A
	           B
	           C
	           … 2 more lines
	           ▸ f
	           ▸ g n=[1,2]
	           ◂ f failed
	             no
	           ◂ g (empty)
	EOF
	exits 0 show <in
	sed -e 's/^ *[0-9,]*  \([ua]\)/\1/' -e 's/^ *[0-9]*    ◂/           ◂/' out >got
	same got want
}

@test "show: --kept: signs in conversations that run side by side" {
	given <<-'X'
	{"t":"a","role":"user","content":"one"}
	{"t":"b","role":"user","content":"two"}
	{"t":"a","role":"assistant","content":"three"}
	{"t":"b","role":"assistant","content":"four"}
	X
	sed 3d in >kept
	exits 0 show --by t --kept kept in
	grep -E '^[^ ]' out | grep -vE '^(──|=)' >got
	wanted <<-'X'
	-       6  assistant
	-            three
	X
	same got want
}

@test "show: --kept: signs of what became of each message" {
	history_lines >in
	{
		sed -n 2,3p in
		printf '%s\n' '{"role":"tool","tool_call_id":"c1","content":"one\ntwo\n"}'
		sed -n 5,6p in
	} >kept
	wanted <<-'EOF'
	-       7  system
	-            Be brief.

	── turn 1 ──────────────────────────────
	       10  user
	             What is in a.txt?
	       19  assistant
	             I'll look.
	             ▸ read path=a.txt limit=9
	<      15    ◂ read
	<              one
	<              two
	<              three
	<              four
	<              … 2 more lines
	        8  assistant
	             Six words.

	── turn 2 ──────────────────────────────
	        6  user
	             Thanks

	= 4 same, < 1 shortened, - 1 dropped; 65 → 50 tokens
	EOF
	exits 0 show --kept kept in
	same out want
	exits 0 show --kept - in <kept
	same out want
	exits 0 show --kept kept <in
	same out want
	exits 0 show --kept kept --turn 2 in
	sed -n '/turn 2/,$p' want >part
	same out part
	exits 2 show --kept - <in
	says 'ctx-show: --kept: standard input (-) can be one of both'
	exits 2 show --kept kept --follow in
	exits 4 show --kept nowhere in
	silent
	# what was not read whole would seem to be dropped
	echo '{"oops' >>kept
	exits 3 show --kept kept in
	silent
	exits 3 show --kept kept --on-error skip in
	has -q '4 same, < 1 shortened, - 1 dropped' out
}

@test "show: JSON of results and arguments is for people, however it is spelled" {
	cat >in <<-'EOF'
	{
	  "contents": [
	    { "role": "user", "parts": [ { "text": "Go" } ] },
	    { "role": "model", "parts": [ { "functionCall": { "name": "read",
	        "args": { "files": [ { "path": "a.c" }, { "path": "b.c" } ], "all": true } } } ] },
	    { "role": "user", "parts": [ { "functionResponse": { "name": "read",
	        "response": { "list": [ { "path": "a.c", "text": "one\n\ttwo\n" }, [], [ 5, null ] ], "none": {},
	          "said": "no more" } } } ] },
	    { "role": "model", "parts": [] }
	  ]
	}
	EOF
	cat >want <<-'EOF'
	── turn 1 ──────────────────────────────
	user
	           Go
	assistant
	           ▸ read files=[{"path":"a.c"},{"path":"b.c"}] all=true
	           ◂ read
	             list:
	               - path: a.c
	                 text:
	                   one
	                     two
	               - []
	               - [5,null]
	             none: {}
	             said: no more
	assistant
	           (nothing)
	EOF
	exits 0 show --full <in
	sed -e 's/^ *[0-9,]*  \([ua]\)/\1/' -e 's/^ *[0-9]*    ◂/           ◂/' out >got
	same got want
	exits 0 show --html - <in
	has -qF '<div class="n">(nothing)</div>' out
	has -qF '<pre dir="auto">list:' out
}

@test "show: on a terminal there are colours, a pager and the terminal's width" {
	history_lines | given
	export PAGER='sed s/^/=/' TERM=xterm COLUMNS=50
	on_terminal 'ctx-show -e chars in' | tr -d '\r' >out
	grep -qF "=$(printf '\033[2m')── turn 1 ────────────────────────────────────────" out
	[ "$(grep -c '^=' out)" = "$(wc -l <out)" ]
	NO_COLOR=1 on_terminal 'ctx-show -e chars in' | tr -d '\r' >out
	lacks -q "$(printf '\033')" out
	on_terminal 'ctx-show -e chars --no-pager --color never in' | tr -d '\r' >out
	grep -qx '── turn 1 ────────────────────────────────────────' out
	# without a pager, the terminal shows all of it
	for pager in no-such-pager /; do
		PAGER=$pager on_terminal 'ctx-show --color never in; echo "exit $?"' | tr -d '\r' >out
		has -qx ' *Thanks' out
		[ "$(tail -n 1 out)" = "exit 0" ]
	done
	# a pager that ends early ends all
	PAGER='head -n 1' on_terminal 'ctx-show -e chars in; echo $?' | tr -d '\r' >out
	lacks -q 'Thanks' out
}

@test "show: matches are marked" {
	history_lines | given
	exits 0 show --color always --grep words <in
	grep -qF "Six $(printf '\033[7m')words$(printf '\033[27m')." out
}

@test "show: 600,000 matches in a line are marked" {
	# of quadratic time it would not end
	awk 'BEGIN { printf "{\"role\":\"user\",\"content\":\""
		for (i = 0; i < 600000; i++)
			printf "Ab é"
		print "\"}" }' >in
	exits 0 timeout "$DEADLINE" ctx-show -e chars --color always --grep A in
	[ "$(LC_ALL=C tr -cd '\033' <out | wc -c)" -gt 1200000 ]
}

no_child() { [ -z "$(ps -A -o args 2>/dev/null | grep '[c]tx-show.*--follow log$')" ]; }

@test "show: --follow shows what is added" {
	history_lines | head -n 2 >log
	# not by a function, whose subshell would be killed instead
	ctx-show -e chars --follow log >out 2>err 3>&- &
	echo $! >pid
	until_true grep -q 'What is in' out
	# and a line that is not whole, in one piece
	{
		history_lines | sed -n '3,5p'
		printf '{"role":"user","content":"%0999d' 0
	} >more
	cat more >>log
	until_true grep -q 'Six words' out
	# a log that is written anew is read anew
	history_lines | head -n 2 | sed 's/a[.]txt/b.txt/' >new
	cat new >log
	until_true grep -q 'What is in b.txt' out
	kill "$(cat pid)"
	quiet
	exits 2 show -f log log
	exits 4 show --follow nowhere
	says 'ctx-show: nowhere: cannot open: No such file or directory'
	exits 4 timeout "$DEADLINE" ctx-show --follow .
	said 'ctx-show: .: is a directory; name the files in it, as in DIR/*.jsonl'
	# what is wrong in it is named by the file
	echo oops >bad
	exits 3 timeout "$DEADLINE" ctx-show --follow bad
	says 'ctx-show: bad:1:1: not JSON: *'
	# nothing of it goes on
	until_true no_child
}

@test "show: every message of every dialect is shown" {
	for f in "$DATA"/dialects/*.faulty.jsonl; do
		about "$f"
		exits 0 show --full -q "$f"
		has -q 'turn 1' out
		has -q '▸' out
	done
}

@test "show: what an agent adds does not hide what was said" {
	# a frame of Codex around what a command printed, as in its sessions; it
	# is shown in full with --full, and if the command failed its code
	codex() {
		printf '{"timestamp":"t","type":"response_item","payload":%s}\n' "$1"
	}
	{
		codex '{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n1\n2\n3\n4\n5\n6\n</environment_context>"}]}'
		codex '{"type":"message","role":"user","content":[{"type":"input_text","text":"Go"}]}'
		codex '{"type":"function_call","call_id":"c1","name":"exec_command","arguments":"{\"cmd\":\"ls\"}"}'
		codex '{"type":"function_call_output","call_id":"c1","output":"Chunk ID: c63c48\nWall time: 0.0 seconds\nProcess exited with code 0\nOriginal token count: 28\nOutput:\nk\nl\nm\nn\no\np\n"}'
		codex '{"type":"function_call","call_id":"c2","name":"exec_command","arguments":"{\"cmd\":\"rm\"}"}'
		codex '{"type":"function_call_output","call_id":"c2","output":"Chunk ID: c63c49\nWall time: 0.0 seconds\nProcess exited with code 2\nOutput:\ng\nh\ni\nj\nk\n"}'
	} | given
	exits 0 show in
	sed 's/^ *[0-9]*  \([ua]\)/\1/; s/^ *[0-9]*    ◂/           ◂/; s/^  *[0-9]*    ▸/           ▸/' out >got
	wanted <<-'EOF'
	user (by the program)
	           <environment_context>
	           1
	           2
	           3
	           … 4 more lines

	── turn 1 ──────────────────────────────
	user
	           Go
	assistant
	           ▸ exec_command cmd=ls
	           ◂ exec_command
	             k
	             l
	             m
	             n
	             … 7 more lines
	assistant
	           ▸ exec_command cmd=rm
	           ◂ exec_command
	             Process exited with code 2
	             g
	             h
	             i
	             … 5 more lines
	EOF
	same got want
	exits 0 show --full in
	has -q 'Chunk ID: c63c48' out
	exits 0 show --grep wall in
	has -q 'Wall time: 0.0 seconds' out
	exits 0 show --html - in
	has -qF '<details class="text"><summary><bdi class="f">&lt;environment_context&gt;</bdi>' out
	# a page says in one line what it has folded
	codex '{"type":"function_call_output","call_id":"c2","output":"Chunk ID: c63c49\nWall time: 0.0 seconds\nProcess exited with code 2\nOutput:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"}' >>in
	codex '{"type":"function_call_output","call_id":"c1","output":"Chunk ID: c63c49\nProcess exited with code 0\nOutput:\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"}' >>in
	exits 0 show --html - in
	has -qF '<bdi class="f"> Process exited with code 2</bdi>' out
	has -qF '<bdi class="f"> 1</bdi>' out
	# a text of an agent that only looks like it
	printf '%s\n' '{"role":"tool","tool_call_id":"c","content":"Chunk ID: 1\na\nOutput:\nb\nc\nd\ne\nf"}' |
	    given
	exits 0 show in
	has -q '^ *Chunk ID: 1$' out
}

@test "show: blank texts, and what is written again, are said" {
	given <<-'EOF'
	{"role":"user","content":"Go"}
	{"role":"assistant","content":"\n\n"}
	EOF
	exits 0 show in
	[ "$(tail -n 1 out)" = '           (blank)' ]
	exits 0 show --html - in
	has -qF '<div class="n">(blank)</div>' out
	exits 0 show "$DATA/agents/gemini-cli.jsonl"
	has -q '^ *(written again below)$' out
	exits 0 show --html - "$DATA/agents/gemini-cli.jsonl"
	has -qF '<div class="n">(written again below)</div>' out
	# the name of a tool once
	given <<-'EOF'
	{"role":"user","content":"Go"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"read","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"c","name":"read","content":"x"}
	EOF
	exits 0 show --html - in
	has -qF '<h3>tool</h3>' out
	lacks -qF '<h3>tool <bdi>read' out
}

@test "show: a long URL of an image is cut" {
	url=https://a.example/$(printf '%05000d' 0)
	echo '{"role":"user","content":[{"type":"image","source":{"type":"url","url":"'"$url"'"}}]}' |
	    given
	exits 0 show in
	[ "$(tail -n 1 out | wc -c)" -lt 500 ]
	has -q '^ *\[image https://a[.]example/0*[.][.][.]\]$' out
}

@test "show: files are said by their ids, and documents of text in their words" {
	given <<-'EOF'
	{"role":"user","content":[{"type":"document","title":"Poem","source":{"type":"text","media_type":"text/plain","data":"1\n2\n3\n4\n5\n6"}},{"type":"document","source":{"type":"file","file_id":"file_011"}},{"type":"search_result","source":"https://host","title":"Found","content":[{"type":"text","text":"It"}]}]}
	EOF
	wanted <<-'EOF'
	── turn 1 ──────────────────────────────
	      9  user
	           [file Poem]
	             1
	             2
	             3
	             4
	             … 2 more lines
	           [file file_011]
	           [file Found]
	             type: search_result
	             source: https://host
	             title: Found
	             content:
	             … 2 more lines
	EOF
	becomes show
	exits 0 show --grep '^6$' in
	has -qx ' *6' out
	exits 0 show --html - in
	sed -n 's/<figcaption>/&/p; /^<div class="text">/,/<.div>/p' out >got
	has -qF 'file <bdi>Poem</bdi></figcaption>' got
	has -qx '<div class="text"><pre dir="auto">1' got
	has -qF 'file <bdi>file_011</bdi></figcaption>' got
	# a sound of a kind that is not known has bytes
	given <<-'EOF'
	{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"opus"}}]}
	EOF
	exits 0 show in
	has -qx ' *\[file, 3 bytes\]' out
}

@test "show: what only one API has is shown as its record spells it" {
	given <<-'EOF'
	{"role":"user","parts":[{"text":"Compute"}]}
	{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"print(1)\nprint(2)\nprint(3)"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"\u00e9"}},{"text":"Done"}]}
	EOF
	wanted <<-'EOF'
	── turn 1 ──────────────────────────────
	      6  user
	           Compute
	      5  assistant
	           executableCode:
	             language: PYTHON
	             code:
	               print(1)
	           … 2 more lines
	           codeExecutionResult:
	             outcome: OUTCOME_OK
	             output: é
	           Done
	EOF
	becomes show
	# a call of another kind has the type as its name, and so has what answers it
	given <<-'EOF'
	{"type":"message","role":"user","content":[{"type":"input_text","text":"Remove it"}]}
	{"type":"web_search_call","id":"ws_1","action":{"query":"how"}}
	{"type":"mcp_approval_request","id":"ap_1","name":"rm","arguments":"{\"path\":\"x\"}"}
	{"type":"mcp_approval_response","approval_request_id":"ap_1","approve":true}
	{"type":"message","role":"user","content":[{"type":"input_text","text":"And?"}]}
	{"type":"item_reference","id":"msg_9"}
	EOF
	exits 0 show in
	sed -n 's/^ \{11\}//p' out >got
	wanted <<-'EOF'
	Remove it
	type: web_search_call
	id: ws_1
	action:
	  query: how
	  type: mcp_approval_response
	  approval_request_id: ap_1
	  approve: true
	And?
	type: item_reference
	id: msg_9
	EOF
	same got want
	has -qx ' *[0-9]*    ▸ mcp_approval_request type=mcp_approval_request id=ap_1 name=rm arguments={"path":"x"}' out
	has -qx ' *[0-9]*    ◂ mcp_approval_response' out
	exits 0 show --html - in
	has -qF '<details class="text"><summary><bdi class="f">type: web_search_call</bdi>' out
	# on a terminal a line of it ends where that ends
	awk 'BEGIN { while (n++ < 99) s = s "AAAAAAAAAA"
	    print "{\"type\":\"image_generation_call\",\"result\":\"" s "\"}" }' >in
	exits 0 show --width 60 in
	[ "$(wc -l <out)" -eq 3 ]
	has -qx ' *result: A*…' out
}

@test "show: an answer of which the reasoning is hidden says so" {
	for part in '{"type":"redacted_thinking","data":"x"}' \
	    '{"type":"thinking","thinking":"","signature":"s"}'; do
		about "$part"
		echo '{"role":"assistant","content":['"$part"']}' >in
		exits 0 show in
		has -qx ' *(hidden reasoning)' out
	done
}
