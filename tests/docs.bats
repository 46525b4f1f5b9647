# The documents are held to the code: usage, options, exit codes, variables,
# rules, and every example.

# What the programs and the pages say is written down once, in $BATS_FILE_TMPDIR:
#
#	calls		each call with its page: "ctx-store-log<tab>ctx-store append"
#	help/CALL	--help
#	fields/CALL	--help=options
#	options/CALL	the options in --help, sorted: "-n, --last N"
#	own/CALL	those that its page describes: all, unless it is one of some
#			commands of ctx-store, where ctx-store(1) has what all take
#	long/CALL	the long ones, sorted: "--last"
#	text/PAGE	the page as text, one line a paragraph, without overstriking
setup_file() {
	local call p help=()

	load helpers
	common_setup
	cd "$BATS_FILE_TMPDIR" || return
	mkdir help fields options own long text
	{
		commands
		store_commands | sed 's/^/ctx-store /'
	} >all
	while read -r call; do
		# shellcheck disable=SC2086
		$call --help >"help/$call"
		# shellcheck disable=SC2086
		$call --help=options >"fields/$call"
		help+=("help/$call")
	done <all
	awk '/^Manual: man [^,]*,/ {
		sub(/,.*/, "")
		print $3 "\t" substr(FILENAME, 6)
	}' "${help[@]}" >calls
	awk '{ call = substr(FILENAME, 6) }
	match($0, /^  (-., |    )--[^ ]+( [A-Z][^ ]*)?( |$)/) {
		option = substr($0, 1, RLENGTH)
		gsub(/^ +| +$/, "", option)
		print "options/" call "\t" option
		match(option, /--[a-z0-9-]+/)
		print "long/" call "\t" substr(option, RSTART, RLENGTH)
	}' "${help[@]}" | sort -u | awk -F '\t' '{ print $2 >$1 }'
	while IFS='	' read -r p call; do
		case $p in
		ctx-store-*) comm -23 "options/$call" options/ctx-store ;;
		*) cat "options/$call" ;;
		esac >"own/$call"
	done <calls
	for p in "$ROOT"/man/*.[1-9]; do
		mandoc -T ascii -O width=1000 "$p" | sed "s/.$(printf '\b')//g" \
		    >"text/${p##*/}"
	done
}

setup() {
	load helpers
	common_setup
	MAN=$ROOT/man
	[ -f "$MAN/ctx.7" ]	# or loops over pages were over none
	SAID=$BATS_FILE_TMPDIR
}

# section NAME PAGE: its lines without the indent of five.
section() {
	sed -n "/^$1\$/,/^[A-Z]/{/^[A-Z]/d;s/^     //;/./p;}" "$SAID/text/$2"
}

# The calls that a page is about, in the order of --help.
calls_of() { sed -n "s/^${1%.1}	//p" "$SAID/calls"; }

# of_calls PAGE COMMAND... FOLDER: run it with the arguments FOLDER/CALL for each of
# the page's calls.
of_calls() {
	local call files=()

	while read -r call; do
		files+=("$SAID/${*: -1}/$call")
	done < <(calls_of "$1")
	"${@:2:$#-2}" "${files[@]}"
}

# The options that a page describes, each after the command whose item it is
# in, or after "-" where it is in none: "append<tab>-n, --last N".
page_options() {
	awk '
	/^[A-Z]/ { commands = $0 == "COMMANDS" }
	/^[A-Z]/ || /^   [^ ]/ { item = "-" }
	commands && /^     [a-z]/ {
		item = $1 ($2 ~ /^[a-z]+$/ ? " " $2 : "")
	}
	match($0, /^ +(-., )?--[a-z][^ ]*( [A-Z][^ ]*)?(  .*)?$/) {
		sub(/^ +/, "")
		sub(/  .*/, "")
		print item "\t" $0
	}' "$SAID/text/$1"
}

each_page() {
	local p

	for p in "$MAN"/*.[1-9]; do
		"$@" "$p" || { echo "page: $p"; return 1; }
	done
}

# --- pages -------------------------------------------------------------------

@test "docs: every command has a page, every page a command" {
	while IFS='	' read -r p call; do
		[ -f "$MAN/$p.1" ] || fail "no page: $call"
		case $p in "${call%% *}" | "${call%% *}"-*) ;;
		*) fail "$call: $p" ;;
		esac
		echo "$MAN/$p.1"
	done <"$SAID/calls" | sort -u >named
	cut -f 2 "$SAID/calls" >got	# each call names one
	same got "$SAID/all"
	ls "$MAN"/*.1 >pages
	same pages named
	# a helper has none of its own
	"$BUILD/libexec/ctx-embed" --help >help
	has -qF 'Manual: man ctx-store-search,' help
	for h in ctx-unpack ctx-yaml; do
		"$BUILD/libexec/$h" --help >help
		has -qF 'Manual: man ctx-digest-files,' help
	done
}

lint() {
	mandoc -T lint -W warning "$1" >lint 2>&1 || :
	same lint /dev/null
}

@test "docs: pages are clean mdoc" {
	each_page lint
}

# As man shows it on a terminal of 80 columns; what is literal is not wrapped.
fits() {
	mandoc -T ascii -O width=78 "$1" |
	    sed "s/.$(printf '\b')//g; s/<?>/?/g" |	# one character of UTF-8
	    awk 'length > 78' >long
	same long /dev/null
}

@test "docs: pages and their examples fit the terminal" {
	each_page fits
}

# A macro that goes on to the end of its line: quotes that close together, and words
# that are shown as options.
quoted() {
	grep -noE "[a-z](''|\"\").*|[ (]-(or|and|with) .*" "$1" >macros || :
	about "$1"
	same macros /dev/null
}

@test "docs: quotes and options end where they should" {
	local p

	for p in "$SAID"/text/*; do quoted "$p"; done
}

# Words of other languages in English: "behind" for after, "is none" for "is
# not one" or "is ignored", "stands" for is.
plain() {
	grep -nwiE 'behind|stands?|(is|are|was|were) none' "$1" >words || :
	about "$1"
	same words /dev/null
}

@test "docs: pages are in plain English, as far as a machine can tell" {
	each_page plain
}

# The text of each option, up to the next one; a line each.
option_texts() {
	awk '
	function done() { if (option != "") print option "\t" text; option = "" }
	/^[A-Z]/ || /^   [^ ]/ || /^     [^ ]/ && !/^     -/ { done() }
	match($0, /^ +(-., )?--[a-z][^ ]*( [A-Z][^ ]*)?(  .*)?$/) {
		done()
		sub(/^ +/, "")
		option = $0
		sub(/  .*/, "", option)
		text = ""
		if (option != $0) {
			text = $0
			sub(/^.*[^ ]  +/, "", text)
		}
		next
	}
	option != "" && NF { sub(/^ +/, ""); text = text (text != "" ? " " : "") $0 }
	END { done() }' "$SAID/text/$1"
}

@test "docs: the text of an option is sentences" {
	for p in "$MAN"/*.[1-9]; do
		option_texts "${p##*/}" >texts
		# it begins with a capital, and not in the middle of a thought
		awk -F '\t' '$2 !~ /^[A-Z1-9]/ || split($2, word, " ") < 3 ||
		    $2 ~ /^(All|As|Everything|For|Its|No|Not|Of|Only|Whose) /' \
		    texts >fragments
		# and ends with a full stop, or an example after a colon
		awk -F '\t' '$2 !~ /(\.|\))$/' texts >>fragments
		about "$p"
		same fragments /dev/null
		case $p in *.1) [ -s texts ] || fail "no options: $p" ;; esac
	done
}

# usages PAGE: those of its calls.
usages() { of_calls "$1" sed -n 's/^usage	//p' fields; }

@test "docs: usage is the page's SYNOPSIS" {
	for p in "$MAN"/*.1; do
		usages "${p##*/}" >usage
		[ -s usage ] || fail "no call: $p"
		# mandoc has lines of at most 1,000 characters
		section SYNOPSIS "${p##*/}" | awk '/^ / { sub(/^ +/, " ") }
		    NR > 1 && !/^ / { print "" } { printf "%s", $0 }
		    END { print "" }' >synopsis
		about "page: $p"
		same synopsis usage
	done
}

@test "docs: pages of several commands have an item for each, in order" {
	for p in "$MAN"/ctx-store-*.1; do
		usages "${p##*/}" | sed 's/^ctx-store //' >usage
		section COMMANDS "${p##*/}" | sed -n '/^[a-z]/s/\(  .*\)*$//p' >items
		about "page: $p"
		same items usage
	done
}

@test "docs: ctx-store(1) names the page of every command" {
	awk '/^\.Sh / { on = $2 == "COMMANDS" }
	    on && /^\.It Cm / { n = split(substr($0, 8), word, " , ") }
	    on && /^\.Xr ctx-store-/ {
		for (i = 1; i <= n; i++)
			print word[i] "\t" $2
	    }' "$MAN/ctx-store.1" >page
	sed -nE 's/^([^	]*)	ctx-store ([a-z]*).*/\2	\1/p' "$SAID/calls" |
	    uniq >help
	[ -s help ]
	sort page >got
	sort help >want
	same got want
}

@test "docs: options of --help are those of the page" {
	for p in "$MAN"/*.1; do
		name=${p##*/}
		page_options "$name" >page
		of_calls "$name" sort -u own >help
		cut -f 2 page | sort -u >got
		about "<: --help, >: $p"
		same got help
		# and those in a command's item are its own
		calls_of "$name" | while read -r call; do
			awk -F '\t' -v item="${call#* }" '
			FILENAME != "page" { own[$0]; next }
			$1 == item || $1 == "-" && $2 in own { print $2 }
			' "$SAID/own/$call" page | sort -u >got
			about "<: --help, >: $p, $call"
			same got "$SAID/own/$call"
		done
	done
}

# The words that the table has for options, a line each: "--as<tab>json".
option_words() {
	of_calls "$1" awk -F '\t' '$1 == "option" && $5 !~ /^[-@]/ {
		n = split($5, word, " ")
		for (i = 1; i <= n; i++)
			print $3 "\t" word[i]
	}' fields | sort -u
}

# item_words OPTION PAGE: what is in .Cm in the option's items, a word a line;
# ctx-stream(5) has the dialects.
item_words() {
	awk -v o="-${1#--}" '
	/^\.(It|El|Sh|Ss)/ {
		on = 0
		for (i = 2; i < NF && $2 == "Fl"; i++)
			on = on || ($i == "Fl" && $(i + 1) == o)
	}
	/^\.It Cm / && deep { on = 1 }
	/^\.Bl/ && on { deep = 1 }
	/^\.El/ { deep = 0 }
	on && /^\.Xr ctx-stream 5/ { print "@dialects" }
	on && (/^\.Cm / || /^\.It Cm /) {
		sub(/^\.(It )?Cm /, "")
		sub(/ Ns .*/, "")
		n = split($0, word, / *, *| +[;:.)] *$| +Pc.*/)
		for (i = 1; i <= n; i++)
			if (word[i] ~ /^[a-z]/)
				print word[i]
	}' "$2" | sed -e '/^@dialects$/{r dialects' -e 'd;}' | sort -u
}

@test "docs: a page lists the words that an option takes, and no others" {
	option_words ctx-clean.1 | sed -n 's/^--dialect	//p' >dialects
	for p in "$MAN"/*.1; do
		option_words "${p##*/}" >words
		cut -f 1 words | uniq | while read -r o; do
			item_words "$o" "$p" >got
			sed -n "s/^$o	//p" words >want
			about "$p: $o"
			same got want
		done
	done
}

@test "docs: --help has a line of its own for each option, in 80 columns" {
	awk 'length > 80 { print FILENAME ": " $0 }' "$SAID"/help/* >long
	same long /dev/null
	awk 'FNR == 1 { on = 0 }
	on && /^ +-/ && !/  +[^ -]/ { print FILENAME ": " $0 }
	/^$/ { on = 1 }' "$SAID"/help/* >bare
	same bare /dev/null
}

@test "docs: options stand in the synopsis, -h and -V excepted" {
	each=$(commands)
	for c in $each; do
		usage=$(usage_of "$c")
		while read -r o; do
			case $o in
			-h,* | -V,*) continue ;;
			-?,*\[*) want="\\[${o%%,*}\\[" ;;
			-?,\ *\ *) want="\\[${o%%,*} ${o##* }\\]" ;;
			-?,*) want="\\[-[a-zA-Z]*${o:1:1}[a-zA-Z]*\\]" ;;
			*) want=${o//[/\\[} ;;
			esac
			want=${want//|/\\|}
			[[ $usage =~ $want ]] || fail "$c: $want is not in the usage"
		done <"$SAID/options/$c"
	done
}

exit_codes() {
	section 'EXIT STATUS' "${1##*/}" | sed -n 's/^\([0-9]\) .*/\1/p' >codes
}

@test "docs: every page lists its exit codes; those that all have are there" {
	for p in "$MAN"/*.1; do
		exit_codes "$p"
		sort -cu codes
		printf '%s\n' 0 2 4 | comm -23 - codes >missing
		if of_calls "${p##*/}" cat options | grep -q -- --on-error; then
			grep -qx 3 codes || echo 3 >>missing
		fi
		about "$p"
		same missing /dev/null
	done
	exit_codes "$MAN/ctx.7"
	sed -n 's/^	CLI_[A-Z]* = \([0-9]\).*/\1/p' "$ROOT/cmd/cli.h" >want
	same codes want
}

@test "docs: the rules of ctx-clean are those of the code, in the same words" {
	[ -x "$BUILD/ctx-clean" ]
	# one line for each: the rule, and its text
	section RULES ctx-clean.1 | sed '1,/^[a-z]/{/^[a-z]/!d;}' |
	    awk '/^[a-z]/ && NR > 1 { print "" } { printf "%s ", $0 }
	    END { print "" }' |
	    sed "s/  */ /g; s/ \$//; s/\`/'/g" | sort >page
	ctx-clean --rules | sed -n 's/^[a-z].*/&/p; s/^  text: //p' |
	    paste -d ' ' - - | sort >code
	[ "$(wc -l <code)" -gt 30 ]
	same page code
}

@test "docs: the rules of redaction are those of the code" {
	section RULES ctx-redact.7 |
	    sed -n 's/^\([a-z0-9][a-z0-9-]*\)\(  .*\)*$/\1/p' | sort >page
	sed -n 's/^\({ \|KEY(\|RANDOM(\|PERSONAL(\)"\([a-z0-9-]*\)",.*/\2/p' \
	    "$ROOT"/lib/redact/rules_*.inc | sort >code
	[ -s code ]
	same page code
	n=$(grep -c '^PERSONAL("' "$ROOT/lib/redact/rules_personal.inc")
	grep "ctx-clean --redact, $(($(wc -l <code) - n)) rules" "$ROOT/README.md"
}

@test "docs: the dialects of the code are in ctx-stream(5) and the completions" {
	sed -n 's/^	\.name = "\([a-z-]*\)",$/\1/p' "$ROOT"/lib/view/*.c | sort >code
	[ -s code ]
	sed -n '/^DIALECTS$/,/^DEVIATIONS/s/^   \([a-z-]*\)$/\1/p' \
	    "$SAID/text/ctx-stream.5" | sort >page
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
	section ENVIRONMENT ctx.7 | sed -n 's/^\([A-Z_]*\)\( .*\)*$/\1/p' |
	    grep . | sort -u >page
	comm -23 code page >missing
	same missing /dev/null
}

@test "docs: ctx(7) names every command" {
	section DESCRIPTION ctx.7 >text
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
	same got "$SAID/long/ctx-store checkpoint put"
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
	echo '{"role":"user","content":"hi"}' |
	    ctx-store --db my.db append --user ann alto
	"$1" ctx-store --db my.db --user ann load al >got
	echo alto >want
	same got want
	touch file.jsonl
	"$1" ctx-clean -q fil >got
	echo file.jsonl >want
	same got want
	"$1" ctx-store --db my.db append alpha fil >got
	same got want
	# "-" is standard input, not an option
	"$1" ctx-show - fil >got
	same got want
}

@test "docs: --help=options says what --help says, in fields" {
	awk -F '\t' '$1 == "option" && NF != 9 ||
	    $1 == "command" && NF != 4 || $1 == "usage" && NF != 2 ||
	    $1 !~ /^(option|command|usage)$/ { print FILENAME ": " $0 }' \
	    "$SAID"/fields/* >wrong
	same wrong /dev/null
	(cd "$SAID/fields" && awk -F '\t' '
	$1 == "option" { print FILENAME ": " $3 }' ./*) | sort >got
	(cd "$SAID/long" && awk '{ print FILENAME ": " $0 }' ./*) | sort >want
	same got want
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
		about "$c"
		same got "$SAID/long/$c"
		grep -qw -- "$c" <(sed -n '/^complete/,$p' "$ROOT/completions/bash/ctx")
	done
	completes_all bash_completes
	# an option and its value may be one word, which bash splits
	mkdir one
	for db in "one/x.db" "= one/x.db"; do
		echo '{"role":"user","content":"hi"}' |
		    ctx-store --db "${db#= }" append chat
		# shellcheck disable=SC2086
		[ "$(bash_completes ctx-store --db $db load '')" = chat ]
		# shellcheck disable=SC2086
		[ "$(bash_completes ctx-store load --db $db '')" = chat ]
	done
	bash_completes ctx-clean --on-error = s >got
	printf '%s\n' skip stop >want
	same got want
}

@test "docs: zsh completes all options, and the words that they take" {
	each=$(commands)
	for c in $each; do
		zsh_completes "$c" -- >spec
		grep -oE -- '\)--[a-z0-9-]+' spec | tr -d ')' | sort >got
		about "$c"
		same got "$SAID/long/$c"
		head -n 1 "$ROOT/completions/zsh/_ctx" | grep -qw -- "$c"
	done
	zsh_completes ctx-clean -- | grep -q ':HOW:(trim drop repair)$'
	zsh_completes ctx-store --db x.db checkpoint put -- >spec
	grep -oE -- '\)--[a-z0-9-]+' spec | tr -d ')' | sort >got
	same got "$SAID/long/ctx-store checkpoint put"
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
		about "$c"
		same got "$SAID/long/$c"
	done
	completes_all fish_completes
	fish_completes ctx-clean --on-error=s >got
	printf '%s\n' --on-error=skip --on-error=stop >want
	same got want
}

# --- examples --------------------------------------------------------------------

# The files that examples name, in the folder examples.
example_files() {
	cp -R "$DATA/logs" examples
	cd examples || return
	cp tasks.openai.jsonl log.jsonl
	cp mend.openai.jsonl chat.jsonl
	cp research.claude-code.jsonl session.jsonl
	cp bookings.openai.jsonl conversations.jsonl
	printf '%s\n' '{"role":"user","content":"go"}' \
	    '{"role":"assistant","content":"a","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}' \
	    '{"role":"tool","tool_call_id":"b","content":""}' >broken.jsonl
	echo 'Plain text.' >notes.txt
	echo 'You are terse.' >prompt.txt
	echo 'What next?' >question.txt
	echo '{"choices":[{"message":{"role":"assistant","content":"ok"}}]}' \
	    >response.json
	printf 'def main():\n    pass\n' >main.py
	printf 'test:\n\t@echo tested\n' >Makefile
	cd ..
}

# joined: the "$ command" lines of standard input; one that ends in a backslash
# goes on.
joined() {
	sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' -e 's/^ *//' | grep '^\$ '
}

# run_examples: the commands of standard input, in a new folder with the files.
run_examples() {
	local line rc said

	[ -d examples ] || example_files
	rm -rf ex "$HOME/.local"
	cp -R examples ex
	cd ex || return
	ctx-store append S chat.jsonl
	while read -r line; do
		printf '%s\n' "${line#\$ }" >>all-examples
		rc=0
		bash -o pipefail -c "${line#\$ }" </dev/null >ex.out 2>ex.err ||
		    rc=$?
		IFS= read -r -d '' said <ex.err || :
		case $rc in
		0 | 1 | 141) ;;		# done, "no", and cut short by head
		*) fail "exit $rc: $line: $said" ;;
		esac
		[[ $said != *'not found'* ]] || fail "$line: $said"
	done
	cd ..
}

# examples_run PAGE: those of standard input.
examples_run() {
	about "$1"
	run_examples
	case $1 in
	*.1) [ -s ex/all-examples ] || fail "no examples: $1" ;;
	esac
}

@test "docs: the examples of the pages run" {
	for p in "$MAN"/*.[1-9]; do
		section EXAMPLES "${p##*/}" | joined >list || :
		examples_run "${p##*/}" <list
	done
}

# examples_of PAGE FILE: those in a file of a release.
examples_of() { sed -n "/^# $1\$/,/^# /{/^\$ /p;}" "$2"; }

# The examples of a release are kept when it is made (KEEP_EXAMPLES=1), "# PAGE"
# before those of a page, and run from the next one on, where the page has others now.
@test "docs: the examples of the releases before still run" {
	if sanitized; then skip "the other examples are enough"; fi
	local last r p

	last=$(sed -n 's/^## //p' "$ROOT/CHANGELOG.md" | head -n 1)
	for p in "$MAN"/*.[1-9]; do
		echo "# ${p##*/}"
		section EXAMPLES "${p##*/}" | joined || :
	done >now
	[ -z "${KEEP_EXAMPLES:-}" ] || cp now "$DATA/releases/$last"
	for r in "$DATA"/releases/*; do
		if [ "${r##*/}" = "$last" ]; then
			same now "$r"
			continue
		fi
		sed -n 's/^# //p' "$r" >pages
		[ -s pages ] || fail "no page: $r"
		while read -r p; do
			in_turn 3 3 || continue
			examples_of "$p" now >list
			examples_of "$p" "$r" >old
			cmp -s list old || examples_run "$p" <old
		done <pages
	done
}

@test "docs: the pipelines of the README run" {
	sed -n '/^```sh$/,/^```$/{/^```/d;p;}' "$ROOT/README.md" |
	    sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' -e 's/^/$ /' >readme
	run_examples <readme
	[ "$(wc -l <ex/all-examples)" -ge 6 ]
}

@test "docs: the README's table is of the commands that there are" {
	sed -n 's/^| \[*`\(ctx-[a-z-]*\)`.*/\1/p' "$ROOT/README.md" | sort >got
	commands | sort >want
	same got want
}

@test "docs: the README's figures are in the list of what the benchmarks print" {
	exits 0 "$ROOT/tests/bench/figures"
	silent
	echo 'README.md # Measured' >list
	exits 1 "$ROOT/tests/bench/figures" list
	has 'README.md: line [0-9]*: 100 is not in the list' out
	printf '%s\n' 'README.md: | ctx-clean | {} | {} | {} MiB |' \
	    '	10: Lines / ^`ctx-clean` / times' '	fact' '	fact' >list
	printf '%s\n' '## Lines' '| command | times |' '|---|---:|' \
	    '| `ctx-clean` | 9999 |' >bench
	exits 1 "$ROOT/tests/bench/figures" list bench
	has '^README.md: [0-9]*: printed is 9999 ' out
}
