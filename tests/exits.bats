# shellcheck shell=bash
# With several files, the exit code is the highest of those that each file alone
# gives, in any order.

setup() {
	load helpers
	common_setup
	echo '{"role":"user","content":"hello there"}' >fine
	printf '%s\n' '{"role":"user","content":"hi"}' '{oops' >bad
	# a result without its call, and thinking, which other dialects cannot
	# express
	{
		echo '{"role":"user","content":"one two three four five"}'
		echo '{"role":"tool","tool_call_id":"c9","content":"r"}'
		echo '{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"so"}]}'
	} >findings
	wide=$(printf 'word %.0s' {1..400}; printf 'item_%d ' {1001..1020})
	echo '{"role":"user","content":"'"$wide"'"}' >wide
	some 2 2 4
	MOST=$some	# files at a time
}

# orders N CHOSEN WORD...: print every ordered choice of N different words, after
# those that are chosen, one on each line.
orders() {
	local n=$1 chosen=$2 w v rest

	shift 2
	if [ "$n" -eq 0 ]; then
		echo "$chosen"
		return
	fi
	for w; do
		rest=()
		for v; do
			if [ "$v" != "$w" ]; then rest+=("$v"); fi
		done
		orders $((n - 1)) "$chosen$w " "${rest[@]}"
	done
}

# highest NO COMMAND...: try every number, up to $MOST, and order of files.  NO is the file
# that gives exit code 1, or "-".
highest() {
	local no=$1 files f n want got kinds=(missing bad fine)

	shift
	if [ "$no" != - ]; then kinds+=("$no"); fi
	for n in 1 2 3 4; do
		[ "$n" -le "$MOST" ] && [ "$n" -le "${#kinds[@]}" ] || continue
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
		done < <(orders "$n" "" "${kinds[@]}")
	done
}

# Print a file that command $1 refuses, and the command with the options for
# that.
refusing() {
	case $1 in
	ctx-clean) echo "findings ctx-clean --check" ;;
	ctx-truncate) echo "wide ctx-truncate -t 100" ;;
	ctx-count) echo "wide ctx-count --max 100" ;;
	ctx-convert) echo "findings ctx-convert --to openai --strict" ;;
	ctx-show) echo "- ctx-show" ;;	# it never says no
	ctx-summarize) echo "wide ctx-summarize --all --max-tokens 24 --min-facts 1" ;;
	*) ;;
	esac
}

@test "exits: the highest code of several files counts, in every order" {
	each=$(reading_commands)
	for c in $each; do
		# its operands are files to digest; they are tested below
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

# fresh COMMAND...: run it, for use with `highest` and -i, on copies of the
# files.
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

@test "exits: the same with -i" {
	highest wide fresh ctx-truncate -t 100 -i
	highest - fresh ctx-clean -i
	highest - fresh ctx-summarize -i
	highest - fresh ctx-digest-files -i
}

@test "exits: missing texts, ids and files to digest, before and after other files" {
	for set in "ctx-count --text" "ctx-count --encode" "ctx-clean --text" \
	    ctx-digest-files; do
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
