# ctx-store check finds and names each kind of damage.

setup_file() {
	load helpers
	export CTX_DB=$BATS_FILE_TMPDIR/good
	PATH=${BUILD:-$BATS_TEST_DIRNAME/../build}:$PATH
	{ printf '%s\n' '{"role":"user","content":"first"}' \
	    '{"id":"m2","role":"assistant","content":"second"}'
	printf '{"role":"user","content":"%040000d"}\n' 7; } | ctx-store append S
	ckpt=$(echo '{"x":1}' | ctx-store checkpoint put S | jq -r .checkpoint_id)
	ctx-store fork --name F --at "$ckpt" S
	echo '{"role":"user","content":"of the fork"}' | ctx-store append -c F S
	ctx-store check --full
}

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

# damaged SQL [STORE]: make db a good store on which the SQL was run.
damaged() {
	rm -f db*
	cp "${2:-$BATS_FILE_TMPDIR/good}" db
	python3 -c 'import sqlite3, sys
c = sqlite3.connect("db", isolation_level=None)
c.executescript("PRAGMA foreign_keys = OFF;" + sys.argv[1])' "$1"
}

first() {
	jq -r 'select(.finding) | .finding' out | head -n 1 >first
	printf '%s\n' "$1" >want
	same first want
}

# finds TEXT SQL: assert that TEXT is the first finding of check after the SQL.
finds() {
	damaged "$2" || return 1
	exits 4 ctx-store check || return 1
	first "$1"
}

# finds_full TEXT SQL [STORE]: the same for check --full; check alone must find
# nothing.
finds_full() {
	damaged "${@:2}" || return 1
	exits 0 ctx-store check || return 1
	exits 4 ctx-store check --full || return 1
	first "$1"
}

@test "check: a log without its first, a middle or its last message" {
	local m="thread 'S':"

	finds "$m a context has 2 messages instead of 3" \
	    'DELETE FROM message WHERE seq = 1'
	finds "$m a context has 2 messages instead of 3" \
	    'DELETE FROM message WHERE seq = 2'
	finds "$m a context has 2 messages instead of 3" \
	    'DELETE FROM message WHERE seq = 3'
	finds "$m a context has 0 messages instead of 3" \
	    'DELETE FROM message WHERE context = 0'
	finds "$m a context has 0 messages instead of 1" \
	    'DELETE FROM message WHERE context <> 0'
	finds "$m a context has 3 messages instead of 3" \
	    'UPDATE message SET seq = 9 WHERE seq = 3'
	finds "$m a context has 3 messages instead of 3" \
	    'UPDATE message SET seq = 0 WHERE seq = 1'
	finds "$m a context has 3 messages instead of 4" \
	    'UPDATE context SET next_seq = 5 WHERE id = 0'
}

@test "check: logs without a context, and rows that refer to missing ones" {
	finds "thread 'S': a context is missing" \
	    'INSERT INTO message SELECT 99, thread, 7, seq, NULL, role, turn, ts, tokens, json, body, crc, words FROM message WHERE seq = 1'
	finds "thread 'S': a context is missing" \
	    'INSERT INTO message SELECT 98 + id, thread, 6 + id, seq, NULL, role, turn, ts, tokens, json, body, crc, words FROM message WHERE seq < 3'
	finds "a row of message refers to a missing row of body" \
	    'UPDATE message SET body = 77 WHERE seq = 3'
}

@test "check: damage that SQLite itself finds" {
	damaged 'PRAGMA writable_schema = ON;
	    UPDATE sqlite_schema SET sql = replace(sql, "created INTEGER",
	    "created TEXT") WHERE name = "context"'
	exits 4 ctx-store check
	grep -q context.created out
	damaged 'PRAGMA writable_schema = ON;
	    UPDATE sqlite_schema SET sql = "CREATE INDEX message_body ON message(body)"
	    WHERE name = "message_body"'
	exits 4 ctx-store check --full
	grep -q 'missing from index message_body' out
}

@test "check --full: a message whose line, role or id has changed" {
	finds_full "message 1 (row 1) does not match its checksum" \
	    "UPDATE message SET json = replace(json, 'first', 'fist') WHERE seq = 1"
	finds_full "message 2 (row 2) does not match its checksum" \
	    'UPDATE message SET crc = crc + 1 WHERE seq = 2'
	finds_full "message 1 (row 1) is stored with another role than its line has" \
	    "UPDATE message SET role = 'assistant' WHERE seq = 1"
	finds_full "message 2 (row 2) is stored with another role than its line has" \
	    'UPDATE message SET role = NULL WHERE seq = 2'
	finds_full "message 2 (row 2) is stored with another id than its line has" \
	    "UPDATE message SET mid = 'm3' WHERE seq = 2"
	# A missing id, or one that is not in the line, can be intentional.
	damaged 'UPDATE message SET mid = NULL WHERE seq = 2'
	exits 0 ctx-store check --full
	damaged "UPDATE message SET mid = 'm1' WHERE seq = 1"
	exits 0 ctx-store check --full
}

@test "check --full: contents that do not match their hash" {
	finds_full "message 3 (row 3) has contents that do not match their hash" \
	    "UPDATE body SET kind = 0, data = zeroblob(size) WHERE id = 2"
	grep -q '"contents 1 do not match their hash"' out
	finds_full "contents $(sqlite3 "$BATS_FILE_TMPDIR/good" 'SELECT max(state) FROM ckpt') do not match their hash" \
	    "UPDATE body SET data = CAST('{}' AS BLOB) WHERE id = (SELECT max(state) FROM ckpt)"
}

@test "check --full: an index that cannot be read" {
	damaged 'DROP TABLE search'
	exits 4 ctx-store check --full
	grep -q "\"the search index cannot be read (.*); run 'ctx-store reindex --all'\"" out
}

@test "check --full: a list of typed tools that lacks one, or has another" {
	local differ="the search index does not match"

	printf '{"role":"assistant","parts":[{"type":"tool-%s","toolCallId":"1","state":"output-available","input":{},"output":"%s"}]}\n' \
	    look kite find kite | ctx-store append T
	exits 0 ctx-store check --full
	[ "$(sqlite3 db 'SELECT count(*) FROM typed_tool')" = 2 ]
	sqlite3 db 'DELETE FROM typed_tool WHERE message = (SELECT max(id) FROM message)'
	exits 4 ctx-store check --full
	has "$differ 1 message" out
	exits 0 ctx-store reindex -q --all
	exits 0 ctx-store check --full
	sqlite3 db 'INSERT INTO typed_tool VALUES(1000)'
	exits 4 ctx-store check --full
	has "$differ 1 message" out
	exits 0 ctx-store reindex -q --all
	exits 0 ctx-store check --full
	exits 0 ctx-store rm -q T
	[ "$(sqlite3 db 'SELECT count(*) FROM typed_tool')" = 0 ]
}

@test "check --full: an index of trigrams that has other texts than the messages" {
	local differ="the search index does not match"
	local again="; run 'ctx-store reindex --all'"
	local on="INSERT INTO trigram"

	damaged ''
	ctx-store reindex -q --trigrams on
	exits 0 ctx-store check --full
	mv db good
	# those that have three characters that are not data
	finds_full "$differ 3 messages$again" \
	    "$on(trigram) VALUES('delete-all')" good
	finds_full "$differ 1 message$again" \
	    "$on(trigram, rowid, text) VALUES('delete', 1, 'first')" good
	finds_full "$differ 1 message$again" \
	    "$on(rowid, text) VALUES(2, 'more')" good
	ctx-store reindex -q --all
	exits 0 ctx-store check --full
	finds_full "$differ 1 message$again" \
	    "$on(rowid, text) VALUES(99, 'gone')" good
	# those before row 2 are not known to be there
	finds_full "$differ 1 message$again" \
	    "UPDATE meta SET value = 2 WHERE key = 'trigram'" good
}
