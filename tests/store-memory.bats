# ctx-store memory: what an agent knew at each turn.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }

@test "memory: what is remembered can be recalled, searched and summarized" {
	printf 'Files: [main.ts, utils.ts]\nState: {"initialized": true}\n' >1
	printf 'Files: [main.ts, utils.ts, benchmark.ts]\n\0\377' >2
	printf 'Files: [utils.ts]\n' >3
	printf 'more' >4
	store memory put S --turn 1 --summary '分析了代码库结构' \
	    --insight '3个模块' --insight 'main.ts是入口' <1
	store memory put S --turn 2 --summary '发现性能瓶颈' --link ctx_1 <2
	store memory put S --turn 3 --summary '实施了优化' 3 4
	exits 0 store memory get --summaries S
	wrote '[Turn 1] 分析了代码库结构' '[Turn 2] 发现性能瓶颈' \
	    '[Turn 3] 实施了优化'
	exits 0 store memory get --summaries --as message S
	wrote '{"role":"system","content":"[Turn 1] 分析了代码库结构\n[Turn 2] 发现性能瓶颈\n[Turn 3] 实施了优化"}'
	exits 0 store memory get S --turns 2
	same out 2
	cat 1 3 4 >want
	exits 0 store memory get S --turns 1,3-9
	same out want
	exits 0 store memory list S --match '性能'
	[ "$(jq -r .turn out)" = 2 ]
	exits 0 store memory list S --match 'BENCHMARK main'
	[ "$(jq -r .turn out)" = 2 ]
	exits 0 store memory list S
	[ "$(sed -n 1p out | jq -c .insights)" = '["3个模块","main.ts是入口"]' ]
	[ "$(sed -n 2p out | jq -c .links)" = '["ctx_1"]' ]
	exits 1 store memory get S --turns 7
	exits 1 store memory list S --match nothing
	exits 2 store memory get S --turns x
	exits 2 store memory get S
	# Storing the same again succeeds, other contents are refused; and
	# everything moves to another machine.
	exits 0 store memory put S --turn 2 --summary '发现性能瓶颈' --link ctx_1 <2
	exits 3 store memory put S --turn 2 --summary '发现性能瓶颈' <1
	store export >all
	exits 0 store --db b.db import all
	exits 0 store --db b.db memory get S --turns 2
	same out 2
	exits 0 store --db b.db export
	same out all
	exits 0 store check --full
	exits 0 store rm S
	exits 0 store check --full
}

# stored: what the file has, or the tables.
stored() {
	if [ -n "${CTX_TEST_PG:-}" ]; then
		source "$ROOT/tests/pg/names"
		name db
		PGOPTIONS=-cbytea_output=escape pg_dump -h "$CTX_TEST_PG" -U ctx \
		    -n "\"$NAME\"" postgres
	else
		sqlite3 db 'PRAGMA wal_checkpoint(truncate)' >made
		cat db
	fi
}

@test "memory: a large context that is stored at each turn costs what has changed" {
	seq 1 150000 >big	# 1 MB
	for i in $(seq 30); do
		edit "$((i * 4000))s/\$/ edited at turn $i/; ${i}i\\
inserted" big
		store memory put S --turn "$i" big
	done
	exits 0 store memory get S --turns 30
	same out big
	# 1 MB once, and an index of 150,000 words, whose parts SQLite merges at
	# some turn; then 32 KB for the pieces changed by the two edits of each
	# turn, and for the list of pieces
	if [ -n "${CTX_TEST_PG:-}" ]; then
		[ "$(sqlite3 db "SELECT sum(length(data)) FROM body")" -lt \
		    $((1200000 + 30 * 32768)) ]
	else
		[ "$(size_of db)" -lt $((4 * 1048576 + 30 * 32768)) ]
	fi
	# Each piece is indexed once, and is found in all memories that contain
	# it.
	exits 0 store memory list --match 'turn 77777' S
	[ "$(wc -l <out)" = 30 ]
	exits 0 store memory list --match '"edited at turn 29"' S
	[ "$(jq .turn out | tr '\n' ' ')" = '29 30 ' ]
}

@test "memory: insights can be options or a list" {
	store memory put S --turn 1 --insight 'a "b"' --insights '["c\n","\u4e2d"]' <<<x
	store memory put S --turn 2 --insights '[]' <<<x
	[ "$(store memory list S | jq -c .insights | tr '\n' ' ')" = \
	    '["a \"b\"","c\n","中"] null ' ]
	for bad in '' '{}' '[1]' '["a",null]' '["a"' 'x'; do
		exits 2 store memory put S --turn 3 --insights "$bad" <<<x
	done
}

# talk THREAD N: add N turns with a memory each.
talk() {
	local i

	for ((i = 1; i <= $2; i++)); do
		printf '{"role":"user","content":"question %s"}\n' "$i" |
		    store append "$1"
		printf 'state %s\n\0\377' "$i" >f
		store memory put "$1" --summary "summary $i" --insight "insight $i" \
		    --link "ctx_$((i - 1))" f
	done
}

@test "memory: it can be moved to another machine, with the conversation or without" {
	talk S 3
	talk other 1
	agent=$(store spawn S --task 'look' | jq -r .context_id)
	printf 'what the agent saw' | store memory put "S/$agent" --turn 1 --summary seen
	store export >all
	exits 0 store --db all.db import all
	exits 0 store --db all.db export
	same out all
	exits 0 store export --only memory S
	cp out memory
	head -n 1 memory >first
	[ "$(cat first)" = '{"row":"ctx-store","version":1,"only":"memory"}' ]
	lacks question memory
	exits 0 store --db b.db import memory
	exits 0 store --db b.db export --only memory
	same out memory
	exits 0 store --db b.db check --full
	for m in 'memory get S --turns 1-3' 'memory list S' 'memory get --summaries S' \
	    "memory get S/$agent --turns 1"; do
		# shellcheck disable=SC2086
		store $m >want
		exits 0 store --db b.db $m
		same out want
	done
	[ "$(store --db b.db load S | wc -l)" = 0 ]
	# importing it again changes nothing; the conversation continues with
	# the next turn
	exits 0 store --db b.db import memory
	exits 0 store --db b.db export --only memory
	same out memory
	echo '{"role":"user","content":"next"}' | store --db b.db append S
	[ "$(store --db b.db contexts S | sed -n 1p | jq .turn)" = 4 ]
	exits 0 store export --only memory
	[ "$(grep -c '"row":"thread"' out)" = 2 ]
}

@test "memory: an import adds to an existing thread, and changes nothing there" {
	talk S 2
	store export --only memory S >memory
	# a thread with this name and its own log, user and pin
	printf '{"role":"user","content":"mine"}\n' | store --db b.db append S
	echo '{"user_id":"me"}' | store --db b.db state merge S
	store --db b.db keep S
	store --db b.db threads >threads
	store --db b.db load S >log
	exits 0 store --db b.db import memory
	exits 0 store --db b.db load S
	same out log
	exits 0 store --db b.db threads
	same out threads
	[ "$(store --db b.db memory list S | wc -l)" = 2 ]
	exits 0 store --db b.db check --full
	# a memory with other contents or links is not overwritten
	store --db c.db memory put --name l --link a M <<<text
	exits 3 store --db c.db memory put --name l --link b M <<<text
	exits 3 store --db c.db memory put --name l M <<<text
	exits 3 store --db c.db memory put --name l --link a --link b M <<<text
	says '*already exists with other contents*'
	exits 0 store --db c.db memory put --name l --link a M <<<text
	store --db c.db memory put S --turn 2 --summary 'summary 2' <<<else
	store --db c.db export >before
	exits 3 store --db c.db import memory
	says '*already exists with other contents'
	exits 0 store --db c.db export
	same out before
	# first the memory, then everything, with a fork
	store fork S --name f \
	    --at "$(store checkpoint put S </dev/null | jq -r .checkpoint_id)"
	store memory put S -c f --turn 2 --summary forked <<<x
	store export --only memory S >memory
	store export S >all
	exits 0 store --db d.db import memory
	exits 0 store --db d.db check
	exits 0 store --db d.db export --only memory
	same out memory
	exits 0 store --db d.db import all
	exits 0 store --db d.db export
	same out all
	exits 0 store --db d.db check --full
	sed '$d' memory >cut
	exits 3 store --db e.db import cut
}

@test "memory: without --turn, each round is remembered as a turn" {
	local i

	# the result is the same for an empty log and for a task in a single
	# user message
	for log in empty one; do
		export CTX_DB=$T/$log
		[ $log = empty ] ||
		    echo '{"role":"user","content":"task"}' | store append S
		for i in 1 2 3; do
			echo "what round $i knew" >ctx_$i
			exits 0 store memory put --summary "round $i" S ctx_$i
			# a retry is not a new round
			exits 0 store memory put --summary "round $i" S ctx_$i
		done
		for i in 1 2 3; do
			exits 0 store memory get S --turns $i
			same out ctx_$i
		done
		exits 0 store memory list S
		jq -r '"\(.turn) \(.name) \(.summary)"' out >list
		printf '%s\n' '1 ctx_1 round 1' '2 ctx_2 round 2' \
		    '3 ctx_3 round 3' >want
		same list want
	done
	# the log's turn is used if it is greater
	for i in 2 3 4 5 6; do
		echo '{"role":"user","content":"more"}' | store append S
	done
	echo later | store memory put S
	exits 0 store memory get S --turns 6
	wrote later
	# several names can share a turn; with --turn, other contents are
	# refused
	echo plan | store memory put --name plan S
	exits 0 store memory get S --turns 6
	wrote later plan
	echo other | exits 3 store memory put --turn 6 S
	echo other | exits 3 store memory put --name plan S
}

@test "memory: rm removes a memory by name, and its words" {
	echo alpha beta | store memory put S --turn 1 --summary one
	echo alpha gamma | store memory put S --turn 2 --summary two --link ctx_1
	exits 1 store memory rm S ctx_9
	said "ctx-store memory rm: no such memory 'ctx_9'"
	exits 1 store memory rm S ctx_2 ctx_9
	exits 0 store memory list S
	[ "$(jq -r .name out)" = ctx_1 ]
	exits 0 store memory get S --turns 1-2
	wrote 'alpha beta'
	exits 1 store search --in memory gamma
	exits 0 store search --in memory alpha
	exits 0 store check --full
	# --match finds memories without --turns, and --summaries can select
	# turns
	echo epsilon | store memory put S --turn 3 --summary three
	exits 0 store memory get S --match epsilon
	wrote epsilon
	exits 1 store memory get S --summaries --match nothing
	silent
	exits 1 store memory get S --summaries --turns 999
	exits 0 store memory get S --summaries --turns 3
	wrote '[Turn 3] three'
}

@test "memory: put --replace corrects a memory, and the old one is gone" {
	echo 'the old giraffe' | store memory put --turn 2 --summary giraffe --link x S
	echo other | store memory put --turn 3 S
	echo 'the new okapi' >new
	exits 3 store memory put --turn 2 --summary okapi S new
	exits 0 store memory put --replace --turn 2 --summary okapi --link y S new
	exits 0 store memory get --turns 2 S
	same out new
	exits 0 store memory list S
	jq -c '[.turn,.summary,.links]' out >got
	printf '%s\n' '[2,"okapi",["y"]]' '[3,null,[]]' >want
	same got want
	exits 1 store search --in memory giraffe
	exits 0 store search --in memory okapi
	# no copy of it is left in the file
	stored >file
	has -qa okapi file
	lacks -qa 'old giraffe' file
	exits 0 store check --full
	# again, and one that does not exist yet
	exits 0 store memory put --replace --turn 2 --summary okapi --link y S new
	exits 0 store memory put --replace --turn 9 --name later S new
	exits 0 store memory list S
	[ "$(wc -l <out)" = 3 ]
	exits 2 store memory put --replace S new
	says '*--replace needs --name*'
}

@test "memory: put --replace by name takes the last of that name; turn 0 leaves other turns" {
	for t in 0 1 4; do
		echo "turn $t word$t" | store memory put --turn $t --name plan S
	done
	echo 'better word7' | store memory put --replace --name plan S
	exits 0 store memory get --turns 4 S
	wrote 'better word7'
	echo 'best word8' | store memory put --replace --name plan --turn 0 S
	exits 0 store memory get --turns 0-9 S
	wrote 'best word8' 'turn 1 word1' 'better word7'
	for w in word8 word1 word7; do
		exits 0 store search --in memory $w
	done
	for w in word0 word4; do
		exits 1 store search --in memory $w
	done
	exits 0 store check --full
}

@test "summary: put @N corrects a summary, and rm removes one" {
	echo '{"role":"user","content":"hi"}' | store append S
	for w in giraffe zebra; do
		echo "{\"summary\":\"$w\"}" | store summary put S
	done
	echo '{"role":"user","content":"more"}' | store append S
	echo '{"summary":"okapi"}' | exits 0 store summary put S @1
	exits 0 store summary list S
	jq -c '[.n,.upto_seq,.state.summary]' out >got
	printf '%s\n' '[1,1,"okapi"]' '[2,1,"zebra"]' >want
	same got want
	exits 1 store search --in summaries giraffe
	exits 0 store search --in summaries okapi
	echo '{"summary":"x"}' | exits 1 store summary put S @3
	said 'ctx-store summary put: no such summary'
	echo '[1]' | exits 3 store summary put S @1
	exits 2 store summary put S 1 </dev/null
	exits 0 store summary rm S @1
	exits 0 store summary get S
	wrote '{"summary":"zebra"}'
	exits 0 store check --full
	stored >file
	has -qa zebra file
	lacks -qaE '"(giraffe|okapi)"' file
}
