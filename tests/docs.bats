# The documents are held to the code: usage, options, exit codes, variables,
# rules, and every example.

setup() {
	load helpers
	common_setup
	MAN=$ROOT/man
	[ -f "$MAN/ctx.7" ]	# or loops over pages were over none
}


# page FILE: as text, one line a paragraph, without overstriking.
page() { mandoc -T ascii -O width=1000 "$1" | sed "s/.$(printf '\b')//g"; }

# section NAME FILE: its lines without the indent of five.
section() {
	page "$2" | sed -n "/^$1\$/,/^[A-Z]/{/^[A-Z]/d;s/^     //;/./p;}"
}

# The commands and, for those that have some, their own commands:
# "ctx-store checkpoint put".
calls() {
	local c

	each=$(commands)
	for c in $each; do
		echo "$c"
		if [ "$c" = ctx-store ]; then
			store_commands | sed "s/^/$c /"
		fi
	done
}

# The options of a call, as "-n, --last N".
help_options() {
	# shellcheck disable=SC2086
	$1 --help | sed -nE 's/^  ((-., |    )--[^ ]+( [A-Z][^ ]*)?)( .*)?$/\1/p' |
	    sed 's/^ *//'
}

# The options that a page describes.
page_options() {
	page "$1" | sed -nE 's/^ +((-., )?--[a-z][^ ]*( [A-Z][^ ]*)?)(  .*)?$/\1/p'
}

each_page() {
	local p

	for p in "$MAN"/*.[1-9]; do
		"$@" "$p" || { echo "page: $p"; return 1; }
	done
}

# --- pages -------------------------------------------------------------------

@test "docs: every command has a page, every page a command" {
	each=$(commands)
	for c in $each; do
		[ -f "$MAN/$c.1" ] || { echo "no page: $c"; false; }
	done
	for p in "$MAN"/*.1; do
		c=$(basename "$p" .1)
		[ -f "$ROOT/cmd/$c.c" ] || { echo "no command: $c"; false; }
	done
}

lint() {
	mandoc -T lint -W warning "$1" >lint 2>&1 || :
	same lint /dev/null
}

@test "docs: pages are clean mdoc" {
	each_page lint
}

@test "docs: usage is the page's SYNOPSIS" {
	each=$(commands)
	for c in $each; do
		usage_of "$c" >usage
		section SYNOPSIS "$MAN/$c.1" | head -n 1 >synopsis
		about "command: $c"
		same usage synopsis
	done
}

@test "docs: usage of commands of commands is in the page" {
	calls | { grep ' ' || :; } >sub
	while read -r c s; do
		# shellcheck disable=SC2086
		usage=$(usage_of "$c" $s)
		page "$MAN/$c.1" | sed 's/^ *//' | grep -qxF -- "$usage" ||
		    { echo "not in $c.1: $usage"; false; }
	done <sub
}

@test "docs: options of --help are those of the page" {
	each=$(commands)
	for c in $each; do
		calls | grep -E "^$c( |\$)" | while read -r call; do
			help_options "$call"
		done | sort -u >help
		[ -s help ]
		page_options "$MAN/$c.1" | sort -u >page
		about "<: --help, >: $c.1"
		same page help
	done
}

@test "docs: --help has a line of its own for each option, in 80 columns" {
	calls | while read -r call; do
		# shellcheck disable=SC2086
		$call --help | awk 'length > 80' >long
		about "$call"
		same long /dev/null
		# shellcheck disable=SC2086
		$call --help | sed '1,/^$/d' | grep -E '^ +-' | grep -vE '  +[^ -]' >bare || :
		about "$call"
		same bare /dev/null
	done
}

@test "docs: options stand in the synopsis, -h and -V excepted" {
	each=$(commands)
	for c in $each; do
		usage=$(usage_of "$c")
		help_options "$c" | while read -r o; do
			case $o in
			-h,* | -V,*) continue ;;
			-?,*\[*) want="\\[${o%%,*}\\[" ;;
			-?,\ *\ *) want="\\[${o%%,*} ${o##* }\\]" ;;
			-?,*) want="\\[-[a-zA-Z]*${o:1:1}[a-zA-Z]*\\]" ;;
			*) want=${o//[/\\[} ;;
			esac
			grep -qe "$want" <<<"$usage" ||
			    { echo "$c: $want is not in the usage"; exit 1; }
		done
	done
}

exit_codes() {
	section 'EXIT STATUS' "$1" | sed -n 's/^\([0-9]\) .*/\1/p' >codes
}

@test "docs: every page lists its exit codes; those that all have are there" {
	each=$(commands)
	for c in $each; do
		exit_codes "$MAN/$c.1"
		for code in 0 2 4; do
			grep -qx $code codes || { echo "$c.1: no $code"; false; }
		done
		sort -cu codes
		if has_option "$c" --on-error; then grep -qx 3 codes; fi
	done
	exit_codes "$MAN/ctx.7"
	sed -n 's/^	CLI_[A-Z]* = \([0-9]\).*/\1/p' "$ROOT/cmd/cli.h" >want
	same codes want
}

@test "docs: the rules of ctx-clean are those of the code" {
	[ -x "$BUILD/ctx-clean" ]
	section RULES "$MAN/ctx-clean.1" |
	    sed -n 's/^\([a-z][a-z-]*\)\(  .*\)*$/\1/p' | sort >page
	# the table of faults in decide/plan.c
	sed -n 's/^	\[CTX_F_[A-Z_]*\] = { "\([a-z-]*\)",.*/\1/p' \
	    "$ROOT/lib/decide/plan.c" | sort >code
	[ -s code ]
	same page code
}

@test "docs: the rules of redaction are those of the code" {
	section RULES "$MAN/ctx-redact.7" |
	    sed -n 's/^\([a-z0-9][a-z0-9-]*\)\(  .*\)*$/\1/p' | sort >page
	sed -n 's/^{ "\([a-z0-9-]*\)",.*/\1/p' \
	    "$ROOT/lib/redact/redact_rules.c" | sort >code
	[ -s code ]
	same page code
}

@test "docs: the dialects of the code are in ctx-stream(5) and the completions" {
	sed -n 's/^	\.name = "\([a-z-]*\)",$/\1/p' "$ROOT"/lib/view/*.c | sort >code
	[ -s code ]
	page "$MAN/ctx-stream.5" |
	    sed -n '/^DIALECTS$/,/^DEVIATIONS/s/^   \([a-z-]*\)$/\1/p' | sort >page
	comm -23 code page >missing
	same missing /dev/null
	bash_completes ctx-clean --dialect '' >words
	same words page
	while read -r d; do
		exits 0 ctx-clean -d "$d" </dev/null
	done <code
}

@test "docs: variables that the code reads are in ctx(7)" {
	grep -hoE '(getenv|ctx_env_[a-z]+)\("[A-Z_]+"' -r "$ROOT/lib" "$ROOT/cmd" |
	    sed 's/.*"\(.*\)"/\1/' | grep -vx 'HOME\|TMPDIR\|PATH\|TERM\|COLUMNS\|LANG' |
	    sort -u >code
	[ -s code ]
	section ENVIRONMENT "$MAN/ctx.7" | sed -n 's/^\([A-Z_]*\)\( .*\)*$/\1/p' |
	    grep . | sort -u >page
	comm -23 code page >missing
	same missing /dev/null
}

@test "docs: ctx(7) names every command" {
	section DESCRIPTION "$MAN/ctx.7" >text
	each=$(commands)
	for c in $each; do
		grep -q "^$c(1)" text || { echo "not in ctx.7: $c"; false; }
	done
}

@test "docs: pages refer to pages that exist" {
	sed -n 's/^\.Xr \(ctx[a-z-]*\) \([0-9]\).*/\1.\2/p' "$MAN"/*.[1-9] |
	    sort -u >refs
	while read -r p; do
		[ -f "$MAN/$p" ] || { echo "no page $p"; false; }
	done <refs
}

# --- completions ---------------------------------------------------------------

# The long options of a call, one a line.
long_options() { help_options "$1" | grep -oE -- '--[a-z0-9-]+' | sort; }

bash_completes() {
	bash -c '. "$ROOT/completions/bash/ctx"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_ctx "$1"
		printf "%s\n" "${COMPREPLY[@]}"' - "$@" | sort
}

# What _arguments is given.
zsh_completes() {
	zsh -f -c '_arguments() { print -rl -- "$@" }
		words=("$@") CURRENT=$#
		source $ROOT/completions/zsh/_ctx' - "$@"
}

# The last word is the one that is completed.
fish_completes() {
	mkdir -p comp
	cp "$ROOT/completions/fish/ctx.fish" "comp/$1.fish"
	fish -c "set fish_complete_path comp; complete -C '$*'" | cut -f 1 | sort
}

# completes_all COMPLETES: what bash and fish complete in the same way.
completes_all() {
	about "$1"
	"$1" ctx-clean --unanswered '' >got
	printf '%s\n' drop repair trim >want
	same got want
	"$1" ctx-store checkpoint g >got
	echo get >want
	same got want
	"$1" ctx-store --db x.db checkpoint put -- >got
	long_options "ctx-store checkpoint put" >want
	same got want
	# words of an option of one command: they differ between the commands
	"$1" ctx-store spawn --as '' >got
	printf '%s\n' json name >want
	same got want
	"$1" ctx-store memory get --as '' >got
	printf '%s\n' message text >want
	same got want
	# live: what the program itself knows, and the threads of the store
	"$1" ctx-count -e '' >got
	ctx-count --list-encodings | cut -d ' ' -f 1 | sort >want
	same got want
	"$1" ctx-truncate --model gpt-4o >got
	ctx-count --list-models | cut -d ' ' -f 1 | grep '^gpt-4o' | sort >want
	same got want
	echo '{"role":"user","content":"hi"}' | ctx-store --db my.db append alpha
	echo '{"role":"user","content":"hi"}' | ctx-store --db my.db append beta
	"$1" ctx-store --db my.db load al >got
	echo alpha >want
	same got want
	"$1" ctx-store --db my.db checkpoint list -n 3 '' >got
	printf '%s\n' alpha beta >want
	same got want
	touch file.jsonl
	"$1" ctx-clean -q fil >got
	echo file.jsonl >want
	same got want
	"$1" ctx-store --db my.db append alpha fil >got
	same got want
}

@test "docs: --help=options says what --help says, in fields" {
	calls | while read -r call; do
		# shellcheck disable=SC2086
		$call --help=options >fields
		about "$call"
		awk -F '\t' '$1 == "option" && NF != 9 ||
		    $1 == "command" && NF != 4 || $1 == "usage" && NF != 2 ||
		    $1 !~ /^(option|command|usage)$/' fields >wrong
		same wrong /dev/null
		awk -F '\t' '$1 == "option" { print $3 }' fields | sort >got
		long_options "$call" >want
		same got want
	done
	# as --help lists them
	store_commands | sort >got
	ctx-store --help | sed '/^Every command/,$d' |
	    sed -nE 's/^  ([a-z]+( [a-z]+)?)  .*/\1/p' | sort >want
	same got want
}

@test "docs: bash completes all options, and the words that they take" {
	each=$(commands)
	for c in $each; do
		bash_completes "$c" -- >got
		long_options "$c" >want
		about "$c"
		same got want
		grep -qw -- "$c" <(sed -n '/^complete/,$p' "$ROOT/completions/bash/ctx")
	done
	completes_all bash_completes
	bash_completes ctx-clean --on-error = s >got
	printf '%s\n' skip stop >want
	same got want
}

@test "docs: zsh completes all options, and the words that they take" {
	each=$(commands)
	for c in $each; do
		zsh_completes "$c" -- >spec
		grep -oE -- '\)--[a-z0-9-]+' spec | tr -d ')' | sort >got
		long_options "$c" >want
		about "$c"
		same got want
		head -n 1 "$ROOT/completions/zsh/_ctx" | grep -qw -- "$c"
	done
	zsh_completes ctx-clean -- | grep -q ':HOW:(trim drop repair)$'
	zsh_completes ctx-store --db x.db checkpoint put -- >spec
	grep -oE -- '\)--[a-z0-9-]+' spec | tr -d ')' | sort >got
	long_options "ctx-store checkpoint put" >want
	same got want
	grep -qx '3:thread:_ctx_threads' spec
	zsh_completes ctx-store spawn -- | grep -q ':HOW:(json name)$'
	zsh_completes ctx-store memory get -- | grep -q ':HOW:(text message)$'
	zsh_completes ctx-store checkpoint '' >spec
	grep -qx '\*:command:(put get list diff rm)' spec
	zsh_completes ctx-count -- | grep -q ':NAME:(.*o200k_base.*)$'
	# names of threads, with spaces too, of the store that was named
	echo '{"role":"user","content":"hi"}' | ctx-store --db my.db append 'a b'
	zsh -f -c '_arguments() { _ctx_threads }
		compadd() { print -rl -- "${(@P)2}" }
		words=(ctx-store --db my.db load "") CURRENT=5
		source $ROOT/completions/zsh/_ctx' >got
	echo 'a b' >want
	same got want
}

@test "docs: fish completes all options, and the words that they take" {
	each=$(commands)
	for c in $each; do
		fish_completes "$c" -- >got
		long_options "$c" >want
		about "$c"
		same got want
	done
	completes_all fish_completes
	fish_completes ctx-clean --on-error=s >got
	printf '%s\n' --on-error=skip --on-error=stop >want
	same got want
}

# --- examples --------------------------------------------------------------------

# The files that examples name.
example_files() {
	cp "$DATA/logs/tasks.openai.jsonl" log.jsonl
	cp "$DATA/logs/mend.openai.jsonl" chat.jsonl
	cp "$DATA/logs/research.claude-code.jsonl" session.jsonl
	cp "$DATA/logs/bookings.openai.jsonl" conversations.jsonl
	printf '%s\n' '{"role":"user","content":"go"}' \
	    '{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}' \
	    '{"role":"tool","tool_call_id":"b","content":""}' >broken.jsonl
	echo 'Plain text.' >notes.txt
	echo 'You are terse.' >prompt.txt
	echo 'What next?' >question.txt
	echo '{"choices":[{"message":{"role":"assistant","content":"ok"}}]}' \
	    >response.json
	printf 'def main():\n    pass\n' >main.py
}

# run_examples: each "$ command" of standard input; a line that ends in a
# backslash goes on.
run_examples() {
	local line rc

	while read -r line; do
		case $line in '$ '*) ;; *) continue ;; esac
		printf '%s\n' "${line#\$ }" >>all-examples
		rc=0
		bash -o pipefail -c "${line#\$ }" </dev/null >ex.out 2>ex.err ||
		    rc=$?
		case $rc in
		0 | 1 | 141) ;;		# done, "no", and cut short by head
		*) fail "exit $rc: $line: $(cat ex.err)" ;;
		esac
		lacks 'not found' ex.err
	done < <(sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' -e 's/^ *//')
}

@test "docs: the examples of the pages run" {
	for p in "$MAN"/*.[1-9]; do
		rm -rf ex
		mkdir ex
		cd ex
		example_files
		about "$p"
		section EXAMPLES "$p" | run_examples
		case $p in
		*.1) [ -s all-examples ] || { echo "no examples: $p"; false; } ;;
		esac
		cd ..
	done
}

@test "docs: the pipelines of the README run" {
	example_files
	cp "$DATA/logs/audit.openai.jsonl" .
	sed -n '/^```sh$/,/^```$/{/^```/d;s/^/$ /;p;}' "$ROOT/README.md" |
	    sed -e ':a' -e '/\\$/{N;s/\\\n\$ */\\\n/;ba' -e '}' | run_examples
	[ "$(wc -l <all-examples)" -ge 6 ]
}

@test "docs: the README's table is of the commands that there are" {
	sed -n 's/^| \[*`\(ctx-[a-z-]*\)`.*/\1/p' "$ROOT/README.md" | sort >got
	commands | sort >want
	same got want
}
