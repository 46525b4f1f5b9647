# The memory that filters take: it does not grow with the input where ctx(7) says
# so, and --max-memory bounds it where it does.

setup_file() {
	load helpers
	common_setup
	# 1,000 and 10,000 messages of each kind: message lines (m), conversation
	# lines (c), four conversations that go on (w)
	for n in 1000 10000; do
		awk -v n=$n 'BEGIN {
			for (i = 0; i < 20; i++)
				text = text "some words to fill the lines, and more "
			for (i = 0; i < n; i += 2) {
				s = sprintf("\"s\":%d,", i / 2 % 4)
				q = sprintf("{%s\"role\":\"user\",\"content\":\"%d %s\"}", s, i, text)
				a = sprintf("{%s\"role\":\"assistant\",\"content\":\"%d %s\"}", s, i, text)
				print q "\n" a >"m"
				all = all (all != "" ? "," : "") q "," a
				if (i % 20 == 18) {
					print "{\"messages\":[" all "]}" >"c"
					all = ""
				}
			}
		}'
		mv m "$BATS_FILE_TMPDIR/m$n"
		mv c "$BATS_FILE_TMPDIR/c$n"
	done
}

setup() {
	load helpers
	common_setup
	IN=$BATS_FILE_TMPDIR
	if sanitized; then
		skip "a sanitizer takes memory of its own"
	fi
}

# constant COMMAND...: assert that it takes at most 4 MiB more for ten times the
# input of 17 MB; its name, without the number, is the last word.
constant() {
	local few many

	few=$(peak_kib "${@:1:$#-1}" "$IN/${*: -1}1000")
	many=$(peak_kib "${@:1:$#-1}" "$IN/${*: -1}10000")
	[ "$many" -le $((few + 4096)) ] || fail "$few KiB, then $many: $*"
}

@test "memory: it does not grow with the stream where ctx(7) says so" {
	for by in "" "--by s"; do
		# shellcheck disable=SC2086
		set -- $by
		constant ctx-clean "$@" m
		constant ctx-clean --check "$@" m
		constant ctx-clean --lean --redact "$@" m
		constant ctx-count "$@" m
		constant ctx-truncate -n 40 "$@" m
		constant ctx-truncate -t 8000 "$@" m
	done
	each=$(reading_commands)
	for c in $each; do
		case $c in
		ctx-convert) constant "$c" --to anthropic c ;;
		ctx-digest-files) ;;	# its operands are files to digest
		ctx-summarize) constant "$c" --all c ;;
		*) constant "$c" c ;;
		esac
	done
	constant ctx-clean --clear-results c
	constant ctx-count --text m
}

@test "memory: --max-memory ends every command with exit 4, and names itself" {
	each=$(reading_commands)
	for c in $each; do
		about "$c"
		case $c in
		ctx-convert) set -- --to openai ;;
		ctx-summarize) set -- --all ;;
		ctx-clean) set -- --clear-results ;;
		ctx-count) set -- -e cl100k_base ;;
		ctx-truncate) set -- -n 100000 --max-memory 2Mi ;;
		*) set -- ;;
		esac
		exits 4 "$c" --max-memory 4Mi "$@" <"$IN/m10000"
		says "$c: *memory (--max-memory [24]Mi)"
		exits 0 "$c" --max-memory 1Gi "$@" <"$IN/m1000"
		quiet
		mv out want
		exits 0 "$c" "$@" <"$IN/m1000"
		same out want
	done
	exits 4 ctx-store --db db append s --max-memory 1Mi <"$IN/m10000"
	says "ctx-store append: *memory (--max-memory 1Mi)"
	# nothing is lost
	cp "$IN/m10000" f
	exits 4 ctx-digest-files -i --max-memory 4Mi f
	same f "$IN/m10000"
	[ "$(echo f*)" = f ]
	# what was written before is whole lines
	exits 4 ctx-truncate -n 4000 --max-memory 3Mi "$IN/m10000"
	head -n "$(wc -l <out)" "$IN/m10000" >want
	[ ! -s out ] || same out want
}

@test "memory: a size is a number of bytes, of at least a mebibyte" {
	for s in 0 1000 -1 x 1023Ki; do
		exits 2 ctx-clean --max-memory $s </dev/null
	done
	exits 0 ctx-clean --max-memory 1Mi </dev/null
	exits 0 ctx-clean --max-memory 1.5g </dev/null
	exits 2 ctx-clean --max-memory 9223372036854775807 </dev/null
	says 'ctx-clean: --max-memory: 9223372036854775807 is too large'
	# of two, the second counts
	exits 0 ctx-clean --clear-results --max-memory 2Mi --max-memory 1Gi <"$IN/m1000"
	# a limit that is set already is not raised
	rc=0
	(ulimit -d 4096 && ctx-clean --clear-results --max-memory 1Gi \
	    <"$IN/m10000") >out 2>err || rc=$?
	[ "$rc" -eq 4 ]
	says "*out of memory*"
}
