# shellcheck shell=bash
# With CTX_TEST_DB=postgresql, tests of ctx-store run on a server that lives as long as
# this run of bats (see helpers.bash), or on the one in the folder CTX_TEST_PG, which
# tests/pg/server started.  With CTX_TEST_DB=pgbouncer, they reach it through a pool.

setup_suite() {
	case ${CTX_TEST_DB:-} in
	postgresql | pgbouncer) ;;
	*) return 0 ;;
	esac
	OWN_SERVER=
	[ -n "${CTX_TEST_PG:-}" ] || OWN_SERVER=$(mktemp -u /tmp/ctx-pg-XXXXXX)
	export CTX_TEST_PG=${CTX_TEST_PG:-$OWN_SERVER}
	[ -z "$OWN_SERVER" ] ||
		"$BATS_TEST_DIRNAME/pg/server" start "$CTX_TEST_PG" $$
	[ "$CTX_TEST_DB" = postgresql ] || [ -d "$CTX_TEST_PG/pool" ] ||
		"$BATS_TEST_DIRNAME/pg/server" pool "$CTX_TEST_PG"
}

teardown_suite() {
	[ -z "${OWN_SERVER:-}" ] || "$BATS_TEST_DIRNAME/pg/server" stop "$OWN_SERVER"
}
