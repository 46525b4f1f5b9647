# Memory that runs out, a database that fails: samples of what `make check-alloc`
# and `make check-db` do in full.

setup() { load helpers; common_setup; }

# failing NAME: the library tests/fault/NAME.c.
failing() {
	[ "$(uname)" = Linux ] || skip "no LD_PRELOAD of glibc here"
	${CC:-cc} -shared -fPIC -O1 -o "$1.so" "$ROOT/tests/fault/$1.c" -ldl
}

@test "alloc: whichever request for memory fails, exit 4 or the same bytes" {
	if nm -D "$BUILD/ctx-clean" 2>/dev/null | grep -q ' [TW] malloc$'; then
		skip "a sanitizer inside of the program keeps malloc to itself"
	fi
	failing failalloc
	# where a thread ends, a sanitizer gives up if it is refused memory
	if sanitized; then
		without=(-x threads)
	fi
	# shellcheck disable=SC2086
	python3 "$ROOT/tests/fault/allocs.py" -b "$BUILD" -l failalloc.so \
	    "${without[@]}" ${ALLOC_FLAGS:--c 6 -s 100} >log 2>&1 || { cat log; false; }
	grep -q '^[1-9][0-9]* failures, 0 ended wrongly$' log
}

@test "alloc: whichever call of SQLite fails, exit 4 or the same bytes" {
	failing faildb
	# shellcheck disable=SC2086
	python3 "$ROOT/tests/fault/allocs.py" -b "$BUILD" -l faildb.so \
	    ${ALLOC_FLAGS:--c 4 -s 40} ctx-store >log 2>&1 || { cat log; false; }
	grep -q '^[1-9][0-9]* failures, 0 ended wrongly$' log
}
