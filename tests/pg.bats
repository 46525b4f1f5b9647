# A store on PostgreSQL: what is so only there, and a short form of make check-pg, which
# runs the tests of the store on a server.

setup_file() { load helpers; own_server; }
teardown_file() { load helpers; end_server; }
setup() {
	load helpers
	common_setup
}

# server: let CTX_DB be a new schema on the server.
server() {
	[ -n "${PG:-}" ] && [ -x "$BUILD/libexec/ctx-store-pg" ] ||
		skip "no PostgreSQL here"
	sql "CREATE SCHEMA s$BATS_TEST_NUMBER"
	export CTX_DB="postgresql://ctx@/postgres?host=$PG&options=-csearch_path%3Ds$BATS_TEST_NUMBER"
}
sql() { psql -h "$PG" -U ctx -d postgres -X -q -A -t -c "$1"; }
msg() { printf '{"role":"user","id":"%s","content":"%s"}\n' "$@"; }

@test "pg: without the helper, the message says what is missing" {
	mkdir bin
	cp "$BUILD/ctx-store" bin/
	exits 4 bin/ctx-store --db postgresql://localhost/x load S
	said 'ctx-store load: a store on PostgreSQL needs ctx-store-pg, which is not installed; see ctx-store-postgresql(7)'
	CTX_DB=service=x exits 4 bin/ctx-store threads
	says '*needs ctx-store-pg*'
}

@test "pg: a database without our tables is no store for readers, and is not changed" {
	server
	exits 1 ctx-store threads
	says '*: no such store'
	exits 1 ctx-store keep S
	[ "$(sql "SELECT count(*) FROM pg_tables WHERE schemaname = 's$BATS_TEST_NUMBER'")" = 0 ]
}

@test "pg: a server that is not there is exit 4, and a password is not in the message" {
	server
	CTX_DB="postgresql://ctx:secret@/x?host=$T/none" exits 4 ctx-store threads
	lacks secret err
}

@test "pg: a batch is stored once, however often it comes, and numbers have no gaps" {
	server
	for i in 1 2 3 4 5 6 7 8; do msg $i "text $i"; done >in
	head -n 3 in | ctx-store append S
	for i in 1 2 3 4; do ctx-store append S <in 3>&- & done
	wait
	exits 0 ctx-store load S
	same out in
	[ "$(sql "SELECT string_agg(seq::text, ',' ORDER BY seq) FROM s$BATS_TEST_NUMBER.message")" = 1,2,3,4,5,6,7,8 ]
	msg 8 other >in
	exits 3 ctx-store append S <in
	says "*message '8' is already stored with other bytes"
}

@test "pg: an export goes into a file and gives the same bytes there" {
	server
	ctx-store append S <"${LOGS[0]}"
	msg a b | ctx-store append -c try --parent main@1 S
	ctx-store checkpoint put --id one S <<<'{"n":1}'
	ctx-store state merge S <<<'{"a":{"b":[1,2.50]}}'
	ctx-store export >all
	exits 0 ctx-store --db file import all
	exits 0 ctx-store --db file export
	same out all
	exits 0 ctx-store --db file check --full
}

@test "pg: a workspace needs CTX_WORKSPACES, and nothing is stored without it" {
	server
	ctx-store new S
	exits 2 ctx-store workspace S
	says '*set CTX_WORKSPACES*'
	[ "$(sql "SELECT count(place) FROM s$BATS_TEST_NUMBER.thread")" = 0 ]
}

# dump: all that the tables have.
dump() { PGOPTIONS=-cbytea_output=escape pg_dump -h "$PG" -U ctx -n "s$BATS_TEST_NUMBER" postgres; }

all_are_vacuumed() {
	[ -z "$(sql "SELECT string_agg(relname, ' ') $tables AND last_vacuum IS NULL")" ]
}

@test "pg: rm --user leaves nothing in any table, and each table is vacuumed" {
	server
	for u in qzxann qzxbob; do
		msg 1 "$u was here" | ctx-store append --user $u $u
		ctx-store state put --user $u --level user k <<<"\"$u knows\""
		ctx-store memory put --user $u --summary "$u said" $u <<<"$u remembers"
		ctx-store checkpoint put --user $u $u <<<"{\"$u\":1}"
	done
	dump >before
	has -q qzxann before
	exits 0 ctx-store rm --user qzxann
	dump >after
	lacks -q qzxann after
	has -q qzxbob after
	tables="FROM pg_stat_user_tables WHERE schemaname = 's$BATS_TEST_NUMBER'"
	until_true all_are_vacuumed
	exits 0 ctx-store vacuum
	says '*the store had * bytes and now has *'
	exits 1 ctx-store rm --user qzxann
}

@test "pg: while a transaction reads, rm --user says that traces may be left" {
	server
	msg 1 x | ctx-store append --user ann A
	msg 1 x | ctx-store append --user bob B
	mkfifo open
	psql -h "$PG" -U ctx -d postgres -X -q -A -t <open >held 3>&- &
	exec 9>open
	echo "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM s$BATS_TEST_NUMBER.message;" >&9
	until_true [ -s held ]
	exits 4 ctx-store rm --user ann
	says '*removed, but another process reads an earlier state*'
	exec 9>&-
	wait
	# the next one ends what this one began
	exits 0 ctx-store rm --user ann
	exits 1 ctx-store rm --user ann
}

@test "pg: prune --max-size counts the contents" {
	server
	for i in 1 2 3; do
		msg 1 "$(printf '%05000d' $i)" | ctx-store append T$i
	done
	exits 0 ctx-store prune --max-size 12k
	[ "$(jq -r .thread_id out)" = T1 ]
	exits 0 ctx-store prune --max-size 12k
	silent
}
