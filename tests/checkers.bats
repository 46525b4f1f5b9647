# The programs that run checkers: each says what failed and what was left out.

setup() { load helpers; common_setup; }

@test "checkers: check-all's table has what passed, failed or was skipped, and why" {
	cat >Makefile <<-'X'
	check: ; @echo "unit tests"; echo "12 passed, 0 failed, 3 skipped"
	check-db: ; @:; printf 'ok 1 x \043 skip\040no y\nok 2 z\n'
	check-agents: ; @echo "agents: skipped: there is no npm"
	lint: ; @echo "lint: bad"; exit 3
	valgrind: ; @echo "not run"
	X
	# without valgrind in PATH
	mkdir bin
	for p in sh dirname mkdir date grep tail tr cut sed make; do
		ln -s "$(command -v $p)" bin
	done
	MAKE="make -f $T/Makefile" LOGS=$T/logs PATH=$T/bin exits 1 \
	    "$ROOT/tests/all" check check-db check-agents lint valgrind
	sed -E 's/ +[0-9]+  / N  /' out >table
	cat >want <<-'X'
	target             seconds  result           last line
	check N  ok (3 skipped)   12 passed, 0 failed, 3 skipped
	check-db N  ok (1 skipped)   ok 2 z
	check-agents N  skipped          agents: skipped: there is no npm
	lint N  FAILED           lint: bad
	valgrind N  skipped          there is no valgrind here
	X
	echo "5 targets: 2 ok, 1 failed, 2 skipped; their output is in $T/logs" >>want
	same table want
	has '^lint: bad$' logs/lint
	MAKE="make -f $T/Makefile" LOGS=$T/logs exits 0 "$ROOT/tests/all" check
	exits 2 "$ROOT/tests/all"
}

@test "checkers: what an analyzer finds fails, unless it is accepted where it is" {
	mkdir -p tree/tests/analyze tree/lib/x bin
	cp "$ROOT/tests/analyze/run" tree/tests/analyze
	printf 'int a;\n\tint\tb;\nint a;\n' >tree/lib/x/y.c
	cat >bin/gcc <<-'X'
	#!/bin/sh
	case $1 in
	--version) echo "gcc (Debian) ${VERSION:-12.2.0}" ;;
	*) echo "lib/x/y.c:2:5: warning: b is bad [CWE-1] [-Wanalyzer-b]" >&2 ;;
	esac
	X
	chmod +x bin/gcc
	analyze() { PATH=$T/bin:$PATH tree/tests/analyze/run --tool gcc "$@"; }
	: >tree/tests/analyze/accepted
	exits 1 analyze
	cat >want <<-'X'
	lib/x/y.c:2: b is bad [CWE-1] [-Wanalyzer-b]
	analyze: gcc: 1 findings
	analyze: 1 findings that are not accepted
	X
	same out want
	# another line, or another check
	printf '%s\tlib/x/y.c\t%s\tit is fine\n' -Wanalyzer-b 'int a;' \
	    -Wanalyzer-c 'int b;' >tree/tests/analyze/accepted
	exits 1 analyze
	printf -- '-Wanalyzer-b\tlib/x/y.c\tint b;\tit is fine\n' \
	    >tree/tests/analyze/accepted
	exits 0 analyze
	# without a reason
	printf -- '-Wanalyzer-b\tlib/x/y.c\tint b;\t\n' >tree/tests/analyze/accepted
	exits 1 analyze
	: >tree/tests/analyze/accepted
	VERSION=99.1 exits 0 analyze
	has 'not counted: the list is for 12$' out
	python=$(python3 -c 'import sys; print(sys.executable)')
	PATH=$T/bin exits 77 "$python" tree/tests/analyze/run \
	    --tool cppcheck
	has '^analyze: skipped: no tool is installed$' out
}

@test "checkers: numbers that wrap around fail, unless they are meant to where they do" {
	mkdir -p tree/tests/analyze tree/lib/x reports
	cp "$ROOT/tests/analyze/run" tree/tests/analyze
	printf 'h *= 31;\n\twhile (i-- > 0)\nn = len - 1;\n' >tree/lib/x/y.c
	cat >reports/of.12 <<-'X'
	lib/x/y.c:1:3: runtime error: unsigned integer overflow: 9 * 31 cannot be
	SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior lib/x/y.c:1:3 in
	/tree/lib/x/y.c:2:11: runtime error: unsigned integer overflow: 0 - 1 cannot be
	lib/x/y.c:3:9: runtime error: unsigned integer overflow: 0 - 1 cannot be
	X
	cp reports/of.12 reports/of.13
	: >tree/tests/analyze/wraps
	exits 1 tree/tests/analyze/run --reports reports
	cat >want <<-'X'
	lib/x/y.c:1: unsigned integer overflow: 9 * 31 cannot be [sanitize]
	lib/x/y.c:3: unsigned integer overflow: 0 - 1 cannot be [sanitize]
	analyze: reports: 2 findings
	analyze: 2 findings that are not accepted
	X
	same out want
	printf 'sanitize\tlib/x/y.c\t%s\twhy\n' 'h *= 31;' >tree/tests/analyze/wraps
	exits 1 tree/tests/analyze/run --reports reports
	printf 'sanitize\tlib/x/y.c\t*\twhy\n' >tree/tests/analyze/wraps
	exits 0 tree/tests/analyze/run --reports reports
	# what is no longer found comes before the last line, which is check-all's
	printf 'sanitize\tlib/x/z.c\t*\twhy\n' >>tree/tests/analyze/wraps
	exits 0 tree/tests/analyze/run --reports reports
	cat >want <<-'X'
	analyze: reports: 2 findings
	analyze: no longer found: sanitize lib/x/z.c *
	analyze: 0 findings that are not accepted
	X
	same out want
	# without a report there is nothing that was looked at
	mkdir none
	exits 1 tree/tests/analyze/run --reports none
}
