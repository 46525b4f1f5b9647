# ctx-store import --verify, and backup: a copy is proven before it counts.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

# everything: a store with a row of every kind, in the file `one`.
everything() {
	local old=$CTX_DB

	[ -z "${CTX_TEST_PG:-}" ] || old=old.sqlite
	gunzip -c "$DATA/store/v3.db.gz" >"$old"
	ctx-store --db "$old" migrate
	ctx-store --db "$old" export >one
	[ -z "${CTX_TEST_PG:-}" ] || ctx-store import -q one
}

@test "verify: an export is imported as a whole, and comes back byte for byte" {
	everything
	exits 0 ctx-store --db two import --verify one
	says 'ctx-store import: verified 3 threads, *messages'
	exits 0 ctx-store --db two export
	same out one
	exits 0 ctx-store --db two check --full
	# It may come through a pipe, and twice.
	cat one | exits 0 ctx-store --db two import --verify -q
	silent
	exits 0 ctx-store --db two export
	same out one
	# Only memories.
	ctx-store export --only memory >memory
	exits 0 ctx-store --db three import --verify memory
	exits 0 ctx-store --db three export --only memory
	same out memory
}

@test "verify: --dry-run stores nothing, and needs no store" {
	sqlite_only
	everything
	exits 0 ctx-store --db two import --verify --dry-run one
	[ ! -e two ]
	cp db before
	exits 0 ctx-store import --verify --dry-run one
	same db before
	sed 's/"turn":1/"turn":2/' one >changed
	exits 3 ctx-store import --verify --dry-run changed
	exits 2 ctx-store import --dry-run one
	says 'ctx-store import: --dry-run needs --verify'
	exits 4 env TMPDIR=/nowhere ctx-store import --verify --dry-run one
	# also not that of a server, wherever it is named
	exits 0 ctx-store --db postgresql://nowhere/none import --verify --dry-run one
	exits 0 env CTX_DB=service=none ctx-store import --verify --dry-run one
}

@test "verify: of a file that is damaged anywhere, nothing is stored" {
	everything
	lines=$(wc -l <one)
	some 3 5
	for i in $(seq 1 "$some" "$lines"); do
		# a line is missing, comes twice, or has one other digit or letter
		sed "${i}d" one >f
		exits 3 ctx-store --db two import --verify f
		sed "${i}p" one >f
		exits 3 ctx-store --db two import --verify f
		awk -v i="$i" 'NR == i { at = int(length($0) * 2 / 3)
			c = substr($0, at, 1); $0 = substr($0, 1, at - 1) \
			    (c == "x" ? "y" : "x") substr($0, at + 1) } 1' one >f
		exits 3 ctx-store --db two import --verify f
	done
	head -c "$(($(wc -c <one) / 2))" one >f
	exits 3 ctx-store --db two import --verify f
	: >f
	exits 3 ctx-store --db two import --verify f
	exits 0 ctx-store --db two threads
	silent
	exits 0 ctx-store --db two import --verify one
}

@test "verify: a store that has more, or something else, is left as it was" {
	everything
	ctx-store --db two import -q one
	ctx-store --db two append S <<<'{"role":"user","content":"more"}'
	ctx-store --db two export >before
	exits 3 ctx-store --db two import --verify one
	says 'ctx-store import: one:*: the store would not give back this line'
	exits 0 ctx-store --db two export
	same out before
	# Without --verify, what is there is kept.
	exits 0 ctx-store --db two import one
	exits 0 ctx-store --db two export
	same out before
}

@test "verify: an export of an older version has no sum, which is said" {
	exits 0 ctx-store --db two import --verify "$DATA/store/v1.jsonl"
	says 'ctx-store import: verified 3 threads, *; an older version wrote*'
	# An export that was edited is imported without --verify.
	everything
	sed 's/pinned":1/pinned":0/' one >f
	exits 3 ctx-store --db three import --verify f
	says 'ctx-store import: f: the lines do not match the sum in the last line: the export was changed'
	exits 0 ctx-store --db three import f
}

@test "verify: while others write, an export sends contents twice, which is no fault" {
	everything
	n=$(grep -n '"row":"body"' one | head -n 1 | cut -d: -f1)
	# the same as if the second thread had been read later
	m=$(grep -n '"row":"thread"' one | sed -n 2p | cut -d: -f1)
	{ sed -n "1,${m}p" one; sed -n "${n}p" one; sed -n "$((m + 1)),\$p" one |
	    sed '$d'; } >f
	python3 -c 'import hashlib, sys
b = open("f", "rb").read()
sys.stdout.write("""{"row":"end","lines":%d,"sha256":"%s"}\n""" % (
    b.count(b"\n") + 1, hashlib.sha256(b).hexdigest()))' >>f
	exits 0 ctx-store --db two import --verify f
	exits 0 ctx-store --db two export
	same out one
}

# --- backup --------------------------------------------------------------------

@test "backup: a copy that check finds fault with does not appear" {
	sqlite_only
	everything
	exits 0 ctx-store backup copy
	exits 0 ctx-store --db copy check --full
	exits 0 ctx-store --db copy export
	same out one
	sqlite3 db "UPDATE message SET json = replace(json, 'pinned', 'Pinned')
	    WHERE json LIKE '%pinned%'"
	exits 4 ctx-store backup other
	says "ctx-store backup: $T/db: no backup was made: the copy is damaged: *; run 'ctx-store check --full'"
	[ ! -e other ]
	[ "$(ls -A | grep -c '^other')" = 0 ]
}
