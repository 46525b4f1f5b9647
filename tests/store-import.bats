# ctx-store import refuses files that are not complete exports.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
	HEAD='{"row":"ctx-store","version":1}'
	WHEN='"2026-01-01T00:00:00Z"'
	THREAD='{"row":"thread","name":"S","head":0,"created":'$WHEN',"updated":'$WHEN'}'
	MAIN='{"row":"context","id":0,"name":"main","kind":0,"next_seq":1,"turn":0,"created":'$WHEN'}'
	# The SHA-256 of "x" and of the empty string.
	X=2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
	NONE=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
}

# refused MESSAGE LINE...: assert that the last of the lines is refused with
# this message, and nothing is stored.
refused() {
	local message=$1

	shift
	printf '%s\n' "$@" >f
	rm -f db*
	exits 3 ctx-store import f || return 1
	says "ctx-store import: f:$#: $message" || return 1
	exits 0 ctx-store threads || return 1
	silent
}

bad() { refused "not a line of an export: $@"; }

@test "import: the smallest possible export" {
	printf '%s\n' "$HEAD" "$THREAD" "$MAIN" '{"row":"end","lines":4}' >f
	exits 0 ctx-store import f
	[ "$(ctx-store threads | jq -r .thread_id)" = S ]
}

@test "import: an export begins with the version and ends with the number of lines" {
	refused 'the export has version 2, but this program reads version 1' \
	    '{"row":"ctx-store","version":2}'
	refused 'the export has version 0, but this program reads version 1' \
	    '{"row":"ctx-store"}'
	refused 'the export has version 0, but this program reads version 1' \
	    '{"row":"ctx-store","version":"1"}'
	bad 'the file does not begin like an export; append stores the lines of a history' "$THREAD"
	refused 'the last line counts 3 lines, but there are 2' "$HEAD" \
	    '{"row":"end","lines":3}'
	refused 'the last line counts 0 lines, but there are 2' "$HEAD" '{"row":"end"}'
	printf '%s\n' "$HEAD" "$THREAD" "$MAIN" >f
	exits 3 ctx-store import f
	says 'ctx-store import: f: the export is cut off: its last line is missing'
	exits 0 ctx-store threads
	silent
}

@test "import: a thread that is named like a subagent of one that is gone comes back" {
	# an earlier version made it of what came late; T is a thread that is there
	late=S/subagent-0123abcd
	ctx-store append T <<<'{"n":1}'
	{
		printf '%s\n' "$HEAD" "${THREAD/'"S"'/"\"$late\""}" "$MAIN"
		ctx-store export T | sed -n '/^{"row":"ctx-store"/d; /^{"row":"end"/!p'
		echo '{"row":"end","lines":7}'
	} >f
	rm -f db*
	exits 0 ctx-store import f
	exits 0 ctx-store load $late
	silent
	exits 0 ctx-store append $late <<<'{"n":2}'
	ctx-store export >all
	exits 0 ctx-store import --verify --dry-run all
	for to in import recover follow; do
		case $to in
		import) exits 0 ctx-store --db import import --verify all ;;
		recover) [ -z "${CTX_TEST_PG:-}" ] || continue
			exits 0 ctx-store recover db recover ;;
		follow) ctx-store --db follow import --position |
			ctx-store export --position - >step
			exits 0 ctx-store --db follow import --follow step ;;
		esac
		about $to
		exits 0 ctx-store --db $to load $late
		wrote '{"n":2}'
		exits 0 ctx-store --db $to load T
		wrote '{"n":1}'
	done
	exits 0 ctx-store rm -q $late
	exits 1 ctx-store append $late <<<'{"n":3}'
}

@test "import: a line after the end is refused; complete threads stay" {
	printf '%s\n' "$HEAD" "$THREAD" "$MAIN" '{"row":"end","lines":4}' \
	    "$MAIN" >f
	exits 3 ctx-store import f
	says 'ctx-store import: f:5: not a line of an export: it comes after the last line'
	[ "$(ctx-store threads | jq -r .thread_id)" = S ]
}

@test "import: lines that are not rows are refused" {
	bad 'it is not an object' "$HEAD" '[1]'
	bad row "$HEAD" '{"row":3}'
	bad 'it is an unknown row' "$HEAD" '{"row":"zz"}'
	bad 'it is an unknown row' "$HEAD" '{"a":1}'
	bad 'it belongs to no thread' "$HEAD" "$MAIN"
	bad 'it belongs to no thread' "$HEAD" '{"row":"body","sha256":"'$X'","text":"x"}'
	bad "it is a user's state without a user" "$HEAD" "$THREAD" "$MAIN" \
	    '{"row":"user_state","key":"a","pos":1}'
}

@test "import: a thread needs its name, head and times" {
	bad thread "$HEAD" '{"row":"thread"}'
	bad thread "$HEAD" "${THREAD/\"name\":\"S\",/}"
	bad thread "$HEAD" "${THREAD/\"head\":0,/}"
	bad thread "$HEAD" "${THREAD/\"created\":$WHEN,/}"
	bad thread "$HEAD" "${THREAD/,\"updated\":$WHEN/}"
	bad head "$HEAD" "${THREAD/\"head\":0/\"head\":0.5}"
	bad head "$HEAD" "${THREAD/\"head\":0/\"head\":99999999999999999999}"
	bad created "$HEAD" "${THREAD/\"created\":$WHEN/\"created\":\"x\"}"
	bad name "$HEAD" "${THREAD/\"S\"/3}"
	refused '*name*' "$HEAD" "${THREAD/\"S\"/\"\"}"
	refused 'in the thread before this line, a context is missing' "$HEAD" "$THREAD" \
	    '{"row":"end","lines":3}'
}

@test "import: a context needs its number and name, and its messages" {
	bad context "$HEAD" "$THREAD" "${MAIN/\"id\":0,/}"
	bad context "$HEAD" "$THREAD" "${MAIN/\"name\":\"main\",/}"
	bad id "$HEAD" "$THREAD" "${MAIN/\"id\":0/\"id\":\"0\"}"
	bad context "$HEAD" "$THREAD" "${MAIN/\"created\":$WHEN/\"x\":1}"
	refused 'in the thread before this line, messages are missing' "$HEAD" \
	    "$THREAD" "${MAIN/\"next_seq\":1/\"next_seq\":2}" \
	    '{"row":"end","lines":4}'
	bad context "$HEAD" "$THREAD" "$MAIN" \
	    '{"row":"message","context":"x"}'
	bad 'a message has no line' "$HEAD" "$THREAD" "$MAIN" \
	    '{"row":"message","context":0,"seq":1,"role":"user","turn":1,"ts":'"$WHEN"',"crc":1}'
	refused 'a message does not match its checksum' "$HEAD" "$THREAD" "$MAIN" \
	    '{"row":"message","context":0,"seq":1,"role":"user","turn":1,"ts":'"$WHEN"',"json":"{}","crc":1}'
	refused 'a message does not match its checksum' "$HEAD" "$THREAD" "$MAIN" \
	    '{"row":"message","context":0,"seq":1,"role":"user","turn":1,"ts":'"$WHEN"',"json":"{}"}'
}

@test "import: contents must match their hash" {
	bad sha256 "$HEAD" "$THREAD" '{"row":"body","sha256":"12","text":"x"}'
	bad sha256 "$HEAD" "$THREAD" \
	    '{"row":"body","sha256":"'${X/2/g}'","text":"x"}'
	bad sha256 "$HEAD" "$THREAD" \
	    '{"row":"body","sha256":"'${X/d/D}'","text":"x"}'
	bad contents "$HEAD" "$THREAD" '{"row":"body","sha256":"'$X'"}'
	bad contents "$HEAD" "$THREAD" '{"row":"body","sha256":"'$X'","text":3}'
	bad contents "$HEAD" "$THREAD" \
	    '{"row":"body","sha256":"'$X'","base64":"e*=="}'
	refused 'contents do not match their hash' "$HEAD" "$THREAD" \
	    '{"row":"body","sha256":"'$X'","text":"y"}'
	refused 'contents do not match their hash' "$HEAD" "$THREAD" \
	    '{"row":"body","sha256":"'$X'","base64":"eQ=="}'
	bad parts "$HEAD" "$THREAD" '{"row":"body","sha256":"'$X'","parts":[{}]}'
	bad 'a part is missing' "$HEAD" "$THREAD" \
	    '{"row":"body","sha256":"'$X'","parts":["'$NONE'"]}'
	bad 'contents are missing' "$HEAD" "$THREAD" "$MAIN" \
	    '{"row":"state","context":0,"key":"a","pos":1,"body":"'$X'"}'
}

@test "import: contents as text, as base64 and in parts" {
	# Bytes that use all letters of base64.
	set -- $(python3 -c 'import base64, hashlib as h
b = base64.b64decode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
print(base64.b64encode(b).decode(), h.sha256(b).hexdigest(),
    h.sha256(b"""{"a":"x"}""").hexdigest())')
	bytes=$1 sum=$2 json=$3
	printf '%s\n' "$HEAD" "$THREAD" "$MAIN" \
	    '{"row":"body","sha256":"'"$sum"'","base64":"'"$bytes"'"}' \
	    '{"row":"body","sha256":"'"$X"'","base64":"eA=="}' \
	    '{"row":"body","sha256":"'"$NONE"'","text":""}' \
	    '{"row":"body","sha256":"'"$json"'","text":"{\"a\":\"x\"}"}' \
	    '{"row":"state","context":0,"key":"k","pos":1,"body":"'"$json"'"}' \
	    '{"row":"end","lines":9}' >f
	exits 0 ctx-store import f
	exits 0 ctx-store state get S
	wrote '{"k":{"a":"x"}}'
	exits 0 ctx-store check --full
}

@test "import: a name with a NUL byte is kept in a file, and refused by a server" {
	local kind n

	ctx-store append -q S <<<'{"role":"user","content":"x"}'
	ctx-store append -q -c NAME --parent main@1 S <<<'{"role":"user","content":"y"}'
	ctx-store view put S NAME <<<'{"role":"user","content":"z"}'
	ctx-store checkpoint put --id NAME S <<<'{"a":1}' >/dev/null
	ctx-store code put --syntax python S NAME <<<'1' >/dev/null
	ctx-store memory put --turn 1 --name NAME --summary s S <<<'1' >/dev/null
	ctx-store export | grep -v '"row":"end"' >all
	for kind in context ckpt view snapshot file; do
		about "$kind"
		sed "/\"row\":\"$kind/s/NAME/a\\\\u0000b/" all >f
		n=$(grep -n 'a.u0000b' f | head -n 1 | cut -d : -f 1)
		echo "{\"row\":\"end\",\"lines\":$(($(wc -l <all) + 1))}" >>f
		if [ -z "${CTX_TEST_PG:-}" ]; then
			rm -f new*
			exits 0 ctx-store --db new import f
			exits 0 ctx-store --db new export
			has -q 'a.u0000b' out
		else
			exits 3 ctx-store --db "new-$kind" import f
			said "ctx-store import: f:$n: PostgreSQL cannot store a name that has a NUL byte or is not UTF-8; change it, or use a store in a file" \
			    'ctx-store import: imported 0 threads'
			exits 0 ctx-store --db "new-$kind" threads
			silent
		fi
	done
}

@test "import: a name that cannot be one is not found, and not written" {
	bad=$(printf 'a\377b')
	ctx-store append -q S <<<'{"role":"user","content":"x"}'
	exits 1 ctx-store view get S "$bad"
	said "ctx-store view get: no such view 'a\xffb'"
	exits 1 ctx-store load --view "$bad" S
	exits 2 ctx-store load -c "$bad" S
	exits 1 ctx-store checkpoint get S "$bad"
	exits 1 ctx-store checkpoint rm S "$bad"
	exits 1 ctx-store code get S "$bad"
	exits 1 ctx-store upload get S "$bad"
	exits 1 ctx-store fork --at "$bad" S
	exits 1 ctx-store state get S "$bad"
	exits 1 ctx-store memory rm S "$bad"
	exits 1 ctx-store view rm S "$bad"
	exits 1 ctx-store code rm S "$bad"
	exits 1 ctx-store upload rm S "$bad"
	exits 2 ctx-store rm -c "$bad" S
	exits 2 ctx-store append -c "$bad" --parent main@1 S <<<'{"role":"user"}'
	said 'ctx-store append: context: the name is not UTF-8'
	exits 2 ctx-store view put S "$bad" <<<'{"role":"user"}'
	exits 2 ctx-store checkpoint put --id "$bad" S <<<'{}'
	exits 2 ctx-store memory put --turn 1 --name "$bad" S <<<x
	exits 0 ctx-store contexts S
	[ "$(wc -l <out)" = 1 ]
}
