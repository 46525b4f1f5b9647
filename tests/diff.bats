# ctx-diff: how two histories differ.

setup() { load helpers; common_setup; }

# Lines for people, of the exit code 1.
tells() {
	wanted
	exits 1 ctx-diff -e chars "$@"
	quiet
	same out want
}

# A text has a token for 2.5 characters, but at least one; a message costs 4 more.
history_lines() {
	cat <<-'X'
	{"role":"system","content":"Be brief."}
	{"role":"user","content":"What is in a.txt?"}
	{"role":"assistant","content":"I'll look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\",\"limit\":9}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"one\ntwo\nthree\nfour\nfive\nsix\n"}
	{"role":"assistant","content":"Six words."}
	{"role":"user","content":"Thanks"}
	X
}

@test "diff: every kind of change, by lines" {
	history_lines >old
	{
		sed -n 1p old
		echo '{"role":"user","content":"[note]"}'
		sed -n 3p old | sed 's/look/see/'
		printf '%s\n' '{"role":"tool","tool_call_id":"c1","content":"one\n"}'
		sed -n 5p old
	} >new
	tells old new <<-'X'
	= 1 message, 7 tokens
	~ 2         user               10 → 6  [note]
	~ 3         assistant         19 → 18  I'll see.
	< 4         tool               15 → 5  ◂ read one\n
	= 1 message, 8 tokens
	- 6         user                6 → 0  Thanks
	6 → 5 messages, 65 → 44 tokens: 2 same, 1 shortened, 2 changed, 1 dropped
	cache: the first 7 tokens are the same; the rest (37 tokens) is read anew
	X
	tells new old <<-'X'
	= 1 message, 7 tokens
	~ 2         user               6 → 10  What is in a.txt?
	~ 3         assistant         18 → 19  I'll look.
	~ 4         tool               5 → 15  ◂ read one\ntwo\nthree\nfour\nfive\nsix\n
	= 1 message, 8 tokens
	+ 6         user                0 → 6  Thanks
	5 → 6 messages, 44 → 65 tokens: 2 same, 3 changed, 1 added
	cache: the first 7 tokens are the same; the rest (58 tokens) is read anew
	X
}

@test "diff: histories that are the same give no output" {
	history_lines >old
	exits 0 ctx-diff old old
	silent
	quiet
	# other bytes that say the same
	sed -e 's/"role":/"role" : /' -e 's/"c1"/"call_77"/' \
	    -e 's/{\\"path\\":/{ \\"path\\": /' old >new
	differs old new
	exits 0 ctx-diff old new
	silent
	exits 0 ctx-diff --stat -e chars old new
	# but for two spaces that are read
	wrote '6 messages, 65 → 66 tokens: 6 same; cache: 0 kept, 66 read anew'
	exits 0 ctx-diff /dev/null /dev/null
	silent
}

@test "diff: arguments are compared by their values, also those in lists" {
	call() {
		printf '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"%s"}}]}\n' "$1"
	}
	call '{\"n\":[1,true,{\"a\":[\"x\"]}]}' >old
	call '{ \"n\" : [ 1, true, {\"a\":[\"\\u0078\"]} ] }' >new
	exits 0 ctx-diff old new
	silent
	for other in '[2,true,{' '[1,false,{' '[true,1,{' '[1,true,true,{'; do
		about "$other"
		sed "s/\[1,true,{/$other/" old >new
		exits 1 ctx-diff old new
	done
	sed 's/{\\"a\\":\[\\"x\\"\]}/{\\"a\\":\\"x\\"}/' old >new
	differs old new
	exits 1 ctx-diff old new
}

@test "diff: one of both may be standard input" {
	history_lines >old
	head -n 5 old >new
	for set in "- new" "old -"; do
		from=old
		[ "$set" = "- new" ] || from=new
		# shellcheck disable=SC2086
		exits 1 ctx-diff --stat -e chars $set <"$from"
		wrote '6 → 5 messages, 65 → 59 tokens: 5 same, 1 dropped; cache: 59 kept, 0 read anew'
	done
	exits 2 ctx-diff - -
	says 'ctx-diff: standard input (-) can be one of both'
	for set in "" old "old new old"; do
		# shellcheck disable=SC2086
		exits 2 ctx-diff $set
		says 'ctx-diff: two histories are compared, OLD and NEW'
	done
}

@test "diff: --json" {
	history_lines >old
	sed -e 1d -e 's/Six words/Three lines/' old >new
	exits 1 ctx-diff --json -e chars old new
	wanted <<-'X'
	{"change":"dropped","role":"system","tool":null,"old":{"line":1,"index":1,"messages":1,"tokens":7},"new":null,"text":"Be brief."}
	{"change":"changed","role":"assistant","tool":null,"old":{"line":5,"index":1,"messages":1,"tokens":8},"new":{"line":4,"index":1,"messages":1,"tokens":8},"text":"Three lines."}
	{"summary":{"old":{"messages":6,"tokens":65},"new":{"messages":5,"tokens":58},"same":{"old":{"messages":4,"tokens":50},"new":{"messages":4,"tokens":50}},"moved":{"old":{"messages":0,"tokens":0},"new":{"messages":0,"tokens":0}},"shortened":{"old":{"messages":0,"tokens":0},"new":{"messages":0,"tokens":0}},"changed":{"old":{"messages":1,"tokens":8},"new":{"messages":1,"tokens":8}},"dropped":{"old":{"messages":1,"tokens":7},"new":{"messages":0,"tokens":0}},"added":{"old":{"messages":0,"tokens":0},"new":{"messages":0,"tokens":0}},"cache":{"kept":0,"anew":58}}}
	X
	same out want
}

@test "diff: the beginning of a text ends with a character" {
	for n in 156 157 158 159; do
		{
			printf '{"role":"user","content":"'
			printf "%0${n}d" 0
			printf '😀%050d"}\n' 0
		} >old
		exits 1 ctx-diff --json old /dev/null
		want=$(printf "%0${n}d" 0)
		[ "$n" -gt 156 ] || want=$want😀
		[ "$(head -n 1 out | jq -r .text)" = "$want" ]
	done
}

@test "diff: --full shows the lines that differ" {
	history_lines >old
	sed -e 's/four/4/' -e '$d' old >new
	tells --full old new <<-'X'
	= 3 messages, 36 tokens
	< 4         tool              15 → 14  ◂ read one\ntwo\nthree\n4\nfive\nsix\n
	    @@ -2,6 +2,6 @@
	     one
	     two
	     three
	    -four
	    +4
	     five
	     six
	= 1 message, 8 tokens
	- 6         user                6 → 0  Thanks
	    @@ -1,1 +0,0 @@
	    -Thanks
	6 → 5 messages, 65 → 58 tokens: 4 same, 1 shortened, 1 dropped
	cache: the first 36 tokens are the same; the rest (22 tokens) is read anew
	X
	exits 2 ctx-diff --full --json old new
	exits 2 ctx-diff --stat --json old new
}

# patched TEXT HUNKS: print what the hunks make of the text.
patched() {
	python3 - "$@" <<-'X'
	import re, sys
	old, hunks = (open(f).read().split("\n")[:-1] for f in sys.argv[1:])
	new, at = [], 0
	for line in hunks:
	    head = re.match(r"@@ -(\d+),(\d+) ", line)
	    if head:
	        start = int(head[1]) - (int(head[2]) > 0)
	        new += old[at:start]
	        at = start
	        continue
	    if line[0] in " -":
	        assert old[at] == line[1:]
	        at += 1
	    if line[0] in " +":
	        new.append(line[1:])
	print("\n".join(new + old[at:]))
	X
}

@test "diff: --full is what diff -u says of the texts" {
	text() { jq -r .content <"$1"; }
	for n in 1 2 3 4 5; do
		for f in old new; do
			awk -v seed="$n$f" 'BEGIN {
				for (i = 0; i < length(seed); i++)
					s = s * 7 + index("0123456789oldnew", substr(seed, i + 1, 1))
				srand(s)
				printf "{\"role\":\"user\",\"content\":\"the same line, and long enough\\n"
				for (i = 0; i < 60; i++)
					printf "%d\\n", rand() < 0.2 ? 100 + 900 * rand() : i
				print "end\"}"
			}' >$f
			text $f >$f.text
		done
		rc=0
		diff -U 3 old.text new.text | tail -n +3 >want || rc=$?
		exits 1 ctx-diff --full --color never old new
		sed -n 's/^    //p' out >got
		# there may be more than one answer: it makes the one of the other
		patched old.text got >text
		same text new.text
		[ "$(grep -c '^@@' got)" -gt 0 ]
		# and it is not much longer
		[ "$(grep -c '^[-+]' got)" -le "$(($(grep -c '^[-+]' want) + 4))" ]
	done
}

@test "diff: what is moved, repeated and paired by ids" {
	history_lines >in
	# the result comes late
	{ sed -n 1,3p in; sed -n 5p in; sed -n 4p in; } >old
	sed -n 1,5p in >new
	exits 1 ctx-diff --stat -e chars old new
	wrote '5 messages, 59 tokens: 4 same, 1 moved; cache: 36 kept, 23 read anew'
	# one of three equal messages
	for i in 1 2 3; do
		echo '{"role":"user","content":"'"$i"'"}'
		echo '{"role":"assistant","content":"ok"}'
	done >old
	sed 1,2d old >new
	tells old new <<-'X'
	- 1         user                5 → 0  1
	- 2         assistant           5 → 0  ok
	= 4 messages, 20 tokens
	6 → 4 messages, 30 → 20 tokens: 4 same, 2 dropped
	cache: nothing at the beginning is the same; all 20 tokens are read anew
	X
}

@test "diff: several messages in a line have numbers, and conversations are compared" {
	history_lines >lines
	as_conversation <lines >old
	sed 3,4d lines | as_conversation >new
	tells old new <<-'X'
	= 2 messages, 17 tokens
	- 1.3       assistant          19 → 0  I'll look.
	- 1.4       tool               15 → 0  ◂ read one\ntwo\nthree\nfour\nfive\nsix\n
	= 2 messages, 14 tokens
	6 → 4 messages, 65 → 31 tokens: 4 same, 2 dropped
	cache: the first 17 tokens are the same; the rest (14 tokens) is read anew
	X
	# side by side, and told apart by a member
	for t in a b; do
		sed "s/^{/{\"t\":\"$t\",/" lines >"$t"
	done
	paste -d '\n' a b >old
	cat b a | grep -v '"t":"b".*Six words' >new
	tells --by t old new <<-'X'
	= 10 messages, 116 tokens
	conversation "b"
	- 10        assistant           8 → 0  Six words.
	= 1 message, 6 tokens
	12 → 11 messages, 130 → 122 tokens: 11 same, 1 dropped
	cache: the first 116 tokens are the same; the rest (6 tokens) is read anew
	X
	exits 1 ctx-diff --by t --json old new
	has -c '"change":"dropped","conversation":"b","role"' out
}

@test "diff: --by: messages without the key come last, under a heading of their own" {
	cat >old <<-'X'
	{"role":"user","content":"one"}
	{"t":"a","role":"user","content":"two"}
	{"role":"assistant","content":"three"}
	X
	sed -e 1d -e 's/two/TWO/' old >new
	tells --by t old new <<-'X'
	conversation "a"
	- 2         user                5 → 0  two
	+ 1         user                0 → 5  TWO
	no conversation
	- 1         user                5 → 0  one
	= 1 message, 6 tokens
	3 → 2 messages, 16 → 11 tokens: 1 same, 2 dropped, 1 added
	cache: nothing at the beginning is the same; all 11 tokens are read anew
	X
	exits 1 ctx-diff --by t --html - old new
	grep -o '<h2>Conversation.*\|<h2>No.*' out >got
	printf '<h2>%s</h2>\n' 'Conversation <bdi>&quot;a&quot;</bdi>' 'No conversation' >want
	same got want
	# also if it is the only one that differs
	sed 1d old >new
	tells --by t old new <<-'X'
	= 1 message, 5 tokens
	no conversation
	- 1         user                5 → 0  one
	= 1 message, 6 tokens
	3 → 2 messages, 16 → 11 tokens: 2 same, 1 dropped
	cache: the first 5 tokens are the same; the rest (6 tokens) is read anew
	X
	# and if no message has the key
	exits 1 ctx-diff --by u old new
	lacks conversation out
}

# --- pages --------------------------------------------------------------------

# The articles of a page, without their JSON.
articles() {
	sed -n '/^<main/,/^<.main/p' "$1" |
	    grep -v -e '^<template>' -e '^<main' -e '^</main' -e '^<.article>$'
}

@test "diff: --html: what became of each message, with its words" {
	history_lines >old
	{
		sed -n 1p old
		echo '{"role":"user","content":"[note]"}'
		sed -n 3p old | sed 's/look/see/'
		sed -n 4p old
		echo '{"role":"assistant","content":"Six words"}'
	} >new
	exits 1 ctx-diff -e chars --html page.html old new
	silent
	quiet
	articles page.html | sed 's/ <button.*button>//; s/<span class="u">[^<]*<.span>//' >got
	wanted <<-'X'
	<details class="run"><summary>1 message the same <span class="n">7 tokens</span></summary>
	<article class="system same" id="u1" tabindex="-1">
	<header><a class="no" href="#u1">#1</a> <h3>system</h3> <span class="n">7</span></header>
	<div class="b">
	<span id="o1"></span><span id="n1"></span><div class="text"><pre dir="auto">Be brief.</pre>
	</div>
	</div>
	</details>
	<article class="user stop changed" id="u2" tabindex="-1">
	<header><a class="no" href="#u2">#2</a> <h3>user <em class="fate">changed</em></h3> <span class="n">10 → 6</span></header>
	<div class="b">
	<span id="o2"></span><span id="n2"></span><div class="words" dir="auto"><del>What is in a.txt?</del><ins>[note]</ins>
	</div>
	</div>
	<article class="assistant stop changed" id="u3" tabindex="-1">
	<header><a class="no" href="#u3">#3</a> <h3>assistant <em class="fate">changed</em></h3> <span class="n">19 → 18</span></header>
	<div class="b">
	<span id="o3"></span><span id="n3"></span><div class="words" dir="auto">I&#39;ll <del>look</del><ins>see</ins>.
	▸ read {&quot;path&quot;:&quot;a.txt&quot;,&quot;limit&quot;:9}
	</div>
	</div>
	<details class="run"><summary>1 message the same <span class="n">15 tokens</span></summary>
	<article class="tool same" id="u4" tabindex="-1">
	<header><a class="no" href="#u4">#4</a> <h3>tool</h3> <span class="n">15</span></header>
	<div class="b">
	<span id="o4"></span><span id="n4"></span><details class="result" open><summary>◂ <b><bdi>read</bdi></b><bdi class="f"> </bdi> <span class="n">6 lines</span></summary>
	<pre dir="auto">one
	two
	three
	four
	five
	six
	</pre>
	</details>
	</div>
	</details>
	<article class="assistant stop shortened" id="u5" tabindex="-1">
	<header><a class="no" href="#u5">#5</a> <h3>assistant <em class="fate">shortened</em></h3> <span class="n">8 → 7</span></header>
	<div class="b">
	<span id="o5"></span><span id="n5"></span><div class="words" dir="auto">Six words<del>.</del>
	</div>
	</div>
	<article class="user stop dropped" id="u6" tabindex="-1">
	<header><a class="no" href="#u6">#6</a> <h3>user <em class="fate">dropped</em></h3> <span class="n">6</span></header>
	<div class="b">
	<span id="o6"></span><div class="text"><pre dir="auto">Thanks</pre>
	</div>
	</div>
	X
	same got want
	has -qF '<h1 dir="auto">old → new</h1>' page.html
	has -qF '<p>6 → 5 messages, 65 → 53 tokens (estimated from the number of characters). Prompt cache: the first 7 tokens are the same; the rest (46 tokens) is read anew.' page.html
	has -qF '<li><a href="#u6"><span>#6 dropped user</span> <bdi>Thanks</bdi></a></li>' page.html
	# the same histories have a page, too
	exits 0 ctx-diff -e chars --html page.html old old
	has -qF '6 messages the same <span class="n">65 tokens</span>' page.html
	has -qF 'still in a prompt cache: 65 tokens' page.html
}

@test "diff: --html: conversations that run side by side" {
	cat >old <<-'X'
	{"t":"a","role":"user","content":"one"}
	{"t":"b","role":"user","content":"two"}
	{"t":"a","role":"assistant","content":"three"}
	{"t":"b","role":"assistant","content":"four"}
	X
	sed 3d old >new
	exits 1 ctx-diff --by t -e chars --html page.html old new
	articles page.html | grep -oE '^<article class="[a-z ]*"|<a class="no".*</a>|<pre.*' >got
	wanted <<-'X'
	<article class="user same"
	<a class="no" href="#u1">#1</a>
	<pre dir="auto">one</pre>
	<article class="assistant stop dropped"
	<a class="no" href="#u2">#3</a>
	<pre dir="auto">three</pre>
	<article class="user same"
	<a class="no" href="#u3">#2</a>
	<pre dir="auto">two</pre>
	<article class="assistant same"
	<a class="no" href="#u4">#4→3</a>
	<pre dir="auto">four</pre>
	X
	same got want
}

@test "diff: --html: many lines that are the same, or left out, are folded" {
	for n in 10 11; do
		jq -nc --argjson n $n '{role:"user",content:([range($n) | tostring] | join("\n"))},
		    {role:"user",content:([range(40) | "x\(.)"] | join("\n"))}' >old
		jq -c 'if .content[:1] == "0" then .content += " and more" else
		    .content = "x0" end' old >new
		exits 1 ctx-diff --html - old new
		sed -n '/class="words"/,/^<.div>/p' out >got.$n
	done
	has -qF '<details><summary>… 4 lines the same</summary>3' got.11
	lacks -q 'the same' got.10
	has -qF '<details><summary>… 33 lines left out</summary>' got.11
}

@test "diff: --html: what is in a history is text, and its secrets are replaced" {
	key=AKIA$(printf Q3EGVZ7XKPLMN2TB)
	x='<script>bad()</script></div></details><img src=x onerror=bad()>'
	echo "{\"role\":\"user\",\"content\":\"$x $key one\"}" >old
	echo "{\"role\":\"user\",\"content\":\"$x $key two\"}" >new
	exits 1 ctx-diff --html - old new
	lacks -qF '<img src=x' out
	lacks -qF 'bad()</script>' out
	lacks -qF "$key" out
	has -q 'REDACTED' out
	exits 1 ctx-diff --html - --no-redact old new
	has -qF "$key" out
	exits 2 ctx-diff --html new old new
	says 'ctx-diff: --html: new is the history itself*'
	exits 2 ctx-diff --no-redact old new
	exits 2 ctx-diff --html x --stat old new
	exits 4 ctx-diff --html no/page old new
	echo oops >>new
	exits 3 ctx-diff --html page.html old new
	[ ! -s page.html ]
}

# --- filters ------------------------------------------------------------------

# stat OLD COMMAND...: assert that the totals of what the command makes of it are
# standard input.
stat() {
	local old=$1

	shift
	"$@" "$old" >after 2>err || fail "$*"
	exits "${RC:-1}" ctx-diff --stat -e chars -q "$old" after
	wanted
	about "$*"
	same <(sed 's/.*tokens: \(.*\); cache.*/\1/' out) want
}

@test "diff: what the filters do is told right" {
	f=$DATA/logs/audit.openai.jsonl
	n=$(wc -l <"$f")
	# messages that are kept are kept byte for byte
	ctx-truncate -n 12 "$f" >cut.jsonl
	kept=$(wc -l <cut.jsonl)
	[ "$kept" -lt 20 ]
	echo "$kept same, $((n - kept)) dropped" | stat "$f" ctx-truncate -n 12
	echo "$kept same, $((n - kept)) dropped, 1 added" |
	    stat "$f" ctx-truncate -n 12 --note
	# each long result, by its id
	long=$(jq -c 'select(.role == "tool" and (.content | length) > 300)' "$f" | wc -l)
	echo "$((n - long)) same, $long shortened" |
	    stat "$f" ctx-clean --max-result 300
	cleared=$(ctx-clean --clear-results=2 "$f" | grep -c 'tool result cleared')
	echo "$((n - cleared)) same, $cleared shortened" |
	    stat "$f" ctx-clean --clear-results=2
	# a summary in the place of all but the prompt
	echo "1 same, $((n - 1)) dropped, 2 added" |
	    stat "$f" ctx-summarize --all
	echo "$n same" | RC=0 stat "$f" cat
}

@test "diff: repairs are told right" {
	f=$DATA/dialects/openai.faulty.jsonl
	# a result without its call, and a call without its result
	echo '8 same, 2 dropped' | stat "$f" ctx-clean
	echo '9 same, 1 dropped, 1 added' | stat "$f" ctx-clean --unanswered repair
}

@test "diff: a conversion that loses nothing leaves the same, in every dialect" {
	targets="openai openai-responses anthropic gemini langchain pydantic-ai
	    sharegpt ai-sdk bedrock cohere ollama mistral"
	pairs=0
	for f in "$DATA"/dialects/*.faulty.jsonl "$DATA"/logs/parallel.*.jsonl; do
		# a call without its result cannot be said in some of them
		exits 0 ctx-clean "$f"
		mv out clean
		for to in $targets; do
			in_turn 5 5 || continue
			about "${f##*/} to $to"
			ctx-convert -q --strict --to "$to" clean >new 2>err || continue
			# reasoning that is kept beside a message is not in it
			[[ $(<new) != *ctx_kept* ]] || continue
			exits 0 ctx-diff -q -e chars clean new
			silent
			pairs=$((pairs + 1))
		done
	done
	[ "$pairs" -gt 30 ]
}

@test "diff: results of a document with many lines are the same after a conversion" {
	cat >old <<-'X'
	{
	  "contents": [
	    {"role": "user", "parts": [{"text": "Go"}]},
	    {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
	    {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {
	      "size": 1.50,
	      "list": [
	        1,
	        "two"
	      ]
	    }}}]}
	  ]
	}
	X
	for to in openai anthropic openai-responses; do
		exits 0 ctx-convert --to $to old
		mv out new
		exits 0 ctx-diff old new
		silent
	done
}

# --- laws ----------------------------------------------------------------------

# compared OLD NEW: add what ctx-diff --json says of the two to the file all, and
# their names to those of which counted makes use.
compared() {
	local rc=0

	ctx-diff -q -e chars --json "$@" >out || rc=$?
	[ "$rc" -le 1 ] || fail "exit $rc: $*"
	cat out >>all
	OLDS+=("$1")
	NEWS+=("$2")
}

# Are the numbers of each history those of ctx-count, is each message told once, and
# have the lines what differs?
counted() {
	jq -r '.summary // empty | .old, .new | "\(.tokens) \(.messages)"' all >got
	ctx-count -q -e chars "${OLDS[@]}" | head -n "${#OLDS[@]}" >olds
	ctx-count -q -e chars "${NEWS[@]}" | head -n "${#NEWS[@]}" >news
	paste -d '\n' olds news | awk '{ print $1, $2 }' >want
	same got want
	jq -n '[inputs] | reduce .[] as $x ({n: 0, old: 0, new: 0};
	    if $x.change then .n += 1 | .old += ($x.old.messages // 0) |
	        .new += ($x.new.tokens // 0)
	    else $x.summary as $s | . as $sum | {n: 0, old: 0, new: 0} |
	        if all("old", "new"; . as $side | ["same", "moved", "shortened",
	            "changed", "dropped", "added"] | map($s[.][$side]) |
	            (map(.messages) | add) == $s[$side].messages and
	            (map(.tokens) | add) == $s[$side].tokens) and
	            $s.cache.kept + $s.cache.anew == $s.new.tokens and
	            $sum.old == $s.old.messages - $s.same.old.messages and
	            $sum.new == $s.new.tokens - $s.same.new.tokens
	        then . else error("\($x)") end end)' all >sums
	[ "$(grep -c summary all)" = "${#OLDS[@]}" ]
}

@test "diff: a history and itself are the same, and its sums are those of ctx-count" {
	for f in "$DATA"/logs/*.jsonl "$DATA"/dialects/*.jsonl; do
		in_turn 1 3 || continue
		about "$f"
		exits 0 ctx-diff -q -e chars "$f" "$f"
		silent
		compared "$f" "$f"
	done
	counted
	jq -e '.summary | .same.old == .old and .cache.kept == .new.tokens' all >is
	lacks -v true is
}

@test "diff: each message is told once, whatever two histories are compared" {
	python3 "$ROOT/tests/histories.py" openai "${SEED:-29}" 12 links >some
	python3 "$ROOT/tests/histories.py" anthropic "${SEED:-29}" 12 links >others
	python3 "$ROOT/tests/histories.py" openai "${SEED:-30}" 12 links >rest
	for old in some others rest; do
		for new in some others rest "$DATA/logs/zh.gemini.jsonl"; do
			compared "$old" "$new"
		done
	done
	counted
	[ "$(grep -c '"change"' all)" -gt 100 ]
}

@test "diff: what a cache keeps is what ctx-count --common-prefix says" {
	f=$DATA/logs/audit.openai.jsonl
	for n in 1 7 100; do
		{ head -n $n "$f"; tail -n +$((n + 2)) "$f"; } >new
		exits 1 ctx-diff -q -e chars --json "$f" new
		ctx-count -q -e chars --common-prefix --json "$f" new >want
		[ "$(tail -n 1 out | jq .summary.cache.kept)" = "$(tail -n 1 want | jq .tokens)" ]
	done
}

@test "diff: what a cache keeps are whole messages that are the same" {
	# an answer of which the program wrote two records
	claude() {
		printf '{"parentUuid":%s,"uuid":"u%s","isSidechain":false,"sessionId":"s","type":"%s","message":{"id":"m","role":"%s","content":[%s]}}\n' \
		    "$1" "$2" "$3" "$3" "$4"
	}
	{
		claude null 1 user '{"type":"text","text":"Go on with it"}'
		claude '"u1"' 2 assistant '{"type":"text","text":"I look."}'
		claude '"u2"' 3 assistant '{"type":"tool_use","id":"t","name":"ls","input":{}}'
	} >old
	head -n 2 old >new
	exits 1 ctx-diff -e chars --json old new
	jq -c .summary.cache,.summary.same.new.tokens out | tail -n 2 >got
	printf '%s\n' '{"kept":9,"anew":6}' 9 >want
	same got want
	# of all logs, whatever became of them
	: >all
	for f in "${LOGS[@]}" "$DATA"/resume/*.jsonl "$DATA"/agents/*.jsonl \
	    ${CTX_DATA:+"$CTX_DATA"/agents/*/session.*l}; do
		in_turn 1 4 || continue
		about "$f"
		n=$((n + 1))
		head -n 40 "$f" >"new$n"
		compared "$f" "new$n"
	done
	counted
	jq -c '.summary // empty | select(.cache.kept > .same.new.tokens)' all >wrong
	same wrong /dev/null
}

@test "diff: 100,000 messages, all equal, in another order or all changed" {
	# of quadratic time none of them would end
	awk 'BEGIN { for (i = 0; i < 100000; i++)
		print "{\"role\":\"user\",\"content\":\"the same again and again\"}" }' >equal
	sed '1,1001d' equal >fewer
	exits 1 timeout "$DEADLINE" ctx-diff -e chars --stat equal fewer
	has '98,999 same, 1,001 dropped' out
	awk 'BEGIN { for (i = 0; i < 100000; i++)
		print "{\"role\":\"user\",\"content\":\"a text with the number " i "\"}" }' >many
	awk 'BEGIN { for (i = 99999; i >= 0; i--)
		print "{\"role\":\"user\",\"content\":\"a text with the number " i "\"}" }' >turned
	exits 1 timeout "$DEADLINE" ctx-diff -e chars --stat many turned
	has '100,000 messages, .*: 1 same, 99,999 moved' out
	sed 's/"}$/, and more"}/' many >changed
	exits 1 timeout "$DEADLINE" ctx-diff -e chars --stat many changed
	has '100,000 changed' out
}

# --- as every command ------------------------------------------------------------

@test "diff: what is not read whole is not compared" {
	history_lines >fine
	{ sed 4,6d fine; echo '{"oops'; sed 1,3d fine; } >bad
	for set in "bad fine" "fine bad" "- fine" "fine -"; do
		about "$set"
		# shellcheck disable=SC2086
		exits 3 ctx-diff $set <bad
		silent
		says 'ctx-diff: *:4:*: not JSON*'
	done
	exits 3 ctx-diff --on-error skip bad fine
	silent
	says 'ctx-diff: bad:4:*: not JSON*'
	edit '$d' bad
	exits 3 ctx-diff --on-error skip bad fine
	has '^+ 6 ' out
	exits 4 ctx-diff nowhere fine
	silent
	said 'ctx-diff: nowhere: cannot open: No such file or directory'
	exits 4 ctx-diff fine .
	silent
	[ ! -w /dev/full ] || {
		rc=0; ctx-diff fine /dev/null >/dev/full 2>err || rc=$?
		[ "$rc" -eq 4 ]
		said 'ctx-diff: standard output: No space left on device'
	}
	exits 4 ctx-diff - fine <&-
	# sanitizers, make integer's too, and the emulator have their own idea of memory
	sanitized || grep -q __ubsan_ "$BUILD/ctx-diff" || [ -e "$BUILD/emulated" ] || {
		exits 4 ctx-diff --max-memory 2Mi fine "$DATA/logs/audit.openai.jsonl"
		says 'ctx-diff: *memory (--max-memory 2Mi)'
	}
}

@test "diff: nothing in a history acts on a terminal" {
	echo '{"role":"user","content":"a\u001b[31mb\u0007\u202ec\r\nd"}' >old
	echo '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"\u001b]0;t\u0007","arguments":"{\"k\":\"\\u001bk\"}"}}]}' >>old
	sed 's/"a/"x/' old >new
	for how in "" --full --stat --json; do
		about "$how"
		for to in new /dev/null; do
			# shellcheck disable=SC2086
			exits 1 ctx-diff $how old $to
			tr -d '\n' <out >rest
			LC_ALL=C lacks -q '[[:cntrl:]]' rest
			[ "$how" = --json ] || lacks "$(printf '\342\200\256')" rest
		done
	done
	exits 1 ctx-diff --full --color always old new
	LC_ALL=C tr -d '\033\n' <out >rest
	LC_ALL=C lacks -q '[[:cntrl:]]' rest
}

@test "diff: on a terminal there are colours, a pager and the terminal's width" {
	history_lines >old
	sed -e 1d -e '2s/What is in a.txt?/& It is a file with a long name./' old >new
	export PAGER='sed s/^/=/' TERM=xterm COLUMNS=50
	on_terminal 'ctx-diff -e chars old new' | tr -d '\r' >out
	[ "$(grep -c '^=' out)" = "$(wc -l <out)" ]
	grep -qF "=$(printf '\033[31m')- 1         system              7 → 0  Be brief.$(printf '\033[0m')" out
	NO_COLOR=1 on_terminal 'ctx-diff -e chars --no-pager --width 60 old new' | tr -d '\r' >out
	grep -qx '~ 2→1       user              10 → 23  What is in a.txt? It…' out
	on_terminal 'ctx-diff --no-pager -e chars old new; echo "exit $?"' | tr -d '\r' >out
	grep -qx 'exit 1' out
}

@test "diff: a page of two histories without a message says so" {
	exits 0 ctx-diff --html - /dev/null /dev/null
	has -qF '<p class="none">Nothing to show: no message was read.</p>' out
	lacks -q '<section class="pictures"' out
}

# picture WIDTH HEIGHT WORD: the beginning of a PNG file, in base64.
picture() {
	# shellcheck disable=SC2059
	printf "$(printf '\\211PNG\\r\\n\\032\\n\\0\\0\\0\\rIHDR\\0\\0\\0\\%03o\\0\\0\\0\\%03o\\010\\006\\0\\0\\0%s' "$@")" |
	    base64 | tr -d '\n'
}

# seen PICTURE...: a history with these pictures in its first message.
seen() {
	local p parts=

	for p; do
		parts+=',{"type":"image","source":{"type":"base64","media_type":"image/png","data":"'$p'"}}'
	done
	printf '{"role":"user","content":[{"type":"text","text":"What is it?"}%s]}\n' "$parts"
	echo '{"role":"assistant","content":"A circle."}'
}

@test "diff: images are said by type, bytes and pixels, and a page shows both" {
	seen "$(picture 2 3 abcd)" "$(picture 9 9 same)" >old
	seen "$(picture 20 30 efghi)" "$(picture 9 9 same)" >new
	exits 1 ctx-diff -e chars --full --no-pager old new
	wanted <<-'EOF'
	~ 1         user                  49  [image image/png, 34 bytes, 20x30 pixels]
	    @@ -1,3 +1,3 @@
	     What is it?
	    -[image image/png, 33 bytes, 2x3 pixels]
	    +[image image/png, 34 bytes, 20x30 pixels]
	     [image image/png, 33 bytes, 9x9 pixels]
	EOF
	sed -n 1,6p out | sed 's/user  *[0-9]*[^ ]*/user                  49/' >got
	same got want
	exits 1 ctx-diff -e chars --json old new
	has -q '"text":"\[image image/png, 34 bytes, 20x30 pixels\]"' out
	exits 1 ctx-diff --html - old new
	sed -n '/<div class="sides">/,/^<\/div><\/div>/p' out >got
	cat >want <<-EOF
	<div class="sides"><div><p>Before</p>
	<figure><img loading="lazy" decoding="async" alt="image of this message" src="data:image/png;base64,$(picture 2 3 abcd)"><figcaption>image <bdi>image/png</bdi>, 33 bytes, 2x3 pixels</figcaption></figure>
	</div><div><p>After</p>
	<figure><img loading="lazy" decoding="async" alt="image of this message" src="data:image/png;base64,$(picture 20 30 efghi)"><figcaption>image <bdi>image/png</bdi>, 34 bytes, 20x30 pixels</figcaption></figure>
	</div></div>
	EOF
	same got want
	# no words tell them apart
	seen "$(picture 2 3 abcd)" >old
	seen "$(picture 2 3 abce)" >new
	exits 1 ctx-diff -e chars --full --no-pager old new
	has -qx '    @@ other data, the same words @@' out
	exits 1 ctx-diff --html - old new
	[ "$(grep -c '<img ' out)" -eq 2 ]
	# one that goes, and one that is elsewhere
	seen >new
	exits 1 ctx-diff --html - old new
	has -qx '</div><div><p>After</p>' out
	sed -n '/^<.div><div><p>After<.p>/{n;p;}' out >got
	printf '%s\n' '<p>None.</p>' >want
	same got want
	seen javascript: >new
	exits 1 ctx-diff --html - old new
	[ "$(grep -c '<img ' out)" -eq 1 ]
}

# tells_another LINE: a history of it is changed by another word in place of the-one.
tells_another() {
	printf '%s\n' "$1" >old
	sed 's/the-one/another/' old >new
	differs old new
	exits 0 ctx-diff -q old old
	exits 1 ctx-diff -q --json old new
	has -q '"change":"changed".*another' out
}

@test "diff: a file or image of another id, place or text is another" {
	n=0
	while IFS= read -r part; do
		about "$part"
		tells_another "{\"role\":\"user\",\"content\":[$part]}"
		n=$((n + 1))
	done <<-'X'
	{"type":"file","file":{"file_id":"the-one"}}
	{"type":"input_file","file_id":"the-one"}
	{"type":"input_file","file_url":"https://host/the-one"}
	{"type":"input_image","file_id":"the-one"}
	{"type":"document","source":{"type":"file","file_id":"the-one"}}
	{"type":"image","source":{"type":"file","file_id":"the-one"}}
	{"type":"document","source":{"type":"text","media_type":"text/plain","data":"It is the-one."}}
	{"type":"document","source":{"type":"content","content":[{"type":"text","text":"the-one"}]}}
	{"type":"search_result","source":"https://host","title":"t","content":[{"type":"text","text":"the-one"}]}
	{"text":"It"},{"document":{"format":"txt","name":"t","source":{"text":"It is the-one."}}}
	{"text":"It"},{"document":{"format":"pdf","name":"t","source":{"s3Location":{"uri":"s3://bucket/the-one"}}}}
	{"text":"It"},{"image":{"format":"png","source":{"s3Location":{"uri":"s3://bucket/the-one"}}}}
	X
	[ $n -eq 12 ]
	# an answer that was spoken
	echo '{"role":"assistant","content":null,"audio":{"id":"audio_1"}}' >old
	sed s/audio_1/audio_2/ old >new
	exits 1 ctx-diff -q --json old new
	has -q '"text":"\[file audio_2\]"' out
	# what is the same but for spaces
	echo '{"role":"user","content":[{"type":"search_result","source":"s","content":[]}]}' >old
	sed 's/,/ , /g' old >new
	exits 0 ctx-diff -q old new
}

@test "diff: a document of text has its lines among those that differ" {
	cat >old <<-'X'
	{"role":"user","content":[{"type":"document","title":"Poem","source":{"type":"text","media_type":"text/plain","data":"Roses\nViolets\n"}}]}
	X
	sed s/Violets/Lilies/ old >new
	exits 1 ctx-diff --full -e chars old new
	sed -n 2,6p out >got
	wanted <<-'X'
	    @@ -1,3 +1,3 @@
	     [file Poem]
	     Roses
	    -Violets
	    +Lilies
	X
	same got want
	exits 1 ctx-diff --html - old new
	has -q '<div class="words" dir="auto">\[file Poem\]$' out
	has -qF '<del>Violets</del><ins>Lilies</ins>' out
}

@test "diff: what only one API has is compared by its value" {
	n=0
	while IFS= read -r line; do
		about "$line"
		tells_another "$line"
		n=$((n + 1))
	done <<-'X'
	{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"the-one"}}]}
	{"type":"code_interpreter_call","id":"ci_1","code":"the-one","outputs":[]}
	{"type":"mcp_approval_request","id":"ap_1","name":"the-one","arguments":"{}"}
	{"role":"user","content":[{"type":"text","text":"It"},{"type":"container_upload","file_id":"the-one"}]}
	X
	[ $n -eq 4 ]
}
