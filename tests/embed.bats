# shellcheck shell=bash
# ctx-store embed, and search by meaning, with tests/stub/embedd.py as the
# server.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
	# the server exits when this end of its standard input is closed
	mkfifo "$T/life"
	: >"$T/log"
	python3 "$ROOT/tests/stub/embedd.py" "$T/log" <"$T/life" \
	    >"$T/port" 3>&- &
	exec 9>"$T/life"
	until_true [ -s "$T/port" ]
	AT=http://127.0.0.1:$(cat "$T/port")
}

teardown() { exec 9>&-; }

msg() { printf '{"role":"%s","content":"%s"}\n' "$1" "$2"; }

# Messages with various subjects, and one without text.
talk() {
	msg user "my car is old"
	msg assistant "buy a truck"
	msg user "the cat and the dog"
	msg user "it was a storm, take an umbrella"
	echo '{"role":"assistant","content":""}'
	msg user "nothing of all this"
}

# rows SQL: print the rows of a query.
rows() { sqlite3 db "$1"; }
embedded() { [ "$(rows 'SELECT count(*) FROM vector' 2>/dev/null)" != 0 ]; }

# Print the number of requests to a path, and the number of texts in them.
requests() {
	jq -s "[.[] | select(.path | startswith(\"/$1/\"))] |
	    \"\(length) \(map(.n) | add // 0)\"" -r log
}

# found SEQ...: assert that the hits are these messages, in this order.
found() {
	jq -r .seq out | tr '\n' ' ' >got
	echo "$*" | sed 's/$/ /' | tr -d '\n' >want
	same got want
}

embed() { ctx-store embed --url "$AT/$1/x" "${@:2}"; }

# --- asking ------------------------------------------------------------------------

@test "embed: each message with a text gets a vector and is sent once" {
	talk | ctx-store append S
	exits 0 embed ok -v
	silent
	says "ctx-embed: asking default at $AT/ok/x/v1/embeddings"
	says "ctx-store embed: stored 5 vectors of default"
	[ "$(requests ok)" = "1 5" ]
	jq -r '.format, .model, .input[]' log >got
	printf '%s\n' float default "my car is old" "buy a truck" \
	    "the cat and the dog" "it was a storm, take an umbrella" \
	    "nothing of all this" >want
	same got want
	# only what is new is sent
	exits 0 embed ok
	quiet
	[ "$(requests ok)" = "1 5" ]
	msg user "and a kitten" | ctx-store append S
	msg user "elsewhere" | ctx-store append other
	exits 0 embed ok S
	[ "$(requests ok)" = "2 6" ]
	exits 0 embed ok
	[ "$(requests ok)" = "3 7" ]
	exits 0 ctx-store check --full
}

@test "embed: another model has its own vectors; --all makes all of them again" {
	talk | ctx-store append S
	exits 0 embed ok --ask-model a
	exits 0 embed ok --ask-model b
	[ "$(requests ok)" = "2 10" ]
	exits 0 embed ok --ask-model b --all
	[ "$(requests ok)" = "3 15" ]
	[ "$(rows 'SELECT name, count(*), max(length(data)) FROM vector
	    JOIN vector_model m ON m.id = model GROUP BY name')" = \
	    "$(printf 'a|6|4\nb|6|4')" ]
}

@test "embed: texts are sent in batches, each of which is stored before the next" {
	local i

	for i in {1..25}; do msg user "message $i"; done | ctx-store append S
	exits 0 embed ok --batch 10
	[ "$(requests ok)" = "3 25" ]
	[ "$(jq -s -c 'map(.n)' log)" = "[10,10,5]" ]
}

@test "embed: a run that failed keeps the batches before" {
	local i

	for i in {1..25}; do msg user "message $i"; done | ctx-store append S
	# the server exits at the third request, so two batches are kept
	exits 5 embed die-3 --batch 10 --tries 1
	[ "$(rows 'SELECT count(*) FROM vector')" = 20 ]
	exits 0 ctx-store check --full
}

@test "embed: a parent that ignores SIGCHLD, so that no child can be waited for" {
	talk | ctx-store append S
	exits 0 timeout "$DEADLINE" python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])' ctx-store embed --url "$AT/ok/x"
	[ "$(rows 'SELECT count(*) FROM vector')" = 6 ]
}

@test "embed: after kill -9 between batches, no stored text is sent again" {
	local i n

	for i in {1..2000}; do msg user "message $i"; done | ctx-store append S
	ctx-store embed --url "$AT/ok/x" --batch 1 & n=$!
	until_true embedded
	kill -9 $n
	wait $n || :
	exits 0 embed ok --batch 100
	# at most the text of the request in progress is sent again
	[ "$(requests ok | cut -d ' ' -f 2)" -le 2001 ]
	[ "$(rows 'SELECT count(*) FROM vector')" = 2000 ]
}

@test "embed: long texts are cut between characters" {
	msg user "$(printf '猫%.0s' {1..30})" | ctx-store append S
	exits 0 embed ok --chars 7
	[ "$(jq -r '.input[0]' log)" = 猫猫猫猫猫猫猫 ]
	# the bytes of a request are limited too
	for _ in {1..12}; do
		msg user "$(printf 'words %.0s' {1..10000})"
	done | ctx-store append T
	exits 0 embed ok T --chars 60000
	[ "$(jq -s -c 'map(.n)' log)" = "[1,5,5,2]" ]
}

@test "embed: texts that no server would accept are not sent" {
	printf '%s\n' '{"role":"user","content":" \n "}' \
	    '{"role":"user","content":"half \ud800 of a pair, a \u0000 NUL"}' \
	    '{"type":"note"}' |
	    ctx-store append S
	exits 0 embed ok
	quiet
	jq -c .input log >got
	[ "$(jq -s 'map(.n) | add' log)" = 1 ]
	exits 0 embed ok
	[ "$(wc -l <log)" = 1 ]
}

@test "embed: other forms of answers are accepted" {
	talk | ctx-store append S
	exits 0 embed ok --ask-model a
	exits 0 embed base64 --ask-model b
	exits 0 embed backwards --ask-model c
	[ "$(rows 'SELECT count(DISTINCT data), count(*) FROM vector
	    GROUP BY message' | sort -u)" = "1|3" ]
}

# row FAULT EXIT TEXT: assert that the run fails and leaves the store unchanged.
row() {
	exits "$2" embed "$1" --tries 1
	says "$3"
	ctx-store export >after
	same after before
	[ "$(rows 'SELECT count(*) FROM vector')" = 5 ] ||
	    { echo "$1: vectors were kept"; return 1; }
}

@test "embed: a bad answer is reported and changes nothing" {
	talk | head -n 5 | ctx-store append S
	exits 0 embed ok
	{ msg user one; msg user two; } | ctx-store append S
	ctx-store export >before
	row short 5 "ctx-embed: the number of vectors in the answer (1) is not that of the texts (2)"
	row twice 5 "ctx-embed: the answer's vectors are numbered wrongly"
	row uneven 5 "ctx-embed: vector 1 of the answer has 5 numbers, but the first one has 4"
	row zero 5 "ctx-embed: vector 0 of the answer does not consist of numbers"
	row words 5 "ctx-embed: vector 0 of the answer does not consist of numbers"
	row huge 5 "ctx-embed: vector 0 of the answer does not consist of numbers"
	row badbase64 5 "ctx-embed: the answer has a vector of *"
	row none 5 "ctx-embed: the answer has a vector of 0 numbers"
	row nodata 5 "ctx-embed: the number of vectors in the answer (0) is not that of the texts (2)"
	row garbage 5 "ctx-embed: the answer is not JSON"
	row cut 5 "ctx-embed: the answer was cut off*"
	row empty 5 "ctx-embed: the answer is empty*"
	row error200 5 "ctx-embed: the endpoint reports an error: model is not loaded*"
	row 400 5 "ctx-embed: HTTP 400: input is too long"
	row 500 5 "ctx-embed: HTTP 500: boom*"
	row 429 5 "ctx-embed: HTTP 429: slow down*"
	row wide 1 "ctx-store embed: the vectors of 'default' have 6 numbers, but the stored ones have 4; *embed --all*"
	exits 0 embed ok
	quiet
}

@test "embed: retries where that can help, and reports it with -v" {
	talk | ctx-store append S
	exits 0 embed 429-then-ok -v
	says "ctx-embed: try 1 failed: HTTP 429: slow down; trying again in *"
	exits 0 embed 500-then-ok --all
	quiet
}

@test "embed: --all keeps the old vectors until the first answer" {
	talk | ctx-store append S
	exits 0 embed ok
	exits 5 embed 500 --all --tries 1
	[ "$(rows 'SELECT count(*) FROM vector')" = 6 ]
	exits 0 embed wide --all
	[ "$(rows 'SELECT max(length(data)) FROM vector')" = 6 ]
}

# --- secrets and keys ---------------------------------------------------------------

@test "embed: secrets are redacted before texts are sent" {
	local secret=AKIAIOSFODNN7EXAMPLX

	msg user "my token is $secret, remember it" | ctx-store append S
	exits 0 embed ok
	if grep -q "$secret" log; then false; fi
	grep -q 'my token is \[REDACTED:aws-' log
	exits 0 embed ok --all --no-redact
	grep -q "$secret" log
	# in a question too
	exits 0 ctx-store search --url "$AT/ok/q" "$secret" --method both
	[ "$(grep -c "$secret" log)" -eq 1 ]
}

# The texts that are sent are without names, and --chars cuts them.
@test "embed: secrets are redacted where they have their names, and are whole" {
	ctx-store append S <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"password":"Tr0ub4dor9xyz","user":"ann"}}]}
	{"role":"user","content":"the key: AKIAIOSFODNN7ABCDEFG, and so on"}
	{"role":"user","content":"no secret"}
	X
	exits 0 embed ok --chars 20
	jq -c .input log >got
	wanted <<-'X'
	["f\n[REDACTED:generic-","the key: [REDACTED:a","no secret"]
	X
	same got want
	exits 0 embed ok --all --no-redact
	grep -q Tr0ub4dor9xyz log
}

@test "embed: a private key that comes in two messages is redacted" {
	local line=QlYCOGZ/1/U960fCQJNRrjzuAljeBzzjkx2DdEACePmid27pNdTaipC5Q9dLM93T

	{
		msg user "-----BEGIN RSA PRIVATE KEY-----\\n$line\\n$line"
		msg assistant "go on"
		msg user "$line\\n$line\\n-----END RSA PRIVATE KEY-----\\nso"
	} | ctx-store append S
	exits 0 embed ok
	jq -c .input log | sed 's/:[0-9a-f]\{8\}\]/]/g' >got
	wanted <<-'X'
	["[REDACTED:private-key]","go on","[REDACTED:private-key]\nso"]
	X
	same got want
}

@test "embed: CTX_REDACT_KEY makes the placeholders" {
	export CTX_REDACT_KEY=0123456789abcdef
	msg user "my token is AKIAIOSFODNN7ABCDEFG, remember it" >in
	ctx-store append S <in
	exits 0 embed ok
	exits 0 ctx-store search --url "$AT/ok/q" AKIAIOSFODNN7ABCDEFG --method meaning
	jq -r '.input[]' log | grep -o 'REDACTED:[^]]*' >got
	exits 0 ctx-clean --redact in
	grep -o 'REDACTED:[^]]*' out >want
	cat want want >want.two
	same got want.two
	CTX_REDACT_KEY=short exits 2 embed ok --all
	says "ctx-store embed: CTX_REDACT_KEY: a key has at least 16 bytes; *"
	CTX_REDACT_KEY=short exits 2 ctx-store search --url "$AT/ok/q" x --method meaning
	says "ctx-embed: CTX_REDACT_KEY: a key has at least 16 bytes; *"
}

@test "embed: a key is sent to its own endpoint only" {
	talk | ctx-store append S
	export OPENAI_API_KEY=sk-test-0123456789
	exits 0 embed ok
	says "ctx-embed: OPENAI_API_KEY is not sent to $AT/ok/x/v1/embeddings, which is not its provider's endpoint; use --key-file to send a key"
	[ "$(jq -r .key log)" = null ]
	export OPENAI_BASE_URL=$AT/ok/home
	exits 0 ctx-store embed --ask-model m
	quiet
	[ "$(jq -r 'select(.model == "m").key' log)" = "Bearer $OPENAI_API_KEY" ]
	unset OPENAI_API_KEY OPENAI_BASE_URL
	echo sk-of-a-file >key
	exits 0 embed ok --all --key-file key
	[ "$(tail -n 1 log | jq -r .key)" = "Bearer sk-of-a-file" ]
	exits 5 embed 401 --all --tries 1
	says "ctx-embed: HTTP 401: wrong key*"
	exits 2 ctx-store embed --url http://192.0.2.1 --key-file key --all
	says "ctx-embed: the key would be sent unencrypted over http:*"
}

@test "embed: nothing is sent unless an endpoint or a model is named" {
	talk | ctx-store append S
	OPENAI_API_KEY=k OPENAI_BASE_URL=$AT/ok/x exits 2 ctx-store embed
	says "ctx-store embed: no endpoint to ask; give --url or --ask-model, or set CTX_EMBED_URL or CTX_EMBED_MODEL"
	[ ! -s log ]
	CTX_EMBED_URL=$AT/ok/y CTX_EMBED_MODEL=v exits 0 ctx-store embed
	[ "$(jq -r '.model + " " + .path' log)" = "v /ok/y/v1/embeddings" ]
	exits 5 ctx-store embed --url http://127.0.0.1:1 --tries 1 --all
	says "ctx-embed: Could*n*t connect to server"
}

@test "embed: the helper is found by a variable, next to the program, or installed" {
	sqlite_only
	talk | ctx-store append S
	mkdir -p bin
	cp "$BUILD/ctx-store" bin/
	CTX_LIBEXEC=$BUILD/libexec exits 0 bin/ctx-store embed --url "$AT/ok/x"
	mkdir -p libexec/ctx
	cp "$BUILD/libexec/ctx-embed" libexec/ctx/
	exits 0 bin/ctx-store embed --url "$AT/ok/x" --all
	rm libexec/ctx/ctx-embed
	exits 4 bin/ctx-store embed --url "$AT/ok/x" --all
	says "ctx-store embed: no ctx-embed in */libexec/ctx; set CTX_LIBEXEC to its directory"
}

@test "embed: a helper that ends without an answer is an error, exit 4" {
	talk | ctx-store append S
	exits 0 embed ok
	mkdir libexec
	export CTX_LIBEXEC=$T/libexec
	for answer in '' 'echo' 'echo AAAA' 'echo AAAA_'; do
		printf '#!/bin/sh\nread -r texts\n%s\n' "$answer" >libexec/ctx-embed
		chmod +x libexec/ctx-embed
		exits 4 embed ok --all
		says "ctx-store embed: ctx-embed did not return a vector for each text, all of one length"
		exits 4 ctx-store search x --method meaning --url "$AT/ok/q"
		says "ctx-store search: ctx-embed did not return a vector for each text, all of one length"
	done
}

# --- finding ------------------------------------------------------------------------

# number N ARG...: assert that so many messages are found.
number() {
	exits 0 ctx-store search "${@:2}"
	[ "$(wc -l <out)" -eq "$1" ]
}

@test "embed: as many messages as --last says are found by meaning and by both" {
	for i in $(seq 203); do msg user "car number $i"; done >in
	ctx-store append S in
	exits 0 embed ok
	export CTX_EMBED_URL=$AT/ok/q
	for thread in '' '--thread S'; do
		number 203 automobile --method meaning --last 999 $thread
		number 203 car --method both --last 999 $thread
		number 201 car --method both --last 201 $thread
	done
}

@test "embed: filters choose among all messages, not among the nearest ones" {
	{
		msg assistant 'a car and a cat, among many other words and things'
		echo '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"drive","arguments":"{\"q\":\"a car or a dog, or whatever else there is\"}"}}]}'
		for i in $(seq 203); do msg user "car car number $i"; done
	} >in
	ctx-store append S in
	exits 0 embed ok
	sqlite3 db 'UPDATE message SET ts = 1000000 WHERE seq > 2'
	export CTX_EMBED_URL=$AT/ok/q
	for how in meaning both; do
		for thread in '' '--thread S'; do
			number 2 car --method $how --role assistant $thread
			number 2 car --method $how --since 1d $thread
			number 1 car --method $how --tool drive $thread
		done
	done
}

@test "embed: search finds messages by meaning and combines this with words" {
	talk | ctx-store append S
	exits 0 embed ok
	export CTX_EMBED_URL=$AT/ok/q
	# the word is in no message
	exits 0 ctx-store search automobile --last 2
	quiet
	found 2 1
	exits 0 ctx-store search 下雨 --last 1
	found 4
	exits 0 ctx-store search truck --method both --last 2
	found 2 1
	exits 0 ctx-store search truck --method keyword
	found 2
	exits 0 ctx-store search automobile --role assistant --last 1
	found 2
	exits 0 ctx-store search automobile --as messages --last 1
	wrote "$(msg assistant "buy a truck")"
	exits 1 ctx-store search automobile --method keyword
	# only messages have vectors
	exits 2 ctx-store search automobile --method both --in all
	exits 2 ctx-store search automobile --method meaning --substring
	exits 1 ctx-store search automobile --in code
	quiet
}

@test "embed: two rankings are combined by the positions in them" {
	# by words: 1 is best because it is shorter, then 2; by meaning: 3, then
	# 1 and 2
	msg user "kestrel cat cat rain" | ctx-store append S
	msg user "kestrel cat cat cat rain and rain and rain" | ctx-store append S
	msg user "dog dog dog dog dog dog" | ctx-store append S
	exits 0 embed ok
	export CTX_EMBED_URL=$AT/ok/q
	exits 0 ctx-store search kestrel cat --method keyword --rank
	found 1 2
	exits 0 ctx-store search kestrel cat --method meaning
	found 3 1 2
	# 1: 1/61 + 1/62, 2: 1/62 + 1/63, 3: 1/61
	exits 0 ctx-store search kestrel cat --method both
	found 1 2 3
	exits 0 ctx-store search kestrel cat
	quiet
	found 1 2 3
}

@test "embed: search can be limited to a thread or a context" {
	msg user "one car" | ctx-store append S
	msg user "two cars, three cars" | ctx-store append T
	exits 0 embed ok
	export CTX_EMBED_URL=$AT/ok/q
	exits 0 ctx-store search automobile --thread S --method meaning
	[ "$(jq -r .thread_id out)" = S ]
	exits 1 ctx-store search automobile --thread X --method meaning
}

@test "embed: without an endpoint or vectors, search uses words alone" {
	talk | ctx-store append S
	exits 0 ctx-store search truck
	quiet
	exits 0 ctx-store search truck -v
	said "ctx-store search: searching by keyword only: no endpoint to ask; give --url or --ask-model, or set CTX_EMBED_URL or CTX_EMBED_MODEL"
	exits 2 ctx-store search truck --method both
	export CTX_EMBED_URL=$AT/ok/q
	exits 0 ctx-store search truck
	quiet
	[ ! -s log ]
	exits 1 ctx-store search truck --method meaning
	says "ctx-store search: no vectors of 'default' are stored; run 'ctx-store embed'"
	exits 0 embed ok
	# if the endpoint does not answer, this is reported and words are used
	export CTX_EMBED_URL=http://127.0.0.1:1
	exits 0 ctx-store search truck --tries 1
	found 2
	says "ctx-embed: Could*n*t connect to server"
	exits 5 ctx-store search truck --tries 1 --method both
	silent
}

@test "embed: relevant selects messages by meaning" {
	{ talk; msg user "bye"; } | ctx-store append S
	exits 0 embed ok
	export CTX_EMBED_URL=$AT/ok/q
	{ msg user "the cat and the dog"; msg user "bye"; } >want
	exits 0 ctx-store relevant S --question "which feline?" -t 20 --recent 0 --overhead 4
	quiet
	same out want
	exits 0 ctx-store relevant S --question "which feline?" -t 20 --method keyword
	if cmp -s out want; then false; fi
	exits 0 ctx-store relevant S --question "which feline?" -t 20 --method meaning --recent 0
	same out want
}

@test "embed: removed messages lose their vectors" {
	talk | ctx-store append S
	talk | ctx-store append T
	exits 0 embed ok
	exits 0 ctx-store rm S
	[ "$(rows 'SELECT count(*) FROM vector')" = 6 ]
	exits 0 ctx-store check --full
}

@test "embed: the vector of a message that was removed meanwhile is no other's" {
	msg user "the cat" | ctx-store append S
	embed wait 3>&- &
	until_true grep -q cat log
	ctx-store rm -q S
	{ msg user "a truck"; msg user "a dog"; } | ctx-store append T
	touch log.go
	wait $!
	# each of the others is sent, by this call or the next one
	exits 0 embed ok
	[ "$(jq -r '.input[]' log | sort | tr '\n' ,)" = "a dog,a truck,the cat," ]
	exits 0 ctx-store search -n 1 --method meaning --url "$AT/ok/x" car
	found 1
	exits 0 ctx-store search -n 1 --method meaning --url "$AT/ok/x" kitten
	found 2
}

@test "embed: with --user only that user's texts are sent, and found by meaning" {
	talk | ctx-store append --user ann A
	msg user "a truck of bob" | ctx-store append --user bob B
	exits 0 embed ok --user bob
	[ "$(jq -r '.input[]' log)" = "a truck of bob" ]
	exits 0 embed ok
	[ "$(requests ok)" = "2 6" ]
	exits 0 ctx-store search --user bob --method meaning --url "$AT/ok/x" car
	[ "$(jq -r .thread_id out | sort -u)" = B ]
	exits 0 ctx-store search --thread A --method meaning --url "$AT/ok/x" car
	[ "$(jq -r .thread_id out | sort -u)" = A ]
	exits 0 ctx-store search --thread A --thread B --method meaning \
	    --url "$AT/ok/x" car
	[ "$(jq -r .thread_id out | sort -u | tr '\n' ' ')" = "A B " ]
	# anew, those of one user
	before=$(rows 'SELECT count(*) FROM vector')
	exits 0 embed ok --user ann --all
	# three were questions
	[ "$(requests ok)" = "6 14" ]
	[ "$(rows 'SELECT count(*) FROM vector')" = "$before" ]
	exits 0 ctx-store rm --user ann
	[ "$(rows 'SELECT count(*) FROM vector')" = 1 ]
}
