#!/usr/bin/env bats
# shellcheck shell=bash
# ctx-summarize with an endpoint that fails (tests/stub/faultd.py).  The output
# is always either a new summary or the input, byte for byte.

setup() { load helpers; load endpoint; common_setup; endpoint; }
teardown() { exec 9>&-; }

# row FAULT EXIT REQUESTS WHAT [OPTION ...]: WHAT is "same" (the output is the
# input) or "new" (it has the server's summary).  Rows run in parallel.  Each
# must end within 15 seconds, which is less than any limit that it should not
# reach.
row() {
	local fault=$1 code=$2 requests=$3 what=$4 got=0 start=$SECONDS n
	local id=$BASHPID

	shift 4
	ctx-summarize -t 2000 --url "http://127.0.0.1:$PORT/$fault/$id" \
	    --ask-model m --idle 2s --timeout 8s "$@" \
	    <"$T/in" >"$T/$id.out" 2>"$T/$id.err" || got=$?
	n=$(grep -c "\"path\": \"/$fault/$id/" "$T/log") || :
	{
		[ "$got" -eq "$code" ] || echo "exit $got, not $code"
		[ "$n" -eq "$requests" ] || echo "$n requests, not $requests"
		[ $((SECONDS - start)) -le 15 ] ||
		    echo "took $((SECONDS - start)) s"
		if [ "$what" = same ]; then
			cmp "$T/in" "$T/$id.out"
		else
			grep -q '"\[Context: Summary of earlier conversation' \
			    "$T/$id.out" || echo "no summary"
			grep -q 'class 7B' "$T/$id.out" ||
			    echo "not the server's summary"
		fi
		[ "$code" -eq 0 ] || [ -s "$T/$id.err" ] || echo "silent"
	} 2>&1 | sed "s/^/$fault $*: /" >"$T/$id.bad"
}

# Start the rows on standard input in parallel and wait for all of them.
rows() {
	local line pid pids=()

	: >>"$T/log"
	while read -r line; do
		case $line in "" | "#"*) continue ;; esac
		# shellcheck disable=SC2086
		row $line 3>&- &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid"
	done
	cat "$T"/*.bad
	[ -z "$(cat "$T"/*.bad)" ]
}

@test "summarize: complete answers, in any encoding" {
	rows <<-'END'
		ok 0 1 new
		ok-parts 0 1 new
		ok-gzip 0 1 new
		ok-unsized 0 1 new
		ok-chunked 0 1 new
		ok-spaced 0 1 new
		anthropic 0 1 new --api anthropic
		ollama 0 1 new --api ollama
	END
}

@test "summarize: retries where that can help" {
	rows <<-'END'
		429-once 0 2 new
		429-twice 0 3 new
		429-date 0 2 new
		408-once 0 2 new
		409-once 0 2 new
		503-once 0 2 new
		529-once 0 2 new
		close-once 0 2 new
		empty-once 0 2 new
		failed-once 0 2 new
		error-busy-once 0 2 new
		sse-busy-once 0 2 new --stream
		length-once 0 2 new
		500 5 3 same
		502-html 5 3 same
		close-before 5 3 same
		reset-before 5 3 same
		reset-body 5 3 same
		cut-length 5 3 same
		cut-chunked 5 3 same
		cut-unsized 5 3 same
		empty 5 3 same
		500 5 1 same --tries 1
	END
}

@test "summarize: gives up at once where a retry cannot help" {
	rows <<-'END'
		429-day 5 1 same
		400-control 5 1 same
		401 5 1 same
		403 5 1 same
		404 5 1 same
		422 5 1 same
		204 5 1 same
		redirect-301 5 1 same
		redirect-307 5 1 same
		not-http 5 1 same
		anthropic-error 5 1 same --api anthropic
		ollama-error 5 1 same --api ollama
	END
	run ! grep -q steal "$T/log"
	run ! grep -q $'\x1b' "$T"/*.err
}

# results N: print a history of N calls with results of 1,400 tokens.
results() {
	local i

	echo '{"role":"user","content":"Read the 7B files."}'
	for ((i = 1; i <= $1; i++)); do
		printf '{"role":"assistant","tool_calls":[{"id":"c%d",%s}]}\n' $i \
		    '"type":"function","function":{"name":"read","arguments":"{}"}'
		printf '{"role":"tool","tool_call_id":"c%d","content":"begin %d %send %d"}\n' \
		    $i $i "$(printf 'of the file %.0s' {1..350})" $i
	done
}

@test "summarize: what is too long for the model is asked in less" {
	rows <<-'END'
		long-openai 0 5 new --all --max-tokens 100
		long-vllm 0 5 new --all --max-tokens 100
		long-anthropic 0 5 new --all --max-tokens 100 --api anthropic
		long-gemini 0 5 new --all --max-tokens 100
		long-llama 0 5 new --all --max-tokens 100
		long-ollama 0 5 new --all --max-tokens 100
		long-large 0 5 new --all --max-tokens 100
		400-context 5 2 same
	END
	# not for ever
	results 12 >"$T/in"
	exits 5 ctx-summarize --all --max-tokens 16 \
	    --url "http://127.0.0.1:$PORT/400-context/s" "$T/in"
	same "$T/out" "$T/in"
	[ "$(grep -c '/400-context/s/' "$T/log")" -eq 4 ]
	# older results are shortened first, by the server's numbers
	results 3 >"$T/in"
	exits 0 ctx-summarize --all --max-tokens 100 \
	    --url "http://127.0.0.1:$PORT/long-results/t" "$T/in"
	says "*a request of about * tokens is too long for the model; asking again with *"
	[ "$(grep -c '/long-results/' "$T/log")" -eq 2 ]
	tail -n 1 "$T/log" | jq -r .body | jq -r '.messages[1].content' >"$T/asked"
	[ "$(grep -c '^\.\.\. (truncated' "$T/asked")" -eq 2 ]
	grep -q 'end 3$' "$T/asked"
}

@test "summarize: incomplete and invalid answers are refused" {
	rows <<-'END'
		bad-utf8 5 1 same
		lone-surrogate 5 1 same
		nul 5 1 same
		html 5 1 same
		two-values 5 1 same
		error-string 5 1 same
		error-object 5 1 same
		empty-object 5 1 same
		array 5 1 same
		empty-text 5 1 same
		blank-text 5 1 same
		null-text 5 1 same
		number-text 5 1 same
		no-choices 5 1 same
		no-finish 5 1 same
		filtered 5 1 same
		tool-calls 5 1 same
		length 5 2 same
		larger 5 2 same
		anthropic-length 5 2 same --api anthropic
		anthropic-refusal 5 1 same --api anthropic
		anthropic-call 5 1 same --api anthropic
	END
}

@test "summarize: the limits of time and memory are enforced" {
	rows <<-'END'
		hang 5 1 same --idle 1s --timeout 30s --tries 1
		hang-body 5 1 same --idle 1s --timeout 30s --tries 1
		hang 5 1 same --timeout 2s --idle 20s
		trickle 5 1 same --timeout 3s --idle 20s
		deep 5 1 same
		endless 5 1 same
		gzip-bomb 5 1 same
		gzip-broken 5 1 same
		big-header 5 1 same
		many-headers 5 1 same
		sse-stall 5 1 same --stream --idle 1s --timeout 30s --tries 1
		sse-endless 5 1 same --stream
	END
}

@test "summarize: streamed answers" {
	rows <<-'END'
		sse 0 1 new --stream
		sse-bytes 0 1 new --stream
		sse-crlf 0 1 new --stream
		sse-open 0 1 new --stream
		sse-ignored 0 1 new --stream
		sse-anthropic 0 1 new --stream --api anthropic
		ollama-lines 0 1 new --stream --api ollama
		sse-cut 5 3 same --stream
		sse-no-end 5 3 same --stream
		sse-error 5 1 same --stream
		sse-not-json 5 1 same --stream
		ollama-cut 5 3 same --stream --api ollama
	END
}

@test "summarize: --fallback and --on-failure" {
	exits 0 ctx-summarize -t 2000 --url "http://127.0.0.1:$PORT/401/a" \
	    --fallback offline "$T/in"
	says "*HTTP 401*; summarizing offline instead"
	grep -q '"\[Context: Summary of earlier conversation' "$T/out"
	exits 0 ctx-summarize -t 2000 --url "http://127.0.0.1:$PORT/401/b" \
	    --on-failure pass "$T/in"
	says "*HTTP 401*; the conversation is left unchanged"
	same "$T/out" "$T/in"
	exits 5 ctx-summarize -t 2000 --url "http://127.0.0.1:$PORT/401/c" \
	    --to text "$T/in"
	silent
}

@test "summarize: a refused connection, and a host that does not exist" {
	exits 5 ctx-summarize -t 2000 --tries 1 --url http://127.0.0.1:1/ \
	    "$T/in"
	same "$T/out" "$T/in"
	exits 5 ctx-summarize -t 2000 --tries 1 --url http://x.invalid/ "$T/in"
	same "$T/out" "$T/in"
}

@test "summarize: in place, a failure leaves the file unchanged" {
	cp "$T/in" "$T/file"
	exits 5 ctx-summarize -i -t 2000 --tries 1 \
	    --url "http://127.0.0.1:$PORT/500/d" "$T/file"
	same "$T/file" "$T/in"
	exits 0 ctx-summarize -i.old -t 2000 \
	    --url "http://127.0.0.1:$PORT/ok/d" "$T/file"
	same "$T/file.old" "$T/in"
	grep -q 'class 7B' "$T/file"
}

# Print two conversations, which differ by k.
two_conversations() {
	sed 's/^{/{"k":1,/' "$T/in"
	sed 's/^{/{"k":2,/' "$T/in"
}

@test "summarize: in place, a conversation that failed does not hold up others" {
	two_conversations >two
	cp two file
	exits 5 ctx-summarize -i --no-backup -b k -t 2000 --state st \
	    --url "http://127.0.0.1:$PORT/400-once/d" --ask-model m file
	same <(grep '"k":1' file) <(grep '"k":1' two)
	has '"k":2.*Summary of earlier conversation' file
	[ "$(jq -c .key st)" = '"2"' ]
}

@test "summarize: a state does not advance if the output was not written" {
	[ -w /dev/full ] || skip "no /dev/full here"
	two_conversations >two
	# where the endpoint fails as well, the exit code is the endpoint's
	exits 5 bash -c 'ctx-summarize -b k -t 2000 --state st --ask-model m \
	    --url "http://127.0.0.1:$PORT/400-once/f" two >/dev/full'
	says "*No space left on device*"
	[ ! -e st ]
}

@test "summarize: the request" {
	exits 0 ctx-summarize -t 2000 --url "http://127.0.0.1:$PORT/ok/e" \
	    --ask-model some-model --max-tokens 500 --set top_p=0.5 \
	    --header 'X-Team: blue' "$T/in"
	[ "$(jq -r .path "$T/log")" = /ok/e/v1/chat/completions ]
	[ "$(jq -r '.headers["x-team"]' "$T/log")" = blue ]
	[ "$(jq -r '.headers.authorization' "$T/log")" = null ]
	jq -r .body "$T/log" >"$T/body"
	[ "$(jq -c '[.model, .max_tokens, .temperature, .top_p, .stream]' \
	    "$T/body")" = '["some-model",500,0.2,0.5,false]' ]
	[ "$(jq -c '[.messages[].role]' "$T/body")" = '["system","user"]' ]
	jq -r '.messages[1].content' "$T/body" >"$T/asked"
	grep -q '^USER: Request 1 for class' "$T/asked"
	grep -q '^ASSISTANT: Result 1 is' "$T/asked"
	run ! grep -q 'Request 12' "$T/asked"
}

@test "summarize: with a small window, parts are summarized and merged in turn" {
	exits 0 ctx-summarize -t 2000 --url "http://127.0.0.1:$PORT/ok/f" \
	    --max-tokens 100 --ask-window 1024 "$T/in"
	[ "$(wc -l <"$T/log")" -gt 1 ]
	jq -r .body "$T/log" | tail -n 1 | jq -r '.messages[1].content' \
	    >"$T/asked"
	[ "$(head -n 1 "$T/asked")" = "Previous summary:" ]
	grep -q 'class 7B' "$T/asked"
}

@test "summarize: a server that silently truncates the prompt is asked in parts" {
	exits 0 ctx-summarize -t 2000 --all --max-tokens 100 \
	    --url "http://127.0.0.1:$PORT/prompt-cut/g" "$T/in"
	says "*the model read only 600 of about *tokens; asking again in pieces"
	[ "$(wc -l <"$T/log")" -gt 2 ]
}

# Assert that no file that a run leaves behind has the key.
no_key_in() { run ! grep -rlF -e sk-test-0123456789 "$@"; }

@test "summarize: keys are sent to their own endpoint only" {
	export OPENAI_API_KEY=sk-test-0123456789
	exits 0 ctx-summarize -v -t 2000 --ask-model m --report "$T/report" \
	    --url "http://127.0.0.1:$PORT/ok/j" "$T/in"
	says "*OPENAI_API_KEY is not sent to *"
	no_key_in "$T/log" "$T/err" "$T/out" "$T/report"
	# the endpoint that the variable names gets it
	OPENAI_BASE_URL=http://127.0.0.1:$PORT/ok/k/v1 \
	    exits 0 ctx-summarize -v -t 2000 --ask-model m \
	    --report "$T/report" --state "$T/state" "$T/in"
	[ "$(jq -r 'select(.path | test("/k/")).headers.authorization' \
	    "$T/log")" = "Bearer sk-test-0123456789" ]
	no_key_in "$T/err" "$T/out" "$T/report" "$T/state"
	# a message does not repeat the key if the server does
	OPENAI_BASE_URL=http://127.0.0.1:$PORT/401/k/v1 \
	    exits 5 ctx-summarize -v -t 2000 --ask-model m \
	    --report "$T/report" "$T/in"
	says "*Incorrect API key provided: *"
	no_key_in "$T/err" "$T/out" "$T/report"
}

@test "summarize: a key from a file is sent in the header of the format" {
	echo sk-test-0123456789 >"$T/key"
	exits 0 ctx-summarize -t 2000 --api anthropic --ask-model m \
	    --key-file "$T/key" --url "http://127.0.0.1:$PORT/anthropic/l" \
	    "$T/in"
	[ "$(jq -c '[.path, .headers["x-api-key"],
	    .headers["anthropic-version"]]' "$T/log")" = \
	    '["/anthropic/l/v1/messages","sk-test-0123456789","2023-06-01"]' ]
	exits 2 ctx-summarize --key-file "$T/key" \
	    --url http://host.example/ "$T/in"
	says "*unencrypted over http:*"
	exits 2 ctx-summarize --header 'authorization: Bearer x' "$T/in"
	says "*--key-file*"
}

@test "summarize: a key or a base URL alone is no reason to send anything" {
	OPENAI_API_KEY=k OPENAI_BASE_URL=http://127.0.0.1:$PORT/ok/m/v1 \
	    ANTHROPIC_API_KEY=k OLLAMA_HOST=127.0.0.1:$PORT \
	    exits 0 ctx-summarize -t 2000 -m gpt-4o "$T/in"
	[ ! -e "$T/log" ]
	SUMMARIZATION_MODEL=m OPENAI_BASE_URL=http://127.0.0.1:$PORT/ok/m/v1 \
	    exits 0 ctx-summarize -t 2000 "$T/in"
	[ "$(wc -l <"$T/log")" -eq 1 ]
	SUMMARIZATION_MODEL=m OPENAI_BASE_URL=http://127.0.0.1:$PORT/ok/m/v1 \
	    exits 0 ctx-summarize --engine offline -t 2000 "$T/in"
	[ "$(wc -l <"$T/log")" -eq 1 ]
}

@test "summarize: --dry-run sends nothing" {
	exits 0 ctx-summarize -t 2000 --dry-run --ask-model m \
	    --url "http://127.0.0.1:$PORT/ok/n" "$T/in"
	[ "$(jq -r .model "$T/out")" = m ]
	[ ! -e "$T/log" ]
}

@test "summarize: --insights, with rounds" {
	exits 0 ctx-summarize --insights --rounds 3 \
	    --url "http://127.0.0.1:$PORT/insights/o" "$T/in"
	[ "$(jq -c '[keys, .insights]' "$T/out")" = \
	    '[["insights","summary"],["Works with class 7B."]]' ]
	[ "$(wc -l <"$T/log")" -eq 3 ]
	exits 5 ctx-summarize --insights \
	    --url "http://127.0.0.1:$PORT/ok/p" "$T/in"
	silent
}

# tls NAME ALTNAME: start another server with a certificate for NAME; PORT is
# its port.
tls() {
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$1" \
	    -addext "subjectAltName=$2" -keyout "$T/tls.key" \
	    -out "$T/tls.crt" 2>/dev/null
	mkfifo "$T/tls.life"
	python3 "$ROOT/tests/stub/faultd.py" "$T/log" "$T/tls.crt" \
	    "$T/tls.key" <"$T/tls.life" >"$T/tls.port" 3>&- &
	exec 8>"$T/tls.life"
	wait_for "$T/tls.port"
	PORT=$(cat "$T/tls.port")
}

@test "summarize: TLS: certificates are verified" {
	local url

	tls localhost IP:127.0.0.1
	url=https://127.0.0.1:$PORT/ok/q
	exits 5 ctx-summarize -t 2000 --url "$url" "$T/in"
	says "*certificate*"
	same "$T/out" "$T/in"
	[ ! -e "$T/log" ]
	exits 0 ctx-summarize -t 2000 --cacert "$T/tls.crt" --url "$url" "$T/in"
	grep -q 'class 7B' "$T/out"
	exits 2 ctx-summarize -t 2000 --cacert "$T/none" --url "$url" "$T/in"
	exec 8>&-
}

@test "summarize: TLS: the name in the certificate must be the host's" {
	tls other.example DNS:other.example
	exits 5 ctx-summarize -t 2000 --cacert "$T/tls.crt" \
	    --url "https://127.0.0.1:$PORT/ok/r" "$T/in"
	same "$T/out" "$T/in"
	[ ! -e "$T/log" ]
	exec 8>&-
}

@test "summarize: TLS: a server that does not support it" {
	exits 5 ctx-summarize -t 2000 --tries 1 --timeout 2s \
	    --url "https://127.0.0.1:$PORT/ok/s" "$T/in"
	same "$T/out" "$T/in"
}

@test "summarize: TLS: a libcurl without it" {
	# what such a libcurl answers (CURLUE_UNSUPPORTED_SCHEME)
	cat >none.c <<-'EOF'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <string.h>

	int
	curl_url_set(void *u, int part, const char *text, unsigned flags)
	{
		int (*next)(void *, int, const char *, unsigned);

		if (text != NULL && strncmp(text, "https:", 6) == 0)
			return 5;
		*(void **)&next = dlsym(RTLD_NEXT, "curl_url_set");
		return next(u, part, text, flags);
	}
	EOF
	${CC:-cc} -shared -fPIC -o none.so none.c -ldl
	summarize() {
		env LD_PRELOAD="$PWD/none.so" \
		    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
		    "$BUILD/ctx-summarize" -t 2000 --ask-model m "$@" in
	}
	exits 4 summarize --url "https://127.0.0.1:$PORT/ok/t"
	silent
	said "ctx-summarize: libcurl here was built without https; install one with it"
	OPENAI_BASE_URL=https://a OPENAI_API_KEY=k exits 4 summarize
	said "ctx-summarize: OPENAI_BASE_URL: libcurl here was built without https; install one with it"
	exits 0 summarize --url "http://127.0.0.1:$PORT/ok/t"
	has -q 'class 7B' out
}
