# Notes in both languages, and in the user's own words.  The expected bytes are
# written by hand.

setup() { load helpers; common_setup; }

call() { # ID
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"f","arguments":"{}"}}]}\n' "$1"
}
result() { # ID TEXT-AS-JSON
	printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$@"
}
user() { printf '{"role":"user","content":"%s"}\n' "$1"; }

# Spell all characters beyond ASCII as escapes, as Python's json does.
spelled() {
	python3 -c 'import json, sys
for line in sys.stdin.buffer:
    print(json.dumps(json.loads(line), separators=(",", ":")))'
}

# in_chinese OPTION...: assert that ctx-clean turns $T/in into $T/want with
# --lang zh, and that a run in either language then leaves that alone; and so
# does a Chinese run what an English one wrote.
in_chinese() {
	local rerun

	becomes ctx-clean --lang zh "$@"
	becomes env CTX_LANG=zh ctx-clean "$@"
	exits 0 ctx-clean "$@" in
	cp out english
	becomes env CTX_LANG=zh ctx-clean --lang zh "$@"
	mv in in.first
	for rerun in want english; do
		about "$rerun"
		cp $rerun in
		stays ctx-clean "$@"
		stays ctx-clean --lang zh "$@"
		spelled <$rerun >in
		stays ctx-clean "$@"
		stays ctx-clean --lang zh "$@"
	done
	about
	mv in.first in
}

@test "notes: shortened texts, in Chinese" {
	long=$(printf '%050d' 7)
	{ call a; result a "0123456789${long}hij"; } | given
	{ call a; result a '0123456\n... (已截断，共 63 个字符)\nhij'; } | wanted
	in_chinese --max-result 10 --tail 3
	user 'one two three four five six seven eight nine ten one two three' | given
	user 'one two three\n... (已截断，共 13 个 token)' | wanted
	in_chinese --max-message 3t
}

@test "notes: a text that was shortened in one language is cut again and restored in the other" {
	long=$(printf '%0200d' 7)
	user "café $long" | given
	hash=$(printf "café $long" | sha256sum | cut -d' ' -f1)
	cp in whole
	head=$(printf 'café %035d' 0)
	user "$head\n... (已截断，共 205 个字符，sha256:$hash)" | wanted
	becomes ctx-clean --lang zh --max-message 40 --stash kept
	cp want in
	cp whole want
	becomes ctx-clean --restore kept
	spelled <in >spelled
	exits 0 ctx-clean --restore kept spelled
	same out whole
	user "ca\n... (truncated, 205 chars total, sha256:$hash)" | wanted
	becomes ctx-clean --max-message 2
	exits 0 ctx-clean --max-message 2 spelled
	same out want
	cp want in
	cp whole want
	becomes ctx-clean --lang zh --restore kept
}

@test "notes: cleared results, in Chinese" {
	body=$(printf '%0300d' 7)
	{ call a; result a "$body"; call b; result b "$body"; } | given
	{ call a; result a '[工具结果已清除：300 个字符]'; call b; result b "$body"; } | wanted
	in_chinese --clear-results=1 --step 0
}

@test "notes: references in Chinese are read by all commands" {
	body=$(printf '%0300d' 7)
	hash=$(printf %s "$body" | sha256sum | cut -c 1-16)
	{ call a; result a "$body"; user two; call b; result b "$body"; } | given
	{ call a; result a "$body"; user two; call b; result b "[与之前发送的文本相同：sha256:$hash，300 个字符]"; } | wanted
	in_chinese --dedupe=300
	cp want in
	sed 3d in >want
	becomes ctx-truncate -n 2
	spelled <in >spelled
	sed 3d spelled >want
	exits 0 ctx-truncate -n 2 spelled
	same out want
}

@test "notes: base64, repeated lines and calls without a result, in Chinese" {
	blob=$(printf '%01000d' 0 | sed 's/0000/aB3x/g')
	{ call a; result a "key $blob end"; } | given
	{ call a; result a 'key [base64：已省略 1000 个字符] end'; } | wanted
	in_chinese --base64
	{ call a; result a 'no such file\nno such file\nno such file\nno such file\ny'; } | given
	{ call a; result a 'no such file\n... (上一行又重复了 3 次)\ny'; } | wanted
	in_chinese --squeeze
	{ call a; user hi; } | given
	{ call a; result a '[无结果：工具调用未完成]'; user hi; } | wanted
	in_chinese --unanswered repair
}

@test "notes: images and files, in Chinese" {
	given <<-'X'
	{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGVsbG8="}},{"type":"image_url","image_url":{"url":"data:;base64,aGVsbG8="}},{"type":"file","file":{"file_data":"data:;base64,aGVsbG8="}}]}
	{"role":"assistant","content":"ok"}
	X
	wanted <<-'X'
	{"role":"user","content":[{"type":"text","text":"look"},{"type":"text","text":"[image/png，5 字节，已省略]"},{"type":"text","text":"[图片，5 字节，已省略]"},{"type":"text","text":"[文件，5 字节，已省略]"}]}
	{"role":"assistant","content":"ok"}
	X
	in_chinese --images note
}

# Nine messages of 10 tokens each, by their member c.
nine() {
	local i

	for i in 1 2 3 4 5 6 7 8 9; do
		printf '{"role":"user","content":"%s","c":10}\n' $i
	done
}

@test "notes: what ctx-truncate leaves out, in Chinese" {
	nine | given
	{ user '[此处省略了较早的 7 条消息]'; tail -n 2 in; } >want
	becomes_both ctx-truncate -n 2 --note --lang zh
	becomes_both env CTX_LANG=zh ctx-truncate -n 2 --note
	{ user '[8 earlier messages left out here]'; tail -n 1 in; } >want
	becomes_both env CTX_LANG=zh ctx-truncate -n 1 --note --lang en
	{ user '[此处省略了较早的 8 条消息（80 个 token）]'; tail -n 1 in; } >want
	becomes_both ctx-truncate -t 46 --cost c --note --lang zh
}

@test "notes: a message in part, in Chinese" {
	body=$(printf 'word %.0s' {1..200})
	{ user "$body"; user last; } | given
	exits 0 ctx-truncate -t 80 --partial --lang zh in
	sed -n 2p in >want
	sed -n 2p out >last
	same last want
	sed -n 1p out | jq -r .content >part
	gone=$(sed -n '1s/^\[\.\.\. 已省略 \([0-9]*\) 个字符\]$/\1/p' part)
	# all that is not gone is there
	printf '%s\n' "${body:gone}" >want
	sed 1d part >rest
	same rest want
	cp out made
	exits 0 ctx-count --max 80 made
}

@test "notes: a note in Chinese or in other words fits the budget, whatever the tokenizer" {
	own='missing=Here {messages} messages that came earlier, of {tokens} tokens in all, were left out, so that what follows fits the window of the model that reads it'
	for i in {1..60}; do user "message $i of many"; done >in
	for e in o200k_base cl100k_base p50k_base; do
		for t in {70..110}; do
			for how in zh own; do
				in_turn 5 11 || continue
				about "$e $t $how"
				case $how in
				zh) set -- --lang zh ;;
				own) set -- --note-text "$own" ;;
				esac
				exits 0 ctx-truncate -e $e -t "$t" --note "$@" in
				cp out cut
				exits 0 ctx-count -e $e --max "$t" cut
				[ "$(grep -c 'message [0-9]* of' cut)" -ge 2 ] ||
					fail "it leaves too little"
			done
		done
	done
	# nothing is reserved in vain: what fits with the note stays
	nine >in
	exits 0 ctx-truncate -t 54 --cost c --note --lang zh in
	[ "$(wc -l <out)" -eq 3 ]
}

@test "notes: results that ctx-truncate clears, in Chinese" {
	body=$(printf 'word %.0s' {1..200})
	{ user go; call a; result a "$body"; call b; result b "$body"; } | given
	{ user go; call a; result a '[工具结果已清除：1000 个字符]'; call b; result b "$body"; } | wanted
	becomes_both ctx-truncate -t 300 --priority results --lang zh
	cp want in
	# neither command clears the note again
	stays ctx-truncate -t 260 --priority results
	stays ctx-clean --clear-results=1 --step 0
}

@test "notes: texts of the user's own" {
	blob=$(printf '%01000d' 0 | sed 's/0000/aB3x/g')
	{ call c; result c "key $blob end"; call a; result a 'no such file\nno such file\nno such file\nno such file\ny'; call b; user hi; } | given
	{ call c; result c 'key <1000 of base64> end'; call a; result a 'no such file\n(3 more)\ny'; call b; result b 'nothing came'; user hi; } | wanted
	set -- --note-text 'base64=<{chars} of base64>' --note-text 'repeated=({times} more)' \
	    --note-text 'no-result=nothing came'
	becomes ctx-clean --base64 --squeeze --unanswered repair "$@"
	# they take precedence over the language
	becomes ctx-clean --base64 --squeeze --unanswered repair --lang zh "$@"
	cp want in
	stays ctx-clean --base64 --squeeze --unanswered repair "$@"
	given <<-'X'
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,aGVsbG8="}}]}
	{"role":"assistant","content":"ok"}
	X
	wanted <<-'X'
	{"role":"user","content":[{"type":"text","text":"(image/png was here)"}]}
	{"role":"assistant","content":"ok"}
	X
	becomes ctx-clean --images note --note-text 'image=({type} was here)'
	nine | given
	{ user '<7 gone>'; tail -n 2 in; } >want
	becomes_both ctx-truncate -n 2 --note --note-text 'missing=<{messages} gone>'
	becomes_both ctx-truncate -n 2 --note --note-text missing=x --note-text 'missing=<{messages} gone>'
	{ user '<8 gone, 80 tokens>'; tail -n 1 in; } >want
	becomes_both ctx-truncate -t 46 --cost c --note \
	    --note-text 'missing=<{messages} gone, {tokens} tokens>'
}

@test "notes: a cleared result in the user's own words is recognized with the same option" {
	body=$(printf 'word %.0s' {1..200})
	{ user go; call a; result a "$body"; call b; result b "$body"; } | given
	{ user go; call a; result a '<gone: 1000>'; call b; result b "$body"; } | wanted
	set -- --note-text 'cleared=<gone: {chars}>'
	becomes ctx-clean --clear-results=1 --step 0 "$@"
	becomes ctx-truncate -t 300 --priority results "$@"
	cp want in
	stays ctx-clean --clear-results=1 --step 0 "$@"
	# without it, it is a text like others, and shorter than its note
	stays ctx-clean --clear-results=1 --step 0
	# nor is it shortened, which would make it longer
	exits 0 ctx-clean --clear-results=1 --step 0 --max-result 9 "$@" in
	has -F '"<gone: 1000>"' out
}

@test "notes: every policy changes nothing when run again in the other language, on all logs" {
	for f in "${LOGS[@]}"; do
		# its conversations need --by, as a note on standard error says
		[ "${f##*/}" != tasks.openai.jsonl ] || continue
		for o in '--ansi --squeeze --base64' --dedupe=300 --clear-results \
		    '--images note --unanswered repair' \
		    '--max-result 300 --tail 100' '--max-result 80t --tail 20'; do
			in_turn 5 7 || continue
			about "$o $f"
			# shellcheck disable=SC2086
			ctx-clean --lang zh $o "$f" >in
			# shellcheck disable=SC2086
			stays ctx-clean $o
			# shellcheck disable=SC2086
			stays ctx-clean --lang zh $o
			# shellcheck disable=SC2086
			ctx-clean $o "$f" >in
			# shellcheck disable=SC2086
			stays ctx-clean --lang zh $o
		done
	done
}

@test "notes: what ctx-convert puts where an API needs a message or a text" {
	given <<-'X'
	{"role":"assistant","content":"a"}
	{"role":"user","content":"q"}
	X
	begins() { head -n 1 out >got; echo "{\"role\":\"user\",\"content\":\"$1\"}" >want; same got want; }
	exits 0 ctx-convert -q --to anthropic in
	begins '[The beginning of this conversation is not included.]'
	exits 0 ctx-convert -q --to anthropic --lang zh in
	begins '[未包含此对话的开头。]'
	CTX_LANG=zh exits 0 ctx-convert -q --to anthropic --lang en --note-text 'beginning=[cut here]' in
	begins '[cut here]'
	given <<-'X'
	{"role":"user","content":"q"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"abcdefghi","type":"function","function":{"name":"f","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"abcdefghi","content":"r"}
	{"role":"user","content":"q2"}
	X
	exits 0 ctx-convert -q --to mistral --request -m m --lang zh in
	jq -c '.messages[3]' out >got
	echo '{"role":"assistant","content":"[本轮到此结束。]"}' >want
	same got want
	echo '{"role":"user","content":[{"type":"file","file":{"file_id":"f1"}}]}' >in
	exits 0 ctx-convert -q --to anthropic --request -m m --lang zh in
	has '\[未包含此内容。\]' out
}

@test "notes: languages and texts that are refused, exit 2" {
	user hi | given
	for c in ctx-clean ctx-truncate; do
		CTX_LANG=fr exits 2 $c in
		says "$c: CTX_LANG must be en or zh"
		exits 2 $c --lang fr in
		silent
		exits 2 $c --note-text cleared in
		says '*--note-text: NAME=TEXT is needed'
		exits 2 $c --note-text nosuch=x in
		says "*--note-text: there is no note 'nosuch'; there are base64, beginning, cleared, image, missing, no-result, omitted, part, repeated, turn-end"
		exits 2 $c --note-text copy=x in
		says "*the text of the note 'copy' is fixed, because commands without this option read it"
		exits 2 $c --note-text 'cleared=[gone]' in
		says "*the text of the note 'cleared' must have {chars} after at least 4 characters*"
		exits 2 $c --note-text 'missing={bytes}' in
		says "*'{bytes}' is no placeholder of the note 'missing'*"
		exits 2 $c --note-text 'missing=a"b' in
		says '*the text of a note is one line without*'
		silent
	done
	exits 2 ctx-truncate -n 2 --note --note-text 'missing={tokens}' in
	says '*{tokens} in --note-text needs a token budget (-t or -m)'
	stays ctx-truncate -t 200 --note --note-text 'missing={tokens}'
	stays ctx-truncate -n 2 --note-text 'missing={tokens}'
}
