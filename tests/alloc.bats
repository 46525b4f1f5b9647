# Memory that runs out: a sample of what `make check-alloc` does in full.

setup() { load helpers; common_setup; }

@test "alloc: whichever request for memory fails, exit 4 or the same bytes" {
	if nm -D "$BUILD/ctx-clean" 2>/dev/null | grep -q ' [TW] malloc$'; then
		skip "a sanitizer inside of the program keeps malloc to itself"
	fi
	[ "$(uname)" = Linux ] || skip "no LD_PRELOAD of glibc here"
	${CC:-cc} -shared -fPIC -O1 -o failalloc.so \
	    "$ROOT/tests/fault/failalloc.c" -ldl
	# shellcheck disable=SC2086
	python3 "$ROOT/tests/fault/allocs.py" -b "$BUILD" -l failalloc.so \
	    ${ALLOC_FLAGS:--c 6 -s 100} >log 2>&1 || { cat log; false; }
	grep -q '^[1-9][0-9]* allocations failed, 0 ended wrongly$' log
}
