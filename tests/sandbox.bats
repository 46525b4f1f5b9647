# The sandbox: what filters give up once their files are open, and what lifts it.
# tests/unit/test_sandbox.c tries each call.

setup_file() {
	load helpers
	[ "$(uname)" = Linux ] || skip "the sandbox that is tested is Linux's"
	${CC:-cc} -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/escape.so" \
	    "$BATS_TEST_DIRNAME/fault/escape.c"
}

setup() {
	load helpers
	common_setup
	if sanitized; then
		skip "a build with a sanitizer has no sandbox"
	fi
	cp "$DATA/logs/mend.codex.jsonl" log
	printf 'Some plain text.\n' >text
	printf 'the map of names is not used\n' >words
}

ATTEMPTS=("read a file" "make a file" connect "signal another process"
	"start a process")

# outcome WORD COMMAND...: assert that each attempt of the command is that.
outcome() {
	local word=$1 a rc=0

	shift
	LD_PRELOAD=$BATS_FILE_TMPDIR/escape.so "$@" >out 2>err || rc=$?
	[ "$rc" -le 1 ] || { cat err; fail "exit $rc: $*"; }
	for a in "${ATTEMPTS[@]}"; do
		about "$*: $a"
		has -xF "$a: $word" err
	done
	rm -f escaped
}

@test "sandbox: filters can open, connect to, start and signal nothing" {
	outcome refused ctx-clean <log
	outcome refused ctx-clean log
	outcome refused ctx-clean --check --format sarif log
	outcome refused ctx-clean --redact --report report --on-error skip \
	    --rejected rejected log
	outcome refused ctx-clean --lean --text words
	outcome refused ctx-convert --to anthropic --report report log
	outcome refused ctx-convert --to gemini --request -m gemini-2.5-pro log
	outcome refused ctx-count -m gpt-4o log
	outcome refused ctx-count --text -j 2 text words
	outcome refused ctx-count --encode text
	outcome refused ctx-count --chunk 3 text
	outcome refused ctx-count --usage=day log
	outcome refused ctx-digest-files <log
	outcome refused ctx-summarize --all --report report --dropped d log
	outcome refused ctx-truncate -t 2000 log log
	outcome refused ctx-truncate -t 3 --text text
	[ -s report ]
}

@test "sandbox: threads are in it, and give the same" {
	local c each

	each=$(stream_commands)
	for c in $each; do
		about "$c"
		# shellcheck disable=SC2046
		set -- $(no_change "$c") --by session
		cat log log log >in
		CTX_SANDBOX=off exits 0 "$c" "$@" -j 3 <in
		mv out want
		outcome refused "$c" "$@" -j 3 <in
		same out want
	done
}

@test "sandbox: what the options need is open before, and written after" {
	CTX_LOG=$PWD/ctx.log outcome refused ctx-truncate -n 3 log
	has '"command":"ctx-truncate","exit":0' ctx.log
	# a file that is missing is named in its turn
	outcome refused ctx-truncate -n 1 log log
	exits 4 ctx-truncate -n 1 log missing log
	said "ctx-truncate: missing: cannot open: No such file or directory"
	same out <(ctx-truncate -n 1 log log)
	# more files than can be open at once
	for i in {1..40}; do cp log "$i"; done
	(ulimit -n 48 && ctx-truncate -n 1 {1..40}) >out
	[ "$(wc -l <out)" -eq "$(ctx-truncate -n 1 log | awk 'END { print NR * 40 }')" ]
	CTX_LOG=$PWD/none/x exits 0 ctx-count log
	said "ctx-count: CTX_LOG: $PWD/none/x: No such file or directory"
}

@test "sandbox: messages that wait go to a file without a name" {
	mkdir tmp
	# more than the two megabytes that are kept in memory
	awk 'BEGIN { for (i = 0; i < 60000; i++)
	    printf "{\"role\":\"user\",\"s\":%d,\"content\":\"%d %s\"}\n", i % 6, i,
	    "some words to fill it up, and some more of them" }' >in
	TMPDIR=$PWD/tmp outcome refused ctx-truncate --by s -n 9999 in
	awk 'NR > 6' in >want
	same out want
	[ -z "$(ls tmp)" ]
}

# The options that lift it are those that the pages name.
@test "sandbox: options that open more lift it" {
	mkdir kept images
	cp log copy
	CTX_SANDBOX=off outcome done ctx-clean log
	outcome done ctx-clean -i copy
	outcome done ctx-clean --lean --stash kept log
	outcome done ctx-clean --restore kept log
	outcome done ctx-clean --redact --redact-map map log
	outcome done ctx-clean --images out=images --images-all log
	outcome done ctx-clean --check --format sarif --baseline base \
	    --baseline-write log
	outcome done ctx-summarize --all --state state log
	outcome done ctx-digest-files --stash kept <log
	outcome done ctx-digest-files text
	outcome done ctx-count --calibrate log
	mkfifo pipe
	cat log >pipe 3>&- &
	outcome done ctx-count log pipe
}

@test "sandbox: CTX_SANDBOX is on or off" {
	CTX_SANDBOX=on outcome refused ctx-count log
	CTX_SANDBOX='' outcome refused ctx-count log
	CTX_SANDBOX=perhaps exits 2 ctx-count log
	silent
	says "ctx-count: CTX_SANDBOX is on or off"
}
