# A standby of PostgreSQL that is read: every command that only reads, and export
# --follow, give what the primary gives.  It is in make check-pg.

setup_file() {
	load helpers
	[ -n "${CTX_TEST_DB:-}" ] || return 0
	own_server
	[ -n "${PG:-}" ] || return 0
	export STANDBY=$PG-1
	"$BATS_TEST_DIRNAME/pg/server" standby "$STANDBY" "$PG" $$
}
teardown_file() {
	load helpers
	[ -z "${STANDBY:-}" ] || "$BATS_TEST_DIRNAME/pg/server" stop "$STANDBY"
	end_server
}
setup() {
	pids=
	load helpers
	unset CTX_TEST_PG	# the servers are its own
	common_setup
	[ -n "${CTX_TEST_DB:-}" ] || skip "it is in make check-pg"
	[ -n "${PG:-}" ] && [ -x "$BUILD/libexec/ctx-store-pg" ] ||
		skip "no PostgreSQL here"
	S=s$BATS_TEST_NUMBER
	sql "CREATE SCHEMA $S"
	at="options=-csearch_path%3D$S"
	# a commit waits until a reader of the standby sees it
	export CTX_DB="postgresql://ctx@/postgres?host=$PG&$at%20-csynchronous_commit%3Dremote_apply"
	export READ="postgresql://ctx@/postgres?host=$STANDBY&$at"
	export CTX_WORKSPACES=$T/w
}
teardown() { [ -z "$pids" ] || kill -9 $pids 2>/dev/null || true; }

sql() { psql -h "$PG" -U ctx -d postgres -X -q -A -t -c "$1"; }
say() { echo "{\"role\":\"user\",\"content\":\"$2\"}" | ctx-store append -q "$1"; }
b() { ctx-store --db "$T/b.sqlite" "$@"; }
standby() { ctx-store --db "$READ" "$@"; }

# Each command that only reads, with what it needs here.
reads() {
	cat <<-'X'
		load S
		load --view v S
		load --last 2 S
		search common
		search --substring mmo
		search --in all said
		search --rank --last 200 common
		search --rank --thread S common
		search --since 1d --around 1 common
		relevant S --question common -t 2000
		threads
		threads --user ann
		users
		contexts S
		status S
		checkpoint list S
		checkpoint get S one
		checkpoint diff S one two
		view list S
		view get S w
		state get S
		state get --user ann
		summary list S
		summary get S
		memory list S
		memory get --match said S
		code list S
		code get S code_1
		code expand S <refers
		upload list S
		upload get S refers
		export
		export S
		export --position start
		check
		check --full
	X
}

fill() {
	seq 700 | sed 's/.*/{"id":"m&","role":"user","content":"word number & in common text"}/' |
		ctx-store append S
	printf '{"role":"tool","content":"%040000d katy"}\n' 7 | ctx-store append S
	say T common
	ctx-store append --view v S <<<'{"role":"user","content":"in a view"}'
	ctx-store view put S w <<<'{"role":"user","content":"in short"}'
	ctx-store checkpoint put --id one S <<<'{"n":1}'
	ctx-store checkpoint put --id two S <<<'{"n":2}'
	ctx-store state merge S <<<'{"a":1}'
	ctx-store state merge --user ann <<<'{"a":1}'
	ctx-store summary put S <<<'{"role":"system","content":"in short"}'
	ctx-store memory put --name note --summary 'said so' S <<<'remember'
	ctx-store code put --syntax python S code_1 <<<'print(1)'
	ctx-store upload put -q S refers
	ctx-store reindex --trigrams on
} >/dev/null

@test "pg standby: every command that only reads" {
	echo '{"role":"assistant","content":"see <code>code_1</code>"}' >refers
	echo '{"store":null}' >start
	fill
	while read -r line; do
		about "$line"
		eval "exits 0 ctx-store $line"
		mv out want
		mv err messages
		eval "exits 0 ctx-store --db \"\$READ\" $line"
		same out want
		same err messages
	done < <(reads)
}

@test "pg standby: a search by meaning" {
	# the endpoint exits when this end of its standard input is closed
	mkfifo life
	python3 "$ROOT/tests/stub/embedd.py" log <life >port 3>&- &
	exec 9>life
	until_true [ -s port ]
	export CTX_EMBED_URL=http://127.0.0.1:$(cat port)/ok/x
	for word in car cat rain truck; do say S $word; done
	ctx-store embed -q
	for what in "search car --method meaning" "search car --method both --thread S" \
	    "relevant S --question car -t 500 --method meaning"; do
		about "$what"
		eval "ctx-store $what" >want
		eval "exits 0 standby $what"
		same out want
	done
	exec 9>&-
}

@test "pg standby: what writes is refused" {
	say S one
	for what in 'append S' 'new T' 'state put S k' 'rm S' 'reindex --all' vacuum; do
		about "$what"
		eval "exits 4 standby $what" <<<'{"a":1}'
		says 'ctx-store *: postgresql:///postgres: *session is read-only'
	done
}

# step: let b follow up to now.
step() {
	b import --position | standby export --position - >unit || fail export
	exits 0 b import -q --follow unit
}
sorted() { grep -v '^{"row":"end"' | sort; }
same_stores() { same <(b export | sorted) <(ctx-store export | sorted); }

# bar THREAD: transactions that wrote to it wait before their commit, from the next
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
waits() { [ "$(sql "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")" = 1 ]; }

@test "pg standby: export --position passes over nothing that is committed late" {
	for to in A B C; do say $to first; done
	bar A
	step
	same_stores
	barred
	say A late 3>&- 9>&- &
	writer=$!
	until_true waits
	say B 'after it'
	ctx-store rm -q C
	step
	has -q 'after it' unit
	lacks -q late unit
	exec 9>&-
	wait $writer
	step
	has -q '"late' unit
	same_stores
	step
	[ "$(wc -l <unit)" = 2 ]
}

on_standby() { psql -h "$STANDBY" -U ctx -d postgres -X -q -A -t -c "$1"; }

@test "pg standby: a position of the primary, where the standby has not come yet" {
	say A first
	step
	on_standby 'SELECT pg_wal_replay_pause()'
	CTX_DB=$(sed 's/remote_apply/on/' <<<"$CTX_DB")
	say A second
	b import --position | ctx-store export --position - >unit
	exits 0 b import -q --follow unit
	b import --position >at
	exits 4 standby export --position at
	said 'ctx-store export: the position is ahead of postgresql:///postgres, a standby that does not have it yet; try again later'
	on_standby 'SELECT pg_wal_replay_resume()'
	step
	same_stores
}

@test "pg standby: what is read for so long that the server ends it can be read again" {
	seq 3000 | sed 's/.*/{"role":"user","content":"&"}/' | ctx-store append -q --no-index A
	on_standby "ALTER SYSTEM SET max_standby_streaming_delay = 0"
	on_standby "SELECT pg_reload_conf()"
	mkfifo pipe
	standby export >pipe 2>err 3>&- &
	reader=$!
	exec 9<pipe
	read -r line <&9
	ctx-store rm -q A
	sql "VACUUM $S.message, $S.thread, $S.context"
	cat <&9 >rest
	rc=0
	wait $reader || rc=$?
	[ $rc = 4 ]
	# it ends the statement, or the connection
	has -q -e 'conflict with recovery' -e 'try again' err
	exec 9<&-
	exits 0 standby export
}

got() { grep -q "\"$1" live; }

@test "pg standby: export --follow gets each change, and goes on when the standby is promoted" {
	say A first
	b import --position |
	    ctx-store --db "$READ" export --follow --position - >live 2>err 3>&- &
	follower=$!
	pids=$follower
	until_true got first
	say A second
	until_true got second
	"$ROOT/tests/pg/server" kill "$PG"
	"$ROOT/tests/pg/server" promote "$STANDBY"
	CTX_DB=$READ
	say A third
	say B fourth
	until_true got fourth
	kill -TERM $follower
	wait $follower || true
	pids=
	quiet
	[ "$(grep -c '"row":"message"' live)" = 4 ]
	exits 0 b import -q --follow live
	same_stores
}
