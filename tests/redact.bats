# ctx-clean --redact: what is falsely found in real texts.  What is found of each
# format is in tests/unit/test_redact*.c and tests/data/redact.

setup() { load helpers; common_setup; }

# hits FILE...: the placeholders that redaction adds to plain text.
hits() {
	sed 's/\[REDACTED:/[/g' "$@" >in
	[ -s in ]
	exits 0 ctx-clean --text --redact <in
	grep -ao '\[REDACTED:[^]]*\]' out || true
}

@test "redact: finds nothing in other people's histories" {
	other_peoples
	for f in "${THEIRS[@]}"; do
		hits "$f"
	done >found
	[ ! -s found ] || fail "$(cat found)"
}

@test "redact: finds nothing in this tree's pages and sources" {
	# the tutorial's log has one, to be found
	find "$ROOT/cmd" "$ROOT/lib" "$ROOT/man" "$ROOT"/*.md -type f |
	    grep -v '/tutorial/session\.jsonl$' >list
	xargs cat <list >all
	[ "$(wc -c <all)" -gt 2000000 ]
	hits all >found
	[ ! -s found ] || fail "$(cat found)"
}

# Declarations, comments and tables of constants: C's and Linux's headers.
@test "redact: finds nothing in the headers of this machine" {
	find /usr/include/linux /usr/include/asm-generic /usr/include/c++ \
	    -type f 2>/dev/null | sort | xargs cat >all
	[ -s all ] || skip "no headers in /usr/include"
	hits all >found
	[ ! -s found ] || fail "$(cat found)"
	# nor personal data but the authors' addresses and telephone numbers
	exits 0 ctx-clean --text --redact=pii,-email <in
	grep -a '\[REDACTED:' out | grep -av 'Phone: \[REDACTED:phone:' >found || true
	[ ! -s found ] || fail "$(cat found)"
}

# Names that assign, in code and manifests, what is no secret.
@test "redact: leaves hashes and ids beside names of keys" {
	cat >in <<'END'
"apiKeyHash": "3f786850e387550fdab836ed7e6dc881de23001b"
src/auth/ApiKey.ts: 89e6c98d92887913cadf06b2adb97f26cde4849b
ApiKeyController.java = 2b66fd261ee5c6cfc8de7fa466bab600bcfe4f69
"RequestToken": "7f6c1a52-0b1e-4c39-9a53-28a1c2d94b10"
clientRequestToken=7f6c1a52-0b1e-4c39-9a53-28a1c2d94b10
tokenFingerprint: 2f1d6e0cbb3ae5c7d1f0a9b8c7d6e5f4
END
	exits 0 ctx-clean --text --redact <in
	same out in
}

# A file that is read in pieces.  The lines are random.
@test "redact: a private key that begins in an earlier message" {
	lines() { openssl rand -base64 $((48 * $1)) | awk '{ printf "%s\\n", $0 }'; }
	begin='-----BEGIN PRIVATE KEY-----' end='-----END PRIVATE KEY-----'
	a=$(lines 4) b=$(lines 5) c=$(lines 1) d=$(lines 2)
	cat >in <<END
{"role":"user","content":"x\n$begin\n$a"}
{"role":"assistant","content":"The next lines."}
{"role":"user","content":"$b"}
{"role":"user","content":"$c$end\nthat is all\n"}
{"role":"user","content":"$d"}
END
	{ printf '{"messages":['; paste -s -d , in | tr -d '\n'; printf ']}\n'; } >one
	{ head -n 1 in; seq 16 | sed 's/.*/{"role":"user","content":"no"}/'; sed -n 3p in; } >far
	for f in in one; do
		exits 0 ctx-clean --redact "$f"
		sed 's/:[0-9a-f]\{8\}\]/]/g' out | grep -o '"content":"[^"]*"' >got
		cat >want <<END
"content":"x\n[REDACTED:private-key]\n"
"content":"The next lines."
"content":"[REDACTED:private-key]\n"
"content":"[REDACTED:private-key]\nthat is all\n"
"content":"$d"
END
		same got want
		cp out red
		exits 0 ctx-clean --redact red
		same out red
		exits 0 ctx-clean --redact=-private-key "$f"
		same out "$f"
		rm -f map
		exits 0 ctx-clean --redact --redact-map map "$f"
		cp out red
		exits 0 ctx-clean --restore map red
		same out "$f"
		exits 1 ctx-clean --check --redact "$f"
		[ "$(grep -c 'leaked-secret' out)" -eq 3 ]
	done
	# not for ever, and not in another conversation
	exits 0 ctx-clean --redact far
	tail -n 1 out >got
	sed -n 3p in >want
	same got want
	{ printf '{"messages":['; sed -n 1p in | tr -d '\n'; printf ']}\n{"messages":['
		sed -n 3p in | tr -d '\n'; printf ']}\n'; } >two
	exits 0 ctx-clean --redact two
	tail -n 1 out >got
	tail -n 1 two >want
	same got want
}

@test "redact: the first lines of a private key, with numbers, indented or quoted" {
	for n in 1 4 19; do
		{ echo '-----BEGIN PRIVATE KEY-----'; openssl rand -base64 $((48 * n)); } >key
		cat -n key >numbered
		sed 's/^/        /' key >indented
		awk '{ printf "%5d| %s\n", NR, $0 }' key >columns
		sed 's/^/> /' key >quoted
		awk '{ printf "a/id_rsa:%d:%s\n", NR, $0 }' key >found
		{ head -n 1 key; printf 'Proc-Type: 4,ENCRYPTED\n\n'; sed 1d key; } >headers
		for f in key numbered indented columns quoted found headers; do
			about "$n lines, $f"
			jq -Rsc '{role:"user",content:.}' "$f" >in
			exits 0 ctx-clean --redact in
			while read -r line; do
				lacks -F "$line" out
			done < <(sed 1d key)
			has '\[REDACTED:private-key:[0-9a-f]*\]\\n"}$' out
		done
	done
}

# --- personal data --------------------------------------------------------

@test "redact: personal data only where it is asked for" {
	cat >in <<'END'
{"role":"user","content":"I am ann@corp.io, +44 20 7946 0958, from 51.15.20.37"}
{"role":"user","content":[{"type":"text","text":"ann@corp.io pays with 4012888888881881"}],"to":"ann@corp.io"}
END
	for o in --redact --redact=all --redact=none --redact=-jwt --redact=jwt; do
		exits 0 ctx-clean "$o" in
		same out in || fail "$o"
	done
	export CTX_REDACT_KEY=0123456789abcdef
	exits 0 ctx-clean --redact=+pii in
	mv out all
	sed 's/:[0-9a-f]\{8\}\]/]/g' all >got
	cat >want <<'END'
{"role":"user","content":"I am [REDACTED:email], [REDACTED:phone], from [REDACTED:ip]"}
{"role":"user","content":[{"type":"text","text":"[REDACTED:email] pays with [REDACTED:card]"}],"to":"[REDACTED:email]"}
END
	same got want
	# the same value has the same placeholder, with threads and twice, too
	[ "$(grep -o '\[REDACTED:email:[0-9a-f]*\]' all | sort -u | wc -l)" -eq 1 ]
	exits 0 ctx-clean --redact=+pii -j 2 in
	same out all
	exits 0 ctx-clean --redact=+pii all
	same out all
	exits 0 ctx-clean --redact=+email in
	[ "$(grep -o 'REDACTED:[a-z]*' out | sort -u)" = REDACTED:email ]
	exits 0 ctx-clean --redact=+pii,-email in
	grep -q 'ann@corp.io, \[REDACTED:phone' out
	exits 1 ctx-clean --check --redact=+pii in
	grep -q 'leaked-secret' out
	lacks 'ann@' out
}

@test "redact: names from a file" {
	printf '# staff\n\n  Ann   Lee \r\nMüller\n张伟\nO%sNeil\n' "'" >names
	cat >in <<'END'
{"role":"user","content":"ANN LEE, M\u00fcller and M\u00dcLLER met O'Neil.\nAnn\nLee said: 张伟是\u5f20\u4f1f。Leeann, Müllerin"}
END
	exits 0 ctx-clean --redact --redact-names names in
	sed 's/:[0-9a-f]\{8\}\]/]/g; s/REDACTED:name/N/g' out >got
	cat >want <<'END'
{"role":"user","content":"[N], [N] and [N] met [N].\n[N] said: [N]是[N]。Leeann, Müllerin"}
END
	same got want
	exits 0 ctx-clean --redact=-name --redact-names names in
	same out in
	exits 2 ctx-clean --redact-names names in
	exits 4 ctx-clean --redact --redact-names nonesuch in
	printf 'Ann\nBo\n' >short
	exits 2 ctx-clean --redact --redact-names short in
	grep -q 'short:2: is no name to look for' err
	yes 'Some Name' 2>/dev/null | head -n 5001 >many
	exits 2 ctx-clean --redact --redact-names many in
	grep -q 'many:5001: has more than 5000 names' err
}

@test "redact: a key in a file makes the same placeholders in every run" {
	printf '{"role":"user","content":"ann@corp.io"}\n' >in
	printf '0123456789abcdef\n' >key
	exits 0 ctx-clean --redact=+pii --redact-key key in
	mv out one
	CTX_REDACT_KEY=other exits 0 ctx-clean --redact=+pii --redact-key key in
	same out one
	CTX_REDACT_KEY=0123456789abcdef exits 0 ctx-clean --redact=+pii in
	same out one
	# one that can be guessed, as one in a file; an empty one is none
	CTX_REDACT_KEY=0123456789abcde exits 2 ctx-clean --redact=+pii in
	says "ctx-clean: CTX_REDACT_KEY: a key has at least 16 bytes; *"
	silent
	CTX_REDACT_KEY=0123456789abcde exits 2 ctx-show --html - in
	says "ctx-show: CTX_REDACT_KEY: a key has at least 16 bytes; *"
	CTX_REDACT_KEY='' exits 0 ctx-clean --redact=+pii in
	differs out one
	CTX_REDACT_KEY=short exits 0 ctx-clean in
	# HMAC-SHA-256 with the key's SHA-256 as key, by openssl
	k=$(printf 0123456789abcdef | openssl dgst -sha256 -r | cut -d ' ' -f 1)
	mac=$(printf ann@corp.io | openssl dgst -sha256 -mac HMAC \
	    -macopt "hexkey:$k" -r | cut -c 1-8)
	grep -q "\[REDACTED:email:$mac\]" one
	printf 'too short\n' >key
	exits 2 ctx-clean --redact --redact-key key in
	grep -q 'key: a key has at least 16 bytes' err
}

# --- the map, and the way back ---------------------------------------------

private() {
	cat <<'END'
{"role":"user","content":"I am ann@corp.io, +44 20 7946 0958, \u00e9\/x and ann\u0040corp.io"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"mail","arguments":"{\"to\":\"ann@corp.io\",\"n\":1.10,\"password\":\"Tr0ub4dor-3x\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"a \"b\"\npassword=\"Tr0ub4dor\\3x\"\n","ann@corp.io":{"password":"hunter22x"}}
END
}

@test "redact: a map puts everything back, byte for byte" {
	private >in
	printf 0123456789abcdef >key
	exits 0 ctx-clean --redact=+pii --redact-key key --redact-map map in
	cp out red
	# HMAC-SHA-256, by openssl, as above: twelve digits
	k=$(printf 0123456789abcdef | openssl dgst -sha256 -r | cut -d ' ' -f 1)
	mac=$(printf ann@corp.io | openssl dgst -sha256 -mac HMAC \
	    -macopt "hexkey:$k" -r | cut -c 1-12)
	odd=$(printf 'ann\\u0040corp.io' | openssl dgst -sha256 -mac HMAC \
	    -macopt "hexkey:$k" -r | cut -c 1-4)
	printf '%s\n' "{\"placeholder\":\"[REDACTED:email:$mac]\",\"value\":\"ann@corp.io\"}" >want
	head -n 1 map >got
	same got want
	printf '%s\n' "{\"placeholder\":\"[REDACTED:email:$mac-$odd]\",\"value\":\"ann\\u0040corp.io\"}" >want
	sed -n 3p map >got
	same got want
	[ "$(wc -l <map)" -eq 6 ]
	# \/ and \u00e9 stay as they are spelled
	grep -qF ' \u00e9\/x and [' red
	exits 0 ctx-clean --restore map red
	same out in
	exits 0 ctx-clean --restore map in
	same out in
	# again: neither the text nor the map changes, also with threads
	cp map map1
	for o in '' '-j 2'; do
		exits 0 ctx-clean --redact=+pii --redact-key key --redact-map map $o in
		same out red
		exits 0 ctx-clean --redact=+pii --redact-key key --redact-map map $o red
		same out red
		same map map1
	done
	# what a model wrote with the placeholders, and what is not in the map
	printf '{"role":"assistant","content":"Mail to [REDACTED:email:%s], not [REDACTED:email:000000000000]"}\n' "$mac" >said
	exits 0 ctx-clean --restore map said
	printf '{"role":"assistant","content":"Mail to ann@corp.io, not [REDACTED:email:000000000000]"}\n' >want
	same out want
	exits 0 ctx-clean --text --restore map <<<"to [REDACTED:email:$mac]"
	[ "$(cat out)" = "to ann@corp.io" ]
}

@test "redact: what is replaced in random histories of all dialects comes back" {
	n=12
	if sanitized; then n=3; fi
	all=$(cd "$ROOT/tests" && python3 -c 'import histories as h
print(*h.LISTS, "claude-code codex gemini-cli qwen-code pi opencode continue",
      "goose otel")')
	for d in $all; do
		python3 "$ROOT/tests/histories.py" "$d" "${SEED:-1}" "$n" sound >plain
		jq -ac . plain >escaped
		for f in plain escaped; do
			in_turn 3 5 || continue
			exits 0 ctx-clean "$f"
			mv out want
			rm -f map
			# signed thinking cannot be altered, and is left out
			exits 0 ctx-clean --redact=none --redact-map map \
			    --pattern 't=(?s:I think: .*)(*SKIP)(*FAIL)|é and|line\nline|1\.10|日本|quoted|longer text that|\\ and' "$f"
			[ -s map ] || fail "$d: nothing is redacted"
			mv out red
			differs red want
			exits 0 ctx-clean --restore map red
			same out want || fail "$d, $f"
		done
	done
}

@test "redact: a map is its owner's, is added to, and is not damaged" {
	private >in
	exits 0 ctx-clean --redact=+pii --redact-map map in
	[ "$(ls -l map | cut -c 1-10)" = -rw------- ]
	# another key: new lines in the same map
	cp out one
	exits 0 ctx-clean --redact=+pii --redact-map map in
	cp out two
	[ "$(wc -l <map)" -eq 12 ]
	for f in one two; do
		exits 0 ctx-clean --restore map "$f"
		same out in
	done
	# a line that was cut short is written anew
	cp map whole
	printf '{"placeholder":"[REDACTED:em' >>map
	exits 0 ctx-clean --restore map two
	same out in
	exits 0 ctx-clean --redact=+pii --redact-map map in
	head -n 12 map >got
	same got whole
	[ "$(wc -l <map)" -eq 18 ]
	# in place
	cp in log
	exits 0 ctx-clean -i --no-backup --redact=+pii --redact-map map log
	lacks 'ann@' log
	exits 0 ctx-clean -i --no-backup --restore map log
	same log in

	chmod 640 map
	exits 2 ctx-clean --redact --redact-map map in
	grep -q "map: others can read it; 'chmod 600' first" err
	chmod 600 map
	exits 4 ctx-clean --redact --redact-map . in
	exits 2 ctx-clean --redact --redact-map /dev/null in
	exits 2 ctx-clean --redact-map map in
	exits 2 ctx-clean --redact --restore map in
	exits 2 ctx-clean --redact --redact-map map --restore map in
	exits 2 ctx-clean --restore in one
	grep -q 'in:1: is no line of a map' err
	printf 0123456789abcdef >key
	sed 's/"value":"ann@corp.io"/"value":"bob@corp.io"/' >other < <(
		rm -f m && ctx-clean --redact=+pii --redact-key key --redact-map m in >/dev/null && cat m)
	chmod 600 other
	exits 4 ctx-clean --redact=+pii --redact-key key --redact-map other in
	grep -q 'has another value for \[REDACTED:email:[0-9a-f]*\]; use another key' err
}

# What stands around a secret keeps its spelling without a map, too.
@test "redact: only the bytes of a secret change" {
	cat >in <<'END'
{ "role" : "user", "content" : "\u00e9\/ AKIAIOSFODNN7ABCDEFG \ud83d\ude00x" }
END
	CTX_REDACT_KEY=0123456789abcdef exits 0 ctx-clean --redact in
	sed 's/\[REDACTED:aws-access-key-id:[0-9a-f]*\]/AKIAIOSFODNN7ABCDEFG/' out >got
	same got in
}

@test "redact: a number in JSON behind white space or other JSON, or in a line, gets quotes" {
	given <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":" \n\t{\"password\": 83749201}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"{\"password\": 83749201}\n[{\"password\": 83749202, \"passwd\": 83749203}]\r\nis it\n{\"password\": 83749204} no\n"}
	{"role":"user","content":"{\"password\":83749205}{\n\"password\":83749206}\n[{\"passwd\": 83749207}] no {\"passwd\": 83749208}\n{\"passwd\":83749209}{\"a\":\"pin\",\"passwd\":83749210}"}
	X
	exits 0 ctx-clean --redact --redact-map map in
	sed 's/:[0-9a-f]\{12\}\(-[0-9a-f]\{4\}\)*\]/]/g; s/REDACTED:generic-password/R/g' out >got
	wanted <<-'X'
	{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":" \n\t{\"password\": \"[R]\"}"}}]}
	{"role":"tool","tool_call_id":"c1","content":"{\"password\": \"[R]\"}\n[{\"password\": \"[R]\", \"passwd\": \"[R]\"}]\r\nis it\n{\"password\": [R]} no\n"}
	{"role":"user","content":"{\"password\":\"[R]\"}{\n\"password\":\"[R]\"}\n[{\"passwd\": [R]}] no {\"passwd\": [R]}\n{\"passwd\":\"[R]\"}{\"a\":\"pin\",\"passwd\":\"[R]\"}"}
	X
	same got want
	cp out red
	exits 0 ctx-clean --restore map red
	same out in
}

@test "redact: many numbers in JSON take no time by the square of their number" {
	awk 'BEGIN { printf "{\"role\":\"user\",\"content\":\"["
	    for (i = 100000; i < 200000; i++)
	        printf "{\\\"password\\\":83%d},", i
	    print "{}]\"}" }' >in
	exits 0 timeout "$DEADLINE" ctx-clean --redact in
	[ "$(grep -o ':\\"\[REDACTED:generic-password:[0-9a-f]*\]\\"' out | wc -l)" -gt 90000 ]
	lacks ':\[REDACTED' out
}

# What assigns a password may be the name of its member, and then has its quotes.
@test "redact: a password is the same in arguments and in an object" {
	export CTX_REDACT_KEY=0123456789abcdef
	given <<-'X'
	{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"password":"Xk9mPq;2(vW8z"}}]}
	{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"password\":\"Xk9mPq;2(vW8z\"}"}}]}
	X
	exits 0 ctx-clean --redact --unanswered repair in
	grep -o 'REDACTED:generic-password:[0-9a-f]*\]\\*"}' out | tr -d '\\' >got
	[ "$(wc -l <got)" -eq 2 ]
	[ "$(sort -u got | wc -l)" -eq 1 ]
	lacks 'Xk9mPq\|vW8z' out
}

@test "redact: a pattern sees the text alone, not the name of its member" {
	given <<-'X'
	{"role":"user","content":"123456 or 234567"}
	{"role":"user","content":"or 345678"}
	X
	for re in '^\d{6}' '\A\d{6}' '(?<!\W)\d{6}'; do
		exits 0 ctx-clean --redact=none --pattern "pin=$re" in
		sed 's/:[0-9a-f]*\]/]/' out >got
		wanted <<-'X'
		{"role":"user","content":"[REDACTED:pin] or 234567"}
		{"role":"user","content":"or 345678"}
		X
		same got want
	done
	exits 0 ctx-clean --redact=none --pattern 'pin=\d{6}$' in
	has '123456 or \[REDACTED:pin:[0-9a-f]*\]"' out
	exits 0 ctx-clean --redact=none --pattern 'x="|: ' in
	same out in
}

@test "redact: a pattern that takes too long is named with its line" {
	printf '{"role":"user","content":"hello"}\n' >in
	awk 'BEGIN { printf "{\"role\":\"user\",\"content\":\""
	    for (i = 0; i < 40000; i++) printf "a"
	    print "\"}" }' >>in
	exits 3 ctx-clean --redact --pattern 'x=(a|aa)+c' in
	says "ctx-clean: in:2: pattern 'x' takes too long at byte 1 of a text; make it simpler"
}

# An API refuses arguments that are no JSON.
@test "redact: arguments stay JSON where a value begins with an escape" {
	call() {
		jq -n --arg a "$1" -c '{role:"assistant",content:null,tool_calls:[{id:"c",type:"function",function:{name:"f",arguments:$a}}]},
		    {role:"tool",tool_call_id:"c",content:"ok"}'
	}
	while IFS='|' read -r text want; do
		about "$text"
		call "{\"path\":\"a\",\"text\":\"$text\"}" >in
		exits 0 ctx-clean --redact in
		head -n 1 out | jq -r '.tool_calls[0].function.arguments | fromjson | .text' |
		    sed 's/\[REDACTED:[a-z-]*:[0-9a-f]*\]/KEY/g' >got
		printf '%b\n' "$want" >want
		same got want
	done <<-'X'
	A=app\nDB_PASSWORD=\nHOST=cache-1.internal\n|A=app\nDB_PASSWORD=\nHOST=cache-1.internal\n
	password:\nhunter2Xq9!zR|password:\nhunter2Xq9!zR
	token: \nZr8kq2Lw9xVbT5mY|token: \nZr8kq2Lw9xVbT5mY
	password=\tZr8kq2Lw9xVb\n|password=\tKEY\n
	tool --password \u00fcber99Xq!z run|tool --password KEY run
	tool --password \n  Zr8kq2Lw9xVb|tool --password \n  Zr8kq2Lw9xVb
	DB_PASSWORD=\u00e9l1te-Pass99x\n|DB_PASSWORD=KEY\n
	DB_PASSWORD=abc12\u00e9-Pass99x\n|DB_PASSWORD=KEY\n
	x\nfp_4eC39HqLyjWDarjtT1zdp7dcQ8Rv01Qs73Zk|x\nKEY
	X
}

# An API refuses data that is no base64.
@test "redact: the data of a file stays base64, and comes back from a map" {
	data=$(printf 'DB_HOST=localhost\nSTRIPE_KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dcQ8Rv\nA=1\n' | to_base64)
	while read -r file; do
		about "$file"
		printf '%s\n' "${file/DATA/$data}" >in
		rm -f map
		exits 0 ctx-clean --redact --redact-map map in
		lacks -F "$data" out
		cp out red
		# what it encodes is the placeholder, and nothing else has changed
		new=$(grep -o '"[^" ]*W1JFREFD[^"]*"' red | tr -d '"')
		new=${new#*base64,}
		printf %s "$new" | from_base64 >text
		grep -qx '\[REDACTED:stripe-key:[0-9a-f]*\]' text
		printf '%s\n' "${file/DATA/$new}" >want
		same red want
		# twice is once, and there is nothing to find
		exits 0 ctx-clean --redact --redact-map map red
		same out red
		exits 0 ctx-clean --check --redact red
		exits 0 ctx-clean --restore map red
		same out in
	done <<-'X'
	{"role":"user","parts":[{"text":"look"},{"inlineData":{"mimeType":"text/plain","data":"DATA"}}]}
	{"role":"user","content":[{"type":"text","text":"look"},{"type":"document","source":{"type":"base64","media_type":"text/plain","data":"DATA"}}]}
	{"role":"user","parts":[{"text":"look"},{"inlineData":{"mimeType":"text\/plain","data":"DATA"}}]}
	{"role":"user","content":[{"type":"text","text":"look"},{"type":"file","file":{"filename":"a.env","file_data":"data:text/plain;base64,DATA"}}]}
	X
	# what is no file's data becomes the placeholder itself
	printf '{"role":"user","content":"%s"}\n' "$data" >in
	exits 0 ctx-clean --redact in
	has '"content":"\[REDACTED:stripe-key:[0-9a-f]*\]"' out
	echo '{"role":"user","content":[{"type":"document","title":"AKIAIOSFODNN7ABCDEFG","source":{"type":"text","media_type":"text/plain","data":"AKIAIOSFODNN7ABCDEFG"}}]}' >in
	exits 0 ctx-clean --redact in
	[ "$(grep -o '"\[REDACTED:aws-access-key-id:[0-9a-f]*\]"' out | wc -l)" -eq 2 ]
}

@test "redact: what is no message in a conversation, where one is added or moved" {
	key=AKIAIOSFODNN7EXAMPLX
	note='{"role":"note","content":"KEY"}'
	user='{"role":"user","content":"a KEY"}'
	call='{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}}]}'
	result='{"role":"tool","tool_call_id":"x","content":"b"}'
	repaired='{"role":"tool","tool_call_id":"x","content":"[no result: the tool call was not completed]"}'
	for what in "$call,$note|$call,$note,$repaired" \
	    "$call,$note,$user,$result|$call,$note,$result,$user"; do
		about "$what"
		echo "{\"messages\":[$note,$user,${what%|*}]}" | sed "s/KEY/$key/g" >in
		exits 0 ctx-clean -q --redact --unanswered repair in
		lacks "$key" out
		sed 's/\[REDACTED:[a-z-]*:[0-9a-f]*\]/KEY/g' out >got
		echo "{\"messages\":[$note,$user,${what#*|}]}" >want
		same got want
	done
}

@test "redact: a result that is made has the path and the tool of its call without secrets" {
	given <<-'X'
	{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/home/ann@corp.org","sessionId":"s","message":{"role":"user","content":"go"}}
	{"type":"assistant","uuid":"u2","parentUuid":"u1","cwd":"/home/ann@corp.org","sessionId":"s","message":{"role":"assistant","id":"m1","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}}
	{"type":"user","uuid":"u3","parentUuid":"u2","cwd":"/home/ann@corp.org","sessionId":"s","message":{"role":"user","content":"b"}}
	X
	exits 0 ctx-clean -q --redact=email --unanswered repair in
	sed 's/\[REDACTED:email:[0-9a-f]*\]/KEY/; s/"uuid":"[^"]*"/"uuid":"U"/' out | sed -n 3p >got
	wanted <<-'X'
	{"parentUuid":"u2","uuid":"U","cwd":"/home/KEY","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"[no result: the tool call was not completed]"}]}}
	X
	same got want
	# a result that has no id but this
	given <<-'X'
	{"role":"assistant","content":"","tool_calls":[{"function":{"name":"AKIAIOSFODNN7EXAMPLX","arguments":{}}}]}
	{"role":"user","content":"b"}
	X
	exits 0 ctx-clean -q --redact --unanswered repair in
	sed -n 1p out | jq -r '.tool_calls[0].function.name' >want
	sed -n 2p out | jq -r .tool_name >got
	has '^\[REDACTED:aws-access-key-id:' got
	same got want
	# again, there is nothing to do
	mv out in
	exits 0 ctx-clean -q --redact --unanswered repair in
	same out in
}

@test "redact: a number in JSON gets quotes, which go again" {
	cat >in <<'END'
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"phone\": 13912345670, \"l\":[4012888888881881,1.10],\"n\":\"13912345670\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"{\"password\":82736451827,\"tel\":\"x 13912345670\"} "}
{"role":"user","content":"[13912345670] is no JSON: 13912345670,"}
END
	exits 0 ctx-clean --redact=+pii --redact-map map in
	sed 's/:[0-9a-f]\{12\}\(-[0-9a-f]\{4\}\)*\]/]/g; s/REDACTED/R/g' out >got
	cat >want <<'END'
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"phone\": \"[R:phone]\", \"l\":[\"[R:card]\",1.10],\"n\":\"[R:phone]\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"{\"password\":\"[R:generic-password]\",\"tel\":\"x [R:phone]\"} "}
{"role":"user","content":"[[R:phone]] is no JSON: [R:phone],"}
END
	same got want
	cp out red
	exits 0 ctx-clean --restore map red
	same out in
	exits 0 ctx-clean --redact=+pii --redact-map map red
	same out red
}
