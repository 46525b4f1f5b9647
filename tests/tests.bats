# The tests themselves: every assertion in them can fail.

setup() { load helpers; common_setup; }

void() { python3 "$ROOT/tests/void-assertions.py" "$@"; }

@test "tests: there are no assertions that cannot fail" {
	exits 0 void "$ROOT"/tests/*.bats
	silent
}

@test "tests: assertions that cannot fail are found" {
	sed "s/^%/@/" >x.bats <<-'X'
	helper() {
		true && true
		[ a ] && [ b ]
	}
	# [ a ] && [ b ]
	%test "x && y" {
		[ a = b ] && [ b = c ]
		run x <<-'Y' &&
		a && b
		Y
		    x
		! grep x y
		for i in 1 2; do [ $i = 1 ] && true; done
		x=$(a && b) y="a && b" z='! c'
		[[ a && b ]]
		if a && b; then c; elif ! d; then (cd x && y); fi
		while ! a && b; do c && break; done
		a && b || fail
		a || b && c
		case $x in a) a && b ;; esac
		inner() { a && b; }
		a | ! b
		a && b
	}
	X
	exits 1 void x.bats
	cat >want <<-'X'
	x.bats:2: A && B: true && true
	x.bats:7: A && B: [ a = b ] && [ b = c ]
	x.bats:8: A && B: run x <<-'Y' && a && b Y x
	x.bats:12: ! cmd: ! grep x y
	x.bats:13: A && B: do [ $i = 1 ] && true
	x.bats:19: A && B: a || b && c
	x.bats:20: A && B: case $x in a) a && b
	x.bats:23: A && B: a && b
	X
	same out want
}

@test "tests: a variable that a test reads is not hidden from it" {
	names=$(grep -oh '${CTX_[A-Z][A-Z_]*' "$ROOT"/tests/*.bats | sort -u)
	[ "$(wc -l <<<"$names")" -gt 4 ]
	for v in ${names//'${'/}; do
		export "$v=set"
	done
	clean_environment
	for v in ${names//'${'/}; do
		[ "${!v:-}" = set ] || fail "$v: clean_environment unsets it"
	done
}

@test "tests: nothing waits for a fixed time" {
	# until_true waits for a condition
	if grep -nE '^[[:space:]]*sleep ' "$ROOT"/tests/*.bats; then
		fail "a fixed sleep"
	fi
}

@test "tests: an assertion that fails ends its test, wherever it is" {
	mkdir tests
	ln -s "$ROOT/tests/data" tests/data
	sed "s/^%/@/" >tests/x.bats <<-'X'
	setup() { load "$HELPERS"; common_setup; }
	loop() { for x in a; do "$@"; done; true; }
	%test "list" { exits 1 true || true; }
	%test "condition" { if same /dev/null x; then true; fi; true; }
	%test "function" { loop has nothing /etc/passwd; true; }
	%test "negated" { ! lacks root /etc/passwd; true; }
	%test "no file" { lacks root nosuch; true; }
	%test "waited for" { PATIENCE=1 until_true false; true; }
	%test "one that passes" { loop true; }
	X
	HELPERS=$ROOT/tests/helpers exits 1 bats --tap tests/x.bats
	[ "$(grep -c '^not ok' out)" -eq 6 ]
	has '^ok 7 one that passes$' out
	# the lines in the file, the innermost first
	has '^# at line 2 5: grep exits 1 instead of 0: nothing ' out
}

@test "tests: what sanitizers leave out are names of tests" {
	grep -h '^@test ' "$ROOT"/tests/*.bats | sed 's/^@test "\(.*\)" {$/\1/' |
	    LC_ALL=C sort >names
	LC_ALL=C sort -u "$ROOT/tests/edges/elsewhere" >elsewhere
	[ "$(wc -l <elsewhere)" -gt 1000 ]
	LC_ALL=C comm -23 elsewhere names >unknown
	same unknown /dev/null
}

@test "tests: sanitizers run what is not named in the list, or all that is asked for" {
	mkdir -p tests/edges build/unit
	cp "$ROOT/tests/run" tests
	echo __asan_init >build/ctx-clean
	printf '%s\n' 'a: two (2)' 'b: one' >tests/edges/elsewhere
	printf '@test "a: %s" {\n\ttrue\n}\n\n' 'one.*' 'two (2)' three >tests/a.bats
	printf '@test "b: one" {\n\tfalse\n}\n' >tests/b.bats
	# bats has put its own folder first, and functions that sh does not keep
	run_all() {
		env -u SKIPS -u LEAKS BUILD=build JOBS=2 \
		    PATH="${PATH//"${BATS_LIBEXEC:-/none}:"/}" "$@"
	}
	exits 0 run_all tests/run
	has -x 'a: 2 passed, 0 failed ([0-9]* s)' out
	[ "$(tail -n 1 out)" = '2 passed, 0 failed, 0 skipped' ]
	exits 1 run_all LEAKS=1 tests/run
	[ "$(tail -n 1 out)" = '3 passed, 1 failed, 0 skipped' ]
	exits 1 run_all tests/run a.bats b.bats
	[ "$(tail -n 1 out)" = '3 passed, 1 failed, 0 skipped' ]
	: >build/ctx-clean
	exits 1 run_all tests/run
	[ "$(tail -n 1 out)" = '3 passed, 1 failed, 0 skipped' ]
}
