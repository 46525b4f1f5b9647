# shellcheck shell=bash
# The server that the tests of ctx-summarize with a model ask (stub/faultd.py), and
# what they ask it about.  With it:
#
#	setup() { load helpers; load endpoint; common_setup; endpoint; }
#	teardown() { exec 9>&-; }

# Start the server on $PORT, which writes its requests to $T/log, and write the
# conversation to $T/in.
endpoint() {
	conversation >"$T/in"
	# the server exits when this end of its standard input is closed
	mkfifo "$T/life"
	python3 "$ROOT/tests/stub/faultd.py" "$T/log" <"$T/life" \
	    >"$T/port" 3>&- &
	exec 9>"$T/life"
	wait_for "$T/port"
	PORT=$(cat "$T/port")
	export PORT
}

wait_for() { until_true [ -s "$1" ]; }

# Print 24 turns, the first of which are folded if the budget is 2000 tokens.
conversation() {
	local i

	echo '{"role":"system","content":"You help teachers."}'
	for i in {1..12}; do
		echo '{"role":"user","content":"Request '"$i"' for class' \
		    '7B: '"$(printf 'please look at it %.0s' {1..16})"'"}'
		echo '{"role":"assistant","content":"Result '"$i"' is' \
		    "ready: $(printf 'here it comes now %.0s' {1..16})"'"}'
	done
}
