# shellcheck shell=bash
# What the bats files share.  Each one has:
#
#	setup() { load helpers; common_setup; }
#
# Where starting a process is slow, most of the time of the tests is bash's, which
# becomes two for each command and each $(…): what every test does, does without.
#
# A test writes its input with `given` and the expected output with `wanted`, and
# then calls `becomes COMMAND`.  Bytes are compared with cmp on files, never
# through $output, which loses NULs and final newlines.  An assertion that fails
# prints the difference.

# bats notes each command, also of functions, which takes longer than most commands do;
# `fail` says where it was called
set +T

# shellcheck source=tests/portable.bash
source "${BASH_SOURCE[0]%/*}/portable.bash"

# $ROOT is the source, $BUILD the binaries (first in PATH), $DATA tests/data,
# ${LOGS[@]} our own logs, all of which are valid (see tests/data/logs/README.md),
# and $T this test's own folder, which is the current one and contains HOME.
common_setup() {
	ROOT=${BATS_TEST_DIRNAME%/*}
	BUILD=${BUILD:-$ROOT/build}
	case $BUILD in /*) ;; *) BUILD=$ROOT/$BUILD ;; esac
	DATA=$ROOT/tests/data
	LOGS=("$DATA"/logs/*.jsonl)
	# a loop over no files would pass
	[ -f "${LOGS[0]}" ] || { echo "no logs in $DATA/logs"; return 1; }
	T=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}	# the latter in setup_file
	PATH=$BUILD:$PATH
	HOME=$T/home
	TZ=UTC
	DEADLINE=120	# seconds for what must end; speed is make bench's
	# what scripts import is compiled once, and not in the source
	unset PYTHONDONTWRITEBYTECODE
	export PYTHONPYCACHEPREFIX=${PYTHONPYCACHEPREFIX:-$BATS_RUN_TMPDIR/pycache}
	mkdir -p "$HOME"
	cd "$T" || return 1
	export ROOT BUILD DATA T PATH HOME TZ DEADLINE
	clean_environment
	utf8_locale
	[ -z "${CTX_TEST_PG:-}" ] || on_postgresql
}

# With CTX_TEST_DB=postgresql, each file that is given to ctx-store or sqlite3 is a
# schema on the server that setup_suite.bash started.
on_postgresql() {
	PATH=$ROOT/tests/pg/bin:$PATH
	# where a store in a file has them
	export CTX_WORKSPACES=$T/db.d
}

# own_server: in setup_file, start a PostgreSQL server in the folder $PG, if there is
# one to start; end_server: end it, in teardown_file.
own_server() {
	"$BATS_TEST_DIRNAME/pg/server" programs >/dev/null 2>&1 || return 0
	PG=$(mktemp -u /tmp/ctx-pg-XXXXXX)
	export PG
	"$BATS_TEST_DIRNAME/pg/server" start "$PG" $$
}
end_server() { [ -z "${PG:-}" ] || "$BATS_TEST_DIRNAME/pg/server" stop "$PG"; }

# sqlite_only: skip a test that is about the file.
sqlite_only() {
	[ -z "${CTX_TEST_PG:-}" ] || skip "it is about a file of SQLite"
}

# other_peoples: set ${THEIRS[@]} to other people's histories in the folder
# CTX_DATA.  They are not part of the project; without them the test is skipped.
other_peoples() {
	[ -n "${CTX_DATA:-}" ] || skip "CTX_DATA is not set"
	THEIRS=("$CTX_DATA"/transcripts/*.jsonl)
	[ -f "${THEIRS[0]}" ] || fail "no transcripts in $CTX_DATA"
}

# Hide the user's settings from commands, above all keys and endpoints; and from make
# that it is run by another.
clean_environment() {
	local v

	for v in "${!CTX_@}" "${!SUMMARIZATION_@}" "${!OPENAI_@}" "${!ANTHROPIC_@}" \
	    "${!OLLAMA_@}" MAX_MESSAGE_HISTORY CONTEXT_WINDOW_TOKENS \
	    HISTORY_TOKEN_BUDGET_RATIO OUTPUT_TOKEN_RESERVE \
	    SYSTEM_PROMPT_TOKEN_ESTIMATE ROUTER_HISTORY_TOKEN_BUDGET \
	    {http,https,all,no}_proxy {HTTP,HTTPS,ALL,NO}_PROXY NO_COLOR \
	    MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES; do
		case $v in
		CTX_CPU) ;;		# tests may be run on a chosen path
		CTX_*_NODE_MODULES) ;;	# where reference programs are
		CTX_TEST_PG | CTX_TEST_DB) ;;	# the folder of a server, its kind
		CTX_DATA) ;;		# where other people's histories are
		CTX_UNICODE_DATA) ;;	# where Unicode's files are
		CTX_SARIF_SCHEMA) ;;	# OASIS's schema of SARIF 2.1.0
		CTX_SPDX_SCHEMA) ;;	# that of SPDX 2.3
		*)
			unset "$v" ;;
		esac
	done
}

given() { copy >"$T/in"; }
wanted() { copy >"$T/want"; }

# copy: cat, without a process for a text of less than 4096 bytes without NULs.
copy() {
	local LC_ALL=C text

	if IFS= read -r -d '' -n 4096 text; then
		# it is full, or ended by a NUL, which it does not contain
		printf '%s' "$text"
		[ ${#text} -eq 4096 ] || printf '\0'
		cat
	else
		printf '%s' "$text"
	fi
}

# An assertion that fails ends the test by exiting, so that it works anywhere,
# including in a function or in a list.  A bare [ … ] does so only if it is a
# statement of its own; tests/void-assertions.py finds those that cannot fail.

# fail WORDS...: end the test; this also prints the words given to `about`, and
# the lines of the test file that led here, the innermost first.
fail() {
	local i lines=

	for ((i = 1; i < ${#BASH_SOURCE[@]}; i++)); do
		[ "${BASH_SOURCE[i]}" != "${BATS_TEST_SOURCE:-}" ] ||
			lines+=" ${BASH_LINENO[i - 1]}"
	done
	[ -z "${ABOUT:-}" ] || echo "about: $ABOUT"
	echo "at line$lines: $*"
	exit 1
}

# about WORDS...: say what the following assertions are about, in a loop.
about() { ABOUT=$*; }

# equal A B: have the files the same bytes?  Of short ones, bash itself finds out.
equal() {
	local LC_ALL=C a b

	if [ "$2" = /dev/null ]; then
		[ -f "$1" ] && [ ! -s "$1" ]
	elif [ -f "$1" ] && [ -f "$2" ] &&
	    ! IFS= read -r -d '' -n 65536 a <"$1" &&
	    ! IFS= read -r -d '' -n 65536 b <"$2"; then
		[ "$a" = "$b" ]
	else
		cmp -s "$1" "$2"
	fi
}

# same GOT WANTED: assert that they have.
same() {
	equal "$1" "$2" && return
	echo "differs from what was wanted (<: wanted, >: got):"
	diff <(cat -vet "$2") <(cat -vet "$1") | cut -c 1-600 | head -n 40
	fail "$1 is not $2"
}

# differs A B: assert that the files do not have the same bytes.
differs() {
	local rc=0

	cmp -s "$1" "$2" || rc=$?
	[ $rc -eq 1 ] || fail "$1 and $2: cmp exits $rc instead of 1"
}

# has PATTERN FILE..., lacks PATTERN FILE...: assert that some line, or no line,
# of the files matches grep's PATTERN; grep's options may come first.  Both fail
# if a file is missing or the pattern is invalid.
has() { search_for 0 "$@"; }
lacks() { search_for 1 "$@"; }
search_for() {
	local want=$1 got=0

	shift
	grep "$@" >"$T/grep.out" 2>"$T/grep.err" || got=$?
	[ "$got" -eq "$want" ] && return
	head -c 2000 "$T/grep.err"
	head -c 2000 "$T/grep.out"
	fail "grep exits $got instead of $want: $*"
}

# exits CODE COMMAND...: run it, with output in $T/out and messages in $T/err, and
# assert its exit code.
exits() {
	local want=$1 got=0

	shift
	"$@" >"$T/out" 2>"$T/err" || got=$?
	[ "$got" -eq "$want" ] && return
	echo "--- messages:"; head -c 2000 "$T/err"
	echo "--- output:"; head -c 2000 "$T/out"
	fail "exit $got instead of $want: $*"
}

# until_true COMMAND...: wait until it succeeds, at most $PATIENCE seconds ($DEADLINE).
until_true() {
	local end=$((SECONDS + ${PATIENCE:-$DEADLINE}))

	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || fail "waited in vain for: $*"
		sleep 0.02
	done
}

# usage_of COMMAND...: print its usage on one line.
usage_of() { "$@" --help=options | sed -n 's/^usage	//p'; }

# Print the commands of ctx-store, one on each line: "load", "memory put".
store_commands() {
	ctx-store --help=options | sed -n 's/^command	\([^	]*\)	.*/\1/p'
}

# becomes COMMAND...: assert that it turns $T/in into $T/want without a message.
becomes() { makes "$T/in" "$T/want" "$@"; }

# makes FILE WANTED COMMAND...: the same, of these files.
makes() {
	exits 0 "${@:3}" <"$1"
	quiet
	same "$T/out" "$2"
}

# The same as becomes, then again with the messages as one conversation line.
becomes_both() {
	becomes "$@"
	as_conversation <"$T/in" >"$T/in.list"
	as_conversation <"$T/want" >"$T/want.list"
	makes "$T/in.list" "$T/want.list" "$@"
}

# stays COMMAND...: assert that the output equals the input.
stays() { makes "$T/in" "$T/in" "$@"; }
stays_both() {
	stays "$@"
	as_conversation <"$T/in" >"$T/in.list"
	makes "$T/in.list" "$T/in.list" "$@"
}

# Turn message lines into one conversation line.
as_conversation() {
	local lines

	printf '{"id":7,"messages":['
	if IFS= read -r -d '' -n 4096 lines; then
		# bash takes long to replace in a long text
		{ printf '%s' "$lines"; cat; } | paste -s -d , - | tr -d '\n'
	else
		lines=${lines%$'\n'}
		printf '%s' "${lines//$'\n'/,}"
	fi
	printf '],"temperature":1.10}\n'
}

quiet() { [ ! -s "$T/err" ] || { cat "$T/err"; fail "it said that"; }; }
silent() {
	[ ! -s "$T/out" ] || { head -c 2000 "$T/out"; fail "it wrote that"; }
}

# said TEXT...: assert that the messages are exactly these lines.
said() {
	printf '%s\n' "$@" >"$T/said"
	same "$T/err" "$T/said"
}

# says PATTERN: assert that some message line matches the shell pattern.
says() {
	local line

	while IFS= read -r line; do
		# shellcheck disable=SC2053
		[[ $line = $1 ]] && return
	done <"$T/err"
	cat "$T/err"
	fail "no message is like: $1"
}

wrote() {
	printf '%s\n' "$@" >"$T/wrote"
	same "$T/out" "$T/wrote"
}

# python_with MODULE: set $PYTHON to a python3 that has it; fail if none has.  The first
# one may be a user's own, or that of tests/run, which has no packages.
python_with() {
	for PYTHON in python3 ${PACKAGED_PYTHON:+"$PACKAGED_PYTHON"} /usr/bin/python3; do
		! "$PYTHON" -c "import $1" 2>/dev/null || return 0
	done
	echo "no python3 here has the module $1"
	return 1
}

# Were the programs built with a sanitizer?
sanitized() {
	if [ -z "${SANITIZED:-}" ]; then
		SANITIZED=0
		grep -qE '__[at]san_init' "$BUILD/ctx-clean" || SANITIZED=$?
	fi
	return "$SANITIZED"
}

# some CHECK SANITIZED: set $some to CHECK, with sanitizers to SANITIZED, and if all
# is tested (WHOLE=1, make check-whole) to 1 or what is given as a third.
some() {
	some=$1
	! sanitized || some=$2
	[ -z "${WHOLE:-}" ] || some=${3:-1}
}

# in_turn CHECK SANITIZED: in the inner of two loops over the same code, is this one of
# the passes to be made?  It is every Nth, as `some` has it.  If the inner loop's
# length has no divisor in common with N, each value of both loops is used.
in_turn() {
	some "$@"
	[ $((TURN++ % some)) -eq 0 ]
}

# native: skip where programs run in an emulator (tests/machines/run), whose own process
# a library to be loaded before others would be for.
native() {
	[ ! -e "$BUILD/emulated" ] || skip "the programs run in an emulator"
}

# once: skip with sanitizers a slow test that runs none of our programs.
once() {
	if sanitized; then
		skip "none of the programs that are tested runs here"
	fi
}

# The commands that were built, one on each line.  This and the lists below fail
# if they are empty.  A loop should take them from a variable (each=$(commands)),
# because there the failure ends the test, unlike in "for c in $(commands)".
commands() {
	local f

	for f in "$BUILD"/ctx-*; do
		case ${f##*/} in *.*) continue ;; esac
		[ ! -f "$f" ] || [ ! -x "$f" ] || echo "${f##*/}"
	done | not_empty "commands in $BUILD"
}

# not_empty WHAT: copy the lines that are not empty; there must be one.
not_empty() {
	grep . || { echo "there are no $1" >&2; return 1; }
}

# Does command $1 have option $2 ("--by", "-i")?
has_option() {
	local help=$BATS_FILE_TMPDIR/help-${1// /-}

	# shellcheck disable=SC2086
	[ -s "$help" ] || $1 --help >"$help"
	grep -qE -- "^ .*(^|[ ,])$2([ ,=[]|\$)" "$help"
}

# Commands that read a stream, and those of them that write what they read.  ctx-diff
# reads two; tests/diff.bats has what is promised of it.
reading_commands() {
	with_option --on-error commands | grep -vx ctx-diff |
	    not_empty 'commands that read a stream'
}
stream_commands() { with_option --in-place reading_commands; }

# with_option OPTION LIST: the commands printed by LIST that have OPTION.
with_option() {
	local c each

	each=$($2) || return
	for c in $each; do
		! has_option "$c" "$1" || echo "$c"
	done | not_empty "commands with $1"
}
is_stream() {
	local each

	listed stream_commands
	[[ $'\n'$each = *$'\n'"$1"$'\n'* ]]
}

# listed LIST: set $each to what LIST prints, which is called once for a file of tests.
listed() {
	local file=$BATS_FILE_TMPDIR/$1

	[ -s "$file" ] || "$1" >"$file" || return
	IFS= read -r -d '' each <"$file" || :
}

# Options with which command $1 promises to change nothing, or at least does
# something.  A new command adds only a row here to the contract tests.
no_change() {
	case $1 in
	ctx-truncate) echo "-n 1000000000" ;;
	ctx-summarize) echo "--trigger 1" ;;
	ctx-digest-files) echo "--min 1000000000" ;;
	ctx-convert) echo "--to openai" ;;
	*) ;;
	esac
}
