# What comes from outside cannot act on a terminal through messages and reports.

setup() { load helpers; common_setup; }

# A name with ESC, CSI (U+009B), a line end, an override and an isolate of
# direction, a mark, a joiner and a tag, and how each is written.
evil_name() {
	NAME=$(printf 'a\033[31m\302\233b\342\200\256c\342\201\246d\342\200\216e')
	NAME+=$(printf '\342\200\215f\363\240\201\201g')
	SAFE='a\x1b[31m\xc2\x9bb\u202ec\u2066d\u200ee\u200df\U000e0041g'
}

# safe: there is nothing in the messages that could act on a terminal.
safe() {
	python3 - "$@" <<-'X'
	import re, sys
	for name in sys.argv[1:]:
	    text = open(name, encoding="utf-8").read()
	    bad = re.findall("[^\n\t -~\u00a0-\uffff]|[\u00ad\u061c\u180e"
	        "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]", text)
	    if bad or not text:
	        sys.exit("%s: %r in %r" % (name, bad, text[:300]))
	X
}

@test "terminal: names of files are escaped in messages of every command" {
	evil_name
	each=$(reading_commands)
	for c in $each; do
		about "$c"
		# shellcheck disable=SC2046
		set -- $(no_change "$c")
		# a file that is missing, one that is a folder, one with a bad line
		rm -rf "$NAME"
		rc=0; "$c" "$@" "$NAME" >out 2>err || rc=$?
		[ "$rc" -ne 0 ]
		has -F "$SAFE" err
		safe err
		mkdir "$NAME"
		rc=0; "$c" "$@" "$NAME" >out 2>err || rc=$?
		[ "$rc" -ne 0 ]
		safe err
		rmdir "$NAME"
	done
	printf '{"role":"user","content":"a"}\n{bad\n' >"$NAME"
	exits 3 ctx-clean "$NAME"
	has -F "$SAFE:2:" err
	safe err
	exits 3 ctx-clean --check "$NAME"
	safe out err
}

@test "terminal: options, variables and what files say are escaped" {
	evil_name
	echo '{"role":"user","content":"a"}' >in
	for o in "--no-such-$NAME" --dialect="$NAME" --by= -"$NAME"; do
		rc=0; ctx-clean "$o" in >out 2>err || rc=$?
		[ "$o" = --by= ] || [ "$rc" -eq 2 ]
		[ ! -s err ] || safe err
	done
	CTX_LOG=$NAME/x exits 0 ctx-count in
	has -F "CTX_LOG: $SAFE/x: " err
	safe err
	exits 4 ctx-clean --stash "$NAME/no" --ansi in
	safe err
	exits 4 ctx-clean --restore "$NAME" in
	safe err
	exits 4 ctx-clean --report "$NAME/no" in
	safe err
	exits 2 ctx-clean --redact --redact-rules "$NAME" in
	safe err
	rc=0; ctx-count -m "$NAME" in >out 2>err || rc=$?
	[ ! -s err ] || safe err
	rc=0; ctx-summarize --state "$NAME/no" --all in >out 2>err || rc=$?
	[ "$rc" -eq 4 ]
	safe err
	exits 1 ctx-store --db "$NAME/no/db" load s
	safe err
}

@test "terminal: what a history says is escaped in findings, losses and shown text" {
	evil_name
	python3 - "$NAME" <<-'X'
	import json, sys
	n = sys.argv[1]
	dump = lambda x: json.dumps(x, ensure_ascii=False)
	with open("in", "w") as f:
	    print(dump({"role": "user", "content": "a", n: 1}), file=f)
	    print(dump({"role": "assistant", "content": None, "tool_calls": [
	        {"id": n, "type": "function", "function":
	            {"name": n, "arguments": "{}"}}]}), file=f)
	    print(dump({"role": "tool", "tool_call_id": "x" + n,
	        "content": n}), file=f)
	with open("sse", "w") as f:
	    f.write("data: " + dump({"choices": [{"delta": {"content":
	        "\u202eabc\u2066\u009b31m\u001b[31m"}}]}) + "\n\ndata: [DONE]\n\n")
	X
	exits 1 ctx-clean --check in
	safe out
	exits 0 ctx-convert --to anthropic in
	safe err
	rc=0; ctx-convert --from response --follow-text sse >out 2>err || rc=$?
	has -F '\u202eabc\u2066\xc2\x9b31m\x1b[31m' err
	safe err
	exits 0 ctx-count --by-tool in
	safe out
	# joiners are parts of emoji and of words
	printf 'data: {"choices":[{"delta":{"content":"\360\237\221\250\342\200\215\360\237\221\251"}}]}\n\ndata: [DONE]\n\n' >sse
	rc=0; ctx-convert --from response --follow-text sse >out 2>err || rc=$?
	has "$(printf '\360\237\221\250\342\200\215\360\237\221\251')" err
	printf 'a\342\200\256b\303\251\302\233' >text
	exits 0 ctx-count --show text
	has -F '\u202e' out
	has -F '\xc2\x9b' out
	has "$(printf '\303\251')" out
	safe out
}
