# ctx-store with incomplete stores.
#
# FAULT_ROUNDS is the number of rows that are deleted from each table, one at a
# time (default 1).  With sanitizers, one eighth of the commands is run after
# each damage.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db CTX_WORKSPACES=$T/w
}

store() { ctx-store "$@"; }

# everything: make a store with a row in every table.
everything() {
	local agent

	{
		echo '{"role":"system","content":"be brief"}'
		echo '{"id":"m1","role":"user","content":"上下文管理 and sessions"}'
		echo '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]}'
		printf '{"role":"tool","tool_call_id":"c1","content":"%050000d"}\n' 7
		echo '{"role":"assistant","content":"fine"}'
	} | store append --view seen S
	echo '{"role":"user","content":"not indexed yet"}' |
	    store append --no-index S
	echo '{"role":"user","content":"another way"}' |
	    store append -c try --parent main@3 S
	store load S | sed 2d | sed 's/be brief/be long/' |
	    store view put S model
	echo '{"step":1}' | store checkpoint put --id one --meta '{"by":"hand"}' S >out
	echo '{"step":2}' | store checkpoint put --id two S >out
	store fork --head --at one S >out
	echo '{"user_id":"ann","loops":3}' | store state merge S
	echo '{"theme":"dark"}' | store state merge --user ann
	echo '{"k":"context"}' | store state merge -c try S
	agent=$(store spawn S --task 'find it' --call c2 --as name)
	echo '{"role":"assistant","content":"found"}' | store append "$agent"
	echo "${agent#S/}" >agent
	echo '{"summary":"so far","upto":2}' | store summary put -c main S
	echo 'what I know' |
	    store memory put -c main --turn 1 --summary one --insight 'x is y' S
	seq 1 20000 | store memory put -c main --turn 2 --name later --link ctx_1 S
	echo 'print(1)' | store code put --syntax python --desc prints S code_1 >out
	echo 'print(2)' | store code put --syntax python S code_1 >out
	echo 'a,b' >data.csv
	store upload put S data.csv >out
	echo '{"role":"assistant","parts":[{"type":"tool-read","toolCallId":"c3","state":"output-available","input":{},"output":"sessions"}]}' |
	    store append P
	echo '{"role":"user","content":"pinned"}' | store append P
	store keep P
	sqlite3 lg <<-'X'
	CREATE TABLE checkpoints(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB);
	CREATE TABLE writes(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB);
	INSERT INTO checkpoints VALUES('lg','','1',NULL,'json','{"v":1}','{"step":0}');
	INSERT INTO writes VALUES('lg','','1','task',0,'messages','json','"x"');
	X
	store import -q --from langgraph lg
	store check -q --full
}

# Real vectors come from an endpoint; here, one row for each message is enough.
with_vectors() {
	sqlite3 "$CTX_DB" "INSERT INTO vector_model VALUES(1, 'm', 2);
	    INSERT INTO vector SELECT id, 1, x'0102' FROM message;"
}

@test "damage: a missing table or row is reported by each command, and none crashes" {
	everything
	with_vectors
	store vacuum -q
	tab=$(printf '\t')
	sed "s/ << /$tab/; s/AGENT/$(cat agent)/; s|HERE|$T|" >commands <<-'X'
	append S << {"role":"user","content":"more"}
	append --view seen -c main S << {"id":"m1","role":"user","content":"上下文管理 and sessions"}
	append --parent main@2 -c new S << {"role":"user","content":"more"}
	append T << {"role":"user","content":"more"}
	append P << {"role":"user","content":"more"}
	append S/AGENT << {"role":"user","content":"more"}
	load S
	load -c main S
	load -c try S
	load --with-parent S/AGENT
	load --idle 1d S
	load --view model S
	load --at one S
	load --turns 1 S
	load @last
	threads
	users
	contexts S
	contexts --tree S
	status --tokens S
	keep S
	rm S
	rm -c try S
	rm S/AGENT P
	checkpoint put S << {"step":3}
	checkpoint put -c main --id two S << {"step":2}
	checkpoint get -c main S two
	checkpoint get S
	checkpoint list -c main S
	checkpoint diff -c main S one two
	checkpoint rm S one
	fork --at two S
	fork --head --at two S
	view put S model << {"role":"user","content":"x"}
	view get -c main S seen
	view get S model
	view list -c main S
	view rm S model
	state get S
	state get -c try S
	state get S/AGENT
	state get --user ann
	state put S << {"user_id":"bob"}
	state put --user ann << {"theme":"light"}
	state rm S
	state merge S << {"loops":4}
	state merge S/AGENT << {"loops":4}
	summary put -c main S << {"summary":"later"}
	summary get -c main S
	summary list -c main S
	summary rm -c main S
	spawn S --task more
	spawn S/AGENT --task more
	finish S/AGENT
	finish --as message S/AGENT
	workspace S
	prune --older-than 1s
	prune --checkpoints --older-than 1s
	check
	check --full
	backup OUT
	vacuum
	migrate
	export
	export --to langgraph OUT
	export --only memory
	import HERE/whole
	search context
	search --in all find
	search --thread S --around 1 sessions
	search --tool read sessions
	reindex
	reindex --all
	memory put --turn 9 S << new
	memory put -c main --turn 1 S << what I know
	memory get -c main --turns 1-2 S
	memory list -c main S
	memory list -c main --match know S
	memory get --summaries -c main S
	memory rm -c main S ctx_1
	code put --syntax python S code_1 << print(3)
	code get S code_1
	code list S
	code rm S code_1
	code extract S << {"role":"assistant","content":"```python\nprint(4)\nprint(5)\n```"}
	code expand S << {"role":"assistant","content":"<code_ref>code_1</code_ref>"}
	upload put S HERE/data.csv
	upload get S data.csv
	upload list S
	upload rm S data.csv
	new X
	relevant --question sessions -t 1000 S
	recover HERE/db OUT
	embed --url http://127.0.0.1:1 --tries 1 P
	X
	store export >whole
	some 24 32
	export DAMAGE_STEP=$some
	timeout 900 python3 "$ROOT/tests/damage.py" "$BUILD/ctx-store" db \
	    commands "${FAULT_ROUNDS:-1}" "${FAULT_SEED:-7}"
}

@test "damage: contents with a wrong length or kind are damaged, not read past the end" {
	local change

	for change in 'size = 0' 'size = 1' 'size = 1 << 40' 'size = 1 << 20' \
	    'kind = 0' 'kind = 2 - kind' "data = x''" 'data = NULL' \
	    "hash = x'00'" "hash = x''"; do
		rm -f db*
		printf '{"role":"tool","content":"%040000d"}\n' 7 | store append S
		# Contents 1 have parts, of which 2 is the first.
		case $change in hash*) id=1 ;; *) id=2 ;; esac
		sqlite3 db "UPDATE body SET $change WHERE id = $id"
		exits 4 store load S
		says '*damaged*'
		silent
		exits 4 store check --full
	done
}

@test "damage: a NUL in a role or an id is found, and changes no line" {
	local column

	for column in role mid; do
		rm -f db*
		echo '{"id":"m1","role":"user","content":"hi"}' >in
		store append S <in
		sqlite3 db "UPDATE message SET $column = $column || char(0) || 'x'"
		exits 0 store load S
		same out in
		exits 4 store check --full
	done
}

@test "damage: a missing part of a memory is reported by all commands that read it" {
	store append S <<<'{"role":"user","content":"x"}'
	printf 'one\n' >a
	printf 'two\n' >b
	printf 'three\n' >c
	store memory put --turn 1 --name n --link l1 --link l2 --link l3 S a b c
	exits 0 store check
	cp db sound
	for table in part link; do
		cp sound db
		sqlite3 db "DELETE FROM snapshot_$table WHERE pos = 1"
		if [ $table = part ]; then
			exits 4 store memory get --turns 1 S
		else
			exits 4 store memory list S
		fi
		says '*damaged: a part of a memory is missing*'
		silent
		exits 4 store check
		wrote '{"finding":"thread '"'S'"': a part of a memory is missing"}'
		exits 4 store export
		rm -f new*
		exits 1 store recover db new
		wrote '{"thread_id":"S","lost":"1 row before snapshot_'$table' context 0 turn 1 snapshot n pos 2"}'
		exits 0 store --db new check --full
	done
	exits 0 store --db new memory list S
	[ "$(jq -c .links out)" = '["l1","l3"]' ]
	cp sound db
	sqlite3 db "DELETE FROM snapshot_part WHERE pos = 1"
	rm -f new*
	exits 1 store recover db new
	exits 0 store --db new memory get --turns 1 S
	wrote one three
}

@test "damage: check finds whatever makes export fail" {
	local n=0 t

	everything
	cp db sound
	for t in thread context view_part snapshot snapshot_part ckpt message; do
		cp sound db
		sqlite3 db "DELETE FROM $t WHERE rowid = (SELECT min(rowid) FROM $t)" ||
		    sqlite3 db "DELETE FROM $t"
		code=0
		store export >out 2>err || code=$?
		if [ "$code" -eq 4 ]; then
			exits 4 store check
			n=$((n + 1))
		fi
	done
	[ "$n" -ge 4 ]
}

# --- recover -------------------------------------------------------------------

# recovers OLD LOST...: assert that OLD is recovered to the store `new` with
# these losses.
recovers() {
	local old=$1

	shift
	rm -f new*
	exits $(($# > 0)) store recover "$old" new
	jq -r .lost out >lost
	printf '%s\n' "$@" | sed '/^$/d' >want
	same lost want
	exits 0 store --db new check --full
}

@test "recover: an undamaged store is recovered unchanged" {
	everything
	store export >old.jsonl
	recovers db
	store --db new export >new.jsonl
	same new.jsonl old.jsonl
	exits 2 store recover db new
	says '*new already exists; recover writes to a new file*'
	exits 1 store recover none other
	exits 2 store recover db
	[ ! -e other ]
}

@test "recover: a thread that the new store does not take is one loss" {
	printf '{"role":"user","content":"%070000d"}\n' 7 >long
	for n in a b c d; do
		store append $n long
	done
	echo '{"role":"user","content":"bare"}' | store append a
	sqlite3 db "UPDATE thread SET name = '@last' WHERE name = 'b';
	    UPDATE message SET role = CAST(x'75ff' AS TEXT) WHERE json LIKE '%bare%'"
	rm -f new*
	exits 1 store recover db new
	wrote '{"thread_id":"a","lost":"a thread: not UTF-8"}' \
	    '{"thread_id":"@last","lost":"a thread: '"'@last'"' cannot be the name of a thread"}'
	says '*recovered 2 threads, 2 messages*'
	exits 0 store --db new threads --as names
	wrote d c
	for n in c d; do
		exits 0 store --db new load $n
		same out long
	done
	exits 0 store --db new check --full
}

@test "recover: an export with a gap fails, and names the command that helps" {
	local n

	for n in 1 2 3 4 5; do
		echo "{\"role\":\"user\",\"content\":\"$n\"}"
	done >in
	store append before in
	store append S in
	store append after in
	sqlite3 db "DELETE FROM message WHERE seq = 3 AND thread = 2"
	exits 4 store export
	says "*damaged: thread 'S': messages are missing"
	says "*'ctx-store recover OLD NEW' saves what is undamaged to a new store*"
	if grep -q '"row":"end"' out; then false; fi
	cp out cut
	exits 4 store export S
	exits 0 store export before
	exits 3 store --db cut.db import cut
	exits 0 store --db cut.db threads
	silent
	recovers db 'message 3 of context 0'
	exits 0 store --db new load S
	sed 3d in >want
	same out want
	for n in before after; do
		exits 0 store --db new load $n
		same out in
	done
	exits 0 store --db new append --expect-seq 5 S <<<'{"role":"user","content":"on"}'
	exits 0 store --db new export
}

@test "recover: messages after a gap move up, and references to them are adjusted" {
	local n

	for n in 1 2 3 4 5 6 7 8; do
		echo "{\"id\":\"m$n\",\"role\":\"user\",\"content\":\"$n\"}"
	done >in
	store append S in
	store append -c fork --parent main@6 S <<<'{"role":"user","content":"f7"}'
	sed -n 1,2p in | store view put S first
	sed -n 6,8p in | store view put S later
	sed -n 2,5p in | store view put S hole
	echo '{"at":8}' | store checkpoint put --id eight S >out
	sqlite3 db "UPDATE message SET crc = crc + 1 WHERE mid = 'm4'; DELETE FROM message WHERE mid = 'm3';"
	recovers db 'messages 3 to 4 of context 0' 'view context 0 name hole n 1' \
	    'view_part context 0 name hole n 1 pos 0'
	exits 0 store --db new load S
	sed 3,4d in >want
	same out want
	exits 0 store --db new load -c fork S
	{ sed -n '1,2p; 5,6p' in; echo '{"role":"user","content":"f7"}'; } >want
	same out want
	exits 0 store --db new view get S first
	sed -n 1,2p in >want
	same out want
	exits 0 store --db new view get S later
	sed -n 6,8p in >want
	same out want
	exits 1 store --db new view get S hole
	exits 0 store --db new load --at eight S
	sed 3,4d in >want
	same out want
	exits 0 store --db new checkpoint get S eight
	wrote '{"at":8}'
}

@test "recover: undamaged items of every kind are kept, and damaged ones are named" {
	everything
	seq 1 30000 | store memory put -c main --turn 3 S
	echo '{"note":"short"}' | store state merge S
	sqlite3 db "UPDATE body SET data = x'00' WHERE id IN
	    (SELECT body FROM state WHERE key = 'loops'
	    UNION SELECT state FROM ckpt WHERE name = 'one'
	    UNION SELECT body FROM file WHERE kind = 'code' AND version = 1
	    UNION SELECT body FROM summary
	    UNION SELECT body FROM user_state
	    UNION SELECT max(part) FROM body_part WHERE body = (SELECT body
	    FROM snapshot_part WHERE turn = 3))"
	exits 4 store export
	exits 1 store recover db new
	jq -r .lost out | LC_ALL=C sort >lost
	printf '%s\n' \
	    'ckpt context 0 n 1' 'ckpt context 2 n 1' \
	    'file kind code name code_1 version 1' \
	    'snapshot_part context 0 turn 3 snapshot ctx_3 pos 0' \
	    'state context -1 key loops' 'state context 3 key loops' \
	    'summary context 0 n 1' \
	    'user_state key theme' | LC_ALL=C sort >want
	same lost want
	exits 0 store --db new check --full
	exits 0 store --db new export
	for command in 'load S' 'load -c main S' 'load -c try S' 'load P' \
	    'view get -c main S seen' 'view get S model' \
	    'checkpoint get -c main S two' 'memory get -c main --turns 1 S' \
	    'memory get -c main --turns 2 S' 'code get S code_1' \
	    'upload get S data.csv' 'state get -c try S k' \
	    'state get S note' "load S/$(cat agent)" "state get S/$(cat agent) context_id"; do
		# shellcheck disable=SC2086
		store $command >want
		# shellcheck disable=SC2086
		exits 0 store --db new $command
		same out want
	done
	exits 1 store --db new state get S loops
	exits 1 store --db new summary get -c main S
}

@test "recover: contexts and threads whose contents are all that is left" {
	everything
	store load -c try S >try
	tail -n 1 try >try.own
	store load P >pinned
	sqlite3 db "DELETE FROM context WHERE name = 'try';
	    DELETE FROM thread WHERE name = 'P'"
	exits 4 store export
	says '*damaged*'
	exits 1 store recover db new
	jq -r '"\(.thread_id): \(.lost)"' out >lost
	printf '%s\n' 'S: the name and the parent of context 1' \
	    'recovered~2: the name of a thread' | cmp - lost
	exits 0 store --db new check --full
	exits 0 store --db new load -c recovered~1 S
	same out try.own
	exits 0 store --db new state get -c recovered~1 S k
	wrote '"context"'
	exits 0 store --db new load recovered~2
	same out pinned
	exits 0 store --db new export
}

# spoil TEXT: overwrite the page of the store that contains it with zeros.
spoil() {
	local at size

	size=$(sqlite3 db 'PRAGMA page_size')
	at=$(grep -abo "$1" db | head -n 1 | cut -d: -f1)
	dd if=/dev/zero of=db bs="$size" count=1 seek=$((at / size)) \
	    conv=notrunc status=none
}

# many FROM TO WORD: print messages of about 480 bytes without a pattern, which
# compress to half of that.
many() {
	awk -v from="$1" -v to="$2" -v word="$3" 'BEGIN { for (i = from; i <= to; i++) {
	    printf "{\"role\":\"user\",\"content\":\"%s %d ", word, i
	    x = i * 7919 % 65521 + 1
	    for (k = 0; k < 110; k++) { x = x * 17364 % 65521; printf "%04x", x }
	    print "\"}" } }'
}

# spoil_bundle WORD...: overwrite a page in the middle of the lines of the newest
# bundle of thread $1 that begins before message $2.
spoil_bundle() {
	sqlite3 db "SELECT hex(substr(data, length(data) / 2, 32)) FROM bundle
	    WHERE thread = (SELECT id FROM thread WHERE name = '$1') AND
	    context = 0 AND first <= $2 ORDER BY first DESC LIMIT 1" >hex
	python3 -c 'import sys
f = open("db", "r+b")
at = f.read().index(bytes.fromhex(open("hex").read()))
f.seek(at - at % int(sys.argv[1]))
f.write(bytes(int(sys.argv[1])))' "$(sqlite3 db 'PRAGMA page_size')"
}

@test "recover: only the contents of an unreadable page are lost" {
	many 1 600 S >s
	store append S <s
	many 601 700 F >fork
	store append --parent main@600 -c fork S <fork
	many 1 100 T >whole
	store append T <whole
	sqlite3 db 'PRAGMA wal_checkpoint(TRUNCATE)' >out
	spoil_bundle S 300
	exits 1 store recover db new
	jq -r '"\(.thread_id): \(.lost)"' out >lost
	grep -Eqx 'S: messages [0-9]+ to [0-9]+ of context 0' lost
	[ "$(wc -l <lost)" = 1 ]
	from=$(sed 's/.*messages \([0-9]*\) .*/\1/' lost)
	to=$(sed 's/.* to \([0-9]*\) .*/\1/' lost)
	[ "$from" -le 300 ]
	[ "$to" -ge 300 ]
	# 64 KB of lines are compressed together.
	[ $((to - from)) -lt 140 ]
	exits 0 store --db new load T
	same out whole
	exits 0 store --db new load -c main S
	sed "$from,${to}d" s >want
	same out want
	exits 0 store --db new load -c fork S
	cat fork >>want
	same out want
	exits 0 store --db new check --full
}

@test "recover: without the pages with names, messages are kept under new names" {
	many 1 20 S >whole
	store append a-thread-of-ours <whole
	store append --parent main@20 -c a-fork-of-ours a-thread-of-ours <<<'{"n":1}'
	sqlite3 db 'PRAGMA wal_checkpoint(TRUNCATE)' >out
	cp db good
	for name in thread context; do
		cp good db
		page=$(sqlite3 db "SELECT rootpage FROM sqlite_schema
		    WHERE name = '$name'")
		dd if=/dev/zero of=db bs="$(sqlite3 db 'PRAGMA page_size')" \
		    count=1 seek=$((page - 1)) conv=notrunc status=none
		rm -f new*
		exits 1 store recover db new
		[ -s out ]
		exits 0 store --db new threads
		thread=$(jq -r .thread_id out)
		exits 0 store --db new load -c main "$thread"
		same out whole
		exits 0 store --db new check --full
	done
}
