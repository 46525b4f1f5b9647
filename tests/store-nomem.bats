# When memory is limited, ctx-store exits with 4 and what it has printed is
# true.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
	# a sanitizer reserves terabytes of address space when it starts
	if sanitized; then
		skip "address space cannot be limited under a sanitizer"
	fi
	for ((i = 0; i < 60; i++)); do
		printf '{"id":"g%d","role":"user","content":"%060000d"}\n' $i $i
	done >in
}

# within KB COMMAND...: run it with this limit of address space; $rc is its exit
# code.
within() {
	local kb=$1

	shift
	rc=0
	(ulimit -v "$kb" && exec "$@") >out 2>err || rc=$?
}

# Print the smallest limit with which the program starts.
least() {
	local kb=2000

	until within $kb ctx-store --help && [ $rc -eq 0 ]; do
		kb=$((kb + 50))
		[ $kb -lt 200000 ] || return 1
	done
	echo $kb
}

# ended_well KB: assert exit code 0 without messages, or 4 with a reason.
ended_well() {
	[ $rc -eq 0 ] || [ $rc -eq 4 ] ||
	    { echo "exit $rc with $1 KB"; cut -c 1-300 err; return 1; }
	[ $rc -eq 0 ] || [ -s err ] || { echo "no reason with $1 KB"; return 1; }
	[ $rc -ne 0 ] || quiet
}

# sweep MB STEP FUNCTION...: call FUNCTION KB for limits from the smallest one
# up to MB more; with the last it must succeed.
sweep() {
	local first mb=$1 step=$2 kb

	shift 2
	first=$(least) || return 1
	some 4 1
	step=$((step * some))
	for ((kb = first; kb < first + mb * 1024; kb += step)); do
		"$@" $kb || return 1
	done
	[ $rc -eq 0 ] || { echo "still exit $rc with $kb KB"; return 1; }
}

# append_within OPTION... KB: assert that acknowledged lines are stored, and
# that a retry works.
append_within() {
	local kb=${!#} acks

	rm -f db*
	within "$kb" ctx-store append --ack "${@:1:$# - 1}" S in
	ended_well "$kb" || return 1
	acks=$(wc -l <out)
	head -n "$acks" in | sed 's/^{"id":"\([^"]*\)".*/\1/' >ids
	jq -r 'select(.stored) | .id' out | cmp - ids || return 1
	[ $rc -eq 4 ] || [ "$acks" -eq 60 ] || return 1
	if [ -s db ]; then
		ctx-store load S >kept 2>load.err ||
		    grep -q 'no such thread' load.err || return 1
		[ "$(wc -l <kept)" -ge "$acks" ] || return 1
		head -n "$(wc -l <kept)" in | cmp - kept || return 1
	fi
	[ $rc -eq 0 ] || ctx-store append --no-index S in || return 1
	ctx-store load S | cmp - in
}

@test "nomem: append acknowledges what it stored, and a retry stores the rest" {
	sweep 8 400 append_within --no-index
}

@test "nomem: append with the index, and with --atomic" {
	sweep 14 1300 append_within
	sweep 14 1300 append_within --atomic --no-index
}

load_within() {
	within "$1" ctx-store load S
	ended_well "$1" || return 1
	[ $rc -eq 4 ] || same out in || return 1
	head -c "$(wc -c <out)" in | cmp - out
}

@test "nomem: load prints the beginning of the log, or all of it" {
	ctx-store append --no-index S in
	sweep 9 200 load_within
}

checkpoint_within() {
	rm -f db*
	within "$1" ctx-store checkpoint put --id one S <state
	ended_well "$1" || return 1
	if [ $rc -eq 0 ]; then
		ctx-store checkpoint get S one | cmp - state
	elif [ -s db ]; then
		if ctx-store checkpoint get S one 2>err; then return 1; fi
	fi
}

@test "nomem: checkpoint put stores a complete state, or reports that it did not" {
	printf '{"state":"%01000000d"}\n' 7 >state
	sweep 9 200 checkpoint_within
}

import_within() {
	local n

	rm -f db*
	within "$1" ctx-store import -q export
	ended_well "$1" || return 1
	[ -s db ] || return 0
	n=$(ctx-store threads | wc -l)
	[ $rc -eq 4 ] || [ "$n" -eq 3 ] || return 1
	each=$(ctx-store threads | jq -r .thread_id) || return 1
	for t in $each; do
		ctx-store load "$t" | cmp - in || return 1
	done
}

@test "nomem: import stores complete threads" {
	head -n 20 in >few
	mv few in
	for t in A B C; do ctx-store append --no-index $t in; done
	ctx-store export >export
	sweep 9 300 import_within
}
