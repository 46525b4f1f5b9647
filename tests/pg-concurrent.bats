# What several write to a PostgreSQL server at the same time: none of it is lost, and
# nothing refers to what another one removes.

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
	begin 'SELECT pg_advisory_lock(7)'
}
# begin SQL: another program's transaction that did this, until `let_go`.
begin() {
	rm -f lock locked
	mkfifo lock
	psql -h "$PG" -U ctx -d postgres -X -q -A -t <lock >locked 3>&- &
	exec 9>lock
	printf '%s\n' "SET search_path = $S; BEGIN; $1; SELECT 1;" >&9
	until_true [ -s locked ]
}
let_go() {
	echo 'COMMIT; SELECT pg_advisory_unlock_all();' >&9
	exec 9>&-
}
waiting() { [ "$(sql "SELECT count(*) FROM pg_locks WHERE NOT granted")" = "$1" ]; }

@test "pg concurrent: a value that one user drops while another one gets it stays" {
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

@test "pg concurrent: what two add to a number of one user at the same time is added twice" {
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

@test "pg concurrent: what is imported has its own contents, which go with it" {
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

# embed: with vectors of a stub, which ends when the test does.
embed() {
	if [ -z "${CTX_EMBED_URL:-}" ]; then
		mkfifo life
		python3 "$ROOT/tests/stub/embedd.py" log <life >port 3>&- 9>&- &
		exec 8>life
		until_true [ -s port ]
		export CTX_EMBED_URL=http://127.0.0.1:$(cat port)/ok/x
	fi
	ctx-store embed -q "$@"
}

@test "pg concurrent: two may be the first ones that store vectors of a model" {
	ctx-store append -q S <<<'{"role":"user","content":"car"}'
	embed
	model=$(sql "SELECT name FROM $S.vector_model")
	dim=$(sql "SELECT dim FROM $S.vector_model")
	sql "DELETE FROM $S.message_vector; DELETE FROM $S.vector_model"
	begin "INSERT INTO vector_model(name, dim) VALUES('$model', $dim)"
	embed 3>&- 8>&- 9>&- &
	until_true waiting 1
	let_go
	wait $!
	[ "$(sql "SELECT count(*) FROM $S.message_vector")" = 1 ]
	exits 0 ctx-store check --full
}

@test "pg concurrent: vectors that are stored while all are made anew are of the new model" {
	ctx-store append -q S <<<'{"role":"user","content":"car"}'
	embed
	ctx-store append -q S <<<'{"role":"user","content":"cat"}'
	# what embed --all does
	begin 'DELETE FROM message_vector; DELETE FROM vector_model'
	embed 3>&- 8>&- 9>&- &
	until_true waiting 1
	let_go
	wait $!
	exits 0 ctx-store check --full
	exits 0 ctx-store embed
	[ "$(sql "SELECT count(*) FROM $S.message_vector v JOIN $S.vector_model m ON
	    m.id = v.model")" = 2 ]
}
