# ctx-store on file systems that machines share, and where locks do not work.

setup_file() {
	${CC:-cc} -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/hostfs.so" \
	    "$BATS_TEST_DIRNAME/fault/hostfs.c" -ldl
}

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
	echo '{"role":"user","content":"one"}' >line
}

# on VARIABLE=VALUE... COMMAND: run a command as if on another file system.
on() {
	env LD_PRELOAD="$BATS_FILE_TMPDIR/hostfs.so" \
	    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 "$@"
}

@test "host: a store on a network is refused, and nothing is created" {
	while read -r type name; do
		exits 4 on HOST_TYPE=$type ctx-store append S line
		says "ctx-store append: $T/db: a store cannot be shared by machines ($name); keep it on a local disk and let others follow it (export --follow), or use --single-host if only one machine opens it"
		[ "$(ls -A | grep -c '^db')" = 0 ]
	done <<'X'
6969 nfs
517B smb
FF534D42 cifs
FE534D42 smb3
1021997 9p
c36400 ceph
BD00BD0 lustre
7461636f ocfs2
X
	ctx-store append -q S line
	cp db before
	exits 4 on HOST_TYPE=6969 ctx-store append S line
	exits 4 on HOST_TYPE=6969 ctx-store load S
	same db before
	# A long name leaves the message whole.
	long=$(printf 'd%.0s' $(seq 200))
	mkdir $long
	exits 4 on HOST_TYPE=6969 ctx-store --db $long/db append S line
	says '*use --single-host if only one machine opens it'
}

@test "host: --single-host is the user's word that no other machine opens it" {
	exits 0 on HOST_TYPE=6969 ctx-store --single-host append S line
	exits 0 on HOST_TYPE=6969 ctx-store append --single-host S line
	exits 0 on HOST_TYPE=6969 ctx-store load --single-host S
	cat line line >want
	same out want
	# and a backup to such a disk is a file like any other
	exits 0 on HOST_TYPE=6969 ctx-store backup --single-host copy
	exits 0 ctx-store --db copy check --full
	# what is left of a file is collected there, too
	dd if=/dev/zero of=copy bs=100 count=1 conv=notrunc status=none
	exits 1 on HOST_TYPE=6969 ctx-store recover --single-host copy new
	exits 0 ctx-store --db new load S
	same out want
}

@test "host: which file system it is in FUSE, the table of mounts tells" {
	dev=$(python3 -c 'import os; d = os.stat(".").st_dev
print("%d:%d" % (os.major(d), os.minor(d)))')
	echo "22 1 0:99999 / /x rw - fuse.sshfs x rw" >other
	echo "22 1 $dev / /x rw,nosuid master:1 - fuse.sshfs me@there:/ rw" >sshfs
	echo "22 1 $dev / /x rw - fuse.bindfs /y rw" >bindfs
	exits 4 on HOST_TYPE=65735546 HOST_MOUNTS="$T/sshfs" ctx-store append S line
	says "*(sshfs)*"
	for f in other bindfs nowhere; do
		exits 0 on HOST_TYPE=65735546 HOST_MOUNTS="$T/$f" ctx-store append S line
		exits 0 ctx-store check
		rm -f db*
		[ "$(ls -A | grep -c try)" = 0 ]
	done
}

@test "host: on an unknown file system, two processes try locks and memory" {
	for type in 65735546 1234567; do
		exits 0 on HOST_TYPE=$type ctx-store append S line
		# once, when the store is made
		exits 0 on HOST_TYPE=$type HOST_LIES=1 ctx-store append S line
		rm -f db*
		exits 4 on HOST_TYPE=$type HOST_LIES=1 ctx-store append S line
		says "ctx-store append: $T/db: locks do not work on this file system; keep the store on a local disk, or use --single-host if only one machine opens it"
		exits 4 on HOST_TYPE=$type HOST_APART=1 ctx-store append S line
		says "ctx-store append: $T/db: two processes cannot share memory on this file system; *"
		exits 4 on HOST_TYPE=$type HOST_FLOCK=37 ctx-store append S line
		says "ctx-store append: $T/db: locks do not work on this file system; *"
		exits 4 on HOST_TYPE=$type HOST_FCNTL=37 ctx-store append S line
		says "ctx-store append: $T/db: locks do not work on this file system; *"
		[ "$(ls -A | grep -c '^db')" = 0 ]
	done
}

@test "host: locks that fail are named at once, not after 30 seconds" {
	ctx-store append -q S line
	for n in 37 38 95; do	# ENOLCK, ENOSYS, EOPNOTSUPP
		exits 4 on HOST_FLOCK=$n timeout 25 ctx-store append S line
		says "ctx-store append: $T/db-lock: locks do not work on this file system: *"
	done
	exits 4 on HOST_FCNTL=37 timeout 25 ctx-store append S line
	says "ctx-store append: $T/db: locks do not work on this file system: *"
	# Only what writes needs them: nobody else does here.
	exits 0 on HOST_FCNTL=37 timeout 25 ctx-store load S
	same out line
}

@test "host: an ordinary command asks for the file system once" {
	ctx-store append -q S line
	for cmd in 'append S line' 'load S' 'status S'; do
		exits 0 on HOST_CALLS="$T/n" ctx-store $cmd
		[ "$(cat n)" = 1 ]
	done
}
