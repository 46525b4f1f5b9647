# shellcheck shell=bash
# What goes through the loop that the filters share: nothing is lost after a
# line or a file that was bad, and memory follows what must be kept.

setup_file() {
	${CC:-cc} -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/atcall.so" \
	    "$BATS_TEST_DIRNAME/fault/atcall.c" -ldl
}

setup() { load helpers; common_setup; }

@test "streams: lines after one of another dialect are not lost" {
	{
		echo '{"role":"user","content":"a"}'
		echo '{"role":"tool","tool_call_id":"x","content":"r"}'
		echo '{"role":"assistant","content":"b"}'
		echo '{"role":"user","content":"c"}'
	} >in
	for c in $(stream_commands); do
		# shellcheck disable=SC2046
		set -- $(no_change "$c")
		exits 3 "$c" "$@" -d anthropic --on-error skip <in
		sed 2d in >want
		same out want
		exits 3 "$c" "$@" -d anthropic --on-error keep <in
		same out in
	done
}

# failing COMMAND...: when a call fails in the first file, the second is what it
# would be alone.
failing() {
	python3 - "$BATS_FILE_TMPDIR/atcall.so" "$@" <<-'X'
	import os, shutil, subprocess, sys

	lib, cmd = sys.argv[1], sys.argv[2:]
	base = dict(os.environ, LD_PRELOAD=lib,
	    ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")

	def run(*names, **env):
	    for n in ("a", "b"):
	        shutil.copy(n + ".old", n)
	    p = subprocess.run(cmd + ["-i"] + list(names), timeout=30,
	        env=dict(base, **env), capture_output=True)
	    return p.returncode, open("a", "rb").read(), open("b", "rb").read()

	rc, old, wanted = run("b")
	run("a", ATCALL_COUNT="calls")
	bad = 0
	for n in range(1, int(open("calls").read()) + 1):
	    rc, a, b = run("a", "b", ATCALL_N=str(n), ATCALL_ERRNO="28")
	    if b != wanted or rc not in (0, 4):
	        print("call %d: exit %d, b has %d bytes, not %d" % (n, rc, len(b),
	            len(wanted)))
	        bad = 1
	sys.exit(bad)
	X
}

@test "streams: a file that fails leaves nothing behind in the next one" {
	# the first ends in an open turn, and is larger than what is read at once
	wide=$(printf 'word %.0s' {1..2000})
	for i in {1..60}; do
		echo '{"role":"assistant","content":"","tool_calls":[{"id":"a'"$i"'","type":"function","function":{"name":"f","arguments":"{}"}}]}'
		echo '{"role":"tool","tool_call_id":"a'"$i"'","content":"'"$wide"'"}'
	done >a.old
	sed -n 1p a.old >>a.old
	for i in {1..30}; do
		echo '{"role":"user","content":"'"$i $wide"'"}'
		echo '{"role":"tool","tool_call_id":"orphan","content":"'"$wide"'"}'
	done >b.old
	failing ctx-clean --max-message 100
	failing ctx-clean --clear-results=1 --max-message 100
	failing ctx-truncate -n 3
	failing ctx-summarize -n 3
}
