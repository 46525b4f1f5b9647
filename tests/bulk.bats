# ctx-store append --by: many threads from one stream.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }

# log: a log of three threads, interleaved, with ids.
log() {
	cat <<-'X'
	{"thread":"a","id":"1","role":"user","content":"one apple"}
	{"thread":"b","id":"1","role":"user","content":"one pear"}
	{"thread":"a","id":"2","role":"assistant","content":"two"}
	{"role":"user","thread":7,"id":"x","content":"number"}
	{"thread":"b","id":"2","role":"assistant","content":"two"}
	{"thread":"a","id":"3","role":"user","content":"three"}
	X
}

# holds THREAD LINE...: assert that the thread has these lines of in.
holds() {
	local name=$1 n

	shift
	for n; do sed -n "${n}p" in; done >want
	store load "$name" >got
	same got want
}

# refuses LINE TEXT: assert that the line is refused with that text.
refuses() {
	printf '%s\n' "$1" >line
	exits 3 store append --by thread line
	says "*$2*"
}

@test "bulk: each line goes to the thread that it names, byte for byte" {
	log >in
	exits 0 store append --by thread --ack in
	cat >want <<-'X'
	{"thread_id":"a","seq":1,"turn":1,"id":"1","stored":true}
	{"thread_id":"b","seq":1,"turn":1,"id":"1","stored":true}
	{"thread_id":"a","seq":2,"turn":1,"id":"2","stored":true}
	{"thread_id":"7","seq":1,"turn":1,"id":"x","stored":true}
	{"thread_id":"b","seq":2,"turn":1,"id":"2","stored":true}
	{"thread_id":"a","seq":3,"turn":2,"id":"3","stored":true}
	X
	same out want
	cp want acks
	holds a 1 3 6
	holds b 2 5
	holds 7 4
	[ "$(store search --thread b two | jq -r .seq)" = 2 ]
	# again: nothing is stored twice
	exits 0 store append -b thread --ack in
	sed 's/true/false/' acks >want
	same out want
	holds a 1 3 6
	exits 0 store check --full
}

@test "bulk: the store is as if each thread had been appended alone" {
	local s

	seq 1 3000 | awk '{ printf "{\"t\":\"s%d\",\"role\":\"%s\"," \
	    "\"content\":\"item%d in \\\\u00e9t\\\\u00e9 %d 上下文\"}\n", $1 * $1 % 97 % 13,
	    $1 % 3 ? "user" : "assistant", $1 % 50, $1 }' >in
	exits 0 store append --by t <in
	cut -d '"' -f 4 in | sort -u >names
	[ "$(wc -l <names)" -gt 3 ]
	while read -r s; do
		grep "\"t\":\"$s\"" in | store --db "$T/one" append "$s"
		store load "$s" >got
		store --db "$T/one" load "$s" >want
		same got want
		store contexts "$s" | jq -c '[.context_id,.messages,.turn]' >got
		store --db "$T/one" contexts "$s" |
		    jq -c '[.context_id,.messages,.turn]' >want
		same got want
		store search --thread "$s" item7 | jq -c 'del(.ts)' >got
		store --db "$T/one" search --thread "$s" item7 |
		    jq -c 'del(.ts)' >want
		same got want
	done <names
	exits 0 store check --full
}

@test "bulk: a line without the member is refused, or goes to --thread" {
	local bad

	for bad in '{"role":"user","content":"none"}' '{"thread":null}' \
	    '{"thread":""}' '{"thread":["a"]}' '{"thread":{"a":1}}' \
	    '{"thread":true}' '{"nested":{"thread":"a"}}' '["thread","a"]'; do
		rm -f db*
		{ log | head -n 2; echo "$bad"; log | tail -n 1; } >in
		exits 3 store append --by thread in
		says "ctx-store append: in:3*"
		holds a 1
		holds b 2
		exits 3 store --db "$T/none" append --by thread --atomic in
		exits 1 store --db "$T/none" load a
		exits 3 store append --by thread in --on-error skip
		holds a 1 4
	done
	rm -f db*
	{ log | head -n 2; echo '{"role":"user","content":"none"}'; } >in
	exits 0 store append --by thread --thread rest in
	holds rest 3
	refuses '{"thread":"@last"}' "'@last' cannot be the name of a thread"
	refuses '{"thread":"a/subagent-0000000f"}' 'cannot be the name of a thread'
	refuses '{"thread":"a\u0000b"}' 'thread'
	refuses "{\"thread\":\"$(printf '%1025s' '' | tr ' ' x)\"}" 'thread'
	refuses '{"role":"user"}' "no member 'thread' with the name of a thread"
}

@test "bulk: a refused message ends the input; what is before it is stored" {
	log >in
	echo '{"thread":"b","id":"2","role":"assistant","content":"old"}' |
	    store append b
	exits 3 store append --by thread in
	says "ctx-store append: in:5: message '2' is already stored with *"
	holds a 1 3
	holds 7 4
	[ "$(store load b | wc -l)" = 2 ]
	rm -f db*
	# a thread of another user
	echo '{"thread":"b","id":"0"}' | store append b --user eve
	exits 1 store append --by thread --user bob in
	says "ctx-store append: in:2: thread 'b' belongs to another user"
	holds a 1
	[ "$(store load b | wc -l)" = 1 ]
	exits 1 store append --by thread --user bob in --atomic
	holds a 1
}

@test "bulk: with a context, a view, a count of tokens, and split conversations" {
	log >in
	exits 0 store append --by thread -c side --view V in
	store load a -c side >got
	store load a -c side --view V >want
	same got want
	[ "$(wc -l <got)" = 3 ]
	cat >conv <<-'X'
	{"thread":"c","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"r"}]}
	{"thread":"d","messages":[{"role":"user","content":"s"}]}
	{"thread":"c","role":"user","content":"more"}
	X
	exits 0 store append --by thread --split conv
	[ "$(store load c | jq -r .content | tr '\n' ' ')" = 'q r more ' ]
	[ "$(store load d | jq -r .content)" = s ]
	echo '{"messages":[{"role":"user"}]}' >conv
	exits 3 store append --by thread --split conv
	jq -c '. + {n: 5}' in | store --db "$T/cost" append --by thread --cost n
	[ "$(store --db "$T/cost" status a --tokens --json | jq .tokens)" = 15 ]
	# two files, and a file and standard input
	head -n 3 in >one
	tail -n 3 in | store --db "$T/two" append --by thread one -
	[ "$(store --db "$T/two" load a | wc -l)" = 3 ]
}

@test "bulk: options that are for one thread are refused" {
	local o

	log >in
	for o in '--parent main' '--turn 3' '--expect-seq 1' '--checked' \
	    '--ask in'; do
		# shellcheck disable=SC2086
		exits 2 store append --by thread $o </dev/null
		silent
	done
	exits 2 store append --thread x </dev/null
	exits 2 store append
	says '*THREAD is required, or --by*'
	exits 4 store append --by thread no-such-file
}

@test "bulk: killed at any time and run again, it has everything once" {
	local i

	awk 'BEGIN { for (i = 1; i <= 20000; i++) printf \
	    "{\"thread\":\"s%d\",\"id\":\"%d\",\"role\":\"user\",\"content\":\"number %d\"}\n", \
	    i % 71, i, i }' >in
	for i in 0.02 0.05 0.1 0.2 0.3; do
		timeout -s KILL "$i" ctx-store append --by thread in || :
	done 2>/dev/null
	exits 0 store append --by thread in
	for i in 0 1 35 70; do
		grep "\"s$i\"" in >want
		store load "s$i" >got
		same got want
	done
	exits 0 store check --full
	says '*71 threads*20000 messages*'
}
