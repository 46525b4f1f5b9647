# A store on PostgreSQL keeps its promises when connections, clients and servers fail.
# With CTX_TEST_DB=postgresql (make check-pg) more is tried.

setup_file() { load helpers; own_server; }
teardown_file() { load helpers; end_server; }
setup() {
	PROXY=
	load helpers
	unset CTX_TEST_PG	# these servers are its own
	LONG=${CTX_TEST_DB:-}
	common_setup
	[ -n "${PG:-}" ] && [ -x "$BUILD/libexec/ctx-store-pg" ] ||
		skip "no PostgreSQL here"
	SERVER=$ROOT/tests/pg/server
	store_on "$PG"
}
teardown() {
	[ -z "$PROXY" ] || kill "$PROXY"
}

# store_on FOLDER: let CTX_DB be this test's schema on the server there.
store_on() {
	psql -h "${1%%,*}" -U ctx -d postgres -X -q \
	    -c "CREATE SCHEMA IF NOT EXISTS s$BATS_TEST_NUMBER" 2>/dev/null
	store_at "$1"
}
# store_at FOLDER: the same, through the socket there.
store_at() {
	export CTX_DB="postgresql://ctx@/postgres?host=$1&options=-csearch_path%3Ds$BATS_TEST_NUMBER"
}
sql() { psql -h "$PG" -U ctx -d postgres -X -q -A -t -c "$1"; }
long() { [ -n "$LONG" ]; }

# Lines with an id, and lines without one.
ids() { seq "$1" "$2" | sed 's/.*/{"id":"m&","role":"user","content":"line &"}/'; }
plain() { seq "$1" "$2" | sed 's/.*/{"role":"user","content":"line &"}/'; }

# proxy HOW N...: let CTX_DB lead through tests/pg/proxy.py.
proxy() {
	[ -z "$PROXY" ] || kill "$PROXY"
	rm -rf "$T/proxy"
	python3 "$ROOT/tests/pg/proxy.py" "$T/proxy" "$PG" "$@" 3>&- &
	PROXY=$!
	until_true [ -S "$T/proxy/.s.PGSQL.5432" ]
	store_on "$PG"
	DIRECT=$CTX_DB
	store_at "$T/proxy"
}

# all_came: did what was late reach the server?
all_came() { [ "$(cat "$T/proxy/cuts")" = 3 ]; }

# cut_in_commits HOW KIND: append 40 lines, and 2 more, to a thread of that name.
cut_in_commits() {
	local to=$1-$2

	about "$to"
	echo '{"role":"user","id":"0"}' >"$to.in"
	[ "$2" = new ] || ctx-store --db "$DIRECT" append "$to" "$to.in"
	if [ "$2" = ids ]; then ids 1 40; else plain 1 40; fi >in
	[ "$2" != new ] || : >"$to.in"
	exits 0 ctx-store append --ack "$to" in
	same <(jq -c .stored out) <(yes true | head -n 40)
	cat in >>"$to.in"
	exits 0 ctx-store append "$to" <(plain 1 2)
	plain 1 2 >>"$to.in"
	[ "$1" != late ] || until_true all_came
}

@test "pg faults: a connection that is lost in a commit: each line is stored once" {
	ctx-store append S <<<'{"role":"user"}'
	each=(before-new after-plain during-ids late-plain)
	if long; then each=({before,after,during,late}-{ids,plain,new}); fi
	for to in "${each[@]}"; do
		proxy "${to%-*}" 1 2 4
		cut_in_commits "${to%-*}" "${to#*-}"
	done
	# those that came late were refused
	[ "$(sql "SELECT count(*) FROM s$BATS_TEST_NUMBER.done WHERE seq = -1")" -ge 2 ]
	for thread in "${each[@]}"; do
		about "$thread"
		exits 0 ctx-store --db "$DIRECT" load "$thread"
		same out "$thread.in"
	done
}

@test "pg faults: other commands succeed, or say that nothing was stored" {
	ctx-store append S <<<'{"id":"1","role":"user","content":"x"}'
	proxy after {1..9}
	exits 0 ctx-store state merge S <<<'{"a":1}'
	exits 0 ctx-store append --view v S <(plain 1 3)
	silent
	exits 0 ctx-store append --by t <<<'{"t":"A","role":"user"}'
	proxy before 1
	exits 4 ctx-store state merge S <<<'{"b":2}'
	said 'ctx-store state merge: postgresql:///postgres: the connection was lost; nothing of it was stored'
	exits 0 ctx-store --db "$DIRECT" state get S
	wrote '{"a":1}'
	exits 0 ctx-store --db "$DIRECT" load --view v S
	same <(wc -l <out) <(echo 4)
	exits 0 ctx-store --db "$DIRECT" load A
	wrote '{"t":"A","role":"user"}'
}

# backends: the processes of the server that serve ctx-store.
backends() { sql "SELECT pid FROM pg_stat_activity WHERE application_name = 'ctx-store'"; }
# working N: are more than N lines acknowledged?
working() { [ "$(wc -l <acks)" -gt "$1" ]; }
none_works() { [ -z "$(backends)" ]; }

@test "pg faults: kill -9 of the client loses nothing that was acknowledged" {
	rounds=5
	if long; then rounds=100; fi
	ctx-store new S
	: >in
	for ((i = 0; i < rounds; i++)); do
		about "round $i"
		: >acks
		"$ROOT/tests/pg/feed" | ctx-store append --ack S >acks 2>err 3>&- &
		until_true working $((RANDOM % 200))
		kill -9 $!
		wait $! 2>/dev/null || true
		until_true none_works
		exits 0 ctx-store load S
		n=$(wc -l <out)
		least=$(($(wc -l <in) + $(wc -l <acks)))
		[ "$n" -ge "$least" ] || fail "$n instead of at least $least"
		plain 1 5000 >>in
		same out <(head -n "$n" in)
		mv out in
	done
}

goes_on() { until_true working "$(($(wc -l <acks) + 20))"; }

# all_is_there PID: the append ends, and each line that was fed is stored once.
all_is_there() {
	goes_on
	touch enough
	wait "$1" || { cat err; fail "exit $?"; }
	plain 1 "$(cat fed)" >in
	exits 0 ctx-store load S
	same out in
	same <(jq .seq acks) <(seq 1 "$(cat fed)")
}

@test "pg faults: an append goes on when its connection, its backend or the server is killed" {
	ctx-store new S
	: >acks
	"$ROOT/tests/pg/feed" | ctx-store append --ack S >acks 2>err 3>&- &
	append=$!
	goes_on
	sql "SELECT pg_terminate_backend($(backends))"
	goes_on
	kill -9 "$(backends)"
	goes_on
	if long; then
		"$SERVER" kill "$PG"
		until_true "$SERVER" again "$PG"
	fi
	all_is_there $append
}

is_down() { ! PG=$1 sql "SELECT 1" >/dev/null 2>&1; }
in_step() {
	[ "$(PG=$1 sql "SELECT sync_state FROM pg_stat_replication")" = sync ]
}

@test "pg faults: the primary is killed, the standby promoted: nothing is lost or there twice" {
	long || skip "it is in make check-pg"
	standby=$(mktemp -u /tmp/ctx-pg-XXXXXX)
	"$SERVER" start "$standby-0" $$
	"$SERVER" standby "$standby" "$standby-0" $$
	until_true in_step "$standby-0"
	store_on "$standby-0,$standby"
	ctx-store new S
	: >acks
	"$ROOT/tests/pg/feed" | ctx-store append --ack S >acks 2>err 3>&- &
	append=$!
	goes_on
	goes_on
	"$SERVER" kill "$standby-0"
	until_true is_down "$standby-0"
	"$SERVER" promote "$standby"
	all_is_there $append
	"$SERVER" stop "$standby"
	"$SERVER" stop "$standby-0"
}

swept() {
	for _ in {1..32}; do
		ctx-store append S <<<'{"role":"user"}' || return
	done
	[ "$(sql "SELECT count(*) FROM s$BATS_TEST_NUMBER.done WHERE ts < now() - interval '1 hour'")" = 0 ]
}

@test "pg faults: what transactions leave for an hour is deleted then" {
	long || skip "it is in make check-pg"
	ctx-store append S <<<'{"role":"user"}'
	sql "UPDATE s$BATS_TEST_NUMBER.done SET ts = now() - interval '61 minutes'"
	# one command of 256 does it: of 2,560, none does once in 20,000 runs
	for _ in {1..80}; do
		if swept; then return; fi
	done
	fail "old rows are left"
}

# many N: as many clients append to one thread and to a thread of their own.
many() {
	local i

	for ((i = 1; i <= $1; i++)); do
		ids $((i * 10)) $((i * 10 + 9)) >$i.in
		{
			ctx-store append all $i.in
			ctx-store append all $i.in
			ctx-store append "t$i" $i.in
		} >$i.out 2>&1 3>&- &
	done
	wait
	cat ./*.out >err
	quiet
	exits 0 ctx-store load all
	same <(sort out) <(cat ./*.in | sort)
	for ((i = 1; i <= $1; i++)); do
		# each client's lines are in its order
		same <(grep -Ff $i.in out) $i.in
		ctx-store load "t$i" >one
		same one $i.in
	done
}

@test "pg faults: many clients at once, in one thread and in many" {
	if long; then many 64; else many 16; fi
}

@test "pg faults: settings of a role or a database change nothing" {
	for setting in default_transaction_isolation=serializable \
	    standard_conforming_strings=off bytea_output=escape array_nulls=off; do
		CTX_DB+=%20-c${setting/=/%3D}
	done
	many 6
	exits 0 ctx-store state merge all <<<'{"a":1}'
	[ "$(sql "SELECT count(*) FROM s$BATS_TEST_NUMBER.done WHERE length(token) <> 16")" = 0 ]
}

@test "pg faults: a statement that takes too long stores nothing" {
	plain 1 3 | ctx-store append S
	mkfifo lock
	psql -h "$PG" -U ctx -d postgres -X -q -A -t <lock >locked 3>&- &
	exec 9>lock
	echo "BEGIN; SELECT id FROM s$BATS_TEST_NUMBER.thread FOR UPDATE;" >&9
	until_true [ -s locked ]
	was=$CTX_DB
	CTX_DB+=%20-cstatement_timeout%3D200 exits 4 ctx-store append S <(plain 4 6)
	said 'ctx-store append: postgresql:///postgres: canceling statement due to statement timeout'
	CTX_DB=$was%20-clock_timeout%3D200 exits 4 ctx-store state merge S <<<'{"a":1}'
	says '*: locked by another process; try again later'
	exec 9>&-
	wait
	exits 0 ctx-store append S <(plain 4 6)
	exits 0 ctx-store load S
	same out <(plain 1 6)
}

is_served() { [ -n "$(backends)" ]; }

@test "pg faults: an export whose connection is lost is not complete" {
	plain 1 3000 | ctx-store append --no-index S
	mkfifo pipe
	{ rc=0; ctx-store export >pipe 2>err || rc=$?; echo "$rc" >code; } 3>&- &
	exec 9<pipe
	until_true is_served
	head -n 3 <&9 >part
	sql "SELECT pg_terminate_backend($(backends))"
	cat <&9 >>part
	wait
	[ "$(cat code)" = 4 ]
	said 'ctx-store export: postgresql:///postgres: terminating connection due to administrator command'
	lacks -q '^{"row":"end"' part
	has -q '"row":"message"' part
}

@test "pg faults: many clients share two connections of PgBouncer" {
	command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] ||
		skip "no PgBouncer here"
	"$SERVER" pool "$PG"
	sql "CREATE DATABASE pool"
	CTX_DB="postgresql://ctx@/pool?host=$PG/pool"
	if long; then many 64; else many 16; fi
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE datname = 'pool'")" -le 2 ]
	has -F "db=pool" "$PG/pool/log"
}
