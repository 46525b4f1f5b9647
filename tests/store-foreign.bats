# ctx-store import and export: the files of other programs.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

# --- LangGraph -------------------------------------------------------------------

# rows FILE: print all rows of a checkpoint file, sorted.
rows() {
	sqlite3 "$1" "SELECT thread_id, checkpoint_ns, checkpoint_id,
	    quote(parent_checkpoint_id), quote(type), quote(checkpoint),
	    quote(metadata) FROM checkpoints ORDER BY 1, 2, 3;
	    SELECT thread_id, checkpoint_ns, checkpoint_id, task_id, idx,
	    channel, quote(type), quote(value) FROM writes
	    ORDER BY 1, 2, 3, 4, 5"
}

# langgraph VERB FILE: run SqliteSaver itself; skip the test if it is missing.
langgraph() {
	[ -n "${CTX_LANGGRAPH_NODE_MODULES:-}" ] && command -v node >/dev/null ||
	    skip "no LangGraph.js (CTX_LANGGRAPH_NODE_MODULES)"
	[ -e node_modules ] || {
		cp "$ROOT/tests/langgraph.mjs" .
		ln -s "$CTX_LANGGRAPH_NODE_MODULES" node_modules
	}
	node langgraph.mjs "$@"
}

# Make a file with every kind of row: JSON and MessagePack, metadata in either
# form, no type, namespaces, two roots in a thread, NULL and empty values,
# bytes, and channels with fixed negative positions.
a_checkpoint_file() {
	sqlite3 "$1" <<-'X'
	CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
	CREATE TABLE writes (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL, idx INTEGER NOT NULL, channel TEXT NOT NULL, type TEXT, value BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));
	INSERT INTO checkpoints VALUES
	    ('t','','1',NULL,'json',CAST('{ "v":1 }' AS BLOB),CAST('{"step":0}' AS BLOB)),
	    ('t','','2','1','msgpack',x'81a17602',CAST('{}' AS BLOB)),
	    ('t','','3','2','msgpack',x'81a176cb3ff0000000000000',x'81a47374657001'),
	    ('t','','4',NULL,NULL,CAST('{"v":1.50}' AS BLOB),NULL),
	    ('t','child:1','2','1','json',CAST('{"v":1}' AS BLOB),x''),
	    ('u','','1',NULL,'json',CAST('{"v":1,"ts":"2025-01-02T03:04:05.678901+00:00"}' AS BLOB),CAST('{"step":0}' AS BLOB));
	INSERT INTO writes VALUES
	    ('t','','2','task',0,'messages','json',CAST('"x" ' AS BLOB)),
	    ('t','','2','task',-3,'__interrupt__','msgpack',x'91a179'),
	    ('t','','2','task',1,'raw','bytes',x'00ff00'),
	    ('t','','2','other',0,'branch:to:a','null',x''),
	    ('t','child:1','2','task',0,'none',NULL,NULL);
	X
}

@test "foreign: LangGraph's checkpoints are exported as they were imported, row for row" {
	a_checkpoint_file lg.db
	exits 0 ctx-store import --from langgraph lg.db
	exits 0 ctx-store checkpoint get t 3
	[ "$(cat out)" = '{"v":1}' ]
	exits 0 ctx-store export --to langgraph out.db
	says "*wrote 6 checkpoints of 2 threads"
	rows lg.db >want
	rows out.db >got
	same got want
	exits 0 ctx-store checkpoint list u
	[ "$(jq -r .created_at out)" = 2025-01-02T03:04:05.678901Z ]
	# Importing again adds nothing, and an export as lines carries
	# everything.
	exits 0 ctx-store import --from langgraph lg.db
	ctx-store export >lines
	exits 0 ctx-store --db two import lines
	exits 0 ctx-store --db two export --to langgraph two.db
	rows two.db >got
	same got want
	exits 0 ctx-store export --to langgraph one.db u
	rows one.db >got
	grep '^u' want >u
	same got u
	[ "$(mode_of out.db)" = 600 ]
	exits 0 ctx-store check --full
}

@test "foreign: LangGraph's writes that changed are imported as its savers would have them" {
	a_checkpoint_file lg.db
	ctx-store import -q --from langgraph lg.db
	# a special channel is replaced
	sqlite3 lg.db "UPDATE writes SET value = x'91a17a' WHERE idx = -3"
	exits 0 ctx-store import --from langgraph lg.db
	exits 0 ctx-store export --to langgraph out.db
	rows lg.db >want
	rows out.db >got
	same got want
	exits 0 ctx-store check --full
	# another write never changes
	for set in "value = x'01'" "type = 'null'" "channel = 'other'" 'value = NULL'; do
		cp lg.db changed.db
		sqlite3 changed.db "UPDATE writes SET $set WHERE channel = 'raw'"
		exits 3 ctx-store import --from langgraph changed.db
		says "*a write of checkpoint '2' already exists with other contents"
	done
}

@test "foreign: an existing file is not replaced, and a failure leaves no file" {
	a_checkpoint_file lg.db
	ctx-store import -q --from langgraph lg.db
	cp lg.db before
	exits 4 ctx-store export --to langgraph lg.db
	says "*lg.db: File exists"
	same lg.db before
	exits 4 ctx-store export --to langgraph no/such/folder.db
	exits 1 ctx-store export --to langgraph out.db t nope
	exits 2 ctx-store export --to langgraph
	exits 2 ctx-store export --to other out.db
	[ "$(ls -d out.db* 2>/dev/null)" = '' ]
}

@test "foreign: forks and subagents in LangGraph's file" {
	a_checkpoint_file lg.db
	ctx-store import -q --from langgraph lg.db
	# A fork repeats its first checkpoint and the writes of that one.
	ctx-store fork --head --at 2 t >/dev/null
	echo '{"v":9}' | ctx-store checkpoint put --id 9 t >/dev/null
	agent=$(ctx-store spawn t --task x | jq -r .context_id)
	echo '{"v":8}' | ctx-store checkpoint put --id 8 "t/$agent" >/dev/null
	exits 0 ctx-store export --to langgraph out.db t
	says "*wrote 7 checkpoints*"
	rows lg.db | grep '^t' >want
	sqlite3 out.db "DELETE FROM checkpoints WHERE checkpoint_id IN ('8','9') RETURNING thread_id, parent_checkpoint_id" >new
	rows out.db >got
	same got want
	printf '%s\n' 't|2' "$agent|" >want
	same new want
	# The file has no place for two checkpoints with the same name.
	echo '{"other":1}' | ctx-store checkpoint put --id 9 -c main t >/dev/null
	exits 3 ctx-store export --to langgraph clash.db t
	says "*checkpoint '9' exists in two contexts*"
}

@test "foreign: our own checkpoints become LangGraph's" {
	echo '{"n":1,"x":[1.0]}' | ctx-store checkpoint put --id a S >/dev/null
	echo '"text"' | ctx-store checkpoint put --id b --meta '{"step":7}' S >/dev/null
	ctx-store checkpoint put --id c S </dev/null >/dev/null
	echo '{"v":4,"id":"d","channel_values":{"k":1}}' |
	    ctx-store checkpoint put --id d S >/dev/null
	exits 0 ctx-store export --to langgraph out.db
	sqlite3 out.db "SELECT checkpoint_id, parent_checkpoint_id, type, json_extract(checkpoint, '$.id'), json_extract(checkpoint, '$.channel_values'), json_valid(checkpoint) FROM checkpoints ORDER BY 1" >got
	cat >want <<-'X'
	a||json|a|{"n":1,"x":[1.0]}|1
	b|a|json|b|{"state":"text"}|1
	c|b|json|c|{}|1
	d|c|json|d|{"k":1}|1
	X
	same got want
	sqlite3 out.db "SELECT metadata FROM checkpoints ORDER BY checkpoint_id" >got
	printf '%s\n' '{"source":"update","step":1,"parents":{}}' '' '{"step":7}' \
	    '{"source":"update","step":3,"parents":{}}' '' \
	    '{"source":"update","step":4,"parents":{}}' '' >want
	same got want
	langgraph read out.db >read
	jq -c '[.checkpoint.id, .checkpoint.channel_values, .parentConfig.configurable.checkpoint_id]' read >got
	printf '%s\n' '["d",{"k":1},"c"]' '["c",{},"b"]' \
	    '["b",{"state":"text"},"a"]' '["a",{"n":1,"x":[1]},null]' \
	    '["d",{"k":1},"c"]' >want
	same got want
}

@test "foreign: SqliteSaver reads from our file what it wrote into its own" {
	langgraph make lg.db
	exits 0 ctx-store import --from langgraph lg.db
	exits 0 ctx-store export --to langgraph out.db
	rows lg.db >want
	rows out.db >got
	same got want
	langgraph read lg.db >want
	langgraph read out.db >got
	[ "$(wc -l <want)" -gt 20 ]
	same got want
}

@test "foreign: a checkpoint without a parent has none" {
	echo '{}' | ctx-store checkpoint put --id a S >/dev/null
	echo '{}' | ctx-store checkpoint put --id b --parent '' S >/dev/null
	exits 0 ctx-store checkpoint list S
	jq -c .parent_checkpoint_id out >got
	printf '%s\n' null null >want
	same got want
}

# --- llm -------------------------------------------------------------------------

# The conversation in 0.31.sql, one message on each line.
an_old_conversation() {
	cat <<-'X'
	{"role":"system","content":"be brief\n\nand kind"}
	{"role":"user","content":"a novel\nsum it up","timestamp":"2025-06-01T10:00:00"}
	{"role":"assistant","content":"","reasoning_content":"hm","tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{\"at\": 1}"}}],"timestamp":"2025-06-01T10:00:00"}
	{"role":"tool","content":[{"type":"text","text":"42"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}],"tool_call_id":"call_1"}
	{"role":"assistant","content":"done","timestamp":"2025-06-01T10:00:01"}
	{"role":"user","content":[{"type":"text","text":"and these?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}},{"type":"image_url","image_url":{"url":"https://example.com/b.jpg"}},{"type":"file","file":{"filename":"/tmp/c.wav"}}],"timestamp":"2025-06-01T10:00:02"}
	{"role":"assistant","content":"a cat","timestamp":"2025-06-01T10:00:02"}
	X
}

@test "foreign: llm up to 0.31: fragments, attachments, reasoning, tools" {
	sqlite3 llm.db <"$DATA/llm/0.31.sql"
	exits 0 ctx-store import --from llm llm.db
	an_old_conversation >want
	exits 0 ctx-store load old
	same out want
	exits 0 ctx-store load old
	cp out made
	exits 0 ctx-clean --check made
}

@test "foreign: a system prompt of llm that changes is written where it does" {
	sqlite3 llm.db <<-'X'
	CREATE TABLE responses(id TEXT, model TEXT, prompt TEXT, system TEXT, response TEXT, conversation_id TEXT, datetime_utc TEXT);
	INSERT INTO responses VALUES
	  ('r1','m','one','brief','1','c','2025-06-01'), ('r2','m','two','brief','2','c','2025-06-02'),
	  ('r3','m','three','long','3','c','2025-06-03'), ('r4','m','four','','4','c','2025-06-04'),
	  ('r5','m','five','long','5','c','2025-06-05'), ('r6','m','six','brief','6','c','2025-06-06'),
	  ('s1','m','other','brief','7','d','2025-06-01');
	X
	exits 0 ctx-store import --from llm llm.db
	ctx-store load c | jq -r .content | tr '\n' ' ' >got
	printf 'brief one 1 two 2 long three 3 four 4 five 5 brief six 6 ' | cmp - got
	ctx-store load c | jq -r 'select(.role == "system").content' >out
	wrote brief long brief
	ctx-store load d | jq -r .role >out
	wrote system user assistant
}

@test "foreign: llm 0.32: threads are branches of a tree" {
	(cd "$DATA/llm" && sqlite3 "$T/llm.db" <0.32.sql)
	exits 0 ctx-store import --from llm llm.db
	says "*imported 4 threads, 26 messages*"
	cat >want <<-'X'
	{"role":"system","content":"be brief"}
	{"role":"user","content":"Read a novel\n读完了吗"}
	{"role":"assistant","content":"I look.","reasoning_content":"hm","tool_calls":[{"id":"call_9","type":"function","function":{"name":"look","arguments":"{\"z\":1.0,\"a\":\"b\"}"}},{"id":"call_8","type":"function","function":{"name":"look","arguments":"{}"}}],"timestamp":"2026-08-05 07:00:01+00:00"}
	{"role":"tool","content":"42","tool_call_id":"call_9"}
	{"role":"tool","content":[{"type":"text","text":"a picture"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}],"tool_call_id":"call_8"}
	{"role":"assistant","content":"A cat.","timestamp":"2026-08-05 07:00:02+00:00"}
	{"role":"user","content":[{"type":"text","text":"And?"},{"type":"image_url","image_url":{"url":"https://example.com/b.jpg"}}]}
	{"role":"assistant","content":[{"type":"text","text":"One."},{"type":"text","text":"Two."}],"timestamp":"2026-08-05 07:00:03+00:00"}
	X
	exits 0 ctx-store load t1
	same out want
	cp out made
	exits 0 ctx-clean --check made
	exits 0 ctx-store load t2
	[ "$(wc -l <out)" = 7 ]
	[ "$(tail -n 1 out)" = '{"role":"user","content":"Another way."}' ]
	# A conversation from an old version is its thread, if it has one.
	exits 0 ctx-store load went-on
	jq -r .content out >got
	printf '%s\n' hi hello bye 'see you' >want
	same got want
	an_old_conversation >want
	exits 0 ctx-store load old
	same out want
	# After the thread was continued, importing it again adds what is new.
	sqlite3 llm.db "INSERT INTO messages VALUES('b2:e','b2:d','user',NULL);
	    INSERT INTO parts(message_hash, position, type, text) VALUES('b2:e',0,'text','more');
	    UPDATE threads SET tip_message_hash = 'b2:e' WHERE id = 'went-on'"
	exits 0 ctx-store import --from llm llm.db
	says "*, 1 message*"
}

@test "foreign: thousands of messages in llm's databases take almost no time" {
	sqlite3 old.db <"$DATA/llm/0.31.sql"
	sqlite3 old.db "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1
	    FROM n WHERE i < 20000) INSERT INTO responses(id, conversation_id,
	    prompt, response, datetime_utc) SELECT 'x' || i, 'many', 'p', 'a',
	    '2026-01-01T00:00:00' FROM n;
	    INSERT INTO tool_calls(response_id, name, tool_call_id)
	    SELECT id, 'f', id FROM responses WHERE conversation_id = 'many';
	    INSERT INTO tool_results(response_id, output, tool_call_id)
	    SELECT id, 'o', id FROM responses WHERE conversation_id = 'many'"
	exits 0 timeout "$DEADLINE" ctx-store import --from llm old.db
	exits 0 ctx-store load many
	[ "$(wc -l <out)" = 60000 ]
	(cd "$DATA/llm" && sqlite3 "$T/new.db" <0.32.sql)
	sqlite3 new.db "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1
	    FROM n WHERE i < 20000) INSERT INTO messages(hash, parent_hash, role)
	    SELECT 'h' || i, CASE WHEN i > 1 THEN 'h' || (i - 1) END, 'user'
	    FROM n; INSERT INTO threads(id, tip_message_hash)
	    VALUES('tree', 'h20000');
	    INSERT INTO turns(id, thread_id, tip_message_hash) SELECT hash,
	    'tree', hash FROM messages WHERE hash LIKE 'h%';
	    INSERT INTO parts(message_hash, position, type, text, payload)
	    SELECT hash, 0, 'text', 'x', '{}' FROM messages
	    WHERE hash LIKE 'h%'"
	exits 0 timeout "$DEADLINE" ctx-store import --from llm new.db
	exits 0 ctx-store load tree
	[ "$(wc -l <out)" = 20000 ]
}

@test "foreign: a cycle or a gap in llm's tree is reported, not followed" {
	(cd "$DATA/llm" && sqlite3 "$T/llm.db" <0.32.sql)
	sqlite3 llm.db "UPDATE messages SET parent_hash = 'b2:7' WHERE hash = 'b2:1'"
	exits 3 timeout "$DEADLINE" ctx-store import --from llm llm.db
	says "*the beginning of a thread is missing"
	sqlite3 llm.db "UPDATE messages SET parent_hash = 'gone' WHERE hash = 'b2:1'"
	exits 3 ctx-store import --from llm llm.db
	says "*the beginning of a thread is missing"
}

# --- names -----------------------------------------------------------------------

@test "foreign: an imported session is never mistaken for an existing one" {
	echo '{"n":1}' | ctx-store append T
	agent=$(ctx-store spawn --as name --task t T)
	a_checkpoint_file lg.db
	for name in @last "$agent"; do
		rm -f a.db
		sqlite3 a.db "CREATE TABLE agent_messages(id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT);
		    INSERT INTO agent_messages VALUES(1,'$name','{\"n\":1}'),(2,'$name','{\"n\":2}')"
		exits 3 ctx-store import --from openai-agents a.db
		says "*'$name' cannot be the name of a thread"
		sqlite3 lg.db "UPDATE checkpoints SET thread_id = '$name' WHERE thread_id <> 'u'"
		exits 3 ctx-store import --from langgraph lg.db
		says "*'$name' cannot be the name of a thread"
		sqlite3 lg.db "UPDATE checkpoints SET thread_id = 't' WHERE thread_id <> 'u'"
		printf '{"type":"user","sessionId":"%s","uuid":"1","message":{"role":"user","content":"x"}}\n' \
		    "$name" >s.jsonl
		exits 3 ctx-store import --from claude-code s.jsonl
		printf '%s\n' '{"row":"ctx-store","version":1}' \
		    "{\"row\":\"thread\",\"name\":\"$name\",\"head\":0,\"created\":\"2025-01-01T00:00:00Z\",\"updated\":\"2025-01-01T00:00:00Z\",\"pinned\":0}" \
		    '{"row":"end","lines":3}' >lines
		exits 3 ctx-store import lines
		says "*'$name' cannot be the name of a thread"
	done
	exits 0 ctx-store load T
	[ "$(cat out)" = '{"n":1}' ]
	exits 0 ctx-store threads
	[ "$(wc -l <out)" = 1 ]
}

@test "foreign: a NULL in any column of another program's file causes no crash" {
	local kind table column file

	for kind in langgraph openai-agents llm; do
		rm -f whole
		case $kind in
		langgraph) sqlite3 whole <<-'X'
			CREATE TABLE checkpoints(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB);
			CREATE TABLE writes(thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER, channel TEXT, type TEXT, value BLOB);
			INSERT INTO checkpoints VALUES('lg','','1',NULL,'json','{"v":1}','{"step":0}'),('lg','','2','1','json','{"v":1}','{}');
			INSERT INTO writes VALUES('lg','','2','task',0,'messages','json','"x"');
			X
			;;
		openai-agents) sqlite3 whole <<-'X'
			CREATE TABLE agent_sessions(session_id TEXT);
			CREATE TABLE agent_messages(id INTEGER, session_id TEXT, message_data TEXT, created_at TEXT);
			INSERT INTO agent_sessions VALUES('s');
			INSERT INTO agent_messages VALUES(1,'s','{"role":"user","content":"hi"}','x'),(2,'s','{"role":"assistant","content":"yes"}','x');
			X
			;;
		llm) sqlite3 whole <<-'X'
			CREATE TABLE conversations(id TEXT, name TEXT, model TEXT);
			CREATE TABLE responses(id TEXT, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT, options_json TEXT, response TEXT, response_json TEXT, conversation_id TEXT, duration_ms INTEGER, datetime_utc TEXT);
			INSERT INTO conversations VALUES('c','n','m');
			INSERT INTO responses VALUES('r','m','hi','s',NULL,'{}','yes','{}','c',1,'2024-01-01T00:00:00');
			X
			;;
		esac
		rm -f db*
		exits 0 ctx-store import --from $kind whole
		tables=$(sqlite3 whole "SELECT name FROM sqlite_schema")
		[ -n "$tables" ]
		for table in $tables; do
			columns=$(sqlite3 whole \
			    "SELECT name FROM pragma_table_info('$table')")
			for column in $columns; do
				rm -f db*
				cp whole other
				sqlite3 other "UPDATE $table SET $column = NULL"
				local rc=0
				ctx-store import --from $kind other \
				    >out 2>err || rc=$?
				case $rc in
				0 | 3) ;;
				*) echo "$kind: $table.$column: exit $rc"
				   cat err; return 1 ;;
				esac
			done
		done
	done
}
