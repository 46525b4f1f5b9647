# ctx-store code extract and expand: take code out of answers and put it back.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }

# answer TEXT: print an assistant message with this text.
answer() { jq -cn --arg t "$1" '{role:"assistant",content:$t}'; }

# there_and_back: assert that expand undoes extract on the file `in`, byte for
# byte.
there_and_back() {
	exits 0 store code extract --replace S "$@" in
	quiet
	cp out refs
	exits 0 store code expand S "$@" refs
	quiet
	same out in
}

@test "extract: code_blocks of a structured answer keep the ids that the model gave" {
	# the answer in the seed document: its contents are kept and listed
	jq -cn '{role:"assistant",content:({final_report:"见 code_sales_analysis",
	    code_blocks:[
	    {code_id:"code_sales_analysis",language:"python",
	     description:"销售数据分析",code:"import csv\nprint(\"a\")\n"},
	    {code_id:"code_visualization_chart",language:"python",
	     description:"趋势图表",code:"# plot\n"},
	    {code_id:"code_report_template",language:"html",
	     description:"报告模板",code:"<p>\n"}]}|tojson)}' >in
	exits 0 store code extract S in
	quiet
	wrote \
	    '{"marker":"CODE_SAVED","code_id":"code_sales_analysis","language":"python","description":"销售数据分析","version":1}' \
	    '{"marker":"CODE_SAVED","code_id":"code_visualization_chart","language":"python","description":"趋势图表","version":1}' \
	    '{"marker":"CODE_SAVED","code_id":"code_report_template","language":"html","description":"报告模板","version":1}'
	exits 0 store code get S code_sales_analysis
	wrote 'import csv' 'print("a")'
	exits 0 store code list --as list S
	wrote '可用代码文件列表：' \
	    '- code_sales_analysis (python) - 销售数据分析' \
	    '- code_visualization_chart (python) - 趋势图表' \
	    '- code_report_template (html) - 报告模板' '' \
	    '你可以通过 <code_ref>{code_id}</code_ref> 标签在最终报告中引用这些代码。'
	there_and_back
	[ "$(jq -r '.content|fromjson|.code_blocks[0].code' refs)" = \
	    '<code_ref>code_sales_analysis</code_ref>' ]
}

@test "extract: code_blocks are found wherever an answer may have them" {
	cat >in <<-'END'
		{"role":"user","content":"{\"code_blocks\":[{\"code_id\":\"users\",\"code\":\"no\"}]}"}
		{"role":"assistant","content":"Here:\n```json\n{\"code_blocks\": [{\"code_id\": \"fenced\", \"code\": \"1\\n\"}]}\n```\n"}
		{"role":"assistant","content":"x","code_blocks":[{"code_id":"beside","language":"sql","code":"select 1"}]}
		{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"Answer","arguments":"{\"code_blocks\":[{\"code_id\":\"call\",\"code\":\"2\"}]}"}}]}
		{"role":"tool","tool_call_id":"c","content":"```python\nno\n```"}
		{"role":"assistant","content":"{\"answer\":{\"code_blocks\":[{\"code_id\":\"deep\",\"code\":\"3\"},{\"code_id\":\"none\"},7]}}"}
	END
	there_and_back
	[ "$(store code list S | jq -r .code_id | tr '\n' ' ')" = 'fenced beside call deep ' ]
	cat >in <<-'END'
		{"role":"user","content":"hi"}
		{"role":"assistant","content":[{"type":"text","text":"a\n```go\nx\n```"},{"type":"tool_use","id":"t","name":"Answer","input":{"code_blocks":[{"code_id":"object","code":"print(\"\u00e9\")"}]}}]}
	END
	exits 0 store code extract --replace S in
	[ "$(store code get S object)" = 'print("é")' ]
	[[ "$(cat out)" == *'"code":"<code_ref>object</code_ref>"'* ]]
}

@test "extract: fences of known languages get an id that depends only on the code" {
	answer $'Do:\n```python\n# load it\nprint(1)\n```\n\n1. then\n   ```bash\n   ls\n\n   pwd\n   ```\n~~~js\nx\n~~~\n```text\nno\n```\n```\nno\n```\n' >in
	exits 0 store code extract S in
	quiet
	[ "$(jq -c '[.language,.description]' out | tr '\n' ' ')" = \
	    '["python","load it"] ["bash",null] ["js",null] ' ]
	id=$(sed -n 2p out | jq -r .code_id)
	[ "$id" = "code_$(printf 'bash\0ls\n\npwd\n' | sha256sum | cut -c 1-16)" ]
	[ "$(store code get S "$id")" = $'ls\n\npwd' ]
	exits 0 store code extract --replace S in
	[[ "$(jq -r .content out)" == *"   <code_ref>$id</code_ref>"$'\n<code_ref>'* ]]
	[[ "$(jq -r .content out)" == *$'```text\nno\n```\n```\nno\n```' ]]
	exits 0 store code extract --any S in
	says "*language 'text' is not known; stored as python"
	[ "$(wc -l <out)" = 5 ]
	answer $'```python title=a.py\nx = 1' >in
	exits 0 store code extract S in
	silent
	says '*in: a fence is never closed; left unchanged'
}

@test "extract: expand restores the stream, whatever is around the code" {
	{
		answer $'a\n```python\nprint("\\n\\té 中文 😀")\n```\nb'
		answer $'````markdown\n```js\nx\n```\n````'
		answer $'1. x\n   ```sh\n   a\n\n     b\n   ```\n\t```c\n\ty\n\t```'
		answer $'```sql\n```'
		answer $'```c\r\nx\r\n```\r\n'
		answer $'no code <code_ref>{code_id}</code_ref>'
		printf '%s\n' '{ "role":"assistant", "n":1.10, "content":"\u4e2d\/\ud83d\ude00\n```r\nx <- 1\n```\n\ud800" , "z":1e400}' \
		    '{"type":"noise"}' '' \
		    '{"role":"assistant","content":"```go\n\"a\"\\\\\t\u0001\n```"}'
		printf '{"role":"assistant","content":"```css\\na{}\\n```"}'
	} >in
	there_and_back
	[ "$(grep -c '<code_ref>code_' refs)" = 8 ]
	# Extracting again changes nothing.
	exits 0 store code extract --replace S refs
	same out refs
	jq -c '{messages:[.]}' in | head -n 3 >conversations
	mv conversations in
	there_and_back
}

@test "extract: a stream that is read again, or grows, adds no versions twice" {
	block() { printf '{"code_blocks":[{"code_id":"a","code":"%s"}]}' "$1"; }
	for v in one two one; do answer "$(block $v)"; done >in
	head -n 2 in >start
	for i in 1 2; do
		exits 0 store code extract S start
		[ "$(jq .version out | tr '\n' ' ')" = '1 2 ' ]
	done
	for i in 1 2; do
		exits 0 store code extract S in
		[ "$(jq .version out | tr '\n' ' ')" = '1 2 3 ' ]
	done
	there_and_back
	[ "$(grep -o '<.*ref>' refs | tr '\n' ' ')" = \
	    '<code_ref>a@1</code_ref> <code_ref>a@2</code_ref> <code_ref>a</code_ref> ' ]
	# The last block is the newest version, even if an older one is equal.
	answer "$(block two)" >in
	there_and_back
	[ "$(store code get S a)" = two ]
	[ "$(store search --in code two | jq .version | head -n 1)" = \
	    "$(store code list S a | jq -s '.[-1].version')" ]
	# ... and it stays the newest when the stream is read again
	store code list S a >had
	for i in 1 2; do
		exits 0 store code extract S in
		exits 0 store code list S a
		same out had
	done
	exits 0 store check --full
}

@test "extract: ids and languages are data, not paths" {
	for id in ../x /etc/passwd a/b .x "$(printf 'a%.0s' $(seq 129))" 'a b' $'a\nb'; do
		jq -cn --arg id "$id" '{role:"assistant",
		    content:({code_blocks:[{code_id:$id,code:"x"}]}|tojson)}'
	done >in
	exits 3 store code extract --replace S in
	same out in
	says "*in: '../x' is not a valid id; left unchanged"
	jq -cn '{role:"assistant",
	    content:({code_blocks:[{code_id:"a\u0000b",code:"x"}]}|tojson)}' >in
	exits 3 store code extract --replace S in
	same out in
	[ -z "$(store code list S 2>/dev/null)" ]
	jq -cn '{role:"assistant",content:({code_blocks:[
	    {code_id:"a",language:"cobol",code:"x"},{code_id:"",code:"y"},
	    {code_id:7,language:[],description:{},code:"z"},
	    {code_id:"b",code:"a\u0000b"}]}|tojson)}' >in
	exits 0 store code extract S in
	says "*language 'cobol' is not known; stored as python"
	[ "$(jq -c '[.code_id[:5],.language]' out | sort -u | tr '\n' ' ')" = \
	    '["a","python"] ["b","python"] ["code_","python"] ' ]
	[ "$(store code get S b | od -An -tx1 | tr -d ' ')" = 610062 ]
	echo '{"role":"assistant","content":"{\"code_blocks\":"}' >in
	exits 0 store code extract S in
	silent
	printf '{"role":"assistant","content":"```c\\nx\\n```"}\n{oops\n' >in
	exits 3 store code extract S in
	[ "$(wc -l <out)" = 1 ]
	exits 2 store code extract
}

@test "expand: references in texts become fenced code; unknown ones stay and are named" {
	printf 'print(1)' | store code put S a
	printf '```\n' | store code put S b --syntax markdown
	echo two | store code put S a
	given <<-'END'
		{"role":"user","content":"use <code_ref>a@1</code_ref> here\u4e2d"}
		{"role":"assistant","content":"<code_ref>b</code_ref>\n  <code_ref>a</code_ref>\nend"}
		{"role":"tool","tool_call_id":"x","content":"<code_ref>a</code_ref>"}
	END
	wanted <<-'END'
		{"role":"user","content":"use \n```python\nprint(1)\n```\n here\u4e2d"}
		{"role":"assistant","content":"````markdown\n```\n````\n  ```python\n  two\n  ```\nend"}
		{"role":"tool","tool_call_id":"x","content":"<code_ref>a</code_ref>"}
	END
	becomes store code expand S
	given <<-'END'
		{"role":"assistant","content":"<code_ref>c</code_ref> <code_ref>a@9</code_ref> <code_ref>c</code_ref> <code_ref>../db</code_ref> <code_ref>{code_id}</code_ref> ```<code_ref>a@x</code_ref>"}
	END
	exits 1 store code expand S <in
	same out in
	said "ctx-store code expand: (standard input): no such code 'c'; left unchanged" \
	    "ctx-store code expand: (standard input): no such code 'a@9'; left unchanged" \
	    "ctx-store code expand: (standard input): no such code 'a@x'; left unchanged"
	# in a structured answer, code is inserted bare where a member expects
	# code
	given <<-'END'
		{"role":"assistant","content":"{\"final_report\":\"see\\n<code_ref>a</code_ref>\",\"code_blocks\":[{\"code\":\"<code_ref>a</code_ref>\"}],\"l\":[\"<code_ref>a@1</code_ref>\"]}"}
	END
	wanted <<-'END'
		{"role":"assistant","content":"{\"final_report\":\"see\\n```python\\ntwo\\n```\",\"code_blocks\":[{\"code\":\"two\\n\"}],\"l\":[\"```python\\nprint(1)\\n```\"]}"}
	END
	becomes store code expand S
	exits 1 store code expand nobody <in
	same out in
	exits 1 store --db none code expand S <in
}

@test "expand, list: very many versions take almost no time" {
	jq -cn '{role:"assistant",content:({code_blocks:[range(15000)|
	    {code_id:"a",code:"\(.)"}]}|tojson)}' >in
	exits 0 timeout "$DEADLINE" ctx-store code extract --replace S in
	cp out refs
	exits 0 timeout "$DEADLINE" ctx-store code expand S refs
	same out in
	exits 0 timeout "$DEADLINE" ctx-store code list S a
	[ "$(jq .version out | tail -n 1)" = 15000 ]
}

@test "expand: the length of a line is limited, however often it refers to large code" {
	head -c 90000000 /dev/zero | tr '\0' x | store code put S big
	jq -cn '{role:"user",content:({a:[range(50)|{code:
	    "<code_ref>big</code_ref>"}]}|tojson)}' >in
	exits 3 store code expand S in
	says '*with its code the line would be longer than 1073741824 bytes*'
}

@test "expand: logs are restored byte for byte" {
	# what the agents ran, in fences
	sed 's/<execute>/```sh/g; s/<\/execute>/```/g' \
	    "$DATA/logs/tasks.text.jsonl" >fenced
	for f in "${LOGS[@]}" fenced; do
		store code extract -q --replace S "$f" >refs
		store code expand -q S refs >out 2>err || :
		about "$f"
		same out "$f"
	done
	# the 64 calls of the tasks, see tests/data/logs/README.md
	[ "$(grep -o '<code_ref>' refs | wc -l)" -eq 64 ]
}

@test "extract, expand: a reader that closes the pipe is no error; no files are left" {
	answer $'```c\nx\n```' | tee one >in
	for i in $(seq 12); do cat in in >more; mv more in; done
	[ "$(store code extract S in 2>err | head -n 1 | jq -r .version)" = 1 ]
	[ ! -s err ]
	store code extract --replace S in 2>err | head -n 1 >out
	same out <(store code extract --replace S one)
	[ ! -s err ]
	store code expand S in 2>err | head -n 1 >out
	same out one
	[ ! -s err ]
	[ "$(echo db*)" = 'db db-lock' ]
}

@test "extract: the newest versions are also written as files" {
	answer $'```bash\nls\n```' >in
	for v in one two; do
		answer "{\"code_blocks\":[{\"code_id\":\"a\",\"code\":\"$v\"}]}"
	done >>in
	exits 0 store code extract --replace --workspace S in
	d=$(store workspace S)/data
	[ "$(cat "$d/a.py")" = two ]
	[ "$(cat "$d"/code_*.sh)" = ls ]
	[ "$(ls -A "$d" | wc -l)" = 2 ]
	exits 0 store code extract --out . S in
	[ "$(cat data/a.py)" = two ]
	[ "$(wc -l <out)" = 3 ]
	exits 4 store code extract --out nowhere S in
	exits 2 store code extract --out . --workspace S in
}

@test "extract: code is stored while the input waits" {
	mkfifo pipe
	store code extract S <pipe >out 3>&- &
	exec 9>pipe
	answer $'```c\nx\n```' >&9
	until_true [ -s out ]
	[ "$(jq -r .language out)" = c ]
	[ "$(store code list S | wc -l)" = 1 ]
	# other processes do not have to wait for it
	exits 0 store code put S other <<<x
	exec 9>&-
	wait
	exits 0 store check --full
}

@test "expand: texts and code_blocks are changed byte for byte, other members are not" {
	local r='<code_ref>a</code_ref>' f='```c\nA(\"\\n\");\n```'
	local c='A(\"\\n\");\n' i='```c\\nA(\\\"\\\\n\\\");\\n```'
	local ic='A(\\\"\\\\n\\\");\\n'

	printf 'A("\\n");\n' | store code put --syntax c S a >/dev/null
	# R: a reference that stays; F and C: one that becomes a block, or bare
	# code; IF and IC: the same in JSON in a string
	cat >table <<-'X'
	{"role":"assistant","note":"R","content":"F","x":{"text":"R"}}
	{"role":"user","content":"\u0041 F \ud83d\ude00","content_2":"R","n":1.10}
	{"content":"R","role":"assistant","content":"x R"}
	{"role":"assistant","content":[{"type":"text","x":"R","text":"F"},{"type":"text","text":"R","text":"y"}]}
	{"id":"R","role":"assistant","content":"F","name":"R"}
	{"role":"model","parts":[{"thought":true,"text":"R"},{"text":"F","x":"R"}]}
	{"type":"ai","data":{"content":"F","additional_kwargs":{"x":"R"}}}
	{"from":"gpt","value":"F","code":"R"}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"F","annotations":[{"text":"R"}]}]}
	{"role":"assistant","content":"{\"code\":\"IC\",\"n\":\"IF\",\"R\":[\"IF\"]}","code":"R"}
	{"role":"assistant","content":"x","meta":{"code_blocks":[{"code":"C","text":"R"},{"code":["R"]}],"code":"R"}}
	{"role":"assistant","content":"x","tool_calls":[{"id":"R","type":"function","function":{"name":"R","arguments":"{\"path\":\"R\",\"code\":\"R\",\"code_blocks\":[{\"code\":\"IC\",\"language\":\"R\"}],\"x\":[\"R\"]}"}}]}
	{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{"path":"R","code":"R","code_blocks":[{"code":"C"}]}}]}
	{"role":"tool","tool_call_id":"1","content":"R","code_blocks":[{"code":"R"}]}
	{"role":"system","content":"F"}
	X
	# in the third line, the last of equal members counts
	sed -i.old '3s/x R/x/' table
	python3 - table "$r" "$f" "$c" "$i" "$ic" <<-'X'
	import re, sys
	text = open(sys.argv[1]).read()
	r, f, c, i, ic = sys.argv[2:]
	into = {'R': r, 'F': f, 'C': c, 'IF': i, 'IC': ic}
	word = re.compile(r'(?<=["\\ ])(IF|IC|R|F|C)(?=["\\ ])|(?<=")(IF|IC|R|F|C)(?=\\")')
	open('given', 'w').write(word.sub(r.replace('\\', '\\\\'), text))
	open('wanted', 'w').write(word.sub(lambda m: into[m.group()], text))
	X
	sed -i.old 's/F \\ud83d/F \\ud83d/' given
	exits 0 store code expand S given
	quiet
	# a block between words gets lines of its own
	sed '2s/ ```c/ \\n```c/; 2s/```  *\\ud/```\\n \\ud/' wanted >want
	same out want
	[ "$(grep -o 'A(' out | wc -l)" -eq 15 ]
	[ "$(grep -o '<code_ref>a</code_ref>' out | wc -l)" -eq 28 ]
}
