#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every dialect through every filter.
#
# tests/data/dialects/NAME.faulty.jsonl is one conversation, written in each
# dialect: a call whose result is there, a result that nobody asked for, a call
# that was never answered, and one with reasoning before it.  Each text and
# each call's argument has a mark in it, MU1, MC2 ..., so that what a filter
# did is the list of the marks that are left.
# NAME.awkward.jsonl is valid and spelled as badly as JSON allows.

setup() { load helpers; common_setup; D=$DATA/dialects; }

FAULTY=(openai anthropic openai-responses gemini langchain langchain-lc
    langchain-flat pydantic-ai claude-code codex codex-bare sharegpt ai-sdk
    ai-sdk-v4)

marks() { grep -o 'M[A-Z][0-9]' | sort -u | tr '\n' ' '; }

# faultless FILE: --check has nothing to say, except whose turn it is, which
# follows from what was dropped and which ctx-convert settles.
faultless() {
	ctx-clean --check "$1" | grep -v same-role >faults || return 0
	cat faults
	return 1
}

# each MARKS COMMAND...: it leaves these marks, whatever the dialect.
each() {
	local want=$1 d got

	shift
	for d in "${FAULTY[@]}"; do
		got=$("$@" <"$D/$d.faulty.jsonl" | marks)
		[ "$got" = "$want " ] && continue
		echo "$d: $*"
		echo "wanted: $want"
		echo "got:    $got"
		return 1
	done
}

@test "dialects: clean keeps and drops the same in all" {
	each 'MA1 MA2 MA4 MC1 MC3 MR1 MR3 MS0 MT3 MU1 MU2' ctx-clean
}

@test "dialects: a repaired call keeps its place in all" {
	each 'MA1 MA2 MA4 MC1 MC2 MC3 MR1 MR3 MS0 MT3 MU1 MU2' \
	    ctx-clean --unanswered repair
	for d in "${FAULTY[@]}"; do
		ctx-clean --unanswered repair "$D/$d.faulty.jsonl" >fixed
		faultless fixed || { echo "$d"; cat fixed; false; }
		[ "$(grep -c 'was not completed' fixed)" -eq 1 ]
		jq -c . fixed >/dev/null
	done
}

@test "dialects: --check finds the same two faults in all" {
	for d in "${FAULTY[@]}"; do
		exits 1 ctx-clean --check "$D/$d.faulty.jsonl"
		sed 's/.*error\[\([a-z-]*\)\].*/\1/' "$T/out" | sort >rules
		printf 'orphan-result\nunanswered-call\n' | cmp - rules ||
		    { echo "$d"; cat out; false; }
	done
}

@test "dialects: what clean leaves is clean, and named or found out alike" {
	for d in "${FAULTY[@]}"; do
		ctx-clean "$D/$d.faulty.jsonl" >once
		faultless once
		ctx-clean once | cmp - once
		case $d in
		langchain*) n=langchain ;;
		codex*) n=codex ;;
		ai-sdk*) n=ai-sdk ;;
		*) n=$d ;;
		esac
		ctx-clean -d "$n" "$D/$d.faulty.jsonl" | cmp - once
	done
}

@test "dialects: truncate cuts between the same groups in all" {
	for d in "${FAULTY[@]}"; do
		ctx-clean "$D/$d.faulty.jsonl" >"$T/clean"
		got=$(ctx-truncate -t 30 -e chars --overhead 0 clean | marks)
		case $got in
		*MC3*MR3* | *'MA4 '*) ;;
		*) echo "$d: $got"; false ;;
		esac
		# a group is never torn
		case $got in
		*MC3*MR3*MT3* | *MC3*MR3*) ;;
		*MC3* | *MR3* | *MT3*) echo "$d: $got"; false ;;
		esac
		ctx-truncate -n 3 clean >cut
		faultless cut || { echo "$d"; cat cut; false; }
	done
}

@test "dialects: results are shortened in all" {
	for d in "${FAULTY[@]}"; do
		ctx-clean --max-result 3 "$D/$d.faulty.jsonl" >short
		case $d in
		# a value that is no text is not shortened
		ai-sdk-v4) n=1 ;;
		# for the interface, the text stands there twice
		claude-code) n=4 ;;
		*) n=2 ;;
		esac
		got=$(grep -o '(truncated, [0-9]* chars total)' short | wc -l)
		[ "$got" -eq "$n" ] || { echo "$d: $got"; cat short; false; }
		ctx-clean --max-result 3 short | cmp - short
	done
}

@test "dialects: histories as badly spelled as JSON allows pass untouched" {
	for f in "$D"/*.awkward.jsonl; do
		exits 0 ctx-clean --check "$f" || { echo "$f"; false; }
		ctx-clean "$f" | cmp - "$f"
		ctx-clean --keep-pending --unanswered drop "$f" | cmp - "$f"
		ctx-truncate -n 100 "$f" | cmp - "$f"
		ctx-truncate -t 1M "$f" | cmp - "$f"
		ctx-count "$f" >count
	done
}

@test "dialects: the real session files have no fault" {
	exits 0 ctx-clean --check "$DATA"/transcripts/*.jsonl
	for f in "$DATA"/transcripts/*.jsonl; do
		ctx-clean "$f" | cmp - "$f"
	done
}

@test "dialects: results of mutated histories are valid by the APIs' rules" {
	command -v python3 >/dev/null || skip "no python3"
	for d in openai anthropic openai-responses gemini; do
		python3 "$ROOT/tests/mutate.py" "$d" 20261121 400 >"$d.in"
		for how in trim drop repair; do
			ctx-clean -d "$d" --unanswered "$how" "$d.in" >"$d.out"
			python3 "$ROOT/tests/validate.py" "$d" <"$d.out" ||
			    { echo "$d $how"; false; }
			ctx-clean -d "$d" "$d.out" | cmp - "$d.out"
			ctx-truncate -d "$d" -n 5 "$d.out" >"$d.cut"
			python3 "$ROOT/tests/validate.py" "$d" <"$d.cut" ||
			    { echo "$d $how, cut"; false; }
		done
	done
}
