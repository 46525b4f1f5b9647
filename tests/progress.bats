# What a terminal shows of the progress of a command that takes longer than a
# second.  A library makes the clock go fast (tests/fault/clock.c).  The filters are
# in contract.bats.

setup_file() {
	[ "$(uname)" = Linux ] || return 0
	${CC:-cc} -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/clock.so" \
	    "$BATS_TEST_DIRNAME/fault/clock.c" -ldl
}

setup() {
	load helpers
	common_setup
	[ "$(uname)" = Linux ] || skip "no LD_PRELOAD of glibc here"
	native
	export TERM=xterm COLUMNS=80 CTX_DB=$T/db FAST=$BATS_FILE_TMPDIR/clock.so
}

# shown COMMAND: what the terminal shows of it, a state on each line, in out.
shown() {
	about "$1"
	on_terminal "LD_PRELOAD=\$FAST ASAN_OPTIONS=verify_asan_link_order=0 $1" |
	    tr '\r' '\n' | grep . >out || :
}

# leaves COMMAND PATTERN: it shows lines like the pattern, and none is left.
leaves() {
	shown "$1"
	grep -q "^$2$(printf '\033')\[K\$" out || fail "$(head -c 500 out)"
	# the last word on it is to erase it
	has -q "^$(printf '\033')\[K[^$(printf '\033')]*\$" out
	tail -n 2 out | grep -q "^$(printf '\033')\[K" || fail "$(tail -n 3 out)"
}

# hides COMMAND: it shows nothing of it.
hides() {
	shown "$1"
	lacks "$(printf '\033')\[K" out
}

# messages N: that many, in the file in.
messages() {
	seq "$1" | awk '{ printf "{\"role\":\"%s\",\"content\":\"word%d of many\"}\n",
	    $1 % 2 ? "user" : "assistant", $1 }' >in
}

@test "progress: what reads a file shows its share" {
	messages 3000
	leaves 'ctx-store append S in' 'in: [0-9.]* [kM]B of [0-9.]* kB, [0-9.]* k*B/s, [0-9]* s left'
	exits 0 ctx-store export
	cp out export
	leaves 'ctx-store --db other import export' 'export: [0-9.]* [kM]B of .* s left'
	leaves 'ctx-store --db third import --verify export' 'export: [0-9.]* [kM]B of .* s left'
	# of what comes from a pipe nobody knows the size
	leaves 'sh -c "cat in | ctx-store append T"' 'ctx-store append: [0-9]* lines*, [0-9.]* k*B, [0-9.]* k*B/s'
	hides 'sh -c "cat in | ctx-store append -q U"'
	hides 'ctx-store append -q T in'
	hides 'ctx-store append T in 2>/dev/null'
}

@test "progress: what works in the store shows how much, or how long" {
	messages 3000
	ctx-store append --no-index S in
	leaves 'ctx-store reindex' 'ctx-store reindex: [0-9]*\( messages*\)*[0-9, ]* s'
	leaves 'ctx-store check --full' 'ctx-store check: [0-9]* s'
	leaves 'ctx-store vacuum' 'ctx-store vacuum: [0-9]* s'
	leaves 'ctx-store backup copy' 'ctx-store backup: [0-9]* s'
	hides 'ctx-store backup -q copy2'
	leaves 'ctx-store export >x' 'ctx-store export: [0-9.]* [kM]*B, [0-9.]* [kM]*B/s'
	leaves 'ctx-store load S >x' 'ctx-store load: [0-9.]* [kM]*B, [0-9.]* [kM]*B/s'
	same x in
	leaves 'ctx-store search --substring nowhere' 'ctx-store search: [0-9]* s'
	# results and progress are not mixed on one terminal
	shown 'ctx-store load S'
	sed "s/^$(printf '\033')\[K//" out | grep '^{' >lines
	same lines in
	for c in reindex 'check --full' vacuum 'export' 'load S'; do
		hides "ctx-store $c -q >x"
		hides "ctx-store $c >x 2>/dev/null"
	done
	# what waits for more is done with what there was
	leaves 'timeout 0.5 ctx-store load S --follow >x' 'ctx-store load: .*'
}

@test "progress: ctx-diff and pages of ctx-show are late, so a terminal shows it" {
	seq 3000 | awk '{ printf "{\"role\":\"user\",\"content\":\"%d %0900d\"}\n", $1, 0 }' >in
	leaves 'ctx-diff --no-pager in in' 'in: [0-9.]* MB of 2.8 MB, .* s left'
	leaves 'ctx-show --html page in' 'in: [0-9.]* MB of 2.8 MB, .* s left'
	leaves 'ctx-show in >text' 'in: [0-9.]* MB of 2.8 MB, .* s left'
	hides 'ctx-diff -q --no-pager in in'
	hides 'ctx-show -q --html page in'
	# what is printed as it is read leaves no room
	hides 'ctx-show --no-pager in'
}

# serve: start a server that lets people wait, on $url.
serve() {
	cat >server.py <<-'END'
	import http.server, json, threading
	class Slow(http.server.BaseHTTPRequestHandler):
	    def do_POST(self):
	        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
	        if "input" in asked:
	            threading.Event().wait(0.7)
	            body = {"data": [{"index": i, "embedding": [1.0, i]}
	                             for i in range(len(asked["input"]))]}
	        else:
	            # libcurl looks at its clock at least once a second
	            threading.Event().wait(1.2)
	            body = {"choices": [{"finish_reason": "stop", "message":
	                {"role": "assistant", "content": "word2 word4"}}]}
	        body = json.dumps(body).encode()
	        self.send_response(200)
	        self.send_header("Content-Length", str(len(body)))
	        self.end_headers()
	        self.wfile.write(body)
	    def log_message(self, *_):
	        pass
	server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
	print(server.server_port, flush=True)
	server.serve_forever()
	END
	rm -f port
	python3 server.py >port 3>&- &
	until_true [ -s port ]
	url=http://127.0.0.1:$(cat port)/v1
}

@test "progress: an answer that is awaited, and vectors" {
	serve
	messages 200
	ctx-store append S in
	leaves "ctx-store embed --url $url --ask-model m" \
	    'ctx-store embed: waiting for m, [0-9]* s'
	grep -q '^ctx-store embed: [0-9]* vectors, [0-9]* s' out
	# a message of the helper is on a line of its own
	kill $!
	shown "ctx-store embed --all --url $url --tries 1 --ask-model m"
	lacks -q 'sctx-embed' out
	serve
	sed '21,$d' in >few
	leaves "ctx-summarize --all --ask-model some-model --url $url few >x" \
	    'ctx-summarize: waiting for some-model, [0-9]* s'
	leaves "ctx-summarize -j 2 --all --ask-model some-model --url $url few >x" \
	    'ctx-summarize: waiting for some-model, [0-9]* s'
	hides "ctx-summarize -q --all --ask-model some-model --url $url few >x"
	kill $!
}
