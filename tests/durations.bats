# A number without a unit is refused as an age or duration, because any guess
# could be wrong.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
	echo '{"role":"user","content":"hi"}' >in
}

# refused NAME COMMAND...: assert that it refuses 7 as a duration, in a message
# with NAME and a remedy.
refused() {
	local name=$1

	shift
	exits 2 "$@" <in || return 1
	silent || return 1
	says "*$name: '7' has no unit; write 7s, 7m, 7h, 7d or 7w"
}

@test "durations: without a unit they are refused by name, and nothing is done" {
	ctx-store append S in
	cp db before
	refused --idle ctx-store load --idle 7 S
	refused --older-than ctx-store prune --older-than 7
	refused --since ctx-store search --since 7 hi
	refused --timeout ctx-store search --timeout 7 hi
	refused --timeout ctx-store relevant --timeout 7 --question hi -t 100 S
	refused --timeout ctx-store embed --timeout 7 S
	refused --timeout "$BUILD/libexec/ctx-embed" --timeout 7
	refused --timeout ctx-summarize --timeout 7
	refused --idle ctx-summarize --idle 7
	refused CTX_PRUNE_AFTER env CTX_PRUNE_AFTER=7 ctx-store append S
	same db before
}

@test "durations: the test above tries every option that takes one" {
	local tried

	tried=$(grep -c '^	refused --' "$BATS_TEST_FILENAME")
	{
		store_commands | while read -r c; do
			# shellcheck disable=SC2086
			ctx-store $c --help
		done
		each=$(commands)
		for c in $each; do "$c" --help; done
		"$BUILD/libexec/ctx-embed" --help
	} | grep -cE '^ +(-.*, )?--[a-z-]+[ =](AGE|TIME)( |$)' >n
	[ "$(cat n)" -eq "$tried" ]
}

@test "durations: with a unit they are accepted; nonsense is refused with an example" {
	ctx-store append S in
	exits 0 ctx-store load --idle 7d S
	exits 2 ctx-store load --idle 7days S
	says "*--idle: '7days' is not an age such as 90s, 30m or 7d"
	exits 2 ctx-store load --idle '' S
	says "*--idle: '' is not an age such as 90s, 30m or 7d"
	exits 2 ctx-store prune --older-than soon
	says "*--older-than: 'soon' is neither an age such as 7d nor a date such as 2026-03-01"
	exits 2 env CTX_PRUNE_AFTER=soon ctx-store append S in
	says "*CTX_PRUNE_AFTER: 'soon' is not an age such as 90s, 30m or 7d"
	exits 0 ctx-store load S
	same out in
}

@test "durations: no session is older than an age that exceeds the range of clocks" {
	ctx-store append S in
	sqlite3 db "UPDATE thread SET updated = 1"
	for age in 9223372036854775807s 4611686018427387903s 18446744073709s; do
		sqlite3 db "DELETE FROM meta WHERE key = 'pruned'"
		exits 0 env CTX_PRUNE_AFTER=$age ctx-store append T in
		quiet
		exits 0 ctx-store load --idle $age S
	done
	exits 2 ctx-store prune --older-than 9223372036854775807s
	exits 0 ctx-store load S
}
