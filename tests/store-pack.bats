# ctx-store: lines of a log are packed together, and every byte is as before.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }
sql() { sqlite3 db "$1"; }

# lines FROM TO [WORD]: print messages of which two are alike only in part.
lines() {
	seq "$1" "$2" | sed "s/.*/{\"id\":\"m&\",\"role\":\"user\",\"content\":\"${3:-line} & of a session about nothing, which is long enough to be worth a place\"}/"
}

# one_by_one FILE: append each line to S by a call of its own.
one_by_one() {
	while IFS= read -r line; do
		printf '%s\n' "$line" | store append S
	done <"$1"
}

has_lines() { [ "$(wc -l <"$2")" -ge "$1" ]; }

# holds WORD: is WORD in the files of the store, or in what they hold compressed?
holds() {
	local id

	cat db db-wal >all 2>/dev/null || :
	LC_ALL=C grep -aq "$1" all && return 0
	sql 'SELECT id FROM bundle' >ids
	while read -r id; do
		sql "SELECT writefile('frame', data) FROM bundle WHERE id = $id" >/dev/null
		zstd -dcq frame | grep -aq "$1" && return 0
	done <ids
	return 1
}

@test "pack: every byte is as before, however the messages arrive" {
	local n at=1 f

	some 20 10 60
	# Long lines, lines without an end, and bytes that do not compress.
	{
		lines 1 40
		printf '{"id":"a","role":"tool","content":"%05000d"}\n' 7
		printf '{"id":"b","role":"tool","content":"%040000d"}\n' 8
		printf '{"id":"c","role":"tool","content":"%s"}\n' \
		    "$(head -c 20000 /dev/urandom | base64 | tr -d '\n')"
		printf '  {"id":"d" , "role":"user","content":"é\\u0000"}\r\n'
		lines 41 400
	} >in
	total=$(wc -l <in)
	for n in 1 2 3 5 7 8 9 16 100 500; do
		at=1
		while [ "$at" -le "$total" ] && [ "$at" -le $((n * some)) ]; do
			sed -n "$at,$((at + n - 1))p" in | store append "S$n"
			at=$((at + n))
		done
		head -n $((at - 1)) in >want
		exits 0 store load "S$n"
		same out want
		exits 0 store load -n 3 "S$n"
		tail -n 3 want | cmp - out
	done
	exits 0 store check --full
	# The same messages again are not stored again.
	store append S500 in
	exits 0 store load S500
	same out in
	printf '{"no":"end"}' | store append S500
	exits 0 store load S500
	printf '{"no":"end"}' | cat in - >want
	cmp out want
	exits 0 store check --full
}

@test "pack: most lines are packed, also of calls with one message" {
	lines 1 30 >in
	one_by_one in
	store append T in
	[ "$(sql 'SELECT count(*) FROM message WHERE json IS NOT NULL AND
	    thread = 1')" -lt 16 ]
	[ "$(sql 'SELECT count(*) FROM message WHERE json IS NOT NULL AND
	    thread = 2')" = 0 ]
	[ "$(sql 'SELECT count(*) FROM bundle')" = 2 ]
	exits 0 store vacuum
	[ "$(sql 'SELECT count(*) FROM message WHERE json IS NOT NULL')" = 0 ]
	[ "$(sql 'SELECT count(*) FROM bundle')" = 2 ]
	exits 0 store load S
	same out in
	store append S <<<'{"id":"m31"}'
	exits 0 store check --full
}

@test "pack: the file of messages that came one by one is small, too" {
	local i empty

	echo '{}' | store append --no-index first
	empty=$(size_of db)
	for i in $(seq 64); do
		printf '{"n":%d,"content":"%s"}\n' "$i" "$(seq -s ' ' 1000)" |
		    store append --no-index S
	done
	[ $(($(size_of db) - empty)) -lt 100000 ]
	exits 0 store check --full
}

@test "pack: a bundle is a frame of Zstandard with the lines" {
	lines 1 20 >in
	store append S in
	sql "SELECT writefile('frame', data) FROM bundle" >out
	zstd -dcq frame >got
	same got in
	[ "$(sql 'SELECT size FROM bundle')" = "$(wc -c <in)" ]
	[ "$(sql 'SELECT first, last FROM bundle')" = '1|20' ]
}

@test "pack: our own logs take less than a third of their size" {
	local f raw=0 empty

	echo '{}' | store append --no-index first
	empty=$(size_of db)
	for f in "$ROOT"/tests/data/logs/*.jsonl; do
		store append --no-index "$(basename "$f" .jsonl)" "$f"
		raw=$((raw + $(size_of "$f")))
	done
	exits 0 store vacuum
	[ $((($(size_of db) - empty) * 3)) -lt "$raw" ]
	for f in "$ROOT"/tests/data/logs/*.jsonl; do
		exits 0 store load "$(basename "$f" .jsonl)"
		cmp out "$f"
	done
}

@test "pack: what is removed is in no bundle and no free page" {
	local i

	for i in $(seq 20); do
		lines "$i" "$i" kept | store append --no-index K
		lines "$i" "$i" vanishing | store append --no-index S
	done
	lines 21 90 vanishing | store append --no-index S
	lines 1 8 vanishing2 | store append --no-index -c fork --parent main@10 S
	holds vanishing
	exits 0 store rm S
	if holds vanishing; then fail 'vanishing is left'; fi
	holds 'kept 3 '
	[ "$(sql 'SELECT count(*) FROM bundle')" = 1 ]
	exits 0 store check --full
}

@test "pack: a removed context takes its bundles, and the others stay" {
	lines 1 50 >in
	store append S in
	lines 1 20 forked | store append -c F --parent main@50 S
	exits 0 store contexts S
	exits 0 store rm -c F S
	exits 0 store load S
	same out in
	[ "$(sql 'SELECT count(*) FROM bundle')" = 1 ]
	exits 0 store check --full
}

@test "pack: an export is the same whether lines are packed or not" {
	lines 1 6 >in
	one_by_one in
	[ "$(sql 'SELECT count(*) FROM bundle')" = 0 ]
	store export >raw
	exits 0 store vacuum
	[ "$(sql 'SELECT count(*) FROM bundle')" = 1 ]
	store export >packed
	cmp raw packed
	# Into a store that has them in rows, in bundles, and not at all.
	exits 0 store --db new import raw
	exits 0 store --db new import packed
	exits 0 store import raw
	exits 0 store --db new export
	cmp raw out
	# Another message with the same number is refused.
	sed 's/line 3/Line 3/' in | store --db other append S
	exits 3 store --db other import raw
	says '*already exists with other contents*'
}

@test "pack: a store of an older version is read as it is, and vacuum packs it" {
	local f

	f=$(ls "$ROOT"/tests/data/store/*3*.db* | head -n 1)
	case $f in *.gz) gzip -dc "$f" >db ;; *) cp "$f" db ;; esac
	chmod u+w db
	store export >before
	lines 1 20 | store append New
	exits 0 store rm New
	exits 0 store vacuum
	[ "$(sql 'SELECT count(*) FROM message WHERE json IS NOT NULL')" = 0 ]
	[ "$(sql 'SELECT count(*) FROM bundle')" -gt 0 ]
	store export >after
	jq -cS 'del(.updated)' before >b
	jq -cS 'del(.updated)' after >a
	same a b
	exits 0 store check --full
}

@test "pack: flipped bits are found, and never print another line" {
	lines 1 60 >in
	store append --no-index S in
	sqlite3 db 'PRAGMA wal_checkpoint(TRUNCATE)' >out
	cat >flip.py <<-'X'
	import random, sqlite3, subprocess, sys
	store, want = sys.argv[1], open('in', 'rb').read()
	r = random.Random(5)
	con = sqlite3.connect('db', isolation_level=None)
	data, lens = con.execute('SELECT data, lens FROM bundle').fetchone()
	bad = 0
	for i in range(60):
	    d, n = bytearray(data), bytearray(lens)
	    one = n if i % 4 == 3 else d
	    at = r.randrange(len(one))
	    one[at] ^= 1 << r.randrange(8)
	    con.execute('UPDATE bundle SET data = ?, lens = ?', (bytes(d), bytes(n)))
	    p = subprocess.run([store, 'load', '--db', 'db', 'S'], capture_output=True)
	    assert want.startswith(p.stdout), i
	    assert p.returncode == (0 if p.stdout == want else 4), (i, p)
	    bad += p.returncode == 4
	    c = subprocess.run([store, 'check', '--full', '--db', 'db'], capture_output=True)
	    assert c.returncode == p.returncode, (i, c)
	assert bad > 50, bad
	X
	timeout "$DEADLINE" python3 flip.py "$BUILD/ctx-store"
}

@test "pack: messages can be added after a bundle that is damaged" {
	lines 1 20 >in
	store append S in
	sql "UPDATE bundle SET data = x'00'"
	lines 21 60 >more
	store append S more
	exits 0 store load -n 40 S
	same out more
	exits 4 store load S
	says '*damaged: the line of message 1 cannot be decompressed'
	exits 1 store recover db new
	grep -q '"messages 1 to 20 of context 0"' out
	exits 0 store --db new load S
	same out more
}

@test "pack: bundles without messages, and messages without a bundle" {
	lines 1 20 | store append S
	cp db good
	sql 'DELETE FROM message WHERE seq = 20; UPDATE context SET next_seq = 20'
	exits 4 store check
	grep -q 'a bundle has lines without messages' out
	cp good db
	rm -f db-*
	sql 'DELETE FROM bundle'
	exits 0 store check
	exits 4 store check --full
	exits 4 store load S
	says '*damaged: the line of message 1 is missing'
	cp good db
	rm -f db-*
	sql 'UPDATE bundle SET context = 5'
	exits 4 store check
}

@test "pack: a reader that follows sees each line once while others pack" {
	local pid

	store append S <<<'{"id":"first"}'
	timeout "$DEADLINE" ctx-store load --follow S >followed &
	pid=$!
	lines 1 60 >in
	one_by_one in
	until_true has_lines 61 followed
	kill $pid
	{ echo '{"id":"first"}'; cat in; } >want
	same followed want
}
