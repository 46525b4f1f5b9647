# -j N: for every command that has it, the bytes, findings, reports and exit
# codes are the same as without it, for any N. With sanitizers the tests use
# less text, but still several batches.

setup_file() {
	load helpers
	common_setup
	size=2M
	if sanitized; then
		size=1M
	fi
	"$DATA/logs/multiply" $size "$DATA/logs/tasks.text.jsonl" \
	    "$DATA/logs/bookings.openai.jsonl" >lines
	"$DATA/logs/multiply" $size "$DATA/logs/tasks.openai.jsonl" \
	    "$DATA/logs/mend.openai.jsonl" | shuffled 40 >by
	{ cat lines; cat "$DATA/logs/audit.openai.jsonl"; head -n 50 lines; } >mixed
	spoiled <lines >bad
	spoiled <by >by-bad
	head -n 30 by >few
	cat "$DATA"/logs/faulty/*.openai.jsonl "$DATA"/logs/audit.claude-code.jsonl \
	    >faulty
	"$DATA/logs/multiply" 1M "$DATA/logs/audit.openai.jsonl" \
	    "$DATA/logs/research.anthropic.jsonl" |
	    ctx-convert --to openai --shape conversation -b thread_id >reads
}

setup() {
	load helpers
	common_setup
	cd "$BATS_FILE_TMPDIR" || return 1
}

# shuffled N: interleave the conversations of thread_id, N of them at a time.
shuffled() {
	python3 -c '
import json, random, sys
random.seed(7)
by = {}
for line in sys.stdin:
    by.setdefault(json.loads(line).get("thread_id"), []).append(line)
wait = [list(reversed(q)) for q in by.values()]
open_, wait = wait[:int(sys.argv[1])], wait[int(sys.argv[1]):]
while open_:
    q = random.choice(open_)
    sys.stdout.write(q.pop())
    if not q:
        open_.remove(q)
        open_ += [wait.pop()] if wait else []
' "$1"
}

# Insert a line that is not a message before every 60th line.
spoiled() {
	awk 'BEGIN { no[0] = ""; no[1] = "{\"meta\":1}"; no[2] = "{\"oops"
		no[3] = "{\"thread_id\":\"a\", x}" }
	    NR % 60 == 0 { print no[n++ % 4] }
	    1'
}

# run_into NAME COMMAND...: run it, and store its output, messages and exit
# code, and the checksums of the files that it is to create in side/, under NAME.
run_into() {
	local name=$1 rc=0

	shift
	[[ $* != *side/* ]] || { rm -rf side; mkdir side; }
	"$@" >"$T/$name" 2>"$T/$name.err" || rc=$?
	echo "$rc" >"$T/$name.rc"
	: >"$T/$name.side"
	[[ $* != *side/* ]] ||
	    (cd side && find . -type f -exec cksum {} + | LC_ALL=C sort -k 3) \
	    >"$T/$name.side"
}

# threads COMMAND...: assert that -j 1 and 3 (1, 2 and 5 with WHOLE=1) give the same
# results as no -j.
threads() {
	local cmd=$1 j part some

	shift
	some '1 3' '1 3' '1 2 5'
	run_into one "$cmd" "$@"
	[ -s "$T/one" ] || [ -s "$T/one.err" ] || fail "$cmd $* gives nothing"
	for j in $some; do
		run_into many "$cmd" -j "$j" "$@"
		about "$cmd -j $j $*"
		for part in '' .err .rc .side; do
			same "$T/many$part" "$T/one$part"
		done
	done
}

@test "jobs: ctx-convert" {
	local how

	for how in stop skip keep; do
		threads ctx-convert -v --to anthropic --on-error "$how" bad
		threads ctx-convert -v --to anthropic -b thread_id \
		    --on-error "$how" by-bad
	done
	threads ctx-convert -v --to gemini lines mixed few lines
	threads ctx-convert --strict --to gemini -b thread_id by
	threads ctx-convert --to text lines
	threads ctx-convert --to text --router few
	threads ctx-convert --to openai "${LOGS[@]}" faulty
}

@test "jobs: ctx-clean" {
	local how lean

	export CTX_REDACT_KEY=0123456789abcdef
	lean='--max-result 200 --max-message 300t --ansi --minify --squeeze --dedupe
	    --clear-results=2 --clear-inputs --thinking last --images note
	    --merge-runs'
	for how in stop skip keep; do
		threads ctx-clean -v --on-error "$how" bad
		threads ctx-clean -v -b thread_id --on-error "$how" by-bad
	done
	threads ctx-clean -v lines mixed few lines
	threads ctx-clean --check --json -b thread_id by-bad
	threads ctx-clean --check -v mixed bad faulty
	# shellcheck disable=SC2086
	threads ctx-clean -v $lean lines mixed "${LOGS[@]}" faulty
	# shellcheck disable=SC2086
	threads ctx-clean -v $lean -b thread_id --report side/report by
	threads ctx-clean --redact --report side/report mixed by
	threads ctx-clean --max-result 300 --stash side/kept -b thread_id by
	threads ctx-clean --images out=side/images "${LOGS[@]}"
}

@test "jobs: ctx-truncate" {
	local how

	for how in stop skip keep; do
		threads ctx-truncate -v -n 5 --dropped side/gone \
		    --on-error "$how" bad
		threads ctx-truncate -v -n 5 -b thread_id --dropped side/gone \
		    --on-error "$how" by-bad
	done
	threads ctx-truncate -v -t 900 --note --priority results lines mixed
	threads ctx-truncate -t 200 --partial --dropped side/gone lines few
	threads ctx-truncate -v -n 4 "${LOGS[@]}" faulty
}

@test "jobs: ctx-count" {
	local how

	for how in stop skip keep; do
		threads ctx-count --per-message --on-error "$how" bad
		threads ctx-count --per-conversation --json -b thread_id \
		    --on-error "$how" by-bad
	done
	for how in --by-role --by-tool --histogram '--annotate n' \
	    '--max 2000' --status ''; do
		# shellcheck disable=SC2086
		threads ctx-count $how lines mixed few
		# shellcheck disable=SC2086
		threads ctx-count $how -b thread_id by few
	done
	threads ctx-count --by-tool --json "${LOGS[@]}" faulty
	threads ctx-count -m claude-opus-4-1 --per-conversation lines
}

# --report states times, which differ from run to run.
fold() {
	local rc=0

	ctx-summarize --report side/report "$@" || rc=$?
	[ ! -e side/report ] || edit 's/"ms":[0-9]*/"ms":0/' side/report
	return "$rc"
}

# asks N CONTENT: write N conversations of one message each.
asks() {
	local i

	for ((i = 0; i < $1; i++)); do
		printf '{"messages":[{"role":"user","content":%s}]}\n' "$2"
	done
}

@test "jobs: how well a file was counted is not said of another one" {
	asks 2000 '[{"type":"file","file":{"file_id":"f"}},{"type":"text","text":"see"}]' >"$T/media"
	asks 2000 '"hi there"' >"$T/plain"
	threads ctx-count -q --json "$T/media" "$T/plain"
	cat "$T/plain" "$T/media" >"$T/both"
	threads ctx-truncate -v -t 9 "$T/both"
	threads ctx-summarize -v -t 9 "$T/both"
	has -F 'not counted: o200k_base' "$T/one.err"
}

@test "jobs: tools with as many tokens are in the order in which they come" {
	# the last lines are too few for threads
	for ((i = 1; i <= 3300; i++)); do
		printf '{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"t%04d","arguments":"{}"}}]}]}\n' "$i"
	done >"$T/many-tools"
	threads ctx-count -q --by-tool -e chars "$T/many-tools"
	# also if threads have each other's conversations, in two files
	for f in t u; do
		for ((i = 1000; i < 4000; i++)); do
			printf '{"k":"%d","role":"assistant","content":null,"tool_calls":[{"id":"a%d","type":"function","function":{"name":"%s%d","arguments":"{}"}}]}\n' $((i % 97)) "$i" $f "$i"
		done >"$T/keyed-$f"
	done
	threads ctx-count -q --by-tool -e chars -b k "$T/keyed-t" "$T/keyed-u"
}

@test "jobs: ctx-summarize" {
	local how

	for how in stop skip keep; do
		threads fold -v -t 500 --dropped side/gone \
		    --on-error "$how" bad
		threads fold -v -t 500 -b thread_id --dropped side/gone \
		    --on-error "$how" by-bad
	done
	threads fold -v --all --as system lines mixed few lines
	threads fold -n 4 --as user --dropped side/gone "${LOGS[@]}" faulty
	threads ctx-summarize --to text -t 300 mixed
	threads ctx-summarize --to text -t 300 -b thread_id by
}

@test "jobs: ctx-summarize, when conversations must be handled one after the other" {
	threads fold -n 4 --state side/state -b thread_id by
	threads fold -n 4 --state side/state -b thread_id lines
	threads fold --all --dry-run --url http://127.0.0.1:1/ lines
	threads fold -n 4 --tries 1 --url http://127.0.0.1:1/ \
	    --fallback offline "${LOGS[@]}"
}

# The last argument is the stream, because an operand would be a file to digest.
digest() { ctx-digest-files "${@:1:$#-1}" <"${*: -1}"; }

@test "jobs: ctx-digest-files" {
	local how

	for how in stop skip keep; do
		threads digest -v --on-error "$how" bad
		threads digest -v --writes -b thread_id --on-error "$how" by-bad
	done
	head -n 400 by >some
	threads digest -v -b thread_id --stash side/kept some
	threads digest -v --stash side/kept reads
	threads digest --superseded --tool run_python mixed
	threads digest --keep-recent 2 --writes faulty
}

@test "jobs: in place, -j leaves a file with a bad line unchanged" {
	cp lines "$T/a"
	cp by-bad "$T/b"
	cp mixed "$T/c"
	exits 3 ctx-clean -j 3 -b thread_id --max-result 50 -i "$T/a" "$T/b" "$T/c"
	same "$T/b" by-bad
	ctx-clean -b thread_id --max-result 50 lines >"$T/want"
	same "$T/a" "$T/want"
	ctx-clean -b thread_id --max-result 50 mixed >"$T/want"
	same "$T/c" "$T/want"
}

@test "jobs: a text that cannot be stored ends the file and the output" {
	echo x >"$T/file"
	exits 4 ctx-clean -j 3 --max-result 50 --stash "$T/file" lines
	[ ! -s "$T/out" ]
	exits 4 ctx-digest-files -j 3 --stash "$T/file" <reads
	[ ! -s "$T/out" ]
}
