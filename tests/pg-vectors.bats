# shellcheck shell=bash
# Vectors that pgvector compares: what is found is what is found without it.

setup_file() { load helpers; own_server; }
teardown_file() { load helpers; end_server; }
setup() {
	load helpers
	common_setup
	[ -n "${PG:-}" ] && [ -x "$BUILD/libexec/ctx-store-pg" ] ||
		skip "no PostgreSQL here"
	on=postgres
	[ -n "$(sql "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")" ] ||
		skip "no pgvector here"
	sql "CREATE DATABASE d$BATS_TEST_NUMBER"
	on=d$BATS_TEST_NUMBER
	export CTX_DB=postgresql://ctx@/$on?host=$PG
	# the endpoint exits when this end of its standard input is closed
	mkfifo life
	python3 "$ROOT/tests/stub/embedd.py" log <life >port 3>&- &
	exec 9>life
	until_true [ -s port ]
	export CTX_EMBED_URL=http://127.0.0.1:$(cat port)/ok/x
}
teardown() { exec 9>&-; }

sql() { psql -h "$PG" -U ctx -d "$on" -X -q -A -t -c "$1"; }
extension() { sql "SET client_min_messages = error; $1 EXTENSION vector $2"; }
# copied: how many vectors pgvector has.
copied() { sql 'SELECT count(*) FROM vector_near'; }

# talk FROM TO: messages with few different vectors, so that many are equally near.
talk() {
	awk -v n="$1" -v to="$2" 'BEGIN { split("car cat rain truck nothing dog", w, " ")
	    for (; n <= to; n++) printf "{\"role\":\"user\",\"content\":\"%s %s %s\"}\n",
	    w[n % 6 + 1], w[n * n % 5 + 1], w[n % 7 % 6 + 1]
	    print "{\"role\":\"assistant\",\"content\":\"\"}" }'
}
# searches: the hits of everything that compares vectors.
searches() {
	local q

	for q in car "cat and rain"; do
		ctx-store search "$q" --method meaning --last 200
		ctx-store search "$q" --method both --thread S --thread T --last 200
		ctx-store search "$q" --method meaning --user ann --last 200
		ctx-store relevant S -c try --question "$q" -t 500 --method meaning
	done | sed 's/"ts":"[^"]*",//'
}
# same_hits WHEN: do they still find what is in the file "hits"?
same_hits() {
	about "$1"
	searches >now
	same now hits
}
two_threads() {
	talk 1 300 | ctx-store append S
	talk 1 30 | ctx-store append --user ann T
	talk 40 60 | ctx-store append -c try --parent main@100 S
	exits 0 ctx-store embed
}

@test "pg vectors: hits are the same without pgvector, with it, and when it comes and goes" {
	two_threads
	searches >hits
	[ "$(wc -l <hits)" -gt 700 ]
	extension CREATE
	same_hits "it is there, and has no vectors"
	exits 0 ctx-store embed
	[ "$(copied)" = "$(sql 'SELECT count(*) FROM message_vector')" ]
	same_hits "it has all of them"
	exits 1 psql -h "$PG" -U ctx -d "$on" -X -q -c 'DROP EXTENSION vector'
	extension DROP CASCADE
	same_hits "it went"
	talk 1 9 | ctx-store append --user ann U
	exits 0 ctx-store embed
	searches >hits
	extension CREATE
	same_hits "it came back"
	exits 0 ctx-store embed
	[ "$(copied)" = "$(sql 'SELECT count(*) FROM message_vector')" ]
	same_hits "it has all of them again"
	exits 0 ctx-store check --full
}

@test "pg vectors: the server compares them, and what it was not given is found, too" {
	extension CREATE
	two_threads
	exits 0 ctx-store search rain --method meaning --thread T --last 1
	n=$(jq .seq out)
	# were it asked for all vectors, what is in the copy would not matter
	sql "UPDATE vector_near SET v = '[0,0,0,0]' WHERE message = (SELECT m.id FROM message m JOIN thread t ON t.id = thread WHERE seq = $n AND name = 'T')"
	exits 0 ctx-store search rain --method meaning --thread T --last 200
	[ "$(jq .seq out | grep -cx "$n")" = 0 ]
	sql 'DELETE FROM vector_near WHERE message % 2 = 0'
	sql 'UPDATE vector_near y SET v = NULL WHERE EXISTS (SELECT 1 FROM message_vector x WHERE x.message = y.message AND length(x.data) = 0)'
	searches >some
	exits 0 ctx-store embed --all
	searches >hits
	differs some hits	# the damage is seen
	sql 'DELETE FROM vector_near WHERE message % 2 = 0'
	same_hits "it has half of them"
}

@test "pg vectors: the extension may be in the schema of our tables, or in any other" {
	sql 'CREATE SCHEMA "odd ""one"'
	extension CREATE 'SCHEMA "odd ""one"'
	two_threads
	searches >hits
	[ "$(copied)" = 354 ]
	extension DROP CASCADE
	same_hits "without it"
	extension CREATE
	exits 0 ctx-store embed
	same_hits "in public"
	# and the tables come later
	on=e$BATS_TEST_NUMBER
	psql -h "$PG" -U ctx -d postgres -X -q -c "CREATE DATABASE $on"
	extension CREATE
	CTX_DB=postgresql://ctx@/$on?host=$PG
	two_threads
	[ "$(copied)" = 354 ]
	same_hits "in public, before the tables"
}

vacuumed() { [ -n "$(sql "SELECT last_vacuum FROM pg_stat_user_tables WHERE relname = 'vector_near'")" ]; }

@test "pg vectors: what is removed is removed from pgvector, and its table is vacuumed" {
	extension CREATE
	two_threads
	exits 0 ctx-store rm --user ann
	[ "$(copied)" = 323 ]
	until_true vacuumed
	exits 0 ctx-store vacuum
	exits 0 ctx-store check --full
}

@test "pg vectors: an index is made only if it is asked for, and needs pgvector" {
	two_threads
	exits 2 ctx-store reindex --vectors on
	says '*an index of vectors needs the extension pgvector*'
	exits 0 ctx-store reindex --vectors off
	talk 1 3 | ctx-store --db file append S
	exits 2 ctx-store --db file reindex --vectors on
	extension CREATE
	exits 0 ctx-store embed
	indexes="SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%hnsw%'"
	[ "$(sql "$indexes")" = 0 ]
	exits 0 ctx-store search car --method meaning --last 200
	jq -r .snippet out | sort | uniq -c | sort -rn | head -n 3 >want
	exits 0 ctx-store reindex --vectors on
	[ "$(sql "$indexes")" = 1 ]
	exits 0 ctx-store search car --method meaning --last 200
	[ "$(wc -l <out)" = 200 ]
	jq -r .snippet out | sort | uniq -c | sort -rn | head -n 3 >got
	same got want
	exits 0 ctx-store reindex --vectors off
	[ "$(sql "$indexes")" = 0 ]
}
