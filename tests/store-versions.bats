# Stores of every released schema version, from tests/data/store.  A new version
# needs no new test: the file of the previous version is enough.

setup_file() {
	${CC:-cc} -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/faultio.so" \
	    "$BATS_TEST_DIRNAME/fault/faultio.c" -ldl
}

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db CTX_WORKSPACES=$T/w
}

# old FILE: make $CTX_DB the old store in FILE.
old() { rm -f db*; gunzip -c "$1" >db; }
# gave FILE: assert that the export in out has the rows of an older one, which had
# no sum in its last line.
gave() {
	sed '$s/,"sha256":"[0-9a-f]*"}$/}/' out >rows
	same rows "$1"
}
version() { sqlite3 "file:db?immutable=1" 'PRAGMA user_version'; }

faulty() {
	env LD_PRELOAD="$BATS_FILE_TMPDIR/faultio.so" \
	    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 "$@"
}

# The stores to be upgraded with a fault at every write, or, but for WHOLE=1, at one of
# every $some; sanitizers get the newest.
faulted() {
	if sanitized; then
		find "$DATA/store" -name 'v*.db.gz' | sort | tail -n 1
	else
		find "$DATA/store" -name 'v*.db.gz'
	fi
}

@test "versions: an old store can be read and is not changed by that" {
	for f in "$DATA"/store/v*.db.gz; do
		old "$f"
		cp db before
		exits 0 ctx-store export
		gave "${f%.db.gz}.jsonl"
		exits 0 ctx-store threads
		[ "$(wc -l <out)" = 3 ]
		exits 0 ctx-store load S
		cp out S
		exits 0 ctx-store load S --view model
		exits 0 ctx-store checkpoint get S two
		grep -q '"step":2' out
		exits 0 ctx-store memory list -c main~2 S
		[ "$(jq -r .name out | tr '\n' ' ')" = 'ctx_1 later ' ]
		exits 0 ctx-store check --full
		same db before
		# Also where nobody may write.
		mkdir -p ro
		cp db ro/db
		chmod 500 ro
		exits 0 ctx-store --db ro/db load S
		chmod 700 ro
		same out S
		[ "$(ls ro)" = db ]
	done
}

@test "versions: an old store is upgraded by the first command that writes" {
	for f in "$DATA"/store/v*.db.gz; do
		old "$f"
		exits 0 ctx-store append P <<<'{"id":"new","role":"user","content":"new"}'
		exits 0 ctx-store load P
		wrote '{"role":"user","content":"pinned"}' '{"id":"new","role":"user","content":"new"}'
		exits 0 ctx-store check --full
		old "$f"
		exits 0 ctx-store migrate
		exits 0 ctx-store export
		gave "${f%.db.gz}.jsonl"
		exits 0 ctx-store check --full
		# All parts of the store can be used.
		exits 0 ctx-store reindex
		exits 0 ctx-store search 文管
		grep -q '"thread_id":"S"' out
		exits 0 ctx-store search indexed
		exits 0 ctx-store append -c main --expect-seq 7 S <<<'{"role":"user","content":"on"}'
		exits 0 ctx-store append -c main S <<<'{"id":"m1","role":"user","content":"上下文管理 and sessions, n 1.10"}'
		echo '{"step":3}' | exits 0 ctx-store checkpoint put --id three S
		exits 0 ctx-store export --to langgraph out.db lg
		exits 0 ctx-store rm S
		exits 0 ctx-store prune --older-than 1s
		exits 0 ctx-store vacuum
		exits 0 ctx-store check --full
		exits 0 ctx-store threads
		[ "$(jq -r .thread_id out)" = P ]
		rm -f out.db
	done
}

@test "versions: an upgrade killed at any write leaves a complete version" {
	some 6 6
	faulted >stores
	while read -r f; do
		old "$f"
		was=$(version)
		faulty FAULT_COUNT="$T/n" ctx-store migrate
		new=$(version) seen=
		[ "$new" -ge "$was" ]
		n=$(cat n)
		for i in $(seq 0 "$some" $((n - 1))) "$n"; do
			old "$f"
			faulty FAULT=kill:$i ctx-store migrate 2>err || true
			exits 0 ctx-store export
			gave "${f%.db.gz}.jsonl"
			exits 0 ctx-store check --full
			seen+=" $(sqlite3 db 'PRAGMA user_version')"
			exits 0 ctx-store migrate
			exits 0 ctx-store export
			gave "${f%.db.gz}.jsonl"
			[ "$(version)" = "$new" ]
		done
		# Both the old and the new version occurred, and, if every write
		# failed, each version between them.
		between=$(seq "$was" "$new" | tr '\n' ' ')
		seen=$(printf '%s\n' $seen | sort -nu | tr '\n' ' ')
		[ "$seen" = "$between" ] ||
		    [[ $some -gt 1 && "$seen" = "$was "*"$new " ]] ||
		    { echo "$was, $new:$seen"; false; }
	done <stores
}

@test "versions: an upgrade on a full or failing disk leaves the old or the new version" {
	some 4 4
	faulted >stores
	while read -r f; do
		old "$f"
		faulty FAULT_COUNT="$T/n" ctx-store migrate
		n=$(cat n)
		for mode in full io once; do
			for ((i = 0; i <= n; i += 1 + i * some / 8)); do
				old "$f"
				rc=0
				faulty FAULT=$mode:$i ctx-store migrate 2>err || rc=$?
				about "exit $rc, $mode at $i"
				[[ $rc -eq 0 || $rc -eq 4 && -s err ]] || fail "$(cat err)"
				exits 0 ctx-store export
				gave "${f%.db.gz}.jsonl"
				exits 0 ctx-store check --full
			done
		done
	done <stores
}

@test "versions: several processes upgrade at the same time" {
	for f in "$DATA"/store/v*.db.gz; do
		old "$f"
		for w in 1 2 3 4; do
			echo "{\"id\":\"w$w\"}" | ctx-store append P 2>err.$w 3>&- &
			pids[w]=$!
		done
		for w in 1 2 3 4; do wait "${pids[w]}" || { cat err.*; false; }; done
		exits 0 ctx-store load P
		[ "$(wc -l <out)" = 5 ]
		exits 0 ctx-store check --full
	done
}

@test "versions: what an old store has no table for is reported, with the remedy" {
	ctx-store append S <<<'{"n":1}'
	sqlite3 db 'DROP TABLE view; PRAGMA user_version = 1; PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	exits 0 ctx-store load S
	exits 4 ctx-store view list S
	says "*db: version 1 is older than this program's version *; run 'ctx-store migrate'"
	sqlite3 db 'PRAGMA user_version = 0; PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	exits 4 ctx-store load S
	says "*db: version 0 is older than this program's version *; run 'ctx-store migrate'"
}
