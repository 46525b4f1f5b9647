# ctx-store search: which words find which messages.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }
said_user() { printf '{"role":"user","content":"%s"}\n' "$@"; }
# hits ARG...: print the numbers of the messages found, in order.
hits() { store search "$@" | jq -r .seq | tr '\n' ' ' | sed 's/ $//'; }

# finds SEQS ARG...: assert that exactly these are found.
finds() {
	local want=$1 got

	shift
	got=$(hits "$@")
	[ "$got" = "$want" ] || { echo "found '$got', not '$want': $*"; return 1; }
}

# words INDEX: the words that are in it.
words() {
	if [ -n "${CTX_TEST_PG:-}" ]; then
		sqlite3 db "SELECT DISTINCT unnest(tsvector_to_array(words)) FROM $1"
	else
		sqlite3 db "CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, $1, row);
		    SELECT term FROM temp.v"
	fi
}

# no_words: assert that nothing is left in the index.
no_words() {
	words search >words
	same words /dev/null
}

@test "search: the words of an identifier are found, however it is written" {
	said_user 'call loadData(userName)' 'call load_data(user_name)' \
	    'the file src/load/data.c' 'class HTTPServerError' 'a download' \
	    'reloadData' | store append S
	finds '6 3 2 1' data
	finds '3 2 1' load
	finds '2 1' user
	finds '2 1' name
	finds '3 2 1' loadData
	finds 6 reloadData
	finds '3 2 1' load_data
	finds 4 server
	finds 4 ServerError
	finds 4 error
	finds '2 1' 'userName'
	# Words that are adjacent only in the list of an identifier's words do
	# not form a phrase.
	said_user 'oneTwo threeFour' | store append S
	finds '' '"two three"'
	finds 7 '"onetwo threefour"'
	finds 7 '"one two"'
}

@test "search: every text of every dialect is found" {
	for f in "$DATA"/dialects/*.faulty.jsonl; do
		d=${f##*/}
		exits 0 ctx-store append "${d%%.*}" "$f"
	done
	[ "$(store threads | wc -l)" -ge 28 ]
	# each text and each argument has one of these marks; see dialects.bats
	for m in MS0 MU1 MU2 MA1 MA2 MA4 MC1 MC2 MC3 MR1 MR3 MR9 MT3; do
		about "$m"
		grep -l $m "$DATA"/dialects/*.faulty.jsonl |
		    sed 's|.*/||; s/\..*//' | sort >want
		store search -n 1000 $m | jq -r .thread_id | sort -u >got
		same got want
	done
	exits 0 ctx-store check --full
	echo '{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"plain words"}}]}' |
	    store append plain
	finds 1 --thread plain 'plain words'
	# other data in a member "data" is not searched
	printf '%s\n' '{"role":"user","content":[{"type":"x","data":"aGVsbG8"}]}' \
	    '{"role":"user","content":[{"type":"x","data":{"text":"hidden"}}]}' |
	    store append other
	finds '' --thread other aGVsbG8
	finds '' --thread other hidden
}

@test "search: a phrase may begin and end within Chinese, Japanese or Korean text" {
	said_user '训练 GPT 模型的时候要注意' 'use Python 代码库' 'GPT 模仿' |
	    store append S
	while IFS='|' read -r query want; do
		finds "$want" "$query"
	done <<-'X'
	"GPT 模型"|1
	"GPT 模型的"|1
	"GPT 模"|3 1
	"练 GPT 模型的时候"|1
	"use Python 代"|2
	"Python 代码库"|2
	"GPT 型"|
	"GPT 模型 的"|
	"Python 码库"|
	X
}

@test "search: a query is data, not syntax" {
	said_user 'a NEAR b OR c, AND: text:x (y) {z} ^caret star* -minus' \
	    'alpha beta' 'ship 🚀 it' 'naïve Ünïcode Straße' | store append S
	while IFS='|' read -r query want; do
		finds "$want" -- "$query"
	done <<-'X'
	NEAR(|1
	a OR|1
	NEAR/2|
	alpha OR zzz|
	alpha NOT beta|
	alpha AND beta|
	alpha beta|2
	alpha*|2
	^alpha|2
	-alpha|2
	+alpha|2
	alpha" beta|2
	"alpha beta|2
	"beta alpha"|
	"alpha"" beta"|2
	text:x|1
	search:alpha|
	rowid:2|
	{z}|1
	(y) AND|1
	'; DROP TABLE message; --|
	%|
	ship 🚀|3
	naive unicode|4
	straße|4
	t1|
	X
	for q in '*' '"' '""' '( ) : ^ - + { } [ ]' '' ' ' '🚀' $'\xee\x80\x80' '""""'; do
		exits 2 store search -- "$q"
		silent
		says '*no words to search for*'
	done
	# Bytes that are not UTF-8, and words like those that the index uses for
	# filters.
	exits 2 store search $'alpha \xff'
	says '*not UTF-8*'
	exits 2 store search $'\xed\xa0\x80'
	says '*not UTF-8*'
	exits 1 store search $'\xee\x80\x80t1'
	silent
	exits 0 store check --full
}

@test "search: huge queries" {
	said_user "$(seq -s ' ' 10001 10256)" 'other' | store append S
	# A word of 100 KB, and a megabyte of arguments.
	word=$(head -c 100000 /dev/zero | tr '\0' a)
	exits 1 store search "$word"
	silent
	exits 1 store search "$word" "$word" "$word" "$word" "$word" \
	    "$word" "$word" "$word" "$word" "$word"
	silent
	# The maximum number of words, one word more, and one word repeated very
	# often.
	# shellcheck disable=SC2046
	exits 0 store search $(seq 10001 10256)
	[ "$(jq .seq out)" = 1 ]
	# shellcheck disable=SC2046
	exits 2 store search $(seq 10001 10257)
	says '*more than 256 words*'
	# shellcheck disable=SC2046
	finds 2 $(yes other | head -n 5000)
	quotes=$(head -c 100000 /dev/zero | tr '\0' '"')
	exits 2 store search "$quotes"
	exits 0 store search "${quotes}other"
	exits 1 store search "$(head -c 99999 /dev/zero | sed 's/\x0/上/g' |
	    head -c 99999)"
	silent
}

@test "search: a word that is the beginning of very many others" {
	seq 1 3000 | sed 's/.*/{"role":"user","content":"item&word thing"}/' |
	    store append S
	said_user 'thing only' 'last' | store append S
	[ "$(hits item --last 3)" = '3000 2999 2998' ]
	finds '' item2000w item1999
	finds 7 item7w thing
	finds 7 item7w item
	finds '' item only
	# The hits are older than the messages that are scanned for such a word.
	seq 1 400 | sed 's/.*/{"role":"tool","content":"filler"}/' |
	    store append S
	[ "$(hits item --last 2)" = '3000 2999' ]
	[ "$(hits item --last 2 --role user)" = '3000 2999' ]
	finds '' item --role tool
	[ "$(hits item thing --last 1)" = 3000 ]
	[ "$(hits item1 --last 1)" = 1999 ]
}

@test "search: filters, alone and combined" {
	printf '%s\n' \
	    '{"role":"user","content":"x one","timestamp":"2024-01-01T00:00:00Z"}' \
	    '{"role":"assistant","content":"x two","timestamp":"2024-03-05T23:59:59Z"}' \
	    '{"role":"user","content":"x three","timestamp":"2024-03-06T00:00:00Z"}' \
	    '{"role":"user","content":"x four","timestamp":"2025-12-31T12:00:00Z"}' |
	    store append A
	said_user 'x five' | store append B
	[ "$(hits x --thread A)" = '4 3 2 1' ]
	[ "$(hits x --thread A --since 2024-03-06)" = '4 3' ]
	[ "$(hits x --thread A --since 2024-03-05T23:59:59Z)" = '4 3 2' ]
	[ "$(hits x --thread A --since 2024-03-05T23:59:59.5Z)" = '4 3' ]
	[ "$(hits x --thread A --since 2024-04-01 --role user)" = 4 ]
	finds '' x --thread A --since 2026-01-01
	finds 1 x --thread B --since 2025-01-01
	finds 2 x --thread A --role assistant
	# the index has a word for each 32 days; this is the last of one
	printf '%s\n' \
	    '{"role":"user","content":"y one","timestamp":"2024-04-25T12:00:00Z"}' \
	    '{"role":"user","content":"y two","timestamp":"2024-04-26T12:00:00Z"}' \
	    '{"role":"user","content":"y three","timestamp":"2024-04-27T12:00:00Z"}' |
	    store append M
	[ "$(hits y --since 2024-04-26)" = '3 2' ]
	[ "$(hits y --since 2024-04-27)" = 3 ]
	exits 1 store search x --thread C
	finds '' x --role "user' OR 1"
}

# various N SEED: N messages with words of different frequencies.
various() {
	awk -v n="$1" -v seed="$2" 'BEGIN {
		srand(seed)
		split("condor contact contour condor ÉTÉ été cafés 上下文 loadData " \
		    "load_data data-loader message messages x1 x2 x3 a b", w, " ")
		for (i = 1; i <= n; i++) {
			s = ""
			for (k = int(rand() * 30); k >= 0; k--)
				s = s " " w[1 + int(18 * rand() * rand())] \
				    (rand() < 0.3 ? int(1000 * rand()) : "")
			printf "{\"role\":\"%s\",\"content\":\"%s\"}\n",
			    i % 2 ? "user" : "assistant", s
		}
	}'
}

# The first time the thread is all of the store, and words are looked up in the
# index; the second time it is a small part, which is read.
@test "search: what other threads hold does not change the hits of some threads" {
	local n of what want

	various 400 1 | store append S
	# more threads than a query of the index has
	various 400 4 | awk '{ sub("{", "{\"t\":\"a" NR % 130 "\","); print }' |
	    store append --by t --user ann
	# more words begin with con than are looked up
	for n in 1 2; do
		while read -r -a what; do
			for of in '--thread S' '--user ann' \
			    '--thread a1 --thread S'; do
				# shellcheck disable=SC2086
				store search $of -n 50 "${what[@]}" \
				    >"$n.${of// /}.$(tr ' /' '__' \
				    <<<"${what[*]}")" || :
			done
		done <<-'X'
		con
		con data
		con x1
		"condor contact"
		été
		message
		load_data
		上
		con --role user
		con --since 1d
		con --rank
		condor message --rank
		load_data con --rank --role user
		"x1 x2" --rank
		ontac --substring
		上下 --substring
		con --around 1
		zzz
		zzz --rank
		zzz --substring
		X
		store relevant S --question 'condor loadData 上下文' -t 900 \
		    >"$n.relevant"
		[ "$n" = 2 ] || various 6000 2 | store append T
	done
	for want in 1.*; do same "2${want#1}" "$want"; done
	for of in --threadS --userann --threada1--threadS; do
		[ "$(wc -l <"1.$of.con")" = 50 ]
		[ "$(wc -l <"1.$of.ontac_--substring")" = 50 ]
		[ -s "1.$of.con_data" ]
	done
}

@test "search: in a thread, --rank prefers what is rare in it, and short texts" {
	said_user 'amber birch' 'amber amber' 'amber birch and cedar' \
	    'amber one' 'amber two' birch amber | store append S
	seq 1 200 | sed 's/.*/{"role":"user","content":"birch filler"}/' |
	    store append T
	finds '2 7 5 4 1 3' amber --rank --thread S
	finds '1 3' amber birch --rank --thread S
	finds '6 1 3' birch --rank --thread S
	finds '' zzz --rank --thread S
}

@test "search: --tool in a store that an earlier version began, or of that version" {
	sqlite_only
	{
		echo '{"role":"assistant","parts":[{"type":"tool-look","toolCallId":"3","state":"output-available","input":{},"output":"kite"}]}'
		seq 300 | sed 's/.*/{"role":"user","content":"kite &"}/'
	} | store append S
	sqlite3 "$CTX_DB" "DELETE FROM typed_tool; UPDATE meta SET value = 301 WHERE key = 'typed_tool'"
	exits 0 store search --tool look kite
	[ "$(jq .seq out)" = 1 ]
	sqlite3 "$CTX_DB" "DROP TABLE typed_tool; DELETE FROM meta WHERE key = 'typed_tool'; PRAGMA user_version = 3"
	exits 0 store search --tool look kite
	[ "$(jq .seq out)" = 1 ]
}

@test "search: --rank finds the best of those that --role allows, however many others are better" {
	{
		seq 400 | sed 's/.*/{"role":"user","content":"kite"}/'
		seq 5 | sed 's/.*/{"role":"assistant","content":"kite number & is a bird"}/'
	} | store append S
	exits 0 store search --rank --role assistant kite
	[ "$(jq .seq out | tr '\n' ' ')" = '405 404 403 402 401 ' ]
	exits 0 store search --rank --last 402 kite
	[ "$(jq .seq out | tr '\n' ' ')" = "$(seq 400 -1 1 | tr '\n' ' ')405 404 " ]
	exits 0 store search --rank --last 1000 kite
	[ "$(wc -l <out)" = 405 ]
}

@test "search: --tool finds calls of a tool and their results, in any dialect" {
	cat >chat <<-'X'
	{"role":"user","content":"deploy the build"}
	{"role":"assistant","content":"build first","tool_calls":[{"id":"a","type":"function","function":{"name":"bash","arguments":"{\"cmd\":\"make build\"}"}},{"id":"b","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"build.log\"}"}}]}
	{"role":"tool","tool_call_id":"a","content":"build done"}
	{"role":"tool","tool_call_id":"b","content":"build log"}
	{"role":"assistant","content":"the build is there"}
	{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"web","arguments":"{\"q\":\"build\"}"}}]}
	{"role":"tool","tool_call_id":"a","content":"build news"}
	X
	store append A chat
	cat >blocks <<-'X'
	{"role":"user","content":[{"type":"text","text":"a build please"}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"bash","input":{"cmd":"build"}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"build ok"}]}
	X
	store append B blocks
	finds '7 6 5 4 3 2 1' build --thread A
	finds '3 2' build --thread A --tool bash
	finds '4 2' build --thread A --tool read_file
	finds '7 6' build --thread A --tool web
	finds '3 2' build --thread B --tool bash
	finds '3 2 3 2' build --tool bash
	finds '3' build --tool bash --last 1
	finds '3' done --tool bash
	finds '' build --tool nothing
	finds '' build --tool 'ba'
	finds '2' build --thread A --tool bash --role assistant
	[ "$(hits build --thread A --tool bash --rank | tr ' ' '\n' | sort |
	    tr '\n' ' ')" = '2 3 ' ]
	finds '3 2' build --thread A --tool bash --substring
	exits 2 store search build --tool bash --in code
	# as a history, calls have all of their results
	exits 0 store search done --tool bash --as messages
	sed -n 2,4p chat >want
	same out want
}

# history LINES ARG...: assert that these lines of log are found.
history() {
	exits 0 store search "${@:2}"
	sed -n "$1p" log >want
	same out want
}

# An agent's log: each call is a record, there are records between that are no messages,
# and a result may come after those of other calls.
@test "search: calls and results that are records of their own stay together" {
	record() { printf '{"type":"%s","message":{"role":"%s","content":%s}}\n' "$@"; }
	{
		record user user '"where does the otter live?"'
		record assistant assistant '[{"type":"text","text":"I look."}]'
		record assistant assistant '[{"type":"tool_use","id":"t1","name":"find","input":{"q":"otter"}}]'
		echo '{"type":"progress","note":"otter hook"}'
		record assistant assistant '[{"type":"tool_use","id":"t2","name":"list","input":{"q":"river"}}]'
		echo '{"type":"snapshot","files":{}}'
		record user user '[{"type":"tool_result","tool_use_id":"t1","content":"otter den"}]'
		echo '{"type":"progress","data":{"note":"hook"}}'
		record user user '[{"type":"tool_result","tool_use_id":"t2","content":"otter bank"}]'
		record assistant assistant '[{"type":"text","text":"In a den."}]'
		record user user '"thanks"'
	} >log
	store append A log
	finds '7 3' otter --tool find
	finds 9 otter --tool list
	# a result, the first call, the second one, and what is before them
	for words in '"otter bank"' '"otter den"' river look; do
		history 2,9 "$words" --as messages
	done
	history 2,11 '"in a den"' --around 1
	# what is aside alone, and what needs no call
	history 4 '"otter hook"' --as messages
	history 10 '"in a den"' --as messages
}

@test "search: calls and results of Responses, Bedrock, goose and Gemini stay together" {
	item() { printf '{"type":"function_call%s","call_id":"%s",%s}\n' "$@"; }
	{
		said_user 'weather and time?'
		item '' c1 '"name":"weather","arguments":"{}"'
		item '' c2 '"name":"clock","arguments":"{}"'
		item _output c1 '"output":"kite weather"'
		item _output c2 '"output":"kite time"'
	} >responses
	cat >bedrock <<-'X'
	{"role":"user","content":[{"text":"get it"}]}
	{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"weather","input":{}}}]}
	{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"kite bedrock"}]}}]}
	X
	cat >goose <<-'X'
	{"id":"g1","role":"user","created":1764466000,"content":[{"type":"text","text":"get it"}]}
	{"id":"g2","role":"assistant","created":1764466001,"content":[{"type":"toolRequest","id":"t1","toolCall":{"status":"success","value":{"name":"weather","arguments":{}}}}]}
	{"id":"g3","role":"user","created":1764466002,"content":[{"type":"toolResponse","id":"t1","toolResult":{"status":"success","value":[{"type":"text","text":"kite goose"}]}}]}
	X
	cat >gemini <<-'X'
	{"role":"user","parts":[{"text":"get it","function_response":null}]}
	{"role":"model","parts":[{"function_call":{"name":"weather","args":{}}}]}
	{"role":"user","parts":[{"function_response":{"name":"weather","response":{"r":"kite gemini"}}}]}
	X
	for d in responses bedrock goose gemini; do
		store append $d $d
		n=3
		[ $d != responses ] || n=4
		finds $n kite --thread $d --tool weather
		exits 0 store search kite --thread $d --as messages
		sed 1d $d >want
		same out want
		exits 0 store status --json $d
		[ "$(jq .turns out)" = 1 ]
	done
}

# anywhere: print the hits of texts inside words, with all kinds of characters.
anywhere() {
	local text

	while IFS= read -r text; do
		echo "$text: $(hits --substring -n 50 -- "$text")"
	done <<-'X'
	ndo
	NDOR CON
	on
	上下文
	下文
	ÉTÉ
	été
	café"s
	say "hi"
	" OR "
	a\b
	🚀🚀🚀
	x🚀y
	after nul
	old text
	zzz
	message1 message2
	X
	hits --substring ndo --role user --last 5
	hits --substring ndo --since 1d --last 5
	hits --substring ndo --tool x
}

# no_trigrams: assert that the index of trigrams has nothing.
no_trigrams() {
	words trigram >words
	same words /dev/null
}

@test "search: with an index of trigrams, --substring finds the same" {
	# they are older than what is read before the index is asked
	said_user 'café\"s' 'say \"hi\" or' 'a\\b' 'one 🚀🚀🚀' 'x🚀y' \
	    'nul\u0000after nul' 'ab' | store append S
	echo '{"role":"user","content":"old text"}' | store append O --no-index
	various 900 6 | store append S
	various 20 7 | store append T --no-index
	anywhere >want
	exits 0 store reindex --trigrams on
	says '*indexed the texts of 928 messages'
	anywhere >got
	same got want
	# it is kept up to date
	exits 0 store reindex --trigrams on
	says '*indexed the texts of 0 messages'
	various 30 8 | store append U
	various 30 9 | store append V --no-index
	anywhere >got
	store --db "$T/copy" import <(store export)
	CTX_DB=$T/copy anywhere >want
	same got want
	exits 0 store reindex --all
	anywhere >got
	same got want
	exits 0 store rm S U
	anywhere >got
	CTX_DB=$T/copy store rm S U
	CTX_DB=$T/copy anywhere >want
	same got want
	exits 0 store check --full
	store rm T O V
	no_trigrams
	exits 0 store reindex --trigrams off
	if words trigram 2>err; then fail 'it is still there'; fi
	exits 0 store reindex --trigrams off
	exits 2 store reindex --trigrams maybe
}

@test "search: an index of trigrams that is not complete is used as far as it goes" {
	local pid

	various 9000 10 | store append S
	said_user 'first' 'last' | store append S
	anywhere >want
	store reindex --trigrams on &
	pid=$!
	until [ "$(sqlite3 db "SELECT count(*) FROM meta WHERE key =
	    'trigram' AND CAST(value AS INTEGER) BETWEEN 1 AND 8000")" = 1 ] || ! kill -0 "$pid"; do :; done
	kill -9 "$pid" || :
	wait "$pid" || :
	anywhere >got
	same got want
	exits 0 store check --full
	various 50 11 | store append T
	store rm S
	various 50 12 | store append U
	anywhere >want
	exits 0 store reindex --trigrams on
	anywhere >got
	same got want
	store rm T U
	no_trigrams
}

# Messages as the first version indexed them, without the words of identifiers
# and those for filters.
@test "search: what an older version indexed is found, and is updated" {
	sqlite_only
	said_user 'an old loadData' | store append --no-index S
	sqlite3 db "INSERT INTO search(rowid, text)
	    VALUES(1, 'an old loadData' || char(10)); UPDATE message SET words = 1"
	said_user 'a new loadData' | store append S
	said_user 'a new loadData' | store append T
	finds '2 1' loadData --thread S
	finds '2 1' loadData --role user --thread S --since 1d
	finds 2 data --thread S
	exits 0 store reindex
	says '*indexed 1 message'
	finds '2 1' data --thread S
	exits 0 store rm S
	[ "$(store search data | jq -r .thread_id)" = T ]
	exits 0 store rm T
	no_words
}

# --- other items --------------------------------------------------------------

# rows ARG...: print the kind of each hit and its name or number, one hit on
# each line.
rows() {
	store search "$@" | jq -r '[.kind, .thread_id, .seq // .turn // .number //
	    "\(.code_id // .file_id)@\(.version)"] | join(" ")'
}

# Put an item of every kind into the store, with the word zebra in it.
zoo() {
	said_user 'a zebra in a message' | store append S
	printf '{"summary":"the zebra so far","turns":3}\n' | store summary put S
	printf 'notes: Zebra and\nparseZebraFile\n' |
	    store memory put S --turn 4 --summary 'what the agent knew' \
	    --insight '斑马是一种动物'
	printf 'def zebra():\n    pass\n' |
	    store code put S code_animals --syntax python --desc '动物 catalogue' >out
	printf 'name,legs\nzebra,4\n' >zebra.csv
	store upload put --store-only S zebra.csv >out
}

@test "search: summaries, memory, code, uploads, and the command that prints each" {
	zoo
	rows zebra >out
	wrote 'message S 1'
	rows --in all zebra >out
	sort out >got
	printf '%s\n' 'code S code_animals@1' 'memory S 4' 'message S 1' \
	    'summary S 1' 'upload S zebra.csv@1' >want
	same got want
	[ "$(rows --in code 动物)" = 'code S code_animals@1' ]
	[ "$(rows --in code,memory 动物 | sort | tr '\n' ';')" = \
	    'code S code_animals@1;memory S 4;' ]
	[ "$(rows --in memory '斑马 parseZebra')" = 'memory S 4' ]
	[ "$(rows --in uploads legs)" = 'upload S zebra.csv@1' ]
	[ "$(rows --in all --last 1 zebra)" = "$(rows --in all zebra | head -n 1)" ]
	[ "$(rows --in memory --substring braFil)" = 'memory S 4' ]
	exits 1 store search --in all zebra --since 2999-01-01
	[ "$(store search --in memory zebra | jq -r .snippet)" = \
	    'ctx_4 what the agent knew 斑马是一种动物 notes: Zebra and parseZebraFile ' ]
	# Run the command that each hit gives.
	store search --in all zebra | jq -r '.get | @sh' >gets
	[ "$(wc -l <gets)" = 5 ]
	while read -r get; do
		eval "store $get" >thing
		grep -qi zebra thing || { echo "$get"; false; }
	done <gets
	exits 2 store search --in mesages x
	exits 2 store search --in '' x
	exits 2 store search --in memory --as messages x
	exits 2 store search --in memory --role user x
}

@test "search: other items are removed from the index with their data" {
	zoo
	store code put S code_animals --syntax python <<<'no stripes' >out
	exits 1 store search --in code zebra	# only the newest version counts
	store code rm S code_animals
	store upload rm S zebra.csv
	[ "$(rows --in all zebra | wc -l)" = 3 ]
	exits 0 store reindex --all
	says '*indexed 1 message, 2 other items'
	[ "$(rows --in all zebra | wc -l)" = 3 ]
	# What two threads share stays for the other one.
	seq 1 20000 | sed 's/$/ word/' >shared
	store memory put S --turn 5 shared
	store memory put T --turn 1 shared
	store append T <<<'{"role":"user"}'
	store rm S
	[ "$(rows --in all 777)" = 'memory T 1' ]
	[ "$(rows --in all '19999 11' word)" = 'memory T 1' ]	# far apart
	exits 1 store search --in all zebra
	store rm T
	no_words
}

@test "search: other items are found after import and upgrade" {
	zoo
	rows --in summaries,memory,code,uploads zebra >want
	store export >all
	exits 0 store --db b import all
	CTX_DB=b rows --in summaries,memory,code,uploads zebra >got
	sort want >w
	sort got >g
	same g w
	exits 0 store --db b memory list S --match zebra
}

@test "search: other items in a store of the first version" {
	sqlite_only
	gunzip -c "$DATA/store/v1.db.gz" >db
	exits 0 store search sessions
	exits 4 store search --in memory know
	says "*run 'ctx-store migrate'"
	exits 0 store migrate
	[ "$(rows --in all know | tr '\n' ';')" = 'memory S 2;memory S 1;' ]
	[ "$(rows --in memory 'turn know')" = 'memory S 1' ]
	[ "$(rows --in memory later)" = 'memory S 2' ]
	[ "$(rows --in code print)" = 'code S code_1@2' ]
	[ "$(rows --in summaries so far)" = 'summary S 1' ]
	exits 0 store reindex
	says '*indexed * messages'
	each=$(store threads | jq -r .thread_id)
	[ -n "$each" ]
	for t in $each; do store rm "$t"; done
	no_words
}

@test "search: the pieces of a long context end between words" {
	for n in 1 2; do
		seq -f "word%.0f上下文" $((n * 100000)) $((n * 100000 + 30000))
	done | tr '\n' ' ' >one-line
	store memory put S --turn 1 one-line
	# Look for every 997th of them, then count all.
	for i in $(seq 100000 997 130000); do
		[ "$(rows --in memory "\"word$i\"")" = 'memory S 1' ] ||
		    { echo "$i"; false; }
	done
	[ "$(words search | grep -c '^word')" = 60002 ]
}

# --- as a history ----------------------------------------------------------------

@test "search: hits as messages form a history: each once, the oldest first" {
	for i in $(seq 1 20); do said_user "m$i $((i % 5 ? 0 : 7))x"; done |
	    store append A
	said_user 'b1' 'b2 7x' 'b3' | store append B
	only() { jq -r .content | cut -d ' ' -f 1 | tr '\n' ' '; }
	[ "$(store search 7x --as messages | only)" = 'm5 m10 m15 m20 b2 ' ]
	[ "$(store search 7x --around 1 | only)" = \
	    'm4 m5 m6 m9 m10 m11 m14 m15 m16 m19 m20 b1 b2 b3 ' ]
	[ "$(store search 7x --around 2 --thread A | only)" = \
	    'm3 m4 m5 m6 m7 m8 m9 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 ' ]
	[ "$(store search 7x --around 1000000 --last 1 | only)" = 'b1 b2 b3 ' ]
	[ "$(store search 7x --around 1 --last 3 | only)" = \
	    'm14 m15 m16 m19 m20 b1 b2 b3 ' ]
	# The messages around a hit in a fork do not include those of its
	# parent.
	store checkpoint put A --id c >out
	said_user 'f1' 'f2 7x' | store append A -c f --parent main@10
	[ "$(store search 7x --around 3 --thread A --last 1 | only)" = 'f1 f2 ' ]
}

@test "search: hits with their surroundings can be piped to the filters" {
	store append S <<-'X'
	{"role":"user","content":"read it"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"first"}
	{"role":"tool","tool_call_id":"c2","content":"second needle"}
	{"role":"assistant","content":"done"}
	{"role":"user","content":"thanks"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"write","arguments":"{\"text\":\"needle\"}"}}]}
	{"role":"tool","tool_call_id":"c3","content":"ok"}
	X
	# Calls and results stay together.
	store search needle --as messages >hits
	[ "$(jq -s length hits)" = 5 ]
	store search done --around 1 --last 1 >hits
	[ "$(jq -s length hits)" = 5 ]
	for n in 0 1 2 3; do
		set -- --as messages --around "$n"
		[ "$n" -gt 0 ] || set -- --as messages
		store search needle "$@" >hits
		exits 0 ctx-clean --check hits
		ctx-clean -q hits | ctx-truncate -q -t 4k >fit
		same fit hits
		grep -q 'second needle' fit
		grep -q '\\"needle' fit
	done
	store search first --as messages | ctx-clean -q | ctx-truncate -q -t 4k >fit
	exits 0 ctx-clean --check fit
}

# --- quality -----------------------------------------------------------------------

# tests/data/search/README.md describes the set and how its answers were marked.
@test "search: the labelled set is complete" {
	local n

	cat "$DATA"/search/*.jsonl >all
	[ "$(wc -l <all)" -eq 300 ]
	[ "$(jq -r .id all | sort -u | wc -l)" -eq 300 ]
	for n in en zh; do
		[ "$(jq -r .id all | grep -c "^$n-")" -eq 150 ]
		[ "$(grep -c "^${n}[0-9][0-9]	" "$DATA/search/questions.tsv")" -eq 30 ]
	done
	jq -r .id all | sort >ids
	sed 1d "$DATA/search/questions.tsv" | cut -f 5 | tr ' ' '\n' |
	    sed 's/^~//' | sort -u | comm -23 - ids >unknown
	same unknown /dev/null
	for n in "$DATA"/search/*.jsonl; do
		exits 0 ctx-clean --check "$n"
	done
}

# scores COLUMN OP NUMBER KIND...: assert this for the column of search-score.py
# in the rows of these kinds, for both languages.
scores() {
	local column=$1 op=$2 floor=$3

	shift 3
	awk -v c="$column" -v op="$op" -v floor="$floor" -v kinds=" $* " '
	    index(kinds, " " $2 " ") {
		n++
		if (op == "=" ? $c != floor : $c < floor) {
			print "column " c ", not " floor ": " $0
			bad = 1
		}
	    }
	    END { exit bad || n < 2 }' figures || fail "column $column: $*"
}

@test "search: the labelled questions find all answers that contain their words" {
	if sanitized; then
		skip "it is what is found that counts"
	fi
	python3 "$ROOT/tests/search-score.py" >figures
	sed 's/^/# /' figures >&3
	# All answers that contain all of the words are found, in order of time
	# and of rank.
	scores 7 = 1 word words inflected part mixed paraphrase all
	# If the single word is typed as it is in the text, these are all the
	# answers.
	scores 4 = 1 word part
	scores 5 = 1 word part
	scores 4 '>=' 0.8 words
	scores 5 '>=' 0.8 words
	# Lower bounds for all questions, including those in other words.
	scores 4 '>=' 0.7 all
	scores 5 '>=' 0.7 all
	scores 6 '>=' 0.7 all
}

@test "search: recall at 10 is at least 0.9 in other people's histories" {
	[ -n "${CTX_DATA:-}" ] || skip "CTX_DATA is not set"
	if sanitized; then
		skip "it is what is found that counts"
	fi
	mkdir set
	python3 "$ROOT/tests/search-set.py" make set
	python3 "$ROOT/tests/search-set.py" score set >figures
	sed 's/^/# /' figures >&3
	has 'keyword recall@10' figures
	has 'ranked recall@10' figures
	awk '/keyword/ && $4 < 0.9 || /ranked/ && $4 < 0.9 { bad = 1 }
	    END { exit bad }' figures
}

@test "search: accents may be typed or omitted, in the query and in the text" {
	said_user 'Casa do Jacarandá' 'Pensao Mirante' | store append S
	finds 1 jacaranda
	finds 1 JACARANDÁ
	finds 1 jacarandá
	finds 2 pensão
	# also in the beginning of a word
	finds 2 pensã
	finds 2 pensao
}
