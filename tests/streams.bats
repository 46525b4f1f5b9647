# shellcheck shell=bash
# The input loop that the filters share: nothing is lost after a bad line or
# file, and memory use depends only on what must be kept.

setup_file() {
	${CC:-cc} -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/atcall.so" \
	    "$BATS_TEST_DIRNAME/fault/atcall.c" -ldl
}

setup() { load helpers; common_setup; }

@test "streams: lines after one of another dialect are not lost" {
	{
		echo '{"role":"user","content":"a"}'
		echo '{"role":"tool","tool_call_id":"x","content":"r"}'
		echo '{"role":"assistant","content":"b"}'
		echo '{"role":"user","content":"c"}'
	} >in
	each=$(stream_commands)
	for c in $each; do
		# shellcheck disable=SC2046
		set -- $(no_change "$c")
		exits 3 "$c" "$@" -d anthropic --on-error skip <in
		sed 2d in >want
		same out want
		exits 3 "$c" "$@" -d anthropic --on-error keep <in
		same out in
	done
}

# failing COMMAND...: assert that when a call fails in the first file, the
# second file has the same result as alone.
failing() {
	python3 - "$BATS_FILE_TMPDIR/atcall.so" "$@" <<-'X'
	import os, shutil, subprocess, sys

	lib, cmd = sys.argv[1], sys.argv[2:]
	base = dict(os.environ, LD_PRELOAD=lib,
	    ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")

	def run(*names, **env):
	    for n in ("a", "b"):
	        shutil.copy(n + ".old", n)
	    p = subprocess.run(cmd + ["-i"] + list(names), env=dict(base, **env),
	        timeout=int(os.environ["DEADLINE"]), capture_output=True)
	    return p.returncode, open("a", "rb").read(), open("b", "rb").read()

	rc, old, wanted = run("b")
	run("a", ATCALL_COUNT="calls")
	bad = 0
	for n in range(1, int(open("calls").read()) + 1):
	    rc, a, b = run("a", "b", ATCALL_N=str(n), ATCALL_ERRNO="28")
	    if b != wanted or rc not in (0, 4):
	        print("call %d: exit %d, b has %d bytes, not %d" % (n, rc, len(b),
	            len(wanted)))
	        bad = 1
	sys.exit(bad)
	X
}

@test "streams: a file that fails does not affect the next one" {
	# the first file ends in an open turn, and is larger than one read
	wide=$(printf 'word %.0s' {1..2000})
	for i in {1..60}; do
		echo '{"role":"assistant","content":"","tool_calls":[{"id":"a'"$i"'","type":"function","function":{"name":"f","arguments":"{}"}}]}'
		echo '{"role":"tool","tool_call_id":"a'"$i"'","content":"'"$wide"'"}'
	done >a.old
	sed -n 1p a.old >>a.old
	for i in {1..30}; do
		echo '{"role":"user","content":"'"$i $wide"'"}'
		echo '{"role":"tool","tool_call_id":"orphan","content":"'"$wide"'"}'
	done >b.old
	failing ctx-clean --max-message 100
	failing ctx-clean --clear-results=1 --step 0 --max-message 100
	failing ctx-truncate -n 3
	failing ctx-summarize -n 3
}

# --- memory --------------------------------------------------------------------

# peak LIMIT COMMAND...: assert that it uses at most LIMIT MiB for $T/in.  There
# is no limit with sanitizers, which use memory of their own.
peak() {
	case $BUILD in
	*asan*)
		shift
		"$@" <in >out
		return
		;;
	esac
	python3 - "$@" <<-'X'
	import os, sys

	limit, cmd = int(sys.argv[1]), sys.argv[2:]
	pid = os.fork()
	if pid == 0:
	    os.dup2(os.open("in", os.O_RDONLY), 0)
	    os.dup2(os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
	    os.execvp(cmd[0], cmd)
	_, status, usage = os.wait4(pid, 0)
	unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
	peak = usage.ru_maxrss / unit
	if status != 0 or peak > limit:
	    sys.exit("%s: status %d, %.1f MiB, more than %d" % (cmd, status, peak,
	        limit))
	X
}

@test "streams: two million blank lines take little memory" {
	yes '' | head -n 1000000 >blank
	{
		cat blank
		echo '{"role":"user","content":"hi"}'
		cat blank
	} >in
	each=$(stream_commands)
	for c in $each; do
		# shellcheck disable=SC2046
		peak 24 "$c" $(no_change "$c")
		same out in
	done
	peak 24 ctx-truncate -n 3
	same out in
	peak 24 ctx-clean --clear-results
	same out in
	peak 24 ctx-convert --to anthropic
}

@test "streams: metadata that exceeds the memory goes to a file, and keeps its order" {
	for ((i = 0; i < 1000; i++)); do
		printf '{"type":"progress","n":%d,"text":"%0200d"}\n' "$i" 0
	done >some
	for i in {1..100}; do cat some; done >meta
	{
		cat meta
		echo '{"role":"user","content":"one"}'
		echo '{"role":"user","content":"two"}'
		cat meta
	} >in
	# those before the first message stay, those after it belong to the last
	# one
	{
		cat meta
		echo '{"role":"user","content":"two"}'
		cat meta
	} >want
	peak 24 ctx-truncate -n 1
	same out want
	# if there is no place for a file, this is reported
	mkdir none
	rmdir none
	TMPDIR=$T/none exits 4 ctx-truncate -n 1 in
	says "ctx-truncate: *cannot create a temporary file in $T/none: No such file or directory"
}

@test "streams: interleaved windows that exceed the memory keep their order" {
	python3 - <<-'X'
	import random
	random.seed(5)
	keep, lines, seen = 7, [], {}
	for i in range(60000):
	    k = random.randrange(500)
	    lines.append('{"t":"k%d","role":"user","content":"%d %s"}\n' % (k, i,
	        "w" * random.randrange(600)))
	    seen.setdefault(k, []).append(i)
	stay = sorted(i for v in seen.values() for i in v[-keep:])
	open("in", "w").writelines(lines)
	open("want", "w").writelines(lines[i] for i in stay)
	X
	peak 24 ctx-truncate --by t -n 7
	same out want
	# together with the dropped messages, this is the input
	exits 0 ctx-truncate --by t -n 7 --dropped dropped in
	same out want
	sort in >all
	sort out dropped | cmp - all
}

@test "streams: a reference to a text far back is resolved when the text is in a file" {
	long=$(printf 'line of a text %.0s' {1..40})
	sum=$(printf '%s' "$long" | { sha256sum 2>/dev/null || shasum -a 256; } |
	    cut -c 1-16)
	awk -v text="$long" 'BEGIN { for (i = 0; i < 3000; i++) {
		printf "{\"t\":%d,\"role\":\"user\",\"content\":\"%s\"}\n", i, text
		printf "{\"t\":%d,\"role\":\"assistant\",\"content\":\"%d %01000d\"}\n",
		    i, i, 0
	} }' >in
	seq 0 2999 | sed "s/.*/{\"t\":&,\"role\":\"user\",\"content\":\"[same text as sent before: sha256:$sum, ${#long} chars]\"}/" >>in
	# the text that a reference needs stays, and one more message
	grep -v '"assistant"' in >want
	exits 0 ctx-truncate --by t -n 2 in
	same out want
}

@test "streams: a note in a side conversation belongs to it" {
	for i in {1..6}; do
		printf '{"type":"user","uuid":"s%d","isSidechain":true,"agentId":"a1","sessionId":"s","message":{"role":"user","content":"%d"}}\n' \
		    "$i" "$i"
	done >in
	exits 0 ctx-truncate -n 2 --note in
	[ "$(jq -c '[.isSidechain, .agentId]' out | sort -u)" = '[true,"a1"]' ]
	[ "$(wc -l <out)" -eq 3 ]
}

# --- ratios ----------------------------------------------------------------------

@test "streams: all commands accept a ratio as .5, 0.5 or 50 %" {
	for i in {1..40}; do
		echo '{"role":"user","content":"number '"$i"' of the list"}'
	done >in
	for r in .5 0.5 50% 0.500 50.0%; do
		export CONTEXT_WINDOW_TOKENS=6500
		exits 0 ctx-truncate --ratio "$r" --step "$r" in
		wc -l <out >>truncated
		exits 0 ctx-summarize -t 300 --trigger "$r" --target "$r" in
		cksum <out >>summarized
		unset CONTEXT_WINDOW_TOKENS
		exits 0 env CONTEXT_WINDOW_TOKENS=6500 \
		    HISTORY_TOKEN_BUDGET_RATIO="$r" ctx-truncate --step "$r" in
		wc -l <out >>truncated
		exits 0 env SUMMARIZATION_TRIGGER_RATIO="$r" \
		    SUMMARIZATION_TARGET_RATIO="$r" ctx-summarize -t 300 in
		cksum <out >>summarized
		echo '{"id":"1","role":"user","content":"hi"}' >m
		rm -f db
		CTX_DB=$T/db ctx-store append s m
		CTX_DB=$T/db exits 0 ctx-store relevant s --question hi -t 100 --recent "$r"
	done
	[ "$(sort -u truncated | wc -l)" -eq 1 ]
	[ "$(sort -u summarized | wc -l)" -eq 1 ]
	for r in '' . % 5% 101% 1.01 -0.5 0,5 5e-1 ' .5'; do
		if [ "$r" = 5% ]; then continue; fi
		exits 2 ctx-truncate -m gpt-4o --ratio "$r" in
		exits 2 ctx-summarize --trigger "$r" in
		exits 2 ctx-summarize --target "$r" in
	done
}

# --- failed reads and damaged stashes ----------------------------------------------

@test "streams: what was read before a failure is written, also with threads" {
	awk 'BEGIN { for (i = 0; i < 20000; i++) printf \
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"number %d %0100d\"}]}\n", \
	    i, 0 }' >in
	for j in 1 2; do
		exits 4 env LD_PRELOAD="$BATS_FILE_TMPDIR/atcall.so" \
		    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
		    ATCALL_NAME=read ATCALL_N=4 ATCALL_ERRNO=5 \
		    ctx-convert --to openai -j "$j" in
		says 'ctx-convert: in: cannot read: *'
		[ "$(wc -l <out)" -gt 100 ]
		cp out "out$j"
	done
	same out1 out2
}

@test "streams: a damaged text is reported instead of restored" {
	long=$(printf 'a line of a result %.0s' {1..40})
	{
		echo '{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
		echo '{"role":"tool","tool_call_id":"c","content":"'"$long"'"}'
		echo '{"role":"assistant","content":"","tool_calls":[{"id":"d","type":"function","function":{"name":"f","arguments":"{}"}}]}'
		echo '{"role":"tool","tool_call_id":"d","content":"\u0041'"$long"'"}'
	} >in
	exits 0 ctx-clean --max-result 50 --stash dir in
	cp out short
	exits 0 ctx-clean --restore dir short
	same out in
	for f in dir/*; do
		# of the second text the spelling was kept, too, and is what
		# is restored; a line of the index is not of any text
		case $f,$(head -c 1 "$f") in
		*.json,* | *,a) ;;
		*) continue ;;
		esac
		cp "$f" whole
		tr a b <whole >"$f"
		exits 4 ctx-clean --restore dir short
		says 'ctx-clean: *is damaged'
		cp whole "$f"
	done
	exits 0 ctx-clean --restore dir short
	same out in
}

# --- what is not understood ------------------------------------------------

# Four records that no dialect knows, among two messages.
strange() {
	cat >in <<-'END'
	{"role":"user","content":"hi"}
	{"role":"narrator","content":"hi"}
	{"content":"hi"}
	{"role":"user","content":{"a":1}}
	"hi"
	{"role":"assistant","content":"yo"}
	END
}

WERE='4 records are not messages and were'
NAMES='(first: line 2); ctx-clean --check names each'

@test "streams: who drops or cannot count a record says so once, by count" {
	strange
	exits 0 ctx-count in
	has -Fx "ctx-count: in: $WERE not counted $NAMES" "$T/err"
	exits 0 ctx-convert --to anthropic in
	has -Fx "ctx-convert: in: $WERE left out $NAMES" "$T/err"
	exits 0 ctx-truncate -e chars -t 9 in
	has -Fx "ctx-truncate: in: $WERE not counted $NAMES" "$T/err"
	exits 0 ctx-truncate -n 1 in
	has -Fx "ctx-truncate: in: $WERE kept or dropped with the message before them $NAMES" \
	    "$T/err"
	exits 0 ctx-summarize -e chars --tokens 1000 in
	has -Fx "ctx-summarize: in: $WERE not counted $NAMES" "$T/err"
}

@test "streams: what passes through, and -q, are silent about strange records" {
	strange
	for c in ctx-clean ctx-digest-files 'ctx-truncate -n 9'; do
		# shellcheck disable=SC2086
		exits 0 $c <in
		quiet
		same "$T/out" in
	done
	for c in ctx-count 'ctx-convert --to openai' 'ctx-truncate -n 1'; do
		# shellcheck disable=SC2086
		exits 0 $c -q <in
		quiet
	done
}

@test "streams: each file is told of by itself, and threads tell the same" {
	strange
	{ cat in; printf '7\n'; } >in2
	exits 0 ctx-count in in2
	has -F "in: 4 records" "$T/err"
	has -F "in2: 5 records" "$T/err"
	for i in 1 2 3; do
		while IFS= read -r line; do
			printf '{"c":%d,"m":%s}\n' $i "$line"
		done <in
	done | jq -c 'if (.m|type) == "object" then .m + {c} else .m end' >by
	for i in $(seq 3000); do
		printf '{"messages":[{"role":"user","content":"%d"},{"role":"x"}]}\n' \
		    "$i"
	done >many
	for j in 1 2; do
		exits 0 ctx-convert -j $j --by c --to gemini by
		has -F "by: 12 records are not messages" "$T/err"
		has -F '(first: line 2)' "$T/err"
		exits 0 ctx-count -j $j -e chars many
		has -F "many: 3000 records are not messages" "$T/err"
		has -F '(first: line 1)' "$T/err"
		exits 0 ctx-convert -j $j --to gemini many
		has -F "many: 3000 records are not messages" "$T/err"
	done
}

@test "streams: --check finds each strange record and element" {
	strange
	exits 1 ctx-clean --check in
	printf 'in:%s:1: error[unknown-record]: record is not a message of any dialect\n' \
	    2 3 4 5 >want
	same "$T/out" want
	printf '{"messages":[{"role":"user","content":"hi"},{"role":"x"},"y"]}\n' >in
	exits 1 ctx-clean --check in
	printf 'in:1:%s: error[unknown-record]: record is not a message of any dialect\n' \
	    45 58 >want
	same "$T/out" want
}

@test "streams: what a known log holds besides messages is not strange" {
	printf '%s\n' '{"type":"some-mode","sessionId":"s"}' \
	    '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}' \
	    '{"type":"new-kind","x":1}' '{"y":2}' >in
	exits 0 ctx-clean --check in
	exits 0 ctx-count in
	quiet
	printf '%s\n' '{"timestamp":"t","type":"session_meta","payload":{"id":"s"}}' \
	    '{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}' \
	    '{"timestamp":"t","type":"new_kind","payload":{"a":1}}' >in
	exits 0 ctx-clean --check in
	exits 0 ctx-count in
	quiet
}

@test "streams: a file without a message is a warning of every filter" {
	printf '{"type":"session","version":3}\n{"type":"message","message":{"role":"user"}}\n' \
	    >in
	said='no message in 2 records'
	for c in ctx-clean ctx-count ctx-truncate ctx-digest-files ctx-summarize; do
		exits 0 $c <in
		has -F "$c: (standard input): $said; ctx-stream(5)" "$T/err"
		exits 0 $c -q <in
		quiet
	done
	exits 1 ctx-clean --check in
	has -Fx "in:1:1: error[no-message]: $said" "$T/out"
	exits 1 ctx-clean --check --json in
	has -F '"rule":"no-message"' "$T/out"
	exits 1 ctx-count --max 100 in
	has -F "in: $said" "$T/err"
	exits 3 ctx-convert --to openai in
	has -F "in: $said" "$T/err"
	exits 3 ctx-convert --to openai --request -m gpt-4o in
	# nothing, and blank lines, are no records
	for blank in '' '\n\n'; do
		printf '%b' "$blank" >in
		exits 0 ctx-clean --check in
		exits 0 ctx-count --max 100 in
		exits 0 ctx-convert --to openai in
		quiet
	done
}

@test "streams: a conversation of which nothing is left to convert" {
	{
		printf '{"messages":[{"role":"tool","tool_call_id":"c","content":"r"}]}\n'
		printf '{"messages":[{"role":"user","content":"hi"}]}\n'
	} >in
	exits 3 ctx-convert --to anthropic in
	has -Fx 'ctx-convert: in:1: nothing of the conversation is left to convert' \
	    "$T/err"
	printf '{"messages":[{"role":"user","content":"hi"}]}\n' >want
	same "$T/out" want
}

@test "streams: sessions of programs that are not known do not pass as checked" {
	other_peoples
	n=0
	# what agents keep besides their messages
	for f in "$CTX_DATA"/agents/{{nanocoder,continue}/session.sessions,cline/session.*[!s]}.json; do
		about "$f"
		exits 1 ctx-clean --check "$f"
		has -F 'error[no-message]' "$T/out"
		exits 1 ctx-count --max 100 -e chars "$f"
		exits 3 ctx-convert --to openai --request -m gpt-4o "$f"
		exits 0 ctx-truncate -e chars -t 2k "$f"
		has -F ': no message in ' "$T/err"
		n=$((n + 1))
	done
	[ "$n" -eq 4 ]
}

@test "streams: --by says if no message has the member" {
	given <<-'X'
	{"role":"user","content":"u"}
	{"cid":1,"no":"message"}
	X
	for c in "ctx-clean" "ctx-truncate -n 9" "ctx-convert --to openai" \
	    "ctx-clean -j 2"; do
		exits 0 $c --by cid in
		says "${c%% *}: in: no message has the member cid of --by, so all are one conversation"
	done
	# what is a conversation itself needs no member
	for line in '{"cid":1,"role":"user","content":"u"}' \
	    '{"messages":[{"role":"user","content":"u"}]}'; do
		echo "$line" >in
		exits 0 ctx-clean --by cid in
		quiet
	done
}
