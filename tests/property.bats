# Laws that hold for every history.  They are tested on the logs in
# tests/data/logs and on random histories of eight dialects with a fixed seed
# (tests/histories.py), whose messages are dropped, repeated and reordered, whose
# ids are swapped and reused, and whose members are null, empty, missing or
# unknown.  tests/laws.py states the laws; tests/validate.py, which knows the APIs'
# rules but not our code, judges validity.
#
# SEED and HISTORIES select other histories, HISTORIES of each dialect, with all
# options; without them (or WHOLE), each gets a sixth of the options, at random but
# always the same.  Sanitizers get fewer histories, and run fewer laws.

setup() {
	load helpers
	common_setup
	count=5 laws='clean shape window fold dropped apart steady'
	if sanitized; then
		count=4 laws='clean fold'
	fi
	[ -n "${HISTORIES:-}${WHOLE:-}" ] || export SHARE=${SHARE:-6}
	seed=${SEED:-1} count=${HISTORIES:-$count}
}

law() { exits 0 python3 "$ROOT/tests/laws.py" "$@"; }
random_and_logs() {
	law "$1" random "$seed" "$count"
	sanitized || law "$1" logs "$DATA/logs"
}

@test "property: a sound history is recognized, and passes unchanged" {
	law found random "$seed" "$count"
}

@test "property: what ctx-clean writes is valid, and a second run does not change it" {
	random_and_logs clean
}

@test "property: message lines, a conversation and a request have one verdict and result" {
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

@test "property: records that are no messages change nothing of what is written of others" {
	random_and_logs beside
}

@test "property: what is done with a history does not depend on how JSON spells it" {
	[ "${SHARE:-1}" -eq 1 ] || SHARE=$((SHARE * 2))
	random_and_logs spelled
}

@test "property: the result for a longer history begins with that for the shorter one" {
	random_and_logs steady
}

@test "property: the laws hold for other people's histories" {
	other_peoples
	some 150 150
	for l in $laws ${WHOLE:+beside spelled}; do
		law "$l" logs "$CTX_DATA/transcripts" "$some"
	done
}
