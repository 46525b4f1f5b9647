# shellcheck shell=bash
# With CTX_TEST_DB=postgresql, tests of ctx-store run on a server that lives as long as
# this run of bats (see helpers.bash), or on the one in the folder CTX_TEST_PG, which
# tests/pg/server started.

setup_suite() {
	[ "${CTX_TEST_DB:-}" = postgresql ] || return 0
	OWN_SERVER=
	[ -n "${CTX_TEST_PG:-}" ] || OWN_SERVER=$(mktemp -u /tmp/ctx-pg-XXXXXX)
	export CTX_TEST_PG=${CTX_TEST_PG:-$OWN_SERVER}
	[ -z "$OWN_SERVER" ] ||
		"$BATS_TEST_DIRNAME/pg/server" start "$CTX_TEST_PG" $$
}

teardown_suite() {
	[ -z "${OWN_SERVER:-}" ] || "$BATS_TEST_DIRNAME/pg/server" stop "$OWN_SERVER"
}
