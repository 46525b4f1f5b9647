# shellcheck shell=bash
# Common mistakes, and what a user is told to type instead.

setup() {
	load helpers
	common_setup
	printf '%s\n' '{"role":"user","content":"a"}' \
	    '{"role":"assistant","content":"b"}' >good
}

literal="python3 -c 'import ast,json,sys;[print(json.dumps(ast.literal_eval(l))) for l in sys.stdin]' <FILE | ctx-clean"

# told FILE TEXT: assert that ctx-clean says that of the file's first line.
told() {
	exits 3 ctx-clean "$1"
	silent
	said "ctx-clean: $1:1:${3:-1}: not JSON but $2"
	# from a pipe, in threads, and as a finding
	exits 3 ctx-clean -j 2 <"$1"
	said "ctx-clean: (standard input):1:${3:-1}: not JSON but $2"
	exits 3 ctx-clean --check "$1"
	has -xF "$1:1:${3:-1}: error[not-json]: not JSON but $2" out
	quiet		# no command that would leave out all that it has
}

# unpacks FILE: assert that the command before the pipe in the message works.
unpacks() {
	exits 3 ctx-clean "$1"
	line=$(sed -n 's/.*: \([a-z].*FILE\) | ctx-clean$/\1/p' err)
	[ -n "$line" ]
	bash -c "${line/FILE/\"\$0\"} | ctx-clean" "$1" >clean
	same clean good
}

@test "mistakes: compressed files" {
	gzip -c good >a.gz
	told a.gz 'gzip: zcat FILE | ctx-clean'
	unpacks a.gz
	zstd -qc good >a.zst
	told a.zst 'zstd: zstdcat FILE | ctx-clean'
	unpacks a.zst
	zip -q a.zip good
	told a.zip 'a zip archive: unzip -p FILE | ctx-clean'
	# by the first bytes that their formats' documents give
	printf 'BZh91AY&SY\n' >a.bz2
	told a.bz2 'bzip2: bzcat FILE | ctx-clean'
	printf '\3757zXZ\0\0\n' >a.xz
	told a.xz 'xz: xzcat FILE | ctx-clean'
	xz -c good >b.xz
	unpacks b.xz
	# its header names the first file
	tar -cf a.tar good
	told a.tar 'a tar archive: tar -xOf FILE | ctx-clean'
	unpacks a.tar
	# each command names itself
	for c in ctx-count "ctx-truncate -n 1" ctx-summarize; do
		exits 3 $c a.gz
		says "*not JSON but gzip: zcat FILE | ${c%% *}"
	done
}

@test "mistakes: texts in UTF-16 and UTF-32" {
	for code in UTF-16LE UTF-16BE; do
		iconv -f UTF-8 -t $code good >plain
		exits 3 ctx-clean plain
		says "*: not JSON but UTF-16: iconv -f $code -t UTF-8 FILE | ctx-clean"
		unpacks plain
	done
	{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE good; } >mark
	told mark 'UTF-16: iconv -f UTF-16 -t UTF-8 FILE | ctx-clean'
	unpacks mark
	{ printf '\376\377'; iconv -f UTF-8 -t UTF-16BE good; } >mark
	told mark 'UTF-16: iconv -f UTF-16 -t UTF-8 FILE | ctx-clean'
	unpacks mark
	{ printf '\377\376\0\0'; iconv -f UTF-8 -t UTF-32LE good; } >mark
	told mark 'UTF-32: iconv -f UTF-32 -t UTF-8 FILE | ctx-clean'
	unpacks mark
}

@test "mistakes: other files" {
	printf '<!DOCTYPE html>\n<html></html>\n' >page
	told page 'a page of HTML, such as a server sends when it fails'
	printf '<HTML><body>502</body></HTML>\n' >page
	told page 'a page of HTML, such as a server sends when it fails'
	printf 'id,Role,content\r\n1,user,a\r\n' >a.csv
	told a.csv 'a table with commas: mlr --icsv --ojsonl cat FILE | ctx-clean'
	printf 'role\ttext\nuser\ta\n' >a.tsv
	told a.tsv 'a table with tabs: mlr --itsv --ojsonl cat FILE | ctx-clean'
	sqlite3 a.db 'CREATE TABLE a (b)'
	told a.db 'an SQLite database; of a store: ctx-store --db FILE load THREAD | ctx-clean'
	printf "{'role': 'user', 'content': 'a'}\n" >a.py
	told a.py "with single quotes, as Python prints a dictionary: $literal" 2
	printf '%%PDF-1.7\n' >a.pdf
	told a.pdf 'a PDF document; ctx-digest-files says what is in it'
	printf '\211PNG\r\n\032\n' >a.png
	told a.png 'a picture (PNG); ctx-digest-files says what it is'
	printf 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"b"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n' >stream
	told stream 'an answer that streams: ctx-convert --from response FILE | ctx-clean'
	exits 0 bash -c 'ctx-convert --from response stream | ctx-clean'
	has -F '"content":"b"' out
}

# mends FILE [FILTER]: the same with what it prints spelled as jq does.
mends() {
	exits 3 ctx-clean "$1"
	line=$(sed -n 's/.*: \([a-z].*FILE\) | ctx-clean$/\1/p' err)
	[ -n "$line" ]
	exits 0 bash -o pipefail -c "${line/FILE/\"\$0\"} | ctx-clean" "$1"
	jq -c "${2:-.}" out >clean
	same clean good
}

@test "mistakes: what is nearly JSON" {
	# as Python prints a dictionary, also with double quotes
	python3 -c 'import json; [print(json.loads(l)) for l in open("good")]' >a.py
	told a.py "with single quotes, as Python prints a dictionary: $literal" 2
	mends a.py
	for word in None True False; do
		printf '{"role":"user","content":"a","x":%s}\n' $word >word
		told word "with $word, as Python prints it: $literal" 34
	done
	exits 0 bash -c "${literal% | *} | ctx-clean" <word
	# what is no number in JSON
	for word in NaN Infinity -Infinity; do
		echo "{\"role\":\"user\",\"content\":\"a\",\"x\":$word}" >number
		at=34
		[ "$word" != -Infinity ] || at=35
		told number "with ${word#-}, which JSON does not have: python3 -c 'import json,sys;[print(json.dumps(json.loads(l,parse_constant=lambda c:None))) for l in sys.stdin]' <FILE | ctx-clean" $at
	done
	sed 's/}$/,"x":NaN}/' good >nan
	mends nan 'select(.x == null) | del(.x)'
	# commas
	sed 's/}$/,}/' good >commas
	told commas "with a comma before }: sed 's/, *}[[:space:]]*\$/}/' FILE | ctx-clean" 30
	mends commas
	printf '{"role":"user","content":["a",],"x":1}\n' >within
	told within 'with a comma before ], where JSON has none; delete it' 31
	sed 's/$/,/' good >list
	told list "with a comma after the message: sed 's/,[[:space:]]*\$//' FILE | ctx-clean" 30
	mends list
	# comments
	{ echo '// the log'; cat good; } >slashes
	told slashes "a comment: sed '/^ *\/\//d' FILE | ctx-clean"
	mends slashes
	printf '{"role":"user", // who\n' >inline
	told inline 'with a comment, which JSON does not have; delete it' 17
	printf '/* the log */\n' >star
	told star 'with a comment, which JSON does not have; delete it'
	# JavaScript's objects, JSON5 and YAML
	sed 's/"role"/role/; s/"content"/content/' good >tight
	told tight 'with names that have no quotes, as in JavaScript; JSON.stringify(message) prints JSON' 2
	sed 's/"role":/role: /; s/"content":/content: /' good >names
	told names "with names that have no quotes, as in JavaScript: python3 -c 'import json,sys,yaml;[print(json.dumps(yaml.safe_load(l))) for l in sys.stdin]' <FILE | ctx-clean" 2
	printf '{"role":"user","content":undefined}\n' >undefined
	told undefined 'with undefined, as JavaScript prints it; JSON.stringify(message) prints JSON' 26
	yaml="python3 -c 'import json,sys,yaml;[print(json.dumps(d)) for d in yaml.safe_load_all(sys.stdin)]' <FILE | ctx-clean"
	printf '%s\n' '- role: user' '  content: a' >a.yaml
	told a.yaml "YAML: $yaml" 2
	printf '%s\n' 'role: user' 'content: a' >b.yaml
	told b.yaml "YAML: $yaml"
	printf '%s\n' '---' 'messages:' '- role: user' '  content: a' >c.yaml
	told c.yaml "YAML: $yaml" 2
	# a document
	printf '{\n  // c\n  "messages": []\n}\n' >pretty
	told pretty 'the beginning of a document with a fault; python3 -m json.tool FILE shows where' 2
}

@test "mistakes: YAML and names without quotes are read by what is to be typed" {
	python_with yaml ||
	    skip "the module yaml is missing, which Homebrew has no package of"
	mkdir bin
	ln -s "$(command -v "$PYTHON")" bin/python3
	PATH=$T/bin:$PATH
	for f in "- {role: user, content: a}\n- {role: assistant, content: b}" \
	    "role: user\ncontent: a\n---\nrole: assistant\ncontent: b" \
	    "{role: \"user\", content: \"a\"}\n{role: \"assistant\", content: \"b\",}"; do
		about "$f"
		printf '%b\n' "$f" >a
		mends a 'if type == "array" then .[] else . end'
	done
}

@test "mistakes: values on one line, and lines of a log with JSON in them" {
	tr -d '\n' <good >glued
	told glued 'several values on a line: jq -c . FILE | ctx-clean' 30
	unpacks glued
	sed 's/}{/} {/' glued >spaced
	told spaced 'several values on a line: jq -c . FILE | ctx-clean' 31
	sed 's/^/2026-01-02T03:04:05Z app: /' good >log
	told log "a line that ends with JSON: sed 's/^[^{]*//' FILE | ctx-clean" 5
	unpacks log
	# what is a fault within a value is none of these
	printf '{"role" {"a":1}}\n' >fault
	exits 3 ctx-clean fault
	said "ctx-clean: fault:1:9: not JSON: unexpected '{'"
}

@test "mistakes: what to type is a whole command line, of every command" {
	local c line

	export CTX_DB=$T/db
	gzip -c good >a.gz
	for c in "ctx-clean" "ctx-count" "ctx-truncate" "ctx-summarize" "ctx-show" \
	    "ctx-convert --to openai" "ctx-diff good" "ctx-store append S" \
	    "ctx-digest-files -"; do
		about "$c"
		case $c in
		# which takes files as they are
		*-files\ -) exits 3 ctx-digest-files <a.gz ;;
		# shellcheck disable=SC2086
		*) exits 3 $c a.gz ;;
		esac
		silent_but_count "$c"
		line=$(sed -n '1s/.*:1:1: not JSON but gzip: //p' err)
		line=${line/FILE/a.gz} line=${line/THREAD/S} line=${line/NAME/openai}
		exits 0 bash -o pipefail -c "${line/OLD/good}"
		quiet
	done
	exits 0 ctx-store load S
	same out good
	# the first of two
	exits 3 ctx-diff a.gz good
	says '*: zcat FILE | ctx-diff - NEW'
	exits 0 bash -c 'zcat a.gz | ctx-diff - good'
}

# silent_but_count COMMAND: nothing was made of the file.
silent_but_count() {
	case $1 in
	ctx-count) wrote '       0        0          0 a.gz' ;;
	*) silent ;;
	esac
}

@test "mistakes: what the store is given" {
	export CTX_DB=$T/db
	iconv -f UTF-8 -t UTF-16LE good >wide
	exits 3 ctx-store append S wide
	said 'ctx-store append: wide:1:2: not JSON but UTF-16: iconv -f UTF-16LE -t UTF-8 FILE | ctx-store append THREAD'
	jq -cs . good >list
	exits 3 ctx-store append S list
	said 'ctx-store append: list:1:1: a list, not an object; --split stores its messages one by one'
	jq -s . good >pretty
	exits 3 ctx-store append S pretty
	said 'ctx-store append: pretty:1:1: a list, not an object; --split stores its messages one by one'
	exits 0 ctx-store append --split S pretty
	quiet
	mkdir d
	exits 4 ctx-store append S d
	said 'ctx-store append: d: is a directory; name the files in it, as in DIR/*.jsonl'
	# the file in the place of the thread
	exits 0 ctx-store append good </dev/null
	said "ctx-store append: nothing was stored in the thread 'good'; a file comes after the name of a thread"
	exits 0 ctx-store append good <good
	quiet
	# several conversations
	for t in a b; do
		printf '{"thread_id":"%s","role":"user","content":"q"}\n' $t
	done >log
	exits 0 ctx-store append all log
	said 'ctx-store append: log: looks like 2 conversations, which are read as one; --by thread_id tells them apart'
	exits 0 ctx-store append --by thread_id log
	quiet
	exits 3 ctx-store append --by thread log
	said "ctx-store append: log:1: no member 'thread' with the name of a thread; --thread takes such lines"
	exits 0 ctx-store append --by thread --thread rest log
	# sessions are one conversation, whatever their records name
	exits 0 ctx-store append session "$DATA/logs/research.claude-code.jsonl"
	quiet
	# no export
	exits 3 ctx-store import good
	says 'ctx-store import: good:1: not a line of an export: * append stores the lines of a history'
	gzip -c good >a.gz
	exits 3 ctx-store import a.gz
	says 'ctx-store import: a.gz:1:1: not JSON but gzip: zcat FILE | ctx-store import'
	exits 3 ctx-store import <a.gz
	says '*: not JSON but gzip: zcat FILE | ctx-store import'
	ctx-store export | gzip >x.gz
	exits 0 bash -o pipefail -c 'zcat x.gz | ctx-store --db other import'
}

@test "mistakes: a file that is read and written at once" {
	cp good log
	cp good same
	# it grew until the disk was full
	exits 4 timeout "$DEADLINE" bash -c 'ctx-clean log >>log'
	said 'ctx-clean: log: is what the output goes to; -i edits a file in place'
	same log good
	exits 4 timeout "$DEADLINE" bash -c 'ctx-count <log >>log'
	said 'ctx-count: (standard input): is what the output goes to; let it go to another file'
	same log good
	exits 4 bash -c 'ctx-clean -- same >same'
	said 'ctx-clean: same: is what the output goes to, which > empties before it is read; -i edits a file in place'
	exits 4 bash -c 'ctx-store --db db append S log >>log'
	says 'ctx-store append: log: is what the output goes to; *'
	# as a name of another kind, or another file
	exits 0 bash -c 'ctx-clean log | cat >>log'
	exits 0 ctx-clean </dev/null
	ln -s log link
	exits 4 bash -c 'ctx-clean link >>log'
}

# unharmed OPTION COMMAND...: assert that the history is refused as OPTION's file.
unharmed() {
	exits 2 "${@:2}"
	says "$2: --$1: * is the history itself"
	silent
	same log good
}

@test "mistakes: an option that would write to the history" {
	cp good log
	ln -s log link
	ln log other
	unharmed dropped ctx-truncate -n 1 --dropped log log
	unharmed dropped ctx-truncate -n 1 --dropped log -i log
	unharmed dropped ctx-truncate -n 1 --dropped link good log
	unharmed report ctx-clean --report other log
	unharmed report ctx-clean -i --tables --report log log
	unharmed rejected ctx-clean --on-error skip --rejected log log
	unharmed report ctx-convert --to anthropic --report log log
	for o in report dropped state; do
		unharmed $o ctx-summarize --all --$o log log
	done
	unharmed rejected ctx-digest-files --on-error skip --rejected log <log
	unharmed dropped ctx-truncate -n 1 --dropped log <log
	unharmed report ctx-clean --report log good - <log
}

@test "mistakes: an option that would write to another option's file" {
	cp good log
	echo 'Be brief.' >prompt
	cp prompt kept
	exits 2 ctx-convert --to openai --request -m gpt-4o --system prompt --report prompt log
	says 'ctx-convert: --report: prompt is the file of --system'
	same prompt kept
	exits 2 ctx-truncate -n 1 --on-error skip --dropped new --rejected new log
	says 'ctx-truncate: --dropped: new is the file of --rejected'
	[ ! -e new ]
	exits 2 ctx-summarize --all --report new --state new log
	says 'ctx-summarize: --state: new is the file of --report'
	# by two names of a file that is not there yet
	for o in report dropped; do
		rm -f new
		exits 2 ctx-summarize --all --$o ./new --state new log
		says "ctx-summarize: --$o: ./new is the file of --state"
		rm new
		exits 2 ctx-summarize --all --$o ./new new
		says "ctx-summarize: --$o: ./new is the history itself"
	done
	# a map is the only way back, and its last line may be without an end
	printf '%s' '{"role":"user","content":"Hi"}' >map
	cp map kept
	chmod 600 map
	exits 2 ctx-clean --redact --redact-map map map
	says 'ctx-clean: --redact-map: map is the history itself'
	same map kept
	exits 2 ctx-clean --restore map --report map log
	says 'ctx-clean: --report: map is the file of --restore'
	same map kept
	# what keeps nothing may be two things
	exits 0 ctx-truncate -n 9 --on-error skip --dropped /dev/null --rejected /dev/null log
	exits 0 ctx-clean --report /dev/null /dev/null
}

@test "mistakes: an option that would write to the file of the output or the messages" {
	cp good log
	# `exits` has them go to out and err
	for f in out ./out /dev/stdout; do
		exits 2 ctx-truncate -n 1 --dropped $f log
		says "ctx-truncate: --dropped: $f is the file that the output goes to"
		silent
		exits 2 ctx-summarize --all --state $f log
		says "ctx-summarize: --state: $f is the file that the output goes to"
	done
	exits 2 ctx-clean --report /dev/stderr log
	says 'ctx-clean: --report: /dev/stderr is the file that messages go to'
	exits 2 ctx-clean -i --redact --redact-map err log
	says 'ctx-clean: --redact-map: err is the file that messages go to'
	same log good
	# a pipe keeps both
	printf '%s\n' '{"role":"user","content":"Hi"}' >two
	cat two two >want
	ctx-truncate -n 1 --dropped /dev/stdout want | cat >out
	same out want
}

# untouched MESSAGE COMMAND...: assert that it is refused, that the file old stays and
# that no file new is made.
untouched() {
	exits 2 "${@:2}"
	says "$2: $1"
	silent
	same old kept
	[ ! -e new ] || fail "it made the file new: ${*:2}"
}

@test "mistakes: an invalid option leaves the files of the other ones as they are" {
	cp good log
	echo PRECIOUS >old
	cp old kept
	for f in old new; do
		untouched '-i needs a FILE to edit' ctx-clean -i --report $f
		untouched '-i needs a FILE to edit' ctx-summarize --report $f -i
		untouched '-i cannot edit standard input *' ctx-clean --report $f -i -
		untouched '--dropped: log is the history itself' \
			ctx-summarize --report $f --dropped log -t 5 log
		untouched '--rejected: log is the history itself' \
			ctx-clean --report $f --on-error skip --rejected log log
		untouched '--rejected: log is the history itself' \
			ctx-truncate -n 1 --dropped $f --on-error skip --rejected log log
		# lines that are kept or end the run go nowhere else
		for how in keep stop; do
			untouched '--rejected needs --on-error skip' \
				ctx-clean --on-error $how --rejected $f log
		done
		untouched '--check and --rejected cannot be used together' \
			ctx-clean --check --on-error skip --rejected $f log
		(
			export CTX_SANDBOX=yes
			untouched 'CTX_SANDBOX is on or off' ctx-clean --report $f log
			untouched 'CTX_SANDBOX is on or off' ctx-clean -i --report $f log
		)
	done
	# so does a file that cannot be written
	exits 4 ctx-truncate -n 1 --on-error skip --rejected old --dropped no/such log
	said 'ctx-truncate: no/such: cannot write: No such file or directory'
	same old kept
}

@test "mistakes: a history as the file of --state" {
	cp good log
	cp good other
	exits 4 ctx-summarize --all --state other log
	said 'ctx-summarize: other: not a file of ctx-summarize --state'
	same other good
}

@test "mistakes: options as editors and habits spell them" {
	# the dash of a text, and the minus sign
	for d in – — −; do
		exits 4 ctx-clean "${d}check" good
		says "ctx-clean: ${d}check: cannot open; an option begins with a hyphen (-), not with a dash ($d)"
	done
	exits 4 ctx-clean -i "–check"
	says '*an option begins with a hyphen*'
	exits 4 ctx-store --db db append S "–split"
	says '*an option begins with a hyphen*'
	exits 4 ctx-clean nosuch
	said 'ctx-clean: nosuch: cannot open: No such file or directory'
	# one hyphen
	exits 2 ctx-clean -check good
	says 'ctx-clean: unknown option -c; did you mean --check[?]'
	exits 2 ctx-truncate -window=5 good
	says 'ctx-truncate: unknown option -w; did you mean --window[?]'
	exits 2 ctx-clean -z good
	said 'ctx-clean: unknown option -z' "see 'ctx-clean --help'"
	exits 2 ctx-clean --chekc good
	says 'ctx-clean: unknown option --chekc; did you mean --check[?]'
	exits 2 ctx-store serach x
	says "ctx-store: unknown command 'serach'; did you mean 'search'?"
	exits 2 ctx-truncate -n ten good
	says "ctx-truncate: -n: 'ten' is not a number such as 40, 8k or 8Ki"
	exits 2 ctx-truncate good -n
	says 'ctx-truncate: -n needs an argument'
	exits 2 ctx-convert good
	says 'ctx-convert: --to NAME is required: *'
	exits 2 ctx-convert --to openai --request good
	says 'ctx-convert: --request needs --model'
	exits 2 ctx-diff good
	says 'ctx-diff: two histories are compared, OLD and NEW'
	exits 2 ctx-count --price good
	says 'ctx-count: --price needs -m, *'
	exits 1 ctx-store --db db load S
	says "ctx-store load: no such thread 'S'; 'ctx-store threads' lists them"
}

@test "mistakes: what is not recognized is said as it is" {
	# a text with commas, a word like a column, and what a later line is
	printf 'Well, this text is, if short, a text.\n' >text
	exits 3 ctx-clean text
	said "ctx-clean: text:1:1: not JSON: unexpected 'W'"
	printf 'content\n' >text
	exits 3 ctx-clean text
	said "ctx-clean: text:1:1: not JSON: unexpected 'c'"
	{ cat good; printf '<html>\n'; } >later
	exits 3 ctx-clean later
	said "ctx-clean: later:3:1: not JSON: unexpected '<'"
	printf '{"role":"user","content":,}\n' >comma
	exits 3 ctx-clean comma
	said "ctx-clean: comma:1:26: not JSON: unexpected ','"
	printf 'role: %%s is a word\nof a text\n' >text
	exits 3 ctx-clean text
	says '*: not JSON but YAML: *'
	printf 'Note: this is a text\n' >text
	exits 3 ctx-clean text
	said "ctx-clean: text:1:1: not JSON: unexpected 'N'"
	# JSON documents and lists are read
	for f in . '{messages:.}'; do
		jq -s "$f" good >document
		exits 0 ctx-count document
		quiet
	done
}

@test "mistakes: standard input cannot be edited in place, nor can a folder be read" {
	exits 2 ctx-clean -i - <good
	said 'ctx-clean: -i cannot edit standard input (-); without -i, the result is printed' \
	    "see 'ctx-clean --help'"
	silent
	mkdir d
	exits 4 ctx-count d
	said 'ctx-count: d: is a directory; name the files in it, as in DIR/*.jsonl'
	# a file of that name can be edited
	cp good ./-
	exits 0 ctx-clean -i ./-
}

@test "mistakes: names that are nearly right" {
	exits 2 ctx-clean -d openia good
	says "ctx-clean: -d: 'openia' is not one of openai, *; did you mean openai?"
	exits 2 ctx-clean --api mistrall good
	says '*; did you mean mistral?'
	exits 2 ctx-convert --to antropic good
	says '*; did you mean anthropic?'
	exits 2 ctx-count -e o200k_bass good
	says '*o200k_base, *; did you mean o200k_base?'
	exits 2 ctx-clean --images droop good
	says '*; did you mean drop?'
	exits 0 ctx-count -m gpt4o good
	says "ctx-count: model 'gpt4o' is not known; *; did you mean gpt-4o?"
	exits 0 ctx-count -m klingon good
	lacks 'did you mean' err
	exits 2 ctx-clean -d klingon good
	lacks 'did you mean' err
	exits 2 ctx-count -e klingon good
	lacks 'did you mean' err
}

@test "mistakes: a member of --by that no message has, and files without a message" {
	exits 0 ctx-count --by thread good
	said 'ctx-count: good: no message has the member thread of --by, so all are one conversation'
	echo '{"a":1}' >none
	exits 0 ctx-clean none
	said 'ctx-clean: none: no message in 1 record; ctx-stream(5) lists the formats that are read'
	exits 3 ctx-convert --to openai --request -m gpt-4o none
	silent
}

@test "mistakes: several conversations without --by" {
	for t in a b c a; do
		printf '{"thread_id":"%s","role":"user","content":"q"}\n' $t
	done >log
	told='log: looks like 3 conversations, which are read as one; --by thread_id tells them apart'
	for c in ctx-clean "ctx-truncate -n 2" "ctx-convert --to openai -q" \
	    "ctx-count --max 99" "ctx-count --per-conversation" "ctx-clean -j 2"; do
		about "$c"
		# shellcheck disable=SC2086
		exits 0 $c log
		case $c in
		*-q) quiet ;;
		*) said "${c%% *}: $told" ;;
		esac
	done
	exits 0 ctx-clean --by thread_id log
	quiet
	# what comes to the same, is one conversation, or says nothing of it
	exits 0 ctx-count log
	quiet
	sed 's/"[abc]"/"a"/' log >one
	exits 0 ctx-clean one
	quiet
	{ cat good; cat log; } >later
	exits 0 ctx-clean later
	quiet
	sed 's/"thread_id":"[abc]"/"thread_id":null/' log >null
	exits 0 ctx-clean null
	quiet
	# each file is looked at alone
	exits 0 ctx-clean one log
	said "ctx-clean: $told"
	exits 0 ctx-clean log one
	said "ctx-clean: $told"
	# conversation lines are told apart already
	for t in a b; do
		printf '{"thread_id":"%s","messages":[{"role":"user","content":"q"}]}\n' $t
	done >lines
	exits 0 ctx-clean lines
	quiet
	seq 2000 | sed 's/.*/{"chat_id":&,"role":"user","content":"q"}/' >many
	exits 0 ctx-clean many
	said 'ctx-clean: many: looks like 1000 or more conversations, which are read as one; --by chat_id tells them apart'
	# sessions of programs are one conversation, whatever their records name
	for f in "$DATA"/logs/*.c*.jsonl; do
		exits 0 ctx-clean "$f"
		quiet
	done
	exits 0 ctx-clean "$DATA/logs/tasks.openai.jsonl"
	says '*: looks like 24 conversations, *; --by thread_id tells them apart'
}
