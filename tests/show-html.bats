# ctx-show --html and --svg: pages and pictures.

setup() { load helpers; common_setup; }

# A text has a token for 2.5 characters, but at least one; a message costs 4 more.
page() { ctx-show -e chars --html - "$@"; }

# The lines from the one that begins with $1 to the one that begins with $2.
between() { sed -n "/^$1/,/^$2/p" out; }

@test "show: --html: turns, messages, calls and results" {
	given <<-'EOF'
	{"role":"system","content":"Be brief."}
	{"role":"user","content":"What is in a.txt?"}
	{"role":"assistant","content":"I'll look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\",\"limit\":9}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"\none"}
	EOF
	wanted <<-'EOF'
	<main id="transcript" tabindex="-1">
	<section id="t1" aria-labelledby="h1">
	<h2 id="h1">Before turn 1</h2>
	<article class="system" id="m1" tabindex="-1">
	<header><a class="no" href="#m1">#1</a> <h3>system</h3> <span class="n">7<span class="u"> tokens</span></span> <button class="copy" type="button">Copy JSON</button></header>
	<div class="b">
	<div class="text"><pre dir="auto">Be brief.</pre>
	</div>
	</div>
	<template>{"role":"system","content":"Be brief."}</template>
	</article>
	</section>
	<section id="t2" aria-labelledby="h2">
	<h2 id="h2">Turn 1</h2>
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
	</section>
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
	has -qF '<p>4 messages, 41 tokens (estimate: chars). Secrets that were found are replaced with [REDACTED:…].</p>' out
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
	<figure><figcaption>image <bdi>image/svg+xml</bdi>, 18 bytes</figcaption></figure>
	<figure><figcaption>image <bdi>https://example.com/a.png&quot;&gt;&lt;script&gt;x()&lt;/script&gt;</bdi></figcaption></figure>
	<figure><img loading="lazy" decoding="async" alt="image of this message" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA"><figcaption>image <bdi>image/png</bdi>, 18 bytes</figcaption></figure>
	<figure><figcaption>image <bdi>image/png</bdi>, 15 bytes</figcaption></figure>
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
	[ ! -s page.html ]
	# of a line that is not JSON there is a message; the page has the others
	printf '{"role":"user","content":"Hi"}\noops\n' >bad
	exits 3 ctx-show --html page.html bad
	has -q '<pre dir="auto">Hi</pre>' page.html
	has -q '</html>' page.html
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
