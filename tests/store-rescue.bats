# ctx-store recover: files that SQLite itself refuses.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db CTX_WORKSPACES=$T/w
}

store() { ctx-store "$@"; }

lines() {
	seq "$1" "$2" | sed "s/.*/{\"id\":\"${3:-m}&\",\"role\":\"user\",\"content\":\"line & of a session\"}/"
}

# various: make a store with rows of each kind, packed and in rows.
various() {
	lines 1 300 >s
	store append S s
	lines 1 3 t >t
	store append --user ann T t
	printf '{"id":"big","role":"tool","content":"%070000d"}\n' 7 | store append T
	lines 301 310 f | store append -c fork --parent main@200 S
	echo '{"x":1}' | store checkpoint put --id one S
	echo '{"x":[1,2]}' | store checkpoint put --id two S
	sed -n 2,20p s | store view put S v
	echo '{"k":1,"l":"zwei"}' | store state put S
	echo '{"u":2}' | store state put --level user --user ann
	echo 'int main(void) { return 1; }' | store code put S main
	echo 'know this' | store memory put --turn 2 --summary 'a memory' S
	store spawn --task 'look at it' S
	store export
} >made

# scrape FILE: recover FILE, which is read page by page.
scrape() {
	rm -f new*
	exits 1 store recover "$1" new
	cp out told
	grep -q '"the order of the file: its pages were read one by one' told
	grep -c . told >losses
	exits 0 store --db new check --full
	store --db new export >after
	# Nothing is left of the rows in between.
	for left in new.*; do
		[ ! -e "$left" ]
	done
}

# garble FILE FROM LENGTH: overwrite bytes.
garble() {
	python3 -c 'import random, sys
r = random.Random(3)
f = open(sys.argv[1], "r+b")
f.seek(int(sys.argv[2]))
f.write(bytes(r.randrange(256) for i in range(int(sys.argv[3]))))' "$@"
}

@test "rescue: with its header or its first page destroyed, a store is recovered whole" {
	local size

	various
	store export >before
	for size in 512 1024 4096 16384 65536; do
		rm -f sized
		sqlite3 db "PRAGMA page_size = $size; VACUUM INTO 'sized'"
		cp sized damaged
		garble damaged 0 100
		scrape damaged
		same after before
		[ "$(cat losses)" = 1 ]
		dd if=/dev/zero of=sized bs="$size" count=1 conv=notrunc status=none
		scrape sized
		same after before
	done
}

@test "rescue: a store of an older version, too" {
	local v

	for v in v1 v3; do
		rm -f db*
		gzip -dc "$ROOT/tests/data/store/$v.db.gz" >db
		store export >before
		garble db 0 100
		scrape db
		jq -cS 'del(.lines)' before >want
		jq -cS 'del(.lines)' after >got
		same got want
	done
}

@test "rescue: what a shortened file still has is recovered" {
	local part n

	various
	n=$(size_of db)
	for part in 97 80 60 40 20; do
		cp db cut
		python3 -c 'import os, sys
os.truncate("cut", int(sys.argv[1]) * int(sys.argv[2]) // 100 + 77)' "$n" "$part"
		rm -f new*
		exits 1 timeout "$DEADLINE" ctx-store recover cut new
		exits 0 store --db new check --full
		store --db new load --since-seq 1 S >out 2>/dev/null ||
		    store --db new load S >out 2>/dev/null || :
		# Whole lines of the log, in order.
		grep -vxF -f s out >other || :
		[ ! -s other ]
	done
}

@test "rescue: rows that are found twice are stored once" {
	local i

	# Lines that were first in rows, and are then packed.
	lines 1 40 >s
	for i in $(seq 40); do
		sed -n "${i}p" s | store append --no-index S
	done
	store export >before
	garble db 0 100
	scrape db
	same after before
	exits 0 store --db new load S
	same out s
}

@test "rescue: what is still in the log of a file is recovered, too" {
	various
	lines 311 400 >more
	printf '{"id":"late","role":"tool","content":"%090000d"}\n' 8 >>more
	# A copy while a reader keeps the log from being moved into the file.
	cat >copy.py <<-'X'
	import shutil, sqlite3, subprocess, sys
	db = sqlite3.connect('db')
	db.execute('BEGIN')
	db.execute('SELECT count(*) FROM message').fetchall()
	subprocess.run([sys.argv[1], 'append', 'S', 'more'], check=True)
	subprocess.run([sys.argv[1], 'rm', 'T'], check=True)
	for end in ('', '-wal'):
	    shutil.copy('db' + end, 'copy' + end)
	X
	python3 copy.py "$BUILD/ctx-store"
	[ "$(size_of copy-wal)" -gt 90000 ]
	store export >before
	garble copy 0 100
	cp copy-wal log
	scrape copy
	same after before
	# Nothing writes to the old files.
	same copy-wal log
	# What was not committed does not count, or is of an earlier log.
	printf 'x' | dd of=copy-wal bs=1 seek=16 conv=notrunc status=none
	scrape copy
	lacks '"late"' after
	has '"big"' after
}

@test "rescue: only the messages of a damaged bundle are lost" {
	lines 1 700 >s
	store append S s
	sqlite3 db "SELECT hex(substr(data, 1, 20)) FROM bundle WHERE first <= 300 AND last >= 300" >hex
	sqlite3 db 'SELECT first, last FROM bundle WHERE first <= 300 AND last >= 300' >range
	python3 -c 'd = open("db", "rb").read()
at = d.index(bytes.fromhex(open("hex").read()))
open("db", "wb").write(bytes(100) + d[100:at + 90] + b"damaged" + d[at + 97:])'
	scrape db
	IFS='|' read -r from to <range
	jq -r .lost told | grep -qx "messages $from to $to of context 0"
	exits 0 store --db new load S
	sed "$from,${to}d" s >want
	same out want
}

@test "rescue: a file with nothing of ours is refused as before" {
	head -c 50000 /dev/urandom >noise
	exits 4 store recover noise new
	says '*noise: not a ctx-store database'
	sqlite3 other 'CREATE TABLE t(a, b, c); INSERT INTO t VALUES(1, 2, 3)'
	exits 4 store recover other new
	says '*this is a database of another program'
	garble other 0 100
	exits 4 store recover other new
	exits 1 store recover missing new
	[ ! -e new ]
	various
	# What is wrong with the new place is said, not what is with the old file.
	cp db bad
	garble bad 0 100
	exits 4 store recover bad nowhere/new
	says '*nowhere/new.*: No such file or directory'
	sqlite3 db 'PRAGMA user_version = 99'
	exits 4 store recover db new
	says '*newer*'
	[ ! -e new ]
}

@test "rescue: whatever is damaged, only lines of the log come back" {
	various
	store load S >good
	cat >noise.py <<-'X'
	import os, random, subprocess, sys
	store = sys.argv[1]
	data, good = open('db', 'rb').read(), set(open('good', 'rb').read().splitlines())
	good |= set(open('t', 'rb').read().splitlines())
	for seed in range(int(sys.argv[2])):
	    r = random.Random(seed)
	    d = bytearray(data)
	    d[:100] = bytes(100)
	    for i in range(r.choice([5, 50, 1000])):
	        at = r.randrange(len(d) // 512) * 512 + r.choice([r.randrange(12), r.randrange(512)])
	        d[at] = r.randrange(256)
	    for f in os.listdir('.'):
	        if f.startswith('new'):
	            os.unlink(f)
	    open('bad', 'wb').write(d)
	    p = subprocess.run([store, 'recover', 'bad', 'new'], capture_output=True, timeout=120)
	    assert p.returncode in (1, 4), (seed, p)
	    if p.returncode == 4:
	        continue
	    c = subprocess.run([store, 'check', '--full', '--db', 'new'], capture_output=True)
	    # The id and the role beside a line have no sum.
	    for finding in c.stdout.splitlines():
	        assert b'is stored with another' in finding, (seed, finding)
	    for line in subprocess.run([store, 'load', '--db', 'new', 'S'], capture_output=True).stdout.splitlines():
	        assert line in good, (seed, line)
	X
	timeout 900 python3 noise.py "$BUILD/ctx-store" 40
}
