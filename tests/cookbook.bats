# Run the pipelines of ctx-cookbook(7), as printed there, on the examples in the
# documents that describe the agents; the results must be those in the
# documents.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/t.db
	mkdir kitchen
	cd kitchen
}

# recipe SECTION N: print the Nth literal block in a section of the page.
recipe() {
	awk -v s=".Ss $1" -v n="$2" '/^\.S[sh]/ { on = $0 == s }
		/^\.Bd/ { k += on; block = on && k == n; next }
		/^\.Ed/ { block = 0 }
		block' "$ROOT/man/ctx-cookbook.7" | sed 's/\\e/\\/g' >"$T/recipe"
	[ -s "$T/recipe" ] || { echo "no recipe $2 in $1" >&2; return 1; }
	cat "$T/recipe"
}

# cook SECTION N: run it.
cook() { bash -o pipefail -ec "$(recipe "$1" "$2")"; }

# keep FILE...: make these messages the whole of session S.
keep() {
	ctx-store rm S 2>/dev/null || :
	cat "$@" | ctx-store append S
}

# say ROLE TEXT [TOKENS]: print a message, padded to cost that many tokens.  What the
# last such text costs is known; the role makes no difference.
say() {
	local fill=''

	if [ $# -gt 2 ]; then
		if [ "$2" != "${COSTED-}" ]; then
			COST=$(say "$1" "$2" | ctx-count | awk '{ print $1 }')
			COSTED=$2
		fi
		printf -v fill '%*s' $(($3 - COST)) ''
		fill=${fill// / a}
	fi
	printf '{"role":"%s","content":"%s%s"}\n' "$1" "$2" "$fill"
}

# speak N ...: say, as the user if N is even and as the assistant if it is odd.
speak() {
	local role=user

	if (($1 % 2)); then role=assistant; fi
	say $role "${@:2}"
}

# call ID TOOL ARGUMENTS, result ID TEXT: print them as in OpenAI's API.
call() {
	printf '{"role":"assistant","content":"","tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}\n' \
	    "$1" "$2" "${3//\"/\\\"}"
}
result() { printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$1" "$2"; }

# talk FROM TO: print alternating messages; even numbers are the user's.
talk() {
	local i

	for ((i = $1; i <= $2; i++)); do
		speak "$i" "idx $i"
	done
}

lines() { wc -l <"$1"; }

# valid FILE...: assert that the requests (openai.json and so on) are valid for
# their APIs.
valid() {
	local f

	command -v python3 >/dev/null || return 0
	for f in "$@"; do
		python3 "$ROOT/tests/validate.py" \
		    "$(basename "$f" .json)" --request <"$f" ||
		    { cat "$f"; return 1; }
	done
}

@test "cookbook: a policy is one pipeline of at most six commands" {
	for s in AgentGraph 'Window and progressive summary' BeamAI BA-Agent \
	    'Two-layer memory'; do
		recipe "$s" 1 | tr '|{}' '\n' | grep -cE '^[[:space:]]*(ctx-|cat|tee)' >n
		[ "$(cat n)" -ge 3 ] && [ "$(cat n)" -le 6 ] ||
		    { echo "$s: $(cat n)"; false; }
	done
}

# --- AgentGraph (its MAX_MESSAGE_HISTORY is 10 here, 40 by default) ----------------

@test "cookbook: AgentGraph: the window keeps system messages and whole groups" {
	say system 'You are AgentGraph.' >prompt.jsonl
	# In the document, the example of 50 messages keeps message 2, a call,
	# without its result (3), which an API refuses.  Here both are dropped.
	{
		say system 'idx 0'
		say user 'idx 1'
		call call_1 search '{}'
		result call_1 'idx 3'
		talk 4 49
	} >50.jsonl
	keep 50.jsonl
	export MAX_MESSAGE_HISTORY=10
	cook AgentGraph 1 >got
	{ cat prompt.jsonl; head -n 1 50.jsonl; tail -n 10 50.jsonl; } >want
	same got want
	# with a result in the window, its call outside of it is kept
	{
		say system 'idx 0'
		talk 1 38
		call call_1 search '{}'
		result call_1 'idx 40'
		talk 41 49
	} >50.jsonl
	keep 50.jsonl
	cook AgentGraph 1 >got
	{ cat prompt.jsonl; head -n 1 50.jsonl; tail -n 11 50.jsonl; } >want
	same got want
	grep -q call_1 got
}

@test "cookbook: AgentGraph: an interrupted call is not sent" {
	say system 'You are AgentGraph.' >prompt.jsonl
	{
		call call_123 search '{}'
		say user 'Actually, nevermind'
	} >in
	keep in
	cook AgentGraph 1 >got
	{ cat prompt.jsonl; say user 'Actually, nevermind'; } >want
	same got want
	# the document's rule drops the answered call too but keeps its result;
	# here the answered half is kept
	printf '%s\n' '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"cat","arguments":"{}"}}]}' >in
	{ result a x; say user 'Actually, nevermind'; } >>in
	keep in
	cook AgentGraph 1 >got
	{
		cat prompt.jsonl
		call a ls '{}'
		result a x
		say user 'Actually, nevermind'
	} >want
	same got want
}

@test "cookbook: AgentGraph: keeping 40 of 50 messages of 200 tokens saves 20 %" {
	: >prompt.jsonl
	for i in {0..49}; do
		speak "$i" a 200
	done >in
	[ "$(ctx-count <in | awk '{ print $1 }')" = 10000 ]
	keep in
	cook AgentGraph 1 | ctx-count >got
	[ "$(awk '{ print $1, $2 }' got)" = '8000 40' ]
	for n in 9 101 x; do
		MAX_MESSAGE_HISTORY=$n exits 2 cook AgentGraph 1
		says "ctx-truncate: MAX_MESSAGE_HISTORY*"
	done
	MAX_MESSAGE_HISTORY=20 cook AgentGraph 1 >got
	[ "$(lines got)" = 20 ]
}

@test "cookbook: AgentGraph: long results, images, and a document sent twice" {
	local wen head long

	: >prompt.jsonl
	wen=$(printf '文%.0s' {1..1101})
	long=$(printf '长%.0s' {1..2000})
	head=$(printf '文%.0s' {1..1000})
	{
		say user '把 PDF 转成图片'
		call call_1 read_file '{"path":"skills/pdf/SKILL.md"}'
		result call_1 "$wen"
		say assistant '转换完成！'
		printf '{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}\n'
		say assistant '一张图'
		for i in 1 2; do
			call doc_$i read_file '{"path":"paper.txt"}'
			result doc_$i "$long"
		done
		say user '基于之前的文档，分析...'
	} >in
	keep in
	cook AgentGraph 1 >got
	{
		head -n 2 in
		result call_1 "$head\\n... (truncated, 1101 chars total)"
		say assistant '转换完成！'
		printf '{"role":"user","content":[{"type":"text","text":"[image/png, 8 bytes, left out]"}]}\n'
		say assistant '一张图'
	} >want
	head -n 6 got >first
	same first want
	# the long document is sent once, and a reference to it after that
	[ "$(grep -c '长\\n... (truncated, 2000 chars total)"' got)" = 1 ]
	[ "$(grep -c 'same text as sent before: sha256:[0-9a-f]*, 2000 chars' got)" = 1 ]
	tail -n 1 in | cmp - <(tail -n 1 got)
}

@test "cookbook: AgentGraph: the status line" {
	talk 0 41 >in
	keep in
	ctx-store workspace S >dir
	exits 0 cook AgentGraph 2
	wrote 'Session: S' 'Messages: 42 / 40 (max)' "Workspace: $(cat dir)"
	said 'ctx-store status: 42 of 40 messages; older ones will be cut from requests'
}

@test "cookbook: AgentGraph: a subagent with 17 messages, 3 of which the session sees" {
	{
		say user '把 PDF 转成图片'
		call call_1 call_subagent '{"task":"read the skill"}'
	} >in
	keep in
	for i in {1..7}; do
		call "c$i" read_file '{}'
		result "c$i" 'SKILL.md'
	done >work.jsonl
	{ say assistant '...'; say assistant '转换完成，输出在 outputs/'; } >>work.jsonl
	cook AgentGraph 3
	ctx-store load S >got
	[ "$(lines got)" = 3 ]
	ctx-store contexts S | grep -o '"context_id":"subagent-[0-9a-f]*"' |
	    cut -d '"' -f 4 >id
	[ "$(lines id)" = 1 ]
	{
		cat in
		result call_1 "{\\\"ok\\\":true,\\\"result\\\":\\\"转换完成，输出在 outputs/\\\",\\\"context_id\\\":\\\"$(cat id)\\\",\\\"loops\\\":0}"
	} >want
	same got want
	ctx-store load "S/$(cat id)" >got
	{ say user 'read the skill'; cat work.jsonl; } >want
	same got want
	[ "$(lines got)" = 17 ]
}

@test "cookbook: AgentGraph: above 100 messages, the older half is summarized" {
	talk 0 99 >in
	keep in
	cook AgentGraph 4 | cmp - in
	{ talk 0 101; } >in
	keep in
	cook AgentGraph 4 >got
	[ "$(lines got)" -ge 51 ]
	[ "$(lines got)" -le 53 ]
	tail -n 50 in | cmp - <(tail -n 50 got)
	head -n 1 got | grep -q '\[Context: Summary of earlier conversation ('
}

# --- token-aware window and progressive summary -----------------------------------

plan='Window and progressive summary'

@test "cookbook: memory plan: the budget is 73142 tokens; folding begins above 80 % of it" {
	say user a >one
	exits 0 env CONTEXT_WINDOW_TOKENS=128000 ctx-truncate -v one
	says '*budget 73142 tokens'
	exits 0 ctx-truncate -v -m gpt-4o one
	says '*budget 73142 tokens'
	# 40 turns; 0.8 * 73142 is 58513.6
	{
		say user 'classId is class-7B.' 1500
		for i in {1..38}; do
			speak "$i" a 1500
		done
		say assistant a 13
	} >in
	[ "$(ctx-count <in | awk '{ print $1 }')" = 58513 ]
	keep in
	cook "$plan" 1
	head -n 39 in | cmp - history.jsonl
	{ head -n 39 in; say assistant a 14; } >in2
	keep in2
	SUMMARIZATION_TRIGGER_RATIO=1 cook "$plan" 1
	head -n 39 in | cmp - history.jsonl
	# the newest ones within 29256 tokens: 14 + 19 * 1500; 14 + 20 * 1500 is
	# too much
	cook "$plan" 1
	grep -q '"summarized_turn_count":20' S.state
	grep -q '"upto":20,' S.state
	sed -n '21,39p' in | cmp - <(tail -n 19 history.jsonl)
	[ "$(lines history.jsonl)" = 21 ]
	head -n 1 history.jsonl | grep -qF '{"role":"user","content":"[Context: Summary of earlier conversation (20 turns)]:\n'
	head -n 1 history.jsonl | grep -q class-7B
	sed -n 2p history.jsonl >got
	say assistant 'Understood. I have the context from our earlier conversation.' >want
	same got want
	cp S.state first.state
	cook "$plan" 2
	cmp S.state first.state
	# the router gets the summary and the newest turns, all of them whole,
	# in 8000 tokens
	head -n 1 router.txt >got
	echo '[Earlier conversation summary (20 turns)]:' >want
	same got want
	[ "$(ctx-count --text router.txt | awk '{ print $1 }')" -le 8000 ]
	grep -c '^USER: a\|^ASSISTANT: a' router.txt >n
	sum=$(grep -o '"summary_token_count":[0-9]*' S.state | tr -dc 0-9)
	grep -m 1 '^USER: a' router.txt | ctx-count --text | awk '{ print $1 }' >cost
	[ "$(cat n)" = $(((8000 - sum) / $(cat cost))) ]
	# the same history needs no new summary; a longer one is merged with the
	# old summary
	cook "$plan" 1
	cmp S.state first.state
	for i in {40..63}; do
		speak "$i" a 1500
	done | ctx-store append S
	cook "$plan" 1
	grep -o '"summarized_turn_count":[0-9]*' S.state | tr -dc 0-9 >n
	[ "$(cat n)" -gt 20 ]
	head -n 1 history.jsonl | grep -qF "summary of earlier conversation ($(cat n) turns)" ||
	    head -n 1 history.jsonl | grep -qF "Summary of earlier conversation ($(cat n) turns)"
	head -n 1 history.jsonl | grep -q class-7B
	ctx-store load S | sed -n "$(($(cat n) + 1)),63p" |
	    cmp - <(tail -n +3 history.jsonl)
}

@test "cookbook: memory plan: the text for the router" {
	{
		say user '[Context: Summary of earlier conversation (12 turns)]:\n老师选择了 7B 班。'
		say assistant 'Understood. I have the context from our earlier conversation.'
		say user '分析作业'
		call c1 build_workflow '{}'
		result c1 done
		say assistant '完成了。'
		say user 'now'
	} >in
	keep in
	cook "$plan" 1
	cat >want <<-'X'
	[Earlier conversation summary (12 turns)]:
	老师选择了 7B 班。

	USER: 分析作业
	ASSISTANT: [build_workflow]
	ASSISTANT: 完成了。
	X
	same router.txt want
	head -n 6 in | cmp - history.jsonl
}

@test "cookbook: memory plan: no summary with fewer than 6 turns or if the model fails" {
	for _ in 1 2 3 4 5; do
		say user a 14000
	done >in
	keep in
	cook "$plan" 1
	head -n 4 in | cmp - history.jsonl
	for _ in 1 2; do
		say user a 14000
	done | ctx-store append S
	SUMMARIZATION_MODEL=qwen-turbo CTX_SUMMARIZE_URL=http://127.0.0.1:1 \
	    exits 5 cook "$plan" 1
	[ ! -e S.state ] || [ ! -s S.state ]
	# the window is applied nevertheless
	ctx-store load S | sed -n '2,6p' | cmp - history.jsonl
}

# --- two tracks --------------------------------------------------------------------

@test "cookbook: BeamAI: above 30 messages or 3000 tokens, keep the last 20 within 4000" {
	{ say system 'You are BeamAI.'; talk 0 29; } >in
	keep in
	cook BeamAI 1
	ctx-store load S --view messages | cmp - in
	talk 30 31 | ctx-store append S
	cook BeamAI 1
	ctx-store load S >full
	ctx-store load S --view messages >got
	[ "$(lines full)" = 33 ]
	head -n 1 in | cmp - <(head -n 1 got)
	tail -n 20 full | cmp - <(tail -n 20 got)
	sed -n 2p got | grep -q 'Summary of earlier conversation (12 turns)'
	[ "$(lines got)" -le 23 ]
	# above 3000 tokens
	{ say system 'You are BeamAI.'; for i in {0..23}; do
		speak "$i" a 150
	done; } >in
	keep in
	cook BeamAI 1
	ctx-store load S | cmp - in
	ctx-store load S --view messages >got
	tail -n 20 in | cmp - <(tail -n 20 got)
	exits 0 ctx-count --max 4000 got
	# never above 4000, whatever is in the window
	for i in {0..31}; do
		speak "$i" "Look at class 7B, student s20$i." 300
	done >in
	keep in
	cook BeamAI 1
	ctx-store load S --view messages >got
	exits 0 ctx-count --max 4000 got
	tail -n 10 in | cmp - <(tail -n 10 got)
	# what does not fit was folded, not dropped
	sed -n 1p got | grep -q 'Summary of earlier conversation (22 turns)'
	[ "$(lines got)" -le 12 ]
	for i in {0..9}; do
		speak "$i" "Look at class 7B, student s20$i." \
		    $((i == 9 ? 410 : 405))
	done >in
	exits 0 ctx-count --max 4055 in
	keep in
	cook BeamAI 1
	ctx-store load S --view messages >got
	exits 0 ctx-count --max 4000 got
	tail -n 6 in | cmp - <(tail -n 6 got)
	sed -n 1p got | grep -q 'Summary of earlier conversation (4 turns)'
}

@test "cookbook: BeamAI: new messages are added to both tracks; the full one is restored" {
	talk 0 31 >in
	keep in
	cook BeamAI 1
	ctx-store load S --view messages >before
	{ call c1 search '{}'; result c1 ok; } >new.jsonl
	cook BeamAI 2
	ctx-store load S | cmp - <(cat in new.jsonl)
	ctx-store load S --view messages | cmp - <(cat before new.jsonl)
	echo '{"iteration":3}' | ctx-store checkpoint put S --id c >/dev/null
	say assistant later | ctx-store append S
	ctx-store load S --at c | cmp - <(cat in new.jsonl)
}

# --- files and code -----------------------------------------------------------------

# The document's files: 150 lines of Python, 5000 rows of CSV, 2.5KB of JSON.
files() {
	{
		for f in load_data clean_data visualize; do
			printf 'def %s():\n    pass\n\n' $f
		done
		for i in {10..150}; do
			echo "print($i)"
		done
	} >sales_analysis.py
	{
		echo date,product,amount,region
		for i in {1..5000}; do
			echo "2026-01-01,p$i,$i,north"
		done
	} >data.csv
	printf '{"config":"%s","data":[],"options":{}}' \
	    "$(printf 'x%.0s' {1..2522})" >chart_result.json
}

# text FILE: print it as the contents of a JSON string.
text() { sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/$/\\n/' "$1" | tr -d '\n'; }

reads() {
	say user '请分析销售数据'
	call call_read_file_1 file_reader '{"path":"sales_analysis.py"}'
	result call_read_file_1 "$(text sales_analysis.py)"
	call call_read_file_2 fetch '{"path":"data.csv"}'
	result call_read_file_2 "$(text data.csv)"
	call call_3 read_file '{"path":"chart_result.json"}'
	result call_3 "$(text chart_result.json)"
	say assistant '分析完成。'
}

# The code and the uploads in the document.
code() {
	echo x | ctx-store code put S code_sales_analysis --syntax python --desc 销售数据分析
	echo x | ctx-store code put S code_visualization_chart --syntax python --desc 趋势图表
	echo x | ctx-store code put S code_report_template --syntax html --desc 报告模板
	ctx-store upload put S --store-only data.csv
} >/dev/null

code_list='{"role":"system","content":"可用代码文件列表：\n- code_sales_analysis (python) - 销售数据分析\n- code_visualization_chart (python) - 趋势图表\n- code_report_template (html) - 报告模板\n\n你可以通过 <code_ref>{code_id}</code_ref> 标签在最终报告中引用这些代码。"}'
upload_list='{"role":"system","content":"可用上传文件列表：\n- data.csv (CSV, 5000行, 列: date, product, amount, region)\n\n你可以通过 <file_ref>{file_id}</file_ref> 标签在最终报告中引用这些文件。"}'

@test "cookbook: BA-Agent: a request has the documented order and the exact lines" {
	files
	say system '结构化响应系统提示' >prompt.jsonl
	say user '请在报告中引用代码' >question.jsonl
	reads | keep
	code
	cook BA-Agent 1 >got
	{
		say user '请分析销售数据'
		call call_read_file_1 file_reader '{"path":"sales_analysis.py"}'
		result call_read_file_1 '[文件已读取] sales_analysis.py (python, 150行, 函数: load_data, clean_data, visualize)'
		call call_read_file_2 fetch '{"path":"data.csv"}'
		result call_read_file_2 '[文件已读取] data.csv (CSV, 5000行, 列: date, product, amount, region)'
		call call_3 read_file '{"path":"chart_result.json"}'
		result call_3 '[文件已读取] chart_result.json (JSON, 2.5KB, 键: config, data, options)'
		say assistant '分析完成。'
		cat prompt.jsonl
		printf '%s\n' "$code_list" "$upload_list"
		cat question.jsonl
	} >want
	same got want
	# without code and files, a session has no lists
	say user hi >in
	keep in
	cook BA-Agent 1 >got
	cat in prompt.jsonl question.jsonl >want
	same got want
}

@test "cookbook: BA-Agent: above 20 messages, keep system messages and the last 5" {
	files
	say system '结构化响应系统提示' >prompt.jsonl
	say user '请在报告中引用代码' >question.jsonl
	{ say system 'the first'; talk 2 20; } >in
	keep in
	code
	# system messages are not counted here: 19 messages and the question are
	# 20
	cook BA-Agent 1 >got
	{ cat in prompt.jsonl; printf '%s\n' "$code_list" "$upload_list"
	    cat question.jsonl; } >want
	same got want
	say assistant 'idx 21' | ctx-store append S
	cook BA-Agent 1 >got
	{
		say system 'the first'
		talk 18 21
		cat prompt.jsonl
		printf '%s\n' "$code_list" "$upload_list"
		cat question.jsonl
	} >want
	same got want
}

@test "cookbook: BA-Agent: the code in an answer is kept, listed and shown" {
	say user '分析' >in
	keep in
	cat >response.json <<-'X'
	{"choices":[{"message":{"role":"assistant","content":"{\"report\":\"见 <code_ref>code_sales_analysis</code_ref>\",\"code_blocks\":[{\"code_id\":\"code_sales_analysis\",\"language\":\"python\",\"description\":\"销售数据分析\",\"code\":\"print(1)\\n\"},{\"code_id\":\"code_q\",\"language\":\"cobol\",\"code\":\"DISPLAY 1.\"}]}"}}]}
	X
	exits 0 cook BA-Agent 2
	says "*language 'cobol' is not known; stored as python"
	ctx-store load S >got
	{
		cat in
		say assistant '{\"report\":\"见 <code_ref>code_sales_analysis</code_ref>\",\"code_blocks\":[{\"code_id\":\"code_sales_analysis\",\"language\":\"python\",\"description\":\"销售数据分析\",\"code\":\"<code_ref>code_sales_analysis</code_ref>\"},{\"code_id\":\"code_q\",\"language\":\"cobol\",\"code\":\"<code_ref>code_q</code_ref>\"}]}'
	} >want
	same got want
	ctx-store code list S --as list >got
	printf '%s\n' 可用代码文件列表： \
	    '- code_sales_analysis (python) - 销售数据分析' '- code_q (python)' '' \
	    '你可以通过 <code_ref>{code_id}</code_ref> 标签在最终报告中引用这些代码。' >want
	same got want
	cook BA-Agent 3 >got
	say assistant '{\"report\":\"见 \\n```python\\nprint(1)\\n```\",\"code_blocks\":[{\"code_id\":\"code_sales_analysis\",\"language\":\"python\",\"description\":\"销售数据分析\",\"code\":\"print(1)\\n\"},{\"code_id\":\"code_q\",\"language\":\"cobol\",\"code\":\"DISPLAY 1.\"}]}' >want
	same got want
}

@test "cookbook: BA-Agent: digests save what the document's table says" {
	: >prompt.jsonl
	: >question.jsonl
	while read -r rounds files tokens least; do
		python3 "$ROOT/tests/gen_reads.py" \
		    "$rounds" "$files" "$tokens" >in
		keep in
		before=$(ctx-count <in | awk '{ print $1 }')
		# the recipe's --when-messages 20 would cut too; measure what
		# digests save alone
		after=$(ctx-store load S |
		    ctx-digest-files --lang zh --id-prefix call_read_file_ |
		    ctx-count | awk '{ print $1 }')
		[ $(((before - after) * 100 / before)) -ge "$least" ]
		[ "$(cook BA-Agent 1 | ctx-count | awk '{ print $1 }')" -le "$after" ]
	done <<-'X'
	5 3 6000 75
	10 5 12000 83
	X
}

@test "cookbook: reads by id: what the store knows of code and uploads is said" {
	code='def load_data(path):\n    return open(path).read()\n\n\ndef clean_data(rows):\n    return [r for r in rows if r]\n'
	{
		call a get_code '{"code_id":"code_17"}'
		result a "$code"
		call b read_file '{"file_id":"sales.xlsx"}'
		result b "$(printf '2026-01-%d 10\\n' $(seq 10 31))"
		say assistant seen
	} >in
	keep in
	printf '%b' "$code" | ctx-store code put --syntax python S code_17 >/dev/null
	cp "$DATA"/digest/sales.xlsx .
	ctx-store upload put S sales.xlsx >up
	cook 'Reads by id' 1 >got
	[ "$(jq -r 'select(.tool_call_id == "a").content' got)" = \
	    '[file read] code_17 (python, 6 lines, functions: load_data, clean_data)' ]
	[ "$(jq -r 'select(.tool_call_id == "b").content' got)" = \
	    "[file read] $(jq -r .digest up)" ]
}

# --- two layers ---------------------------------------------------------------------

@test "cookbook: two-layer memory: three turns, their summaries, recalling one of them" {
	say system 'You are an agent.' >prompt.jsonl
	turn() {
		printf '%s\n' "$3" >workspace.txt
		printf '%s\n' "$2" | ctx-store append S
		ctx-store memory put S --turn "$1" --summary "$4" workspace.txt
		cp workspace.txt "ctx_$1"
	}
	turn 1 '{"role":"user","content":[{"type":"text","text":"<task>分析代码</task>"}]}
{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"search","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"..."}]}' \
	    'Files: [main.ts, utils.ts, config.ts]
Content of main.ts: ...
Content of utils.ts: ...
State: { initialized: true }' 分析了代码库结构
	turn 2 '{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"read","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"..."}]}' \
	    'Files: [main.ts, utils.ts, config.ts, benchmark.ts]
Content of benchmark.ts: ...
State: { initialized: true, benchmarked: true }' 发现性能瓶颈
	turn 3 '{"role":"assistant","content":[{"type":"tool_use","id":"t3","name":"edit","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t3","content":"..."}]}' \
	    'Files: [main.ts, utils.ts, config.ts, benchmark.ts]
Content of utils.ts: ... (已优化)
State: { initialized: true, benchmarked: true, optimized: true }' 实施了优化
	cook 'Two-layer memory' 1 >got
	{
		cat prompt.jsonl
		say system '[Turn 1] 分析了代码库结构\n[Turn 2] 发现性能瓶颈\n[Turn 3] 实施了优化'
		printf '{"role":"system","content":"%s"}\n' \
		    'Files: [main.ts, utils.ts, config.ts, benchmark.ts]\nContent of utils.ts: ... (已优化)\nState: { initialized: true, benchmarked: true, optimized: true }'
		ctx-store load S
	} >want
	same got want
	[ "$(lines got)" = 10 ]
	for t in openai anthropic gemini; do
		ctx-convert -q --to $t --request -m m got >$t.json
	done
	valid openai.json anthropic.json gemini.json
	# the document's recall_context({ turnNumbers: [2] })
	recipe 'Two-layer memory' 2 | tail -n 1 >again
	bash again | cmp - ctx_2
	ctx-store memory get S --turns 1-3 | cmp - <(cat ctx_1 ctx_2 ctx_3)
	# the history alone, without a memory (E7)
	ctx-store memory get --summaries S --as text >sums
	[ "$(lines sums)" = 3 ]
	# the memory on another machine
	ctx-store export S | ctx-store --db other.db import
	ctx-store --db other.db memory get S --turns 2 | cmp - ctx_2
	# what the page's example stores for a turn
	for i in 2 3 4; do say user "$i"; done | ctx-store append S
	cook 'Two-layer memory' 2 >got
	ctx-store memory list S | grep -q '"insights":\["utils.ts is slow"\]'
}

# --- the whole build -----------------------------------------------------------------

# A session in Anthropic's format, and what its application stores besides it.
session() {
	cat >in <<-'X'
	{"role":"user","content":"Which region sold most?"}
	{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read_file","input":{"path":"data.csv"}}]}
	{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"date,product,amount,region\n2026-01-01,p1,1,north\n2026-01-01,p2,2,south\n2026-01-01,p3,3,south\n2026-01-01,p4,4,south\n"}]}
	{"role":"assistant","content":[{"type":"text","text":"South."}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"toolu_2","name":"chart","input":{}}]}
	X
	keep in
	echo x | ctx-store code put S code_chart --syntax python --desc 'trend chart' >/dev/null
	printf 'date,product,amount,region\n1,2,3,4\n' >data.csv
	ctx-store upload put S --store-only data.csv >/dev/null
	printf 'You are an analyst.\nAnswer with "JSON".\n' >prompt.txt
	echo '画一张图, please.' >question.txt
	export CTX_LANG=en
}

# send DIALECT: run the page's command for this API.
send() {
	recipe Send 1 | sed "s/--to anthropic/--to $1/" >cmd
	bash -o pipefail -e cmd
	cat request.json
}

@test "cookbook: the whole build: four requests, byte for byte, in D3's order" {
	session
	cook Build 1
	for t in openai openai-responses anthropic gemini; do
		send $t >$t.json
	done
	cat >want.openai <<-'X'
	{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"Which region sold most?"},{"role":"assistant","content":null,"tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"data.csv\"}"}}]},{"role":"tool","tool_call_id":"toolu_1","content":"[file read] data.csv (CSV, 4 rows, columns: date, product, amount, region)"},{"role":"assistant","content":"South."},{"role":"system","content":"You are an analyst.\nAnswer with \"JSON\"."},{"role":"system","content":"CODE"},{"role":"system","content":"FILES"},{"role":"user","content":"画一张图, please."}],"tools":[{"type":"function","function":{"name":"read_file","parameters":{"type":"object"}}}]}
	X
	cat >want.openai-responses <<-'X'
	{"model":"claude-sonnet-4-5","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Which region sold most?"}]},{"type":"function_call","call_id":"toolu_1","name":"read_file","arguments":"{\"path\":\"data.csv\"}"},{"type":"function_call_output","call_id":"toolu_1","output":"[file read] data.csv (CSV, 4 rows, columns: date, product, amount, region)"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"South.","annotations":[]}]},{"type":"message","role":"system","content":[{"type":"input_text","text":"You are an analyst.\nAnswer with \"JSON\"."}]},{"type":"message","role":"system","content":[{"type":"input_text","text":"CODE"}]},{"type":"message","role":"system","content":[{"type":"input_text","text":"FILES"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"画一张图, please."}]}],"tools":[{"type":"function","name":"read_file","strict":false,"parameters":{"type":"object"}}]}
	X
	cat >want.anthropic <<-'X'
	{"model":"claude-sonnet-4-5","system":[{"type":"text","text":"You are an analyst.\nAnswer with \"JSON\"."},{"type":"text","text":"CODE"},{"type":"text","text":"FILES"}],"messages":[{"role":"user","content":"Which region sold most?"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read_file","input":{"path":"data.csv"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"[file read] data.csv (CSV, 4 rows, columns: date, product, amount, region)"}]},{"role":"assistant","content":[{"type":"text","text":"South."}]},{"role":"user","content":"画一张图, please."}],"tools":[{"name":"read_file","input_schema":{"type":"object"}}],"max_tokens":4096}
	X
	cat >want.gemini <<-'X'
	{"systemInstruction":{"parts":[{"text":"You are an analyst.\nAnswer with \"JSON\"."},{"text":"CODE"},{"text":"FILES"}]},"contents":[{"role":"user","parts":[{"text":"Which region sold most?"}]},{"role":"model","parts":[{"functionCall":{"id":"toolu_1","name":"read_file","args":{"path":"data.csv"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"toolu_1","name":"read_file","response":{"output":"[file read] data.csv (CSV, 4 rows, columns: date, product, amount, region)"}}}]},{"role":"model","parts":[{"text":"South."}]},{"role":"user","parts":[{"text":"画一张图, please."}]}],"tools":[{"functionDeclarations":[{"name":"read_file","description":"","parametersJsonSchema":{"type":"object"}}]}]}
	X
	for t in openai openai-responses anthropic gemini; do
		sed 's|CODE|Code files available:\\n- code_chart (python) - trend chart\\n\\nIn the final report, the tag <code_ref>{code_id}</code_ref> refers to this code.|
		    s|FILES|Uploaded files available:\\n- data.csv (CSV, 1 row, columns: date, product, amount, region)\\n\\nIn the final report, the tag <file_ref>{file_id}</file_ref> refers to these files.|' \
		    want.$t >want
		about $t
		same $t.json want
		valid $t.json
	done
}

# answer TEXT, ask ID: print a text, or a call, as this API returns it.
answer() {
	case $api in
	openai) echo '{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"'"$1"'","refusal":null},"finish_reason":"stop"}],"usage":{"total_tokens":9}}' ;;
	openai-responses) echo '{"object":"response","error":null,"output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"'"$1"'","annotations":[]}]}]}' ;;
	anthropic) echo '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"'"$1"'"}],"stop_reason":"end_turn","usage":{"input_tokens":9}}' ;;
	gemini) echo '{"candidates":[{"content":{"parts":[{"text":"'"$1"'"}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":9}}' ;;
	esac
}
ask() {
	case $api in
	openai) echo '{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"'"$1"'","type":"function","function":{"name":"chart","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}' ;;
	openai-responses) echo '{"output":[{"type":"function_call","id":"fc_1","call_id":"'"$1"'","name":"chart","arguments":"{}","status":"completed"}]}' ;;
	anthropic) echo '{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"'"$1"'","name":"chart","input":{}}],"stop_reason":"tool_use"}' ;;
	gemini) echo '{"candidates":[{"content":{"parts":[{"functionCall":{"id":"'"$1"'","name":"chart","args":{}},"thoughtSignature":"c2ln"}],"role":"model"},"finishReason":"STOP"}]}' ;;
	esac
}

@test "cookbook: the whole build: rounds with each API, and each request reproduced" {
	for api in openai openai-responses anthropic gemini; do
		session
		cook Build 1
		send $api >1.json
		ctx-store load S --view request >1.view
		[ "$(lines 1.view)" = 8 ]
		# the model asks for a tool first
		ask call_7 >response.json
		cook Answer 1
		result call_7 'a chart' | ctx-store append S --view request
		send $api >2.json
		cp 2.json $api.json
		valid $api.json
		ctx-store load S --view request | head -n 8 | cmp - 1.view
		grep -q 'a chart' 2.json
		[ $api != gemini ] || grep -q '"thoughtSignature":"c2ln"' 2.json
		answer 'Here it is.' >response.json
		ctx-convert --from response response.json |
		    ctx-store append S --view request
		# the log has the old messages, the question, the call, the
		# result and the answer
		ctx-store load S >log
		head -n 5 in | cmp - <(head -n 5 log)
		[ "$(lines log)" = 9 ]
		sed -n 6p log | cmp - <(say user '画一张图, please.')
		sed -n 9p log | cmp - <(say assistant 'Here it is.')
		# the next request has all of these, with the new question last
		echo 'Thanks.' >question.txt
		cook Build 1
		send $api >$api.json
		valid $api.json
		for w in 'South.' '画一张图, please.' 'a chart' 'Here it is.' \
		    'Thanks.'; do
			grep -qF "$w" $api.json || { echo "$api: no $w"; false; }
		done
		ctx-store load S --view request >view
		[ "$(lines view)" = 12 ]
		sed -n 8p view | cmp - <(say assistant 'Here it is.')
		# the requests are reproduced byte for byte
		recipe Replay 1 | sed "s/--to anthropic/--to $api/" >again
		bash again >got
		same got 1.json
		ctx-store view list S request | head -n 1 |
		    grep -q '"version":1,.*"upto_seq":5,'
		# the question is message 6 of the log; the call and its result
		# follow
		sed 's/--until-seq 5/--until-seq 8/' again >second
		bash second | cmp - 2.json
	done
}

@test "cookbook: the whole build: an answer in which the API refused is not stored" {
	session
	cook Build 1
	echo '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}' >response.json
	ctx-store load S >before
	exits 5 cook Answer 1
	says '*: error: the API reported: overloaded_error: Overloaded; a retry may help'
	ctx-store load S | cmp - before
	ctx-store load S --view request >view
	[ "$(lines view)" = 8 ]
}

# begun: what the pipelines need besides a session, which has no message.
begun() {
	ctx-store rm S 2>/dev/null || :
	cook Begin 1
	for f in prompt workspace; do echo "This is the $f." >$f.txt; done
	echo 'Hello?' >question.txt
	say system 'This is the prompt.' >prompt.jsonl
	say user 'Hello?' >question.jsonl
}

@test "cookbook: the first turn: the whole build, with each API" {
	for api in openai openai-responses anthropic gemini; do
		begun
		cook Build 1
		ctx-store load S --view request >view
		{ cat prompt.jsonl; say user 'Hello?'; } >want
		same view want
		send $api >$api.json
		valid $api.json
		grep -qF 'Hello?' $api.json
		answer 'Good day.' >response.json
		cook Answer 1
		ctx-store load S >log
		{ say user 'Hello?'; say assistant 'Good day.'; } >want
		same log want
		# and the second turn
		echo 'What now?' >question.txt
		cook Build 1
		send $api >$api.json
		valid $api.json
		for w in 'Hello?' 'Good day.' 'What now?'; do
			grep -qF "$w" $api.json || { echo "$api: no $w"; false; }
		done
	done
}

@test "cookbook: the first turn: each agent's pipelines, without a message" {
	begun
	for r in 'AgentGraph 1' 'AgentGraph 2' 'AgentGraph 4' \
	    'Window and progressive summary 1' 'Window and progressive summary 2' \
	    'BeamAI 1' 'BA-Agent 1' 'BA-Agent 3' 'Two-layer memory 1'; do
		about "$r"
		exits 0 cook "${r% *}" "${r##* }"
	done
	ctx-store load S --view messages >view
	[ ! -s view ]
	exits 1 ctx-store summary get S
	# a summary that is kept comes back
	for i in $(seq 12); do speak "$i" "idx $i" 5200; done | ctx-store append S
	cook 'Window and progressive summary' 1
	cook 'Window and progressive summary' 2
	cp S.state was
	cook 'Window and progressive summary' 3
	same S.state was
	grep -q '"summary":' was
}

@test "cookbook: a command that fails stops the build" {
	session
	cook Build 1
	ctx-store view list S request >views
	rm -f request.jsonl request.json
	recipe Build 1 | sed 's/load S/load X/' >build
	exits 1 bash -o pipefail build
	says "ctx-store load: no such thread 'X'*"
	[ ! -s request.jsonl ]
	for f in prompt question; do
		mv $f.txt gone
		recipe Build 1 >build
		exits 4 bash -o pipefail build
		says "ctx-store load: $f.txt: no such file"
		[ ! -s request.jsonl ]
		mv gone $f.txt
	done
	ctx-store view list S request | cmp - views
	# the same for what is cut away altogether
	recipe Build 1 | sed 's/gpt-4o/gpt-4o -t 10/' >build
	exits 1 bash -o pipefail build
	ctx-store view list S request | cmp - views
	# the send that follows has nothing to send
	recipe Send 1 | sed 's/load S/load X/' >send
	exits 1 bash -o pipefail send
}

@test "cookbook: every request of an agent's rounds is valid" {
	exits 0 python3 "$BATS_TEST_DIRNAME/rounds.py" "$BUILD" 4
	# six agents, with two requests a round
	[ "$(awk 'NR > 1 && !/:/ { print $(NF - 3), $(NF - 2) }' "$T/out" |
	    sort -u)" = '8 0' ]
	[ "$(lines "$T/out")" = 8 ]
	[ "$(tail -n 1 "$T/out")" = 'rounds: 48 requests, 0 faulty' ]
}

@test "cookbook: a misspelt session is the status of every pipeline" {
	begun
	say user 'one' | ctx-store append S
	for s in AgentGraph 'Window and progressive summary' BeamAI BA-Agent \
	    'Two-layer memory'; do
		about "$s"
		recipe "$s" 1 | sed 's/load S/load X/' >pipeline
		exits 1 bash -o pipefail pipeline
		says "*no such thread 'X'*"
	done
	for p in 's/code list S/code list X/' 's/upload list S/upload list X/'; do
		recipe BA-Agent 1 | sed "$p" >pipeline
		exits 1 bash -o pipefail pipeline
	done
	recipe 'Two-layer memory' 1 | sed 's/--summaries S/--summaries X/' >pipeline
	exits 1 bash -o pipefail pipeline
}

# serve: start a stand-in for the four APIs, which ends with the test.
serve() {
	mkfifo life
	python3 "$ROOT/tests/stub/loopd.py" requests <life >port 3>&- &
	exec 9>life
	until_true [ -s port ]
	port=$(<port)
	mkdir tools
	printf '#!/bin/sh\nprintf "files of "; cat\n' >tools/ls
	printf '#!/bin/sh\necho "no such file" >&2; exit 1\n' >tools/cat
	chmod +x tools/*
	echo '[{"name":"ls","input_schema":{"type":"object"}},{"name":"cat","input_schema":{"type":"object"}}]' >tools.json
	echo 'Content-Type: application/json' >headers
	echo 'What is here?' >question.txt
}

# loop API PATH: run the loop against it.
loop() {
	API=$1 MODEL=m PAUSE=0 URL=http://127.0.0.1:$port/$1/$2 \
	    cook Loop 1 >loop.out 2>loop.err || { cat loop.err; fail "it ends"; }
}

@test "cookbook: the whole build: the loop, with each API" {
	local how

	[ "$(recipe Loop 1 | wc -l)" -le 40 ]
	serve
	for api in openai openai-responses anthropic gemini; do
		for how in plain busy cut; do
			in_turn 2 4 || continue
			about $api $how
			ctx-store rm S 2>/dev/null || :
			rm -f requests
			loop $api $how
			# the text was shown, and is the end of the log
			has '^Let me look.$' loop.err
			has '^Got files of {"path": "."} and no such file.$' loop.err
			ctx-store load S >log
			has -F 'Got files of {\"path\": \".\"} and no such file.' log
			exits 1 ctx-convert --to calls log
			exits 0 ctx-clean --check log
			if [ $how = plain ]; then
				[ "$(lines requests)" -eq 2 ]
			else
				[ "$(lines requests)" -eq 3 ]
			fi
			tail -n 1 requests >$api.json
			valid $api.json
			has '"input_tokens":9,"output_tokens":5' usage.jsonl
			# a log of one API goes on with another
			for to in openai openai-responses anthropic gemini; do
				ctx-convert -q --to $to --request -m m log >$to.json
				valid $to.json
			done
		done
	done
	exec 9>&-
}

@test "cookbook: the whole build: a long session stays within the window" {
	# 129771 tokens, see tests/data/logs/README.md
	keep "$DATA/logs/audit.openai.jsonl"
	echo 'You are an analyst.' >prompt.txt
	echo 'And now?' >question.txt
	cook Build 1
	ctx-store load S --view request >view
	# 73142 tokens for messages other than system messages
	grep -v '"role":"system"' view | ctx-count >n
	[ "$(awk '{ print $1 }' n)" -le 73142 ]
	[ "$(awk '{ print $1 }' n)" -gt 30000 ]
	exits 0 ctx-clean --check view
	tail -n 2 view | cmp - <(say system 'You are an analyst.'; say user 'And now?')
	for t in openai openai-responses anthropic gemini; do
		send $t >$t.json
		valid $t.json
	done
}

@test "cookbook: two-layer memory: rounds within one message are recalled by their number" {
	say user 'find the bottleneck' | ctx-store append S
	for i in 1 2; do
		echo "workspace of round $i" >workspace.txt
		cook 'Two-layer memory' 2 >got || true
	done
	ctx-store memory get S --turns 2 | cmp - workspace.txt
	same got workspace.txt
}

@test "cookbook: the prompt cache: it is kept, guarded and measured" {
	local n guards=0

	: >before.jsonl
	# a request after every second round, some of which clear old results
	for n in 100 104 108 112 116; do
		head -n $n "$DATA/logs/mend.openai.jsonl" >upto
		keep upto
		cook 'Keep the cache' 1
		exits 0 ctx-clean --check --keep-pending now.jsonl
		if cook 'Guard the cache' 1 >row 2>said; then
			guards=$((guards + 1))
		else
			grep -q 'tokens are common, but --min needs' said
		fi
		mv now.jsonl before.jsonl
	done
	# the first has nothing before it
	[ $guards -ge 1 ]
	[ $guards -lt 5 ]
	keep "$DATA/logs/research.anthropic.jsonl"
	ln -s "$ROOT/tests" tests
	cook 'Measure the cache' 1 >table
	[ "$(lines table)" = 5 ]
	# one request for each of its answers
	n=$(grep -c '"role":"assistant"' log.jsonl)
	grep -q "^| .ctx-clean --clear-results=3. | $n | .* | .* % | .* | .* | .* |" table
}

@test "cookbook: the prompt cache: a map of the tree comes first and stays" {
	mkdir src
	printf 'def load(path):\n    return path\n' >src/a.py
	keep "$DATA/logs/mend.openai.jsonl"
	cook 'Map the tree' 1
	head -n 1 now.jsonl >first
	echo '{"role":"system","content":"src/\n a.py\n  def load(path)"}' >want
	same first want
	mv now.jsonl before.jsonl
	echo '# a comment about load' >>src/a.py
	cook 'Map the tree' 1
	same now.jsonl before.jsonl
	rm -r src
	if cook 'Map the tree' 1; then fail "no tree"; fi
}

# script SECTION N NAME: make the recipe a program in the PATH.
script() {
	mkdir -p bin
	recipe "$1" "$2" >"bin/$3"
	chmod +x "bin/$3"
	export PATH="$PWD/bin:$PATH"
}

@test "cookbook: lean output: the status is that of the command, its output is leaner" {
	local n

	cd "$T"
	script 'Lean output' 1 lean
	for n in 0 1 7 126; do
		exits $n lean "echo out; echo err >&2; exit $n"
		printf 'out\nerr\n' >want
		same out want
		[ ! -s err ]
	done
	# shellcheck disable=SC2016
	exits 143 lean 'kill $$'
	exits 0 lean 'printf "%s" "it'\''s \"x\""'
	printf "it's \"x\"" >want
	same out want
	echo input >in
	exits 0 lean cat <in
	same out in
	exits 3 lean 'seq 1 9000; exit 3'
	head -n 1 out | grep -qx 1
	tail -n 1 out | grep -qx 9000
	grep -q 'truncated, 43892 chars total' out
	# if it cannot be made smaller, the status is still that of the command
	printf '#!/bin/sh\nexit 4\n' >bin/ctx-clean
	chmod +x bin/ctx-clean
	exits 5 lean 'exit 5'
}

@test "cookbook: agent hook: what is documented comes in, and a command goes out" {
	script 'Lean output' 1 lean
	script 'Agent hook' 1 lean-hook
	cat >claude <<-'EOT'
	{"session_id":"abc123","transcript_path":"/x.jsonl","cwd":"/srv","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make test && echo \"it's\"","description":"Run the tests","timeout":120000},"tool_use_id":"toolu_01"}
	EOT
	lean-hook <claude >out
	cat >want <<-'EOT'
	{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"its output is made smaller","updatedInput":{"command":"lean 'make test && echo \"it'\\''s\"'","description":"Run the tests","timeout":120000}}}
	EOT
	same out want
	# the new command does what the old one did
	printf 'test:\n\t@echo tested\n' >Makefile
	bash -c "$(jq -r .hookSpecificOutput.updatedInput.command out)" >got
	printf "tested\nit's\n" >want
	same got want
	cat >gemini <<-'EOT'
	{"session_id":"abc123","transcript_path":"/x.json","cwd":"/srv","hook_event_name":"BeforeTool","timestamp":"2026-01-06T10:00:00.000Z","tool_name":"run_shell_command","tool_input":{"command":"npm test","description":"Run the tests"}}
	EOT
	lean-hook <gemini >out
	cat >want <<-'EOT'
	{"hookSpecificOutput":{"tool_input":{"command":"lean 'npm test'"}}}
	EOT
	same out want
	# others are not touched
	echo '{}' >want
	for c in 'ls -l' 'makefile' 'cd x && make' "lean 'make test'" ''; do
		jq -c --arg c "$c" '.tool_input.command = $c' claude |
		    lean-hook >out
		same out want
	done
	jq -c '.tool_input.run_in_background = true' claude | lean-hook >out
	same out want
	jq -c 'del(.tool_input.command)' claude | lean-hook >out
	same out want
	# the settings are JSON
	for n in 2 3; do
		recipe 'Agent hook' $n | jq -e '.hooks[][0].hooks[0].command ==
		    "lean-hook"'
	done
}
# aged TEXT...: turns of a call each, with these results
aged() {
	local n=0 text

	for text; do
		n=$((n + 1))
		say user "q$n"
		call "c$n" read '{}'
		result "c$n" "$text"
		say assistant "a$n"
	done
}

@test "cookbook: the ages of results: OpenCode, OpenAI's agents SDK, AI SDK" {
	# a word is a token, as is a space
	big=$(printf 'a %.0s' $(seq 30000))
	words=$(printf '%s' "$big" | ctx-count --text | awk '{ print $1 }')
	[ "$words" -gt 20100 ]
	[ "$words" -lt 40000 ]
	aged "$big" "$big" x >log
	keep log
	cook OpenCode 1 >out
	same out log
	aged "$big" "$big" "$big" "$big" >log
	keep log
	cook OpenCode 1 >out
	aged "[tool result cleared: ${#big} chars]" "$big" "$big" "$big" >want
	same out want
	long=$(printf '%0600d' 0)
	aged "$long" "$long" "$long" | tee log >/dev/null
	keep log
	cook "OpenAI's agents SDK" 1 >out
	aged "$(printf '%0500d' 0)\n... (truncated, 600 chars total)" "$long" \
	    "$long" >want
	same out want
	cook 'AI SDK' 1 >out
	{
		say user q1; say assistant a1
		say user q2; say assistant a2
		aged x x "$long" | tail -n 4
	} >want
	same out want
}
