# Samples of what `make check-alloc` and `make check-db` do in full: make memory
# run out, and make the database fail.

setup() { load helpers; common_setup; }

# failing NAME: print the path of the library built from tests/fault/NAME.c.
failing() {
	[ "$(uname)" = Linux ] || skip "no LD_PRELOAD of glibc here"
	${CC:-cc} -shared -fPIC -O1 -o "$1.so" "$ROOT/tests/fault/$1.c" -ldl
}

@test "alloc: whichever allocation fails, the exit code is 4 or the bytes are the same" {
	if nm -D "$BUILD/ctx-clean" 2>/dev/null | grep -q ' [TW] malloc$'; then
		skip "a sanitizer inside of the program keeps malloc to itself"
	fi
	failing failalloc
	# a sanitizer gives up if a thread that ends is refused memory
	if sanitized; then
		without=(-x threads)
	fi
	# shellcheck disable=SC2086
	python3 "$ROOT/tests/fault/allocs.py" -b "$BUILD" -l failalloc.so \
	    "${without[@]}" ${ALLOC_FLAGS:--c 11 -s 300} >log 2>&1 || { cat log; false; }
	grep -q '^[1-9][0-9]* failures, 0 ended wrongly$' log
}

@test "alloc: whichever SQLite call fails, the exit code is 4 or the bytes are the same" {
	failing faildb
	make -s -C "$ROOT" BUILD="$BUILD" \
	    "$BUILD/shared/ctx-store" >log 2>&1 || { cat log; false; }
	# shellcheck disable=SC2086
	python3 "$ROOT/tests/fault/allocs.py" -b "$BUILD/shared" -l faildb.so \
	    ${ALLOC_FLAGS:--c 7 -s 60} -x ctx-store-pg ctx-store >log 2>&1 || { cat log; false; }
	grep -q '^[1-9][0-9]* failures, 0 ended wrongly$' log
}
