# Parts of plain texts by tokens: ctx-count --chunk and ctx-truncate --text.

setup() { load helpers; common_setup; }

@test "chunk: parts end at a paragraph, a line, a sentence or a word" {
	# each word, sign and run of line ends is a token; of what fits, the
	# best end in the second half
	printf 'One two. Three four. Five\nsix seven\n\neight nine ten eleven' >in
	exits 0 ctx-count --chunk 7 in
	quiet
	cat >want <<-'EOF'
		{"file":"in","chunk":1,"from":0,"to":20,"tokens":6,"text":"One two. Three four."}
		{"file":"in","chunk":2,"from":20,"to":37,"tokens":5,"text":" Five\nsix seven\n\n"}
		{"file":"in","chunk":3,"from":37,"to":58,"tokens":4,"text":"eight nine ten eleven"}
	EOF
	same out want
	printf 'a b c\nd e f g' >in
	exits 0 ctx-count --chunk 7 <in
	cat >want <<-'EOF'
		{"file":"(standard input)","chunk":1,"from":0,"to":6,"tokens":4,"text":"a b c\n"}
		{"file":"(standard input)","chunk":2,"from":6,"to":13,"tokens":4,"text":"d e f g"}
	EOF
	same out want
	printf 'one two three four five six' >in
	exits 0 ctx-count --chunk 4 --overlap 1 <in
	sed 's/.*"text":"\(.*\)"}/\1/' out >parts
	printf '%s\n' 'one two three four' ' four five six' >want
	same parts want
	exits 0 ctx-count --chunk 100 in
	wrote '{"file":"in","chunk":1,"from":0,"to":27,"tokens":6,"text":"one two three four five six"}'
	: >none
	exits 0 ctx-count --chunk 5 none
	same out /dev/null
}

# The laws, for random texts: python3 LAWS COMMAND
laws() {
	cat >"$T/laws.py" <<-'EOF'
		import json, random, subprocess, sys
		random.seed(7)
		some = ["word ", "Hello. ", "\u4e2d\u6587\u5b57", "\uff0c", "\u3002",
		        "\n", "\n\n", "x", "123", "  ", "\u00e9", "\U0001f600",
		        "foo_bar", "!", "? ", "a" * 40, " " * 30]
		def run(*args, text):
		    return subprocess.run(args, input=text.encode(), check=True,
		                          stdout=subprocess.PIPE).stdout
		def count(text, e):
		    return int(run("ctx-count", "--text", "-e", e, text=text).split()[0])
		def chunk(text, e):
		    n = random.randint(1, 40)
		    m = random.choice([0, random.randint(0, n - 1)])
		    out = run("ctx-count", "-e", e, "--chunk", str(n), "--overlap",
		              str(m), text=text).splitlines()
		    raw, at, last = text.encode(), 0, -1
		    for o in map(json.loads, out):
		        assert o["text"].encode() == raw[o["from"]:o["to"]], o
		        assert last < o["from"] <= at < o["to"], o
		        assert m > 0 or o["from"] == at, o
		        assert count(o["text"], e) == o["tokens"], o
		        assert o["tokens"] <= n or len(o["text"]) == 1, (n, o)
		        assert count(raw[o["from"]:at].decode(), e) <= m, (m, o)
		        at, last = o["to"], o["from"]
		    assert at == len(raw)
		def truncate(text, e):
		    n = random.randint(0, 60)
		    for part in "head", "tail", "ends":
		        out = run("ctx-truncate", f"--text={part}", "-t", str(n), "-e",
		                  e, text=text).decode()
		        assert count(out, e) <= n, (part, n, text)
		        if count(text, e) <= n:
		            assert out == text, (part, n, text)
		        if part == "head":
		            assert text.startswith(out)
		            more = text[:len(out) + 1]
		            assert out == text or count(more, e) > n, (n, text)
		        if part == "tail":
		            assert text.endswith(out)
		for i in range(int(sys.argv[2])):
		    text = "".join(random.choice(some) for _ in range(random.randint(0, 150)))
		    e = random.choice(["o200k_base", "cl100k_base", "chars"])
		    {"chunk": chunk, "truncate": truncate}[sys.argv[1]](text, e)
	EOF
	python3 "$T/laws.py" "$@"
}

@test "chunk: parts are the text, have their tokens, and share no more than asked" {
	some 8 8 40
	laws chunk "$some"
}

@test "truncate --text: head, tail or both ends, in the tokens that are there" {
	printf 'one two three four five six' >in
	exits 0 ctx-truncate --text -t 3 in
	[ "$(cat out)" = 'one two three' ]
	exits 0 ctx-truncate --text=tail -t 2 <in
	[ "$(cat out)" = ' five six' ]
	exits 0 ctx-truncate --text=head -t 0 in
	same out /dev/null
	for part in head tail ends; do
		exits 0 ctx-truncate --text=$part -t 6 in
		same out in
	done
	# 16 tokens, of which the note and its line ends take 12
	seq -s ' ' 1 60 >in
	exits 0 ctx-truncate --text=ends -t 16 in
	quiet
	[ "$(sed -n 2p out)" = '... (truncated, 171 chars total)' ]
	[ "$(wc -l <out)" -eq 3 ]
	[ "$(ctx-count --text out | awk '{ print $1 }')" -le 16 ]
	exits 0 ctx-truncate --text=ends --lang zh -t 20 in
	grep -q 171 out
	# no room for the note
	exits 0 ctx-truncate --text=ends -t 3 in
	[ "$(cat out)" = '1 2' ]
	some 15 6 30
	laws truncate "$some"
}

@test "chunk, truncate --text: what is wrong is named" {
	printf 'ab\xff' >in
	exits 3 ctx-count --chunk 5 in
	says 'ctx-count: in: byte 3 is not UTF-8; iconv converts other encodings'
	exits 3 ctx-truncate --text -t 5 in
	exits 4 ctx-count --chunk 5 nowhere
	echo text >in
	exits 2 ctx-count --overlap 5 in
	exits 2 ctx-count --chunk 5 --overlap 5 in
	exits 2 ctx-count --chunk 0 in
	exits 2 ctx-truncate --text in
	exits 2 ctx-truncate --text -t 5 -n 5 in
	exits 2 ctx-truncate --text=middle -t 5 in
}

@test "encode --offsets: each token's bytes" {
	printf 'one \xe4\xb8\xad\xf0\x9f\x98\x80 two' >in
	exits 0 ctx-count --encode --offsets in
	jq -c '.offsets | [.[0][0], (.[-1] | .[1])]' out >ends
	echo '[0,15]' >want
	same ends want
	# one begins where the other ends, and there is one for each id
	jq -e '(.ids | length) == (.offsets | length) and
	    ([.offsets[1:][][0]] == [.offsets[:-1][][1]])' out >got
	[ "$(jq -c '.offsets[0], .offsets[-1]' out)" = $'[0,3]\n[11,15]' ]
	printf 'a\xff' >in
	exits 3 ctx-count --encode --offsets in
	says 'ctx-count: in: the tokens are not those of the text as it is, *'
	exits 2 ctx-count --offsets in
}
