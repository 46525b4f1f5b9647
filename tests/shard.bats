# --shard I/N: every conversation comes out of exactly one of N processes, with the
# bytes that one process gives it, and which one can be computed by others.

setup() {
	load helpers
	common_setup
}

shards() { python3 "$ROOT/tests/shards.py" "$@"; }

# options COMMAND: some with which it changes much.
options() {
	case $1 in
	ctx-clean) echo --max-result 40 --dedupe=1000 --clear-results=1 --redact ;;
	ctx-truncate) echo --last 3 --note ;;
	ctx-summarize) echo --all --as user ;;
	ctx-digest-files) echo --writes ;;
	ctx-count) echo --annotate n ;;
	ctx-convert) echo --to anthropic ;;
	esac
}

# parts COMMAND... -- FILE: assert, for 2 and 7 (NS), that the shards of the file are
# what the command makes of their lines, and together what it makes of the file;
# KEY is that of --by, or empty.
parts() {
	local cmd=() n i by=() rc=0 worst one

	[ -z "$KEY" ] || by=(-b "$KEY")
	while [ "$1" != -- ]; do cmd+=("$1"); shift; done
	"${cmd[@]}" "${by[@]}" -q <"$2" >whole 2>err || rc=$?
	[ -s whole ] || fail "nothing: ${cmd[*]}"
	for n in ${NS:-2 7}; do
		about "${cmd[*]} ${by[*]}, $n"
		[ -d "$n" ] || {
			mkdir "$n"
			(cd "$n" && shards split "$n" ${KEY:+"$KEY"}) <"$2"
		}
		: >all
		worst=0
		for ((i = 1; i <= n; i++)); do
			one=0
			"${cmd[@]}" "${by[@]}" -q --shard $i/$n <"$2" >got \
			    2>err || one=$?
			[ $one -le $worst ] || worst=$one
			"${cmd[@]}" "${by[@]}" -q <"$n/part.$i" >want 2>err || :
			same got want
			cat got >>all
		done
		[ $worst -eq $rc ] || fail "exit $worst instead of $rc"
		LC_ALL=C sort all >got
		LC_ALL=C sort whole >want
		same got want
	done
}

@test "shard: message lines by key, of all filters" {
	each=$(with_option --shard reading_commands)
	shards make openai "${SEED:-3}" 40 >in
	for c in $each; do
		# shellcheck disable=SC2046
		KEY=t parts "$c" $(options "$c") -- in
	done
	KEY=t NS='1 2 7' parts ctx-clean -- in
	# in the output of one process, those of a shard are in the same order
	ctx-truncate -n 3 --note -b t in >whole
	shards split 7 t <whole
	ctx-truncate -n 3 --note -b t --shard 3/7 in >got
	same got part.3
}

@test "shard: conversation lines, of all filters" {
	each=$(with_option --shard reading_commands)
	python3 "$ROOT/tests/histories.py" openai "${SEED:-4}" 30 links >in
	printf '\n{"meta":1}\n \n' >>in
	for c in $each; do
		# shellcheck disable=SC2046
		KEY='' parts "$c" $(options "$c") -- in
	done
}

@test "shard: any dialect, and any number of threads" {
	for d in anthropic gemini ai-sdk; do
		shards make "$d" "${SEED:-5}" 20 >in
		KEY=t NS=3 parts ctx-clean -j 3 -- in
		rm -r 3
	done
	"$DATA/logs/multiply" 400k "$DATA/logs/bookings.openai.jsonl" >in
	KEY='' NS=3 parts ctx-clean -j 3 -- in
}

@test "shard: what is hashed, by hand" {
	# printf %s '"c"' | sha256sum: 879923da...; of nothing: e3b0c442...
	# 0x879923da % 3 is 1, and 0xe3b0c442 % 3 is 2
	printf '%s\n' '{"role":"user","content":"x","t":"c"}' '' \
	    '{"role":"user","content":"y"}' \
	    '{"role":"user","content":"z", "t" : "c" }' '{"t":"c"' >in
	for i in 1 2 3; do
		rc=0
		ctx-clean -b t --on-error keep --shard $i/3 <in >got.$i \
		    2>err.$i || rc=$?
		echo $rc >>rc
	done
	same got.1 /dev/null
	sed -n '1p;4p' in >want
	same got.2 want
	sed -n '2p;3p;5p' in >want
	same got.3 want
	# one of them reports the line that is not JSON, as one process does
	printf '%s\n' 0 0 3 >want
	same rc want
	has '^ctx-clean: (standard input):5:' err.3
	same err.2 /dev/null
}

@test "shard: a string is hashed in its shortest spelling; null is no bytes" {
	# printf %s '"café/"' | sha256sum: dbac826d..., a multiple of 3
	printf '%s\n' '{"t":"caf\u00e9/","role":"user","content":"x"}' \
	    '{"t":null,"role":"user","content":"y"}' \
	    '{"t":"café\/","role":"user","content":"z"}' >in
	exits 0 ctx-clean -b t --shard 1/3 in
	sed -n '1p;3p' in >want
	same out want
	exits 0 ctx-clean -b t --shard 3/3 in
	sed -n 2p in >want
	same out want
}

@test "shard: a line counts without its line end; a blank one as no bytes" {
	line='{"messages":[{"role":"user","content":"x"}]}'
	n=$((0x$(printf %s "$line" | sha256sum | cut -c 1-8) % 7 + 1))
	printf '%s\r\n\n%s\n%s' "$line" "$line" "$line" >in
	exits 0 ctx-clean --shard $n/7 in
	# e3b0c442 % 7 is 1
	[ $n -ne 2 ]
	printf '%s\r\n%s\n%s' "$line" "$line" "$line" >want
	same out want
	exits 0 ctx-clean --shard 2/7 in
	wrote ''
}

@test "shard: a byte order mark is in shard 1, before the other lines" {
	printf '\357\273\277{"role":"user","content":"x","t":"c"}\n' >in
	printf '\357\273\277' >want
	exits 0 ctx-clean -b t --shard 1/3 in
	same out want
	exits 0 ctx-clean -b t --shard 2/3 in
	wrote '{"role":"user","content":"x","t":"c"}'
}

@test "shard: a file that is one conversation is whole, by its base name" {
	mkdir -p a/b
	for f in $(seq 30); do
		printf '\n{"role":"user","content":"%s"}\n\n{"role":"user","content":"x"}\n' \
		    "$f" >"a/b/$f.jsonl"
	done
	sed 1d a/b/7.jsonl >a/b/31.jsonl
	shards name 4 a/b/*.jsonl >of
	for i in 1 2 3 4; do
		(cd a && ctx-clean --shard $i/4 b/*.jsonl) >got
		n=0
		for f in a/b/*.jsonl; do
			n=$((n + 1))
			if [ "$(sed -n ${n}p of)" = $i ]; then
				# the blank line before the first: e3b0c442 % 4 is 2
				if [ $i -eq 3 ]; then cat "$f"; else sed '1{/^$/d;}' "$f"; fi
			elif [ $i -eq 3 ]; then
				sed -n '1{/^$/p;}' "$f"
			fi
		done >want
		about $i
		same got want
	done
}

@test "shard: standard input that is one conversation goes to one shard, and is read" {
	"$DATA/logs/multiply" 300k "$DATA/logs/tasks.openai.jsonl" |
	    sed 's/,"thread_id":"[^"]*"//' >in
	# e3b0c442 % 3 is 2
	for i in 1 2 3; do
		cat in | { ctx-clean --shard $i/3; cat >rest; } >got
		same rest /dev/null
		if [ $i -eq 3 ]; then same got in; else same got /dev/null; fi
	done
}

@test "shard: a file of a list of conversations is one, too" {
	printf '[%s,%s]\n' '{"messages":[{"role":"user","content":"x"}]}' \
	    '{"messages":[{"role":"user","content":"y"}]}' >list.json
	ctx-convert --to anthropic list.json >want
	[ "$(wc -l <want)" -eq 2 ]
	n=$(shards name 2 list.json)
	exits 0 ctx-convert --to anthropic --shard $n/2 list.json
	same out want
	exits 0 ctx-convert --to anthropic --shard $((3 - n))/2 list.json
	silent
	exits 0 ctx-convert --to anthropic -b t --shard $n/2 list.json
	same out want
}

@test "shard: a message among conversation lines is an error, not half a history" {
	{
		echo '{"messages":[{"role":"user","content":"x"}]}'
		printf '{"role":"user","content":"%s"}\n' 1 2 3 4 5 6 7 8
	} >in
	for i in 1 2; do
		about $i
		exits 3 ctx-clean --shard $i/2 in
		says '*in:[2-9]: a message after whole conversations*--by KEY*'
		lacks role.*user.*[1-8] out
	done
	exits 0 ctx-clean --shard 1/1 in
	same out in
}

@test "shard: one in which no line has the member does not say that of the file" {
	printf '{"role":"user","content":"%s","t":"c"}\n' 1 2 >in
	echo '{"role":"user","content":"3"}' >>in
	exits 0 ctx-clean -b t --shard 3/3 in
	wrote '{"role":"user","content":"3"}'
	quiet
	sed 's/,"t":"c"//' in >without
	exits 0 ctx-clean -b t --shard 3/3 without
	says '*no message has the member t of --by*'
}

@test "shard: numbers that are none, and what it does not go with" {
	each=$(with_option --shard reading_commands)
	for n in 0/2 3/2 1 1/ /2 a/b 1/0 1/65537 -1/2 1/2/3 1.5/2; do
		about "$n"
		exits 2 ctx-clean --shard="$n" </dev/null
		says '*--shard takes I/N*'
	done
	exits 0 ctx-clean --shard 65536/65536 </dev/null
	exits 2 ctx-clean --shard 1/2 -i x
	exits 2 ctx-count --shard 1/2 --text x
	exits 2 ctx-count --shard 1/2 --usage x
	exits 2 ctx-count --shard 1/2 --common-prefix x x
	exits 2 ctx-convert --to openai --from text --shard 1/2 x
	exits 2 ctx-digest-files --shard 1/2 "$ROOT/Makefile"
}
