# What checks find, in the forms of the programs that show it, and baselines.
# The forms are those of GitHub's workflow commands, GitLab's code quality reports,
# JUnit's XML and SARIF 2.1.0; the bytes are written by hand.

setup() {
	load helpers
	common_setup
}

ORPHAN='tool result does not answer an open call'

# Messages: one that is fine, and one that answers no call.
orphan() {
	printf '%s\n' '{"role":"user","content":"q"}' \
	    '{"role":"tool","tool_call_id":"x","content":"r"}'
}

# print FILE RULE MESSAGE TEXT [N]: the fingerprint of the Nth finding like this.
# MESSAGE is the JSON at fault, of which four digits of the SHA-256 count, or "".
print() {
	local mark=0000

	[ -z "$3" ] || mark=$(printf %s "$3" | sha256sum | cut -c 1-4)
	printf '%s\t%s\t%s\t%s\t%s' "$1" "$2" "$mark" "$4" "${5:-1}" |
	    sha256sum | cut -c 1-32
}

# entry FILE [MESSAGE] [N]: a line of a baseline for an orphan.
entry() {
	printf '{"file":"%s","rule":"orphan-result","fingerprint":"%s"}\n' "$1" \
	    "$(print "$1" orphan-result \
	    "${2:-{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"r\"\}}" \
	    "$ORPHAN" "${3:-1}")"
}

# --- forms -------------------------------------------------------------------

@test "findings: --format text is what is printed without it" {
	orphan >in
	exits 1 ctx-clean --check in
	cp out plain
	exits 1 ctx-clean --check --format text in
	same out plain
	wrote "in:2:1: error[orphan-result]: $ORPHAN"
}

@test "findings: github escapes what would end a property or a message" {
	orphan >'50%,a:b.jsonl'
	exits 1 ctx-clean --check --format github '50%,a:b.jsonl'
	wrote "::error file=50%25%2Ca%3Ab.jsonl,line=2,col=1,title=orphan-result::$ORPHAN"
	# a name cannot end the line and begin another command
	nl='x
::warning::y'
	orphan >"$nl"
	exits 1 ctx-clean --check --format github "$nl"
	wrote "::error file=x\\x0a%3A%3Awarning%3A%3Ay,line=2,col=1,title=orphan-result::$ORPHAN"
	echo '{"role":"user","content":"q"}' >good
	exits 0 ctx-clean --check --format github good
	silent
}

@test "findings: a warning is a warning in each form" {
	echo '{"role":"assistant","content":[{"type":"text","text":"a"}]}' >in
	text='first message is not from the user'
	exits 0 ctx-clean --check -d anthropic --format github in
	wrote "::warning file=in,line=1,col=1,title=first-not-user::$text"
	exits 0 ctx-clean --check -d anthropic --format gitlab in
	has -F '"severity":"minor"' out
	exits 0 ctx-clean --check -d anthropic --format sarif in
	has -F '"level":"warning"' out
	# as a test it passes, unless the command fails
	exits 0 ctx-clean --check -d anthropic --format junit in
	has -F 'tests="1" failures="0"' out
	has -F "<system-out>in:1:1: warning[first-not-user]: $text</system-out>" out
	exits 1 ctx-clean --check -d anthropic --strict --format junit in
	has -F 'tests="1" failures="1"' out
	lacks system-out out
}

@test "findings: columns are bytes in text, and characters where a form wants them" {
	echo '{"messages":[{"role":"user","content":"äöü"},{"role":"tool","tool_call_id":"x","content":"r"}]}' >in
	exits 1 ctx-clean --check in
	wrote "in:1:49: error[orphan-result]: $ORPHAN"
	exits 1 ctx-clean --check --format github in
	wrote "::error file=in,line=1,col=46,title=orphan-result::$ORPHAN"
	exits 1 ctx-clean --check --format sarif in
	has -F '"region":{"startLine":1,"startColumn":46}' out
	# several in one line, and one in a later line of a document
	echo '{"messages":[{"role":"tool","tool_call_id":"ä","content":"r"},{"role":"tool","tool_call_id":"y","content":"ä"},{"role":"tool","tool_call_id":"z","content":"r"}]}' >in
	exits 1 ctx-clean --check --format github in
	cut -d, -f 3 out >cols
	printf 'col=%s\n' 14 63 112 >want
	same cols want
	printf '{"messages":[\n"ä",{"role":"tool",\n"tool_call_id":"y","content":"r"}]}\n' >in
	exits 1 ctx-clean --check --format github in
	has -F ',line=2,col=5,title=orphan-result' out
}

@test "findings: gitlab" {
	orphan >in
	orphan >>in
	m='{"role":"tool","tool_call_id":"x","content":"r"}'
	exits 1 ctx-clean --check --format gitlab in
	cat >want <<-X
	[
	{"description":"$ORPHAN","check_name":"orphan-result","fingerprint":"$(print in orphan-result "$m" "$ORPHAN")","severity":"major","location":{"path":"in","lines":{"begin":2}}},
	{"description":"$ORPHAN","check_name":"orphan-result","fingerprint":"$(print in orphan-result "$m" "$ORPHAN" 2)","severity":"major","location":{"path":"in","lines":{"begin":4}}}
	]
	X
	same out want
	echo '{"role":"user","content":"a"}' >good
	exits 0 ctx-clean --check --format gitlab good
	wrote '[]'
	# what could not be read is not in order
	exits 4 ctx-clean --check --format gitlab good missing
	cat >want <<-X
	[
	{"description":"a file could not be read to its end; the messages of ctx-clean say why","check_name":"not-read","fingerprint":"ctx-clean","severity":"blocker","location":{"path":".","lines":{"begin":1}}}
	]
	X
	same out want
	orphan >'a"\.jsonl'
	exits 1 ctx-clean --check --format gitlab 'a"\.jsonl'
	[ "$(jq -r '.[0].location.path' out)" = 'a"\.jsonl' ]
}

@test "findings: junit" {
	orphan >'<&">.jsonl'
	echo '{"role":"user","content":"a"}' >good
	n=$(print '<&">.jsonl' orphan-result \
	    '{"role":"tool","tool_call_id":"x","content":"r"}' "$ORPHAN")
	exits 1 ctx-clean --check --format junit good '<&">.jsonl'
	cat >want <<-X
	<?xml version="1.0" encoding="UTF-8"?>
	<testsuites>
	<testsuite name="good" tests="1" failures="0" errors="0" skipped="0">
	<testcase classname="good" name="ctx-clean"/>
	</testsuite>
	<testsuite name="&lt;&amp;&quot;&gt;.jsonl" tests="1" failures="1" errors="0" skipped="0">
	<testcase classname="&lt;&amp;&quot;&gt;.jsonl" name="orphan-result ${n:0:8}" file="&lt;&amp;&quot;&gt;.jsonl" line="2">
	<failure type="orphan-result" message="$ORPHAN">&lt;&amp;&quot;&gt;.jsonl:2:1: error[orphan-result]: $ORPHAN</failure>
	</testcase>
	</testsuite>
	</testsuites>
	X
	same out want
	# what XML cannot have, and bytes that are not UTF-8
	name=$(printf 'a\001\357\277\277\377.jsonl')
	orphan >"$name"
	exits 1 ctx-clean --check --format junit "$name"
	python3 -c 'import xml.etree.ElementTree as e
print(ascii(e.parse("out").getroot()[0].get("name")))' >name
	echo "'a\ufffd\ufffd\ufffd.jsonl'" >want
	same name want
	# what could not be read does not pass
	orphan >in
	exits 4 ctx-clean --check --format junit in missing
	has -F '<testsuite name="ctx-clean" tests="1" failures="0" errors="1" skipped="0">' out
	has -F '<testsuite name="in" tests="1" failures="1"' out
	lacks -F 'name="missing"' out
}

@test "findings: sarif says what the specification requires" {
	orphan >'a b#.jsonl'
	printf '%s\n' '{oops' >bad
	echo '{"role":"user","content":"a"}' >good
	exits 3 ctx-clean --check --format sarif "$PWD/a b#.jsonl" bad good
	python3 "$ROOT/tests/sarif.py" out >facts
	wanted <<-X
	ctx-clean
	orphan-result error a%20b%23.jsonl 2:1
	not-json error bad 1
	successful
	X
	same facts want
	ctx-clean --rules | grep '^[a-z]' >rules
	jq -r '.runs[0].tool.driver.rules[].id' out >ids
	same ids rules
	jq -r '.runs[0].results[0].partialFingerprints["ctxFinding/v1"]' out >got
	print 'a b#.jsonl' orphan-result \
	    '{"role":"tool","tool_call_id":"x","content":"r"}' "$ORPHAN" >want
	same got want
	exits 4 ctx-clean --check --format sarif good missing
	[ "$(jq -c '.runs[0].invocations, .runs[0].results' out | tr -d '\n')" = \
	    '[{"executionSuccessful":false}][]' ]
	# outside of the working directory; without a place
	mkdir sub
	cd sub
	exits 1 ctx-clean --check --format sarif "$T/a b#.jsonl" - <"$T/a b#.jsonl"
	python3 "$ROOT/tests/sarif.py" "$T/out" >facts
	has -xF "orphan-result error file://$T/a%20b%23.jsonl 2:1" facts
	has -xF 'orphan-result error - -' facts
}

@test "findings: sarif is valid by its schema" {
	[ -n "${CTX_SARIF_SCHEMA:-}" ] || skip "CTX_SARIF_SCHEMA is not set"
	orphan >in
	printf '%s\n' '{oops' >bad
	exits 3 ctx-clean --check --format sarif in bad
	cp out clean.sarif
	exits 1 ctx-count --max 1 --format sarif in
	cp out count.sarif
	for f in clean count; do
		exits 0 python3 "$ROOT/tests/sarif.py" $f.sarif "$CTX_SARIF_SCHEMA"
	done
	# the check can fail
	sed 's/"startLine":2/"startLine":0/' clean.sarif >wrong
	differs wrong clean.sarif
	exits 1 python3 "$ROOT/tests/sarif.py" wrong "$CTX_SARIF_SCHEMA"
}

@test "findings: names are relative to the working directory" {
	mkdir sub
	orphan >sub/in
	for name in sub/in ./sub/in ././sub/in "$T/sub/in"; do
		exits 1 ctx-clean --check --format github "$name"
		wrote "::error file=sub/in,line=2,col=1,title=orphan-result::$ORPHAN"
	done
	# text names what was given
	exits 1 ctx-clean --check ./sub/in
	has '^\./sub/in:2:1:' out
	cd sub
	exits 1 ctx-clean --check --format github "$T/sub/in" ../sub/in
	wrote "::error file=in,line=2,col=1,title=orphan-result::$ORPHAN" \
	    "::error file=../sub/in,line=2,col=1,title=orphan-result::$ORPHAN"
	# a file whose name begins as that of standard input
	orphan >'(draft) in'
	exits 1 ctx-clean --check --format github '(draft) in'
	wrote "::error file=(draft) in,line=2,col=1,title=orphan-result::$ORPHAN"
	exits 1 ctx-clean --check --format sarif '(draft) in'
	has -F '"uri":"%28draft%29%20in"' "$T/out"
	exits 1 ctx-clean --check '(draft) in'
	has -F "'(draft) in'" "$T/err"
	# standard input is in no tree
	exits 1 ctx-clean --check --format github <in
	wrote "::error title=orphan-result::(standard input):2:1: $ORPHAN"
}

@test "findings: which options go together" {
	exits 2 ctx-clean --format github in
	says '*--format needs --check'
	exits 2 ctx-clean --check --format xml in
	says "*--format: 'xml' is not one of text, github, gitlab, junit, sarif"
	exits 2 ctx-clean --check --format sarif --json in
	exits 2 ctx-clean --check --baseline-write in
	says '*--baseline-write needs --baseline'
	exits 2 ctx-count --format github in
	says '*--format needs --max or --min'
	exits 2 ctx-count --max 1 --format github --by-role in
	exits 2 ctx-count --max 1 --baseline b in
	says '*--baseline needs --format'
}

# --- limits of ctx-count -------------------------------------------------------

@test "findings: ctx-count prints what exceeds --max" {
	printf '%s\n' '{"role":"user","content":"one two three"}' >in
	printf '%s\n' '{"messages":[{"role":"user","content":"a"}]}' \
	    '{"messages":[{"role":"user","content":"one two three"}]}' >lines
	# three words and 4 tokens for the message
	exits 1 ctx-count --max 6 --format github in lines
	wrote '::error file=in,line=1,title=over-budget::7 tokens exceed the limit of 6' \
	    '::error file=lines,line=2,title=over-budget::7 tokens exceed the limit of 6'
	quiet
	exits 0 ctx-count --max 7 --format github in lines
	silent
	exits 0 ctx-count --max 7 --format gitlab in
	wrote '[]'
	printf '%s\n' '{"t":"a","role":"user","content":"one two three"}' \
	    '{"t":"b","role":"user","content":"one"}' >by
	exits 1 ctx-count --max 6 --by t --format text by
	wrote 'by:1: error[over-budget]: conversation "a": 7 tokens exceed the limit of 6'
	# a text, and a file of which nothing is known
	echo 'one two three' >text
	exits 1 ctx-count --text --max 1 --format text text
	wrote 'text:1: error[over-budget]: 4 tokens exceed the limit of 1'
	echo '{"a":1}' >none
	exits 1 ctx-count --max 6 --format text none
	wrote 'none:1: error[not-counted]: no message in 1 record, so nothing was compared with --max'
	exits 4 ctx-count --max 7 --format sarif in missing
	[ "$(jq .runs[0].invocations[0].executionSuccessful out)" = false ]
}

@test "findings: ctx-count prints where two histories part" {
	printf '%s\n' '{"role":"user","content":"one two three"}' \
	    '{"role":"assistant","content":"four"}' >old
	sed s/four/five/ old >new
	echo '{"role":"user","content":"six"}' >>new
	exits 1 ctx-count --common-prefix --min 90% --format text old new
	wrote 'new:2: error[cache-break]: 7 of 17 tokens are common, but --min needs 16'
	quiet
	exits 0 ctx-count --common-prefix --min 40% --format text old new
	silent
	exits 1 ctx-count --common-prefix --min 90% --format junit old new
	lacks 'name="old"' out
	has 'testsuite name="new" tests="1" failures="1"' out
	exits 4 ctx-count --common-prefix --min 40% --format junit missing new
	has 'errors="1"' out
}

# --- baselines -------------------------------------------------------------------

@test "findings: a baseline is written, and then only new findings are reported" {
	orphan >in
	exits 4 ctx-clean --check --baseline base in
	says '*--baseline-write makes it*'
	[ ! -e base ]
	exits 0 ctx-clean --check --baseline base --baseline-write in
	silent
	said 'ctx-clean: base: 1 finding, 1 new, 0 no longer there'
	entry in >want
	same base want
	exits 0 ctx-clean --check --baseline base in
	silent
	quiet
	# on another line, by another name for the file, and as often as it is there
	sed '1{h;p;}' in >more
	cp more in
	exits 0 ctx-clean --check --baseline base "$PWD/in"
	silent
	sed -n '$p' more >>in
	exits 1 ctx-clean --check --baseline base ./in
	wrote "./in:4:1: error[orphan-result]: $ORPHAN"
	# one goes, another comes: that is new, and the old one is out of date
	sed '1!d' more >in
	echo '{"role":"tool","tool_call_id":"z","content":"other"}' >>in
	exits 1 ctx-clean --check --baseline base in
	wrote "in:2:1: error[orphan-result]: $ORPHAN"
	says 'ctx-clean: base: 1 finding in it is no longer there; --baseline-write takes it out'
	exits 0 ctx-clean --check --baseline base --baseline-write in
	said 'ctx-clean: base: 1 finding, 1 new, 1 no longer there'
	entry in '{"role":"tool","tool_call_id":"z","content":"other"}' >want
	same base want
}

@test "findings: what a run does not judge stays in the baseline" {
	orphan >b.jsonl
	orphan >a.jsonl
	echo '{"role":"assistant","content":"x","tool_calls":[]}' >c.jsonl
	exits 1 ctx-clean --check c.jsonl
	exits 0 ctx-clean --check --baseline base --baseline-write b.jsonl a.jsonl
	{ entry a.jsonl; entry b.jsonl; } >want
	same base want
	# not the file that was not read, or could not be
	echo '{"role":"user","content":"q"}' >a.jsonl
	exits 0 ctx-clean --check --baseline base b.jsonl
	quiet
	exits 0 ctx-clean --check --baseline base --baseline-write a.jsonl
	said 'ctx-clean: base: 0 findings, 0 new, 1 no longer there'
	entry b.jsonl >want
	same base want
	exits 4 ctx-clean --check --baseline base --baseline-write a.jsonl missing
	same base want
	# not the rule that is ignored, nor secrets without --redact, nor of others
	echo '{"role":"user","content":"q"}' >b.jsonl
	exits 0 ctx-clean --check --baseline base --baseline-write --ignore orphan-result b.jsonl
	same base want
	key=sk_live_4eC39HqLyjWDarjtT1zdp7dc
	printf '{"role":"user","content":"key %s"}\n' "$key" >b.jsonl
	exits 1 ctx-clean --check --redact --ignore orphan-result b.jsonl
	exits 0 ctx-clean --check --redact --baseline base --baseline-write b.jsonl
	has -F '"rule":"leaked-secret"' base
	lacks -F "$key" base
	cp base want
	exits 0 ctx-clean --check --baseline base --baseline-write b.jsonl
	same base want
	exits 0 ctx-count --max 1 --format text --baseline base --baseline-write b.jsonl
	has -F '"rule":"over-budget"' base
	has -F '"rule":"leaked-secret"' base
	cp base want
	exits 0 ctx-clean --check --redact --baseline base --baseline-write b.jsonl
	same base want
	# a conversation that grows stays known
	echo '{"role":"user","content":"and more"}' >>b.jsonl
	exits 0 ctx-count --max 1 --format text --baseline base b.jsonl
	silent
}

@test "findings: a baseline holds 16 bits of a message" {
	# two messages with the same 16 bits are the same to it, found by trying
	for i in {1..1000}; do
		printf '{"role":"tool","tool_call_id":"x","content":"%s"}\n' "$i"
	done >many
	python3 -c 'import hashlib
seen = {}
for line in open("many", "rb"):
    mark = hashlib.sha256(line.rstrip(b"\n")).hexdigest()[:4]
    if mark in seen:
        open("one", "wb").write(seen[mark])
        open("other", "wb").write(line)
        break
    seen[mark] = line'
	cp one in
	exits 0 ctx-clean --check --baseline base --baseline-write in
	cp other in
	exits 0 ctx-clean --check --baseline base in
	silent
}

@test "findings: a line that is not JSON can be known, too" {
	printf '%s\n' '{"role":"user","content":"q"}' '{oops' >in
	exits 0 ctx-clean --check --baseline base --baseline-write in
	exits 0 ctx-clean --check --baseline base in
	silent
	quiet
	echo '{oops' >>in
	exits 3 ctx-clean --check --baseline base in
	wrote "in:3:2: error[not-json]: not JSON: unexpected 'o'"
}

@test "findings: a baseline keeps its mode, and a link stays one" {
	orphan >in
	umask 022
	exits 0 ctx-clean --check --baseline real --baseline-write in
	[ "$(mode_of real)" = 644 ]
	chmod 640 real
	ln -s real link
	echo '{"role":"user","content":"q"}' >in
	exits 0 ctx-clean --check --baseline link --baseline-write in
	[ -L link ]
	[ "$(mode_of real)" = 640 ]
	same real /dev/null
	exits 4 ctx-clean --check --baseline no/such --baseline-write in
	echo '{"file":"in","rule":"x"}' >real
	exits 2 ctx-clean --check --baseline real in
	says '*real:1: this is not a finding*'
}

@test "findings: those of --json still are a baseline, and are replaced" {
	orphan >in
	exits 1 ctx-clean --check --json in
	cp out base
	sed '1{h;p;}' in >more
	cp more in
	exits 0 ctx-clean --check --baseline base in
	silent
	exits 0 ctx-clean --check --baseline base --baseline-write in
	said 'ctx-clean: base: 1 finding, 0 new, 0 no longer there'
	entry in >want
	same base want
}

@test "findings: what is known is in no form" {
	orphan >in
	exits 0 ctx-clean --check --baseline base --baseline-write --format sarif in
	[ "$(jq -c .runs[0].results out)" = '[]' ]
	exits 0 ctx-clean --check --baseline base --format gitlab in
	wrote '[]'
	exits 0 ctx-clean --check --baseline base --format junit in
	has -F 'tests="1" failures="0"' out
}
