# ctx-show --html and --svg: pages and pictures.

setup() { load helpers; common_setup; }

# A text has a token for 2.5 characters, but at least one; a message costs 4 more.
page() { ctx-show -e chars --html - "$@"; }

# The lines from the one that begins with $1 to the one that begins with $2.
between() { sed -n "/^$1/,/^$2/p" out; }

# Four messages of 7, 10, 19 and 5 tokens, with a call.
history_lines() {
	cat <<-'EOF'
	{"role":"system","content":"Be brief."}
	{"role":"user","content":"What is in a.txt?"}
	{"role":"assistant","content":"I'll look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\",\"limit\":9}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"\none"}
	EOF
}

@test "show: --html: turns, messages, calls and results" {
	history_lines | given
	wanted <<-'EOF'
	<main id="transcript" tabindex="-1">
	<div class="g">
	<h2 id="t1">Before turn 1</h2>
	<article class="system" id="m1" tabindex="-1">
	<header><a class="no" href="#m1">#1</a> <h3>system</h3> <span class="n">7<span class="u"> tokens</span></span> <button class="copy" type="button">Copy JSON</button></header>
	<div class="b">
	<div class="text"><pre dir="auto">Be brief.</pre>
	</div>
	</div>
	<template>{"role":"system","content":"Be brief."}</template>
	</article>
	<h2 id="t2">Turn 1</h2>
	<article class="user" id="m2" tabindex="-1">
	<header><a class="no" href="#m2">#2</a> <h3>user</h3> <span class="n">10<span class="u"> tokens</span></span> <button class="copy" type="button">Copy JSON</button></header>
	<div class="b">
	<div class="text"><pre dir="auto">What is in a.txt?</pre>
	</div>
	</div>
	<template>{"role":"user","content":"What is in a.txt?"}</template>
	</article>
	<article class="assistant" id="m3" tabindex="-1">
	<header><a class="no" href="#m3">#3</a> <h3>assistant</h3> <span class="n">19<span class="u"> tokens</span></span> <button class="copy" type="button">Copy JSON</button></header>
	<div class="b">
	<div class="text"><pre dir="auto">I&#39;ll look.</pre>
	</div>
	<details class="call" id="c1"><summary>▸ <b><bdi>read</bdi></b><bdi class="f"> path=a.txt limit=9</bdi> <span class="n">11 tokens</span></summary>
	<dl>
	<dt><bdi>path</bdi></dt><dd><pre dir="auto">a.txt</pre>
	</dd>
	<dt><bdi>limit</bdi></dt><dd><pre dir="auto">9</pre>
	</dd>
	</dl>
	</details>
	</div>
	<template>{"role":"assistant","content":"I'll look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\",\"limit\":9}"}}]}</template>
	</article>
	<article class="tool" id="m4" tabindex="-1">
	<header><a class="no" href="#m4">#4</a> <h3>tool</h3> <span class="n">5<span class="u"> tokens</span></span> <button class="copy" type="button">Copy JSON</button></header>
	<div class="b">
	<details class="result" open><summary>◂ <b><bdi>read</bdi></b><bdi class="f"> </bdi> <span class="n">2 lines</span></summary>
	<a class="from" href="#c1">its call</a>
	<pre dir="auto">

	one</pre>
	</details>
	</div>
	<template>{"role":"tool","tool_call_id":"c1","content":"\none"}</template>
	</article>
	</div>
	</main>
	EOF
	exits 0 page <in
	between '<main' '<\/main' >got
	same got want
	wanted <<-'EOF'
	<ol>
	<li><a href="#t1"><span>Before turn 1</span> <bdi>Be brief.</bdi></a></li>
	<li><a href="#t2"><span>Turn 1</span> <bdi>What is in a.txt?</bdi></a></li>
	</ol>
	EOF
	between '<ol' '<\/ol' >got
	same got want
	has -qF '<p>4 messages, 41 tokens (estimated from the number of characters). Secrets that were found are replaced with [REDACTED:…], and so counted.</p>' out
	# a conversation line and a document are the same history
	mv out lines
	as_conversation <in >one
	jq . one >document
	grep -v '^<template>' lines >want
	for f in one document; do
		about "$f"
		exits 0 page <"$f"
		grep -v '^<template>' out | sed '/^<template>/,/<\/template>$/d' >got
		[ "$f" = document ] || same got want
		[ "$(grep -c '<article' out)" = 4 ]
	done
}

@test "show: --html: long texts are folded, and say what they are" {
	jq -nc '[range(13)] | map("l\(.)") | join("\n") | {role:"user",content:"Go"},
	    {role:"assistant",content:[{type:"thinking",thinking:.,signature:"c2ln"},
	    {type:"tool_use",id:"t",name:"f",input:{}},
	    {type:"tool_use",id:"u",name:"g",input:{}}]},
	    {role:"user",content:[{type:"tool_result",tool_use_id:"t",content:.},
	    {type:"tool_result",tool_use_id:"u",is_error:true,content:""}]}' >in
	exits 0 page <in
	has -qF '<details class="thinking"><summary><i>thinking</i> <bdi class="f">l0</bdi> <span class="n">13 lines</span></summary>' out
	has -qF '<details class="result"><summary>◂ <b><bdi>f</bdi></b><bdi class="f"> l0</bdi> <span class="n">13 lines, 16 tokens</span></summary>' out
	has -qF '<details class="result failed" open><summary>◂ <b><bdi>g</bdi></b> <em>failed</em>' out
}

@test "show: --html: images are shown if they can hold no script, others are named" {
	given <<-'EOF'
	{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAA"}},{"type":"image","source":{"type":"base64","media_type":"image/svg+xml","data":"PHN2ZyBvbmxvYWQ9IngiLz4="}},{"type":"image","source":{"type":"url","url":"https://example.com/a.png\"><script>x()</script>"}}]}
	{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,\"><script>y()</script>"}}]}
	EOF
	exits 0 page <in
	grep -o '<figure>.*' out >got
	wanted <<-'EOF'
	<figure><img loading="lazy" decoding="async" alt="image of this message" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA"><figcaption>image <bdi>image/png</bdi>, 18 bytes</figcaption></figure>
	<figure><figcaption>image <bdi>image/svg+xml</bdi>, 17 bytes</figcaption></figure>
	<figure><figcaption>image <bdi>https://example.com/a.png&quot;&gt;&lt;script&gt;x()&lt;/script&gt;</bdi></figcaption></figure>
	<figure><img loading="lazy" decoding="async" alt="image of this message" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA"><figcaption>image <bdi>image/png</bdi>, 18 bytes</figcaption></figure>
	<figure><figcaption>image <bdi>image/png</bdi></figcaption></figure>
	EOF
	same got want
}

# A history whose every string is markup, or hides something.
hostile() {
	jq -nc '"<script>bad()</script><img src=x onerror=bad()>\"\u0027</pre></template></title></style><!-- ]]>&amp;\u202e\u0000\u001b[2J" as $x |
	    {role:"system",content:$x},
	    {role:"user",name:$x,content:$x},
	    {role:"assistant",content:$x,tool_calls:[{id:$x,type:"function",
	        function:{name:$x,arguments:({($x):$x,path:$x}|tojson)}}]},
	    {role:"tool",tool_call_id:$x,content:$x},
	    {role:"user",content:[{type:"image_url",image_url:{url:("javascript:"+$x)}}]}'
}

@test "show: --html: whatever a history holds is text" {
	hostile >in
	cp in '<b onclick=bad()>'
	exits 0 ctx-show -e chars --by name --html - '<b onclick=bad()>'
	python3 - <<-'EOF'
	import html.parser, json, re
	text = open("out", encoding="utf-8").read()
	tags, runs = {}, []
	class Parser(html.parser.HTMLParser):
	    def handle_starttag(self, tag, attrs):
	        tags[tag] = tags.get(tag, 0) + 1
	        runs.extend(a for a, v in attrs if a.startswith("on"))
	        for a, v in attrs:
	            if a in ("href", "src"):
	                assert v.startswith("#"), (tag, a, v)
	Parser().feed(text)
	assert tags["script"] == 1 and "img" not in tags and not runs, tags
	seen = re.sub("<template>.*</template>", "", text)
	for hidden in "\u202e", "\0", "\x1b":
	    assert hidden not in seen, hidden
	assert "\\u202e\\x00\\x1b[2J" in text
	# the JSON to copy is the message itself
	got = [html.unescape(t) for t in re.findall(r"<template>(.*)</template>", text)]
	assert got == open("in", encoding="utf-8").read().splitlines(), got
	EOF
}

@test "show: --html: the policy allows this style and this script only" {
	exits 0 page </dev/null
	python3 - <<-'EOF'
	import base64, hashlib, re
	text = open("out", encoding="utf-8").read()
	def sum_of(tag):
	    (body,) = re.findall(f"(?s)<{tag}>(.*?)</{tag}>", text)
	    return base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
	(policy,) = re.findall('<meta http-equiv="Content-Security-Policy" content="(.*)">', text)
	assert policy == ("default-src 'none'; img-src data:; style-src 'sha256-"
	    f"{sum_of('style')}'; script-src 'sha256-{sum_of('script')}'; "
	    "base-uri 'none'; form-action 'none'"), policy
	# the policy comes before all that it is for
	assert text.index("http-equiv") < min(text.index("<title"), text.index("<style"))
	assert " style=" not in text.split("<main")[1].split("</main")[0]
	EOF
}

@test "show: --html: secrets are replaced, in the JSON too, and nothing else is" {
	secret=AKIA$(printf Q3EGVZ7XKPLMN2TB)
	jq -nc --arg s "$secret" '{role:"user",content:"Use \($s)"},
	    {role:"assistant",content:null,tool_calls:[{id:"c",type:"function",
	        function:{name:"sh",arguments:({cmd:"curl -H \($s)"}|tojson)}}]},
	    {role:"assistant",content:"","x":$s}' >in
	exits 0 page <in
	lacks -q "$secret" out
	has -q 'Use \[REDACTED:aws-access-key-id:[0-9a-f]*\]' out
	# the last call has no result: that is none of its business
	[ "$(grep -c '<article' out)" = 3 ]
	exits 0 page --no-redact <in
	lacks -q '<p>.*REDACTED' out
	[ "$(grep -c "$secret" out)" = 7 ]
	# with a key it is the same page each time
	export CTX_REDACT_KEY=0123456789abcdef
	exits 0 page <in
	mv out first
	exits 0 page <in
	same out first
	# a history without secrets is shown as it is
	for f in "$DATA"/logs/audit.claude-code.jsonl "$DATA"/dialects/*.faulty.jsonl; do
		about "$f"
		exits 0 page "$f"
		sed 's/ Secrets that were found are .*</</' out >want
		mv err want.err
		exits 0 page --no-redact "$f"
		same out want
		same err want.err
	done
}

@test "show: --html: a file is written, and never the history itself" {
	printf '{"role":"user","content":"Hi"}\n' >log.jsonl
	exits 0 ctx-show --html page.html log.jsonl
	silent
	quiet
	has -q '<title>log.jsonl</title>' page.html
	ln -s log.jsonl link
	cp log.jsonl copy
	exits 2 ctx-show --html link log.jsonl
	says 'ctx-show: --html: link is the history itself*'
	same log.jsonl copy
	exits 4 ctx-show --html no/page.html log.jsonl
	says '*cannot write*'
	if [ -e /dev/full ]; then
		exits 4 ctx-show --html /dev/full log.jsonl
		exits 4 sh -c 'ctx-show --html - log.jsonl >/dev/full'
	fi
	exits 2 ctx-show --html page.html --follow log.jsonl
	exits 2 ctx-show --no-redact log.jsonl
	exits 4 ctx-show --html page.html log.jsonl nowhere.jsonl
	has -q '<title>log.jsonl</title>' page.html
	# of a line that is not JSON there is a message; the page has the others
	printf '{"role":"user","content":"Hi"}\noops\n' >bad
	exits 3 ctx-show --html page.html bad
	has -q '<pre dir="auto">Hi</pre>' page.html
	has -q '</html>' page.html
}

@test "show: --html: a page that is not made leaves the file as it was" {
	given <<-'X'
	{"role":"user","content":"hi"}
	X
	echo old >page.html
	exits 4 ctx-show --html page.html nofile
	[ "$(<page.html)" = old ]
	# the history, by its name after the wrong option
	cp in chat.jsonl
	exits 0 ctx-show --html chat.jsonl </dev/null
	said 'ctx-show: nothing to show: no message was read' \
	    'ctx-show: chat.jsonl stays as it was'
	same chat.jsonl in
	exits 0 ctx-show --html empty.html </dev/null
	said 'ctx-show: nothing to show: no message was read'
	has -q '</html>' empty.html
	exits 0 ctx-show --html empty.html in
	quiet
	# in the sandbox, no file can be removed
	exits 4 ctx-show --html new.html nofile
	[ ! -s new.html ]
	# a longer file is replaced, not only its beginning
	seq 100000 >page.html
	exits 0 ctx-show --html page.html in
	exits 0 ctx-show --html new.html in
	same page.html new.html
	exits 0 ctx-show --html /dev/null in
	exits 4 ctx-diff --html page.html in nofile
	same page.html new.html
}

@test "show: --html: only what is selected is in the page" {
	given <<-'EOF'
	{"role":"user","content":"one"}
	{"role":"assistant","content":"two"}
	{"role":"user","content":"three"}
	EOF
	exits 0 page --turn 2 <in
	[ "$(grep -c '<article' out)" = 1 ]
	has -q '<article class="user" id="m3"' out
	exits 0 page --grep two <in
	[ "$(grep -c '<article' out)" = 1 ]
}

# The rectangles and paths of a picture, without its style.
drawn() { grep -E '^<(a href="#m|rect|path)' out; }

@test "show: --svg bar: each message is as wide as its tokens" {
	history_lines | given
	# 7, 17, 36 and 41 of 41 tokens, in 12000 units
	wanted <<-'EOF'
	<rect class="k-system" x="0" width="2048" height="40"><title>#1 system, 7 tokens</title></rect>
	<rect class="k-user" x="2048" width="2927" height="40"><title>#2 user, 10 tokens</title></rect>
	<rect class="k-assistant" x="4975" width="5561" height="40"><title>#3 assistant, 19 tokens</title></rect>
	<rect class="k-0" x="10536" width="1464" height="40"><title>#4 read, 5 tokens</title></rect>
	EOF
	exits 0 ctx-show -e chars --svg bar <in
	drawn | head -n 4 >got
	same got want
	# in a page they lead to the messages; of those marked, the last counts
	sed 's/<rect/<a href="#m@" tabindex="-1"><rect/; s/<.rect>/&<\/a>/' want |
	    awk '{ sub(/@/, NR); print }' >want.page
	sed '2s/"content":"\([^"]*\)"/"content":[{"type":"text","text":"\1","cache_control":{"type":"ephemeral"}}]/' \
	    in >marked
	exits 0 page <marked
	drawn | head -n 4 >got
	same got want.page
	has -qxF '<rect class="k-cached" x="0" y="42" width="4975" height="5"><title>cached</title></rect>' out
	has -qF '</span>marked to be cached: up to #2, 17 tokens</li>' out
	# of Bedrock, and of the AI SDK
	sed '2s/"content":"\([^"]*\)"/"content":[{"text":"\1"},{"cachePoint":{"type":"default"}}]/' \
	    in >marked
	exits 0 page <marked
	has -q 'to be cached: up to #2' out
	sed '2s/"content"/"providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral"}}},&/' \
	    in >marked
	exits 0 page <marked
	has -q 'to be cached: up to #2' out
	sed '2s/"content"/"cache_control": null,&/' in >marked
	exits 0 page <marked
	lacks -q '^<rect class="k-cached' out
	# the words alone are no mark
	sed '2s/What/\\"cache_control\\": {}/' in >words
	exits 0 page <words
	lacks -q '^<rect class="k-cached' out
}

# with_usage N USAGE: the history, whose line N has this usage.
with_usage() { sed "$1s/^{/{\"usage\":$2,/" in; }

@test "show: --svg bar: what the latest answer says that the cache holds" {
	history_lines | given
	# 17 tokens were sent before #3.  Of 7 that were not cached, 6 are of #2, and it is
	# nearer to its beginning that the cache ends
	for usage in '{"prompt_tokens":17,"prompt_tokens_details":{"cached_tokens":10}}' \
	    '{"input_tokens":7,"cache_read_input_tokens":4,"cache_creation_input_tokens":6}' \
	    '{"inputTokens":7,"cacheReadInputTokens":10}'; do
		about "$usage"
		with_usage 3 "$usage" >log
		exits 0 page <log
		has -qxF '<rect class="k-cached" x="0" y="42" width="2048" height="5"><title>cached</title></rect>' out
		has -q 'cache: up to #1, 7 tokens; answer #3 says that [14]0* were read and [06] written</li>' out
	done
	# nearer to its end; 40 tokens of tools are before the messages
	with_usage 3 '{"prompt_tokens":57,"prompt_tokens_details":{"cached_tokens":53}}' >log
	exits 0 page <log
	has -q 'cache: up to #2, 17 tokens; answer #3 says that 53 were read and 0 written' out
	# what the provider counts is half of what we count
	with_usage 3 '{"prompt_tokens":8,"prompt_tokens_details":{"cached_tokens":4}}' >log
	exits 0 page <log
	has -q 'cache: up to #1, 7 tokens' out
	# nothing was cached: marks count
	with_usage 3 '{"prompt_tokens":17,"prompt_tokens_details":{"cached_tokens":0}}' >log
	exits 0 page <log
	lacks -q 'cache: up to' out
	# a record of Codex, after its answer
	cat >log <<-'EOF'
	{"timestamp":"2026-11-22T08:58:10.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Go"}]}}
	{"timestamp":"2026-11-22T08:58:11.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Gone"}]}}
	{"timestamp":"2026-11-22T08:58:12.000Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":9000,"cached_input_tokens":8999,"output_tokens":2}}}}
	EOF
	exits 0 page <log
	has -q 'cache: up to #1, 5 tokens; answer #2 says that 8,999 were read and 0 written' out
}

@test "show: --svg plot: what the window holds after each message" {
	history_lines | given
	# 106 at the top, at 12; 0 is at 232
	wanted <<-'EOF'
	<path class="line" d="M64 232H345V218H627V197H908V158H1190V147V232"/>
	EOF
	exits 0 ctx-show -e chars --svg plot --window 100 <in
	grep '^<path class="line' out >got
	same got want
	has -qF '<path class="limit" d="M64 25H1190"/><text class="limit y" x="1190" y="39">window 100</text>' out
	exits 0 ctx-show -e chars --svg plot <in
	lacks -q '^<path class="limit' out
	exits 0 ctx-show -m gpt-4o --svg plot <in
	has -qF 'window 128,000' out
	# a summary that replaces what was before it empties the window
	exits 0 ctx-show -q --svg plot "$DATA"/logs/audit.claude-code.jsonl
	has -qE '^<path class="line".*V(2[23][0-9]).*V[0-9]+V232"' out
}

@test "show: --svg treemap: each part has its area, and they do not overlap" {
	for f in audit.claude-code research.anthropic zh.openai; do
		about "$f"
		exits 0 ctx-show -q --svg treemap "$DATA/logs/$f.jsonl"
		python3 - <<-'EOF'
		import re, xml.etree.ElementTree as et
		ns = "{http://www.w3.org/2000/svg}"
		root = et.parse("out").getroot()
		cells = []
		for r in root.iter(ns + "rect"):
		    if "cell" in r.get("class"):
		        text = r.find(ns + "title").text
		        what = text.split(", ")[0]
		        n = int(re.search(r": ([0-9,]+) tokens$", text)[1].replace(",", ""))
		        cells.append((what, n, *(int(r.get(k)) for k in
		                                  ("x", "y", "width", "height"))))
		assert cells
		for i, (_, _, x, y, w, h) in enumerate(cells):
		    assert 0 <= x and x + w <= 1200 and 0 <= y and y + h <= 420
		    for _, _, a, b, c, d in cells[:i]:
		        assert x + w <= a or a + c <= x or y + h <= b or b + d <= y
		# of one tool, areas are as tokens; sides are whole numbers
		for what, n, _, _, w, h in cells:
		    mine = [c for c in cells if c[0] == what]
		    share = n / sum(c[1] for c in mine)
		    area = sum(c[4] * c[5] for c in mine)
		    assert abs(w * h - share * area) <= w + h + share * 420 + 40, (what, n)
		EOF
	done
}

@test "show: --svg: pictures are well-formed, whatever names hold" {
	hostile >in
	for picture in bar treemap plot; do
		about "$picture"
		exits 0 ctx-show --svg "$picture" <in
		python3 -c 'import xml.dom.minidom as m; m.parse("out")'
		lacks -q '<script\|onerror=bad()>' out
		exits 0 ctx-show --svg "$picture" </dev/null
		python3 -c 'import xml.dom.minidom as m; m.parse("out")'
	done
	# what is no character of XML
	echo '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"a\ufffeb\uffffc","arguments":"{}"}}]}' >in
	exits 0 ctx-show --svg treemap in
	python3 -c 'import xml.dom.minidom as m; m.parse("out")'
	has -qF 'a\ufffeb\uffffc' out
	exits 2 ctx-show --svg pie <in
	exits 2 ctx-show --window 5 <in
	exits 2 ctx-show --svg bar --html x <in
}

@test "show: --svg: the pictures of README.md are those of make pictures" {
	for picture in bar treemap plot; do
		about "$picture"
		exits 0 ctx-show -q -m claude-opus-4-1 --svg "$picture" \
		    "$DATA"/logs/audit.claude-code.jsonl
		same out "$ROOT/man/pictures/$picture.svg"
	done
}

@test "show: --kept: a page counts an answer of several records once, before and after" {
	claude() {
		printf '{"parentUuid":%s,"uuid":"u%s","isSidechain":false,"sessionId":"s","type":"%s","message":{"id":"m","role":"%s","content":[%s]}}\n' \
		    "$1" "$2" "$3" "$3" "$4"
	}
	{
		claude null 1 user '{"type":"text","text":"Go on"}'
		claude '"u1"' 2 assistant '{"type":"text","text":"Looking"}'
		claude '"u2"' 3 assistant '{"type":"tool_use","id":"t","name":"ls","input":{}}'
	} >in
	exits 0 page --kept in in
	has -qE '<p>2 messages, ([0-9]+) tokens [(][^)]*[)]; left are 2 messages, \1 tokens[.]' out
	# of the whole, also if not all is shown
	exits 0 page --kept in --tool ls in
	has -qE '<p>2 messages, ([0-9]+) tokens [(][^)]*[)]; left are 2 messages, \1 tokens[.]' out
}

@test "show: --kept: a page and a bar in which what was dropped is shaded" {
	history_lines | sed '4s/.none/one two three four 5/' >in
	{
		sed -n 2p in
		sed -n 3p in
		printf '%s\n' '{"role":"tool","tool_call_id":"c1","content":"o"}' \
		    '{"role":"user","content":"And now?"}'
	} >kept
	exits 0 page --kept kept in
	grep -o '<article class="[^"]*"' out >got
	wanted <<-'EOF'
	<article class="system dropped"
	<article class="user"
	<article class="assistant"
	<article class="tool shortened"
	EOF
	same got want
	has -qF '<h3>system <em class="fate">dropped</em></h3>' out
	has -qF '<p>4 messages, 48 tokens (estimated from the number of characters); left are 4 messages, 41 tokens.' out
	sed -n '/^<ul class="legend">/,/^<.ul>/p' out | head -n 6 >got
	wanted <<-'EOF'
	<ul class="legend">
	<li><span class="sw k-same"></span>same: 2 messages, 29 tokens</li>
	<li><span class="sw k-shortened"></span>shortened: 1 message, 12 → 5 tokens</li>
	<li><span class="sw k-dropped"></span>dropped: 1 message, 7 tokens</li>
	<li><span class="sw k-added"></span>added: 1 message, 7 tokens</li>
	</ul>
	EOF
	same got want
	exits 0 ctx-show -e chars --svg bar --kept kept in
	grep -E '^<rect class="(k-same|k-short|k-dropp|shade)' out | head -n 4 >got
	wanted <<-'EOF'
	<rect class="k-dropped" x="0" y="42" width="1750" height="5"><title>dropped</title></rect>
	<rect class="shade" x="0" width="1750" height="40"/>
	<rect class="k-same" x="1750" y="42" width="7250" height="5"><title>same</title></rect>
	<rect class="k-shortened" x="9000" y="42" width="3000" height="5"><title>shortened</title></rect>
	EOF
	same got want
	python3 -c 'import xml.dom.minidom as m; m.parse("out")'
	# the page is not written over what it is made of, nor of a part
	exits 2 ctx-show --html kept --kept kept in
	echo oops >>kept
	exits 3 ctx-show --html page.html --kept kept in
	[ ! -s page.html ]
}
