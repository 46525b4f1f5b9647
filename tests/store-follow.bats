# ctx-store export --follow | ctx-store import --follow: a store that has what
# another one has, whatever happens between them.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/a CTX_WORKSPACES=$T/w
}

teardown() {
	[ -z "${pids:-}" ] || kill -9 $pids 2>/dev/null || true
}

b() { ctx-store --db "$T/b" "$@"; }

# exported COMMAND...: the output of its export.  On a server, threads come in the order
# in which they are made, which is not that of the store that is followed.
exported() {
	if [ -n "${CTX_TEST_PG:-}" ]; then
		"$@" export | grep -v '^{"row":"end"' | sort
	else
		"$@" export
	fi
}

# same_stores: assert that both stores export the same bytes.
same_stores() {
	exported ctx-store >one
	exported b >two
	cmp one two || fail "the stores differ after: ${1:-}"
}

# step: let b follow a up to now, in one go.
step() {
	b import --position | ctx-store export --position - >unit || fail export
	exits 0 ctx-store --db b import -q --follow unit
}

# What writes to a store, one line each: it is followed, or says why not.
changes() {
	cat <<'X'
append S <<<'{"id":"m1","role":"user","content":"one"}'
append S <<<'{"role":"assistant","content":"```python\nprint(1)\n```"}'
append --view v S <<<'{"role":"user","content":"two"}'
append --view v S <<<'{"role":"user","content":"three"}'
append --user ann T <<<'{"role":"user","content":"hers"}'
append T long
new empty
view put S w <first
view put S w <first
view put S other <first
view rm S w@1
view rm S v
checkpoint put --id one --meta '{"by":"me"}' S <<<'{"step":1}'
checkpoint put --id two S <<<'{"step":2,"same":"contents"}'
checkpoint put --id three S <<<'{"step":3}'
checkpoint rm S two
state put S <<<'{"at":"five"}'
checkpoint put --id five --state S
state put S <<<'{"at":"six"}'
fork --at five --state --head --name back S
fork --at one --head --name try S
append S <<<'{"role":"user","content":"on the fork"}'
append -c main S <<<'{"role":"user","content":"on main"}'
state put S <<<'{"a":1,"b":"x"}'
state merge S <<<'{"a":2}'
state merge S <<<'{"a":1}'
state put -c main S k <<<'"of the context"'
state merge S <<<'{"user_id":"bob"}'
state merge --user ann <<<'{"theme":"dark","n":1.50}'
state merge --user cleo <<<'{"theme":"light"}'
state merge --user ann <<<'{"theme":"light"}'
state rm S b
state rm --user ann --level user T n
state rm --user cleo
summary put -c main S <<<'{"summary":"so far","summary_token_count":2,"summarized_turn_count":1,"upto":2,"upto_sha256":"0"}'
summary put -c main S <<<'{"summary":"and on","summary_token_count":2,"summarized_turn_count":1,"upto":2,"upto_sha256":"0"}'
summary put -c main S @1 <<<'{"summary":"mended","summary_token_count":2,"summarized_turn_count":1,"upto":2,"upto_sha256":"0"}'
summary rm -c main S @1
memory put --turn 1 --summary 'turn one' --insight 'x is y' S long
memory put --turn 2 --name later --link ctx_1 S first
memory put --turn 1 --replace --name ctx_1 --summary 'turn 1' S first
memory rm S later
code put --syntax python --desc 'prints' S code_1 <first
code put --syntax python S code_1 <long
code extract S <first
code rm S code_1
upload put S first
upload put --store-only S long
upload rm S first
spawn --as name --task 'look at it' S
finish --failed --result no S/$(agent)
rm -c try~2 X
rm -c $(agent) S
workspace S
keep T
keep --off T
import -q other
import -q --from langgraph lg
import -q other
reindex
vacuum
migrate
prune --older-than 1d --checkpoints
rm T
prune --older-than 1s --keep-last 3
append T <<<'{"role":"user","content":"the same name"}'
append U <<<'{"role":"user","content":"the same number"}'
rm T U
rm --user bob
append T <<<'{"role":"user","content":"again"}'
X
}

agent() { ctx-store contexts S | jq -r 'select(.kind == "subagent") | .context_id'; }

# files that the changes need
prepare() {
	printf '%s\n' '{"role":"user","content":"one"}' >first
	printf '{"role":"tool","content":"%06000d katy"}\n' 7 >long
	ctx-store --db o append -q A <<<'{"role":"user","content":"elsewhere"}'
	ctx-store --db o checkpoint put A <<<'{"x":1}' >/dev/null
	ctx-store --db o state merge -q --user dan <<<'{"d":1}'
	ctx-store --db o export >other
	ctx-store --db o2.sqlite checkpoint put L <<<'{"y":1}' >/dev/null
	ctx-store --db o2.sqlite export -q --to langgraph lg L
	ctx-store append -q X first
	ctx-store checkpoint put --id c X <<<'{}' >/dev/null
	ctx-store fork --at c --name try~2 X >/dev/null
}

# change LINE: make one of the changes.
change() {
	local line=$1

	# which a server does not do
	[[ $line != *--from\ langgraph* || -z ${CTX_TEST_PG:-} ]] || return 0
	# `keep` has its own word for the opposite
	eval "ctx-store $line" >/dev/null 2>err || fail "$line: $(cat err)"
}

@test "follow: whatever changes a store changes the one that follows it" {
	prepare
	step
	same_stores start
	while read -r line; do
		change "$line"
		step
		same_stores "$line"
	done < <(changes)
	exits 0 ctx-store --db b check --full
	# What did not change is not sent again.
	step
	[ "$(wc -l <unit)" = 2 ]
	# The index of the other store finds what it has, and not what is gone.
	b reindex -q
	exits 0 ctx-store --db b search again
	exits 1 ctx-store --db b search hers
	exits 1 ctx-store --db b search prints --in all
}

@test "follow: every command that writes is among these changes" {
	local read='load search relevant embed threads users contexts status
	    checkpoint:get checkpoint:list checkpoint:diff view:get view:list
	    state:get summary:get summary:list memory:get memory:list code:get
	    code:list code:expand upload:get upload:list export recover check
	    backup'

	each=$(store_commands)
	[ "$(wc -l <<<"$each")" -gt 50 ]
	while read -r cmd; do
		if [[ " $(echo $read) " = *" ${cmd// /:} "* ]]; then
			continue
		fi
		changes | grep -q "^$cmd " || changes | grep -qx "$cmd" ||
		    fail "ctx-store $cmd"
	done <<<"$each"
}

@test "follow: a step sends what changed, not the whole thread or its contents" {
	prepare
	for i in $(seq 200); do
		echo '{"role":"user","content":"'"$i"'"}'
	done | ctx-store append -q S
	ctx-store state put -q S <<<'{"a":1}'
	ctx-store export --follow >live 2>err 3>&- &
	pids=$!
	# users, X and S
	until [ "$(grep -c '"row":"at"' live)" -ge 3 ]; do sleep 0.05; done
	wc -l <live >before
	ctx-store append -q S <<<'{"role":"user","content":"newest"}'
	until grep -q newest live; do sleep 0.05; done
	ctx-store checkpoint put S <<<'{"c":1}' >/dev/null
	until grep -q '"row":"ckpt","context":0,"ns":"","name":"[^c]' live; do sleep 0.05; done
	kill -TERM $pids
	wait $pids || true
	pids=
	tail -n +"$(($(cat before) + 1))" live | jq -r .row | tr '\n' ' ' >rows
	[ "$(cat rows)" = 'thread context message at thread body ckpt at end ' ]
	exits 0 ctx-store --db b import --follow live
	same_stores
}

# Are both stores the same now?
same_now() {
	exported ctx-store >one
	exported b >two 2>/dev/null || true
	cmp -s one two
}

@test "follow: lines that come one by one are packed as those that are appended so" {
	local i

	sqlite_only
	ctx-store new S
	step
	for i in $(seq 40); do
		printf '{"role":"user","content":"line %d"}\n' "$i" >one
		ctx-store append S one
		# on a fork, several at once
		[ "$i" != 20 ] || {
			ctx-store append -c side --parent main@9 S <<<"$(cat one one one one)"
		}
		step
	done
	for db in "$CTX_DB" b; do
		sqlite3 "$db" 'SELECT thread, context, first, last FROM bundle ORDER BY 1, 2, 3' >"bundles.${db##*/}"
	done
	same "bundles.b" "bundles.$(basename "$CTX_DB")"
	[ "$(sqlite3 b 'SELECT count(*) FROM message WHERE json IS NOT NULL AND context = 0')" -lt 16 ]
	[ "$(sqlite3 b 'SELECT count(*) FROM message WHERE json IS NOT NULL AND context = 1')" = 0 ]
	exits 0 ctx-store --db b check --full
}

@test "follow: a pipe that stays open; SIGTERM ends it cleanly" {
	prepare
	mkfifo pipe
	b import --follow <pipe 2>err 3>&- &
	taker=$!
	ctx-store export --follow >pipe 3>&- &
	giver=$! pids="$taker $giver"
	while read -r line; do
		change "$line"
	done < <(changes)
	until_true same_now
	kill -TERM $giver
	rc=0
	wait $giver || rc=$?
	[ "$rc" = 143 ]
	rc=0
	wait $taker || rc=$?
	[ "$rc" = 0 ]
	pids=
	grep -q 'imported [0-9]* changes' err
	exits 0 ctx-store --db b check --full
	[ ! -e a-wal ]
	same_stores
}

polled() { wc -c <polls; }
polled_to() { [ "$(polled)" -ge "$1" ]; }

@test "follow: it does not look at the store more than five times a second, and ends without a reader" {
	sqlite_only	# libpq polls, too
	${CC:-cc} -shared -fPIC -O1 -o "$T/hostfs.so" "$BATS_TEST_DIRNAME/fault/hostfs.c" -ldl
	prepare
	: >polls
	mkfifo pipe
	cat pipe >got 3>&- &
	reader=$!
	env LD_PRELOAD="$T/hostfs.so" HOST_POLLS="$T/polls" \
	    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
	    ctx-store export --follow >pipe 3>&- &
	giver=$! pids="$giver $reader"
	until_true grep -q '"row":"at"' got
	begun=$(polled) start=$EPOCHREALTIME
	until_true polled_to $((begun + 7))
	took=$(((${EPOCHREALTIME/[.,]/} - ${start/[.,]/}) / 1000))
	# nobody reads, nothing changes
	kill $reader
	rc=0
	wait $giver || rc=$?
	[ "$rc" = 141 ]
	pids=
	[ "$took" -ge 1000 ] || fail "7 looks in $took ms"
}

@test "follow: both ends are killed at random, and the pipe cut in a line" {
	local rounds=${FAULT_ROUNDS:-20} i while last

	if sanitized; then rounds=8; fi
	prepare
	RANDOM=7
	changes >list
	for ((i = 0; i < rounds; i++)); do
		mkfifo pipe$i cut$i
		b import --position >pos
		# killed after a while, both or the first only
		while=0.$((RANDOM % 3))$((RANDOM % 10))
		last=20
		[ $((i % 3)) != 2 ] || last=$while
		timeout -s KILL "$while" ctx-store export --follow \
		    --position pos >pipe$i 2>err.give 3>&- &
		giver=$!
		if ((i % 3 == 0)); then
			head -c $((RANDOM % 6000)) pipe$i >cut$i 3>&- &
		else
			cat pipe$i >cut$i 3>&- &
		fi
		between=$!
		timeout -s KILL "$last" ctx-store --db b import -q --follow \
		    <cut$i 2>err.take 3>&- &
		taker=$! pids="$giver $between $taker"
		change "append S <<<'{\"role\":\"user\",\"content\":\"round $i\"}'"
		# one change after the other, and again from the start
		line=$(sed -n "$((i % $(wc -l <list) + 1))p" list)
		eval "ctx-store $line" >/dev/null 2>&1 || true
		wait $giver $taker $between 2>/dev/null || true
		pids=
		# it may be cut off, but nothing is refused
		if grep -v 'cut off' err.take; then
			fail "round $i, $line"
		fi
		rm pipe$i cut$i
	done
	step
	same_stores 'all rounds'
	exits 0 ctx-store --db b check --full
}

# remove_b: let b be a new store.
remove_b() {
	if [ -z "${CTX_TEST_PG:-}" ]; then
		rm -f b b-*
		return
	fi
	source "$ROOT/tests/pg/names"
	name b
	sqlite3 b "DROP SCHEMA \"$NAME\" CASCADE; CREATE SCHEMA \"$NAME\""
}

@test "follow: a unit that was damaged on its way is not stored, and comes again" {
	prepare
	step
	cp unit first.unit
	ctx-store append -q S long
	ctx-store state put -q S <<<'{"a":1}'
	b import --position | ctx-store export --position - >good
	lines=$(wc -l <good)
	[ "$lines" -gt 6 ]
	for ((i = 2; i < lines; i++)); do
		for how in "${i}d" "${i}p" "${i}s/[0-9]/x/" "${i}s/.\$//" "${i}q"; do
			in_turn 3 7 || continue
			sed "$how" good >bad
			if cmp -s good bad; then
				continue
			fi
			rc=0
			b import -q --follow bad 2>err || rc=$?
			[[ $rc = 3 ]] || fail "exit $rc for $how: $(cat err)"
			# the part before it may be stored
			b import --position >pos
			[[ $(jq .change pos) -le $(tail -n 1 good | jq .change) ]]
			b check -q || fail "after $how"
			remove_b
			b import -q --follow first.unit
		done
	done
}

@test "follow: a step that does not fit is refused" {
	local a=$T/a b=$T/b c=$T/c

	[ -z "${CTX_TEST_PG:-}" ] || a=postgresql:///postgres b=$a c=$a
	prepare
	step
	ctx-store append -q S first
	cp unit whole
	b import --position >pos
	ctx-store export --position pos >unit
	exits 0 ctx-store --db b import --follow unit
	says 'ctx-store import: imported 1 change'
	# twice
	exits 3 ctx-store --db b import --follow unit
	says "ctx-store import: unit:1: the export does not begin where $b ends; give it the position that 'ctx-store import --position' prints"
	# into a store of its own
	ctx-store --db c append -q Z first
	exits 3 ctx-store --db c import --follow whole
	# the whole again
	exits 3 ctx-store --db b import --follow whole
	# an ordinary export, and the other way round
	ctx-store export >all
	exits 3 ctx-store --db d import --follow all
	says "ctx-store import: all:1: the export has version 1, but --follow reads version 2, which 'ctx-store export --follow' writes"
	exits 3 ctx-store --db d import unit
	# a position of another store, and one ahead of a store that was restored
	exits 3 ctx-store --db c export --position pos
	says "ctx-store export: the position is of another store than $c"
	jq -c '.change = 999999999999' pos >ahead
	exits 3 ctx-store export --position ahead
	says "ctx-store export: the position is ahead of $a, which is an older copy: follow it with a new store"
	: >empty
	exits 3 ctx-store export --position empty
	for text in '{}' '[]' x '{"store":"x"}' '{"store":3}' '{"store":"x","change":-1,"thread":0,"message":0}'; do
		exits 3 ctx-store export --position - <<<"$text"
	done
	exits 4 ctx-store export --position none
	exits 2 ctx-store export --follow S
	exits 2 ctx-store import --follow --verify unit
	for u in '--follow' '--position pos'; do
		exits 2 ctx-store export $u --user ann
		says 'ctx-store export: a whole store is followed, not the threads of one user (--user or CTX_USER)'
	done
	exits 2 env CTX_USER=ann ctx-store import --follow unit
	exits 2 ctx-store import --position --user ann
	# a store that was written to by others; on a server, each name has its own number
	[ -z "${CTX_TEST_PG:-}" ] || return 0
	b append -q Q first
	ctx-store append -q Q2 first
	b import --position | ctx-store export --position - >unit
	exits 3 ctx-store --db b import --follow unit
	says "ctx-store import: unit:*: $b has another thread in the place of 'Q2': it was written to by others"
}

@test "follow: steps in files are a backup up to each of them" {
	prepare
	ctx-store export --position - <<<'{"store":null}' >0
	ctx-store append -q S first
	ctx-store export --position 0 >1
	exported ctx-store >at1
	ctx-store rm -q X
	ctx-store export --position 1 >2
	for f in 0 1; do
		exits 0 ctx-store --db b import --follow $f
	done
	exported b >got
	same got at1
	exits 0 ctx-store --db b import --follow 2
	same_stores
}

@test "follow: a backup can follow" {
	sqlite_only
	prepare
	exits 0 ctx-store backup b
	ctx-store append -q S first
	step
	same_stores
	# the newest thread of the backup comes again, but not its messages
	[ "$(jq -r 'select(.row == "message").mid, select(.row == "thread").name' unit |
	    tr '\n' ' ')" = 'X S null ' ]
}

@test "follow: a store that follows can be followed" {
	prepare
	ctx-store append -q S first
	step
	# a third store follows the second
	ctx-store --db c import --position | b export --position - >unit
	exits 0 ctx-store --db c import --follow unit
	ctx-store rm -q X
	step
	ctx-store --db c import --position | b export --position - >unit
	exits 0 ctx-store --db c import --follow unit
	exported ctx-store --db c >three
	exported b >two
	same three two
	same_stores
	# nothing is left, and something comes
	ctx-store rm -q S
	step
	same_stores
	ctx-store import -q other
	step
	same_stores
	ctx-store rm -q A
	ctx-store import -q other
	step
	same_stores
}

@test "follow: threads are removed, newest first, and made again" {
	for n in A D B; do
		ctx-store append -q $n <<<"{\"n\":\"$n\"}"
	done
	step
	ctx-store rm -q B
	ctx-store rm -q A
	ctx-store append -q A <<<'{"n":"other"}'
	step
	same_stores
	# the first of a store that is empty now
	ctx-store rm -q A D
	ctx-store append -q D <<<'{"n":"again"}'
	step
	same_stores
	[ "$(b threads --as names)" = D ]
	exits 0 b check --full
}

@test "follow: what was removed of a user's state is gone in a third store" {
	prepare
	ctx-store state put -q --user ann <<<'{"theme":"dark"}'
	ctx-store append -q S first
	step
	ctx-store --db c import --position | b export --position - >unit
	exits 0 ctx-store --db c import --follow unit
	ctx-store state rm -q --user ann
	step
	same_stores
	ctx-store --db c import --position | b export --position - >unit
	exits 0 ctx-store --db c import --follow unit
	exported ctx-store --db c >three
	same three two
}
