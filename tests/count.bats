# ctx-count.  The token counts are those of npm tiktoken 1.0.22 for each text by
# itself, plus 4 for each message and 1 for each name.  For the texts of `chat`:
#
#	text					o200k	cl100k	chars/2.5
#	You are a careful assistant.		6	6	11
#	bob					1	1	1
#	List the files in /tmp, please: ...	13	13	14
#	Looking.				2	2	3
#	ls					1	1	1
#	{"path":"/tmp"}				6	5	6
#	cat					1	1	1
#	{}					1	1	1
#	a.txt\nb.txt — done ✓			8	8	8
#	naïve café 🙂				5	5	4
#	Two files.				3	3	4
#	hello, world				3	3	4

setup() {
	load helpers
	common_setup
}

chat() {
	cat >chat <<-'X'
	{"role":"system","content":"You are a careful assistant."}
	{"role":"user","name":"bob","content":"List the files in /tmp, please: 列出文件"}
	{"role":"assistant","content":"Looking.","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{\"path\":\"/tmp\"}"}},{"id":"b","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"a","content":"a.txt\nb.txt — done ✓"}
	{"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"na\u00efve café \ud83d\ude42"}]}
	{"role":"assistant","content":"Two files."}
	X
}

# counts COMMAND...: assert that it prints $T/want and no messages.
counts() {
	exits 0 "$@"
	quiet
	same "$T/out" "$T/want"
}

# tokens N COMMAND...: assert that the first column of the first row is N.
tokens() {
	local want=$1

	shift
	exits 0 "$@"
	[ "$(awk 'NR == 1 { print $1 }' out)" = "$want" ] ||
	    fail "not $want: $(cat out)"
}

# --- rows ------------------------------------------------------------------------

@test "count: tokens, messages, bytes and name of a file; the total of several files" {
	chat
	wanted <<-'X'
	      72        6        581 chat
	X
	counts ctx-count chat
	printf '{"role":"user","content":"hello, world"}\n' >'one file'
	wanted <<-'X'
	      72        6        581 chat
	       7        1         41 one file
	      79        7        622 total
	X
	counts ctx-count chat 'one file'
	wanted <<-'X'
	      72        6        581
	X
	counts ctx-count <chat
	counts ctx-count - <chat
}

@test "count: an empty input, and records that are not messages, cost nothing" {
	: >empty
	printf '{"meta":"hello, world"}\n\n[1]\n' >other
	exits 0 ctx-count empty other
	has -Fx "ctx-count: other: no message in 2 records; ctx-stream(5) lists the formats that are read" \
	    "$T/err"
	wanted <<-'X'
	       0        0          0 empty
	       0        0         29 other
	       0        0         29 total
	X
	counts ctx-count -q empty other
}

@test "count: --per-message prints line and role" {
	chat
	wanted <<-'X'
	      10        1         59 chat:1 system
	      19        1         86 chat:2 user
	      15        1        217 chat:3 assistant
	      12        1         73 chat:4 tool
	       9        1        102 chat:5 tool
	       7        1         44 chat:6 assistant
	X
	counts ctx-count --per-message chat
}

@test "count: --by-role and --by-tool print the largest first" {
	chat
	wanted <<-'X'
	      22        2        261 assistant
	      21        2        175 tool
	      19        1         86 user
	      10        1         59 system
	X
	counts ctx-count --by-role chat
	# a call's name and arguments, and the text of its result, without
	# overhead
	wanted <<-'X'
	      15        2         44 ls
	       7        2         31 cat
	X
	counts ctx-count --by-tool chat
	# for all files together
	wanted <<-'X'
	      30        4         88 ls
	      14        4         62 cat
	X
	counts ctx-count --by-tool chat chat
	printf '{"role":"tool","tool_call_id":"z","content":"hello, world"}\n' >orphan
	wanted <<-'X'
	       3        1         12 (unknown)
	X
	counts ctx-count --by-tool orphan
}

@test "count: a result belongs to a call by its position, even if ids are reused" {
	cat >in <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"Two files."}
	{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"cat","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"x","content":"hello, world"}
	{"role":"tool","tool_call_id":"x","content":"hello, world"}
	X
	wanted <<-'X'
	       5        2         12 ls
	       5        2         14 cat
	       3        1         12 (unknown)
	X
	counts ctx-count --by-tool in
}

@test "count: --per-conversation, in the order in which conversations begin" {
	cat >in <<-'X'
	{"s":"b","role":"user","content":"hello, world"}
	{"s":"a","role":"user","content":"hello, world"}
	{"s":7,"role":"user","content":"Looking."}
	{"s":"b","role":"assistant","content":"Looking."}
	{"role":"user","content":"ls"}
	X
	wanted <<-'X'
	      13        2         99 "b"
	       7        1         49 "a"
	       6        1         43 7
	       5        1         31 in
	X
	counts ctx-count --per-conversation --by s in
	wanted <<-'X'
	{"conversation":"b","tokens":13,"messages":2,"bytes":99}
	{"conversation":"a","tokens":7,"messages":1,"bytes":49}
	{"conversation":7,"tokens":6,"messages":1,"bytes":43}
	{"conversation":"in","tokens":5,"messages":1,"bytes":31}
	X
	counts ctx-count --per-conversation --by s --json in
	wanted <<-'X'
	      31        5        222 in
	X
	counts ctx-count --per-conversation in
	printf '{"messages":[{"role":"user","content":"%s"}]}\n' \
	    "hello, world" Looking. >in
	wanted <<-'X'
	       7        1         56 in:1
	       6        1         52 in:2
	X
	counts ctx-count --per-conversation in
}

@test "count: --json" {
	chat
	wanted <<-'X'
	{"file":"chat","tokens":72,"messages":6,"bytes":581,"count":"exact: o200k_base"}
	X
	counts ctx-count --json chat
	wanted <<-'X'
	{"file":"(standard input)","tokens":72,"messages":6,"bytes":581,"count":"exact: o200k_base"}
	X
	counts ctx-count --json <chat
	cp chat 'a "b"'
	sed -n 1p chat >chat2
	wanted <<-'X'
	{"message":"a \"b\":1","tokens":10,"messages":1,"bytes":59,"role":"system"}
	X
	exits 0 ctx-count --json --per-message 'a "b"'
	head -n 1 out | cmp - want
	wanted <<-'X'
	{"role":"system","tokens":10,"messages":1,"bytes":59}
	X
	counts ctx-count --json --by-role chat2
}

@test "count: control characters in names do not reach the terminal" {
	chat
	cp chat $'a\033[31m'
	exits 0 ctx-count $'a\033[31m'
	[[ $(cat out) != *$'\033'* ]]
	cp chat '(odd'
	exits 0 ctx-count '(odd'
	[[ $(cat out) = *' (odd' ]]
}

# --- which tokenizer is used --------------------------------------------------------

@test "count: how sure the count of a file is says nothing of the next one" {
	echo '{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"odd"}}]}' >one
	echo '{"role":"user","content":"hi"}' >two
	printf '%s\n' one:not two:exact >want
	exits 0 ctx-count --json -m gpt-4o one two
	jq -r '"\(.file):\(.count)"' out | cut -d' ' -f1 | sed 's/:$//' >got
	same got want
	says 'ctx-count: a part is not counted, the rest with o200k_base'
	exits 0 ctx-count --json -m gpt-4o two
	quiet
}

# Of gpt-4o, chat is counted exactly and Responses are not.
@test "count: the level of a file is that of its worst line, and of all that of the worst file" {
	echo '{"model":"gpt-4o","messages":[{"role":"user","content":"hi there"}]}' >chat
	echo '{"model":"gpt-4o","instructions":"be brief","input":"hi there"}' >items
	cat items chat >chat-last
	cat chat items >items-last
	for f in chat-last items-last; do
		for j in 1 2; do
			exits 0 ctx-count --json -j "$j" -m gpt-4o "$f"
			[ "$(jq -r .count out)" = 'estimate: o200k_base ±1 %' ]
		done
	done
	exits 0 ctx-count --json -m gpt-4o items chat
	jq -r .count out >got
	printf '%s\n' 'estimate: o200k_base ±1 %' 'exact: o200k_base' >want
	same got want
	said 'ctx-count: counted with o200k_base, a part is estimated; 90 % of the recorded requests were within ±1 %'
}

@test "count: -e: exact tokenizers, and the estimate, which is reported as such" {
	chat
	tokens 72 ctx-count -e o200k_base chat
	quiet
	tokens 71 ctx-count -e cl100k_base chat
	quiet
	tokens 79 ctx-count -e chars chat
	said "ctx-count: estimated from the number of characters; with -m MODEL or without -e, a tokenizer counts"
	tokens 79 ctx-count -q -e chars chat
	quiet
	tokens 72 ctx-count -v chat
	said "ctx-count: counted with o200k_base, not for a model"
	exits 0 ctx-count -v -m gpt-4o chat
	said "ctx-count: counted exactly, with o200k_base"
	exits 2 ctx-count -e no_such_base chat
	says "ctx-count: --encoding: unknown encoding 'no_such_base'; use o200k_base, *, chars, or a file"
	silent
}

@test "count: -m: the model's own tokenizer, or cl100k_base instead, or an estimate" {
	chat
	# two calls at once and their results have a framing of their own
	tokens 114 ctx-count -m gpt-4o chat
	quiet
	tokens 123 ctx-count -m gpt-4 chat
	quiet
	tokens 71 ctx-count -m mistral-large-latest chat
	said "ctx-count: counted approximately with cl100k_base, a part is estimated"
	exits 0 ctx-count -m claude-sonnet-4-5 chat
	said "ctx-count: estimated with o200k_base; 90 % of the recorded requests were within ±9 %"
	tokens 71 ctx-count -m no-such-model chat
	says "ctx-count: model 'no-such-model' is not known*"
	says "ctx-count: counted approximately with cl100k_base, a part is estimated"
	# -e overrides the model's encoding, which is another one
	tokens 126 ctx-count -m gpt-4 -e o200k_base chat
	said "ctx-count: counted approximately with o200k_base, a part is estimated"
	tokens 123 ctx-count -m gpt-4 -e cl100k_base chat
	quiet
	# a file may be the model's own
	exits 0 ctx-count -v --text -m gpt-4 -e "$ROOT/lib/token/data/cl100k_base.tiktoken" chat
	said "ctx-count: counted exactly, with cl100k_base"
	exits 0 ctx-count -m gpt-4o --json chat
	[[ $(cat out) = *'"count":"exact: o200k_base","of":{'* ]]
	exits 0 ctx-count -qm mistral-large-latest --json chat
	[[ $(cat out) = *'"count":"estimate: cl100k_base","of":{'* ]]
	exits 0 ctx-count -qm mistral-large-latest --json --text chat
	[[ $(cat out) = *'"count":"approximate: cl100k_base","of":{'* ]]
}

@test "count: the estimate is characters / 2.5, at least 1 for a text" {
	for s in "" 0 x 1 xx 1 xxx 1 xxxx 1 xxxxx 2 12345678 3 列出文件列 2 '\u5217\u5217\u5217\u5217\u5217' 2; do
		case $s in [0-9]) tokens "$s" ctx-count -qe chars --overhead 0 in ;;
		*) printf '{"role":"user","content":"%s"}\n' "$s" >in ;;
		esac
	done
}

@test "count: --overhead for each message (default 4)" {
	chat
	tokens 47 ctx-count --overhead 0 chat
	tokens 72 ctx-count --overhead 4 chat
	tokens 108 ctx-count --overhead 10 chat
	exits 2 ctx-count --overhead -1 chat
}

@test "count: Anthropic's content blocks" {
	cat >in <<-'X'
	{"role":"user","content":"hello, world"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"Looking.","signature":"not counted"},{"type":"tool_use","id":"t","name":"ls","input":{"path":"/tmp"}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"Two files."}]},{"type":"text","text":"hello, world"}]}
	X
	exits 0 ctx-count --per-message in
	awk '{ print $1 }' out >got
	printf '%d\n' 7 13 10 >want
	same got want
	wanted <<-'X'
	      10        2         25 ls
	X
	counts ctx-count --by-tool in
	printf '{"model":"m","system":"You are a careful assistant.","messages":[{"role":"user","content":"hello, world"}]}\n' >in
	tokens 17 ctx-count in
}

@test "count: an image costs 765 tokens" {
	printf '{"role":"user","content":[{"type":"text","text":"hello, world"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}\n' >in
	tokens 772 ctx-count in
}

@test "count: logs, as npm tiktoken 1.0.22 and gpt-tokenizer 4.0.0 count them" {
	cd "$DATA/logs"
	# The tokens, also of each role, are from tokens.mjs --per-message.
	# Bytes are the sum of the lengths of lines; for a conversation line, of
	# its messages from { to }, as Python's json.JSONDecoder().raw_decode()
	# finds them.
	cat >"$T/want" <<-'X'
	  129771      325     320877 audit.openai.jsonl
	  107460     2365     470424 bookings.openai.jsonl
	   13078      196      51497 tasks.text.jsonl
	    4925       51      20491 zh.openai.jsonl
	  255234     2937     863289 total
	X
	set -- {audit,bookings}.openai.jsonl tasks.text.jsonl zh.openai.jsonl
	counts ctx-count "$@"
	cat >"$T/want" <<-'X'
	  135897      325     320877 audit.openai.jsonl
	  108309     2365     470424 bookings.openai.jsonl
	   13219      196      51497 tasks.text.jsonl
	    5492       51      20491 zh.openai.jsonl
	  262917     2937     863289 total
	X
	counts ctx-count -e cl100k_base "$@"
	cat >"$T/want" <<-'X'
	  176552      668     458793 tool
	   40015     1371     234265 assistant
	   20684      106      89859 system
	   17983      792      73772 user
	X
	counts ctx-count --by-role "$@"
}

# --- annotations ----------------------------------------------------------------------

@test "count: --annotate writes the count into each message and changes nothing else" {
	cat >in <<-'X'
	{"role" : "user", "content":"hello, world", "x":1.10,"x":1e400}
	{ "role":"assistant","content":"Looking."}
	{"n":5,"role":"user","content":"ls"}
	{"role":"user","content":"ls", "n" : "old" }
	{"meta":1}

	{"messages":[{"role":"user","content":"ls"},{"role":"user","n":[1],"content":"ls"}], "n":3}
	X
	wanted <<-'X'
	{"n":7,"role" : "user", "content":"hello, world", "x":1.10,"x":1e400}
	{"n":6, "role":"assistant","content":"Looking."}
	{"n":5,"role":"user","content":"ls"}
	{"role":"user","content":"ls", "n" : 5 }
	{"meta":1}

	{"messages":[{"n":5,"role":"user","content":"ls"},{"role":"user","n":5,"content":"ls"}], "n":3}
	X
	exits 0 ctx-count --annotate n in
	has -F "in: 1 record is not a message and was not counted (first: line 5)" \
	    "$T/err"
	becomes ctx-count -q --annotate n
	cp want in
	becomes ctx-count -q --annotate n
	printf '{"role":"user","content":"ls"}\r\n{"role":"user","content":"ls"}' >in
	printf '{"a\\"b":5,"role":"user","content":"ls"}\r\n{"a\\"b":5,"role":"user","content":"ls"}' >want
	becomes ctx-count --annotate 'a"b'
}

@test "count: --cost reads what --annotate wrote" {
	chat
	exits 0 ctx-count --annotate n chat
	cp out annotated
	tokens 72 ctx-count --cost n annotated
	edit 's/"n":[0-9]*/"n":100/' annotated
	tokens 600 ctx-count --cost n annotated
	exits 0 ctx-truncate -t 399 --cost n annotated
	sed -n '1p;6p' annotated >want
	same out want
	# a count by another tokenizer replaces it
	exits 0 ctx-count --annotate n -e cl100k_base annotated
	quiet
	grep -o '"n":[0-9]*' out >got
	printf '"n":%d\n' 10 19 14 12 9 7 >want
	same got want
}

@test "count: -m: long turns and many calls at once take linear time" {
	# in quadratic time each of these would take a minute or more
	python3 - <<-'X'
	import json
	n = 120000
	def write(name, request):
	    with open(name, "w") as f:
	        print(json.dumps(request), file=f)
	go = {"role": "user", "content": "go"}
	call = lambda k: {"type": "tool_use", "id": f"t{k}", "name": "f", "input": {}}
	said = lambda k: {"type": "tool_result", "tool_use_id": f"t{k}", "content": "r"}
	turn = [go]
	for k in range(n):
	    turn += [{"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, call(k)]},
	             {"role": "user", "content": [said(k)]}]
	write("turn", {"max_tokens": 9, "messages": turn})
	write("calls", {"max_tokens": 9, "messages": [go,
	    {"role": "assistant", "content": [call(k) for k in range(n)]},
	    {"role": "user", "content": [said(k) for k in range(n)]}]})
	write("items", {"model": "m", "input": [go] + [
	    {"type": "reasoning", "id": f"r{k}", "summary": [], "encrypted_content": "abc"} for k in range(n)]})
	X
	for name in turn calls items; do
		of=claude-sonnet-4-5
		[ $name != items ] || of=gpt-5.4
		exits 0 timeout $((DEADLINE / 4)) ctx-count -q -m $of $name
	done
}

@test "count: --cost: a member of the request is no message's" {
	given <<-'X'
	{"n":900,"messages":[{"role":"user","content":"1"},{"n":20,"role":"user","content":"1"},{"role":"user","content":"1"}]}
	X
	tokens 22 ctx-count -e chars --overhead 0 --cost n in
	exits 0 ctx-truncate -t 21 -e chars --overhead 0 --cost n in
	printf '%s\n' '{"n":900,"messages":[{"n":20,"role":"user","content":"1"},{"role":"user","content":"1"}]}' >want
	same out want
	# but one of the record around a message is
	echo '{"type":"user","uuid":"u","message":{"role":"user","content":"hi"},"n":77}' >in
	tokens 77 ctx-count -d claude-code --cost n in
}

@test "count: --cost: sums do not wrap around, because numbers that are too long are counted" {
	# 18 times the first, and the second, are 2^64
	for c in 999999999999999999{,}{,}{,}{,} 999999999999999999{,} \
	    446744073709551634 9999999999; do
		echo "{\"role\":\"user\",\"content\":\"1\",\"c\":$c}"
	done >in
	# 19 texts of one token
	tokens 10000000018 ctx-count -e chars --overhead 0 --cost c in
}

@test "count: --annotate of all logs changes nothing else" {
	for f in "${LOGS[@]}"; do
		exits 0 ctx-count -qe chars --annotate ctx_test_count "$f"
		sed 's/"ctx_test_count":[0-9]*,//g' out | cmp - "$f"
	done
}

@test "count: --annotate prints messages instead of rows" {
	chat
	for o in --by-role --by-tool --per-message --per-conversation --json \
	    --status --text; do
		exits 2 ctx-count --annotate n $o chat
		silent
	done
	exits 2 ctx-count --annotate '' chat
	exits 1 ctx-count --annotate n --max 70 chat
	[ "$(wc -l <out)" = 6 ]
}

# --- limits ------------------------------------------------------------------------

@test "count: --max: exit 1 if a conversation exceeds it, with its name" {
	chat
	tokens 72 ctx-count --max 72 chat
	exits 1 ctx-count --max 71 chat
	said "ctx-count: chat: 72 tokens exceed the limit of 71"
	[[ $(cat out) = *' chat' ]]
	# the limit applies to each conversation, not to their sum
	exits 0 ctx-count --max 72 chat chat
	sed -n '2s/{/{"s":"x",/p;6s/{/{"s":"y",/p;1s/{/{"s":"x",/p' chat >in
	exits 0 ctx-count --max 29 --by s in
	exits 1 ctx-count --max 28 --by s in
	said 'ctx-count: "x": 29 tokens exceed the limit of 28'
	printf '{"messages":[{"role":"user","content":"%s"}]}\n' ls "hello, world" >in
	exits 1 ctx-count --max 6 <in
	said "ctx-count: (standard input):2: 7 tokens exceed the limit of 6"
	printf 'hello, world' >in
	exits 1 ctx-count --text --max 2 in
	exits 0 ctx-count --text --max 3 in
	exits 0 ctx-count --max 8k chat
}

@test "count: --status: messages and tokens with their limits (A13)" {
	chat
	wanted <<-'X'
	Session: chat
	Messages: 6 / 40 (max)
	Tokens: 72
	X
	counts ctx-count --status chat
	wanted <<-'X'
	Session: chat
	Messages: 6 / 40 (max)
	Tokens: 114 / 128000 (0 %)
	X
	counts ctx-count --status -m gpt-4o chat
	for i in {1..42}; do echo '{"role":"user","content":"ls"}'; done >in
	wanted <<-'X'
	Session: in
	Messages: 42 / 40 (max) (over the limit)
	Tokens: 210 / 220 (95 %) (near the limit)
	X
	counts ctx-count --status --max 220 in
	wanted <<-'X'
	Session: in
	Messages: 42 / 45 (max) (near the limit)
	Tokens: 210
	X
	counts env MAX_MESSAGE_HISTORY=45 ctx-count --status in
	exits 2 env MAX_MESSAGE_HISTORY=9 ctx-count --status in
	silent
	for o in --by-role --per-message --json; do
		exits 2 ctx-count --status $o in
	done
}

@test "count: --status has a gauge on a terminal, --by-role has bars" {
	chat
	on_terminal 'ctx-count --status --max 144 chat' | tr -d '\r' >out
	[ "$(tail -n 1 out)" = '███████████████░░░░░░░░░░░░░░░' ]
	on_terminal 'ctx-count --status --max 72 chat' | tr -d '\r' >out
	[ "$(tail -n 1 out)" = '██████████████████████████████' ]
	on_terminal 'ctx-count --by-role chat' |
	    tr -d '\r' >out
	[ "$(grep -c '%.*█' out)" = 4 ]
}

# OpenAI's Cookbook, "How to count tokens with tiktoken", section 6: its example
# has 124 tokens for gpt-4o and 129 for gpt-4, by the API.
@test "count: messages and names cost what OpenAI's Cookbook says" {
	cat >in <<-'X'
	{"role":"system","content":"You are a helpful, pattern-following assistant that translates corporate jargon into plain English."}
	{"role":"system","name":"example_user","content":"New synergies will help drive top-line growth."}
	{"role":"system","name":"example_assistant","content":"Things working well together will increase revenue."}
	{"role":"system","name":"example_user","content":"Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage."}
	{"role":"system","name":"example_assistant","content":"Let's talk later when we're less busy about how to do better."}
	{"role":"user","content":"This late pivot means we don't have time to boil the ocean for the client deliverable."}
	X
	tokens 124 ctx-count -m gpt-4o in
	tokens 129 ctx-count -m gpt-4 in
	# without a model, 3 that prime the answer are left out
	tokens 121 ctx-count in
	tokens 93 ctx-count -m gpt-4o --overhead 0 in
}

# The same page, section 7: its example has 101 tokens for gpt-4o and 105 for
# gpt-4, by the API.
@test "count: --tools: definitions are counted for each conversation" {
	cat >tools <<-'X'
	[{"type":"function","function":{"name":"get_current_weather",
	  "description":"Get the current weather in a given location",
	  "parameters":{"type":"object","properties":{
	    "location":{"type":"string","description":
	      "The city and state, e.g. San Francisco, CA"},
	    "unit":{"type":"string",
	      "description":"The unit of temperature to return",
	      "enum":["celsius","fahrenheit"]}},"required":["location"]}}}]
	X
	cat >in <<-'X'
	{"role":"system","content":"You are a helpful assistant that can answer to questions about the weather."}
	{"role":"user","content":"What's the weather like in San Francisco?"}
	X
	tokens 101 ctx-count -m gpt-4o --tools tools in
	tokens 101 ctx-count -m gpt-4o-mini --tools tools in
	# of two, the second counts
	echo '[{"name":"other"}]' >other
	tokens 101 ctx-count -m gpt-4o --tools other --tools tools in
	tokens 105 ctx-count -m gpt-4 --tools tools in
	tokens 105 ctx-count -m gpt-3.5-turbo --tools tools in
	# a request counts its own
	jq -s -c --slurpfile t tools '{messages:., tools:$t[0]}' in >whole
	tokens 101 ctx-count -m gpt-4o whole
	exits 1 ctx-count --max 97 --tools tools in
	wanted <<-'X'
	      68        0          0 definitions
	      18        1        106 system
	      12        1         70 user
	X
	counts ctx-count --by-role --tools tools in
	wanted <<-'X'
	      56        0          0 get_current_weather
	X
	counts ctx-count --by-tool --tools tools in
	# Two conversations have them twice.
	{ jq -c '. + {t:1}' in; jq -c '. + {t:2}' in; } >two
	tokens 196 ctx-count --by t --tools tools two
	jq -s -c '{messages:.}' in >conv
	cat conv conv >two
	tokens 196 ctx-count --tools tools two
	# In Anthropic's format, this model has a system prompt for tools of 290
	# tokens.
	jq -c '[.[].function | {name, description, input_schema: .parameters}]' \
	    tools >anthropic
	ctx-count -q -m claude-opus-4.8 -e cl100k_base in >out
	plain=$(awk '{ print $1 }' out)
	ctx-count -q -m claude-opus-4.8 -e cl100k_base --tools anthropic in >out
	with=$(awk '{ print $1 }' out)
	jq -j '.[0] | {description, name, parameters: .input_schema} |
	    "<function>", tojson, "</function>"' anthropic |
	    sed 's/":/": /g; s/,"/, "/g' >text
	texts=$(ctx-count -e cl100k_base --text text | awk '{ print $1 }')
	[ $((with - plain)) = $((290 + texts)) ]
	echo '{}' >none
	exits 3 ctx-count --tools none in
	said 'ctx-count: none: no tool definitions; expected a JSON list of objects with a name'
	exits 4 ctx-count --tools missing in
	exits 2 ctx-count --text --tools tools in
}

# weather: the same as messages in, and with its tool as a request in whole.
weather() {
	cat >tools <<-'X'
	[{"type":"function","function":{"name":"get_current_weather","description":"Get the current weather in a given location","parameters":{"type":"object","properties":{"location":{"type":"string","description":"The city and state, e.g. San Francisco, CA"},"unit":{"type":"string","description":"The unit of temperature to return","enum":["celsius","fahrenheit"]}},"required":["location"]}}}]
	X
	cat >in <<-'X'
	{"role":"system","content":"You are a helpful assistant that can answer to questions about the weather."}
	{"role":"user","content":"What's the weather like in San Francisco?"}
	X
	jq -s -c --slurpfile t tools '{messages:., tools:$t[0]}' in >whole
}

@test "count: tools that stand in a conversation line count, also without a model" {
	weather
	tokens 98 ctx-count --tools tools in
	tokens 98 ctx-count whole
	exits 0 ctx-count --max 98 whole
	exits 1 ctx-count --max 97 whole
	tokens 98 ctx-count --overhead 4 -m gpt-4o whole
	# training records have them as a string
	jq -c '.tools |= tojson' whole >string
	tokens 98 ctx-count string
	tokens 101 ctx-count -m gpt-4o string
	# what is no list of tools has no tools
	for t in '"no tools"' '""' '"{}"' null '[]' 7 '{}'; do
		jq -c --argjson t "$t" '.tools = $t' whole >none
		tokens 30 ctx-count none
	done
	# OpenAI's older list
	jq -c '{messages, functions: [.tools[].function]}' whole >older
	tokens 98 ctx-count older
	wanted <<-'X'
	      68        0          0 definitions
	      18        1        106 system
	      12        1         70 user
	X
	sed 's/ 106 / N /; s/ 70 / N /' want >was
	exits 0 ctx-count --by-role whole
	awk '{ print $1, $2, $4 }' out >rows
	awk '{ print $1, $2, $4 }' want | cmp - rows
}

@test "count: --tools replaces the tools of a conversation line" {
	weather
	echo '[{"name":"ls"}]' >other
	jq -c '.tools = [{"name":"ls"}]' whole >list
	for m in '' '-m gpt-4o' '-m gpt-5' '-m claude-sonnet-4-5' \
	    '-m gemini-2.5-pro'; do
		# shellcheck disable=SC2086
		{
			n=$(ctx-count -q $m list | awk '{ print $1 }')
			tokens "$n" ctx-count -q $m --tools other whole
			tokens "$n" ctx-count -q $m --tools other list
		}
	done
	# also by those that the server runs: 245 and the system prompt, 496
	jq -c '.tools = [{"type":"bash_20250124","name":"bash"}]' whole >hosted
	jq -c .tools hosted >bash
	jq -c 'del(.tools)' whole >bare
	set -- ctx-count -q -m claude-sonnet-4-5
	n=$("$@" bare | awk '{ print $1 }')
	# and one token for tools after a system prompt
	tokens $((n + 245 + 496 + 1)) "$@" hosted
	tokens $((n + 245 + 496 + 1)) "$@" --tools bash bare
	tokens $((n + 245 + 496 + 1)) "$@" --tools bash whole
	exits 0 "$@" --tools other hosted
	[ "$(awk '{ print $1 }' out)" -lt $((n + 245 + 496)) ]
}

@test "count: a response schema counts without a model, by its text" {
	weather
	jq -c 'del(.tools)' whole >bare
	tokens 30 ctx-count bare
	jq -c '.response_format = {type:"json_schema",json_schema:{name:"f",schema:{type:"object",properties:{a:{type:"string"}}}}}' bare >schema
	printf '# Response Formats\n\n## f\n\n{"type":"object","properties":{"a":{"type":"string"}}}' >text
	n=$(ctx-count --text text | awk '{ print $1 }')
	tokens $((30 + n)) ctx-count schema
}

@test "count: --system counts as if the prompt were the first message" {
	weather
	printf 'Be terse.\nAnswer "yes" or no.\n\n' >prompt
	jq -cRs '{role:"system",content:rtrimstr("\n\n")}' prompt >line
	tail -n 1 in >user
	cat line user >with
	cat line in >with2
	for m in '' '-m gpt-4o' '-m gpt-4' '-m gpt-5' '-m o3' \
	    '-m claude-sonnet-4-5' '-m claude-sonnet-5' '-m gemini-2.5-pro' \
	    '-m gemini-3-pro'; do
		for t in '' '--tools tools'; do
			# shellcheck disable=SC2086
			{
				n=$(ctx-count -q $m $t with | awk '{ print $1 }')
				tokens "$n" ctx-count -q $m $t --system prompt user
				n=$(ctx-count -q $m $t with2 | awk '{ print $1 }')
				tokens "$n" ctx-count -q $m $t --system prompt in
			}
		done
	done
	# each conversation has it: 4 and 9 tokens
	tokens 12 ctx-count user
	n=$(ctx-count line | awk '{ print $1 }')
	{ jq -c '. + {t:1}' user; jq -c '. + {t:2}' user; } >two
	tokens $((24 + 2 * n)) ctx-count --by t --system prompt two
	tokens $((12 + n)) ctx-count --system prompt user
	exits 1 ctx-count --max $((11 + n)) --system prompt user
	exits 0 ctx-count --json --system prompt user
	[ "$(jq -c '[.of[] | .tokens] | add' out)" = $((12 + n)) ]
	[ "$(jq -c .of.system out)" = '{"tokens":'$n',"count":"exact"}' ]
	printf '\377' >bad
	exits 3 ctx-count --system bad user
	said 'ctx-count: bad: is not UTF-8 text'
	exits 4 ctx-count --system missing user
	exits 2 ctx-count --text --system prompt user
}

@test "count: --reserve adds the tokens of the answer to each conversation" {
	weather
	tokens 130 ctx-count --reserve 100 in
	{ jq -c '. + {t:1}' in; jq -c '. + {t:2}' in; } >two
	tokens 260 ctx-count --by t --reserve 100 two
	tokens 260 ctx-count -j 3 --by t --reserve 100 two
	exits 0 ctx-count -j 3 --by t --reserve 100 --json two
	[ "$(jq .of.reserve.tokens out)" = 200 ]
	exits 0 ctx-count --max 130 --reserve 100 in
	exits 1 ctx-count --max 129 --reserve 100 in
	said 'ctx-count: in: 130 tokens exceed the limit of 129'
	tokens 4126 ctx-count --reserve 4Ki in
	exits 0 ctx-count --json --reserve 100 in
	[ "$(jq -c .of out)" = '{"reserve":{"tokens":100,"count":"exact"},"text":{"tokens":30,"count":"exact"}}' ]
	exits 0 ctx-count --by-role --reserve 100 in
	[ "$(awk '{ print $1, $4 }' out | head -n 1)" = '100 reserve' ]
	exits 2 ctx-count --text --reserve 100 in
}

@test "count: --status: the window is the option's, the variable's, the model's" {
	weather
	limit() {
		local want=$1

		shift
		exits 0 "$@" --status in
		[ "$(sed -n 3p out)" = "Tokens: $want" ] || { cat out; false; }
	}
	limit '33 / 128000 (0 %)' ctx-count -m gpt-4o
	limit '33 / 1000 (3 %)' env CONTEXT_WINDOW_TOKENS=1000 ctx-count -m gpt-4o
	quiet
	limit '33 / 500 (7 %)' env CONTEXT_WINDOW_TOKENS=1000 ctx-count -m gpt-4o --window 500
	limit '33 / 200000 (0 %)' ctx-count -m gpt-4o --window 200k
	said 'ctx-count: a window of 200000 tokens is larger than that of the model, 128000 (--window and CONTEXT_WINDOW_TOKENS set it)'
	limit '30 / 1000 (3 %)' env CONTEXT_WINDOW_TOKENS=1000 ctx-count
	limit '30' ctx-count
	exits 0 ctx-count --status -m no-such-model in
	[[ $(sed -n 3p out) = 'Tokens: '*' / 128000 (0 %)' ]]
	says '*the context window of this model is not known; assuming 128000 tokens*'
	limit '33 / 50 (66 %)' env CONTEXT_WINDOW_TOKENS=1000 ctx-count -m gpt-4o --max 50
	exits 2 ctx-count --window 500 in
	exits 2 ctx-count --status --window 500 --max 50 in
	exits 2 env CONTEXT_WINDOW_TOKENS=0 ctx-count --status in
}

# --- plain text ----------------------------------------------------------------------

@test "count: --text: tokens, lines and bytes of plain text" {
	printf 'The quick brown fox jumps over the lazy dog.\n' >in
	wanted <<-'X'
	      10        1         45 in
	X
	counts ctx-count --text in
	printf '{"role":"user","content":"\xff"}' >bad
	exits 0 ctx-count --text -qe chars bad
	: >empty
	wanted <<-'X'
	       0        0          0 empty
	      10        1         45 in
	      10        1         45 total
	X
	counts ctx-count --text empty in
	exits 2 ctx-count --text --by-role in
	exits 4 ctx-count --text /nonexistent in
	grep -q ' in$' out
}

# --- bad input -------------------------------------------------------------------------

@test "count: a bad line is reported, and the lines before it are counted" {
	chat
	{ sed -n 1,2p chat; echo '{oops'; sed -n 6p chat; } >in
	exits 3 ctx-count in
	says "ctx-count: in:3:2: *"
	[ "$(awk '{ print $1 }' out)" = 29 ]
	exits 3 ctx-count --on-error skip in
	[ "$(awk '{ print $1 }' out)" = 36 ]
	exits 4 ctx-count /nonexistent chat
	grep -q '  *72  *6  *581 chat' out
}

@test "count: only one kind of rows at a time" {
	chat
	exits 2 ctx-count --by-role --by-tool chat
	silent
	exits 0 ctx-count --by-role --by-role chat
}

@test "count: --list-encodings and --list-models" {
	exits 0 ctx-count --list-encodings
	for e in o200k_base cl100k_base p50k_base r50k_base chars; do
		grep -q "^$e " out
	done
	exits 0 ctx-count --list-models
	grep -Eq '^gpt-4o +openai +o200k_base +exact +128000 +16384$' out
}

# --- ids ---------------------------------------------------------------------

@test "count: ids of a text, as npm tiktoken 1.0.22 gives them, and the text of ids" {
	printf 'hello world' >in
	exits 0 ctx-count --encode -e cl100k_base in
	wrote '[15339,1917]'
	exits 0 ctx-count --encode -e o200k_base in
	wrote '[24912,2375]'
	printf 'a <|endoftext|> b' >in
	exits 0 ctx-count --encode -e cl100k_base --special in
	wrote '[64,220,100257,293]'
	for f in "$ROOT/README.md" "$DATA"/logs/{research.claude-code,zh.openai}.jsonl \
	    /dev/null; do
		exits 0 ctx-count --encode "$f"
		cp out ids
		exits 0 ctx-count --decode ids
		same out "$f"
	done
}

@test "count: anything but a list of ids is reported" {
	for bad in '[1,' '{"a":1}' '[1.5]' '[-1]' '["a"]' '[[1]]'; do
		printf '[1]\n%s\n' "$bad" >in
		exits 3 ctx-count --decode in
		says 'ctx-count: in:*'
	done
	echo '[99999999999999999999]' >in
	exits 3 ctx-count --decode in
}

@test "count: --show marks the borders of tokens, without a terminal too" {
	printf 'hello wörld' >in
	exits 0 ctx-count --show in
	wrote '‹hello›‹ w›‹ör›‹ld›'
}

@test "count: several threads count the same as one" {
	cat "$ROOT"/man/*.1 "$ROOT"/cmd/*.c >in
	exits 0 ctx-count --text in
	cp out one
	exits 0 ctx-count --text -j 2 in
	same out one
}

@test "count: a text that could not be read is not counted with the next one" {
	native
	cat >fail.c <<-'EOF'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <errno.h>
	#include <unistd.h>
	/* The second read of a block fails. */
	ssize_t
	read(int fd, void *p, size_t n)
	{
		static int block;
		ssize_t (*next)(int, void *, size_t);

		*(void **)&next = dlsym(RTLD_NEXT, "read");
		if (n != 128 * 1024 || ++block != 2)
			return next(fd, p, n);
		errno = EIO;
		return -1;
	}
	EOF
	${CC:-cc} -shared -fPIC -o fail.so fail.c -ldl
	echo 'some text' >in
	exits 0 ctx-count --text in
	cp out want
	seq 100000 >bad
	for j in 1 2; do
		exits 4 env LD_PRELOAD="$PWD/fail.so" \
		    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
		    "$BUILD/ctx-count" -q --text -j "$j" bad in
		same out want
	done
}

@test "count: threads do not split a token that spans a line end" {
	# Only numbers are split off as pieces, so line ends are inside pieces.
	for each in true false; do
		jq --argjson each "$each" '.added_tokens = [] |
		    .pre_tokenizer.pretokenizers[0].individual_digits = $each |
		    .pre_tokenizer.pretokenizers[1].use_regex = false |
		    .model.vocab["eĊ"] = 525 | .model.vocab["eĊb"] = 526 |
		    .model.merges += [["e", "Ċ"], ["eĊ", "b"]]' \
		    "$DATA/token/tiny-digits.json" >lines.json
		exits 0 ctx-count --prepare lines.json lines.ctxv
		yes 'b, axe' | head -n 200000 >in
		exits 0 ctx-count --text -e ./lines.ctxv in
		cp out one
		exits 0 ctx-count --text -j 2 -e ./lines.ctxv in
		same out one
	done
}

# The expected numbers are those of the fitted model, computed by another
# implementation of it; tests/unit/test_claude.c has more of them.
@test "count: texts for Claude are estimated, with any option the same" {
	text='HTTP NASA abc ABC JSONParser getHTTPResponse iOS McDonald'
	printf %s "$text" >text
	printf '{"role":"user","content":"%s"}\n' "$text" >in
	for m in claude-opus-4-6:20 claude-opus-4-7:32 claude-next:32; do
		tokens "${m#*:}" ctx-count -q -m "${m%:*}" --text text
		tokens "${m#*:}" ctx-count -q -m "${m%:*}" --overhead 0 in
	done
	tokens 13 ctx-count -m claude-opus-5 -e o200k_base --text text
	said 'ctx-count: counted approximately, with o200k_base'
	# a rule of the user counts as it says
	echo 'claude-opus-5 o200k_base*2' >rules
	CTX_MODELS=rules tokens 26 ctx-count -q -m claude-opus-5 --text text
	# the lines of a text are not counted apart
	printf 'one\n\n\ntwo\n' >text
	printf '{"role":"user","content":"one\\n\\n\\ntwo\\n"}\n' >in
	ctx-count -q -m claude-sonnet-5 --overhead 0 in >out
	tokens "$(awk '{ print $1 }' out)" ctx-count -q -m claude-sonnet-5 \
	    --text text
	# a text is cut to as many tokens as are asked for
	{ echo '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}'
	    printf '{"role":"tool","tool_call_id":"a","content":"%s"}\n' \
	        "$(printf 'getHTTPResponse wants JSONParser. %.0s' {1..60})"
	} >long
	ctx-clean -q -m claude-opus-5 --max-result 100t long | tail -1 |
	    jq -r .content | sed '$d' | tr -d '\n' >text
	tokens 100 ctx-count -q -m claude-opus-5 --text text
	# threads
	awk 'BEGIN { for (i = 0; i < 50000; i++)
		printf "{\"role\":\"user\",\"content\":\"Line %d of a text, " \
		    "NOT of mine: %x\"}\n", i, i * 7919 }' >many
	for m in claude-opus-4-6 claude-opus-5; do
		ctx-count -q -j 1 -m $m --per-message many >one
		ctx-count -q -j 4 -m $m --per-message many >four
		same four one
	done
}

@test "count: several threads write the same as one, with any option for messages" {
	# threads get 2 MB at a time
	"$DATA/logs/multiply" 5M "$DATA/logs/bookings.openai.jsonl" >large
	for f in "${LOGS[@]}" large; do
		for how in --histogram --by-tool --per-message '--annotate n' \
		    '-b thread_id --per-conversation --json' '--max 3000' \
		    '-m claude-sonnet-4'; do
			in_turn 5 9 || continue
			# shellcheck disable=SC2086
			"$BUILD/ctx-count" -j 1 $how "$f" >one 2>&1 || :
			# shellcheck disable=SC2086
			"$BUILD/ctx-count" -j 4 $how "$f" >four 2>&1 || :
			same four one
		done
	done
}

@test "count: a bad line is reported at the same place with several threads" {
	cat "$DATA"/logs/audit.openai.jsonl >in
	printf '{"role":"user","content":no}\n' >>in
	cat "$DATA"/logs/audit.openai.jsonl >>in
	for how in stop skip keep; do
		exits 3 ctx-count -q --on-error "$how" --per-message in
		cp out want
		exits 3 ctx-count -q -j 3 --on-error "$how" --per-message in
		same out want
	done
}

@test "count: memory does not grow with the text" {
	peak() {
		peak_kib "$BUILD/ctx-count" --text "$@"
	}
	cat "$ROOT"/cmd/*.c "$ROOT"/man/*.[1-9] "$ROOT"/lib/*/*.c >part
	for _ in 1 2 3 4 5 6 7 8; do cat part; done >eight
	for _ in 1 2 3 4; do cat eight; done >many
	table=$(wc -c <"$BUILD/share/ctx/o200k_base.ctxv")
	[ "$(peak many)" -lt $((table / 1024 + 24 * 1024)) ]
	[ "$(peak many)" -lt $(($(peak eight) + 2048)) ]
	[ "$(peak -j 2 many)" -lt $((table / 1024 + 48 * 1024)) ]
}

@test "count: a prepared vocabulary counts the same" {
	exits 0 ctx-count --prepare "$ROOT/lib/token/data/cl100k_base.tiktoken" mine.ctxv
	exits 0 ctx-count --text -e cl100k_base "$ROOT/README.md"
	cp out want
	exits 0 ctx-count --text -e ./mine.ctxv "$ROOT/README.md"
	same out want
	# a table has the name of its file
	exits 0 ctx-count -v --text -e ./mine.ctxv "$ROOT/README.md"
	said "ctx-count: counted with mine, not for a model"
	exits 2 ctx-count --prepare "$ROOT/README.md"
	exits 4 ctx-count --prepare "$ROOT/README.md" other.ctxv
}

@test "count: --prepare -m installs a table for every model of its vocabulary" {
	unset CTX_VOCAB
	export XDG_DATA_HOME="$T/data/of mine"
	words=$DATA/token/tiny-words.json
	printf 'a word' >in
	exits 0 ctx-count -m kimi-k2 --text in
	says "ctx-count: no table kimi.ctxv is installed, so cl100k_base counts instead; to make one of the model's tokenizer: ctx-count -m kimi-k2 --prepare tokenizer.json"
	says "ctx-count: counted approximately, with cl100k_base"
	exits 0 ctx-count --list-models
	grep -Eq '^kimi-k2 .* needs --prepare$' out
	grep -Eq '^gemini-2.5 .* needs --prepare$' out
	[ "$(grep -cE '^(gpt|claude|grok).* needs' out)" = 0 ]
	exits 0 ctx-count -m kimi-k2 --prepare "$words"
	wrote "$T/data/of mine/ctx/kimi.ctxv"
	exits 0 ctx-count -v -m kimi-k3 --text in
	said "ctx-count: counted exactly, with kimi"
	# but nobody has recorded what messages cost
	echo '{"role":"user","content":"a word"}' >messages
	exits 0 ctx-count -m kimi-k3 messages
	said "ctx-count: counted with kimi, a part is estimated"
	exits 0 ctx-count --json -m kimi-k3 messages
	[ "$(jq -c .of.framing out)" = '{"tokens":4,"count":"estimate"}' ]
	exits 0 ctx-count -v -m kimi-k3 --overhead 0 messages
	said "ctx-count: counted exactly, with kimi"
	exits 0 ctx-count -v -e kimi --text in
	exits 0 ctx-count --list-models
	# but Kimi-Dev has another one
	[ "$(grep '^kimi.* needs' out | cut -d ' ' -f 1)" = kimi-dev ]
	# CTX_VOCAB comes first
	mkdir other
	CTX_VOCAB=$T/other exits 0 ctx-count -m gemini-2.5-pro --prepare "$words"
	wrote "$T/other/gemma3.ctxv"
	CTX_VOCAB=$T/other exits 0 ctx-count -v -m gemini-3-flash --text in
	said "ctx-count: counted exactly, with gemma3"
	# what needs no table, and what is not known
	exits 2 ctx-count -m gpt-4o --prepare "$words"
	says "ctx-count: model 'gpt-4o' needs no table: it is counted with o200k_base*"
	exits 2 ctx-count -m no-such --prepare "$words"
	says "ctx-count: model 'no-such' is not known; name the new table instead*"
	exits 2 ctx-count -m kimi-k2 --prepare "$words" x.ctxv
	HOME='' XDG_DATA_HOME='' exits 2 ctx-count -m kimi-k2 --prepare "$words"
	says "ctx-count: no folder for tables: set CTX_VOCAB or HOME*"
	exits 4 ctx-count -m kimi-k2 --prepare missing
	says "ctx-count: missing: *"
}

@test "count: an unknown rank file needs --split" {
	head -n 5000 "$ROOT/lib/token/data/cl100k_base.tiktoken" >part.tiktoken
	exits 4 ctx-count --prepare part.tiktoken part.ctxv
	says "ctx-count: part.tiktoken: how it splits text is not known; put it beside the tokenizer_config.json and the Python module of its model, or prepare it with --split o200k, *"
	exits 4 ctx-count --text -e ./part.tiktoken "$ROOT/README.md"
	says "ctx-count: ./part.tiktoken: how it splits text is not known; *"
	# the table is another file
	cp part.tiktoken kept
	ln -s part.tiktoken part.ctxv
	for to in part.tiktoken ./part.ctxv; do
		exits 2 ctx-count --prepare part.tiktoken --split cl100k "$to"
		says "ctx-count: --prepare: $to is the vocabulary itself; name the table that is to be made of it"
		same part.tiktoken kept
	done
	rm part.ctxv
	exits 0 ctx-count --prepare part.tiktoken --split cl100k part.ctxv
	exits 0 ctx-count --encode -e ./part.ctxv "$ROOT/README.md"
	exits 0 ctx-count --prepare part.tiktoken --split '\p{L}+|.' part.ctxv
	exits 4 ctx-count --prepare part.tiktoken --split '[a' part.ctxv
	exits 2 ctx-count --split cl100k part.tiktoken
	exits 2 ctx-count --prepare "$DATA/token/tiny-words.json" --split qwen \
	    x.ctxv
}

@test "count: --histogram shows messages by size" {
	given <<-'X'
	{"role":"user","content":"hi"}
	{"role":"user","content":"hello"}
	{"role":"user","content":"one two three four five six seven"}
	X
	exits 0 ctx-count --histogram --json <in
	wrote '{"from":4,"to":7,"messages":2}' '{"from":8,"to":15,"messages":1}'
}

# lines_cost_their_request MODEL MEMBER OPTION...: the lines of in cost what a request
# with them in its MEMBER costs.
lines_cost_their_request() {
	local model=$1

	jq -sc "{model: \"$1\", $2: .}" in >request
	shift 2
	exits 0 ctx-count -q -m "$model" "$@" request
	awk '{ print $1 }' out >want
	exits 0 ctx-count -q -m "$model" "$@" in
	awk '{ print $1 }' out >got
	same got want
}

@test "count: lines of the Responses API cost what they cost in a request, with tools" {
	given <<-'X'
	{"role":"user","content":"hi there"}
	{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"a","output":"ok"}
	X
	echo '[{"type":"function","name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}]' >tools
	echo 'Be terse.' >system
	for model in gpt-4o gpt-5; do
		lines_cost_their_request $model input --tools tools
		lines_cost_their_request $model input --tools tools --system system
	done
	# and so each row says
	exits 0 ctx-count -q -m gpt-5 --tools tools --by-role request
	awk '{ print $1, $4 }' out >want
	exits 0 ctx-count -q -m gpt-5 --tools tools --by-role in
	awk '{ print $1, $4 }' out >got
	same got want
	# a cut may leave lines that do not show it, and fits by either rule
	for n in 61 100 129; do
		exits 1 ctx-truncate -m gpt-5 -t $n --tools tools in
	done
	echo '{"role":"user","content":"hi"}' >>in
	exits 0 ctx-truncate -m gpt-5 -t 140 --tools tools in
	cp out left
	exits 0 ctx-count -q --max 140 -m gpt-5 --tools tools left
}

@test "count: lines cost the thinking of the turn that goes on, as a request with them" {
	seal=$(printf '%01300d' 0)
	given <<-X
	{"role":"user","content":"hi there"}
	{"type":"reasoning","id":"r","summary":[],"encrypted_content":"$seal"}
	{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}
	{"type":"function_call_output","call_id":"a","output":"ok"}
	X
	lines_cost_their_request gpt-5 input
	read -r open <want
	exits 0 ctx-count -m gpt-5 in
	says '*estimated*-14 to +6 %*'
	# (1300 - 950) * 46 / 300 tokens are the seal's
	grep -v reasoning in >without
	exits 0 ctx-count -q -m gpt-5 without
	[ "$(awk '{ print $1 }' out)" -eq $((open - 53)) ]
	exits 0 ctx-count -q -m gpt-5 --by-role in
	[ "$(awk '{ n += $1 } END { print n }' out)" -eq "$open" ]
	# what came before a question is free, and nothing is estimated
	echo '{"role":"user","content":"and?"}' >>in
	lines_cost_their_request gpt-5 input
	exits 0 ctx-count -m gpt-5 in
	quiet

	given <<-'X'
	{"role":"user","content":"hi"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"Let me think about it for long.","signature":"s"},{"type":"tool_use","id":"a","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}
	X
	lines_cost_their_request claude-sonnet-4-5 messages
	# a cut counts it too
	stays ctx-truncate -m claude-sonnet-4-5 -t "$(cat want)"
	exits 1 ctx-truncate -m claude-sonnet-4-5 -t $(($(cat want) - 1)) in
	{ cat in; echo '{"role":"user","content":"and?"}'; } >more
	mv more in
	lines_cost_their_request claude-sonnet-4-5 messages

	# a signature that came in a stream: its first piece has 2 bytes
	given <<-X
	{"role":"user","parts":[{"text":"hi"}]}
	{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"CgIA$seal"}]}
	{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"ok"}}}]}
	X
	lines_cost_their_request gemini-2.5-flash contents
	{ cat in; echo '{"role":"user","parts":[{"text":"and?"}]}'; } >more
	mv more in
	lines_cost_their_request gemini-2.5-flash contents
}

@test "count: lines of one side in a row are one turn of Claude's" {
	given <<-'X'
	{"role":"user","content":[{"type":"text","text":"one"}]}
	{"role":"user","content":[{"type":"text","text":"two"}]}
	{"role":"assistant","content":[{"type":"text","text":"three"}]}
	{"role":"user","content":[{"type":"text","text":"four"}]}
	X
	lines_cost_their_request claude-sonnet-4-5 messages
	# 4 for the request, 3 turns of 3, and 4 words
	[ "$(cat want)" = 17 ]
	# of two conversations each has its own
	sed 's/{/{"t":1,/' in >one
	sed 's/{/{"t":2,/' in | paste -d '\n' one - >both
	exits 0 ctx-count -q -m claude-sonnet-4-5 --by t both
	[ "$(awk '{ print $1 }' out)" = 34 ]
}

@test "count: lines with documents that ask for citations cost what a request does" {
	cited='{"type":"document","source":{"type":"text","data":"one"},"citations":{"enabled":true}}'
	given <<-X
	{"role":"user","content":"hi"}
	{"role":"assistant","content":"yes"}
	{"role":"user","content":[$cited,$cited]}
	{"role":"assistant","content":"yes"}
	{"role":"user","content":[$cited]}
	X
	lines_cost_their_request claude-sonnet-4-5 messages
	n=$(cat want)
	sed 's/true/false/g' in >none
	exits 0 ctx-count -q -m claude-sonnet-4-5 none
	[ "$(awk '{ print $1 }' out)" -eq $((n - 550)) ]
	stays ctx-truncate -m claude-sonnet-4-5 -t "$n"
	exits 1 ctx-truncate -m claude-sonnet-4-5 -t $((n - 1)) in
}

@test "count: what stands before a summary of the API's own costs nothing" {
	given <<-'X'
	{"type":"message","role":"developer","content":[{"type":"input_text","text":"terse"}]}
	{"type":"message","role":"user","content":[{"type":"input_text","text":"one two three four five"}]}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"one two three four five"}]}
	{"type":"compaction","encrypted_content":"abc"}
	{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}
	X
	lines_cost_their_request gpt-4o input
	# 3 for the request, and 4 and a word for two messages; "terse" is 2
	[ "$(cat want)" = 14 ]
	exits 0 ctx-count -m gpt-4o in
	says '*it is at least that*'
	exits 0 ctx-count -q -m gpt-4o --by-role in
	[ "$(awk '{ print $1, $4 }' out | sort | paste -s -d , -)" = \
	    '0 assistant,3 framing,5 user,6 system' ]
	exits 0 ctx-count -q -m gpt-4o --json in
	[ "$(jq -c '[.of[].tokens]' out)" = '[11,3]' ]
	# so none of it has to be cut
	stays ctx-truncate -m gpt-4o -t 14
	jq -sc '{model: "gpt-4o", input: .}' in >request
	mv request in
	stays ctx-truncate -m gpt-4o -t 14

	given <<-'X'
	{"role":"user","content":"one two three four five"}
	{"role":"assistant","content":[{"type":"compaction","content":"All of it."},{"type":"text","text":"ok"}]}
	{"role":"user","content":"hi"}
	X
	lines_cost_their_request claude-sonnet-4-5 messages
	exits 0 ctx-count -q -m claude-sonnet-4-5 --by-role in
	[ "$(awk '$4 == "user" { print $1 }' out)" = 4 ]
	exits 0 ctx-count -q --by-role in
	[ "$(awk '$4 == "user" { print $1 }' out)" = 5 ]
}

@test "count: a conversation without a message is no request" {
	given <<-'X'
	{"type":"meta"}
	{"t":1,"role":"user","content":"hi"}
	X
	# 3 for the request, 4 for the message, 1 for "hi"
	echo hi >system
	exits 0 ctx-count -q --by t -m gpt-4o --reserve 100 in
	[ "$(awk '{ print $1 }' out)" = 108 ]
	exits 0 ctx-count -q --by t -m gpt-4o --reserve 100 --system system in
	[ "$(awk '{ print $1 }' out)" = 113 ]
	exits 0 ctx-count -q --by t -m gpt-4o --reserve 100 --per-conversation in
	[ "$(awk '{ print $1 }' out)" = 108 ]
}

@test "count: images cost what their provider's formula says for their size" {
	# a PNG header for 512 x 512; the third image is a URL, whose size is
	# unknown
	png=$(printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\2\0\0\0\2\0\10\2\0\0\0' | to_base64)
	given <<-X
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,$png"}}]}
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,$png","detail":"low"}}]}
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/y.png"}}]}
	X
	# OpenAI: 85 + 170 for each tile of 512; 85 with low detail; 1024 x 1024
	# has 4 tiles
	exits 0 ctx-count -m gpt-4o --per-message --overhead 0 <in
	[ "$(awk '{ print $1 }' out | paste -s -d ' ' -)" = '255 85 765' ]
}

@test "count: an image that is all that a tool returned costs what an image costs" {
	# the PNG header of the test before
	png=iVBORw0KGgoAAAANSUhEUgAAAgAAAAIACAIAAAA=
	given <<-X
	{"type":"computer_call","call_id":"a","action":{"type":"screenshot"}}
	{"type":"computer_call_output","call_id":"a","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,$png"}}
	X
	exits 0 ctx-count -m gpt-4o --per-message --overhead 0 <in
	[ "$(awk 'NR == 2 { print $1 }' out)" = 255 ]
	medium='{"kind":"binary","media_type":"image/png","data":"'$png'"}'
	given <<-X
	{"kind":"response","parts":[{"part_kind":"tool-call","tool_name":"f","args":"{}","tool_call_id":"a"},{"part_kind":"tool-call","tool_name":"f","args":"{}","tool_call_id":"b"},{"part_kind":"tool-call","tool_name":"f","args":"{}","tool_call_id":"c"}]}
	{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"f","tool_call_id":"a","content":$medium}]}
	{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"f","tool_call_id":"b","content":["ok",$medium]}]}
	{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"f","tool_call_id":"c","content":{"kind":"binary"}}]}
	X
	# "ok" is a token; {"kind":"binary"} is 5: it has no data
	exits 0 ctx-count -m gpt-4o --per-message --overhead 0 <in
	[ "$(awk 'NR > 1 { print $1 }' out | paste -s -d ' ' -)" = '255 256 5' ]
}

@test "count: escapes in base64 and its type change nothing of what a file costs" {
	# the PNG header of the test before, a PDF with a page
	given <<-'X'
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image\/png;base64,iVBORw0KGgoAAAANSUhEUgAAAgAAAAIACAIAAA\u0041="}}]}
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,\u0069VBORw0KGgoAAAANSUhEUgAAAgAAAAIACAIAAAA\u003d"}}]}
	{"role":"user","content":[{"type":"file","file":{"file_data":"data:application\/pdf;base64,JVBERi0xLjQgPDwvVHlwZSAvUGFnZT4\u002b"}}]}
	{"role":"user","content":[{"type":"file","file":{"file_data":"data:text\/plain;base64,aGVsbG8sIHdvcm\u0078k"}}]}
	X
	exits 0 ctx-count -m gpt-4o --per-message --overhead 0 <in
	[ "$(awk '{ print $1 }' out | paste -s -d ' ' -)" = '255 255 1315 3' ]
}

@test "count: texts of documents, and files that are images, cost what they are" {
	document() { printf '{"role":"user","content":[{"text":"hi"},{"document":{"format":"txt","name":"n","source":%s}}]}\n' "$1"; }
	{
		document '{"text":"one two three"}'
		document '{"content":[{"text":"one two"},{"text":" three"}]}'
	} >in
	exits 0 ctx-count -m gpt-4o --per-message --overhead 0 in
	[ "$(awk '{ print $1 }' out | paste -s -d ' ' -)" = '4 4' ]
	quiet
	# an image of 512 x 512, as the AI SDK has it; base64 is no text
	given <<-'X'
	{"role":"user","content":[{"type":"file","mediaType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAgAAAAIACAIAAAA="}]}
	{"role":"user","content":[{"type":"search_result","source":"https://h/","title":"t","content":[{"type":"text","text":"one two three"}]}]}
	X
	exits 0 ctx-count -m gpt-4o --per-message --overhead 0 in
	[ "$(awk '{ print $1 }' out | paste -s -d ' ' -)" = '255 3' ]
}

@test "count: the documents of a request to Cohere's API cost their texts" {
	given <<-'X'
	{"model":"command-a-03-2025","messages":[{"role":"user","content":"hi"}],"documents":[{"data":{"title":"one two","snippet":"three four five"}},"six"]}
	{"model":"command-a-03-2025","messages":[{"role":"user","content":"hi"}]}
	X
	# of 6 words, and of data, title and snippet
	exits 0 ctx-count -q -e o200k_base --per-conversation in
	[ "$(awk '{ n = n ? n - $1 : $1 } END { print n }' out)" = 9 ]
	exits 0 ctx-count -q -m command-a-03-2025 -e o200k_base --by-role in
	[ "$(awk '$4 == "definitions" { print $1 }' out)" = 9 ]
}

@test "count: arguments and results that are JSON cost what they cost without escapes" {
	call() {
		cat >in <<-X
		{"role":"user","content":"go"}
		{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"sh","input":{"command":$1,"n":1}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}
		X
	}
	tokens() {
		for m in gpt-4o claude-sonnet-4-5 gemini-2.5-flash; do
			exits 0 ctx-count -q -m $m <in
			awk '{ print $1 }' out
		done
		exits 0 ctx-count -q -e o200k_base <in
		awk '{ print $1 }' out
	}
	call '"cd a/b && say \"it'"'"'s \\\\ é 😀\"\n"'
	tokens >want
	# PHP, .NET and Gson
	for s in '"cd a\/b && say \"it'"'"'s \\\\ \u00e9 \ud83d\ude00\"\n"' \
	    '"cd a/b \u0026\u0026 say \u0022it\u0027s \\\\ \u00E9 \uD83D\uDE00\u0022\n"' \
	    '"cd a/b \u0026\u0026 say \"it\u0027s \\\\ é 😀\"\n"'; do
		call "$s"
		tokens >got
		same got want
	done
}

@test "count: files cost pages and seconds; CTX_MODELS replaces the rules" {
	pdf=$(printf '%%PDF-1.4 <</Type /Page>> <</Type /Page>>' | to_base64)
	given <<-X
	{"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,$pdf"}}]}
	{"role":"user","content":[{"type":"file","file":{"file_data":"data:text/plain;base64,aGVsbG8sIHdvcmxk"}}]}
	{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}}]}
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/y.png"}}]}
	X
	# 550 for the text of a page, 85 and 4 tiles of 170 for its image
	exits 0 ctx-count -m gpt-4o --per-message --overhead 0 <in
	[ "$(awk '{ print $1 }' out | paste -s -d ' ' -)" = '2630 3 0 765' ]
	echo 'mine o200k_base 8k image=fixed:77 page=100' >models
	CTX_MODELS=$T/models exits 0 ctx-count -m mine --per-message --overhead 0 <in
	[ "$(awk '{ print $1 }' out | paste -s -d ' ' -)" = '200 3 0 77' ]
	echo 'mine o200k_base 8k colour=red' >models
	CTX_MODELS=$T/models exits 2 ctx-count -m mine in
	says "ctx-count: $T/models:1: unknown key 'colour'*"
}

# Counted by tests/reference/tokens.mjs, with tiktoken 1.0.22 and gpt-tokenizer
# 4.0.0.
@test "count: our own sessions, as npm tiktoken and gpt-tokenizer count them" {
	cat "$DATA"/search/en-*.jsonl >en
	cat "$DATA"/search/zh-*.jsonl >zh
	wanted <<-'X'
	    5670      150      34954 en
	    5764      150      32457 zh
	   11434      300      67411 total
	X
	counts ctx-count en zh
	wanted <<-'X'
	    5744      150      34954 en
	    7333      150      32457 zh
	   13077      300      67411 total
	X
	counts ctx-count -e cl100k_base en zh
	wanted <<-'X'
	    6913      145      39838 assistant
	    3148      124      20363 user
	    1373       31       7210 tool
	X
	counts ctx-count --by-role en zh
}

@test "count: arguments that are an object cost what their string does" {
	echo '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"path\":\"src/main.c\"}"}}]}' >string
	echo '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":{"path":"src/main.c"}}}]}' >object
	echo '{"role":"assistant","content":null,"tool_calls":[{"id":"a","name":"f","arguments":{"path":"src/main.c"}}]}' >flat
	echo '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":null}}]}' >none
	for f in string object flat; do
		ctx-count -e o200k_base $f | awk '{ print $1 }' >got.$f
	done
	same got.object got.string
	same got.flat got.string
	[ "$(ctx-count -e o200k_base none | awk '{ print $1 }')" -lt "$(cat got.string)" ]
}

@test "count: what is in a result's list costs something, whatever its shape" {
	given <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"query":"ls","result":"one two three four five six seven eight nine ten","success":true}]}]}
	X
	[ "$(ctx-count -e o200k_base in | awk '{ print $1 }')" -ge 30 ]
}

@test "count: a compaction costs its text" {
	echo '{"role":"assistant","content":[{"type":"compaction","content":"one two three four five six"}]}' >a
	echo '{"role":"assistant","content":[{"type":"text","text":"one two three four five six"}]}' >b
	echo '{"type":"compaction","encrypted_content":"gAAAAABmabcdefghijklmnop"}' >c
	[ "$(ctx-count -d anthropic -e o200k_base a | awk '{ print $1 }')" -eq "$(ctx-count -e o200k_base b | awk '{ print $1 }')" ]
	[ "$(ctx-count -e o200k_base c | awk '{ print $1 }')" -gt 8 ]
}

# The numbers are those of o200k_base for the texts of each form: of the prompts
# 3 and 7; of old models' functions, calls and results 9, 3 and 3; as Python 28,
# 11 and 12; with control tokens 46, 12 and 12.  Three contents name a role.
@test "count: -m: a request to Gemini is charged as its API charges it" {
	given <<-'X'
	{"systemInstruction":{"parts":[{"text":"Be brief."}]},"tools":[{"functionDeclarations":[{"name":"weather","description":"Get weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING","description":"the city"}},"required":["city"]}}]}],"contents":[{"role":"user","parts":[{"text":"What is the capital of France?"}]},{"role":"model","parts":[{"functionCall":{"name":"weather","args":{"city":"Rome"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"weather","response":{"output":"sun"}}}]}]}
	X
	tokens 25 ctx-count -m gemini-2.0-flash -e o200k_base in
	tokens 64 ctx-count -m gemini-2.5-flash -e o200k_base in
	tokens 83 ctx-count -m gemini-3-pro -e o200k_base in
	tokens 83 ctx-count -m gemini-flash-latest -e o200k_base in
	tokens 25 ctx-count -m publishers/google/models/gemini-2.5-flash -e o200k_base in
	# without its table, other tokens of the signs are estimated
	tokens 71 ctx-count -qm gemini-2.5-flash in
	tokens 81 ctx-count -qm gemini-3-pro in
	# in another dialect it costs the same, but a system prompt's role too
	ctx-convert -q --to openai in >other
	tokens 65 ctx-count -m gemini-2.5-flash -e o200k_base other
}

@test "count: what the server adds makes a count the least, without a range" {
	echo '{"model":"m","input":"hi","previous_response_id":"r"}' >in
	exits 0 ctx-count -m gpt-5 in
	said "ctx-count: counted with o200k_base, a part is estimated; it is at least that: what the server adds is not known"
	echo '{"model":"m","input":[{"role":"user","content":"hi"},{"type":"reasoning","id":"r","summary":[]}]}' >in
	exits 0 ctx-count -m gpt-5 in
	said "ctx-count: estimated with o200k_base; 90 % of the recorded requests were within -14 to +6 %"
	exits 0 ctx-count --json -m gpt-5 in
	grep -q '"text":{"tokens":1,"count":"estimate"}' out
	echo '{"model":"m","input":"hi","previous_response_id":null}' >in
	exits 0 ctx-count -vm gpt-5 in
	said "ctx-count: counted exactly, with o200k_base"
}

# The texts are 3 and 2 tokens.
@test "count: only framing that was recorded is exact, or has a range" {
	local framed='ctx-count: counted with o200k_base, a part is estimated'

	given <<-'X'
	{"role":"system","content":"Be brief."}
	{"role":"user","content":"hi there"}
	X
	# both recorded requests cost their texts
	for m in gpt-4o-search-preview gpt-4o-mini-search-preview-2025-03-11; do
		tokens 5 ctx-count -m $m in
		said "$framed"
	done
	tokens 16 ctx-count -m gpt-4o in
	quiet
	# those who serve it have their own prompts
	tokens 15 ctx-count -m gpt-oss-120b in
	said 'ctx-count: counted with o200k_harmony, a part is estimated'
	tokens 15 ctx-count -m gpt-5.2 in
	quiet
	exits 0 ctx-count -m text-embedding-3-small in
	said 'ctx-count: counted with cl100k_base, a part is estimated'
	exits 0 ctx-count -m gpt-6 in
	said 'ctx-count: counted approximately with o200k_base, a part is estimated'
	tokens 7 env -u CTX_VOCAB XDG_DATA_HOME="$T" ctx-count -m gemma-3-27b-it in
	says 'ctx-count: counted approximately with cl100k_base, a part is estimated'
}

# A request with tools costs one more in gpt-5 than later.
@test "count: gpt-5.1 to 5.3 are charged as what came after them" {
	echo '{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"ls","parameters":{"type":"object"}}}]}' >in
	exits 0 ctx-count -q -m gpt-5.4 in
	n=$(awk '{ print $1 }' out)
	tokens $((n + 1)) ctx-count -q -m gpt-5-2025-08-07 in
	for m in gpt-5.1-codex gpt-5.2-chat gpt-5-2 gpt-5.3; do
		tokens "$n" ctx-count -m $m in
		said 'ctx-count: counted with o200k_base, a part is estimated'
	done
	exits 0 ctx-count -m gpt-5.4 in
	said 'ctx-count: counted with o200k_base, a part is estimated; 90 % of the recorded requests were within ±1 %'
}

@test "count: -m gemini: the resolution of a request counts for media without one" {
	image() { printf '{"inlineData":{"mimeType":"image/png","data":"AAAA"}%s}' "$1"; }
	request() { printf '{"generationConfig":%s,"contents":[{"role":"user","parts":[%s]}]}\n' "$1" "$2" >in; }
	# besides the role
	request '{}' "$(image '')"
	tokens 1121 ctx-count -qm gemini-3-flash in
	request '{"mediaResolution":"MEDIA_RESOLUTION_LOW"}' "$(image '')"
	tokens 281 ctx-count -qm gemini-3-flash in
	request '{"mediaResolution":"MEDIA_RESOLUTION_LOW"}' "$(image ',"mediaResolution":{"level":"MEDIA_RESOLUTION_MEDIUM"}')"
	tokens 561 ctx-count -qm gemini-3-flash in
}

# A signature that begins with 0a is one of Vertex AI's, where roles and control
# tokens cost nothing; without the message that has it, they do.
@test "truncate: what is cut fits also if Vertex AI no longer shows in it" {
	turn() { printf ',{"role":"user","parts":[{"text":"%s"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":"b"}}%s}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"c"}}}]}' "$1" "$2"; }
	{
		printf '{"contents":[{"role":"user","parts":[{"text":"one"}]}'
		turn two ',"thoughtSignature":"CgAAAAAAAAAA"'
		for i in 1 2 3 4 5 6 7 8 9; do turn "$i" ''; done
		printf ']}\n'
	} >in
	# 1 for "one", 9 times the number, 10 calls and results with a name, a
	# member and a value
	tokens 71 ctx-count -m gemini-3-pro -e o200k_base in
	for n in 60 100 140 180 220; do
		exits 0 ctx-truncate -m gemini-3-pro -e o200k_base -t "$n" in
		mv out cut
		exits 0 ctx-count -m gemini-3-pro -e o200k_base --max "$n" cut
	done
}

@test "count: -m gemini: without its table, a text is estimated by its script" {
	each() {
		printf '{"role":"user","parts":[{"text":"%s"}]}\n' "$2" >in
		tokens "$1" ctx-count -qm gemini-2.5-flash in
	}
	# besides the role, 2 of o200k_base, as few as that are as they are; 9
	# are 9, but of JSON 10
	each 3 'one two'
	each 10 'one two three four five six seven eight nine'
	each 11 '[one two three four five six seven eight'
	# a digit is a token: 4 more than the 2 by three
	each 7 123456
	# 7, of which .58 for kana and .83 for Han make 5
	each 6 'これは日本語の文章です。'
	# 10, of Hebrew 12
	each 13 'שלום לכולם, מה שלומכם היום?'
}

# Recorded requests and what the APIs charged for them; the table of the page.
@test "count: requests are as far from what APIs charge as the page says" {
	other_peoples
	exits 0 env -u CTX_VOCAB XDG_DATA_HOME="$PWD" python3 \
	    "$ROOT/tests/usage.py" "$BUILD" "$CTX_DATA/usage"
	awk -F ' Ta ' '/^\.It (OpenAI chat|Responses|Anthropic|Gemini, by o200k_base) Ta / {
	    name = substr($1, 5); sub(/, by.*/, "", name); row = name }
	    /^\.It Gemini Ta / || !/^\.It .* Ta / { name = "" }
	    /^\.It the same, tools Ta / { row = name ", tools" }
	    /^\.It all shown Ta / { row = row ", known" }
	    name != "" { print row, $2, $3, $4, $5 }' "$ROOT/man/ctx-count.1" >want
	[ "$(wc -l <want)" -eq 15 ]
	same out want
}
