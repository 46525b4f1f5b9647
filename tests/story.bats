# The two layers of an agent's context, as in the story of three turns in its
# document: the history, which is always kept, and the memory.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
	echo 'You are a code agent.' >system.txt
}

store() { ctx-store "$@"; }

# workspace TURN: write what the agent sees at a turn into w1, w2, w3.
workspace() {
	case $1 in
	1) printf '%s\n' 'Files: [main.ts, utils.ts, config.ts]' \
		'Content of main.ts: ...' 'Content of utils.ts: ...' \
		'State: { initialized: true }' ;;
	2) printf '%s\n' 'Files: [main.ts, utils.ts, config.ts, benchmark.ts]' \
		'Content of benchmark.ts: ...' \
		'State: { initialized: true, benchmarked: true }' ;;
	3) printf '%s\n' 'Files: [main.ts, utils.ts, config.ts, benchmark.ts]' \
		'Content of utils.ts: ... (已优化)' \
		'State: { initialized: true, benchmarked: true, optimized: true }' ;;
	esac >"w$1"
}

# history TURN: print the messages that it adds.
history() {
	case $1 in
	1) cat <<-'END'
		{"role":"user","content":[{"type":"text","text":"<task>分析代码</task>"}]}
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"search","input":{"q":"*.ts"}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"main.ts utils.ts config.ts"}]}
	END
		;;
	2) cat <<-'END'
		{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"read","input":{"path":"benchmark.ts"}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"slow: utils.ts"}]}
	END
		;;
	3) cat <<-'END'
		{"role":"assistant","content":[{"type":"tool_use","id":"t3","name":"edit","input":{"path":"utils.ts"}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t3","content":"ok"}]}
	END
		;;
	esac
}

# turn N SUMMARY [OPTION...]: add the agent's turn to both layers.
turn() {
	local n=$1 summary=$2

	shift 2
	workspace "$n"
	history "$n" | store append A --turn "$n" || return
	store memory put A --turn "$n" --summary "$summary" "$@" <"w$n"
}

# prompt WORKSPACE: print what the model gets, with the history cut to two
# messages after the user message with which it must begin.
prompt() {
	{ jq -cRs '{role:"system",content:.}' system.txt
	  store memory get --summaries --as message A
	  jq -cRs '{role:"system",content:.}' "$1"
	  store load A; } | ctx-clean | ctx-truncate -n 2
}

three_turns() {
	turn 1 '分析了代码库结构' --insight '3个模块' --insight 'main.ts是入口'
	turn 2 '发现性能瓶颈' --link ctx_1
	turn 3 '实施了优化' --link ctx_2
}

@test "story: three turns: each prompt has the summaries, the workspace, the history" {
	turn 1 '分析了代码库结构' --insight '3个模块' --insight 'main.ts是入口'
	exits 0 store memory get --summaries A
	wrote '[Turn 1] 分析了代码库结构'
	workspace 2
	exits 0 prompt w2
	quiet
	wanted <<-'END'
		{"role":"system","content":"You are a code agent.\n"}
		{"role":"system","content":"[Turn 1] 分析了代码库结构"}
		{"role":"system","content":"Files: [main.ts, utils.ts, config.ts, benchmark.ts]\nContent of benchmark.ts: ...\nState: { initialized: true, benchmarked: true }\n"}
		{"role":"user","content":[{"type":"text","text":"<task>分析代码</task>"}]}
		{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"search","input":{"q":"*.ts"}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"main.ts utils.ts config.ts"}]}
	END
	same out want
	turn 2 '发现性能瓶颈' --link ctx_1
	exits 0 store memory get --summaries A
	wrote '[Turn 1] 分析了代码库结构' '[Turn 2] 发现性能瓶颈'
	workspace 3
	exits 0 prompt w3
	wanted <<-'END'
		{"role":"system","content":"You are a code agent.\n"}
		{"role":"system","content":"[Turn 1] 分析了代码库结构\n[Turn 2] 发现性能瓶颈"}
		{"role":"system","content":"Files: [main.ts, utils.ts, config.ts, benchmark.ts]\nContent of utils.ts: ... (已优化)\nState: { initialized: true, benchmarked: true, optimized: true }\n"}
		{"role":"user","content":[{"type":"text","text":"<task>分析代码</task>"}]}
		{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"read","input":{"path":"benchmark.ts"}}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"slow: utils.ts"}]}
	END
	same out want
	turn 3 '实施了优化' --link ctx_2
	exits 0 store memory get --summaries A
	wrote '[Turn 1] 分析了代码库结构' '[Turn 2] 发现性能瓶颈' \
	    '[Turn 3] 实施了优化'
	# the history is complete, whatever the prompts contained
	for n in 1 2 3; do history "$n"; done >all
	exits 0 store load A
	same out all
	exits 0 store load A --turns 2
	same out <(history 2)
}

@test "story: what was known at a turn is recalled completely, and found by words" {
	three_turns
	# the document's recall_context({ turnNumbers: [2] })
	exits 0 store memory get A --turns 2
	quiet
	same out w2
	cat w1 w3 >want
	exits 0 store memory get A --turns 1,3
	same out want
	exits 0 store memory list A
	jq -c '[.turn,.name,.summary,.insights,.links]' out >rows
	given <<-'END'
		[1,"ctx_1","分析了代码库结构",["3个模块","main.ts是入口"],[]]
		[2,"ctx_2","发现性能瓶颈",null,["ctx_1"]]
		[3,"ctx_3","实施了优化",null,["ctx_2"]]
	END
	same rows in
	for words in '瓶颈 2' 'benchmarked 2,3' '入口 1' 'utils.ts 1,2,3' \
	    '已优化 3'; do
		exits 0 store memory list A --match "${words% *}"
		[ "$(jq .turn out | paste -sd,)" = "${words#* }" ]
	done
	exits 1 store memory get A --turns 4
	exits 1 store memory list A --match 数据库
}

@test "story: the memory is used in the next session and on another machine" {
	three_turns
	store export --only memory A >saved
	export CTX_DB=$T/other
	exits 0 store import saved
	exits 0 store export --only memory A
	same out saved
	exits 0 store memory get --summaries A
	wrote '[Turn 1] 分析了代码库结构' '[Turn 2] 发现性能瓶颈' \
	    '[Turn 3] 实施了优化'
	for n in 1 2 3; do
		exits 0 store memory get A --turns "$n"
		same out "w$n"
	done
	exits 0 store load A
	silent
	# the document's await agent.start('继续之前的工作')
	echo '{"role":"user","content":"继续之前的工作"}' | store append A
	store memory put A --summary '继续' <w3
	exits 0 store memory get --summaries A
	[ "$(tail -n 1 out)" = '[Turn 4] 继续' ]
}

@test "story: each layer works without the other" {
	three_turns
	store load A >all
	# without memory: the same history, and no summaries in the prompt
	export CTX_DB=$T/plain
	store append A <all
	exits 0 store load A
	same out all
	exits 0 store memory get --summaries A
	silent
	quiet
	exits 0 store memory get --summaries --as message A
	silent
	workspace 1
	exits 0 prompt w1
	[ "$(wc -l <out)" = 5 ]
	exits 1 store memory get A --turns 1
	# without history: memories can still be recalled
	export CTX_DB=$T/memory
	store memory put B --turn 7 --summary only <w1
	exits 0 store memory get B --turns 7
	same out w1
	exits 0 store load B
	silent
	exits 0 store check --full
}

# The model in the page's example: it finishes in round $DONE and numbers its
# answers.
ask() {
	local n

	cp /dev/stdin "asked-$(($(cat rounds 2>/dev/null || echo 0) + 1))"
	n=$(($(cat rounds 2>/dev/null || echo 0) + 1))
	echo "$n" >rounds
	jq -cn --argjson n "$n" --argjson done "$DONE" '{role:"assistant",
	    content:({done:($n == $done),summary:"分析了代码库结构，发现3个模块 \($n)",
	    insights:["3个模块","main.ts是入口"]}|tojson)}'
}

@test "story: at most five rounds of thought end in a summary and insights" {
	mandoc -T ascii -O width=1000 "$ROOT/man/ctx-store-memory.1" |
	    sed -n '/^ *reflect() {/,/^ *}$/p' >reflect
	# shellcheck disable=SC1091
	. ./reflect
	workspace 1
	workspace 2
	echo 'Think; answer with JSON.' >prompt.txt
	DONE=3 reflect A 1 w1
	[ "$(cat rounds)" = 3 ]
	exits 0 store memory get A --turns 1
	same out w1
	exits 0 store memory list A
	[ "$(jq -c '[.summary,.insights]' out)" = \
	    '["分析了代码库结构，发现3个模块 3",["3个模块","main.ts是入口"]]' ]
	# each round sees the rounds before it; the next turn sees the summary
	[ "$(wc -l <asked-1)" = 1 ]
	[ "$(wc -l <asked-3)" = 5 ]
	rm rounds
	DONE=9 reflect A 2 w2
	[ "$(cat rounds)" = 5 ]
	[ "$(head -n 1 asked-1 | jq -r .content)" = \
	    '[Turn 1] 分析了代码库结构，发现3个模块 3' ]
	exits 0 store memory get --summaries A
	wrote '[Turn 1] 分析了代码库结构，发现3个模块 3' \
	    '[Turn 2] 分析了代码库结构，发现3个模块 5'
}
