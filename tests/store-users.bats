# ctx-store --user: what belongs to one person is seen, listed, exported and
# removed for that person.  It is a filter, not a lock.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }
line() { printf '{"id":"%s","role":"%s","content":"%s"}\n' "$1" "$2" "$3"; }

# person USER THREAD WORD: a thread with something of every kind, each with WORD
# in its text and USER nowhere else.
person() {
	local u=$1 t=$2 w=$3

	{
		line m1 user "$w one"
		line m2 assistant "$w two"
		printf '{"role":"assistant","content":"%s\\n```python\\n%s = 1\\n```"}\n' \
		    "$w" "$w"
	} | store append --user "$u" "$t"
	echo "{\"x\":\"$w\"}" | store checkpoint put --user "$u" --id k1 "$t"
	echo "{\"x\":\"$w 2\"}" | store checkpoint put --user "$u" --id k2 "$t"
	store fork --user "$u" --at k1 --name side "$t" >"$T/made"
	line v1 user "$w seen" | store view put --user "$u" "$t" model
	echo "{\"y\":\"$w\"}" | store state put --user "$u" "$t"
	echo "{\"$w\":\"$w\"}" | store state put --user "$u"
	echo "{\"summary\":\"$w\"}" | store summary put --user "$u" "$t"
	echo "$w" | store memory put --user "$u" --summary "$w" --name "mem" "$t"
	echo "$w = 2" | store code put --user "$u" "$t" code1 >"$T/made"
	echo "$w file" >"$T/f.txt"
	store upload put --user "$u" "$t" "$T/f.txt" >"$T/made"
	store spawn --user "$u" --task "$w task" --as name "$t" >"$T/agent.$u"
}

# Arguments with which each command would show or change thread $2; a new command
# needs a row.  "-" is a command that works on the whole store.
reach() {
	case $1 in
	recover | check | backup | vacuum | migrate | reindex) echo - ;;
	threads | users | import | prune) ;;
	search) echo "--thread $2 WORD" ;;
	relevant) echo "-t 1000 --question WORD $2" ;;
	embed) echo "--url http://127.0.0.1:9 --tries 1 $2" ;;
	'checkpoint diff') echo "$2 k1 k2" ;;
	'checkpoint get' | 'checkpoint rm') echo "$2 k1" ;;
	fork) echo "--at k1 $2" ;;
	'view put' | 'view get' | 'view list' | 'view rm') echo "$2 model" ;;
	'memory get') echo "--turns 0-9 $2" ;;
	'memory rm') echo "$2 mem" ;;
	'code put' | 'code get' | 'code rm') echo "$2 code1" ;;
	'upload put') echo "$2 $T/mine" ;;
	'upload get' | 'upload rm') echo "$2 f.txt" ;;
	spawn) echo "--task hello $2" ;;
	finish) echo "$2/$(sed 's,.*/,,' "$T/agent.ann")" ;;
	append | load | new | contexts | status | keep | rm | 'checkpoint put' | \
	    'checkpoint list' | 'state '* | 'summary '* | 'memory '* | 'code '* | \
	    'upload '* | workspace | export) echo "$2" ;;
	*) fail "no arguments for 'ctx-store $1'" ;;
	esac
}

# --- leaks --------------------------------------------------------------------

@test "users: no command shows or changes the thread of another" {
	person ann A zanzibar
	person bob B tokelau
	printf '{"role":"assistant","content":"x\\n```python\\nb = 1\\n```\\n<code_ref>code1</code_ref>"}\n' >mine
	store export --user ann >before
	each=$(store_commands)
	while read -r c; do
		about "$c"
		args=$(reach "$c" A)
		case $args in
		-)
			# shellcheck disable=SC2086
			exits 2 store $c --user bob A B
			says "*--user cannot be used: the command works on the whole store"
			continue ;;
		esac
		other=$(reach "$c" nope)
		args=${args/WORD/zanzibar} other=${other/WORD/zanzibar}
		got=0
		# shellcheck disable=SC2086
		timeout "$DEADLINE" ctx-store $c --user bob $args <mine >out 2>err || got=$?
		lacks -iE 'zanzibar|ann' out
		lacks -iE 'zanzibar|\bann\b' err
		case $c in
		threads | users | prune | import) continue ;;
		esac
		[ "$got" = 1 ] || fail "exit $got: $(cat err)"
		# as for a name that does not exist, unless it would be created
		if ! grep -q "belongs to another user" err && [ "$c" != new ]; then
			sed "s/'A/'nope/g" err >same
			[ -s same ]
			# shellcheck disable=SC2086
			exits 1 store $c --user bob $other <mine
			same err same
		fi
	done <<<"$each"
	store export --user ann >after
	same after before
}

@test "users: what lists or searches all of the store is of one user" {
	person ann A zanzibar
	person bob B tokelau
	line n1 user 'nobodys zanzibar' | store append N
	for as in rows names; do
		exits 0 store threads --user bob --as $as
		has -q B out
		lacks -qE 'A|N' out
	done
	exits 1 store search --user bob zanzibar
	exits 1 store search --user bob --substring nzib
	exits 1 store search --user bob --rank --in all zanzibar
	exits 0 store search --user ann --in all zanzibar
	jq -r .thread_id out | sort -u >threads
	echo A >want
	same threads want
	jq -r .kind out | sort -u | tr '\n' ' ' >kinds
	[ "$(cat kinds)" = 'code memory message summary ' ]
	exits 0 store search --user ann --substring --in all anziba
	jq -r .thread_id out | sort -u >threads
	same threads want
	# of several threads, another's is none
	exits 1 store relevant --user bob -t 1000 --question zanzibar B --thread A
	says "*no such thread 'A'*"
	silent
	line n3 user 'tokelau zanzibar' | store append --user bob B2
	exits 0 store relevant --user bob -t 1000 --question zanzibar B --thread B2
	has -q 'tokelau zanzibar' out
	exits 1 store search --user bob --thread B --thread A zanzibar
	store rm -q --user bob B2
	# the newest of theirs, though another wrote later
	exits 0 store load --user ann @last
	has -q zanzibar out
	line n2 user later | store append --user ann A
	exits 0 store load --user bob @last
	has -q tokelau out
	exits 1 store load --user cyd @last
	exits 1 store search --user cyd zanzibar
	exits 0 store threads --user cyd
	silent
	exits 0 store prune --user bob --keep-last 0 --dry-run
	jq -r .thread_id out >threads
	echo B >want
	same threads want
}

@test "users: CTX_USER is --user, which is preferred; an empty one is none" {
	person ann A zanzibar
	person bob B tokelau
	CTX_USER=bob exits 0 store threads --as names
	wrote B
	CTX_USER=bob exits 0 store threads --user ann --as names
	wrote A
	exits 0 store --user bob threads --as names
	wrote B
	CTX_USER= exits 0 store threads --as names
	[ "$(wc -l <out)" = 2 ]
	CTX_USER=bob exits 1 store load A
	# the commands of the whole store
	CTX_USER=bob exits 0 store check
	[ -n "${CTX_TEST_PG:-}" ] || CTX_USER=bob exits 0 store backup copy
	exits 2 store --user bob check
	long=$(printf 'a%01024d' 1)
	CTX_USER=$long exits 2 store threads
	says '*CTX_USER: the name has 1025 bytes; the limit is 1024'
	exits 2 store threads --user ''
	says '*--user: the name is empty'
}

@test "users: a thread belongs to who makes it, and nobody's to who writes first" {
	line 1 user hi >in
	exits 0 store append --user ann S in
	exits 0 store memory put --user ann --name m M in
	exits 0 store spawn --user ann --task do P
	exits 0 store new --user ann E
	exits 0 store threads --user ann --as names
	sort out | tr '\n' ' ' >names
	[ "$(cat names)" = 'E M P S ' ]
	line 1 user old | store append N
	exits 1 store load --user bob N
	line 2 user new | store append --user bob N
	exits 0 store load --user bob N
	[ "$(wc -l <out)" = 2 ]
	for c in 'append N in' 'memory put N in' 'upload put N in' 'code put N i in' \
	    'checkpoint put N' 'spawn --task x N' 'state put N k' 'new N'; do
		about "$c"
		# shellcheck disable=SC2086
		exits 1 store $c --user ann <<<1
		lacks -q bob err
	done
	exits 0 store load N
	[ "$(wc -l <out)" = 2 ]
	exits 1 store new --user ann N
	said "ctx-store new: thread 'N' exists already"
	line 3 user x | exits 1 store append --user ann N
	said "ctx-store append: thread 'N' belongs to another user"
}

@test "users: the subagent of another's thread is not made anew" {
	person ann A zanzibar
	agent=$(cat agent.ann)
	line 1 user hi >in
	exits 1 store append --user bob "$agent" in
	says "*belongs to another user"
	exits 0 store append --user ann "$agent" in
	exits 0 store threads --as names
	wrote A
}

@test "users: a state is of the user, of a thread, or of a context" {
	line 1 user hi | store append --user ann S
	echo '{"a":1}' | store state put --user ann
	echo '{"b":2}' | store state put --user ann S
	echo '{"c":3}' | store state merge --user ann --level user
	exits 0 store state get --user ann S
	wrote '{"a":1,"c":3,"b":2}'
	exits 0 store state get --user ann
	wrote '{"a":1,"c":3}'
	exits 0 store state get --user ann --level user a
	wrote 1
	exits 0 store state get --user ann --level user S c
	wrote 3
	exits 0 store state get --user ann S b
	wrote 2
	exits 1 store state get --user bob S
	exits 0 store state get --user bob
	wrote '{}'
	# a variable does not change what an operand means
	CTX_USER=ann exits 0 store state get --level user S
	wrote '{"a":1,"c":3}'
	CTX_USER=ann exits 0 store state get
	wrote '{"a":1,"c":3}'
	exits 2 store state get
	exits 2 store state get --user ann --level thread
	exits 2 store state get --user ann -c main
	exits 0 store state rm --user ann --level user c
	exits 0 store state get --user ann
	wrote '{"a":1}'
	# who sees only their own threads does not give them away
	echo '"bob"' | exits 1 store state put --user ann S user_id
	says '*user_id would give the thread to another user'
	echo '"ann"' | exits 0 store state put --user ann S user_id
	echo '"bob"' | exits 0 store state put S user_id
	exits 1 store load --user ann S
}

@test "users: search in several threads" {
	line 1 user 'word one' | store append A
	line 1 user 'word two' | store append B
	line 1 user 'word three' | store append C
	exits 0 store search --thread A --thread C word
	jq -r .thread_id out | tr '\n' ' ' >got
	[ "$(cat got)" = 'C A ' ]
	exits 0 store search --thread A --thread C --thread A --substring ord
	[ "$(wc -l <out)" = 2 ]
	exits 0 store search --thread A --thread C --rank word
	[ "$(wc -l <out)" = 2 ]
	exits 1 store search --thread A --thread nope word
	says "*no such thread 'nope'*"
	# more threads than a query of the index names
	for i in $(seq 150); do
		printf '{"t":"T%d","role":"user","content":"word"}\n' "$i"
	done | store append --by t --user ann
	exits 0 store search --user ann -n 1000 word
	[ "$(wc -l <out)" = 150 ]
	lacks -qE '"thread_id":"[ABC]"' out
}

# --- export and import ---------------------------------------------------------

@test "users: export --user gives everything to that person, and import takes it" {
	person ann A zanzibar
	person ann A2 zanzibar
	person bob B tokelau
	echo '{"alone":1}' | store state put --user cyd
	exits 0 store export --user ann
	cp out ann
	lacks -q tokelau ann
	lacks -q cyd ann
	exits 0 ctx-store --db new import ann
	exits 0 ctx-store --db new export
	same out ann
	exits 0 ctx-store --db new state get --user ann
	wrote '{"zanzibar":"zanzibar"}'
	exits 0 ctx-store --db new check --full
	exits 0 store export --user cyd
	jq -r .row out | tr '\n' ' ' >rows
	[ "$(cat rows)" = 'ctx-store user body user_state end ' ]
	exits 0 store export --user dan
	[ "$(wc -l <out)" = 2 ]
	exits 1 store export --user bob A
	# nobody's becomes the user's, another's is refused
	line 1 user hi | ctx-store --db one append S
	ctx-store --db one export >plain
	exits 0 ctx-store --db to import --user ann plain
	exits 0 ctx-store --db to threads --user ann --as names
	wrote S
	exits 1 ctx-store --db to import --user bob plain
	says '*belongs to another user*'
	exits 1 ctx-store --db to import --user bob ann
	says '*belongs to another user'
	exits 0 ctx-store --db to threads --as names
	wrote S
}

# --- rm and users --------------------------------------------------------------

# crowd SEED N...: a store of three people, with threads of these numbers, whose
# texts are random and in part the same; "qzxann" is the one to be removed.
crowd() {
	local u n f seed=$1

	python3 "$ROOT/tests/erased.py" texts "$seed" t
	shift
	for n; do
		for u in qzxann qzxbob qzxcyd; do
			f=t/$u.$n.jsonl
			store append --user $u $u-$n "$f"
			head -n 1 "$f" | store memory put --user $u \
			    --summary "$(head -n 1 t/$u.words)" $u-$n
			store upload put --user $u $u-$n "$f"
			sed -n 2p t/$u.words | store code put --user $u $u-$n c1
			tail -n 1 "$f" | store state put --user $u --level user k$n
			tail -n 1 "$f" | store view put --user $u $u-$n model
			tail -n 1 "$f" | store summary put --user $u $u-$n
			tail -n 1 "$f" | store checkpoint put --user $u $u-$n
			store fork --user $u --at "$(store checkpoint list $u-$n |
			    jq -r .checkpoint_id)" $u-$n
		done
	done >made
}

# look: assert that nothing of qzxann is in the store's files.
look() {
	python3 "$ROOT/tests/erased.py" look qzxann "${1:-db}" >traces
	same traces /dev/null
}

@test "users: import keeps what a user's state has, and adds what it has not" {
	line 1 user hi | ctx-store append --user ann T
	ctx-store state put --user ann <<<'{"language":"en","x":1}'
	ctx-store export T >t.jsonl
	ctx-store --db new state put --user ann <<<'{"language":"de"}'
	# a new thread, and one that is there
	for i in 1 2; do
		exits 0 ctx-store --db new import t.jsonl
		exits 0 ctx-store --db new state get --user ann
		wrote '{"language":"de","x":1}'
		line 2 user on | ctx-store append T
		ctx-store state merge --user ann <<<'{"x":2}'
		ctx-store export T >t.jsonl
	done
}

@test "users: rm --user leaves no word of that person in any file, and others have all of theirs" {
	sqlite_only	# tests/pg.bats asks the tables
	local seed

	for seed in ${SEED:-6}; do
		about "seed $seed"
		rm -rf db* t
		crowd "$seed" 0 1 2 3
		store reindex -q --trigrams on
		store export --user qzxbob >bob
		store export --user qzxcyd >cyd
		# the look finds what is there, and what rm of the threads leaves
		python3 "$ROOT/tests/erased.py" look qzxann db >traces
		[ "$(wc -l <traces)" -gt 200 ]
		has -q 'db (a frame): ' traces
		has -q 'db (a value): ' traces
		cp db old
		for n in 0 1 2 3; do
			ctx-store --db old rm -q qzxann-$n
		done
		python3 "$ROOT/tests/erased.py" look qzxann old >traces
		[ "$(wc -l <traces)" -gt 20 ]
		has -q 'search_idx has' traces
		has -q 'trigram_idx has' traces
		exits 0 store rm --user qzxann --dry-run
		cp out dry
		exits 0 store rm --user qzxann
		same out dry
		[ "$(jq -r .thread_id out | tr '\n' ' ')" = \
		    'qzxann-0 qzxann-1 qzxann-2 qzxann-3 ' ]
		look
		exits 0 store export
		lacks -q qzxann out
		exits 0 store export --user qzxbob
		same out bob
		exits 0 store export --user qzxcyd
		same out cyd
		exits 0 store check --full
	done
	exits 1 store rm --user qzxann
	says "*no such user 'qzxann'"
}

@test "users: a state that is replaced leaves nothing" {
	sqlite_only
	# by a second member of its name
	echo '{"a":"qzxann one","a":"x"}' | store state put --user ada
	# by a newer export
	line 1 user hi | ctx-store --db other append S
	ctx-store --db other state put S <<<'{"b":"qzxann two"}'
	ctx-store --db other export S >first
	ctx-store --db other state put S <<<'{"b":"y"}'
	ctx-store --db other export S >second
	exits 0 store import first
	exits 0 store import second
	# and what an import does not take, since the user has another
	ctx-store --db other state put --user ada <<<'{"a":"qzxann three"}'
	ctx-store --db other export --user ada >third
	exits 0 store import third
	exits 0 store state get --user ada
	wrote '{"a":"x"}'
	exits 0 store state get S
	wrote '{"b":"y"}'
	cat db db-* >all
	lacks -qa qzxann all
	exits 0 store check --full
}

@test "users: vacuum removes contents that nothing refers to" {
	sqlite_only
	line 1 user hi | store append S
	echo '{"a":"kept"}' | store state put S
	sqlite3 db "INSERT INTO body(hash, size, kind, data) VALUES
	    (x'00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
	    6, 0, x'717a78616e6e')"
	store vacuum
	look
	exits 0 store state get S
	wrote '{"a":"kept"}'
	exits 0 store check --full
}

@test "users: rm --user takes a state without a thread, and threads without a state" {
	echo '{"k":"v"}' | store state put --user cyd
	line 1 user hi | store append --user dan S
	exits 0 store rm --user cyd
	exits 0 store rm --user dan
	exits 0 store users
	silent
	# only the option, not the variable, and not with a context
	line 1 user hi | store append --user dan S
	CTX_USER=dan exits 2 store rm
	exits 2 store rm
	exits 2 store rm --user dan -c main
	exits 2 store rm --dry-run -c main S
	exits 1 store rm --user ann S
	exits 0 store rm --user dan S --dry-run
	[ "$(jq -r .thread_id out)" = S ]
	exits 0 store load S
	[ -s out ]
	exits 0 store rm --user dan S
	exits 1 store load S
}

@test "users: rm --user removes workspaces, and only that person's" {
	person ann A zanzibar
	person bob B tokelau
	a=$(store workspace A) b=$(store workspace B)
	echo zanzibar >"$a/note"
	echo tokelau >"$b/note"
	exits 0 store rm --user ann
	[ ! -e "$a" ]
	[ "$(cat "$b/note")" = tokelau ]
}

@test "users: while another process reads, rm --user says that traces may be left" {
	sqlite_only
	crowd 1 0
	python3 - <<-'X' &
	import os, sqlite3, time
	db = sqlite3.connect("db")
	db.execute("BEGIN")
	db.execute("SELECT count(*) FROM message").fetchone()
	open("reading", "w").close()
	while not os.path.exists("stop"):
	    time.sleep(0.02)
	X
	until_true [ -e reading ]
	exits 4 store rm --user qzxann
	says "*removed, but another process reads an earlier state*"
	exits 1 store export --user qzxann qzxann-0
	touch stop
	wait
	cp db two
	# the next call ends what is left, and so does vacuum
	exits 0 store rm --user qzxann
	look
	exits 0 ctx-store --db two vacuum
	look two
	exits 1 store rm --user qzxann
}

@test "users: rm --user that is killed at any write is ended by the next one" {
	sqlite_only
	local i n rc

	${CC:-cc} -shared -fPIC -O1 -o faultio.so "$ROOT/tests/fault/faultio.c" -ldl
	python3 "$ROOT/tests/erased.py" texts 4 t
	for u in qzxann qzxbob; do
		store append --user $u $u t/$u.1.jsonl
		head -n 1 t/$u.0.jsonl | store state put --user $u
		store workspace $u >made
		head -n 1 t/$u.words >"$(cat made)/note"
	done
	cp -r db.d keep.d
	cp db keep
	store export --user qzxbob >bob
	# rm_faulty FAULT: run it on a new copy of the store
	rm_faulty() {
		rm -rf db*
		cp keep db
		cp -r keep.d db.d
		env LD_PRELOAD="$T/faultio.so" "$1" \
		    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
		    ctx-store rm --user qzxann >out 2>err || :
	}
	rm_faulty FAULT_COUNT="$T/n"
	n=$(cat n)
	[ "$n" -gt 20 ]
	some 5 5 12
	# each write with ROUNDS=1000; the last ones end what is to be erased
	for ((i = 0; i <= n; i += n / ${ROUNDS:-$some} + 1)); do
		about "write $i of $n"
		rm_faulty FAULT=kill:$i
		exits 0 store check --full
		rc=0
		store rm --user qzxann >out 2>err || rc=$?
		[ $rc = 0 ] || says "*no such user 'qzxann'"
		look
		exits 0 store export --user qzxbob
		same out bob
	done
}

@test "users: users lists who has a thread or a state" {
	person ann A zanzibar
	line 1 user 'ünï' | store append --user ann A2
	echo '{"a":1,"b":2}' | store state put --user cyd
	line 1 user hi | store append N
	exits 0 store users
	jq -c '[.user_id,.threads,.messages,.checkpoints,.files,.state_members]' \
	    out >got
	printf '%s\n' '["ann",2,5,3,2,1]' '["cyd",0,0,0,0,2]' >want
	same got want
	# as many bytes as there are
	[ "$(jq 'select(.user_id == "cyd").bytes' out)" = 2 ]
	jq -e 'select(.user_id == "cyd") | .updated_at == null' out
	exits 0 store users --user cyd
	[ "$(jq -r .user_id out)" = cyd ]
	exits 0 store users --user nobody
	silent
}

@test "users: a store of an older version has its users, too" {
	sqlite_only
	for f in "$DATA"/store/v*.db.gz; do
		about "$f"
		rm -f db*
		gunzip -c "$f" >db
		store threads --as names | sort >all
		user=$(store users | jq -r .user_id | head -n 1)
		[ -n "$user" ]
		exits 0 store threads --user "$user" --as names
		[ -s out ]
		sort out | comm -23 - all >other
		same other /dev/null
		exits 0 store export --user "$user"
		exits 0 store load --user "$user" @last
		exits 0 store rm --user "$user"
		exits 0 store users
		lacks -q "\"$user\"" out
		exits 0 store check --full
	done
}

@test "users: export --user --to langgraph writes that user's checkpoints" {
	sqlite_only	# LangGraph's database is a file
	person ann A zanzibar
	person bob B tokelau
	exits 0 store export --user bob --to langgraph lg.db
	[ "$(sqlite3 lg.db 'SELECT DISTINCT thread_id FROM checkpoints')" = B ]
	exits 1 store export --user bob --to langgraph other.db A
}
