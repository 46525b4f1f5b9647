# Laws that hold for every history: on seeded random ones (tests/gen.py), whose
# ids come again and whose calls are parallel, half answered or out of order,
# and on the logs of tests/data/logs.  tests/laws.py states the laws; validity is
# judged by tests/valid.py, which knows the APIs' rules and not our code.
#
# CTX_SEED and CTX_HISTORIES choose others than the ones of every run.  With
# sanitizers there are fewer.

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

@test "property: what ctx-clean writes is valid, and is left alone the next time" {
	random_and_logs clean
}

@test "property: a conversation line comes to the same as its message lines" {
	random_and_logs shape
}

@test "property: a clean history stays valid at every N and every budget, and fits" {
	random_and_logs window
}

@test "property: a clean history stays valid when it is folded, and folded again" {
	random_and_logs fold
}

@test "property: what is kept and what is dropped are what came" {
	random_and_logs dropped
}

@test "property: conversations that are interleaved come out as each alone" {
	random_and_logs apart
}

@test "property: the generator and the judge agree on what is valid and what not" {
	python3 "$ROOT/tests/gen.py" 7 openai 200 >o
	python3 "$ROOT/tests/gen.py" 7 openai 200 | cmp - o
	exits 1 python3 "$ROOT/tests/valid.py" openai o
	python3 "$ROOT/tests/gen.py" 7 anthropic 200 >a
	exits 1 python3 "$ROOT/tests/valid.py" anthropic a
	exits 0 python3 "$ROOT/tests/valid.py" openai \
	    "$DATA/logs/bookings.openai.jsonl"
}

@test "property: the laws hold for other people's histories, too" {
	other_peoples
	for l in $laws; do
		law "$l" logs "$CTX_DATA/transcripts"
	done
}
