# ctx-store: what it stores, and how it returns it.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

msg() { printf '{"role":"%s","content":"%s"}\n' "$1" "$2"; }
store() { ctx-store "$@"; }

# talk THREAD N: append N pairs of messages, which talk_lines prints.
talk() { talk_lines "$2" | store append "$1"; }
talk_lines() {
	local i

	for ((i = 1; i <= $1; i++)); do
		msg user "question $i"
		msg assistant "answer $i"
	done
}

# Print the names of the database and the files next to it.
beside() { (cd "$T" && ls -d db*) | tr '\n' ' '; }

# Assert that a closed store left no log.
tidy() {
	[ -n "${CTX_TEST_PG:-}" ] || [ "$(beside)" = "db db-lock " ] ||
		fail "there is $(beside)"
}

# --- append and load ------------------------------------------------------------

@test "store: appended messages are returned byte for byte" {
	given <<-'X'
	 {"role" : "user","content":"\ud800 \u0000 \/ é","n":[1.10,1e400,-0,12345678901234567890],"n":2}
	{"type":"note"}
	X
	printf '{"role":"user","content":"crlf"}\r\n' >>in
	printf '{"role":"user","content":"no line end"}' >>in
	store append S <in
	exits 0 store load S
	quiet
	same out in
}

@test "store: long messages are returned byte for byte, and repeated ones are stored once" {
	for n in 4000 5000 40000 300000; do
		printf '{"role":"tool","content":"%0*d %s"}\n' "$n" 1 \
		    "$(seq 1 $((n / 50)) | tr '\n' ' ')"
	done >in
	cat in in in >in3
	store append S <in3
	exits 0 store load S
	same out in3
	[ -n "${CTX_TEST_PG:-}" ] ||
		[ "$(size_of db)" -lt $(($(size_of in3) * 3 / 4)) ]
	exits 0 store check --full
}

@test "store: logs are returned byte for byte" {
	local f

	for f in "${LOGS[@]}"; do
		store append "$f" <"$f"
		exits 0 store load "$f"
		same out "$f"
	done
	exits 0 store check --full
}

@test "store: blank lines and a byte order mark are not messages" {
	printf '\xef\xbb\xbf{"role":"user"}\n\n \t\r\n{"role":"assistant"}\n' |
	    store append S
	exits 0 store load S
	wrote '{"role":"user"}' '{"role":"assistant"}'
	# nor of a view, in which the two are those of the log
	printf '\xef\xbb\xbf{"role":"user"}\n\n \t\r\n{"role":"assistant"}\n\n' >in
	exits 0 store view put -v S v <in
	said 'ctx-store view put: version 1: 2 of 2 messages taken from the log'
	exits 0 store view get S v
	wrote '{"role":"user"}' '{"role":"assistant"}'
	# lines are counted as they are
	printf '\n\n{"role":"user"}\n{\n' >in
	exits 3 store view put S v <in
	says 'ctx-store view put: -:4:*: not JSON: *'
}

@test "store: a missing line end between two files is added" {
	printf '{"n":1}' >a
	printf '{"n":2}' >b
	store append S a b
	printf '{"n":1}\n{"n":2}' >want
	exits 0 store load S
	same out want
}

@test "store: the file belongs to its owner only, and is created by the first append" {
	sqlite_only
	exits 1 store threads
	says "ctx-store threads: */db: no such store"
	[ ! -e db ]
	exits 1 store load S
	[ ! -e db ]
	# what alters a store does not create one, and says the same
	for c in vacuum migrate reindex "prune --keep-last 1" "rm S" "keep S" \
	    "view put S v" "state rm S"; do
		# shellcheck disable=SC2086
		exits 1 store $c </dev/null
		says "ctx-store ${c%% [-S]*}: */db: no such store"
		silent
		[ ! -e db ]
	done
	talk S 1
	[ "$(mode_of db)" = 600 ]
	tidy
}

@test "store: the default location follows XDG, in folders that are private" {
	unset CTX_DB
	XDG_DATA_HOME=$T/x store append S <<<'{"role":"user"}'
	[ -f x/ctx/ctx.db ]
	[ "$(mode_of x/ctx)" = 700 ]
	unset XDG_DATA_HOME
	store append S <<<'{"role":"user"}'
	[ -f "$HOME/.local/share/ctx/ctx.db" ]
	rm -r "$HOME/.local"
	export CTX_DB=
	store append S <<<'{"role":"user"}'
	[ -f "$HOME/.local/share/ctx/ctx.db" ]
}

@test "store: a retried message is stored once; another one with the same id is refused" {
	echo '{"id":"a","role":"user","content":"1"}' >a
	store append S a
	exits 0 store append --ack S a
	wrote '{"seq":1,"turn":1,"id":"a","stored":false}'
	exits 3 store append S <<<'{"id":"a","role":"user","content":"2"}'
	said "ctx-store append: -:1: message 'a' is already stored with other bytes"
	exits 0 store load S
	same out a
	exits 0 store append --on-conflict new S <<<'{"id":"a","role":"user","content":"2"}'
	exits 0 store load S
	wrote "$(cat a)" \
	    '{"id":"a","role":"user","content":"2"}'
	# In another context or thread, the id belongs to another message.
	exits 0 store append T <<<'{"id":"a","role":"user","content":"2"}'
}

@test "store: the id is the top-level id, or uuid, or --id-key; never nested or null" {
	{
		echo '{"id":"i","uuid":"u"}'
		echo '{"id":null,"uuid":"u"}'
		echo '{"message":{"id":"nested"}}'
		echo '{"id":7}'
		echo '{"k":"key"}'
	} | store append --ack --id-key k S | sed 's/.*"id":\([^,]*\).*/\1/' >out
	wrote '"i"' '"u"' null '"7"' '"key"'
}

@test "store: an id may have a megabyte" {
	id=$(printf '%01000000d' 1)
	echo "{\"id\":\"$id\",\"n\":1}" >in
	store append S in
	exits 0 store append S in
	exits 3 store append S <<<"{\"id\":\"$id\",\"n\":2}"
	exits 0 store load S
	same out in
}

@test "store: a bad line is reported; the lines before it are stored" {
	printf '{"n":1}\n{"n":2}\n{oops\n{"n":3}\n' >in
	exits 3 store append --ack S in
	says "ctx-store append: in:3:2: *"
	exits 0 store load S
	wrote '{"n":1}' '{"n":2}'
	exits 3 store append --on-error skip T in
	says "*in:3:2: *"
	exits 0 store load T
	wrote '{"n":1}' '{"n":2}' '{"n":3}'
	exits 3 store append U <<<'[1]'
	says "*-:1:1: a list, not an object; --split *"
	printf '{"n":1}\n{"n":2' >cut
	exits 3 store append V cut
	says "*cut:2:*cut off)"
	printf '{"a":"\xff"}\n' >bytes
	exits 3 store append W bytes
	says "*bytes:1:7: not UTF-8"
}

@test "store: --atomic stores all or nothing" {
	printf '{"n":1}\n{oops\n' >in
	exits 3 store append --atomic S in
	exits 1 store load S
	said "ctx-store load: no such thread 'S'; 'ctx-store threads' lists them"
	seq 1 5000 | sed 's/.*/{"n":&}/' >in
	exits 0 store append --atomic S in
	exits 0 store load S
	same out in
	# the line that is refused is named
	exits 0 store append T <<<'{"id":"a","n":1}'
	printf '{"id":"b","n":1}\n{"id":"a","n":2}\n' >in
	exits 3 store append --atomic T in
	said "ctx-store append: in:2: message 'a' is already stored with other bytes"
	exits 0 store load T
	wrote '{"id":"a","n":1}'
}

@test "store: --expect-seq exits with 1 if the log has grown" {
	talk S 1
	exits 0 store append --expect-seq 3 S <<<'{"n":1}'
	exits 1 store append --expect-seq 3 S <<<'{"n":2}'
	said "ctx-store append: the next message would be 4, not 3"
	exits 0 store load -n 1 S
	wrote '{"n":1}'
	# a line that is stored already counts nothing, also at a batch's end
	{ seq -f '{"id":"%g"}' 999; echo '{"id":"5"}'; echo '{"id":"e"}'; } >in
	exits 0 store append --expect-seq 1 T in
	[ "$(store load T | wc -l)" -eq 1000 ]
}

@test "store: --split stores the messages of a conversation line" {
	store append --split S <<<'{"model":"m","messages":[{"role":"user","content":"1"}, {"role":"assistant","content":"2"}]}'
	exits 0 store load S
	wrote '{"role":"user","content":"1"}' \
	    '{"role":"assistant","content":"2"}'
}

@test "store: ranges by seq, turn and last" {
	talk S 5
	exits 0 store load --last 1 S
	wrote "$(msg assistant 'answer 5')"
	exits 0 store load --since-seq 4 --until-seq 5 S
	wrote "$(msg assistant 'answer 2')" "$(msg user 'question 3')"
	exits 0 store load --turns 2-3 S
	wrote "$(msg user 'question 2')" "$(msg assistant 'answer 2')" \
	    "$(msg user 'question 3')" "$(msg assistant 'answer 3')"
	exits 0 store load --turns 9 S
	silent
	exits 0 store load --turns 5-9223372036854775807 S
	wrote "$(msg user 'question 5')" "$(msg assistant 'answer 5')"
	exits 0 store load --last 100 --turns 1 S
	[ "$(wc -l <out)" = 2 ]
	exits 2 store load --turns x S
	exits 2 store load --last 0 S
}

@test "store: a turn begins at a user message without tool results" {
	{
		msg system s
		msg user 1
		echo '{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}'
		echo '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}'
		msg assistant 2
		echo '{"type":"user","message":{"role":"user","content":"3"}}'
	} | store append --ack S | sed 's/.*"turn":\([0-9]*\).*/\1/' >out
	wrote 0 1 1 1 1 2
}

@test "store: roles and turns in dialects that have other words for them" {
	for d in langchain-lc pydantic-ai openai-responses; do
		exits 0 store append $d "$DATA/dialects/$d.faulty.jsonl"
		exits 0 store load $d
		same out "$DATA/dialects/$d.faulty.jsonl"
		# The second of two turns.
		exits 0 store load --turns 2 $d
		n=$(wc -l <out)
		[ "$n" -gt 2 ]
		[ "$n" -lt "$(wc -l <"$DATA/dialects/$d.faulty.jsonl")" ]
		rc=0
		store load --turns 3 $d >out 2>err || rc=$?
		silent
		[[ $rc -eq 0 || $rc -eq 1 ]]
	done
	exits 0 store append codex "$DATA/dialects/codex.awkward.jsonl"
	exits 0 store check --full
	# A conversation in one line has no role.
	store append one <<<'{"messages":[{"role":"user","content":"hi"}]}'
	exits 0 store status --json one
	[ "$(jq .turns out)" = 0 ]
}

@test "store: an idle session is reported as expired" {
	talk S 1
	exits 0 store load --idle 30m S
	sqlite3 db "UPDATE thread SET updated = updated - 1801000000"
	exits 1 store load --idle 30m S
	silent
	says "*expired: idle since *"
}

@test "store: --follow from a later message, and after those of the parent" {
	talk S 2
	agent=$(store spawn S --as name --task find)
	ctx-store load --follow --since-seq 6 S >later 3>&- &
	later=$!
	ctx-store load --follow --with-parent "$agent" >both 3>&- &
	both=$!
	until_true grep -q . both
	store load --with-parent "$agent" >want
	for i in 1 2 3; do
		store append S <<<"{\"s\":$i}"
		store append "$agent" <<<"{\"a\":$i}"
	done
	until_true grep -qx '{"s":3}' later
	until_true grep -qx '{"a":3}' both
	kill -TERM $later $both
	wait $later || true
	wait $both || true
	printf '%s\n' '{"s":2}' '{"s":3}' | cmp - later
	printf '{"a":%s}\n' 1 2 3 >>want
	same both want
}

@test "store: a task with a NUL byte is refused, not cut off" {
	talk S 1
	printf 'find\0this' >task
	exits 3 store spawn S <task
	said 'ctx-store spawn: the task has a NUL byte'
}

@test "store: --follow continues with new messages, and ends cleanly" {
	talk S 1
	ctx-store load --follow S >got 3>&- &
	pid=$!
	for i in 1 2 3; do
		store append S <<<"{\"n\":$i}"
		until_true grep -qx "{\"n\":$i}" got
	done
	kill -TERM $pid
	rc=0
	wait $pid || rc=$?
	[ $rc -eq 143 ]
	tail -n 3 got >out
	wrote '{"n":1}' '{"n":2}' '{"n":3}'
	tidy
}

@test "store: --follow ends when what it follows is not there any more" {
	# ends WHAT OPTIONS CHANGES: follow, make changes, and see what is said
	ends() {
		n=$((${n:-0} + 1)) S=S$n
		talk $S 2
		store checkpoint put --id one $S <<<'{}' >out
		store fork --at one --name try $S >out
		rm -f got	# what the last one printed is not waited for
		# shellcheck disable=SC2086
		timeout "$DEADLINE" ctx-store load --follow $2 $S >got 2>err 3>&- &
		until_true grep -q . got
		eval "$3"
		rc=0
		wait $! || rc=$?
		[ $rc -eq 1 ] || fail "exit $rc: $(cat err)"
		grep -qxE "ctx-store load: $1" err || fail "$(cat err)"
	}
	ends "no such context 'try'" '-c try' 'store rm -q -c try $S'
	# a look between the two sees that there is none
	ends "(the context was removed, and made again|no such context 'try')" \
	    '-c try' 'store rm -q -c try $S; store fork --at one --name try $S >out'
	# on a server, the thread has the number of its name
	ends "('S3' is another thread now|no such thread 'S3';.*|the context was removed, and made again)" '' \
	    'store rm -q $S; talk $S 3'
	ends "the head of thread 'S4' is another context now" '' \
	    'store fork --at one --head --name new $S >out'
}

@test "store: a reader that closes the pipe is not an error, and no files are left" {
	seq 1 20000 | sed 's/.*/{"n":&}/' | store append S
	store load S 2>err | head -n 1 >out
	quiet
	wrote '{"n":1}'
	tidy
}

@test "store: a full disk under the output is exit 4" {
	[ -w /dev/full ] || skip "no /dev/full here"
	talk S 1
	exits 4 bash -c 'ctx-store load S >/dev/full'
	exits 4 bash -c 'ctx-store threads >/dev/full'
}

@test "store: appends to the same threads in different orders do not stop each other" {
	for t in a b c d; do echo "{\"role\":\"user\",\"to\":\"$t\"}"; done >in
	sed '1!G;h;$!d' in >back
	store append --by to <in
	for f in in back in back; do
		for i in 1 2 3 4 5; do
			store append --by to <"$f" || echo "$f $i"
		done >"failed.$!.$RANDOM" 2>&1 3>&- &
	done
	wait
	cat failed.* >out
	silent
	for t in a b c d; do
		exits 0 store load $t
		[ "$(wc -l <out)" -eq 21 ]
	done
}

# --- a slow pipe -----------------------------------------------------------------

@test "store: messages are stored while the input waits" {
	mkfifo pipe
	ctx-store append --ack S <pipe >acks 3>&- &
	pid=$!
	exec 5>pipe
	echo '{"n":1}' >&5
	until_true [ -s acks ]
	exits 0 store load S
	wrote '{"n":1}'
	# Other processes do not have to wait meanwhile.
	exits 0 timeout "$DEADLINE" ctx-store append T <<<'{"n":1}'
	exec 5>&-
	wait $pid
}

# --- lists --------------------------------------------------------------------

@test "store: threads, contexts and status" {
	talk S 21
	talk T 1
	exits 0 store threads
	jq -c '[.thread_id,.messages,.contexts,.pinned,.user_id]' out >list
	printf '%s\n' '["T",2,1,false,null]' '["S",42,1,false,null]' >want
	same list want
	exits 0 store status S
	wrote 'Session: S' 'Messages: 42 / 40 (max)' 'Workspace: none'
	says "*42 of 40 messages*"
	MAX_MESSAGE_HISTORY=60 exits 0 store status S
	quiet
	sed -n 2p out >line
	echo 'Messages: 42 / 60 (max)' >want
	same line want
	MAX_MESSAGE_HISTORY=5 exits 2 store status S
	exits 1 store status nope
	exits 0 store load @last
	[ "$(wc -l <out)" = 2 ]
}

@test "store: @last is one thread to the end of a command" {
	local pid line

	talk T 1
	talk S 1
	mkfifo lines read
	store append @last <lines 3>&- &
	pid=$!
	exec 5>lines
	msg user a1 >&5
	until_true eval 'store load S -n 1 | grep -q a1'
	msg user between | store append T
	msg user a2 >&5
	exec 5>&-
	wait $pid
	exits 0 store load S -n 2
	wrote "$(msg user a1)" "$(msg user a2)"
	exits 0 store load T -n 1
	wrote "$(msg user between)"
	# what is read in several transactions, by a slow reader
	{
		printf '{"role":"system","content":"%0200000d"}\n' 1
		talk_lines 100
	} | store append S
	store load -t 200 S >want
	store load -t 200 @last >read 5>&- &
	pid=$!
	exec 5<read
	read -r -N 1 line <&5
	talk_lines 100 | sed 's/question/other/' | store append T
	{ printf %s "$line"; cat <&5; } >got
	exec 5<&-
	wait $pid
	same got want
}

# slowly CHANGE COMMAND...: run the command, with the change after the first byte of
# what it writes, to `got`, was read.
slowly() {
	local change=$1 pid byte rc=0

	shift
	rm -f read
	mkfifo read
	"$@" >read 2>err 3>&- &
	pid=$!
	exec 5<read
	read -r -N 1 byte <&5
	eval "$change"
	{ printf %s "$byte"; cat <&5; } >got
	exec 5<&-
	wait $pid || rc=$?
	return $rc
}

@test "store: a slow reader gets nothing of what is written after a removal" {
	# many WORD N: N messages of about 300 bytes with the word
	many() {
		awk -v w="$1" -v n="$2" 'BEGIN { for (i = 1; i <= n; i++)
			printf "{\"role\":\"%s\",\"content\":\"%s %d %0250d\"}\n",
			    i % 2 ? "user" : "assistant", w, i, 0 }'
	}
	big() { printf '{"role":"system","content":"hers nocturnal %0200000d"}\n' 1; }
	# refused EXIT CHANGE COMMAND...: it ends so, and writes only what was there
	refused() {
		local want=$1 rc=0

		shift
		about "$*"
		slowly "$@" || rc=$?
		[ $rc -eq "$want" ] || fail "exit $rc: $(cat err)"
		has -q hers got
		lacks -q others got
		store rm -q S
	}
	again='store rm -q S; many others 2000 | store append S'
	missing="*is missing; it was removed meanwhile, or the store is damaged"

	many hers 2000 | store append S
	refused 4 "$again" store load S
	says "$missing"
	msg user hi | store append S
	many hers 2000 | store append -c try --parent main S
	refused 4 'store rm -q -c try S
		many others 2000 | store append -c try --parent main S' store load -c try S
	says "$missing"
	# texts of a view
	msg user hi | store append S
	many hers 2000 | store view put S v >out
	refused 4 'store view rm S v; many others 2000 | store view put S w >out' \
	    store view get S v
	says '*contents are missing; they were removed meanwhile, or the store is damaged'
	# what is read by several calls
	{ big; many hers 100; } | store append S
	refused 1 "$again" store load -t 2000 S
	says "*@('S' is another thread now|the context was removed, and made again)"
	{ big; many hers 2000; } | store append S
	refused 1 "$again" store relevant -t 100000 --question nocturnal S
	says "*@('S' is another thread now|the context was removed, and made again)"
	{ big; msg user hers; msg assistant hers; } | store append S
	many hers 100 | sed 's/hers 99 /hers nocturnal /' | store append -c try --parent main S
	refused 0 'store rm -q -c try S
		many "others nocturnal" 100 | store append -c try --parent main S' \
	    store search --around 5 'hers nocturnal'
}

@test "store: new makes a thread without messages, once" {
	exits 0 store new --user ann S
	quiet
	silent
	exits 0 store load S
	silent
	exits 0 store status S
	printf 'Session: S\nMessages: 0 / 40 (max)\nWorkspace: none\n' >want
	same out want
	exits 0 store view put S v </dev/null
	exits 0 store load S --view v
	silent
	msg system 'Be kind.' >view
	store view put S v <view
	exits 0 store load S --view v
	same out view
	: >missing
	exits 0 store summary put S <missing
	exits 0 store summary list S
	silent
	exits 1 store summary get S
	exits 0 store code list S --as message
	silent
	exits 0 store threads --user ann --as names
	[ "$(cat out)" = S ]
	# what is there stays as it is
	msg user hi | store append S
	exits 1 store new S
	said "ctx-store new: thread 'S' exists already"
	store load S | cmp - <(msg user hi)
	for n in @last T/subagent-0123abcd ''; do
		exits 2 store new "$n"
	done
	exits 2 store new
	# without it, nothing makes a thread by the way
	for c in 'view put X v' 'summary put X' 'load X' 'status X'; do
		# shellcheck disable=SC2086
		exits 1 store $c </dev/null
		says "ctx-store *: no such thread 'X'*"
	done
}

@test "store: --names lists the names of threads only" {
	talk 'two words' 1
	talk b 1
	exits 0 store threads --as names
	wrote b 'two words'
	exits 2 store threads --as list
	says "*--as: 'list' is not one of rows, names"
}

@test "store: threads are listed by their last write, however short the interval" {
	for t in A B C A B A C C B; do
		exits 0 ctx-store append $t <<<'{"role":"user"}'
		exits 0 ctx-store threads
		[ "$(jq -r .thread_id out | head -n 1)" = $t ]
	done
}

@test "store: append --user and state set the user of a thread" {
	talk S 1
	echo '{"user_id":"ann"}' | store state merge S
	talk T 1
	exits 0 store threads --user ann
	[ "$(jq -r .thread_id out)" = S ]
	msg user hi | store append --user bob U
	msg user hi | store append --user bob T
	exits 0 store threads --user bob
	[ "$(jq -r .thread_id out | sort | tr '\n' ' ')" = 'T U ' ]
	# The user's own state is inherited.
	echo '{"likes":"tea"}' | store state merge --user bob
	exits 0 store state get U likes
	wrote '"tea"'
	# An append cannot change the user of a thread.
	msg user no >no
	exits 1 store append --user ann U no
	says "*thread 'U' belongs to another user"
	exits 0 store load U
	[ "$(wc -l <out)" = 1 ]
	exits 0 store append --user bob U no
	msg user hi | exits 2 store append --user "$(printf 'a%01024d' 1)" V
	exits 1 store load V
}

@test "store: append --cost stores what a message costs, and status --tokens adds it up" {
	cat >in <<-'X'
	{"role":"user","content":"hi","tokens":5}
	{"role":"assistant","content":"yo","tokens":7}
	{"role":"user","content":"no count"}
	{"role":"user","content":"no number","tokens":"9"}
	{"type":"user","message":{"role":"user","content":"inside","tokens":11},"uuid":"u","sessionId":"s"}
	{"messages":[{"role":"user","content":"a","tokens":1},{"role":"assistant","content":"b","tokens":2}]}
	X
	CTX_LOG=$T/log exits 0 store append --cost tokens S in
	jq -c '[.command,.messages,.tokens]' log >got
	[ "$(cat got)" = '["ctx-store append",6,26]' ]
	exits 0 store load S
	same out in
	exits 0 store status --tokens S
	[ "$(tail -n 1 out)" = 'Tokens: 26 in 4 of 6 messages' ]
	exits 0 store status --tokens --json S
	[ "$(jq -c '[.messages,.tokens,.counted]' out)" = '[6,26,4]' ]
	# 26 tokens at 2 dollars a million
	echo 'tiny - 0 2 - - - 9' >prices
	CTX_PRICES=prices exits 0 store status --tokens --price tiny S
	[ "$(tail -n 1 out)" = 'Price: 0.000052' ]
	CTX_PRICES=prices exits 0 store status --tokens --price tiny --json S
	grep -q '"cost":0.000052}' out
	exits 0 store status --tokens --price nobodys S
	[ "$(tail -n 1 out)" = 'Price: -' ]
	exits 0 store status --tokens --price nobodys --json S
	[ "$(jq -c 'has("cost")' out)" = false ]
	CTX_PRICES=nowhere exits 4 store status --tokens --price tiny S
	exits 2 store status --price tiny S
	# A fork includes its parent's tokens; export and import keep them.
	store append -c f --parent main@2 --cost tokens S <<<'{"role":"user","content":"f","tokens":100}'
	exits 0 store status --tokens -c f S
	[ "$(tail -n 1 out)" = 'Tokens: 112 in 3 of 3 messages' ]
	store export >lines
	exits 0 store --db two import lines
	exits 0 store --db two status --tokens -c f S
	[ "$(tail -n 1 out)" = 'Tokens: 112 in 3 of 3 messages' ]
	# It accepts what ctx-count writes.
	talk U 5
	store load U | ctx-count --annotate n | store append --cost n T
	exits 0 store status --tokens --json T
	[ "$(jq .tokens out)" = "$(store load T | ctx-count --cost n | awk 'NR == 1 { print $1 }')" ]
}

@test "store: append --max-chars shortens texts before they are stored, and no text twice" {
	long=$(printf '数%.0s' $(seq 30))
	cat >in <<-X
	{"role":"system","content":"$long"}
	{"role":"user","content":"short","n":1.10}
	{"role":"user","content":"$long\\n\\u00e9","id":"a"}
	{"role":"assistant","content":"ok","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"a\\":\\"$long\\"}"}}]}
	{"role":"tool","tool_call_id":"c","content":"$long"}
	{"role":"user","content":[{"type":"text","text":"$long"},{"type":"tool_result","tool_use_id":"x","content":[{"type":"text","text":"$long"}]}]}
	X
	exits 0 store append S in
	exits 0 store load S
	same out in
	exits 0 store append --max-chars 20 T in
	exits 0 store load T
	twenty=$(printf '数%.0s' $(seq 20))
	sed -e "3,\$ s/\"$long\(\\\\n\\\\u00e9\)*\"/\"$twenty\\\\n... (truncated, 30 chars total)\"/g" \
	    -e '3s/30 chars/32 chars/' in >want
	same out want
	# A retry is recognized even if the message was stored shortened.
	exits 0 store append --max-chars 20 --expect-seq 7 T <(sed -n 3p in)
	exits 0 store append --max-chars 20 T <(sed -n 3p out)
	exits 0 store status T
	[ "$(sed -n 2p out)" = 'Messages: 6 / 40 (max)' ]
	exits 2 store append --max-chars 0 T in
}

# --- two tracks -------------------------------------------------------------------

@test "store: a request is returned byte for byte" {
	talk S 30
	store load S -n 10 | sed 's/question 29/shorter/' >request
	exits 0 store view put -v S model <request
	says "*version 1: 9 of 10 messages taken from the log"
	exits 0 store load S --view model
	same out request
	talk S 1
	store load S -n 6 >second
	store view put S model <second
	exits 0 store load S --view model
	same out second
	exits 0 store view get S model@1
	same out request
	exits 0 store view list S
	jq -c '[.view,.version,.messages,.texts,.upto_seq]' out >list
	printf '%s\n' '["model",1,10,1,60]' '["model",2,6,0,62]' >want
	same list want
	exits 0 store view rm S model@1
	exits 1 store view get S model@1
}

@test "store: a fork that appends to a view goes on with the one that it sees" {
	talk S 4
	store load S -n 2 >last
	store view put S model <last
	store checkpoint put --id k S <<<'{}' >out
	printf '%s\n' '{"m":1}' '{"m":2}' | store append S --view model
	store checkpoint put --id later --upto 9 S <<<'{}' >out
	store fork --head --at k --name try S >out
	exits 0 store append S --view model <<<'{"n":1}'
	exits 0 store load S --view model
	{ cat last; echo '{"n":1}'; } >want
	same out want
	# of a part that goes on after the fork, only the beginning
	store fork --head --at later --name again S >out
	exits 0 store append S --view model <<<'{"n":2}'
	exits 0 store load S --view model
	{ cat last; echo '{"m":1}'; echo '{"n":2}'; } >want
	same out want
	exits 0 store check --full
}

@test "store: load --system, --lists, --ask: what a request is made of, in its order" {
	export CTX_LANG=en
	msg user q | store append S
	printf '{"role":"assistant","content":"a"}' | store append S
	echo 'print(1)' | store code put S c1 --desc one >/dev/null
	printf 'a,b\n1,2\n' >t.csv
	store upload put --store-only S t.csv >/dev/null
	printf 'Be "good".\n\n' >prompt.txt
	printf 'And\nnow?\r\n' >question.txt
	exits 0 store load S --system prompt.txt --lists --ask question.txt
	quiet
	{
		msg user q
		echo '{"role":"assistant","content":"a"}'
		echo '{"role":"system","content":"Be \"good\"."}'
		store code list S --as message
		store upload list S --as message
		echo '{"role":"user","content":"And\nnow?"}'
	} >want
	same out want
	[ "$(wc -l <out)" -eq 6 ]
	# what there is not is not written
	store new T
	exits 0 store load T --lists
	silent
	: >empty
	exits 3 store load T --system empty
	silent
	says "ctx-store load: empty: is empty"
	exits 4 store load S --system nosuch
	silent
	says "ctx-store load: nosuch: no such file"
	printf '\377' >bad
	exits 3 store load S --ask bad
	silent
	says "ctx-store load: bad: is not UTF-8 text"
	exits 2 store load S --follow --lists
}

@test "store: append --ask: with the answer, in the log alone" {
	msg user old | store append S
	printf 'And now?\n' >question.txt
	{ store load S; msg user 'And now?'; } >request
	store view put S v <request
	# without an answer there is no question
	exits 0 store append S --view v --ask question.txt </dev/null
	echo '{"role":' >cut
	exits 3 store append S --view v --ask question.txt cut
	msg user old >want
	exits 0 store load S
	same out want
	msg assistant yes >answer
	exits 0 store append S --view v --ask question.txt --ack answer
	[ "$(jq -c '[.seq, .turn]' out | paste -s -d ' ')" = '[2,2] [3,2]' ]
	{ msg user old; msg user 'And now?'; msg assistant yes; } >want
	exits 0 store load S
	same out want
	exits 0 store load S --view v
	same out want
	# a bad line that is skipped is no answer
	echo x | cat - answer >in
	exits 3 store append S --view v --ask question.txt --on-error skip in
	exits 0 store load S --view v --since-seq 4
	[ "$(wc -l <out)" -ge 1 ]
	exits 0 store load S --since-seq 4
	{ msg user 'And now?'; msg assistant yes; } >want
	same out want
}

@test "store: append --view adds new messages to both tracks" {
	talk S 3
	store load S -n 2 | store view put S m
	msg user new | store append --view m S
	msg assistant newer | store append --view m S
	exits 0 store load S --view m
	wrote "$(msg user 'question 3')" "$(msg assistant 'answer 3')" \
	    "$(msg user new)" "$(msg assistant newer)"
	exits 0 store load S --view m --until-seq 7
	[ "$(wc -l <out)" = 3 ]
	# A new view begins as a copy of the whole log.
	msg user x | store append --view all S
	store load S >log
	exits 0 store load S --view all
	same out log
}

@test "store: the pipeline in README.md: load, clean, truncate, view put" {
	talk S 40
	ctx-store load S | ctx-clean | ctx-truncate | ctx-store view put S model
	ctx-store load S | ctx-clean | ctx-truncate >request
	exits 0 store load S --view model
	same out request
	[ "$(wc -l <out)" = 40 ]
}

@test "store: a view of a few of many messages, from both ends of the log" {
	seq 2100 | jq -c '{role: "user", content: "message \(.)"}' >log
	store append S log
	sed -n '1,2p;2099,2100p' log >request
	exits 0 store view put S model <request
	exits 0 store view get S model
	same out request
	# it refers to the messages and has no texts of its own
	[ "$(store view list S | jq -c '[.messages, .texts]')" = '[4,0]' ]
}

# --- checkpoints ---------------------------------------------------------------

@test "store: checkpoints: put, get, list, diff, rm" {
	talk S 1
	echo '{ "iteration" : 1.0, "scratchpad":[1] }' >s1
	exits 0 store checkpoint put --id one --meta '{"step":1}' S <s1
	wrote '{"checkpoint_id":"one"}'
	talk S 1
	echo '{"iteration":2,"pending_action":{"id":"call_1"}}' >s2
	store checkpoint put --id two S <s2
	exits 0 store checkpoint get S one
	same out s1
	exits 0 store checkpoint get S
	same out s2
	exits 0 store checkpoint list S
	jq -c '[.checkpoint_id,.parent_checkpoint_id,.n,.upto_seq,.metadata]' \
	    out >list
	printf '%s\n' '["two","one",2,4,null]' '["one",null,1,2,{"step":1}]' >want
	same list want
	exits 0 store checkpoint diff S one two
	wrote '{"from":"one","to":"two","from_seq":2,"to_seq":4,"patch":{"scratchpad":null,"iteration":2,"pending_action":{"id":"call_1"}}}'
	exits 0 store load S --at one
	[ "$(wc -l <out)" = 2 ]
	exits 0 store checkpoint rm S one
	exits 1 store checkpoint get S one
	said \
	    "ctx-store checkpoint get: no such checkpoint 'one'"
	exits 0 store checkpoint get S two
	same out s2
	exits 0 store check --full
}

@test "store: a checkpoint's default id is a UUID of version 7, and a retry succeeds" {
	talk S 1
	exits 0 store checkpoint put S </dev/null
	jq -r .checkpoint_id out >id
	grep -Eq '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' id
	echo '{"a":1}' | store checkpoint put --id x S
	echo '{"a":1}' | exits 0 store checkpoint put --id x S
	echo '{"a":2}' | exits 3 store checkpoint put --id x S
	# It stays where it is, and does not seem to have moved.
	talk S 1
	echo '{"a":1}' | exits 0 store checkpoint put --id x S
	echo '{"a":1}' | exits 0 store checkpoint put --id x --upto 2 S
	echo '{"a":1}' >state
	exits 3 store checkpoint put --id x --upto 1 S <state
	said "ctx-store checkpoint put: checkpoint 'x' already exists, at message 2"
	exits 0 store checkpoint list -n 1 S
	[ "$(jq .upto_seq out)" = 2 ]
	echo '{"a":' | exits 3 store checkpoint put --id y S
	exits 1 store checkpoint put --id z --upto 99 S </dev/null
}

@test "store: rollback forks and moves the head without deleting anything" {
	talk S 2
	echo '{"v":1}' | store checkpoint put --id a S
	talk S 1
	exits 0 store fork --head --at a S
	wrote '{"context_id":"main~2"}'
	exits 0 store load S
	[ "$(wc -l <out)" = 4 ]
	msg user other | store append S
	exits 0 store load S -n 2
	wrote "$(msg assistant 'answer 2')" "$(msg user other)"
	exits 0 store load -c main S
	[ "$(wc -l <out)" = 6 ]
	exits 0 store checkpoint get S
	wrote '{"v":1}'
	exits 0 store fork --name try --at a S
	wrote '{"context_id":"try"}'
	exits 0 store load -c try S
	[ "$(wc -l <out)" = 4 ]
	exits 0 store contexts --tree S
	wrote 'main (root, 6 messages)' '  main~2 (fork, 1 message) *' \
	    '    try (fork, 0 messages)'
	exits 1 store rm -c main~2 S
	says "*head*"
	exits 0 store rm -c try S
	exits 0 store check --full
}

@test "store: the cost of a checkpoint does not grow with the log" {
	talk S 10
	cost() {
		local before after i
		before=$(size_of db)
		for ((i = 0; i < 50; i++)); do
			echo "{\"i\":$1$i}" | store checkpoint put S >"$T/out"
		done
		after=$(size_of db)
		echo $((after - before))
	}
	a=$(cost 1)
	seq 1 20000 | sed 's/.*/{"role":"user","content":"& & & &"}/' |
	    store append --no-index S
	b=$(cost 2)
	[ "$b" -le $((a + 65536)) ]
}

# --- subagents ------------------------------------------------------------------

@test "store: a subagent has its own history and returns one result" {
	talk S 1
	id=$(store spawn --task '查找 "it"' --call call_1 --max-loops 5 S |
	    jq -r .context_id)
	[[ $id =~ ^subagent-[0-9a-f]{8}$ ]]
	exits 0 store load "S/$id"
	wrote '{"role":"user","content":"查找 \"it\""}'
	msg assistant working | store append "S/$id"
	msg assistant '转换完成' | store append "S/$id"
	echo '{"loops":3}' | store state merge "S/$id"
	exits 0 store finish "S/$id"
	wrote "{\"ok\":true,\"result\":\"转换完成\",\"context_id\":\"$id\",\"loops\":3}"
	exits 0 store finish --as message "S/$id"
	wrote "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"{\\\"ok\\\":true,\\\"result\\\":\\\"转换完成\\\",\\\"context_id\\\":\\\"$id\\\",\\\"loops\\\":3}\"}"
	exits 0 store load S
	[ "$(wc -l <out)" = 2 ]
	exits 0 store load --with-parent "S/$id"
	[ "$(wc -l <out)" = 5 ]
	exits 0 store finish --failed --result broken --loops 9 "S/$id"
	wrote "{\"ok\":false,\"result\":\"broken\",\"context_id\":\"$id\",\"loops\":9}"
	exits 1 store finish S
	exits 1 store load S/subagent-00000000
	exits 1 store append S/subagent-00000000 <<<'{}'
	exits 0 store spawn --as name --task t "S/$id"
	[[ $(cat out) =~ ^S/subagent-[0-9a-f]{8}$ ]]
	exits 0 store load "$(cat out)"
	wrote '{"role":"user","content":"t"}'
	exits 2 store spawn --as text --task t S
}

@test "store: a subagent of a thread with the longest name can be named" {
	long=$(printf '%01024d' 7)
	talk "$long" 1
	exits 0 store spawn --as name --task t "$long"
	agent=$(cat out)
	exits 0 store load "$agent"
	wrote '{"role":"user","content":"t"}'
	msg assistant done | exits 0 store append "$agent"
	exits 0 store finish --result done "$agent"
	exits 1 store load "${long}/subagent-00000000"
	exits 1 store load "${long%7}8/subagent-00000000"
	exits 2 store load "${long}7/subagent-00000000"
	says "*: the name has 1025 bytes; the limit is 1024"
	exits 2 store new "${long}7"
}

@test "store: what comes late from the subagent of a removed thread is refused" {
	talk S 1
	a=$(store spawn --as name --task find S)
	exits 0 store rm -q S
	exits 1 store append "$a" <<<'{"n":1}'
	said "ctx-store append: no such subagent '$a'"
	exits 1 store state put "$a" <<<'{"n":1}'
	said "ctx-store state put: no such subagent '$a'"
	exits 1 store spawn --task deeper "$a"
	said "ctx-store spawn: no such subagent '$a'"
	exits 0 store threads
	silent
}

@test "store: subagents nest; a subtree is listed and removed" {
	talk S 1
	a=$(store spawn --task a S | jq -r .context_id)
	b=$(store spawn --task b "S/$a" | jq -r .context_id)
	c=$(store spawn --task c "S/$b" | jq -r .context_id)
	exits 0 store contexts --tree S
	wrote 'main (root, 2 messages) *' "  $a (subagent, 1 message)" \
	    "    $b (subagent, 1 message)" "      $c (subagent, 1 message)"
	exits 0 store rm -c "$b" S
	exits 0 store contexts --tree S
	wrote 'main (root, 2 messages) *' "  $a (subagent, 1 message)"
	exits 0 store check --full
}

# --- state ----------------------------------------------------------------------

@test "store: state is merged from user, thread and context, byte for byte" {
	talk S 1
	echo '{"user_id":"ann","model_pref":"code","temperature":1.10,"todos":[ {"t":1} ]}' |
	    store state put S
	echo '{"lang":"zh","model_pref":"vision"}' | store state put --user ann
	echo '{"loops":0,"temperature":1e400}' | store state put -c main S
	exits 0 store state get S
	wrote '{"lang":"zh","user_id":"ann","model_pref":"code","todos":[ {"t":1} ],"loops":0,"temperature":1e400}'
	exits 0 store state get --level thread S temperature
	wrote 1.10
	exits 0 store state get --level user S
	wrote '{"lang":"zh","model_pref":"vision"}'
	exits 1 store state get S nope
	says "*no such state 'nope'"
	echo '"text"' | store state put S todos
	exits 0 store state get --level thread S todos
	wrote '"text"'
}

@test "store: state merge is RFC 7396" {
	local t p w

	while IFS=$'\t' read -r t p w; do
		echo "{\"x\":$t}" | store state put S
		echo "{\"x\":$p}" | store state merge S
		about "$t + $p"
		exits 0 store state get S
		wrote "{\"x\":$w}"
	done <<-'X'
	{"a":"b"}	{"a":"c"}	{"a":"c"}
	{"a":"b"}	{"b":"c"}	{"a":"b","b":"c"}
	{"a":"b"}	{"a":null}	{}
	{"a":"b","b":"c"}	{"a":null}	{"b":"c"}
	{"a":["b"]}	{"a":"c"}	{"a":"c"}
	{"a":"c"}	{"a":["b"]}	{"a":["b"]}
	{"a":{"b":"c"}}	{"a":{"b":"d","c":null}}	{"a":{"b":"d"}}
	{"a":[{"b":"c"}]}	{"a":[1]}	{"a":[1]}
	["a","b"]	["c","d"]	["c","d"]
	{"a":"b"}	["c"]	["c"]
	{"e":null}	{"a":1}	{"e":null,"a":1}
	[1,2]	{"a":"b","c":null}	{"a":"b"}
	{}	{"a":{"bb":{"ccc":null}}}	{"a":{"bb":{}}}
	X
}

@test "store: a limit is enforced on request" {
	echo '{"loops":9,"max_loops":10}' | store state put S
	echo '{"loops":1}' | exits 0 store state merge --add --limit loops=max_loops S
	echo '{"loops":1}' | exits 1 store state merge --add --limit loops=max_loops S
	said "ctx-store state merge: loops would be 11, which exceeds the limit 10 (max_loops)"
	exits 0 store state get S loops
	wrote 10
	echo '{"loops":1}' | exits 1 store state merge --add --limit loops=10 S
}

@test "store: a number of up to 63 characters is added, a longer one is refused" {
	zeros=$(printf '%060d' 0)
	echo '{"n":1,"long":"x"}' | store state put S
	echo "{\"n\":2.$zeros}" >long	# 62 characters
	exits 0 store state merge --add S <long
	exits 0 store state get S n
	wrote 3
	echo "{\"n\":2.0$zeros}" | exits 0 store state merge --add S
	exits 0 store state get S n
	wrote 5
	echo "{\"n\":2.00$zeros}" | exits 3 store state merge --add S
	said "ctx-store state merge: -: a number has 64 characters; the limit is 63"
	exits 0 store state get S n
	wrote 5
	# a name that begins with digits is not a number
	name=0123456789$(printf '%070d' 0)x
	echo "{\"$name\":4,\"n\":7}" | store state put S
	echo '{"n":1}' | exits 1 store state merge --add --limit "n=$name" S
}

@test "store: whole numbers of 64 bits are added exactly, and a sum is a number" {
	echo '{"n":9007199254740993,"m":9223372036854775807,"x":1e308}' |
	    store state put S
	echo '{"n":1}' | exits 0 store state merge --add S
	exits 0 store state get S n
	wrote 9007199254740994
	echo '{"n":-9007199254740995}' | exits 0 store state merge --add S
	exits 0 store state get S n
	wrote -1
	echo '{"m":1}' | exits 0 store state merge --add S
	exits 0 store state get S m
	wrote 9.2233720368547758e+18
	echo '{"x":1e308}' | exits 3 store state merge --add --limit x=5 S
	said "ctx-store state merge: -: the sum of 1e+308 and 1e+308 is too large for a number"
	exits 0 store state get S x
	wrote 1e308
}

@test "store: summaries are the lines of ctx-summarize --state" {
	talk S 1
	exits 1 store summary get S
	echo '{"summary":"one","summarized_turn_count":3,"upto":4}' >one
	echo '{"summary":"two"}' >two
	store summary put S <one
	exits 0 store summary get S
	same out one
	store summary put S <two
	exits 0 store summary get S
	same out two
	exits 0 store summary get S @1
	same out one
	exits 0 store summary list S
	[ "$(wc -l <out)" = 2 ]
	exits 2 store summary get S 1
	said "ctx-store summary get: '1' is not the number of a summary, such as @2" \
	    "see 'ctx-store summary get --help'"
}

@test "store: summary rm removes one summary or all, and their words" {
	talk S 1
	for w in one two three; do
		echo "{\"summary\":\"$w\"}" | store summary put S
	done
	exits 1 store summary rm S @7
	exits 0 store summary rm S @2
	exits 1 store summary get S @2
	exits 0 store summary get S @1
	wrote '{"summary":"one"}'
	exits 1 store search --in summaries two
	exits 0 store search --in summaries three
	exits 0 store summary rm S
	exits 0 store summary list S
	silent
	exits 1 store search --in summaries one
	exits 1 store summary rm S
	exits 0 store check --full
}

@test "store: state rm removes a state or a member; other levels stay" {
	echo '{"a":1,"b":{"c":2}}' | store state put S
	echo '{"a":3}' | store state put -c main S
	echo '{"a":4}' | store state put --user ann
	exits 0 store state rm S b
	exits 0 store state get --level thread S
	wrote '{"a":1}'
	exits 1 store state rm S b
	said "ctx-store state rm: no such state 'b'"
	exits 0 store state rm -c main S
	exits 0 store state get S a
	wrote 1
	exits 0 store state rm S
	exits 1 store state rm S
	exits 0 store state rm --user ann --level user a
	exits 0 store state get --user ann
	wrote '{}'
	exits 1 store state rm --user ann
	exits 2 store state rm
	exits 0 store check --full
}

# --- workspaces, prune, rm --------------------------------------------------------

@test "store: a workspace is a private folder that is removed with its thread" {
	talk S 1
	w=$(store workspace S)
	[ -d "$w" ]
	[ "$(mode_of "$w")" = 700 ]
	[[ $w = $T/db.d/???????????????? ]]
	[ "$(store workspace S)" = "$w" ]
	echo keep >outside
	mkdir -p "$w/a/b" "$w/$(printf 'odd\nname')"
	chmod 500 "$w/a"
	ln -s "$T/outside" "$w/link"
	ln -s "$T" "$w/folder"
	exits 0 store rm S
	[ ! -e "$w" ]
	[ -f outside ]
	CTX_WORKSPACES=$T/elsewhere
	export CTX_WORKSPACES
	talk S 1
	[[ $(store workspace S) = $T/elsewhere/* ]]
}

@test "store: a very deep workspace is removed" {
	talk S 1
	w=$(store workspace S)
	deep=$(printf 'd/%.0s' $(seq 1900))
	(cd "$w" && mkdir -p "$deep" && cd "$deep" && mkdir -p "$deep")
	exits 0 store rm S
	[ -z "$(ls db.d)" ]
}

@test "store: prune removes and reports what is old, and keeps what is pinned" {
	for t in a b c d; do talk $t 2; done
	store keep b
	w=$(store workspace a)		# this makes a newer than c
	sqlite3 db "UPDATE thread SET updated = updated - 8 * 86400000000 WHERE name <> 'd'"
	exits 0 store prune --older-than 7d --dry-run
	[ "$(jq -r .thread_id out | tr '\n' ' ')" = "c a " ]
	[ -d "$w" ]
	exits 0 store prune --older-than 7d --vacuum
	[ "$(jq -r .thread_id out | tr '\n' ' ')" = "c a " ]
	says "*removed 2 threads, 8 messages*"
	[ ! -d "$w" ]
	exits 0 store threads
	[ "$(jq -r .thread_id out | sort | tr '\n' ' ')" = "b d " ]
	exits 2 store prune
	exits 2 store prune --older-than 0d
	exits 2 store prune --older-than -1d
	exits 0 store check --full
}

@test "store: prune --keep-last, and --checkpoints" {
	for t in a b c; do talk $t 1; done
	for i in 1 2 3; do echo "{\"i\":$i}" | store checkpoint put --id c$i a; done
	sqlite3 db "UPDATE ckpt SET ts = ts - 8 * 86400000000"
	exits 0 store prune --checkpoints --older-than 7d
	exits 0 store checkpoint list a
	[ "$(jq -r .checkpoint_id out)" = c3 ]
	sqlite3 db "UPDATE thread SET updated = created - 8 * 86400000000"
	exits 0 store prune --older-than 7d --keep-last 2
	[ "$(jq -r .thread_id out)" = a ]
}

@test "store: CTX_PRUNE_AFTER prunes after an append, at most once a day" {
	export CTX_PRUNE_AFTER=7d
	old() { sqlite3 db "UPDATE thread SET updated = 1 WHERE name = '$1'"; }
	talk a 1
	talk b 1
	old a
	talk c 1
	exits 0 store load a
	sqlite3 db "DELETE FROM meta WHERE key = 'pruned'"
	exits 0 store append c <<<'{"role":"user"}'
	says "*CTX_PRUNE_AFTER=7d: removed 1 thread, 2 messages"
	exits 1 store load a
}

@test "store: rm reports what it removed" {
	talk S 3
	exits 0 store rm S
	said \
	    "ctx-store rm: removed 1 thread, 1 context, 6 messages, 0 checkpoints"
	exits 1 store rm S
	exits 0 store check --full
}

# --- export, import, backup ----------------------------------------------------

everything() {
	talk S 20
	printf '{"role":"tool","content":"%050000d"}\n' 1 | store append S
	echo '{"user_id":"ann","x":[1]}' | store state put S
	echo '{"lang":"zh"}' | store state put --user ann
	store load S -n 5 | sed 's/answer/x/' | store view put S m
	echo '{"s":1}' | store checkpoint put S --id c1 --meta '{"a":1}' >out
	store fork --head --at c1 S >out
	msg user other | store append S
	store spawn --task t S >out
	echo '{"summary":"x"}' | store summary put S
	printf '{"id":"odd","content":"\\ud800\\u0000"}\r\n{"n":1}' |
	    store append 'odd "name" 中文'
}

@test "store: export, import and another export give the same bytes" {
	everything
	store export >one
	exits 0 store --db two.db import <one
	exits 0 store --db two.db export
	same out one
	exits 0 store --db two.db check --full
	# From a pipe, again, and a newer export over an older one.
	cat one | exits 0 store --db two.db import
	exits 0 store --db two.db export
	same out one
	msg user more | store append S
	store export >newer
	exits 0 store --db two.db import newer
	exits 0 store --db two.db export
	same out newer
	exits 0 store --db two.db import one
	exits 0 store --db two.db export
	same out newer
	exits 0 store export S
	[ "$(grep -c '"row":"thread"' out)" = 1 ]
}

@test "store: importing a truncated export stores complete threads, exit 3" {
	talk A 2
	talk B 2
	store export >all
	n=$(($(wc -c <all) - 60))
	head -c $n all >cut
	exits 3 store --db two.db import cut
	says "*cut*"
	exits 0 store --db two.db threads
	[ "$(jq -r .thread_id out)" = A ]
	sed '$d' all >nolast
	exits 3 store --db two.db import nolast
	says "*cut off*"
	exits 0 store --db two.db import all
	exits 0 store --db two.db export
	same out all
}

@test "store: an import with changed contents is refused" {
	everything
	store export S >all
	sed 's/question 7/question 8/' all >changed
	exits 3 store --db b.db import changed
	says "*does not match its checksum"
	exits 0 store --db b.db threads
	silent
	grep -v '"seq":5,' all >holes
	edit 's/"lines":[0-9]*/"lines":'"$(wc -l <holes)"/ holes
	exits 3 store --db c.db import holes
	says "*missing"
	exits 0 store --db c.db threads
	silent
	talk T 1
	store export T >t
	store rm T
	msg user different | store append T
	exits 3 store import t
	says "*already exists with other contents"
	exits 0 store load T
	wrote "$(msg user different)"
}

@test "store: backup while the store is in use" {
	sqlite_only
	everything
	store export >want
	exits 0 store backup b.db
	[ "$(mode_of b.db)" = 600 ]
	exits 0 store --db b.db export
	same out want
	exits 4 store backup b.db
	says "*File exists"
	[ "$(ls b.db*)" = b.db ]
	exits 0 store vacuum
	exits 0 store export
	same out want
}

@test "store: removed texts are not in the file, and after vacuum none of their words" {
	sqlite_only
	for s in zebra giraffe; do
		for i in $(seq 200); do msg user "said $s $i"; done >in
		exits 0 store append $s in
	done
	exits 0 store rm zebra
	[ "$(cat db db-* | grep -ac 'said zebra')" = 0 ]
	exits 0 store vacuum
	[ "$(cat db db-* | grep -aic zebra)" = 0 ]
	exits 0 store search giraffe
	[ "$(wc -l <out)" = 20 ]
	exits 0 store check --full
}

@test "store: an export is consistent, whatever is removed and added meanwhile" {
	msg user a | store append A
	msg user b | store append B
	for i in $(seq 40); do msg user "$i $(head -c 3600 /dev/urandom | to_base64)"; done >in
	exits 0 store append A in
	mkfifo pipe
	store export >pipe 3>&- &
	pid=$!
	exec 9<pipe
	head -c 1 <&9 >all
	# the contents of A are removed, and B gets others in their place
	exits 0 store rm A
	sed 's/user/assistant/' in >other
	exits 0 store append B other
	cat <&9 >>all
	exec 9<&-
	wait $pid
	exits 0 store --db b.db import all
	exits 0 store --db b.db load A
	[ "$(sed 1d out | cmp - in)" = '' ]
	exits 0 store --db b.db load B
	[ "$(sed 1d out | cmp - other)" = '' ]
}

# --- other programs' files -------------------------------------------------------

untouched() {
	local sum rc

	sum=$(sha256sum "$1")
	exits 4 store --db "$1" append S <<<'{"n":1}'
	silent
	exits 4 store --db "$1" threads
	silent
	[ "$(sha256sum "$1")" = "$sum" ]
}

@test "store: files of other programs are refused and not changed" {
	sqlite_only
	echo 'hello, this is a text' >text
	untouched text
	says "*not a ctx-store database"
	head -c 5000 /dev/urandom >noise
	untouched noise
	mkdir folder
	exits 4 store --db folder threads
	says "*not a regular file"
	mkfifo pipe
	exits 4 timeout "$DEADLINE" ctx-store --db pipe append S </dev/null
	exits 4 store --db /dev/null append S </dev/null
	sqlite3 other 'CREATE TABLE t(a); INSERT INTO t VALUES(1)'
	untouched other
	says "*a database of another program"
	sqlite3 wal 'PRAGMA journal_mode=WAL; CREATE TABLE t(a)' >out
	untouched wal
	[ ! -e wal-wal ]
}

@test "store: a newer store is refused; an empty file is an empty store" {
	sqlite_only
	: >empty
	exits 0 store --db empty threads
	silent
	[ ! -s empty ]
	chmod 640 empty
	exits 0 store --db empty append S <<<'{"n":1}'
	[ "$(mode_of empty)" = 640 ]
	exits 0 store --db empty load S
	wrote '{"n":1}'
	sqlite3 empty 'PRAGMA user_version=99'
	untouched empty
	says "*version 99 is newer than this program's*"
}

@test "store: a symbolic link to a store works, a dangling one is refused" {
	sqlite_only
	talk S 1
	ln -s db link
	exits 0 store --db link append S <<<'{"n":1}'
	[ ! -e link-lock ]
	exits 0 store load -n 1 S
	wrote '{"n":1}'
	ln -s nowhere dangling
	exits 4 store --db dangling append S <<<'{"n":1}'
	[ ! -e nowhere ]
	ln db hard
	exits 4 store append S <<<'{"n":1}'
	says "*second name*"
}

# as_reader WORDS...: run ctx-store as a user who may only read.  Root may write
# everywhere and therefore becomes another user, who must first be able to reach
# the program and the test's folder.  With KIB, no file grows beyond that.
as_reader() (
	local dir=$T run=(ctx-store)

	if [ "$(id -u)" = 0 ]; then
		run=(as_nobody ./ctx-store)
		cp "$BUILD/ctx-store" .
		while [ "$dir" != "${BATS_RUN_TMPDIR%/*}" ]; do
			chmod o+x "$dir"
			dir=${dir%/*}
		done
	fi
	trap '' XFSZ
	ulimit -f "${KIB:-unlimited}"
	"${run[@]}" "$@"
)

@test "store: read-only files and folders can be read, and no files are left there" {
	sqlite_only
	talk S 2
	store load S >want
	mkdir ro
	cp db ro/db
	chmod 444 ro/db
	chmod 555 ro
	exits 0 as_reader --db "$T/ro/db" load S
	same out want
	[ "$(ls ro)" = db ]
	exits 4 as_reader --db "$T/ro/db" append S <<<'{"n":1}'
	says '*ctx-store append: *'
	chmod 700 ro
}

@test "store: a store in a read-only folder is read together with its -wal file" {
	sqlite_only
	talk S 1
	mkdir ro
	# Copy the files while a writer has them open.
	mkfifo pipe
	ctx-store append --ack S <pipe >acks 3>&- &
	pid=$!
	exec 5>pipe
	echo "{\"n\":\"$(head -c 300000 /dev/urandom | od -An -v -tx1 | tr -d ' \n')\"}" >&5
	until_true [ -s acks ]
	cp db db-wal ro/
	exec 5>&-
	wait $pid
	[ -s ro/db-wal ]
	store load S >want
	chmod 444 ro/*
	chmod 555 ro
	TMPDIR=/tmp exits 0 as_reader --db "$T/ro/db" load S
	same out want
	[ "$(ls ro | tr '\n' ' ')" = "db db-wal " ]
	# without room for a copy of both it is not read in part
	KIB=$(($(wc -c <ro/db) / 1024)) TMPDIR=/tmp exits 4 as_reader --db "$T/ro/db" load S
	lacks . out
	says "ctx-store load: *copying $T/ro/db-wal: File too large"
	chmod 700 ro
}

# --- hostile names -----------------------------------------------------------------

@test "store: names are data" {
	local name

	for name in ../../etc/passwd '%s%n' "'; DROP TABLE thread; --" '"' '🙂' \
	    $'a\nb' ' ' '--' 'file:x?mode=memory' "$(printf '%01024d' 1)" '@' '~'; do
		msg user "$name" | sed 's/%/%%/' >in || true
		echo '{"role":"user","n":1}' >in
		store append -- "$name" <in
		exits 0 store load -- "$name"
		same out in
		exits 0 store status --json -- "$name"
		[ "$(jq -r .thread_id out)" = "$name" ]
		w=$(store workspace -- "$name")
		[[ $w = $T/db.d/* ]]
	done
	store export >all
	exits 0 store --db b.db import all
	exits 0 store --db b.db export
	same out all
	for name in '' "$(printf '%01025d' 1)" $'\xff'; do
		exits 2 store append -- "$name" <<<'{"n":1}'
	done
	exits 0 store check --full
	for name in x?y 'a%b#c' 'sp ace'; do
		mkdir "$name"
		exits 0 store --db "$name/d?b&c=d#e" append S <in
		exits 0 store --db "$name/d?b&c=d#e" load S
		same out in
	done
}

@test "store: contexts, views, checkpoints and states accept any name" {
	talk S 1
	for name in ../x "';--" '🙂' $'a\nb'; do
		store append -c "$name" S <<<'{"n":1}'
		exits 0 store load -c "$name" S
		wrote '{"n":1}'
		store load S | store view put S "$name"
		exits 0 store load --view "$name" S
		[ "$(wc -l <out)" = 2 ]
		echo '{"a":1}' | store checkpoint put --id "$name" S
		exits 0 store checkpoint get S "$name"
		wrote '{"a":1}'
		echo 5 | store state put S "$name"
		exits 0 store state get S "$name"
		wrote 5
	done
	exits 0 store check --full
}

@test "store: a view name that would mean a version of another view is refused" {
	talk S 1
	for how in 'view put S a@2' 'append --view a@2 S'; do
		# shellcheck disable=SC2086
		exits 2 store $how <<<'{"n":1}'
		says "*'a@2' would mean version 2 of 'a'; give the view another name"
	done
	exits 0 store view list S
	silent
	store load S | store view put S a@x
	exits 0 store view get S a@x
}

@test "store: usage" {
	exits 2 ctx-store
	said "ctx-store: no command given" "see 'ctx-store --help'"
	exits 2 store nosuch
	says "*unknown command 'nosuch'"
	exits 2 store serach x
	says "*unknown command 'serach'; did you mean 'search'?"
	exits 2 store list
	says "*unknown command 'list'; did you mean 'threads'?"
	exits 2 store remember S
	says "*unknown command 'remember'; did you mean 'memory put'?"
	exits 2 store memory
	says "*'memory' needs a subcommand: put, get, list, rm"
	exits 2 store memory show S
	says "*unknown command 'memory show'; the commands of 'memory' are put, get, list, rm"
	exits 2 store memory get S
	says "*--turns, --match or --summaries is required; 'ctx-store memory list' lists *"
	exits 2 store memory get --as message S
	says "*--as needs --summaries"
	exits 2 store checkpoint diff S a
	says "*too few arguments: it takes THREAD ID ID"
	exits 2 store threads S
	says "*too many arguments: it takes none"
	exits 2 store fork S
	says "*--at ID is required"
	exits 2 store prune
	says "*--older-than, --max-size or --keep-last is required"
	exits 2 store load --follow --view v S
	says "*--follow and --view cannot be used together"
	exits 2 store append
	exits 2 store --db
	store_commands >names
	[ "$(wc -l <names)" -gt 50 ]
	while read -r name; do
		# shellcheck disable=SC2086
		exits 0 store $name --help
		[[ $(head -n 1 out) = "usage: ctx-store $name"* ]]
	done <names
}

# --- search ----------------------------------------------------------------------

hits() { store search "$@" | jq -r .seq | tr '\n' ' '; }

@test "store: words are found in Chinese and in English" {
	store append S <<-'X'
	{"role":"user","content":"请总结上下文管理机制的sessions，谢谢"}
	{"role":"assistant","content":"The Session log is appended; naïve text."}
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"/src/main.c\"}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"int main(void)"}
	X
	[ "$(hits 上下文)" = "1 " ]
	[ "$(hits 文管)" = "1 " ]
	[ "$(hits 文)" = "1 " ]
	[ "$(hits 管理session)" = "1 " ]
	[ "$(hits session)" = "2 1 " ]
	[ "$(hits '"session"')" = "2 " ]
	[ "$(hits naive)" = "2 " ]
	[ "$(hits main)" = "4 3 " ]
	[ "$(hits main --role tool)" = "4 " ]
	[ "$(hits main --last 1)" = "4 " ]
	[ "$(hits --rank session log)" = "2 " ]
	[ "$(hits --substring ssio)" = "2 1 " ]
	exits 1 store search c1
	exits 1 store search nothing
	exits 2 store search '*'
	exits 0 store search --as messages --around 1 log
	[ "$(wc -l <out)" = 4 ]
	exits 0 store search log
	[ "$(jq -r .snippet out | grep -c Session)" = 1 ]
}

@test "store: a query is data, not syntax" {
	store append S <<<'{"role":"user","content":"a NEAR b OR c AND quote\" end text:x"}'
	for q in 'NEAR(' 'a OR' '"' 'x"y' "'" "'; DROP TABLE message" 'text:' '^a' \
	    'a*' '(' '{a b}' '-a' $'a\nb' '🙂' "$(printf 'a%.0s' $(seq 5000))"; do
		rc=0
		store search -- "$q" >out 2>err || rc=$?
		case $rc in 0 | 1 | 2) ;; *) echo "$q: $rc"; cat err; false ;; esac
		lacks -i 'fts5\|syntax\|sql' err
	done
}

@test "store: removed messages are not found; reindex finds what was not indexed" {
	store append --no-index S <<<'{"role":"user","content":"hidden"}'
	exits 1 store search hidden
	says "*1 message is not indexed*"
	exits 0 store reindex
	says "*indexed 1 message"
	[ "$(hits hidden)" = "1 " ]
	store append T <<<'{"role":"user","content":"hidden too"}'
	store rm S
	[ "$(store search hidden | jq -r .thread_id)" = T ]
	exits 0 store reindex --all
	[ "$(store search hidden | jq -r .thread_id)" = T ]
	exits 0 store check --full
}

# --- other programs' sessions -----------------------------------------------------

@test "store: sessions of Claude Code with subagents; again, and after they have grown" {
	f=$DATA/logs/research.claude-code.jsonl
	exits 0 store import --from claude-code "$f"
	id=$(grep -o '"sessionId":"[^"]*"' "$f" | head -n 1 | cut -d '"' -f 4)
	exits 0 store load "$id"
	same out "$f"
	exits 0 store import --from claude-code "$f"
	says "*1 thread, 0 records*"
	given <<-'X'
	{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s","message":{"role":"user","content":"go"}}
	{"type":"user","uuid":"s1","parentUuid":null,"isSidechain":true,"sessionId":"s","message":{"role":"user","content":"sub"}}
	{"type":"assistant","uuid":"s2","parentUuid":"s1","isSidechain":true,"sessionId":"s","message":{"role":"assistant","content":"answer"}}
	{"type":"user","uuid":"x1","isSidechain":true,"agentId":"a1b2c3d4","sessionId":"s","message":{"role":"user","content":"sub2"}}
	X
	exits 0 store import --from claude-code in
	exits 0 store contexts --tree s
	[ "$(sed -n 1p out)" = 'main (root, 1 message) *' ]
	[[ $(sed -n 2p out) = '  subagent-'*' (subagent, 2 messages)' ]]
	exits 0 store load s/subagent-a1b2c3d4
	[ "$(wc -l <out)" = 1 ]
	echo '{"uuid":"u2","sessionId":"s","message":{"role":"assistant","content":"ok"}}' >>in
	exits 0 store import --from claude-code in
	says "*1 thread, 1 record,*"
	edit 's/"go"/"gone"/' in
	exits 3 store import --from claude-code in
	says "*other bytes"
	exits 3 store import --from claude-code "$DATA/logs/mend.openai.jsonl"
}

@test "store: a session of Claude Code with three subagents, each imported separately" {
	f=$DATA/logs/team.claude-code.jsonl
	exits 0 store import --from claude-code "$f"
	says "*1 thread, 72 records*"
	id=$(grep -o '"sessionId":"[^"]*"' "$f" | head -n 1 | cut -d '"' -f 4)
	exits 0 store load "$id"
	same out <(grep -v '"agentId":' "$f")
	for a in a1c4e7b2 b2d5f803 c3e6a914; do
		grep "\"agentId\":\"$a\"" "$f" >want
		exits 0 store load "$id/subagent-$a"
		same out want
	done
	exits 0 store import --from claude-code "$f"
	says "*1 thread, 0 records*"
}

@test "store: a record of Gemini CLI that is written again is stored again, once" {
	f=$DATA/agents/gemini-cli.jsonl
	exits 0 store append g <"$f"
	exits 0 store load g
	same out "$f"
	# what has an id is stored once in each of its forms
	grep '^{"id":' "$f" >ids
	n=$(wc -l <"$f")
	exits 0 store append g <ids
	exits 0 store load g
	[ "$(wc -l <out)" -eq "$n" ]
	# that is no damage, also in a copy and after an import
	exits 0 store check --full
	exits 0 store export
	mv out export
	exits 0 store --db other import export
	exits 0 store --db other check --full
	# of other logs, that is still an error
	printf '%s\n' '{"id":"a","role":"user","content":"q"}' \
	    '{"id":"a","role":"user","content":"r"}' >in
	exits 3 store append o <in
	says "*:2: message 'a' is already stored with other bytes"
}

@test "store: rollouts of Codex" {
	given <<-'X'
	{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"rollout-1","cwd":"/"}}
	{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}
	X
	exits 0 store import --from codex in
	says "*1 thread, 2 records, 0 checkpoints"
	exits 0 store load rollout-1
	same out in
	# its items have the roles that append gives them
	cat >>in <<-'X'
	{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c1","input":"rename heron.c"}}
	{"timestamp":"2026-01-01T00:00:03Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c1","output":"the heron is renamed"}}
	X
	exits 0 store import --from codex in
	exits 0 store append appended in
	for role in assistant tool; do
		exits 0 store search heron --role $role
		jq -r '[.thread_id,.seq,.turn,.role] | @tsv' out | sort >>got
	done
	tr ' ' '\t' >want <<-X
	appended 3 1 assistant
	rollout-1 3 1 assistant
	appended 4 1 tool
	rollout-1 4 1 tool
	X
	same got want
}

@test "store: databases of OpenAI Agents, llm and LangGraph" {
	sqlite_only
	sqlite3 agents.db <<-'X'
	CREATE TABLE agent_messages(id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT);
	INSERT INTO agent_messages VALUES(1,'a','{"role": "user"}'),(2,'b','{"n":1}'),(3,'a','{"role":"assistant"}');
	X
	exits 0 store import --from openai-agents agents.db
	exits 0 store load a
	wrote '{"role": "user"}' '{"role":"assistant"}'
	# since a later version, with the time
	sqlite3 timed.db <<-'X'
	CREATE TABLE agent_messages(id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT, created_at TIMESTAMP);
	INSERT INTO agent_messages VALUES(1,'timed','{"role":"user","content":"kite"}','2025-03-01 10:00:00'),(2,'timed','{"role":"user","content":"kite"}','2025-03-01 10:00:01.5');
	X
	exits 0 store import --from openai-agents timed.db
	store search kite --thread timed | jq -r .ts >out
	wrote 2025-03-01T10:00:01.500000Z 2025-03-01T10:00:00.000000Z
	sqlite3 llm.db <<-'X'
	CREATE TABLE responses(id TEXT, prompt TEXT, system TEXT, response TEXT, conversation_id TEXT, datetime_utc TEXT);
	CREATE TABLE tool_calls(id INTEGER PRIMARY KEY, response_id TEXT, name TEXT, arguments TEXT, tool_call_id TEXT);
	CREATE TABLE tool_results(id INTEGER PRIMARY KEY, response_id TEXT, output TEXT, tool_call_id TEXT);
	INSERT INTO responses VALUES('r1','hi','be','yo','c','2025-01-01T00:00:00'),('r2','','be','done','c','2025-01-01T00:00:01');
	INSERT INTO tool_calls VALUES(1,'r1','f','{"a":1}','call_1');
	INSERT INTO tool_results VALUES(1,'r2','42','call_1');
	X
	exits 0 store import --from llm llm.db
	exits 0 store load c
	jq -c '[.role,.content,.tool_call_id,.tool_calls[0].function.arguments]' out >got
	printf '%s\n' '["system","be",null,null]' '["user","hi",null,null]' \
	    '["assistant","yo",null,"{\"a\":1}"]' '["tool","42","call_1",null]' \
	    '["assistant","done",null,null]' >want
	same got want
	sqlite3 lg.db <<-'X'
	CREATE TABLE checkpoints(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB);
	CREATE TABLE writes(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB);
	INSERT INTO checkpoints VALUES('t','','1',NULL,'json','{ "v":1 }','{"step":0}'),('t','','2','1','msgpack',x'81a17602',x'7b7d');
	INSERT INTO writes VALUES('t','','2','task',0,'messages','json','"x"');
	X
	exits 0 store import --from langgraph lg.db
	exits 0 store checkpoint list t
	jq -c '[.checkpoint_id,.parent_checkpoint_id,.metadata]' out >got
	printf '%s\n' '["2","1",{}]' '["1",null,{"step":0}]' >want
	same got want
	exits 0 store checkpoint get t 2
	[ "$(cat out)" = '{"v":2}' ]
	exits 0 store checkpoint get t 1
	[ "$(cat out)" = '{ "v":1 }' ]
	sqlite3 lg.db "UPDATE checkpoints SET type = 'pickle', thread_id = 'u'"
	exits 3 store import --from langgraph lg.db
	says "*serializer 'pickle', which cannot be read"
	exits 3 store import --from llm agents.db
	exits 0 store check --full
}

# --- every write is activity ---------------------------------------------------

@test "store: every write protects a session from prune and --idle" {
	local agent line command input

	talk S 2
	talk other 1
	store view put S seen <<<'{"role":"user","content":"x"}'
	store view put S seen <<<'{"role":"user","content":"y"}'
	echo '{"n":1}' | store checkpoint put --id one S
	echo '{"n":2}' | store checkpoint put --id two S
	echo 'print(1)' | store code put --syntax python S code_1
	echo 'print(2)' | store code put --syntax python S code_2
	echo 'a,b' >data.csv
	store upload put S data.csv
	agent=$(store spawn --as name --task find S)
	cat >writes <<-X
	append S|{"role":"user","content":"more"}
	append --view seen S|{"role":"user","content":"more"}
	append $agent|{"role":"assistant","content":"found"}
	append -c fork --parent main@2 S|{"role":"user","content":"more"}
	state put S|{"n":1}
	state put S key|1
	state merge S|{"n":2}
	state merge -c main S|{"n":2}
	state merge $agent|{"n":2}
	state merge --add S|{"n":2}
	summary put S|{"summary":"x"}
	view put S seen|{"role":"user","content":"z"}
	view rm S seen@1|
	checkpoint put S|{"n":3}
	fork --at one S|
	fork --head --at two S|
	checkpoint rm S two|
	memory put -c main --turn 1 S|what I know
	memory put -c main --turn 1 S|what I know
	code put --syntax python S code_1|print(3)
	code put --syntax python S code_1|print(3)
	code rm S code_1|
	code extract S|{"role":"assistant","content":"\`\`\`python\nprint(4)\nprint(5)\n\`\`\`"}
	upload put S data.csv|
	upload rm S data.csv|
	spawn --task more S|
	finish $agent|
	workspace S|
	rm -c fork S|
	X
	while IFS='|' read -r command input; do
		sqlite3 db "UPDATE thread SET updated = 1, pinned = 0"
		exits 1 store load --idle 1h S
		# shellcheck disable=SC2086
		exits 0 store $command <<<"$input"
		sqlite3 db "UPDATE thread SET pinned = 0"
		exits 0 store load --idle 1h S ||
		    { echo "not by: $command"; false; }
		exits 0 store prune --older-than 1h --dry-run
		jq -r .thread_id out >old
		grep -qx other old
		if grep -qx S old; then false; fi
	done <writes
	[ "$(wc -l <writes)" -eq 29 ]
}

@test "store: a tree is printed depth first, each context below its parent" {
	local name parent

	msg user main | store append S
	while read -r name parent; do
		msg user "$name" | store append -c "$name" --parent "$parent" S
	done <<-'X'
	a main
	b main
	a1 a
	b1 b
	a2 a
	b11 b1
	a11 a1
	c main
	X
	exits 0 store contexts --tree S
	wrote 'main (root, 1 message) *' \
	    '  a (fork, 1 message)' \
	    '    a1 (fork, 1 message)' \
	    '      a11 (fork, 1 message)' \
	    '    a2 (fork, 1 message)' \
	    '  b (fork, 1 message)' \
	    '    b1 (fork, 1 message)' \
	    '      b11 (fork, 1 message)' \
	    '  c (fork, 1 message)'
	exits 0 store contexts S
	jq -r '"\(.depth) \(.parent_context) \(.context_id)"' out >list
	printf '%s\n' '0 null main' '1 main a' '2 a a1' '3 a1 a11' '2 a a2' \
	    '1 main b' '2 b b1' '3 b1 b11' '1 main c' >tree
	same list tree
}

@test "store: a tree with a branch whose parent is missing is damaged" {
	msg user main | store append S
	msg user a | store append -c a --parent main S
	msg user b | store append -c b --parent a S
	sqlite3 db "DELETE FROM context WHERE name = 'a'"
	exits 4 store contexts --tree S
	says '*damaged*'
	rm -f db*
	msg user main | store append S
	msg user a | store append -c a --parent main S
	sqlite3 db "UPDATE context SET parent = id WHERE name = 'a'"
	exits 4 store contexts --tree S
	says '*damaged*'
}

# --- conversation lines --------------------------------------------------------

# split LINE WANTED...: assert that append --split stores these messages.
split() {
	export CTX_DB=$T/split$((++SPLIT))
	printf '%s\n' "$1" >line
	shift
	exits 0 store append --split S line
	exits 0 store load S
	wrote "$@"
}

@test "store: --split keeps the system prompt of every dialect" {
	hi='{"role":"user","content":"hi"}'
	told='{"role":"user","parts":[{"text":"hi"}]}'
	split "{\"system\":\"é \\u00e9\",\"messages\":[$hi]}" \
	    '{"role":"system","content":"é \u00e9"}' "$hi"
	split "{\"system\":[{\"type\":\"text\",\"text\":\"a\",\"cache_control\":{\"type\":\"ephemeral\"}}],\"messages\":[$hi]}" \
	    '{"role":"system","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}' "$hi"
	split "{\"model\":\"m\",\"instructions\":\"be brief\",\"input\":[$hi]}" \
	    '{"role":"system","content":"be brief"}' "$hi"
	for key in systemInstruction system_instruction; do
		split "{\"$key\":{\"parts\":[{\"text\":\"a\"},{\"text\":\"b\"}]},\"contents\":[$told]}" \
		    '{"role":"system","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}' "$told"
		split "{\"contents\":[$told],\"$key\":\"plain\"}" \
		    '{"role":"system","content":"plain"}' "$told"
	done
	split "{\"conversations\":[{\"from\":\"system\",\"value\":\"s\"},{\"from\":\"human\",\"value\":\"hi\"}]}" \
	    '{"from":"system","value":"s"}' '{"from":"human","value":"hi"}'
	# a system prompt and messages from different dialects
	call='{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
	split "{\"system\":\"s\",\"messages\":[$hi,$call]}" \
	    '{"role":"system","content":"s"}' "$hi" "$call"
	split "[$hi,$call]" "$hi" "$call"
}

@test "store: --split omits an empty prompt, and splits nothing but conversations" {
	hi='{"role":"user","content":"hi"}'
	for none in null '""' '[]' '{}'; do
		split "{\"system\":$none,\"messages\":[$hi]}" "$hi"
	done
	split "$hi" "$hi"
	split '{"type":"note","system":"s"}' '{"type":"note","system":"s"}'
	split "{\"messages\":[$hi,{\"odd\":1}]}" "$hi" '{"odd":1}'
	exits 3 store append --split S <<<'{"messages":['
}

@test "store: the messages stored by --split read like the conversation" {
	printf '%s\n' '{"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"yes"}]}]}' >line
	exits 0 store append --split S line
	exits 0 store load S
	cp out split
	ctx-convert --to openai line | jq -c '.messages[]' >want
	ctx-convert --to openai split >got
	jq -c '.content |= if type == "array" then .[0].text else . end' got >plain
	same plain want
	exits 0 store threads
	exits 0 store status --json S
	[ "$(jq .turns out)" -eq 1 ]
}

# --- a subagent's state --------------------------------------------------------

@test "store: a subagent's state begins empty; --merged reads all levels" {
	local agent fork

	talk S 1
	echo '{"user_id":"ann","allowed_tools":["rm"],"todos":[1]}' |
	    store state put S
	echo '{"skills":["x"]}' | store state put --user ann
	agent=$(store spawn --as name --task find --max-loops 5 S)
	exits 0 store state get "$agent"
	jq -c 'keys' out >got
	echo '["context_id","loops","max_loops","parent_context","thread_id"]' >want
	same got want
	exits 1 store state get "$agent" allowed_tools
	exits 1 store state get "$agent" skills
	echo '["ls"]' | store state put "$agent" allowed_tools
	exits 0 store state get "$agent" allowed_tools
	wrote '["ls"]'
	exits 0 store state get S allowed_tools
	wrote '["rm"]'
	exits 0 store state get --merged "$agent" skills
	wrote '["x"]'
	exits 0 store state get --level all "$agent" todos
	wrote '[1]'
	exits 0 store state get --merged "$agent" allowed_tools
	wrote '["ls"]'
	exits 0 store state get --level thread "$agent" todos
	wrote '[1]'
	# a fork of a subagent has the subagent's state; a subagent below it
	# begins empty
	fork=${agent#S/}
	msg user x | store append -c fork --parent "$fork" S
	exits 1 store state get -c fork S todos
	exits 0 store state get -c fork --merged S todos
	wrote '[1]'
	agent=$(store spawn --as name --task more "$agent")
	exits 1 store state get "$agent" allowed_tools
	# a fork of the conversation inherits the thread's state
	msg user x | store append -c try --parent main S
	exits 0 store state get -c try S todos
	wrote '[1]'
	exits 2 store state get --merged --level user S
	exits 2 store state put --merged S
}

@test "store: the result of a subagent is what it said, not what it thought or called" {
	local agent

	talk S 1
	while IFS= read -r line; do
		agent=$(store spawn --as name --task find S)
		store append "$agent" <<<"$line"
		exits 0 store finish "$agent"
		[ "$(jq -r .result out)" = 'the den' ] || fail "$line"
	done <<-'X'
	{"role":"assistant","content":"the den"}
	{"role":"model","parts":[{"text":"it may be","thought":true},{"text":"the den","thought":false}]}
	{"role":"model","parts":[{"text":"the den","thought":null}]}
	{"role":"assistant","parts":[{"type":"reasoning","text":"it may be"},{"type":"text","text":"the den"}]}
	{"kind":"response","parts":[{"part_kind":"thinking","content":"it may be"},{"part_kind":"text","content":"the den"}]}
	{"role":"assistant","parts":[{"type":"reasoning","content":"it may be"},{"type":"text","content":"the den"}]}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"the den"}]}
	{"role":"assistant","content":[{"text":"the den"}]}
	{"role":"assistant","content":[{"type":"thinking","thinking":"so","text":"it may be"},{"type":"text","text":"the den"}]}
	X
}

@test "store: a subagent has its own limits" {
	local agent

	talk S 1
	echo '{"loops":9,"max_loops":2}' | store state put S
	agent=$(store spawn --as name --task find S)
	exits 0 store state merge --add --limit loops=max_loops "$agent" <<<'{"loops":5}'
	agent=$(store spawn --as name --task find --max-loops 3 S)
	exits 1 store state merge --add --limit loops=max_loops "$agent" <<<'{"loops":4}'
	exits 0 store state merge --add --limit loops=max_loops "$agent" <<<'{"loops":3}'
}

# --- users without a session ---------------------------------------------------

@test "store: export includes the state of users without a session" {
	talk A 1
	talk B 1
	echo '{"theme":"dark","n":1.50}' | store state put --user ann
	printf '"%05000d"' 7 | store state put --user bob --level user note
	echo '{"theme":"light"}' | store state put --user cyd
	store append --user ann A <<<'{"role":"user","content":"hi"}'
	store append --user cyd B <<<'{"role":"user","content":"hi"}'
	store rm A
	store export >all
	exits 0 ctx-store --db other import all
	says '*imported 1 thread'
	for user in ann bob cyd; do
		store state get --user $user >want
		exits 0 ctx-store --db other state get --user $user
		same out want
	done
	ctx-store --db other export >again
	same again all
	ctx-store --db other check -q --full
	# importing it again replaces nothing
	exits 0 ctx-store --db other import all
	echo '{"theme":"blue"}' | ctx-store --db other state put --user ann
	exits 0 ctx-store --db other import all
	exits 0 ctx-store --db other state get --user ann --level user theme
	wrote '"blue"'
	# an export of some threads has no state of users
	store export B >some
	exits 1 grep -c ann some
	store export --only memory >some
	exits 1 grep -c ann some
	# a store that has only users
	store rm B
	exits 0 store export
	[ "$(grep -c '"row":"user"' out)" -eq 3 ]
	sed '/"row":"end"/d' out >cut
	exits 3 ctx-store --db third import cut
	sed 's/"row":"user",.*/"row":"user","name":""}/' out >bad
	exits 3 ctx-store --db third import bad
}

@test "store: --idle accepts all names of a session" {
	local agent

	talk S 1
	agent=$(store spawn --as name --task find S)
	sqlite3 db "UPDATE thread SET updated = 1"
	for name in S @last "$agent"; do
		exits 1 store load --idle 30m "$name"
		silent
		says '*expired: idle since 1970-01-01T00:00:00.000001Z'
	done
	exits 1 store load --idle 30m nobody
	says "*no such thread 'nobody'; *"
	msg user more | store append S
	for name in S @last "$agent"; do
		exits 0 store load --idle 1000000w "$name"
	done
}

@test "ckpt: an id is a UUID of version 7 with the time of its creation" {
	msg user hi | store append S
	before=$(python3 -c 'import time; print(int(time.time() * 1000))')
	id=$(echo '{}' | store checkpoint put S | jq -r .checkpoint_id)
	other=$(echo '{}' | store checkpoint put S | jq -r .checkpoint_id)
	[ "$id" != "$other" ]
	python3 -c 'import sys, time, uuid
u = uuid.UUID(sys.argv[1])
assert str(u) == sys.argv[1]
assert u.version == 7 and u.variant == uuid.RFC_4122, u
assert int(sys.argv[2]) <= u.int >> 80 <= time.time() * 1000, u' "$id" "$before"
}

@test "state: a name may have 1024 bytes" {
	msg user hi | store append S
	long=$(printf '%01024d' 7)
	echo 1 | store state put S "$long"
	exits 0 store state get S "$long"
	wrote 1
	echo 1 >in
	exits 2 store state put S "${long}0" <in
	says '*the name has 1025 bytes; the limit is 1024'
	echo "{\"${long}0\":1}" >one
	exits 3 store state put S <one
	says "*the name of a state is longer than 1024 bytes"
	exits 0 store state get S
	wrote "{\"$long\":1}"
}
