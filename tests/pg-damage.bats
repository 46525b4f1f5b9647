# A store on PostgreSQL that cannot be used: the message says why, and the exit code is 4.

setup_file() { load helpers; own_server; }
teardown_file() {
	load helpers
	[ ! -d "${PG:-}/small" ] || umount -l "$PG/small" || true
	end_server
}
setup() {
	load helpers
	unset CTX_TEST_PG	# the server is its own
	common_setup
	[ -n "${PG:-}" ] && [ -x "$BUILD/libexec/ctx-store-pg" ] ||
		skip "no PostgreSQL here"
	S=s$BATS_TEST_NUMBER
	sql "CREATE SCHEMA $S"
	store_as ctx
	echo '{"role":"user","id":"1"}' >line
}
sql() { psql -h "$PG" -U ctx -d postgres -X -q -A -t -c "$1"; }

# store_as USER [HOST [MORE]]: let CTX_DB be this test's schema.
store_as() {
	export CTX_DB="postgresql://$1@/postgres?host=${2:-$PG}&options=-csearch_path%3D$S${3:-}"
}

# refused MESSAGE: neither a reader nor a writer can use it.
refused() {
	exits 4 ctx-store load S
	said "ctx-store load: $1"
	silent
	exits 4 ctx-store append S line
	said "ctx-store append: $1"
}

@test "pg damage: tables of a newer version" {
	exits 0 ctx-store append S line
	sql "UPDATE $S.meta SET value = '99' WHERE key = 'tables'"
	refused "postgresql:///postgres: version 99 is newer than this program's version 1"
	# also if they lack what we would look at
	sql "ALTER TABLE $S.thread DROP COLUMN change; DROP TABLE $S.event"
	refused "postgresql:///postgres: version 99 is newer than this program's version 1"
}

@test "pg damage: tables of another program are not touched" {
	sql "CREATE TABLE $S.meta(a int)"
	refused "postgresql:///postgres: not a ctx store"
	sql "DROP TABLE $S.meta; CREATE TABLE $S.message(a int)"
	exits 1 ctx-store load S
	says '*: no such store'
	exits 4 ctx-store append S line
	says '*: not a ctx store, but it has a table with the name of one of ours; use another schema'
	[ "$(sql "SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = '$S'")" = message ]
}

@test "pg damage: no such schema, no rights" {
	exits 0 ctx-store append S line
	sql "CREATE ROLE weak LOGIN"
	store_as weak
	exits 1 ctx-store load S
	exits 4 ctx-store append S line
	said 'ctx-store append: postgresql:///postgres: no schema of the search path exists'
	sql "GRANT USAGE ON SCHEMA $S TO weak"
	refused 'postgresql:///postgres: permission denied for table meta'
	sql "GRANT SELECT ON ALL TABLES IN SCHEMA $S TO weak"
	exits 0 ctx-store load S
	same out line
	exits 4 ctx-store append S line
	said 'ctx-store append: postgresql:///postgres: permission denied for table thread'
	exits 4 ctx-store rm S
	says '*permission denied for table thread'
}

is_locked() { ! psql -h "$PG" -U known -d postgres -X -w -c "" 2>/dev/null; }

@test "pg damage: unknown host, role and service, wrong password" {
	CTX_DB=postgresql://ctx@nohost.invalid/x exits 4 ctx-store threads
	says '*postgresql://nohost.invalid/x: could not translate host name *'
	CTX_DB=service=none exits 4 ctx-store threads
	says '*definition of service "none" not found'
	store_as stranger
	exits 4 ctx-store threads
	says '*role "stranger" does not exist'
	sql "SET password_encryption = 'scram-sha-256'; CREATE ROLE known LOGIN PASSWORD 'right'"
	data=$(sql "SHOW hba_file")
	cp "$data" hba
	{ echo 'local all known scram-sha-256'; cat hba; } >"$data"
	sql "SELECT pg_reload_conf()"
	store_as known
	until_true is_locked
	exits 4 ctx-store threads
	says '*no password supplied'
	PGPASSWORD=wrong exits 4 ctx-store threads
	says '*password authentication failed for user "known"'
	lacks wrong err
	PGPASSWORD=right exits 1 ctx-store threads
}

@test "pg damage: a server that only reads is read" {
	exits 0 ctx-store append S line
	store_as ctx "$PG" %20-cdefault_transaction_read_only%3Don
	exits 0 ctx-store load S
	same out line
	exits 4 ctx-store append S line
	says '*session is read-only'
	exits 4 ctx-store rm S
	says '*session is read-only'
}

@test "pg damage: a server that is too old" {
	python3 "$ROOT/tests/pg/proxy.py" "$T/proxy" "$PG" version 12 3>&- &
	proxy=$!
	until_true [ -S "$T/proxy/.s.PGSQL.5432" ]
	store_as ctx "$T/proxy"
	refused 'postgresql:///postgres: PostgreSQL 12 is too old; 13 is needed'
	kill $proxy
}

@test "pg damage: a full disk of the server keeps what was acknowledged" {
	mkdir "$PG/small"
	mount -t tmpfs -o size=4m,mode=777 tmpfs "$PG/small" 2>/dev/null ||
		skip "no file system can be mounted here"
	mkdir "$PG/small/space"
	chown --reference="$PG/data" "$PG/small/space"
	chmod 700 "$PG/small/space"
	sql "CREATE TABLESPACE small LOCATION '$PG/small/space'"
	store_as ctx "$PG" %20-cdefault_tablespace%3Dsmall
	for _ in 1 2 3 4 5 6 7 8; do
		{ head -c 300000 /dev/urandom | to_base64 | fold -w 500; echo; } |
		    sed "s/.*/{\"role\":\"user\",\"content\":\"&\"}/"
	done >in
	rc=0
	ctx-store append --ack S <in >acks 2>err || rc=$?
	[ $rc = 4 ] || { cat err; fail "exit $rc"; }
	said 'ctx-store append: postgresql:///postgres: the disk of the server is full'
	n=$(wc -l <acks)
	[ "$n" -gt 100 ]
	exits 0 ctx-store load S
	same out <(head -n "$n" in)
	# with room again, the rest is stored
	mount -o remount,size=40m "$PG/small"
	exits 0 ctx-store append S <(tail -n +$((n + 1)) in)
	exits 0 ctx-store load S
	same out in
}
