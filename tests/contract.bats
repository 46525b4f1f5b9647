# What every command promises, tested in loops over the commands that were
# built.

setup() { load helpers; common_setup; }

# Name the command in which a failure occurred; bats prints this only on
# failure.
each_command() {
	local c each

	listed commands
	for c in $each; do
		"$@" "$c" || { echo "command: $c"; return 1; }
	done
}

each_of() {
	local list=$1 c each

	shift
	listed "$list"
	for c in $each; do
		# shellcheck disable=SC2046
		"$@" "$c" $(no_change "$c") ||
		    { echo "command: $c $(no_change "$c")"; return 1; }
	done
}
each_stream_command() { each_of stream_commands "$@"; }
each_reading_command() { each_of reading_commands "$@"; }

# Does the usage of command $1 say that it takes the names of files?
takes_files() { usage_of "$1" | grep -q '\[FILE \.\.\.\]$'; }

# --- options -------------------------------------------------------------------

helps() {
	exits 0 "$1" --help
	quiet
	[[ $(head -n 1 out) = "usage: $1 "* ]] || fail "$(head -n 1 out)"
	awk 'length > 80' out >wide
	same wide /dev/null
	cp out long
	exits 0 "$1" -h
	same out long
}

@test "contract: --help goes to standard output, exit 0" {
	each_command helps
}

versions() {
	exits 0 "$1" --version
	quiet
	wrote "$1 $version"
	exits 0 "$1" -V
	wrote "$1 $version"
}

@test "contract: --version is the newest version in the changelog" {
	version=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' "$ROOT/CHANGELOG.md" |
	    head -n 1)
	[ -n "$version" ]
	each_command versions
}

refuses() {
	local c=$1

	shift
	exits 2 "$c" "$@" </dev/null
	silent
	IFS= read -r -d '' messages <err || :
	[[ $messages = "$c: "* && ${messages#*$'\n'} = "see '$c --help'"$'\n' ]] ||
	    fail "$messages"
}

refuses_unknown() {
	refuses "$1" --no-such-option
	says "$1: unknown option --no-such-option"
	refuses "$1" -%
	says "$1: unknown option -%"
	refuses "$1" --hel
	says "$1: unknown option --hel; did you mean --help?"
	refuses "$1" --qiuet
	says "$1: unknown option --qiuet; did you mean --quiet?"
	refuses "$1" --quiet=very
	says "$1: --quiet takes no argument"
}

@test "contract: an unknown option is named with the likely one; exit 2, no output" {
	each_command refuses_unknown
}

# The options of a command that need an argument, taken from --help.
with_argument() {
	"$1" --help | sed -n 's/^ .*\(--[a-z0-9-]*\) [A-Z][A-Z|a-z]*\( .*\)*$/\1/p'
}

refuses_missing() {
	local o

	each=$(with_argument "$1")
	for o in $each; do
		about "option: $o"
		refuses "$1" "$o"
		says "$1: $o needs an argument"
	done
}

@test "contract: an option without its argument is refused, exit 2" {
	each_command refuses_missing
}

@test "contract: a letter has the same meaning in every command" {
	each=$(commands)
	for c in $each; do
		"$c" --help | sed -n "s/^  -\(.\), --\([a-z0-9-]*\).*/\1 \2/p"
	done | sort -u | cut -d ' ' -f 1 | uniq -d >twice
	same twice /dev/null
}

# --- files -------------------------------------------------------------------

names_missing() {
	local c=$1

	takes_files "$c" || return 0
	# shellcheck disable=SC2046
	set -- $(no_change "$c")
	exits 4 "$c" "$@" nosuch in
	said "$c: nosuch: cannot open: No such file or directory"
	cp out after
	exits 0 "$c" "$@" in
	[ -s out ] || fail "no output"
	if is_stream "$c"; then
		same after out
	fi
	exits 4 "$c" "$@" . </dev/null
	says "$c: .: is a directory; name the files in it, as in DIR/\*.jsonl"
}

@test "contract: a missing file is named, exit 4, and later files are processed" {
	echo '{"role":"user","content":"hi"}' >in
	each_command names_missing
}

full() {
	local rc=0

	"$@" >/dev/full 2>err || rc=$?
	[ "$rc" -eq 4 ] || fail "exit $rc instead of 4: $*"
	said "$1: standard output: No space left on device"
}

full_help() {
	full "$1" --help
	full "$1" --version
}
full_stream() {
	full "$@" <"$DATA/logs/audit.openai.jsonl"
	if takes_files "$1"; then
		full "$@" "$DATA/logs/audit.openai.jsonl"
		full "$@" "$DATA"/logs/audit.{openai,claude-code}.jsonl
	fi
}

@test "contract: a full disk is exit 4 and is reported once" {
	[ -w /dev/full ] || skip "no /dev/full here"
	each_command full_help
	each_stream_command full_stream
}

closed() {
	yes '{"role":"user","content":"hi"}' |
	    { "$@" 2>err && echo 0 >rc || echo $? >rc; } | head -n 1 >out
	quiet
	wrote '{"role":"user","content":"hi"}'
	[ "$(cat rc)" -ne 0 ]
}

# Commands that must see the end of their input before they write.
holds_back() { case $1 in ctx-truncate | ctx-summarize | ctx-digest-files) ;; *) false ;; esac; }

@test "contract: a reader that closes the pipe ends an endless stream silently" {
	each=$(stream_commands)
	for c in $each; do
		if holds_back "$c"; then
			continue
		fi
		about "$c"
		# shellcheck disable=SC2046
		closed timeout "$DEADLINE" "$c" $(no_change "$c")
	done
}

# --- bytes ----------------------------------------------------------------------

nothing() {
	exits 0 "$@" </dev/null
	quiet
	silent
}

@test "contract: empty input gives empty output" {
	each_stream_command nothing
}

# As stays, but a note may say that the log has several conversations.
stays_noted() {
	exits 0 "$@" <"$T/in"
	[ ! -s "$T/err" ] || lacks -v ': looks like [0-9]* conversations, ' "$T/err"
	same "$T/out" "$T/in"
}

all_stay() {
	# a ratio of 1.0 turns summarizing off
	export SUMMARIZATION_TRIGGER_RATIO=1.0
	for f in "$@"; do
		cp "$f" in
		about "$f"
		each_stream_command stays_noted
	done
}

@test "contract: a run that changes nothing changes no byte of any log" {
	all_stay "${LOGS[@]}"
}

@test "contract: it changes no byte of other people's histories" {
	other_peoples
	all_stay "${THEIRS[@]}"
}

@test "contract: line ends, and a missing last one, are kept" {
	for end in '\n' '\r\n' ''; do
		{
			printf '{"role":"user","content":"1"}\r\n\n'
			printf '{"role":"assistant","content":"2"}\n'
			printf '{"role":"user","content":"3"}'
			# shellcheck disable=SC2059
			printf "$end"
		} >in
		each_stream_command stays
		cat "$DATA/logs/research.claude-code.jsonl" >in
		shorter in 1
		each_stream_command stays
	done
}

@test "contract: numbers, escapes and duplicate keys keep their spelling" {
	given <<-'X'
	 {"role" : "user","content":"\ud800 \u0000 \/ \u00e9 é","n":[1.10,1e400,-0,12345678901234567890],"n":2,"role":"user"}
	X
	each_stream_command stays
	given <<-'X'
	{"z":{},"messages":[{"role":"user","content":"a" }, {"content":"b","role":"user","x":1.0} ],"a":[]}
	X
	each_stream_command stays
}

twice() {
	for f in "${LOGS[@]}"; do
		about "$f"
		exits 0 "$@" "$f"
		cp out once
		exits 0 "$@" once
		same out once
	done
}

@test "contract: a second run changes nothing" {
	twice ctx-clean --max-result 1000 --max-message 2000
	twice ctx-clean --unanswered repair
	if commands | grep -qx ctx-truncate; then
		twice ctx-truncate -n 40
	fi
}

in_place() {
	for f in "$DATA"/logs/{research,team}.claude-code.jsonl; do
		cp "$f" in
		touch -d '2001-02-03T04:05:06' in
		about "$f"
		exits 0 "$@" -i in
		silent
		same in "$f"
		[ "$(mtime_of in)" = 981173106 ] || fail "the file was written"
	done
}

@test "contract: -i does not touch a file that needs no change" {
	each=$(stream_commands)
	for c in $each; do
		has_option "$c" --in-place || continue
		# shellcheck disable=SC2046
		in_place "$c" $(no_change "$c")
	done
}

# --- bad lines --------------------------------------------------------------------

# The column of the error, and the second line as printf spells it.
bad_lines() {
	cat <<-'X'
	2 {oops
	1 oops
	13 {"role":"a"}}
	13 {"role":"a",}
	10 {"role":01}
	9 {"role":'a'}
	9 {"role":NaN}
	10 {"role":"\\x"}
	29 {"role":"user","content":"a"
	10 {"role":"\001"}
	10 {"role":"\000"}
	11 {"role":"a\377"}
	10 {"role":"\300\200"}
	10 {"role":"\355\240\200"}
	X
}

stops() {
	local c=$1 col line

	while IFS=' ' read -r col line; do
		{
			echo '{"role":"user","content":"1"}'
			# shellcheck disable=SC2059
			printf "$line\n"
			echo '{"role":"user","content":"2"}'
		} >in
		about "line: $line"
		exits 3 "$@" <in
		says "$c: (standard input):2:$col: not *"
		is_stream "$c" || continue
		exits 3 "$@" --on-error skip <in
		says "$c: *:2:$col: *"
		wrote '{"role":"user","content":"1"}' \
		    '{"role":"user","content":"2"}'
		exits 3 "$@" --on-error keep <in
		says "$c: *:2:$col: *"
		same out in
	done < <(bad_lines)
}

@test "contract: a bad line is reported with line and column, exit 3" {
	each_reading_command stops
}

deep() {
	exits 3 "$@" <in
	says "$1: *:1:*: not JSON: nested deeper than 1024"
}

@test "contract: nesting of 100,000 levels is an error, not a crash" {
	{
		printf '{"role":"user","content":'
		printf '%0100000d' 0 | tr 0 '['
		printf '%0100000d' 0 | tr 0 ']'
		echo '}'
	} >in
	each_reading_command deep
	{
		printf '{"role":"user","content":"hi","deep":'
		printf '%01000d' 0 | tr 0 '['
		printf '%01000d}\n' 0 | tr 0 ']'
	} >in
	each_stream_command stays
}

# names_file WORDS...: assert that each line of out is JSON in which the first member is
# the name of a file as it is spelled in messages.
names_file() {
	about "$@"
	[ -s out ] || fail 'it wrote nothing'
	python3 - <<-'EOF' || fail "$(cat -v out)"
	import json
	for line in open("out", "rb"):
	    name = next(iter(json.loads(line).values()))
	    assert name == "\u00e9\\xff\\xc3.jsonl", name
	EOF
}

@test "contract: the name of a file is JSON in JSON, whatever its bytes are" {
	name=$'\xc3\xa9\xff\xc3.jsonl'
	printf '%s\n' '{"role":"user","content":"Hi"}' \
	    '{"role":"tool","tool_call_id":"a","content":"It is."}' >"$name"
	exits 1 ctx-clean --check --json "$name"
	names_file --check --json
	exits 0 ctx-clean --report report "$name"
	mv report out
	names_file ctx-clean --report
	exits 0 ctx-count -e chars --json "$name"
	names_file --json
	exits 0 ctx-count -e chars --chunk 5 "$name"
	names_file --chunk
	exits 0 ctx-convert --to anthropic --report report "$name"
	mv report out
	names_file ctx-convert --report
	exits 0 ctx-summarize -q --all --report report "$name"
	mv report out
	names_file ctx-summarize --report
	printf '%s\n' '{"type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":1}}' >"$name"
	exits 0 ctx-count --usage --json "$name"
	names_file --usage
	exits 0 ctx-convert --from response --report report "$name"
	mv report out
	names_file --from response
	# a long path is not cut
	long=$(printf 'd%.0s' {1..200})
	mkdir -p $long/$long/$long
	printf '%s\n' '{"role":"tool","tool_call_id":"a","content":"It is."}' >$long/$long/$long/f
	exits 1 ctx-clean --check --json $long/$long/$long/f
	has -qF "{\"file\":\"$long/$long/$long/f\",\"line\":1," out
}

@test "contract: an argument that is written is UTF-8" {
	echo '{"role":"user","content":"Hi"}' >in
	bad=$'a\xff'
	refused() {
		exits 2 "${@:2}"
		says "$2: $1: '*' is not UTF-8"
		silent
	}
	refused -m ctx-convert --to openai --request -m "$bad" in
	refused --model ctx-convert --to openai --request --model="$bad" in
	refused --set ctx-convert --to openai --request -m m --set "a=$bad" in
	refused --set ctx-convert --to openai --request -m m --set "$bad=1" in
	refused --call ctx-convert --to openai --from text --role tool --call "$bad" in
	refused --name ctx-convert --to openai --from text --role tool --call a --name "$bad" in
	refused --annotate ctx-count --annotate "$bad" in
	refused --ask-model ctx-summarize --all --url http://127.0.0.1:1 --ask-model "$bad" in
	refused --set ctx-summarize --all --url http://127.0.0.1:1 --set "a=$bad" in
	# the names of files and folders are what they are
	cp in "$bad"
	exits 0 ctx-convert --to openai --request -m m --system "$bad" "$bad"
}

@test "contract: a line that is cut off at the end is reported as such" {
	printf '%s\n%s' '{"role":"user","content":"1"}' '{"role":"user","con' >in
	cut_off() {
		exits 3 "$@" <in
		says "$1: *:2:20: *cut off)"
	}
	each_reading_command cut_off
}

@test "contract: CTX_LOG gets one line for each run, with its outcome" {
	echo '{"role":"user","content":"hi"}' >in
	export CTX_LOG=$T/log
	ctx-clean in | ctx-truncate -t 100 | ctx-count
	exits 4 ctx-count nowhere
	[ "$(wc -l <log)" -eq 4 ]
	[ "$(jq -r .command log | sort | paste -s -d ' ' -)" = 'ctx-clean ctx-count ctx-count ctx-truncate' ]
	grep -q '"command":"ctx-count","exit":0,"ms":[0-9]*,"tokens":5,"messages":1}' log
	grep -q '"command":"ctx-count","exit":4,' log
	grep -q '"command":"ctx-truncate","exit":0,"ms":[0-9]*,"messages":1,"dropped":0,"dropped_tokens":0}' log
	jq -r .time log | grep -cE '^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' | grep -qx 4
	CTX_LOG=/nowhere/log exits 0 ctx-count in
	says '*CTX_LOG*'
}

# logged COMMAND...: assert that it exits with 4, and that its line in the log says so.
logged() {
	rm -f log
	exits 4 "$@"
	has -cx '{"time":"[^"]*","command":"[^"]*","exit":4,"ms":[0-9]*[^}]*}' log
	[ "$(wc -l <log)" -eq 1 ] || fail "$(cat log)"
}

@test "contract: CTX_LOG gets a line for a run that fails at its beginning or end" {
	echo '{"role":"user","content":"hi"}' >in
	export CTX_LOG=$T/log
	logged ctx-count -e ./nosuch.ctxv in
	logged ctx-clean --stash none/x --ansi in
	logged ctx-clean --restore none in
	logged ctx-clean --images out=none/x in
	logged ctx-clean --check --baseline none/x in
	logged ctx-clean --redact --redact-map none/x in
	logged ctx-summarize --all --state none/x in
	logged ctx-clean --report none/x in
	logged ctx-count --tools none in
	if [ -e /dev/full ]; then
		logged bash -c 'ctx-clean in >/dev/full'
		logged bash -c 'ctx-store --help >/dev/full'
	fi
}

# --- progress ------------------------------------------------------------------

# progress COMMAND: print what a terminal shows of it, one state on each line.
# The reader of the output sleeps, so that the command takes over a second.
progress() {
	on_terminal "$1 | { sleep 1.3; cat >/dev/null; }" | tr '\r' '\n' >out
}

@test "contract: progress is shown on a terminal for a file that takes over a second" {
	line='{"role":"user","content":"'$(printf '%04000d' 0)'"}'
	for i in {1..1000}; do echo "$line"; done >in
	progress 'ctx-clean in'
	grep -q '^in: [0-9.]* [kM]B of 4.0 MB, [0-9.]* [kM]*B/s, [0-9]* s left' out
	# convert: --strict leaves out a conversation that cannot be expressed,
	# and names the reason
	[ "$(tail -n 1 out)" = "$(printf '\033[K')" ]
	echo '{' >>in
	progress 'ctx-clean in'
	grep -q "^$(printf '\033')\[Kctx-clean: in:1001:" out
	# of a pipe, what was read so far
	edit '$d' in
	for how in '' '-j 2' '--shard 1/2'; do
		progress "cat in | ctx-clean $how"
		grep -q '^ctx-clean: [0-9]* lines, [0-9.]* [kM]B, [0-9.]* [kM]*B/s' out
		[ "$(tail -n 1 out)" = "$(printf '\033[K')" ]
	done
	# nothing is shown with -q, or if the output is a terminal too
	progress 'ctx-clean -q in'
	[ ! -s out ]
	progress 'cat in | ctx-clean -q'
	[ ! -s out ]
	on_terminal 'ctx-clean in' >out
	lacks left out
}

@test "contract: progress through many files says how many" {
	mkdir d
	for i in {1..2000}; do echo "$i" >"d/a-file-with-a-long-name-so-that-the-pipe-is-full-soon-$i"; done
	progress 'ctx-digest-files -r d'
	grep -q '^ctx-digest-files: [0-9]* files, [0-9.]* [kM]*B, [0-9.]* [kM]*B/s' out
	[ "$(tail -n 1 out)" = "$(printf '\033[K')" ]
	progress 'ctx-digest-files -r -j 2 d'
	grep -q '^ctx-digest-files: [0-9]* files, ' out
	progress 'ctx-digest-files -q -r d'
	[ ! -s out ]
}

# --- descriptors that are closed at the start -----------------------------------

# without FDS COMMAND...: run it with those of descriptors 0, 1 and 2 closed,
# and print its exit code.  Files out and err get what it could write.
without() {
	local fds=$1 rc=0

	shift
	: >out
	: >err
	(
		exec 3<stdin 4>out 5>err
		case $fds in *0*) exec <&- ;; *) exec <&3 ;; esac
		case $fds in *1*) exec >&- ;; *) exec >&4 ;; esac
		case $fds in *2*) exec 2>&- ;; *) exec 2>&5 ;; esac
		exec 3<&- 4>&- 5>&-
		exec "$@"
	) || rc=$?
	echo "$rc"
}

subsets="0 1 2 01 02 12 012"

# fails_without FDS COMMAND...: it exits with 4 and, if it can, says why.
fails_without() {
	local rc

	rc=$(without "$@")
	[ "$rc" -eq 4 ] || { echo "exit $rc without $*"; return 1; }
	case $1 in *2*) return ;; esac
	grep -q 'Bad file descriptor' err || { cat err; return 1; }
	silent
}

# works_without FDS WANT COMMAND...: it behaves as if they were open.
works_without() {
	local fds=$1 want=$2 rc

	shift 2
	rc=$(without "$fds" "$@")
	[ "$rc" -eq 0 ] || { echo "exit $rc without $fds: $*"; return 1; }
	same out "$want"
}

# The help needs standard output only.
closed_help() {
	local fds

	"$@" --help >want
	for fds in $subsets; do
		case $fds in
		*1*) fails_without "$fds" "$@" --help || return 1 ;;
		*) works_without "$fds" want "$@" --help || return 1 ;;
		esac
	done
}

@test "contract: help with descriptors that are closed at the start" {
	: >stdin
	each_command closed_help
	store_commands >names
	[ "$(wc -l <names)" -gt 30 ]
	while IFS= read -r name; do
		in_turn 5 9 || continue
		# shellcheck disable=SC2086
		closed_help ctx-store $name
	done <names
}

# A command may read standard input or, given a file, not; it always writes.
closed_stream() {
	local fds

	"$@" <stdin >want
	for fds in $subsets; do
		case $fds in
		2) works_without "$fds" want "$@" || return 1 ;;
		*) fails_without "$fds" "$@" || return 1 ;;
		esac
		takes_files "$1" || continue
		cp stdin file
		case $fds in
		*1*) fails_without "$fds" "$@" file || return 1 ;;
		*) "$@" file >want.file
			works_without "$fds" want.file "$@" file || return 1 ;;
		esac
		same file stdin || return 1
	done
}

@test "contract: a file that is opened later never takes the place of a closed descriptor" {
	cp "$DATA/dialects/openai.awkward.jsonl" stdin
	export SUMMARIZATION_TRIGGER_RATIO=1.0
	each_reading_command closed_stream
	# a vocabulary must not be read as the text, nor a lock file be written
	# as the output
	for fds in 0 01 02 012; do
		fails_without "$fds" ctx-count --text
		fails_without "$fds" ctx-count --encode
	done
}

@test "contract: ctx-store writes no acknowledgement into its own files" {
	echo '{"role":"user","content":"hi"}' >stdin
	export CTX_DB=$T/db
	for fds in 1 12; do
		fails_without "$fds" ctx-store append --ack S
	done
	for fds in 0 01 02 012; do
		fails_without "$fds" ctx-store append T
	done
	exits 0 ctx-store check --full
	if grep -l '"seq":' db*lock* 2>/dev/null; then false; fi
	ctx-store load S >want
	for fds in 0 2 02; do
		works_without "$fds" want ctx-store load S
	done
	for fds in 1 01 12 012; do
		fails_without "$fds" ctx-store load S
		fails_without "$fds" ctx-store export
	done
}
