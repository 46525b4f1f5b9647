# Every JSON output has a schema in tests/data/schemas and conforms to it.  The
# schemas are part of the contract in ctx(7): whoever adds, renames or removes a
# member changes the schema first.

setup() {
	load helpers
	common_setup
	python_with jsonschema ||
	    skip "the module jsonschema is missing, which Homebrew has no package of"
	LOGS=$ROOT/tests/data/logs
	export CTX_DB=$T/db CTX_WORKSPACES=$T/w
}

# valid SCHEMA [FILE]: assert that FILE, or the output of the command before,
# conforms.
valid() {
	"$PYTHON" "$ROOT/tests/schema.py" "$1" "${2:-out}" || return 1
	echo "$1" >>"$BATS_FILE_TMPDIR/seen"
}

store() { ctx-store "$@"; }

@test "schemas: members that are not in a schema are refused" {
	echo '{"from":1,"to":1,"messages":2}' >good
	valid ctx-count--histogram good
	for bad in '{"from":1,"to":1}' '{"from":1,"to":1,"messages":"2"}' \
	    '{"from":1,"to":1,"messages":2,"more":0}' '{"from":-1,"to":1,"messages":2}'
	do
		echo "$bad" >bad
		exits 1 "$PYTHON" "$ROOT/tests/schema.py" ctx-count--histogram bad
	done
	exits 1 "$PYTHON" "$ROOT/tests/schema.py" ctx-count--histogram /dev/null
}

@test "schemas: ctx-clean" {
	exits 3 ctx-clean --check --json --redact "$LOGS"/faulty/*
	valid ctx-clean--check
	exits 0 ctx-clean --report rep --ansi --minify --tables --squeeze --fold --base64 --dedupe \
	    --max-result 200 --redact --images drop --thinking drop \
	    --clear-results=3 --step 0 --clear-inputs "$LOGS"/*.openai.jsonl \
	    "$LOGS"/research.anthropic.jsonl
	valid ctx-clean--report rep
	grep -q '"id":' rep
	grep -qv '"id":' rep
}

# record ID PARENT CONTENT: a message of the user in a session of Claude Code; one of
# the assistant if the id is a's.
record() {
	local role=user

	case $1 in a*) role=assistant ;; esac
	printf '{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"s","message":{"role":"%s","content":%s}}\n' \
	    $role "$1" "$2" $role "$3"
}

@test "schemas: the rules of ctx-clean are those of its schemas, also for sessions" {
	ctx-clean --rules | grep -v '^ ' | sort >want
	jq -r '.properties.rule.enum[]' "$ROOT/tests/data/schemas/ctx-clean--check.json" | sort >got
	same got want
	{
		record u1 null '"half \ud83d"'
		record a1 '"gone"' '[{"type":"text","text":"b"}]'
		record u2 '"a1"' '"c"'
		record a2 '"a3"' '[{"type":"text","text":"d"}]'
		record a3 '"a2"' '[{"type":"text","text":"e"}]'
		printf '{"type":"summary","summary":"t","leafUuid":"a1"}\n'
	} >in
	exits 1 ctx-clean --check --json in
	valid ctx-clean--check
	for rule in lone-surrogate lost-parent record-loop; do
		grep -q "\"rule\":\"$rule\"" out
	done
	exits 0 ctx-clean --report rep in
	valid ctx-clean--report rep
	for rule in lone-surrogate lost-parent record-loop; do
		grep -q "\"reason\":\"$rule\"" rep
	done
	{
		record u1 null '"a"'
		record a1 '"u1"' '[{"type":"text","text":"b"}]'
		record u2 '"a1"' '"c"'
		printf '{"type":"summary","summary":"t","leafUuid":"u2"}\n'
		record u3 '"a1"' '"d"'
	} >in
	exits 0 ctx-clean --branches drop --report rep in
	valid ctx-clean--report rep
	[ "$(jq -r .reason rep | sort -u | paste -s -d ' ' -)" = 'branches link' ]
	printf '{"role":"user","content":"%s"}\n' a b >in
	exits 0 ctx-clean --merge-runs --report rep in
	valid ctx-clean--report rep
	grep -q '"reason":"merge-runs"' rep
}

@test "schemas: ctx-convert" {
	exits 0 ctx-convert -q --to openai --request -m m --report rep \
	    "$LOGS"/*.openai.jsonl "$LOGS"/research.*.jsonl
	valid ctx-convert--report rep
	for what in carried reformed renamed left_out made; do
		grep -q "\"what\":\"$what\"" rep
	done
	echo 'data: {"id":"r","model":"m","choices":[{"index":0,"delta":{"content":"a","tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}' >in
	exits 5 ctx-convert --from response --report rep in
	valid ctx-convert--report rep
	has '"what":"answer"' rep
	echo '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{"}}]}' >in
	exits 0 ctx-convert --to calls in
	valid ctx-convert--to-calls
}

@test "schemas: ctx-count" {
	local how

	exits 0 ctx-count --json -m gpt-4o "$LOGS"/zh.openai.jsonl \
	    "$LOGS"/mend.anthropic.jsonl
	valid ctx-count
	exits 0 ctx-count --json -m claude-opus-4-1 "$LOGS"/mend.anthropic.jsonl
	valid ctx-count
	exits 0 ctx-count --json --text -m gpt-4o "$ROOT/README.md"
	valid ctx-count
	for how in by-role by-tool per-message per-conversation histogram \
	    common-prefix; do
		exits 0 ctx-count --json --$how -m gpt-4o \
		    "$LOGS"/parallel.openai.jsonl "$LOGS"/zh.openai.jsonl
		valid "ctx-count--$how"
	done
	exits 0 ctx-count --json --price -m gpt-4o "$LOGS"/zh.openai.jsonl
	valid ctx-count
	exits 0 ctx-count --encode -m gpt-4o "$ROOT/README.md"
	valid ctx-count--encode
	exits 0 ctx-count --encode --offsets "$ROOT/README.md"
	valid ctx-count--offsets
	exits 0 ctx-count --chunk 200 --overlap 20 "$ROOT/README.md"
	valid ctx-count--chunk
	for how in session day model tool; do
		exits 0 ctx-count --usage=$how --json --price \
		    "$LOGS"/research.claude-code.jsonl
		valid ctx-count--usage
	done
}

@test "schemas: ctx-summarize" {
	exits 0 ctx-summarize -t 2k --report rep --state st "$LOGS"/audit.openai.jsonl
	valid ctx-summarize--report rep
	valid ctx-summarize--state st
	exits 0 ctx-summarize -t 100k --report rep "$LOGS"/zh.openai.jsonl
	valid ctx-summarize--report rep
	exits 0 ctx-summarize --by sessionId -t 2k --report rep --state st2 \
	    "$LOGS"/team.claude-code.jsonl
	valid ctx-summarize--report rep
	valid ctx-summarize--state st2
	grep -q '"key":' rep
	grep -q '"key":' st2
}

@test "schemas: ctx-summarize with a model" {
	mkfifo life
	python3 "$ROOT/tests/stub/faultd.py" requests <life >port 3>&- &
	exec 9>life
	until_true [ -s port ]
	exits 0 ctx-summarize --url "http://127.0.0.1:$(cat port)/insights/x" \
	    --insights --report rep "$LOGS"/zh.openai.jsonl
	exec 9>&-
	valid ctx-summarize--insights
	valid ctx-summarize--report rep
	grep -q '"prompt_tokens":[1-9]' rep
}

@test "schemas: ctx-diff" {
	ctx-clean --max-result 100 "$LOGS"/audit.openai.jsonl | sed 3d >new
	exits 1 ctx-diff --json "$LOGS"/audit.openai.jsonl new
	valid ctx-diff--json
	sed 's/{/{"t":"a",/' new >old
	exits 1 ctx-diff --json -b t old new
	valid ctx-diff--json
	has -c '"conversation":"a"' out
}

@test "schemas: ctx-digest-files" {
	exits 0 ctx-digest-files --json -r "$LOGS/project" "$ROOT/tests/data/digest" \
	    "$ROOT/README.md"
	valid ctx-digest-files--json
}

@test "schemas: ctx-store, the log" {
	exits 0 store append --ack S "$LOGS"/zh.openai.jsonl
	valid ctx-store-append--ack
	exits 0 store append --ack --user ann A <<<'{"id":"m1","role":"user","content":"hi"}'
	valid ctx-store-append--ack
	exits 0 store threads
	valid ctx-store-threads
	exits 0 store status --json S
	valid ctx-store-status--json
	exits 0 store status --json --tokens S
	valid ctx-store-status--json
	store workspace S >place
	exits 0 store status --json S
	valid ctx-store-status--json
	exits 0 store check --full
	exits 0 store prune --older-than 2100-01-01 --dry-run
	valid ctx-store-prune--dry-run
	exits 0 store users
	valid ctx-store-users
}

@test "schemas: ctx-store, checkpoints and contexts" {
	store append S "$LOGS"/zh.openai.jsonl
	exits 0 store checkpoint put --id one --meta '{"by":"hand"}' S <<<'{"a":1}'
	valid ctx-store-checkpoint-put
	store checkpoint put --id two S <<<'{"a":2}' >out
	exits 0 store checkpoint list S
	valid ctx-store-checkpoint-list
	exits 0 store checkpoint get --json S
	valid ctx-store-checkpoint-get--json
	exits 0 store checkpoint diff S one two
	valid ctx-store-checkpoint-diff
	exits 0 store fork --at one S
	valid ctx-store-fork
	exits 0 store spawn S --task 'find it' --call c1 --as json
	valid ctx-store-spawn--as-json
	agent=$(jq -r .context_id out)
	store append "S/$agent" <<<'{"role":"assistant","content":"found"}'
	exits 0 store finish "S/$agent"
	valid ctx-store-finish--as-json
	exits 0 store contexts S
	valid ctx-store-contexts
	store load S | store view put S model
	exits 0 store view list S
	valid ctx-store-view-list
}

@test "schemas: ctx-store, memory, files, and searching in everything" {
	store append S <<<'{"id":"m1","role":"user","content":"the heron"}'
	store memory put --turn 1 --summary 'heron one' --insight 'x is y' S <<<'a heron'
	store memory put --turn 2 --name later --link ctx_1 S <<<'more'
	exits 0 store memory list S
	valid ctx-store-memory-list
	exits 0 store code put --syntax python --desc 'heron' --out . S code_1 <<<'print("heron")'
	valid ctx-store-code-put
	cat >in <<-'X'
	{"role":"assistant","content":"```python\nheron = 1\nprint(heron)\nprint(2)\n```"}
	X
	exits 0 store code extract S in
	valid ctx-store-code-extract
	exits 0 store code list S
	valid ctx-store-code-list
	echo 'a heron,b' >data.csv
	printf '\0\1\2' >raw.bin
	exits 0 store upload put S data.csv raw.bin
	valid ctx-store-upload-put
	exits 0 store upload list S
	valid ctx-store-upload-list
	store summary put S <<<'{"summary":"of the heron","upto":1}'
	exits 0 store summary list S
	valid ctx-store-summary-list
	exits 0 store search --in all heron
	valid ctx-store-search
	jq -r .kind out | sort -u >kinds
	printf '%s\n' code memory message summary upload >want
	same kinds want
}

@test "schemas: ctx-store, a damaged store" {
	store append S "$LOGS"/zh.openai.jsonl
	sqlite3 db 'DELETE FROM message WHERE seq = 3'
	exits 4 store check
	valid ctx-store-check
	exits 1 store recover db new
	valid ctx-store-recover
}

@test "schemas: CTX_LOG" {
	export CTX_LOG=$T/log
	ctx-count "$LOGS"/zh.openai.jsonl >out
	ctx-clean --max-result 200 "$LOGS"/zh.openai.jsonl >out
	exits 2 ctx-truncate --no-such-option
	ctx-truncate -n 4 "$LOGS"/zh.openai.jsonl >out
	valid log log
}

@test "schemas: every schema was used, and its members are in the manual" {
	local page

	if [ ! -f "$BATS_FILE_TMPDIR/seen" ]; then
		skip "the other tests of this file were not run"
	fi
	sort -u "$BATS_FILE_TMPDIR/seen" >seen
	for s in "$ROOT"/tests/data/schemas/*.json; do
		basename "$s" .json
	done | sort >there
	same seen there
	while read -r s; do
		case $s in
		log) page=ctx.7 ;;
		*) page=$(grep -o '^ctx-[a-z]*\(-files\)\?' <<<"$s") ;;
		esac
		# with and without hyphens, a word is one
		if [ ! -s "words.$page" ]; then
			mandoc -T ascii "$ROOT/man/$page"* | sed "s/.$(printf '\b')//g" >text
			{ cat text; tr - ' ' <text; } | tr -cs 'A-Za-z0-9_-' '\n' |
			    sed 's/^-*//; s/-*$//' | sort -u >"words.$page"
		fi
		# a member can also be named "properties"
		jq -r '.. | objects | .properties? // empty |
		    select(all(.[]; type == "object")) | keys[]' \
		    "$ROOT/tests/data/schemas/$s.json" | sort -u >members
		comm -23 members "words.$page" | sed "s/\$/ is not in $page/; s/^/$s: /"
	done <there >missing
	same missing /dev/null
}
