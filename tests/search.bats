# ctx-store search: what is found by which words.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }
said_user() { printf '{"role":"user","content":"%s"}\n' "$@"; }
# hits ARG...: the numbers of the messages, as they are found.
hits() { store search "$@" | jq -r .seq | tr '\n' ' ' | sed 's/ $//'; }

# finds SEQS ARG...: it finds just these.
finds() {
	local want=$1 got

	shift
	got=$(hits "$@")
	[ "$got" = "$want" ] || { echo "found '$got', not '$want': $*"; return 1; }
}

# no_words: nothing is left in the index.
no_words() {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	sqlite3 db "CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, search, row);
	    SELECT term FROM temp.v" >words
	same words /dev/null
}

@test "search: the words of an identifier, however it is written" {
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
	# What stands side by side only in the list of such words does not.
	said_user 'oneTwo threeFour' | store append S
	finds '' '"two three"'
	finds 7 '"onetwo threefour"'
	finds 7 '"one two"'
}

@test "search: what is typed is data" {
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
	for q in '*' '"' '""' '( ) : ^ - + { } [ ]' '' ' ' '🚀' $'\ue000' '""""'; do
		exits 2 store search -- "$q" && silent &&
		    says '*no words to look for*'
	done
	# Bytes that are not UTF-8; the words that filters are made of.
	exits 2 store search $'alpha \xff' && says '*not UTF-8*'
	exits 2 store search $'\xed\xa0\x80' && says '*not UTF-8*'
	exits 1 store search $'\ue000t1' && silent
	exits 0 store check --full
}

@test "search: huge queries" {
	said_user "$(seq -s ' ' 10001 10256)" 'other' | store append S
	# A word of 100 KB, and a megabyte of arguments.
	word=$(head -c 100000 /dev/zero | tr '\0' a)
	exits 1 store search "$word" && silent
	exits 1 store search "$word" "$word" "$word" "$word" "$word" \
	    "$word" "$word" "$word" "$word" "$word" && silent
	# As many words as there may be, one too many, and one very often.
	# shellcheck disable=SC2046
	exits 0 store search $(seq 10001 10256) && [ "$(jq .seq out)" = 1 ]
	# shellcheck disable=SC2046
	exits 2 store search $(seq 10001 10257) && says '*more than 256 words*'
	# shellcheck disable=SC2046
	finds 2 $(yes other | head -n 5000)
	quotes=$(head -c 100000 /dev/zero | tr '\0' '"')
	exits 2 store search "$quotes"
	exits 0 store search "${quotes}other"
	exits 1 store search "$(head -c 99999 /dev/zero | sed 's/\x0/上/g' |
	    head -c 99999)" && silent
}

@test "search: a word that goes on in very many ways" {
	seq 1 3000 | sed 's/.*/{"role":"user","content":"item&word thing"}/' |
	    store append S
	said_user 'thing only' 'last' | store append S
	[ "$(hits item --last 3)" = '3000 2999 2998' ]
	finds '' item2000w item1999
	finds 7 item7w thing
	finds 7 item7w item
	finds '' item only
	# Older than what is looked through for it.
	seq 1 400 | sed 's/.*/{"role":"tool","content":"filler"}/' |
	    store append S
	[ "$(hits item --last 2)" = '3000 2999' ]
	[ "$(hits item --last 2 --role user)" = '3000 2999' ]
	finds '' item --role tool
	[ "$(hits item thing --last 1)" = 3000 ]
	[ "$(hits item1 --last 1)" = 1999 ]
}

@test "search: filters, together and alone" {
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
	exits 1 store search x --thread C
	finds '' x --role "user' OR 1"
}

# Messages as the first version indexed them: neither the words of identifiers
# nor those for filters.
@test "search: what an older version indexed is found, and brought up to date" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	said_user 'an old loadData' | store append --no-index S
	sqlite3 db "INSERT INTO search(rowid, text)
	    VALUES(1, 'an old loadData' || char(10)); UPDATE message SET words = 1"
	said_user 'a new loadData' | store append S
	said_user 'a new loadData' | store append T
	finds '2 1' loadData --thread S
	finds '2 1' loadData --role user --thread S --since 1d
	finds 2 data --thread S
	exits 0 store reindex && says '*indexed 1 messages'
	finds '2 1' data --thread S
	exits 0 store rm S
	[ "$(store search data | jq -r .thread_id)" = T ]
	exits 0 store rm T
	no_words
}
