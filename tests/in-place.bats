# shellcheck shell=bash
# -i: whatever happens meanwhile, the file has either its complete old contents
# or the complete new ones.  Its other properties are kept, and no other files
# are left.

setup_file() {
	${CC:-cc} -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/atcall.so" \
	    "$BATS_TEST_DIRNAME/fault/atcall.c" -ldl
}

setup() {
	load helpers
	common_setup
	for i in {1..60}; do
		echo '{"role":"user","content":"'"$i"' please look at it"}'
		echo '{"role":"assistant","content":"","tool_calls":[{"id":"c'"$i"'","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a.py\"}"}}]}'
		echo '{"role":"tool","tool_call_id":"c'"$i"'","content":"'"$(printf 'def f%d(): pass\\n%.0s' {1..40})"'"}'
	done >old
}

# Print options with which command $1 changes $T/old.
changing() {
	case $1 in
	ctx-clean) echo "--max-result 40" ;;
	ctx-truncate) echo "-n 5" ;;
	ctx-summarize) echo "-n 5" ;;
	*) ;;
	esac
}

# each_changing FUNCTION: call FUNCTION COMMAND OPTION... for each command, with
# the expected result in $T/new.
each_changing() {
	local c

	each=$(stream_commands)
	for c in $each; do
		# shellcheck disable=SC2046
		set -- "$1" "$c" $(changing "$c")
		rm -rf "$T/f"*
		cp "$T/old" "$T/f"
		exits 0 "${@:2}" -i "$T/f" || return 1
		cp "$T/f" "$T/new"
		if cmp -s "$T/old" "$T/new"; then
			echo "$c changes nothing: changing() is out of date"
			return 1
		fi
		"$@" || { echo "command: ${*:2}"; return 1; }
	done
}

# killed SIGNAL COMMAND...: for each call that touches a file, kill the process
# by the signal just before that call, and assert that the old file or the new
# one remains.
killed() {
	some 3 5
	export STEP=$some
	# shellcheck disable=SC2016
	python3 - "$BATS_FILE_TMPDIR/atcall.so" "$@" <<-'X'
	import os, shutil, signal, subprocess, sys

	lib, sig, cmd = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
	old, new = open("old", "rb").read(), open("new", "rb").read()
	base = dict(os.environ, LD_PRELOAD=lib,
	    ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")

	def run(**env):
	    shutil.rmtree("d", ignore_errors=True)
	    os.mkdir("d")
	    shutil.copy("old", "d/f")
	    rc = subprocess.run(cmd + ["d/f"], env=dict(base, **env),
	        timeout=int(os.environ["DEADLINE"]), stderr=subprocess.DEVNULL,
	        restore_signals=True,
	        preexec_fn=lambda: signal.signal(sig, signal.SIG_DFL)).returncode
	    return rc, sorted(os.listdir("d")), open("d/f", "rb").read()

	rc, names, got = run(ATCALL_COUNT="calls")
	calls = int(open("calls").read())
	if rc != 0 or got != new or calls < 6:
	    sys.exit("%d calls, exit %d" % (calls, rc))
	bad = 0
	for n in range(1, calls + 1, int(os.environ["STEP"])):
	    rc, names, got = run(ATCALL_N=str(n), ATCALL_SIGNAL=str(sig))
	    extra = [x for x in names if x not in ("f", "f.orig")]
	    if rc != -sig or extra or got not in (old, new):
	        print("call %d of %d: exit %d, left %s, %s" % (n, calls, rc, extra,
	            "old" if got == old else "new" if got == new else "torn"))
	        bad = 1
	sys.exit(bad)
	X
}

killed_by_term() { killed 15 "$@" -i.orig; }
killed_by_each() {
	local s

	for s in 1 2 3 10 13 15; do
		killed "$s" "$@" -i || { echo "signal $s"; return 1; }
	done
}

@test "in place: SIGTERM before any call leaves the old or the new file, and no others" {
	each_changing killed_by_term
}

@test "in place: SIGHUP, SIGINT, SIGQUIT, SIGUSR1 and SIGPIPE do the same" {
	set -- ctx-truncate -n 5
	exits 0 "$@" old
	cp out new
	killed_by_each "$@"
}

@test "in place: with -j, a signal while the second file is begun leaves no other file" {
	local rc=0

	mkdir d
	awk '{ all = all (NR > 1 ? "," : "") $0 }
	    END { for (; i < 12; i++) print "{\"messages\":[" all "]}" }' old >d/f
	cp d/f d/g
	LD_PRELOAD=$BATS_FILE_TMPDIR/atcall.so ATCALL_NAME=mkstemps ATCALL_N=2 \
	    ATCALL_SIGNAL=15 ATCALL_AFTER=1 \
	    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
	    ctx-clean --max-result 40 -j 2 -i d/f d/g || rc=$?
	[ "$rc" -eq 143 ] || fail "exit status $rc"
	[ "$(cd d && echo *)" = 'f g' ] || fail "left: $(cd d && echo *)"
	[ "$(wc -c <d/f)" -lt "$(wc -c <d/g)" ] || fail 'the first is not done'
}

@test "in place: a signal that is ignored, as under nohup, remains ignored" {
	exits 0 ctx-truncate -n 5 old
	cp out new
	cp old f
	(
		trap '' HUP
		LD_PRELOAD=$BATS_FILE_TMPDIR/atcall.so ATCALL_N=4 ATCALL_SIGNAL=1 \
		    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
		    ctx-truncate -n 5 -i f
	)
	same f new
}

# failed COMMAND...: make each of those calls fail.  The command must exit with
# 4 and leave the old file and no others, unless the call does not affect the
# result.
failed() {
	python3 - "$BATS_FILE_TMPDIR/atcall.so" "$@" <<-'X'
	import errno, os, shutil, subprocess, sys

	lib, cmd = sys.argv[1], sys.argv[2:]
	old, new = open("old", "rb").read(), open("new", "rb").read()
	base = dict(os.environ, LD_PRELOAD=lib,
	    ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")

	def run(**env):
	    shutil.rmtree("d", ignore_errors=True)
	    os.mkdir("d")
	    shutil.copy("old", "d/f")
	    p = subprocess.run(cmd + ["-i", "d/f"], env=dict(base, **env),
	        timeout=int(os.environ["DEADLINE"]), capture_output=True)
	    return p.returncode, os.listdir("d"), open("d/f", "rb").read(), p.stderr

	run(ATCALL_COUNT="calls")
	bad = 0
	for n in range(1, int(open("calls").read()) + 1):
	    for e in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
	        rc, names, got, said = run(ATCALL_N=str(n), ATCALL_ERRNO=str(e))
	        if (rc, got) == (0, new) and not said and names == ["f"]:
	            continue        # the result does not depend on this call
	        if rc != 4 or names != ["f"] or got != old or not said:
	            print("call %d, errno %d: exit %d, %s, %s" % (n, e, rc, names,
	                "old" if got == old else "new" if got == new else "torn"))
	            bad = 1
	sys.exit(bad)
	X
}

@test "in place: if any call fails, exit 4, and the old file stays" {
	each_changing failed
}

# with_fsync_failing N: take 5 messages out of f in place; sync number N fails.
with_fsync_failing() {
	LD_PRELOAD=$BATS_FILE_TMPDIR/atcall.so ATCALL_NAME=fsync ATCALL_N=$1 \
	    ATCALL_ERRNO=5 ATCALL_COUNT=$T/calls \
	    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
	    "$2" -n 5 --dropped gone -i f
}

@test "in place: what --dropped takes is on disk, with its name, before the file is replaced" {
	for c in ctx-truncate ctx-summarize; do
		for n in 1 2; do
			cp old f
			exits 4 with_fsync_failing $n $c
			says "$c: f: gone: *"
			same f old
		done
		exits 4 with_fsync_failing 3 $c
		says "$c: f: cannot write the new file: *"
		same f old
		exits 0 with_fsync_failing 4 $c
		[ "$(cat calls)" -eq 3 ]
		lacks 'content":"1 please' f
		grep -q 'content":"1 please' gone
	done
}

@test "in place: --dropped may be a pipe or a device, which cannot be synced" {
	cp old f
	exits 0 ctx-truncate -n 5 --dropped /dev/null -i f
	exits 0 ctx-truncate -n 5 old
	same f out
}

refused() {
	local rc=0

	timeout "$DEADLINE" "$@" >out 2>err || rc=$?
	[ "$rc" -eq 4 ] || { echo "exit $rc"; return 1; }
	said "$1: ${*: -1}: is not a regular file"
}

@test "in place: a FIFO and a device are refused at once" {
	mkfifo pipe
	each=$(stream_commands)
	for c in $each; do
		refused "$c" -i pipe
		refused "$c" -i /dev/null
	done
	[ "$(ls -d pipe*)" = pipe ]
}

keeps_all() {
	python3 - "$@" <<-'X'
	import os, struct, subprocess, sys

	def acl(*entries):
	    return struct.pack("<I", 2) + b"".join(
	        struct.pack("<HHI", *e) for e in entries)

	NONE = 0xffffffff
	# user::rw-, user:12345:r--, group::---, mask::r--, other::---
	want = {"user.mime": b"application/jsonl", "user.empty": b"",
	    "user.bytes": bytes(range(256)),
	    "system.posix_acl_access": acl((1, 6, NONE), (2, 4, 12345),
	        (4, 0, NONE), (16, 4, NONE), (32, 0, NONE))}
	with open("f", "wb") as f:
	    f.write(open("old", "rb").read())
	for k, v in want.items():
	    os.setxattr("f", k, v)
	mode = os.stat("f").st_mode
	p = subprocess.run(sys.argv[1:] + ["-i", "f"], capture_output=True)
	got = {k: os.getxattr("f", k) for k in os.listxattr("f") if k in want}
	if p.returncode or p.stderr or got != want or os.stat("f").st_mode != mode:
	    sys.exit("exit %d, %s, %s, %o" % (p.returncode, p.stderr, got,
	        os.stat("f").st_mode))
	if open("f", "rb").read() != open("new", "rb").read():
	    sys.exit("other bytes")
	X
}

# Does the file system of this folder support extended attributes?
has_attributes() {
	python3 - 2>/dev/null <<-'X'
	import os
	open("probe", "w").close()
	os.setxattr("probe", "user.x", b"1")
	os.remove("probe")
	X
}

@test "in place: extended attributes and the access list are kept" {
	has_attributes || skip "no extended attributes on this file system"
	each_changing keeps_all
}

@test "in place: a file without an access list does not get the folder's default one" {
	has_attributes || skip "no extended attributes on this file system"
	mkdir d
	cp old d/f
	chmod 640 d/f
	python3 -c '
import os, struct
e = [(1, 7, 2**32-1), (2, 7, 12345), (4, 7, 2**32-1), (16, 7, 2**32-1), (32, 0, 2**32-1)]
os.setxattr("d", "system.posix_acl_default", struct.pack("<I", 2) +
    b"".join(struct.pack("<HHI", *x) for x in e))'
	exits 0 ctx-truncate -n 5 -i d/f
	quiet
	[ "$(python3 -c 'import os; print(os.listxattr("d/f"))')" = '[]' ]
	[ "$(mode_of d/f)" = 640 ]
}

@test "in place: the mode is kept, and the owner if permitted" {
	for mode in 600 644 444 4755 2775 1666; do
		rm -f f
		cp old f
		chmod "$mode" f
		if [ "$(id -u)" -eq 0 ]; then
			chown 12345:23456 f
			chmod "$mode" f
		fi
		owner=$(owner_of f)
		exits 0 ctx-truncate -n 5 -i f
		quiet
		[ "$(mode_of f)" = "$mode" ]
		[ "$(owner_of f)" = "$owner" ]
	done
}

@test "in place: a symbolic link stays a link, and its target is edited" {
	mkdir d
	cp old d/f
	ln -s d/f l
	exits 0 ctx-truncate -n 5 old
	cp out new
	exits 0 ctx-truncate -n 5 -i.orig l
	[ -L l ]
	same d/f new
	same d/f.orig old
	[ "$(ls d | paste -s -d ' ' -)" = 'f f.orig' ]
}

# stopped_in COMMAND...: run it on f, stopped while it writes the new file; the
# shell function meanwhile is called; then it goes on.  Its exit status.
stopped_in() {
	local pid

	LD_PRELOAD=$BATS_FILE_TMPDIR/atcall.so ATCALL_N=1 ATCALL_NAME=writev \
	    ATCALL_SIGNAL=19 ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
	    "$@" f &
	pid=$!
	until [ "$(ps -o state= -p $pid)" = T ]; do sleep .01; done
	meanwhile
	kill -CONT $pid
	wait $pid
}

@test "in place: a file that changes while it is read stays as it is" {
	meanwhile() { echo '{"role":"user","content":"new"}' >>f; }
	cp old f
	exits 4 stopped_in ctx-truncate -n 5 -i
	says 'ctx-truncate: f: changed while it was read, and stays as it is; run the command again'
	{ cat old; echo '{"role":"user","content":"new"}'; } >want
	same f want
	# another file of its name
	meanwhile() { echo '{"role":"user","content":"new"}' >g && mv g f; }
	cp old f
	exits 4 stopped_in ctx-truncate -n 5 -i
	echo '{"role":"user","content":"new"}' >want
	same f want
	meanwhile() { echo '{"role":"user","content":"new"}' >>f; }
	cp old f
	exits 0 stopped_in ctx-truncate -n 5 -i --force
	ctx-truncate -n 5 old >want
	same f want
	[ "$(echo f*)" = f ]
}

@test "in place: a file that is open for writing is not touched" {
	[ "$(uname)" = Linux ] || skip "only Linux tells who writes"
	cp old f
	exec 7>>f
	exits 4 ctx-truncate -n 5 -i f
	says 'ctx-truncate: f: another process has it open for writing; end that, or use --force'
	same f old
	exits 0 ctx-truncate -n 5 -i --force f
	exec 7>&-
	ctx-truncate -n 5 old >want
	same f want
	# reading it is no harm
	cp old f
	exec 7<f
	exits 0 ctx-truncate -n 5 -i f
	exec 7<&-
	same f want
	[ "$(echo f*)" = f ]
	exits 2 ctx-truncate -n 5 --force f
}

@test "in place: of a session a backup is kept" {
	for i in 1 2 3; do
		echo '{"parentUuid":null,"uuid":"'$i'","sessionId":"s","type":"user","message":{"role":"user","content":"q"}}'
	done >session
	mkdir d
	cp session d/f
	for n in '' 2 3; do
		cp session d/f
		exits 0 ctx-truncate -n 1 --all-branches -i d/f
		says "ctx-truncate: d/f: the session as it was is in *d/f.bak$n"
		same "d/f.bak$n" session
	done
	cp session d/f
	exits 0 ctx-truncate -n 1 --all-branches -i --no-backup d/f
	quiet
	exits 0 ctx-truncate -n 1 --all-branches -i.old --no-backup d/f
	[ "$(cd d && echo *)" = 'f f.bak f.bak2 f.bak3' ]
	cp session d/f
	exits 0 ctx-truncate -n 1 --all-branches -i.old d/f
	quiet
	same d/f.old session
	# nothing to keep
	exits 0 ctx-clean -i d/f
	[ "$(cd d && echo *)" = 'f f.bak f.bak2 f.bak3 f.old' ]
}

@test "in place: an earlier backup is there until the new one is, whatever fails" {
	python3 - "$BATS_FILE_TMPDIR/atcall.so" <<-'X'
	import os, shutil, subprocess, sys

	old = open("old", "rb").read()
	base = dict(os.environ, LD_PRELOAD=sys.argv[1],
	    ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")

	def run(n, **env):
	    shutil.rmtree("d", ignore_errors=True)
	    os.mkdir("d")
	    shutil.copy("old", "d/f")
	    open("d/f.orig", "w").write("earlier")
	    p = subprocess.run(["ctx-truncate", "-n", "5", "-i.orig", "d/f"],
	        env=dict(base, **env, ATCALL_N=str(n)),
	        timeout=int(os.environ["DEADLINE"]), capture_output=True)
	    return (p.returncode, sorted(os.listdir("d")),
	        open("d/f", "rb").read(), open("d/f.orig", "rb").read())

	rc, names, new, kept = run(0, ATCALL_COUNT="calls")
	calls = int(open("calls").read())
	if rc or names != ["f", "f.orig"] or new == old or kept != old or calls < 8:
	    sys.exit("exit %d, %s, %d calls" % (rc, names, calls))
	bad = 0
	for n in range(1, calls + 1):
	    for how in {"ATCALL_ERRNO": "28"}, {"ATCALL_SIGNAL": "15"}:
	        rc, names, got, kept = run(n, **how)
	        if (got, kept) not in ((old, b"earlier"), (old, old), (new, old)) \
	            or names != ["f", "f.orig"] or rc not in (0, 4, -15):
	            print("call %d, %s: exit %d, %s" % (n, how, rc, names))
	            bad = 1
	sys.exit(bad)
	X
}

@test "in place: where a file has only one name, the backup is a copy" {
	cp old f
	chmod 640 f
	exits 0 ctx-truncate -n 5 old
	cp out new
	for n in 1 2; do
		cp old f
		exits 0 env LD_PRELOAD="$BATS_FILE_TMPDIR/atcall.so" ATCALL_NAME=link \
		    ATCALL_N=1+ ATCALL_ERRNO=1 \
		    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
		    ctx-truncate -n 5 -i.orig f
		same f new
		same f.orig old
		[ "$(mode_of f.orig)" = 640 ]
		[ "$(echo f*)" = 'f f.orig' ]
	done
}

@test "in place: a backup needs a suffix, and replaces no folder" {
	cp old f
	exits 2 ctx-truncate -n 5 --in-place= f
	says 'ctx-truncate: --in-place: the suffix of a backup is empty'
	same f old
	mkdir f.d
	exits 4 ctx-truncate -n 5 -i.d f
	says 'ctx-truncate: f: cannot make a backup: cannot replace the file: *'
	same f old
	[ "$(echo f*)" = 'f f.d' ]
	# it is a name of the file already
	ln f f.l
	exits 0 ctx-truncate -n 5 -i.l f
	same f.l old
	lacks '"1 please' f
}

@test "in place: other names of a file keep the old contents; holes are filled" {
	cp old f
	ln f g
	exits 0 ctx-truncate -n 5 -i f
	quiet
	same g old
	# a hole is zeros, which are not JSON
	printf '{"role":"user","content":"a"}\n' >f
	python3 -c 'import os; os.truncate("f", 1 << 20)'
	cp f was
	exits 3 ctx-truncate -n 1 -i f
	same f was
}

# as_other COMMAND...: run it as a user who owns nothing here.
as_other() {
	python3 -c 'import os, sys
os.setgroups([])
os.setgid(54321)
os.setuid(54321)
os.execvp(sys.argv[1], sys.argv[1:])' "$@"
}

@test "in place: another user: what cannot be kept is said, what cannot be done loses nothing" {
	[ "$(id -u)" -eq 0 ] || skip "only root can be another user"
	# where anybody may go
	d=$(mktemp -d)
	chmod 755 "$d"
	mkdir -m 777 "$d/open"
	cp "$BUILD/ctx-truncate" "$d"
	cp old "$d/open/f"
	cp old "$d/f"
	exits 0 ctx-truncate -n 5 old
	cp out new
	# a folder where nothing can be made
	exits 4 as_other "$d/ctx-truncate" -n 5 -i "$d/f"
	says "ctx-truncate: $d/f: cannot create a temporary file in the same directory: Permission denied"
	same "$d/f" old
	# somebody else's file in a folder where it can
	chmod 664 "$d/open/f"
	exits 0 as_other "$d/ctx-truncate" -n 5 -i "$d/open/f"
	says "ctx-truncate: $d/open/f: the owner was not preserved: Operation not permitted"
	same "$d/open/f" new
	[ "$(mode_of "$d/open/f")" = 664 ]
	# one that cannot be read
	cp old "$d/open/f"
	chown 0:0 "$d/open/f"
	chmod 600 "$d/open/f"
	exits 4 as_other "$d/ctx-truncate" -n 5 -i "$d/open/f"
	says "ctx-truncate: $d/open/f: cannot open: Permission denied"
	same "$d/open/f" old
	[ "$(ls "$d/open")" = f ]
	# others' files cannot be replaced there
	chmod 1777 "$d/open"
	chmod 666 "$d/open/f"
	exits 4 as_other "$d/ctx-truncate" -n 5 -i "$d/open/f"
	same "$d/open/f" old
	[ "$(ls "$d/open")" = f ]
	rm -rf "$d"
}

@test "in place: lines that are skipped are in another file" {
	printf '{bad\n{"role":"user","content":"a"}\n{"role":"assi' >bad
	for j in 1 4; do
		cp bad f
		exits 3 ctx-clean -j $j -i --on-error skip f
		has 'f: the lines that were skipped are in .*/f.rejected$' err
		printf '{bad\n{"role":"assi' >want
		same f.rejected want
		echo '{"role":"user","content":"a"}' >want
		same f want
		rm f.rejected
	done
	cp bad f
	exits 3 ctx-clean -i --on-error skip --rejected r f
	lacks rejected err
	printf '{bad\n{"role":"assi' >want
	same r want
	[ "$(echo f*)" = f ]
	# not in place
	exits 3 ctx-clean --on-error skip --rejected r2 bad
	same r2 want
	exits 2 ctx-clean --rejected r2 bad
	# it cannot be written: the file stays
	cp bad f
	mkdir f.rejected
	exits 4 ctx-clean -i --on-error skip f
	same f bad
}
