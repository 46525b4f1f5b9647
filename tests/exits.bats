# shellcheck shell=bash
# Exit codes of several files: the highest of what each alone gives, in any
# order.

setup() {
	load helpers
	common_setup
	echo '{"role":"user","content":"hello there"}' >fine
	printf '%s\n' '{"role":"user","content":"hi"}' '{oops' >bad
	# a result without its call, and thinking that no other dialect takes
	{
		echo '{"role":"user","content":"one two three four five"}'
		echo '{"role":"tool","tool_call_id":"c9","content":"r"}'
		echo '{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"so"}]}'
	} >findings
	wide=$(printf 'word %.0s' {1..400})
	echo '{"role":"user","content":"'"$wide"'"}' >wide
}

# orders N WORD...: every ordered choice of N different words, a line each.
orders() {
	local n=$1 w v rest

	shift
	if [ "$n" -eq 0 ]; then
		echo
		return
	fi
	for w; do
		rest=()
		for v; do
			if [ "$v" != "$w" ]; then rest+=("$v"); fi
		done
		orders $((n - 1)) "${rest[@]}" | sed "s/^/$w /"
	done
}

# highest NO COMMAND...: files in every order and number; NO is the name of the
# one that gives 1, or "-".
highest() {
	local no=$1 files f n want got kinds=(missing bad fine)

	shift
	if [ "$no" != - ]; then kinds+=("$no"); fi
	for n in 1 2 3 4; do
		[ "$n" -le "${#kinds[@]}" ] || continue
		while read -r files; do
			want=0
			for f in $files; do
				case $f in
				missing) n=4 ;;
				bad) n=3 ;;
				fine) n=0 ;;
				*) n=1 ;;
				esac
				if [ "$n" -gt "$want" ]; then want=$n; fi
			done
			got=0
			# shellcheck disable=SC2086
			"$@" $files >out 2>err </dev/null || got=$?
			[ "$got" -eq "$want" ] || {
				echo "exit $got instead of $want: $* $files"
				cat err
				return 1
			}
		done < <(orders "$n" "${kinds[@]}")
	done
}

# The command $1 with options under which a file is refused, and that file.
refusing() {
	case $1 in
	ctx-clean) echo "findings ctx-clean --check" ;;
	ctx-truncate) echo "wide ctx-truncate -t 100" ;;
	ctx-count) echo "wide ctx-count --max 100" ;;
	ctx-convert) echo "findings ctx-convert --to openai --strict" ;;
	ctx-summarize) echo "- ctx-summarize" ;;
	*) ;;
	esac
}

@test "exits: of several files the highest counts, in every order" {
	each=$(reading_commands)
	for c in $each; do
		# its operands are files to digest; see below
		if [ "$c" = ctx-digest-files ]; then continue; fi
		# shellcheck disable=SC2046
		set -- $(refusing "$c")
		[ "$#" -gt 1 ]
		highest "$@"
		for how in skip keep; do
			highest "$@" --on-error "$how"
		done
	done
	highest findings ctx-clean --check --json
	highest wide ctx-count --max 100 --per-message
	highest wide ctx-count --max 100 -j 2
	highest findings ctx-convert --to openai --strict -j 2
	highest - ctx-convert --to openai -j 2
	highest - ctx-count --by-tool
}

# highest_in_place: the same with -i, on copies.
fresh() {
	local c=() f

	for f; do
		case $f in
		missing | bad | fine | findings | wide)
			rm -f "x$f"
			if [ -f "$f" ]; then cp "$f" "x$f"; fi
			c+=("x$f") ;;
		*) c+=("$f") ;;
		esac
	done
	"${c[@]}"
}

@test "exits: with -i too" {
	highest wide fresh ctx-truncate -t 100 -i
	highest - fresh ctx-clean -i
	highest - fresh ctx-summarize -i
	highest - fresh ctx-digest-files -i
}

@test "exits: texts, ids and files to digest that are missing, before and after" {
	for set in "ctx-count --text" "ctx-count --encode" ctx-digest-files; do
		# shellcheck disable=SC2086
		exits 4 $set missing fine
		[ -s out ]
		# shellcheck disable=SC2086
		exits 4 $set fine missing
		[ -s out ]
	done
	exits 4 ctx-count --text --max 1 wide missing
	exits 4 ctx-count --text --max 1 missing wide
	exits 1 ctx-count --text --max 1 wide fine
	echo '[1,oops]' >ids
	exits 3 ctx-count --decode ids
	exits 4 ctx-count --decode ids missing
	exits 4 ctx-count --decode missing ids
}
