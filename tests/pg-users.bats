# States of users on a PostgreSQL server: no change of one is lost because others are
# written at the same time, and contents are those of one thread or of one user.

setup_file() { load helpers; own_server; }
teardown_file() { load helpers; end_server; }
setup() {
	load helpers
	unset CTX_TEST_PG	# the server is its own
	common_setup
	[ -n "${PG:-}" ] && [ -x "$BUILD/libexec/ctx-store-pg" ] ||
		skip "no PostgreSQL here"
	S=s$BATS_TEST_NUMBER
	sql "CREATE SCHEMA $S"
	export CTX_DB="postgresql://ctx@/postgres?host=$PG&options=-csearch_path%3D$S"
}

sql() { psql -h "$PG" -U ctx -d postgres -X -q -A -t -c "$1"; }
merge() { ctx-store state merge -q --user "$1" "${@:3}" <<<"$2"; }

# bar USER: let transactions that wrote a state of the user wait before their commit
# until `let_go`.
bar() {
	sql "CREATE FUNCTION $S.hold() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
	    IF NEW.\"user\" = '$1' THEN PERFORM pg_advisory_xact_lock_shared(7); END IF;
	    RETURN NULL; END \$\$;
	    CREATE CONSTRAINT TRIGGER hold AFTER INSERT OR UPDATE ON $S.user_state DEFERRABLE
	    INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION $S.hold()"
	rm -f lock locked
	mkfifo lock
	psql -h "$PG" -U ctx -d postgres -X -q -A -t <lock >locked 3>&- &
	exec 9>lock
	echo "SELECT pg_advisory_lock(7);" >&9
	until_true [ -s locked ]
}
let_go() { exec 9>&-; }
waiting() { [ "$(sql "SELECT count(*) FROM pg_locks WHERE NOT granted")" = "$1" ]; }

@test "pg users: a value that one user drops while another one gets it stays" {
	merge bob '{"tone":"dry"}'
	merge ann '{"tone":"warm"}'
	bar ann
	merge ann '{"tone":"dry"}' 3>&- 9>&- &
	until_true waiting 1
	merge bob '{"tone":"warm"}'
	let_go
	wait $!
	exits 0 ctx-store state get --user ann
	[ "$(cat out)" = '{"tone":"dry"}' ]
	exits 0 ctx-store state get --user bob
	[ "$(cat out)" = '{"tone":"warm"}' ]
	exits 0 ctx-store check --full
}

@test "pg users: what two add to a number of one user at the same time is added twice" {
	merge ann '{"n":1}'
	bar ann
	merge ann '{"n":10}' --add 3>&- 9>&- &
	first=$!
	until_true waiting 1
	merge ann '{"n":100}' --add 3>&- 9>&- &
	second=$!
	until_true waiting 2
	let_go
	wait $first
	wait $second
	exits 0 ctx-store state get --user ann
	[ "$(cat out)" = '{"n":111}' ]
}

# shared: rows that refer to contents of another thread or, for states, of a thread.
shared() {
	sql "SET search_path = $S; SELECT (SELECT count(*) FROM view_part r JOIN body b
	    ON b.id = r.body WHERE b.thread <> r.thread) + (SELECT count(*) FROM body_part r
	    JOIN body b ON b.id = r.part WHERE b.thread <> r.thread) + (SELECT count(*) FROM
	    user_state r JOIN body b ON b.id = r.body WHERE b.thread >= 0)"
}
contents() { sql "SELECT count(*) FROM $S.body"; }

@test "pg users: what is imported has its own contents, which go with it" {
	printf '{"role":"tool","content":"%0100000d"}\n' 7 >long
	server=$CTX_DB CTX_DB=a.sqlite
	for to in one two; do
		ctx-store append --user ann $to <<<'{"role":"user","content":"hers"}'
		ctx-store view put $to w <long >/dev/null
	done
	merge ann "{\"tone\":\"dry\",\"long\":$(cat long)}"
	merge bob '{"tone":"dry"}'
	ctx-store export >in
	CTX_DB=$server
	exits 0 ctx-store import in
	[ "$(shared)" = 0 ]
	# again, it finds them
	exits 0 ctx-store import in
	[ "$(shared)" = 0 ]
	exits 0 ctx-store check --full
	ctx-store rm -q one
	exits 0 ctx-store view get two w
	same out long
	ctx-store rm -q two
	exits 0 ctx-store state get --user ann
	[ "$(jq -r .tone out)" = dry ]
	exits 0 ctx-store check --full
	ctx-store state rm --user ann
	exits 0 ctx-store state get --user bob
	ctx-store state rm --user bob
	[ "$(contents)" = 0 ]
}
