# ctx-clean --stash and --restore: what is altered is kept, and comes back byte for
# byte.  tests/stash.py has the laws.

setup() {
	load helpers
	common_setup
	# other options for each log: there are 20, with which these have no factor
	some 13 33
}

call() { # ID NAME ARGUMENTS-AS-JSON-STRING
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}\n' "$@"
}
result() { # ID TEXT-AS-JSON
	printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$@"
}
laws() { exits 0 python3 "$ROOT/tests/stash.py" "$BUILD/ctx-clean" "$@"; }

@test "stash: whatever an option alters comes back, of all logs" {
	laws whole "$some" "$DATA"/logs/*.jsonl
}

@test "stash: of random conversations, too, and no text becomes longer" {
	some 6 3 12
	laws random "${SEED:-1}" "${TRIALS:-$some}"
}

@test "stash: of other people's histories, too" {
	other_peoples
	laws whole "$some" "$CTX_DATA"/transcripts/claude-code-small.native.jsonl \
	    "$CTX_DATA"/agents/*/session.*
}

@test "stash: results that are written alike come back as they were" {
	{
		call a f '{}'; result a '{\"ok\":true}'
		call a f '{}'; result a '{\"ok\": true}'
		call b f '{ \"p\": 1 }'; result b '{ \"ok\" : true }'
	} | given
	cp in want
	exits 0 ctx-clean --minify --stash kept in
	[ "$(grep -c '{..ok..:true}' out)" = 3 ]
	[ "$(wc -l <kept/index)" -eq 2 ]
	[ "$(grep -c ' b$' kept/index)" = 1 ]
	hash=$(printf '{ "ok" : true }' | sha256sum | cut -d' ' -f1)
	has "^[0-9a-f]\{64\} $hash b\$" kept/index
	cp out in
	becomes ctx-clean --restore kept
	# without --minify the first is no other result
	cp want in
	exits 0 ctx-clean --max-result 500 --stash kept in
	same out in
	becomes ctx-clean --restore kept
}

@test "stash: arguments and results that were cleared come back" {
	{
		call a f '{ \"p\": 1 }'; result a 'a result that is longer than its note is'
		echo '{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{ "p" : [1.0] }}]}'
		echo '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a result that is longer than its note is"}]}]}'
	} | given
	cp in want
	exits 0 ctx-clean --clear-results=0 --step 0 --clear-inputs --stash kept in
	[ "$(grep -c 'tool result cleared: 40 chars' out)" = 2 ]
	[ "$(grep -c '"arguments":"{}"\|"input":{}' out)" = 2 ]
	cp out in
	becomes ctx-clean --restore kept
}

@test "stash: notes name the path of the file" {
	long=$(printf '%0300d' 7)
	hash=$(printf %s "$long" | sha256sum | cut -d' ' -f1)
	{ call a f '{}'; result a "$long"; call b f '{}'; result b "$long"; } | given
	cp in whole
	{
		call a f '{}'; result a "[tool result cleared: 300 chars, kept in a dir/$hash]"
		call b f '{}'; result b "0000\\n... (truncated, 300 chars total, kept in a dir/$hash)"
	} | wanted
	set -- --clear-results=1 --step 0 --max-result 4 --stash 'a dir'
	becomes ctx-clean "$@" --as path
	# the model opens what it reads there
	printf %s "$long" | cmp - "a dir/$hash"
	cp want in
	stays ctx-clean "$@" --as path
	stays ctx-clean "$@"
	stays ctx-clean --clear-results=1 --step 0 --max-result 4
	cp whole want
	becomes ctx-clean --restore 'a dir'
	# by the path alone
	rm 'a dir/index'
	becomes ctx-clean --restore 'a dir'
	# in other words, and in Chinese
	cp whole in
	{ call a f '{}'; result a "gone: 300, see a dir/$hash"; call b f '{}'; result b "$long"; } | wanted
	becomes ctx-clean --clear-results=1 --step 0 --stash 'a dir' --as path \
	    --note-text 'cleared=gone: {chars}, see {path}'
	{ call a f '{}'; result a "[工具结果已清除：300 个字符，保存在 a dir/$hash]"; call b f '{}'; result b "$long"; } | wanted
	becomes ctx-clean --clear-results=1 --step 0 --stash 'a dir' --as path --lang zh
	cp want in
	cp whole want
	becomes ctx-clean --restore 'a dir'
}

@test "stash: secrets are not kept" {
	secret=$(printf 'AKIA%s' IOSFODNN7EXAMPLF)
	{ call a f "{\\\"k\\\": \\\"$secret\\\"}"; result a "[ \\\"$secret\\\" ]"; call b f '{}'; result b "$secret"; } | given
	export CTX_REDACT_KEY=0123456789abcdef
	ctx-clean --redact in >redacted
	exits 0 ctx-clean --redact --minify --clear-results=1 --step 0 --clear-inputs --stash kept in
	lacks -r "$secret" kept out
	[ "$(grep -c ' b$' kept/index)" = 0 ]
	cp out in
	cp redacted want
	becomes ctx-clean --restore kept
}

@test "stash: two logs that cannot be told apart are an error, and nothing is lost" {
	{ call a f '{}'; result a '[ 1 ]'; } >one
	{ call a f '{}'; result a '[1 ]'; } >two
	exits 0 ctx-clean --minify --stash kept one
	cp out lean
	exits 4 ctx-clean --minify --stash kept two
	says 'ctx-clean: *kept/index has another text for the same place, call a; keep the texts of each log in a folder of its own'
	lacks '\[1\]' out
	exits 0 ctx-clean --restore kept lean
	same out one
	# a log that has grown is the same
	cat one <(call b f '{}'; result b '[ 2 ]') >grown
	exits 0 ctx-clean --minify --stash kept grown
	cp out lean
	exits 0 ctx-clean --restore kept lean
	same out grown
	[ "$(wc -l <kept/index)" -eq 2 ]
	# what two processes have added at the same time
	echo "$(head -c 64 kept/index) $(printf '%064d' 0) a" >>kept/index
	exits 4 ctx-clean --restore kept lean
	says 'ctx-clean: *kept/index has another text for the same place*'
}

@test "stash: a line of the index that was cut short is no harm" {
	{ call a f '{}'; result a '[ 1 ]'; call b f '{}'; result b '{ }'; } >in
	exits 0 ctx-clean --minify --stash kept in
	cp out lean
	cp kept/index whole
	for n in 1 64 100 129 130; do
		head -c "$n" whole >kept/index
		exits 0 ctx-clean --minify --stash kept in
		same out lean
		exits 0 ctx-clean --restore kept lean
		same out in
	done
}

@test "stash: conversations by a member, conversation lines, and threads" {
	{ call a f '{}'; result a '[ 1 ]'; } | sed 's/^{/{"t":1,/' >one
	{ call a f '{}'; result a '[1 ]'; } | sed 's/^{/{"t":2,/' >two
	cat one two >in
	for j in 1 3; do
		exits 0 ctx-clean -j $j -b t --minify --stash by$j in
		cp out lean
		exits 0 ctx-clean -j $j -b t --restore by$j lean
		same out in
	done
	same by1/index by3/index
	jq -sc '{messages: .}' one >lines
	jq -sc '{messages: .}' two >>lines
	for j in 1 3; do
		exits 0 ctx-clean -j $j --minify --stash lines$j lines
		cp out lean
		exits 0 ctx-clean -j $j --restore lines$j lean
		same out lines
	done
	same lines1/index lines3/index
}

@test "stash: a folder of an earlier version" {
	long=$(printf 'caf\303\251 %0200d' 7)
	hash=$(printf %s "$long" | sha256sum | cut -d' ' -f1)
	{ call a f '{}'; result a "0\\n... (truncated, 205 chars total, sha256:$hash)"; } | given
	mkdir kept
	printf %s "$long" >"kept/$hash"
	{ call a f '{}'; result a "$long"; } | wanted
	becomes ctx-clean --restore kept
	# with the text's spelling
	printf '%s' "caf\\u00e9 ${long#* }" >"kept/$hash.json"
	{ call a f '{}'; result a "caf\\u00e9 ${long#* }"; } | wanted
	becomes ctx-clean --restore kept
}
