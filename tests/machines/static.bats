# The programs of `make static` in a root folder that has nothing but them and a
# vocabulary table: no library, no /proc, no /dev.

setup() {
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/machines}
	load helpers
	common_setup
	mkdir -p root/bin root/vocab root/tmp
	cp "$BUILD"/static/ctx-* root/bin
	cp "$BUILD/share/ctx/o200k_base.ctxv" root/vocab
	LOG=$DATA/logs/audit.openai.jsonl
}

# inside COMMAND...: run it with this root.
inside() {
	if [ "$(id -u)" = 0 ]; then
		env -i CTX_VOCAB=/vocab "$(command -v chroot)" root "$@"
	else
		env -i CTX_VOCAB=/vocab "$(command -v unshare)" -r \
		    --root="$PWD/root" "$@"
	fi
}

# as_outside COMMAND...: inside it reads $LOG and says and writes the same as outside.
as_outside() {
	exits 0 "$@" <"$LOG"
	cp out outside
	cp err outside.err
	exits 0 inside "$@" <"$LOG"
	same out outside
	same err outside.err
}

@test "static: there is a program for every command but ctx-summarize" {
	commands | grep -v ctx-summarize >want
	(cd root/bin && ls) >got
	same got want
}

@test "static: nothing is loaded to run them" {
	for p in root/bin/*; do
		exits 0 readelf -ld "$p"
		lacks -e INTERP -e NEEDED out
	done
}

@test "static: filters in an empty root do what they do outside" {
	as_outside ctx-clean --clear-results=10
	as_outside ctx-truncate -m gpt-4o
	as_outside ctx-count -m gpt-4o
	as_outside ctx-convert --to anthropic
	as_outside ctx-digest-files
}

@test "static: several threads count and clean" {
	for _ in 1 2 3 4 5 6 7 8; do
		as_conversation <"$LOG"
	done >many
	LOG=many
	as_outside ctx-count -j 4 -m gpt-4o
	as_outside ctx-clean -j 4
}

@test "static: a store in an empty root" {
	exits 0 inside ctx-store --db /tmp/db append s <"$LOG"
	exits 0 inside ctx-store --db /tmp/db load s
	same out "$LOG"
	exits 0 inside ctx-store --db /tmp/db check
	# and a program of the usual kind reads it
	exits 0 ctx-store --db root/tmp/db load s
	same out "$LOG"
}

@test "static: a text in GBK is read, or is said to be one that cannot be" {
	printf '\326\320\316\304\n' >root/tmp/a.txt
	exits 0 inside ctx-digest-files /tmp/a.txt
	# glibc reads its tables from files, which are not here; musl has them inside
	has -qxE '\[file read\] /tmp/a.txt \(text, (GBK|not UTF-8), 1 line, 5B\)' out
}
