# Laws that hold for every history.  They are tested on the logs in
# tests/data/logs and on random histories with a fixed seed (tests/gen.py), in
# which ids are reused and calls are parallel, half answered or out of order.
# tests/laws.py states the laws; tests/valid.py, which knows the APIs' rules but
# not our code, judges validity.
#
# CTX_SEED and CTX_HISTORIES select other histories.  Sanitizers get fewer.

setup() {
	load helpers
	common_setup
	count=60 laws='clean shape window fold dropped apart'
	if sanitized; then
		count=20 laws='clean shape fold'
	fi
	seed=${CTX_SEED:-1} count=${CTX_HISTORIES:-$count}
	export PYTHONDONTWRITEBYTECODE=1
}

law() { exits 0 python3 "$ROOT/tests/laws.py" "$@"; }
random_and_logs() {
	law "$1" random "$seed" "$count"
	law "$1" logs "$DATA/logs"
}

@test "property: what ctx-clean writes is valid, and a second run does not change it" {
	random_and_logs clean
}

@test "property: a conversation line gives the same result as its message lines" {
	random_and_logs shape
}

@test "property: a clean history stays valid, and fits, at every N and every budget" {
	random_and_logs window
}

@test "property: a clean history stays valid when it is folded once or twice" {
	random_and_logs fold
}

@test "property: what is kept and what is dropped are together the input" {
	random_and_logs dropped
}

@test "property: interleaved conversations give the same result as each of them alone" {
	random_and_logs apart
}

@test "property: the generator and the validator are deterministic and find faults" {
	python3 "$ROOT/tests/gen.py" 7 openai 200 >o
	python3 "$ROOT/tests/gen.py" 7 openai 200 | cmp - o
	exits 1 python3 "$ROOT/tests/valid.py" openai o
	python3 "$ROOT/tests/gen.py" 7 anthropic 200 >a
	exits 1 python3 "$ROOT/tests/valid.py" anthropic a
	exits 0 python3 "$ROOT/tests/valid.py" openai \
	    "$DATA/logs/bookings.openai.jsonl"
}

@test "property: the laws hold for other people's histories" {
	other_peoples
	for l in $laws; do
		law "$l" logs "$CTX_DATA/transcripts"
	done
}
