# export --follow on a PostgreSQL server passes over no change, in whatever order the
# transactions are committed.

setup_file() { load helpers; own_server; }
teardown_file() { load helpers; end_server; }
setup() {
	pids=
	load helpers
	unset CTX_TEST_PG	# the server is its own
	LONG=${CTX_TEST_DB:-}
	common_setup
	[ -n "${PG:-}" ] && [ -x "$BUILD/libexec/ctx-store-pg" ] ||
		skip "no PostgreSQL here"
	S=s$BATS_TEST_NUMBER
	sql "CREATE SCHEMA $S"
	export CTX_DB="postgresql://ctx@/postgres?host=$PG&options=-csearch_path%3D$S"
}
teardown() { [ -z "$pids" ] || kill -9 $pids 2>/dev/null || true; }

long() { [ -n "$LONG" ]; }
sql() { psql -h "$PG" -U ctx -d postgres -X -q -A -t -c "$1"; }
b() { ctx-store --db "$T/b.sqlite" "$@"; }
say() { echo "{\"role\":\"user\",\"content\":\"$2\"}" | ctx-store append -q "$1"; }

# step: let b follow up to now.
step() {
	b import --position | ctx-store export --position - >unit || fail export
	exits 0 b import -q --follow unit
}
sorted() { grep -v '^{"row":"end"' | sort; }
same_stores() {
	same <(b export | sorted) <(ctx-store export | sorted)
}

# bar THREAD: let transactions that wrote to it wait before their commit, from the next
# `barred` on, until `let_go`.
bar() {
	sql "CREATE FUNCTION $S.hold() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
	    IF NEW.name = '$1' THEN PERFORM pg_advisory_xact_lock_shared(7); END IF;
	    RETURN NULL; END \$\$;
	    CREATE CONSTRAINT TRIGGER hold AFTER INSERT OR UPDATE ON $S.thread DEFERRABLE
	    INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION $S.hold()"
}
barred() {
	rm -f lock locked
	mkfifo lock
	psql -h "$PG" -U ctx -d postgres -X -q -A -t <lock >locked 3>&- &
	pids="$pids $!"
	exec 9>lock
	echo "SELECT pg_advisory_lock(7);" >&9
	until_true [ -s locked ]
}
let_go() { exec 9>&-; }
waits() { [ "$(sql "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")" = "$1" ]; }

# late TEXT: append it to A, with the commit barred; others are committed meanwhile.
late() {
	barred
	say A "$1" 3>&- 9>&- &
	writer=$!
	until_true waits 1
	for to in B C D; do say $to "after $1"; done
}

@test "pg order: a transaction that is committed after later ones is not passed over" {
	for to in A B C D; do say $to first; done
	bar A
	step
	late one
	step
	has -q 'after one' unit
	let_go
	wait $writer
	# others go on
	say D more
	step
	has -q '"one' unit
	same_stores
	# and if nothing else happens any more
	late two
	step
	let_go
	wait $writer
	step
	# with what was committed since that began
		[ "$(grep -c '"row":"message"' unit)" = 4 ]
	same_stores
	step
	[ "$(wc -l <unit)" = 2 ]
}

got() { grep -q "\"$1" live; }
three() { [ "$(grep -c "after one" live)" = 3 ]; }

@test "pg order: who follows gets what is committed at once, whoever else takes long" {
	for to in A B C D; do say $to first; done
	bar A
	b import --position | ctx-store export --follow --position - >live 2>err 3>&- &
	follower=$!
	pids=$follower
	until_true grep -q '"row":"at"' live
	late one
	until_true three
	let_go
	wait $writer
	until_true got one
	kill -TERM $follower
	wait $follower || true
	# each message came once
	[ "$(grep -c '"row":"message"' live)" = 8 ]
	exits 0 b import -q --follow live
	same_stores
}

# write_batches N COUNT: one of many writers, whose transactions overlap.
write_batches() {
	local i

	for ((i = 1; i <= $2; i++)); do
		seq 3 | sed "s/.*/{\"role\":\"user\",\"content\":\"$1.$i.&\"}/" |
			ctx-store append -q "own$1"
		case $((i % 4)) in
		0) say shared "$1.$i" ;;
		1) ctx-store state merge -q --user "u$1" <<<"{\"at\":$i}" ;;
		2) ctx-store checkpoint put own$1 <<<"{\"at\":$i}" >/dev/null ;;
		3) [ $((i % 8)) = 3 ] || ctx-store rm -q "brief$1" 2>/dev/null ||
			say "brief$1" $i ;;
		esac
	done
}

@test "pg order: many writers, and a follower that is killed and begins again" {
	local i writers=

	if long; then n=16 each=200; else n=3 each=6; fi
	say shared first
	for ((i = 1; i <= n; i++)); do
		write_batches $i $each >writer$i 2>&1 3>&- &
		writers="$writers $!"
	done
	pids=$writers
	while kill -0 $writers 2>/dev/null; do
		b import --position >at
		timeout -s KILL 0.$((RANDOM % 10))$((RANDOM % 9 + 1)) \
		    ctx-store export --follow --position at >part 2>err || true
		# it may be cut off, but nothing is refused
		b import -q --follow part 2>err || true
		lacks -v 'cut off' err
	done
	wait $writers || fail "$(head writer*)"
	pids=
	cat writer* >said
	[ ! -s said ] || fail "$(head said)"
	step
	same_stores
	exits 0 b check --full
	step
	[ "$(wc -l <unit)" = 2 ]
}

@test "pg order: in a database that was restored elsewhere, numbers go on" {
	local i

	for to in A B; do say $to first; done
	b import --position | ctx-store export --position - >unit
	exits 0 b import -q --follow unit
	# as if it came from a server with more transactions behind it
	sql "UPDATE $S.thread SET change = change + 5000000000"
	b import --position | jq -c '.change += 5000000000 | .message += 5000000000' >at
	for i in 1 2; do say A "again $i"; done
	ctx-store export --position at >unit
	[ "$(jq -r 'select(.row == "thread").name' unit | sort -u | tr '\n' ' ')" = 'A B ' ]
	has -q 'again 2' unit
	[ "$(tail -n 1 unit | jq .change)" -gt 5000000000 ]
	tail -n 1 unit >at
	say B 'and B'
	ctx-store export --position at >unit
	has -q 'and B' unit
	lacks -q 'again' unit
	# a copy can follow, too
	sql "CREATE DATABASE copy"
	pg_dump -h "$PG" -U ctx -n "$S" postgres | psql -h "$PG" -U ctx -d copy -X -q >/dev/null
	say B more
	ctx-store rm -q A
	ctx-store export | sorted >want
	copy=$(sed 's,/postgres?,/copy?,' <<<"$CTX_DB")
	ctx-store --db "$copy" import --position | ctx-store export --position - >unit
	exits 0 ctx-store --db "$copy" import -q --follow unit
	same <(ctx-store --db "$copy" export | sorted) want
}
