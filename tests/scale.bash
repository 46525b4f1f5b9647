# shellcheck shell=bash
# What the tests of ctx-scale(7) share; it is loaded after helpers.
#
# The recipes run in ./kitchen, which has log.jsonl, and one.jsonl, what a single
# process writes of it.

# recipe SECTION N: print the Nth literal block in a section of the page.
recipe() {
	awk -v s=".Ss $1" -v n="$2" '/^\.S[sh]/ { on = $0 == s }
		/^\.Bd/ { k += on; block = on && k == n; next }
		/^\.Ed/ { block = 0 }
		block' "$ROOT/man/ctx-scale.7" | sed 's/\\e/\\/g' >"$T/recipe"
	[ -s "$T/recipe" ] || { echo "no recipe $2 in $1" >&2; return 1; }
	cat "$T/recipe"
}

kitchen() {
	mkdir -p "$T/kitchen/out"
	cd "$T/kitchen" || return 1
	"$DATA/logs/multiply" "${1:-300k}" "$DATA/logs/bookings.openai.jsonl" \
	    >log.jsonl
	ctx-clean log.jsonl >one.jsonl
	recipe 'One shard' 1 >shard
}

# dying I [TIMES | wait]: from now on, the first TIMES (1) that shard I, or with "any"
# anything, is worked on, ctx-clean writes a part of its output, and then it and the script that runs it are
# killed; with wait, they wait for being killed, and "$T/working" has their ids.
dying() {
	local n=${2:-1} wait='' which="--shard $1/"

	if [ "$n" = wait ]; then n=1 wait=1; fi
	if [ "$1" = any ]; then which=; fi
	mkdir -p "$T/bin" "$T/died"
	cat >"$T/bin/ctx-clean" <<-END
	#!/bin/sh
	case " \$* " in *"$which"*)
		n=0
		while [ \$((n += 1)) -le $n ]; do
			mkdir "$T/died/\$n" 2>/dev/null || continue
			"$BUILD/ctx-clean" "\$@" | head -c 20000
			if [ -n "$wait" ]; then
				echo \$PPID \$\$ >"$T/working.part"
				mv "$T/working.part" "$T/working"
				exec sleep $DEADLINE
			fi
			kill -9 \$PPID \$\$
		done
	esac
	exec "$BUILD/ctx-clean" "\$@"
	END
	chmod +x "$T/bin/ctx-clean"
	PATH=$T/bin:$PATH
}

# missing I: assert that shard I did not come out, but that a part of it was written.
missing() {
	[ -d "$T/died/1" ] || fail "nothing was killed"
	[ ! -e "out/$1.jsonl" ] || fail "the shard that was killed came out"
	compgen -G "out/.$1.*" >parts || fail "no part of shard $1"
	[ -s "$(head -n 1 parts)" ] || fail "the part is empty"
}

# complete: assert that each conversation of one.jsonl came out of the shards once.
complete() {
	local i

	for i in $(seq 8); do
		"$BUILD/ctx-clean" --shard "$i/8" log.jsonl >want
		[ -s want ] || fail "nothing is in shard $i"
		same "out/$i.jsonl" want
	done
	[ -e all.jsonl ] || sh -c "$(recipe 'One shard' 2)"
	LC_ALL=C sort all.jsonl >got
	LC_ALL=C sort one.jsonl >want
	same got want
}

# --- engines ---------------------------------------------------------------------

# needs PROGRAM...: skip the test if one is not installed.
needs() {
	local p

	for p in "$@"; do
		[ -n "$(PATH=$PATH:/usr/sbin type -P "$p")" ] ||
			skip "$p is not installed"
	done
}

# descend PID...: print them and all processes that descend from them.
descend() {
	ps -A -o pid= -o ppid= | awk -v roots="$*" '
	{ parent[$1] = $2 }
	END {
		n = split(roots, r, " ")
		for (i = 1; i <= n; i++)
			mine[r[i]] = 1
		do {
			more = 0
			for (p in parent)
				if (!(p in mine) && (parent[p] in mine))
					more = mine[p] = 1
		} while (more)
		for (p in mine)
			if (p in parent)
				print p
	}'
}

# slay PID...: kill them with all that descends from them, at once.
slay() {
	local all

	all=$(descend "$@")
	# shellcheck disable=SC2086
	[ -z "$all" ] || kill -9 $all 2>/dev/null || :
}

# free_port ADDRESS: print a port on which nothing listens there.
free_port() {
	python3 -c 'import socket, sys
s = socket.socket()
s.bind((sys.argv[1], 0))
print(s.getsockname()[1])' "$1"
}
