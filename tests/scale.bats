# The recipes of ctx-scale(7) that need nothing but a shell and make, and the contract
# of a worker; tests/engines has those of engines.

setup() {
	load helpers
	load scale
	common_setup
}

drive() { exits 0 python3 "$ROOT/tests/scale.py" "$@"; }

@test "scale: a shard comes out whole or not at all" {
	kitchen
	exits 0 sh shard 2 3 log.jsonl
	ctx-clean --shard 2/3 log.jsonl >want
	same out/2.jsonl want
	exits 4 sh shard 1 3 log.jsonl nothing.jsonl
	exits 2 sh shard 4 3 log.jsonl
	exits 3 sh shard 1 1 shard
	if (ulimit -f 8; sh shard 3 3 log.jsonl) 2>err; then
		fail "a full disk"
	fi
	[ "$(ls -A out)" = 2.jsonl ] || fail "$(ls -A out)"
}

@test "scale: parts: they are the output in its order; one comes out whole or not" {
	kitchen
	recipe 'One part' 1 >part
	recipe xargs 1 | sed 's/sh shard/bash part/' >recipe
	mkdir bin
	# the first of them is killed, and then split
	printf '#!/bin/sh\n%s\n' 'mkdir died 2>/dev/null || exec "$REAL/ctx-clean"' \
	    'head -c 5000; kill -9 $$' >bin/ctx-clean
	printf '#!/bin/sh\n%s\n' 'mkdir cut 2>/dev/null || exec "$REAL" "$@"' \
	    '"$REAL" "$@" | head -c 5000; kill -9 $$' >bin/split
	edit "2s|REAL|BUILD|" bin/ctx-clean
	edit "s|\$REAL|$(command -v split)|" bin/split
	chmod +x bin/*
	for _ in 1 2 3; do
		PATH=$PWD/bin:$PATH sh recipe 2>err || :
	done
	[ -d died ]
	[ -d cut ]
	[ "$(ls -A out | grep -c '^[1-8].jsonl$')" -eq 8 ] || fail "$(ls -A out)"
	sh -c "$(recipe 'One shard' 2)"
	same all.jsonl one.jsonl
	[ "$(ls -A out | wc -l)" -eq 8 ]
}

@test "scale: xargs: a worker is killed; the same again does the rest" {
	kitchen
	recipe xargs 1 >recipe
	dying 3
	exits 125 sh recipe
	missing 3
	exits 0 sh recipe
	complete
	# and once more, nothing
	rm log.jsonl
	exits 0 sh recipe
	silent
}

@test "scale: make: a worker is killed; the same again does the rest" {
	kitchen
	recipe make 1 >scale.mk
	recipe make 2 >recipe
	dying 6
	exits 2 sh recipe
	missing 6
	[ -e out/8.jsonl ] || fail "the others did not go on"
	exits 0 sh recipe
	complete
	exits 0 sh recipe
	has 'Nothing to be done\|is up to date' "$T/out"
}

@test "scale: Kubernetes: a job of indexes, one of which is killed" {
	local i

	kitchen
	recipe Kubernetes 1 >job.yaml
	sed -n 's/^ *args: \["\(.*\)"\]$/\1/p' job.yaml >args
	[ -s args ]
	dying 5
	for i in 0 1 2 3 4 5 6 7; do
		if [ $i -ne 4 ]; then
			JOB_COMPLETION_INDEX=$i exits 0 sh -c "$(cat args)"
		else
			JOB_COMPLETION_INDEX=$i exits 137 sh -c "$(cat args); exit \$?"
			missing 5
			# it is started twice
			JOB_COMPLETION_INDEX=$i sh -c "$(cat args)" &
			JOB_COMPLETION_INDEX=$i exits 0 sh -c "$(cat args)"
			wait $!
		fi
	done
	complete
}

@test "scale: unordered, repeated and killed: conversation lines" {
	"$DATA/logs/multiply" 60k "$DATA/logs/bookings.openai.jsonl" >in
	for seed in ${SEED:-1}; do
		drive lines "$seed" in ctx-clean --max-result 100
		drive lines "$seed" in ctx-truncate -n 5
		drive lines "$seed" in ctx-convert --to anthropic
		drive lines "$seed" in ctx-digest-files
		drive lines "$seed" in ctx-summarize --all
		drive lines "$seed" in ctx-count --annotate n
	done
}

@test "scale: unordered, repeated and killed: message lines by key" {
	python3 "$ROOT/tests/shards.py" make openai 8 30 >in
	for seed in ${SEED:-2}; do
		drive keys "$seed" in ctx-clean --max-result 100
		drive keys "$seed" in ctx-truncate -n 5 --note
		drive keys "$seed" in ctx-convert --to openai
		drive keys "$seed" in ctx-digest-files
		drive keys "$seed" in ctx-summarize --all
		drive keys "$seed" in ctx-count --annotate n
	done
}
