# Objects, in s3rver (npm) on the loopback device.

S3RVER=3.7.1

setup_file() {
	local to=${BUILD:-build}/engines

	command -v npm >/dev/null && command -v node >/dev/null || return 0
	[ -d "$to/node_modules/s3rver" ] ||
		npm install --silent --no-fund --no-audit --prefix "$to" \
		    "s3rver@$S3RVER" >/dev/null 2>&1 3>&- || rm -rf "$to"
}

setup() {
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/engines}
	load helpers
	load scale
	common_setup
	needs curl npm node
	SERVER=$BUILD/engines/node_modules/s3rver/bin/s3rver.js
	[ -f "$SERVER" ] || skip "npm could not install s3rver"
	PORT=$(free_port 127.0.0.1)
	S3=http://127.0.0.1:$PORT/histories
	serve
	kitchen
	recipe Objects 1 >object
	recipe Objects 2 | sed 's/KEY:SECRET/S3RVER:S3RVER/' >s3.conf
	recipe Objects 3 >recipe
	export S3
	for i in 1 2 3 4 5 6 7 8; do
		awk -v i=$i 'NR % 8 == i - 1' log.jsonl >"$i.jsonl"
		s3 -T "$i.jsonl" "$S3/in/$i.jsonl"
		echo "$i.jsonl"
	done >names
}

teardown() { slay "$PID"; }

s3() { curl -fsS -K s3.conf "$@"; }

serve() {
	node "$SERVER" -d "$T/store" -a 127.0.0.1 -p "$PORT" \
	    --configure-bucket histories >>"$T/log" 2>&1 3>&- &
	PID=$!
	until_true curl -s -o "$T/answer" "$S3"
}

objects() {
	s3 "$S3?list-type=2&prefix=out%2F" | grep -o '<Key>out/[^<]*' | wc -l
}

all_there() {
	while read -r name; do
		s3 "$S3/out/$name"
	done <names | LC_ALL=C sort >got
	LC_ALL=C sort one.jsonl >want
	same got want
	[ "$(objects)" -eq 8 ]
}

@test "objects: a worker is killed, and nothing of its object appears" {
	dying any
	exits 125 sh recipe
	[ -d "$T/died/1" ]
	[ "$(objects)" -lt 8 ] || fail "all are there: $(objects)"
	exits 0 sh recipe
	all_there
	# and once more: no object is read, nothing is filtered
	dying any 8
	rm -r "$T/died/1"
	exits 0 sh recipe
	[ -z "$(ls "$T/died")" ]
}

@test "objects: the server is killed, and comes back" {
	dying any wait
	sh recipe >"$T/out" 2>"$T/err" 3>&- &
	until_true [ -e "$T/working" ]
	slay "$PID"
	# shellcheck disable=SC2046
	kill -9 $(cat "$T/working")
	wait $! && fail "xargs did not notice"
	serve
	exits 0 sh recipe
	all_there
}

# s3rver knows ids of keys, but does not compare all signatures.
@test "objects: a wrong key, and an object that is not there" {
	exits 22 sh object nothing.jsonl
	edit 's/"S3RVER:/"X:/' s3.conf
	exits 22 sh object 1.jsonl
	edit 's/"X:/"S3RVER:/' s3.conf
	[ "$(objects)" -eq 0 ]
}
