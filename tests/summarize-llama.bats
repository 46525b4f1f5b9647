# shellcheck shell=bash
# ctx-summarize with a real engine: llama.cpp from npm's prebuilt
# node-llama-cpp, with a model that a script writes here
# (tests/stub/mkmodel.py).  Tokens, usage, streaming and limits are real; the
# model always says the same sentence.
#
# CTX_LLAMA_NODE_MODULES is a folder filled by
#	npm install --ignore-scripts --omit=optional node-llama-cpp \
#	    @node-llama-cpp/linux-x64

setup() {
	load helpers
	common_setup
	[ -d "${CTX_LLAMA_NODE_MODULES:-}/node-llama-cpp" ] ||
	    skip "CTX_LLAMA_NODE_MODULES has no node-llama-cpp"
	python3 "$ROOT/tests/stub/mkmodel.py" model.gguf
	mkfifo life
	node "$ROOT/tests/stub/llama.mjs" "$CTX_LLAMA_NODE_MODULES" \
	    model.gguf sk-test-0123456789 8192 <life >port 2>node.err 3>&- &
	exec 9>life
	until_true [ -s port ]
	PORT=$(cat port)
	echo sk-test-0123456789 >key
	for i in {1..8}; do
		echo '{"role":"user","content":"Request '"$i"' for class 7B."}'
		echo '{"role":"assistant","content":"Result '"$i"': done."}'
	done >in
}

teardown() { exec 9>&-; }

ask() {
	ctx-summarize -t 150 --key-file key --ask-model toy \
	    --url "http://127.0.0.1:$PORT/v1" "$@"
}

sentence="Summary: the user chose class 7B-2024 and asked for a report."

@test "summarize: a real engine: an answer, and its token counts" {
	exits 0 ask --report r in
	[ "$(jq -r .content out | sed -n 2p)" = "$sentence" ]
	[ "$(jq -c '[.result, .tries, .output_tokens, .prompt_tokens > 500]' \
	    r)" = '["folded",1,11,true]' ]
	tail -n 4 in | cmp - <(tail -n 4 out)
}

@test "summarize: a real engine: a streamed answer" {
	exits 0 ask --stream --report r in
	[ "$(jq -r .content out | sed -n 2p)" = "$sentence" ]
	[ "$(jq -c '[.tries, .output_tokens]' r)" = '[1,11]' ]
}

@test "summarize: a real engine: a truncated answer is refused" {
	exits 5 ask --set max_tokens=4 in
	same out in
	says "*the answer was cut*"
	exits 5 ask --stream --set max_tokens=4 in
	same out in
}

@test "summarize: a real engine: a prompt that is too long fits in parts" {
	yes 'and so on and so on' | head -n 500 | jq -cRs \
	    '{role: "user", content: .}' | cat - in >long
	# the server says by how much
	exits 0 ask --max-tokens 100 --report r long
	says "*a request of about * tokens is too long for the model; asking again with *"
	[ "$(jq '.tries > 2 and .prompt_tokens > 8192' r)" = true ]
	# its tokens are bytes and ours are not, so allow a fifth of the window
	exits 0 ask --ask-window 1100 --max-tokens 100 --report r long
	[ "$(jq '.tries > 2' r)" = true ]
}

@test "summarize: a real engine: a wrong key" {
	echo sk-other >key
	exits 5 ask in
	same out in
	says "*HTTP 401: Incorrect API key provided"
}
