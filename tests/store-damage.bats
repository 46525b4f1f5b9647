# ctx-store: stores with something missing.
#
# FAULT_ROUNDS says how many rows of each table are deleted in turn (default 1).

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db CTX_WORKSPACES=$T/w
}

store() { ctx-store "$@"; }

# everything: a store with a row in every table.
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
	echo '{"step":1}' | store ckpt put --id one --meta '{"by":"hand"}' S >out
	echo '{"step":2}' | store ckpt put --id two S >out
	store ckpt rollback S one >out
	echo '{"user_id":"ann","loops":3}' | store state merge S
	echo '{"theme":"dark"}' | store state merge --user ann
	echo '{"k":"context"}' | store state merge -c try S
	agent=$(store spawn S --task 'find it' --call c2 --as name)
	echo '{"role":"assistant","content":"found"}' | store append "$agent"
	echo "${agent#S/}" >agent
	echo '{"summary":"so far","upto":2}' | store summary put -c main S
	echo 'what I know' |
	    store remember -c main --turn 1 --summary one --insight 'x is y' S
	seq 1 20000 | store remember -c main --turn 2 --name later --link ctx_1 S
	echo 'print(1)' | store code put --lang python --desc prints S code_1 >out
	echo 'print(2)' | store code put --lang python S code_1 >out
	echo 'a,b' >data.csv
	store upload put S data.csv >out
	echo '{"role":"user","content":"pinned"}' | store append P
	store pin P
	sqlite3 lg <<-'X'
	CREATE TABLE checkpoints(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB);
	CREATE TABLE writes(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB);
	INSERT INTO checkpoints VALUES('lg','','1',NULL,'json','{"v":1}','{"step":0}');
	INSERT INTO writes VALUES('lg','','1','task',0,'messages','json','"x"');
	X
	store import -q --from langgraph lg
	store check -q --full
}

# Vectors come from an endpoint; a row of each will do here.
with_vectors() {
	sqlite3 "$CTX_DB" "INSERT INTO vector_model VALUES(1, 'm', 2);
	    INSERT INTO vector SELECT id, 1, x'0102' FROM message;"
}

@test "damage: a table emptied or gone, a row deleted: each command says so, none crashes" {
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
	load --turn 1 S
	load @last
	threads
	contexts S
	contexts --tree S
	status --tokens S
	pin S
	rm S
	rm -c try S
	rm S/AGENT P
	ckpt put S << {"step":3}
	ckpt put -c main --id two S << {"step":2}
	ckpt get -c main S two
	ckpt get S
	ckpt list -c main S
	ckpt diff -c main S one two
	ckpt rm S one
	ckpt fork S two
	ckpt rollback S two
	view put S model << {"role":"user","content":"x"}
	view get -c main S seen
	view get S model
	view list -c main S
	view rm S model
	state get S
	state get -c try S
	state get S/AGENT
	state get --user ann
	state set S << {"user_id":"bob"}
	state set --user ann << {"theme":"light"}
	state merge S << {"loops":4}
	state merge S/AGENT << {"loops":4}
	summary put -c main S << {"summary":"later"}
	summary get -c main S
	summary list -c main S
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
	memory export
	import HERE/whole
	search context
	search --in all find
	search --thread S --around 1 sessions
	reindex
	reindex --all
	remember --turn 9 S << new
	remember -c main --turn 1 S << what I know
	recall -c main --turns 1-2 S
	recall -c main --list S
	recall -c main --match know S
	memory summaries -c main S
	code put --lang python S code_1 << print(3)
	code get S code_1
	code list S
	code rm S code_1
	code extract S << {"role":"assistant","content":"```python\nprint(4)\nprint(5)\n```"}
	code expand S << {"role":"assistant","content":"<code_ref>code_1</code_ref>"}
	upload put S HERE/data.csv
	upload get S data.csv
	upload list S
	upload rm S data.csv
	relevant --to sessions -t 1000 S
	embed --url http://127.0.0.1:1 --tries 1 P
	X
	store export >whole
	timeout 900 python3 "$ROOT/tests/damage.py" "$BUILD/ctx-store" db \
	    commands "${FAULT_ROUNDS:-1}" "${FAULT_SEED:-7}"
}

@test "damage: contents whose length or kind is wrong are damaged, not read past their end" {
	local change

	for change in 'size = 0' 'size = 1' 'size = 1 << 40' 'kind = 1' \
	    "data = x''" 'data = NULL' "hash = x'00'" "hash = x''"; do
		rm -f db*
		printf '{"role":"tool","content":"%09000d"}\n' 7 | store append S
		sqlite3 db "UPDATE body SET $change"
		exits 4 store load S
		says '*damaged*'
		silent
		exits 4 store check --full
	done
}
