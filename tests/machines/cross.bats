# What two machines share, if their byte orders are different: tables that one makes for
# the other, and stores.  BUILD is the build for the other machine, whose programs run
# in the emulator; HERE is that of this one.

setup() {
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/machines}
	load helpers
	common_setup
	[ -x "${HERE:-}/ctx-store" ] || fail "HERE is not a build of ctx"
	LOG=$DATA/logs/audit.openai.jsonl
}

@test "cross: the tables that were made here are those that are made there" {
	for name in r50k_base o200k_base; do
		mkvocab "$name" "${name%_base}" "$ROOT/lib/token/data/$name.tiktoken" t
		same t "$BUILD/share/ctx/$name.ctxv"
	done
}

@test "cross: a table of the other byte order is refused" {
	printf '%s\n' '{"role":"user","content":"Hi"}' >in
	for other in "$HERE" "$BUILD"; do
		# the one that runs is not the one that made the table
		mine=$BUILD
		[ "$other" = "$HERE" ] || mine=$HERE
		if cmp -s "$HERE/share/ctx/r50k_base.ctxv" \
		    "$BUILD/share/ctx/r50k_base.ctxv"; then
			skip "both have the same byte order"
		fi
		CTX_VOCAB=$other/share/ctx exits 4 "$mine/ctx-count" -e r50k_base in
		says '*r50k_base.ctxv: a vocabulary table of another version or machine; *'
	done
}

# there_and_back A B: what A stores, B loads, checks, searches and adds to.
there_and_back() {
	rm -f db db-lock
	head -n 300 "$LOG" >first
	tail -n +301 "$LOG" >rest
	exits 0 "$1/ctx-store" --db db append s first
	echo "the deploy key is rotated" >note
	exits 0 "$1/ctx-store" --db db memory put s note
	exits 0 "$2/ctx-store" --db db append s rest
	exits 0 "$2/ctx-store" --db db load s
	same out "$LOG"
	exits 0 "$2/ctx-store" --db db check
	exits 0 "$1/ctx-store" --db db load s
	same out "$LOG"
	exits 0 "$1/ctx-store" --db db check
	exits 0 "$1/ctx-store" --db db search --in all deploy key
	cp out found
	exits 0 "$2/ctx-store" --db db search --in all deploy key
	same out found
	exits 0 "$1/ctx-store" --db db export
	cp out exported
	exits 0 "$2/ctx-store" --db db export
	same out exported
}

@test "cross: a store that was written here is used there" {
	there_and_back "$HERE" "$BUILD"
}

@test "cross: a store that was written there is used here" {
	there_and_back "$BUILD" "$HERE"
}
