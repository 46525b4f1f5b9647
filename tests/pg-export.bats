# ctx-store export and import between a file and a PostgreSQL server: the same bytes.

setup() {
	load helpers
	common_setup
	[ -n "${CTX_TEST_PG:-}" ] || skip "it is in make check-pg"
	export CTX_WORKSPACES=$T/w
}

# A store with rows of every kind but vectors, which are not exported.
fill() {
	local long=$T/long

	printf '{"role":"tool","content":"%06000d katy"}\n' 7 >"$long"
	ctx-store append S <<<'{"id":"m1","role":"user","content":"one 上下文"}'
	ctx-store append S "$long"
	ctx-store append --user ann T <<<'{"role":"user","content":"hers"}'
	ctx-store append T "$long"
	ctx-store view put S w <"$long" >/dev/null
	ctx-store checkpoint put --id one --meta '{"by":"me"}' S <<<'{"n":1}' >/dev/null
	ctx-store fork --at one --name try S >/dev/null
	ctx-store state put S <<<'{"at":"five"}'
	ctx-store state merge --user cleo <<<'{"theme":"light"}'
	ctx-store summary put -c main S <<<'{"summary":"so far","summary_token_count":2,"summarized_turn_count":1,"upto":2,"upto_sha256":"0"}'
	ctx-store memory put --turn 1 --summary 'turn one' --insight 'x is y' S "$long" >/dev/null
	ctx-store code put --syntax python S code_1 <"$long" >/dev/null
	ctx-store upload put S "$long" >/dev/null
}

@test "pg export: a file's export is what the server exports after an import" {
	export CTX_DB=a.sqlite
	fill
	ctx-store export >want
	exits 0 ctx-store --db b import want
	exits 0 ctx-store --db b export
	same out want
	exits 0 ctx-store --db b import --verify want
	exits 0 ctx-store --db b check --full
	# what it finds is the same
	exits 0 ctx-store --db b reindex
	for words in 上下 katy 'turn one' theme; do
		ctx-store search --in all "$words" >found || :
		ctx-store --db b search --in all "$words" >got || :
		same got found
	done
}

@test "pg export: a server's export is what a file exports after an import" {
	export CTX_DB=a
	fill
	ctx-store export >want
	exits 0 ctx-store --db b.sqlite import want
	exits 0 ctx-store --db b.sqlite export
	same out want
	exits 0 ctx-store --db b.sqlite import --verify want
	exits 0 ctx-store --db b.sqlite check --full
}

# follows FROM TO: what changes in one comes into the other, step by step.
follows() {
	local i

	export CTX_DB=$1
	for i in 1 2 3; do
		[ "$i" != 2 ] || fill
		ctx-store append U <<<"{\"role\":\"user\",\"content\":\"$i\"}"
		[ "$i" != 3 ] || ctx-store rm T
		ctx-store --db "$2" import --position >at
		ctx-store export --position at >unit || fail "export $i"
		exits 0 ctx-store --db "$2" import -q --follow unit
		ctx-store export | grep -v '^{"row":"end"' | sort >want
		ctx-store --db "$2" export | grep -v '^{"row":"end"' | sort >got
		same got want
	done
	exits 0 ctx-store --db "$2" check --full
}

@test "pg export: a server follows a file" {
	follows a.sqlite b
}

@test "pg export: a file follows a server" {
	follows a b.sqlite
}

# below KIB COMMAND...: assert that it takes less memory.
below() {
	local kib

	kib=$(peak_kib "${@:2}")
	[ "$kib" -lt "$1" ] || fail "$kib KiB: ${*:2}"
}

@test "pg export: what is read of a long thread is not all in memory" {
	if sanitized; then skip "sanitizers take memory"; fi
	export CTX_DB=long
	seq 150000 | sed 's/.*/{"role":"user","content":"message & of a thread with many of them"}/' |
		ctx-store append --no-index -q L
	echo '{"store":null}' >start
	below 32768 ctx-store export
	below 32768 ctx-store export --position start
	below 32768 ctx-store load L
	below 32768 ctx-store check --full
	# 20 megabytes of names
	sqlite3 long "INSERT INTO context SELECT thread, g, g || repeat('x', 1000), 1, 0, 9, 10, 0, 0 FROM context, generate_series(1, 20000) g" >/dev/null
	below 32768 ctx-store check
	# a cursor that is left before its end does not disturb what comes
	exits 0 ctx-store export
	head -n 1000 out >part
	ctx-store export 2>/dev/null | head -n 1000 >got || :
	same got part
}
