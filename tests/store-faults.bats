# ctx-store keeps each promise when something fails on purpose.
#
# FAULT_ROUNDS is the number of random tries (default 8, and 15 for kill -9; more
# with WHOLE=1, less with sanitizers).  Where every write fails in turn, the steps
# between the failures grow, with sanitizers faster.

setup_file() {
	local root=$BATS_TEST_DIRNAME/..

	cd "$root" || return 1
	${CC:-cc} -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/faultio.so" \
	    tests/fault/faultio.c -ldl &&
	    ${CC:-cc} -O1 -o "$BATS_FILE_TMPDIR/killer" tests/fault/killer.c &&
	    ${CC:-cc} -O1 -o "$BATS_FILE_TMPDIR/powercut" tests/fault/powercut.c
}

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
	some '8 15 1 4 6' '4 10 1 12 4' '15 60 2 1 20'
	read -r ROUNDS KILLS SLOW STEP STEPS <<<"$some"
	MANY=1200
	ROUNDS=${FAULT_ROUNDS:-$ROUNDS} KILLS=${FAULT_ROUNDS:-$KILLS}
	RANDOM=${FAULT_SEED:-7}
	lines 3000 >in
}

lines() { seq 1 "$1" | sed 's/.*/{"id":"m&","role":"user","content":"line & & & &"}/'; }

# faulty VAR=VALUE... COMMAND...: run it with the failing disk.
faulty() {
	env LD_PRELOAD="$BATS_FILE_TMPDIR/faultio.so" \
	    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 "$@"
}

# kept ACKS: assert that the store has a prefix of $T/in, including every line
# acknowledged in ACKS.
kept() {
	local acked stored

	acked=$(grep -c '"seq":[0-9]*,.*}$' "$1" || true)
	if ! ctx-store load S >stored 2>load.err; then
		[ "$acked" -eq 0 ] || fail "acknowledged $acked: $(cat load.err)"
		has 'no such' load.err
		return
	fi
	stored=$(wc -l <stored)
	[ "$stored" -ge "$acked" ] ||
	    fail "acknowledged $acked, stored $stored"
	head -n "$stored" in >prefix
	same stored prefix
	exits 0 ctx-store check --full
}

@test "faults: kill -9 at random moments loses nothing that was acknowledged" {
	"$BATS_FILE_TMPDIR/killer" "$BUILD/ctx-store" "$KILLS" \
	    "${FAULT_SEED:-7}" || { cat err; false; }
}

@test "faults: killed at every write, even while the store is created" {
	head -n 20 in >few
	mv few in
	FAULT_COUNT=$T/n faulty FAULT_COUNT="$T/n" ctx-store append S <in
	for ((i = 0; i <= $(cat n); i += STEP)); do
		rm -f db*
		faulty FAULT=kill:$i ctx-store append --ack S <in >acks 2>err ||
		    true
		about "at write $i"
		kept acks
		exits 0 ctx-store append S in
		exits 0 ctx-store load S
		same out in
	done
}

@test "faults: a full disk at every write" {
	head -n "$MANY" in >few
	mv few in
	faulty FAULT_COUNT="$T/n" ctx-store append S <in
	n=$(cat n)
	for ((i = 0; i <= n; i += 1 + i / STEPS)); do
		rm -f db*
		rc=0
		faulty FAULT=full:$i ctx-store append --ack S <in >acks 2>err ||
		    rc=$?
		[ $rc -eq 0 ] || [ $rc -eq 4 ] || { echo "exit $rc at $i"; cat err; false; }
		[ $rc -eq 0 ] || grep -q . err
		about "at write $i"
		kept acks
	done
}

@test "faults: input and output errors at every write and sync" {
	head -n "$MANY" in >few
	mv few in
	faulty FAULT_COUNT="$T/n" ctx-store append S <in
	n=$(cat n)
	for mode in io once; do
		for ((i = 0; i <= n; i += 1 + i / STEPS)); do
			rm -f db*
			rc=0
			faulty FAULT=$mode:$i ctx-store append --ack S <in \
			    >acks 2>err || rc=$?
			[ $rc -eq 0 ] || [ $rc -eq 4 ] ||
			    { echo "exit $rc at $i"; cat err; false; }
			about "$mode at $i"
			kept acks
		done
	done
}

acknowledged() { [ "$(wc -l <acks)" -ge "$1" ]; }

@test "faults: after a power cut, acknowledged lines are there, and others as a prefix" {
	head -n 40 in >few
	mv few in
	# With one commit for each line, each acknowledgement has a place in the
	# log.
	n=0
	: >acks
	while read -r line; do
		echo "$line"
		n=$((n + 1))
		until_true acknowledged "$n"
	done <in | faulty FAULT_LOG="$T/log" ctx-store append --ack S >acks
	n=$("$BATS_FILE_TMPDIR/powercut" log -1 0 .)
	[ "$n" -gt 40 ]
	for ((i = 0; i < ROUNDS; i++)); do
		rm -f db*
		at=$((RANDOM % n))
		"$BATS_FILE_TMPDIR/powercut" log $at $i .
		: >none
		about "after $at operations, seed $i"
		kept none
	done
	rm -f db*
	"$BATS_FILE_TMPDIR/powercut" log "$n" 1 .
	kept acks
	[ "$(wc -l <acks)" -eq "$(wc -l <in)" ]
}

@test "faults: a power cut after an acknowledgement does not revoke it" {
	for ((i = 0; i < ROUNDS / 4 + 3; i++)); do
		rm -f db* log
		k=$((RANDOM % 5 + 1))
		head -n $((k * 1000)) <(cat in; lines 9000 | tail -n +3001) >part
		faulty FAULT_LOG="$T/log" ctx-store append S <part
		echo '{"id":"last"}' | faulty FAULT_LOG="$T/log" \
		    ctx-store append --ack S >acks
		[ -s acks ]
		n=$("$BATS_FILE_TMPDIR/powercut" log -1 0 .)
		rm -f db*
		"$BATS_FILE_TMPDIR/powercut" log "$n" $i .
		exits 0 ctx-store load -n 1 S
		wrote '{"id":"last"}'
		exits 0 ctx-store check --full
	done
}

@test "faults: power cuts while SQLite's log is overwritten from its start" {
	# With 3 MB in a batch, every second batch moves the log into the file.
	lines 4000 | awk '{ printf "%s%02900d\"}\n", substr($0, 1, length($0) - 2), NR }' >in
	faulty FAULT_COUNT="$T/n" ctx-store append S <in
	for ((i = 0; i < ROUNDS / 4 + 3; i++)); do
		rm -f db* log
		at=$(((RANDOM * 32768 + RANDOM) % $(cat n)))
		faulty FAULT=kill:$at FAULT_LOG="$T/log" \
		    ctx-store append --ack S <in >acks 2>err || true
		n=$("$BATS_FILE_TMPDIR/powercut" log -1 0 .)
		rm -f db*
		"$BATS_FILE_TMPDIR/powercut" log "$n" $i .
		about "at write $at, seed $i"
		kept acks
	done
}

@test "faults: eight writers to one thread, or to one thread each, lose nothing" {
	for t in one many; do
		rm -f db*
		for w in 1 2 3 4 5 6 7 8; do
			name=S
			[ $t = one ] || name=S$w
			{
				rc=0
				for i in $(seq 15); do
					echo "{\"id\":\"$w-$i\"}" |
					    ctx-store append $name || rc=1
				done
				lines 2000 | sed "s/\"m/\"w$w-/" |
				    ctx-store append $name || rc=1
				echo $rc >rc.$w
			} 3>&- 2>err.$w &
			pids[w]=$!
		done
		wait "${pids[@]}"
		cat err.*
		[ "$(cat rc.* | sort -u)" = 0 ]
		if [ $t = one ]; then
			ctx-store load S >all
		else
			for w in 1 2 3 4 5 6 7 8; do
				ctx-store load S$w
			done >all
		fi
		[ "$(wc -l <all)" = 16120 ]
		# The lines of each writer are in its order.
		for w in 1 2 3 4 5 6 7 8; do
			grep -o "\"w$w-[0-9]*\"" all >got
			lines 2000 | sed "s/\"m/\"w$w-/" |
			    grep -o "\"w$w-[0-9]*\"" >want
			same got want
		done
		exits 0 ctx-store check --full
	done
}

@test "faults: readers do not wait for a writer and never see a partial batch" {
	ctx-store append S <<<'{"id":"first"}'
	(for i in $(seq 30); do lines 500 | sed "s/\"m/\"$i-/"; done) |
	    ctx-store append S 3>&- &
	pid=$!
	for ((i = 0; i < 20; i++)); do
		exits 0 timeout "$DEADLINE" ctx-store load -n 5 S
		[ "$(wc -l <out)" -ge 1 ]
	done
	wait $pid
	exits 0 ctx-store check --full
}

@test "faults: a flipped bit in a message is found by load and by check" {
	ctx-store append S <in
	line=$(sed -n '77s/line 77 /line 78 /p' in)
	sqlite3 db "UPDATE message SET json = '$line' WHERE mid = 'm77'"
	exits 4 ctx-store load S
	says "*damaged: message 77 does not match its checksum"
	# The messages before it were printed.
	head -n 76 in | cmp - <(head -n 76 out)
	exits 4 ctx-store check --full
	grep -q 'message 77' out
	printf '{"n":1,"x":"%040000d"}\n' 1 | ctx-store append T
	sqlite3 db 'UPDATE body SET kind = 0, data = zeroblob(size) WHERE id = 2'
	exits 4 ctx-store load T
	silent
	exits 4 ctx-store check --full
	grep -q 'contents 1 do not match' out
}

@test "faults: an index that does not match the messages is found and rebuilt" {
	long=$(printf '长文本 café %.0s' $(seq 900))
	{ cat in; echo "{\"content\":\"$long\"}"; } | ctx-store append S
	exits 0 ctx-store check --full
	cp db good
	n=0
	while read -r sql; do
		n=$((n + 1))
		cp good db
		sqlite3 db "$sql"
		exits 4 ctx-store check --full
		grep -q "the search index does not match [1-4] messages*; run 'ctx-store reindex --all'" out ||
		    { echo "$sql"; cat out; false; }
		# The log itself is not damaged.
		exits 0 ctx-store check
		exits 0 ctx-store reindex --all
		exits 0 ctx-store check --full
	done <<-'X'
	INSERT INTO search(rowid, text) VALUES(4000, 'one that is no message')
	INSERT INTO search(rowid, text) VALUES(7, 'twice')
	INSERT INTO search(search, rowid, text) VALUES('delete', 8, 'line 8 8 8 8')
	UPDATE message SET words = 0 WHERE id = 9
	X
	[ $n = 4 ]
	# A message that is not indexed yet is not a fault of the index.
	cp good db
	ctx-store append --no-index S <<<'{"content":"later"}'
	exits 0 ctx-store check --full
	says "*1 message is not indexed; run 'ctx-store reindex'*"
	# A truncated index is also reported and repaired.
	sqlite3 -cmd '.dbconfig defensive off' db \
	    "UPDATE search_data SET block = x'00' WHERE id > 1000" >cut
	exits 4 ctx-store check --full
	grep -q "run 'ctx-store reindex --all'" out
	exits 0 ctx-store load S
	exits 0 ctx-store reindex --all
	exits 0 ctx-store check --full
	exits 0 ctx-store search later
}

@test "faults: damaged files lead to a message, never to a crash or wrong bytes" {
	ctx-store append S <in
	size=$(size_of db)
	cp db good
	for ((i = 0; i < ROUNDS; i++)); do
		cp good db
		for ((k = 0; k < 1 + i % 4; k++)); do
			at=$(((RANDOM * 32768 + RANDOM) % size))
			printf "\\x$(printf %02x $((RANDOM % 256)))" |
			    dd of=db bs=1 seek=$at conv=notrunc status=none
		done
		for c in 'load S' 'check --full' 'threads' 'export'; do
			rc=0
			# shellcheck disable=SC2086
			timeout "$DEADLINE" ctx-store $c >out.$i 2>err.$i || rc=$?
			case $rc in 0 | 1 | 3 | 4) ;; *)
				echo "$c: exit $rc, round $i"; cat err.$i; false ;;
			esac
			[ "$c $rc" != "load S 0" ] || same out.$i in
		done
		rc=0
		echo '{"id":"new"}' | timeout "$DEADLINE" ctx-store append S 2>err.$i || rc=$?
		case $rc in 0 | 1 | 3 | 4) ;; *) echo "append: $rc"; false ;; esac
	done
}

@test "faults: truncated files" {
	ctx-store append S <in
	cp db good
	size=$(size_of db)
	for n in 0 1 50 99 100 512 4095 4096 8192 $((size / 2)) $((size - 1)); do
		head -c $n good >db
		rc=0
		timeout "$DEADLINE" ctx-store load S >out 2>err || rc=$?
		case $rc in
		0) same out in ;;	# the missing end was not in use
		1 | 4) [ -s err ] ;;
		*) echo "$n bytes: exit $rc"; false ;;
		esac
	done
}

@test "faults: a clock that runs backwards does not change the order" {
	for i in 1 2 3 4 5; do
		echo "{\"n\":$i}" | faulty FAULT_CLOCK=$((i * 1000)) ctx-store append S
		echo "{\"i\":$i}" | faulty FAULT_CLOCK=$((i * 1000)) \
		    ctx-store checkpoint put --id c$i S >out
	done
	exits 0 ctx-store load S
	wrote '{"n":1}' '{"n":2}' '{"n":3}' '{"n":4}' '{"n":5}'
	exits 0 ctx-store checkpoint get S
	wrote '{"i":5}'
	ctx-store append T <<<'{"n":1}'
	echo '{"n":9}' | faulty FAULT_CLOCK=100000 ctx-store append S
	exits 0 ctx-store load -n 1 @last
	wrote '{"n":9}'
}

@test "faults: a writer waits for another one" {
	ctx-store append S <<<'{"n":1}'
	hold db-lock 3 >held 3>&- &
	pid=$!
	until_true test -s held
	# It waits and then continues.
	exits 0 timeout "$DEADLINE" ctx-store append S <<<'{"n":2}'
	wait $pid
	exits 0 ctx-store load -n 1 S
	wrote '{"n":2}'
}

# try_files FAULT: replace both files with this fault; each must be the old or
# the new one, whole.
try_files() {
	rm -rf db* data
	ctx-store code put S c --out . old >out
	ctx-store upload put S --name u old >out
	rc=0
	faulty FAULT="$1" ctx-store code put S c --out . new >out 2>err || rc=$?
	about "$1"
	[ $rc -ne 0 ] || same data/c.py new
	cmp -s data/c.py new || same data/c.py old
	case $1 in
	kill:*) ;;
	*) [ "$(ls -A data)" = c.py ] || fail "left there: $(ls -A data)" ;;
	esac
	rc=0
	faulty FAULT="$1" ctx-store upload put S --name u new >out 2>err || rc=$?
	copy=$(ctx-store workspace S)/uploads/u
	[ $rc -ne 0 ] || same "$copy" new
	cmp -s "$copy" new || same "$copy" old
	exits 0 ctx-store check --full
	# a second try succeeds
	ctx-store code put S c --out . new >out
	ctx-store upload put S --name u new >out
	same data/c.py new
	same "$copy" new
	exits 0 ctx-store upload get S u
	same out new
}

@test "faults: files on disk are either the old or the new ones, whole" {
	seq 20000 >old
	seq 10000 30000 >new
	ctx-store code put S c --out . old >out
	faulty FAULT_COUNT="$T/n" ctx-store code put S c --out . new >out
	n=$(cat n)
	[ "$n" -gt 10 ]
	for mode in kill full io; do
		for ((i = 0; i <= n + 1; i += 1 + i / SLOW)); do
			try_files $mode:$i
		done
	done
}

@test "faults: a memory is stored completely or not at all" {
	seq 20000 >old
	sed 's/^7/seven/' old >new
	ctx-store memory put S --turn 1 old
	cp db before
	faulty FAULT_COUNT="$T/n" ctx-store memory put S --turn 2 --summary s \
	    --link ctx_1 new
	for mode in kill full io; do
		for ((i = 0; i <= $(cat n); i += 1 + i / SLOW)); do
			rm -f db*
			cp before db
			rc=0
			faulty FAULT=$mode:$i ctx-store memory put S --turn 2 \
			    --summary s --link ctx_1 new 2>err || rc=$?
			ctx-store check --full >check.out 2>&1 ||
			    { cat check.out; false; }
			ctx-store memory get S --turns 1 | cmp - old
			if ctx-store memory get S --turns 2 >got 2>err; then
				cmp got new
			else
				[ $rc -ne 0 ]
			fi
			ctx-store memory put S --turn 2 --summary s --link ctx_1 new
			ctx-store memory get S --turns 2 | cmp - new
		done
	done
}
