# GNU parallel over hosts, each an sshd of ours on an address of the loopback device,
# with keys and settings in a temporary folder.

setup() {
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/engines}
	load helpers
	load scale
	common_setup
	needs parallel sshd ssh ssh-keygen
	hosts
	kitchen
	recipe 'GNU parallel' 1 >recipe
}

teardown() {
	slay "${SSHD[@]}"
}

# hosts: start node1 and node2, so that "ssh -F $T/ssh/config node1" works.
hosts() {
	local i

	mkdir -p "$T/ssh"
	ssh-keygen -q -t ed25519 -N '' -f "$T/ssh/host"
	ssh-keygen -q -t ed25519 -N '' -f "$T/ssh/user"
	for i in 1 2; do
		port[i]=$(free_port 127.0.0.$((i + 1)))
		cat >"$T/ssh/sshd$i" <<-END
		ListenAddress 127.0.0.$((i + 1)):${port[i]}
		HostKey $T/ssh/host
		AuthorizedKeysFile $T/ssh/user.pub
		PidFile none
		UsePAM no
		StrictModes no
		PermitRootLogin prohibit-password
		MaxStartups 100
		SetEnv PATH=$T/bin:$BUILD:$PATH NODE=node$i
		END
		cat >>"$T/ssh/config" <<-END
		Host node$i
			HostName 127.0.0.$((i + 1))
			Port ${port[i]}
		END
	done
	cat >>"$T/ssh/config" <<-END
	Host *
		IdentityFile $T/ssh/user
		IdentitiesOnly yes
		BatchMode yes
		StrictHostKeyChecking no
		UserKnownHostsFile $T/ssh/known
		LogLevel ERROR
	END
	export PARALLEL_SSH="ssh -F $T/ssh/config"
	host 1
	host 2
}

# host I: start it, and wait until it answers.
host() {
	local sshd start=()

	sshd=$(PATH=$PATH:/usr/sbin type -P sshd)
	# root's sshd wants an empty folder in /run, which is not ours to make
	if [ "$(id -u)" -eq 0 ]; then
		start=(unshare -m sh -c 'mount -t tmpfs none /run &&
		    mkdir /run/sshd && exec "$@"' sh)
	fi
	"${start[@]}" "$sshd" -D -e -f "$T/ssh/sshd$1" 2>"$T/ssh/log$1" 3>&- &
	SSHD[$1]=$!
	until_true $PARALLEL_SSH "node$1" true 2>/dev/null
}

tries() { sed 1d jobs.log | wc -l; }

@test "parallel: a host dies; its jobs are done by the other one" {
	dying 4 wait
	sh recipe >"$T/out" 2>"$T/err" 3>&- &
	until_true [ -e "$T/working" ]
	missing 4
	i=1
	if descend "${SSHD[2]}" | grep -qx "$(cut -d ' ' -f 2 "$T/working")"; then
		i=2
	fi
	slay "${SSHD[i]}"
	wait $! || fail "exit $?: $(cat "$T/err")"
	complete
	has "node$((3 - i))" jobs.log
}

@test "parallel: a worker dies twice; the same again does only that" {
	dying 3 2
	exits 1 sh recipe
	missing 3
	for i in 1 2; do has "node$i" jobs.log; done
	n=$(tries)
	exits 0 sh recipe
	[ "$(tries)" -eq $((n + 1)) ] || { cat jobs.log; fail "it did more"; }
	complete
	exits 0 sh recipe
	[ "$(tries)" -eq $((n + 1)) ]
}

@test "parallel: parallel itself is killed; the same again does the rest" {
	dying 5 wait
	sh recipe >"$T/out" 2>"$T/err" 3>&- &
	until_true [ -e "$T/working" ]
	slay $!
	wait $! && fail "it was not killed"
	# the worker does not know it, and goes on; another one does not mind
	missing 5
	exits 0 sh recipe
	complete
}
