# ctx-clean --text: plain text is treated as the result of a tool.

setup() { load helpers; common_setup; }

# text FORMAT: write it to the file "in".
text() {
	# shellcheck disable=SC2059
	printf "$1" >in
}

# leaves OPTION...: the text stays as it is, byte for byte.
leaves() {
	exits 0 ctx-clean --text "$@" <in
	quiet
	same out in
}

@test "text: without options nothing changes, whatever the bytes are" {
	for t in '' '\n' '\r\n' 'a' 'a\n' 'a\r\nb\r\n' '\na\n' \
	    '\377\376\n' 'a\000b\n' '\357\273\277a\n' '\303' '"\\\\u0041"\n' \
	    '\364\217\272\200 \364\217\273\277 \364\217\274\200\n' \
	    '\355\240\200\n' '\033[1mx\033[0m\n'; do
		text "$t"
		leaves
		leaves --squeeze --max-result 100 --minify --base64 --tables
	done
	head -c 100000 "$BUILD/ctx-clean" >in
	leaves
}

@test "text: the options for results apply, and the end of the last line stays" {
	text '\033[31mred\033[0m\n\n\n\nb\n'
	exits 0 ctx-clean --text --ansi --squeeze <in
	printf 'red\n\nb\n' >want
	same out want
	text '{"a": [1, 2]}\r\n'
	exits 0 ctx-clean --text --minify <in
	printf '{"a":[1,2]}\r\n' >want
	same out want
	text '[{"id": 7}, {"id": 8}, {"id": 9}]'
	exits 0 ctx-clean --text --tables <in
	printf '[3 rows: id]\n7\n8\n9' >want
	same out want
	text 'one two three four five six seven eight nine ten eleven twelve\n'
	exits 0 ctx-clean --text --max-result 7 --tail 3 <in
	printf 'one \n... (truncated, 62 chars total)\nlve\n' >want
	same out want
	exits 0 ctx-clean --text --max-result 7 --tail 3 --lang zh <in
	grep -q '62' out
	run grep -q 'truncated' out
	[ "$status" -eq 1 ]
}

@test "text: the command is not run, and may have any bytes" {
	text 'a\n'
	# shellcheck disable=SC1003,SC2016
	leaves --command 'touch ran; $(touch ran) "\'
	leaves --command $'a\377\n\t"b" \\ '"'c'"
	leaves --command ''
	[ ! -e ran ]
}

@test "text: a second run changes nothing" {
	for i in $(seq 1 300); do
		printf '%s\nwarning: %s\n\n\n' "$i" "$((i % 7))"
	done >in
	for o in '--max-result 200' '--max-result 200 --tail 50' \
	    '--max-result 40t' '--squeeze --max-result 500'; do
		# shellcheck disable=SC2086
		ctx-clean --text $o <in >once
		run cmp -s in once
		[ "$status" -eq 1 ]
		# shellcheck disable=SC2086
		ctx-clean --text $o <once >twice
		same twice once
	done
}

@test "text: bytes that are not UTF-8 stay, and each is a character" {
	text 'a\377b\376 middle that is left out, as it is much too long \375z\n'
	exits 0 ctx-clean --text --max-result 5 --tail 2 <in
	printf 'a\377b\n... (truncated, 55 chars total)\n\375z\n' >want
	same out want
	text '\377\n\n\n\n\376\n'
	exits 0 ctx-clean --text --squeeze <in
	printf '\377\n\n\376\n' >want
	same out want
}

@test "text: each file is a text, and what does not exist is said" {
	text 'a\n\n\n\nb\n'
	cp in other
	exits 4 ctx-clean --text --squeeze in missing other
	printf 'a\n\nb\na\n\nb\n' >want
	same out want
	says "ctx-clean: missing: cannot open: No such file or directory"
	text '\nx'
	exits 0 ctx-clean --text --squeeze in other
	printf '\nxa\n\nb\n' >want
	same out want
}

@test "text: what was stashed is restored, with bytes that are not UTF-8" {
	text "\377 $(printf 'word %.0s' {1..40})\376 its end\n"
	exits 0 ctx-clean --text --max-result 10 --stash kept <in
	cp out short
	run cmp -s short in
	[ "$status" -eq 1 ]
	exits 0 ctx-clean --text --restore kept <short
	same out in
}

@test "text: secrets are replaced" {
	printf '\377 AKIA%s\n' Q4ZB7M2PX6RNDJ3V >in
	exits 0 ctx-clean --text --redact <in
	sed 's/:[0-9a-f]*]/:N]/' out >got
	printf '\377 [REDACTED:aws-access-key-id:N]\n' >want
	same got want
}

@test "text: one that is too large is written as it is, but not with --redact" {
	head -c 68000000 /dev/zero | tr '\0' x >in
	printf '\n\n\n\nend' >>in
	exits 3 ctx-clean --text --max-result 10 --squeeze <in
	same out in
	says "ctx-clean: (standard input): is larger than 64 MiB, and was written as it is"
	exits 3 ctx-clean --text --redact in
	[ ! -s out ]
	says "ctx-clean: in: is larger than 64 MiB, so it was not searched for secrets, and is not written"
}

@test "text: options that need a conversation are refused by name" {
	text 'a\n'
	for o in '--by x' '--dialect openai' '--on-error keep' '--on-error skip --rejected x' -i \
	    '-j 2' --check '--api groq' '--unanswered drop' --keep-pending --empty \
	    '--branches drop' --merge-runs '--max-message 9' --dedupe \
	    '--thinking drop' '--images drop' --images-all --clear-results \
	    --prune-calls '--max-result 9 --keep-turns 1' \
	    '--max-result 9 --keep-tokens 1' '--max-result 9 --min-gain 1' \
	    '--max-result 9 --tool x' '--max-result 9 --exclude x' \
	    '--thin --thin-files' '--report x'; do
		# shellcheck disable=SC2086
		exits 2 ctx-clean --text $o in
		[ ! -s out ]
		grep -q -- '--text and .* cannot be used together' err ||
		    { cat err; false; }
	done
	exits 2 ctx-clean --command make in
	says "ctx-clean: --command needs --text"
}
