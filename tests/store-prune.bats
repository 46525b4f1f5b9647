# ctx-store prune: by age, by number, by size, for one user or for each.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }

# thread USER NAME BYTES: a thread with one message of about that length.
thread() {
	printf '{"role":"user","content":"%0*d"}\n' "$3" 1 |
	    store append ${1:+--user "$1"} "$2"
}

# names FILE: the threads in rows, on one line.
names() { jq -r .thread_id "$1" | tr '\n' ' '; }

# left: the threads of the store, sorted, on one line.
left() { store threads --as names | sort | tr '\n' ' '; }

used() { sqlite3 db 'PRAGMA page_count' 'PRAGMA freelist_count' 'PRAGMA page_size' |
    { read -r n; read -r free; read -r size; echo $(((n - free) * size)); }; }

@test "prune: --keep-last alone removes all but the newest, of all or of each user" {
	for i in 1 2 3; do
		thread ann A$i 10
		thread bob B$i 10
		thread '' N$i 10
	done
	store keep A1
	exits 0 store prune --keep-last 2 --dry-run
	[ "$(names out)" = 'B1 N1 A2 B2 N2 A3 ' ]
	jq -c '[.user_id,.messages,.bytes]' out | head -n 2 >got
	# as many bytes as the line has
	printf '%s\n' '["bob",1,39]' '[null,1,39]' >want
	same got want
	exits 0 store prune --keep-last 1 --each-user --dry-run
	[ "$(names out)" = 'B1 N1 A2 B2 N2 ' ]
	# only one's own, and the number is that of the user's
	exits 0 store prune --keep-last 1 --user bob
	[ "$(names out)" = 'B1 B2 ' ]
	says '*removed 2 threads, 2 messages*'
	[ "$(left)" = 'A1 A2 A3 B3 N1 N2 N3 ' ]
	exits 0 store prune --keep-last 0
	[ "$(left)" = 'A1 ' ]
	exits 2 store prune
	says '*--older-than, --max-size or --keep-last is required'
	exits 2 store prune --each-user --older-than 1d
	exits 2 store prune --checkpoints --max-size 1k
	exits 2 store prune --max-size 0
}

@test "prune: --max-size removes the oldest until the file's pages fit" {
	sqlite_only
	# words that differ, so that the index is as it is in use
	for i in $(seq 12); do
		seq $((i * 100000)) 7 $((i * 100000 + 70000)) | tr '\n' ' ' |
		    jq -Rc '{role: "user", content: .}' | store append T$i
	done
	before=$(used)
	max=$((before / 2))
	exits 0 store prune --max-size $max --dry-run
	cp out dry
	[ "$(left | wc -w)" = 12 ]
	exits 0 store prune --max-size $max
	# the estimate is right, or a thread short
	n=$(wc -l <dry)
	[ "$n" -ge $(($(wc -l <out) - 1)) ]
	head -n "$n" out >begin
	same begin dry
	n=$(wc -l <out)
	[ "$(names out)" = "$(seq -f 'T%.0f' "$n" | tr '\n' ' ')" ]
	[ "$n" -ge 4 ]
	[ "$n" -le 8 ]
	[ "$(used)" -le "$max" ]
	exits 0 store check --full
	# what fits stays
	exits 0 store prune --max-size $max
	silent
	exits 0 store prune --max-size 100G
	silent
	# old enough, though it fits
	exits 0 store prune --max-size 100G --older-than 2000-01-01
	silent
	# the newest stay in any case
	exits 0 store prune --max-size 1 --keep-last 2
	[ "$(left)" = 'T11 T12 ' ]
}

@test "prune: --max-size with --user is a limit for that user" {
	for i in 1 2 3 4; do
		for u in ann bob; do
			seq -s ' ' "$i${#u}1000" "$i${#u}5000" |
			    jq -Rc '{role: "user", content: .}' |
			    store append --user $u $u$i
		done
	done
	# half of what theirs take of the file, which is 6 pages a thread at least
	exits 0 store prune --user ann --max-size 24k
	n=$(wc -l <out)
	[ "$n" -ge 2 ]
	lacks -q bob out
	exits 0 store prune --user bob --max-size 10M
	silent
	exits 0 store prune --user ann --max-size 24k
	silent
	[ "$(store threads --user bob --as names | wc -l)" = 4 ]
	[ "$(store threads --user ann --as names | wc -l)" = $((4 - n)) ]
}

@test "prune: CTX_PRUNE_AFTER with a user prunes that user's threads, each on a day of its own" {
	thread ann A 10
	thread bob B 10
	sqlite3 db 'UPDATE thread SET updated = 0'
	export CTX_PRUNE_AFTER=1d
	thread ann A2 10
	[ "$(left)" = 'A2 B ' ]
	thread bob B2 10
	[ "$(left)" = 'A2 B2 ' ]
}

@test "prune: a thread that is written to again is the newest" {
	thread ann A 10
	thread ann B 10
	exits 0 store prune --keep-last 1 --dry-run
	[ "$(names out)" = 'A ' ]
	thread ann A 10
	exits 0 store prune --keep-last 1
	[ "$(names out)" = 'B ' ]
}

@test "prune: --max-size may be any number, also of threads that share their contents" {
	head -c 40000 /dev/urandom | base64 | tr -d '\n' |
	    jq -Rc '{role: "user", content: .}' >line
	for i in $(seq 20); do
		store append --no-index T$i line
	done
	exits 0 store prune --max-size 4000000000000000000
	silent
	[ "$(left | wc -w)" = 20 ]
}
