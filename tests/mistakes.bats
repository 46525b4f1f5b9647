# shellcheck shell=bash
# Common mistakes, and what a user is told to type instead.

setup() {
	load helpers
	common_setup
	printf '%s\n' '{"role":"user","content":"a"}' \
	    '{"role":"assistant","content":"b"}' >good
}

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
}

# unpacks FILE: assert that the command before the pipe in the message works.
unpacks() {
	exits 3 ctx-clean "$1"
	line=$(sed -n 's/.*: \([a-z].* FILE\) | ctx-clean$/\1/p' err)
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
	told a.py 'with single quotes, as Python prints a dictionary; print(json.dumps(message)) prints JSON' 2
	printf 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"b"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n' >stream
	told stream 'an answer that streams: ctx-convert --from response FILE | ctx-clean'
	exits 0 bash -c 'ctx-convert --from response stream | ctx-clean'
	has -F '"content":"b"' out
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
	printf '{"role":"user","content":"a",}\n' >comma
	exits 3 ctx-clean comma
	said "ctx-clean: comma:1:30: not JSON: unexpected '}'"
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
