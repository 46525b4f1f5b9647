# ctx-digest-files on a stream replaces the contents of files that tools read by
# one line.  The expected bytes are written by hand.

setup() { load helpers; common_setup; }

call() { # ID NAME ARGUMENTS-AS-JSON-STRING
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}\n' "$@"
}
result() { # ID TEXT-AS-JSON
	printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$@"
}
answer() { echo '{"role":"assistant","content":"seen"}'; }

py='import csv\n\n\ndef load_data(path):\n    with open(path) as f:\n        return list(csv.reader(f))\n\n\ndef clean_data(rows):\n    return [r for r in rows if r and r[0] != \"\"]\n'
py_en='[file read] sales_analysis.py (python, 10 lines, functions: load_data, clean_data)'
py_zh='[文件已读取] sales_analysis.py (python, 10行, 函数: load_data, clean_data)'

@test "digest: what a command prints of a file, where the command is a list" {
	body=$(for i in 1 2 3 4 5 6 7 8 9; do printf 'def f%d(x):\\n    return x + %d\\n' $i $i; done)
	for command in '\"cat a.py\"' '[\"bash\",\"-lc\",\"cat a.py\"]'; do
		printf '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"shell","arguments":"{\\"command\\":%s}"}}]}\n' "${command//\\\"/\\\"}" >in
		printf '{"role":"tool","tool_call_id":"a","content":"%s"}\n{"role":"assistant","content":"ok"}\n' "$body" >>in
		exits 0 ctx-digest-files <in
		[ "$(jq -r 'select(.role == "tool").content' out)" = \
		    '[file read] a.py (python, 18 lines, functions: f1, f2, f3, f4, f5, f6, f7, f8, f9)' ]
	done
}

@test "digest stream: a file that was read is replaced by its line, in both languages" {
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py"; answer; } | given
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py_en"; answer; } | wanted
	becomes ctx-digest-files
	cp want once
	exits 0 ctx-digest-files <once
	same out once
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py_zh"; answer; } | wanted
	becomes ctx-digest-files --lang zh
	CTX_LANG=zh becomes ctx-digest-files
}

@test "digest stream: the operand - is standard input, also where a file has that name" {
	echo 'x = 1' >./-
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py"; answer; } | given
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py_en"; answer; } | wanted
	becomes ctx-digest-files -
	exits 2 ctx-digest-files - in
	says "ctx-digest-files: '-' is a history on standard input, so it goes with no PATH; ./- is a file"
	silent
	exits 2 ctx-digest-files --map -
	exits 0 ctx-digest-files ./-
	has -q '^\[file read\] ./- (' out
}

@test "digest stream: a file that the model has not seen yet stays" {
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py"; } | given
	stays ctx-digest-files
}

@test "digest stream: tools are recognized by name or by a prefix of the id" {
	for name in read_file file_reader Read view cat open_file fs.read \
	    mcp__filesystem__read_text_file; do
		{ call a $name '{\"file_path\":\"sales_analysis.py\"}'; result a "$py"; answer; } | given
		{ call a $name '{\"file_path\":\"sales_analysis.py\"}'; result a "$py_en"; answer; } | wanted
		becomes ctx-digest-files
	done
	{ call call_read_file_1 fetch '{\"path\":\"sales_analysis.py\"}'; result call_read_file_1 "$py"; answer; } | given
	{ call call_read_file_1 fetch '{\"path\":\"sales_analysis.py\"}'; result call_read_file_1 "$py_en"; answer; } | wanted
	stays ctx-digest-files
	{ call call_read_file_1 fetch '{\"path\":\"sales_analysis.py\"}'; result call_read_file_1 "$py_en"; answer; } | wanted
	becomes ctx-digest-files --id-prefix call_read_file_
	becomes ctx-digest-files --tool fetch
}

@test "digest stream: line numbers are not contents, and a part states its lines" {
	{ call a Read '{\"file_path\":\"a.csv\",\"offset\":200,\"limit\":3}'; result a '   200→date,amount\n   201→2024-01-01,10\n   202→2024-01-02,20\n\n<reminder>be careful with what this file says</reminder>'; answer; } | given
	exits 0 ctx-digest-files <in
	grep -qF '[file read] a.csv (CSV, ' out
	grep -qF 'lines 200–202' out
	{ call a Read '{\"file_path\":\"s.py\"}'; result a '     1\tdef load_data(path, key):\n     2\t    return sorted(path, key=key)\n     3\t\n     4\tdef clean_data(rows):\n     5\t    return [r for r in rows if r]\n'; answer; } | given
	exits 0 ctx-digest-files <in
	grep -qF '[file read] s.py (python, 5 lines, functions: load_data, clean_data)' out
}

@test "digest stream: what a tool puts around contents is not counted" {
	j=${py//\\n/\\\\n}
	j=${j//\\\"/\\\\\\\"}
	for text in "{\\\"ok\\\":true,\\\"content\\\":\\\"$j\\\"}" \
	    "{\\\"content\\\":[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"$j\\\"}]}" \
	    "Content of sales_analysis.py:\\n$py"; do
		{ call a Read '{\"path\":\"sales_analysis.py\"}'; result a "$text"; answer; } | given
		{ call a Read '{\"path\":\"sales_analysis.py\"}'; result a "$py_en"; answer; } | wanted
		becomes ctx-digest-files
	done
	# a name without a suffix, of which it is known that it is no JSON
	text=$(printf 'all: main.o parse.o\n\tcc -o main main.o parse.o\n\nclean:\n\trm -f main main.o parse.o\n' |
	    jq -Rsc '{ok: true, content: .} | tojson')
	text=${text#?}
	{ call a Read '{\"path\":\"src/Makefile\"}'; result a "${text%?}"; answer; } | given
	{ call a Read '{\"path\":\"src/Makefile\"}'; result a '[file read] src/Makefile (makefile, 5 lines, targets: all, clean)'; answer; } | wanted
	becomes ctx-digest-files
	# a JSON value stays one
	ai() {
		printf '%s\n' '{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"read_file","input":{"path":"sales_analysis.py"}}]}' \
		    '{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"read_file","output":{"type":"json","value":{"ok":true,"content":"'"$1"'"}}}]}' \
		    '{"role":"assistant","content":"seen"}'
	}
	ai "$py" | given
	ai "$py_en" | wanted
	becomes ctx-digest-files
	cp want in
	stays ctx-digest-files
	# and what it says of its lines counts
	ai "$py\",\"totalLines\":90,\"path\":\"a" | given
	ai "${py_en/10 lines/lines 1–10}\",\"totalLines\":90,\"path\":\"a" | wanted
	becomes ctx-digest-files
	gemini() {
		printf '%s\n' '{"role":"model","parts":[{"functionCall":{"name":"read_file","args":{"path":"sales_analysis.py"}}}]}' \
		    '{"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"result":{"content":"'"$1"'"}}}}]}' \
		    '{"role":"model","parts":[{"text":"seen"}]}'
	}
	gemini "$py" | given
	gemini "$py_en" | wanted
	becomes ctx-digest-files
}

@test "digest stream: a line states the lines that were shown" {
	shown() { # ARGUMENTS TEXT LINES
		{ call a Read "{\\\"path\\\":\\\"s.py\\\"$1}"; result a "$2"; answer; } | given
		{ call a Read "{\\\"path\\\":\\\"s.py\\\"$1}"; result a "[file read] s.py (python, $3)"; answer; } | wanted
		becomes ctx-digest-files
	}
	a='def load_data(path, key):\n    return sorted(path, key=key)\n    # and that is all that there is of it'
	numbered='1: def load_data(path, key):\n2:     return sorted(path, key=key)\n3:     # and that is all'
	shown '' "Contents of s.py:\\n$numbered\\n... +46 lines" 'lines 1–3, functions: load_data'
	shown '' "<path>/x/s.py</path>\\n<type>file</type>\\n<content>\\n$numbered\\n\\n(End of file - total 3 lines)\\n</content>" \
	    '3 lines, functions: load_data'
	shown ',\"offset\":4,\"limit\":3' "Showing lines 5-7 of 9 total lines.\\n\\n---\\n\\n$a" 'lines 5–7, functions: load_data'
	shown ',\"offset\":4,\"limit\":3' "$a\\n\\n[2 more lines in file. Use offset=7 to continue.]" 'lines 4–6, functions: load_data'
	# the file ends before what was asked for
	shown ',\"limit\":2000' "$a" '3 lines, functions: load_data'
	shown ',\"offset\":4,\"limit\":2000' "$a" 'lines 4–6, functions: load_data'
}

# Claude Code reads no more than 2,000 lines at once, and says elsewhere that there are more.
@test "digest stream: what is written for people says how long the file is" {
	log() { # LINE
		printf '%s\n' '{"type":"assistant","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"assistant","id":"m","content":[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"/s.py"}}]}}' \
		    '{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"'"$1"'"}]},"toolUseResult":{"type":"text","file":{"filePath":"/s.py","content":"'"${2:-$1}"'","numLines":2,"startLine":1,"totalLines":90}}}' \
		    '{"type":"assistant","uuid":"u3","parentUuid":"u2","sessionId":"s","message":{"role":"assistant","id":"n","content":[{"type":"text","text":"ok"}]}}'
	}
	log '     1→def load_data(path, key):\n     2→    return sorted(path, key=key) + sorted(path)' \
	    'def load_data(path, key):\n    return sorted(path, key=key) + sorted(path)' | given
	log '[file read] /s.py (python, lines 1–2, functions: load_data)' | wanted
	becomes ctx-digest-files
}

@test "digest stream: what is not surely a file's contents stays" {
	for text in "$py... [200 lines truncated] ...\\n" "1: $py" "2: a\\n3: b\\n$py" \
	    "{\\\"content\\\":\\\"a long text of which nobody knows what it is, or of what\\\",\\\"page\\\":1,\\\"x\\\":2}" \
	    "<document>$py</document>"; do
		{ call a Read '{\"path\":\"s.py\",\"offset\":2,\"limit\":2}'; result a "$text"; answer; } | given
		stays ctx-digest-files
	done
	# of two files there is one
	{ call a read_multiple_files '{\"paths\":[\"a.py\",\"b.py\"]}'; result a "a.py:\\n$py"; answer; } | given
	stays ctx-digest-files
}

@test "digest stream: what is not surely a file's contents is no later read of it" {
	again() { # TEXT [ARGUMENTS]
		call a Read '{\"path\":\"sales_analysis.py\"}'; result a "$py"
		call b Read "{\\\"path\\\":\\\"${3:-sales_analysis.py}\\\"$2}"; result b "$1"
		answer
	}
	cut='def load_data(path):\n... [200 lines truncated] ...\n    return [r for r in rows]\n'
	for text in "$cut" "<document>$py</document>" 'Permission denied' '(no content)' '' \
	    "{\\\"content\\\":\\\"some text of which nobody knows what it is\\\",\\\"page\\\":1,\\\"x\\\":2}" \
	    "Output too large (50KB). Saved to /tmp/x\\n\\nPreview:\\n$py" \
	    "<persisted-output>\\nOutput too large (50KB).\\n$py</persisted-output>" \
	    'Nothing was done, because it was refused.\nThe person said to do something else.'; do
		about "$text"
		again "$text" '' | given
		stays ctx-digest-files --keep-latest --step 0
		stays ctx-digest-files --superseded --step 0
		# nor is it one of the newest files
		again "$text" '' other.py | given
		stays ctx-digest-files --keep-recent 1 --step 0
	done
	again "$py" ',\"page\":2' | given
	stays ctx-digest-files --keep-latest --step 0
	# the lines that a tool says it shows are those that count
	again '     5→def load_data(path):\n     6→    with open(path) as f:\n' '' | given
	stays ctx-digest-files --keep-latest --step 0
	again '1→import csv\n2→\n3→print(csv)\n' '' | given
	exits 0 ctx-digest-files --keep-latest --step 0 <in
	differs out in
	# one line that is numbered is the file's
	again '     1→import csv\n' '' | given
	exits 0 ctx-digest-files --keep-latest --step 0 <in
	differs out in
}

@test "digest stream: what a shell's command prints of one file is contents too" {
	run_in() { # COMMAND TEXT
		call a "${3:-bash}" "{\\\"command\\\":\\\"$1\\\"}"; result a "$2"; answer
	}
	prints() { # COMMAND TEXT LINE
		run_in "$1" "$2" | given
		run_in "$1" "[file read] $3" | wanted
		becomes ctx-digest-files
	}
	prints 'cat sales_analysis.py' "$py" "${py_en#*read] }"
	prints 'cd src && cat sales_analysis.py' "$py" "src/${py_en#*read] }"
	prints 'git show HEAD:sales_analysis.py' "$py" "HEAD:${py_en#*read] }"
	prints 'cat sales_analysis.py' "Chunk ID: 1a\\nWall time: 0.1 seconds\\nProcess exited with code 0\\nOriginal token count: 9\\nOutput:\\n$py" "${py_en#*read] }"
	prints 'cat sales_analysis.py' "Exit code: 0\\nWall time: 0.1 seconds\\nOutput:\\n$py" "${py_en#*read] }"
	ten=${py_en/10 lines/lines 5–14}
	prints 'sed -n 5,14p sales_analysis.py' "$py" "${ten#*read] }"
	prints 'tail -n +5 sales_analysis.py' "$py" "${ten#*read] }"
	prints 'head -n 99 sales_analysis.py' "$py" "${py_en#*read] }"
	ten=${py_en/10 lines/last 10 lines}
	prints 'tail -n 10 sales_analysis.py' "$py" "${ten#*read] }"
	prints 'tail sales_analysis.py' "$py" "${ten#*read] }"
	# all of it, if there are fewer and the newline says that none was left out
	prints 'tail -n 11 sales_analysis.py' "$py" "${py_en#*read] }"
	ten=${py_en/10 lines/lines 1–10}
	prints 'sed -n 1,200p sales_analysis.py' "$py" "${ten#*read] }"
	prints 'head sales_analysis.py' "$py" "${ten#*read] }"
	# numbers that the command does not write are of the file
	table=$(printf '%d\\tthing\\t1\\n' $(seq 101 140))
	prints 'cat a.tsv' "$table" 'a.tsv (TSV, 40 rows, 3 columns)'
	prints 'sed -n 3,42p a.tsv' "$table" 'a.tsv (TSV, lines 3–42, 3 columns)'
	prints 'cat -n a.tsv' "$(printf '%6d\\tthing\\t1\\n' $(seq 40))" 'a.tsv (TSV, 40 rows, 2 columns)'
	# fewer lines than were asked for, another command, a failure, another tool
	for one in 'sed -n 5,40p a.py' 'cat a.py b.py' 'cat a.py | sort' 'tail -n 9 a.py' 'make a.py'; do
		run_in "$one" "$py" | given
		stays ctx-digest-files
	done
	run_in 'tail -n 11 a.py' "${py%?n}" | given
	stays ctx-digest-files
	run_in 'cat a.py' "cat: a.py: $py" | given
	stays ctx-digest-files
	run_in 'cat a.py' "Chunk ID: 1a\\nWall time: 0.1 seconds\\nProcess exited with code 1\\nOriginal token count: 9\\nOutput:\\n$py" | given
	stays ctx-digest-files
	run_in 'cat a.py' "Exit code: 1\\nWall time: 0.1 seconds\\nOutput:\\n$py" | given
	stays ctx-digest-files
	run_in 'cat a.py' "$py" search | given
	stays ctx-digest-files
	# the entries of a directory of a revision
	run_in 'git show HEAD:src' 'tree HEAD:src\n\na.py\nparse.py\nprint.py\ntest_parse.py\ntest_print.py\n' | given
	stays ctx-digest-files
}

@test "digest stream: the same command in two directories prints two files" {
	in_dir() { # ID DIR COMMAND TEXT
		call "$1" shell_command "{\\\"command\\\":\\\"$3\\\",\\\"workdir\\\":\\\"$2\\\"}"; result "$1" "$4"
	}
	{ in_dir a /x 'cat sales_analysis.py' "$py"; in_dir b /y 'cat sales_analysis.py' "$py"; answer; } | given
	stays ctx-digest-files --keep-latest --step 0
	{ in_dir a /x 'cat sales_analysis.py' "${py_en/sales/\/x\/sales}"; in_dir b /y 'cat sales_analysis.py' "${py_en/sales/\/y\/sales}"; answer; } | wanted
	becomes ctx-digest-files
	names=$(printf 'file_number_%d.c\\n' {1..40})
	{ in_dir a /x ls "$names"; in_dir b /y ls "$names"; answer; } | given
	stays ctx-digest-files --keep-latest --step 0 --listings
	exits 0 ctx-digest-files --listings <in
	[ "$(grep -cF '"[command run] ls (40 entries: ' out)" -eq 2 ]
}

@test "digest stream: sessions of real agents: each line states true lines" {
	[ -n "${CTX_DATA:-}" ] || skip "CTX_DATA is not set"
	for f in "$CTX_DATA"/agents/*/*.json*; do
		exits 0 ctx-digest-files <"$f"
		cp out once
		exits 0 ctx-digest-files <once
		same out once
		# the project's files have so many lines, before and after the task
		grep -o '\[file read\] [^)]*)' once >>said || :
	done
	wc -l <said
	[ "$(wc -l <said)" -gt 250 ]
	grep -vF 'data/weather.csv (CSV, 6 rows, columns: 城市, 气温, 天气)' said >texts
	exits 1 grep -vE '\((text|markdown|c), ((12|21|32|36|54|55) lines|lines (1–10|24–53|25–54))[,)]' texts
	exits 1 grep -E '(parse.h \(c, (12|32|36|5.)|test_parse.c \(c, (12|21|36|5.)|NOTES.md \(markdown, (2|3|5)) ' said
}

@test "digest stream: several files in one result get one line each" {
	text="a.py:\\ndef alpha_function(first, second):\\n    return first + second\\n\\n---\\nb.json:\\n{\\\"one\\\": 1, \\\"two\\\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]}\\n"
	{ call a read_multiple_files '{\"paths\":[\"a.py\",\"b.json\"]}'; result a "$text"; answer; } | given
	exits 0 ctx-digest-files <in
	grep -qF '[file read] a.py (python, 2 lines, functions: alpha_function)\n[file read] b.json (JSON, ' out
	# the server puts a newline after each file, which may end in one
	text="a.py:\\ndef alpha_function(first, second):\\n    return first + second\\n\\n\\n---\\nb.py:\\ndef beta_function(first, second):\\n    return first * second\\n\\n"
	{ call a read_multiple_files '{\"paths\":[\"a.py\",\"b.py\"]}'; result a "$text"; answer; } | given
	exits 0 ctx-digest-files <in
	grep -qF '[file read] a.py (python, 2 lines, functions: alpha_function)\n[file read] b.py (python, 2 lines, functions: beta_function)"' out
}

@test "digest stream: errors, tiny files and digests stay" {
	while read -r text; do
		for name in read_file Bash; do
			{ call a $name '{\"path\":\"src/parse/x.c\",\"command\":\"cd src/parse && cat x.c\"}'; result a "$text"; answer; } | given
			stays ctx-digest-files
		done
	done <<-'X'
	The file src/parse/x.c does not exist. Did you mean src/parse/y.c, which is in the same directory?
	Error reading file src/parse/x.c: ENOENT: no such file or directory, open 'src/parse/x.c'
	Command running in background with ID: b1. Output is being written to: /tmp/tasks/b1.output
	zsh:cd:1: no such file or directory: src/parse, and this is all that the shell has to say
	{\"content\":\"File path 'src/parse/x.c' is ignored by configured ignore patterns of this project.\"}
	X
	j=${py//\\n/\\\\n}
	j=${j//\\\"/\\\\\\\"}
	{ call a Bash '{\"command\":\"cat sales_analysis.py\"}'; result a "{\\\"output\\\":\\\"$j\\\",\\\"metadata\\\":{\\\"exit_code\\\":1}}"; answer; } | given
	stays ctx-digest-files
	{ call a read_file '{\"path\":\"x.py\"}'; result a 'Error: no such file, and a long explanation of what may have happened to it since'; answer; } | given
	stays ctx-digest-files
	{ call a read_file '{\"path\":\"x.py\"}'; result a 'x = 1\n'; answer; } | given
	stays ctx-digest-files
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py"; answer; } | given
	stays ctx-digest-files --min 1000
}

@test "digest stream: what ctx-clean left of a file stays" {
	body=$(for i in $(seq 60); do printf 'int f%d(void) { return %d; }\\n' "$i" "$i"; done)
	reads() {
		for i in 1 2; do
			call "$i" Read '{\"file_path\":\"/a.c\"}'
			result "$i" "$body"
		done
		answer
	}
	reads >log
	for o in --dedupe '--max-result 500' '--max-result 500 --lang zh' --clear-results=0 \
	    '--max-result 500 --choose --thin-files'; do
		about "$o"
		# shellcheck disable=SC2086
		exits 0 ctx-clean $o <log
		differs out log
		mv out in
		exits 0 ctx-digest-files --keep-latest --step 0 <in
		same out in
	done
	# a call without a result
	sed 2d log | ctx-clean -q --unanswered repair >in
	exits 0 ctx-digest-files <in
	grep -qF 'no result: the tool call was not completed' out
}

two_reads() {
	call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$1"
	call b read_file '{\"path\":\"sales_analysis.py\"}'; result b "$2"
	call c read_file '{\"path\":\"other.py\"}'; result c "$3"
	answer
}

@test "digest stream: the newest files or the latest reads can be kept whole" {
	other=${py_en/sales_analysis/other}
	two_reads "$py" "$py" "$py" | given
	two_reads "$py_en" "$py_en" "$other" | wanted
	becomes ctx-digest-files
	two_reads "$py_en" "$py" "$py" | wanted
	becomes ctx-digest-files --keep-latest --step 0
	becomes ctx-digest-files --superseded --step 0
	two_reads "$py_en" "$py_en" "$py" | wanted
	becomes ctx-digest-files --keep-recent 1 --step 0
}

# The user went back, and the session goes on from an earlier record.
@test "digest stream: what was left behind has no contents, and no answers, for what is resumed" {
	said() { # UUID PARENT TYPE CONTENT
		printf '{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"s","message":{"role":"%s","content":%s}}\n' "$3" "$1" "$2" "$3" "$4"
	}
	reads() { # UUID PARENT
		said "$1" "\"$2\"" assistant '[{"type":"tool_use","id":"t'"$1"'","name":"Read","input":{"file_path":"sales_analysis.py"}}]'
		said "r$1" "\"$1\"" user '[{"type":"tool_result","tool_use_id":"t'"$1"'","content":"'"$py"'"}]'
	}
	session() { # PARENT: where the session goes on
		said u null user '"go"'
		reads a u
		said b '"ra"' assistant '[{"type":"text","text":"seen"}]'
		said c '"b"' user '"again"'
		reads d c
		said e '"rd"' assistant '[{"type":"text","text":"seen again"}]'
		said f "\"$1\"" user '"something else"'
		said g '"f"' assistant '[{"type":"text","text":"fine"}]'
	}
	session b | given
	stays ctx-digest-files --keep-latest --step 0
	stays ctx-digest-files --superseded --step 0
	# a request that has not been sent
	session ra | sed '$d' | given
	stays ctx-digest-files --keep-latest --step 0
	stays ctx-digest-files
	# nothing was left behind
	session e | given
	exits 0 ctx-digest-files --keep-latest --step 0 <in
	[ "$(grep -n 'file read' out | cut -d: -f1)" = 3 ]
}

@test "digest stream: written contents are replaced too, in both forms of arguments" {
	inner=${py//\\n/\\\\n}
	inner=${inner//\\\"/\\\\\\\"}
	{ call w write_file "{\\\"path\\\":\\\"sales_analysis.py\\\",\\\"content\\\":\\\"$inner\\\"}"; result w ok; answer; } | given
	stays ctx-digest-files
	{ call w write_file "{\\\"path\\\":\\\"sales_analysis.py\\\",\\\"content\\\":\\\"${py_en/read/written}\\\"}"; result w ok; answer; } | wanted
	becomes ctx-digest-files --writes
	printf '%s\n' '{"role":"user","content":"go"}' \
	    '{"role":"assistant","content":[{"type":"tool_use","id":"w","name":"Write","input":{"n":1.10,"file_path":"sales_analysis.py","content":"'"$py"'"}}]}' \
	    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"w","content":"ok"}]}' \
	    '{"role":"assistant","content":"seen"}' | given
	printf '%s\n' '{"role":"user","content":"go"}' \
	    '{"role":"assistant","content":[{"type":"tool_use","id":"w","name":"Write","input":{"n":1.10,"file_path":"sales_analysis.py","content":"'"${py_en/read/written}"'"}}]}' \
	    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"w","content":"ok"}]}' \
	    '{"role":"assistant","content":"seen"}' | wanted
	becomes ctx-digest-files --writes
}

@test "digest stream: what was not written replaces nothing" {
	log() { # FLAG TEXT
		printf '%s\n' '{"role":"user","content":"go"}' \
		    '{"role":"assistant","content":[{"type":"tool_use","id":"r","name":"Read","input":{"file_path":"sales_analysis.py"}}]}' \
		    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"r","content":"'"$py"'"}]}' \
		    '{"role":"assistant","content":[{"type":"tool_use","id":"w","name":"Write","input":{"file_path":"sales_analysis.py","content":"'"$py"'"}}]}' \
		    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"w"'"$1"',"content":"'"$2"'"}]}' \
		    '{"role":"assistant","content":"hm"}'
	}
	log ',"is_error":true' 'Permission denied' | given
	for o in '--superseded --step 0' '--keep-latest --step 0 --writes'; do
		# shellcheck disable=SC2086
		stays ctx-digest-files $o
	done
	log '' 'Error: EACCES, permission denied' | given
	stays ctx-digest-files --superseded --step 0
	log '' 'ok' | given
	exits 0 ctx-digest-files --superseded --step 0 <in
	differs out in
}

@test "digest stream: contents are kept under their hash" {
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py"; answer; } | given
	hash=$(printf '%b' "${py//\\\"/\"}" | sha256sum | cut -d' ' -f1)
	{ call a read_file '{\"path\":\"sales_analysis.py\"}'; result a "$py_en sha256:$hash"; answer; } | wanted
	becomes ctx-digest-files --stash kept
	printf '%b' "${py//\\\"/\"}" | cmp - "kept/$hash"
}

@test "digest stream: logs stay valid, a second run changes nothing, the rest is kept" {
	for f in "${LOGS[@]}"; do
		for o in '' --writes --superseded '--keep-recent 3 --lang zh'; do
			in_turn 3 5 || continue
			# shellcheck disable=SC2086
			ctx-digest-files $o <"$f" >once
			# shellcheck disable=SC2086
			ctx-digest-files $o <once | cmp - once
			ctx-clean --check once
			[ "$(wc -l <once)" -eq "$(wc -l <"$f")" ]
		done
	done
}

@test "digest stream: the table in document 003: at least 75 and 83 percent are saved" {
	for row in '5 3 6000 75' '10 5 12000 83'; do
		set -- $row
		python3 "$ROOT/tests/gen_reads.py" "$1" "$2" "$3" >in
		before=$(ctx-count in | awk '{ print $1 }')
		after=$(ctx-digest-files <in | ctx-count | awk '{ print $1 }')
		[ $((before - $3)) -lt 200 ]
		[ $(($3 - before)) -lt 200 ]
		[ $((100 * (before - after))) -ge $(($4 * before)) ]
	done
}

@test "digest files: --as message prints a message in the chosen dialect" {
	printf '%b' "${py//\\\"/\"}" >sales_analysis.py
	exits 0 ctx-digest-files --as message sales_analysis.py
	wrote "{\"role\":\"system\",\"content\":\"$py_en\"}"
	exits 0 ctx-digest-files --as message -d anthropic sales_analysis.py
	wrote "{\"role\":\"user\",\"content\":\"$py_en\"}"
}

@test "digest stream: the path is found in arguments that are an object of OpenAI's" {
	object() { echo '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read_file","arguments":{"path":"sales_analysis.py"}}}]}'; }
	{ object; result a "$py"; answer; } | given
	{ object; result a "$py_en"; answer; } | wanted
	becomes ctx-digest-files
}

# ran COMMAND: a call of a shell that runs it, and what it really prints
ran() {
	jq -nc --arg c "$1" '{role: "assistant", content: null, tool_calls: [{id: "a", type: "function", function: {name: "bash", arguments: ({command: $c} | tojson)}}]}'
	bash -c "$1" | jq -Rsc '{role: "tool", tool_call_id: "a", content: .}'
	answer
}
# a tree under git with a file that is changed, one that is new, and one to add
tree_under_git() {
	mkdir -p src/deep docs 'a b'
	for i in $(seq 40); do printf 'int f%d(void)\n{\n\treturn %d;\n}\n' "$i" "$i" >"src/f$i.c"; done
	cp src/f1.c src/deep/g.c
	cp src/f2.c 'a b/with blank.c'
	printf -- '-- one\n++ two\nthree\n' >docs/x.sql
	git init -q .
	git config user.name A
	git config user.email a@example.org
	for i in 1 2 3 4 5 6; do
		[ "$i" -gt 1 ] || git add -A
		git commit -q --allow-empty -m "Change $i" -m "commit 1234567 is no commit"
	done
	sed 's/return/return 2 */' src/f3.c >new
	cat new >src/f3.c
	printf -- 'three\n++ four\n' >docs/x.sql
	git rm -q src/f4.c
	echo x >untracked
}

@test "digest stream: lists, searches, comparisons and logs of a shell are counted" {
	tree_under_git >/dev/null
	n=0
	while IFS= read -r command; do
		ran "$command" >>ran
		n=$((n + 1))
	done <<-'END'
	grep -rn return src
	grep -r 'return [12]' src docs
	grep -n return src/f1.c src/f2.c src/f3.c src/f5.c src/f6.c src/f7.c
	grep -rln return .
	cd src && grep -rn --include='*.c' 'int f' .
	find . -name '*.c'
	find src -type f
	ls src
	ls -a src
	ls -la src
	ls -lR src
	ls -R .
	ls -lahtr src
	git diff
	git diff HEAD
	git diff --stat HEAD
	git log
	git log --oneline
	git log -n 5
	git status
	git ls-files
	git grep -n return
	END
	exits 0 ctx-digest-files --listings <ran
	[ "$(grep -c '\[command run\]' out)" -ge $((n - 3)) ]
	exits 0 python3 "$ROOT/tests/listings.py" "$BUILD" ran
	cat out
	# twice is once, and nothing without the option
	exits 0 ctx-digest-files --listings <ran
	cp out once
	exits 0 ctx-digest-files --listings <once
	same out once
	cp ran in
	stays ctx-digest-files
}

@test "digest stream: a listing's line, in both languages" {
	found='src/parse.c:12:static void end_field(struct row *row, size_t *len)\nsrc/parse.c:37:\t\t\tend_field(row, &len);\nsrc/main.c:43:\t\tend_field(row, &len);\nsrc/main.c:99:\t\tend_field(row, &len);\n'
	one() { call a bash '{\"command\":\"grep -rn end_field src\"}'; result a "$1"; answer; }
	one "$found" | given
	one '[command run] grep -rn end_field src (4 matching lines, 2 files: src/parse.c 2, src/main.c 2)' | wanted
	becomes ctx-digest-files --listings
	one '[命令已运行] grep -rn end_field src (4行匹配, 2个文件: src/parse.c 2, src/main.c 2)' | wanted
	becomes ctx-digest-files --listings --lang zh
	one '[command run] grep -rn end_field src (4 matching lines, 2 files: src/parse.c 2, … +1)' | wanted
	becomes ctx-digest-files --listings --width 60
	one "$found... [9 lines truncated] ...\\n" | given
	stays ctx-digest-files --listings
	one "Exit code 2\\n$found" | given
	stays ctx-digest-files --listings
	two() { call a Grep '{\"pattern\":\"end_field\",\"output_mode\":\"content\"'"$2"'}'; result a "$1"; answer; }
	two "$found" | given
	two '[tool run] Grep pattern=end_field output_mode=content (4 matching lines, 2 files: src/parse.c 2, src/main.c 2)' | wanted
	becomes ctx-digest-files --listings
	two "$found" ',\"-A\":2' | given
	stays ctx-digest-files --listings
	# what was run again later replaces what it was
	{ one "$found"; one "$found"; } | given
	{ one '[command run] grep -rn end_field src (4 matching lines, 2 files: src/parse.c 2, src/main.c 2)'; one "$found"; } | wanted
	becomes ctx-digest-files --listings --keep-latest --step 0
}

@test "digest stream: sessions of real agents: each listing has true counts" {
	other_peoples
	exits 0 python3 "$ROOT/tests/listings.py" "$BUILD" "$CTX_DATA"/agents/*/*.json* "${THEIRS[@]}"
	cat out
	grep -qE '^all +right +([6-9][0-9]|[1-9][0-9]{2}) wrong +0 ' out
}

@test "digest stream: a read by an id names what it is of" {
	code='def load_data(path):\n    with open(path) as f:\n        return f.read()\n\n\ndef clean_data(rows):\n    return [r for r in rows if r]\n'
	by() { # TOOL ARGUMENTS TEXT
		call a "$1" "$2"; result a "$3"; answer
	}
	is() { # TOOL ARGUMENTS LINE [OPTION ...]
		by "$1" "$2" "$code" | given
		by "$1" "$2" "[file read] $3" | wanted
		becomes ctx-digest-files "${@:4}"
	}
	for key in file_id file_ref document_id source_path id; do
		is read_file '{\"'$key'\":\"lib/load.py\"}' 'lib/load.py (python, 7 lines, functions: load_data, clean_data)'
	done
	is get_code '{\"code_id\":\"load.py\"}' 'load.py (python, 7 lines, functions: load_data, clean_data)'
	# an address does not tell the kind, for a page may come as a text
	is fetch_url '{\"url\":\"https://example.org/a.html\"}' 'https://example.org/a.html (text, 7 lines, 129B)'
	is read_document '{\"document_id\":\"d_17\"}' 'd_17 (text, 7 lines, 129B)'
	# a path is better
	is read_file '{\"id\":\"7\",\"path\":\"load.py\"}' 'load.py (python, 7 lines, functions: load_data, clean_data)'
	# not what another tool returns, or what is about it
	for one in 'run_code {\"code_id\":\"load.py\"}' 'get_file_info {\"file_id\":\"load.py\"}' \
	    'get_order {\"id\":\"load.py\"}' 'fetch_url {\"url\":\"https://example.org\",\"prompt\":\"Who?\"}'; do
		by "${one%% *}" "${one#* }" "$code" | given
		stays ctx-digest-files
	done
	by get_document '{\"document_id\":\"d_17\"}' "{\\\"title\\\":\\\"$code\\\",\\\"pages\\\":17}" | given
	stays ctx-digest-files
}

@test "digest stream: --refs knows what ids mean by the lists of ctx-store" {
	code='def load_data(path):\n    with open(path) as f:\n        return f.read()\n\n\ndef clean_data(rows):\n    return [r for r in rows if r]\n'
	printf '%b' "$code" >load.txt
	cp "$DATA"/digest/sales.xlsx .
	ctx-store new S >/dev/null
	printf '%b' "$code" | ctx-store code put --syntax python S code_1 >/dev/null
	ctx-store upload put S load.txt sales.xlsx >/dev/null
	ctx-store code list S >refs
	ctx-store upload list S >>refs
	by() { # TOOL ARGUMENTS TEXT
		call a "$1" "$2"; result a "$3"; answer
	}
	line='[file read] code_1 (python, 7 lines, functions: load_data, clean_data)'
	by get_code '{\"code_id\":\"code_1\"}' "$code" | given
	by get_code '{\"code_id\":\"code_1\"}' "$line" | wanted
	becomes ctx-digest-files --refs refs
	by get_code '{\"code_id\":\"code_1\"}' "{\\\"ok\\\":true,\\\"content\\\":\\\"$(printf '%s' "$code" | sed 's/\\/\\\\/g; s/"/\\\\\\"/g')\\\"}" | given
	becomes ctx-digest-files --refs refs
	# any tool may return it, but it must be that
	by thing '{\"id\":\"code_1\"}' "$code" | given
	stays ctx-digest-files
	by thing '{\"id\":\"code_1\"}' "$line" | wanted
	becomes ctx-digest-files --refs refs
	by thing '{\"id\":\"code_1\"}' "${code/clean/clear_up}" | given
	stays ctx-digest-files --refs refs
	by thing '{\"id\":\"code_1\"}' "${code/path):?n/path): }" | given
	stays ctx-digest-files --refs refs
	by thing '{\"file_id\":\"load.txt\"}' "$code" | given
	by thing '{\"file_id\":\"load.txt\"}' '[file read] load.txt (text, 7 lines, 129B)' | wanted
	becomes ctx-digest-files --refs refs
	# of a workbook a tool returns a text
	digest=$(jq -r 'select(.file_id == "sales.xlsx").digest' refs)
	by read_file '{\"file_id\":\"sales.xlsx\"}' "| date | amount |\\n|---|---|\\n$(printf '| 2026-01-%d | 10 |\\n' $(seq 10 28))" | given
	by read_file '{\"file_id\":\"sales.xlsx\"}' "[file read] $digest" | wanted
	becomes ctx-digest-files --refs refs
	cp want in
	stays ctx-digest-files --refs refs
	# what is no list of it
	echo '{"id":"code_1"}' >bad
	exits 3 ctx-digest-files --refs refs --refs bad <in
	grep -qF 'bad:1: no code_id and no file_id' err
	echo '{"code_id":' >bad
	exits 3 ctx-digest-files --refs bad <in
	exits 4 ctx-digest-files --refs none <in
	grep -qF 'none: no such file' err
}

@test "digest stream: a manifest and a test's log have the line of their kind, a part has not" {
	local pkg log

	pkg='{\"name\":\"demo\",\"version\":\"1.2.0\",\"scripts\":{\"test\":\"jest\"},\n\"dependencies\":{\"left-pad\":\"^1.3.0\"},\n\"description\":\"a description that is longer than the line\"}\n'
	log='============================= test session starts ==============================\ncollected 3 items\n\ntest_a.py .F.                                                            [100%]\n\n========================= 1 failed, 2 passed in 0.12s ==========================\n'
	{
		call a bash '{\"command\":\"cat package.json\"}'
		result a "$pkg"
		call b bash '{\"command\":\"cat test.log\"}'
		result b "$log"
		call c bash '{\"command\":\"head -n 3 package.json\"}'
		result c "$pkg"
		answer
	} | given
	{
		call a bash '{\"command\":\"cat package.json\"}'
		result a '[file read] package.json (npm package, 158B, name: demo 1.2.0, scripts: test, dependencies: left-pad)'
		call b bash '{\"command\":\"cat test.log\"}'
		result b '[file read] test.log (pytest, 6 lines, 2 passed, 1 failed)'
		call c bash '{\"command\":\"head -n 3 package.json\"}'
		result c '[file read] package.json (JSON, lines 1–3, 158B, keys: name, version, scripts, dependencies, description)'
		answer
	} | wanted
	becomes ctx-digest-files
}

# A PNG of 40 x 30: its header, and enough behind it that a line is shorter.
png() { printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0(\0\0\0\036\10\2\0\0\0%0400d' 0; }
bytes64() { base64 | tr -d '\n'; }

@test "digest stream: contents in base64 are decoded" {
	local code image each text

	code=$(printf '%b' "${py//\\\"/\"}" | bytes64)
	image=$(png | bytes64)
	each=("{\\\"content\\\":\\\"$code\\\",\\\"encoding\\\":\\\"base64\\\",\\\"sha\\\":\\\"ab\\\"}"
	    "{\\\"contents\\\":[{\\\"uri\\\":\\\"file:///a\\\",\\\"mimeType\\\":\\\"text/x-python\\\",\\\"blob\\\":\\\"$code\\\"}]}")
	for text in "${each[@]}"; do
		{ call a Read '{\"path\":\"sales_analysis.py\"}'; result a "$text"; answer; } | given
		{ call a Read '{\"path\":\"sales_analysis.py\"}'; result a "$py_en"; answer; } | wanted
		becomes ctx-digest-files
	done
	each=("data:image/png;base64,$image" "$image"
	    "{\\\"content\\\":[{\\\"type\\\":\\\"image\\\",\\\"data\\\":\\\"$image\\\",\\\"mimeType\\\":\\\"image/png\\\"}]}")
	for text in "${each[@]}"; do
		{ call a Read '{\"path\":\"a.png\"}'; result a "$text"; answer; } | given
		{ call a Read '{\"path\":\"a.png\"}'; result a '[file read] a.png (PNG, 40×30, 429B)'; answer; } | wanted
		becomes ctx-digest-files
	done
	# the file may be what is written there, and a picture is no text
	each=(a.txt "data:image/png;base64,$image" a.py "$code" a.png "$py"
	    a.jpg "data:image/png;base64,$image")
	for ((i = 0; i < ${#each[@]}; i += 2)); do
		{ call a Read "{\\\"path\\\":\\\"${each[i]}\\\"}"; result a "${each[i + 1]}"; answer; } | given
		stays ctx-digest-files
	done
}

@test "digest stream: an image or a document is a file that was read, by its name" {
	local image table

	image=$(png | bytes64)
	table=$({ echo a,b; yes 1,2 | head -n 90; } | bytes64)
	got() { # PATH BLOCKS
		printf '%s\n' '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"'"$1"'"}}]}' \
		    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":['"$2"']}]}' \
		    '{"role":"assistant","content":[{"type":"text","text":"seen"}]}'
	}
	block() { # KIND TYPE DATA
		printf '{"type":"%s","source":{"type":"base64","media_type":"%s","data":"%s"}}' "$@"
	}
	line() { printf '{"type":"text","text":"[file read] %s"}' "$1"; }
	got d/a.png "$(block image image/png "$image")" | given
	got d/a.png "$(line 'd/a.png (PNG, 40×30, 429B)')" | wanted
	becomes ctx-digest-files
	cp want in
	stays ctx-digest-files
	got a.csv "$(block document text/csv "$table")" | given
	got a.csv "$(line 'a.csv (CSV, 90 rows, columns: a, b)')" | wanted
	becomes ctx-digest-files
	exits 0 ctx-digest-files --stash kept <in
	[ "$(ls kept)" = "$(printf %s "$table" | from_base64 | sha256sum | cut -d' ' -f1)" ]
	got a.csv '{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a,b\n'"$(yes '1,2\n' | head -n 90 | tr -d '\n')"'"}}' | given
	becomes ctx-digest-files
	printf '%s\n' '{"type":"function_call","call_id":"a","name":"view_file","arguments":"{\"path\":\"a.png\"}"}' \
	    '{"type":"function_call_output","call_id":"a","output":[{"type":"input_image","image_url":"data:image/png;base64,'"$image"'"}]}' \
	    '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"seen"}]}' | given
	sed 's|{"type":"input_image".*"}|{"type":"input_text","text":"[file read] a.png (PNG, 40×30, 429B)"}|' in | wanted
	becomes ctx-digest-files
	# a plot of a notebook, two pages, a wrong type, a part, a link, no answer
	for each in "a.ipynb $(block image image/png "$image")" \
	    "a.png $(block image image/png "$image"),$(block image image/png "$image")" \
	    "a.csv $(block document text/csv "$image")" \
	    'a.png {"type":"image","source":{"type":"url","url":"http://x/a.png"}}'; do
		got "${each%% *}" "${each#* }" | given
		stays ctx-digest-files
	done
	got 'a.png","limit":"5' "$(block image image/png "$image")" | sed 's/"5"/5/' | given
	stays ctx-digest-files
	got a.png "$(block image image/png "$image")" | sed '$d' | given
	stays ctx-digest-files
	# what a user sent was not read by a tool
	printf '{"role":"user","content":[%s]}\n{"role":"assistant","content":"seen"}\n' "$(block image image/png "$image")" | given
	stays ctx-digest-files
}
