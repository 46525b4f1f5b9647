# How often each command waits for the server: as often with many messages as with few.

setup_file() { load helpers; own_server; }
teardown_file() { load helpers; end_server; }
setup() {
	PROXY=
	load helpers
	common_setup
	[ -n "${PG:-}" ] && [ -x "$BUILD/libexec/ctx-store-pg" ] ||
		skip "no PostgreSQL here"
	python3 "$ROOT/tests/pg/proxy.py" "$T/proxy" "$PG" count 3>&- &
	PROXY=$!
	until_true [ -S "$T/proxy/.s.PGSQL.5432" ]
	psql -h "$PG" -U ctx -d postgres -X -q -c "CREATE SCHEMA s$BATS_TEST_NUMBER"
	export CTX_DB="postgresql://ctx@/postgres?host=$T/proxy&options=-csearch_path%3Ds$BATS_TEST_NUMBER"
}
teardown() { [ -z "$PROXY" ] || kill "$PROXY"; }

talk() { seq "$1" "$2" | sed 's/.*/{"role":"user","content":"word number & in common text"}/'; }

# trips N COMMAND...: a command must succeed with exactly N round trips, and two more to
# connect to a server before version 14.
trips() {
	local before now

	before=$(cat proxy/trips)
	exits 0 "${@:2}"
	now=$(($(cat proxy/trips) - before))
	[ "$now" -eq $(($1 + connecting)) ] || fail "$now round trips instead of $1: ${*:2}"
}

@test "pg trips: the table of ctx-store-postgresql(7), with 1000 messages" {
	talk 1 1000 >in
	ctx-store append S in
	echo '{"role":"system","content":"in short"}' | ctx-store summary put S
	sed -n '/^\.It Ic /s/^\.It Ic \(.*\) Ta \([0-9]*\)$/\2 \1/p' "$ROOT/man/ctx-store-postgresql.7" >table
	[ "$(wc -l <table)" -gt 20 ]
	connecting=0
	[ "$(psql -h "$PG" -U ctx -d postgres -X -A -t -c 'SHOW server_version_num')" -ge 140000 ] || connecting=2
	while read -r n line; do
		about "$line"
		eval "set -- $line"
		trips "$n" ctx-store "$@" <<<'{"a":1}'
	done <table
}
