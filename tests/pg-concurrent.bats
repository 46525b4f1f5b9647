# What several write to a PostgreSQL server at the same time: none of it is lost, and
# nothing refers to what another one removes.

setup_file() { load helpers; own_server; }
teardown_file() { load helpers; end_server; }
setup() {
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

sql() { psql -h "$PG" -U ctx -d postgres -X -q -A -t -c "$1"; }
merge() { ctx-store state merge -q --user "$1" "${@:3}" <<<"$2"; }

# bar TABLE EVENT CONDITION: let transactions with such a change of a row wait before
# their commit until `let_go`.
bar() {
	sql "CREATE FUNCTION $S.hold() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
	    IF $3 THEN PERFORM pg_advisory_xact_lock_shared(7); END IF;
	    RETURN NULL; END \$\$;
	    CREATE CONSTRAINT TRIGGER hold AFTER $2 ON $S.$1 DEFERRABLE
	    INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION $S.hold()"
	begin 'SELECT pg_advisory_lock(7)'
}
bar_ann() { bar user_state 'INSERT OR UPDATE' "NEW.\"user\" = 'ann'"; }
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
	bar_ann
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
	bar_ann
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
	if [ ! -p life ]; then
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

# beside FIRST COMMAND...: run the second while the function or command FIRST has done
# its work and is about to commit.
beside() {
	$1 3>&- 8>&- 9>&- &
	first=$!
	until_true waiting 1
	"${@:2}" 3>&- 8>&- 9>&- &
	second=$!
	until_true waiting 2
	let_go
	wait $first
	wait $second
	exits 0 ctx-store check --full
}
# while_removed COMMAND...: run it while another process removes thread S.
while_removed() {
	bar thread DELETE true
	beside 'ctx-store rm -q S' "$@"
}
say() { ctx-store append "${@:2}" <<<"{\"role\":\"user\",\"content\":\"$1\"}"; }

@test "pg concurrent: a thread that is removed while it is written to is made again" {
	say one -q S
	count() { ctx-store state merge -q S <<<'{"n":2}'; }
	while_removed count
	exits 0 ctx-store state get S
	[ "$(cat out)" = '{"n":2}' ]
	exits 0 ctx-store load S
	[ ! -s out ]
}

@test "pg concurrent: a message that is removed while it is indexed is in no index" {
	say one -q --no-index S
	say two -q T
	ctx-store reindex -q --trigrams on
	sql "UPDATE $S.message SET words = 0; DELETE FROM $S.search"
	while_removed ctx-store reindex -q
	[ "$(sql "SELECT count(*) FROM $S.search")" = 1 ]
}

@test "pg concurrent: a message that is removed while it is embedded has no vector" {
	say car -q T
	embed
	say cat -q S
	while_removed embed
	[ "$(sql "SELECT count(*) FROM $S.message_vector")" = 1 ]
}

@test "pg concurrent: a thread that is written to while it is pruned stays" {
	say one -q S
	sql "UPDATE $S.thread SET updated = 1"
	bar thread UPDATE true
	beside 'say two -q S' ctx-store prune -q --older-than 1d
	exits 0 ctx-store load S
	[ "$(jq -r .content out | tr '\n' ' ')" = 'one two ' ]
}

@test "pg concurrent: two may prune the same threads, and remove those of a user" {
	say one -q S
	sql "UPDATE $S.thread SET updated = 1"
	while_removed ctx-store prune -q --older-than 1d
	say two -q --user ann S
	say three -q --user ann T
	sql "DROP TRIGGER hold ON $S.thread; DROP FUNCTION $S.hold"
	while_removed ctx-store rm -q --user ann
	exits 0 ctx-store threads
	[ ! -s out ]
}

# work N COUNT: commands of all kinds, in an order that N determines.
work() {
	local i thread user rc

	RANDOM=$1
	for ((i = 1; i <= $2; i++)); do
		rc=0 thread=T$((RANDOM % 4)) user=u$((RANDOM % 3))
		case $((RANDOM % 16)) in
		0) say "cat $1.$i" -q $thread ;;
		1) say "dog $1.$i" -q --no-index $thread ;;
		2) say "fox $1.$i" -q --user $user $user.$thread ;;
		3) say "sub $1.$i" -q -c f$((RANDOM % 3)) --parent main@0 $thread ;;
		4) ctx-store rm -q $thread ;;
		5) ctx-store rm -q -c f$((RANDOM % 3)) $thread ;;
		6) ctx-store rm -q --user $user >/dev/null ;;
		7) merge $user "{\"a\":$((RANDOM % 3)),\"b\":$((RANDOM % 3))}" ;;
		8) ctx-store state rm --user $user ;;
		9) ctx-store reindex -q --trigrams on ;;
		10) embed ;;
		11) ctx-store view put $thread w <long >/dev/null ;;
		12) ctx-store code put --syntax python $thread code_1 <long >/dev/null ;;
		13) ctx-store checkpoint put $thread <<<'{"n":1}' >/dev/null ;;
		14) ctx-store import -q in ;;
		15) ctx-store export >/dev/null ;;
		esac 2>err$1 || rc=$?
		[ "$rc" -le 1 ] || echo "exit $rc: $(cat err$1)"
	done
}

@test "pg concurrent: commands of all kinds do not fail because of each other" {
	local n=4 each=12 i workers=

	if [ -n "$LONG" ]; then n=8 each=150; fi
	printf '{"role":"tool","content":"%020000d"}\n' 7 >long
	say first -q X
	embed
	ctx-store export >in
	for ((i = 1; i <= n; i++)); do
		work $i $each >said$i 3>&- 9>&- &
		workers="$workers $!"
	done
	wait $workers
	cat said* >said
	same said /dev/null
	exits 0 ctx-store check --full
}
