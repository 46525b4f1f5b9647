# What people see on a terminal where programs get lines in a pipe.

setup() {
	load helpers
	common_setup
	export TERM=xterm COLUMNS=70 NO_COLOR=1
}

# seen LINE: what the terminal shows of a shell command, in out.
seen() { on_terminal "$1" | tr -d '\r' >out; }

chat() {
	cat <<-'EOF'
	{"role":"user","content":"What does the disk say?"}
	{"role":"assistant","content":"The disk is full, and that is a rather long sentence about it."}
	{"role":"user","content":"磁盘已满"}
	EOF
}

# same_times FILE: make times in it the same.
same_times() {
	sed -E 's/[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}/01-02 03:04/g' "$1" |
	    sed -E 's/20[0-9]{2}-01/2026-01/g'
}

@test "people: lists of the store are tables on a terminal" {
	chat | ctx-store --db db append first
	ctx-store --db db append second <<<'{"role":"user","content":"disk"}'
	ctx-store --db db threads >rows
	[ "$(head -c 14 rows)" = '{"thread_id":"' ]
	seen 'ctx-store --db db threads'
	same_times out >got
	cat >want <<-'EOF'
	THREAD  CONTEXT  UPDATED           MESSAGES  CONTEXTS  CHECKPOINTS
	second  main     2026-01-02 03:04         1         1            0
	first   main     2026-01-02 03:04         3         1            0
	EOF
	same got want
	seen 'ctx-store --db db contexts first'
	same_times out >got
	cat >want <<-'EOF'
	CONTEXT  KIND  DEPTH  FIRST SEQ  MESSAGES  TURN  CREATED      HEAD
	main     root      0          1         3     2  01-02 03:04  yes
	EOF
	same got want
	# a list without rows has no headings
	seen 'ctx-store --db db checkpoint list first'
	[ ! -s out ]
	# no list, no table
	seen 'ctx-store --db db load second'
	[ "$(cat out)" = '{"role":"user","content":"disk"}' ]
}

@test "people: a table fits the terminal, and the words of a search are marked" {
	chat | ctx-store --db db append first
	seen 'ctx-store --db db search disk'
	same_times out >got
	cat >want <<-'EOF'
	KIND     THREAD  SEQ  TS                ROLE       SNIPPET
	message  first     2  2026-01-02 03:04  assistant  The disk is full, …
	message  first     1  2026-01-02 03:04  user       What does the disk…
	EOF
	same got want
	# years and names of columns give way before texts do
	COLUMNS=50 seen 'ctx-store --db db threads'
	same_times out >got
	cat >want <<-'EOF'
	THREAD  CONTEXT  UPDATED      MESS…  CONT…  CHECK…
	first   main     01-02 03:04      3      1       0
	EOF
	same got want
	NO_COLOR='' seen 'ctx-store --db db search DISK'
	grep -qF "The $(printf '\033[1m')disk$(printf '\033[22m') is" out
	seen 'ctx-store --db db search 磁盘'
	grep -q '  user  磁盘已满$' out
	# all columns of numbers and times stay whole where there is no room
	COLUMNS=20 seen 'ctx-store --db db threads'
	grep -q '3 *1 *0$' out
}

@test "people: all lines of a table have the same columns" {
	for i in {1..30}; do
		ctx-store --db db append "t$i" <<<'{"role":"user","content":"a"}'
	done
	seen 'ctx-store --db db threads'
	[ "$(wc -l <out)" -eq 31 ]
	# every line has the same columns
	[ "$(awk '{ print NF }' out | sort -u | tr '\n' ' ')" = '6 7 ' ]
}

@test "people: ctx-count has headings on a terminal" {
	printf '{"role":"user","content":"Hello"}\n' >a
	printf '{"role":"user","content":"Hi"}\n' >b
	seen 'ctx-count -q -e chars a b'
	cat >want <<-'EOF'
	  TOKENS MESSAGES      BYTES FILE
	       6        1         34 a
	       5        1         31 b
	      11        2         65 total
	EOF
	same out want
	seen 'ctx-count -q -e chars --per-message a'
	cat >want <<-'EOF'
	  TOKENS MESSAGES      BYTES MESSAGE
	       6        1         34 a:1 user
	EOF
	same out want
	seen 'ctx-count -q -e chars --json a'
	[ "$(head -c 1 out)" = '{' ]
}

@test "people: --check shows the line and the place on a terminal" {
	cat >in <<-'EOF'
	{"role":"user","content":"Go"}
	{"role":"tool","tool_call_id":"x","content":"1"}
	{"role":"assistant","content":"0123456789012345678901234567890123456789","tool_calls":[{"id":"y","type":"function","function":{"name":"f","arguments":"{}"}}]}
	EOF
	seen 'ctx-clean --check in 2>/dev/null'
	cat >want <<-'EOF'
	in:2:1: error[orphan-result]: tool result without a call
	  {"role":"tool","tool_call_id":"x","content":"1"}
	  ^
	in:3:88: error[unanswered-call]: tool call has no result
	EOF
	# what the message says besides is not of interest
	head -n 4 out | sed -E 's/(\]: ).*/\1.../' >got
	sed -E 's/(\]: ).*/\1.../' want >wanted
	same got wanted
	# the caret is under the brace of the call
	tail -n 2 out >place
	python3 - <<-'X'
	line, caret = open("place", encoding="utf-8").read().split("\n")[:2]
	at = caret.index("^")
	assert line[at:].startswith('{"id":"y"'), (line, caret)
	assert len(line) <= 70, line
	X
	exits 1 ctx-clean --check in
	lacks -q '\^' out
	seen 'ctx-clean --check --format github in 2>/dev/null'
	lacks -q '^ *^' out
}

@test "people: a filter that waits for a terminal says so" {
	python3 - <<-'X' >got
	import os, pty
	pid, fd = pty.fork()
	if pid == 0:
	    os.execvp("ctx-count", ["ctx-count"])
	seen = b""
	while b"Ctrl-D" not in seen:
	    seen += os.read(fd, 1000)
	os.write(fd, b'{"role":"user","content":"a"}\n\x04')
	try:
	    while True:
	        more = os.read(fd, 1000)
	        if not more:
	            break
	        seen += more
	except OSError:
	    pass
	os.waitpid(pid, 0)
	print(seen.decode())
	X
	has -q 'ctx-count: reading what you type; Ctrl-D ends it' got
	has -q '  5        1' got
	# not in a script
	exits 0 ctx-count </dev/null
	quiet
}
